//! Short copies: a message of a few words should not pay for a call to memcpy.

#![allow(unsafe_code)]

/// Longest copy that [`short`] takes: the payload of one cache line.
pub const SHORT_MAX_BYTES: usize = 40;

/// Copies `bytes` (at most [`SHORT_MAX_BYTES`]) with a few moves that may overlap each other.
///
/// # Safety
/// `from` is valid for reading and `to` for writing `bytes`; the two ranges do not overlap.
#[inline(always)]
pub unsafe fn short(from: *const u8, to: *mut u8, bytes: usize) {
    debug_assert!(bytes <= SHORT_MAX_BYTES);
    // SAFETY: each move lies within the first `bytes`: those that end at `bytes` begin at or after 0 because of the branch they stand in. A
    // value is read in full before it is written, and the ranges are disjoint.
    unsafe {
        if bytes >= 16 {
            let head = from.cast::<u128>().read_unaligned();
            let tail = from.add(bytes - 16).cast::<u128>().read_unaligned();
            if bytes > 32 {
                to.add(16).cast::<u128>().write_unaligned(from.add(16).cast::<u128>().read_unaligned());
            }
            to.cast::<u128>().write_unaligned(head);
            to.add(bytes - 16).cast::<u128>().write_unaligned(tail);
        } else if bytes >= 8 {
            let head = from.cast::<u64>().read_unaligned();
            let tail = from.add(bytes - 8).cast::<u64>().read_unaligned();
            to.cast::<u64>().write_unaligned(head);
            to.add(bytes - 8).cast::<u64>().write_unaligned(tail);
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

/// Tells the processor that the cache line at `line`, which may be anything, will be written soon.
#[inline(always)]
pub fn prefetch_for_write(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint, which reads and writes nothing and cannot fault.
    unsafe {
        std::arch::asm!("prefetchw [{0}]", in(reg) line, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Tells the processor that the cache line at `line`, which may be anything, will be read soon.
#[inline(always)]
pub fn prefetch_for_read(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint, which reads and writes nothing and cannot fault.
    unsafe {
        std::arch::asm!("prefetcht0 [{0}]", in(reg) line, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

/// Copies any number of bytes between disjoint ranges.
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
        unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_length_is_copied_to_the_byte() {
        let from: Vec<u8> = (1..=64).collect();
        for bytes in 0..=64 {
            let mut to = [0u8; 80];
            // SAFETY: 64 readable bytes, 72 writable ones, different objects.
            unsafe { super::bytes(from.as_ptr(), to.as_mut_ptr().add(8), bytes) };
            assert_eq!(to[..8], [0; 8]);
            assert_eq!(to[8..8 + bytes], from[..bytes]);
            assert!(to[8 + bytes..].iter().all(|&b| b == 0), "nothing behind {bytes} bytes is touched");
        }
    }
}
