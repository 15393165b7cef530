//! The layout of the segment: header, slots, heaps. A slot has a head and a body.
//!
//! ```text
//!   0         GRANULE_BYTES                 bodies                 heaps               … bytes
//!   | header  | head 0 | head 1 | head 2 …  | body 0 | body 1 …   | heap 0 | heap 1 …  |
//!
//!   head:  0     identity: process id, number of incoming fastboxes, of deaths handled, and the
//!                cell that is being appended to a queue
//!          64    doorbell: flag, bell
//!          128   receive queue (head, tail)
//!          192   free queue (head, tail)
//!          256   cooperative copy: a copy in which other processes can take part
//!          320   status: what the process is doing, for the state report
//!          1024  flow control flags, one byte for each sender's slot
//!          4096  AM slot: an access that the target's process may carry out
//!          then  kernel call: one that may take long, for the state report
//!
//!   body:  cells, copy ring, outgoing fastboxes, handoff buffers
//! ```
//!
//! Every process touches the heads of many others, and the bodies of those with which it exchanges
//! messages. Heads lie side by side, because a body takes tens of megabytes of addresses: a head in
//! each of them would cost every process a page of its page tables for every process of the node.
//!
//! The segment is sparse: a page costs no memory before it is touched, so slots can be reserved for
//! processes that join later. A process maps all slots of the node in one piece, and of the heaps
//! only the parts in use. Tools that read all memory of a process (for example valgrind's search
//! for leaks) thus read only the slots; each page that they read costs memory.
//!
//! All-zero memory is a valid slot, so other processes may send to a slot that its owner has not
//! initialised. Every reference inside the segment is an offset from its beginning; each process
//! maps the segment at any address.

use crate::PAGE_BYTES;
use crate::fastbox::BOX_BYTES;
use nemesis_sys::mapping::GRANULE_BYTES;

/// Bytes of a cell, which holds one packet. Half of an L1 data cache is sent eagerly.
pub const CELL_BYTES: usize = 16 * 1024;
/// Cells of a process. They limit the data that it has under way in cells to 1 MiB.
pub const CELLS: usize = 64;
/// Most outgoing fastboxes of a process, and most incoming ones.
pub const BOXES: usize = 64;
/// Handoff buffers of a process, one for each of its first outgoing fastboxes.
pub const HANDOFF_BUFFERS: usize = 16;
/// Most slots of a segment. A slot has as many flow control flags.
pub const MAX_SLOTS: usize = 3072;

/// Offsets within a slot's head, and below [`HEAD_BYTES`](at::HEAD_BYTES) within its body.
pub mod at {
    /// The owner's process id, the number of its incoming fastboxes, that of the deaths that it has
    /// handled, and the cell that it appends to a queue.
    pub const IDENTITY: usize = 0;
    pub(crate) const DOORBELL: usize = 64;
    pub(crate) const RECEIVE_QUEUE: usize = 128;
    pub(crate) const FREE_QUEUE: usize = 192;
    pub(crate) const COOPERATIVE: usize = 256;
    /// The owner's [status line](crate::status).
    pub const STATUS: usize = 320;
    pub(crate) const THROTTLE: usize = 1024;
    pub(crate) const AM_SLOT: usize = 4096;
    /// The owner's [kernel call](crate::kernel_call).
    pub const KERNEL_CALL: usize = AM_SLOT + crate::am_slot::AM_SLOT_BYTES;
    /// Bytes of a head. The kernel call lies in its last page.
    pub const HEAD_BYTES: usize = (KERNEL_CALL + 1).next_multiple_of(super::PAGE_BYTES);

    pub(crate) const CELLS: usize = 0;
    /// The copy ring.
    pub(crate) const LONG: usize = CELLS + super::CELLS * super::CELL_BYTES;
    pub(crate) const BOXES: usize = LONG + super::long::STAGING_BYTES;
    pub(crate) const HANDOFF_BUFFERS: usize =
        (BOXES + super::BOXES * super::BOX_BYTES).next_multiple_of(super::GRANULE_BYTES);
    pub(crate) const END: usize = (HANDOFF_BUFFERS
        + super::HANDOFF_BUFFERS * super::long::HANDOFF_BYTES)
        .next_multiple_of(super::GRANULE_BYTES);
}

/// Offsets within a cell: the link to the next cell, the sender's slot, the packet's header, the
/// payload.
pub mod cell {
    use nemesis_wire::HEADER_BYTES;
    pub(crate) const NEXT: usize = 0;
    pub(crate) const ORIGIN: usize = 8;
    pub(crate) const HEADER: usize = 16;
    pub(crate) const PAYLOAD: usize = HEADER + HEADER_BYTES;
    /// Capacity of a cell's payload.
    pub const PAYLOAD_BYTES: usize = super::CELL_BYTES - PAYLOAD;
}

/// The copy ring for long packets, each of which the receiver reads while the sender writes it (see
/// [`long_packet`](crate::long_packet)). A packet begins at any line of the ring: one line with the
/// progress word, then the payload. Its header travels in the fastbox.
pub mod long {
    /// Offset of the progress word in a packet's buffer.
    pub(crate) const PROGRESS: usize = 0;
    /// Offset of the payload in a packet's buffer.
    pub const PAYLOAD: usize = 64;
    /// Longest payload of a long packet.
    pub const PAYLOAD_BYTES: usize = 1024 * 1024;
    /// Bytes of a process's copy ring: space for four packets of the longest payload.
    pub const STAGING_BYTES: usize = 4 * (PAYLOAD_BYTES + 16 * 1024);
    /// Bytes of a handoff buffer: one packet of the longest payload, which begins anywhere in the
    /// first page. The page at the end stays unused, because processors prefetch beyond what they
    /// read.
    pub const HANDOFF_BYTES: usize =
        (PAYLOAD + PAYLOAD_BYTES).next_multiple_of(super::PAGE_BYTES) + 2 * super::PAGE_BYTES;
}

const _: () =
    assert!(at::STATUS >= at::COOPERATIVE + 64 && at::AM_SLOT >= at::THROTTLE + MAX_SLOTS);
const _: () = assert!(
    at::BOXES.is_multiple_of(64)
        && at::HANDOFF_BUFFERS.is_multiple_of(GRANULE_BYTES)
        && at::END.is_multiple_of(GRANULE_BYTES)
);
const _: () = assert!(cell::PAYLOAD_BYTES <= u16::MAX as usize);

/// The layout of a segment of a given size.
///
/// # Examples
/// ```
/// use nemesis_shm::layout::Layout;
///
/// let layout = Layout::new(1 << 40, 4).expect("a tebibyte has space for four processes");
/// assert!(layout.slots >= 4);
/// assert_eq!(layout.slot_of(layout.body(3)), Some(3));
/// assert!(layout.heap(3).end <= layout.bytes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the segment.
    pub bytes: usize,
    /// Number of slots.
    pub slots: usize,
    /// Offset of the first body.
    bodies: usize,
    /// Bytes from one body to the next.
    stride: usize,
    /// Bytes of each heap.
    heap_bytes: usize,
}

impl Layout {
    /// Divides `bytes` among at least `processes` slots; `None` if they do not fit.
    pub fn new(bytes: usize, processes: usize) -> Option<Layout> {
        [Layout::ample_slots(processes), processes]
            .into_iter()
            .find_map(|slots| Layout::of(bytes, slots))
    }

    /// Number of slots of a segment where memory is ample.
    pub const fn ample_slots(processes: usize) -> usize {
        let ample = (2 * processes + 1).next_power_of_two() - 1;
        if ample < 255 { 255 } else { ample }
    }

    /// Divides `bytes` into the header and heads, and a share for the body and heap of each slot.
    /// Bodies have handoff buffers only if a heap is at least three times as long as a body.
    fn of(bytes: usize, slots: usize) -> Option<Layout> {
        let bodies = Layout::heads_end(slots);
        let share = bytes.checked_sub(bodies)? / slots / GRANULE_BYTES * GRANULE_BYTES;
        if slots > MAX_SLOTS || share <= at::HANDOFF_BUFFERS {
            return None;
        }
        let stride = if share >= 4 * at::END { at::END } else { at::HANDOFF_BUFFERS };
        Some(Layout { bytes, slots, bodies, stride, heap_bytes: share - stride })
    }

    /// Offset behind the last of `slots` heads, where the first body may begin.
    const fn heads_end(slots: usize) -> usize {
        (GRANULE_BYTES + slots * at::HEAD_BYTES).next_multiple_of(GRANULE_BYTES)
    }

    /// A number that differs between different layouts; processes that share a segment compare it.
    pub fn stamp(&self) -> u64 {
        (self.slots as u64) << 48 | self.stride as u64
    }

    /// Bytes from the segment's beginning that contain the first `processes` slots, which a process
    /// has to map. The slots beyond belong to processes that join later.
    pub fn mapped_bytes(&self, processes: usize) -> usize {
        self.bodies + processes * self.stride
    }

    /// Bytes from the segment's beginning that contain the heads of all slots.
    pub fn bytes_of_heads(&self) -> usize {
        self.bodies
    }

    /// Offsets of the heap that belongs to the process in `slot`.
    pub fn heap(&self, slot: usize) -> std::ops::Range<usize> {
        assert!(slot < self.slots, "there are {} slots", self.slots);
        let start = self.mapped_bytes(self.slots) + slot * self.heap_bytes;
        start..start + self.heap_bytes
    }

    /// Whether slots contain handoff buffers. They do not where memory must be allocated at once.
    pub fn has_handoff_buffers(&self) -> bool {
        self.stride == at::END
    }

    /// Smallest segment for `processes` processes.
    pub fn least_bytes(processes: usize) -> usize {
        Layout::heads_end(processes) + processes * (at::HANDOFF_BUFFERS + GRANULE_BYTES)
    }

    /// Returns the offset of the head of slot number `slot`.
    #[inline(always)]
    pub fn head(&self, slot: usize) -> usize {
        debug_assert!(slot < self.slots);
        GRANULE_BYTES + slot * at::HEAD_BYTES
    }

    /// Returns the offset of the body of slot number `slot`.
    #[inline(always)]
    pub fn body(&self, slot: usize) -> usize {
        debug_assert!(slot < self.slots);
        self.bodies + slot * self.stride
    }

    /// Returns the slot in whose body `offset` lies.
    #[inline(always)]
    pub fn slot_of(&self, offset: usize) -> Option<usize> {
        offset
            .checked_sub(self.bodies)
            .map(|within| within / self.stride)
            .filter(|s| *s < self.slots)
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
        let heads = wide.head(127) - wide.head(0);
        assert!(heads < 2 << 20, "as much as one page of page tables maps holds 128 heads");
        assert_ne!(wide.stamp(), Layout::new(1 << 40, 200).unwrap().stamp());
        let narrow = Layout::new(Layout::least_bytes(4), 4).unwrap();
        assert_eq!(narrow.slots, 4);
        assert!(Layout::new(Layout::least_bytes(4) - GRANULE_BYTES, 4).is_none());
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
                        && heap.start.is_multiple_of(GRANULE_BYTES)
                        && heap.end.is_multiple_of(GRANULE_BYTES)
                );
                end = heap.end;
            }
        }
        assert!(Layout::new(1 << 46, 2).unwrap().heap(0).len() > 1 << 37);
    }

    #[test]
    fn offsets_find_their_slot() {
        let layout = Layout::new(1 << 40, 2).unwrap();
        assert_eq!(layout.slot_of(layout.body(7) + 5), Some(7));
        assert_eq!(layout.slot_of(layout.body(8) - 1), Some(7));
        assert_eq!(layout.slot_of(layout.head(7)), None);
        assert!(layout.head(254) + at::HEAD_BYTES <= layout.body(0));
        assert_eq!(layout.slot_of(0), None);
        assert_eq!(layout.slot_of(usize::MAX), None);
    }
}
