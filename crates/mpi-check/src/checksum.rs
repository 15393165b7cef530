//! Checksums of buffers.

use nemesis_datatype::Buffer;
use std::hash::{DefaultHasher, Hasher};

/// Bytes that are packed at once for the checksum of a buffer with holes.
const PIECE_BYTES: usize = 1 << 16;

/// Returns a number that changes with every byte of the buffer.
pub fn checksum(buffer: &Buffer) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Some(bytes) = buffer.as_bytes() {
        hasher.write(bytes);
        return hasher.finish();
    }
    let mut piece = vec![0; PIECE_BYTES.min(buffer.bytes())];
    let mut packed = 0;
    while packed < buffer.bytes() {
        let copied = buffer.pack_at(packed, &mut piece);
        if copied == 0 {
            break;
        }
        hasher.write(&piece[..copied]);
        packed += copied;
    }
    hasher.finish()
}
