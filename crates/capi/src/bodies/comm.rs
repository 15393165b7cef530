//! Communicators (MPI 5.0 §7.4).

use super::text::{cut, text};
use super::{place, put};
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::comm;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Handle};
use nemesis_mpi::{enter, enter_any};
use std::ffi::{c_char, c_int};

pub unsafe fn comm_rank(comm: Comm, rank: *mut c_int) -> Outcome {
    let own = enter()?.comm(comm)?.rank;
    // SAFETY: the caller's place.
    unsafe { put(rank, "rank", own as c_int) }
}

pub unsafe fn comm_size(comm: Comm, size: *mut c_int) -> Outcome {
    let members = enter()?.comm(comm)?.size();
    // SAFETY: the caller's place.
    unsafe { put(size, "size", members as c_int) }
}

pub unsafe fn comm_test_inter(comm: Comm, flag: *mut c_int) -> Outcome {
    let inter = enter()?.comm(comm)?.is_inter();
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(inter)) }
}

/// Writes the handle of a new communicator, whose creation has happened in any case.
unsafe fn hand_out(newcomm: *mut Comm, made: Comm) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { put(newcomm, "newcomm", made) }
}

pub unsafe fn comm_split(comm: Comm, color: c_int, key: c_int, newcomm: *mut Comm) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let newcomm = place(newcomm, "newcomm")?;
    let colour = match u32::try_from(color) {
        Ok(colour) => Some(colour),
        Err(_) if color == abi::MPI_UNDEFINED => None,
        Err(_) => return Err(Error::new(abi::MPI_ERR_ARG, format!("color is {color}, it must be MPI_UNDEFINED or not negative"))),
    };
    let made = comm::split(&mut mpi, comm, colour, key)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

pub unsafe fn comm_free(comm: *mut Comm) -> Outcome {
    let comm = place(comm, "comm")?;
    let mut mpi = enter()?;
    // SAFETY: the caller's handle.
    let handle = unsafe { comm.read() };
    mpi.comm(handle)?;
    if !handle.is_predefined() {
        mpi.unlocked(|| attr::delete_all(Object::Comm(handle)))?;
    }
    comm::free(&mut mpi, handle)?;
    // SAFETY: the caller's handle.
    unsafe { comm.write(Comm::NULL) };
    Ok(())
}

/// Names are cut to what both ABIs have room for.
const NAME_BYTES: usize = abi::MPI_MAX_OBJECT_NAME as usize - 1;

pub unsafe fn comm_set_name(comm: Comm, comm_name: *const c_char) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    // SAFETY: the caller's string.
    let name = unsafe { text(comm_name, "comm_name") }?;
    mpi.comm_mut(comm)?.name = cut(&name, NAME_BYTES).to_owned();
    Ok(())
}

pub unsafe fn comm_get_name(comm: Comm, comm_name: *mut c_char, resultlen: *mut c_int) -> Outcome {
    let mpi: Mpi = if comm.is_null() { enter_any()? } else { enter()? };
    let name = if comm.is_null() { "MPI_COMM_NULL" } else { &mpi.comm(comm)?.name };
    // SAFETY: the caller's buffer has MPI_MAX_OBJECT_NAME bytes.
    unsafe { super::text::put_string(comm_name, resultlen, name, abi::MPI_MAX_OBJECT_NAME) }
}
