//! Foreign fastboxes: a fastbox of its own memory for each direction between two processes of one
//! host that belong to different jobs, and so have no segment in common.
//!
//! The sender makes the memory and names it to the receiver: its process id, the number of its
//! descriptor, and a random key, which lies in the memory's first line. The receiver opens the
//! descriptor by `/proc` and compares the key, so a process id that has passed to another process
//! is noticed. Each process also shows the head of the other's slot in a frame of its own, where
//! the other's doorbell is.
//!
//! ```text
//!   memory of a foreign fastbox:   | key | fastbox |
//! ```

#![allow(unsafe_code)]

use crate::PAGE_BYTES;
use crate::doorbell::Doorbell;
use crate::fastbox::{BOX_BYTES, MappedLines};
use crate::layout::at;
use nemesis_sync::{AtomicU32, AtomicU64, Ordering};
use nemesis_sys::mapping::{FRAME_BYTES, Frame, Mapping};
use nemesis_sys::memfd;
use nemesis_wire::CACHE_LINE_BYTES;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::{self, Errno};
use std::ptr::NonNull;

/// Bytes of the memory. `memfd::sparse` wants a multiple of every page size in use.
const BYTES: usize = (CACHE_LINE_BYTES + BOX_BYTES).next_multiple_of(1 << 16);

const _: () = assert!(at::DOORBELL + size_of::<Doorbell>() <= FRAME_BYTES);

/// What a receiver compares with the first words of the memory.
pub type Key = [u64; 2];

/// One end's view of a foreign fastbox.
#[derive(Debug)]
pub struct ForeignBox {
    /// Present until the value ends.
    mapping: Option<Mapping>,
    /// Whether `lines` has given the fastbox out.
    is_out: bool,
}

impl ForeignBox {
    /// Makes the memory of a fastbox on which this process sends.
    ///
    /// # Errors
    /// The host has no memory or no descriptor for it, or no random numbers.
    pub fn make() -> io::Result<(ForeignBox, OwnedFd, Key)> {
        let memory = memfd::sparse(BYTES as u64, BYTES as u64)?;
        let mut bytes = [0; 16];
        let drawn = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
        if drawn < bytes.len() {
            return Err(Errno::AGAIN);
        }
        let (words, _) = bytes.as_chunks::<8>();
        // A memory that nobody has written has the key 0.
        let key = [u64::from_ne_bytes(words[0]) | 1, u64::from_ne_bytes(words[1])];
        let made = ForeignBox::of(&memory.descriptor)?;
        for (index, word) in key.into_iter().enumerate() {
            // Relaxed: the packet that names the memory orders the store before the other's load.
            made.word(index).store(word, Ordering::Relaxed);
        }
        Ok((made, memory.descriptor, key))
    }

    /// Opens the memory of a fastbox that another process has made.
    ///
    /// # Errors
    /// The file is not such memory, has another key, or cannot be mapped.
    pub fn open(file: impl AsFd, key: Key) -> io::Result<ForeignBox> {
        if memfd::backing_of(&file)? != (memfd::Backing::Memfd, BYTES as u64) {
            return Err(Errno::INVAL);
        }
        let opened = ForeignBox::of(file)?;
        // Relaxed: as in `make`.
        let found = [0, 1].map(|index| opened.word(index).load(Ordering::Relaxed));
        if found == key { Ok(opened) } else { Err(Errno::ACCESS) }
    }

    fn of(file: impl AsFd) -> io::Result<ForeignBox> {
        let mapping = Mapping::shared(file, BYTES)?;
        mapping.leave_out_of_dumps();
        Ok(ForeignBox { mapping: Some(mapping), is_out: false })
    }

    fn word(&self, index: usize) -> &AtomicU64 {
        let mapping = self.mapping.as_ref().expect("the mapping stays until the value ends");
        assert!(index < CACHE_LINE_BYTES / 8);
        // SAFETY: an aligned word of the memory's first line; the borrow keeps the mapping.
        unsafe { AtomicU64::from_ptr(mapping.base().as_ptr().cast::<u64>().add(index)) }
    }

    /// Returns the fastbox, once.
    pub fn lines(&mut self) -> Option<MappedLines> {
        let base = self.mapping.as_ref()?.base();
        if std::mem::replace(&mut self.is_out, true) {
            return None;
        }
        // SAFETY: the fastbox lies in the memory behind the first line, so it is aligned. The
        // memory was all zero, and stays mapped until `close` has taken these lines back. The
        // maker gets one end, the process that it names the memory to the other one.
        Some(unsafe { MappedLines::new(base.as_ptr().add(CACHE_LINE_BYTES)) })
    }

    /// Unmaps the memory. `lines` are those that [`lines`](Self::lines) has returned; with others
    /// the memory stays mapped.
    pub fn close(mut self, lines: MappedLines) {
        let base = self.mapping.as_ref().map(Mapping::base);
        // SAFETY: the address lies within the mapping.
        let own = base.map(|base| unsafe { base.add(CACHE_LINE_BYTES) });
        self.is_out &= own != Some(lines.base());
    }
}

impl Drop for ForeignBox {
    fn drop(&mut self) {
        // Somebody still uses the lines.
        if self.is_out {
            std::mem::forget(self.mapping.take());
        }
    }
}

/// The head of the slot of a process of another job, mapped while the value exists.
#[derive(Debug)]
pub struct ForeignSlot {
    frame: Frame,
    /// Offset of the head within the frame, of which a page may be a part.
    within: usize,
}

impl ForeignSlot {
    /// Shows the slot at `offset` of a segment, which belongs to process `pid`.
    ///
    /// # Errors
    /// The file has no page there or cannot be mapped, or the slot is of another process.
    pub fn show(file: impl AsFd, offset: u64, pid: i32) -> io::Result<ForeignSlot> {
        let (_, bytes) = memfd::backing_of(&file)?;
        let within = offset % FRAME_BYTES as u64;
        let begin = offset - within;
        let fits = offset.is_multiple_of(PAGE_BYTES as u64)
            && begin.checked_add(FRAME_BYTES as u64).is_some_and(|end| end <= bytes);
        if !fits {
            return Err(Errno::INVAL);
        }
        let shown = ForeignSlot { frame: Frame::show(file, begin)?, within: within as usize };
        // SAFETY: an aligned word of a page that stays mapped until the process ends.
        let owner = unsafe { AtomicU32::from_ptr(shown.head().as_ptr().cast()) };
        // Relaxed: the owner stored it long before it named its slot.
        if owner.load(Ordering::Relaxed) == pid.unsigned_abs() {
            Ok(shown)
        } else {
            Err(Errno::ACCESS)
        }
    }

    /// Returns the address of the first page of the head, in which all lies that is shown.
    fn head(&self) -> NonNull<u8> {
        // SAFETY: the page lies within the frame.
        unsafe { self.frame.base().add(self.within) }
    }

    /// Returns the doorbell of the slot's owner. Once this value has ended, the reference shows a
    /// process that never sleeps, or the doorbell of another process, which is then woken for
    /// nothing.
    pub fn doorbell(&self) -> &'static Doorbell {
        // SAFETY: an aligned place within a page that stays mapped until the process ends; its
        // words are atomic, and all zero is a valid doorbell.
        unsafe { self.head().add(at::DOORBELL).cast::<Doorbell>().as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fastbox::{Consumer, Producer};
    use crate::segment::Segment;
    use nemesis_wire::{FIRST_CLIENT_KIND, FIRST_SEQ, Header};

    #[test]
    fn a_packet_passes_and_the_memory_goes() {
        let (mut sends, file, key) = ForeignBox::make().unwrap();
        assert_eq!(ForeignBox::open(&file, [key[0], key[1] ^ 1]).unwrap_err(), Errno::ACCESS);
        let mut receives = ForeignBox::open(&file, key).unwrap();
        let mut producer = Producer::new(sends.lines().unwrap());
        let mut consumer = Consumer::new(receives.lines().unwrap());
        assert!(sends.lines().is_none(), "a fastbox has one producer");
        let seq = FIRST_SEQ;
        let header = Header { seq, kind: FIRST_CLIENT_KIND, size: 5, ..Header::default() };
        assert!(producer.try_send(&header, b"hello"));
        assert_eq!(consumer.peek(seq), Some((header, &b"hello"[..])));
        let at = sends.mapping.as_ref().unwrap().base().as_ptr().addr();
        let mapped = || {
            let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
            maps.lines().any(|line| line.starts_with(&format!("{at:x}-")))
        };
        assert!(mapped());
        receives.close(consumer.into_lines());
        sends.close(producer.into_lines());
        assert!(!mapped());
    }

    #[test]
    fn the_head_of_a_slot_is_that_of_its_owner() {
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        let segment = Segment::open(&memory.descriptor, 1 << 36, 2).unwrap();
        let slot = segment.slot(1);
        slot.pid().store(77, Ordering::Relaxed);
        slot.doorbell().bell.store(9, Ordering::Relaxed);
        let show = |offset, pid| ForeignSlot::show(&memory.descriptor, offset, pid);
        let shown = show(slot.offset(), 77).unwrap();
        assert_eq!(shown.doorbell().bell.load(Ordering::Relaxed), 9);
        assert_eq!(show(slot.offset(), 78).unwrap_err(), Errno::ACCESS);
        assert_eq!(show(slot.offset() + 64, 77).unwrap_err(), Errno::INVAL);
        assert_eq!(show(u64::MAX - 4095, 77).unwrap_err(), Errno::INVAL);
    }
}
