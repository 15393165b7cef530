//! The buffers of buffered mode (MPI 5.0 §3.6): the process's, and those of communicators and sessions.

use super::arguments::negative_count;
use super::{place, put};
use crate::types::CountOut;
use nemesis_mpi::buffered::{self, Level};
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Request, Session};
use std::ffi::c_void;

fn attach(level: Level, buffer: *mut c_void, size: i64) -> Outcome {
    let mut mpi = enter()?;
    if size < 0 {
        return Err(negative_count(size));
    }
    buffered::attach(&mut mpi, level, buffer as usize, size)
}

unsafe fn detach(level: Level, buffer_addr: *mut c_void, size: CountOut) -> Outcome {
    let (address, bytes) = buffered::detach(&mut enter()?, level)?;
    // SAFETY: `buffer_addr` is the address of a pointer (MPI 5.0 §3.6), `size` a place.
    unsafe {
        put(buffer_addr.cast::<*mut c_void>(), "buffer_addr", address as *mut c_void)?;
        size.write(bytes);
    }
    Ok(())
}

unsafe fn iflush(level: Level, request: *mut Request) -> Outcome {
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    let started = buffered::iflush(&mut mpi, level)?;
    // SAFETY: the caller's place.
    unsafe { request.write(started) };
    Ok(())
}

pub unsafe fn buffer_attach(buffer: *mut c_void, size: i64) -> Outcome {
    attach(Level::Process, buffer, size)
}

pub unsafe fn buffer_detach(buffer_addr: *mut c_void, size: CountOut) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { detach(Level::Process, buffer_addr, size) }
}

pub unsafe fn buffer_flush() -> Outcome {
    buffered::flush(&mut enter()?, Level::Process)
}

pub unsafe fn buffer_iflush(request: *mut Request) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { iflush(Level::Process, request) }
}

pub unsafe fn comm_attach_buffer(comm: Comm, buffer: *mut c_void, size: i64) -> Outcome {
    attach(Level::Comm(comm), buffer, size)
}

pub unsafe fn comm_detach_buffer(comm: Comm, buffer_addr: *mut c_void, size: CountOut) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { detach(Level::Comm(comm), buffer_addr, size) }
}

pub unsafe fn comm_flush_buffer(comm: Comm) -> Outcome {
    buffered::flush(&mut enter()?, Level::Comm(comm))
}

pub unsafe fn comm_iflush_buffer(comm: Comm, request: *mut Request) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { iflush(Level::Comm(comm), request) }
}

pub unsafe fn session_attach_buffer(session: Session, buffer: *mut c_void, size: i64) -> Outcome {
    attach(Level::Session(session), buffer, size)
}

pub unsafe fn session_detach_buffer(
    session: Session,
    buffer_addr: *mut c_void,
    size: CountOut,
) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { detach(Level::Session(session), buffer_addr, size) }
}

pub unsafe fn session_flush_buffer(session: Session) -> Outcome {
    buffered::flush(&mut enter()?, Level::Session(session))
}

pub unsafe fn session_iflush_buffer(session: Session, request: *mut Request) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { iflush(Level::Session(session), request) }
}
