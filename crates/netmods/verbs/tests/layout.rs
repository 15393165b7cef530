//! The structures of libibverbs have the sizes and offsets that the installed header states.

use nemesis_netmod_verbs::layout::LAYOUTS;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn layouts_are_those_of_the_header() {
    if !Path::new("/usr/include/infiniband/verbs.h").exists() {
        println!("skipped: <infiniband/verbs.h> is missing (Debian: libibverbs-dev)");
        return;
    }
    let mut program = String::from("#include <infiniband/verbs.h>\n#include <stddef.h>\n");
    for (name, bytes, fields) in LAYOUTS {
        writeln!(program, "_Static_assert(sizeof(struct {name}) == {bytes}, \"{name}\");").unwrap();
        for (field, offset) in *fields {
            writeln!(
                program,
                "_Static_assert(offsetof(struct {name}, {field}) == {offset}, \"{name}.{field}\");"
            )
            .unwrap();
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("layout.c");
    std::fs::write(&source, program).unwrap();
    let output = Command::new("cc").arg("-fsyntax-only").arg(&source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
