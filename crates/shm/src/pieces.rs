//! A packet that is read while it is being written.
//!
//! A long packet lies at a place of its sender's, and a line of the fastbox tells the receiver of it before any of it is there. The sender writes it
//! piece by piece and tells after each how far it is, and the receiver copies what is there meanwhile: two processors copy at once.
//!
//! ```text
//!   sender    announce ── write, tell ── write, tell ── write, tell       … sees it is free
//!   receiver        match …  copy        copy           copy ── gives it back
//! ```
//!
//! One word in front of it says both: how far the sender is, and that the receiver is done. It is in the line that the sender writes first the next
//! time, so to find a place free costs nothing beside.
//!
//! So the receiver waits inside for a sender that has begun to write and will not stop before the end. Where processes share processors that
//! wait would take the time that the sender needs, and packets are written before they are announced.
//!
//! Ordering edges:
//! * E1 *bytes*: the sender's writes → Release store of the word → Acquire load by the receiver, which then reads them.
//! * E2 *room*: the receiver's reads → Release store of the word → Acquire load by the sender, which then writes again.
//! * The zero at the beginning is published with the announcement.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, Ordering};

/// In place of a number of bytes: the receiver is done.
const GIVEN_BACK: u32 = u32::MAX;

/// How far the packet in a place is.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Progress {
    /// Bytes written, or `GIVEN_BACK`.
    word: AtomicU32,
}

impl Progress {
    /// Nothing is written. Only the sender calls this, when the place is its own and before it announces. From where it counts: 0.
    #[inline(always)]
    pub fn reset(&self) -> u32 {
        // Relaxed: published with the announcement.
        self.word.store(0, Ordering::Relaxed);
        0
    }

    /// The same without writing: the sender counts on from what the word says.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        // Relaxed: nobody else writes it now.
        self.word.load(Ordering::Relaxed)
    }

    /// The first `bytes` bytes are there.
    #[inline(always)]
    pub fn advance(&self, bytes: u32) {
        // Release (E1): pairs with the Acquire in `written`.
        self.word.store(bytes, Ordering::Release);
    }

    /// So many bytes are there and the receiver may read them.
    #[inline(always)]
    pub fn written(&self) -> u32 {
        // Acquire (E1): pairs with the Release in `advance`.
        self.word.load(Ordering::Acquire)
    }

    /// The receiver has read everything; all had been written.
    #[inline(always)]
    pub fn give_back(&self) {
        // Release (E2): pairs with the Acquire in `is_free`.
        self.word.store(GIVEN_BACK, Ordering::Release);
    }

    /// Whether the receiver is done, so that the sender may write the next packet.
    #[inline(always)]
    pub fn is_free(&self) -> bool {
        // Acquire (E2): pairs with the Release in `give_back`.
        self.word.load(Ordering::Acquire) == GIVEN_BACK
    }
}

/// How a packet is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// In pieces that are all alike: the receiver is close behind, and reads what is still in the sender's own cache.
    Even,
    /// In pieces that are the longer, the longer the packet: where the sender's own cache answers slowly, the receiver had better not be too close behind.
    Growing,
    /// As growing, in lines that the sender has read last: a shuttle's. Its word goes on from what it says, so that nothing of the place is written before the
    /// announcement, which would wait until the line is the sender's alone.
    Shuttled,
}

#[cfg(not(loom))]
pub use in_memory::Pieces;
#[cfg(not(loom))]
pub(crate) use in_memory::{prepare, progress_of, write, write_bytes};

#[cfg(not(loom))]
mod in_memory {
    use super::{Manner, Progress};
    use crate::copy::{self, prefetch_for_write};
    use crate::layout::long;
    use nemesis_sync::{AtomicU32, spin_hint};
    use nemesis_sys::processor;
    use nemesis_wire::CACHE_LINE_BYTES;

    /// The first piece: short, so that the receiver soon has something to do.
    const FIRST_BYTES: usize = 512;
    /// The others: long enough that telling costs little beside writing, short enough that the receiver, when the last is written, has little left.
    /// Measured best among 1, 2, 4 and 8 KiB, for packets up to the length told and for longer ones; of one run of bytes all have the latter.
    const PIECE_BYTES: [usize; 2] = [1024, 2048];
    const SHORT_BYTES: usize = 16 * 1024;
    /// Pieces that grow: so many to a packet, to a longer one twice as many, and none shorter or longer than this.
    const GROWING_PIECES: usize = 4;
    const GROWING_LONGER_BYTES: usize = 64 * 1024;
    const GROWING_BYTES: [usize; 2] = [1024, 32 * 1024];
    /// Of packets in a room whose pieces grow, longer ones than this are written by a call of memcpy: it is as fast, and where the receiver writes past the
    /// caches, faster by a tenth and more.
    const BY_LINES_MAX_BYTES: usize = 64 * 1024;
    /// Where lines pass fast, those of a shuttle are asked for ahead from here on: both have read them, and they are nobody's alone. Shorter ones gain nothing.
    const ASKED_MIN_BYTES: usize = 16 * 1024;
    /// Packets from here on that come by a shuttle are read so: faster by a thirtieth, where shorter ones are slower.
    const READ_BY_CALLS_MIN_BYTES: usize = 256 * 1024;
    /// Looks before the processor is given away between two: several times what writing a piece takes.
    const LOOKS: u32 = 10_000;

    /// The word in a place that tells how far its sender is.
    ///
    /// # Safety
    /// `place` is a place's first byte, mapped for good.
    pub(crate) unsafe fn progress_of(place: *mut u8) -> &'static Progress {
        // SAFETY: an aligned word within the place (the caller's promise); `Progress` is that word.
        unsafe {
            &*std::ptr::from_ref(AtomicU32::from_ptr(place.add(long::PROGRESS).cast()))
                .cast::<Progress>()
        }
    }

    /// Writes a payload of `len` bytes into a place, piece by piece: `fill` writes the one that begins at the byte told. `announce` tells the receiver as
    /// soon as the place is ready to be read; false, and nothing is written, when it could not.
    ///
    /// # Safety
    /// `place` is the first byte of a place that belongs to the caller, with room for the payload.
    #[inline]
    pub(crate) unsafe fn write(
        place: *mut u8,
        len: usize,
        manner: Manner,
        mut fill: impl FnMut(usize, &mut [u8]),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        let piece = if manner == Manner::Even {
            PIECE_BYTES[usize::from(len > SHORT_BYTES)]
        } else {
            growing(len)
        };
        let put = |room: *mut u8, begin: usize, end: usize| {
            // The lines are the receiver's, who read them last time: those of each piece are asked for while the one before is written.
            if manner == Manner::Even {
                prefetch(room, end..len.min(end + piece));
            }
            // SAFETY: the payload fits the place, whose bytes from `begin` on are not told to the receiver yet.
            fill(begin, unsafe { std::slice::from_raw_parts_mut(room.add(begin), end - begin) });
        };
        // SAFETY: the caller's place, and `put` writes what it is told.
        unsafe { write_each(place, len, manner, [FIRST_BYTES, piece], put, announce) }
    }

    /// As [`write`], with a payload that is one run of bytes.
    ///
    /// # Safety
    /// As [`write`].
    #[inline]
    pub(crate) unsafe fn write_bytes(
        place: *mut u8,
        payload: &[u8],
        manner: Manner,
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        let len = payload.len();
        if manner != Manner::Even {
            let asks = manner == Manner::Shuttled
                && len >= ASKED_MIN_BYTES
                && !processor::passes_lines_slowly();
            let put = |room: *mut u8, begin: usize, end: usize| {
                let (from, to) = (payload[begin..end].as_ptr(), room.wrapping_add(begin));
                // SAFETY: as below.
                unsafe {
                    if asks {
                        copy::to_shared(from, to, end - begin, len - begin);
                    } else if len <= BY_LINES_MAX_BYTES || manner == Manner::Shuttled {
                        copy::to_common(from, to, end - begin);
                    } else {
                        copy::bytes(from, to, end - begin);
                    }
                }
            };
            // SAFETY: as below.
            return unsafe {
                write_each(place, len, manner, [FIRST_BYTES, growing(len)], put, announce)
            };
        }
        let put = |room: *mut u8, begin: usize, end: usize| {
            if begin == 0 {
                prefetch(room, FIRST_BYTES..len.min(copy::WRITE_AHEAD_BYTES));
            }
            // SAFETY: the bytes lie within the payload, and as in `write` within the place.
            unsafe {
                copy::to_shared(
                    payload.as_ptr().add(begin),
                    room.add(begin),
                    end - begin,
                    len - begin,
                )
            };
        };
        // SAFETY: the caller's place, and `put` writes what it is told.
        unsafe { write_each(place, len, manner, [FIRST_BYTES, PIECE_BYTES[1]], put, announce) }
    }

    fn growing(len: usize) -> usize {
        let pieces = if len > GROWING_LONGER_BYTES { 2 * GROWING_PIECES } else { GROWING_PIECES };
        (len / pieces).next_multiple_of(CACHE_LINE_BYTES).clamp(GROWING_BYTES[0], GROWING_BYTES[1])
    }

    /// Announces a payload of `len` bytes, telling from where the word counts, and has it written, in a first piece of the length told and others: `put`
    /// is told the payload's room and which bytes.
    ///
    /// # Safety
    /// As [`write`].
    #[inline(always)]
    unsafe fn write_each(
        place: *mut u8,
        len: usize,
        manner: Manner,
        [first, others]: [usize; 2],
        mut put: impl FnMut(*mut u8, usize, usize),
        announce: impl FnOnce(u32) -> bool,
    ) -> bool {
        // SAFETY: the caller's place.
        let (progress, room) = unsafe { (progress_of(place), place.add(long::PAYLOAD)) };
        let base = match manner {
            Manner::Shuttled => progress.count(),
            _ => progress.reset(),
        };
        if !announce(base) {
            return false;
        }
        let (mut begin, mut length) = (0, first);
        while begin < len {
            let end = len.min(begin + length);
            length = others;
            put(room, begin, end);
            progress.advance(base.wrapping_add(end as u32));
            begin = end;
        }
        true
    }

    /// Asks for the lines that the next packet in a free place will be written to first.
    #[inline]
    pub(crate) fn prepare(place: *mut u8) {
        prefetch(place, 0..long::PAYLOAD + FIRST_BYTES);
    }

    #[inline(always)]
    fn prefetch(room: *mut u8, bytes: std::ops::Range<usize>) {
        for byte in bytes.step_by(CACHE_LINE_BYTES) {
            prefetch_for_write(room.wrapping_add(byte));
        }
    }

    /// The receiver's view of a packet that is being written.
    #[derive(Debug)]
    pub struct Pieces {
        progress: &'static Progress,
        payload: *mut u8,
        len: usize,
        /// From where the word counts.
        base: u32,
        seen: usize,
        /// Lines are [taken](copy::take) as they are read.
        takes: bool,
        /// Pieces are copied by calls of memcpy.
        by_calls: bool,
    }

    impl Pieces {
        /// # Safety
        /// `place` is the first byte of a place that was announced to the caller with `len` bytes, counted from `base`, and not given back before the value is
        /// gone; so many bytes are mapped behind its beginning.
        pub(crate) unsafe fn new(place: *mut u8, len: usize, base: u32) -> Pieces {
            // SAFETY: the caller's promise.
            let (progress, payload) = unsafe { (progress_of(place), place.add(long::PAYLOAD)) };
            Pieces {
                progress,
                payload,
                len,
                base,
                seen: 0,
                takes: processor::passes_lines_slowly(),
                by_calls: false,
            }
        }

        /// The packet came by a shuttle. Its lines stay where they are: their sender does not come back to them before the receiver does.
        pub fn by_handoff_buffer(&mut self) {
            self.takes = false;
            self.by_calls = self.len >= READ_BY_CALLS_MIN_BYTES;
        }

        /// Length of the whole packet.
        pub fn len(&self) -> usize {
            self.len
        }

        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        /// What has come since the last time, waiting for some; empty at the end.
        pub fn next_piece(&mut self) -> &[u8] {
            let begin = self.wait_for_more();
            self.take(begin);
            self.between(begin, self.seen)
        }

        /// Waits until more is there, or all; where that begins.
        #[inline(always)]
        fn wait_for_more(&mut self) -> usize {
            let begin = self.seen;
            self.seen = self.wait_beyond(begin);
            begin
        }

        /// Takes the lines of what has come, from byte `begin` on, if they are to be taken.
        #[inline(always)]
        fn take(&self, begin: usize) {
            if self.takes {
                // SAFETY: written and told (E1), within the packet, and ours until the place returns; pieces begin with a line.
                unsafe { copy::take(self.payload.add(begin), self.seen - begin) }
            }
        }

        #[inline(always)]
        fn between(&self, begin: usize, end: usize) -> &[u8] {
            debug_assert!(begin <= end && end <= self.seen);
            // SAFETY: written and told (E1), and within the packet; the sender leaves it alone until the place returns.
            unsafe { std::slice::from_raw_parts(self.payload.add(begin), end - begin) }
        }

        /// The whole packet, when it is there.
        pub fn whole(&mut self) -> &[u8] {
            while self.seen < self.len {
                let begin = self.wait_for_more();
                self.take(begin);
            }
            self.between(0, self.len)
        }

        /// Copies what fits into `into` as it comes, before anything else has been taken; waits until the sender is done with the rest.
        pub fn copy_into(&mut self, into: &mut [u8]) -> usize {
            if self.takes {
                // SAFETY: as below, and the packet's lines are the receiver's until the place returns; pieces begin with a line.
                return self.copy_by(into, |piece, place| unsafe {
                    copy::taken(piece, place.as_mut_ptr(), place.len())
                });
            }
            if self.by_calls {
                // SAFETY: as below.
                return self.copy_by(into, |piece, place| unsafe {
                    copy::bytes(piece, place.as_mut_ptr(), place.len())
                });
            }
            // SAFETY: as many bytes lie in the piece as in their place, which is the caller's alone.
            self.copy_by(into, |piece, place| unsafe {
                copy::from_shared(piece, place.as_mut_ptr(), place.len())
            })
        }

        /// The same past the caches: of a message so long that they would not keep it.
        pub fn copy_non_temporal(&mut self, into: &mut [u8]) -> usize {
            let takes = self.takes;
            self.copy_by(into, |piece, place| {
                let lead = place.as_ptr().align_offset(CACHE_LINE_BYTES).min(place.len());
                let (to, bytes) = (place.as_mut_ptr(), place.len());
                // SAFETY: as in `copy_into`; behind its lead the place begins a line.
                unsafe {
                    copy::bytes(piece, to, lead);
                    if lead < bytes {
                        copy::non_temporal_from_shared(
                            piece.add(lead),
                            to.add(lead),
                            bytes - lead,
                            takes,
                        );
                    }
                }
            })
        }

        /// `copy` gets as many bytes of the packet as the place that it is told has.
        #[inline(always)]
        fn copy_by(&mut self, into: &mut [u8], copy: impl Fn(*mut u8, &mut [u8])) -> usize {
            let room = into.len().min(self.len);
            let mut done = 0;
            while done < room {
                let begin = self.wait_for_more();
                debug_assert_eq!(begin, done);
                let end = self.seen.min(room);
                copy(self.payload.wrapping_add(done), &mut into[done..end]);
                done = end;
            }
            self.whole();
            room
        }

        /// Gives the place back to its owner.
        pub fn give_back(mut self) {
            self.whole();
            self.progress.give_back();
        }

        /// Waits until the sender is done: the place is the receiver's then.
        pub fn keep(mut self) {
            self.whole();
        }

        /// Waits until more than `seen` bytes are there; how many.
        fn wait_beyond(&self, seen: usize) -> usize {
            let mut looks = 0;
            loop {
                let written =
                    (self.progress.written().wrapping_sub(self.base) as usize).min(self.len);
                if written > seen || seen == self.len {
                    return written;
                }
                looks += 1;
                if looks > LOOKS {
                    spin_hint();
                    std::thread::yield_now();
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::layout::long;

    /// The longest packet.
    const LONGEST_BYTES: usize = long::PAYLOAD + long::PAYLOAD_BYTES;

    #[derive(Clone)]
    #[repr(align(64))]
    struct Line {
        _bytes: [u8; 64],
    }

    /// A place for the longest packet. It is too long for a thread's stack.
    fn memory() -> Vec<Line> {
        vec![Line { _bytes: [0; 64] }; LONGEST_BYTES.div_ceil(64)]
    }

    /// The same with a payload that is one run of bytes.
    #[test]
    fn one_run_is_read_while_it_is_written() {
        let mut memory = memory();
        let place = memory.as_mut_ptr().cast::<u8>();
        let longest = if cfg!(miri) { 4000 } else { long::PAYLOAD_BYTES };
        let payload: Vec<u8> = (0..longest).map(|i| (i * 11) as u8 | 1).collect();
        for manner in [Manner::Even, Manner::Growing, Manner::Shuttled] {
            for len in [0, 1, 511, 512, 513, 768, 2560, 2561, 8192, 8255, 20_001, longest]
                .map(|len| len.min(longest))
            {
                let mut base = 0;
                let announce = |from| {
                    base = from;
                    true
                };
                // SAFETY: the memory is a place's with room, and one thread uses it.
                let mut pieces = unsafe {
                    assert!(write_bytes(place, &payload[..len], manner, announce));
                    Pieces::new(place, len, base)
                };
                if manner == Manner::Shuttled {
                    pieces.by_handoff_buffer();
                }
                let mut copy = vec![0; len];
                assert_eq!(pieces.copy_into(&mut copy), len);
                assert_eq!(copy, payload[..len]);
                // SAFETY: as above; it has not been given back.
                let mut pieces = unsafe { Pieces::new(place, len, base) };
                let mut copy = vec![0; len + 3];
                assert_eq!(pieces.copy_non_temporal(&mut copy[3..]), len);
                assert_eq!((&copy[..3], &copy[3..]), (&[0; 3][..], &payload[..len]));
            }
        }
    }

    fn copy_of(payload: &[u8]) -> impl FnMut(usize, &mut [u8]) {
        |at, piece| piece.copy_from_slice(&payload[at..at + piece.len()])
    }

    /// A sender and a receiver at the same time, over every kind of length: the receiver sees each byte once, in order.
    #[test]
    fn a_packet_is_read_while_it_is_written() {
        let mut memory = memory();
        let place = memory.as_mut_ptr() as usize;
        let payload: Vec<u8> = (0..long::PAYLOAD_BYTES).map(|i| (i * 7) as u8).collect();
        let longest = if cfg!(miri) { 4000 } else { long::PAYLOAD_BYTES };
        for (len, manner) in
            [0, 1, 511, 512, 513, 1535, 1537, 3071, 16 << 10, (16 << 10) + 1, longest]
                .into_iter()
                .zip([Manner::Even, Manner::Growing].into_iter().cycle())
        {
            let (tell, told) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let announce = |_| tell.send(()).is_ok();
                    // SAFETY: the memory is a place's, the sender's until it announces, and has room.
                    assert!(unsafe {
                        write(place as *mut u8, len, manner, copy_of(&payload), announce)
                    });
                });
                told.recv().unwrap();
                // SAFETY: announced above, and alive until the end of the scope.
                let mut pieces = unsafe { Pieces::new(place as *mut u8, len, 0) };
                let mut copy = vec![0; longest];
                assert_eq!(pieces.copy_into(&mut copy), len);
                assert_eq!(copy[..len], payload[..len]);
                assert!(pieces.next_piece().is_empty());
                pieces.give_back();
            });
        }
    }

    #[test]
    fn what_has_no_room_is_left_out() {
        let mut memory = memory();
        let place = memory.as_mut_ptr().cast::<u8>();
        // SAFETY: the memory is a place's with room, and one thread uses it.
        let mut pieces = unsafe {
            assert!(!write(place, 9, Manner::Even, copy_of(&[1; 9]), |_| false));
            assert!(write(place, 4000, Manner::Even, copy_of(&[5; 4000]), |_| true));
            Pieces::new(place, 4000, 0)
        };
        let mut short = [0; 100];
        assert_eq!(pieces.copy_into(&mut short), 100);
        assert_eq!((short, pieces.whole().len()), ([5; 100], 4000));
    }
}
