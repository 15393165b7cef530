//! The mapped segment and typed views into it.
//!
//! [`Segment`] owns the mapping and knows its [`Layout`]; [`Slot`] is a view of one process's slot. Views hold the segment by its base address:
//! the segment lives as long as the process once it is mapped (it is leaked on purpose: sends of other processes may arrive at any time, and
//! the kernel takes the memory back when the last process is gone).

#![allow(unsafe_code)]

use crate::PAGE_BYTES;
use crate::am_slot::AmSlot;
use crate::cooperative::CooperativeCopy;
use crate::fastbox::{BOX_BYTES, MappedLines};
use crate::layout::{BOXES, CELL_BYTES, CELLS, HANDOFF_BUFFERS, Layout, at, cell, long};
use crate::pieces::{self, Manner, Pieces};
use crate::status::Status;
use crate::{copy, queue};
use nemesis_sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use nemesis_sys::mapping::Mapping;
use nemesis_wire::{CACHE_LINE_BYTES, Header};
use rustix::fd::AsFd;
use rustix::io::{self, Errno};
use std::ptr::NonNull;

/// "NEMESIS" and the version of the layout, the first word of every segment.
const MAGIC: u64 = u64::from_le_bytes(*b"NEMESIS\x04");

/// Offset of the word that is not zero once a process of the node could not register for membarrier.
const UNORDERABLE: usize = 16;

/// Offset of the word in which the processes of the node agree on how lines pass between its processors: 0 before the first one has said so.
const LINE_TRANSFER: usize = 24;

/// What that word says.
fn line_transfer_word(slowly: bool) -> u64 {
    1 + u64::from(slowly)
}

/// Whoever makes a segment says in it how lines pass, before anybody opens it.
pub fn tell_line_transfer(file: impl AsFd, slowly: bool) -> io::Result<()> {
    rustix::io::pwrite(file, &line_transfer_word(slowly).to_ne_bytes(), LINE_TRANSFER as u64)
        .map(drop)
}

/// The segment, mapped for good.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    base: *mut u8,
    /// Bytes that are mapped.
    mapped: usize,
    layout: Layout,
}

// SAFETY: the mapping belongs to the process for good; what lies in it is reached through atomics and the protocols of this room.
unsafe impl Send for Segment {}

/// What does not fit when a segment is opened.
#[derive(Debug)]
pub enum Mismatch {
    /// The kernel refuses to map that much.
    Unmappable { mapped: usize, refusal: Errno },
    /// Fewer bytes than the processes need.
    TooSmall { bytes: usize, needed: usize },
    /// Somebody with another version of the layout, or with another idea of the number of processes, was here first.
    OtherLayout,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mismatch::Unmappable { mapped, refusal } => {
                write!(f, "{mapped} bytes of shared memory cannot be mapped: {refusal}")
            }
            Mismatch::TooSmall { bytes, needed } => {
                write!(f, "the segment has {bytes} bytes, the processes of this node need {needed}")
            }
            Mismatch::OtherLayout => {
                write!(
                    f,
                    "another process of this node laid the segment out differently: two versions of Nemesis in one job"
                )
            }
        }
    }
}

impl Segment {
    /// Maps the slots of `processes` local processes from a file of `bytes` bytes.
    pub fn open(file: impl AsFd, bytes: usize, processes: usize) -> Result<Segment, Mismatch> {
        let layout = Layout::new(bytes, processes)
            .ok_or_else(|| Mismatch::TooSmall { bytes, needed: Layout::least_bytes(processes) })?;
        let mapped = layout.mapped_bytes(processes);
        let mapping = Mapping::shared(file, mapped)
            .map_err(|refusal| Mismatch::Unmappable { mapped, refusal })?;
        mapping.leave_out_of_dumps();
        let base = mapping.base().as_ptr();
        std::mem::forget(mapping);
        let segment = Segment { base, mapped, layout };
        for (offset, value) in [(0, MAGIC), (8, layout.stamp())] {
            let word = segment.word(offset);
            // AcqRel: whoever comes first writes the word, the others compare; nothing else hangs on it.
            match word.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {}
                Err(found) if found == value => {}
                Err(_) => return Err(Mismatch::OtherLayout),
            }
        }
        Ok(segment)
    }

    /// A process of the node cannot be ordered by the sleepers' barrier: nobody relies on it from now on.
    pub fn declare_unorderable(&self) {
        // Relaxed: set before the process sends anything, and sleepers that miss it sleep no longer than their limit once.
        self.word(UNORDERABLE).store(1, Ordering::Relaxed);
    }

    /// Whether every process of the node takes part in the sleepers' barrier.
    pub fn is_orderable(&self) -> bool {
        // Relaxed: as in `declare_unorderable`.
        self.word(UNORDERABLE).load(Ordering::Relaxed) == 0
    }

    /// Whether lines pass slowly, as all processes of the node say: as whoever made the segment has told, or the first one to come finds out.
    pub fn agree_on_line_transfer(&self, own: impl FnOnce() -> bool) -> bool {
        let word = self.word(LINE_TRANSFER);
        // Relaxed, also below: the word stands for itself.
        if word.load(Ordering::Relaxed) == 0 {
            let _ = word.compare_exchange(
                0,
                line_transfer_word(own()),
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
        word.load(Ordering::Relaxed) == line_transfer_word(true)
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The 64-bit word at `offset`.
    #[inline(always)]
    fn word(&self, offset: usize) -> &'static AtomicU64 {
        assert!(
            offset.is_multiple_of(8) && offset <= self.mapped - 8,
            "an offset outside the segment: a process of this node wrote nonsense"
        );
        // SAFETY: checked to lie within the mapping, aligned; the mapping stays for good.
        unsafe { AtomicU64::from_ptr(self.base.add(offset).cast()) }
    }

    pub fn slot(&self, slot: usize) -> Slot {
        assert!(self.layout.slot(slot) < self.mapped, "slot {slot} is not mapped");
        // SAFETY: a slot of the layout lies within the mapping, which is nowhere near address 0.
        let base = unsafe { NonNull::new_unchecked(self.base.add(self.layout.slot(slot))) };
        Slot { base, offset: self.layout.slot(slot) }
    }

    /// The cell that an offset read from the segment names.
    #[inline(always)]
    pub fn cell(&self, offset: u64) -> Cell {
        let offset = offset as usize;
        assert!(
            offset.is_multiple_of(64) && offset <= self.mapped - CELL_BYTES,
            "a cell outside the segment: a process of this node wrote nonsense"
        );
        // SAFETY: checked to lie within the mapping.
        Cell { base: unsafe { self.base.add(offset) }, offset }
    }

    /// The long packet that the owner of `slot` announced at `offset` with `len` bytes; `None` when none of that slot can lie there.
    pub fn pieces_of(&self, slot: usize, offset: u64, len: u64) -> Option<Pieces> {
        let within = usize::try_from(offset)
            .ok()?
            .checked_sub(self.layout.slot(slot))?
            .checked_sub(at::LONG)?;
        let len = usize::try_from(len).ok().filter(|&len| len <= long::PAYLOAD_BYTES)?;
        if within % CACHE_LINE_BYTES != 0 || within + long::PAYLOAD + len > long::STAGING_BYTES {
            return None;
        }
        // SAFETY: the packet lies in the slot's room for long ones: aligned, mapped for good; the announcement makes us its reader.
        Some(unsafe { Pieces::new(self.base.add(offset as usize), len, 0) })
    }

    /// The shuttle of the `index`-th fastbox that the owner of `slot` sends on, if there is one.
    pub fn handoff_buffer(&self, slot: usize, index: usize) -> Option<HandoffBuffer> {
        if !self.layout.has_handoff_buffers() || index >= HANDOFF_BUFFERS {
            return None;
        }
        let offset = self.layout.slot(slot) + at::HANDOFF_BUFFERS + index * long::HANDOFF_BYTES;
        assert!(offset + long::HANDOFF_BYTES <= self.mapped, "slot {slot} is not mapped");
        // SAFETY: it lies within the mapping, which is nowhere near address 0.
        let base = unsafe { NonNull::new_unchecked(self.base.add(offset)) };
        Some(HandoffBuffer { base, offset })
    }

    /// The fastbox that the owner of `slot` announced at `offset`; `None` when no fastbox of that slot can lie there.
    pub fn box_of(&self, slot: usize, offset: u64) -> Option<MappedLines> {
        let within = usize::try_from(offset)
            .ok()?
            .checked_sub(self.layout.slot(slot))?
            .checked_sub(at::BOXES)?;
        if within % BOX_BYTES != 0 || within / BOX_BYTES >= BOXES {
            return None;
        }
        // SAFETY: the offset names one of the slot's boxes: aligned, mapped for good; the announcement makes us its one consumer.
        Some(unsafe { MappedLines::new(self.base.add(offset as usize)) })
    }

    /// Which of its owner's fastboxes lies at that offset, where [`box_of`](Self::box_of) has found one.
    pub fn box_index_of(&self, slot: usize, offset: u64) -> usize {
        (offset as usize - self.layout.slot(slot) - at::BOXES) / BOX_BYTES
    }

    /// Which slot a view shows.
    pub fn slot_index_of(&self, slot: &Slot) -> usize {
        self.layout.slot_of(slot.offset).expect("a slot lies in the segment")
    }

    /// The owner of a cell, to whose free queue it returns.
    #[inline(always)]
    pub fn home_of(&self, cell: &Cell) -> Slot {
        let slot = self.layout.slot_of(cell.offset).expect("cells lie in slots");
        self.slot(slot)
    }
}

impl queue::Links for Segment {
    #[inline(always)]
    fn next(&self, cell: u64) -> &AtomicU64 {
        self.word(cell as usize + cell::NEXT)
    }
}

/// A view of one process's slot.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    base: NonNull<u8>,
    offset: usize,
}

// SAFETY: as for `Segment`.
unsafe impl Send for Slot {}

impl Slot {
    /// The head of slot number `slot` in the segment of `processes` processes in a file of `bytes`
    /// bytes, for a process that uses its pid and its status line and nothing else. Mapped for good.
    pub fn head(file: impl AsFd, bytes: usize, processes: usize, slot: usize) -> Option<Slot> {
        let layout = Layout::new(bytes, processes).filter(|layout| slot < layout.slots)?;
        let offset = layout.slot(slot);
        let mapping = Mapping::part(file, offset as u64, at::CELLS).ok()?;
        let base = mapping.base();
        std::mem::forget(mapping);
        Some(Slot { base, offset })
    }

    fn word32(&self, at: usize) -> &'static AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at < at::CELLS);
        // SAFETY: an aligned word within the slot, mapped for good.
        unsafe { AtomicU32::from_ptr(self.base.as_ptr().add(at).cast()) }
    }

    fn ends(&self, at: usize) -> &'static queue::Ends {
        debug_assert!(at == at::RECEIVE_QUEUE || at == at::FREE_QUEUE);
        // SAFETY: a line of the slot kept for a queue's ends, 64-byte aligned; all zero is an empty queue; mapped for good.
        unsafe { &*self.base.as_ptr().add(at).cast::<queue::Ends>() }
    }

    /// Process id of the owner, 0 before it has come.
    pub fn pid(&self) -> &'static AtomicU32 {
        self.word32(at::IDENTITY)
    }

    /// Fastboxes that others have opened towards the owner.
    pub fn boxes_in(&self) -> &'static AtomicU32 {
        self.word32(at::IDENTITY + 4)
    }

    /// The bell (`nemesis_sys::bell`) by which the owner is woken besides its doorbell's flag; 0: it has none.
    pub fn bell(&self) -> &'static AtomicU64 {
        // SAFETY: an aligned word within the slot, mapped for good.
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().add(at::IDENTITY + 8).cast()) }
    }

    pub fn doorbell(&self) -> &'static AtomicU32 {
        self.word32(at::DOORBELL)
    }

    pub fn receive_queue(&self) -> &'static queue::Ends {
        self.ends(at::RECEIVE_QUEUE)
    }

    pub fn free_queue(&self) -> &'static queue::Ends {
        self.ends(at::FREE_QUEUE)
    }

    /// What the owner tells a launcher that asks.
    pub fn status(&self) -> &'static Status {
        // SAFETY: lines of the slot kept for it, 64-byte aligned; all zero is a line that nobody has asked for; mapped for good.
        unsafe { self.base.add(at::STATUS).cast::<Status>().as_ref() }
    }

    /// The copy that the owner performs, with help if there is some.
    pub fn cooperative(&self) -> &'static CooperativeCopy {
        // SAFETY: a line of the slot kept for it, 64-byte aligned; all zero is a copy with nothing to do; mapped for good.
        unsafe { self.base.add(at::COOPERATIVE).cast::<CooperativeCopy>().as_ref() }
    }

    /// The access of the owner's that another may carry out.
    pub fn am_slot(&self) -> &'static AmSlot {
        // SAFETY: lines of the slot kept for it, 64-byte aligned; all zero says that nothing was told of; mapped for good.
        unsafe { self.base.add(at::AM_SLOT).cast::<AmSlot>().as_ref() }
    }

    /// The flag by which the owner asks the process in slot `sender` to send large or nothing: its unexpected messages take too much room.
    pub fn throttle(&self, sender: usize) -> &'static AtomicU8 {
        assert!(sender < crate::layout::MAX_SLOTS);
        // SAFETY: a byte of the slot's throttle flags, mapped for good.
        unsafe { AtomicU8::from_ptr(self.base.as_ptr().add(at::THROTTLE + sender)) }
    }

    /// Offset of the owner's `index`-th cell.
    pub fn cell_offset(&self, index: usize) -> u64 {
        debug_assert!(index < CELLS);
        (self.offset + at::CELLS + index * CELL_BYTES) as u64
    }

    /// The place for a long packet of `len` bytes in the owner's room, which begins `begin` bytes behind the room's beginning.
    pub fn long_place(&self, begin: usize, len: usize, manner: Manner) -> LongPlace {
        assert!(
            begin.is_multiple_of(CACHE_LINE_BYTES)
                && len <= long::PAYLOAD_BYTES
                && begin + long::PAYLOAD + len <= long::STAGING_BYTES
        );
        let within = at::LONG + begin;
        // SAFETY: the packet ends within the copy ring, so within the slot.
        let base = unsafe { self.base.add(within) };
        LongPlace { base, offset: self.offset + within, len, manner }
    }

    /// Offset of the `index`-th fastbox that the owner sends on.
    pub fn box_offset(&self, index: usize) -> u64 {
        debug_assert!(index < BOXES);
        (self.offset + at::BOXES + index * BOX_BYTES) as u64
    }
}

/// A view of one cell, for whoever owns it now: its sender until pushed, its receiver until given back.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    base: *mut u8,
    offset: usize,
}

impl Cell {
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// Writes a whole packet. The cell is the caller's: taken from its free queue and not pushed yet.
    #[inline(always)]
    pub fn fill(&self, origin: u32, header: &Header, payload: &[u8]) {
        assert!(payload.len() <= cell::PAYLOAD_BYTES);
        self.set_header(origin, header);
        // SAFETY: the payload fits the cell, which belongs to the caller; it lies in the caller's own memory.
        unsafe { copy::bytes(payload.as_ptr(), self.base.add(cell::PAYLOAD), payload.len()) };
    }

    /// Writes origin and header; the payload is filled through [`payload_mut`](Self::payload_mut).
    #[inline(always)]
    pub fn set_header(&self, origin: u32, header: &Header) {
        // SAFETY: fields of a cell that belongs to the caller; aligned by the layout.
        unsafe {
            self.base.add(cell::ORIGIN).cast::<u32>().write(origin);
            self.base.add(cell::HEADER).cast::<Header>().write(*header);
        }
    }

    /// The payload's room, for a cell that belongs to the caller.
    #[inline(always)]
    pub fn payload_mut(&mut self) -> &mut [u8] {
        // SAFETY: the cell belongs to the caller (see `fill`), and the borrow of this view keeps it from making two.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(cell::PAYLOAD), cell::PAYLOAD_BYTES) }
    }

    /// The packet in a cell that was popped and not given back.
    #[inline(always)]
    pub fn packet(&self) -> (u32, Header, &[u8]) {
        // SAFETY: pop's Acquire made the sender's writes visible; the sender leaves the cell alone until it returns. The length is clamped.
        unsafe {
            let origin = self.base.add(cell::ORIGIN).cast::<u32>().read();
            let header = self.base.add(cell::HEADER).cast::<Header>().read();
            let size = (header.size as usize).min(cell::PAYLOAD_BYTES);
            (origin, header, std::slice::from_raw_parts(self.base.add(cell::PAYLOAD), size))
        }
    }
}

/// The place of a long packet as its owner sees it: written when it is free, given back by the receiver.
#[derive(Clone, Copy, Debug)]
pub struct LongPlace {
    base: NonNull<u8>,
    offset: usize,
    /// Longest payload.
    len: usize,
    manner: Manner,
}

// SAFETY: as for `Segment`.
unsafe impl Send for LongPlace {}

impl LongPlace {
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// The place will be written soon: the processor may fetch its first lines.
    #[inline]
    pub fn prepare(&self) {
        pieces::prepare(self.base.as_ptr());
    }

    /// Whether the receiver of the packet is done with it.
    #[inline]
    pub fn is_free(&self) -> bool {
        // SAFETY: the place's first byte, mapped for good.
        unsafe { pieces::progress_of(self.base.as_ptr()) }.is_free()
    }

    /// Writes a payload as [`write`](Self::write) does that is one run of bytes.
    #[inline]
    pub fn write_bytes(&self, payload: &[u8], announce: impl FnOnce(u32) -> bool) -> bool {
        assert!(payload.len() <= self.len);
        // SAFETY: as in `write`.
        unsafe { pieces::write_bytes(self.base.as_ptr(), payload, self.manner, announce) }
    }

    /// Writes a payload of `len` bytes, announced by `announce` before it is there; false when that failed, and nothing is written. `fill` writes the
    /// piece that begins at the byte told. The place is free and has room, and is the announced receiver's afterwards.
    #[inline]
    pub fn write(
        &self,
        len: usize,
        fill: impl FnMut(usize, &mut [u8]),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        assert!(len <= self.len);
        // SAFETY: the place belongs to the caller and has room.
        unsafe { pieces::write(self.base.as_ptr(), len, self.manner, fill, announce) }
    }
}

/// A place for one long packet that goes to and fro between two processes: it belongs to the sender, and to the receiver when that has read the packet.
#[derive(Clone, Copy, Debug)]
pub struct HandoffBuffer {
    base: NonNull<u8>,
    offset: usize,
}

// SAFETY: as for `Segment`.
unsafe impl Send for HandoffBuffer {}

impl HandoffBuffer {
    /// The place for a packet of at most the longest length, copied from `address`: somewhere in its first page. The shuttle is the caller's.
    #[inline]
    pub fn place(&self, address: usize) -> LongPlace {
        let shift = copy::apart(long::PAYLOAD, address);
        // SAFETY: within the first page of the shuttle.
        let base = unsafe { self.base.add(shift) };
        LongPlace {
            base,
            offset: self.offset + shift,
            len: long::PAYLOAD_BYTES,
            manner: Manner::Shuttled,
        }
    }

    /// Whether a packet that was announced at `offset` lies in it.
    #[inline]
    pub fn has(&self, offset: u64) -> bool {
        offset.wrapping_sub(self.offset as u64) < PAGE_BYTES as u64
    }

    /// That packet, of `len` bytes, whose word counts from `base`; `None` when none can lie there.
    pub fn pieces(&self, offset: u64, len: u64, base: u64) -> Option<Pieces> {
        let shift = usize::try_from(offset)
            .ok()?
            .checked_sub(self.offset)
            .filter(|&shift| shift < PAGE_BYTES && shift % CACHE_LINE_BYTES == 0)?;
        let len = usize::try_from(len).ok().filter(|&len| len <= long::PAYLOAD_BYTES)?;
        // SAFETY: the packet lies in the shuttle: aligned, mapped for good; the announcement makes us its reader. The lines are ours behind that, and nobody
        // else's soon.
        let mut pieces = unsafe { Pieces::new(self.base.as_ptr().add(shift), len, base as u32) };
        pieces.by_handoff_buffer();
        Some(pieces)
    }
}
