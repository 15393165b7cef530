//! Names of processes and channels: abstract addresses of Unix sockets, which the system removes.
//!
//! A network namespace has abstract addresses of its own. Simulated hosts that share their
//! processes name a folder instead (`VERBS_MOCK_FOLDER`), in which sockets are files that remain.

use std::os::fd::RawFd;
use std::sync::OnceLock;

/// Returns the folder of the sockets, if one is named.
fn folder() -> Option<&'static str> {
    static FOLDER: OnceLock<Option<String>> = OnceLock::new();
    FOLDER.get_or_init(|| std::env::var("VERBS_MOCK_FOLDER").ok()).as_deref()
}

/// Returns the name at which the process with a local identifier listens.
pub fn place(lid: u16) -> String {
    format!("nemesis-verbs-mock-{lid}")
}

/// Returns the name of a channel.
pub fn channel(pid: i32, number: u32) -> String {
    format!("nemesis-verbs-mock-channel-{pid}-{number}")
}

fn address(name: &str) -> (libc::sockaddr_un, libc::socklen_t) {
    // SAFETY: the structure consists of numbers.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    // The first byte of an abstract name is zero, and the last byte of a path.
    let name = match folder() {
        Some(folder) => format!("{folder}/{name}\0"),
        None => format!("\0{name}"),
    };
    assert!(name.len() <= address.sun_path.len(), "the name of a socket is too long: {name:?}");
    for (to, byte) in address.sun_path.iter_mut().zip(name.bytes()) {
        *to = byte as libc::c_char;
    }
    let bytes = std::mem::offset_of!(libc::sockaddr_un, sun_path) + name.len();
    (address, bytes as libc::socklen_t)
}

fn socket(kind: libc::c_int) -> Option<RawFd> {
    // SAFETY: the call takes numbers only.
    let socket = unsafe { libc::socket(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC, 0) };
    (socket >= 0).then_some(socket)
}

fn close(socket: RawFd) {
    // SAFETY: the caller made the socket and does not use it again.
    unsafe { libc::close(socket) };
}

fn bind(kind: libc::c_int, name: &str) -> Option<RawFd> {
    let (socket, (address, bytes)) = (socket(kind)?, address(name));
    // SAFETY: the address is complete.
    let code = unsafe { libc::bind(socket, (&raw const address).cast(), bytes) };
    if code != 0 {
        close(socket);
        return None;
    }
    Some(socket)
}

/// Listens at a name; `None` if it is taken. Nobody accepts: connections tell only that the process
/// lives.
pub fn listen(name: &str) -> Option<RawFd> {
    let socket = bind(libc::SOCK_STREAM, name)?;
    // SAFETY: the socket is bound.
    unsafe { libc::listen(socket, 4096) };
    Some(socket)
}

pub fn connect(name: &str) -> Option<RawFd> {
    let (socket, (address, bytes)) = (socket(libc::SOCK_STREAM)?, address(name));
    // SAFETY: the address is complete.
    if unsafe { libc::connect(socket, (&raw const address).cast(), bytes) } != 0 {
        close(socket);
        return None;
    }
    Some(socket)
}

/// Returns the process that listens at the other end.
pub fn peer(socket: RawFd) -> Option<i32> {
    let mut credentials = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut bytes = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the structure has the length named.
    let code = unsafe {
        libc::getsockopt(
            socket,
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut credentials).cast(),
            &raw mut bytes,
        )
    };
    (code == 0).then_some(credentials.pid)
}

/// Makes the descriptor of a channel: a socket that receives a datagram for each event.
pub fn open_channel(name: &str) -> Option<RawFd> {
    bind(libc::SOCK_DGRAM, name)
}

/// Sends the event of a completion queue to a channel.
pub fn notify(name: &str, queue: u64) {
    let Some(socket) = socket(libc::SOCK_DGRAM) else { return };
    let (address, bytes) = address(name);
    let event = queue.to_ne_bytes();
    // SAFETY: message and address are complete. A channel whose buffer is full is readable.
    unsafe {
        libc::sendto(
            socket,
            event.as_ptr().cast(),
            event.len(),
            libc::MSG_DONTWAIT,
            (&raw const address).cast(),
            bytes,
        )
    };
    close(socket);
}

/// Reads one event from a channel.
pub fn read(descriptor: RawFd) -> Option<u64> {
    let mut event = [0; 8];
    // SAFETY: the buffer has the length named.
    let bytes = unsafe { libc::read(descriptor, event.as_mut_ptr().cast(), event.len()) };
    (bytes == 8).then(|| u64::from_ne_bytes(event))
}

/// Returns a descriptor for the events of a context.
pub fn open_events() -> Option<RawFd> {
    // SAFETY: the call takes numbers only.
    let events = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
    (events >= 0).then_some(events)
}

/// Adds an event.
pub fn raise(events: RawFd) {
    // SAFETY: the descriptor is open as long as its context.
    unsafe { libc::eventfd_write(events, 1) };
}

/// Takes all events. Returns whether there was one.
pub fn take(events: RawFd) -> bool {
    let mut count = 0;
    // SAFETY: the number is writable.
    unsafe { libc::eventfd_read(events, &raw mut count) == 0 }
}
