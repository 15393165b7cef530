//! `dist`: packs the last commit as an archive that builds without a network.
//!
//! The archive has the files of the commit, the crates of others in `vendor`, a configuration by
//! which cargo takes them from there, and the licences of these crates. The same files give the
//! same bytes: entries are sorted, belong to nobody, and carry the date of the release from
//! CHANGELOG.md, or of the commit if there is no release of this version.
//!
//! Recipes of package managers (`packaging/README.md`) name version, address and checksum of the
//! archive, so they are written beside the archive, from templates.

pub mod licences;
mod vendor;

use crate::commands::{self, Failure, at, output, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The version of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Templates of recipes, and where the filled files lie beside the archive.
const RECIPES: [(&str, &str); 5] = [
    ("packaging/rpm/nemesis-mpi.spec", "nemesis-mpi.spec"),
    ("packaging/spack/package.py", "spack/packages/nemesis_mpi/package.py"),
    ("packaging/conda/recipe.yaml", "conda/recipe.yaml"),
    ("packaging/easybuild/nemesis.eb", "easybuild/Nemesis-@VERSION@-GCCcore-15.2.0.eb"),
    ("packaging/container/Containerfile", "Containerfile"),
];

/// An archive that has been written.
pub struct Archive {
    pub path: PathBuf,
    pub sha256: String,
}

/// Makes the archive and the recipes in `build/dist`. `address` is the folder on the web where the
/// archive will lie; without it, recipes name this one.
pub fn make(root: &Path, address: Option<&str>) -> ExitCode {
    let made = pack(root, &root.join("build/dist")).and_then(|archive| {
        recipes(root, &archive, address)?;
        let bytes = fs::metadata(&archive.path).map_err(at(&archive.path))?.len();
        Ok(format!(
            "{} ({:.1} MB)\nsha256 {}",
            archive.path.display(),
            bytes as f64 / 1e6,
            archive.sha256
        ))
    });
    commands::end("dist", made)
}

/// Makes the archive twice, and checks a build of its crates without network and cache.
pub fn check(root: &Path) -> ExitCode {
    commands::end("dist", check_archive(root))
}

fn check_archive(root: &Path) -> Result<String, Failure> {
    let folder = root.join("build/dist-check");
    let first = pack(root, &folder.join("first"))?;
    let second = pack(root, &folder.join("second"))?;
    if first.sha256 != second.sha256 {
        return Err(format!(
            "two archives of one commit differ: compare {} and {}",
            first.path.display(),
            second.path.display()
        ));
    }
    let tree = unpack(&first, &folder)?;
    let home = folder.join("cargo-home");
    commands::empty(&home)?;
    run(Command::new("cargo")
        .args(["check", "--quiet", "--workspace", "--all-targets", "--frozen", "--offline"])
        .env("CARGO_HOME", &home)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(&tree))?;
    commands::remove(&folder)?;
    Ok(format!("dist: twice {}; its crates compile without network and cache", first.sha256))
}

/// Unpacks an archive into a folder and returns its top folder there.
pub fn unpack(archive: &Archive, folder: &Path) -> Result<PathBuf, Failure> {
    let tree = folder.join(format!("nemesis-{VERSION}"));
    commands::remove(&tree)?;
    run(Command::new("tar").arg("-xf").arg(&archive.path).arg("-C").arg(folder))?;
    Ok(tree)
}

/// Makes the archive in `folder`.
pub fn pack(root: &Path, folder: &Path) -> Result<Archive, Failure> {
    let changed = output(git(root).args(["status", "--porcelain", "--untracked-files=no"]))?;
    if !changed.is_empty() {
        eprintln!("dist: the archive has the last commit, without changes made since");
    }
    let name = format!("nemesis-{VERSION}");
    let tree = folder.join(&name);
    commands::empty(&tree)?;
    let plain = folder.join(format!("{name}.tar"));
    run(git(root).args(["archive", "--format=tar", "HEAD", "-o"]).arg(&plain))?;
    run(Command::new("tar").arg("-xf").arg(&plain).arg("-C").arg(&tree))?;
    vendor::add(&tree)?;
    licences::add(&tree)?;
    run(Command::new("tar")
        .args(["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"])
        .args(["--mode=u+rw,go+r,go-w,a+X", &format!("--mtime=@{}", seconds(root)?)])
        .arg("-cf")
        .arg(&plain)
        .arg("-C")
        .arg(folder)
        .arg(&name))?;
    commands::remove(&tree)?;
    // More than one thread would cut the archive into blocks, by the number of processors.
    run(Command::new("xz").args(["--force", "--threads=1"]).arg(&plain))?;
    let path = folder.join(format!("{name}.tar.xz"));
    let sha256 = checksum(&path)?;
    let line = format!("{sha256}  {name}.tar.xz\n");
    commands::write(&folder.join(format!("{name}.tar.xz.sha256")), &line)?;
    Ok(Archive { path, sha256 })
}

fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(root);
    git
}

/// Returns the SHA-256 of a file.
fn checksum(path: &Path) -> Result<String, Failure> {
    let line = output(Command::new("sha256sum").arg("--binary").arg(path))?;
    line.split(' ').next().map(str::to_owned).ok_or_else(|| "sha256sum prints nothing".to_owned())
}

/// Returns the time that the archive's files carry, in seconds since 1970.
fn seconds(root: &Path) -> Result<u64, Failure> {
    let changelog = commands::read(&root.join("CHANGELOG.md"))?;
    let released = changelog.lines().find_map(|line| date_of(line, VERSION));
    let text = match released {
        Some(date) => output(Command::new("date").args(["-u", "+%s", "-d", date]))?,
        None => output(git(root).args(["log", "-1", "--format=%ct"]))?,
    };
    text.trim().parse().map_err(|_| format!("no time in seconds: {text}"))
}

/// Returns the date of the section of a release, if this line of CHANGELOG.md begins it.
pub fn date_of<'a>(line: &'a str, version: &str) -> Option<&'a str> {
    line.strip_prefix("## ")?.strip_prefix(version)?.strip_prefix(" - ")
}

/// Writes the recipes for an archive beside it.
fn recipes(root: &Path, archive: &Archive, address: Option<&str>) -> Result<(), Failure> {
    let folder = archive.path.parent().ok_or("the archive lies in no folder")?;
    let address = match address {
        Some(address) => address.trim_end_matches('/').to_owned(),
        None => format!("file://{}", folder.display()),
    };
    let licenses = licences::expression(root)?;
    let filled = |text: &str| {
        text.replace("@VERSION@", VERSION)
            .replace("@LICENSES@", &licenses)
            .replace("@SHA256@", &archive.sha256)
            .replace("@ADDRESS@", &address)
    };
    for (template, name) in RECIPES {
        let text = filled(&commands::read(&root.join(template))?);
        commands::write(&folder.join(filled(name)), &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_a_date() {
        assert_eq!(date_of("## 0.2.0 - 2026-11-28", "0.2.0"), Some("2026-11-28"));
        assert_eq!(date_of("## 0.2.0", "0.2.0"), None);
        assert_eq!(date_of("## 0.2.0 - 2026-11-28", "0.2"), None);
        assert_eq!(date_of("## Unreleased", "0.2.0"), None);
    }
}
