//! Routes: where the last write to each node went, because most writes go to the same block.
//!
//! On a host, a write is a copy into the other's block, and the small message behind it is a line
//! of its own. The other processor would fetch the message first and the bytes one transfer later.
//! A message therefore names the write before it. While the receiver waits for the next message, it
//! prefetches the lines that are likely to be written next, so that they arrive beside the message
//! instead of behind it. A wrong prediction costs only time.

use crate::{Failure, lies_in};
use nemesis::directory::Reader;
use nemesis::wire::Header;
use nemesis::{Block, Memory, Shared, Span, SpanLines};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Most blocks of other nodes that stay mapped. Beyond that, all are mapped anew when needed.
const MAPPED_MAX: usize = 4096;
/// Longest write, in bytes, whose lines are prefetched. The processor's own prefetcher fetches the
/// lines of longer writes.
const PREDICTED_MAX_BYTES: usize = 512;

/// A block, and its network address.
struct BlockSpan {
    span: Span,
    net: u64,
}

impl BlockSpan {
    fn new(shared: Arc<Shared>, net: u64, bytes: usize) -> BlockSpan {
        BlockSpan { span: Span::of_shared(shared).first(bytes), net }
    }

    /// Returns the offset of a network address in the block, which may lie outside.
    #[inline(always)]
    fn offset(&self, net: u64) -> usize {
        net.wrapping_sub(self.net) as usize
    }
}

/// The blocks of the last write to a node.
struct Route {
    from: BlockSpan,
    to: BlockSpan,
}

/// Source and destination of a copy that two processes may make.
pub struct Copying {
    /// The block with the source.
    pub from: Span,
    /// Offset of the source in its block.
    pub start: usize,
    /// The block with the destination.
    pub to: Span,
    /// Offset of the destination in its block.
    pub offset: usize,
}

impl Copying {
    /// Returns whether both blocks contain `bytes` bytes from their offsets on.
    pub fn fits(&self, bytes: usize) -> bool {
        self.from.has(self.start, bytes) && self.to.has(self.offset, bytes)
    }

    /// Copies a part of the bytes. Both blocks must contain it.
    pub fn copy(&self, part: &Range<u64>) {
        let (at, bytes) = (part.start as usize, (part.end - part.start) as usize);
        self.from.copy(self.start + at, &self.to, self.offset + at, bytes);
    }
}

/// What this node knows of a node to which it writes.
#[derive(Default)]
struct NodeState {
    reader: Option<Reader>,
    route: Option<Route>,
    /// The block from which the node's last long write came.
    source: Option<BlockSpan>,
    /// The last write that no message has announced: network address and length.
    unannounced: Option<(u64, usize)>,
}

/// Routes to the nodes of this host.
pub struct Routes {
    nodes: Vec<NodeState>,
    /// Mapped blocks, by node, network address and length.
    mapped: HashMap<(u32, u64, usize), Arc<Shared>>,
}

impl Routes {
    pub fn new(nodes: usize) -> Routes {
        Routes { nodes: (0..nodes).map(|_| NodeState::default()).collect(), mapped: HashMap::new() }
    }

    /// Writes between the blocks of the last write to the node. Returns false, without effect, if
    /// that is not possible.
    #[inline(always)]
    pub fn write(&mut self, node: u32, local: u64, remote: u64, bytes: usize) -> bool {
        let NodeState {
            reader: Some(reader), route: Some(Route { from, to }), unannounced, ..
        } = &mut self.nodes[node as usize]
        else {
            return false;
        };
        if !reader.is_current()
            || !from.span.copy(from.offset(local), &to.span, to.offset(remote), bytes)
        {
            return false;
        }
        *unannounced = Some((remote, bytes));
        true
    }

    /// Returns whether the node's directory has not changed since the route was found.
    pub fn is_current(&self, node: u32) -> bool {
        self.nodes[node as usize].reader.as_ref().is_some_and(Reader::is_current)
    }

    /// Returns source and destination of a write between the blocks of the last write to the node,
    /// for a write that is made in parts.
    pub fn copying(&self, node: u32, local: u64, remote: u64, bytes: usize) -> Option<Copying> {
        let NodeState { reader: Some(reader), route: Some(Route { from, to }), .. } =
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

    /// Returns the block of a node of this host that contains the bytes, and their offset in it.
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
        let place = BlockSpan::new(self.map(memory, node, start, length).ok()?, start, length);
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

    /// Finds the route from a block of this node to the bytes of a node that a write names.
    /// [`write`](Self::write) uses it from then on.
    ///
    /// # Errors
    ///
    /// No block of the node contains the bytes, or the block cannot be mapped.
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
        let from = BlockSpan::new(own.shared.clone(), own.offset, own.bytes);
        self.nodes[node as usize].route =
            Some(Route { from, to: BlockSpan::new(shared, net, length) });
        Ok(())
    }

    /// Opens the directory of a node, at the offset that the node has sent.
    pub fn open_directory(
        &mut self,
        memory: &Memory,
        node: u32,
        directory: u64,
    ) -> Result<(), Failure> {
        let known = &mut self.nodes[node as usize];
        if known.reader.is_none() {
            known.reader = Some(
                Reader::new(memory, node, directory)
                    .map_err(|refusal| Failure::Memory(refusal.to_string()))?,
            );
        }
        Ok(())
    }

    /// Removes the routes from a block of this node, because it is freed.
    pub fn forget(&mut self, net: u64) {
        for known in &mut self.nodes {
            known.route.take_if(|route| route.from.net == net);
        }
    }

    /// Puts the last write to the node into the header of the message behind it.
    #[inline(always)]
    pub fn announce_write(&mut self, node: u32, header: &mut Header) {
        if let Some((net, bytes)) = self.nodes[node as usize]
            .unannounced
            .take()
            .filter(|&(_, bytes)| bytes <= PREDICTED_MAX_BYTES)
        {
            header.context = net;
            header.tag = bytes as i32;
        }
    }
}

/// Predicts where the next write arrives: as far behind the last announced write as that was behind
/// the one before.
#[derive(Default)]
pub struct Predictor {
    place: Option<BlockSpan>,
    /// Offset of the last write in the block.
    last: usize,
    /// Lines into which the next write is predicted.
    lines: SpanLines,
}

impl Predictor {
    /// Learns from the header of a message, which announces a write or none.
    #[inline(always)]
    pub fn learn<'a>(&mut self, header: &Header, blocks: impl Iterator<Item = &'a Block>) {
        let bytes = (header.tag as usize).min(PREDICTED_MAX_BYTES);
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
        self.place =
            block.map(|block| BlockSpan::new(block.shared.clone(), block.offset, block.bytes));
        self.last = self.place.as_ref().map_or(0, |place| (net - place.net) as usize);
        self.lines = self
            .place
            .as_ref()
            .map_or(SpanLines::default(), |place| place.span.lines(self.last, bytes));
    }

    /// Returns the lines into which the next write is predicted.
    #[inline(always)]
    pub fn lines(&self) -> SpanLines {
        self.lines
    }
}
