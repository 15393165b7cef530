// generated from api/ by cargo xtask generate; do not edit
//! The procedures: comm.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    comm_compare(comm1: *mut Fint, comm2: *mut Fint, result: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_compare(handle::<COMM>(comm1), handle::<COMM>(comm2), result);
    finish(ierror, code);
}
exports!(comm_compare: mpi_comm_compare_ mpi_comm_compare__ mpi_comm_compare MPI_COMM_COMPARE pmpi_comm_compare_ pmpi_comm_compare__ pmpi_comm_compare PMPI_COMM_COMPARE);
exports_f08!(comm_compare: mpi_comm_compare_f08_ pmpir_comm_compare_f08_; comm_compare: mpi_comm_compare_f08_ pmpi_comm_compare_f08_);

procedure! {
    comm_create(comm: *mut Fint, group: *mut Fint, newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_create(handle::<COMM>(comm), handle::<GROUP>(group), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_create: mpi_comm_create_ mpi_comm_create__ mpi_comm_create MPI_COMM_CREATE pmpi_comm_create_ pmpi_comm_create__ pmpi_comm_create PMPI_COMM_CREATE);
exports_f08!(comm_create: mpi_comm_create_f08_ pmpir_comm_create_f08_; comm_create: mpi_comm_create_f08_ pmpi_comm_create_f08_);

procedure! {
    comm_create_from_group(group: *mut Fint, stringtag: *mut c_char, info: *mut Fint,
        errhandler: *mut Fint, newcomm: *mut Fint, ierror: *mut Fint, stringtag_length: usize);
    let stringtag_c = text(stringtag, stringtag_length);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_create_from_group(handle::<GROUP>(group), stringtag_c.place(),
        handle::<INFO>(info), handle::<ERRHANDLER>(errhandler), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_create_from_group: mpi_comm_create_from_group_ mpi_comm_create_from_group__ mpi_comm_create_from_group MPI_COMM_CREATE_FROM_GROUP pmpi_comm_create_from_group_ pmpi_comm_create_from_group__ pmpi_comm_create_from_group PMPI_COMM_CREATE_FROM_GROUP);
exports_f08!(comm_create_from_group: mpi_comm_create_from_group_f08_ pmpir_comm_create_from_group_f08_; comm_create_from_group: mpi_comm_create_from_group_f08_ pmpi_comm_create_from_group_f08_);

procedure! {
    comm_create_group(comm: *mut Fint, group: *mut Fint, tag: *mut c_int, newcomm: *mut Fint,
        ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_create_group(handle::<COMM>(comm), handle::<GROUP>(group), *tag,
        &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_create_group: mpi_comm_create_group_ mpi_comm_create_group__ mpi_comm_create_group MPI_COMM_CREATE_GROUP pmpi_comm_create_group_ pmpi_comm_create_group__ pmpi_comm_create_group PMPI_COMM_CREATE_GROUP);
exports_f08!(comm_create_group: mpi_comm_create_group_f08_ pmpir_comm_create_group_f08_; comm_create_group: mpi_comm_create_group_f08_ pmpi_comm_create_group_f08_);

procedure! {
    comm_disconnect(comm: *mut Fint, ierror: *mut Fint);
    let mut comm_c = handle::<COMM>(comm);
    let code = c::PMPI_Comm_disconnect(&mut comm_c);
    give(comm, comm_c);
    finish(ierror, code);
}
exports!(comm_disconnect: mpi_comm_disconnect_ mpi_comm_disconnect__ mpi_comm_disconnect MPI_COMM_DISCONNECT pmpi_comm_disconnect_ pmpi_comm_disconnect__ pmpi_comm_disconnect PMPI_COMM_DISCONNECT);
exports_f08!(comm_disconnect: mpi_comm_disconnect_f08_ pmpir_comm_disconnect_f08_; comm_disconnect: mpi_comm_disconnect_f08_ pmpi_comm_disconnect_f08_);

procedure! {
    comm_dup(comm: *mut Fint, newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_dup(handle::<COMM>(comm), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_dup: mpi_comm_dup_ mpi_comm_dup__ mpi_comm_dup MPI_COMM_DUP pmpi_comm_dup_ pmpi_comm_dup__ pmpi_comm_dup PMPI_COMM_DUP);
exports_f08!(comm_dup: mpi_comm_dup_f08_ pmpir_comm_dup_f08_; comm_dup: mpi_comm_dup_f08_ pmpi_comm_dup_f08_);

procedure! {
    comm_dup_with_info(comm: *mut Fint, info: *mut Fint, newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_dup_with_info(handle::<COMM>(comm), handle::<INFO>(info),
        &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_dup_with_info: mpi_comm_dup_with_info_ mpi_comm_dup_with_info__ mpi_comm_dup_with_info MPI_COMM_DUP_WITH_INFO pmpi_comm_dup_with_info_ pmpi_comm_dup_with_info__ pmpi_comm_dup_with_info PMPI_COMM_DUP_WITH_INFO);
exports_f08!(comm_dup_with_info: mpi_comm_dup_with_info_f08_ pmpir_comm_dup_with_info_f08_; comm_dup_with_info: mpi_comm_dup_with_info_f08_ pmpi_comm_dup_with_info_f08_);

procedure! {
    comm_free(comm: *mut Fint, ierror: *mut Fint);
    let mut comm_c = handle::<COMM>(comm);
    let code = c::PMPI_Comm_free(&mut comm_c);
    give(comm, comm_c);
    finish(ierror, code);
}
exports!(comm_free: mpi_comm_free_ mpi_comm_free__ mpi_comm_free MPI_COMM_FREE pmpi_comm_free_ pmpi_comm_free__ pmpi_comm_free PMPI_COMM_FREE);
exports_f08!(comm_free: mpi_comm_free_f08_ pmpir_comm_free_f08_; comm_free: mpi_comm_free_f08_ pmpi_comm_free_f08_);

procedure! {
    comm_get_info(comm: *mut Fint, info_used: *mut Fint, ierror: *mut Fint);
    let mut info_used_c = handle::<INFO>(info_used);
    let code = c::PMPI_Comm_get_info(handle::<COMM>(comm), &mut info_used_c);
    give(info_used, info_used_c);
    finish(ierror, code);
}
exports!(comm_get_info: mpi_comm_get_info_ mpi_comm_get_info__ mpi_comm_get_info MPI_COMM_GET_INFO pmpi_comm_get_info_ pmpi_comm_get_info__ pmpi_comm_get_info PMPI_COMM_GET_INFO);
exports_f08!(comm_get_info: mpi_comm_get_info_f08_ pmpir_comm_get_info_f08_; comm_get_info: mpi_comm_get_info_f08_ pmpi_comm_get_info_f08_);

procedure! {
    comm_get_name(comm: *mut Fint, comm_name: *mut c_char, resultlen: *mut c_int, ierror: *mut Fint,
        comm_name_length: usize);
    let mut comm_name_c = TextOut::new(comm_name, comm_name_length);
    let code = c::PMPI_Comm_get_name(handle::<COMM>(comm), comm_name_c.place(), resultlen);
    if code == 0 { comm_name_c.give(); }
    finish(ierror, code);
}
exports!(comm_get_name: mpi_comm_get_name_ mpi_comm_get_name__ mpi_comm_get_name MPI_COMM_GET_NAME pmpi_comm_get_name_ pmpi_comm_get_name__ pmpi_comm_get_name PMPI_COMM_GET_NAME);
exports_f08!(comm_get_name: mpi_comm_get_name_f08_ pmpir_comm_get_name_f08_; comm_get_name: mpi_comm_get_name_f08_ pmpi_comm_get_name_f08_);

procedure! {
    comm_group(comm: *mut Fint, group: *mut Fint, ierror: *mut Fint);
    let mut group_c = handle::<GROUP>(group);
    let code = c::PMPI_Comm_group(handle::<COMM>(comm), &mut group_c);
    give(group, group_c);
    finish(ierror, code);
}
exports!(comm_group: mpi_comm_group_ mpi_comm_group__ mpi_comm_group MPI_COMM_GROUP pmpi_comm_group_ pmpi_comm_group__ pmpi_comm_group PMPI_COMM_GROUP);
exports_f08!(comm_group: mpi_comm_group_f08_ pmpir_comm_group_f08_; comm_group: mpi_comm_group_f08_ pmpi_comm_group_f08_);

procedure! {
    comm_idup(comm: *mut Fint, newcomm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Comm_idup(handle::<COMM>(comm), &mut newcomm_c, &mut request_c);
    give(newcomm, newcomm_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(comm_idup: mpi_comm_idup_ mpi_comm_idup__ mpi_comm_idup MPI_COMM_IDUP pmpi_comm_idup_ pmpi_comm_idup__ pmpi_comm_idup PMPI_COMM_IDUP);
exports_f08!(comm_idup: mpi_comm_idup_f08_ pmpir_comm_idup_f08_; comm_idup: mpi_comm_idup_f08_ pmpi_comm_idup_f08_);

procedure! {
    comm_idup_with_info(comm: *mut Fint, info: *mut Fint, newcomm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Comm_idup_with_info(handle::<COMM>(comm), handle::<INFO>(info),
        &mut newcomm_c, &mut request_c);
    give(newcomm, newcomm_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(comm_idup_with_info: mpi_comm_idup_with_info_ mpi_comm_idup_with_info__ mpi_comm_idup_with_info MPI_COMM_IDUP_WITH_INFO pmpi_comm_idup_with_info_ pmpi_comm_idup_with_info__ pmpi_comm_idup_with_info PMPI_COMM_IDUP_WITH_INFO);
exports_f08!(comm_idup_with_info: mpi_comm_idup_with_info_f08_ pmpir_comm_idup_with_info_f08_; comm_idup_with_info: mpi_comm_idup_with_info_f08_ pmpi_comm_idup_with_info_f08_);

procedure! {
    comm_rank(comm: *mut Fint, rank: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_rank(handle::<COMM>(comm), rank);
    finish(ierror, code);
}
exports!(comm_rank: mpi_comm_rank_ mpi_comm_rank__ mpi_comm_rank MPI_COMM_RANK pmpi_comm_rank_ pmpi_comm_rank__ pmpi_comm_rank PMPI_COMM_RANK);
exports_f08!(comm_rank: mpi_comm_rank_f08_ pmpir_comm_rank_f08_; comm_rank: mpi_comm_rank_f08_ pmpi_comm_rank_f08_);

procedure! {
    comm_remote_group(comm: *mut Fint, group: *mut Fint, ierror: *mut Fint);
    let mut group_c = handle::<GROUP>(group);
    let code = c::PMPI_Comm_remote_group(handle::<COMM>(comm), &mut group_c);
    give(group, group_c);
    finish(ierror, code);
}
exports!(comm_remote_group: mpi_comm_remote_group_ mpi_comm_remote_group__ mpi_comm_remote_group MPI_COMM_REMOTE_GROUP pmpi_comm_remote_group_ pmpi_comm_remote_group__ pmpi_comm_remote_group PMPI_COMM_REMOTE_GROUP);
exports_f08!(comm_remote_group: mpi_comm_remote_group_f08_ pmpir_comm_remote_group_f08_; comm_remote_group: mpi_comm_remote_group_f08_ pmpi_comm_remote_group_f08_);

procedure! {
    comm_remote_size(comm: *mut Fint, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_remote_size(handle::<COMM>(comm), size);
    finish(ierror, code);
}
exports!(comm_remote_size: mpi_comm_remote_size_ mpi_comm_remote_size__ mpi_comm_remote_size MPI_COMM_REMOTE_SIZE pmpi_comm_remote_size_ pmpi_comm_remote_size__ pmpi_comm_remote_size PMPI_COMM_REMOTE_SIZE);
exports_f08!(comm_remote_size: mpi_comm_remote_size_f08_ pmpir_comm_remote_size_f08_; comm_remote_size: mpi_comm_remote_size_f08_ pmpi_comm_remote_size_f08_);

procedure! {
    comm_set_info(comm: *mut Fint, info: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Comm_set_info(handle::<COMM>(comm), handle::<INFO>(info));
    finish(ierror, code);
}
exports!(comm_set_info: mpi_comm_set_info_ mpi_comm_set_info__ mpi_comm_set_info MPI_COMM_SET_INFO pmpi_comm_set_info_ pmpi_comm_set_info__ pmpi_comm_set_info PMPI_COMM_SET_INFO);
exports_f08!(comm_set_info: mpi_comm_set_info_f08_ pmpir_comm_set_info_f08_; comm_set_info: mpi_comm_set_info_f08_ pmpi_comm_set_info_f08_);

procedure! {
    comm_set_name(comm: *mut Fint, comm_name: *mut c_char, ierror: *mut Fint,
        comm_name_length: usize);
    let comm_name_c = text(comm_name, comm_name_length);
    let code = c::PMPI_Comm_set_name(handle::<COMM>(comm), comm_name_c.place());
    finish(ierror, code);
}
exports!(comm_set_name: mpi_comm_set_name_ mpi_comm_set_name__ mpi_comm_set_name MPI_COMM_SET_NAME pmpi_comm_set_name_ pmpi_comm_set_name__ pmpi_comm_set_name PMPI_COMM_SET_NAME);
exports_f08!(comm_set_name: mpi_comm_set_name_f08_ pmpir_comm_set_name_f08_; comm_set_name: mpi_comm_set_name_f08_ pmpi_comm_set_name_f08_);

procedure! {
    comm_size(comm: *mut Fint, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_size(handle::<COMM>(comm), size);
    finish(ierror, code);
}
exports!(comm_size: mpi_comm_size_ mpi_comm_size__ mpi_comm_size MPI_COMM_SIZE pmpi_comm_size_ pmpi_comm_size__ pmpi_comm_size PMPI_COMM_SIZE);
exports_f08!(comm_size: mpi_comm_size_f08_ pmpir_comm_size_f08_; comm_size: mpi_comm_size_f08_ pmpi_comm_size_f08_);

procedure! {
    comm_split(comm: *mut Fint, color: *mut c_int, key: *mut c_int, newcomm: *mut Fint,
        ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_split(handle::<COMM>(comm), *color, *key, &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_split: mpi_comm_split_ mpi_comm_split__ mpi_comm_split MPI_COMM_SPLIT pmpi_comm_split_ pmpi_comm_split__ pmpi_comm_split PMPI_COMM_SPLIT);
exports_f08!(comm_split: mpi_comm_split_f08_ pmpir_comm_split_f08_; comm_split: mpi_comm_split_f08_ pmpi_comm_split_f08_);

procedure! {
    comm_split_type(comm: *mut Fint, split_type: *mut c_int, key: *mut c_int, info: *mut Fint,
        newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Comm_split_type(handle::<COMM>(comm), *split_type, *key,
        handle::<INFO>(info), &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(comm_split_type: mpi_comm_split_type_ mpi_comm_split_type__ mpi_comm_split_type MPI_COMM_SPLIT_TYPE pmpi_comm_split_type_ pmpi_comm_split_type__ pmpi_comm_split_type PMPI_COMM_SPLIT_TYPE);
exports_f08!(comm_split_type: mpi_comm_split_type_f08_ pmpir_comm_split_type_f08_; comm_split_type: mpi_comm_split_type_f08_ pmpi_comm_split_type_f08_);

procedure! {
    comm_test_inter(comm: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Comm_test_inter(handle::<COMM>(comm), &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(comm_test_inter: mpi_comm_test_inter_ mpi_comm_test_inter__ mpi_comm_test_inter MPI_COMM_TEST_INTER pmpi_comm_test_inter_ pmpi_comm_test_inter__ pmpi_comm_test_inter PMPI_COMM_TEST_INTER);
exports_f08!(comm_test_inter: mpi_comm_test_inter_f08_ pmpir_comm_test_inter_f08_; comm_test_inter: mpi_comm_test_inter_f08_ pmpi_comm_test_inter_f08_);

procedure! {
    intercomm_create(local_comm: *mut Fint, local_leader: *mut c_int, peer_comm: *mut Fint,
        remote_leader: *mut c_int, tag: *mut c_int, newintercomm: *mut Fint, ierror: *mut Fint);
    let mut newintercomm_c = handle::<COMM>(newintercomm);
    let code = c::PMPI_Intercomm_create(handle::<COMM>(local_comm), *local_leader,
        handle::<COMM>(peer_comm), *remote_leader, *tag, &mut newintercomm_c);
    give(newintercomm, newintercomm_c);
    finish(ierror, code);
}
exports!(intercomm_create: mpi_intercomm_create_ mpi_intercomm_create__ mpi_intercomm_create MPI_INTERCOMM_CREATE pmpi_intercomm_create_ pmpi_intercomm_create__ pmpi_intercomm_create PMPI_INTERCOMM_CREATE);
exports_f08!(intercomm_create: mpi_intercomm_create_f08_ pmpir_intercomm_create_f08_; intercomm_create: mpi_intercomm_create_f08_ pmpi_intercomm_create_f08_);

procedure! {
    intercomm_create_from_groups(local_group: *mut Fint, local_leader: *mut c_int,
        remote_group: *mut Fint, remote_leader: *mut c_int, stringtag: *mut c_char, info: *mut Fint,
        errhandler: *mut Fint, newintercomm: *mut Fint, ierror: *mut Fint, stringtag_length: usize);
    let stringtag_c = text(stringtag, stringtag_length);
    let mut newintercomm_c = handle::<COMM>(newintercomm);
    let code = c::PMPI_Intercomm_create_from_groups(handle::<GROUP>(local_group), *local_leader,
        handle::<GROUP>(remote_group), *remote_leader, stringtag_c.place(), handle::<INFO>(info),
        handle::<ERRHANDLER>(errhandler), &mut newintercomm_c);
    give(newintercomm, newintercomm_c);
    finish(ierror, code);
}
exports!(intercomm_create_from_groups: mpi_intercomm_create_from_groups_ mpi_intercomm_create_from_groups__ mpi_intercomm_create_from_groups MPI_INTERCOMM_CREATE_FROM_GROUPS pmpi_intercomm_create_from_groups_ pmpi_intercomm_create_from_groups__ pmpi_intercomm_create_from_groups PMPI_INTERCOMM_CREATE_FROM_GROUPS);
exports_f08!(intercomm_create_from_groups: mpi_intercomm_create_from_groups_f08_ pmpir_intercomm_create_from_groups_f08_; intercomm_create_from_groups: mpi_intercomm_create_from_groups_f08_ pmpi_intercomm_create_from_groups_f08_);

procedure! {
    intercomm_merge(intercomm: *mut Fint, high: *mut c_int, newintracomm: *mut Fint,
        ierror: *mut Fint);
    let mut newintracomm_c = handle::<COMM>(newintracomm);
    let code = c::PMPI_Intercomm_merge(handle::<COMM>(intercomm), *high, &mut newintracomm_c);
    give(newintracomm, newintracomm_c);
    finish(ierror, code);
}
exports!(intercomm_merge: mpi_intercomm_merge_ mpi_intercomm_merge__ mpi_intercomm_merge MPI_INTERCOMM_MERGE pmpi_intercomm_merge_ pmpi_intercomm_merge__ pmpi_intercomm_merge PMPI_INTERCOMM_MERGE);
exports_f08!(intercomm_merge: mpi_intercomm_merge_f08_ pmpir_intercomm_merge_f08_; intercomm_merge: mpi_intercomm_merge_f08_ pmpi_intercomm_merge_f08_);

procedure! {
    type_get_name(datatype: *mut Fint, type_name: *mut c_char, resultlen: *mut c_int,
        ierror: *mut Fint, type_name_length: usize);
    let mut type_name_c = TextOut::new(type_name, type_name_length);
    let code = c::PMPI_Type_get_name(handle::<DATATYPE>(datatype), type_name_c.place(), resultlen);
    if code == 0 { type_name_c.give(); }
    finish(ierror, code);
}
exports!(type_get_name: mpi_type_get_name_ mpi_type_get_name__ mpi_type_get_name MPI_TYPE_GET_NAME pmpi_type_get_name_ pmpi_type_get_name__ pmpi_type_get_name PMPI_TYPE_GET_NAME);
exports_f08!(type_get_name: mpi_type_get_name_f08_ pmpir_type_get_name_f08_; type_get_name: mpi_type_get_name_f08_ pmpi_type_get_name_f08_);

procedure! {
    type_set_name(datatype: *mut Fint, type_name: *mut c_char, ierror: *mut Fint,
        type_name_length: usize);
    let type_name_c = text(type_name, type_name_length);
    let code = c::PMPI_Type_set_name(handle::<DATATYPE>(datatype), type_name_c.place());
    finish(ierror, code);
}
exports!(type_set_name: mpi_type_set_name_ mpi_type_set_name__ mpi_type_set_name MPI_TYPE_SET_NAME pmpi_type_set_name_ pmpi_type_set_name__ pmpi_type_set_name PMPI_TYPE_SET_NAME);
exports_f08!(type_set_name: mpi_type_set_name_f08_ pmpir_type_set_name_f08_; type_set_name: mpi_type_set_name_f08_ pmpi_type_set_name_f08_);

procedure! {
    win_get_name(win: *mut Fint, win_name: *mut c_char, resultlen: *mut c_int, ierror: *mut Fint,
        win_name_length: usize);
    let mut win_name_c = TextOut::new(win_name, win_name_length);
    let code = c::PMPI_Win_get_name(handle::<WIN>(win), win_name_c.place(), resultlen);
    if code == 0 { win_name_c.give(); }
    finish(ierror, code);
}
exports!(win_get_name: mpi_win_get_name_ mpi_win_get_name__ mpi_win_get_name MPI_WIN_GET_NAME pmpi_win_get_name_ pmpi_win_get_name__ pmpi_win_get_name PMPI_WIN_GET_NAME);
exports_f08!(win_get_name: mpi_win_get_name_f08_ pmpir_win_get_name_f08_; win_get_name: mpi_win_get_name_f08_ pmpi_win_get_name_f08_);

procedure! {
    win_set_name(win: *mut Fint, win_name: *mut c_char, ierror: *mut Fint, win_name_length: usize);
    let win_name_c = text(win_name, win_name_length);
    let code = c::PMPI_Win_set_name(handle::<WIN>(win), win_name_c.place());
    finish(ierror, code);
}
exports!(win_set_name: mpi_win_set_name_ mpi_win_set_name__ mpi_win_set_name MPI_WIN_SET_NAME pmpi_win_set_name_ pmpi_win_set_name__ pmpi_win_set_name PMPI_WIN_SET_NAME);
exports_f08!(win_set_name: mpi_win_set_name_f08_ pmpir_win_set_name_f08_; win_set_name: mpi_win_set_name_f08_ pmpi_win_set_name_f08_);
