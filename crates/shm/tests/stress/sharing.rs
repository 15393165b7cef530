//! Work that one of two processes carries out: AM slots and cooperative copies.

use super::harness::{Random, Worker, stress};
use super::{Mailbox, check, fill, segment};
use nemesis_shm::cooperative::Copy;
use nemesis_sync::{AtomicBool, AtomicU64, Ordering};
use std::cell::UnsafeCell;

/// Memory that is not atomic, so that its protocol must order what is done to it.
struct Plain<T>(UnsafeCell<T>);

// SAFETY: the protocols under test order all accesses; a fault of them is what a test looks for.
unsafe impl<T> Sync for Plain<T> {}

impl<T: std::marker::Copy> Plain<T> {
    const fn new(value: T) -> Self {
        Plain(UnsafeCell::new(value))
    }

    fn get(&self) -> T {
        // SAFETY: as for the type; volatile, because a fault may change it meanwhile.
        unsafe { self.0.get().read_volatile() }
    }

    fn set(&self, value: T) {
        // SAFETY: as in `get`.
        unsafe { self.0.get().write_volatile(value) }
    }
}

/// The target's number, by which it leaves accesses to the origin.
const TARGET: u32 = 5;
const ANSWER_BYTES: usize = 200;

/// Each access is carried out once, in order, by the origin or by the target, which may find it
/// many accesses late.
#[test]
fn an_access_is_carried_out_once() {
    let segment = segment(1);
    let slot = segment.slot(0).am_slot();
    let (mailbox, memory, is_over) =
        (Mailbox::default(), Plain::new(0_u64), AtomicBool::new(false));
    let access = |number: u64| {
        assert_eq!(memory.get(), number - 1, "an access is lost or carried out twice");
        memory.set(number);
    };
    let origin = Worker::new(|clock| {
        let (mut random, mut left_odd, mut by_target) = (Random::new(7), false, 0_u64);
        for number in 1.. {
            if !clock.goes_on() {
                break;
            }
            // Nothing is sent to a target that has not found the last packet yet.
            let is_sent = mailbox.is_empty() && slot.has_left_odd(TARGET) == left_odd;
            if is_sent {
                mailbox.put(number, [0; 3]);
                let polls = random.below(3000);
                (0..polls).take_while(|_| !slot.is_done(number)).for_each(|_| {
                    std::hint::spin_loop();
                });
            }
            if slot.claim(number) {
                access(number);
                left_odd ^= is_sent;
            } else {
                clock.wait_for("the end of an access", || slot.is_done(number));
                let mut answer = [0; ANSWER_BYTES];
                slot.copy_answer(&mut answer);
                check(number, &answer);
                by_target += 1;
            }
        }
        assert!(by_target > 0, "the target carries out some accesses");
        // Release: pairs with the Acquire of the target.
        is_over.store(true, Ordering::Release);
    });
    let target = Worker::new(|clock| {
        // Acquire: pairs with the Release of the origin.
        while !is_over.load(Ordering::Acquire) {
            clock.check();
            let Some((number, _)) = mailbox.take() else {
                std::hint::spin_loop();
                continue;
            };
            if slot.claim(number) {
                access(number);
                slot.answer(ANSWER_BYTES, |answer| fill(number, answer));
                slot.done(number);
            } else {
                slot.leave(TARGET);
            }
        }
    });
    stress(vec![origin, target]);
}

const CHUNKS: usize = 24;

/// Each chunk of each copy is copied once. The helpers take turns, so that one that comes many
/// copies late meets the next copies.
#[test]
fn each_chunk_is_copied_once() {
    let segment = segment(1);
    let cooperative = segment.slot(0).cooperative();
    let mailboxes: [Mailbox; 2] = Default::default();
    // The copy that has copied a chunk last.
    let chunks: Vec<Plain<u64>> = (0..CHUNKS).map(|_| Plain::new(0)).collect();
    let helped = AtomicU64::new(0);
    let is_over = AtomicBool::new(false);
    let copy_chunks = |copy: &Copy, number: u64| {
        let parts = std::iter::from_fn(|| cooperative.claim_chunk(copy, 1));
        let mut copied = 0;
        for part in parts {
            let chunk = &chunks[part.start as usize];
            assert_eq!(chunk.get(), number - 1, "a chunk of copy {number} is copied twice");
            (0..20).for_each(|_| std::hint::spin_loop());
            chunk.set(number);
            copied += part.end - part.start;
        }
        copied
    };
    let owner = Worker::new(|clock| {
        for number in 1.. {
            if !clock.goes_on() {
                break;
            }
            let copy = cooperative.begin(CHUNKS as u64);
            // The first helper of the two that has taken what it was told.
            if let Some(mailbox) = mailboxes.iter().find(|mailbox| mailbox.is_empty()) {
                mailbox.put(number, [copy.generation.into(), copy.bytes, 0]);
                if number % 8 == 1 {
                    // On a busy machine helpers may always be late otherwise.
                    clock.wait_for("a helper's copy", || cooperative.helped() > 0);
                }
            }
            let left = CHUNKS as u64 - copy_chunks(&copy, number);
            clock.wait_for("what the helper copies", || cooperative.helped() == left);
            assert!(chunks.iter().all(|chunk| chunk.get() == number), "a chunk is not copied");
        }
        // Release: pairs with the Acquire of the helpers.
        is_over.store(true, Ordering::Release);
    });
    let helper = |index: usize| {
        let (mailboxes, helped, is_over) = (&mailboxes, &helped, &is_over);
        let copy_chunks = &copy_chunks;
        Worker::new(move |clock| {
            // Acquire: pairs with the Release of the owner.
            while !is_over.load(Ordering::Acquire) {
                clock.check();
                let Some((number, [generation, bytes, _])) = mailboxes[index].take() else {
                    std::hint::spin_loop();
                    continue;
                };
                let copied = copy_chunks(&Copy { generation: generation as u32, bytes }, number);
                if copied > 0 {
                    // Relaxed: a number for the end.
                    helped.fetch_add(copied, Ordering::Relaxed);
                    cooperative.add_helped(copied);
                }
            }
        })
    };
    stress(vec![owner, helper(0), helper(1)]);
    assert!(helped.into_inner() > 0, "helpers copy some chunks");
}
