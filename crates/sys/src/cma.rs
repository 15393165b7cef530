//! Copies between address spaces (cross-memory attach): `process_vm_readv` and `process_vm_writev`.
//!
//! The kernel checks the caller's right to look into the other process (same user, dumpable, Yama). Refusals are answers, not failures: the
//! caller has another way to move the bytes.

#![allow(unsafe_code)]

use rustix::io::Errno;

/// Lets our siblings, the descendants of our parent, read our memory where Yama's ptrace_scope is 1; without Yama nothing changes.
pub fn allow_siblings() {
    // SAFETY: prctl with PR_SET_PTRACER takes a number; getppid takes nothing.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::c_ulong::from(libc::getppid().unsigned_abs()), 0, 0, 0) };
}

/// Reads `bytes` at `remote` in process `pid` to `local`; returns how many came, which is fewer when the remote range ends early.
///
/// # Safety
/// `local` is valid for writing `bytes`, and nobody else uses that memory during the call.
pub unsafe fn read(pid: i32, remote: u64, local: *mut u8, bytes: usize) -> Result<usize, Errno> {
    let to = libc::iovec { iov_base: local.cast(), iov_len: bytes };
    let from = libc::iovec { iov_base: remote as *mut libc::c_void, iov_len: bytes };
    // SAFETY: `to` is the caller's to write; `from` is only interpreted in the other process, where the kernel checks it.
    let copied = unsafe { libc::process_vm_readv(pid, &to, 1, &from, 1, 0) };
    usize::try_from(copied).map_err(|_| last_errno())
}

/// Fills `into` from `remote` in process `pid`, in as many calls as that takes.
pub fn read_exact(pid: i32, remote: u64, into: &mut [u8]) -> Result<(), Errno> {
    let mut done = 0;
    while done < into.len() {
        let rest = &mut into[done..];
        // SAFETY: `rest` is exclusively ours.
        match unsafe { read(pid, remote + done as u64, rest.as_mut_ptr(), rest.len()) } {
            Ok(0) => return Err(Errno::FAULT),
            Ok(copied) => done += copied,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// Writes `bytes` at `local` to `remote` in process `pid`.
///
/// # Safety
/// `local` is valid for reading `bytes`. The owner of the remote range expects the write (it told us the address for that purpose).
pub unsafe fn write(pid: i32, remote: u64, local: *const u8, bytes: usize) -> Result<usize, Errno> {
    let from = libc::iovec { iov_base: local.cast_mut().cast(), iov_len: bytes };
    let to = libc::iovec { iov_base: remote as *mut libc::c_void, iov_len: bytes };
    // SAFETY: `from` is the caller's to read; `to` is checked by the kernel in the other process.
    let copied = unsafe { libc::process_vm_writev(pid, &from, 1, &to, 1, 0) };
    usize::try_from(copied).map_err(|_| last_errno())
}

fn last_errno() -> Errno {
    let raw = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
    Errno::from_raw_os_error(raw)
}
