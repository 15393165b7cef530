//! Events (MPI 5.0 §15.3.8): what happens inside the engine, reported to callbacks of tools.
//!
//! ```text
//!   engine locked      record ──> pending (bounded; events that do not fit are counted as dropped)
//!   engine unlocked    deliver ──> callbacks of all registrations for the event
//! ```
//!
//! The engine records an event only while a callback is registered for its kind, and checks this
//! before it collects the event's data. Events are delivered at the end of the next poll of a
//! waiting or testing call. No lock is held meanwhile, so callbacks may call MPI, and every level
//! of callback safety is satisfied.

use super::{State, bad_handle, bad_name, engine, enter, index, lock};
use crate::abi;
use crate::callback::{Callback, ToolNews};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
pub use nemesis_mpi_core::event::{EVENTS, Event, Record, now};
use std::collections::BTreeMap;

/// An element of an event: its datatype, and its offset in a copy of the event.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    pub is_int: bool,
    pub place: usize,
}

/// The elements of every event: the first has 64 bits, the others are ints.
pub const ELEMENTS: [Element; 4] = [
    Element { is_int: false, place: 0 },
    Element { is_int: true, place: 8 },
    Element { is_int: true, place: 12 },
    Element { is_int: true, place: 16 },
];

/// The index of the only source of events.
pub const SOURCE: i32 = 0;
pub const SOURCE_NAME: &str = "nemesis_engine";
pub const SOURCE_WHAT: &str =
    "the engine of this process; the next call that waits or tests delivers the events";
pub const TICKS_PER_SECOND: i64 = 1_000_000_000;

pub struct Kind {
    pub name: &'static str,
    pub what: &'static str,
    pub verbosity: i32,
}

const KINDS: [Kind; EVENTS] = [
    Kind {
        name: "nemesis_unexpected_message",
        what: "a message arrived before its receive was posted: bytes, rank of its sender in the \
               communicator, tag, sending process",
        verbosity: abi::MPI_T_VERBOSITY_USER_DETAIL,
    },
    Kind {
        name: "nemesis_rendezvous_begins",
        what: "a message is announced to its receiver: bytes, rank of its sender in the \
               communicator, tag, receiving process",
        verbosity: abi::MPI_T_VERBOSITY_USER_DETAIL,
    },
    Kind {
        name: "nemesis_communicator_made",
        what: "a communicator has been created: its context, own rank, size of the local group, \
               1 if it is an intercommunicator",
        verbosity: abi::MPI_T_VERBOSITY_USER_DETAIL,
    },
];

pub fn kind(number: i32) -> Outcome<&'static Kind> {
    static TABLE: [Kind; EVENTS] = KINDS;
    Ok(&TABLE[index(number, EVENTS)?])
}

pub fn index_of(name: &str) -> Outcome<i32> {
    KINDS
        .iter()
        .position(|kind| kind.name == name)
        .map(|index| index as i32)
        .ok_or_else(|| bad_name(name))
}

/// Levels of callback safety, the least restrictive first.
const SAFETIES: [i32; 4] = [
    abi::MPI_T_CB_REQUIRE_NONE,
    abi::MPI_T_CB_REQUIRE_MPI_RESTRICTED,
    abi::MPI_T_CB_REQUIRE_THREAD_SAFE,
    abi::MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE,
];

/// A callback and its user data.
#[derive(Clone, Copy)]
struct Listener {
    callback: Callback,
    user_data: usize,
}

struct Registration {
    kind: usize,
    /// Callbacks, by level of safety.
    callbacks: [Option<Listener>; SAFETIES.len()],
    dropped: Option<Callback>,
}

impl Registration {
    /// Returns the callback to call: the one of the least restrictive level, because events are
    /// delivered where callbacks may do anything.
    fn callback(&self) -> Option<Listener> {
        self.callbacks.iter().flatten().next().copied()
    }
}

/// The state of events that belongs to tools: registrations, and the events that callbacks are
/// reading.
pub struct Registrations {
    all: BTreeMap<usize, Registration>,
    instances: BTreeMap<usize, Record>,
}

impl Registrations {
    pub(super) const fn new() -> Registrations {
        Registrations { all: BTreeMap::new(), instances: BTreeMap::new() }
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// Returns the number of registrations with a callback for each kind of event.
    fn listeners(&self) -> [u32; EVENTS] {
        let mut listeners = [0; EVENTS];
        for registration in
            self.all.values().filter(|registration| registration.callback().is_some())
        {
            listeners[registration.kind] += 1;
        }
        listeners
    }
}

impl State {
    fn registration(&mut self, registration: usize) -> Outcome<&mut Registration> {
        self.events.all.get_mut(&registration).ok_or_else(bad_handle)
    }

    fn tell_engine(&self) -> Outcome {
        engine()?.pt2pt.core.events.listen(self.events.listeners());
        Ok(())
    }
}

fn safety_index(safety: i32) -> Outcome<usize> {
    let unknown = || {
        Error::new(abi::MPI_T_ERR_INVALID, format!("{safety} is not a level of callback safety"))
    };
    SAFETIES.iter().position(|known| *known == safety).ok_or_else(unknown)
}

/// `MPI_T_event_handle_alloc`
pub fn register(number: i32) -> Outcome<usize> {
    let mut state = enter()?;
    let kind = index(number, EVENTS)?;
    let registration = state.draw();
    state.events.all.insert(
        registration,
        Registration { kind, callbacks: [None; SAFETIES.len()], dropped: None },
    );
    Ok(registration)
}

/// `MPI_T_event_handle_free`: delivers the events so far, then calls `freed`, after which no
/// callback follows.
pub fn unregister(registration: usize, user_data: usize, freed: Callback) -> Outcome {
    enter()?.registration(registration)?;
    deliver(&mut engine()?);
    let mut state = enter()?;
    state.events.all.remove(&registration).ok_or_else(bad_handle)?;
    state.tell_engine()?;
    drop(state);
    freed.tell_tool(ToolNews::Freed { registration }, abi::MPI_T_CB_REQUIRE_NONE, user_data);
    Ok(())
}

/// `MPI_T_event_register_callback`: a null function removes the callback of the level.
pub fn register_callback(
    registration: usize,
    safety: i32,
    user_data: usize,
    callback: Callback,
) -> Outcome {
    let mut state = enter()?;
    let slot = safety_index(safety)?;
    state.registration(registration)?.callbacks[slot] =
        (!callback.is_null()).then_some(Listener { callback, user_data });
    state.tell_engine()
}

/// Fails if no callback of this level is registered.
pub fn has_callback(registration: usize, safety: i32) -> Outcome {
    let slot = safety_index(safety)?;
    let none =
        || Error::new(abi::MPI_T_ERR_INVALID, "no callback is registered for this level of safety");
    enter()?.registration(registration)?.callbacks[slot].map(drop).ok_or_else(none)
}

/// Fails if the registration does not exist.
pub fn exists(registration: usize) -> Outcome {
    enter()?.registration(registration).map(drop)
}

/// `MPI_T_event_set_dropped_handler`
pub fn set_dropped_handler(registration: usize, callback: Callback) -> Outcome {
    enter()?.registration(registration)?.dropped = (!callback.is_null()).then_some(callback);
    Ok(())
}

/// Returns the event that a callback is reading.
pub fn instance(instance: usize) -> Outcome<Record> {
    let gone = || {
        Error::new(
            abi::MPI_T_ERR_INVALID_HANDLE,
            "an event exists only during the callback that receives it",
        )
    };
    enter()?.events.instances.get(&instance).copied().ok_or_else(gone)
}

/// Delivers pending events to the callbacks, with the engine unlocked. Events that the callbacks
/// cause are delivered later.
#[cold]
pub fn deliver(mpi: &mut Mpi) {
    let Some((records, dropped)) = mpi.pt2pt.core.events.begin_delivery() else { return };
    mpi.unlocked(|| {
        for (kind, count) in dropped.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            tell_dropped(kind, count as i64);
        }
        for record in records {
            tell(record);
        }
    });
    mpi.pt2pt.core.events.end_delivery();
}

fn tell(record: Record) {
    for (registration, listener) in listening(record.kind, Registration::callback) {
        let mut state = lock();
        let instance = state.draw();
        state.events.instances.insert(instance, record);
        drop(state);
        listener.callback.tell_tool(
            ToolNews::Event { instance, registration },
            abi::MPI_T_CB_REQUIRE_NONE,
            listener.user_data,
        );
        lock().events.instances.remove(&instance);
    }
}

fn tell_dropped(kind: usize, count: i64) {
    let handler = |registration: &Registration| {
        let user_data = registration.callback().map_or(0, |listener| listener.user_data);
        registration.dropped.map(|callback| Listener { callback, user_data })
    };
    for (registration, listener) in listening(kind, handler) {
        let news = ToolNews::Dropped { count, registration, source: SOURCE };
        listener.callback.tell_tool(news, abi::MPI_T_CB_REQUIRE_NONE, listener.user_data);
    }
}

/// Returns the registrations for a kind of event, each with the callback that `of` selects.
fn listening(
    kind: usize,
    of: impl Fn(&Registration) -> Option<Listener>,
) -> Vec<(usize, Listener)> {
    let state = lock();
    let of_kind = state.events.all.iter().filter(|(_, registration)| registration.kind == kind);
    of_kind.filter_map(|(number, registration)| Some((*number, of(registration)?))).collect()
}
