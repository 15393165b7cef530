//! Copies of array sections, which a Fortran library keeps while an operation uses them.

#![allow(unsafe_code)]

use nemesis_mpi::error::Outcome;
use nemesis_mpi::request::Copies;
use nemesis_params::function_at;
use std::ffi::{c_int, c_void};
use std::ptr::with_exposed_provenance_mut;

/// The copies must be filled from the program's buffers.
pub const FILL: c_int = 0;
/// The copies must be copied into the program's buffers.
pub const RETURN: c_int = 1;
/// The copies are no longer used.
pub const RELEASE: c_int = 2;

/// Copies that belong to the Fortran library, and its function for them, which takes the copies and
/// one of [`FILL`], [`RETURN`] and [`RELEASE`].
#[derive(Debug)]
pub struct Kept {
    function: usize,
    copies: usize,
}

impl Kept {
    pub fn new(function: *const c_void, copies: *mut c_void) -> Kept {
        Kept { function: function.expose_provenance(), copies: copies.expose_provenance() }
    }

    fn call(&self, what: c_int) {
        let copies = with_exposed_provenance_mut::<c_void>(self.copies);
        // SAFETY: the library passed the function together with the copies, and this type is the
        // only one that uses them until it is dropped.
        unsafe { function_at!(self.function, (*mut c_void, c_int))(copies, what) };
    }
}

impl Copies for Kept {
    fn fill(&self) -> Outcome {
        self.call(FILL);
        Ok(())
    }

    fn return_results(&self) -> Outcome {
        self.call(RETURN);
        Ok(())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.call(RELEASE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn note(copies: *mut c_void, what: c_int) {
        // SAFETY: the test passes a vector.
        unsafe { (*copies.cast::<Vec<c_int>>()).push(what) };
    }

    #[test]
    fn the_library_is_told_what_happens() {
        let mut told: Vec<c_int> = Vec::new();
        let kept = Kept::new(note as *const c_void, (&raw mut told).cast());
        assert!(kept.fill().is_ok() && kept.return_results().is_ok());
        drop(kept);
        assert_eq!(told, [FILL, RETURN, RELEASE]);
    }
}
