//! The history of a call: members of one call must have equal ones.
//!
//! The word by which a member publishes a row is the number of the call plus the *history* of the
//! communicator, which stands in the upper half of the word. A row of a member with another history
//! is therefore not published for this one. [`CollSegment::is_contradicted`] tells a row that has
//! not come yet from one that will never come. A member that waits long announces the word of its
//! call beside its word of retirement, so that members that wait for each other's rows find out,
//! too.

use super::{CACHE_LINE_BYTES, CollSegment, Phase, SLOTS, SharedWords};
use nemesis_sync::{AtomicU64, Ordering};

/// Offset of the announced word in the line of a member's word of retirement.
const AWAITED: usize = 8;
/// A bit of the history. A member that has found a contradiction changes it.
const DISAGREES: u64 = 1 << 63;

impl<S: SharedWords> CollSegment<S> {
    /// Sets the history of the calls that begin from now on, in the upper half of a word.
    #[inline(always)]
    pub fn set_history(&mut self, history: u64) {
        self.history = history;
    }

    /// Returns the word in which the member with row `row` announces the call in which it waits.
    fn awaited(&self, row: u32) -> &AtomicU64 {
        let lines = SLOTS as usize * self.slot_bytes;
        self.memory.word(lines + row as usize * CACHE_LINE_BYTES + AWAITED)
    }

    /// Announces that this member waits in this call.
    #[cold]
    pub fn announce_wait(&self) {
        // Relaxed: no data belongs to the word.
        self.awaited(self.me).store(self.published.get(), Ordering::Relaxed);
    }

    /// Whether a word is that of the call with this one's number, with another history.
    fn differs(&self, word: &AtomicU64) -> bool {
        // Relaxed: the words are compared only, and no data is read.
        let (word, own) = (word.load(Ordering::Relaxed), self.published.get());
        word as u32 == own as u32 && word != own
    }

    /// Whether a member has published something in the call with this one's number, or waits in
    /// it, with another history.
    #[cold]
    pub fn is_contradicted(&self) -> bool {
        let mut lines = (0..=self.members)
            .flat_map(|row| [Phase::A, Phase::B].map(|phase| self.line(row, phase)));
        lines.any(|line| self.differs(self.memory.word(line)))
            || (0..self.members).any(|row| self.differs(self.awaited(row)))
    }

    /// Makes what this member still publishes in this call a contradiction to all other members.
    #[cold]
    pub fn disagree(&self) {
        self.published.set(self.published.get() ^ DISAGREES);
        self.announce_wait();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::tests::coll_segments;
    use super::*;

    #[test]
    fn a_row_with_another_history_is_a_contradiction() {
        let mut members = coll_segments(2);
        for history in [0, 7 << 32, 9 << 32] {
            for member in &mut members {
                member.set_history(history);
                member.begin(0);
            }
            members[0].publish(0, Phase::A, 0);
            assert!(members[1].is_published(0, Phase::A) && !members[1].is_contradicted());
            members.iter().for_each(CollSegment::retire);
        }
        members[0].set_history(1 << 32);
        members.iter_mut().for_each(|member| member.begin(0));
        assert!(!members[1].is_contradicted(), "nobody has published anything");
        members[0].publish(0, Phase::A, 0);
        assert!(!members[1].is_published(0, Phase::A) && members[1].is_contradicted());
        assert!(!members[0].is_contradicted(), "this member's row is its own");
        members[1].disagree();
        assert!(members[0].is_contradicted());
    }

    #[test]
    fn members_that_wait_for_each_other_contradict_each_other() {
        let mut members = coll_segments(2);
        members[0].set_history(1 << 32);
        members.iter_mut().for_each(|member| member.begin(0));
        members[0].announce_wait();
        assert!(members[1].is_contradicted() && !members[0].is_contradicted());
        members[1].begin(0);
        assert!(!members[1].is_contradicted(), "the word belongs to the call before");
    }
}
