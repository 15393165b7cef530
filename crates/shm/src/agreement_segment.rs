//! The agreement segment of a communicator whose members are all on one node: shared memory in
//! which they agree although some of them die.
//!
//! Agreements have numbers. Each member has two *rows* for them, in turn, and writes its
//! contribution to agreement *n* into row *n* mod 2:
//!
//! ```text
//!   member 0:  row 0  | number | left | word … |     row 1  | number | - | word … |
//!   member 1:  …
//! ```
//!
//! The rows outlive their writers. A member has decided when it sees of every member its
//! contribution, or that it is dead and has not contributed. What it decides is a function of all
//! rows, so all living members decide alike:
//!
//! * A contribution stays as long as anybody may read it (*reuse*, below).
//! * A dead member writes nothing any more. Who reads its row when the death is known reads what
//!   all others read who know of it, and what those have read who saw its contribution before. So
//!   [`AgreementSegment::words`] is read after [`AgreementSegment::has_spoken`] has been true for
//!   all members.
//!
//! *Reuse.* A member contributes to agreement *n* + 2 when it has decided *n* + 1, for which all
//! living members have contributed. Each of them did so when it had decided *n*, so nobody reads
//! the rows of *n* any more.
//!
//! Ordering edges:
//! * E1 *contribution*: the words → Release store of the number → Acquire load of the number. It
//!   also orders the reads of the member that contributes next before the writes of others that
//!   reuse its rows.
//! * E2 *leaving*: a member's reads → Release store of `left` → Acquire load, before the owner
//!   frees the memory.
//!
//! The death itself is ordered by whoever tells of it (`deaths`): the kernel ends a process before
//! its parent learns of that.

use crate::coll_segment::SharedWords;
#[cfg(not(loom))]
use crate::heap::Shared;
#[cfg(not(loom))]
use nemesis_sync::AtomicU64;
use nemesis_sync::Ordering;
use nemesis_wire::CACHE_LINE_BYTES;
#[cfg(not(loom))]
use std::sync::Arc;

/// Offset of the word that tells that the member has left, in its first row.
const LEFT: usize = 8;
/// Offset of the contribution in a row.
const WORDS: usize = 16;

#[cfg(not(loom))]
impl SharedWords for Arc<Shared> {
    #[inline(always)]
    fn word(&self, offset: usize) -> &AtomicU64 {
        (**self).word(offset)
    }
}

/// A member's view of an agreement segment in the node's segment.
#[cfg(not(loom))]
pub type MappedAgreementSegment = AgreementSegment<Arc<Shared>>;

/// One member's view of an agreement segment.
///
/// # Examples
/// ```
/// use nemesis_shm::agreement_segment::{AgreementSegment, bytes_for};
/// use nemesis_shm::{heap::Heap, layout::Layout};
/// use nemesis_sys::memfd;
///
/// let memory = memfd::sparse(1 << 40, 1 << 40).unwrap();
/// let layout = Layout::new(1 << 40, 2).unwrap();
/// let mut heap = Heap::new(memory.descriptor, memory.backing, layout, 0);
/// let shared = heap.allocate(bytes_for(2, 1), 1).unwrap().shared;
/// let first = AgreementSegment::new(shared.clone(), 2, 0, 1);
/// let second = AgreementSegment::new(shared, 2, 1, 1);
///
/// first.contribute(1, [7].into_iter());
/// assert!(second.has_spoken(0, 1, || false) && !first.has_spoken(1, 1, || false));
/// // The second member has died without a word.
/// assert!(first.has_spoken(1, 1, || true));
/// assert!(second.words(0, 1).unwrap().eq([7]) && first.words(1, 1).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct AgreementSegment<S> {
    memory: S,
    members: u32,
    me: u32,
    /// Words of a contribution.
    words: usize,
}

impl<S: SharedWords> AgreementSegment<S> {
    /// Creates the view of member number `me` of `members`, whose contributions have `words` words.
    /// The memory has [`bytes_for`] bytes, and is all zero when the first member does so.
    ///
    /// # Panics
    /// If `me` is no member.
    pub fn new(memory: S, members: u32, me: u32, words: usize) -> AgreementSegment<S> {
        assert!(me < members, "a member is one of them");
        AgreementSegment { memory, members, me, words }
    }

    /// Returns the number of members.
    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.members
    }

    #[inline(always)]
    fn row(&self, member: u32, number: u64) -> usize {
        (2 * member as usize + (number % 2) as usize) * row_bytes(self.words)
    }

    /// Contributes to agreement `number`, which follows the last one that this member has decided.
    /// The caller wakes the others then.
    #[inline]
    pub fn contribute(&self, number: u64, words: impl Iterator<Item = u64>) {
        let row = self.row(self.me, number);
        for (index, word) in words.enumerate() {
            // Relaxed: ordered by the number that follows (E1).
            self.memory.word(row + WORDS + 8 * index).store(word, Ordering::Relaxed);
        }
        // Release (E1): publishes the words, and ends this member's reads of earlier rows.
        self.memory.word(row).store(number, Ordering::Release);
    }

    #[inline(always)]
    fn has_contributed(&self, member: u32, number: u64) -> bool {
        // Acquire (E1): pairs with the Release in `contribute`.
        self.memory.word(self.row(member, number)).load(Ordering::Acquire) == number
    }

    /// Returns whether agreement `number` needs no more of a member: it has contributed, or it
    /// `is_dead`, and what it has contributed then is all that it ever will.
    #[inline(always)]
    pub fn has_spoken(&self, member: u32, number: u64, is_dead: impl FnOnce() -> bool) -> bool {
        self.has_contributed(member, number) || is_dead()
    }

    /// Returns what a member that has spoken has contributed to agreement `number`; `None` if it
    /// has died before.
    #[inline]
    pub fn words(
        &self,
        member: u32,
        number: u64,
    ) -> Option<impl Iterator<Item = u64> + use<'_, S>> {
        let row = self.row(member, number);
        self.has_contributed(member, number).then(|| {
            let offsets = (row + WORDS..row + WORDS + 8 * self.words).step_by(8);
            // Relaxed: ordered by the number (E1).
            offsets.map(|offset| self.memory.word(offset).load(Ordering::Relaxed))
        })
    }

    /// Leaves the agreement segment. What this member has contributed stays.
    pub fn leave(&self) {
        // Release (E2): our reads come before it.
        self.memory.word(self.row(self.me, 0) + LEFT).store(1, Ordering::Release);
    }

    /// Returns whether all members have left, or are dead by `is_dead`.
    pub fn have_all_left(&self, is_dead: impl Fn(u32) -> bool) -> bool {
        // Acquire (E2): the caller frees the memory next.
        let has_left = |row: usize| self.memory.word(row + LEFT).load(Ordering::Acquire) != 0;
        (0..self.members).all(|member| has_left(self.row(member, 0)) || is_dead(member))
    }
}

/// Returns the bytes of a row whose contribution has `words` words.
const fn row_bytes(words: usize) -> usize {
    (WORDS + 8 * words).next_multiple_of(CACHE_LINE_BYTES)
}

/// Returns the bytes of an agreement segment of `members` members whose contributions have `words`
/// words.
pub const fn bytes_for(members: u32, words: usize) -> usize {
    2 * members as usize * row_bytes(words)
}
