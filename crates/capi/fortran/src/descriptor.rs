//! The descriptors of choice buffers in `mpi_f08`: ISO_Fortran_binding.h's `CFI_cdesc_t`.
//!
//! gfortran and flang agree in the address, the element length, the rank and the dimensions, and
//! nothing else is read: the type of the elements says nothing about the MPI datatype.

use crate::dimension::Dimension;
use std::ffi::{c_int, c_void};
use std::ops::RangeInclusive;

/// The compilers whose descriptors have this layout.
pub const KNOWN_COMPILERS: &str = "gfortran and LLVM flang";

/// The versions that gfortran writes into descriptors: 0 until release 11, which makes them of its
/// own descriptors and does not set this field, then 1.
const GFORTRAN_VERSIONS: RangeInclusive<c_int> = 0..=1;

/// The version that LLVM flang writes into descriptors.
const FLANG_VERSION: c_int = 20_180_515;

#[repr(C)]
pub struct Descriptor {
    base: *mut u8,
    element_bytes: usize,
    version: c_int,
    pub rank: u8,
    // Type and attribute, in another order by each compiler.
    _others: [u8; 3],
    /// The first of the dimensions, which lie behind the descriptor.
    pub bounds: [Bounds; 0],
}

/// A dimension as the compiler describes it.
#[repr(C)]
pub struct Bounds {
    _lower: isize,
    /// Number of elements; -1 for the last dimension of an assumed-size array.
    extent: isize,
    /// Bytes from one element to the next.
    stride: isize,
}

impl Descriptor {
    /// Returns the dimension that `bounds` describes.
    #[inline]
    pub fn dimension(&self, bounds: &Bounds) -> Dimension {
        Dimension { extent: bounds.extent, stride: bounds.stride }
    }

    #[inline]
    pub fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    /// Returns the address of the first element.
    #[inline]
    pub fn base(&self) -> *mut c_void {
        self.base.cast()
    }

    /// Returns the version of a descriptor whose other fields have unknown places.
    #[inline]
    pub fn unknown_version(&self) -> Option<c_int> {
        let is_known = GFORTRAN_VERSIONS.contains(&self.version) || self.version == FLANG_VERSION;
        (!is_known).then_some(self.version)
    }
}

/// A descriptor in a test, with the dimensions behind it.
#[cfg(test)]
#[repr(C)]
pub struct Of<const N: usize>(pub Descriptor, [Bounds; N]);

/// Returns the descriptor of an array with dimensions of these extents and strides.
#[cfg(test)]
pub fn of<const N: usize>(
    base: *mut u8,
    element_bytes: usize,
    dimensions: [(isize, isize); N],
) -> Of<N> {
    let bounds = dimensions.map(|(extent, stride)| Bounds { _lower: 0, extent, stride });
    let rank = N as u8;
    let head = Descriptor { base, element_bytes, version: 1, rank, _others: [0; 3], bounds: [] };
    Of(head, bounds)
}
