//! What arrives at a node, and the writes that leave it for other hosts.

use crate::blocks::Blocks;
use crate::cooperative::Join;
use crate::outbox::{NoResult, Write};
use crate::{Failure, GOODBYE, HELLO, JOIN, SMALL};
use nemesis::wire::{Header, kind, word};
use nemesis::{Block, Endpoint, Packet, RegionMut, Sink, Token, am};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Most refused writes that are remembered.
const REFUSED_MAX: usize = 1024;
/// Consecutive packets from one node after which the next is expected from it.
const RUN_PACKETS: u32 = 8;

/// Everything that has arrived, and what waits to leave.
pub struct Inbox {
    /// The blocks into which other nodes write, and small messages.
    pub blocks: Blocks,
    /// Writes of other hosts.
    pub requests: am::Target<Blocks>,
    /// Writes to other hosts, and packets, that have not left.
    pub writes: am::Origin<Write, NoResult>,
    /// By node: the offset of its directory.
    pub directories: Vec<Option<u64>>,
    /// Number of nodes that have left.
    pub goodbyes: usize,
    /// Long writes on the host into blocks of this node, with which it may help.
    pub joins: VecDeque<Join>,
    /// Writes of this node that other nodes have refused: number and node.
    pub refused: VecDeque<(u64, u32)>,
    /// Writes whose bytes have not all left, by number: the node.
    pub abandoned: HashMap<u64, u32>,
    /// Nodes that have become unreachable, and why.
    pub lost: BTreeMap<u32, String>,
    /// Sender of the last packet.
    last: u32,
    /// Number of consecutive packets from `last` before that.
    run: u32,
}

impl Inbox {
    pub fn new(nodes: usize, verbose: bool) -> Inbox {
        Inbox {
            blocks: Blocks::new(verbose),
            requests: am::Target::new(0),
            writes: am::Origin::new(1),
            directories: vec![None; nodes],
            goodbyes: 0,
            joins: VecDeque::new(),
            refused: VecDeque::new(),
            abandoned: HashMap::new(),
            lost: BTreeMap::new(),
            last: 0,
            run: 0,
        }
    }

    /// Sends what waits, as far as the endpoint accepts it.
    pub fn send(&mut self, endpoint: &mut Endpoint, packing: &mut Vec<u8>) {
        let Inbox { blocks, requests, writes, abandoned, .. } = self;
        writes.send(endpoint, packing, am::Limits::NONE, |left| note(abandoned, &left));
        if requests.is_busy() {
            requests.send(blocks, endpoint, packing, am::Limits::NONE);
        }
    }

    /// Returns whether a write has not left.
    pub fn is_leaving(&self, number: u64) -> bool {
        self.writes.unsent().any(|write| write.number == number)
    }

    /// Returns the block of this node that contains these bytes.
    pub fn block(&self, net: u64, bytes: usize) -> Option<&Block> {
        self.blocks.find(net, bytes)
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

    /// Returns the node from which the next packet is likely to come.
    pub fn expected(&self) -> Option<u32> {
        (self.run >= RUN_PACKETS).then_some(self.last)
    }
}

/// Remembers a write that the network has not sent.
fn note(abandoned: &mut HashMap<u64, u32>, (node, _, write, outcome): &am::Left<Write>) {
    if outcome.is_err() {
        abandoned.insert(write.number, *node);
    }
}

impl Sink for Inbox {
    fn packet(&mut self, packet: Packet<'_>) {
        let Packet { origin, header, payload } = packet;
        self.run = if origin == self.last { self.run.saturating_add(1) } else { 0 };
        self.last = origin;
        match header.kind {
            SMALL => {
                if let Ok(small) = payload.try_into() {
                    self.blocks.small.push_back((origin, small));
                }
            }
            HELLO => self.directories[origin as usize] = word(payload, 0),
            GOODBYE => self.goodbyes += 1,
            JOIN => self.joins.extend(Join::read(origin, &header, payload)),
            kind::AM_REFUSED => {
                if self.refused.len() == REFUSED_MAX {
                    self.refused.pop_front();
                }
                self.refused.extend(word(payload, 0).map(|number| (number, origin)));
            }
            _ => _ = self.requests.take(&mut self.blocks, origin, &header, payload),
        }
    }

    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.requests.place(&mut self.blocks, origin, header, payload, bytes)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), nemesis::Failure>) {
        if let Some(left) = self.writes.completed(token, outcome) {
            note(&mut self.abandoned, &left);
        }
    }

    fn lost(&mut self, process: u32, failure: &nemesis::Failure) {
        self.lost.entry(process).or_insert_with(|| failure.why.clone());
        self.blocks.lose(process);
        self.requests.lose(process);
        let lost = self.writes.lose(process);
        let writes = lost.into_iter().flat_map(|lost| lost.asks);
        self.abandoned.extend(writes.map(|write| (write.number, process)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::Fault;

    #[test]
    fn all_lost_nodes_are_known() {
        let mut inbox = Inbox::new(3, false);
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
}
