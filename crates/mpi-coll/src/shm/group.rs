//! What the members of one group do in their collective segment for an operation that passes
//! through several levels or nodes: data go to one member, come from one, or go from one to
//! another.
//!
//! Data of any length pass through staging buffers, in chunks. The lengths are those that all
//! members know, so that they make the same number of calls. A member whose part of the operation
//! has failed makes its calls as well: its rows say that it failed, and those who needed its data
//! learn it from them. A member that finds the communicator broken meanwhile, in another group or
//! among the leaders, leaves the segment instead ([`NodeComm::quits_broken`]).

use super::{NodeComm, Order, Results};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::operator::SliceKernel;
use nemesis::coll_segment::{INLINE_BYTES, Phase, STAGING_BYTES};
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Returns the first bytes of the chunks of `bytes` bytes.
fn chunks(bytes: usize) -> impl Iterator<Item = usize> {
    (0..bytes).step_by(STAGING_BYTES)
}

/// Returns the part of the chunk from byte `start` on that a buffer of `bytes` bytes has.
fn chunk_of(bytes: usize, start: usize) -> Range<usize> {
    start.min(bytes)..(start + STAGING_BYTES).min(bytes)
}

/// Remembers the first error.
fn note(first: &mut Outcome, outcome: Outcome) {
    if first.is_ok() {
        *first = outcome;
    }
}

impl NodeComm {
    /// Begins the call for a chunk of data of which no member has more than `longest` bytes.
    fn begin_chunk(&mut self, mpi: &mut Mpi, longest: usize) {
        self.begin(mpi, longest.min(STAGING_BYTES));
    }

    /// Publishes a chunk of a buffer in a row, or that this member is not able to.
    fn post_chunk(&mut self, row: u32, data: &Buffer, chunk: Range<usize>, able: &Outcome) {
        let length = chunk.len();
        if let Err(error) = able {
            self.fail(row, Phase::A, error);
        } else if length <= INLINE_BYTES {
            let mut line = [0; INLINE_BYTES];
            data.pack_at(chunk.start, &mut line[..length]);
            self.coll_segment.publish_short(row, Phase::A, &line, length);
        } else {
            let place = self.coll_segment.buffer(row, Phase::A, length);
            self.copy_policies.write(row, data, chunk.start, place);
            self.coll_segment.publish(row, Phase::A, length);
        }
    }

    /// Copies a chunk that `writer` has published in a row to its place in a buffer.
    fn take_chunk(&self, row: u32, to: &Buffer, chunk: Range<usize>, writer: u32) -> Outcome {
        let content = self.coll_segment.content(row, Phase::A);
        if content.len() == chunk.len() && !self.coll_segment.has_words(row, Phase::A) {
            to.unpack_at(chunk.start, content);
            return Ok(());
        }
        self.check_row(row, Phase::A, writer)?;
        Err(self.another_call(writer))
    }

    /// Waits at `waiter` until all members have come; the others proceed.
    pub(super) fn arrive_at(&mut self, mpi: &mut Mpi, waiter: u32) {
        self.quits_broken(mpi);
        self.begin(mpi, 0);
        self.report_to(mpi, waiter, Phase::A);
    }

    /// Ends a call in which `leader` has waited for all members: it releases them and tells them if
    /// it failed.
    pub(super) fn release(&mut self, mpi: &mut Mpi, leader: u32, crossed: Outcome) -> Outcome {
        self.quits_broken(mpi);
        let common = self.coll_segment.common();
        if self.me() != leader {
            self.wait_for(mpi, common, Phase::B);
            self.coll_segment.heard_from_all();
            return self.check_row(common, Phase::B, leader);
        }
        match &crossed {
            Ok(()) => self.coll_segment.publish(common, Phase::B, 0),
            Err(error) => self.fail(common, Phase::B, error),
        }
        self.ring_all(mpi);
        self.coll_segment.heard_from_all();
        crossed
    }

    /// Sends what `root` has to all members, unless it is not `able` to. The root determines the
    /// number of chunks.
    pub(super) fn spread(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        root: u32,
        able: Outcome,
    ) -> Outcome {
        self.quits_broken(mpi);
        if self.me() == root {
            return self.spread_own(mpi, buffer, able);
        }
        let mut done = able;
        self.begin_chunk(mpi, buffer.bytes());
        self.wait_for(mpi, root, Phase::A);
        if !self.coll_segment.has_words(root, Phase::A) {
            note(&mut done, self.take(root, buffer, root));
            self.retire();
            return done;
        }
        let bytes = self.coll_segment.word(root, Phase::A, 0) as usize;
        for chunk in chunks(bytes).map(|start| chunk_of(bytes, start)) {
            if chunk.start > 0 {
                self.retire();
                self.begin_chunk(mpi, bytes);
                self.wait_for(mpi, root, Phase::A);
            }
            // A short last chunk lies in the staging buffer, too: the line has the words.
            let staged = self.coll_segment.staged(root, Phase::A, STAGING_BYTES);
            let content = staged.get(..chunk.len()).unwrap_or_default();
            buffer.unpack_at(chunk.start.min(buffer.bytes()), content);
        }
        self.retire();
        note(&mut done, self.fills(root, bytes, buffer.bytes()));
        done
    }

    /// Performs the root's part of [`spread`](Self::spread). Rows of one of several chunks tell the
    /// length of the whole.
    fn spread_own(&mut self, mpi: &mut Mpi, buffer: &Buffer, able: Outcome) -> Outcome {
        let (me, bytes) = (self.me(), buffer.bytes());
        let mut starts = chunks(bytes);
        // Empty data take one call, too.
        let mut start = starts.next().or(Some(0));
        while let Some(first) = start {
            self.begin_chunk(mpi, bytes);
            let chunk = chunk_of(bytes, first);
            if able.is_err() || bytes <= STAGING_BYTES {
                self.post_chunk(me, buffer, chunk, &able);
            } else {
                let place =
                    &mut self.coll_segment.buffer(me, Phase::A, STAGING_BYTES)[..chunk.len()];
                self.copy_policies.write(me, buffer, chunk.start, place);
                self.coll_segment.set_words(Phase::A, &[bytes as u64]);
            }
            self.ring_all(mpi);
            self.retire();
            start = starts.next().filter(|_| able.is_ok());
        }
        able
    }

    /// Sends what one member has to another one. All members call this.
    pub(super) fn hand_over(
        &mut self,
        mpi: &mut Mpi,
        buffer: Option<&Buffer>,
        (from, to): (u32, u32),
        bytes: usize,
        able: Outcome,
    ) -> Outcome {
        self.quits_broken(mpi);
        let mut done = able;
        for chunk in chunks(bytes).map(|start| chunk_of(bytes, start)) {
            self.begin_chunk(mpi, bytes);
            if let (true, Some(buffer)) = (self.me() == from, buffer) {
                self.post_chunk(from, buffer, chunk, &done);
                self.ring(mpi, to);
            } else if let (true, Some(buffer)) = (self.me() == to, buffer) {
                self.wait_for(mpi, from, Phase::A);
                note(&mut done, self.take_chunk(from, buffer, chunk, from));
            }
            self.retire();
        }
        done
    }

    /// Reduces the members' contributions at `root`, into `value`, unless this process is not
    /// `able` to contribute.
    pub(super) fn combine(
        &mut self,
        mpi: &mut Mpi,
        (own, value): (&Buffer, Option<&Buffer>),
        (kernel, order): (&SliceKernel<'_>, Order),
        root: u32,
        able: Outcome,
    ) -> Outcome {
        self.quits_broken(mpi);
        let staged_max = self.site().staged_max();
        if own.bytes() > staged_max && self.direct && order == Order::Ranks {
            return match able {
                Ok(()) => self.reduce_direct(mpi, own, value, kernel, Results::At(root)),
                Err(error) => {
                    self.begin(mpi, 0);
                    self.meet_shown(mpi, Some(root), Err(error), |_, _| Ok(()))
                }
            };
        }
        let (count, each) = (own.count(), staged_max / kernel.element_bytes());
        let mut done = able;
        for first in (0..count).step_by(each) {
            let length = each.min(count - first);
            let part = own.part(first, length);
            match &done {
                Ok(()) => {
                    let value = value.map(|value| value.part(first, length));
                    let of_part = (&part, value.as_ref());
                    done = self.reduce_in(mpi, of_part, (kernel, order), root);
                }
                Err(error) => self.contribute_nothing(mpi, part.bytes(), root, error),
            }
        }
        done
    }

    /// Takes part in a reduction at `root` of `bytes` bytes without a contribution.
    #[cold]
    fn contribute_nothing(&mut self, mpi: &mut Mpi, bytes: usize, root: u32, error: &Error) {
        self.begin(mpi, bytes);
        self.fail(self.me(), Phase::A, error);
        if self.me() == root {
            // Members that took another data path wait until all have arrived.
            self.fail(self.coll_segment.common(), Phase::A, error);
        }
        self.ring_all(mpi);
        self.retire();
    }

    /// Collects the members' data at `root`, each at its range of bytes of `all`, which only the
    /// root has. The root's own data are there already.
    pub(super) fn collect_at(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        all: Option<&Buffer>,
        (ranges, root): (&[Range<usize>], u32),
        able: Outcome,
    ) -> Outcome {
        self.quits_broken(mpi);
        let longest = self.longest(ranges, root);
        let mut done = able;
        for start in chunks(longest) {
            self.begin_chunk(mpi, longest);
            let chunk = chunk_of(ranges[self.me() as usize].len(), start);
            match all {
                Some(all) => note(&mut done, self.collect_chunk(mpi, all, (ranges, root), start)),
                None if chunk.is_empty() => self.collected(mpi, root),
                None => {
                    self.post_chunk(self.me(), own, chunk, &done);
                    self.collected(mpi, root);
                }
            }
            self.retire();
        }
        done
    }

    /// Tells the root that this member's chunk lies in its row, if it has one. The root of members
    /// that share processors waits for the last one only.
    fn collected(&mut self, mpi: &mut Mpi, root: u32) {
        match self.oversubscribed {
            true => self.report(mpi, root, Phase::B),
            false => self.ring(mpi, root),
        }
    }

    fn collect_chunk(
        &mut self,
        mpi: &mut Mpi,
        all: &Buffer,
        (ranges, root): (&[Range<usize>], u32),
        start: usize,
    ) -> Outcome {
        if self.oversubscribed {
            self.wait_for(mpi, self.coll_segment.common(), Phase::B);
        }
        let mut done = Ok(());
        for row in self.others() {
            let range = &ranges[row as usize];
            let chunk = chunk_of(range.len(), start);
            if !chunk.is_empty() && row != root {
                self.wait_for(mpi, row, Phase::A);
                let chunk = range.start + chunk.start..range.start + chunk.end;
                note(&mut done, self.take_chunk(row, all, chunk, row));
            }
        }
        done
    }

    /// Deals data out that `root` has, to each member its range of bytes of `all`. Members other
    /// than the root get them in `own`.
    pub(super) fn deal(
        &mut self,
        mpi: &mut Mpi,
        all: Option<&Buffer>,
        own: &Buffer,
        (ranges, root): (&[Range<usize>], u32),
        able: Outcome,
    ) -> Outcome {
        self.quits_broken(mpi);
        let longest = self.longest(ranges, root);
        let mut done = able;
        for start in chunks(longest) {
            self.begin_chunk(mpi, longest);
            let chunk = chunk_of(ranges[self.me() as usize].len(), start);
            match all {
                Some(all) => self.deal_chunk(mpi, all, ranges, start, &done),
                None if chunk.is_empty() => {}
                None => {
                    self.wait_for(mpi, self.me(), Phase::A);
                    note(&mut done, self.take_chunk(self.me(), own, chunk, root));
                }
            }
            self.retire();
        }
        done
    }

    fn deal_chunk(
        &mut self,
        mpi: &mut Mpi,
        all: &Buffer,
        ranges: &[Range<usize>],
        start: usize,
        able: &Outcome,
    ) {
        for row in self.others() {
            let range = &ranges[row as usize];
            let chunk = chunk_of(range.len(), start);
            if !chunk.is_empty() {
                let chunk = range.start + chunk.start..range.start + chunk.end;
                self.post_chunk(row, all, chunk, able);
                self.ring(mpi, row);
            }
        }
    }

    /// Returns the most bytes of a member other than the root.
    fn longest(&self, ranges: &[Range<usize>], root: u32) -> usize {
        let others = (0..).zip(ranges).filter(|&(row, _)| row != root);
        others.map(|(_, range)| range.len()).max().unwrap_or(0)
    }
}
