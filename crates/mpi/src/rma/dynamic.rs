//! Dynamic windows: memory that processes attach and detach by themselves (MPI 5.0 §12.2.4).
//!
//! Whoever accesses a dynamic window names an address of the target's. So that it never reaches memory that was not offered, each process lists its regions
//! in a directory (`nemesis::directory`), which its neighbours look into before each access: a load, unless something has changed. Those who have to ask
//! the target need no list; it looks at what it has attached itself.
//!
//! An access is carried out if all of its data lie in attached memory: regions that lie side by side
//! count as one, and data may be spread over several.

use super::window::{Spot, Target, Window, no_memory};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis::Memory;
use nemesis::directory::{Directory, Full, Reader};
use nemesis_datatype::{Area, Datatype, Ranges, is_inside};

/// What a process has attached.
#[derive(Debug)]
pub(super) struct Attached {
    directory: Directory,
    areas: Vec<Area>,
}

impl Attached {
    /// Nothing yet.
    pub fn new(memory: &mut Memory) -> Outcome<Attached> {
        let directory = Directory::new(memory).map_err(|refusal| no_memory(&refusal))?;
        Ok(Attached { directory, areas: Vec::new() })
    }

    /// Where neighbours find the list.
    pub fn offset(&self) -> u64 {
        self.directory.offset()
    }

    pub fn close(self, memory: &mut Memory) {
        self.directory.close(memory);
    }

    fn add(&mut self, area: Area) -> Outcome {
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
                format!("{} regions are attached, as many as there is room for", self.areas.len()),
            )
            .advise("detach some, or attach neighbouring ones as one")
        })?;
        self.areas.push(area);
        Ok(())
    }

    fn remove(&mut self, base: usize) -> Outcome {
        let index = self.areas.iter().position(|area| area.address() == base).ok_or_else(|| {
            Error::new(abi::MPI_ERR_RMA_ATTACH, format!("no attached memory begins at {base:#x}"))
                .advise("pass the base that was attached")
        })?;
        let area = self.areas.swap_remove(index);
        self.directory.withdraw(base as u64, area.bytes());
        Ok(())
    }

    /// The place in our own memory that an access to ourselves names.
    pub fn spot(&self, target: &Target) -> Option<Spot<'_>> {
        let place = Area::place_among(&self.areas, target.disp, target.count, &target.datatype)?;
        Some(Spot::Near { place, shared: false })
    }
}

/// What a neighbour has attached.
#[derive(Debug)]
pub(super) struct Listed {
    offset: u64,
    reader: Option<Reader>,
}

impl Listed {
    /// Its directory is at `offset`.
    pub fn new(offset: u64) -> Listed {
        Listed { offset, reader: None }
    }

    /// Whether all data of the elements at `address` lie in attached memory.
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

/// Whether the data lie in several regions, for an access that lies in none.
#[cold]
fn are_spread(regions: &[(u64, usize)], address: i64, count: i64, datatype: &Datatype) -> bool {
    let ranges: Ranges = regions.iter().map(|&(start, bytes)| (start as usize, bytes)).collect();
    ranges.cover(address, count, datatype)
}

/// `MPI_Win_attach`
pub fn attach(engine: &mut Engine, win: handle::Win, area: Area) -> Outcome {
    change(engine, win, "MPI_Win_attach", |attached| attached.add(area))
}

/// `MPI_Win_detach`
pub fn detach(engine: &mut Engine, win: handle::Win, base: usize) -> Outcome {
    change(engine, win, "MPI_Win_detach", |attached| attached.remove(base))
}

/// Changes what is attached, for those who look and for those who ask.
fn change(
    engine: &mut Engine,
    win: handle::Win,
    call: &str,
    change: impl FnOnce(&mut Attached) -> Outcome,
) -> Outcome {
    let Engine { windows, served, core, .. } = engine;
    let Window { context, attached, .. } =
        windows.get_mut(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))?;
    let Some(attached) = attached else {
        return Err(Error::new(
            abi::MPI_ERR_RMA_FLAVOR,
            format!("{call} is for windows made by MPI_Win_create_dynamic"),
        ));
    };
    change(attached)?;
    let joined = Area::joined(&attached.areas);
    served.attached(*context, &joined);
    core.am_targets.attached(*context, &joined);
    Ok(())
}
