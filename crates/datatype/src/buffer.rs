//! Buffers: (address, count, type), the form in which user memory enters the safe rooms.
//!
//! The C surface makes a [`Buffer`] with an `unsafe` constructor, passing on what the MPI caller promised; from there on packing,
//! unpacking and copying are safe calls, because the movers touch exactly the bytes the promise covers:
//!
//! * **B1** (promised at construction) every byte of the type maps of `count` elements at `address` is readable, and writable if the
//!   buffer is written through, until the operation it was made for is complete;
//! * **B2** nobody else touches those bytes in a conflicting way meanwhile: MPI forbids it to the user (MPI 5.0 §3.7.2), and the engine
//!   moves data under its one guard.
//!
//! A buffer of a predefined type is four words and copies as cheaply; one of a derived type shares the type's allocation. Scratch
//! buffers (collectives need them) own their memory and keep it until the last clone is gone.
//!
//! The *packed stream* of a buffer is its data in type-map order without the holes, `bytes()` long. `pack_at` and `unpack_at` move any
//! piece of it; [`Packer`] and [`Unpacker`] are those with a position that moves along.
#![allow(unsafe_code)]

use nemesis_netmod::{Region, RegionMut};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::{NonNull, with_exposed_provenance, with_exposed_provenance_mut};
use std::slice;
use std::sync::Arc;

use crate::datatype::Datatype;
use crate::error::{TypeError, TypeErrorKind};
use crate::pack_kernels::{PackSink, UnpackSink};
use crate::walk::Copies;

/// Bytes one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    pub address: usize,
    pub len: usize,
}

/// What a local copy did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Bytes that arrived.
    pub bytes: usize,
    /// The source had more than the target has capacity for.
    pub truncated: bool,
}

/// `count` elements of a datatype at an address.
#[derive(Clone, Debug)]
pub struct Buffer {
    address: usize,
    count: usize,
    datatype: Datatype,
    /// Keeps the memory of a scratch buffer.
    _owner: Option<Arc<Scratch>>,
}

impl Buffer {
    /// A buffer of the user's. A negative `count` is taken as zero.
    ///
    /// # Safety
    /// B1 and B2: the memory of (address, count, datatype) is valid as MPI demands of the caller, as long as the buffer or a clone of it
    /// is used. `address` may be null with a datatype of absolute addresses (`MPI_BOTTOM`).
    #[inline]
    pub unsafe fn new(address: *const c_void, count: i64, datatype: &Datatype) -> Self {
        Self {
            address: address.expose_provenance(),
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            _owner: None,
        }
    }

    /// The buffer without bytes.
    pub fn empty() -> Self {
        Self {
            address: 0,
            count: 0,
            datatype: crate::basic::all_predefined()[0].clone(),
            _owner: None,
        }
    }

    /// Zeroed memory for `count` elements, freed with the last clone.
    pub fn scratch(count: i64, datatype: &Datatype) -> Result<Self, TypeError> {
        let (low, high) = datatype.span(count)?;
        let memory = Scratch::new((high - low) as usize)?;
        Ok(Self {
            address: memory.address.expose_provenance().wrapping_sub(low as usize),
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            _owner: Some(Arc::new(memory)),
        })
    }

    /// So many zeroed bytes, of which the kernel gives the pages when they are touched: the allocator does that where no alignment is asked for.
    pub(crate) fn untouched(bytes: usize) -> Result<Self, TypeError> {
        let memory = Scratch::aligned(bytes, SHORT_SCRATCH_ALIGN)?;
        let address = memory.address.expose_provenance();
        Ok(Self { address, count: bytes, datatype: byte().clone(), _owner: Some(Arc::new(memory)) })
    }

    /// The address given at construction.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The type of an element.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Length of the packed stream in bytes (at most `usize::MAX`, which no memory has).
    #[inline]
    pub fn bytes(&self) -> usize {
        self.copies().size()
    }

    /// The same memory, seen as elements `first .. first + count` of this buffer.
    ///
    /// # Panics
    /// If that goes past the end.
    #[must_use]
    pub fn part(&self, first: usize, count: usize) -> Self {
        assert!(
            first.checked_add(count).is_some_and(|end| end <= self.count),
            "a part lies inside its buffer"
        );
        let address = self
            .address
            .wrapping_add_signed((self.datatype.extent() as isize).wrapping_mul(first as isize));
        Self { address, count, ..self.clone() }
    }

    /// The one run of bytes the buffer is, if it has no holes and no order of its own.
    #[inline]
    pub fn contiguous(&self) -> Option<ByteRange> {
        let copies = self.copies();
        if copies.each.size == 0 || self.count == 0 {
            return Some(ByteRange { address: self.address, len: 0 });
        }
        let (at, len) = copies.as_run()?;
        Some(ByteRange { address: self.address.wrapping_add_signed(at), len })
    }

    /// The same memory as elements of `MPI_BYTE`, if it is one run of bytes.
    pub fn flattened(&self) -> Option<Self> {
        let range = self.contiguous()?;
        Some(Self {
            address: range.address,
            count: range.len,
            datatype: byte().clone(),
            _owner: self._owner.clone(),
        })
    }

    /// The bytes of a dense buffer, to be read in place.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let range = self.contiguous()?;
        if range.len == 0 {
            return Some(&[]);
        }
        // SAFETY: B1: the run is readable; B2: nobody writes it while it is being sent.
        Some(unsafe { slice::from_raw_parts(with_exposed_provenance(range.address), range.len) })
    }

    /// The bytes of a dense buffer, to be written in place.
    #[inline]
    pub fn as_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let range = self.contiguous()?;
        if range.len == 0 {
            return Some(&mut []);
        }
        // SAFETY: B1: the run is writable; B2: nobody else touches it while it is being received into.
        Some(unsafe {
            slice::from_raw_parts_mut(with_exposed_provenance_mut(range.address), range.len)
        })
    }

    /// Bytes `offset .. offset + length` of a dense buffer, for a network to send from where they lie. Whoever takes it keeps the buffer, or a
    /// clone of it, until the send is completed, as an operation's request does.
    pub fn region(&self, offset: usize, length: usize) -> Option<Region> {
        let address = self.within(offset, length)?;
        // SAFETY: the bytes lie in the buffer, whose memory is valid (B1) and not changed by the caller of MPI (B2) until the operation ends.
        Some(unsafe { Region::new(address, length) })
    }

    /// The same bytes, for a network to receive into.
    pub fn region_mut(&self, offset: usize, length: usize) -> Option<RegionMut> {
        let address = self.within(offset, length)?;
        // SAFETY: as in `region`, and nobody else uses the memory of a receive (B2).
        Some(unsafe { RegionMut::new(address, length) })
    }

    fn within(&self, offset: usize, length: usize) -> Option<NonNull<u8>> {
        let range = self.contiguous()?;
        let fits = offset.checked_add(length).is_some_and(|end| end <= range.len);
        NonNull::new(with_exposed_provenance_mut(range.address.checked_add(offset)?))
            .filter(|_| fits)
    }

    /// Packs from byte `offset` of the packed stream into `out`; returns how many bytes there were, up to `out.len()`.
    #[inline]
    pub fn pack_at(&self, offset: usize, out: &mut [u8]) -> usize {
        let len = out.len().min(self.bytes().saturating_sub(offset));
        if len == 0 {
            return 0;
        }
        if let Some((at, _)) = self.copies().as_run() {
            let source = with_exposed_provenance::<u8>(
                self.address.wrapping_add_signed(at).wrapping_add(offset),
            );
            // SAFETY: B1: the run reaches at least to `offset + len`; `out` is ours alone, so they do not overlap.
            unsafe { nemesis_shm::copy::bytes(source, out.as_mut_ptr(), len) };
            return len;
        }
        // SAFETY: M1 by B1 and P2; M2: `len <= out.len()`; M3: `out` is exclusively borrowed.
        let mut sink = unsafe { PackSink::new(out.as_mut_ptr()) };
        self.copies().visit(self.address, offset, offset + len, &mut sink);
        len
    }

    /// Unpacks `bytes`, which are the packed stream from byte `offset` on; returns how many had capacity.
    #[inline]
    pub fn unpack_at(&self, offset: usize, bytes: &[u8]) -> usize {
        let len = bytes.len().min(self.bytes().saturating_sub(offset));
        if len == 0 {
            return 0;
        }
        if let Some((at, _)) = self.copies().as_run() {
            let target = with_exposed_provenance_mut::<u8>(
                self.address.wrapping_add_signed(at).wrapping_add(offset),
            );
            // SAFETY: B1: the run reaches at least to `offset + len`; B2: nobody holds a reference to it, so `bytes` is elsewhere.
            unsafe { nemesis_shm::copy::bytes(bytes.as_ptr(), target, len) };
            return len;
        }
        // SAFETY: M1 by B1 and P2; M2: `len <= bytes.len()`; M3 by B2.
        let mut sink = unsafe { UnpackSink::new(bytes.as_ptr()) };
        self.copies().visit(self.address, offset, offset + len, &mut sink);
        len
    }

    /// The places of the packed stream from byte `from` on, one run after the other, for calls that take address vectors.
    pub fn runs(&self, from: usize) -> Runs<'_> {
        Runs { buffer: self, position: from, bytes: self.bytes() }
    }

    #[inline]
    fn copies(&self) -> Copies<'_> {
        Copies {
            each: self.datatype.plan(),
            count: self.count,
            stride: self.datatype.facts().extent() as isize,
        }
    }
}

fn byte() -> &'static Datatype {
    /// `MPI_BYTE` in the standard ABI.
    const BYTE: usize = 0x247;
    Datatype::predefined(BYTE).expect("MPI_BYTE is predefined")
}

/// Copies the data of `source` into `target`, whatever their layouts: a message to oneself, a collective's local part.
pub fn copy(source: &Buffer, target: &Buffer) -> Copied {
    let (available, capacity) = (source.bytes(), target.bytes());
    let bytes = available.min(capacity);
    let copied = Copied { bytes, truncated: available > capacity };
    if bytes == 0 {
        return copied;
    }
    match (source.contiguous(), target.contiguous()) {
        (Some(from), Some(to)) => {
            let (from, to) = (
                with_exposed_provenance::<u8>(from.address),
                with_exposed_provenance_mut::<u8>(to.address),
            );
            // SAFETY: B1 of both; they may overlap.
            unsafe { nemesis_shm::copy::overlapping(from, to, bytes) };
        }
        (Some(from), None) => {
            // SAFETY: M1 by B1 and P2 of the target, M2 by B1 of the source, M3 by B2.
            let mut sink = unsafe { UnpackSink::new(with_exposed_provenance(from.address)) };
            target.copies().visit(target.address, 0, bytes, &mut sink);
        }
        (None, Some(to)) => {
            // SAFETY: M1 by B1 and P2 of the source, M2 by B1 of the target, M3 by B2.
            let mut sink = unsafe { PackSink::new(with_exposed_provenance_mut(to.address)) };
            source.copies().visit(source.address, 0, bytes, &mut sink);
        }
        (None, None) => copy_through_staging(source, target, bytes),
    }
    copied
}

/// Two layouts with holes meet in a staging that stays in the first-level cache.
fn copy_through_staging(source: &Buffer, target: &Buffer, bytes: usize) {
    const STAGING_BYTES: usize = 8192;
    let mut staging = [0; STAGING_BYTES];
    let mut done = 0;
    while done < bytes {
        let len = STAGING_BYTES.min(bytes - done);
        source.pack_at(done, &mut staging[..len]);
        target.unpack_at(done, &staging[..len]);
        done += len;
    }
}

/// The runs of a packed stream; see [`Buffer::runs`].
#[derive(Debug)]
pub struct Runs<'a> {
    buffer: &'a Buffer,
    position: usize,
    bytes: usize,
}

impl Iterator for Runs<'_> {
    type Item = ByteRange;

    fn next(&mut self) -> Option<ByteRange> {
        if self.position >= self.bytes {
            return None;
        }
        let (address, len) = self.buffer.copies().locate(self.buffer.address, self.position);
        self.position += len;
        Some(ByteRange { address, len })
    }
}

/// A packed stream being read, at a position.
#[derive(Clone, Debug)]
pub struct Packer {
    buffer: Buffer,
    position: usize,
}

impl Packer {
    /// At the beginning.
    pub fn new(buffer: Buffer) -> Self {
        Self { buffer, position: 0 }
    }

    /// Packs the next bytes into `out` and moves past them; fewer than `out.len()` only at the end.
    #[inline]
    pub fn pack_into(&mut self, out: &mut [u8]) -> usize {
        let len = self.buffer.pack_at(self.position, out);
        self.position += len;
        len
    }

    /// Goes to a byte of the packed stream.
    pub fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The next byte to be packed.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes still to come.
    pub fn remaining(&self) -> usize {
        self.buffer.bytes().saturating_sub(self.position)
    }

    /// What is being packed.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

/// A packed stream being written, at a position.
#[derive(Clone, Debug)]
pub struct Unpacker {
    buffer: Buffer,
    position: usize,
}

impl Unpacker {
    /// At the beginning.
    pub fn new(buffer: Buffer) -> Self {
        Self { buffer, position: 0 }
    }

    /// Unpacks the next bytes and moves past them; fewer than `bytes.len()` had capacity if the buffer is full.
    #[inline]
    pub fn unpack_from(&mut self, bytes: &[u8]) -> usize {
        let len = self.buffer.unpack_at(self.position, bytes);
        self.position += len;
        len
    }

    /// Goes to a byte of the packed stream.
    pub fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The next byte to be unpacked.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes for which there is capacity.
    pub fn remaining(&self) -> usize {
        self.buffer.bytes().saturating_sub(self.position)
    }

    /// What is being filled.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

/// Memory of our own.
#[derive(Debug)]
struct Scratch {
    address: *mut u8,
    layout: Layout,
}

/// A cache line, where there is more than one of them.
const SCRATCH_ALIGN: usize = 64;
/// Enough for every basic type, and what the allocator gives without looking for it.
const SHORT_SCRATCH_ALIGN: usize = 16;
const SHORT_SCRATCH_MAX_BYTES: usize = 256;

impl Scratch {
    fn new(bytes: usize) -> Result<Self, TypeError> {
        Self::aligned(
            bytes,
            if bytes <= SHORT_SCRATCH_MAX_BYTES { SHORT_SCRATCH_ALIGN } else { SCRATCH_ALIGN },
        )
    }

    fn aligned(bytes: usize, align: usize) -> Result<Self, TypeError> {
        let refusal = || {
            TypeError::new(
                TypeErrorKind::NoMemory,
                format!("no memory for a buffer of {bytes} bytes"),
            )
        };
        let layout = Layout::from_size_align(bytes.max(1), align).map_err(|_| refusal())?;
        // SAFETY: the layout is not empty.
        let address = unsafe { alloc_zeroed(layout) };
        if address.is_null() {
            return Err(refusal());
        }
        Ok(Self { address, layout })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: `address` came from `alloc_zeroed` with this layout, and this is its one owner.
        unsafe { dealloc(self.address, self.layout) };
    }
}

// SAFETY: the memory is owned, the pointer is not tied to a thread.
unsafe impl Send for Scratch {}
// SAFETY: the pointer is only read; access to the memory behind it is ruled by B2.
unsafe impl Sync for Scratch {}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: usize = 0x209;
    const SHORT_INT: usize = 0x22c;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("a predefined type")
    }

    fn buffer_of<T>(memory: &mut [T], count: i64, datatype: &Datatype) -> Buffer {
        let span = datatype.span(count).expect("fits");
        assert!(span.0 >= 0 && span.1 as usize <= size_of_val(memory));
        // SAFETY: B1 by the assertion; B2: tests use one buffer at a time.
        unsafe { Buffer::new(memory.as_mut_ptr().cast(), count, datatype) }
    }

    #[test]
    fn ints_are_one_run() {
        let mut memory = [1_i32, 2, 3];
        let buffer = buffer_of(&mut memory, 3, named(INT));
        assert_eq!(buffer.bytes(), 12);
        assert_eq!(buffer.contiguous().map(|range| range.len), Some(12));
        assert_eq!(buffer.as_bytes().map(<[u8]>::len), Some(12));
        let mut out = [0; 16];
        assert_eq!(buffer.pack_at(4, &mut out), 8);
        assert_eq!(out[..8], [2, 0, 0, 0, 3, 0, 0, 0]);
        assert_eq!(buffer.unpack_at(8, &[9, 0, 0, 0, 9]), 4);
        assert_eq!(memory, [1, 2, 9]);
    }

    #[test]
    fn a_column_stops_and_goes_on_inside_an_element() {
        let mut matrix: Vec<i32> = (0..16).collect();
        let column = Datatype::vector(4, 1, 4, named(INT)).expect("valid");
        column.commit();
        let buffer = buffer_of(&mut matrix, 1, &column);
        assert_eq!(buffer.contiguous(), None);
        assert_eq!(buffer.runs(2).map(|run| run.len).collect::<Vec<_>>(), [2, 4, 4, 4]);
        let (mut packer, mut packed) = (Packer::new(buffer), Vec::new());
        let mut piece = [0; 3];
        loop {
            let len = packer.pack_into(&mut piece);
            packed.extend_from_slice(&piece[..len]);
            if len < piece.len() {
                break;
            }
        }
        assert_eq!(packed, [0_i32, 4, 8, 12].map(i32::to_le_bytes).concat());
    }

    #[test]
    fn the_hole_of_a_pair_is_left_alone() {
        let mut pairs = [0xff_u8; 16];
        let buffer = buffer_of(&mut pairs, 2, named(SHORT_INT));
        assert_eq!(buffer.bytes(), 12);
        assert_eq!(buffer.unpack_at(0, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), 12);
        assert_eq!(pairs, [1, 2, 255, 255, 3, 4, 5, 6, 7, 8, 255, 255, 9, 10, 11, 12]);
    }

    #[test]
    fn a_copy_between_layouts_reports_truncation() {
        let mut source: Vec<i32> = (0..8).collect();
        let mut target = [0_i32; 6];
        let every_other = Datatype::vector(4, 1, 2, named(INT)).expect("valid");
        let pairs = Datatype::vector(2, 2, 3, named(INT)).expect("valid");
        let from = buffer_of(&mut source, 1, &every_other);
        let to = buffer_of(&mut target, 1, &pairs);
        assert_eq!(copy(&from, &to), Copied { bytes: 16, truncated: false });
        assert_eq!(target, [0, 2, 0, 4, 6, 0]);
        let to = buffer_of(&mut target, 3, named(INT));
        assert_eq!(copy(&from, &to), Copied { bytes: 12, truncated: true });
        assert_eq!(target[..3], [0, 2, 4]);
    }

    #[test]
    fn absolute_addresses_start_from_bottom() {
        let mut value = 7_i64;
        let address = (&raw mut value).expose_provenance() as i64;
        let absolute = Datatype::hindexed(&[1], &[address], named(0x258)).expect("valid");
        // SAFETY: the one element is `value`.
        let buffer = unsafe { Buffer::new(std::ptr::null(), 1, &absolute) };
        assert_eq!(buffer.unpack_at(0, &9_i64.to_le_bytes()), 8);
        assert_eq!(value, 9);
    }

    #[test]
    fn scratch_has_room_below_its_address() {
        let backwards = Datatype::vector(3, 1, -2, named(INT)).expect("valid");
        let buffer = Buffer::scratch(2, &backwards).expect("memory");
        assert_eq!(buffer.unpack_at(0, &[5; 24]), 24);
        let mut out = [0; 24];
        assert_eq!(buffer.pack_at(0, &mut out), 24);
        assert_eq!(out, [5; 24]);
    }
}
