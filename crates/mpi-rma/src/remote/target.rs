//! The target's side of AM requests: checks the requests of other processes, and carries them out.
//!
//! Before the target accesses memory, it compares every value of a request with what this process
//! offers: the window and its key, the origin's rank, the memory to the last byte, the datatype,
//! the operation, the length of the data. It refuses a request that does not fit. A refused request
//! accesses no memory, is counted, and is printed with `NEMESIS_VERBOSE=on`; the origin receives
//! the reason.
//!
//! A process sends its requests in order, so at most one request of each process is incomplete.
//! Replies are queued until there is space for them. The reply to a get holds no data: the memory
//! is read when the reply is sent.

mod incoming;
mod offer;
mod reply;

use super::origin::room_for_packet;
use super::packet::{ASK_BYTES, Arrived, Ask, PLACE_BYTES, Verb, header};
use crate::abi;
use crate::elements::{combine, swap};
use crate::error::{Error, Outcome};
use crate::packet_kind as kind;
use incoming::Incoming;
use nemesis::wire::{Header, word, words};
use nemesis::{Endpoint, Memory, PACKET_MIN_BYTES};
use nemesis_datatype::{MemoryRegion, Op};
pub use offer::Part;
use offer::{find, refusal};
use reply::{Reply, What};
use std::collections::{BTreeMap, VecDeque};

/// A lock that a process waits for, or holds.
#[derive(Debug, Clone, Copy)]
struct Lock {
    to: u32,
    number: u64,
    context: u64,
    exclusive: bool,
}

/// The windows that this process serves to AM requests, and the state of the requests.
#[derive(Debug, Default)]
pub struct Served {
    parts: BTreeMap<u64, Part>,
    incoming: BTreeMap<u32, Incoming>,
    replies: VecDeque<Reply>,
    waiting_locks: VecDeque<Lock>,
    held_locks: Vec<Lock>,
    /// Number of the last completed request, by origin, until the origin has been told.
    done: BTreeMap<u32, u64>,
    /// Number of requests that were refused.
    pub refused: u64,
}

impl Served {
    pub const fn new() -> Served {
        Served {
            parts: BTreeMap::new(),
            incoming: BTreeMap::new(),
            replies: VecDeque::new(),
            waiting_locks: VecDeque::new(),
            held_locks: Vec::new(),
            done: BTreeMap::new(),
            refused: 0,
        }
    }

    /// Starts to serve a window.
    pub fn open(&mut self, context: u64, part: Part) {
        self.parts.insert(context, part);
    }

    /// Stops serving a window.
    pub fn close(&mut self, context: u64) {
        self.parts.remove(&context);
    }

    /// Replaces the attached memory of a dynamic window.
    pub fn attached(&mut self, context: u64, areas: &[MemoryRegion]) {
        if let Some(part) = self.parts.get_mut(&context) {
            part.areas = areas.to_vec();
        }
    }

    /// Returns whether there are replies to send or locks to grant, without a further packet.
    pub fn is_busy(&self) -> bool {
        !self.replies.is_empty() || !self.waiting_locks.is_empty() || !self.done.is_empty()
    }

    /// Returns whether a process waits for a lock. Local processes may release that lock without a
    /// packet.
    pub fn awaits_lock(&self) -> bool {
        !self.waiting_locks.is_empty()
    }

    fn refuse(&mut self, origin: u32, ask: &Ask, error: &Error, verbose: bool) {
        self.refuse_any(origin, ask.verb.name(), (ask.number, ask.context), error, verbose);
    }

    fn refuse_any(
        &mut self,
        origin: u32,
        what: &str,
        (number, context): (u64, u64),
        error: &Error,
        verbose: bool,
    ) {
        self.refused += 1;
        if verbose {
            nemesis_sys::message::tell(format_args!(
                "nemesis: {what} of process {origin} is refused: {} ({} so far)",
                error.why, self.refused
            ));
        }
        let class = words([context, error.class.value() as u64]);
        let text = [class.as_bytes(), error.why.as_bytes()].concat();
        let bytes = text.len().min(PACKET_MIN_BYTES);
        self.replies.push_back(Reply {
            to: origin,
            number,
            sent: 0,
            bytes,
            what: What::Refusal(text[..bytes].into()),
        });
    }

    /// Handles the loss of a process: releases the locks that it held, and drops its requests.
    pub fn lose(&mut self, process: u32) {
        self.incoming.remove(&process);
        self.replies.retain(|reply| reply.to != process);
        self.waiting_locks.retain(|wanted| wanted.to != process);
        self.done.remove(&process);
        let (gone, held) = std::mem::take(&mut self.held_locks)
            .into_iter()
            .partition::<Vec<_>, _>(|held| held.to == process);
        self.held_locks = held;
        for lock in gone {
            if let Some(part) = self.parts.get(&lock.context) {
                part.control.unlock(part.rank, lock.exclusive);
            }
        }
    }

    /// Grants the locks that are free, in the order of their requests.
    pub fn grant_locks(&mut self) {
        let mut stuck: Vec<u64> = Vec::new();
        for wanted in std::mem::take(&mut self.waiting_locks) {
            let free = !stuck.contains(&wanted.context)
                && self
                    .parts
                    .get(&wanted.context)
                    .is_some_and(|part| part.control.try_lock(part.rank, wanted.exclusive));
            if free {
                self.held_locks.push(wanted);
                let what = What::Bytes(Box::default());
                self.replies.push_back(Reply {
                    to: wanted.to,
                    number: wanted.number,
                    sent: 0,
                    bytes: 0,
                    what,
                });
            } else {
                stuck.push(wanted.context);
                self.waiting_locks.push_back(wanted);
            }
        }
    }
    /// Sends replies and confirmations as long as there is space.
    pub fn send_replies(
        &mut self,
        endpoint: &mut Endpoint,
        packing: &mut Vec<u8>,
        part_max_bytes: usize,
        verbose: bool,
    ) {
        // Processes to which no packet can be sent now. Their remaining replies keep their order.
        let mut full: Vec<u32> = Vec::new();
        for _ in 0..self.replies.len() {
            let Some(mut reply) = self.replies.pop_front() else { break };
            let to = reply.to;
            if !full.contains(&to) {
                match reply.send(
                    endpoint,
                    &self.parts,
                    room_for_packet(endpoint, to, packing),
                    part_max_bytes,
                ) {
                    Ok(true) => continue,
                    Ok(false) => full.push(to),
                    Err(error) => {
                        let context =
                            if let What::Place { ask, .. } = &reply.what { ask.context } else { 0 };
                        self.refuse_any(
                            reply.to,
                            Verb::Get.name(),
                            (reply.number, context),
                            &error,
                            verbose,
                        );
                        continue;
                    }
                }
            }
            self.replies.push_back(reply);
        }
        self.done.retain(|&to, &mut number| {
            // Refusals of these requests have been sent before.
            let told = !full.contains(&to)
                && endpoint.try_send(to, header(kind::ACCESS_DONE, number), &[]);
            !told
        });
    }
}

/// Allocates `bytes` zero bytes for a result.
fn zeroes(bytes: usize) -> Outcome<Vec<u8>> {
    let mut zeroes = Vec::new();
    let made = zeroes.try_reserve_exact(bytes);
    made.map_err(|_| {
        refusal(abi::MPI_ERR_NO_MEM, format!("there is no memory for a result of {bytes} bytes"))
    })?;
    zeroes.resize(bytes, 0);
    Ok(zeroes)
}

/// The parts of the engine that serving a request needs.
pub struct Service<'a> {
    pub served: &'a mut Served,
    pub memory: &'a Memory,
    pub verbose: bool,
}

impl Service<'_> {
    /// Handles a packet: a new request, or a further part of a request's stream.
    pub fn take(&mut self, arrived: &Arrived) {
        let Arrived { origin, header, payload } = arrived;
        let origin = *origin;
        if header.kind == kind::ACCESS_ASK {
            let Some(ask) = Ask::read(header, payload) else {
                return self.refuse_malformed(
                    origin,
                    header,
                    (word(payload, 0).unwrap_or(0), header.context),
                );
            };
            if let Some(unfinished) = self.served.incoming.remove(&origin) {
                let error =
                    refusal(abi::MPI_ERR_OTHER, "its data did not arrive before the next request");
                self.served.refuse(origin, &unfinished.ask, &error, self.verbose);
            }
            let incoming = Incoming {
                ask,
                description: Vec::new(),
                received: 0,
                refused: false,
                checked: None,
            };
            self.continue_request(origin, incoming, &payload[ASK_BYTES..]);
        } else {
            let (Some(incoming), Some(place)) =
                (self.served.incoming.remove(&origin), word(payload, 0))
            else {
                return self.refuse_malformed(origin, header, (header.context, 0));
            };
            if incoming.ask.number != header.context || incoming.received as u64 != place {
                return self.refuse_malformed(
                    origin,
                    header,
                    (header.context, incoming.ask.context),
                );
            }
            self.continue_request(origin, incoming, &payload[PLACE_BYTES..]);
        }
    }

    /// Refuses a malformed packet. `name` is the number and the window of its request, as far as
    /// they are known; 0 is the number of no request and of no window.
    #[cold]
    fn refuse_malformed(&mut self, origin: u32, header: &Header, name: (u64, u64)) {
        let error = refusal(abi::MPI_ERR_OTHER, format!("malformed packet: {header:?}"));
        self.served.refuse_any(origin, "an access", name, &error, self.verbose);
    }

    /// Handles a part of a request's stream, and completes the request with the last part.
    fn continue_request(&mut self, origin: u32, mut incoming: Incoming, stream: &[u8]) {
        let expected = incoming.expected();
        if !incoming.refused
            && let Err(error) = self.take_stream(origin, &mut incoming, stream)
        {
            self.served.refuse(origin, &incoming.ask, &error, self.verbose);
            incoming.refused = true;
            (incoming.checked, incoming.description) = (None, Vec::new());
        }
        incoming.received = incoming.received.saturating_add(stream.len());
        if incoming.received >= expected {
            self.served.done.insert(origin, incoming.ask.number);
        } else {
            self.served.incoming.insert(origin, incoming);
        }
    }

    fn take_stream(&mut self, origin: u32, incoming: &mut Incoming, mut stream: &[u8]) -> Outcome {
        let (described, expected) = (incoming.described(), incoming.expected());
        let end = incoming.received.checked_add(stream.len()).filter(|&end| end <= expected);
        let end = end.ok_or_else(|| {
            refusal(abi::MPI_ERR_TYPE, "the request has more data than it announced")
        })?;
        if incoming.received < described {
            let part = stream.len().min(described - incoming.received);
            incoming.description.extend_from_slice(&stream[..part]);
            stream = &stream[part..];
        }
        if end < described {
            return Ok(());
        }
        if matches!(incoming.ask.verb, Verb::LockShared | Verb::LockExclusive | Verb::Unlock) {
            return self.lock_or_unlock(origin, &incoming.ask);
        }
        if incoming.checked.is_none() {
            incoming.checked = Some(incoming.check(&self.served.parts, origin)?);
            incoming.description = Vec::new();
        }
        self.perform(origin, incoming, end - described - stream.len(), stream, end == expected)
    }

    /// Carries out a request on a part of its data; `from` is the part's offset in the data.
    fn perform(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        data: &[u8],
        last: bool,
    ) -> Outcome {
        let Incoming { ask, checked: Some(checked), .. } = incoming else { return Ok(()) };
        let part = find(&self.served.parts, origin, ask)?;
        let place = part.place(ask, &checked.datatype)?;
        let bytes = place.bytes();
        let reply = |bytes, what| Reply { to: origin, number: ask.number, sent: 0, bytes, what };
        match (ask.verb, &checked.elements) {
            (Verb::Put, _) => {
                place.put_at(from, data);
                part.store(&place, from..from + data.len())?;
            }
            (Verb::Get, _) => {
                let what = What::Place { ask: *ask, datatype: checked.datatype.clone() };
                self.served.replies.push_back(reply(bytes, what));
            }
            (Verb::Accumulate, Some(elements)) => {
                elements.check_whole(data)?;
                let touched = from..from + data.len();
                part.fetch(&place, touched.clone())?;
                combine(
                    self.memory,
                    &part.control,
                    (part.rank, part.rank, part.processes.len() as u32),
                    &place,
                    elements,
                    from,
                    data,
                    None,
                )?;
                part.store(&place, touched)?;
            }
            (Verb::Fetch, Some(elements)) => {
                elements.check_whole(data)?;
                let before = &mut checked.gathered;
                if before.is_empty() {
                    *before = zeroes(bytes)?;
                }
                let is_read = elements.op == Op::NoOp;
                let end = if is_read { bytes } else { from + data.len() };
                let who = (part.rank, part.rank, part.processes.len() as u32);
                part.fetch(&place, from..end)?;
                combine(
                    self.memory,
                    &part.control,
                    who,
                    &place,
                    elements,
                    from,
                    data,
                    Some(&mut before[from..end]),
                )?;
                if !is_read {
                    part.store(&place, from..end)?;
                }
                if last {
                    let what = What::Bytes(std::mem::take(before).into());
                    self.served.replies.push_back(reply(bytes, what));
                }
            }
            (Verb::Swap, Some(elements)) => {
                checked.gathered.extend_from_slice(data);
                if last {
                    let (compare, new) = checked.gathered.split_at(bytes);
                    let mut before = vec![0; bytes];
                    part.fetch(&place, 0..bytes)?;
                    swap(
                        &part.control,
                        (part.rank, part.rank),
                        &place,
                        elements,
                        [new, compare],
                        &mut before,
                    );
                    part.store(&place, 0..bytes)?;
                    self.served.replies.push_back(reply(bytes, What::Bytes(before.into())));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn lock_or_unlock(&mut self, origin: u32, ask: &Ask) -> Outcome {
        let part = find(&self.served.parts, origin, ask)?;
        let (to, number, context) = (origin, ask.number, ask.context);
        if ask.verb != Verb::Unlock {
            self.served.waiting_locks.push_back(Lock {
                to,
                number,
                context,
                exclusive: ask.verb == Verb::LockExclusive,
            });
            return Ok(());
        }
        let held = self
            .served
            .held_locks
            .iter()
            .position(|held| held.to == origin && held.context == context);
        let index = held.ok_or_else(|| {
            refusal(
                abi::MPI_ERR_RMA_SYNC,
                format!("process {origin} releases a lock that it does not hold"),
            )
        })?;
        let held = self.served.held_locks.swap_remove(index);
        part.control.unlock(part.rank, held.exclusive);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
