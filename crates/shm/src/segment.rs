//! The mapped segment and typed views into it.
//!
//! [`Segment`] owns the mapping and knows its [`Layout`]; [`Slot`], [`Cell`] and the other types of
//! this module are views of its parts. Views hold addresses without a lifetime, because a mapped
//! segment is never unmapped: other processes may send at any time, and the kernel frees the memory
//! when the last process ends.

#![allow(unsafe_code)]

use crate::PAGE_BYTES;
use crate::am_slot::AmSlot;
use crate::cooperative::CooperativeCopy;
use crate::deaths::Deaths;
use crate::doorbell::Doorbell;
use crate::fastbox::{BOX_BYTES, MappedLines};
use crate::kernel_call::KernelCall;
use crate::layout::{BOXES, CELL_BYTES, CELLS, HANDOFF_BUFFERS, Layout, at, cell, long};
use crate::long_packet::{self, ChunkMode, LongPacket};
use crate::status::Status;
use crate::{copy, queue};
use nemesis_sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use nemesis_sys::host_model::{self, HostModel};
use nemesis_sys::mapping::Mapping;
use nemesis_sys::panics::damaged;
use nemesis_wire::{CACHE_LINE_BYTES, Header};
use rustix::fd::AsFd;
use rustix::io::{self, Errno};
use std::ptr::NonNull;

/// First word of every segment: "NEMESIS" and the version of the layout.
const MAGIC: u64 = u64::from_le_bytes(*b"NEMESIS\x07");

/// Offset of the word that is not zero once a process of the node could not register for
/// membarrier.
const UNORDERABLE: usize = 16;

/// Offset of the words by which the processes of the node agree on a host model. A word is 0 before
/// the first process has written it.
const HOST_MODEL: usize = 24;

/// Offset of the build of the launcher that has created the segment, a text filled with zeros, for
/// tools that look into the segment. Zeros if another launcher has started the job.
pub const BUILD: usize = 1024;
const _: () = assert!(HOST_MODEL + 8 * host_model::WORDS <= BUILD);

/// Writes the build of the launcher into the file of a segment that it has created.
///
/// # Errors
/// The errors of `pwrite(2)`.
pub fn tell_build(file: impl AsFd, build: &str) -> io::Result<()> {
    // A file takes so few bytes at once, or none.
    rustix::io::pwrite(file, build.as_bytes(), BUILD as u64).map(drop)
}

/// Writes the host model into a segment's file. The process that creates the segment does so before
/// any other opens it.
///
/// # Errors
/// The errors of `pwrite(2)`.
pub fn tell_model(file: impl AsFd, model: &HostModel) -> io::Result<()> {
    let bytes: Vec<u8> = model.to_words().iter().flat_map(|word| word.to_ne_bytes()).collect();
    // A file takes so few bytes at once, or none.
    rustix::io::pwrite(file, &bytes, HOST_MODEL as u64).map(drop)
}

/// The segment, mapped until the process ends.
///
/// # Examples
/// Process 0 sends a packet to process 1 in one of its cells. Both map the segment by its file;
/// here one process plays both parts.
/// ```
/// use nemesis_shm::{queue, segment::Segment};
/// use nemesis_sys::memfd;
/// use nemesis_wire::{FIRST_CLIENT_KIND, Header};
///
/// let memory = memfd::sparse(1 << 40, 1 << 40).unwrap();
/// let segment = Segment::open(&memory.descriptor, 1 << 40, 2).unwrap();
///
/// let (sender, receiver) = (segment.slot(0), segment.slot(1));
/// let cell = segment.cell(segment.body(0).cell_offset(0));
/// let header = Header { kind: FIRST_CLIENT_KIND, size: 5, ..Header::default() };
/// cell.fill(0, &header, b"hello");
/// queue::push(receiver.receive_queue(), &segment, cell.offset());
///
/// let mut consumer = queue::Consumer::default();
/// let offset = consumer.pop(receiver.receive_queue(), &segment).expect("the packet has arrived");
/// let received = segment.cell(offset);
/// assert_eq!(received.packet(), (0, header, &b"hello"[..]));
/// // The cell returns to its owner's free queue.
/// queue::push(segment.home_of(&received).free_queue(), &segment, offset);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    base: *mut u8,
    /// Bytes that are mapped.
    mapped: usize,
    layout: Layout,
}

// SAFETY: the mapping stays until the process ends; its contents are accessed through atomics and
// the protocols of this crate.
unsafe impl Send for Segment {}

/// Why a segment cannot be opened.
#[derive(Debug)]
pub enum Mismatch {
    /// The kernel refuses to map the segment.
    Unmappable {
        /// Bytes to map.
        mapped: usize,
        /// Why the kernel refuses.
        refusal: Errno,
    },
    /// The segment has fewer bytes than the node's processes need.
    TooSmall {
        /// Bytes of the segment.
        bytes: usize,
        /// Bytes that are needed.
        needed: usize,
    },
    /// A process that opened the segment before has another version of the layout, or another
    /// number of processes.
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
                    "another process of this node laid the segment out differently: two versions \
                     of Nemesis in one job"
                )
            }
        }
    }
}

impl Segment {
    /// Maps the slots of `processes` local processes from a file of `bytes` bytes.
    ///
    /// # Errors
    /// [`Mismatch`] says what does not fit.
    pub fn open(file: impl AsFd, bytes: usize, processes: usize) -> Result<Segment, Mismatch> {
        let layout = Layout::new(bytes, processes)
            .ok_or_else(|| Mismatch::TooSmall { bytes, needed: Layout::least_bytes(processes) })?;
        let segment = Segment::map(file, layout, processes)?;
        for (offset, value) in [(0, MAGIC), (8, layout.stamp())] {
            let word = segment.word(offset);
            // AcqRel: the first process writes the word, the others compare; the word orders
            // nothing else.
            match word.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {}
                Err(found) if found == value => {}
                Err(_) => return Err(Mismatch::OtherLayout),
            }
        }
        Ok(segment)
    }

    /// Maps the first `slots` slots of the segment, which this one does not contain all, once more.
    ///
    /// # Errors
    /// The layout has fewer slots, or the kernel refuses.
    pub fn wider(&self, file: impl AsFd, slots: usize) -> Result<Segment, Mismatch> {
        let Layout { bytes, slots: all, .. } = self.layout;
        if slots > all {
            return Err(Mismatch::TooSmall { bytes, needed: Layout::least_bytes(slots) });
        }
        Segment::map(file, self.layout, slots)
    }

    /// Maps the first `slots` slots until the process ends.
    fn map(file: impl AsFd, layout: Layout, slots: usize) -> Result<Segment, Mismatch> {
        let mapped = layout.mapped_bytes(slots);
        let mapping = Mapping::shared(file, mapped)
            .map_err(|refusal| Mismatch::Unmappable { mapped, refusal })?;
        mapping.leave_out_of_dumps();
        let base = mapping.base().as_ptr();
        std::mem::forget(mapping);
        Ok(Segment { base, mapped, layout })
    }

    /// Declares that a process of the node cannot register for the barrier of sleeping receivers,
    /// so that no process relies on that barrier.
    pub fn declare_unorderable(&self) {
        // Relaxed: set before the process sends anything. A receiver that misses it once sleeps at
        // most until its limit.
        self.word(UNORDERABLE).store(1, Ordering::Relaxed);
    }

    /// Whether every process of the node takes part in the barrier of sleeping receivers.
    pub fn is_orderable(&self) -> bool {
        // Relaxed: as in `declare_unorderable`.
        self.word(UNORDERABLE).load(Ordering::Relaxed) == 0
    }

    /// Returns the host model of the node. All its processes get one answer: what the segment's
    /// creator wrote, otherwise, figure by figure, that of `own()` of the first process that calls
    /// this. A model that no process of this version can have written counts as unknown.
    pub fn agree_on_model(&self, own: impl FnOnce() -> HostModel) -> HostModel {
        let words: [_; host_model::WORDS] =
            std::array::from_fn(|index| self.word(HOST_MODEL + 8 * index));
        // Relaxed, also below: each word is written once, and orders nothing else.
        if words.iter().any(|word| word.load(Ordering::Relaxed) == 0) {
            for (word, own) in words.iter().zip(own().to_words()) {
                let _ = word.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
        HostModel::from_words(words.map(|word| word.load(Ordering::Relaxed))).unwrap_or_default()
    }

    /// Returns the record of deaths.
    pub fn deaths(&self) -> Deaths {
        // SAFETY: the header is mapped until the process ends, and does not contain address 0.
        unsafe { Deaths::within(NonNull::new_unchecked(self.base)) }
    }

    /// Returns the layout of the segment.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the 64-bit word at `offset`.
    ///
    /// # Panics
    /// If the segment has no aligned word there: offsets come from other processes.
    #[inline(always)]
    fn word(&self, offset: usize) -> &'static AtomicU64 {
        if !offset.is_multiple_of(8) || offset > self.mapped - 8 {
            damaged(format_args!("{offset:#x} is no place of a link in a queue of cells"));
        }
        // SAFETY: checked to be aligned and within the mapping, which stays until the process ends.
        unsafe { AtomicU64::from_ptr(self.base.add(offset).cast()) }
    }

    /// Returns the view of the head of slot number `slot`.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn slot(&self, slot: usize) -> Slot {
        assert!(slot < self.layout.slots, "there is no slot {slot}");
        let offset = self.layout.head(slot);
        // SAFETY: the heads of the layout lie within the mapping, which does not contain address 0.
        let base = unsafe { NonNull::new_unchecked(self.base.add(offset)) };
        Slot { base, offset }
    }

    /// Returns the view of the body of slot number `slot`.
    ///
    /// # Panics
    /// If the body is not mapped.
    pub fn body(&self, slot: usize) -> Body {
        let offset = self.layout.body(slot);
        assert!(offset < self.mapped, "slot {slot} is not mapped");
        // SAFETY: a body of the layout lies within the mapping, which does not contain address 0.
        let base = unsafe { NonNull::new_unchecked(self.base.add(offset)) };
        Body { base, offset }
    }

    /// Returns the cell at `offset`, a number read from the segment.
    ///
    /// # Panics
    /// If no cell can lie there.
    #[inline(always)]
    pub fn cell(&self, offset: u64) -> Cell {
        let offset = offset as usize;
        if !offset.is_multiple_of(64) || offset > self.mapped - CELL_BYTES {
            damaged(format_args!("{offset:#x}, from a queue of cells, is no place of a cell"));
        }
        // SAFETY: checked to lie within the mapping.
        Cell { base: unsafe { self.base.add(offset) }, offset }
    }

    /// Returns the long packet of `len` bytes that the owner of `slot` announced at `offset`;
    /// `None` if the owner's copy ring cannot contain it.
    pub fn long_packet_of(&self, slot: usize, offset: u64, len: u64) -> Option<LongPacket> {
        let within = usize::try_from(offset)
            .ok()?
            .checked_sub(self.layout.body(slot))?
            .checked_sub(at::LONG)?;
        let len = usize::try_from(len).ok().filter(|&len| len <= long::PAYLOAD_BYTES)?;
        if within % CACHE_LINE_BYTES != 0 || within + long::PAYLOAD + len > long::STAGING_BYTES {
            return None;
        }
        // SAFETY: the packet lies in the slot's copy ring: aligned, mapped until the process ends.
        // The announcement makes the caller its reader.
        Some(unsafe { LongPacket::new(self.base.add(offset as usize), len, 0) })
    }

    /// Returns the handoff buffer of the `index`-th fastbox on which the owner of `slot` sends, if
    /// it has one.
    pub fn handoff_buffer(&self, slot: usize, index: usize) -> Option<HandoffBuffer> {
        if !self.layout.has_handoff_buffers() || index >= HANDOFF_BUFFERS {
            return None;
        }
        let offset = self.layout.body(slot) + at::HANDOFF_BUFFERS + index * long::HANDOFF_BYTES;
        assert!(offset + long::HANDOFF_BYTES <= self.mapped, "slot {slot} is not mapped");
        // SAFETY: it lies within the mapping, which does not contain address 0.
        let base = unsafe { NonNull::new_unchecked(self.base.add(offset)) };
        Some(HandoffBuffer { base, offset })
    }

    /// Returns the fastbox that the owner of `slot` announced at `offset`; `None` if the slot
    /// cannot contain a fastbox there.
    pub fn box_of(&self, slot: usize, offset: u64) -> Option<MappedLines> {
        let within = usize::try_from(offset)
            .ok()?
            .checked_sub(self.layout.body(slot))?
            .checked_sub(at::BOXES)?;
        if within % BOX_BYTES != 0 || within / BOX_BYTES >= BOXES {
            return None;
        }
        // SAFETY: the offset names one of the slot's fastboxes: aligned, mapped until the process
        // ends. The announcement makes the caller its only consumer.
        Some(unsafe { MappedLines::new(self.base.add(offset as usize)) })
    }

    /// Returns the index of the fastbox that [`box_of`](Self::box_of) has found at `offset`.
    pub fn box_index_of(&self, slot: usize, offset: u64) -> usize {
        (offset as usize - self.layout.body(slot) - at::BOXES) / BOX_BYTES
    }

    /// Returns the number of the slot that a view shows.
    pub fn slot_index_of(&self, slot: &Slot) -> usize {
        (slot.offset - self.layout.head(0)) / at::HEAD_BYTES
    }

    /// Returns the slot of the cell's owner, to whose free queue the cell returns.
    #[inline(always)]
    pub fn home_of(&self, cell: &Cell) -> Slot {
        let Some(slot) = self.layout.slot_of(cell.offset) else {
            damaged(format_args!("{:#x}, from a queue of cells, lies in no slot", cell.offset))
        };
        self.slot(slot)
    }
}

impl Segment {
    /// Appends a cell to a queue of a slot. A process that goes on when this one dies in the midst
    /// finds in `own`, this one's head, what is to be completed.
    pub fn append_safely(&self, own: &Slot, what: Appending) {
        // Relaxed: ordered by the Release below. Who reads the word relies on the zero.
        queue::Links::next(self, what.cell).store(queue::NONE, Ordering::Relaxed);
        // Release: after the zero; the swap in `push` comes later, because it releases.
        own.appending().store(what.to_word(), Ordering::Release);
        let slot = self.slot(what.slot);
        let ends = if what.is_free { slot.free_queue() } else { slot.receive_queue() };
        queue::push(ends, self, what.cell);
        // Release: after the link.
        own.appending().store(0, Ordering::Release);
    }
}

impl queue::Links for Segment {
    #[inline(always)]
    fn next(&self, cell: u64) -> &AtomicU64 {
        self.word(cell as usize + cell::NEXT)
    }
}

/// A cell that a process appends to a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appending {
    /// The slot whose queue it is.
    pub slot: usize,
    /// Whether it is the queue of free cells.
    pub is_free: bool,
    /// Offset of the cell.
    pub cell: u64,
}

/// Position of the slot in the word that tells what a process appends.
const APPENDING_SLOT: u32 = 48;

impl Appending {
    /// Returns the word that tells it. Offsets of cells are multiples of 64 below 2^48.
    #[inline]
    pub fn to_word(self) -> u64 {
        (self.slot as u64 + 1) << APPENDING_SLOT | self.cell | u64::from(self.is_free)
    }

    /// Reads the word of a process; `None` if it appends nothing.
    pub fn of_word(word: u64) -> Option<Appending> {
        let slot = (word >> APPENDING_SLOT).checked_sub(1)? as usize;
        let cell = word & ((1 << APPENDING_SLOT) - 1) & !63;
        Some(Appending { slot, is_free: word & 1 != 0, cell })
    }
}

/// View of the head of one process's slot.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    base: NonNull<u8>,
    offset: usize,
}

// SAFETY: as for `Segment`.
unsafe impl Send for Slot {}

impl Slot {
    /// Maps the heads of all slots in a segment of `processes` processes and `bytes` bytes, and
    /// returns that of slot number `slot`, for a process that uses the pid and the status line and
    /// nothing else. The mapping stays until the process ends. Returns `None` if there is no such
    /// slot or it cannot be mapped.
    pub fn head(file: impl AsFd, bytes: usize, processes: usize, slot: usize) -> Option<Slot> {
        let layout = Layout::new(bytes, processes).filter(|layout| slot < layout.slots)?;
        let offset = layout.head(slot);
        let mapping = Mapping::part(file, 0, layout.bytes_of_heads()).ok()?;
        // SAFETY: the head lies within the mapping.
        let base = unsafe { mapping.base().add(offset) };
        std::mem::forget(mapping);
        Some(Slot { base, offset })
    }

    /// Returns the head of slot number `slot` of a segment of which all heads are mapped with this
    /// one ([`head`](Self::head)).
    pub(crate) fn sibling(&self, layout: &Layout, slot: usize) -> Slot {
        let offset = layout.head(slot);
        // SAFETY: both heads lie within one mapping.
        let base = unsafe { self.base.offset(offset as isize - self.offset as isize) };
        Slot { base, offset }
    }

    fn word32(&self, at: usize) -> &'static AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at < at::HEAD_BYTES);
        // SAFETY: an aligned word within the slot, mapped until the process ends.
        unsafe { AtomicU32::from_ptr(self.base.as_ptr().add(at).cast()) }
    }

    fn ends(&self, at: usize) -> &'static queue::Ends {
        debug_assert!(at == at::RECEIVE_QUEUE || at == at::FREE_QUEUE);
        // SAFETY: a 64-byte aligned line of the slot that is reserved for a queue's ends, mapped
        // until the process ends; all zero is an empty queue.
        unsafe { &*self.base.as_ptr().add(at).cast::<queue::Ends>() }
    }

    /// Process id of the owner; 0 before the owner has opened the segment.
    pub fn pid(&self) -> &'static AtomicU32 {
        self.word32(at::IDENTITY)
    }

    /// Number of deaths that the owner has handled.
    pub fn deaths_handled(&self) -> &'static AtomicU64 {
        // SAFETY: an aligned word within the slot, mapped until the process ends.
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().add(at::IDENTITY + 8).cast()) }
    }

    /// What the owner appends to a queue at present, in a job that goes on when it dies
    /// ([`Appending`]); 0 for nothing.
    pub fn appending(&self) -> &'static AtomicU64 {
        // SAFETY: an aligned word within the slot, mapped until the process ends.
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().add(at::IDENTITY + 16).cast()) }
    }

    /// Number of fastboxes that other processes have opened towards the owner.
    pub fn boxes_in(&self) -> &'static AtomicU32 {
        self.word32(at::IDENTITY + 4)
    }

    /// The owner's doorbell (see [`doorbell`](crate::doorbell)).
    pub fn doorbell(&self) -> &'static Doorbell {
        // SAFETY: a 64-byte aligned line of the slot that is reserved for it, mapped until the
        // process ends; all zero is the doorbell of a process that is awake.
        unsafe { self.base.add(at::DOORBELL).cast::<Doorbell>().as_ref() }
    }

    /// Returns the head's offset in the segment.
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// The owner's receive queue.
    pub fn receive_queue(&self) -> &'static queue::Ends {
        self.ends(at::RECEIVE_QUEUE)
    }

    /// The owner's queue of free cells.
    pub fn free_queue(&self) -> &'static queue::Ends {
        self.ends(at::FREE_QUEUE)
    }

    /// The owner's status line, for a launcher that asks.
    pub fn status(&self) -> &'static Status {
        // SAFETY: 64-byte aligned lines of the slot that are reserved for it, mapped until the
        // process ends; all zero is a valid status line.
        unsafe { self.base.add(at::STATUS).cast::<Status>().as_ref() }
    }

    /// The owner's kernel call, for a launcher that asks.
    pub fn kernel_call(&self) -> &'static KernelCall {
        // SAFETY: 64-byte aligned lines of the slot that are reserved for it, mapped until the
        // process ends; all zero is a process that is in no such call.
        unsafe { self.base.add(at::KERNEL_CALL).cast::<KernelCall>().as_ref() }
    }

    /// The owner's cooperative copy.
    pub fn cooperative(&self) -> &'static CooperativeCopy {
        // SAFETY: a 64-byte aligned line of the slot that is reserved for it, mapped until the
        // process ends; all zero is a copy without chunks.
        unsafe { self.base.add(at::COOPERATIVE).cast::<CooperativeCopy>().as_ref() }
    }

    /// The owner's AM slot.
    pub fn am_slot(&self) -> &'static AmSlot {
        // SAFETY: 64-byte aligned lines of the slot that are reserved for it, mapped until the
        // process ends; all zero is a slot without an access.
        unsafe { self.base.add(at::AM_SLOT).cast::<AmSlot>().as_ref() }
    }

    /// The flow control flag for the process in slot `sender`. By it the owner asks that process to
    /// send no short messages, because its unexpected messages take too much memory.
    pub fn throttle(&self, sender: usize) -> &'static AtomicU8 {
        assert!(sender < crate::layout::MAX_SLOTS);
        // SAFETY: a byte of the slot's flow control flags, mapped until the process ends.
        unsafe { AtomicU8::from_ptr(self.base.as_ptr().add(at::THROTTLE + sender)) }
    }
}

/// View of the body of one process's slot, for its owner.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    base: NonNull<u8>,
    offset: usize,
}

// SAFETY: as for `Segment`.
unsafe impl Send for Body {}

impl Body {
    /// Returns the offset of the owner's `index`-th cell.
    pub fn cell_offset(&self, index: usize) -> u64 {
        debug_assert!(index < CELLS);
        (self.offset + at::CELLS + index * CELL_BYTES) as u64
    }

    /// Returns the buffer for a long packet of `len` bytes that begins `begin` bytes after the
    /// beginning of the owner's copy ring.
    ///
    /// # Panics
    /// If the packet does not lie within the copy ring.
    pub fn long_packet_buffer(
        &self,
        begin: usize,
        len: usize,
        mode: ChunkMode,
    ) -> LongPacketBuffer {
        assert!(
            begin.is_multiple_of(CACHE_LINE_BYTES)
                && len <= long::PAYLOAD_BYTES
                && begin + long::PAYLOAD + len <= long::STAGING_BYTES
        );
        let within = at::LONG + begin;
        // SAFETY: the packet ends within the copy ring, so within the body.
        let base = unsafe { self.base.add(within) };
        LongPacketBuffer { base, offset: self.offset + within, len, mode }
    }

    /// Returns the offset of the `index`-th fastbox on which the owner sends.
    pub fn box_offset(&self, index: usize) -> u64 {
        debug_assert!(index < BOXES);
        (self.offset + at::BOXES + index * BOX_BYTES) as u64
    }
}

/// View of one cell. The sender owns the cell until it is pushed, then the receiver until it is
/// given back.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    base: *mut u8,
    offset: usize,
}

impl Cell {
    /// Returns the cell's offset in the segment, by which queues name it.
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// Writes a whole packet. The caller owns the cell: it was popped from the caller's free queue
    /// and is not pushed yet.
    #[inline(always)]
    pub fn fill(&self, origin: u32, header: &Header, payload: &[u8]) {
        assert!(payload.len() <= cell::PAYLOAD_BYTES);
        self.set_header(origin, header);
        // SAFETY: the payload fits into the cell, which the caller owns, and lies in the caller's
        // own memory.
        unsafe { copy::bytes(payload.as_ptr(), self.base.add(cell::PAYLOAD), payload.len()) };
    }

    /// Writes origin and header. The payload is written through [`payload_mut`](Self::payload_mut).
    #[inline(always)]
    pub fn set_header(&self, origin: u32, header: &Header) {
        // SAFETY: fields of a cell that the caller owns; aligned by the layout.
        unsafe {
            self.base.add(cell::ORIGIN).cast::<u32>().write(origin);
            self.base.add(cell::HEADER).cast::<Header>().write(*header);
        }
    }

    /// Returns the payload of a cell that the caller owns.
    #[inline(always)]
    pub fn payload_mut(&mut self) -> &mut [u8] {
        // SAFETY: the caller owns the cell (see `fill`), and the borrow of this view excludes a
        // second reference.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(cell::PAYLOAD), cell::PAYLOAD_BYTES) }
    }

    /// Returns origin, header and payload of a cell that was popped and not given back.
    #[inline(always)]
    pub fn packet(&self) -> (u32, Header, &[u8]) {
        // SAFETY: pop's Acquire made the sender's writes visible, and the sender leaves the cell
        // alone until it returns. The length is clamped.
        unsafe {
            let origin = self.base.add(cell::ORIGIN).cast::<u32>().read();
            let header = self.base.add(cell::HEADER).cast::<Header>().read();
            let size = (header.size as usize).min(cell::PAYLOAD_BYTES);
            (origin, header, std::slice::from_raw_parts(self.base.add(cell::PAYLOAD), size))
        }
    }
}

/// The buffer of a long packet as its sender sees it: the sender writes it when it is free, and the
/// receiver gives it back.
#[derive(Clone, Copy, Debug)]
pub struct LongPacketBuffer {
    base: NonNull<u8>,
    offset: usize,
    /// Bytes of the longest payload.
    len: usize,
    mode: ChunkMode,
}

// SAFETY: as for `Segment`.
unsafe impl Send for LongPacketBuffer {}

impl LongPacketBuffer {
    /// Returns the buffer's offset in the segment, which the announcement contains.
    pub fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// Prefetches the buffer's first lines, which will be written soon.
    #[inline]
    pub fn prepare(&self) {
        long_packet::prepare(self.base.as_ptr());
    }

    /// Whether the receiver of the last packet has given the buffer back.
    #[inline]
    pub fn is_free(&self) -> bool {
        // SAFETY: the buffer's first byte, mapped until the process ends.
        unsafe { long_packet::progress_of(self.base.as_ptr()) }.is_free()
    }

    /// Gives the buffer back on behalf of the receiver of the last packet, which has died.
    pub fn take_back(&self) {
        // SAFETY: as in `is_free`.
        unsafe { long_packet::progress_of(self.base.as_ptr()) }.give_back();
    }

    /// Writes a contiguous payload as [`write`](Self::write) does.
    #[inline]
    pub fn write_bytes(&self, payload: &[u8], announce: impl FnOnce(u32) -> bool) -> bool {
        assert!(payload.len() <= self.len);
        // SAFETY: as in `write`.
        unsafe { long_packet::write_bytes(self.base.as_ptr(), payload, self.mode, announce) }
    }

    /// Writes a payload of `len` bytes in chunks. `announce` tells the receiver of the packet
    /// before any payload is written; if it returns false, nothing is written and the result is
    /// false. `fill(begin, chunk)` writes the payload's bytes from `begin` on into `chunk`. The
    /// caller owns the buffer; after the announcement the receiver owns it.
    #[inline]
    pub fn write(
        &self,
        len: usize,
        fill: impl FnMut(usize, &mut [u8]),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        assert!(len <= self.len);
        // SAFETY: the caller owns the buffer, which has space for the payload.
        unsafe { long_packet::write(self.base.as_ptr(), len, self.mode, fill, announce) }
    }
}

/// A buffer for one long packet that alternates between two processes: the sender owns it until the
/// receiver has read the packet, then the receiver does.
#[derive(Clone, Copy, Debug)]
pub struct HandoffBuffer {
    base: NonNull<u8>,
    offset: usize,
}

// SAFETY: as for `Segment`.
unsafe impl Send for HandoffBuffer {}

impl HandoffBuffer {
    /// Returns the buffer for a packet of any length up to the longest, copied from `address`: it
    /// begins somewhere in the first page. The caller owns the handoff buffer.
    #[inline]
    pub fn buffer_for(&self, address: usize) -> LongPacketBuffer {
        let shift = copy::unaliased_offset(long::PAYLOAD, address);
        // SAFETY: within the first page of the handoff buffer.
        let base = unsafe { self.base.add(shift) };
        LongPacketBuffer {
            base,
            offset: self.offset + shift,
            len: long::PAYLOAD_BYTES,
            mode: ChunkMode::Handoff,
        }
    }

    /// Whether a packet that was announced at `offset` lies in this handoff buffer.
    #[inline]
    pub fn has(&self, offset: u64) -> bool {
        offset.wrapping_sub(self.offset as u64) < PAGE_BYTES as u64
    }

    /// Returns the packet of `len` bytes at `offset`, the progress word of which counts from
    /// `base`; `None` if the packet cannot lie there.
    pub fn long_packet(&self, offset: u64, len: u64, base: u64) -> Option<LongPacket> {
        let shift = usize::try_from(offset)
            .ok()?
            .checked_sub(self.offset)
            .filter(|&shift| shift < PAGE_BYTES && shift % CACHE_LINE_BYTES == 0)?;
        let len = usize::try_from(len).ok().filter(|&len| len <= long::PAYLOAD_BYTES)?;
        // SAFETY: the packet lies in the handoff buffer: aligned, mapped until the process ends.
        // The announcement makes the caller its reader, and the caller owns the buffer afterwards.
        let mut packet =
            unsafe { LongPacket::new(self.base.as_ptr().add(shift), len, base as u32) };
        packet.set_in_handoff_buffer();
        Some(packet)
    }
}
