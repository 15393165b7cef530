//! Other MPI libraries in this process.

use crate::engine::NOT_INITIALISED;
use crate::error::{Error, ErrorClass};
use crate::{abi, process};
use nemesis_sys::elf::{self, Elf};
use nemesis_sys::libraries;
use std::path::{Path, PathBuf};

/// Warns if this process has loaded another MPI library that its program or a library needs. Its
/// functions and ours have the same names, so a call may reach either. A library that nothing needs
/// was opened by its name, as mpi4py does to find out which ones a host has, and does no harm.
pub fn warn() {
    for other in others().into_iter().filter(is_needed()) {
        let own = own();
        nemesis_sys::message::tell(format_args!(
            "nemesis: two MPI libraries are in one process\n  what  {} and {}\n  who   {}\n  \
             why   they export the same functions, and handles of one mean nothing to the other\n  \
             try   {}; `nemesis doctor PROGRAM`",
            own.display(),
            other.display(),
            process::who(),
            remedy(&own, &other)
        ));
    }
}

/// Names the other MPI library of this process in an error that comes of it: MPI runs there and not
/// here, or a handle that means nothing here may be one of its.
#[cold]
pub fn explain(mut error: Box<Error>) -> Box<Error> {
    let is_about_start = error.why == NOT_INITIALISED;
    if !is_about_start && !is_about_handle(error.class) {
        return error;
    }
    let others = others();
    if others.is_empty() {
        return error;
    }
    let is_needed = is_needed();
    let has_started = |path: &PathBuf| libraries::has_started_mpi(path);
    let suspect = |path: &&PathBuf| has_started(path) || !is_about_start && is_needed(path);
    let Some(other) = others.iter().find(suspect) else { return error };
    let own = own();
    error.why = format!(
        "{}: the call reached {}, and another MPI library, {}, is in the process{}; handles of one \
         mean nothing to the other",
        error.why,
        own.display(),
        other.display(),
        if has_started(other) { " and has started MPI" } else { "" }
    )
    .into();
    error.advice = remedy(&own, other).into();
    error
}

/// Returns true for the classes of errors that a handle of another library causes.
fn is_about_handle(class: ErrorClass) -> bool {
    [
        abi::MPI_ERR_COMM,
        abi::MPI_ERR_TYPE,
        abi::MPI_ERR_OP,
        abi::MPI_ERR_GROUP,
        abi::MPI_ERR_REQUEST,
        abi::MPI_ERR_INFO,
        abi::MPI_ERR_WIN,
        abi::MPI_ERR_FILE,
        abi::MPI_ERR_ERRHANDLER,
        abi::MPI_ERR_SESSION,
        abi::MPI_ERR_KEYVAL,
    ]
    .contains(&class)
}

/// Returns what to try.
fn remedy(own: &Path, other: &Path) -> String {
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let is_ours = folder(own) == folder(other);
    let mut text = String::from(
        "building the program and its libraries for one ABI: by mpicc, mpicxx and mpifort, or all \
         by mpicc.mpich, mpicxx.mpich and mpifort.mpich",
    );
    if !is_ours {
        let folder = folder(own);
        text += &format!("; if they are for one ABI, LD_LIBRARY_PATH={}", folder.display());
    }
    text
}

fn own() -> PathBuf {
    libraries::library_of(warn).unwrap_or_else(|| "this library".into())
}

/// Returns the other MPI libraries that are loaded.
fn others() -> Vec<PathBuf> {
    let is_mpi = |file: &str| {
        ["libmpi.so", "libmpi_abi.so", "libmpich.so"].iter().any(|name| file.starts_with(name))
    };
    let own = libraries::library_of(warn);
    let mut others = libraries::loaded(is_mpi);
    others.retain(|path| Some(path) != own.as_ref());
    others
}

/// Returns a function that tells whether the program or a library needs the library at a path.
fn is_needed() -> impl Fn(&PathBuf) -> bool {
    let head = |path: &PathBuf| elf::read(path).ok().flatten();
    let mut files = libraries::loaded(|_| true);
    files.extend(std::env::current_exe());
    let heads: Vec<Elf> = files.iter().filter_map(head).collect();
    move |path| {
        let name = head(path).and_then(|elf| elf.soname);
        name.is_some_and(|name| heads.iter().any(|elf| elf.needed.contains(&name)))
    }
}
