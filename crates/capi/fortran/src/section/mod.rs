//! Choice buffers with descriptors (MPI 5.0 §19.1.12): array sections.
//!
//! A contiguous buffer is its address; scalars and vectors are recognised first, inline
//! ([`Descriptor::is_plain`], [`with_sections!`](crate::with_sections)). A section with gaps
//! reaches the C library in one of two ways:
//!
//! - a blocking call gets a contiguous copy of the section ([`Copied`]); the bytes that the call
//!   changes are copied back;
//! - any other call gets one element of a datatype that describes the section ([`Typed`]). The C
//!   library keeps a freed datatype while an operation uses it.
//!
//! Calls whose datatype must be predefined, or which take arrays of counts, have no such datatype.
//! Their non-blocking and persistent forms get a copy that lives until the operation is complete
//! ([`deferred`]). Partitioned operations, whose parts become ready one by one, and calls that keep
//! the memory, such as `MPI_Win_create`, take contiguous buffers only ([`Contiguous`]).

mod datatype;
pub mod deferred;

use crate::abi::LIBRARY;
pub use crate::descriptor::Descriptor;
use crate::descriptor::KNOWN_COMPILERS;
pub use crate::dimension::Dimension;
use crate::dimension::Vector;
use crate::error;
use crate::kind::DATATYPE;
use crate::places;
use crate::types::{Fint, Wide, give, handle};
use std::ffi::{c_int, c_void};
use std::slice;

/// Defines a procedure of `mpi_f08` that takes descriptors and passes the addresses of the first
/// elements on.
#[macro_export]
macro_rules! with_bases {
    ($name:ident($($argument:ident: $type:ty),*); $($statement:tt)*) => {
        $crate::procedure!($name($($argument: $type),*); $($statement)*);
    };
}

/// Defines a procedure of `mpi_f08` that takes descriptors. Buffers without gaps are passed to the
/// procedure of `mpif.h` that takes addresses; the statements serve sections with gaps.
#[macro_export]
macro_rules! with_sections {
    ($name:ident($($argument:ident: $type:ty),*) by $plain:ident($($buffer:ident),*);
        $($statement:tt)*) => {
        unsafe extern "C" fn $name($($argument: $type),*) {
            #[cold]
            #[inline(never)]
            unsafe extern "C" fn sections($($argument: $type),*) {
                unsafe {
                    if $((*$buffer).has_no_gaps())&&* {
                        $(let $buffer = (*$buffer).base();)*
                        return $plain($($argument),*);
                    }
                    $($statement)*
                }
            }
            unsafe {
                if $((*$buffer).is_plain())&&* {
                    $(let $buffer = (*$buffer).base();)*
                    $plain($($argument),*)
                } else {
                    sections($($argument),*)
                }
            }
        }
    };
}

impl Descriptor {
    /// Returns true for most scalars and vectors without gaps: those in a descriptor of a known
    /// version for which no constant stands. False means nothing.
    #[inline]
    pub fn is_plain(&self) -> bool {
        let has_no_gaps = match self.vector_stride() {
            Vector::Scalar => true,
            Vector::Stride(bytes) => bytes == self.element_bytes() as isize,
            Vector::Other => false,
        };
        has_no_gaps
            && self.unknown_version().is_none()
            && !places::is_candidate(self.base() as usize)
    }

    /// Returns true for a scalar or an array without gaps, in a descriptor of a known version.
    pub fn has_no_gaps(&self) -> bool {
        self.unknown_version().is_none() && self.is_contiguous()
    }

    #[inline]
    fn vector_stride(&self) -> Vector {
        match self.rank {
            0 => Vector::Scalar,
            // SAFETY: the compiler wrote one dimension behind the descriptor.
            1 => Vector::Stride(self.dimension(unsafe { &*self.bounds.as_ptr() }).stride),
            _ => Vector::Other,
        }
    }

    fn dimensions(&self) -> impl Iterator<Item = Dimension> {
        // SAFETY: the compiler wrote `rank` dimensions behind the descriptor.
        let bounds = unsafe { slice::from_raw_parts(self.bounds.as_ptr(), self.rank.into()) };
        bounds.iter().map(|of| self.dimension(of))
    }

    fn is_contiguous(&self) -> bool {
        let mut expected = self.element_bytes() as isize;
        let mut gaps = false;
        for dimension in self.dimensions() {
            match dimension.extent {
                0 => return true,
                -1 => break,
                1 => {}
                extent => {
                    gaps |= dimension.stride != expected;
                    expected = expected.wrapping_mul(extent);
                }
            }
        }
        !gaps
    }

    /// Returns the number of bytes of all elements.
    fn bytes(&self) -> usize {
        self.dimensions().map(|dimension| dimension.extent as usize).product::<usize>()
            * self.element_bytes()
    }

    /// Calls `visit` with the displacement of each run of elements without gaps.
    fn for_each_run(&self, visit: impl FnMut(isize, usize)) {
        let dimensions: Vec<Dimension> = self.dimensions().collect();
        for_each_run(self.element_bytes(), &dimensions, visit);
    }

    /// Refuses a descriptor whose fields have unknown places.
    fn check(&self) -> Result<(), c_int> {
        self.unknown_version().map_or(Ok(()), |version| Err(unknown_version(version)))
    }
}

/// Calls `visit` with the displacement of each run of elements without gaps and the number of its
/// bytes, in array element order.
fn for_each_run(
    element_bytes: usize,
    dimensions: &[Dimension],
    mut visit: impl FnMut(isize, usize),
) {
    let mut run = element_bytes as isize;
    let mut outer = dimensions;
    while let [first, rest @ ..] = outer {
        if first.extent != 1 && first.stride != run {
            break;
        }
        run *= first.extent;
        outer = rest;
    }
    let mut index = vec![0; outer.len()];
    loop {
        let displacement = index.iter().zip(outer).map(|(at, dim)| at * dim.stride).sum();
        visit(displacement, run as usize);
        let mut at = 0;
        loop {
            let Some(dimension) = outer.get(at) else { return };
            index[at] += 1;
            if index[at] < dimension.extent {
                break;
            }
            index[at] = 0;
            at += 1;
        }
    }
}

fn unknown_version(version: c_int) -> c_int {
    error::code(&format!(
        "the program's compiler passes arrays to MPI by descriptors of version {version}, which \
         {LIBRARY} does not know; it knows those of {KNOWN_COMPILERS}. Compile with such a \
         compiler, or use the module mpi, which needs no descriptors"
    ))
}

/// A contiguous copy of a section with gaps.
///
/// An operation may write a part of the section only, while another operation or the program writes
/// the rest. So only the bytes that the operation has changed are copied back: nothing else may
/// write the others of its bytes meanwhile, so those hold what the operation wrote.
struct Packed {
    base: *mut u8,
    element_bytes: usize,
    dimensions: Vec<Dimension>,
    bytes: Vec<u128>,
    /// The bytes when the section was copied, if the operation writes it.
    before: Option<Vec<u128>>,
}

impl Packed {
    fn new(descriptor: &Descriptor, is_written: bool) -> Packed {
        let mut packed = Packed {
            base: descriptor.base().cast(),
            element_bytes: descriptor.element_bytes(),
            dimensions: descriptor.dimensions().collect(),
            bytes: vec![0; descriptor.bytes().div_ceil(16)],
            before: is_written.then(Vec::new),
        };
        packed.pack();
        packed
    }

    /// Copies the section.
    fn pack(&mut self) {
        let (base, mut to) = (self.base, self.bytes.as_mut_ptr().cast::<u8>());
        for_each_run(self.element_bytes, &self.dimensions, |displacement, run| {
            // SAFETY: the run lies in the section, and the copy has a place for each of them.
            unsafe {
                to.copy_from_nonoverlapping(base.offset(displacement), run);
                to = to.add(run);
            }
        });
        if let Some(before) = &mut self.before {
            before.clone_from(&self.bytes);
        }
    }

    /// Copies what the operation has changed back into the section.
    fn unpack(&self) {
        let Some(before) = &self.before else { return };
        let (base, mut offset) = (self.base, 0);
        let (now, before) = (self.bytes.as_ptr().cast::<u8>(), before.as_ptr().cast::<u8>());
        for_each_run(self.element_bytes, &self.dimensions, |displacement, run| {
            // SAFETY: as in `pack`.
            unsafe {
                let now = slice::from_raw_parts(now.add(offset), run);
                let before = slice::from_raw_parts(before.add(offset), run);
                write_changes(base.offset(displacement), now, before);
            }
            offset += run;
        });
    }
}

/// Writes each byte of `now` that differs from that of `before`, and touches no other byte.
///
/// # Safety
/// `to` points to as many bytes as both slices have.
unsafe fn write_changes(to: *mut u8, now: &[u8], before: &[u8]) {
    const WORD_BYTES: usize = size_of::<u64>();
    let words = now.chunks(WORD_BYTES).zip(before.chunks(WORD_BYTES));
    for (index, (now, before)) in words.enumerate().filter(|(_, (now, before))| now != before) {
        for (at, (byte, before)) in now.iter().zip(before).enumerate() {
            if byte != before {
                // SAFETY: the caller's promise.
                unsafe { to.add(index * WORD_BYTES + at).write(*byte) };
            }
        }
    }
}

/// A buffer of which a section with gaps is copied.
struct Place {
    base: *mut c_void,
    packed: Option<Packed>,
}

impl Place {
    /// # Safety
    /// `descriptor` describes memory of the program.
    unsafe fn new(descriptor: *const Descriptor, is_written: bool) -> Result<Place, c_int> {
        // SAFETY: the caller's promise.
        let descriptor = unsafe { &*descriptor };
        descriptor.check()?;
        let packed = (!descriptor.is_contiguous()).then(|| Packed::new(descriptor, is_written));
        Ok(Place { base: descriptor.base(), packed })
    }

    fn address(&mut self) -> *mut c_void {
        self.packed.as_mut().map_or(self.base, |packed| packed.bytes.as_mut_ptr().cast())
    }

    fn unpack(&self) {
        if let Some(packed) = &self.packed {
            packed.unpack();
        }
    }
}

/// The buffer of a blocking call.
pub struct Copied(Place);

impl Copied {
    /// Copies a section with gaps. `is_written`: the call writes the buffer.
    ///
    /// # Safety
    /// `descriptor` describes memory of the program.
    pub unsafe fn new(descriptor: *const Descriptor, is_written: bool) -> Result<Copied, c_int> {
        // SAFETY: the caller's promise.
        Ok(Copied(unsafe { Place::new(descriptor, is_written)? }))
    }

    pub fn address(&mut self) -> *mut c_void {
        self.0.address()
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        self.0.unpack();
    }
}

/// A count, of which an operation may need one.
pub trait Count: Wide {
    const ONE: Self;
}

impl Count for c_int {
    const ONE: c_int = 1;
}

impl Count for i64 {
    const ONE: i64 = 1;
}

/// The buffer of an operation that goes on after the call, with its count and datatype.
pub struct Typed<C> {
    base: *mut c_void,
    count: C,
    datatype: Fint,
    is_made: bool,
}

impl<C: Count> Typed<C> {
    /// Describes a section with gaps by a datatype.
    ///
    /// # Safety
    /// `descriptor` describes memory of the program, `count` and `datatype` point to integers.
    pub unsafe fn new(
        descriptor: *const Descriptor,
        count: *const C,
        datatype: *const Fint,
    ) -> Result<Typed<C>, c_int> {
        // SAFETY: the caller's promise.
        let (descriptor, count, number) = unsafe { (&*descriptor, *count, *datatype) };
        let base = descriptor.base();
        descriptor.check()?;
        if descriptor.is_contiguous() || count.wide() <= 0 {
            return Ok(Typed { base, count, datatype: number, is_made: false });
        }
        // SAFETY: the caller's promise.
        let made = datatype::of_section(descriptor, count.wide(), unsafe {
            handle::<DATATYPE>(datatype)
        })?;
        let mut number = 0;
        // SAFETY: the place is a local variable.
        unsafe { give(&mut number, made.commit()?) };
        Ok(Typed { base, count: C::ONE, datatype: number, is_made: true })
    }

    pub fn address(&self) -> *mut c_void {
        self.base
    }

    pub fn count(&mut self) -> *mut C {
        &mut self.count
    }

    pub fn datatype(&mut self) -> *mut Fint {
        &mut self.datatype
    }
}

impl<C> Drop for Typed<C> {
    fn drop(&mut self) {
        if self.is_made {
            // SAFETY: the place is a local variable.
            unsafe {
                let mut made = handle::<DATATYPE>(&self.datatype);
                crate::c::PMPI_Type_free(&mut made);
            }
        }
    }
}

/// A buffer that must be contiguous: the reason.
#[derive(Clone, Copy)]
pub enum Contiguous {
    /// The operation is partitioned.
    Parts,
    /// MPI uses the memory after the call: it is that of a window, or holds buffered messages.
    Memory,
}

impl Contiguous {
    /// Returns the address of the buffer of the procedure `name`.
    ///
    /// # Safety
    /// `descriptor` describes memory of the program.
    pub unsafe fn address(
        self,
        descriptor: *const Descriptor,
        name: &str,
    ) -> Result<*mut c_void, c_int> {
        // SAFETY: the caller's promise.
        let descriptor = unsafe { &*descriptor };
        descriptor.check()?;
        if descriptor.is_contiguous() {
            return Ok(descriptor.base());
        }
        let reason = match self {
            Contiguous::Parts => {
                "The parts of a partitioned operation become ready one by one, so neither a \
                 datatype nor a copy can stand for the section"
            }
            Contiguous::Memory => {
                "MPI uses all bytes from the first element on, so the gaps, which are other \
                 elements of the array, would be overwritten"
            }
        };
        Err(error::code(&format!(
            "{name} got an array section with gaps. {reason}. Pass a contiguous array"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::of;
    use std::slice;

    #[test]
    fn contiguous_arrays_are_recognised() {
        let null = std::ptr::null_mut();
        assert!(of(null, 4, []).0.is_contiguous());
        assert!(of(null, 4, [(10, 4)]).0.is_contiguous());
        assert!(of(null, 4, [(3, 4), (-1, 12)]).0.is_contiguous(), "assumed size");
        assert!(of(null, 4, [(3, 8), (0, 99)]).0.is_contiguous(), "no elements");
        assert!(of(null, 4, [(1, 400), (5, 4)]).0.is_contiguous(), "one element");
        assert!(!of(null, 4, [(10, 8)]).0.is_contiguous());
        assert!(!of(null, 4, [(10, -4)]).0.is_contiguous());
        assert!(!of(null, 4, [(3, 4), (2, 16)]).0.is_contiguous());
    }

    #[test]
    fn a_section_is_copied_there_and_back() {
        let mut memory: Vec<u8> = (0..24).collect();
        // Columns 0 and 2 of three columns, every second element of a column of eight.
        let section = of(memory.as_mut_ptr(), 1, [(4, 2), (2, 16)]);
        // SAFETY: the descriptor describes the vector.
        let mut copied =
            unsafe { Copied::new(&raw const section.0, true) }.expect("a known version");
        // SAFETY: the copy has eight bytes.
        let copy = unsafe { slice::from_raw_parts_mut(copied.address().cast::<u8>(), 8) };
        assert_eq!(copy, [0, 2, 4, 6, 16, 18, 20, 22]);
        copy.fill(99);
        drop(copied);
        assert_eq!(memory.iter().filter(|&&byte| byte == 99).count(), 8);
        assert_eq!((memory[1], memory[2], memory[15], memory[22]), (1, 99, 15, 99));
    }
}
