// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: prof.

use crate::prelude::*;

binding! {
    MPI_Pcontrol PMPI_Pcontrol(level: c_int as int)
    on Raise::Default =>
    {
        impls::pcontrol(level)
    }
}
