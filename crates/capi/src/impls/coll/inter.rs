//! Collective calls on intercommunicators (MPI 5.0 §6.2.3): which arguments count where.
//!
//! In an operation with a root, the root passes `MPI_ROOT`, the other processes of its group
//! `MPI_PROC_NULL`, and the other group the root's rank. Processes that pass `MPI_PROC_NULL` only
//! count the operation; their other arguments are not checked.

use super::Call;
use super::arguments::{
    TWO_BUFFERS, distinct, distinct_from_all, not_in_place, reducing, reduction,
};
use super::data::Data;
use super::memory::by_side;
use crate::params::UserBuffer;
use nemesis_datatype::{Buffer, Op as Combine};
use nemesis_mpi::abi;
use nemesis_mpi::coll::Shares;
use nemesis_mpi::coll::inter::{self, Part};
use nemesis_mpi::coll::signature::{Kind, Signature};
use nemesis_mpi::coll::{Blocks, Operator, Reduction};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Op};
use std::ffi::c_int;

impl Call<'_> {
    /// The number of processes in this process's group.
    pub fn local_size(&self) -> Outcome<u32> {
        Ok(self.mpi.comm(self.comm)?.size())
    }

    fn part(&self, root: c_int) -> Outcome<Part> {
        match root {
            abi::MPI_ROOT => Ok(Part::Root),
            abi::MPI_PROC_NULL => Ok(Part::Bystander),
            rank => self.root(rank).map(Part::Opposite).map_err(|error| {
                error.advise(
                    "on an intercommunicator the root passes MPI_ROOT, the others of its group \
                     MPI_PROC_NULL, the other group its rank",
                )
            }),
        }
    }

    /// A buffer of this process, which must not be `MPI_IN_PLACE`.
    fn plain(&self, (address, count, datatype): Data) -> Outcome<Buffer> {
        if address.is_in_place() {
            return Err(not_in_place());
        }
        self.data(address, count, datatype)
    }

    /// The two sides of an operation with a root: the other group's block, the root's blocks.
    fn sides(
        &self,
        own: Data,
        root: c_int,
        blocks: impl FnOnce(&Call) -> Outcome<Blocks>,
    ) -> Outcome<(Buffer, Option<Blocks>, Part)> {
        let part = self.part(root)?;
        Ok(match part {
            Part::Root => (Buffer::empty(), Some(blocks(self)?), part),
            Part::Bystander => (Buffer::empty(), None, part),
            Part::Opposite(_) => (self.plain(own)?, None, part),
        })
    }
}

pub fn bcast(call: Call, data: Data, root: c_int) -> Outcome {
    let part = call.part(root)?;
    let data = if part == Part::Bystander { Buffer::empty() } else { call.plain(data)? };
    let (sent, received) = by_side(part == Part::Root, &data);
    call.perform(Signature::new(Kind::Bcast), (&[&sent], &[&received]), |steps| {
        inter::bcast(steps, &data, part)
    })
}

pub fn gather(
    call: Call,
    own: Data,
    root: c_int,
    blocks: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    let (own, blocks, part) = call.sides(own, root, blocks)?;
    call.perform(Signature::new(Kind::Gather), (&[&own], &[&blocks]), |steps| {
        inter::gather(steps, &own, blocks.as_ref(), part)
    })
}

pub fn gatherv(
    call: Call,
    own: Data,
    root: c_int,
    blocks: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    let (own, blocks, part) = call.sides(own, root, blocks)?;
    call.perform(Signature::new(Kind::Gatherv), (&[&own], &[&blocks]), |steps| {
        inter::gatherv(steps, &own, blocks.as_ref(), part);
        Ok(())
    })
}

pub fn scatter(
    call: Call,
    own: Data,
    root: c_int,
    blocks: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    let (own, blocks, part) = call.sides(own, root, blocks)?;
    call.perform(Signature::new(Kind::Scatter), (&[&blocks], &[&own]), |steps| {
        inter::scatter(steps, blocks.as_ref(), &own, part)
    })
}

pub fn scatterv(
    call: Call,
    own: Data,
    root: c_int,
    blocks: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    let (own, blocks, part) = call.sides(own, root, blocks)?;
    call.perform(Signature::new(Kind::Scatterv), (&[&blocks], &[&own]), |steps| {
        inter::scatterv(steps, blocks.as_ref(), &own, part);
        Ok(())
    })
}

pub fn allgather(call: Call, own: Data, blocks: &Blocks) -> Outcome {
    let own = call.plain(own)?;
    distinct_from_all(&own, blocks, TWO_BUFFERS)?;
    call.perform(Signature::new(Kind::Allgather), (&[&own], &[blocks]), |steps| {
        inter::allgather(steps, &own, blocks)
    })
}

pub fn allgatherv(call: Call, own: Data, blocks: &Blocks) -> Outcome {
    let own = call.plain(own)?;
    distinct_from_all(&own, blocks, TWO_BUFFERS)?;
    call.perform(Signature::new(Kind::Allgatherv), (&[&own], &[blocks]), |steps| {
        inter::allgatherv(steps, &own, blocks);
        Ok(())
    })
}

/// Alltoall, alltoallv and alltoallw.
pub fn alltoall(call: Call, kind: Kind, sent: &Blocks, received: &Blocks) -> Outcome {
    call.perform(Signature::new(kind), (&[sent], &[received]), |steps| {
        inter::alltoall(steps, sent, received);
        Ok(())
    })
}

pub fn reduce(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    (count, datatype): (i64, Datatype),
    op: Op,
    root: c_int,
) -> Outcome {
    let part = call.part(root)?;
    let nothing = Buffer::empty;
    let (own, result) = match part {
        Part::Root => (nothing(), call.plain((recvbuf, count, datatype))?),
        Part::Bystander => (nothing(), nothing()),
        Part::Opposite(_) => (call.plain((sendbuf, count, datatype))?, nothing()),
    };
    let reduction = match part {
        Part::Root => reduction(op, datatype, &result)?,
        // This process combines nothing.
        Part::Bystander => {
            Reduction { operator: Operator::Predefined(Combine::Sum), commutative: true }
        }
        Part::Opposite(_) => reduction(op, datatype, &own)?,
    };
    // The operator matters in some processes only.
    call.perform(Signature::new(Kind::Reduce), (&[&own], &[&result]), |steps| {
        inter::reduce(steps, &own, &result, reduction, part)
    })
}

pub fn allreduce(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    (count, datatype): (i64, Datatype),
    op: Op,
) -> Outcome {
    let (own, result) =
        (call.plain((sendbuf, count, datatype))?, call.plain((recvbuf, count, datatype))?);
    distinct(&own, &result, TWO_BUFFERS)?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(reducing(Kind::Allreduce, reduction, &own), (&[&own], &[&result]), |steps| {
        inter::allreduce(steps, &own, &result, reduction)
    })
}

/// Both reduce_scatters: the vector has `total` elements, this process gets `count` of them.
pub fn reduce_scatter(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    (total, count): (i64, i64),
    datatype: Datatype,
    (kind, op): (Kind, Op),
    shares: &Shares,
) -> Outcome {
    let (own, result) =
        (call.plain((sendbuf, total, datatype))?, call.plain((recvbuf, count, datatype))?);
    distinct(&own, &result, TWO_BUFFERS)?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(reducing(kind, reduction, &own), (&[&own], &[&result]), |steps| {
        inter::reduce_scatter(steps, &own, shares, &result, reduction)
    })
}

/// The error of scan and exscan, which are for one group.
#[cold]
pub fn no_order() -> Box<Error> {
    let why = "the processes of an intercommunicator have no common order of ranks: \
               it has no prefix reductions";
    Error::new(abi::MPI_ERR_COMM, why).advise("merge the two groups by MPI_Intercomm_merge")
}
