//! The Pythons on PATH, and the MPI library that mpi4py loads in each.

use super::children;
use super::commands::is_executable;
use super::finding::Finding;
use super::mpi_library::{self, Family, MpiLibrary};
use super::program;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names that are looked for.
const NAMES: [&str; 2] = ["python3", "python"];

/// Prints the folder of the Python's packages, then imports mpi4py without `MPI_Init` and prints
/// its version and the libraries of the process.
const SCRIPT: &str = "
import sys
print('prefix', sys.prefix)
try:
    import mpi4py
except ImportError:
    sys.exit()
print('mpi4py', mpi4py.__version__)
import glob, os
if glob.glob(os.path.join(glob.escape(os.path.dirname(mpi4py.__file__)), 'MPI.mpich.*')):
    print('chooses by MPI4PY_LIBMPI')
sys.stdout.flush()
mpi4py.rc.initialize = False
try:
    from mpi4py import MPI
except Exception as why:
    print('refused', ' '.join(str(why).split()))
    sys.exit()
for line in open('/proc/self/maps'):
    if '/' in line:
        print('library', line[line.index('/'):].strip())
";

/// A Python with mpi4py.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Python {
    pub path: PathBuf,
    /// The version of mpi4py.
    pub mpi4py: String,
    /// The MPI libraries that it loads.
    pub mpi: Vec<MpiLibrary>,
    /// Whether mpi4py has no library of its own and chooses one, by `MPI4PY_LIBMPI` first and by
    /// `LD_LIBRARY_PATH` last, as the wheels of 4.1 and later do.
    pub chooses: bool,
    /// Why mpi4py cannot be imported.
    pub refused: Option<String>,
}

/// Returns the Pythons that have mpi4py: `of_program`, then those in the folders of `path`; of
/// several with the same packages the first.
pub fn all(of_program: Option<PathBuf>, path: &OsStr) -> Vec<Python> {
    let mut seen: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in std::env::split_paths(path) {
        let Ok(real) = folder.canonicalize() else { continue };
        if !seen.contains(&real) {
            seen.push(real);
            folders.push(folder);
        }
    }
    let on_path = folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name)));
    let mut prefixes: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for path in of_program.into_iter().chain(on_path).filter(|path| is_executable(path)) {
        let mut command = Command::new(&path);
        command.args(["-c", SCRIPT]);
        let Ok(output) = children::output(command) else { continue };
        let (prefix, python) = read(path, &output);
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
            found.extend(python);
        }
    }
    found
}

/// Returns whether a program of this path is a Python.
pub fn is_python(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_prefix("python")
        .is_some_and(|end| end.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Reads what `SCRIPT` has printed: the folder of the packages, and the Python if it has mpi4py.
fn read(path: PathBuf, output: &str) -> (String, Option<Python>) {
    let mut prefix = String::new();
    let mut libraries: Vec<&Path> = Vec::new();
    let mut python = Python { path, ..Python::default() };
    for line in output.lines() {
        match line.split_once(' ') {
            Some(("prefix", folder)) => prefix = folder.to_owned(),
            Some(("mpi4py", version)) => python.mpi4py = version.to_owned(),
            Some(("chooses", _)) => python.chooses = true,
            Some(("refused", why)) => python.refused = Some(why.to_owned()),
            Some(("library", file)) => {
                let file = Path::new(file);
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                if mpi_library::is_mpi(&name) && !libraries.contains(&file) {
                    libraries.push(file);
                }
            }
            _ => {}
        }
    }
    python.mpi = libraries.into_iter().map(mpi_library::identify).collect();
    (prefix, Some(python).filter(|python| !python.mpi4py.is_empty()))
}

/// Returns what is wrong with a Python. `own` is the folder of our libraries.
pub fn judge(python: &Python, own: &Path) -> Option<Finding> {
    let who = format!("mpi4py {} of {}", python.mpi4py, python.path.display());
    let with_ours = match python.chooses {
        true => format!("MPI4PY_LIBMPI={}", own.join("libmpi.so.12").display()),
        false => format!("LD_LIBRARY_PATH={}:$LD_LIBRARY_PATH", own.display()),
    };
    if let Some(why) = &python.refused {
        return Some(Finding::problem(format!("{who} cannot be imported"), why, with_ours));
    }
    let finding = program::judge_libraries(&who, &python.mpi, own)?;
    let family = python.mpi.first().map(|library| library.family);
    let advice = match (&python.mpi[..], family) {
        ([_, _, ..], _) => return Some(finding),
        (_, Some(Family::OpenMpi)) if !python.chooses => format!(
            "`MPICC={}/mpicc {} -m pip install --force-reinstall --no-cache-dir --no-binary mpi4py \
             mpi4py`, or Open MPI's own mpirun",
            program::beside(own),
            python.path.display()
        ),
        (_, Some(Family::OpenMpi)) => format!("{with_ours}, or Open MPI's own mpirun"),
        _ => format!("{with_ours}, or that library's own mpiexec"),
    };
    Some(Finding { advice, ..finding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pythons_are_recognised_by_their_names() {
        let is = |path: &str| is_python(Path::new(path));
        assert!(is("/usr/bin/python3.11") && is("python") && is("v/bin/python3"));
        assert!(!is("/usr/bin/python3-config") && !is("/usr/bin/perl"));
    }

    #[test]
    fn what_the_script_prints_is_read() {
        let output = "prefix /usr\nmpi4py 4.1.0\nlibrary /lib/libc.so.6\n\
                      library /no/such/libmpi.so.40\nlibrary /no/such/libmpi.so.40\n";
        let (prefix, python) = read("/usr/bin/python3".into(), output);
        let python = python.unwrap();
        assert_eq!((prefix.as_str(), python.mpi4py.as_str()), ("/usr", "4.1.0"));
        assert_eq!((python.mpi.len(), python.mpi[0].family), (1, Family::OpenMpi));
        let finding = judge(&python, Path::new("/n/lib")).unwrap();
        assert!(finding.what.starts_with("mpi4py 4.1.0 of /usr/bin/python3 loads /no/such/lib"));
        // Without these options pip leaves the one that is installed, or one built before.
        let install = "`MPICC=/n/bin/mpicc /usr/bin/python3 -m pip install --force-reinstall \
                       --no-cache-dir --no-binary mpi4py mpi4py`, or";
        assert!(finding.advice.starts_with(install), "{}", finding.advice);
        let (_, wheel) = read("python3".into(), &format!("chooses by a variable\n{output}"));
        let finding = judge(&wheel.unwrap(), Path::new("/n/lib")).unwrap();
        assert!(finding.advice.starts_with("MPI4PY_LIBMPI=/n/lib/libmpi.so.12, or Open MPI's"));
        let refused = "prefix /usr\nmpi4py 4.1.0\nrefused libmpi.so.12: cannot open\n";
        let (_, refused) = read("python3".into(), refused);
        let finding = judge(&refused.unwrap(), Path::new("/n/lib")).unwrap();
        assert!(finding.advice.contains("LD_LIBRARY_PATH=/n/lib:"), "{finding:?}");
        assert_eq!(read("python3".into(), "prefix /usr\n"), ("/usr".into(), None));
    }
}
