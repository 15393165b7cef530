//! Error classes, codes and texts (MPI 5.0 §9.4, §9.5), error handlers (§9.3), and the name of the
//! processor.

use crate::errors::{self, Raise};
use crate::params::{InOut, Out, StringIn, StringOut};
use nemesis_mpi::abi;
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::enter;
use nemesis_mpi::errhandler::{self, Kind};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::error_codes;
use nemesis_mpi::handle::{Comm, Errhandler, Handle};
use nemesis_mpi::process;
use nemesis_sys::host::hostname;
use std::ffi::c_int;

pub fn get_processor_name(name: StringOut<'_>, resultlen: Out<'_, c_int>) -> Outcome {
    name.put_with_length(&hostname(), PROCESSOR_NAME_BYTES, resultlen)
}

/// `MPI_MAX_PROCESSOR_NAME` of MPICH's ABI, which is smaller than the standard's.
const PROCESSOR_NAME_BYTES: c_int = 128;

pub fn error_class(errorcode: c_int, errorclass: Out<'_, c_int>) -> Outcome {
    let class = error_codes::class_of(errorcode).ok_or_else(|| no_code(errorcode))?;
    errorclass.put("errorclass", class.value())
}

pub fn error_string(errorcode: c_int, string: StringOut<'_>, resultlen: Out<'_, c_int>) -> Outcome {
    let text = error_codes::text_of(errorcode).ok_or_else(|| no_code(errorcode))?;
    string.put_with_length(&text, abi::MPI_MAX_ERROR_STRING, resultlen)
}

fn no_code(code: c_int) -> Box<Error> {
    Error::new(abi::MPI_ERR_ARG, format!("{code} is no error code"))
}

pub fn add_error_class(errorclass: Out<'_, c_int>) -> Outcome {
    let errorclass = errorclass.require("errorclass")?;
    errorclass.write(error_codes::add_class());
    Ok(())
}

pub fn add_error_code(errorclass: c_int, errorcode: Out<'_, c_int>) -> Outcome {
    let errorcode = errorcode.require("errorcode")?;
    let code = error_codes::add_code(errorclass)?;
    errorcode.write(code);
    Ok(())
}

pub fn add_error_string(errorcode: c_int, string: StringIn<'_>) -> Outcome {
    let text = string.require("string")?.into_owned();
    if text.len() >= abi::MPI_MAX_ERROR_STRING as usize {
        let why = format!(
            "the text has {} bytes, at most {} fit",
            text.len(),
            abi::MPI_MAX_ERROR_STRING - 1
        );
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    error_codes::add_text(errorcode, text)
}

pub fn remove_error_class(errorclass: c_int) -> Outcome {
    error_codes::remove_class(errorclass)
}

pub fn remove_error_code(errorcode: c_int) -> Outcome {
    error_codes::remove_code(errorcode)
}

pub fn remove_error_string(errorcode: c_int) -> Outcome {
    error_codes::remove_text(errorcode)
}

pub fn comm_create_errhandler(function: Callback, errhandler: Out<'_, Errhandler>) -> Outcome {
    create(Kind::Comm, function, errhandler)
}

pub fn win_create_errhandler(function: Callback, errhandler: Out<'_, Errhandler>) -> Outcome {
    create(Kind::Win, function, errhandler)
}

pub fn file_create_errhandler(function: Callback, errhandler: Out<'_, Errhandler>) -> Outcome {
    create(Kind::File, function, errhandler)
}

pub fn session_create_errhandler(function: Callback, errhandler: Out<'_, Errhandler>) -> Outcome {
    create(Kind::Session, function, errhandler)
}

fn create(kind: Kind, function: Callback, errhandler: Out<'_, Errhandler>) -> Outcome {
    let errhandler = errhandler.require("errhandler")?;
    let made = errhandler::create(kind, function)?;
    errhandler.write(made);
    Ok(())
}

pub fn errhandler_free(errhandler: InOut<'_, Errhandler>) -> Outcome {
    let errhandler = errhandler.require("errhandler")?;
    errhandler::free(errhandler.read())?;
    errhandler.write(Errhandler::NULL);
    Ok(())
}

/// Calls the error handler of an object that exists (`MPI_Comm_call_errhandler` and others).
pub(super) fn call_errhandler(raise: Raise, errorcode: c_int) -> Outcome {
    if error_codes::class_of(errorcode).is_none() {
        return Err(no_code(errorcode));
    }
    errors::deliver(raise, errorcode, || {
        let text = error_codes::text_of(errorcode).unwrap_or_default();
        format!(
            "nemesis: the program called its error handler\n{}  who   {}\n  why   {text}\n",
            errors::place(),
            process::who()
        )
    });
    Ok(())
}

/// Writes the error handler of an object that exists (`MPI_Comm_get_errhandler` and others).
pub(super) fn get_errhandler(object: Object, errhandler: Out<'_, Errhandler>) -> Outcome {
    let errhandler = errhandler.require("errhandler")?;
    errhandler.write(errhandler::get(object));
    Ok(())
}

pub fn comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> Outcome {
    let mpi = enter()?;
    // mpi4py sets the handler of each new communicator, that of MPI_Comm_idup at once.
    if !mpi.comms.is_pending(comm) {
        mpi.comm(comm)?;
    }
    drop(mpi);
    errhandler::attach(Object::Comm(comm), errhandler)
}

pub fn comm_get_errhandler(comm: Comm, errhandler: Out<'_, Errhandler>) -> Outcome {
    enter()?.comm(comm)?;
    get_errhandler(Object::Comm(comm), errhandler)
}

pub fn comm_call_errhandler(comm: Comm, errorcode: c_int) -> Outcome {
    enter()?.comm(comm)?;
    call_errhandler(Raise::Comm(comm), errorcode)
}
