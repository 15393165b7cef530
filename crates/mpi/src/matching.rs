//! Matching: which receive takes which message (MPI 5.0 §3.5).
//!
//! Receives that wait for a message are *posted*; messages that wait for a receive are *unexpected*. Either side is searched by (context, source,
//! tag), where a receive may leave source, tag or both open. Both searches take the same time whatever the number of entries:
//!
//! * A posted receive lies in the list of exactly the pattern it was posted with. A message has at most four patterns that fit it (exact, any
//!   tag, any source, both); of the four lists' heads the one posted first wins. Patterns that nobody posted are not looked up.
//! * An unexpected message lies in the lists of all the patterns that fit it, so a receive finds the earliest in the head of its own list.
//!
//! Contexts of collectives know no wildcards, and their messages lie in one list only.

mod posted;
mod unexpected;

pub use posted::{Course, InlineReceive, Posted, Received, Slot, Taken};
pub use unexpected::Unexpected;

use crate::context::Context;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// "Any" in a pattern's rank.
pub const ANY_RANK: u32 = u32::MAX;
/// "Any" in a pattern's tag; tags are not negative.
pub const ANY_TAG: i32 = -1;

/// What a receive asks for, or what a message offers (then without wildcards).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    pub context: Context,
    pub rank: u32,
    pub tag: i32,
}

impl Pattern {
    /// Whether a message (`self` has no wildcards) fits `wanted`.
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

/// A multiplicative hash: patterns are small numbers chosen by the job's own processes.
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

/// What lies under one pattern, in order: the ends of a list of entries.
struct List {
    key: Pattern,
    head: u32,
    tail: u32,
}

/// The key of a list that nobody uses: no tag is this.
const NO_PATTERN: Pattern = Pattern { context: Context(0), rank: 0, tag: i32::MIN };

/// Empty lists kept before they are swept: patterns that come again (most do) find their list in place.
const IDLE_BINS: usize = 1024;

/// The lists of a side of matching, by number.
struct Lists {
    lists: Vec<List>,
    idle: Vec<u32>,
    bins: Bins,
    /// The list used last: who sends or receives one message mostly goes on with others like it.
    recent: u32,
    /// Lists, empty ones included, at which the empty ones are forgotten.
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

    /// The first entry of a pattern's list.
    #[inline(always)]
    fn head(&self, key: &Pattern) -> Option<u32> {
        let list = match self.lists.get(self.recent as usize) {
            Some(list) if list.key == *key => list,
            _ => self.other(key)?,
        };
        Some(list.head).filter(|&head| head != NIL)
    }

    #[inline(never)]
    fn other(&self, key: &Pattern) -> Option<&List> {
        self.bins.get(key).map(|&number| &self.lists[number as usize])
    }

    /// The number of a pattern's list, which is the one used last from now on.
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

    /// Forgets empty lists. It comes again when as many lists as now are left have been added, so an entry's share of it is constant.
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

/// How many entries there are and have been, for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    pub now: usize,
    /// The most at one time, since the start or [`begin_peak`](Posted::begin_peak).
    pub peak: usize,
    /// All since the start.
    pub total: u64,
}

#[cfg(test)]
mod tests;
