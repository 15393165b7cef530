//! Epochs: which synchronisation calls are allowed in which state (MPI 5.0 §12.5).
//!
//! ```text
//!   access     None ──fence──> Fence ──fence(NOSUCCEED)──> None
//!              None ──start──> Started ──complete──> None
//!              None ──lock───> Locked  ──last unlock──> None
//!              None ──lock_all──> LockedAll ──unlock_all──> None
//!   exposure   None ──post───> Posted ──wait, or test──> None
//! ```
//!
//! A fence opens an epoch only if an access follows. Until then start, lock and post are allowed,
//! as if no fence had been called. An access epoch and an exposure epoch may overlap.
//!
//! An access checks its target against `admitted`, a range of ranks that costs one comparison
//! whatever kind of epoch is open. The range holds ranks that the epoch is known to permit: all
//! ranks after `MPI_Win_lock_all` and after the first access that follows a fence, and the rank
//! that was locked or checked last in the other epochs. A rank outside the range is looked up
//! (`admit`) and becomes the range.

use crate::abi;
use crate::error::{Error, Outcome};
use nemesis_mpi_check::accesses;
use nemesis_mpi_check::kinds::EPOCH;
use nemesis_mpi_check::{found, sites};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A lock that this process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub exclusive: bool,
    /// `MPI_MODE_NOCHECK`: the program asserts that no other process holds a conflicting lock, so
    /// the library did not take it.
    pub unchecked: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Access {
    None,
    Fence { used: bool },
    Started { ranks: Arc<[u32]> },
    Locked,
    LockedAll { unchecked: bool },
}

/// A range of consecutive ranks.
#[derive(Debug, Clone, Copy)]
struct RankRange {
    first: u32,
    count: u32,
}

impl RankRange {
    const EMPTY: RankRange = RankRange { first: 0, count: 0 };

    fn one(rank: u32) -> RankRange {
        RankRange { first: rank, count: 1 }
    }

    #[inline(always)]
    fn contains(self, rank: u32) -> bool {
        rank.wrapping_sub(self.first) < self.count
    }
}

/// The access epoch and the exposure epoch of a window in this process.
#[derive(Debug)]
pub struct Epoch {
    access: Access,
    /// Ranks that the open epoch is known to permit; empty if no epoch is open, or during a row.
    admitted: RankRange,
    /// A lock was taken since a fence that opened an epoch, if the next fence ends one.
    locked_in_fence: bool,
    /// Accesses may wait in a row (`gathered`), so that no flush may take the short way.
    in_row: bool,
    /// Number of ranks of the window.
    ranks: u32,
    locks: BTreeMap<u32, Held>,
    /// Ranks of the group of `MPI_Win_post`, while that epoch is open.
    exposure: Option<Arc<[u32]>>,
}

#[cold]
fn out_of_order(why: impl Into<String>) -> Box<Error> {
    let why = why.into();
    if nemesis_mpi_check::is_on() {
        found(&EPOCH, sites::here(), 1, why.clone());
    }
    Error::new(abi::MPI_ERR_RMA_SYNC, why)
}

impl Epoch {
    /// Makes the state of a window of `ranks` ranks on which no epoch is open.
    pub fn new(ranks: u32) -> Epoch {
        Epoch {
            access: Access::None,
            admitted: RankRange::EMPTY,
            locked_in_fence: false,
            in_row: false,
            ranks,
            locks: BTreeMap::new(),
            exposure: None,
        }
    }

    /// Changes the access epoch and its admitted ranks; returns the previous epoch.
    fn set_access(&mut self, access: Access, admitted: RankRange) -> Access {
        self.admitted = admitted;
        std::mem::replace(&mut self.access, access)
    }

    fn all_ranks(&self) -> RankRange {
        RankRange { first: 0, count: self.ranks }
    }

    /// Checks that memory of `rank` may be accessed now, and records the access.
    pub fn access(&mut self, rank: u32) -> Outcome {
        if self.permits_access(rank) { Ok(()) } else { Err(self.no_access(rank)) }
    }

    /// Returns whether memory of `rank` may be accessed now, and records the access.
    #[inline(always)]
    pub fn permits_access(&mut self, rank: u32) -> bool {
        self.admitted.contains(rank) || self.admit(rank)
    }

    /// Looks up a rank that is not in `admitted`, and admits it if the epoch permits it.
    #[inline(never)]
    fn admit(&mut self, rank: u32) -> bool {
        let admitted = match &mut self.access {
            Access::Fence { used } => {
                *used = true;
                self.all_ranks()
            }
            Access::Locked if self.locks.contains_key(&rank) => RankRange::one(rank),
            Access::Started { ranks } if ranks.contains(&rank) => RankRange::one(rank),
            Access::LockedAll { .. } => self.all_ranks(),
            _ => return false,
        };
        if !self.in_row {
            self.admitted = admitted;
        }
        admitted.contains(rank)
    }

    /// Begins a row: until it ends, each access is looked up, and each flush takes the long way.
    pub fn begin_row(&mut self) {
        self.admitted = RankRange::EMPTY;
        self.in_row = true;
    }

    pub fn end_row(&mut self) {
        self.in_row = false;
    }

    #[cold]
    fn no_access(&self, rank: u32) -> Box<Error> {
        match self.access {
            Access::Locked => out_of_order(format!("rank {rank} is not locked"))
                .advise("call MPI_Win_lock for it first"),
            Access::Started { .. } => {
                out_of_order(format!("rank {rank} is not in the group of MPI_Win_start"))
            }
            _ => out_of_order("no access epoch is open").advise(
                "call MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all first",
            ),
        }
    }

    /// Returns the access epoch that is open, in words; `None` also if it is that of a fence after
    /// which no access was made.
    fn open_access(&self) -> Option<&'static str> {
        match self.access {
            Access::None | Access::Fence { used: false } => None,
            Access::Fence { used: true } => Some("an epoch of MPI_Win_fence"),
            Access::Started { .. } => Some("an epoch of MPI_Win_start"),
            Access::Locked => Some("an epoch of MPI_Win_lock"),
            Access::LockedAll { .. } => Some("an epoch of MPI_Win_lock_all"),
        }
    }

    /// Returns the epoch that is open, in words.
    pub fn open(&self) -> Option<&'static str> {
        self.open_access().or(self.exposure.as_ref().map(|_| "an epoch of MPI_Win_post"))
    }

    /// Returns the epoch in which memory of `rank` may be accessed now. The number of an epoch of
    /// `MPI_Win_start` is 0.
    pub fn of_access(&self, rank: u32) -> Option<accesses::Epoch> {
        match &self.access {
            Access::None => None,
            Access::Fence { .. } => Some(accesses::Epoch::Fence),
            Access::Started { ranks } => {
                ranks.contains(&rank).then_some(accesses::Epoch::Started(0))
            }
            Access::Locked => self.locks.get(&rank).map(|held| accesses::Epoch::Locked {
                exclusive: held.exclusive && !held.unchecked,
            }),
            Access::LockedAll { .. } => Some(accesses::Epoch::Locked { exclusive: false }),
        }
    }

    /// Fails if an access epoch is open, other than that of a fence after which no access was made.
    fn idle(&self, what: &str) -> Outcome {
        match self.open_access() {
            None => Ok(()),
            Some(open) => Err(out_of_order(format!("{what} is called while {open} is open"))),
        }
    }

    /// Checks that `MPI_Win_fence` is allowed: no other kind of epoch is open.
    pub fn may_fence(&self) -> Outcome {
        if self.exposure.is_some() {
            return Err(out_of_order(
                "MPI_Win_fence is called while an epoch of MPI_Win_post is open",
            ));
        }
        if matches!(self.access, Access::Fence { .. }) {
            Ok(())
        } else {
            self.idle("MPI_Win_fence")
        }
    }

    /// Tells the checks of a fence that asserts `MPI_MODE_NOPRECEDE` and ends an epoch of accesses.
    #[cold]
    pub fn check_precedes(&self) {
        if matches!(self.access, Access::Fence { used: true }) {
            let why = "MPI_MODE_NOPRECEDE is asserted, and this rank has accessed the window since \
                       the last fence";
            found(&EPOCH, sites::here(), 1, why.into());
        }
    }

    /// Tells the checks of a fence that ends an epoch of a fence in which a lock was taken.
    #[cold]
    pub fn check_locks(&self) {
        if self.locked_in_fence {
            let why = "this fence ends the epoch of the one before, and this rank has locked the \
                       window between them; MPI_MODE_NOSUCCEED at the first, or \
                       MPI_MODE_NOPRECEDE at this one, says that there is no such epoch";
            found(&EPOCH, sites::here(), 1, why.into());
        }
    }

    /// Records a fence. `another_follows`: the fence may open an epoch, which another fence ends.
    pub fn fenced(&mut self, another_follows: bool) {
        self.locked_in_fence = false;
        self.set_access(
            if another_follows { Access::Fence { used: false } } else { Access::None },
            RankRange::EMPTY,
        );
    }

    /// Checks that `MPI_Win_start` is allowed.
    pub fn may_start(&self) -> Outcome {
        self.idle("MPI_Win_start")
    }

    /// Records `MPI_Win_start` for a group of `ranks`.
    pub fn started(&mut self, ranks: Arc<[u32]>) {
        self.set_access(Access::Started { ranks }, RankRange::EMPTY);
    }

    /// Ends the epoch of `MPI_Win_start` and returns the ranks of its group.
    pub fn complete(&mut self) -> Outcome<Arc<[u32]>> {
        let admitted = self.admitted;
        match self.set_access(Access::None, RankRange::EMPTY) {
            Access::Started { ranks } => Ok(ranks),
            other => {
                self.set_access(other, admitted);
                Err(out_of_order("no epoch of MPI_Win_start is open"))
            }
        }
    }

    /// Checks that `MPI_Win_post` is allowed.
    pub fn may_post(&self) -> Outcome {
        if self.exposure.is_some() {
            return Err(out_of_order(
                "MPI_Win_post is called while an epoch of MPI_Win_post is open",
            ));
        }
        if matches!(self.access, Access::Fence { used: true }) {
            self.idle("MPI_Win_post")
        } else {
            Ok(())
        }
    }

    /// Records `MPI_Win_post` for a group of `ranks`; ends the epoch of a fence.
    pub fn posted(&mut self, ranks: Arc<[u32]>) {
        self.exposure = Some(ranks);
        if matches!(self.access, Access::Fence { .. }) {
            self.set_access(Access::None, RankRange::EMPTY);
        }
    }

    /// Returns the group of `MPI_Win_post`. Fails if no exposure epoch is open.
    pub fn exposed(&self) -> Outcome<Arc<[u32]>> {
        self.exposure.clone().ok_or_else(|| out_of_order("no epoch of MPI_Win_post is open"))
    }

    /// Records the end of the exposure epoch.
    pub fn end_exposure(&mut self) {
        self.exposure = None;
    }

    /// Checks that `MPI_Win_lock` is allowed for `rank`.
    pub fn may_lock(&self, rank: u32) -> Outcome {
        if self.access != Access::Locked {
            return self.idle("MPI_Win_lock");
        }
        if self.locks.contains_key(&rank) {
            Err(out_of_order(format!("rank {rank} is locked already")))
        } else {
            Ok(())
        }
    }

    /// Records the lock of `rank`.
    pub fn locked(&mut self, rank: u32, held: Held) {
        self.locked_in_fence |= matches!(self.access, Access::Fence { .. });
        self.set_access(Access::Locked, RankRange::one(rank));
        self.locks.insert(rank, held);
    }

    /// Ends the lock epoch of `rank` and returns the lock.
    pub fn unlock(&mut self, rank: u32) -> Outcome<Held> {
        let held = self
            .locks
            .remove(&rank)
            .ok_or_else(|| out_of_order(format!("rank {rank} is not locked by MPI_Win_lock")))?;
        self.set_access(
            if self.locks.is_empty() { Access::None } else { Access::Locked },
            RankRange::EMPTY,
        );
        Ok(held)
    }

    /// Checks that `MPI_Win_lock_all` is allowed.
    pub fn may_lock_all(&self) -> Outcome {
        self.idle("MPI_Win_lock_all")
    }

    /// Records `MPI_Win_lock_all`. `unchecked`: the library did not take the locks.
    pub fn locked_all(&mut self, unchecked: bool) {
        self.locked_in_fence |= matches!(self.access, Access::Fence { .. });
        self.set_access(Access::LockedAll { unchecked }, self.all_ranks());
    }

    /// Ends the epoch of `MPI_Win_lock_all`; returns whether its locks were not taken.
    pub fn unlock_all(&mut self) -> Outcome<bool> {
        let Access::LockedAll { unchecked } = self.access else {
            return Err(out_of_order("no epoch of MPI_Win_lock_all is open"));
        };
        self.set_access(Access::None, RankRange::EMPTY);
        Ok(unchecked)
    }

    /// Returns whether `rank` may be flushed now. Returns false also if the rank has to be looked
    /// up first; [`may_flush`](Epoch::may_flush) decides then.
    #[inline(always)]
    pub fn permits_flush(&self, rank: i32) -> bool {
        matches!(self.access, Access::Locked | Access::LockedAll { .. })
            && self.admitted.contains(rank as u32)
    }

    /// Checks that a flush of `rank` is allowed (`None`: of all ranks). Flushes are allowed in
    /// epochs of locks.
    pub fn may_flush(&self, rank: Option<u32>) -> Outcome {
        match (&self.access, rank) {
            (Access::LockedAll { .. }, _) | (Access::Locked, None) => Ok(()),
            (Access::Locked, Some(rank)) if self.locks.contains_key(&rank) => Ok(()),
            (Access::Locked, Some(rank)) => Err(self.no_access(rank)),
            _ => Err(out_of_order("no epoch of MPI_Win_lock or MPI_Win_lock_all is open")),
        }
    }

    /// Checks that `MPI_Win_free` is allowed.
    pub fn may_free(&self) -> Outcome {
        if self.exposure.is_some() {
            return Err(out_of_order(
                "MPI_Win_free is called while an epoch of MPI_Win_post is open",
            ));
        }
        let advice = "end the epoch first: MPI_Win_fence, MPI_Win_complete or MPI_Win_unlock";
        self.idle("MPI_Win_free").map_err(|error| error.advise(advice))
    }
}

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests {
    use super::*;

    const SHARED: Held = Held { exclusive: false, unchecked: false };

    #[test]
    fn a_fence_without_accesses_lets_every_other_epoch_begin() {
        let mut epoch = Epoch::new(8);
        assert_eq!(epoch.access(0).unwrap_err().class, abi::MPI_ERR_RMA_SYNC);
        epoch.fenced(true);
        assert!(
            epoch.may_lock(0).is_ok()
                && epoch.may_start().is_ok()
                && epoch.may_post().is_ok()
                && epoch.may_lock_all().is_ok()
        );
        epoch.access(0).unwrap();
        assert!(
            epoch.may_lock(0).is_err()
                && epoch.may_start().is_err()
                && epoch.may_post().is_err()
                && epoch.may_lock_all().is_err()
        );
        let open = epoch.may_free().unwrap_err();
        assert!(epoch.may_fence().is_ok() && open.why.contains("MPI_Win_fence is open"));
        epoch.fenced(true);
        assert!(epoch.may_free().is_ok(), "a fence without accesses opens no epoch");
        epoch.fenced(false);
        assert!(epoch.access(0).is_err() && epoch.may_lock(0).is_ok());
    }

    #[test]
    fn locks_admit_to_their_ranks_only() {
        let mut epoch = Epoch::new(8);
        epoch.locked(2, SHARED);
        assert!(epoch.access(2).is_ok() && epoch.access(1).is_err());
        assert!(
            epoch.may_lock(1).is_ok()
                && epoch.may_lock(2).is_err()
                && epoch.may_lock_all().is_err()
                && epoch.may_fence().is_err()
        );
        assert!(
            epoch.may_flush(Some(2)).is_ok()
                && epoch.may_flush(Some(1)).is_err()
                && epoch.may_flush(None).is_ok()
        );
        assert!(epoch.unlock(1).is_err() && epoch.may_free().is_err());
        assert_eq!(epoch.unlock(2).unwrap(), SHARED);
        assert!(epoch.may_fence().is_ok() && epoch.may_flush(None).is_err());
        epoch.locked_all(false);
        assert!(
            epoch.access(7).is_ok() && epoch.may_flush(Some(7)).is_ok() && epoch.unlock(7).is_err()
        );
        assert!(!epoch.unlock_all().unwrap());
        assert!(epoch.unlock_all().is_err());
    }

    #[test]
    fn a_rank_that_was_admitted_is_forgotten_with_its_epoch() {
        let mut epoch = Epoch::new(8);
        epoch.locked(2, SHARED);
        epoch.locked(5, SHARED);
        assert!(
            epoch.permits_flush(5) && !epoch.permits_flush(2) && epoch.may_flush(Some(2)).is_ok()
        );
        assert!(epoch.access(2).is_ok() && epoch.permits_flush(2) && !epoch.permits_flush(3));
        epoch.unlock(2).unwrap();
        assert!(epoch.access(2).is_err() && !epoch.permits_flush(2) && epoch.access(5).is_ok());
        epoch.unlock(5).unwrap();
        assert!(epoch.access(5).is_err() && !epoch.permits_flush(5));
        epoch.locked_all(false);
        epoch.begin_row();
        assert!(!epoch.permits_flush(2) && epoch.may_flush(Some(2)).is_ok());
        assert!(epoch.access(2).is_ok() && !epoch.permits_flush(2) && epoch.access(8).is_err());
        epoch.end_row();
        assert!(!epoch.permits_flush(2) && epoch.access(2).is_ok() && epoch.permits_flush(3));
        epoch.unlock_all().unwrap();
        epoch.started([3, 4].into());
        assert!(
            epoch.access(3).is_ok()
                && epoch.access(4).is_ok()
                && epoch.access(5).is_err()
                && !epoch.permits_flush(4)
        );
        assert!(epoch.unlock_all().is_err() && epoch.access(4).is_ok());
        epoch.complete().unwrap();
        assert!(epoch.access(4).is_err() && epoch.complete().is_err());
        epoch.fenced(true);
        assert!(epoch.access(7).is_ok() && epoch.access(8).is_err() && !epoch.permits_flush(7));
        epoch.fenced(false);
        assert!(epoch.access(7).is_err());
    }

    #[test]
    fn access_and_exposure_overlap() {
        let mut epoch = Epoch::new(8);
        epoch.posted([1].into());
        assert!(
            epoch.may_post().is_err() && epoch.may_start().is_ok() && epoch.may_fence().is_err()
        );
        epoch.started([3].into());
        assert!(epoch.access(3).is_ok() && epoch.access(1).is_err() && epoch.may_start().is_err());
        assert_eq!(*epoch.complete().unwrap(), [3]);
        assert!(epoch.complete().is_err());
        assert_eq!(*epoch.exposed().unwrap(), [1]);
        epoch.end_exposure();
        assert!(epoch.exposed().is_err());
    }
}
