//! Attributes that Fortran sets and reads (MPI 5.0 §19.3.7), and keys whose functions a Fortran
//! library calls.
//!
//! The last parameter says how the caller's language sees a value: 0 as a pointer, 1 as an integer
//! of the size of an address, 3 as a default INTEGER. The place for a value always has the size of
//! a pointer. Fortran's numbers of the predefined keys are C's plus one; they give the value
//! itself, where C gets its address.

use crate::callback::Mpich;
use crate::convert::{from, to};
use crate::prelude::{In, InOut, Out, Raise, binding, code, impls, show};
use crate::tables;
use nemesis_capi::callback::outcome;
use nemesis_capi::{c_functions, callbacks};
use nemesis_mpi::abi;
use nemesis_mpi::attr::{self, Attribute, Form};
use nemesis_mpi::callback::{Binding, Object};
use nemesis_mpi::error::{Error, Outcome};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

const POINTER: c_int = 0;
const ADDRESS: c_int = 1;
const INTEGER: c_int = 3;

fn form_of(kind: c_int) -> Outcome<Form> {
    match kind {
        POINTER => Ok(Form::Pointer),
        ADDRESS => Ok(Form::Address),
        INTEGER => Ok(Form::Integer),
        _ => {
            Err(Error::new(abi::MPI_ERR_ARG, format!("{kind} is no form of an attribute's value")))
        }
    }
}

fn kind_of(form: Form) -> c_int {
    match form {
        Form::Pointer => POINTER,
        Form::Address => ADDRESS,
        Form::Integer => INTEGER,
    }
}

/// The predefined key of C that a key names, by C's or by Fortran's number.
fn predefined(keyval: c_int) -> Option<c_int> {
    let known = |key: c_int| {
        tables::KEYVALS
            .iter()
            .any(|(standard, mpich)| *mpich == key && *standard != abi::MPI_KEYVAL_INVALID)
    };
    [keyval, keyval.wrapping_sub(1)].into_iter().find(|&key| known(key))
}

/// The value that C reads under a key.
fn read_by_c(object: Object, keyval: c_int) -> Outcome<Option<*const c_int>> {
    let (mut value, mut found): (*mut c_void, c_int) = (null_mut(), 0);
    let key = to::keyval(keyval);
    let (place, flag) = (Out::from(&mut value), Out::from(&mut found));
    match object {
        Object::Comm(comm) => impls::comm_get_attr(comm, key, place, flag)?,
        Object::Datatype(datatype) => impls::type_get_attr(datatype, key, place, flag)?,
        Object::Win(win) => impls::win_get_attr(win, key, place, flag)?,
        Object::File(_) | Object::Session(_) => {}
    }
    let mut value = value.cast_const().cast();
    from::attribute_at(keyval, InOut::from(&mut value), In::from(&found));
    Ok((found != 0).then_some(value))
}

/// The number behind a predefined attribute of C's key. The implementation refuses keys of other
/// objects.
fn number(object: Object, keyval: c_int) -> Outcome<Option<isize>> {
    let Some(value) = read_by_c(object, keyval)? else { return Ok(None) };
    // SAFETY: the size of a window is the address of an MPI_Aint, the value of every other
    // predefined key but its base that of an int.
    let number = unsafe {
        match to::keyval(keyval) {
            abi::MPI_WIN_BASE => value as isize,
            abi::MPI_WIN_SIZE => value.cast::<isize>().read(),
            _ => value.read() as isize,
        }
    };
    Ok(Some(number))
}

fn get(
    object: Object,
    keyval: c_int,
    value: Out<'_, isize>,
    flag: Out<'_, c_int>,
    kind: c_int,
) -> Outcome {
    let form = form_of(kind)?;
    let address = || read_by_c(object, keyval).map(|value| value.map(|value| value as isize));
    let found = match predefined(keyval) {
        Some(key) if key == keyval && form == Form::Pointer => address()?,
        Some(key) => number(object, key)?,
        // The program's own keys.
        None if form == Form::Pointer => address()?,
        None => impls::attribute_word(object, to::keyval(keyval))?.map(|word| word as isize),
    };
    let (Some(value), Some(flag)) = (value.get(), flag.get()) else {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            "the place for the value or for the flag is a null pointer",
        ));
    };
    if let Some(found) = found {
        value.write(if form == Form::Integer { found as c_int as isize } else { found });
    }
    flag.write(c_int::from(found.is_some()));
    Ok(())
}

fn set(object: Object, keyval: c_int, value: *mut c_void, kind: c_int) -> Outcome {
    let form = form_of(kind)?;
    let word =
        if form == Form::Integer { value as isize as c_int as usize } else { value as usize };
    impls::set_attribute(object, to::keyval(keyval), Attribute::new(word, form))
}

binding! {
    only MPII_Comm_get_attr(
        comm: c_int as comm, keyval: c_int as keyval, value: *mut c_void as address,
        flag: *mut c_int as address, kind: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    { get(Object::Comm(to::comm(comm)), keyval, Out::new(value.cast()), Out::new(flag), kind) }
}

binding! {
    only MPII_Type_get_attr(
        datatype: c_int as datatype, keyval: c_int as keyval, value: *mut c_void as address,
        flag: *mut c_int as address, kind: c_int as int,
    )
    on Raise::Default =>
    {
        let object = Object::Datatype(to::datatype(datatype));
        get(object, keyval, Out::new(value.cast()), Out::new(flag), kind)
    }
}

binding! {
    only MPII_Win_get_attr(
        win: c_int as win, keyval: c_int as keyval, value: *mut c_void as address,
        flag: *mut c_int as address, kind: c_int as int,
    )
    on Raise::Win(to::win(win)) =>
    { get(Object::Win(to::win(win)), keyval, Out::new(value.cast()), Out::new(flag), kind) }
}

binding! {
    only MPII_Comm_set_attr(
        comm: c_int as comm, keyval: c_int as keyval, value: *mut c_void as address,
        kind: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) => { set(Object::Comm(to::comm(comm)), keyval, value, kind) }
}

binding! {
    only MPII_Type_set_attr(
        datatype: c_int as datatype, keyval: c_int as keyval, value: *mut c_void as address,
        kind: c_int as int,
    )
    on Raise::Default => { set(Object::Datatype(to::datatype(datatype)), keyval, value, kind) }
}

binding! {
    only MPII_Win_set_attr(
        win: c_int as win, keyval: c_int as keyval, value: *mut c_void as address,
        kind: c_int as int,
    )
    on Raise::Win(to::win(win)) => { set(Object::Win(to::win(win)), keyval, value, kind) }
}

/// copy(user's function, handle, key, extra state, kind, value, new value, flag)
type CopyProxy = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    *mut c_void,
    c_int,
    *mut c_void,
    *mut *mut c_void,
    *mut c_int,
) -> c_int;
/// delete(user's function, handle, key, kind, value, extra state)
type DeleteProxy =
    unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int, *mut c_void, *mut c_void) -> c_int;

/// Functions of a Fortran library that call a key's functions by its compiler's conventions.
#[derive(Clone, Copy)]
struct Proxies {
    copy: CopyProxy,
    delete: DeleteProxy,
}

/// The pairs of proxies that were registered. A Fortran library has two or three, and keys refer to
/// them for the life of the process.
static KNOWN: Mutex<Vec<&'static Proxies>> = Mutex::new(Vec::new());

c_functions! {
    /// Registers the functions through which the functions of a key are called: functions of these
    /// types, or null.
    ///
    fn MPII_Keyval_set_proxy(
        keyval: c_int,
        copy: Option<CopyProxy>,
        delete: Option<DeleteProxy>,
    ) -> () {
        if let (Some(copy), Some(delete)) = (copy, delete) {
            attr::call_through(to::keyval(keyval), registered(Proxies { copy, delete }));
        }
    }
}

/// The registered pair of these proxies.
fn registered(new: Proxies) -> &'static Proxies {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let addresses = |proxies: &Proxies| (proxies.copy as usize, proxies.delete as usize);
    match known.iter().find(|proxies| addresses(proxies) == addresses(&new)) {
        Some(proxies) => proxies,
        None => {
            let proxies: &'static Proxies = Box::leak(Box::new(new));
            known.push(proxies);
            proxies
        }
    }
}

/// The handle's number in this ABI.
fn number_of(object: Object) -> Option<c_int> {
    match object {
        Object::Comm(comm) => Some(from::comm(comm)),
        Object::Datatype(datatype) => Some(from::datatype(datatype)),
        Object::Win(win) => Some(from::win(win)),
        Object::File(_) | Object::Session(_) => None,
    }
}

impl Binding for Proxies {
    /// Copies a value. The copy has the form of the original.
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        let Some(handle) = number_of(old) else { return Ok(None) };
        let (mut copied, mut flag): (*mut c_void, c_int) = (null_mut(), 0);
        let (function, word) = (function as *mut c_void, value.word() as *mut c_void);
        let (key, kind) = (from::keyval(keyval), kind_of(value.form()));
        // SAFETY: the function is the program's copy function for this key; the places are local
        // variables.
        let code = unsafe {
            (self.copy)(
                function,
                handle,
                key,
                extra as *mut c_void,
                kind,
                word,
                &mut copied,
                &mut flag,
            )
        };
        outcome::<Mpich>(code)
            .map(|()| (flag != 0).then(|| Attribute::new(copied as usize, value.form())))
    }

    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        let Some(handle) = number_of(object) else { return Ok(()) };
        let (function, word) = (function as *mut c_void, value.word() as *mut c_void);
        let (key, kind) = (from::keyval(keyval), kind_of(value.form()));
        // SAFETY: the function is the program's delete function for this key.
        let code =
            unsafe { (self.delete)(function, handle, key, kind, word, extra as *mut c_void) };
        outcome::<Mpich>(code)
    }

    // A key has no other functions.
    callbacks!(Mpich: requests others);
}
