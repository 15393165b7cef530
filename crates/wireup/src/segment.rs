//! The node's segment: which process makes it, and how the others obtain it.
//!
//! `mpiexec` of Nemesis makes it and its children inherit the descriptor. Under another launcher
//! the first rank of the node makes it, and passes the descriptor to each of the others through an
//! abstract Unix socket, whose random name is on its card:
//!
//! ```text
//!   first rank                                    another rank of the node
//!   listen (before the cards' barrier)
//!                                        ←        connect
//!   same user?                                    same user?
//!                                        ←        rank, job key
//!   key right? a rank of this node, once?
//!   job key, descriptor                  →        key right?
//! ```
//!
//! The first rank serves exactly the other ranks of its node and then closes the socket.
//! Connections of other processes are dropped and do not count. No wait outlasts the launcher or
//! [`TIMEOUT`].

use crate::card::Card;
use crate::key::{JobKey, KEY_BYTES};
use crate::{WireupError, environment};
use nemesis_sys::memfd::{self, Backing};
use nemesis_sys::unix_socket;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::Resource;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

/// Size of the segment: a range of offsets. The segment is sparse, and no process maps more than it
/// uses. The windows of 255 processes get a quarter of a tebibyte each. It is smaller if a limit of
/// the process does not permit this size.
pub const SEGMENT_BYTES: u64 = 1 << 46;
/// Bytes for each process of the node, and for the segment's header, if memory must be allocated at
/// once and /dev/shm has space for it.
const ALLOCATED_BYTES_PER_PROCESS: u64 = 8 << 20;
/// Minimum bytes of a process's slot with its cells and fastboxes.
const LEAST_BYTES_PER_PROCESS: u64 = 7 << 20;

/// Time limit of handing the segment over. It takes milliseconds, but longer if a rank is stopped
/// in a debugger.
pub const TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit for the first message of a connected process.
const GREETING_TIMEOUT: Duration = Duration::from_secs(5);

const GREETING_BYTES: usize = 4 + KEY_BYTES;

/// The memory that the processes of a node share, initially zero.
#[derive(Debug)]
pub struct Segment {
    /// The descriptor of its file.
    pub descriptor: OwnedFd,
    /// Its length in bytes.
    pub bytes: u64,
    /// The kind of memory behind it.
    pub backing: Backing,
    /// True in exactly one process of the node: the first rank.
    pub is_first: bool,
}

/// Makes a segment for `processes` processes: sparse if the kernel permits it, else a file in
/// /dev/shm that is allocated at once.
pub fn make(processes: usize) -> Result<memfd::Memory, WireupError> {
    let slots = processes as u64 + 1;
    let least = slots * LEAST_BYTES_PER_PROCESS;
    if least > memfd::file_bytes_max() {
        return Err(too_long_a_file(processes, least));
    }
    memfd::sparse(SEGMENT_BYTES, least).or_else(|no_memfd| {
        memfd::allocated(slots * ALLOCATED_BYTES_PER_PROCESS, least).map_err(|no_file| {
            let mut why = format!("memfd: {no_memfd}; file in /dev/shm: {no_file}");
            if let Some(reached) = nemesis_sys::limits::of_memory() {
                why = reached.added_to(why);
            }
            WireupError::new(
                format!("making shared memory for {processes} processes"),
                why,
                "raising `ulimit -v`, \
                 or giving the container a larger /dev/shm (docker run --shm-size)",
            )
        })
    })
}

/// Describes that `ulimit -f` permits less than `least` bytes.
fn too_long_a_file(processes: usize, least: u64) -> WireupError {
    let limit = memfd::file_bytes_max();
    let why = format!(
        "the limit of file sizes (`ulimit -f`), which applies to it, is {limit} bytes, \
         and {least} are needed"
    );
    let advice =
        format!("`ulimit -f unlimited`, or at least {} blocks of 512 bytes", least.div_ceil(512));
    WireupError::new(format!("making shared memory for {processes} processes"), why, advice)
}

/// Returns the limit of this process that makes a segment of `bytes` bytes smaller than the
/// maximum.
pub fn bound_of(bytes: u64) -> Option<&'static str> {
    let is_less = |resource| {
        rustix::process::getrlimit(resource).current.is_some_and(|limit| limit < SEGMENT_BYTES)
    };
    let bounds = [(Resource::Fsize, "ulimit -f"), (Resource::As, "ulimit -v")];
    let found = bounds.into_iter().find(|(resource, _)| is_less(*resource));
    found.filter(|_| bytes < SEGMENT_BYTES).map(|(_, name)| name)
}

/// Opens the segment that `mpiexec` left open as descriptor `number`.
pub(crate) fn inherited(number: &str, is_first: bool) -> Result<Segment, WireupError> {
    let wrong = |why: String| {
        let what = format!("taking over the segment ({}={number})", environment::SEGMENT_FD);
        WireupError::new(
            what,
            why,
            "starting the program directly by mpiexec, \
             or by a wrapper that leaves its descriptors open",
        )
    };
    let raw = number.parse().map_err(|_| wrong("that is no number".into()))?;
    let descriptor =
        nemesis_sys::process::inherit(raw).map_err(|refused| wrong(refused.to_string()))?;
    let (backing, bytes) = memfd::backing_of(&descriptor)
        .map_err(|refused| wrong(format!("that is no memory ({refused})")))?;
    Ok(Segment { descriptor, bytes, backing, is_first })
}

/// Makes the segment, calls `prepare` with its file, and passes it to all `others`, which connect
/// to `listener`. Stops if the launcher ends.
pub(crate) fn hand_over(
    listener: &UnixListener,
    others: &[u32],
    key: &JobKey,
    launcher: Option<BorrowedFd<'_>>,
    prepare: impl FnOnce(BorrowedFd<'_>),
) -> Result<Segment, WireupError> {
    let memory = make(others.len() + 1)?;
    prepare(memory.descriptor.as_fd());
    let deadline = Instant::now() + TIMEOUT;
    let mut waiting: Vec<u32> = others.to_vec();
    while !waiting.is_empty() {
        await_visitor(listener, launcher, deadline).map_err(|why| missing(&waiting, &why))?;
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // The peer closed the connection before it was accepted.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return Err(missing(&waiting, &error.to_string())),
        };
        let Ok(rank) = greeting(&stream, key) else { continue };
        let Some(place) = waiting.iter().position(|&other| other == rank) else { continue };
        let mut answer = [0; KEY_BYTES];
        answer.copy_from_slice(key.bytes());
        if unix_socket::send_with_descriptor(&stream, &answer, &memory.descriptor).is_ok() {
            waiting.swap_remove(place);
        }
    }
    Ok(Segment {
        descriptor: memory.descriptor,
        bytes: memory.bytes,
        backing: memory.backing,
        is_first: true,
    })
}

fn missing(waiting: &[u32], why: &str) -> WireupError {
    WireupError::new(
        format!("handing the segment to ranks {waiting:?} of this node"),
        why,
        "looking for the first rank that ended, or that never called MPI_Init",
    )
}

fn late() -> String {
    format!("they did not come within {} s", TIMEOUT.as_secs())
}

fn await_visitor(
    listener: &UnixListener,
    launcher: Option<BorrowedFd<'_>>,
    deadline: Instant,
) -> Result<(), String> {
    loop {
        // Connections of other processes do not extend the deadline.
        let left = deadline.checked_duration_since(Instant::now()).ok_or_else(late)?;
        let mut interest = vec![PollFd::new(listener, PollFlags::IN)];
        interest.extend(launcher.map(|line| PollFd::from_borrowed_fd(line, PollFlags::RDHUP)));
        let timeout =
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match rustix::event::poll(&mut interest, Some(&timeout)) {
            Ok(0) => return Err(late()),
            Ok(_) if interest.get(1).is_some_and(|line| !line.revents().is_empty()) => {
                return Err("the launcher is gone".into());
            }
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(refused) => return Err(refused.to_string()),
        }
    }
}

/// Reads the rank of a connected process. Fails if it belongs to another user or another job.
fn greeting(mut stream: &UnixStream, key: &JobKey) -> io::Result<u32> {
    let stranger = || io::Error::from(io::ErrorKind::PermissionDenied);
    if unix_socket::peer_user(stream)? != unix_socket::own_user() {
        return Err(stranger());
    }
    stream.set_read_timeout(Some(GREETING_TIMEOUT))?;
    let mut bytes = [0; GREETING_BYTES];
    stream.read_exact(&mut bytes)?;
    let (rank, candidate) = bytes.split_first_chunk::<4>().ok_or_else(stranger)?;
    if key.matches(candidate) { Ok(u32::from_le_bytes(*rank)) } else { Err(stranger()) }
}

/// Obtains the segment from the first rank of this node, which has published card `first`.
pub(crate) fn receive(
    rank: u32,
    first_rank: u32,
    first: &Card,
    key: &JobKey,
) -> Result<Segment, WireupError> {
    let failed = |why: String| {
        WireupError::new(
            format!("getting the segment from rank {first_rank} of this node"),
            why,
            format!("looking at what rank {first_rank} says"),
        )
    };
    let exchange = || -> io::Result<Segment> {
        let mut stream = unix_socket::connect_abstract(&first.socket)?;
        if unix_socket::peer_user(&stream)? != unix_socket::own_user() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it runs as another user"));
        }
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.write_all(&[rank.to_le_bytes().as_slice(), key.bytes()].concat())?;
        let mut answer = [0; KEY_BYTES];
        let (received, descriptor) = unix_socket::receive_with_descriptor(&stream, &mut answer)?;
        let descriptor = descriptor.filter(|_| key.matches(&answer[..received]));
        let descriptor = descriptor.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::ConnectionAborted,
                "it closed the connection without an answer",
            )
        })?;
        let (backing, bytes) = memfd::backing_of(descriptor.as_fd())?;
        Ok(Segment { descriptor, bytes, backing, is_first: false })
    };
    exchange().map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::SOCKET_NAME_BYTES;

    fn meeting() -> (UnixListener, Card, JobKey, UnixStream, UnixStream) {
        let card = Card::of_this_process(0).unwrap();
        let key = card.key.clone().unwrap();
        let listener = unix_socket::listen_abstract(&card.socket).unwrap();
        let (launcher, far_end) = UnixStream::pair().unwrap();
        (listener, card, key, launcher, far_end)
    }

    #[test]
    fn everybody_gets_the_same_memory() {
        let (listener, card, key, launcher, _far_end) = meeting();
        std::thread::scope(|scope| {
            let others = [1, 5].map(|rank| {
                let (card, key) = (&card, &key);
                scope.spawn(move || receive(rank, 0, card, key).unwrap())
            });
            let first =
                hand_over(&listener, &[1, 5], &key, Some(launcher.as_fd()), |_| ()).unwrap();
            rustix::io::pwrite(&first.descriptor, b"shared", 0).unwrap();
            for other in others {
                let other = other.join().unwrap();
                let mut bytes = [0; 6];
                rustix::io::pread(&other.descriptor, &mut bytes, 0).unwrap();
                assert_eq!(
                    (&bytes, other.bytes, other.backing),
                    (b"shared", first.bytes, first.backing)
                );
                assert!(first.is_first && !other.is_first);
            }
        });
    }

    #[test]
    fn a_stranger_gets_nothing_and_does_not_count() {
        let (listener, card, key, launcher, _far_end) = meeting();
        std::thread::scope(|scope| {
            let job =
                scope.spawn(|| hand_over(&listener, &[1], &key, Some(launcher.as_fd()), |_| ()));
            assert!(receive(1, 0, &card, &JobKey::random().unwrap()).is_err());
            assert!(receive(2, 0, &card, &key).is_err());
            assert!(receive(1, 0, &card, &key).is_ok());
            assert!(job.join().unwrap().is_ok());
        });
    }

    #[test]
    fn nobody_waits_for_a_launcher_that_is_gone() {
        let (listener, _card, key, launcher, far_end) = meeting();
        drop(far_end);
        let error = hand_over(&listener, &[1], &key, Some(launcher.as_fd()), |_| ()).unwrap_err();
        assert!(error.why.contains("launcher is gone") && error.what.contains("[1]"));
    }

    #[test]
    fn a_first_rank_that_is_gone_is_named() {
        let card = Card { place: String::new(), socket: [7; SOCKET_NAME_BYTES], key: None };
        let error = receive(3, 2, &card, &JobKey::random().unwrap()).unwrap_err();
        assert!(error.what.contains("rank 2"));
    }

    #[test]
    fn a_descriptor_that_is_no_memory_is_refused() {
        assert!(inherited("x", true).unwrap_err().why.contains("no number"));
        assert!(inherited("-1", true).is_err());
        let (pipe, _writer) = rustix::pipe::pipe().unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&pipe).to_string();
        assert!(inherited(&number, true).unwrap_err().why.contains("no memory"));
    }
}
