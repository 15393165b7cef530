//! Windows of three flavours: puts, gets and accumulates in every kind of epoch, of few and of many
//! words, with and without gaps at the target.

use super::{Member, word};
use crate::mpi;
use crate::mpi::*;
use std::ptr::null_mut;

/// Words that each process may write in the window of each other: few, or so many that they travel
/// as bulk payloads.
const OWN_WORDS: [usize; 2] = [40, 12_000];

/// Whose memory a window has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavor {
    Create,
    Allocate,
    Dynamic,
}

/// A window: for each process a part that it alone writes, then counters that all add to.
struct Open {
    win: Win,
    base: *mut i32,
    /// Words of a part.
    own: usize,
    /// Addresses of the memory of each process, if the window is dynamic.
    addresses: Vec<isize>,
    memory: Vec<i32>,
}

impl Open {
    /// Returns the displacement of a word of a process.
    fn place(&self, rank: usize, word: usize) -> isize {
        match self.addresses.get(rank) {
            Some(address) => address + 4 * word as isize,
            None => word as isize,
        }
    }
}

/// What an access names: words of a part, side by side or every second one.
#[derive(Clone, Copy)]
struct Shape {
    length: usize,
    step: usize,
}

impl Shape {
    /// Makes the datatype of the target.
    fn datatype(self) -> Datatype {
        let mut datatype = MPI_DATATYPE_NULL;
        let (length, step) = (self.length as i32, self.step as i32);
        mpi!(MPI_Type_vector(length, 1, step, MPI_INT, &mut datatype));
        mpi!(MPI_Type_commit(&mut datatype));
        datatype
    }
}

const COUNTERS: usize = 4;

/// Opens a window, uses it in epochs of several kinds, and frees it.
pub fn access(member: &Member, random: &mut fastrand::Rng) {
    let own = OWN_WORDS[usize::from(random.u8(..8) == 0)];
    let flavor = [Flavor::Create, Flavor::Allocate, Flavor::Dynamic][random.usize(..3)];
    let mut open = open(member, own, flavor);
    mpi!(MPI_Win_set_errhandler(open.win, MPI_ERRORS_RETURN));
    let seed = random.u64(..);
    let epochs = random.usize(1..4);
    let mut added = [0; COUNTERS];
    for epoch in 0..epochs {
        let seed = seed ^ (epoch as u64) << 16;
        let kind = random.u8(..6);
        // Every process draws the targets of all.
        let targets: Vec<usize> = (0..member.size).map(|_| random.usize(..member.size)).collect();
        let step = random.usize(1..=2);
        let shape = Shape { length: random.usize(1..=own / step), step };
        let counter = random.usize(..COUNTERS);
        let target = targets[member.rank];
        match kind {
            0 => {
                mpi!(MPI_Win_fence(0, open.win));
                let origin = write(member, &open, seed, target, shape, counter);
                mpi!(MPI_Win_fence(0, open.win));
                origin.end(seed);
            }
            1 => {
                let lock = if random.bool() { MPI_LOCK_SHARED } else { MPI_LOCK_EXCLUSIVE };
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock(lock, target as i32, 0, open.win));
                let origin = write(member, &open, seed, target, shape, counter);
                mpi!(MPI_Win_unlock(target as i32, open.win));
                origin.end(seed);
                mpi!(MPI_Barrier(member.comm));
            }
            2 => {
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock_all(0, open.win));
                let origin = write(member, &open, seed, target, shape, counter);
                mpi!(MPI_Win_flush(target as i32, open.win));
                mpi!(MPI_Win_unlock_all(open.win));
                origin.end(seed);
                mpi!(MPI_Barrier(member.comm));
            }
            3 => {
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target as i32, 0, open.win));
                let origin = put(member, &open, seed, target, shape, false);
                count_up(member, &open, target, counter);
                mpi!(MPI_Win_unlock(target as i32, open.win));
                drop(origin);
                mpi!(MPI_Barrier(member.comm));
            }
            4 => {
                mpi!(MPI_Barrier(member.comm));
                mpi!(MPI_Win_lock_all(0, open.win));
                let origin = put(member, &open, seed, target, shape, true);
                swap_up(member, &open, target, counter);
                mpi!(MPI_Win_unlock_all(open.win));
                drop(origin);
                mpi!(MPI_Barrier(member.comm));
            }
            _ => {
                let mut group = MPI_GROUP_NULL;
                mpi!(MPI_Comm_group(member.comm, &mut group));
                mpi!(MPI_Win_post(group, 0, open.win));
                mpi!(MPI_Win_start(group, 0, open.win));
                let origin = write(member, &open, seed, target, shape, counter);
                mpi!(MPI_Win_complete(open.win));
                origin.end(seed);
                mpi!(MPI_Win_wait(open.win));
                mpi!(MPI_Group_free(&mut group));
            }
        }
        added[counter] += targets.iter().filter(|&&target| target == member.rank).count() as i32;
        check(member, &open, seed, &targets, shape, &added);
        // Nobody writes before all have looked.
        mpi!(MPI_Barrier(member.comm));
    }
    if flavor == Flavor::Dynamic {
        for half in [0, open.memory.len() / 2] {
            mpi!(MPI_Win_detach(open.win, open.base.wrapping_add(half).cast()));
        }
    }
    mpi!(MPI_Win_free(&mut open.win));
}

#[allow(unsafe_code)]
fn open(member: &Member, own: usize, flavor: Flavor) -> Open {
    let words = member.size * own + COUNTERS;
    let bytes = (words * 4) as isize;
    let (mut win, addresses) = (MPI_WIN_NULL, Vec::new());
    if flavor == Flavor::Allocate {
        let mut base: *mut i32 = null_mut();
        let place = (&raw mut base).cast();
        mpi!(MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, member.comm, place, &mut win));
        // SAFETY: the window's memory has this many words, and no process accesses it yet.
        unsafe { std::slice::from_raw_parts_mut(base, words) }.fill(0);
        mpi!(MPI_Barrier(member.comm));
        return Open { win, base, own, addresses, memory: Vec::new() };
    }
    let mut memory = vec![0; words];
    let base = memory.as_mut_ptr();
    if flavor == Flavor::Create {
        mpi!(MPI_Win_create(base.cast(), bytes, 4, MPI_INFO_NULL, member.comm, &mut win));
        return Open { win, base, own, addresses, memory };
    }
    mpi!(MPI_Win_create_dynamic(MPI_INFO_NULL, member.comm, &mut win));
    // Accesses may lie in both halves.
    let half = words / 2;
    mpi!(MPI_Win_attach(win, base.cast(), (half * 4) as isize));
    let second = base.wrapping_add(half).cast();
    mpi!(MPI_Win_attach(win, second, ((words - half) * 4) as isize));
    let (mut address, mut addresses) = (0, vec![0; member.size]);
    mpi!(MPI_Get_address(base.cast(), &mut address));
    let (from, into) = ((&raw const address).cast(), addresses.as_mut_ptr().cast());
    mpi!(MPI_Allgather(from, 1, MPI_AINT, into, 1, MPI_AINT, member.comm));
    Open { win, base, own, addresses, memory }
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
        assert!(seed.is_multiple_of(3) || *self.before >= 0, "a value has been fetched");
    }
}

/// Writes to this process's part of the target, by a request if `waits`.
#[must_use]
fn put(
    member: &Member,
    open: &Open,
    seed: u64,
    target: usize,
    shape: Shape,
    waits: bool,
) -> Origin {
    let values = (0..shape.length).map(|index| word(seed, member.rank, index)).collect();
    let origin = Origin { values, one: Box::new(1), before: Box::new(-1) };
    let (rank, place) = (target as i32, open.place(target, member.rank * open.own));
    let (from, count) = (origin.values.as_ptr().cast(), shape.length as i32);
    let mut datatype = shape.datatype();
    if waits {
        let mut request = MPI_REQUEST_NULL;
        mpi!(MPI_Rput(from, count, MPI_INT, rank, place, 1, datatype, open.win, &mut request));
        mpi!(MPI_Wait(&mut request, null_mut()));
    } else {
        mpi!(MPI_Put(from, count, MPI_INT, rank, place, 1, datatype, open.win));
    }
    mpi!(MPI_Type_free(&mut datatype));
    origin
}

/// Writes to this process's part of the target, and adds to a counter there.
#[must_use]
fn write(
    member: &Member,
    open: &Open,
    seed: u64,
    target: usize,
    shape: Shape,
    counter: usize,
) -> Origin {
    let mut origin = put(member, open, seed, target, shape, false);
    let (rank, place) = (target as i32, open.place(target, member.size * open.own + counter));
    let one = (&raw const *origin.one).cast();
    let before = (&raw mut *origin.before).cast();
    let (int, sum) = (MPI_INT, MPI_SUM);
    match seed % 3 {
        0 => mpi!(MPI_Accumulate(one, 1, int, rank, place, 1, int, sum, open.win)),
        1 => mpi!(MPI_Fetch_and_op(one, before, int, rank, place, sum, open.win)),
        _ => mpi!(MPI_Get_accumulate(
            one, 1, int, before, 1, int, rank, place, 1, int, sum, open.win
        )),
    }
    origin
}

/// Adds to a counter at the target by a get and a put, which the exclusive lock keeps together.
fn count_up(member: &Member, open: &Open, target: usize, counter: usize) {
    let (rank, place) = (target as i32, open.place(target, member.size * open.own + counter));
    let mut value = -1;
    let into = (&raw mut value).cast();
    mpi!(MPI_Get(into, 1, MPI_INT, rank, place, 1, MPI_INT, open.win));
    mpi!(MPI_Win_flush(rank, open.win));
    value += 1;
    let from = (&raw const value).cast();
    mpi!(MPI_Put(from, 1, MPI_INT, rank, place, 1, MPI_INT, open.win));
    mpi!(MPI_Win_flush(rank, open.win));
}

/// Adds to a counter at the target by swaps, until one has found what it expected.
fn swap_up(member: &Member, open: &Open, target: usize, counter: usize) {
    let (rank, place) = (target as i32, open.place(target, member.size * open.own + counter));
    let (mut expected, mut before) = (0, -1);
    while before != expected {
        expected = before.max(0);
        let new = expected + 1;
        let (from, compare) = ((&raw const new).cast(), (&raw const expected).cast());
        let into = (&raw mut before).cast();
        mpi!(MPI_Compare_and_swap(from, compare, into, MPI_INT, rank, place, open.win));
        mpi!(MPI_Win_flush(rank, open.win));
    }
}

/// Checks this process's window by loads, and that of another process by a get.
#[allow(unsafe_code)]
fn check(
    member: &Member,
    open: &Open,
    seed: u64,
    targets: &[usize],
    shape: Shape,
    added: &[i32; COUNTERS],
) {
    let own = member.rank as i32;
    mpi!(MPI_Win_lock(MPI_LOCK_SHARED, own, 0, open.win));
    let words = member.size * open.own + COUNTERS;
    // SAFETY: the window's memory has this many words; all accesses to it have ended.
    let found = unsafe { std::slice::from_raw_parts(open.base, words) }.to_vec();
    mpi!(MPI_Win_unlock(own, open.win));
    for (origin, _) in targets.iter().enumerate().filter(|&(_, to)| *to == member.rank) {
        for index in 0..shape.length {
            let at = origin * open.own + index * shape.step;
            let expected = word(seed, origin, index);
            assert_eq!(found[at], expected, "word {index} of rank {origin}");
        }
    }
    assert_eq!(&found[words - COUNTERS..], added, "the counters");
    let other = targets[member.rank];
    let mut got = vec![-1; shape.length];
    let (into, count) = (got.as_mut_ptr().cast(), shape.length as i32);
    let place = open.place(other, member.rank * open.own);
    let mut datatype = shape.datatype();
    mpi!(MPI_Win_lock(MPI_LOCK_SHARED, other as i32, 0, open.win));
    mpi!(MPI_Get(into, count, MPI_INT, other as i32, place, 1, datatype, open.win));
    mpi!(MPI_Win_unlock(other as i32, open.win));
    mpi!(MPI_Type_free(&mut datatype));
    for (index, found) in got.iter().enumerate() {
        assert_eq!(*found, word(seed, member.rank, index), "word {index} read back");
    }
}
