//! Windows: puts, gets and accumulates in every kind of epoch.

use super::{Member, word};
use crate::mpi;
use crate::mpi::*;
use std::ptr::null_mut;

/// Words that each process may write in the window of each other.
const OWN_WORDS: usize = 40;

/// A window: for each process a part that it alone writes, then counters that all add to.
struct Open {
    win: Win,
    base: *mut i32,
    _memory: Vec<i32>,
}

const COUNTERS: usize = 4;

/// Opens a window, uses it in epochs of several kinds, and frees it.
pub fn access(member: &Member, random: &mut fastrand::Rng) {
    let words = member.size * OWN_WORDS + COUNTERS;
    let mut open = open(member, words, random.bool());
    mpi!(MPI_Win_set_errhandler(open.win, MPI_ERRORS_RETURN));
    let seed = random.u64(..);
    let epochs = random.usize(1..4);
    let mut added = [0; COUNTERS];
    for epoch in 0..epochs {
        let seed = seed ^ (epoch as u64) << 16;
        let kind = random.u8(..5);
        // Every process draws the targets of all.
        let targets: Vec<usize> = (0..member.size).map(|_| random.usize(..member.size)).collect();
        let length = random.usize(1..=OWN_WORDS);
        let counter = random.usize(..COUNTERS);
        let target = targets[member.rank];
        match kind {
            0 => {
                mpi!(MPI_Win_fence(0, open.win));
                let origin = write(member, &open, seed, target, length, counter);
                mpi!(MPI_Win_fence(0, open.win));
                origin.end(seed);
            }
            1 => {
                let lock = if random.bool() { MPI_LOCK_SHARED } else { MPI_LOCK_EXCLUSIVE };
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock(lock, target as i32, 0, open.win));
                let origin = write(member, &open, seed, target, length, counter);
                mpi!(MPI_Win_unlock(target as i32, open.win));
                origin.end(seed);
                mpi!(MPI_Barrier(member.comm));
            }
            2 => {
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock_all(0, open.win));
                let origin = write(member, &open, seed, target, length, counter);
                mpi!(MPI_Win_flush(target as i32, open.win));
                mpi!(MPI_Win_unlock_all(open.win));
                origin.end(seed);
                mpi!(MPI_Barrier(member.comm));
            }
            3 => {
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target as i32, 0, open.win));
                let origin = put(member, &open, seed, target, length);
                count_up(member, &open, target, counter);
                mpi!(MPI_Win_unlock(target as i32, open.win));
                drop(origin);
                mpi!(MPI_Barrier(member.comm));
            }
            _ => {
                let mut group = MPI_GROUP_NULL;
                mpi!(MPI_Comm_group(member.comm, &mut group));
                mpi!(MPI_Win_post(group, 0, open.win));
                mpi!(MPI_Win_start(group, 0, open.win));
                let origin = write(member, &open, seed, target, length, counter);
                mpi!(MPI_Win_complete(open.win));
                origin.end(seed);
                mpi!(MPI_Win_wait(open.win));
                mpi!(MPI_Group_free(&mut group));
            }
        }
        added[counter] += targets.iter().filter(|&&target| target == member.rank).count() as i32;
        check(member, &open, seed, &targets, length, &added);
        // Nobody writes before all have looked.
        mpi!(MPI_Barrier(member.comm));
    }
    mpi!(MPI_Win_free(&mut open.win));
}

#[allow(unsafe_code)]
fn open(member: &Member, words: usize, allocated: bool) -> Open {
    let bytes = (words * 4) as isize;
    let mut win = MPI_WIN_NULL;
    if allocated {
        let mut base: *mut i32 = null_mut();
        let place = (&raw mut base).cast();
        mpi!(MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, member.comm, place, &mut win));
        // SAFETY: the window's memory has this many words, and no process accesses it yet.
        unsafe { std::slice::from_raw_parts_mut(base, words) }.fill(0);
        mpi!(MPI_Barrier(member.comm));
        return Open { win, base, _memory: Vec::new() };
    }
    let mut memory = vec![0; words];
    let base = memory.as_mut_ptr();
    mpi!(MPI_Win_create(base.cast(), bytes, 4, MPI_INFO_NULL, member.comm, &mut win));
    Open { win, base, _memory: memory }
}

/// What an origin uses until its epoch ends.
struct Origin {
    values: Vec<i32>,
    one: Box<i32>,
    before: Box<i32>,
}

impl Origin {
    /// The epoch has ended: a value that was fetched is there.
    fn end(self, seed: u64) {
        assert!(seed.is_multiple_of(2) || *self.before >= 0, "a value has been fetched");
    }
}

/// Writes to this process's part of the target.
#[must_use]
fn put(member: &Member, open: &Open, seed: u64, target: usize, length: usize) -> Origin {
    let values = (0..length).map(|index| word(seed, member.rank, index)).collect();
    let origin = Origin { values, one: Box::new(1), before: Box::new(-1) };
    let (rank, place) = (target as i32, (member.rank * OWN_WORDS) as isize);
    let (from, count) = (origin.values.as_ptr().cast(), length as i32);
    mpi!(MPI_Put(from, count, MPI_INT, rank, place, count, MPI_INT, open.win));
    origin
}

/// Writes to this process's part of the target, and adds to a counter there.
#[must_use]
fn write(
    member: &Member,
    open: &Open,
    seed: u64,
    target: usize,
    length: usize,
    counter: usize,
) -> Origin {
    let mut origin = put(member, open, seed, target, length);
    let (rank, place) = (target as i32, (member.size * OWN_WORDS + counter) as isize);
    let one = (&raw const *origin.one).cast();
    if seed.is_multiple_of(2) {
        mpi!(MPI_Accumulate(one, 1, MPI_INT, rank, place, 1, MPI_INT, MPI_SUM, open.win));
    } else {
        let before = (&raw mut *origin.before).cast();
        mpi!(MPI_Fetch_and_op(one, before, MPI_INT, rank, place, MPI_SUM, open.win));
    }
    origin
}

/// Adds to a counter at the target by a get and a put, which the exclusive lock keeps together.
fn count_up(member: &Member, open: &Open, target: usize, counter: usize) {
    let (rank, place) = (target as i32, (member.size * OWN_WORDS + counter) as isize);
    let mut value = -1;
    let into = (&raw mut value).cast();
    mpi!(MPI_Get(into, 1, MPI_INT, rank, place, 1, MPI_INT, open.win));
    mpi!(MPI_Win_flush(rank, open.win));
    value += 1;
    let from = (&raw const value).cast();
    mpi!(MPI_Put(from, 1, MPI_INT, rank, place, 1, MPI_INT, open.win));
    mpi!(MPI_Win_flush(rank, open.win));
}

/// Checks this process's window by loads, and that of another process by a get.
#[allow(unsafe_code)]
fn check(
    member: &Member,
    open: &Open,
    seed: u64,
    targets: &[usize],
    length: usize,
    added: &[i32; COUNTERS],
) {
    let own = member.rank as i32;
    mpi!(MPI_Win_lock(MPI_LOCK_SHARED, own, 0, open.win));
    let words = member.size * OWN_WORDS + COUNTERS;
    // SAFETY: the window's memory has this many words; all accesses to it have ended.
    let found = unsafe { std::slice::from_raw_parts(open.base, words) }.to_vec();
    mpi!(MPI_Win_unlock(own, open.win));
    for (origin, _) in targets.iter().enumerate().filter(|&(_, to)| *to == member.rank) {
        for index in 0..length {
            let (at, expected) = (origin * OWN_WORDS + index, word(seed, origin, index));
            assert_eq!(found[at], expected, "word {index} of rank {origin}");
        }
    }
    assert_eq!(&found[words - COUNTERS..], added, "the counters");
    let other = targets[member.rank];
    let mut got = vec![-1; length];
    let (into, count) = (got.as_mut_ptr().cast(), length as i32);
    let place = (member.rank * OWN_WORDS) as isize;
    mpi!(MPI_Win_lock(MPI_LOCK_SHARED, other as i32, 0, open.win));
    mpi!(MPI_Get(into, count, MPI_INT, other as i32, place, count, MPI_INT, open.win));
    mpi!(MPI_Win_unlock(other as i32, open.win));
    for (index, found) in got.iter().enumerate() {
        assert_eq!(*found, word(seed, member.rank, index), "word {index} read back");
    }
}
