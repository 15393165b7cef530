// generated from api/ by cargo xtask generate; do not edit
//! The procedures: conv.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

exports!(others::status_copy: mpi_status_f082f_ pmpi_status_f082f_);
exports_f08!(others::status_copy: mpi_status_f082f_f08_ pmpir_status_f082f_f08_; others::status_copy: mpi_status_f082f_f08_ pmpi_status_f082f_f08_);

exports!(others::status_copy: mpi_status_f2f08_ pmpi_status_f2f08_);
exports_f08!(others::status_copy: mpi_status_f2f08_f08_ pmpir_status_f2f08_f08_; others::status_copy: mpi_status_f2f08_f08_ pmpi_status_f2f08_f08_);
