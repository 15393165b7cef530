//! The crates of others in the archive, and the configuration that lets cargo find them.

use crate::commands::{self, Failure, at, output};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Systems for which the archive builds.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The file in which cargo keeps the checksums of a crate's files.
const CHECKSUMS: &str = ".cargo-checksum.json";

/// Puts the crates into `tree/vendor` and names that folder in cargo's configuration.
pub fn add(tree: &Path) -> Result<(), Failure> {
    let vendor = tree.join("vendor");
    let mut cargo = Command::new("cargo");
    cargo.args(["vendor", "--quiet", "--locked", "--versioned-dirs"]).arg(&vendor);
    output(cargo.current_dir(tree))?;
    let needed = needed(tree)?;
    for entry in fs::read_dir(&vendor).map_err(at(&vendor))? {
        let path = entry.map_err(at(&vendor))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if needed.contains(&name) {
            remove_binaries(&path)?;
        } else {
            empty(&path)?;
        }
    }
    let path = tree.join(".cargo/config.toml");
    let configuration = commands::read(&path)?;
    commands::write(
        &path,
        &format!(
            "{configuration}\n[source.crates-io]\nreplace-with = \"vendored\"\n\n\
             [source.vendored]\ndirectory = \"vendor\"\n"
        ),
    )
}

/// Returns the names, with their versions, of the crates that [`TARGETS`] compile.
fn needed(tree: &Path) -> Result<HashSet<String>, Failure> {
    let crates = crates(tree, &["--edges", "all"])?;
    Ok(crates.map(|(name, version)| format!("{name}-{version}")).collect())
}

/// Returns names and versions of the crates that `cargo tree` lists with these options, on all
/// [`TARGETS`].
pub fn crates(
    tree: &Path,
    options: &[&str],
) -> Result<impl Iterator<Item = (String, String)>, Failure> {
    let mut crates = Vec::new();
    for target in TARGETS {
        let mut cargo = Command::new("cargo");
        cargo.args(["tree", "--locked", "--workspace", "--target", target]).args(options);
        cargo.args(["--prefix", "none", "--format", "{p}"]);
        // A line is "name v1.2.3", and more words where the crate is not of the registry.
        for line in output(cargo.current_dir(tree))?.lines() {
            let mut words = line.split(' ');
            if let (Some(name), Some(version)) = (words.next(), words.next()) {
                crates.push((name.to_owned(), version.trim_start_matches('v').to_owned()));
            }
        }
    }
    Ok(crates.into_iter())
}

/// Empties a crate that only other systems compile, such as the interfaces of Windows: cargo wants
/// it to be there, to compare Cargo.lock. What is left is its description.
fn empty(package: &Path) -> Result<(), Failure> {
    let mut value = checksums(package)?;
    value["files"] = serde_json::json!({});
    let kept = ["Cargo.toml", CHECKSUMS];
    for entry in fs::read_dir(package).map_err(at(package))? {
        let entry = entry.map_err(at(package))?;
        if kept.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            commands::remove(&path)?;
        } else {
            fs::remove_file(&path).map_err(at(&path))?;
        }
    }
    // Targets that Cargo.toml names, such as the library and tests, have files.
    let manifest = commands::read(&package.join("Cargo.toml"))?;
    let files =
        manifest.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    for file in files.chain(["src/lib.rs"]) {
        if file.ends_with(".rs") {
            commands::write(&package.join(file), "")?;
        }
    }
    commands::write(&package.join(CHECKSUMS), &value.to_string())
}

/// Removes programs and libraries of Windows, which are tests of a crate: the archive has sources
/// only, and those who build packages ask for that.
fn remove_binaries(package: &Path) -> Result<(), Failure> {
    let mut value = checksums(package)?;
    let listed = value["files"].as_object_mut().ok_or("a crate has no list of checksums")?;
    let is_binary = |file: &String| [".dll", ".exe"].iter().any(|end| file.ends_with(end));
    let binaries: Vec<String> = listed.keys().filter(|file| is_binary(file)).cloned().collect();
    for file in &binaries {
        let path = package.join(file);
        fs::remove_file(&path).map_err(at(&path))?;
        listed.remove(file);
    }
    match binaries[..] {
        [] => Ok(()),
        _ => commands::write(&package.join(CHECKSUMS), &value.to_string()),
    }
}

/// Returns the checksums of a crate's files.
fn checksums(package: &Path) -> Result<serde_json::Value, Failure> {
    let path = package.join(CHECKSUMS);
    serde_json::from_str(&commands::read(&path)?)
        .map_err(|error| format!("{}: {error}", path.display()))
}
