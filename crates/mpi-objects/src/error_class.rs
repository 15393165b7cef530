//! Classes of errors (MPI 5.0 §9.4).

/// An error class: a predefined one (`abi::MPI_ERR_…`, `abi::MPI_T_ERR_…`), or one that the program
/// has added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ErrorClass(pub i32);

impl ErrorClass {
    /// Returns the value in the standard ABI, which is also an error code of this class.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }
}
