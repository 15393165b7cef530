//! The library's own exchanges: a few words from every process, for the creation of communicators.

use super::messages::allgather_bruck;
use super::run::{INTERNAL, run, run_for};
use super::{Blocks, bcast, get_words, inter, put_words, scratch_bytes};
use crate::comm::signature::Signature;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;

/// Returns the `own` words of every rank, by rank; in an intercommunicator those of the local
/// group. Takes log2(size) rounds (`allgather_bruck`).
pub fn allgather_words<const N: usize>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    own: [u64; N],
) -> Outcome<Vec<[u64; N]>> {
    allgather_words_for(mpi, comm, INTERNAL, own)
}

/// Returns the `own` words of every rank, as [`allgather_words`] does, for a call of this
/// signature.
pub fn allgather_words_for<const N: usize>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    own: [u64; N],
) -> Outcome<Vec<[u64; N]>> {
    let object = mpi.comm(comm)?;
    let (rank, size) = (object.rank as usize, object.size() as usize);
    let each = N * 8;
    let all = scratch_bytes(size * each)?;
    put_words(&all.part(rank * each, each), &own);
    let blocks = Blocks::Even { all: all.clone(), each };
    run_for(mpi, comm, signature, |steps| allgather_bruck::allgather(steps, &blocks))?;
    Ok((0..size).map(|index| get_words(&all, index * each)).collect())
}

/// Returns the `own` words of every rank of an intracommunicator, by rank. Each rank may have
/// another number of them. Takes log2(size) rounds for the numbers, and as many for the words.
pub fn allgather_lists(mpi: &mut Mpi, comm: handle::Comm, own: &[u64]) -> Outcome<Vec<Vec<u64>>> {
    let lengths = allgather_words(mpi, comm, [own.len() as u64])?;
    let (rank, size) = (mpi.comm(comm)?.rank as usize, lengths.len());
    let length = |index: usize| lengths[index][0] as usize;
    let mut total = 0;
    let starts: Vec<usize> = (0..size)
        .map(|index| {
            total += length(index);
            total - length(index)
        })
        .collect();
    let all = scratch_bytes(total * 8)?;
    let block = |index: usize| all.part(starts[index] * 8, length(index) * 8);
    let bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
    block(rank).unpack_at(0, &bytes);
    let blocks = Blocks::List((0..size).map(block).collect());
    run(mpi, comm, |steps| allgather_bruck::allgather(steps, &blocks))?;
    let word = |index: usize| {
        let [word] = get_words(&all, index * 8);
        word
    };
    Ok((0..size)
        .map(|index| (starts[index]..starts[index] + length(index)).map(word).collect())
        .collect())
}

/// Sends the `own` words of the first process of each group to all processes of the other group.
pub fn words_from_across<const N: usize>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    own: &[[u64; N]],
) -> Outcome<Vec<[u64; N]>> {
    let each = N * 8;
    let remote_size = mpi.comm(comm)?.remote_size() as usize;
    let (outgoing, incoming) =
        (scratch_bytes(own.len() * each)?, scratch_bytes(remote_size * each)?);
    for (index, words) in own.iter().enumerate() {
        put_words(&outgoing.part(index * each, each), words);
    }
    run(mpi, comm, |steps| {
        inter::swap(steps, &outgoing, &incoming);
        bcast::bcast(steps, &incoming, 0)
    })?;
    Ok((0..remote_size).map(|index| get_words(&incoming, index * each)).collect())
}

/// Sends the root's words to all processes of the (local) group.
pub fn bcast_words(mpi: &mut Mpi, comm: handle::Comm, words: &mut [u64], root: u32) -> Outcome {
    bcast_words_for(mpi, comm, INTERNAL, words, root)
}

/// Sends the root's words to all processes of the (local) group, for a call of this signature.
pub fn bcast_words_for(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    words: &mut [u64],
    root: u32,
) -> Outcome {
    let buffer = scratch_bytes(words.len() * 8)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    buffer.unpack_at(0, &bytes);
    run_for(mpi, comm, signature, |steps| bcast::bcast(steps, &buffer, root))?;
    for (index, word) in words.iter_mut().enumerate() {
        [*word] = get_words(&buffer, index * 8);
    }
    Ok(())
}
