//! System calls on sockets. All sockets are non-blocking.

pub use nemesis_cipher::socket::{Moved, read_plain, read_two_plain, write_plain, write_run_plain};
use nemesis_sys::choice::Ports;
use nemesis_sys::descriptors;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketAddrAny, SocketFlags, SocketType, sockopt};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// Connections that the kernel accepts while the process does not poll.
const BACKLOG: i32 = 1024;
/// The kernel detects a dead host behind an idle connection after about eight seconds.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(3);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(1);
const KEEPALIVE_PROBES: u32 = 5;
/// Maximum bytes of unsent data in the kernel: enough to keep the network busy, and few enough for
/// a further rail to get its share of a long message.
const UNSENT_BYTES: u32 = 128 << 10;

fn family(address: &SocketAddr) -> AddressFamily {
    if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 }
}

fn stream(address: &SocketAddr) -> rustix::io::Result<OwnedFd> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let open = || net::socket_with(family(address), SocketType::STREAM, flags, None);
    descriptors::retry(open).map(descriptors::beyond)
}

/// Listens on all addresses, on one of `ports`. Returns the socket and its port.
pub fn listen(ports: &Ports) -> rustix::io::Result<(OwnedFd, u16)> {
    let everywhere = [IpAddr::V6(Ipv6Addr::UNSPECIFIED), IpAddr::V4(Ipv4Addr::UNSPECIFIED)];
    let mut refused = Errno::ADDRINUSE;
    for address in everywhere {
        let Some(range) = &ports.0 else {
            match listen_at(SocketAddr::new(address, 0)) {
                Ok(listening) => return Ok(listening),
                Err(errno) => refused = errno,
            }
            continue;
        };
        // Processes of a host start at different ports of the range.
        let (first, count) = (u32::from(*range.start()), range.len() as u32);
        let shift = std::process::id() % count;
        for step in 0..count {
            let port = (first + (shift + step) % count) as u16;
            match listen_at(SocketAddr::new(address, port)) {
                Ok(listening) => return Ok(listening),
                Err(errno) => refused = errno,
            }
        }
    }
    Err(refused)
}

fn listen_at(address: SocketAddr) -> rustix::io::Result<(OwnedFd, u16)> {
    let socket = stream(&address)?;
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&socket, false)?;
    }
    if address.port() != 0 {
        // Allows a port whose previous owner has just exited, but not one that is listened on.
        sockopt::set_socket_reuseaddr(&socket, true)?;
    }
    net::bind(&socket, &address)?;
    net::listen(&socket, BACKLOG)?;
    let own = ip(net::getsockname(&socket)?).ok_or(Errno::AFNOSUPPORT)?;
    Ok((socket, own.port()))
}

/// Returns the next accepted connection and its peer's address; `None` if there is none.
pub fn accept(listener: impl AsFd) -> rustix::io::Result<Option<(OwnedFd, Option<SocketAddr>)>> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    match descriptors::retry(|| net::acceptfrom_with(&listener, flags)) {
        Ok((socket, from)) => Ok(Some((descriptors::beyond(socket), from.and_then(ip)))),
        Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Starts to connect, from `source` if given.
pub fn connect(to: &SocketAddr, source: Option<SocketAddr>) -> rustix::io::Result<OwnedFd> {
    let socket = stream(to)?;
    if let Some(source) = source {
        net::bind(&socket, &source)?;
    }
    match net::connect(&socket, to) {
        Ok(()) | Err(Errno::INPROGRESS | Errno::INTR) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

/// Returns the outcome of a connect; `None` while it is in progress.
pub fn connected(socket: impl AsFd) -> Option<Result<(), Errno>> {
    let socket = socket.as_fd();
    match sockopt::socket_error(socket) {
        Err(errno) | Ok(Err(errno)) => Some(Err(errno)),
        Ok(Ok(())) => match net::getpeername(socket) {
            Ok(_) => Some(Ok(())),
            Err(_) => None,
        },
    }
}

/// Sets the options of a connection: send packets without delay, detect a dead peer.
pub fn tune(socket: impl AsFd, send_buffer: Option<usize>) {
    let socket = socket.as_fd();
    // The connection works without any of these options, only worse.
    let _ = sockopt::set_tcp_nodelay(socket, true);
    nemesis_sys::tcp::limit_unsent(socket, UNSENT_BYTES);
    let _ = sockopt::set_socket_keepalive(socket, true);
    let _ = sockopt::set_tcp_keepidle(socket, KEEPALIVE_IDLE);
    let _ = sockopt::set_tcp_keepintvl(socket, KEEPALIVE_INTERVAL);
    let _ = sockopt::set_tcp_keepcnt(socket, KEEPALIVE_PROBES);
    if let Some(bytes) = send_buffer {
        let _ = sockopt::set_socket_send_buffer_size(socket, bytes);
    }
}

/// Returns the address of this end.
pub fn own_address(socket: impl AsFd) -> Option<IpAddr> {
    Some(ip(net::getsockname(socket).ok()?)?.ip().to_canonical())
}

/// Returns the address of the peer.
pub fn peer_address(socket: impl AsFd) -> Option<SocketAddr> {
    net::getpeername(socket).ok().flatten().and_then(ip)
}

fn ip(address: SocketAddrAny) -> Option<SocketAddr> {
    SocketAddr::try_from(address).ok()
}
