//! Reductions of long vectors among any number of processes, in as few rounds and bytes as a power
//! of two takes (Träff 2024, "Optimal, non-pipelined reduce-scatter and allreduce algorithms").
//!
//! The processes stand in a *circle*, and the vector is cut into as many parts. In each round the
//! number of parts that a process still works on is halved and rounded up: from `n` to `s`. It
//! sends the parts that it gives up to the process `s` places further on, which still works on
//! them, and reduces what comes from `s` places back:
//!
//! ```text
//!   5 places, what the one at place 0 does     sends parts   to place   reduces parts   of place
//!   round 1: 5 parts, then 3                   3 and 4       3          0 and 1         2
//!   round 2: 3 parts, then 2                   2             2          0               3
//!   round 3: 2 parts, then 1                   1             1          0               4
//! ```
//!
//! After log2(n) rounds each process has its own part, and has sent every other part once. The
//! rounds backwards bring all parts to all processes (allreduce); a tree brings them to one
//! (reduce). Parts that are sent together lie side by side, or at the two ends of the vector.
//!
//! Contributions are combined in an order that only the place of a part determines: each element is
//! computed once, and no root changes it. It is not the order of ranks, so the operation must be
//! commutative.
//!
//! Processes that share nodes stand in a grid of nodes and members. The members of a node reduce a
//! part for each of them first, then those with the same part on all nodes. So each byte of a
//! vector leaves a node once, instead of once for each member.

use crate::blocks::Shares;
use crate::error::Outcome;
use crate::grid::Grid;
use crate::operator::{Operator, Reduction};
use crate::rows::Case;
use crate::{Steps, scratch};
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Processes in a circle, as one of them sees them.
#[derive(Clone, Copy)]
struct Circle {
    /// The rank at the first place, and how far the ranks at neighbouring places lie apart.
    first: u32,
    stride: u32,
    size: u32,
    /// This process's place.
    place: u32,
}

/// One round: processes work on `kept` parts, and on `given` ones more before it.
#[derive(Clone, Copy)]
struct Round {
    kept: u32,
    given: u32,
}

impl Circle {
    fn rank_at(&self, place: u32) -> u32 {
        self.first + place % self.size * self.stride
    }

    fn after(&self, places: u32) -> u32 {
        self.rank_at(self.place + places)
    }

    fn before(&self, places: u32) -> u32 {
        self.rank_at(self.place + self.size - places)
    }

    fn rounds(&self) -> impl Iterator<Item = Round> + use<> {
        let mut parts = self.size;
        std::iter::from_fn(move || {
            let kept = parts.div_ceil(2);
            let given = parts - kept;
            parts = kept;
            (given > 0).then_some(Round { kept, given })
        })
    }

    /// Returns where `count` parts from that of `place` on lie: one range, or two if the last
    /// part's successor is the first one. `begin`: where each part begins, and the last one ends.
    fn ranges(&self, place: u32, count: u32, begin: &Begin<'_>) -> [Range<usize>; 2] {
        let first = place % self.size;
        let behind = (first + count).saturating_sub(self.size);
        [begin(first)..begin(first + count - behind), begin(0)..begin(behind)]
    }
}

/// The element at which a part begins. That behind the last part is the end of the vector.
type Begin<'a> = dyn Fn(u32) -> usize + 'a;

/// A vector that is reduced in place, or of which the reduced parts get another place.
struct Vector {
    operator: Operator,
    /// The contribution, until the first round; then the same memory as `home`.
    own: Buffer,
    home: Buffer,
    /// A place for contributions, if reduced parts lie in it already.
    place: Option<Buffer>,
}

impl Vector {
    /// `home` takes the reduced parts, and may be the memory of the contribution. Its other parts
    /// are used as well.
    fn new(reduction: Reduction, own: &Buffer, home: Buffer) -> Vector {
        Vector { operator: reduction.operator, own: own.clone(), home, place: None }
    }

    fn is_in_place(&self) -> bool {
        self.own.address() == self.home.address()
    }

    /// Exchanges parts with the other processes of the circle until each has its own one.
    fn reduce_parts(
        &mut self,
        steps: &mut Steps<'_>,
        circle: &Circle,
        begin: &Begin<'_>,
    ) -> Outcome {
        for Round { kept, given } in circle.rounds() {
            let place = match (self.is_in_place(), &self.place) {
                (false, _) => self.home.clone(),
                (true, Some(place)) => place.clone(),
                (true, None) => scratch(self.home.count(), self.home.datatype())?,
            };
            for range in circle.ranges(circle.place + kept, given, begin) {
                steps.send_some(circle.after(kept), &part(&self.own, &range));
            }
            let reduced = circle.ranges(circle.place, given, begin);
            for range in &reduced {
                steps.receive_some(circle.before(kept), &part(&place, range));
            }
            steps.wait();
            for range in reduced.iter().filter(|range| !range.is_empty()) {
                match self.is_in_place() {
                    true => {
                        steps.reduce(self.operator, &part(&place, range), &part(&self.home, range));
                    }
                    false => {
                        steps.reduce(self.operator, &part(&self.own, range), &part(&place, range));
                    }
                }
            }
            if self.is_in_place() {
                self.place = Some(place);
                continue;
            }
            for range in circle.ranges(circle.place + given, kept - given, begin) {
                if !range.is_empty() {
                    steps.copy(&part(&self.own, &range), &part(&self.home, &range));
                }
            }
            self.own = self.home.clone();
        }
        Ok(())
    }

    /// Brings the parts of all processes of the circle to all.
    fn gather_all(&self, steps: &mut Steps<'_>, circle: &Circle, begin: &Begin<'_>) {
        let rounds: Vec<Round> = circle.rounds().collect();
        for &Round { kept, given } in rounds.iter().rev() {
            for range in circle.ranges(circle.place, given, begin) {
                steps.send_some(circle.before(kept), &part(&self.home, &range));
            }
            for range in circle.ranges(circle.place + kept, given, begin) {
                steps.receive_some(circle.after(kept), &part(&self.home, &range));
            }
            steps.wait();
        }
    }

    /// Brings the parts of all processes of the circle to the one at the place `root`, up a
    /// binomial tree.
    fn gather_to(&self, steps: &mut Steps<'_>, circle: &Circle, begin: &Begin<'_>, root: u32) {
        let size = circle.size;
        let from_root = (circle.place + size - root) % size;
        let mut span = 1;
        while span < size && from_root & span == 0 {
            if from_root + span < size {
                let count = span.min(size - from_root - span);
                for range in circle.ranges(circle.place + span, count, begin) {
                    steps.receive_some(circle.after(span), &part(&self.home, &range));
                }
            }
            span *= 2;
        }
        steps.wait();
        if from_root > 0 {
            for range in circle.ranges(circle.place, span.min(size - from_root), begin) {
                steps.send_some(circle.before(span), &part(&self.home, &range));
            }
        }
    }
}

fn part(buffer: &Buffer, range: &Range<usize>) -> Buffer {
    buffer.part(range.start, range.len())
}

impl Grid {
    /// Returns the circle of the members of a process's node.
    fn in_node(&self, rank: u32) -> Circle {
        let place = self.member_of(rank);
        Circle { first: rank - place, stride: 1, size: self.members, place }
    }

    /// Returns the circle of those that have its part on all nodes.
    fn across(&self, rank: u32) -> Circle {
        Circle {
            first: self.member_of(rank),
            stride: self.members,
            size: self.nodes,
            place: self.node_of(rank),
        }
    }

    /// Returns where the part of a place begins, of `elements` in all. The parts of a member's
    /// circle across the nodes follow one another.
    fn even(&self, elements: usize) -> impl Fn(u32) -> usize + use<> {
        let places = (self.nodes * self.members) as usize;
        move |part| {
            let part = part as usize;
            elements / places * part + elements % places * part / places
        }
    }

    /// Reduces a vector so that each process has its part: that with the number `member * nodes +
    /// node`.
    fn reduce_parts(
        &self,
        steps: &mut Steps<'_>,
        vector: &mut Vector,
        begin: &Begin<'_>,
    ) -> Outcome {
        let rank = steps.rank;
        vector.reduce_parts(steps, &self.in_node(rank), &self.of_members(begin))?;
        vector.reduce_parts(steps, &self.across(rank), &self.of_nodes(rank, begin))?;
        if !vector.is_in_place() {
            // There is no other process.
            steps.copy(&vector.own, &vector.home);
        }
        Ok(())
    }

    fn of_members(&self, begin: &Begin<'_>) -> impl Fn(u32) -> usize {
        move |member| begin(member * self.nodes)
    }

    fn of_nodes(&self, rank: u32, begin: &Begin<'_>) -> impl Fn(u32) -> usize {
        let first = self.member_of(rank) * self.nodes;
        move |node| begin(first + node)
    }
}

/// Returns whether these algorithms are chosen for long vectors. Halving is as fast among powers of
/// two, and sends one message where parts at both ends of the vector are two.
pub fn is_chosen(case: &Case) -> bool {
    case.grid().is_some() && !case.ranks.is_power_of_two()
}

/// Performs the allreduce of a long vector.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (grid, rank) = (steps.grid(), steps.rank);
    let begin = grid.even(own.count());
    let mut vector = Vector::new(reduction, own, result.clone());
    grid.reduce_parts(steps, &mut vector, &begin)?;
    vector.gather_all(steps, &grid.across(rank), &grid.of_nodes(rank, &begin));
    vector.gather_all(steps, &grid.in_node(rank), &grid.of_members(&begin));
    Ok(())
}

/// Performs the reduce of a long vector.
pub fn reduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: Option<&Buffer>,
    reduction: Reduction,
    root: u32,
) -> Outcome {
    let (grid, rank) = (steps.grid(), steps.rank);
    let begin = grid.even(own.count());
    let home = match result {
        Some(result) => result.clone(),
        None => scratch(own.count(), own.datatype())?,
    };
    let mut vector = Vector::new(reduction, own, home);
    grid.reduce_parts(steps, &mut vector, &begin)?;
    let node = grid.node_of(root);
    vector.gather_to(steps, &grid.across(rank), &grid.of_nodes(rank, &begin), node);
    if grid.node_of(rank) == node {
        let of_members = grid.of_members(&begin);
        vector.gather_to(steps, &grid.in_node(rank), &of_members, grid.member_of(root));
    }
    Ok(())
}

/// Performs the reduce_scatter of the vector `own`; `result` takes this process's block and may lie
/// in `own`.
pub fn reduce_scatter(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (grid, rank) = (steps.grid(), steps.rank);
    let home = scratch(own.count(), own.datatype())?;
    if grid.members == 1 {
        let begin = |part: u32| part.checked_sub(1).map_or(0, |before| shares.of(before).end);
        let mut vector = Vector::new(reduction, own, home);
        grid.reduce_parts(steps, &mut vector, &begin)?;
        keep(steps, &vector.home, &shares.of(rank), result);
        return Ok(());
    }
    // The blocks of those that have one member's part follow one another in the copy.
    let mut begins = vec![0];
    for (member, node) in (0..grid.members).flat_map(|m| (0..grid.nodes).map(move |n| (m, n))) {
        let (from, begin) = (shares.of(node * grid.members + member), begins[begins.len() - 1]);
        if !from.is_empty() {
            steps.copy(&part(own, &from), &home.part(begin, from.len()));
        }
        begins.push(begin + from.len());
    }
    let begin = |part: u32| begins[part as usize];
    let mut vector = Vector::new(reduction, &home, home.clone());
    grid.reduce_parts(steps, &mut vector, &begin)?;
    let number = grid.member_of(rank) * grid.nodes + grid.node_of(rank);
    keep(steps, &vector.home, &(begin(number)..begin(number + 1)), result);
    Ok(())
}

/// Copies a process's block to the result.
fn keep(steps: &mut Steps<'_>, home: &Buffer, block: &Range<usize>, result: &Buffer) {
    if !block.is_empty() {
        steps.copy(&part(home, block), result);
    }
}
