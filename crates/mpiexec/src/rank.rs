//! One rank: its process, the pipes of its output, and its PMI connection.
//!
//! A rank is a process group of its own, so that signals reach what it starts, and the kernel kills
//! it when the launcher dies. It inherits two descriptors beyond the standard ones: its end of the
//! PMI socket and the node's segment. With `-port-range` it inherits a third, through which it
//! receives connections.

use crate::binding::Cpusets;
use crate::launch_error::LaunchError;
use crate::launch_spec::Common;
use crate::open_mpi::{self, Lookup};
use crate::options::{Inherit, Program};
use crate::output::Lines;
use nemesis_profile::layout;
use nemesis_sys::elf;
use nemesis_sys::process::{self, Ending, Peer};
use nemesis_wireup::environment;
use nemesis_wireup::pmi1::LineBuffer;
use rustix::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketFlags,
    SocketType,
};
use rustix::process::{Pid, Rlimit};
use std::ffi::{OsStr, OsString};
use std::io::{self, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What all ranks of this host have in common.
pub struct Facts {
    pub common: Common,
    /// Number of ranks on this host.
    pub local_size: u32,
    /// Whether this launcher is a node agent: the user sits at another host.
    pub is_agent: bool,
    /// The segment's descriptor, which has this number in every rank.
    pub segment: RawFd,
    /// The port on which the launcher accepts connections for the ranks of this host, if it does.
    pub acceptor_port: Option<u16>,
    /// The descriptor of the memory in which the ranks count, and the library that counts, if the
    /// user asks for a profile.
    pub counters: Option<(RawFd, String)>,
    /// The folder of the library with Open MPI's ABI, if it is installed, and how that is found for
    /// each program.
    pub open_mpi: Option<(PathBuf, Vec<Lookup>)>,
    /// The limit of descriptors that this process was started with. Its own limit may have been
    /// raised.
    pub descriptors: Rlimit,
    /// The processors of each rank of this host.
    pub cpusets: Cpusets,
    /// The port at which the ranks meet the processes that spawned them, if any did; empty at an
    /// agent.
    pub parent: Option<String>,
}

/// A rank that has been started.
pub struct Rank {
    pub number: u32,
    pub pid: Pid,
    /// The command, for messages.
    pub command: String,
    pub out: Option<Stream>,
    pub err: Option<Stream>,
    pub pmi: Option<PmiConnection>,
    /// The socket through which the rank receives connections to the node's port.
    pub acceptor: Option<UnixStream>,
    /// The process that joined the job, if it is not the rank's first process. A shell may have
    /// started it.
    pub mpi_process: Option<Peer>,
    /// When the rank's MPI process or its PMI connection ended while the first process seemed to
    /// live.
    pub hung_up: Option<Instant>,
    pub ending: Option<Ending>,
    /// Where its program was when a signal ended it: function and source line.
    pub place: Option<String>,
    /// Why the kernel has killed it, if it did so for want of memory.
    pub memory_kill: Option<String>,
    /// Whether the process group is empty. Its number may belong to another group then.
    pub group_is_empty: bool,
}

/// The read end of a pipe that a rank writes to.
pub struct Stream {
    pub pipe: OwnedFd,
    pub lines: Lines,
}

/// The reason why a rank could not be started, and the exit code of `mpiexec` for it.
#[derive(PartialEq, Eq, Debug)]
pub struct NotStarted {
    pub error: LaunchError,
    pub code: i32,
}

impl NotStarted {
    fn new(what: String, advice: impl Into<String>, code: i32) -> NotStarted {
        NotStarted { error: LaunchError::new(what, advice), code }
    }
}

/// Bytes that are read of a rank's output at once.
pub const READ_BYTES: usize = 64 * 1024;

/// Descriptors that the launcher needs for each rank: PMI, two streams, the socket for connections,
/// and for a moment their other ends, input and exec's error report.
pub const DESCRIPTORS_PER_RANK: u64 = 5;
/// Descriptors that the launcher needs whatever the number of ranks is.
pub const DESCRIPTORS: u64 = 64;

/// The variable that names libraries which the dynamic linker loads first.
const PRELOAD: &str = "LD_PRELOAD";

/// The exit code of shells for a program that cannot be executed.
const NOT_EXECUTABLE: i32 = 126;
/// The exit code of shells for a program that does not exist.
const NOT_FOUND: i32 = 127;
/// The exit code if the operating system refuses a resource.
const NO_RESOURCES: i32 = 1;

/// Bytes of a command that a message shows at most.
const SHOWN_BYTES_MAX: usize = 100;

impl Rank {
    /// Starts rank `number`, which has number `local` on this host.
    ///
    /// # Errors
    ///
    /// Returns why the program cannot be started, in words for the user.
    pub fn start(number: u32, local: u32, stdin: Stdio, facts: &Facts) -> Result<Rank, NotStarted> {
        let program = &facts.common.programs[facts.common.program_of(number) as usize];
        let failed = |why: io::Error| no_resources(number, &why);
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )
        .map_err(|why| failed(why.into()))?;
        process::pass_on(&theirs).map_err(|why| failed(why.into()))?;
        rustix::net::sockopt::set_socket_passcred(&ours, true).map_err(|why| failed(why.into()))?;
        let (out, out_end) = io::pipe().map_err(failed)?;
        // Both streams in one pipe keep the order in which the rank writes.
        let (err, err_end) = match facts.common.merges {
            true => (None, out_end.try_clone().map_err(failed)?),
            false => io::pipe().map(|(err, end)| (Some(err), end)).map_err(failed)?,
        };
        let mut command = Command::new(found(program).as_ref().unwrap_or(&program.path));
        command
            .args(&program.arguments)
            .stdin(stdin)
            .stdout(out_end)
            .stderr(err_end)
            .process_group(0);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        set_environment(&mut command, program, &facts.common.environment);
        command
            .env("PMI_FD", theirs.as_raw_fd().to_string())
            .env("PMI_RANK", number.to_string())
            .env("PMI_SIZE", facts.common.size.to_string())
            .env("MPI_LOCALRANKID", local.to_string())
            .env("MPI_LOCALNRANKS", facts.local_size.to_string())
            .envs(open_mpi_names(number, local, facts))
            .env(environment::SEGMENT_FD, facts.segment.to_string())
            .env(environment::PROCESSORS, facts.cpusets.environment_value(local as usize))
            .env(environment::JOB, &facts.common.mark);
        match facts.common.verbose && number == 0 {
            true => command.env(environment::REPORT, "on"),
            false => command.env_remove(environment::REPORT),
        };
        if let Some((folder, lookups)) = &facts.open_mpi {
            let number = facts.common.program_of(number) as usize;
            open_mpi::set_variables(lookups[number], folder, &mut command);
        }
        count_calls(&mut command, local, facts);
        let (acceptor, acceptor_end) = match facts.acceptor_port {
            Some(port) => {
                let (ours, theirs) = acceptor_channel().map_err(|why| failed(why.into()))?;
                command.env(environment::ACCEPTOR, format!("{}:{port}", theirs.as_raw_fd()));
                (Some(ours), Some(theirs))
            }
            None => {
                command.env_remove(environment::ACCEPTOR);
                (None, None)
            }
        };
        process::tie_to_parent(&mut command);
        process::unblock_signals(&mut command);
        process::limit_descriptors(&mut command, facts.descriptors);
        if let Some(processors) = facts.cpusets.of(local as usize) {
            process::bind(&mut command, processors);
        }
        let several = facts.is_agent || facts.local_size < facts.common.size;
        if let Some(refused) = unsuitable(number, program, several) {
            return Err(refused);
        }
        let child = command.spawn().map_err(|why| not_started(number, program, several, why))?;
        drop(acceptor_end);
        let pid = Pid::from_raw(child.id() as i32)
            .ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))?;
        let stream = |pipe: io::PipeReader| -> io::Result<Option<Stream>> {
            rustix::io::ioctl_fionbio(&pipe, true)?;
            Ok(Some(Stream { pipe: pipe.into(), lines: Lines::new(number) }))
        };
        Ok(Rank {
            number,
            pid,
            command: shown(program),
            out: stream(out).map_err(failed)?,
            err: err.map_or(Ok(None), stream).map_err(failed)?,
            acceptor,
            pmi: Some(PmiConnection {
                socket: ours,
                lines: LineBuffer::default(),
                sender_pid: None,
            }),
            mpi_process: None,
            hung_up: None,
            ending: None,
            place: None,
            memory_kill: None,
            group_is_empty: false,
        })
    }

    /// Sends a signal to all processes of the rank's group.
    pub fn signal(&self, signal: i32) {
        if !self.group_is_empty {
            process::signal_group(self.pid, signal);
        }
    }
}

/// Makes a socket pair that carries one descriptor in each message. Returns the launcher's end and
/// the rank's.
fn acceptor_channel() -> rustix::io::Result<(UnixStream, OwnedFd)> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let (ours, theirs) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    process::pass_on(&theirs)?;
    Ok((ours.into(), theirs))
}

/// Has the dynamic linker load the library that counts before others, and tells it the rank's slot.
fn count_calls(command: &mut Command, local: u32, facts: &Facts) {
    let Some((memory, library)) = &facts.counters else {
        // A spawned job may inherit a library that counts. It makes no profile of its own.
        command.env_remove(layout::MEMORY_VARIABLE).env_remove(layout::PROFILE_VARIABLE);
        return;
    };
    open_mpi::put_first(command, PRELOAD, OsStr::new(library));
    command.env(layout::MEMORY_VARIABLE, format!("{memory}:{local}"));
}

/// Sets the environment of a rank's program, without the PMI variables of an outer launcher.
fn set_environment(command: &mut Command, program: &Program, environment: &[(OsString, OsString)]) {
    let is_inherited = |name: &OsString| match &program.inherit {
        Inherit::All => !is_launcher_variable(name.as_encoded_bytes()),
        Inherit::Only(names) => names.iter().any(|wanted| name == wanted.as_str()),
    };
    command.env_clear().envs(
        environment
            .iter()
            .filter(|(name, _)| is_inherited(name))
            .map(|(name, value)| (name, value)),
    );
    command.envs(program.variables.iter().map(|(name, value)| (name, value)));
}

/// Returns a rank's place under the names that Open MPI gives to it, which scripts read.
fn open_mpi_names(number: u32, local: u32, facts: &Facts) -> [(&'static str, String); 6] {
    // Open MPI knows a number always: that of the slots.
    let universe = facts.common.universe.unwrap_or(facts.common.size);
    [
        ("OMPI_COMM_WORLD_RANK", number.to_string()),
        ("OMPI_COMM_WORLD_SIZE", facts.common.size.to_string()),
        ("OMPI_COMM_WORLD_LOCAL_RANK", local.to_string()),
        ("OMPI_COMM_WORLD_LOCAL_SIZE", facts.local_size.to_string()),
        ("OMPI_COMM_WORLD_NODE_RANK", local.to_string()),
        ("OMPI_UNIVERSE_SIZE", universe.to_string()),
    ]
}

/// Returns how the library with Open MPI's ABI is found for a program.
pub fn open_mpi_lookup(program: &Program) -> Lookup {
    let place = program.directory.as_ref().map(PathBuf::from).unwrap_or_default();
    let name = found(program).unwrap_or_else(|| program.path.clone());
    open_mpi::lookup(open_mpi::file_of(&name, &place).as_deref())
}

/// Returns the program in the first folder of its `-path` that has it. A program with a slash, and
/// one that no folder has, is none.
fn found(program: &Program) -> Option<OsString> {
    let is_path = program.path.as_encoded_bytes().contains(&b'/');
    let search = program.search.as_ref().filter(|_| !is_path)?;
    let place = program.directory.as_ref().map(PathBuf::from).unwrap_or_default();
    let mut files = std::env::split_paths(search).map(|folder| folder.join(&program.path));
    let file = files.find(|file| place.join(file).is_file())?;
    // A name with a slash is not looked for in PATH.
    Some(if file.is_absolute() { file } else { Path::new(".").join(file) }.into_os_string())
}

/// Returns whether a variable belongs to a PMI launcher.
fn is_launcher_variable(name: &[u8]) -> bool {
    name.starts_with(b"PMI_") || name.starts_with(b"PMIX_")
}

/// Explains that the operating system refuses a resource.
fn no_resources(number: u32, why: &io::Error) -> NotStarted {
    let what = format_args!("rank {number} cannot be started");
    NotStarted { error: LaunchError::of_system(what, why), code: NO_RESOURCES }
}

/// Returns the file of a program that has a slash in its name; the shell's search finds others.
fn file_of(program: &Program) -> Option<PathBuf> {
    let is_path = program.path.as_encoded_bytes().contains(&b'/');
    let place = program.directory.as_ref().map(PathBuf::from).unwrap_or_default();
    is_path.then(|| place.join(&program.path))
}

/// Returns why a program cannot be started that exec would hand to a shell or refuse with a
/// misleading error: a directory, a program for another processor, and data that is neither a
/// program nor a script.
fn unsuitable(number: u32, program: &Program, several: bool) -> Option<NotStarted> {
    let file = file_of(program)?;
    let name = program.path.to_string_lossy();
    let place = place_of(number, several);
    if file.is_dir() {
        let what = format!("{name} is a directory{place}");
        return Some(NotStarted::new(what, "the path of a program in it", NOT_EXECUTABLE));
    }
    let mut head = [0; elf::HEAD_BYTES];
    std::fs::File::open(&file).ok()?.read_exact(&mut head).ok()?;
    let Some((machine, bits)) = elf::machine_of(&head) else {
        let what = format!("{name}{place} is not a program but data");
        let advice = format!("`file {name}`, and the path of what was compiled");
        return is_data(&head, may_have_emulators())
            .then(|| NotStarted::new(what, advice, NOT_EXECUTABLE));
    };
    let here = std::env::consts::ARCH;
    // Kernels of 64 bits run programs of 32 bits, and emulators are registered for some machines.
    let is_foreign = machine != here && bits as usize == usize::BITS as usize;
    (is_foreign && !has_emulator(&machine)).then(|| {
        let what = format!("{name} is a program for {machine}{place}, and this host is {here}");
        NotStarted::new(what, "compiling it for this kind of host", NOT_EXECUTABLE)
    })
}

/// Returns whether a file that is no program begins like data, which a shell would take for a
/// script: with a NUL in its first line. The kernel may know more kinds of programs where it may
/// have emulators.
fn is_data(head: &[u8], may_have_emulators: bool) -> bool {
    let first_line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    !may_have_emulators && first_line.contains(&0)
}

/// Returns whether the kernel may start an emulator for files of some kind (binfmt_misc). Where its
/// list is not shown, as in many containers, it may.
fn may_have_emulators() -> bool {
    let names = std::fs::read_dir("/proc/sys/fs/binfmt_misc").into_iter().flatten().flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    let is_own = |name: &std::ffi::OsString| name == "register" || name == "status";
    !names.iter().any(|name| name == "register") || !names.iter().all(is_own)
}

/// Returns whether the kernel starts an emulator for programs of another processor (binfmt_misc).
fn has_emulator(machine: &str) -> bool {
    Path::new("/proc/sys/fs/binfmt_misc").join(format!("qemu-{machine}")).exists()
}

/// Names the rank and the host where something is wrong, if the job has several hosts.
fn place_of(number: u32, several: bool) -> String {
    match several {
        true => format!(" on {} (rank {number})", nemesis_sys::host::hostname()),
        false => String::new(),
    }
}

/// Explains why exec failed. The kernel's ENOENT has four possible meanings here.
fn not_started(number: u32, program: &Program, several: bool, why: io::Error) -> NotStarted {
    let name = program.path.to_string_lossy();
    let on = place_of(number, several);
    let shared = match several {
        true => "copying it to that host, or a directory that all hosts share",
        false => "the path by which `ls` finds it",
    };
    if let Some(directory) =
        program.directory.as_ref().filter(|directory| !Path::new(directory).is_dir())
    {
        let what =
            format!("-wdir {}: the directory does not exist{on}", directory.to_string_lossy());
        return NotStarted::new(what, "a directory that all hosts have", NOT_FOUND);
    }
    let place = program
        .directory
        .as_ref()
        .map_or_else(|| Path::new("").into(), |directory| Path::new(directory).to_owned());
    let is_path = name.contains('/');
    match why.kind() {
        io::ErrorKind::NotFound if is_path && place.join(&program.path).exists() => {
            let what = format!("{name} cannot be started{on}: its interpreter is missing");
            let advice = format!("reading its first line, or `file {name}`");
            NotStarted::new(what, advice, NOT_EXECUTABLE)
        }
        io::ErrorKind::NotFound if is_path => {
            NotStarted::new(format!("{name}: the program does not exist{on}"), shared, NOT_FOUND)
        }
        io::ErrorKind::NotFound if Path::new(&program.path).exists() => NotStarted::new(
            format!("{name} is not on PATH but in this directory"),
            format!("./{name}"),
            NOT_FOUND,
        ),
        io::ErrorKind::NotFound => NotStarted::new(
            format!("{name}: there is no such program on PATH{on}"),
            "its full path",
            NOT_FOUND,
        ),
        io::ErrorKind::PermissionDenied => NotStarted::new(
            format!("{name} is not executable{on}"),
            "chmod +x, or its interpreter before it",
            NOT_EXECUTABLE,
        ),
        _ if why.raw_os_error() == Some(Errno::NOEXEC.raw_os_error()) => NotStarted::new(
            format!("{name} is not a program{on}, and its first line names no interpreter"),
            "its interpreter before it",
            NOT_EXECUTABLE,
        ),
        io::ErrorKind::ArgumentListTooLong => NotStarted::new(
            format!("{name}{on}: its arguments and environment are too long"),
            "fewer or shorter arguments, or -genvlist with the variables that it needs",
            NOT_EXECUTABLE,
        ),
        io::ErrorKind::ExecutableFileBusy => NotStarted::new(
            format!("{name} is being written{on}"),
            "starting it again when its compilation or copy has ended",
            NOT_EXECUTABLE,
        ),
        _ => no_resources(number, &why),
    }
}

/// Returns the command on one line, for messages.
fn shown(program: &Program) -> String {
    let words = std::iter::once(&program.path).chain(&program.arguments);
    let mut line = words
        .map(|word| word.to_string_lossy().replace(char::is_control, " "))
        .collect::<Vec<_>>()
        .join(" ");
    if line.len() > SHOWN_BYTES_MAX {
        line.truncate(line.floor_char_boundary(SHOWN_BYTES_MAX));
        line.push('…');
    }
    line
}

/// The launcher's end of a rank's PMI socket.
pub struct PmiConnection {
    pub socket: OwnedFd,
    pub lines: LineBuffer,
    /// The process that sent the last request, as the kernel tells it.
    pub sender_pid: Option<Pid>,
}

/// The result of a non-blocking read from a socket or pipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    Bytes(usize),
    NothingNow,
    End,
}

impl PmiConnection {
    /// Reads what has arrived into the line buffer, without waiting.
    pub fn receive(&mut self) -> Arrival {
        let mut bytes = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        match rustix::net::recvmsg(
            &self.socket,
            &mut [IoSliceMut::new(&mut bytes)],
            &mut control,
            RecvFlags::DONTWAIT,
        ) {
            Ok(message) if message.bytes == 0 => Arrival::End,
            Ok(message) => {
                for note in control.drain() {
                    if let RecvAncillaryMessage::ScmCredentials(credentials) = note {
                        self.sender_pid = Some(credentials.pid);
                    }
                }
                self.lines.push(&bytes[..message.bytes]);
                Arrival::Bytes(message.bytes)
            }
            Err(Errno::AGAIN | Errno::INTR) => Arrival::NothingNow,
            Err(_) => Arrival::End,
        }
    }

    /// Sends an answer without waiting. A client has one request open at a time, so its socket has
    /// room for the answer. A client whose socket is full does not read, and the end of one that
    /// has gone is noticed when the socket is read.
    pub fn answer(&self, line: &str) {
        let _ = rustix::net::send(
            &self.socket,
            line.as_bytes(),
            SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
        );
    }
}

impl Stream {
    /// Reads once from the pipe into `room`, without waiting.
    pub fn read(&self, room: &mut [u8]) -> Arrival {
        match rustix::io::read(self.pipe.as_fd(), room) {
            Ok(0) => Arrival::End,
            Ok(received) => Arrival::Bytes(received),
            Err(Errno::AGAIN | Errno::INTR) => Arrival::NothingNow,
            Err(_) => Arrival::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &str) -> Program {
        Program {
            processes: 1,
            path: path.into(),
            arguments: vec!["-x".into()],
            directory: None,
            search: None,
            inherit: Inherit::All,
            variables: Vec::new(),
            hosts: None,
        }
    }

    #[test]
    fn the_message_says_why_a_program_cannot_start() {
        let failure =
            |path: &str, kind: io::ErrorKind| not_started(0, &program(path), false, kind.into());
        assert_eq!(failure("no-such", io::ErrorKind::NotFound).code, NOT_FOUND);
        assert!(failure("src", io::ErrorKind::NotFound).error.advice.contains("./src"));
        assert!(failure("/etc/passwd", io::ErrorKind::NotFound).error.what.contains("interpreter"));
        assert_eq!(failure("/etc/passwd", io::ErrorKind::PermissionDenied).code, NOT_EXECUTABLE);
        let mut elsewhere = program("ls");
        elsewhere.directory = Some("/no/such".into());
        assert!(
            not_started(0, &elsewhere, false, io::ErrorKind::NotFound.into())
                .error
                .what
                .contains("-wdir /no/such")
        );
    }

    #[test]
    fn a_program_that_is_missing_on_one_host_is_told_with_that_host() {
        let missing = not_started(3, &program("./a.out"), true, io::ErrorKind::NotFound.into());
        let missing = missing.error.to_string();
        let host = nemesis_sys::host::hostname();
        let place = format!("./a.out: the program does not exist on {host} (rank 3); try: copying");
        assert!(missing.starts_with(&place), "{missing}");
    }

    #[test]
    fn a_directory_and_a_program_for_another_processor_are_not_started() {
        let folder = std::env::temp_dir();
        let directory = unsuitable(0, &program(folder.to_str().unwrap()), false).unwrap();
        assert!(directory.error.what.ends_with("is a directory"), "{}", directory.error);
        let path = folder.join(format!("nemesis-test-machine-{}", std::process::id()));
        let mut head = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        head[18..20].copy_from_slice(&22_u16.to_le_bytes());
        std::fs::write(&path, &head).unwrap();
        let told = || unsuitable(0, &program(path.to_str().unwrap()), false);
        let other = told().unwrap().error.what;
        assert!(other.contains("is a program for s390x, and this host is"), "{other}");
        std::fs::write(&path, b"1.0 \0\0\x7f data that is no program").unwrap();
        let data = told().map(|refused| refused.error.what);
        assert_eq!(data.is_none(), may_have_emulators());
        assert!(data.is_none_or(|what| what.ends_with("is not a program but data")));
        // A script without a first line for the kernel is one of the shell.
        std::fs::write(&path, b"echo a script of the shell, which has no interpreter").unwrap();
        assert!(told().is_none());
        std::fs::remove_file(&path).unwrap();
        assert!(unsuitable(0, &program("/bin/sh"), false).is_none());
        assert!(unsuitable(0, &program("ls"), false).is_none(), "the search of PATH finds it");
    }

    #[test]
    fn data_is_told_from_scripts() {
        assert!(is_data(b"1.0 \0\0\x7f data", false) && !is_data(b"1.0 \0\0\x7f data", true));
        assert!(!is_data(b"echo a script of the shell\n", false));
        assert!(!is_data(b"MZqFpD='\n\0\0\0 a program that is a script, too", false));
    }

    #[test]
    fn a_limit_that_is_reached_is_named() {
        let message = |errno: Errno| no_resources(3, &errno.into()).error.to_string();
        assert!(message(Errno::MFILE).ends_with("try: raising `ulimit -n`"));
        assert!(
            message(Errno::AGAIN).contains("rank 3 cannot be started")
                && (message(Errno::AGAIN).contains("`ulimit -u`")
                    || message(Errno::AGAIN).contains("pids.max"))
        );
        let no_memory = message(Errno::NOMEM);
        assert!(no_memory.contains("`ulimit -v`") || no_memory.contains("overcommit"));
        assert!(
            message(Errno::IO)
                .ends_with("try: `nemesis doctor`, which tells what this host permits")
        );
    }

    #[test]
    fn a_command_is_shown_on_one_line() {
        assert_eq!(shown(&program("./a.out")), "./a.out -x");
        let mut script = program("sh");
        script.arguments = vec!["-c".into(), format!("one\ntwo {}", "é".repeat(100)).into()];
        let shown = shown(&script);
        assert!(
            shown.starts_with("sh -c one two é")
                && shown.ends_with('…')
                && shown.len() <= SHOWN_BYTES_MAX + 3
        );
    }
}
