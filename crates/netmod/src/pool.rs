//! Cells for modules whose host keeps no memory of the network's kind: plain memory, lent and taken back.

#![allow(unsafe_code)]

use crate::Cell;
use nemesis_wire::HEADER_BYTES;
use std::ptr::NonNull;

/// Cells of one size, made when they are first needed.
#[derive(Debug)]
pub struct Pool {
    /// Memory of the cells, by number; those in `free` are here, the others lent.
    cells: Vec<Box<[u64]>>,
    free: Vec<u64>,
    most: usize,
    payload: usize,
}

impl Pool {
    /// At most `most` cells with room for `payload` bytes behind a header.
    pub fn new(most: usize, payload: usize) -> Pool {
        Pool { cells: Vec::new(), free: Vec::new(), most, payload }
    }

    /// Lends a cell with room for `payload` bytes; `None` when all are lent, or none is so large.
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
        // SAFETY: aligned to 8 bytes, long enough, and used by nobody else: it was free or is new. It stays where it is as long as the pool.
        Some(unsafe { Cell::new(number, memory, self.payload) })
    }

    /// Takes a cell back.
    ///
    /// # Panics
    /// When it is not one of this pool's that was lent.
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
