//! The target's side of AM requests: checks the requests of other processes, and carries them out.
//!
//! Before the target accesses memory, it compares every value of a request with what this process
//! offers: the window and its key, the origin's rank, the memory to the last byte, the datatype,
//! the operation, the length of the data. It refuses a request that does not fit. A refused request
//! accesses no memory, is counted, and is printed with `NEMESIS_VERBOSE=on`; the origin receives
//! the reason.
//!
//! The result of a get is read from the memory when it is sent.

mod incoming;
mod offer;

use super::packet::{Ask, FRONT_BYTES, Verb};
use crate::abi;
use crate::device::AttachedDevices;
use crate::elements::{combine, swap};
use crate::error::{Error, Outcome};
use crate::protocol::UPPER_TOKEN;
use incoming::Incoming;
use nemesis::am::{self, Serve};
use nemesis::wire::{Header, words};
use nemesis::{Endpoint, Region, RegionMut, Token};
use nemesis_datatype::{Datatype, MemoryRegion, Op};
pub use offer::Part;
use offer::{find, refusal};
use std::collections::{BTreeMap, VecDeque};

/// First token of the bulk payloads of results.
pub const FIRST_RESULT_TOKEN: Token = UPPER_TOKEN | 1 << 61;

/// A lock that a process waits for, or holds.
#[derive(Debug, Clone, Copy)]
struct Lock {
    to: u32,
    number: u64,
    context: u64,
    exclusive: bool,
}

/// What a result is read from.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// Memory, when it is sent.
    Place {
        ask: Ask,
        datatype: Datatype,
    },
    Bytes(Box<[u8]>),
}

/// The windows that this process serves to AM requests, and the state of the requests.
pub struct Served {
    requests: am::Target<Service>,
    service: Service,
}

/// The windows, and their locks.
#[derive(Debug, Default)]
struct Service {
    parts: BTreeMap<u64, Part>,
    waiting_locks: VecDeque<Lock>,
    held_locks: Vec<Lock>,
    /// Number of requests that were refused.
    refused: u64,
    verbose: bool,
}

impl Served {
    pub const fn new() -> Served {
        Served {
            requests: am::Target::new(FIRST_RESULT_TOKEN),
            service: Service {
                parts: BTreeMap::new(),
                waiting_locks: VecDeque::new(),
                held_locks: Vec::new(),
                refused: 0,
                verbose: false,
            },
        }
    }

    /// Returns the number of requests that were refused.
    pub fn refused(&self) -> u64 {
        self.service.refused
    }

    /// Prints each refusal from now on, or none.
    pub fn set_verbose(&mut self, verbose: bool) {
        self.service.verbose = verbose;
    }

    /// Starts to serve a window.
    pub fn open(&mut self, context: u64, part: Part) {
        self.service.parts.insert(context, part);
    }

    /// Stops serving a window.
    pub fn close(&mut self, context: u64) {
        self.service.parts.remove(&context);
    }

    /// Replaces the attached memory of a dynamic window.
    pub fn attached(&mut self, context: u64, areas: &[MemoryRegion], devices: AttachedDevices) {
        if let Some(part) = self.service.parts.get_mut(&context) {
            part.areas = areas.to_vec();
            part.devices = devices;
        }
    }

    /// Returns whether there are replies to send or locks to grant, without a further packet.
    pub fn is_busy(&self) -> bool {
        self.requests.is_busy() || self.awaits_lock()
    }

    /// Returns whether a process waits for a lock. Local processes may release that lock without a
    /// packet.
    pub fn awaits_lock(&self) -> bool {
        !self.service.waiting_locks.is_empty()
    }

    /// Takes a packet of a request; returns `None` if it is of another kind.
    pub fn take(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        self.requests.take(&mut self.service, origin, header, payload)
    }

    /// Returns the memory for the bulk payload of a request.
    pub fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.requests.place(&mut self.service, origin, header, payload, bytes)
    }

    /// Takes the report that a bulk payload of a result has been read.
    pub fn completed(&mut self, token: Token) {
        self.requests.completed(token);
    }

    /// Handles the loss of a process: releases the locks that it held, and drops its requests.
    pub fn lose(&mut self, process: u32) {
        self.requests.lose(process);
        let Service { parts, waiting_locks, held_locks, .. } = &mut self.service;
        waiting_locks.retain(|wanted| wanted.to != process);
        for lock in held_locks.extract_if(.., |held| held.to == process) {
            if let Some(part) = parts.get(&lock.context) {
                part.control.unlock(part.rank, lock.exclusive);
            }
        }
    }

    /// Grants the locks that are free, in the order of their requests.
    pub fn grant_locks(&mut self) {
        let Service { parts, waiting_locks, held_locks, .. } = &mut self.service;
        let mut stuck: Vec<u64> = Vec::new();
        waiting_locks.retain(|wanted| {
            let free = !stuck.contains(&wanted.context)
                && parts
                    .get(&wanted.context)
                    .is_some_and(|part| part.control.try_lock(part.rank, wanted.exclusive));
            if free {
                held_locks.push(*wanted);
                self.requests.answer(wanted.to, wanted.number, 0, Answer::Bytes(Box::default()));
            } else {
                stuck.push(wanted.context);
            }
            !free
        });
    }

    /// Sends replies and confirmations as long as there is space.
    pub fn send_replies(
        &mut self,
        endpoint: &mut Endpoint,
        packing: &mut Vec<u8>,
        limits: am::Limits,
    ) {
        self.requests.send(&mut self.service, endpoint, packing, limits);
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

impl Serve for Service {
    const FRONT_BYTES: usize = FRONT_BYTES;
    type Request = Incoming;
    type Result = Answer;
    type Refusal = Box<Error>;

    fn begin(
        &mut self,
        _origin: u32,
        header: &Header,
        number: u64,
        front: &[u8],
    ) -> Outcome<(Incoming, usize)> {
        let ask = Ask::read(header, front);
        let ask = ask.ok_or_else(|| self.malformed(header, "no such request exists"))?;
        let incoming = Incoming { ask, number, description: Vec::new(), checked: None };
        let bytes = incoming.expected();
        Ok((incoming, bytes))
    }

    fn take(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        mut stream: &[u8],
        last: bool,
    ) -> Outcome<Option<(usize, Answer)>> {
        let described = incoming.described();
        if from < described {
            let part = stream.len().min(described - from);
            incoming.description.extend_from_slice(&stream[..part]);
            stream = &stream[part..];
            if from + part < described {
                return Ok(None);
            }
        }
        if matches!(incoming.ask.verb, Verb::LockShared | Verb::LockExclusive | Verb::Unlock) {
            self.lock_or_unlock(origin, incoming)?;
            return Ok(None);
        }
        self.check(origin, incoming)?;
        self.perform(origin, incoming, from.max(described) - described, stream, last)
    }

    fn place(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        bytes: usize,
    ) -> Option<RegionMut> {
        let from = from.checked_sub(incoming.described())?;
        if incoming.ask.verb != Verb::Put {
            return None;
        }
        // What is refused here is refused again when the bytes have arrived in a bounce buffer.
        self.check(origin, incoming).ok()?;
        let part = find(&self.parts, origin, &incoming.ask).ok()?;
        let place = part.place(&incoming.ask, &incoming.checked.as_ref()?.datatype).ok()?;
        if place.device.is_some() { None } else { place.at.region_mut(from, bytes) }
    }

    fn read(&mut self, to: u32, answer: &Answer, from: usize, space: &mut [u8]) -> Outcome {
        match answer {
            Answer::Place { ask, datatype } => {
                let part = find(&self.parts, to, ask)?;
                let place = part.place(ask, datatype)?;
                place.fetch(from..from + space.len())?;
                place.at.get_at(from, space);
            }
            Answer::Bytes(bytes) => space.copy_from_slice(&bytes[from..from + space.len()]),
        }
        Ok(())
    }

    fn region(&self, to: u32, answer: &Answer, from: usize, bytes: usize) -> Option<Region> {
        let Answer::Place { ask, datatype } = answer else { return None };
        let place = find(&self.parts, to, ask).ok()?.place(ask, datatype).ok()?;
        if place.device.is_some() { None } else { place.at.region(from, bytes) }
    }

    fn malformed(&mut self, header: &Header, why: &'static str) -> Box<Error> {
        refusal(abi::MPI_ERR_OTHER, format!("malformed packet, {why}: {header:?}"))
    }

    fn refuse(&mut self, origin: u32, incoming: Option<&Incoming>, error: Box<Error>) -> Box<[u8]> {
        self.refused += 1;
        // 0 is the context of no window.
        let (what, context) = incoming
            .map_or(("an access", 0), |incoming| (incoming.ask.verb.name(), incoming.ask.context));
        if self.verbose {
            nemesis_sys::message::tell(format_args!(
                "nemesis: {what} of process {origin} is refused: {} ({} so far)",
                error.why, self.refused
            ));
        }
        let told = words([context, error.class.value() as u64]);
        [told.as_bytes(), error.why.as_bytes()].concat().into()
    }
}

impl Service {
    /// Checks a request, if it has not been checked.
    fn check(&self, origin: u32, incoming: &mut Incoming) -> Outcome {
        if incoming.checked.is_none() {
            incoming.checked = Some(incoming.check(&self.parts, origin)?);
            incoming.description = Vec::new();
        }
        Ok(())
    }

    /// Carries out a request on a part of its data; `from` is the part's offset in the data.
    fn perform(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        data: &[u8],
        last: bool,
    ) -> Outcome<Option<(usize, Answer)>> {
        let Incoming { ask, checked: Some(checked), .. } = incoming else { return Ok(None) };
        let part = find(&self.parts, origin, ask)?;
        let place = part.place(ask, &checked.datatype)?;
        let bytes = place.at.bytes();
        match (ask.verb, &checked.elements) {
            (Verb::Put, _) => {
                place.at.put_at(from, data);
                place.store(from..from + data.len())?;
            }
            (Verb::Get, _) => {
                let datatype = checked.datatype.clone();
                return Ok(Some((bytes, Answer::Place { ask: *ask, datatype })));
            }
            (Verb::Accumulate, Some(elements)) => {
                elements.check_whole(data)?;
                let touched = from..from + data.len();
                place.fetch(touched.clone())?;
                combine(
                    &part.order,
                    &part.control,
                    (part.rank, part.rank, part.processes.len() as u32),
                    &place.at,
                    elements,
                    from,
                    data,
                    None,
                )?;
                place.store(touched)?;
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
                place.fetch(from..end)?;
                combine(
                    &part.order,
                    &part.control,
                    who,
                    &place.at,
                    elements,
                    from,
                    data,
                    Some(&mut before[from..end]),
                )?;
                if !is_read {
                    place.store(from..end)?;
                }
                if last {
                    return Ok(Some((bytes, Answer::Bytes(std::mem::take(before).into()))));
                }
            }
            (Verb::Swap, Some(elements)) => {
                checked.gathered.extend_from_slice(data);
                if last {
                    let (compare, new) = checked.gathered.split_at(bytes);
                    let mut before = vec![0; bytes];
                    place.fetch(0..bytes)?;
                    swap(
                        &part.control,
                        (part.rank, part.rank),
                        &place.at,
                        elements,
                        [new, compare],
                        &mut before,
                    );
                    place.store(0..bytes)?;
                    return Ok(Some((bytes, Answer::Bytes(before.into()))));
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn lock_or_unlock(&mut self, origin: u32, incoming: &Incoming) -> Outcome {
        let Incoming { ask, number, .. } = incoming;
        let part = find(&self.parts, origin, ask)?;
        let (to, number, context) = (origin, *number, ask.context);
        if ask.verb != Verb::Unlock {
            self.waiting_locks.push_back(Lock {
                to,
                number,
                context,
                exclusive: ask.verb == Verb::LockExclusive,
            });
            return Ok(());
        }
        let held =
            self.held_locks.iter().position(|held| held.to == origin && held.context == context);
        let index = held.ok_or_else(|| {
            refusal(
                abi::MPI_ERR_RMA_SYNC,
                format!("process {origin} releases a lock that it does not hold"),
            )
        })?;
        let held = self.held_locks.swap_remove(index);
        part.control.unlock(part.rank, held.exclusive);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
