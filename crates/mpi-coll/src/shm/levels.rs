//! The levels of a node, as one of its members sees them: the groups to which it belongs, and the
//! parts of an operation that pass through them.
//!
//! ```text
//!   to a root      members ─► leader ─► leaders ─► the root's leader ─► root
//!   from a root    root ─► the root's leader ─► leaders ─► members
//! ```
//!
//! Data for a root, or from it, pass through the leader of its group, because only leaders take
//! part in the next level. A broadcast needs no such step: the other members of the root's group
//! get the data with their leader.
//!
//! Roots are given by their positions (`division`), and data of several members lie in the order of
//! positions.

use super::division::{Division, Group};
use super::{NodeComm, Order};
use crate::blocks::uneven_bytes;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use crate::operator::SliceKernel;
use crate::{scratch, scratch_bytes};
use nemesis_datatype::{Buffer, copy};
use std::ops::Range;

/// A group and its collective segment, which a group of one member lacks.
#[derive(Debug)]
pub struct Level {
    pub group: Group,
    pub node_comm: Option<NodeComm>,
}

/// The groups to which a member of a node belongs, from the first level on.
#[derive(Debug)]
pub struct Levels {
    levels: Vec<Level>,
    division: Division,
    position: u32,
    /// The order in which a group reduces its members' contributions.
    order: Order,
}

impl Level {
    /// Returns the ranges of bytes of the group's members, counted from the first of them.
    /// `offsets`: by position, where data begin; the last entry is where they end.
    fn ranges(&self, offsets: &[usize]) -> Vec<Range<usize>> {
        let offset = |position: u32| offsets[position as usize];
        let spans = &self.group.spans;
        let base = spans.first().map_or(0, |span| offset(span.start));
        spans.iter().map(|span| offset(span.start) - base..offset(span.end) - base).collect()
    }
}

impl Levels {
    /// Creates the view of a member. `levels`: those of [`Division::groups_of`] it.
    pub fn new(levels: Vec<Level>, division: Division, member: u32, order: Order) -> Levels {
        let position = division.position_of(member);
        Levels { levels, division, position, order }
    }

    /// Returns the segments of this member's groups.
    pub fn node_comms(&mut self) -> impl Iterator<Item = &mut NodeComm> {
        self.levels.iter_mut().filter_map(|level| level.node_comm.as_mut())
    }

    /// Returns the segments of this member's groups.
    pub fn into_node_comms(self) -> impl Iterator<Item = NodeComm> {
        self.levels.into_iter().filter_map(|level| level.node_comm)
    }

    /// Sets the communicator and its history for the calls that begin from now on.
    pub fn set_history(&mut self, comm: handle::Comm, history: u64) {
        self.node_comms().for_each(|node_comm| node_comm.set_history(comm, history));
    }

    /// Returns the index of this member in the node.
    pub fn member(&self) -> u32 {
        self.division.member_at(self.position)
    }

    /// Returns how the node is divided.
    pub fn division(&self) -> &Division {
        &self.division
    }

    /// Returns the index of the last level.
    fn top(&self) -> usize {
        self.division.depth() - 1
    }

    /// Waits at the first member until all members have come; the others proceed.
    pub fn arrive(&mut self, mpi: &mut Mpi) {
        self.node_comms().for_each(|node_comm| node_comm.arrive_at(mpi, 0));
    }

    /// Releases the members that have arrived, and tells them if the first one failed.
    pub fn release(&mut self, mpi: &mut Mpi, crossed: Outcome) -> Outcome {
        let levels = self.levels.iter_mut().rev().filter_map(|level| level.node_comm.as_mut());
        levels.fold(crossed, |crossed, node_comm| node_comm.release(mpi, 0, crossed))
    }

    /// Sends what the member at `root` has to all members, unless it is not `able` to.
    pub fn spread(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32, able: Outcome) -> Outcome {
        let of_root = self.levels.iter().position(|level| level.group.seat_of(root).is_some());
        let of_root = of_root.unwrap_or(self.levels.len());
        let mut done = able;
        let (below, above) = self.levels.split_at_mut(of_root);
        for level in above {
            let seat = level.group.seat_of(root).unwrap_or(0);
            if let Some(node_comm) = &mut level.node_comm {
                done = node_comm.spread(mpi, buffer, seat, done);
            }
        }
        for level in below.iter_mut().rev() {
            if let Some(node_comm) = &mut level.node_comm {
                done = node_comm.spread(mpi, buffer, 0, done);
            }
        }
        done
    }

    /// Reduces the members' contributions at `root`, into its `value` if it could allocate memory.
    pub fn combine(
        &mut self,
        mpi: &mut Mpi,
        (own, value): (&Buffer, Option<&Buffer>),
        kernel: &SliceKernel<'_>,
        root: u32,
    ) -> Outcome {
        let (top, is_root, order) = (self.top(), self.position == root, self.order);
        // Where a total lies at this member: at the root it is the result.
        let place = || match (is_root, value) {
            (true, Some(value)) => Ok(value.clone()),
            _ => scratch(own.count(), own.datatype()),
        };
        let (mut held, mut done) = (own.clone(), Ok(()));
        for (index, level) in self.levels.iter_mut().enumerate() {
            let seat = if index == top { level.group.seat_of(root).unwrap_or(0) } else { 0 };
            let Some(node_comm) = &mut level.node_comm else { continue };
            let value = if level.group.me == seat { Some(place()) } else { None };
            let value = value.transpose();
            let able = done.and(value.as_ref().map(drop).map_err(Clone::clone));
            let value = value.unwrap_or_default();
            done = node_comm.combine(mpi, (&held, value.as_ref()), (kernel, order), seat, able);
            held = value.unwrap_or(held);
        }
        let bytes = own.bytes();
        let (held, done) = self.hand_down(mpi, held, root, bytes, done, |_| place());
        if let (true, Some(value)) = (is_root, value)
            && held.address() != value.address()
        {
            copy(&held, value);
        }
        done
    }

    /// Hands what the last group has collected down from the leader of each of the root's groups to
    /// the member that stands for the root. Returns what this member has then.
    fn hand_down(
        &mut self,
        mpi: &mut Mpi,
        mut held: Buffer,
        root: u32,
        bytes: usize,
        mut done: Outcome,
        place: impl Fn(usize) -> Outcome<Buffer>,
    ) -> (Buffer, Outcome) {
        let depth = self.top().min(self.levels.len());
        for level in self.levels[..depth].iter_mut().rev() {
            let (Some(seat), Some(node_comm)) = (level.group.seat_of(root), &mut level.node_comm)
            else {
                continue;
            };
            if seat == 0 {
                continue;
            }
            if level.group.me == seat {
                match place(bytes) {
                    Ok(place) => held = place,
                    Err(error) => done = done.and(Err(error)),
                }
            }
            let takes_part = level.group.me == 0 || level.group.me == seat;
            let buffer = takes_part.then_some(&held);
            done = node_comm.hand_over(mpi, buffer, (0, seat), bytes, done);
        }
        (held, done)
    }

    /// Collects the members' data at `root`, where they are returned. `offsets`: by position, where
    /// the data of a member begin, and where the last ones end.
    pub fn collect(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        offsets: &[usize],
        root: u32,
        able: Outcome,
    ) -> Outcome<Buffer> {
        let top = self.top();
        let position = self.position as usize;
        let expected = offsets[position + 1] - offsets[position];
        let (mut held, mut done) = (own.clone(), able);
        if own.bytes() != expected {
            done = done.and(Err(uneven_bytes(own.bytes(), expected)));
        }
        for (index, level) in self.levels.iter_mut().enumerate() {
            let seat = if index == top { level.group.seat_of(root).unwrap_or(0) } else { 0 };
            let ranges = level.ranges(offsets);
            let mut all = None;
            if level.group.me == seat {
                match scratch_bytes(ranges.last().map_or(0, |range| range.end)) {
                    Ok(place) => {
                        let range = &ranges[seat as usize];
                        copy(&held, &place.part(range.start, range.len()));
                        all = Some(place);
                    }
                    Err(error) => {
                        done = done.and(Err(error));
                        all = Some(Buffer::empty());
                    }
                }
            }
            if let Some(node_comm) = &mut level.node_comm {
                done = node_comm.collect_at(mpi, &held, all.as_ref(), (&ranges, seat), done);
            }
            held = all.unwrap_or(held);
        }
        let bytes = offsets.last().copied().unwrap_or(0);
        let (held, done) = self.hand_down(mpi, held, root, bytes, done, scratch_bytes);
        done.map(|()| held)
    }

    /// Deals the data out that `root` has in `all`, to each member its own, which other members
    /// than a root that keeps it in place get in `own`. `offsets`: by position, where the data of a
    /// member begin, and where the last ones end.
    pub fn deal(
        &mut self,
        mpi: &mut Mpi,
        (all, own): (Option<&Buffer>, Option<&Buffer>),
        offsets: &[usize],
        root: u32,
        able: Outcome,
    ) -> Outcome {
        let (mut held, mut done) = self.hand_up(mpi, all.cloned(), offsets, root, able);
        let top = self.top();
        for (index, level) in self.levels.iter_mut().enumerate().rev() {
            let seat = if index == top { level.group.seat_of(root).unwrap_or(0) } else { 0 };
            let ranges = level.ranges(offsets);
            let range = ranges[level.group.me as usize].clone();
            let mut place = Buffer::empty();
            if level.group.me != seat {
                match own.filter(|_| index == 0) {
                    Some(own) => place = own.clone(),
                    None => match scratch_bytes(range.len()) {
                        Ok(scratch) => place = scratch,
                        Err(error) => done = done.and(Err(error)),
                    },
                }
            }
            let all =
                if level.group.me == seat { Some(held.unwrap_or(Buffer::empty())) } else { None };
            if let Some(node_comm) = &mut level.node_comm {
                done = node_comm.deal(mpi, all.as_ref(), &place, (&ranges, seat), done);
            }
            held = Some(match all {
                Some(all) if all.bytes() >= range.end => all.part(range.start, range.len()),
                Some(all) => all,
                None => place,
            });
        }
        if let (Some(held), Some(own), Ok(())) = (held, own, &done)
            && held.address() != own.address()
        {
            copy(&held, own);
        }
        done
    }

    /// Hands what the root has up to the leader of each of its groups but the last. Returns what
    /// this member has then.
    fn hand_up(
        &mut self,
        mpi: &mut Mpi,
        mut held: Option<Buffer>,
        offsets: &[usize],
        root: u32,
        able: Outcome,
    ) -> (Option<Buffer>, Outcome) {
        let (top, bytes) = (self.top(), offsets.last().copied().unwrap_or(0));
        let mut done = able;
        for level in self.levels.iter_mut().take(top) {
            let (Some(seat), Some(node_comm)) = (level.group.seat_of(root), &mut level.node_comm)
            else {
                continue;
            };
            if seat == 0 {
                continue;
            }
            if level.group.me == 0 {
                match scratch_bytes(bytes) {
                    Ok(place) => held = Some(place),
                    Err(error) => {
                        done = done.and(Err(error));
                        held = Some(Buffer::empty());
                    }
                }
            }
            done = node_comm.hand_over(mpi, held.as_ref(), (seat, 0), bytes, done);
        }
        (held, done)
    }
}
