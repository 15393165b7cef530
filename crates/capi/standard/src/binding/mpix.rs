// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: mpix.

use crate::prelude::*;

binding! {
    MPIX_Comm_ack_failed PMPIX_Comm_ack_failed(
        comm: Comm as comm, num_to_ack: c_int as int, num_acked: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_ack_failed(comm, num_to_ack, Out::new(num_acked))
    }
}

binding! {
    MPIX_Comm_agree PMPIX_Comm_agree(comm: Comm as comm, flag: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_agree(comm, InOut::new(flag))
    }
}

binding! {
    MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_failure_ack(comm)
    }
}

binding! {
    MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(comm: Comm as comm, failedgrp: *mut Group as out_group)
    on Raise::Comm(comm) =>
    {
        impls::comm_failure_get_acked(comm, Out::new(failedgrp))
    }
}

binding! {
    MPIX_Comm_get_failed PMPIX_Comm_get_failed(comm: Comm as comm, failedgrp: *mut Group as out_group)
    on Raise::Comm(comm) =>
    {
        impls::comm_get_failed(comm, Out::new(failedgrp))
    }
}

binding! {
    MPIX_Comm_iagree PMPIX_Comm_iagree(
        comm: Comm as comm, flag: *mut c_int as address, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_iagree(comm, UserBuffer::new(flag.cast()), Out::new(request))
    }
}

binding! {
    MPIX_Comm_is_revoked PMPIX_Comm_is_revoked(comm: Comm as comm, flag: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_is_revoked(comm, Out::new(flag))
    }
}

binding! {
    MPIX_Comm_ishrink PMPIX_Comm_ishrink(
        comm: Comm as comm, newcomm: *mut Comm as out_comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_ishrink(comm, Out::new(newcomm), Out::new(request))
    }
}

binding! {
    MPIX_Comm_revoke PMPIX_Comm_revoke(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_revoke(comm)
    }
}

binding! {
    MPIX_Comm_shrink PMPIX_Comm_shrink(comm: Comm as comm, newcomm: *mut Comm as out_comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_shrink(comm, Out::new(newcomm))
    }
}
