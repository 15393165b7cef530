//! What an agent is told on its standard input, and how it then finds whoever started it.
//!
//! ```text
//!   nemesis-agent VERSION LF  job key LF  number of the agent LF  ADDRESS:PORT SPACE ADDRESS:PORT … LF
//! ```
//!
//! The key comes this way because nobody else reads a pipe, while command lines are for everybody to see.

use super::VERSION;
use super::message::{self, Down, Up};
use super::proof::{ANSWER_BYTES, Agent};
use crate::launch_spec::LaunchSpec;
use nemesis_sys::choice::Choice;
use nemesis_sys::interfaces::{self, Interface, is_of_link};
use nemesis_wireup::JobKey;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

const TITLE: &str = "nemesis-agent";
/// An invitation has some hundred bytes; a host with more addresses than this holds has others.
const BYTES_MAX: u64 = 64 * 1024;
/// For one address to answer, and for what is said before the job begins.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
const GREETING_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub struct Invitation {
    pub key: JobKey,
    pub number: u32,
    pub addresses: Vec<SocketAddr>,
}

/// Composes the invitation of agent `number`, who is to come to one of our `addresses`.
pub fn compose(key: &JobKey, number: u32, addresses: &[SocketAddr]) -> String {
    let addresses: Vec<String> = addresses.iter().map(SocketAddr::to_string).collect();
    format!("{TITLE} {VERSION}\n{}\n{number}\n{}\n", key.to_hex(), addresses.join(" "))
}

/// The addresses of this host under which others may reach `port`: those of the `choice`, or all if it leaves none on this host, which may have other
/// interfaces than those where ranks are. Loopback last, for agents on the same host.
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
    // Which of its links leads here an agent finds out itself.
    Ok(chosen.iter().map(|interface| interfaces::place(interface.address, port, 0)).collect())
}

/// Reads the invitation from standard input, up to the last of its lines.
pub fn read(input: impl Read) -> Result<Invitation, String> {
    let mut text = String::new();
    io::BufReader::new(input.take(BYTES_MAX))
        .read_to_string(&mut text)
        .map_err(|why| format!("reading the invitation: {why}"))?;
    let none =
        || "this is no invitation; a node agent is started by mpiexec, not by hand".to_owned();
    let mut lines = text.lines();
    let mut line = || lines.next().ok_or_else(none);
    match line()?.split_once(' ') {
        Some((TITLE, VERSION)) => {}
        Some((TITLE, other)) => {
            let own = nemesis_sys::host::hostname();
            return Err(format!(
                "different versions: {VERSION} on {own}, {other} where mpiexec was started; try: the same installation on all hosts"
            ));
        }
        _ => return Err(none()),
    }
    let key = JobKey::from_hex(line()?).ok_or_else(none)?;
    let number = line()?.parse().map_err(|_| none())?;
    let addresses =
        line()?.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| none())?;
    Ok(Invitation { key, number, addresses })
}

/// What an agent has when it has come: the connection, what it is to start, and bytes that came behind that.
pub struct Accepted {
    pub stream: TcpStream,
    pub launch_spec: LaunchSpec,
    pub rest: Vec<u8>,
}

impl Invitation {
    /// Goes to whoever invited: the first address behind which somebody knows the key.
    pub fn accept(&self) -> Result<Accepted, String> {
        let mut whys = Vec::new();
        for address in by_nearness(&self.addresses, &interfaces::list().unwrap_or_default()) {
            match self.come_to(address) {
                Ok(accepted) => return Ok(accepted),
                Err(why) => whys.push(format!("{address}: {why}")),
            }
        }
        let own = nemesis_sys::host::hostname();
        Err(format!(
            "{own} cannot reach the host where mpiexec was started ({}); try: opening its ports, or -port-range",
            whys.join("; ")
        ))
    }

    fn come_to(&self, address: SocketAddr) -> io::Result<Accepted> {
        let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
        stream.set_read_timeout(Some(GREETING_TIMEOUT))?;
        let agent = Agent::new(&self.key, self.number)?;
        stream.write_all(&agent.greeting())?;
        let mut answer = [0; ANSWER_BYTES];
        stream.read_exact(&mut answer)?;
        let proof =
            agent.answer(&answer).ok_or_else(|| io::Error::other("somebody else listens there"))?;
        stream.write_all(&proof)?;
        let mut hello = Vec::new();
        message::encode(
            &Up::Hello { version: VERSION.into(), host: nemesis_sys::host::hostname() },
            &mut hello,
        );
        stream.write_all(&hello)?;
        let mut bytes = Vec::new();
        let mut room = [0; 16 * 1024];
        loop {
            if let Some((message, taken)) = message::decode::<Down>(&bytes)
                .map_err(|malformed| io::Error::other(malformed.to_string()))?
            {
                let Down::Start(launch_spec) = message else {
                    return Err(io::Error::other("it does not say what to start"));
                };
                bytes.drain(..taken);
                return Ok(Accepted { stream, launch_spec: *launch_spec, rest: bytes });
            }
            match stream.read(&mut room)? {
                0 => return Err(io::Error::other("it closed the connection")),
                received => bytes.extend_from_slice(&room[..received]),
            }
        }
    }
}

/// Where to try: the addresses with which our own interfaces have most in common come first, those that we have as well later, since they are another
/// host's bridge of containers unless the inviter is on this host, and those of links at the end, by each of our interfaces.
fn by_nearness(addresses: &[SocketAddr], own: &[Interface]) -> Vec<SocketAddr> {
    let nearness = |address: &SocketAddr| {
        own.iter().map(|own| common_bits(own.address, address.ip())).max().unwrap_or(0)
    };
    let ours = |address: &SocketAddr| own.iter().any(|own| own.address == address.ip());
    let (of_link, mut places): (Vec<SocketAddr>, Vec<SocketAddr>) =
        addresses.iter().partition(|address| is_of_link(&address.ip()));
    places.sort_by_key(|address| {
        (address.ip().is_loopback(), ours(address), std::cmp::Reverse(nearness(address)))
    });
    for own in own.iter().filter(|own| own.is_of_link()) {
        places.extend(
            of_link
                .iter()
                .map(|address| interfaces::place(address.ip(), address.port(), own.scope)),
        );
    }
    places
}

/// How many leading bits two addresses share, in proportion to their length.
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
    fn an_invitation_is_read_back() {
        let key = JobKey::random().unwrap();
        let addresses = ["10.0.0.1:5".parse().unwrap(), "[fd00::1]:5".parse().unwrap()];
        let read = read(compose(&key, 7, &addresses).as_bytes()).unwrap();
        assert_eq!((read.number, read.addresses.as_slice()), (7, addresses.as_slice()));
        assert!(read.key.matches(key.bytes()));
    }

    #[test]
    fn other_versions_and_other_texts_are_refused() {
        assert!(
            read("nemesis-agent 9.9/9\nx\n".as_bytes()).unwrap_err().contains("different versions")
        );
        for text in [
            "",
            "hello\n",
            "nemesis-agent\n",
            &format!("{TITLE} {VERSION}\n00\n"),
            &format!("{TITLE} {VERSION}\n{:064}\n1\nhere\n", 0),
        ] {
            assert!(read(text.as_bytes()).unwrap_err().contains("no invitation"), "{text}");
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
        let said: Vec<SocketAddr> =
            ["[fe80::9]:7", "127.0.0.1:7", "172.17.0.1:7", "192.168.0.1:7", "10.1.0.9:7"]
                .map(|text| text.parse().unwrap())
                .to_vec();
        let launch_spec: Vec<String> =
            by_nearness(&said, &own).iter().map(SocketAddr::to_string).collect();
        assert_eq!(
            launch_spec,
            ["10.1.0.9:7", "192.168.0.1:7", "172.17.0.1:7", "127.0.0.1:7", "[fe80::9%3]:7"]
        );
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(text in r"(nemesis-agent 0.1.0/1\n)?[0-9a-f :.\n\[\]]{0,200}") {
            let _ = read(text.as_bytes());
        }
    }
}
