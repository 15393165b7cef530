//! What the development checks (`mpiexec -check`) learn of windows: epochs that do not fit, and
//! accesses that conflict (MPI 5.0 §12.7).

use super::state::{Windows, rma};
use super::target::Target;
use super::window::{Reach, Window};
use crate::abi;
use crate::coll;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use nemesis_datatype::{Buffer, ByteRange, Datatype, MemoryRegion, RemoteTarget};
use nemesis_mpi_check::accesses::{self, Action, Epoch};
use nemesis_mpi_check::{buffers, compare_sides};

/// Pieces of an origin that are looked for in the own memory of a window at most.
const RANGES_MAX: usize = 256;

/// Returns what an accumulate does, as far as it matters to others. Operations that programs mix on
/// one location for locks and flags go with every other one.
pub fn accumulate(op: handle::Op, datatype: &Datatype) -> Action {
    let op = match op {
        abi::MPI_NO_OP | abi::MPI_REPLACE | abi::MPI_OP_NULL => 0,
        op => op.0 as u64,
    };
    let element = datatype.single_basic().map_or(0, |basic| basic.representation() as u64);
    Action::Accumulate { op, element }
}

/// Tells the types of an access whose origin and target differ. `is_read`: the data go from the
/// target to the origin.
#[cold]
pub fn types(origin: &Buffer, target: &Target, is_read: bool) {
    let bytes = origin.bytes() as u64;
    let there = (target.datatype.size() as u64).saturating_mul(target.count.max(0) as u64);
    if bytes == there {
        compare_sides([origin.datatype(), &target.datatype], bytes, |origin, target| {
            let way = if is_read { "from" } else { "to" };
            format!("{bytes} bytes, {origin} at the origin, {way} {target} at the target")
        });
    }
}

/// Logs an access that has not been refused. `origin`: the data of a put. `with_request`: it is a
/// read, and a request tells when it is complete.
#[cold]
pub fn access(
    engine: &mut Engine,
    win: handle::Win,
    target: &Target,
    action: Action,
    origin: Option<&Buffer>,
    with_request: bool,
) {
    let Ok(window) = engine.window(win) else { return };
    let Ok(Some(rank)) = window.check_rank(target.rank) else { return };
    let Some(mut epoch) = window.epoch.of_access(rank) else { return };
    if let Epoch::Started(number) = &mut epoch {
        *number = accesses::starts(win.0, rank);
    }
    let unit = if window.is_dynamic() { 1 } else { window.exposed[rank as usize].disp_unit };
    let Some(start) = target.disp.checked_mul(unit) else { return };
    let memory = RemoteTarget::new(start as u64, target.count, &target.datatype);
    let named = described(window);
    let access = accesses::Access { target: rank, action, epoch, origin, with_request };
    accesses::access((win.0, &named), &access, memory.runs(0));
}

/// Checks the buffers of an access that has not been refused, and watches them until it is
/// complete. `with_request`: a request tells when it is. `has_arrived`: the data of a get are in
/// its buffer.
#[cold]
pub fn origins(
    engine: &mut Engine,
    win: handle::Win,
    target: &Target,
    action: Action,
    uses: &[(&Buffer, buffers::Access)],
    (with_request, has_arrived): (bool, bool),
) {
    let Ok(window) = engine.window(win) else { return };
    let Ok(Some(rank)) = window.check_rank(target.rank) else { return };
    let is_accumulate = matches!(action, Action::Accumulate { .. });
    buffers::begin_access(win.0, rank, uses, is_accumulate, with_request, has_arrived);
    // An origin in the own memory of the window is an access to it.
    let (Some(memory), Some(epoch)) = (own_memory(window), window.epoch.of_access(rank)) else {
        return;
    };
    let epoch = match epoch {
        Epoch::Fence => Epoch::Fence,
        Epoch::Locked { .. } => Epoch::Locked { exclusive: false },
        // Other processes are kept out by the epochs of their own.
        Epoch::Started(_) => return,
    };
    let (base, bytes) = (memory.address(), memory.bytes());
    for (buffer, does) in uses {
        let inside = |range: &ByteRange| {
            let first = range.address.checked_sub(base);
            first.is_some_and(|first| first.saturating_add(range.len) <= bytes)
        };
        let ranges: Vec<ByteRange> = buffer.runs(0).filter(inside).take(RANGES_MAX).collect();
        if ranges.is_empty() {
            continue;
        }
        let action = match does {
            buffers::Access::Read => Action::Get,
            buffers::Access::Write => Action::Put,
        };
        let (named, target) = (described(window), window.rank);
        let access = accesses::Access { target, action, epoch, origin: None, with_request: false };
        let moved = |range: ByteRange| ByteRange { address: range.address - base, ..range };
        accesses::access((win.0, &named), &access, ranges.into_iter().map(moved));
    }
}

/// Notes that the accesses to a rank, or to all ranks, are complete.
#[cold]
pub fn complete(win: handle::Win, target: Option<u32>) {
    accesses::complete(win.0, target);
    buffers::end_accesses(win.0, target);
}

/// Exchanges the logs of all processes of a window, and tells what conflicts. All processes have
/// completed their accesses, and none begins another one before the exchange. `is_fence`: whether
/// the call is a fence, and not the end of the window.
#[cold]
pub fn exchange(mpi: &mut Mpi, win: handle::Win, is_fence: bool) -> Outcome {
    buffers::end_accesses(win.0, None);
    let Some(own) = accesses::exchanged(win.0) else { return Ok(()) };
    let window = mpi.window(win)?;
    let (comm, rank, named) = (window.comm, window.rank, described(window));
    if is_fence && let Some(memory) = own_memory(window) {
        accesses::fenced(win.0, memory.bytes(), |copy| memory.get_bytes(0, copy));
    }
    let logs = coll::allgather_lists(mpi, comm, &own)?;
    accesses::compare((win.0, &named), rank, &logs, is_fence);
    Ok(())
}

/// Notes that an exposure epoch begins for `ranks`.
#[cold]
pub fn post(engine: &mut Engine, win: handle::Win, ranks: &[u32]) {
    let Ok(window) = engine.window(win) else { return };
    let memory = own_memory(window);
    let bytes = memory.map_or(0, MemoryRegion::bytes);
    let copy = |copy: &mut [u8]| memory.is_some_and(|memory| memory.get_bytes(0, copy));
    accesses::post(win.0, ranks, bytes, copy);
}

/// Notes that an exposure epoch has ended.
#[cold]
pub fn waited(engine: &mut Engine, win: handle::Win) {
    if let Ok(window) = engine.window(win)
        && let Some(memory) = own_memory(window)
    {
        accesses::waited(win.0, memory.bytes(), |copy| memory.get_bytes(0, copy));
    }
}

/// Returns the memory of this process in a window; `None` if the window is dynamic.
fn own_memory(window: &Window) -> Option<&MemoryRegion> {
    match &window.exposed.get(window.rank as usize)?.reach {
        Reach::Mapped(memory) => Some(memory),
        _ => None,
    }
}

fn described(window: &Window) -> String {
    if !window.name.is_empty() {
        return format!("window {:?}", window.name);
    }
    let made_by = match window.attributes.flavor {
        abi::MPI_WIN_FLAVOR_CREATE => "MPI_Win_create",
        abi::MPI_WIN_FLAVOR_ALLOCATE => "MPI_Win_allocate",
        abi::MPI_WIN_FLAVOR_SHARED => "MPI_Win_allocate_shared",
        _ => "MPI_Win_create_dynamic",
    };
    format!("the window of {made_by}")
}

/// Returns the windows on which an epoch is open, with its name in words.
pub fn open_epochs(engine: &mut Engine) -> Vec<(handle::Win, String)> {
    let left = |window: &Window| Some(format!("{} is left open", window.epoch.open()?));
    rma(engine)
        .windows
        .named()
        .filter_map(|(handle, window)| Some((handle, left(window)?)))
        .collect()
}
