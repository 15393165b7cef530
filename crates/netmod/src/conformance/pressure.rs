//! Receivers that refuse packets, or accept them slowly.

use super::Build;
use super::job::Job;
use crate::Sent;

/// More bytes than a module should queue for a receiver that does not poll.
const MOST_BYTES: usize = 256 << 20;

/// A sender sends to a receiver that does not poll, until the module is full. Then the receiver
/// polls again.
pub fn a_full_module_accepts_packets_again(build: &Build<'_>) {
    let mut job = Job::new(build, 3, 4);
    let size = job.limits.payload.min(8192);
    for round in 0..3 {
        let mut accepted = 0;
        while job.offer(0, 1, size, 0).expect("the receiver lives") != Sent::Full {
            accepted += 1;
            assert!(accepted * size < MOST_BYTES, "a module is full some time");
            job.poll(0);
        }
        // Traffic to another process continues meanwhile.
        job.send(0, 2, 8, 0);
        let before = job.sent[0][2];
        job.until_by(&[0, 2], "the other pair's packet arrives", |job| {
            job.host(2).received[0] >= before
        });
        job.await_all();
        job.send(0, 1, round, 0);
    }
    job.end();
}

/// A receiver has no cells for a while, then two, then none again.
pub fn a_receiver_without_cells_loses_nothing(build: &Build<'_>) {
    let mut job = Job::new(build, 3, 2);
    for round in 0..20 {
        job.host(0).stingy = true;
        for from in [1, 2] {
            for packet in 0..10 {
                let size = (round * 100 + packet * 7) % job.limits.payload;
                let bulk = if packet == 5 { job.limits.bulk.min(20_000) as usize } else { 0 };
                // A full module may remain full while the receiver has no cells: lend cells until
                // it accepts the packet.
                while job.offer(from, 0, size, bulk).expect("the receiver lives") == Sent::Full {
                    job.host(0).stingy = false;
                    job.pass();
                }
            }
        }
        for _ in 0..10 {
            job.pass();
        }
        job.host(0).stingy = false;
        for _ in 0..round {
            job.poll(0);
        }
    }
    job.end();
}
