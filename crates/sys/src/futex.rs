//! Sleeping on a word that several processes share.

#![allow(unsafe_code)]

use std::time::Duration;

/// Sleeps while the word at `address` is `expected`, at most for `timeout`. May return early; the
/// caller checks the word again.
///
/// # Safety
/// `address` is a mapped, aligned 32-bit word that stays mapped during the call.
pub unsafe fn wait(address: *const u32, expected: u32, timeout: Duration) {
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the caller guarantees that the word is mapped; the kernel only reads it. The private
    // flag is absent, since different processes sleep and wake.
    unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAIT, expected, &timeout) };
}

/// A word, and the value while which [`wait_any`] sleeps: `struct futex_waitv` of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Word {
    expected: u64,
    address: u64,
    flags: u32,
    reserved: u32,
}

impl Word {
    pub fn new(address: *const u32, expected: u32) -> Word {
        /// A word of 32 bits. The private flag is absent, as in [`wait`].
        const FUTEX2_SIZE_U32: u32 = 2;
        let (expected, address) = (expected.into(), address.addr() as u64);
        Word { expected, address, flags: FUTEX2_SIZE_U32, reserved: 0 }
    }
}

/// Sleeps while all these words have the values that they name, at most for `timeout`. May return
/// early. Returns false at once where the kernel has no such call (before Linux 5.16, or forbidden)
/// or takes fewer words.
///
/// # Safety
/// As for [`wait`], for each word.
pub unsafe fn wait_any(words: &[Word], timeout: Duration) -> bool {
    let mut end = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid place for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut end) };
    let nanoseconds = end.tv_nsec as u64 + u64::from(timeout.subsec_nanos());
    end.tv_sec += (timeout.as_secs() + nanoseconds / 1_000_000_000) as libc::time_t;
    end.tv_nsec = (nanoseconds % 1_000_000_000) as libc::c_long;
    // SAFETY: as in `wait`.
    let result = unsafe {
        libc::syscall(
            libc::SYS_futex_waitv,
            words.as_ptr(),
            words.len(),
            0,
            &end,
            libc::CLOCK_MONOTONIC,
        )
    };
    let refused = [libc::ENOSYS, libc::EPERM, libc::EINVAL, libc::ENOMEM];
    result >= 0
        || !std::io::Error::last_os_error().raw_os_error().is_some_and(|e| refused.contains(&e))
}

/// Wakes one thread that sleeps on the word at `address`.
///
/// # Safety
/// `address` is a mapped, aligned 32-bit word.
pub unsafe fn wake_one(address: *const u32) {
    // SAFETY: the kernel uses the address as a key and does not access the word.
    unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAKE, 1) };
}
