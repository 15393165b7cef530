//! The target's side: requests of others, checked and done.
//!
//! Whatever a request says is compared with what this process has offered before memory is touched: the window and its key, the origin's rank, the place to
//! the last byte, the type, the operation, the length of its data. What does not fit is refused: it touches nothing, is counted, is named with
//! `NEMESIS_VERBOSE=on`, and the origin learns why.
//!
//! A process sends its requests one after the other, so at most one of each is incomplete. Results are kept until there is room for them: of gets only the
//! place, which is read when it is sent.

mod incoming;
mod offer;
mod reply;

use super::origin::room_for_packet;
use super::packet::{ASK_BYTES, Arrived, Ask, PLACE_BYTES, Verb, header};
use crate::abi;
use crate::accumulate::{combine, swap};
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::packet_kind as kind;
use crate::state::{RMA, Rma, Task, update_status};
use incoming::Incoming;
use nemesis::wire::{Header, word, words};
use nemesis::{Memory, PACKET_MAX_BYTES};
use nemesis_datatype::{MemoryRegion, Op};
pub use offer::Part;
use offer::{find, refusal};
use reply::{Reply, What};
use std::collections::{BTreeMap, VecDeque};

/// A lock that somebody waits for.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    to: u32,
    number: u64,
    context: u64,
    exclusive: bool,
}

/// Windows that others access with our help.
#[derive(Debug, Default)]
pub struct Served {
    parts: BTreeMap<u64, Part>,
    incoming: BTreeMap<u32, Incoming>,
    replies: VecDeque<Reply>,
    wanted: VecDeque<Wanted>,
    held: Vec<Wanted>,
    /// Number of the last request that is done, of those who have not been told.
    done: BTreeMap<u32, u64>,
    /// Requests that were refused.
    pub refused: u64,
}

impl Served {
    pub const fn new() -> Served {
        Served {
            parts: BTreeMap::new(),
            incoming: BTreeMap::new(),
            replies: VecDeque::new(),
            wanted: VecDeque::new(),
            held: Vec::new(),
            done: BTreeMap::new(),
            refused: 0,
        }
    }

    /// Serves a window from now on.
    pub fn open(&mut self, context: u64, part: Part) {
        self.parts.insert(context, part);
    }

    /// Serves it no longer.
    pub fn close(&mut self, context: u64) {
        self.parts.remove(&context);
    }

    /// What is attached to a dynamic window has changed.
    pub fn attached(&mut self, context: u64, areas: &[MemoryRegion]) {
        if let Some(part) = self.parts.get_mut(&context) {
            part.areas = areas.to_vec();
        }
    }

    /// Whether there is something to do that no packet calls for.
    pub fn is_busy(&self) -> bool {
        !self.replies.is_empty() || !self.wanted.is_empty() || !self.done.is_empty()
    }

    /// Whether somebody waits for a lock, which others may give back without a packet.
    pub fn awaits_lock(&self) -> bool {
        !self.wanted.is_empty()
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
            eprintln!(
                "nemesis: {what} of process {origin} is refused: {} ({} so far)",
                error.why, self.refused
            );
        }
        let class = words([context, error.class.value() as u64]);
        let text = [class.as_bytes(), error.why.as_bytes()].concat();
        let bytes = text.len().min(PACKET_MAX_BYTES);
        self.replies.push_back(Reply {
            to: origin,
            number,
            sent: 0,
            bytes,
            what: What::Refusal(text[..bytes].into()),
        });
    }

    /// A process is lost: what it held is free, what it asked for is over.
    pub fn lose(&mut self, process: u32) {
        self.incoming.remove(&process);
        self.replies.retain(|reply| reply.to != process);
        self.wanted.retain(|wanted| wanted.to != process);
        self.done.remove(&process);
        let (gone, held) = std::mem::take(&mut self.held)
            .into_iter()
            .partition::<Vec<_>, _>(|held| held.to == process);
        self.held = held;
        for lock in gone {
            if let Some(part) = self.parts.get(&lock.context) {
                part.control.unlock(part.rank, lock.exclusive);
            }
        }
    }

    /// Gives out the locks that have become free, in the order in which they were asked for.
    fn give_locks(&mut self) {
        let mut stuck: Vec<u64> = Vec::new();
        for wanted in std::mem::take(&mut self.wanted) {
            let free = !stuck.contains(&wanted.context)
                && self
                    .parts
                    .get(&wanted.context)
                    .is_some_and(|part| part.control.try_lock(part.rank, wanted.exclusive));
            if free {
                self.held.push(wanted);
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
                self.wanted.push_back(wanted);
            }
        }
    }
}

/// Memory for what is brought back.
fn zeroes(bytes: usize) -> Outcome<Vec<u8>> {
    let mut zeroes = Vec::new();
    let made = zeroes.try_reserve_exact(bytes);
    made.map_err(|_| {
        refusal(
            abi::MPI_ERR_NO_MEM,
            format!("there is no memory for the {bytes} bytes that are to be brought back"),
        )
    })?;
    zeroes.resize(bytes, 0);
    Ok(zeroes)
}

/// Everything that a request needs of the engine.
struct Service<'a> {
    served: &'a mut Served,
    memory: &'a Memory,
    verbose: bool,
}

impl Service<'_> {
    /// A request, or more of the stream of one.
    fn take(&mut self, arrived: &Arrived) {
        let Arrived { origin, header, payload } = arrived;
        let origin = *origin;
        if header.kind == kind::ACCESS_ASK {
            let Some(ask) = Ask::read(header, payload) else {
                return self.nonsense(
                    origin,
                    header,
                    (word(payload, 0).unwrap_or(0), header.context),
                );
            };
            if let Some(unfinished) = self.served.incoming.remove(&origin) {
                let error = refusal(abi::MPI_ERR_OTHER, "its data has not come");
                self.served.refuse(origin, &unfinished.ask, &error, self.verbose);
            }
            let incoming = Incoming {
                ask,
                description: Vec::new(),
                received: 0,
                refused: false,
                checked: None,
            };
            self.go_on(origin, incoming, &payload[ASK_BYTES..]);
        } else {
            let (Some(incoming), Some(place)) =
                (self.served.incoming.remove(&origin), word(payload, 0))
            else {
                return self.nonsense(origin, header, (header.context, 0));
            };
            if incoming.ask.number != header.context || incoming.received as u64 != place {
                return self.nonsense(origin, header, (header.context, incoming.ask.context));
            }
            self.go_on(origin, incoming, &payload[PLACE_BYTES..]);
        }
    }

    /// `name`: number and window of the request, as far as they are known. No request has the number 0, and no window.
    #[cold]
    fn nonsense(&mut self, origin: u32, header: &Header, name: (u64, u64)) {
        let error = refusal(abi::MPI_ERR_OTHER, format!("a packet makes no sense: {header:?}"));
        self.served.refuse_any(origin, "an access", name, &error, self.verbose);
    }

    /// Takes more of a request's stream, and finishes it with the last.
    fn go_on(&mut self, origin: u32, mut incoming: Incoming, stream: &[u8]) {
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
        let end =
            end.ok_or_else(|| refusal(abi::MPI_ERR_TYPE, "more data has come than it tells of"))?;
        if incoming.received < described {
            let part = stream.len().min(described - incoming.received);
            incoming.description.extend_from_slice(&stream[..part]);
            stream = &stream[part..];
        }
        if end < described {
            return Ok(());
        }
        if matches!(incoming.ask.verb, Verb::LockShared | Verb::LockExclusive | Verb::Unlock) {
            return self.turn_lock(origin, &incoming.ask);
        }
        if incoming.checked.is_none() {
            incoming.checked = Some(incoming.check(&self.served.parts, origin)?);
            incoming.description = Vec::new();
        }
        self.perform(origin, incoming, end - described - stream.len(), stream, end == expected)
    }

    /// Does what these bytes of the data call for; `from` is their place in it.
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
            (Verb::Put, _) => place.put_at(from, data),
            (Verb::Get, _) => {
                let what = What::Place { ask: *ask, datatype: checked.datatype.clone() };
                self.served.replies.push_back(reply(bytes, what));
            }
            (Verb::Accumulate, Some(elements)) => {
                elements.check_whole(data)?;
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
            }
            (Verb::Fetch, Some(elements)) => {
                elements.check_whole(data)?;
                let before = &mut checked.gathered;
                if before.is_empty() {
                    *before = zeroes(bytes)?;
                }
                let end = if elements.op == Op::NoOp { bytes } else { from + data.len() };
                let who = (part.rank, part.rank, part.processes.len() as u32);
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
                    swap(
                        &part.control,
                        (part.rank, part.rank),
                        &place,
                        elements,
                        [new, compare],
                        &mut before,
                    );
                    self.served.replies.push_back(reply(bytes, What::Bytes(before.into())));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn turn_lock(&mut self, origin: u32, ask: &Ask) -> Outcome {
        let part = find(&self.served.parts, origin, ask)?;
        let (to, number, context) = (origin, ask.number, ask.context);
        if ask.verb != Verb::Unlock {
            self.served.wanted.push_back(Wanted {
                to,
                number,
                context,
                exclusive: ask.verb == Verb::LockExclusive,
            });
            return Ok(());
        }
        let held =
            self.served.held.iter().position(|held| held.to == origin && held.context == context);
        let index = held.ok_or_else(|| {
            refusal(
                abi::MPI_ERR_RMA_SYNC,
                format!("process {origin} gives back a lock that it does not have"),
            )
        })?;
        let held = self.served.held.swap_remove(index);
        part.control.unlock(part.rank, held.exclusive);
        Ok(())
    }
}

/// Carries out the first of the tasks that packets have left.
pub fn perform_task(engine: &mut Engine) {
    let Engine { core, memory, verbose, .. } = engine;
    let Rma { tasks, served, .. } = RMA.get_mut(&mut core.token);
    match (tasks.pop_front(), memory) {
        (Some(Task::Serve(arrived)), Some(memory)) => {
            Service { served, memory, verbose: *verbose }.take(&arrived);
        }
        (Some(Task::Release { process }), _) => served.lose(process),
        _ => {}
    }
    update_status(core);
}

/// Gives out locks that have become free, and tells the others what there is room for.
pub fn answer_accesses(engine: &mut Engine) {
    let Engine { endpoint, packing, packet_max_bytes, verbose, core, .. } = engine;
    let served = &mut RMA.get_mut(&mut core.token).served;
    if !served.is_busy() {
        return;
    }
    served.give_locks();
    let Some(endpoint) = endpoint else { return };
    // Those for whom there is no room now: what is for them stays in its order.
    let mut full: Vec<u32> = Vec::new();
    for _ in 0..served.replies.len() {
        let Some(mut reply) = served.replies.pop_front() else { break };
        let to = reply.to;
        if !full.contains(&to) {
            match reply.send(
                endpoint,
                &served.parts,
                room_for_packet(endpoint, to, packing),
                *packet_max_bytes,
            ) {
                Ok(true) => continue,
                Ok(false) => full.push(to),
                Err(error) => {
                    let context =
                        if let What::Place { ask, .. } = &reply.what { ask.context } else { 0 };
                    served.refuse_any(
                        reply.to,
                        Verb::Get.name(),
                        (reply.number, context),
                        &error,
                        *verbose,
                    );
                    continue;
                }
            }
        }
        served.replies.push_back(reply);
    }
    served.done.retain(|&to, &mut number| {
        // What was refused is told before.
        let told =
            !full.contains(&to) && endpoint.try_send(to, header(kind::ACCESS_DONE, number), &[]);
        !told
    });
}

#[cfg(test)]
mod tests;
