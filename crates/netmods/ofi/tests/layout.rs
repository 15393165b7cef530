//! The layouts and constants of `layout` are those of the installed libfabric's header.

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn layouts_equal_those_of_the_header() {
    if !std::path::Path::new("/usr/include/rdma/fabric.h").exists() {
        println!("skipped: there is no rdma/fabric.h (Debian's package libfabric-dev)");
        return;
    }
    let mut source = String::from(
        "#include <stddef.h>\n#include <rdma/fabric.h>\n\
         #include <rdma/fi_cm.h>\n#include <rdma/fi_domain.h>\n#include <rdma/fi_endpoint.h>\n\
         #include <rdma/fi_eq.h>\n#include <rdma/fi_errno.h>\n#include <rdma/fi_rma.h>\n\
         #include <rdma/fi_tagged.h>\n",
    );
    let facts = nemesis_netmod_ofi::layout::facts();
    for (number, (expression, value)) in facts.iter().enumerate() {
        source += &format!(
            "_Static_assert((unsigned long long)({expression}) == {value}ull, \"{expression}\");\n\
             int fact_{number};\n"
        );
    }
    let mut compiler = Command::new("cc")
        .args(["-x", "c", "-fsyntax-only", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("a C compiler is installed");
    compiler.stdin.take().expect("a pipe").write_all(source.as_bytes()).expect("it reads");
    assert!(compiler.wait().expect("it ends").success(), "a layout differs from the header");
    assert!(facts.len() > 100, "the layouts are compared");
}
