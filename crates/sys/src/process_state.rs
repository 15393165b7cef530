//! What another process of this host does, as the kernel tells it: whether it computes, sleeps,
//! waits for a disk or is stopped.

#![allow(unsafe_code)]

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// What a process did between two looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It used processors for this percentage of the time: 200 is two of them.
    Computes { percent: u32 },
    /// It is ready to run, and has had no processor.
    Ready,
    /// It sleeps in the kernel, in a call of this name if the kernel tells it.
    Sleeps { call: Option<&'static str> },
    /// It sleeps in a way that only a device or a file system ends.
    WaitsForDevice { call: Option<&'static str> },
    /// A signal has stopped it.
    Stopped,
    /// A debugger holds it.
    Traced,
}

impl State {
    /// Returns whether something holds the process that is not its program.
    pub fn is_held(self) -> bool {
        matches!(self, State::Stopped | State::Traced)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Percentage from which processors are counted.
        const SEVERAL: u32 = 150;
        let in_call =
            |call: Option<&str>| call.map_or_else(String::new, |call| format!(" ({call})"));
        match *self {
            State::Computes { percent } if percent >= SEVERAL => {
                write!(f, "computes ({:.1} processors)", f64::from(percent) / 100.0)
            }
            State::Computes { percent } => {
                write!(f, "computes ({} % of a processor)", percent.min(100))
            }
            State::Ready => f.write_str("is ready to run, and others use the processors"),
            State::Sleeps { call } => write!(f, "sleeps in the kernel{}", in_call(call)),
            State::WaitsForDevice { call } => {
                write!(f, "waits for a disk or a file system{}", in_call(call))
            }
            State::Stopped => f.write_str("is stopped by a signal"),
            State::Traced => f.write_str("is held by a debugger"),
        }
    }
}

/// A look at a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    process: u32,
    at: Instant,
    /// Processor time of all threads, in clock ticks.
    ticks: u64,
    /// Bytes of memory that it uses, shared memory included.
    memory: u64,
    /// The kernel's letter for the state of the main thread.
    letter: char,
}

/// A process that has used less than this percentage of the time does not compute.
const COMPUTES_MIN: u32 = 5;

impl Look {
    /// Looks at a process. `None` if it has ended, or belongs to another namespace.
    pub fn at(process: u32) -> Option<Look> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (letter, ticks, pages) = understood(&stat)?;
        let memory = pages * rustix::param::page_size() as u64;
        Some(Look { process, at: Instant::now(), ticks, memory, letter })
    }

    /// Returns the bytes of memory that the process uses, shared memory included.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the percentage of a processor that the process has used since an earlier look.
    pub fn percent_since(&self, earlier: &Look) -> u32 {
        let ticks = self.ticks.saturating_sub(earlier.ticks);
        let ms = self.at.saturating_duration_since(earlier.at).as_millis().max(1) as u64;
        (ticks * 100 * 1000 / (rustix::param::clock_ticks_per_second() * ms)) as u32
    }

    /// Returns what the process has done since an earlier look at it.
    pub fn since(&self, earlier: &Look) -> State {
        let percent = self.percent_since(earlier);
        let call = || present_call(self.process);
        match self.letter {
            'T' => State::Stopped,
            't' => State::Traced,
            _ if percent >= COMPUTES_MIN => State::Computes { percent },
            'D' => State::WaitsForDevice { call: call() },
            'R' => State::Ready,
            _ => State::Sleeps { call: call() },
        }
    }
}

/// Most time that a process which computes takes to stop.
const STOP_TIMEOUT: Duration = Duration::from_millis(100);

/// Returns the address of the instruction that the main thread of a process executes. It is held
/// for some microseconds for it, as by a debugger, so the process must be a descendant of this one
/// or the user must be allowed to debug it.
///
/// For a process that computes: a call of the kernel that sleeps would be interrupted. No other
/// thread of this process may wait for children meanwhile.
pub fn instruction_of(process: u32) -> Option<u64> {
    // The kernel lets go of what a thread holds when it ends, so nothing stays held.
    let holds = move || held(process as libc::pid_t).ok();
    std::thread::Builder::new().spawn(holds).ok()?.join().ok()?
}

/// Stops a process, and returns the address of its instruction.
fn held(process: libc::pid_t) -> io::Result<u64> {
    let ask = |request, address: usize, data: *mut libc::c_void| {
        // SAFETY: the requests below write nothing of this process but what `data` names, which is
        // null or valid.
        let result = unsafe { libc::ptrace(request, process, address, data) };
        if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
    };
    let nothing = std::ptr::null_mut();
    ask(libc::PTRACE_SEIZE, 0, nothing)?;
    ask(libc::PTRACE_INTERRUPT, 0, nothing)?;
    await_stop(process)?;
    // SAFETY: all zero is a valid value of this structure of numbers.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let mut place =
        libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: size_of_val(&registers) };
    let read = ask(libc::PTRACE_GETREGSET, NT_PRSTATUS, (&raw mut place).cast());
    ask(libc::PTRACE_DETACH, 0, nothing)?;
    read?;
    #[cfg(target_arch = "x86_64")]
    return Ok(registers.rip);
    #[cfg(target_arch = "aarch64")]
    return Ok(registers.pc);
}

/// The set of registers that has the instruction pointer.
const NT_PRSTATUS: usize = 1;

/// Waits until a process is stopped. The status of one that ends instead is left to its parent.
fn await_stop(process: libc::pid_t) -> io::Result<()> {
    let until = Instant::now() + STOP_TIMEOUT;
    while Instant::now() < until {
        // SAFETY: all zero is a valid value of this structure of numbers.
        let mut event: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let kinds = libc::WSTOPPED | libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
        // SAFETY: the kernel writes to `event`.
        let result =
            unsafe { libc::waitid(libc::P_PID, process as libc::id_t, &raw mut event, kinds) };
        if result == -1 {
            return Err(io::Error::last_os_error());
        }
        match event.si_code {
            libc::CLD_TRAPPED | libc::CLD_STOPPED => {
                // SAFETY: a null status is not written. The event is there, so nothing waits.
                unsafe {
                    libc::waitpid(process, std::ptr::null_mut(), libc::WNOHANG | libc::__WALL)
                };
                return Ok(());
            }
            0 => std::thread::sleep(Duration::from_micros(50)),
            _ => return Err(io::ErrorKind::NotFound.into()),
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Returns the state, the processor time and the pages of memory in the text of `/proc/PID/stat`.
fn understood(stat: &str) -> Option<(char, u64, u64)> {
    // The name, in parentheses, may contain anything.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    let letter = fields.next()?.chars().next()?;
    let user: u64 = fields.nth(10)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let pages: u64 = fields.nth(8)?.parse().ok()?;
    (!matches!(letter, 'Z' | 'X')).then_some((letter, user + system, pages))
}

/// Returns the name of the call of the kernel that the main thread of a process is in. The kernel
/// tells it of the caller's own processes only, and not in every container.
fn present_call(process: u32) -> Option<&'static str> {
    let line = std::fs::read_to_string(format!("/proc/{process}/syscall")).ok()?;
    let number: libc::c_long = line.split_whitespace().next()?.parse().ok()?;
    CALLS.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

/// The calls in which programs sleep.
const CALLS: &[(libc::c_long, &str)] = &[
    (libc::SYS_read, "read"),
    (libc::SYS_readv, "readv"),
    (libc::SYS_pread64, "pread"),
    (libc::SYS_preadv, "preadv"),
    (libc::SYS_write, "write"),
    (libc::SYS_writev, "writev"),
    (libc::SYS_pwrite64, "pwrite"),
    (libc::SYS_pwritev, "pwritev"),
    (libc::SYS_openat, "open"),
    (libc::SYS_close, "close"),
    (libc::SYS_newfstatat, "stat"),
    (libc::SYS_statx, "stat"),
    (libc::SYS_fstat, "stat"),
    (libc::SYS_getdents64, "readdir"),
    (libc::SYS_unlinkat, "unlink"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_msync, "msync"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_flock, "flock"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_nanosleep, "nanosleep"),
    (libc::SYS_clock_nanosleep, "nanosleep"),
    (libc::SYS_futex, "futex"),
    (libc::SYS_ppoll, "poll"),
    (libc::SYS_pselect6, "select"),
    (libc::SYS_epoll_pwait, "epoll_wait"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_poll, "poll"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_select, "select"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_epoll_wait, "epoll_wait"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_pause, "pause"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, "open"),
    (libc::SYS_rt_sigtimedwait, "sigwait"),
    (libc::SYS_rt_sigsuspend, "sigsuspend"),
    (libc::SYS_wait4, "wait"),
    (libc::SYS_waitid, "wait"),
    (libc::SYS_accept, "accept"),
    (libc::SYS_accept4, "accept"),
    (libc::SYS_connect, "connect"),
    (libc::SYS_recvfrom, "recv"),
    (libc::SYS_recvmsg, "recvmsg"),
    (libc::SYS_sendto, "send"),
    (libc::SYS_sendmsg, "sendmsg"),
    (libc::SYS_semop, "semop"),
    (libc::SYS_semtimedop, "semop"),
    (libc::SYS_msgrcv, "msgrcv"),
    (libc::SYS_msgsnd, "msgsnd"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    /// Returns what a child does within a while, or until `awaited`.
    fn state_of(process: u32, awaited: impl Fn(State) -> bool) -> State {
        let mut state = None;
        for _ in 0..100 {
            let first = Look::at(process).expect("it runs");
            std::thread::sleep(Duration::from_millis(50));
            let found = Look::at(process).expect("it runs").since(&first);
            state = Some(found);
            if awaited(found) {
                break;
            }
        }
        state.expect("it was looked at")
    }

    #[test]
    fn children_that_sleep_compute_and_are_stopped_are_told_apart() {
        let mut child = Command::new("sleep").arg("100").spawn().expect("sleep is everywhere");
        let sleeps = State::Sleeps { call: Some("nanosleep") };
        assert_eq!(state_of(child.id(), |state| state == sleeps), sleeps);
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
        assert_eq!(state_of(child.id(), |state| state == State::Stopped), State::Stopped);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(Look::at(child.id()).is_none());
        let loops = "while :; do :; done";
        let mut child =
            Command::new("sh").args(["-c", loops]).stdin(Stdio::null()).spawn().unwrap();
        let computes = |state| matches!(state, State::Computes { percent: 5..=110 });
        let state = state_of(child.id(), computes);
        assert!(computes(state), "{state:?}");
        // A shell that computes is in its own file or in the C library, and goes on.
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", child.id())).unwrap();
        if let Some(instruction) = instruction_of(child.id()) {
            let is_within = |line: &str| {
                let (start, end) = line.split(' ').next()?.split_once('-')?;
                let number = |word| u64::from_str_radix(word, 16).ok();
                Some((number(start)?..number(end)?).contains(&instruction) && line.contains("r-xp"))
            };
            assert!(maps.lines().any(|line| is_within(line) == Some(true)), "{instruction:#x}");
        }
        assert!(computes(state_of(child.id(), computes)), "it goes on");
        assert!(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn states_are_told_in_words() {
        let call = Some("nanosleep");
        for (state, words) in [
            (State::Computes { percent: 101 }, "computes (100 % of a processor)"),
            (State::Computes { percent: 390 }, "computes (3.9 processors)"),
            (State::Sleeps { call }, "sleeps in the kernel (nanosleep)"),
            (State::WaitsForDevice { call: None }, "waits for a disk or a file system"),
        ] {
            assert_eq!(state.to_string(), words);
        }
    }

    #[test]
    fn the_text_of_the_kernel_is_understood() {
        let stat = "12 (a) b) R 1 12 12 0 -1 4194304 93 0 0 0 150 50 0 0 20 0 1 0 8 4096 77 0";
        assert_eq!(understood(stat), Some(('R', 200, 77)));
        assert_eq!(understood(&stat.replace('R', "Z")), None);
        assert_eq!(understood("12 (a"), None);
        let own = Look::at(std::process::id()).expect("this process runs");
        assert!(own.memory() > 1 << 18, "{own:?}");
    }

    #[test]
    fn the_time_between_two_looks_decides() {
        let at = Instant::now();
        let look = |letter, ticks, ms| {
            let at = at + Duration::from_millis(ms);
            Look { process: u32::MAX, at, ticks, memory: 0, letter }
        };
        let second = rustix::param::clock_ticks_per_second();
        let first = look('R', 0, 0);
        assert_eq!(look('S', second, 500).since(&first), State::Computes { percent: 200 });
        assert_eq!(look('R', 0, 500).since(&first), State::Ready);
        assert_eq!(look('S', 0, 500).since(&first), State::Sleeps { call: None });
        assert_eq!(look('D', 0, 500).since(&first), State::WaitsForDevice { call: None });
        assert_eq!(look('T', second, 500).since(&first), State::Stopped);
        assert_eq!(look('t', 0, 500).since(&first), State::Traced);
    }
}
