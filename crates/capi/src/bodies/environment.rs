//! Error classes, codes and texts (MPI 5.0 §9.4, §9.5), error handlers (§9.3), and the machine: its name and resources.

use super::put;
use super::text::{put_string, text};
use crate::errors::{self, Raise};
use nemesis_mpi::abi;
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::enter;
use nemesis_mpi::errhandler::{self, Kind};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::error_codes;
use nemesis_mpi::handle::{Comm, Dead, Errhandler, File, Handle};
use nemesis_mpi::process;
use std::ffi::{c_char, c_int};

pub unsafe fn get_processor_name(name: *mut c_char, resultlen: *mut c_int) -> Outcome {
    // SAFETY: the caller's buffer has at least the smaller of the two ABIs' MPI_MAX_PROCESSOR_NAME bytes.
    unsafe { put_string(name, resultlen, &process::host(), PROCESSOR_NAME_BYTES) }
}

/// MPI_MAX_PROCESSOR_NAME of MPICH's ABI; the standard's is larger.
const PROCESSOR_NAME_BYTES: c_int = 128;

pub unsafe fn error_class(errorcode: c_int, errorclass: *mut c_int) -> Outcome {
    let class = error_codes::class_of(errorcode).ok_or_else(|| no_code(errorcode))?;
    // SAFETY: the caller's place.
    unsafe { put(errorclass, "errorclass", class) }
}

pub unsafe fn error_string(
    errorcode: c_int,
    string: *mut c_char,
    resultlen: *mut c_int,
) -> Outcome {
    let text = error_codes::text_of(errorcode).ok_or_else(|| no_code(errorcode))?;
    // SAFETY: the caller's buffer has MPI_MAX_ERROR_STRING bytes.
    unsafe { put_string(string, resultlen, &text, abi::MPI_MAX_ERROR_STRING) }
}

fn no_code(code: c_int) -> Box<Error> {
    Error::new(abi::MPI_ERR_ARG, format!("{code} is no error code"))
}

pub unsafe fn add_error_class(errorclass: *mut c_int) -> Outcome {
    let errorclass = super::place(errorclass, "errorclass")?;
    // SAFETY: not null, so the caller's place.
    unsafe { errorclass.write(error_codes::add_class()) };
    Ok(())
}

pub unsafe fn add_error_code(errorclass: c_int, errorcode: *mut c_int) -> Outcome {
    let errorcode = super::place(errorcode, "errorcode")?;
    let code = error_codes::add_code(errorclass)?;
    // SAFETY: not null, so the caller's place.
    unsafe { errorcode.write(code) };
    Ok(())
}

pub unsafe fn add_error_string(errorcode: c_int, string: *const c_char) -> Outcome {
    // SAFETY: the caller's string.
    let text = unsafe { text(string, "string") }?.into_owned();
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

pub unsafe fn remove_error_class(errorclass: c_int) -> Outcome {
    error_codes::remove_class(errorclass)
}

pub unsafe fn remove_error_code(errorcode: c_int) -> Outcome {
    error_codes::remove_code(errorcode)
}

pub unsafe fn remove_error_string(errorcode: c_int) -> Outcome {
    error_codes::remove_text(errorcode)
}

pub unsafe fn comm_create_errhandler(function: Callback, errhandler: *mut Errhandler) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { create(Kind::Comm, function, errhandler) }
}

pub unsafe fn win_create_errhandler(function: Callback, errhandler: *mut Errhandler) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { create(Kind::Win, function, errhandler) }
}

pub unsafe fn file_create_errhandler(function: Callback, errhandler: *mut Errhandler) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { create(Kind::File, function, errhandler) }
}

pub unsafe fn session_create_errhandler(
    function: Callback,
    errhandler: *mut Errhandler,
) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { create(Kind::Session, function, errhandler) }
}

unsafe fn create(kind: Kind, function: Callback, errhandler: *mut Errhandler) -> Outcome {
    let errhandler = super::place(errhandler, "errhandler")?;
    let made = errhandler::create(kind, function)?;
    // SAFETY: not null, so the caller's place.
    unsafe { errhandler.write(made) };
    Ok(())
}

pub unsafe fn errhandler_free(errhandler: *mut Errhandler) -> Outcome {
    let errhandler = super::place(errhandler, "errhandler")?;
    // SAFETY: not null, so the caller's handle.
    errhandler::free(unsafe { errhandler.read() })?;
    // SAFETY: as above.
    unsafe { errhandler.write(Errhandler::NULL) };
    Ok(())
}

/// What `MPI_…_call_errhandler` does once the object is known to exist.
pub(super) fn call_errhandler(raise: Raise, errorcode: c_int) -> Outcome {
    if error_codes::class_of(errorcode).is_none() {
        return Err(no_code(errorcode));
    }
    errors::deliver(raise, errorcode, || {
        let text = error_codes::text_of(errorcode).unwrap_or_default();
        format!(
            "nemesis: the program called its error handler\n  who   {}\n  why   {text}\n",
            process::who()
        )
    });
    Ok(())
}

/// `MPI_…_get_errhandler` once the object is known to exist.
pub(super) unsafe fn get_errhandler(object: Object, errhandler: *mut Errhandler) -> Outcome {
    let errhandler = super::place(errhandler, "errhandler")?;
    // SAFETY: not null, so the caller's place.
    unsafe { errhandler.write(errhandler::get(object)) };
    Ok(())
}

pub unsafe fn comm_set_errhandler(comm: Comm, errhandler: Errhandler) -> Outcome {
    enter()?.comm(comm)?;
    errhandler::attach(Object::Comm(comm), errhandler)
}

pub unsafe fn comm_get_errhandler(comm: Comm, errhandler: *mut Errhandler) -> Outcome {
    enter()?.comm(comm)?;
    // SAFETY: the caller's place.
    unsafe { get_errhandler(Object::Comm(comm), errhandler) }
}

pub unsafe fn comm_call_errhandler(comm: Comm, errorcode: c_int) -> Outcome {
    enter()?.comm(comm)?;
    call_errhandler(Raise::Comm(comm), errorcode)
}

/// Files are not furnished yet: the only handle there is is MPI_FILE_NULL, which has the handler of new files.
fn known_file(file: File) -> Outcome {
    if file.is_null() { Ok(()) } else { Err(Error::dead(abi::MPI_ERR_FILE, Dead::Foreign)) }
}

pub unsafe fn file_set_errhandler(file: File, errhandler: Errhandler) -> Outcome {
    known_file(file)?;
    errhandler::attach(Object::File(file), errhandler)
}

pub unsafe fn file_get_errhandler(file: File, errhandler: *mut Errhandler) -> Outcome {
    known_file(file)?;
    // SAFETY: the caller's place.
    unsafe { get_errhandler(Object::File(file), errhandler) }
}

pub unsafe fn file_call_errhandler(fh: File, errorcode: c_int) -> Outcome {
    known_file(fh)?;
    call_errhandler(Raise::File(fh), errorcode)
}
