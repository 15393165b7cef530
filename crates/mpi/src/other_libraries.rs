//! Other MPI libraries in this process.

use crate::process;
use nemesis_sys::elf::{self, Elf};
use nemesis_sys::libraries;
use std::path::{Path, PathBuf};

/// Warns if this process has loaded another MPI library that its program or a library needs. Its
/// functions and ours have the same names, so a call may reach either. A library that nothing needs
/// was opened by its name, as mpi4py does to find out which ones a host has, and does no harm.
pub fn warn() {
    let is_mpi = |file: &str| {
        ["libmpi.so", "libmpi_abi.so", "libmpich.so"].iter().any(|name| file.starts_with(name))
    };
    let own = libraries::library_of(warn);
    let mut others = libraries::loaded(is_mpi);
    others.retain(|path| Some(path) != own.as_ref());
    if others.is_empty() {
        return;
    }
    let head = |path: &PathBuf| elf::read(path).ok().flatten();
    let mut files = libraries::loaded(|_| true);
    files.extend(std::env::current_exe());
    let heads: Vec<Elf> = files.iter().filter_map(head).collect();
    let is_needed = |path: &PathBuf| {
        let name = head(path).and_then(|elf| elf.soname);
        name.is_some_and(|name| heads.iter().any(|elf| elf.needed.contains(&name)))
    };
    for other in others.into_iter().filter(is_needed) {
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
