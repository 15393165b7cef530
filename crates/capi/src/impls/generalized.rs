//! Generalized requests (MPI 5.0 §13.2).

use super::arguments::put_request;
use crate::params::Out;
use nemesis_mpi::callback::{Binding, Callback};
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::generalized;
use nemesis_mpi::handle::Request;
use nemesis_mpi::request::{Functions, Polled};
use std::ffi::{c_int, c_void};

pub fn grequest_start(
    query_fn: Callback,
    free_fn: Callback,
    cancel_fn: Callback,
    extra_state: *mut c_void,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let functions = Functions { query: query_fn, free: free_fn, cancel: cancel_fn, polled: None };
    put_request(request, generalized::start(&mut mpi, functions, extra_state as usize)?);
    Ok(())
}

/// The functions of a polled request; of a plain one if both functions that poll are null.
fn polled(
    (query, free, cancel): (Callback, Callback, Callback),
    (poll, wait): (Callback, Callback),
) -> Functions {
    let polls = !(poll.is_null() && wait.is_null());
    let polled = polls.then_some(Polled { poll, wait, class: None });
    Functions { query, free, cancel, polled }
}

/// `MPIX_Grequest_start`
pub fn grequest_start_polled(
    query_fn: Callback,
    free_fn: Callback,
    cancel_fn: Callback,
    poll_fn: Callback,
    wait_fn: Callback,
    extra_state: *mut c_void,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let functions = polled((query_fn, free_fn, cancel_fn), (poll_fn, wait_fn));
    put_request(request, generalized::start(&mut mpi, functions, extra_state as usize)?);
    Ok(())
}

pub fn grequest_class_create(
    query_fn: Callback,
    free_fn: Callback,
    cancel_fn: Callback,
    poll_fn: Callback,
    wait_fn: Callback,
    greq_class: Out<'_, c_int>,
) -> Outcome {
    let mut mpi = enter()?;
    let greq_class = greq_class.require("greq_class")?;
    let functions = polled((query_fn, free_fn, cancel_fn), (poll_fn, wait_fn));
    greq_class.write(generalized::create_class(&mut mpi, functions) as c_int);
    Ok(())
}

pub fn grequest_class_allocate(
    greq_class: c_int,
    extra_state: *mut c_void,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let class = usize::try_from(greq_class).unwrap_or(0);
    put_request(request, generalized::start_of_class(&mut mpi, class, extra_state as usize)?);
    Ok(())
}

pub fn grequest_complete(request: Request) -> Outcome {
    generalized::complete(&mut enter()?, request)
}

/// The functions of a generalized request follow the conventions of another language.
pub fn grequest_call_through(request: Request, binding: &'static dyn Binding) -> Outcome {
    generalized::call_through(&mut enter()?, request, binding)
}
