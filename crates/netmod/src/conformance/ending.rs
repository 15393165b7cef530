//! Regular and irregular ends of a job, and packets that a module refuses.

use super::{Build, world};
use crate::{Fault, Sent};

/// A sender finalizes while most of its packets are under way. (`World::finalize` checks tokens and
/// cells.)
pub fn finalize_brings_pending_packets_on_their_way(build: &Build<'_>) {
    let mut world = world(build, 3);
    let bulk = world.limits.bulk.min(100_000) as usize;
    for packet in 0..100 {
        world.send(0, 1 + packet % 2, 500, if packet % 10 == 0 { bulk } else { 0 });
    }
    world.finalize(0);
    let sent = world.sent[0].clone();
    world.until("what was sent before finalize arrives", |world| {
        (1..3).all(|to| world.host(to).received[0] == sent[to])
    });
    world.end();
}

/// No process reports a peer lost that has finalized, and sending to it fails with an error that
/// says so.
pub fn a_goodbye_is_no_loss(build: &Build<'_>) {
    let mut world = world(build, 3);
    for (from, to) in [(0, 1), (1, 0), (2, 1), (1, 2)] {
        world.send(from, to, 100, 0);
    }
    world.settle();
    world.finalize(1);
    for _ in 0..100 {
        world.pass();
    }
    world.until("sending to a process that left fails", |world| match world.offer(0, 1, 8, 0) {
        Ok(_) => false,
        Err(failure) => {
            assert!(
                matches!(failure.fault, Fault::Lost | Fault::Unreachable)
                    && failure.process == Some(1),
                "{failure:?}"
            );
            true
        }
    });
    world.send(0, 2, 100, 0);
    world.until("the others go on", |world| world.has_arrived(0, 2));
    world.finalize(0);
    world.finalize(2);
}

pub fn a_dead_process_is_reported_once(build: &Build<'_>) {
    let mut world = world(build, 3);
    for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
        world.send(from, to, 100, 0);
    }
    world.settle();
    world.kill(1);
    world.until("both others notice", |world| {
        world.host(0).lost.contains_key(&1) && world.host(2).lost.contains_key(&1)
    });
    for from in [0, 2] {
        let failure = world.offer(from, 1, 8, 0).expect_err("a dead process cannot be reached");
        assert!(failure.fault == Fault::Lost && failure.process == Some(1), "{failure:?}");
    }
    for round in 0..50 {
        world.send(0, 2, round, 0);
        world.send(2, 0, round, 0);
    }
    world.end();
}

/// The sender of a bulk payload dies after the receiver has asked for the bulk payload's memory.
/// (The host checks that the module drops the region.)
pub fn a_sender_dies_in_the_middle_of_a_bulk_payload(build: &Build<'_>) {
    let mut world = world(build, 3);
    let bulk = world.limits.bulk.min(32 << 20) as usize;
    if bulk == 0 {
        return;
    }
    world.send(0, 1, 8, 0);
    world.settle();
    world.send(0, 1, 16, bulk);
    world.until("the bulk payload begins", |world| {
        world.host(1).is_receiving(0) || world.has_arrived(0, 1)
    });
    world.kill(0);
    world.until("the loss is noticed", |world| world.host(1).lost.contains_key(&0));
    assert!(!world.host(1).is_receiving(0), "nothing is received from a lost process");
    world.send(2, 1, 16, bulk.min(1000));
    world.until("the others go on", |world| world.has_arrived(2, 1));
    world.finalize(1);
    world.finalize(2);
}

/// Sends that are pending to a process that dies complete with the failure.
pub fn pending_sends_to_a_dead_process_fail(build: &Build<'_>) {
    let mut world = world(build, 2);
    let (size, bulk) = (world.limits.payload.min(4096), world.limits.bulk.min(1 << 20) as usize);
    world.send(0, 1, 8, 0);
    world.settle();
    for _ in 0..100_000 {
        if world.offer(0, 1, size, bulk).expect("the receiver lives") == Sent::Full {
            break;
        }
    }
    world.kill(1);
    world.until("the loss is noticed", |world| world.host(0).lost.contains_key(&1));
    world.until("every send ends", |world| world.host(0).sending.is_empty());
    assert!(
        world.host(0).failed.values().all(|failure| failure.fault == Fault::Lost),
        "they failed because of the loss"
    );
    world.finalize(0);
}

pub fn what_cannot_be_sent_is_refused(build: &Build<'_>) {
    let mut world = world(build, 3);
    let (payload, bulk) = (world.limits.payload, world.limits.bulk);
    if payload < usize::from(u16::MAX) {
        let failure = world.offer(0, 1, payload + 1, 0).expect_err("a payload beyond the limit");
        assert_eq!(failure.fault, Fault::Invalid, "{failure}");
    }
    if bulk < 1 << 20 {
        let failure =
            world.offer(0, 1, 8, bulk as usize + 1).expect_err("a bulk payload beyond the limit");
        assert_eq!(failure.fault, Fault::Invalid, "{failure}");
    }
    world.hide(2);
    let failure = world.offer(0, 2, 8, 0).expect_err("a process without a card");
    assert!(failure.fault == Fault::Unreachable && failure.process == Some(2), "{failure:?}");
    world.send(0, 1, 8, 0);
    world.end();
}
