//! The status line: what a process is doing, for the state report.
//!
//! A process writes its status line only when a launcher asks. The launcher writes the number of
//! its question; a process that waits reads it whenever it wakes, and one that tests with each
//! test that finds nothing, and answers. A process that does not answer is not inside the library.
//!
//! The launcher reads and writes the line through the segment's file, at [`Status::offset`] of the
//! process's slot.

use crate::layout::{Layout, at};
use nemesis_sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use nemesis_sys::clock;
use std::time::Duration;

/// Bytes of a status line.
pub const STATUS_BYTES: usize = 704;
/// Longest text of a status line, in bytes.
pub const TEXT_BYTES: usize = STATUS_BYTES - TEXT_AT;
/// Offset of the text in a line.
const TEXT_AT: usize = 56;

/// A status line. All zero is a line without a question.
#[repr(C)]
#[derive(Debug)]
pub struct Status {
    asked: AtomicU32,
    answered: AtomicU32,
    waiting_ms: AtomicU64,
    peer: AtomicU32,
    length: AtomicU32,
    sent: AtomicU64,
    received: AtomicU64,
    flags: AtomicU32,
    at_ms: AtomicU32,
    site: AtomicU64,
    text: [AtomicU8; TEXT_BYTES],
}

/// What a waiting or testing process answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Answer {
    /// Milliseconds since the last packet arrived.
    pub waiting_ms: u64,
    /// The process that it waits for, if it waits for exactly one, or that of its first request.
    pub peer: Option<u32>,
    /// Whether nothing but a packet of `peer` can end the call.
    pub only_peer: bool,
    /// Whether the process tests, so that the call returns without a packet.
    pub tests: bool,
    /// Packets sent to other nodes since the start.
    pub sent: u64,
    /// Packets received from other nodes since the start.
    pub received: u64,
    /// Whether the call is `MPI_Finalize`.
    pub finalizes: bool,
    /// Whether no operation of this process is under way and none of its threads can begin one
    /// before the call returns.
    pub idle: bool,
    /// The time of the answer, as [`now_ms`] gives it. [`Status::answer`] sets it.
    pub at_ms: u32,
    /// The address in the process's memory of the instruction that has called MPI, or 0.
    pub site: u64,
    /// The name of the call and what it waits for. Further lines say what else is open.
    pub text: String,
}

impl Answer {
    /// Returns the time since the answer. After 49 days it begins at 0 again.
    pub fn age(&self) -> Duration {
        Duration::from_millis(now_ms().wrapping_sub(self.at_ms).into())
    }
}

/// Returns the low 32 bits of the milliseconds of the clock that all processes of a host share.
pub fn now_ms() -> u32 {
    (clock::monotonic_ns() / 1_000_000) as u32
}

/// Words of an answer about a collective operation that waits only because the program is checked.
pub const AWAITS_ALL: &str = "done here; with -check it waits until all have called it";

/// Bits of the number of a question that are orders: from then on messages whose senders wait only
/// because the program is checked are kept, or collective operations do not wait for all.
pub const KEEP_MESSAGES: u32 = 1 << 30;
/// See [`KEEP_MESSAGES`].
pub const LEAVE_COLLECTIVES: u32 = 1 << 31;

const NO_PEER: u32 = u32::MAX;
/// Bits of `Status::flags`.
const FINALIZES: u32 = 1;
const IDLE: u32 = 2;
const ONLY_PEER: u32 = 4;
const TESTS: u32 = 8;
const DIES: u32 = 16;

impl Status {
    /// Whether the line contains a question without an answer.
    pub fn is_asked(&self) -> bool {
        // Relaxed: the number is the whole question, and the next look finds it if this one is too
        // early.
        self.asked.load(Ordering::Relaxed) != self.answered.load(Ordering::Relaxed)
    }

    /// Returns whether the last question contains an order.
    pub fn orders(&self, order: u32) -> bool {
        // Relaxed: the number is the whole order, and each later question contains it, too.
        self.asked.load(Ordering::Relaxed) & order != 0
    }

    /// Answers the last question. A text that is too long is cut.
    pub fn answer(&self, answer: &Answer) {
        let asked = self.asked.load(Ordering::Relaxed);
        let text = &answer.text.as_bytes()[..answer.text.floor_char_boundary(TEXT_BYTES)];
        // Relaxed: published by the number below.
        self.waiting_ms.store(answer.waiting_ms, Ordering::Relaxed);
        self.peer.store(answer.peer.unwrap_or(NO_PEER), Ordering::Relaxed);
        self.length.store(text.len() as u32, Ordering::Relaxed);
        self.sent.store(answer.sent, Ordering::Relaxed);
        self.received.store(answer.received, Ordering::Relaxed);
        self.site.store(answer.site, Ordering::Relaxed);
        let bits = [
            (answer.finalizes, FINALIZES),
            (answer.idle, IDLE),
            (answer.only_peer, ONLY_PEER),
            (answer.tests, TESTS),
        ];
        let flags = bits.into_iter().filter(|bit| bit.0).fold(0, |flags, bit| flags | bit.1);
        self.flags.store(flags, Ordering::Relaxed);
        self.text.iter().zip(text).for_each(|(place, &byte)| place.store(byte, Ordering::Relaxed));
        self.at_ms.store(now_ms(), Ordering::Relaxed);
        // Release: a launcher that reads this number in the file reads the answer, too.
        self.answered.store(asked, Ordering::Release);
    }

    /// Stores where the program is when a signal ends this process: the distance from the start of
    /// a file in memory. Safe in a signal handler.
    pub fn die(&self, module: &[u8], offset: u64) {
        let module = &module[..module.len().min(TEXT_BYTES)];
        // Relaxed: the launcher reads it when the process has ended.
        self.site.store(offset, Ordering::Relaxed);
        self.length.store(module.len() as u32, Ordering::Relaxed);
        let places = self.text.iter().zip(module);
        places.for_each(|(place, &byte)| place.store(byte, Ordering::Relaxed));
        self.flags.store(DIES, Ordering::Relaxed);
        // The last answer is none of the process any more, whose core file may take long.
        self.answered.store(0, Ordering::Relaxed);
    }

    /// Returns where the program was when a signal ended the process: a file, and the distance from
    /// the start of its memory. The line is that of a process that has ended.
    pub fn death_in(line: &[u8; STATUS_BYTES]) -> Option<(String, u64)> {
        let answer = Status::answer_in(line);
        (word(line, 40) == DIES && !answer.text.is_empty()).then_some((answer.text, answer.site))
    }

    /// Withdraws the last answer: the line is again that of a process that has not answered.
    pub fn withdraw(&self) {
        // Relaxed: nothing is published. A launcher that reads the old number shows the old answer.
        self.answered.store(0, Ordering::Relaxed);
    }

    /// Returns the offset of the status line of the process in `slot` in the segment's file. The
    /// number of the question is its first word.
    pub fn offset(layout: &Layout, slot: usize) -> u64 {
        (layout.head(slot) + at::STATUS) as u64
    }

    /// Returns the number of the question that a line answers, given its bytes from the file.
    pub fn answered_in(line: &[u8; STATUS_BYTES]) -> u32 {
        word(line, 4)
    }

    /// Returns the answer in the bytes of a line. Another process wrote them, so any bytes become a
    /// printable text.
    pub fn answer_in(line: &[u8; STATUS_BYTES]) -> Answer {
        let length = (word(line, 20) as usize).min(TEXT_BYTES);
        let printable = |c: char| if c.is_control() && c != '\n' { '?' } else { c };
        let flags = word(line, 40);
        Answer {
            waiting_ms: long_word(line, 8),
            sent: long_word(line, 24),
            received: long_word(line, 32),
            finalizes: flags & FINALIZES != 0,
            idle: flags & IDLE != 0,
            only_peer: flags & ONLY_PEER != 0,
            tests: flags & TESTS != 0,
            at_ms: word(line, 44),
            site: long_word(line, 48),
            peer: Some(word(line, 16)).filter(|&peer| peer != NO_PEER),
            text: String::from_utf8_lossy(&line[TEXT_AT..TEXT_AT + length])
                .chars()
                .map(printable)
                .collect(),
        }
    }
}

/// Returns the little-endian 32-bit word at offset `place`.
fn word(line: &[u8; STATUS_BYTES], place: usize) -> u32 {
    u32::from_le_bytes([line[place], line[place + 1], line[place + 2], line[place + 3]])
}

/// Returns the little-endian 64-bit word at offset `place`.
fn long_word(line: &[u8; STATUS_BYTES], place: usize) -> u64 {
    u64::from(word(line, place)) | u64::from(word(line, place + 4)) << 32
}

#[cfg(not(loom))]
const _: () = assert!(std::mem::offset_of!(Status, text) == TEXT_AT);
#[cfg(not(loom))]
const _: () =
    assert!(size_of::<Status>() == STATUS_BYTES && at::STATUS + STATUS_BYTES <= at::THROTTLE);

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn bytes_of(status: &Status) -> [u8; STATUS_BYTES] {
        let mut line = [0; STATUS_BYTES];
        line[..4].copy_from_slice(&status.asked.load(Ordering::Relaxed).to_le_bytes());
        line[4..8].copy_from_slice(&status.answered.load(Ordering::Relaxed).to_le_bytes());
        line[8..16].copy_from_slice(&status.waiting_ms.load(Ordering::Relaxed).to_le_bytes());
        line[16..20].copy_from_slice(&status.peer.load(Ordering::Relaxed).to_le_bytes());
        line[20..24].copy_from_slice(&status.length.load(Ordering::Relaxed).to_le_bytes());
        line[24..32].copy_from_slice(&status.sent.load(Ordering::Relaxed).to_le_bytes());
        line[32..40].copy_from_slice(&status.received.load(Ordering::Relaxed).to_le_bytes());
        line[40..44].copy_from_slice(&status.flags.load(Ordering::Relaxed).to_le_bytes());
        line[44..48].copy_from_slice(&status.at_ms.load(Ordering::Relaxed).to_le_bytes());
        line[48..56].copy_from_slice(&status.site.load(Ordering::Relaxed).to_le_bytes());
        line[TEXT_AT..]
            .iter_mut()
            .zip(&status.text)
            .for_each(|(byte, place)| *byte = place.load(Ordering::Relaxed));
        line
    }

    fn blank() -> Status {
        Status {
            asked: AtomicU32::new(0),
            answered: AtomicU32::new(0),
            waiting_ms: AtomicU64::new(0),
            peer: AtomicU32::new(0),
            length: AtomicU32::new(0),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            flags: AtomicU32::new(0),
            at_ms: AtomicU32::new(0),
            site: AtomicU64::new(0),
            text: [const { AtomicU8::new(0) }; TEXT_BYTES],
        }
    }

    #[test]
    fn an_answer_is_read_as_it_was_given() {
        let status = blank();
        assert!(!status.is_asked());
        status.asked.store(7, Ordering::Relaxed);
        assert!(status.is_asked());
        let text = "MPI_Recv from rank 2\n1 message".to_owned();
        let answer = Answer {
            waiting_ms: 1 << 40,
            peer: Some(2),
            only_peer: true,
            tests: false,
            sent: 3 << 33,
            received: 5,
            finalizes: true,
            idle: false,
            at_ms: 0,
            site: 0x7f00_1234_5678,
            text,
        };
        status.answer(&answer);
        assert!(!status.is_asked());
        let line = bytes_of(&status);
        let found = Status::answer_in(&line);
        assert!(found.age() < Duration::from_secs(3600));
        let found = Answer { at_ms: 0, ..found };
        assert_eq!((Status::answered_in(&line), found), (7, answer));
        status.withdraw();
        assert_eq!(Status::answered_in(&bytes_of(&status)), 0);
        assert!(status.is_asked());
    }

    #[test]
    fn a_process_that_dies_tells_where() {
        let status = blank();
        assert_eq!(Status::death_in(&bytes_of(&status)), None);
        status.answer(&Answer { text: "MPI_Recv".into(), ..Answer::default() });
        assert_eq!(Status::death_in(&bytes_of(&status)), None);
        status.die(b"/home/u/a.out", 0x1a2c);
        assert_eq!(Status::answered_in(&bytes_of(&status)), 0, "the path is no answer");
        let place = Some(("/home/u/a.out".to_owned(), 0x1a2c));
        assert_eq!(Status::death_in(&bytes_of(&status)), place);
        status.die(&[b'x'; 2 * TEXT_BYTES], 1);
        let (module, _) = Status::death_in(&bytes_of(&status)).expect("it is cut");
        assert_eq!(module.len(), TEXT_BYTES);
    }

    #[test]
    fn what_is_too_long_is_cut_and_nonsense_is_shown_as_text() {
        let status = blank();
        status.answer(&Answer { text: "ä".repeat(TEXT_BYTES), ..Answer::default() });
        let answer = Status::answer_in(&bytes_of(&status));
        assert_eq!((answer.text.len(), answer.peer), (TEXT_BYTES, None));
        let mut line = [0xff; STATUS_BYTES];
        line[TEXT_AT] = 0x1b;
        assert!(Status::answer_in(&line).text.starts_with('?'));
    }
}
