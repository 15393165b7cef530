//! Accesses of this process that the network carries out, and are not complete. The functions that
//! begin them and wait for them are those of `network_access`.

use crate::handle;
use crate::protocol::UPPER_TOKEN;
use nemesis::{NetworkKey, OpenOperations, Token};
use nemesis_datatype::Buffer;
use std::collections::BTreeMap;

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

/// The operations on one process, numbered in the order in which they began.
#[derive(Debug, Default)]
struct Toward {
    open: OpenOperations,
    /// Whether a put has begun since the last flush.
    needs_flush: bool,
    /// The number behind that of the last change.
    after_changes: u64,
}

/// A place for an operation. Its token has the place in the low bits, and above them a number that
/// tells the operation from earlier ones there.
#[derive(Debug)]
struct Slot {
    token: Token,
    /// The operation, and its number among those on its process.
    operation: Option<(Operation, u64)>,
}

/// Bits of a token that name the place.
const PLACE_BITS: u32 = 24;
/// Bits of a token below the one that all of them have, and those of bulk payloads.
const TOKEN_BITS: u32 = 60;

/// The operations on all processes.
#[derive(Debug)]
pub struct NetworkAccesses {
    slots: Vec<Slot>,
    free: Vec<usize>,
    /// Number of operations so far.
    begun: u64,
    toward: BTreeMap<u32, Toward>,
}

impl NetworkAccesses {
    pub const fn new() -> NetworkAccesses {
        NetworkAccesses { slots: Vec::new(), free: Vec::new(), begun: 0, toward: BTreeMap::new() }
    }

    /// Returns the token of the next operation.
    pub fn next(&self) -> Token {
        let place = self.free.last().copied().unwrap_or(self.slots.len()) as u64;
        UPPER_TOKEN | ((self.begun << PLACE_BITS | place) & ((1 << TOKEN_BITS) - 1))
    }

    /// Adds the operation that has begun with the token of [`next`](Self::next).
    pub fn add(&mut self, operation: Operation, kind: Kind) {
        let token = self.next();
        self.begun += 1;
        let toward = self.toward.entry(operation.process).or_default();
        let number = toward.open.begin();
        toward.needs_flush |= kind == Kind::Put;
        if kind == Kind::Change {
            toward.after_changes = number + 1;
        }
        let slot = Slot { token, operation: Some((operation, number)) };
        match self.free.pop() {
            Some(place) => self.slots[place] = slot,
            None => self.slots.push(slot),
        }
    }

    /// Returns the place of an operation that has not ended.
    fn place(&self, token: Token) -> Option<usize> {
        let place = (token & ((1 << PLACE_BITS) - 1)) as usize;
        let slot = self.slots.get(place)?;
        (slot.token == token && slot.operation.is_some()).then_some(place)
    }

    /// Gives the operation with this token the request that completes with it.
    pub fn set_request(&mut self, token: Token, request: handle::Request) {
        let Some(place) = self.place(token) else { return };
        if let Some((operation, _)) = &mut self.slots[place].operation {
            operation.request = Some(request);
        }
    }

    /// Removes an operation that has ended.
    pub fn take(&mut self, token: Token) -> Option<Operation> {
        let place = self.place(token)?;
        let (operation, number) = self.slots[place].operation.take()?;
        self.free.push(place);
        if let Some(toward) = self.toward.get_mut(&operation.process) {
            toward.open.end(number);
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

    /// Returns a limit for [`are_complete`](Self::are_complete): the operations on a process so
    /// far.
    pub fn limit(&self, process: u32) -> u64 {
        self.toward.get(&process).map_or(0, |toward| toward.open.next())
    }

    /// Returns whether no operation on a process is open that began before `limit`.
    pub fn are_complete(&self, process: u32, limit: u64) -> bool {
        self.toward.get(&process).is_none_or(|toward| toward.open.have_ended(limit))
    }

    /// Returns whether no atomic change at a process is open.
    pub fn are_changes_complete(&self, process: u32) -> bool {
        let toward = self.toward.get(&process);
        toward.is_none_or(|toward| toward.open.have_ended(toward.after_changes))
    }

    /// Ends the operations on a lost process. Returns the requests that fail, and the contexts of
    /// windows with operations without a request.
    pub fn lose(&mut self, process: u32) -> (Vec<handle::Request>, Vec<u64>) {
        let (mut requests, mut contexts) = (Vec::new(), Vec::new());
        self.toward.remove(&process);
        for (place, slot) in self.slots.iter_mut().enumerate() {
            let lost = slot.operation.take_if(|(operation, _)| operation.process == process);
            let Some((operation, _)) = lost else { continue };
            self.free.push(place);
            match operation.request {
                Some(request) => requests.push(request),
                None => contexts.push(operation.context),
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
        let limit = accesses.limit(1);
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
    fn a_token_names_one_operation() {
        let mut accesses = NetworkAccesses::new();
        let first = accesses.next();
        accesses.add(operation(1), Kind::Put);
        assert!(accesses.take(first).is_some());
        let second = accesses.next();
        accesses.add(operation(2), Kind::Put);
        assert_eq!(accesses.slots.len(), 1, "places are used again");
        accesses.set_request(first, handle::Request(9));
        assert!(second != first && accesses.take(first).is_none());
        assert_eq!(accesses.take(second).map(|operation| operation.request), Some(None));
        // Tokens stay in their bits.
        accesses.begun = u64::MAX;
        assert_eq!(accesses.next() >> TOKEN_BITS, UPPER_TOKEN >> TOKEN_BITS);
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
