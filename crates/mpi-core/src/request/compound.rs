//! Compound operations: one request that consists of several.

use super::Copies;
use super::partitioned::Arrivals;
use crate::handle;
use std::sync::Arc;

/// An active operation that consists of other operations.
#[derive(Debug)]
pub struct Compound {
    /// Number of parts that are not complete.
    pub remaining: usize,
    pub role: Role,
}

/// The kind of a compound operation, which decides what its completed parts change.
#[derive(Debug)]
pub enum Role {
    /// `MPI_Isendrecv`: the status is that of the receive.
    Exchange,
    /// A partitioned send, and which of its partitions are ready.
    Partitions { ready: Vec<bool> },
    /// A partitioned receive.
    Arrivals(Arrivals),
    /// An operation, `part`, on copies of the program's buffers.
    Copied { copies: Arc<dyn Copies>, part: handle::Request },
}
