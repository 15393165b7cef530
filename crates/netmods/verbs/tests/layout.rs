//! The structures of libibverbs and librdmacm have the sizes and offsets that the installed headers
//! state.

use nemesis_netmod_verbs::{layout, manager_layout};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

type Layouts = &'static [(&'static str, usize, &'static [(&'static str, usize)])];

/// Compares structures with a header of a package.
fn compare(header: &str, package: &str, layouts: Layouts) {
    if !Path::new("/usr/include").join(header).exists() {
        println!("skipped: <{header}> is missing (Debian: {package})");
        return;
    }
    let mut program = format!("#include <{header}>\n#include <stddef.h>\n");
    for (name, bytes, fields) in layouts {
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
    let source = folder.join(format!("{package}.c"));
    std::fs::write(&source, program).unwrap();
    let output = Command::new("cc").arg("-fsyntax-only").arg(&source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn layouts_of_libibverbs_are_those_of_the_header() {
    compare("infiniband/verbs.h", "libibverbs-dev", layout::LAYOUTS);
}

#[test]
fn layouts_of_librdmacm_are_those_of_the_header() {
    compare("rdma/rdma_cma.h", "librdmacm-dev", manager_layout::LAYOUTS);
}
