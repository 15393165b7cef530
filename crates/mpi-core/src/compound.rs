//! Compound operations: one request that consists of several.
//!
//! The parts are ordinary sends and receives whose [`Holder`](crate::request::Holder) is the
//! compound request. The protocol tells that request when a part completes, so testing it takes a
//! constant time, whatever the number of its parts.

use crate::engine::Mpi;
use crate::envelope::{Envelope, Mode, Wanted};
use crate::error::Outcome;
use crate::handle;
use crate::request::{Activity, Completion, Compound, Copies, Request, Role};
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// `MPI_Isendrecv`: starts a send and a receive as one request (MPI 5.0 §3.10).
pub fn isendrecv(
    mpi: &mut Mpi,
    comm: handle::Comm,
    (sent, envelope): (&Buffer, Option<Envelope>),
    (received, wanted): (&Buffer, Option<Wanted>),
) -> Outcome<handle::Request> {
    let mut whole = Request::new(
        comm,
        Activity::Compound(Box::new(Compound { remaining: 2, role: Role::Exchange })),
    );
    whole.expected = wanted.and_then(|wanted| wanted.from);
    let whole = mpi.pt2pt.new_request(whole)?;
    let sending = match envelope {
        Some(envelope) => {
            let mode = envelope.mode(Mode::Standard);
            mpi.pt2pt.start_send(sent, envelope, mode)?
        }
        None => None,
    };
    match sending {
        Some(part) => mpi.pt2pt.adopt(whole, part)?,
        None => mpi.pt2pt.core.part_done(whole, Completion::EMPTY),
    }
    match wanted.map(|wanted| mpi.start_receive(received, wanted)).transpose()? {
        None => mpi.pt2pt.core.part_done(whole, Completion::PROC_NULL),
        Some(Ok(part)) => mpi.pt2pt.adopt(whole, part)?,
        Some(Err(completion)) => mpi.pt2pt.core.part_done(whole, completion),
    }
    mpi.defer_tasks();
    Ok(whole)
}

/// Returns the request of an operation on copies, which return the results when the operation is
/// complete, and are filled when `handle` is persistent and starts.
pub fn with_copies(
    mpi: &mut Mpi,
    handle: handle::Request,
    copies: Arc<dyn Copies>,
) -> Outcome<handle::Request> {
    if let Some(persistent) = &mut mpi.pt2pt.request_mut(handle)?.persistent {
        persistent.copies = Some(copies);
        return Ok(handle);
    }
    return_when_complete(mpi, handle, copies)
}

/// Returns the request of a started operation on copies.
pub(crate) fn return_when_complete(
    mpi: &mut Mpi,
    handle: handle::Request,
    copies: Arc<dyn Copies>,
) -> Outcome<handle::Request> {
    if nemesis_mpi_check::is_on() {
        // The copies are the library's.
        mpi.pt2pt.core.end_watch(handle);
    }
    let request = mpi.pt2pt.request_mut(handle)?;
    if request.is_done() {
        copies.return_received(request.completion.bytes as usize)?;
        return Ok(handle);
    }
    let (comm, interrupted) = (request.comm, request.interrupted);
    let expected = mpi.pt2pt.expected(handle);
    let compound =
        Compound { remaining: 1, role: Role::Copied { copies: copies.clone(), part: handle } };
    let mut whole = Request::new(comm, Activity::Compound(Box::new(compound)));
    (whole.expected, whole.interrupted) = (expected, interrupted);
    let whole = match mpi.pt2pt.new_request(whole) {
        Ok(whole) => whole,
        Err(error) => {
            // The operation goes on and uses the copies, and nothing tells when it is complete.
            std::mem::forget(copies);
            return Err(error);
        }
    };
    mpi.pt2pt.adopt(whole, handle)?;
    Ok(whole)
}
