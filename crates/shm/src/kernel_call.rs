//! The kernel call: the call of the kernel that a process is in and that may take long, for the
//! state report.
//!
//! A process that reads or writes a file answers no launcher until the kernel returns, which may be
//! never: the server of a file system is gone, or a pipe is full. So it stores beforehand what it
//! does. The text stays from call to call, because most calls are like the one before; a call then
//! costs the time of day and two stores.
//!
//! The launcher reads the bytes through the segment's file, at [`KernelCall::offset`].

use crate::layout::{Layout, at};
use crate::status::now_ms;
use nemesis_sync::{AtomicU8, AtomicU32, Ordering};
use nemesis_sys::clock;
use std::time::Duration;

/// Bytes of a kernel call in a slot.
pub const KERNEL_CALL_BYTES: usize = 512;
/// Longest text of a kernel call, in bytes.
pub const TEXT_BYTES: usize = KERNEL_CALL_BYTES - TEXT_AT;
/// Offset of the text.
const TEXT_AT: usize = 8;

/// The kernel call of a process. All zero means that there is none.
#[repr(C)]
#[derive(Debug)]
pub struct KernelCall {
    /// When it began, as the low 32 bits of the milliseconds of the host's clock; 0 if there is
    /// none.
    since_ms: AtomicU32,
    length: AtomicU32,
    text: [AtomicU8; TEXT_BYTES],
}

impl KernelCall {
    /// Stores what the following calls do: a call of MPI and its file. A text that is too long is
    /// cut.
    pub fn describe(&self, text: &str) {
        let text = &text.as_bytes()[..text.floor_char_boundary(TEXT_BYTES)];
        // Relaxed: published by `begin`.
        self.length.store(text.len() as u32, Ordering::Relaxed);
        self.text.iter().zip(text).for_each(|(place, &byte)| place.store(byte, Ordering::Relaxed));
    }

    /// Stores that a call begins.
    #[inline]
    pub fn begin(&self) {
        // Release: a launcher that reads this time in the file reads the text, too.
        self.since_ms.store(clock::coarse_ms().max(1), Ordering::Release);
    }

    /// Stores that the call has ended.
    #[inline]
    pub fn end(&self) {
        // Relaxed: a launcher that reads an older value reports a call that has just ended.
        self.since_ms.store(0, Ordering::Relaxed);
    }

    /// Returns the offset of the kernel call of the process in `slot` in the segment's file.
    pub fn offset(layout: &Layout, slot: usize) -> u64 {
        (layout.head(slot) + at::KERNEL_CALL) as u64
    }

    /// Returns what the process does and for how long, from the bytes in the file; `None` if it is
    /// in no such call. Another process wrote them, so any bytes become a printable text.
    pub fn read(bytes: &[u8; KERNEL_CALL_BYTES]) -> Option<(String, Duration)> {
        let word = |place: usize| {
            u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]])
        };
        let (since, length) = (word(0), (word(4) as usize).min(TEXT_BYTES));
        let printable = |c: char| if c.is_control() { '?' } else { c };
        let text = String::from_utf8_lossy(&bytes[TEXT_AT..TEXT_AT + length]);
        let age = Duration::from_millis(now_ms().wrapping_sub(since).into());
        (since != 0).then(|| (text.chars().map(printable).collect(), age))
    }
}

const _: () = assert!(
    size_of::<KernelCall>() == KERNEL_CALL_BYTES
        && std::mem::offset_of!(KernelCall, text) == TEXT_AT
        && at::KERNEL_CALL + KERNEL_CALL_BYTES <= at::HEAD_BYTES
);

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(call: &KernelCall) -> [u8; KERNEL_CALL_BYTES] {
        let mut bytes = [0; KERNEL_CALL_BYTES];
        bytes[..4].copy_from_slice(&call.since_ms.load(Ordering::Relaxed).to_le_bytes());
        bytes[4..8].copy_from_slice(&call.length.load(Ordering::Relaxed).to_le_bytes());
        bytes[TEXT_AT..]
            .iter_mut()
            .zip(&call.text)
            .for_each(|(byte, place)| *byte = place.load(Ordering::Relaxed));
        bytes
    }

    fn blank() -> KernelCall {
        KernelCall {
            since_ms: AtomicU32::new(0),
            length: AtomicU32::new(0),
            text: [const { AtomicU8::new(0) }; TEXT_BYTES],
        }
    }

    #[test]
    fn a_call_is_read_while_it_lasts() {
        let call = blank();
        call.describe("MPI_File_read of \"a\"");
        assert_eq!(KernelCall::read(&bytes_of(&call)), None);
        call.begin();
        std::thread::sleep(Duration::from_millis(30));
        let (text, age) = KernelCall::read(&bytes_of(&call)).unwrap();
        assert_eq!(text, "MPI_File_read of \"a\"");
        assert!((Duration::from_millis(25)..Duration::from_secs(60)).contains(&age), "{age:?}");
        call.end();
        assert_eq!(KernelCall::read(&bytes_of(&call)), None);
    }

    #[test]
    fn what_is_too_long_is_cut_and_nonsense_is_shown_as_text() {
        let call = blank();
        call.describe(&"ä".repeat(TEXT_BYTES));
        call.begin();
        assert_eq!(KernelCall::read(&bytes_of(&call)).unwrap().0.len(), TEXT_BYTES);
        let mut bytes = [0xff; KERNEL_CALL_BYTES];
        bytes[TEXT_AT] = 0x1b;
        assert!(KernelCall::read(&bytes).unwrap().0.starts_with('?'));
    }
}
