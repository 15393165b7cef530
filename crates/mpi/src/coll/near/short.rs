//! Short calls: what the calls of the other files do in a few instructions, where all is as it mostly is.
//!
//! The law is that of short messages (memo 0003): what is to be known before a call begins is looked at first, and "no" has touched nothing, so that the
//! general way begins from the arguments. From there on the call is under way. If others do not come while this process looks, or what they have published
//! is not what belongs to the call, it has *begun*, and the general way goes on from there (`…_begun`): it waits, and explains.
//!
//! Predefined types and operators, all on one node. Where processors are shared, a call's time is that of all members' instructions, one after the other and
//! each of them cold, so few of them count there as well. Nothing here may do what the general way would not: one member goes this way and another one that.

use super::{Circle, LOOKS};
use crate::abi;
use crate::coll::{Schedule, looks_round};
use crate::comm::next_number;
use crate::engine::Engine;
use crate::handle;
use nemesis::Endpoint;
use nemesis::board::Phase;
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
pub struct Seat<'a> {
    circle: &'a mut Circle,
    endpoint: &'a Endpoint,
    schedule: &'a mut Schedule,
    /// Operations begun on the communicator.
    collectives: &'a mut u32,
}

impl Engine {
    /// Where a call on a communicator may go the short way. Where processors are shared, calls give theirs away inside, which only who comes `alone` may.
    #[inline(always)]
    pub fn seat(&mut self, comm: handle::Comm, alone: bool) -> Option<Seat<'_>> {
        let (object, endpoint) = self.comm_and_endpoint(comm)?;
        if looks_round(object) {
            cold_path();
            return None;
        }
        let (circle, schedule) = object.blocking.as_deref_mut()?.circle()?;
        (alone || !circle.crowded).then_some(Seat { circle, endpoint, schedule, collectives: &mut object.collectives })
    }
}

impl Seat<'_> {
    /// This process's rank.
    #[inline(always)]
    pub fn rank(&self) -> u32 {
        self.circle.me()
    }

    /// How many processes meet.
    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.circle.members()
    }

    /// The next call begins, if all is free that a row of `bytes` bytes needs.
    #[inline(always)]
    fn begin(&mut self, bytes: usize) -> bool {
        let begins = self.circle.board.try_begin(bytes);
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
        let Seat { circle, endpoint, .. } = self;
        let met = match circle.crowded {
            true => circle.meet_at_gate(endpoint, Circle::open_gate),
            false => {
                circle.board.publish(circle.me(), Phase::A, 0);
                circle.ring_all_by(endpoint);
                circle.hear_all(|circle, row| circle.sees(row))
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
        let Seat { circle, endpoint, .. } = self;
        if circle.me() == root {
            circle.post_short(data);
            circle.ring_all_by(endpoint);
        } else if circle.sees_bytes(root, data.len()) {
            data.put(circle.board.room(root, Phase::A, data.len()));
        } else {
            return Short::Begun;
        }
        circle.retire();
        Short::Done
    }

    /// `MPI_Reduce` and `MPI_Gather` where this process is not the root: never only begun.
    #[inline]
    pub fn give(mut self, own: Dense, root: u32) -> Short {
        if root >= self.members() || !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        circle.post_short(own);
        circle.ring_by(endpoint, root);
        circle.retire();
        Short::Done
    }

    /// `MPI_Reduce` at the root, of which nothing is published when it has only begun. The result is not where the contribution is.
    #[inline]
    pub fn reduce(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, .. } = self;
        if !circle.see_others(|row| circle.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        circle.join_short(joining, 0..circle.members(), Some(own), result);
        circle.retire();
        Short::Done
    }

    /// `MPI_Allreduce`. The result may be where the contribution is.
    #[inline]
    pub fn allreduce(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        circle.post_short(own);
        if circle.crowded {
            return Short::of(circle.allreduce_in_crowd(endpoint, result, joining));
        }
        if !circle.meet_short(endpoint, own.len()) {
            return Short::Begun;
        }
        circle.join_short(joining, 0..circle.members(), None, result);
        Short::Done
    }

    /// `MPI_Scan`. The result may be where the contribution is.
    #[inline]
    pub fn scan(mut self, own: Dense, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        let me = circle.me();
        circle.post_short(own);
        if circle.crowded {
            return Short::of(circle.scan_in_crowd(endpoint, result, joining));
        }
        (me + 1..circle.members()).for_each(|above| circle.ring_by(endpoint, above));
        if !(0..me).all(|row| circle.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        circle.join_short(joining, 0..me + 1, None, result);
        circle.retire();
        Short::Done
    }

    /// `MPI_Reduce_scatter`: the result, which is not where the vector `own` is, gets the part from byte `start` on.
    #[inline]
    pub fn reduce_scatter(mut self, own: Dense, start: usize, result: Dense, joining: Joining) -> Short {
        if !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        circle.post_short(own);
        if !circle.meet_short(endpoint, own.len()) {
            return Short::Begun;
        }
        for row in 0..circle.members() {
            let next = &circle.board.room(row, Phase::A, own.len())[start..][..result.len()];
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
        let Seat { circle, .. } = self;
        if !circle.see_others(|row| circle.sees_bytes(row, each)) {
            return Short::Begun;
        }
        circle.take_blocks(blocks, each, each, 0);
        if let Some(own) = own {
            blocks.part(circle.me() as usize * each, each).put(own.as_bytes());
        }
        circle.retire();
        Short::Done
    }

    /// `MPI_Scatter` at the root: never only begun. Its own block stays where it is if `own` is none.
    #[inline]
    pub fn scatter(mut self, blocks: Dense, own: Option<Dense>, each: usize) -> Short {
        if !self.begin(each) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        let me = circle.me();
        for member in (0..circle.members()).filter(|&member| member != me) {
            circle.board.post(circle.row_for(member, me), Phase::A, blocks.part(member as usize * each, each).as_bytes());
            circle.ring_by(endpoint, member);
        }
        if let Some(own) = own {
            own.put(blocks.part(me as usize * each, each).as_bytes());
        }
        circle.retire();
        Short::Done
    }

    /// `MPI_Scatter` where this process is not the root.
    #[inline]
    pub fn get(mut self, own: Dense, root: u32) -> Short {
        if root >= self.members() || !self.begin(own.len()) {
            return Short::No;
        }
        let Seat { circle, .. } = self;
        let row = circle.row_for(circle.me(), root);
        if !circle.sees_bytes(row, own.len()) {
            return Short::Begun;
        }
        own.put(circle.board.room(row, Phase::A, own.len()));
        circle.retire();
        Short::Done
    }

    /// `MPI_Allgather`. This process's block lies in its place already if `own` is none.
    #[inline]
    pub fn allgather(mut self, own: Option<Dense>, blocks: Dense, each: usize) -> Short {
        if !self.begin(each) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        let place = blocks.part(circle.me() as usize * each, each);
        circle.post_short(own.unwrap_or(place));
        if let Some(own) = own {
            place.put(own.as_bytes());
        }
        if !circle.meet_short(endpoint, each) {
            return Short::Begun;
        }
        circle.take_blocks(blocks, each, each, 0);
        Short::Done
    }

    /// `MPI_Alltoall` of blocks of `each` bytes.
    #[inline]
    pub fn alltoall(mut self, sent: Dense, received: Dense, each: usize) -> Short {
        if !self.begin(sent.len()) {
            return Short::No;
        }
        let Seat { circle, endpoint, .. } = self;
        let own = circle.me() as usize * each;
        circle.post_short(sent);
        received.part(own, each).put(sent.part(own, each).as_bytes());
        if !circle.meet_short(endpoint, sent.len()) {
            return Short::Begun;
        }
        circle.take_blocks(received, each, sent.len(), own);
        Short::Done
    }
}

impl Circle {
    /// Looks at a row until it is published, for a while; where processors are shared, between a few turns of others.
    #[inline(always)]
    fn sees(&self, row: u32) -> bool {
        if self.crowded {
            return self.takes_turns(|| self.board.is_published(row, Phase::A), |turn| turn());
        }
        for _ in 0..LOOKS {
            if self.board.is_published(row, Phase::A) {
                return true;
            }
        }
        false
    }

    /// The same of a row that should have so many bytes; false if it has not.
    #[inline(always)]
    fn sees_bytes(&self, row: u32, bytes: usize) -> bool {
        self.sees(row) && self.board.length(row, Phase::A) == bytes
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
    fn hear_all(&mut self, sees: impl Fn(&Circle, u32) -> bool) -> bool {
        let heard = self.see_others(|row| sees(self, row));
        if heard {
            self.have_met();
        }
        heard
    }

    /// All meet, of whom each has published so many bytes.
    #[inline(always)]
    fn meet_short(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        if self.crowded {
            return self.meet_in_crowd(endpoint, bytes);
        }
        self.ring_all_by(endpoint);
        self.hear_all(|circle, row| circle.sees_bytes(row, bytes))
    }

    /// The same where processors are shared. This and what follows stand apart: in the calls themselves they would take registers away from the other way.
    #[inline(never)]
    fn meet_in_crowd(&mut self, endpoint: &Endpoint, bytes: usize) -> bool {
        self.meet_at_gate(endpoint, Circle::open_gate) && self.are_even(bytes)
    }

    /// All meet where processors are shared; the last one to come publishes what comes of it in the common row.
    #[inline(always)]
    fn meet_at_gate(&mut self, endpoint: &Endpoint, last: impl FnOnce(&mut Circle)) -> bool {
        let common = self.board.common();
        if self.board.arrive(Phase::A, self.members()) {
            last(self);
            self.ring_all_by(endpoint);
        } else if !self.takes_turns(|| self.board.is_published(common, Phase::A), |turn| turn()) {
            return false;
        }
        self.have_met();
        true
    }

    /// That is nothing but that all are there.
    #[inline(always)]
    fn open_gate(&mut self) {
        self.board.publish(self.board.common(), Phase::A, 0);
    }

    /// Whether all rows have so many bytes.
    #[inline(always)]
    fn are_even(&self, bytes: usize) -> bool {
        (0..self.members()).all(|row| self.board.length(row, Phase::A) == bytes)
    }

    /// The last one to come to a gate fetches all rows, which lie in others' caches, at the same time.
    #[inline(always)]
    fn fetch_rows(&self) {
        (0..self.members()).for_each(|row| self.board.prepare_row(row));
    }

    /// `MPI_Allreduce` where processors are shared, of which this process's contribution is published.
    #[inline(never)]
    fn allreduce_in_crowd(&mut self, endpoint: &Endpoint, result: Dense, joining: Joining) -> bool {
        let (common, bytes) = (self.board.common(), result.len());
        let met = self.meet_at_gate(endpoint, |circle| {
            circle.fetch_rows();
            if circle.are_even(bytes) {
                circle.join_short(joining, 0..circle.members(), None, result);
                circle.board.post(common, Phase::A, result.as_bytes());
            } else {
                circle.board.fail(common, Phase::A, abi::MPI_ERR_OTHER as u32);
            }
        });
        let is_joined = met && self.board.length(common, Phase::A) == bytes;
        if is_joined {
            result.put(self.board.room(common, Phase::A, bytes));
        }
        is_joined
    }

    /// `MPI_Scan` where processors are shared, of which this process's contribution is published.
    #[inline(never)]
    fn scan_in_crowd(&mut self, endpoint: &Endpoint, result: Dense, joining: Joining) -> bool {
        let (me, bytes) = (self.me(), result.len());
        let met = self.meet_at_gate(endpoint, |circle| {
            circle.fetch_rows();
            circle.post_prefixes(bytes, true, |value, next| {
                joining.join(value, next);
                Ok(())
            });
            circle.open_gate();
        });
        let is_joined = met && self.board.is_published(me, Phase::B) && self.board.length(me, Phase::B) == bytes;
        if is_joined {
            result.put(self.board.room(me, Phase::B, bytes));
        }
        is_joined
    }

    /// All have been heard of.
    #[inline(always)]
    fn have_met(&mut self) {
        self.board.met_all();
        self.board.prepare_next();
    }

    /// Publishes this process's part.
    #[inline(always)]
    fn post_short(&mut self, own: Dense) {
        self.board.post(self.me(), Phase::A, own.as_bytes());
    }

    /// Takes from each of the others `each` bytes of the `whole` that it has published, from `start` on, into its block.
    #[inline(always)]
    fn take_blocks(&self, blocks: Dense, each: usize, whole: usize, start: usize) {
        for row in (0..self.members()).filter(|&row| row != self.me()) {
            blocks.part(row as usize * each, each).put(&self.board.room(row, Phase::A, whole)[start..][..each]);
        }
    }

    /// Joins what rows from the first on have published, in their order, of which each has as many bytes as the value. This process's own need not be
    /// published.
    #[inline(always)]
    fn join_short(&self, joining: Joining, rows: Range<u32>, own: Option<Dense>, value: Dense) {
        for row in rows {
            match &own {
                Some(own) if row == self.me() => join(joining, row == 0, own.as_bytes(), value),
                _ => join(joining, row == 0, self.board.room(row, Phase::A, value.len()), value),
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
