//! The descriptors of choice buffers in MPICH's `mpi_f08`: those of gfortran from version 8 on.
//!
//! MPICH's module declares no procedure with choice buffers BIND(C), so gfortran passes the
//! descriptors of its own Fortran procedures. Their bounds are those of Fortran, and strides count
//! elements.

use crate::dimension::Dimension;
use std::ffi::{c_int, c_void};

/// The compilers whose descriptors have this layout.
pub const KNOWN_COMPILERS: &str = "gfortran 8 and later";

#[repr(C)]
pub struct Descriptor {
    base: *mut u8,
    _offset: isize,
    element_bytes: usize,
    version: c_int,
    pub rank: u8,
    _type: u8,
    _attribute: i16,
    /// Bytes of one unit of the strides.
    span: isize,
    /// The first of the dimensions, which lie behind the descriptor.
    pub bounds: [Bounds; 0],
}

/// A dimension as the compiler describes it.
#[repr(C)]
pub struct Bounds {
    /// Units from one element to the next.
    stride: isize,
    lower: isize,
    /// -1 for the last dimension of an assumed-size array.
    upper: isize,
}

impl Descriptor {
    /// Returns the dimension that `bounds` describes.
    ///
    /// An array without elements may have any upper bound below its lower one. An array of assumed
    /// size has such a bound, too; both are passed on by their address.
    #[inline]
    pub fn dimension(&self, bounds: &Bounds) -> Dimension {
        let unit = if self.span > 0 { self.span } else { self.element_bytes as isize };
        Dimension { extent: (bounds.upper - bounds.lower + 1).max(0), stride: bounds.stride * unit }
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

    /// Returns the version of a descriptor whose other fields have unknown places. gfortran writes
    /// zero.
    #[inline]
    pub fn unknown_version(&self) -> Option<c_int> {
        (self.version != 0).then_some(self.version)
    }
}

/// A descriptor in a test, with the bounds behind it.
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
    let bounds = dimensions.map(|(extent, stride)| Bounds { stride, lower: 1, upper: extent });
    let head = Descriptor {
        base,
        _offset: 0,
        element_bytes,
        version: 0,
        rank: N as u8,
        _type: 0,
        _attribute: 0,
        span: 1,
        bounds: [],
    };
    Of(head, bounds)
}
