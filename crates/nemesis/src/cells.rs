//! The process's own cells, as far as they are free.

use nemesis_shm::layout::{CELLS, LONG_CELLS};
use nemesis_shm::queue;
use nemesis_shm::segment::{Cell, LongCell, Segment, Slot};
use std::collections::VecDeque;

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

    /// Whether somebody waits for a cell and one has come. This is told once: who asked may have found another way, and does not ask again.
    pub fn take_news(&mut self, slot: &Slot) -> bool {
        let news = self.wanted && !self.returned.is_empty(slot.free_queue());
        self.wanted &= !news;
        news
    }
}

/// So many long cells take turns: while one is on its way, the next can be made ready.
const IN_TURN: usize = 2;

/// Long cells: their receivers give them back where they lie.
pub struct LongCells {
    /// How many there are.
    number: usize,
    used: usize,
    /// On their way, the oldest first.
    lent: VecDeque<LongCell>,
    /// The last that came back goes out first: its lines are still in a cache, and have been asked for.
    spare: Vec<LongCell>,
    wanted: bool,
}

impl LongCells {
    pub fn new() -> LongCells {
        LongCells { number: LONG_CELLS, used: 0, lent: VecDeque::new(), spare: Vec::new(), wanted: false }
    }

    /// Uses at most so many.
    pub fn limit(&mut self, cells: usize) {
        self.number = cells.min(LONG_CELLS);
    }

    #[inline]
    pub fn take(&mut self, slot: &Slot) -> Option<LongCell> {
        let cell = self.spare.pop().or_else(|| self.take_further(slot));
        self.wanted = cell.is_none();
        cell
    }

    /// One of those that take turns, or that has just come back, or was never used, or came back before an older one.
    #[inline(never)]
    fn take_further(&mut self, slot: &Slot) -> Option<LongCell> {
        if self.used >= IN_TURN.min(self.number) {
            self.sweep();
            if let Some(cell) = self.spare.pop() {
                return Some(cell);
            }
        }
        if self.used < self.number {
            self.used += 1;
            return Some(slot.long_cell(self.used - 1));
        }
        let index = self.lent.iter().position(LongCell::is_free)?;
        self.lent.remove(index)
    }

    /// A cell that was taken is on its way. The next one is chosen now, and its lines are asked for: the next sender does not wait for them.
    #[inline]
    pub fn lend(&mut self, cell: LongCell) {
        self.sweep();
        self.lent.push_back(cell);
        if let Some(next) = self.spare.last() {
            next.prepare();
        }
    }

    #[inline]
    fn sweep(&mut self) {
        while let Some(cell) = self.lent.front().copied().filter(LongCell::is_free) {
            self.lent.pop_front();
            self.spare.push(cell);
        }
    }

    /// A cell that was taken has not been used.
    #[cold]
    pub fn put_back(&mut self, cell: LongCell) {
        self.spare.push(cell);
    }

    /// Whether somebody waits for a cell and one has come; told once.
    pub fn take_news(&mut self) -> bool {
        let news = self.wanted && self.lent.iter().any(LongCell::is_free);
        self.wanted &= !news;
        news
    }
}
