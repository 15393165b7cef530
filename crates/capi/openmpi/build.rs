//! Names the library as the ABI demands; programs ask for it by this name.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmpi.so.40");
}
