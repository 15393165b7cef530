//! Sessions and handles of performance variables (MPI 5.0 §15.3.7): each handle accumulates
//! independently.
//!
//! A handle of a counter stores the library's counter at its start, and what it accumulated before.
//! The library keeps a single figure of a queue's greatest length. When a handle restarts that
//! figure, all other running handles first include it in their values.

use super::pvar::{self, Class, Queue, Source, Variable};
use super::{State, bad_handle, bound, engine, enter};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::lanes;
use std::collections::BTreeMap;

/// A session of performance variables, with its handles.
#[derive(Default)]
pub struct Session {
    handles: BTreeMap<usize, Handle>,
}

/// A handle of a performance variable.
pub struct Handle {
    variable: &'static Variable,
    comm: Option<handle::Comm>,
    running: bool,
    /// The library's counter at the start.
    base: u64,
    /// What was accumulated before the start; for a peak, the greatest length so far.
    accumulated: u64,
}

impl Handle {
    fn now(&self, engine: &mut Engine) -> Outcome<u64> {
        match (self.variable.source, self.comm) {
            (Source::Process(read), _) => Ok(read(engine)),
            (Source::Lane(read), _) => Ok(pvar::sum_over_lanes(engine, read)),
            (Source::Comm(read), Some(comm)) => read(engine, comm)
                .map_err(|error| Error::new(abi::MPI_T_ERR_INVALID_HANDLE, error.why)),
            (Source::Comm(_), None) => Err(bad_handle()),
        }
    }

    fn read(&self, engine: &mut Engine) -> Outcome<u64> {
        match self.variable.class {
            Class::Peak if self.running => Ok(self.accumulated.max(self.now(engine)?)),
            Class::Counter | Class::Aggregate if self.running => {
                Ok(self.accumulated + self.passed(self.now(engine)?))
            }
            class if class.accumulates() => Ok(self.accumulated),
            _ => self.now(engine),
        }
    }

    /// Returns by how much the library's counter has grown since the start. The counters of
    /// communicators number tags, and wrap around at the greatest tag.
    fn passed(&self, now: u64) -> u64 {
        match self.variable.source {
            Source::Process(_) | Source::Lane(_) => now.saturating_sub(self.base),
            Source::Comm(_) => now.wrapping_sub(self.base) & i32::MAX as u64,
        }
    }

    /// Restarts accumulation from `value`.
    fn begin(&mut self, engine: &mut Engine, value: u64) -> Outcome {
        self.base = self.now(engine)?;
        self.accumulated = value;
        Ok(())
    }
}

fn length(queue: Queue, engine: &mut Engine) -> u64 {
    pvar::sum_over_lanes(engine, |engine| match queue {
        Queue::Unexpected => engine.pt2pt.core.unexpected.levels().now as u64,
        Queue::Posted => engine.pt2pt.core.posted.levels().now as u64,
    })
}

fn begin_peak(queue: Queue, engine: &mut Engine) {
    match queue {
        Queue::Unexpected => engine.pt2pt.core.unexpected.begin_peak(),
        Queue::Posted => engine.pt2pt.core.posted.begin_peak(),
    }
}

impl State {
    fn session(&mut self, session: usize) -> Outcome<&mut Session> {
        let dead = || {
            Error::new(
                abi::MPI_T_ERR_INVALID_SESSION,
                "the session of performance variables does not exist",
            )
        };
        self.sessions.get_mut(&session).ok_or_else(dead)
    }

    fn handle(&mut self, session: usize, handle: usize) -> Outcome<&mut Handle> {
        self.session(session)?.handles.get_mut(&handle).ok_or_else(bad_handle)
    }

    /// Restarts the library's figure of a queue's greatest length, after all running handles have
    /// included it.
    fn begin_peak(&mut self, queue: Queue, engine: &mut Engine) -> Outcome {
        for handle in self.sessions.values_mut().flat_map(|session| session.handles.values_mut()) {
            if handle.variable.queue() == Some(queue) && handle.running {
                handle.accumulated = handle.read(engine)?;
            }
        }
        begin_peak(queue, engine);
        lanes::each_other(|other| begin_peak(queue, other));
        Ok(())
    }

    fn start(&mut self, session: usize, handle: usize) -> Outcome {
        let mut engine = engine()?;
        let found = self.handle(session, handle)?;
        if !found.variable.class.accumulates() {
            return Err(Error::new(abi::MPI_T_ERR_PVAR_NO_STARTSTOP, "the variable always runs"));
        }
        if found.running {
            return Ok(());
        }
        let (queue, accumulated) = (found.variable.queue(), found.accumulated);
        if let Some(queue) = queue {
            self.begin_peak(queue, &mut engine)?;
        }
        let found = self.handle(session, handle)?;
        found.begin(&mut engine, accumulated)?;
        found.running = true;
        Ok(())
    }

    fn stop(&mut self, session: usize, handle: usize) -> Outcome {
        let mut engine = engine()?;
        let found = self.handle(session, handle)?;
        if !found.variable.class.accumulates() {
            return Err(Error::new(abi::MPI_T_ERR_PVAR_NO_STARTSTOP, "the variable always runs"));
        }
        found.accumulated = found.read(&mut engine)?;
        found.running = false;
        Ok(())
    }

    /// Sets what a handle has accumulated; `None` means the starting value.
    fn set(&mut self, session: usize, handle: usize, value: Option<u64>) -> Outcome {
        let mut engine = engine()?;
        let found = self.handle(session, handle)?;
        if !found.variable.class.accumulates() {
            return Err(Error::new(abi::MPI_T_ERR_PVAR_NO_WRITE, "the variable can only be read"));
        }
        let queue = found.variable.queue();
        if let Some(queue) = queue {
            self.begin_peak(queue, &mut engine)?;
        }
        let value = value.unwrap_or_else(|| queue.map_or(0, |queue| length(queue, &mut engine)));
        self.handle(session, handle)?.begin(&mut engine, value)
    }

    /// Applies `act` to one handle, or to all handles of a session that accumulate.
    fn each(
        &mut self,
        session: usize,
        handle: usize,
        act: impl Fn(&mut State, usize) -> Outcome,
    ) -> Outcome {
        if handle != abi::MPI_T_PVAR_ALL_HANDLES {
            return act(self, handle);
        }
        let handles = &self.session(session)?.handles;
        let fit: Vec<usize> = handles
            .iter()
            .filter(|(_, handle)| handle.variable.class.accumulates())
            .map(|(number, _)| *number)
            .collect();
        fit.into_iter().try_for_each(|handle| act(self, handle))
    }
}

/// `MPI_T_pvar_session_create`
pub fn create() -> Outcome<usize> {
    let mut state = enter()?;
    let session = state.draw();
    state.sessions.insert(session, Session::default());
    Ok(session)
}

/// `MPI_T_pvar_session_free`: also closes the session's handles.
pub fn free(session: usize) -> Outcome {
    let mut state = enter()?;
    state.session(session)?;
    state.sessions.remove(&session);
    Ok(())
}

/// Opens a variable and returns its handle. `comm` is the object to which a bound variable is
/// bound.
pub fn open(session: usize, number: i32, comm: Option<handle::Comm>) -> Outcome<usize> {
    let mut state = enter()?;
    state.session(session)?;
    let variable = pvar::variable(number)?;
    let comm = if variable.is_bound() { Some(bound(comm)?) } else { None };
    let accumulated = match variable.queue() {
        Some(queue) => length(queue, &mut *engine()?),
        None => 0,
    };
    let handle = state.draw();
    let opened =
        Handle { variable, comm, running: !variable.class.accumulates(), base: 0, accumulated };
    state.session(session)?.handles.insert(handle, opened);
    Ok(handle)
}

/// Closes a handle.
pub fn close(session: usize, handle: usize) -> Outcome {
    enter()?.session(session)?.handles.remove(&handle).map(drop).ok_or_else(bad_handle)
}

/// `MPI_T_pvar_start`.
pub fn start(session: usize, handle: usize) -> Outcome {
    enter()?.each(session, handle, |state, handle| state.start(session, handle))
}

/// `MPI_T_pvar_stop`.
pub fn stop(session: usize, handle: usize) -> Outcome {
    enter()?.each(session, handle, |state, handle| state.stop(session, handle))
}

/// `MPI_T_pvar_reset`.
pub fn reset(session: usize, handle: usize) -> Outcome {
    enter()?.each(session, handle, |state, handle| state.set(session, handle, None))
}

/// Returns whether a handle's variable has type `MPI_INT`.
pub fn is_int(session: usize, handle: usize) -> Outcome<bool> {
    Ok(enter()?.handle(session, handle)?.variable.class.choices().is_some())
}

/// `MPI_T_pvar_read`.
pub fn read(session: usize, handle: usize) -> Outcome<u64> {
    let mut state = enter()?;
    let mut engine = engine()?;
    state.handle(session, handle)?.read(&mut engine)
}

/// Reads a handle and resets it atomically: the state stays locked, and the engine is not released
/// in between.
pub fn read_and_reset(session: usize, handle: usize) -> Outcome<u64> {
    let mut state = enter()?;
    let value = state.handle(session, handle)?.read(&mut *engine()?)?;
    state.set(session, handle, None)?;
    Ok(value)
}

/// `MPI_T_pvar_write`.
pub fn write(session: usize, handle: usize, value: u64) -> Outcome {
    enter()?.set(session, handle, Some(value))
}
