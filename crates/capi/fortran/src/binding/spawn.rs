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
exports!(close_port: mpi_close_port_f08_ pmpir_close_port_f08_);

procedure! {
    comm_accept(port_name: *mut c_char, info: *mut Fint, root: *mut c_int, comm: *mut Fint,
        newcomm: *mut Fint, ierror: *mut Fint, port_name_length: usize);
    let port_name_c = text(port_name, port_name_length);
    let mut newcomm_c = handle(newcomm);
    let code = c::PMPI_Comm_accept(port_name_c.place(), handle(info), *root, handle(comm),
        &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_accept: mpi_comm_accept_ mpi_comm_accept__ mpi_comm_accept MPI_COMM_ACCEPT pmpi_comm_accept_ pmpi_comm_accept__ pmpi_comm_accept PMPI_COMM_ACCEPT);
exports!(comm_accept: mpi_comm_accept_f08_ pmpir_comm_accept_f08_);

procedure! {
    comm_connect(port_name: *mut c_char, info: *mut Fint, root: *mut c_int, comm: *mut Fint,
        newcomm: *mut Fint, ierror: *mut Fint, port_name_length: usize);
    let port_name_c = text(port_name, port_name_length);
    let mut newcomm_c = handle(newcomm);
    let code = c::PMPI_Comm_connect(port_name_c.place(), handle(info), *root, handle(comm),
        &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_connect: mpi_comm_connect_ mpi_comm_connect__ mpi_comm_connect MPI_COMM_CONNECT pmpi_comm_connect_ pmpi_comm_connect__ pmpi_comm_connect PMPI_COMM_CONNECT);
exports!(comm_connect: mpi_comm_connect_f08_ pmpir_comm_connect_f08_);

procedure! {
    comm_get_parent(parent: *mut Fint, ierror: *mut Fint);
    let mut parent_c = handle(parent);
    let code = c::PMPI_Comm_get_parent(&mut parent_c);
    give(parent, parent_c);
    finish(ierror, code);
}
exports!(comm_get_parent: mpi_comm_get_parent_ mpi_comm_get_parent__ mpi_comm_get_parent MPI_COMM_GET_PARENT pmpi_comm_get_parent_ pmpi_comm_get_parent__ pmpi_comm_get_parent PMPI_COMM_GET_PARENT);
exports!(comm_get_parent: mpi_comm_get_parent_f08_ pmpir_comm_get_parent_f08_);

procedure! {
    comm_join(fd: *mut c_int, intercomm: *mut Fint, ierror: *mut Fint);
    let mut intercomm_c = handle(intercomm);
    let code = c::PMPI_Comm_join(*fd, &mut intercomm_c);
    give(intercomm, intercomm_c);
    finish(ierror, code);
}
exports!(comm_join: mpi_comm_join_ mpi_comm_join__ mpi_comm_join MPI_COMM_JOIN pmpi_comm_join_ pmpi_comm_join__ pmpi_comm_join PMPI_COMM_JOIN);
exports!(comm_join: mpi_comm_join_f08_ pmpir_comm_join_f08_);

exports!(spawn::comm_spawn: mpi_comm_spawn_ mpi_comm_spawn__ mpi_comm_spawn MPI_COMM_SPAWN pmpi_comm_spawn_ pmpi_comm_spawn__ pmpi_comm_spawn PMPI_COMM_SPAWN);
exports!(spawn::comm_spawn: mpi_comm_spawn_f08_ pmpir_comm_spawn_f08_);

exports!(spawn::comm_spawn_multiple: mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple__ mpi_comm_spawn_multiple MPI_COMM_SPAWN_MULTIPLE pmpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple__ pmpi_comm_spawn_multiple PMPI_COMM_SPAWN_MULTIPLE);
exports!(spawn::comm_spawn_multiple: mpi_comm_spawn_multiple_f08_ pmpir_comm_spawn_multiple_f08_);

procedure! {
    lookup_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let mut port_name_c = TextOut::new(port_name, port_name_length);
    let code = c::PMPI_Lookup_name(service_name_c.place(), handle(info), port_name_c.place());
    if code == 0 { port_name_c.give(); }
    finish(ierror, code);
}
exports!(lookup_name: mpi_lookup_name_ mpi_lookup_name__ mpi_lookup_name MPI_LOOKUP_NAME pmpi_lookup_name_ pmpi_lookup_name__ pmpi_lookup_name PMPI_LOOKUP_NAME);
exports!(lookup_name: mpi_lookup_name_f08_ pmpir_lookup_name_f08_);

procedure! {
    open_port(info: *mut Fint, port_name: *mut c_char, ierror: *mut Fint, port_name_length: usize);
    let mut port_name_c = TextOut::new(port_name, port_name_length);
    let code = c::PMPI_Open_port(handle(info), port_name_c.place());
    if code == 0 { port_name_c.give(); }
    finish(ierror, code);
}
exports!(open_port: mpi_open_port_ mpi_open_port__ mpi_open_port MPI_OPEN_PORT pmpi_open_port_ pmpi_open_port__ pmpi_open_port PMPI_OPEN_PORT);
exports!(open_port: mpi_open_port_f08_ pmpir_open_port_f08_);

procedure! {
    publish_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let port_name_c = text(port_name, port_name_length);
    let code = c::PMPI_Publish_name(service_name_c.place(), handle(info), port_name_c.place());
    finish(ierror, code);
}
exports!(publish_name: mpi_publish_name_ mpi_publish_name__ mpi_publish_name MPI_PUBLISH_NAME pmpi_publish_name_ pmpi_publish_name__ pmpi_publish_name PMPI_PUBLISH_NAME);
exports!(publish_name: mpi_publish_name_f08_ pmpir_publish_name_f08_);

procedure! {
    unpublish_name(service_name: *mut c_char, info: *mut Fint, port_name: *mut c_char,
        ierror: *mut Fint, service_name_length: usize, port_name_length: usize);
    let service_name_c = text(service_name, service_name_length);
    let port_name_c = text(port_name, port_name_length);
    let code = c::PMPI_Unpublish_name(service_name_c.place(), handle(info), port_name_c.place());
    finish(ierror, code);
}
exports!(unpublish_name: mpi_unpublish_name_ mpi_unpublish_name__ mpi_unpublish_name MPI_UNPUBLISH_NAME pmpi_unpublish_name_ pmpi_unpublish_name__ pmpi_unpublish_name PMPI_UNPUBLISH_NAME);
exports!(unpublish_name: mpi_unpublish_name_f08_ pmpir_unpublish_name_f08_);
