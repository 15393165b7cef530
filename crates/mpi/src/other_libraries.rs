//! Other MPI libraries in this process.

use crate::process;
use nemesis_sys::libraries;
use std::path::Path;

/// Warns if this process has loaded another MPI library. Its functions and ours have the same
/// names, so a call may reach either.
pub fn warn() {
    let is_mpi = |file: &str| {
        ["libmpi.so", "libmpi_abi.so", "libmpich.so"].iter().any(|name| file.starts_with(name))
    };
    let own = libraries::library_of(warn);
    let others = libraries::loaded(is_mpi).into_iter().filter(|path| Some(path) != own.as_ref());
    for other in others {
        eprintln!(
            "nemesis: two MPI libraries are in one process\n  what  {} and {}\n  who   {}\n  \
             why   they export the same functions, and handles of one mean nothing to the other\n  \
             try   building the program and its libraries with one mpicc; `nemesis doctor PROGRAM`",
            own.as_deref().unwrap_or(Path::new("this one")).display(),
            other.display(),
            process::who()
        );
    }
}
