//! The origin's side of AM requests: what they ask of other processes, and where the results go.
//! The functions that wait are those of `am_requests`.
//!
//! The data of a request is read from the program's memory, which must not change before the
//! request is complete (MPI 5.0 §12.3). A request with a result is *open* until the result is here.
//! A program that issues requests faster than the target serves them waits.

use super::packet::{Ask, DESCRIPTION_MAX_BYTES, FRONT_BYTES, TypeName, Verb};
use crate::abi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::handle;
use crate::peer_failure::{self, Losses};
use crate::protocol::UPPER_TOKEN;
use crate::target::Target;
use nemesis::am::{self, Answered, Lost};
use nemesis::wire::{Header, word};
use nemesis::{Endpoint, Failure, Region, RegionMut, Token};
use nemesis_datatype::{Buffer, Datatype};
use std::collections::BTreeMap;
use std::sync::Arc;

/// First token of the bulk payloads of requests; those of the network's accesses are smaller.
pub const FIRST_BULK_TOKEN: Token = UPPER_TOKEN | 1 << 62;

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

/// A request that has not left.
#[derive(Debug)]
pub struct Asking {
    ask: Ask,
    description: Option<Arc<[u8]>>,
    data: Data,
    /// Data is cut into packets at multiples of this number of bytes.
    grain: usize,
    /// The request that completes when everything has been sent.
    request: Option<handle::Request>,
}

/// A request whose result has not come completely.
#[derive(Debug)]
pub struct Open {
    context: u64,
    win: handle::Win,
    result: Buffer,
    request: Option<handle::Request>,
}

/// The requests of a window to one process: the last one's number, and how many are open.
#[derive(Debug, Default, Clone, Copy)]
struct Mark {
    last: u64,
    open: u32,
}

/// The requests to all other processes.
#[derive(Debug)]
pub struct Origin {
    requests: am::Origin<Asking, Open>,
    marks: BTreeMap<(u64, u32), Mark>,
    /// Errors of accesses without a handle, by the window's context. The next synchronization
    /// reports them.
    errors: BTreeMap<u64, Box<Error>>,
    /// Refused requests whose data still leave, by process and number: they fail after that.
    refused: BTreeMap<(u32, u64), (handle::Request, Box<Error>)>,
}

impl Origin {
    pub const fn new() -> Origin {
        Origin {
            requests: am::Origin::new(FIRST_BULK_TOKEN),
            marks: BTreeMap::new(),
            errors: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    pub fn is_busy(&self) -> bool {
        self.requests.is_busy()
    }

    /// Returns whether all requests of a window to a process are complete.
    pub fn are_complete(&self, context: u64, process: u32) -> bool {
        let Some(mark) = self.marks.get(&(context, process)) else { return true };
        mark.open == 0 && self.requests.is_done(process, mark.last)
    }

    /// Returns whether another request to a process may be under way.
    pub fn has_space(&self, process: u32) -> bool {
        self.requests.has_space(process)
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
        let asking = Asking { ask, description, data, grain: grain.max(1), request: leaves };
        self.queue(am_request, asking, result.map(|result| (result, request)));
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
        let (description, data) = (None, Data::Nothing);
        let asking = Asking { ask, description, data, grain: 1, request: None };
        self.queue(am_request, asking, request.map(|request| (Buffer::empty(), Some(request))));
    }

    /// Queues a request to its target.
    fn queue(
        &mut self,
        am_request: &AmRequest,
        asking: Asking,
        result: Option<(Buffer, Option<handle::Request>)>,
    ) {
        let AmRequest { process, context, win, .. } = *am_request;
        let mark = self.marks.entry((context, process)).or_default();
        mark.open += u32::from(result.is_some());
        let open = result.map(|(result, request)| Open { context, win, result, request });
        mark.last = self.requests.ask(process, asking, open);
    }

    /// Sends queued requests, to one process or to all, as far as the endpoint accepts them. Adds
    /// the requests that are complete by that, and why they fail, to `ended`.
    pub fn send(
        &mut self,
        endpoint: &mut Endpoint,
        process: Option<u32>,
        packing: &mut Vec<u8>,
        limits: am::Limits,
        ended: &mut Vec<Ended>,
    ) {
        let Origin { requests, refused, .. } = self;
        let left = |left| ended.extend(end(refused, left));
        match process {
            Some(process) => requests.send_to(endpoint, process, packing, limits, left),
            None => requests.send(endpoint, packing, limits, left),
        }
    }

    /// Takes the report that a bulk payload has been read. Returns the request that is complete by
    /// that.
    pub fn completed(&mut self, token: Token, outcome: Result<(), Failure>) -> Option<Ended> {
        let left = self.requests.completed(token, outcome)?;
        end(&mut self.refused, left)
    }

    /// Returns the memory for the bulk payload of a result.
    pub fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.requests.place(from, header, payload, bytes)
    }

    /// Adds an error that a window's next synchronization reports, unless it has one to report.
    pub fn add_error(&mut self, context: u64, error: Box<Error>) {
        self.errors.entry(context).or_insert(error);
    }

    /// Takes the error of a window's requests without a handle.
    pub fn take_error(&mut self, context: u64) -> Outcome {
        self.errors.remove(&context).map_or(Ok(()), Err)
    }

    /// Removes the state of a window that is freed.
    pub fn forget(&mut self, context: u64) {
        self.marks.retain(|&(of, _), _| of != context);
        self.errors.remove(&context);
    }
}

/// A request that an answer ends, and the error with which it fails.
pub type Ended = (handle::Request, Option<Box<Error>>);

/// Returns the end of a request that completes when it has left, or has been refused before.
fn end(
    refused: &mut BTreeMap<(u32, u64), (handle::Request, Box<Error>)>,
    (process, number, asking, outcome): am::Left<Asking>,
) -> Option<Ended> {
    if let Some((request, error)) = refused.remove(&(process, number)) {
        return Some((request, Some(error)));
    }
    let error = outcome.err().map(|failure| peer_failure::error(process, &failure.why));
    asking.request.map(|request| (request, error))
}

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
        match self.requests.take(from, header, payload)? {
            Answered::Partly => Some(None),
            Answered::Result(_, open) => {
                self.close(from, &open);
                Some(open.request.map(|request| (request, None)))
            }
            Answered::Refused(number, open) => self.take_refusal(from, number, open, payload),
        }
    }

    fn close(&mut self, process: u32, open: &Open) {
        if let Some(mark) = self.marks.get_mut(&(open.context, process)) {
            mark.open -= 1;
        }
    }

    fn take_refusal(
        &mut self,
        from: u32,
        number: u64,
        open: Option<Open>,
        told: &[u8],
    ) -> Option<Option<Ended>> {
        if let Some(open) = &open {
            self.close(from, open);
        }
        let (window, class) = (word(told, 0)?, i32::try_from(word(told, 1)?).ok()?);
        let why = String::from_utf8_lossy(told.get(2 * 8..)?).into_owned();
        let mut error = Error::new(ErrorClass(class), why);
        let context = match open {
            Some(Open { request: Some(request), win, .. }) => {
                error.window = Some(win);
                if self.requests.is_leaving(from, number) {
                    self.refused.insert((from, number), (request, error));
                    return Some(None);
                }
                return Some(Some((request, Some(error))));
            }
            Some(Open { context, .. }) => context,
            None => window,
        };
        // A process to which the window has sent no request cannot have refused one.
        if self.marks.contains_key(&(context, from)) {
            self.errors.entry(context).or_insert(error);
        }
        Some(None)
    }

    /// Ends everything that was asked of a lost process. Returns the requests that fail.
    pub fn lose(&mut self, process: u32, why: &str) -> Vec<handle::Request> {
        let Some(Lost { asks, results, done }) = self.requests.lose(process) else {
            return Vec::new();
        };
        let error = || peer_failure::error(process, why);
        let marks = std::mem::take(&mut self.marks);
        for (&(context, _), mark) in marks.iter().filter(|((_, to), _)| *to == process) {
            if mark.open > 0 || mark.last > done {
                self.errors.entry(context).or_insert_with(error);
            }
        }
        self.marks = marks.into_iter().filter(|((_, to), _)| *to != process).collect();
        let refused = self.refused.extract_if(.., |(to, _), _| *to == process);
        let asks = asks.into_iter().filter_map(|asking| asking.request);
        let asks = asks.chain(refused.map(|(_, (request, _))| request));
        asks.chain(results.into_iter().filter_map(|open| open.request)).collect()
    }
}

impl Asking {
    fn described(&self) -> usize {
        self.description.as_ref().map_or(0, |description| description.len())
    }
}

impl am::Ask for Asking {
    fn header(&self) -> Header {
        self.ask.header()
    }

    fn front(&self, into: &mut [u8]) -> usize {
        into[..FRONT_BYTES].copy_from_slice(&self.ask.front());
        FRONT_BYTES
    }

    fn bytes(&self) -> usize {
        self.described() + self.data.bytes()
    }

    fn fill(&self, from: usize, space: &mut [u8]) -> usize {
        let described = self.described();
        let mut filled = 0;
        if let Some(rest) =
            self.description.as_ref().and_then(|description| description.get(from..))
        {
            filled = rest.len().min(space.len());
            space[..filled].copy_from_slice(&rest[..filled]);
        }
        if from + filled >= described {
            let from = from + filled - described;
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

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        match &self.data {
            Data::Program(buffer) => buffer.region(from - self.described(), bytes),
            Data::Nothing | Data::Own(_) => None,
        }
    }

    fn memory_from(&self) -> usize {
        self.described()
    }

    fn grain(&self) -> usize {
        self.grain
    }
}

impl am::Answer for Open {
    fn bytes(&self) -> usize {
        self.result.bytes()
    }

    fn take(&mut self, from: usize, bytes: &[u8]) {
        self.result.unpack_at(from, bytes);
    }

    fn place(&mut self, from: usize, bytes: usize) -> Option<RegionMut> {
        self.result.region_mut(from, bytes)
    }
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
    use nemesis::wire::{kind, words};

    const WINDOW: u64 = 5;
    const AM_REQUEST: AmRequest =
        AmRequest { process: 1, context: WINDOW, key: 9, rank: 0, win: handle::Win::NULL };

    /// Makes the state of a process that has asked process 1 for something that brings a result, in
    /// window `WINDOW`.
    fn asked() -> Origin {
        let mut origin = Origin::new();
        let (verb, datatype) = (Verb::Get, TypeName::Predefined(0));
        let (context, key, rank, op, disp, count, bytes) = (WINDOW, 9, 0, 0, 0, 0, 0);
        let ask = Ask { context, key, rank, verb, op, disp, count, bytes, datatype };
        let (description, data) = (None, Data::Nothing);
        let asking = Asking { ask, description, data, grain: 1, request: None };
        origin.queue(&AM_REQUEST, asking, Some((Buffer::empty(), None)));
        origin
    }

    fn header(kind: u8, number: u64) -> Header {
        Header { kind, context: number, ..Header::default() }
    }

    fn refuse(origin: &mut Origin, from: u32, number: u64, window: u64) {
        let told = words([window, abi::MPI_ERR_RMA_RANGE.value() as u64]);
        let header = header(kind::AM_REFUSED, number);
        let ended = origin.take_answer(&Losses::new(), from, &header, told.as_bytes());
        assert!(ended.flatten().is_none());
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
            origin.take_answer(&losses, 1, &header(kind::AM_DONE, 7), &[]).is_none(),
            "request 7 does not exist"
        );
        losses.add(1, "it is gone".into());
        assert!(origin.lose(1, "it is gone").is_empty() && origin.errors.contains_key(&WINDOW));
        for kind in [kind::AM_DONE, kind::AM_RESULT, kind::AM_REFUSED] {
            let ended = origin.take_answer(&losses, 1, &header(kind, 1), &[0; 24]);
            assert!(ended.is_some_and(|ended| ended.is_none()));
        }
    }
}
