//! The memory of a device for which a copy in the host's memory stands.

#![allow(unsafe_code)]

use crate::driver::{Device, Direction, Export, Failure, Piece};
use nemesis_sync::{AtomicBool, Ordering};

/// One range of memory of a device that an operation sends or receives. The operation has a copy of
/// it in the host's memory, and uses the copy only if the data cannot go from device to device.
///
/// O1, promised at construction: the range is memory of the program that the operation may read, or
/// write if it receives, and nothing else uses it meanwhile.
#[derive(Debug)]
pub struct Original {
    device: Device,
    address: usize,
    bytes: usize,
    /// How other processes reach data that are sent.
    export: Option<Export>,
    /// Of data to send: whether the copy has them. Of received data: whether they are on the
    /// device.
    is_done: AtomicBool,
}

impl Original {
    /// Describes data that are sent, and that the copy does not have yet.
    ///
    /// # Safety
    /// O1.
    pub unsafe fn to_send(
        device: Device,
        address: usize,
        export: Export,
        bytes: usize,
    ) -> Original {
        let (export, is_done) = (Some(export), AtomicBool::new(false));
        Original { device, address, bytes, export, is_done }
    }

    /// Describes memory that receives data.
    ///
    /// # Safety
    /// O1.
    pub unsafe fn to_receive(device: Device, address: usize, bytes: usize) -> Original {
        Original { device, address, bytes, export: None, is_done: AtomicBool::new(false) }
    }

    /// Returns the device, and where the range begins.
    pub fn place(&self) -> (&Device, usize) {
        (&self.device, self.address)
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns how other processes reach data that the copy does not have.
    pub fn pending(&self) -> Option<&Export> {
        self.export.as_ref().filter(|_| !self.is_done())
    }

    /// Returns whether received data are on the device, and not in the copy.
    pub fn has_arrived(&self) -> bool {
        self.export.is_none() && self.is_done()
    }

    /// Begins a new operation on the same memory.
    pub fn renew(&self) {
        // Relaxed: as in `is_done`.
        self.is_done.store(false, Ordering::Relaxed);
    }

    fn is_done(&self) -> bool {
        // Relaxed: only threads that are inside the engine, whose lock orders them, use the value
        // while the operation lasts.
        self.is_done.load(Ordering::Relaxed)
    }

    fn done(&self) {
        // Relaxed: as in `is_done`.
        self.is_done.store(true, Ordering::Relaxed);
    }

    /// Fills the copy, which begins at address `copy`, with the data to send.
    ///
    /// # Safety
    /// `bytes` bytes there are writable, and nothing else uses them during the call.
    ///
    /// # Errors
    /// If the driver refuses.
    pub unsafe fn fetch(&self, copy: usize) -> Result<(), Failure> {
        let mut piece = std::iter::once(Piece::run(self.address, copy, self.bytes));
        // SAFETY: O1, and the caller's promise.
        unsafe { crate::copy(&self.device, Direction::ToHost, &mut piece)? };
        self.done();
        Ok(())
    }

    /// Receives the first `bytes` bytes of data that another process has exported.
    ///
    /// # Errors
    /// If they are more than the range has, or the driver refuses.
    pub fn import(&self, export: &Export, bytes: usize) -> Result<(), Failure> {
        if bytes > self.bytes {
            return Err(Failure("the data are longer than the buffer".into()));
        }
        // SAFETY: O1.
        unsafe { crate::import(export, &self.device, self.address, bytes)? };
        self.done();
        Ok(())
    }
}
