//! Regular and irregular ends of a job, and packets that a module refuses.

use super::{Build, job};
use crate::{Fault, Sent};

/// A sender finalizes while most of its packets are under way. (`Job::finalize` checks tokens and
/// cells.)
pub fn finalize_sends_pending_packets(build: &Build<'_>) {
    let mut job = job(build, 3);
    let bulk = job.limits.bulk.min(100_000) as usize;
    for packet in 0..100 {
        job.send(0, 1 + packet % 2, 500, if packet % 10 == 0 { bulk } else { 0 });
    }
    job.finalize(0);
    let sent = job.sent[0].clone();
    job.until("what was sent before finalize arrives", |job| {
        (1..3).all(|to| job.host(to).received[0] == sent[to])
    });
    job.end();
}

/// No process reports a peer lost that has finalized, and sending to it fails with an error that
/// says so.
pub fn a_goodbye_is_no_loss(build: &Build<'_>) {
    let mut job = job(build, 3);
    for (from, to) in [(0, 1), (1, 0), (2, 1), (1, 2)] {
        job.send(from, to, 100, 0);
    }
    job.await_all();
    job.finalize(1);
    for _ in 0..100 {
        job.pass();
    }
    job.until("sending to a process that left fails", |job| match job.offer(0, 1, 8, 0) {
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
    job.send(0, 2, 100, 0);
    job.until("the others go on", |job| job.has_arrived(0, 2));
    job.finalize(0);
    job.finalize(2);
}

pub fn a_dead_process_is_reported_once(build: &Build<'_>) {
    let mut job = job(build, 3);
    for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
        job.send(from, to, 100, 0);
    }
    job.await_all();
    job.kill(1);
    job.until("both others notice", |job| {
        job.host(0).lost.contains_key(&1) && job.host(2).lost.contains_key(&1)
    });
    for from in [0, 2] {
        let failure = job.offer(from, 1, 8, 0).expect_err("a dead process cannot be reached");
        assert!(failure.fault == Fault::Lost && failure.process == Some(1), "{failure:?}");
    }
    for round in 0..50 {
        job.send(0, 2, round, 0);
        job.send(2, 0, round, 0);
    }
    job.end();
}

/// The sender of a bulk payload dies after the receiver has asked for the bulk payload's memory.
/// (The host checks that the module drops the region.)
pub fn a_sender_dies_in_the_middle_of_a_bulk_payload(build: &Build<'_>) {
    let mut job = job(build, 3);
    let bulk = job.limits.bulk.min(32 << 20) as usize;
    if bulk == 0 {
        return;
    }
    job.send(0, 1, 8, 0);
    job.await_all();
    job.send(0, 1, 16, bulk);
    job.until("the bulk payload begins", |job| {
        job.host(1).is_receiving(0) || job.has_arrived(0, 1)
    });
    job.kill(0);
    job.until("the loss is noticed", |job| job.host(1).lost.contains_key(&0));
    assert!(!job.host(1).is_receiving(0), "nothing is received from a lost process");
    job.send(2, 1, 16, bulk.min(1000));
    job.until("the others go on", |job| job.has_arrived(2, 1));
    job.finalize(1);
    job.finalize(2);
}

/// Sends that are pending to a process that dies complete with the failure.
pub fn pending_sends_to_a_dead_process_fail(build: &Build<'_>) {
    let mut job = job(build, 2);
    let (size, bulk) = (job.limits.payload.min(4096), job.limits.bulk.min(1 << 20) as usize);
    job.send(0, 1, 8, 0);
    job.await_all();
    for _ in 0..100_000 {
        if job.offer(0, 1, size, bulk).expect("the receiver lives") == Sent::Full {
            break;
        }
    }
    job.kill(1);
    job.until("the loss is noticed", |job| job.host(0).lost.contains_key(&1));
    job.until("every send ends", |job| job.host(0).sending.is_empty());
    assert!(
        job.host(0).failed.values().all(|failure| failure.fault == Fault::Lost),
        "they failed because of the loss"
    );
    job.finalize(0);
}

pub fn invalid_sends_are_refused(build: &Build<'_>) {
    let mut job = job(build, 3);
    let (payload, bulk) = (job.limits.payload, job.limits.bulk);
    if payload < usize::from(u16::MAX) {
        let failure = job.offer(0, 1, payload + 1, 0).expect_err("a payload beyond the limit");
        assert_eq!(failure.fault, Fault::Invalid, "{failure}");
    }
    if bulk < 1 << 20 {
        let failure =
            job.offer(0, 1, 8, bulk as usize + 1).expect_err("a bulk payload beyond the limit");
        assert_eq!(failure.fault, Fault::Invalid, "{failure}");
    }
    job.hide(2);
    let failure = job.offer(0, 2, 8, 0).expect_err("a process without a card");
    assert!(failure.fault == Fault::Unreachable && failure.process == Some(2), "{failure:?}");
    job.send(0, 1, 8, 0);
    job.end();
}
