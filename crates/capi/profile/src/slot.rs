//! The memory in which this process counts: its slot of the launcher's memory, or memory of its own
//! if the launcher has made none (`gather`).

use crate::library::library;
use nemesis_profile::layout::{
    EVENT_WORDS, FILE_WORDS, FILES, Layout, MEMORY_VARIABLE, SITES, STATE_FINAL, STATE_RUNNING,
    TRANSPORTS_MAX, head, site_key, site_place,
};
use nemesis_sync::{AtomicU8, AtomicU64, Ordering};
use nemesis_sys::mapping::Mapping;
use nemesis_sys::process::{processor_time, queue_time};
use nemesis_sys::{calls, clock};
use rustix::fd::BorrowedFd;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Time between two looks at the memory of unexpected messages.
const LOOK_NS: u64 = 10_000_000;
/// Looks at that memory between two looks at the times of processors.
const LOOKS: u64 = 10;
/// Places that are tried for a call site.
const TRIES: usize = 16;

/// Which threads may count at a time.
mod threads {
    /// Several, until MPI starts with a level of threads that excludes it.
    pub const SEVERAL: u8 = 0;
    /// One.
    pub const ONE: u8 = 1;
    /// Several for good: the program has opened a session.
    pub const SEVERAL_OF_SESSIONS: u8 = 2;
}

/// The slot of this process.
pub struct Slot {
    words: &'static [AtomicU64],
    pub layout: Layout,
    /// Nanoseconds of the monotonic clock when `clock::seconds` was zero.
    start: u64,
    /// Which threads may count at a time: one of [`threads`].
    threads: AtomicU8,
    /// Serializes threads that name transports.
    naming: Mutex<()>,
    /// Whether the launcher reads the slot.
    pub is_launchers: bool,
}

static LAUNCHERS: OnceLock<Option<Slot>> = OnceLock::new();
static OWN: OnceLock<Slot> = OnceLock::new();

/// Returns the slot, or `None` if no profile is made.
#[inline]
pub fn slot() -> Option<&'static Slot> {
    LAUNCHERS.get_or_init(Slot::of_launcher).as_ref().or_else(|| OWN.get())
}

/// Makes a slot that this process alone can read, for a job of `ranks` ranks.
pub fn make_own(ranks: usize, rank: u32) -> &'static Slot {
    OWN.get_or_init(|| {
        let layout = Layout { ranks, slots: 1, events: 0 };
        let words = (0..layout.slot_words()).map(|_| AtomicU64::new(0)).collect();
        let words: &'static [AtomicU64] = Vec::leak(words);
        Slot::taken(words, layout, rank, false)
    })
}

impl Slot {
    fn of_launcher() -> Option<Slot> {
        let value = std::env::var(MEMORY_VARIABLE).ok()?;
        let (descriptor, local) = value.split_once(':')?;
        let (descriptor, local): (i32, usize) = (descriptor.parse().ok()?, local.parse().ok()?);
        let rank: u32 = std::env::var("PMI_RANK").ok()?.parse().ok()?;
        if descriptor < 0 {
            return None;
        }
        // SAFETY: the descriptor is used within this function only; one that the program has closed
        // or uses for something else is recognised below.
        let memory = unsafe { BorrowedFd::borrow_raw(descriptor) };
        let mut first = [0; 32];
        let layout = (rustix::io::pread(memory, &mut first, 0) == Ok(first.len()))
            .then(|| first.as_chunks().0.iter().copied().map(u64::from_ne_bytes))
            .and_then(|words| Layout::read(&words.collect::<Vec<u64>>()))
            .filter(|layout| local < layout.slots)?;
        if rustix::fs::fstat(memory).ok()?.st_size as u64 != layout.bytes() {
            return None;
        }
        let mapping = Mapping::shared(memory, layout.bytes() as usize).ok()?;
        let base = mapping.base().cast::<AtomicU64>();
        // The slot stays until the process ends.
        std::mem::forget(mapping);
        // SAFETY: the mapping has `layout.bytes()` bytes at a page's address, which contain the
        // slot, and is never unmapped. Words of shared memory are atomics.
        let words = unsafe {
            std::slice::from_raw_parts(base.add(layout.slot(local)).as_ptr(), layout.slot_words())
        };
        Some(Slot::taken(words, layout, rank, true))
    }

    fn taken(words: &'static [AtomicU64], layout: Layout, rank: u32, is_launchers: bool) -> Slot {
        let now = clock::monotonic_ns();
        let start = now.saturating_sub(nanoseconds());
        let naming = Mutex::new(());
        let threads = AtomicU8::new(threads::SEVERAL);
        let slot = Slot { words, layout, start, threads, naming, is_launchers };
        // A second program of the rank counts on, as a shell's commands do.
        if slot.get(head::BEGAN) == 0 {
            slot.set(head::BEGAN, now);
            slot.look_at_processors();
            slot.set(head::CPU_BEGAN, slot.get(head::CPU));
            slot.set(head::QUEUE_BEGAN, slot.get(head::QUEUE));
        }
        slot.set(head::PID, std::process::id().into());
        slot.set(head::STATE, STATE_RUNNING);
        slot.set(head::RANK, u64::from(rank) + 1);
        slot
    }

    /// Returns the time in nanoseconds of the monotonic clock.
    #[inline]
    pub fn now(&self) -> u64 {
        self.start + nanoseconds()
    }

    #[inline]
    pub fn get(&self, place: usize) -> u64 {
        // Relaxed: the words are figures, and order nothing. So are those of the other functions.
        self.words[place].load(Ordering::Relaxed)
    }

    #[inline]
    pub fn set(&self, place: usize, value: u64) {
        self.words[place].store(value, Ordering::Relaxed);
    }

    /// Adds to a counter. A single thread needs no atomic addition.
    #[inline]
    pub fn add(&self, place: usize, value: u64) {
        if self.several() {
            self.words[place].fetch_add(value, Ordering::Relaxed);
        } else {
            self.set(place, self.get(place).wrapping_add(value));
        }
    }

    /// Returns whether several threads may count at a time.
    #[inline]
    fn several(&self) -> bool {
        self.threads.load(Ordering::Relaxed) != threads::ONE
    }

    /// Says whether several threads may count, after `MPI_Init` or `MPI_Init_thread` with the
    /// arguments `words`. Sessions have levels of their own, and any thread may open one.
    pub fn admit_threads(&self, words: &[usize]) {
        let Some(library) = library() else { return };
        let level = words.get(2).map(|&level| level as u32 as usize);
        if level != Some(library.abi.thread_multiple) {
            // Fails if the program has opened a session. Relaxed: the word orders nothing.
            let _ = self.threads.compare_exchange(
                threads::SEVERAL,
                threads::ONE,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
    }

    /// Says that the program opens a session, so that several threads may count from now on.
    pub fn admit_sessions(&self) {
        self.threads.store(threads::SEVERAL_OF_SESSIONS, Ordering::Relaxed);
    }

    /// Counts a call.
    #[inline]
    pub fn count(&self, call: usize, class: usize, ns: u64, bytes: u64) {
        let place = Layout::call(call, class);
        self.add(place, 1);
        self.add(place + 1, ns);
        self.add(place + 2, bytes);
    }

    /// Returns where a call from a place of the program counts, by the address to which it returns.
    /// `None` if there is no space.
    #[inline]
    pub fn site(&self, call: usize, address: usize) -> Option<usize> {
        let key = site_key(call, address);
        // The golden ratio spreads the addresses, of which the lowest bits are alike.
        let first = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        for at in first..first + TRIES {
            let place = self.layout.site(at % SITES);
            let known = match self.get(place) {
                0 => self.claim_site(place, key, address),
                known => known,
            };
            if known == key {
                return Some(place);
            }
        }
        None
    }

    /// Counts a call at its site.
    #[inline]
    pub fn count_site(&self, site: Option<usize>, ns: u64, bytes: u64) {
        let Some(place) = site else { return self.add(head::UNPLACED, 1) };
        self.add(place + 2, 1);
        self.add(place + 3, ns);
        self.add(place + 4, bytes);
    }

    /// Takes a place for a call site, unless another thread has, and returns the key that it has
    /// now.
    #[cold]
    fn claim_site(&self, place: usize, key: u64, address: usize) -> u64 {
        // Relaxed: the key is the whole claim, and the words behind it are figures.
        match self.words[place].compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed) {
            Err(other) => other,
            Ok(_) => {
                // The call lies before the address to which it returns.
                if let Some((file, offset)) = calls::module_of(address.wrapping_sub(1)) {
                    let is_program = std::env::current_exe().is_ok_and(|program| program == file);
                    let number = self.file(file.as_os_str().as_encoded_bytes());
                    let place_of = |number| site_place(number, offset, is_program);
                    self.set(place + 1, number.map_or(0, place_of));
                }
                key
            }
        }
    }

    /// Returns the number of a file of call sites; `None` if there are too many, or the path is too
    /// long.
    fn file(&self, path: &[u8]) -> Option<usize> {
        let mut bytes = [0; 8 * FILE_WORDS];
        bytes.get_mut(..path.len()).filter(|_| path.len() < 8 * FILE_WORDS)?.copy_from_slice(path);
        let words: Vec<u64> =
            bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let _alone = self.naming.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |at: usize| {
            (0..FILE_WORDS).map(|word| self.get(self.layout.file(at) + word)).collect::<Vec<u64>>()
        };
        let at =
            (0..FILES).find(|&at| self.get(self.layout.file(at)) == 0 || known(at) == words)?;
        for (word, value) in words.into_iter().enumerate() {
            self.set(self.layout.file(at) + word, value);
        }
        Some(at)
    }

    /// Counts the time of a call that names a process.
    #[inline]
    pub fn name(&self, process: u32, ns: u64) {
        self.add(self.layout.named(process as usize), ns);
    }

    /// Looks how much of processors this process has used, and for how long its first thread has
    /// waited for one.
    #[cold]
    fn look_at_processors(&self) {
        self.set(head::CPU, nanoseconds_of(processor_time()));
        self.set(head::QUEUE, nanoseconds_of(queue_time().unwrap_or_default()));
    }

    /// Counts a message to a process. `name` names its transport and is called for the first one.
    #[inline]
    pub fn message(&self, process: u32, bytes: u64, name: impl FnOnce() -> Option<u64>) {
        let place = self.layout.peer(process as usize);
        if self.get(place + 2) == 0
            && let Some(number) = name().and_then(|name| self.transport(name))
        {
            self.set(place + 2, number);
        }
        self.add(place + 1, bytes);
        self.add(place, 1);
    }

    /// Returns the number of a transport, plus one; `None` if there are too many.
    #[cold]
    fn transport(&self, name: u64) -> Option<u64> {
        let _alone = self.naming.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (0..TRANSPORTS_MAX).find(|at| {
            let known = self.get(head::TRANSPORTS + at);
            known == 0 || known == name
        })?;
        self.set(head::TRANSPORTS + at, name);
        Some(at as u64 + 1)
    }

    /// Records a call for the trace.
    #[inline]
    pub fn record(&self, call: usize, [begin, end]: [u64; 2], peer: Option<u32>, bytes: u64) {
        if self.layout.events == 0 {
            return;
        }
        let event = if self.several() {
            self.words[head::EVENTS].fetch_add(1, Ordering::Relaxed)
        } else {
            let event = self.get(head::EVENTS);
            self.set(head::EVENTS, event + 1);
            event
        };
        if event >= self.layout.events as u64 {
            return self.add(head::DROPPED, 1);
        }
        let place = self.layout.event(event as usize);
        let peer = peer.map_or(0, |peer| u64::from(peer) + 1);
        let values: [u64; EVENT_WORDS] = [begin, end, call as u64 | peer << 32, bytes];
        values.into_iter().enumerate().for_each(|(at, value)| self.set(place + at, value));
    }

    /// Looks at the memory of unexpected messages if the last look is long ago, or `always`.
    #[inline]
    pub fn look(&self, now: u64, always: bool, bytes: impl FnOnce() -> Option<u64>) {
        if always || now.saturating_sub(self.get(head::LOOKED)) >= LOOK_NS {
            self.set(head::LOOKED, now);
            let bytes = bytes().unwrap_or(0);
            self.set(head::UNEXPECTED, bytes);
            self.set(head::UNEXPECTED_MAX, bytes.max(self.get(head::UNEXPECTED_MAX)));
            if always || now / (LOOKS * LOOK_NS) != self.get(head::SEEN) / (LOOKS * LOOK_NS) {
                self.look_at_processors();
            }
        }
    }

    /// Records the end of MPI.
    pub fn finish(&self, now: u64) {
        self.set(head::ENDED, now);
        self.set(head::STATE, STATE_FINAL);
    }

    /// Returns the words, without those of the trace.
    pub fn copied(&self) -> Vec<u64> {
        (0..self.layout.counted_words()).map(|place| self.get(place)).collect()
    }
}

fn nanoseconds_of(time: Duration) -> u64 {
    time.as_nanos() as u64
}

/// Returns the nanoseconds of the process's clock.
#[inline]
fn nanoseconds() -> u64 {
    (clock::seconds() * 1e9) as u64
}
