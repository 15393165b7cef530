//! The bootstrap record that an agent reads from its standard input, and how the agent connects to
//! the launcher that started it.
//!
//! ```text
//!   nemesis-agent BUILD LF
//!   job key LF
//!   number of the agent LF
//!   ADDRESS:PORT SPACE ADDRESS:PORT … LF
//! ```
//!
//! The job key comes through a pipe, which no other process can read. Command lines can be read by
//! every user of the host.

use super::message::{self, Down, Up};
use super::proof::{ANSWER_BYTES, Agent};
use crate::launch_error::LaunchError;
use crate::launch_spec::LaunchSpec;
use nemesis_cipher::socket::Moved;
use nemesis_cipher::{CHANGED, CHANGED_WORDS, Cipher, EXCHANGE_BYTES};
use nemesis_sys::choice::Choice;
use nemesis_sys::interfaces::{self, Interface, is_link_local};
use nemesis_wireup::{JobKey, build};
use std::io::{self, IoSlice, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// The first word of a bootstrap record.
const TITLE: &str = "nemesis-agent";
/// Bytes of a bootstrap record at most; a record has some hundred.
const BYTES_MAX: u64 = 64 * 1024;
/// Time for one address to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// Time for each message of the parent before the job begins.
const GREETING_TIMEOUT: Duration = Duration::from_secs(30);

/// What an agent needs to connect to its parent.
#[derive(Debug)]
pub struct Bootstrap {
    pub key: JobKey,
    pub number: u32,
    pub addresses: Vec<SocketAddr>,
}

/// Composes the bootstrap record of agent `number`, which connects to one of `addresses`.
pub fn compose(key: &JobKey, number: u32, addresses: &[SocketAddr]) -> String {
    let addresses: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    let (build, key, addresses) = (build::own(), key.to_hex(), addresses.join(" "));
    format!("{TITLE} {build}\n{key}\n{number}\n{addresses}\n")
}

/// Returns the addresses of this host under which others may reach `port`: those of `choice`, or
/// all if this host has none of them, because it may have other interfaces than the hosts of ranks.
/// Loopback addresses come last, for agents on this host.
pub fn addresses(port: u16, choice: &Choice) -> io::Result<Vec<SocketAddr>> {
    let all = interfaces::list()?;
    let mut chosen = choice.of(all.clone());
    if chosen.is_empty() {
        chosen = Choice::default().of(all.clone());
    }
    let loopback: Vec<Interface> = all
        .into_iter()
        .filter(|interface| interface.loopback && !chosen.contains(interface))
        .collect();
    chosen.extend(loopback);
    // An agent finds the interface of a link-local address by trying its own.
    Ok(chosen
        .iter()
        .map(|interface| interfaces::socket_address(interface.address, port, 0))
        .collect())
}

/// Reads a bootstrap record.
///
/// # Errors
///
/// Returns a message if the input is not a bootstrap record or comes from another build.
pub fn read(input: impl Read) -> Result<Bootstrap, LaunchError> {
    let not_a_record = || {
        LaunchError::new(
            "standard input has no bootstrap record: only mpiexec starts node agents",
            "mpiexec -hosts, and with -agent a command that passes on its standard input",
        )
    };
    let mut text = String::new();
    let read = io::BufReader::new(input.take(BYTES_MAX)).read_to_string(&mut text);
    read.map_err(|why| match why.kind() {
        io::ErrorKind::InvalidData => not_a_record(),
        _ => LaunchError::of_system("reading the bootstrap record from standard input", &why),
    })?;
    let mut lines = text.lines();
    let mut line = || lines.next().ok_or_else(not_a_record);
    match line()?.split_once(' ') {
        Some((TITLE, build)) if build == build::own() => {}
        Some((TITLE, other)) => {
            let own = nemesis_sys::host::hostname();
            let build = build::own();
            return Err(LaunchError::new(
                format!("different builds: {build} on {own}, {other} where mpiexec was started"),
                "the same installation on all hosts, or -prefix DIR",
            ));
        }
        _ => return Err(not_a_record()),
    }
    let key = JobKey::from_hex(line()?).ok_or_else(not_a_record)?;
    let number = line()?.parse().map_err(|_| not_a_record())?;
    let addresses =
        line()?.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| not_a_record())?;
    Ok(Bootstrap { key, number, addresses })
}

/// A connection to the parent launcher, the agent's part of the job, and the bytes that followed
/// it.
pub struct Accepted {
    pub stream: TcpStream,
    pub cipher: Box<Cipher>,
    pub launch_spec: LaunchSpec,
    pub rest: Vec<u8>,
}

impl Bootstrap {
    /// Connects to the parent launcher: to the first address where a process knows the job key.
    ///
    /// # Errors
    ///
    /// Returns a message that lists every address and why it failed.
    pub fn accept(&self) -> Result<Accepted, LaunchError> {
        let mut whys = Vec::new();
        for address in in_order_of_trying(&self.addresses, &interfaces::list().unwrap_or_default())
        {
            match self.connect(address) {
                Ok(accepted) => return Ok(accepted),
                Err(why) => whys.push(format!("{address}: {why}")),
            }
        }
        let own = nemesis_sys::host::hostname();
        Err(LaunchError::new(
            format!("{own} cannot reach the host where mpiexec was started ({})", whys.join("; ")),
            "opening its ports, or -port-range",
        ))
    }

    /// Connects to one address, proves the key, and receives the agent's part of the job.
    fn connect(&self, address: SocketAddr) -> io::Result<Accepted> {
        let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
        stream.set_read_timeout(Some(GREETING_TIMEOUT))?;
        let agent = Agent::new(&self.key, self.number)?;
        stream.write_all(&agent.greeting())?;
        let mut answer = [0; ANSWER_BYTES];
        stream.read_exact(&mut answer)?;
        let (confirmation, exchange) = agent
            .answer(&answer)
            .ok_or_else(|| io::Error::other("another program listens there"))?;
        stream.write_all(&confirmation)?;
        let mut message = [0; EXCHANGE_BYTES];
        stream.read_exact(&mut message)?;
        let mut cipher =
            exchange.finish(&message).ok_or_else(|| io::Error::other(CHANGED_WORDS))?;
        let mut hello = Vec::new();
        message::encode(
            &Up::Hello { build: build::own().into(), host: nemesis_sys::host::hostname() },
            &mut hello,
        );
        if cipher.write(&stream, &[IoSlice::new(&hello)]) != Moved::Bytes(hello.len()) {
            return Err(io::Error::other("it closed the connection"));
        }
        receive_part(stream, cipher)
    }
}

/// Receives the agent's part of the job.
fn receive_part(stream: TcpStream, mut cipher: Box<Cipher>) -> io::Result<Accepted> {
    let mut bytes = Vec::new();
    let mut room = vec![0; 16 * 1024];
    let deadline = Instant::now() + GREETING_TIMEOUT;
    loop {
        if let Some((message, taken)) = message::decode::<Down>(&bytes)
            .map_err(|malformed| io::Error::other(malformed.to_string()))?
        {
            let Down::Start(launch_spec) = message else {
                return Err(io::Error::other("its first message does not say what to start"));
            };
            bytes.drain(..taken);
            return Ok(Accepted { stream, cipher, launch_spec: *launch_spec, rest: bytes });
        }
        match cipher.read(&stream, &mut room, &mut []) {
            Moved::Bytes(received) => bytes.extend_from_slice(&room[..received]),
            // A record has arrived in part, or nothing in time.
            Moved::Nothing if Instant::now() < deadline => {}
            Moved::Nothing => return Err(io::ErrorKind::TimedOut.into()),
            Moved::End => return Err(io::Error::other("it closed the connection")),
            Moved::Failed(CHANGED) => {
                let mut last = Vec::new();
                message::encode(&Up::Changed, &mut last);
                // If the connection breaks, the parent is not told why.
                let _ = cipher.write(&stream, &[IoSlice::new(&last)]);
                return Err(io::Error::other(CHANGED_WORDS));
            }
            Moved::Failed(why) => return Err(why.into()),
        }
    }
}

/// Orders the addresses to try. Those that share most leading bits with an address of this host
/// come first. Those that this host has itself come later: they belong to a bridge of containers,
/// unless the parent runs on this host. Link-local addresses come last, once for each interface of
/// this host.
fn in_order_of_trying(addresses: &[SocketAddr], own: &[Interface]) -> Vec<SocketAddr> {
    let common_prefix = |address: &SocketAddr| {
        own.iter().map(|own| common_bits(own.address, address.ip())).max().unwrap_or(0)
    };
    let is_own = |address: &SocketAddr| own.iter().any(|own| own.address == address.ip());
    let (of_link, mut candidates): (Vec<SocketAddr>, Vec<SocketAddr>) =
        addresses.iter().partition(|address| is_link_local(&address.ip()));
    candidates.sort_by_key(|address| {
        (address.ip().is_loopback(), is_own(address), std::cmp::Reverse(common_prefix(address)))
    });
    for own in own.iter().filter(|own| own.is_link_local()) {
        candidates.extend(
            of_link
                .iter()
                .map(|address| interfaces::socket_address(address.ip(), address.port(), own.scope)),
        );
    }
    candidates
}

/// Returns how many leading bits two addresses share. Bits of IPv4 addresses count four times.
fn common_bits(one: IpAddr, other: IpAddr) -> u32 {
    match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            (one.to_bits() ^ other.to_bits()).leading_zeros() * 4
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits() ^ other.to_bits()).leading_zeros(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_bootstrap_record_is_read_back() {
        let key = JobKey::random().unwrap();
        let addresses = ["10.0.0.1:5".parse().unwrap(), "[fd00::1]:5".parse().unwrap()];
        let read = read(compose(&key, 7, &addresses).as_bytes()).unwrap();
        assert_eq!((read.number, read.addresses.as_slice()), (7, addresses.as_slice()));
        assert!(read.key.matches(key.bytes()));
    }

    #[test]
    fn other_builds_and_other_texts_are_refused() {
        assert!(
            read("nemesis-agent 9.9/9\nx\n".as_bytes())
                .unwrap_err()
                .what
                .contains("different builds")
        );
        for text in [
            "",
            "hello\n",
            "nemesis-agent\n",
            &format!("{TITLE} {}\n00\n", build::own()),
            &format!("{TITLE} {}\n{:064}\n1\nhere\n", build::own(), 0),
        ] {
            assert!(
                read(text.as_bytes()).unwrap_err().what.contains("no bootstrap record"),
                "{text}"
            );
        }
    }

    #[test]
    fn near_addresses_have_more_in_common() {
        let bits =
            |one: &str, other: &str| common_bits(one.parse().unwrap(), other.parse().unwrap());
        assert!(bits("10.1.0.5", "10.1.0.9") > bits("10.1.0.5", "192.168.0.1"));
        assert_eq!(bits("10.1.0.5", "fd00::1"), 0);
    }

    #[test]
    fn addresses_are_tried_in_a_good_order() {
        let own = |name: &str, address: &str, scope| {
            let address: IpAddr = address.parse().unwrap();
            Interface {
                name: name.into(),
                address,
                prefix: 16,
                scope,
                loopback: address.is_loopback(),
            }
        };
        let own = [
            own("lo", "127.0.0.1", 0),
            own("docker0", "172.17.0.1", 0),
            own("eth0", "10.1.0.5", 0),
            own("eth0", "fe80::5", 3),
        ];
        let offered: Vec<SocketAddr> =
            ["[fe80::9]:7", "127.0.0.1:7", "172.17.0.1:7", "192.168.0.1:7", "10.1.0.9:7"]
                .map(|text| text.parse().unwrap())
                .to_vec();
        let launch_spec: Vec<String> =
            in_order_of_trying(&offered, &own).iter().map(SocketAddr::to_string).collect();
        assert_eq!(
            launch_spec,
            ["10.1.0.9:7", "192.168.0.1:7", "172.17.0.1:7", "127.0.0.1:7", "[fe80::9%3]:7"]
        );
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(is_titled: bool, rest in r"[0-9a-f :.\n\[\]]{0,200}") {
            let title = format!("{TITLE} {}\n", build::own());
            let text = if is_titled { title } else { String::new() } + &rest;
            let _ = read(text.as_bytes());
        }
    }
}
