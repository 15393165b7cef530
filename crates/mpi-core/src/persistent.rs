//! Persistent requests (MPI 5.0 §3.9): a template, and while active the operation it started.

use crate::abi;
use crate::compound;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::partitioned;
use crate::request::{Completion, Request, Template};

/// `MPI_Send_init` and its kin: an inactive request.
pub fn init(mpi: &mut Mpi, comm: handle::Comm, template: Template) -> Outcome<handle::Request> {
    mpi.pt2pt.new_request(Request::persistent(comm, template))
}

/// `MPI_Start`
pub fn start(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    let request = mpi.pt2pt.request_mut(handle)?;
    let Some(persistent) = &request.persistent else {
        return Err(Error::new(abi::MPI_ERR_REQUEST, "the request is not a persistent one"));
    };
    if persistent.active {
        return Err(Error::new(abi::MPI_ERR_REQUEST, "the request is active already")
            .advise("complete it by MPI_Wait or MPI_Test before it is started again"));
    }
    let (comm, template) = (request.comm, persistent.template.clone());
    let copies = persistent.copies.clone();
    if let Some(copies) = &copies {
        copies.fill()?;
    }
    let (operation, ready) = match template {
        Template::Nothing(completion) => (None, completion),
        Template::Send { buffer, envelope, mode, buffered_on: None } => {
            (mpi.pt2pt.start_send(&buffer, envelope, envelope.mode(mode))?, Completion::EMPTY)
        }
        Template::Send { buffer, envelope, buffered_on: Some(_), .. } => {
            crate::buffered::send(mpi, &buffer, envelope)?;
            (None, Completion::EMPTY)
        }
        Template::Receive { buffer, wanted } => match mpi.start_receive(&buffer, wanted)? {
            Ok(operation) => (Some(operation), Completion::EMPTY),
            Err(completion) => (None, completion),
        },
        Template::PartitionedSend(sending) => {
            (Some(partitioned::start_send(mpi, comm, &sending)?), Completion::EMPTY)
        }
        Template::PartitionedReceive(receiving) => {
            (Some(partitioned::start_receive(mpi, comm, receiving)?), Completion::EMPTY)
        }
        Template::Collective(operation) => {
            let started = (mpi.hooks.collectives.start)(mpi, operation)?;
            if nemesis_mpi_check::is_on() && copies.is_none() {
                mpi.pt2pt.core.watch_started(handle, started);
            }
            (Some(started), Completion::EMPTY)
        }
    };
    let operation = match (operation, copies) {
        (Some(operation), Some(copies)) => {
            Some(compound::return_when_complete(mpi, operation, copies)?)
        }
        (None, Some(copies)) => {
            copies.return_received(ready.bytes as usize)?;
            None
        }
        (operation, None) => operation,
    };
    if let Some(persistent) = &mut mpi.pt2pt.request_mut(handle)?.persistent {
        if let Template::PartitionedReceive(receiving) = &mut persistent.template {
            receiving.has_started();
        }
        persistent.operation = operation;
        persistent.ready = ready;
        persistent.active = true;
    }
    mpi.defer_tasks();
    Ok(())
}
