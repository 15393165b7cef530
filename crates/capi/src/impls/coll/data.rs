//! Collectives that move data: gather, scatter, allgather, alltoall (MPI 5.0 §6.5 to §6.8).

use super::arguments::{
    Choice, Layout, OWN_IN_PLACE, SEND_IN_PLACE, TWO_BUFFERS, Types, compare_types, distinct,
    distinct_blocks, distinct_from_all,
};
use super::{Call, Form, forms, inter};
use crate::params::{CommArray, IntArray, UserBuffer};
use nemesis_datatype::Buffer;
use nemesis_mpi::coll::signature::{Kind, Signature};
use nemesis_mpi::coll::{self, Blocks};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use std::ffi::c_int;

/// A buffer of a call: address, count, datatype.
pub(super) type Data = (UserBuffer, i64, Datatype);

impl Call<'_> {
    /// This process's block, which must not be one of `blocks`; `None` for `MPI_IN_PLACE`.
    pub(super) fn own_block(
        &self,
        own: Data,
        blocks: &Blocks,
        is_sent: bool,
    ) -> Outcome<Option<Buffer>> {
        if own.0.is_in_place() {
            return Ok(None);
        }
        let own = own.0.message(&self.mpi, own.1, own.2)?;
        let block = blocks.of(self.rank);
        distinct(&own, &block, OWN_IN_PLACE)?;
        match is_sent {
            true => compare_types(&own, &block),
            false => compare_types(&block, &own),
        }
        distinct_from_all(&own, blocks, OWN_IN_PLACE)?;
        Ok(Some(own))
    }

    /// The two sides of a gather or scatter: this process's block, and the blocks of the root.
    /// `blocks` is called only at the root.
    fn rooted(
        &self,
        (own, is_sent): (Data, bool),
        root: c_int,
        blocks: impl FnOnce() -> Outcome<Blocks>,
    ) -> Outcome<(Option<Buffer>, Option<Blocks>, u32)> {
        if root != self.rank as c_int {
            let own = self.data(own.0, own.1, own.2)?;
            return Ok((Some(own), None, self.root(root)?));
        }
        let blocks = blocks()?;
        let own = self.own_block(own, &blocks, is_sent)?;
        Ok((own, Some(blocks), self.root(root)?))
    }
}

fn any_gather(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    if call.inter {
        let own = (sendbuf, sendcount, sendtype);
        return inter::gather(call, own, root, |call| call.blocks(recvbuf, recvcount, recvtype));
    }
    let own = ((sendbuf, sendcount, sendtype), true);
    let (own, blocks, root) =
        call.rooted(own, root, || call.blocks(recvbuf, recvcount, recvtype))?;
    let types = coll::Types::gather([call.rank, call.size, root], own.as_ref(), blocks.as_ref());
    call.perform_with(
        Signature::new(Kind::Gather).rooted(root),
        (&[&own], &[&blocks]),
        types,
        |steps| coll::gather::gather(steps, own.as_ref(), blocks.as_ref(), root),
    )
}

fn any_gatherv(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    displs: IntArray,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    let layout = Layout {
        names: ["recvcounts", "displs"],
        counts: recvcounts,
        displacements: displs,
        types: Types::One(recvtype),
    };
    if call.inter {
        let own = (sendbuf, sendcount, sendtype);
        return inter::gatherv(call, own, root, |call| call.list(recvbuf, &layout));
    }
    let own = ((sendbuf, sendcount, sendtype), true);
    let (own, blocks, root) = call.rooted(own, root, || call.list(recvbuf, &layout))?;
    let types = coll::Types::gather([call.rank, call.size, root], own.as_ref(), blocks.as_ref());
    call.perform_with(
        Signature::new(Kind::Gatherv).rooted(root),
        (&[&own], &[&blocks]),
        types,
        |steps| {
            coll::gather::gatherv(steps, own.as_ref(), blocks.as_ref(), root);
            Ok(())
        },
    )
}

fn any_scatter(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    if call.inter {
        let own = (recvbuf, recvcount, recvtype);
        return inter::scatter(call, own, root, |call| call.blocks(sendbuf, sendcount, sendtype));
    }
    let own = ((recvbuf, recvcount, recvtype), false);
    let (own, blocks, root) =
        call.rooted(own, root, || call.blocks(sendbuf, sendcount, sendtype))?;
    let types = coll::Types::scatter([call.rank, call.size, root], blocks.as_ref(), own.as_ref());
    call.perform_with(
        Signature::new(Kind::Scatter).rooted(root),
        (&[&blocks], &[&own]),
        types,
        |steps| coll::scatter::scatter(steps, blocks.as_ref(), own.as_ref(), root),
    )
}

fn any_scatterv(
    call: Call,
    sendbuf: UserBuffer,
    sendcounts: IntArray,
    displs: IntArray,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    let layout = Layout {
        names: ["sendcounts", "displs"],
        counts: sendcounts,
        displacements: displs,
        types: Types::One(sendtype),
    };
    if call.inter {
        let own = (recvbuf, recvcount, recvtype);
        return inter::scatterv(call, own, root, |call| call.list(sendbuf, &layout));
    }
    let own = ((recvbuf, recvcount, recvtype), false);
    let (own, blocks, root) = call.rooted(own, root, || call.list(sendbuf, &layout))?;
    let types = coll::Types::scatter([call.rank, call.size, root], blocks.as_ref(), own.as_ref());
    call.perform_with(
        Signature::new(Kind::Scatterv).rooted(root),
        (&[&blocks], &[&own]),
        types,
        |steps| {
            coll::scatter::scatterv(steps, blocks.as_ref(), own.as_ref(), root);
            Ok(())
        },
    )
}

fn any_allgather(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    if call.inter {
        return {
            let blocks = call.blocks(recvbuf, recvcount, recvtype)?;
            inter::allgather(call, (sendbuf, sendcount, sendtype), &blocks)
        };
    }
    let (blocks, own) = {
        let blocks = call.blocks(recvbuf, recvcount, recvtype)?;
        let own = call.own_block((sendbuf, sendcount, sendtype), &blocks, true)?;
        (blocks, own)
    };
    let types = coll::Types::allgather([call.rank, call.size], own.as_ref(), &blocks);
    call.perform_with(Signature::new(Kind::Allgather), (&[&own], &[&blocks]), types, |steps| {
        coll::allgather::allgather(steps, own.as_ref(), &blocks)
    })
}

fn any_allgatherv(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    displs: IntArray,
    recvtype: Datatype,
) -> Outcome {
    let layout = Layout {
        names: ["recvcounts", "displs"],
        counts: recvcounts,
        displacements: displs,
        types: Types::One(recvtype),
    };
    if call.inter {
        return {
            let blocks = call.list(recvbuf, &layout)?;
            inter::allgatherv(call, (sendbuf, sendcount, sendtype), &blocks)
        };
    }
    let (blocks, own) = {
        let blocks = call.list(recvbuf, &layout)?;
        let own = call.own_block((sendbuf, sendcount, sendtype), &blocks, true)?;
        (blocks, own)
    };
    let types = coll::Types::allgather([call.rank, call.size], own.as_ref(), &blocks);
    call.perform_with(Signature::new(Kind::Allgatherv), (&[&own], &[&blocks]), types, |steps| {
        coll::allgather::allgather(steps, own.as_ref(), &blocks)
    })
}

fn any_alltoall(
    call: Call,
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    if call.inter {
        let (sent, received) = (
            call.blocks(sendbuf, sendcount, sendtype)?,
            call.blocks(recvbuf, recvcount, recvtype)?,
        );
        distinct_blocks([sendbuf, recvbuf], &sent, &received, TWO_BUFFERS)?;
        return inter::alltoall(call, Kind::Alltoall, &sent, &received);
    }
    let received = call.blocks(recvbuf, recvcount, recvtype)?;
    if sendbuf.is_in_place() {
        let types = coll::Types::alltoall([call.rank, call.size], &received, &received);
        return call.perform_with(
            Signature::new(Kind::Alltoall),
            (&[], &[&received]),
            types,
            |steps| coll::alltoall::in_place(steps, &received),
        );
    }
    let sent = call.blocks(sendbuf, sendcount, sendtype)?;
    distinct_blocks([sendbuf, recvbuf], &sent, &received, SEND_IN_PLACE)?;
    compare_types(&sent.of(call.rank), &received.of(call.rank));
    let types = coll::Types::alltoall([call.rank, call.size], &sent, &received);
    call.perform_with(Signature::new(Kind::Alltoall), (&[&sent], &[&received]), types, |steps| {
        coll::alltoall::alltoall(steps, &sent, &received)
    })
}

/// Alltoallv and alltoallw. `sent` is not called if `sendbuf` is `MPI_IN_PLACE`.
fn exchange_lists(
    call: Call,
    kind: Kind,
    [sendbuf, recvbuf]: [UserBuffer; 2],
    sent: impl FnOnce(&Call) -> Outcome<Blocks>,
    received: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    if call.inter {
        let (sent, received) = (sent(&call)?, received(&call)?);
        distinct_blocks([sendbuf, recvbuf], &sent, &received, TWO_BUFFERS)?;
        return inter::alltoall(call, kind, &sent, &received);
    }
    if sendbuf.is_in_place() {
        let received = received(&call)?;
        let types = coll::Types::alltoall([call.rank, call.size], &received, &received);
        return call.perform_with(Signature::new(kind), (&[], &[&received]), types, |steps| {
            coll::alltoall::in_place(steps, &received)
        });
    }
    let (sent, received) = (sent(&call)?, received(&call)?);
    distinct_blocks([sendbuf, recvbuf], &sent, &received, SEND_IN_PLACE)?;
    compare_types(&sent.of(call.rank), &received.of(call.rank));
    let types = coll::Types::alltoall([call.rank, call.size], &sent, &received);
    call.perform_with(Signature::new(kind), (&[&sent], &[&received]), types, |steps| {
        coll::alltoall::alltoallv(steps, &sent, &received);
        Ok(())
    })
}

fn any_alltoallv(
    call: Call,
    sendbuf: UserBuffer,
    sendcounts: IntArray,
    sdispls: IntArray,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    rdispls: IntArray,
    recvtype: Datatype,
) -> Outcome {
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
    exchange_lists(
        call,
        Kind::Alltoallv,
        [sendbuf, recvbuf],
        |call| call.list(sendbuf, &sent),
        |call| call.list(recvbuf, &received),
    )
}

fn any_alltoallw(
    call: Call,
    sendbuf: UserBuffer,
    sendcounts: IntArray,
    sdispls: IntArray,
    sendtypes: CommArray<'_, Datatype>,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    rdispls: IntArray,
    recvtypes: CommArray<'_, Datatype>,
) -> Outcome {
    let sent = |call: &Call| {
        let types = call.types("sendtypes", sendtypes)?;
        call.list(
            sendbuf,
            &Layout {
                names: ["sendcounts", "sdispls"],
                counts: sendcounts,
                displacements: sdispls,
                types,
            },
        )
    };
    let received = |call: &Call| {
        let types = call.types("recvtypes", recvtypes)?;
        call.list(
            recvbuf,
            &Layout {
                names: ["recvcounts", "rdispls"],
                counts: recvcounts,
                displacements: rdispls,
                types,
            },
        )
    };
    exchange_lists(call, Kind::Alltoallw, [sendbuf, recvbuf], sent, received)
}

forms!(
    any_gather: gather, igather,
    gather_init(
        sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
        recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype, root: c_int
    ),
    fast(comm) coll::fast::gather(
        comm,
        (Choice::new(sendbuf, sendcount, sendtype), Choice::new(recvbuf, recvcount, recvtype)),
        root,
    )
);
forms!(any_gatherv: gatherv, igatherv, gatherv_init(
    sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
    recvbuf: UserBuffer, recvcounts: IntArray, displs: IntArray, recvtype: Datatype, root: c_int));
forms!(
    any_scatter: scatter, iscatter,
    scatter_init(
        sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
        recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype, root: c_int
    ),
    fast(comm) coll::fast::scatter(
        comm,
        (Choice::new(sendbuf, sendcount, sendtype), Choice::new(recvbuf, recvcount, recvtype)),
        root,
    )
);
forms!(any_scatterv: scatterv, iscatterv, scatterv_init(
    sendbuf: UserBuffer, sendcounts: IntArray, displs: IntArray, sendtype: Datatype,
    recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype, root: c_int));
forms!(
    any_allgather: allgather, iallgather,
    allgather_init(
        sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
        recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype
    ),
    fast(comm) coll::fast::allgather(
        comm,
        (Choice::new(sendbuf, sendcount, sendtype), Choice::new(recvbuf, recvcount, recvtype)),
    )
);
forms!(any_allgatherv: allgatherv, iallgatherv, allgatherv_init(
    sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
    recvbuf: UserBuffer, recvcounts: IntArray, displs: IntArray, recvtype: Datatype));
forms!(
    any_alltoall: alltoall, ialltoall,
    alltoall_init(
        sendbuf: UserBuffer, sendcount: i64, sendtype: Datatype,
        recvbuf: UserBuffer, recvcount: i64, recvtype: Datatype
    ),
    fast(comm) coll::fast::alltoall(
        comm,
        (Choice::new(sendbuf, sendcount, sendtype), Choice::new(recvbuf, recvcount, recvtype)),
    )
);
forms!(any_alltoallv: alltoallv, ialltoallv, alltoallv_init(
    sendbuf: UserBuffer, sendcounts: IntArray, sdispls: IntArray, sendtype: Datatype,
    recvbuf: UserBuffer, recvcounts: IntArray, rdispls: IntArray, recvtype: Datatype));
forms!(any_alltoallw: alltoallw, ialltoallw, alltoallw_init(
    sendbuf: UserBuffer, sendcounts: IntArray, sdispls: IntArray,
    sendtypes: CommArray<'_, Datatype>,
    recvbuf: UserBuffer, recvcounts: IntArray, rdispls: IntArray,
    recvtypes: CommArray<'_, Datatype>));
