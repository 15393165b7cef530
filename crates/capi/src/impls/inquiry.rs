//! Asking about requests without completing them (MPI 5.0 §3.7.6).

use super::arguments::{report, requests_to_read};
use super::completion::answer_any;
use crate::params::{InSlice, Out, OutSlice, StatusOut, StatusesOut};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Request;
use nemesis_mpi::lanes;
use std::ffi::c_int;

pub fn request_get_status(
    request: Request,
    flag: Out<'_, c_int>,
    status: StatusOut<'_>,
) -> Outcome {
    let completed = lanes::get_status(request)?;
    flag.put("flag", c_int::from(completed.is_some()))?;
    if let Some(completion) = &completed {
        report(status, completion);
    }
    Ok(())
}

pub fn request_get_status_all(
    count: c_int,
    array_of_requests: InSlice<'_, Request>,
    flag: Out<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let statuses = lanes::get_status_all(requests_to_read(count, array_of_requests)?)?;
    flag.put("flag", c_int::from(statuses.is_some()))?;
    for (index, completion) in statuses.iter().flatten().enumerate() {
        report(array_of_statuses.at(index), completion);
    }
    Ok(())
}

pub fn request_get_status_any(
    count: c_int,
    array_of_requests: InSlice<'_, Request>,
    index: Out<'_, c_int>,
    flag: Out<'_, c_int>,
    status: StatusOut<'_>,
) -> Outcome {
    flag.require("flag")?;
    let any = lanes::get_status_any(requests_to_read(count, array_of_requests)?)?.without_error();
    answer_any(any, index, Some(flag), status)
}

pub fn request_get_status_some(
    incount: c_int,
    array_of_requests: InSlice<'_, Request>,
    outcount: Out<'_, c_int>,
    array_of_indices: OutSlice<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let outcount = outcount.require("outcount")?;
    let found = lanes::get_status_some(requests_to_read(incount, array_of_requests)?)?;
    outcount.write(found.as_ref().map_or(abi::MPI_UNDEFINED, |found| found.len() as c_int));
    let found = found.unwrap_or_default();
    array_of_indices.fill("array_of_indices", found.iter().map(|(index, _)| *index as c_int))?;
    for (slot, (_, completion)) in found.iter().enumerate() {
        report(array_of_statuses.at(slot), completion);
    }
    Ok(())
}
