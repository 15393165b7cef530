//! The fastbox: a ring of cache lines from one process to another.
//!
//! The paper's fastbox (§3.2) is one buffer with a full/empty flag for each pair of processes. This
//! one is a ring of lines, so that a burst need not wait for the receiver, and the packet's
//! sequence number is the flag:
//!
//! ```text
//!   line 0                     line 1                     line 2 …
//!   [seq|header|40 bytes]      [seq|header|40 bytes …     … continued, 64 bytes a line]
//! ```
//!
//! A packet of up to 40 bytes is one line: header, payload and the flag move between caches in one
//! transfer. A longer packet continues in the following lines and never wraps around: if it does
//! not fit before the end of the ring, a SKIP line sends the receiver to line 0.
//!
//! The sequence number counts all packets of the pair, in the fastbox and in the queue, so a line
//! is "full" only if it holds the very next packet of the pair. This orders the fastbox against the
//! queue. Payload bytes can lie where the receiver polls for a sequence number one lap later. While
//! such bytes lie ahead, the sender zeroes the stamp of the line after each packet before it
//! publishes the packet. Old sequence numbers in old lines are smaller and do not match. But
//! numbers wrap around after 2^31 packets, so when nearly all packets went by the queue, each end
//! zeroes the old numbers in its lines ([`Producer::bypassed`], [`Consumer::bypassed`]).
//!
//! The receiver publishes how far it has read in a word of its own line, once per quarter of the
//! ring. The sender reads that word only when its own count says that the ring could be full. In
//! the steady state each packet thus costs one line transfer and nothing else. A receiver that
//! gives lines back learns whether it published that, because the sender may sleep until it does.
//!
//! Roles: one [`Producer`] and one [`Consumer`], each in one process. Ordering edges:
//! * E1 *packet*: the producer's writes to the lines → Release store of the stamp → Acquire load in
//!   `peek`.
//! * E2 *space*: the consumer's reads → Release store of `consumed` → Acquire load in
//!   `Producer::reserve`, before the lines are written again.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, AtomicU64, Ordering};
use nemesis_wire::{
    CACHE_LINE_BYTES, HEADER_BYTES, Header, LINE_PAYLOAD_BYTES, Seq, kind, next_seq,
};
use std::hint::cold_path;

/// The memory in which the ring's lines lie: the segment, or a test's memory.
pub trait Lines {
    /// The position of a line, by which the line after it is found without an index.
    type Position: Copy + std::fmt::Debug;
    /// Returns the number of lines, a power of two from 4 to 512.
    fn count(&self) -> u64;
    /// Returns the position of line `index`.
    fn position(&self, index: u64) -> Self::Position;
    /// Returns the position of the line that follows `position`. Must not be called for the last
    /// line of the ring.
    fn following(&self, position: Self::Position) -> Self::Position;
    /// Returns the first word of a line: the sequence number of the packet that begins there.
    fn stamp(&self, position: Self::Position) -> &AtomicU32;
    /// Prefetches line `index`, which will be written soon.
    fn prefetch_to_write(&self, _index: u64) {}
    /// Prefetches the line `PREFETCH_LINES` lines after `position`, which will be written soon.
    /// Has no effect if the ring ends before.
    fn prefetch_ahead_to_write(&self, _position: Self::Position) {}
    /// Prefetches the line `lines` lines after `position`, at most `PREFETCH_LINES`, which will
    /// be read soon. Has no effect if the ring ends before.
    fn prefetch_to_read(&self, _position: Self::Position, _lines: usize) {}
    /// Returns the number of lines after the first that are prefetched while a receiver waits for a
    /// packet.
    fn lines_to_prefetch(&self) -> u64 {
        0
    }
    /// [Claims](crate::copy::claim) the `lines` lines from `position` on, which the receiver has
    /// read, where claiming is worth its cost. The ring does not end before the last of them.
    ///
    /// # Safety
    /// The lines belong to a packet that was published to the calling consumer and not given back.
    unsafe fn claim(&self, _position: Self::Position, _lines: u64) {}
    /// Returns the count of lines that the receiver has given back since the beginning.
    fn consumed(&self) -> &AtomicU64;
    /// Writes a packet into the lines from `position` on, except for its stamp, which is returned.
    ///
    /// # Safety
    /// The lines of the packet belong to the calling producer and the packet ends within the ring.
    unsafe fn fill(&self, position: Self::Position, header: &Header, payload: &[u8]) -> &AtomicU32;
    /// Returns the packet that begins at `position`. The payload has the length that its header
    /// contains, cut at the end of the ring.
    ///
    /// # Safety
    /// The packet was published to the calling consumer and not given back.
    unsafe fn packet(&self, position: Self::Position) -> (Header, &[u8]);
    /// Returns the packet that begins at `position` if it occupies one line, has that kind and no
    /// flags, and its payload is at most `most` bytes long.
    ///
    /// # Safety
    /// As [`packet`](Self::packet).
    #[inline(always)]
    unsafe fn peek_line(
        &self,
        position: Self::Position,
        kind: u8,
        most: usize,
    ) -> Option<(Header, &[u8])> {
        // SAFETY: the caller's promise.
        let (header, payload) = unsafe { self.packet(position) };
        let is_one = header.kind == kind
            && header.flags == 0
            && payload.len() <= most.min(LINE_PAYLOAD_BYTES);
        is_one.then_some((header, payload))
    }

    /// Returns the kind of the packet that begins at `position`.
    ///
    /// # Safety
    /// As [`packet`](Self::packet).
    #[inline(always)]
    unsafe fn kind(&self, position: Self::Position) -> u8 {
        // SAFETY: the caller's promise.
        unsafe { self.packet(position) }.0.kind
    }
}

/// Returns the number of lines that a packet with `size` bytes of payload occupies.
#[inline(always)]
pub fn lines_for(size: usize) -> u64 {
    if size <= LINE_PAYLOAD_BYTES {
        1
    } else {
        (HEADER_BYTES + size).div_ceil(CACHE_LINE_BYTES) as u64
    }
}

/// Returns the longest payload for a ring of `count` lines: a quarter of the ring, so that a sender
/// that waits for space always gets it.
pub const fn max_payload(count: u64) -> usize {
    (count / 4) as usize * CACHE_LINE_BYTES - HEADER_BYTES
}

/// Distance, in lines, at which both ends prefetch: far enough that the other end does not use the
/// line, and that many lines are under way at once. Moving a line from one processor to the other
/// takes ten times as long as handling a packet.
const PREFETCH_LINES: usize = 8;

/// One of this many waits that find no packet at first polls no further.
const FAIRNESS_PERIOD: u8 = 32;

/// Sequence numbers may advance this far before the lines are wiped again. It is a quarter of all
/// numbers, so that the wipes of both ends together leave no line unwiped for a whole round of
/// numbers.
const WIPE_AFTER: Seq = 1 << 30;

/// The sending end of a fastbox.
///
/// # Examples
/// ```
/// use nemesis_shm::fastbox::{BOX_BYTES, Consumer, MappedLines, Producer};
/// use nemesis_wire::{FIRST_CLIENT_KIND, FIRST_SEQ, Header};
///
/// #[repr(align(64))]
/// struct Memory([u8; BOX_BYTES]);
///
/// let mut memory = Box::new(Memory([0; BOX_BYTES]));
/// let base = memory.0.as_mut_ptr();
/// // SAFETY: the memory is aligned, all zero and long enough, and outlives the only two ends.
/// let (mut producer, mut consumer) = unsafe {
///     (Producer::new(MappedLines::new(base)), Consumer::new(MappedLines::new(base)))
/// };
///
/// let header = Header { seq: FIRST_SEQ, kind: FIRST_CLIENT_KIND, size: 5, ..Header::default() };
/// assert!(producer.try_send(&header, b"hello"));
/// assert_eq!(consumer.peek(FIRST_SEQ), Some((header, &b"hello"[..])));
/// let is_space_published = consumer.release(5);
/// assert!(!is_space_published, "once in a quarter of the ring");
/// ```
#[derive(Debug)]
pub struct Producer<L: Lines> {
    lines: L,
    /// Position of the next packet's line.
    here: L::Position,
    /// Number of lines that will have been used since the beginning when all `ready` lines are
    /// used.
    until: u64,
    /// The last value that was read from `consumed`.
    consumed: u64,
    /// Number of one-line packets that the fast path can send: their lines are free and contiguous,
    /// and no payload lies where the receiver polls for sequence numbers.
    ready: u16,
    /// Number of lines from the next one on that may hold payload of the previous lap where the
    /// receiver polls for sequence numbers.
    stale_payload_lines: u16,
    /// The pair's sequence number when the free lines were last wiped.
    wiped: Seq,
}

impl<L: Lines> Producer<L> {
    /// Creates the sending end of an empty ring.
    pub fn new(lines: L) -> Self {
        let (here, count) = (lines.position(0), lines.count());
        Producer {
            lines,
            here,
            until: count,
            consumed: 0,
            ready: count as u16,
            stale_payload_lines: 0,
            wiped: 0,
        }
    }

    /// Returns the number of lines used since the beginning.
    pub fn lines_used(&self) -> u64 {
        self.until - u64::from(self.ready)
    }

    /// Sends one packet; false if the ring has no space for it now. `header.seq` is the pair's next
    /// sequence number and `header.size` the length of `payload`, which is at most [`max_payload`].
    #[inline(always)]
    pub fn try_send(&mut self, header: &Header, payload: &[u8]) -> bool {
        debug_assert!(
            payload.len() == header.size as usize
                && payload.len() <= max_payload(self.lines.count())
        );
        self.try_send_line(*header, &mut header.seq.clone(), payload)
            || self.try_send_slow(header, payload)
    }

    /// Sends a packet of one line by the fast path; false if the fast path cannot send it. The
    /// packet's number is `seq` instead of the header's, and `seq` advances to the next number.
    #[inline(always)]
    pub fn try_send_line(&mut self, header: Header, seq: &mut Seq, payload: &[u8]) -> bool {
        if payload.len() > LINE_PAYLOAD_BYTES || self.ready == 0 {
            cold_path();
            return false;
        }
        self.lines.prefetch_ahead_to_write(self.here);
        // SAFETY: the line was given back; `ready` counts such lines.
        let stamp = unsafe { self.lines.fill(self.here, &header, payload) };
        let number = *seq;
        // Release (E1): as in `put`.
        stamp.store(number, Ordering::Release);
        *seq = next_seq(number);
        self.here = self.lines.following(self.here);
        self.ready -= 1;
        true
    }

    /// Makes the fast path decline until a packet has been sent by the slow path: the caller has to
    /// check flow control before the next packet.
    pub fn force_slow_path(&mut self) {
        (self.until, self.ready) = (self.lines_used(), 0);
    }

    /// Sends a packet of several lines, or one that finds the ring full or old payload ahead. The
    /// packet's lines are contiguous, so a rest of the ring may stay unused. The line after the
    /// packet must be free as well, and loses its stamp.
    #[inline(never)]
    fn try_send_slow(&mut self, header: &Header, payload: &[u8]) -> bool {
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
        // Relaxed: the receiver polls here only after it has seen the packet, the stamp of which
        // orders this store.
        self.stamp(end).store(0, Ordering::Relaxed);
        self.put(begin, header, payload);
        if skip > 0 {
            self.put(tail, &Header { seq: header.seq, kind: kind::SKIP, ..Header::default() }, &[]);
        }
        let used = (end - tail) as u16;
        self.stale_payload_lines =
            if need > 1 { count as u16 } else { self.stale_payload_lines.saturating_sub(used) };
        for line in end + 1..=end + need {
            self.lines.prefetch_to_write(line & (count - 1));
        }
        self.update_fast_path(end);
        true
    }

    /// Writes a packet into lines that were found free and that end within the ring.
    #[inline(always)]
    fn put(&mut self, line: u64, header: &Header, payload: &[u8]) {
        let position = self.lines.position(line & (self.lines.count() - 1));
        // SAFETY: `reserve` (now or earlier) found these lines given back, and callers skip an end
        // of the ring that is too short.
        let stamp = unsafe { self.lines.fill(position, header, payload) };
        // Release (E1): publishes the lines; pairs with the Acquire in `Consumer::peek`.
        stamp.store(header.seq, Ordering::Release);
    }

    /// Returns the stamp of line number `line` since the beginning.
    fn stamp(&self, line: u64) -> &AtomicU32 {
        self.lines.stamp(self.lines.position(line & (self.lines.count() - 1)))
    }

    /// Updates the state of the fast path after `tail` lines have been used.
    fn update_fast_path(&mut self, tail: u64) {
        let index = tail & (self.lines.count() - 1);
        let free = self.consumed + self.lines.count() - tail;
        let ready =
            if self.stale_payload_lines > 0 { 0 } else { free.min(self.lines.count() - index) };
        (self.here, self.ready, self.until) =
            (self.lines.position(index), ready as u16, tail + ready);
    }

    /// Whether the receiver has given back lines that this end does not know of.
    pub fn has_new_space(&self) -> bool {
        // Relaxed: only a hint; `reserve` orders what it finds.
        self.lines.consumed().load(Ordering::Relaxed) != self.consumed
    }

    /// Reads how far the receiver is; true if all lines before `end` are free.
    #[cold]
    fn reserve(&mut self, end: u64) -> bool {
        // Acquire (E2): the receiver has finished reading the lines that it counts; pairs with the
        // Release in `Consumer::publish`.
        let consumed = self.lines.consumed().load(Ordering::Acquire);
        // A correct receiver's count never decreases and never passes this end's. If it does, the
        // ring stays full for ever, and the queue serves instead.
        if consumed >= self.consumed && consumed <= self.lines_used() {
            self.consumed = consumed;
            self.update_fast_path(self.lines_used());
        }
        end - self.consumed <= self.lines.count()
    }

    /// Notes that packet `seq` goes by the queue, or by a network. The owner of this end calls it
    /// for each such packet, so that old numbers do not outlive a round of all numbers.
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
            // Relaxed: a receiver that polls here meanwhile finds the old number or 0, and it
            // expects neither.
            self.stamp(line).store(0, Ordering::Relaxed);
        }
    }
}

/// The result of [`Consumer::drain`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drained {
    /// Number of packets that were taken.
    pub packets: u32,
    /// Whether the space that was given back has been published to the producer, which may sleep
    /// until then.
    pub space_published: bool,
}

/// The receiving end of a fastbox.
#[derive(Debug)]
pub struct Consumer<L: Lines> {
    lines: L,
    /// Position of the next packet's line.
    here: L::Position,
    /// Number of lines that will have been read since the beginning at the end of the run.
    until: u64,
    /// The pair's sequence number when `consumed` was last published for the producer's wipe.
    wiped: Seq,
    /// Number of contiguous lines to read until `consumed` is published: a quarter of the ring, or
    /// the lines before its end.
    run: u8,
    /// Length of the run at its beginning.
    whole_run: u8,
    /// Number of waits that found nothing at their first poll, modulo 256.
    empty_waits: u8,
    /// Number of lines after the first that the next packet probably has, as the previous one had.
    /// They are prefetched while a receiver waits for it.
    further_lines: u8,
}

impl<L: Lines> Consumer<L> {
    /// Creates the receiving end of an empty ring.
    pub fn new(lines: L) -> Self {
        let (here, run) = (lines.position(0), lines.count() / 4);
        Consumer {
            lines,
            here,
            until: run,
            wiped: 0,
            run: run as u8,
            whole_run: run as u8,
            empty_waits: 0,
            further_lines: 0,
        }
    }

    /// Returns the number of lines read since the beginning.
    pub fn lines_used(&self) -> u64 {
        self.until - u64::from(self.run)
    }

    /// Whether packet `expected` has arrived: one load.
    #[inline(always)]
    pub fn is_ready(&self, expected: Seq) -> bool {
        // Relaxed: only a hint; `peek` orders what it finds.
        self.lines.stamp(self.here).load(Ordering::Relaxed) == expected
    }

    /// Returns packet `expected` if it has arrived. [`release`](Self::release) gives its lines
    /// back.
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

    /// Returns packet `expected` as [`peek`](Self::peek) does, with `polls` more polls if it has
    /// not arrived, and without following a SKIP, which is returned as a packet. Now and then it
    /// does not poll again: two processes that answer each other would otherwise never poll for
    /// packets of others.
    #[inline(always)]
    pub fn wait(&mut self, expected: Seq, polls: u32) -> Option<(Header, &[u8])> {
        // Acquire (E1): pairs with the Release in `Producer::put`.
        if self.lines.stamp(self.here).load(Ordering::Acquire) != expected
            && !self.poll_again(expected, polls)
        {
            return None;
        }
        // SAFETY: the stamp published the packet and we have not given it back.
        Some(unsafe { self.lines.packet(self.here) })
    }

    /// Returns packet `expected` if it has arrived, occupies one line, has that kind and no flags,
    /// its payload is at most `most` bytes long, and giving its line back need not be published.
    /// [`release_line`](Self::release_line) gives the line back.
    #[inline(always)]
    pub fn peek_line(&self, expected: Seq, kind: u8, most: usize) -> Option<(Header, &[u8])> {
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
        unsafe { self.lines.peek_line(self.here, kind, most) }
    }

    #[inline(always)]
    fn poll_again(&mut self, expected: Seq, mut polls: u32) -> bool {
        if polls == 0 {
            return false;
        }
        self.empty_waits = self.empty_waits.wrapping_add(1);
        if self.empty_waits.is_multiple_of(FAIRNESS_PERIOD) {
            return false;
        }
        if self.further_lines > 0 {
            polls = self.poll_and_prefetch(expected, polls);
            if polls == 0 {
                return false;
            }
        }
        // Acquire (E1): as in `wait`.
        while self.lines.stamp(self.here).load(Ordering::Acquire) != expected {
            polls -= 1;
            if polls == 0 {
                return false;
            }
        }
        true
    }

    /// Polls until the packet seems to have arrived, and prefetches its further lines, which then
    /// arrive together with the first. Returns the number of polls that are left; each prefetched
    /// line counts as one.
    #[inline(never)]
    fn poll_and_prefetch(&self, expected: Seq, mut polls: u32) -> u32 {
        while polls > 0 && !self.is_ready(expected) {
            for line in 1..=usize::from(self.further_lines) {
                self.lines.prefetch_to_read(self.here, line);
            }
            polls = polls.saturating_sub(1 + u32::from(self.further_lines));
        }
        polls
    }

    /// Takes packets from `expected` on, at most `most`, as long as they have arrived and `take`
    /// accepts them, and gives them back. Polls `polls` more times for the first. `expected`
    /// becomes the next packet's number.
    #[inline(always)]
    pub fn drain(
        &mut self,
        expected: &mut Seq,
        polls: u32,
        most: u32,
        mut take: impl FnMut(&Header, &[u8]) -> bool,
    ) -> Drained {
        let (mut next, mut polls, mut packets, mut space_published) = (*expected, polls, 0, false);
        while packets < most
            && let Some((header, payload)) = self.wait(next, polls)
        {
            let size = payload.len();
            if !take(&header, payload) {
                break;
            }
            space_published |= self.release(size);
            self.prefetch_later_packet();
            next = next_seq(next);
            (polls, packets) = (0, packets + 1);
        }
        *expected = next;
        Drained { packets, space_published }
    }

    /// Follows a SKIP: the packet lies at the beginning of the ring. The lines before it are given
    /// back together with it, because its run ends with its first line.
    #[cold]
    fn skip(&mut self) {
        let (begin, count) = (self.until - u64::from(self.whole_run), self.lines.count());
        let head = self.lines_used().next_multiple_of(count);
        (self.here, self.until, self.run, self.whole_run) =
            (self.lines.position(0), head + 1, 1, (head + 1 - begin) as u8);
    }

    /// Gives back the packet that `peek` returned; `size` is its header's. Returns whether that was
    /// published to the producer, which may sleep until then.
    #[inline(always)]
    #[must_use = "the producer may sleep until space is published"]
    pub fn release(&mut self, size: usize) -> bool {
        if size <= LINE_PAYLOAD_BYTES {
            self.further_lines = 0;
            self.release_line();
            let ends = self.run == 0;
            if ends {
                self.publish();
            }
            ends
        } else {
            let lines = lines_for(size);
            self.further_lines = (lines - 1).min(self.lines.lines_to_prefetch()) as u8;
            // SAFETY: the packet that was returned is given back below.
            unsafe { self.lines.claim(self.here, lines) }
            self.advance(lines)
        }
    }

    /// Gives back the line that [`peek_line`](Self::peek_line) returned.
    #[inline(always)]
    pub fn release_line(&mut self) {
        self.here = self.lines.following(self.here);
        self.run -= 1;
    }

    /// Gives back `lines` lines; true if that was published.
    fn advance(&mut self, lines: u64) -> bool {
        let ends = lines >= u64::from(self.run);
        if ends {
            (self.until, self.run) = (self.lines_used() + lines, 0);
            self.publish();
        } else {
            self.run -= lines as u8;
            self.here = self.lines.position(self.lines_used() & (self.lines.count() - 1));
        }
        ends
    }

    /// Prefetches the line of a later packet, because more packets may have arrived.
    #[inline(always)]
    pub fn prefetch_later_packet(&self) {
        self.lines.prefetch_to_read(self.here, PREFETCH_LINES);
    }

    /// Publishes how far this end has read, and begins a run there.
    #[inline(always)]
    fn publish(&mut self) {
        let head = self.lines_used();
        // Release (E2): our reads come before it; pairs with the Acquire in `Producer::reserve`.
        self.lines.consumed().store(head, Ordering::Release);
        let count = self.lines.count();
        let index = head & (count - 1);
        let run = (count / 4).min(count - index);
        self.here = self.lines.position(index);
        (self.until, self.run, self.whole_run) = (head + run, run as u8, run as u8);
    }

    /// Notes that packet `seq` came by the queue or a network: the receiver's side of
    /// [`Producer::bypassed`].
    #[inline(always)]
    pub fn bypassed(&mut self, seq: Seq) {
        if seq.wrapping_sub(self.wiped) > WIPE_AFTER {
            self.wipe(seq);
        }
    }

    /// Gives back all lines that were read, and wipes those that the producer's last wipe could not
    /// reach.
    #[cold]
    fn wipe(&mut self, seq: Seq) {
        self.wiped = seq;
        let count = self.lines.count();
        for line in self.until - u64::from(self.whole_run)..self.lines_used() {
            // Relaxed: ordered before the producer's next use of the line by E2.
            self.lines.stamp(self.lines.position(line & (count - 1))).store(0, Ordering::Relaxed);
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
        // SAFETY: aligned, zeroed, long enough, and outlives both ends in every test below.
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
                    "an emptied ring has space"
                );
            }
            sent = next_seq(sent);
        }
        assert!(received > 1000);
    }

    #[test]
    fn a_packet_ahead_of_its_turn_stays_in_the_fastbox() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        assert!(producer.try_send(&header(2, 4), &[1; 4]));
        assert!(consumer.peek(1).is_none(), "packet 1 went by the queue and comes first");
        assert!(consumer.peek(2).is_some());
    }

    #[test]
    fn a_number_of_the_last_round_is_no_packet() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        // More than a lap, so that the next line holds an old packet; not a whole quarter more, so
        // that some lines are read but not given back.
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
                .stamp(consumer.lines.position(line))
                .load(Ordering::Relaxed)
                == 0),
            "every line was wiped by one of the ends"
        );
    }

    #[test]
    fn the_fast_path_declines_once() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let mut seq = 1;
        assert!(producer.try_send_line(header(1, 8), &mut seq, &[1; 8]) && seq == 3);
        producer.force_slow_path();
        assert!(!producer.try_send_line(header(3, 8), &mut seq, &[2; 8]) && seq == 3);
        assert!(producer.try_send(&header(3, 8), &[2; 8]));
        seq = next_seq(seq);
        assert!(producer.try_send_line(header(5, 8), &mut seq, &[3; 8]));
        let mut expected = 1;
        assert_eq!((consumer.drain(&mut expected, 0, 64, |_, _| true).packets, expected), (3, 7));
    }

    #[test]
    fn draining_ends_with_the_first_packet_that_is_not_accepted() {
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
        assert_eq!(consumer.drain(&mut expected, 0, 3, &mut take).packets, 3);
        assert_eq!((consumer.drain(&mut expected, 0, 64, &mut take).packets, expected), (2, 11));
        assert_eq!(consumer.drain(&mut expected, 5, 64, |_, _| true).packets, 4);
        assert_eq!((consumer.drain(&mut expected, 5, 64, |_, _| true).packets, expected), (0, 19));
        assert_eq!(seen, [(1, 1), (3, 3), (5, 5), (7, 7), (9, 9)]);
    }

    #[test]
    fn space_is_published_once_in_a_quarter_of_the_ring() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let (mut published, mut given_back) = (0, 0);
        for round in 0..20_000 {
            let size = [8, 3000, 40, 700][round % 4];
            let seq = 2 * round as Seq + 1;
            assert!(
                producer.try_send(&header(seq, size), &vec![1; size])
                    && consumer.peek(seq).is_some()
            );
            let publishes = consumer.release(size);
            given_back += lines_for(size);
            let now = consumer.lines.consumed().load(Ordering::Relaxed);
            assert_eq!(publishes, now != published, "a change is reported");
            assert!(!publishes || producer.has_new_space());
            published = now;
            assert!(
                consumer.lines_used() - published < BOX_LINES / 2,
                "{} lines are read and not published",
                consumer.lines_used() - published
            );
        }
        assert!(
            given_back <= published + BOX_LINES,
            "lines that were skipped are given back as well"
        );
    }

    #[test]
    fn one_poll_takes_one_line_of_the_kind() {
        let mut memory = Box::new(Memory([0; BOX_BYTES]));
        let (mut producer, mut consumer) = pair(&mut memory);
        let kind = header(1, 0).kind;
        // Several laps, so that runs begin and end at every line.
        for seq in 1..2000 {
            let size = [8, 40, 41, 0, 200][seq as usize % 5];
            assert!(consumer.peek_line(seq, kind, 1 << 20).is_none(), "it is not sent yet");
            assert!(producer.try_send(&header(seq, size), &vec![seq as u8; size]));
            assert!(
                consumer.peek_line(seq, kind + 1, 1 << 20).is_none()
                    && consumer.peek_line(seq, kind - 1, 1 << 20).is_none()
            );
            assert!(
                size == 0 || consumer.peek_line(seq, kind, size - 1).is_none(),
                "the payload is longer than allowed"
            );
            match consumer.peek_line(seq, kind, size) {
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
                && consumer.peek_line(2000, kind, 8).is_none()
                && consumer.peek(2000).is_some()
        );
    }

    #[test]
    fn a_disconnected_ring_has_no_packet_and_accepts_none() {
        let (mut producer, mut consumer) = (Producer::disconnected(), Consumer::disconnected());
        let mut seq = 1;
        assert!(!producer.try_send_line(header(1, 8), &mut seq, &[1; 8]) && seq == 1);
        assert!(
            !consumer.is_ready(1)
                && consumer.peek_line(1, 16, 8).is_none()
                && consumer.connected().is_none()
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
