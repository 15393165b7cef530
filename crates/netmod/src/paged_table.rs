//! Tables with an entry for each process, of which only the used pages exist.
//!
//! A process of a large job talks to few of the others. A [`PagedTable`] has entries for all of
//! them, and makes 16 at a time when one of the 16 is first written:
//!
//! ```text
//!   pages   | 0 … 15 | 16 … 31 | 32 … 47 | …        8 bytes for 16 entries
//!               none    │          none              reads show the entry `unused`
//!                       └─> [T; 16]                  made by the first write
//! ```
//!
//! An entry without a page costs half a byte. An access costs a load more than that of a vector.

use std::fmt;
use std::ops::{Index, IndexMut};

/// Entries of a page.
const PAGE: usize = 16;

/// A table with an entry for each process.
///
/// # Examples
/// ```
/// use nemesis_netmod::PagedTable;
///
/// let mut sent = PagedTable::<u64>::new(100_000);
/// sent[70_000] += 1;
/// assert_eq!((sent[70_000], sent[5], sent.len()), (1, 0, 100_000));
/// assert_eq!(sent.made().len(), 16, "a page");
/// assert_eq!(sent.iter().sum::<u64>(), 1);
/// ```
pub struct PagedTable<T> {
    pages: Vec<Option<Box<[T; PAGE]>>>,
    entries: usize,
    /// What reads show of an entry without a page.
    unused: T,
    make: Make<T>,
}

/// What makes the entry of a process.
enum Make<T> {
    Alike(fn() -> T),
    EachBy(Box<dyn Fn(u32) -> T + Send + Sync>),
}

impl<T: Default> PagedTable<T> {
    /// Returns a table of `entries` entries with the default value.
    pub fn new(entries: usize) -> PagedTable<T> {
        let mut table = PagedTable::empty(T::default(), T::default);
        table.grow(entries);
        table
    }

    /// Returns a table of `entries` entries. `make` makes the entry of a process with its page;
    /// before, reads show the default value.
    pub fn made_by(
        entries: usize,
        make: impl Fn(u32) -> T + Send + Sync + 'static,
    ) -> PagedTable<T> {
        PagedTable { make: Make::EachBy(Box::new(make)), ..PagedTable::new(entries) }
    }
}

impl<T> PagedTable<T> {
    /// Returns a table without entries, for entries that `make` makes. `unused` is such an entry.
    pub const fn empty(unused: T, make: fn() -> T) -> PagedTable<T> {
        PagedTable { pages: Vec::new(), entries: 0, unused, make: Make::Alike(make) }
    }

    /// Returns the number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries
    }

    /// Returns whether the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Gives the table at least `entries` entries.
    pub fn grow(&mut self, entries: usize) {
        if entries > self.entries {
            self.entries = entries;
            self.pages.resize_with(entries.div_ceil(PAGE), || None);
        }
    }

    /// Returns an entry, if the table has it.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        (index < self.entries).then(|| &self[index])
    }

    /// Returns an entry to write, if the table has it.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.entries { Some(&mut self[index]) } else { None }
    }

    /// Returns the indices of the entries whose pages exist.
    pub fn made(&self) -> Vec<u32> {
        let pages = self.pages.iter().enumerate().filter(|(_, page)| page.is_some());
        let indices = pages.flat_map(|(page, _)| page * PAGE..(page + 1) * PAGE);
        indices.filter(|&index| index < self.entries).map(|index| index as u32).collect()
    }

    /// Iterates over the entries whose pages exist.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flatten().flat_map(|page| page.iter()).take(self.rest())
    }

    /// Iterates over the entries whose pages exist, to write them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let most = self.rest();
        self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()).take(most)
    }

    /// Returns the number of entries of the pages that exist: the last page may have more.
    fn rest(&self) -> usize {
        let made = self.pages.iter().flatten().count() * PAGE;
        match self.pages.last() {
            Some(Some(_)) => made - (self.pages.len() * PAGE - self.entries),
            _ => made,
        }
    }
}

impl<T> fmt::Debug for PagedTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PagedTable").field("entries", &self.entries).finish_non_exhaustive()
    }
}

impl<T> Index<usize> for PagedTable<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        assert!(index < self.entries, "there is no entry {index}: {} exist", self.entries);
        self.pages[index / PAGE].as_ref().map_or(&self.unused, |page| &page[index % PAGE])
    }
}

impl<T> IndexMut<usize> for PagedTable<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        assert!(index < self.entries, "there is no entry {index}: {} exist", self.entries);
        let make = &self.make;
        let page = self.pages[index / PAGE].get_or_insert_with(|| make_page(index / PAGE, make));
        &mut page[index % PAGE]
    }
}

#[cold]
#[inline(never)]
fn make_page<T>(page: usize, make: &Make<T>) -> Box<[T; PAGE]> {
    Box::new(std::array::from_fn(|place| match make {
        Make::Alike(make) => make(),
        Make::EachBy(make) => make((page * PAGE + place) as u32),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_exist_from_their_first_write_on() {
        let mut table = PagedTable::made_by(40, |index| index * 10);
        assert_eq!((table[20], table.get(39), table.get(40)), (0, Some(&0), None));
        assert_eq!((table.made(), table.iter().count()), (vec![], 0));
        table[20] += 1;
        assert_eq!((table[20], table[21], table[15], table[32]), (201, 210, 0, 0));
        assert_eq!(table.made(), (16..32).collect::<Vec<u32>>());
        *table.get_mut(39).unwrap() = 5;
        assert!(table.get_mut(40).is_none());
        assert_eq!(table.made(), (16..40).collect::<Vec<u32>>(), "the last page ends there");
        assert_eq!((table.iter().count(), table.iter_mut().last()), (24, Some(&mut 5)));
        table.grow(41);
        table.grow(7);
        assert_eq!((table.len(), table[39], table[40]), (41, 5, 400));
    }

    #[test]
    #[should_panic(expected = "there is no entry 33: 33 exist")]
    fn an_entry_behind_the_last_one_is_none() {
        let mut table = PagedTable::<u8>::new(33);
        table[33] = 1;
    }
}
