//! Access to the private memory of another process of this node by the kernel's copy.
//!
//! The origin names the memory by its address, and the target takes no part. Contiguous data is
//! copied by one system call; other data passes through a staging buffer. The kernel takes half a
//! microsecond for each piece of the target's memory, however short it is, as long as for two or
//! three kilobytes. So short runs are read together with what lies between them (`Spans`), and
//! written by the target if it polls (`am_scatter`).

use crate::abi;
use crate::error::{Error, Outcome};
use crate::peer_failure;
use nemesis::Memory;
use nemesis::memory::{Errno, Remote};
use nemesis_datatype::{Buffer, RemoteTarget};

/// Staging buffer for noncontiguous data that the kernel copies: it fits a second-level cache
/// several times.
const PACKED_BYTES: usize = 256 << 10;

/// Runs shorter than this are short: the kernel takes longer for the piece than for its bytes.
pub const SHORT_RUN_BYTES: usize = 1024;
/// Longest gap that is read with the runs at its ends, less than a page: it lies in pages that the
/// runs touch.
const GAP_MAX_BYTES: u64 = 2048;

/// Returns whether the data at `distant` from byte `from` on consists of short runs.
pub fn has_short_runs(distant: &RemoteTarget, from: usize, bytes: usize) -> bool {
    let first = distant.runs(from).next();
    first.is_some_and(|run| run.len < SHORT_RUN_BYTES && run.len < bytes)
}

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
    if !has_short_runs(distant, from, into.len()) {
        return read_pieces(memory, process, runs(distant, from), into);
    }
    let end = from + into.len();
    let mut spans = Spans::new(into, |pieces: &[Remote], into: &mut [u8]| {
        read_pieces(memory, process, pieces.iter().copied(), into)
    });
    distant.visit(from, end, |address, bytes| spans.add(address as u64, bytes));
    spans.end()
}

/// Reads short runs with the gaps between them.
struct Spans<'a, R> {
    read: R,
    into: &'a mut [u8],
    /// Bytes of `into` that have been read.
    filled: usize,
    /// What is read at once, into the scratch buffer.
    pieces: Vec<Remote>,
    bytes: usize,
    scratch: Vec<u8>,
    /// The runs, by their places in the scratch buffer.
    runs: Vec<(usize, usize)>,
    outcome: Outcome,
}

impl<'a, R: FnMut(&[Remote], &mut [u8]) -> Outcome> Spans<'a, R> {
    fn new(into: &'a mut [u8], read: R) -> Spans<'a, R> {
        let (filled, bytes, outcome) = (0, 0, Ok(()));
        let (pieces, scratch, runs) = (Vec::new(), Vec::new(), Vec::new());
        Spans { read, into, filled, pieces, bytes, scratch, runs, outcome }
    }

    /// Adds the next run.
    fn add(&mut self, address: u64, bytes: usize) {
        if self.bytes + bytes > PACKED_BYTES {
            self.flush();
        }
        let place = match self.pieces.last_mut() {
            Some((start, length)) if continues((*start, *length), address) => {
                let place = (address - *start) as usize;
                let grown = (*length).max(place + bytes);
                let first = self.bytes - *length;
                self.bytes += grown - *length;
                *length = grown;
                first + place
            }
            _ => {
                self.pieces.push((address, bytes));
                self.bytes += bytes;
                self.bytes - bytes
            }
        };
        self.runs.push((place, bytes));
    }

    fn flush(&mut self) {
        self.scratch.resize(self.bytes, 0);
        if self.outcome.is_ok() && self.bytes > 0 {
            self.outcome = (self.read)(&self.pieces, &mut self.scratch);
        }
        for (place, bytes) in self.runs.drain(..) {
            self.into[self.filled..self.filled + bytes]
                .copy_from_slice(&self.scratch[place..place + bytes]);
            self.filled += bytes;
        }
        self.pieces.clear();
        self.bytes = 0;
    }

    fn end(mut self) -> Outcome {
        self.flush();
        self.outcome
    }
}

/// Returns whether a run at `address` is read with the piece before it.
fn continues((start, length): Remote, address: u64) -> bool {
    address.checked_sub(start).is_some_and(|from| from <= length as u64 + GAP_MAX_BYTES)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;
    use nemesis_datatype::Datatype;
    use proptest::prelude::*;

    const BASE: u64 = 1 << 40;

    proptest! {
        /// Whatever the type, each run is read from its place, and nothing far from all runs.
        #[test]
        fn spans_bring_each_run(
            blocks in prop::collection::vec((1..300_i64, -9000..9000_i64), 1..40),
            count in 1..30_i64,
        ) {
            let (lengths, places): (Vec<i64>, Vec<i64>) = blocks.into_iter().unzip();
            let byte = Datatype::predefined(abi::MPI_BYTE.0).unwrap();
            let datatype = Datatype::hindexed(&lengths, &places, byte).unwrap();
            let distant = RemoteTarget::new(BASE, count, &datatype);
            let value = |address: u64| (address % 251) as u8;
            let mut into = vec![0; distant.bytes()];
            let mut read = 0;
            let mut spans = Spans::new(&mut into, |pieces: &[Remote], into: &mut [u8]| {
                let bytes = pieces.iter().flat_map(|&(at, bytes)| at..at + bytes as u64);
                for (byte, address) in into.iter_mut().zip(bytes) {
                    *byte = value(address);
                    read += 1;
                }
                Ok(())
            });
            distant.visit(0, distant.bytes(), |address, bytes| spans.add(address as u64, bytes));
            prop_assert!(spans.end().is_ok());
            let runs = || distant.runs(0);
            let expected: Vec<u8> = runs()
                .flat_map(|run| run.address as u64..(run.address + run.len) as u64)
                .map(value)
                .collect();
            prop_assert!(into == expected);
            prop_assert!(read <= into.len() + runs().count() * GAP_MAX_BYTES as usize);
        }
    }
}
