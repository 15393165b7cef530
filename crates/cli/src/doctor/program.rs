//! The user's program: its processor, its libraries, and the MPI libraries among them.

use super::commands::is_executable;
use super::finding::Finding;
use super::loading;
use super::mpi_library::{Family, MpiLibrary};
use super::python;
use nemesis_sys::elf::{self, Elf};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// What a program is, and which libraries it loads.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The word that the user gave.
    pub word: String,
    /// Where it is; `None` if it is not found.
    pub path: Option<PathBuf>,
    /// The program of the first line of a script.
    pub script_of: Option<String>,
    /// The processor that it is for; `None` if it is no ELF file.
    pub machine: Option<String>,
    pub runpath: Option<String>,
    pub rpath: Option<String>,
    pub mpi: Vec<MpiLibrary>,
    /// The names of libraries that are not found.
    pub missing: Vec<String>,
    /// Why a part of this could not be found out.
    pub unknown: Option<String>,
    /// What keeps it from being executed.
    pub unusable: Option<String>,
}

/// Examines the program that a shell or `mpiexec` would start for `word`.
pub fn examine(word: &str) -> Program {
    let mut program = Program { word: word.to_owned(), ..Program::default() };
    let Some(path) = find(word) else { return program };
    program.path = Some(path.clone());
    if path.is_dir() {
        program.unusable = Some("it is a directory".into());
    } else if !is_executable(&path) {
        program.unusable = Some("it is not executable (chmod +x)".into());
    }
    match elf::read(&path) {
        Ok(Some(elf)) => libraries(&path, &elf, &mut program),
        Ok(None) => program.script_of = interpreter_of_script(&path),
        Err(_) if path.is_dir() => {}
        Err(why) => program.unknown = Some(why.to_string()),
    }
    program
}

/// Returns the file of a program: the word itself if it has a slash, else the first on PATH.
fn find(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(PathBuf::from(word)).filter(|path| path.exists());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|path| is_executable(path))
}

/// Returns the program of a script's first line.
fn interpreter_of_script(path: &Path) -> Option<String> {
    let mut head = [0; 256];
    let got = std::fs::File::open(path).ok()?.read(&mut head).ok()?;
    let text = String::from_utf8_lossy(&head[..got]);
    Some(text.strip_prefix("#!")?.lines().next()?.trim().to_owned())
}

impl Program {
    /// Returns the Python that runs the program: the program itself, or that of a script's first
    /// line.
    pub fn python(&self) -> Option<PathBuf> {
        let of_script = || {
            let mut words = self.script_of.as_ref()?.split_whitespace();
            let first = words.next()?;
            if first.ends_with("/env") {
                return find(words.find(|word| !word.starts_with('-'))?);
            }
            find(first)
        };
        let path = if self.machine.is_some() { self.path.clone() } else { of_script() };
        path.filter(|path| python::is_python(path))
    }
}

/// Lists the libraries of an ELF file of this host's processor.
fn libraries(path: &Path, elf: &Elf, program: &mut Program) {
    program.machine = Some(elf.machine.clone());
    (program.runpath, program.rpath) = (elf.runpath.clone(), elf.rpath.clone());
    if elf.machine != std::env::consts::ARCH {
        return;
    }
    if let Some(loader) = elf.interpreter.as_ref().filter(|loader| !Path::new(loader).exists()) {
        program.unusable = Some(format!("its loader {loader} is not there"));
        return;
    }
    match loading::of(path, elf) {
        Ok(loading) => {
            program.mpi = loading::identified(&loading.mpi);
            program.missing = loading.missing;
        }
        Err(why) => program.unknown = Some(why),
    }
}

/// Returns what is wrong with the program. `own` is the folder of our libraries.
pub fn judge(program: &Program, own: &Path) -> Vec<Finding> {
    let word = &program.word;
    if program.path.is_none() {
        return vec![Finding::problem(
            format!("{word} is not there"),
            "no file of this name exists on this host, or it is not on PATH",
            "a directory that all hosts share, or copying the program to this host",
        )];
    }
    let mut findings = Vec::new();
    if let Some(why) = &program.unusable {
        findings.push(Finding::problem(
            format!("{word} cannot be started"),
            why,
            "the path of the program, and how it was built",
        ));
    }
    if let Some(why) = &program.unknown {
        findings.push(Finding::problem(
            format!("the libraries of {word} cannot be listed"),
            why,
            "starting it on this host without mpiexec",
        ));
    }
    let here = std::env::consts::ARCH;
    if let Some(machine) = program.machine.as_ref().filter(|machine| *machine != here) {
        findings.push(Finding::problem(
            format!("{word} is a program for {machine}"),
            format!("this host is {here}"),
            "compiling it on this kind of host",
        ));
    }
    if !program.missing.is_empty() {
        let folder = format!("LD_LIBRARY_PATH={}:$LD_LIBRARY_PATH", own.display());
        let is_ours = program.missing.iter().all(|name| own.join(name).exists());
        findings.push(Finding::problem(
            format!("{word} needs {}, not found", program.missing.join(" and ")),
            "RUNPATH, LD_LIBRARY_PATH and the system's folders do not have it",
            if is_ours {
                folder
            } else {
                "installing it, or naming its folder in LD_LIBRARY_PATH".to_owned()
            },
        ));
    }
    findings.extend(judge_libraries(word, &program.mpi, own));
    findings
}

/// Returns what is wrong with the MPI libraries that a process loads.
pub fn judge_libraries(who: &str, libraries: &[MpiLibrary], own: &Path) -> Option<Finding> {
    if let [_, _, ..] = libraries {
        let all: Vec<String> = libraries.iter().map(MpiLibrary::to_string).collect();
        return Some(Finding::problem(
            format!("{who} loads {} MPI libraries", libraries.len()),
            format!("{}: handles of one mean nothing to the other", all.join(" and ")),
            "building the program and its libraries with one mpicc",
        ));
    }
    let library = libraries.first()?;
    let advice = format!("LD_LIBRARY_PATH={}, or that library's own mpiexec", own.display());
    match library.family {
        Family::OpenMpi => Some(Finding::problem(
            format!("{who} loads {library}"),
            "it does not know this mpiexec: each rank would be a job of one process",
            format!("building it with {}/mpicc, or Open MPI's own mpirun", beside(own)),
        )),
        Family::Mpich => Some(Finding::cost(
            format!("{who} loads {library}"),
            "it runs under this mpiexec, but not with Nemesis",
            advice,
        )),
        Family::Unknown => Some(Finding::problem(
            format!("{who} loads {library}"),
            "an implementation that this command does not know",
            advice,
        )),
        Family::Nemesis => None,
    }
}

/// Returns the folder `bin` beside a folder `lib`.
pub fn beside(lib: &Path) -> String {
    lib.parent().unwrap_or(lib).join("bin").display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(path: &str, family: Family) -> MpiLibrary {
        MpiLibrary { path: path.into(), family, name: "Some MPI 1.0".into() }
    }

    #[test]
    fn a_missing_program_and_another_processor_are_problems() {
        let own = Path::new("/n/lib");
        assert!(judge(&examine("./no-such-program"), own)[0].what.contains("is not there"));
        let folder = std::env::temp_dir();
        let directory = judge(&examine(folder.to_str().unwrap()), own);
        assert_eq!(directory[0].why, "it is a directory");
        let path = folder.join(format!("nemesis-test-program-{}", std::process::id()));
        let mut image = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        image[18..20].copy_from_slice(&22_u16.to_le_bytes());
        std::fs::write(&path, &image).unwrap();
        let findings = judge(&examine(path.to_str().unwrap()), own);
        assert!(findings[0].why.contains("not executable"), "{findings:?}");
        assert!(findings[1].what.ends_with("is a program for s390x"), "{findings:?}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn libraries_of_others_and_of_two_are_problems() {
        let own = Path::new("/n/lib");
        let ours = library("/n/lib/libmpi_abi.so.1", Family::Nemesis);
        let theirs = library("/usr/lib/libmpi.so.40", Family::OpenMpi);
        assert_eq!(judge_libraries("a", std::slice::from_ref(&ours), own), None);
        let one = judge_libraries("a", std::slice::from_ref(&theirs), own).unwrap();
        assert_eq!(one.what, "a loads /usr/lib/libmpi.so.40 (Some MPI 1.0)");
        assert!(one.why.contains("a job of one process") && one.advice.contains("/n/bin/mpicc"));
        let two = judge_libraries("a", &[ours, theirs], own).unwrap();
        assert_eq!(two.what, "a loads 2 MPI libraries");
        let missing = Program {
            path: Some("/bin/a".into()),
            missing: vec!["libx.so".into()],
            ..Program::default()
        };
        assert!(judge(&missing, own)[0].what.contains("needs libx.so, not found"));
        let unknown = Program {
            path: Some("/bin/a".into()),
            unknown: Some("no dynamic loader is known".into()),
            ..Program::default()
        };
        assert_eq!(judge(&unknown, own)[0].why, "no dynamic loader is known");
    }
}
