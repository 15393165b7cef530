//! Delivery of single packets of every kind.

use super::{Build, world};

pub fn a_packet_arrives_as_it_was_sent(build: &Build<'_>) {
    let mut world = world(build, 2);
    for (from, to) in [(0, 1), (1, 0), (1, 0), (0, 1)] {
        world.send(from, to, 8, 0);
        world.settle();
    }
    world.end();
}

/// Sends packets of every size up to a few cache lines, then of sizes up to the limit, in both
/// directions at once.
pub fn every_size_passes(build: &Build<'_>) {
    let mut world = world(build, 2);
    let limit = world.limits.payload;
    let around = |size: usize| (size - 1..=size + 1).filter(move |&size| size <= limit);
    let powers = (9..16).flat_map(|power| around(1 << power));
    let sizes: Vec<usize> = (0..=300.min(limit))
        .chain(powers)
        .chain((301..limit).step_by(991))
        .chain([limit - 1, limit])
        .collect();
    for size in sizes {
        world.send(0, 1, size, 0);
        world.send(1, 0, limit - size, 0);
    }
    world.end();
}

/// Sends bulk payloads from a byte to the limit (or 3 MiB), each with packets before and after it
/// that must not overtake it.
pub fn bulk_payloads_land_in_their_place(build: &Build<'_>) {
    let mut world = world(build, 3);
    let limit = world.limits.bulk.min(3 << 20) as usize;
    for bulk in [1, 7, 64, 4096, 65_535, 65_536, 300_001, limit] {
        if bulk > limit || bulk == 0 {
            continue;
        }
        world.send(0, 1, 24, 0);
        world.send(0, 1, 16, bulk);
        world.send(0, 1, 0, 1);
        world.send(2, 1, 40, bulk);
        world.send(0, 1, 8, 0);
        world.send(1, 0, 0, bulk);
    }
    world.end();
}

pub fn unwanted_bulk_payloads_are_thrown_away(build: &Build<'_>) {
    let mut world = world(build, 2);
    if world.limits.bulk == 0 {
        return;
    }
    world.host(1).refuses_bulk = true;
    for bulk in [1, 5000, 200_000] {
        world.send(0, 1, 16, bulk.min(world.limits.bulk as usize));
        world.send(0, 1, 8, 0);
    }
    world.settle();
    world.host(1).refuses_bulk = false;
    world.send(0, 1, 16, 100.min(world.limits.bulk as usize));
    world.end();
}
