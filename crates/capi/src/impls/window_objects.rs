//! Attributes, name, group, info and error handler of a window (MPI 5.0 §7.7, §7.8, §9.3, §12.2).

use super::attr::{create_keyval, free_keyval, put_attribute, set_attribute};
use super::environment::{call_errhandler, get_errhandler};
use super::info::put_info;
use crate::errors::Raise;
use crate::params::cut;
use crate::params::{InOut, Out, StringIn, StringOut};
use nemesis_mpi::abi;
use nemesis_mpi::attr::{self, Attribute, Kind};
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::enter;
use nemesis_mpi::errhandler;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::group;
use nemesis_mpi::handle::{Errhandler, Group, Info, Win};
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Window, Windows};
use std::ffi::{c_int, c_void};

pub fn win_create_keyval(
    win_copy_attr_fn: Callback,
    win_delete_attr_fn: Callback,
    win_keyval: Out<'_, c_int>,
    extra_state: *mut c_void,
) -> Outcome {
    create_keyval(Kind::Win, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state)
}

pub fn win_free_keyval(win_keyval: InOut<'_, c_int>) -> Outcome {
    free_keyval(Kind::Win, win_keyval)
}

/// A predefined attribute of every window (MPI 5.0 §12.2.6): the base itself, or the address of the
/// attribute's value.
fn predefined(window: &Window, keyval: c_int) -> Option<usize> {
    let attributes = &*window.attributes;
    let address = |number: &c_int| std::ptr::from_ref(number) as usize;
    match keyval {
        abi::MPI_WIN_BASE => Some(attributes.base),
        abi::MPI_WIN_SIZE => Some(&raw const attributes.size as usize),
        abi::MPI_WIN_DISP_UNIT => Some(address(&attributes.disp_unit)),
        abi::MPI_WIN_CREATE_FLAVOR => Some(address(&attributes.flavor)),
        abi::MPI_WIN_MODEL => Some(address(&attributes.model)),
        _ => None,
    }
}

pub fn win_get_attr(
    win: Win,
    win_keyval: c_int,
    attribute_val: Out<'_, *mut c_void>,
    flag: Out<'_, c_int>,
) -> Outcome {
    let found = match predefined(enter()?.window(win)?, win_keyval) {
        Some(value) => Some(value),
        None => attr::get(Object::Win(win), win_keyval)?,
    };
    put_attribute(found, attribute_val, flag)
}

pub fn win_set_attr(win: Win, win_keyval: c_int, attribute_val: *mut c_void) -> Outcome {
    set_attribute(Object::Win(win), win_keyval, Attribute::pointer(attribute_val as usize))
}

pub fn win_delete_attr(win: Win, win_keyval: c_int) -> Outcome {
    enter()?.window(win)?;
    attr::delete(Object::Win(win), win_keyval)
}

pub fn win_set_name(win: Win, win_name: StringIn<'_>) -> Outcome {
    let mut mpi = enter()?;
    let window = mpi.window_mut(win)?;
    let name = win_name.require("win_name")?;
    window.name = cut(&name, OBJECT_NAME_BYTES as usize - 1).to_owned();
    Ok(())
}

/// `MPI_MAX_OBJECT_NAME`, which is one number in both ABIs.
const OBJECT_NAME_BYTES: c_int = abi::MPI_MAX_OBJECT_NAME;

pub fn win_get_name(win: Win, win_name: StringOut<'_>, resultlen: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let name = if win == abi::MPI_WIN_NULL { "MPI_WIN_NULL" } else { &mpi.window(win)?.name };
    win_name.put_with_length(name, OBJECT_NAME_BYTES, resultlen)
}

pub fn win_get_group(win: Win, group: Out<'_, Group>) -> Outcome {
    let members = enter()?.window(win)?.group.clone();
    let group = group.require("group")?;
    let made = group::insert(members)?;
    group.write(made);
    Ok(())
}

pub fn win_set_info(win: Win, info: Info) -> Outcome {
    let hints = info::hints(info)?;
    let mut mpi = enter()?;
    rma::set_hints(&mut mpi, win, &hints)
}

pub fn win_get_info(win: Win, info_used: Out<'_, Info>) -> Outcome {
    let effective = rma::effective_hints(enter()?.window(win)?);
    put_info(info_used, "info_used", effective)
}

pub fn win_set_errhandler(win: Win, errhandler: Errhandler) -> Outcome {
    enter()?.window(win)?;
    errhandler::attach(Object::Win(win), errhandler)
}

pub fn win_get_errhandler(win: Win, errhandler: Out<'_, Errhandler>) -> Outcome {
    enter()?.window(win)?;
    get_errhandler(Object::Win(win), errhandler)
}

pub fn win_call_errhandler(win: Win, errorcode: c_int) -> Outcome {
    enter()?.window(win)?;
    call_errhandler(Raise::Win(win), errorcode)
}
