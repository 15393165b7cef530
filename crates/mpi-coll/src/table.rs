//! Tables of algorithms: each operation has a list of the algorithms by which it can be performed.

use crate::error::Outcome;
use crate::rows::{Case, Need, Row, choose};
use crate::steps::Steps;

/// An operation that chooses among algorithms.
pub trait Operation: 'static {
    /// The arguments of a call.
    type Args<'a>;

    /// The operation's name in the environment and in messages.
    const NAME: &'static str;
    /// The operation's place in the list of all operations.
    const INDEX: usize;
    /// The algorithms. For every call, one of them can do the job and is preferred.
    const ALGORITHMS: &'static [Algorithm<Self>];
}

/// One algorithm of an operation.
pub struct Algorithm<O: Operation + ?Sized> {
    pub row: Row,
    start: Start<O>,
}

/// The function that performs or records a call.
pub type Start<O> = for<'a, 's> fn(&mut Steps<'s>, &<O as Operation>::Args<'a>) -> Outcome;

impl<O: Operation> Algorithm<O> {
    /// Describes an algorithm: its name, what it does, what it needs, where the thresholds prefer
    /// it to the algorithms that follow, and the function that performs it.
    pub const fn new(
        name: &'static str,
        what: &'static str,
        needs: &'static [Need],
        is_preferred: fn(&Case) -> bool,
        start: Start<O>,
    ) -> Algorithm<O> {
        Algorithm { row: Row { name, what, needs, is_preferred }, start }
    }
}

/// Performs or records a call by the algorithm that is chosen for it.
pub fn perform<O: Operation>(steps: &mut Steps<'_>, case: &Case, args: &O::Args<'_>) -> Outcome {
    let rows = O::ALGORITHMS.iter().map(|algorithm| &algorithm.row);
    (O::ALGORITHMS[choose(steps.forced(O::INDEX), rows, case)].start)(steps, args)
}
