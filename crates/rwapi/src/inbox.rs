//! What arrives at a node: small messages, and writes from other hosts, which this process carries out on its own blocks.
//!
//! ```text
//!   WRITE        the header has number and network address; bytes ──> copied into the block
//!   WRITE_BODY   the same; the bulk payload is received where it belongs
//! ```
//!
//! A small message that stands in front of the bytes, or of the bulk payload, was sent behind the write, and is taken
//! in when that is done. What is too short for the
//! message that it announces is refused, and no message is taken from it.
//!
//! A block that is freed while a bulk payload comes into it is given back to the heap when that has ended.

use crate::cooperative::Join;
use crate::{
    Failure, GOODBYE, HELLO, JOIN, REFUSED, SMALL, Small, TELLS, WRITE, WRITE_BODY, lies_in,
};
use nemesis::wire::{Header, word};
use nemesis::{Block, Packet, RegionMut, Sink, Span, Token};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Refused writes that are remembered.
const REFUSED_MAX: usize = 1024;
/// Packets in a row from one node, after which the next is expected from it.
const ROW: u32 = 8;

/// A bulk payload that is coming: the network addresses that it fills.
#[derive(Debug, Clone, Copy)]
struct Coming {
    net: u64,
    bytes: usize,
}

#[derive(Debug, Default)]
pub struct Inbox {
    pub small: VecDeque<(u32, Small)>,
    /// By node: where its directory is.
    pub directories: Vec<Option<u64>>,
    pub goodbyes: usize,
    /// Our own, by address: others' writes go there.
    pub blocks: BTreeMap<usize, Block>,
    /// Freed while a bulk payload was coming into them.
    retired: Vec<Block>,
    /// By node: one bulk payload at a time comes from each.
    coming: BTreeMap<u32, Coming>,
    /// Writes of others that go nowhere, by node and number, of which they must hear.
    pub unwelcome: VecDeque<(u32, u64)>,
    /// How many there have been.
    refusals: u64,
    /// Long writes of neighbours into our blocks with which we may help.
    pub joins: VecDeque<Join>,
    /// Writes of ours that others have refused.
    pub refused: VecDeque<(u64, u32)>,
    /// Bulk payloads of our writes that are leaving, by token: the node, the write's number.
    pub leaving: HashMap<Token, (u32, u64)>,
    /// Writes that the network did not carry as a whole, as those that had not left when their node was lost; by number, the node.
    pub abandoned: HashMap<u64, u32>,
    /// Nodes that cannot be reached any more, and why.
    pub lost: BTreeMap<u32, String>,
    /// Who sent the last packet, and how many before it in a row.
    last: u32,
    row: u32,
    verbose: bool,
}

impl Inbox {
    pub fn new(nodes: usize, verbose: bool) -> Inbox {
        Inbox { directories: vec![None; nodes], verbose, ..Inbox::default() }
    }

    /// An error if a node is lost.
    pub fn check(&self, node: u32) -> Result<(), Failure> {
        match self.lost.get(&node) {
            Some(why) => {
                Err(Failure::Lost(format!("node {node} cannot be reached any more: {why}")))
            }
            None => Ok(()),
        }
    }

    /// An error if any node is.
    pub fn check_all(&self) -> Result<(), Failure> {
        self.lost.keys().try_for_each(|&node| self.check(node))
    }

    /// The block of ours that has these bytes.
    pub fn block(&self, net: u64, bytes: usize) -> Option<&Block> {
        self.blocks.values().find(|block| lies_in(net, bytes, block.offset, block.bytes))
    }

    /// The node from which the next packet is likely to come.
    pub fn expected(&self) -> Option<u32> {
        (self.row >= ROW).then_some(self.last)
    }

    /// Keeps a freed block while a bulk payload comes into it.
    pub fn retire(&mut self, block: Block) -> Option<Block> {
        if self.is_filled(&block) {
            self.retired.push(block);
            return None;
        }
        Some(block)
    }

    /// Whether a bulk payload is coming into it.
    fn is_filled(&self, block: &Block) -> bool {
        self.coming
            .values()
            .any(|coming| lies_in(coming.net, coming.bytes, block.offset, block.bytes))
    }

    /// A freed block into which nothing comes any more.
    pub fn take_retired(&mut self) -> Option<Block> {
        let index = self.retired.iter().position(|block| !self.is_filled(block))?;
        Some(self.retired.swap_remove(index))
    }

    fn take_write(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let (number, net) = (number_of(header), header.context);
        let Some((small, bytes)) = told(header, payload) else {
            return self.refuse(origin, number, net);
        };
        let written = self.block(net, bytes.len()).is_some_and(|block| {
            let start = (net - block.offset) as usize;
            Span::of_shared(block.shared.clone()).write(start, bytes)
        });
        if !written {
            self.refuse(origin, number, net);
        }
        self.small.extend(small.map(|small| (origin, small)));
    }

    /// A bulk payload is here, in its place if it was given one.
    fn end_bulk(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let small = told(header, payload);
        if self.coming.remove(&origin).is_none() || small.is_none() {
            self.refuse(origin, number_of(header), header.context);
        }
        self.small.extend(small.and_then(|(small, _)| small).map(|small| (origin, small)));
    }

    #[cold]
    fn refuse(&mut self, origin: u32, number: u64, net: u64) {
        self.refusals += 1;
        if self.verbose {
            eprintln!(
                "nemesis: a write of node {origin} is refused: the bytes at {net:#x} lie in no block ({} so far)",
                self.refusals
            );
        }
        if self.unwelcome.back() != Some(&(origin, number)) {
            self.unwelcome.push_back((origin, number));
        }
    }
}

/// The number of a write.
fn number_of(header: &Header) -> u64 {
    u64::from(header.tag as u32) << 32 | u64::from(header.rank)
}

/// The small message behind a write, and its bytes; `None` where the payload has not what the header announces.
fn told<'a>(header: &Header, payload: &'a [u8]) -> Option<(Option<Small>, &'a [u8])> {
    if header.flags & TELLS == 0 {
        return Some((None, payload));
    }
    let (small, bytes) = payload.split_first_chunk()?;
    Some((Some(*small), bytes))
}

impl Sink for Inbox {
    fn packet(&mut self, packet: Packet<'_>) {
        let Packet { origin, header, payload } = packet;
        self.row = if origin == self.last { self.row.saturating_add(1) } else { 0 };
        self.last = origin;
        match header.kind {
            SMALL => {
                if let Ok(small) = payload.try_into() {
                    self.small.push_back((origin, small));
                }
            }
            HELLO => self.directories[origin as usize] = word(payload, 0),
            GOODBYE => self.goodbyes += 1,
            JOIN => self.joins.extend(Join::read(origin, &header, payload)),
            WRITE => self.take_write(origin, &header, payload),
            WRITE_BODY => self.end_bulk(origin, &header, payload),
            REFUSED => {
                if self.refused.len() == REFUSED_MAX {
                    self.refused.pop_front();
                }
                self.refused.extend(word(payload, 0).map(|number| (number, origin)));
            }
            _ => {}
        }
    }

    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        _payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let net = header.context;
        let block = self
            .block(net, bytes)
            .filter(|_| header.kind == WRITE_BODY && !self.coming.contains_key(&origin))?;
        let place = RegionMut::of_span(
            &Span::of_shared(block.shared.clone()),
            (net - block.offset) as usize,
            bytes,
        )?;
        self.coming.insert(origin, Coming { net, bytes });
        Some(place)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), nemesis::Failure>) {
        if let (Some((node, number)), Err(_)) = (self.leaving.remove(&token), outcome) {
            self.abandoned.insert(number, node);
        }
    }

    fn lost(&mut self, process: u32, failure: &nemesis::Failure) {
        self.lost.entry(process).or_insert_with(|| failure.why.clone());
        self.coming.remove(&process);
        let Inbox { leaving, abandoned, .. } = self;
        abandoned.extend(
            leaving
                .extract_if(|_, (node, _)| *node == process)
                .map(|(_, (node, number))| (number, node)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::Fault;

    #[test]
    fn every_node_that_is_lost_is_known() {
        let mut inbox = Inbox::default();
        assert!(inbox.check_all().is_ok());
        for node in [2, 1, 2] {
            inbox.lost(node, &nemesis::Failure::new(Fault::Lost, format!("the cable of {node}")));
        }
        let why = |node| inbox.check(node).unwrap_err().to_string();
        assert!(
            why(1).contains("the cable of 1")
                && why(2).contains("the cable of 2")
                && inbox.check(0).is_ok()
                && inbox.check_all().is_err()
        );
    }

    #[test]
    fn what_was_leaving_for_a_lost_node_is_abandoned() {
        let mut inbox = Inbox {
            leaving: HashMap::from([(1, (4, 10)), (2, (5, 11)), (3, (5, 12))]),
            ..Inbox::default()
        };
        let failure = nemesis::Failure::new(Fault::Lost, "the cable");
        inbox.completed(3, Err(failure.clone()));
        inbox.completed(1, Ok(()));
        inbox.lost(5, &failure);
        assert!(inbox.leaving.is_empty() && inbox.abandoned == HashMap::from([(11, 5), (12, 5)]));
    }
}
