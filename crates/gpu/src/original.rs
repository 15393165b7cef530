//! The memory of a device for which a copy in the host's memory stands.

#![allow(unsafe_code)]

use crate::driver::{Device, Direction, Export, Failure, Piece};
use nemesis_sync::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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
    is_sent: bool,
    /// Of data to send: whether the copy has them. Of received data: whether they are on the
    /// device.
    is_done: AtomicBool,
    /// Why received data could not be written.
    failure: Mutex<Option<Failure>>,
}

impl Original {
    /// Describes data that are sent, and that the copy does not have yet. `export` tells how other
    /// processes reach them, if they do.
    ///
    /// # Safety
    /// O1 for the range, an address and a number of bytes.
    pub unsafe fn to_send(
        device: Device,
        (address, bytes): (usize, usize),
        export: Option<Export>,
    ) -> Original {
        let (is_done, failure) = (AtomicBool::new(false), Mutex::default());
        Original { device, address, bytes, export, is_sent: true, is_done, failure }
    }

    /// Describes memory that receives data.
    ///
    /// # Safety
    /// O1 for the range, an address and a number of bytes.
    pub unsafe fn to_receive(device: Device, (address, bytes): (usize, usize)) -> Original {
        let (is_done, failure) = (AtomicBool::new(false), Mutex::default());
        Original { device, address, bytes, export: None, is_sent: false, is_done, failure }
    }

    /// Returns the device, and where the range begins.
    pub fn place(&self) -> (&Device, usize) {
        (&self.device, self.address)
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns how other processes reach the data to send.
    pub fn export(&self) -> Option<&Export> {
        self.export.as_ref()
    }

    /// Returns whether these are data to send that the copy does not have.
    pub fn is_pending(&self) -> bool {
        self.is_sent && !self.is_done()
    }

    /// Returns whether this is memory that receives.
    pub fn receives(&self) -> bool {
        !self.is_sent
    }

    /// Returns whether received data are on the device, and not in the copy.
    pub fn has_arrived(&self) -> bool {
        !self.is_sent && self.is_done()
    }

    /// Takes the reason why received data are not on the device.
    pub fn take_failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Begins a new operation on the same memory.
    pub fn renew(&self) {
        // Relaxed: as in `is_done`.
        self.is_done.store(false, Ordering::Relaxed);
        self.take_failure();
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

    /// Pins memory of the host through which the data go in parts, so that copies are faster. It
    /// stays allocated until [`end`](crate::end).
    pub fn pin(&self, part: &[u8]) {
        if let Some(driver) = crate::driver() {
            driver.pin(&self.device, part.as_ptr().expose_provenance(), part.len());
        }
    }

    /// Copies data to send, from byte `from` on, to `into`.
    ///
    /// # Errors
    /// If they end before, or the driver refuses.
    pub fn read(&self, from: usize, into: &mut [u8]) -> Result<(), Failure> {
        let device = self.part(from, into.len())?;
        let host = into.as_mut_ptr().expose_provenance();
        let mut piece = std::iter::once(Piece::run(device, host, into.len()));
        // SAFETY: O1; `into` is exclusively borrowed.
        unsafe { crate::copy(&self.device, Direction::ToHost, &mut piece) }
    }

    /// Receives `bytes` from byte `to` on. A failure is kept until the operation ends.
    pub fn write(&self, to: usize, bytes: &[u8]) {
        let written = self.part(to, bytes.len()).and_then(|device| {
            let host = bytes.as_ptr().expose_provenance();
            let mut piece = std::iter::once(Piece::run(device, host, bytes.len()));
            // SAFETY: O1; `bytes` are only read.
            unsafe { crate::copy(&self.device, Direction::ToDevice, &mut piece) }
        });
        self.done();
        if let Err(failure) = written {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
    }

    /// Receives the first `bytes` bytes of data that another process has exported.
    ///
    /// # Errors
    /// If they are more than the range has, or the driver refuses.
    pub fn import(&self, export: &Export, bytes: usize) -> Result<(), Failure> {
        let to = self.part(0, bytes)?;
        // SAFETY: O1.
        unsafe { crate::import(export, &self.device, to, bytes)? };
        self.done();
        Ok(())
    }

    /// Returns the address of a part of the range.
    fn part(&self, from: usize, bytes: usize) -> Result<usize, Failure> {
        let is_inside = from.checked_add(bytes).is_some_and(|end| end <= self.bytes);
        is_inside.then_some(self.address + from).ok_or_else(too_long)
    }
}

#[cold]
fn too_long() -> Failure {
    Failure("the data are longer than the buffer".into())
}
