// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI: prof.

use crate::prelude::*;

front! {
    MPI_Pcontrol PMPI_Pcontrol(level: c_int as int)
    on Raise::Default =>
    {
        bodies::pcontrol(level)
    }
}
