//! Delivery of single packets of every kind.

use super::{Build, job};

pub fn a_packet_arrives_as_it_was_sent(build: &Build<'_>) {
    let mut job = job(build, 2);
    for (from, to) in [(0, 1), (1, 0), (1, 0), (0, 1)] {
        job.send(from, to, 8, 0);
        job.await_all();
    }
    job.end();
}

/// Sends packets of every size up to a few cache lines, then of sizes up to the limit, in both
/// directions at once.
pub fn every_size_passes(build: &Build<'_>) {
    let mut job = job(build, 2);
    let limit = job.limits.payload;
    let around = |size: usize| (size - 1..=size + 1).filter(move |&size| size <= limit);
    let powers = (9..16).flat_map(|power| around(1 << power));
    let sizes: Vec<usize> = (0..=300.min(limit))
        .chain(powers)
        .chain((301..limit).step_by(991))
        .chain([limit - 1, limit])
        .collect();
    for size in sizes {
        job.send(0, 1, size, 0);
        job.send(1, 0, limit - size, 0);
    }
    job.end();
}

/// Sends bulk payloads from a byte to the limit (or 3 MiB), each with packets before and after it
/// that must not overtake it.
pub fn bulk_payloads_arrive_at_their_destination(build: &Build<'_>) {
    let mut job = job(build, 3);
    let limit = job.limits.bulk.min(3 << 20) as usize;
    for bulk in [1, 7, 64, 4096, 65_535, 65_536, 300_001, limit] {
        if bulk > limit || bulk == 0 {
            continue;
        }
        job.send(0, 1, 24, 0);
        job.send(0, 1, 16, bulk);
        job.send(0, 1, 0, 1);
        job.send(2, 1, 40, bulk);
        job.send(0, 1, 8, 0);
        job.send(1, 0, 0, bulk);
    }
    job.end();
}

pub fn refused_bulk_payloads_are_discarded(build: &Build<'_>) {
    let mut job = job(build, 2);
    if job.limits.bulk == 0 {
        return;
    }
    job.host(1).refuses_bulk = true;
    for bulk in [1, 5000, 200_000] {
        job.send(0, 1, 16, bulk.min(job.limits.bulk as usize));
        job.send(0, 1, 8, 0);
    }
    job.await_all();
    job.host(1).refuses_bulk = false;
    job.send(0, 1, 16, 100.min(job.limits.bulk as usize));
    job.end();
}
