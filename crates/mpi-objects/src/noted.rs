//! The last buffers that calls of the program were given, for the message about a fault in one.
//!
//! Every call that does not take a fast path notes its buffers, which costs a store into one cache
//! line of this process. As many are kept as fit into it: those of the last call, and one before,
//! for the requests that a wait completes. A buffer is named only if the address of the fault lies
//! in it. That of an earlier call can be named in place of a buffer that was never noted; the more
//! are kept, the likelier.

use nemesis_sync::{AtomicUsize, Ordering};

/// Number of buffers that are kept.
const KEPT: usize = 3;

/// The buffers, and the number of those that were noted, all in one cache line.
#[repr(align(64))]
struct Noted {
    next: AtomicUsize,
    /// First byte and length of each buffer.
    buffers: [[AtomicUsize; 2]; KEPT],
}

const _: () = assert!(size_of::<Noted>() == 64);

static NOTED: Noted = Noted {
    next: AtomicUsize::new(0),
    buffers: [const { [const { AtomicUsize::new(0) }; 2] }; KEPT],
};

/// Notes a buffer.
#[inline]
pub fn note(address: usize, bytes: usize) {
    // Relaxed, and in several steps: a buffer that another thread overwrites meanwhile is of no use
    // to the message, and a wrong one does not contain the address.
    let next = NOTED.next.load(Ordering::Relaxed);
    NOTED.next.store(next.wrapping_add(1), Ordering::Relaxed);
    let [first, length] = &NOTED.buffers[next % KEPT];
    first.store(address, Ordering::Relaxed);
    length.store(bytes, Ordering::Relaxed);
}

/// Returns the first byte and the length of the buffer that was noted last of those that contain an
/// address. Safe in a signal handler.
pub fn over(address: usize) -> Option<(usize, usize)> {
    // Relaxed: see `note`.
    let next = NOTED.next.load(Ordering::Relaxed);
    let buffers = (1..=KEPT).map(|back| &NOTED.buffers[next.wrapping_sub(back) % KEPT]);
    let mut buffers =
        buffers.map(|buffer| buffer.each_ref().map(|word| word.load(Ordering::Relaxed)));
    buffers.find_map(|[first, length]| {
        (address >= first && address - first < length).then_some((first, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_buffer_that_contains_an_address_is_found() {
        note(0x1000, 16);
        note(0x1008, 16);
        assert_eq!(over(0x1008), Some((0x1008, 16)));
        assert_eq!(over(0x1000), Some((0x1000, 16)));
        assert_eq!(over(0x1018), None);
        (0..KEPT).for_each(|_| note(0, 0));
        assert_eq!(over(0x1008), None);
        assert_eq!(over(0), None);
    }
}
