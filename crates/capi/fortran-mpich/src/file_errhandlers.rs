//! Error handlers of files: a handle of a file is a pointer in C and a number in Fortran.
//!
//! The C library calls an error handler with the address of C's handle and passes it nothing of the
//! program's. So each subroutine of the program gets a C function of its own, of which there are a
//! fixed number.

use crate::c::{self, File, Handle};
use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::sync::{Mutex, PoisonError};

unsafe extern "C" {
    fn PMPI_File_c2f(file: File) -> c_int;
}

type Handler = unsafe extern "C" fn(*mut c_int, *mut c_int);

/// The number of subroutines that a program can use.
const SLOTS: usize = 32;

/// The addresses of the subroutines; zero for none.
static SUBROUTINES: Mutex<[usize; SLOTS]> = Mutex::new([0; SLOTS]);

/// Calls the subroutine of a slot.
unsafe extern "C" fn call<const SLOT: usize>(file: *mut File, code: *mut c_int) {
    let subroutine = SUBROUTINES.lock().unwrap_or_else(PoisonError::into_inner)[SLOT];
    // SAFETY: the C library passes addresses of a handle and of an error code, and the slot was
    // filled before the function was passed to it.
    unsafe {
        let mut file = PMPI_File_c2f(*file);
        transmute::<usize, Handler>(subroutine)(&mut file, code);
    }
}

macro_rules! functions {
    ($($slot:literal)*) => { [$(call::<$slot>),*] };
}

/// The functions of the slots.
static FUNCTIONS: [unsafe extern "C" fn(*mut File, *mut c_int); SLOTS] = functions!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
);

/// Creates an error handler from a subroutine of the program. The C library refuses it if the
/// program uses too many subroutines.
pub unsafe fn file_create_errhandler(subroutine: *mut c_void, errhandler: *mut Handle) -> c_int {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { c::PMPI_File_create_errhandler(function(subroutine), errhandler) }
}

/// Returns the C function for a subroutine of the program; null, which the C library refuses, if
/// the program uses too many.
fn function(subroutine: *mut c_void) -> *mut c_void {
    let mut slots = SUBROUTINES.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = subroutine as usize;
    let Some(slot) = slots.iter().position(|&used| used == wanted || used == 0) else {
        eprintln!(
            "libmpifort.so.12: this program creates error handlers of files from more than {SLOTS} \
             subroutines, and the library has no function for the next one; use one subroutine for \
             several files"
        );
        return std::ptr::null_mut();
    };
    slots[slot] = wanted;
    FUNCTIONS[slot] as *mut c_void
}
