//! Process-wide tables of objects that take no part in progress: infos, groups, operations.
//!
//! Infos must work before the start of MPI, after its end and from any thread (MPI 5.0 §11.4.1).
//! Groups and operations are immutable. These objects therefore live outside the engine: each kind
//! has its own mutex, which is held for one read or one change.

use crate::error::{Error, ErrorClass, Outcome};
use crate::handle::{Handle, Table};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

pub struct HandleTable<H: Handle, T: 'static> {
    table: LazyLock<Mutex<Table<H, T>>>,
    /// Error class for invalid handles of this kind.
    class: ErrorClass,
}

impl<H: Handle, T> HandleTable<H, T> {
    pub const fn new(class: ErrorClass) -> Self {
        HandleTable { table: LazyLock::new(Mutex::default), class }
    }

    fn lock(&self) -> MutexGuard<'_, Table<H, T>> {
        // Every change is complete before anything can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn insert(&self, object: T) -> Outcome<H> {
        let handle = self.lock().insert(object).ok_or_else(|| {
            Error::new(crate::abi::MPI_ERR_NO_MEM, "a million objects of this kind exist already")
        })?;
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::sites::note(handle.bits());
        }
        Ok(handle)
    }

    /// Returns the handles of all objects.
    pub fn handles(&self) -> Vec<H> {
        self.lock().named().map(|(handle, _)| handle).collect()
    }

    /// Returns whether `is_it` holds for an object.
    pub fn any(&self, mut is_it: impl FnMut(&T) -> bool) -> bool {
        self.lock().named().any(|(_, object)| is_it(object))
    }

    /// Returns the handle of an object for which `is_it` holds.
    pub fn find(&self, mut is_it: impl FnMut(&T) -> bool) -> Option<H> {
        self.lock().named().find_map(|(handle, object)| is_it(object).then_some(handle))
    }

    /// Calls `look` with the object that `handle` names.
    pub fn read<R>(&self, handle: H, look: impl FnOnce(&T) -> R) -> Outcome<R> {
        self.lock().get(handle).map(look).map_err(|dead| Error::dead(self.class, dead))
    }

    /// Calls `change` with the object that `handle` names.
    pub fn change<R>(&self, handle: H, change: impl FnOnce(&mut T) -> R) -> Outcome<R> {
        self.lock().get_mut(handle).map(change).map_err(|dead| Error::dead(self.class, dead))
    }

    pub fn remove(&self, handle: H) -> Outcome<T> {
        self.lock().remove(handle).map_err(|dead| Error::dead(self.class, dead))
    }
}
