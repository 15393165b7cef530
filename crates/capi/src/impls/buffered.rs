//! Attached buffers of buffered sends (MPI 5.0 §3.6): of the process, of communicators and of
//! sessions.

use super::arguments::{negative_count, put_request};
use crate::params::{CountOut, Out, UserBuffer};
use nemesis_mpi::buffered::{self, Level};
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Request, Session};
use std::ffi::c_void;

fn attach(level: Level, buffer: UserBuffer, size: i64) -> Outcome {
    let mut mpi = enter()?;
    if size < 0 {
        return Err(negative_count(size));
    }
    // The memory is never touched, so it may be that of a device: messages are kept elsewhere.
    buffered::attach(&mut mpi, level, buffer.address(), size)
}

fn detach(level: Level, buffer_addr: Out<'_, *mut c_void>, size: CountOut<'_>) -> Outcome {
    let (address, bytes) = buffered::detach(&mut enter()?, level)?;
    buffer_addr.put("buffer_addr", address as *mut c_void)?;
    size.put("size", bytes)
}

fn iflush(level: Level, request: Out<'_, Request>) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let started = buffered::iflush(&mut mpi, level)?;
    put_request(request, started);
    Ok(())
}

pub fn buffer_attach(buffer: UserBuffer, size: i64) -> Outcome {
    attach(Level::Process, buffer, size)
}

pub fn buffer_detach(buffer_addr: Out<'_, *mut c_void>, size: CountOut<'_>) -> Outcome {
    detach(Level::Process, buffer_addr, size)
}

pub fn buffer_flush() -> Outcome {
    buffered::flush(&mut enter()?, Level::Process)
}

pub fn buffer_iflush(request: Out<'_, Request>) -> Outcome {
    iflush(Level::Process, request)
}

pub fn comm_attach_buffer(comm: Comm, buffer: UserBuffer, size: i64) -> Outcome {
    attach(Level::Comm(comm), buffer, size)
}

pub fn comm_detach_buffer(
    comm: Comm,
    buffer_addr: Out<'_, *mut c_void>,
    size: CountOut<'_>,
) -> Outcome {
    detach(Level::Comm(comm), buffer_addr, size)
}

pub fn comm_flush_buffer(comm: Comm) -> Outcome {
    buffered::flush(&mut enter()?, Level::Comm(comm))
}

pub fn comm_iflush_buffer(comm: Comm, request: Out<'_, Request>) -> Outcome {
    iflush(Level::Comm(comm), request)
}

pub fn session_attach_buffer(session: Session, buffer: UserBuffer, size: i64) -> Outcome {
    attach(Level::Session(session), buffer, size)
}

pub fn session_detach_buffer(
    session: Session,
    buffer_addr: Out<'_, *mut c_void>,
    size: CountOut<'_>,
) -> Outcome {
    detach(Level::Session(session), buffer_addr, size)
}

pub fn session_flush_buffer(session: Session) -> Outcome {
    buffered::flush(&mut enter()?, Level::Session(session))
}

pub fn session_iflush_buffer(session: Session, request: Out<'_, Request>) -> Outcome {
    iflush(Level::Session(session), request)
}
