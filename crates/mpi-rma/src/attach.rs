//! Attaches memory to dynamic windows, and detaches it (MPI 5.0 §12.2.4).

use super::dynamic::Attached;
use super::state::{Rma, no_window, rma};
use super::window::Window;
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis_datatype::MemoryRegion;

/// Implements `MPI_Win_attach`.
pub fn attach(engine: &mut Engine, win: handle::Win, area: MemoryRegion) -> Outcome {
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::bounds::window(area.address(), area.bytes());
    }
    change(engine, win, "MPI_Win_attach", |attached| attached.add(area))
}

/// Implements `MPI_Win_detach`.
pub fn detach(engine: &mut Engine, win: handle::Win, base: usize) -> Outcome {
    change(engine, win, "MPI_Win_detach", |attached| attached.remove(base))
}

/// Changes the attached memory, in the directory and in the lists that serve AM requests.
fn change(
    engine: &mut Engine,
    win: handle::Win,
    call: &str,
    change: impl FnOnce(&mut Attached) -> Outcome,
) -> Outcome {
    let Rma { windows, served, am_targets, .. } = rma(engine);
    let Window { context, attached, .. } = windows.get_mut(win).map_err(no_window)?;
    let Some(attached) = attached else {
        return Err(Error::new(
            abi::MPI_ERR_RMA_FLAVOR,
            format!("{call} is for windows made by MPI_Win_create_dynamic"),
        ));
    };
    change(attached)?;
    let merged = MemoryRegion::joined(&attached.areas);
    served.attached(*context, &merged);
    am_targets.attached(*context, &merged);
    Ok(())
}
