//! The free cells of this process.

use nemesis_shm::layout::{CELL_BYTES, CELLS};
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
    /// The process to which each cell has been sent last, in a job that goes on when one dies.
    to: [u32; CELLS],
    /// Cells that a process that has died held.
    spare: Vec<u64>,
}

impl FreeCells {
    pub fn new() -> FreeCells {
        FreeCells {
            limit: CELLS,
            used: 0,
            returned: queue::Consumer::default(),
            wanted: false,
            to: [u32::MAX; CELLS],
            spare: Vec::new(),
        }
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
            None => match self.spare.pop() {
                Some(offset) => offset,
                None => {
                    self.wanted = true;
                    return None;
                }
            },
        };
        self.wanted = false;
        Some(segment.cell(offset))
    }

    /// Notes that the cell with this offset in the process's body is sent to process `to`.
    #[inline]
    pub fn note_sent(&mut self, offset_in_body: usize, to: u32) {
        if let Some(place) = self.to.get_mut(offset_in_body / CELL_BYTES) {
            *place = to;
        }
    }

    /// Returns the queue of returned cells, to complete it.
    pub fn returned(&mut self) -> &mut queue::Consumer {
        &mut self.returned
    }

    /// Takes back the cells that process `to` held when it died. No other process may send to it
    /// any more: what it held is linked in its queue.
    #[cold]
    pub fn take_back(&mut self, segment: &Segment, slot: &Slot, to: u32) {
        while let Some(offset) = self.returned.pop(slot.free_queue(), segment) {
            self.spare.push(offset);
        }
        let body = segment.body(segment.slot_index_of(slot));
        for index in 0..self.used {
            let offset = body.cell_offset(index);
            if self.to[index] == to && !self.spare.contains(&offset) {
                self.spare.push(offset);
            }
            if self.to[index] == to {
                self.to[index] = u32::MAX;
            }
        }
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
