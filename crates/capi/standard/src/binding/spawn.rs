// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: spawn.

use crate::prelude::*;

binding! {
    MPI_Close_port PMPI_Close_port(port_name: *const c_char as string)
    on Raise::Default =>
    {
        impls::close_port(StringIn::new(port_name))
    }
}

binding! {
    MPI_Comm_accept PMPI_Comm_accept(
        port_name: *const c_char as string, info: Info as info, root: c_int as rank, comm: Comm as comm,
        newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_accept(StringIn::new(port_name), info, root, comm, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_connect PMPI_Comm_connect(
        port_name: *const c_char as string, info: Info as info, root: c_int as rank, comm: Comm as comm,
        newcomm: *mut Comm as out_comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_connect(StringIn::new(port_name), info, root, comm, Out::new(newcomm))
    }
}

binding! {
    MPI_Comm_get_parent PMPI_Comm_get_parent(parent: *mut Comm as out_comm)
    on Raise::Default =>
    {
        impls::comm_get_parent(Out::new(parent))
    }
}

binding! {
    MPI_Comm_join PMPI_Comm_join(fd: c_int as int, intercomm: *mut Comm as out_comm)
    on Raise::Default =>
    {
        impls::comm_join(fd, Out::new(intercomm))
    }
}

binding! {
    MPI_Comm_spawn PMPI_Comm_spawn(
        command: *const c_char as string, argv: *mut *mut c_char as address, maxprocs: c_int as int,
        info: Info as info, root: c_int as rank, comm: Comm as comm, intercomm: *mut Comm as out_comm,
        array_of_errcodes: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_spawn(
            StringIn::new(command), StringsIn::terminated(argv), maxprocs, info, root, comm, Out::new(intercomm),
            OutSlice::new(array_of_errcodes, i64::MAX),
        )
    }
}

binding! {
    MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple(
        count: c_int as int, array_of_commands: *mut *mut c_char as address,
        array_of_argv: *mut *mut *mut c_char as address, array_of_maxprocs: *const c_int as address,
        array_of_info: *const Info as address, root: c_int as rank, comm: Comm as comm,
        intercomm: *mut Comm as out_comm, array_of_errcodes: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_spawn_multiple(
            count, StringsIn::new(array_of_commands, count as i64), StringListsIn::new(array_of_argv, count as i64),
            InSlice::new(array_of_maxprocs, count as i64), InSlice::new(array_of_info, count as i64), root, comm,
            Out::new(intercomm), OutSlice::new(array_of_errcodes, i64::MAX),
        )
    }
}

binding! {
    MPI_Lookup_name PMPI_Lookup_name(
        service_name: *const c_char as string, info: Info as info, port_name: *mut c_char as address,
    )
    on Raise::Default =>
    {
        impls::lookup_name(StringIn::new(service_name), info, StringOut::from(OutSlice::new(port_name, 1024)))
    }
}

binding! {
    MPI_Open_port PMPI_Open_port(info: Info as info, port_name: *mut c_char as address)
    on Raise::Default =>
    {
        impls::open_port(info, StringOut::from(OutSlice::new(port_name, 1024)))
    }
}

binding! {
    MPI_Publish_name PMPI_Publish_name(
        service_name: *const c_char as string, info: Info as info, port_name: *const c_char as string,
    )
    on Raise::Default =>
    {
        impls::publish_name(StringIn::new(service_name), info, StringIn::new(port_name))
    }
}

binding! {
    MPI_Unpublish_name PMPI_Unpublish_name(
        service_name: *const c_char as string, info: Info as info, port_name: *const c_char as string,
    )
    on Raise::Default =>
    {
        impls::unpublish_name(StringIn::new(service_name), info, StringIn::new(port_name))
    }
}
