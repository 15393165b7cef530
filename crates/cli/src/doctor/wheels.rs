//! Python packages with files at the places of ours: of two wheels with an MPI library in one
//! environment, the one that is installed last overwrites files of the other.
//!
//! `pip` keeps a list of files for each package, `NAME-VERSION.dist-info/RECORD`, with their sizes,
//! which tell whose file lies at a place that two lists have.

use super::finding::Finding;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The name of our package in the names of folders.
const OURS: &str = "nemesis_mpi";

/// Files that a finding names first, from those that users notice most.
const KNOWN: [&str; 5] =
    ["bin/mpiexec", "bin/mpicc", "lib/libmpi.so.12", "lib/libmpi.so", "include/mpi.h"];

/// Number of files that a finding names.
const NAMED_MAX: usize = 4;

/// A package of a Python environment.
struct Package {
    /// Its name and version, as in `mpich 5.0.2`.
    name: String,
    /// Its files outside of the folder of packages, by their path in the environment, and their
    /// sizes in bytes.
    files: BTreeMap<PathBuf, Option<u64>>,
}

/// Returns what is wrong with the environment `prefix`, if this installation is a package of it.
pub fn judge(prefix: &Path) -> Vec<Finding> {
    let (ours, others): (Vec<Package>, Vec<Package>) =
        packages(prefix).into_iter().partition(is_ours);
    let Some(ours) = ours.first() else { return Vec::new() };
    let shared = others.iter().filter_map(|other| shared(prefix, ours, other));
    shared.chain(missing(prefix, ours)).collect()
}

/// Returns what is wrong with the environment `prefix`, if for that reason its `mpiexec` is missing
/// or that of another package, so that no host can be examined.
pub fn without_launcher(prefix: &Path) -> Vec<Finding> {
    let launcher = Path::new(KNOWN[0]);
    let size = fs::metadata(prefix.join(launcher)).ok().map(|it| it.len());
    let ours = packages(prefix).into_iter().find(is_ours);
    let wanted = ours.and_then(|ours| ours.files.get(launcher).copied());
    if wanted.is_none_or(|wanted| wanted == size) { Vec::new() } else { judge(prefix) }
}

fn is_ours(package: &Package) -> bool {
    package.name.split(' ').next() == Some(OURS)
}

/// Returns the finding for files that two packages have.
fn shared(prefix: &Path, ours: &Package, other: &Package) -> Option<Finding> {
    let common: Vec<&Path> =
        ours.files.keys().filter(|file| other.files.contains_key(*file)).map(|it| &**it).collect();
    if common.is_empty() {
        return None;
    }
    let size = |file: &Path| fs::metadata(prefix.join(file)).ok().map(|it| it.len());
    let theirs: Vec<&Path> = common
        .iter()
        .copied()
        .filter(|file| size(file).is_some() && size(file) == other.files[*file])
        .filter(|file| other.files[*file] != ours.files[*file])
        .collect();
    let (package, pip) = (plain(&other.name), plain(&ours.name));
    let why = if theirs.is_empty() {
        format!("pip has overwritten these files of {}", other.name)
    } else {
        format!("pip has overwritten files of ours: {} of {package}", are(&theirs))
    };
    Some(Finding::problem(
        format!(
            "{} and {} in {} both have {}",
            ours.name.replace('_', "-"),
            other.name,
            prefix.display(),
            named(&common)
        ),
        format!("{why}; `pip uninstall` of either removes them"),
        format!(
            "`pip uninstall {pip} {package}`, then installing one of them; each in an environment \
             of its own if both are needed"
        ),
    ))
}

/// Returns the finding for files that are not there any more.
fn missing(prefix: &Path, ours: &Package) -> Option<Finding> {
    let gone: Vec<&Path> =
        ours.files.keys().filter(|file| !prefix.join(file).exists()).map(|it| &**it).collect();
    (!gone.is_empty()).then(|| {
        Finding::problem(
            format!(
                "files of {} are missing in {}: {}",
                ours.name.replace('_', "-"),
                prefix.display(),
                named(&gone)
            ),
            "`pip uninstall` of another package that had files of these names removes them",
            "`pip install --force-reinstall --no-deps nemesis_mpi-….whl`",
        )
    })
}

/// Returns the name of a package without its version, as pip writes it.
fn plain(name: &str) -> String {
    name.split(' ').next().unwrap_or(name).replace('_', "-")
}

/// Returns some of the files and the number of the others.
fn named(files: &[&Path]) -> String {
    let rank = |file: &Path| KNOWN.iter().position(|it| Path::new(it) == file);
    let mut sorted = files.to_vec();
    sorted.sort_by_key(|file| rank(file).unwrap_or(KNOWN.len()));
    let first: Vec<String> =
        sorted.iter().take(NAMED_MAX).map(|it| it.display().to_string()).collect();
    match sorted.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Returns the files with the verb that fits their number.
fn are(files: &[&Path]) -> String {
    format!("{} {}", named(files), if files.len() == 1 { "is" } else { "are" })
}

/// Returns the packages of an environment that have files outside of the folder of packages.
fn packages(prefix: &Path) -> Vec<Package> {
    let entries = |folder: &Path| {
        let mut all: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
        all.sort();
        all
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pythons = entries(&prefix.join("lib"));
    pythons
        .iter()
        .filter(|path| name(path).starts_with("python"))
        .flat_map(|python| entries(&python.join("site-packages")))
        .filter_map(|path| {
            let name = name(&path).strip_suffix(".dist-info")?.replacen('-', " ", 1);
            let record = fs::read_to_string(path.join("RECORD")).ok()?;
            let files = files(prefix, path.parent()?, &record);
            (!files.is_empty()).then_some(Package { name, files })
        })
        .collect()
}

/// Returns the files of a list that lie in `prefix` and outside of `packages`.
fn files(prefix: &Path, packages: &Path, record: &str) -> BTreeMap<PathBuf, Option<u64>> {
    let of_line = |line: &str| {
        // A path that has a comma stands between quotes, and none of an MPI library has.
        let mut fields = line.split(',');
        let path = plain_path(&packages.join(fields.next().filter(|it| it.starts_with(".."))?));
        let size = fields.nth(1).and_then(|text| text.trim().parse().ok());
        Some((path.strip_prefix(prefix).ok()?.to_owned(), size))
    };
    record.lines().filter_map(of_line).collect()
}

/// Returns a path without `..`.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An environment with our package and MPICH's, and files of the given contents.
    fn environment(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let prefix = std::env::temp_dir().join(format!("nemesis-{name}-{}", std::process::id()));
        let packages = prefix.join("lib/python3.11/site-packages");
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            packages.join("nemesis_mpi-0.1.0.dist-info/RECORD"),
            "../../../bin/mpiexec,sha256=x,4\n../../../bin/nemesis,sha256=y,4\n",
        );
        write(
            packages.join("mpich-5.0.2.dist-info/RECORD"),
            "../../../bin/mpiexec,sha256=z,6\nmpich/__init__.py,sha256=u,0\n",
        );
        files.iter().for_each(|(file, text)| write(prefix.join(file), text));
        prefix
    }

    #[test]
    fn a_package_with_the_same_files_is_named_with_those_it_has_overwritten() {
        let last_theirs =
            environment("wheels-theirs", &[("bin/mpiexec", "theirs"), ("bin/nemesis", "ours")]);
        let found = judge(&last_theirs);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what.starts_with("nemesis-mpi 0.1.0 and mpich 5.0.2 in "), "{found:?}");
        assert!(found[0].why.contains("files of ours: bin/mpiexec is of mpich;"), "{found:?}");
        assert!(found[0].advice.starts_with("`pip uninstall nemesis-mpi mpich`"), "{found:?}");

        let last_ours =
            environment("wheels-ours", &[("bin/mpiexec", "ours"), ("bin/nemesis", "ours")]);
        let found = judge(&last_ours);
        assert!(found[0].why.contains("these files of mpich 5.0.2;"), "{found:?}");
        let launcher = |prefix| without_launcher(prefix).len();
        assert_eq!((launcher(&last_theirs), launcher(&last_ours)), (1, 0));
        for folder in [last_theirs, last_ours] {
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn files_that_were_removed_are_named() {
        let prefix = environment("wheels-gone", &[("bin/nemesis", "ours")]);
        fs::remove_dir_all(prefix.join("lib/python3.11/site-packages/mpich-5.0.2.dist-info"))
            .unwrap();
        let found = judge(&prefix);
        assert_eq!(without_launcher(&prefix), found);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].what.contains("are missing in ") && found[0].what.ends_with(": bin/mpiexec")
        );
        fs::remove_dir_all(&prefix).unwrap();
        assert!(judge(Path::new("/nonexistent")).is_empty());
    }
}
