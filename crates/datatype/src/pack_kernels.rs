//! Pack and unpack kernels: the only code that copies between user memory and packed bytes.
//!
//! There are two sinks for a walk: [`PackSink`] reads user memory and writes a packed stream,
//! [`UnpackSink`] reads a packed stream and writes user memory. Both take runs and strided blocks.
//! Strided blocks of a common length go to a loop whose copy has a constant size, so that it
//! compiles to plain loads and stores; blocks of up to 64 bytes never call the C library. An array
//! of structs is copied field by field in passes of a few elements, so that its fields use those
//! loops, too. If the map of a receive buffer overlaps itself, which MPI forbids, the order of the
//! writes is therefore unspecified.
//!
//! The kernels neither read nor write holes, because another thread may be writing its own column
//! there.
//!
//! Invariants of both sinks, promised to their `unsafe` constructors and used by every block below:
//!
//! * **M1** every range (address, length) that a sink is given is readable (`PackSink`) or writable
//!   (`UnpackSink`) user memory;
//! * **M2** the packed side has space for all bytes that the walk visits, from `packed` on;
//! * **M3** user memory and packed bytes do not overlap.
//!
//! Addresses are `usize` because displacements may be absolute (`MPI_BOTTOM`); the kernels make
//! pointers of them with exposed provenance.
#![allow(unsafe_code)]

use std::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

use crate::plan::Block;
use crate::walk::Sink;

/// Reads user memory and writes the packed stream.
pub(crate) struct PackSink {
    packed: *mut u8,
}

impl PackSink {
    /// # Safety
    /// M1, M2 and M3 hold for the walk this sink is given to.
    pub unsafe fn new(packed: *mut u8) -> Self {
        Self { packed }
    }
}

impl Sink for PackSink {
    #[inline]
    fn run(&mut self, address: usize, len: usize) {
        // SAFETY: M1 (source), M2 (destination), M3 (disjoint).
        unsafe { copy_short(with_exposed_provenance(address), self.packed, len) };
        self.packed = self.packed.wrapping_add(len);
    }

    #[inline]
    fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize) {
        let source = with_exposed_provenance(address);
        // SAFETY: M1 for every block of the source, M2 for `count * block` packed bytes, M3.
        unsafe {
            copy_blocks(
                Side { at: source, stride },
                Side { at: self.packed, stride: block as isize },
                block,
                count,
            )
        };
        self.packed = self.packed.wrapping_add(block * count);
    }

    fn structs(
        &mut self,
        address: usize,
        blocks: &[Block],
        size: usize,
        stride: isize,
        count: usize,
    ) {
        each_field(address, blocks, size, stride, count, |address, packed, len, elements| {
            let source = Side { at: with_exposed_provenance(address), stride };
            let target = Side { at: self.packed.wrapping_add(packed), stride: size as isize };
            // SAFETY: M1 for this field of every element, M2 for its bytes in every packed element,
            // M3.
            unsafe { copy_blocks(source, target, len, elements) };
        });
        self.packed = self.packed.wrapping_add(size * count);
    }
}

/// Reads the packed stream and writes user memory.
pub(crate) struct UnpackSink {
    packed: *const u8,
}

impl UnpackSink {
    /// # Safety
    /// M1, M2 and M3 hold for the walk this sink is given to.
    pub unsafe fn new(packed: *const u8) -> Self {
        Self { packed }
    }
}

/// Elements of an array of structs in one pass: each field is copied for all of them before the
/// next field. With 64 elements of some 64 bytes both sides stay in the first-level cache.
const PASS_ELEMENTS: usize = 64;

/// Divides an array of structs into passes and each pass into fields. Calls `copy` with the address
/// of a field, its displacement in the packed stream, its length and the number of elements.
#[inline]
fn each_field(
    address: usize,
    blocks: &[Block],
    size: usize,
    stride: isize,
    count: usize,
    mut copy: impl FnMut(usize, usize, usize, usize),
) {
    for first in (0..count).step_by(PASS_ELEMENTS) {
        let elements = PASS_ELEMENTS.min(count - first);
        let origin = address.wrapping_add_signed(stride.wrapping_mul(first as isize));
        let mut start = 0;
        for block in blocks {
            copy(
                origin.wrapping_add_signed(block.at),
                first * size + start,
                block.end - start,
                elements,
            );
            start = block.end;
        }
    }
}

impl Sink for UnpackSink {
    #[inline]
    fn run(&mut self, address: usize, len: usize) {
        // SAFETY: M2 (source), M1 (destination), M3 (disjoint).
        unsafe { copy_short(self.packed, with_exposed_provenance_mut(address), len) };
        self.packed = self.packed.wrapping_add(len);
    }

    #[inline]
    fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize) {
        let target = with_exposed_provenance_mut(address);
        // SAFETY: M2 for `count * block` packed bytes, M1 for every block of the target, M3.
        unsafe {
            copy_blocks(
                Side { at: self.packed, stride: block as isize },
                Side { at: target, stride },
                block,
                count,
            )
        };
        self.packed = self.packed.wrapping_add(block * count);
    }

    fn structs(
        &mut self,
        address: usize,
        blocks: &[Block],
        size: usize,
        stride: isize,
        count: usize,
    ) {
        each_field(address, blocks, size, stride, count, |address, packed, len, elements| {
            let source = Side { at: self.packed.wrapping_add(packed), stride: size as isize };
            let target = Side { at: with_exposed_provenance_mut(address), stride };
            // SAFETY: M2 for this field's bytes in every packed element, M1 for the field of every
            // element, M3.
            unsafe { copy_blocks(source, target, len, elements) };
        });
        self.packed = self.packed.wrapping_add(size * count);
    }
}

/// Address of the first block on one side, and the distance from block to block.
#[derive(Clone, Copy)]
struct Side<P> {
    at: P,
    stride: isize,
}

/// Copies `count` blocks from one side to the other.
///
/// # Safety
/// Every block is readable on the one side and writable on the other, and the sides do not overlap.
unsafe fn copy_blocks(from: Side<*const u8>, to: Side<*mut u8>, block: usize, count: usize) {
    // SAFETY: the caller's promise holds in each arm unchanged; the arm's constant is `block`.
    unsafe {
        match block {
            1 => copy_constant::<1>(from, to, count),
            2 => copy_constant::<2>(from, to, count),
            4 => copy_constant::<4>(from, to, count),
            8 => copy_constant::<8>(from, to, count),
            12 => copy_constant::<12>(from, to, count),
            16 => copy_constant::<16>(from, to, count),
            24 => copy_constant::<24>(from, to, count),
            32 => copy_constant::<32>(from, to, count),
            64 => copy_constant::<64>(from, to, count),
            _ => copy_any(from, to, block, count),
        }
    }
}

/// Copies blocks of a length that the compiler knows. Tells it the stride of the packed side, too.
///
/// # Safety
/// As for [`copy_blocks`].
#[inline]
unsafe fn copy_constant<const N: usize>(from: Side<*const u8>, to: Side<*mut u8>, count: usize) {
    let (packed, paired) = (N as isize, 2 * N as isize);
    // SAFETY: the caller's promise; the arms only give the compiler constants for strides that it
    // would otherwise read from memory.
    unsafe {
        match (from.stride, to.stride) {
            (s, t) if s == paired && t == packed => {
                copy_loop::<N>(from.at, paired, to.at, packed, count)
            }
            (s, t) if s == packed && t == paired => {
                copy_loop::<N>(from.at, packed, to.at, paired, count)
            }
            (s, t) if t == packed => copy_loop::<N>(from.at, s, to.at, packed, count),
            (s, t) => copy_loop::<N>(from.at, s, to.at, t, count),
        }
    }
}

/// Copies blocks of `N` bytes, one after the other.
///
/// # Safety
/// As for [`copy_blocks`].
#[inline(always)]
unsafe fn copy_loop<const N: usize>(
    from: *const u8,
    from_stride: isize,
    to: *mut u8,
    to_stride: isize,
    count: usize,
) {
    for index in 0..count as isize {
        let (source, target) =
            (from.wrapping_offset(from_stride * index), to.wrapping_offset(to_stride * index));
        // SAFETY: the caller's promise for block `index`.
        unsafe { ptr::copy_nonoverlapping(source, target, N) };
    }
}

/// Copies blocks of any length, one after the other.
///
/// # Safety
/// As for [`copy_blocks`].
unsafe fn copy_any(from: Side<*const u8>, to: Side<*mut u8>, block: usize, count: usize) {
    for index in 0..count as isize {
        let source = from.at.wrapping_offset(from.stride.wrapping_mul(index));
        let target = to.at.wrapping_offset(to.stride.wrapping_mul(index));
        // SAFETY: the caller's promise for block `index`.
        unsafe { copy_short(source, target, block) };
    }
}

/// Copies bytes that are usually few: two overlapping moves of a constant size cover every length
/// between that size and twice that size, without a loop and without a call.
///
/// # Safety
/// `len` bytes are readable at `from` and writable at `to`, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise; each arm covers exactly `len` bytes.
    unsafe {
        match len {
            0 => {}
            1 => ptr::copy_nonoverlapping(from, to, 1),
            2..4 => copy_ends::<2>(from, to, len),
            4..8 => copy_ends::<4>(from, to, len),
            8..16 => copy_ends::<8>(from, to, len),
            16..=32 => copy_ends::<16>(from, to, len),
            33..=64 => copy_ends::<32>(from, to, len),
            _ => nemesis_shm::copy::bytes(from, to, len),
        }
    }
}

/// Copies the first and the last `N` bytes, which are all bytes when `N <= len <= 2 N`.
///
/// # Safety
/// As for [`copy_short`], and `N <= len`.
#[inline(always)]
unsafe fn copy_ends<const N: usize>(from: *const u8, to: *mut u8, len: usize) {
    let back = len - N;
    // SAFETY: `N <= len`, the head lies inside.
    unsafe { ptr::copy_nonoverlapping(from, to, N) };
    // SAFETY: `back + N == len`, the tail lies inside.
    unsafe { ptr::copy_nonoverlapping(from.wrapping_add(back), to.wrapping_add(back), N) };
}
