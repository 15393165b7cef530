//! Matching: which receive takes which message (MPI 5.0 §3.5).
//!
//! Receives that wait for a message are *posted*; messages that wait for a receive are
//! *unexpected*. Both queues are searched by (context, source, tag), where a receive may leave
//! source, tag or both open. The time of a search does not depend on the number of entries:
//!
//! * A posted receive is in the list of exactly the pattern it was posted with. At most four
//!   patterns fit a message (exact, any tag, any source, both); of the heads of the four lists, the
//!   one posted first wins. Patterns with no posted receive are not looked up.
//! * An unexpected message is in the lists of all patterns that fit it, so that a receive finds the
//!   earliest at the head of its own list.
//!
//! Contexts of collectives have no wildcards, and their messages are in one list only.

mod posted;
mod unexpected;

pub use posted::{Course, InlineReceive, Posted, Received, Slot, Taken};
pub use unexpected::Unexpected;

use crate::context::Context;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The rank of a pattern that accepts any source.
pub const ANY_RANK: u32 = u32::MAX;
/// The tag of a pattern that accepts any tag; tags are not negative.
pub const ANY_TAG: i32 = -1;

/// The match information of a receive, or of a message (then without wildcards).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    pub context: Context,
    pub rank: u32,
    pub tag: i32,
}

impl Pattern {
    /// Returns whether a message (`self` has no wildcards) matches `wanted`.
    #[inline(always)]
    pub fn fits(&self, wanted: &Pattern) -> bool {
        self.context == wanted.context
            && (wanted.rank == self.rank || wanted.rank == ANY_RANK)
            && (wanted.tag == self.tag || wanted.tag == ANY_TAG)
    }

    #[inline]
    fn shape(&self) -> usize {
        usize::from(self.rank == ANY_RANK) << 1 | usize::from(self.tag == ANY_TAG)
    }

    fn widened(&self, shape: usize) -> Pattern {
        Pattern {
            context: self.context,
            rank: if shape & 2 != 0 { ANY_RANK } else { self.rank },
            tag: if shape & 1 != 0 { ANY_TAG } else { self.tag },
        }
    }
}

const SHAPES: usize = 4;
const NIL: u32 = u32::MAX;

/// A multiplicative hash: patterns are small numbers that the processes of the job chose.
#[derive(Default)]
pub struct PatternHasher(u64);

impl Hasher for PatternHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    #[inline]
    fn write_i32(&mut self, value: i32) {
        self.write_u64(u64::from(value as u32));
    }
    #[inline]
    fn write_u64(&mut self, value: u64) {
        // 2^64 divided by the golden ratio spreads neighbouring numbers (Knuth, TAOCP 3, §6.4).
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

/// The number of each pattern's list.
type Bins = HashMap<Pattern, u32, BuildHasherDefault<PatternHasher>>;

/// The entries of one pattern in order: the ends of a list.
struct List {
    key: Pattern,
    head: u32,
    tail: u32,
}

/// The key of an unused list: no tag has this value.
const NO_PATTERN: Pattern = Pattern { context: Context(0), rank: 0, tag: i32::MIN };

/// Number of empty lists that are kept before a sweep: a pattern that is used again, as most are,
/// finds its list.
const IDLE_BINS: usize = 1024;

/// The lists of one queue, by number.
struct Lists {
    lists: Vec<List>,
    idle: Vec<u32>,
    bins: Bins,
    /// The list used last: a process that sends or receives a message usually continues with others
    /// of its pattern.
    recent: u32,
    /// Number of lists, including empty ones, at which empty lists are removed.
    sweep_at: usize,
}

impl Lists {
    const fn new() -> Self {
        Lists {
            lists: Vec::new(),
            idle: Vec::new(),
            bins: Bins::with_hasher(BuildHasherDefault::new()),
            recent: NIL,
            sweep_at: IDLE_BINS,
        }
    }

    /// Returns the first entry of a pattern's list.
    #[inline(always)]
    fn head(&self, key: &Pattern) -> Option<u32> {
        let list = match self.lists.get(self.recent as usize) {
            Some(list) if list.key == *key => list,
            _ => self.other(key)?,
        };
        Some(list.head).filter(|&head| head != NIL)
    }

    /// Returns the last entry of a pattern's list.
    fn tail(&self, key: &Pattern) -> Option<u32> {
        self.other(key).map(|list| list.tail).filter(|&tail| tail != NIL)
    }

    #[inline(never)]
    fn other(&self, key: &Pattern) -> Option<&List> {
        self.bins.get(key).map(|&number| &self.lists[number as usize])
    }

    /// Returns the number of a pattern's list, and records it as the one used last.
    #[inline(always)]
    fn number(&mut self, key: &Pattern) -> u32 {
        match self.lists.get(self.recent as usize) {
            Some(list) if list.key == *key => {}
            _ => self.recent = self.find_or_make(*key),
        }
        self.recent
    }

    #[inline(never)]
    fn find_or_make(&mut self, key: Pattern) -> u32 {
        if let Some(&number) = self.bins.get(&key) {
            return number;
        }
        if self.bins.len() >= self.sweep_at {
            self.sweep();
        }
        let list = List { key, head: NIL, tail: NIL };
        let number = match self.idle.pop() {
            Some(number) => {
                self.lists[number as usize] = list;
                number
            }
            None => {
                self.lists.push(list);
                self.lists.len() as u32 - 1
            }
        };
        self.bins.insert(key, number);
        number
    }

    /// Removes empty lists. The next sweep follows when the number of lists has doubled, so its
    /// cost per entry is constant.
    #[cold]
    fn sweep(&mut self) {
        self.bins.retain(|_, number| {
            let list = &mut self.lists[*number as usize];
            let is_idle = list.head == NIL;
            if is_idle {
                list.key = NO_PATTERN;
                self.idle.push(*number);
            }
            !is_idle
        });
        self.sweep_at = 2 * self.bins.len().max(IDLE_BINS);
    }
}

/// Current and past numbers of entries, for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    pub now: usize,
    /// The maximum since the start or [`begin_peak`](Posted::begin_peak).
    pub peak: usize,
    /// The total since the start.
    pub total: u64,
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
