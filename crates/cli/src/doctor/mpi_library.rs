//! Which MPI implementation a shared library belongs to.

use super::children;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Beginnings of the file names of MPI libraries.
const NAMES: [&str; 4] = ["libmpi.so", "libmpi_abi.so", "libmpich.so", "libmpi_cray.so"];

/// An implementation of MPI, as far as jobs of ours are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Nemesis,
    /// MPICH and its descendants, such as Intel MPI: their processes use PMI-1, so our `mpiexec`
    /// can start them.
    Mpich,
    OpenMpi,
    Unknown,
}

/// An MPI library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MpiLibrary {
    /// The file, without symbolic links.
    pub path: PathBuf,
    pub family: Family,
    /// The name and the version of the implementation.
    pub name: String,
}

impl fmt::Display for MpiLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.display(), self.name)
    }
}

/// Returns whether a file of this name is an MPI library.
pub fn is_mpi(file: &str) -> bool {
    NAMES.iter().any(|name| file.starts_with(name))
}

/// Identifies a library by what its `MPI_Get_library_version` returns in a child process, or else
/// by its file name.
pub fn identify(path: &Path) -> MpiLibrary {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let asked = children::this_program().and_then(|program| {
        let mut command = Command::new(program);
        command.args(["probe", "library-version"]).arg(&path);
        children::output(command).ok()
    });
    let (family, name) = asked
        .and_then(|text| by_version(&text))
        .unwrap_or_else(|| by_file(&path.file_name().unwrap_or_default().to_string_lossy()));
    MpiLibrary { path, family, name }
}

/// Identifies an implementation by its version text.
pub fn by_version(text: &str) -> Option<(Family, String)> {
    let first = text.lines().find(|line| !line.trim().is_empty())?.trim();
    let after = |name: &str| {
        let rest = first.split_once(name)?.1;
        let word = rest.split([' ', '\t', ',']).map(|word| word.trim_start_matches('v'));
        word.into_iter().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let known = [
        ("Nemesis", Family::Nemesis, "Nemesis"),
        ("Open MPI", Family::OpenMpi, "Open MPI"),
        ("OpenRTE", Family::OpenMpi, "Open MPI"),
        ("prterun", Family::OpenMpi, "Open MPI"),
        ("Intel(R) MPI Library", Family::Mpich, "Intel MPI"),
        ("MVAPICH", Family::Mpich, "MVAPICH"),
        ("MPICH", Family::Mpich, "MPICH"),
        ("HYDRA", Family::Mpich, "MPICH"),
    ];
    let (marker, family, name) = known.into_iter().find(|row| first.contains(row.0))?;
    let version = after(marker).or_else(|| {
        // Hydra names its version in the second line.
        text.lines().find_map(|line| line.trim().strip_prefix("Version:")).map(str::trim)
    });
    Some((family, version.map_or(name.to_owned(), |version| format!("{name} {version}"))))
}

/// Identifies an implementation by the name of its library.
fn by_file(file: &str) -> (Family, String) {
    let (family, name) = match file {
        _ if file.starts_with("libmpi.so.12") || file.starts_with("libmpich") => {
            (Family::Mpich, "a library with MPICH's ABI")
        }
        _ if file.starts_with("libmpi.so.") => (Family::OpenMpi, "Open MPI"),
        _ if file.starts_with("libmpi_abi") => (Family::Unknown, "a library with the standard ABI"),
        _ => (Family::Unknown, "an unknown implementation"),
    };
    (family, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implementations_are_recognised_by_their_version_texts() {
        let is = |text, family, name: &str| {
            assert_eq!(by_version(text), Some((family, name.to_owned())), "{text}");
        };
        is("Nemesis 0.1.0 (MPI 5.0)", Family::Nemesis, "Nemesis 0.1.0");
        is("mpiexec (Nemesis) 0.1.0", Family::Nemesis, "Nemesis 0.1.0");
        let open = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4";
        is(open, Family::OpenMpi, "Open MPI 4.1.4");
        is("mpiexec (OpenRTE) 4.1.4\n\nReport bugs", Family::OpenMpi, "Open MPI 4.1.4");
        is("mpirun (Open MPI) 5.0.11", Family::OpenMpi, "Open MPI 5.0.11");
        is("MPICH Version:      4.3.0\nMPICH Release date", Family::Mpich, "MPICH 4.3.0");
        is("HYDRA build details:\n    Version:   5.0.2\n", Family::Mpich, "MPICH 5.0.2");
        is("Intel(R) MPI Library 2021.18 for Linux* OS", Family::Mpich, "Intel MPI 2021.18");
        assert_eq!(by_version("some program"), None);
    }

    #[test]
    fn a_library_that_cannot_be_loaded_is_recognised_by_its_name() {
        let path =
            std::env::temp_dir().join(format!("nemesis-{}/libmpi.so.40", std::process::id()));
        assert_eq!(identify(&path).family, Family::OpenMpi);
        assert_eq!(by_file("libmpi.so.12.0.0").0, Family::Mpich);
        assert_eq!(by_file("libmpi_abi.so.1").0, Family::Unknown);
        assert!(
            is_mpi("libmpi.so.40") && !is_mpi("libmpifort.so.12") && !is_mpi("libmpi_usempi.so")
        );
    }
}
