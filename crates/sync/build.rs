//! Tells the crate whether the compiler knows `std::hint::cold_path`, which came with Rust 1.95.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(has_cold_path)");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map_or(String::new(), |it| String::from_utf8_lossy(&it.stdout).into());
    if minor(&version).is_some_and(|minor| minor >= 95) {
        println!("cargo:rustc-cfg=has_cold_path");
    }
}

/// Returns 95 of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn minor(version: &str) -> Option<u32> {
    version.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}
