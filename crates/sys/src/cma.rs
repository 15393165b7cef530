//! Copies between address spaces (cross-memory attach, CMA): `process_vm_readv` and
//! `process_vm_writev`.
//!
//! The kernel checks whether the caller may access the other process (same user, dumpable, Yama).
//! If it refuses, the caller moves the bytes by another mechanism.

#![allow(unsafe_code)]

use rustix::io::Errno;

/// Lets the descendants of this process's parent access its memory where Yama's `ptrace_scope` is
/// 1. Has no effect without Yama.
pub fn allow_siblings() {
    // SAFETY: prctl with PR_SET_PTRACER takes a number; getppid takes nothing.
    unsafe {
        libc::prctl(
            libc::PR_SET_PTRACER,
            libc::c_ulong::from(libc::getppid().unsigned_abs()),
            0,
            0,
            0,
        )
    };
}

/// Reads `bytes` bytes at `remote` in process `pid` to `local`. Returns the number of bytes read,
/// which is less than `bytes` if the remote range ends early.
///
/// # Safety
/// `local` is valid for writing `bytes` bytes, and no other code uses that memory during the call.
pub unsafe fn read(pid: i32, remote: u64, local: *mut u8, bytes: usize) -> Result<usize, Errno> {
    let to = libc::iovec { iov_base: local.cast(), iov_len: bytes };
    let from = libc::iovec { iov_base: remote as *mut libc::c_void, iov_len: bytes };
    // SAFETY: the caller may write to `to`. `from` is interpreted in the other process only, where
    // the kernel checks it.
    let copied = unsafe { libc::process_vm_readv(pid, &to, 1, &from, 1, 0) };
    usize::try_from(copied).map_err(|_| last_errno())
}

/// Fills `into` from `remote` in process `pid`, in as many calls as that takes.
pub fn read_exact(pid: i32, remote: u64, into: &mut [u8]) -> Result<(), Errno> {
    let mut done = 0;
    while done < into.len() {
        let rest = &mut into[done..];
        // SAFETY: this function has exclusive access to `rest`.
        match unsafe { read(pid, remote + done as u64, rest.as_mut_ptr(), rest.len()) } {
            Ok(0) => return Err(Errno::FAULT),
            Ok(copied) => done += copied,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Writes `bytes` bytes at `local` to `remote` in process `pid`. Returns the number of bytes
/// written.
///
/// # Safety
/// `local` is valid for reading `bytes` bytes. The owner of the remote range expects the write: it
/// sent the address for that purpose.
pub unsafe fn write(pid: i32, remote: u64, local: *const u8, bytes: usize) -> Result<usize, Errno> {
    let from = libc::iovec { iov_base: local.cast_mut().cast(), iov_len: bytes };
    let to = libc::iovec { iov_base: remote as *mut libc::c_void, iov_len: bytes };
    // SAFETY: the caller may read `from`. The kernel checks `to` in the other process.
    let copied = unsafe { libc::process_vm_writev(pid, &from, 1, &to, 1, 0) };
    usize::try_from(copied).map_err(|_| last_errno())
}

/// A piece of another process's memory: its address there, and its length in bytes.
pub type Remote = (u64, usize);

/// Most pieces of one call (the kernel's UIO_MAXIOV).
const PIECES_PER_CALL: usize = 1024;
/// Most bytes of one call. The kernel moves a little less than two gibibytes at once.
const BYTES_PER_CALL: usize = 1 << 30;

/// Fills `into` from `pieces` of process `pid`, in their order.
pub fn read_pieces(
    pid: i32,
    pieces: impl Iterator<Item = Remote>,
    into: &mut [u8],
) -> Result<(), Errno> {
    let start = into.as_mut_ptr();
    // SAFETY: `at` and `bytes` lie in `into`, which this function has exclusively; the kernel
    // checks the remote pieces.
    in_calls(pieces, into.len(), |at, bytes, remote| unsafe {
        let to = libc::iovec { iov_base: start.add(at).cast(), iov_len: bytes };
        libc::process_vm_readv(pid, &to, 1, remote.as_ptr(), remote.len() as libc::c_ulong, 0)
    })
}

/// Writes `from` to `pieces` of process `pid`, in their order. Their owner has announced that it
/// expects the writes.
pub fn write_pieces(
    pid: i32,
    pieces: impl Iterator<Item = Remote>,
    from: &[u8],
) -> Result<(), Errno> {
    let start = from.as_ptr();
    // SAFETY: `local` lies in `from` and is only read; the kernel checks the remote pieces.
    in_calls(pieces, from.len(), |at, bytes, remote| unsafe {
        let local = libc::iovec { iov_base: start.add(at).cast_mut().cast(), iov_len: bytes };
        libc::process_vm_writev(pid, &local, 1, remote.as_ptr(), remote.len() as libc::c_ulong, 0)
    })
}

/// Splits `bytes` local bytes and their remote pieces into system calls. `call` gets the local
/// offset, the length and the pieces, and returns the number of bytes moved.
fn in_calls(
    mut pieces: impl Iterator<Item = Remote>,
    bytes: usize,
    mut call: impl FnMut(usize, usize, &[libc::iovec]) -> isize,
) -> Result<(), Errno> {
    let (mut done, mut rest) = (0, None);
    let mut remote = Vec::new();
    while done < bytes {
        remote.clear();
        let limit = BYTES_PER_CALL.min(bytes - done);
        let mut length = 0;
        while remote.len() < PIECES_PER_CALL && length < limit {
            let Some((address, whole)) = rest.take().or_else(|| pieces.next()) else {
                return Err(Errno::FAULT);
            };
            let taken = whole.min(limit - length);
            remote.push(libc::iovec { iov_base: address as *mut libc::c_void, iov_len: taken });
            rest = (taken < whole).then(|| (address + taken as u64, whole - taken));
            length += taken;
        }
        match usize::try_from(call(done, length, &remote)) {
            Ok(moved) if moved == length => done += length,
            // The copy ended at an address that cannot be reached.
            Ok(_) => return Err(Errno::FAULT),
            Err(_) => return Err(last_errno()),
        }
    }
    Ok(())
}

fn last_errno() -> Errno {
    let raw = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
    Errno::from_raw_os_error(raw)
}
