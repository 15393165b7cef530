//! A folder with the library, the launcher and the programs of a suite.

use crate::folder::{Counter, Folder};
use crate::hosts::{Hosts, Plan};
use crate::job::Job;
use crate::places;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed in the end.
pub struct Scene {
    pub folder: PathBuf,
    is_kept: bool,
    files: Folder,
}

/// What a program is compiled against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// MPI: libmpi_abi.so.1.
    Mpi,
    /// MPI on MPICH's ABI: libmpi.so.12.
    Mpich,
    /// nemesis.h: libnemesis.so.0.
    Subsystem,
    /// rwapi.h: librwapi.so.0.
    RemoteWrite,
}

impl Library {
    /// The file of the build, its name when loaded, and the folder of its header.
    fn files(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Library::Mpi => ("libmpi_abi.so", "libmpi_abi.so.1", "include/standard"),
            Library::Mpich => ("libmpi.so", "libmpi.so.12", "include/mpich"),
            Library::Subsystem => ("libnemesis.so", "libnemesis.so.0", "include"),
            Library::RemoteWrite => ("librwapi.so", "librwapi.so.0", "include"),
        }
    }
}

impl Scene {
    /// Makes a folder with the launcher and the library; exits with 2 if they are not built.
    ///
    /// The files are copies which another user may read.
    pub fn new(name: &str) -> Scene {
        let folder = PathBuf::from(format!("/tmp/jobs-{name}-{}", std::process::id()));
        let scene = Scene::at(folder, false);
        scene.install("mpiexec", "mpiexec");
        scene.install_library(Library::Mpi);
        scene
    }

    /// Makes a folder, which stays if `is_kept`, with nothing in it.
    pub fn at(folder: PathBuf, is_kept: bool) -> Scene {
        fs::create_dir_all(&folder).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("its rights");
        let files = Folder::new(folder.clone());
        Scene { folder, is_kept, files }
    }

    /// Copies a file of the build into the folder.
    pub fn install(&self, built: &str, name: &str) {
        let from = places::built().join(built);
        if !from.exists() {
            eprintln!("{} is not there; run 'cargo build --release'", from.display());
            std::process::exit(2);
        }
        let to = self.path(name);
        fs::create_dir_all(to.parent().expect("it is in the scene")).expect("a folder");
        let _ = fs::remove_file(&to);
        fs::copy(from, &to).expect("a file is copied");
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).expect("its rights");
    }

    pub fn install_library(&self, library: Library) {
        let (built, name, _) = library.files();
        self.install(built, name);
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the path of a file in the folder as text.
    pub fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Returns a path in the folder that no other call returns.
    pub fn fresh(&self, name: &str) -> PathBuf {
        self.files.fresh(name)
    }

    /// Makes a folder that no other call returns.
    pub fn fresh_folder(&self, name: &str) -> PathBuf {
        let folder = self.fresh(name);
        fs::create_dir(&folder).expect("a folder");
        folder
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), text).expect("a file is written");
        self.path(name)
    }

    /// Writes a program into the folder.
    pub fn write_program(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        write_program(&path, text.as_ref());
        path
    }

    /// Compiles programs of `tests/` for MPI, such as "mpi/pt2pt_order", several at a time.
    #[must_use]
    pub fn with_programs(self, programs: &[&str]) -> Scene {
        let sources: Vec<PathBuf> = programs
            .iter()
            .map(|program| places::root().join(format!("tests/{program}.c")))
            .collect();
        self.compile_all(&sources);
        self
    }

    /// Compiles sources that are newer than their programs.
    pub fn compile_all(&self, sources: &[PathBuf]) {
        let next = Counter::default();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..processors {
                scope.spawn(|| {
                    while let Some(source) = sources.get(next.next()) {
                        let program = self.folder.join(source.file_stem().expect("a name"));
                        if !is_newer(&program, source) {
                            self.compile(Library::Mpi, source, &program);
                        }
                    }
                });
            }
        });
    }

    /// Compiles a source for a library that the folder has; exits with 1 if that fails.
    pub fn compile(&self, library: Library, source: &Path, program: &Path) {
        let (_, file, headers) = library.files();
        let mut cc = compiler();
        cc.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wno-unused-function", "-pthread"]);
        cc.arg(format!("-I{}", places::root().join(headers).display()));
        cc.arg(source).arg("-o").arg(program).arg(self.path(file));
        cc.arg(format!("-Wl,-rpath,{}", self.folder.display())).arg("-lm");
        if !cc.status().is_ok_and(|status| status.success()) {
            eprintln!("{} does not compile", source.display());
            std::process::exit(1);
        }
    }

    /// Runs the compiler in the folder with more or less the user's words.
    #[track_caller]
    pub fn cc(&self, words: &str) {
        let words = self.words(words);
        let said = compiler().args(&words).current_dir(&self.folder).output().expect("a compiler");
        assert!(said.status.success(), "cc {words:?}: {}", String::from_utf8_lossy(&said.stderr));
    }

    /// Splits a command as a shell does; `./` at the beginning of a word is the folder.
    pub fn words(&self, command: &str) -> Vec<String> {
        let words = shlex::split(command).unwrap_or_else(|| panic!("quotes in {command}"));
        words.into_iter().map(|word| self.resolved(word)).collect()
    }

    fn resolved(&self, word: String) -> String {
        match word.strip_prefix("./") {
            Some(name) => self.name(name),
            None => word,
        }
    }

    /// Describes a job: a command, split as a shell does, in which `./` is the folder.
    pub fn job(&self, command: &str) -> Job<'_> {
        Job::new(&self.files, self.words(command))
    }

    /// Starts simulated hosts that see this folder, or ends the case where that is not possible.
    pub fn hosts(&self, plan: Plan) -> Hosts {
        let folder = self.folder.clone();
        Hosts::start(&plan.sharing(folder)).unwrap_or_else(|why| crate::skip(why))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Writes a program by another process: while a file is open for writing here, a process that
/// another case starts has it open as well for a moment, and the program could not be started.
pub fn write_program(path: &Path, bytes: &[u8]) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat >\"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = writer.spawn().expect("a shell");
    writer.stdin.take().expect("a pipe").write_all(bytes).expect("a program is written");
    assert!(writer.wait().is_ok_and(|status| status.success()), "{} is written", path.display());
}

/// The C compiler: `CC`, or cc.
pub fn compiler() -> Command {
    let named = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

fn is_newer(one: &Path, other: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    time(one).is_some_and(|one| time(other).is_some_and(|other| one > other))
}
