//! Receivers that refuse packets, or accept them slowly.

use super::Build;
use super::world::World;
use crate::Sent;

/// More bytes than a module should queue for a receiver that does not poll.
const MOST_BYTES: usize = 256 << 20;

/// A sender sends to a receiver that does not poll, until the module is full. Then the receiver
/// polls again.
pub fn a_full_module_takes_up_again(build: &Build<'_>) {
    let mut world = World::new(build, 3, 4);
    let size = world.limits.payload.min(8192);
    for round in 0..3 {
        let mut accepted = 0;
        while world.offer(0, 1, size, 0).expect("the receiver lives") != Sent::Full {
            accepted += 1;
            assert!(accepted * size < MOST_BYTES, "a module is full some time");
            world.poll(0);
        }
        // Traffic to another process continues meanwhile.
        world.send(0, 2, 8, 0);
        let before = world.sent[0][2];
        world.until_by(&[0, 2], "the other pair's packet arrives", |world| {
            world.host(2).received[0] >= before
        });
        world.settle();
        world.send(0, 1, round, 0);
    }
    world.end();
}

/// A receiver has no cells for a while, then two, then none again.
pub fn a_receiver_without_cells_loses_nothing(build: &Build<'_>) {
    let mut world = World::new(build, 3, 2);
    for round in 0..20 {
        world.host(0).stingy = true;
        for from in [1, 2] {
            for packet in 0..10 {
                let size = (round * 100 + packet * 7) % world.limits.payload;
                let bulk = if packet == 5 { world.limits.bulk.min(20_000) as usize } else { 0 };
                // A full module may remain full while the receiver has no cells: lend cells until
                // it accepts the packet.
                while world.offer(from, 0, size, bulk).expect("the receiver lives") == Sent::Full {
                    world.host(0).stingy = false;
                    world.pass();
                }
            }
        }
        for _ in 0..10 {
            world.pass();
        }
        world.host(0).stingy = false;
        for _ in 0..round {
            world.poll(0);
        }
    }
    world.end();
}
