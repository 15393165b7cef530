//! Parts of reductions: a power of two of processes, and the halving of long vectors.
//!
//! Recursive doubling and recursive halving pair places that differ in one bit, so they need a
//! power of two of places. With more processes, the first ones form pairs: one process of a pair
//! gives its contribution to the other and is *outside* from then on. A [`Core`] numbers the
//! processes inside:
//!
//! ```text
//!   7 ranks:    0 ─► 1    2 ─► 3    4 ─► 5    6
//!   places:          0         1         2    3
//! ```
//!
//! Places stand for consecutive runs of ranks in their order, and the nearest partners exchange
//! first. Each exchange so reduces two neighbouring runs, and operations that are not commutative
//! see the order of ranks.
//!
//! *Halving* (Rabenseifner 2004, "Optimization of collective reduction operations"): in each round
//! partners divide their current part of the vector; one keeps the first half, the other the
//! second. After log2(places) rounds every place has a finished part, and has moved less than two
//! vectors. The rounds backwards collect the parts, at all places (allreduce) or at the root
//! (reduce). A reduce_scatter divides at the blocks: place `p` ends with the blocks of the place
//! whose number has the bits of `p` in the opposite order, and sends them there.

use crate::Steps;
use crate::blocks::Shares;
use crate::error::Outcome;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use nemesis_datatype::Buffer;
use std::ops::Range;

/// The processes that compute, as one process, inside or outside, sees them.
pub struct Core {
    /// The number of places: a power of two.
    pub places: u32,
    /// This process's place; `None` if it is outside.
    pub place: Option<u32>,
    /// The other process of this process's pair, if it has one.
    other: Option<u32>,
    pairs: u32,
    /// A rank that must be inside.
    root: Option<u32>,
}

impl Core {
    pub fn new(rank: u32, size: u32, root: Option<u32>) -> Core {
        let places = 1 << size.ilog2();
        let pairs = size - places;
        let mut core = Core {
            places,
            place: None,
            other: (rank < 2 * pairs).then_some(rank ^ 1),
            pairs,
            root,
        };
        let place = core.place_of(rank);
        core.place = (core.rank_at(place) == rank).then_some(place);
        core
    }

    /// Returns the place of a rank, or of the other process of its pair.
    pub fn place_of(&self, rank: u32) -> u32 {
        if rank < 2 * self.pairs { rank / 2 } else { rank - self.pairs }
    }

    pub fn rank_at(&self, place: u32) -> u32 {
        match place < self.pairs {
            // The odd rank of a pair is inside, unless the even one is the root.
            true => 2 * place + u32::from(self.root != Some(2 * place)),
            false => place + self.pairs,
        }
    }

    /// Reduces the contributions of processes outside into those of their partners.
    pub fn bring_in(&self, steps: &mut Steps<'_>, value: &mut Accumulator) -> Outcome {
        match (self.other, self.place) {
            (Some(other), Some(_)) => value.combine_from(steps, other)?,
            (Some(other), None) => steps.send(other, &value.value()),
            (None, _) => {}
        }
        Ok(())
    }

    /// Sends `sent` to the processes outside, which receive it into `received`.
    pub fn hand_out(&self, steps: &mut Steps<'_>, sent: &Buffer, received: &Buffer) {
        match (self.other, self.place) {
            (Some(other), Some(_)) => steps.send_some(other, sent),
            (Some(other), None) => {
                // The contribution may lie in this memory.
                steps.wait();
                steps.receive_some(other, received);
            }
            (None, _) => {}
        }
    }

    /// Recursive doubling: all places exchange the whole value and end with equal values.
    pub fn double(&self, steps: &mut Steps<'_>, value: &mut Accumulator) -> Outcome {
        let Some(place) = self.place else { return Ok(()) };
        let mut distance = 1;
        while distance < self.places {
            let whole = value.value();
            value.exchange(steps, self.rank_at(place ^ distance), &whole)?;
            distance *= 2;
        }
        Ok(())
    }

    /// Recursive multiplying by four: as [`double`](Self::double), two rounds at once.
    pub fn multiply(&self, steps: &mut Steps<'_>, value: &mut Accumulator) -> Outcome {
        let Some(place) = self.place else { return Ok(()) };
        let mut distance = 1;
        while 2 * distance < self.places {
            let first = place & !(3 * distance);
            let ranks = [0, 1, 2, 3].map(|digit| self.rank_at(first + digit * distance));
            value.exchange_by_four(steps, ranks, (place / distance % 4) as usize)?;
            distance *= 4;
        }
        if distance < self.places {
            let whole = value.value();
            value.exchange(steps, self.rank_at(place ^ distance), &whole)?;
        }
        Ok(())
    }

    /// Returns where the parts of a vector begin that is divided evenly.
    fn even(&self, elements: usize) -> impl Fn(u32) -> usize + use<> {
        let places = self.places as usize;
        move |part| {
            let part = part as usize;
            elements / places * part + elements % places * part / places
        }
    }

    /// Returns the ranks that a place stands for.
    fn ranks_of(&self, place: u32) -> Range<u32> {
        match place < self.pairs {
            true => 2 * place..2 * place + 2,
            false => place + self.pairs..place + self.pairs + 1,
        }
    }

    /// Returns the number of the part with which a place ends when it has halved, and the place
    /// that ends with the part of this number.
    fn mirrored(&self, place: u32) -> u32 {
        match self.places {
            1 => 0,
            places => place.reverse_bits() >> (u32::BITS - places.ilog2()),
        }
    }

    /// Recursive halving: each place ends with a part of the value, its accumulator's range. Part
    /// `i` of as many as there are places begins at element `first(i)`, the last one ends at
    /// `first(places)`.
    fn halve(
        &self,
        steps: &mut Steps<'_>,
        value: &mut Accumulator,
        first: impl Fn(u32) -> usize,
    ) -> Outcome<Vec<Round>> {
        let Some(place) = self.place else { return Ok(Vec::new()) };
        let mut rounds = Vec::new();
        let (mut range, mut distance) = (0..first(self.places), 1);
        let (mut part, mut parts) = (0, self.places);
        while distance < self.places {
            parts /= 2;
            let middle = first(part + parts);
            let (lower, upper) = (range.start..middle, middle..range.end);
            let (kept, given) = if place & distance == 0 {
                (lower, upper)
            } else {
                part += parts;
                (upper, lower)
            };
            let partner = self.rank_at(place ^ distance);
            let sent = value.value_in(&given);
            value.narrow(kept.clone());
            value.exchange(steps, partner, &sent)?;
            range = kept.clone();
            rounds.push(Round { distance, partner, kept, given });
            distance *= 2;
        }
        Ok(rounds)
    }
}

/// One round of halving, for the rounds backwards.
struct Round {
    distance: u32,
    partner: u32,
    kept: Range<usize>,
    given: Range<usize>,
}

fn part(buffer: &Buffer, range: &Range<usize>) -> Buffer {
    buffer.part(range.start, range.len())
}

/// Performs the allreduce of a long vector.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let core = Core::new(steps.rank, steps.size, None);
    let mut value = Accumulator::new(reduction, own, Some(result));
    core.bring_in(steps, &mut value)?;
    let rounds = core.halve(steps, &mut value, core.even(own.count()))?;
    if core.place.is_some() {
        value.finish(steps, result);
    }
    for round in rounds.iter().rev() {
        steps.send(round.partner, &part(result, &round.kept));
        steps.receive(round.partner, &part(result, &round.given));
        steps.wait();
    }
    core.hand_out(steps, result, result);
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
    let core = Core::new(steps.rank, steps.size, Some(root));
    let mut value = Accumulator::new(reduction, own, result);
    core.bring_in(steps, &mut value)?;
    let rounds = core.halve(steps, &mut value, core.even(own.count()))?;
    let Some(place) = core.place else { return Ok(()) };
    let home = match result {
        Some(result) => {
            value.finish(steps, result);
            result.clone()
        }
        None => value.home(),
    };
    let root_place = core.place_of(root);
    for round in rounds.iter().rev() {
        if (place ^ root_place) & round.distance != 0 {
            steps.send(round.partner, &part(&home, &round.kept));
            break;
        }
        steps.receive(round.partner, &part(&home, &round.given));
        steps.wait();
    }
    Ok(())
}

/// Performs the reduce_scatter of the vector `own`; `result` takes this process's block.
pub fn reduce_scatter(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let core = Core::new(steps.rank, steps.size, None);
    let mut value = Accumulator::new(reduction, own, None);
    core.bring_in(steps, &mut value)?;
    core.halve(steps, &mut value, |part| match part {
        0 => 0,
        part => shares.of(core.ranks_of(part - 1).end - 1).end,
    })?;
    let rank = steps.rank;
    match core.place {
        Some(place) => {
            for owner in core.ranks_of(core.mirrored(place)) {
                let block = value.value_in(&shares.of(owner));
                if owner != rank {
                    steps.send_some(owner, &block);
                } else if block.bytes() > 0 {
                    steps.copy(&block, result);
                }
            }
        }
        // The contribution, which is being sent, may lie in the result's memory.
        None => steps.wait(),
    }
    let holder = core.rank_at(core.mirrored(core.place_of(rank)));
    if holder != rank {
        steps.receive_some(holder, result);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_ranks_in_order_and_the_root_is_inside() {
        for size in 1..40 {
            for root in std::iter::once(None).chain((0..size).map(Some)) {
                let cores: Vec<Core> = (0..size).map(|rank| Core::new(rank, size, root)).collect();
                let places = cores[0].places;
                assert!(places.is_power_of_two() && places <= size && size < 2 * places);
                let inside: Vec<u32> = (0..places).map(|place| cores[0].rank_at(place)).collect();
                assert!(inside.is_sorted(), "{inside:?}");
                for (rank, core) in (0..size).zip(&cores) {
                    assert_eq!(
                        core.place,
                        inside.iter().position(|&member| member == rank).map(|place| place as u32)
                    );
                    assert!(
                        core.place.is_some()
                            || core
                                .other
                                .is_some_and(|other| cores[other as usize].place.is_some())
                    );
                }
                assert!(root.is_none_or(|root| cores[root as usize].place.is_some()));
            }
        }
    }
}
