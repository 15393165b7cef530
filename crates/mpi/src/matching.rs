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

struct List {
    key: Pattern,
    head: u32,
    tail: u32,
}

/// The key of a list that nobody uses: no tag is this.
const NO_PATTERN: Pattern = Pattern { context: Context(0), rank: 0, tag: i32::MIN };

/// Empty lists kept before they are swept: patterns that come again (most do) find their list in place.
const IDLE_BINS: usize = 1024;

#[derive(Clone, Copy)]
struct Link {
    previous: u32,
    next: u32,
}

const UNLINKED: Link = Link { previous: NIL, next: NIL };

/// Entries in arrival order, each in the lists of some of its shapes.
struct Store<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
    lists: Vec<List>,
    idle_lists: Vec<u32>,
    bins: Bins,
    /// The list used last: who sends or receives one message mostly goes on with others like it.
    recent: u32,
    /// Lists, empty ones included, at which the empty ones are forgotten.
    sweep_at: usize,
    len: usize,
    /// The greatest `len` since somebody asked for it to begin anew.
    peak: usize,
    order: u64,
}

struct Entry<T> {
    pattern: Pattern,
    order: u64,
    links: [Link; SHAPES],
    /// The numbers of the lists that it lies in.
    lists: [u32; SHAPES],
    value: Option<T>,
}

impl<T> Store<T> {
    const fn new() -> Self {
        Store {
            entries: Vec::new(),
            free: Vec::new(),
            lists: Vec::new(),
            idle_lists: Vec::new(),
            recent: NIL,
            bins: Bins::with_hasher(BuildHasherDefault::new()),
            sweep_at: IDLE_BINS,
            len: 0,
            peak: 0,
            order: 0,
        }
    }

    #[inline]
    fn insert(&mut self, pattern: Pattern, value: T) -> u32 {
        self.order += 1;
        self.len += 1;
        self.peak = self.peak.max(self.len);
        let entry = Entry { pattern, order: self.order, links: [UNLINKED; SHAPES], lists: [NIL; SHAPES], value: Some(value) };
        match self.free.pop() {
            Some(index) => {
                self.entries[index as usize] = entry;
                index
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        }
    }

    #[inline]
    fn append(&mut self, index: u32, shape: usize, key: Pattern) {
        let number = self.list_for(key);
        let list = &mut self.lists[number as usize];
        let previous = list.tail;
        list.tail = index;
        if previous == NIL {
            list.head = index;
        } else {
            self.entries[previous as usize].links[shape].next = index;
        }
        let entry = &mut self.entries[index as usize];
        entry.links[shape] = Link { previous, next: NIL };
        entry.lists[shape] = number;
    }

    #[inline]
    fn unlink(&mut self, index: u32, shape: usize) {
        let entry = &self.entries[index as usize];
        let (Link { previous, next }, number) = (entry.links[shape], entry.lists[shape]);
        let list = &mut self.lists[number as usize];
        if previous == NIL {
            list.head = next;
        } else {
            self.entries[previous as usize].links[shape].next = next;
        }
        if next == NIL {
            list.tail = previous;
        } else {
            self.entries[next as usize].links[shape].previous = previous;
        }
    }

    #[inline]
    fn head(&self, key: &Pattern) -> Option<u32> {
        let list = match self.lists.get(self.recent as usize) {
            Some(list) if list.key == *key => list,
            _ => self.list_of(key)?,
        };
        Some(list.head).filter(|&head| head != NIL)
    }

    #[inline(never)]
    fn list_of(&self, key: &Pattern) -> Option<&List> {
        self.bins.get(key).map(|&number| &self.lists[number as usize])
    }

    /// The number of a pattern's list, which is the one used last from now on.
    #[inline]
    fn list_for(&mut self, key: Pattern) -> u32 {
        match self.lists.get(self.recent as usize) {
            Some(list) if list.key == key => {}
            _ => self.recent = self.find_or_make_list(key),
        }
        self.recent
    }

    #[inline(never)]
    fn find_or_make_list(&mut self, key: Pattern) -> u32 {
        if let Some(&number) = self.bins.get(&key) {
            return number;
        }
        if self.bins.len() >= self.sweep_at {
            self.sweep();
        }
        let list = List { key, head: NIL, tail: NIL };
        let number = match self.idle_lists.pop() {
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

    #[inline]
    fn take(&mut self, index: u32) -> Option<T> {
        self.len -= 1;
        self.free.push(index);
        self.entries[index as usize].value.take()
    }

    fn levels(&self) -> Levels {
        Levels { now: self.len, peak: self.peak, total: self.order }
    }

    /// Forgets empty lists. It comes again when as many lists as now are left have been added, so an entry's share of it is constant.
    #[cold]
    fn sweep(&mut self) {
        self.bins.retain(|_, number| {
            let list = &mut self.lists[*number as usize];
            let is_idle = list.head == NIL;
            if is_idle {
                list.key = NO_PATTERN;
                self.idle_lists.push(*number);
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

/// Where a posted receive lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(u32);

impl Slot {
    /// Of a receive that was matched before it was posted.
    pub const NOWHERE: Slot = Slot(NIL);
}

/// Receives that wait for a message. `T` names the receive.
pub struct Posted<T> {
    store: Store<T>,
    /// How many are posted of each shape, so that shapes nobody uses cost nothing.
    shapes: [usize; SHAPES],
    /// How many are posted with a wildcard.
    open: usize,
}

impl<T> Posted<T> {
    pub const fn new() -> Self {
        Posted { store: Store::new(), shapes: [0; SHAPES], open: 0 }
    }
}

impl<T: PartialEq> Posted<T> {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.store.len == 0
    }

    pub fn len(&self) -> usize {
        self.store.len
    }

    pub fn levels(&self) -> Levels {
        self.store.levels()
    }

    /// The peak is what there is now.
    pub fn begin_peak(&mut self) {
        self.store.peak = self.store.len;
    }

    /// Where the next receive will lie, by which it can be withdrawn.
    #[inline]
    pub fn next_slot(&self) -> Slot {
        Slot(self.store.free.last().copied().unwrap_or(self.store.entries.len() as u32))
    }

    #[inline]
    pub fn post(&mut self, pattern: Pattern, receive: T) {
        let index = self.store.insert(pattern, receive);
        self.store.append(index, 0, pattern);
        let shape = pattern.shape();
        self.shapes[shape] += 1;
        self.open += usize::from(shape != 0);
    }

    /// The receive posted first among those that `message` fits, taken out.
    #[inline]
    pub fn take(&mut self, message: &Pattern) -> Option<T> {
        let first = self.first(message)?;
        self.remove(first)
    }

    /// Whether a posted receive wants `message`.
    pub fn would_take(&self, message: &Pattern) -> bool {
        self.first(message).is_some()
    }

    #[inline]
    fn first(&self, message: &Pattern) -> Option<u32> {
        let exact = self.store.head(message);
        if self.open == 0 { exact } else { self.first_of_all(message, exact) }
    }

    #[inline(never)]
    fn first_of_all(&self, message: &Pattern, exact: Option<u32>) -> Option<u32> {
        let mut best = exact;
        for shape in 1..SHAPES {
            if self.shapes[shape] == 0 {
                continue;
            }
            let Some(index) = self.store.head(&message.widened(shape)) else { continue };
            let earlier = |best: u32| self.store.entries[index as usize].order < self.store.entries[best as usize].order;
            if best.is_none_or(earlier) {
                best = Some(index);
            }
        }
        best
    }

    /// What the receive at `slot` asks for.
    pub fn pattern(&self, slot: Slot) -> Option<Pattern> {
        self.store.entries.get(slot.0 as usize).filter(|entry| entry.value.is_some()).map(|entry| entry.pattern)
    }

    /// Takes a posted receive back (cancelled); false when it has been matched.
    pub fn withdraw(&mut self, slot: Slot, receive: &T) -> bool {
        let lies_there = |entry: &Entry<T>| entry.value.as_ref() == Some(receive);
        self.store.entries.get(slot.0 as usize).is_some_and(lies_there) && self.remove(slot.0).is_some()
    }

    #[inline]
    fn remove(&mut self, index: u32) -> Option<T> {
        let shape = self.store.entries[index as usize].pattern.shape();
        self.store.unlink(index, 0);
        self.shapes[shape] -= 1;
        self.open -= usize::from(shape != 0);
        self.store.take(index)
    }
}

/// Messages that wait for a receive. `T` is the message's content.
pub struct Unexpected<T> {
    store: Store<T>,
}

impl<T> Unexpected<T> {
    pub const fn new() -> Self {
        Unexpected { store: Store::new() }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.store.len == 0
    }

    pub fn len(&self) -> usize {
        self.store.len
    }

    pub fn levels(&self) -> Levels {
        self.store.levels()
    }

    /// The peak is what there is now.
    pub fn begin_peak(&mut self) {
        self.store.peak = self.store.len;
    }

    /// How many lie in one context. Looks at all of them: for tools.
    pub fn count_in(&self, context: Context) -> usize {
        self.store.entries.iter().filter(|entry| entry.value.is_some() && entry.pattern.context == context).count()
    }

    pub fn keep(&mut self, pattern: Pattern, message: T) {
        let index = self.store.insert(pattern, message);
        for shape in Self::shapes(&pattern) {
            self.store.append(index, shape, pattern.widened(shape));
        }
    }

    /// The earliest message that fits `wanted`.
    #[inline]
    pub fn find(&self, wanted: &Pattern) -> Option<(Pattern, &T)> {
        if self.is_empty() {
            return None;
        }
        let entry = &self.store.entries[self.store.head(wanted)? as usize];
        Some((entry.pattern, entry.value.as_ref()?))
    }

    /// The earliest message that fits `wanted`, taken out.
    #[inline]
    pub fn take(&mut self, wanted: &Pattern) -> Option<(Pattern, T)> {
        if self.is_empty() {
            return None;
        }
        let index = self.store.head(wanted)?;
        self.remove(index)
    }

    /// The earliest message that `is_it`, taken out: for the rare cases that know the message by something else than its pattern.
    pub fn take_where(&mut self, is_it: impl Fn(&T) -> bool) -> Option<(Pattern, T)> {
        let index = self.store.entries.iter().position(|entry| entry.value.as_ref().is_some_and(&is_it))?;
        self.remove(index as u32)
    }

    fn remove(&mut self, index: u32) -> Option<(Pattern, T)> {
        let pattern = self.store.entries[index as usize].pattern;
        for shape in Self::shapes(&pattern) {
            self.store.unlink(index, shape);
        }
        Some((pattern, self.store.take(index)?))
    }

    fn shapes(pattern: &Pattern) -> std::ops::Range<usize> {
        0..if pattern.context.knows_wildcards() { SHAPES } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Class;

    fn pattern(rank: u32, tag: i32) -> Pattern {
        Pattern { context: Context::world(Class::PointToPoint), rank, tag }
    }

    #[test]
    fn the_receive_posted_first_wins_whatever_its_shape() {
        let mut posted = Posted::new();
        posted.post(pattern(ANY_RANK, 5), 'a');
        posted.post(pattern(1, 5), 'b');
        posted.post(pattern(1, ANY_TAG), 'c');
        posted.post(pattern(ANY_RANK, ANY_TAG), 'd');
        assert_eq!(posted.take(&pattern(2, 6)), Some('d'));
        assert_eq!(posted.take(&pattern(1, 5)), Some('a'));
        assert_eq!(posted.take(&pattern(1, 5)), Some('b'));
        assert_eq!(posted.take(&pattern(1, 5)), Some('c'));
        assert_eq!(posted.take(&pattern(1, 5)), None);
        assert!(posted.is_empty());
    }

    #[test]
    fn a_withdrawn_receive_is_out_of_the_way() {
        let mut posted = Posted::new();
        let mut slots = Vec::new();
        for receive in 0..5 {
            slots.push(posted.next_slot());
            posted.post(pattern(1, 1), receive);
        }
        assert!(posted.withdraw(slots[2], &2));
        assert!(!posted.withdraw(slots[2], &2));
        assert!(!posted.withdraw(Slot::NOWHERE, &2));
        let rest: Vec<i32> = std::iter::from_fn(|| posted.take(&pattern(1, 1))).collect();
        assert_eq!(rest, [0, 1, 3, 4]);
    }

    #[test]
    fn the_earliest_message_is_found_by_every_pattern_that_fits() {
        let mut unexpected = Unexpected::new();
        for (rank, tag, name) in [(1, 7, 'a'), (2, 7, 'b'), (1, 8, 'c'), (1, 7, 'd')] {
            unexpected.keep(pattern(rank, tag), name);
        }
        assert_eq!(unexpected.find(&pattern(ANY_RANK, 8)).map(|(_, &name)| name), Some('c'));
        assert_eq!(unexpected.take(&pattern(ANY_RANK, 7)).map(|(_, name)| name), Some('a'));
        assert_eq!(unexpected.take(&pattern(1, ANY_TAG)).map(|(_, name)| name), Some('c'));
        assert_eq!(unexpected.take(&pattern(1, 7)).map(|(_, name)| name), Some('d'));
        assert_eq!(unexpected.take(&pattern(1, 7)), None);
        assert_eq!(unexpected.take(&pattern(ANY_RANK, ANY_TAG)).map(|(_, name)| name), Some('b'));
        assert!(unexpected.is_empty());
    }

    #[test]
    fn patterns_that_never_come_again_are_forgotten() {
        let mut posted = Posted::new();
        posted.post(pattern(ANY_RANK, ANY_TAG), -1);
        for tag in 0..100 * IDLE_BINS as i32 {
            let slot = posted.next_slot();
            posted.post(pattern(1, tag), tag);
            assert!(posted.withdraw(slot, &tag));
        }
        assert!(posted.store.bins.len() <= 2 * IDLE_BINS && posted.store.lists.len() <= 2 * IDLE_BINS + 1);
        assert_eq!(posted.take(&pattern(1, 1)), Some(-1));
    }

    /// A search that walked a list would take thousands of millions of steps here, which no test's patience survives.
    #[test]
    fn the_number_of_entries_does_not_matter() {
        const MANY: u32 = 100_000;
        let mut posted = Posted::new();
        let slots: Vec<Slot> = (0..MANY)
            .map(|receive| {
                let slot = posted.next_slot();
                posted.post(pattern(if receive % 3 == 0 { ANY_RANK } else { 1 }, 5), receive);
                slot
            })
            .collect();
        for receive in (0..MANY).rev().filter(|receive| receive % 2 == 0) {
            assert!(posted.withdraw(slots[receive as usize], &receive), "the last posted is found as fast as the first");
        }
        let rest: Vec<u32> = std::iter::from_fn(|| posted.take(&pattern(1, 5))).collect();
        assert!(rest.iter().copied().eq((0..MANY).filter(|receive| receive % 2 == 1)));

        let mut unexpected = Unexpected::new();
        (0..MANY).for_each(|tag| unexpected.keep(pattern(1, tag as i32), tag));
        for tag in (1..MANY).rev().step_by(2) {
            assert_eq!(unexpected.take(&pattern(ANY_RANK, tag as i32)).map(|(_, message)| message), Some(tag));
        }
        for tag in (0..MANY).step_by(2) {
            assert_eq!(unexpected.take(&pattern(1, ANY_TAG)).map(|(_, message)| message), Some(tag));
        }
        assert!(unexpected.is_empty());
    }

    #[test]
    fn other_contexts_never_match() {
        let mut unexpected = Unexpected::new();
        let collective = Pattern { context: Context::world(Class::Collective), rank: 1, tag: 3 };
        unexpected.keep(collective, ());
        assert!(unexpected.find(&pattern(ANY_RANK, ANY_TAG)).is_none());
        assert!(unexpected.take(&collective).is_some());
    }
}
