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

/// Wakes one thread that sleeps on the word at `address`.
///
/// # Safety
/// `address` is a mapped, aligned 32-bit word.
pub unsafe fn wake_one(address: *const u32) {
    // SAFETY: the kernel uses the address as a key and does not access the word.
    unsafe { libc::syscall(libc::SYS_futex, address, libc::FUTEX_WAKE, 1) };
}
