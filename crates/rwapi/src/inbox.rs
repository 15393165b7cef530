//! What arrives at a node: small messages, and writes from other hosts, which this process carries
//! out on its own blocks.
//!
//! ```text
//!   WRITE        header: number, network address; the bytes are copied into the block
//!   WRITE_BULK   header: number, network address; the bulk payload is received in the block
//! ```
//!
//! A small message in front of the bytes, or of the bulk payload, was sent behind the write, and is
//! received after the write is done. A packet that is too short for the message that it announces
//! is refused, and no message is taken from it.
//!
//! A block that is freed while a bulk payload arrives in it returns to the heap when the bulk
//! payload has ended.

use crate::cooperative::Join;
use crate::{
    Failure, GOODBYE, HAS_MESSAGE, HELLO, JOIN, REFUSED, SMALL, Small, WRITE, WRITE_BULK, lies_in,
};
use nemesis::wire::{Header, word};
use nemesis::{Block, Packet, RegionMut, Sink, Span, Token};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Most refused writes that are remembered.
const REFUSED_MAX: usize = 1024;
/// Consecutive packets from one node after which the next is expected from it.
const RUN_PACKETS: u32 = 8;

/// A bulk payload that is arriving: the network addresses that it fills.
#[derive(Debug, Clone, Copy)]
struct Arriving {
    net: u64,
    bytes: usize,
}

/// Everything that has arrived, and the blocks into which other nodes write.
#[derive(Debug, Default)]
pub struct Inbox {
    /// Small messages that have not been received, with their senders.
    pub small: VecDeque<(u32, Small)>,
    /// By node: the offset of its directory.
    pub directories: Vec<Option<u64>>,
    /// Number of nodes that have left.
    pub goodbyes: usize,
    /// Blocks of this node, by address.
    pub blocks: BTreeMap<usize, Block>,
    /// Blocks that were freed while a bulk payload was arriving in them.
    retired: Vec<Block>,
    /// Bulk payloads that are arriving, by node. A node sends one at a time.
    arriving: BTreeMap<u32, Arriving>,
    /// Refusals to be sent: node, and number of its write.
    pub refusals_to_send: VecDeque<(u32, u64)>,
    /// Number of writes that this node has refused.
    refusals: u64,
    /// Long writes on the host into blocks of this node, with which it may help.
    pub joins: VecDeque<Join>,
    /// Writes of this node that other nodes have refused: number and node.
    pub refused: VecDeque<(u64, u32)>,
    /// Bulk payloads under way, by token: the node, and the number of the write.
    pub under_way: HashMap<Token, (u32, u64)>,
    /// Writes whose bytes have not all left, by number: the node.
    pub abandoned: HashMap<u64, u32>,
    /// Nodes that have become unreachable, and why.
    pub lost: BTreeMap<u32, String>,
    /// Sender of the last packet.
    last: u32,
    /// Number of consecutive packets from `last` before that.
    run: u32,
    verbose: bool,
}

impl Inbox {
    pub fn new(nodes: usize, verbose: bool) -> Inbox {
        Inbox { directories: vec![None; nodes], verbose, ..Inbox::default() }
    }

    /// Returns an error if the node is lost.
    pub fn check(&self, node: u32) -> Result<(), Failure> {
        match self.lost.get(&node) {
            Some(why) => {
                Err(Failure::Lost(format!("node {node} cannot be reached any more: {why}")))
            }
            None => Ok(()),
        }
    }

    /// Returns an error if any node is lost.
    pub fn check_all(&self) -> Result<(), Failure> {
        self.lost.keys().try_for_each(|&node| self.check(node))
    }

    /// Returns the block of this node that contains these bytes.
    pub fn block(&self, net: u64, bytes: usize) -> Option<&Block> {
        self.blocks.values().find(|block| lies_in(net, bytes, block.offset, block.bytes))
    }

    /// Returns the node from which the next packet is likely to come.
    pub fn expected(&self) -> Option<u32> {
        (self.run >= RUN_PACKETS).then_some(self.last)
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

    fn take_write(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let (number, net) = (number_of(header), header.context);
        let Some((small, bytes)) = split_message(header, payload) else {
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

    /// Handles the end of a bulk payload.
    fn end_bulk(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let small = split_message(header, payload);
        if self.arriving.remove(&origin).is_none() || small.is_none() {
            self.refuse(origin, number_of(header), header.context);
        }
        self.small.extend(small.and_then(|(small, _)| small).map(|small| (origin, small)));
    }

    #[cold]
    fn refuse(&mut self, origin: u32, number: u64, net: u64) {
        self.refusals += 1;
        if self.verbose {
            nemesis_sys::message::tell(format_args!(
                "nemesis: a write of node {origin} is refused: no block contains the bytes at \
                 {net:#x} ({} so far)",
                self.refusals
            ));
        }
        if self.refusals_to_send.back() != Some(&(origin, number)) {
            self.refusals_to_send.push_back((origin, number));
        }
    }
}

/// Returns the number of a write.
fn number_of(header: &Header) -> u64 {
    u64::from(header.tag as u32) << 32 | u64::from(header.rank)
}

/// Splits a payload into the small message behind the write, if any, and the bytes. Returns `None`
/// if the payload lacks what the header announces.
fn split_message<'a>(header: &Header, payload: &'a [u8]) -> Option<(Option<Small>, &'a [u8])> {
    if header.flags & HAS_MESSAGE == 0 {
        return Some((None, payload));
    }
    let (small, bytes) = payload.split_first_chunk()?;
    Some((Some(*small), bytes))
}

impl Sink for Inbox {
    fn packet(&mut self, packet: Packet<'_>) {
        let Packet { origin, header, payload } = packet;
        self.run = if origin == self.last { self.run.saturating_add(1) } else { 0 };
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
            WRITE_BULK => self.end_bulk(origin, &header, payload),
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
            .filter(|_| header.kind == WRITE_BULK && !self.arriving.contains_key(&origin))?;
        let place = RegionMut::of_span(
            &Span::of_shared(block.shared.clone()),
            (net - block.offset) as usize,
            bytes,
        )?;
        self.arriving.insert(origin, Arriving { net, bytes });
        Some(place)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), nemesis::Failure>) {
        if let (Some((node, number)), Err(_)) = (self.under_way.remove(&token), outcome) {
            self.abandoned.insert(number, node);
        }
    }

    fn lost(&mut self, process: u32, failure: &nemesis::Failure) {
        self.lost.entry(process).or_insert_with(|| failure.why.clone());
        self.arriving.remove(&process);
        let Inbox { under_way, abandoned, .. } = self;
        abandoned.extend(
            under_way
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
    fn all_lost_nodes_are_known() {
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
    fn bulk_payloads_under_way_to_a_lost_node_are_abandoned() {
        let mut inbox = Inbox {
            under_way: HashMap::from([(1, (4, 10)), (2, (5, 11)), (3, (5, 12))]),
            ..Inbox::default()
        };
        let failure = nemesis::Failure::new(Fault::Lost, "the cable");
        inbox.completed(3, Err(failure.clone()));
        inbox.completed(1, Ok(()));
        inbox.lost(5, &failure);
        assert!(inbox.under_way.is_empty() && inbox.abandoned == HashMap::from([(11, 5), (12, 5)]));
    }
}
