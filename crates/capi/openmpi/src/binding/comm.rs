// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: comm.

use crate::prelude::*;

binding! {
    MPI_Comm_compare PMPI_Comm_compare(
        comm1: RawHandle as comm, comm2: RawHandle as comm, result: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm1)) =>
    {
        let mut result = Place::out(Out::new(result), 0);
        impls::comm_compare(to::comm(comm1), to::comm(comm2), Out::new(result.pass()))?;
        result.leave(from::comparison);
        Ok(())
    }
}

binding! {
    MPI_Comm_create PMPI_Comm_create(
        comm: RawHandle as comm, group: RawHandle as group, newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_create(to::comm(comm), to::group(group), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_create_from_group PMPI_Comm_create_from_group(
        group: RawHandle as group, stringtag: *const c_char as string, info: RawHandle as info,
        errhandler: RawHandle as errhandler, newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Errhandler(to::errhandler(errhandler)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_create_from_group(
            to::group(group), StringIn::new(stringtag), to::info(info), to::errhandler(errhandler),
            Out::new(newcomm.pass()),
        )?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_create_group PMPI_Comm_create_group(
        comm: RawHandle as comm, group: RawHandle as group, tag: c_int as tag, newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_create_group(to::comm(comm), to::group(group), to::tag(tag), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_disconnect PMPI_Comm_disconnect(comm: *mut RawHandle as address)
    on Raise::Comm(to::comm(at(In::new(comm)))) =>
    {
        let mut comm = Place::read(InOut::new(comm), Comm::NULL, to::comm);
        let outcome = impls::comm_disconnect(InOut::new(comm.pass()));
        comm.leave(from::comm);
        outcome
    }
}

binding! {
    MPI_Comm_dup PMPI_Comm_dup(comm: RawHandle as comm, newcomm: *mut RawHandle as out_comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_dup(to::comm(comm), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_dup_with_info PMPI_Comm_dup_with_info(
        comm: RawHandle as comm, info: RawHandle as info, newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_dup_with_info(to::comm(comm), to::info(info), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_free PMPI_Comm_free(comm: *mut RawHandle as address)
    on Raise::Comm(to::comm(at(In::new(comm)))) =>
    {
        let mut comm = Place::read(InOut::new(comm), Comm::NULL, to::comm);
        let outcome = impls::comm_free(InOut::new(comm.pass()));
        comm.leave(from::comm);
        outcome
    }
}

binding! {
    MPI_Comm_get_info PMPI_Comm_get_info(comm: RawHandle as comm, info_used: *mut RawHandle as out_info)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::comm_get_info(to::comm(comm), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Comm_get_name PMPI_Comm_get_name(
        comm: RawHandle as comm, comm_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_get_name(to::comm(comm), StringOut::from(OutSlice::new(comm_name, 64)), Out::new(resultlen))
    }
}

binding! {
    MPI_Comm_group PMPI_Comm_group(comm: RawHandle as comm, group: *mut RawHandle as out_group)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut group = Place::out(Out::new(group), Group::NULL);
        impls::comm_group(to::comm(comm), Out::new(group.pass()))?;
        group.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Comm_idup PMPI_Comm_idup(
        comm: RawHandle as comm, newcomm: *mut RawHandle as out_comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_idup(to::comm(comm), Out::new(newcomm.pass()), Out::new(request.pass()))?;
        newcomm.leave(from::comm);
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Comm_idup_with_info PMPI_Comm_idup_with_info(
        comm: RawHandle as comm, info: RawHandle as info, newcomm: *mut RawHandle as out_comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_idup_with_info(to::comm(comm), to::info(info), Out::new(newcomm.pass()), Out::new(request.pass()))?;
        newcomm.leave(from::comm);
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Comm_rank PMPI_Comm_rank(comm: RawHandle as comm, rank: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut rank = Place::out(Out::new(rank), 0);
        impls::comm_rank(to::comm(comm), Out::new(rank.pass()))?;
        rank.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Comm_remote_group PMPI_Comm_remote_group(comm: RawHandle as comm, group: *mut RawHandle as out_group)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut group = Place::out(Out::new(group), Group::NULL);
        impls::comm_remote_group(to::comm(comm), Out::new(group.pass()))?;
        group.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Comm_remote_size PMPI_Comm_remote_size(comm: RawHandle as comm, size: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_remote_size(to::comm(comm), Out::new(size))
    }
}

binding! {
    MPI_Comm_set_info PMPI_Comm_set_info(comm: RawHandle as comm, info: RawHandle as info)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_info(to::comm(comm), to::info(info))
    }
}

binding! {
    MPI_Comm_set_name PMPI_Comm_set_name(comm: RawHandle as comm, comm_name: *const c_char as string)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_name(to::comm(comm), StringIn::new(comm_name))
    }
}

binding! {
    MPI_Comm_size PMPI_Comm_size(comm: RawHandle as comm, size: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_size(to::comm(comm), Out::new(size))
    }
}

binding! {
    MPI_Comm_split PMPI_Comm_split(
        comm: RawHandle as comm, color: c_int as int, key: c_int as int, newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_split(to::comm(comm), color, key, Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_split_type PMPI_Comm_split_type(
        comm: RawHandle as comm, split_type: c_int as int, key: c_int as int, info: RawHandle as info,
        newcomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_split_type(
            to::comm(comm), to::split_type(split_type), key, to::info(info), Out::new(newcomm.pass()),
        )?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_test_inter PMPI_Comm_test_inter(comm: RawHandle as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_test_inter(to::comm(comm), Out::new(flag))
    }
}

binding! {
    MPI_Intercomm_create PMPI_Intercomm_create(
        local_comm: RawHandle as comm, local_leader: c_int as rank, peer_comm: RawHandle as comm,
        remote_leader: c_int as rank, tag: c_int as tag, newintercomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(local_comm)) =>
    {
        let mut newintercomm = Place::out(Out::new(newintercomm), Comm::NULL);
        impls::intercomm_create(
            to::comm(local_comm), to::rank(local_leader), to::comm(peer_comm), to::rank(remote_leader), to::tag(tag),
            Out::new(newintercomm.pass()),
        )?;
        newintercomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Intercomm_create_from_groups PMPI_Intercomm_create_from_groups(
        local_group: RawHandle as group, local_leader: c_int as rank, remote_group: RawHandle as group,
        remote_leader: c_int as rank, stringtag: *const c_char as string, info: RawHandle as info,
        errhandler: RawHandle as errhandler, newintercomm: *mut RawHandle as out_comm,
    )
    on Raise::Errhandler(to::errhandler(errhandler)) =>
    {
        let mut newintercomm = Place::out(Out::new(newintercomm), Comm::NULL);
        impls::intercomm_create_from_groups(
            to::group(local_group), to::rank(local_leader), to::group(remote_group), to::rank(remote_leader),
            StringIn::new(stringtag), to::info(info), to::errhandler(errhandler), Out::new(newintercomm.pass()),
        )?;
        newintercomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Intercomm_merge PMPI_Intercomm_merge(
        intercomm: RawHandle as comm, high: c_int as int, newintracomm: *mut RawHandle as out_comm,
    )
    on Raise::Comm(to::comm(intercomm)) =>
    {
        let mut newintracomm = Place::out(Out::new(newintracomm), Comm::NULL);
        impls::intercomm_merge(to::comm(intercomm), high, Out::new(newintracomm.pass()))?;
        newintracomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Type_get_name PMPI_Type_get_name(
        datatype: RawHandle as datatype, type_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::type_get_name(to::datatype(datatype), StringOut::from(OutSlice::new(type_name, 64)), Out::new(resultlen))
    }
}

binding! {
    MPI_Type_set_name PMPI_Type_set_name(datatype: RawHandle as datatype, type_name: *const c_char as string)
    on Raise::Default =>
    {
        impls::type_set_name(to::datatype(datatype), StringIn::new(type_name))
    }
}

binding! {
    MPI_Win_get_name PMPI_Win_get_name(
        win: RawHandle as win, win_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_get_name(to::win(win), StringOut::from(OutSlice::new(win_name, 64)), Out::new(resultlen))
    }
}

binding! {
    MPI_Win_set_name PMPI_Win_set_name(win: RawHandle as win, win_name: *const c_char as string)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_set_name(to::win(win), StringIn::new(win_name))
    }
}
