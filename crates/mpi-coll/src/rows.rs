//! Rows of the tables of algorithms (`table`), and the choice among them.
//!
//! A row declares a name, what the algorithm needs, the lengths that it can carry, the lengths for
//! which it is chosen, and its cost by the host model. A call takes the first row whose needs it
//! meets and that is chosen at its length. For a communicator the rows of an operation are resolved
//! once into sorted limits ([`Limits`]). The environment can force algorithms for ranges of lengths
//! (`forced`); one that cannot do the job is passed over.
//!
//! All processes of a call must choose alike, so a choice depends only on a [`Case`], whose values
//! all of them know alike. The limits of messages do not depend on the host model: the first calls
//! of a communicator precede any agreement, and sums must not depend on what was measured.

use crate::costs::Work;
use crate::forced::{Forced, OPERATIONS};
use crate::grid::Grid;
use crate::shm::Hierarchy;
use crate::site::Site;

/// What the choice of an algorithm depends on, besides the length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub members: Members,
    pub ranks: u32,
    /// True if the operator is predefined and the elements are contiguous, or if there is no
    /// operator.
    pub predefined: bool,
    /// True if contributions may be combined in any order, or if there is no operator.
    pub commutative: bool,
    /// True if all blocks have one length.
    pub even: bool,
    /// True if a vector has an element for each process.
    pub divisible: bool,
}

/// The members that share a collective segment in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Members {
    /// None: all processes send messages.
    None,
    /// None, but all processes know that they stand on nodes like this. Leaders, for example, are
    /// each the only one of its node.
    Grid(Grid),
    /// All processes of a blocking call.
    Node(Site),
    /// The processes of each node in a blocking call, in levels.
    Levels(Hierarchy),
    /// All processes of a non-blocking or persistent call.
    Recorded(Site),
}

impl Case {
    /// Returns the site of a blocking call whose processes share a segment.
    pub fn site(&self) -> Option<Site> {
        match self.members {
            Members::Node(site) => Some(site),
            _ => None,
        }
    }

    /// Returns the hierarchy of a blocking call whose processes pass data through levels.
    pub fn hierarchy(&self) -> Option<Hierarchy> {
        match self.members {
            Members::Levels(hierarchy) => Some(hierarchy),
            _ => None,
        }
    }

    /// Returns how the processes stand on nodes, if all of them know it and the nodes are alike.
    pub fn grid(&self) -> Option<Grid> {
        match self.members {
            Members::Grid(grid) => Some(grid),
            Members::Levels(hierarchy) => hierarchy.grid(self.ranks),
            _ => None,
        }
    }

    /// Returns the site of a non-blocking or persistent call whose processes share a segment.
    pub fn recorded(&self) -> Option<Site> {
        match self.members {
            Members::Recorded(site) => Some(site),
            _ => None,
        }
    }
}

/// What an algorithm needs, whatever the length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A collective segment of all processes.
    Segment,
    /// A blocking call. (Non-blocking and persistent calls have segments of their own, without
    /// rings.)
    Blocking,
    /// A blocking call, and a collective segment of as many processes as have rings.
    Rings,
    /// Copies by the kernel between the processes' memories.
    SingleCopy,
    /// A blocking call, and collective segments of the members of each node, in levels.
    Levels,
    /// A blocking call, and collective segments of the members of the only node, in levels.
    LevelsInNode,
    /// A predefined operator and contiguous elements.
    Predefined,
    /// A commutative operator.
    Commutative,
    /// An element for each process.
    Elements,
    /// Blocks of one length, and a power of two of processes.
    EvenPowerOfTwo,
    /// An even number of processes.
    EvenRanks,
}

impl Need {
    /// Returns whether a call meets the need.
    pub fn is_met(self, case: &Case) -> bool {
        let site = case.site();
        match self {
            Need::Segment => site.or(case.recorded()).is_some(),
            Need::Blocking => case.recorded().is_none(),
            Need::Rings => site.is_some_and(Site::has_rings),
            Need::SingleCopy => site.or(case.recorded()).is_some_and(|site| site.direct),
            Need::Levels => case.hierarchy().is_some(),
            Need::LevelsInNode => case.hierarchy().is_some_and(|levels| levels.nodes == 1),
            Need::Predefined => case.predefined,
            Need::Commutative => case.commutative,
            Need::Elements => case.divisible,
            Need::EvenRanks => case.ranks.is_multiple_of(2),
            Need::EvenPowerOfTwo => case.even && case.ranks.is_power_of_two(),
        }
    }
}

/// A range of lengths in bytes; both ends belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lengths {
    pub min: usize,
    pub max: usize,
}

impl Lengths {
    /// Every length.
    pub const ALL: Lengths = Lengths { min: 0, max: usize::MAX };
    /// No length.
    pub const NONE: Lengths = Lengths { min: 1, max: 0 };

    /// Returns the lengths up to `max`.
    pub const fn to(max: usize) -> Lengths {
        Lengths { min: 0, max }
    }

    /// Returns the lengths from `min` to `max`.
    pub const fn between(min: usize, max: usize) -> Lengths {
        Lengths { min, max }
    }

    /// Returns these lengths if `chosen`, and none otherwise.
    pub const fn only_if(self, chosen: bool) -> Lengths {
        if chosen { self } else { Lengths::NONE }
    }

    /// Returns whether `bytes` is one of the lengths.
    fn contain(self, bytes: usize) -> bool {
        (self.min..=self.max).contains(&bytes)
    }
}

/// Between which processes an algorithm moves data, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Between members of one node, through a collective segment.
    Segment,
    /// In nodes through segments, level by level, and between their leaders by messages.
    Levels,
    /// Between any processes, by messages.
    Messages,
}

/// One algorithm of an operation, without the function that performs it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// What the algorithm does.
    pub what: &'static str,
    pub scope: Scope,
    /// What it needs to do the job.
    pub needs: &'static [Need],
    /// The lengths that it can carry.
    pub carries: fn(&Case) -> Lengths,
    /// The lengths for which it is chosen before the rows that follow.
    pub chosen: fn(&Case) -> Lengths,
    /// What each member does in a call on one node, by the number of members and of bytes; `None`
    /// if it is not modelled.
    pub work: Option<fn(f32, f32) -> Work>,
}

impl Row {
    /// Returns whether the algorithm can perform a call of `bytes` bytes.
    pub fn can(&self, case: &Case, bytes: usize) -> bool {
        self.can_some(case) && (self.carries)(case).contain(bytes)
    }

    /// Returns whether the algorithm can perform calls of some length.
    pub fn can_some(&self, case: &Case) -> bool {
        self.needs.iter().all(|need| need.is_met(case))
    }

    /// Returns the lengths for which the algorithm is chosen before those that follow.
    fn lengths(&self, case: &Case) -> Lengths {
        let (chosen, carries) = ((self.chosen)(case), (self.carries)(case));
        Lengths { min: chosen.min.max(carries.min), max: chosen.max.min(carries.max) }
    }
}

/// The most algorithms of an operation.
pub const ROWS_MAX: usize = 8;
/// The most limits: every row's range may begin and end inside another's.
const LIMITS_MAX: usize = 2 * ROWS_MAX;

/// The algorithms of an operation for a case, by length.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The last length of each range, ascending, and the index of its row. The last one has no end.
    limits: [(usize, u8); LIMITS_MAX],
    count: u8,
}

impl Limits {
    /// Resolves the rows of an operation for a case. Lengths that no row takes go to the last row.
    pub fn resolve<'r>(rows: impl ExactSizeIterator<Item = &'r Row>, case: &Case) -> Limits {
        let last = rows.len() - 1;
        let none = Lengths::NONE;
        let mut lengths = [none; ROWS_MAX];
        for (place, row) in lengths.iter_mut().zip(rows) {
            *place = if row.can_some(case) { row.lengths(case) } else { none };
        }
        let mut resolved = Limits { limits: [(0, 0); LIMITS_MAX], count: 0 };
        let mut next = 0;
        loop {
            let row = lengths.iter().position(|lengths| lengths.contain(next));
            // The range ends with the row's own one, or where one of the rows before begins.
            let own_end = row.map_or(usize::MAX, |row| lengths[row].max);
            let before = &lengths[..row.unwrap_or(ROWS_MAX)];
            let begins = before.iter().filter(|lengths| lengths.min <= lengths.max);
            let end = begins
                .map(|lengths| lengths.min)
                .filter(|&min| min > next)
                .fold(own_end, |end, min| end.min(min - 1));
            resolved.push(end, row.unwrap_or(last));
            if end == usize::MAX {
                return resolved;
            }
            next = end + 1;
        }
    }

    /// Adds a range, or lengthens the last one if it has the same row.
    fn push(&mut self, end: usize, row: usize) {
        let count = usize::from(self.count);
        match self.limits[..count].last_mut() {
            Some((last_end, last)) if usize::from(*last) == row => *last_end = end,
            _ => {
                self.limits[count] = (end, row as u8);
                self.count += 1;
            }
        }
    }

    /// Returns the ranges: the last length of each, and the index of its row.
    pub fn ranges(&self) -> &[(usize, u8)] {
        &self.limits[..usize::from(self.count)]
    }

    /// Returns the index of the row for a call of `bytes` bytes.
    pub fn row(&self, bytes: usize) -> usize {
        let found = self.ranges().iter().find(|(end, _)| bytes <= *end);
        found.map_or(0, |(_, row)| usize::from(*row))
    }
}

/// The limits of a communicator: for each operation, those of the latest case.
#[derive(Debug, Default)]
pub struct LimitsCache([Option<Box<(Case, Limits)>>; OPERATIONS]);

impl LimitsCache {
    /// Returns the limits of an operation for a case.
    pub fn of<'r>(
        &mut self,
        operation: usize,
        rows: impl ExactSizeIterator<Item = &'r Row>,
        case: &Case,
    ) -> &Limits {
        let place = &mut self.0[operation];
        if place.as_ref().is_some_and(|kept| kept.0 != *case) {
            *place = None;
        }
        &place.get_or_insert_with(|| Box::new((*case, Limits::resolve(rows, case)))).1
    }
}

/// Returns the index of the row for a call of `bytes` bytes, for a caller that keeps no [`Limits`]:
/// resolving them takes longer than one choice.
pub fn choose<'r>(
    mut rows: impl ExactSizeIterator<Item = &'r Row>,
    case: &Case,
    bytes: usize,
) -> usize {
    let last = rows.len() - 1;
    rows.position(|row| row.can_some(case) && row.lengths(case).contain(bytes)).unwrap_or(last)
}

/// Returns the index of the first of the `forced` algorithms that can perform a call.
pub fn forced<'r>(
    forced: &[Forced],
    rows: impl ExactSizeIterator<Item = &'r Row> + Clone,
    case: &Case,
    bytes: usize,
) -> Option<usize> {
    let can = |forced: &&Forced| {
        forced.takes(bytes) && rows.clone().nth(forced.row).is_some_and(|row| row.can(case, bytes))
    };
    forced.iter().find(can).map(|forced| forced.row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn row(chosen: fn(&Case) -> Lengths, carries: fn(&Case) -> Lengths) -> Row {
        Row { name: "", what: "", scope: Scope::Messages, needs: &[], carries, chosen, work: None }
    }

    const CASE: Case = Case {
        members: Members::None,
        ranks: 4,
        predefined: true,
        commutative: true,
        even: true,
        divisible: true,
    };

    #[test]
    fn ranges_follow_one_another() {
        let rows = [
            row(|_| Lengths::between(100, 200), |_| Lengths::ALL),
            row(|_| Lengths::ALL, |_| Lengths::to(50)),
            row(|_| Lengths::NONE, |_| Lengths::ALL),
            row(|_| Lengths::to(150), |_| Lengths::ALL),
            row(|_| Lengths::ALL, |_| Lengths::between(150, 1000)),
        ];
        let limits = Limits::resolve(rows.iter(), &CASE);
        assert_eq!(limits.ranges(), [(50, 1), (99, 3), (200, 0), (usize::MAX, 4)]);
        let lengths = [0, 50, 51, 100, 201, 9999];
        assert_eq!(lengths.map(|bytes| limits.row(bytes)), [1, 1, 3, 0, 4, 4]);
        assert_eq!(lengths.map(|bytes| choose(rows.iter(), &CASE, bytes)), [1, 1, 3, 0, 4, 4]);
    }

    /// Cases of every kind: of groups without a segment, in a node, on several, and recorded.
    fn cases() -> Vec<Case> {
        let mut cases = Vec::new();
        for ranks in [1, 2, 3, 4, 7, 8, 16, 17, 64, 1000] {
            let mut members = vec![Members::None, Members::Grid(Grid::apart(ranks))];
            for bits in 0..8 {
                let site = Site {
                    members: ranks,
                    oversubscribed: bits & 1 != 0,
                    direct: bits & 2 != 0,
                    long_packets: bits & 4 != 0,
                };
                members.extend([Members::Node(site), Members::Recorded(site)]);
            }
            for (nodes, oversubscribed) in [(1, false), (3, false), (3, true)] {
                let hierarchy = Hierarchy { nodes, oversubscribed, in_blocks: true, even: true };
                members.push(Members::Levels(hierarchy));
            }
            for (members, bits) in members.into_iter().flat_map(|m| (0..16).map(move |b| (m, b))) {
                let [predefined, commutative, even, divisible] =
                    [1, 2, 4, 8].map(|bit| bits & bit != 0);
                cases.push(Case { members, ranks, predefined, commutative, even, divisible });
            }
        }
        cases
    }

    /// Lengths around every power of two, and some others.
    fn lengths() -> Vec<usize> {
        let around = (0..30).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1, 3 << bit]);
        around.chain([10_000, 10_001, usize::MAX]).collect()
    }

    #[test]
    fn resolved_limits_choose_as_the_rows_do_one_by_one() {
        for operation in crate::operations::ALL {
            let rows = (operation.rows)();
            for case in cases() {
                let limits = Limits::resolve(rows.iter().copied(), &case);
                for bytes in lengths() {
                    let one_by_one = choose(rows.iter().copied(), &case, bytes);
                    assert_eq!(
                        limits.row(bytes),
                        one_by_one,
                        "{} {case:?} {bytes}",
                        operation.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_call_has_an_algorithm_that_can_perform_it() {
        for operation in crate::operations::ALL {
            let rows = (operation.rows)();
            let calls =
                cases().into_iter().flat_map(|case| lengths().into_iter().map(move |l| (case, l)));
            for (case, bytes) in calls {
                let row = rows[choose(rows.iter().copied(), &case, bytes)];
                assert!(row.can(&case, bytes), "{} {} {case:?} {bytes}", operation.name, row.name);
                let mut by_messages = rows.iter().filter(|row| row.scope == Scope::Messages);
                assert!(
                    by_messages.any(|row| row.can(&case, bytes)),
                    "{} {case:?}",
                    operation.name
                );
            }
        }
    }

    #[test]
    fn a_forced_algorithm_that_cannot_do_the_job_is_passed_over() {
        let rows =
            [row(|_| Lengths::ALL, |_| Lengths::to(100)), row(|_| Lengths::ALL, |_| Lengths::ALL)];
        let rule = |row, min_bytes, max_bytes| Forced { row, min_bytes, max_bytes };
        let rules = [rule(0, 0, 1000), rule(1, 50, 500)];
        let found = [10, 60, 101, 500, 501].map(|bytes| forced(&rules, rows.iter(), &CASE, bytes));
        assert_eq!(found, [Some(0), Some(0), Some(1), Some(1), None]);
    }

    #[test]
    fn a_cache_keeps_the_limits_of_one_case() {
        let rows = [
            row(|case| Lengths::to(case.ranks as usize), |_| Lengths::ALL),
            row(|_| Lengths::ALL, |_| Lengths::ALL),
        ];
        let mut cache = LimitsCache::default();
        for ranks in [4, 9, 4] {
            let case = Case { ranks, ..CASE };
            let limits = cache.of(3, rows.iter(), &case);
            assert_eq!(limits.ranges(), [(ranks as usize, 0), (usize::MAX, 1)]);
        }
    }
}
