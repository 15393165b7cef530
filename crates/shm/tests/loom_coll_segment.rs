//! The board under the model checker: two slots and one room, so that calls soon use what earlier ones used.
//!
//! What a row publishes besides its line is a cell that loom watches: a member that reads what is not there yet, or writes what another still reads, fails
//! the model. The members do what the collectives do: a root publishes and runs ahead, the others retire (broadcast); all publish and look at each
//! other; all arrive at a gate, and the last one publishes for all, in one call after the other or in several at the same time; who waits long sleeps, and
//! is rung for only if it has said so.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::sync::{Condvar, Mutex};
use loom::thread;
use nemesis_shm::coll_segment::{
    CollSegment, PAIR_PLACES_BYTES, PAIR_RING_CHUNK_BYTES, Phase, RING_MIN_BYTES, STAGING_BYTES,
    Surface,
};
use nemesis_shm::doorbell::{must_wake, sleep_by};
use nemesis_sync::{AtomicU32, AtomicU64, Ordering, fence, spin_hint, weaken};
use std::sync::Arc;

const MEMBERS: u32 = 2;
/// The words of a board for two members with two slots: gates and three rows of two lines in each, two words of retirement.
const WORDS: usize = (2 * (2 + 6) + 2) * 8;
/// Slots, each with what its rows publish besides their lines.
const SLOTS: usize = 2;

struct Memory {
    words: Vec<AtomicU64>,
    /// What each row publishes, and the members together, in each slot.
    rooms: Vec<[UnsafeCell<u64>; SLOTS]>,
    /// The traded place in each track.
    exchanged: [UnsafeCell<u64>; MEMBERS as usize],
    /// Places that two pass things through, by where they begin.
    line_transfer: [UnsafeCell<u64>; PAIR_PLACES_BYTES / PAIR_RING_CHUNK_BYTES],
    /// The doorbell of the member that sleeps, and what the kernel has for it.
    bell: AtomicU32,
    asleep: Mutex<()>,
    woken: Condvar,
}

// SAFETY: loom reports two threads that meet in a room.
unsafe impl Sync for Memory {}
// SAFETY: as above.
unsafe impl Send for Memory {}

#[derive(Clone)]
struct View(Arc<Memory>);

impl Surface for View {
    fn word(&self, offset: usize) -> &AtomicU64 {
        &self.0.words[offset / 8]
    }
}

impl View {
    fn new() -> View {
        let words = (0..WORDS).map(|_| AtomicU64::new(0)).collect();
        View(Arc::new(Memory {
            words,
            rooms: (0..=MEMBERS).map(|_| [0; SLOTS].map(UnsafeCell::new)).collect(),
            exchanged: [0; 2].map(UnsafeCell::new),
            line_transfer: [0; PAIR_PLACES_BYTES / PAIR_RING_CHUNK_BYTES].map(UnsafeCell::new),
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
    /// All calls use the same room.
    cramped: bool,
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

    fn room(&self, row: u32) -> &UnsafeCell<u64> {
        let slot = if self.cramped { 0 } else { self.call as usize % SLOTS };
        &self.memory.0.rooms[row as usize][slot]
    }

    fn write(&self, row: u32, value: u64) {
        // SAFETY: loom reports anybody else who is at the cell.
        self.room(row).with_mut(|room| unsafe { *room = value });
    }

    fn read(&self, row: u32) -> u64 {
        // SAFETY: as above.
        self.room(row).with(|room| unsafe { *room })
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
                CollSegment::new(memory.clone(), MEMBERS, me, RING_MIN_BYTES + PAIR_PLACES_BYTES);
            coll_segment.allow_exchange();
            Member { coll_segment, memory: memory.clone(), call: 0, cramped: false }
        };
        let other = of(1);
        let other = thread::spawn(move || member(other));
        member(of(0));
        other.join().unwrap();
    });
}

/// The root publishes a value a call, and waits only for its room.
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

/// Everybody publishes, and looks at everybody; nobody says that it retires.
fn exchanges() {
    together(|mut member| {
        for _ in 0..3 {
            let me = member.coll_segment.me();
            let call = member.begin();
            member.publish(me, 10 * call + u64::from(me));
            assert_eq!(member.wait_for(1 - me), 10 * call + u64::from(1 - me));
            member.coll_segment.met_all();
        }
    });
}

/// Everybody publishes in the place from which it has read last.
fn trades() {
    together(|mut member| {
        let me = member.coll_segment.me();
        for call in 1..=3 {
            member.coll_segment.begin_exchange();
            while !member.coll_segment.is_free() {
                spin_hint();
            }
            let place =
                |row: u32| &member.memory.0.exchanged[member.coll_segment.home(row) as usize];
            // SAFETY: loom reports anybody else who is at the cell.
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
            member.coll_segment.met_all();
        }
    });
}

/// One passes something to the other, again, then the other to it, and it once more.
fn passes() {
    together(|mut member| {
        let me = member.coll_segment.me();
        for (call, producer) in (1..).zip([0, 0, 1, 0]) {
            member.coll_segment.begin_in_pair_ring(0, producer);
            let (begin, _) = member.coll_segment.place_of_pair();
            let place = &member.memory.0.line_transfer[begin / PAIR_RING_CHUNK_BYTES];
            if me == producer {
                while !member.coll_segment.is_free() {
                    spin_hint();
                }
                // SAFETY: loom reports anybody else who is at the cell.
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

/// All look at all in small rooms, and nobody says that it retires; then a root has something for a large one, which is the same memory.
fn changes() {
    together(|mut member| {
        member.cramped = true;
        let me = member.coll_segment.me();
        member.begin_with(100);
        member.publish(me, 5);
        assert_eq!(member.wait_for(1 - me), 5);
        member.coll_segment.met_all();
        member.begin_with(STAGING_BYTES);
        if me == 0 {
            member.publish(0, 6);
        } else {
            assert_eq!(member.wait_for(0), 6);
        }
    });
}

/// Everybody puts a value into its room and arrives; the last one publishes the sum.
fn gates() {
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
            member.coll_segment.met_all();
        }
    });
}

/// In each call the one member waits for the other's row, and sleeps if it does not see it; the other one looks at its bell only if it dozes.
fn dozes() {
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
                member.coll_segment.sleep();
                while !is_there() {
                    let barrier = || {
                        fence(Ordering::SeqCst);
                        true
                    };
                    sleep_by(bell, false, barrier, is_there, |expected, _| {
                        let lock = asleep.lock().unwrap();
                        // Relaxed: the kernel looks at the word under its own lock.
                        if bell.load(Ordering::Relaxed) == expected {
                            drop(woken.wait(lock).unwrap());
                        }
                    });
                }
                member.coll_segment.wake();
                assert_eq!(member.wait_for(0), call);
            }
            member.coll_segment.retire();
        }
    });
}

/// Two calls begin before either has ended, and end the other way round; a third one uses what the first one used.
fn overtakes() {
    together(|mut member| {
        let (me, common) = (member.coll_segment.me(), member.coll_segment.common());
        let begin = |member: &mut Member| {
            let call = member.begin();
            member.write(me, call << me);
            if member.coll_segment.arrive(Phase::A, MEMBERS) {
                let sum = member.read(0) + member.read(1);
                member.publish(common, sum);
            }
            member.coll_segment.turn()
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

/// Whoever leaves has read what it needs before the memory is given away.
fn farewells() {
    together(|mut member| {
        let me = member.coll_segment.me();
        member.begin();
        if me == 0 {
            member.publish(0, 7);
            member.coll_segment.leave();
            while !member.coll_segment.is_deserted() {
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
fn all_look_at_all() {
    exchanges();
}

#[test]
fn two_trade_their_places() {
    trades();
}

#[test]
fn two_pass_things_to_each_other() {
    passes();
}

#[test]
fn rooms_change_their_length() {
    changes();
}

#[test]
fn the_last_one_speaks_for_all() {
    gates();
}

#[test]
fn who_dozes_is_woken() {
    dozes();
}

#[test]
fn calls_overtake_each_other() {
    overtakes();
}

#[test]
fn memory_outlives_its_readers() {
    farewells();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/coll_segment.rs",
        include_str!("../src/coll_segment.rs"),
        &[broadcasts, exchanges, trades, passes, gates, overtakes, farewells, changes, dozes],
    );
}
