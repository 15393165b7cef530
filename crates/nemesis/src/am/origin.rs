//! The origin's side: numbers requests to other processes, sends them, and takes the answers.

use super::{
    Arriving, CLIENT_FLAGS, Limits, NUMBER_BYTES, OFFSET_BYTES, Part, Parts, Progress, QUIET,
    Reads, header, send_part, space_for_packet,
};
use crate::endpoint::Endpoint;
use crate::packet::Token;
use nemesis_netmod::{Failure, Region, RegionMut};
use nemesis_wire::{Header, kind, word, words};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;

/// Greatest number of requests of a pair that are not complete.
const UNDER_WAY_MAX: u64 = 1024;

/// A request, as its client describes it.
pub trait Ask {
    /// Returns the header of the request: context, tag, rank, and flags below 64.
    fn header(&self) -> Header;

    /// Writes the front, and returns its length.
    fn front(&self, into: &mut [u8]) -> usize;

    /// Returns the length of the stream.
    fn bytes(&self) -> usize;

    /// Copies the stream from byte `from` on, and returns the number of bytes copied: as many as
    /// fit, but no part of an element.
    fn fill(&self, from: usize, space: &mut [u8]) -> usize;

    /// Returns `bytes` bytes of the stream from byte `from` on as memory from which a network
    /// sends. The request keeps it.
    fn region(&self, from: usize, bytes: usize) -> Option<Region>;

    /// Returns the byte of the stream from which on [`region`](Self::region) may find memory.
    fn memory_from(&self) -> usize {
        0
    }

    /// Returns the bytes of an element, which packets do not divide.
    fn grain(&self) -> usize {
        1
    }

    /// Whether the target confirms the request.
    fn is_confirmed(&self) -> bool {
        true
    }
}

/// Where the result of a request goes.
pub trait Answer {
    /// Returns the length of the result.
    fn bytes(&self) -> usize;

    /// Takes bytes of the result from byte `from` on.
    fn take(&mut self, from: usize, bytes: &[u8]);

    /// Returns the memory of `bytes` bytes of the result from byte `from` on, if they are in one
    /// place.
    fn place(&mut self, from: usize, bytes: usize) -> Option<RegionMut>;
}

/// What a packet for the origin says.
#[derive(Debug)]
pub enum Answered<R> {
    /// Nothing that the client has to do.
    Partly,
    /// The result of this request is here.
    Result(u64, R),
    /// This request is refused. Its result, if it was to have one, does not come.
    Refused(u64, Option<R>),
}

/// What was asked of a process that is lost.
#[derive(Debug)]
pub struct Lost<A, R> {
    /// Requests that had not left.
    pub asks: Vec<A>,
    /// Requests without their results.
    pub results: Vec<R>,
    /// The last request that was done.
    pub done: u64,
}

/// A request without its result, and how far that is.
#[derive(Debug)]
struct Open<R> {
    answer: R,
    received: usize,
    arriving: Option<Arriving>,
}

/// A request that has not left.
#[derive(Debug)]
struct Sending<A> {
    number: u64,
    ask: A,
    asked: bool,
    sent: usize,
    /// Bulk payloads that are being read from the request's memory.
    leaving: usize,
    outcome: Result<(), Failure>,
}

/// What waits in the queue to a process.
#[derive(Debug)]
enum Waiting<A> {
    Request(Sending<A>),
    /// A packet of the client.
    Packet(Header, Box<[u8]>),
}

/// The requests to one process.
#[derive(Debug)]
struct Toward<A, R> {
    /// Number of the last request, and of the last that the target has done.
    last: u64,
    done: u64,
    queue: VecDeque<Waiting<A>>,
    /// Requests that are sent, but of which bulk payloads are being read.
    leaving: Vec<Sending<A>>,
    open: BTreeMap<u64, Open<R>>,
}

impl<A, R> Toward<A, R> {
    const fn new() -> Toward<A, R> {
        Toward {
            last: 0,
            done: 0,
            queue: VecDeque::new(),
            leaving: Vec::new(),
            open: BTreeMap::new(),
        }
    }
}

/// The requests to all other processes: what they ask, and where their results go.
#[derive(Debug)]
pub struct Origin<A, R> {
    toward: BTreeMap<u32, Toward<A, R>>,
    /// Processes with a queue.
    busy: Vec<u32>,
    reads: Reads,
}

/// A request whose last byte has left, its process and number, and whether the network has sent
/// all.
pub type Left<A> = (u32, u64, A, Result<(), Failure>);

impl<A: Ask, R: Answer> Origin<A, R> {
    /// Makes the state of a process without requests. The tokens of its bulk payloads are those
    /// from `first_token` on.
    pub const fn new(first_token: Token) -> Origin<A, R> {
        Origin { toward: BTreeMap::new(), busy: Vec::new(), reads: Reads::new(first_token) }
    }

    /// Returns whether something waits to be sent.
    #[inline]
    pub fn is_busy(&self) -> bool {
        !self.busy.is_empty()
    }

    /// Returns whether something waits to be sent to a process.
    pub fn is_busy_to(&self, process: u32) -> bool {
        self.toward.get(&process).is_some_and(|toward| !toward.queue.is_empty())
    }

    /// Returns whether another request to a process may be under way.
    pub fn has_space(&self, process: u32) -> bool {
        self.toward.get(&process).is_none_or(|toward| {
            toward.last - toward.done < UNDER_WAY_MAX && (toward.open.len() as u64) < UNDER_WAY_MAX
        })
    }

    /// Queues a request, and returns its number among those to the process. With an answer, it is
    /// open until the result is here.
    pub fn ask(&mut self, process: u32, ask: A, answer: Option<R>) -> u64 {
        let toward = self.toward.entry(process).or_insert_with(Toward::new);
        toward.last += 1;
        let number = toward.last;
        if let Some(answer) = answer {
            toward.open.insert(number, Open { answer, received: 0, arriving: None });
        }
        let sending = Sending { number, ask, asked: false, sent: 0, leaving: 0, outcome: Ok(()) };
        self.wait(process, Waiting::Request(sending));
        number
    }

    /// Queues a packet of the client behind the requests to a process.
    pub fn packet(&mut self, process: u32, header: Header, payload: &[u8]) {
        self.toward.entry(process).or_insert_with(Toward::new);
        self.wait(process, Waiting::Packet(header, payload.into()));
    }

    fn wait(&mut self, process: u32, waiting: Waiting<A>) {
        let Some(toward) = self.toward.get_mut(&process) else { return };
        if toward.queue.is_empty() {
            self.busy.push(process);
        }
        toward.queue.push_back(waiting);
    }

    /// Returns the last request in the queue to a process, if nothing is behind it and nothing of
    /// it has been sent.
    pub fn last_unsent(&mut self, process: u32) -> Option<&mut A> {
        match self.toward.get_mut(&process)?.queue.back_mut() {
            Some(Waiting::Request(sending)) if !sending.asked => Some(&mut sending.ask),
            _ => None,
        }
    }

    /// Iterates over the requests that have not left.
    pub fn unsent(&self) -> impl Iterator<Item = &A> {
        self.toward.values().flat_map(|toward| {
            let waiting = toward.queue.iter().filter_map(|waiting| match waiting {
                Waiting::Request(sending) => Some(sending),
                Waiting::Packet(..) => None,
            });
            waiting.chain(&toward.leaving).map(|sending| &sending.ask)
        })
    }

    /// Returns whether the target has done all requests up to this one, and their memory may be
    /// used again.
    pub fn is_done(&self, process: u32, number: u64) -> bool {
        self.toward.get(&process).is_none_or(|toward| {
            let is_read = |sending: &Sending<A>| sending.number <= number;
            toward.done >= number && !toward.leaving.iter().any(is_read)
        })
    }

    /// Returns whether a request has not left: its memory is still read.
    pub fn is_leaving(&self, process: u32, number: u64) -> bool {
        self.toward.get(&process).is_some_and(|toward| {
            let waits = |waiting: &Waiting<A>| match waiting {
                Waiting::Request(sending) => sending.number == number,
                Waiting::Packet(..) => false,
            };
            toward.leaving.iter().any(|sending| sending.number == number)
                || toward.queue.iter().any(waits)
        })
    }

    /// Returns whether the result of a request has not come.
    pub fn is_open(&self, process: u32, number: u64) -> bool {
        self.toward.get(&process).is_some_and(|toward| toward.open.contains_key(&number))
    }

    /// Sends what waits for all processes, as [`send_to`](Self::send_to) does for one.
    pub fn send(
        &mut self,
        endpoint: &mut Endpoint,
        packing: &mut Vec<u8>,
        limits: Limits,
        mut left: impl FnMut(Left<A>),
    ) {
        let mut index = 0;
        while let Some(&process) = self.busy.get(index) {
            self.send_to(endpoint, process, packing, limits, &mut left);
            index += usize::from(self.busy.get(index) == Some(&process));
        }
    }

    /// Sends what waits for a process as far as the endpoint accepts it, and tells `left` of each
    /// request that has left.
    pub fn send_to(
        &mut self,
        endpoint: &mut Endpoint,
        process: u32,
        packing: &mut Vec<u8>,
        limits: Limits,
        mut left: impl FnMut(Left<A>),
    ) {
        let Some(toward) = self.toward.get_mut(&process) else { return };
        let Toward { queue, leaving, .. } = toward;
        while let Some(first) = queue.front_mut() {
            match first {
                Waiting::Packet(header, payload) => {
                    if !endpoint.try_send(process, *header, payload) {
                        return;
                    }
                }
                Waiting::Request(sending) => {
                    let packet = space_for_packet(endpoint, process, packing);
                    if !sending.send(endpoint, process, packet, limits, &mut self.reads) {
                        return;
                    }
                }
            }
            if let Some(Waiting::Request(sending)) = queue.pop_front() {
                match sending.leaving {
                    0 => left((process, sending.number, sending.ask, sending.outcome)),
                    _ => leaving.push(sending),
                }
            }
        }
        // A process that was idle before is the last.
        if let Some(index) = self.busy.iter().rposition(|&busy| busy == process) {
            self.busy.swap_remove(index);
        }
    }

    /// Takes the report that a bulk payload has been read. Returns the request if it has left by
    /// that.
    pub fn completed(&mut self, token: Token, outcome: Result<(), Failure>) -> Option<Left<A>> {
        let (process, number) = self.reads.take(token)?;
        let Toward { queue, leaving, .. } = self.toward.get_mut(&process)?;
        if let Some(index) = leaving.iter().position(|sending| sending.number == number) {
            let sending = &mut leaving[index];
            sending.read(outcome);
            let has_left = sending.leaving == 0;
            let sending = has_left.then(|| leaving.swap_remove(index))?;
            return Some((process, number, sending.ask, sending.outcome));
        }
        // It is still being sent.
        if let Some(Waiting::Request(sending)) = queue.front_mut() {
            sending.read(outcome);
        }
        None
    }

    /// Takes a packet from a process. Returns `None` if it is malformed.
    pub fn take(&mut self, from: u32, header: &Header, payload: &[u8]) -> Option<Answered<R>> {
        let (number, toward) = (header.context, self.toward.get_mut(&from)?);
        match header.kind {
            kind::AM_DONE if number <= toward.last => {
                toward.done = toward.done.max(number);
                Some(Answered::Partly)
            }
            kind::AM_RESULT => {
                let open = toward.open.get_mut(&number)?;
                open.take(word(payload, 0)?, payload.get(OFFSET_BYTES..)?)?;
                if open.received < open.answer.bytes() {
                    return Some(Answered::Partly);
                }
                let open = toward.open.remove(&number)?;
                Some(Answered::Result(number, open.answer))
            }
            kind::AM_REFUSED => {
                let open = toward.open.remove(&number);
                Some(Answered::Refused(number, open.map(|open| open.answer)))
            }
            _ => None,
        }
    }

    /// Returns the memory for the bulk payload of a result.
    pub fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let open = self.toward.get_mut(&from)?.open.get_mut(&header.context)?;
        let fits = header.kind == kind::AM_RESULT
            && open.arriving.is_none()
            && word(payload, 0)? == open.received as u64
            && bytes <= open.answer.bytes() - open.received;
        let place = fits.then(|| open.answer.place(open.received, bytes))?;
        let (arriving, place) = Arriving::new(place, bytes);
        open.arriving = Some(arriving);
        Some(place)
    }

    /// Ends everything that was asked of a lost process.
    pub fn lose(&mut self, process: u32) -> Option<Lost<A, R>> {
        let toward = self.toward.remove(&process)?;
        self.busy.retain(|&busy| busy != process);
        self.reads.lose(process);
        let queued = toward.queue.into_iter().filter_map(|waiting| match waiting {
            Waiting::Request(sending) => Some(sending),
            Waiting::Packet(..) => None,
        });
        Some(Lost {
            asks: queued.chain(toward.leaving).map(|sending| sending.ask).collect(),
            results: toward.open.into_values().map(|open| open.answer).collect(),
            done: toward.done,
        })
    }
}

impl<R: Answer> Open<R> {
    /// Takes a part of the result: the payload of a packet, or the bulk payload that has arrived
    /// before it. Returns `None` if it is no such part.
    fn take(&mut self, from: u64, bytes: &[u8]) -> Option<()> {
        let left = self.answer.bytes() - self.received;
        if from != self.received as u64 || bytes.len() > left {
            return None;
        }
        self.received += match self.arriving.take() {
            None => {
                self.answer.take(self.received, bytes);
                bytes.len()
            }
            Some(Arriving::InPlace(bytes) | Arriving::Dropped(bytes)) => bytes,
            Some(Arriving::Bounced(mut bounce)) => {
                self.answer.take(self.received, bounce.bytes()?);
                bounce.len()
            }
        };
        Some(())
    }
}

/// The stream of a request.
struct Stream<'a, A>(&'a A);

impl<A: Ask> Parts for Stream<'_, A> {
    type Failure = Infallible;

    fn fill(&mut self, from: usize, space: &mut [u8]) -> Result<usize, Infallible> {
        Ok(self.0.fill(from, space))
    }

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        self.0.region(from, bytes)
    }

    fn memory_from(&self) -> usize {
        self.0.memory_from()
    }

    fn grain(&self) -> usize {
        self.0.grain()
    }
}

impl<A: Ask> Sending<A> {
    /// Sends the next packets as long as the endpoint accepts them. Returns whether the whole
    /// request has been sent.
    fn send(
        &mut self,
        endpoint: &mut Endpoint,
        to: u32,
        packet: &mut [u8],
        limits: Limits,
        reads: &mut Reads,
    ) -> bool {
        let bytes = self.ask.bytes();
        loop {
            let (header, front) = if self.asked {
                packet[..OFFSET_BYTES].copy_from_slice(words([self.sent as u64]).as_bytes());
                (header(kind::AM_DATA, self.number), OFFSET_BYTES)
            } else {
                packet[..NUMBER_BYTES].copy_from_slice(words([self.number]).as_bytes());
                let mut header = Header { kind: kind::AM_ASK, ..self.ask.header() };
                header.flags &= CLIENT_FLAGS;
                header.flags |= if self.ask.is_confirmed() { 0 } else { QUIET };
                (header, NUMBER_BYTES + self.ask.front(&mut packet[NUMBER_BYTES..]))
            };
            let Ok(sent) = send_part(
                endpoint,
                to,
                header,
                (&mut *packet, front),
                &mut Stream(&self.ask),
                Progress { sent: self.sent, bytes },
                (limits, reads.next),
            );
            self.sent += match sent {
                Part::Full => return false,
                Part::Left(part) => part,
                Part::Leaving(part) => {
                    self.leaving += 1;
                    reads.add(to, self.number);
                    part
                }
            };
            self.asked = true;
            if self.sent == bytes {
                return true;
            }
        }
    }

    /// Counts a bulk payload that has been read.
    fn read(&mut self, outcome: Result<(), Failure>) {
        self.leaving -= 1;
        if outcome.is_err() {
            self.outcome = outcome;
        }
    }
}
