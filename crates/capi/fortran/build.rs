//! Names the library as the ABI demands, and makes it ask for the C library.
//!
//! The C library need not be built yet: the linker gets a library with its name and its functions.
//! Unit tests run with that one, and call none of them.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// The files that declare functions of the C library.
const DECLARING: [&str; 2] = ["src/c.rs", "src/attributes.rs"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CC");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (source, library) = (folder.join("stand_in.c"), folder.join("libmpi_abi.so.1"));
    std::fs::write(&source, functions()).expect("the folder of the build can be written");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let status = Command::new(&compiler)
        .args(["-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.1", "-o"])
        .args([&library, &source])
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", compiler.display()));
    assert!(status.success(), "the C compiler links a shared library");
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo:rustc-link-arg={}", library.display());
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpifort_abi.so.1");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
}

/// Returns a definition of each declared function.
fn functions() -> String {
    let mut text = String::new();
    for file in DECLARING {
        println!("cargo:rerun-if-changed={file}");
        let declared =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let names = declared
            .split("fn ")
            .skip(1)
            .filter_map(|rest| rest.split_once('('))
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("PMPI_") || name.starts_with("nemesis_fortran_"));
        for name in names {
            writeln!(text, "void {name}(void) {{}}").expect("writing to a string succeeds");
        }
    }
    text
}
