//! Notices: packets that tell other processes that an epoch has begun or ended (MPI 5.0 §12.5.2).
//!
//! ```text
//!   POSTED      MPI_Win_post  ──>  MPI_Win_start
//!   COMPLETED   MPI_Win_complete  ──>  MPI_Win_wait
//! ```
//!
//! A notice may arrive before its receiver has finished creating the window. It is counted under
//! the window's context, and stays until it is taken.

use nemesis::wire::Header;
use std::collections::BTreeMap;

/// Numbers of notices that have arrived and are not taken yet, by context and sender's rank.
#[derive(Debug, Default)]
pub struct Notices {
    posted: BTreeMap<(u64, u32), u32>,
    completed: BTreeMap<(u64, u32), u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Posted,
    Completed,
}

impl Notices {
    pub const fn new() -> Notices {
        Notices { posted: BTreeMap::new(), completed: BTreeMap::new() }
    }

    fn counts(&mut self, notice: Notice) -> &mut BTreeMap<(u64, u32), u32> {
        match notice {
            Notice::Posted => &mut self.posted,
            Notice::Completed => &mut self.completed,
        }
    }

    /// Counts a notice that has arrived. Returns `None` if the count overflows.
    pub fn count(&mut self, notice: Notice, header: &Header) -> Option<()> {
        let count = self.counts(notice).entry((header.context, header.rank)).or_insert(0);
        *count = count.checked_add(1)?;
        Some(())
    }

    /// Takes one notice from each of `ranks`, if all have arrived. Returns whether they have.
    pub fn take_all(&mut self, notice: Notice, context: u64, ranks: &[u32]) -> bool {
        let counts = self.counts(notice);
        if !ranks.iter().all(|&rank| counts.contains_key(&(context, rank))) {
            return false;
        }
        for &rank in ranks {
            if let Some(count) = counts.get_mut(&(context, rank)) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&(context, rank));
                }
            }
        }
        true
    }

    /// Returns those of `ranks` from which no notice has arrived.
    pub fn missing(
        &self,
        notice: Notice,
        context: u64,
        ranks: &[u32],
    ) -> impl Iterator<Item = u32> {
        let counts = match notice {
            Notice::Posted => &self.posted,
            Notice::Completed => &self.completed,
        };
        ranks.iter().copied().filter(move |&rank| !counts.contains_key(&(context, rank)))
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
                        let is_missing = notices.missing(notice, context, &[rank]).count() == 1;
                        prop_assert_eq!(is_missing, place.is_none());
                        let is_taken = notices.take_all(notice, context, &[rank]);
                        prop_assert_eq!(is_taken, place.is_some());
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
    fn notices_are_taken_together_and_once() {
        let mut notices = Notices::new();
        let from = |rank| Header { context: 9, rank, ..Header::default() };
        notices.count(Notice::Posted, &from(1)).unwrap();
        notices.count(Notice::Posted, &from(1)).unwrap();
        assert!(!notices.take_all(Notice::Posted, 9, &[1, 2]));
        assert!(
            notices.missing(Notice::Posted, 9, &[1, 2, 3]).eq([2, 3])
                && notices.missing(Notice::Completed, 9, &[1]).eq([1])
        );
        notices.count(Notice::Posted, &from(2)).unwrap();
        assert!(!notices.take_all(Notice::Completed, 9, &[1]));
        assert!(notices.take_all(Notice::Posted, 9, &[1, 2]));
        assert!(
            !notices.take_all(Notice::Posted, 9, &[2]) && notices.take_all(Notice::Posted, 9, &[1])
        );
        assert!(notices.take_all(Notice::Posted, 9, &[]));
    }
}
