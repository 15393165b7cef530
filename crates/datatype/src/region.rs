//! Memory regions that remote accesses may touch, and target elements in them.
//!
//! A one-sided access names its target by displacement, count and datatype. These arguments come
//! from the program of another process, so [`MemoryRegion::resolve`] checks them against the region
//! before it computes an address. The result is a [`LocalTarget`]: elements that lie inside the
//! region and borrow it.
//!
//! * **A1** (promised at construction) Every byte of a region is readable and writable as long as
//!   the region exists.
//! * **A2** Other threads and processes may read and write the bytes at the same time. MPI forbids
//!   conflicting accesses without synchronization (MPI 5.0 §12.7) and leaves their results open:
//!   each byte comes from one access or the other. Therefore the raw copies of `pack_kernels` move
//!   the bytes, and no reference to them exists.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::{NonNull, with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::Arc;

use nemesis_netmod::{Region, RegionMut};
use nemesis_shm::heap::Shared;

use crate::buffer::{self, Buffer, ByteRange};
use crate::contiguous::Contiguous;
use crate::datatype::Datatype;
use crate::error::{TypeError, TypeErrorKind};
use crate::op::Op;
use crate::ranges::Ranges;
use crate::reduce::reduce;

/// A contiguous range of memory that remote accesses may touch: the memory of a window, or a part
/// of it.
#[derive(Debug, Clone)]
pub struct MemoryRegion {
    address: usize,
    bytes: usize,
    /// Owner of memory that the program does not own: a mapping, or an allocation of the region
    /// itself.
    _mapping: Option<Arc<Shared>>,
    _own: Option<Buffer>,
}

/// `count` elements of a datatype inside a memory region that this process maps.
#[derive(Debug)]
pub struct LocalTarget<'a> {
    pub(crate) buffer: Buffer,
    region: PhantomData<&'a MemoryRegion>,
}

impl MemoryRegion {
    /// Describes memory of the program.
    ///
    /// # Safety
    /// A1: every byte is readable and writable as long as the region or a clone of it exists.
    pub unsafe fn of_program(address: *const c_void, bytes: usize) -> MemoryRegion {
        MemoryRegion { address: address.expose_provenance(), bytes, _mapping: None, _own: None }
    }

    /// Allocates zeroed memory that the region owns. `alignment` is a power of two, in bytes.
    ///
    /// # Errors
    /// If there is no memory of that size.
    pub fn owned(bytes: usize, alignment: usize) -> Result<MemoryRegion, TypeError> {
        let padded = bytes.checked_add(alignment).ok_or_else(|| {
            TypeError::new(
                TypeErrorKind::NoMemory,
                "the size of the region exceeds the address space",
            )
        })?;
        let memory = Buffer::untouched(padded)?;
        let address = memory.address().next_multiple_of(alignment);
        Ok(MemoryRegion { address, bytes, _mapping: None, _own: Some(memory) })
    }

    /// Allocates zeroed memory that the region owns, of which only what is written takes memory:
    /// there may be less than the region is long.
    ///
    /// # Errors
    /// If there is no range of addresses of that size.
    pub fn sparse(bytes: usize) -> Result<MemoryRegion, TypeError> {
        let memory = Buffer::of_device(bytes as i64, buffer::byte(), None)?;
        Ok(MemoryRegion { address: memory.address(), bytes, _mapping: None, _own: Some(memory) })
    }

    /// Describes bytes `offset .. offset + bytes` of shared memory. Returns `None` if the shared
    /// memory has fewer bytes.
    pub fn of_shared(shared: &Arc<Shared>, offset: usize, bytes: usize) -> Option<MemoryRegion> {
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= shared.bytes());
        inside.then(|| MemoryRegion {
            address: shared.address() + offset,
            bytes,
            _mapping: Some(shared.clone()),
            _own: None,
        })
    }

    /// Returns the address of the first byte.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the memory, for a network that registers it until the region and its clones are
    /// dropped.
    pub fn to_register(&self) -> Option<Region> {
        let address = NonNull::new(with_exposed_provenance_mut(self.address))?;
        // SAFETY: every byte is readable and writable (A1) as long as the region exists, which the
        // caller keeps until it has ended the registration.
        Some(unsafe { Region::new(address, self.bytes) })
    }

    /// Returns `count` elements at byte `offset`. Returns `None` if a byte that they touch lies
    /// outside the region.
    #[inline]
    pub fn resolve(&self, offset: i64, count: i64, datatype: &Datatype) -> Option<LocalTarget<'_>> {
        is_inside(self.bytes, offset, count, datatype).then(|| {
            let address = self.address.wrapping_add(offset as usize);
            // SAFETY: B1 by A1: what the elements touch lies inside the region, which the target
            // borrows; B2 by A2.
            let buffer = unsafe { Buffer::new(with_exposed_provenance(address), count, datatype) };
            LocalTarget { buffer, region: PhantomData }
        })
    }

    /// Returns `count` elements at an address if every byte of their data lies in one of the
    /// regions. Adjacent regions count as one, and the elements may be spread over several regions.
    pub fn resolve_among<'a>(
        regions: &'a [MemoryRegion],
        address: i64,
        count: i64,
        datatype: &Datatype,
    ) -> Option<LocalTarget<'a>> {
        let inside = |region: &'a MemoryRegion| {
            region.resolve(address.wrapping_sub(region.address as i64), count, datatype)
        };
        regions.iter().find_map(inside).or_else(|| {
            let ranges: Ranges =
                regions.iter().map(|region| (region.address, region.bytes)).collect();
            ranges.cover(address, count, datatype).then(|| {
                // SAFETY: B1 by A1: the data of the elements lie inside the regions, which the
                // target borrows, and nothing else is touched; B2 by A2.
                let buffer = unsafe {
                    Buffer::new(with_exposed_provenance(address as usize), count, datatype)
                };
                LocalTarget { buffer, region: PhantomData }
            })
        })
    }

    /// Merges adjacent regions of the program's memory and returns them with all other regions.
    pub fn joined(regions: &[MemoryRegion]) -> Vec<MemoryRegion> {
        let (program, other): (Vec<_>, Vec<_>) =
            regions.iter().partition(|region| region._mapping.is_none() && region._own.is_none());
        let ranges: Ranges = program.iter().map(|region| (region.address, region.bytes)).collect();
        let joined = ranges.iter().map(|(address, bytes)| MemoryRegion {
            address,
            bytes,
            _mapping: None,
            _own: None,
        });
        joined.chain(other.into_iter().cloned()).collect()
    }
}

impl MemoryRegion {
    /// Returns the address of `bytes` bytes at `offset`, or `None` if they do not lie inside the
    /// region.
    #[inline(always)]
    pub(crate) fn run(&self, offset: usize, bytes: usize) -> Option<usize> {
        let inside = offset <= self.bytes && bytes <= self.bytes - offset;
        inside.then(|| self.address + offset)
    }

    /// Copies contiguous data of the program to byte `offset`. Returns false, and copies nothing,
    /// if the data do not fit into the region.
    #[inline(always)]
    pub fn put_contiguous(&self, offset: usize, source: &Contiguous) -> bool {
        let Some(address) = self.run(offset, source.len()) else { return false };
        // SAFETY: A1: inside the region; B1: the program's data is readable.
        unsafe { copy_contiguous(source.address(), address, source.len()) };
        true
    }

    /// Copies the bytes at byte `offset` to contiguous memory of the program. Returns false, and
    /// copies nothing, if the region has fewer bytes.
    #[inline(always)]
    pub fn get_contiguous(&self, offset: usize, target: &Contiguous) -> bool {
        let Some(address) = self.run(offset, target.len()) else { return false };
        // SAFETY: A1: inside the region; B1: the program's data is writable.
        unsafe { copy_contiguous(address, target.address(), target.len()) };
        true
    }
}

impl MemoryRegion {
    /// Copies bytes to byte `offset`. Returns false, and copies nothing, if they do not fit.
    #[inline]
    pub fn put_bytes(&self, offset: usize, bytes: &[u8]) -> bool {
        let Some(address) = self.run(offset, bytes.len()) else { return false };
        // SAFETY: A1: inside the region.
        unsafe { copy_contiguous(bytes.as_ptr().expose_provenance(), address, bytes.len()) };
        true
    }

    /// Copies the bytes from byte `offset` on. Returns false, and copies nothing, if there are
    /// fewer.
    #[inline]
    pub fn get_bytes(&self, offset: usize, into: &mut [u8]) -> bool {
        let Some(address) = self.run(offset, into.len()) else { return false };
        // SAFETY: A1: inside the region.
        unsafe { copy_contiguous(address, into.as_mut_ptr().expose_provenance(), into.len()) };
        true
    }
}

/// Copies eight bytes by one load and one store, and any other length as
/// [`copy::overlapping`](nemesis_shm::copy::overlapping) does.
///
/// # Safety
/// `len` bytes are readable at `from` and writable at `to`.
#[inline(always)]
unsafe fn copy_contiguous(from: usize, to: usize, len: usize) {
    if len == size_of::<u64>() {
        // SAFETY: the caller's promise.
        let word = unsafe { with_exposed_provenance::<u64>(from).read_unaligned() };
        // SAFETY: as above.
        unsafe { with_exposed_provenance_mut::<u64>(to).write_unaligned(word) };
    } else {
        // SAFETY: as above; the two may overlap.
        unsafe {
            nemesis_shm::copy::overlapping(
                with_exposed_provenance(from),
                with_exposed_provenance_mut(to),
                len,
            )
        };
    }
}

/// Returns true if everything that `count` elements at `offset` touch lies within `bytes` bytes.
#[inline]
pub fn is_inside(bytes: usize, offset: i64, count: i64, datatype: &Datatype) -> bool {
    let Ok((low, high)) = datatype.span(count) else { return false };
    low == high
        || offset.checked_add(low).is_some_and(|low| low >= 0)
            && offset.checked_add(high).is_some_and(|high| high as usize <= bytes)
}

impl LocalTarget<'_> {
    /// Returns the length of the packed stream in bytes.
    pub fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// Copies data of the program to the target elements.
    #[inline]
    pub fn put(&self, source: &Buffer) {
        buffer::copy(source, &self.buffer);
    }

    /// Copies the target elements to memory of the program.
    #[inline]
    pub fn get(&self, target: &Buffer) {
        buffer::copy(&self.buffer, target);
    }

    /// Unpacks bytes of the packed stream from byte `from` on into the target elements.
    pub fn put_at(&self, from: usize, bytes: &[u8]) {
        self.buffer.unpack_at(from, bytes);
    }

    /// Packs the target elements into `into`, from byte `from` of the packed stream on.
    pub fn get_at(&self, from: usize, into: &mut [u8]) {
        self.buffer.pack_at(from, into);
    }

    /// Returns `bytes` bytes of the packed stream from byte `from` on, if they are contiguous, as
    /// memory from which a network sends. The caller keeps the memory region until they are sent.
    pub fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        self.buffer.region(from, bytes)
    }

    /// Returns them as memory into which a network receives, as [`region`](Self::region) does.
    pub fn region_mut(&self, from: usize, bytes: usize) -> Option<RegionMut> {
        self.buffer.region_mut(from, bytes)
    }

    /// Iterates over the runs of bytes `packed` of the packed stream: offsets in the region of the
    /// elements, and lengths.
    pub fn runs(
        &self,
        region: &MemoryRegion,
        packed: Range<usize>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let (base, mut left) = (region.address, packed.len());
        self.buffer.runs(packed.start).map_while(move |run| {
            let bytes = run.len.min(left);
            left -= bytes;
            (bytes > 0).then_some((run.address.wrapping_sub(base), bytes))
        })
    }

    /// Combines packed elements of the basic type `element` with the target elements, from byte
    /// `from` of the packed stream on, and writes the old values to `before`.
    ///
    /// The caller holds the lock that every thread and process takes to combine elements here, so
    /// nothing else combines at the same time.
    ///
    /// # Errors
    /// If the operation is not defined on `element`.
    pub fn combine_locked(
        &self,
        from: usize,
        op: Op,
        element: &Datatype,
        operands: &[u8],
        before: Option<&mut [u8]>,
    ) -> Result<(), TypeError> {
        if let Some(before) = before {
            self.buffer.pack_at(from, before);
        }
        if op == Op::NoOp {
            return Ok(());
        }
        let inside =
            |run: &ByteRange| from.checked_add(operands.len()).is_some_and(|end| end <= run.len);
        if let Some(run) =
            self.buffer.contiguous().filter(|run| inside(run) && element.size() == element.extent())
        {
            let count = operands.len() / element.size().max(1) as usize;
            // SAFETY: R1: the operands are `count` contiguous elements, and so is this part of the
            // run, which lies in the region (A1).
            return unsafe {
                reduce(
                    op,
                    element,
                    operands.as_ptr(),
                    with_exposed_provenance_mut(run.address + from),
                    count,
                )
            };
        }
        let mut here = vec![0; operands.len()];
        self.buffer.pack_at(from, &mut here);
        combine_packed(op, element, operands, &mut here)?;
        self.buffer.unpack_at(from, &here);
        Ok(())
    }
}

/// Combines packed elements of the basic type `element`: `here[i] = operands[i] op here[i]`.
///
/// # Errors
/// If the operation is not defined on `element`.
pub fn combine_packed(
    op: Op,
    element: &Datatype,
    operands: &[u8],
    here: &mut [u8],
) -> Result<(), TypeError> {
    match op {
        Op::NoOp => return Ok(()),
        Op::Replace => {
            here.copy_from_slice(operands);
            return Ok(());
        }
        _ if element.size() == element.extent() => {
            return crate::reduce::reduce_slices(op, element, operands, here);
        }
        _ => {}
    }
    // Reductions want elements with holes (some pairs) laid out as the program has them.
    let count = here.len() as i64 / element.size().max(1);
    let (left, right) = (Buffer::scratch(count, element)?, Buffer::scratch(count, element)?);
    left.unpack_at(0, operands);
    right.unpack_at(0, here);
    right.reduce_from(op, &left)?;
    right.pack_at(0, here);
    Ok(())
}

impl Datatype {
    /// Returns the predefined type, pairs included, of which all elements consist, if there is
    /// exactly one. The accumulate functions require such a type (MPI 5.0 §12.3.4).
    pub fn element(&self) -> Option<Datatype> {
        self.element_of_parts(&mut BTreeMap::new())
    }

    /// Returns the single predefined type of all elements. `known` holds the results for component
    /// types, by the address of their contents: a type may name a component many times, and the
    /// search looks at each component once.
    fn element_of_parts(&self, known: &mut BTreeMap<usize, Option<Datatype>>) -> Option<Datatype> {
        if self.is_predefined() {
            return Some(self.clone());
        }
        if let Some(basic) = self.single_basic() {
            return Some(basic.clone());
        }
        let contents = self.contents()?;
        let address = std::ptr::from_ref(contents).addr();
        if let Some(element) = known.get(&address) {
            return element.clone();
        }
        let mut elements = contents.datatypes.iter().map(|part| part.element_of_parts(known));
        let first = elements.next().flatten();
        let element = first.filter(|first| elements.all(|other| other.as_ref() == Some(first)));
        known.insert(address, element.clone());
        element
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: usize = 0x209;
    const SHORT_INT: usize = 0x22c;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("a predefined type")
    }

    fn region(memory: &mut [u8]) -> MemoryRegion {
        // SAFETY: A1: the tests keep the memory as long as the region.
        unsafe { MemoryRegion::of_program(memory.as_mut_ptr().cast(), memory.len()) }
    }

    #[test]
    fn elements_outside_the_region_are_refused() {
        let mut memory = [0u8; 64];
        let region = region(&mut memory);
        let int = named(INT);
        assert!(
            region.resolve(0, 16, int).is_some()
                && region.resolve(60, 1, int).is_some()
                && region.resolve(61, 1, int).is_none()
        );
        assert!(region.resolve(-4, 1, int).is_none() && region.resolve(0, 17, int).is_none());
        assert!(
            region.resolve(i64::MAX, 1, int).is_none()
                && region.resolve(0, i64::MAX, int).is_none()
                && region.resolve(i64::MIN, 1, int).is_none()
        );
        assert!(region.resolve(1 << 40, 0, int).is_some(), "no elements touch nothing");
        let backward = Datatype::hvector(3, 1, -8, int).unwrap();
        assert!(
            region.resolve(16, 1, &backward).is_some()
                && region.resolve(15, 1, &backward).is_none()
        );
    }

    #[test]
    fn elements_may_span_adjacent_regions() {
        let mut memory = [0u8; 64];
        let [left, right] = memory.split_at_mut(30).into();
        let regions = [region(right), region(left)];
        let start = regions[1].address() as i64;
        let int = named(INT);
        assert!(
            MemoryRegion::resolve_among(&regions, start, 16, int).is_some()
                && MemoryRegion::resolve_among(&regions, start + 28, 1, int).is_some()
        );
        assert!(
            MemoryRegion::resolve_among(&regions, start - 1, 1, int).is_none()
                && MemoryRegion::resolve_among(&regions, start + 61, 1, int).is_none()
        );
        assert!(MemoryRegion::resolve_among(&regions[1..], start + 28, 1, int).is_none());
        let joined = MemoryRegion::joined(&regions);
        assert_eq!(
            joined
                .iter()
                .map(|region| (region.address() as i64, region.bytes()))
                .collect::<Vec<_>>(),
            [(start, 64)]
        );
        let own = [MemoryRegion::owned(8, 8).unwrap(), regions[0].clone()];
        assert_eq!(MemoryRegion::joined(&own).len(), 2, "memory of an region's own stays with it");
    }

    #[test]
    fn pairs_with_holes_are_combined_as_pairs() {
        let pair = named(SHORT_INT);
        let mut here = [9u8, 0, 1, 0, 0, 0];
        combine_packed(Op::Maxloc, pair, &[10, 0, 7, 0, 0, 0], &mut here).unwrap();
        assert_eq!(here, [10, 0, 7, 0, 0, 0]);
        combine_packed(Op::Maxloc, pair, &[10, 0, 3, 0, 0, 0], &mut here).unwrap();
        assert_eq!(here, [10, 0, 3, 0, 0, 0], "the smaller index among equals");
    }

    #[test]
    fn a_derived_type_of_one_basic_type_has_an_element() {
        let pairs = Datatype::contiguous(3, named(SHORT_INT)).unwrap();
        assert_eq!(pairs.element().as_ref(), Some(named(SHORT_INT)));
        assert_eq!(
            Datatype::hvector(3, 1, 8, named(INT)).unwrap().element().as_ref(),
            Some(named(INT))
        );
    }

    #[test]
    fn shared_components_are_visited_once() {
        let twice = |part: &Datatype| {
            Datatype::structure(
                &[0, 0, 1],
                &[0, 0, 0],
                &[part.clone(), part.clone(), named(SHORT_INT).clone()],
            )
            .unwrap()
        };
        let deep = (0..60)
            .fold(Datatype::contiguous(2, named(SHORT_INT)).unwrap(), |part, _| twice(&part));
        assert_eq!((deep.size(), deep.element().as_ref()), (6, Some(named(SHORT_INT))));
        let mixed = Datatype::structure(&[1, 1], &[0, 8], &[deep, named(INT).clone()]).unwrap();
        assert_eq!(mixed.element(), None);
    }
}
