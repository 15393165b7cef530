//! Notices: what tells other processes that an epoch has begun or ended (MPI 5.0 §12.5.2).
//!
//! ```text
//!   POSTED      MPI_Win_post  ──>  MPI_Win_start
//!   COMPLETED   MPI_Win_complete  ──>  MPI_Win_wait
//! ```
//!
//! Processes of a node count them in words of the window's control block, one for each pair and
//! direction ([`Beside`]). To another node a notice is a packet. It may arrive before its receiver
//! has finished creating the window: it is counted under the window's context, and stays until it
//! is taken ([`Notices`]).

use super::control::Control;
use nemesis::notices::{Kind, Taken, tell};
use nemesis::wire::Header;
use std::collections::BTreeMap;

/// Numbers of notices that have arrived and are not taken yet, by context and sender's rank. A
/// number is negative if notices were taken that are still to come.
#[derive(Debug, Default)]
pub struct Notices {
    posted: BTreeMap<(u64, u32), i32>,
    completed: BTreeMap<(u64, u32), i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Posted,
    Completed,
}

impl Notice {
    fn kind(self) -> Kind {
        match self {
            Notice::Posted => Kind::First,
            Notice::Completed => Kind::Second,
        }
    }
}

/// The ranks of a window on this node, and the notices that this process has taken from them.
#[derive(Debug)]
pub struct Beside {
    /// In ascending order.
    ranks: Vec<u32>,
    own: usize,
    taken: Vec<Taken>,
}

/// The next notice of a rank of this node.
#[derive(Clone, Copy, Debug)]
pub struct Awaited {
    from: usize,
    own: usize,
    taken: Taken,
    kind: Kind,
}

impl Awaited {
    pub fn has_come(&self, control: &Control) -> bool {
        self.taken.has_come(control.notices(self.from, self.own), self.kind)
    }
}

impl Beside {
    /// `ranks`: those on this node, in ascending order, with this process's `own`.
    pub fn new(ranks: Vec<u32>, own: u32) -> Beside {
        let taken = vec![Taken::default(); ranks.len()];
        Beside { own: ranks.partition_point(|&rank| rank < own), ranks, taken }
    }

    /// Returns how many ranks are on this node.
    pub fn count(&self) -> usize {
        self.ranks.len()
    }

    /// Returns the place of a rank among those of the node.
    #[inline]
    fn index_of(&self, rank: u32) -> Option<usize> {
        // All ranks of the window, usually.
        match self.ranks.get(rank as usize) {
            Some(&there) if there == rank => Some(rank as usize),
            _ => self.ranks.binary_search(&rank).ok(),
        }
    }

    /// Tells a rank, which the caller wakes. Returns false if it is on another node.
    #[inline]
    pub fn tell(&self, control: &Control, notice: Notice, rank: u32) -> bool {
        let Some(index) = self.index_of(rank) else { return false };
        tell(control.notices(self.own, index), notice.kind());
        true
    }

    /// Returns the next notice of a rank; `None` if the rank is on another node.
    #[inline]
    pub fn awaited(&self, notice: Notice, rank: u32) -> Option<Awaited> {
        let (from, kind) = (self.index_of(rank)?, notice.kind());
        Some(Awaited { from, own: self.own, taken: self.taken[from], kind })
    }

    /// Returns whether a notice of a rank has come that is not taken yet; `None` if the rank is on
    /// another node.
    #[inline]
    pub fn has_come(&self, control: &Control, notice: Notice, rank: u32) -> Option<bool> {
        Some(self.awaited(notice, rank)?.has_come(control))
    }

    /// Takes the next notice of a rank, which has come, or will not be waited for. Returns false if
    /// the rank is on another node.
    #[inline]
    pub fn take(&mut self, notice: Notice, rank: u32) -> bool {
        let Some(index) = self.index_of(rank) else { return false };
        self.taken[index].take(notice.kind());
        true
    }
}

impl Notices {
    pub const fn new() -> Notices {
        Notices { posted: BTreeMap::new(), completed: BTreeMap::new() }
    }

    fn counts(&mut self, notice: Notice) -> &mut BTreeMap<(u64, u32), i32> {
        match notice {
            Notice::Posted => &mut self.posted,
            Notice::Completed => &mut self.completed,
        }
    }

    /// Counts a notice that has arrived. Returns `None` if the count overflows.
    pub fn count(&mut self, notice: Notice, header: &Header) -> Option<()> {
        self.add(notice, (header.context, header.rank), 1)
    }

    fn add(&mut self, notice: Notice, from: (u64, u32), number: i32) -> Option<()> {
        let counts = self.counts(notice);
        let count = counts.entry(from).or_insert(0);
        *count = count.checked_add(number)?;
        if *count == 0 {
            counts.remove(&from);
        }
        Some(())
    }

    /// Returns whether a notice of a rank has arrived that is not taken yet.
    pub fn has_come(&self, notice: Notice, context: u64, rank: u32) -> bool {
        let counts = match notice {
            Notice::Posted => &self.posted,
            Notice::Completed => &self.completed,
        };
        counts.get(&(context, rank)).is_some_and(|&count| count > 0)
    }

    /// Takes the next notice of a rank, which has arrived, or will not be waited for.
    pub fn take(&mut self, notice: Notice, context: u64, rank: u32) {
        // No program makes 2^31 epochs that fail.
        let _ = self.add(notice, (context, rank), -1);
    }

    /// Removes all notices of a window that is freed.
    pub fn forget(&mut self, context: u64) {
        self.posted.retain(|&(of, _), _| of != context);
        self.completed.retain(|&(of, _), _| of != context);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn notices_are_counted_by_window_rank_and_kind(
            events in prop::collection::vec((0..3_u8, any::<bool>(), 0..2_u64, 0..3_u32), 0..60),
        ) {
            let mut notices = Notices::new();
            let mut list: Vec<(bool, u64, u32)> = Vec::new();
            for (event, is_posted, context, rank) in events {
                let notice = if is_posted { Notice::Posted } else { Notice::Completed };
                let named = (is_posted, context, rank);
                match event {
                    0 => {
                        let header = Header { context, rank, ..Header::default() };
                        prop_assert!(notices.count(notice, &header).is_some());
                        list.push(named);
                    }
                    1 => {
                        let place = list.iter().position(|other| *other == named);
                        let has_come = notices.has_come(notice, context, rank);
                        prop_assert_eq!(has_come, place.is_some());
                        if has_come {
                            notices.take(notice, context, rank);
                        }
                        place.map(|place| list.swap_remove(place));
                    }
                    _ => {
                        notices.forget(context);
                        list.retain(|(_, other, _)| *other != context);
                    }
                }
            }
        }
    }

    #[test]
    fn a_notice_may_be_taken_before_it_arrives() {
        let mut notices = Notices::new();
        let header = Header { context: 9, rank: 1, ..Header::default() };
        notices.take(Notice::Completed, 9, 1);
        assert_eq!(notices.count(Notice::Completed, &header), Some(()));
        assert!(!notices.has_come(Notice::Completed, 9, 1), "it is the one that was taken");
        assert_eq!(notices.count(Notice::Completed, &header), Some(()));
        assert!(notices.has_come(Notice::Completed, 9, 1));
    }

    #[test]
    fn ranks_of_the_node_are_found_by_their_place() {
        for (ranks, own, places) in [
            (vec![0, 1, 2], 1, [Some(0), Some(1), Some(2), None, None]),
            (vec![1, 3], 3, [None, Some(0), None, Some(1), None]),
            (vec![4], 4, [None, None, None, None, Some(0)]),
        ] {
            let beside = Beside::new(ranks, own);
            assert_eq!(std::array::from_fn(|rank| beside.index_of(rank as u32)), places);
            assert_eq!(beside.index_of(own), Some(beside.own));
        }
    }
}
