//! A program that goes on when processes die, as the book advises: each step ends by an agreement
//! on whether it has worked at all, and if not, those that live make a new communicator.
//!
//! ```text
//!   step ──failed──▶ revoke ──▶ agree ──all well──▶ the next step
//!        ──worked─────────────▶       ──else──────▶ shrink ──▶ the same step again
//! ```
//!
//! All processes that reach the end must have got the same from each agreement, and the same
//! members in each new communicator. (One that dies after an agreement may take a word with it that
//! nobody else has heard.) What a step returns without an error must be right.

use super::{Kind, Member, Step, length, word};
use crate::mpi;
use crate::mpi::*;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// What the first process that has reached the end has been told by all agreements.
#[derive(Debug, Default)]
pub struct Told(Mutex<Option<Vec<String>>>);

impl Told {
    /// Compares what this process has been told with what others have.
    fn compare(&self, told: Vec<String>) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = first.get_or_insert_with(|| told.clone());
        assert_eq!(*first, told, "agreements tell all the same");
    }
}

/// Calls a function of MPI. Returns 0, or the class of its error, which tells of a process that has
/// died.
macro_rules! class_of_call {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        crate::job::note(|| stringify!($name).to_owned());
        // SAFETY: as in `mpi!`.
        #[allow(unsafe_code, clippy::macro_metavars_in_unsafe)]
        let code = unsafe { $crate::mpi::$name($($argument),*) };
        examined(stringify!($name), code)
    }};
}

/// Calls a function of MPI, and leaves the calling function with the class of its error if it tells
/// of a process that has died.
macro_rules! survive {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let class = class_of_call!($name($($argument),*));
        if class != 0 {
            return Err(class);
        }
    }};
}

/// Returns the class of an error; one that tells of no death ends the job.
fn examined(name: &str, code: c_int) -> c_int {
    let told = [
        MPIX_ERR_PROC_FAILED,
        MPIX_ERR_PROC_FAILED_PENDING,
        MPIX_ERR_REVOKED,
        MPI_ERR_IN_STATUS,
        MPI_ERR_PENDING,
    ];
    let class = if code == 0 { 0 } else { class_of(code) };
    if class != 0 && told.iter().all(|told| told.value() != class) {
        fail(name, code);
    }
    class
}

/// The program as one process executes it.
pub fn execute(steps: &[Step], told: &Told) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    mpi!(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    let mut comm = MPI_COMM_NULL;
    mpi!(MPI_Comm_dup(MPI_COMM_WORLD, &mut comm));
    let mut member = Member::of(comm);
    // From now on processes die.
    crate::job::meet();
    let (mut at, mut heard) = (0, Vec::new());
    while let Some(step) = steps.get(at) {
        crate::job::note(|| format!("step {at}: {:?} of {}", step.kind, member.size));
        let mut random = fastrand::Rng::with_seed(step.seed);
        let mut flag = c_int::from(take(step.kind, &member, &mut random).is_ok());
        if flag == 0 {
            mpi!(MPIX_Comm_revoke(member.comm));
        }
        let class = agree(member.comm, &mut flag, random.bool());
        heard.push(format!("{flag}, class {class}"));
        if flag == 1 && class == 0 {
            at += 1;
            continue;
        }
        mpi!(MPIX_Comm_revoke(member.comm));
        let new = Member::of(shrink(member.comm, random.bool()));
        heard.push(format!("{:?}", members(new.comm)));
        mpi!(MPI_Comm_free(&mut member.comm));
        member = new;
    }
    mpi!(MPI_Comm_free(&mut member.comm));
    mpi!(MPI_Finalize());
    told.compare(heard);
}

fn agree(comm: Comm, flag: &mut c_int, at_once: bool) -> c_int {
    if at_once {
        return class_of_call!(MPIX_Comm_agree(comm, flag));
    }
    let mut request = MPI_REQUEST_NULL;
    mpi!(MPIX_Comm_iagree(comm, flag, &mut request));
    class_of_call!(MPI_Wait(&mut request, null_mut()))
}

fn shrink(comm: Comm, at_once: bool) -> Comm {
    let mut new = MPI_COMM_NULL;
    if at_once {
        mpi!(MPIX_Comm_shrink(comm, &mut new));
    } else {
        let mut request = MPI_REQUEST_NULL;
        mpi!(MPIX_Comm_ishrink(comm, &mut new, &mut request));
        mpi!(MPI_Wait(&mut request, null_mut()));
    }
    mpi!(MPI_Comm_set_errhandler(new, MPI_ERRORS_RETURN));
    new
}

/// Returns the ranks in `MPI_COMM_WORLD` of the members of a communicator.
fn members(comm: Comm) -> Vec<c_int> {
    let (mut all, mut own) = (MPI_GROUP_NULL, MPI_GROUP_NULL);
    mpi!(MPI_Comm_group(MPI_COMM_WORLD, &mut all));
    mpi!(MPI_Comm_group(comm, &mut own));
    let mut size = 0;
    mpi!(MPI_Group_size(own, &mut size));
    let ranks: Vec<c_int> = (0..size).collect();
    let mut of_world = vec![0; size as usize];
    mpi!(MPI_Group_translate_ranks(own, size, ranks.as_ptr(), all, of_world.as_mut_ptr()));
    mpi!(MPI_Group_free(&mut all));
    mpi!(MPI_Group_free(&mut own));
    of_world
}

/// Takes a step. Fails if a process has died that it needs, or if another process has found that.
fn take(kind: Kind, member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    match kind {
        Kind::Messages | Kind::Flood | Kind::Repeated => messages(member, random),
        Kind::Errors => from_anybody(member, random),
        Kind::Free => agreed_communicators(member, random),
        Kind::Duplicate | Kind::Split => new_communicator(member, random),
        Kind::Window if random.bool() => window(member, random),
        Kind::Window => later(member, random),
        Kind::Collectives => collective(member, random),
    }
}

/// Every process sends to some that follow it.
fn messages(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (size, count, seed) = (member.size, length(random), random.u64(..));
    let ways: Vec<(usize, bool)> =
        (0..random.usize(1..5)).map(|_| (random.usize(..size), random.bool())).collect();
    let mut into = vec![vec![-1; count]; ways.len()];
    let out = |rank: usize| -> Vec<c_int> { (0..count).map(|at| word(seed, rank, at)).collect() };
    let own = out(member.rank);
    let mut requests = Vec::new();
    for (number, (&(distance, is_synchronous), into)) in ways.iter().zip(&mut into).enumerate() {
        let (to, from) = ((member.rank + distance) % size, (member.rank + size - distance) % size);
        let (tag, count) = (number as c_int, count as c_int);
        let (mut receive, mut send) = (MPI_REQUEST_NULL, MPI_REQUEST_NULL);
        let place = into.as_mut_ptr().cast();
        let comm = member.comm;
        let received = class_of_call!(MPI_Irecv(
            place,
            count,
            MPI_INT,
            from as c_int,
            tag,
            comm,
            &mut receive
        ));
        requests.extend((received == 0).then_some(receive));
        let data = own.as_ptr().cast();
        let sent = match is_synchronous {
            true => {
                class_of_call!(MPI_Issend(data, count, MPI_INT, to as c_int, tag, comm, &mut send))
            }
            false => {
                class_of_call!(MPI_Isend(data, count, MPI_INT, to as c_int, tag, comm, &mut send))
            }
        };
        requests.extend((sent == 0).then_some(send));
        if received != 0 || sent != 0 {
            return Err(give_up(member, requests, received.max(sent)));
        }
    }
    let number = requests.len() as c_int;
    let mut statuses = vec![Status::default(); requests.len()];
    let class = class_of_call!(MPI_Waitall(number, requests.as_mut_ptr(), statuses.as_mut_ptr()));
    if class != 0 {
        return Err(give_up(member, requests, class));
    }
    for ((distance, _), into) in ways.iter().zip(&into) {
        let from = (member.rank + size - distance) % size;
        assert_eq!(*into, out(from), "the message of rank {from}");
    }
    Ok(())
}

/// Ends requests of a step that has failed, whose buffers go: a revoked communicator has no
/// operation that goes on.
fn give_up(member: &Member, requests: Vec<Request>, class: c_int) -> c_int {
    mpi!(MPIX_Comm_revoke(member.comm));
    for mut request in requests {
        class_of_call!(MPI_Wait(&mut request, null_mut()));
        assert_eq!(request, MPI_REQUEST_NULL, "a request on a revoked communicator ends");
    }
    class
}

/// One process receives from all others, in any order.
fn from_anybody(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (root, count, seed) = (random.usize(..member.size), length(random), random.u64(..));
    let of = |rank: usize| -> Vec<c_int> { (0..count).map(|at| word(seed, rank, at)).collect() };
    let (comm, count) = (member.comm, count as c_int);
    if member.rank != root {
        let own = of(member.rank);
        survive!(MPI_Send(own.as_ptr().cast(), count, MPI_INT, root as c_int, 40, comm));
        return Ok(());
    }
    let mut is_missing = vec![true; member.size];
    for _ in 1..member.size {
        let mut into = vec![-1; count as usize];
        let (place, mut status) = (into.as_mut_ptr().cast(), Status::default());
        survive!(MPI_Recv(place, count, MPI_INT, MPI_ANY_SOURCE, 40, comm, &mut status));
        let from = status.source as usize;
        assert_eq!(into, of(from), "the message of rank {from}");
        assert!(std::mem::replace(&mut is_missing[from], false), "rank {from} has sent twice");
    }
    Ok(())
}

/// Makes a communicator and frees it. Where others could not make it, nobody uses it.
fn new_communicator(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let mut new = MPI_COMM_NULL;
    match random.u8(..3) {
        0 => survive!(MPI_Comm_dup(member.comm, &mut new)),
        1 => {
            let colour = member.rank as c_int % 2;
            survive!(MPI_Comm_split(member.comm, colour, -(member.rank as c_int), &mut new));
        }
        _ => {
            let mut request = MPI_REQUEST_NULL;
            survive!(MPI_Comm_idup(member.comm, &mut new, &mut request));
            let class = class_of_call!(MPI_Wait(&mut request, null_mut()));
            if class != 0 {
                return Err(class);
            }
        }
    }
    mpi!(MPI_Comm_free(&mut new));
    Ok(())
}

/// Makes communicators, agrees on each of them, and frees it. Where others could not make one,
/// nobody agrees on any.
fn agreed_communicators(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (mut made, mut failure) = (Vec::new(), 0);
    for _ in 0..random.usize(1..12) {
        let mut new = MPI_COMM_NULL;
        failure = class_of_call!(MPI_Comm_dup(member.comm, &mut new));
        if failure != 0 {
            mpi!(MPIX_Comm_revoke(member.comm));
            break;
        }
        made.push(new);
    }
    let at_once = random.bool();
    let mut flag = c_int::from(failure == 0);
    let mut class = agree(member.comm, &mut flag, at_once);
    for mut new in made {
        if flag == 1 {
            let mut all = !0;
            class = class.max(agree(new, &mut all, at_once));
            assert_eq!(all, !0, "the flag that all have given");
        }
        mpi!(MPI_Comm_free(&mut new));
    }
    if flag == 1 && class == 0 { Ok(()) } else { Err(failure.max(class).max(1)) }
}

/// A collective operation that is completed later.
fn later(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (count, seed, what) = (length(random), random.u64(..), random.u8(..3));
    let own: Vec<c_int> = (0..count).map(|at| word(seed, member.rank, at)).collect();
    let mut into = vec![-1; count];
    let root = random.usize(..member.size);
    let (data, place) = (own.as_ptr().cast(), into.as_mut_ptr().cast());
    let (comm, length, mut request) = (member.comm, count as c_int, MPI_REQUEST_NULL);
    match what {
        0 => survive!(MPI_Ibarrier(comm, &mut request)),
        1 => {
            survive!(MPI_Iallreduce(data, place, length, MPI_INT, MPI_SUM, comm, &mut request));
        }
        _ => {
            if member.rank == root {
                into.copy_from_slice(&own);
            }
            let place = into.as_mut_ptr().cast();
            survive!(MPI_Ibcast(place, length, MPI_INT, root as c_int, comm, &mut request));
        }
    }
    let class = class_of_call!(MPI_Wait(&mut request, null_mut()));
    if class != 0 {
        return Err(give_up(member, vec![request], class));
    }
    for (at, value) in into.iter().enumerate() {
        let expected = match what {
            0 => -1,
            1 => (0..member.size).map(|rank| word(seed, rank, at)).sum(),
            _ => word(seed, root, at),
        };
        assert_eq!(*value, expected, "element {at} of a later result");
    }
    Ok(())
}

/// Puts and sums in a window, between fences or under locks.
fn window(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (seed, with_locks) = (random.u64(..), random.bool());
    let count = length(random).clamp(1, 9000);
    let (mut base, mut win) = (std::ptr::null_mut::<c_int>(), MPI_WIN_NULL);
    let bytes = 4 * count as isize;
    let place = (&raw mut base).cast();
    survive!(MPI_Win_allocate(2 * bytes, 4, MPI_INFO_NULL, member.comm, place, &mut win));
    mpi!(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    let used = match with_locks {
        true => by_locks(member, win, base, (count, seed)),
        false => by_fences(member, win, base, (count, seed)),
    };
    if used.is_err() {
        mpi!(MPIX_Comm_revoke(member.comm));
    }
    let freed = class_of_call!(MPI_Win_free(&mut win));
    used?;
    if freed == 0 { Ok(()) } else { Err(freed) }
}

/// Every process puts into the memory of the next one, and adds to a sum at rank 0.
fn by_fences(
    member: &Member,
    win: Win,
    base: *mut c_int,
    (count, seed): (usize, u64),
) -> Result<(), c_int> {
    let (size, rank) = (member.size, member.rank);
    let next = ((rank + 1) % size) as c_int;
    let own: Vec<c_int> = (0..count).map(|at| word(seed, rank, at)).collect();
    let (data, length) = (own.as_ptr().cast(), count as c_int);
    // SAFETY: the window has twice as many words.
    #[allow(unsafe_code)]
    let memory = unsafe { std::slice::from_raw_parts_mut(base, 2 * count) };
    memory.fill(0);
    survive!(MPI_Win_fence(0, win));
    survive!(MPI_Put(data, length, MPI_INT, next, 0, length, MPI_INT, win));
    let (sum, far) = (MPI_SUM, count as isize);
    survive!(MPI_Accumulate(data, length, MPI_INT, 0, far, length, MPI_INT, sum, win));
    survive!(MPI_Win_fence(0, win));
    let before = (rank + size - 1) % size;
    for at in 0..count {
        assert_eq!(memory[at], word(seed, before, at), "word {at} of rank {before}");
        if rank == 0 {
            let sum: c_int = (0..size).map(|rank| word(seed, rank, at)).sum();
            assert_eq!(memory[count + at], sum, "sum {at}");
        }
    }
    Ok(())
}

/// Every process adds one to a word of each, under a lock.
fn by_locks(
    member: &Member,
    win: Win,
    base: *mut c_int,
    (count, seed): (usize, u64),
) -> Result<(), c_int> {
    // SAFETY: the window has twice as many words.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts_mut(base, 2 * count).fill(0);
    }
    survive!(MPI_Barrier(member.comm));
    let kind = if seed % 2 == 0 { MPI_LOCK_EXCLUSIVE } else { MPI_LOCK_SHARED };
    for target in 0..member.size as c_int {
        survive!(MPI_Win_lock(kind, target, 0, win));
        let (one, mut before) = (1, -1);
        let (data, into) = ((&raw const one).cast(), (&raw mut before).cast());
        survive!(MPI_Fetch_and_op(data, into, MPI_INT, target, 0, MPI_SUM, win));
        survive!(MPI_Win_unlock(target, win));
        assert!((0..member.size as c_int).contains(&before), "{before} before");
    }
    survive!(MPI_Barrier(member.comm));
    Ok(())
}

/// A blocking collective operation.
fn collective(member: &Member, random: &mut fastrand::Rng) -> Result<(), c_int> {
    let (size, comm) = (member.size, member.comm);
    let (what, root, seed) = (random.u8(..7), random.usize(..size), random.u64(..));
    let count = length(random).min(20_000);
    let of = |rank: usize, at: usize| word(seed, rank, at);
    let own: Vec<c_int> = (0..count).map(|at| of(member.rank, at)).collect();
    let sums = || -> Vec<c_int> {
        (0..count).map(|at| (0..size).map(|rank| of(rank, at)).sum()).collect()
    };
    let (length, to) = (count as c_int, root as c_int);
    let mut into = vec![-1; count * size];
    let (data, place) = (own.as_ptr().cast(), into.as_mut_ptr().cast());
    match what {
        0 => survive!(MPI_Barrier(comm)),
        1 => {
            survive!(MPI_Allreduce(data, place, length, MPI_INT, MPI_SUM, comm));
            assert_eq!(into[..count], sums(), "sums");
        }
        2 => {
            survive!(MPI_Reduce(data, place, length, MPI_INT, MPI_SUM, to, comm));
            if member.rank == root {
                assert_eq!(into[..count], sums(), "sums at the root");
            }
        }
        3 => {
            let mut all = if member.rank == root { own.clone() } else { vec![-1; count] };
            survive!(MPI_Bcast(all.as_mut_ptr().cast(), length, MPI_INT, to, comm));
            let expected: Vec<c_int> = (0..count).map(|at| of(root, at)).collect();
            assert_eq!(all, expected, "the root's data");
        }
        4 => {
            survive!(MPI_Allgather(data, length, MPI_INT, place, length, MPI_INT, comm));
            let expected: Vec<c_int> =
                (0..size).flat_map(|rank| (0..count).map(move |at| of(rank, at))).collect();
            assert_eq!(into, expected, "the data of all");
        }
        5 => {
            survive!(MPI_Gather(data, length, MPI_INT, place, length, MPI_INT, to, comm));
            if member.rank == root {
                assert!((0..size * count).all(|at| into[at] == of(at / count, at % count)));
            }
        }
        _ => {
            let out: Vec<c_int> = (0..size * count).map(|at| of(member.rank, at)).collect();
            let data = out.as_ptr().cast();
            survive!(MPI_Alltoall(data, length, MPI_INT, place, length, MPI_INT, comm));
            let from = |at: usize| of(at / count, member.rank * count + at % count);
            assert!((0..size * count).all(|at| into[at] == from(at)), "blocks of all");
        }
    }
    Ok(())
}
