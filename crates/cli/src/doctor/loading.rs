//! Which libraries a program loads: the dynamic loader lists them without starting the program, by
//! the rules and the environment that hold when the program starts.

use super::children;
use super::mpi_library::{self, MpiLibrary};
use nemesis_sys::elf::{self, Elf};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the loader finds for a program or a library.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Loading {
    /// MPI libraries, without those that are links to another one in the list.
    pub mpi: Vec<PathBuf>,
    /// Names of libraries that are not found.
    pub missing: Vec<String>,
}

/// Returns what the loader finds for `path`, whose head is `elf`. The error says why it cannot be
/// asked.
pub fn of(path: &Path, elf: &Elf) -> Result<Loading, String> {
    if elf.needed.is_empty() {
        return Ok(Loading::default());
    }
    let own = || -> Option<String> { elf::read(&std::env::current_exe().ok()?).ok()??.interpreter };
    // A library names no loader.
    let loader = elf.interpreter.clone().or_else(own).ok_or("no dynamic loader is known")?;
    let mut command = Command::new(&loader);
    // The loader of the GNU C library ends its list at the first library that it misses, unless the
    // environment asks for it. Other loaders may not know the variable, and start the program.
    if is_gnu(&loader) {
        command.env("LD_TRACE_LOADED_OBJECTS", "1");
    } else {
        command.arg("--list");
    }
    command.arg(path);
    Ok(read(&children::output(command)?))
}

/// Returns whether the dynamic loader is that of the GNU C library.
fn is_gnu(loader: &str) -> bool {
    let name = loader.rsplit('/').next().unwrap_or(loader);
    name.starts_with("ld-linux") || name.starts_with("ld64.so")
}

/// Reads the loader's list.
fn read(list: &str) -> Loading {
    let mut loading = Loading::default();
    for line in list.lines() {
        let Some((name, place)) = line.split_once("=>") else { continue };
        let (name, place) = (name.trim(), place.trim());
        if place == "not found" {
            loading.missing.push(name.to_owned());
        } else if mpi_library::is_mpi(name.rsplit('/').next().unwrap_or(name)) {
            let path = place.rsplit_once(" (").map_or(place, |(path, _)| path);
            let path = Path::new(path);
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            if !loading.mpi.contains(&path) {
                loading.mpi.push(path);
            }
        }
    }
    loading
}

/// Identifies the MPI libraries of a list.
pub fn identified(paths: &[PathBuf]) -> Vec<MpiLibrary> {
    paths.iter().map(|path| mpi_library::identify(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_list_is_read() {
        let list = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                    \tlibmpi.so.40 => /no/such dir/libmpi.so.40 (0x00007f0a)\n\
                    \tlibmpi_abi.so.1 => not found\n\
                    \tlibc.so.6 => /lib/libc.so.6 (0x00007f0b)\n\
                    \t/lib64/ld-linux-x86-64.so.2 (0x00007f0c)\n";
        let loading = read(list);
        assert_eq!(loading.mpi, [PathBuf::from("/no/such dir/libmpi.so.40")]);
        assert_eq!(loading.missing, ["libmpi_abi.so.1"]);
    }

    #[test]
    fn only_loaders_that_know_the_variable_are_asked_by_it() {
        assert!(is_gnu("/lib64/ld-linux-x86-64.so.2") && is_gnu("/lib/ld-linux-aarch64.so.1"));
        assert!(!is_gnu("/lib/ld-musl-x86_64.so.1"));
    }

    #[test]
    fn a_real_program_misses_nothing() {
        let path = std::env::current_exe().unwrap();
        let elf = elf::read(&path).unwrap().unwrap();
        assert_eq!(of(&path, &elf), Ok(Loading::default()));
    }
}
