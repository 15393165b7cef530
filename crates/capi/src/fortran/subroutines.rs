//! The program's subroutines in C libraries whose Fortran handles are other values than C's, and
//! attributes as Fortran sets and reads them (MPI 5.0 §19.3.7). A subroutine takes every argument
//! by reference.
//!
//! `kind` is 0 for a communicator, 1 for a datatype, 2 for a window. `is_short` says that values
//! and the extra state are default INTEGERs (MPI-1), and not integers of the size of an address.

use crate::callback::{Abi, outcome};
use crate::impls;
use crate::params::Out;
use crate::types::{Function, Status};
use crate::{Outcome, callbacks};
use nemesis_mpi::abi;
use nemesis_mpi::attr::{Attribute, Form};
use nemesis_mpi::callback::{Binding, Callback, Object};
use nemesis_mpi::error::Error;
use nemesis_mpi::handle::{Comm, Datatype, File, Handle, Session, Win};
use nemesis_params::function_at;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;

pub const COMM: c_int = 0;
pub const DATATYPE: c_int = 1;
pub const WIN: c_int = 2;

/// Returns the object of a kind with a handle of the standard ABI.
pub fn object_of(kind: c_int, handle: usize) -> Outcome<Object> {
    match kind {
        COMM => Ok(Object::Comm(Comm(handle))),
        DATATYPE => Ok(Object::Datatype(Datatype(handle))),
        WIN => Ok(Object::Win(Win(handle))),
        _ => Err(Error::new(abi::MPI_ERR_ARG, format!("{kind} is no kind of object"))),
    }
}

/// An ABI that knows the numbers of handles in Fortran.
pub trait Numbers: Abi {
    /// Returns the number of a handle of the standard ABI.
    fn number(handle: usize) -> c_int;
}

/// The types of an ABI as subroutines receive them: handles are numbers.
pub struct InFortran<A>(PhantomData<fn() -> A>);

impl<A: Numbers> Abi for InFortran<A> {
    type Comm = c_int;
    type Datatype = c_int;
    type Win = c_int;
    type File = c_int;
    type Session = c_int;
    type Status = A::Status;

    fn comm(handle: Comm) -> c_int {
        A::number(handle.bits())
    }
    fn datatype(handle: Datatype) -> c_int {
        A::number(handle.bits())
    }
    fn win(handle: Win) -> c_int {
        A::number(handle.bits())
    }
    fn file(handle: File) -> c_int {
        A::number(handle.bits())
    }
    fn session(handle: Session) -> c_int {
        A::number(handle.bits())
    }
    fn keyval(keyval: c_int) -> c_int {
        A::keyval(keyval)
    }
    fn safety(safety: c_int) -> c_int {
        A::safety(safety)
    }
    fn code(code: c_int) -> c_int {
        A::code(code)
    }
    fn returned(code: c_int) -> c_int {
        A::returned(code)
    }
    fn status(status: Status) -> A::Status {
        A::status(status)
    }
    fn status_to_standard(status: A::Status) -> Status {
        A::status_to_standard(status)
    }
}

/// Calls subroutines: the functions of keys that were created in Fortran, reductions and error
/// handlers.
pub struct Subroutines<A> {
    is_short: bool,
    abi: PhantomData<fn() -> A>,
}

/// An integer that a subroutine reads or writes.
type Integer = *mut c_int;

/// A value or an extra state that a subroutine reads or writes.
type Word = *mut isize;

impl<A: Numbers + 'static> Subroutines<A> {
    pub const LONG: &'static Subroutines<A> = &Subroutines { is_short: false, abi: PhantomData };
    pub const SHORT: &'static Subroutines<A> = &Subroutines { is_short: true, abi: PhantomData };

    /// Returns the handle's number in Fortran.
    fn number_of(object: Object) -> Option<c_int> {
        match object {
            Object::Comm(comm) => Some(A::number(comm.bits())),
            Object::Datatype(datatype) => Some(A::number(datatype.bits())),
            Object::Win(win) => Some(A::number(win.bits())),
            Object::File(_) | Object::Session(_) => None,
        }
    }

    /// Creates a key whose functions are subroutines.
    pub fn create_keyval(
        kind: c_int,
        is_short: bool,
        copy: Function,
        delete: Function,
        keyval: Out<'_, c_int>,
        extra: *mut c_void,
    ) -> Outcome {
        let binding = if is_short { Self::SHORT } else { Self::LONG };
        let through = |function: Function| Callback::new(function as usize, false, binding);
        let (copy, delete) = (through(copy), through(delete));
        match object_of(kind, 0)? {
            Object::Comm(_) => impls::comm_create_keyval(copy, delete, keyval, extra),
            Object::Datatype(_) => impls::type_create_keyval(copy, delete, keyval, extra),
            _ => impls::win_create_keyval(copy, delete, keyval, extra),
        }
    }
}

impl<A: Numbers + 'static> Binding for Subroutines<A> {
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        let Some(mut handle) = Self::number_of(old) else { return Ok(None) };
        let (mut key, extra) = (A::keyval(keyval), extra as Word);
        let mut word = value.word() as isize;
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
        let form = if self.is_short { Form::Integer } else { Form::Address };
        let copy = || Attribute::new(copied as usize, form);
        outcome::<A>(code).map(|()| (flag != 0).then(copy))
    }

    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        let Some(mut handle) = Self::number_of(object) else { return Ok(()) };
        let (mut key, extra) = (A::keyval(keyval), extra as Word);
        let mut word = value.word() as isize;
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
        outcome::<A>(code)
    }

    callbacks!(InFortran<A>: requests others);
}

/// Sets an attribute as Fortran does.
pub fn set_attribute(object: Object, keyval: c_int, value: isize, is_short: bool) -> Outcome {
    let form = if is_short { Form::Integer } else { Form::Address };
    impls::set_attribute(object, keyval, Attribute::new(value as usize, form))
}

/// Reads the word that Fortran sees under a key of the standard ABI, and writes whether there is
/// one. `foreign` converts what C reads under a predefined key to the ABI's value.
pub fn get_attribute(
    object: Object,
    keyval: c_int,
    value: Out<'_, isize>,
    flag: Out<'_, c_int>,
    foreign: impl FnOnce(&mut *const c_int),
) -> Outcome {
    let found = word(object, keyval, foreign)?;
    if let Some(word) = found {
        value.put("attribute_val", word)?;
    }
    flag.put("flag", c_int::from(found.is_some()))
}

fn word(
    object: Object,
    keyval: c_int,
    foreign: impl FnOnce(&mut *const c_int),
) -> Outcome<Option<isize>> {
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
    let mut pointer = pointer.cast_const().cast();
    foreign(&mut pointer);
    // SAFETY: the size of a window is the address of an MPI_Aint, the value of every other
    // predefined key but its base that of an int.
    let word = unsafe {
        match keyval {
            abi::MPI_WIN_BASE => pointer as isize,
            abi::MPI_WIN_SIZE => pointer.cast::<isize>().read(),
            _ => pointer.read() as isize,
        }
    };
    Ok(Some(word))
}

/// The first number of a key of the program (MPI 5.0 §20.4).
const FIRST_KEY: c_int = 1 << 16;
