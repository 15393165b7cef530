//! Bulk payloads that have no place in the order of their pair.
//!
//! A module may let other packets overtake them, or not: the tests accept both, and check that all
//! arrive whole and once, and that the ordered packets keep their order.

use super::{Build, job};

/// Sends unordered bulk payloads of many lengths among ordered packets, with and without ordered
/// bulk payloads, in both directions.
pub fn unordered_bulk_payloads_arrive_once(build: &Build<'_>) {
    let mut job = job(build, 3);
    let limit = job.limits.bulk.min(200_000) as usize;
    if limit == 0 {
        return;
    }
    for round in 0..8 {
        let bulk = match round % 4 {
            0 => limit,
            1 => 1 + job.random.below(limit),
            2 => 1 + job.random.below(limit.min(70_000)),
            _ => 1,
        };
        job.send(0, 1, 24, 0);
        job.send_unordered(0, 1, 16, bulk);
        job.send_unordered(0, 1, 0, limit.min(5000));
        job.send(0, 1, 8, limit.min(3000 + round));
        job.send_unordered(2, 1, 32, bulk);
        job.send_unordered(1, 0, 8, bulk);
        job.send(0, 1, 500, 0);
        job.send(2, 1, 40, 0);
    }
    job.end();
}

/// Sends many unordered bulk payloads to a receiver that refuses some of them, and lends few cells,
/// with packets behind them.
pub fn unordered_bulk_payloads_hold_up_no_packet(build: &Build<'_>) {
    let mut job = super::Job::new(build, 2, 4);
    let bulk = job.limits.bulk.min(40_000) as usize;
    if bulk == 0 {
        return;
    }
    for round in 0..6 {
        job.host(1).refuses_bulk = round % 3 == 2;
        for packet in 0..8 {
            job.send_unordered(0, 1, 16, bulk - packet);
            job.send(0, 1, 8 + packet, 0);
        }
        job.host(1).stingy = true;
        (0..3).for_each(|_| job.pass());
        job.host(1).stingy = false;
    }
    job.end();
}

/// The sender of several unordered bulk payloads dies after the receiver has asked for memory. (The
/// host checks that the module drops all regions.)
pub fn a_sender_dies_with_unordered_bulk_payloads_under_way(build: &Build<'_>) {
    let mut job = job(build, 3);
    let bulk = job.limits.bulk.min(4 << 20) as usize;
    if bulk == 0 {
        return;
    }
    job.send(0, 1, 8, 0);
    job.await_all();
    for _ in 0..4 {
        // A module that is full has enough under way.
        let _ = job.offer_unordered(0, 1, 16, bulk);
    }
    job.until("a bulk payload begins", |job| job.host(1).is_receiving(0) || job.has_arrived(0, 1));
    job.kill(0);
    job.until("the loss is noticed", |job| job.host(1).lost.contains_key(&0));
    assert!(!job.host(1).is_receiving(0), "nothing is received from a lost process");
    job.send_unordered(2, 1, 16, bulk.min(1000));
    job.until("the others go on", |job| job.has_arrived(2, 1));
    job.finalize(1);
    job.finalize(2);
}
