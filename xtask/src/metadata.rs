//! What cargo knows of the workspace.

use serde::Deserialize;
use std::path::Path;
use std::process::Command;

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

/// Returns the packages of the workspace at `root`.
pub fn packages(root: &Path) -> Vec<Package> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo reads the workspace: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).expect("cargo metadata has version 1");
    metadata.packages
}
