//! Memory of devices that other processes of the host have exported: which of it is mapped here.
//!
//! A mapping stays for the next message from the same allocation, because making one takes much
//! longer than a short copy. Two rules keep it from showing other memory than the sender means:
//!
//! * It belongs to one [`Allocation`], whose number the sender asks its driver for at each message.
//!   Memory that was freed and allocated again at the same address has another number.
//! * A mapping of an allocation that overlaps a new one is closed first: the allocation is gone,
//!   and some drivers refuse two mappings of one range.
//!
//! A refusal is remembered by process and device, so that messages after it do not ask again.

#![allow(unsafe_code)]

use crate::driver::{Allocation, Device, Driver, Export, Failure};

/// The most mappings that are kept. Each keeps memory of the other process alive that it has freed.
const MAPPINGS_MAX: usize = 32;
/// The most refusals that are remembered.
const REFUSALS_MAX: usize = 64;

/// The mappings of this process.
#[derive(Default)]
pub struct Mappings {
    /// Those that are open; the one used last comes last.
    open: Vec<Mapping>,
    refused: Vec<(u64, [u8; 16])>,
}

struct Mapping {
    allocation: Allocation,
    bytes: u64,
    /// The device that reaches it.
    device: Device,
    address: usize,
}

impl Mapping {
    /// Whether an allocation of the same process has addresses of this one.
    fn overlaps(&self, other: &Allocation, bytes: u64) -> bool {
        let (start, other_start) = (self.allocation.base, other.base);
        self.allocation.process == other.process
            && start < other_start.saturating_add(bytes)
            && other_start < start.saturating_add(self.bytes)
    }
}

impl Mappings {
    pub const fn new() -> Mappings {
        Mappings { open: Vec::new(), refused: Vec::new() }
    }

    /// Copies the first `bytes` bytes of exported data to `to`, which lies in memory of `device`.
    ///
    /// # Safety
    /// Nothing else uses the bytes at `to` during the call.
    ///
    /// # Errors
    /// If the export ends before, or the device does not reach it.
    pub unsafe fn read(
        &mut self,
        driver: &dyn Driver,
        export: &Export,
        device: &Device,
        to: usize,
        bytes: usize,
    ) -> Result<(), Failure> {
        let fits = export.offset.checked_add(bytes as u64).is_some_and(|end| end <= export.bytes);
        if !fits {
            return Err(Failure("the data go beyond the allocation".into()));
        }
        let from = self.address_of(driver, export, device)? + export.offset as usize;
        // SAFETY: the mapping has `export.bytes` bytes, among which those of the data are; the
        // other side by the caller's promise.
        let copied = unsafe { driver.copy_within(device, to, from, bytes) };
        if copied.is_err() {
            // The mapping may have gone with its context. The next message makes another one.
            self.close(driver, |mapping| mapping.allocation == export.allocation);
        }
        copied
    }

    /// Returns where a device reaches an allocation of another process.
    fn address_of(
        &mut self,
        driver: &dyn Driver,
        export: &Export,
        device: &Device,
    ) -> Result<usize, Failure> {
        let allocation = export.allocation;
        let is_it = |mapping: &Mapping| {
            mapping.allocation == allocation
                && mapping.device.ordinal == device.ordinal
                && mapping.device.context == device.context
        };
        if let Some(found) = self.open.iter().position(is_it) {
            let mapping = self.open.remove(found);
            let address = mapping.address;
            self.open.push(mapping);
            return Ok(address);
        }
        let refusal = (allocation.process, export.device);
        if self.refused.contains(&refusal) {
            return Err(Failure("the driver has refused before".into()));
        }
        self.close(driver, |mapping| {
            mapping.allocation != allocation && mapping.overlaps(&allocation, export.bytes)
        });
        if self.open.len() >= MAPPINGS_MAX {
            let oldest = self.open.remove(0);
            driver.close(&oldest.device, oldest.address);
        }
        let address = driver.open(device, &export.handle).inspect_err(|_| {
            if self.refused.len() == REFUSALS_MAX {
                self.refused.remove(0);
            }
            self.refused.push(refusal);
        })?;
        self.open.push(Mapping {
            allocation,
            bytes: export.bytes,
            device: device.clone(),
            address,
        });
        Ok(address)
    }

    /// Closes the mappings for which `ends` returns true.
    fn close(&mut self, driver: &dyn Driver, ends: impl Fn(&Mapping) -> bool) {
        self.open.retain(|mapping| {
            let ends = ends(mapping);
            if ends {
                driver.close(&mapping.device, mapping.address);
            }
            !ends
        });
    }

    /// Closes all mappings.
    pub fn close_all(&mut self, driver: &dyn Driver) {
        self.close(driver, |_| true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::{Direction, Handle, Kind, Piece, Place};
    use std::sync::Mutex;

    /// A driver that notes what it opens, closes and copies from.
    #[derive(Default)]
    struct Noting(Mutex<Vec<String>>);

    impl Noting {
        fn note(&self, what: String) {
            self.0.lock().unwrap().push(what);
        }
        fn told(&self) -> Vec<String> {
            std::mem::take(&mut self.0.lock().unwrap())
        }
    }

    impl Driver for Noting {
        fn place(&self, _: usize) -> Place {
            Place::Host
        }
        unsafe fn copy(
            &self,
            _: &Device,
            _: Direction,
            _: &mut dyn Iterator<Item = Piece>,
        ) -> Result<(), Failure> {
            Ok(())
        }
        fn open(&self, _: &Device, handle: &Handle) -> Result<usize, Failure> {
            self.note(format!("open {}", handle[0]));
            if handle[0] == 0 {
                Err(Failure("no".into()))
            } else {
                Ok(usize::from(handle[0]) << 20)
            }
        }
        fn close(&self, _: &Device, address: usize) {
            self.note(format!("close {}", address >> 20));
        }
        unsafe fn copy_within(
            &self,
            _: &Device,
            _: usize,
            from: usize,
            bytes: usize,
        ) -> Result<(), Failure> {
            self.note(format!("copy {}+{} {bytes}", from >> 20, from & 0xfffff));
            Ok(())
        }
    }

    fn device(ordinal: i32) -> Device {
        Device { vendor: "CUDA", kind: Kind::Device, ordinal, context: 7, range: (0, 1 << 20) }
    }

    /// Bytes 100 to 4096 of allocation `number` at `base` in process 9, with handle `handle`.
    fn export(base: u64, number: u64, handle: u8) -> Export {
        Export {
            allocation: Allocation { process: 9, base, number },
            bytes: 4096,
            offset: 100,
            device: [5; 16],
            handle: [handle; 64],
        }
    }

    fn read(
        mappings: &mut Mappings,
        driver: &Noting,
        export: Export,
        bytes: usize,
    ) -> Result<(), Failure> {
        // SAFETY: the driver copies nothing.
        unsafe { mappings.read(driver, &export, &device(0), 0x1000, bytes) }
    }

    #[test]
    fn a_mapping_serves_the_next_message_and_no_other_allocation() {
        let (mut mappings, driver) = (Mappings::new(), Noting::default());
        read(&mut mappings, &driver, export(0x4000, 1, 3), 8).unwrap();
        read(&mut mappings, &driver, export(0x4000, 1, 3), 3996).unwrap();
        assert_eq!(driver.told(), ["open 3", "copy 3+100 8", "copy 3+100 3996"]);
        // The memory was freed, and the next allocation has its address, or a part of it.
        read(&mut mappings, &driver, export(0x4000, 2, 4), 8).unwrap();
        read(&mut mappings, &driver, export(0x4fff, 3, 5), 8).unwrap();
        let told = ["close 3", "open 4", "copy 4+100 8", "close 4", "open 5", "copy 5+100 8"];
        assert_eq!(driver.told(), told);
        read(&mut mappings, &driver, export(0x6000, 4, 6), 8).unwrap();
        assert_eq!(driver.told(), ["open 6", "copy 6+100 8"], "the others stay open");
        mappings.close_all(&driver);
        assert_eq!(driver.told(), ["close 5", "close 6"]);
    }

    #[test]
    fn each_device_has_a_mapping_of_its_own() {
        let (mut mappings, driver) = (Mappings::new(), Noting::default());
        for ordinal in [0, 1, 0, 1] {
            // SAFETY: the driver copies nothing.
            let read =
                unsafe { mappings.read(&driver, &export(0, 1, 3), &device(ordinal), 0x1000, 8) };
            read.unwrap();
        }
        assert_eq!(driver.told().iter().filter(|told| *told == "open 3").count(), 2);
    }

    #[test]
    fn a_refusal_is_remembered_and_nothing_is_read_beyond_the_end() {
        let (mut mappings, driver) = (Mappings::new(), Noting::default());
        assert!(read(&mut mappings, &driver, export(0, 1, 0), 8).is_err());
        assert!(read(&mut mappings, &driver, export(0x9000, 2, 7), 8).is_err());
        assert_eq!(driver.told(), ["open 0"]);
        let (mut mappings, beyond) =
            (Mappings::new(), Export { offset: u64::MAX, ..export(0, 1, 3) });
        assert!(read(&mut mappings, &driver, export(0, 1, 3), 3997).is_err());
        assert!(read(&mut mappings, &driver, beyond, 8).is_err());
        assert!(driver.told().is_empty());
    }

    #[test]
    fn the_mapping_used_longest_ago_makes_place() {
        let (mut mappings, driver) = (Mappings::new(), Noting::default());
        for number in 0..MAPPINGS_MAX as u8 {
            let export = export(u64::from(number) << 20, 1, number + 1);
            read(&mut mappings, &driver, export, 8).unwrap();
        }
        read(&mut mappings, &driver, export(0, 1, 1), 8).unwrap();
        driver.told();
        read(&mut mappings, &driver, export(1 << 40, 1, 99), 8).unwrap();
        assert_eq!(driver.told(), ["close 2", "open 99", "copy 99+100 8"]);
    }
}
