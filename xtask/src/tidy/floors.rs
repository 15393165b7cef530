//! A room uses only rooms below it (docs/design/architecture.md).

use super::Diagnostic;
use crate::metadata::Package;

/// The rooms from the ground up. Rooms of one line do not use each other; `*` stands for any ending.
const FLOORS: &[&[&str]] = &[
    &["nemesis-sys", "nemesis-sync"],
    &["nemesis-wire"],
    &["nemesis-shm"],
    &["nemesis-netmod"],
    &["nemesis-netmod-*", "nemesis-wireup"],
    &["nemesis"],
    &["nemesis-datatype"],
    &["nemesis-mpi-objects"],
    &["nemesis-mpi", "nemesis-rwapi"],
    &["nemesis-capi"],
    &["nemesis-abi-*"],
    &["nemesis-mpiexec", "nemesis-cli", "xtask"],
];

fn floor(name: &str) -> Option<usize> {
    let exact = FLOORS.iter().position(|rooms| rooms.contains(&name));
    exact.or_else(|| FLOORS.iter().position(|rooms| rooms.iter().any(|room| matches(room, name))))
}

fn matches(room: &str, name: &str) -> bool {
    room.strip_suffix('*').is_some_and(|beginning| name.starts_with(beginning))
}

/// Tests may use any room.
pub fn check(packages: &[Package]) -> Vec<Diagnostic> {
    let mut complaints = Vec::new();
    for package in packages {
        let Some(own) = floor(&package.name) else {
            let what = format!("room {} stands on no floor", package.name);
            complaints.push(Diagnostic::new(
                &package.manifest_path,
                0,
                what,
                "give it one in xtask/src/tidy/floors.rs and in the design memo",
            ));
            continue;
        };
        let used = package
            .dependencies
            .iter()
            .filter(|used| used.path.is_some() && used.kind.as_deref() != Some("dev"));
        for used in used.filter(|used| floor(&used.name).is_none_or(|below| below >= own)) {
            let what = format!("{} uses {}, which is not below it", package.name, used.name);
            complaints.push(Diagnostic::new(
                &package.manifest_path,
                0,
                what,
                "move what both need to a floor below them",
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn room(name: &str, uses: &str, kind: Option<&str>) -> Package {
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
    fn only_rooms_below_may_be_used() {
        assert!(check(&[room("nemesis-shm", "nemesis-wire", None)]).is_empty());
        assert_eq!(check(&[room("nemesis-mpi", "nemesis-rwapi", None)]).len(), 1, "a neighbour");
        assert_eq!(check(&[room("nemesis-wire", "nemesis-mpi", None)]).len(), 1, "a room above");
        assert!(check(&[room("nemesis-wire", "nemesis-mpi", Some("dev"))]).is_empty(), "tests may");
        assert_eq!(
            check(&[room("nemesis-attic", "nemesis-sys", None)]).len(),
            1,
            "a room without a floor"
        );
    }

    #[test]
    fn families_have_a_floor() {
        assert!(floor("nemesis-netmod-tcp") > floor("nemesis-netmod"));
        assert!(floor("nemesis-abi-mpich") > floor("nemesis-capi"));
    }
}
