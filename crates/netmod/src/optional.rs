//! What some networks can do besides packets. A module that cannot has no table, and the host does it with packets.

use crate::{Failure, Host, Region, RegionMut, Token};

/// Remote memory access: the target's processor takes no part (the paper's §2.3, key-based).
///
/// Operations do not block; each reports its token to [`Host::completed`] from a later poll, not from within the call. Between two processes nothing is
/// ordered but what `flush` orders. An operation that names bytes which are not registered there touches nothing: it is refused, or completes with a
/// failure; of a put that had completed before that was known the next `flush` tells. Operations on a process that is lost or has left complete with the
/// failure, later ones fail at once.
pub trait Rma {
    /// Makes a region reachable for others, which is readable and writable, and to which nobody has references, until it is deregistered or the module is
    /// dropped. The key is for the others, like a card; it may be empty.
    fn register(&mut self, region: Region) -> Result<Registration, Failure>;

    /// Ends a registration; operations that others have started may fail. When that is refused, the memory is as reachable as before, and it may be tried
    /// again.
    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure>;

    /// Writes `from` to `target` in the target's address space; completes when `from` may change.
    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure>;

    /// Reads from `target`; completes when the bytes are here. `to` is the module's until then.
    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure>;

    /// Changes an aligned 64-bit word; its old value is written to `old`, 8 bytes, before completion.
    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure>;

    /// Completes when everything started towards `process` before is done there.
    fn flush(&mut self, host: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure>;
}

/// Registered memory of this process.
#[derive(Debug)]
pub struct Registration {
    pub id: u64,
    pub key: Vec<u8>,
}

/// Memory of another process: an address as that process sees it, and the key that it gave out.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    pub process: u32,
    pub address: u64,
    pub key: &'a [u8],
}

/// An atomic change of a 64-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Add(u64),
    Swap(u64),
    CompareSwap { expected: u64, new: u64 },
}

/// Collective operations that the network itself carries out, over groups of processes.
pub trait Collectives {
    /// Makes a group; all its members call it with the same list. `None` when the network has no room for another.
    fn group(&mut self, members: &[u32]) -> Result<Option<u64>, Failure>;

    fn disband(&mut self, group: u64) -> Result<(), Failure>;

    /// Completes when every member has come.
    fn barrier(&mut self, host: &mut dyn Host, group: u64, token: Token) -> Result<(), Failure>;
}
