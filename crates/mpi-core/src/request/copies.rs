//! Copies that take the place of a program's buffers in an operation.

use crate::error::Outcome;
use std::fmt::Debug;

/// Copies of buffers that an operation cannot use as they are: array sections of Fortran, and
/// memory of devices.
///
/// The methods run with the engine locked, so they must not call MPI. The copies are no longer used
/// when the value is dropped.
pub trait Copies: Debug + Send + Sync {
    /// Copies the program's buffers again, before a persistent operation starts.
    ///
    /// # Errors
    /// If the buffers cannot be read.
    fn fill(&self) -> Outcome;

    /// Copies the results into the program's buffers, when the operation is complete.
    ///
    /// # Errors
    /// If the buffers cannot be written.
    fn return_results(&self) -> Outcome;

    /// Does what [`return_results`](Copies::return_results) does for a receive that has got `bytes`
    /// bytes.
    ///
    /// # Errors
    /// If the buffer cannot be written.
    fn return_received(&self, bytes: usize) -> Outcome {
        let _ = bytes;
        self.return_results()
    }

    /// Does what [`fill`](Copies::fill) does for the bytes `from..to` of the packed stream of a
    /// partitioned buffer.
    ///
    /// # Errors
    /// If the buffer cannot be read.
    fn fill_part(&self, from: usize, to: usize) -> Outcome {
        let _ = (from, to);
        self.fill()
    }

    /// Does what [`return_results`](Copies::return_results) does for the bytes `from..to` of the
    /// packed stream of a partitioned buffer.
    ///
    /// # Errors
    /// If the buffer cannot be written.
    fn return_part(&self, from: usize, to: usize) -> Outcome {
        let _ = (from, to);
        self.return_results()
    }
}
