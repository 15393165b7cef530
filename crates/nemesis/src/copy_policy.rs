//! Whether a copy into a collective segment goes through the caches or by non-temporal stores.
//!
//! The kernel may not know whether two processors share a cache, and a virtual machine may move them
//! at any minute. So the writer times its copies. If a cache line takes long, because another
//! processor's distant cache holds it, the writer uses non-temporal stores, and retries a copy
//! through the caches now and then. Packets need no such policy: their receivers claim the lines, or
//! hand them back ([handoff buffers](crate::handoff_buffer)).

use nemesis_shm::copy;
use nemesis_sys::processor;
use nemesis_wire::CACHE_LINE_BYTES;

/// How the next copy is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyPolicy {
    /// So many copies, one after the other, were slow.
    slow: u8,
    /// So many more go past the caches, before one is tried through them again.
    past: u8,
}

/// So many slow copies in turn are no accident.
const SLOW_COPIES: u8 = 3;
/// So many in turn go past the caches.
const NON_TEMPORAL_COPIES: u8 = 200;
/// Shorter ones tell nothing, and are not worth it.
const PACED_MIN_BYTES: usize = 2048;

/// Ticks for a line, from which on a copy was slow: a line takes 1 to 4 where caches are near, some 12 if it has gone to memory, and 40 to 60 elsewhere; but
/// for the first lines the processor does not wait.
const SLOW_COPY_TICKS: u64 = 28;
const FREE_LINES: u64 = 32;
const TELLING_COPY_MIN_BYTES: usize = 4096;
/// The clock is looked at so often. What takes so many ticks for a line has other reasons than caches: a page that is touched for the first time takes 120.
const WATCHED_BYTES: usize = 4096;
const DELAY_TICKS: u64 = 96;

impl CopyPolicy {
    /// Copies `data` to memory of the same length that another process reads.
    pub fn copy(&mut self, data: &[u8], place: &mut [u8]) {
        if data.len() < PACED_MIN_BYTES {
            copy::slice(place, data);
        } else if self.past > 0 {
            copy::non_temporal_into(place, data);
            self.past -= 1;
        } else if let Some(was_slow) = copy_and_watch(data, place)
            && data.len() >= TELLING_COPY_MIN_BYTES
        {
            self.learn(was_slow);
        }
    }

    /// A copy through the caches was slow, or it was not.
    fn learn(&mut self, was_slow: bool) {
        if !was_slow {
            self.slow = 0;
        } else {
            self.slow = (self.slow + 1).min(SLOW_COPIES);
            self.past = if self.slow == SLOW_COPIES { NON_TEMPORAL_COPIES } else { 0 };
        }
    }
}

/// Copies, and tells whether most of it took long, if that is to be told.
fn copy_and_watch(data: &[u8], place: &mut [u8]) -> Option<bool> {
    let mut parts = Parts { slow: 0, fast: 0, free_lines: FREE_LINES };
    let mut begun = processor::ticks();
    for (place, data) in place.chunks_mut(WATCHED_BYTES).zip(data.chunks(WATCHED_BYTES)) {
        copy::slice(place, data);
        let ended = processor::ticks();
        parts.took(data.len().div_ceil(CACHE_LINE_BYTES) as u64, ended.saturating_sub(begun));
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
    fn slow_copies_go_past_the_caches_until_one_is_fast() {
        let (data, mut place) = (vec![5; 8192], vec![0; 8192]);
        let mut copy_policy = CopyPolicy::default();
        (0..3).for_each(|_| copy_policy.learn(true));
        for left in (0..NON_TEMPORAL_COPIES).rev() {
            copy_policy.copy(&data[..1000], &mut place[..1000]);
            copy_policy.copy(&data, &mut place);
            assert_eq!(copy_policy.past, left, "short ones do not count");
        }
        copy_policy.learn(true);
        assert_eq!(copy_policy.past, NON_TEMPORAL_COPIES, "one was tried, and was as slow as ever");
        copy_policy.past = 0;
        copy_policy.learn(false);
        for _ in 0..2 {
            copy_policy.learn(true);
            assert_eq!(copy_policy.past, 0, "one slow copy is an accident");
        }
    }

    #[test]
    fn what_is_copied_arrives_in_every_manner() {
        let data: Vec<u8> = (0..5000).map(|at| (at * 7) as u8).collect();
        for past in [0, NON_TEMPORAL_COPIES] {
            for (begin, bytes) in [(0, 0), (0, 100), (0, 5000), (3, 4000), (64, PACED_MIN_BYTES)] {
                let mut place = vec![0; 5100];
                CopyPolicy { slow: SLOW_COPIES, past }
                    .copy(&data[..bytes], &mut place[begin..begin + bytes]);
                assert_eq!(place[begin..begin + bytes], data[..bytes]);
                assert!(
                    place[..begin].iter().chain(&place[begin + bytes..]).all(|&byte| byte == 0)
                );
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
        assert_eq!(
            verdict([140, 130, 125, 250]),
            None,
            "pages that are touched for the first time"
        );
        assert_eq!(verdict([3, 3, 40, 7000]), Some(false), "another had the processor");
    }
}
