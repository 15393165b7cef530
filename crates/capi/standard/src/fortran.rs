//! What `libmpifort_abi.so.1` needs beside MPI itself: attributes that Fortran sets and reads (MPI
//! 5.0 §19.3.7), keys whose functions are Fortran subroutines, which take every argument by
//! reference, copies of array sections that live as long as an operation, and the variables of
//! requests for the development checks.
//!
//! The statuses that Fortran ignores, as C knows them, are [`statuses`].
//!
//! `kind` is 0 for a communicator, 1 for a datatype, 2 for a window. `is_short` says that values
//! and the extra state are default INTEGERs (MPI-1), and not integers of the size of an address.

mod statuses;

pub use statuses::copy_status;

use crate::callback::Standard;
use crate::prelude::*;
use nemesis_capi::callback::outcome;
use nemesis_capi::copies::Kept;
use nemesis_capi::{callbacks, function_at};
use nemesis_mpi::abi;
use nemesis_mpi::attr::{Attribute, Form as ValueForm};
use nemesis_mpi::callback::{Binding, Object};
use nemesis_mpi::error::{Error, Outcome};
use std::ptr::null_mut;

const COMM: c_int = 0;
const DATATYPE: c_int = 1;
const WIN: c_int = 2;

fn object_of(kind: c_int, handle: usize) -> Outcome<Object> {
    match kind {
        COMM => Ok(Object::Comm(Comm(handle))),
        DATATYPE => Ok(Object::Datatype(Datatype(handle))),
        WIN => Ok(Object::Win(Win(handle))),
        _ => Err(Error::new(abi::MPI_ERR_ARG, format!("{kind} is no kind of object"))),
    }
}

/// An integer that a subroutine reads or writes.
type Integer = *mut c_int;

/// A value or an extra state that a subroutine reads or writes.
type Word = *mut isize;

/// Calls the functions of keys that were created in Fortran.
struct Subroutines {
    is_short: bool,
}

static SUBROUTINES: Subroutines = Subroutines { is_short: false };
static SHORT_SUBROUTINES: Subroutines = Subroutines { is_short: true };

impl Subroutines {
    fn form(&self) -> ValueForm {
        if self.is_short { ValueForm::Integer } else { ValueForm::Address }
    }
}

/// The handle's number in Fortran.
fn number_of(object: Object) -> Option<c_int> {
    match object {
        Object::Comm(comm) => Some(toint(comm)),
        Object::Datatype(datatype) => Some(toint(datatype)),
        Object::Win(win) => Some(toint(win)),
        Object::File(_) | Object::Session(_) => None,
    }
}

impl Binding for Subroutines {
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        let Some(mut handle) = number_of(old) else { return Ok(None) };
        let (mut key, extra, mut word) = (keyval, extra as Word, value.word() as isize);
        let (mut copied, mut flag, mut code) = (0, 0, abi::MPI_SUCCESS);
        // SAFETY: the address is a copy subroutine of the program, which takes handle, key, extra
        // state, value, new value, flag and error code; the extra state is the program's, and the
        // other places are local variables.
        unsafe {
            function_at!(function, (Integer, Integer, Word, Word, Word, Integer, Integer))(
                &mut handle,
                &mut key,
                extra,
                &mut word,
                &mut copied,
                &mut flag,
                &mut code,
            );
        }
        // A subroutine of MPI-1 has written a default INTEGER, the low half of the place.
        let copied = if self.is_short { copied as c_int as isize } else { copied };
        let copy = || Attribute::new(copied as usize, self.form());
        outcome::<Standard>(code).map(|()| (flag != 0).then(copy))
    }

    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        let Some(mut handle) = number_of(object) else { return Ok(()) };
        let (mut key, extra, mut word) = (keyval, extra as Word, value.word() as isize);
        let mut code = abi::MPI_SUCCESS;
        // SAFETY: the address is a delete subroutine of the program, which takes handle, key,
        // value, extra state and error code; the extra state is the program's, and the other places
        // are local variables.
        unsafe {
            function_at!(function, (Integer, Integer, Word, Word, Integer))(
                &mut handle,
                &mut key,
                &mut word,
                extra,
                &mut code,
            );
        }
        outcome::<Standard>(code)
    }

    // A key has no other functions.
    callbacks!(Standard: requests others);
}

binding! {
    only nemesis_fortran_create_keyval(
        kind: c_int as int, is_short: c_int as int, copy: Function as address,
        delete: Function as address, keyval: *mut c_int as address, extra: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let binding = if is_short != 0 { &SHORT_SUBROUTINES } else { &SUBROUTINES };
        let through = |function: Function| Callback::new(function as usize, false, binding);
        let (copy, delete) = (through(copy), through(delete));
        match object_of(kind, 0)? {
            Object::Comm(_) => {
                impls::comm_create_keyval(copy, delete, Out::new(keyval), extra)
            }
            Object::Datatype(_) => {
                impls::type_create_keyval(copy, delete, Out::new(keyval), extra)
            }
            _ => impls::win_create_keyval(copy, delete, Out::new(keyval), extra),
        }
    }
}

/// Returns the word that Fortran reads under a key.
fn word(object: Object, keyval: c_int) -> Outcome<Option<isize>> {
    let is_predefined = keyval > abi::MPI_KEYVAL_INVALID && keyval < FIRST_KEY;
    if !is_predefined {
        return Ok(impls::attribute_word(object, keyval)?.map(|word| word as isize));
    }
    let (mut pointer, mut found): (*mut c_void, c_int) = (null_mut(), 0);
    let (place, flag) = (Out::from(&mut pointer), Out::from(&mut found));
    match object {
        Object::Comm(comm) => impls::comm_get_attr(comm, keyval, place, flag)?,
        Object::Datatype(datatype) => impls::type_get_attr(datatype, keyval, place, flag)?,
        Object::Win(win) => impls::win_get_attr(win, keyval, place, flag)?,
        Object::File(_) | Object::Session(_) => {}
    }
    if found == 0 {
        return Ok(None);
    }
    // SAFETY: the size of a window is the address of an MPI_Aint, the value of every other
    // predefined key but its base that of an int.
    let word = unsafe {
        match keyval {
            abi::MPI_WIN_BASE => pointer as isize,
            abi::MPI_WIN_SIZE => pointer.cast::<isize>().read(),
            _ => pointer.cast::<c_int>().read() as isize,
        }
    };
    Ok(Some(word))
}

/// The first number of a key of the program (MPI 5.0 §20.4).
const FIRST_KEY: c_int = 1 << 16;

binding! {
    only nemesis_fortran_get_attr(
        kind: c_int as int, handle: usize as int, keyval: c_int as keyval,
        value: *mut isize as address, flag: *mut c_int as address,
    )
    on raise_on(kind, handle) =>
    {
        let found = word(object_of(kind, handle)?, keyval)?;
        if let Some(word) = found {
            Out::new(value).put("attribute_val", word)?;
        }
        Out::new(flag).put("flag", c_int::from(found.is_some()))
    }
}

binding! {
    only nemesis_fortran_set_attr(
        kind: c_int as int, is_short: c_int as int, handle: usize as int,
        keyval: c_int as keyval, value: isize as int,
    )
    on raise_on(kind, handle) =>
    {
        let form = if is_short != 0 { ValueForm::Integer } else { ValueForm::Address };
        impls::set_attribute(object_of(kind, handle)?, keyval, Attribute::new(value as usize, form))
    }
}

binding! {
    only nemesis_fortran_keep_copies(
        request: *mut Request as address, function: Function as address,
        copies: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::keep_copies(InOut::new(request), Kept::new(function, copies))
    }
}

binding! {
    only nemesis_fortran_request_left(request: *mut c_int as address, handle: Request as request)
    on Raise::Default =>
    {
        impls::request_converted(request.addr(), handle);
        Ok(())
    }
}

/// Returns the object whose error handler is called.
fn raise_on(kind: c_int, handle: usize) -> Raise {
    match kind {
        COMM => Raise::Comm(Comm(handle)),
        WIN => Raise::Win(Win(handle)),
        _ => Raise::Default,
    }
}
