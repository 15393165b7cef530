//! Registered memory, which operations on remote memory may access.

#![allow(unsafe_code)]

use nemesis_netmod::optional::{Change, Registration, Target};
use nemesis_netmod::{Failure, Fault, Region};
use nemesis_sync::{AtomicU64, Ordering};
use std::collections::HashMap;
use std::ptr::NonNull;

const KEY_BYTES: usize = 8;

/// Registered memory, by process and key.
#[derive(Default)]
pub struct Registered(HashMap<(u32, u64), Region>);

impl Registered {
    /// Adds memory of a process under a key.
    pub fn add(&mut self, process: u32, key: u64, region: Region) -> Registration {
        self.0.insert((process, key), region);
        Registration { id: key, key: key.to_le_bytes().to_vec() }
    }

    /// Removes memory of a process; fails if it is not registered.
    pub fn remove(&mut self, process: u32, key: u64) -> Result<(), Failure> {
        self.0
            .remove(&(process, key))
            .map(drop)
            .ok_or_else(|| Failure::new(Fault::Invalid, "this memory is not registered"))
    }

    /// Returns whether a process has registered memory under a key.
    pub fn has(&self, process: u32, key: u64) -> bool {
        self.0.contains_key(&(process, key))
    }

    /// Removes the registrations of a process that has left.
    pub fn forget(&mut self, process: u32) {
        self.0.retain(|&(owner, _), _| owner != process);
    }

    /// Returns the address of registered memory; fails if it is not registered.
    fn find(
        &self,
        Remote { process, key, address }: Remote,
        bytes: usize,
    ) -> Result<NonNull<u8>, Failure> {
        let found = key.and_then(|key| self.0.get(&(process, key))).and_then(|region| {
            let offset =
                usize::try_from(address.checked_sub(region.address().as_ptr().addr() as u64)?)
                    .ok()?;
            // SAFETY: the offset lies within the region.
            (offset.checked_add(bytes)? <= region.len())
                .then(|| unsafe { region.address().add(offset) })
        });
        found.ok_or_else(|| {
            Failure::new(
                Fault::Invalid,
                format!("{bytes} bytes at {address:#x} are not registered there"),
            )
            .about(process)
        })
    }

    /// Writes bytes; fails if their place is not registered.
    pub fn write(&self, to: Remote, bytes: &[u8]) -> Result<(), Failure> {
        let memory = self.find(to, bytes.len())?;
        // SAFETY: registered memory is writable, and no Rust reference to it exists (contract of
        // `register`).
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Reads bytes; fails if their place is not registered.
    pub fn read(&self, from: Remote, into: &mut [u8]) -> Result<(), Failure> {
        let memory = self.find(from, into.len())?;
        // SAFETY: registered memory is readable, and no Rust reference to it exists (contract of
        // `register`).
        unsafe { std::ptr::copy_nonoverlapping(memory.as_ptr(), into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    /// Changes a word and returns its old value.
    pub fn change(&self, at: Remote, change: Change) -> Result<u64, Failure> {
        let memory = self.find(at, size_of::<u64>())?.cast::<u64>();
        if !memory.is_aligned() {
            return Err(Failure::new(
                Fault::Invalid,
                format!("no word begins at {:#x}", at.address),
            )
            .about(at.process));
        }
        // SAFETY: an aligned word of registered memory, which others change atomically only while
        // this process does.
        let word = unsafe { AtomicU64::from_ptr(memory.as_ptr()) };
        // SeqCst: as strong as the instructions of any processor that changes the word. Its partner
        // is whoever changes the word beside this process.
        Ok(match change {
            Change::Add(value) => word.fetch_add(value, Ordering::SeqCst),
            Change::CompareSwap { expected, new } => {
                let exchanged =
                    word.compare_exchange(expected, new, Ordering::SeqCst, Ordering::SeqCst);
                exchanged.unwrap_or_else(|other| other)
            }
        })
    }
}

/// Target of an operation.
#[derive(Clone, Copy)]
pub struct Remote {
    /// The process.
    pub process: u32,
    /// `None` if the key does not have the form of this network's keys.
    key: Option<u64>,
    address: u64,
}

impl Remote {
    /// Returns a target as its origin named it.
    pub fn new(target: Target<'_>) -> Remote {
        let key = <[u8; KEY_BYTES]>::try_from(target.key).ok().map(u64::from_le_bytes);
        Remote { process: target.process, key, address: target.address }
    }
}
