//! Short calls: what the calls of the other files do in a few instructions, where all is as it mostly is.
//!
//! The law is that of short messages (memo 0003): what is to be known before a call begins is looked at first, and "no" has touched nothing, so that the
//! general way begins from the arguments. From there on the call is under way. If others do not come while this process looks, or what they have published
//! is not what belongs to the call, it has *begun*, and the general way goes on from there (`…_begun`): it waits, and explains.
//!
//! Predefined types and operators, all on one node. Where processors are shared, a call's time is that of all members' instructions, one after the other and
//! each of them cold, so few of them count there as well. Nothing here may do what the general way would not: one member goes this way and another one that.

use super::{LOOKS, NodeComm};
use crate::abi;
use crate::coll::{Schedule, looks_round};
use crate::comm::next_number;
use crate::engine::Engine;
use crate::handle;
use nemesis::Endpoint;
use nemesis::coll_segment::Phase;
use nemesis_datatype::{Dense, Joining};
use std::hint::cold_path;
use std::ops::Range;

/// What a row may have in a short call. All of them go through lines and rooms (`choice`).
pub const SHORT_MAX_BYTES: u32 = 1 << 10;

/// How far a short call came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Short {
    /// Nothing has happened.
    No,
    /// This process has published its part, if it has any, and the others' are not there, or not what they should be.
    Begun,
    Done,
}

impl Short {
    /// Of a call in which this process's part is published.
    #[inline(always)]
    fn of(done: bool) -> Short {
        if done { Short::Done } else { Short::Begun }
    }
}

/// This process's place at a communicator's board, before a call begins.
pub struct FastCall<'a> {
    node_comm: &'a mut NodeComm,
    endpoint: &'a Endpoint,
    schedule: &'a mut Schedule,
    /// Operations begun on the communicator.
    collectives: &'a mut u32,
}

impl Engine {
    /// Where a call on a communicator may go the short way. Where processors are shared, calls give theirs away inside, which only who comes `alone` may.
    #[inline(always)]
    pub fn fast_call(&mut self, comm: handle::Comm, alone: bool) -> Option<FastCall<'_>> {
        let (object, endpoint) = self.comm_and_endpoint(comm)?;
        if looks_round(object) {
            cold_path();
            return None;
        }
        let (node_comm, schedule) = object.blocking.as_deref_mut()?.node_comm()?;
        (alone || !node_comm.oversubscribed).then_some(FastCall {
            node_comm,
            endpoint,
            schedule,
            collectives: &mut object.collectives,
        })
    }
}

impl FastCall<'_> {
    /// This process's rank.
    #[inline(always)]
    pub fn rank(&self) -> u32 {
        self.node_comm.me()
    }

    /// How many processes meet.
    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.node_comm.members()
    }

    /// The next call begins, if all is free that a row of `bytes` bytes needs.
    #[inline(always)]
    fn begin(&mut self, bytes: usize) -> bool {
        let begins = self.node_comm.coll_segment.try_begin(bytes);
        if begins {
            self.schedule.renew(next_number(self.collectives));
        }
        begins
    }

    /// `MPI_Barrier`
    #[inline]
    pub fn barrier(mut self) -> Short {
        if !self.begin(0) {
            return Short::No;
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
        Short::of(met)
    }

    /// `MPI_Bcast` of some bytes. A root's is never only begun.
    #[inline]
    pub fn bcast(mut self, data: Dense, root: u32) -> Short {
        if root >= self.members() || !self.begin(data.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        if node_comm.me() == root {
            node_comm.post_short(data);
            node_comm.ring_all_by(endpoint);
        } else if node_comm.sees_bytes(root, data.len()) {
            data.put(node_comm.coll_segment.room(root, Phase::A, data.len()));
        } else {
            return Short::Begun;
        }
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Reduce` and `MPI_Gather` where this process is not the root: never only begun.
    #[inline]
    pub fn give(mut self, own: Dense, root: u32) -> Short {
        if root >= self.members() || !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        node_comm.ring_by(endpoint, root);
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Reduce` at the root, of which nothing is published when it has only begun. The result is not where the contribution is.
    #[inline]
    pub fn reduce(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, .. } = self;
        if !node_comm.see_others(|row| node_comm.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        node_comm.join_short(joining, 0..node_comm.members(), Some(own), result);
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Allreduce`. The result may be where the contribution is.
    #[inline]
    pub fn allreduce(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        if node_comm.oversubscribed {
            return Short::of(node_comm.allreduce_oversubscribed(endpoint, result, joining));
        }
        if !node_comm.meet_short(endpoint, own.len()) {
            return Short::Begun;
        }
        node_comm.join_short(joining, 0..node_comm.members(), None, result);
        Short::Done
    }

    /// `MPI_Scan`. The result may be where the contribution is.
    #[inline]
    pub fn scan(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let me = node_comm.me();
        node_comm.post_short(own);
        if node_comm.oversubscribed {
            return Short::of(node_comm.scan_oversubscribed(endpoint, result, joining));
        }
        (me + 1..node_comm.members()).for_each(|above| node_comm.ring_by(endpoint, above));
        if !(0..me).all(|row| node_comm.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        node_comm.join_short(joining, 0..me + 1, None, result);
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Reduce_scatter`: the result, which is not where the vector `own` is, gets the part from byte `start` on.
    #[inline]
    pub fn reduce_scatter(
        mut self,
        own: Dense,
        start: usize,
        result: Dense,
        joining: Joining,
    ) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        node_comm.post_short(own);
        if !node_comm.meet_short(endpoint, own.len()) {
            return Short::Begun;
        }
        for row in 0..node_comm.members() {
            let next =
                &node_comm.coll_segment.room(row, Phase::A, own.len())[start..][..result.len()];
            join(joining, row == 0, next, result);
        }
        Short::Done
    }

    /// `MPI_Gather` at the root, which has a block for each member; its own is there already if `own` is none.
    #[inline]
    pub fn gather(mut self, own: Option<Dense>, blocks: Dense, each: usize) -> Short {
        if !self.begin(each) {
            return Short::No;
        }
        let FastCall { node_comm, .. } = self;
        if !node_comm.see_others(|row| node_comm.sees_bytes(row, each)) {
            return Short::Begun;
        }
        node_comm.take_blocks(blocks, each, each, 0);
        if let Some(own) = own {
            blocks.part(node_comm.me() as usize * each, each).put(own.as_bytes());
        }
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Scatter` at the root: never only begun. Its own block stays where it is if `own` is none.
    #[inline]
    pub fn scatter(mut self, blocks: Dense, own: Option<Dense>, each: usize) -> Short {
        if !self.begin(each) {
            return Short::No;
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
        Short::Done
    }

    /// `MPI_Scatter` where this process is not the root.
    #[inline]
    pub fn get(mut self, own: Dense, root: u32) -> Short {
        if root >= self.members() || !self.begin(own.len()) {
            return Short::No;
        }
        let FastCall { node_comm, .. } = self;
        let row = node_comm.row_for(node_comm.me(), root);
        if !node_comm.sees_bytes(row, own.len()) {
            return Short::Begun;
        }
        own.put(node_comm.coll_segment.room(row, Phase::A, own.len()));
        node_comm.retire();
        Short::Done
    }

    /// `MPI_Allgather`. This process's block lies in its place already if `own` is none.
    #[inline]
    pub fn allgather(mut self, own: Option<Dense>, blocks: Dense, each: usize) -> Short {
        if !self.begin(each) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let place = blocks.part(node_comm.me() as usize * each, each);
        node_comm.post_short(own.unwrap_or(place));
        if let Some(own) = own {
            place.put(own.as_bytes());
        }
        if !node_comm.meet_short(endpoint, each) {
            return Short::Begun;
        }
        node_comm.take_blocks(blocks, each, each, 0);
        Short::Done
    }

    /// `MPI_Alltoall` of blocks of `each` bytes.
    #[inline]
    pub fn alltoall(mut self, sent: Dense, received: Dense, each: usize) -> Short {
        if !self.begin(sent.len()) {
            return Short::No;
        }
        let FastCall { node_comm, endpoint, .. } = self;
        let own = node_comm.me() as usize * each;
        node_comm.post_short(sent);
        received.part(own, each).put(sent.part(own, each).as_bytes());
        if !node_comm.meet_short(endpoint, sent.len()) {
            return Short::Begun;
        }
        node_comm.take_blocks(received, each, sent.len(), own);
        Short::Done
    }
}

impl NodeComm {
    /// Looks at a row until it is published, for a while; where processors are shared, between a few turns of others.
    #[inline(always)]
    fn sees(&self, row: u32) -> bool {
        if self.oversubscribed {
            return self
                .takes_turns(|| self.coll_segment.is_published(row, Phase::A), |turn| turn());
        }
        for _ in 0..LOOKS {
            if self.coll_segment.is_published(row, Phase::A) {
                return true;
            }
        }
        false
    }

    /// The same of a row that should have so many bytes; false if it has not.
    #[inline(always)]
    fn sees_bytes(&self, row: u32, bytes: usize) -> bool {
        self.sees(row) && self.coll_segment.length(row, Phase::A) == bytes
    }

    /// Whether that is so of all other rows.
    #[inline(always)]
    fn see_others(&self, sees: impl Fn(u32) -> bool) -> bool {
        for row in 0..self.members() {
            if row != self.me() && !sees(row) {
                return false;
            }
        }
        true
    }

    /// The same in a call in which everybody hears of everybody.
    #[inline(always)]
    fn hear_all(&mut self, sees: impl Fn(&NodeComm, u32) -> bool) -> bool {
        let heard = self.see_others(|row| sees(self, row));
        if heard {
            self.have_met();
        }
        heard
    }

    /// All meet, of whom each has published so many bytes.
    #[inline(always)]
    fn meet_short(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        if self.oversubscribed {
            return self.meet_oversubscribed(endpoint, bytes);
        }
        self.ring_all_by(endpoint);
        self.hear_all(|node_comm, row| node_comm.sees_bytes(row, bytes))
    }

    /// The same where processors are shared. This and what follows stand apart: in the calls themselves they would take registers away from the other way.
    #[inline(never)]
    fn meet_oversubscribed(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        self.arrive_at_counter(endpoint, NodeComm::open_arrival_counter) && self.are_even(bytes)
    }

    /// All meet where processors are shared; the last one to come publishes what comes of it in the common row.
    #[inline(always)]
    fn arrive_at_counter(&mut self, endpoint: &Endpoint, last: impl FnOnce(&mut NodeComm)) -> bool {
        let common = self.coll_segment.common();
        if self.coll_segment.arrive(Phase::A, self.members()) {
            last(self);
            self.ring_all_by(endpoint);
        } else if !self
            .takes_turns(|| self.coll_segment.is_published(common, Phase::A), |turn| turn())
        {
            return false;
        }
        self.have_met();
        true
    }

    /// That is nothing but that all are there.
    #[inline(always)]
    fn open_arrival_counter(&mut self) {
        self.coll_segment.publish(self.coll_segment.common(), Phase::A, 0);
    }

    /// Whether all rows have so many bytes.
    #[inline(always)]
    fn are_even(&self, bytes: usize) -> bool {
        (0..self.members()).all(|row| self.coll_segment.length(row, Phase::A) == bytes)
    }

    /// The last one to come to a gate fetches all rows, which lie in others' caches, at the same time.
    #[inline(always)]
    fn fetch_rows(&self) {
        (0..self.members()).for_each(|row| self.coll_segment.prepare_row(row));
    }

    /// `MPI_Allreduce` where processors are shared, of which this process's contribution is published.
    #[inline(never)]
    fn allreduce_oversubscribed(
        &mut self,
        endpoint: &Endpoint,
        result: Dense,
        joining: Joining,
    ) -> bool {
        let (common, bytes) = (self.coll_segment.common(), result.len());
        let met = self.arrive_at_counter(endpoint, |node_comm| {
            node_comm.fetch_rows();
            if node_comm.are_even(bytes) {
                node_comm.join_short(joining, 0..node_comm.members(), None, result);
                node_comm.coll_segment.post(common, Phase::A, result.as_bytes());
            } else {
                node_comm.coll_segment.fail(common, Phase::A, abi::MPI_ERR_OTHER as u32);
            }
        });
        let is_joined = met && self.coll_segment.length(common, Phase::A) == bytes;
        if is_joined {
            result.put(self.coll_segment.room(common, Phase::A, bytes));
        }
        is_joined
    }

    /// `MPI_Scan` where processors are shared, of which this process's contribution is published.
    #[inline(never)]
    fn scan_oversubscribed(
        &mut self,
        endpoint: &Endpoint,
        result: Dense,
        joining: Joining,
    ) -> bool {
        let (me, bytes) = (self.me(), result.len());
        let met = self.arrive_at_counter(endpoint, |node_comm| {
            node_comm.fetch_rows();
            node_comm.post_prefixes(bytes, true, |value, next| {
                joining.join(value, next);
                Ok(())
            });
            node_comm.open_arrival_counter();
        });
        let is_joined = met
            && self.coll_segment.is_published(me, Phase::B)
            && self.coll_segment.length(me, Phase::B) == bytes;
        if is_joined {
            result.put(self.coll_segment.room(me, Phase::B, bytes));
        }
        is_joined
    }

    /// All have been heard of.
    #[inline(always)]
    fn have_met(&mut self) {
        self.coll_segment.met_all();
        self.coll_segment.prepare_next();
    }

    /// Publishes this process's part.
    #[inline(always)]
    fn post_short(&mut self, own: Dense) {
        self.coll_segment.post(self.me(), Phase::A, own.as_bytes());
    }

    /// Takes from each of the others `each` bytes of the `whole` that it has published, from `start` on, into its block.
    #[inline(always)]
    fn take_blocks(&self, blocks: Dense, each: usize, whole: usize, start: usize) {
        for row in (0..self.members()).filter(|&row| row != self.me()) {
            blocks
                .part(row as usize * each, each)
                .put(&self.coll_segment.room(row, Phase::A, whole)[start..][..each]);
        }
    }

    /// Joins what rows from the first on have published, in their order, of which each has as many bytes as the value. This process's own need not be
    /// published.
    #[inline(always)]
    fn join_short(&self, joining: Joining, rows: Range<u32>, own: Option<Dense>, value: Dense) {
        for row in rows {
            match &own {
                Some(own) if row == self.me() => join(joining, row == 0, own.as_bytes(), value),
                _ => join(
                    joining,
                    row == 0,
                    self.coll_segment.room(row, Phase::A, value.len()),
                    value,
                ),
            }
        }
    }
}

#[inline(always)]
fn join(joining: Joining, is_first: bool, next: &[u8], mut value: Dense) {
    if is_first {
        value.put(next);
    } else {
        joining.join(value.as_bytes_mut(), next);
    }
}
