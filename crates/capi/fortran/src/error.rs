//! Errors that the Fortran library finds itself.

use crate::c;
use crate::types::{Fint, finish, handle};
use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

/// The greatest number of sentences with codes of their own. Sentences name lengths, so a program can
/// cause any number; and it may keep a code, so none is taken back.
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

/// Ends a call with an error: by the error handler of the communicator, or of `MPI_COMM_SELF` if
/// the call has none.
///
/// # Safety
/// `comm` is null or points to a handle, `ierror` is null or points to an INTEGER.
pub unsafe fn refuse(comm: *const Fint, ierror: *mut Fint, code: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        let comm = if comm.is_null() { c::MPI_COMM_SELF } else { handle(comm) };
        c::PMPI_Comm_call_errhandler(comm, code);
        finish(ierror, code);
    }
}
