//! Areas: memory in which windows lie, and places in it.
//!
//! What a remote access names (displacement, count, type) comes from another process's program, so it is checked against the region before an address
//! is made of it. The result is a [`LocalTarget`]: elements that lie inside, borrowed from the region.
//!
//! * **A1** (promised at construction) every byte of an region is readable and writable as long as the region exists;
//! * **A2** others may read and write the same bytes at the same time. MPI forbids conflicting accesses without synchronisation (MPI 5.0 §12.7) and leaves
//!   their results open, bytes of one or the other. So places are moved by the raw copies of `movers`, and no reference to them is ever made.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::Arc;

use nemesis_shm::heap::Shared;

use crate::buffer::{self, Buffer, ByteRange};
use crate::contiguous::Contiguous;
use crate::datatype::Datatype;
use crate::error::{TypeError, TypeErrorKind};
use crate::op::Op;
use crate::ranges::Ranges;
use crate::reduce::reduce;

/// A range of memory that remote accesses may touch.
#[derive(Debug, Clone)]
pub struct MemoryRegion {
    address: usize,
    bytes: usize,
    /// What keeps the memory that is not the program's: a mapping, or the region's own.
    _mapping: Option<Arc<Shared>>,
    _own: Option<Buffer>,
}

/// `count` elements of a type inside an region.
#[derive(Debug)]
pub struct LocalTarget<'a> {
    pub(crate) buffer: Buffer,
    region: PhantomData<&'a MemoryRegion>,
}

impl MemoryRegion {
    /// Memory of the program.
    ///
    /// # Safety
    /// A1.
    pub unsafe fn of_program(address: *const c_void, bytes: usize) -> MemoryRegion {
        MemoryRegion { address: address.expose_provenance(), bytes, _mapping: None, _own: None }
    }

    /// Memory of the region's own, all zero, at a multiple of `alignment`, a power of two.
    pub fn owned(bytes: usize, alignment: usize) -> Result<MemoryRegion, TypeError> {
        let room = bytes.checked_add(alignment).ok_or_else(|| {
            TypeError::new(TypeErrorKind::NoMemory, "more than there are addresses")
        })?;
        let memory = Buffer::untouched(room)?;
        let address = memory.address().next_multiple_of(alignment);
        Ok(MemoryRegion { address, bytes, _mapping: None, _own: Some(memory) })
    }

    /// Bytes `offset .. offset + bytes` of shared memory; `None` if it has fewer.
    pub fn of_shared(shared: &Arc<Shared>, offset: usize, bytes: usize) -> Option<MemoryRegion> {
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= shared.bytes());
        inside.then(|| MemoryRegion {
            address: shared.address() + offset,
            bytes,
            _mapping: Some(shared.clone()),
            _own: None,
        })
    }

    pub fn address(&self) -> usize {
        self.address
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The elements at byte `offset`; `None` if they do not lie inside, to the last byte that they touch.
    #[inline]
    pub fn resolve(&self, offset: i64, count: i64, datatype: &Datatype) -> Option<LocalTarget<'_>> {
        is_inside(self.bytes, offset, count, datatype).then(|| {
            let address = self.address.wrapping_add(offset as usize);
            // SAFETY: B1 by A1: what the elements touch lies inside the region, which the place borrows; B2 by A2.
            let buffer = unsafe { Buffer::new(with_exposed_provenance(address), count, datatype) };
            LocalTarget { buffer, region: PhantomData }
        })
    }

    /// The elements at an address, if every byte of their data lies in one of the regions. Areas that
    /// lie side by side count as one, and elements may be spread over several.
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
                // SAFETY: B1 by A1: the data of the elements lie inside the regions, which the place
                // borrows, and nothing else is touched; B2 by A2.
                let buffer = unsafe {
                    Buffer::new(with_exposed_provenance(address as usize), count, datatype)
                };
                LocalTarget { buffer, region: PhantomData }
            })
        })
    }

    /// Areas of the program's memory, with those that lie side by side as one.
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
    /// Where `bytes` bytes at `offset` are; `None` if they do not lie inside.
    #[inline(always)]
    pub(crate) fn run(&self, offset: usize, bytes: usize) -> Option<usize> {
        let inside = offset <= self.bytes && bytes <= self.bytes - offset;
        inside.then(|| self.address + offset)
    }

    /// Copies dense data of the program to byte `offset`; false, and nothing is copied, if it does not lie inside.
    #[inline(always)]
    pub fn put_contiguous(&self, offset: usize, source: &Contiguous) -> bool {
        let Some(place) = self.run(offset, source.len()) else { return false };
        // SAFETY: A1: inside the region; B1: the program's data is readable.
        unsafe { copy_contiguous(source.address(), place, source.len()) };
        true
    }

    /// Copies what is at byte `offset` to dense data of the program; false, and nothing is copied, if it does not lie inside.
    #[inline(always)]
    pub fn get_contiguous(&self, offset: usize, target: &Contiguous) -> bool {
        let Some(place) = self.run(offset, target.len()) else { return false };
        // SAFETY: A1: inside the region; B1: the program's data is writable.
        unsafe { copy_contiguous(place, target.address(), target.len()) };
        true
    }
}

impl MemoryRegion {
    /// Copies bytes to byte `offset`; false, and nothing is copied, if they do not fit.
    #[inline]
    pub fn put_bytes(&self, offset: usize, bytes: &[u8]) -> bool {
        let Some(place) = self.run(offset, bytes.len()) else { return false };
        // SAFETY: A1: inside the region.
        unsafe { copy_contiguous(bytes.as_ptr().expose_provenance(), place, bytes.len()) };
        true
    }

    /// Copies the bytes from byte `offset` on; false, and nothing is copied, if there are fewer.
    #[inline]
    pub fn get_bytes(&self, offset: usize, into: &mut [u8]) -> bool {
        let Some(place) = self.run(offset, into.len()) else { return false };
        // SAFETY: A1: inside the region.
        unsafe { copy_contiguous(place, into.as_mut_ptr().expose_provenance(), into.len()) };
        true
    }
}

/// Copies a word by one move, anything else as [`copy::overlapping`](nemesis_shm::copy::overlapping) does.
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

/// Whether all that `count` elements at `offset` touch lies within `bytes` bytes.
#[inline]
pub fn is_inside(bytes: usize, offset: i64, count: i64, datatype: &Datatype) -> bool {
    let Ok((low, high)) = datatype.span(count) else { return false };
    low == high
        || offset.checked_add(low).is_some_and(|low| low >= 0)
            && offset.checked_add(high).is_some_and(|high| high as usize <= bytes)
}

impl LocalTarget<'_> {
    /// Length of the packed stream in bytes.
    pub fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// Copies data of the program here.
    #[inline]
    pub fn put(&self, source: &Buffer) {
        buffer::copy(source, &self.buffer);
    }

    /// Copies what is here to the program.
    #[inline]
    pub fn get(&self, target: &Buffer) {
        buffer::copy(&self.buffer, target);
    }

    /// Copies bytes of the packed stream here, from byte `from` on.
    pub fn put_at(&self, from: usize, bytes: &[u8]) {
        self.buffer.unpack_at(from, bytes);
    }

    /// Copies the packed stream from byte `from` on.
    pub fn get_at(&self, from: usize, into: &mut [u8]) {
        self.buffer.pack_at(from, into);
    }

    /// Combines packed elements of the basic type `element` with those here, from byte `from` of the packed stream on, and says what was here before. Nobody
    /// else combines meanwhile: the caller holds a lock that all who do take.
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
            // SAFETY: R1: the operands are `count` dense elements, and so is this part of the run, which lies in the region (A1).
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

/// Combines packed elements of the basic type `element`: `here[i] = here[i] op operands[i]`.
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
    // Elements with holes (some pairs): reductions want them laid out as the program has them.
    let count = here.len() as i64 / element.size().max(1);
    let (left, right) = (Buffer::scratch(count, element)?, Buffer::scratch(count, element)?);
    left.unpack_at(0, operands);
    right.unpack_at(0, here);
    right.reduce_from(op, &left)?;
    right.pack_at(0, here);
    Ok(())
}

/// Where elements lie in memory that only another process can touch: addresses there, no way to them.
#[derive(Debug)]
pub struct RemoteTarget {
    buffer: Buffer,
}

impl RemoteTarget {
    /// `count` elements at `address`.
    pub fn new(address: u64, count: i64, datatype: &Datatype) -> RemoteTarget {
        // SAFETY: only the arithmetic of its runs is used, nothing is read or written through it.
        let buffer =
            unsafe { Buffer::new(with_exposed_provenance(address as usize), count, datatype) };
        RemoteTarget { buffer }
    }

    /// Length of the packed stream in bytes.
    pub fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// The places of the packed stream from byte `from` on.
    pub fn runs(&self, from: usize) -> impl Iterator<Item = ByteRange> {
        self.buffer.runs(from)
    }
}

impl Datatype {
    /// The one predefined type, pairs included, of which all elements are: what the accumulate functions ask for (MPI 5.0 §12.3.4).
    pub fn element(&self) -> Option<Datatype> {
        self.element_of_parts(&mut BTreeMap::new())
    }

    /// The same. Parts that are `known`, by the address of their contents, are not looked into again: a type may name each of its parts many times.
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
    fn nothing_outside_has_a_place() {
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
    fn elements_lie_in_areas_side_by_side() {
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
    fn a_derived_type_of_one_kind_has_an_element() {
        let pairs = Datatype::contiguous(3, named(SHORT_INT)).unwrap();
        assert_eq!(pairs.element().as_ref(), Some(named(SHORT_INT)));
        assert_eq!(
            Datatype::hvector(3, 1, 8, named(INT)).unwrap().element().as_ref(),
            Some(named(INT))
        );
    }

    #[test]
    fn parts_that_are_named_many_times_are_looked_into_once() {
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
