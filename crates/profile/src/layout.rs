//! The memory in which the ranks of a host count: a page that describes it, then a slot for each
//! rank.
//!
//! ```text
//!   page of the memory   MAGIC, ranks of the job, slots, events of a trace
//!   slot of local rank   head   64 words: who, when, the present call, memory, transports
//!                        calls  for each call and class of sizes: calls, nanoseconds, bytes
//!                        peers  for each rank, and one for other jobs: messages, bytes, transport
//!                        named  for each of these: nanoseconds in calls for it
//!                        sites  for each call site: call and address, file, calls, time, bytes
//!                        files  the paths of the files of the call sites
//!                        trace  for each event: begin, end, call and peer, bytes
//! ```
//!
//! Everything is a 64-bit word, and all words are zero at first. The memory is sparse: what a rank
//! does not use takes none. One process writes a slot; others read it at any time, so figures of
//! one reading may differ by the calls of a moment.

use crate::CALLS;

/// The first word of the memory: the version of the layout, and the number of calls.
pub const MAGIC: u64 = 0x4e4d_5350_0002_0000 | CALLS.len() as u64;

/// The name of the memory, as `/proc/PID/fd` shows it.
pub const MEMORY_NAME: &str = "nemesis-profile";

/// The variable that tells a rank its memory: `FD:LOCAL`, the descriptor and the number of the
/// slot.
pub const MEMORY_VARIABLE: &str = "NEMESIS_PROFILE_MEMORY";

/// The variable by which a user asks for a profile: the folder for its files, or `on` for
/// [`FOLDER`].
pub const PROFILE_VARIABLE: &str = "NEMESIS_PROFILE";

/// The folder of a profile for which the user gives none.
pub const FOLDER: &str = "nemesis-profile";

/// Returns the folder that a value of [`PROFILE_VARIABLE`] names; `None` if it asks for no profile.
pub fn folder_named(value: &str) -> Option<String> {
    match value {
        "" | "off" | "0" | "no" => None,
        "on" | "1" | "yes" => Some(FOLDER.into()),
        folder => Some(folder.into()),
    }
}

/// Words of a page.
const PAGE_WORDS: usize = 512;

/// Words of the memory's own page.
pub mod memory {
    /// [`MAGIC`](super::MAGIC).
    pub const MAGIC: usize = 0;
    /// The number of ranks of the job.
    pub const RANKS: usize = 1;
    /// The number of slots: ranks of this host.
    pub const SLOTS: usize = 2;
    /// The number of events of a rank's trace.
    pub const EVENTS: usize = 3;
    /// Words that are used.
    pub const WORDS: usize = 4;
}

/// Words of a slot's head.
pub mod head {
    /// The process's number in the system.
    pub const PID: usize = 0;
    /// The rank, plus one; zero in a slot that no process has taken.
    pub const RANK: usize = 1;
    /// One of [`STATE_RUNNING`](super::STATE_RUNNING) and [`STATE_FINAL`](super::STATE_FINAL).
    pub const STATE: usize = 2;
    /// When the process called MPI first, in nanoseconds of the monotonic clock.
    pub const BEGAN: usize = 3;
    /// When `MPI_Finalize` returned; of a process that ended without, when the launcher noticed.
    pub const ENDED: usize = 4;
    /// The place of the present call in `CALLS`, plus one; zero outside MPI.
    pub const CALL: usize = 5;
    /// When the present call began.
    pub const CALL_BEGAN: usize = 6;
    /// The process with which the present call communicates, plus one; zero for none.
    pub const PEER: usize = 7;
    /// Bytes that unexpected messages took at the last look.
    pub const UNEXPECTED: usize = 8;
    /// The most bytes that unexpected messages took at any look.
    pub const UNEXPECTED_MAX: usize = 9;
    /// When the last call returned.
    pub const SEEN: usize = 10;
    /// Events of the trace that were recorded.
    pub const EVENTS: usize = 11;
    /// Events of the trace that found no space.
    pub const DROPPED: usize = 12;
    /// When the memory of unexpected messages was looked at last.
    pub const LOOKED: usize = 13;
    /// Nanoseconds of processors that the process had used at the first call.
    pub const CPU_BEGAN: usize = 24;
    /// Nanoseconds of processors that the process had used at the last look.
    pub const CPU: usize = 25;
    /// Nanoseconds for which its first thread had waited for a processor at the first call.
    pub const QUEUE_BEGAN: usize = 26;
    /// Nanoseconds for which its first thread had waited for a processor at the last look.
    pub const QUEUE: usize = 27;
    /// Calls from places for which there was no space.
    pub const UNPLACED: usize = 28;
    /// The offset of the call site of the present call within the slot; zero for none.
    pub const SITE: usize = 29;
    /// The names of the transports, each the bytes of a word.
    pub const TRANSPORTS: usize = 16;
    /// Words of the head.
    pub const WORDS: usize = 64;
}

/// The state of a process that has called MPI.
pub const STATE_RUNNING: u64 = 1;
/// The state of a process after `MPI_Finalize`.
pub const STATE_FINAL: u64 = 2;

/// The most transports that a process can name.
pub const TRANSPORTS_MAX: usize = 8;

/// The upper limits of the classes of sizes in bytes. The first class is that of calls without
/// data, and the last has no limit.
pub const CLASS_LIMITS: [u64; 6] = [0, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 22];

/// The number of classes of sizes.
pub const CLASSES: usize = CLASS_LIMITS.len() + 2;

/// The names of the classes of sizes.
pub const CLASS_NAMES: [&str; CLASSES] =
    ["no data", "0", "1-64 B", "65 B-1 KiB", "1-16 KiB", "16-256 KiB", "256 KiB-4 MiB", "> 4 MiB"];

/// Returns the class of a call that passes `bytes` bytes.
#[inline]
pub fn class_of(bytes: u64) -> usize {
    1 + CLASS_LIMITS.iter().filter(|&&limit| bytes > limit).count()
}

/// Words of a call and class: calls, nanoseconds, bytes.
pub const CALL_WORDS: usize = 3;
/// Words of a peer: messages, bytes, the number of the transport plus one.
pub const PEER_WORDS: usize = 3;
/// Words of a call site: its key ([`site_key`]), its file and offset ([`site_place`]), calls,
/// nanoseconds, bytes.
pub const SITE_WORDS: usize = 5;
/// Call sites of a rank that are told apart. Further ones are counted together.
pub const SITES: usize = 1024;
/// Files of call sites.
pub const FILES: usize = 64;
/// Words of the path of a file, which ends with a null.
pub const FILE_WORDS: usize = 64;

/// Bits of an address, and of an offset within a file, in the words of a call site.
const ADDRESS_BITS: u32 = 48;
const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;
/// Whether the file of a call site is the program itself.
const OF_PROGRAM: u64 = 1 << 63;

/// Returns the word by which a call site is known: the return address, and the call. It is not 0.
#[inline]
pub fn site_key(call: usize, address: usize) -> u64 {
    (call as u64 + 1) << ADDRESS_BITS | address as u64 & ADDRESS_MASK
}

/// Returns the call of a key.
pub fn call_of(key: u64) -> Option<usize> {
    usize::try_from(key >> ADDRESS_BITS).ok()?.checked_sub(1).filter(|&call| call < CALLS.len())
}

/// Returns the word for the place of a call site: the number of its file, and the distance from
/// where the file begins in memory.
pub fn site_place(file: usize, offset: usize, is_program: bool) -> u64 {
    let program = if is_program { OF_PROGRAM } else { 0 };
    program | (file as u64 + 1) << ADDRESS_BITS | offset as u64 & ADDRESS_MASK
}

/// Returns the number of the file, the offset and whether the file is the program, of a place.
pub fn place_of(word: u64) -> Option<(usize, u64, bool)> {
    let file = usize::try_from((word & !OF_PROGRAM) >> ADDRESS_BITS).ok()?.checked_sub(1)?;
    (file < FILES).then_some((file, word & ADDRESS_MASK, word & OF_PROGRAM != 0))
}

/// Words of an event: begin, end, the call with the peer (plus one) in the upper half, bytes.
pub const EVENT_WORDS: usize = 4;

/// The offsets of a memory, in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Ranks of the job.
    pub ranks: usize,
    /// Slots of the memory.
    pub slots: usize,
    /// Events of a rank's trace.
    pub events: usize,
}

impl Layout {
    /// Reads the layout from the first words of a memory. Returns `None` if they are those of
    /// another version, or numbers that no launcher writes.
    pub fn read(words: &[u64]) -> Option<Layout> {
        let (&magic, rest) = words.get(..memory::WORDS)?.split_first()?;
        let plausible = |word: u64| usize::try_from(word).ok().filter(|&word| word <= 1 << 24);
        let layout = Layout {
            ranks: plausible(rest[memory::RANKS - 1])?,
            slots: plausible(rest[memory::SLOTS - 1])?,
            events: plausible(rest[memory::EVENTS - 1])?,
        };
        (magic == MAGIC && layout.slots <= layout.ranks).then_some(layout)
    }

    /// Returns the first words of a memory.
    pub fn words(&self) -> [u64; memory::WORDS] {
        [MAGIC, self.ranks as u64, self.slots as u64, self.events as u64]
    }

    /// Returns the offset of a call and class within a slot.
    #[inline]
    pub fn call(call: usize, class: usize) -> usize {
        head::WORDS + (call * CLASSES + class) * CALL_WORDS
    }

    /// Returns the offset of a peer within a slot. The peer after the last rank stands for the
    /// processes of other jobs.
    #[inline]
    pub fn peer(&self, peer: usize) -> usize {
        Layout::call(CALLS.len(), 0) + peer.min(self.ranks) * PEER_WORDS
    }

    /// Returns the offset of the time in calls that name a peer within a slot.
    #[inline]
    pub fn named(&self, peer: usize) -> usize {
        self.peer(self.ranks) + PEER_WORDS + peer.min(self.ranks)
    }

    /// Returns the offset of a call site within a slot.
    #[inline]
    pub fn site(&self, site: usize) -> usize {
        self.named(self.ranks) + 1 + site * SITE_WORDS
    }

    /// Returns the offset of the path of a file within a slot.
    pub fn file(&self, file: usize) -> usize {
        self.site(SITES) + file * FILE_WORDS
    }

    /// Returns the offset of an event within a slot.
    #[inline]
    pub fn event(&self, event: usize) -> usize {
        self.file(FILES) + event * EVENT_WORDS
    }

    /// Returns the words of a slot.
    pub fn slot_words(&self) -> usize {
        self.event(self.events).next_multiple_of(PAGE_WORDS)
    }

    /// Returns the words of a slot without its trace.
    pub fn counted_words(&self) -> usize {
        self.event(0)
    }

    /// Returns the offset of a slot in the memory.
    pub fn slot(&self, slot: usize) -> usize {
        PAGE_WORDS + slot * self.slot_words()
    }

    /// Returns the bytes of the memory, a multiple of every page size.
    pub fn bytes(&self) -> u64 {
        (self.slot(self.slots) as u64 * 8).next_multiple_of(1 << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_after_their_limits() {
        let class = |bytes| CLASS_NAMES[class_of(bytes)];
        assert_eq!(
            [class(0), class(1), class(64), class(65)],
            ["0", "1-64 B", "1-64 B", "65 B-1 KiB"]
        );
        assert_eq!(
            [class(1 << 10), class(1 << 22), class(u64::MAX)],
            ["65 B-1 KiB", "256 KiB-4 MiB", "> 4 MiB"]
        );
    }

    #[test]
    fn parts_of_a_slot_do_not_overlap() {
        let layout = Layout { ranks: 5, slots: 3, events: 7 };
        assert!(
            Layout::call(0, 0) == head::WORDS && head::TRANSPORTS + TRANSPORTS_MAX <= head::WORDS
        );
        assert_eq!(layout.peer(0), Layout::call(CALLS.len() - 1, CLASSES - 1) + CALL_WORDS);
        assert_eq!(layout.peer(5), layout.peer(99));
        assert_eq!(layout.named(0), layout.peer(5) + PEER_WORDS);
        assert_eq!((layout.named(9), layout.site(0)), (layout.named(5), layout.named(5) + 1));
        assert_eq!(layout.event(0), layout.file(FILES - 1) + FILE_WORDS);
        assert!(layout.event(7) <= layout.slot_words());
        assert_eq!(layout.slot(2) - layout.slot(1), layout.slot_words());
    }

    #[test]
    fn words_of_a_call_site_come_back() {
        let key = site_key(3, 0x7fff_1234_5678);
        assert_eq!((call_of(key), call_of(0), call_of(u64::MAX)), (Some(3), None, None));
        for is_program in [false, true] {
            let place = site_place(2, 0x1234, is_program);
            assert_eq!(place_of(place), Some((2, 0x1234, is_program)));
        }
        assert_eq!((place_of(0), place_of(u64::MAX)), (None, None));
    }

    #[test]
    fn a_layout_is_read_as_it_was_written() {
        let layout = Layout { ranks: 5, slots: 3, events: 7 };
        assert_eq!(Layout::read(&layout.words()), Some(layout));
        assert_eq!(Layout::read(&[MAGIC + 1, 5, 3, 7]), None);
        assert_eq!(Layout::read(&[MAGIC, 2, 3, 7]), None);
        assert_eq!(Layout::read(&[MAGIC, u64::MAX, 3, 7]), None);
        assert_eq!(Layout::read(&[MAGIC]), None);
    }
}
