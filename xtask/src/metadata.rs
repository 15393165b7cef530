//! What cargo knows of the workspace.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub manifest_path: String,
    pub dependencies: Vec<Dependency>,
    pub targets: Vec<Target>,
}

#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `None` for an ordinary dependency, else `dev` or `build`.
    pub kind: Option<String>,
    /// Path of a dependency in this workspace.
    pub path: Option<String>,
}

/// A library, program, test or example.
#[derive(Deserialize)]
pub struct Target {
    pub src_path: String,
}

/// A package of others that the workspace uses.
#[derive(Deserialize)]
pub struct External {
    pub name: String,
    pub version: String,
    /// Where it comes from, such as `registry+https://...`.
    pub source: String,
    /// Its licences, an SPDX expression.
    pub license: Option<String>,
    pub manifest_path: PathBuf,
}

/// Returns the packages of the workspace at `root`.
pub fn packages(root: &Path) -> Vec<Package> {
    read(root, &["--no-deps"])
}

/// Returns the packages of others that the workspace at `root` uses, in the versions of Cargo.lock.
pub fn externals(root: &Path) -> Vec<External> {
    let all: Vec<serde_json::Value> = read(root, &["--locked"]);
    let of_others = all.into_iter().filter(|package| !package["source"].is_null());
    of_others.map(|package| serde_json::from_value(package).expect("it has a version")).collect()
}

/// Returns the packages that `cargo metadata` lists with these options.
fn read<P: DeserializeOwned>(root: &Path, options: &[&str]) -> Vec<P> {
    #[derive(Deserialize)]
    struct Metadata<P> {
        packages: Vec<P>,
    }
    let output = crate::commands::cargo()
        .args(["metadata", "--format-version", "1"])
        .args(options)
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo reads the workspace: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Metadata<P> =
        serde_json::from_slice(&output.stdout).expect("cargo metadata has version 1");
    metadata.packages
}
