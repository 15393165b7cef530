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
//!
//! Memory that a process attaches to a dynamic window has one shadow ([`AttachedDevices`]), which
//! spans all of it, with the gaps between: so an access may touch several regions, as in memory of
//! the host. The directory tells other processes of the node to ask for what lies there.

use crate::error::Outcome;
use nemesis_datatype::{Datatype, LocalTarget, MemoryRegion, Ranges};
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

    /// Returns the memory of devices that lies somewhere among the `bytes` bytes from `address` on,
    /// with a shadow of its own.
    ///
    /// # Errors
    /// If there is no memory for the shadow.
    fn spanning(&self, address: usize, bytes: usize) -> Outcome<Arc<dyn DeviceMemory>>;

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

/// The memory of devices that a process has attached to a dynamic window.
#[derive(Clone, Debug, Default)]
pub struct AttachedDevices {
    ranges: Ranges,
    /// What spans all of them.
    memory: Option<Arc<dyn DeviceMemory>>,
}

impl AttachedDevices {
    /// Combines regions.
    ///
    /// # Errors
    /// If there is no memory for the shadow.
    pub fn of(regions: &[Arc<dyn DeviceMemory>]) -> Outcome<AttachedDevices> {
        let range = |region: &Arc<dyn DeviceMemory>| (region.address(), region.shadow().bytes());
        let ranges: Ranges = regions.iter().map(range).collect();
        let memory = match regions {
            [] => None,
            [one] => Some(one.clone()),
            [some, ..] => {
                let start = ranges.iter().map(|(start, _)| start).min().unwrap_or(0);
                let end = ranges.iter().map(|(start, bytes)| start + bytes).max().unwrap_or(start);
                Some(some.spanning(start, end - start)?)
            }
        };
        Ok(AttachedDevices { ranges, memory })
    }

    /// Returns how many bytes are attached.
    pub fn bytes(&self) -> usize {
        self.ranges.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Returns the shadow of the elements at `address`, and whose it is, if all of their data are
    /// attached.
    pub fn resolve(
        &self,
        address: i64,
        count: i64,
        datatype: &Datatype,
    ) -> Option<(LocalTarget<'_>, &dyn DeviceMemory)> {
        let memory = self.memory.as_deref()?;
        if !self.ranges.cover(address, count, datatype) {
            return None;
        }
        let offset = address.wrapping_sub(memory.address() as i64);
        Some((memory.shadow().resolve(offset, count, datatype)?, memory))
    }
}

/// The memory that a program gives to a window.
#[derive(Clone, Debug)]
pub enum Offered {
    /// Memory of the host.
    Host(MemoryRegion),
    /// Memory of a device.
    Device(Arc<dyn DeviceMemory>),
}

impl Offered {
    /// Returns the first address.
    pub fn address(&self) -> usize {
        match self {
            Offered::Host(area) => area.address(),
            Offered::Device(memory) => memory.address(),
        }
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Offered::Host(area) => area.bytes(),
            Offered::Device(memory) => memory.shadow().bytes(),
        }
    }
}
