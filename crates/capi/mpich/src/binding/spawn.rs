// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: spawn.

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
        port_name: *const c_char as string, info: c_int as info, root: c_int as rank, comm: c_int as comm,
        newcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_accept(
            StringIn::new(port_name), to::info(info), to::rank(root), to::comm(comm), Out::new(newcomm.pass()),
        )?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_connect PMPI_Comm_connect(
        port_name: *const c_char as string, info: c_int as info, root: c_int as rank, comm: c_int as comm,
        newcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_connect(
            StringIn::new(port_name), to::info(info), to::rank(root), to::comm(comm), Out::new(newcomm.pass()),
        )?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_get_parent PMPI_Comm_get_parent(parent: *mut c_int as out_comm)
    on Raise::Default =>
    {
        let mut parent = Place::out(Out::new(parent), Comm::NULL);
        impls::comm_get_parent(Out::new(parent.pass()))?;
        parent.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_join PMPI_Comm_join(fd: c_int as int, intercomm: *mut c_int as out_comm)
    on Raise::Default =>
    {
        let mut intercomm = Place::out(Out::new(intercomm), Comm::NULL);
        impls::comm_join(fd, Out::new(intercomm.pass()))?;
        intercomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_spawn PMPI_Comm_spawn(
        command: *const c_char as string, argv: *mut *mut c_char as address, maxprocs: c_int as int,
        info: c_int as info, root: c_int as rank, comm: c_int as comm, intercomm: *mut c_int as out_comm,
        array_of_errcodes: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut intercomm = Place::out(Out::new(intercomm), Comm::NULL);
        let outcome = impls::comm_spawn(
            StringIn::new(command), StringsIn::terminated(argv), maxprocs, to::info(info), to::rank(root),
            to::comm(comm), Out::new(intercomm.pass()), OutSlice::new(array_of_errcodes, i64::MAX),
        );
        from::codes_at(InOutSlice::new(array_of_errcodes, impls::codes_of_last_spawn()));
        outcome?;
        intercomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple(
        count: c_int as int, array_of_commands: *mut *mut c_char as address,
        array_of_argv: *mut *mut *mut c_char as address, array_of_maxprocs: *const c_int as address,
        array_of_info: *const c_int as address, root: c_int as rank, comm: c_int as comm,
        intercomm: *mut c_int as out_comm, array_of_errcodes: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let array_of_info = Array::<_, _>::read(InSlice::new(array_of_info, impls::count_at_root(to::comm(comm), to::rank(root), count)), to::info);
        let mut intercomm = Place::out(Out::new(intercomm), Comm::NULL);
        let outcome = impls::comm_spawn_multiple(
            count, StringsIn::new(array_of_commands, impls::count_at_root(to::comm(comm), to::rank(root), count)),
            StringListsIn::new(array_of_argv, count as i64),
            InSlice::new(array_of_maxprocs, impls::count_at_root(to::comm(comm), to::rank(root), count)),
            InSlice::new(array_of_info.pass(), impls::count_at_root(to::comm(comm), to::rank(root), count)),
            to::rank(root), to::comm(comm), Out::new(intercomm.pass()), OutSlice::new(array_of_errcodes, i64::MAX),
        );
        from::codes_at(InOutSlice::new(array_of_errcodes, impls::codes_of_last_spawn()));
        outcome?;
        intercomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Lookup_name PMPI_Lookup_name(
        service_name: *const c_char as string, info: c_int as info, port_name: *mut c_char as address,
    )
    on Raise::Default =>
    {
        impls::lookup_name(StringIn::new(service_name), to::info(info), StringOut::from(OutSlice::new(port_name, 256)))
    }
}

binding! {
    MPI_Open_port PMPI_Open_port(info: c_int as info, port_name: *mut c_char as address)
    on Raise::Default =>
    {
        impls::open_port(to::info(info), StringOut::from(OutSlice::new(port_name, 256)))
    }
}

binding! {
    MPI_Publish_name PMPI_Publish_name(
        service_name: *const c_char as string, info: c_int as info, port_name: *const c_char as string,
    )
    on Raise::Default =>
    {
        impls::publish_name(StringIn::new(service_name), to::info(info), StringIn::new(port_name))
    }
}

binding! {
    MPI_Unpublish_name PMPI_Unpublish_name(
        service_name: *const c_char as string, info: c_int as info, port_name: *const c_char as string,
    )
    on Raise::Default =>
    {
        impls::unpublish_name(StringIn::new(service_name), to::info(info), StringIn::new(port_name))
    }
}
