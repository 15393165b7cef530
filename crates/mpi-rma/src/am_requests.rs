//! Starts AM requests and waits for them: accesses and locks that other processes carry out
//! (`remote`).

use super::network_access;
use super::remote::Verb;
use super::remote::origin::{Access, AmRequest, type_name};
use super::state::{RMA, finish, rma, update_status};
use crate::abi;
use crate::completion;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::pt2pt::PointToPoint;
use crate::request::{Activity, Request};
use nemesis_sys::mutation::{self, Mutation};

/// Starts an access. Returns the handle of its request if one is `wanted`.
pub fn begin(
    mpi: &mut Mpi,
    am_request: &AmRequest,
    access: Access<'_>,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    if access.target.bytes() == 0 {
        return Ok(None);
    }
    let name = type_name(&access.target.datatype)?;
    await_space(mpi, am_request)?;
    let request = match wanted {
        true => Some(new_request(mpi, am_request)?),
        false => None,
    };
    rma(mpi).origin.queue_access(am_request, access, name, request);
    feed_accesses(mpi, Some(am_request.process));
    Ok(request)
}

/// Waits until another request to the process may be under way.
fn await_space(mpi: &mut Mpi, am_request: &AmRequest) -> Outcome {
    let process = am_request.process;
    mpi.pt2pt.core.losses.check(process)?;
    if !rma(mpi).origin.has_space(process) {
        mpi.wait_until(Some(process), |mpi| rma(mpi).origin.has_space(process));
        mpi.pt2pt.core.losses.check(process)?;
    }
    Ok(())
}

/// Creates a request that completes when an access to the process completes.
fn new_request(mpi: &mut Mpi, am_request: &AmRequest) -> Outcome<handle::Request> {
    let mut request = Request::new(abi::MPI_COMM_SELF, Activity::Access);
    request.expected = Some(am_request.process);
    mpi.pt2pt.new_request(request)
}

/// Sends a request that concerns the target's lock. `request` completes when the target has granted
/// the lock.
fn send_lock_request(
    mpi: &mut Mpi,
    am_request: &AmRequest,
    verb: Verb,
    request: Option<handle::Request>,
) {
    rma(mpi).origin.queue_lock_request(am_request, verb, request);
    feed_accesses(mpi, Some(am_request.process));
}

/// Requests the lock of a target.
fn request_lock(
    mpi: &mut Mpi,
    am_request: &AmRequest,
    exclusive: bool,
) -> Outcome<handle::Request> {
    let verb = if exclusive { Verb::LockExclusive } else { Verb::LockShared };
    await_space(mpi, am_request)?;
    let request = new_request(mpi, am_request)?;
    send_lock_request(mpi, am_request, verb, Some(request));
    Ok(request)
}

/// Requests the locks of targets, and waits until they are granted. If one fails, releases the
/// others.
pub fn lock(mpi: &mut Mpi, am_requests: &[AmRequest], exclusive: bool) -> Outcome {
    let mut outcome = Ok(());
    let mut asked = Vec::with_capacity(am_requests.len());
    for am_request in am_requests {
        match request_lock(mpi, am_request, exclusive) {
            Ok(request) => asked.push((am_request, request)),
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    let mut held = Vec::with_capacity(asked.len());
    for (am_request, mut request) in asked {
        match completion::wait(mpi, &mut request) {
            Ok(_) => held.push(am_request),
            Err(error) => outcome = outcome.and(Err(error)),
        }
    }
    if outcome.is_err() {
        // Releasing the lock of another lost process fails, and need not succeed.
        held.into_iter().for_each(|am_request| drop(unlock(mpi, am_request)));
    }
    outcome
}

/// Releases the lock of a target, without waiting for the target.
pub fn unlock(mpi: &mut Mpi, am_request: &AmRequest) -> Outcome {
    await_space(mpi, am_request)?;
    send_lock_request(mpi, am_request, Verb::Unlock, None);
    Ok(())
}

/// Waits until all accesses of a window to these processes are complete, those by AM requests and
/// those by the network, and returns the first error.
pub fn await_requests(mpi: &mut Mpi, win: handle::Win, context: u64, processes: &[u32]) -> Outcome {
    if mutation::strikes(Mutation::AccessNotAwaited) {
        return Ok(());
    }
    for &process in processes {
        network_access::begin_flush(mpi, context, win, process);
    }
    for &process in processes {
        network_access::await_all(mpi, process);
        if !rma(mpi).origin.are_complete(context, process) {
            mpi.wait_until(Some(process), |mpi| rma(mpi).origin.are_complete(context, process));
        }
    }
    rma(mpi).origin.take_error(context)
}

/// Sends queued requests, to one process or to all, as long as there is space.
pub fn feed_accesses(engine: &mut Engine, process: Option<u32>) {
    let limits = engine.pt2pt.am_limits();
    let Engine { pt2pt: PointToPoint { endpoint: Some(endpoint), core, packing, .. }, .. } = engine
    else {
        return;
    };
    let origin = &mut RMA.get_mut(&mut core.token).origin;
    if origin.is_busy() {
        let mut ended = Vec::new();
        origin.send(endpoint, process, packing, limits, &mut ended);
        finish(core, ended);
    }
    update_status(core);
}
