//! Neighbourhood collectives (MPI 5.0 §8.6 to §8.8). Buffers have a block for each edge of the
//! topology. There is no `MPI_IN_PLACE`.

use super::arguments::{Layout, TWO_BUFFERS, Types, distinct_blocks, distinct_from_all};
use super::{Call, Form, forms};
use crate::params::{CommArray, IntArray, UserBuffer};
use nemesis_mpi::coll::signature::{Kind, Signature};
use nemesis_mpi::coll::{self, Blocks};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use nemesis_mpi::topology::Neighbourhood;
use std::sync::Arc;

impl Call<'_> {
    /// The neighbours of the calling process.
    fn neighbours(&self) -> Outcome<Arc<Neighbourhood>> {
        self.mpi.comm(self.comm)?.neighbourhood()
    }

    /// Sets the number of blocks of the buffers that are checked next.
    fn of_parts(&mut self, parts: u32) -> &Self {
        self.parts = parts;
        self
    }

    fn exchange(
        self,
        kind: Kind,
        neighbours: &Neighbourhood,
        bases: [UserBuffer; 2],
        sent: &Blocks,
        received: &Blocks,
    ) -> Outcome {
        distinct_blocks(bases, sent, received, TWO_BUFFERS)?;
        let types = coll::Types::neighbours(neighbours, |slot| sent.of(slot), received);
        self.perform_with(Signature::new(kind), (&[sent], &[received]), types, |steps| {
            coll::neighbour::alltoall(steps, neighbours, sent, received);
            Ok(())
        })
    }
}

fn any_neighbor_allgather(
    mut call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    let neighbours = call.neighbours()?;
    let (own, received) = {
        let own = call.data(sendbuf, sendcount, sendtype)?;
        (own, call.of_parts(neighbours.indegree).blocks(recvbuf, recvcount, recvtype)?)
    };
    distinct_from_all(&own, &received, TWO_BUFFERS)?;
    let types = coll::Types::neighbours(&neighbours, |_| own.clone(), &received);
    call.perform_with(
        Signature::new(Kind::NeighborAllgather),
        (&[&own], &[&received]),
        types,
        |steps| {
            coll::neighbour::allgather(steps, &neighbours, &own, &received);
            Ok(())
        },
    )
}

fn any_neighbor_allgatherv(
    mut call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    displs: IntArray,
    recvtype: Datatype,
) -> Outcome {
    let neighbours = call.neighbours()?;
    let layout = Layout {
        names: ["recvcounts", "displs"],
        counts: recvcounts,
        displacements: displs,
        types: Types::One(recvtype),
    };
    let (own, received) = {
        let own = call.data(sendbuf, sendcount, sendtype)?;
        (own, call.of_parts(neighbours.indegree).list(recvbuf, &layout)?)
    };
    distinct_from_all(&own, &received, TWO_BUFFERS)?;
    let types = coll::Types::neighbours(&neighbours, |_| own.clone(), &received);
    call.perform_with(
        Signature::new(Kind::NeighborAllgatherv),
        (&[&own], &[&received]),
        types,
        |steps| {
            coll::neighbour::allgather(steps, &neighbours, &own, &received);
            Ok(())
        },
    )
}

fn any_neighbor_alltoall(
    mut call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    let neighbours = call.neighbours()?;
    let (sent, received) = {
        let sent = call.of_parts(neighbours.outdegree).blocks(sendbuf, sendcount, sendtype)?;
        (sent, call.of_parts(neighbours.indegree).blocks(recvbuf, recvcount, recvtype)?)
    };
    call.exchange(Kind::NeighborAlltoall, &neighbours, [sendbuf, recvbuf], &sent, &received)
}

fn any_neighbor_alltoallv(
    mut call: Call,
    sendbuf: UserBuffer,
    sendcounts: IntArray,
    sdispls: IntArray,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    rdispls: IntArray,
    recvtype: Datatype,
) -> Outcome {
    let neighbours = call.neighbours()?;
    let sent = Layout {
        names: ["sendcounts", "sdispls"],
        counts: sendcounts,
        displacements: sdispls,
        types: Types::One(sendtype),
    };
    let received = Layout {
        names: ["recvcounts", "rdispls"],
        counts: recvcounts,
        displacements: rdispls,
        types: Types::One(recvtype),
    };
    let (sent, received) = {
        let sent = call.of_parts(neighbours.outdegree).list(sendbuf, &sent)?;
        (sent, call.of_parts(neighbours.indegree).list(recvbuf, &received)?)
    };
    call.exchange(Kind::NeighborAlltoallv, &neighbours, [sendbuf, recvbuf], &sent, &received)
}

fn any_neighbor_alltoallw(
    mut call: Call,
    sendbuf: UserBuffer,
    sendcounts: IntArray,
    sdispls: CommArray<'_, isize>,
    sendtypes: CommArray<'_, Datatype>,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    rdispls: CommArray<'_, isize>,
    recvtypes: CommArray<'_, Datatype>,
) -> Outcome {
    let neighbours = call.neighbours()?;
    let [sdispls, rdispls] = [sdispls, rdispls].map(IntArray::from);
    let sent = {
        let call = call.of_parts(neighbours.outdegree);
        let types = call.types("sendtypes", sendtypes)?;
        call.list(
            sendbuf,
            &Layout {
                names: ["sendcounts", "sdispls"],
                counts: sendcounts,
                displacements: sdispls,
                types,
            },
        )?
    };
    let received = {
        let call = call.of_parts(neighbours.indegree);
        let types = call.types("recvtypes", recvtypes)?;
        call.list(
            recvbuf,
            &Layout {
                names: ["recvcounts", "rdispls"],
                counts: recvcounts,
                displacements: rdispls,
                types,
            },
        )?
    };
    call.exchange(Kind::NeighborAlltoallw, &neighbours, [sendbuf, recvbuf], &sent, &received)
}

forms!(any_neighbor_allgather: neighbor_allgather, ineighbor_allgather, neighbor_allgather_init(
    sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
    recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype));
forms!(any_neighbor_allgatherv: neighbor_allgatherv, ineighbor_allgatherv, neighbor_allgatherv_init(
    sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
    recvbuf: UserBuffer, recvcounts: IntArray, displs: IntArray, recvtype: Datatype));
forms!(any_neighbor_alltoall: neighbor_alltoall, ineighbor_alltoall, neighbor_alltoall_init(
    sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
    recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype));
forms!(any_neighbor_alltoallv: neighbor_alltoallv, ineighbor_alltoallv, neighbor_alltoallv_init(
    sendbuf: UserBuffer, sendcounts: IntArray, sdispls: IntArray, sendtype: Datatype,
    recvbuf: UserBuffer, recvcounts: IntArray, rdispls: IntArray, recvtype: Datatype));
forms!(any_neighbor_alltoallw: neighbor_alltoallw, ineighbor_alltoallw, neighbor_alltoallw_init(
    sendbuf: UserBuffer, sendcounts: IntArray, sdispls: CommArray<'_, isize>,
    sendtypes: CommArray<'_, Datatype>,
    recvbuf: UserBuffer, recvcounts: IntArray, rdispls: CommArray<'_, isize>,
    recvtypes: CommArray<'_, Datatype>));
