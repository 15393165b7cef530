// generated from api/ by cargo xtask generate; do not edit
//! The procedures: rma.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    accumulate(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Accumulate(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    accumulate_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int,
        origin_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut c_int, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        ierror: *mut Fint) by accumulate(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    accumulate(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        target_rank, target_disp, target_count, target_datatype, op, win, ierror);
}
exports!(accumulate: mpi_accumulate_ mpi_accumulate__ mpi_accumulate MPI_ACCUMULATE pmpi_accumulate_ pmpi_accumulate__ pmpi_accumulate PMPI_ACCUMULATE);
exports_f08!(accumulate_f08ts: mpi_accumulate_f08ts_ pmpir_accumulate_f08ts_; accumulate: mpi_accumulate_f08_ pmpi_accumulate_f08_);

procedure! {
    accumulate_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Accumulate_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    accumulate_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64,
        origin_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut i64, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        ierror: *mut Fint) by accumulate_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    accumulate_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        target_rank, target_disp, target_count, target_datatype, op, win, ierror);
}
exports_large!(accumulate_c_f08ts: mpi_accumulate_c_f08ts_ pmpir_accumulate_c_f08ts_; mpi_accumulate_f08ts_large_ pmpir_accumulate_f08ts_large_);

procedure! {
    compare_and_swap(origin_addr: *mut c_void, compare_addr: *mut c_void, result_addr: *mut c_void,
        datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize, win: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Compare_and_swap(places::buffer(origin_addr), places::buffer(compare_addr),
        places::buffer(result_addr), handle::<DATATYPE>(datatype), *target_rank, *target_disp,
        handle::<WIN>(win));
    finish(ierror, code);
}
with_bases! {
    compare_and_swap_f08ts(origin_addr: *const Descriptor, compare_addr: *const Descriptor,
        result_addr: *const Descriptor, datatype: *mut Fint, target_rank: *mut c_int,
        target_disp: *mut isize, win: *mut Fint, ierror: *mut Fint);
    compare_and_swap((*origin_addr).base(), (*compare_addr).base(), (*result_addr).base(), datatype,
        target_rank, target_disp, win, ierror);
}
exports!(compare_and_swap: mpi_compare_and_swap_ mpi_compare_and_swap__ mpi_compare_and_swap MPI_COMPARE_AND_SWAP pmpi_compare_and_swap_ pmpi_compare_and_swap__ pmpi_compare_and_swap PMPI_COMPARE_AND_SWAP);
exports_f08!(compare_and_swap_f08ts: mpi_compare_and_swap_f08ts_ pmpir_compare_and_swap_f08ts_; compare_and_swap: mpi_compare_and_swap_f08_ pmpi_compare_and_swap_f08_);

procedure! {
    fetch_and_op(origin_addr: *mut c_void, result_addr: *mut c_void, datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, op: *mut Fint, win: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Fetch_and_op(places::buffer(origin_addr), places::buffer(result_addr),
        handle::<DATATYPE>(datatype), *target_rank, *target_disp, handle::<OP>(op),
        handle::<WIN>(win));
    finish(ierror, code);
}
with_bases! {
    fetch_and_op_f08ts(origin_addr: *const Descriptor, result_addr: *const Descriptor,
        datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize, op: *mut Fint,
        win: *mut Fint, ierror: *mut Fint);
    fetch_and_op((*origin_addr).base(), (*result_addr).base(), datatype, target_rank, target_disp,
        op, win, ierror);
}
exports!(fetch_and_op: mpi_fetch_and_op_ mpi_fetch_and_op__ mpi_fetch_and_op MPI_FETCH_AND_OP pmpi_fetch_and_op_ pmpi_fetch_and_op__ pmpi_fetch_and_op PMPI_FETCH_AND_OP);
exports_f08!(fetch_and_op_f08ts: mpi_fetch_and_op_f08ts_ pmpir_fetch_and_op_f08ts_; fetch_and_op: mpi_fetch_and_op_f08_ pmpi_fetch_and_op_f08_);

procedure! {
    get(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Get(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    get_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint) by get(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    get(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, ierror);
}
exports!(get: mpi_get_ mpi_get__ mpi_get MPI_GET pmpi_get_ pmpi_get__ pmpi_get PMPI_GET);
exports_f08!(get_f08ts: mpi_get_f08ts_ pmpir_get_f08ts_; get: mpi_get_f08_ pmpi_get_f08_);

procedure! {
    get_accumulate(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        result_addr: *mut c_void, result_count: *mut c_int, result_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Get_accumulate(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), places::buffer(result_addr), *result_count,
        handle::<DATATYPE>(result_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    get_accumulate_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int,
        origin_datatype: *mut Fint, result_addr: *const Descriptor, result_count: *mut c_int,
        result_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut c_int, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        ierror: *mut Fint) by get_accumulate(origin_addr, result_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    let mut result_addr_c = or_refuse!(Typed::new(result_addr, result_count, result_datatype),
        Owner::Win(win), ierror);
    get_accumulate(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        result_addr_c.address(), result_addr_c.count(), result_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, op, win, ierror);
}
exports!(get_accumulate: mpi_get_accumulate_ mpi_get_accumulate__ mpi_get_accumulate MPI_GET_ACCUMULATE pmpi_get_accumulate_ pmpi_get_accumulate__ pmpi_get_accumulate PMPI_GET_ACCUMULATE);
exports_f08!(get_accumulate_f08ts: mpi_get_accumulate_f08ts_ pmpir_get_accumulate_f08ts_; get_accumulate: mpi_get_accumulate_f08_ pmpi_get_accumulate_f08_);

procedure! {
    get_accumulate_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        result_addr: *mut c_void, result_count: *mut i64, result_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Get_accumulate_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), places::buffer(result_addr), *result_count,
        handle::<DATATYPE>(result_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    get_accumulate_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64,
        origin_datatype: *mut Fint, result_addr: *const Descriptor, result_count: *mut i64,
        result_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut i64, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        ierror: *mut Fint) by get_accumulate_c(origin_addr, result_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    let mut result_addr_c = or_refuse!(Typed::new(result_addr, result_count, result_datatype),
        Owner::Win(win), ierror);
    get_accumulate_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        result_addr_c.address(), result_addr_c.count(), result_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, op, win, ierror);
}
exports_large!(get_accumulate_c_f08ts: mpi_get_accumulate_c_f08ts_ pmpir_get_accumulate_c_f08ts_; mpi_get_accumulate_f08ts_large_ pmpir_get_accumulate_f08ts_large_);

procedure! {
    get_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Get_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    get_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint) by get_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    get_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, ierror);
}
exports_large!(get_c_f08ts: mpi_get_c_f08ts_ pmpir_get_c_f08ts_; mpi_get_f08ts_large_ pmpir_get_f08ts_large_);

procedure! {
    put(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Put(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    put_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint) by put(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    put(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, ierror);
}
exports!(put: mpi_put_ mpi_put__ mpi_put MPI_PUT pmpi_put_ pmpi_put__ pmpi_put PMPI_PUT);
exports_f08!(put_f08ts: mpi_put_f08ts_ pmpir_put_f08ts_; put: mpi_put_f08_ pmpi_put_f08_);

procedure! {
    put_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Put_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win));
    finish(ierror, code);
}
with_sections! {
    put_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, ierror: *mut Fint) by put_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    put_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, ierror);
}
exports_large!(put_c_f08ts: mpi_put_c_f08ts_ pmpir_put_c_f08ts_; mpi_put_f08ts_large_ pmpir_put_f08ts_large_);

procedure! {
    raccumulate(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Raccumulate(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    raccumulate_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int,
        origin_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut c_int, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by raccumulate(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    raccumulate(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
}
exports!(raccumulate: mpi_raccumulate_ mpi_raccumulate__ mpi_raccumulate MPI_RACCUMULATE pmpi_raccumulate_ pmpi_raccumulate__ pmpi_raccumulate PMPI_RACCUMULATE);
exports_f08!(raccumulate_f08ts: mpi_raccumulate_f08ts_ pmpir_raccumulate_f08ts_; raccumulate: mpi_raccumulate_f08_ pmpi_raccumulate_f08_);

procedure! {
    raccumulate_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Raccumulate_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    raccumulate_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64,
        origin_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut i64, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by raccumulate_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    raccumulate_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
}
exports_large!(raccumulate_c_f08ts: mpi_raccumulate_c_f08ts_ pmpir_raccumulate_c_f08ts_; mpi_raccumulate_f08ts_large_ pmpir_raccumulate_f08ts_large_);

procedure! {
    rget(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rget(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rget_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rget(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    rget(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, request, ierror);
}
exports!(rget: mpi_rget_ mpi_rget__ mpi_rget MPI_RGET pmpi_rget_ pmpi_rget__ pmpi_rget PMPI_RGET);
exports_f08!(rget_f08ts: mpi_rget_f08ts_ pmpir_rget_f08ts_; rget: mpi_rget_f08_ pmpi_rget_f08_);

procedure! {
    rget_accumulate(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        result_addr: *mut c_void, result_count: *mut c_int, result_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rget_accumulate(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), places::buffer(result_addr), *result_count,
        handle::<DATATYPE>(result_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rget_accumulate_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int,
        origin_datatype: *mut Fint, result_addr: *const Descriptor, result_count: *mut c_int,
        result_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut c_int, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by rget_accumulate(origin_addr, result_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    let mut result_addr_c = or_refuse!(Typed::new(result_addr, result_count, result_datatype),
        Owner::Win(win), ierror);
    rget_accumulate(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        result_addr_c.address(), result_addr_c.count(), result_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, op, win, request, ierror);
}
exports!(rget_accumulate: mpi_rget_accumulate_ mpi_rget_accumulate__ mpi_rget_accumulate MPI_RGET_ACCUMULATE pmpi_rget_accumulate_ pmpi_rget_accumulate__ pmpi_rget_accumulate PMPI_RGET_ACCUMULATE);
exports_f08!(rget_accumulate_f08ts: mpi_rget_accumulate_f08ts_ pmpir_rget_accumulate_f08ts_; rget_accumulate: mpi_rget_accumulate_f08_ pmpi_rget_accumulate_f08_);

procedure! {
    rget_accumulate_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        result_addr: *mut c_void, result_count: *mut i64, result_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rget_accumulate_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), places::buffer(result_addr), *result_count,
        handle::<DATATYPE>(result_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<OP>(op), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rget_accumulate_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64,
        origin_datatype: *mut Fint, result_addr: *const Descriptor, result_count: *mut i64,
        result_datatype: *mut Fint, target_rank: *mut c_int, target_disp: *mut isize,
        target_count: *mut i64, target_datatype: *mut Fint, op: *mut Fint, win: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by rget_accumulate_c(origin_addr, result_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    let mut result_addr_c = or_refuse!(Typed::new(result_addr, result_count, result_datatype),
        Owner::Win(win), ierror);
    rget_accumulate_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(),
        result_addr_c.address(), result_addr_c.count(), result_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, op, win, request, ierror);
}
exports_large!(rget_accumulate_c_f08ts: mpi_rget_accumulate_c_f08ts_ pmpir_rget_accumulate_c_f08ts_; mpi_rget_accumulate_f08ts_large_ pmpir_rget_accumulate_f08ts_large_);

procedure! {
    rget_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rget_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rget_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rget_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    rget_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, request, ierror);
}
exports_large!(rget_c_f08ts: mpi_rget_c_f08ts_ pmpir_rget_c_f08ts_; mpi_rget_f08ts_large_ pmpir_rget_f08ts_large_);

procedure! {
    rput(origin_addr: *mut c_void, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rput(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rput_f08ts(origin_addr: *const Descriptor, origin_count: *mut c_int, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut c_int,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rput(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    rput(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, request, ierror);
}
exports!(rput: mpi_rput_ mpi_rput__ mpi_rput MPI_RPUT pmpi_rput_ pmpi_rput__ pmpi_rput PMPI_RPUT);
exports_f08!(rput_f08ts: mpi_rput_f08ts_ pmpir_rput_f08ts_; rput: mpi_rput_f08_ pmpi_rput_f08_);

procedure! {
    rput_c(origin_addr: *mut c_void, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rput_c(places::buffer(origin_addr), *origin_count,
        handle::<DATATYPE>(origin_datatype), *target_rank, *target_disp, *target_count,
        handle::<DATATYPE>(target_datatype), handle::<WIN>(win), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rput_c_f08ts(origin_addr: *const Descriptor, origin_count: *mut i64, origin_datatype: *mut Fint,
        target_rank: *mut c_int, target_disp: *mut isize, target_count: *mut i64,
        target_datatype: *mut Fint, win: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rput_c(origin_addr);
    let mut origin_addr_c = or_refuse!(Typed::new(origin_addr, origin_count, origin_datatype),
        Owner::Win(win), ierror);
    rput_c(origin_addr_c.address(), origin_addr_c.count(), origin_addr_c.datatype(), target_rank,
        target_disp, target_count, target_datatype, win, request, ierror);
}
exports_large!(rput_c_f08ts: mpi_rput_c_f08ts_ pmpir_rput_c_f08ts_; mpi_rput_f08ts_large_ pmpir_rput_f08ts_large_);

procedure! {
    win_allocate(size: *mut isize, disp_unit: *mut c_int, info: *mut Fint, comm: *mut Fint,
        baseptr: *mut c_void, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_allocate(*size, *disp_unit, handle::<INFO>(info), handle::<COMM>(comm),
        baseptr, &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports!(win_allocate: mpi_win_allocate_ mpi_win_allocate__ mpi_win_allocate MPI_WIN_ALLOCATE mpi_win_allocate_cptr_ pmpi_win_allocate_ pmpi_win_allocate__ pmpi_win_allocate PMPI_WIN_ALLOCATE pmpi_win_allocate_cptr_);
exports_f08!(win_allocate: mpi_win_allocate_f08_ pmpir_win_allocate_f08_; win_allocate: mpi_win_allocate_f08_ pmpi_win_allocate_f08_);

procedure! {
    win_allocate_c(size: *mut isize, disp_unit: *mut isize, info: *mut Fint, comm: *mut Fint,
        baseptr: *mut c_void, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_allocate_c(*size, *disp_unit, handle::<INFO>(info), handle::<COMM>(comm),
        baseptr, &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports_large!(win_allocate_c: mpi_win_allocate_c_f08_ pmpir_win_allocate_c_f08_; mpi_win_allocate_f08_large_ pmpir_win_allocate_f08_large_);

procedure! {
    win_allocate_shared(size: *mut isize, disp_unit: *mut c_int, info: *mut Fint, comm: *mut Fint,
        baseptr: *mut c_void, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_allocate_shared(*size, *disp_unit, handle::<INFO>(info),
        handle::<COMM>(comm), baseptr, &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports!(win_allocate_shared: mpi_win_allocate_shared_ mpi_win_allocate_shared__ mpi_win_allocate_shared MPI_WIN_ALLOCATE_SHARED mpi_win_allocate_shared_cptr_ pmpi_win_allocate_shared_ pmpi_win_allocate_shared__ pmpi_win_allocate_shared PMPI_WIN_ALLOCATE_SHARED pmpi_win_allocate_shared_cptr_);
exports_f08!(win_allocate_shared: mpi_win_allocate_shared_f08_ pmpir_win_allocate_shared_f08_; win_allocate_shared: mpi_win_allocate_shared_f08_ pmpi_win_allocate_shared_f08_);

procedure! {
    win_allocate_shared_c(size: *mut isize, disp_unit: *mut isize, info: *mut Fint, comm: *mut Fint,
        baseptr: *mut c_void, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_allocate_shared_c(*size, *disp_unit, handle::<INFO>(info),
        handle::<COMM>(comm), baseptr, &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports_large!(win_allocate_shared_c: mpi_win_allocate_shared_c_f08_ pmpir_win_allocate_shared_c_f08_; mpi_win_allocate_shared_f08_large_ pmpir_win_allocate_shared_f08_large_);

procedure! {
    win_attach(win: *mut Fint, base: *mut c_void, size: *mut isize, ierror: *mut Fint);
    let code = c::PMPI_Win_attach(handle::<WIN>(win), places::buffer(base), *size);
    finish(ierror, code);
}
with_sections! {
    win_attach_f08ts(win: *mut Fint, base: *const Descriptor, size: *mut isize,
        ierror: *mut Fint) by win_attach(base);
    let base_c = or_refuse!(Contiguous::Memory.address(base, "MPI_Win_attach"), Owner::Win(win),
        ierror);
    win_attach(win, base_c, size, ierror);
}
exports!(win_attach: mpi_win_attach_ mpi_win_attach__ mpi_win_attach MPI_WIN_ATTACH pmpi_win_attach_ pmpi_win_attach__ pmpi_win_attach PMPI_WIN_ATTACH);
exports_f08!(win_attach_f08ts: mpi_win_attach_f08ts_ pmpir_win_attach_f08ts_; win_attach: mpi_win_attach_f08_ pmpi_win_attach_f08_);

procedure! {
    win_complete(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_complete(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_complete: mpi_win_complete_ mpi_win_complete__ mpi_win_complete MPI_WIN_COMPLETE pmpi_win_complete_ pmpi_win_complete__ pmpi_win_complete PMPI_WIN_COMPLETE);
exports_f08!(win_complete: mpi_win_complete_f08_ pmpir_win_complete_f08_; win_complete: mpi_win_complete_f08_ pmpi_win_complete_f08_);

procedure! {
    win_create(base: *mut c_void, size: *mut isize, disp_unit: *mut c_int, info: *mut Fint,
        comm: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_create(places::buffer(base), *size, *disp_unit, handle::<INFO>(info),
        handle::<COMM>(comm), &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
with_sections! {
    win_create_f08ts(base: *const Descriptor, size: *mut isize, disp_unit: *mut c_int,
        info: *mut Fint, comm: *mut Fint, win: *mut Fint, ierror: *mut Fint) by win_create(base);
    let base_c = or_refuse!(Contiguous::Memory.address(base, "MPI_Win_create"), Owner::Comm(comm),
        ierror);
    win_create(base_c, size, disp_unit, info, comm, win, ierror);
}
exports!(win_create: mpi_win_create_ mpi_win_create__ mpi_win_create MPI_WIN_CREATE pmpi_win_create_ pmpi_win_create__ pmpi_win_create PMPI_WIN_CREATE);
exports_f08!(win_create_f08ts: mpi_win_create_f08ts_ pmpir_win_create_f08ts_; win_create: mpi_win_create_f08_ pmpi_win_create_f08_);

procedure! {
    win_create_c(base: *mut c_void, size: *mut isize, disp_unit: *mut isize, info: *mut Fint,
        comm: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_create_c(places::buffer(base), *size, *disp_unit, handle::<INFO>(info),
        handle::<COMM>(comm), &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
with_sections! {
    win_create_c_f08ts(base: *const Descriptor, size: *mut isize, disp_unit: *mut isize,
        info: *mut Fint, comm: *mut Fint, win: *mut Fint, ierror: *mut Fint) by win_create_c(base);
    let base_c = or_refuse!(Contiguous::Memory.address(base, "MPI_Win_create_c"), Owner::Comm(comm),
        ierror);
    win_create_c(base_c, size, disp_unit, info, comm, win, ierror);
}
exports_large!(win_create_c_f08ts: mpi_win_create_c_f08ts_ pmpir_win_create_c_f08ts_; mpi_win_create_f08ts_large_ pmpir_win_create_f08ts_large_);

procedure! {
    win_create_dynamic(info: *mut Fint, comm: *mut Fint, win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_create_dynamic(handle::<INFO>(info), handle::<COMM>(comm), &mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports!(win_create_dynamic: mpi_win_create_dynamic_ mpi_win_create_dynamic__ mpi_win_create_dynamic MPI_WIN_CREATE_DYNAMIC pmpi_win_create_dynamic_ pmpi_win_create_dynamic__ pmpi_win_create_dynamic PMPI_WIN_CREATE_DYNAMIC);
exports_f08!(win_create_dynamic: mpi_win_create_dynamic_f08_ pmpir_win_create_dynamic_f08_; win_create_dynamic: mpi_win_create_dynamic_f08_ pmpi_win_create_dynamic_f08_);

procedure! {
    win_detach(win: *mut Fint, base: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Win_detach(handle::<WIN>(win), places::buffer(base));
    finish(ierror, code);
}
with_bases! {
    win_detach_f08ts(win: *mut Fint, base: *const Descriptor, ierror: *mut Fint);
    win_detach(win, (*base).base(), ierror);
}
exports!(win_detach: mpi_win_detach_ mpi_win_detach__ mpi_win_detach MPI_WIN_DETACH pmpi_win_detach_ pmpi_win_detach__ pmpi_win_detach PMPI_WIN_DETACH);
exports_f08!(win_detach_f08ts: mpi_win_detach_f08ts_ pmpir_win_detach_f08ts_; win_detach: mpi_win_detach_f08_ pmpi_win_detach_f08_);

procedure! {
    win_fence(assert: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_fence(*assert, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_fence: mpi_win_fence_ mpi_win_fence__ mpi_win_fence MPI_WIN_FENCE pmpi_win_fence_ pmpi_win_fence__ pmpi_win_fence PMPI_WIN_FENCE);
exports_f08!(win_fence: mpi_win_fence_f08_ pmpir_win_fence_f08_; win_fence: mpi_win_fence_f08_ pmpi_win_fence_f08_);

procedure! {
    win_flush(rank: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_flush(*rank, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_flush: mpi_win_flush_ mpi_win_flush__ mpi_win_flush MPI_WIN_FLUSH pmpi_win_flush_ pmpi_win_flush__ pmpi_win_flush PMPI_WIN_FLUSH);
exports_f08!(win_flush: mpi_win_flush_f08_ pmpir_win_flush_f08_; win_flush: mpi_win_flush_f08_ pmpi_win_flush_f08_);

procedure! {
    win_flush_all(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_flush_all(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_flush_all: mpi_win_flush_all_ mpi_win_flush_all__ mpi_win_flush_all MPI_WIN_FLUSH_ALL pmpi_win_flush_all_ pmpi_win_flush_all__ pmpi_win_flush_all PMPI_WIN_FLUSH_ALL);
exports_f08!(win_flush_all: mpi_win_flush_all_f08_ pmpir_win_flush_all_f08_; win_flush_all: mpi_win_flush_all_f08_ pmpi_win_flush_all_f08_);

procedure! {
    win_flush_local(rank: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_flush_local(*rank, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_flush_local: mpi_win_flush_local_ mpi_win_flush_local__ mpi_win_flush_local MPI_WIN_FLUSH_LOCAL pmpi_win_flush_local_ pmpi_win_flush_local__ pmpi_win_flush_local PMPI_WIN_FLUSH_LOCAL);
exports_f08!(win_flush_local: mpi_win_flush_local_f08_ pmpir_win_flush_local_f08_; win_flush_local: mpi_win_flush_local_f08_ pmpi_win_flush_local_f08_);

procedure! {
    win_flush_local_all(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_flush_local_all(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_flush_local_all: mpi_win_flush_local_all_ mpi_win_flush_local_all__ mpi_win_flush_local_all MPI_WIN_FLUSH_LOCAL_ALL pmpi_win_flush_local_all_ pmpi_win_flush_local_all__ pmpi_win_flush_local_all PMPI_WIN_FLUSH_LOCAL_ALL);
exports_f08!(win_flush_local_all: mpi_win_flush_local_all_f08_ pmpir_win_flush_local_all_f08_; win_flush_local_all: mpi_win_flush_local_all_f08_ pmpi_win_flush_local_all_f08_);

procedure! {
    win_free(win: *mut Fint, ierror: *mut Fint);
    let mut win_c = handle::<WIN>(win);
    let code = c::PMPI_Win_free(&mut win_c);
    give(win, win_c);
    finish(ierror, code);
}
exports!(win_free: mpi_win_free_ mpi_win_free__ mpi_win_free MPI_WIN_FREE pmpi_win_free_ pmpi_win_free__ pmpi_win_free PMPI_WIN_FREE);
exports_f08!(win_free: mpi_win_free_f08_ pmpir_win_free_f08_; win_free: mpi_win_free_f08_ pmpi_win_free_f08_);

procedure! {
    win_get_group(win: *mut Fint, group: *mut Fint, ierror: *mut Fint);
    let mut group_c = handle::<GROUP>(group);
    let code = c::PMPI_Win_get_group(handle::<WIN>(win), &mut group_c);
    give(group, group_c);
    finish(ierror, code);
}
exports!(win_get_group: mpi_win_get_group_ mpi_win_get_group__ mpi_win_get_group MPI_WIN_GET_GROUP pmpi_win_get_group_ pmpi_win_get_group__ pmpi_win_get_group PMPI_WIN_GET_GROUP);
exports_f08!(win_get_group: mpi_win_get_group_f08_ pmpir_win_get_group_f08_; win_get_group: mpi_win_get_group_f08_ pmpi_win_get_group_f08_);

procedure! {
    win_get_info(win: *mut Fint, info_used: *mut Fint, ierror: *mut Fint);
    let mut info_used_c = handle::<INFO>(info_used);
    let code = c::PMPI_Win_get_info(handle::<WIN>(win), &mut info_used_c);
    give(info_used, info_used_c);
    finish(ierror, code);
}
exports!(win_get_info: mpi_win_get_info_ mpi_win_get_info__ mpi_win_get_info MPI_WIN_GET_INFO pmpi_win_get_info_ pmpi_win_get_info__ pmpi_win_get_info PMPI_WIN_GET_INFO);
exports_f08!(win_get_info: mpi_win_get_info_f08_ pmpir_win_get_info_f08_; win_get_info: mpi_win_get_info_f08_ pmpi_win_get_info_f08_);

procedure! {
    win_lock(lock_type: *mut c_int, rank: *mut c_int, assert: *mut c_int, win: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Win_lock(*lock_type, *rank, *assert, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_lock: mpi_win_lock_ mpi_win_lock__ mpi_win_lock MPI_WIN_LOCK pmpi_win_lock_ pmpi_win_lock__ pmpi_win_lock PMPI_WIN_LOCK);
exports_f08!(win_lock: mpi_win_lock_f08_ pmpir_win_lock_f08_; win_lock: mpi_win_lock_f08_ pmpi_win_lock_f08_);

procedure! {
    win_lock_all(assert: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_lock_all(*assert, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_lock_all: mpi_win_lock_all_ mpi_win_lock_all__ mpi_win_lock_all MPI_WIN_LOCK_ALL pmpi_win_lock_all_ pmpi_win_lock_all__ pmpi_win_lock_all PMPI_WIN_LOCK_ALL);
exports_f08!(win_lock_all: mpi_win_lock_all_f08_ pmpir_win_lock_all_f08_; win_lock_all: mpi_win_lock_all_f08_ pmpi_win_lock_all_f08_);

procedure! {
    win_post(group: *mut Fint, assert: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_post(handle::<GROUP>(group), *assert, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_post: mpi_win_post_ mpi_win_post__ mpi_win_post MPI_WIN_POST pmpi_win_post_ pmpi_win_post__ pmpi_win_post PMPI_WIN_POST);
exports_f08!(win_post: mpi_win_post_f08_ pmpir_win_post_f08_; win_post: mpi_win_post_f08_ pmpi_win_post_f08_);

procedure! {
    win_set_info(win: *mut Fint, info: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_set_info(handle::<WIN>(win), handle::<INFO>(info));
    finish(ierror, code);
}
exports!(win_set_info: mpi_win_set_info_ mpi_win_set_info__ mpi_win_set_info MPI_WIN_SET_INFO pmpi_win_set_info_ pmpi_win_set_info__ pmpi_win_set_info PMPI_WIN_SET_INFO);
exports_f08!(win_set_info: mpi_win_set_info_f08_ pmpir_win_set_info_f08_; win_set_info: mpi_win_set_info_f08_ pmpi_win_set_info_f08_);

procedure! {
    win_shared_query(win: *mut Fint, rank: *mut c_int, size: *mut isize, disp_unit: *mut c_int,
        baseptr: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Win_shared_query(handle::<WIN>(win), *rank, size, disp_unit, baseptr);
    finish(ierror, code);
}
exports!(win_shared_query: mpi_win_shared_query_ mpi_win_shared_query__ mpi_win_shared_query MPI_WIN_SHARED_QUERY mpi_win_shared_query_cptr_ pmpi_win_shared_query_ pmpi_win_shared_query__ pmpi_win_shared_query PMPI_WIN_SHARED_QUERY pmpi_win_shared_query_cptr_);
exports_f08!(win_shared_query: mpi_win_shared_query_f08_ pmpir_win_shared_query_f08_; win_shared_query: mpi_win_shared_query_f08_ pmpi_win_shared_query_f08_);

procedure! {
    win_shared_query_c(win: *mut Fint, rank: *mut c_int, size: *mut isize, disp_unit: *mut isize,
        baseptr: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Win_shared_query_c(handle::<WIN>(win), *rank, size, disp_unit, baseptr);
    finish(ierror, code);
}
exports_large!(win_shared_query_c: mpi_win_shared_query_c_f08_ pmpir_win_shared_query_c_f08_; mpi_win_shared_query_f08_large_ pmpir_win_shared_query_f08_large_);

procedure! {
    win_start(group: *mut Fint, assert: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_start(handle::<GROUP>(group), *assert, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_start: mpi_win_start_ mpi_win_start__ mpi_win_start MPI_WIN_START pmpi_win_start_ pmpi_win_start__ pmpi_win_start PMPI_WIN_START);
exports_f08!(win_start: mpi_win_start_f08_ pmpir_win_start_f08_; win_start: mpi_win_start_f08_ pmpi_win_start_f08_);

procedure! {
    win_sync(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_sync(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_sync: mpi_win_sync_ mpi_win_sync__ mpi_win_sync MPI_WIN_SYNC pmpi_win_sync_ pmpi_win_sync__ pmpi_win_sync PMPI_WIN_SYNC);
exports_f08!(win_sync: mpi_win_sync_f08_ pmpir_win_sync_f08_; win_sync: mpi_win_sync_f08_ pmpi_win_sync_f08_);

procedure! {
    win_test(win: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Win_test(handle::<WIN>(win), &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(win_test: mpi_win_test_ mpi_win_test__ mpi_win_test MPI_WIN_TEST pmpi_win_test_ pmpi_win_test__ pmpi_win_test PMPI_WIN_TEST);
exports_f08!(win_test: mpi_win_test_f08_ pmpir_win_test_f08_; win_test: mpi_win_test_f08_ pmpi_win_test_f08_);

procedure! {
    win_unlock(rank: *mut c_int, win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_unlock(*rank, handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_unlock: mpi_win_unlock_ mpi_win_unlock__ mpi_win_unlock MPI_WIN_UNLOCK pmpi_win_unlock_ pmpi_win_unlock__ pmpi_win_unlock PMPI_WIN_UNLOCK);
exports_f08!(win_unlock: mpi_win_unlock_f08_ pmpir_win_unlock_f08_; win_unlock: mpi_win_unlock_f08_ pmpi_win_unlock_f08_);

procedure! {
    win_unlock_all(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_unlock_all(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_unlock_all: mpi_win_unlock_all_ mpi_win_unlock_all__ mpi_win_unlock_all MPI_WIN_UNLOCK_ALL pmpi_win_unlock_all_ pmpi_win_unlock_all__ pmpi_win_unlock_all PMPI_WIN_UNLOCK_ALL);
exports_f08!(win_unlock_all: mpi_win_unlock_all_f08_ pmpir_win_unlock_all_f08_; win_unlock_all: mpi_win_unlock_all_f08_ pmpi_win_unlock_all_f08_);

procedure! {
    win_wait(win: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_wait(handle::<WIN>(win));
    finish(ierror, code);
}
exports!(win_wait: mpi_win_wait_ mpi_win_wait__ mpi_win_wait MPI_WIN_WAIT pmpi_win_wait_ pmpi_win_wait__ pmpi_win_wait PMPI_WIN_WAIT);
exports_f08!(win_wait: mpi_win_wait_f08_ pmpir_win_wait_f08_; win_wait: mpi_win_wait_f08_ pmpi_win_wait_f08_);
