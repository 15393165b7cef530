// generated from api/ by cargo xtask generate; do not edit
//! The procedures: prof.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    pcontrol(level: *mut c_int);
    let code = c::PMPI_Pcontrol(*level);
    let _ = code;
}
exports!(pcontrol: mpi_pcontrol_ mpi_pcontrol__ mpi_pcontrol MPI_PCONTROL pmpi_pcontrol_ pmpi_pcontrol__ pmpi_pcontrol PMPI_PCONTROL);
exports_f08!(pcontrol: mpi_pcontrol_f08_ pmpir_pcontrol_f08_; pcontrol: mpi_pcontrol_f08_ pmpi_pcontrol_f08_);
