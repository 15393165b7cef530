//! What the build scripts of the Fortran libraries share.
//!
//! A Fortran library asks for its C library, which need not be built yet: the linker gets a library
//! with the C library's name and functions. Unit tests run with that one, and call none of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// Links with a stand-in for the C library `name`, whose functions the files declare.
pub fn link(name: &str, declaring: &[&str]) {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CC");
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (source, library) = (folder.join("stand_in.c"), folder.join(name));
    std::fs::write(&source, functions(declaring)).expect("the folder of the build can be written");
    // For another processor cargo's linker is a compiler of that processor; CC may be one of this.
    let of_cargo = |name| std::env::var_os(name).expect("cargo sets it");
    let is_cross = of_cargo("TARGET") != of_cargo("HOST");
    let linker = std::env::var_os("RUSTC_LINKER").filter(|_| is_cross);
    let compiler = linker.or_else(|| std::env::var_os("CC")).unwrap_or_else(|| "cc".into());
    let status = Command::new(&compiler)
        .args(["-shared", "-fPIC", &format!("-Wl,-soname,{name}"), "-o"])
        .args([&library, &source])
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", compiler.display()));
    assert!(
        status.success(),
        "{} links a shared library for {}",
        compiler.display(),
        of_cargo("TARGET").display()
    );
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo:rustc-link-arg={}", library.display());
}

/// Returns a definition of each function of the C library that the files name.
fn functions(declaring: &[&str]) -> String {
    let mut names = BTreeSet::new();
    for file in declaring {
        println!("cargo:rerun-if-changed={file}");
        let declared =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let words = declared.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let is_function = |word: &&str| PREFIXES.iter().any(|prefix| word.starts_with(prefix));
        names.extend(words.filter(is_function).map(String::from));
    }
    names.iter().map(|name| format!("void {name}(void) {{}}\n")).collect()
}

/// How the names of functions and objects of the C library begin.
const PREFIXES: [&str; 4] = ["PMPI_", "MPII_", "nemesis_fortran_", "ompi_"];
