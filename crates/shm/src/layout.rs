//! Where everything lies in the segment.
//!
//! ```text
//!   0          stride        2·stride             … (slots + 1)·stride          … bytes
//!   | header   | slot 0      | slot 1      | slot 2 …     | heap 0 | heap 1 | heap 2 … |
//!
//!   slot:  0     who I am, fastboxes that I receive on, my bell
//!          64    doorbell flag
//!          128   receive queue (head, tail)
//!          192   free queue (head, tail)
//!          256   status line: what I am doing, for the roll-call
//!          512   a copy that others may help me with
//!          640   an access that another may carry out for me
//!          1024  throttle flags, one byte a sender's slot
//!          4096  cells, room for long packets, then fastboxes that I send on, shuttles
//! ```
//!
//! The segment is sparse: memory costs nothing until touched, slots beyond the job's processes are there for those that come later. Processes map the slots
//! in one piece and of the heaps only what is allocated. So tools that read all memory of a process, such as valgrind's search for leaks, read the slots of the
//! node and no more: they would allocate every page that they read.
//! All-zero memory is a valid slot, so nobody has to initialise it before others may send to it. Everything inside is an offset from the
//! segment's beginning; a process maps the segment wherever it likes.

use crate::PAGE_BYTES;
use crate::fastbox::BOX_BYTES;

/// A cell: one packet in the queue. Big enough that a message of an L1 cache's half passes eagerly.
pub const CELL_BYTES: usize = 16 * 1024;
/// Cells per process: 1 MiB on their way at most.
pub const CELLS: usize = 64;
/// Fastboxes that a process sends on at most, and receives on at most.
pub const BOXES: usize = 64;
/// Places for long packets that go to and fro, one for each of the first fastboxes.
pub const HANDOFF_BUFFERS: usize = 16;
/// Slots at most: the throttle flags have room for so many.
pub const MAX_SLOTS: usize = 3072;

/// Offsets within a slot.
pub mod at {
    pub const IDENTITY: usize = 0;
    pub const DOORBELL: usize = 64;
    pub const RECEIVE_QUEUE: usize = 128;
    pub const FREE_QUEUE: usize = 192;
    pub const STATUS: usize = 256;
    pub const COOPERATIVE: usize = 512;
    pub const THROTTLE: usize = 1024;
    pub const AM_SLOT: usize = 4096;
    pub const CELLS: usize =
        (AM_SLOT + crate::am_slot::AM_SLOT_BYTES).next_multiple_of(super::PAGE_BYTES);
    pub const LONG: usize = CELLS + super::CELLS * super::CELL_BYTES;
    pub const BOXES: usize = LONG + super::long::STAGING_BYTES;
    pub const HANDOFF_BUFFERS: usize =
        (BOXES + super::BOXES * super::BOX_BYTES).next_multiple_of(4096);
    pub const END: usize = HANDOFF_BUFFERS + super::HANDOFF_BUFFERS * super::long::HANDOFF_BYTES;
}

/// Offsets within a cell: the link, whom it is from, the packet's header, the payload.
pub mod cell {
    use nemesis_wire::HEADER_BYTES;
    pub const NEXT: usize = 0;
    pub const ORIGIN: usize = 8;
    pub const HEADER: usize = 16;
    pub const PAYLOAD: usize = HEADER + HEADER_BYTES;
    /// Payload that a cell carries.
    pub const PAYLOAD_BYTES: usize = super::CELL_BYTES - PAYLOAD;
}

/// The room for long packets, each of which the receiver reads while it is written (see [`pieces`](crate::pieces)). A packet begins anywhere at a line: with
/// the word that tells how far it is, in a line of its own, then the payload. The header travels in the fastbox.
pub mod long {
    pub const PROGRESS: usize = 0;
    pub const PAYLOAD: usize = 64;
    /// Payload that a long packet carries at most.
    pub const PAYLOAD_BYTES: usize = 1024 * 1024;
    /// Bytes of a process's room: for four of the longest.
    pub const STAGING_BYTES: usize = 4 * (PAYLOAD_BYTES + 16 * 1024);
    /// Bytes of a shuttle: one of the longest, wherever in its first page it begins. A page is left behind it, since processors read ahead.
    pub const HANDOFF_BYTES: usize =
        (PAYLOAD + PAYLOAD_BYTES).next_multiple_of(super::PAGE_BYTES) + 2 * super::PAGE_BYTES;
}

const _: () =
    assert!(at::THROTTLE >= at::COOPERATIVE + 64 && at::AM_SLOT >= at::THROTTLE + MAX_SLOTS);
const _: () = assert!(
    at::BOXES.is_multiple_of(64)
        && at::HANDOFF_BUFFERS.is_multiple_of(4096)
        && at::END.is_multiple_of(4096)
);
const _: () = assert!(cell::PAYLOAD_BYTES <= u16::MAX as usize);

/// The shape of a segment of a given size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub bytes: usize,
    pub slots: usize,
    /// Bytes of a slot.
    pub stride: usize,
    /// Bytes of a heap.
    heap_bytes: usize,
}

impl Layout {
    /// Divides `bytes` among at least `processes` slots; `None` when they do not fit.
    pub fn new(bytes: usize, processes: usize) -> Option<Layout> {
        let ample = (2 * processes + 1).next_power_of_two().max(256);
        let exact = processes + 1;
        [ample, exact].into_iter().find_map(|strides| Layout::of(bytes, strides))
    }

    /// Divides `bytes` into `strides` shares, the header's and one for the slot and the heap of each
    /// process. There are shuttles only where a heap is at least three times as long as a slot.
    fn of(bytes: usize, strides: usize) -> Option<Layout> {
        let share = bytes / strides / PAGE_BYTES * PAGE_BYTES;
        if strides - 1 > MAX_SLOTS || share <= at::HANDOFF_BUFFERS {
            return None;
        }
        let stride = if share >= 4 * at::END { at::END } else { at::HANDOFF_BUFFERS };
        let slots = strides - 1;
        let heap_bytes = (bytes - strides * stride) / slots / PAGE_BYTES * PAGE_BYTES;
        Some(Layout { bytes, slots, stride, heap_bytes })
    }

    /// What processes that share a segment compare: the same for equal layouts only.
    pub fn stamp(&self) -> u64 {
        (self.slots as u64) << 48 | self.stride as u64
    }

    /// Bytes from the beginning on in which the first `processes` slots lie: what a process has to map.
    /// The rest waits for processes that come later.
    pub fn mapped_bytes(&self, processes: usize) -> usize {
        (processes + 1) * self.stride
    }

    /// The heap of the process in `slot`, as a range of offsets.
    pub fn heap(&self, slot: usize) -> std::ops::Range<usize> {
        assert!(slot < self.slots, "there are {} slots", self.slots);
        let start = (self.slots + 1) * self.stride + slot * self.heap_bytes;
        start..start + self.heap_bytes
    }

    /// Whether slots have room for shuttles: where memory must be allocated at once there are none.
    pub fn has_handoff_buffers(&self) -> bool {
        self.stride == at::END
    }

    /// Bytes that `processes` need at least.
    pub fn least_bytes(processes: usize) -> usize {
        (processes + 1) * (at::HANDOFF_BUFFERS + 4096)
    }

    #[inline(always)]
    pub fn slot(&self, slot: usize) -> usize {
        debug_assert!(slot < self.slots);
        (slot + 1) * self.stride
    }

    /// The slot in which `offset` lies.
    #[inline(always)]
    pub fn slot_of(&self, offset: usize) -> Option<usize> {
        (offset / self.stride).checked_sub(1).filter(|&slot| slot < self.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tebibyte_has_ample_slots_and_a_small_segment_exact_ones() {
        let wide = Layout::new(1 << 40, 2).unwrap();
        assert_eq!((wide.slots, wide.stride), (255, at::END));
        assert!(wide.mapped_bytes(2) < 100 << 20, "tools read what is mapped");
        assert_ne!(wide.stamp(), Layout::new(1 << 40, 200).unwrap().stamp());
        let narrow = Layout::new(Layout::least_bytes(4), 4).unwrap();
        assert_eq!(narrow.slots, 4);
        assert!(Layout::new(Layout::least_bytes(4) - 4096, 4).is_none());
    }

    #[test]
    fn heaps_lie_behind_the_slots_and_never_overlap() {
        for bytes in [1 << 46, 1 << 43, 1 << 40, 1 << 34, Layout::least_bytes(4), 16 << 20] {
            let Some(layout) = Layout::new(bytes, 1) else {
                panic!("{bytes} bytes suffice for one process")
            };
            let mut end = 0;
            for slot in 0..layout.slots {
                let heap = layout.heap(slot);
                assert!(
                    heap.start >= end && heap.start < heap.end && heap.end <= bytes,
                    "{bytes}: {heap:?}"
                );
                assert!(
                    heap.start >= layout.mapped_bytes(layout.slots)
                        && heap.start.is_multiple_of(PAGE_BYTES)
                        && heap.end.is_multiple_of(PAGE_BYTES)
                );
                end = heap.end;
            }
        }
        assert!(Layout::new(1 << 46, 2).unwrap().heap(0).len() > 1 << 37);
    }

    #[test]
    fn offsets_find_their_slot() {
        let layout = Layout::new(1 << 40, 2).unwrap();
        assert_eq!(layout.slot_of(layout.slot(7) + 5), Some(7));
        assert_eq!(layout.slot_of(0), None);
        assert_eq!(layout.slot_of(usize::MAX), None);
    }
}
