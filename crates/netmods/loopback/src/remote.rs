//! Remote memory access without the target's processor, as RDMA hardware does it.
//!
//! Operations leave late and, between two flushes, in any order. A put reads its bytes when it
//! leaves, and writes them when it arrives, even later:
//!
//! ```text
//!   put           Leaving --bytes are read, completed--> Arriving --written--> over
//!   get, atomic   Leaving --done, completed--> over
//!   flush         completed when all earlier operations on that process are over
//! ```
//!
//! The target takes no part: the origin's polls write its memory.

#![allow(unsafe_code)]

use crate::wires::{End, Wires};
use nemesis_netmod::optional::{Change, Registration, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut, Token};
use std::collections::HashMap;
use std::ptr::NonNull;

const KEY_BYTES: usize = 8;

/// Registered memory, by process and key.
#[derive(Default)]
pub struct Registered(HashMap<(u32, u64), Region>);

impl Registered {
    pub fn add(&mut self, process: u32, key: u64, region: Region) -> Registration {
        self.0.insert((process, key), region);
        Registration { id: key, key: key.to_le_bytes().to_vec() }
    }

    pub fn remove(&mut self, process: u32, key: u64) -> Result<(), Failure> {
        self.0
            .remove(&(process, key))
            .map(drop)
            .ok_or_else(|| Failure::new(Fault::Invalid, "this memory is not registered"))
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

    fn write(&self, to: Remote, bytes: &[u8]) -> Result<(), Failure> {
        let place = self.find(to, bytes.len())?;
        // SAFETY: registered memory is writable, and no Rust reference to it exists (contract of
        // `register`).
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.as_ptr(), bytes.len()) };
        Ok(())
    }

    fn read(&self, from: Remote, into: &mut [u8]) -> Result<(), Failure> {
        let place = self.find(from, into.len())?;
        // SAFETY: registered memory is readable, and no Rust reference to it exists (contract of
        // `register`).
        unsafe { std::ptr::copy_nonoverlapping(place.as_ptr(), into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    /// Changes a word and returns its old value.
    fn change(&self, at: Remote, change: Change) -> Result<u64, Failure> {
        let place = self.find(at, size_of::<u64>())?.cast::<u64>();
        if !place.is_aligned() {
            return Err(Failure::new(
                Fault::Invalid,
                format!("no word begins at {:#x}", at.address),
            )
            .about(at.process));
        }
        // SAFETY: an aligned word of registered memory. The network's one lock excludes other
        // accesses.
        let before = unsafe { place.read() };
        let after = match change {
            Change::Add(value) => before.wrapping_add(value),
            Change::Swap(value) => value,
            Change::CompareSwap { expected, new } if before == expected => new,
            Change::CompareSwap { .. } => before,
        };
        // SAFETY: an aligned word of registered memory. The network's one lock excludes other
        // accesses.
        unsafe { place.write(after) };
        Ok(before)
    }
}

/// Target of an operation.
#[derive(Clone, Copy)]
pub struct Remote {
    process: u32,
    /// `None` if the key does not have the form of this network's keys.
    key: Option<u64>,
    address: u64,
}

impl Remote {
    pub fn new(target: Target<'_>) -> Remote {
        let key = <[u8; KEY_BYTES]>::try_from(target.key).ok().map(u64::from_le_bytes);
        Remote { process: target.process, key, address: target.address }
    }
}

pub enum Work {
    Put(Region),
    Arriving(Vec<u8>),
    Get(RegionMut),
    Atomic(Change, RegionMut),
    Flush,
}

struct Operation {
    number: u64,
    at: Remote,
    due: u64,
    token: Token,
    work: Work,
}

/// A token and its outcome.
pub type Completion = (Token, Result<(), Failure>);

/// Operations of one process.
#[derive(Default)]
pub struct Operations {
    under_way: Vec<Operation>,
    begun: u64,
    /// Puts that failed after they had completed, by process; the next flush reports them.
    failed: HashMap<u32, Failure>,
}

impl Operations {
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    pub fn begin(&mut self, wires: &mut Wires, at: Remote, work: Work, token: Token) {
        self.begun += 1;
        self.under_way.push(Operation { number: self.begun, at, due: wires.due(), token, work });
    }

    /// Moves the operations that are due, in random order. Returns the completions, the number of
    /// operations that ended, and a process that has left, if there is one.
    pub fn advance(&mut self, wires: &mut Wires) -> (Vec<Completion>, u32, Option<(u32, End)>) {
        let mut completed = Vec::new();
        let before = self.under_way.len();
        if before == 0 {
            return (completed, 0, None);
        }
        self.under_way.rotate_left(wires.up_to(before as u64 - 1) as usize);
        let gone = self.under_way.iter().find_map(|operation| {
            wires.end_of(operation.at.process).map(|end| (operation.at.process, end))
        });
        if gone.is_some() {
            return (completed, 0, gone);
        }
        let moved = std::mem::take(&mut self.under_way)
            .into_iter()
            .filter_map(|operation| self.step(operation, wires, &mut completed));
        let left: Vec<Operation> = moved.collect();
        self.under_way = left;
        self.end_flushes(&mut completed);
        let over = before - self.under_way.len();
        (completed, over as u32, None)
    }

    /// Moves an operation that is due, and returns what remains of it.
    fn step(
        &mut self,
        mut operation: Operation,
        wires: &mut Wires,
        completed: &mut Vec<Completion>,
    ) -> Option<Operation> {
        if operation.due > wires.now() {
            return Some(operation);
        }
        let (at, token) = (operation.at, operation.token);
        operation.work = match operation.work {
            Work::Put(region) => {
                completed.push((token, Ok(())));
                operation.due = wires.due();
                Work::Arriving(region.bytes().to_vec())
            }
            Work::Arriving(bytes) => {
                if let Err(failure) = wires.registered.write(at, &bytes) {
                    self.failed.insert(at.process, failure);
                }
                return None;
            }
            Work::Get(mut into) => {
                completed.push((token, wires.registered.read(at, into.from_mut(0))));
                return None;
            }
            Work::Atomic(change, mut old) => {
                let changed = wires.registered.change(at, change);
                completed.push((token, changed.map(|before| old.write(0, &before.to_ne_bytes()))));
                return None;
            }
            Work::Flush => Work::Flush,
        };
        Some(operation)
    }

    fn end_flushes(&mut self, completed: &mut Vec<Completion>) {
        let waits = |flush: &Operation, all: &[Operation]| {
            all.iter().any(|other| {
                other.at.process == flush.at.process
                    && other.number < flush.number
                    && !matches!(other.work, Work::Flush)
            })
        };
        let over: Vec<u64> = self
            .under_way
            .iter()
            .filter(|operation| {
                matches!(operation.work, Work::Flush) && !waits(operation, &self.under_way)
            })
            .map(|operation| operation.number)
            .collect();
        for flush in self.under_way.extract_if(.., |operation| over.contains(&operation.number)) {
            completed
                .push((flush.token, self.failed.remove(&flush.at.process).map_or(Ok(()), Err)));
        }
    }

    /// Returns the tokens of operations on a process that has left.
    pub fn abandon(&mut self, process: u32) -> Vec<Token> {
        self.failed.remove(&process);
        let gone = self.under_way.extract_if(.., |operation| operation.at.process == process);
        gone.filter(|operation| !matches!(operation.work, Work::Arriving(_)))
            .map(|operation| operation.token)
            .collect()
    }
}
