//! The limit of open descriptors (`RLIMIT_NOFILE`), and descriptors beyond its soft part.
//!
//! The soft limit, 1024 as a rule, belongs to the program: programs that use select(2) rely on it,
//! and so do programs that close all descriptors up to it. A library that needs one descriptor for
//! each peer must neither use it up nor change what programs see that it starts. The kernel
//! compares the limit only when it gives out a number, so a library descriptor may lie beyond it:
//!
//! ```text
//!   0 ............ soft/2 ............ soft ..................... hard
//!   program and library   program only     library: `retry` and `beyond` raise the soft limit for
//!                                          the length of one call
//! ```
//!
//! Whatever a program starts, by fork, posix_spawn or system, inherits the soft limit that the
//! program had. [`raise_for_library`] is for libraries that open descriptors by themselves, at
//! times that their caller does not know: it raises the soft limit for longer, and children of
//! fork get the old one back.

#![allow(unsafe_code)]

use rustix::event::EventfdFlags;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::{self, Errno};
use rustix::process::{Resource, Rlimit};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The soft limit of the program while it is raised for longer.
static PROGRAMS_OWN: Mutex<Option<Rlimit>> = Mutex::new(None);

/// Excludes other threads that raise the limit, and tells what the program's own limit is.
fn programs_own() -> MutexGuard<'static, Option<Rlimit>> {
    PROGRAMS_OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether an error says that no descriptor is free: not for this process, or not on this
/// host.
pub fn are_exhausted(errno: Errno) -> bool {
    matches!(errno, Errno::MFILE | Errno::NFILE)
}

/// Returns the number of descriptors that the library may have open: the hard limit.
pub fn most() -> u64 {
    rustix::process::getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX)
}

/// Says which limit an error means for which [`are_exhausted`] returns true.
pub fn limit_in_words(errno: Errno) -> String {
    if errno == Errno::NFILE {
        let most = std::fs::read_to_string("/proc/sys/fs/file-max").unwrap_or_default();
        return format!(
            "all processes of this host may have {} files open (fs.file-max)",
            most.trim()
        );
    }
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let words =
        |limit: Option<u64>| limit.map_or("any number of".to_owned(), |most| most.to_string());
    let (soft, hard) = (words(limit.current), words(limit.maximum));
    if soft == hard {
        return format!("a process may have {hard} files open here (`ulimit -n`)");
    }
    format!(
        "a process may have {soft} files open here (`ulimit -n`), at most {hard} (`ulimit -Hn`)"
    )
}

/// Returns the words of an error with the limit that they mean if they say that no descriptor is
/// free; `None` if they say something else. Errors of libraries are words.
pub fn explained(words: &str) -> Option<String> {
    let errno = match words {
        _ if words.contains("Too many open files in system") => Errno::NFILE,
        _ if words.contains("Too many open files") => Errno::MFILE,
        _ => return None,
    };
    let limit = limit_in_words(errno);
    Some(if words.contains(&limit) { words.to_owned() } else { format!("{words}: {limit}") })
}

/// What to try if no descriptor is free.
pub const ADVICE: &str = "a higher `ulimit -n`, whose hard limit `ulimit -Hn` shows, on every \
                          host: in /etc/security/limits.conf, or LimitNOFILE of the service that \
                          starts processes there (sshd, slurmd, docker run --ulimit nofile=65536)";

/// Returns why this process cannot open a descriptor now; `None` if it can.
pub fn shortage() -> Option<Errno> {
    let opened = retry(|| rustix::event::eventfd(0, EventfdFlags::CLOEXEC));
    opened.err().filter(|&errno| are_exhausted(errno))
}

/// Calls `open`, which opens a descriptor for the library. If the soft limit does not admit it,
/// calls it again beyond that limit.
///
/// # Errors
///
/// Those of `open`; [`Errno::MFILE`] if the hard limit is reached.
pub fn retry<T>(mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    match open() {
        Err(Errno::MFILE) => raised(open),
        other => other,
    }
}

/// Calls `open` as [`retry`] does.
///
/// # Errors
///
/// Those of `open`.
pub fn retry_std<T>(mut open: impl FnMut() -> std::io::Result<T>) -> std::io::Result<T> {
    match open() {
        Err(error) if Errno::from_io_error(&error) == Some(Errno::MFILE) => raised(open),
        other => other,
    }
}

/// Moves a descriptor of the library beyond the soft limit if it has a number that the program may
/// need: one of the upper half. Returns it unchanged if the hard limit does not admit that.
pub fn beyond(descriptor: OwnedFd) -> OwnedFd {
    let number = descriptor.as_raw_fd() as u64;
    let soft = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if number < soft / 2 || number >= soft {
        return descriptor;
    }
    let first = i32::try_from(soft).unwrap_or(i32::MAX);
    raised(|| io::fcntl_dupfd_cloexec(&descriptor, first)).unwrap_or(descriptor)
}

/// Calls `call` while the soft limit is the hard one, and sets the program's own again, unless the
/// program has set another one meanwhile. Calls that receive a descriptor and cannot be repeated
/// run like this from the start.
pub fn raised<T>(call: impl FnOnce() -> T) -> T {
    let own = programs_own();
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let is_raised = own.is_none()
        && limit.current != limit.maximum
        && rustix::process::setrlimit(Resource::Nofile, raised_to_hard(limit)).is_ok();
    let result = call();
    if is_raised {
        restore(&mut Some(limit));
    }
    result
}

fn raised_to_hard(limit: Rlimit) -> Rlimit {
    Rlimit { current: limit.maximum, maximum: limit.maximum }
}

/// The soft limit is raised for a library while this value exists.
#[derive(Debug)]
pub struct Raised(());

/// Raises the soft limit to the hard one, if it does not admit `needed` descriptors, as long as the
/// result exists. Children of fork get the program's own limit back; `None` if nothing was raised.
///
/// A program that is started by posix_spawn or system(3) meanwhile, which call no handler of fork,
/// inherits the raised limit.
pub fn raise_for_library(needed: u64) -> Option<Raised> {
    let mut own = programs_own();
    let limit = rustix::process::getrlimit(Resource::Nofile);
    if own.is_some() || limit.current.is_none_or(|soft| soft >= needed) {
        return None;
    }
    let is_raised = limit.current != limit.maximum
        && rustix::process::setrlimit(Resource::Nofile, raised_to_hard(limit)).is_ok();
    if !is_raised {
        return None;
    }
    *own = Some(limit);
    static HANDLER: Once = Once::new();
    // SAFETY: the handler is a function of this library, which the C library forgets when it
    // unloads this one; it allocates nothing and makes two system calls.
    HANDLER.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(restore_in_child));
    });
    Some(Raised(()))
}

impl Drop for Raised {
    /// Gives the program its own soft limit back, unless it has changed it since.
    fn drop(&mut self) {
        restore(&mut programs_own());
    }
}

/// Sets the program's own limit again, unless the present one is not what the library has set.
fn restore(own: &mut Option<Rlimit>) {
    let Some(own) = own.take() else { return };
    let now = rustix::process::getrlimit(Resource::Nofile);
    if now.current == now.maximum && now.maximum == own.maximum {
        // The kernel always admits a lower limit.
        let _ = rustix::process::setrlimit(Resource::Nofile, own);
    }
}

/// Runs in a child between fork and whatever follows it.
extern "C" fn restore_in_child() {
    // Another thread of the parent may have held the lock for a moment, and does not exist here.
    if let Ok(mut own) = PROGRAMS_OWN.try_lock() {
        restore(&mut own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::process::Command;
    use std::sync::MutexGuard;

    /// Sets the soft limit for the length of a test; tests take turns.
    struct Soft(Rlimit, #[allow(dead_code)] MutexGuard<'static, ()>);

    impl Soft {
        fn set(soft: u64) -> Soft {
            static TURNS: Mutex<()> = Mutex::new(());
            let turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
            let before = rustix::process::getrlimit(Resource::Nofile);
            let low = Rlimit { current: Some(soft), maximum: before.maximum };
            rustix::process::setrlimit(Resource::Nofile, low).unwrap();
            Soft(before, turn)
        }
    }

    impl Drop for Soft {
        fn drop(&mut self) {
            let _ = rustix::process::setrlimit(Resource::Nofile, self.0);
        }
    }

    fn open() -> io::Result<OwnedFd> {
        let file = File::open("/dev/null");
        file.map(OwnedFd::from).map_err(|error| Errno::from_io_error(&error).unwrap())
    }

    fn soft() -> Option<u64> {
        rustix::process::getrlimit(Resource::Nofile).current
    }

    /// What a shell that this process starts says of its limit.
    fn limit_of_child(forks: bool) -> String {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -Sn"]);
        if forks {
            use std::os::unix::process::CommandExt;
            // SAFETY: the closure does nothing. With one, the standard library forks, else it
            // calls posix_spawn.
            unsafe { shell.pre_exec(|| Ok(())) };
        }
        String::from_utf8(shell.output().unwrap().stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn the_library_opens_descriptors_beyond_the_soft_limit_and_leaves_it() {
        let _soft = Soft::set(200);
        let mut own = Vec::new();
        while own.len() < 400 {
            own.push(beyond(retry(open).unwrap()));
        }
        assert!(own.iter().any(|descriptor| descriptor.as_raw_fd() >= 500));
        assert!((0..30).all(|_| open().is_ok()), "the program has half of its numbers left");
        assert_eq!(soft(), Some(200));
        assert_eq!(limit_of_child(false), "200");
    }

    #[test]
    fn a_limit_that_the_program_sets_meanwhile_stays() {
        let _soft = Soft::set(200);
        raised(|| {
            assert_eq!(soft(), Some(most()));
            let own = Rlimit { current: Some(300), maximum: Some(most()) };
            rustix::process::setrlimit(Resource::Nofile, own).unwrap();
        });
        assert_eq!(soft(), Some(300));
        raised(|| ());
        assert_eq!(soft(), Some(300));
    }

    #[test]
    fn an_error_names_the_limit() {
        assert!(are_exhausted(Errno::MFILE) && are_exhausted(Errno::NFILE));
        assert!(!are_exhausted(Errno::NOMEM));
        assert_eq!(shortage(), None);
        let words = limit_in_words(Errno::MFILE);
        assert!(words.contains(&most().to_string()) && words.contains("`ulimit -n`"), "{words}");
        assert!(limit_in_words(Errno::NFILE).contains("fs.file-max"));
        let explain = |errno: Errno| explained(&std::io::Error::from(errno).to_string());
        let full = explain(Errno::MFILE).unwrap();
        assert!(full.starts_with("Too many open files (os error 24): a process may"), "{full}");
        assert_eq!(explained(&full), Some(full.clone()), "once suffices");
        assert!(explain(Errno::NFILE).unwrap().contains("fs.file-max"));
        assert_eq!(explain(Errno::NOMEM), None);
    }

    #[test]
    fn children_of_fork_get_the_programs_limit_back() {
        let _soft = Soft::set(200);
        assert!(raise_for_library(100).is_none() && soft() == Some(200), "it suffices");
        let raised = raise_for_library(1000);
        assert_eq!(soft(), Some(most()));
        assert_eq!(limit_of_child(true), "200");
        drop(raised);
        assert_eq!(soft(), Some(200));
    }
}
