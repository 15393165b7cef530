//! Fast paths of the blocking collectives: short data of a predefined contiguous type, a predefined
//! operation, and a communicator with a collective segment (`shm::fast`).
//!
//! The slow path resumes an operation that is [`Pending`](Fast::Pending): `run::perform`.

use crate::comm::signature::{Kind, Signature};
use crate::engine::{Engine, enter_open};
use crate::handle::{Comm, Datatype, Op};
use crate::run::polls_next;
use crate::shm::{FastCall, SHORT_MAX_BYTES, reducing};
use crate::state::COLLECTIVES;
use nemesis_datatype::{Contiguous, ReduceKernel};
use nemesis_mpi_core::Fast;
use nemesis_sync::biased_lock::ShortGuard;
use std::hint::cold_path;

/// The data that a call describes by an address, a count and a datatype, none of which is checked.
pub trait UserData: Copy {
    /// Returns whether the address is `MPI_IN_PLACE`.
    fn is_in_place(self) -> bool;

    /// Returns whether both addresses are equal.
    fn begins_with(self, other: Self) -> bool;

    fn count(self) -> i64;

    /// Returns another number of elements at the address.
    fn with_count(self, count: i64) -> Self;

    /// Returns the data if they have at most `limit` bytes, the datatype is predefined and
    /// contiguous, and the address is not null.
    fn contiguous_within(self, limit: u32) -> Option<Contiguous>;
}

/// Returns what a fast path on a communicator needs, or `None` if the general path must be taken.
/// On an oversubscribed node a call yields the processor while it holds the lock, which only a
/// thread that is `alone` may do.
#[inline(always)]
fn view_of(engine: &mut Engine, comm: Comm, alone: bool) -> Option<FastCall<'_>> {
    let (object, endpoint, token) = engine.comm_and_endpoint(comm)?;
    if polls_next(object) {
        cold_path();
        return None;
    }
    let node_comm = COLLECTIVES.get_mut(token).states.get_mut(object)?.fast_node_comm()?;
    FastCall::new(node_comm, endpoint, &mut object.collectives, alone)
}

/// Returns this process's part of the communicator's collective segment, if a fast path may use it.
#[inline(always)]
fn fast_call<'a>(mpi: &'a mut ShortGuard<'_, Engine>, comm: Comm) -> Option<FastCall<'a>> {
    let alone = mpi.is_alone();
    view_of(mpi, comm, alone)
}

/// Returns data of 1 to [`SHORT_MAX_BYTES`] bytes that are not `MPI_IN_PLACE`.
#[inline(always)]
fn contiguous(data: impl UserData) -> Option<Contiguous> {
    data.contiguous_within(SHORT_MAX_BYTES)
        .filter(|contiguous| !contiguous.is_empty() && !data.is_in_place())
}

/// Performs `MPI_Barrier`.
#[inline(always)]
pub fn barrier(comm: Comm) -> Fast {
    Fast::attempt(|| Some(fast_call(&mut enter_open()?, comm)?.barrier()))
}

/// Performs `MPI_Bcast`.
#[inline(always)]
pub fn bcast(comm: Comm, data: impl UserData, root: i32) -> Fast {
    Fast::attempt(|| {
        let data = contiguous(data)?;
        Some(fast_call(&mut enter_open()?, comm)?.bcast(data, root as u32))
    })
}

/// Performs `MPI_Reduce`. The root combines its contribution where it lies; with `MPI_IN_PLACE` it
/// takes the slow path.
#[inline(always)]
pub fn reduce<D: UserData>(
    comm: Comm,
    (own, result): (D, D),
    (datatype, op): (Datatype, Op),
    root: i32,
) -> Fast {
    Fast::attempt(|| {
        let contribution = contiguous(own)?;
        let kernel = ReduceKernel::find(op.0, datatype.0)?;
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        if fast_call.rank() != root as u32 {
            let signature = reducing(Kind::Reduce, kernel).rooted(root as u32);
            return Some(fast_call.give(contribution, root as u32, signature));
        }
        if own.begins_with(result) {
            return None;
        }
        let result = contiguous(result)?;
        Some(fast_call.reduce(contribution, result, kernel))
    })
}

/// Returns the contribution and the place of the result, which are one with `MPI_IN_PLACE`.
#[inline(always)]
fn operands<D: UserData>(own: D, result: D) -> Option<(Contiguous, Contiguous)> {
    let place = contiguous(result)?;
    if own.is_in_place() {
        return Some((place, place));
    }
    let contribution = contiguous(own)?;
    (!own.begins_with(result)).then_some((contribution, place))
}

/// Performs `MPI_Allreduce`.
#[inline(always)]
pub fn allreduce<D: UserData>(
    comm: Comm,
    (own, result): (D, D),
    (datatype, op): (Datatype, Op),
) -> Fast {
    Fast::attempt(|| {
        let (own, result) = operands(own, result)?;
        let kernel = ReduceKernel::find(op.0, datatype.0)?;
        Some(fast_call(&mut enter_open()?, comm)?.allreduce(own, result, kernel))
    })
}

/// Performs `MPI_Scan`.
#[inline(always)]
pub fn scan<D: UserData>(
    comm: Comm,
    (own, result): (D, D),
    (datatype, op): (Datatype, Op),
) -> Fast {
    Fast::attempt(|| {
        let (own, result) = operands(own, result)?;
        let kernel = ReduceKernel::find(op.0, datatype.0)?;
        Some(fast_call(&mut enter_open()?, comm)?.scan(own, result, kernel))
    })
}

/// Performs `MPI_Reduce_scatter_block`. `own` and `result` have the elements of one block.
#[inline(always)]
pub fn reduce_scatter_block<D: UserData>(
    comm: Comm,
    (own, result): (D, D),
    (datatype, op): (Datatype, Op),
) -> Fast {
    Fast::attempt(|| {
        let kernel = ReduceKernel::find(op.0, datatype.0)?;
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        let total = result.count().checked_mul(fast_call.members().into())?;
        let (own, result) = shared_out(own.with_count(total), result)?;
        let start = fast_call.rank() as usize * result.len();
        Some(fast_call.reduce_scatter(own, start, result, (Kind::ReduceScatterBlock, kernel)))
    })
}

/// Performs `MPI_Reduce_scatter`. `counts` returns the elements of each of that many members; the
/// counts of `own` and `result` have no meaning.
#[inline(always)]
pub fn reduce_scatter<D: UserData, C: Iterator<Item = i64>>(
    comm: Comm,
    (own, result): (D, D),
    counts: impl FnOnce(u32) -> Option<C>,
    (datatype, op): (Datatype, Op),
) -> Fast {
    Fast::attempt(|| {
        let kernel = ReduceKernel::find(op.0, datatype.0)?;
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        let (mut before, mut count, mut total) = (0_i64, 0, 0_i64);
        for (member, of_member) in (0..).zip(counts(fast_call.members())?) {
            if of_member < 0 {
                return None;
            }
            if member == fast_call.rank() {
                (before, count) = (total, of_member);
            }
            total = total.checked_add(of_member)?;
        }
        let (own, result) = shared_out(own.with_count(total), result.with_count(count))?;
        let start = before as usize * (own.len() / total as usize);
        Some(fast_call.reduce_scatter(own, start, result, (Kind::ReduceScatter, kernel)))
    })
}

/// Returns the vector of a reduce_scatter and the place of this process's part, which may be empty.
#[inline(always)]
fn shared_out<D: UserData>(own: D, result: D) -> Option<(Contiguous, Contiguous)> {
    if own.begins_with(result) || result.is_in_place() {
        return None;
    }
    Some((contiguous(own)?, result.contiguous_within(SHORT_MAX_BYTES)?))
}

/// Returns the blocks of all members, which have any length together; `each` is one block.
#[inline(always)]
fn blocks(each: impl UserData, members: u32) -> Option<Contiguous> {
    each.with_count(each.count().checked_mul(i64::from(members))?)
        .contiguous_within(i32::MAX as u32)
        .filter(|_| !each.is_in_place())
}

/// Returns the block of this process; `Some(None)` for `MPI_IN_PLACE`. Returns `None` if its length
/// is not `each`, or if it begins at its place among `blocks` or where they begin: the slow path
/// refuses such calls.
#[inline(always)]
fn own_block(
    own: impl UserData,
    blocks: Contiguous,
    each: usize,
    rank: u32,
) -> Option<Option<Contiguous>> {
    if own.is_in_place() {
        return Some(None);
    }
    let place = blocks.part(rank as usize * each, each);
    let own = contiguous(own)?;
    let is = |other: &Contiguous| own.as_bytes().as_ptr() == other.as_bytes().as_ptr();
    (own.len() == each && !is(&place) && !is(&blocks)).then_some(Some(own))
}

/// Returns the bytes of one block, all blocks, and the block of this process, for a process that
/// has a block for each member. `all` has the elements of one block.
#[inline(always)]
fn sides<D: UserData>(
    own: D,
    all: D,
    fast_call: &FastCall<'_>,
) -> Option<(usize, Contiguous, Option<Contiguous>)> {
    let each = contiguous(all)?.len();
    let blocks = blocks(all, fast_call.members())?;
    Some((each, blocks, own_block(own, blocks, each, fast_call.rank())?))
}

/// Performs `MPI_Gather`.
#[inline(always)]
pub fn gather<D: UserData>(comm: Comm, (own, all): (D, D), root: i32) -> Fast {
    Fast::attempt(|| {
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        if fast_call.rank() != root as u32 {
            let signature = Signature::new(Kind::Gather).rooted(root as u32);
            return Some(fast_call.give(contiguous(own)?, root as u32, signature));
        }
        let (each, blocks, own) = sides(own, all, &fast_call)?;
        Some(fast_call.gather(own, blocks, each))
    })
}

/// Performs `MPI_Scatter`.
#[inline(always)]
pub fn scatter<D: UserData>(comm: Comm, (all, own): (D, D), root: i32) -> Fast {
    Fast::attempt(|| {
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        if fast_call.rank() != root as u32 {
            return Some(fast_call.get(contiguous(own)?, root as u32));
        }
        let (each, blocks, own) = sides(own, all, &fast_call)?;
        Some(fast_call.scatter(blocks, own, each))
    })
}

/// Performs `MPI_Allgather`.
#[inline(always)]
pub fn allgather<D: UserData>(comm: Comm, (own, all): (D, D)) -> Fast {
    Fast::attempt(|| {
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        let (each, blocks, own) = sides(own, all, &fast_call)?;
        Some(fast_call.allgather(own, blocks, each))
    })
}

/// Performs `MPI_Alltoall`. Both have the elements of one block.
#[inline(always)]
pub fn alltoall<D: UserData>(comm: Comm, (sent, received): (D, D)) -> Fast {
    Fast::attempt(|| {
        if sent.begins_with(received) {
            return None;
        }
        let mut mpi = enter_open()?;
        let fast_call = fast_call(&mut mpi, comm)?;
        let members = fast_call.members();
        let (each, sent, received) =
            (contiguous(sent)?.len(), blocks(sent, members)?, blocks(received, members)?);
        if sent.len() != received.len() || sent.len() > SHORT_MAX_BYTES as usize {
            return None;
        }
        Some(fast_call.alltoall(sent, received, each))
    })
}
