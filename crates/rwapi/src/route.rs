//! Where writes go, remembered: most go where the last one went.
//!
//! On one host a write is a copy into the other's block, and the small message behind it is a line of its own. The other's processor would fetch the message
//! first and then, one transfer later, the bytes. So a message tells of the write before it, and who receives it asks, while it waits for the next message,
//! for the lines that were written last: if they are written again they come beside the message, not behind it. Nothing hangs on that but time.

use crate::{Failure, lies_in};
use nemesis::directory::Reader;
use nemesis::wire::Header;
use nemesis::{Block, Memory, Shared, Span, SpanLines};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Blocks of others that are kept mapped; beyond that they are mapped anew.
const MAPPED_MAX: usize = 4096;
/// Bytes that are asked for while the next message is waited for: longer writes are fetched by the processor itself, line after line.
const WATCHED_MAX: usize = 512;

/// A block, and the network address at which it begins.
struct Place {
    span: Span,
    net: u64,
}

impl Place {
    fn new(shared: Arc<Shared>, net: u64, bytes: usize) -> Place {
        Place { span: Span::of_shared(shared).first(bytes), net }
    }

    /// How far into the block a network address is, which may lie outside.
    #[inline(always)]
    fn offset(&self, net: u64) -> usize {
        net.wrapping_sub(self.net) as usize
    }
}

/// From where to where the last write to a node went.
struct Route {
    from: Place,
    to: Place,
}

/// What is copied where, and by whomever.
pub struct Copying {
    pub from: Span,
    pub start: usize,
    pub to: Span,
    pub offset: usize,
}

impl Copying {
    /// Whether both sides have so many bytes.
    pub fn fits(&self, bytes: usize) -> bool {
        self.from.has(self.start, bytes) && self.to.has(self.offset, bytes)
    }

    /// Copies some of the bytes, of which all fit.
    pub fn copy(&self, part: &Range<u64>) {
        let (at, bytes) = (part.start as usize, (part.end - part.start) as usize);
        self.from.copy(self.start + at, &self.to, self.offset + at, bytes);
    }
}

/// What is remembered of a node to which we write.
#[derive(Default)]
struct Known {
    reader: Option<Reader>,
    route: Option<Route>,
    /// From where its last long write came.
    source: Option<Place>,
    /// The last write of which no message has told.
    untold: Option<(u64, usize)>,
}

/// The ways to the nodes of this host.
pub struct Routes {
    nodes: Vec<Known>,
    /// Blocks of others, by node and range.
    mapped: HashMap<(u32, u64, usize), Arc<Shared>>,
}

impl Routes {
    pub fn new(nodes: usize) -> Routes {
        Routes { nodes: (0..nodes).map(|_| Known::default()).collect(), mapped: HashMap::new() }
    }

    /// Writes as the last write to the node did, if it can; false when nothing has happened.
    #[inline(always)]
    pub fn write(&mut self, node: u32, local: u64, remote: u64, bytes: usize) -> bool {
        let Known { reader: Some(reader), route: Some(Route { from, to }), untold, .. } =
            &mut self.nodes[node as usize]
        else {
            return false;
        };
        if !reader.is_current()
            || !from.span.copy(from.offset(local), &to.span, to.offset(remote), bytes)
        {
            return false;
        }
        *untold = Some((remote, bytes));
        true
    }

    /// Whether a node's blocks are those that were there when a way to it was looked for.
    pub fn is_current(&self, node: u32) -> bool {
        self.nodes[node as usize].reader.as_ref().is_some_and(Reader::is_current)
    }

    /// As [`write`](Self::write), of a write that is made piece by piece: what is copied where.
    pub fn copying(&self, node: u32, local: u64, remote: u64, bytes: usize) -> Option<Copying> {
        let Known { reader: Some(reader), route: Some(Route { from, to }), .. } =
            &self.nodes[node as usize]
        else {
            return None;
        };
        let copying = Copying {
            from: from.span.clone(),
            start: from.offset(local),
            to: to.span.clone(),
            offset: to.offset(remote),
        };
        (reader.is_current() && copying.fits(bytes)).then_some(copying)
    }

    /// Where bytes of a node of this host lie, if they are in a block of it.
    pub fn source(
        &mut self,
        memory: &Memory,
        node: u32,
        net: u64,
        bytes: usize,
    ) -> Option<(Span, usize)> {
        let (start, length) = self.nodes[node as usize].reader.as_mut()?.find(net, bytes)?;
        let last = self.nodes[node as usize]
            .source
            .as_ref()
            .filter(|last| last.net == start && last.span.bytes() == length);
        if let Some(last) = last {
            return Some((last.span.clone(), (net - start) as usize));
        }
        let place = Place::new(self.map(memory, node, start, length).ok()?, start, length);
        let span = place.span.clone();
        self.nodes[node as usize].source = Some(place);
        Some((span, (net - start) as usize))
    }

    fn map(
        &mut self,
        memory: &Memory,
        node: u32,
        net: u64,
        length: usize,
    ) -> Result<Arc<Shared>, Failure> {
        if let Some(shared) = self.mapped.get(&(node, net, length)) {
            return Ok(shared.clone());
        }
        if self.mapped.len() == MAPPED_MAX {
            self.mapped.clear();
        }
        let shared = memory
            .map(node, net, length)
            .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        self.mapped.insert((node, net, length), shared.clone());
        Ok(shared)
    }

    /// Finds the way from a block of ours to the bytes of a node that a write names. `write` goes there then.
    #[cold]
    pub fn find(
        &mut self,
        memory: &Memory,
        node: u32,
        own: &Block,
        remote: u64,
        bytes: usize,
    ) -> Result<(), Failure> {
        let outside = || {
            Failure::Argument(format!(
                "{bytes} bytes at {remote:#x} do not lie in a block of node {node}"
            ))
        };
        let known = &mut self.nodes[node as usize];
        known.route = None;
        let reader = known.reader.as_mut().ok_or_else(outside)?;
        let (net, length) = reader.find(remote, bytes).ok_or_else(outside)?;
        let shared = self.map(memory, node, net, length)?;
        let from = Place::new(own.shared.clone(), own.offset, own.bytes);
        self.nodes[node as usize].route = Some(Route { from, to: Place::new(shared, net, length) });
        Ok(())
    }

    /// A node tells where its directory is.
    pub fn meet(&mut self, memory: &Memory, node: u32, directory: u64) -> Result<(), Failure> {
        let known = &mut self.nodes[node as usize];
        if known.reader.is_none() {
            known.reader = Some(
                Reader::new(memory, node, directory)
                    .map_err(|refusal| Failure::Memory(refusal.to_string()))?,
            );
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
        if let Some((net, bytes)) =
            self.nodes[node as usize].untold.take().filter(|&(_, bytes)| bytes <= WATCHED_MAX)
        {
            header.context = net;
            header.tag = bytes as i32;
        }
    }
}

/// Where the next write is likely to come: as far from the last one that a message told of as that one was from the one before.
#[derive(Default)]
pub struct Watched {
    place: Option<Place>,
    /// Where in the block the last one came.
    last: usize,
    /// Where the next may come.
    lines: SpanLines,
}

impl Watched {
    /// A message has come: it tells of a write, or of none.
    #[inline(always)]
    pub fn learn<'a>(&mut self, header: &Header, blocks: impl Iterator<Item = &'a Block>) {
        let bytes = (header.tag as usize).min(WATCHED_MAX);
        if bytes == 0 {
            self.lines = SpanLines::default();
            return;
        }
        let Some(place) =
            self.place.as_ref().filter(|place| place.offset(header.context) < place.span.bytes())
        else {
            return self.look_up(header.context, bytes, blocks);
        };
        let offset = place.offset(header.context);
        self.lines = place.span.lines(offset.wrapping_add(offset.wrapping_sub(self.last)), bytes);
        self.last = offset;
        self.lines.prefetch();
    }

    #[cold]
    fn look_up<'a>(&mut self, net: u64, bytes: usize, mut blocks: impl Iterator<Item = &'a Block>) {
        let block = blocks.find(|block| lies_in(net, bytes, block.offset, block.bytes));
        self.place = block.map(|block| Place::new(block.shared.clone(), block.offset, block.bytes));
        self.last = self.place.as_ref().map_or(0, |place| (net - place.net) as usize);
        self.lines = self
            .place
            .as_ref()
            .map_or(SpanLines::default(), |place| place.span.lines(self.last, bytes));
    }

    /// The lines in which it would lie.
    #[inline(always)]
    pub fn lines(&self) -> SpanLines {
        self.lines
    }
}
