//! Memory copies: short ones without a call of memcpy, copies to and from lines that another
//! processor shares, and non-temporal stores.

#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use nemesis_sync::{Ordering, fence};
use nemesis_wire::CACHE_LINE_BYTES;

mod long;
pub use long::{CLOSE_MIN_BYTES, overlapping, slice};

/// Longest copy that [`short`] takes: the payload of one cache line.
pub const SHORT_MAX_BYTES: usize = 40;

/// Sixteen bytes that are moved at once.
#[cfg(target_arch = "x86_64")]
type Half = std::arch::x86_64::__m128i;
#[cfg(not(target_arch = "x86_64"))]
type Half = u128;

/// Copies `bytes` (at most [`SHORT_MAX_BYTES`]) with a few moves that may overlap each other.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `bytes`; the two ranges do not overlap.
#[inline(always)]
pub unsafe fn short(from: *const u8, to: *mut u8, bytes: usize) {
    debug_assert!(bytes <= SHORT_MAX_BYTES);
    // SAFETY: each move lies within the first `bytes`: the branches make sure that those that end
    // at `bytes` begin at or after 0. A value is read in full before it is written, and the ranges
    // are disjoint.
    unsafe {
        // One or two comparisons decide for one number, the most frequent short message, and up to
        // two.
        if bytes == 8 {
            to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned());
        } else if bytes.wrapping_sub(8) <= 8 {
            let head = from.cast::<u64>().read_unaligned();
            let tail = from.add(bytes - 8).cast::<u64>().read_unaligned();
            to.cast::<u64>().write_unaligned(head);
            to.add(bytes - 8).cast::<u64>().write_unaligned(tail);
        } else if bytes > 16 {
            let head = from.cast::<Half>().read_unaligned();
            let tail = from.add(bytes - 16).cast::<Half>().read_unaligned();
            if bytes > 32 {
                to.add(16)
                    .cast::<Half>()
                    .write_unaligned(from.add(16).cast::<Half>().read_unaligned());
            }
            to.cast::<Half>().write_unaligned(head);
            to.add(bytes - 16).cast::<Half>().write_unaligned(tail);
        } else if bytes >= 4 {
            let head = from.cast::<u32>().read_unaligned();
            let tail = from.add(bytes - 4).cast::<u32>().read_unaligned();
            to.cast::<u32>().write_unaligned(head);
            to.add(bytes - 4).cast::<u32>().write_unaligned(tail);
        } else if bytes > 0 {
            let first = *from;
            let middle = *from.add(bytes / 2);
            let last = *from.add(bytes - 1);
            *to = first;
            *to.add(bytes / 2) = middle;
            *to.add(bytes - 1) = last;
        }
    }
}

/// Copies from this length on prefetch lines ahead.
const PREFETCH_MIN_BYTES: usize = 256;

/// Longest copy that [`overlapping_inline`] makes without a call: a cache line.
const INLINE_MAX_BYTES: usize = CACHE_LINE_BYTES;

/// Copies `bytes` bytes between ranges that may overlap, to lines that another processor has read:
/// up to a cache line without a call, and from some lines on as [`to_shared`] does.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `bytes`.
#[inline(always)]
pub unsafe fn overlapping_inline(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes.wrapping_sub(16) > INLINE_MAX_BYTES - 16 {
        // SAFETY: the caller's promise.
        return unsafe { overlapping_by_call(from, to, bytes) };
    }
    // SAFETY: 16 to 64 bytes: each move lies within them; the inner moves differ from the outer
    // ones from 32 on. All is read before anything is written.
    unsafe {
        let (near, far) = if bytes > 32 { (16, bytes - 32) } else { (0, bytes - 16) };
        let [first, second, third, last] =
            [0, near, far, bytes - 16].map(|at| from.add(at).cast::<u128>().read_unaligned());
        to.cast::<u128>().write_unaligned(first);
        to.add(near).cast::<u128>().write_unaligned(second);
        to.add(far).cast::<u128>().write_unaligned(third);
        to.add(bytes - 16).cast::<u128>().write_unaligned(last);
    }
}

/// Copies what [`overlapping_inline`] does not copy without a call.
///
/// # Safety
/// As [`overlapping_inline`].
#[inline(never)]
unsafe fn overlapping_by_call(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes >= PREFETCH_MIN_BYTES && from.addr().abs_diff(to.addr()) >= bytes {
        // SAFETY: the caller's promise, and the ranges are disjoint.
        unsafe { to_shared(from, to, bytes, bytes) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { long::overlapping(from, to, bytes) };
    }
}

/// Prefetches the cache line at `line`, which may be any address, for writing.
#[inline(always)]
pub fn prefetch_for_write(line: *const u8) {
    prefetch_for_write_after::<0>(line);
}

/// Prefetches the cache line `BYTES` bytes after `line`, which may be any address, for writing.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(miri)),
    expect(
        clippy::pointers_in_nomem_asm_block,
        reason = "a hint reads and writes nothing, and orders nothing"
    )
)]
pub fn prefetch_for_write_after<const BYTES: usize>(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint, which reads and writes nothing and cannot fault.
    unsafe {
        std::arch::asm!(
            "prefetchw [{0} + {1}]",
            in(reg) line,
            const BYTES,
            options(nomem, nostack, preserves_flags)
        );
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Prefetches the cache line at `line`, which may be any address, for reading.
#[inline(always)]
#[cfg_attr(
    all(target_arch = "x86_64", not(miri)),
    expect(
        clippy::pointers_in_nomem_asm_block,
        reason = "a hint reads and writes nothing, and orders nothing"
    )
)]
pub fn prefetch_for_read(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint, which reads and writes nothing and cannot fault.
    unsafe {
        std::arch::asm!("prefetcht0 [{0}]", in(reg) line, options(nomem, nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Copies `bytes` bytes between disjoint ranges.
///
/// # Safety
/// As [`short`], without its limit.
#[inline(always)]
pub unsafe fn bytes(from: *const u8, to: *mut u8, bytes: usize) {
    if bytes <= SHORT_MAX_BYTES {
        // SAFETY: the caller's promise, and the length is in range.
        unsafe { short(from, to, bytes) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { long::disjoint(from, to, bytes) }
    }
}

/// Returns the best distance after `begin`, the beginning of a line, for a copy of the data at
/// `address`: whole lines, less than a page, so that copy and original lie half a page apart modulo
/// the page size. Otherwise 4K aliasing can occur: where a line that is read next and one just
/// written have about the same offset in their pages, the processor takes the load for one of the
/// stored data, and waits.
#[cfg(not(loom))]
#[inline]
pub fn unaliased_offset(begin: usize, address: usize) -> usize {
    use crate::PAGE_BYTES;
    address.wrapping_add(PAGE_BYTES / 2).wrapping_sub(begin) % PAGE_BYTES / CACHE_LINE_BYTES
        * CACHE_LINE_BYTES
}

/// Distance at which lines that are written next are prefetched. Measured best.
pub const WRITE_AHEAD_BYTES: usize = 768;
/// Distance at which lines that are read next are prefetched. Measured best.
const READ_AHEAD_BYTES: usize = 1024;

/// Copies `bytes` bytes to lines that another processor has read, and prefetches lines up to
/// `capacity` bytes after `to` before it writes them.
///
/// # Safety
/// As [`short`], without its limit.
#[inline]
pub unsafe fn to_shared(from: *const u8, to: *mut u8, bytes: usize, capacity: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the caller's promise, and the processor has the instructions.
        return unsafe { to_shared_by_lines(from, to, bytes, capacity) };
    }
    for line in (bytes..capacity.min(bytes * 2)).step_by(CACHE_LINE_BYTES) {
        prefetch_for_write(to.wrapping_add(line));
    }
    // SAFETY: the caller's promise.
    unsafe { long::disjoint(from, to, bytes) }
}

/// Copies as [`to_shared`] does, line by line with one move each. With shorter moves a call of
/// memcpy is faster.
///
/// # Safety
/// As [`to_shared`], on a processor with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn to_shared_by_lines(from: *const u8, to: *mut u8, bytes: usize, capacity: usize) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_storeu_si512};
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    for at in (0..whole).step_by(CACHE_LINE_BYTES) {
        if at + WRITE_AHEAD_BYTES < capacity {
            prefetch_for_write(to.wrapping_add(at + WRITE_AHEAD_BYTES));
        }
        // SAFETY: 64 bytes from `at` on lie within the caller's `bytes`.
        unsafe { _mm512_storeu_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast())) };
    }
    // SAFETY: what is left of the caller's `bytes`.
    unsafe { std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole) }
}

/// Copies `bytes` bytes to lines that several processors share or will soon share again, without
/// prefetching for writing.
///
/// # Safety
/// As [`short`], without its limit.
#[inline]
pub unsafe fn to_common(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise; with this bound nothing is prefetched.
    unsafe { to_shared(from, to, bytes, bytes.min(WRITE_AHEAD_BYTES)) }
}

/// Copies `bytes` bytes with non-temporal stores, which bypass this processor's caches, to lines
/// that another processor has read. Other processors see all of it before anything that is written
/// later. `to` is the beginning of a line.
///
/// # Safety
/// As [`short`], without its limit.
#[inline]
pub unsafe fn non_temporal(from: *const u8, to: *mut u8, bytes: usize) {
    debug_assert!(to.addr().is_multiple_of(CACHE_LINE_BYTES));
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the caller's promise, and the processor has the instructions.
    unsafe {
        if std::arch::is_x86_feature_detected!("avx512f") {
            non_temporal_by_lines(from, to, bytes);
        } else {
            non_temporal_by_parts(from, to, bytes);
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        // SAFETY: the caller's promise.
        let done = unsafe { non_temporal_lines(from, to, bytes) };
        #[cfg(not(all(target_arch = "aarch64", not(miri))))]
        let done = 0;
        // SAFETY: what is left of the caller's `bytes`.
        unsafe { std::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done) };
        // Release: the stores come before what this thread writes later, be it with Relaxed, as
        // after the fences of x86-64.
        fence(Ordering::Release);
    }
}

/// Copies the whole lines of `bytes` bytes with non-temporal stores, which later stores may
/// overtake, and returns their bytes.
///
/// # Safety
/// As [`non_temporal`].
#[cfg(all(target_arch = "aarch64", not(miri)))]
unsafe fn non_temporal_lines(from: *const u8, to: *mut u8, bytes: usize) -> usize {
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    for at in (0..whole).step_by(CACHE_LINE_BYTES) {
        // SAFETY: 64 bytes from `at` on lie within the caller's `bytes`.
        unsafe {
            std::arch::asm!(
                "ldp {a:q}, {b:q}, [{from}]",
                "ldp {c:q}, {d:q}, [{from}, #32]",
                "stnp {a:q}, {b:q}, [{to}]",
                "stnp {c:q}, {d:q}, [{to}, #32]",
                from = in(reg) from.add(at),
                to = in(reg) to.add(at),
                a = out(vreg) _,
                b = out(vreg) _,
                c = out(vreg) _,
                d = out(vreg) _,
                options(nostack, preserves_flags)
            );
        }
    }
    whole
}

/// Copies `data` to `place` with non-temporal stores; the part before the first whole line of
/// `place` is copied with ordinary stores.
///
/// # Panics
/// If the lengths differ.
pub fn non_temporal_into(place: &mut [u8], data: &[u8]) {
    assert_eq!(place.len(), data.len(), "data and their place");
    let lead = place.as_ptr().align_offset(CACHE_LINE_BYTES).min(place.len());
    place[..lead].copy_from_slice(&data[..lead]);
    let (place, data) = (&mut place[lead..], &data[lead..]);
    if !place.is_empty() {
        // SAFETY: both have as many bytes, and the destination, which begins a line, is exclusively
        // borrowed.
        unsafe { non_temporal(data.as_ptr(), place.as_mut_ptr(), place.len()) }
    }
}

/// Copies as [`non_temporal`] does, line by line with one store each.
///
/// # Safety
/// As [`non_temporal`], on a processor with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn non_temporal_by_lines(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{_mm_sfence, _mm512_loadu_si512, _mm512_stream_si512};
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    // SAFETY: each move lies within the caller's ranges, and `to` is aligned for it. The fence
    // orders the stores before later ones.
    unsafe {
        for at in (0..whole).step_by(CACHE_LINE_BYTES) {
            _mm512_stream_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast()));
        }
        std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole);
    }
    _mm_sfence();
}

/// Copies as [`non_temporal`] does, with stores of 16 bytes.
///
/// # Safety
/// As [`non_temporal`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
unsafe fn non_temporal_by_parts(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    // SAFETY: as in `non_temporal_by_lines`.
    unsafe {
        for at in (0..whole).step_by(16) {
            _mm_stream_si128(to.add(at).cast(), _mm_loadu_si128(from.add(at).cast()));
        }
        std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole);
        _mm_sfence();
    }
}

/// Copies `bytes` bytes from lines that another processor has written, and prefetches each before
/// it reads it.
///
/// # Safety
/// As [`short`], without its limit.
#[inline]
pub unsafe fn from_shared(from: *const u8, to: *mut u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the caller's promise, and the processor has the instructions.
        return unsafe { from_shared_wide(from, to, bytes) };
    }
    // SAFETY: the caller's promise.
    unsafe { from_shared_by_lines(from, to, bytes) }
}

/// [`from_shared`] with the instructions of AVX-512.
///
/// # Safety
/// As [`from_shared`], on a processor with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn from_shared_wide(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { from_shared_by_lines(from, to, bytes) }
}

/// [`from_shared`] line by line.
///
/// # Safety
/// As [`from_shared`].
#[inline(always)]
unsafe fn from_shared_by_lines(from: *const u8, to: *mut u8, bytes: usize) {
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    for at in (0..whole).step_by(CACHE_LINE_BYTES) {
        if at + READ_AHEAD_BYTES < bytes {
            prefetch_for_read(from.wrapping_add(at + READ_AHEAD_BYTES));
        }
        // SAFETY: 64 bytes from `at` on lie within the caller's `bytes`.
        unsafe { std::ptr::copy_nonoverlapping(from.add(at), to.add(at), CACHE_LINE_BYTES) };
    }
    // SAFETY: what is left of the caller's `bytes`.
    unsafe { std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole) }
}

/// Copies `bytes` bytes from lines that another processor has written and will soon write again,
/// and [claims](claim) each line.
///
/// # Safety
/// As [`short`], without its limit. The lines that are read belong to the caller alone.
#[inline]
pub unsafe fn claiming(from: *mut u8, to: *mut u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the caller's promise, and the processor has the instructions.
        return unsafe { claiming_wide(from, to, bytes) };
    }
    // SAFETY: the caller's promise.
    unsafe { claiming_by_lines(from, to, bytes) }
}

/// [`claiming`] with the instructions of AVX-512.
///
/// # Safety
/// As [`claiming`], on a processor with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn claiming_wide(from: *mut u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { claiming_by_lines(from, to, bytes) }
}

/// [`claiming`] line by line.
///
/// # Safety
/// As [`claiming`].
#[inline(always)]
unsafe fn claiming_by_lines(from: *mut u8, to: *mut u8, bytes: usize) {
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    for at in (0..whole).step_by(CACHE_LINE_BYTES) {
        if at + READ_AHEAD_BYTES < bytes {
            prefetch_for_read(from.wrapping_add(at + READ_AHEAD_BYTES));
        }
        // SAFETY: 64 bytes from `at` on lie within the caller's `bytes`.
        unsafe {
            std::ptr::copy_nonoverlapping(from.add(at), to.add(at), CACHE_LINE_BYTES);
            claim_line(from.add(at));
        }
    }
    if whole < bytes {
        // SAFETY: what is left of the caller's `bytes`.
        unsafe {
            std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole);
            claim_line(from.add(whole));
        }
    }
}

/// Copies `bytes` bytes from lines that another processor has written with non-temporal stores, to
/// memory that is not read soon. If `claims`, claims each line that is read. `to` is the
/// beginning of a line. Other processors see what is written before anything that is written later.
///
/// # Safety
/// As [`claiming`]. If `claims` is false, the lines need only be readable.
#[inline]
pub unsafe fn non_temporal_from_shared(from: *mut u8, to: *mut u8, bytes: usize, claims: bool) {
    debug_assert!(to.addr().is_multiple_of(CACHE_LINE_BYTES));
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the caller's promise, and the processor has the instructions.
        return unsafe { non_temporal_from_shared_by_lines(from, to, bytes, claims) };
    }
    // SAFETY: the caller's promise.
    unsafe {
        non_temporal(from, to, bytes);
        if claims {
            claim(from, bytes);
        }
    }
}

/// Copies as [`non_temporal_from_shared`] does, line by line with one store each.
///
/// # Safety
/// As [`non_temporal_from_shared`], on a processor with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f")]
unsafe fn non_temporal_from_shared_by_lines(
    from: *mut u8,
    to: *mut u8,
    bytes: usize,
    claims: bool,
) {
    use std::arch::x86_64::{_mm_sfence, _mm512_loadu_si512, _mm512_stream_si512};
    let whole = bytes & !(CACHE_LINE_BYTES - 1);
    for at in (0..whole).step_by(CACHE_LINE_BYTES) {
        if at + READ_AHEAD_BYTES < bytes {
            prefetch_for_read(from.wrapping_add(at + READ_AHEAD_BYTES));
        }
        // SAFETY: each move lies within the caller's ranges, and `to` is aligned for it. The byte
        // belongs to the caller if its line is claimed.
        unsafe {
            _mm512_stream_si512(to.add(at).cast(), _mm512_loadu_si512(from.add(at).cast()));
            if claims {
                claim_line(from.add(at));
            }
        }
    }
    // SAFETY: what is left of the caller's `bytes`.
    unsafe {
        std::ptr::copy_nonoverlapping(from.add(whole), to.add(whole), bytes - whole);
        if claims && whole < bytes {
            claim_line(from.add(whole));
        }
    }
    // Orders the non-temporal stores before later ones.
    _mm_sfence();
}

/// Claims the lines of `bytes` bytes, which are read soon or were read just now, from the cache of
/// the processor that has written them: writes one byte of each back as it is. Where caches answer
/// each other slowly, that processor writes the lines several times as fast the next time, because
/// it finds them in one cache instead of two (docs/design/shm-messages.md). Soon means within some
/// 16 lines; later, claiming costs as much as it saves.
///
/// # Safety
/// `from` lies in the first of the lines, which are valid for reading and writing there and in
/// steps of a line, and belong to the caller alone.
#[inline]
pub unsafe fn claim(from: *mut u8, bytes: usize) {
    for at in (0..bytes).step_by(CACHE_LINE_BYTES) {
        // SAFETY: the caller's promise.
        unsafe { claim_line(from.add(at)) }
    }
}

/// Claims the line of `byte`.
///
/// # Safety
/// As [`claim`] of one byte.
#[inline(always)]
unsafe fn claim_line(byte: *mut u8) {
    // SAFETY: the caller's promise. Volatile, because otherwise the compiler omits a store that
    // changes nothing.
    unsafe { byte.write_volatile(byte.read_volatile()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn claimed_lines_stay_as_they_are() {
        let mut from: Vec<u8> = (0..5000).map(|i| (i * 7) as u8 | 1).collect();
        let before = from.clone();
        for bytes in [0, 1, 63, 64, 65, 1024, 1100, 2048, 4999] {
            let mut there = vec![0u8; 5010];
            // SAFETY: 5000 bytes of ours, 5009 writable ones, different objects.
            unsafe {
                super::claiming(from.as_mut_ptr(), there.as_mut_ptr().add(1), bytes);
                super::claim(from.as_mut_ptr(), bytes);
            }
            assert_eq!((there[0], &there[1..=bytes], &from), (0, &before[..bytes], &before));
            assert!(
                there[bytes + 1..].iter().all(|&byte| byte == 0),
                "nothing after {bytes} bytes is written"
            );
        }
    }

    #[test]
    fn shared_lines_are_copied_to_the_byte() {
        let from: Vec<u8> = (0..5000).map(|i| (i * 7) as u8 | 1).collect();
        for bytes in [0, 1, 63, 64, 65, 767, 768, 1024, 1100, 2048, 4999] {
            let (mut there, mut back) = (vec![0u8; 5010], vec![0u8; 5010]);
            // SAFETY: 5000 readable bytes, 5009 writable ones each, different objects.
            unsafe {
                super::to_shared(from.as_ptr(), there.as_mut_ptr().add(1), bytes, 5000);
                super::from_shared(there.as_ptr().add(1), back.as_mut_ptr().add(2), bytes);
            }
            assert_eq!((there[0], &there[1..=bytes]), (0, &from[..bytes]));
            assert_eq!((&back[..2], &back[2..bytes + 2]), (&[0, 0][..], &from[..bytes]));
            assert!(
                there[bytes + 1..].iter().chain(&back[bytes + 2..]).all(|&b| b == 0),
                "nothing after {bytes} bytes is written"
            );
        }
    }

    #[test]
    fn non_temporal_copies_arrive_to_the_byte() {
        #[repr(align(64))]
        struct Lines([u8; 5056]);
        let from: Vec<u8> = (0..5000).map(|i| (i * 7) as u8 | 1).collect();
        for bytes in [0, 1, 63, 64, 65, 1024, 1100, 4999] {
            let mut there = Lines([0; 5056]);
            // SAFETY: 5000 readable bytes, 5056 writable ones, different objects, the latter
            // aligned. The second copy is that of processors without AVX-512.
            unsafe {
                super::non_temporal(from.as_ptr(), there.0.as_mut_ptr(), bytes);
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                super::non_temporal_by_parts(from.as_ptr().add(1), there.0.as_mut_ptr(), bytes / 2);
            }
            let half = if cfg!(all(target_arch = "x86_64", not(miri))) { bytes / 2 } else { 0 };
            assert_eq!(
                (&there.0[..half], &there.0[half..bytes]),
                (&from[1..=half], &from[half..bytes])
            );
            assert!(
                there.0[bytes..].iter().all(|&b| b == 0),
                "nothing after {bytes} bytes is written"
            );
        }
    }

    #[test]
    fn ranges_that_overlap_are_copied_as_they_were() {
        for bytes in (0..=80).chain([256, 300]) {
            for (from, to) in [
                (0, 310),
                (310, 0),
                (0, 299),
                (299, 0),
                (0, 90),
                (90, 0),
                (10, 3),
                (3, 10),
                (0, 40),
                (40, 0),
                (20, 20),
                (0, 16),
                (33, 1),
            ] {
                let mut memory: Vec<u8> = (0..640).map(|at| (at * 7) as u8).collect();
                let mut expected = memory.clone();
                expected.copy_within(from..from + bytes, to);
                let base = memory.as_mut_ptr();
                // SAFETY: both ranges lie within 640 bytes.
                unsafe { super::overlapping_inline(base.add(from), base.add(to), bytes) };
                assert_eq!(memory, expected, "{bytes} bytes from {from} to {to}");
            }
        }
    }

    #[test]
    fn every_length_is_copied_to_the_byte() {
        let from: Vec<u8> = (1..=64).collect();
        for bytes in 0..=64 {
            let mut to = [0u8; 80];
            // SAFETY: 64 readable bytes, 72 writable ones, different objects.
            unsafe { super::bytes(from.as_ptr(), to.as_mut_ptr().add(8), bytes) };
            assert_eq!(to[..8], [0; 8]);
            assert_eq!(to[8..8 + bytes], from[..bytes]);
            assert!(
                to[8 + bytes..].iter().all(|&b| b == 0),
                "nothing after {bytes} bytes is written"
            );
        }
    }
}
