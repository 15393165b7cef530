//! Transfers and atomic operations under way, and what the failure of one means.

use crate::control::Purpose;
use crate::layout::status;
use crate::objects::Registration;
use crate::registered::Exposed;
use nemesis_netmod::optional::Change;
use nemesis_netmod::{Fault, Region, RegionMut, Token};
use std::sync::Arc;

/// This process's memory of a transfer.
pub enum Memory {
    /// Bytes to write to the other process.
    Source(Region),
    /// Place of bytes read from the other process.
    Destination(RegionMut),
}

impl Memory {
    pub fn len(&self) -> usize {
        match self {
            Memory::Source(region) => region.len(),
            Memory::Destination(region) => region.len(),
        }
    }

    pub fn address(&self) -> usize {
        match self {
            Memory::Source(region) => region.address(),
            Memory::Destination(region) => region.address(),
        }
        .as_ptr()
        .expose_provenance()
    }
}

/// A transfer under way.
pub struct Transfer {
    pub peer: u32,
    pub purpose: Purpose,
    /// The memory's registration for this transfer; dropped before the memory.
    pub registration: Option<Registration>,
    /// The registered window in which the memory lies, if it lies in one.
    pub window: Option<Arc<Exposed>>,
    pub memory: Memory,
    pub remote: u64,
    pub key: u32,
    /// Bytes in posted requests, and in completed ones.
    pub posted: usize,
    pub done: usize,
    /// The operation to report; `None` for a bulk payload.
    pub token: Option<Token>,
    /// Number of the operation among those on the process.
    pub operation: u64,
    /// The sender's number of the bulk payload.
    pub bulk: u32,
}

/// An atomic operation under way.
pub struct Atomic {
    pub peer: u32,
    pub change: Change,
    pub remote: u64,
    pub key: u32,
    pub old: RegionMut,
    pub token: Token,
    pub operation: u64,
    /// Buffer of the old value.
    pub word: u32,
}

/// Explains the failure of a request for which no link is the cause.
pub fn explain(code: u32, purpose: Purpose, words: &str) -> String {
    match (code, purpose) {
        (status::REM_ACCESS | status::REM_INV_REQ, Purpose::Memory) => {
            format!("the memory is not registered there, or not as far ({words})")
        }
        (status::WR_FLUSH, Purpose::Memory) => {
            format!("an earlier operation failed and broke the connection ({words})")
        }
        _ => format!("the queue pair has failed: {words}"),
    }
}

/// Returns the kind of the failure of a request.
pub fn fault(code: u32) -> Fault {
    match code {
        status::REM_ACCESS | status::REM_INV_REQ | status::WR_FLUSH => Fault::Invalid,
        status::LOC_LEN | status::LOC_QP_OP | status::LOC_PROT => Fault::Broken,
        _ => Fault::Lost,
    }
}
