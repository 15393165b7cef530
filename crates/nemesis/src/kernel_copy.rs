//! Copies by the kernel between this process and another one (`process_vm_readv`,
//! `process_vm_writev`) whose speed does not depend on the page offsets of the two ranges.
//!
//! The kernel copies with `rep movsb`, like the C library. It is several times slower if the
//! destination lies 1 to 63 bytes above the source modulo 4096 (see `nemesis_shm::copy`). Such a
//! copy goes through a bounce buffer at the page offset of the other process's memory:
//!
//! ```text
//!   read    other's memory ──kernel──> bounce buffer ──vector loop──> destination
//!   write   source ──vector loop──> bounce buffer ──kernel──> other's memory
//! ```
//!
//! Each process measures once, for each 16 bytes of offset and on its own memory, whether the
//! kernel is slow at such an offset.

use nemesis_shm::PAGE_BYTES;
use nemesis_shm::copy;
use nemesis_sys::cma;
use rustix::io::Errno;
use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Length of the parts of a long copy. A part fits a second-level cache, and the call for it costs
/// little beside its copy.
const BOUNCE_BYTES: usize = 128 << 10;
/// Offset of the destination above the source from which on copies are never slow.
const CLOSE_BYTES: u64 = 64;
/// Bytes of offset that share one measurement.
const CLASS_BYTES: u64 = 16;
const CLASSES: usize = (CLOSE_BYTES / CLASS_BYTES) as usize;

/// Fills `into` from `remote` in process `pid`.
pub fn read(pid: i32, remote: u64, into: &mut [u8]) -> Result<(), Errno> {
    if into.len() < copy::CLOSE_MIN_BYTES || !is_slow(remote, into.as_ptr().addr() as u64) {
        return cma::read_exact(pid, remote, into);
    }
    in_bounce_buffers(remote, into.chunks_mut(BOUNCE_BYTES), |remote, bounce, part| {
        cma::read_exact(pid, remote, bounce)?;
        copy::slice(part, bounce);
        Ok(())
    })
}

/// Writes `from` to `remote` in process `pid`. That process expects the bytes there.
pub fn write(pid: i32, remote: u64, from: &[u8]) -> Result<(), Errno> {
    let write = |remote: u64, bytes: &[u8]| {
        cma::write_pieces(pid, std::iter::once((remote, bytes.len())), bytes)
    };
    if from.len() < copy::CLOSE_MIN_BYTES || !is_slow(from.as_ptr().addr() as u64, remote) {
        return write(remote, from);
    }
    in_bounce_buffers(remote, from.chunks(BOUNCE_BYTES), |remote, bounce, part| {
        copy::slice(bounce, part);
        write(remote, bounce)
    })
}

/// Calls `step` for each part, with the address of its counterpart in the other process and a
/// bounce buffer of its length at that address's page offset.
fn in_bounce_buffers<T: AsRef<[u8]>>(
    remote: u64,
    parts: impl Iterator<Item = T>,
    mut step: impl FnMut(u64, &mut [u8], T) -> Result<(), Errno>,
) -> Result<(), Errno> {
    thread_local! {
        static BOUNCE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    BOUNCE.with_borrow_mut(|buffer| {
        buffer.resize(BOUNCE_BYTES + PAGE_BYTES, 0);
        let lead = (remote as usize).wrapping_sub(buffer.as_ptr().addr()) % PAGE_BYTES;
        let mut remote = remote;
        for part in parts {
            let length = part.as_ref().len();
            step(remote, &mut buffer[lead..lead + length], part)?;
            remote += length as u64;
        }
        Ok(())
    })
}

/// Returns whether the kernel copies slowly from `source` to `destination`.
fn is_slow(source: u64, destination: u64) -> bool {
    static SLOW: [OnceLock<bool>; CLASSES] = [const { OnceLock::new() }; CLASSES];
    let above = destination.wrapping_sub(source) % PAGE_BYTES as u64;
    (1..CLOSE_BYTES).contains(&above)
        && *SLOW[(above / CLASS_BYTES) as usize].get_or_init(|| is_slow_by_measurement(above))
}

/// Returns whether a copy to `above` bytes above the source, modulo the page size, takes more than
/// one and a half times as long as one without an offset. Returns false if the kernel refuses to
/// copy.
fn is_slow_by_measurement(above: u64) -> bool {
    // The lowest offset of a class is the most common one: `malloc` returns multiples of 16.
    let above = (above / CLASS_BYTES * CLASS_BYTES).max(8) as usize;
    match (time_at_offset(above), time_at_offset(0)) {
        (Some(close), Some(aligned)) => close > aligned * 3 / 2,
        _ => false,
    }
}

/// Returns the shortest time of several copies of 16 KiB from this process to itself, with the
/// destination `above` bytes above the source.
fn time_at_offset(above: usize) -> Option<Duration> {
    const BYTES: usize = 4 * PAGE_BYTES;
    let source = vec![1u8; BYTES];
    let mut target = vec![0u8; BYTES + PAGE_BYTES];
    let lead = (source.as_ptr().addr() + above).wrapping_sub(target.as_ptr().addr()) % PAGE_BYTES;
    let mut time = || {
        let start = Instant::now();
        cma::read_exact(
            std::process::id() as i32,
            source.as_ptr().addr() as u64,
            &mut target[lead..lead + BYTES],
        )
        .ok()?;
        Some(start.elapsed())
    };
    (0..4).filter_map(|_| time()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_arrive_at_every_offset_and_nowhere_else() {
        let pid = std::process::id() as i32;
        let data: Vec<u8> =
            (0..BOUNCE_BYTES * 2 + 5000).map(|at| (at * 7 + at / 256) as u8).collect();
        for above in [0, 1, 8, 16, 40, 63, 64, 4095] {
            for length in [0, 100, copy::CLOSE_MIN_BYTES, BOUNCE_BYTES, data.len()] {
                let mut place = vec![0xA5; length + 2 * PAGE_BYTES];
                let lead =
                    (data.as_ptr().addr() + above).wrapping_sub(place.as_ptr().addr()) % PAGE_BYTES;
                let check = |place: &[u8], what: &str| {
                    assert!(
                        place[lead..lead + length] == data[..length],
                        "{what} of {length} bytes at {above}"
                    );
                    assert!(
                        place[..lead]
                            .iter()
                            .chain(&place[lead + length..])
                            .all(|&byte| byte == 0xA5),
                        "{what} at {above}"
                    );
                };
                read(pid, data.as_ptr().addr() as u64, &mut place[lead..lead + length]).unwrap();
                check(&place, "read");
                place[lead..lead + length].fill(0);
                write(pid, place.as_mut_ptr().addr() as u64 + lead as u64, &data[..length])
                    .unwrap();
                check(&place, "write");
            }
        }
    }

    #[test]
    fn a_bounce_buffer_has_the_page_offset_of_the_other_memory() {
        let mut seen = Vec::new();
        let data = vec![0u8; BOUNCE_BYTES + 10];
        in_bounce_buffers(0x7000_0123, data.chunks(BOUNCE_BYTES), |remote, bounce, part| {
            assert_eq!(bounce.as_ptr().addr() % PAGE_BYTES, remote as usize % PAGE_BYTES);
            seen.push((remote, bounce.len(), part.len()));
            Ok(())
        })
        .unwrap();
        let second = 0x7000_0123 + BOUNCE_BYTES as u64;
        assert_eq!(seen, [(0x7000_0123, BOUNCE_BYTES, BOUNCE_BYTES), (second, 10, 10)]);
    }

    #[test]
    fn unmapped_memory_is_an_error() {
        let mut into = vec![0; 3 * BOUNCE_BYTES];
        let pid = std::process::id() as i32;
        assert_eq!(read(pid, 8, &mut into), Err(Errno::FAULT));
        assert_eq!(write(pid, 8, &into), Err(Errno::FAULT));
    }
}
