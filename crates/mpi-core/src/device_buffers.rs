//! Long messages from and to memory of devices: the copy that the host has stays empty.
//!
//! The receiver's device reads the memory, if both processes run on one host and the drivers
//! permit it. Otherwise the message travels in parts, which are read from the device one after the
//! other, and written to the receiver's as they arrive: while one is under way, the sender reads
//! the next, and the receiver writes the one before. A message that leaves at once, or is short,
//! goes through the copies.

use crate::abi;
use crate::error::{Error, Outcome};
use nemesis_datatype::Buffer;
use nemesis_gpu::{Failure, Original};

/// The error of data in memory of a device that the driver does not read.
#[cold]
pub(crate) fn unreadable(original: &Original, failure: &Failure) -> Box<Error> {
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

/// Returns the memory of the data of a buffer, if its copy does not have them yet.
pub(crate) fn pending(buffer: &Buffer) -> Option<&Original> {
    original(buffer).filter(|original| original.is_pending())
}

/// Returns the memory for which the copy of a receive stands.
pub(crate) fn received_into(buffer: &Buffer) -> Option<&Original> {
    original(buffer).filter(|original| original.receives())
}

fn original(buffer: &Buffer) -> Option<&Original> {
    if nemesis_gpu::is_on() { buffer.original().map(|original| &**original) } else { None }
}

/// Fills the copy of a buffer whose data are not there yet.
///
/// # Errors
/// If the driver refuses.
pub(crate) fn fill(buffer: &Buffer) -> Outcome {
    match pending(buffer) {
        Some(original) => buffer.fetch_original().map_err(|why| unreadable(original, &why)),
        None => Ok(()),
    }
}
