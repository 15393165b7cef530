//! Names the library as the ABI demands; programs ask for it by this name. Lays what is executed together beside each other.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi.so.12");
    let order = concat!(env!("CARGO_MANIFEST_DIR"), "/../near.ld");
    println!("cargo:rerun-if-changed={order}");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-T,{order}");
}
