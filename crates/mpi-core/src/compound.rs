//! Compound operations: one request that consists of several.
//!
//! The parts are ordinary sends and receives whose [`Holder`] is the compound request. The protocol
//! tells that request when a part completes, so testing it takes a constant time, whatever the
//! number of its parts.

use crate::engine::{Engine, Mpi};
use crate::envelope::{Envelope, Mode, Wanted};
use crate::error::Outcome;
use crate::handle;
use crate::request::{Activity, Completion, Compound, Holder, Request, Role};
use nemesis_datatype::Buffer;

impl Engine {
    /// Makes a started request a part of `whole`, whose count of parts includes it already.
    pub(crate) fn adopt(&mut self, whole: handle::Request, mut part: handle::Request) -> Outcome {
        let request = self.request_mut(part)?;
        if request.is_done() {
            let completion = self.collect(&mut part)?;
            self.core.part_done(whole, completion);
        } else {
            request.holder = Holder::Whole(whole);
        }
        Ok(())
    }

    /// Makes an incomplete request an additional part of `whole`.
    pub(crate) fn adopt_more(&mut self, whole: handle::Request, part: handle::Request) -> Outcome {
        if let Activity::Compound(compound) = &mut self.request_mut(whole)?.activity {
            compound.remaining += 1;
        }
        self.adopt(whole, part)
    }
}

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
    let whole = mpi.new_request(whole)?;
    let sending = match envelope {
        Some(envelope) => mpi.start_send(sent, envelope, Mode::Standard)?,
        None => None,
    };
    match sending {
        Some(part) => mpi.adopt(whole, part)?,
        None => mpi.core.part_done(whole, Completion::EMPTY),
    }
    match wanted.map(|wanted| mpi.start_receive(received, wanted)).transpose()? {
        None => mpi.core.part_done(whole, Completion::PROC_NULL),
        Some(Ok(part)) => mpi.adopt(whole, part)?,
        Some(Err(completion)) => mpi.core.part_done(whole, completion),
    }
    mpi.defer_tasks();
    Ok(whole)
}
