//! The table of the processes of a job, with state of its own only for those that were met.
//!
//! The path of a message indexes this table, so an access is one bounds check and one load. The
//! processes that were not met share one state:
//!
//! ```text
//!   places   | 0 | 1 | 2 | 3 | 4 | …        8 bytes for each process
//!              │   └───┴─┐ │   └──> unmet   one state, which is never changed
//!              │         │ │
//!              └> [ T, T, T, … ] chunks     in the order of meeting
//! ```
//!
//! Invariants, on which the `unsafe` code of this file relies:
//! * I1: each place points to an element of a chunk, or to `unmet`. These are allocations of the
//!   table, which never move, and are freed when the table is dropped.
//! * I2: only references that borrow the table lead to the elements: `&T` with `&self`, `&mut T`
//!   with `&mut self`. So a `&mut T` is the only reference to any element.

#![allow(unsafe_code)]

use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

/// Elements of a chunk.
const CHUNK: usize = 16;

/// A table with a state for each process that was met.
///
/// # Examples
/// ```
/// use nemesis_netmod::PeerTable;
///
/// let mut next = PeerTable::new(100_000, || 1_u32);
/// next[7] += 2;
/// assert_eq!((next[7], next[8], next.is_met(8)), (3, 1, false));
/// assert_eq!(next.met().collect::<Vec<_>>(), [(7, &3)]);
/// ```
pub struct PeerTable<T> {
    /// By process.
    places: Vec<NonNull<T>>,
    unmet: NonNull<T>,
    /// The processes that were met, in the order of their elements.
    met: Vec<u32>,
    /// The first elements of the chunks.
    chunks: Vec<NonNull<T>>,
    make: fn() -> T,
}

// SAFETY: the table owns its elements (I1), and they may be sent.
unsafe impl<T: Send> Send for PeerTable<T> {}

impl<T> PeerTable<T> {
    /// Returns a table of `processes` processes that were not met; `make` makes a state.
    pub fn new(processes: usize, make: fn() -> T) -> PeerTable<T> {
        let unmet = NonNull::from(Box::leak(Box::new(make())));
        let places = vec![unmet; processes];
        PeerTable { places, unmet, met: Vec::new(), chunks: Vec::new(), make }
    }

    /// Returns the number of processes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether the table has no processes.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a process that was not met.
    pub fn push(&mut self) {
        self.places.push(self.unmet);
    }

    /// Returns the state of a process, if there is such a process.
    #[inline(always)]
    pub fn get(&self, process: usize) -> Option<&T> {
        let place = *self.places.get(process)?;
        // SAFETY: I1, and I2 with the borrow of the table.
        Some(unsafe { place.as_ref() })
    }

    /// Returns the state of a process, if there is such a process, for the paths of messages
    /// between processes that have met: that of one that was not met is shared with all such
    /// processes, and must not be changed.
    #[inline(always)]
    pub fn glance_mut(&mut self, process: usize) -> Option<&mut T> {
        let mut place = *self.places.get(process)?;
        // SAFETY: I1, and I2 with the borrow of the table.
        Some(unsafe { place.as_mut() })
    }

    /// Returns whether the process has a state of its own.
    #[inline]
    pub fn is_met(&self, process: usize) -> bool {
        self.places[process] != self.unmet
    }

    /// Iterates over the processes that were met, and their states.
    pub fn met(&self) -> impl Iterator<Item = (u32, &T)> {
        let state = |&process: &u32| (process, &self[process as usize]);
        self.met.iter().map(state)
    }

    /// Calls `change` with the state of each process that was met.
    pub fn for_each_met(&mut self, mut change: impl FnMut(u32, &mut T)) {
        for index in 0..self.met.len() {
            let process = self.met[index];
            change(process, &mut self[process as usize]);
        }
    }

    /// Gives a process a state of its own.
    #[cold]
    #[inline(never)]
    fn meet(&mut self, process: usize) {
        let place = self.met.len() % CHUNK;
        if place == 0 {
            let chunk: Box<[T]> = (0..CHUNK).map(|_| (self.make)()).collect();
            self.chunks.push(NonNull::from(Box::leak(chunk)).cast());
        }
        let chunk = self.chunks[self.met.len() / CHUNK];
        // SAFETY: a chunk has CHUNK elements.
        self.places[process] = unsafe { chunk.add(place) };
        self.met.push(process as u32);
    }
}

impl<T> Index<usize> for PeerTable<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, process: usize) -> &T {
        let place = &self.places[process];
        // SAFETY: I1, and I2 with the borrow of the table.
        unsafe { place.as_ref() }
    }
}

/// A process whose state is asked for to be changed has been met.
impl<T> IndexMut<usize> for PeerTable<T> {
    #[inline(always)]
    fn index_mut(&mut self, process: usize) -> &mut T {
        if self.places[process] == self.unmet {
            self.meet(process);
        }
        let place = &mut self.places[process];
        // SAFETY: I1, and I2 with the borrow of the table.
        unsafe { place.as_mut() }
    }
}

impl<T> Drop for PeerTable<T> {
    fn drop(&mut self) {
        // SAFETY: `new` leaked this box, and nothing refers to it after the table (I2).
        drop(unsafe { Box::from_raw(self.unmet.as_ptr()) });
        for chunk in self.chunks.drain(..) {
            let chunk = NonNull::slice_from_raw_parts(chunk, CHUNK);
            // SAFETY: `meet` leaked this box, and nothing refers to it after the table (I2).
            drop(unsafe { Box::from_raw(chunk.as_ptr()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn processes_share_a_state_until_they_are_met() {
        let mut table = PeerTable::new(100, || vec![1]);
        for process in [99, 3, 98].into_iter().chain(30..60) {
            assert!(!table.is_met(process));
            table[process].push(process);
            assert_eq!((table.is_met(process), &table[process]), (true, &vec![1, process]));
        }
        assert_eq!((&table[0], table.get(97), table.get(100)), (&vec![1], Some(&vec![1]), None));
        table.glance_mut(98).unwrap().push(7);
        assert!(table.glance_mut(100).is_none());
        assert_eq!((&table[98], &table[97]), (&vec![1, 98, 7], &vec![1]));
        table.for_each_met(|process, state| state.push(process as usize + 1));
        let met: Vec<_> = table.met().take(3).collect();
        let expected = [(99, &vec![1, 99, 100]), (3, &vec![1, 3, 4]), (98, &vec![1, 98, 7, 99])];
        assert_eq!((met, table.met().count()), (expected.to_vec(), 33));
        table.push();
        assert_eq!((table.len(), table.is_met(100), &table[100]), (101, false, &vec![1]));
    }

    #[test]
    fn a_table_frees_its_states() {
        thread_local!(static WHOLE: Arc<()> = Arc::new(()));
        let mut table = PeerTable::new(5, || WHOLE.with(Arc::clone));
        table[2] = WHOLE.with(Arc::clone);
        assert_eq!(WHOLE.with(Arc::strong_count), 2 + CHUNK);
        drop(table);
        assert_eq!(WHOLE.with(Arc::strong_count), 1);
    }
}
