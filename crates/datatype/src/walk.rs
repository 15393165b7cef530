//! Walks: from a range of the packed stream to addresses in memory.
//!
//! A packed stream needs no state but its position: every node of a plan knows its size, so
//! division (repetitions) and binary search (lists) find any byte. A walk over `from..to` descends
//! to the first byte, visits whole nodes in a loop and ends inside the last node. Pack and unpack
//! can therefore stop and resume anywhere, also inside a basic element.
//!
//! ```text
//!               from                         to
//!                ▼                            ▼
//!   |■■■■|■■■■|■■■■|■■■■|■■■■|■■■■|■■■■|■■■■|■■■■|
//!               ╰┬─╯╰──── whole nodes ─────╯╰┬╯
//!               head                        tail
//! ```
//!
//! A walk only computes addresses; a [`Sink`] copies. By P2 (see `plan.rs`) every address that a
//! sink gets lies in the memory of the (address, count, type) that is walked. Addresses wrap,
//! because `MPI_BOTTOM` is 0 and displacements may be absolute.

use crate::plan::{Block, Kind, Part, Plan, continues};

/// Takes the addresses of a packed stream, in packed order.
pub(crate) trait Sink {
    /// Takes `len` bytes.
    fn run(&mut self, address: usize, len: usize);

    /// Takes `count` blocks of `block` bytes, `stride` bytes apart.
    fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize);

    /// Takes `count` copies of one list of blocks (`size` bytes in all), `stride` bytes apart: an
    /// array of structs.
    fn structs(
        &mut self,
        address: usize,
        blocks: &[Block],
        size: usize,
        stride: isize,
        count: usize,
    );
}

/// `count` copies of a plan, `stride` bytes apart: a buffer, or a `Repeat`.
#[derive(Clone, Copy)]
pub(crate) struct Copies<'a> {
    pub each: &'a Plan,
    pub count: usize,
    pub stride: isize,
}

/// The simplest form of a number of copies.
enum Shape<'a> {
    Run,
    Strided { at: isize, block: usize, stride: isize },
    General { each: &'a Plan, stride: isize },
}

impl<'a> Copies<'a> {
    /// Returns the one run that the copies form, as (displacement, length).
    #[inline]
    pub fn as_run(&self) -> Option<(isize, usize)> {
        match self.each.kind {
            Kind::Run if self.count == 1 || self.stride == self.each.size as isize => {
                Some((self.each.at, self.size()))
            }
            _ => None,
        }
    }

    /// Returns the packed bytes, at most `usize::MAX`.
    #[inline]
    pub fn size(&self) -> usize {
        self.each.size.saturating_mul(self.count)
    }

    fn shape(&self) -> Shape<'a> {
        let each = self.each;
        match each.kind {
            Kind::Run if self.count == 1 || self.stride == each.size as isize => Shape::Run,
            Kind::Run => Shape::Strided { at: each.at, block: each.size, stride: self.stride },
            Kind::Strided { count, stride, block }
                if self.count == 1 || continues(count, stride, self.stride) =>
            {
                Shape::Strided { at: each.at, block, stride }
            }
            _ => Shape::General { each, stride: self.stride },
        }
    }

    /// Gives the bytes `from..to` of the packed stream to the sink.
    pub fn visit(&self, base: usize, from: usize, to: usize, sink: &mut impl Sink) {
        if from >= to {
            return;
        }
        match self.shape() {
            Shape::Run => sink.run(offset(base, self.each.at).wrapping_add(from), to - from),
            Shape::Strided { at, block, stride } => {
                visit_strided(offset(base, at), block, stride, from, to, sink)
            }
            Shape::General { each, stride } => visit_general(each, stride, base, from, to, sink),
        }
    }

    /// Returns the address of byte `from` of the packed stream, and the number of bytes that follow
    /// it without a gap.
    pub fn locate(&self, base: usize, from: usize) -> (usize, usize) {
        match self.shape() {
            Shape::Run => (offset(base, self.each.at).wrapping_add(from), self.size() - from),
            Shape::Strided { at, block, stride } => {
                let (index, inside) = (from / block, from % block);
                (step(offset(base, at), stride, index).wrapping_add(inside), block - inside)
            }
            Shape::General { each, stride } => {
                each.locate(step(base, stride, from / each.size), from % each.size)
            }
        }
    }
}

/// Maximum length of a list whose copies are visited as an array of structs, field by field. With a
/// longer list the blocks of one copy would leave the cache before the next pass.
const STRUCT_BLOCKS_MAX: usize = 16;

/// Visits equal runs at equal stride.
fn visit_strided(
    base: usize,
    block: usize,
    stride: isize,
    from: usize,
    to: usize,
    sink: &mut impl Sink,
) {
    let (mut index, inside) = (from / block, from % block);
    let mut left = to - from;
    if inside > 0 {
        let len = left.min(block - inside);
        sink.run(step(base, stride, index).wrapping_add(inside), len);
        left -= len;
        index += 1;
    }
    let whole = left / block;
    if whole > 0 {
        sink.strided(step(base, stride, index), block, stride, whole);
    }
    let tail = left - whole * block;
    if tail > 0 {
        sink.run(step(base, stride, index + whole), tail);
    }
}

/// Visits copies of any plan.
fn visit_general(
    each: &Plan,
    stride: isize,
    base: usize,
    from: usize,
    to: usize,
    sink: &mut impl Sink,
) {
    let (mut index, inside) = (from / each.size, from % each.size);
    let mut left = to - from;
    if inside > 0 {
        let len = left.min(each.size - inside);
        each.visit(step(base, stride, index), inside, inside + len, sink);
        left -= len;
        index += 1;
    }
    let whole = left / each.size;
    each.visit_copies(step(base, stride, index), stride, whole, sink);
    let tail = left - whole * each.size;
    if tail > 0 {
        each.visit(step(base, stride, index + whole), 0, tail, sink);
    }
}

impl Plan {
    /// Gives the bytes `from..to` of one copy to the sink.
    fn visit(&self, base: usize, from: usize, to: usize, sink: &mut impl Sink) {
        let origin = offset(base, self.at);
        match &self.kind {
            Kind::Run => sink.run(origin.wrapping_add(from), to - from),
            Kind::Strided { stride, block, .. } => {
                visit_strided(origin, *block, *stride, from, to, sink)
            }
            Kind::Repeat { count, stride, each } => {
                Copies { each, count: *count, stride: *stride }.visit(origin, from, to, sink);
            }
            Kind::Blocks(blocks) => {
                for_each_part(
                    blocks,
                    |block| block.end,
                    from,
                    to,
                    |block, from, to, _| {
                        sink.run(offset(origin, block.at).wrapping_add(from), to - from);
                    },
                );
            }
            Kind::Sequence(parts) => {
                for_each_part(
                    parts,
                    |part| part.end,
                    from,
                    to,
                    |part, from, to, whole| {
                        let address = offset(origin, part.at);
                        if whole {
                            part.plan.visit_whole(address, sink);
                        } else {
                            part.plan.visit(address, from, to, sink);
                        }
                    },
                );
            }
        }
    }

    /// Gives one whole copy to the sink, without searches and remainders.
    fn visit_whole(&self, base: usize, sink: &mut impl Sink) {
        let origin = offset(base, self.at);
        match &self.kind {
            Kind::Run => sink.run(origin, self.size),
            &Kind::Strided { count, stride, block } => sink.strided(origin, block, stride, count),
            Kind::Repeat { count, stride, each } => {
                each.visit_copies(origin, *stride, *count, sink)
            }
            Kind::Blocks(blocks) => {
                let mut start = 0;
                for block in blocks.iter() {
                    sink.run(offset(origin, block.at), block.end - start);
                    start = block.end;
                }
            }
            Kind::Sequence(parts) => {
                for part in parts.iter() {
                    part.plan.visit_whole(offset(origin, part.at), sink);
                }
            }
        }
    }

    /// Gives `count` whole copies to the sink.
    fn visit_copies(&self, base: usize, stride: isize, count: usize, sink: &mut impl Sink) {
        match &self.kind {
            Kind::Blocks(blocks) if blocks.len() <= STRUCT_BLOCKS_MAX && count > 1 => {
                sink.structs(offset(base, self.at), blocks, self.size, stride, count);
            }
            _ => (0..count).for_each(|copy| self.visit_whole(step(base, stride, copy), sink)),
        }
    }

    /// Returns the address of byte `from` of one copy, and the number of bytes that follow it
    /// without a gap.
    fn locate(&self, base: usize, from: usize) -> (usize, usize) {
        let origin = offset(base, self.at);
        match &self.kind {
            Kind::Run => (origin.wrapping_add(from), self.size - from),
            Kind::Strided { stride, block, .. } => (
                step(origin, *stride, from / block).wrapping_add(from % block),
                block - from % block,
            ),
            Kind::Repeat { count, stride, each } => {
                Copies { each, count: *count, stride: *stride }.locate(origin, from)
            }
            Kind::Blocks(blocks) => {
                let index = blocks.partition_point(|block| block.end <= from);
                let Block { at, end } = blocks[index];
                let start = index.checked_sub(1).map_or(0, |before| blocks[before].end);
                (offset(origin, at).wrapping_add(from - start), end - from)
            }
            Kind::Sequence(parts) => {
                let index = parts.partition_point(|part| part.end <= from);
                let start = index.checked_sub(1).map_or(0, |before| parts[before].end);
                let Part { at, plan, .. } = &parts[index];
                plan.locate(offset(origin, *at), from - start)
            }
        }
    }
}

/// Visits the members of a list that overlap `from..to`, with the range inside each member and
/// whether it is the whole member.
fn for_each_part<T>(
    parts: &[T],
    end_of: impl Fn(&T) -> usize,
    from: usize,
    to: usize,
    mut visit: impl FnMut(&T, usize, usize, bool),
) {
    let first = if from == 0 { 0 } else { parts.partition_point(|part| end_of(part) <= from) };
    let mut start = first.checked_sub(1).map_or(0, |before| end_of(&parts[before]));
    for part in &parts[first..] {
        if start >= to {
            break;
        }
        let end = end_of(part);
        let (inner_from, inner_to) = (from.max(start) - start, to.min(end) - start);
        visit(part, inner_from, inner_to, inner_from == 0 && inner_to == end - start);
        start = end;
    }
}

#[inline]
fn offset(base: usize, by: isize) -> usize {
    base.wrapping_add_signed(by)
}

#[inline]
fn step(base: usize, stride: isize, count: usize) -> usize {
    base.wrapping_add_signed(stride.wrapping_mul(count as isize))
}
