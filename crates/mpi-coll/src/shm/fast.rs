//! Fast path of short blocking collectives.
//!
//! A fast path declines before it has done anything. Once the call has begun and this process's
//! contribution is published, it returns [`Fast::Pending`] instead of waiting, or if the
//! contribution of another member does not belong to the call. The slow path resumes such a call
//! ([`NodeComm::resume`]): it waits, and it explains errors.
//!
//! The fast path takes predefined types and operators among processes of one node. On an
//! oversubscribed node, a call takes the time of all members' instructions, one after the other and
//! each with a cold cache, so the number of instructions counts there, too. A fast path must do
//! exactly what the general path does, because members of a call may take different ones.

use super::{NodeComm, SPINS};
use crate::abi;
use crate::comm::signature::{Kind, Sequence, Signature};
use nemesis::Endpoint;
use nemesis::coll_segment::Phase;
use nemesis_datatype::{Contiguous, ReduceKernel};
use nemesis_mpi_core::Fast;
use std::ops::Range;

/// Bytes of a row up to which a call may take the fast path. Rows of this length always use lines
/// and staging buffers (`site`).
pub const SHORT_MAX_BYTES: u32 = 1 << 10;

/// Returns how far a call came in which this process's contribution is published.
#[inline(always)]
fn published(done: bool) -> Fast {
    if done { Fast::Done(()) } else { Fast::Pending }
}

/// Returns the signature of a reduction.
#[inline(always)]
pub fn reducing(kind: Kind, kernel: ReduceKernel) -> Signature {
    Signature::new(kind).reducing(kernel.op(), kernel.class())
}

/// The view of a communicator's collective segment that a fast path uses.
pub struct FastCall<'a> {
    node_comm: &'a mut NodeComm,
    endpoint: &'a Endpoint,
    /// The operations begun on the communicator.
    collectives: &'a mut Sequence,
}

impl<'a> FastCall<'a> {
    /// Returns the view, or `None` if the slow path must be taken. `alone`: this thread is alone in
    /// the process. `collectives`: the operations begun on the communicator.
    #[inline(always)]
    pub fn new(
        node_comm: &'a mut NodeComm,
        endpoint: &'a Endpoint,
        collectives: &'a mut Sequence,
        alone: bool,
    ) -> Option<FastCall<'a>> {
        (alone || !node_comm.oversubscribed).then_some(FastCall {
            node_comm,
            endpoint,
            collectives,
        })
    }

    /// Returns this process's rank.
    #[inline(always)]
    pub fn rank(&self) -> u32 {
        self.node_comm.me()
    }

    /// Returns the number of members.
    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.node_comm.members()
    }

    /// Begins the next call, if all is free that a row of `bytes` bytes needs.
    #[inline(always)]
    fn begin(&mut self, bytes: usize, signature: Signature) -> bool {
        let begins = self.node_comm.coll_segment.may_begin(bytes);
        if begins {
            self.node_comm.coll_segment.set_history(self.collectives.begin(signature));
            self.node_comm.coll_segment.begin(bytes);
        }
        begins
    }

    /// Performs `MPI_Barrier`.
    #[inline]
    pub fn barrier(mut self) -> Fast {
        if !self.begin(0, Signature::new(Kind::Barrier)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let met = match node_comm.oversubscribed {
            true => node_comm.arrive_at_counter(endpoint, NodeComm::open_arrival_counter),
            false => {
                node_comm.coll_segment.publish(node_comm.me(), Phase::A, 0);
                node_comm.ring_all_by(endpoint);
                node_comm.hear_all(|node_comm, row| node_comm.sees(row))
            }
        };
        published(met)
    }

    /// Performs `MPI_Bcast`. At the root it never returns `Pending`.
    #[inline]
    pub fn bcast(mut self, data: Contiguous, root: u32) -> Fast {
        if root >= self.members()
            || !self.begin(data.len(), Signature::new(Kind::Bcast).rooted(root))
        {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        if node_comm.me() == root {
            node_comm.post_short(data);
            node_comm.ring_all_by(endpoint);
        } else if node_comm.sees_bytes(root, data.len()) {
            data.put(node_comm.coll_segment.staged(root, Phase::A, data.len()));
        } else {
            return Fast::Pending;
        }
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Reduce` or `MPI_Gather` at a process that is not the root. It never returns
    /// `Pending`.
    #[inline]
    pub fn give(mut self, own: Contiguous, root: u32, signature: Signature) -> Fast {
        if root >= self.members() || !self.begin(own.len(), signature) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        node_comm.ring_by(endpoint, root);
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Reduce` at the root, which has published nothing if this returns `Pending`.
    /// The result must not lie where the contribution does.
    #[inline]
    pub fn reduce(mut self, own: Contiguous, result: Contiguous, kernel: ReduceKernel) -> Fast {
        let root = self.rank();
        if !self.begin(own.len(), reducing(Kind::Reduce, kernel).rooted(root)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, .. } = self;
        if !node_comm.see_others(|row| node_comm.sees_bytes(row, own.len())) {
            return Fast::Pending;
        }
        node_comm.combine_short(kernel, 0..node_comm.members(), Some(own), result);
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Allreduce`. The result may lie where the contribution does.
    #[inline]
    pub fn allreduce(mut self, own: Contiguous, result: Contiguous, kernel: ReduceKernel) -> Fast {
        if !self.begin(own.len(), reducing(Kind::Allreduce, kernel)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        if node_comm.oversubscribed {
            return published(node_comm.allreduce_oversubscribed(endpoint, result, kernel));
        }
        if !node_comm.meet_short(endpoint, own.len()) {
            return Fast::Pending;
        }
        node_comm.combine_short(kernel, 0..node_comm.members(), None, result);
        Fast::Done(())
    }

    /// Performs `MPI_Scan`. The result may lie where the contribution does.
    #[inline]
    pub fn scan(mut self, own: Contiguous, result: Contiguous, kernel: ReduceKernel) -> Fast {
        if !self.begin(own.len(), reducing(Kind::Scan, kernel)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let me = node_comm.me();
        node_comm.post_short(own);
        if node_comm.oversubscribed {
            return published(node_comm.scan_oversubscribed(endpoint, result, kernel));
        }
        (me + 1..node_comm.members()).for_each(|above| node_comm.ring_by(endpoint, above));
        if !(0..me).all(|row| node_comm.sees_bytes(row, own.len())) {
            return Fast::Pending;
        }
        node_comm.combine_short(kernel, 0..me + 1, None, result);
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Reduce_scatter`: `result` gets the part of the reduced vector that begins at
    /// byte `start`. It must not lie where the vector `own` does.
    #[inline]
    pub fn reduce_scatter(
        mut self,
        own: Contiguous,
        start: usize,
        result: Contiguous,
        (kind, kernel): (Kind, ReduceKernel),
    ) -> Fast {
        if !self.begin(own.len(), reducing(kind, kernel)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        if !node_comm.meet_short(endpoint, own.len()) {
            return Fast::Pending;
        }
        for row in 0..node_comm.members() {
            let next =
                &node_comm.coll_segment.staged(row, Phase::A, own.len())[start..][..result.len()];
            combine(kernel, row == 0, next, result);
        }
        Fast::Done(())
    }

    /// Performs `MPI_Gather` at the root, which has a block for each member. Without `own`, the
    /// root's block is in place.
    #[inline]
    pub fn gather(mut self, own: Option<Contiguous>, blocks: Contiguous, each: usize) -> Fast {
        let root = self.rank();
        if !self.begin(each, Signature::new(Kind::Gather).rooted(root)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, .. } = self;
        if !node_comm.see_others(|row| node_comm.sees_bytes(row, each)) {
            return Fast::Pending;
        }
        node_comm.take_blocks(blocks, each, each, 0);
        if let Some(own) = own {
            blocks.part(node_comm.me() as usize * each, each).put(own.as_bytes());
        }
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Scatter` at the root. It never returns `Pending`. Without `own`, the root's
    /// block stays in place.
    #[inline]
    pub fn scatter(mut self, blocks: Contiguous, own: Option<Contiguous>, each: usize) -> Fast {
        let root = self.rank();
        if !self.begin(each, Signature::new(Kind::Scatter).rooted(root)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let me = node_comm.me();
        for member in (0..node_comm.members()).filter(|&member| member != me) {
            node_comm.coll_segment.post(
                node_comm.row_for(member, me),
                Phase::A,
                blocks.part(member as usize * each, each).as_bytes(),
            );
            node_comm.ring_by(endpoint, member);
        }
        if let Some(own) = own {
            own.put(blocks.part(me as usize * each, each).as_bytes());
        }
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Scatter` at a process that is not the root.
    #[inline]
    pub fn get(mut self, own: Contiguous, root: u32) -> Fast {
        if root >= self.members()
            || !self.begin(own.len(), Signature::new(Kind::Scatter).rooted(root))
        {
            return Fast::Declined;
        }
        let FastCall { node_comm, .. } = self;
        let row = node_comm.row_for(node_comm.me(), root);
        if !node_comm.sees_bytes(row, own.len()) {
            return Fast::Pending;
        }
        own.put(node_comm.coll_segment.staged(row, Phase::A, own.len()));
        node_comm.retire();
        Fast::Done(())
    }

    /// Performs `MPI_Allgather`. Without `own`, this process's block is in place.
    #[inline]
    pub fn allgather(mut self, own: Option<Contiguous>, blocks: Contiguous, each: usize) -> Fast {
        if !self.begin(each, Signature::new(Kind::Allgather)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let place = blocks.part(node_comm.me() as usize * each, each);
        node_comm.post_short(own.unwrap_or(place));
        if let Some(own) = own {
            place.put(own.as_bytes());
        }
        if !node_comm.meet_short(endpoint, each) {
            return Fast::Pending;
        }
        node_comm.take_blocks(blocks, each, each, 0);
        Fast::Done(())
    }

    /// Performs `MPI_Alltoall` of blocks of `each` bytes.
    #[inline]
    pub fn alltoall(mut self, sent: Contiguous, received: Contiguous, each: usize) -> Fast {
        if !self.begin(sent.len(), Signature::new(Kind::Alltoall)) {
            return Fast::Declined;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let own = node_comm.me() as usize * each;
        node_comm.post_short(sent);
        received.part(own, each).put(sent.part(own, each).as_bytes());
        if !node_comm.meet_short(endpoint, sent.len()) {
            return Fast::Pending;
        }
        node_comm.take_blocks(received, each, sent.len(), own);
        Fast::Done(())
    }
}

impl NodeComm {
    /// Polls a row for a while until it is published. On an oversubscribed node it yields a few
    /// times instead.
    #[inline(always)]
    fn sees(&self, row: u32) -> bool {
        if self.oversubscribed {
            return self
                .yields_until(|| self.coll_segment.is_published(row, Phase::A), |turn| turn());
        }
        for _ in 0..SPINS {
            if self.coll_segment.is_published(row, Phase::A) {
                return true;
            }
        }
        false
    }

    /// Polls a row for a while and returns whether it is published with `bytes` bytes.
    #[inline(always)]
    fn sees_bytes(&self, row: u32, bytes: usize) -> bool {
        self.sees(row) && self.coll_segment.length(row, Phase::A) == bytes
    }

    /// Returns whether `sees` is true of every other row.
    #[inline(always)]
    fn see_others(&self, sees: impl Fn(u32) -> bool) -> bool {
        for row in 0..self.members() {
            if row != self.me() && !sees(row) {
                return false;
            }
        }
        true
    }

    /// Returns whether `sees` is true of every other row, in a call in which every member hears of
    /// every other.
    #[inline(always)]
    fn hear_all(&mut self, sees: impl Fn(&NodeComm, u32) -> bool) -> bool {
        let heard = self.see_others(|row| sees(self, row));
        if heard {
            self.have_met();
        }
        heard
    }

    /// Synchronises all members, each of which has published `bytes` bytes.
    #[inline(always)]
    fn meet_short(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        if self.oversubscribed {
            return self.meet_oversubscribed(endpoint, bytes);
        }
        self.ring_all_by(endpoint);
        self.hear_all(|node_comm, row| node_comm.polls_bytes(row, bytes))
    }

    /// Polls a row for a while, on a node that is not oversubscribed, and returns whether it is
    /// published with `bytes` bytes.
    #[inline(always)]
    fn polls_bytes(&self, row: u32, bytes: usize) -> bool {
        for _ in 0..SPINS {
            if self.coll_segment.is_published(row, Phase::A) {
                return self.coll_segment.length(row, Phase::A) == bytes;
            }
        }
        false
    }

    /// Synchronises all members of an oversubscribed node, each of which has published `bytes`
    /// bytes. This function and those below are not inlined: in the calls they would take registers
    /// from the other path.
    #[inline(never)]
    fn meet_oversubscribed(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        self.arrive_at_counter(endpoint, |node_comm| {
            node_comm.have_come() && node_comm.open_arrival_counter()
        }) && self.are_even(bytes)
    }

    /// Arrives at the arrival counter of an oversubscribed node. The last member to arrive runs
    /// `last`, which publishes the common row. `last` returns false if the row of a member is
    /// missing that publishes one in this call: this member is in another operation.
    #[inline(always)]
    fn arrive_at_counter(
        &mut self,
        endpoint: &Endpoint,
        last: impl FnOnce(&mut NodeComm) -> bool,
    ) -> bool {
        let common = self.coll_segment.common();
        if self.coll_segment.arrive(Phase::A, self.members()) {
            if !last(self) {
                return false;
            }
            self.ring_all_by(endpoint);
        } else if !self
            .yields_until(|| self.coll_segment.is_published(common, Phase::A), |turn| turn())
        {
            return false;
        }
        self.have_met();
        true
    }

    /// Publishes an empty common row: all members have arrived. Returns true.
    #[inline(always)]
    fn open_arrival_counter(&mut self) -> bool {
        self.coll_segment.publish(self.coll_segment.common(), Phase::A, 0);
        true
    }

    /// Returns whether all rows have `bytes` bytes.
    #[inline(always)]
    fn are_even(&self, bytes: usize) -> bool {
        (0..self.members()).all(|row| self.coll_segment.length(row, Phase::A) == bytes)
    }

    /// Returns whether all rows are published with `bytes` bytes.
    #[inline(always)]
    fn have_come_with(&self, bytes: usize) -> bool {
        (0..self.members()).all(|row| self.coll_segment.is_published_with(row, Phase::A, bytes))
    }

    /// Prefetches all rows, which lie in other processors' caches, at the last member to arrive.
    #[inline(always)]
    fn fetch_rows(&self) {
        (0..self.members()).for_each(|row| self.coll_segment.prefetch_row(row));
    }

    /// Performs `MPI_Allreduce` on an oversubscribed node. This process's contribution is
    /// published.
    #[inline(never)]
    fn allreduce_oversubscribed(
        &mut self,
        endpoint: &Endpoint,
        result: Contiguous,
        kernel: ReduceKernel,
    ) -> bool {
        let (common, bytes) = (self.coll_segment.common(), result.len());
        let met = self.arrive_at_counter(endpoint, |node_comm| {
            node_comm.fetch_rows();
            if !node_comm.have_come_with(bytes) {
                return node_comm.fail_if_come(common);
            }
            node_comm.combine_short(kernel, 0..node_comm.members(), None, result);
            node_comm.coll_segment.post(common, Phase::A, result.as_bytes());
            true
        });
        let is_combined = met && self.coll_segment.length(common, Phase::A) == bytes;
        if is_combined {
            result.put(self.coll_segment.staged(common, Phase::A, bytes));
        }
        is_combined
    }

    /// Publishes in the common row that rows have different lengths, unless one is missing. Returns
    /// whether all have come.
    #[cold]
    fn fail_if_come(&self, common: u32) -> bool {
        let have_come = self.have_come();
        if have_come {
            self.coll_segment.fail(common, Phase::A, abi::MPI_ERR_OTHER.value() as u32);
        }
        have_come
    }

    /// Performs `MPI_Scan` on an oversubscribed node. This process's contribution is published.
    #[inline(never)]
    fn scan_oversubscribed(
        &mut self,
        endpoint: &Endpoint,
        result: Contiguous,
        kernel: ReduceKernel,
    ) -> bool {
        let (me, bytes) = (self.me(), result.len());
        let met = self.arrive_at_counter(endpoint, |node_comm| {
            node_comm.fetch_rows();
            if !node_comm.have_come() {
                return false;
            }
            node_comm.post_prefixes(bytes, true, |value, next| {
                kernel.reduce(value, next);
                Ok(())
            });
            node_comm.open_arrival_counter()
        });
        let is_combined = met
            && self.coll_segment.is_published(me, Phase::B)
            && self.coll_segment.length(me, Phase::B) == bytes;
        if is_combined {
            result.put(self.coll_segment.staged(me, Phase::B, bytes));
        }
        is_combined
    }

    /// Ends a call in which all members have been heard of.
    #[inline(always)]
    fn have_met(&mut self) {
        self.coll_segment.heard_from_all();
        self.coll_segment.prefetch_next_line();
    }

    /// Publishes this process's contribution.
    #[inline(always)]
    fn post_short(&mut self, own: Contiguous) {
        self.coll_segment.post(self.me(), Phase::A, own.as_bytes());
    }

    /// Copies `each` bytes from byte `start` of each other row, which has `whole` bytes, to that
    /// row's block.
    #[inline(always)]
    fn take_blocks(&self, blocks: Contiguous, each: usize, whole: usize, start: usize) {
        for row in (0..self.members()).filter(|&row| row != self.me()) {
            blocks
                .part(row as usize * each, each)
                .put(&self.coll_segment.staged(row, Phase::A, whole)[start..][..each]);
        }
    }

    /// Reduces the rows of a range in their order into `value`; each row has that length. This
    /// process's own contribution need not be published if it is passed.
    #[inline(always)]
    fn combine_short(
        &self,
        kernel: ReduceKernel,
        rows: Range<u32>,
        own: Option<Contiguous>,
        value: Contiguous,
    ) {
        for row in rows {
            match &own {
                Some(own) if row == self.me() => combine(kernel, row == 0, own.as_bytes(), value),
                _ => combine(
                    kernel,
                    row == 0,
                    self.coll_segment.staged(row, Phase::A, value.len()),
                    value,
                ),
            }
        }
    }
}

#[inline(always)]
fn combine(kernel: ReduceKernel, is_first: bool, next: &[u8], mut value: Contiguous) {
    if is_first {
        value.put(next);
    } else {
        kernel.reduce(value.as_bytes_mut(), next);
    }
}
