//! The dimensions of array sections.

/// A dimension of an array section.
#[derive(Clone, Copy)]
pub struct Dimension {
    /// Number of elements; -1 for the last dimension of an assumed-size array.
    pub extent: isize,
    /// Bytes from one element to the next.
    pub stride: isize,
}
