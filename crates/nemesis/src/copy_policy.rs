//! Whether a copy into a collective segment goes through the caches or by non-temporal stores.
//!
//! The kernel may not know whether two processors share a cache, and a virtual machine may move
//! them at any minute. So the writer times its copies. If a cache line takes long, because another
//! processor's distant cache holds it, the writer uses non-temporal stores, and retries a copy
//! through the caches now and then. Packets need no such policy: their receivers claim the lines,
//! or hand them back ([handoff buffers](crate::handoff_buffer)).

use nemesis_shm::PAGE_BYTES;
use nemesis_shm::copy;
use nemesis_sys::processor;
use nemesis_wire::CACHE_LINE_BYTES;

/// How the next copy is written: through the caches, or by non-temporal stores.
///
/// # Examples
///
/// ```
/// use nemesis::CopyPolicy;
///
/// let (data, mut shared) = (vec![7; 8192], vec![0; 8192]);
/// CopyPolicy::default().copy(&data, &mut shared);
/// assert_eq!(shared, data);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyPolicy {
    /// Number of slow copies in a row.
    slow: u8,
    /// Number of copies left that use non-temporal stores, before one is tried through the caches.
    non_temporal: u8,
}

/// Number of slow copies in a row from which on copies use non-temporal stores.
const SLOW_COPIES: u8 = 3;
/// Number of copies that use non-temporal stores in a row.
const NON_TEMPORAL_COPIES: u8 = 200;
/// Ticks per line from which on a copy is slow. A line takes 1 to 4 ticks if the caches are near,
/// about 12 if it is in memory, and 40 to 60 if a distant cache holds it. The processor does not
/// wait for the first half of a page, so a copy of one page takes half as long.
const SLOW_COPY_TICKS: u64 = 28;
/// Ticks per line from which on the caches do not explain the delay. The first access to a page
/// takes 120.
const DELAY_TICKS: u64 = 96;

impl CopyPolicy {
    /// Copies `data` to `place`, memory of the same length that another process reads.
    pub fn copy(&mut self, data: &[u8], place: &mut [u8]) {
        // Non-temporal stores do not pay for less than a page, and the time of it tells nothing.
        if data.len() < PAGE_BYTES {
            copy::slice(place, data);
        } else if self.non_temporal > 0 {
            copy::non_temporal_into(place, data);
            self.non_temporal -= 1;
        } else if let Some(was_slow) = copy_and_time(data, place) {
            self.learn(was_slow);
        }
    }

    /// Notes whether a copy through the caches was slow.
    fn learn(&mut self, was_slow: bool) {
        if !was_slow {
            self.slow = 0;
        } else {
            self.slow = (self.slow + 1).min(SLOW_COPIES);
            self.non_temporal = if self.slow == SLOW_COPIES { NON_TEMPORAL_COPIES } else { 0 };
        }
    }
}

/// Copies, and returns whether most parts were slow; `None` if no part tells.
fn copy_and_time(data: &[u8], place: &mut [u8]) -> Option<bool> {
    let mut parts = Parts::default();
    let mut start = processor::ticks();
    for (place, data) in place.chunks_mut(PAGE_BYTES).zip(data.chunks(PAGE_BYTES)) {
        copy::slice(place, data);
        let end = processor::ticks();
        parts.add(data.len().div_ceil(CACHE_LINE_BYTES) as u64, end.saturating_sub(start));
        start = end;
    }
    parts.were_slow()
}

/// Counts of slow and fast parts of a copy. Other delays, such as a lost time slice, affect few
/// parts.
#[derive(Default)]
struct Parts {
    slow: u32,
    fast: u32,
}

impl Parts {
    fn add(&mut self, lines: u64, ticks: u64) {
        let is_first = self.slow + self.fast == 0;
        let awaited_lines = if is_first { lines / 2 } else { lines };
        if ticks < awaited_lines * SLOW_COPY_TICKS {
            self.fast += 1;
        } else if ticks < lines * DELAY_TICKS {
            self.slow += 1;
        }
    }

    fn were_slow(&self) -> Option<bool> {
        (self.slow + self.fast > 0).then_some(self.slow > self.fast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_copies_use_non_temporal_stores_until_one_is_fast() {
        let (data, mut place) = (vec![5; 8192], vec![0; 8192]);
        let mut copy_policy = CopyPolicy::default();
        (0..3).for_each(|_| copy_policy.learn(true));
        for left in (0..NON_TEMPORAL_COPIES).rev() {
            copy_policy.copy(&data[..1000], &mut place[..1000]);
            copy_policy.copy(&data, &mut place);
            assert_eq!(copy_policy.non_temporal, left, "short copies do not count");
        }
        copy_policy.learn(true);
        assert_eq!(
            copy_policy.non_temporal, NON_TEMPORAL_COPIES,
            "the copy that was tried was slow"
        );
        copy_policy.non_temporal = 0;
        copy_policy.learn(false);
        for _ in 0..2 {
            copy_policy.learn(true);
            assert_eq!(copy_policy.non_temporal, 0, "one slow copy changes nothing");
        }
    }

    #[test]
    fn bytes_arrive_by_either_kind_of_store() {
        let data: Vec<u8> = (0..5000).map(|at| (at * 7) as u8).collect();
        for non_temporal in [0, NON_TEMPORAL_COPIES] {
            for (begin, bytes) in [(0, 0), (0, 100), (0, 5000), (3, 4000), (64, PAGE_BYTES)] {
                let mut place = vec![0; 5100];
                CopyPolicy { slow: SLOW_COPIES, non_temporal }
                    .copy(&data[..bytes], &mut place[begin..begin + bytes]);
                assert_eq!(place[begin..begin + bytes], data[..bytes]);
                assert!(
                    place[..begin].iter().chain(&place[begin + bytes..]).all(|&byte| byte == 0)
                );
            }
        }
    }

    #[test]
    fn delays_that_caches_do_not_explain_do_not_count() {
        let was_slow = |ticks_of_a_line: [u64; 4]| {
            let mut parts = Parts::default();
            ticks_of_a_line.iter().for_each(|ticks| parts.add(64, 64 * ticks));
            parts.were_slow()
        };
        assert_eq!(was_slow([2, 3, 3, 3]), Some(false));
        assert_eq!(was_slow([25, 50, 45, 60]), Some(true));
        assert_eq!(was_slow([140, 130, 125, 250]), None, "first accesses to pages");
        assert_eq!(was_slow([3, 3, 40, 7000]), Some(false), "another process had the processor");
    }
}
