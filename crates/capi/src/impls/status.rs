//! Reading and writing statuses (MPI 5.0 §3.2.5, §3.8.4, §13.3).

use super::arguments::negative_count;
use crate::params::{In, InOut, Out};
use crate::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Datatype;
use std::ffi::c_int;

/// A status that the program changes, which may not be `MPI_STATUS_IGNORE`.
fn required(status: InOut<'_, Status>) -> Outcome<&mut Status> {
    Ok(status.require("status")?.into_mut())
}

pub fn status_get_source(status: In<'_, Status>, source: Out<'_, c_int>) -> Outcome {
    source.put("source", status.require("status")?.source)
}

pub fn status_get_tag(status: In<'_, Status>, tag: Out<'_, c_int>) -> Outcome {
    tag.put("tag", status.require("status")?.tag)
}

pub fn status_get_error(status: In<'_, Status>, err: Out<'_, c_int>) -> Outcome {
    err.put("err", status.require("status")?.error)
}

pub fn status_set_source(status: InOut<'_, Status>, source: c_int) -> Outcome {
    required(status)?.source = source;
    Ok(())
}

pub fn status_set_tag(status: InOut<'_, Status>, tag: c_int) -> Outcome {
    required(status)?.tag = tag;
    Ok(())
}

pub fn status_set_error(status: InOut<'_, Status>, err: c_int) -> Outcome {
    required(status)?.error = err;
    Ok(())
}

pub fn status_set_cancelled(status: InOut<'_, Status>, flag: c_int) -> Outcome {
    required(status)?.set_cancelled(flag != 0);
    Ok(())
}

pub fn test_cancelled(status: In<'_, Status>, flag: Out<'_, c_int>) -> Outcome {
    flag.put("flag", c_int::from(status.require("status")?.is_cancelled()))
}

/// Sets the number of basic elements of a status that the program makes (MPI 5.0 §13.3).
/// `MPI_Get_elements` returns it, and `MPI_Get_count` what follows from it.
pub fn status_set_elements(status: InOut<'_, Status>, datatype: Datatype, count: i64) -> Outcome {
    if count < 0 {
        return Err(negative_count(count));
    }
    let bytes = enter_any()?.types.get(datatype)?.bytes_of_elements(count);
    let why = || {
        format!(
            "{count} basic elements of this type cannot be: \
             it has none, or they are more than 2^63 bytes"
        )
    };
    let bytes = bytes.ok_or_else(|| Error::new(abi::MPI_ERR_COUNT, why()))?;
    required(status)?.set_bytes(bytes);
    Ok(())
}
