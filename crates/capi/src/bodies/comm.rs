//! Communicators (MPI 5.0 §7.4).

use super::text::{cut, text};
use super::{place, put};
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::cancel;
use nemesis_mpi::comm::{self, resources};
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Comparison};
use nemesis_mpi::handle::{Comm, Group, Handle, Info, Request};
use nemesis_mpi::info;
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
    mpi.comm(comm)?;
    let newcomm = place(newcomm, "newcomm")?;
    let colour = match u32::try_from(color) {
        Ok(colour) => Some(colour),
        Err(_) if color == abi::MPI_UNDEFINED => None,
        Err(_) => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("color is {color}, it must be MPI_UNDEFINED or not negative"),
            ));
        }
    };
    let made = comm::split(&mut mpi, comm, colour, key)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

/// Copies what the copy functions grant; if one fails, nothing is left of the duplicate.
fn copy_attributes(mpi: &mut Mpi, old: Comm, new: Comm) -> Outcome {
    let copied = mpi.unlocked(|| attr::copy_all(Object::Comm(old), Object::Comm(new)));
    if copied.is_err() {
        comm::free(mpi, new)?;
    }
    copied
}

/// A duplicate with attributes and hints.
unsafe fn duplicate(comm: Comm, hints: info::Info, newcomm: *mut Comm) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let newcomm = place(newcomm, "newcomm")?;
    let made = comm::duplicate(&mut mpi, comm)?;
    copy_attributes(&mut mpi, comm, made)?;
    mpi.comm_mut(made)?.take_hints(&hints);
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

pub unsafe fn comm_dup(comm: Comm, newcomm: *mut Comm) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { duplicate(comm, info::Info::default(), newcomm) }
}

pub unsafe fn comm_dup_with_info(comm: Comm, info: Info, newcomm: *mut Comm) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { duplicate(comm, info::hints(info)?, newcomm) }
}

/// The same without waiting. Attributes are copied now (MPI 5.0 §7.4.2); if that fails, the exchange goes on for the others' sake.
unsafe fn iduplicate(
    comm: Comm,
    hints: info::Info,
    newcomm: *mut Comm,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let (newcomm, request) = (place(newcomm, "newcomm")?, place(request, "request")?);
    let (made, mut begun) = comm::iduplicate(&mut mpi, comm)?;
    if let Err(refused) = copy_attributes(&mut mpi, comm, made) {
        cancel::abandon(&mut mpi, &mut begun)?;
        return Err(refused);
    }
    mpi.comm_mut(made)?.take_hints(&hints);
    // SAFETY: not null, so the caller's places.
    unsafe {
        newcomm.write(made);
        request.write(begun);
    }
    Ok(())
}

pub unsafe fn comm_idup(comm: Comm, newcomm: *mut Comm, request: *mut Request) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { iduplicate(comm, info::Info::default(), newcomm, request) }
}

pub unsafe fn comm_idup_with_info(
    comm: Comm,
    info: Info,
    newcomm: *mut Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { iduplicate(comm, info::hints(info)?, newcomm, request) }
}

pub unsafe fn comm_get_parent(parent: *mut Comm) -> Outcome {
    let spawner = enter()?.parent;
    // SAFETY: the caller's place.
    unsafe { put(parent, "parent", spawner) }
}

pub unsafe fn comm_create(comm: Comm, group: Group, newcomm: *mut Comm) -> Outcome {
    let mut mpi = enter()?;
    let members = group::get(group)?;
    mpi.comm(comm)?.group.check_owner(&members)?;
    let newcomm = place(newcomm, "newcomm")?;
    let made = comm::create(&mut mpi, comm, members)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

pub unsafe fn comm_create_group(
    comm: Comm,
    group: Group,
    tag: c_int,
    newcomm: *mut Comm,
) -> Outcome {
    let mut mpi = enter()?;
    let parent = mpi.intracomm(comm)?;
    let members = group::get(group)?;
    parent.group.check_owner(&members)?;
    let newcomm = place(newcomm, "newcomm")?;
    let made = comm::create_group(&mut mpi, comm, members, tag)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

pub unsafe fn comm_split_type(
    comm: Comm,
    split_type: c_int,
    key: c_int,
    info: Info,
    newcomm: *mut Comm,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let hints = info::hints(info)?;
    let newcomm = place(newcomm, "newcomm")?;
    let resource = hints.get("mpi_hw_resource_type");
    let made = match (split_type, hints.get("mpi_pset_name")) {
        (abi::MPI_COMM_TYPE_SHARED, _) => resources::split_by_memory(&mut mpi, comm, key)?,
        (abi::MPI_COMM_TYPE_RESOURCE_GUIDED, Some(set)) if resource.is_none() => {
            resources::split_by_process_set(&mut mpi, comm, set, key)?
        }
        (abi::MPI_COMM_TYPE_HW_GUIDED | abi::MPI_COMM_TYPE_RESOURCE_GUIDED, _) => {
            resources::split_by_resource(&mut mpi, comm, resource, key)?
        }
        (abi::MPI_COMM_TYPE_HW_UNGUIDED, _) => {
            let (made, found) = resources::split_unguided(&mut mpi, comm, key)?;
            if let (Some(found), false) = (found, info.is_null()) {
                info::set(info, "mpi_hw_resource_type", found)?;
            }
            made
        }
        (abi::MPI_UNDEFINED, _) => resources::split_for_nobody(&mut mpi, comm)?,
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("split_type {split_type} is none of the standard's"),
            ));
        }
    };
    // SAFETY: the caller's place.
    unsafe { hand_out(newcomm, made) }
}

pub unsafe fn comm_compare(comm1: Comm, comm2: Comm, result: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let (first, second) = (mpi.comm(comm1)?, mpi.comm(comm2)?);
    let answer = if comm1 == comm2 {
        abi::MPI_IDENT
    } else {
        match (first.remote(), second.remote()) {
            (None, None) => alike(first.group.compare(&second.group)),
            (Some(ours), Some(theirs)) => {
                alike(first.group.compare(&second.group)).max(alike(ours.compare(theirs)))
            }
            _ => abi::MPI_UNEQUAL,
        }
    };
    // SAFETY: the caller's place.
    unsafe { put(result, "result", answer) }
}

/// Groups of two different communicators compared; the constants grow with the difference.
fn alike(groups: Comparison) -> c_int {
    match groups {
        Comparison::Identical => abi::MPI_CONGRUENT,
        Comparison::Similar => abi::MPI_SIMILAR,
        Comparison::Unequal => abi::MPI_UNEQUAL,
    }
}

pub unsafe fn comm_remote_size(comm: Comm, size: *mut c_int) -> Outcome {
    let remote = enter()?.comm(comm)?.remote().map(group::Group::size);
    let remote = remote
        .ok_or_else(|| Error::new(abi::MPI_ERR_COMM, "an intracommunicator has no remote group"))?;
    // SAFETY: the caller's place.
    unsafe { put(size, "size", remote as c_int) }
}

/// Hints that `info` does not name stay as they are.
pub unsafe fn comm_set_info(comm: Comm, info: Info) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let hints = info::hints(info)?;
    mpi.comm_mut(comm)?.take_hints(&hints);
    Ok(())
}

pub unsafe fn comm_get_info(comm: Comm, info_used: *mut Info) -> Outcome {
    let mpi = enter()?;
    let made = info::create(mpi.comm(comm)?.effective_hints())?;
    // SAFETY: the caller's place.
    unsafe { put(info_used, "info_used", made) }
}

/// Frees the communicator once what goes on over it has come to an end (MPI 5.0 §11.10.4); with one job there is nobody to part from.
pub unsafe fn comm_disconnect(comm: *mut Comm) -> Outcome {
    // SAFETY: the caller's handle.
    unsafe { comm_free(comm) }
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
