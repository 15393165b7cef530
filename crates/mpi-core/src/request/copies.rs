//! Copies that take the place of a program's buffers in an operation.

use std::fmt::Debug;

/// Copies of buffers that an operation cannot use as they are: array sections of Fortran.
///
/// The methods run with the engine locked, so they must not call MPI. The copies are no longer used
/// when the value is dropped.
pub trait Copies: Debug + Send + Sync {
    /// Copies the program's buffers again, before a persistent operation starts.
    fn fill(&self);

    /// Copies the results into the program's buffers, when the operation is complete.
    fn return_results(&self);
}
