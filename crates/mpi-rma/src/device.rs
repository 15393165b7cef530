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
use nemesis_datatype::{LocalTarget, MemoryRegion};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a window: their offset and their number.
pub type Run = (usize, usize);

/// Copies between memory of a device and its shadow.
pub trait DeviceMemory: Debug + Send + Sync {
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
    /// Memory of a device at this address, and its shadow.
    Device {
        /// Its address on the device.
        address: usize,
        /// Memory of the host, with as many bytes.
        shadow: MemoryRegion,
        /// What copies between the two.
        memory: Arc<dyn DeviceMemory>,
    },
}

impl Offered {
    /// Returns the address that the program has given.
    pub(crate) fn address(&self) -> usize {
        match self {
            Offered::Host(area) => area.address(),
            Offered::Device { address, .. } => *address,
        }
    }
}

/// Memory of a device that is exposed, with its shadow.
#[derive(Clone, Debug)]
pub(crate) struct Shadowed {
    pub shadow: MemoryRegion,
    pub memory: Arc<dyn DeviceMemory>,
}

impl Shadowed {
    /// Copies bytes `packed` of the data of elements in the shadow from the device.
    pub fn fetch(&self, place: &LocalTarget<'_>, packed: Range<usize>) -> Outcome {
        self.memory.fetch(&mut place.runs(&self.shadow, packed))
    }

    /// Copies bytes `packed` of the data of elements in the shadow to the device.
    pub fn store(&self, place: &LocalTarget<'_>, packed: Range<usize>) -> Outcome {
        self.memory.store(&mut place.runs(&self.shadow, packed))
    }
}
