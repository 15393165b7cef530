//! Collectives on data that fits a staging buffer of the collective segment.
//!
//! A contributor copies its data into its row (line or staging buffer) and proceeds unless it needs
//! data itself. A reader copies data out or reduces it in place. Reductions follow the order of
//! ranks, so that all results have equal bits.
//!
//! Operators are predefined and types contiguous: see [`kernel`](crate::operator::kernel).

use super::{BY_SINGLE_COPY, DEFERRED_TO_PT2PT, Delivery, IN_CHUNKS, NodeComm, keep};
use crate::Blocks;
use crate::abi;
use crate::blocks::Shares;
use crate::blocks::uneven_for_itself;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::operator::SliceKernel;
use nemesis::coll_segment::{Phase, STAGING_BYTES};
use nemesis::copy_slice;
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Bytes of a scan up to which the last member to arrive reduces for all. Above, it is faster if
/// each member reduces for itself.
const PREFIX_MAX_BYTES: usize = 512;

/// Bytes of an alltoall's block from which each block is written by the copy policy of its reader.
const PACED_BLOCK_MIN_BYTES: usize = 2 << 10;

/// Returns the error for vectors that could not be reduced for this process.
#[cold]
fn not_combined(bytes: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_TRUNCATE,
        format!(
            "not all processes take part in the reduction with {bytes} bytes, as this one does"
        ),
    )
    .advise("give all processes the same count and datatype")
}

/// The order in which the contributions of members are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// From the first member upwards.
    Ranks,
    /// In the order of recursive doubling, which messages have (`messages::halving`).
    Doubling,
}

impl NodeComm {
    /// Returns the bytes `range` of a row's contribution, which should have `whole` bytes.
    #[inline]
    fn contribution(&self, row: u32, whole: usize, range: &Range<usize>) -> Outcome<&[u8]> {
        let all = self.coll_segment.content(row, Phase::A);
        match all.get(range.clone()) {
            Some(part) if all.len() == whole => Ok(part),
            _ if self.coll_segment.has_words(row, Phase::A) => Err(self.another_call(row)),
            _ => Err(self.uneven(row, all.len(), whole)),
        }
    }

    /// Reduces the whole vectors of the rows of a range into `value`.
    #[inline]
    pub(super) fn combine_rows(
        &self,
        kernel: &SliceKernel<'_>,
        rows: Range<u32>,
        value: &mut [u8],
    ) -> Outcome {
        self.combine_parts(kernel, rows, value.len(), &(0..value.len()), value)
    }

    /// Reduces the bytes `range` of the vectors of the rows of a range, which have `whole` bytes,
    /// into `value`.
    fn combine_parts(
        &self,
        kernel: &SliceKernel<'_>,
        rows: Range<u32>,
        whole: usize,
        range: &Range<usize>,
        value: &mut [u8],
    ) -> Outcome {
        let first = rows.start;
        for row in rows {
            let next = self.contribution(row, whole, range)?;
            if row == first { copy_slice(value, next) } else { kernel.combine(value, next)? }
        }
        Ok(())
    }

    /// Performs `MPI_Bcast`: the root copies in, the others copy out.
    #[inline]
    pub fn bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Delivery> {
        if self.site().bcasts_pipelined(buffer.bytes()) {
            return self.bcast_pipelined(mpi, buffer, root);
        }
        self.begin_rooted(mpi, buffer.bytes());
        let mut taken = Ok(Delivery::Done);
        if self.me() == root {
            self.post(Phase::A, buffer);
            self.ring_all(mpi);
        } else {
            self.wait_for(mpi, root, Phase::A);
            taken = self.take_from(mpi, root, buffer);
        }
        self.retire();
        taken
    }

    /// Takes what a root has published, in a staging buffer or in its own memory.
    #[inline]
    pub(super) fn take_from(
        &mut self,
        mpi: &mut Mpi,
        root: u32,
        buffer: &Buffer,
    ) -> Outcome<Delivery> {
        if self.coll_segment.has_words(root, Phase::A) {
            return self.fetch_bcast(mpi, buffer, root);
        }
        self.take(root, buffer, root)?;
        Ok(Delivery::Done)
    }

    /// Takes what a row holds for this process.
    #[inline]
    pub(super) fn take_rooted(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Delivery> {
        if self.coll_segment.has_words(row, Phase::A) {
            return self.take_announced(mpi, row, buffer, writer);
        }
        self.take(row, buffer, writer)?;
        Ok(Delivery::Done)
    }

    /// Takes the data of a row with words: a message follows, or the data lies in the memory of
    /// `writer`.
    #[inline(never)]
    fn take_announced(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Delivery> {
        match self.coll_segment.word(row, Phase::A, 0) {
            DEFERRED_TO_PT2PT => Ok(Delivery::AsMessage),
            BY_SINGLE_COPY | IN_CHUNKS => Err(self.another_call(writer)),
            _ => self.fetch_announced(mpi, row, buffer, writer),
        }
    }

    /// Performs `MPI_Reduce`: the others copy in, the root reduces.
    pub fn reduce(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &SliceKernel<'_>,
        root: u32,
    ) -> Outcome {
        self.reduce_in(mpi, (own, result), (kernel, Order::Ranks), root)
    }

    /// Performs `MPI_Reduce` in an order.
    pub(super) fn reduce_in(
        &mut self,
        mpi: &mut Mpi,
        (own, result): (&Buffer, Option<&Buffer>),
        (kernel, order): (&SliceKernel<'_>, Order),
        root: u32,
    ) -> Outcome {
        self.begin_or_resume(mpi, own.bytes());
        self.post(Phase::A, own);
        let Some(result) = result else {
            self.ring(mpi, root);
            self.retire();
            return Ok(());
        };
        let combined = self.combine_at_root(mpi, result, kernel, order);
        if let Err(error) = &combined {
            // Members that took another data path wait until all have arrived.
            self.fail(self.coll_segment.common(), Phase::A, error);
            self.ring_all(mpi);
        }
        self.retire();
        combined
    }

    fn combine_at_root(
        &self,
        mpi: &mut Mpi,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
        order: Order,
    ) -> Outcome {
        for row in self.others() {
            self.wait_for(mpi, row, Phase::A);
        }
        let mut result = result.clone();
        match (result.as_bytes_mut(), order) {
            (Some(value), Order::Ranks) => self.combine_rows(kernel, 0..self.members(), value),
            (Some(value), Order::Doubling) => self.combine_by_doubling(kernel, value),
            (None, _) => Ok(()),
        }
    }

    /// Performs `MPI_Allreduce`: every member reduces all vectors. If oversubscribed, the last
    /// member to arrive does so for all.
    pub fn allreduce(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let begins = self.begin_or_resume(mpi, own.bytes());
        if begins {
            self.post(Phase::A, own);
        } else if self.oversubscribed {
            self.meet_begun(mpi);
            return self.take_common(result);
        }
        let members = self.members();
        let mut place = result.clone();
        let Some(value) = place.as_bytes_mut() else { return Ok(()) };
        let mut combined = None;
        self.meet_and(mpi, Phase::A, true, |node_comm| {
            let done = match node_comm.reduces() {
                true => node_comm.combine_rows(kernel, 0..members, value),
                false => node_comm.combine_by_doubling(kernel, value),
            };
            let length = done.is_ok().then(|| {
                let common = node_comm.coll_segment.common();
                copy_slice(node_comm.coll_segment.buffer(common, Phase::A, value.len()), value);
                value.len()
            });
            combined = Some(done);
            length
        });
        match combined {
            Some(combined) => combined,
            None if self.oversubscribed => self.take_common(result),
            None => self.combine_rows(kernel, 0..members, value),
        }
    }

    /// Copies the vector that the last member to arrive has reduced for all.
    pub(super) fn take_common(&self, result: &Buffer) -> Outcome {
        let combined = self.coll_segment.content(self.coll_segment.common(), Phase::A);
        if combined.len() != result.bytes() {
            return Err(not_combined(result.bytes()));
        }
        result.unpack_at(0, combined);
        Ok(())
    }

    /// Performs `MPI_Reduce_scatter`: every member copies its vector in and reduces its own block
    /// of all.
    pub fn reduce_scatter(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let begins = self.begin_or_resume(mpi, own.bytes());
        if begins {
            self.post(Phase::A, own);
        }
        self.meet(mpi, begins);
        self.reduce_own_block(own, shares, result, kernel)
    }

    fn reduce_own_block(
        &self,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let share = shares.of(self.me());
        let range = share.start * kernel.element_bytes()..share.end * kernel.element_bytes();
        let mut result = result.clone();
        match result.as_bytes_mut() {
            Some(value) => {
                self.combine_parts(kernel, 0..self.members(), own.bytes(), &range, value)
            }
            None => Ok(()),
        }
    }

    /// Performs `MPI_Scan`, or `MPI_Exscan` unless `inclusive`: every member reduces the
    /// contributions of the members before it.
    pub fn scan(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        let begins = self.begin_or_resume(mpi, own.bytes());
        if self.oversubscribed {
            return self.scan_at_counter(mpi, begins.then_some(own), result, kernel, inclusive);
        }
        if begins {
            self.post_for_above(mpi, own, inclusive);
        }
        let me = self.me();
        for below in 0..me {
            self.wait_for(mpi, below, Phase::A);
        }
        let mut result = result.clone();
        let combined = match result.as_bytes_mut() {
            Some(value) => self.combine_rows(kernel, 0..me + u32::from(inclusive), value),
            None => Ok(()),
        };
        self.retire();
        combined
    }

    /// Publishes this process's contribution to a scan for the members above it.
    fn post_for_above(&mut self, mpi: &Mpi, own: &Buffer, inclusive: bool) {
        let me = self.me();
        if me + 1 < self.members() || inclusive {
            self.post(Phase::A, own);
        } else {
            // No member needs its contribution, but a member that chose another data path waits for
            // its row.
            self.coll_segment.publish(me, Phase::A, 0);
        }
        for above in me + 1..self.members() {
            self.ring(mpi, above);
        }
    }

    /// Performs a scan on an oversubscribed node. The last member to arrive reduces short vectors
    /// for all. `own` is `None` in a call that the fast path has begun.
    fn scan_at_counter(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        let Some(own) = own else {
            self.meet_begun(mpi);
            return self.take_prefix(result, kernel, inclusive);
        };
        self.post(Phase::A, own);
        self.meet_and(mpi, Phase::A, true, |node_comm| {
            node_comm
                .post_prefixes(own.bytes(), inclusive, |value, next| kernel.combine(value, next));
            Some(0)
        });
        self.take_prefix(result, kernel, inclusive)
    }

    /// Copies what the last member to arrive has reduced for this process, or else reduces it here.
    fn take_prefix(&self, result: &Buffer, kernel: &SliceKernel<'_>, inclusive: bool) -> Outcome {
        let me = self.me();
        if !self.coll_segment.is_published(me, Phase::B) {
            return result.clone().as_bytes_mut().map_or(Ok(()), |value| {
                self.combine_rows(kernel, 0..me + u32::from(inclusive), value)
            });
        }
        self.check_row(me, Phase::B, me)?;
        result.unpack_at(0, self.coll_segment.content(me, Phase::B));
        Ok(())
    }

    /// Publishes in each row the reduction of the rows up to it, or of those before it. Publishes
    /// nothing if the vectors are long or differ in length; each member then reduces for itself.
    #[inline]
    pub(super) fn post_prefixes(
        &mut self,
        bytes: usize,
        inclusive: bool,
        combine: impl Fn(&mut [u8], &[u8]) -> Outcome,
    ) {
        let (mut value, mut next) = ([0; PREFIX_MAX_BYTES], [0; PREFIX_MAX_BYTES]);
        let even =
            (0..self.members()).all(|row| self.contribution(row, bytes, &(0..bytes)).is_ok());
        let (Some(value), Some(next), true) = (value.get_mut(..bytes), next.get_mut(..bytes), even)
        else {
            return;
        };
        for row in 0..self.members() {
            // The result replaces the contribution in the staging buffer.
            next.copy_from_slice(self.coll_segment.content(row, Phase::A));
            if !inclusive && row > 0 {
                self.post_slice(row, value);
            }
            let mut combined = Ok(());
            match row {
                0 => value.copy_from_slice(next),
                _ => combined = combine(value, next),
            }
            match combined {
                Err(error) => self.fail(row, Phase::B, &error),
                Ok(()) if inclusive => self.post_slice(row, value),
                Ok(()) => {}
            }
        }
    }

    fn post_slice(&mut self, row: u32, bytes: &[u8]) {
        self.coll_segment.buffer(row, Phase::B, bytes.len()).copy_from_slice(bytes);
        self.coll_segment.publish(row, Phase::B, bytes.len());
    }

    /// Performs `MPI_Gather` of `each` bytes: the others copy in, the root copies out. `own` is
    /// `None` at a root whose block is in place.
    pub fn gather(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
        each: usize,
    ) -> Outcome<Delivery> {
        if let Some(parts) = self.site().gather_parts_in_rings(each) {
            return self.gather_in_rings(mpi, own, blocks, root, parts);
        }
        if each > STAGING_BYTES && !self.site().is_pair() {
            return self.gather_in_parts(mpi, own, blocks, root);
        }
        self.begin_rooted(mpi, each);
        match (blocks, own) {
            (Some(blocks), own) => return self.collect_staged(mpi, own, blocks, root),
            (None, Some(own)) => {
                self.post(Phase::A, own);
                self.ring(mpi, root);
            }
            (None, None) => {}
        }
        self.retire();
        Ok(Delivery::Done)
    }

    /// Copies the blocks of a gather out, at the root.
    fn collect_staged(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        root: u32,
    ) -> Outcome<Delivery> {
        let mut taken = Ok(Delivery::Done);
        for row in self.others() {
            self.wait_for(mpi, row, Phase::A);
            if self.members() == 2 && self.coll_segment.has_words(row, Phase::A) {
                return self.gather_announced(mpi, own, blocks, row);
            }
            taken = taken.and_then(|_| self.take_rooted(mpi, row, &blocks.of(row), row));
        }
        if let (Some(own), Ok(Delivery::Done)) = (own, &taken) {
            taken = keep(own, &blocks.of(root)).map(|()| Delivery::Done);
        }
        self.retire();
        taken
    }

    /// Returns the row in which a root publishes for a member. Of two members the root uses its own
    /// row, whose next line is in its cache.
    #[inline(always)]
    pub(super) fn row_for(&self, member: u32, root: u32) -> u32 {
        if self.members() == 2 { root } else { member }
    }

    /// Performs `MPI_Scatter` of `each` bytes: the root copies each block into the row that its
    /// receiver reads. `own` is `None` at a root whose block stays in place.
    pub fn scatter(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
        each: usize,
    ) -> Outcome<Delivery> {
        if each > STAGING_BYTES && !self.site().is_pair() {
            return self.scatter_in_parts(mpi, blocks, own, root);
        }
        self.begin_rooted(mpi, each);
        let mut taken = Ok(Delivery::Done);
        match (blocks, own) {
            (Some(blocks), own) => {
                for member in self.others() {
                    self.post_in(self.row_for(member, root), Phase::A, &blocks.of(member));
                    self.ring(mpi, member);
                }
                if let Some(own) = own {
                    taken = keep(&blocks.of(root), own).map(|()| Delivery::Done);
                }
            }
            (None, Some(own)) => return self.take_scattered(mpi, own, root),
            (None, None) => {}
        }
        self.retire();
        taken
    }

    /// Takes this process's block in a scatter that has begun.
    pub(super) fn take_scattered(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        root: u32,
    ) -> Outcome<Delivery> {
        let row = self.row_for(self.me(), root);
        self.wait_for(mpi, row, Phase::A);
        let taken = self.take_rooted(mpi, row, own, root);
        self.retire();
        taken
    }

    /// Performs `MPI_Allgather` of at most `longest` bytes: every member copies its block in, and
    /// the others' blocks out. `own` is `None` if this process's block is in place.
    pub fn allgather(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        longest: usize,
    ) -> Outcome {
        let begins = self.begin_or_resume(mpi, longest);
        let mut kept = Ok(());
        if begins {
            let place = blocks.of(self.me());
            self.post(Phase::A, own.unwrap_or(&place));
            kept = own.map_or(Ok(()), |own| keep(own, &place));
        }
        self.meet(mpi, begins);
        kept.and(self.take_all(blocks))
    }

    /// Copies the block of every other member.
    fn take_all(&self, blocks: &Blocks) -> Outcome {
        let mut taken = Ok(());
        for row in self.others() {
            taken = taken.and(self.take(row, &blocks.of(row), row));
        }
        taken
    }

    /// Performs `MPI_Alltoall` of blocks of `each` bytes: every member copies all its blocks in,
    /// one behind the other, and the blocks for it out.
    pub fn alltoall(
        &mut self,
        mpi: &mut Mpi,
        sent: &Blocks,
        received: &Blocks,
        each: usize,
    ) -> Outcome {
        let begins = self.begin_or_resume(mpi, each * self.members() as usize);
        let kept = if begins { self.post_own_blocks(sent, received, each) } else { Ok(()) };
        self.meet(mpi, begins);
        kept.and(self.take_own_blocks(received, each))
    }

    /// Publishes this process's blocks of an alltoall, and copies its own.
    fn post_own_blocks(&mut self, sent: &Blocks, received: &Blocks, each: usize) -> Outcome {
        let me = self.me();
        if sent.bytes_of(me) != each {
            let error = uneven_for_itself(&sent.of(me), &received.of(me));
            self.fail(me, Phase::A, &error);
            return Err(error);
        }
        self.post_blocks(sent, each, each * self.members() as usize);
        keep(&sent.of(me), &received.of(me))
    }

    /// Copies this process's block of every other member.
    fn take_own_blocks(&self, received: &Blocks, each: usize) -> Outcome {
        let bytes = each * self.members() as usize;
        let mut taken = Ok(());
        for row in self.others() {
            taken = taken.and(self.take_block(row, bytes, &received.of(row)));
        }
        taken
    }

    /// Publishes blocks of `each` bytes, `bytes` in all, each at its index. This process's own
    /// block is omitted, because no member reads it.
    #[inline]
    fn post_blocks(&mut self, blocks: &Blocks, each: usize, bytes: usize) {
        let me = self.me();
        let place = self.coll_segment.buffer(me, Phase::A, bytes);
        let copy_policies = &mut self.copy_policies;
        match blocks {
            Blocks::Even { all, .. }
                if copy_policies.are_kept() && each >= PACED_BLOCK_MIN_BYTES =>
            {
                place.chunks_exact_mut(each).zip(0..).filter(|&(_, row)| row != me).for_each(
                    |(place, row)| {
                        copy_policies.write(row, all, row as usize * each, place);
                    },
                )
            }
            Blocks::Even { all, .. } => {
                let (before, from_own) = place.split_at_mut(me as usize * each);
                copy_policies.write(me, all, 0, before);
                copy_policies.write(me, all, (me as usize + 1) * each, &mut from_own[each..]);
            }
            Blocks::List(list) => place
                .chunks_exact_mut(each)
                .zip(list)
                .zip(0..)
                .filter(|&(_, row)| row != me)
                .for_each(|((place, block), row)| {
                    copy_policies.write(row, block, 0, place);
                }),
        }
        self.coll_segment.publish(me, Phase::A, bytes);
    }

    /// Copies this process's block of what a row has published, which should be `bytes` bytes.
    #[inline]
    fn take_block(&self, row: u32, bytes: usize, buffer: &Buffer) -> Outcome {
        let (all, each) =
            (self.coll_segment.content(row, Phase::A), bytes / self.members() as usize);
        if all.len() != bytes {
            self.check_row(row, Phase::A, row)?;
            return Err(self.another_call(row));
        }
        let block = &all[self.me() as usize * each..][..each];
        if buffer.unpack_at(0, block) == each {
            Ok(())
        } else {
            Err(self.too_long(row, each, buffer.bytes()))
        }
    }
}
