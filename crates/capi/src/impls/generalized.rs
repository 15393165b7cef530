//! Generalized requests (MPI 5.0 §13.2).

use super::arguments::put_request;
use crate::params::Out;
use nemesis_mpi::callback::{Binding, Callback};
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::generalized;
use nemesis_mpi::handle::Request;
use std::ffi::c_void;

pub fn grequest_start(
    query_fn: Callback,
    free_fn: Callback,
    cancel_fn: Callback,
    extra_state: *mut c_void,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let started =
        generalized::start(&mut mpi, (query_fn, free_fn, cancel_fn), extra_state as usize)?;
    put_request(request, started);
    Ok(())
}

pub fn grequest_complete(request: Request) -> Outcome {
    generalized::complete(&mut enter()?, request)
}

/// The functions of a generalized request follow the conventions of another language.
pub fn grequest_call_through(request: Request, binding: &'static dyn Binding) -> Outcome {
    generalized::call_through(&mut enter()?, request, binding)
}
