//! Remote memory access without the target's processor, as RDMA hardware does it.
//!
//! Operations leave late and, between two flushes, in any order. A put reads its bytes when it
//! leaves, and writes them when it arrives, even later:
//!
//! ```text
//!   put           Leaving --bytes are read, completed--> Arriving --written--> over
//!   get, atomic   Leaving --done, completed--> over
//!   flush         completed when all earlier operations on that process are over
//! ```
//!
//! The target takes no part: the origin's polls write its memory.

use crate::registered::Remote;
use crate::wires::{End, Wires};
use nemesis_netmod::optional::Change;
use nemesis_netmod::{Failure, Region, RegionMut, Token};
use std::collections::HashMap;

pub enum Work {
    Put(Region),
    Arriving(Vec<u8>),
    Get(RegionMut),
    Atomic(Change, RegionMut),
    Flush,
}

struct Operation {
    number: u64,
    at: Remote,
    due: u64,
    token: Token,
    work: Work,
}

/// A token and its outcome.
pub type Completion = (Token, Result<(), Failure>);

/// Operations of one process.
#[derive(Default)]
pub struct Operations {
    under_way: Vec<Operation>,
    begun: u64,
    /// Puts that failed after they had completed, by process; the next flush reports them.
    failed: HashMap<u32, Failure>,
}

impl Operations {
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    pub fn begin(&mut self, wires: &mut Wires, at: Remote, work: Work, token: Token) {
        self.begun += 1;
        self.under_way.push(Operation { number: self.begun, at, due: wires.due(), token, work });
    }

    /// Moves the operations that are due, in random order. Returns the completions, the number of
    /// operations that ended, and a process that has left, if there is one.
    pub fn advance(&mut self, wires: &mut Wires) -> (Vec<Completion>, u32, Option<(u32, End)>) {
        let mut completed = Vec::new();
        let before = self.under_way.len();
        if before == 0 {
            return (completed, 0, None);
        }
        self.under_way.rotate_left(wires.up_to(before as u64 - 1) as usize);
        let gone = self.under_way.iter().find_map(|operation| {
            wires.end_of(operation.at.process).map(|end| (operation.at.process, end))
        });
        if gone.is_some() {
            return (completed, 0, gone);
        }
        let moved = std::mem::take(&mut self.under_way)
            .into_iter()
            .filter_map(|operation| self.step(operation, wires, &mut completed));
        let left: Vec<Operation> = moved.collect();
        self.under_way = left;
        self.end_flushes(&mut completed);
        let over = before - self.under_way.len();
        (completed, over as u32, None)
    }

    /// Moves an operation that is due, and returns what remains of it.
    fn step(
        &mut self,
        mut operation: Operation,
        wires: &mut Wires,
        completed: &mut Vec<Completion>,
    ) -> Option<Operation> {
        if operation.due > wires.now() {
            return Some(operation);
        }
        let (at, token) = (operation.at, operation.token);
        operation.work = match operation.work {
            Work::Put(region) => {
                completed.push((token, Ok(())));
                operation.due = wires.due();
                Work::Arriving(region.bytes().to_vec())
            }
            Work::Arriving(bytes) => {
                if let Err(failure) = wires.registered.write(at, &bytes) {
                    self.failed.insert(at.process, failure);
                }
                return None;
            }
            Work::Get(mut into) => {
                completed.push((token, wires.registered.read(at, into.from_mut(0))));
                return None;
            }
            Work::Atomic(change, mut old) => {
                let changed = wires.registered.change(at, change);
                completed.push((token, changed.map(|before| old.write(0, &before.to_ne_bytes()))));
                return None;
            }
            Work::Flush => Work::Flush,
        };
        Some(operation)
    }

    fn end_flushes(&mut self, completed: &mut Vec<Completion>) {
        let waits = |flush: &Operation, all: &[Operation]| {
            all.iter().any(|other| {
                other.at.process == flush.at.process
                    && other.number < flush.number
                    && !matches!(other.work, Work::Flush)
            })
        };
        let over: Vec<u64> = self
            .under_way
            .iter()
            .filter(|operation| {
                matches!(operation.work, Work::Flush) && !waits(operation, &self.under_way)
            })
            .map(|operation| operation.number)
            .collect();
        for flush in self.under_way.extract_if(.., |operation| over.contains(&operation.number)) {
            completed
                .push((flush.token, self.failed.remove(&flush.at.process).map_or(Ok(()), Err)));
        }
    }

    /// Returns the tokens of operations on a process that has left.
    pub fn abandon(&mut self, process: u32) -> Vec<Token> {
        self.failed.remove(&process);
        let gone = self.under_way.extract_if(.., |operation| operation.at.process == process);
        gone.filter(|operation| !matches!(operation.work, Work::Arriving(_)))
            .map(|operation| operation.token)
            .collect()
    }
}
