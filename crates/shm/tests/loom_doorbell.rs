//! The doorbell under the model checker: no wake-up is lost, in whichever order the processes come.
//!
//! Parts of loom stand for those of the kernel: a SeqCst fence on each side for membarrier, a lock
//! and a condition variable for the futex. A lost wake-up is a sleeper that no thread wakes, which
//! loom reports as a deadlock. Sleeps have no timeout here.
//!
//! A sender may stop between its load of the flag and its swap while the receiver sleeps again. The
//! swap then takes the flag of the later sleep down. That sender wakes the receiver, so nothing is
//! lost; other senders leave it to that one meanwhile.

#![cfg(loom)]

use loom::sync::{Condvar, Mutex};
use loom::thread;
use nemesis_shm::doorbell::{must_wake, must_wake_for_space, sleep_by};
use nemesis_sync::{AtomicU32, Ordering, fence, weaken};
use std::sync::Arc;

/// One word to sleep on.
struct Futex {
    lock: Mutex<()>,
    woken: Condvar,
}

impl Futex {
    fn wait(&self, flag: &AtomicU32, expected: u32) {
        let guard = self.lock.lock().unwrap();
        // Relaxed: the kernel reads the word under its own lock, and so does this.
        if flag.load(Ordering::Relaxed) == expected {
            drop(self.woken.wait(guard).unwrap());
        }
    }

    fn wake(&self) {
        let _guard = self.lock.lock().unwrap();
        self.woken.notify_one();
    }
}

struct Shared {
    flag: AtomicU32,
    /// The last packet that each sender has published.
    packets: [AtomicU32; 2],
    futex: Futex,
}

impl Shared {
    fn new() -> Arc<Shared> {
        let packets = [AtomicU32::new(0), AtomicU32::new(0)];
        Arc::new(Shared {
            flag: AtomicU32::new(0),
            packets,
            futex: Futex { lock: Mutex::new(()), woken: Condvar::new() },
        })
    }

    fn send(&self, sender: usize, packet: u32) {
        // Release: as the queue and the fastbox publish.
        self.packets[sender].store(packet, Ordering::Release);
        if must_wake(&self.flag) {
            self.futex.wake();
        }
    }

    /// Returns space to a sender.
    fn give_back(&self, giver: usize, space: u32) {
        // Release: as cells and lines are given back.
        self.packets[giver].store(space, Ordering::Release);
        if must_wake_for_space(&self.flag) {
            self.futex.wake();
        }
    }

    fn arrived(&self, wanted: [u32; 2]) -> bool {
        // Acquire: as the queue and the fastbox poll.
        (0..2).all(|sender| self.packets[sender].load(Ordering::Acquire) >= wanted[sender])
    }

    /// Sleeps until the packets, or the space, have arrived; `order` is the sleeper's side of the
    /// barrier.
    fn receive(&self, wanted: [u32; 2], needs_space: bool, order: fn()) {
        while !self.arrived(wanted) {
            let barrier = || {
                order();
                true
            };
            sleep_by(
                &self.flag,
                needs_space,
                barrier,
                || self.arrived(wanted),
                |asleep, _| self.futex.wait(&self.flag, asleep),
            );
        }
    }
}

fn full_barrier() {
    fence(Ordering::SeqCst);
}

fn no_barrier() {}

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// A receiver that sleeps for each of two packets.
fn every_packet_wakes(order: fn()) {
    check(move || {
        let shared = Shared::new();
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || (1..=2).for_each(|packet| shared.send(0, packet)))
        };
        (1..=2).for_each(|packet| shared.receive([packet, 0], false, order));
        sender.join().unwrap();
    });
}

/// A sleeper that needs something of each of two processes: one of them takes the flag down, the
/// other finds it down.
fn two_processes_ring(acts: [fn(&Shared, usize, u32); 2], needs_space: bool) {
    check(move || {
        let shared = Shared::new();
        let others = [0, 1].map(|other| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || acts[other](&shared, other, 1))
        });
        shared.receive([1, 1], needs_space, full_barrier);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

/// A sender that rings late, when the receiver was woken by another one and sleeps again.
fn a_late_ring_wakes() {
    check(|| {
        let shared = Shared::new();
        let senders = [0, 1].map(|sender| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                (1..=1 + sender).for_each(|packet| shared.send(sender as usize, packet))
            })
        });
        shared.receive([0, 1], false, full_barrier);
        shared.receive([1, 2], false, full_barrier);
        senders.into_iter().for_each(|sender| sender.join().unwrap());
    });
}

/// A sender that waits for space, which another process returns twice.
fn returned_space_wakes() {
    check(|| {
        let shared = Shared::new();
        let giver = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || (1..=2).for_each(|space| shared.give_back(0, space)))
        };
        (1..=2).for_each(|space| shared.receive([space, 0], true, full_barrier));
        giver.join().unwrap();
    });
}

#[test]
fn one_process_that_returns_space() {
    returned_space_wakes();
}

#[test]
fn one_sender_and_one_that_returns_space() {
    two_processes_ring([Shared::send, Shared::give_back], true);
}

#[test]
fn one_sender() {
    every_packet_wakes(full_barrier);
}

#[test]
fn a_sender_that_is_late() {
    a_late_ring_wakes();
}

#[test]
fn two_senders() {
    two_processes_ring([Shared::send; 2], false);
}

#[test]
fn the_sender_barrier_is_needed() {
    weaken::every_ordering_is_needed(
        "src/doorbell.rs",
        include_str!("../src/doorbell.rs"),
        &[|| every_packet_wakes(full_barrier), returned_space_wakes],
    );
}

#[test]
#[should_panic(expected = "deadlock")]
fn the_receiver_barrier_is_needed() {
    every_packet_wakes(no_barrier);
}
