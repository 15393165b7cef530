//! What each process of an operation does, recorded without an engine, for models of jobs that are
//! larger than any machine at hand.
//!
//! The steps are those that the library itself would perform by messages: the recorder forces a row
//! of the operation's table and runs its builder. Buffers are only named, so their pages are never
//! touched.

use crate::blocks::{Blocks, Shares};
use crate::error::Outcome;
use crate::forced::ForcedTable;
use crate::grid::Grid;
use crate::operations;
use crate::operator::{Operator, Reduction};
use crate::rows::{Case, Members, Row, Scope};
use crate::schedule::{Schedule, Step};
use crate::steps::{Later, Steps};
use crate::{
    abi, allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reduce_scatter, scan,
    scatter,
};
use nemesis_datatype::{Buffer, Datatype, Op};
use std::sync::Arc;

/// One step of a process. Processes are named by their rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Send {
        to: u32,
        bytes: usize,
    },
    Receive {
        from: u32,
    },
    Copy {
        bytes: usize,
    },
    Reduce {
        bytes: usize,
    },
    /// Waits until all sends and receives so far are complete.
    Wait,
    /// Waits until a receive from a rank is complete: the first one has number 1.
    WaitFor {
        from: u32,
        number: u32,
    },
}

/// Records what the ranks of an operation do by one of its algorithms.
pub struct Recorder {
    operation: usize,
    forced: ForcedTable,
    processes: Arc<[u32]>,
    grid: Grid,
    each: usize,
    /// Memory of a block for each rank, to send and to receive.
    sent: Buffer,
    received: Buffer,
}

/// Returns the algorithms of an operation that send messages, in the order of its table.
pub fn rows_by_messages(operation: usize, grid: Grid, bytes: usize) -> Vec<&'static Row> {
    let case = case(grid, bytes);
    let rows = (operations::ALL[operation].rows)().into_iter();
    rows.filter(|row| row.scope == Scope::Messages && row.can(&case, bytes)).collect()
}

/// Returns the name of the algorithm that is chosen of those that send messages.
pub fn chosen_by_messages(operation: usize, grid: Grid, bytes: usize) -> &'static str {
    let mut rows = (operations::ALL[operation].rows)();
    rows.retain(|row| row.scope == Scope::Messages);
    let chosen = crate::rows::choose(rows.iter().copied(), &case(grid, bytes), bytes);
    rows[chosen].name
}

fn case(grid: Grid, bytes: usize) -> Case {
    let (members, ranks) = (Members::Grid(grid), grid.nodes * grid.members);
    let divisible = bytes / WORD_BYTES >= ranks as usize;
    Case { members, ranks, predefined: true, commutative: true, even: true, divisible }
}

/// Bytes of an element. Lengths are rounded up to it.
const WORD_BYTES: usize = 8;

const SUM: Reduction = Reduction { operator: Operator::Predefined(Op::Sum), commutative: true };

impl Recorder {
    /// Prepares an operation of the processes of a grid by the row with this name. `bytes` is the
    /// length by which rows are chosen: that of the vector, or of a block in gather, scatter,
    /// allgather and alltoall. It is rounded up to elements, in reduce_scatter to one for each
    /// rank.
    ///
    /// # Errors
    ///
    /// There is no such row, or no memory.
    pub fn new(operation: usize, row: &str, grid: Grid, bytes: usize) -> Result<Recorder, String> {
        let ranks = grid.nodes * grid.members;
        let mut forced: ForcedTable = std::array::from_fn(|_| Vec::new());
        forced[operation] = operations::parse(operation, row)?;
        let name = operations::ALL[operation].name;
        let mut each = bytes.div_ceil(WORD_BYTES);
        if name == "reduce_scatter" {
            each = each.next_multiple_of(ranks as usize);
        }
        let has_blocks = ["gather", "scatter", "allgather", "alltoall"];
        let blocks = match has_blocks.contains(&name) {
            true => ranks as usize,
            false => 1,
        };
        let word = Datatype::predefined(abi::MPI_DOUBLE.0).expect("a predefined type");
        let memory = || Buffer::scratch((each * blocks) as i64, word).map_err(|error| error.why);
        let (sent, received) = (memory()?, memory()?);
        let processes = (0..ranks).collect();
        Ok(Recorder { operation, forced, processes, grid, each, sent, received })
    }

    /// Returns what a rank does. Rank 0 is the root.
    ///
    /// # Errors
    ///
    /// The steps cannot be recorded.
    pub fn moves(&self, rank: u32) -> Result<Vec<Move>, String> {
        let mut schedule = Schedule::recorded(rank, self.processes.clone());
        let mut steps = Steps::noted(&mut schedule, Later::Never).forcing(Some(&self.forced));
        steps.are_on(Some(self.grid));
        self.build(&mut steps, rank).map_err(|error| error.why)?;
        drop(steps);
        let steps = schedule.into_steps();
        Ok((0..steps.len()).map(|index| moved(&steps, index)).collect())
    }

    fn build(&self, steps: &mut Steps<'_>, rank: u32) -> Outcome {
        let (own, result) = (self.sent.part(0, self.each), self.received.part(0, self.each));
        let blocks = |all: &Buffer| Blocks::Even { all: all.clone(), each: self.each };
        let is_root = rank == 0;
        match operations::ALL[self.operation].name {
            "barrier" => barrier::barrier(steps),
            "bcast" => bcast::bcast(steps, &own, 0),
            "reduce" => reduce::reduce(steps, &own, is_root.then_some(&result), SUM, 0),
            "allreduce" => allreduce::allreduce(steps, &own, &result, SUM),
            "reduce_scatter" => {
                let share = self.each / self.processes.len();
                let result = self.received.part(0, share);
                reduce_scatter::reduce_scatter(steps, &own, &Shares::Even(share), &result, SUM)
            }
            "scan" => scan::scan(steps, &own, &result, SUM),
            "gather" => {
                let all = is_root.then(|| blocks(&self.received));
                gather::gather(steps, Some(&own), all.as_ref(), 0)
            }
            "scatter" => {
                let all = is_root.then(|| blocks(&self.sent));
                scatter::scatter(steps, all.as_ref(), Some(&result), 0)
            }
            "allgather" => allgather::allgather(steps, Some(&own), &blocks(&self.received)),
            "alltoall" => alltoall::alltoall(steps, &blocks(&self.sent), &blocks(&self.received)),
            other => unreachable!("an operation called {other}"),
        }
    }
}

fn moved(steps: &[Step], index: usize) -> Move {
    match &steps[index] {
        Step::Send { to, buffer } => Move::Send { to: *to, bytes: buffer.bytes() },
        Step::Receive { from, .. } => Move::Receive { from: *from },
        Step::Copy { to, .. } => Move::Copy { bytes: to.bytes() },
        Step::Reduce { inout, .. } => Move::Reduce { bytes: inout.bytes() },
        Step::Wait => Move::Wait,
        Step::WaitFor { from, buffer } => {
            let into = steps[..index].iter().filter_map(|step| match step {
                Step::Receive { from: sender, buffer } if sender == from => Some(buffer.address()),
                _ => None,
            });
            let place = into.zip(1..).find(|(address, _)| *address == buffer.address());
            Move::WaitFor { from: *from, number: place.map_or(0, |(_, number)| number) }
        }
        other => unreachable!("messages have no step {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT: Grid = Grid { nodes: 8, members: 1 };

    fn index(name: &str) -> usize {
        operations::ALL.iter().position(|operation| operation.name == name).unwrap()
    }

    #[test]
    fn each_message_of_each_row_is_received() {
        for (operation, choice) in operations::ALL.iter().enumerate() {
            for (nodes, members, bytes) in
                [(2, 1, 8), (7, 1, 8), (8, 1, 4096), (12, 1, 100_000), (3, 4, 100_000)]
            {
                let grid = Grid { nodes, members };
                let ranks = nodes * members;
                for row in rows_by_messages(operation, grid, bytes) {
                    let recorder = Recorder::new(operation, row.name, grid, bytes).unwrap();
                    let mut open = std::collections::HashMap::new();
                    for rank in 0..ranks {
                        for one in recorder.moves(rank).unwrap() {
                            match one {
                                Move::Send { to, .. } => *open.entry((rank, to)).or_insert(0) += 1,
                                Move::Receive { from } => {
                                    *open.entry((from, rank)).or_insert(0) -= 1;
                                }
                                _ => {}
                            }
                        }
                    }
                    let is_even = open.values().all(|&left| left == 0);
                    assert!(!open.is_empty() && is_even, "{} {}", choice.name, row.name);
                }
            }
        }
    }

    #[test]
    fn the_row_that_is_named_is_recorded() {
        let moves =
            |row| Recorder::new(index("allreduce"), row, EIGHT, 1 << 20).unwrap().moves(3).unwrap();
        let sent = |moves: Vec<Move>| -> usize {
            let bytes = moves.iter().map(|one| match one {
                Move::Send { bytes, .. } => *bytes,
                _ => 0,
            });
            bytes.sum()
        };
        assert_eq!(sent(moves("recursive_doubling")), 3 << 20);
        assert_eq!(sent(moves("halving")), 2 * (7 << 17));
        assert!(Recorder::new(index("allreduce"), "ring_of_fire", EIGHT, 8).is_err());
    }
}
