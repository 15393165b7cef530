//! The origin's side of AM requests: numbers requests to other processes, sends them, and takes the
//! results. The functions that wait are those of `am_requests`.
//!
//! A request is numbered, put into the queue of its target, and sent from there as fast as the
//! network accepts it. Its data is read from the program's memory, which must not change before the
//! request is complete (MPI 5.0 §12.3). `DONE` tells how many requests of the pair the target has
//! carried out. A request with a result is *open* until the result has arrived. A program that
//! issues requests faster than the target serves them waits: at most `UNDER_WAY_MAX` requests of a
//! pair are under way.

use super::packet::{ASK_BYTES, Ask, DESCRIPTION_MAX_BYTES, PLACE_BYTES, TypeName, Verb, header};
use crate::abi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::handle;
use crate::packet_kind as kind;
use crate::peer_failure::{self, Losses};
use crate::target::Target;
use nemesis::wire::{Header, word, words};
use nemesis::{Endpoint, PACKET_MAX_BYTES};
use nemesis_datatype::{Buffer, Datatype};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Greatest number of requests of a pair that are not complete.
const UNDER_WAY_MAX: u64 = 1024;

/// The destination of an access that the target carries out.
#[derive(Clone, Copy, Debug)]
pub struct AmRequest {
    pub process: u32,
    pub context: u64,
    pub key: u64,
    /// The origin's rank in the window.
    pub rank: u32,
    pub win: handle::Win,
}

/// The data of a request, after the description of its type.
#[derive(Debug)]
pub enum Data {
    Nothing,
    Program(Buffer),
    Own(Box<[u8]>),
}

impl Data {
    fn bytes(&self) -> usize {
        match self {
            Data::Nothing => 0,
            Data::Program(buffer) => buffer.bytes(),
            Data::Own(bytes) => bytes.len(),
        }
    }

    fn copy(&self, from: usize, into: &mut [u8]) {
        match self {
            Data::Nothing => {}
            Data::Program(buffer) => drop(buffer.pack_at(from, into)),
            Data::Own(bytes) => into.copy_from_slice(&bytes[from..from + into.len()]),
        }
    }
}

/// An access to start.
pub struct Access<'a> {
    pub verb: Verb,
    pub op: handle::Op,
    pub target: &'a Target,
    /// Bytes of an element, which must not be divided between packets.
    pub grain: usize,
    pub data: Data,
    pub result: Option<Buffer>,
}

/// A request that has not been sent completely.
#[derive(Debug)]
struct Sending {
    ask: Ask,
    asked: bool,
    description: Option<Arc<[u8]>>,
    data: Data,
    /// Data is cut into packets at multiples of this number of bytes.
    grain: usize,
    /// Bytes of the stream that have been sent.
    sent: usize,
    /// The request that completes when everything has been sent.
    request: Option<handle::Request>,
}

/// A request whose result has not arrived completely.
#[derive(Debug)]
struct Open {
    context: u64,
    win: handle::Win,
    result: Buffer,
    received: usize,
    request: Option<handle::Request>,
}

/// The requests to one process.
#[derive(Debug, Default)]
struct Toward {
    /// Number of the last request, and of the last completed one.
    last: u64,
    done: u64,
    queue: VecDeque<Sending>,
    open: BTreeMap<u64, Open>,
}

/// The requests of a window to one process: the last one's number, and how many are open.
#[derive(Debug, Default, Clone, Copy)]
struct Mark {
    last: u64,
    open: u32,
}

/// The requests to all other processes.
#[derive(Debug, Default)]
pub struct Origin {
    toward: BTreeMap<u32, Toward>,
    marks: BTreeMap<(u64, u32), Mark>,
    /// Errors of accesses without a handle, by the window's context. The next synchronization
    /// reports them.
    errors: BTreeMap<u64, Box<Error>>,
    /// Number of requests that have not been sent completely.
    waiting: usize,
}

impl Origin {
    pub const fn new() -> Origin {
        Origin {
            toward: BTreeMap::new(),
            marks: BTreeMap::new(),
            errors: BTreeMap::new(),
            waiting: 0,
        }
    }

    pub fn is_busy(&self) -> bool {
        self.waiting > 0
    }

    /// Returns whether all requests of a window to a process are complete.
    pub fn are_complete(&self, context: u64, process: u32) -> bool {
        let Some(mark) = self.marks.get(&(context, process)) else { return true };
        mark.open == 0 && self.toward.get(&process).is_none_or(|toward| toward.done >= mark.last)
    }

    /// Returns whether another request to a process may be under way.
    pub fn has_space(&self, process: u32) -> bool {
        let has_space = |toward: &Toward| {
            toward.last - toward.done < UNDER_WAY_MAX && (toward.open.len() as u64) < UNDER_WAY_MAX
        };
        self.toward.get(&process).is_none_or(has_space)
    }

    /// Queues an access of `bytes` bytes. `request` completes when the result has arrived, or when
    /// all has been sent if there is no result.
    pub fn queue_access(
        &mut self,
        am_request: &AmRequest,
        access: Access<'_>,
        name: (TypeName, Option<Arc<[u8]>>),
        request: Option<handle::Request>,
    ) {
        let Access { verb, op, target, grain, data, result } = access;
        let (datatype, description) = name;
        let ask = Ask {
            number: 0,
            context: am_request.context,
            key: am_request.key,
            rank: am_request.rank,
            verb,
            op: op.0 as i32,
            disp: target.disp,
            count: target.count,
            bytes: (target.datatype.size() as u64).saturating_mul(target.count as u64),
            datatype,
        };
        let leaves = if result.is_none() { request } else { None };
        let sending = Sending {
            ask,
            asked: false,
            description,
            data,
            grain: grain.max(1),
            sent: 0,
            request: leaves,
        };
        self.queue(am_request, sending, result.map(|result| (result, request)));
    }

    /// Queues a request that concerns the target's lock. `request` completes when the target has
    /// granted the lock.
    pub fn queue_lock_request(
        &mut self,
        am_request: &AmRequest,
        verb: Verb,
        request: Option<handle::Request>,
    ) {
        let AmRequest { context, key, rank, .. } = *am_request;
        let ask = Ask {
            number: 0,
            context,
            key,
            rank,
            verb,
            op: 0,
            disp: 0,
            count: 0,
            bytes: 0,
            datatype: TypeName::Predefined(0),
        };
        let sending = Sending {
            ask,
            asked: false,
            description: None,
            data: Data::Nothing,
            grain: 1,
            sent: 0,
            request: None,
        };
        self.queue(am_request, sending, request.map(|request| (Buffer::empty(), Some(request))));
    }

    /// Numbers a request and appends it to the queue of its target.
    fn queue(
        &mut self,
        am_request: &AmRequest,
        mut sending: Sending,
        result: Option<(Buffer, Option<handle::Request>)>,
    ) {
        let toward = self.toward.entry(am_request.process).or_default();
        toward.last += 1;
        sending.ask.number = toward.last;
        let mark = self.marks.entry((am_request.context, am_request.process)).or_default();
        mark.last = toward.last;
        if let Some((result, request)) = result {
            mark.open += 1;
            toward.open.insert(
                toward.last,
                Open {
                    context: am_request.context,
                    win: am_request.win,
                    result,
                    received: 0,
                    request,
                },
            );
        }
        toward.queue.push_back(sending);
        self.waiting += 1;
    }

    /// Returns the processes to which requests are queued.
    pub fn destinations(&self) -> Vec<u32> {
        let queued = self.toward.iter().filter(|(_, toward)| !toward.queue.is_empty());
        queued.map(|(&process, _)| process).collect()
    }

    /// Sends the rest of the first queued request to a process in packets of at most
    /// `part_max_bytes` bytes of data, and removes it from the queue. Returns the request that is
    /// complete by that, if any; `None` if nothing is queued or there is no space.
    pub fn send_first(
        &mut self,
        endpoint: &mut Endpoint,
        process: u32,
        packing: &mut Vec<u8>,
        part_max_bytes: usize,
    ) -> Option<Option<handle::Request>> {
        let toward = self.toward.get_mut(&process)?;
        let packet = room_for_packet(endpoint, process, packing);
        if !toward.queue.front_mut()?.send(endpoint, process, packet, part_max_bytes) {
            return None;
        }
        let sent = toward.queue.pop_front()?;
        self.waiting -= 1;
        Some(sent.request)
    }

    /// Adds an error that a window's next synchronization reports, unless it has one to report.
    pub fn add_error(&mut self, context: u64, error: Box<Error>) {
        self.errors.entry(context).or_insert(error);
    }

    /// Takes the error of a window's requests without a handle.
    pub fn take_error(&mut self, context: u64) -> Outcome {
        self.errors.remove(&context).map_or(Ok(()), Err)
    }

    fn close(&mut self, process: u32, number: u64) -> Option<Open> {
        let open = self.toward.get_mut(&process)?.open.remove(&number)?;
        if let Some(mark) = self.marks.get_mut(&(open.context, process)) {
            mark.open -= 1;
        }
        Some(open)
    }

    /// Removes the state of a window that is freed.
    pub fn forget(&mut self, context: u64) {
        self.marks.retain(|&(of, _), _| of != context);
        self.errors.remove(&context);
    }
}

/// A request that an answer ends, and the error with which it fails.
pub type Ended = (handle::Request, Option<Box<Error>>);

impl Origin {
    /// Takes a packet for the origin's side, and returns the request that it ends, if any. Returns
    /// `None` if the packet is malformed.
    pub fn take_answer(
        &mut self,
        losses: &Losses,
        from: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<Option<Ended>> {
        if losses.check(from).is_err() {
            // The process is lost, and its requests have been failed.
            return Some(None);
        }
        let number = header.context;
        match header.kind {
            kind::ACCESS_DONE => {
                let toward = self.toward.get_mut(&from).filter(|toward| number <= toward.last)?;
                toward.done = toward.done.max(number);
                Some(None)
            }
            kind::ACCESS_RESULT => self.take_result(from, number, payload),
            kind::ACCESS_REFUSED => self.take_refusal(from, number, payload),
            _ => None,
        }
    }

    fn take_result(&mut self, from: u32, number: u64, payload: &[u8]) -> Option<Option<Ended>> {
        let open = self.toward.get_mut(&from)?.open.get_mut(&number)?;
        let (place, bytes) = (word(payload, 0)?, payload.get(PLACE_BYTES..)?);
        let whole = open.result.bytes();
        if place != open.received as u64 || bytes.len() > whole - open.received {
            return None;
        }
        open.result.unpack_at(open.received, bytes);
        open.received += bytes.len();
        if open.received < whole {
            return Some(None);
        }
        let request = self.close(from, number).and_then(|open| open.request);
        Some(request.map(|request| (request, None)))
    }

    fn take_refusal(&mut self, from: u32, number: u64, payload: &[u8]) -> Option<Option<Ended>> {
        let (told, class) = (word(payload, 0)?, i32::try_from(word(payload, 1)?).ok()?);
        let why = String::from_utf8_lossy(payload.get(2 * 8..)?).into_owned();
        let mut error = Error::new(ErrorClass(class), why);
        let context = match self.close(from, number) {
            Some(Open { request: Some(request), win, .. }) => {
                error.window = Some(win);
                return Some(Some((request, Some(error))));
            }
            Some(Open { context, .. }) => context,
            None => told,
        };
        // A process to which the window has sent no request cannot have refused one.
        if self.marks.contains_key(&(context, from)) {
            self.errors.entry(context).or_insert(error);
        }
        Some(None)
    }

    /// Ends everything that was asked of a lost process. Returns the requests that fail.
    pub fn lose(&mut self, process: u32, why: &str) -> Vec<handle::Request> {
        let Some(mut toward) = self.toward.remove(&process) else { return Vec::new() };
        self.waiting -= toward.queue.len();
        let error = || peer_failure::error(process, why);
        let requests = toward
            .queue
            .drain(..)
            .filter_map(|sending| sending.request)
            .chain(toward.open.values().filter_map(|open| open.request))
            .collect();
        let marks = std::mem::take(&mut self.marks);
        for (&(context, _), mark) in marks.iter().filter(|((_, to), _)| *to == process) {
            if mark.open > 0 || mark.last > toward.done {
                self.errors.entry(context).or_insert_with(error);
            }
        }
        self.marks = marks.into_iter().filter(|((_, to), _)| *to != process).collect();
        requests
    }
}

impl Sending {
    fn described(&self) -> usize {
        self.description.as_ref().map_or(0, |description| description.len())
    }

    /// Copies the stream from the first unsent byte on into `space`, and returns the number of
    /// bytes copied.
    fn fill(&self, space: &mut [u8]) -> usize {
        let described = self.described();
        let mut filled = 0;
        if let Some(rest) =
            self.description.as_ref().and_then(|description| description.get(self.sent..))
        {
            filled = rest.len().min(space.len());
            space[..filled].copy_from_slice(&rest[..filled]);
        }
        if self.sent + filled >= described {
            let from = self.sent + filled - described;
            let left = self.data.bytes() - from;
            let part = if left <= space.len() - filled {
                left
            } else {
                (space.len() - filled) / self.grain * self.grain
            };
            self.data.copy(from, &mut space[filled..filled + part]);
            filled += part;
        }
        filled
    }

    /// Sends the next packets of a request as long as there is space. Assembles each in `packet`,
    /// with at most `part_max_bytes` bytes of the stream, but at least one `grain`. Returns whether
    /// the whole request has been sent.
    fn send(
        &mut self,
        endpoint: &mut Endpoint,
        to: u32,
        packet: &mut [u8],
        part_max_bytes: usize,
    ) -> bool {
        let all = self.described() + self.data.bytes();
        loop {
            let (header, front) = if self.asked {
                packet[..PLACE_BYTES].copy_from_slice(words([self.sent as u64]).as_bytes());
                (header(kind::ACCESS_DATA, self.ask.number), PLACE_BYTES)
            } else {
                packet[..ASK_BYTES].copy_from_slice(&self.ask.words());
                (self.ask.header(), ASK_BYTES)
            };
            let end = packet.len().min(front + part_max_bytes.max(self.grain));
            let part = self.fill(&mut packet[front..end]);
            if !endpoint.try_send(to, header, &packet[..front + part]) {
                return false;
            }
            self.asked = true;
            self.sent += part;
            if self.sent == all {
                return true;
            }
        }
    }
}

/// Returns a buffer in which a packet to a process is assembled, as long as the longest packet.
pub fn room_for_packet<'a>(endpoint: &Endpoint, to: u32, packing: &'a mut Vec<u8>) -> &'a mut [u8] {
    let longest = if endpoint.is_remote(to) { endpoint.packet_max(to) } else { PACKET_MAX_BYTES };
    if packing.len() < longest {
        packing.resize(longest, 0);
    }
    &mut packing[..longest]
}

/// Returns how a request names a datatype, and the description that it sends if the type is not a
/// predefined one. Fails if the description is too long.
pub fn type_name(datatype: &Datatype) -> Outcome<(TypeName, Option<Arc<[u8]>>)> {
    if let Some(handle) = datatype.predefined_handle() {
        return Ok((TypeName::Predefined(handle), None));
    }
    let description = datatype.serialize();
    if description.len() > DESCRIPTION_MAX_BYTES {
        let why = format!(
            "the description of the target's datatype has {} bytes, more than the limit of \
             {DESCRIPTION_MAX_BYTES}",
            description.len()
        );
        return Err(Error::new(abi::MPI_ERR_TYPE, why)
            .advise("use a type with fewer blocks, or several accesses"));
    }
    Ok((TypeName::Described(description.len()), Some(description.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;

    const WINDOW: u64 = 5;
    const AM_REQUEST: AmRequest =
        AmRequest { process: 1, context: WINDOW, key: 9, rank: 0, win: handle::Win::NULL };

    /// Makes the state of a process that has asked process 1 for something that brings a result, in
    /// window `WINDOW`.
    fn asked() -> Origin {
        let mut origin = Origin::new();
        let (verb, datatype) = (Verb::Get, TypeName::Predefined(0));
        let ask = Ask {
            number: 0,
            context: WINDOW,
            key: 9,
            rank: 0,
            verb,
            op: 0,
            disp: 0,
            count: 0,
            bytes: 0,
            datatype,
        };
        let sending = Sending {
            ask,
            asked: false,
            description: None,
            data: Data::Nothing,
            grain: 1,
            sent: 0,
            request: None,
        };
        origin.queue(&AM_REQUEST, sending, Some((Buffer::empty(), None)));
        origin
    }

    fn refuse(origin: &mut Origin, from: u32, number: u64, window: u64) {
        let told = words([window, abi::MPI_ERR_RMA_RANGE.value() as u64]);
        let header = header(kind::ACCESS_REFUSED, number);
        let ended = origin.take_answer(&Losses::new(), from, &header, told.as_bytes()).unwrap();
        assert!(ended.is_none());
    }

    #[test]
    fn a_refusal_is_an_error_of_the_window_that_has_asked() {
        let mut origin = asked();
        for (from, number, window) in
            [(2, 1, WINDOW), (2, 7, WINDOW), (1, 7, WINDOW + 1), (1, 0, 0)]
        {
            refuse(&mut origin, from, number, window);
            assert!(
                origin.errors.is_empty(),
                "process {from} was asked for nothing in window {window}"
            );
        }
        refuse(&mut origin, 1, 1, WINDOW + 1);
        assert!(origin.errors.keys().eq(&[WINDOW]) && origin.marks[&(WINDOW, 1)].open == 0);
        origin.errors.clear();
        refuse(&mut origin, 1, 7, WINDOW);
        assert!(origin.errors.keys().eq(&[WINDOW]), "a put is not open");
    }

    #[test]
    fn answers_of_a_lost_process_are_ignored() {
        let (mut origin, mut losses) = (asked(), Losses::new());
        assert!(
            origin.take_answer(&losses, 1, &header(kind::ACCESS_DONE, 7), &[]).is_none(),
            "request 7 does not exist"
        );
        losses.add(1, "it is gone".into());
        assert!(origin.lose(1, "it is gone").is_empty() && origin.errors.contains_key(&WINDOW));
        for kind in [kind::ACCESS_DONE, kind::ACCESS_RESULT, kind::ACCESS_REFUSED] {
            let ended = origin.take_answer(&losses, 1, &header(kind, 1), &[0; 24]);
            assert!(ended.is_some_and(|ended| ended.is_none()));
        }
    }
}
