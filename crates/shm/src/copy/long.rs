//! Long copies whose speed does not depend on where the two ranges lie in their pages.
//!
//! glibc copies a few KiB and more with `rep movsb`. On some processors that instruction is 2 to
//! 100 times slower where the destination lies 1 to 63 bytes above the source modulo 4096, and
//! this is the everyday case of a get: a window begins at a page, and a large block of `malloc`
//! begins 16 bytes after one. A loop of vector loads and stores, with whole vectors of the
//! destination, takes the same time at every offset.
//!
//! ```text
//!   bytes < 2048, or another offset     memcpy, memmove
//!   1 to 63 bytes above, mod 4096       the faster of memcpy and the vector loop
//! ```
//!
//! Which one is faster is measured once in each process, at the first copy with such an offset
//! (some 20 us). On a Zen 4 processor, 64 KiB at offset 8 take 1.2 us instead of 24.

#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nemesis_wire::CACHE_LINE_BYTES;

use crate::PAGE_BYTES;

/// Length from which on the page offsets of a copy matter. The C library does not use `rep movsb`
/// for shorter ones, and the kernel's copies of them are not worth a bounce buffer.
pub const CLOSE_MIN_BYTES: usize = 2048;

/// Copies `bytes` bytes between ranges that do not overlap.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `bytes`; the two ranges do not overlap.
#[inline(always)]
pub unsafe fn disjoint(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes >= CLOSE_MIN_BYTES && is_close_above(from, to) {
        // SAFETY: the caller's promise.
        unsafe { copy_close(from, to, bytes) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
    }
}

/// Copies `bytes` bytes between ranges that may overlap.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `bytes`.
#[inline(always)]
pub unsafe fn overlapping(from: *const u8, to: *mut u8, bytes: usize) {
    let far = from.addr().abs_diff(to.addr()) >= bytes;
    if bytes >= CLOSE_MIN_BYTES && far && is_close_above(from, to) {
        // SAFETY: the caller's promise, and the ranges are disjoint.
        unsafe { copy_close(from, to, bytes) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy(from, to, bytes) }
    }
}

/// Copies `data` to `place`, which has as many bytes.
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn slice(place: &mut [u8], data: &[u8]) {
    assert_eq!(place.len(), data.len(), "a copy has two sides of one length");
    // SAFETY: both are valid for the length, and `place` is exclusively borrowed.
    unsafe { disjoint(data.as_ptr(), place.as_mut_ptr(), data.len()) }
}

/// Whether `to` lies 1 to 63 bytes above `from` modulo the page size.
#[inline(always)]
fn is_close_above(from: *const u8, to: *mut u8) -> bool {
    let above = to.addr().wrapping_sub(from.addr()) % PAGE_BYTES;
    above.wrapping_sub(1) < CACHE_LINE_BYTES - 1
}

/// # Safety
/// As [`disjoint`], of at least [`CLOSE_MIN_BYTES`].
#[inline(never)]
unsafe fn copy_close(from: *const u8, to: *mut u8, bytes: usize) {
    static COPY: OnceLock<Copy> = OnceLock::new();
    let copy = *COPY.get_or_init(faster_at_close_offset);
    // SAFETY: the caller's promise; a vector loop is chosen only where the processor has the
    // instructions.
    unsafe { copy(from, to, bytes) }
}

/// A way to copy disjoint ranges of at least [`CLOSE_MIN_BYTES`].
type Copy = unsafe fn(*const u8, *mut u8, usize);

/// # Safety
/// As [`disjoint`].
unsafe fn copy_by_libc(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
}

/// Measures both ways on 8 KiB, 8 bytes above a page.
fn faster_at_close_offset() -> Copy {
    let Some(by_vectors) = vector_copy() else { return copy_by_libc };
    let time_by_libc = time_at_close_offset(copy_by_libc);
    if time_at_close_offset(by_vectors) < time_by_libc { by_vectors } else { copy_by_libc }
}

/// The shortest of several copies of 8 KiB to a place 8 bytes above the source modulo 4096.
fn time_at_close_offset(copy: Copy) -> Duration {
    const BYTES: usize = 2 * PAGE_BYTES;
    let source = vec![1u8; BYTES];
    let mut target = vec![0u8; BYTES + PAGE_BYTES];
    let offset = source.as_ptr().addr().wrapping_add(8).wrapping_sub(target.as_ptr().addr());
    let to = target[offset % PAGE_BYTES..].as_mut_ptr();
    let time = || {
        let begun = Instant::now();
        // SAFETY: both have `BYTES` bytes from there on, in different objects.
        unsafe { copy(source.as_ptr(), to, BYTES) };
        begun.elapsed()
    };
    (0..4).map(|_| time()).min().unwrap_or_default()
}

/// The loop of the widest vectors that the processor has.
fn vector_copy() -> Option<Copy> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("avx512f") {
        return Some(copy_by_512_bits);
    } else if std::arch::is_x86_feature_detected!("avx") {
        return Some(copy_by_256_bits);
    }
    None
}

/// A copy by vectors of `$bytes` bytes. The first and the last vector may begin anywhere; those
/// between are whole vectors of the destination.
macro_rules! vector_copy {
    ($name:ident, $feature:literal, $bytes:literal, $load:ident, $store:ident) => {
        /// # Safety
        /// As [`disjoint`], of at least [`CLOSE_MIN_BYTES`], on a processor with the feature.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        #[target_feature(enable = $feature)]
        unsafe fn $name(from: *const u8, to: *mut u8, bytes: usize) {
            use std::arch::x86_64::{$load, $store};
            debug_assert!(bytes >= CLOSE_MIN_BYTES);
            let last = bytes - $bytes;
            let mut at = $bytes - to.addr() % $bytes;
            // SAFETY: each vector lies within the first `bytes` bytes of both ranges: the loops
            // end before `last`, the place of the last whole vector. The ranges are disjoint, so
            // a byte that is written twice has the same value both times.
            unsafe {
                $store(to.cast(), $load(from.cast()));
                while at + 4 * $bytes <= bytes {
                    let first = $load(from.add(at).cast());
                    let second = $load(from.add(at + $bytes).cast());
                    let third = $load(from.add(at + 2 * $bytes).cast());
                    let fourth = $load(from.add(at + 3 * $bytes).cast());
                    $store(to.add(at).cast(), first);
                    $store(to.add(at + $bytes).cast(), second);
                    $store(to.add(at + 2 * $bytes).cast(), third);
                    $store(to.add(at + 3 * $bytes).cast(), fourth);
                    at += 4 * $bytes;
                }
                while at < last {
                    $store(to.add(at).cast(), $load(from.add(at).cast()));
                    at += $bytes;
                }
                $store(to.add(last).cast(), $load(from.add(last).cast()));
            }
        }
    };
}
vector_copy!(copy_by_512_bits, "avx512f", 64, _mm512_loadu_si512, _mm512_storeu_si512);
vector_copy!(copy_by_256_bits, "avx", 32, _mm256_loadu_si256, _mm256_storeu_si256);

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [usize; 9] = [2048, 2049, 2111, 2112, 2113, 4096, 5000, 8191, 65537];

    /// Copies `bytes` bytes by `copy` at `offset` from a page, and looks at every byte.
    fn check(copy: Copy, offset: usize, bytes: usize) {
        let source: Vec<u8> = (0..bytes).map(|at| (at * 7 + at / 256) as u8).collect();
        let mut target = vec![0xA5; bytes + 3 * PAGE_BYTES];
        let begin =
            source.as_ptr().addr().wrapping_sub(target.as_ptr().addr()) % PAGE_BYTES + offset;
        // SAFETY: the source has `bytes` bytes, the target that many from `begin` on.
        unsafe { copy(source.as_ptr(), target[begin..].as_mut_ptr(), bytes) };
        assert_eq!(target[begin..begin + bytes], source, "{bytes} bytes at {offset}");
        let mut around = target[..begin].iter().chain(&target[begin + bytes..]);
        assert!(
            around.all(|&byte| byte == 0xA5),
            "{bytes} bytes at {offset}: a neighbour is touched"
        );
    }

    #[test]
    fn every_copy_moves_the_bytes_and_no_others() {
        for offset in [0, 1, 8, 16, 31, 32, 33, 63, 64, 2048] {
            for bytes in LENGTHS {
                check(disjoint, offset, bytes);
                check(overlapping, offset, bytes);
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                {
                    if std::arch::is_x86_feature_detected!("avx512f") {
                        check(copy_by_512_bits, offset, bytes);
                    }
                    if std::arch::is_x86_feature_detected!("avx") {
                        check(copy_by_256_bits, offset, bytes);
                    }
                }
            }
        }
    }

    #[test]
    fn ranges_that_overlap_are_copied_as_they_were() {
        for distance in [1, 8, 63, 64, 4095, 4096, 4104, 5000] {
            let mut memory: Vec<u8> = (0..20_000).map(|at| (at * 7 + at / 256) as u8).collect();
            let mut expected = memory.clone();
            expected.copy_within(100..100 + 9000, 100 + distance);
            let base = memory.as_mut_ptr();
            // SAFETY: both ranges lie within the memory.
            unsafe { overlapping(base.add(100), base.add(100 + distance), 9000) };
            assert!(memory == expected, "9000 bytes, {distance} bytes up");
        }
    }

    #[test]
    fn only_places_just_above_are_close() {
        let close = |above: isize| is_close_above(8192 as *const u8, (8192 + above) as *mut u8);
        assert!([1, 8, 16, 63, 4097, 4096 * 5 + 63, 8 - 4096].into_iter().all(close));
        assert!(![0, -1, -8, 64, 2048, 4096, 4095].into_iter().any(close));
    }
}
