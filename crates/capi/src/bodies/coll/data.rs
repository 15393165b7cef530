//! Collectives that move data: gather, scatter, allgather, alltoall (MPI 5.0 §6.5 to §6.8).

use super::super::arguments::message_buffer;
use super::arguments::{
    Layout, OWN_IN_PLACE, SEND_IN_PLACE, TWO_BUFFERS, Types, distinct, distinct_blocks,
    distinct_from_all, is_in_place,
};
use super::{Call, Form, forms, inter, short};
use crate::types::IntArray;
use nemesis_datatype::Buffer;
use nemesis_mpi::coll::{self, Blocks};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use std::ffi::{c_int, c_void};

/// A buffer as calls have it: address, count, datatype.
pub(super) type Data = (*const c_void, i64, Datatype);

impl Call {
    /// This process's own block, beside `blocks`; `None` for `MPI_IN_PLACE`.
    pub(super) unsafe fn own_block(&self, own: Data, blocks: &Blocks) -> Outcome<Option<Buffer>> {
        if is_in_place(own.0) {
            return Ok(None);
        }
        // SAFETY: the caller's buffer.
        let own = unsafe { message_buffer(&self.mpi, own.0, own.1, own.2) }?;
        distinct(&own, &blocks.of(self.rank), OWN_IN_PLACE)?;
        distinct_from_all(&own, blocks, OWN_IN_PLACE)?;
        Ok(Some(own))
    }

    /// The two sides of a gather or scatter: own block, blocks of the root. `blocks` is looked at only there.
    unsafe fn rooted(
        &self,
        own: Data,
        root: c_int,
        blocks: impl FnOnce() -> Outcome<Blocks>,
    ) -> Outcome<(Option<Buffer>, Option<Blocks>, u32)> {
        if root != self.rank as c_int {
            // SAFETY: the caller's buffer.
            let own = unsafe { self.data(own.0, own.1, own.2) }?;
            return Ok((Some(own), None, self.root(root)?));
        }
        let blocks = blocks()?;
        // SAFETY: the caller's buffer.
        let own = unsafe { self.own_block(own, &blocks) }?;
        Ok((own, Some(blocks), self.root(root)?))
    }
}

unsafe fn any_gather(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    if call.inter {
        let own = (sendbuf, sendcount, sendtype);
        // SAFETY: the caller's buffers.
        return unsafe {
            inter::gather(call, own, root, |call| call.blocks(recvbuf, recvcount, recvtype))
        };
    }
    // SAFETY: the caller's buffers.
    let (own, blocks, root) = unsafe {
        call.rooted((sendbuf, sendcount, sendtype), root, || {
            call.blocks(recvbuf, recvcount, recvtype)
        })
    }?;
    call.perform(|steps| coll::gather::gather(steps, own.as_ref(), blocks.as_ref(), root))
}

unsafe fn any_gatherv(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
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
        // SAFETY: the caller's buffers.
        return unsafe { inter::gatherv(call, own, root, |call| call.list(recvbuf, &layout)) };
    }
    // SAFETY: the caller's buffers.
    let (own, blocks, root) = unsafe {
        call.rooted((sendbuf, sendcount, sendtype), root, || call.list(recvbuf, &layout))
    }?;
    call.perform(|steps| {
        coll::gather::gatherv(steps, own.as_ref(), blocks.as_ref(), root);
        Ok(())
    })
}

unsafe fn any_scatter(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
) -> Outcome {
    if call.inter {
        let own = (recvbuf.cast_const(), recvcount, recvtype);
        // SAFETY: the caller's buffers.
        return unsafe {
            inter::scatter(call, own, root, |call| call.blocks(sendbuf, sendcount, sendtype))
        };
    }
    // SAFETY: the caller's buffers.
    let (own, blocks, root) = unsafe {
        call.rooted((recvbuf, recvcount, recvtype), root, || {
            call.blocks(sendbuf, sendcount, sendtype)
        })
    }?;
    call.perform(|steps| coll::scatter::scatter(steps, blocks.as_ref(), own.as_ref(), root))
}

unsafe fn any_scatterv(
    call: Call,
    sendbuf: *const c_void,
    sendcounts: IntArray,
    displs: IntArray,
    sendtype: Datatype,
    recvbuf: *mut c_void,
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
        let own = (recvbuf.cast_const(), recvcount, recvtype);
        // SAFETY: the caller's buffers.
        return unsafe { inter::scatterv(call, own, root, |call| call.list(sendbuf, &layout)) };
    }
    // SAFETY: the caller's buffers.
    let (own, blocks, root) = unsafe {
        call.rooted((recvbuf, recvcount, recvtype), root, || call.list(sendbuf, &layout))
    }?;
    call.perform(|steps| {
        coll::scatter::scatterv(steps, blocks.as_ref(), own.as_ref(), root);
        Ok(())
    })
}

unsafe fn any_allgather(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    if call.inter {
        // SAFETY: the caller's buffers.
        return unsafe {
            let blocks = call.blocks(recvbuf, recvcount, recvtype)?;
            inter::allgather(call, (sendbuf, sendcount, sendtype), &blocks)
        };
    }
    // SAFETY: the caller's buffers.
    let (blocks, own) = unsafe {
        let blocks = call.blocks(recvbuf, recvcount, recvtype)?;
        let own = call.own_block((sendbuf, sendcount, sendtype), &blocks)?;
        (blocks, own)
    };
    call.perform(|steps| coll::allgather::allgather(steps, own.as_ref(), &blocks))
}

unsafe fn any_allgatherv(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
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
        // SAFETY: the caller's buffers.
        return unsafe {
            let blocks = call.list(recvbuf, &layout)?;
            inter::allgatherv(call, (sendbuf, sendcount, sendtype), &blocks)
        };
    }
    // SAFETY: the caller's buffers.
    let (blocks, own) = unsafe {
        let blocks = call.list(recvbuf, &layout)?;
        let own = call.own_block((sendbuf, sendcount, sendtype), &blocks)?;
        (blocks, own)
    };
    call.perform(|steps| coll::allgather::allgather(steps, own.as_ref(), &blocks))
}

unsafe fn any_alltoall(
    call: Call,
    sendbuf: *const c_void,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: *mut c_void,
    recvcount: i64,
    recvtype: Datatype,
) -> Outcome {
    if call.inter {
        // SAFETY: the caller's buffers.
        let (sent, received) = unsafe {
            (call.blocks(sendbuf, sendcount, sendtype)?, call.blocks(recvbuf, recvcount, recvtype)?)
        };
        distinct_blocks([sendbuf, recvbuf.cast_const()], &sent, &received, TWO_BUFFERS)?;
        return inter::alltoall(call, &sent, &received);
    }
    // SAFETY: the caller's buffers.
    let received = unsafe { call.blocks(recvbuf, recvcount, recvtype) }?;
    if is_in_place(sendbuf) {
        return call.perform(|steps| coll::alltoall::in_place(steps, &received));
    }
    // SAFETY: the caller's buffers.
    let sent = unsafe { call.blocks(sendbuf, sendcount, sendtype) }?;
    distinct_blocks([sendbuf, recvbuf.cast_const()], &sent, &received, SEND_IN_PLACE)?;
    call.perform(|steps| coll::alltoall::alltoall(steps, &sent, &received))
}

/// Alltoallv and alltoallw: `sent` is not looked at when `sendbuf` is `MPI_IN_PLACE`.
unsafe fn exchange_lists(
    call: Call,
    [sendbuf, recvbuf]: [*const c_void; 2],
    sent: impl FnOnce(&Call) -> Outcome<Blocks>,
    received: impl FnOnce(&Call) -> Outcome<Blocks>,
) -> Outcome {
    if call.inter {
        let (sent, received) = (sent(&call)?, received(&call)?);
        distinct_blocks([sendbuf, recvbuf], &sent, &received, TWO_BUFFERS)?;
        return inter::alltoall(call, &sent, &received);
    }
    if is_in_place(sendbuf) {
        let received = received(&call)?;
        return call.perform(|steps| coll::alltoall::in_place(steps, &received));
    }
    let (sent, received) = (sent(&call)?, received(&call)?);
    distinct_blocks([sendbuf, recvbuf], &sent, &received, SEND_IN_PLACE)?;
    call.perform(|steps| {
        coll::alltoall::alltoallv(steps, &sent, &received);
        Ok(())
    })
}

unsafe fn any_alltoallv(
    call: Call,
    sendbuf: *const c_void,
    sendcounts: IntArray,
    sdispls: IntArray,
    sendtype: Datatype,
    recvbuf: *mut c_void,
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
    // SAFETY: the caller's buffers and arrays.
    unsafe {
        exchange_lists(
            call,
            [sendbuf, recvbuf.cast_const()],
            |call| call.list(sendbuf, &sent),
            |call| call.list(recvbuf, &received),
        )
    }
}

unsafe fn any_alltoallw(
    call: Call,
    sendbuf: *const c_void,
    sendcounts: IntArray,
    sdispls: IntArray,
    sendtypes: *const Datatype,
    recvbuf: *mut c_void,
    recvcounts: IntArray,
    rdispls: IntArray,
    recvtypes: *const Datatype,
) -> Outcome {
    let sent = |call: &Call| {
        // SAFETY: the caller's buffer and arrays.
        unsafe {
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
        }
    };
    let received = |call: &Call| {
        // SAFETY: the caller's buffer and arrays.
        unsafe {
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
        }
    };
    // SAFETY: as above.
    unsafe { exchange_lists(call, [sendbuf, recvbuf.cast_const()], sent, received) }
}

forms!(any_gather: gather in short::gather, igather, gather_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: c_int));
forms!(any_gatherv: gatherv, igatherv, gatherv_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype,
    recvbuf: *mut c_void, recvcounts: IntArray, displs: IntArray, recvtype: Datatype, root: c_int));
forms!(any_scatter: scatter in short::scatter, iscatter, scatter_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: c_int));
forms!(any_scatterv: scatterv, iscatterv, scatterv_init(
    sendbuf: *const c_void, sendcounts: IntArray, displs: IntArray, sendtype: Datatype,
    recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype, root: c_int));
forms!(any_allgather: allgather in short::allgather, iallgather, allgather_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype));
forms!(any_allgatherv: allgatherv, iallgatherv, allgatherv_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype,
    recvbuf: *mut c_void, recvcounts: IntArray, displs: IntArray, recvtype: Datatype));
forms!(any_alltoall: alltoall in short::alltoall, ialltoall, alltoall_init(
    sendbuf: *const c_void, sendcount: i64, sendtype: Datatype, recvbuf: *mut c_void, recvcount: i64, recvtype: Datatype));
forms!(any_alltoallv: alltoallv, ialltoallv, alltoallv_init(
    sendbuf: *const c_void, sendcounts: IntArray, sdispls: IntArray, sendtype: Datatype,
    recvbuf: *mut c_void, recvcounts: IntArray, rdispls: IntArray, recvtype: Datatype));
forms!(any_alltoallw: alltoallw, ialltoallw, alltoallw_init(
    sendbuf: *const c_void, sendcounts: IntArray, sdispls: IntArray, sendtypes: *const Datatype,
    recvbuf: *mut c_void, recvcounts: IntArray, rdispls: IntArray, recvtypes: *const Datatype));
