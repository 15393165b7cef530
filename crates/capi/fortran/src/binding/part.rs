// generated from api/ by cargo xtask generate; do not edit
//! The procedures: part.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    parrived(request: *mut Fint, partition: *mut c_int, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Parrived(handle::<REQUEST>(request), *partition, &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(parrived: mpi_parrived_ mpi_parrived__ mpi_parrived MPI_PARRIVED pmpi_parrived_ pmpi_parrived__ pmpi_parrived PMPI_PARRIVED);
exports_f08!(parrived: mpi_parrived_f08_ pmpir_parrived_f08_; parrived: mpi_parrived_f08_ pmpi_parrived_f08_);

procedure! {
    pready(partition: *mut c_int, request: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Pready(*partition, handle::<REQUEST>(request));
    finish(ierror, code);
}
exports!(pready: mpi_pready_ mpi_pready__ mpi_pready MPI_PREADY pmpi_pready_ pmpi_pready__ pmpi_pready PMPI_PREADY);
exports_f08!(pready: mpi_pready_f08_ pmpir_pready_f08_; pready: mpi_pready_f08_ pmpi_pready_f08_);

procedure! {
    pready_list(length: *mut c_int, array_of_partitions: *mut c_int, request: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Pready_list(*length, array_of_partitions, handle::<REQUEST>(request));
    finish(ierror, code);
}
exports!(pready_list: mpi_pready_list_ mpi_pready_list__ mpi_pready_list MPI_PREADY_LIST pmpi_pready_list_ pmpi_pready_list__ pmpi_pready_list PMPI_PREADY_LIST);
exports_f08!(pready_list: mpi_pready_list_f08_ pmpir_pready_list_f08_; pready_list: mpi_pready_list_f08_ pmpi_pready_list_f08_);

procedure! {
    pready_range(partition_low: *mut c_int, partition_high: *mut c_int, request: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Pready_range(*partition_low, *partition_high, handle::<REQUEST>(request));
    finish(ierror, code);
}
exports!(pready_range: mpi_pready_range_ mpi_pready_range__ mpi_pready_range MPI_PREADY_RANGE pmpi_pready_range_ pmpi_pready_range__ pmpi_pready_range PMPI_PREADY_RANGE);
exports_f08!(pready_range: mpi_pready_range_f08_ pmpir_pready_range_f08_; pready_range: mpi_pready_range_f08_ pmpi_pready_range_f08_);

procedure! {
    precv_init(buf: *mut c_void, partitions: *mut c_int, count: *mut i64, datatype: *mut Fint,
        source: *mut c_int, tag: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Precv_init(places::buffer(buf), *partitions, *count,
        handle::<DATATYPE>(datatype), *source, *tag, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    precv_init_f08ts(buf: *const Descriptor, partitions: *mut c_int, count: *mut i64,
        datatype: *mut Fint, source: *mut c_int, tag: *mut c_int, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by precv_init(buf);
    let buf_c = or_refuse!(Contiguous::Parts.address(buf, "MPI_Precv_init"), Owner::Comm(comm),
        ierror);
    precv_init(buf_c, partitions, count, datatype, source, tag, comm, info, request, ierror);
}
exports!(precv_init: mpi_precv_init_ mpi_precv_init__ mpi_precv_init MPI_PRECV_INIT pmpi_precv_init_ pmpi_precv_init__ pmpi_precv_init PMPI_PRECV_INIT);
exports_f08!(precv_init_f08ts: mpi_precv_init_f08ts_ pmpir_precv_init_f08ts_; precv_init: mpi_precv_init_f08_ pmpi_precv_init_f08_);

procedure! {
    psend_init(buf: *mut c_void, partitions: *mut c_int, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Psend_init(places::buffer(buf), *partitions, *count,
        handle::<DATATYPE>(datatype), *dest, *tag, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    psend_init_f08ts(buf: *const Descriptor, partitions: *mut c_int, count: *mut i64,
        datatype: *mut Fint, dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by psend_init(buf);
    let buf_c = or_refuse!(Contiguous::Parts.address(buf, "MPI_Psend_init"), Owner::Comm(comm),
        ierror);
    psend_init(buf_c, partitions, count, datatype, dest, tag, comm, info, request, ierror);
}
exports!(psend_init: mpi_psend_init_ mpi_psend_init__ mpi_psend_init MPI_PSEND_INIT pmpi_psend_init_ pmpi_psend_init__ pmpi_psend_init PMPI_PSEND_INIT);
exports_f08!(psend_init_f08ts: mpi_psend_init_f08ts_ pmpir_psend_init_f08ts_; psend_init: mpi_psend_init_f08_ pmpi_psend_init_f08_);
