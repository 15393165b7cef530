//! Accesses of this process that the network carries out, and are not complete. The functions that
//! begin them and wait for them are those of `network_access`.

use crate::handle;
use crate::protocol::UPPER_TOKEN;
use nemesis::{NetworkKey, Token};
use nemesis_datatype::Buffer;
use std::collections::{BTreeMap, BTreeSet};

/// Greatest number of accesses to a process that are not complete.
const UNDER_WAY_MAX: usize = 1024;

/// Memory of a rank that the network reaches.
#[derive(Debug)]
pub struct NetworkMemory {
    /// Where the window's memory begins in the rank's address space.
    pub address: u64,
    pub key: NetworkKey,
}

/// An access, or a flush, that is not complete.
#[derive(Debug)]
pub struct Operation {
    pub process: u32,
    pub context: u64,
    pub win: handle::Win,
    /// The request that completes with it.
    pub request: Option<handle::Request>,
    /// Keeps the program's memory of an access.
    _local: Option<Buffer>,
}

impl Operation {
    /// Makes an operation of a window on a process. `local` is the program's memory of an access.
    pub fn new(process: u32, context: u64, win: handle::Win, local: Option<Buffer>) -> Operation {
        Operation { process, context, win, request: None, _local: local }
    }
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Complete at the target after a flush.
    Put,
    Get,
    /// An atomic change of a word, which AM requests of accumulates must not overtake.
    Change,
    Flush,
}

/// The operations on one process.
#[derive(Debug, Default)]
struct Toward {
    open: BTreeSet<Token>,
    /// Whether a put has begun since the last flush.
    needs_flush: bool,
    last_change: Option<Token>,
}

/// The operations on all processes.
#[derive(Debug)]
pub struct NetworkAccesses {
    next: Token,
    operations: BTreeMap<Token, Operation>,
    toward: BTreeMap<u32, Toward>,
}

impl NetworkAccesses {
    pub const fn new() -> NetworkAccesses {
        NetworkAccesses { next: UPPER_TOKEN, operations: BTreeMap::new(), toward: BTreeMap::new() }
    }

    /// Returns the token of the next operation.
    pub fn next(&self) -> Token {
        self.next
    }

    /// Adds the operation that has begun with the token of [`next`](Self::next).
    pub fn add(&mut self, operation: Operation, kind: Kind) {
        let toward = self.toward.entry(operation.process).or_default();
        toward.open.insert(self.next);
        toward.needs_flush |= kind == Kind::Put;
        if kind == Kind::Change {
            toward.last_change = Some(self.next);
        }
        self.operations.insert(self.next, operation);
        self.next += 1;
    }

    /// Gives the operation with this token the request that completes with it.
    pub fn set_request(&mut self, token: Token, request: handle::Request) {
        if let Some(operation) = self.operations.get_mut(&token) {
            operation.request = Some(request);
        }
    }

    /// Removes an operation that has ended.
    pub fn take(&mut self, token: Token) -> Option<Operation> {
        let operation = self.operations.remove(&token)?;
        if let Some(toward) = self.toward.get_mut(&operation.process) {
            toward.open.remove(&token);
        }
        Some(operation)
    }

    /// Returns whether another access to a process may be under way.
    pub fn has_space(&self, process: u32) -> bool {
        self.toward.get(&process).is_none_or(|toward| toward.open.len() < UNDER_WAY_MAX)
    }

    /// Returns whether a put to a process has begun since the last call of this function.
    pub fn take_need_of_flush(&mut self, process: u32) -> bool {
        let toward = self.toward.get_mut(&process);
        toward.is_some_and(|toward| std::mem::take(&mut toward.needs_flush))
    }

    /// Returns whether no operation on a process is open that began before `limit`.
    pub fn are_complete(&self, process: u32, limit: Token) -> bool {
        let first = self.toward.get(&process).and_then(|toward| toward.open.first());
        first.is_none_or(|&first| first >= limit)
    }

    /// Returns whether no atomic change at a process is open.
    pub fn are_changes_complete(&self, process: u32) -> bool {
        let last = self.toward.get(&process).and_then(|toward| toward.last_change);
        last.is_none_or(|last| self.are_complete(process, last + 1))
    }

    /// Ends the operations on a lost process. Returns the requests that fail, and the contexts of
    /// windows with operations without a request.
    pub fn lose(&mut self, process: u32) -> (Vec<handle::Request>, Vec<u64>) {
        let (mut requests, mut contexts) = (Vec::new(), Vec::new());
        for token in self.toward.remove(&process).map_or_else(BTreeSet::new, |toward| toward.open) {
            match self.operations.remove(&token) {
                Some(Operation { request: Some(request), .. }) => requests.push(request),
                Some(Operation { context, .. }) => contexts.push(context),
                None => {}
            }
        }
        (requests, contexts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(process: u32) -> Operation {
        Operation::new(process, 7, handle::Win(1), None)
    }

    #[test]
    fn operations_are_awaited_up_to_a_limit() {
        let mut accesses = NetworkAccesses::new();
        let first = accesses.next();
        accesses.add(operation(1), Kind::Put);
        accesses.add(operation(2), Kind::Get);
        let limit = accesses.next();
        accesses.add(operation(1), Kind::Get);
        assert!(accesses.take_need_of_flush(1) && !accesses.take_need_of_flush(1));
        assert!(!accesses.take_need_of_flush(2), "a get needs no flush");
        assert!(!accesses.are_complete(1, limit) && accesses.are_complete(3, limit));
        assert_eq!(accesses.take(first).map(|operation| operation.process), Some(1));
        assert!(accesses.are_complete(1, limit) && !accesses.are_complete(1, limit + 1));
        assert!(accesses.take(first).is_none(), "it has ended");
    }

    #[test]
    fn changes_are_awaited_and_what_follows_them_is_not() {
        let mut accesses = NetworkAccesses::new();
        assert!(accesses.are_changes_complete(1));
        let change = accesses.next();
        accesses.add(operation(1), Kind::Change);
        accesses.add(operation(1), Kind::Put);
        assert!(!accesses.are_changes_complete(1) && accesses.are_changes_complete(2));
        accesses.take(change);
        assert!(accesses.are_changes_complete(1));
    }

    #[test]
    fn operations_on_a_lost_process_end() {
        let (mut accesses, request) = (NetworkAccesses::new(), handle::Request(9));
        let token = accesses.next();
        accesses.add(operation(1), Kind::Put);
        accesses.set_request(token, request);
        accesses.add(operation(1), Kind::Put);
        accesses.add(operation(2), Kind::Put);
        assert_eq!(accesses.lose(1), (vec![request], vec![7]));
        assert_eq!(accesses.lose(1), (vec![], vec![]));
        assert!(accesses.take(token).is_none() && accesses.take_need_of_flush(2));
    }
}
