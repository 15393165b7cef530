// generated from api/ by cargo xtask generate; do not edit
//! The procedures: spawn.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    close_port(port_name: *mut c_char, ierror: *mut Fint, port_name_length: usize);
    let port_name_c = text(port_name, port_name_length);
    let code = c::PMPI_Close_port(port_name_c.place());
    finish(ierror, code);
}
exports!(close_port: mpi_close_port_ mpi_close_port__ mpi_close_port MPI_CLOSE_PORT pmpi_close_port_ pmpi_close_port__ pmpi_close_port PMPI_CLOSE_PORT);
exports_f08!(close_port: mpi_close_port_f08_ pmpir_close_port_f08_; close_port: mpi_close_port_f08_ pmpi_close_port_f08_);

procedure! {
    comm_accept(port_name: *mut c_char, info: *mut Fint, root: *mut c_int, comm: *mut Fint,
        newcomm: *mut Fint, ierror: *mut Fint, port_name_length: usize);
    let port_name_c = text(port_name, port_name_length);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_accept(port_name_c.place(), handle::<INFO>(info), *root,
        handle::<COMM>(comm), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_accept: mpi_comm_accept_ mpi_comm_accept__ mpi_comm_accept MPI_COMM_ACCEPT pmpi_comm_accept_ pmpi_comm_accept__ pmpi_comm_accept PMPI_COMM_ACCEPT);
exports_f08!(comm_accept: mpi_comm_accept_f08_ pmpir_comm_accept_f08_; comm_accept: mpi_comm_accept_f08_ pmpi_comm_accept_f08_);

procedure! {
    comm_connect(port_name: *mut c_char, info: *mut Fint, root: *mut c_int, comm: *mut Fint,
        newcomm: *mut Fint, ierror: *mut Fint, port_name_length: usize);
    let port_name_c = text(port_name, port_name_length);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_connect(port_name_c.place(), handle::<INFO>(info), *root,
        handle::<COMM>(comm), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_connect: mpi_comm_connect_ mpi_comm_connect__ mpi_comm_connect MPI_COMM_CONNECT pmpi_comm_connect_ pmpi_comm_connect__ pmpi_comm_connect PMPI_COMM_CONNECT);
exports_f08!(comm_connect: mpi_comm_connect_f08_ pmpir_comm_connect_f08_; comm_connect: mpi_comm_connect_f08_ pmpi_comm_connect_f08_);

procedure! {
    comm_get_parent(parent: *mut Fint, ierror: *mut Fint);
    let mut parent_c = handle::<COMM>(parent);
    let code = c::PMPI_Comm_get_parent(&mut parent_c);
    give(parent, parent_c);
    finish(ierror, code);
}
exports!(comm_get_parent: mpi_comm_get_parent_ mpi_comm_get_parent__ mpi_comm_get_parent MPI_COMM_GET_PARENT pmpi_comm_get_parent_ pmpi_comm_get_parent__ pmpi_comm_get_parent PMPI_COMM_GET_PARENT);
exports_f08!(comm_get_parent: mpi_comm_get_parent_f08_ pmpir_comm_get_parent_f08_; comm_get_parent: mpi_comm_get_parent_f08_ pmpi_comm_get_parent_f08_);

procedure! {
    comm_join(fd: *mut c_int, intercomm: *mut Fint, ierror: *mut Fint);
    let mut intercomm_c = handle::<COMM>(intercomm);
    let code = c::PMPI_Comm_join(*fd, &mut intercomm_c);
    give(intercomm, intercomm_c);
    finish(ierror, code);
}
exports!(comm_join: mpi_comm_join_ mpi_comm_join__ mpi_comm_join MPI_COMM_JOIN pmpi_comm_join_ pmpi_comm_join__ pmpi_comm_join PMPI_COMM_JOIN);
exports_f08!(comm_join: mpi_comm_join_f08_ pmpir_comm_join_f08_; comm_join: mpi_comm_join_f08_ pmpi_comm_join_f08_);

exports!(spawn::comm_spawn: mpi_comm_spawn_ mpi_comm_spawn__ mpi_comm_spawn MPI_COMM_SPAWN pmpi_comm_spawn_ pmpi_comm_spawn__ pmpi_comm_spawn PMPI_COMM_SPAWN);
exports_f08!(spawn::comm_spawn: mpi_comm_spawn_f08_ pmpir_comm_spawn_f08_; spawn::comm_spawn: mpi_comm_spawn_f08_ pmpi_comm_spawn_f08_);

exports!(spawn::comm_spawn_multiple: mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple__ mpi_comm_spawn_multiple MPI_COMM_SPAWN_MULTIPLE pmpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple__ pmpi_comm_spawn_multiple PMPI_COMM_SPAWN_MULTIPLE);
exports_f08!(spawn::comm_spawn_multiple: mpi_comm_spawn_multiple_f08_ pmpir_comm_spawn_multiple_f08_; spawn::comm_spawn_multiple: mpi_comm_spawn_multiple_f08_ pmpi_comm_spawn_multiple_f08_);

procedure! {
    lookup_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let mut port_name_c = TextOut::new(port_name, port_name_length);
    let code = c::PMPI_Lookup_name(service_name_c.place(), handle::<INFO>(info),
        port_name_c.place());
    if code == 0 { port_name_c.give(); }
    finish(ierror, code);
}
exports!(lookup_name: mpi_lookup_name_ mpi_lookup_name__ mpi_lookup_name MPI_LOOKUP_NAME pmpi_lookup_name_ pmpi_lookup_name__ pmpi_lookup_name PMPI_LOOKUP_NAME);
exports_f08!(lookup_name: mpi_lookup_name_f08_ pmpir_lookup_name_f08_; lookup_name: mpi_lookup_name_f08_ pmpi_lookup_name_f08_);

procedure! {
    open_port(info: *mut Fint, port_name: *mut c_char, ierror: *mut Fint, port_name_length: usize);
    let mut port_name_c = TextOut::new(port_name, port_name_length);
    let code = c::PMPI_Open_port(handle::<INFO>(info), port_name_c.place());
    if code == 0 { port_name_c.give(); }
    finish(ierror, code);
}
exports!(open_port: mpi_open_port_ mpi_open_port__ mpi_open_port MPI_OPEN_PORT pmpi_open_port_ pmpi_open_port__ pmpi_open_port PMPI_OPEN_PORT);
exports_f08!(open_port: mpi_open_port_f08_ pmpir_open_port_f08_; open_port: mpi_open_port_f08_ pmpi_open_port_f08_);

procedure! {
    publish_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let port_name_c = text(port_name, port_name_length);
    let code = c::PMPI_Publish_name(service_name_c.place(), handle::<INFO>(info),
        port_name_c.place());
    finish(ierror, code);
}
exports!(publish_name: mpi_publish_name_ mpi_publish_name__ mpi_publish_name MPI_PUBLISH_NAME pmpi_publish_name_ pmpi_publish_name__ pmpi_publish_name PMPI_PUBLISH_NAME);
exports_f08!(publish_name: mpi_publish_name_f08_ pmpir_publish_name_f08_; publish_name: mpi_publish_name_f08_ pmpi_publish_name_f08_);

procedure! {
    unpublish_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let port_name_c = text(port_name, port_name_length);
    let code = c::PMPI_Unpublish_name(service_name_c.place(), handle::<INFO>(info),
        port_name_c.place());
    finish(ierror, code);
}
exports!(unpublish_name: mpi_unpublish_name_ mpi_unpublish_name__ mpi_unpublish_name MPI_UNPUBLISH_NAME pmpi_unpublish_name_ pmpi_unpublish_name__ pmpi_unpublish_name PMPI_UNPUBLISH_NAME);
exports_f08!(unpublish_name: mpi_unpublish_name_f08_ pmpir_unpublish_name_f08_; unpublish_name: mpi_unpublish_name_f08_ pmpi_unpublish_name_f08_);
