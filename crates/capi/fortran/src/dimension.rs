//! The dimensions of array sections.

/// A dimension of an array section.
#[derive(Clone, Copy)]
pub struct Dimension {
    /// Number of elements; -1 for the last dimension of an assumed-size array.
    pub extent: isize,
    /// Bytes from one element to the next.
    pub stride: isize,
}

/// The shape of a buffer, as far as the fast path asks for it.
pub enum Vector {
    Scalar,
    /// A vector with this number of bytes from one element to the next.
    Stride(isize),
    Other,
}
