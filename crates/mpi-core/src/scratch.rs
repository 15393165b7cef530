//! Temporary memory, and words in it.

use crate::abi;
use crate::error::{Error, Outcome};
use nemesis_datatype::{Buffer, Datatype};

/// Allocates temporary memory for `count` elements of a datatype, laid out as in the user's buffer.
pub fn scratch(count: usize, datatype: &Datatype) -> Outcome<Buffer> {
    Buffer::scratch(count as i64, datatype)
        .map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why))
}

/// Allocates `bytes` bytes of temporary memory.
pub fn scratch_bytes(bytes: usize) -> Outcome<Buffer> {
    scratch(bytes, Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined"))
}

/// Allocates temporary memory for `bytes` bytes of packed data, which match every type.
pub fn scratch_packed(bytes: usize) -> Outcome<Buffer> {
    scratch(bytes, Datatype::predefined(abi::MPI_PACKED.0).expect("MPI_PACKED is predefined"))
}

/// Writes words into a buffer of bytes.
pub fn put_words<const N: usize>(buffer: &Buffer, words: &[u64; N]) {
    let bytes = words.map(u64::to_le_bytes);
    buffer.unpack_at(0, bytes.as_flattened());
}

/// Reads words from byte `offset` on.
pub fn get_words<const N: usize>(buffer: &Buffer, offset: usize) -> [u64; N] {
    let mut bytes = [[0; 8]; N];
    buffer.pack_at(offset, bytes.as_flattened_mut());
    bytes.map(u64::from_le_bytes)
}
