//! Memory of devices in windows.
//!
//! No other process reaches memory of a device, and this process cannot touch it. So the process
//! that exposes it carries out all accesses to it, its own ones included, as it does those of other
//! nodes (`remote`). It carries them out on the *shadow*, a range of its own memory with the size
//! of the window, and copies between the two what an access touches:
//!
//! ```text
//!   request ──> fetch, if it reads ──> access to the shadow ──> store, if it writes
//!               device -> shadow                                shadow -> device
//! ```
//!
//! The shadow holds nothing between two accesses, so kernels may change the memory as those of
//! other processors change memory of a window. Pages of it take memory once they have been used.

use crate::error::Outcome;
use nemesis_datatype::MemoryRegion;
use std::fmt::Debug;
use std::sync::Arc;

/// Bytes of a window: their offset and their number.
pub type Run = (usize, usize);

/// Memory of a device, its shadow, and copies between the two.
pub trait DeviceMemory: Debug + Send + Sync {
    /// Returns the address of the memory on its device.
    fn address(&self) -> usize;

    /// Returns memory of the host, with as many bytes.
    fn shadow(&self) -> &MemoryRegion;

    /// Copies runs from the device to the shadow.
    ///
    /// # Errors
    /// If the driver refuses.
    fn fetch(&self, runs: &mut dyn Iterator<Item = Run>) -> Outcome;

    /// Copies runs from the shadow to the device.
    ///
    /// # Errors
    /// If the driver refuses.
    fn store(&self, runs: &mut dyn Iterator<Item = Run>) -> Outcome;
}

/// The memory that a program gives to a window.
#[derive(Clone, Debug)]
pub enum Offered {
    /// Memory of the host.
    Host(MemoryRegion),
    /// Memory of a device.
    Device(Arc<dyn DeviceMemory>),
}
