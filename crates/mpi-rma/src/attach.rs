//! Attaches memory to dynamic windows, and detaches it (MPI 5.0 §12.2.4).

use super::device::Offered;
use super::dynamic::Attached;
use super::progress_thread;
use super::state::{Rma, Windows, no_window, rma};
use super::window::Window;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis_datatype::MemoryRegion;

/// Implements `MPI_Win_attach`.
pub fn attach(mpi: &mut Mpi, win: handle::Win, offered: Offered) -> Outcome {
    if let Offered::Host(area) = &offered
        && nemesis_mpi_check::is_on()
    {
        nemesis_mpi_check::bounds::window(area.address(), area.bytes());
    }
    let begins = matches!(offered, Offered::Device(_)) && !has_devices(mpi, win)?;
    if begins {
        // Before others read that they have to ask.
        progress_thread::begin(mpi)?;
        progress_thread::serve_local(mpi, true);
    }
    let start = offered.address();
    let added = change(mpi, win, "MPI_Win_attach", |attached| {
        attached.add(offered)?;
        attached.devices().map(drop).inspect_err(|_| drop(attached.remove(start)))
    });
    if begins && added.is_err() {
        progress_thread::end(mpi, true);
    }
    added
}

/// Implements `MPI_Win_detach`.
pub fn detach(mpi: &mut Mpi, win: handle::Win, base: usize) -> Outcome {
    let had_devices = has_devices(mpi, win)?;
    change(mpi, win, "MPI_Win_detach", |attached| attached.remove(base))?;
    if had_devices && !has_devices(mpi, win)? {
        progress_thread::end(mpi, true);
    }
    Ok(())
}

/// Returns whether memory of a device is attached, for which the progress thread runs.
fn has_devices(engine: &Engine, win: handle::Win) -> Outcome<bool> {
    Ok(engine.window(win)?.attached.as_ref().is_some_and(Attached::has_devices))
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
    let (merged, devices) = (MemoryRegion::joined(&attached.areas), attached.devices()?);
    served.attached(*context, &merged, devices);
    am_targets.attached(*context, &merged);
    Ok(())
}
