//! Intercommunicators, and communicators without a parent (MPI 5.0 §7.4.2, §7.6).

use crate::params::{Out, OutRef, StringIn};
use nemesis_mpi::abi;
use nemesis_mpi::coll::operations;
use nemesis_mpi::comm;
use nemesis_mpi::dynamic;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group;
use nemesis_mpi::handle::{Comm, Errhandler, Group, Handle, Info};
use nemesis_mpi::info;
use std::ffi::c_int;

pub fn intercomm_create(
    local_comm: Comm,
    local_leader: c_int,
    peer_comm: Comm,
    remote_leader: c_int,
    tag: c_int,
    newintercomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let leader = rank_in(local_leader, mpi.intracomm(local_comm)?.size(), "local_leader")?;
    let newintercomm = newintercomm.require("newintercomm")?;
    let made = comm::intercomm_create(
        &mut mpi,
        (local_comm, leader),
        (peer_comm, remote_leader, tag),
        dynamic::card,
    )?;
    newintercomm.write(made);
    Ok(())
}

fn rank_in(rank: c_int, size: u32, name: &str) -> Outcome<u32> {
    u32::try_from(rank).ok().filter(|&rank| rank < size).ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_RANK,
            format!("{name} is {rank}, which is not a rank of the group of {size}"),
        )
    })
}

pub fn intercomm_merge(intercomm: Comm, high: c_int, newintracomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    mpi.intercomm(intercomm)?;
    let newintracomm = newintracomm.require("newintracomm")?;
    let made = comm::merge(&mut mpi, intercomm, high != 0)?;
    newintracomm.write(made);
    Ok(())
}

pub fn intercomm_create_from_groups(
    local_group: Group,
    local_leader: c_int,
    remote_group: Group,
    remote_leader: c_int,
    stringtag: StringIn<'_>,
    info: Info,
    errhandler: Errhandler,
    newintercomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let newintercomm = newintercomm.require("newintercomm")?;
    let local = group::get(local_group)?;
    // With an empty group on either side the call is local (MPI 5.0 §7.6.2).
    if local.size() == 0 || group::get(remote_group).is_ok_and(|remote| remote.size() == 0) {
        newintercomm.write(Comm::NULL);
        return Ok(());
    }
    let leader = rank_in(local_leader, local.size(), "local_leader")?;
    // Only the leader needs the other group.
    let remote = || {
        let remote = group::get(remote_group)?;
        local.check_owner(&remote)?;
        let leader = rank_in(remote_leader, remote.size(), "remote_leader")?;
        Ok((remote, leader))
    };
    let (string, hints) = (string_tag(stringtag)?, operations::hints(info)?);
    let made = comm::intercomm_create_from_groups(
        &mut mpi,
        (local.clone(), leader),
        remote(),
        &string,
        errhandler,
        dynamic::card,
    )?;
    put_comm(&mut mpi, newintercomm, made, hints)
}

pub fn comm_create_from_group(
    group: Group,
    stringtag: StringIn<'_>,
    info: Info,
    errhandler: Errhandler,
    newcomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let newcomm = newcomm.require("newcomm")?;
    let members = group::get(group)?;
    let (string, hints) = (string_tag(stringtag)?, operations::hints(info)?);
    if members.size() == 0 {
        newcomm.write(Comm::NULL);
        return Ok(());
    }
    let made = comm::create_from_group(&mut mpi, members, &string, errhandler)?;
    put_comm(&mut mpi, newcomm, made, hints)
}

fn put_comm(mpi: &mut Mpi, newcomm: OutRef<'_, Comm>, made: Comm, hints: info::Info) -> Outcome {
    mpi.comm_mut(made)?.take_hints(&hints);
    newcomm.write(made);
    Ok(())
}

/// The string that tells concurrent creations apart.
fn string_tag(stringtag: StringIn<'_>) -> Outcome<String> {
    let string = stringtag.require("stringtag")?.into_owned();
    if string.len() >= abi::MPI_MAX_STRINGTAG_LEN as usize {
        let why = format!(
            "stringtag has {} bytes, at most {} are allowed",
            string.len(),
            abi::MPI_MAX_STRINGTAG_LEN - 1
        );
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    Ok(string)
}
