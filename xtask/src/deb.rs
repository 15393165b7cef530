//! `deb`: builds Debian packages in `build/deb`, as Debian does it: from the archive of `dist` and
//! `packaging/debian`, by dpkg-buildpackage, without a network. lintian judges them.
//!
//! `deb --check` tries the packages in new systems (`check`).

mod check;

use crate::commands::{self, Failure, at, run};
use crate::dist::{self, VERSION};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Name of the source package.
const SOURCE: &str = "nemesis-mpi";

/// Packages whose place another installation of Rust can take.
const RUST: [&str; 4] = ["cargo", "cargo-web", "rustc", "rustc-web"];

/// Builds the packages.
pub fn make(root: &Path) -> ExitCode {
    commands::end("deb", build(root).map(|packages| lines(&packages)))
}

/// Tries the packages of `build/deb` in new systems.
pub fn check(root: &Path) -> ExitCode {
    let tried = packages(&root.join("build/deb")).and_then(|packages| check::all(root, &packages));
    commands::end("deb", tried)
}

fn lines(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join("\n")
}

fn build(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = root.join("build/deb");
    commands::empty(&folder)?;
    let archive = dist::pack(root, &folder)?;
    let tree = dist::unpack(&archive, &folder)?;
    let original = folder.join(format!("{SOURCE}_{VERSION}.orig.tar.xz"));
    fs::rename(&archive.path, &original).map_err(at(&original))?;
    let from = root.join("packaging/debian");
    run(Command::new("cp").arg("-r").arg(&from).arg(tree.join("debian")))?;

    let mut build = Command::new("dpkg-buildpackage");
    build.args(["-us", "-uc"]);
    if only_rust_is_missing(&tree)? {
        eprintln!("deb: builds with the cargo of PATH (packaging/debian/README.source)");
        build.arg("-d");
    }
    run(build.current_dir(&tree))?;
    commands::remove(&tree)?;
    let changes = entries(&folder, ".changes")?;
    run(Command::new("lintian").args(["--fail-on", "error,warning"]).args(&changes))?;
    packages(&folder)
}

/// Returns whether packages that building needs are missing, and all of them are [`RUST`]'s.
/// Others that are missing are a failure.
fn only_rust_is_missing(tree: &Path) -> Result<bool, Failure> {
    let checked = Command::new("dpkg-checkbuilddeps")
        .current_dir(tree)
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("dpkg-checkbuilddeps: {error}; install dpkg-dev"))?;
    if checked.status.success() {
        return Ok(false);
    }
    let told = String::from_utf8_lossy(&checked.stderr);
    let missing = missing(&told).ok_or_else(|| told.trim_end().to_owned())?;
    let others: Vec<&str> = missing.into_iter().filter(|name| !RUST.contains(name)).collect();
    if others.is_empty() {
        return Ok(true);
    }
    Err(format!("packages are missing; try: apt-get install {}", others.join(" ")))
}

/// Returns the names in a message of dpkg-checkbuilddeps, whose versions stand in parentheses.
fn missing(told: &str) -> Option<Vec<&str>> {
    let (_, list) = told.trim_end().split_once("Unmet build dependencies: ")?;
    let parts = list.split(['(', ')']).step_by(2);
    Some(parts.flat_map(str::split_whitespace).filter(|word| *word != "|").collect())
}

/// Returns the packages in a folder.
fn packages(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let packages = entries(folder, ".deb")?;
    if packages.is_empty() {
        return Err(format!("{} has no packages; try: make deb", folder.display()));
    }
    Ok(packages)
}

/// Returns the files of a folder whose names end so, sorted.
fn entries(folder: &Path, end: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_packages_are_named() {
        let told = "dpkg-checkbuilddeps: error: Unmet build dependencies: cargo (>= 1.95) \
                    gfortran rustc (>= 1.95) a | b\n";
        assert_eq!(missing(told).unwrap(), ["cargo", "gfortran", "rustc", "a", "b"]);
        assert_eq!(missing("dpkg-checkbuilddeps: error: cannot read debian/control\n"), None);
    }
}
