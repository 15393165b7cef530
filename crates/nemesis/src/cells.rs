//! The process's own cells, as far as they are free.

use nemesis_shm::layout::CELLS;
use nemesis_shm::queue;
use nemesis_shm::segment::{Cell, Segment, Slot};

/// Cells for packets that are pushed on a queue: those never used, and those that came back.
pub struct FreeCells {
    /// How many there are.
    number: usize,
    used: usize,
    returned: queue::Consumer,
    /// The last who asked got none, so one that comes back is news.
    wanted: bool,
}

impl FreeCells {
    pub fn new() -> FreeCells {
        FreeCells { number: CELLS, used: 0, returned: queue::Consumer::default(), wanted: false }
    }

    /// Uses at most so many.
    pub fn limit(&mut self, cells: usize) {
        self.number = cells.min(CELLS);
    }

    #[inline]
    pub fn take(&mut self, segment: &Segment, slot: &Slot) -> Option<Cell> {
        let offset = match self.returned.pop(slot.free_queue(), segment) {
            Some(offset) => offset,
            None if self.used < self.number => {
                self.used += 1;
                slot.cell_offset(self.used - 1)
            }
            None => {
                self.wanted = true;
                return None;
            }
        };
        self.wanted = false;
        Some(segment.cell(offset))
    }

    /// Whether the last who asked got none.
    pub fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Whether somebody waits for a cell and one has come. This is told once: who asked may have found another way, and does not ask again.
    pub fn take_news(&mut self, slot: &Slot) -> bool {
        std::mem::take(&mut self.wanted) && !self.returned.is_empty(slot.free_queue())
    }
}
