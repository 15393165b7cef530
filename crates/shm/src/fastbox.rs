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
//! count says that the ring could be full. So in the steady state each packet costs one line transfer and nothing else. Who gives lines back learns
//! whether that told the sender, which may sleep until it is told.
//!
//! Roles: one [`Producer`], one [`Consumer`], each in one process. Ordering edges:
//! * E1 *packet*: the producer's writes to the lines → Release store of the stamp → Acquire load in `peek`.
//! * E2 *room*: the consumer's reads → Release store of `consumed` → Acquire load in `Producer::reserve`, before the lines are written again.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, AtomicU64, Ordering};
use nemesis_wire::{
    CACHE_LINE_BYTES, HEADER_BYTES, Header, LINE_PAYLOAD_BYTES, Seq, kind, next_seq,
};
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
    /// The same for the line [`AHEAD`] of this one; where the ring ends before, nothing happens.
    fn prepare_ahead(&self, _place: Self::Place) {}
    /// The line so many behind this one, at most [`AHEAD`], will be read soon; where the ring ends before, nothing happens.
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
        let is_one = header.kind == kind
            && header.flags == 0
            && payload.len() <= most.min(LINE_PAYLOAD_BYTES);
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
    if size <= LINE_PAYLOAD_BYTES {
        1
    } else {
        (HEADER_BYTES + size).div_ceil(CACHE_LINE_BYTES) as u64
    }
}

/// The longest payload for a ring of `count` lines: a quarter of it, so that a sender that waits for room always gets it.
pub const fn max_payload(count: u64) -> usize {
    (count / 4) as usize * CACHE_LINE_BYTES - HEADER_BYTES
}

/// So many lines ahead both ends ask for one: far enough that the other is not at work there, and that many lines are on their way at once. What a line takes
/// from one processor to the other is ten times what the work on a packet does.
const AHEAD: usize = 8;

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
        Producer {
            lines,
            here,
            until: count,
            consumed: 0,
            ready: count as u16,
            littered: 0,
            wiped: 0,
        }
    }

    /// Lines used since the beginning.
    pub fn lines_used(&self) -> u64 {
        self.until - u64::from(self.ready)
    }

    /// Sends one packet; false when the ring has no room for it now. `header.seq` is the pair's next sequence number and `header.size` the
    /// length of `payload`, which is at most `max_payload`.
    #[inline(always)]
    pub fn try_send(&mut self, header: &Header, payload: &[u8]) -> bool {
        debug_assert!(
            payload.len() == header.size as usize
                && payload.len() <= max_payload(self.lines.count())
        );
        self.try_send_line(*header, &mut header.seq.clone(), payload)
            || self.try_send_with_care(header, payload)
    }

    /// Sends a packet of one line if that needs no thought. Its number is `seq` in the place of the header's, and goes on to the next.
    #[inline(always)]
    pub fn try_send_line(&mut self, header: Header, seq: &mut Seq, payload: &[u8]) -> bool {
        if payload.len() > LINE_PAYLOAD_BYTES || self.ready == 0 {
            cold_path();
            return false;
        }
        self.lines.prepare_ahead(self.here);
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

    /// Whether the receiver has told of more lines than we know.
    pub fn has_news(&self) -> bool {
        // Relaxed: only a hint; `reserve` orders what it finds.
        self.lines.consumed().load(Ordering::Relaxed) != self.consumed
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

/// Packets that were taken one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drained {
    /// How many.
    pub taken: u32,
    /// Whether giving them back told the producer, who may sleep until it is told.
    pub told: bool,
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
        Consumer {
            lines,
            here,
            until: run,
            settled: 0,
            run: run as u8,
            whole_run: run as u8,
            vain: 0,
            further: 0,
        }
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
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected
            && !self.look_again(expected, looks)
        {
            return None;
        }
        // SAFETY: the stamp published the packet and we have not given it back.
        Some(unsafe { self.lines.packet(self.here) })
    }

    /// Shows packet `expected` if it is there, takes one line, is of that kind, has no flags, and at most so many bytes, and if nobody is to be told when its
    /// line is given back, which [`release_line`](Self::release_line) does.
    #[inline(always)]
    pub fn line(&self, expected: Seq, kind: u8, most: usize) -> Option<(Header, &[u8])> {
        // Acquire (E1): pairs with the Release in `Producer::put`.
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected {
            cold_path();
            return None;
        }
        if self.run == 1 {
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

    /// Waits until the packet seems to be there, while further lines of it are asked for: they come when the first one does. How many looks are left, where
    /// each of those lines counts as one.
    #[inline(never)]
    fn look_at_several(&self, expected: Seq, mut looks: u32) -> u32 {
        while looks > 0 && !self.is_ready(expected) {
            for line in 1..=usize::from(self.further) {
                self.lines.expect(self.here, line);
            }
            looks = looks.saturating_sub(1 + u32::from(self.further));
        }
        looks
    }

    /// Takes packets from `expected` on, `most` at most, one after the other while they are there and `take` wants them, and gives them back; with so
    /// many more looks for the first. How many; `expected` is the next one's number.
    #[inline(always)]
    pub fn drain(
        &mut self,
        expected: &mut Seq,
        looks: u32,
        most: u32,
        mut take: impl FnMut(&Header, &[u8]) -> bool,
    ) -> Drained {
        let (mut next, mut looks, mut taken, mut told) = (*expected, looks, 0, false);
        while taken < most
            && let Some((header, payload)) = self.wait(next, looks)
        {
            let size = payload.len();
            if !take(&header, payload) {
                break;
            }
            told |= self.release(size);
            self.look_ahead();
            next = next_seq(next);
            (looks, taken) = (0, taken + 1);
        }
        *expected = next;
        Drained { taken, told }
    }

    /// The packet lies at the beginning of the ring. The lines before it are given back together with it, as its run ends with its first one.
    #[cold]
    fn skip(&mut self) {
        let (begin, count) = (self.until - u64::from(self.whole_run), self.lines.count());
        let head = self.lines_used().next_multiple_of(count);
        (self.here, self.until, self.run, self.whole_run) =
            (self.lines.place(0), head + 1, 1, (head + 1 - begin) as u8);
    }

    /// Gives back the packet that `peek` showed; `size` is its header's. Whether that told the producer, who may sleep until it is told.
    #[inline(always)]
    #[must_use = "the producer may sleep until it is told"]
    pub fn release(&mut self, size: usize) -> bool {
        if size <= LINE_PAYLOAD_BYTES {
            self.further = 0;
            self.release_line();
            let ends = self.run == 0;
            if ends {
                self.publish();
            }
            ends
        } else {
            let lines = lines_for(size);
            self.further = (lines - 1).min(self.lines.worth_expecting()) as u8;
            // SAFETY: the packet that was shown is given back below.
            unsafe { self.lines.take(self.here, lines) }
            self.advance(lines)
        }
    }

    /// Gives back the line that [`line`](Self::line) showed.
    #[inline(always)]
    pub fn release_line(&mut self) {
        self.here = self.lines.behind(self.here);
        self.run -= 1;
    }

    fn advance(&mut self, lines: u64) -> bool {
        let ends = lines >= u64::from(self.run);
        if ends {
            (self.until, self.run) = (self.lines_used() + lines, 0);
            self.publish();
        } else {
            self.run -= lines as u8;
            self.here = self.lines.place(self.lines_used() & (self.lines.count() - 1));
        }
        ends
    }

    /// More packets are perhaps there: fetches one that comes later.
    #[inline(always)]
    pub fn look_ahead(&self) {
        self.lines.expect(self.here, AHEAD);
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
mod mapped;
#[cfg(not(loom))]
pub use mapped::{BOX_BYTES, BOX_LINES, MappedLines};

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
        Header {
            seq,
            kind: 16,
            flags: 0,
            size: size as u16,
            context: u64::from(seq),
            tag: 5,
            rank: 1,
        }
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
                    assert_eq!(
                        (head, body),
                        (header(received, body.len()), &payload[..body.len()])
                    );
                    let size = body.len();
                    let _ = consumer.release(size);
                    received = next_seq(received);
                }
                assert!(
                    producer.try_send(&header(sent, size), &payload[..size]),
                    "an emptied ring has room"
                );
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
            let _ = consumer.release(8);
        }
        for seq in (in_box + 1..=Seq::MAX).step_by(1 << 24).chain([Seq::MAX]) {
            producer.bypassed(seq);
            consumer.bypassed(seq);
        }
        for seq in 1..=in_box {
            assert!(
                !consumer.is_ready(seq) && consumer.peek(seq).is_none(),
                "{seq} is a packet of the last round"
            );
        }
        assert!(
            (0..BOX_LINES).all(|line| consumer
                .lines
                .stamp(consumer.lines.place(line))
                .load(Ordering::Relaxed)
                == 0),
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
        assert_eq!((consumer.drain(&mut expected, 0, 64, |_, _| true).taken, expected), (3, 7));
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
        assert_eq!(consumer.drain(&mut expected, 0, 3, &mut take).taken, 3);
        assert_eq!((consumer.drain(&mut expected, 0, 64, &mut take).taken, expected), (2, 11));
        assert_eq!(consumer.drain(&mut expected, 5, 64, |_, _| true).taken, 4);
        assert_eq!((consumer.drain(&mut expected, 5, 64, |_, _| true).taken, expected), (0, 19));
        assert_eq!(seen, [(1, 1), (3, 3), (5, 5), (7, 7), (9, 9)]);
    }

    #[test]
    fn the_producer_is_told_once_in_a_quarter_of_the_ring_and_hears_of_it() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let (mut told, mut given_back) = (0, 0);
        for round in 0..20_000 {
            let size = [8, 3000, 40, 700][round % 4];
            let seq = 2 * round as Seq + 1;
            assert!(
                producer.try_send(&header(seq, size), &vec![1; size])
                    && consumer.peek(seq).is_some()
            );
            let tells = consumer.release(size);
            given_back += lines_for(size);
            let now = consumer.lines.consumed().load(Ordering::Relaxed);
            assert_eq!(tells, now != told, "a change is told of");
            assert!(!tells || producer.has_news());
            told = now;
            assert!(
                consumer.lines_used() - told < BOX_LINES / 2,
                "{} lines are read and not told of",
                consumer.lines_used() - told
            );
        }
        assert!(given_back <= told + BOX_LINES, "lines that were left out are given back as well");
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
            assert!(
                consumer.line(seq, kind + 1, 1 << 20).is_none()
                    && consumer.line(seq, kind - 1, 1 << 20).is_none()
            );
            assert!(
                size == 0 || consumer.line(seq, kind, size - 1).is_none(),
                "there is no room for so many bytes"
            );
            match consumer.line(seq, kind, size) {
                Some((_, payload)) => {
                    assert!(size <= LINE_PAYLOAD_BYTES && payload == vec![seq as u8; size]);
                    consumer.release_line();
                }
                None => {
                    assert!(
                        (size > LINE_PAYLOAD_BYTES || consumer.run == 1)
                            && consumer.peek(seq).is_some()
                    );
                    let _ = consumer.release(size);
                }
            }
        }
        assert!(consumer.run > 1);
        let flagged = Header { flags: 1, ..header(2000, 8) };
        assert!(
            producer.try_send(&flagged, &[1; 8])
                && consumer.line(2000, kind, 8).is_none()
                && consumer.peek(2000).is_some()
        );
    }

    #[test]
    fn a_ring_that_is_nowhere_has_nothing_and_takes_nothing() {
        let (mut producer, mut consumer) = (Producer::nowhere(), Consumer::nowhere());
        let mut seq = 1;
        assert!(!producer.try_send_line(header(1, 8), &mut seq, &[1; 8]) && seq == 1);
        assert!(
            !consumer.is_ready(1)
                && consumer.line(1, 16, 8).is_none()
                && consumer.existing().is_none()
        );
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
                            assert!(
                                body.len() == (seq as usize * 13) % 300
                                    && body.iter().all(|&b| b == seq as u8 | 1)
                            );
                            break body.len();
                        }
                        None => std::thread::yield_now(),
                    }
                };
                let _ = consumer.release(size);
            }
        });
    }
}
