// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: comm.

use crate::prelude::*;

binding! {
    MPI_Comm_compare PMPI_Comm_compare(comm1: Comm as comm, comm2: Comm as comm, result: *mut c_int as address)
    on Raise::Comm(comm1) =>
    {
        impls::comm_compare(comm1, comm2, Out::new(result))
    }
}

binding! {
    MPI_Comm_create PMPI_Comm_create(comm: Comm as comm, group: Group as group, newcomm: *mut Comm as out_comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_create(comm, group, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_create_from_group PMPI_Comm_create_from_group(
        group: Group as group, stringtag: *const c_char as string, info: Info as info,
        errhandler: Errhandler as errhandler, newcomm: *mut Comm as out_comm,
    )
    on Raise::Errhandler(errhandler) =>
    {
        impls::comm_create_from_group(group, StringIn::new(stringtag), info, errhandler, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_create_group PMPI_Comm_create_group(
        comm: Comm as comm, group: Group as group, tag: c_int as tag, newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_create_group(comm, group, tag, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_disconnect PMPI_Comm_disconnect(comm: *mut Comm as address)
    on Raise::Comm(at(In::new(comm))) =>
    {
        impls::comm_disconnect(InOut::new(comm))
    }
}

binding! {
    MPI_Comm_dup PMPI_Comm_dup(comm: Comm as comm, newcomm: *mut Comm as out_comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_dup(comm, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_dup_with_info PMPI_Comm_dup_with_info(
        comm: Comm as comm, info: Info as info, newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_dup_with_info(comm, info, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_free PMPI_Comm_free(comm: *mut Comm as address)
    on Raise::Comm(at(In::new(comm))) =>
    {
        impls::comm_free(InOut::new(comm))
    }
}

binding! {
    MPI_Comm_get_info PMPI_Comm_get_info(comm: Comm as comm, info_used: *mut Info as out_info)
    on Raise::Comm(comm) =>
    {
        impls::comm_get_info(comm, Out::new(info_used))
    }
}

binding! {
    MPI_Comm_get_name PMPI_Comm_get_name(
        comm: Comm as comm, comm_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_get_name(comm, StringOut::from(OutSlice::new(comm_name, 128)), Out::new(resultlen))
    }
}

binding! {
    MPI_Comm_group PMPI_Comm_group(comm: Comm as comm, group: *mut Group as out_group)
    on Raise::Comm(comm) =>
    {
        impls::comm_group(comm, Out::new(group))
    }
}

binding! {
    MPI_Comm_idup PMPI_Comm_idup(
        comm: Comm as comm, newcomm: *mut Comm as out_comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_idup(comm, Out::new(newcomm), Out::new(request))
    }
}

binding! {
    MPI_Comm_idup_with_info PMPI_Comm_idup_with_info(
        comm: Comm as comm, info: Info as info, newcomm: *mut Comm as out_comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_idup_with_info(comm, info, Out::new(newcomm), Out::new(request))
    }
}

binding! {
    MPI_Comm_rank PMPI_Comm_rank(comm: Comm as comm, rank: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_rank(comm, Out::new(rank))
    }
}

binding! {
    MPI_Comm_remote_group PMPI_Comm_remote_group(comm: Comm as comm, group: *mut Group as out_group)
    on Raise::Comm(comm) =>
    {
        impls::comm_remote_group(comm, Out::new(group))
    }
}

binding! {
    MPI_Comm_remote_size PMPI_Comm_remote_size(comm: Comm as comm, size: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_remote_size(comm, Out::new(size))
    }
}

binding! {
    MPI_Comm_set_info PMPI_Comm_set_info(comm: Comm as comm, info: Info as info)
    on Raise::Comm(comm) =>
    {
        impls::comm_set_info(comm, info)
    }
}

binding! {
    MPI_Comm_set_name PMPI_Comm_set_name(comm: Comm as comm, comm_name: *const c_char as string)
    on Raise::Comm(comm) =>
    {
        impls::comm_set_name(comm, StringIn::new(comm_name))
    }
}

binding! {
    MPI_Comm_size PMPI_Comm_size(comm: Comm as comm, size: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_size(comm, Out::new(size))
    }
}

binding! {
    MPI_Comm_split PMPI_Comm_split(
        comm: Comm as comm, color: c_int as int, key: c_int as int, newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_split(comm, color, key, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_split_type PMPI_Comm_split_type(
        comm: Comm as comm, split_type: c_int as int, key: c_int as int, info: Info as info,
        newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_split_type(comm, split_type, key, info, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_test_inter PMPI_Comm_test_inter(comm: Comm as comm, flag: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_test_inter(comm, Out::new(flag))
    }
}

binding! {
    MPI_Intercomm_create PMPI_Intercomm_create(
        local_comm: Comm as comm, local_leader: c_int as rank, peer_comm: Comm as comm, remote_leader: c_int as rank,
        tag: c_int as tag, newintercomm: *mut Comm as out_comm,
    )
    on Raise::Comm(local_comm) =>
    {
        impls::intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, Out::new(newintercomm))
    }
}

binding! {
    MPI_Intercomm_create_from_groups PMPI_Intercomm_create_from_groups(
        local_group: Group as group, local_leader: c_int as rank, remote_group: Group as group,
        remote_leader: c_int as rank, stringtag: *const c_char as string, info: Info as info,
        errhandler: Errhandler as errhandler, newintercomm: *mut Comm as out_comm,
    )
    on Raise::Errhandler(errhandler) =>
    {
        impls::intercomm_create_from_groups(
            local_group, local_leader, remote_group, remote_leader, StringIn::new(stringtag), info, errhandler,
            Out::new(newintercomm),
        )
    }
}

binding! {
    MPI_Intercomm_merge PMPI_Intercomm_merge(
        intercomm: Comm as comm, high: c_int as int, newintracomm: *mut Comm as out_comm,
    )
    on Raise::Comm(intercomm) =>
    {
        impls::intercomm_merge(intercomm, high, Out::new(newintracomm))
    }
}

binding! {
    MPI_Type_get_name PMPI_Type_get_name(
        datatype: Datatype as datatype, type_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::type_get_name(datatype, StringOut::from(OutSlice::new(type_name, 128)), Out::new(resultlen))
    }
}

binding! {
    MPI_Type_set_name PMPI_Type_set_name(datatype: Datatype as datatype, type_name: *const c_char as string)
    on Raise::Default =>
    {
        impls::type_set_name(datatype, StringIn::new(type_name))
    }
}

binding! {
    MPI_Win_get_name PMPI_Win_get_name(
        win: Win as win, win_name: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Win(win) =>
    {
        impls::win_get_name(win, StringOut::from(OutSlice::new(win_name, 128)), Out::new(resultlen))
    }
}

binding! {
    MPI_Win_set_name PMPI_Win_set_name(win: Win as win, win_name: *const c_char as string)
    on Raise::Win(win) =>
    {
        impls::win_set_name(win, StringIn::new(win_name))
    }
}
