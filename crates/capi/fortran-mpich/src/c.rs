// generated from api/ by cargo xtask generate; do not edit
//! The functions and the constants of the C library.

#![allow(dead_code)]

use std::ffi::{c_char, c_int, c_void};

/// A handle, which is the handle in Fortran.
pub type Handle = c_int;
/// A handle of a file, which has a number in Fortran (`MPI_File_c2f`).
pub type File = *mut c_void;

pub const MPI_BOTTOM: usize = 0;
pub const MPI_IN_PLACE: usize = 18446744073709551615;
pub const MPI_BUFFER_AUTOMATIC: usize = 18446744073709551614;
pub const MPI_UNWEIGHTED: usize = 10;
pub const MPI_WEIGHTS_EMPTY: usize = 11;
pub const MPI_UNDEFINED: c_int = -32766;
pub const MPI_COMM_NULL: Handle = 67108864;
pub const MPI_COMM_SELF: Handle = 1140850689;
pub const MPI_DATATYPE_NULL: Handle = 201326592;
pub const MPI_BYTE: Handle = 1275068685;
pub const MPI_ERR_BUFFER: c_int = 1;
pub const MPI_CART: c_int = 2;
pub const MPI_GRAPH: c_int = 1;
pub const MPI_DIST_GRAPH: c_int = 3;
pub const MPI_COMBINER_NAMED: c_int = 1;
pub const MPI_SUCCESS: c_int = 0;
pub const MPI_REQUEST_NULL: Handle = 738197504;
pub const MPI_STATUS_IGNORE: usize = 1;

unsafe extern "C" {
    pub fn PMPI_File_f2c(file: c_int) -> File;
    pub fn PMPI_File_c2f(file: File) -> c_int;
    pub fn PMPI_Abi_get_fortran_booleans(
        logical_size: c_int,
        logical_true: *mut c_void,
        logical_false: *mut c_void,
        is_set: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Abi_get_fortran_info(info: *mut Handle) -> c_int;
    pub fn PMPI_Abi_get_info(info: *mut Handle) -> c_int;
    pub fn PMPI_Abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int) -> c_int;
    pub fn PMPI_Abi_set_fortran_booleans(
        logical_size: c_int,
        logical_true: *mut c_void,
        logical_false: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Abi_set_fortran_info(info: Handle) -> c_int;
    pub fn PMPI_Abort(comm: Handle, errorcode: c_int) -> c_int;
    pub fn PMPI_Accumulate(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Accumulate_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Add_error_class(errorclass: *mut c_int) -> c_int;
    pub fn PMPI_Add_error_code(errorclass: c_int, errorcode: *mut c_int) -> c_int;
    pub fn PMPI_Add_error_string(errorcode: c_int, string: *mut c_char) -> c_int;
    pub fn PMPI_Aint_add(base: isize, disp: isize) -> isize;
    pub fn PMPI_Aint_diff(addr1: isize, addr2: isize) -> isize;
    pub fn PMPI_Allgather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allgather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allgather_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Allgather_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Allgatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allgatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allgatherv_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Allgatherv_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alloc_mem(size: isize, info: Handle, baseptr: *mut c_void) -> c_int;
    pub fn PMPI_Allreduce(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allreduce_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Allreduce_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Allreduce_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoall(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoall_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoall_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoall_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallv_init(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallv_init_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallw(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtypes: *mut Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallw_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallw_init(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtypes: *mut Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Alltoallw_init_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Attr_delete(comm: Handle, keyval: c_int) -> c_int;
    pub fn PMPI_Attr_get(
        comm: Handle,
        keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Attr_put(comm: Handle, keyval: c_int, attribute_val: *mut c_void) -> c_int;
    pub fn PMPI_Barrier(comm: Handle) -> c_int;
    pub fn PMPI_Barrier_init(comm: Handle, info: Handle, request: *mut Handle) -> c_int;
    pub fn PMPI_Bcast(
        buffer: *mut c_void,
        count: c_int,
        datatype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Bcast_c(
        buffer: *mut c_void,
        count: i64,
        datatype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Bcast_init(
        buffer: *mut c_void,
        count: c_int,
        datatype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Bcast_init_c(
        buffer: *mut c_void,
        count: i64,
        datatype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Bsend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Bsend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Bsend_init(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Bsend_init_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Buffer_attach(buffer: *mut c_void, size: c_int) -> c_int;
    pub fn PMPI_Buffer_attach_c(buffer: *mut c_void, size: i64) -> c_int;
    pub fn PMPI_Buffer_detach(buffer_addr: *mut c_void, size: *mut c_int) -> c_int;
    pub fn PMPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut i64) -> c_int;
    pub fn PMPI_Buffer_flush() -> c_int;
    pub fn PMPI_Buffer_iflush(request: *mut Handle) -> c_int;
    pub fn PMPI_Cancel(request: *mut Handle) -> c_int;
    pub fn PMPI_Cart_coords(comm: Handle, rank: c_int, maxdims: c_int, coords: *mut c_int)
    -> c_int;
    pub fn PMPI_Cart_create(
        comm_old: Handle,
        ndims: c_int,
        dims: *mut c_int,
        periods: *mut c_int,
        reorder: c_int,
        comm_cart: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Cart_get(
        comm: Handle,
        maxdims: c_int,
        dims: *mut c_int,
        periods: *mut c_int,
        coords: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Cart_map(
        comm: Handle,
        ndims: c_int,
        dims: *mut c_int,
        periods: *mut c_int,
        newrank: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Cart_rank(comm: Handle, coords: *mut c_int, rank: *mut c_int) -> c_int;
    pub fn PMPI_Cart_shift(
        comm: Handle,
        direction: c_int,
        disp: c_int,
        rank_source: *mut c_int,
        rank_dest: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Cart_sub(comm: Handle, remain_dims: *mut c_int, newcomm: *mut Handle) -> c_int;
    pub fn PMPI_Cartdim_get(comm: Handle, ndims: *mut c_int) -> c_int;
    pub fn PMPI_Close_port(port_name: *mut c_char) -> c_int;
    pub fn PMPI_Comm_accept(
        port_name: *mut c_char,
        info: Handle,
        root: c_int,
        comm: Handle,
        newcomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_attach_buffer(comm: Handle, buffer: *mut c_void, size: c_int) -> c_int;
    pub fn PMPI_Comm_attach_buffer_c(comm: Handle, buffer: *mut c_void, size: i64) -> c_int;
    pub fn PMPI_Comm_call_errhandler(comm: Handle, errorcode: c_int) -> c_int;
    pub fn PMPI_Comm_compare(comm1: Handle, comm2: Handle, result: *mut c_int) -> c_int;
    pub fn PMPI_Comm_connect(
        port_name: *mut c_char,
        info: Handle,
        root: c_int,
        comm: Handle,
        newcomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_create(comm: Handle, group: Handle, newcomm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_create_errhandler(
        comm_errhandler_fn: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_create_from_group(
        group: Handle,
        stringtag: *mut c_char,
        info: Handle,
        errhandler: Handle,
        newcomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_create_group(
        comm: Handle,
        group: Handle,
        tag: c_int,
        newcomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_create_keyval(
        comm_copy_attr_fn: *mut c_void,
        comm_delete_attr_fn: *mut c_void,
        comm_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Comm_delete_attr(comm: Handle, comm_keyval: c_int) -> c_int;
    pub fn PMPI_Comm_detach_buffer(
        comm: Handle,
        buffer_addr: *mut c_void,
        size: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Comm_detach_buffer_c(
        comm: Handle,
        buffer_addr: *mut c_void,
        size: *mut i64,
    ) -> c_int;
    pub fn PMPI_Comm_disconnect(comm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_dup(comm: Handle, newcomm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_dup_with_info(comm: Handle, info: Handle, newcomm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_flush_buffer(comm: Handle) -> c_int;
    pub fn PMPI_Comm_free(comm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_free_keyval(comm_keyval: *mut c_int) -> c_int;
    pub fn PMPI_Comm_get_attr(
        comm: Handle,
        comm_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Comm_get_errhandler(comm: Handle, errhandler: *mut Handle) -> c_int;
    pub fn PMPI_Comm_get_info(comm: Handle, info_used: *mut Handle) -> c_int;
    pub fn PMPI_Comm_get_name(comm: Handle, comm_name: *mut c_char, resultlen: *mut c_int)
    -> c_int;
    pub fn PMPI_Comm_get_parent(parent: *mut Handle) -> c_int;
    pub fn PMPI_Comm_group(comm: Handle, group: *mut Handle) -> c_int;
    pub fn PMPI_Comm_idup(comm: Handle, newcomm: *mut Handle, request: *mut Handle) -> c_int;
    pub fn PMPI_Comm_idup_with_info(
        comm: Handle,
        info: Handle,
        newcomm: *mut Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_iflush_buffer(comm: Handle, request: *mut Handle) -> c_int;
    pub fn PMPI_Comm_join(fd: c_int, intercomm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_rank(comm: Handle, rank: *mut c_int) -> c_int;
    pub fn PMPI_Comm_remote_group(comm: Handle, group: *mut Handle) -> c_int;
    pub fn PMPI_Comm_remote_size(comm: Handle, size: *mut c_int) -> c_int;
    pub fn PMPI_Comm_set_attr(
        comm: Handle,
        comm_keyval: c_int,
        attribute_val: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Comm_set_errhandler(comm: Handle, errhandler: Handle) -> c_int;
    pub fn PMPI_Comm_set_info(comm: Handle, info: Handle) -> c_int;
    pub fn PMPI_Comm_set_name(comm: Handle, comm_name: *mut c_char) -> c_int;
    pub fn PMPI_Comm_size(comm: Handle, size: *mut c_int) -> c_int;
    pub fn PMPI_Comm_spawn(
        command: *mut c_char,
        argv: *mut *mut c_char,
        maxprocs: c_int,
        info: Handle,
        root: c_int,
        comm: Handle,
        intercomm: *mut Handle,
        array_of_errcodes: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Comm_spawn_multiple(
        count: c_int,
        array_of_commands: *mut *mut c_char,
        array_of_argv: *mut *mut *mut c_char,
        array_of_maxprocs: *mut c_int,
        array_of_info: *mut Handle,
        root: c_int,
        comm: Handle,
        intercomm: *mut Handle,
        array_of_errcodes: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Comm_split(comm: Handle, color: c_int, key: c_int, newcomm: *mut Handle) -> c_int;
    pub fn PMPI_Comm_split_type(
        comm: Handle,
        split_type: c_int,
        key: c_int,
        info: Handle,
        newcomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Comm_test_inter(comm: Handle, flag: *mut c_int) -> c_int;
    pub fn PMPI_Compare_and_swap(
        origin_addr: *mut c_void,
        compare_addr: *mut c_void,
        result_addr: *mut c_void,
        datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Dims_create(nnodes: c_int, ndims: c_int, dims: *mut c_int) -> c_int;
    pub fn PMPI_Dist_graph_create(
        comm_old: Handle,
        n: c_int,
        sources: *mut c_int,
        degrees: *mut c_int,
        destinations: *mut c_int,
        weights: *mut c_int,
        info: Handle,
        reorder: c_int,
        comm_dist_graph: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Dist_graph_create_adjacent(
        comm_old: Handle,
        indegree: c_int,
        sources: *mut c_int,
        sourceweights: *mut c_int,
        outdegree: c_int,
        destinations: *mut c_int,
        destweights: *mut c_int,
        info: Handle,
        reorder: c_int,
        comm_dist_graph: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Dist_graph_neighbors(
        comm: Handle,
        maxindegree: c_int,
        sources: *mut c_int,
        sourceweights: *mut c_int,
        maxoutdegree: c_int,
        destinations: *mut c_int,
        destweights: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Dist_graph_neighbors_count(
        comm: Handle,
        indegree: *mut c_int,
        outdegree: *mut c_int,
        weighted: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Errhandler_free(errhandler: *mut Handle) -> c_int;
    pub fn PMPI_Error_class(errorcode: c_int, errorclass: *mut c_int) -> c_int;
    pub fn PMPI_Error_string(errorcode: c_int, string: *mut c_char, resultlen: *mut c_int)
    -> c_int;
    pub fn PMPI_Exscan(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Exscan_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Exscan_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Exscan_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Fetch_and_op(
        origin_addr: *mut c_void,
        result_addr: *mut c_void,
        datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        op: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_File_call_errhandler(fh: File, errorcode: c_int) -> c_int;
    pub fn PMPI_File_close(fh: *mut File) -> c_int;
    pub fn PMPI_File_create_errhandler(
        file_errhandler_fn: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_delete(filename: *mut c_char, info: Handle) -> c_int;
    pub fn PMPI_File_get_amode(fh: File, amode: *mut c_int) -> c_int;
    pub fn PMPI_File_get_atomicity(fh: File, flag: *mut c_int) -> c_int;
    pub fn PMPI_File_get_byte_offset(fh: File, offset: i64, disp: *mut i64) -> c_int;
    pub fn PMPI_File_get_errhandler(file: File, errhandler: *mut Handle) -> c_int;
    pub fn PMPI_File_get_group(fh: File, group: *mut Handle) -> c_int;
    pub fn PMPI_File_get_info(fh: File, info_used: *mut Handle) -> c_int;
    pub fn PMPI_File_get_position(fh: File, offset: *mut i64) -> c_int;
    pub fn PMPI_File_get_position_shared(fh: File, offset: *mut i64) -> c_int;
    pub fn PMPI_File_get_size(fh: File, size: *mut i64) -> c_int;
    pub fn PMPI_File_get_type_extent(fh: File, datatype: Handle, extent: *mut isize) -> c_int;
    pub fn PMPI_File_get_view(
        fh: File,
        disp: *mut i64,
        etype: *mut Handle,
        filetype: *mut Handle,
        datarep: *mut c_char,
    ) -> c_int;
    pub fn PMPI_File_iread(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_all(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_all_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_at(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_at_all(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_at_all_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_at_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_shared(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iread_shared_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_all(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_all_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_at(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_at_all(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_at_all_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_at_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_shared(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_iwrite_shared_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_File_open(
        comm: Handle,
        filename: *mut c_char,
        amode: c_int,
        info: Handle,
        fh: *mut File,
    ) -> c_int;
    pub fn PMPI_File_preallocate(fh: File, size: i64) -> c_int;
    pub fn PMPI_File_read(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_all(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_all_begin(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_all_begin_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_all_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_all_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_read_at(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_at_all(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_at_all_begin(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_at_all_begin_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_at_all_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_at_all_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_read_at_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_ordered(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_ordered_begin(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_ordered_begin_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_read_ordered_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_ordered_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_read_shared(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_read_shared_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_seek(fh: File, offset: i64, whence: c_int) -> c_int;
    pub fn PMPI_File_seek_shared(fh: File, offset: i64, whence: c_int) -> c_int;
    pub fn PMPI_File_set_atomicity(fh: File, flag: c_int) -> c_int;
    pub fn PMPI_File_set_errhandler(file: File, errhandler: Handle) -> c_int;
    pub fn PMPI_File_set_info(fh: File, info: Handle) -> c_int;
    pub fn PMPI_File_set_size(fh: File, size: i64) -> c_int;
    pub fn PMPI_File_set_view(
        fh: File,
        disp: i64,
        etype: Handle,
        filetype: Handle,
        datarep: *mut c_char,
        info: Handle,
    ) -> c_int;
    pub fn PMPI_File_sync(fh: File) -> c_int;
    pub fn PMPI_File_write(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_all(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_all_begin(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_all_begin_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_all_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_all_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_write_at(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_at_all(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_at_all_begin(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_at_all_begin_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_at_all_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_at_all_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_write_at_c(
        fh: File,
        offset: i64,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_ordered(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_ordered_begin(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_ordered_begin_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_File_write_ordered_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_ordered_end(fh: File, buf: *mut c_void, status: *mut c_void) -> c_int;
    pub fn PMPI_File_write_shared(
        fh: File,
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_File_write_shared_c(
        fh: File,
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Finalize() -> c_int;
    pub fn PMPI_Finalized(flag: *mut c_int) -> c_int;
    pub fn PMPI_Free_mem(base: *mut c_void) -> c_int;
    pub fn PMPI_Gather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Gather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Gather_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Gather_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Gatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Gatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Gatherv_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Gatherv_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Get(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Get_accumulate(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        result_addr: *mut c_void,
        result_count: c_int,
        result_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Get_accumulate_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        result_addr: *mut c_void,
        result_count: i64,
        result_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Get_address(location: *mut c_void, address: *mut isize) -> c_int;
    pub fn PMPI_Get_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Get_count(status: *mut c_void, datatype: Handle, count: *mut c_int) -> c_int;
    pub fn PMPI_Get_count_c(status: *mut c_void, datatype: Handle, count: *mut i64) -> c_int;
    pub fn PMPI_Get_elements(status: *mut c_void, datatype: Handle, count: *mut c_int) -> c_int;
    pub fn PMPI_Get_elements_c(status: *mut c_void, datatype: Handle, count: *mut i64) -> c_int;
    pub fn PMPI_Get_elements_x(status: *mut c_void, datatype: Handle, count: *mut i64) -> c_int;
    pub fn PMPI_Get_hw_resource_info(hw_info: *mut Handle) -> c_int;
    pub fn PMPI_Get_library_version(version: *mut c_char, resultlen: *mut c_int) -> c_int;
    pub fn PMPI_Get_processor_name(name: *mut c_char, resultlen: *mut c_int) -> c_int;
    pub fn PMPI_Get_version(version: *mut c_int, subversion: *mut c_int) -> c_int;
    pub fn PMPI_Graph_create(
        comm_old: Handle,
        nnodes: c_int,
        index: *mut c_int,
        edges: *mut c_int,
        reorder: c_int,
        comm_graph: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Graph_get(
        comm: Handle,
        maxindex: c_int,
        maxedges: c_int,
        index: *mut c_int,
        edges: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Graph_map(
        comm: Handle,
        nnodes: c_int,
        index: *mut c_int,
        edges: *mut c_int,
        newrank: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Graph_neighbors(
        comm: Handle,
        rank: c_int,
        maxneighbors: c_int,
        neighbors: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Graph_neighbors_count(comm: Handle, rank: c_int, nneighbors: *mut c_int) -> c_int;
    pub fn PMPI_Graphdims_get(comm: Handle, nnodes: *mut c_int, nedges: *mut c_int) -> c_int;
    pub fn PMPI_Grequest_complete(request: Handle) -> c_int;
    pub fn PMPI_Grequest_start(
        query_fn: *mut c_void,
        free_fn: *mut c_void,
        cancel_fn: *mut c_void,
        extra_state: *mut c_void,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_compare(group1: Handle, group2: Handle, result: *mut c_int) -> c_int;
    pub fn PMPI_Group_difference(group1: Handle, group2: Handle, newgroup: *mut Handle) -> c_int;
    pub fn PMPI_Group_excl(
        group: Handle,
        n: c_int,
        ranks: *mut c_int,
        newgroup: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_free(group: *mut Handle) -> c_int;
    pub fn PMPI_Group_from_session_pset(
        session: Handle,
        pset_name: *mut c_char,
        newgroup: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_incl(
        group: Handle,
        n: c_int,
        ranks: *mut c_int,
        newgroup: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_intersection(group1: Handle, group2: Handle, newgroup: *mut Handle) -> c_int;
    pub fn PMPI_Group_range_excl(
        group: Handle,
        n: c_int,
        ranges: *mut c_int,
        newgroup: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_range_incl(
        group: Handle,
        n: c_int,
        ranges: *mut c_int,
        newgroup: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Group_rank(group: Handle, rank: *mut c_int) -> c_int;
    pub fn PMPI_Group_size(group: Handle, size: *mut c_int) -> c_int;
    pub fn PMPI_Group_translate_ranks(
        group1: Handle,
        n: c_int,
        ranks1: *mut c_int,
        group2: Handle,
        ranks2: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Group_union(group1: Handle, group2: Handle, newgroup: *mut Handle) -> c_int;
    pub fn PMPI_Iallgather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iallgather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iallgatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iallgatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iallreduce(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iallreduce_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoall(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoall_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoallv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoallv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoallw(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtypes: *mut Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ialltoallw_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ibarrier(comm: Handle, request: *mut Handle) -> c_int;
    pub fn PMPI_Ibcast(
        buffer: *mut c_void,
        count: c_int,
        datatype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ibcast_c(
        buffer: *mut c_void,
        count: i64,
        datatype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ibsend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ibsend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iexscan(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iexscan_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Igather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Igather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Igatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Igatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Improbe(
        source: c_int,
        tag: c_int,
        comm: Handle,
        flag: *mut c_int,
        message: *mut Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Imrecv(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        message: *mut Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Imrecv_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        message: *mut Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_allgather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_allgather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_allgatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_allgatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoall(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoall_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoallv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoallv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoallw(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ineighbor_alltoallw_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Info_create(info: *mut Handle) -> c_int;
    pub fn PMPI_Info_create_env(argc: c_int, argv: *mut *mut c_char, info: *mut Handle) -> c_int;
    pub fn PMPI_Info_delete(info: Handle, key: *mut c_char) -> c_int;
    pub fn PMPI_Info_dup(info: Handle, newinfo: *mut Handle) -> c_int;
    pub fn PMPI_Info_free(info: *mut Handle) -> c_int;
    pub fn PMPI_Info_get(
        info: Handle,
        key: *mut c_char,
        valuelen: c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Info_get_nkeys(info: Handle, nkeys: *mut c_int) -> c_int;
    pub fn PMPI_Info_get_nthkey(info: Handle, n: c_int, key: *mut c_char) -> c_int;
    pub fn PMPI_Info_get_string(
        info: Handle,
        key: *mut c_char,
        buflen: *mut c_int,
        value: *mut c_char,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Info_get_valuelen(
        info: Handle,
        key: *mut c_char,
        valuelen: *mut c_int,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Info_set(info: Handle, key: *mut c_char, value: *mut c_char) -> c_int;
    pub fn PMPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int;
    pub fn PMPI_Init_thread(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        required: c_int,
        provided: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Initialized(flag: *mut c_int) -> c_int;
    pub fn PMPI_Intercomm_create(
        local_comm: Handle,
        local_leader: c_int,
        peer_comm: Handle,
        remote_leader: c_int,
        tag: c_int,
        newintercomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Intercomm_create_from_groups(
        local_group: Handle,
        local_leader: c_int,
        remote_group: Handle,
        remote_leader: c_int,
        stringtag: *mut c_char,
        info: Handle,
        errhandler: Handle,
        newintercomm: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Intercomm_merge(intercomm: Handle, high: c_int, newintracomm: *mut Handle)
    -> c_int;
    pub fn PMPI_Iprobe(
        source: c_int,
        tag: c_int,
        comm: Handle,
        flag: *mut c_int,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Irecv(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Irecv_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce_scatter(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce_scatter_block(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce_scatter_block_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ireduce_scatter_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Irsend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Irsend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Is_thread_main(flag: *mut c_int) -> c_int;
    pub fn PMPI_Iscan(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iscan_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iscatter(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iscatter_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iscatterv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        displs: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Iscatterv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        displs: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isendrecv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isendrecv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isendrecv_replace(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Isendrecv_replace_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Issend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Issend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Keyval_create(
        copy_fn: *mut c_void,
        delete_fn: *mut c_void,
        keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Keyval_free(keyval: *mut c_int) -> c_int;
    pub fn PMPI_Lookup_name(
        service_name: *mut c_char,
        info: Handle,
        port_name: *mut c_char,
    ) -> c_int;
    pub fn PMPI_Mprobe(
        source: c_int,
        tag: c_int,
        comm: Handle,
        message: *mut Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Mrecv(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        message: *mut Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Mrecv_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        message: *mut Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgather(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgather_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgather_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgather_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgatherv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgatherv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgatherv_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        displs: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_allgatherv_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        displs: *mut isize,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoall(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoall_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoall_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoall_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallv_init(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut c_int,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallv_init_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtype: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallw(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallw_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallw_init(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Neighbor_alltoallw_init_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        sdispls: *mut isize,
        sendtypes: *mut Handle,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        rdispls: *mut isize,
        recvtypes: *mut Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Op_commutative(op: Handle, commute: *mut c_int) -> c_int;
    pub fn PMPI_Op_create(user_fn: *mut c_void, commute: c_int, op: *mut Handle) -> c_int;
    pub fn PMPI_Op_create_c(user_fn: *mut c_void, commute: c_int, op: *mut Handle) -> c_int;
    pub fn PMPI_Op_free(op: *mut Handle) -> c_int;
    pub fn PMPI_Open_port(info: Handle, port_name: *mut c_char) -> c_int;
    pub fn PMPI_Pack(
        inbuf: *mut c_void,
        incount: c_int,
        datatype: Handle,
        outbuf: *mut c_void,
        outsize: c_int,
        position: *mut c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Pack_c(
        inbuf: *mut c_void,
        incount: i64,
        datatype: Handle,
        outbuf: *mut c_void,
        outsize: i64,
        position: *mut i64,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Pack_external(
        datarep: *mut c_char,
        inbuf: *mut c_void,
        incount: c_int,
        datatype: Handle,
        outbuf: *mut c_void,
        outsize: isize,
        position: *mut isize,
    ) -> c_int;
    pub fn PMPI_Pack_external_c(
        datarep: *mut c_char,
        inbuf: *mut c_void,
        incount: i64,
        datatype: Handle,
        outbuf: *mut c_void,
        outsize: i64,
        position: *mut i64,
    ) -> c_int;
    pub fn PMPI_Pack_external_size(
        datarep: *mut c_char,
        incount: c_int,
        datatype: Handle,
        size: *mut isize,
    ) -> c_int;
    pub fn PMPI_Pack_external_size_c(
        datarep: *mut c_char,
        incount: i64,
        datatype: Handle,
        size: *mut i64,
    ) -> c_int;
    pub fn PMPI_Pack_size(
        incount: c_int,
        datatype: Handle,
        comm: Handle,
        size: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Pack_size_c(incount: i64, datatype: Handle, comm: Handle, size: *mut i64) -> c_int;
    pub fn PMPI_Parrived(request: Handle, partition: c_int, flag: *mut c_int) -> c_int;
    pub fn PMPI_Pcontrol(level: c_int) -> c_int;
    pub fn PMPI_Pready(partition: c_int, request: Handle) -> c_int;
    pub fn PMPI_Pready_list(
        length: c_int,
        array_of_partitions: *mut c_int,
        request: Handle,
    ) -> c_int;
    pub fn PMPI_Pready_range(partition_low: c_int, partition_high: c_int, request: Handle)
    -> c_int;
    pub fn PMPI_Precv_init(
        buf: *mut c_void,
        partitions: c_int,
        count: i64,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Probe(source: c_int, tag: c_int, comm: Handle, status: *mut c_void) -> c_int;
    pub fn PMPI_Psend_init(
        buf: *mut c_void,
        partitions: c_int,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Publish_name(
        service_name: *mut c_char,
        info: Handle,
        port_name: *mut c_char,
    ) -> c_int;
    pub fn PMPI_Put(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Put_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        win: Handle,
    ) -> c_int;
    pub fn PMPI_Query_thread(provided: *mut c_int) -> c_int;
    pub fn PMPI_Raccumulate(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Raccumulate_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Recv(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Recv_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Recv_init(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Recv_init_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        source: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_local(
        inbuf: *mut c_void,
        inoutbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_local_c(
        inbuf: *mut c_void,
        inoutbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_block(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_block_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_block_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_block_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcount: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Reduce_scatter_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        recvcounts: *mut i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Register_datarep(
        datarep: *mut c_char,
        read_conversion_fn: *mut c_void,
        write_conversion_fn: *mut c_void,
        dtype_file_extent_fn: *mut c_void,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Register_datarep_c(
        datarep: *mut c_char,
        read_conversion_fn: *mut c_void,
        write_conversion_fn: *mut c_void,
        dtype_file_extent_fn: *mut c_void,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Remove_error_class(errorclass: c_int) -> c_int;
    pub fn PMPI_Remove_error_code(errorcode: c_int) -> c_int;
    pub fn PMPI_Remove_error_string(errorcode: c_int) -> c_int;
    pub fn PMPI_Request_free(request: *mut Handle) -> c_int;
    pub fn PMPI_Request_get_status(request: Handle, flag: *mut c_int, status: *mut c_void)
    -> c_int;
    pub fn PMPI_Request_get_status_all(
        count: c_int,
        array_of_requests: *mut Handle,
        flag: *mut c_int,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Request_get_status_any(
        count: c_int,
        array_of_requests: *mut Handle,
        index: *mut c_int,
        flag: *mut c_int,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Request_get_status_some(
        incount: c_int,
        array_of_requests: *mut Handle,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Rget(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rget_accumulate(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        result_addr: *mut c_void,
        result_count: c_int,
        result_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rget_accumulate_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        result_addr: *mut c_void,
        result_count: i64,
        result_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        op: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rget_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rput(
        origin_addr: *mut c_void,
        origin_count: c_int,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: c_int,
        target_datatype: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rput_c(
        origin_addr: *mut c_void,
        origin_count: i64,
        origin_datatype: Handle,
        target_rank: c_int,
        target_disp: isize,
        target_count: i64,
        target_datatype: Handle,
        win: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rsend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Rsend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Rsend_init(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Rsend_init_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scan(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scan_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scan_init(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: c_int,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scan_init_c(
        sendbuf: *mut c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Handle,
        op: Handle,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scatter(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scatter_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scatter_init(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scatter_init_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scatterv(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        displs: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scatterv_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        displs: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Scatterv_init(
        sendbuf: *mut c_void,
        sendcounts: *mut c_int,
        displs: *mut c_int,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Scatterv_init_c(
        sendbuf: *mut c_void,
        sendcounts: *mut i64,
        displs: *mut isize,
        sendtype: Handle,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        root: c_int,
        comm: Handle,
        info: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Send(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Send_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Send_init(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Send_init_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Sendrecv(
        sendbuf: *mut c_void,
        sendcount: c_int,
        sendtype: Handle,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: c_int,
        recvtype: Handle,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Sendrecv_c(
        sendbuf: *mut c_void,
        sendcount: i64,
        sendtype: Handle,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: i64,
        recvtype: Handle,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Sendrecv_replace(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Sendrecv_replace_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: Handle,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Session_attach_buffer(session: Handle, buffer: *mut c_void, size: c_int) -> c_int;
    pub fn PMPI_Session_attach_buffer_c(session: Handle, buffer: *mut c_void, size: i64) -> c_int;
    pub fn PMPI_Session_call_errhandler(session: Handle, errorcode: c_int) -> c_int;
    pub fn PMPI_Session_create_errhandler(
        session_errhandler_fn: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Session_detach_buffer(
        session: Handle,
        buffer_addr: *mut c_void,
        size: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Session_detach_buffer_c(
        session: Handle,
        buffer_addr: *mut c_void,
        size: *mut i64,
    ) -> c_int;
    pub fn PMPI_Session_finalize(session: *mut Handle) -> c_int;
    pub fn PMPI_Session_flush_buffer(session: Handle) -> c_int;
    pub fn PMPI_Session_get_errhandler(session: Handle, errhandler: *mut Handle) -> c_int;
    pub fn PMPI_Session_get_info(session: Handle, info_used: *mut Handle) -> c_int;
    pub fn PMPI_Session_get_nth_pset(
        session: Handle,
        info: Handle,
        n: c_int,
        pset_len: *mut c_int,
        pset_name: *mut c_char,
    ) -> c_int;
    pub fn PMPI_Session_get_num_psets(
        session: Handle,
        info: Handle,
        npset_names: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Session_get_pset_info(
        session: Handle,
        pset_name: *mut c_char,
        info: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Session_iflush_buffer(session: Handle, request: *mut Handle) -> c_int;
    pub fn PMPI_Session_init(info: Handle, errhandler: Handle, session: *mut Handle) -> c_int;
    pub fn PMPI_Session_set_errhandler(session: Handle, errhandler: Handle) -> c_int;
    pub fn PMPI_Ssend(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Ssend_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Ssend_init(
        buf: *mut c_void,
        count: c_int,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Ssend_init_c(
        buf: *mut c_void,
        count: i64,
        datatype: Handle,
        dest: c_int,
        tag: c_int,
        comm: Handle,
        request: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Start(request: *mut Handle) -> c_int;
    pub fn PMPI_Startall(count: c_int, array_of_requests: *mut Handle) -> c_int;
    pub fn PMPI_Status_get_error(status: *mut c_void, err: *mut c_int) -> c_int;
    pub fn PMPI_Status_get_source(status: *mut c_void, source: *mut c_int) -> c_int;
    pub fn PMPI_Status_get_tag(status: *mut c_void, tag: *mut c_int) -> c_int;
    pub fn PMPI_Status_set_cancelled(status: *mut c_void, flag: c_int) -> c_int;
    pub fn PMPI_Status_set_elements(status: *mut c_void, datatype: Handle, count: c_int) -> c_int;
    pub fn PMPI_Status_set_elements_c(status: *mut c_void, datatype: Handle, count: i64) -> c_int;
    pub fn PMPI_Status_set_elements_x(status: *mut c_void, datatype: Handle, count: i64) -> c_int;
    pub fn PMPI_Status_set_error(status: *mut c_void, err: c_int) -> c_int;
    pub fn PMPI_Status_set_source(status: *mut c_void, source: c_int) -> c_int;
    pub fn PMPI_Status_set_tag(status: *mut c_void, tag: c_int) -> c_int;
    pub fn PMPI_Test(request: *mut Handle, flag: *mut c_int, status: *mut c_void) -> c_int;
    pub fn PMPI_Test_cancelled(status: *mut c_void, flag: *mut c_int) -> c_int;
    pub fn PMPI_Testall(
        count: c_int,
        array_of_requests: *mut Handle,
        flag: *mut c_int,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Testany(
        count: c_int,
        array_of_requests: *mut Handle,
        index: *mut c_int,
        flag: *mut c_int,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Testsome(
        incount: c_int,
        array_of_requests: *mut Handle,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Topo_test(comm: Handle, status: *mut c_int) -> c_int;
    pub fn PMPI_Type_commit(datatype: *mut Handle) -> c_int;
    pub fn PMPI_Type_contiguous(count: c_int, oldtype: Handle, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_contiguous_c(count: i64, oldtype: Handle, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_create_darray(
        size: c_int,
        rank: c_int,
        ndims: c_int,
        array_of_gsizes: *mut c_int,
        array_of_distribs: *mut c_int,
        array_of_dargs: *mut c_int,
        array_of_psizes: *mut c_int,
        order: c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_darray_c(
        size: c_int,
        rank: c_int,
        ndims: c_int,
        array_of_gsizes: *mut i64,
        array_of_distribs: *mut c_int,
        array_of_dargs: *mut c_int,
        array_of_psizes: *mut c_int,
        order: c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_f90_complex(p: c_int, r: c_int, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_create_f90_integer(r: c_int, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_create_f90_real(p: c_int, r: c_int, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_create_hindexed(
        count: c_int,
        array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut isize,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_hindexed_block(
        count: c_int,
        blocklength: c_int,
        array_of_displacements: *mut isize,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_hindexed_block_c(
        count: i64,
        blocklength: i64,
        array_of_displacements: *mut i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_hindexed_c(
        count: i64,
        array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_hvector(
        count: c_int,
        blocklength: c_int,
        stride: isize,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_hvector_c(
        count: i64,
        blocklength: i64,
        stride: i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_indexed_block(
        count: c_int,
        blocklength: c_int,
        array_of_displacements: *mut c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_indexed_block_c(
        count: i64,
        blocklength: i64,
        array_of_displacements: *mut i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_keyval(
        type_copy_attr_fn: *mut c_void,
        type_delete_attr_fn: *mut c_void,
        type_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Type_create_resized(
        oldtype: Handle,
        lb: isize,
        extent: isize,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_struct(
        count: c_int,
        array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut isize,
        array_of_types: *mut Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_struct_c(
        count: i64,
        array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64,
        array_of_types: *mut Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_subarray(
        ndims: c_int,
        array_of_sizes: *mut c_int,
        array_of_subsizes: *mut c_int,
        array_of_starts: *mut c_int,
        order: c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_create_subarray_c(
        ndims: c_int,
        array_of_sizes: *mut i64,
        array_of_subsizes: *mut i64,
        array_of_starts: *mut i64,
        order: c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_delete_attr(datatype: Handle, type_keyval: c_int) -> c_int;
    pub fn PMPI_Type_dup(oldtype: Handle, newtype: *mut Handle) -> c_int;
    pub fn PMPI_Type_free(datatype: *mut Handle) -> c_int;
    pub fn PMPI_Type_free_keyval(type_keyval: *mut c_int) -> c_int;
    pub fn PMPI_Type_get_attr(
        datatype: Handle,
        type_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Type_get_contents(
        datatype: Handle,
        max_integers: c_int,
        max_addresses: c_int,
        max_datatypes: c_int,
        array_of_integers: *mut c_int,
        array_of_addresses: *mut isize,
        array_of_datatypes: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_get_contents_c(
        datatype: Handle,
        max_integers: i64,
        max_addresses: i64,
        max_large_counts: i64,
        max_datatypes: i64,
        array_of_integers: *mut c_int,
        array_of_addresses: *mut isize,
        array_of_large_counts: *mut i64,
        array_of_datatypes: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_get_envelope(
        datatype: Handle,
        num_integers: *mut c_int,
        num_addresses: *mut c_int,
        num_datatypes: *mut c_int,
        combiner: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Type_get_envelope_c(
        datatype: Handle,
        num_integers: *mut i64,
        num_addresses: *mut i64,
        num_large_counts: *mut i64,
        num_datatypes: *mut i64,
        combiner: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Type_get_extent(datatype: Handle, lb: *mut isize, extent: *mut isize) -> c_int;
    pub fn PMPI_Type_get_extent_c(datatype: Handle, lb: *mut i64, extent: *mut i64) -> c_int;
    pub fn PMPI_Type_get_extent_x(datatype: Handle, lb: *mut i64, extent: *mut i64) -> c_int;
    pub fn PMPI_Type_get_name(
        datatype: Handle,
        type_name: *mut c_char,
        resultlen: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Type_get_true_extent(
        datatype: Handle,
        true_lb: *mut isize,
        true_extent: *mut isize,
    ) -> c_int;
    pub fn PMPI_Type_get_true_extent_c(
        datatype: Handle,
        true_lb: *mut i64,
        true_extent: *mut i64,
    ) -> c_int;
    pub fn PMPI_Type_get_true_extent_x(
        datatype: Handle,
        true_lb: *mut i64,
        true_extent: *mut i64,
    ) -> c_int;
    pub fn PMPI_Type_get_value_index(
        value_type: Handle,
        index_type: Handle,
        pair_type: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_indexed(
        count: c_int,
        array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_indexed_c(
        count: i64,
        array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_match_size(typeclass: c_int, size: c_int, datatype: *mut Handle) -> c_int;
    pub fn PMPI_Type_set_attr(
        datatype: Handle,
        type_keyval: c_int,
        attribute_val: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Type_set_name(datatype: Handle, type_name: *mut c_char) -> c_int;
    pub fn PMPI_Type_size(datatype: Handle, size: *mut c_int) -> c_int;
    pub fn PMPI_Type_size_c(datatype: Handle, size: *mut i64) -> c_int;
    pub fn PMPI_Type_size_x(datatype: Handle, size: *mut i64) -> c_int;
    pub fn PMPI_Type_vector(
        count: c_int,
        blocklength: c_int,
        stride: c_int,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Type_vector_c(
        count: i64,
        blocklength: i64,
        stride: i64,
        oldtype: Handle,
        newtype: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Unpack(
        inbuf: *mut c_void,
        insize: c_int,
        position: *mut c_int,
        outbuf: *mut c_void,
        outcount: c_int,
        datatype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Unpack_c(
        inbuf: *mut c_void,
        insize: i64,
        position: *mut i64,
        outbuf: *mut c_void,
        outcount: i64,
        datatype: Handle,
        comm: Handle,
    ) -> c_int;
    pub fn PMPI_Unpack_external(
        datarep: *mut c_char,
        inbuf: *mut c_void,
        insize: isize,
        position: *mut isize,
        outbuf: *mut c_void,
        outcount: c_int,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_Unpack_external_c(
        datarep: *mut c_char,
        inbuf: *mut c_void,
        insize: i64,
        position: *mut i64,
        outbuf: *mut c_void,
        outcount: i64,
        datatype: Handle,
    ) -> c_int;
    pub fn PMPI_Unpublish_name(
        service_name: *mut c_char,
        info: Handle,
        port_name: *mut c_char,
    ) -> c_int;
    pub fn PMPI_Wait(request: *mut Handle, status: *mut c_void) -> c_int;
    pub fn PMPI_Waitall(
        count: c_int,
        array_of_requests: *mut Handle,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Waitany(
        count: c_int,
        array_of_requests: *mut Handle,
        index: *mut c_int,
        status: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Waitsome(
        incount: c_int,
        array_of_requests: *mut Handle,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Win_allocate(
        size: isize,
        disp_unit: c_int,
        info: Handle,
        comm: Handle,
        baseptr: *mut c_void,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_allocate_c(
        size: isize,
        disp_unit: isize,
        info: Handle,
        comm: Handle,
        baseptr: *mut c_void,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_allocate_shared(
        size: isize,
        disp_unit: c_int,
        info: Handle,
        comm: Handle,
        baseptr: *mut c_void,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_allocate_shared_c(
        size: isize,
        disp_unit: isize,
        info: Handle,
        comm: Handle,
        baseptr: *mut c_void,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_attach(win: Handle, base: *mut c_void, size: isize) -> c_int;
    pub fn PMPI_Win_call_errhandler(win: Handle, errorcode: c_int) -> c_int;
    pub fn PMPI_Win_complete(win: Handle) -> c_int;
    pub fn PMPI_Win_create(
        base: *mut c_void,
        size: isize,
        disp_unit: c_int,
        info: Handle,
        comm: Handle,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_create_c(
        base: *mut c_void,
        size: isize,
        disp_unit: isize,
        info: Handle,
        comm: Handle,
        win: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_create_dynamic(info: Handle, comm: Handle, win: *mut Handle) -> c_int;
    pub fn PMPI_Win_create_errhandler(
        win_errhandler_fn: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn PMPI_Win_create_keyval(
        win_copy_attr_fn: *mut c_void,
        win_delete_attr_fn: *mut c_void,
        win_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Win_delete_attr(win: Handle, win_keyval: c_int) -> c_int;
    pub fn PMPI_Win_detach(win: Handle, base: *mut c_void) -> c_int;
    pub fn PMPI_Win_fence(assert: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_flush(rank: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_flush_all(win: Handle) -> c_int;
    pub fn PMPI_Win_flush_local(rank: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_flush_local_all(win: Handle) -> c_int;
    pub fn PMPI_Win_free(win: *mut Handle) -> c_int;
    pub fn PMPI_Win_free_keyval(win_keyval: *mut c_int) -> c_int;
    pub fn PMPI_Win_get_attr(
        win: Handle,
        win_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int;
    pub fn PMPI_Win_get_errhandler(win: Handle, errhandler: *mut Handle) -> c_int;
    pub fn PMPI_Win_get_group(win: Handle, group: *mut Handle) -> c_int;
    pub fn PMPI_Win_get_info(win: Handle, info_used: *mut Handle) -> c_int;
    pub fn PMPI_Win_get_name(win: Handle, win_name: *mut c_char, resultlen: *mut c_int) -> c_int;
    pub fn PMPI_Win_lock(lock_type: c_int, rank: c_int, assert: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_lock_all(assert: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_post(group: Handle, assert: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_set_attr(win: Handle, win_keyval: c_int, attribute_val: *mut c_void) -> c_int;
    pub fn PMPI_Win_set_errhandler(win: Handle, errhandler: Handle) -> c_int;
    pub fn PMPI_Win_set_info(win: Handle, info: Handle) -> c_int;
    pub fn PMPI_Win_set_name(win: Handle, win_name: *mut c_char) -> c_int;
    pub fn PMPI_Win_shared_query(
        win: Handle,
        rank: c_int,
        size: *mut isize,
        disp_unit: *mut c_int,
        baseptr: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Win_shared_query_c(
        win: Handle,
        rank: c_int,
        size: *mut isize,
        disp_unit: *mut isize,
        baseptr: *mut c_void,
    ) -> c_int;
    pub fn PMPI_Win_start(group: Handle, assert: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_sync(win: Handle) -> c_int;
    pub fn PMPI_Win_test(win: Handle, flag: *mut c_int) -> c_int;
    pub fn PMPI_Win_unlock(rank: c_int, win: Handle) -> c_int;
    pub fn PMPI_Win_unlock_all(win: Handle) -> c_int;
    pub fn PMPI_Win_wait(win: Handle) -> c_int;
    pub fn PMPI_Wtick() -> f64;
    pub fn PMPI_Wtime() -> f64;
}
