//! The network between hosts: each host listens on a port, and the others connect to each of its
//! addresses.
//!
//! A connection that is refused, one that nobody answers and one that the kernel cannot route have
//! different causes, so they are told apart. Of the first address that works, latency and bandwidth
//! are measured.

use nemesis_sys::choice::{Choice, Ports};
use nemesis_sys::interfaces::{self, Interface};
use nemesis_wireup::JobKey;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// Time for an address to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Time for each step of a measurement.
const STEP_TIMEOUT: Duration = Duration::from_secs(5);
/// Round trips whose shortest is the latency.
const ROUND_TRIPS: usize = 50;
/// Bytes of a block, and the blocks of a bandwidth measurement at most.
const BLOCK_BYTES: usize = 1 << 18;
const BLOCKS_MAX: usize = 128;
/// Time after which no further block is sent.
const SENDING_TIME: Duration = Duration::from_millis(300);
/// Bytes of the key that a connection begins with.
const KEY_BYTES: usize = 32;

/// An address of a host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Address {
    pub interface: String,
    pub address: IpAddr,
}

/// A host that others can connect to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Target {
    pub host: String,
    pub addresses: Vec<Address>,
    pub port: u16,
    /// The key that a connection begins with, in hexadecimal notation.
    pub key: String,
}

/// How an address answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Connected; one way of the shortest round trip, in microseconds.
    Reached { latency_us: f64, gigabits_per_s: f64 },
    /// The host answers that nobody listens on the port, or a firewall rejects the connection.
    Refused,
    /// Nothing answers.
    Dropped,
    /// The kernel of this host has no way to the address, or forbids it.
    Unroutable { why: String },
    /// Something else answers there.
    Strange { why: String },
}

/// What one host found about one address of another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    pub from: String,
    pub to: String,
    pub address: IpAddr,
    pub port: u16,
    /// The interface of the other host that has the address.
    pub interface: String,
    pub answer: Answer,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Reached { latency_us, gigabits_per_s } => {
                write!(f, "reached, {latency_us:.0} µs, {gigabits_per_s:.1} Gbit/s")
            }
            Answer::Refused => f.write_str("refused"),
            Answer::Dropped => {
                write!(f, "no answer within {} s", CONNECT_TIMEOUT.as_secs())
            }
            Answer::Unroutable { why } => write!(f, "no route: {why}"),
            Answer::Strange { why } => write!(f, "something else answers: {why}"),
        }
    }
}

/// Listens on a port that `NEMESIS_PORTS` permits, on the addresses that `NEMESIS_NET` chooses, and
/// serves every connection that knows the key.
pub fn listen(host: &str) -> Result<Target, String> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let choice = Choice::parse(&variable("NEMESIS_NET"))?;
    let ports = match variable("NEMESIS_PORTS") {
        text if text.is_empty() => 0..=0,
        text => Ports::parse(&text)?.0.unwrap_or(0..=0),
    };
    let said = |why: io::Error| why.to_string();
    let bind = |port: u16| {
        TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
    };
    let (first, last) = ports.into_inner();
    let listener = (first..=last)
        .find_map(|port| bind(port).ok())
        .ok_or_else(|| format!("no port of {first}:{last} is free"))?;
    let port = listener.local_addr().map_err(said)?.port();
    let addresses = chosen(&choice, interfaces::list().map_err(said)?);
    let key = JobKey::random().map_err(said)?;
    let text = key.to_hex();
    thread::spawn(move || {
        // One connection at a time: measurements beside each other would be wrong. A connection
        // that ends early is the other host's to report.
        for stream in listener.incoming().flatten() {
            let _ = serve(stream, &key);
        }
    });
    Ok(Target { host: host.to_owned(), addresses, port, key: text })
}

/// Returns the addresses by which the others may reach this host, those that the library would use
/// first. Loopback addresses and link-local ones do not lead from one host to another by
/// themselves.
fn chosen(choice: &Choice, all: Vec<Interface>) -> Vec<Address> {
    let usable = |interface: &Interface| !interface.loopback && !interface.is_link_local();
    choice
        .of(all)
        .into_iter()
        .filter(usable)
        .map(|interface| Address { interface: interface.name, address: interface.address })
        .collect()
}

/// Answers a connection: echoes the round trips, then counts what arrives until the end.
fn serve(mut stream: TcpStream, key: &JobKey) -> io::Result<()> {
    stream.set_read_timeout(Some(STEP_TIMEOUT))?;
    stream.set_nodelay(true)?;
    let mut proof = [0; KEY_BYTES];
    stream.read_exact(&mut proof)?;
    if !key.matches(&proof) {
        return Ok(());
    }
    stream.write_all(&proof)?;
    let mut word = [0; 8];
    for _ in 0..ROUND_TRIPS {
        stream.read_exact(&mut word)?;
        stream.write_all(&word)?;
    }
    let (mut block, mut total) = (vec![0; BLOCK_BYTES], 0_u64);
    loop {
        match stream.read(&mut block)? {
            0 => break,
            bytes => total += bytes as u64,
        }
    }
    stream.write_all(&total.to_le_bytes())
}

/// Connects to the addresses of a target, one after the other, until one is reached.
pub fn reach(own: &str, target: &Target) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for address in &target.addresses {
        let answer = attempt(SocketAddr::new(address.address, target.port), &target.key);
        let reached = matches!(answer, Answer::Reached { .. });
        attempts.push(Attempt {
            from: own.to_owned(),
            to: target.host.clone(),
            address: address.address,
            port: target.port,
            interface: address.interface.clone(),
            answer,
        });
        if reached {
            break;
        }
    }
    attempts
}

/// Connects to one address and measures.
fn attempt(address: SocketAddr, key: &str) -> Answer {
    let stream = match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
        Ok(stream) => stream,
        Err(why) => {
            return match why.kind() {
                io::ErrorKind::ConnectionRefused => Answer::Refused,
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Answer::Dropped,
                _ => Answer::Unroutable { why: why.to_string() },
            };
        }
    };
    match measure(stream, key) {
        Ok((latency_us, gigabits_per_s)) => Answer::Reached { latency_us, gigabits_per_s },
        Err(why) => Answer::Strange { why: why.to_string() },
    }
}

/// Returns the latency in microseconds and the bandwidth in Gbit/s of a connection.
fn measure(mut stream: TcpStream, key: &str) -> io::Result<(f64, f64)> {
    stream.set_read_timeout(Some(STEP_TIMEOUT))?;
    stream.set_write_timeout(Some(STEP_TIMEOUT))?;
    stream.set_nodelay(true)?;
    let key = JobKey::from_hex(key).ok_or_else(|| io::Error::other("the key is damaged"))?;
    stream.write_all(key.bytes())?;
    let mut back = [0; KEY_BYTES];
    stream.read_exact(&mut back)?;
    if !key.matches(&back) {
        return Err(io::Error::other("it does not know this test"));
    }
    let mut shortest = Duration::MAX;
    let mut word = [7; 8];
    for _ in 0..ROUND_TRIPS {
        let start = Instant::now();
        stream.write_all(&word)?;
        stream.read_exact(&mut word)?;
        shortest = shortest.min(start.elapsed());
    }
    let block = vec![0; BLOCK_BYTES];
    let start = Instant::now();
    for _ in 0..BLOCKS_MAX {
        stream.write_all(&block)?;
        if start.elapsed() > SENDING_TIME {
            break;
        }
    }
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut total = [0; 8];
    stream.read_exact(&mut total)?;
    let seconds = start.elapsed().as_secs_f64();
    let gigabits = u64::from_le_bytes(total) as f64 * 8.0 / 1e9;
    Ok((shortest.as_secs_f64() * 1e6 / 2.0, gigabits / seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_loopback(port: u16, key: &str) -> Vec<Attempt> {
        let address = Address { interface: "lo".into(), address: Ipv4Addr::LOCALHOST.into() };
        let target = Target { host: "b".into(), addresses: vec![address], port, key: key.into() };
        reach("a", &target)
    }

    #[test]
    fn a_listening_host_is_reached_and_a_closed_port_refuses() {
        let target = listen("b").unwrap();
        assert!(target.addresses.iter().all(|it| !it.address.is_loopback()));
        let reached = on_loopback(target.port, &target.key);
        let Answer::Reached { latency_us, gigabits_per_s } = reached[0].answer else {
            panic!("{reached:?}")
        };
        assert!(latency_us > 0.0 && gigabits_per_s > 0.0);
        let strange = on_loopback(target.port, &"0".repeat(64));
        assert!(matches!(strange[0].answer, Answer::Strange { .. }), "{strange:?}");
        let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = closed.local_addr().unwrap().port();
        drop(closed);
        assert_eq!(on_loopback(port, "00")[0].answer, Answer::Refused);
    }

    #[test]
    fn only_addresses_that_lead_to_other_hosts_are_told() {
        let interface = |name: &str, address: &str, loopback| Interface {
            name: name.into(),
            address: address.parse().unwrap(),
            prefix: 24,
            scope: u32::from(address.starts_with("fe80")),
            loopback,
        };
        let all = vec![
            interface("lo", "127.0.0.1", true),
            interface("eth0", "10.1.1.1", false),
            interface("eth0", "fe80::1", false),
        ];
        let addresses = chosen(&Choice::default(), all);
        assert_eq!(addresses.len(), 1);
        assert_eq!(addresses[0].interface, "eth0");
    }
}
