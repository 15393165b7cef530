//! Traffic between many pairs at once.

use super::{Build, world};

/// Five processes send each other packets of all sizes, some with bulk payloads, and poll at random
/// times.
pub fn all_pairs_talk_at_once(build: &Build<'_>) {
    const PROCESSES: usize = 5;
    const PACKETS: usize = 4000;
    let mut world = world(build, PROCESSES);
    let (payload, bulk) = (world.limits.payload, world.limits.bulk.min(100_000) as usize);
    for _ in 0..PACKETS {
        let from = world.random.below(PROCESSES);
        let to = (from + 1 + world.random.below(PROCESSES - 1)) % PROCESSES;
        let size = match world.random.below(10) {
            0 => world.random.below(payload + 1),
            1 => payload,
            _ => world.random.below(200),
        };
        let bulk = if world.random.below(20) == 0 { world.random.below(bulk + 1) } else { 0 };
        world.send(from, to, size, bulk);
        if world.random.below(4) == 0 {
            let index = world.random.below(PROCESSES);
            world.poll(index);
        }
    }
    world.end();
}

/// All processes send bursts to one.
pub fn a_fan_in_keeps_order(build: &Build<'_>) {
    const PROCESSES: usize = 6;
    let mut world = world(build, PROCESSES);
    for burst in 0..30 {
        for from in 1..PROCESSES {
            for packet in 0..burst {
                world.send(from, 0, (burst * 37 + packet * 11) % 1000, 0);
            }
        }
        world.pass();
    }
    world.end();
}
