//! The target's side: requests of others, checked and done.
//!
//! Whatever a request says is compared with what this process has offered before memory is touched: the window and its key, the origin's rank, the place to
//! the last byte, the type, the operation, the length of its data. What does not fit is refused: it touches nothing, is counted, is named with
//! `NEMESIS_VERBOSE=on`, and the origin learns why.
//!
//! A process sends its requests one after the other, so at most one of each is incomplete. Results are kept until there is room for them: of gets only the
//! place, which is read when it is sent.

use super::origin::room_for_packet;
use super::packet::{ASK_BYTES, Arrived, Ask, PLACE_BYTES, TypeName, Verb, header};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::op;
use crate::protocol::kind;
use crate::rma::accumulate::{Elements, combine, element_of, swap};
use crate::rma::control::Control;
use crate::types::refused;
use nemesis::wire::{Header, word, words};
use nemesis::{Endpoint, Memory, PACKET_MAX_BYTES};
use nemesis_datatype::{Area, Datatype, Op, Place};
use std::collections::{BTreeMap, VecDeque};

/// What this process offers of a window.
#[derive(Debug)]
pub struct Part {
    pub key: u64,
    pub rank: u32,
    /// Processes by their rank in the window.
    pub processes: Vec<u32>,
    pub disp_unit: i64,
    /// Displacements are addresses, and `areas` what is attached.
    pub dynamic: bool,
    pub areas: Vec<Area>,
    /// As in `Exposed`.
    pub shared: bool,
    pub control: Control,
}

/// A request that is coming in.
#[derive(Debug)]
struct Incoming {
    ask: Ask,
    description: Vec<u8>,
    /// Bytes of its stream that have come.
    received: usize,
    /// It was refused; the rest of its stream is let pass.
    refused: bool,
    checked: Option<Checked>,
}

/// What is known of a request whose type is here and whose place is ours.
#[derive(Debug, Clone)]
struct Checked {
    datatype: Datatype,
    elements: Option<Elements>,
    /// Data that is needed as a whole.
    gathered: Vec<u8>,
}

/// Something to send back.
#[derive(Debug)]
struct Reply {
    to: u32,
    number: u64,
    /// Bytes sent, and bytes in all.
    sent: usize,
    bytes: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Read when it is sent.
    Place {
        ask: Ask,
        datatype: Datatype,
    },
    Bytes(Box<[u8]>),
    Refusal(Box<[u8]>),
}

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
    pub fn attached(&mut self, context: u64, areas: &[Area]) {
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

    fn refuse_any(&mut self, origin: u32, what: &str, (number, context): (u64, u64), error: &Error, verbose: bool) {
        self.refused += 1;
        if verbose {
            eprintln!("nemesis: {what} of process {origin} is refused: {} ({} so far)", error.why, self.refused);
        }
        let class = words([context, error.class as u64]);
        let text = [class.as_bytes(), error.why.as_bytes()].concat();
        let bytes = text.len().min(PACKET_MAX_BYTES);
        self.replies.push_back(Reply { to: origin, number, sent: 0, bytes, what: What::Refusal(text[..bytes].into()) });
    }

    /// A process is lost: what it held is free, what it asked for is over.
    pub fn lose(&mut self, process: u32) {
        self.incoming.remove(&process);
        self.replies.retain(|reply| reply.to != process);
        self.wanted.retain(|wanted| wanted.to != process);
        self.done.remove(&process);
        let (gone, held) = std::mem::take(&mut self.held).into_iter().partition::<Vec<_>, _>(|held| held.to == process);
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
                && self.parts.get(&wanted.context).is_some_and(|part| part.control.try_lock(part.rank, wanted.exclusive));
            if free {
                self.held.push(wanted);
                let what = What::Bytes(Box::default());
                self.replies.push_back(Reply { to: wanted.to, number: wanted.number, sent: 0, bytes: 0, what });
            } else {
                stuck.push(wanted.context);
                self.wanted.push_back(wanted);
            }
        }
    }
}

fn refusal(class: i32, why: impl Into<String>) -> Box<Error> {
    Error::new(class, why.into())
}

impl Part {
    /// The place that a request names, inside what is offered.
    fn place(&self, ask: &Ask, datatype: &Datatype) -> Outcome<Place<'_>> {
        let place = if self.dynamic {
            self.areas.iter().find_map(|area| area.place(ask.disp.wrapping_sub(area.address() as i64), ask.count, datatype))
        } else {
            let offset = ask.disp.checked_mul(self.disp_unit);
            offset.zip(self.areas.first()).and_then(|(offset, area)| area.place(offset, ask.count, datatype))
        };
        place.ok_or_else(|| {
            let (count, disp, bytes) = (ask.count, ask.disp, self.areas.first().map_or(0, Area::bytes));
            match self.dynamic {
                true => refusal(
                    abi::MPI_ERR_RMA_RANGE,
                    format!("{count} elements at address {disp:#x} do not lie in one region that rank {} has attached", self.rank),
                ),
                false => refusal(
                    abi::MPI_ERR_RMA_RANGE,
                    format!(
                        "{count} elements from displacement {disp} (times {}) are not inside the {bytes} bytes of rank {}",
                        self.disp_unit, self.rank
                    ),
                ),
            }
        })
    }
}

impl Part {
    /// Elements may lie on each other, so they may have more data than memory. Nobody may write to such (MPI 5.0 §12.3), and of what is written or brought
    /// back as a whole there is no more than what is offered.
    fn check_data(&self, ask: &Ask, place: &Place<'_>) -> Outcome {
        let room = self.areas.iter().map(Area::bytes).max().unwrap_or(0);
        match place.bytes() {
            0 => Err(refusal(abi::MPI_ERR_TYPE, "an access without data is not asked for")),
            bytes if ask.verb != Verb::Get && bytes > room => {
                Err(refusal(abi::MPI_ERR_TYPE, format!("elements that are written to overlap: {bytes} bytes of data lie in {room} bytes")))
            }
            _ => Ok(()),
        }
    }
}

/// Memory for what is brought back.
fn zeroes(bytes: usize) -> Outcome<Vec<u8>> {
    let mut zeroes = Vec::new();
    let made = zeroes.try_reserve_exact(bytes);
    made.map_err(|_| refusal(abi::MPI_ERR_NO_MEM, format!("there is no memory for the {bytes} bytes that are to be brought back")))?;
    zeroes.resize(bytes, 0);
    Ok(zeroes)
}

/// Finds the window of a request.
fn find<'a>(parts: &'a BTreeMap<u64, Part>, origin: u32, ask: &Ask) -> Outcome<&'a Part> {
    let part = parts.get(&ask.context).filter(|part| part.key == ask.key);
    let part =
        part.ok_or_else(|| refusal(abi::MPI_ERR_WIN, "no window of this process has this name and key: it was freed, or never was"))?;
    if part.processes.get(ask.rank as usize) != Some(&origin) {
        return Err(refusal(abi::MPI_ERR_RANK, format!("process {origin} is not rank {} of the window", ask.rank)));
    }
    Ok(part)
}

impl Incoming {
    fn described(&self) -> usize {
        match self.ask.datatype {
            TypeName::Predefined(_) => 0,
            TypeName::Described(bytes) => bytes,
        }
    }

    /// Length of the stream.
    fn expected(&self) -> usize {
        let bytes = usize::try_from(self.ask.bytes).unwrap_or(usize::MAX);
        let data = match self.ask.verb {
            Verb::Put | Verb::Accumulate => bytes,
            Verb::Fetch if is_no_op(&self.ask) => 0,
            Verb::Fetch => bytes,
            Verb::Swap => bytes.saturating_mul(2),
            Verb::Get | Verb::LockShared | Verb::LockExclusive | Verb::Unlock => 0,
        };
        self.described().saturating_add(data)
    }

    /// What has to be right before anything is done.
    fn check(&self, parts: &BTreeMap<u64, Part>, origin: u32) -> Outcome<Checked> {
        let ask = &self.ask;
        let part = find(parts, origin, ask)?;
        if ask.count < 0 {
            return Err(refusal(abi::MPI_ERR_COUNT, format!("the target's count is {}, it must not be negative", ask.count)));
        }
        let datatype = match ask.datatype {
            TypeName::Predefined(handle) => Datatype::predefined(handle)
                .ok_or_else(|| refusal(abi::MPI_ERR_TYPE, format!("{handle:#x} is no predefined datatype")))?
                .clone(),
            TypeName::Described(_) => Datatype::from_description(&self.description).map_err(refused)?,
        };
        let place = part.place(ask, &datatype)?;
        if place.bytes() as u64 != ask.bytes {
            let why = format!("the origin tells of {} bytes of data and the target's type of {}", ask.bytes, place.bytes());
            return Err(refusal(abi::MPI_ERR_TYPE, why));
        }
        part.check_data(ask, &place)?;
        let elements = match ask.verb {
            Verb::Accumulate | Verb::Fetch => {
                let op = operation(ask)?;
                let element = element_of(&datatype, op)?;
                Some(Elements::new(op, element, &place, part.shared))
            }
            Verb::Swap => {
                if ask.count != 1 || !crate::rma::accumulate::may_swap(&datatype) {
                    return Err(refusal(abi::MPI_ERR_TYPE, "one element of a type that can be compared is swapped"));
                }
                Some(Elements::new(Op::Replace, datatype.clone(), &place, part.shared))
            }
            _ => None,
        };
        Ok(Checked { datatype, elements, gathered: Vec::new() })
    }
}

fn is_no_op(ask: &Ask) -> bool {
    matches!(operation(ask), Ok(Op::NoOp))
}

fn operation(ask: &Ask) -> Outcome<Op> {
    match op::get(crate::handle::Op(ask.op as u32 as usize))? {
        op::Op::Predefined(op) => Ok(op),
        op::Op::User(_) => Err(refusal(abi::MPI_ERR_OP, "accumulate functions take predefined operations only")),
    }
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
                return self.nonsense(origin, header, (word(payload, 0).unwrap_or(0), header.context));
            };
            if let Some(unfinished) = self.served.incoming.remove(&origin) {
                let error = refusal(abi::MPI_ERR_OTHER, "its data has not come");
                self.served.refuse(origin, &unfinished.ask, &error, self.verbose);
            }
            let incoming = Incoming { ask, description: Vec::new(), received: 0, refused: false, checked: None };
            self.go_on(origin, incoming, &payload[ASK_BYTES..]);
        } else {
            let (Some(incoming), Some(place)) = (self.served.incoming.remove(&origin), word(payload, 0)) else {
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
        let end = end.ok_or_else(|| refusal(abi::MPI_ERR_TYPE, "more data has come than it tells of"))?;
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
    fn perform(&mut self, origin: u32, incoming: &mut Incoming, from: usize, data: &[u8], last: bool) -> Outcome {
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
                combine(self.memory, &part.control, who, &place, elements, from, data, Some(&mut before[from..end]))?;
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
                    swap(&part.control, (part.rank, part.rank), &place, elements, [new, compare], &mut before);
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
            self.served.wanted.push_back(Wanted { to, number, context, exclusive: ask.verb == Verb::LockExclusive });
            return Ok(());
        }
        let held = self.served.held.iter().position(|held| held.to == origin && held.context == context);
        let index =
            held.ok_or_else(|| refusal(abi::MPI_ERR_RMA_SYNC, format!("process {origin} gives back a lock that it does not have")))?;
        let held = self.served.held.swap_remove(index);
        part.control.unlock(part.rank, held.exclusive);
        Ok(())
    }
}

impl Reply {
    /// Sends what there is room for, so many bytes in a packet at most; true when all has left.
    fn send(&mut self, endpoint: &mut Endpoint, parts: &BTreeMap<u64, Part>, packet: &mut [u8], room: usize) -> Outcome<bool> {
        if let What::Refusal(text) = &self.what {
            return Ok(endpoint.try_send(self.to, header(kind::ACCESS_REFUSED, self.number), text));
        }
        loop {
            let part = (packet.len() - PLACE_BYTES).min(room).min(self.bytes - self.sent);
            packet[..PLACE_BYTES].copy_from_slice(words([self.sent as u64]).as_bytes());
            let room = &mut packet[PLACE_BYTES..PLACE_BYTES + part];
            match &self.what {
                What::Place { ask, datatype } => find(parts, self.to, ask)?.place(ask, datatype)?.get_at(self.sent, room),
                What::Bytes(bytes) | What::Refusal(bytes) => room.copy_from_slice(&bytes[self.sent..self.sent + part]),
            }
            if !endpoint.try_send(self.to, header(kind::ACCESS_RESULT, self.number), &packet[..PLACE_BYTES + part]) {
                return Ok(false);
            }
            self.sent += part;
            if self.sent == self.bytes {
                return Ok(true);
            }
        }
    }
}

impl Engine {
    /// Does what a packet of another's access calls for.
    pub(crate) fn serve(&mut self, arrived: &Arrived) {
        let Engine { served, memory: Some(memory), verbose, .. } = self else { return };
        Service { served, memory, verbose: *verbose }.take(arrived);
    }

    /// Gives out locks that have become free, and tells the others what there is room for.
    pub(crate) fn answer_accesses(&mut self) {
        if !self.served.is_busy() {
            return;
        }
        self.served.give_locks();
        let Engine { served, endpoint: Some(endpoint), packing, packet_max_bytes, verbose, .. } = self else { return };
        // Those for whom there is no room now: what is for them stays in its order.
        let mut full: Vec<u32> = Vec::new();
        for _ in 0..served.replies.len() {
            let Some(mut reply) = served.replies.pop_front() else { break };
            let to = reply.to;
            if !full.contains(&to) {
                match reply.send(endpoint, &served.parts, room_for_packet(endpoint, to, packing), *packet_max_bytes) {
                    Ok(true) => continue,
                    Ok(false) => full.push(to),
                    Err(error) => {
                        let context = if let What::Place { ask, .. } = &reply.what { ask.context } else { 0 };
                        served.refuse_any(reply.to, Verb::Get.name(), (reply.number, context), &error, *verbose);
                        continue;
                    }
                }
            }
            served.replies.push_back(reply);
        }
        served.done.retain(|&to, &mut number| {
            // What was refused is told before.
            let told = !full.contains(&to) && endpoint.try_send(to, header(kind::ACCESS_DONE, number), &[]);
            !told
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::Tunables;
    use nemesis_wireup::Wireup;

    const INT: usize = 0x209;
    const SHORT_INT: usize = 0x22c;
    const SUM: i32 = 0x21;
    const REPLACE: i32 = 0x3c;
    const NO_OP: i32 = 0x3d;
    const BYTES: usize = 64;

    /// A window of `BYTES` bytes of a job of one process, served for process 7, its rank 1.
    struct World {
        _endpoint: Endpoint,
        memory: Memory,
        served: Served,
        window: Vec<i32>,
    }

    fn world() -> World {
        let mut wireup = Wireup::connect().unwrap();
        let mut endpoint = Endpoint::join(&mut wireup, &Tunables::from_environment().unwrap()).unwrap();
        let mut memory = endpoint.take_memory().unwrap();
        let area = Area::owned(BYTES, 64).unwrap();
        let control = Control::new(memory.allocate(Control::bytes(2), 1).unwrap().shared);
        let part = Part { key: 99, rank: 0, processes: vec![0, 7], disp_unit: 4, dynamic: false, areas: vec![area], shared: true, control };
        let mut served = Served::new();
        served.open(42, part);
        World { _endpoint: endpoint, memory, served, window: Vec::new() }
    }

    const GOOD: Ask = Ask {
        number: 1,
        context: 42,
        key: 99,
        rank: 1,
        verb: Verb::Put,
        op: 0,
        disp: 2,
        count: 1,
        bytes: 4,
        datatype: TypeName::Predefined(INT),
    };

    impl World {
        fn send(&mut self, origin: u32, header: Header, front: &[u8], stream: &[u8]) {
            let arrived = Arrived { origin, header, payload: [front, stream].concat().into() };
            Service { served: &mut self.served, memory: &self.memory, verbose: false }.take(&arrived);
        }

        fn ask(&mut self, origin: u32, ask: Ask, stream: &[u8]) {
            self.send(origin, ask.header(), &ask.words(), stream);
        }

        fn look(&mut self) -> &[i32] {
            let datatype = Datatype::predefined(INT).unwrap();
            let place = self.served.parts[&42].areas[0].place(0, BYTES as i64 / 4, datatype).unwrap();
            let mut bytes = [0; BYTES];
            place.get_at(0, &mut bytes);
            self.window = bytes.chunks_exact(4).map(|bytes| i32::from_ne_bytes(bytes.try_into().unwrap())).collect();
            &self.window
        }

        /// The class of the last refusal.
        fn refusal(&mut self) -> i32 {
            match self.served.replies.pop_back() {
                Some(Reply { what: What::Refusal(text), .. }) => word(&text, 1).unwrap() as i32,
                other => panic!("no refusal but {other:?}"),
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_touches_nothing() {
        let mut world = world();
        let seven = 7i32.to_ne_bytes();
        world.ask(7, GOOD, &seven);
        world.ask(7, Ask { verb: Verb::Accumulate, op: SUM, number: 2, ..GOOD }, &seven);
        assert_eq!((world.look()[2], world.served.refused, world.served.done[&7]), (14, 0, 2));
        let described = Datatype::hvector(2, 1, 8, Datatype::predefined(INT).unwrap()).unwrap().description();
        let derived = Ask { datatype: TypeName::Described(described.len()), bytes: 8, ..GOOD };
        world.ask(7, derived, &[&described[..], &seven, &seven].concat());
        assert_eq!(world.look()[2..5], [7, 0, 7]);
        let before = world.look().to_vec();
        let wrong: [(Ask, i32); 12] = [
            (Ask { key: 98, ..GOOD }, abi::MPI_ERR_WIN),
            (Ask { context: 43, ..GOOD }, abi::MPI_ERR_WIN),
            (Ask { rank: 0, ..GOOD }, abi::MPI_ERR_RANK),
            (Ask { rank: 5, ..GOOD }, abi::MPI_ERR_RANK),
            (Ask { disp: 16, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
            (Ask { disp: -1, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
            (Ask { disp: i64::MAX, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
            (Ask { count: i64::MAX, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
            (Ask { count: -1, ..GOOD }, abi::MPI_ERR_COUNT),
            (Ask { count: 2, ..GOOD }, abi::MPI_ERR_TYPE),
            (Ask { datatype: TypeName::Predefined(1), ..GOOD }, abi::MPI_ERR_TYPE),
            (Ask { verb: Verb::Accumulate, op: 0x7fff, ..GOOD }, abi::MPI_ERR_OP),
        ];
        for (index, (ask, class)) in wrong.into_iter().enumerate() {
            world.ask(7, Ask { number: 10 + index as u64, ..ask }, &seven);
            assert_eq!(world.refusal(), class, "{ask:?}");
            assert_eq!((world.served.refused, world.served.done[&7]), (index as u64 + 1, 10 + index as u64));
        }
        refuses_more_data_than_memory(&mut world);
        // From a process that is not in the window, and packets that belong to nothing.
        world.ask(6, GOOD, &seven);
        assert_eq!(world.refusal(), abi::MPI_ERR_RANK);
        world.send(7, header(kind::ACCESS_DATA, 3), &0u64.to_le_bytes(), &seven);
        world.send(7, GOOD.header(), &[1, 2, 3], &[]);
        world.ask(7, Ask { bytes: 4, ..GOOD }, &[0; 400]);
        world.ask(7, Ask { verb: Verb::Unlock, ..GOOD }, &[]);
        assert_eq!(world.served.refused, 22);
        assert_eq!(world.look(), before);
    }

    /// Elements that lie on each other, more of them than anybody has the time or the memory for, and parts that are named more often than that.
    fn refuses_more_data_than_memory(world: &mut World) {
        let int = Datatype::predefined(INT).unwrap();
        let piled = Datatype::hvector(1 << 50, 1, 0, int).unwrap();
        let pair = Datatype::predefined(SHORT_INT).unwrap();
        let twice = |length| move |part: Datatype, _| Datatype::structure(&[length, length], &[0, 0], &[part.clone(), part]).unwrap();
        let (full, hollow) = ((0..59).fold(pair.clone(), twice(1)), (0..60).fold(pair.clone(), twice(0)));
        let wrong = [
            (&piled, Verb::Fetch, NO_OP),
            (&piled, Verb::Fetch, SUM),
            (&piled, Verb::Accumulate, SUM),
            (&full, Verb::Accumulate, REPLACE),
            (&hollow, Verb::Accumulate, REPLACE),
        ];
        for (datatype, verb, op) in wrong {
            let description = datatype.description();
            let named = TypeName::Described(description.len());
            world.ask(7, Ask { verb, op, disp: 0, bytes: datatype.size() as u64, datatype: named, ..GOOD }, &description);
            assert_eq!(world.refusal(), abi::MPI_ERR_TYPE, "{verb:?} {op:#x}");
            world.served.incoming.clear();
        }
    }

    #[test]
    fn parts_without_data_cost_nothing() {
        let mut world = world();
        let int = Datatype::predefined(INT).unwrap();
        let empty = Datatype::contiguous(0, int).unwrap();
        let nothing = (0..60).fold(empty, |part, _| Datatype::structure(&[1, 1], &[0, 0], &[part.clone(), part]).unwrap());
        let datatype = Datatype::structure(&[1, 1], &[0, 0], &[nothing, int.clone()]).unwrap();
        let description = datatype.description();
        let ask = Ask { datatype: TypeName::Described(description.len()), ..GOOD };
        world.ask(7, ask, &[&description[..], &7i32.to_ne_bytes()].concat());
        for (number, verb) in [(2, Verb::Accumulate), (3, Verb::Fetch)] {
            world.ask(7, Ask { verb, op: SUM, number, ..ask }, &[&description[..], &7i32.to_ne_bytes()].concat());
        }
        assert_eq!((world.look()[2], world.served.refused, world.served.done[&7]), (21, 0, 3));
    }

    #[test]
    fn data_that_comes_in_pieces_lies_in_its_order() {
        let mut world = world();
        let words: Vec<u8> = (0..8i32).flat_map(i32::to_ne_bytes).collect();
        let long = Ask { count: 8, bytes: 32, ..GOOD };
        world.ask(7, long, &words[..4]);
        assert!(!world.served.done.contains_key(&7));
        world.send(7, header(kind::ACCESS_DATA, 1), &4u64.to_le_bytes(), &words[4..20]);
        world.send(7, header(kind::ACCESS_DATA, 1), &20u64.to_le_bytes(), &words[20..]);
        assert_eq!((world.served.done[&7], &world.look()[2..10]), (1, &[0, 1, 2, 3, 4, 5, 6, 7][..]));
        // A lock that is held is given out when it is given back; who is lost gives back what it had.
        world.ask(7, Ask { verb: Verb::LockExclusive, number: 2, ..GOOD }, &[]);
        world.served.give_locks();
        assert!(!world.served.parts[&42].control.try_lock(0, false));
        world.served.lose(7);
        assert!(world.served.parts[&42].control.try_lock(0, true));
    }
}
