// generated from api/ by cargo xtask generate; do not edit
//! The functions of the C library with the types of their arguments, and the constants
//! of its ABI.

pub use crate::constants::*;
use std::ffi::{c_char, c_int, c_void};

crate::c_functions! {
    PMPIX_Comm_ack_failed(Handle, c_int, *mut c_int) -> c_int;
    PMPIX_Comm_agree(Handle, *mut c_int) -> c_int;
    PMPIX_Comm_failure_ack(Handle) -> c_int;
    PMPIX_Comm_failure_get_acked(Handle, *mut Handle) -> c_int;
    PMPIX_Comm_get_failed(Handle, *mut Handle) -> c_int;
    PMPIX_Comm_iagree(Handle, *mut c_int, *mut Handle) -> c_int;
    PMPIX_Comm_is_revoked(Handle, *mut c_int) -> c_int;
    PMPIX_Comm_ishrink(Handle, *mut Handle, *mut Handle) -> c_int;
    PMPIX_Comm_revoke(Handle) -> c_int;
    PMPIX_Comm_shrink(Handle, *mut Handle) -> c_int;
    PMPI_Abi_get_fortran_booleans(c_int, *mut c_void, *mut c_void, *mut c_int) -> c_int;
    PMPI_Abi_get_fortran_info(*mut Handle) -> c_int;
    PMPI_Abi_get_info(*mut Handle) -> c_int;
    PMPI_Abi_get_version(*mut c_int, *mut c_int) -> c_int;
    PMPI_Abi_set_fortran_booleans(c_int, *mut c_void, *mut c_void) -> c_int;
    PMPI_Abi_set_fortran_info(Handle) -> c_int;
    PMPI_Abort(Handle, c_int) -> c_int;
    PMPI_Accumulate(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle,
        Handle) -> c_int;
    PMPI_Accumulate_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle, Handle) -> c_int;
    PMPI_Add_error_class(*mut c_int) -> c_int;
    PMPI_Add_error_code(c_int, *mut c_int) -> c_int;
    PMPI_Add_error_string(c_int, *mut c_char) -> c_int;
    PMPI_Aint_add(isize, isize) -> isize;
    PMPI_Aint_diff(isize, isize) -> isize;
    PMPI_Allgather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
    PMPI_Allgather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Allgather_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Allgather_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Allgatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle,
        Handle) -> c_int;
    PMPI_Allgatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle,
        Handle) -> c_int;
    PMPI_Allgatherv_init(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Allgatherv_init_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Alloc_mem(isize, Handle, *mut c_void) -> c_int;
    PMPI_Allreduce(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle) -> c_int;
    PMPI_Allreduce_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle) -> c_int;
    PMPI_Allreduce_init(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Allreduce_init_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Alltoall(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
    PMPI_Alltoall_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Alltoall_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Alltoall_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Alltoallv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, *mut c_int, *mut c_int,
        Handle, Handle) -> c_int;
    PMPI_Alltoallv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64, *mut isize,
        Handle, Handle) -> c_int;
    PMPI_Alltoallv_init(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, *mut c_int,
        *mut c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Alltoallv_init_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64,
        *mut isize, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Alltoallw(*mut c_void, *mut c_int, *mut c_int, *mut Handle, *mut c_void, *mut c_int,
        *mut c_int, *mut Handle, Handle) -> c_int;
    PMPI_Alltoallw_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void, *mut i64,
        *mut isize, *mut Handle, Handle) -> c_int;
    PMPI_Alltoallw_init(*mut c_void, *mut c_int, *mut c_int, *mut Handle, *mut c_void, *mut c_int,
        *mut c_int, *mut Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Alltoallw_init_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void, *mut i64,
        *mut isize, *mut Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Attr_delete(Handle, c_int) -> c_int;
    PMPI_Attr_get(Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    PMPI_Attr_put(Handle, c_int, *mut c_void) -> c_int;
    PMPI_Barrier(Handle) -> c_int;
    PMPI_Barrier_init(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Bcast(*mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    PMPI_Bcast_c(*mut c_void, i64, Handle, c_int, Handle) -> c_int;
    PMPI_Bcast_init(*mut c_void, c_int, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Bcast_init_c(*mut c_void, i64, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Bsend(*mut c_void, c_int, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Bsend_c(*mut c_void, i64, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Bsend_init(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Bsend_init_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Buffer_attach(*mut c_void, c_int) -> c_int;
    PMPI_Buffer_attach_c(*mut c_void, i64) -> c_int;
    PMPI_Buffer_detach(*mut c_void, *mut c_int) -> c_int;
    PMPI_Buffer_detach_c(*mut c_void, *mut i64) -> c_int;
    PMPI_Buffer_flush() -> c_int;
    PMPI_Buffer_iflush(*mut Handle) -> c_int;
    PMPI_Cancel(*mut Handle) -> c_int;
    PMPI_Cart_coords(Handle, c_int, c_int, *mut c_int) -> c_int;
    PMPI_Cart_create(Handle, c_int, *mut c_int, *mut c_int, c_int, *mut Handle) -> c_int;
    PMPI_Cart_get(Handle, c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Cart_map(Handle, c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Cart_rank(Handle, *mut c_int, *mut c_int) -> c_int;
    PMPI_Cart_shift(Handle, c_int, c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Cart_sub(Handle, *mut c_int, *mut Handle) -> c_int;
    PMPI_Cartdim_get(Handle, *mut c_int) -> c_int;
    PMPI_Close_port(*mut c_char) -> c_int;
    PMPI_Comm_accept(*mut c_char, Handle, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Comm_attach_buffer(Handle, *mut c_void, c_int) -> c_int;
    PMPI_Comm_attach_buffer_c(Handle, *mut c_void, i64) -> c_int;
    PMPI_Comm_call_errhandler(Handle, c_int) -> c_int;
    PMPI_Comm_compare(Handle, Handle, *mut c_int) -> c_int;
    PMPI_Comm_connect(*mut c_char, Handle, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Comm_create(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Comm_create_errhandler(*mut c_void, *mut Handle) -> c_int;
    PMPI_Comm_create_from_group(Handle, *mut c_char, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Comm_create_group(Handle, Handle, c_int, *mut Handle) -> c_int;
    PMPI_Comm_create_keyval(*mut c_void, *mut c_void, *mut c_int, *mut c_void) -> c_int;
    PMPI_Comm_delete_attr(Handle, c_int) -> c_int;
    PMPI_Comm_detach_buffer(Handle, *mut c_void, *mut c_int) -> c_int;
    PMPI_Comm_detach_buffer_c(Handle, *mut c_void, *mut i64) -> c_int;
    PMPI_Comm_disconnect(*mut Handle) -> c_int;
    PMPI_Comm_dup(Handle, *mut Handle) -> c_int;
    PMPI_Comm_dup_with_info(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Comm_flush_buffer(Handle) -> c_int;
    PMPI_Comm_free(*mut Handle) -> c_int;
    PMPI_Comm_free_keyval(*mut c_int) -> c_int;
    PMPI_Comm_get_attr(Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    PMPI_Comm_get_errhandler(Handle, *mut Handle) -> c_int;
    PMPI_Comm_get_info(Handle, *mut Handle) -> c_int;
    PMPI_Comm_get_name(Handle, *mut c_char, *mut c_int) -> c_int;
    PMPI_Comm_get_parent(*mut Handle) -> c_int;
    PMPI_Comm_group(Handle, *mut Handle) -> c_int;
    PMPI_Comm_idup(Handle, *mut Handle, *mut Handle) -> c_int;
    PMPI_Comm_idup_with_info(Handle, Handle, *mut Handle, *mut Handle) -> c_int;
    PMPI_Comm_iflush_buffer(Handle, *mut Handle) -> c_int;
    PMPI_Comm_join(c_int, *mut Handle) -> c_int;
    PMPI_Comm_rank(Handle, *mut c_int) -> c_int;
    PMPI_Comm_remote_group(Handle, *mut Handle) -> c_int;
    PMPI_Comm_remote_size(Handle, *mut c_int) -> c_int;
    PMPI_Comm_set_attr(Handle, c_int, *mut c_void) -> c_int;
    PMPI_Comm_set_errhandler(Handle, Handle) -> c_int;
    PMPI_Comm_set_info(Handle, Handle) -> c_int;
    PMPI_Comm_set_name(Handle, *mut c_char) -> c_int;
    PMPI_Comm_size(Handle, *mut c_int) -> c_int;
    PMPI_Comm_spawn(*mut c_char, *mut *mut c_char, c_int, Handle, c_int, Handle, *mut Handle,
        *mut c_int) -> c_int;
    PMPI_Comm_spawn_multiple(c_int, *mut *mut c_char, *mut *mut *mut c_char, *mut c_int,
        *mut Handle, c_int, Handle, *mut Handle, *mut c_int) -> c_int;
    PMPI_Comm_split(Handle, c_int, c_int, *mut Handle) -> c_int;
    PMPI_Comm_split_type(Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Comm_test_inter(Handle, *mut c_int) -> c_int;
    PMPI_Compare_and_swap(*mut c_void, *mut c_void, *mut c_void, Handle, c_int, isize,
        Handle) -> c_int;
    PMPI_Dims_create(c_int, c_int, *mut c_int) -> c_int;
    PMPI_Dist_graph_create(Handle, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int, Handle,
        c_int, *mut Handle) -> c_int;
    PMPI_Dist_graph_create_adjacent(Handle, c_int, *mut c_int, *mut c_int, c_int, *mut c_int,
        *mut c_int, Handle, c_int, *mut Handle) -> c_int;
    PMPI_Dist_graph_neighbors(Handle, c_int, *mut c_int, *mut c_int, c_int, *mut c_int,
        *mut c_int) -> c_int;
    PMPI_Dist_graph_neighbors_count(Handle, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Errhandler_free(*mut Handle) -> c_int;
    PMPI_Error_class(c_int, *mut c_int) -> c_int;
    PMPI_Error_string(c_int, *mut c_char, *mut c_int) -> c_int;
    PMPI_Exscan(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle) -> c_int;
    PMPI_Exscan_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle) -> c_int;
    PMPI_Exscan_init(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Exscan_init_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Fetch_and_op(*mut c_void, *mut c_void, Handle, c_int, isize, Handle, Handle) -> c_int;
    PMPI_File_call_errhandler(File, c_int) -> c_int;
    PMPI_File_close(*mut File) -> c_int;
    PMPI_File_create_errhandler(*mut c_void, *mut Handle) -> c_int;
    PMPI_File_delete(*mut c_char, Handle) -> c_int;
    PMPI_File_get_amode(File, *mut c_int) -> c_int;
    PMPI_File_get_atomicity(File, *mut c_int) -> c_int;
    PMPI_File_get_byte_offset(File, i64, *mut i64) -> c_int;
    PMPI_File_get_errhandler(File, *mut Handle) -> c_int;
    PMPI_File_get_group(File, *mut Handle) -> c_int;
    PMPI_File_get_info(File, *mut Handle) -> c_int;
    PMPI_File_get_position(File, *mut i64) -> c_int;
    PMPI_File_get_position_shared(File, *mut i64) -> c_int;
    PMPI_File_get_size(File, *mut i64) -> c_int;
    PMPI_File_get_type_extent(File, Handle, *mut isize) -> c_int;
    PMPI_File_get_view(File, *mut i64, *mut Handle, *mut Handle, *mut c_char) -> c_int;
    PMPI_File_iread(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_all(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_all_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_at(File, i64, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_at_all(File, i64, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_at_all_c(File, i64, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_at_c(File, i64, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_shared(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iread_shared_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_all(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_all_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_at(File, i64, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_at_all(File, i64, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_at_all_c(File, i64, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_at_c(File, i64, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_shared(File, *mut c_void, c_int, Handle, *mut Handle) -> c_int;
    PMPI_File_iwrite_shared_c(File, *mut c_void, i64, Handle, *mut Handle) -> c_int;
    PMPI_File_open(Handle, *mut c_char, c_int, Handle, *mut File) -> c_int;
    PMPI_File_preallocate(File, i64) -> c_int;
    PMPI_File_read(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_all(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_all_begin(File, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_read_all_begin_c(File, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_read_all_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_read_all_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_read_at(File, i64, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_at_all(File, i64, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_at_all_begin(File, i64, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_read_at_all_begin_c(File, i64, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_read_at_all_c(File, i64, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_read_at_all_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_read_at_c(File, i64, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_read_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_read_ordered(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_ordered_begin(File, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_read_ordered_begin_c(File, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_read_ordered_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_read_ordered_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_read_shared(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_read_shared_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_seek(File, i64, c_int) -> c_int;
    PMPI_File_seek_shared(File, i64, c_int) -> c_int;
    PMPI_File_set_atomicity(File, c_int) -> c_int;
    PMPI_File_set_errhandler(File, Handle) -> c_int;
    PMPI_File_set_info(File, Handle) -> c_int;
    PMPI_File_set_size(File, i64) -> c_int;
    PMPI_File_set_view(File, i64, Handle, Handle, *mut c_char, Handle) -> c_int;
    PMPI_File_sync(File) -> c_int;
    PMPI_File_write(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_all(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_all_begin(File, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_write_all_begin_c(File, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_write_all_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_write_all_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_write_at(File, i64, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_at_all(File, i64, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_at_all_begin(File, i64, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_write_at_all_begin_c(File, i64, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_write_at_all_c(File, i64, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_write_at_all_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_write_at_c(File, i64, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_write_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_write_ordered(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_ordered_begin(File, *mut c_void, c_int, Handle) -> c_int;
    PMPI_File_write_ordered_begin_c(File, *mut c_void, i64, Handle) -> c_int;
    PMPI_File_write_ordered_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_File_write_ordered_end(File, *mut c_void, *mut c_void) -> c_int;
    PMPI_File_write_shared(File, *mut c_void, c_int, Handle, *mut c_void) -> c_int;
    PMPI_File_write_shared_c(File, *mut c_void, i64, Handle, *mut c_void) -> c_int;
    PMPI_Finalize() -> c_int;
    PMPI_Finalized(*mut c_int) -> c_int;
    PMPI_Free_mem(*mut c_void) -> c_int;
    PMPI_Gather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    PMPI_Gather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle) -> c_int;
    PMPI_Gather_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Gather_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Gatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle, c_int,
        Handle) -> c_int;
    PMPI_Gatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle, c_int,
        Handle) -> c_int;
    PMPI_Gatherv_init(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle,
        c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Gatherv_init_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Get(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle) -> c_int;
    PMPI_Get_accumulate(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, isize, c_int,
        Handle, Handle, Handle) -> c_int;
    PMPI_Get_accumulate_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, isize, i64,
        Handle, Handle, Handle) -> c_int;
    PMPI_Get_address(*mut c_void, *mut isize) -> c_int;
    PMPI_Get_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle) -> c_int;
    PMPI_Get_count(*mut c_void, Handle, *mut c_int) -> c_int;
    PMPI_Get_count_c(*mut c_void, Handle, *mut i64) -> c_int;
    PMPI_Get_elements(*mut c_void, Handle, *mut c_int) -> c_int;
    PMPI_Get_elements_c(*mut c_void, Handle, *mut i64) -> c_int;
    PMPI_Get_elements_x(*mut c_void, Handle, *mut i64) -> c_int;
    PMPI_Get_hw_resource_info(*mut Handle) -> c_int;
    PMPI_Get_library_version(*mut c_char, *mut c_int) -> c_int;
    PMPI_Get_processor_name(*mut c_char, *mut c_int) -> c_int;
    PMPI_Get_version(*mut c_int, *mut c_int) -> c_int;
    PMPI_Graph_create(Handle, c_int, *mut c_int, *mut c_int, c_int, *mut Handle) -> c_int;
    PMPI_Graph_get(Handle, c_int, c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Graph_map(Handle, c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Graph_neighbors(Handle, c_int, c_int, *mut c_int) -> c_int;
    PMPI_Graph_neighbors_count(Handle, c_int, *mut c_int) -> c_int;
    PMPI_Graphdims_get(Handle, *mut c_int, *mut c_int) -> c_int;
    PMPI_Grequest_complete(Handle) -> c_int;
    PMPI_Grequest_start(*mut c_void, *mut c_void, *mut c_void, *mut c_void, *mut Handle) -> c_int;
    PMPI_Group_compare(Handle, Handle, *mut c_int) -> c_int;
    PMPI_Group_difference(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Group_excl(Handle, c_int, *mut c_int, *mut Handle) -> c_int;
    PMPI_Group_free(*mut Handle) -> c_int;
    PMPI_Group_from_session_pset(Handle, *mut c_char, *mut Handle) -> c_int;
    PMPI_Group_incl(Handle, c_int, *mut c_int, *mut Handle) -> c_int;
    PMPI_Group_intersection(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Group_range_excl(Handle, c_int, *mut c_int, *mut Handle) -> c_int;
    PMPI_Group_range_incl(Handle, c_int, *mut c_int, *mut Handle) -> c_int;
    PMPI_Group_rank(Handle, *mut c_int) -> c_int;
    PMPI_Group_size(Handle, *mut c_int) -> c_int;
    PMPI_Group_translate_ranks(Handle, c_int, *mut c_int, Handle, *mut c_int) -> c_int;
    PMPI_Group_union(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Iallgather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Iallgather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Iallgatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Iallgatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Iallreduce(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Iallreduce_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ialltoall(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ialltoall_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ialltoallv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, *mut c_int,
        *mut c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ialltoallv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64, *mut isize,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ialltoallw(*mut c_void, *mut c_int, *mut c_int, *mut Handle, *mut c_void, *mut c_int,
        *mut c_int, *mut Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ialltoallw_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void, *mut i64,
        *mut isize, *mut Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ibarrier(Handle, *mut Handle) -> c_int;
    PMPI_Ibcast(*mut c_void, c_int, Handle, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Ibcast_c(*mut c_void, i64, Handle, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Ibsend(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Ibsend_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Iexscan(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Iexscan_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Igather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Igather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Igatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int, Handle, c_int,
        Handle, *mut Handle) -> c_int;
    PMPI_Igatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle, c_int,
        Handle, *mut Handle) -> c_int;
    PMPI_Improbe(c_int, c_int, Handle, *mut c_int, *mut Handle, *mut c_void) -> c_int;
    PMPI_Imrecv(*mut c_void, c_int, Handle, *mut Handle, *mut Handle) -> c_int;
    PMPI_Imrecv_c(*mut c_void, i64, Handle, *mut Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_allgather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ineighbor_allgather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ineighbor_allgatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_allgatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoall(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoall_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoallv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, *mut c_int,
        *mut c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoallv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64,
        *mut isize, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoallw(*mut c_void, *mut c_int, *mut isize, *mut Handle, *mut c_void,
        *mut c_int, *mut isize, *mut Handle, Handle, *mut Handle) -> c_int;
    PMPI_Ineighbor_alltoallw_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void,
        *mut i64, *mut isize, *mut Handle, Handle, *mut Handle) -> c_int;
    PMPI_Info_create(*mut Handle) -> c_int;
    PMPI_Info_create_env(c_int, *mut *mut c_char, *mut Handle) -> c_int;
    PMPI_Info_delete(Handle, *mut c_char) -> c_int;
    PMPI_Info_dup(Handle, *mut Handle) -> c_int;
    PMPI_Info_free(*mut Handle) -> c_int;
    PMPI_Info_get(Handle, *mut c_char, c_int, *mut c_char, *mut c_int) -> c_int;
    PMPI_Info_get_nkeys(Handle, *mut c_int) -> c_int;
    PMPI_Info_get_nthkey(Handle, c_int, *mut c_char) -> c_int;
    PMPI_Info_get_string(Handle, *mut c_char, *mut c_int, *mut c_char, *mut c_int) -> c_int;
    PMPI_Info_get_valuelen(Handle, *mut c_char, *mut c_int, *mut c_int) -> c_int;
    PMPI_Info_set(Handle, *mut c_char, *mut c_char) -> c_int;
    PMPI_Init(*mut c_int, *mut *mut *mut c_char) -> c_int;
    PMPI_Init_thread(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int;
    PMPI_Initialized(*mut c_int) -> c_int;
    PMPI_Intercomm_create(Handle, c_int, Handle, c_int, c_int, *mut Handle) -> c_int;
    PMPI_Intercomm_create_from_groups(Handle, c_int, Handle, c_int, *mut c_char, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Intercomm_merge(Handle, c_int, *mut Handle) -> c_int;
    PMPI_Iprobe(c_int, c_int, Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Irecv(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Irecv_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Ireduce(*mut c_void, *mut c_void, c_int, Handle, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Ireduce_c(*mut c_void, *mut c_void, i64, Handle, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Ireduce_scatter(*mut c_void, *mut c_void, *mut c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ireduce_scatter_block(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ireduce_scatter_block_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Ireduce_scatter_c(*mut c_void, *mut c_void, *mut i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Irsend(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Irsend_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Is_thread_main(*mut c_int) -> c_int;
    PMPI_Iscan(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Iscan_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Iscatter(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Iscatter_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Iscatterv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, c_int, Handle, c_int,
        Handle, *mut Handle) -> c_int;
    PMPI_Iscatterv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, i64, Handle, c_int,
        Handle, *mut Handle) -> c_int;
    PMPI_Isend(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Isend_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Isendrecv(*mut c_void, c_int, Handle, c_int, c_int, *mut c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    PMPI_Isendrecv_c(*mut c_void, i64, Handle, c_int, c_int, *mut c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    PMPI_Isendrecv_replace(*mut c_void, c_int, Handle, c_int, c_int, c_int, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Isendrecv_replace_c(*mut c_void, i64, Handle, c_int, c_int, c_int, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Issend(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Issend_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Keyval_create(*mut c_void, *mut c_void, *mut c_int, *mut c_void) -> c_int;
    PMPI_Keyval_free(*mut c_int) -> c_int;
    PMPI_Lookup_name(*mut c_char, Handle, *mut c_char) -> c_int;
    PMPI_Mprobe(c_int, c_int, Handle, *mut Handle, *mut c_void) -> c_int;
    PMPI_Mrecv(*mut c_void, c_int, Handle, *mut Handle, *mut c_void) -> c_int;
    PMPI_Mrecv_c(*mut c_void, i64, Handle, *mut Handle, *mut c_void) -> c_int;
    PMPI_Neighbor_allgather(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle,
        Handle) -> c_int;
    PMPI_Neighbor_allgather_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Neighbor_allgather_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_allgather_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_allgatherv(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int,
        Handle, Handle) -> c_int;
    PMPI_Neighbor_allgatherv_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize, Handle,
        Handle) -> c_int;
    PMPI_Neighbor_allgatherv_init(*mut c_void, c_int, Handle, *mut c_void, *mut c_int, *mut c_int,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_allgatherv_init_c(*mut c_void, i64, Handle, *mut c_void, *mut i64, *mut isize,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoall(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoall_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoall_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoall_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoallv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, *mut c_int,
        *mut c_int, Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoallv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64,
        *mut isize, Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoallv_init(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void,
        *mut c_int, *mut c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoallv_init_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, *mut i64,
        *mut isize, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoallw(*mut c_void, *mut c_int, *mut isize, *mut Handle, *mut c_void,
        *mut c_int, *mut isize, *mut Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoallw_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void, *mut i64,
        *mut isize, *mut Handle, Handle) -> c_int;
    PMPI_Neighbor_alltoallw_init(*mut c_void, *mut c_int, *mut isize, *mut Handle, *mut c_void,
        *mut c_int, *mut isize, *mut Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Neighbor_alltoallw_init_c(*mut c_void, *mut i64, *mut isize, *mut Handle, *mut c_void,
        *mut i64, *mut isize, *mut Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Op_commutative(Handle, *mut c_int) -> c_int;
    PMPI_Op_create(*mut c_void, c_int, *mut Handle) -> c_int;
    PMPI_Op_create_c(*mut c_void, c_int, *mut Handle) -> c_int;
    PMPI_Op_free(*mut Handle) -> c_int;
    PMPI_Open_port(Handle, *mut c_char) -> c_int;
    PMPI_Pack(*mut c_void, c_int, Handle, *mut c_void, c_int, *mut c_int, Handle) -> c_int;
    PMPI_Pack_c(*mut c_void, i64, Handle, *mut c_void, i64, *mut i64, Handle) -> c_int;
    PMPI_Pack_external(*mut c_char, *mut c_void, c_int, Handle, *mut c_void, isize,
        *mut isize) -> c_int;
    PMPI_Pack_external_c(*mut c_char, *mut c_void, i64, Handle, *mut c_void, i64,
        *mut i64) -> c_int;
    PMPI_Pack_external_size(*mut c_char, c_int, Handle, *mut isize) -> c_int;
    PMPI_Pack_external_size_c(*mut c_char, i64, Handle, *mut i64) -> c_int;
    PMPI_Pack_size(c_int, Handle, Handle, *mut c_int) -> c_int;
    PMPI_Pack_size_c(i64, Handle, Handle, *mut i64) -> c_int;
    PMPI_Parrived(Handle, c_int, *mut c_int) -> c_int;
    PMPI_Pcontrol(c_int) -> c_int;
    PMPI_Pready(c_int, Handle) -> c_int;
    PMPI_Pready_list(c_int, *mut c_int, Handle) -> c_int;
    PMPI_Pready_range(c_int, c_int, Handle) -> c_int;
    PMPI_Precv_init(*mut c_void, c_int, i64, Handle, c_int, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Probe(c_int, c_int, Handle, *mut c_void) -> c_int;
    PMPI_Psend_init(*mut c_void, c_int, i64, Handle, c_int, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Publish_name(*mut c_char, Handle, *mut c_char) -> c_int;
    PMPI_Put(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle) -> c_int;
    PMPI_Put_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle) -> c_int;
    PMPI_Query_thread(*mut c_int) -> c_int;
    PMPI_Raccumulate(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Raccumulate_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Recv(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut c_void) -> c_int;
    PMPI_Recv_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut c_void) -> c_int;
    PMPI_Recv_init(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Recv_init_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Reduce(*mut c_void, *mut c_void, c_int, Handle, Handle, c_int, Handle) -> c_int;
    PMPI_Reduce_c(*mut c_void, *mut c_void, i64, Handle, Handle, c_int, Handle) -> c_int;
    PMPI_Reduce_init(*mut c_void, *mut c_void, c_int, Handle, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Reduce_init_c(*mut c_void, *mut c_void, i64, Handle, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Reduce_local(*mut c_void, *mut c_void, c_int, Handle, Handle) -> c_int;
    PMPI_Reduce_local_c(*mut c_void, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Reduce_scatter(*mut c_void, *mut c_void, *mut c_int, Handle, Handle, Handle) -> c_int;
    PMPI_Reduce_scatter_block(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle) -> c_int;
    PMPI_Reduce_scatter_block_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle) -> c_int;
    PMPI_Reduce_scatter_block_init(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Reduce_scatter_block_init_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Reduce_scatter_c(*mut c_void, *mut c_void, *mut i64, Handle, Handle, Handle) -> c_int;
    PMPI_Reduce_scatter_init(*mut c_void, *mut c_void, *mut c_int, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Reduce_scatter_init_c(*mut c_void, *mut c_void, *mut i64, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Register_datarep(*mut c_char, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_int;
    PMPI_Register_datarep_c(*mut c_char, *mut c_void, *mut c_void, *mut c_void,
        *mut c_void) -> c_int;
    PMPI_Remove_error_class(c_int) -> c_int;
    PMPI_Remove_error_code(c_int) -> c_int;
    PMPI_Remove_error_string(c_int) -> c_int;
    PMPI_Request_free(*mut Handle) -> c_int;
    PMPI_Request_get_status(Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Request_get_status_all(c_int, *mut Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Request_get_status_any(c_int, *mut Handle, *mut c_int, *mut c_int, *mut c_void) -> c_int;
    PMPI_Request_get_status_some(c_int, *mut Handle, *mut c_int, *mut c_int, *mut c_void) -> c_int;
    PMPI_Rget(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Rget_accumulate(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, isize,
        c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Rget_accumulate_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, isize, i64,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Rget_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Rput(*mut c_void, c_int, Handle, c_int, isize, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Rput_c(*mut c_void, i64, Handle, c_int, isize, i64, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Rsend(*mut c_void, c_int, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Rsend_c(*mut c_void, i64, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Rsend_init(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Rsend_init_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Scan(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle) -> c_int;
    PMPI_Scan_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle) -> c_int;
    PMPI_Scan_init(*mut c_void, *mut c_void, c_int, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Scan_init_c(*mut c_void, *mut c_void, i64, Handle, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Scatter(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    PMPI_Scatter_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle) -> c_int;
    PMPI_Scatter_init(*mut c_void, c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Scatter_init_c(*mut c_void, i64, Handle, *mut c_void, i64, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    PMPI_Scatterv(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, c_int, Handle, c_int,
        Handle) -> c_int;
    PMPI_Scatterv_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, i64, Handle, c_int,
        Handle) -> c_int;
    PMPI_Scatterv_init(*mut c_void, *mut c_int, *mut c_int, Handle, *mut c_void, c_int, Handle,
        c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Scatterv_init_c(*mut c_void, *mut i64, *mut isize, Handle, *mut c_void, i64, Handle, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    PMPI_Send(*mut c_void, c_int, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Send_c(*mut c_void, i64, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Send_init(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Send_init_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Sendrecv(*mut c_void, c_int, Handle, c_int, c_int, *mut c_void, c_int, Handle, c_int,
        c_int, Handle, *mut c_void) -> c_int;
    PMPI_Sendrecv_c(*mut c_void, i64, Handle, c_int, c_int, *mut c_void, i64, Handle, c_int, c_int,
        Handle, *mut c_void) -> c_int;
    PMPI_Sendrecv_replace(*mut c_void, c_int, Handle, c_int, c_int, c_int, c_int, Handle,
        *mut c_void) -> c_int;
    PMPI_Sendrecv_replace_c(*mut c_void, i64, Handle, c_int, c_int, c_int, c_int, Handle,
        *mut c_void) -> c_int;
    PMPI_Session_attach_buffer(Handle, *mut c_void, c_int) -> c_int;
    PMPI_Session_attach_buffer_c(Handle, *mut c_void, i64) -> c_int;
    PMPI_Session_call_errhandler(Handle, c_int) -> c_int;
    PMPI_Session_create_errhandler(*mut c_void, *mut Handle) -> c_int;
    PMPI_Session_detach_buffer(Handle, *mut c_void, *mut c_int) -> c_int;
    PMPI_Session_detach_buffer_c(Handle, *mut c_void, *mut i64) -> c_int;
    PMPI_Session_finalize(*mut Handle) -> c_int;
    PMPI_Session_flush_buffer(Handle) -> c_int;
    PMPI_Session_get_errhandler(Handle, *mut Handle) -> c_int;
    PMPI_Session_get_info(Handle, *mut Handle) -> c_int;
    PMPI_Session_get_nth_pset(Handle, Handle, c_int, *mut c_int, *mut c_char) -> c_int;
    PMPI_Session_get_num_psets(Handle, Handle, *mut c_int) -> c_int;
    PMPI_Session_get_pset_info(Handle, *mut c_char, *mut Handle) -> c_int;
    PMPI_Session_iflush_buffer(Handle, *mut Handle) -> c_int;
    PMPI_Session_init(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Session_set_errhandler(Handle, Handle) -> c_int;
    PMPI_Ssend(*mut c_void, c_int, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Ssend_c(*mut c_void, i64, Handle, c_int, c_int, Handle) -> c_int;
    PMPI_Ssend_init(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Ssend_init_c(*mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Start(*mut Handle) -> c_int;
    PMPI_Startall(c_int, *mut Handle) -> c_int;
    PMPI_Status_get_error(*mut c_void, *mut c_int) -> c_int;
    PMPI_Status_get_source(*mut c_void, *mut c_int) -> c_int;
    PMPI_Status_get_tag(*mut c_void, *mut c_int) -> c_int;
    PMPI_Status_set_cancelled(*mut c_void, c_int) -> c_int;
    PMPI_Status_set_elements(*mut c_void, Handle, c_int) -> c_int;
    PMPI_Status_set_elements_c(*mut c_void, Handle, i64) -> c_int;
    PMPI_Status_set_elements_x(*mut c_void, Handle, i64) -> c_int;
    PMPI_Status_set_error(*mut c_void, c_int) -> c_int;
    PMPI_Status_set_source(*mut c_void, c_int) -> c_int;
    PMPI_Status_set_tag(*mut c_void, c_int) -> c_int;
    PMPI_Test(*mut Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Test_cancelled(*mut c_void, *mut c_int) -> c_int;
    PMPI_Testall(c_int, *mut Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Testany(c_int, *mut Handle, *mut c_int, *mut c_int, *mut c_void) -> c_int;
    PMPI_Testsome(c_int, *mut Handle, *mut c_int, *mut c_int, *mut c_void) -> c_int;
    PMPI_Topo_test(Handle, *mut c_int) -> c_int;
    PMPI_Type_commit(*mut Handle) -> c_int;
    PMPI_Type_contiguous(c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_contiguous_c(i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_darray(c_int, c_int, c_int, *mut c_int, *mut c_int, *mut c_int, *mut c_int,
        c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_darray_c(c_int, c_int, c_int, *mut i64, *mut c_int, *mut c_int, *mut c_int,
        c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_f90_complex(c_int, c_int, *mut Handle) -> c_int;
    PMPI_Type_create_f90_integer(c_int, *mut Handle) -> c_int;
    PMPI_Type_create_f90_real(c_int, c_int, *mut Handle) -> c_int;
    PMPI_Type_create_hindexed(c_int, *mut c_int, *mut isize, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_hindexed_block(c_int, c_int, *mut isize, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_hindexed_block_c(i64, i64, *mut i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_hindexed_c(i64, *mut i64, *mut i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_hvector(c_int, c_int, isize, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_hvector_c(i64, i64, i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_indexed_block(c_int, c_int, *mut c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_indexed_block_c(i64, i64, *mut i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_create_keyval(*mut c_void, *mut c_void, *mut c_int, *mut c_void) -> c_int;
    PMPI_Type_create_resized(Handle, isize, isize, *mut Handle) -> c_int;
    PMPI_Type_create_struct(c_int, *mut c_int, *mut isize, *mut Handle, *mut Handle) -> c_int;
    PMPI_Type_create_struct_c(i64, *mut i64, *mut i64, *mut Handle, *mut Handle) -> c_int;
    PMPI_Type_create_subarray(c_int, *mut c_int, *mut c_int, *mut c_int, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Type_create_subarray_c(c_int, *mut i64, *mut i64, *mut i64, c_int, Handle,
        *mut Handle) -> c_int;
    PMPI_Type_delete_attr(Handle, c_int) -> c_int;
    PMPI_Type_dup(Handle, *mut Handle) -> c_int;
    PMPI_Type_free(*mut Handle) -> c_int;
    PMPI_Type_free_keyval(*mut c_int) -> c_int;
    PMPI_Type_get_attr(Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    PMPI_Type_get_contents(Handle, c_int, c_int, c_int, *mut c_int, *mut isize,
        *mut Handle) -> c_int;
    PMPI_Type_get_contents_c(Handle, i64, i64, i64, i64, *mut c_int, *mut isize, *mut i64,
        *mut Handle) -> c_int;
    PMPI_Type_get_envelope(Handle, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    PMPI_Type_get_envelope_c(Handle, *mut i64, *mut i64, *mut i64, *mut i64, *mut c_int) -> c_int;
    PMPI_Type_get_extent(Handle, *mut isize, *mut isize) -> c_int;
    PMPI_Type_get_extent_c(Handle, *mut i64, *mut i64) -> c_int;
    PMPI_Type_get_extent_x(Handle, *mut i64, *mut i64) -> c_int;
    PMPI_Type_get_name(Handle, *mut c_char, *mut c_int) -> c_int;
    PMPI_Type_get_true_extent(Handle, *mut isize, *mut isize) -> c_int;
    PMPI_Type_get_true_extent_c(Handle, *mut i64, *mut i64) -> c_int;
    PMPI_Type_get_true_extent_x(Handle, *mut i64, *mut i64) -> c_int;
    PMPI_Type_get_value_index(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Type_indexed(c_int, *mut c_int, *mut c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_indexed_c(i64, *mut i64, *mut i64, Handle, *mut Handle) -> c_int;
    PMPI_Type_match_size(c_int, c_int, *mut Handle) -> c_int;
    PMPI_Type_set_attr(Handle, c_int, *mut c_void) -> c_int;
    PMPI_Type_set_name(Handle, *mut c_char) -> c_int;
    PMPI_Type_size(Handle, *mut c_int) -> c_int;
    PMPI_Type_size_c(Handle, *mut i64) -> c_int;
    PMPI_Type_size_x(Handle, *mut i64) -> c_int;
    PMPI_Type_vector(c_int, c_int, c_int, Handle, *mut Handle) -> c_int;
    PMPI_Type_vector_c(i64, i64, i64, Handle, *mut Handle) -> c_int;
    PMPI_Unpack(*mut c_void, c_int, *mut c_int, *mut c_void, c_int, Handle, Handle) -> c_int;
    PMPI_Unpack_c(*mut c_void, i64, *mut i64, *mut c_void, i64, Handle, Handle) -> c_int;
    PMPI_Unpack_external(*mut c_char, *mut c_void, isize, *mut isize, *mut c_void, c_int,
        Handle) -> c_int;
    PMPI_Unpack_external_c(*mut c_char, *mut c_void, i64, *mut i64, *mut c_void, i64,
        Handle) -> c_int;
    PMPI_Unpublish_name(*mut c_char, Handle, *mut c_char) -> c_int;
    PMPI_Wait(*mut Handle, *mut c_void) -> c_int;
    PMPI_Waitall(c_int, *mut Handle, *mut c_void) -> c_int;
    PMPI_Waitany(c_int, *mut Handle, *mut c_int, *mut c_void) -> c_int;
    PMPI_Waitsome(c_int, *mut Handle, *mut c_int, *mut c_int, *mut c_void) -> c_int;
    PMPI_Win_allocate(isize, c_int, Handle, Handle, *mut c_void, *mut Handle) -> c_int;
    PMPI_Win_allocate_c(isize, isize, Handle, Handle, *mut c_void, *mut Handle) -> c_int;
    PMPI_Win_allocate_shared(isize, c_int, Handle, Handle, *mut c_void, *mut Handle) -> c_int;
    PMPI_Win_allocate_shared_c(isize, isize, Handle, Handle, *mut c_void, *mut Handle) -> c_int;
    PMPI_Win_attach(Handle, *mut c_void, isize) -> c_int;
    PMPI_Win_call_errhandler(Handle, c_int) -> c_int;
    PMPI_Win_complete(Handle) -> c_int;
    PMPI_Win_create(*mut c_void, isize, c_int, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Win_create_c(*mut c_void, isize, isize, Handle, Handle, *mut Handle) -> c_int;
    PMPI_Win_create_dynamic(Handle, Handle, *mut Handle) -> c_int;
    PMPI_Win_create_errhandler(*mut c_void, *mut Handle) -> c_int;
    PMPI_Win_create_keyval(*mut c_void, *mut c_void, *mut c_int, *mut c_void) -> c_int;
    PMPI_Win_delete_attr(Handle, c_int) -> c_int;
    PMPI_Win_detach(Handle, *mut c_void) -> c_int;
    PMPI_Win_fence(c_int, Handle) -> c_int;
    PMPI_Win_flush(c_int, Handle) -> c_int;
    PMPI_Win_flush_all(Handle) -> c_int;
    PMPI_Win_flush_local(c_int, Handle) -> c_int;
    PMPI_Win_flush_local_all(Handle) -> c_int;
    PMPI_Win_free(*mut Handle) -> c_int;
    PMPI_Win_free_keyval(*mut c_int) -> c_int;
    PMPI_Win_get_attr(Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    PMPI_Win_get_errhandler(Handle, *mut Handle) -> c_int;
    PMPI_Win_get_group(Handle, *mut Handle) -> c_int;
    PMPI_Win_get_info(Handle, *mut Handle) -> c_int;
    PMPI_Win_get_name(Handle, *mut c_char, *mut c_int) -> c_int;
    PMPI_Win_lock(c_int, c_int, c_int, Handle) -> c_int;
    PMPI_Win_lock_all(c_int, Handle) -> c_int;
    PMPI_Win_post(Handle, c_int, Handle) -> c_int;
    PMPI_Win_set_attr(Handle, c_int, *mut c_void) -> c_int;
    PMPI_Win_set_errhandler(Handle, Handle) -> c_int;
    PMPI_Win_set_info(Handle, Handle) -> c_int;
    PMPI_Win_set_name(Handle, *mut c_char) -> c_int;
    PMPI_Win_shared_query(Handle, c_int, *mut isize, *mut c_int, *mut c_void) -> c_int;
    PMPI_Win_shared_query_c(Handle, c_int, *mut isize, *mut isize, *mut c_void) -> c_int;
    PMPI_Win_start(Handle, c_int, Handle) -> c_int;
    PMPI_Win_sync(Handle) -> c_int;
    PMPI_Win_test(Handle, *mut c_int) -> c_int;
    PMPI_Win_unlock(c_int, Handle) -> c_int;
    PMPI_Win_unlock_all(Handle) -> c_int;
    PMPI_Win_wait(Handle) -> c_int;
    PMPI_Wtick() -> f64;
    PMPI_Wtime() -> f64;
}
