//! The free cells of this process.

use nemesis_shm::layout::CELLS;
use nemesis_shm::queue;
use nemesis_shm::segment::{Cell, Segment, Slot};

/// Free cells: those that were never used, and those that receivers have returned.
pub struct FreeCells {
    /// Number of cells that this process may use.
    limit: usize,
    used: usize,
    returned: queue::Consumer,
    /// Whether the last `take` found no cell, so that a sleeper must learn of a returned one.
    wanted: bool,
}

impl FreeCells {
    pub fn new() -> FreeCells {
        FreeCells { limit: CELLS, used: 0, returned: queue::Consumer::default(), wanted: false }
    }

    /// Limits the number of cells that this process uses.
    pub fn limit(&mut self, cells: usize) {
        self.limit = cells.min(CELLS);
    }

    #[inline]
    /// Takes a free cell; `None` when all cells are in use.
    pub fn take(&mut self, segment: &Segment, slot: &Slot) -> Option<Cell> {
        let offset = match self.returned.pop(slot.free_queue(), segment) {
            Some(offset) => offset,
            None if self.used < self.limit => {
                self.used += 1;
                segment.body(segment.slot_index_of(slot)).cell_offset(self.used - 1)
            }
            None => {
                self.wanted = true;
                return None;
            }
        };
        self.wanted = false;
        Some(segment.cell(offset))
    }

    /// Returns whether the last `take` found no cell.
    pub fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Returns whether the last `take` found no cell and one has been returned since. Returns true
    /// once only: the caller may have sent its packet in another way and not ask again.
    pub fn take_news(&mut self, slot: &Slot) -> bool {
        std::mem::take(&mut self.wanted) && !self.returned.is_empty(slot.free_queue())
    }
}
