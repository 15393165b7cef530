//! Optional operations of a network. If a module does not offer them, the host carries them out
//! with packets.

use crate::{Failure, Fault, Host, Region, RegionMut, Token};

/// Remote memory access (key-based RMA, §2.3 of the paper). The target's processor does not take
/// part, unless [`needs_target`](Rma::needs_target) says otherwise.
///
/// Operations do not block. Each reports its token to [`Host::completed`] in a later poll, never
/// within the call. Only `flush` orders the operations between two processes. An operation on bytes
/// that the target has not registered changes nothing: it is refused, or completes with a failure.
/// A put may have completed before that is known; then the next `flush` reports it. Operations on a
/// process that is lost or has left complete with the failure, and later ones fail at once.
pub trait Rma {
    /// Returns whether operations may make progress only while the target's process polls its
    /// module. The default is false.
    fn needs_target(&self) -> bool {
        false
    }

    /// Returns whether the module offers [`atomic`](Rma::atomic) on the memory of this process, and
    /// to this process on that of others. The default is false.
    fn has_atomics(&self) -> bool {
        false
    }

    /// Makes a region accessible to other processes until it is deregistered or the module is
    /// dropped. The region is readable and writable, and no Rust reference to it exists. The
    /// returned key is for the other processes, as a card is; it may be empty.
    fn register(&mut self, region: Region) -> Result<Registration, Failure>;

    /// Ends a registration; operations that other processes have started may fail. If deregistering
    /// fails, the memory remains accessible, and the caller may try again.
    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure>;

    /// Writes `from` to `target` in the target's address space; completes when `from` may change.
    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure>;

    /// Reads from `target` into `to`; completes when the bytes have arrived. The module owns `to`
    /// until then.
    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure>;

    /// Changes an aligned 64-bit word, atomically towards the changes of all processes and towards
    /// atomic instructions of the target's processors. Writes the old value, 8 bytes, to `old`
    /// before completion. The changes of a process at a target are made in the order of the calls.
    /// The modules of both processes have to offer it ([`has_atomics`](Rma::has_atomics)).
    ///
    /// The default fails with [`Fault::Unavailable`].
    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let _ = (host, change, old, token);
        let why = "the network has no atomic operations that exclude those of processors";
        Err(Failure::new(Fault::Unavailable, why).about(target.process))
    }

    /// Completes when every earlier operation on `process` is complete at the target.
    fn flush(&mut self, host: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure>;
}

/// Registered memory of this process.
#[derive(Debug)]
pub struct Registration {
    /// The module's name for the registration, which regions within the memory carry
    /// ([`Region::registration`]).
    pub id: u64,
    /// The key, for other processes.
    pub key: Vec<u8>,
}

/// Memory of another process: an address in that process's address space, and the key that the
/// process gave out.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The process.
    pub process: u32,
    /// The address in its address space.
    pub address: u64,
    /// The key of the registration.
    pub key: &'a [u8],
}

/// An atomic change of a 64-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds a number, modulo 2^64.
    Add(u64),
    /// Writes a number if the word has the expected value.
    CompareSwap {
        /// The expected value.
        expected: u64,
        /// The number to write.
        new: u64,
    },
}

/// Collective operations that the network itself carries out, over groups of processes.
pub trait Collectives {
    /// Makes a group; all members call it with the same list. `None` if the network has no
    /// resources for another group.
    fn group(&mut self, members: &[u32]) -> Result<Option<u64>, Failure>;

    /// Frees a group.
    fn disband(&mut self, group: u64) -> Result<(), Failure>;

    /// Completes when every member has entered the barrier.
    fn barrier(&mut self, host: &mut dyn Host, group: u64, token: Token) -> Result<(), Failure>;
}
