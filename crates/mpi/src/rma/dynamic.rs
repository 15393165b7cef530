//! Dynamic windows: memory that processes attach and detach by themselves (MPI 5.0 §12.2.4).
//!
//! Whoever accesses a dynamic window names an address of the target's. So that it never reaches memory that was not offered, the target lists
//! its regions in a block of its heap, and the origin looks there first. The four words in the control block that tell of the list are
//!
//! ```text
//!   version | regions | offset of the block | bytes of the block
//! ```
//!
//! and the version is odd while they or the block change: a reader whose version was odd, or another afterwards, reads again. It keeps what it
//! read, so that an access costs one look at the version. Ordering edges: E1 *list → version*: Release store of the even version, Acquire load of
//! the reader. E2 *odd version → list*, and the list before the reader's second look: fences.

use super::control::Control;
use super::window::{Spot, Target, Window, no_memory, no_segment};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis::{Block, Memory, Shared};
use nemesis_datatype::{Area, Datatype, is_inside};
use nemesis_sync::{AtomicU64, Ordering, fence};
use std::sync::Arc;

/// Bytes of one entry: address, length.
const ENTRY: usize = 16;
/// Regions that the first block has room for.
const FIRST_ROOM: usize = 256;

/// What a process has read of another's list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    version: u64,
    block: Option<(u64, Arc<Shared>)>,
    regions: Vec<(u64, usize)>,
}

impl Listed {
    /// Reads the list again if it has changed.
    #[inline]
    pub fn refresh(&mut self, memory: &Memory, control: &Control, process: u32, rank: u32) -> Outcome {
        let words = control.regions(rank);
        // Acquire (E1): the list that goes with this version.
        if words[0].load(Ordering::Acquire) == self.version { Ok(()) } else { self.read(memory, words, process) }
    }

    #[cold]
    fn read(&mut self, memory: &Memory, words: [&AtomicU64; 4], process: u32) -> Outcome {
        loop {
            // Acquire (E1): as in `refresh`.
            let version = words[0].load(Ordering::Acquire);
            if version.is_multiple_of(2) && self.read_version(memory, words, process, version)? {
                return Ok(());
            }
            std::thread::yield_now();
        }
    }

    /// True when nothing changed while it was read.
    fn read_version(&mut self, memory: &Memory, words: [&AtomicU64; 4], process: u32, version: u64) -> Outcome<bool> {
        // Relaxed: the second look at the version tells whether these belong together.
        let [count, offset, bytes] = [1, 2, 3].map(|index: usize| words[index].load(Ordering::Relaxed));
        let unchanged = || {
            // Acquire fence (E2): all that was read above was read before this look.
            fence(Ordering::Acquire);
            words[0].load(Ordering::Relaxed) == version
        };
        if !unchanged() {
            return Ok(false);
        }
        if count > 0 && self.block.as_ref().is_none_or(|(known, _)| *known != offset) {
            let shared = memory.map(process, offset, bytes as usize);
            if !unchanged() {
                return Ok(false);
            }
            self.block = Some((offset, shared.map_err(|refusal| no_memory(&refusal))?));
        }
        self.regions.clear();
        if let Some((_, block)) = &self.block {
            let room = block.bytes() / ENTRY;
            for entry in 0..(count as usize).min(room) {
                // Relaxed: as above.
                let [address, length] = [0, 8].map(|at| block.word(entry * ENTRY + at).load(Ordering::Relaxed));
                self.regions.push((address, length as usize));
            }
        }
        if !unchanged() {
            return Ok(false);
        }
        self.version = version;
        Ok(true)
    }

    /// Whether all that the elements at `address` touch lies in one region.
    pub fn covers(&self, address: i64, count: i64, datatype: &Datatype) -> bool {
        self.regions.iter().any(|&(start, bytes)| is_inside(bytes, address.wrapping_sub(start as i64), count, datatype))
    }
}

/// The place in our own memory that an access to ourselves names.
pub(super) fn own_spot<'a>(attached: &'a [Area], target: &Target) -> Option<Spot<'a>> {
    let place = attached.iter().find_map(|area| {
        let offset = target.disp.wrapping_sub(area.address() as i64);
        area.place(offset, target.count, &target.datatype)
    })?;
    Some(Spot::Near { place, shared: false })
}

/// `MPI_Win_attach`
pub fn attach(engine: &mut Engine, win: handle::Win, area: Area) -> Outcome {
    let window = dynamic(engine, win, "MPI_Win_attach")?;
    let (start, end) = (area.address(), area.address().saturating_add(area.bytes()));
    let overlap = window.attached.iter().find(|other| start < other.address() + other.bytes() && other.address() < end);
    if let Some(other) = overlap {
        let why =
            format!("{} bytes at {start:#x} overlap the {} bytes at {:#x} that are attached", area.bytes(), other.bytes(), other.address());
        return Err(Error::new(abi::MPI_ERR_RMA_ATTACH, why).advise("detach the other first, or attach both as one"));
    }
    window.attached.push(area);
    publish(engine, win).inspect_err(|_| {
        if let Ok(window) = engine.window_mut(win) {
            window.attached.pop();
        }
    })
}

/// `MPI_Win_detach`
pub fn detach(engine: &mut Engine, win: handle::Win, base: usize) -> Outcome {
    let window = dynamic(engine, win, "MPI_Win_detach")?;
    let index = window.attached.iter().position(|area| area.address() == base).ok_or_else(|| {
        Error::new(abi::MPI_ERR_RMA_ATTACH, format!("no attached memory begins at {base:#x}")).advise("pass the base that was attached")
    })?;
    window.attached.remove(index);
    publish(engine, win)
}

fn dynamic<'a>(engine: &'a mut Engine, win: handle::Win, call: &str) -> Outcome<&'a mut Window> {
    let window = engine.window_mut(win)?;
    if !window.is_dynamic() {
        return Err(Error::new(abi::MPI_ERR_RMA_FLAVOR, format!("{call} is for windows made by MPI_Win_create_dynamic")));
    }
    Ok(window)
}

/// Writes the list anew, in a larger block if need be.
fn publish(engine: &mut Engine, win: handle::Win) -> Outcome {
    let Engine { windows, memory, served, .. } = engine;
    let window = windows.get_mut(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))?;
    let memory = memory.as_mut().ok_or_else(no_segment)?;
    let regions: Vec<(usize, usize)> = window.attached.iter().map(|area| (area.address(), area.bytes())).collect();
    let room = |block: &Block| block.bytes / ENTRY;
    // The control block, if it is ours, is not for lists.
    let lists = usize::from(window.leads);
    let mut outgrown = None;
    if window.blocks.len() == lists || room(&window.blocks[lists]) < regions.len() {
        let entries = regions.len().next_power_of_two().max(FIRST_ROOM);
        let block = memory.allocate(entries * ENTRY, 1).map_err(|refusal| no_memory(&refusal))?;
        outgrown = (window.blocks.len() > lists).then(|| window.blocks.swap_remove(lists));
        window.blocks.push(block);
    }
    served.attached(window.context, &window.attached);
    let block = &window.blocks[lists];
    let words = window.control.regions(window.rank);
    // Relaxed: we are the only writer.
    let version = words[0].load(Ordering::Relaxed);
    words[0].store(version + 1, Ordering::Relaxed);
    // Release fence (E2): whoever sees a word of what follows sees the odd version in its second look.
    fence(Ordering::Release);
    for (entry, &(address, bytes)) in regions.iter().enumerate() {
        // Relaxed: ordered by the fence before and the version behind.
        block.shared.word(entry * ENTRY).store(address as u64, Ordering::Relaxed);
        block.shared.word(entry * ENTRY + 8).store(bytes as u64, Ordering::Relaxed);
    }
    // Relaxed: as above.
    words[1].store(regions.len() as u64, Ordering::Relaxed);
    words[2].store(block.offset, Ordering::Relaxed);
    words[3].store(block.bytes as u64, Ordering::Relaxed);
    // Release (E1): publishes the list.
    words[0].store(version + 2, Ordering::Release);
    if let Some(outgrown) = outgrown {
        memory.free(outgrown);
    }
    Ok(())
}
