//! Tables of algorithms: each operation has a list of the algorithms by which it can be performed.

use crate::costs::Work;
use crate::error::Outcome;
use crate::rows::{Case, Lengths, Members, Need, Row, Scope, choose, forced};
use crate::shm::Delivery;
use crate::steps::Steps;

/// An operation that chooses among algorithms.
pub trait Operation: 'static {
    /// The arguments of a call.
    type Args<'a>;

    /// The operation's name in the environment and in messages.
    const NAME: &'static str;
    /// The operation's place in the list of all operations.
    const INDEX: usize;
    /// The algorithms. Every call has one that sends messages and can perform it.
    const ALGORITHMS: &'static [Algorithm<Self>];

    /// Tells the members of the node, in their segment, that the data of this call come as
    /// messages. A member that chose otherwise, because its length is another one, finds that out,
    /// so that no process waits forever. Returns `Done` if the data have come through the segment.
    fn announce(_: &mut Steps<'_>, _: &Self::Args<'_>) -> Outcome<Delivery> {
        Ok(Delivery::AsMessage)
    }
}

/// One algorithm of an operation.
pub struct Algorithm<O: Operation + ?Sized> {
    pub row: Row,
    start: Start<O>,
}

/// The function that performs or records a call.
pub type Start<O> = for<'a, 's> fn(&mut Steps<'s>, &<O as Operation>::Args<'a>) -> Outcome;

impl<O: Operation> Algorithm<O> {
    /// Describes an algorithm that uses a collective segment. `chosen`: the lengths for which it is
    /// chosen before the algorithms that follow.
    pub const fn segment(
        name: &'static str,
        what: &'static str,
        needs: &'static [Need],
        chosen: fn(&Case) -> Lengths,
        start: Start<O>,
    ) -> Algorithm<O> {
        Algorithm { row: row(name, what, Scope::Segment, needs, chosen), start }
    }

    /// Describes an algorithm that uses segments in nodes, level by level, and messages between the
    /// leaders of nodes. `chosen`: the lengths for which it is chosen before the algorithms that
    /// follow.
    pub const fn levels(
        needs: &'static [Need],
        chosen: fn(&Case) -> Lengths,
        start: Start<O>,
    ) -> Algorithm<O> {
        let what = "segments in nodes, messages between their leaders";
        Algorithm { row: row("hierarchical", what, Scope::Levels, needs, chosen), start }
    }

    /// Describes an algorithm that sends messages.
    pub const fn messages(
        name: &'static str,
        what: &'static str,
        needs: &'static [Need],
        chosen: fn(&Case) -> Lengths,
        start: Start<O>,
    ) -> Algorithm<O> {
        Algorithm { row: row(name, what, Scope::Messages, needs, chosen), start }
    }

    /// Sets the lengths that the algorithm can carry.
    pub const fn carries(self, carries: fn(&Case) -> Lengths) -> Algorithm<O> {
        Algorithm { row: Row { carries, ..self.row }, ..self }
    }

    /// Sets what each member does in a call, by the number of members and of bytes.
    pub const fn costs(self, work: fn(f32, f32) -> Work) -> Algorithm<O> {
        Algorithm { row: Row { work: Some(work), ..self.row }, ..self }
    }
}

const fn row(
    name: &'static str,
    what: &'static str,
    scope: Scope,
    needs: &'static [Need],
    chosen: fn(&Case) -> Lengths,
) -> Row {
    Row { name, what, scope, needs, carries: |_| Lengths::ALL, chosen, work: None }
}

/// Performs or records a call of `bytes` bytes by the algorithm that is chosen for it.
pub fn perform<O: Operation>(
    steps: &mut Steps<'_>,
    case: &Case,
    bytes: usize,
    args: &O::Args<'_>,
) -> Outcome {
    let rows = O::ALGORITHMS.iter().map(|algorithm| &algorithm.row);
    let index = forced(steps.forced(O::INDEX), rows.clone(), case, bytes)
        .unwrap_or_else(|| steps.choose(O::INDEX, rows.clone(), case, bytes));
    let algorithm = &O::ALGORITHMS[index];
    if algorithm.row.scope == Scope::Messages
        && case.site().is_some()
        && rows.clone().any(|row| row.scope == Scope::Segment && row.can_some(case))
        && O::announce(steps, args)? == Delivery::Done
    {
        return Ok(());
    }
    (algorithm.start)(steps, args)
}

/// Performs a call of `bytes` bytes by messages: between leaders, or because the segment has told
/// that the data come as a message.
pub fn by_messages<O: Operation>(
    steps: &mut Steps<'_>,
    case: &Case,
    bytes: usize,
    args: &O::Args<'_>,
) -> Outcome {
    let case = Case { members: case.grid().map_or(Members::None, Members::Grid), ..*case };
    let rows = O::ALGORITHMS.iter().map(|algorithm| &algorithm.row);
    let index = forced(steps.forced(O::INDEX), rows.clone(), &case, bytes)
        .unwrap_or_else(|| choose(rows, &case, bytes));
    (O::ALGORITHMS[index].start)(steps, args)
}
