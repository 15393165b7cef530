//! Access to the private memory of another process of this node by the kernel's copy.
//!
//! The origin names the memory by its address, and the target takes no part. Contiguous data is
//! copied by one system call; other data passes through a staging buffer.

use crate::abi;
use crate::error::{Error, Outcome};
use crate::peer_failure;
use nemesis::Memory;
use nemesis::memory::{Errno, Remote};
use nemesis_datatype::{Buffer, RemoteTarget};

/// Staging buffer for noncontiguous data that the kernel copies: it fits a second-level cache
/// several times.
const PACKED_BYTES: usize = 256 << 10;

/// Copies the data of a put into another process's memory.
pub fn put(memory: &Memory, process: u32, distant: &RemoteTarget, origin: &Buffer) -> Outcome {
    if let Some(bytes) = origin.as_bytes() {
        return write(memory, process, distant, 0, bytes);
    }
    let mut staging = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = origin.pack_at(done, &mut staging);
        write(memory, process, distant, done, &staging[..length])?;
        done += length;
    }
    Ok(())
}

/// Copies the data of a get from another process's memory.
pub fn get(memory: &Memory, process: u32, distant: &RemoteTarget, origin: &Buffer) -> Outcome {
    let mut origin = origin.clone();
    if let Some(bytes) = origin.as_bytes_mut() {
        return read(memory, process, distant, 0, bytes);
    }
    let mut staging = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = staging.len().min(origin.bytes() - done);
        read(memory, process, distant, done, &mut staging[..length])?;
        origin.unpack_at(done, &staging[..length]);
        done += length;
    }
    Ok(())
}

/// Returns the contiguous runs of `distant` from byte `from` of its staging stream on.
fn runs(distant: &RemoteTarget, from: usize) -> impl Iterator<Item = Remote> {
    distant.runs(from).map(|run| (run.address as u64, run.len))
}

/// Writes packed bytes into another process's memory, from byte `from` of the packed stream on.
pub fn write(
    memory: &Memory,
    process: u32,
    distant: &RemoteTarget,
    from: usize,
    bytes: &[u8],
) -> Outcome {
    if bytes.is_empty() {
        return Ok(());
    }
    write_pieces(memory, process, runs(distant, from), bytes)
}

/// Writes bytes to pieces of another process's memory, in their order.
pub fn write_pieces(
    memory: &Memory,
    process: u32,
    pieces: impl Iterator<Item = Remote>,
    bytes: &[u8],
) -> Outcome {
    memory.write(process, pieces, bytes).map_err(|errno| refused("written", process, errno))
}

/// Reads packed bytes from another process's memory, from byte `from` of the packed stream on.
pub fn read(
    memory: &Memory,
    process: u32,
    distant: &RemoteTarget,
    from: usize,
    into: &mut [u8],
) -> Outcome {
    if into.is_empty() {
        return Ok(());
    }
    read_pieces(memory, process, runs(distant, from), into)
}

/// Reads bytes from pieces of another process's memory, in their order.
pub fn read_pieces(
    memory: &Memory,
    process: u32,
    pieces: impl Iterator<Item = Remote>,
    into: &mut [u8],
) -> Outcome {
    memory.read(process, pieces, into).map_err(|errno| refused("read", process, errno))
}

/// Checks that a process lives and still has memory at `address`.
#[cold]
pub fn check_memory(memory: &Memory, process: u32, address: u64) -> Outcome {
    let tried = memory.read(process, std::iter::once((address, 1)), &mut [0]);
    tried.map_err(|errno| refused("accessed", process, errno))
}

#[cold]
fn refused(what: &str, process: u32, why: Errno) -> Box<Error> {
    if why == Errno::SRCH && peer_failure::is_tolerant() {
        return peer_failure::error(process, "it has died; try: what mpiexec says of its end");
    }
    Error::new(abi::MPI_ERR_OTHER, format!("memory of process {process} cannot be {what}: {why}"))
        .advise("check whether the process lives, and whether it has unmapped memory of the window")
}
