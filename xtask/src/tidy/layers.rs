//! A crate uses only crates of lower layers (docs/design/architecture.md).

use super::Diagnostic;
use crate::metadata::Package;

/// The layers from the lowest to the highest. Crates of one layer do not use each other; `*` stands
/// for any ending.
const LAYERS: &[&[&str]] = &[
    &["nemesis-sys", "nemesis-sync", "nemesis-params", "nemesis-profile", "nemesis-source-lines"],
    &["nemesis-wire", "nemesis-cipher", "nemesis-gpu"],
    &["nemesis-shm"],
    &["nemesis-netmod"],
    &["nemesis-netmod-tcp", "nemesis-netmod-loopback", "nemesis-wireup"],
    &["nemesis-netmod-*"],
    &["nemesis-verbs-mock"],
    &["nemesis"],
    &["nemesis-datatype"],
    &["nemesis-mpi-check"],
    &["nemesis-mpi-objects"],
    &["nemesis-mpi-core"],
    &["nemesis-mpi-coll"],
    &["nemesis-mpi-rma"],
    &["nemesis-mpi-io"],
    &["nemesis-mpi", "nemesis-rwapi"],
    &["nemesis-capi"],
    &["nemesis-abi-*"],
    &["nemesis-simulation", "nemesis-model", "nemesis-jobs"],
    &["nemesis-mpiexec", "nemesis-cli", "xtask"],
];

fn layer(name: &str) -> Option<usize> {
    let exact = LAYERS.iter().position(|crates| crates.contains(&name));
    exact.or_else(|| {
        LAYERS.iter().position(|crates| crates.iter().any(|pattern| matches(pattern, name)))
    })
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').is_some_and(|beginning| name.starts_with(beginning))
}

/// Checks the dependencies between the crates of the workspace; tests may use any crate.
pub fn check(packages: &[Package]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for package in packages {
        let Some(own) = layer(&package.name) else {
            let what = format!("crate {} belongs to no layer", package.name);
            diagnostics.push(Diagnostic::new(
                &package.manifest_path,
                0,
                what,
                "give it one in xtask/src/tidy/layers.rs and in docs/design/architecture.md",
            ));
            continue;
        };
        let used = package
            .dependencies
            .iter()
            .filter(|used| used.path.is_some() && used.kind.as_deref() != Some("dev"));
        for used in used.filter(|used| layer(&used.name).is_none_or(|below| below >= own)) {
            let what =
                format!("{} uses {}, which is not in a lower layer", package.name, used.name);
            diagnostics.push(Diagnostic::new(
                &package.manifest_path,
                0,
                what,
                "move what both need to a lower layer",
            ));
        }
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn package(name: &str, uses: &str, kind: Option<&str>) -> Package {
        let used = Dependency {
            name: uses.into(),
            kind: kind.map(String::from),
            path: Some("somewhere".into()),
        };
        Package {
            name: name.into(),
            manifest_path: format!("{name}/Cargo.toml"),
            dependencies: vec![used],
            targets: vec![],
        }
    }

    #[test]
    fn only_lower_layers_may_be_used() {
        assert!(check(&[package("nemesis-shm", "nemesis-wire", None)]).is_empty());
        assert_eq!(
            check(&[package("nemesis-mpi", "nemesis-rwapi", None)]).len(),
            1,
            "of its own layer"
        );
        assert_eq!(
            check(&[package("nemesis-wire", "nemesis-mpi", None)]).len(),
            1,
            "of a higher layer"
        );
        assert!(
            check(&[package("nemesis-wire", "nemesis-mpi", Some("dev"))]).is_empty(),
            "tests may"
        );
        assert_eq!(
            check(&[package("nemesis-unknown", "nemesis-sys", None)]).len(),
            1,
            "a crate without a layer"
        );
    }

    #[test]
    fn patterns_match_families_of_crates() {
        assert!(layer("nemesis-netmod-tcp") > layer("nemesis-netmod"));
        assert!(layer("nemesis-abi-mpich") > layer("nemesis-capi"));
    }
}
