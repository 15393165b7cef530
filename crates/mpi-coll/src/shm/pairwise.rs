//! Exchanges and reductions of data that exceeds a staging buffer, in chunks through shared memory.
//!
//! ```text
//!   every member:  copies chunk 0 in, synchronises, copies or reduces its part; then chunk 1 …
//! ```
//!
//! If the kernel's copies are slow compared with those of a processor that finds data in a cache,
//! two of the latter take less time than one of the former. Each chunk is a call of the collective
//! segment and lies in its row's ring. The ring is longer than a processor's own caches: lines that
//! another processor has read have moved to the shared cache by the time they are written again.
//!
//! Each chunk announces the total length. All members see equal rows when they have synchronised on
//! the first chunk, so if the lengths do not agree, all return at one place.

use super::reduce_segments::overlap;
use super::{CopyPolicies, IN_CHUNKS, NodeComm, keep};
use crate::blocks::Shares;
use crate::blocks::uneven_for_itself;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::operator::SliceKernel;
use crate::site::Site;
use crate::{Blocks, scratch_bytes};
use nemesis::coll_segment::Phase;
use nemesis::copy_slice;
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis_datatype::{Buffer, copy};
use std::ops::Range;

/// Bytes that are reduced at a time: they stay in the first-level cache from one operand to the
/// next.
const BLOCK_BYTES: usize = 2 << 10;
/// Bytes of a run for which the processor's own prefetcher fetches lines ahead, more of them at
/// once than software prefetches would.
pub(super) const LONG_BLOCK_BYTES: usize = 8 << 10;

/// How the data of a call is cut into chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Bytes of a chunk in its ring.
    length: usize,
    /// Bytes of one member's part of a chunk.
    each: usize,
    lies: Lies,
}

/// Where chunks lie.
#[derive(Clone, Copy, Debug)]
enum Lies {
    /// In rings: for all, or for a root while the others proceed.
    InRings { rooted: bool },
    /// In the exchange buffers of two members.
    Exchanged,
    /// In the pair ring, through which the producer sends to the other of two members.
    PairRing { piece: usize, producer: u32 },
}

/// Where this process's contribution to a value lies.
#[derive(Clone, Copy)]
pub(super) enum Own<'a> {
    Apart(&'a [u8]),
    /// Where the value lies (`MPI_IN_PLACE`).
    Here,
}

impl<'a> Own<'a> {
    /// Returns the bytes of a contribution that belong to a value in `result`.
    pub(super) fn of(own: &'a Buffer, result: &Buffer, bytes: Range<usize>) -> Own<'a> {
        match own.as_bytes() {
            Some(whole) if own.address() != result.address() => Own::Apart(&whole[bytes]),
            _ => Own::Here,
        }
    }
}

impl Cut {
    /// Cuts data of `longest` bytes into chunks of at most `most` bytes, each with a part for each
    /// of `parts` members. Chunks have about equal length and consist of whole elements.
    pub(super) fn new(most: usize, parts: u32, element: usize, longest: usize) -> Cut {
        // Parts begin on cache lines.
        let (unit, parts) = (CACHE_LINE_BYTES.next_multiple_of(element), parts.max(1) as usize);
        let longest_part = (most / parts / unit * unit).max(unit);
        let pieces = longest.div_ceil(longest_part).max(1);
        let each = longest.div_ceil(pieces).next_multiple_of(unit);
        Cut { length: parts * each, each, lies: Lies::InRings { rooted: false } }
    }

    fn for_root(self) -> Cut {
        Cut { lies: Lies::InRings { rooted: true }, ..self }
    }

    /// Returns the cut with chunk number `piece` of what `producer`, one of two members, sends to
    /// the other.
    pub(super) fn passed(self, piece: usize, producer: u32) -> Cut {
        Cut { lies: Lies::PairRing { piece, producer }, ..self }
    }

    /// Returns the cut for data that each member has for all others.
    fn for_all(self, site: Site) -> Cut {
        if site.is_pair() { Cut { lies: Lies::Exchanged, ..self } } else { self }
    }

    /// Iterates over the chunks of `range`, as many as `longest` bytes have; the last ones may be
    /// empty.
    pub(super) fn pieces(
        self,
        range: &Range<usize>,
        longest: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let (begin, end, each) = (range.start, range.end, self.each);
        (0..longest)
            .step_by(each)
            .map(move |at| (begin + at).min(end)..(begin + at + each).min(end))
    }
}

impl NodeComm {
    /// Begins the next call, in which chunks are published in rings: with a root, or so that all
    /// synchronise.
    pub(super) fn begin_in_ring(&mut self, mpi: &mut Mpi, rooted: bool) {
        self.begin_as(mpi, |coll_segment| coll_segment.begin_in_ring(rooted));
    }

    /// Begins the next call, in which chunks are published as `cut` says.
    pub(super) fn begin_cut(&mut self, mpi: &mut Mpi, cut: Cut) {
        self.begin_as(mpi, |coll_segment| match cut.lies {
            Lies::InRings { rooted } => coll_segment.begin_in_ring(rooted),
            Lies::Exchanged => coll_segment.begin_exchange(),
            Lies::PairRing { piece, producer } => coll_segment.begin_in_pair_ring(piece, producer),
        });
    }

    /// Begins a call and publishes the next chunk of this process in its ring, exchange buffer or
    /// the pair ring. `fill` writes the chunk, which belongs to `whole` bytes and is copied from
    /// address `from`. Returns where the chunk begins.
    pub(super) fn post_piece(
        &mut self,
        mpi: &mut Mpi,
        cut: Cut,
        whole: usize,
        from: usize,
        fill: impl FnOnce(&mut CopyPolicies, &mut [u8]),
    ) -> usize {
        self.post_piece_of(mpi, cut, [whole, whole], from, fill)
    }

    /// Begins a call and publishes the next chunk of a block of `own` bytes, where the longest has
    /// `whole`.
    fn post_piece_of(
        &mut self,
        mpi: &mut Mpi,
        cut: Cut,
        [whole, own]: [usize; 2],
        from: usize,
        fill: impl FnOnce(&mut CopyPolicies, &mut [u8]),
    ) -> usize {
        self.begin_cut(mpi, cut);
        let begin = if let Lies::InRings { .. } = cut.lies {
            let (begin, place) = self.coll_segment.next_chunk(cut.length);
            fill(&mut self.copy_policies, place);
            begin
        } else {
            let (begin, place) = self.coll_segment.pair_chunk(from, cut.length);
            // Its lines are in the caches of the two processors, whichever of them reads next.
            fill(&mut CopyPolicies::default(), place);
            begin
        };
        self.tell_of_piece([whole, own], begin);
        begin
    }

    /// Publishes where a chunk of this process begins in its ring, exchange buffer or the pair
    /// ring.
    pub(super) fn tell_of_piece(&mut self, [whole, own]: [usize; 2], begin: usize) {
        let home = self.coll_segment.ring_of(self.me());
        self.coll_segment
            .set_words(Phase::A, &[IN_CHUNKS, whole as u64, begin as u64, own as u64, home.into()]);
    }

    /// Waits until all have published a chunk. All members see whether it belongs to `whole` bytes.
    pub(super) fn meet_pieces(&mut self, mpi: &mut Mpi, whole: usize) -> Outcome {
        self.synchronise(mpi, Phase::A);
        self.others().try_for_each(|row| self.shows_pieces(row, whole))
    }

    /// Waits until all have published a chunk of `whole` bytes, in a call with a root.
    fn meet_over(&mut self, mpi: &mut Mpi, whole: usize, root: u32) -> Outcome {
        self.meet_with_root(mpi, root);
        self.others().try_for_each(|row| self.shows_pieces(row, whole))
    }

    pub(super) fn shows_pieces(&self, row: u32, whole: usize) -> Outcome {
        self.check_row(row, Phase::A, row)?;
        let is_such = self.coll_segment.has_words(row, Phase::A)
            && self.coll_segment.word(row, Phase::A, 0) == IN_CHUNKS;
        if !is_such
            || self.coll_segment.word(row, Phase::A, 4) != u64::from(self.coll_segment.ring_of(row))
        {
            return Err(self.another_call(row));
        }
        let theirs = self.coll_segment.word(row, Phase::A, 1) as usize;
        if theirs == whole { Ok(()) } else { Err(self.uneven(row, theirs, whole)) }
    }

    /// Returns a part of the chunk that a row has published, possibly cut short.
    pub(super) fn part_of_piece(&self, row: u32, part: Range<usize>) -> &[u8] {
        let begin = (self.coll_segment.word(row, Phase::A, 2) as usize).saturating_add(part.start);
        self.coll_segment.chunk(row, begin, part.len())
    }

    /// Returns a part of the chunk that a row has published, or an error if it is not all in the
    /// row's ring: values that other processes write are checked.
    pub(super) fn whole_part_of_piece(&self, row: u32, part: Range<usize>) -> Outcome<&[u8]> {
        let bytes = part.len();
        let part = self.part_of_piece(row, part);
        if part.len() == bytes { Ok(part) } else { Err(self.another_call(row)) }
    }

    /// Reduces in `value` what rows have published; this process's own contribution is read in its
    /// own memory. Its published copy is not read: the lines would stay in its cache, which slows
    /// down the next write.
    fn combine_with_own(
        &self,
        kernel: &SliceKernel<'_>,
        rows: Range<u32>,
        begin: usize,
        own: Own<'_>,
        value: &mut [u8],
    ) -> Outcome {
        match self.oversubscribed && !self.long_packets {
            true => {
                self.combine_in_blocks::<LONG_BLOCK_BYTES, false>(kernel, rows, begin, own, value)
            }
            false => self.combine_in_blocks::<BLOCK_BYTES, true>(kernel, rows, begin, own, value),
        }
    }

    /// Reduces in blocks of `BLOCK` bytes. If `ASKS`, prefetches the lines of the next block.
    fn combine_in_blocks<const BLOCK: usize, const ASKS: bool>(
        &self,
        kernel: &SliceKernel<'_>,
        rows: Range<u32>,
        begin: usize,
        own: Own<'_>,
        value: &mut [u8],
    ) -> Outcome {
        let me = self.me();
        let length = BLOCK / kernel.element_bytes() * kernel.element_bytes();
        let end = value.len();
        let mut held = [0; BLOCK];
        for (value, at) in value.chunks_mut(length).zip((0..).step_by(length)) {
            let own = match own {
                Own::Apart(own) => &own[at..at + value.len()],
                Own::Here => {
                    copy_slice(&mut held[..value.len()], value);
                    &held[..value.len()]
                }
            };
            let behind = begin + at + value.len();
            for row in rows.clone().filter(|&row| ASKS && row != me) {
                self.coll_segment.prefetch_bytes(
                    self.part_of_piece(row, behind..(behind + length).min(begin + end)),
                );
            }
            for row in rows.clone() {
                let next = if row == me {
                    own
                } else {
                    self.whole_part_of_piece(row, begin + at..begin + at + value.len())?
                };
                if row == rows.start {
                    copy_slice(value, next)
                } else {
                    kernel.combine(value, next)?
                }
            }
        }
        Ok(())
    }

    /// Performs `MPI_Allreduce`. Two members with a processor each reduce all of a chunk; otherwise
    /// every member reduces its segment for all.
    pub fn allreduce_pipelined(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let whole = own.bytes();
        let cut =
            Cut::new(self.site().piece(), 1, kernel.element_bytes(), whole).for_all(self.site());
        let in_shares = !self.site().is_pair();
        let mut done = Ok(());
        for piece in cut.pieces(&(0..whole), whole) {
            let share =
                if in_shares { self.share_of_vector(piece.len(), kernel) } else { 0..piece.len() };
            let begin = self.post_but(
                mpi,
                (cut, kernel),
                own,
                &piece,
                if in_shares { share.clone() } else { 0..0 },
            );
            self.meet_pieces(mpi, whole)?;
            done = done.and(self.combine_share(kernel, own, result, &piece, share));
            if in_shares {
                self.exchange_shares(mpi, result, begin, &piece, kernel);
            }
        }
        done
    }

    /// Publishes the segment of a chunk that this process has reduced, and copies those of the
    /// others.
    fn exchange_shares(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        begin: usize,
        piece: &Range<usize>,
        kernel: &SliceKernel<'_>,
    ) {
        let me = self.me();
        let share = self.share_of(me, piece.len(), kernel);
        self.copy_policies.write(
            me,
            result,
            piece.start + share.start,
            self.coll_segment.own_chunk(begin + share.start, share.len()),
        );
        self.part(mpi);
        self.others().for_each(|row| self.take_share(row, result, piece, kernel));
    }

    /// Publishes a chunk of this process's contribution except the segment that it reduces itself.
    /// Returns where the chunk begins.
    fn post_but(
        &mut self,
        mpi: &mut Mpi,
        (cut, kernel): (Cut, &SliceKernel<'_>),
        own: &Buffer,
        piece: &Range<usize>,
        share: Range<usize>,
    ) -> usize {
        let me = self.me();
        // If oversubscribed, some readers of segments share this process's processor.
        let apart = self.oversubscribed && !share.is_empty();
        let parts: Vec<(u32, Range<usize>)> = match apart {
            true => {
                self.others().map(|row| (row, self.share_of(row, piece.len(), kernel))).collect()
            }
            false => vec![(me, 0..share.start), (me, share.end..piece.len())],
        };
        self.post_piece(
            mpi,
            cut,
            own.bytes(),
            own.address() + piece.start,
            |copy_policies, place| {
                for (row, part) in parts {
                    copy_policies.write(row, own, piece.start + part.start, &mut place[part]);
                }
            },
        )
    }

    /// Copies what another member has reduced of a chunk.
    fn take_share(
        &self,
        row: u32,
        result: &Buffer,
        piece: &Range<usize>,
        kernel: &SliceKernel<'_>,
    ) {
        let share = self.share_of(row, piece.len(), kernel);
        result.unpack_at(piece.start + share.start, self.part_of_piece(row, share));
    }

    /// Performs `MPI_Reduce` among more than two members with a processor each: every member
    /// reduces its segment of a chunk, and the root copies the segments.
    fn reduce_in_shares(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &SliceKernel<'_>,
        root: u32,
    ) -> Outcome {
        let whole = own.bytes();
        let cut = Cut::new(self.site().rooted_piece(), 1, kernel.element_bytes(), whole);
        let mut done = Ok(());
        for piece in cut.pieces(&(0..whole), whole) {
            let share = self.share_of_vector(piece.len(), kernel);
            let begin = self.post_but(mpi, (cut, kernel), own, &piece, share.clone());
            self.meet_pieces(mpi, whole)?;
            match result {
                Some(result) => {
                    let combined = self.combine_share(kernel, own, result, &piece, share);
                    done = done.and(combined).and(self.take_shares(mpi, result, &piece, kernel));
                }
                None => {
                    let combined = self.combine_in_place(kernel, own, begin, &piece, share);
                    match &combined {
                        Ok(()) => self.coll_segment.publish(self.me(), Phase::B, 0),
                        Err(error) => self.fail(self.me(), Phase::B, error),
                    }
                    self.ring(mpi, root);
                    done = done.and(combined);
                }
            }
            self.retire();
        }
        done
    }

    /// Reduces a segment of a chunk in the result.
    fn combine_share(
        &self,
        kernel: &SliceKernel<'_>,
        own: &Buffer,
        result: &Buffer,
        piece: &Range<usize>,
        share: Range<usize>,
    ) -> Outcome {
        let bytes = piece.start + share.start..piece.start + share.end;
        let own = Own::of(own, result, bytes.clone());
        match result.clone().as_bytes_mut() {
            Some(value) => self.combine_with_own(
                kernel,
                0..self.members(),
                share.start,
                own,
                &mut value[bytes],
            ),
            None => Ok(()),
        }
    }

    /// Reduces a segment of a chunk in this process's ring, where no other member reads that part
    /// of its contribution.
    fn combine_in_place(
        &mut self,
        kernel: &SliceKernel<'_>,
        own: &Buffer,
        begin: usize,
        piece: &Range<usize>,
        share: Range<usize>,
    ) -> Outcome {
        let Some(own) = own.as_bytes() else { return Ok(()) };
        let length = BLOCK_BYTES / kernel.element_bytes() * kernel.element_bytes();
        let mut value = [0; BLOCK_BYTES];
        for at in share.clone().step_by(length) {
            let value = &mut value[..(share.end - at).min(length)];
            let own = Own::Apart(&own[piece.start + at..piece.start + at + value.len()]);
            self.combine_with_own(kernel, 0..self.members(), at, own, value)?;
            copy_slice(self.coll_segment.own_chunk(begin + at, value.len()), value);
        }
        Ok(())
    }

    /// Copies what the others have reduced to the root.
    fn take_shares(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        piece: &Range<usize>,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let mut done = Ok(());
        for row in self.others() {
            self.wait_for(mpi, row, Phase::B);
            done = done.and(self.check_row(row, Phase::B, row));
            self.take_share(row, result, piece, kernel);
        }
        done
    }

    /// Performs `MPI_Reduce` of two members or on an oversubscribed node: the root reduces. After
    /// all have synchronised on the first chunk, no other member waits for the root while its ring
    /// has space. If oversubscribed, they synchronise before they write it, so that a member that
    /// has written waits for no member that has not been scheduled yet.
    pub fn reduce_pipelined(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &SliceKernel<'_>,
        root: u32,
    ) -> Outcome {
        if self.site().is_many() {
            return self.reduce_in_shares(mpi, own, result, kernel, root);
        }
        let whole = own.bytes();
        if self.site().vector_passes(whole) {
            return self.reduce_in_pair_ring(mpi, own, result, kernel);
        }
        let cut = Cut::new(self.site().rooted_piece(), 1, kernel.element_bytes(), whole).for_root();
        let (mut place, mut done) = (result.cloned(), Ok(()));
        if self.oversubscribed {
            self.begin(mpi, 0);
            self.tell_of_piece([whole, whole], 0);
            self.meet_over(mpi, whole, root)?;
            self.retire();
        }
        for piece in cut.pieces(&(0..whole), whole) {
            if result.is_some() {
                self.begin_cut(mpi, cut);
                self.tell_of_piece([whole, whole], 0);
            } else {
                self.post_piece(mpi, cut, whole, 0, |copy_policies, place| {
                    copy_policies.write(root, own, piece.start, &mut place[..piece.len()]);
                });
            }
            if piece.start == 0 && !self.oversubscribed {
                self.meet_over(mpi, whole, root)?;
            }
            if let (Some(place), Some(result)) = (&mut place, result) {
                for row in self.others() {
                    self.wait_for(mpi, row, Phase::A);
                    done = done.and(self.shows_pieces(row, whole));
                }
                if let Some(value) = place.as_bytes_mut() {
                    let own = Own::of(own, result, piece.clone());
                    done = done.and(self.combine_with_own(
                        kernel,
                        0..self.members(),
                        0,
                        own,
                        &mut value[piece],
                    ));
                }
            } else {
                self.ring(mpi, root);
            }
            self.retire();
        }
        done
    }

    /// Performs `MPI_Scan`, or `MPI_Exscan` unless `inclusive`: every member reduces what lower
    /// ranks contribute.
    pub fn scan_pipelined(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        let whole = own.bytes();
        if self.site().vector_passes(whole) {
            return self.scan_in_pair_ring(mpi, own, result, kernel, inclusive);
        }
        let cut = Cut::new(self.site().piece(), 1, kernel.element_bytes(), whole);
        let me = self.me();
        // No member reads the last member's contribution.
        let last = self.members() - 1;
        let rows = 0..me + u32::from(inclusive);
        let (mut place, mut done) = (result.clone(), Ok(()));
        for piece in cut.pieces(&(0..whole), whole) {
            self.post_piece(mpi, cut, whole, 0, |copy_policies, place| {
                if me < last {
                    copy_policies.write(me, own, piece.start, &mut place[..piece.len()]);
                }
            });
            self.meet_pieces(mpi, whole)?;
            if let Some(value) = place.as_bytes_mut() {
                let own = Own::of(own, result, piece.clone());
                done = done.and(self.combine_with_own(
                    kernel,
                    rows.clone(),
                    0,
                    own,
                    &mut value[piece],
                ));
            }
        }
        done
    }

    /// Performs `MPI_Allgather` of at most `longest` bytes. `own` is `None` if this process's block
    /// is in place.
    pub fn allgather_pipelined(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        longest: usize,
    ) -> Outcome {
        let me = self.me();
        let place = blocks.of(me);
        let block = own.unwrap_or(&place);
        let received: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
        let cut = Cut::new(self.site().piece(), 1, 1, longest).for_all(self.site());
        let mut kept = Ok(());
        for piece in cut.pieces(&(0..longest), longest) {
            let from = block.address() + piece.start;
            self.post_piece_of(mpi, cut, [longest, block.bytes()], from, |copy_policies, place| {
                let bytes = piece.len().min(block.bytes().saturating_sub(piece.start));
                copy_policies.write(me, block, piece.start, &mut place[..bytes]);
            });
            if let (0, Some(own)) = (piece.start, own) {
                kept = keep(own, &place);
            }
            self.meet_pieces(mpi, longest)?;
            for row in self.others() {
                let there = self.coll_segment.word(row, Phase::A, 3) as usize;
                if piece.start == 0 {
                    kept = kept.and(self.fills(row, there, received[row as usize].bytes()));
                }
                let bytes = piece.len().min(there.saturating_sub(piece.start));
                received[row as usize].unpack_at(piece.start, self.part_of_piece(row, 0..bytes));
            }
        }
        kept
    }

    /// Returns where the part for a member begins in a row's chunk; the next member's part comes
    /// first.
    fn part_for(&self, member: u32, row: u32, cut: Cut) -> usize {
        let members = self.members();
        ((member + members - row - 1) % members) as usize * cut.each
    }

    /// Performs `MPI_Alltoall` of blocks of `each` bytes.
    pub fn alltoall_pipelined(
        &mut self,
        mpi: &mut Mpi,
        sent: &Blocks,
        received: &Blocks,
        each: usize,
    ) -> Outcome {
        let (me, members) = (self.me(), self.members());
        let cut = Cut::new(self.site().piece(), members - 1, 1, each).for_all(self.site());
        let [outgoing, incoming] = [sent, received]
            .map(|blocks| (0..members).map(|row| blocks.of(row)).collect::<Vec<Buffer>>());
        let own = if sent.bytes_of(me) == each {
            Ok(())
        } else {
            Err(uneven_for_itself(&sent.of(me), &received.of(me)))
        };
        if let Err(error) = own {
            self.begin_cut(mpi, cut);
            self.fail(me, Phase::A, &error);
            self.synchronise(mpi, Phase::A);
            return Err(error);
        }
        let mut kept = Ok(());
        for piece in cut.pieces(&(0..each), each) {
            let parts: Vec<(u32, usize)> =
                self.others().map(|row| (row, self.part_for(row, me, cut))).collect();
            let from =
                outgoing[self.others().next().unwrap_or(me) as usize].address() + piece.start;
            self.post_piece(mpi, cut, each, from, |copy_policies, place| {
                for &(row, at) in &parts {
                    copy_policies.write(
                        row,
                        &outgoing[row as usize],
                        piece.start,
                        &mut place[at..at + piece.len()],
                    );
                }
            });
            if piece.start == 0 {
                kept = keep(&outgoing[me as usize], &incoming[me as usize]);
            }
            self.meet_pieces(mpi, each)?;
            for row in self.others() {
                let at = self.part_for(me, row, cut);
                incoming[row as usize]
                    .unpack_at(piece.start, self.part_of_piece(row, at..at + piece.len()));
            }
        }
        kept
    }

    /// Performs `MPI_Reduce_scatter`: every member reduces its own block.
    pub fn reduce_scatter_pipelined(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let (me, members, element, whole) =
            (self.me(), self.members(), kernel.element_bytes(), own.bytes());
        let shares: Vec<Range<usize>> = (0..members)
            .map(|row| shares.of(row))
            .map(|s| s.start * element..s.end * element)
            .collect();
        let longest = shares.iter().map(Range::len).max().unwrap_or(0);
        let cut = Cut::new(self.site().piece(), members - 1, element, longest).for_all(self.site());
        // Blocks of later chunks are read from the vector after the result of the first is written,
        // which may overlap it.
        let apart = !overlap(own, result);
        let mut place = if apart { result.clone() } else { scratch_bytes(result.bytes())? };
        let mut done = Ok(());
        for at in (0..longest).step_by(cut.each) {
            let part_of = |row: u32| {
                let share = &shares[row as usize];
                (share.start + at).min(share.end)..(share.start + at + cut.each).min(share.end)
            };
            let parts: Vec<(u32, usize, Range<usize>)> =
                self.others().map(|row| (row, self.part_for(row, me, cut), part_of(row))).collect();
            let from = own.address() + parts.first().map_or(0, |(_, _, part)| part.start);
            self.post_piece(mpi, cut, whole, from, |copy_policies, place| {
                for (row, at, part) in &parts {
                    copy_policies.write(*row, own, part.start, &mut place[*at..at + part.len()]);
                }
            });
            self.meet_pieces(mpi, whole)?;
            let part = part_of(me);
            if let (Some(value), Some(own)) = (place.as_bytes_mut(), own.as_bytes()) {
                let value = &mut value[at.min(shares[me as usize].len())..][..part.len()];
                done = done.and(self.combine_for_me(kernel, cut, &own[part], value));
            }
        }
        if !apart {
            copy(&place, result);
        }
        done
    }

    /// Reduces all contributions for this process in the order of ranks: those of others from their
    /// chunks, its own in place.
    fn combine_for_me(
        &self,
        kernel: &SliceKernel<'_>,
        cut: Cut,
        own: &[u8],
        value: &mut [u8],
    ) -> Outcome {
        let me = self.me();
        for row in 0..self.members() {
            let at = self.part_for(me, row, cut);
            let next =
                if row == me { own } else { self.whole_part_of_piece(row, at..at + value.len())? };
            if row == 0 { copy_slice(value, next) } else { kernel.combine(value, next)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_of_a_range_once_and_fit() {
        for (most, element, parts) in [(16 << 10, 1, 1), (16 << 10, 8, 3), (1 << 10, 12, 5)] {
            for length in [1, 12, 960, 16 << 10, (16 << 10) + 12, 100_008] {
                let cut = Cut::new(most, parts, element, length);
                assert!(parts as usize * cut.each <= most, "{cut:?}");
                let range = 24..24 + length;
                let pieces: Vec<_> = cut.pieces(&range, length).collect();
                assert_eq!((pieces[0].start, pieces.last().unwrap().end), (range.start, range.end));
                assert!(
                    pieces
                        .windows(2)
                        .all(|two| two[0].end == two[1].start
                            && two[0].len().is_multiple_of(element))
                );
                assert!(cut.pieces(&(0..12), length).all(|piece| piece.end <= 12));
            }
        }
    }
}
