//! Doorbells: no wake-up is lost.

use super::harness::{Random, Worker, stress};
use super::segment;
use nemesis_shm::doorbell::{Raised, must_wake, must_wake_for_space, sleep, wake};
use nemesis_sync::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use nemesis_sys::membarrier;
use std::time::{Duration, Instant};

/// Longest sleep of the sleeper. A wake-up that takes as long is lost.
const TIMEOUT: Duration = Duration::from_secs(20);

/// What the processes know of each other: for each of two senders the number of packets, or of
/// returned pieces of space, that it has published and that the sleeper has taken.
#[derive(Default)]
struct Shared {
    published: [AtomicU64; 2],
    taken: [AtomicU64; 2],
    are_over: [AtomicBool; 2],
}

impl Shared {
    fn has_news(&self) -> bool {
        (0..2).any(|sender| {
            // Acquire: pairs with the Release of the sender.
            self.published[sender].load(Ordering::Acquire)
                != self.taken[sender].load(Ordering::Relaxed)
        }) || self.is_over()
    }

    fn is_over(&self) -> bool {
        // Acquire: pairs with the Release of the sender.
        self.are_over.iter().all(|is_over| is_over.load(Ordering::Acquire))
    }

    fn take(&self) {
        for (published, taken) in self.published.iter().zip(&self.taken) {
            // Acquire, Release: as above; the sender continues.
            taken.store(published.load(Ordering::Acquire), Ordering::Release);
        }
    }
}

/// Two senders publish and ring, and one sleeps whenever there is nothing.
fn no_wake_up_is_lost(must_ring: fn(&AtomicU32) -> bool, needs_space: bool, in_steps: bool) {
    assert!(membarrier::register(), "the kernel has membarrier");
    let segment = segment(1);
    let flag = &segment.slot(0).doorbell().flag;
    let shared = Shared::default();
    let sender = |index: usize| {
        let shared = &shared;
        Worker::new(move |clock| {
            let mut random = Random::new(index as u64 + 3);
            let ring = || {
                if must_ring(flag) {
                    wake(flag);
                }
            };
            for packet in 1.. {
                let is_last = !clock.goes_on();
                if is_last {
                    // Release: the sleeper reads it.
                    shared.are_over[index].store(true, Ordering::Release);
                } else {
                    // Release: as above.
                    shared.published[index].store(packet, Ordering::Release);
                }
                ring();
                if is_last {
                    break;
                }
                // Acquire: pairs with the Release of the sleeper.
                let is_taken = || shared.taken[index].load(Ordering::Acquire) == packet;
                clock.wait_for("a packet was taken", is_taken);
                (0..random.below(2000)).for_each(|_| std::hint::spin_loop());
            }
        })
    };
    let sleeper = Worker::sleeper(|clock| {
        let mut random = Random::new(1);
        while !shared.is_over() {
            clock.check();
            shared.take();
            (0..random.below(200)).for_each(|_| std::hint::spin_loop());
            let begun = Instant::now();
            if in_steps {
                let raised = Raised::raise(flag, needs_space, true);
                if random.once_in(8) {
                    std::thread::yield_now();
                }
                if !shared.has_news() {
                    raised.sleep(TIMEOUT);
                }
            } else {
                sleep(flag, || shared.has_news(), TIMEOUT);
            }
            assert!(begun.elapsed() < TIMEOUT, "a wake-up is lost");
        }
    });
    stress(vec![sender(0), sender(1), sleeper]);
}

#[test]
fn a_packet_wakes() {
    no_wake_up_is_lost(must_wake, false, false);
}

#[test]
fn a_packet_wakes_a_sleeper_that_works_before_it_sleeps() {
    no_wake_up_is_lost(must_wake, false, true);
}

#[test]
fn returned_space_wakes() {
    no_wake_up_is_lost(must_wake_for_space, true, true);
}
