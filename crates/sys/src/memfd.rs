//! Memory with a descriptor and without a name, from which segments are made.
//!
//! Two kinds of backing, the better first:
//!
//! ```text
//!   memfd     memfd_create, sparse          costs nothing until touched, without a limit of
//!                                           /dev/shm
//!   dev-shm   a file in /dev/shm, unlinked  allocated at once: a full /dev/shm is an error here,
//!                                           instead of a SIGBUS later
//! ```
//!
//! Neither leaves a name behind, however its users end. The size of a memfd is sealed: no process
//! that has the descriptor can shrink the file that other processes map. By that seal a receiver
//! recognises the backing ([`backing_of`]).

use crate::mapping::Mapping;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FallocateFlags, MemfdFlags, Mode, OFlags, SealFlags};
use rustix::io;
use rustix::process::Resource;
use std::fmt;

/// What shared memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backing {
    /// A sparse memfd.
    Memfd,
    /// An unlinked file in `/dev/shm`, all of whose pages are allocated.
    DevShm,
}

impl fmt::Display for Backing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backing::Memfd => "memfd",
            Backing::DevShm => "file in /dev/shm",
        })
    }
}

/// Shared memory with a descriptor. All bytes are zero at first.
#[derive(Debug)]
pub struct Memory {
    /// The descriptor, which may be passed to other processes.
    pub descriptor: OwnedFd,
    /// Length in bytes.
    pub bytes: u64,
    /// What the memory is made of.
    pub backing: Backing,
}

/// A multiple of every page size of the processors in use.
const PAGE_BYTES: u64 = 1 << 16;

const SIZE_SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW);

/// Returns the most bytes of a file that this process may make (`ulimit -f`). The limit applies to
/// a memfd, too; the kernel sends SIGXFSZ to a process that exceeds it.
pub fn file_bytes_max() -> u64 {
    rustix::process::getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX)
}

/// Returns the next smaller size to try: half of `bytes`, and finally `least`.
fn smaller(bytes: u64, least: u64) -> Option<u64> {
    (bytes > least).then(|| (bytes / 2).max(least))
}

/// Returns `wanted`, or what `limit` permits of it in whole pages. Returns an error if that is less
/// than `least`.
fn permitted(wanted: u64, least: u64, limit: u64) -> io::Result<u64> {
    let most = limit / PAGE_BYTES * PAGE_BYTES;
    if most < least { Err(io::Errno::FBIG) } else { Ok(wanted.min(most)) }
}

/// Makes a sparse memfd of `wanted` bytes. If the limits of this process do not permit that size
/// (`ulimit -f`), or do not let it map that size (`ulimit -v`, address widths), the memfd is
/// shorter: what `ulimit -f` permits, then half of that, a quarter and so on, but not below
/// `least`. `wanted` and `least` are multiples of the page size.
pub fn sparse(wanted: u64, least: u64) -> io::Result<Memory> {
    let descriptor =
        rustix::fs::memfd_create(c"nemesis", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut bytes = permitted(wanted, least, file_bytes_max())?;
    loop {
        // A mapping tests the size, and is unmapped at once. Untouched, it costs its address range
        // and microseconds.
        let sized = rustix::fs::ftruncate(&descriptor, bytes)
            .and_then(|()| Mapping::shared(&descriptor, bytes as usize));
        match sized {
            Ok(_) => break,
            Err(refused) => bytes = smaller(bytes, least).ok_or(refused)?,
        }
    }
    rustix::fs::fcntl_add_seals(&descriptor, SIZE_SEALS | SealFlags::SEAL)?;
    Ok(Memory { descriptor, bytes, backing: Backing::Memfd })
}

/// Makes an unlinked file in `/dev/shm` of `wanted` bytes, all of them allocated. The size is
/// halved, but not below `least`, while it is more than half of the free space there: the other
/// half is for other jobs.
pub fn allocated(wanted: u64, least: u64) -> io::Result<Memory> {
    const PLACE: &str = "/dev/shm";
    let place = rustix::fs::statvfs(PLACE)?;
    let free = place.f_bavail.saturating_mul(place.f_frsize);
    let mut bytes = permitted(wanted, least, file_bytes_max())?;
    while bytes > free / 2 && bytes / 2 >= least {
        bytes /= 2;
    }
    let descriptor = rustix::fs::open(
        PLACE,
        OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC | OFlags::EXCL,
        Mode::RUSR | Mode::WUSR,
    )?;
    rustix::fs::fallocate(&descriptor, FallocateFlags::empty(), 0, bytes)?;
    Ok(Memory { descriptor, bytes, backing: Backing::DevShm })
}

/// Returns the memory of `bytes` bytes from `offset` on to the kernel. Later reads there return
/// zero.
pub fn punch(descriptor: impl AsFd, offset: u64, bytes: u64) -> io::Result<()> {
    rustix::fs::fallocate(
        descriptor,
        FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE,
        offset,
        bytes,
    )
}

/// Returns the backing and the size of memory that another process made. A sealed size means a
/// memfd of [`sparse`], any other regular file without a name comes from [`allocated`]. Files with
/// names and other descriptors are refused.
///
/// # Errors
/// `NODEV`: the descriptor is not of such memory.
pub fn backing_of(descriptor: impl AsFd) -> io::Result<(Backing, u64)> {
    let stat = rustix::fs::fstat(&descriptor)?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() || stat.st_nlink > 0 {
        return Err(io::Errno::NODEV);
    }
    let sealed =
        rustix::fs::fcntl_get_seals(&descriptor).is_ok_and(|seals| seals.contains(SIZE_SEALS));
    Ok((if sealed { Backing::Memfd } else { Backing::DevShm }, stat.st_size as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparse_tebibyte_is_mappable_and_sealed() {
        let memory = sparse(1 << 40, 1 << 20).unwrap();
        assert!(memory.bytes.is_power_of_two() && memory.bytes >= 1 << 20);
        assert_eq!(backing_of(&memory.descriptor).unwrap(), (Backing::Memfd, memory.bytes));
        assert_eq!(rustix::fs::ftruncate(&memory.descriptor, 0), Err(io::Errno::PERM));
        assert_eq!(rustix::fs::fstat(&memory.descriptor).unwrap().st_blocks, 0);
    }

    #[test]
    fn the_file_in_dev_shm_is_allocated_and_has_no_name() {
        let memory = allocated(1 << 20, 1 << 16).unwrap();
        let stat = rustix::fs::fstat(&memory.descriptor).unwrap();
        assert_eq!(stat.st_size as u64, memory.bytes);
        assert!(stat.st_blocks as u64 * 512 >= memory.bytes);
        assert_eq!(stat.st_nlink, 0);
        assert_eq!(backing_of(&memory.descriptor).unwrap(), (Backing::DevShm, memory.bytes));
    }

    #[test]
    fn sizes_are_halved_down_to_the_least() {
        let sizes: Vec<u64> =
            std::iter::successors(Some(1 << 20), |&bytes| smaller(bytes, 300 << 10)).collect();
        assert_eq!(sizes, [1 << 20, 512 << 10, 300 << 10]);
        assert_eq!(permitted(1 << 30, 1 << 20, u64::MAX).unwrap(), 1 << 30);
        assert_eq!(permitted(1 << 30, 1 << 20, (5 << 20) + 77).unwrap(), 5 << 20);
        assert_eq!(permitted(1 << 30, 1 << 20, 1 << 19), Err(io::Errno::FBIG));
    }

    #[test]
    fn a_descriptor_that_is_not_memory_is_refused() {
        let (pipe, _) = rustix::pipe::pipe().unwrap();
        assert_eq!(backing_of(pipe).unwrap_err(), io::Errno::NODEV);
        let program = std::fs::File::open("/proc/self/exe").unwrap();
        assert_eq!(backing_of(program).unwrap_err(), io::Errno::NODEV);
    }
}
