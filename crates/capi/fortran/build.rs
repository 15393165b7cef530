//! Names the library as the ABI demands, and makes it ask for the C library.

#[path = "stand_in.rs"]
mod stand_in;

fn main() {
    println!("cargo:rerun-if-changed=stand_in.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpifort_abi.so.1");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-rpath,$ORIGIN");
    stand_in::link("libmpi_abi.so.1", &["src/c.rs", "src/abi.rs", "src/beside_mpi.rs"]);
}
