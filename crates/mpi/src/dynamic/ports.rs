//! Ports (MPI 5.0 §11.8.2): open, close, accept, connect, and join.

use super::meeting::{self, Call, Encounter, Seek, meet, run_aside};
use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::handle;
use crate::info::Info;
use crate::life::tunables;
use nemesis_sys::bell::{self, PollInterest};
use nemesis_sys::choice::Ports;
use nemesis_sys::descriptors;
use nemesis_sys::process::{self, NoStream};
use nemesis_wireup::build;
use nemesis_wireup::port::{self, ConnectLimits, NotAccepted, Port, Purpose, Refused};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::IpAddr;
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which an accept checks whether its port has been closed.
const TICK: Duration = Duration::from_millis(200);
/// Time that a connect takes to reach the host of a port, unless the info key `timeout` says
/// another.
const REACH_TIMEOUT: Duration = Duration::from_secs(30);
/// Time that a connect then waits until the port's process accepts, unless the info key `timeout`
/// says another.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(180);
/// Time that a join waits for the connection of the other end, which has called it, too.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);
/// First bytes of each end of a join.
const JOIN_MAGIC: [u8; 8] = *b"NEMjoin\x01";
/// Time between two looks at a socket of a join.
const JOIN_TICK: Duration = Duration::from_secs(1);

/// The open ports of this process.
static PORTS: Mutex<Vec<Arc<Port>>> = Mutex::new(Vec::new());

fn ports() -> MutexGuard<'static, Vec<Arc<Port>>> {
    // Every change is one call of `push`, `swap_remove` or `clear`.
    PORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a port that is not in the table.
pub fn open_unlisted() -> Outcome<Port> {
    let tunables = tunables()?;
    Port::open(&tunables.net, &tunables.ports, None).map_err(|refused| {
        Error::new(abi::MPI_ERR_OTHER, format!("no port can be opened on this host: {refused}"))
            .advise(
                "look at `ulimit -n` and `ip address`; with -port-range, choose a wider range: \
                 each port that is open (MPI_Open_port, MPI_Comm_spawn) takes one beside that of \
                 the host or of the process",
            )
    })
}

/// Parses the value of an info key of ports.
fn parsed_hint<T: FromStr>(hints: &Info, key: &str, meaning: &str) -> Outcome<Option<T>> {
    let Some(text) = hints.get(key) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| {
        Error::new(abi::MPI_ERR_INFO_VALUE, format!("{key} is {text:?}, it must be {meaning}"))
            .advise(format!("give {meaning}, or leave {key} out"))
    })
}

/// Opens the port that the keys `ip_port` and `ip_address` describe (MPI 5.0 §11.8.5). Without a
/// number the range of the job holds.
fn open_at(hints: &Info) -> Outcome<Port> {
    let number: Option<NonZeroU16> = parsed_hint(hints, "ip_port", "a number from 1 to 65535")?;
    let address: Option<IpAddr> = parsed_hint(hints, "ip_address", "an address of this host")?;
    if let Some(all) = address.filter(IpAddr::is_unspecified) {
        let why = format!("ip_address is {all}, to which no other host can connect");
        return Err(Error::new(abi::MPI_ERR_INFO_VALUE, why)
            .advise("leave ip_address out to listen on all addresses"));
    }
    if number.is_none() && address.is_none() {
        return open_unlisted();
    }
    let tunables = tunables()?;
    let number = number.map(|number| Ports(Some(number.get()..=number.get())));
    let ports = number.as_ref().unwrap_or(&tunables.ports);
    Port::open(&tunables.net, ports, address).map_err(|refused| {
        let told = |key| hints.get(key).unwrap_or("not given");
        let why = format!(
            "no port can be opened at this place: {refused} (ip_address {}, ip_port {})",
            told("ip_address"),
            told("ip_port")
        );
        Error::new(abi::MPI_ERR_OTHER, why)
            .advise("compare ip_address with `ip address`, and ip_port with `ss -ltn`")
    })
}

/// `MPI_Open_port`: returns the name of a new port.
pub fn open(hints: &Info) -> Outcome<String> {
    let port = open_at(hints)?;
    let name = port.name().to_owned();
    ports().push(Arc::new(port));
    Ok(name)
}

/// `MPI_Close_port`.
pub fn close(name: &str) -> Outcome {
    let mut ports = ports();
    let place = ports.iter().position(|port| port.name() == name).ok_or_else(|| not_open(name))?;
    ports.swap_remove(place);
    Ok(())
}

/// Closes the ports that this process has not closed, when it finalizes.
pub fn close_all() {
    ports().clear();
}

fn not_open(name: &str) -> Box<Error> {
    Error::new(abi::MPI_ERR_PORT, format!("this process has no open port with the name {name:?}"))
        .advise("pass the text that MPI_Open_port wrote, in the process that called it")
}

/// Returns the time of the info key `timeout`, in seconds.
fn timeout_of(hints: &Info) -> Outcome<Option<Duration>> {
    let seconds: Option<u32> = parsed_hint(hints, "timeout", "a number of seconds")?;
    Ok(seconds.map(|seconds| Duration::from_secs(seconds.into())))
}

/// What the root of an accept or a connect passes: the name of a port, and hints.
pub type AtRoot = (String, Info);

/// `MPI_Comm_accept`. The root gives the name of its port, or the error of its arguments, which all
/// processes return.
pub fn accept(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    at_root: Option<Outcome<AtRoot>>,
) -> Outcome<handle::Comm> {
    let seek = at_root.map(|at_root| -> Seek {
        Box::new(move || {
            let (name, hints) = at_root?;
            accept_at(&name, timeout_of(&hints)?)
        })
    });
    let side = meeting::begin(mpi, comm, root, Call::Accept)?;
    meet(mpi, side, seek)
}

/// Waits for the next guest at the port with this name, until the port is closed.
fn accept_at(name: &str, limit: Option<Duration>) -> Outcome<Encounter> {
    let begun = Instant::now();
    let port = ports().iter().find(|port| port.name() == name).cloned();
    let port = Arc::downgrade(&port.ok_or_else(|| not_open(name))?);
    loop {
        let Some(port) = port.upgrade() else {
            let why = "the port has been closed while an accept waited";
            return Err(Error::new(abi::MPI_ERR_PORT, why)
                .advise("call MPI_Close_port after the last accept has returned"));
        };
        if let Some(limit) = limit.filter(|limit| begun.elapsed() > *limit) {
            let why = format!("nobody has connected within {} s", limit.as_secs());
            return Err(Error::new(abi::MPI_ERR_PORT, why).advise(
                "MPI_Comm_connect with the name of this port; a longer time by the info key \
                 timeout, in seconds",
            ));
        }
        let mut ticks = 0;
        let looked = port.accept(TICK, || {
            ticks += 1;
            ticks > 1
        });
        match looked {
            Ok(Some((Purpose::Meet, connection))) => {
                return Ok(Encounter { connection, is_host: true, explain: None });
            }
            Ok(Some((Purpose::Launch, _)) | None) => {}
            Err(not_accepted) => return Err(unaccepted(abi::MPI_ERR_PORT, &not_accepted)),
        }
    }
}

/// Returns the error of a port that has accepted nobody.
pub fn unaccepted(class: ErrorClass, not_accepted: &NotAccepted) -> Box<Error> {
    let why = not_accepted.to_string();
    if let Some(why) = descriptors::explained(&why) {
        return Error::new(class, why).advise(descriptors::ADVICE);
    }
    Error::new(class, why).advise(match not_accepted {
        NotAccepted::OtherBuild(_) => build::ADVICE,
        NotAccepted::Failed(_) => "close the port, and open another one",
    })
}

/// `MPI_Comm_connect`. The root gives the name of the port, or the error of its arguments, which
/// all processes return.
pub fn connect(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    at_root: Option<Outcome<AtRoot>>,
) -> Outcome<handle::Comm> {
    let seek = at_root.map(|at_root| -> Seek {
        Box::new(move || {
            let (name, hints) = at_root?;
            let limit = timeout_of(&hints)?;
            let limits = ConnectLimits {
                reach: limit.unwrap_or(REACH_TIMEOUT),
                accept: Some(limit.unwrap_or(ACCEPT_TIMEOUT)),
            };
            guest(&name, limits)
        })
    });
    let side = meeting::begin(mpi, comm, root, Call::Connect)?;
    meet(mpi, side, seek)
}

/// Connects to a port.
pub fn guest(name: &str, limits: ConnectLimits) -> Outcome<Encounter> {
    match port::connect(name, Purpose::Meet, limits) {
        Ok(connection) => Ok(Encounter { connection, is_host: false, explain: None }),
        Err(refused) => {
            let why = format!("the port cannot be reached: {refused}");
            if let Some(why) = descriptors::explained(&why) {
                return Err(Error::new(abi::MPI_ERR_PORT, why).advise(descriptors::ADVICE));
            }
            Err(Error::new(abi::MPI_ERR_PORT, why).advise(match refused {
                Refused::OtherBuild(_) => build::ADVICE,
                Refused::NoName => "pass the text that MPI_Open_port wrote, unchanged",
                Refused::Closed(_) => {
                    "check that the process that opened the port still runs and has not closed it"
                }
                Refused::NotAccepted => {
                    "MPI_Comm_accept in the process that opened the port; \
                     a longer time by the info key timeout, in seconds"
                }
                Refused::Failed(_) => {
                    "check the network to that host, or choose interfaces by mpiexec -net"
                }
            }))
        }
    }
}

/// `MPI_Comm_join`: connects this process with the one at the other end of a socket. Returns `None`
/// if that one does not use this library.
pub fn join(mpi: &mut Mpi, socket: OwnedFd) -> Outcome<Option<handle::Comm>> {
    check_joint(&socket)?;
    let own = open_unlisted()?;
    let greeting = [&JOIN_MAGIC[..], &[own.name().len() as u8], own.name().as_bytes()].concat();
    let broken = |error: io::Error| {
        let why = match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => {
                "the process at the other end of the socket has closed it".to_owned()
            }
            _ => format!("the socket does not work: {error}"),
        };
        Error::new(abi::MPI_ERR_OTHER, why)
            .advise("call MPI_Comm_join at both ends of the socket, and close it afterwards")
    };
    let theirs = run_aside(mpi, move || {
        let mut socket = File::from(socket);
        write_all(&mut socket, &greeting).map_err(broken)?;
        let mut head = [0; JOIN_MAGIC.len() + 1];
        read_exact(&mut socket, &mut head).map_err(broken)?;
        let [magic @ .., length] = head;
        if magic != JOIN_MAGIC {
            return Ok(None);
        }
        let mut name = vec![0; length.into()];
        read_exact(&mut socket, &mut name).map_err(broken)?;
        Ok(Some(String::from_utf8_lossy(&name).into_owned()))
    })?;
    let Some(theirs) = theirs else { return Ok(None) };
    let seek = Box::new(move || {
        if own.name() > theirs.as_str() {
            let limits = ConnectLimits { reach: REACH_TIMEOUT, accept: Some(JOIN_TIMEOUT) };
            return guest(&theirs, limits);
        }
        let deadline = Instant::now() + JOIN_TIMEOUT;
        loop {
            match own.accept(TICK, || Instant::now() > deadline) {
                Ok(Some((Purpose::Meet, connection))) => {
                    return Ok(Encounter { connection, is_host: true, explain: None });
                }
                Ok(Some((Purpose::Launch, _))) => {}
                Ok(None) => {
                    let why = "the other end of the socket has not connected";
                    return Err(Error::new(abi::MPI_ERR_OTHER, why)
                        .advise("look at the error of the other process"));
                }
                Err(not_accepted) => return Err(unaccepted(abi::MPI_ERR_OTHER, &not_accepted)),
            }
        }
    });
    let side = meeting::begin(mpi, abi::MPI_COMM_SELF, 0, Call::Join)?;
    meet(mpi, side, Some(seek)).map(Some)
}

/// Checks that a descriptor is a connected stream socket, before anything is written to it.
fn check_joint(descriptor: &OwnedFd) -> Outcome {
    let why = match process::check_stream(descriptor) {
        Ok(()) => return Ok(()),
        Err(NoStream::NoSocket) => "fd is the descriptor of something else than a socket",
        Err(NoStream::Messages) => "the socket fd transfers messages, not a stream of bytes",
        Err(NoStream::NotConnected) => "the socket fd is not connected",
    };
    Err(Error::new(abi::MPI_ERR_ARG, why)
        .advise("pass a connected stream socket: TCP, or a Unix socket of type SOCK_STREAM"))
}

/// Writes all bytes to a socket that may be non-blocking, and stays so.
fn write_all(socket: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match socket.write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(error) => {
                let interest = PollInterest { writable: true, ..PollInterest::to_read(&*socket) };
                wait_for(error, interest)?;
            }
        }
    }
    Ok(())
}

/// Reads as many bytes as `into` holds from a socket that may be non-blocking.
fn read_exact(socket: &mut File, into: &mut [u8]) -> io::Result<()> {
    let mut have = 0;
    while have < into.len() {
        match socket.read(&mut into[have..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => have += read,
            Err(error) => wait_for(error, PollInterest::to_read(&*socket))?,
        }
    }
    Ok(())
}

/// Waits after an error that says that the socket is not ready.
fn wait_for(error: io::Error, interest: PollInterest) -> io::Result<()> {
    match error.kind() {
        ErrorKind::WouldBlock => {
            bell::wait(&[interest], JOIN_TICK);
            Ok(())
        }
        ErrorKind::Interrupted => Ok(()),
        _ => Err(error),
    }
}
