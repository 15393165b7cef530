//! Sleeping on a word that several processes share.

#![allow(unsafe_code)]

use std::time::Duration;

/// Sleeps while the word at `address` is `expected`, at most for `timeout`; returns for any reason, the caller looks again.
///
/// # Safety
/// `address` is a mapped, aligned 32-bit word that stays mapped during the call.
pub unsafe fn wait(address: *const u32, expected: u32, timeout: Duration) {
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the caller vouches for the word; the kernel only reads it. The private flag is absent: sleepers and wakers are different processes.
    unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAIT, expected, &timeout) };
}

/// Wakes one sleeper of the word at `address`.
///
/// # Safety
/// `address` is a mapped, aligned 32-bit word.
pub unsafe fn wake_one(address: *const u32) {
    // SAFETY: the kernel takes the address as a name, it touches nothing.
    unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAKE, 1) };
}
