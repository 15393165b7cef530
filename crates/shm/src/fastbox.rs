//! The fastbox: a ring of cache lines from one process to another.
//!
//! The paper's fastbox (§3.2) is one buffer with a full/empty flag per pair of processes. Ours is a ring of them, so that a burst need not wait
//! for the receiver, and the flag is the packet's sequence number:
//!
//! ```text
//!   line 0                     line 1                     line 2 …
//!   [seq|header|40 bytes]      [seq|header|40 bytes …     … continued, 64 bytes a line]
//! ```
//!
//! A packet of up to 40 bytes is one line: header, payload and the mark that it is there move between caches in one transfer. A longer packet
//! continues in the following lines and never wraps: when it does not fit before the end of the ring, a SKIP line sends the receiver to line 0.
//!
//! The sequence number counts all packets of the pair, whichever way they take, so a line is "full" only when it holds the very next packet of
//! the pair: this is what orders the fastbox against the queue. Payload bytes can lie where a line's mark will be looked for a lap later, so as
//! long as such bytes lie ahead, the sender wipes the one mark behind each packet before it publishes the packet. Old sequence numbers in old lines
//! are smaller and do not match; but numbers come round after 2^31 packets, so when nearly all of them went by the queue, each end wipes out the old
//! numbers in its lines ([`Producer::bypassed`], [`Consumer::bypassed`]).
//!
//! The receiver tells how far it has read in a word of its own line, once per quarter of the ring; the sender looks at it only when its own
//! count says that the ring could be full. So in the steady state each packet costs one line transfer and nothing else.
//!
//! Roles: one [`Producer`], one [`Consumer`], each in one process. Ordering edges:
//! * E1 *packet*: the producer's writes to the lines → Release store of the stamp → Acquire load in `peek`.
//! * E2 *room*: the consumer's reads → Release store of `consumed` → Acquire load in `Producer::reserve`, before the lines are written again.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, AtomicU64, Ordering};
use nemesis_wire::{HEADER_BYTES, Header, LINE_BYTES, LINE_PAYLOAD_BYTES, Seq, kind, next_seq};
use std::hint::cold_path;

/// Where the ring's lines lie: the segment, or a test's memory.
pub trait Lines {
    /// Where a line is, for who goes from one to the next.
    type Place: Copy + std::fmt::Debug;
    /// Number of lines, a power of two from 4 to 512.
    fn count(&self) -> u64;
    /// Where line `index` is.
    fn place(&self, index: u64) -> Self::Place;
    /// Where the line behind is, which the ring's last one has none of.
    fn behind(&self, place: Self::Place) -> Self::Place;
    /// The first word of a line.
    fn stamp(&self, place: Self::Place) -> &AtomicU32;
    /// Line `index` will be written soon: the processor may fetch it for that.
    fn prepare(&self, _index: u64) {}
    /// The line so many behind this one will be read soon, or nothing happens: the ring may end before.
    fn expect(&self, _place: Self::Place, _lines: usize) {}
    /// Of a packet that is awaited, so many lines behind the first are worth asking for together with it.
    fn worth_expecting(&self) -> u64 {
        0
    }
    /// The lines from `place` on, so many, have been read and the ring does not end before: the receiver [takes](crate::copy::take) them if that is worth it.
    ///
    /// # Safety
    /// The lines of a packet that was published to the calling consumer and not given back.
    unsafe fn take(&self, _place: Self::Place, _lines: u64) {}
    /// Lines the receiver has given back since the beginning.
    fn consumed(&self) -> &AtomicU64;
    /// Writes a packet into the lines from `place` on, all but its stamp, which is the answer.
    ///
    /// # Safety
    /// The lines of the packet belong to the calling producer and the packet ends within the ring.
    unsafe fn fill(&self, place: Self::Place, header: &Header, payload: &[u8]) -> &AtomicU32;
    /// Shows the packet that begins at a line; the payload has the length that its header tells, checked to end within the ring.
    ///
    /// # Safety
    /// The packet was published to the calling consumer and not given back.
    unsafe fn packet(&self, place: Self::Place) -> (Header, &[u8]);
    /// Shows the packet that begins at a line if it takes no other, is of that kind, has no flags, and at most so many bytes.
    ///
    /// # Safety
    /// As `packet`.
    #[inline(always)]
    unsafe fn line(&self, place: Self::Place, kind: u8, most: usize) -> Option<(Header, &[u8])> {
        // SAFETY: the caller's promise.
        let (header, payload) = unsafe { self.packet(place) };
        let is_one = header.kind == kind && header.flags == 0 && payload.len() <= most.min(LINE_PAYLOAD_BYTES);
        is_one.then_some((header, payload))
    }

    /// The kind of the packet that begins at a line.
    ///
    /// # Safety
    /// As `packet`.
    #[inline(always)]
    unsafe fn kind(&self, place: Self::Place) -> u8 {
        // SAFETY: the caller's promise.
        unsafe { self.packet(place) }.0.kind
    }
}

/// Lines that a packet with `size` bytes of payload takes.
#[inline(always)]
pub fn lines_for(size: usize) -> u64 {
    if size <= LINE_PAYLOAD_BYTES { 1 } else { (HEADER_BYTES + size).div_ceil(LINE_BYTES) as u64 }
}

/// The longest payload for a ring of `count` lines: a quarter of it, so that a sender that waits for room always gets it.
pub const fn max_payload(count: u64) -> usize {
    (count / 4) as usize * LINE_BYTES - HEADER_BYTES
}

/// So many lines ahead the receiver of many packets asks for one: far enough that the sender is not at work there.
const AHEAD: u8 = 4;

/// Of so many waits that find nothing at first, one looks no further.
const OTHERS_TURN: u8 = 32;

/// Sequence numbers may advance this far before the lines are wiped again: a quarter of all, so that the wipes of both ends together leave no
/// line unwiped for a whole round.
const WIPE_AFTER: Seq = 1 << 30;

/// The sending end.
#[derive(Debug)]
pub struct Producer<L: Lines> {
    lines: L,
    /// The line of the next packet.
    here: L::Place,
    /// Lines used since the beginning when all that are ready are used.
    until: u64,
    /// What `consumed` said when we last looked.
    consumed: u64,
    /// So many packets of one line need no thought: their lines are free, one behind the other, and no payload lies where marks will be looked for.
    ready: u16,
    /// So many lines from the next on may hold payload of the lap before where marks will be looked for.
    littered: u16,
    /// The pair's sequence number when the free lines were last wiped.
    wiped: Seq,
}

impl<L: Lines> Producer<L> {
    pub fn new(lines: L) -> Self {
        let (here, count) = (lines.place(0), lines.count());
        Producer { lines, here, until: count, consumed: 0, ready: count as u16, littered: 0, wiped: 0 }
    }

    /// Lines used since the beginning.
    pub fn lines_used(&self) -> u64 {
        self.until - u64::from(self.ready)
    }

    /// Sends one packet; false when the ring has no room for it now. `header.seq` is the pair's next sequence number and `header.size` the
    /// length of `payload`, which is at most `max_payload`.
    #[inline(always)]
    pub fn try_send(&mut self, header: &Header, payload: &[u8]) -> bool {
        debug_assert!(payload.len() == header.size as usize && payload.len() <= max_payload(self.lines.count()));
        self.try_send_line(*header, &mut header.seq.clone(), payload) || self.try_send_with_care(header, payload)
    }

    /// Sends a packet of one line if that needs no thought. Its number is `seq` in the place of the header's, and goes on to the next.
    #[inline(always)]
    pub fn try_send_line(&mut self, header: Header, seq: &mut Seq, payload: &[u8]) -> bool {
        if payload.len() > LINE_PAYLOAD_BYTES || self.ready == 0 {
            cold_path();
            return false;
        }
        // SAFETY: the line was found given back, as `ready` tells.
        let stamp = unsafe { self.lines.fill(self.here, &header, payload) };
        let number = *seq;
        // Release (E1): as in `put`.
        stamp.store(number, Ordering::Release);
        *seq = next_seq(number);
        self.here = self.lines.behind(self.here);
        self.ready -= 1;
        true
    }

    /// The next packet of one line takes thought, too: somebody has to ask whether it is welcome.
    pub fn take_care(&mut self) {
        (self.until, self.ready) = (self.lines_used(), 0);
    }

    /// A packet of several lines, or one that finds the ring full or old payload ahead. Its lines lie in one piece, so the ring's end may have to be
    /// left out; the line behind it is free as well, and loses its mark.
    #[inline(never)]
    fn try_send_with_care(&mut self, header: &Header, payload: &[u8]) -> bool {
        let need = lines_for(payload.len());
        let count = self.lines.count();
        let tail = self.lines_used();
        let left = count - (tail & (count - 1));
        let skip = if need > left { left } else { 0 };
        let begin = tail + skip;
        let end = begin + need;
        if end + 1 - self.consumed > count && !self.reserve(end + 1) {
            return false;
        }
        // Relaxed: the receiver looks here only after it has seen the packet, whose stamp orders this.
        self.stamp(end).store(0, Ordering::Relaxed);
        self.put(begin, header, payload);
        if skip > 0 {
            self.put(tail, &Header { seq: header.seq, kind: kind::SKIP, ..Header::default() }, &[]);
        }
        let used = (end - tail) as u16;
        self.littered = if need > 1 { count as u16 } else { self.littered.saturating_sub(used) };
        for line in end + 1..=end + need {
            self.lines.prepare(line & (count - 1));
        }
        self.set_ready(end);
        true
    }

    /// Writes a packet into lines that were found free and that end within the ring.
    #[inline(always)]
    fn put(&mut self, line: u64, header: &Header, payload: &[u8]) {
        let place = self.lines.place(line & (self.lines.count() - 1));
        // SAFETY: `reserve` (now or earlier) found these lines given back, and callers leave out an end of the ring that is too short.
        let stamp = unsafe { self.lines.fill(place, header, payload) };
        // Release (E1): publishes the lines; pairs with the Acquire in `Consumer::peek`.
        stamp.store(header.seq, Ordering::Release);
    }

    /// The first word of a line.
    fn stamp(&self, line: u64) -> &AtomicU32 {
        self.lines.stamp(self.lines.place(line & (self.lines.count() - 1)))
    }

    /// `tail` lines have been used.
    fn set_ready(&mut self, tail: u64) {
        let index = tail & (self.lines.count() - 1);
        let free = self.consumed + self.lines.count() - tail;
        let ready = if self.littered > 0 { 0 } else { free.min(self.lines.count() - index) };
        (self.here, self.ready, self.until) = (self.lines.place(index), ready as u16, tail + ready);
    }

    /// Looks how far the receiver is; true when all lines before `end` are free.
    #[cold]
    fn reserve(&mut self, end: u64) -> bool {
        // Acquire (E2): the receiver is done with the lines that it counts; pairs with the Release in `Consumer::release`.
        let consumed = self.lines.consumed().load(Ordering::Acquire);
        // A count that runs backwards or past us is not the receiver's doing; such a ring is full for ever, the queue serves instead.
        if consumed >= self.consumed && consumed <= self.lines_used() {
            self.consumed = consumed;
            self.set_ready(self.lines_used());
        }
        end - self.consumed <= self.lines.count()
    }

    /// Packet `seq` takes the queue: the owner of this end says so, that old numbers do not outlive a round of all numbers.
    #[inline(always)]
    pub fn bypassed(&mut self, seq: Seq) {
        if seq.wrapping_sub(self.wiped) > WIPE_AFTER {
            self.wipe(seq);
        }
    }

    #[cold]
    fn wipe(&mut self, seq: Seq) {
        self.wiped = seq;
        let tail = self.lines_used();
        self.reserve(tail);
        let count = self.lines.count();
        for line in tail..self.consumed + count {
            // Relaxed: the receiver that looks here meanwhile finds the old number or none, and neither is the one that it expects now.
            self.stamp(line).store(0, Ordering::Relaxed);
        }
    }
}

/// The receiving end.
#[derive(Debug)]
pub struct Consumer<L: Lines> {
    lines: L,
    /// The line of the next packet.
    here: L::Place,
    /// Lines read since the beginning at the end of the run.
    until: u64,
    /// The pair's sequence number when `consumed` was last brought up to date for the producer's wipe.
    settled: Seq,
    /// So many lines to read, one behind the other, until `consumed` says so: a quarter of the ring, or what there is before its end.
    run: u8,
    /// How long the run was at its beginning.
    whole_run: u8,
    /// Waits that found nothing at their first look.
    vain: u8,
    /// So many lines behind the first does the next packet probably have, as the one before had, that are asked for while it is awaited.
    further: u8,
}

impl<L: Lines> Consumer<L> {
    pub fn new(lines: L) -> Self {
        let (here, run) = (lines.place(0), lines.count() / 4);
        Consumer { lines, here, until: run, settled: 0, run: run as u8, whole_run: run as u8, vain: 0, further: 0 }
    }

    /// Lines read since the beginning.
    pub fn lines_used(&self) -> u64 {
        self.until - u64::from(self.run)
    }

    /// Whether packet `expected` is there: one load.
    #[inline(always)]
    pub fn is_ready(&self, expected: Seq) -> bool {
        // Relaxed: only a hint; `peek` orders what it finds.
        self.lines.stamp(self.here).load(Ordering::Relaxed) == expected
    }

    /// Shows packet `expected` if it is there; [`release`](Self::release) gives its lines back.
    #[inline(always)]
    pub fn peek(&mut self, expected: Seq) -> Option<(Header, &[u8])> {
        // Acquire (E1): pairs with the Release in `Producer::put`.
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected {
            return None;
        }
        // SAFETY: the stamp published the packet and we have not given it back.
        if unsafe { self.lines.kind(self.here) } == kind::SKIP {
            self.skip();
        }
        self.wait(expected, 0)
    }

    /// As [`peek`](Self::peek), with so many more looks if the packet is not there yet, and without following a SKIP, which it shows. Now and then it does
    /// not look again: two who answer each other would otherwise never look at anybody else.
    #[inline(always)]
    pub fn wait(&mut self, expected: Seq, looks: u32) -> Option<(Header, &[u8])> {
        // Acquire (E1): pairs with the Release in `Producer::put`.
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected && !self.look_again(expected, looks) {
            return None;
        }
        // SAFETY: the stamp published the packet and we have not given it back.
        Some(unsafe { self.lines.packet(self.here) })
    }

    /// Shows packet `expected` if it is there, takes one line, is of that kind, has no flags, and at most so many bytes. [`release_line`](Self::release_line)
    /// gives its line back.
    #[inline(always)]
    pub fn line(&self, expected: Seq, kind: u8, most: usize) -> Option<(Header, &[u8])> {
        // Acquire (E1): pairs with the Release in `Producer::put`.
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected {
            cold_path();
            return None;
        }
        // SAFETY: the stamp published the packet and we have not given it back.
        unsafe { self.lines.line(self.here, kind, most) }
    }

    #[inline(always)]
    fn look_again(&mut self, expected: Seq, mut looks: u32) -> bool {
        if looks == 0 {
            return false;
        }
        self.vain = self.vain.wrapping_add(1);
        if self.vain.is_multiple_of(OTHERS_TURN) {
            return false;
        }
        if self.further > 0 {
            looks = self.look_at_several(expected, looks);
            if looks == 0 {
                return false;
            }
        }
        // Acquire (E1): as in `wait`.
        while self.lines.stamp(self.here).load(Ordering::Acquire) != expected {
            looks -= 1;
            if looks == 0 {
                return false;
            }
        }
        true
    }

    /// Waits until the packet seems to be there, while further lines of it are asked for: they come when the first one does. How many looks are left.
    #[inline(never)]
    fn look_at_several(&self, expected: Seq, mut looks: u32) -> u32 {
        while looks > 0 && !self.is_ready(expected) {
            for line in 1..=usize::from(self.further) {
                self.lines.expect(self.here, line);
            }
            looks -= 1;
        }
        looks
    }

    /// Takes packets from `expected` on, `most` at most, one after the other while they are there and `take` wants them, and gives them back; with so
    /// many more looks for the first. How many; `expected` is the next one's number.
    #[inline(always)]
    pub fn drain(&mut self, expected: &mut Seq, looks: u32, most: u32, mut take: impl FnMut(&Header, &[u8]) -> bool) -> u32 {
        let (mut next, mut looks, mut taken) = (*expected, looks, 0);
        while taken < most
            && let Some((header, payload)) = self.wait(next, looks)
        {
            let size = payload.len();
            if !take(&header, payload) {
                break;
            }
            self.release(size);
            self.look_ahead();
            next = next_seq(next);
            (looks, taken) = (0, taken + 1);
        }
        *expected = next;
        taken
    }

    #[cold]
    fn skip(&mut self) {
        self.advance(self.lines.count() - (self.lines_used() & (self.lines.count() - 1)));
    }

    /// Gives back the packet that `peek` showed; `size` is its header's.
    #[inline(always)]
    pub fn release(&mut self, size: usize) {
        if size <= LINE_PAYLOAD_BYTES {
            self.further = 0;
            self.release_line();
        } else {
            let lines = lines_for(size);
            self.further = (lines - 1).min(self.lines.worth_expecting()) as u8;
            // SAFETY: the packet that was shown is given back below.
            unsafe { self.lines.take(self.here, lines) }
            self.advance(lines);
        }
    }

    /// Gives back the line that [`line`](Self::line) showed.
    #[inline(always)]
    pub fn release_line(&mut self) {
        self.here = self.lines.behind(self.here);
        self.run -= 1;
        if self.run == 0 {
            self.publish();
        }
    }

    fn advance(&mut self, lines: u64) {
        if lines < u64::from(self.run) {
            self.run -= lines as u8;
            self.here = self.lines.place(self.lines_used() & (self.lines.count() - 1));
        } else {
            (self.until, self.run) = (self.lines_used() + lines, 0);
            self.publish();
        }
    }

    /// More packets are perhaps there: fetches one that comes later.
    #[inline(always)]
    pub fn look_ahead(&self) {
        if self.run > AHEAD {
            self.lines.expect(self.here, AHEAD.into());
        }
    }

    /// Says how far it has read, and begins a run there.
    #[inline(always)]
    fn publish(&mut self) {
        let head = self.lines_used();
        // Release (E2): our reads come first; pairs with the Acquire in `Producer::reserve`.
        self.lines.consumed().store(head, Ordering::Release);
        let count = self.lines.count();
        let index = head & (count - 1);
        let run = (count / 4).min(count - index);
        self.here = self.lines.place(index);
        (self.until, self.run, self.whole_run) = (head + run, run as u8, run as u8);
    }

    /// Packet `seq` came by the queue: the other end of [`Producer::bypassed`].
    #[inline(always)]
    pub fn bypassed(&mut self, seq: Seq) {
        if seq.wrapping_sub(self.settled) > WIPE_AFTER {
            self.settle(seq);
        }
    }

    /// Gives all lines back that were read, and wipes those that the producer's last wipe could not reach.
    #[cold]
    fn settle(&mut self, seq: Seq) {
        self.settled = seq;
        let count = self.lines.count();
        for line in self.until - u64::from(self.whole_run)..self.lines_used() {
            // Relaxed: ordered before the producer's next use of the line by E2.
            self.lines.stamp(self.lines.place(line & (count - 1))).store(0, Ordering::Relaxed);
        }
        self.publish();
    }
}

#[cfg(not(loom))]
pub use in_memory::{BOX_BYTES, BOX_LINES, MappedLines};

#[cfg(not(loom))]
mod in_memory {
    use super::*;
    use crate::copy;
    use nemesis_sys::processor;
    use nemesis_wire::LINE_BYTES;
    use std::ptr::NonNull;

    /// Lines of a ring in the segment: 16 KiB, two bursts of 64 one-line messages and room to spare.
    pub const BOX_LINES: u64 = 256;
    /// Bytes of a whole fastbox: the receiver's line, the ring, and one more line so that neighbouring boxes start in different cache sets.
    pub const BOX_BYTES: usize = (BOX_LINES as usize + 2) * LINE_BYTES;

    /// Where lines pass fast, so many behind the first are asked for while a packet is awaited. With as many as eight, those that the sender is still to write
    /// are taken away from it.
    const EXPECTED_LINES: u64 = 4;

    /// A ring at a fixed place in mapped memory: the receiver's line first, then `BOX_LINES` lines.
    #[derive(Debug)]
    pub struct MappedLines {
        base: NonNull<u8>,
    }

    /// Where a line of the ring is.
    #[derive(Clone, Copy, Debug)]
    pub struct Place(*mut u8);

    // SAFETY: as for the lines themselves.
    unsafe impl Send for Place {}

    // SAFETY: the memory belongs to the process for good, and the two roles' protocol orders all access to it.
    unsafe impl Send for MappedLines {}

    impl MappedLines {
        /// # Safety
        /// `base` is 64-byte aligned and `BOX_BYTES` of memory behind it, zero at the beginning, stay mapped as long as the value lives; one
        /// producer and one consumer use them as fastbox, and nobody uses them otherwise.
        pub unsafe fn new(base: *mut u8) -> Self {
            // SAFETY: memory that is mapped does not begin at zero.
            MappedLines { base: unsafe { NonNull::new_unchecked(base) } }
        }

        /// The length of a long payload, cut at the end of the ring, which its producer never lets it pass.
        #[cold]
        fn clamp(&self, size: usize, place: Place) -> usize {
            size.min(self.base.as_ptr().addr() + BOX_BYTES - LINE_BYTES - place.0.addr() - HEADER_BYTES)
        }

        #[inline(always)]
        fn at(&self, index: u64) -> *mut u8 {
            let index = (index & (BOX_LINES - 1)) as usize;
            // SAFETY: the index is below BOX_LINES, so the line lies within BOX_BYTES (contract of `new`).
            unsafe { self.base.as_ptr().add((index + 1) * LINE_BYTES) }
        }
    }

    /// The memory of rings that are nowhere: always zero.
    #[repr(align(64))]
    struct Nowhere([AtomicU64; BOX_BYTES / 8]);

    static NOWHERE: Nowhere = Nowhere([const { AtomicU64::new(0) }; BOX_BYTES / 8]);

    impl MappedLines {
        fn nowhere() -> Self {
            // SAFETY: aligned memory of that size, there for good. That its ends are many does no harm: nobody has lines there, and all access is atomic.
            unsafe { MappedLines::new(NOWHERE.0.as_ptr().cast_mut().cast()) }
        }

        #[inline(always)]
        fn is_nowhere(&self) -> bool {
            self.base.as_ptr().cast_const().cast() == NOWHERE.0.as_ptr()
        }
    }

    impl Producer<MappedLines> {
        /// The end of a ring that is nowhere, where nothing can be sent.
        pub fn nowhere() -> Self {
            Producer { ready: 0, ..Producer::new(MappedLines::nowhere()) }
        }
    }

    impl Consumer<MappedLines> {
        /// The end of a ring that is nowhere, where nothing comes.
        pub fn nowhere() -> Self {
            Consumer::new(MappedLines::nowhere())
        }

        pub fn is_nowhere(&self) -> bool {
            self.lines.is_nowhere()
        }

        /// The ring, if it is somewhere.
        #[inline(always)]
        pub fn existing(&mut self) -> Option<&mut Self> {
            if self.lines.is_nowhere() { None } else { Some(self) }
        }
    }

    impl Lines for MappedLines {
        type Place = Place;

        #[inline(always)]
        fn place(&self, index: u64) -> Place {
            Place(self.at(index))
        }

        #[inline(always)]
        fn behind(&self, place: Place) -> Place {
            Place(place.0.wrapping_add(LINE_BYTES))
        }

        #[inline(always)]
        fn count(&self) -> u64 {
            BOX_LINES
        }

        #[inline(always)]
        fn stamp(&self, place: Place) -> &AtomicU32 {
            // SAFETY: an aligned word of the ring, mapped as long as `self` (contract of `new`).
            unsafe { AtomicU32::from_ptr(place.0.cast()) }
        }

        #[inline(always)]
        fn prepare(&self, index: u64) {
            copy::prefetch_for_write(self.at(index));
        }

        #[inline(always)]
        fn expect(&self, place: Place, lines: usize) {
            copy::prefetch_for_read(place.0.wrapping_add(lines * LINE_BYTES));
        }

        #[inline(always)]
        fn worth_expecting(&self) -> u64 {
            if processor::passes_lines_slowly() { 0 } else { EXPECTED_LINES }
        }

        #[inline(always)]
        unsafe fn take(&self, place: Place, lines: u64) {
            if processor::passes_lines_slowly() {
                let left = self.base.as_ptr().addr() + BOX_BYTES - LINE_BYTES - place.0.addr();
                // SAFETY: the lines are the consumer's (contract of `take`) and lie within the ring. What is written back lies behind the stamp.
                unsafe { copy::take(place.0.add(HEADER_BYTES), (lines as usize * LINE_BYTES).min(left)) }
            }
        }

        #[inline(always)]
        fn consumed(&self) -> &AtomicU64 {
            // SAFETY: the first word of the box's first line (contract of `new`).
            unsafe { AtomicU64::from_ptr(self.base.as_ptr().cast()) }
        }

        #[inline(always)]
        unsafe fn fill(&self, place: Place, header: &Header, payload: &[u8]) -> &AtomicU32 {
            let line = place.0;
            // The receiver looks at the first line all the time and takes it away from us between two stores: whatever lies in other lines
            // is written before, so that the first line's stores stand together.
            // SAFETY: the lines are the producer's (contract of `fill`): 24 bytes of header, the first four left to the stamp, then the payload,
            // which ends within the ring. The payload is the caller's memory, not the ring's.
            unsafe {
                if payload.len() > LINE_PAYLOAD_BYTES {
                    copy::to_common(payload.as_ptr().add(LINE_PAYLOAD_BYTES), line.add(LINE_BYTES), payload.len() - LINE_PAYLOAD_BYTES);
                }
                line.add(4).cast::<[u8; 2]>().write([header.kind, header.flags]);
                line.add(6).cast::<u16>().write(header.size);
                line.add(8).cast::<u64>().write(header.context);
                line.add(16).cast::<i32>().write(header.tag);
                line.add(20).cast::<u32>().write(header.rank);
                copy::short(payload.as_ptr(), line.add(HEADER_BYTES), payload.len().min(LINE_PAYLOAD_BYTES));
                AtomicU32::from_ptr(line.cast())
            }
        }

        #[inline(always)]
        unsafe fn line(&self, place: Place, kind: u8, most: usize) -> Option<(Header, &[u8])> {
            let line = place.0;
            // SAFETY: a published header (contract of `packet`) on an aligned line.
            let header = unsafe { line.cast::<Header>().read() };
            // Kind, flags and size are one word, from which one comparison tells: with another kind, or flags, the size seems to be enormous.
            let word = u32::from(header.kind) | u32::from(header.flags) << 8 | u32::from(header.size) << 16;
            let size = word.wrapping_sub(u32::from(kind)).rotate_left(16) as usize;
            if size > most {
                cold_path();
                return None;
            }
            if size > LINE_PAYLOAD_BYTES {
                cold_path();
                return None;
            }
            // SAFETY: the bytes behind the header that lie in its line; the producer leaves them alone until they are given back.
            Some((header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) }))
        }

        #[inline(always)]
        unsafe fn packet(&self, place: Place) -> (Header, &[u8]) {
            let line = place.0;
            // SAFETY: a published header (contract of `packet`) on an aligned line.
            let header = unsafe { line.cast::<Header>().read() };
            let mut size = header.size as usize;
            if size > LINE_PAYLOAD_BYTES {
                size = self.clamp(size, place);
            }
            // SAFETY: `size` bytes behind the header lie within the ring; the producer leaves them alone until they are given back.
            (header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) })
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Memory([u8; BOX_BYTES]);

    fn pair(memory: &mut Memory) -> (Producer<MappedLines>, Consumer<MappedLines>) {
        let base = memory.0.as_mut_ptr();
        // SAFETY: aligned, zeroed, big enough, and outlives both ends in every test below.
        unsafe { (Producer::new(MappedLines::new(base)), Consumer::new(MappedLines::new(base))) }
    }

    fn header(seq: Seq, size: usize) -> Header {
        Header { seq, kind: 16, flags: 0, size: size as u16, context: u64::from(seq), tag: 5, rank: 1 }
    }

    #[test]
    fn packets_of_every_size_pass_in_order() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let payload: Vec<u8> = (0..max_payload(BOX_LINES)).map(|i| i as u8 | 1).collect();
        let (mut sent, mut received) = (1, 1);
        for round in 0..20_000 {
            let size = (round * 37) % (payload.len() + 1);
            if !producer.try_send(&header(sent, size), &payload[..size]) {
                while let Some((head, body)) = consumer.peek(received) {
                    assert_eq!((head, body), (header(received, body.len()), &payload[..body.len()]));
                    let size = body.len();
                    consumer.release(size);
                    received = next_seq(received);
                }
                assert!(producer.try_send(&header(sent, size), &payload[..size]), "an emptied ring has room");
            }
            sent = next_seq(sent);
        }
        assert!(received > 1000);
    }

    #[test]
    fn a_packet_ahead_of_its_turn_stays_in_the_box() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        assert!(producer.try_send(&header(2, 4), &[1; 4]));
        assert!(consumer.peek(1).is_none(), "packet 1 went another way and comes first");
        assert!(consumer.peek(2).is_some());
    }

    #[test]
    fn a_number_from_the_last_round_is_no_packet() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        // More than a lap, so that the next line holds an old packet; not a whole quarter more, so that some lines are read but not given back.
        let in_box = BOX_LINES as Seq + 70;
        for seq in 1..=in_box {
            assert!(producer.try_send(&header(seq, 8), &[7; 8]) && consumer.peek(seq).is_some());
            consumer.release(8);
        }
        for seq in (in_box + 1..=Seq::MAX).step_by(1 << 24).chain([Seq::MAX]) {
            producer.bypassed(seq);
            consumer.bypassed(seq);
        }
        for seq in 1..=in_box {
            assert!(!consumer.is_ready(seq) && consumer.peek(seq).is_none(), "{seq} is a packet of the last round");
        }
        assert!(
            (0..BOX_LINES).all(|line| consumer.lines.stamp(consumer.lines.place(line)).load(Ordering::Relaxed) == 0),
            "every line was wiped by one of the ends"
        );
    }

    #[test]
    fn care_is_taken_once() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let mut seq = 1;
        assert!(producer.try_send_line(header(1, 8), &mut seq, &[1; 8]) && seq == 3);
        producer.take_care();
        assert!(!producer.try_send_line(header(3, 8), &mut seq, &[2; 8]) && seq == 3);
        assert!(producer.try_send(&header(3, 8), &[2; 8]));
        seq = next_seq(seq);
        assert!(producer.try_send_line(header(5, 8), &mut seq, &[3; 8]));
        let mut expected = 1;
        assert_eq!((consumer.drain(&mut expected, 0, 64, |_, _| true), expected), (3, 7));
    }

    #[test]
    fn a_run_of_packets_ends_with_the_first_that_nobody_wants() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        for seq in (1..=17).step_by(2) {
            assert!(producer.try_send(&header(seq, 100), &[seq as u8; 100]));
        }
        let (mut expected, mut seen) = (1, Vec::new());
        let mut take = |header: &Header, payload: &[u8]| {
            let wanted = header.seq != 11;
            seen.extend(wanted.then_some((header.seq, payload[99])));
            wanted
        };
        assert_eq!(consumer.drain(&mut expected, 0, 3, &mut take), 3);
        assert_eq!((consumer.drain(&mut expected, 0, 64, &mut take), expected), (2, 11));
        assert_eq!(consumer.drain(&mut expected, 5, 64, |_, _| true), 4);
        assert_eq!((consumer.drain(&mut expected, 5, 64, |_, _| true), expected), (0, 19));
        assert_eq!(seen, [(1, 1), (3, 3), (5, 5), (7, 7), (9, 9)]);
    }

    #[test]
    fn one_look_takes_one_line_of_the_kind() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let kind = header(1, 0).kind;
        // Several laps, so that runs begin and end at every line.
        for seq in 1..2000 {
            let size = [8, 40, 41, 0, 200][seq as usize % 5];
            assert!(consumer.line(seq, kind, 1 << 20).is_none(), "it is not sent yet");
            assert!(producer.try_send(&header(seq, size), &vec![seq as u8; size]));
            assert!(consumer.line(seq, kind + 1, 1 << 20).is_none() && consumer.line(seq, kind - 1, 1 << 20).is_none());
            assert!(size == 0 || consumer.line(seq, kind, size - 1).is_none(), "there is no room for so many bytes");
            match consumer.line(seq, kind, size) {
                Some((_, payload)) => {
                    assert!(size <= LINE_PAYLOAD_BYTES && payload == vec![seq as u8; size]);
                    consumer.release_line();
                }
                None => {
                    assert!(size > LINE_PAYLOAD_BYTES && consumer.peek(seq).is_some());
                    consumer.release(size);
                }
            }
        }
        let flagged = Header { flags: 1, ..header(2000, 8) };
        assert!(producer.try_send(&flagged, &[1; 8]) && consumer.line(2000, kind, 8).is_none() && consumer.peek(2000).is_some());
    }

    #[test]
    fn a_ring_that_is_nowhere_has_nothing_and_takes_nothing() {
        let (mut producer, mut consumer) = (Producer::nowhere(), Consumer::nowhere());
        let mut seq = 1;
        assert!(!producer.try_send_line(header(1, 8), &mut seq, &[1; 8]) && seq == 1);
        assert!(!consumer.is_ready(1) && consumer.line(1, 16, 8).is_none() && consumer.existing().is_none());
    }

    #[test]
    fn two_threads_agree() {
        const PACKETS: u32 = if cfg!(miri) { 300 } else { 200_000 };
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let producer = &mut producer;
                for seq in 1..=PACKETS {
                    let size = (seq as usize * 13) % 300;
                    let payload = [seq as u8 | 1; 300];
                    while !producer.try_send(&header(seq, size), &payload[..size]) {
                        std::thread::yield_now();
                    }
                }
            });
            for seq in 1..=PACKETS {
                let size = loop {
                    match consumer.peek(seq) {
                        Some((head, body)) => {
                            assert_eq!(head, header(seq, body.len()));
                            assert!(body.len() == (seq as usize * 13) % 300 && body.iter().all(|&b| b == seq as u8 | 1));
                            break body.len();
                        }
                        None => std::thread::yield_now(),
                    }
                };
                consumer.release(size);
            }
        });
    }
}
