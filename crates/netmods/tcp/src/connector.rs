//! One attempt to connect to a process: tries its addresses in parallel until one authenticates.
//!
//! ```text
//!   Connecting ──> Greeted ──> Proved ──> Answered ──> welcome: this is the connection
//!                                 one at a time ┘  └──> the peer's own attempt wins: wait for it
//! ```
//!
//! Candidates start staggered, so that the first address usually succeeds before the second starts.
//! When all have failed, the attempt tries them again until a time-out. The time-out is short if
//! all addresses refuse (a process listens before it publishes its card, so it is gone), and longer
//! if none responds, or if one of the two processes has no free descriptor. A connected candidate
//! has no time-out, because the process may be computing.

use crate::handshake::{
    self, CHALLENGE_BYTES, CIPHER_CONTEXT, HandshakeReply, Hello, KEY_BYTES, Nonce, REPLY_BYTES,
    Role,
};
use crate::socket::{self, Moved};
use crate::stream::Stream;
use nemesis_cipher::{CHANGED, CHANGED_WORDS, Cipher, EXCHANGE_BYTES, KeyExchange};
use nemesis_sys::descriptors;
use nemesis_sys::interfaces::is_link_local;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::fmt;
use std::io::IoSlice;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Time between the starts of two candidates.
const STAGGER: Duration = Duration::from_millis(40);
/// Delay before link-local candidates, which are for hosts without other addresses: long enough for
/// a process on a busy host to respond at another address.
const LINK_STAGGER: Duration = Duration::from_secs(3);
/// Time between two rounds.
const PAUSE: Duration = Duration::from_millis(100);
/// The attempt fails if all addresses have refused for this time.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
/// As [`REFUSAL_TIMEOUT`], for a process of another job: no launcher tells that it has ended.
const FOREIGN_REFUSAL_TIMEOUT: Duration = Duration::from_millis(200);
/// The attempt fails if no address has responded for this time.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time to wait for the peer's own connection after it has replied that its own attempt wins.
const COURTESY: Duration = Duration::from_secs(2);

pub struct Attempt {
    hello: Hello,
    key: [u8; KEY_BYTES],
    addresses: Vec<SocketAddr>,
    source: Option<SocketAddr>,
    /// How long all addresses may refuse.
    refusal_timeout: Duration,
    /// Number of addresses that this round has tried.
    tried: usize,
    candidates: Vec<Option<Candidate>>,
    next: Instant,
    /// Start of the time-out.
    since: Instant,
    /// All candidates of this round were refused.
    refused: bool,
    /// What the last failed candidate met; empty if none has failed.
    last: String,
    /// Why no descriptor is free for a candidate, here or at the peer, if it failed last for that.
    shortage: Option<Shortage>,
}

struct Candidate {
    socket: OwnedFd,
    address: SocketAddr,
    hello: Hello,
    stage: Stage,
}

enum Stage {
    Connecting,
    Greeted { bytes: [u8; CHALLENGE_BYTES], have: usize },
    Proved(Nonce),
    Answered(Answered),
}

/// What is still expected: a reply, and after a welcome the message that completes the key
/// exchange.
struct Answered {
    exchange: Option<KeyExchange>,
    bytes: [u8; REPLY_BYTES + EXCHANGE_BYTES],
    have: usize,
}

/// Outcome of an attempt.
pub enum Outcome {
    Going,
    /// The connection, authenticated on both sides.
    Reached(Stream),
    /// The process is unreachable, and why.
    Failed(String),
}

impl Attempt {
    pub fn new(
        hello: Hello,
        key: [u8; KEY_BYTES],
        addresses: Vec<SocketAddr>,
        source: Option<SocketAddr>,
    ) -> Attempt {
        let now = Instant::now();
        Attempt {
            hello,
            key,
            addresses,
            source,
            refusal_timeout: REFUSAL_TIMEOUT,
            tried: 0,
            candidates: Vec::new(),
            next: now,
            since: now,
            refused: true,
            last: String::new(),
            shortage: None,
        }
    }

    /// Makes this an attempt to connect to a process of another job.
    pub fn for_foreigner(self) -> Attempt {
        Attempt { refusal_timeout: FOREIGN_REFUSAL_TIMEOUT, ..self }
    }

    /// Returns the error if this process has no free descriptor for a candidate.
    pub fn own_shortage(&self) -> Option<Errno> {
        match self.shortage {
            Some(Shortage::Own(errno)) => Some(errno),
            _ => None,
        }
    }

    /// Returns whether the peer may be accepting one of the candidates at this moment.
    pub fn has_answered(&self) -> bool {
        self.candidates
            .iter()
            .flatten()
            .any(|candidate| matches!(candidate.stage, Stage::Answered(_)))
    }

    /// Returns when [`poll`](Attempt::poll) has work to do even if no socket is ready.
    pub fn due(&self) -> Instant {
        self.next
    }

    /// Calls `watch` with every socket that has nothing more to write.
    pub fn watch_for_reading(&self, mut watch: impl FnMut(&OwnedFd, u16)) {
        for (number, candidate) in self.candidates.iter().enumerate() {
            if let Some(candidate) = candidate
                && !matches!(candidate.stage, Stage::Connecting)
            {
                watch(&candidate.socket, number as u16);
            }
        }
    }

    /// Starts the candidates that are due, and calls `watch` with each new socket and its number.
    pub fn poll(&mut self, now: Instant, mut watch: impl FnMut(&OwnedFd, u16)) -> Outcome {
        let alive = self.candidates.iter().flatten().count();
        let connected = self
            .candidates
            .iter()
            .flatten()
            .any(|candidate| !matches!(candidate.stage, Stage::Connecting));
        let waited = now.saturating_duration_since(self.since);
        let all_tried = alive == 0 && self.tried == self.addresses.len();
        let limit = if self.refused && all_tried { self.refusal_timeout } else { TIMEOUT };
        if !connected && waited > limit {
            return Outcome::Failed(self.failure(limit));
        }
        if self.tried == self.addresses.len() {
            if alive > 0 || now < self.next {
                return Outcome::Going;
            }
            self.tried = 0;
            self.refused = true;
            self.candidates.clear();
        }
        if now < self.next && alive > 0 {
            return Outcome::Going;
        }
        let Some(&address) = self.addresses.get(self.tried) else { return Outcome::Going };
        self.tried += 1;
        self.next = now
            + match self.addresses.get(self.tried) {
                None => PAUSE,
                Some(next) if is_link_local(&next.ip()) && !is_link_local(&address.ip()) => {
                    LINK_STAGGER
                }
                Some(_) => STAGGER,
            };
        match self.start(address) {
            Ok(candidate) => {
                watch(&candidate.socket, self.candidates.len() as u16);
                self.candidates.push(Some(candidate));
            }
            Err(errno) => {
                self.note(address, &words(errno), false);
                if descriptors::are_exhausted(errno) {
                    self.shortage = Some(Shortage::Own(errno));
                }
            }
        }
        Outcome::Going
    }

    fn start(&self, address: SocketAddr) -> Result<Candidate, Errno> {
        let nonce = handshake::nonce()
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOSYS))?;
        let socket = socket::connect(
            &address,
            self.source.filter(|source| source.is_ipv4() == address.is_ipv4()),
        )?;
        Ok(Candidate {
            socket,
            address,
            hello: Hello { nonce, ..self.hello },
            stage: Stage::Connecting,
        })
    }

    /// Drops the connected candidates whose hosts do not answer. The kernel would repeat a lost
    /// message of the handshake for a quarter of an hour.
    pub fn drop_silent(&mut self, is_silent: impl Fn(&OwnedFd) -> bool) {
        for number in 0..self.candidates.len() {
            if let Some(candidate) = &self.candidates[number]
                && !matches!(candidate.stage, Stage::Connecting)
                && is_silent(&candidate.socket)
            {
                self.drop_candidate(number as u16, "its host does not answer", false);
            }
        }
        self.answer_one();
    }

    /// Handles an event on the socket of candidate `number`.
    pub fn step(&mut self, number: u16, send_buffer: Option<usize>) -> Outcome {
        let key = &self.key;
        let Some(Some(candidate)) = self.candidates.get_mut(usize::from(number)) else {
            return Outcome::Going;
        };
        match candidate.step(key, send_buffer) {
            Step::Again => {}
            Step::Refused(why) => self.drop_candidate(number, &why, true),
            Step::Failed(why) => self.drop_candidate(number, &why, false),
            Step::NoRoom(most) => {
                self.drop_candidate(number, "it has no free descriptor", false);
                self.shortage = Some(Shortage::Its(most));
            }
            Step::Judged(HandshakeReply::Welcome, cipher) => {
                if let Some(candidate) = self.candidates[usize::from(number)].take() {
                    return Outcome::Reached(Stream::new(candidate.socket, cipher));
                }
            }
            Step::Judged(HandshakeReply::Differs, _) => {
                return Outcome::Failed(differs(self.hello.encrypt));
            }
            Step::Judged(HandshakeReply::MineWins | HandshakeReply::Already, _) => {
                self.drop_candidate(number, "its own connection is to come", false);
                let now = Instant::now();
                (self.since, self.next, self.tried) = (now, now + COURTESY, self.addresses.len());
                self.candidates.clear();
                self.shortage = None;
            }
        }
        self.answer_one();
        Outcome::Going
    }

    /// Sends this process's proof to one authenticated candidate at a time, so that the peer
    /// accepts one.
    fn answer_one(&mut self) {
        if self.has_answered() {
            return;
        }
        for candidate in self.candidates.iter_mut().flatten() {
            let Stage::Proved(nonce) = candidate.stage else { continue };
            candidate.answer(&self.key, &nonce);
            return;
        }
    }

    fn drop_candidate(&mut self, number: u16, why: &str, refused: bool) {
        if let Some(candidate) = self.candidates[usize::from(number)].take() {
            self.note(candidate.address, why, refused);
        }
    }

    fn note(&mut self, address: SocketAddr, why: &str, refused: bool) {
        // A link-local address beside others may belong to a different link: count its failure as a
        // refusal.
        self.refused &= refused
            || is_link_local(&address.ip())
                && self.addresses.iter().any(|other| !is_link_local(&other.ip()));
        // A host that refuses has answered; other failures may come of the shortage itself.
        if refused {
            self.shortage = None;
        }
        self.last = format!("{address}: {why}");
    }

    /// Says why no address has been reached within `limit`.
    fn failure(&self, limit: Duration) -> String {
        let (places, seconds) = (self.places(), limit.as_secs());
        if let Some(shortage) = &self.shortage {
            return format!("{shortage} for {seconds} s; try: {}", descriptors::ADVICE);
        }
        match self.last.as_str() {
            _ if self.addresses.is_empty() => "it has published no address; \
                 try: -net with an interface that its host has"
                .to_owned(),
            "" => format!(
                "nothing at {places} answers or refuses within {seconds} s: a firewall drops what \
                 is sent there; try: -port-range 50000:50100 and opening these ports, -net with \
                 another interface, or `nemesis doctor -hosts ...`"
            ),
            last => format!("nobody is reached at {places}: {last}"),
        }
    }

    fn places(&self) -> String {
        let places: Vec<String> = self.addresses.iter().map(SocketAddr::to_string).collect();
        places.join(", ")
    }
}

/// Why no descriptor is free for a connection.
enum Shortage {
    /// This process has none.
    Own(Errno),
    /// The peer has none of this number, which is its limit.
    Its(u64),
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shortage::Own(errno) => write!(
                f,
                "this process has had no free file descriptor for a connection with it ({})",
                descriptors::limit_in_words(*errno)
            ),
            Shortage::Its(most) => write!(
                f,
                "it has had no free file descriptor for a connection with this process (it may \
                 have {most} files open, `ulimit -n`)"
            ),
        }
    }
}

enum Step {
    Again,
    /// The peer has no free descriptor of this number.
    NoRoom(u64),
    Refused(String),
    Failed(String),
    Judged(HandshakeReply, Option<Box<Cipher>>),
}

impl Candidate {
    /// Sends this process's proof, and a key if the connection is to be encrypted.
    fn answer(&mut self, key: &[u8; KEY_BYTES], nonce: &Nonce) {
        let proof = self.hello.proof(key, Role::Connector, nonce);
        let exchange = if self.hello.encrypt {
            KeyExchange::connector(CIPHER_CONTEXT, key, &self.hello.prologue(nonce))
        } else {
            None
        };
        let (exchange, message) = exchange
            .map_or((None, Vec::new()), |(exchange, message)| (Some(exchange), message.to_vec()));
        // The next read reports a failure.
        let _ = socket::write_plain(&self.socket, &[IoSlice::new(&proof), IoSlice::new(&message)]);
        self.stage = Stage::Answered(Answered {
            exchange,
            bytes: [0; REPLY_BYTES + EXCHANGE_BYTES],
            have: 0,
        });
    }

    fn step(&mut self, key: &[u8; KEY_BYTES], send_buffer: Option<usize>) -> Step {
        loop {
            match &mut self.stage {
                Stage::Connecting => match socket::connected(&self.socket) {
                    None => return Step::Again,
                    Some(Err(Errno::CONNREFUSED)) => {
                        return Step::Refused("connection refused".to_owned());
                    }
                    Some(Err(errno)) => return Step::Failed(words(errno)),
                    Some(Ok(())) => {
                        socket::tune(&self.socket, send_buffer);
                        let hello = self.hello.encode();
                        if socket::write_plain(&self.socket, &[IoSlice::new(&hello)])
                            != Moved::Bytes(hello.len())
                        {
                            return Step::Failed("it takes no greeting".to_owned());
                        }
                        self.stage = Stage::Greeted { bytes: [0; CHALLENGE_BYTES], have: 0 };
                    }
                },
                Stage::Greeted { bytes, have } => {
                    match socket::read_plain(&self.socket, &mut bytes[*have..]) {
                        Moved::Bytes(read) => {
                            *have += read;
                            if *have == CHALLENGE_BYTES {
                                if let Some(most) = handshake::read_no_room(bytes) {
                                    return Step::NoRoom(most);
                                }
                                let (nonce, proof) = handshake::read_challenge(bytes);
                                if !self.hello.is_proved(key, Role::Acceptor, &nonce, &proof) {
                                    return Step::Failed("somebody else answers there".to_owned());
                                }
                                self.stage = Stage::Proved(nonce);
                                return Step::Again;
                            }
                        }
                        other => return stopped(other),
                    }
                }
                Stage::Proved(_) => return Step::Again,
                Stage::Answered(answered) => {
                    // If no key follows the reply, packets do, and they must not be read here.
                    let wanted =
                        if answered.have == 0 { REPLY_BYTES } else { answered.bytes.len() };
                    match socket::read_plain(
                        &self.socket,
                        &mut answered.bytes[answered.have..wanted],
                    ) {
                        Moved::Bytes(read) => answered.have += read,
                        other => return stopped(other),
                    }
                    match answered.judge() {
                        None => {}
                        // If the key exchange failed, no reply of the peer may turn the
                        // connection into an unencrypted one.
                        Some(Step::Judged(HandshakeReply::Welcome, None)) if self.hello.encrypt => {
                            return Step::Failed(words(CHANGED));
                        }
                        Some(step) => return step,
                    }
                }
            }
        }
    }
}

impl Answered {
    /// Interprets the bytes received so far; `None` if more must come.
    fn judge(&mut self) -> Option<Step> {
        let Some(reply) = HandshakeReply::decode(self.bytes[0]) else {
            return Some(Step::Failed("its reply makes no sense".to_owned()));
        };
        if reply != HandshakeReply::Welcome || self.exchange.is_none() {
            return Some(Step::Judged(reply, None));
        }
        let (_, message) = self.bytes.split_first_chunk::<REPLY_BYTES>()?;
        let message = message.try_into().ok().filter(|_| self.have == self.bytes.len())?;
        let cipher = self.exchange.take()?.finish(message);
        Some(cipher.map_or_else(
            || Step::Failed(words(CHANGED)),
            |cipher| Step::Judged(reply, Some(cipher)),
        ))
    }
}

/// Describes that one process encrypts and the other does not.
pub fn differs(we_encrypt: bool) -> String {
    let (ours, its) =
        if we_encrypt { ("encrypts", "does not") } else { ("does not encrypt", "does") };
    format!(
        "this process {ours} its connections and that one {its}: \
         NEMESIS_ENCRYPT (mpiexec -encrypt) must be the same for all"
    )
}

fn stopped(moved: Moved) -> Step {
    match moved {
        Moved::Failed(errno) => Step::Failed(words(errno)),
        Moved::End => Step::Failed("it closed before it had proved itself".to_owned()),
        Moved::Bytes(_) | Moved::Nothing => Step::Again,
    }
}

pub fn words(errno: Errno) -> String {
    if errno == CHANGED {
        return CHANGED_WORDS.to_owned();
    }
    let words = std::io::Error::from(errno).to_string();
    descriptors::explained(&words).unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(addresses: &[&str], last: &str) -> Attempt {
        let hello = Hello { from: 0, to: 1, job: 9, nonce: [1; 32], channel: 0, encrypt: false };
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        let mut attempt = Attempt::new(hello, [0; KEY_BYTES], addresses, None);
        attempt.last = last.to_owned();
        attempt
    }

    #[test]
    fn a_host_that_stops_answering_within_the_handshake_is_given_up() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut attempt = attempt(&[&listener.local_addr().unwrap().to_string()], "");
        attempt.poll(Instant::now(), |_, _| {});
        let _peer = listener.accept().unwrap();
        while matches!(attempt.candidates[0].as_ref().unwrap().stage, Stage::Connecting) {
            attempt.step(0, None);
        }
        let late = attempt.since + TIMEOUT + PAUSE;
        attempt.drop_silent(|_| false);
        assert!(matches!(attempt.poll(late, |_, _| {}), Outcome::Going), "it may be computing");
        attempt.drop_silent(|_| true);
        let Outcome::Failed(why) = attempt.poll(late, |_, _| {}) else { panic!("it goes on") };
        assert!(why.ends_with(": its host does not answer"), "{why}");
    }

    #[test]
    fn an_address_that_is_silent_is_not_one_that_is_missing() {
        let silent = attempt(&["10.77.1.2:41277"], "").failure(TIMEOUT);
        assert!(
            silent.starts_with("nothing at 10.77.1.2:41277 answers or refuses within 10 s: a fire"),
            "{silent}"
        );
        assert!(silent.contains("; try: -port-range"), "{silent}");
        let none = attempt(&[], "").failure(TIMEOUT);
        assert!(none.starts_with("it has published no address"), "{none}");
        let refused = attempt(&["10.0.0.1:1"], "10.0.0.1:1: connection refused").failure(TIMEOUT);
        assert!(refused.ends_with("10.0.0.1:1: connection refused"), "{refused}");
    }
}
