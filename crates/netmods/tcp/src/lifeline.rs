//! Authenticated connections for network modules whose packets travel otherwise.
//!
//! An RDMA module must exchange addresses and keys before its first packet, only with processes
//! that know the job key, and must learn when a process dies. [`Lifelines`] is that connection: a
//! module asks for one to a process, learns when one exists, whichever end began, and exchanges
//! short messages over it. The end of the connection without [`close`](Lifelines::close) means that
//! the process has died.
//!
//! ```text
//!   Lifelines::open ──> card, a part of the module's own card
//!   connect(p, its card) ──┐
//!                          ├──> Event::Connected(p) at both ends, after both proofs
//!   p connects to us ──────┘    send ──> Event::Message   its death ──> Event::Ended
//! ```
//!
//! Nothing is sent to a process, and nothing of it is read but the handshake, before it has proved
//! that it knows the job key ([`handshake`](crate::handshake)). If [`Options::encrypt`] is set, the
//! messages are encrypted; packets of the module are not.
//!
//! A poll costs a system call. A module polls rarely while nothing is being connected: the
//! descriptor of [`rest`](Lifelines::rest) wakes a sleeping process.

use crate::connection_setup::{ConnectionSetup, Made};
use crate::connector::words;
use crate::link::is_silent;
use crate::options::Options;
use crate::poller::Source;
use crate::socket::Moved;
use crate::stream::{self, Stream};
use nemesis_netmod::{Failure, Fault, Interest, Setup};
use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IoSlice;
use std::time::{Duration, Instant};

/// Longest message.
pub const MESSAGE_MAX_BYTES: usize = 4096;
/// Bytes of the length in front of a message.
const LENGTH_BYTES: usize = 2;
/// Bytes that wait to be written to one process beyond which [`Lifelines::send`] refuses.
const QUEUE_MAX_BYTES: usize = 1 << 20;
/// Bytes of one read.
const READ_BYTES: usize = 8192;
/// Time between two checks of the clocks.
const TICK: Duration = Duration::from_millis(20);
/// Time between two checks of whether connections are silent.
const SILENCE_TICK: Duration = Duration::from_secs(1);

/// What has happened since the last poll.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A connection with the process exists; both have proved themselves. Reported once.
    Connected(u32),
    /// A message of the process.
    Message(u32, Vec<u8>),
    /// The process cannot be reached, or its connection has ended without this process's
    /// [`close`](Lifelines::close). Reported once, after the last message.
    Ended(u32, Failure),
}

/// The authenticated connection with one process.
struct Line {
    stream: Stream,
    /// Bytes that were read and are not a whole message.
    incoming: Vec<u8>,
    /// Bytes that were not written yet.
    outgoing: Vec<u8>,
}

/// The connections of one process for one module.
///
/// # Examples
/// Two processes connect and exchange a message.
/// ```
/// use nemesis_netmod::Setup;
/// use nemesis_netmod_tcp::lifeline::{Event, Lifelines};
/// use nemesis_netmod_tcp::{Choice, Options};
///
/// let options = Options { choice: Choice::parse("lo").unwrap(), ..Options::default() };
/// let open = |me| {
///     let setup = Setup { me, processes: 2, job_key: [7; 32], cells: None };
///     Lifelines::open(&setup, &options, 8).unwrap()
/// };
/// let (mut one, mut two) = (open(0), open(1));
/// one.connect(1, two.card()).unwrap();
/// let (mut seen, mut said) = (Vec::new(), false);
/// while !seen.iter().any(|event| matches!(event, Event::Message(..))) {
///     seen.extend(two.poll(&mut |_| {}));
///     if one.poll(&mut |_| {}) == [Event::Connected(1)] {
///         assert!(one.send(1, b"queue pair 42"));
///         said = true;
///     }
/// }
/// assert!(said);
/// assert_eq!(seen, [Event::Connected(0), Event::Message(0, b"queue pair 42".to_vec())]);
/// ```
pub struct Lifelines {
    setup: ConnectionSetup,
    card: Vec<u8>,
    lines: BTreeMap<u32, Line>,
    /// Processes whose connection has ended, or that could not be reached.
    ended: BTreeSet<u32>,
    events: Vec<Event>,
    next_tick: Instant,
    next_silence: Instant,
}

impl Lifelines {
    /// Starts to accept connections. `channel` is a number from 4 to 15 that no other module of the
    /// process uses: modules may share a port (`mpiexec -port-range`).
    pub fn open(setup: &Setup, options: &Options, channel: u8) -> Result<Lifelines, Failure> {
        let options = Options { rail: 0, ..options.clone() };
        let (setup, card) = ConnectionSetup::open(setup, &options, channel)?;
        let now = Instant::now();
        Ok(Lifelines {
            setup,
            card: card.encode(),
            lines: BTreeMap::new(),
            ended: BTreeSet::new(),
            events: Vec::new(),
            next_tick: now,
            next_silence: now,
        })
    }

    /// Returns the card by which other processes connect to this one.
    pub fn card(&self) -> &[u8] {
        &self.card
    }

    /// Returns why no connection with the process that has published `card` is possible.
    pub fn connects(&self, card: &[u8]) -> Result<(), String> {
        self.setup.connects(card)
    }

    /// Begins to connect with a process, unless it is connected or being connected. Fails if the
    /// process cannot be reached, or was lost.
    pub fn connect(&mut self, to: u32, card: &[u8]) -> Result<(), Failure> {
        if self.ended.contains(&to) {
            return Err(Failure::new(Fault::Lost, "its connection has ended").about(to));
        }
        if self.is_connected(to) || self.setup.connecting().any(|other| other == to) {
            return Ok(());
        }
        self.setup.connect(to, Some(card))?;
        self.adopt_made();
        Ok(())
    }

    /// Returns whether there is a connection with a process.
    pub fn is_connected(&self, process: u32) -> bool {
        self.lines.contains_key(&process)
    }

    /// Sends a message of at most [`MESSAGE_MAX_BYTES`] to a connected process, after all earlier
    /// ones. Returns false if there is no connection, or if too much waits.
    ///
    /// # Panics
    /// If the message is too long.
    pub fn send(&mut self, to: u32, message: &[u8]) -> bool {
        assert!(message.len() <= MESSAGE_MAX_BYTES, "a message of a lifeline is short");
        let Some(line) = self.lines.get_mut(&to) else { return false };
        if line.outgoing.len() + message.len() > QUEUE_MAX_BYTES {
            return false;
        }
        line.outgoing.extend((message.len() as u16).to_le_bytes());
        line.outgoing.extend(message);
        self.write(to);
        true
    }

    /// Ends the connection with a process, which it sees as [`Event::Ended`] after all messages.
    /// What has not been written yet is lost: see [`has_unsent`](Self::has_unsent). Later
    /// connections of the process are refused.
    pub fn close(&mut self, process: u32) {
        self.setup.abandon(process);
        self.lines.remove(&process);
        self.ended.insert(process);
    }

    /// Returns whether messages to a process wait to be written.
    pub fn has_unsent(&self, process: u32) -> bool {
        self.lines.get(&process).is_some_and(|line| !line.outgoing.is_empty())
    }

    /// Moves what has arrived and what waits. `note` receives lines for the log.
    pub fn poll(&mut self, note: &mut dyn FnMut(&str)) -> Vec<Event> {
        for source in self.setup.poller.poll() {
            let (lines, ended) = (&self.lines, &self.ended);
            let is_known = |peer: u32| lines.contains_key(&peer) || ended.contains(&peer);
            match source {
                Source::Link(peer) => {
                    self.write(peer);
                    self.read(peer);
                    continue;
                }
                Source::Listener => self.setup.admit(note, &is_known),
                Source::PendingConnection(number) => {
                    self.setup.step_pending(note, number, &is_known);
                }
                Source::Candidate(peer, number) => self.setup.step_candidate(peer, number),
            }
            self.adopt_made();
        }
        let now = Instant::now();
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            let (lines, ended) = (&self.lines, &self.ended);
            let is_known = |peer: u32| lines.contains_key(&peer) || ended.contains(&peer);
            self.setup.tick(note, now, &is_known);
            self.adopt_made();
            self.end_silent(now);
        }
        std::mem::take(&mut self.events)
    }

    /// Adds the descriptor that announces events, and returns the longest time to sleep; `None` if
    /// the next poll has something to report.
    pub fn rest(&self, interests: &mut Vec<Interest>) -> Option<Duration> {
        if !self.events.is_empty() {
            return None;
        }
        interests.push(Interest {
            descriptor: self.setup.poller.as_fd().as_raw_fd(),
            readable: true,
            writable: false,
        });
        let now = Instant::now();
        let due = self.setup.due().map_or(SILENCE_TICK, |due| due.saturating_duration_since(now));
        Some(due.clamp(TICK, SILENCE_TICK))
    }

    fn adopt_made(&mut self) {
        for made in self.setup.take_made() {
            match made {
                Made::Connection(peer, stream) => {
                    let line = Line { stream, incoming: Vec::new(), outgoing: Vec::new() };
                    self.lines.insert(peer, line);
                    self.events.push(Event::Connected(peer));
                    // The cipher may hold messages that no descriptor announces.
                    self.read(peer);
                }
                Made::Failed(peer, failure) => self.end(peer, failure),
            }
        }
    }

    fn end(&mut self, peer: u32, failure: Failure) {
        self.lines.remove(&peer);
        if self.ended.insert(peer) {
            self.events.push(Event::Ended(peer, failure.about(peer)));
        }
    }

    fn end_silent(&mut self, now: Instant) {
        if now < self.next_silence {
            return;
        }
        self.next_silence = now + SILENCE_TICK;
        let silent: Vec<u32> = self
            .lines
            .iter()
            .filter(|(_, line)| is_silent(&line.stream))
            .map(|(peer, _)| *peer)
            .collect();
        for peer in silent {
            self.end(peer, broken(Errno::TIMEDOUT));
        }
    }

    fn write(&mut self, peer: u32) {
        let Some(line) = self.lines.get_mut(&peer) else { return };
        let was_waiting = line.outgoing.len();
        while !line.outgoing.is_empty() {
            match stream::write(&line.stream, &[IoSlice::new(&line.outgoing)]) {
                Moved::Bytes(written) => drop(line.outgoing.drain(..written)),
                // A read reports that the connection has ended, after the last messages.
                Moved::Nothing | Moved::End | Moved::Failed(_) => break,
            }
        }
        if was_waiting > 0 {
            let waits = !line.outgoing.is_empty();
            // If the socket cannot be watched, the next send or message of the peer writes.
            let _ = self.setup.poller.change(&line.stream, Source::Link(peer), waits);
        }
    }

    fn read(&mut self, peer: u32) {
        let mut bytes = [0; READ_BYTES];
        loop {
            let Some(line) = self.lines.get_mut(&peer) else { return };
            let failure = match stream::read(&line.stream, &mut bytes) {
                Moved::Bytes(read) => {
                    line.incoming.extend(&bytes[..read]);
                    match take_messages(&mut line.incoming) {
                        Some(messages) => {
                            let events =
                                messages.into_iter().map(|message| Event::Message(peer, message));
                            self.events.extend(events);
                            continue;
                        }
                        None => Failure::new(Fault::Malformed, "it sent a message without end"),
                    }
                }
                Moved::Nothing => return,
                Moved::End => Failure::new(Fault::Lost, "it closed its connection"),
                Moved::Failed(errno) => broken(errno),
            };
            self.end(peer, failure);
        }
    }
}

fn broken(errno: Errno) -> Failure {
    Failure::new(Fault::Lost, format!("the connection broke: {}", words(errno)))
}

/// Removes the whole messages from the front of `bytes`; `None` if one is too long.
fn take_messages(bytes: &mut Vec<u8>) -> Option<Vec<Vec<u8>>> {
    let mut messages = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some((length, after)) = rest.split_first_chunk::<LENGTH_BYTES>() {
        let length = usize::from(u16::from_le_bytes(*length));
        if length > MESSAGE_MAX_BYTES {
            return None;
        }
        let Some((message, after)) = after.split_at_checked(length) else { break };
        messages.push(message.to_vec());
        rest = after;
    }
    let used = bytes.len() - rest.len();
    bytes.drain(..used);
    Some(messages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_sys::choice::Choice;

    fn open(me: u32, key: u8, encrypt: bool) -> Lifelines {
        let options =
            Options { choice: Choice::parse("lo").unwrap(), encrypt, ..Options::default() };
        let setup = Setup { me, processes: 2, job_key: [key; 32], cells: None };
        Lifelines::open(&setup, &options, 8).unwrap()
    }

    /// Polls both until `done` returns true for their events so far.
    fn until(
        one: &mut Lifelines,
        two: &mut Lifelines,
        done: impl Fn(&[Event], &[Event]) -> bool,
    ) -> [Vec<Event>; 2] {
        let start = Instant::now();
        let mut seen = [Vec::new(), Vec::new()];
        while !done(&seen[0], &seen[1]) {
            assert!(start.elapsed() < Duration::from_secs(30), "{seen:?}");
            seen[0].extend(one.poll(&mut |_| {}));
            seen[1].extend(two.poll(&mut |_| {}));
        }
        seen
    }

    #[test]
    fn both_may_connect_at_once_and_messages_arrive_whole() {
        for encrypt in [false, true] {
            let (mut one, mut two) = (open(0, 1, encrypt), open(1, 1, encrypt));
            one.connect(1, two.card()).unwrap();
            two.connect(0, one.card()).unwrap();
            until(&mut one, &mut two, |one, two| !one.is_empty() && !two.is_empty());
            assert!(one.is_connected(1) && two.is_connected(0));
            let message = |number: usize| vec![number as u8; number * 37 % (MESSAGE_MAX_BYTES + 1)];
            let sent: Vec<Vec<u8>> = (0..200).map(message).collect();
            for message in &sent {
                while !one.send(1, message) {
                    one.poll(&mut |_| {});
                }
            }
            let [_, seen] = until(&mut one, &mut two, |_, two| two.len() == sent.len());
            let all = sent.into_iter().map(|message| Event::Message(0, message));
            assert!(seen.into_iter().eq(all));
            assert!(!one.has_unsent(1));
            drop(one);
            let start = Instant::now();
            let ended = loop {
                assert!(start.elapsed() < Duration::from_secs(30));
                if let Some(event) = two.poll(&mut |_| {}).pop() {
                    break event;
                }
            };
            assert!(matches!(&ended, Event::Ended(0, failure) if failure.fault == Fault::Lost));
            assert!(two.connect(0, &[]).is_err(), "a process that has died is not connected again");
        }
    }

    #[test]
    fn nobody_without_the_job_key_is_connected() {
        let (mut one, mut two) = (open(0, 1, false), open(1, 2, false));
        one.connect(1, two.card()).unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(300) {
            assert_eq!((one.poll(&mut |_| {}), two.poll(&mut |_| {})), (vec![], vec![]));
        }
        assert!(!one.is_connected(1) && !two.is_connected(0));
    }

    #[test]
    fn one_end_that_does_not_encrypt_is_refused() {
        let (mut one, mut two) = (open(0, 1, true), open(1, 1, false));
        one.connect(1, two.card()).unwrap();
        let seen = until(&mut one, &mut two, |one, two| !one.is_empty() && !two.is_empty());
        for event in seen.iter().flatten() {
            let Event::Ended(_, failure) = event else { panic!("{event:?}") };
            assert!(failure.why.contains("NEMESIS_ENCRYPT"), "{failure}");
        }
    }

    #[test]
    fn a_message_without_end_is_not_kept() {
        let mut bytes = vec![2, 0, 7, 8, 1];
        assert_eq!(take_messages(&mut bytes), Some(vec![vec![7, 8]]));
        assert_eq!(bytes, [1]);
        bytes.push(0x10);
        bytes.push(0);
        assert_eq!(take_messages(&mut bytes), None, "a length of 4097");
    }
}
