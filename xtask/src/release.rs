//! `release VERSION`: names a release wherever its version stands.
//!
//! | file | what |
//! |---|---|
//! | `Cargo.toml`, `Cargo.lock` | the version, which everything that is built takes from here |
//! | `CHANGELOG.md` | what is unreleased becomes a section with version and date |
//! | `packaging/debian/changelog` | an entry for Debian's tools |
//!
//! Recipes of other package managers take the version from the archive (`dist`). `tidy` compares
//! the files of this table.

use crate::commands::{self, Failure, output, run};
use std::path::Path;
use std::process::{Command, ExitCode};

pub const CHANGELOG: &str = "CHANGELOG.md";
pub const DEBIAN_CHANGELOG: &str = "packaging/debian/changelog";

/// Heading of what no release has yet.
const UNRELEASED: &str = "## Unreleased\n";

/// Names the next release. The day is today's, in universal time.
pub fn make(root: &Path, version: &str) -> ExitCode {
    let made = release(root, version).map(|()| {
        format!(
            "{version} is named; next: git commit -a -m 'release: name {version}', git tag -a \
             v{version}, make check-dist, make dist"
        )
    });
    commands::end("release", made)
}

fn release(root: &Path, version: &str) -> Result<(), Failure> {
    let old = env!("CARGO_PKG_VERSION");
    let numbers = numbers(version)
        .ok_or_else(|| format!("'{version}' is no version: it has three numbers, as 1.2.3"))?;
    if Some(numbers) <= self::numbers(old) {
        return Err(format!("{version} does not come after {old}, the version of Cargo.toml"));
    }
    let day = output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let mail_date = output(Command::new("date").args(["-u", "-R"]))?;
    let control = commands::read(&root.join("packaging/debian/control"))?;
    let maintainer = maintainer(&control)?;

    // All texts are made before the first file is written.
    let manifest = commands::read(&root.join("Cargo.toml"))?;
    let line = |version| format!("\nversion = \"{version}\"\n");
    if manifest.matches(&line(old)).count() != 1 {
        return Err(format!("Cargo.toml has not one line 'version = \"{old}\"'"));
    }
    let manifest = manifest.replace(&line(old), &line(version));
    let changelog = dated(&commands::read(&root.join(CHANGELOG))?, version, day.trim())?;
    let debian = format!(
        "nemesis-mpi ({version}-1) unstable; urgency=medium\n\n  * New upstream release.\n\n \
         -- {maintainer}  {}\n\n{}",
        mail_date.trim(),
        commands::read(&root.join(DEBIAN_CHANGELOG))?
    );
    commands::write(&root.join("Cargo.toml"), &manifest)?;
    commands::write(&root.join(CHANGELOG), &changelog)?;
    commands::write(&root.join(DEBIAN_CHANGELOG), &debian)?;
    run(Command::new("cargo")
        .args(["update", "--quiet", "--offline", "--workspace"])
        .current_dir(root))
}

/// Returns the three numbers of a version.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

/// Returns who is responsible for Debian's packages.
fn maintainer(control: &str) -> Result<&str, Failure> {
    let field = control.lines().find_map(|line| line.strip_prefix("Maintainer: "));
    field.ok_or_else(|| "packaging/debian/control names no maintainer".to_owned())
}

/// Gives what is unreleased a version and a date, and leaves an empty section for what comes next.
fn dated(changelog: &str, version: &str, day: &str) -> Result<String, Failure> {
    let (before, after) = changelog
        .split_once(UNRELEASED)
        .ok_or_else(|| format!("{CHANGELOG} has no section Unreleased"))?;
    let changes = after.split("\n## ").next().unwrap_or_default();
    if changes.trim().is_empty() {
        return Err(format!("{CHANGELOG} has nothing unreleased"));
    }
    Ok(format!("{before}{UNRELEASED}\n## {version} - {day}\n{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_three_numbers() {
        assert_eq!(numbers("0.2.0"), Some([0, 2, 0]));
        assert!(numbers("0.10.0") > numbers("0.9.1"));
        for wrong in ["", "1.2", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.-3"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn unreleased_changes_get_a_date_and_room_for_the_next() {
        let old = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0 - 2026-01-01\n";
        let new = dated(old, "0.2.0", "2026-11-28").unwrap();
        let expected = "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-28\n\n### Added\n\n- \
                        A.\n\n## 0.1.0 - 2026-01-01\n";
        assert_eq!(new, expected);
        assert!(dated(&new, "0.3.0", "2026-11-29").unwrap_err().contains("nothing unreleased"));
    }

    #[test]
    fn the_maintainer_is_of_the_control_file() {
        assert_eq!(maintainer("Source: a\nMaintainer: B <b@c>\n"), Ok("B <b@c>"));
        assert!(maintainer("Source: a\n").is_err());
    }
}
