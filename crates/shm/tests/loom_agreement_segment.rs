//! The agreement segment under the model checker: all living members decide alike, whoever dies and
//! when, and nobody reads a row that another one reuses.
//!
//! Beside each row lies a cell that loom watches. A member writes it before it contributes, and the
//! others read it while they decide.
//!
//! A member that dies ends before any of its agreements. The launcher waits for its end, as the
//! kernel lets a parent do, and then tells of it.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::agreement_segment::{AgreementSegment, bytes_for};
use nemesis_shm::coll_segment::SharedWords;
use nemesis_sync::{AtomicU64, Ordering, weaken};
use std::sync::Arc;

struct Memory {
    words: Vec<AtomicU64>,
    /// What lies beside the two rows of each member.
    beside: Vec<[UnsafeCell<u64>; 2]>,
    /// Whether member 1 is known to be dead.
    death: AtomicU64,
}

// SAFETY: the cells are what is tested; loom reports two threads that access one at once.
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

fn memory(members: u32) -> View {
    let words = (0..bytes_for(members, 1) / 8).map(|_| AtomicU64::new(0)).collect();
    let beside = (0..members).map(|_| [UnsafeCell::new(0), UnsafeCell::new(0)]).collect();
    View(Arc::new(Memory { words, beside, death: AtomicU64::new(0) }))
}

/// Contributes a value to an agreement.
fn contribute(view: &View, members: u32, me: u32, number: u64, value: u64) {
    let beside = &view.0.beside[me as usize][(number % 2) as usize];
    // SAFETY: loom checks that no other thread accesses the cell.
    beside.with_mut(|beside| unsafe { *beside = value });
    AgreementSegment::new(view.clone(), members, me, 1).contribute(number, [value].into_iter());
}

/// Waits until all members have spoken in an agreement, and returns their contributions.
fn decide(view: &View, members: u32, me: u32, number: u64) -> Vec<Option<u64>> {
    let segment = AgreementSegment::new(view.clone(), members, me, 1);
    for member in 0..members {
        // Acquire: pairs with the launcher's Release, as `Deaths::count` does.
        let is_dead = || member == 1 && view.0.death.load(Ordering::Acquire) != 0;
        while !segment.has_spoken(member, number, is_dead) {
            thread::yield_now();
        }
    }
    (0..members)
        .map(|member| {
            let value = segment.words(member, number)?.next()?;
            let beside = &view.0.beside[member as usize][(number % 2) as usize];
            // SAFETY: loom checks that no other thread writes the cell.
            assert_eq!(beside.with(|beside| unsafe { *beside }), value);
            Some(value)
        })
        .collect()
}

/// Two members agree three times, so that a row is reused, and leave.
fn rows_are_reused_and_freed() {
    loom::model(|| {
        let view = memory(2);
        let other = {
            let view = view.clone();
            thread::spawn(move || {
                for number in 1..4 {
                    contribute(&view, 2, 1, number, 20 + number);
                    assert_eq!(decide(&view, 2, 1, number), [Some(10 + number), Some(20 + number)]);
                }
                AgreementSegment::new(view, 2, 1, 1).leave();
            })
        };
        for number in 1..4 {
            contribute(&view, 2, 0, number, 10 + number);
            assert_eq!(decide(&view, 2, 0, number), [Some(10 + number), Some(20 + number)]);
        }
        let segment = AgreementSegment::new(view.clone(), 2, 0, 1);
        segment.leave();
        while !segment.have_all_left(|_| false) {
            thread::yield_now();
        }
        for cell in view.0.beside.iter().flatten() {
            // SAFETY: loom checks that no other thread accesses the cell.
            cell.with_mut(|beside| unsafe { *beside = 0 });
        }
        other.join().unwrap();
    });
}

/// Member 1 dies after it has contributed, or before. Two others have contributed, and decide.
fn the_living_decide_alike(contributes: bool) {
    loom::model(move || {
        let view = memory(3);
        contribute(&view, 3, 0, 1, 5);
        contribute(&view, 3, 2, 1, 7);
        let dying = {
            let view = view.clone();
            thread::spawn(move || {
                if contributes {
                    contribute(&view, 3, 1, 1, 6);
                }
                // Its parent tells the others. Release: as the launcher's writes.
                view.0.death.store(1, Ordering::Release);
            })
        };
        // One thread plays both, because loom gives up on two that spin.
        for me in [0, 2] {
            assert_eq!(decide(&view, 3, me, 1), [Some(5), contributes.then_some(6), Some(7)]);
        }
        dying.join().unwrap();
    });
}

fn a_member_dies_without_a_word() {
    the_living_decide_alike(false);
}

fn a_member_dies_after_its_word() {
    the_living_decide_alike(true);
}

#[test]
fn rows() {
    rows_are_reused_and_freed();
}

#[test]
fn deaths() {
    a_member_dies_without_a_word();
    a_member_dies_after_its_word();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/agreement_segment.rs",
        include_str!("../src/agreement_segment.rs"),
        &[rows_are_reused_and_freed, a_member_dies_after_its_word],
    );
}
