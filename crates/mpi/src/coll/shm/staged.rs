//! Collectives on data that fit a room of the board.
//!
//! Whoever contributes copies its data into its row, line or room, and goes on if nobody has anything for it. Whoever needs data copies it out, or
//! combines it where it lies. Combinations are in the order of ranks, so that everybody's result has the same bits.
//!
//! Operators are predefined and types dense: see [`kernel`].

use super::{A_COPY, A_MESSAGE, Arrival, IN_PIECES, NodeComm, keep};
use crate::abi;
use crate::coll::reduce_scatter::Shares;
use crate::coll::schedule::too_long_for_itself;
use crate::coll::{Blocks, Operator};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis::coll_segment::{Phase, STAGING_BYTES};
use nemesis::copy_slice;
use nemesis_datatype::{Buffer, Datatype, Op, reduce_slices};
use std::ops::Range;

/// What the last one to come to a scan joins for all: longer, it is faster if each does for itself.
const PREFIX_MAX_BYTES: usize = 512;

/// Blocks of an alltoall that are written each at its own pace.
const PACED_BLOCK_MIN_BYTES: usize = 2 << 10;

/// A predefined operator on elements that lie one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct ReduceKernel<'a> {
    op: Op,
    datatype: &'a Datatype,
}

/// How to combine elements of `buffer`, if a board knows how.
pub fn kernel<'a>(operator: Operator, buffer: &'a Buffer) -> Option<ReduceKernel<'a>> {
    let datatype = buffer.datatype();
    match operator {
        Operator::Predefined(op)
            if datatype.is_predefined() && datatype.size() == datatype.extent() =>
        {
            Some(ReduceKernel { op, datatype })
        }
        _ => None,
    }
}

/// The same of what has begun in short: boards know how to combine all of that.
pub fn fold_of_short<'a>(operator: Operator, buffer: &'a Buffer) -> ReduceKernel<'a> {
    kernel(operator, buffer).expect("predefined operators and types go the short way")
}

impl ReduceKernel<'_> {
    /// Bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.datatype.extent() as usize
    }

    /// `value = value op next`, which for predefined operators is `next op value`.
    #[inline]
    pub fn join(&self, value: &mut [u8], next: &[u8]) -> Outcome {
        reduce_slices(self.op, self.datatype, next, value)
            .map_err(|error| Error::new(abi::MPI_ERR_OP, error.why))
    }
}

/// The vectors could not be joined, or not for this process.
#[cold]
fn not_joined(bytes: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_TRUNCATE,
        format!(
            "not all processes take part in the reduction with {bytes} bytes, as this one does"
        ),
    )
    .advise("give all processes the same count and datatype")
}

impl NodeComm {
    /// A row's contribution, which should have `whole` bytes, cut to `range`.
    #[inline]
    fn contribution(&self, row: u32, whole: usize, range: &Range<usize>) -> Outcome<&[u8]> {
        let all = self.coll_segment.content(row, Phase::A);
        match all.get(range.clone()) {
            Some(part) if all.len() == whole => Ok(part),
            _ if self.coll_segment.has_words(row, Phase::A) => Err(self.another_call(row)),
            _ => Err(self.uneven(row, all.len(), whole)),
        }
    }

    /// Joins what rows have published, from row `first` to `end`, into `value`: all of the vectors.
    #[inline]
    pub(super) fn join_rows(
        &self,
        kernel: &ReduceKernel<'_>,
        rows: Range<u32>,
        value: &mut [u8],
    ) -> Outcome {
        self.join_parts(kernel, rows, value.len(), &(0..value.len()), value)
    }

    /// The same with a part of the vectors, which have `whole` bytes.
    fn join_parts(
        &self,
        kernel: &ReduceKernel<'_>,
        rows: Range<u32>,
        whole: usize,
        range: &Range<usize>,
        value: &mut [u8],
    ) -> Outcome {
        let first = rows.start;
        for row in rows {
            let next = self.contribution(row, whole, range)?;
            if row == first { copy_slice(value, next) } else { kernel.join(value, next)? }
        }
        Ok(())
    }

    /// `MPI_Bcast`: the root copies in, the others out.
    #[inline]
    pub fn bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Arrival> {
        if self.site().bcasts_in_pieces(buffer.bytes()) {
            return self.bcast_in_pieces(mpi, buffer, root);
        }
        self.begin_rooted(mpi, buffer.bytes());
        if self.me() != root {
            return self.bcast_begun(mpi, buffer, root);
        }
        self.post(Phase::A, buffer);
        self.ring_all(mpi);
        self.retire();
        Ok(Arrival::Here)
    }

    /// The same, where this process is not the root and the call has begun.
    #[inline]
    pub fn bcast_begun(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Arrival> {
        self.wait_for(mpi, root, Phase::A);
        let taken = self.take_from(mpi, root, buffer);
        self.retire();
        taken
    }

    /// Takes what a root has published, in a room or in its own memory.
    #[inline]
    pub(super) fn take_from(
        &mut self,
        mpi: &mut Mpi,
        root: u32,
        buffer: &Buffer,
    ) -> Outcome<Arrival> {
        if self.coll_segment.has_words(root, Phase::A) {
            return self.fetch_bcast(mpi, buffer, root);
        }
        self.take(root, buffer, root)?;
        Ok(Arrival::Here)
    }

    /// Takes what a row has for this process.
    #[inline]
    pub(super) fn take_rooted(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Arrival> {
        if self.coll_segment.has_words(row, Phase::A) {
            return self.take_told(mpi, row, buffer, writer);
        }
        self.take(row, buffer, writer)?;
        Ok(Arrival::Here)
    }

    /// The same of a row with words: data come as a message, or lie in the memory of `writer`.
    #[inline(never)]
    fn take_told(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Arrival> {
        match self.coll_segment.word(row, Phase::A, 0) {
            A_MESSAGE => Ok(Arrival::AsMessage),
            A_COPY | IN_PIECES => Err(self.another_call(writer)),
            _ => self.fetch_told(mpi, row, buffer, writer),
        }
    }

    /// `MPI_Reduce`: the others copy in, the root joins.
    pub fn reduce(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &ReduceKernel<'_>,
        root: u32,
    ) -> Outcome {
        self.begin(mpi, own.bytes());
        if let Some(result) = result {
            return self.reduce_begun(mpi, own, result, kernel);
        }
        self.post(Phase::A, own);
        self.ring(mpi, root);
        self.retire();
        Ok(())
    }

    /// The same at the root, when the call has begun.
    pub fn reduce_begun(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        self.post(Phase::A, own);
        let joined = self.join_at_root(mpi, result, kernel);
        if let Err(error) = &joined {
            // Others may have come another way, and wait to hear that all have come.
            self.fail(self.coll_segment.common(), Phase::A, error);
            self.ring_all(mpi);
        }
        self.retire();
        joined
    }

    fn join_at_root(&self, mpi: &mut Mpi, result: &Buffer, kernel: &ReduceKernel<'_>) -> Outcome {
        for row in self.others() {
            self.wait_for(mpi, row, Phase::A);
        }
        let mut result = result.clone();
        match result.as_bytes_mut() {
            Some(value) => self.join_rows(kernel, 0..self.members(), value),
            None => Ok(()),
        }
    }

    /// `MPI_Allreduce`: everybody joins all; where processors are shared, the last one to come does so for all.
    pub fn allreduce(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        self.begin(mpi, own.bytes());
        self.post(Phase::A, own);
        self.allreduce_posted(mpi, result, kernel)
    }

    /// The same, when the call has begun in short: this process's contribution is published, and where processors are shared, it has arrived.
    pub fn allreduce_begun(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        if !self.oversubscribed {
            return self.allreduce_posted(mpi, result, kernel);
        }
        self.meet_begun(mpi);
        self.take_common(result)
    }

    fn allreduce_posted(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        let members = self.members();
        let mut place = result.clone();
        let Some(value) = place.as_bytes_mut() else { return Ok(()) };
        let mut joined = None;
        self.meet_and(mpi, Phase::A, |node_comm| {
            let done = node_comm.join_rows(kernel, 0..members, value);
            let length = done.is_ok().then(|| {
                let common = node_comm.coll_segment.common();
                copy_slice(node_comm.coll_segment.place(common, Phase::A, value.len()), value);
                value.len()
            });
            joined = Some(done);
            length
        });
        match joined {
            Some(joined) => joined,
            None if self.oversubscribed => self.take_common(result),
            None => self.join_rows(kernel, 0..members, value),
        }
    }

    /// What the last one to come has joined for all.
    pub(super) fn take_common(&self, result: &Buffer) -> Outcome {
        let joined = self.coll_segment.content(self.coll_segment.common(), Phase::A);
        if joined.len() != result.bytes() {
            return Err(not_joined(result.bytes()));
        }
        result.unpack_at(0, joined);
        Ok(())
    }

    /// `MPI_Reduce_scatter`: everybody copies its vector in, and joins its share of all.
    pub fn reduce_scatter(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        self.begin(mpi, own.bytes());
        self.post(Phase::A, own);
        self.meet(mpi, Phase::A);
        self.join_own_share(own, shares, result, kernel)
    }

    /// The same, when the call has begun and this process's vector is published.
    pub fn reduce_scatter_begun(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        self.meet_begun(mpi);
        self.join_own_share(own, shares, result, kernel)
    }

    fn join_own_share(
        &self,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        let share = shares.of(self.me());
        let range = share.start * kernel.element_bytes()..share.end * kernel.element_bytes();
        let mut result = result.clone();
        match result.as_bytes_mut() {
            Some(value) => self.join_parts(kernel, 0..self.members(), own.bytes(), &range, value),
            None => Ok(()),
        }
    }

    /// `MPI_Scan`, or `MPI_Exscan` if `result` leaves this process's own contribution out: everybody joins what comes before it.
    pub fn scan(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        self.begin(mpi, own.bytes());
        if self.oversubscribed {
            return self.scan_at_counter(mpi, own, result, kernel, inclusive);
        }
        let me = self.me();
        if me + 1 < self.members() || inclusive {
            self.post(Phase::A, own);
        } else {
            // Nobody needs what it has, but one whose length leads it another way waits to hear of it.
            self.coll_segment.publish(me, Phase::A, 0);
        }
        for above in me + 1..self.members() {
            self.ring(mpi, above);
        }
        self.scan_posted(mpi, result, kernel, inclusive)
    }

    /// The same, when the call has begun in short: this process's contribution is published, and where processors are shared, it has arrived.
    pub fn scan_begun(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
    ) -> Outcome {
        if !self.oversubscribed {
            return self.scan_posted(mpi, result, kernel, true);
        }
        self.meet_begun(mpi);
        self.take_prefix(result, kernel, true)
    }

    fn scan_posted(
        &mut self,
        mpi: &mut Mpi,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        let me = self.me();
        for below in 0..me {
            self.wait_for(mpi, below, Phase::A);
        }
        let mut result = result.clone();
        let joined = match result.as_bytes_mut() {
            Some(value) => self.join_rows(kernel, 0..me + u32::from(inclusive), value),
            None => Ok(()),
        };
        self.retire();
        joined
    }

    /// The same where processors are shared: what is short, the last one to come joins for all.
    fn scan_at_counter(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &ReduceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        self.post(Phase::A, own);
        self.meet_and(mpi, Phase::A, |node_comm| {
            node_comm.post_prefixes(own.bytes(), inclusive, |value, next| kernel.join(value, next));
            Some(0)
        });
        self.take_prefix(result, kernel, inclusive)
    }

    /// What the last one to come has joined for this process, if it has; otherwise this process does.
    fn take_prefix(&self, result: &Buffer, kernel: &ReduceKernel<'_>, inclusive: bool) -> Outcome {
        let me = self.me();
        if !self.coll_segment.is_published(me, Phase::B) {
            return result.clone().as_bytes_mut().map_or(Ok(()), |value| {
                self.join_rows(kernel, 0..me + u32::from(inclusive), value)
            });
        }
        self.verdict(me, Phase::B, me)?;
        result.unpack_at(0, self.coll_segment.content(me, Phase::B));
        Ok(())
    }

    /// Publishes in each row what the members up to it have contributed, or those before it. What is long, and contributions of which not all are as long,
    /// are left to each.
    #[inline]
    pub(super) fn post_prefixes(
        &mut self,
        bytes: usize,
        inclusive: bool,
        join: impl Fn(&mut [u8], &[u8]) -> Outcome,
    ) {
        let (mut value, mut next) = ([0; PREFIX_MAX_BYTES], [0; PREFIX_MAX_BYTES]);
        let even =
            (0..self.members()).all(|row| self.contribution(row, bytes, &(0..bytes)).is_ok());
        let (Some(value), Some(next), true) = (value.get_mut(..bytes), next.get_mut(..bytes), even)
        else {
            return;
        };
        for row in 0..self.members() {
            // What is published in a room takes the contribution's place.
            next.copy_from_slice(self.coll_segment.content(row, Phase::A));
            if !inclusive && row > 0 {
                self.post_slice(row, value);
            }
            let mut joined = Ok(());
            match row {
                0 => value.copy_from_slice(next),
                _ => joined = join(value, next),
            }
            match joined {
                Err(error) => self.fail(row, Phase::B, &error),
                Ok(()) if inclusive => self.post_slice(row, value),
                Ok(()) => {}
            }
        }
    }

    fn post_slice(&mut self, row: u32, bytes: &[u8]) {
        self.coll_segment.place(row, Phase::B, bytes.len()).copy_from_slice(bytes);
        self.coll_segment.publish(row, Phase::B, bytes.len());
    }

    /// `MPI_Gather` of `each` bytes: the others copy in, the root out. `own` is `None` where the root's block is in its place already.
    pub fn gather(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
        each: usize,
    ) -> Outcome<Arrival> {
        if let Some(parts) = self.site().gather_parts_in_rings(each) {
            return self.gather_in_rings(mpi, own, blocks, root, parts);
        }
        if each > STAGING_BYTES && !self.site().is_pair() {
            return self.gather_in_parts(mpi, own, blocks, root);
        }
        self.begin_rooted(mpi, each);
        match (blocks, own) {
            (Some(blocks), own) => return self.gather_begun(mpi, own, blocks, root),
            (None, Some(own)) => {
                self.post(Phase::A, own);
                self.ring(mpi, root);
            }
            (None, None) => {}
        }
        self.retire();
        Ok(Arrival::Here)
    }

    /// The same at the root, when the call has begun.
    pub fn gather_begun(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        root: u32,
    ) -> Outcome<Arrival> {
        let mut taken = Ok(Arrival::Here);
        for row in self.others() {
            self.wait_for(mpi, row, Phase::A);
            if self.members() == 2 && self.coll_segment.has_words(row, Phase::A) {
                return self.gather_told(mpi, own, blocks, row);
            }
            taken = taken.and_then(|_| self.take_rooted(mpi, row, &blocks.of(row), row));
        }
        if let (Some(own), Ok(Arrival::Here)) = (own, &taken) {
            taken = keep(own, &blocks.of(root)).map(|()| Arrival::Here);
        }
        self.retire();
        taken
    }

    /// The row for what a root has for a member. Of two the root takes its own, whose next line it has at hand.
    #[inline(always)]
    pub(super) fn row_for(&self, member: u32, root: u32) -> u32 {
        if self.members() == 2 { root } else { member }
    }

    /// `MPI_Scatter` of `each` bytes: the root copies each block into the row where its receiver looks. `own` is `None` where the root's block stays.
    pub fn scatter(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
        each: usize,
    ) -> Outcome<Arrival> {
        if each > STAGING_BYTES && !self.site().is_pair() {
            return self.scatter_in_parts(mpi, blocks, own, root);
        }
        self.begin_rooted(mpi, each);
        let mut taken = Ok(Arrival::Here);
        match (blocks, own) {
            (Some(blocks), own) => {
                for member in self.others() {
                    self.post_in(self.row_for(member, root), Phase::A, &blocks.of(member));
                    self.ring(mpi, member);
                }
                if let Some(own) = own {
                    taken = keep(&blocks.of(root), own).map(|()| Arrival::Here);
                }
            }
            (None, Some(own)) => return self.scatter_begun(mpi, own, root),
            (None, None) => {}
        }
        self.retire();
        taken
    }

    /// The same where this process is not the root and the call has begun.
    pub fn scatter_begun(&mut self, mpi: &mut Mpi, own: &Buffer, root: u32) -> Outcome<Arrival> {
        let row = self.row_for(self.me(), root);
        self.wait_for(mpi, row, Phase::A);
        let taken = self.take_rooted(mpi, row, own, root);
        self.retire();
        taken
    }

    /// `MPI_Allgather` of up to `longest` bytes: everybody copies its block in, and the others' out. `own` is `None` where this process's block lies in its
    /// place already.
    pub fn allgather(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        longest: usize,
    ) -> Outcome {
        self.begin(mpi, longest);
        let place = blocks.of(self.me());
        self.post(Phase::A, own.unwrap_or(&place));
        let kept = own.map_or(Ok(()), |own| keep(own, &place));
        self.meet(mpi, Phase::A);
        kept.and(self.take_all(blocks))
    }

    /// The same, when the call has begun and this process's block is published and in its place.
    pub fn allgather_begun(&mut self, mpi: &mut Mpi, blocks: &Blocks) -> Outcome {
        self.meet_begun(mpi);
        self.take_all(blocks)
    }

    /// Everybody's block but this process's.
    fn take_all(&self, blocks: &Blocks) -> Outcome {
        let mut taken = Ok(());
        for row in self.others() {
            taken = taken.and(self.take(row, &blocks.of(row), row));
        }
        taken
    }

    /// `MPI_Alltoall` with blocks of `each` bytes: everybody copies all its blocks in, one behind the other, and out what is for it.
    pub fn alltoall(
        &mut self,
        mpi: &mut Mpi,
        sent: &Blocks,
        received: &Blocks,
        each: usize,
    ) -> Outcome {
        self.begin(mpi, each * self.members() as usize);
        let me = self.me();
        let bytes = each * self.members() as usize;
        let own = if sent.bytes_of(me) == each {
            Ok(())
        } else {
            Err(too_long_for_itself(&sent.of(me), &received.of(me)))
        };
        match &own {
            Ok(()) => self.post_blocks(sent, each, bytes),
            Err(error) => self.fail(me, Phase::A, error),
        }
        let kept = own.and_then(|()| keep(&sent.of(me), &received.of(me)));
        self.meet(mpi, Phase::A);
        kept.and(self.take_own_blocks(received, each))
    }

    /// The same, when the call has begun, this process's blocks are published and its own is in its place.
    pub fn alltoall_begun(&mut self, mpi: &mut Mpi, received: &Blocks, each: usize) -> Outcome {
        self.meet_begun(mpi);
        self.take_own_blocks(received, each)
    }

    /// This process's block of everybody else.
    fn take_own_blocks(&self, received: &Blocks, each: usize) -> Outcome {
        let bytes = each * self.members() as usize;
        let mut taken = Ok(());
        for row in self.others() {
            taken = taken.and(self.take_block(row, bytes, &received.of(row)));
        }
        taken
    }

    /// Publishes blocks of `each` bytes, `bytes` in all, each in its place, but for one's own, which nobody looks for.
    #[inline]
    fn post_blocks(&mut self, blocks: &Blocks, each: usize, bytes: usize) {
        let me = self.me();
        let place = self.coll_segment.place(me, Phase::A, bytes);
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

    /// This process's block of all that a row has published, which should be `bytes` bytes.
    #[inline]
    fn take_block(&self, row: u32, bytes: usize, buffer: &Buffer) -> Outcome {
        let (all, each) =
            (self.coll_segment.content(row, Phase::A), bytes / self.members() as usize);
        if all.len() != bytes {
            self.verdict(row, Phase::A, row)?;
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
