//! Checksums of buffers.

use nemesis_datatype::Buffer;

/// Bytes that are packed at once for the checksum of a buffer with holes.
const PIECE_BYTES: usize = 1 << 16;

/// Sums that are computed side by side, so that a processor need not wait for each product.
const LANES: usize = 4;
/// Bytes of a step of all lanes.
const STEP: usize = 8 * LANES;
/// An odd number that spreads bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sum over bytes in which each word is multiplied in, so that each change of a byte changes it.
/// It does not depend on the pieces in which the bytes are added.
pub struct Sum {
    lanes: [u64; LANES],
    bytes: u64,
    /// The bytes of a step that is not full, of which there are `bytes % STEP`.
    open: [u8; STEP],
}

impl Sum {
    pub fn new() -> Sum {
        Sum { lanes: [1, 2, 3, 4], bytes: 0, open: [0; STEP] }
    }

    #[inline]
    fn step(sum: u64, word: u64) -> u64 {
        (sum ^ word).wrapping_mul(SPREAD).rotate_left(29)
    }

    #[inline]
    fn add_step(&mut self, step: &[u8; STEP]) {
        for (lane, word) in self.lanes.iter_mut().zip(step.as_chunks::<8>().0) {
            *lane = Sum::step(*lane, u64::from_le_bytes(*word));
        }
    }

    /// Adds bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        let open = self.bytes as usize % STEP;
        self.bytes += bytes.len() as u64;
        if open > 0 {
            let (first, rest) = bytes.split_at(bytes.len().min(STEP - open));
            self.open[open..open + first.len()].copy_from_slice(first);
            if open + first.len() < STEP {
                return;
            }
            let full = self.open;
            self.add_step(&full);
            bytes = rest;
        }
        let (steps, rest) = bytes.as_chunks::<STEP>();
        steps.iter().for_each(|step| self.add_step(step));
        self.open[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the sum.
    pub fn finish(mut self) -> u64 {
        let mut last = [0; STEP];
        let open = self.bytes as usize % STEP;
        last[..open].copy_from_slice(&self.open[..open]);
        self.add_step(&last);
        let sum = self.lanes.into_iter().fold(self.bytes, Sum::step);
        sum ^ sum >> 32
    }
}

/// Returns a number that changes with every byte of the buffer.
pub fn checksum(buffer: &Buffer) -> u64 {
    let mut sum = Sum::new();
    if let Some(bytes) = buffer.as_bytes() {
        sum.add(bytes);
        return sum.finish();
    }
    let mut piece = vec![0; PIECE_BYTES.min(buffer.bytes())];
    let mut packed = 0;
    while packed < buffer.bytes() {
        let copied = buffer.pack_at(packed, &mut piece);
        if copied == 0 {
            break;
        }
        sum.add(&piece[..copied]);
        packed += copied;
    }
    sum.finish()
}
