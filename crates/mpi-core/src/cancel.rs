//! Cancelling an operation, `MPI_Cancel` (MPI 5.0 §3.8.4), and freeing its request,
//! `MPI_Request_free` (§3.7.3).

use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::generalized;
use crate::handle::{self, Handle};
use crate::partitioned;
use crate::request::{Activity, Holder, Role, Template};

/// `MPI_Request_free`: the operation continues without a handle.
pub fn free(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome {
    if *handle == mpi.pt2pt.done_request {
        *handle = handle::Request::NULL;
        return Ok(());
    }
    if generalized::free(mpi, handle)? {
        return Ok(());
    }
    *handle = mpi.pt2pt.core.sole_request(*handle);
    let request = mpi.pt2pt.request(*handle)?;
    if request.persistent.is_none() && is_collective(mpi, &request.activity) {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the request is an active collective operation: complete it with a wait or a test",
        ));
    }
    if let Some(persistent) = &request.persistent {
        match &persistent.template {
            Template::PartitionedSend(_) | Template::PartitionedReceive(_) if persistent.active => {
                return Err(partitioned_is_active());
            }
            Template::PartitionedReceive(receiving) => {
                let setup = receiving.setup();
                partitioned::forget(mpi, setup);
            }
            _ => {}
        }
    }
    if nemesis_mpi_check::is_on() {
        let name = mpi.pt2pt.core.checked_name(*handle);
        let request = mpi.pt2pt.request(*handle)?;
        let is_cancelled = request.completion.cancelled;
        match request.persistent {
            Some(_) => nemesis_mpi_check::buffers::forget(name),
            None => {
                if !is_cancelled {
                    nemesis_mpi_check::buffers::frees(name);
                }
                mpi.pt2pt.core.end_watch_of_done(*handle);
            }
        }
    }
    let request = mpi.pt2pt.request(*handle)?;
    let operation = request.persistent.as_ref().and_then(|persistent| persistent.operation);
    let done = request.is_done();
    if done {
        mpi.pt2pt
            .core
            .requests
            .remove(*handle)
            .map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?;
    } else {
        mpi.pt2pt.request_mut(*handle)?.holder = Holder::Nobody;
    }
    *handle = handle::Request::NULL;
    match operation {
        Some(mut operation) => free(mpi, &mut operation),
        None => Ok(()),
    }
}

/// Gives up an operation that the library itself has started: it continues, and nothing waits for
/// it.
pub fn abandon(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome {
    match mpi.pt2pt.is_complete(*handle)? {
        true => mpi.pt2pt.collect(handle).map(drop),
        false => {
            *handle = mpi.pt2pt.core.sole_request(*handle);
            mpi.pt2pt.request_mut(*handle)?.holder = Holder::Nobody;
            *handle = handle::Request::NULL;
            Ok(())
        }
    }
}

/// Whether an activity is a collective operation, perhaps on copies of the program's buffers.
fn is_collective(mpi: &Mpi, activity: &Activity) -> bool {
    match part_of(activity).map(|part| mpi.pt2pt.request(part)) {
        Some(part) => part.is_ok_and(|part| matches!(part.activity, Activity::Collective)),
        None => matches!(activity, Activity::Collective),
    }
}

/// Returns the operation on copies of the program's buffers that an activity stands for.
fn part_of(activity: &Activity) -> Option<handle::Request> {
    match activity {
        Activity::Compound(compound) => match compound.role {
            Role::Copied { part, .. } => Some(part),
            _ => None,
        },
        _ => None,
    }
}

#[cold]
fn partitioned_is_active() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_REQUEST,
        "the request is an active partitioned operation: complete it with a wait or a test",
    )
}

/// `MPI_Cancel`: requests the cancellation. A wait or a test on the request tells whether it
/// succeeded.
pub fn cancel(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    if handle == mpi.pt2pt.done_request {
        return Ok(());
    }
    if generalized::cancel(mpi, handle)? {
        return Ok(());
    }
    let handle = mpi.pt2pt.core.request_of(handle);
    let request = mpi.pt2pt.request_mut(handle)?;
    if let Some(persistent) = &request.persistent {
        if let Template::PartitionedSend(_) | Template::PartitionedReceive(_) = persistent.template
        {
            return Err(Error::new(
                abi::MPI_ERR_REQUEST,
                "partitioned operations cannot be cancelled",
            ));
        }
        return match persistent.operation {
            Some(operation) if persistent.active => cancel(mpi, operation),
            _ if persistent.active => Ok(()),
            _ => Err(Error::new(abi::MPI_ERR_REQUEST, "the persistent request is not active")),
        };
    }
    if let Some(part) = part_of(&request.activity) {
        return cancel(mpi, part);
    }
    match &request.activity {
        Activity::Posted { slot, .. } => {
            let slot = *slot;
            if mpi.pt2pt.core.posted.withdraw(slot, handle) {
                mpi.pt2pt.request_mut(handle)?.completion.cancelled = true;
                mpi.pt2pt.core.finish(handle);
            }
            Ok(())
        }
        Activity::Announced { to, .. } => {
            let to = *to;
            mpi.pt2pt.withdraw_announced(handle, to);
            if mpi.pt2pt.endpoint.as_ref().is_some_and(|endpoint| endpoint.me() == to) {
                // A process that sends to itself receives both CANCEL and CANCELLED, perhaps behind
                // packets of others. Wait here, so that the next test of the request finds the
                // result.
                mpi.wait_until(Some(to), |mpi| {
                    !mpi.pt2pt
                        .request(handle)
                        .is_ok_and(|request| matches!(request.activity, Activity::Announced { .. }))
                });
            }
            Ok(())
        }
        Activity::Deferred => {
            if mpi.pt2pt.withdraw_outgoing(handle) {
                mpi.pt2pt.request_mut(handle)?.completion.cancelled = true;
                mpi.pt2pt.core.finish(handle);
            }
            Ok(())
        }
        Activity::Collective => {
            Err(Error::new(abi::MPI_ERR_REQUEST, "collective operations cannot be cancelled"))
        }
        Activity::Compound(_) => Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "a combined send and receive operation cannot be cancelled",
        )),
        Activity::Access => {
            Err(Error::new(abi::MPI_ERR_REQUEST, "a one-sided operation cannot be cancelled"))
        }
        Activity::File(_) => {
            Err(Error::new(abi::MPI_ERR_REQUEST, "a read or write of a file cannot be cancelled"))
        }
        Activity::Flushing => {
            Err(Error::new(abi::MPI_ERR_REQUEST, "the flush of a buffer cannot be cancelled"))
        }
        // A rendezvous whose data are under way completes. An eager send has completed already, or
        // its packet is out.
        _ => Ok(()),
    }
}
