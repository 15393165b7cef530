//! Cells for hosts that keep no registered memory: ordinary memory, lent and returned.

#![allow(unsafe_code)]

use crate::Cell;
use nemesis_wire::HEADER_BYTES;
use std::ptr::NonNull;

/// Cells of one size, allocated when they are first needed.
///
/// # Examples
/// ```
/// use nemesis_netmod::Pool;
/// use nemesis_wire::{HEADER_BYTES, Header};
///
/// let mut pool = Pool::new(1, 100);
/// let mut cell = pool.lend(5).expect("one cell is free");
/// let header = Header { size: 5, ..Header::default() };
/// cell.frame_mut()[..HEADER_BYTES].copy_from_slice(&header.encode());
/// cell.frame_mut()[HEADER_BYTES..][..5].copy_from_slice(b"hello");
/// assert_eq!(cell.packet(), Some((header, &b"hello"[..])));
/// assert!(pool.lend(5).is_none());
/// pool.take_back(cell);
/// ```
#[derive(Debug)]
pub struct Pool {
    /// Memory of the cells, by number. The cells in `free` are available, the others are lent.
    cells: Vec<Box<[u64]>>,
    free: Vec<u64>,
    most: usize,
    payload: usize,
}

impl Pool {
    /// Makes a pool of at most `most` cells for `payload` bytes of payload each.
    pub fn new(most: usize, payload: usize) -> Pool {
        Pool { cells: Vec::new(), free: Vec::new(), most, payload }
    }

    /// Lends a cell for `payload` bytes of payload; `None` if all are lent, or if cells are
    /// smaller.
    pub fn lend(&mut self, payload: usize) -> Option<Cell> {
        if payload > self.payload {
            return None;
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None if self.cells.len() < self.most => {
                self.cells
                    .push(vec![0; (HEADER_BYTES + self.payload).div_ceil(8)].into_boxed_slice());
                self.cells.len() as u64 - 1
            }
            None => return None,
        };
        let memory = NonNull::from(&mut *self.cells[number as usize]).cast();
        // SAFETY: the memory is aligned to 8 bytes and has `HEADER_BYTES + payload` bytes. Nothing
        // else uses it, because the cell was free or is new. Its box keeps its address as long as
        // the pool.
        Some(unsafe { Cell::new(number, memory, self.payload) })
    }

    /// Takes a cell back.
    ///
    /// # Panics
    /// If the cell was not lent by this pool.
    pub fn take_back(&mut self, cell: Cell) {
        let number = cell.id();
        assert!(
            (number as usize) < self.cells.len() && !self.free.contains(&number),
            "cell {number} was not lent by this pool"
        );
        self.free.push(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_lent_and_come_back() {
        let mut pool = Pool::new(2, 100);
        assert!(pool.lend(101).is_none());
        let (mut one, two) = (pool.lend(100).unwrap(), pool.lend(0).unwrap());
        assert!(pool.lend(0).is_none());
        one.frame_mut().fill(7);
        let number = two.id();
        pool.take_back(two);
        assert_eq!(pool.lend(1).unwrap().id(), number);
        pool.take_back(one);
    }
}
