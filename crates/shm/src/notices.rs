//! Notices between two processes: a word in which one counts what it tells the other.
//!
//! A word belongs to an ordered pair of processes. Its sender alone writes it: it adds 1 to one of
//! two counts. The receiver remembers how far it has come, and so may be told several times before
//! it looks, and may take a notice that comes later. A count wraps: neither side is 2^31 notices
//! ahead, because each waits for the other, or the program breaks the rules of synchronisation.
//!
//! ```text
//!   sender     data … ── tell(word, kind) ── rings the doorbell
//!   receiver                                 Taken::has_come ── takes one ── … data
//! ```
//!
//! Ordering edge: E1 *what precedes the notice → Release of the word → Acquire by the receiver*. A
//! receiver that sleeps is woken as after a packet (`doorbell`), if it has looked at the word again
//! between raising its flag and its sleep.

use nemesis_sync::{AtomicU64, Ordering};

/// The kinds of notices, which are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Those counted in the lower half of the word.
    First,
    /// Those counted in the upper half.
    Second,
}

impl Kind {
    fn shift(self) -> u32 {
        match self {
            Kind::First => 0,
            Kind::Second => u32::BITS,
        }
    }

    fn of(self, counts: u64) -> u32 {
        (counts >> self.shift()) as u32
    }

    /// Returns the counts with one more of this kind.
    fn counted(self, counts: u64) -> u64 {
        let count = u64::from(self.of(counts).wrapping_add(1));
        counts & !(u64::from(u32::MAX) << self.shift()) | count << self.shift()
    }
}

/// Tells the receiver of `word`. The caller is the word's sender, and wakes the receiver.
#[inline]
pub fn tell(word: &AtomicU64, kind: Kind) {
    // Relaxed: nobody else writes the word.
    let counts = word.load(Ordering::Relaxed);
    // Release (E1): the receiver sees what precedes the notice.
    word.store(kind.counted(counts), Ordering::Release);
}

/// The notices that a receiver has taken from a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken(u64);

impl Taken {
    /// Returns whether a notice has come that is not taken yet.
    #[inline]
    pub fn has_come(self, word: &AtomicU64, kind: Kind) -> bool {
        // Acquire (E1): sees what precedes the notice.
        kind.of(word.load(Ordering::Acquire)).wrapping_sub(kind.of(self.0)).cast_signed() > 0
    }

    /// Takes the next notice, which has come, or will not be waited for when it comes.
    #[inline]
    pub fn take(&mut self, kind: Kind) {
        self.0 = kind.counted(self.0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_apart_and_beyond_their_limit() {
        let almost = u64::from(u32::MAX);
        let word = AtomicU64::new(almost | almost << 32);
        let mut taken = Taken(almost | almost << 32);
        tell(&word, Kind::First);
        tell(&word, Kind::First);
        assert!(taken.has_come(&word, Kind::First) && !taken.has_come(&word, Kind::Second));
        taken.take(Kind::First);
        assert!(taken.has_come(&word, Kind::First), "two have come");
        taken.take(Kind::First);
        tell(&word, Kind::Second);
        assert!(!taken.has_come(&word, Kind::First) && taken.has_come(&word, Kind::Second));
        taken.take(Kind::Second);
        assert!(!taken.has_come(&word, Kind::Second));
    }

    #[test]
    fn a_notice_may_be_taken_before_it_comes() {
        let (word, mut taken) = (AtomicU64::new(0), Taken::default());
        taken.take(Kind::First);
        assert!(!taken.has_come(&word, Kind::First));
        tell(&word, Kind::First);
        assert!(!taken.has_come(&word, Kind::First), "it is the one that was taken");
        tell(&word, Kind::First);
        assert!(taken.has_come(&word, Kind::First));
    }
}
