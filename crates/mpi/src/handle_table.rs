//! Process-wide tables of objects that take no part in progress: infos, groups, operations.
//!
//! Infos must work before the start of MPI, after its end and from any thread (MPI 5.0 §11.4.1); groups and operations are values that
//! nobody changes. So they stand outside the engine, each kind behind a lock of its own that is held for one look or one change.

use crate::error::{Error, Outcome};
use crate::handle::{Handle, Table};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

pub struct HandleTable<H: Handle, T: 'static> {
    table: LazyLock<Mutex<Table<H, T>>>,
    /// The class of errors about handles of this kind.
    class: i32,
}

impl<H: Handle, T> HandleTable<H, T> {
    pub const fn new(class: i32) -> Self {
        HandleTable { table: LazyLock::new(Mutex::default), class }
    }

    fn lock(&self) -> MutexGuard<'_, Table<H, T>> {
        // Every change is complete before anything can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn insert(&self, object: T) -> Outcome<H> {
        self.lock().insert(object).ok_or_else(|| {
            Error::new(crate::abi::MPI_ERR_NO_MEM, "a million objects of this kind exist already")
        })
    }

    /// Looks at an object.
    pub fn read<R>(&self, handle: H, look: impl FnOnce(&T) -> R) -> Outcome<R> {
        self.lock().get(handle).map(look).map_err(|dead| Error::dead(self.class, dead))
    }

    /// Changes an object.
    pub fn change<R>(&self, handle: H, change: impl FnOnce(&mut T) -> R) -> Outcome<R> {
        self.lock().get_mut(handle).map(change).map_err(|dead| Error::dead(self.class, dead))
    }

    pub fn remove(&self, handle: H) -> Outcome<T> {
        self.lock().remove(handle).map_err(|dead| Error::dead(self.class, dead))
    }
}
