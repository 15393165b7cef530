//! The target's side: takes the requests of other processes, and answers them.
//!
//! A process sends its requests in order, so at most one request of each process is incomplete.
//! Replies are queued until the endpoint accepts them. A result is read when it is sent.

use super::{
    Arriving, BULK, CLIENT_FLAGS, Limits, NUMBER_BYTES, OFFSET_BYTES, Part, Parts, Progress, QUIET,
    Reads, header, send_part, space_for_packet,
};
use crate::endpoint::Endpoint;
use crate::limits::EAGER_BULK_MAX_BYTES;
use crate::packet::Token;
use nemesis_netmod::{PACKET_MIN_BYTES, Region, RegionMut};
use nemesis_wire::{Header, kind, word, words};
use std::collections::{BTreeMap, VecDeque};

/// What a client does with requests.
pub trait Serve {
    /// Length of the fronts of requests.
    const FRONT_BYTES: usize;

    /// A request whose stream has not come to its end.
    type Request;

    /// What a result is read from.
    type Result;

    /// Why a request is refused.
    type Refusal;

    /// Begins a request, and returns it and the length of its stream. `header` has what the
    /// origin's client has written.
    ///
    /// # Errors
    ///
    /// The request is malformed.
    fn begin(
        &mut self,
        origin: u32,
        header: &Header,
        number: u64,
        front: &[u8],
    ) -> Result<(Self::Request, usize), Self::Refusal>;

    /// Takes bytes of a stream from byte `from` on, and ends the request with the last ones.
    /// Returns the result, if there is one, and its length.
    ///
    /// # Errors
    ///
    /// The request is refused. The rest of its stream is skipped.
    fn take(
        &mut self,
        origin: u32,
        request: &mut Self::Request,
        from: usize,
        bytes: &[u8],
        last: bool,
    ) -> Result<Option<(usize, Self::Result)>, Self::Refusal>;

    /// Returns the memory into which `bytes` bytes of a stream from byte `from` on can be received.
    /// `None` if they are to be [taken](Self::take).
    fn place(
        &mut self,
        origin: u32,
        request: &mut Self::Request,
        from: usize,
        bytes: usize,
    ) -> Option<RegionMut>;

    /// Learns that the bytes of [`place`](Self::place) are there.
    fn placed(&mut self, _origin: u32, _request: &mut Self::Request, _last: bool) {}

    /// Copies bytes of a result from byte `from` on.
    ///
    /// # Errors
    ///
    /// The memory is not offered any more.
    fn read(
        &mut self,
        to: u32,
        result: &Self::Result,
        from: usize,
        space: &mut [u8],
    ) -> Result<(), Self::Refusal>;

    /// Returns `bytes` bytes of a result from byte `from` on as memory from which a network sends.
    /// The client keeps it until the origin has it.
    fn region(&self, to: u32, result: &Self::Result, from: usize, bytes: usize) -> Option<Region>;

    /// Makes the refusal of a packet that is malformed, or belongs to no request.
    fn malformed(&mut self, header: &Header, why: &'static str) -> Self::Refusal;

    /// Counts a refusal, and returns what the origin is told.
    fn refuse(
        &mut self,
        origin: u32,
        request: Option<&Self::Request>,
        refusal: Self::Refusal,
    ) -> Box<[u8]>;
}

/// A request whose stream has not come to its end.
struct Incoming<Q> {
    number: u64,
    quiet: bool,
    request: Q,
    /// Bytes of the stream that have come, and all of them.
    received: usize,
    bytes: usize,
    /// The request was refused: the rest of its stream is skipped.
    refused: bool,
    arriving: Option<Arriving>,
}

/// A reply that has not left.
struct Reply<R> {
    to: u32,
    number: u64,
    progress: Progress,
    /// Bulk payloads that are being read.
    leaving: usize,
    what: What<R>,
}

enum What<R> {
    Result(R),
    Refusal(Box<[u8]>),
}

/// The requests of other processes.
pub struct Target<S: Serve> {
    incoming: BTreeMap<u32, Incoming<S::Request>>,
    replies: VecDeque<Reply<S::Result>>,
    /// Number of the last request that is done, by origin, until the origin has been told.
    done: BTreeMap<u32, u64>,
    /// Replies that are sent, but of which bulk payloads are being read.
    leaving: Vec<Reply<S::Result>>,
    reads: Reads,
}

impl<S: Serve> Target<S> {
    /// Makes the state of a process that nobody has asked. The tokens of the bulk payloads of its
    /// results are those from `first_token` on.
    pub const fn new(first_token: Token) -> Target<S> {
        Target {
            incoming: BTreeMap::new(),
            replies: VecDeque::new(),
            done: BTreeMap::new(),
            leaving: Vec::new(),
            reads: Reads::new(first_token),
        }
    }

    /// Returns whether there are replies to send.
    pub fn is_busy(&self) -> bool {
        !self.replies.is_empty() || !self.done.is_empty()
    }

    /// Queues a result of `bytes` bytes.
    pub fn answer(&mut self, to: u32, number: u64, bytes: usize, result: S::Result) {
        let (progress, what) = (Progress { sent: 0, bytes }, What::Result(result));
        self.replies.push_back(Reply { to, number, progress, leaving: 0, what });
    }

    /// Queues a refusal.
    fn refuse(&mut self, to: u32, number: u64, mut told: Box<[u8]>) {
        if told.len() > PACKET_MIN_BYTES {
            told = told[..PACKET_MIN_BYTES].into();
        }
        let (progress, what) = (Progress { sent: 0, bytes: told.len() }, What::Refusal(told));
        self.replies.push_back(Reply { to, number, progress, leaving: 0, what });
    }

    /// Returns the number of the last request of a process that is done, until the process has been
    /// told.
    pub fn last_done(&self, origin: u32) -> Option<u64> {
        self.done.get(&origin).copied()
    }

    /// Returns what the last reply tells, if it is a refusal.
    pub fn last_refusal(&self) -> Option<&[u8]> {
        match &self.replies.back()?.what {
            What::Result(_) => None,
            What::Refusal(told) => Some(told),
        }
    }

    /// Returns the results that have not left.
    pub fn results(&self) -> impl Iterator<Item = &S::Result> {
        self.replies.iter().chain(&self.leaving).filter_map(|reply| match &reply.what {
            What::Result(result) => Some(result),
            What::Refusal(_) => None,
        })
    }

    /// Takes the report that a bulk payload of a result has been read.
    pub fn completed(&mut self, token: Token) {
        let Some((to, number)) = self.reads.take(token) else { return };
        let is_it = |reply: &&mut Reply<S::Result>| (reply.to, reply.number) == (to, number);
        if let Some(reply) = self.replies.iter_mut().chain(&mut self.leaving).find(is_it) {
            reply.leaving -= 1;
        }
        self.leaving.retain(|reply| reply.leaving > 0);
    }

    /// Handles the loss of a process.
    pub fn lose(&mut self, process: u32) {
        self.incoming.remove(&process);
        self.replies.retain(|reply| reply.to != process);
        self.leaving.retain(|reply| reply.to != process);
        self.reads.lose(process);
        self.done.remove(&process);
    }

    /// Takes a packet of a request. Returns `None` if it is of another kind.
    pub fn take(
        &mut self,
        serve: &mut S,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<()> {
        if !matches!(header.kind, kind::AM_ASK | kind::AM_DATA) {
            return None;
        }
        let arriving = self.incoming.get_mut(&origin).and_then(|known| known.arriving.take());
        let begun = match arriving {
            // What came before the bulk payload was taken when the header came.
            Some(arriving) if header.flags & BULK != 0 => {
                let mut incoming = self.incoming.remove(&origin)?;
                self.arrived(serve, origin, &mut incoming, arriving);
                Ok(incoming)
            }
            None if header.flags & BULK == 0 => self.begin(serve, origin, header, payload),
            _ => Err(serve.malformed(header, "its bulk payload does not fit")),
        };
        match begun {
            Ok(incoming) => self.go_on_or_end(origin, incoming),
            Err(refusal) => {
                let told = serve.refuse(origin, None, refusal);
                let number = match header.kind {
                    kind::AM_ASK => word(payload, 0).unwrap_or(0),
                    _ => header.context,
                };
                self.incoming.remove(&origin);
                self.refuse(origin, number, told);
            }
        }
        Some(())
    }

    /// Returns the memory for the bulk payload that follows a packet of a request, after it has
    /// taken the packet. `None` if it is to be dropped.
    pub fn place(
        &mut self,
        serve: &mut S,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let is_arriving = self.incoming.get(&origin).is_some_and(|known| known.arriving.is_some());
        if header.flags & BULK == 0 || bytes > EAGER_BULK_MAX_BYTES || is_arriving {
            return None;
        }
        let mut incoming = self.begin(serve, origin, header, payload).ok()?;
        if bytes > incoming.bytes.saturating_sub(incoming.received) {
            return None;
        }
        let (arriving, place) = match incoming.refused {
            true => (Arriving::Dropped(bytes), None),
            false => {
                let place = serve.place(origin, &mut incoming.request, incoming.received, bytes);
                let (arriving, place) = Arriving::new(place, bytes);
                (arriving, Some(place))
            }
        };
        incoming.arriving = Some(arriving);
        self.incoming.insert(origin, incoming);
        place
    }

    /// Begins a request, or goes on with one, with the payload of a packet.
    fn begin(
        &mut self,
        serve: &mut S,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Result<Incoming<S::Request>, S::Refusal> {
        let known = self.incoming.remove(&origin);
        let (mut incoming, stream) = if header.kind == kind::AM_ASK {
            if let Some(unfinished) = known.filter(|known| !known.refused) {
                let why = "its data did not arrive before the next request";
                let refusal = serve.malformed(header, why);
                let told = serve.refuse(origin, Some(&unfinished.request), refusal);
                self.refuse(origin, unfinished.number, told);
            }
            let front = payload.get(NUMBER_BYTES..NUMBER_BYTES + S::FRONT_BYTES);
            let (Some(number), Some(front)) = (word(payload, 0), front) else {
                return Err(serve.malformed(header, "it is too short"));
            };
            let plain = Header { flags: header.flags & CLIENT_FLAGS, ..*header };
            let (request, bytes) = serve.begin(origin, &plain, number, front)?;
            let quiet = header.flags & QUIET != 0;
            let (received, refused, arriving) = (0, false, None);
            let incoming = Incoming { number, quiet, request, received, bytes, refused, arriving };
            (incoming, &payload[NUMBER_BYTES + S::FRONT_BYTES..])
        } else {
            let fits = |incoming: &Incoming<S::Request>| {
                incoming.number == header.context
                    && word(payload, 0) == Some(incoming.received as u64)
            };
            let Some(incoming) = known.filter(fits) else {
                return Err(serve.malformed(header, "it belongs to no request"));
            };
            (incoming, &payload[OFFSET_BYTES..])
        };
        // Behind the header, its bulk payload follows.
        if header.flags & BULK == 0 || !stream.is_empty() {
            self.take_stream(serve, origin, &mut incoming, stream);
        }
        Ok(incoming)
    }

    /// Takes the bulk payload that has arrived.
    fn arrived(
        &mut self,
        serve: &mut S,
        origin: u32,
        incoming: &mut Incoming<S::Request>,
        arriving: Arriving,
    ) {
        match arriving {
            Arriving::Dropped(bytes) => incoming.received += bytes,
            Arriving::InPlace(bytes) => {
                incoming.received += bytes;
                let last = incoming.received == incoming.bytes;
                serve.placed(origin, &mut incoming.request, last);
            }
            Arriving::Bounced(mut bounce) => {
                if let Some(bytes) = bounce.bytes() {
                    self.take_stream(serve, origin, incoming, bytes);
                }
            }
        }
    }

    /// Takes a part of a stream.
    fn take_stream(
        &mut self,
        serve: &mut S,
        origin: u32,
        incoming: &mut Incoming<S::Request>,
        stream: &[u8],
    ) {
        let from = incoming.received;
        incoming.received = from.saturating_add(stream.len());
        if incoming.refused {
            return;
        }
        let last = incoming.received == incoming.bytes;
        let taken = match incoming.received <= incoming.bytes {
            true => serve.take(origin, &mut incoming.request, from, stream, last),
            false => {
                let about = header(kind::AM_DATA, incoming.number);
                Err(serve.malformed(&about, "the request has more data than it announced"))
            }
        };
        match taken {
            Ok(None) => {}
            Ok(Some((bytes, result))) => self.answer(origin, incoming.number, bytes, result),
            Err(refusal) => self.refuse_request(serve, origin, incoming, refusal),
        }
    }

    fn refuse_request(
        &mut self,
        serve: &mut S,
        origin: u32,
        incoming: &mut Incoming<S::Request>,
        refusal: S::Refusal,
    ) {
        incoming.refused = true;
        let told = serve.refuse(origin, Some(&incoming.request), refusal);
        self.refuse(origin, incoming.number, told);
    }

    fn go_on_or_end(&mut self, origin: u32, incoming: Incoming<S::Request>) {
        if incoming.received < incoming.bytes {
            self.incoming.insert(origin, incoming);
        } else if !incoming.quiet {
            self.done.insert(origin, incoming.number);
        }
    }

    /// Sends replies and confirmations as far as the endpoint accepts them.
    pub fn send(
        &mut self,
        serve: &mut S,
        endpoint: &mut Endpoint,
        packing: &mut Vec<u8>,
        limits: Limits,
    ) {
        // Processes to which no packet can be sent now. Their remaining replies keep their order.
        let mut full: Vec<u32> = Vec::new();
        for _ in 0..self.replies.len() {
            let Some(mut reply) = self.replies.pop_front() else { break };
            let to = reply.to;
            if !full.contains(&to) {
                let packet = space_for_packet(endpoint, to, packing);
                match reply.send(serve, endpoint, packet, limits, &mut self.reads) {
                    Ok(true) if reply.leaving > 0 => {
                        self.leaving.push(reply);
                        continue;
                    }
                    Ok(true) => continue,
                    Ok(false) => full.push(to),
                    Err(refusal) => {
                        let told = serve.refuse(to, None, refusal);
                        self.refuse(to, reply.number, told);
                        continue;
                    }
                }
            }
            self.replies.push_back(reply);
        }
        self.done.retain(|&to, &mut number| {
            // Refusals of these requests have been sent before.
            full.contains(&to) || !endpoint.try_send(to, header(kind::AM_DONE, number), &[])
        });
    }
}

/// The bytes of a result.
struct Answered<'a, S: Serve> {
    serve: &'a mut S,
    to: u32,
    result: &'a S::Result,
    bytes: usize,
}

impl<S: Serve> Parts for Answered<'_, S> {
    type Failure = S::Refusal;

    fn fill(&mut self, from: usize, space: &mut [u8]) -> Result<usize, S::Refusal> {
        let part = space.len().min(self.bytes - from);
        self.serve.read(self.to, self.result, from, &mut space[..part])?;
        Ok(part)
    }

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        self.serve.region(self.to, self.result, from, bytes)
    }

    fn memory_from(&self) -> usize {
        0
    }

    fn grain(&self) -> usize {
        1
    }
}

impl<R> Reply<R> {
    /// Sends the next packets of a reply as long as the endpoint accepts them. Returns whether the
    /// whole reply has been sent.
    fn send<S: Serve<Result = R>>(
        &mut self,
        serve: &mut S,
        endpoint: &mut Endpoint,
        packet: &mut [u8],
        limits: Limits,
        reads: &mut Reads,
    ) -> Result<bool, S::Refusal> {
        let (to, number) = (self.to, self.number);
        let result = match &self.what {
            What::Result(result) => result,
            What::Refusal(told) => {
                return Ok(endpoint.try_send(to, header(kind::AM_REFUSED, number), told));
            }
        };
        loop {
            let Progress { sent, bytes } = self.progress;
            packet[..OFFSET_BYTES].copy_from_slice(words([sent as u64]).as_bytes());
            let about = header(kind::AM_RESULT, number);
            let parts = &mut Answered { serve: &mut *serve, to, result, bytes };
            let front = (&mut *packet, OFFSET_BYTES);
            let part =
                send_part(endpoint, to, about, front, parts, self.progress, (limits, reads.next))?;
            self.progress.sent += match part {
                Part::Full => return Ok(false),
                Part::Left(part) => part,
                Part::Leaving(part) => {
                    self.leaving += 1;
                    reads.add(to, number);
                    part
                }
            };
            if self.progress.sent == bytes {
                return Ok(true);
            }
        }
    }
}
