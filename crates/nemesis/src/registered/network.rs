//! Operations on registered memory that a network carries out.

use super::{Direction, FIRST_BULK_TOKEN, Key, Operation, Registered};
use crate::endpoint::Endpoint;
use crate::networks::RemoteMemory;
use crate::packet::Token;
use nemesis_netmod::{Failure, Region, RegionMut};
use nemesis_shm::span::Span;

/// An operation that the network carries out.
#[derive(Debug)]
pub struct NetworkOperation {
    pub to: u32,
    /// Number of completions to come: one of a get; two of a put, its own and that of the flush
    /// behind it.
    parts: u32,
    failed: bool,
}

impl Registered {
    /// Begins the latest operation by the network that leads to the process. Returns false if the
    /// network does not reach memory, or not this memory.
    pub(super) fn begin_by_network(
        &mut self,
        endpoint: &mut Endpoint,
        process: u32,
        key: &Key,
        address: u64,
        local: &Span,
        direction: Direction,
    ) -> bool {
        let bytes = local.bytes();
        let reaches = bytes > 0
            && !self.lost.contains(&process)
            && endpoint.reaches_memory(process, &key.network);
        if !reaches {
            return false;
        }
        let (there, number) = (RemoteMemory { process, address, key: &key.network }, self.next);
        let begun = match direction {
            Direction::Put => {
                let Some(from) = Region::of_span(local, 0, bytes) else { return false };
                let put = endpoint.put(from, there, number);
                [put.is_ok(), put.is_ok() && endpoint.flush(process, number).is_ok()]
            }
            Direction::Get => {
                let Some(to) = RegionMut::of_span(local, 0, bytes) else { return false };
                [endpoint.get(to, there, number).is_ok(), true]
            }
        };
        let parts = match (direction, begun) {
            (_, [false, _]) => 0,
            (Direction::Put, [true, true]) => 2,
            _ => 1,
        };
        let failed = begun != [true, true];
        if parts > 0 {
            let operation = NetworkOperation { to: process, parts, failed };
            self.operations.insert(number, Operation::Network(operation));
        } else {
            self.failed.insert(number);
        }
        true
    }

    /// Handles the completion of a part of an operation, as
    /// [`Sink::completed`](crate::Sink::completed) reports it.
    pub fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        let Some(Operation::Network(operation)) = self.operations.get_mut(&token) else {
            // What a request has sent is confirmed by its target.
            match token {
                FIRST_BULK_TOKEN.. => drop(self.origin.completed(token, outcome)),
                _ => self.target.completed(token),
            }
            return;
        };
        operation.parts -= 1;
        operation.failed |= outcome.is_err();
        if operation.parts > 0 {
            return;
        }
        if operation.failed {
            self.failed.insert(token);
        }
        self.operations.remove(&token);
    }
}
