//! Processes: what a launcher does to its children, and what a child does when it starts.
//!
//! ```text
//!   launcher   become_subreaper, SignalQueue, ignores, tie_to_parent, unblock_signals,
//!              limit_descriptors, bind (before spawn), pass_on (a descriptor), signal_group, reap
//!   child      inherit (a descriptor whose number is in the environment), at_exit,
//!              spawn_without_signals, processor_time, name_of_parent, library_of_ancestor
//! ```
//!
//! `SignalQueue` and `pass_on` change the signal masks of the whole process and what its children
//! inherit. They are for a launcher, a program with one thread that owns its process, and not for a
//! library.

#![allow(unsafe_code)]

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::{self, FdFlags};
use rustix::net;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// Returns a duplicate of the descriptor `raw`, which the parent left open for this process. Both
/// become close-on-exec: a program that this process starts must not keep the connection open,
/// because the other end would believe that this process lives.
pub fn inherit(raw: RawFd) -> io::Result<OwnedFd> {
    if raw < 0 {
        return Err(io::Errno::BADF);
    }
    // SAFETY: the number is used for two system calls before this function returns. The kernel
    // checks that it is open (EBADF), and neither call closes or reads it, so another owner of that
    // number, if any, is not affected.
    let given = unsafe { BorrowedFd::borrow_raw(raw) };
    rustix::io::fcntl_setfd(given, FdFlags::CLOEXEC)?;
    rustix::io::fcntl_dupfd_cloexec(given, 3)
}

/// Returns a further descriptor of what the number `raw` refers to, which belongs to the program.
pub fn duplicate(raw: RawFd) -> io::Result<OwnedFd> {
    if raw < 0 {
        return Err(io::Errno::BADF);
    }
    // SAFETY: as in `inherit`; the call neither closes, reads nor changes the number.
    let given = unsafe { BorrowedFd::borrow_raw(raw) };
    rustix::io::fcntl_dupfd_cloexec(given, 3)
}

/// Why bytes cannot be exchanged by a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStream {
    /// It is not the descriptor of a socket.
    NoSocket,
    /// It is a socket that transfers messages.
    Messages,
    /// It is a stream socket without another end.
    NotConnected,
}

/// Checks that a descriptor is a connected stream socket.
///
/// # Errors
///
/// Says what it is instead.
pub fn check_stream(descriptor: impl AsFd) -> Result<(), NoStream> {
    let descriptor = descriptor.as_fd();
    match net::sockopt::socket_type(descriptor) {
        Err(_) => Err(NoStream::NoSocket),
        Ok(net::SocketType::STREAM) => {
            net::getpeername(descriptor).map(drop).map_err(|_| NoStream::NotConnected)
        }
        Ok(_) => Err(NoStream::Messages),
    }
}

/// Opens what descriptor number `raw` of process `pid` refers to, for reading and writing.
///
/// # Errors
///
/// There is no such process or descriptor, or the kernel does not let this process look into the
/// other one, for example because it belongs to another user.
pub fn open_of(pid: i32, raw: RawFd) -> io::Result<OwnedFd> {
    let path = format!("/proc/{pid}/fd/{raw}");
    rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty())
}

/// Registers `f` to run when this process ends by `exit` or by the return of `main`, not when a
/// signal ends it. Returns false if the C library registers no further function.
pub fn at_exit(f: extern "C" fn()) -> bool {
    // SAFETY: the C library keeps the address. The function is of this library, which is not
    // unloaded before the C library has called it.
    unsafe { libc::atexit(f) == 0 }
}

/// Returns the processor time that all threads of the process have used so far.
pub fn processor_time() -> Duration {
    // Not by rustix, which reads the tables of the vDSO: under valgrind there are none, and rustix
    // would end the process.
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the C library writes to a place of the right type. The call cannot fail: every
    // process has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the time for which the first thread of this process has waited for a processor, if the
/// kernel counts it.
pub fn queue_time() -> Option<Duration> {
    // The time on a processor, the time of waiting for one, the number of turns.
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Starts a thread to which no signal is delivered: a thread of a library in a program that does
/// not know of it.
pub fn spawn_without_signals(
    name: &str,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    const STACK_BYTES: usize = 512 << 10;
    let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the kernel and the C library write to places of the right type. The mask is this
    // thread's, and is restored below.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr());
    }
    let thread =
        std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(run);
    // SAFETY: `before` was written above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    thread
}

/// Returns when a process of this host began, in clock ticks since the start of the system. `None`
/// if it has ended.
pub fn start_time(process: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain anything.
    let mut fields = status.rsplit(')').next()?.split_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X");
    fields.nth(18)?.parse().ok().filter(|_| !has_ended)
}

/// Lets children that are spawned from now on inherit `descriptor` under its present number.
pub fn pass_on(descriptor: impl AsFd) -> io::Result<()> {
    rustix::io::fcntl_setfd(descriptor, FdFlags::empty())
}

/// Makes the kernel kill the child of `command` (SIGKILL) when the thread that spawned it ends,
/// even by SIGKILL.
pub fn tie_to_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    // SAFETY: the closure runs between fork and exec and makes three system calls; it allocates
    // nothing and takes no lock.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // If the parent ended before the line above, that signal never comes: this process has
            // another parent already.
            if rustix::process::getppid() != Some(parent) {
                rustix::process::kill_process(rustix::process::getpid(), Signal::KILL)?;
            }
            Ok(())
        });
    }
}

/// Makes the child of `command` start with no signal blocked, whatever its parent blocks.
pub fn unblock_signals(command: &mut Command) {
    // SAFETY: `clear_mask` runs between fork and exec, and makes only calls that are safe there
    // (signal-safety(7)).
    unsafe { command.pre_exec(clear_mask) };
}

fn clear_mask() -> std::io::Result<()> {
    let mut none = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset initialises the set that it is given.
    unsafe { libc::sigemptyset(none.as_mut_ptr()) };
    // SAFETY: the set has been initialised, and the old mask is not asked for.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) };
    Ok(())
}

/// Sets the limit of the child of `command` for descriptors, whatever its parent's limit.
pub fn limit_descriptors(command: &mut Command, limit: Rlimit) {
    // SAFETY: the closure runs between fork and exec and makes one system call.
    unsafe { command.pre_exec(move || Ok(rustix::process::setrlimit(Resource::Nofile, limit)?)) };
}

/// Binds the child of `command` to these processors.
pub fn bind(command: &mut Command, processors: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    for &processor in
        processors.iter().filter(|&&processor| processor < rustix::thread::CpuSet::MAX_CPU)
    {
        set.set(processor);
    }
    // SAFETY: the closure runs between fork and exec and makes one system call.
    unsafe { command.pre_exec(move || Ok(rustix::thread::sched_setaffinity(None, &set)?)) };
}

/// Returns the processors that this process may use, in ascending order.
pub fn allowed_processors() -> io::Result<Vec<usize>> {
    processors_of(None)
}

/// Returns the processors that this process's parent may use, in ascending order.
pub fn parents_processors() -> io::Result<Vec<usize>> {
    processors_of(rustix::process::getppid())
}

fn processors_of(process: Option<Pid>) -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(process)?;
    Ok((0..rustix::thread::CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor)).collect())
}

/// Makes this process the parent of orphans among its descendants, instead of init. Emulators of a
/// processor and sandboxes can refuse it.
pub fn become_subreaper() -> io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
}

/// Sends signal number `signal` to the process group of `leader`. A group without members is not an
/// error.
pub fn signal_group(leader: Pid, signal: i32) {
    // SAFETY: kill takes two numbers; a wrong signal is EINVAL. `leader` is positive, so the
    // negated number names that group.
    unsafe { libc::kill(-leader.as_raw_nonzero().get(), signal) };
}

/// Returns whether the process has a handler for signal number `signal`; false if it has ended.
pub fn handles(process: Pid, signal: i32) -> bool {
    is_in_mask(process, "SigCgt:", signal)
}

/// Returns whether this process ignores signal number `signal`. The program that started it may
/// have wanted that (`nohup`, or a shell that runs it in the background).
pub fn ignores(signal: i32) -> bool {
    is_in_mask(rustix::process::getpid(), "SigIgn:", signal)
}

/// Returns whether a signal mask in the kernel's status of a process contains `signal`.
fn is_in_mask(process: Pid, mask: &str, signal: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero()))
        .unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix(mask));
    let bits = bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0);
    (1..=64).contains(&signal) && bits >> (signal - 1) & 1 == 1
}

/// Returns the name of the parent's program, at most 15 bytes; empty if the kernel does not tell.
pub fn name_of_parent() -> String {
    let name = rustix::process::getppid().and_then(|parent| {
        std::fs::read_to_string(format!("/proc/{}/comm", parent.as_raw_nonzero())).ok()
    });
    name.map_or_else(String::new, |name| name.trim_end().to_owned())
}

/// Generations that [`library_of_ancestor`] examines: a launcher's daemon, and shells between it
/// and this process.
const GENERATIONS: u32 = 8;

/// Returns the path of a shared library whose file name begins with `name` and that an ancestor of
/// this process uses; the nearest ancestor's.
///
/// `None` if no ancestor uses one. The kernel does not tell the libraries of other users'
/// processes.
pub fn library_of_ancestor(name: &str) -> Option<String> {
    let mut process = rustix::process::getppid()?.as_raw_nonzero().get();
    for _ in 0..GENERATIONS {
        let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
        // Columns: address, rights, offset, device, inode, path. The path follows the fifth column,
        // spaces included.
        let paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
        if let Some(path) = paths
            .into_iter()
            .find(|path| path.rsplit('/').next().is_some_and(|file| file.starts_with(name)))
        {
            return Some(path.to_owned());
        }
        process = parent_of(process)?;
        if process <= 1 {
            break;
        }
    }
    None
}

/// Returns whether a process of this host is `ancestor` or one of its descendants.
pub fn descends_from(process: i32, ancestor: i32) -> bool {
    let line = std::iter::successors(Some(process), |&process| parent_of(process));
    line.take(GENERATIONS as usize + 1).any(|process| process == ancestor)
}

/// Returns the parent of a process of this host.
fn parent_of(process: i32) -> Option<i32> {
    // Format: pid (comm) state ppid. The name may contain any character, and ends with the last
    // bracket.
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
}

/// Returns the next child (or adopted orphan) that has ended, without waiting, with the most memory
/// in bytes that it, or one of its own children, has had; `None` if none has ended.
pub fn reap() -> Option<(Pid, Ending, u64)> {
    loop {
        let mut status = 0;
        // SAFETY: all zero is a valid value of this structure of numbers.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the kernel writes to places of the right types.
        let pid = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if pid < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted {
            continue;
        }
        let pid = Pid::from_raw(pid).filter(|_| pid > 0)?;
        // The kernel counts in KiB.
        let memory = usage.ru_maxrss as u64 * 1024;
        if libc::WIFEXITED(status) {
            return Some((pid, Ending::Exited(libc::WEXITSTATUS(status)), memory));
        }
        if libc::WIFSIGNALED(status) {
            return Some((pid, Ending::Killed(libc::WTERMSIG(status)), memory));
        }
    }
}

/// Another process of this host, whatever its parent. Identified by a descriptor, so a process
/// number that the kernel uses again cannot be mistaken for it.
#[derive(Debug)]
pub struct Peer {
    pidfd: OwnedFd,
}

impl Peer {
    /// Opens the living process `pid`. Fails with ESRCH if it has ended and been reaped.
    pub fn open(pid: i32) -> io::Result<Peer> {
        let pid = Pid::from_raw(pid).ok_or(io::Errno::SRCH)?;
        Ok(Peer { pidfd: rustix::process::pidfd_open(pid, PidfdFlags::empty())? })
    }

    /// Returns whether the process has ended, reaped or not. One system call.
    pub fn has_ended(&self) -> bool {
        let mut interest = [PollFd::new(&self.pidfd, PollFlags::IN)];
        rustix::event::poll(&mut interest, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }
}

impl AsFd for Peer {
    /// Returns a descriptor that is readable once the process has ended.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

/// Stops this process until another process continues it, as Ctrl-Z does.
pub fn stop_self() -> io::Result<()> {
    rustix::process::kill_process(rustix::process::getpid(), Signal::STOP)
}

/// Gives SIGHUP its default action, which ends the process, also if the process was started with
/// SIGHUP ignored (`nohup`): for a program that is useless without its terminal.
pub fn end_without_terminal() {
    // SAFETY: the default action calls no code.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
}

/// A queue of signals with a descriptor to poll, instead of handlers. Its signals are blocked in
/// this process, and in the children that it spawns without [`unblock_signals`].
///
/// A signal that was ignored when the process started (`nohup`, a shell's background job) stays
/// ignored, here and in the children. SIGCHLD does not: if a process ignores it, the kernel reaps
/// its children, and the process cannot learn how they ended.
#[derive(Debug)]
pub struct SignalQueue {
    descriptor: OwnedFd,
}

impl SignalQueue {
    /// Makes the queue for these signals.
    pub fn for_signals(signals: &[Signal]) -> io::Result<SignalQueue> {
        let mut set = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: sigemptyset initialises the set, and cannot fail on a valid pointer.
        unsafe { libc::sigemptyset(set.as_mut_ptr()) };
        // SAFETY: the default action replaces what was set; this program has no handler for
        // SIGCHLD.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
        for signal in signals.iter().filter(|signal| !is_ignored(**signal)) {
            // SAFETY: the set was initialised above; `signal` is a valid number by its type.
            unsafe { libc::sigaddset(set.as_mut_ptr(), signal.as_raw()) };
        }
        // SAFETY: sigemptyset initialised it.
        let set = unsafe { set.assume_init() };
        // SAFETY: the set is valid; the old mask is not asked for.
        if unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()) } != 0 {
            return Err(io::Errno::INVAL);
        }
        // SAFETY: the set is valid; -1 asks for a new descriptor.
        let raw = unsafe { libc::signalfd(-1, &set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        if raw < 0 {
            return Err(io::Errno::from_io_error(&std::io::Error::last_os_error())
                .unwrap_or(io::Errno::INVAL));
        }
        // SAFETY: signalfd has just opened it, and nothing else owns it.
        let descriptor = unsafe { OwnedFd::from_raw_fd(raw) };
        Ok(SignalQueue { descriptor })
    }

    /// Returns the number of the next signal that has arrived, without waiting.
    pub fn next(&self) -> Option<i32> {
        // struct signalfd_siginfo is 128 bytes (signalfd(2)) and begins with ssi_signo, a u32.
        let mut record = [0u8; 128];
        match rustix::io::read(&self.descriptor, &mut record) {
            Ok(128) => {
                Some(u32::from_ne_bytes([record[0], record[1], record[2], record[3]]) as i32)
            }
            _ => None,
        }
    }
}

fn is_ignored(signal: Signal) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: a null new action only asks for the present one, which is written to a structure of
    // the right type.
    if unsafe { libc::sigaction(signal.as_raw(), std::ptr::null(), action.as_mut_ptr()) } != 0 {
        return false;
    }
    // SAFETY: sigaction has succeeded and filled it.
    unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

impl AsFd for SignalQueue {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn an_inherited_descriptor_is_a_duplicate_that_children_do_not_get() {
        let (reader, _writer) = rustix::pipe::pipe().unwrap();
        let ours = inherit(reader.as_raw_fd()).unwrap();
        assert_ne!(ours.as_raw_fd(), reader.as_raw_fd());
        assert!(rustix::io::fcntl_getfd(&ours).unwrap().contains(FdFlags::CLOEXEC));
        assert!(rustix::io::fcntl_getfd(&reader).unwrap().contains(FdFlags::CLOEXEC));
    }

    #[test]
    fn a_number_that_is_not_open_is_refused() {
        assert_eq!(inherit(-1).unwrap_err(), io::Errno::BADF);
        assert_eq!(inherit(1 << 20).unwrap_err(), io::Errno::BADF);
    }

    #[test]
    fn a_peer_is_seen_to_end() {
        let mut child = Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let peer = Peer::open(child.id() as i32).unwrap();
        assert!(!peer.has_ended());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(peer.has_ended());
    }

    #[test]
    fn the_parent_has_a_name() {
        let parent = rustix::process::getppid().unwrap().as_raw_nonzero();
        let status = std::fs::read_to_string(format!("/proc/{parent}/status")).unwrap();
        assert_eq!(status.lines().next(), Some(&*format!("Name:\t{}", name_of_parent())));
    }

    #[test]
    fn an_ancestor_uses_the_c_library() {
        let found = library_of_ancestor("libc.so").or_else(|| library_of_ancestor("ld-")).unwrap();
        assert!(std::path::Path::new(&found).exists(), "{found}");
        assert_eq!(library_of_ancestor("libno-process-has-this"), None);
    }

    #[test]
    fn a_tied_child_runs_like_any_other() {
        let mut command = Command::new("true");
        tie_to_parent(&mut command);
        assert!(command.status().unwrap().success());
    }
}
