//! Buffers: (address, count, datatype), the form in which user memory enters the safe crates.
//!
//! The C layer makes a [`Buffer`] with an `unsafe` constructor and passes on what the caller of MPI
//! promised. From there on pack, unpack and copy are safe calls, because the kernels touch exactly
//! the bytes that the promise covers:
//!
//! * **B1** (promised at construction) every byte of the type maps of `count` elements at `address`
//!   is readable, and writable if the buffer is written through, until the operation for which it
//!   was made is complete;
//! * **B2** nothing else accesses those bytes in a conflicting way during that time: MPI forbids it
//!   to the program (MPI 5.0 §3.7.2), and the engine moves data under its lock.
//!
//! A buffer of a predefined type consists of four words and is as cheap to clone; one of a derived
//! type shares the type's allocation. Scratch buffers, which collective operations need, own their
//! memory until the last clone is dropped.
//!
//! The *packed stream* of a buffer is its data in type-map order without holes, `bytes()` long.
//! [`Buffer::pack_at`] and [`Buffer::unpack_at`] copy any part of it.
#![allow(unsafe_code)]

use nemesis_gpu::{Failure, Original};
use nemesis_netmod::{Region, RegionMut};
use nemesis_sys::mapping::Mapping;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::{NonNull, with_exposed_provenance, with_exposed_provenance_mut};
use std::slice;
use std::sync::Arc;

use crate::datatype::Datatype;
use crate::error::{TypeError, TypeErrorKind};
use crate::pack_kernels::{PackSink, UnpackSink};
use crate::walk::Copies;

/// A contiguous range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// Address of the first byte.
    pub address: usize,
    /// Length in bytes.
    pub len: usize,
}

/// Result of a local copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Number of bytes that were copied.
    pub bytes: usize,
    /// Whether the source is longer than the target.
    pub truncated: bool,
}

/// `count` elements of a datatype at an address.
///
/// # Examples
/// Packing and unpacking every other `int`:
///
/// ```
/// use nemesis_datatype::{Buffer, Datatype};
///
/// let int = Datatype::predefined(0x209).unwrap();
/// let every_other = Datatype::vector(4, 1, 2, int)?;
/// every_other.commit();
/// let buffer = Buffer::scratch(1, &every_other)?;
/// assert_eq!((buffer.bytes(), buffer.contiguous()), (16, None));
///
/// assert_eq!(buffer.unpack_at(0, &[7; 16]), 16);
/// // Any part of the packed stream may be read, also from inside an element.
/// let mut part = [0; 5];
/// assert_eq!(buffer.pack_at(3, &mut part), 5);
/// assert_eq!(part, [7; 5]);
/// # Ok::<(), nemesis_datatype::TypeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Buffer {
    address: usize,
    count: usize,
    datatype: Datatype,
    /// Keeps the memory of a scratch buffer.
    owner: Option<Arc<Scratch>>,
}

impl Buffer {
    /// Describes memory of the program. A negative `count` counts as zero.
    ///
    /// # Safety
    /// B1 and B2: the memory of (address, count, datatype) is valid as MPI requires of the caller,
    /// as long as the buffer or a clone of it is in use. `address` may be null with a datatype of
    /// absolute addresses (`MPI_BOTTOM`).
    #[inline]
    pub unsafe fn new(address: *const c_void, count: i64, datatype: &Datatype) -> Self {
        Self {
            address: address.expose_provenance(),
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            owner: None,
        }
    }

    /// Returns a buffer without bytes.
    pub fn empty() -> Self {
        Self {
            address: 0,
            count: 0,
            datatype: crate::datatype::basic::all_predefined()[0].clone(),
            owner: None,
        }
    }

    /// Allocates zeroed memory for `count` elements. The last clone frees it.
    ///
    /// # Errors
    /// If there is no memory of that size.
    pub fn scratch(count: i64, datatype: &Datatype) -> Result<Self, TypeError> {
        let (low, high) = datatype.span(count)?;
        let memory = Scratch::new((high - low) as usize)?;
        Ok(Self {
            address: memory.address().wrapping_sub(low as usize),
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            owner: Some(Arc::new(memory)),
        })
    }

    /// Allocates memory as [`scratch`](Buffer::scratch) does, also for elements that are spread
    /// over more addresses than there is memory. Only what is written takes memory.
    ///
    /// # Errors
    /// If there is no range of addresses of that size.
    pub fn sparse(count: i64, datatype: &Datatype) -> Result<Self, TypeError> {
        let (low, high) = datatype.span(count)?;
        let spread = (high - low) as usize;
        let data = (datatype.size() as usize).saturating_mul(count.max(0) as usize);
        if spread <= SPARSE_MIN_BYTES || spread / SPARSE_MIN_SPREAD < data {
            return Self::scratch(count, datatype);
        }
        let mapping = Mapping::sparse(spread).map_err(|_| refusal(spread))?;
        let memory = Scratch::Sparse { mapping };
        Ok(Self {
            address: memory.address().wrapping_sub(low as usize),
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            owner: Some(Arc::new(memory)),
        })
    }

    /// Allocates a copy for memory of a device, as [`sparse`](Buffer::sparse) does. Of a long one,
    /// too, only what is written takes memory. `original` is the memory, if it is one range and the
    /// operation knows that it may go from device to device.
    ///
    /// # Errors
    /// If there is no range of addresses of that size.
    pub fn of_device(
        count: i64,
        datatype: &Datatype,
        original: Option<Arc<Original>>,
    ) -> Result<Self, TypeError> {
        let (low, high) = datatype.span(count)?;
        let bytes = (high - low) as usize;
        let memory = match bytes {
            0..UNTOUCHED_MIN_BYTES => Scratch::new(bytes)?,
            _ => Scratch::Sparse { mapping: Mapping::sparse(bytes).map_err(|_| refusal(bytes))? },
        };
        let address = memory.address().wrapping_sub(low as usize);
        let memory = match original {
            Some(original) => Scratch::OfDevice { memory: Box::new(memory), original },
            None => memory,
        };
        Ok(Self {
            address,
            count: count.max(0) as usize,
            datatype: datatype.clone(),
            owner: Some(Arc::new(memory)),
        })
    }

    /// Returns the memory of a device for all of which this buffer stands.
    pub fn original(&self) -> Option<&Arc<Original>> {
        let Scratch::OfDevice { original, .. } = self.owner.as_deref()? else { return None };
        let is_whole = self.contiguous().is_some_and(|range| range.len == original.bytes());
        is_whole.then_some(original)
    }

    /// Fills this buffer from the memory of a device for which it stands.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn fetch_original(&self) -> Result<(), Failure> {
        match (self.original(), self.contiguous()) {
            // SAFETY: the copy has the length of the original, and is written by nobody else (B2).
            (Some(original), Some(range)) => unsafe { original.fetch(range.address) },
            _ => Ok(()),
        }
    }

    /// Allocates zeroed bytes whose pages the kernel provides at the first access, as the allocator
    /// does for allocations without a large alignment.
    pub(crate) fn untouched(bytes: usize) -> Result<Self, TypeError> {
        let memory = Scratch::aligned(bytes, SHORT_SCRATCH_ALIGN)?;
        let address = memory.address();
        Ok(Self { address, count: bytes, datatype: byte().clone(), owner: Some(Arc::new(memory)) })
    }

    /// Returns the address given at construction.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the type of an element.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Returns the length of the packed stream in bytes, at most `usize::MAX`.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.copies().size()
    }

    /// Returns elements `first .. first + count` of this buffer.
    ///
    /// # Panics
    /// If the part ends beyond the buffer.
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

    /// Returns the range of bytes that the buffer consists of, if it has no holes and its packed
    /// order is that of memory.
    #[inline]
    pub fn contiguous(&self) -> Option<ByteRange> {
        let copies = self.copies();
        if copies.each.size == 0 || self.count == 0 {
            return Some(ByteRange { address: self.address, len: 0 });
        }
        let (at, len) = copies.as_run()?;
        Some(ByteRange { address: self.address.wrapping_add_signed(at), len })
    }

    /// Returns the memory as elements of `MPI_BYTE`, if it is one range of bytes.
    pub fn flattened(&self) -> Option<Self> {
        let range = self.contiguous()?;
        Some(Self {
            address: range.address,
            count: range.len,
            datatype: byte().clone(),
            owner: self.owner.clone(),
        })
    }

    /// Returns the bytes of a contiguous buffer for reading.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let range = self.contiguous()?;
        if range.len == 0 {
            return Some(&[]);
        }
        // SAFETY: B1: the run is readable; B2: nothing writes it while it is being sent.
        Some(unsafe { slice::from_raw_parts(with_exposed_provenance(range.address), range.len) })
    }

    /// Returns the bytes of a contiguous buffer for writing.
    #[inline]
    pub fn as_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let range = self.contiguous()?;
        if range.len == 0 {
            return Some(&mut []);
        }
        // SAFETY: B1: the run is writable; B2: nothing else touches it while it is being received
        // into.
        Some(unsafe {
            slice::from_raw_parts_mut(with_exposed_provenance_mut(range.address), range.len)
        })
    }

    /// Returns bytes `offset .. offset + length` of a contiguous buffer, for a network that sends
    /// them from this memory. The caller keeps the buffer or a clone of it until the send is
    /// complete, as the request of an operation does.
    pub fn region(&self, offset: usize, length: usize) -> Option<Region> {
        let address = self.within(offset, length)?;
        // SAFETY: the bytes lie in the buffer, whose memory is valid (B1) and which the caller of
        // MPI does not change (B2) until the operation ends.
        Some(unsafe { Region::new(address, length) })
    }

    /// Returns bytes `offset .. offset + length` of a contiguous buffer, for a network that
    /// receives into this memory. The caller keeps the buffer as for [`region`](Self::region).
    pub fn region_mut(&self, offset: usize, length: usize) -> Option<RegionMut> {
        let address = self.within(offset, length)?;
        // SAFETY: as in `region`, and nothing else uses the memory of a receive (B2).
        Some(unsafe { RegionMut::new(address, length) })
    }

    fn within(&self, offset: usize, length: usize) -> Option<NonNull<u8>> {
        let range = self.contiguous()?;
        let fits = offset.checked_add(length).is_some_and(|end| end <= range.len);
        NonNull::new(with_exposed_provenance_mut(range.address.checked_add(offset)?))
            .filter(|_| fits)
    }

    /// Packs from byte `offset` of the packed stream into `out`. Returns the number of bytes
    /// packed, which is less than `out.len()` only at the end of the stream.
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
            // SAFETY: B1: the run reaches at least to `offset + len`; `out` is exclusively
            // borrowed, so they do not overlap.
            unsafe { nemesis_shm::copy::bytes(source, out.as_mut_ptr(), len) };
            return len;
        }
        // SAFETY: M1 by B1 and P2; M2: `len <= out.len()`; M3: `out` is exclusively borrowed.
        let mut sink = unsafe { PackSink::new(out.as_mut_ptr()) };
        self.copies().visit(self.address, offset, offset + len, &mut sink);
        len
    }

    /// Unpacks `bytes`, which are the packed stream from byte `offset` on. Returns the number of
    /// bytes unpacked, which is less than `bytes.len()` only if the buffer ends before.
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
            // SAFETY: B1: the run reaches at least to `offset + len`; B2: no reference to it
            // exists, so `bytes` is elsewhere.
            unsafe { nemesis_shm::copy::bytes(bytes.as_ptr(), target, len) };
            return len;
        }
        // SAFETY: M1 by B1 and P2; M2: `len <= bytes.len()`; M3 by B2.
        let mut sink = unsafe { UnpackSink::new(bytes.as_ptr()) };
        self.copies().visit(self.address, offset, offset + len, &mut sink);
        len
    }

    /// Iterates over the address ranges of the packed stream from byte `from` on, for calls that
    /// take address vectors.
    pub fn runs(&self, from: usize) -> Runs<'_> {
        Runs { buffer: self, position: from, bytes: self.bytes() }
    }

    #[inline]
    pub(crate) fn copies(&self) -> Copies<'_> {
        Copies {
            each: self.datatype.plan(),
            count: self.count,
            stride: self.datatype.facts().extent() as isize,
        }
    }
}

pub(crate) fn byte() -> &'static Datatype {
    /// `MPI_BYTE` in the standard ABI.
    const BYTE: usize = 0x247;
    Datatype::predefined(BYTE).expect("MPI_BYTE is predefined")
}

/// Copies the data of `source` to `target`, whatever their layouts are: a message to oneself, or
/// the local part of a collective operation.
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

/// Copies between two layouts with holes, through a staging buffer that stays in the first-level
/// cache.
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

/// Iterator over the address ranges of a packed stream; see [`Buffer::runs`].
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

/// Memory that a scratch buffer owns.
#[derive(Debug)]
enum Scratch {
    Heap {
        address: *mut u8,
        layout: Layout,
    },
    Sparse {
        mapping: Mapping,
    },
    /// A copy of memory of a device.
    OfDevice {
        memory: Box<Scratch>,
        original: Arc<Original>,
    },
}

/// The least length of a copy of memory of a device, in bytes, that takes no memory before it is
/// written.
const UNTOUCHED_MIN_BYTES: usize = 128 << 10;
/// The least spread of elements, in bytes, that do not lie in the heap.
const SPARSE_MIN_BYTES: usize = 1 << 20;
/// The least spread of such elements in multiples of their data.
const SPARSE_MIN_SPREAD: usize = 64;

#[cold]
fn refusal(bytes: usize) -> TypeError {
    TypeError::new(TypeErrorKind::NoMemory, format!("no memory for a buffer of {bytes} bytes"))
}

/// Alignment of scratch memory that is longer than a cache line: a cache line.
const SCRATCH_ALIGN: usize = 64;
/// Alignment of short scratch memory: sufficient for every basic type, and what the allocator
/// provides without a search.
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
        let layout = Layout::from_size_align(bytes.max(1), align).map_err(|_| refusal(bytes))?;
        // SAFETY: the layout is not empty.
        let address = unsafe { alloc_zeroed(layout) };
        if address.is_null() {
            return Err(refusal(bytes));
        }
        Ok(Self::Heap { address, layout })
    }

    fn address(&self) -> usize {
        match self {
            Self::Heap { address, .. } => address.expose_provenance(),
            Self::Sparse { mapping } => mapping.base().expose_provenance().get(),
            Self::OfDevice { memory, .. } => memory.address(),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Self::Heap { address, layout } = *self {
            // SAFETY: `address` came from `alloc_zeroed` with this layout, and this is its only
            // owner.
            unsafe { dealloc(address, layout) };
        }
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
    fn consecutive_ints_are_one_run() {
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
    fn a_pack_of_a_column_resumes_inside_an_element() {
        let mut matrix: Vec<i32> = (0..16).collect();
        let column = Datatype::vector(4, 1, 4, named(INT)).expect("valid");
        column.commit();
        let buffer = buffer_of(&mut matrix, 1, &column);
        assert_eq!(buffer.contiguous(), None);
        assert_eq!(buffer.runs(2).map(|run| run.len).collect::<Vec<_>>(), [2, 4, 4, 4]);
        let (mut packed, mut piece) = (Vec::new(), [0; 3]);
        loop {
            let len = buffer.pack_at(packed.len(), &mut piece);
            packed.extend_from_slice(&piece[..len]);
            if len < piece.len() {
                break;
            }
        }
        assert_eq!(packed, [0_i32, 4, 8, 12].map(i32::to_le_bytes).concat());
    }

    #[test]
    fn unpack_keeps_the_hole_of_a_pair() {
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
    fn sparse_memory_holds_elements_that_are_far_apart() {
        let far = Datatype::hindexed(&[2, 1], &[-(1 << 40), 1 << 41], named(INT)).expect("valid");
        let buffer = Buffer::sparse(1, &far).expect("addresses");
        assert_eq!(buffer.unpack_at(0, &[7; 12]), 12);
        let mut out = [0; 12];
        assert_eq!(buffer.pack_at(0, &mut out), 12);
        assert_eq!(out, [7; 12]);
    }

    #[test]
    fn scratch_memory_extends_below_its_address() {
        let backwards = Datatype::vector(3, 1, -2, named(INT)).expect("valid");
        let buffer = Buffer::scratch(2, &backwards).expect("memory");
        assert_eq!(buffer.unpack_at(0, &[5; 24]), 24);
        let mut out = [0; 24];
        assert_eq!(buffer.pack_at(0, &mut out), 24);
        assert_eq!(out, [5; 24]);
    }
}
