//! A long packet, which the receiver reads while the sender writes it.
//!
//! A long packet lies in a buffer of its sender, and a line of the fastbox announces it to the
//! receiver before any of it is written. The sender writes it in chunks and publishes its progress
//! after each. Meanwhile the receiver copies the chunks that are written: two processors copy at
//! once.
//!
//! ```text
//!   sender    announce ── write, publish ── write, publish ── write, publish      … sees it is
//!   free
//!   receiver        match …  copy           copy              copy ── gives it back
//! ```
//!
//! One word before the payload holds both the sender's progress and that the receiver has given the
//! buffer back. It lies in the line that the sender writes first the next time, so checking whether
//! a buffer is free costs nothing extra.
//!
//! A receiver thus waits inside for a sender that has begun to write and does not stop before the
//! end. Where processes share processors, such a wait would take the time that the sender needs, so
//! there packets are written before they are announced.
//!
//! Ordering edges:
//! * E1 *bytes*: the sender's writes → Release store of the word → Acquire load by the receiver,
//!   which then reads them.
//! * E2 *space*: the receiver's reads → Release store of the word → Acquire load by the sender,
//!   which then writes again.
//! * The zero at the beginning is published with the announcement.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, Ordering};

/// Value of the word, instead of a number of bytes, when the receiver has given the buffer back.
const GIVEN_BACK: u32 = u32::MAX;

/// The progress word of a long packet's buffer.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Progress {
    /// Number of bytes written, or `GIVEN_BACK`.
    word: AtomicU32,
}

impl Progress {
    /// Resets the word and returns the value from which it counts: 0. Only the sender may call
    /// this, while it owns the buffer and before it announces the packet.
    #[inline(always)]
    pub fn reset(&self) -> u32 {
        // Relaxed: published with the announcement.
        self.word.store(0, Ordering::Relaxed);
        0
    }

    /// Returns the value from which the word counts without writing it: the sender counts on from
    /// its current value.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        // Relaxed: no other process writes the word now.
        self.word.load(Ordering::Relaxed)
    }

    /// Publishes that the sender has written up to the value `bytes` of the word.
    #[inline(always)]
    pub fn advance(&self, bytes: u32) {
        // Release (E1): pairs with the Acquire in `written`.
        self.word.store(bytes, Ordering::Release);
    }

    /// Returns the value up to which the sender has written and the receiver may read.
    #[inline(always)]
    pub fn written(&self) -> u32 {
        // Acquire (E1): pairs with the Release in `advance`.
        self.word.load(Ordering::Acquire)
    }

    /// Gives the buffer back to the sender. The receiver calls this when it has read the whole
    /// packet.
    #[inline(always)]
    pub fn give_back(&self) {
        // Release (E2): pairs with the Acquire in `is_free`.
        self.word.store(GIVEN_BACK, Ordering::Release);
    }

    /// Whether the receiver has given the buffer back, so that the sender may write the next
    /// packet.
    #[inline(always)]
    pub fn is_free(&self) -> bool {
        // Acquire (E2): pairs with the Release in `give_back`.
        self.word.load(Ordering::Acquire) == GIVEN_BACK
    }
}

/// The lengths of the chunks in which a packet is written, and how its progress word counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChunkMode {
    /// Chunks of one length: the receiver follows closely and reads from the sender's own cache.
    Even,
    /// Chunks that are longer in a longer packet. Where the sender's own cache answers slowly, the
    /// receiver should not follow too closely.
    Growing,
    /// Growing chunks in a handoff buffer, the lines of which the sender has read last. The
    /// progress word counts on from its current value, so that nothing in the buffer is written
    /// before the announcement. Such a write would wait until the line is in the sender's cache
    /// alone.
    Handoff,
}

#[cfg(not(loom))]
pub use in_memory::LongPacket;
#[cfg(not(loom))]
pub(crate) use in_memory::{prepare, progress_of, write, write_bytes};

#[cfg(not(loom))]
mod in_memory {
    use super::{ChunkMode, Progress};
    use crate::copy::{self, prefetch_for_write};
    use crate::layout::long;
    use crate::word_wait::WordWait;
    use nemesis_sync::AtomicU32;
    use nemesis_sys::host_model;
    use nemesis_wire::CACHE_LINE_BYTES;
    use std::cell::Cell;

    /// Bytes of the first chunk: few, so that the receiver can begin soon.
    const FIRST_CHUNK_BYTES: usize = 512;
    /// Bytes of the other even chunks. Publishing a chunk of this length costs little beside
    /// writing it, and the receiver has little left to copy when the last one is written. Measured
    /// best among 1, 2, 4 and 8 KiB.
    const EVEN_CHUNK_BYTES: usize = 2048;
    /// Number of growing chunks in a packet, without the first.
    const GROWING_CHUNKS: usize = 8;
    /// Shortest and longest growing chunk.
    const GROWING_CHUNK_BYTES: [usize; 2] = [1024, 32 * 1024];
    /// Polls before the receiver yields its processor between two polls: several times what writing
    /// a chunk takes.
    const POLLS_BEFORE_YIELD: u32 = 10_000;

    /// Returns the progress word of a buffer.
    ///
    /// # Safety
    /// `buffer` is a buffer's first byte, mapped until the process ends.
    pub(crate) unsafe fn progress_of(buffer: *mut u8) -> &'static Progress {
        // SAFETY: an aligned word within the buffer (the caller's promise); `Progress` is that
        // word.
        unsafe {
            &*std::ptr::from_ref(AtomicU32::from_ptr(buffer.add(long::PROGRESS).cast()))
                .cast::<Progress>()
        }
    }

    /// Writes a payload of `len` bytes into a buffer in chunks; `fill(begin, chunk)` writes the
    /// chunk that begins at byte `begin`. `announce` tells the receiver of the packet before it is
    /// written. If it returns false, nothing is written and the result is false.
    ///
    /// # Safety
    /// `buffer` is the first byte of a buffer that the caller owns and that has space for the
    /// payload.
    #[inline]
    pub(crate) unsafe fn write(
        buffer: *mut u8,
        len: usize,
        mode: ChunkMode,
        mut fill: impl FnMut(usize, &mut [u8]),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        let chunk = if mode == ChunkMode::Even { EVEN_CHUNK_BYTES } else { growing(len) };
        let put = |destination: *mut u8, begin: usize, end: usize| {
            // The receiver read the lines last time: those of each chunk are prefetched while the
            // one before is written.
            if mode == ChunkMode::Even {
                prefetch(destination, end..len.min(end + chunk));
            }
            // SAFETY: the payload fits into the buffer, the bytes of which from `begin` on are not
            // published to the receiver yet.
            fill(begin, unsafe {
                std::slice::from_raw_parts_mut(destination.add(begin), end - begin)
            });
        };
        // SAFETY: the caller's buffer, and `put` writes the range that it is given.
        unsafe { write_each(buffer, len, mode, [FIRST_CHUNK_BYTES, chunk], put, announce) }
    }

    /// Writes a contiguous payload as [`write()`] does.
    ///
    /// # Safety
    /// As [`write()`].
    #[inline]
    pub(crate) unsafe fn write_bytes(
        buffer: *mut u8,
        payload: &[u8],
        mode: ChunkMode,
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        let len = payload.len();
        if mode != ChunkMode::Even {
            let put = |destination: *mut u8, begin: usize, end: usize| {
                let (from, to) = (payload[begin..end].as_ptr(), destination.wrapping_add(begin));
                // SAFETY: as below.
                unsafe { copy::to_common(from, to, end - begin) }
            };
            // SAFETY: as below.
            return unsafe {
                write_each(buffer, len, mode, [FIRST_CHUNK_BYTES, growing(len)], put, announce)
            };
        }
        let put = |destination: *mut u8, begin: usize, end: usize| {
            if begin == 0 {
                prefetch(destination, FIRST_CHUNK_BYTES..len.min(copy::WRITE_AHEAD_BYTES));
            }
            // SAFETY: the bytes lie within the payload, and as in `write` within the buffer.
            unsafe {
                copy::to_shared(
                    payload.as_ptr().add(begin),
                    destination.add(begin),
                    end - begin,
                    len - begin,
                )
            };
        };
        // SAFETY: the caller's buffer, and `put` writes the range that it is given.
        unsafe {
            write_each(buffer, len, mode, [FIRST_CHUNK_BYTES, EVEN_CHUNK_BYTES], put, announce)
        }
    }

    /// Returns the bytes of each growing chunk of a packet of `len` bytes.
    fn growing(len: usize) -> usize {
        (len / GROWING_CHUNKS)
            .next_multiple_of(CACHE_LINE_BYTES)
            .clamp(GROWING_CHUNK_BYTES[0], GROWING_CHUNK_BYTES[1])
    }

    /// Announces a payload of `len` bytes with the value from which its progress word counts, and
    /// has it written in chunks of `first`, then `others` bytes: `put(destination, begin, end)`
    /// writes one.
    ///
    /// # Safety
    /// As [`write()`].
    #[inline(always)]
    unsafe fn write_each(
        buffer: *mut u8,
        len: usize,
        mode: ChunkMode,
        [first, others]: [usize; 2],
        mut put: impl FnMut(*mut u8, usize, usize),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        // SAFETY: the caller's buffer.
        let (progress, destination) = unsafe { (progress_of(buffer), buffer.add(long::PAYLOAD)) };
        let base = match mode {
            ChunkMode::Handoff => progress.count(),
            _ => progress.reset(),
        };
        if !announce(base) {
            return false;
        }
        let (mut begin, mut length) = (0, first);
        while begin < len {
            let end = len.min(begin + length);
            length = others;
            put(destination, begin, end);
            progress.advance(base.wrapping_add(end as u32));
            begin = end;
        }
        true
    }

    /// Prefetches the lines of a free buffer that the next packet is written to first.
    #[inline]
    pub(crate) fn prepare(buffer: *mut u8) {
        prefetch(buffer, 0..long::PAYLOAD + FIRST_CHUNK_BYTES);
    }

    #[inline(always)]
    fn prefetch(destination: *mut u8, bytes: std::ops::Range<usize>) {
        for byte in bytes.step_by(CACHE_LINE_BYTES) {
            prefetch_for_write(destination.wrapping_add(byte));
        }
    }

    /// A long packet as its receiver sees it: the sender may still be writing it.
    #[derive(Debug)]
    pub struct LongPacket {
        progress: &'static Progress,
        payload: *mut u8,
        len: usize,
        /// The value from which the progress word counts.
        base: u32,
        seen: usize,
        /// Whether lines are [claimed](copy::claim) as they are read.
        claims: bool,
        /// The process that writes it.
        writer: u32,
        /// Whether the writer has died before the end. The bytes that are missing are any bytes.
        torn: Cell<bool>,
    }

    impl LongPacket {
        /// Views the long packet in a buffer.
        ///
        /// # Safety
        /// `buffer` is the first byte of a buffer that was announced to the caller with `len`
        /// bytes, counted from `base`, and is not given back while the value exists. The payload's
        /// bytes are mapped.
        pub(crate) unsafe fn new(buffer: *mut u8, len: usize, base: u32) -> LongPacket {
            // SAFETY: the caller's promise.
            let (progress, payload) = unsafe { (progress_of(buffer), buffer.add(long::PAYLOAD)) };
            LongPacket {
                progress,
                payload,
                len,
                base,
                seen: 0,
                claims: host_model::choices().claims_lines,
                writer: u32::MAX,
                torn: Cell::new(false),
            }
        }

        /// Notes that the packet lies in a handoff buffer. Its lines are not claimed, because the
        /// receiver writes them next, not the sender.
        pub fn set_in_handoff_buffer(&mut self) {
            self.claims = false;
        }

        /// Names the process that writes the packet.
        #[inline]
        pub fn set_writer(&mut self, writer: u32) {
            self.writer = writer;
        }

        /// Returns the process that writes the packet.
        pub fn writer(&self) -> u32 {
            self.writer
        }

        /// Returns whether the writer has died before it had written the whole packet: the content
        /// is none. To be asked after the packet is read.
        #[inline]
        pub fn is_torn(&self) -> bool {
            self.torn.get()
        }

        /// Returns the length of the whole packet, in bytes.
        pub fn len(&self) -> usize {
            self.len
        }

        /// Whether the packet has no payload.
        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        /// Waits for more bytes and returns all that have arrived since the last call; empty at the
        /// end.
        pub fn next_chunk(&mut self) -> &[u8] {
            let begin = self.wait_for_more();
            self.claim(begin);
            self.between(begin, self.seen)
        }

        /// Waits until more bytes have arrived, or all; returns where they begin.
        #[inline(always)]
        fn wait_for_more(&mut self) -> usize {
            let begin = self.seen;
            self.seen = self.wait_beyond(begin);
            begin
        }

        /// Claims the lines that have arrived, from byte `begin` on, if lines are claimed.
        #[inline(always)]
        fn claim(&self, begin: usize) {
            if self.claims {
                // SAFETY: written and published (E1), within the packet, and the receiver's until
                // it gives the buffer back; chunks begin with a line.
                unsafe { copy::claim(self.payload.add(begin), self.seen - begin) }
            }
        }

        #[inline(always)]
        fn between(&self, begin: usize, end: usize) -> &[u8] {
            debug_assert!(begin <= end && end <= self.seen);
            // SAFETY: written and published (E1), and within the packet; the sender leaves it alone
            // until the buffer is given back.
            unsafe { std::slice::from_raw_parts(self.payload.add(begin), end - begin) }
        }

        /// Waits for the whole packet and returns it.
        pub fn wait_for_all(&mut self) -> &[u8] {
            while self.seen < self.len {
                let begin = self.wait_for_more();
                self.claim(begin);
            }
            self.between(0, self.len)
        }

        /// Copies as many bytes as fit into `into`, as they arrive, waits until the sender has
        /// written the rest, and returns the number of bytes copied. May only be called before
        /// other bytes are read.
        pub fn copy_into(&mut self, into: &mut [u8]) -> usize {
            if self.claims {
                // SAFETY: as below, and the packet's lines are the receiver's until it gives the
                // buffer back; chunks begin with a line.
                return self.copy_by(into, |chunk, place| unsafe {
                    copy::claiming(chunk, place.as_mut_ptr(), place.len())
                });
            }
            // SAFETY: source and destination have `place.len()` bytes, and only the caller uses the
            // destination.
            self.copy_by(into, |chunk, place| unsafe {
                copy::from_shared(chunk, place.as_mut_ptr(), place.len())
            })
        }

        /// Copies as [`copy_into`](Self::copy_into) does, with non-temporal stores, for messages
        /// that are too long to stay in the caches.
        pub fn copy_non_temporal(&mut self, into: &mut [u8]) -> usize {
            let claims = self.claims;
            self.copy_by(into, |chunk, place| {
                let lead = place.as_ptr().align_offset(CACHE_LINE_BYTES).min(place.len());
                let (to, bytes) = (place.as_mut_ptr(), place.len());
                // SAFETY: as in `copy_into`; after its lead the destination begins a line.
                unsafe {
                    copy::bytes(chunk, to, lead);
                    if lead < bytes {
                        copy::non_temporal_from_shared(
                            chunk.add(lead),
                            to.add(lead),
                            bytes - lead,
                            claims,
                        );
                    }
                }
            })
        }

        /// Calls `copy` for each part of the packet that arrives, with as many destination bytes.
        #[inline(always)]
        fn copy_by(&mut self, into: &mut [u8], copy: impl Fn(*mut u8, &mut [u8])) -> usize {
            let capacity = into.len().min(self.len);
            let mut done = 0;
            while done < capacity {
                let begin = self.wait_for_more();
                debug_assert_eq!(begin, done);
                let end = self.seen.min(capacity);
                copy(self.payload.wrapping_add(done), &mut into[done..end]);
                done = end;
            }
            self.wait_for_all();
            capacity
        }

        /// Waits for the whole packet and gives the buffer back to its owner.
        pub fn give_back(mut self) {
            self.wait_for_all();
            self.progress.give_back();
        }

        /// Waits for the whole packet. The receiver owns the handoff buffer afterwards.
        pub fn take_ownership(mut self) {
            self.wait_for_all();
        }

        /// Waits until more than `seen` bytes have arrived, or all; returns their number.
        fn wait_beyond(&self, seen: usize) -> usize {
            for _ in 0..=POLLS_BEFORE_YIELD {
                let written = self.written();
                if written > seen || seen == self.len {
                    return written;
                }
            }
            self.wait_long_beyond(seen)
        }

        /// Returns the number of bytes that have arrived.
        #[inline(always)]
        fn written(&self) -> usize {
            (self.progress.written().wrapping_sub(self.base) as usize).min(self.len)
        }

        /// Waits as [`wait_beyond`](Self::wait_beyond) does, for a sender that has no processor, or
        /// whose progress word is damaged.
        #[cold]
        fn wait_long_beyond(&self, seen: usize) -> usize {
            let mut wait = WordWait::new("a long packet that its sender does not finish");
            loop {
                let written = self.written();
                if written > seen {
                    return written;
                }
                if self.torn.get() {
                    // What follows is never written.
                    return self.len;
                }
                // The words are read once more: the process may have written all before it died.
                self.torn.set(wait.pause_for(self.writer));
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::layout::long;

    /// Bytes of a buffer for the longest packet.
    const LONGEST_BYTES: usize = long::PAYLOAD + long::PAYLOAD_BYTES;

    #[derive(Clone)]
    #[repr(align(64))]
    struct Line {
        _bytes: [u8; 64],
    }

    /// Returns a buffer for the longest packet. It is too long for a thread's stack.
    fn memory() -> Vec<Line> {
        vec![Line { _bytes: [0; 64] }; LONGEST_BYTES.div_ceil(64)]
    }

    /// A contiguous payload, in every mode and by both kinds of copies.
    #[test]
    fn a_contiguous_payload_is_copied_to_the_byte() {
        let mut memory = memory();
        let buffer = memory.as_mut_ptr().cast::<u8>();
        let longest = if cfg!(miri) { 4000 } else { long::PAYLOAD_BYTES };
        let payload: Vec<u8> = (0..longest).map(|i| (i * 11) as u8 | 1).collect();
        for mode in [ChunkMode::Even, ChunkMode::Growing, ChunkMode::Handoff] {
            for len in [0, 1, 511, 512, 513, 768, 2560, 2561, 8192, 8255, 20_001, longest]
                .map(|len| len.min(longest))
            {
                let mut base = 0;
                let announce = |from| {
                    base = from;
                    true
                };
                // SAFETY: the memory is a buffer with space for the packet, and one thread uses it.
                let mut packet = unsafe {
                    assert!(write_bytes(buffer, &payload[..len], mode, announce));
                    LongPacket::new(buffer, len, base)
                };
                if mode == ChunkMode::Handoff {
                    packet.set_in_handoff_buffer();
                }
                let mut copy = vec![0; len];
                assert_eq!(packet.copy_into(&mut copy), len);
                assert_eq!(copy, payload[..len]);
                // SAFETY: as above; it has not been given back.
                let mut packet = unsafe { LongPacket::new(buffer, len, base) };
                let mut copy = vec![0; len + 3];
                assert_eq!(packet.copy_non_temporal(&mut copy[3..]), len);
                assert_eq!((&copy[..3], &copy[3..]), (&[0; 3][..], &payload[..len]));
            }
        }
    }

    fn copy_of(payload: &[u8]) -> impl FnMut(usize, &mut [u8]) {
        |at, chunk| chunk.copy_from_slice(&payload[at..at + chunk.len()])
    }

    /// A sender and a receiver at once, over every kind of length: the receiver sees each byte
    /// once, in order.
    #[test]
    fn a_packet_is_read_while_it_is_written() {
        let mut memory = memory();
        let buffer = memory.as_mut_ptr() as usize;
        let payload: Vec<u8> = (0..long::PAYLOAD_BYTES).map(|i| (i * 7) as u8).collect();
        let longest = if cfg!(miri) { 4000 } else { long::PAYLOAD_BYTES };
        for (len, mode) in
            [0, 1, 511, 512, 513, 1535, 1537, 3071, 16 << 10, (16 << 10) + 1, longest]
                .into_iter()
                .zip([ChunkMode::Even, ChunkMode::Growing].into_iter().cycle())
        {
            let (tell, told) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let announce = |_| tell.send(()).is_ok();
                    // SAFETY: the memory is a buffer with space for the packet, which the sender
                    // owns until it announces.
                    assert!(unsafe {
                        write(buffer as *mut u8, len, mode, copy_of(&payload), announce)
                    });
                });
                told.recv().unwrap();
                // SAFETY: announced above, and alive until the end of the scope.
                let mut packet = unsafe { LongPacket::new(buffer as *mut u8, len, 0) };
                let mut copy = vec![0; longest];
                assert_eq!(packet.copy_into(&mut copy), len);
                assert_eq!(copy[..len], payload[..len]);
                assert!(packet.next_chunk().is_empty());
                packet.give_back();
            });
        }
    }

    #[test]
    fn bytes_that_do_not_fit_are_left_out() {
        let mut memory = memory();
        let buffer = memory.as_mut_ptr().cast::<u8>();
        // SAFETY: the memory is a buffer with space for the packet, and one thread uses it.
        let mut packet = unsafe {
            assert!(!write(buffer, 9, ChunkMode::Even, copy_of(&[1; 9]), |_| false));
            assert!(write(buffer, 4000, ChunkMode::Even, copy_of(&[5; 4000]), |_| true));
            LongPacket::new(buffer, 4000, 0)
        };
        let mut short = [0; 100];
        assert_eq!(packet.copy_into(&mut short), 100);
        assert_eq!((short, packet.wait_for_all().len()), ([5; 100], 4000));
    }
}
