//! The library's own exchanges: a few words from every process, for the creation of communicators.

use super::{run, scratch_bytes};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use nemesis_datatype::Buffer;

/// Every rank's `own` words, by rank. A ring, size - 1 steps.
pub fn allgather_words<const N: usize>(mpi: &mut Mpi, comm: handle::Comm, own: [u64; N]) -> Outcome<Vec<[u64; N]>> {
    let object = mpi.comm(comm)?;
    let (rank, size) = (object.rank as usize, object.size() as usize);
    let each = N * 8;
    let all = scratch_bytes(size * each)?;
    let block = |index: usize| all.part(index * each, each);
    put_words(&block(rank), &own);
    run(mpi, comm, |steps| {
        for step in 0..size - 1 {
            steps.send(steps.after(1), &block((rank + size - step) % size));
            steps.receive(steps.before(1), &block((rank + size - step - 1) % size));
            steps.wait();
        }
        Ok(())
    })?;
    Ok((0..size).map(|index| get_words(&all, index * each)).collect())
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
