//! Groups (MPI 5.0 §7.3): ordered sets of processes.
//!
//! A group names processes by their index in the job, so that groups of different communicators
//! compare by the identity of processes. A group is immutable; copies share the list. Set
//! operations build an index of the members when both groups are large.

use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::handle_table::HandleTable;
use nemesis_sys::per_process;
use std::collections::HashMap;
use std::sync::Arc;

/// An ordered set of processes, by their index in the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    processes: Arc<[u32]>,
    owner: Owner,
}

/// Origin of a group or communicator. Objects of a session and other objects must not be used in
/// one call (MPI 5.0 §11.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    World,
    Session(handle::Session),
}

/// Result of comparing two groups, or the groups of two communicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal processes in equal order.
    Identical,
    /// Equal processes in another order.
    Similar,
    Unequal,
}

/// Below this number of members, searching the list is faster than building an index (both fit a
/// few cache lines).
const INDEX_MIN: usize = 32;

/// Finds the ranks of many processes in one group.
enum Ranks<'a> {
    List(&'a [u32]),
    Index(HashMap<u32, u32>),
}

impl Ranks<'_> {
    fn of(&self, process: u32) -> Option<u32> {
        match self {
            Ranks::List(list) => {
                list.iter().position(|&member| member == process).map(|rank| rank as u32)
            }
            Ranks::Index(index) => index.get(&process).copied(),
        }
    }
}

impl Group {
    /// Creates a group whose rank i is process `processes[i]`. No process occurs twice.
    pub fn new(processes: Vec<u32>) -> Group {
        Group { processes: processes.into(), owner: Owner::World }
    }

    /// Returns a group of these processes with another origin.
    pub fn owned_by(mut self, owner: Owner) -> Group {
        self.owner = owner;
        self
    }

    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// Checks whether two groups may be used in one call. The empty group may be used anywhere.
    pub fn check_owner(&self, other: &Group) -> Outcome {
        if self.owner == other.owner || self.size() == 0 || other.size() == 0 {
            return Ok(());
        }
        let error = Error::new(
            abi::MPI_ERR_SESSION,
            "two objects of the call stem from different sessions, or one from the world model",
        );
        Err(self.blame(error.advise("make both from the same session")))
    }

    /// The session's error handler is called.
    fn blame(&self, mut error: Box<Error>) -> Box<Error> {
        if let Owner::Session(session) = self.owner {
            error.session = Some(session);
        }
        error
    }

    pub fn processes(&self) -> &[u32] {
        &self.processes
    }

    /// Returns the list of the processes, which is not copied.
    pub fn list(&self) -> Arc<[u32]> {
        self.processes.clone()
    }

    pub fn size(&self) -> u32 {
        self.processes.len() as u32
    }

    pub fn rank_of(&self, process: u32) -> Option<u32> {
        Ranks::List(&self.processes).of(process)
    }

    fn either_owner(&self, other: &Group) -> Owner {
        if self.size() == 0 { other.owner } else { self.owner }
    }

    fn ranks(&self) -> Ranks<'_> {
        if self.processes.len() < INDEX_MIN {
            return Ranks::List(&self.processes);
        }
        Ranks::Index(
            self.processes.iter().zip(0..).map(|(&process, rank)| (process, rank)).collect(),
        )
    }

    /// Returns all members of `self`, followed by the members of `other` that are not in `self`.
    pub fn union(&self, other: &Group) -> Group {
        let ranks = self.ranks();
        let new = other.processes.iter().copied().filter(|&process| ranks.of(process).is_none());
        Group::new(self.processes.iter().copied().chain(new).collect())
            .owned_by(self.either_owner(other))
    }

    /// Returns the members of `self` that are in `other`.
    pub fn intersection(&self, other: &Group) -> Group {
        let ranks = other.ranks();
        Group::new(
            self.processes.iter().copied().filter(|&process| ranks.of(process).is_some()).collect(),
        )
        .owned_by(self.owner)
    }

    /// Returns the members of `self` that are not in `other`.
    pub fn difference(&self, other: &Group) -> Group {
        let ranks = other.ranks();
        Group::new(
            self.processes.iter().copied().filter(|&process| ranks.of(process).is_none()).collect(),
        )
        .owned_by(self.owner)
    }

    /// Returns the members with these ranks, in this order.
    pub fn include(&self, ranks: &[i32]) -> Outcome<Group> {
        self.check(ranks)?;
        Ok(Group::new(ranks.iter().map(|&rank| self.processes[rank as usize]).collect())
            .owned_by(self.owner))
    }

    /// Returns all members but those with these ranks.
    pub fn exclude(&self, ranks: &[i32]) -> Outcome<Group> {
        let taken = self.check(ranks)?;
        let left = self
            .processes
            .iter()
            .zip(&taken)
            .filter(|(_, taken)| !**taken)
            .map(|(&process, _)| process);
        Ok(Group::new(left.collect()).owned_by(self.owner))
    }

    #[cold]
    fn stranger(&self, rank: i32) -> Box<Error> {
        self.blame(Error::new(
            abi::MPI_ERR_RANK,
            format!("rank {rank} is not in the group of {}", self.size()),
        ))
    }

    /// Checks that each rank is in the group and named once. Returns which ranks are named.
    fn check(&self, ranks: &[i32]) -> Outcome<Vec<bool>> {
        let mut taken = vec![false; self.processes.len()];
        for &rank in ranks {
            match usize::try_from(rank).ok().and_then(|rank| taken.get_mut(rank)) {
                None => return Err(self.stranger(rank)),
                Some(taken) if *taken => {
                    return Err(self.blame(Error::new(
                        abi::MPI_ERR_RANK,
                        format!("rank {rank} is named twice"),
                    )));
                }
                Some(taken) => *taken = true,
            }
        }
        Ok(taken)
    }

    /// Returns the ranks in `other` of all members, or the first process that is not there.
    pub fn ranks_in(&self, other: &Group) -> Result<Vec<u32>, u32> {
        let there = match self.processes.len() < INDEX_MIN {
            true => Ranks::List(&other.processes),
            false => other.ranks(),
        };
        self.processes.iter().map(|&process| there.of(process).ok_or(process)).collect()
    }

    /// Returns for each rank the rank in `other`. MPI_PROC_NULL is kept, and a process that is not
    /// in `other` becomes MPI_UNDEFINED.
    pub fn translate(&self, ranks: &[i32], other: &Group) -> Outcome<Vec<i32>> {
        let there =
            if ranks.len() < INDEX_MIN { Ranks::List(&other.processes) } else { other.ranks() };
        ranks
            .iter()
            .map(|&rank| {
                match usize::try_from(rank).ok().and_then(|rank| self.processes.get(rank)) {
                    Some(&process) => {
                        Ok(there.of(process).map_or(abi::MPI_UNDEFINED, |rank| rank as i32))
                    }
                    None if rank == abi::MPI_PROC_NULL => Ok(rank),
                    None => Err(self.stranger(rank)),
                }
            })
            .collect()
    }

    pub fn compare(&self, other: &Group) -> Comparison {
        if self.processes == other.processes {
            return Comparison::Identical;
        }
        let ranks = other.ranks();
        let same = self.size() == other.size()
            && self.processes.iter().all(|&process| ranks.of(process).is_some());
        if same { Comparison::Similar } else { Comparison::Unequal }
    }
}

/// Returns the ranks that triplets (first, last, stride) name (MPI 5.0 §7.3.2): from first in steps
/// of stride, not beyond last.
pub fn expand_ranges(ranges: &[[i32; 3]]) -> Outcome<Vec<i32>> {
    let mut ranks = Vec::new();
    for &[first, last, stride] in ranges {
        let away = i64::from(last) - i64::from(first);
        let steps = match i64::from(stride) {
            0 => {
                return Err(Error::new(
                    abi::MPI_ERR_ARG,
                    format!("the stride of the range {first}..{last} is zero"),
                ));
            }
            stride if away != 0 && away.signum() != stride.signum() => {
                let why = format!("the range from {first} to {last} with stride {stride} is empty");
                return Err(Error::new(abi::MPI_ERR_ARG, why));
            }
            stride => away / stride,
        };
        ranks.extend((0..=steps).map(|step| first + (step * i64::from(stride)) as i32));
    }
    Ok(ranks)
}

per_process! {
    static GROUPS: HandleTable<handle::Group, Group> = HandleTable::new(abi::MPI_ERR_GROUP);
}

/// Returns a handle for a group. The empty group has a predefined handle.
pub fn insert(group: Group) -> Outcome<handle::Group> {
    if group.processes.is_empty() { Ok(abi::MPI_GROUP_EMPTY) } else { GROUPS.insert(group) }
}

/// Returns the handles of all groups that the program has to free.
pub fn made() -> Vec<handle::Group> {
    GROUPS.handles()
}

/// Returns whether a group of the program has the process.
pub fn contain(process: u32) -> bool {
    GROUPS.any(|group| group.processes.contains(&process))
}

/// Returns the group that a handle names.
pub fn get(group: handle::Group) -> Outcome<Group> {
    if group == abi::MPI_GROUP_EMPTY {
        Ok(Group::new(Vec::new()))
    } else {
        GROUPS.read(group, Group::clone)
    }
}

/// Frees a handle (`MPI_Group_free`). Freeing the empty group is allowed.
pub fn free(group: handle::Group) -> Outcome {
    if group.is_predefined() && !group.is_null() { Ok(()) } else { GROUPS.remove(group).map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(processes: &[u32]) -> Group {
        Group::new(processes.to_vec())
    }

    #[test]
    fn set_operations_keep_the_order_of_the_first() {
        let (a, b) = (group(&[5, 1, 9, 3]), group(&[3, 7, 5]));
        assert_eq!(a.union(&b), group(&[5, 1, 9, 3, 7]));
        assert_eq!(a.intersection(&b), group(&[5, 3]));
        assert_eq!(a.difference(&b), group(&[1, 9]));
        assert_eq!(a.difference(&a), group(&[]));
    }

    #[test]
    fn large_groups_give_the_same_as_small_ones() {
        let even = Group::new((0..1000).map(|n| 2 * n).collect());
        let thirds = Group::new((0..1000).rev().map(|n| 3 * n).collect());
        let both = even.intersection(&thirds);
        assert_eq!(both.processes(), (0..334).map(|n| 6 * n).collect::<Vec<u32>>());
        assert_eq!(even.union(&thirds).size(), 2000 - both.size());
        assert_eq!(even.difference(&thirds).size(), 1000 - both.size());
        let reversed = Group::new(even.processes().iter().rev().copied().collect());
        assert_eq!(even.compare(&reversed), Comparison::Similar);
        assert_eq!(even.compare(&thirds), Comparison::Unequal);
        assert_eq!(even.compare(&even.clone()), Comparison::Identical);
        assert_eq!(
            even.translate(&(0..1000).collect::<Vec<_>>(), &reversed).unwrap(),
            (0..1000).rev().collect::<Vec<_>>()
        );
    }

    #[test]
    fn include_and_exclude_refuse_strangers_and_repetitions() {
        let four = group(&[10, 11, 12, 13]);
        assert_eq!(four.include(&[2, 0]).unwrap(), group(&[12, 10]));
        assert_eq!(four.include(&[]).unwrap(), group(&[]));
        assert_eq!(four.exclude(&[]).unwrap(), four);
        assert_eq!(four.exclude(&[3, 1]).unwrap(), group(&[10, 12]));
        for wrong in [&[4][..], &[-1], &[1, 1]] {
            assert_eq!(four.include(wrong).unwrap_err().class, abi::MPI_ERR_RANK);
            assert_eq!(four.exclude(wrong).unwrap_err().class, abi::MPI_ERR_RANK);
        }
    }

    #[test]
    fn translation_knows_nobody_and_strangers() {
        let (a, b) = (group(&[4, 5, 6]), group(&[6, 4]));
        let translated = a.translate(&[0, 1, 2, abi::MPI_PROC_NULL], &b).unwrap();
        assert_eq!(translated, [1, abi::MPI_UNDEFINED, 0, abi::MPI_PROC_NULL]);
        assert_eq!(a.translate(&[3], &b).unwrap_err().class, abi::MPI_ERR_RANK);
    }

    #[test]
    fn ranges_go_both_ways_and_need_not_hit_their_end() {
        assert_eq!(
            expand_ranges(&[[0, 5, 2], [9, 7, -1], [3, 3, 4]]).unwrap(),
            [0, 2, 4, 9, 8, 7, 3]
        );
        assert_eq!(expand_ranges(&[[1, 6, 7]]).unwrap(), [1]);
        for wrong in [[0, 5, 0], [5, 0, 1], [0, 5, -1]] {
            assert_eq!(expand_ranges(&[wrong]).unwrap_err().class, abi::MPI_ERR_ARG);
        }
        assert_eq!(expand_ranges(&[]).unwrap(), []);
    }

    #[test]
    fn the_empty_group_has_one_handle() {
        assert_eq!(insert(group(&[])).unwrap(), abi::MPI_GROUP_EMPTY);
        assert_eq!(get(abi::MPI_GROUP_EMPTY).unwrap().size(), 0);
        free(abi::MPI_GROUP_EMPTY).unwrap();
        assert_eq!(free(handle::Group::NULL).unwrap_err().class, abi::MPI_ERR_GROUP);
        assert_eq!(get(handle::Group::NULL).unwrap_err().class, abi::MPI_ERR_GROUP);
    }
}
