//! Names the library as programs ask for it, and makes it ask for the C library.

#[path = "../fortran/stand_in.rs"]
mod stand_in;

fn main() {
    println!("cargo:rerun-if-changed=../fortran/stand_in.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi_mpifh.so.40");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
    stand_in::link(
        "libmpi.so.40",
        &["../fortran/src/c.rs", "../fortran/src/beside_mpi.rs", "src/abi.rs", "src/constants.rs"],
    );
}
