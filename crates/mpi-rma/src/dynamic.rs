//! Dynamic windows: memory that processes attach and detach (MPI 5.0 §12.2.4).
//!
//! An access to a dynamic window names an address of the target. Each process lists its attached
//! regions in a directory (`nemesis::directory`), so that an access never reaches memory that is
//! not attached. Processes of the node read the directory before each access: one load, unless the
//! list has changed. AM requests need no directory; the target checks them against its own list.
//!
//! An access is carried out if all of its data lie in attached memory. Adjacent regions count as
//! one, and the data may be spread over several regions.

use super::elements::Sharing;
use super::target::{Spot, Target, no_memory};
use crate::abi;
use crate::error::{Error, Outcome};
use nemesis::Memory;
use nemesis::directory::{Directory, Full, Reader};
use nemesis_datatype::{Datatype, MemoryRegion, Ranges, is_inside};

/// The memory that this process has attached to a window.
#[derive(Debug)]
pub(super) struct Attached {
    directory: Directory,
    pub areas: Vec<MemoryRegion>,
}

impl Attached {
    /// Makes an empty list. Fails if the shared heap is full.
    pub fn new(memory: &mut Memory) -> Outcome<Attached> {
        let directory = Directory::new(memory).map_err(|refusal| no_memory(&refusal))?;
        Ok(Attached { directory, areas: Vec::new() })
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
    pub fn add(&mut self, area: MemoryRegion) -> Outcome {
        let (start, end) = (area.address(), area.address().saturating_add(area.bytes()));
        let overlap = self
            .areas
            .iter()
            .find(|other| start < other.address() + other.bytes() && other.address() < end);
        if let Some(other) = overlap {
            let why = format!(
                "{} bytes at {start:#x} overlap the {} bytes at {:#x} that are attached",
                area.bytes(),
                other.bytes(),
                other.address()
            );
            return Err(Error::new(abi::MPI_ERR_RMA_ATTACH, why)
                .advise("detach the other first, or attach both as one"));
        }
        self.directory.offer(start as u64, area.bytes()).map_err(|Full| {
            Error::new(
                abi::MPI_ERR_RMA_ATTACH,
                format!("{} regions are attached, which is the maximum", self.areas.len()),
            )
            .advise("detach some, or attach adjacent regions as one")
        })?;
        self.areas.push(area);
        Ok(())
    }

    /// Removes the region that begins at `base`. Fails if none does.
    pub fn remove(&mut self, base: usize) -> Outcome {
        let index = self.areas.iter().position(|area| area.address() == base).ok_or_else(|| {
            Error::new(abi::MPI_ERR_RMA_ATTACH, format!("no attached memory begins at {base:#x}"))
                .advise("pass the base that was attached")
        })?;
        let area = self.areas.swap_remove(index);
        self.directory.withdraw(base as u64, area.bytes());
        Ok(())
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
}

impl Listed {
    /// Refers to the directory at `offset`, which is mapped on the first access.
    pub fn new(offset: u64) -> Listed {
        Listed { offset, reader: None }
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
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(
                Reader::new(memory, process, self.offset).map_err(|refusal| no_memory(&refusal))?,
            ),
        };
        let regions = reader.ranges();
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
