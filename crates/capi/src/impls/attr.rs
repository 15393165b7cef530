//! Attributes of communicators and datatypes (MPI 5.0 §7.7).

use crate::params::{InOut, Out};
use nemesis_mpi::abi;
use nemesis_mpi::attr::{self, Attribute, Kind};
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::comm;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::rma::Windows;
use std::ffi::{c_int, c_void};

pub(super) fn create_keyval(
    kind: Kind,
    copy: Callback,
    delete: Callback,
    keyval: Out<'_, c_int>,
    extra: *mut c_void,
) -> Outcome {
    enter()?;
    let keyval = keyval.require("the attribute key")?;
    keyval.write(attr::create_key(kind, copy, delete, extra as usize));
    Ok(())
}

pub(super) fn free_keyval(kind: Kind, keyval: InOut<'_, c_int>) -> Outcome {
    enter()?;
    let keyval = keyval.require("the attribute key")?;
    attr::free_key(kind, keyval.read())?;
    keyval.write(abi::MPI_KEYVAL_INVALID);
    Ok(())
}

/// Writes the value of an attribute, if it is set, and the flag that says whether it is.
pub(super) fn put_attribute(
    found: Option<usize>,
    attribute_val: Out<'_, *mut c_void>,
    flag: Out<'_, c_int>,
) -> Outcome {
    if let Some(value) = found {
        attribute_val.put("attribute_val", value as *mut c_void)?;
    }
    flag.put("flag", c_int::from(found.is_some()))
}

/// Checks that an object which can have attributes exists.
fn with_attributes(object: Object) -> Outcome<Object> {
    let mpi = enter()?;
    match object {
        Object::Comm(comm) => drop(mpi.comm(comm)?),
        Object::Datatype(datatype) => drop(mpi.types.get(datatype)?),
        Object::Win(win) => drop(mpi.window(win)?),
        Object::File(_) | Object::Session(_) => {}
    }
    Ok(object)
}

/// Returns the stored word of an attribute that is not predefined, for a caller in Fortran.
pub fn attribute_word(object: Object, keyval: c_int) -> Outcome<Option<usize>> {
    attr::get_word(with_attributes(object)?, keyval)
}

/// Sets an attribute in the form of the caller's language.
pub fn set_attribute(object: Object, keyval: c_int, value: Attribute) -> Outcome {
    attr::set(with_attributes(object)?, keyval, value)
}

pub fn comm_create_keyval(
    copy: Callback,
    delete: Callback,
    comm_keyval: Out<'_, c_int>,
    extra_state: *mut c_void,
) -> Outcome {
    create_keyval(Kind::Comm, copy, delete, comm_keyval, extra_state)
}

pub fn comm_free_keyval(comm_keyval: InOut<'_, c_int>) -> Outcome {
    free_keyval(Kind::Comm, comm_keyval)
}

pub fn comm_get_attr(
    comm: Comm,
    comm_keyval: c_int,
    attribute_val: Out<'_, *mut c_void>,
    flag: Out<'_, c_int>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let found = match comm::attributes::predefined(&mut mpi.wireup, comm_keyval)? {
        Some(predefined) => predefined,
        None => attr::get(Object::Comm(comm), comm_keyval)?,
    };
    put_attribute(found, attribute_val, flag)
}

pub fn comm_set_attr(comm: Comm, comm_keyval: c_int, attribute_val: *mut c_void) -> Outcome {
    set_attribute(Object::Comm(comm), comm_keyval, Attribute::pointer(attribute_val as usize))
}

pub fn comm_delete_attr(comm: Comm, comm_keyval: c_int) -> Outcome {
    enter()?.comm(comm)?;
    attr::delete(Object::Comm(comm), comm_keyval)
}

pub fn type_create_keyval(
    copy: Callback,
    delete: Callback,
    type_keyval: Out<'_, c_int>,
    extra_state: *mut c_void,
) -> Outcome {
    create_keyval(Kind::Datatype, copy, delete, type_keyval, extra_state)
}

pub fn type_free_keyval(type_keyval: InOut<'_, c_int>) -> Outcome {
    free_keyval(Kind::Datatype, type_keyval)
}

pub fn type_get_attr(
    datatype: Datatype,
    type_keyval: c_int,
    attribute_val: Out<'_, *mut c_void>,
    flag: Out<'_, c_int>,
) -> Outcome {
    enter()?.types.get(datatype)?;
    let found = attr::get(Object::Datatype(datatype), type_keyval)?;
    put_attribute(found, attribute_val, flag)
}

pub fn type_set_attr(
    datatype: Datatype,
    type_keyval: c_int,
    attribute_val: *mut c_void,
) -> Outcome {
    set_attribute(
        Object::Datatype(datatype),
        type_keyval,
        Attribute::pointer(attribute_val as usize),
    )
}

pub fn type_delete_attr(datatype: Datatype, type_keyval: c_int) -> Outcome {
    enter()?.types.get(datatype)?;
    attr::delete(Object::Datatype(datatype), type_keyval)
}
