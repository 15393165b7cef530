//! Blocks of memory that the C library has allocated, and their lengths.
//!
//! `malloc_usable_size` is defined for the start of a block only, and nobody tells whether an
//! address is one. The GNU C library keeps its blocks one behind the other, each behind a word with
//! its length, from the start of the heap to its end; long ones lie in mappings of their own. So an
//! address is the start of a block if a walk from the start of the heap, which must arrive at the
//! heap's end, comes by. In a heap of another allocator no walk arrives.

use crate::cma;
use std::sync::{Mutex, PoisonError};

/// The words before a block: the length of the block before it, and its own with three flags.
const HEADER: usize = 16;
/// The shortest block, with its header.
const SHORTEST: usize = 32;
/// The flag of a block in a mapping of its own, and all flags.
const MAPPED: usize = 2;
const FLAGS: usize = 7;
const PAGE: usize = 4096;
/// Walks over the heap at most: a walk of a large one takes a millisecond.
const WALKS_MAX: u32 = 1000;
/// Blocks that a walk passes at most.
const WALK_MAX: usize = 1 << 20;
/// Words that a walk reads with one call of the kernel.
const READ_AT_ONCE: usize = 64 << 10;

/// Returns how many bytes the block that begins at `address` has room for, if that is less than
/// `wanted`. `None` if there is room, if no block begins there, or if it cannot be told.
///
/// Reads the memory through the kernel, so that no address does harm.
#[cfg(target_env = "gnu")]
pub fn shorter_than(address: usize, wanted: usize) -> Option<usize> {
    let header = address.checked_sub(HEADER).filter(|at| at.is_multiple_of(HEADER))?;
    let [before, word] = words_at(header)?;
    let (bytes, flags) = (word & !FLAGS, word & FLAGS);
    if flags == MAPPED {
        let room = bytes.checked_sub(HEADER)?;
        let is_alone = header.is_multiple_of(PAGE) && bytes.is_multiple_of(PAGE) && before == 0;
        return (is_alone && room < wanted).then_some(room);
    }
    // The block has the first word of the next one, too.
    let room = bytes.checked_sub(HEADER - size_of::<usize>())?;
    if flags & !1 != 0 || bytes < SHORTEST || room >= wanted {
        return None;
    }
    static WALKS: Mutex<u32> = Mutex::new(0);
    {
        // A number is whole, whatever has happened.
        let mut walks = WALKS.lock().unwrap_or_else(PoisonError::into_inner);
        *walks += 1;
        if *walks > WALKS_MAX {
            return None;
        }
    }
    let mut window = vec![0_u8; READ_AT_ONCE];
    // To find where the heap ends takes memory, too, which may move the end.
    let mut place = heap()?;
    for _ in 0..3 {
        let before = std::mem::replace(&mut place, heap()?);
        if before == place {
            break;
        }
    }
    let heap = place;
    (heap.contains(&header) && is_block(heap, header, &mut window)).then_some(room)
}

/// Returns `None`: only the heap of the GNU C library is known.
#[cfg(not(target_env = "gnu"))]
pub fn shorter_than(_address: usize, _wanted: usize) -> Option<usize> {
    None
}

/// Reads two words of this process.
fn words_at(address: usize) -> Option<[usize; 2]> {
    let mut bytes = [0; HEADER];
    cma::read_exact(rustix::process::getpid().as_raw_pid(), address as u64, &mut bytes).ok()?;
    let [before, own] = [0, 8].map(|at| bytes[at..at + 8].try_into().map(usize::from_ne_bytes));
    Some([before.ok()?, own.ok()?])
}

/// Returns where the heap of this process lies.
fn heap() -> Option<std::ops::Range<usize>> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| line.ends_with("[heap]"))?;
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    let number = |word| usize::from_str_radix(word, 16).ok();
    Some(number(start)?..number(end)?)
}

/// Returns whether the blocks of a heap, of which one has its header at `header`, fill it. `window`
/// takes what is read of the heap, which does not change meanwhile.
fn is_block(heap: std::ops::Range<usize>, header: usize, window: &mut [u8]) -> bool {
    let process = rustix::process::getpid().as_raw_pid();
    let mut read = heap.start..heap.start;
    let (mut at, mut is_passed) = (heap.start, false);
    for _ in 0..WALK_MAX {
        is_passed |= at == header;
        if at == heap.end {
            return is_passed;
        }
        if heap.end.saturating_sub(at) < HEADER {
            return false;
        }
        if at < read.start || at + HEADER > read.end {
            let bytes = window.len().min(heap.end - at);
            if cma::read_exact(process, at as u64, &mut window[..bytes]).is_err() {
                return false;
            }
            read = at..at + bytes;
        }
        let own = &window[at - read.start + 8..][..8];
        let bytes = own.try_into().map_or(0, usize::from_ne_bytes) & !FLAGS;
        // The rest of the heap, its last block, may be shorter.
        if bytes < HEADER || !bytes.is_multiple_of(HEADER) {
            return false;
        }
        at = at.saturating_add(bytes);
    }
    false
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;

    /// A block of the C library; this program may have another allocator for Rust.
    #[allow(unsafe_code)]
    fn block(bytes: usize) -> usize {
        // SAFETY: it is never freed and only its address is used.
        unsafe { libc::malloc(bytes) }.expose_provenance()
    }

    #[test]
    fn blocks_of_all_lengths_are_known_by_their_first_byte() {
        for bytes in [40, 1000, 100_000, 1 << 20] {
            let address = block(bytes);
            // Threads other than the first may have heaps of their own, of which nothing is told.
            let Some(room) = shorter_than(address, bytes + PAGE + 64) else {
                assert!(bytes < 1 << 20, "long blocks lie in mappings of their own");
                continue;
            };
            assert!((bytes..bytes + PAGE + 64).contains(&room), "{bytes}: {room}");
            assert_eq!(shorter_than(address, bytes), None, "it has room");
        }
    }

    #[test]
    fn other_addresses_are_no_blocks() {
        // What looks like the header of a short block, inside a block.
        let numbers = std::hint::black_box(vec![33_usize; 1000]);
        for number in &numbers {
            assert_eq!(shorter_than(std::ptr::from_ref(number).addr(), 1 << 20), None);
        }
        let local = std::hint::black_box([33_usize; 8]);
        assert_eq!(shorter_than(std::ptr::from_ref(&local[4]).addr(), 1 << 20), None);
        for address in [0, 8, 16, 4096, usize::MAX & !15] {
            assert_eq!(shorter_than(address, 1 << 20), None);
        }
    }

    #[test]
    fn a_walk_must_reach_the_end() {
        // Three blocks, of which the last is the rest. The kernel reads them.
        let mut heap = [0_usize; 16];
        (heap[1], heap[5], heap[11]) = (32 | 1, 48 | 1, 48 | 1);
        let start = std::hint::black_box(&mut heap).as_ptr().expose_provenance();
        let whole = start..start + 128;
        for (header, is_one) in [(0, true), (32, true), (80, true), (48, false)] {
            assert_eq!(is_block(whole.clone(), start + header, &mut [0; 48]), is_one, "{header}");
        }
        std::hint::black_box(&mut heap)[5] = 64 | 1;
        assert!(!is_block(whole.clone(), start, &mut [0; 48]), "the walk ends nowhere");
        std::hint::black_box(&mut heap)[5] = 0;
        assert!(!is_block(whole, start, &mut [0; 48]), "a block without length");
    }
}
