//! How long packets to one process, or what members of a board publish, are written: by how long it took.
//!
//! Whether two processors have a cache in common the kernel may not know, and a virtual machine changes it every minute. So the sender looks at its clock.
//! Where lines take long, because the other processor's caches hold them and are far, it writes past the caches, to memory, and tries now and then whether
//! things have changed.

use nemesis_shm::copy;
use nemesis_shm::pieces::Manner;
use nemesis_sys::processor;
use nemesis_wire::LINE_BYTES;

/// How the next one is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// So many packets, one after the other, were written slowly.
    slow: u8,
    /// So many more are written past the caches, before one is tried through them again.
    past: u8,
}

/// Ticks for a line, from which on one is written slowly: several times what a cache in common takes, less than half of what other caches take.
const SLOW_TICKS: u64 = 26;
/// So many slow packets in turn are no accident.
const SLOW_PACKETS: u8 = 3;
/// So many packets in turn go past the caches.
const PAST_PACKETS: u8 = 200;
/// What goes another way than in packets past the caches counts as if packets were so long.
const UNSENT_BYTES: usize = 1024 * 1024;
/// Shorter ones tell nothing, and are not worth it.
const PACED_MIN_BYTES: usize = 2048;

/// The same for what is copied to a board, where nobody looks on: a line takes 1 to 4 ticks where caches are near, some 12 if it has gone to memory, and 40 to
/// 60 elsewhere; but for the first lines the processor does not wait.
const SLOW_COPY_TICKS: u64 = 28;
const FREE_LINES: u64 = 32;
const TELLING_COPY_MIN_BYTES: usize = 4096;
/// The clock is looked at so often. What takes so many ticks for a line has other reasons than caches: a page that is touched for the first time takes 120.
const WATCHED_BYTES: usize = 4096;
const DELAY_TICKS: u64 = 96;

impl Pace {
    /// How a packet that is one run of bytes is best written.
    pub fn manner(&self, bytes: usize) -> Manner {
        if self.past > 0 && bytes >= PACED_MIN_BYTES { Manner::Past } else { Manner::Growing }
    }

    /// Whether packets go past the caches now. If so, `bytes` bytes go another way for that reason, and count as packets of `UNSENT_BYTES`.
    pub fn is_past_without(&mut self, bytes: usize) -> bool {
        let is_past = self.past > 0;
        self.past = self.past.saturating_sub(u8::try_from(bytes.div_ceil(UNSENT_BYTES)).unwrap_or(u8::MAX));
        is_past
    }

    /// Such a packet was written in `ticks`.
    pub fn took(&mut self, manner: Manner, bytes: usize, ticks: u64) {
        if bytes >= PACED_MIN_BYTES {
            self.learn(manner, ticks >= bytes.div_ceil(LINE_BYTES) as u64 * SLOW_TICKS);
        }
    }

    fn learn(&mut self, manner: Manner, was_slow: bool) {
        if manner == Manner::Past {
            self.past -= 1;
        } else if !was_slow {
            self.slow = 0;
        } else {
            self.slow = (self.slow + 1).min(SLOW_PACKETS);
            self.past = if self.slow == SLOW_PACKETS { PAST_PACKETS } else { 0 };
        }
    }

    /// Copies `data` to memory of the same length that another process reads.
    pub fn copy(&mut self, data: &[u8], place: &mut [u8]) {
        if data.len() < PACED_MIN_BYTES {
            return place.copy_from_slice(data);
        }
        let manner = self.manner(data.len());
        let was_slow = match manner {
            Manner::Past => {
                copy::past_caches_into(place, data);
                Some(false)
            }
            _ => copy_and_watch(data, place),
        };
        if let Some(was_slow) = was_slow.filter(|_| manner == Manner::Past || data.len() >= TELLING_COPY_MIN_BYTES) {
            self.learn(manner, was_slow);
        }
    }
}

/// Copies, and tells whether most of it took long, if that is to be told.
fn copy_and_watch(data: &[u8], place: &mut [u8]) -> Option<bool> {
    let mut parts = Parts { slow: 0, fast: 0, free_lines: FREE_LINES };
    let mut begun = processor::ticks();
    for (place, data) in place.chunks_mut(WATCHED_BYTES).zip(data.chunks(WATCHED_BYTES)) {
        place.copy_from_slice(data);
        let ended = processor::ticks();
        parts.took(data.len().div_ceil(LINE_BYTES) as u64, ended.saturating_sub(begun));
        begun = ended;
    }
    parts.were_slow()
}

/// The parts of a copy. What else happens to a process meanwhile, as that another gets the processor, happens to few of them.
struct Parts {
    slow: u32,
    fast: u32,
    free_lines: u64,
}

impl Parts {
    fn took(&mut self, lines: u64, ticks: u64) {
        if ticks < lines.saturating_sub(self.free_lines) * SLOW_COPY_TICKS {
            self.fast += 1;
        } else if ticks < lines * DELAY_TICKS {
            self.slow += 1;
        }
        self.free_lines = 0;
    }

    fn were_slow(&self) -> Option<bool> {
        (self.slow + self.fast > 0).then_some(self.slow > self.fast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_packets_go_past_the_caches_until_one_is_fast() {
        let mut pace = Pace::default();
        let lines = |bytes: usize| (bytes / LINE_BYTES) as u64;
        for bytes in [8192, 4096, 100_000] {
            assert_eq!(pace.manner(bytes), Manner::Growing);
            pace.took(Manner::Growing, bytes, lines(bytes) * 100);
        }
        for _ in 0..PAST_PACKETS {
            assert_eq!((pace.manner(8192), pace.manner(1000)), (Manner::Past, Manner::Growing));
            pace.took(Manner::Past, 8192, lines(8192) * 10);
        }
        assert_eq!(pace.manner(8192), Manner::Growing, "one is tried");
        pace.took(Manner::Growing, 8192, lines(8192) * 100);
        assert_eq!(pace.manner(8192), Manner::Past, "and was as slow as ever");
        for _ in 0..PAST_PACKETS {
            pace.took(Manner::Past, 8192, lines(8192) * 10);
        }
        pace.took(Manner::Growing, 8192, lines(8192) * 100);
        for _ in 0..PAST_PACKETS.div_ceil(2) {
            assert!(pace.is_past_without(2 * UNSENT_BYTES - 1), "what goes another way");
        }
        assert!(!pace.is_past_without(UNSENT_BYTES), "counts as well");
        pace.took(Manner::Growing, 8192, lines(8192) * 5);
        for _ in 0..2 {
            assert_eq!(pace.manner(8192), Manner::Growing, "one slow packet is an accident");
            pace.took(Manner::Growing, 8192, lines(8192) * 100);
        }
    }

    #[test]
    fn what_is_copied_arrives_in_every_manner() {
        let data: Vec<u8> = (0..5000).map(|at| (at * 7) as u8).collect();
        for past in [0, PAST_PACKETS] {
            for (begin, bytes) in [(0, 0), (0, 100), (0, 5000), (3, 4000), (64, PACED_MIN_BYTES)] {
                let mut place = vec![0; 5100];
                Pace { slow: SLOW_PACKETS, past }.copy(&data[..bytes], &mut place[begin..begin + bytes]);
                assert_eq!(place[begin..begin + bytes], data[..bytes]);
                assert!(place[..begin].iter().chain(&place[begin + bytes..]).all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn what_has_nothing_to_do_with_caches_does_not_count() {
        let verdict = |ticks_of_a_line: [u64; 4]| {
            let mut parts = Parts { slow: 0, fast: 0, free_lines: FREE_LINES };
            ticks_of_a_line.iter().for_each(|ticks| parts.took(64, 64 * ticks));
            parts.were_slow()
        };
        assert_eq!(verdict([2, 3, 3, 3]), Some(false));
        assert_eq!(verdict([25, 50, 45, 60]), Some(true));
        assert_eq!(verdict([140, 130, 125, 250]), None, "pages that are touched for the first time");
        assert_eq!(verdict([3, 3, 40, 7000]), Some(false), "another had the processor");
    }
}
