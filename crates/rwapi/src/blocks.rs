//! The blocks of this node, and writes from other hosts, which this process carries out on them.
//!
//! A small message in front of the bytes was sent behind the write, and is received after the write
//! is done, or refused.
//!
//! A block that is freed while a bulk payload arrives in it returns to the heap when the bulk
//! payload has ended.

use crate::outbox::{FRONT_BYTES, HAS_MESSAGE, NoResult};
use crate::{SMALL_BYTES, Small, lies_in};
use nemesis::am::Serve;
use nemesis::wire::{Header, word, words};
use nemesis::{Block, Region, RegionMut, Span};
use std::collections::{BTreeMap, VecDeque};

/// A bulk payload that is arriving: the network addresses that it fills.
#[derive(Debug, Clone, Copy)]
struct Arriving {
    net: u64,
    bytes: usize,
}

/// A write that is arriving.
#[derive(Debug)]
pub struct Incoming {
    number: u64,
    net: u64,
    /// Bytes of the stream before those of the write.
    front: usize,
    small: Small,
}

/// Why a write is refused.
#[derive(Debug)]
pub enum Refusal {
    /// No block contains the bytes.
    NoBlock,
    Malformed(&'static str),
}

/// Blocks into which other nodes write, and the small messages that have arrived.
#[derive(Debug, Default)]
pub struct Blocks {
    /// Small messages that have not been received, with their senders.
    pub small: VecDeque<(u32, Small)>,
    /// Blocks of this node, by address.
    pub known: BTreeMap<usize, Block>,
    /// Blocks that were freed while a bulk payload was arriving in them.
    retired: Vec<Block>,
    /// Bulk payloads that are arriving, by node. A node sends one at a time.
    arriving: BTreeMap<u32, Arriving>,
    /// Number of writes that this node has refused.
    pub refusals: u64,
    verbose: bool,
}

impl Blocks {
    pub fn new(verbose: bool) -> Blocks {
        Blocks { verbose, ..Blocks::default() }
    }

    /// Returns the block of this node that contains these bytes.
    pub fn find(&self, net: u64, bytes: usize) -> Option<&Block> {
        self.known.values().find(|block| lies_in(net, bytes, block.offset, block.bytes))
    }

    /// Keeps a freed block if a bulk payload is arriving in it; otherwise returns it.
    pub fn retire(&mut self, block: Block) -> Option<Block> {
        if self.is_filled(&block) {
            self.retired.push(block);
            return None;
        }
        Some(block)
    }

    /// Returns whether a bulk payload is arriving in the block.
    fn is_filled(&self, block: &Block) -> bool {
        self.arriving
            .values()
            .any(|arriving| lies_in(arriving.net, arriving.bytes, block.offset, block.bytes))
    }

    /// Returns a kept block in which no bulk payload is arriving any more.
    pub fn take_retired(&mut self) -> Option<Block> {
        let index = self.retired.iter().position(|block| !self.is_filled(block))?;
        Some(self.retired.swap_remove(index))
    }

    /// Handles the loss of a node.
    pub fn lose(&mut self, node: u32) {
        self.arriving.remove(&node);
    }

    /// Receives the small message of a write that has ended.
    fn end(&mut self, origin: u32, incoming: &Incoming) {
        if incoming.front > 0 {
            self.small.push_back((origin, incoming.small));
        }
    }
}

impl Serve for Blocks {
    const FRONT_BYTES: usize = FRONT_BYTES;
    type Request = Incoming;
    type Result = NoResult;
    type Refusal = Refusal;

    fn begin(
        &mut self,
        _origin: u32,
        header: &Header,
        _number: u64,
        front: &[u8],
    ) -> Result<(Incoming, usize), Refusal> {
        let (Some(number), Some(bytes)) = (word(front, 0), word(front, 1)) else {
            return Err(Refusal::Malformed("it is too short"));
        };
        let front = if header.flags & HAS_MESSAGE == 0 { 0 } else { SMALL_BYTES };
        let stream = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(front));
        let stream = stream.ok_or(Refusal::NoBlock)?;
        Ok((Incoming { number, net: header.context, front, small: [0; SMALL_BYTES] }, stream))
    }

    fn take(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        mut stream: &[u8],
        last: bool,
    ) -> Result<Option<(usize, NoResult)>, Refusal> {
        let front = incoming.front;
        if from < front {
            let part = stream.len().min(front - from);
            incoming.small[from..from + part].copy_from_slice(&stream[..part]);
            stream = &stream[part..];
        }
        if !stream.is_empty() {
            let net = incoming.net.checked_add((from.max(front) - front) as u64);
            let net = net.ok_or(Refusal::NoBlock)?;
            let block = self.find(net, stream.len()).ok_or(Refusal::NoBlock)?;
            let start = (net - block.offset) as usize;
            Span::of_shared(block.shared.clone()).write(start, stream);
        }
        if last {
            self.end(origin, incoming);
        }
        Ok(None)
    }

    fn place(
        &mut self,
        origin: u32,
        incoming: &mut Incoming,
        from: usize,
        bytes: usize,
    ) -> Option<RegionMut> {
        let net = incoming.net.checked_add(from.checked_sub(incoming.front)? as u64)?;
        let block = self.find(net, bytes)?;
        let span = Span::of_shared(block.shared.clone());
        let place = RegionMut::of_span(&span, (net - block.offset) as usize, bytes)?;
        self.arriving.insert(origin, Arriving { net, bytes });
        Some(place)
    }

    fn placed(&mut self, origin: u32, incoming: &mut Incoming, last: bool) {
        self.arriving.remove(&origin);
        if last {
            self.end(origin, incoming);
        }
    }

    fn read(
        &mut self,
        _to: u32,
        result: &NoResult,
        _from: usize,
        _space: &mut [u8],
    ) -> Result<(), Refusal> {
        match *result {}
    }

    fn region(&self, _to: u32, result: &NoResult, _from: usize, _bytes: usize) -> Option<Region> {
        match *result {}
    }

    fn malformed(&mut self, _header: &Header, why: &'static str) -> Refusal {
        Refusal::Malformed(why)
    }

    #[cold]
    fn refuse(&mut self, origin: u32, incoming: Option<&Incoming>, refusal: Refusal) -> Box<[u8]> {
        self.refusals += 1;
        self.arriving.remove(&origin);
        if self.verbose {
            let net = incoming.map_or(0, |incoming| incoming.net);
            let why = match refusal {
                Refusal::NoBlock => "no block contains the bytes",
                Refusal::Malformed(why) => why,
            };
            nemesis_sys::message::tell(format_args!(
                "nemesis: a write of node {origin} to {net:#x} is refused: {why} ({} so far)",
                self.refusals
            ));
        }
        if let Some(incoming) = incoming {
            self.end(origin, incoming);
        }
        // 0 is the number of no write.
        let number = incoming.map_or(0, |incoming| incoming.number);
        words([number]).as_bytes().into()
    }
}
