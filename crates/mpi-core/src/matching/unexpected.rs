//! Unexpected messages: messages that wait for a receive.

use super::{Levels, Lists, NIL, Pattern, SHAPES};
use crate::context::Context;
use nemesis_sys::mutation::{self, Mutation};

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
    lists: Lists,
    len: usize,
    /// The maximum of `len` since the last reset.
    peak: usize,
    /// The total number of entries so far.
    total: u64,
}

struct Entry<T> {
    pattern: Pattern,
    links: [Link; SHAPES],
    /// The numbers of its lists.
    lists: [u32; SHAPES],
    value: Option<T>,
}

impl<T> Store<T> {
    const fn new() -> Self {
        Store {
            entries: Vec::new(),
            free: Vec::new(),
            lists: Lists::new(),
            len: 0,
            peak: 0,
            total: 0,
        }
    }

    #[inline]
    fn insert(&mut self, pattern: Pattern, value: T) -> u32 {
        self.total += 1;
        self.len += 1;
        self.peak = self.peak.max(self.len);
        let entry =
            Entry { pattern, links: [UNLINKED; SHAPES], lists: [NIL; SHAPES], value: Some(value) };
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
        let number = self.lists.number(&key);
        let list = &mut self.lists.lists[number as usize];
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
        let list = &mut self.lists.lists[number as usize];
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
    fn take(&mut self, index: u32) -> Option<T> {
        self.len -= 1;
        self.free.push(index);
        self.entries[index as usize].value.take()
    }

    fn levels(&self) -> Levels {
        Levels { now: self.len, peak: self.peak, total: self.total }
    }
}

/// The unexpected queue. `T` is the content of a message.
pub struct Unexpected<T> {
    store: Store<T>,
}

impl<T> Unexpected<T> {
    pub const fn new() -> Self {
        Unexpected { store: Store::new() }
    }

    /// Returns whether no message is unexpected.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.store.len == 0
    }

    /// Returns the number of unexpected messages.
    pub fn len(&self) -> usize {
        self.store.len
    }

    /// Returns the numbers of unexpected messages, for tools.
    pub fn levels(&self) -> Levels {
        self.store.levels()
    }

    /// Resets the peak to the current number.
    pub fn begin_peak(&mut self) {
        self.store.peak = self.store.len;
    }

    /// Returns the number of messages in one context. Examines all messages; for tools.
    pub fn count_in(&self, context: Context) -> usize {
        self.store
            .entries
            .iter()
            .filter(|entry| entry.value.is_some() && entry.pattern.context == context)
            .count()
    }

    /// Returns all messages. For reports.
    pub fn all(&self) -> impl Iterator<Item = (Pattern, &T)> {
        self.store.entries.iter().filter_map(|entry| Some((entry.pattern, entry.value.as_ref()?)))
    }

    /// Adds a message behind all others.
    pub fn keep(&mut self, pattern: Pattern, message: T) {
        let index = self.store.insert(pattern, message);
        for shape in Self::shapes(&pattern) {
            self.store.append(index, shape, pattern.widened(shape));
        }
    }

    /// Returns the earliest message that matches `wanted`.
    #[inline]
    pub fn find(&self, wanted: &Pattern) -> Option<(Pattern, &T)> {
        if self.is_empty() {
            return None;
        }
        let entry = &self.store.entries[self.store.lists.head(wanted)? as usize];
        Some((entry.pattern, entry.value.as_ref()?))
    }

    /// Takes out the earliest message that matches `wanted`.
    #[inline]
    pub fn take(&mut self, wanted: &Pattern) -> Option<(Pattern, T)> {
        if self.is_empty() {
            return None;
        }
        if mutation::strikes(Mutation::WrongCommunicator) {
            return self.take_of_any_context(wanted);
        }
        let index = match mutation::strikes(Mutation::UnexpectedReversed) {
            false => self.store.lists.head(wanted)?,
            true => self.store.lists.tail(wanted)?,
        };
        self.remove(index)
    }

    /// Takes out a message that matches `wanted` in all but the context: the mutation
    /// [`WrongCommunicator`](Mutation::WrongCommunicator).
    #[cold]
    fn take_of_any_context(&mut self, wanted: &Pattern) -> Option<(Pattern, T)> {
        let index = self.store.entries.iter().position(|entry| {
            let in_its_context = Pattern { context: entry.pattern.context, ..*wanted };
            entry.value.is_some() && entry.pattern.fits(&in_its_context)
        })?;
        self.remove(index as u32)
    }

    /// Returns the earliest message for which `is_it` returns true.
    pub fn find_where(&mut self, is_it: impl Fn(&T) -> bool) -> Option<&mut T> {
        self.store.entries.iter_mut().filter_map(|entry| entry.value.as_mut()).find(|it| is_it(it))
    }

    /// Takes out the earliest message for which `is_it` returns true, for the rare callers that
    /// identify the message by something other than its pattern.
    pub fn take_where(&mut self, is_it: impl Fn(&T) -> bool) -> Option<(Pattern, T)> {
        let index =
            self.store.entries.iter().position(|entry| entry.value.as_ref().is_some_and(&is_it))?;
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
