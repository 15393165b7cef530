//! Requests for registered memory: what an origin asks, and how a target serves it.
//!
//! ```text
//!   header: flags 0 put, 1 get      front: token │ address │ bytes      stream: the bytes of a put
//! ```

use super::Direction;
use crate::am::{Answer, Ask, Serve};
use crate::networks::Registrations;
use nemesis_netmod::{Region, RegionMut};
use nemesis_shm::span::Span;
use nemesis_wire::{Header, word, words};
use std::collections::BTreeMap;

/// Flag of a request that reads.
const GET: u8 = 1;
/// Bytes of the front.
const FRONT_BYTES: usize = 3 * 8;

/// Registered memory of this process.
#[derive(Debug)]
pub struct Own {
    pub token: u64,
    pub region: Span,
    pub registrations: Registrations,
}

/// A request of this process.
#[derive(Debug)]
pub struct Request {
    pub direction: Direction,
    token: u64,
    address: u64,
    local: Span,
}

impl Request {
    pub fn new(direction: Direction, token: u64, address: u64, local: Span) -> Request {
        Request { direction, token, address, local }
    }

    /// Returns where its result goes, if it has one.
    pub fn result(&self) -> Option<Local> {
        (self.direction == Direction::Get).then(|| Local {
            token: self.token,
            span: self.local.clone(),
            start: 0,
        })
    }
}

impl Ask for Request {
    fn header(&self) -> Header {
        let flags = if self.direction == Direction::Get { GET } else { 0 };
        Header { flags, ..Header::default() }
    }

    fn front(&self, into: &mut [u8]) -> usize {
        let front = words([self.token, self.address, self.local.bytes() as u64]);
        into[..FRONT_BYTES].copy_from_slice(front.as_bytes());
        FRONT_BYTES
    }

    fn bytes(&self) -> usize {
        if self.direction == Direction::Get { 0 } else { self.local.bytes() }
    }

    fn fill(&self, from: usize, space: &mut [u8]) -> usize {
        let part = space.len().min(self.bytes() - from);
        self.local.read(from, &mut space[..part]);
        part
    }

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        Region::of_span(&self.local, from, bytes)
    }
}

/// Memory of a result: at the origin where it goes, at the target where it is read.
#[derive(Debug)]
pub struct Local {
    /// The token of the memory at the target.
    pub token: u64,
    span: Span,
    start: usize,
}

impl Answer for Local {
    fn bytes(&self) -> usize {
        self.span.bytes()
    }

    fn take(&mut self, from: usize, bytes: &[u8]) {
        self.span.write(from, bytes);
    }

    fn place(&mut self, from: usize, bytes: usize) -> Option<RegionMut> {
        RegionMut::of_span(&self.span, from, bytes)
    }
}

/// A request of another process.
#[derive(Debug)]
pub struct Part {
    is_get: bool,
    token: u64,
    address: u64,
    bytes: usize,
}

/// The bytes of a request are not registered.
#[derive(Debug)]
pub struct NotRegistered;

/// What requests may access.
#[derive(Debug, Default)]
pub struct Served {
    pub own: Vec<Own>,
    /// Tokens of the memory in which bulk payloads are arriving, by their senders.
    pub arriving: BTreeMap<u32, u64>,
    /// Number of requests that were refused.
    pub refused: u64,
}

impl Served {
    /// Returns whether a bulk payload is arriving in the memory with this token.
    pub fn is_filled(&self, token: u64) -> bool {
        self.arriving.values().any(|&arriving| arriving == token)
    }

    /// Returns the registered region that contains bytes of a request, and their offset in it.
    fn find(
        &self,
        part: &Part,
        from: usize,
        bytes: usize,
    ) -> Result<(&Span, usize), NotRegistered> {
        let mut regions = self.own.iter().filter(|own| own.token == part.token);
        let found = regions.find_map(|Own { region, .. }| {
            let address = part.address.checked_add(from as u64)?;
            let offset = usize::try_from(address.checked_sub(region.address() as u64)?).ok()?;
            (offset.checked_add(bytes)? <= region.bytes()).then_some((region, offset))
        });
        found.ok_or(NotRegistered)
    }
}

impl Serve for Served {
    const FRONT_BYTES: usize = FRONT_BYTES;
    type Request = Part;
    type Result = Local;
    type Refusal = NotRegistered;

    fn begin(
        &mut self,
        _origin: u32,
        header: &Header,
        _number: u64,
        front: &[u8],
    ) -> Result<(Part, usize), NotRegistered> {
        let at = |index| word(front, index).ok_or(NotRegistered);
        let (token, address) = (at(0)?, at(1)?);
        let bytes = usize::try_from(at(2)?).map_err(|_| NotRegistered)?;
        let is_get = header.flags & GET != 0;
        Ok((Part { is_get, token, address, bytes }, if is_get { 0 } else { bytes }))
    }

    fn take(
        &mut self,
        _origin: u32,
        part: &mut Part,
        from: usize,
        bytes: &[u8],
        _last: bool,
    ) -> Result<Option<(usize, Local)>, NotRegistered> {
        if part.is_get {
            let (region, start) = self.find(part, 0, part.bytes)?;
            let result = Local { token: part.token, span: region.clone(), start };
            return Ok(Some((part.bytes, result)));
        }
        let (region, offset) = self.find(part, from, bytes.len())?;
        if region.write(offset, bytes) { Ok(None) } else { Err(NotRegistered) }
    }

    fn place(
        &mut self,
        origin: u32,
        part: &mut Part,
        from: usize,
        bytes: usize,
    ) -> Option<RegionMut> {
        let (region, offset) = self.find(part, from, bytes).ok()?;
        let place = RegionMut::of_span(region, offset, bytes)?;
        self.arriving.insert(origin, part.token);
        Some(place)
    }

    fn placed(&mut self, origin: u32, _part: &mut Part, _last: bool) {
        self.arriving.remove(&origin);
    }

    fn read(
        &mut self,
        _to: u32,
        result: &Local,
        from: usize,
        space: &mut [u8],
    ) -> Result<(), NotRegistered> {
        if result.span.read(result.start + from, space) { Ok(()) } else { Err(NotRegistered) }
    }

    fn region(&self, _to: u32, result: &Local, from: usize, bytes: usize) -> Option<Region> {
        Region::of_span(&result.span, result.start + from, bytes)
    }

    fn malformed(&mut self, _header: &Header, _why: &'static str) -> NotRegistered {
        NotRegistered
    }

    fn refuse(&mut self, origin: u32, _part: Option<&Part>, _why: NotRegistered) -> Box<[u8]> {
        self.refused += 1;
        self.arriving.remove(&origin);
        Box::default()
    }
}
