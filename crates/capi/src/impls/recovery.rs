//! Going on after processes have failed (User-Level Failure Mitigation, `MPIX_Comm_…`).

use super::arguments::put_request;
use crate::params::{InOut, Out, UserBuffer, null};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Group as Members};
use nemesis_mpi::handle::{Comm, Group, Request};
use nemesis_mpi::recovery::{self, Purpose};
use nemesis_mpi::{abi, enter};
use std::ffi::c_int;

/// Revokes a communicator at all its processes.
pub fn comm_revoke(comm: Comm) -> Outcome {
    let mut mpi = enter()?;
    mpi.revoke(comm)?;
    mpi.perform_pending();
    mpi.wake_others();
    // Each lane of the communicator tells those of the others, and ends what it has under way.
    let mut revoked = Ok(());
    mpi.in_lanes_of(comm, |lane| {
        revoked = std::mem::replace(&mut revoked, Ok(())).and(lane.revoke(comm));
        lane.perform_pending();
        lane.wake_others();
    });
    revoked
}

/// Tells whether a communicator is revoked, as far as this process knows.
pub fn comm_is_revoked(comm: Comm, flag: Out<'_, c_int>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    mpi.progress_of_test();
    let is_revoked = mpi.comm(comm)?.is_revoked();
    flag.put("flag", c_int::from(is_revoked))
}

/// Makes a group of processes of a communicator.
fn put_group(comm: Comm, processes: Vec<u32>, failedgrp: Out<'_, Group>) -> Outcome {
    let owner = enter()?.comm(comm)?.group.owner();
    let made = match processes.is_empty() {
        true => abi::MPI_GROUP_EMPTY,
        false => group::insert(Members::new(processes).owned_by(owner))?,
    };
    failedgrp.put("failedgrp", made)
}

/// Gives the processes of a communicator that are known to have failed.
pub fn comm_get_failed(comm: Comm, failedgrp: Out<'_, Group>) -> Outcome {
    let failed = {
        let mut mpi = enter()?;
        mpi.comm(comm)?;
        mpi.progress_of_test();
        mpi.failed_in(comm)?
    };
    put_group(comm, failed, failedgrp)
}

/// Acknowledges the first failures of a communicator, in the order of `comm_get_failed`.
pub fn comm_ack_failed(comm: Comm, num_to_ack: c_int, num_acked: Out<'_, c_int>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let Ok(count) = usize::try_from(num_to_ack) else {
        let why = format!("num_to_ack is {num_to_ack}, it must not be negative");
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    };
    let num_acked = num_acked.require("num_acked")?;
    num_acked.write(mpi.acknowledge(comm, count)? as c_int);
    Ok(())
}

/// Acknowledges all failures of a communicator that are known here.
pub fn comm_failure_ack(comm: Comm) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    mpi.progress_of_test();
    mpi.acknowledge(comm, usize::MAX).map(drop)
}

/// Gives the processes whose failure is acknowledged.
pub fn comm_failure_get_acked(comm: Comm, failedgrp: Out<'_, Group>) -> Outcome {
    let acked = enter()?.comm(comm)?.acked.clone();
    put_group(comm, acked, failedgrp)
}

/// Agrees on a flag.
pub fn comm_agree(comm: Comm, flag: InOut<'_, c_int>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let flag = flag.require("flag")?;
    // The flag is agreed on although a failure is not acknowledged.
    let (agreed, acknowledged) = recovery::agree(&mut mpi, comm, flag.read().cast_unsigned())?;
    flag.write(agreed.cast_signed());
    acknowledged
}

/// Begins to agree on a flag, which is written when the request is complete.
pub fn comm_iagree(comm: Comm, flag: UserBuffer, request: Out<'_, Request>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let request = request.require("request")?;
    let Some(place) = flag.contiguous(1, abi::MPI_INT).filter(|place| !place.is_empty()) else {
        return Err(null("flag"));
    };
    let place = place.to_buffer();
    let mut bytes = [0; size_of::<c_int>()];
    place.pack_at(0, &mut bytes);
    let own = u64::from(u32::from_ne_bytes(bytes));
    let begun = mpi.begin_agreement(comm, own, Purpose::Agree(place))?;
    mpi.perform_pending();
    put_request(request, begun);
    Ok(())
}

/// Makes a communicator of the living processes.
pub fn comm_shrink(comm: Comm, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let newcomm = newcomm.require("newcomm")?;
    newcomm.write(recovery::shrink(&mut mpi, comm)?);
    Ok(())
}

/// Begins to make a communicator of the living processes.
pub fn comm_ishrink(comm: Comm, newcomm: Out<'_, Comm>, request: Out<'_, Request>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let (newcomm, request) = (newcomm.require("newcomm")?, request.require("request")?);
    let (made, begun) = mpi.begin_shrink(comm)?;
    mpi.perform_pending();
    newcomm.write(made);
    put_request(request, begun);
    Ok(())
}
