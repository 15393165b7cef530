//! Dynamic windows: memory that processes attach and detach (MPI 5.0 §12.2.4).
//!
//! An access to a dynamic window names an address of the target. Each process lists its attached
//! regions in a directory (`nemesis::directory`), so that an access never reaches memory that is
//! not attached. Processes of the node read the directory before each access: one load, unless the
//! list has changed. AM requests need no directory; the target checks them against its own list.
//!
//! An access is carried out if all of its data lie in attached memory. Adjacent regions count as
//! one, and the data may be spread over several regions.
//!
//! Memory of devices is attached, too. No process of the node reaches it but its owner, so the
//! directory says that the owner is to be asked, and the owner, too, asks itself. An access touches
//! memory of devices or the host's, not both.

use super::device::{AttachedDevices, DeviceMemory, Offered};
use super::elements::Sharing;
use super::target::{Spot, Target, no_memory};
use crate::abi;
use crate::error::{Error, Outcome};
use nemesis::Memory;
use nemesis::directory::{Directory, Full, Reader};
use nemesis_datatype::{Datatype, MemoryRegion, Ranges, is_inside};
use std::sync::Arc;

/// The memory that this process has attached to a window.
#[derive(Debug)]
pub(super) struct Attached {
    directory: Directory,
    pub areas: Vec<MemoryRegion>,
    devices: Vec<Arc<dyn DeviceMemory>>,
}

impl Attached {
    /// Makes an empty list. Fails if the shared heap is full.
    pub fn new(memory: &mut Memory) -> Outcome<Attached> {
        let directory = Directory::new(memory).map_err(|refusal| no_memory(&refusal))?;
        Ok(Attached { directory, areas: Vec::new(), devices: Vec::new() })
    }

    /// Returns the offset in the segment at which other processes find the directory.
    pub fn offset(&self) -> u64 {
        self.directory.offset()
    }

    /// Frees the directory.
    pub fn close(self, memory: &mut Memory) {
        self.directory.close(memory);
    }

    /// Adds a region. Fails if it overlaps another one, or if the directory is full.
    pub fn add(&mut self, offered: Offered) -> Outcome {
        let (start, bytes) = (offered.address(), offered.bytes());
        let end = start.saturating_add(bytes);
        let overlap = self.ranges().find(|&(other, bytes)| start < other + bytes && other < end);
        if let Some((other, its)) = overlap {
            let why = format!(
                "{bytes} bytes at {start:#x} overlap the {its} bytes at {other:#x} that are \
                 attached"
            );
            return Err(Error::new(abi::MPI_ERR_RMA_ATTACH, why)
                .advise("detach the other first, or attach both as one"));
        }
        let told = match &offered {
            Offered::Host(_) => self.directory.offer(start as u64, bytes),
            Offered::Device(_) => self.directory.offer_on_request(start as u64, bytes),
        };
        told.map_err(|Full| {
            Error::new(
                abi::MPI_ERR_RMA_ATTACH,
                format!("{} regions are attached, which is the maximum", self.ranges().count()),
            )
            .advise("detach some, or attach adjacent regions as one")
        })?;
        match offered {
            Offered::Host(area) => self.areas.push(area),
            Offered::Device(memory) => self.devices.push(memory),
        }
        Ok(())
    }

    /// Removes the region that begins at `base`. Fails if none does.
    pub fn remove(&mut self, base: usize) -> Outcome {
        let (_, bytes) = self.ranges().find(|&(start, _)| start == base).ok_or_else(|| {
            Error::new(abi::MPI_ERR_RMA_ATTACH, format!("no attached memory begins at {base:#x}"))
                .advise("pass the base that was attached")
        })?;
        self.areas.retain(|area| area.address() != base);
        self.devices.retain(|memory| memory.address() != base);
        self.directory.withdraw(base as u64, bytes);
        Ok(())
    }

    /// Iterates over start and length of each region.
    fn ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        let devices = self.devices.iter().map(|memory| (memory.address(), memory.shadow().bytes()));
        self.areas.iter().map(|area| (area.address(), area.bytes())).chain(devices)
    }

    /// Returns whether memory of a device is attached.
    pub fn has_devices(&self) -> bool {
        !self.devices.is_empty()
    }

    /// Returns the memory of devices for the list that serves AM requests.
    pub fn devices(&self) -> Outcome<AttachedDevices> {
        AttachedDevices::of(&self.devices)
    }

    /// Returns the memory that an access of this process to itself names, if it is attached.
    pub fn spot(&self, target: &Target) -> Option<Spot<'_>> {
        let place =
            MemoryRegion::resolve_among(&self.areas, target.disp, target.count, &target.datatype)?;
        Some(Spot::Near { place, sharing: Sharing::Kernel })
    }
}

/// The memory that another process of this node has attached.
#[derive(Debug)]
pub(super) struct Listed {
    offset: u64,
    reader: Option<Reader>,
    /// The key of AM requests.
    pub key: u64,
    /// Whether this process has sent AM requests.
    pub is_asked: bool,
}

impl Listed {
    /// Refers to the directory at `offset`, which is mapped on the first access.
    pub fn new(offset: u64, key: u64) -> Listed {
        Listed { offset, reader: None, key, is_asked: false }
    }

    fn reader(&mut self, memory: &Memory, process: u32) -> Outcome<&mut Reader> {
        match &mut self.reader {
            Some(reader) => Ok(reader),
            none => Ok(none.insert(
                Reader::new(memory, process, self.offset).map_err(|refusal| no_memory(&refusal))?,
            )),
        }
    }

    /// Returns whether an access names memory for which the owner has to be asked.
    #[inline]
    pub fn is_owners(&mut self, memory: &Memory, process: u32, target: &Target) -> Outcome<bool> {
        let ranges = self.reader(memory, process)?.on_request();
        let Target { disp, count, ref datatype, .. } = *target;
        Ok(!ranges.is_empty() && target.bytes() > 0 && are_spread(ranges, disp, count, datatype))
    }

    /// Returns whether all data of the elements at `address` lie in attached memory.
    #[inline]
    pub fn covers(
        &mut self,
        memory: &Memory,
        process: u32,
        address: i64,
        count: i64,
        datatype: &Datatype,
    ) -> Outcome<bool> {
        let regions = self.reader(memory, process)?.ranges();
        let inside = |&(start, bytes): &(u64, usize)| {
            is_inside(bytes, address.wrapping_sub(start as i64), count, datatype)
        };
        Ok(regions.iter().any(inside) || are_spread(regions, address, count, datatype))
    }
}

/// Returns whether the data lie in several regions together, for an access that no single region
/// covers.
#[cold]
fn are_spread(regions: &[(u64, usize)], address: i64, count: i64, datatype: &Datatype) -> bool {
    let ranges: Ranges = regions.iter().map(|&(start, bytes)| (start as usize, bytes)).collect();
    ranges.cover(address, count, datatype)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn data_that_are_spread_lie_in_regions_byte_by_byte(
            regions in prop::collection::vec((0..60_u64, 0..30_usize), 0..6),
            address in 0..60_i64, count in 0..3_i64, gap in 0..3_i64,
        ) {
            let byte = Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE");
            let blocks = Datatype::vector(2, 2, 2 + gap, byte).unwrap();
            blocks.commit();
            let mut attached = [false; 200];
            for &(start, bytes) in &regions {
                attached[start as usize..start as usize + bytes].fill(true);
            }
            let places = (0..count).flat_map(|element| {
                let start = address + element * (4 + gap);
                [start, start + 1, start + 2 + gap, start + 3 + gap]
            });
            let expected = places.into_iter().all(|place| attached[place as usize]);
            prop_assert_eq!(are_spread(&regions, address, count, &blocks), expected);
        }
    }
}
