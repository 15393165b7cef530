//! Copies of memory of devices that do not have the data yet.
//!
//! The receiver's device reads the memory, if both processes run on one host and the drivers
//! permit it. Otherwise the copy is filled, at once or when the receiver asks for the bytes, and
//! travels as any message.

use crate::abi;
use crate::error::{Error, Outcome};
use nemesis_datatype::Buffer;
use nemesis_gpu::{Export, Failure, Original};

/// The error of data in memory of a device that the driver does not read.
#[cold]
fn unreadable(original: &Original, failure: &Failure) -> Box<Error> {
    let (device, address) = original.place();
    let bytes = original.bytes();
    let why = format!(
        "{bytes} bytes at {address:#x}, {device}, cannot be read: the driver says {failure}"
    );
    Error::new(abi::MPI_ERR_BUFFER, why).advise(
        "look whether the memory was freed before the send was complete, or a kernel has failed \
         before (cuda-memcheck, compute-sanitizer)",
    )
}

/// Returns how other processes reach the data of a buffer, if they are not in its copy yet.
pub(crate) fn export_of(buffer: &Buffer) -> Option<&Export> {
    buffer.original()?.pending()
}

/// Fills the copy of a buffer whose data are not there yet.
///
/// # Errors
/// If the driver refuses.
pub(crate) fn fill(buffer: &Buffer) -> Outcome {
    match buffer.original().filter(|original| original.pending().is_some()) {
        Some(original) => buffer.fetch_original().map_err(|why| unreadable(original, &why)),
        None => Ok(()),
    }
}
