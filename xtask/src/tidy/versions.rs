//! The version is the same wherever `cargo xtask release` writes it.

use super::{Diagnostic, Source};
use crate::release::{CHANGELOG, DEBIAN_CHANGELOG};

const MEND: &str = "let `cargo xtask release VERSION` write it";

/// Compares the newest sections of the changelogs with the version of the workspace.
pub fn check(sources: &[Source], version: &str) -> Vec<Diagnostic> {
    let text = |path| sources.iter().find(|source| source.path == path).map(|source| &*source.text);
    let released = text(CHANGELOG).unwrap_or_default().lines().find_map(|line| {
        let (released, _) = line.strip_prefix("## ")?.split_once(" - ")?;
        Some(released)
    });
    let packaged = text(DEBIAN_CHANGELOG).unwrap_or_default().lines().next().and_then(|line| {
        let (packaged, _) = line.strip_prefix("nemesis-mpi (")?.split_once('-')?;
        Some(packaged)
    });
    [(CHANGELOG, released), (DEBIAN_CHANGELOG, packaged)]
        .into_iter()
        .filter(|(_, found)| *found != Some(version))
        .map(|(file, found)| {
            let found = found.unwrap_or("none");
            let what = format!("the newest version is {found}, that of Cargo.toml {version}");
            Diagnostic::new(file, 0, what, MEND)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(changelog: &str, debian: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = [source(CHANGELOG, changelog), source(DEBIAN_CHANGELOG, debian)];
        check(&sources, "0.2.0").into_iter().map(|fault| fault.file).collect()
    }

    #[test]
    fn changelogs_have_the_version_of_the_workspace() {
        let changelog = "## Unreleased\n\n## 0.2.0 - 2026-11-28\n\n## 0.1.0 - 2026-01-01\n";
        let debian = "nemesis-mpi (0.2.0-1) unstable; urgency=medium\n";
        assert_eq!(faults(changelog, debian), [""; 0]);
        assert_eq!(faults("## Unreleased\n", debian), [CHANGELOG]);
        assert_eq!(faults(changelog, "nemesis-mpi (0.1.0-1) unstable\n"), [DEBIAN_CHANGELOG]);
    }
}
