//! The operands of reductions: an operator, and a value that accumulates contributions.
//!
//! A reduction step computes `inout = input op inout`: the right operand's memory takes the result.
//! An [`Accumulator`] knows where its value lies and which places are free, so that values change
//! places instead of being copied:
//!
//! ```text
//!   value op received      the result lies where `received` did; the value's old place is free
//!   received op value      the result lies where the value is; the place of `received` is free
//! ```
//!
//! The first value is the user's send buffer, which may be read-only; a later one lies in the
//! receive buffer or in temporary memory. For a commutative operation the accumulator picks the
//! form that needs no copy. *Ordered*, it keeps the order of ranks strictly. Operations that are
//! not commutative need that (MPI 5.0 §6.9.1), and so do operations in which all processes must
//! compute equal bits.

use super::operator::{Operator, Reduction};
use super::{Steps, scratch};
use crate::error::Outcome;
use nemesis_datatype::Buffer;
use nemesis_sys::mutation::{self, Mutation};
use std::ops::Range;

/// A value that accumulates contributions.
pub struct Accumulator {
    operator: Operator,
    ordered: bool,
    /// The value, of which only `range` counts.
    value: Buffer,
    range: Range<usize>,
    /// True if the value lies in memory that the accumulator may write.
    ours: bool,
    /// Unused places of equal shape, at most three.
    free: [Option<Buffer>; 3],
}

impl Accumulator {
    /// Starts with a process's own contribution. `result` is where the value should end up, if this
    /// process needs it; the contribution may lie there (`MPI_IN_PLACE`).
    pub fn new(reduction: Reduction, own: &Buffer, result: Option<&Buffer>) -> Accumulator {
        let ours = result.is_some_and(|result| result.address() == own.address());
        Accumulator {
            operator: reduction.operator,
            ordered: !reduction.commutative,
            value: own.clone(),
            range: 0..own.count(),
            ours,
            free: [if ours { None } else { result.cloned() }, None, None],
        }
    }

    /// Starts with a contribution that was received into a place of the accumulator.
    pub fn received(reduction: Reduction, place: Buffer) -> Accumulator {
        let range = 0..place.count();
        Accumulator {
            operator: reduction.operator,
            ordered: !reduction.commutative,
            value: place,
            range,
            ours: true,
            free: [None, None, None],
        }
    }

    /// Keeps the order of ranks even for commutative operations, so that floating-point sums are
    /// equal everywhere.
    pub fn ordered(mut self) -> Accumulator {
        self.ordered = true;
        self
    }

    /// Returns the part of the value that counts.
    pub fn value(&self) -> Buffer {
        self.part(&self.value, &self.range)
    }

    /// Returns another part of the value.
    pub fn value_in(&self, range: &Range<usize>) -> Buffer {
        self.part(&self.value, range)
    }

    fn part(&self, buffer: &Buffer, range: &Range<usize>) -> Buffer {
        if range.len() == buffer.count() {
            buffer.clone()
        } else {
            buffer.part(range.start, range.len())
        }
    }

    /// Restricts the value to this part.
    pub fn narrow(&mut self, range: Range<usize>) {
        self.range = range;
    }

    /// Returns a place for a contribution. It has the whole length; the part that counts will be
    /// used.
    pub fn place(&mut self) -> Outcome<Buffer> {
        match self.free.iter_mut().find_map(Option::take) {
            Some(place) => Ok(place),
            None => scratch(self.value.count(), self.value.datatype()),
        }
    }

    /// Returns the part of a place that counts.
    pub fn counting(&self, place: &Buffer) -> Buffer {
        self.part(place, &self.range)
    }

    fn release(&mut self, place: Buffer) {
        if let Some(slot) = self.free.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(place);
        }
    }

    /// Computes `value = value op received`: the contribution is of higher ranks.
    pub fn combine_above(&mut self, steps: &mut Steps<'_>, received: Buffer) {
        if !self.ordered && self.ours {
            return self.take_in(steps, received);
        }
        steps.reduce(self.operator, &self.value(), &self.counting(&received));
        self.take_place(received);
    }

    /// Computes `value = received op value`: the contribution is of lower ranks.
    pub fn combine_below(&mut self, steps: &mut Steps<'_>, received: Buffer) -> Outcome {
        if !self.ordered && !self.ours {
            self.combine_above(steps, received);
            return Ok(());
        }
        self.move_in(steps)?;
        self.take_in(steps, received);
        Ok(())
    }

    /// Copies a value that lies in the send buffer to a place of the accumulator. If called before
    /// another place is requested, the value gets the result's place.
    fn move_in(&mut self, steps: &mut Steps<'_>) -> Outcome {
        if !self.ours {
            let place = self.place()?;
            steps.copy(&self.value(), &self.counting(&place));
            self.value = place;
            self.ours = true;
        }
        Ok(())
    }

    /// Exchanges with `partner`: sends it the part `given` of the value, and reduces its
    /// contribution to the part that counts, on the side that its rank determines.
    pub fn exchange(&mut self, steps: &mut Steps<'_>, partner: u32, given: &Buffer) -> Outcome {
        steps.send(partner, given);
        self.combine_from(steps, partner)
    }

    /// Exchanges the whole value with the three other processes of a group, of which this one has
    /// index `own`, and reduces the four values `a` to `d` to `(a op b) op (c op d)`.
    pub fn exchange_by_four(
        &mut self,
        steps: &mut Steps<'_>,
        ranks: [u32; 4],
        own: usize,
    ) -> Outcome {
        // `b` and `d` take results.
        if own % 2 == 1 {
            self.move_in(steps)?;
        }
        let given = self.value();
        let others = || (0..4).filter(|&index| index != own);
        // The total lies in the place of `d`, so that one gets the result's memory if that is free.
        let mut values = std::array::from_fn(|_| self.value.clone());
        for index in others().rev() {
            values[index] = self.place()?;
        }
        others().for_each(|index| steps.send(ranks[index], &given));
        for index in others() {
            steps.receive(ranks[index], &self.counting(&values[index]));
        }
        steps.wait();
        for (input, inout) in [(0, 1), (2, 3), (1, 3)] {
            let [input, inout] = [input, inout].map(|index| self.counting(&values[index]));
            steps.reduce(self.operator, &input, &inout);
        }
        let [a, b, c, total] = values;
        let ours = self.ours;
        for (index, place) in [a, b, c].into_iter().enumerate() {
            if index != own || ours {
                self.release(place);
            }
        }
        (self.value, self.ours) = (total, true);
        Ok(())
    }

    /// Receives the next contribution in order and reduces it from above.
    pub fn take_next(&mut self, steps: &mut Steps<'_>, sender: u32) -> Outcome {
        let received = self.place()?;
        steps.receive(sender, &self.counting(&received));
        steps.wait();
        self.combine_above(steps, received);
        Ok(())
    }

    /// Moves the value to another place.
    fn take_place(&mut self, place: Buffer) {
        let old = std::mem::replace(&mut self.value, place);
        if std::mem::replace(&mut self.ours, true) {
            self.release(old);
        }
    }

    /// Receives a contribution and reduces it on the side that the sender's rank determines.
    pub fn combine_from(&mut self, steps: &mut Steps<'_>, sender: u32) -> Outcome {
        let below = sender < steps.rank;
        if below && self.ordered {
            self.move_in(steps)?;
        }
        let received = self.place()?;
        steps.receive(sender, &self.counting(&received));
        steps.wait();
        if below && !mutation::strikes(Mutation::OperandsSwapped) {
            return self.combine_below(steps, received);
        }
        self.combine_above(steps, received);
        Ok(())
    }

    fn take_in(&mut self, steps: &mut Steps<'_>, received: Buffer) {
        steps.reduce(self.operator, &self.counting(&received), &self.value());
        self.release(received);
    }

    /// Returns the memory of the whole value.
    pub fn home(&self) -> Buffer {
        self.value.clone()
    }

    /// Copies the part that counts to its place in `result`.
    pub fn finish(&self, steps: &mut Steps<'_>, result: &Buffer) {
        if self.value.address() != result.address() {
            steps.copy(&self.value(), &self.counting(result));
        }
    }
}
