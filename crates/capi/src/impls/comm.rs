//! Communicators (MPI 5.0 §7.4).

use super::arguments::put_request;
use crate::params::cut;
use crate::params::{InOut, Out, StringIn, StringOut};
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::cancel;
use nemesis_mpi::coll::operations;
use nemesis_mpi::coll::signature::Creator;
use nemesis_mpi::comm::hints::{Wish, asserts_tags, wished_lane};
use nemesis_mpi::comm::{self, resources, resources::Asked};
use nemesis_mpi::dynamic;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::engine::lanes::Choice;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Comparison};
use nemesis_mpi::handle::{Comm, Group, Handle, Info, Request};
use nemesis_mpi::info;
use nemesis_mpi::{enter, enter_any};
use std::ffi::c_int;

pub fn comm_rank(comm: Comm, rank: Out<'_, c_int>) -> Outcome {
    let own = enter()?.comms.known(comm)?.rank;
    rank.put("rank", own as c_int)
}

pub fn comm_size(comm: Comm, size: Out<'_, c_int>) -> Outcome {
    let members = enter()?.comms.known(comm)?.size();
    size.put("size", members as c_int)
}

pub fn comm_test_inter(comm: Comm, flag: Out<'_, c_int>) -> Outcome {
    let inter = enter()?.comms.known(comm)?.is_inter();
    flag.put("flag", c_int::from(inter))
}

pub fn comm_split(comm: Comm, color: c_int, key: c_int, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let newcomm = newcomm.require("newcomm")?;
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
    newcomm.write(made);
    Ok(())
}

/// Copies the attributes to a duplicate. If a copy function fails, the duplicate is freed.
fn copy_attributes(mpi: &mut Mpi, old: Comm, new: Comm) -> Outcome {
    let copied = mpi.unlocked(|| attr::copy_all(Object::Comm(old), Object::Comm(new)));
    if copied.is_err() {
        mpi.free_comm(new)?;
    }
    copied
}

/// Returns the lane for a communicator with these hints.
fn lane_of(hints: &info::Info) -> Choice {
    match wished_lane(hints) {
        Some(Wish::Lane(lane)) => Choice::Wish(lane),
        wish if asserts_tags(hints) => Choice::ByTag { asked: wish.is_some() },
        _ => Choice::Any,
    }
}

/// Duplicates a communicator with its attributes and hints.
fn duplicate(comm: Comm, hints: info::Info, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let newcomm = newcomm.require("newcomm")?;
    let made = comm::duplicate(&mut mpi, comm, Creator::CommDup, lane_of(&hints))?;
    copy_attributes(&mut mpi, comm, made)?;
    mpi.comm_mut(made)?.take_hints(&hints);
    newcomm.write(made);
    Ok(())
}

pub fn comm_dup(comm: Comm, newcomm: Out<'_, Comm>) -> Outcome {
    duplicate(comm, info::Info::default(), newcomm)
}

pub fn comm_dup_with_info(comm: Comm, info: Info, newcomm: Out<'_, Comm>) -> Outcome {
    duplicate(comm, operations::hints(info)?, newcomm)
}

/// Duplicates a communicator without waiting. Attributes are copied during the call (MPI 5.0
/// §7.4.2). If that fails, the exchange goes on, because the other processes need it.
fn iduplicate(
    comm: Comm,
    hints: info::Info,
    newcomm: Out<'_, Comm>,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let (newcomm, request) = (newcomm.require("newcomm")?, request.require("request")?);
    let (made, mut begun) = comm::iduplicate(&mut mpi, comm, lane_of(&hints))?;
    if let Err(refused) = copy_attributes(&mut mpi, comm, made) {
        cancel::abandon(&mut mpi, &mut begun)?;
        return Err(refused);
    }
    if let Some(pending) = mpi.comms.pending_mut(made) {
        pending.take_hints(&hints);
    }
    newcomm.write(made);
    put_request(request, begun);
    Ok(())
}

pub fn comm_idup(comm: Comm, newcomm: Out<'_, Comm>, request: Out<'_, Request>) -> Outcome {
    iduplicate(comm, info::Info::default(), newcomm, request)
}

pub fn comm_idup_with_info(
    comm: Comm,
    info: Info,
    newcomm: Out<'_, Comm>,
    request: Out<'_, Request>,
) -> Outcome {
    iduplicate(comm, operations::hints(info)?, newcomm, request)
}

pub fn comm_get_parent(parent: Out<'_, Comm>) -> Outcome {
    let spawner = enter()?.comms.parent;
    parent.put("parent", spawner)
}

pub fn comm_create(comm: Comm, group: Group, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    let members = group::get(group)?;
    mpi.comm(comm)?.group.check_owner(&members)?;
    let newcomm = newcomm.require("newcomm")?;
    let made = comm::create(&mut mpi, comm, members)?;
    newcomm.write(made);
    Ok(())
}

pub fn comm_create_group(comm: Comm, group: Group, tag: c_int, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    let parent = mpi.intracomm(comm)?;
    let members = group::get(group)?;
    parent.group.check_owner(&members)?;
    let newcomm = newcomm.require("newcomm")?;
    let made = comm::create_group(&mut mpi, comm, members, tag)?;
    newcomm.write(made);
    Ok(())
}

/// Split types of the ABI of Open MPI, which name a level of the hardware themselves: this plus
/// `OMPI_COMM_TYPE_HWTHREAD` (1) to `OMPI_COMM_TYPE_CLUSTER` (11). No program has such a number.
pub const SPLIT_BY_LEVEL: c_int = c_int::MIN;

/// The levels, as the standard names them. The last four are the node, the largest part whose
/// processes share something.
const LEVELS: [&str; 11] = [
    "hwloc://PU",
    "hwloc://Core",
    "hwloc://L1Cache",
    "hwloc://L2Cache",
    "hwloc://L3Cache",
    "hwloc://Package",
    "hwloc://NUMANode",
    resources::SHARED_MEMORY,
    resources::SHARED_MEMORY,
    resources::SHARED_MEMORY,
    resources::SHARED_MEMORY,
];

pub fn comm_split_type(
    comm: Comm,
    split_type: c_int,
    key: c_int,
    info: Info,
    newcomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let hints = info::hints(info)?;
    let newcomm = newcomm.require("newcomm")?;
    let level = split_type.checked_sub(SPLIT_BY_LEVEL + 1);
    if let Some(level) = level.and_then(|level| LEVELS.get(usize::try_from(level).ok()?)) {
        let asked = Asked { split_type: abi::MPI_COMM_TYPE_HW_GUIDED, key, name: Some(*level) };
        newcomm.write(resources::split_by_level(&mut mpi, comm, asked)?);
        return Ok(());
    }
    let resource = hints.get("mpi_hw_resource_type");
    let asked = Asked { split_type, key, name: resource };
    let made = match (split_type, hints.get("mpi_pset_name")) {
        (abi::MPI_COMM_TYPE_SHARED, _) => resources::split_by_memory(&mut mpi, comm, asked)?,
        (abi::MPI_COMM_TYPE_RESOURCE_GUIDED, set @ Some(_)) if resource.is_none() => {
            resources::split_by_process_set(&mut mpi, comm, Asked { name: set, ..asked })?
        }
        (abi::MPI_COMM_TYPE_HW_GUIDED | abi::MPI_COMM_TYPE_RESOURCE_GUIDED, _) => {
            resources::split_by_resource(&mut mpi, comm, asked)?
        }
        (abi::MPI_COMM_TYPE_HW_UNGUIDED, _) => {
            let (made, found) = resources::split_unguided(&mut mpi, comm, asked)?;
            if let (Some(found), false) = (found, info.is_null()) {
                info::set(info, "mpi_hw_resource_type", found)?;
            }
            made
        }
        (abi::MPI_UNDEFINED, _) => resources::split_for_nobody(&mut mpi, comm, asked)?,
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("split_type {split_type} is none of the standard's"),
            ));
        }
    };
    newcomm.write(made);
    Ok(())
}

pub fn comm_compare(comm1: Comm, comm2: Comm, result: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let (first, second) = (mpi.comms.known(comm1)?, mpi.comms.known(comm2)?);
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
    result.put("result", answer)
}

/// Compares the groups of two different communicators. The constants grow with the difference.
fn alike(groups: Comparison) -> c_int {
    match groups {
        Comparison::Identical => abi::MPI_CONGRUENT,
        Comparison::Similar => abi::MPI_SIMILAR,
        Comparison::Unequal => abi::MPI_UNEQUAL,
    }
}

pub fn comm_remote_size(comm: Comm, size: Out<'_, c_int>) -> Outcome {
    let remote = enter()?.comms.known(comm)?.remote().map(group::Group::size);
    let remote = remote
        .ok_or_else(|| Error::new(abi::MPI_ERR_COMM, "an intracommunicator has no remote group"))?;
    size.put("size", remote as c_int)
}

/// Sets hints. Those that `info` does not name keep their values.
pub fn comm_set_info(comm: Comm, info: Info) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let hints = operations::hints(info)?;
    mpi.comm_mut(comm)?.take_hints(&hints);
    Ok(())
}

pub fn comm_get_info(comm: Comm, info_used: Out<'_, Info>) -> Outcome {
    let mpi = enter()?;
    let made = info::create(mpi.comm(comm)?.effective_hints())?;
    info_used.put("info_used", made)
}

/// Frees the communicator when its pending communication is complete, and ends the connections with
/// processes of other jobs that share no other communicator (MPI 5.0 §11.10.4).
pub fn comm_disconnect(comm: InOut<'_, Comm>) -> Outcome {
    let comm = comm.require("comm")?;
    let mut mpi = enter()?;
    let handle = comm.read();
    mpi.comm(handle)?;
    if handle.is_predefined() {
        mpi.free_comm(handle)?;
    }
    mpi.unlocked(|| attr::delete_all(Object::Comm(handle)))?;
    dynamic::disconnect(&mut mpi, handle)?;
    comm.write(Comm::NULL);
    Ok(())
}

pub fn comm_free(comm: InOut<'_, Comm>) -> Outcome {
    let comm = comm.require("comm")?;
    let mut mpi = enter()?;
    let handle = comm.read();
    mpi.comm(handle)?;
    if !handle.is_predefined() {
        mpi.unlocked(|| attr::delete_all(Object::Comm(handle)))?;
    }
    mpi.free_comm(handle)?;
    comm.write(Comm::NULL);
    Ok(())
}

/// The longest name in bytes: `MPI_MAX_OBJECT_NAME` of both ABIs without the NUL.
const NAME_BYTES: usize = abi::MPI_MAX_OBJECT_NAME as usize - 1;

pub fn comm_set_name(comm: Comm, comm_name: StringIn<'_>) -> Outcome {
    let mut mpi = enter()?;
    mpi.comms.known(comm)?;
    let name = comm_name.require("comm_name")?;
    mpi.comms.known_mut(comm)?.name = cut(&name, NAME_BYTES).to_owned();
    mpi.tell_name(comm);
    Ok(())
}

pub fn comm_get_name(comm: Comm, comm_name: StringOut<'_>, resultlen: Out<'_, c_int>) -> Outcome {
    let mpi: Mpi = if comm.is_null() { enter_any()? } else { enter()? };
    let name = if comm.is_null() { "MPI_COMM_NULL" } else { &mpi.comms.known(comm)?.name };
    comm_name.put_with_length(name, abi::MPI_MAX_OBJECT_NAME, resultlen)
}
