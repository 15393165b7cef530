//! Traffic between many pairs at once.

use super::{Build, job};

/// Five processes send each other packets of all sizes, some with bulk payloads, and poll at random
/// times.
pub fn all_pairs_send_at_once(build: &Build<'_>) {
    const PROCESSES: usize = 5;
    const PACKETS: usize = 4000;
    let mut job = job(build, PROCESSES);
    let (payload, bulk) = (job.limits.payload, job.limits.bulk.min(100_000) as usize);
    for _ in 0..PACKETS {
        let from = job.random.below(PROCESSES);
        let to = (from + 1 + job.random.below(PROCESSES - 1)) % PROCESSES;
        let size = match job.random.below(10) {
            0 => job.random.below(payload + 1),
            1 => payload,
            _ => job.random.below(200),
        };
        let bulk = if job.random.below(20) == 0 { job.random.below(bulk + 1) } else { 0 };
        job.send(from, to, size, bulk);
        if job.random.below(4) == 0 {
            let index = job.random.below(PROCESSES);
            job.poll(index);
        }
    }
    job.end();
}

/// All processes send bursts to one.
pub fn a_fan_in_keeps_order(build: &Build<'_>) {
    const PROCESSES: usize = 6;
    let mut job = job(build, PROCESSES);
    for burst in 0..30 {
        for from in 1..PROCESSES {
            for packet in 0..burst {
                job.send(from, 0, (burst * 37 + packet * 11) % 1000, 0);
            }
        }
        job.pass();
    }
    job.end();
}
