//! What the development checks (`mpiexec -check`) learn of windows: epochs that do not fit, and
//! accesses that conflict (MPI 5.0 §12.7).

use super::state::{Windows, rma};
use super::target::Target;
use super::window::Window;
use crate::abi;
use crate::coll;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use nemesis_datatype::{Datatype, RemoteTarget};
use nemesis_mpi_check::accesses::{self, Action, Epoch};

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

/// Logs an access that has not been refused. `with_request`: it is a read, and a request tells when
/// it is complete.
#[cold]
pub fn access(
    engine: &mut Engine,
    win: handle::Win,
    target: &Target,
    action: Action,
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
    accesses::access((win.0, &named), rank, action, epoch, memory.runs(0), with_request);
}

/// Exchanges the logs of all processes of a window, and tells what conflicts.
#[cold]
pub fn exchange(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let Some(own) = accesses::exchanged(win.0) else { return Ok(()) };
    let window = mpi.window(win)?;
    let (comm, rank, named) = (window.comm, window.rank, described(window));
    let logs = coll::allgather_lists(mpi, comm, &own)?;
    accesses::compare((win.0, &named), rank, &logs);
    Ok(())
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
