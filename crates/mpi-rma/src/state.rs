//! The state of one-sided communication in this process.
//!
//! The state is a static that the engine's lock guards. A function that holds the engine borrows it
//! by `engine.pt2pt.core.token`, and may use the engine's other fields meanwhile.

use super::am_target::AmTargets;
use super::gathered::Gathered;
use super::network::NetworkAccesses;
use super::notice::Notices;
use super::remote::origin::Ended;
use super::remote::{Origin, Served};
use super::window::{Attributes, Window};
use crate::abi;
use crate::engine::Engine;
use crate::engine::upper::{State, UpperState};
use crate::error::{Error, Outcome};
use crate::handle::{self, Table};
use crate::protocol::{Core, Layers};

/// The state of one-sided communication.
pub(super) struct Rma {
    pub windows: Table<handle::Win, Window>,
    /// Windows whose accesses this process carries out for other processes.
    pub served: Served,
    /// Notices that have arrived and that no call has taken yet.
    pub notices: Notices,
    /// Accesses of this process that other processes carry out.
    pub origin: Origin,
    /// Accesses of this process that the network carries out.
    pub network: NetworkAccesses,
    /// Memory of the program that local processes access with this process's help, while it is
    /// inside an MPI call.
    pub am_targets: AmTargets,
    /// Accesses that wait for the next synchronisation.
    pub gathered: Gathered,
}

pub(super) static RMA: UpperState<Rma> = UpperState::new();

impl State for Rma {
    const INITIAL: Rma = Rma {
        windows: Table::new(),
        served: Served::new(),
        notices: Notices::new(),
        origin: Origin::new(),
        network: NetworkAccesses::new(),
        am_targets: AmTargets::new(),
        gathered: Gathered::new(),
    };
}

/// Returns the state, to change it.
#[inline(always)]
pub(super) fn rma(engine: &mut Engine) -> &mut Rma {
    RMA.get_mut(&mut engine.pt2pt.core.token)
}

/// Access to the window objects of an engine.
pub trait Windows {
    /// Returns the window that a handle names.
    fn window(&self, win: handle::Win) -> Outcome<&Window>;
    /// Returns the window that a handle names, to change it.
    fn window_mut(&mut self, win: handle::Win) -> Outcome<&mut Window>;
}

impl Windows for Engine {
    #[inline]
    fn window(&self, win: handle::Win) -> Outcome<&Window> {
        RMA.get(&self.pt2pt.core.token).windows.get(win).map_err(no_window)
    }

    #[inline]
    fn window_mut(&mut self, win: handle::Win) -> Outcome<&mut Window> {
        rma(self).windows.get_mut(win).map_err(no_window)
    }
}

/// Returns the windows that exist, each with the communicator that it has for itself.
pub fn open_windows(engine: &mut Engine) -> Vec<(handle::Win, handle::Comm)> {
    rma(engine).windows.named().map(|(handle, window)| (handle, window.comm)).collect()
}

/// Returns a window that exposes any of the `bytes` bytes of this process's memory at `address`.
pub fn window_over(engine: &mut Engine, address: usize, bytes: usize) -> Option<&Window> {
    let meets = |start: usize, length: usize| {
        start < address.saturating_add(bytes) && address < start.saturating_add(length)
    };
    let exposes = |window: &&Window| match &window.attached {
        Some(attached) => attached.areas.iter().any(|area| meets(area.address(), area.bytes())),
        None => {
            let Attributes { base, size, .. } = *window.attributes;
            meets(base, usize::try_from(size).unwrap_or(0))
        }
    };
    rma(engine).windows.named().map(|(_, window)| window).find(exposes)
}

/// Makes the error of a handle that names no window.
pub(super) fn no_window(dead: handle::Dead) -> Box<Error> {
    Error::dead(abi::MPI_ERR_WIN, dead)
}

/// Returns the number of accesses by other processes that this process has refused.
pub fn refused_accesses(engine: &Engine) -> u64 {
    RMA.get(&engine.pt2pt.core.token).served.refused()
}

/// Completes requests.
pub(super) fn finish(core: &mut Core, ended: impl IntoIterator<Item = Ended>) {
    for (request, error) in ended {
        match error {
            None => core.finish(request),
            Some(error) => core.fail(request, error),
        }
    }
}

/// Tells the engine whether work remains, and whether a process waits for a lock. Every function
/// that changes either calls it.
pub(super) fn update_status(core: &mut Core) {
    let Rma { origin, served, .. } = RMA.get(&core.token);
    core.upper.busy.set(Layers::RMA, origin.is_busy() || served.is_busy());
    core.upper.await_word.set(Layers::RMA, served.awaits_lock());
}
