//! The collective segment under the model checker, with two slots, so that calls soon use what
//! earlier ones used.
//!
//! The data that a row publishes outside its line is a cell that loom watches: a member that reads
//! data before they are published, or writes data that another still reads, fails the model. The
//! members do what collectives do:
//! * a root publishes and runs ahead, the others retire (broadcast);
//! * all publish and read each other's rows;
//! * all arrive at an arrival counter, and the last one publishes for all;
//! * calls run one after the other, or several at once;
//! * a member that waits long sleeps, and is woken only if it has announced that.
//!
//! A member that stops holds all others back: nobody uses its slot, staging buffer or ring again
//! before it has retired. Others so go round once at most, which two slots show. Each word has one
//! writer in a call; the last member to arrive sets the arrival counter to 0 before it retires.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::sync::{Condvar, Mutex};
use loom::thread;
use nemesis_shm::coll_segment::{
    CollSegment, PAIR_BUFFERS_BYTES, PAIR_RING_CHUNK_BYTES, Phase, RING_MIN_BYTES, STAGING_BYTES,
    SharedWords,
};
use nemesis_shm::doorbell::{must_wake, sleep_by};
use nemesis_sync::{AtomicU32, AtomicU64, Ordering, fence, spin_hint, weaken};
use std::sync::Arc;

const MEMBERS: u32 = 2;
/// Words of a collective segment for two members with two slots: arrival counters and three rows of
/// two lines in each, and two words of retirement.
const WORDS: usize = (2 * (2 + 6) + 2) * 8;
/// Number of slots, each with the data that its rows publish outside their lines.
const SLOTS: usize = 2;

struct Memory {
    words: Vec<AtomicU64>,
    /// The data of each row, the common row included, in each slot.
    staging: Vec<[UnsafeCell<u64>; SLOTS]>,
    /// The exchange buffer in each ring.
    exchanged: [UnsafeCell<u64>; MEMBERS as usize],
    /// The buffers of the pair ring, by where they begin.
    pair_ring: [UnsafeCell<u64>; PAIR_BUFFERS_BYTES / PAIR_RING_CHUNK_BYTES],
    /// The doorbell flag of the member that sleeps.
    bell: AtomicU32,
    asleep: Mutex<()>,
    woken: Condvar,
}

// SAFETY: loom reports two threads that access a cell at once.
unsafe impl Sync for Memory {}
// SAFETY: as above.
unsafe impl Send for Memory {}

#[derive(Clone)]
struct View(Arc<Memory>);

impl SharedWords for View {
    fn word(&self, offset: usize) -> &AtomicU64 {
        &self.0.words[offset / 8]
    }
}

impl View {
    fn new() -> View {
        let words = (0..WORDS).map(|_| AtomicU64::new(0)).collect();
        View(Arc::new(Memory {
            words,
            staging: (0..=MEMBERS).map(|_| [0; SLOTS].map(UnsafeCell::new)).collect(),
            exchanged: [0; 2].map(UnsafeCell::new),
            pair_ring: [0; PAIR_BUFFERS_BYTES / PAIR_RING_CHUNK_BYTES].map(UnsafeCell::new),
            bell: AtomicU32::new(0),
            asleep: Mutex::new(()),
            woken: Condvar::new(),
        }))
    }
}

/// A member, its memory, and the number of its call.
struct Member {
    coll_segment: CollSegment<View>,
    memory: View,
    call: u64,
    /// Whether all calls use one staging buffer.
    one_buffer: bool,
}

impl Member {
    fn begin(&mut self) -> u64 {
        self.begin_with(0)
    }

    fn begin_with(&mut self, bytes: usize) -> u64 {
        self.call += 1;
        self.coll_segment.begin(bytes);
        while !self.coll_segment.is_free() {
            spin_hint();
        }
        self.call
    }

    fn staged(&self, row: u32) -> &UnsafeCell<u64> {
        let slot = if self.one_buffer { 0 } else { self.call as usize % SLOTS };
        &self.memory.0.staging[row as usize][slot]
    }

    fn write(&self, row: u32, value: u64) {
        // SAFETY: loom reports another thread that accesses the cell.
        self.staged(row).with_mut(|staged| unsafe { *staged = value });
    }

    fn read(&self, row: u32) -> u64 {
        // SAFETY: as above.
        self.staged(row).with(|staged| unsafe { *staged })
    }

    fn publish(&self, row: u32, value: u64) {
        self.write(row, value);
        self.coll_segment.publish(row, Phase::A, value as usize);
    }

    fn wait_for(&self, row: u32) -> u64 {
        while !self.coll_segment.is_published(row, Phase::A) {
            spin_hint();
        }
        let value = self.read(row);
        assert_eq!(self.coll_segment.length(row, Phase::A), value as usize);
        value
    }
}

fn together(member: fn(Member)) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || {
        let memory = View::new();
        let of = |me| {
            let mut coll_segment =
                CollSegment::new(memory.clone(), MEMBERS, me, RING_MIN_BYTES + PAIR_BUFFERS_BYTES);
            coll_segment.allow_exchange();
            Member { coll_segment, memory: memory.clone(), call: 0, one_buffer: false }
        };
        let other = of(1);
        let other = thread::spawn(move || member(other));
        member(of(0));
        other.join().unwrap();
    });
}

/// A root publishes a value in each call, and waits only for space.
fn broadcasts() {
    together(|mut member| {
        for _ in 0..3 {
            let call = member.begin();
            if member.coll_segment.me() == 0 {
                member.publish(0, call);
            } else {
                assert_eq!(member.wait_for(0), call);
            }
            member.coll_segment.retire();
        }
    });
}

/// All members publish and read all rows; no member publishes that it retires.
fn exchanges() {
    together(|mut member| {
        for _ in 0..3 {
            let me = member.coll_segment.me();
            let call = member.begin();
            member.publish(me, 10 * call + u64::from(me));
            assert_eq!(member.wait_for(1 - me), 10 * call + u64::from(1 - me));
            member.coll_segment.heard_from_all();
        }
    });
}

/// Each member publishes in the exchange buffer from which it has read last.
fn exchange_buffers() {
    together(|mut member| {
        let me = member.coll_segment.me();
        for call in 1..=3 {
            member.coll_segment.begin_exchange();
            while !member.coll_segment.is_free() {
                spin_hint();
            }
            let place =
                |row: u32| &member.memory.0.exchanged[member.coll_segment.ring_of(row) as usize];
            // SAFETY: loom reports another thread that accesses the cell.
            place(me).with_mut(|place| unsafe { *place = 10 * call + u64::from(me) });
            member.coll_segment.publish(me, Phase::A, 0);
            while !member.coll_segment.is_published(1 - me, Phase::A) {
                spin_hint();
            }
            // SAFETY: as above.
            assert_eq!(
                place(1 - me).with(|place| unsafe { *place }),
                10 * call + u64::from(1 - me)
            );
            member.coll_segment.heard_from_all();
        }
    });
}

/// One member sends twice to the other through the pair ring, then the other sends, then the first
/// once more.
fn pair_ring_chunks() {
    together(|mut member| {
        let me = member.coll_segment.me();
        for (call, producer) in (1..).zip([0, 0, 1, 0]) {
            member.coll_segment.begin_in_pair_ring(0, producer);
            let (begin, _) = member.coll_segment.pair_buffer();
            let place = &member.memory.0.pair_ring[begin / PAIR_RING_CHUNK_BYTES];
            if me == producer {
                while !member.coll_segment.is_free() {
                    spin_hint();
                }
                // SAFETY: loom reports another thread that accesses the cell.
                place.with_mut(|place| unsafe { *place = call });
                member.coll_segment.publish(me, Phase::A, 0);
            } else {
                while !member.coll_segment.is_published(producer, Phase::A) {
                    spin_hint();
                }
                // SAFETY: as above.
                assert_eq!(place.with(|place| unsafe { *place }), call);
            }
            member.coll_segment.retire();
        }
    });
}

/// All members publish in short staging buffers, and none publishes that it retires. Then a root
/// publishes in a large one, which is the same memory.
fn staging_changes() {
    together(|mut member| {
        member.one_buffer = true;
        let me = member.coll_segment.me();
        member.begin_with(100);
        member.publish(me, 5);
        assert_eq!(member.wait_for(1 - me), 5);
        member.coll_segment.heard_from_all();
        member.begin_with(STAGING_BYTES);
        if me == 0 {
            member.publish(0, 6);
        } else {
            assert_eq!(member.wait_for(0), 6);
        }
    });
}

/// Each member writes a value into its staging buffer and arrives; the last one publishes the sum.
fn arrivals() {
    together(|mut member| {
        let (me, common) = (member.coll_segment.me(), member.coll_segment.common());
        for _ in 0..3 {
            let call = member.begin();
            member.write(me, call << me);
            if member.coll_segment.arrive(Phase::A, MEMBERS) {
                let sum = member.read(0) + member.read(1);
                member.publish(common, sum);
            }
            assert_eq!(member.wait_for(common), 3 * call);
            member.coll_segment.heard_from_all();
        }
    });
}

/// In each call one member waits for the other's row, and sleeps if it does not see it. The other
/// reads the sleeper's flag only if it has announced that it may sleep.
fn sleeping() {
    together(|mut member| {
        let memory = member.memory.clone();
        let Memory { bell, asleep, woken, .. } = &*memory.0;
        for _ in 0..2 {
            let call = member.begin();
            if member.coll_segment.me() == 0 {
                member.publish(0, call);
                if member.coll_segment.has_sleepers() && must_wake(bell) {
                    let _lock = asleep.lock().unwrap();
                    woken.notify_one();
                }
            } else {
                let is_there = || member.coll_segment.is_published(0, Phase::A);
                member.coll_segment.begin_sleep();
                while !is_there() {
                    let barrier = || {
                        fence(Ordering::SeqCst);
                        true
                    };
                    sleep_by(bell, false, barrier, is_there, |expected, _| {
                        let lock = asleep.lock().unwrap();
                        // Relaxed: the kernel reads the word under its own lock.
                        if bell.load(Ordering::Relaxed) == expected {
                            drop(woken.wait(lock).unwrap());
                        }
                    });
                }
                member.coll_segment.end_sleep();
                assert_eq!(member.wait_for(0), call);
            }
            member.coll_segment.retire();
        }
    });
}

/// Two calls begin before either has ended, and end in the reverse order. A third one uses the
/// resources of the first.
fn overlapping_calls() {
    together(|mut member| {
        let (me, common) = (member.coll_segment.me(), member.coll_segment.common());
        let begin = |member: &mut Member| {
            let call = member.begin();
            member.write(me, call << me);
            if member.coll_segment.arrive(Phase::A, MEMBERS) {
                let sum = member.read(0) + member.read(1);
                member.publish(common, sum);
            }
            member.coll_segment.call_state()
        };
        let turns = [begin(&mut member), begin(&mut member)];
        for turn in turns.into_iter().rev() {
            member.coll_segment.resume(turn);
            member.call = turn.number();
            assert_eq!(member.wait_for(common), 3 * turn.number());
        }
        member.coll_segment.retire_up_to(2);
        member.coll_segment.resume(turns[1]);
        member.call = 2;
        begin(&mut member);
        assert_eq!(member.wait_for(common), 9);
    });
}

/// A member that leaves has read what it needs before the memory is reused.
fn leaving() {
    together(|mut member| {
        let me = member.coll_segment.me();
        member.begin();
        if me == 0 {
            member.publish(0, 7);
            member.coll_segment.leave();
            while !member.coll_segment.have_all_left() {
                spin_hint();
            }
            member.write(0, 0);
        } else {
            assert_eq!(member.wait_for(0), 7);
            member.coll_segment.leave();
        }
    });
}

#[test]
fn a_root_runs_ahead() {
    broadcasts();
}

#[test]
fn all_members_read_all_rows() {
    exchanges();
}

#[test]
fn two_members_exchange() {
    exchange_buffers();
}

#[test]
fn two_members_send_through_the_pair_ring() {
    pair_ring_chunks();
}

#[test]
fn staging_buffers_change_their_length() {
    staging_changes();
}

#[test]
fn the_last_member_publishes_for_all() {
    arrivals();
}

#[test]
fn a_sleeping_member_is_woken() {
    sleeping();
}

#[test]
fn calls_overtake_each_other() {
    overlapping_calls();
}

#[test]
fn memory_outlives_its_readers() {
    leaving();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/coll_segment.rs",
        include_str!("../src/coll_segment.rs"),
        &[
            broadcasts,
            exchanges,
            exchange_buffers,
            pair_ring_chunks,
            arrivals,
            overlapping_calls,
            leaving,
            staging_changes,
            sleeping,
        ],
    );
}
