//! Programs that were compiled for Open MPI. They load `libmpi.so.40`, and the installation has a
//! library of this name with Open MPI's ABI in a folder of its own, which the dynamic linker must
//! search first.
//!
//! Which libraries a program will load is known to nobody before it runs: a program may need a
//! library that needs another, and Python loads modules. So the folder is named for every program
//! but those that need this project's other libraries themselves. It has nothing but Open MPI's
//! names.

use nemesis_sys::elf::{self, Elf};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder from that of this program.
const FOLDER: &str = "../lib/nemesis/openmpi";

/// The library that programs load.
pub const LIBRARY: &str = "libmpi.so.40";

/// The libraries of Fortran programs, which are one of this project's.
const FORTRAN: [&str; 3] =
    ["libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40"];

/// The library that C++ programs load: all those that include the header of Open MPI 4.
const CXX: &str = "libmpi_cxx.so.40";

/// Folders that the dynamic linker searches first, and libraries that it loads first.
const SEARCHED: &str = "LD_LIBRARY_PATH";
const PRELOADED: &str = "LD_PRELOAD";

/// Libraries of this project; a program that needs one was compiled for it.
const OWN: [&str; 5] =
    ["libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12", "libnemesis.so.0", "librwapi.so.0"];

/// How the dynamic linker finds the library with Open MPI's ABI for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// It does not: the program was compiled for another library of this project.
    None,
    /// The folder is searched first.
    SearchPath,
    /// These libraries are loaded first, because the program names folders that are searched before
    /// those of the environment (DT_RPATH).
    Preload(&'static [&'static str]),
}

/// Returns the folder of the installation that has the library.
pub fn folder() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let folder = own.parent()?.join(FOLDER).canonicalize().ok()?;
    // The dynamic linker separates names by these characters.
    let separators = [' ', ':', ';', '\t', '\n'];
    let is_usable = folder.to_str().is_some_and(|path| !path.contains(separators));
    (is_usable && folder.join(LIBRARY).exists()).then_some(folder)
}

/// Returns how the library is found for the program in a file. A file that cannot be read is a
/// script, or is found missing when it is started.
pub fn lookup(file: Option<&Path>) -> Lookup {
    let program = file.and_then(|file| elf::read(file).ok().flatten());
    program.map_or(Lookup::SearchPath, |program| lookup_for(&program))
}

fn lookup_for(program: &Elf) -> Lookup {
    let needs = |library: &str| program.needed.iter().any(|needed| needed == library);
    // DT_RUNPATH, where there is one, makes the dynamic linker ignore DT_RPATH.
    let is_bound = program.rpath.is_some() && program.runpath.is_none();
    match () {
        () if OWN.into_iter().any(needs) => Lookup::None,
        // Names of Open MPI's other Fortran libraries may be loaded from the program's folders:
        // their symbols come after these.
        () if is_bound && FORTRAN.into_iter().any(needs) => Lookup::Preload(&[FORTRAN[0], LIBRARY]),
        () if is_bound && needs(LIBRARY) => Lookup::Preload(&[LIBRARY]),
        () => Lookup::SearchPath,
    }
}

/// Whether a program may use MPI's C++ bindings, which this project's library does not have.
pub fn may_use_cxx_bindings(program: &OsStr) -> bool {
    let file = file_of(program, Path::new("."));
    let program = file.and_then(|file| elf::read(&file).ok().flatten());
    program.is_some_and(|program| program.needed.iter().any(|needed| needed == CXX))
}

/// Sets the variables by which the library is found for a program that is about to be started.
pub fn set_variables(lookup: Lookup, folder: &Path, command: &mut Command) {
    match lookup {
        Lookup::None => {}
        Lookup::SearchPath => put_first(command, SEARCHED, folder.as_os_str()),
        Lookup::Preload(libraries) => {
            for library in libraries.iter().rev() {
                put_first(command, PRELOADED, folder.join(library).as_os_str());
            }
        }
    }
}

/// Puts a name before those in a variable that the command has.
pub fn put_first(command: &mut Command, variable: &str, name: &OsStr) {
    let is_it = |(known, _): &(&OsStr, Option<&OsStr>)| *known == OsStr::new(variable);
    let others = command.get_envs().find(is_it).and_then(|(_, value)| value);
    let mut names = OsString::from(name);
    if let Some(others) = others.filter(|others| !others.is_empty()) {
        names.push(":");
        names.push(others);
    }
    command.env(variable, names);
}

/// Returns the file of a program: what its name says, or what the folders of PATH have.
pub fn file_of(program: &OsStr, directory: &Path) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(directory.join(program));
    }
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(program));
    files.find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(needed: &[&str], rpath: Option<&str>, runpath: Option<&str>) -> Elf {
        let strings = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
        let (rpath, runpath) = (rpath.map(Into::into), runpath.map(Into::into));
        Elf { needed: strings(needed), rpath, runpath, ..Elf::default() }
    }

    #[test]
    fn programs_of_this_project_do_not_look_for_it() {
        assert_eq!(
            lookup_for(&program(&["libmpi_abi.so.1", "libc.so.6"], None, None)),
            Lookup::None
        );
        assert_eq!(lookup_for(&program(&["libmpi.so.12"], Some("/opt/lib"), None)), Lookup::None);
        assert_eq!(lookup_for(&program(&["liblammps.so.0"], None, None)), Lookup::SearchPath);
        assert_eq!(lookup(None), Lookup::SearchPath);
    }

    #[test]
    fn a_program_that_names_folders_first_gets_the_library_first() {
        let bound = program(&[LIBRARY], Some("/opt/openmpi/lib"), None);
        assert_eq!(lookup_for(&bound), Lookup::Preload(&[LIBRARY]));
        let modern = program(&[LIBRARY], Some("/opt/openmpi/lib"), Some("/opt/openmpi/lib"));
        assert_eq!(lookup_for(&modern), Lookup::SearchPath);
        let fortran = program(&[FORTRAN[1], LIBRARY], Some("/opt/openmpi/lib"), None);
        assert_eq!(lookup_for(&fortran), Lookup::Preload(&[FORTRAN[0], LIBRARY]));
    }

    #[test]
    fn the_folder_comes_before_the_programs_own() {
        let mut command = Command::new("true");
        command.env(SEARCHED, "/a:/b");
        set_variables(Lookup::SearchPath, Path::new("/n/openmpi"), &mut command);
        let both = Lookup::Preload(&[FORTRAN[0], LIBRARY]);
        set_variables(both, Path::new("/n/openmpi"), &mut command);
        let value = |name: &str| {
            let found = command.get_envs().find(|(known, _)| *known == OsStr::new(name));
            found.and_then(|(_, value)| value.map(|value| value.to_string_lossy().into_owned()))
        };
        assert_eq!(value(SEARCHED).as_deref(), Some("/n/openmpi:/a:/b"));
        assert_eq!(
            value(PRELOADED).as_deref(),
            Some("/n/openmpi/libmpi_mpifh.so.40:/n/openmpi/libmpi.so.40")
        );
    }
}
