//! Ports (MPI 5.0 §11.8): where two jobs meet that know nothing of each other but a port's name.
//!
//! The name of a port holds the TCP port and addresses of the process that opened it, and a secret.
//! Whoever knows the name may connect. Both ends prove that they know the secret, and derive a key
//! for the meeting from it and from a nonce of each; the secret itself never travels.
//!
//! ```text
//!   guest                                   host
//!   magic, purpose, nonce, build    ──>
//!                                   <──     nonce, build, proof as host
//!   proof as guest, key exchange    ──>
//!   one build?                              one build?
//!                                   <──     welcome, key exchange, when it accepts
//!   records in both directions, encrypted: length, bytes
//! ```
//!
//! The calls block. A process that also has to make progress calls them from a thread of its own.
//! Records are encrypted ([`nemesis_cipher`]) with or without `mpiexec -encrypt`: they name the
//! processes of both sides and their addresses, and what to spawn, with its environment.

mod connection;
mod guests;

pub use self::connection::Connection;

use self::guests::Guests;
use crate::build::{self, OtherBuild};
use crate::hex;
use crate::key::fill_random;
use nemesis_cipher::{CHANGED_WORDS, EXCHANGE_BYTES, KeyExchange};
use nemesis_sys::choice::{Choice, Ports};
use nemesis_sys::descriptors;
use nemesis_sys::interfaces;
use rustix::net::sockopt;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// First characters of the name of a port.
const SCHEME: &str = "nemesis:";
/// The version of the names of ports and of the handshake.
const VERSION: &str = "4";
/// Longest name of a port: `MPI_MAX_PORT_NAME` of the MPICH ABI without its NUL.
pub const NAME_BYTES_MAX: usize = 255;
/// Bytes of the secret in a name.
const SECRET_BYTES: usize = 16;
/// Bytes of a name that detect a changed character.
const CHECK_BYTES: usize = 4;
/// First bytes of a connection to a port.
const MAGIC: [u8; 8] = *b"NEMport\x04";
/// What the host says when it accepts a guest.
const WELCOME: u8 = 1;
/// Bytes of a nonce, a proof and a key.
const HASH_BYTES: usize = 32;
/// Bytes of a guest's proof and its message of the key exchange.
const PROOF_BYTES: usize = HASH_BYTES + EXCHANGE_BYTES;
/// Bytes of the host's welcome and its message of the key exchange.
const WELCOME_BYTES: usize = 1 + EXCHANGE_BYTES;
/// Context for deriving the key of an encrypted connection from the secret of the connection, which
/// the meeting's proofs use, too.
const CIPHER_CONTEXT: &str = "nemesis port, key of encrypted connections, 1";
/// Most addresses in a name.
const ADDRESSES_MAX: usize = 4;
/// Time to wait for a host that does not answer at one address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time without an answer of the other host after which a connection is broken.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(20);
/// Time of silence after which the kernel asks whether the other host is there.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);

/// What a guest comes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To become connected: a group of processes (MPI_Comm_connect, or a spawned job).
    Meet = 1,
    /// To start a spawned job: its launcher.
    Launch = 2,
}

/// Longest times of [`connect`].
#[derive(Clone, Copy, Debug)]
pub struct ConnectLimits {
    /// Time to reach the host, over all its addresses.
    pub reach: Duration,
    /// Time until the host accepts, once it is reached; `None` if there is no limit.
    pub accept: Option<Duration>,
}

/// Why a port cannot be reached.
#[derive(Debug)]
pub enum Refused {
    /// The text is not the name of a port.
    NoName,
    /// The process at the port is of another build of the library.
    OtherBuild(OtherBuild),
    /// No process listens there: the port is closed.
    Closed(io::Error),
    /// The port is open, and its process has accepted nobody in time.
    NotAccepted,
    /// The host, or the network to it, does not work.
    Failed(io::Error),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NoName => f.write_str("it is not a name that MPI_Open_port has returned"),
            Refused::OtherBuild(other) => write!(f, "{other}"),
            Refused::Closed(why) => write!(f, "no process accepts connections there ({why})"),
            Refused::NotAccepted => f.write_str("its process has not accepted in time"),
            Refused::Failed(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// What the name of a port tells.
struct Name {
    secret: [u8; SECRET_BYTES],
    port: u16,
    addresses: Vec<IpAddr>,
}

impl Name {
    fn encode(&self) -> String {
        let mut bytes = self.secret.to_vec();
        bytes.extend(self.port.to_be_bytes());
        for address in &self.addresses {
            match address {
                IpAddr::V4(address) => {
                    bytes.push(4);
                    bytes.extend(address.octets());
                }
                IpAddr::V6(address) => {
                    bytes.push(16);
                    bytes.extend(address.octets());
                }
            }
        }
        let check = check(&bytes);
        bytes.extend(check);
        format!("{SCHEME}{VERSION}:{}", hex::encode(&bytes))
    }

    /// Returns whether a text is the name of a port of a build with other names.
    fn is_of_other_version(text: &str) -> bool {
        let rest = text.strip_prefix(SCHEME).and_then(|rest| rest.split_once(':'));
        rest.is_some_and(|(version, _)| version != VERSION && version.parse::<u32>().is_ok())
    }

    fn decode(text: &str) -> Option<Name> {
        let digits = text.strip_prefix(SCHEME)?.strip_prefix(VERSION)?.strip_prefix(':')?;
        let bytes = hex::decode(digits)?;
        let (bytes, tail) = bytes.split_at(bytes.len().checked_sub(CHECK_BYTES)?);
        if check(bytes) != *tail {
            return None;
        }
        let (secret, rest) = bytes.split_first_chunk::<SECRET_BYTES>()?;
        let (port, mut rest) = rest.split_first_chunk::<2>()?;
        let mut addresses = Vec::new();
        while let Some((length, after)) = rest.split_first() {
            let (address, after) = after.split_at_checked(usize::from(*length))?;
            addresses.push(match address.len() {
                4 => Ipv4Addr::from(<[u8; 4]>::try_from(address).ok()?).into(),
                16 => Ipv6Addr::from(<[u8; 16]>::try_from(address).ok()?).into(),
                _ => return None,
            });
            rest = after;
        }
        Some(Name { secret: *secret, port: u16::from_be_bytes(*port), addresses })
    }
}

fn check(bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let hash = blake3::hash(bytes);
    *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
}

/// A build as it travels: its text, filled with zeros.
type BuildBytes = [u8; build::BYTES_MAX];

fn own_build() -> BuildBytes {
    let mut bytes = [0; build::BYTES_MAX];
    bytes[..build::own().len()].copy_from_slice(build::own().as_bytes());
    bytes
}

/// Describes the process at the other end of `stream`, which has told its build, unless it is of
/// this one.
fn of_other_build(
    stream: &TcpStream,
    theirs: &BuildBytes,
    ours: &BuildBytes,
) -> Option<OtherBuild> {
    if theirs == ours {
        return None;
    }
    let canonical = |peer: SocketAddr| SocketAddr::new(peer.ip().to_canonical(), peer.port());
    let address = stream.peer_addr().map(canonical);
    let address = address.map_or("an unknown address".into(), |address| address.to_string());
    let text = theirs.iter().take_while(|byte| byte.is_ascii_graphic());
    let build = Some(text.map(|&byte| char::from(byte)).collect());
    Some(OtherBuild { who: format!("the process at {address}"), build })
}

/// A hash of what both ends have said, keyed with the secret of a port.
fn keyed(
    secret: &[u8; SECRET_BYTES],
    role: &str,
    opening: &Opening,
    challenge: &Challenge,
) -> blake3::Hash {
    let key = blake3::derive_key("nemesis port 2", secret);
    let mut hasher = blake3::Hasher::new_keyed(&key);
    hasher.update(role.as_bytes()).update(&opening.encode());
    hasher.update(&challenge.nonce).update(&challenge.build);
    hasher.finalize()
}

/// Returns what both ends have said before the key exchange.
fn prologue(opening: &Opening, challenge: &Challenge) -> Vec<u8> {
    [&opening.encode()[..], &challenge.nonce, &challenge.build].concat()
}

/// The first message of a guest.
#[derive(Debug)]
struct Opening {
    purpose: Purpose,
    nonce: [u8; HASH_BYTES],
    build: BuildBytes,
}

/// What the host says first, before its proof.
#[derive(Debug)]
struct Challenge {
    nonce: [u8; HASH_BYTES],
    build: BuildBytes,
}

const OPENING_BYTES: usize = MAGIC.len() + 1 + HASH_BYTES + build::BYTES_MAX;

impl Opening {
    fn encode(&self) -> [u8; OPENING_BYTES] {
        let mut bytes = [0; OPENING_BYTES];
        bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
        bytes[MAGIC.len()] = self.purpose as u8;
        let (nonce, build) = bytes[MAGIC.len() + 1..].split_at_mut(HASH_BYTES);
        nonce.copy_from_slice(&self.nonce);
        build.copy_from_slice(&self.build);
        bytes
    }

    fn decode(bytes: &[u8; OPENING_BYTES]) -> Option<Opening> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (purpose, rest) = rest.split_first()?;
        let purpose =
            [Purpose::Meet, Purpose::Launch].into_iter().find(|known| *known as u8 == *purpose)?;
        let (nonce, build) = rest.split_first_chunk::<HASH_BYTES>()?;
        let build = build.try_into().ok()?;
        (*magic == MAGIC).then_some(Opening { purpose, nonce: *nonce, build })
    }
}

/// Why a port has accepted nobody.
#[derive(Debug)]
pub enum NotAccepted {
    /// The guest is of another build of the library.
    OtherBuild(OtherBuild),
    /// The port does not work any more.
    Failed(io::Error),
}

impl From<io::Error> for NotAccepted {
    fn from(error: io::Error) -> NotAccepted {
        NotAccepted::Failed(error)
    }
}

impl fmt::Display for NotAccepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAccepted::OtherBuild(other) => write!(f, "{other}"),
            NotAccepted::Failed(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for NotAccepted {}

/// An open port.
#[derive(Debug)]
pub struct Port {
    listener: TcpListener,
    secret: [u8; SECRET_BYTES],
    name: String,
    guests: Mutex<Guests>,
}

impl Port {
    /// Opens a port at `address`, or on the interfaces of `choice`, at one of `ports`.
    ///
    /// # Errors
    ///
    /// This host has no address, or not this one, no free port or no descriptor.
    pub fn open(choice: &Choice, ports: &Ports, address: Option<IpAddr>) -> io::Result<Port> {
        let mut addresses: Vec<IpAddr> = match address {
            Some(address) => vec![address],
            None => choice
                .of(interfaces::list()?)
                .iter()
                .filter(|own| !own.is_link_local())
                .map(|own| own.address)
                .take(ADDRESSES_MAX)
                .collect(),
        };
        if addresses.is_empty() {
            addresses.push(Ipv4Addr::LOCALHOST.into());
        }
        let listener = listen(ports, address)?;
        let mut secret = [0; SECRET_BYTES];
        fill_random(&mut secret)?;
        let port = listener.local_addr()?.port();
        let mut name = Name { secret, port, addresses };
        while name.encode().len() > NAME_BYTES_MAX {
            name.addresses.pop();
        }
        let name = name.encode();
        Ok(Port { listener, secret, name, guests: Mutex::default() })
    }

    /// Returns the name of the port.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Waits for a guest that proves itself, and returns its purpose and its connection. Others are
    /// turned away; a guest that has to wait is accepted by a later call. Returns `None` if `until`
    /// returns true, which is asked at least every `tick`.
    ///
    /// # Errors
    ///
    /// The port does not work any more, or a guest that knows the secret is of another build of the
    /// library. The next call then passes over that guest.
    pub fn accept(
        &self,
        tick: Duration,
        mut until: impl FnMut() -> bool,
    ) -> Result<Option<(Purpose, Connection)>, NotAccepted> {
        let mut guests = self.guests();
        loop {
            if until() {
                return Ok(None);
            }
            guests.admit(&self.listener)?;
            guests.advance(&self.secret);
            if let Some(accepted) = guests.accept() {
                return Ok(Some(accepted.map_err(NotAccepted::OtherBuild)?));
            }
            guests.wait(&self.listener, tick);
        }
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        // A panic ends the process.
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the options of a connection: no delay, and an error if the other host is gone.
fn tune(stream: &TcpStream) {
    // The connection works without any of these options, only worse.
    let _ = sockopt::set_tcp_nodelay(stream, true);
    let _ = sockopt::set_socket_keepalive(stream, true);
    let _ = sockopt::set_tcp_keepidle(stream, KEEPALIVE_IDLE);
    let _ = sockopt::set_tcp_keepintvl(stream, KEEPALIVE_IDLE);
    let _ = sockopt::set_tcp_user_timeout(stream, SILENCE_TIMEOUT.as_millis() as u32);
}

/// Listens at one address, or at all of them, at one of `ports`.
fn listen(ports: &Ports, address: Option<IpAddr>) -> io::Result<TcpListener> {
    let everywhere = [IpAddr::V6(Ipv6Addr::UNSPECIFIED), IpAddr::V4(Ipv4Addr::UNSPECIFIED)];
    let mut refused: io::Error = ErrorKind::AddrInUse.into();
    for address in address.map_or(everywhere.to_vec(), |address| vec![address]) {
        for port in ports.0.clone().unwrap_or(0..=0) {
            match TcpListener::bind(SocketAddr::new(address, port)) {
                Ok(listener) => {
                    // A guest may go away between the announcement and `accept`.
                    listener.set_nonblocking(true)?;
                    return Ok(listener);
                }
                Err(error) => refused = error,
            }
        }
    }
    if ports.0.is_some() && refused.kind() == ErrorKind::AddrInUse {
        let text = format!("all ports of {ports} are taken on {}", nemesis_sys::host::hostname());
        return Err(io::Error::new(ErrorKind::AddrInUse, text));
    }
    Err(refused)
}

/// Connects to the port with this name, and waits until its host accepts.
///
/// # Errors
///
/// See [`Refused`].
pub fn connect(name: &str, purpose: Purpose, limits: ConnectLimits) -> Result<Connection, Refused> {
    connect_as(name, purpose, limits, own_build())
}

/// Connects as a process of the given build.
fn connect_as(
    name: &str,
    purpose: Purpose,
    limits: ConnectLimits,
    build: BuildBytes,
) -> Result<Connection, Refused> {
    if Name::is_of_other_version(name) {
        let who = "the process that opened the port".to_owned();
        return Err(Refused::OtherBuild(OtherBuild { who, build: None }));
    }
    let name = Name::decode(name).ok_or(Refused::NoName)?;
    let begun = Instant::now();
    let mut refused = Refused::NoName;
    for address in &name.addresses {
        let left = limits.reach.saturating_sub(begun.elapsed()).min(CONNECT_TIMEOUT);
        let place = SocketAddr::new(*address, name.port);
        let left = left.max(Duration::from_millis(1));
        let reached = descriptors::retry_std(|| TcpStream::connect_timeout(&place, left));
        let introduced = reached
            .and_then(|stream| introduce(stream, purpose, build, &name.secret, limits.accept));
        match introduced {
            Ok(Introduced::Accepted(connection)) => return Ok(connection),
            Ok(Introduced::Late) => return Err(Refused::NotAccepted),
            Ok(Introduced::OtherBuild(other)) => return Err(Refused::OtherBuild(other)),
            Err(error) => {
                let error = io::Error::new(error.kind(), format!("{place}: {error}"));
                let is_closed = matches!(
                    error.kind(),
                    ErrorKind::ConnectionRefused
                        | ErrorKind::PermissionDenied
                        | ErrorKind::UnexpectedEof
                        | ErrorKind::ConnectionReset
                );
                refused = if is_closed { Refused::Closed(error) } else { Refused::Failed(error) };
            }
        }
    }
    Err(refused)
}

/// What a guest has come to.
enum Introduced {
    /// The host has accepted it.
    Accepted(Connection),
    /// The host has not accepted it in time.
    Late,
    /// The host is of another build.
    OtherBuild(OtherBuild),
}

/// The guest's end of the proofs. The host has to accept within `limit`.
fn introduce(
    mut stream: TcpStream,
    purpose: Purpose,
    build: BuildBytes,
    secret: &[u8; SECRET_BYTES],
    limit: Option<Duration>,
) -> io::Result<Introduced> {
    tune(&stream);
    let deadline = limit.map(|limit| Instant::now() + limit);
    let mut nonce = [0; HASH_BYTES];
    fill_random(&mut nonce)?;
    let opening = Opening { purpose, nonce, build };
    stream.write_all(&opening.encode())?;
    let mut challenge = Challenge { nonce: [0; HASH_BYTES], build: [0; build::BYTES_MAX] };
    let mut proof = [0; HASH_BYTES];
    for part in [&mut challenge.nonce[..], &mut challenge.build, &mut proof] {
        if !read_by(deadline, &mut stream, part)? {
            return Ok(Introduced::Late);
        }
    }
    if keyed(secret, "host", &opening, &challenge) != blake3::Hash::from_bytes(proof) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let key = *keyed(secret, "key", &opening, &challenge).as_bytes();
    let (exchange, message) =
        KeyExchange::connector(CIPHER_CONTEXT, &key, &prologue(&opening, &challenge))
            .ok_or_else(|| io::Error::other("the kernel has no random numbers for a key"))?;
    // The host then knows, too, that a process of another build has come.
    let proof = keyed(secret, "guest", &opening, &challenge);
    stream.write_all(&[proof.as_bytes(), &message[..]].concat())?;
    if let Some(other) = of_other_build(&stream, &challenge.build, &build) {
        return Ok(Introduced::OtherBuild(other));
    }
    let mut welcome = [0; WELCOME_BYTES];
    if !read_by(deadline, &mut stream, &mut welcome)? {
        return Ok(Introduced::Late);
    }
    let Some((&WELCOME, message)) = welcome.split_first() else {
        return Err(ErrorKind::InvalidData.into());
    };
    stream.set_read_timeout(None)?;
    let cipher = message.try_into().ok().and_then(|message| exchange.finish(message));
    let cipher = cipher.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, CHANGED_WORDS))?;
    Ok(Introduced::Accepted(Connection::new(stream, key, cipher)))
}

/// Fills `bytes` from the stream, however slowly they come. Returns false at the deadline.
fn read_by(
    deadline: Option<Instant>,
    stream: &mut TcpStream,
    mut bytes: &mut [u8],
) -> io::Result<bool> {
    while !bytes.is_empty() {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(false);
        }
        stream.set_read_timeout(left)?;
        match stream.read(bytes) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => bytes = &mut bytes[read..],
            Err(error) => match error.kind() {
                // The deadline has passed, or a signal has come.
                ErrorKind::WouldBlock | ErrorKind::TimedOut if left.is_some() => {}
                ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ConnectLimits = ConnectLimits { reach: Duration::from_secs(20), accept: None };
    const TICK: Duration = Duration::from_millis(10);
    /// Bytes of the host's first message.
    const ANSWER_BYTES: usize = HASH_BYTES + build::BYTES_MAX + HASH_BYTES;

    fn port() -> Port {
        Port::open(&Choice::parse("lo").unwrap(), &Ports::default(), None).unwrap()
    }

    #[test]
    fn both_ends_know_the_key_and_records_arrive() {
        let port = port();
        assert!(port.name().len() <= NAME_BYTES_MAX);
        let name = port.name().to_owned();
        let guest = std::thread::spawn(move || {
            let mut guest = connect(&name, Purpose::Launch, LIMITS).unwrap();
            guest.send(&[7; 100_000]).unwrap();
            assert_eq!(guest.receive().unwrap(), b"");
            guest.key
        });
        let (purpose, mut host) = port.accept(TICK, || false).unwrap().unwrap();
        assert_eq!(purpose, Purpose::Launch);
        assert_eq!(host.receive().unwrap(), [7; 100_000]);
        host.send(b"").unwrap();
        assert_eq!(guest.join().unwrap(), host.key);
        assert!(host.receive().is_err(), "the guest has gone");
    }

    #[test]
    fn a_guest_without_the_secret_is_turned_away() {
        let port = port();
        let mut name = Name::decode(port.name()).unwrap();
        name.secret[3] ^= 1;
        let wrong = name.encode();
        let guest = std::thread::spawn(move || {
            let refused = connect(&wrong, Purpose::Meet, LIMITS).unwrap_err();
            assert!(matches!(refused, Refused::Closed(_)), "{refused}");
        });
        assert!(port.accept(TICK, || guest.is_finished()).unwrap().is_none());
    }

    #[test]
    fn a_guest_does_not_wait_for_ever_for_a_host_that_does_not_accept() {
        let port = port();
        let limits = ConnectLimits { accept: Some(Duration::from_millis(50)), ..LIMITS };
        let refused = connect(port.name(), Purpose::Meet, limits).unwrap_err();
        assert!(matches!(refused, Refused::NotAccepted), "{refused}");
        // The host turns to the next guest.
        let name = port.name().to_owned();
        let guest = std::thread::spawn(move || connect(&name, Purpose::Meet, LIMITS).unwrap());
        let (_, host) = port.accept(TICK, || false).unwrap().unwrap();
        assert_eq!(guest.join().unwrap().key, host.key);
    }

    #[test]
    fn a_range_without_a_free_port_is_named() {
        let taken = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)))
            .unwrap();
        let number = taken.local_addr().unwrap().port();
        let ports = Ports(Some(number..=number));
        let error = Port::open(&Choice::parse("lo").unwrap(), &ports, None).unwrap_err();
        let expected = format!("all ports of {number}:{number} are taken on");
        assert!(error.to_string().contains(&expected), "{error}");
    }

    /// Returns a connection to a port that has sent `bytes`.
    fn stranger(port: &Port, bytes: &[u8]) -> TcpStream {
        let number = Name::decode(port.name()).unwrap().port;
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, number)).unwrap();
        stream.write_all(bytes).unwrap();
        stream
    }

    fn opening() -> Opening {
        Opening { purpose: Purpose::Meet, nonce: [3; HASH_BYTES], build: own_build() }
    }

    #[test]
    fn strangers_delay_no_guest() {
        let port = port();
        let opening = opening().encode();
        let mut http = stranger(&port, b"GET / HTTP/1.1\r\n");
        // More than there is room for: silent, in the middle of an opening, without a proof.
        let parts: [&[u8]; 3] = [&[], &opening[..20], &opening];
        let _silent: Vec<TcpStream> =
            (0..100).map(|number| stranger(&port, parts[number % 3])).collect();
        let name = port.name().to_owned();
        let begun = Instant::now();
        let guest = std::thread::spawn(move || connect(&name, Purpose::Meet, LIMITS).unwrap());
        let (_, host) = port.accept(TICK, || false).unwrap().unwrap();
        assert_eq!(guest.join().unwrap().key, host.key);
        assert!(begun.elapsed() < guests::PROOF_TIMEOUT, "strangers are waited for");
        assert!(matches!(http.read(&mut [0; 9]), Ok(0) | Err(_)), "another protocol is answered");
    }

    #[test]
    fn a_stranger_that_sends_a_byte_at_a_time_is_turned_away() {
        let port = port();
        let mut slow = stranger(&port, &MAGIC);
        let drip = std::thread::spawn(move || {
            let mut bytes = 0;
            while slow.write_all(&[1]).is_ok() {
                bytes += 1;
                std::thread::sleep(guests::PROOF_TIMEOUT / 5);
            }
            bytes
        });
        assert!(port.accept(TICK, || drip.is_finished()).unwrap().is_none());
        let bytes = drip.join().unwrap();
        assert!(bytes <= 8, "a stranger that sends a byte at a time sends {bytes}");
    }

    #[test]
    fn a_repeated_proof_is_refused() {
        let port = port();
        let secret = Name::decode(port.name()).unwrap().secret;
        let opening = opening();
        // The proof was right when the host had drawn another nonce.
        let challenge = Challenge { nonce: [4; HASH_BYTES], build: own_build() };
        let proof = keyed(&secret, "guest", &opening, &challenge);
        let mut again = stranger(&port, &[&opening.encode(), &proof.as_bytes()[..]].concat());
        let mut said = Vec::new();
        let seen = std::thread::spawn(move || {
            let _ = again.read_to_end(&mut said);
            said.len()
        });
        assert!(port.accept(TICK, || seen.is_finished()).unwrap().is_none());
        assert!(seen.join().unwrap() <= ANSWER_BYTES, "it is welcome");
    }

    #[test]
    fn guests_that_come_at_once_are_accepted_one_after_the_other() {
        let port = port();
        let guests: Vec<_> = (0..5)
            .map(|_| {
                let name = port.name().to_owned();
                std::thread::spawn(move || connect(&name, Purpose::Meet, LIMITS).unwrap().key)
            })
            .collect();
        let mut keys: Vec<_> =
            (0..5).map(|_| port.accept(TICK, || false).unwrap().unwrap().1.key).collect();
        let mut theirs: Vec<_> = guests.into_iter().map(|guest| guest.join().unwrap()).collect();
        keys.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(keys, theirs);
    }

    #[test]
    fn a_guest_that_has_proved_itself_waits_no_longer_than_its_limit() {
        let port = port();
        let short = ConnectLimits { accept: Some(Duration::from_millis(300)), ..LIMITS };
        let spawn = |limits| {
            let name = port.name().to_owned();
            std::thread::spawn(move || connect(&name, Purpose::Meet, limits))
        };
        let first = spawn(LIMITS);
        let (_, accepted) = port.accept(TICK, || false).unwrap().unwrap();
        let late = spawn(short);
        // Both prove themselves, and neither is accepted.
        let begun = Instant::now();
        let mut guests = port.guests();
        while begun.elapsed() < Duration::from_millis(200) {
            guests.admit(&port.listener).unwrap();
            guests.advance(&port.secret);
        }
        drop(guests);
        assert!(matches!(late.join().unwrap().unwrap_err(), Refused::NotAccepted));
        // The next accept passes over it.
        let next = spawn(LIMITS);
        let (_, host) = port.accept(TICK, || false).unwrap().unwrap();
        assert_eq!(next.join().unwrap().unwrap().key, host.key);
        assert_eq!(first.join().unwrap().unwrap().key, accepted.key);
    }

    #[test]
    fn more_guests_than_there_are_places_are_all_accepted() {
        let port = port();
        let number = guests::GUESTS_MAX + 6;
        let connect_one = |_| {
            let name = port.name().to_owned();
            std::thread::spawn(move || connect(&name, Purpose::Meet, LIMITS).map(|one| one.key))
        };
        let others: Vec<_> = (0..number).map(connect_one).collect();
        let begun = Instant::now();
        let mut guests = port.guests();
        // All places are taken by guests that have proved themselves, and further ones come.
        while begun.elapsed() < Duration::from_millis(500) {
            guests.admit(&port.listener).unwrap();
            guests.advance(&port.secret);
        }
        drop(guests);
        for _ in 0..number {
            assert!(port.accept(TICK, || begun.elapsed().as_secs() > 20).unwrap().is_some());
        }
        assert!(others.into_iter().all(|other| other.join().unwrap().is_ok()));
    }

    #[test]
    fn a_guest_of_another_build_is_told_at_both_ends_and_the_next_one_is_accepted() {
        let port = port();
        for purpose in [Purpose::Meet, Purpose::Launch] {
            let name = port.name().to_owned();
            let mut other = own_build();
            other[0] = b'9';
            let guest = std::thread::spawn(move || connect_as(&name, purpose, LIMITS, other));
            let NotAccepted::OtherBuild(theirs) = port.accept(TICK, || false).unwrap_err() else {
                panic!("the host does not tell the build")
            };
            let wrong = format!("9{}", &build::own()[1..]);
            assert_eq!(theirs.build.as_deref(), Some(wrong.as_str()));
            assert!(theirs.who.contains("127.0.0.1:"), "{theirs}");
            let Refused::OtherBuild(theirs) = guest.join().unwrap().unwrap_err() else {
                panic!("the guest does not tell the build")
            };
            assert_eq!(theirs.build.as_deref(), Some(build::own()));
        }
        let name = port.name().to_owned();
        let guest = std::thread::spawn(move || connect(&name, Purpose::Meet, LIMITS).unwrap().key);
        let (_, host) = port.accept(TICK, || false).unwrap().unwrap();
        assert_eq!(guest.join().unwrap(), host.key);
        for version in ["nemesis:3:00", "nemesis:5:00"] {
            let refused = connect(version, Purpose::Meet, LIMITS).unwrap_err();
            assert!(matches!(refused, Refused::OtherBuild(_)), "{refused}");
        }
    }

    #[test]
    fn a_closed_port_and_no_port_are_told_apart() {
        let name = port().name().to_owned();
        let refused = connect(&name, Purpose::Meet, LIMITS).unwrap_err();
        assert!(matches!(refused, Refused::Closed(_)), "{refused}");
        let changed = name.replace(&name[name.len() - 1..], "z");
        for text in ["", "nonsense", &name[..name.len() - 2], &changed] {
            assert!(matches!(connect(text, Purpose::Meet, LIMITS), Err(Refused::NoName)));
        }
    }
}
