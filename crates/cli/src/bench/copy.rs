//! The raw copy: how fast one processor copies the bytes of a long message.
//!
//! Two buffers of the message's length are in turn source and destination, as at the two ends of a
//! ping-pong. This is not a limit of a library, which may let both processors copy. It describes
//! the machine on which a bandwidth was measured: one processor copied 4 MiB at 11 GB/s on an idle
//! machine, and at 5 beside other work.

use std::hint::black_box;
use std::time::Instant;

pub const BYTES: usize = 4 << 20;
/// Copies in each direction in one batch: a few milliseconds.
const ROUNDS: usize = 4;

/// Returns the bytes per second of the best of `batches`.
pub fn measure(batches: usize) -> f64 {
    let (mut here, mut there) = (vec![1u8; BYTES], vec![2u8; BYTES]);
    let mut best = f64::MAX;
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            black_box(&mut there).copy_from_slice(black_box(&here));
            black_box(&mut here).copy_from_slice(black_box(&there));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    (2 * ROUNDS * BYTES) as f64 / best
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_copy_takes_time() {
        let rate = super::measure(2);
        assert!(rate > 1e8 && rate < 1e12, "{rate} bytes a second");
    }
}
