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

/// Folders that the dynamic linker searches first, and libraries that it loads first.
const SEARCHED: &str = "LD_LIBRARY_PATH";
const PRELOADED: &str = "LD_PRELOAD";

/// Libraries of this project; a program that needs one was compiled for it.
const OWN: [&str; 5] =
    ["libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12", "libnemesis.so.0", "librwapi.so.0"];

/// How a program gets the library with Open MPI's ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// It does not: it was compiled for another library of this project.
    None,
    /// The folder is searched first.
    Folder,
    /// The library is loaded first, because the program names folders that are searched before
    /// those of the environment (DT_RPATH).
    Preload,
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

/// Returns how the program in a file gets the library. A file that cannot be read is a script, or
/// is found missing when it is started.
pub fn door(file: Option<&Path>) -> Door {
    let program = file.and_then(|file| elf::read(file).ok().flatten());
    program.map_or(Door::Folder, |program| door_of(&program))
}

fn door_of(program: &Elf) -> Door {
    let needs = |library: &str| program.needed.iter().any(|needed| needed == library);
    // DT_RUNPATH, where there is one, makes the dynamic linker ignore DT_RPATH.
    let is_bound = program.rpath.is_some() && program.runpath.is_none();
    match () {
        () if OWN.into_iter().any(needs) => Door::None,
        () if is_bound && needs(LIBRARY) => Door::Preload,
        () => Door::Folder,
    }
}

/// Opens the door: sets the variables of a program that is about to be started.
pub fn open(door: Door, folder: &Path, command: &mut Command) {
    match door {
        Door::None => {}
        Door::Folder => put_first(command, SEARCHED, folder.as_os_str()),
        Door::Preload => put_first(command, PRELOADED, folder.join(LIBRARY).as_os_str()),
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
    fn only_programs_of_this_project_get_no_door() {
        assert_eq!(door_of(&program(&["libmpi_abi.so.1", "libc.so.6"], None, None)), Door::None);
        assert_eq!(door_of(&program(&["libmpi.so.12"], Some("/opt/lib"), None)), Door::None);
        assert_eq!(door_of(&program(&["liblammps.so.0"], None, None)), Door::Folder);
        assert_eq!(door(None), Door::Folder);
    }

    #[test]
    fn a_program_that_names_folders_first_gets_the_library_first() {
        let bound = program(&[LIBRARY], Some("/opt/openmpi/lib"), None);
        assert_eq!(door_of(&bound), Door::Preload);
        let modern = program(&[LIBRARY], Some("/opt/openmpi/lib"), Some("/opt/openmpi/lib"));
        assert_eq!(door_of(&modern), Door::Folder);
    }

    #[test]
    fn the_folder_comes_before_the_programs_own() {
        let mut command = Command::new("true");
        command.env(SEARCHED, "/a:/b");
        open(Door::Folder, Path::new("/n/openmpi"), &mut command);
        open(Door::Preload, Path::new("/n/openmpi"), &mut command);
        let value = |name: &str| {
            let found = command.get_envs().find(|(known, _)| *known == OsStr::new(name));
            found.and_then(|(_, value)| value.map(|value| value.to_string_lossy().into_owned()))
        };
        assert_eq!(value(SEARCHED).as_deref(), Some("/n/openmpi:/a:/b"));
        assert_eq!(value(PRELOADED).as_deref(), Some("/n/openmpi/libmpi.so.40"));
    }
}
