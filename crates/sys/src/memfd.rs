//! Memory with a descriptor and no name: what a segment is made of.
//!
//! Two rungs of one ladder, best first:
//!
//! ```text
//!   memfd     memfd_create, sparse          costs nothing until touched; not bounded by the size of /dev/shm
//!   dev-shm   a file in /dev/shm, unlinked  allocated at once, so that a full /dev/shm is an error here and not a SIGBUS later
//! ```
//!
//! Neither leaves a name behind, however its users die. A memfd's size is sealed: no process that holds the descriptor can shrink the file
//! under its neighbours, and a receiver recognises the backing by that seal ([`backing_of`]).

use crate::mapping::Mapping;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{FallocateFlags, MemfdFlags, Mode, OFlags, SealFlags};
use rustix::io;
use rustix::process::Resource;
use std::fmt;

/// How shared memory was got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backing {
    Memfd,
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

/// Shared memory by descriptor: all bytes are zero at first.
#[derive(Debug)]
pub struct Memory {
    pub descriptor: OwnedFd,
    pub bytes: u64,
    pub backing: Backing,
}

/// A size that every page size of processors in use divides, or is.
const PAGE_BYTES: u64 = 1 << 16;

const SIZE_SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW);

/// Bytes that a file may have which this process makes (`ulimit -f`). This holds for memory with a
/// descriptor, too, and the kernel sends SIGXFSZ to a process that asks for more.
pub fn file_bytes_max() -> u64 {
    rustix::process::getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX)
}

/// The next smaller size to try: half of `bytes`, and `least` last of all.
fn smaller(bytes: u64, least: u64) -> Option<u64> {
    (bytes > least).then(|| (bytes / 2).max(least))
}

/// `wanted`, or what `limit` permits of it in whole pages; an error if that is less than `least`.
fn permitted(wanted: u64, least: u64, limit: u64) -> io::Result<u64> {
    let most = limit / PAGE_BYTES * PAGE_BYTES;
    if most < least { Err(io::Errno::FBIG) } else { Ok(wanted.min(most)) }
}

/// A sparse memfd of `wanted` bytes, or as much of it, not below `least`, as
/// the limits of this process let it make (`ulimit -f`), or then half, a quarter, … of that, which they
/// let it map (`ulimit -v`, address widths). Both are multiples of the page size.
pub fn sparse(wanted: u64, least: u64) -> io::Result<Memory> {
    let descriptor =
        rustix::fs::memfd_create(c"nemesis", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut bytes = permitted(wanted, least, file_bytes_max())?;
    loop {
        // The probe is a mapping that goes away at once: untouched, it costs its address range and microseconds.
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

/// A nameless file in `/dev/shm` of `wanted` bytes, all of them allocated; halved, not below `least`, while it is more than half of what is
/// free there: the other half is for the neighbours.
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

/// Gives the memory behind `bytes` bytes from `offset` on back to the kernel; what is read there afterwards is zero.
pub fn punch(descriptor: impl AsFd, offset: u64, bytes: u64) -> io::Result<()> {
    rustix::fs::fallocate(
        descriptor,
        FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE,
        offset,
        bytes,
    )
}

/// The backing and size of memory that another process made: a sealed size is a memfd of [`sparse`], any other regular file comes from
/// [`allocated`]; everything else is refused.
pub fn backing_of(descriptor: impl AsFd) -> io::Result<(Backing, u64)> {
    let stat = rustix::fs::fstat(&descriptor)?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
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
    fn the_file_in_dev_shm_is_really_there_and_has_no_name() {
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
    fn what_is_no_memory_is_refused() {
        let (pipe, _) = rustix::pipe::pipe().unwrap();
        assert!(backing_of(pipe).is_err());
    }
}
