//! Names the library as programs ask for it, and makes it ask for the C library.

#[path = "../fortran/stand_in.rs"]
mod stand_in;

fn main() {
    println!("cargo:rerun-if-changed=../fortran/stand_in.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpifort.so.12");
    // It is installed two folders below the C library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN:$ORIGIN/../..");
    stand_in::link("libmpi.so.12", &["../fortran/src/c.rs", "src/abi.rs"]);
}
