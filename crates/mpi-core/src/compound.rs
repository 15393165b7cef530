//! Compound operations: one request that consists of several.
//!
//! The parts are ordinary sends and receives whose [`Holder`] is the compound request. The protocol
//! tells that request when a part completes, so testing it takes a constant time, whatever the
//! number of its parts.

use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::partitioned::Arrivals;
use crate::protocol::{Core, Task};
use crate::receive::Wanted;
use crate::request::{Activity, Completion, Holder, Request};
use crate::send::{Envelope, Mode};
use nemesis_datatype::Buffer;

/// An active operation that consists of other operations.
#[derive(Debug)]
pub struct Compound {
    /// Number of parts that are not complete.
    pub remaining: usize,
    pub role: Role,
}

/// The kind of a compound operation, which decides what its completed parts change.
#[derive(Debug)]
pub enum Role {
    /// `MPI_Isendrecv`: the status is that of the receive.
    Exchange,
    /// A partitioned send, and which of its partitions are ready.
    Partitions { ready: Vec<bool> },
    /// A partitioned receive.
    Arrivals(Arrivals),
}

impl Core {
    /// Handles that a part of `whole` has completed.
    pub(crate) fn part_done(&mut self, whole: handle::Request, mut part: Completion) {
        let Ok(request) = self.requests.get_mut(whole) else { return };
        let Activity::Compound(compound) = &mut request.activity else { return };
        compound.remaining -= 1;
        let done = compound.remaining == 0;
        // Only the completions of receives name a source.
        let received = part.source != abi::MPI_ANY_SOURCE;
        match &mut compound.role {
            Role::Exchange if received => request.completion = part,
            Role::Arrivals(arrivals) if received => {
                if let Some(error) = part.error.take() {
                    request.completion.error.get_or_insert(error);
                }
                if arrivals.note(&part) {
                    self.tasks.push_back(Task::PostPartitions { request: whole });
                }
            }
            _ => {}
        }
        if done {
            self.finish(whole);
        }
    }
}

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
