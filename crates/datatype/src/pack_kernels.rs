//! The movers: the only code that copies between user memory and packed bytes.
//!
//! Two sinks for a walk: [`PackSink`] reads the places and writes a packed stream, [`UnpackSink`] reads a packed stream and writes the
//! places. Both take runs and strided groups; a strided group with a usual block length goes to a loop whose copy has a constant size,
//! so that it becomes plain loads and stores, and blocks of up to 64 bytes never call the C library. An array of structs moves field by
//! field in passes of a few elements, so that its fields get those loops too. (Where a receiver's map overlaps itself, which MPI forbids, the
//! order of the writes is therefore unspecified.)
//!
//! Holes are never touched, not even read: another thread may be writing its own column there.
//!
//! Invariants of both sinks, promised to their `unsafe` constructors and used by every block below:
//!
//! * **M1** every place (address, len) the sink is given is readable (PackSink) or writable (UnpackSink) user memory;
//! * **M2** the packed side has room for all bytes the walk visits, from `packed` on;
//! * **M3** user memory and packed bytes do not overlap.
//!
//! Addresses are `usize` because displacements may be absolute (`MPI_BOTTOM`); pointers are made of them with exposed provenance.
#![allow(unsafe_code)]

use std::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

use crate::plan::Block;
use crate::walk::Sink;

/// Reads the places, writes the packed stream.
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
        each_field(address, blocks, size, stride, count, |place, packed, len, elements| {
            let source = Side { at: with_exposed_provenance(place), stride };
            let target = Side { at: self.packed.wrapping_add(packed), stride: size as isize };
            // SAFETY: M1 for this field of every element, M2 for its place in every packed element, M3.
            unsafe { copy_blocks(source, target, len, elements) };
        });
        self.packed = self.packed.wrapping_add(size * count);
    }
}

/// Reads the packed stream, writes the places.
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

/// One pass over an array of structs: for how many elements every field is moved before the next elements' turn. At 64 elements of some
/// 64 bytes both sides stay in the first-level cache.
const PASS_ELEMENTS: usize = 64;

/// Cuts an array of structs into passes and each pass into fields: (place, packed displacement, block length, elements).
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
        each_field(address, blocks, size, stride, count, |place, packed, len, elements| {
            let source = Side { at: self.packed.wrapping_add(packed), stride: size as isize };
            let target = Side { at: with_exposed_provenance_mut(place), stride };
            // SAFETY: M2 for this field's place in every packed element, M1 for the field of every element, M3.
            unsafe { copy_blocks(source, target, len, elements) };
        });
        self.packed = self.packed.wrapping_add(size * count);
    }
}

/// Where blocks are on one side, and how far apart.
#[derive(Clone, Copy)]
struct Side<P> {
    at: P,
    stride: isize,
}

/// `count` blocks from one side to the other.
///
/// # Safety
/// Every block is readable on the one side, writable on the other, and the sides do not overlap.
unsafe fn copy_blocks(from: Side<*const u8>, to: Side<*mut u8>, block: usize, count: usize) {
    // SAFETY: the caller's promise, handed on unchanged in each arm; the arm's constant is `block`.
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

/// Blocks of a length the compiler knows. The packed side's stride is that length, which it is told too.
///
/// # Safety
/// As for [`copy_blocks`].
#[inline]
unsafe fn copy_constant<const N: usize>(from: Side<*const u8>, to: Side<*mut u8>, count: usize) {
    let (packed, paired) = (N as isize, 2 * N as isize);
    // SAFETY: the caller's promise; the arms only tell the compiler strides that it would otherwise read from memory.
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

/// A copy that is usually short: two overlapping moves of a constant size cover every length between them, without a loop and without
/// a call.
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

/// The first and the last `N` bytes, which cover all when `N <= len <= 2 N`.
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
