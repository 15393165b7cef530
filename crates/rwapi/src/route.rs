//! Where writes go, remembered: most go where the last one went.
//!
//! On one host a write is a copy into the other's block, and the small message behind it is a line of its own. The other's processor would fetch the message
//! first and then, one transfer later, the bytes. So a message tells of the write before it, and who receives it asks, while it waits for the next message,
//! for the lines that were written last: if they are written again they come beside the message, not behind it. Nothing hangs on that but time.

use crate::{Failure, lies_in};
use nemesis::directory::Reader;
use nemesis::wire::Header;
use nemesis::{Block, Memory, Span};
use std::collections::HashMap;

/// Blocks of others that are kept mapped; beyond that they are mapped anew.
const MAPPED_MAX: usize = 4096;
/// Bytes that are asked for while the next message is waited for: longer writes are fetched by the processor itself, line after line.
const WATCHED_MAX: usize = 512;

/// A block and the network addresses that it has.
struct Place {
    span: Span,
    net: u64,
    bytes: usize,
}

impl Place {
    #[inline(always)]
    fn find(&self, net: u64, bytes: usize) -> Option<usize> {
        let offset = net.wrapping_sub(self.net);
        (offset <= self.bytes as u64 && bytes as u64 <= self.bytes as u64 - offset).then_some(offset as usize)
    }
}

/// From where to where the last write to a node went.
struct Route {
    from: Place,
    to: Place,
}

/// What is remembered of a node to which we write.
#[derive(Default)]
struct Known {
    reader: Option<Reader>,
    route: Option<Route>,
    /// The last write of which no message has told.
    untold: Option<(u64, usize)>,
}

/// The ways to the nodes of this host.
pub struct Routes {
    nodes: Vec<Known>,
    /// Blocks of others, by node and range.
    mapped: HashMap<(u32, u64, usize), Span>,
}

impl Routes {
    pub fn new(nodes: usize) -> Routes {
        Routes { nodes: (0..nodes).map(|_| Known::default()).collect(), mapped: HashMap::new() }
    }

    /// Writes as the last write to the node did, if it can; false when nothing has happened.
    #[inline(always)]
    pub fn write(&mut self, node: u32, local: u64, remote: u64, bytes: usize) -> bool {
        let Known { reader: Some(reader), route: Some(Route { from, to }), untold } = &mut self.nodes[node as usize] else { return false };
        let (Some(start), Some(offset)) = (from.find(local, bytes), to.find(remote, bytes)) else { return false };
        *untold = Some((remote, bytes));
        reader.is_current() && from.span.copy(start, &to.span, offset, bytes)
    }

    /// Finds the way from a block of ours to the bytes of a node that a write names. `write` goes there then.
    #[cold]
    pub fn find(&mut self, memory: &Memory, node: u32, own: &Block, remote: u64, bytes: usize) -> Result<(), Failure> {
        let outside = || Failure::Argument(format!("{bytes} bytes at {remote:#x} do not lie in a block of node {node}"));
        let known = &mut self.nodes[node as usize];
        known.route = None;
        let reader = known.reader.as_mut().ok_or_else(outside)?;
        let (net, length) = reader.find(remote, bytes).ok_or_else(outside)?;
        let span = match self.mapped.get(&(node, net, length)) {
            Some(span) => span.clone(),
            None => {
                if self.mapped.len() == MAPPED_MAX {
                    self.mapped.clear();
                }
                let span = Span::of_shared(memory.map(node, net, length).map_err(|refusal| Failure::Memory(refusal.to_string()))?);
                self.mapped.insert((node, net, length), span.clone());
                span
            }
        };
        let from = Place { span: Span::of_shared(own.shared.clone()), net: own.offset, bytes: own.bytes };
        known.route = Some(Route { from, to: Place { span, net, bytes: length } });
        Ok(())
    }

    /// A node tells where its directory is.
    pub fn meet(&mut self, memory: &Memory, node: u32, directory: u64) -> Result<(), Failure> {
        let known = &mut self.nodes[node as usize];
        if known.reader.is_none() {
            known.reader = Some(Reader::new(memory, node, directory).map_err(|refusal| Failure::Memory(refusal.to_string()))?);
        }
        Ok(())
    }

    /// A block of ours is freed: no route begins there.
    pub fn forget(&mut self, net: u64) {
        for known in &mut self.nodes {
            known.route.take_if(|route| route.from.net == net);
        }
    }

    /// Puts the last write to the node into the header of the message behind it.
    #[inline(always)]
    pub fn tell(&mut self, node: u32, header: &mut Header) {
        if let Some((net, bytes)) = self.nodes[node as usize].untold.take().filter(|&(_, bytes)| bytes <= WATCHED_MAX) {
            header.context = net;
            header.tag = bytes as i32;
        }
    }
}

/// Where the next write is likely to come: as far from the last one that a message told of as that one was from the one before.
#[derive(Default)]
pub struct Watched {
    place: Option<Place>,
    /// Where in the block the last one came, and where the next may come.
    last: usize,
    next: usize,
    bytes: usize,
}

impl Watched {
    /// A message has come: it tells of a write, or of none.
    #[inline(always)]
    pub fn learn<'a>(&mut self, header: &Header, blocks: impl Iterator<Item = &'a Block>) {
        self.bytes = (header.tag as usize).min(WATCHED_MAX);
        if self.bytes == 0 {
            return;
        }
        let Some(offset) = self.place.as_ref().and_then(|place| place.find(header.context, self.bytes)) else {
            return self.look_up(header.context, blocks);
        };
        self.next = offset.wrapping_add(offset.wrapping_sub(self.last));
        self.last = offset;
        self.expect();
    }

    #[cold]
    fn look_up<'a>(&mut self, net: u64, mut blocks: impl Iterator<Item = &'a Block>) {
        let block = blocks.find(|block| lies_in(net, self.bytes, block.offset, block.bytes));
        self.place = block.map(|block| Place { span: Span::of_shared(block.shared.clone()), net: block.offset, bytes: block.bytes });
        match &self.place {
            Some(place) => self.last = (net - place.net) as usize,
            None => self.bytes = 0,
        }
        self.next = self.last;
    }

    /// Asks for its lines.
    #[inline(always)]
    pub fn expect(&self) {
        if let (1.., Some(place)) = (self.bytes, &self.place) {
            place.span.expect(self.next, self.bytes);
        }
    }
}
