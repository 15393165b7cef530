//! Errors that the Fortran library finds itself.

use crate::c;
use crate::kind::{COMM, WIN};
use crate::types::{self, Fint, finish, handle};
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

/// The greatest number of sentences with codes of their own. Sentences name lengths, so a program
/// can cause any number of them; and it may keep a code, so none is taken back.
const SENTENCES_MAX: usize = 256;

/// The codes of the sentences that were needed.
static CODES: Mutex<Option<HashMap<String, c_int>>> = Mutex::new(None);

/// Returns an error code of the class MPI_ERR_BUFFER, for which `MPI_Error_string` gives the
/// sentence; the class itself for a sentence after the first [`SENTENCES_MAX`].
pub fn code(sentence: &str) -> c_int {
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    let codes = codes.get_or_insert_default();
    if codes.len() == SENTENCES_MAX && !codes.contains_key(sentence) {
        return c::MPI_ERR_BUFFER;
    }
    *codes.entry(sentence.into()).or_insert_with(|| {
        let mut code = c::MPI_ERR_BUFFER;
        let text = format!("{sentence}\0");
        // SAFETY: the place is a local variable, and the string ends with a zero.
        unsafe {
            if c::PMPI_Add_error_code(c::MPI_ERR_BUFFER, &mut code) == 0 {
                c::PMPI_Add_error_string(code, text.as_ptr().cast_mut().cast());
            }
        }
        code
    })
}

/// The handle of the object whose error handler gets an error.
#[derive(Clone, Copy)]
pub enum Owner {
    Comm(*const Fint),
    Win(*const Fint),
    File(*const Fint),
    /// A call without such an object: its errors are those of `MPI_COMM_SELF` (MPI 5.0 §9.3).
    Process,
}

/// Ends a call with an error, by an error handler.
///
/// # Safety
/// The owner points to a handle, `ierror` is null or points to an INTEGER.
pub unsafe fn refuse(owner: Owner, ierror: *mut Fint, code: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        match owner {
            Owner::Comm(comm) => c::PMPI_Comm_call_errhandler(handle::<COMM>(comm), code),
            Owner::Win(win) => c::PMPI_Win_call_errhandler(handle::<WIN>(win), code),
            Owner::File(file) => c::PMPI_File_call_errhandler(types::file(file), code),
            Owner::Process => c::PMPI_Comm_call_errhandler(c::MPI_COMM_SELF, code),
        };
        finish(ierror, code);
    }
}
