//! The MPI commands on PATH and the libraries in LD_LIBRARY_PATH: whether the first ones belong
//! together.

use super::children;
use super::finding::Finding;
use super::mpi_library::{self, Family, MpiLibrary};
use serde::{Deserialize, Serialize};
use std::env::VarError;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names that are looked for.
const NAMES: [&str; 3] = ["mpiexec", "mpirun", "mpicc"];

/// A command on PATH.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The path by which the shell finds it.
    pub path: PathBuf,
    /// The name, one of `NAMES`.
    pub command: String,
    /// Whether it is the first of its name on PATH.
    pub is_first: bool,
    pub family: Family,
    /// The name and the version of the implementation.
    pub name: String,
}

/// Returns the MPI commands in the folders of `path`; of a folder that occurs twice, or is a link
/// to another one, those that come first.
pub fn on_path(path: &OsStr) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(path) {
        let Ok(real) = folder.canonicalize() else { continue };
        if seen.contains(&real) {
            continue;
        }
        for command in NAMES {
            let path = folder.join(command);
            if is_executable(&path) {
                let (family, name) = identity(&path, command);
                let is_first = !found.iter().any(|other| other.command == command);
                found.push(Found { path, command: command.to_owned(), is_first, family, name });
            }
        }
        seen.push(real);
    }
    found
}

/// Returns whether a file may be executed.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Identifies the implementation of a command.
fn identity(path: &Path, command: &str) -> (Family, String) {
    let run = |words: &[&str]| {
        let mut command = Command::new(path);
        command.args(words);
        children::output(command).ok()
    };
    let unknown = || (Family::Unknown, "an unknown implementation".to_owned());
    if command != "mpicc" {
        let version = run(&["--version"]).or_else(|| run(&["-V"]));
        return version.and_then(|text| mpi_library::by_version(&text)).unwrap_or_else(unknown);
    }
    let Some(line) = run(&["-show"]) else { return unknown() };
    match linked(&line, path).map(|library| mpi_library::identify(&library)) {
        Some(MpiLibrary { family, name, .. }) => (family, name),
        None => unknown(),
    }
}

/// Returns the MPI library that the compiler's words `line` link: one of the words, or the first in
/// a folder of `-L`, in one of the two above it (distributions keep links there), or in the folder
/// `lib` beside the command.
fn linked(line: &str, command: &Path) -> Option<PathBuf> {
    let file_of = |word: &str| Path::new(word).file_name()?.to_str().map(str::to_owned);
    let words = || line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    if let Some(word) = words().find(|word| {
        word.starts_with('/') && file_of(word).is_some_and(|file| mpi_library::is_mpi(&file))
    }) {
        return Some(word.into());
    }
    let beside = command.canonicalize().ok()?.parent()?.parent()?.join("lib");
    let folders = words().filter_map(|word| word.strip_prefix("-L")).map(PathBuf::from);
    let near: Vec<PathBuf> = folders
        .flat_map(|it| it.ancestors().take(3).map(Path::to_owned).collect::<Vec<_>>())
        .collect();
    near.into_iter().chain([beside]).find_map(|folder| in_folder(&folder).into_iter().next())
}

/// Returns the MPI libraries in a folder by the names that programs load, in their order.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            mpi_library::is_mpi(&file) && path.exists()
        })
        .collect();
    files.sort();
    let mut real: Vec<PathBuf> = Vec::new();
    files.retain(|path| {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        let is_new = !real.contains(&canonical);
        real.push(canonical);
        is_new
    });
    files
}

/// Returns the MPI libraries in the folders of `LD_LIBRARY_PATH`, in the order in which they are
/// found.
pub fn in_library_path(variable: Result<String, VarError>) -> Vec<MpiLibrary> {
    let variable = variable.unwrap_or_default();
    let folders = std::env::split_paths(&variable).filter(|folder| !folder.as_os_str().is_empty());
    let mut found: Vec<MpiLibrary> = Vec::new();
    for path in folders.flat_map(|folder| in_folder(&folder)) {
        let library = mpi_library::identify(&path);
        if !found.iter().any(|known| known.path == library.path) {
            found.push(library);
        }
    }
    found
}

/// Returns what is wrong with the commands on PATH. `own` is the folder of this program.
pub fn judge(found: &[Found], own: &Path) -> Vec<Finding> {
    let first = |command: &str| found.iter().find(|it| it.is_first && it.command == command);
    let mut findings = Vec::new();
    let launcher = first("mpiexec").or_else(|| first("mpirun"));
    let compiler = first("mpicc");
    let path_first = format!("PATH={}:$PATH", own.display());
    match (launcher, compiler) {
        (Some(launcher), Some(compiler))
            if launcher.family != compiler.family
                && ![launcher.family, compiler.family].contains(&Family::Unknown) =>
        {
            findings.push(Finding::problem(
                format!(
                    "{} and {} belong to different implementations: {} and {}",
                    launcher.path.display(),
                    compiler.path.display(),
                    launcher.name,
                    compiler.name
                ),
                "a program that the one compiles may start as jobs of one process each under the \
                 other",
                path_first,
            ));
        }
        (Some(launcher), _) if launcher.family != Family::Nemesis => {
            findings.push(Finding::cost(
                format!("`{}` starts {}, not Nemesis", launcher.command, launcher.path.display()),
                format!("{} is the first on PATH", launcher.name),
                path_first,
            ));
        }
        _ => {}
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, family: Family, name: &str, is_first: bool) -> Found {
        let path = PathBuf::from(path);
        let command = path.file_name().unwrap().to_str().unwrap().to_owned();
        Found { path, command, is_first, family, name: name.to_owned() }
    }

    #[test]
    fn launcher_and_compiler_must_belong_together() {
        let ours = found("/n/bin/mpiexec", Family::Nemesis, "Nemesis 0.1.0", true);
        let theirs = found("/usr/bin/mpicc", Family::OpenMpi, "Open MPI 4.1.4", true);
        let own = Path::new("/n/bin");
        let findings = judge(&[ours.clone(), theirs.clone()], own);
        assert_eq!(findings.len(), 1);
        assert!(
            findings[0].what.ends_with("implementations: Nemesis 0.1.0 and Open MPI 4.1.4")
                && findings[0].advice == "PATH=/n/bin:$PATH",
            "{findings:?}"
        );
        let second = Found { is_first: false, ..theirs };
        assert_eq!(judge(&[ours, second], own), []);
        let foreign = found("/usr/bin/mpiexec", Family::Mpich, "MPICH 4.3.0", true);
        assert!(judge(&[foreign], own)[0].what.contains("starts /usr/bin/mpiexec, not Nemesis"));
    }

    #[test]
    fn commands_and_libraries_are_found_in_their_order() {
        let root = std::env::temp_dir().join(format!("nemesis-test-path-{}", std::process::id()));
        let make = |file: &str, text: &str| {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        };
        make("a/bin/mpiexec", "#!/bin/sh\necho 'mpiexec (OpenRTE) 4.1.4'\n");
        make("b/bin/mpiexec", "#!/bin/sh\necho 'mpiexec (Nemesis) 0.1.0'\n");
        make("b/bin/mpicc", "#!/bin/sh\necho \"cc -L$0/nowhere -lmpi\"\n");
        make("b/lib/libmpi.so.40", "no library");
        let path = std::env::join_paths(["a/bin", "b/bin", "a/bin"].map(|it| root.join(it)));
        let all = on_path(&path.unwrap());
        let shown: Vec<_> =
            all.iter().map(|it| (it.command.as_str(), it.is_first, it.name.as_str())).collect();
        let expected = [
            ("mpiexec", true, "Open MPI 4.1.4"),
            ("mpiexec", false, "Nemesis 0.1.0"),
            ("mpicc", true, "Open MPI"),
        ];
        assert_eq!(shown, expected);
        let libraries = in_library_path(Ok(format!(":{}", root.join("b/lib").display())));
        assert_eq!((libraries.len(), libraries[0].family), (1, Family::OpenMpi));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
