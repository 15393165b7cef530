//! Ranks that have loaded an MPI library which does not know this launcher: each would be a job of
//! one process, and nobody would say so.
//!
//! Soon after the start, the launcher looks at the libraries of ranks that have not joined the job,
//! and of their children, because a rank may be a shell. Of ranks that have ended without joining
//! it examines the program's file.

use super::context::Job;
use crate::open_mpi;
use crate::pmi::Stage;
use nemesis_sys::elf;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Times after the start at which the launcher looks. A Python takes a second to import a library.
const LOOKS: [Duration; 3] =
    [Duration::from_millis(300), Duration::from_secs(1), Duration::from_secs(4)];

/// When the next look is due.
pub(super) struct Looks {
    start: Instant,
    done: usize,
}

impl Looks {
    pub(super) fn new() -> Looks {
        Looks { start: Instant::now(), done: 0 }
    }

    /// Returns how long the event loop may sleep before the next look.
    pub(super) fn timeout(&self) -> Option<Duration> {
        let due = self.start + *LOOKS.get(self.done)?;
        Some(due.saturating_duration_since(Instant::now()))
    }
}

impl Job {
    /// Looks at the ranks that have not joined, if a look is due, and tells the user once.
    pub(super) fn look_for_foreign_libraries(&mut self) {
        if self.foreign_looks.timeout() != Some(Duration::ZERO) {
            return;
        }
        self.foreign_looks.done += 1;
        if self.facts.common.size == 1 {
            return;
        }
        let local_ranks = 0..self.ranks.len();
        let mut silent = local_ranks.filter(|&local| {
            self.ranks[local].ending.is_none() && self.server.stage(local) == Stage::NotJoined
        });
        let found = silent.find_map(|local| {
            let pid = self.ranks[local].pid.as_raw_nonzero().get();
            Some((local, with_children(pid).into_iter().find_map(mapped_by)?))
        });
        if let Some((local, library)) = found {
            self.tell_foreign_library(local, "has loaded", &library);
        }
    }

    /// Tells the user if a rank that has ended without joining belongs to another library.
    pub(super) fn check_file_of(&mut self, local: usize) {
        let is_told = self.foreign_looks.done > LOOKS.len();
        if self.facts.common.size == 1 || is_told {
            return;
        }
        let rank = &self.ranks[local];
        let program = self.facts.common.program_of(rank.number) as usize;
        let Some(program) = self.facts.common.programs.get(program) else { return };
        let place = program.directory.as_ref().map(PathBuf::from).unwrap_or_default();
        let file = place.join(&program.path);
        let needed = elf::read(&file).ok().flatten().map_or_else(Vec::new, |elf| elf.needed);
        // A program that needs the library with Open MPI's ABI has got ours, where it is installed.
        let is_ours =
            |library: &&String| self.facts.open_mpi.is_some() && *library == open_mpi::LIBRARY;
        let mut needed = needed.iter().filter(|library| !is_ours(library));
        if let Some(library) = needed.find(|library| is_foreign(library)) {
            let library = library.clone();
            self.tell_foreign_library(local, "needs", &library);
        }
    }

    /// Tells the user what rank `local` does with a library, and looks no more.
    fn tell_foreign_library(&mut self, local: usize, does: &str, library: &str) {
        self.foreign_looks.done = LOOKS.len() + 1;
        let (number, size) = (self.ranks[local].number, self.facts.common.size);
        let prefix = std::env::current_exe().unwrap_or_default();
        let prefix = prefix.parent().and_then(Path::parent).unwrap_or(Path::new("/")).display();
        let first = advice(library, self.facts.open_mpi.as_ref().map(|(folder, _)| &**folder));
        let text = format!(
            "mpiexec: {} {does} {library}, a library of Open MPI, which does not know this \
             launcher\n  who: rank {number} of {size} on {}, and other ranks of this program\n  \
             why: each of them is a job of one process\n  try: {first}compiling it with \
             {prefix}/bin/mpicc; MPI4PY_LIBMPI={prefix}/lib/libmpi.so.12 for mpi4py of PyPI; or \
             Open MPI's own mpirun",
            self.ranks[local].command, self.host
        );
        self.say(&text);
    }
}

/// Returns what to try first if a library is hidden by one of another installation: ranks find it
/// in `folder` by `LD_LIBRARY_PATH`, which a script may set anew.
fn advice(library: &str, folder: Option<&Path>) -> String {
    match folder {
        Some(folder) if library.contains(&format!("/{}", open_mpi::LIBRARY)) => format!(
            "mpiexec -genv LD_PRELOAD {}/{}, if the program or a script that starts it sets \
             LD_LIBRARY_PATH, as R does; ",
            folder.display(),
            open_mpi::LIBRARY
        ),
        _ => String::new(),
    }
}

/// Returns a process and its children.
fn with_children(pid: i32) -> Vec<i32> {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    let children = children.split_whitespace().filter_map(|number| number.parse().ok());
    std::iter::once(pid).chain(children).collect()
}

/// Returns the foreign MPI library that a process has mapped.
fn mapped_by(pid: i32) -> Option<String> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    // Columns: address, rights, offset, device, inode, path.
    let mut paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
    let file = |path: &str| path.rsplit('/').next().is_some_and(is_foreign);
    paths.find(|path| file(path)).filter(|path| !is_ours(Path::new(path))).map(str::to_owned)
}

/// Returns whether a library is one of this project, wherever it lies: it exports the function
/// that the profiler calls.
fn is_ours(library: &Path) -> bool {
    const NAME: &[u8] = b"\0nemesis_profile_query\0";
    let bytes = std::fs::read(library).unwrap_or_default();
    bytes.windows(NAME.len()).any(|piece| piece == NAME)
}

/// Returns whether a file of this name is an MPI library that uses none of the protocols of this
/// launcher. Open MPI's has numbers from 20 on; that of MPICH and its descendants is 12.
fn is_foreign(file: &str) -> bool {
    let number = |rest: &str| rest.split('.').next().and_then(|number| number.parse::<u32>().ok());
    file.strip_prefix("libmpi.so.").and_then(number).is_some_and(|number| number != 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_that_do_not_know_the_launcher_are_recognised() {
        let foreign = ["libmpi.so.40", "libmpi.so.40.30.4", "libmpi.so.20"];
        assert!(foreign.into_iter().all(is_foreign));
        let others =
            ["libmpi.so.12", "libmpi.so", "libmpi_abi.so.1", "libmpifort.so.40", "libc.so.6"];
        assert!(!others.into_iter().any(is_foreign));
        let own = std::process::id() as i32;
        assert_eq!(with_children(own)[0], own);
        assert_eq!(mapped_by(own), None);
        assert!(!is_ours(Path::new("/proc/self/maps")));
    }

    #[test]
    fn a_library_that_another_hides_can_be_preloaded() {
        let folder = Some(Path::new("/opt/lib/nemesis/openmpi"));
        let told = advice("/usr/lib/libmpi.so.40.30.4", folder);
        assert!(
            told.starts_with("mpiexec -genv LD_PRELOAD /opt/lib/nemesis/openmpi/libmpi.so.40,")
        );
        assert_eq!(advice("/usr/lib/libmpi.so.20", folder), "");
        assert_eq!(advice("/usr/lib/libmpi.so.40.30.4", None), "");
    }
}
