//! What hangs on a window: attributes, name, group, info, error handler (MPI 5.0 §7.7, §7.8, §9.3, §12.2).

use super::attr::{create_keyval, free_keyval, set_attribute, tell};
use super::environment::{call_errhandler, get_errhandler};
use super::put;
use super::text::{cut, put_string, text};
use crate::errors::Raise;
use nemesis_mpi::abi;
use nemesis_mpi::attr::{self, Attribute, Kind};
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::enter;
use nemesis_mpi::errhandler;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::group;
use nemesis_mpi::handle::{Errhandler, Group, Info, Win};
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Window};
use std::ffi::{c_char, c_int, c_void};

pub unsafe fn win_create_keyval(
    win_copy_attr_fn: Callback,
    win_delete_attr_fn: Callback,
    win_keyval: *mut c_int,
    extra_state: *mut c_void,
) -> Outcome {
    // SAFETY: the caller's place.
    unsafe {
        create_keyval(Kind::Win, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state)
    }
}

pub unsafe fn win_free_keyval(win_keyval: *mut c_int) -> Outcome {
    // SAFETY: the caller's key.
    unsafe { free_keyval(Kind::Win, win_keyval) }
}

/// The attributes that every window has (MPI 5.0 §12.2.6): the base itself, of the others the address.
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

pub unsafe fn win_get_attr(
    win: Win,
    win_keyval: c_int,
    attribute_val: *mut c_void,
    flag: *mut c_int,
) -> Outcome {
    let found = match predefined(enter()?.window(win)?, win_keyval) {
        Some(value) => Some(value),
        None => attr::get(Object::Win(win), win_keyval)?,
    };
    // SAFETY: the caller's places.
    unsafe { tell(found, attribute_val, flag) }
}

pub unsafe fn win_set_attr(win: Win, win_keyval: c_int, attribute_val: *mut c_void) -> Outcome {
    set_attribute(Object::Win(win), win_keyval, Attribute::pointer(attribute_val as usize))
}

pub unsafe fn win_delete_attr(win: Win, win_keyval: c_int) -> Outcome {
    enter()?.window(win)?;
    attr::delete(Object::Win(win), win_keyval)
}

pub unsafe fn win_set_name(win: Win, win_name: *const c_char) -> Outcome {
    let mut mpi = enter()?;
    let window = mpi.window_mut(win)?;
    // SAFETY: the caller's string.
    let name = unsafe { text(win_name, "win_name") }?;
    window.name = cut(&name, OBJECT_NAME_BYTES as usize - 1).to_owned();
    Ok(())
}

/// MPI_MAX_OBJECT_NAME, the same in both ABIs.
const OBJECT_NAME_BYTES: c_int = abi::MPI_MAX_OBJECT_NAME;

pub unsafe fn win_get_name(win: Win, win_name: *mut c_char, resultlen: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let name = if win == abi::MPI_WIN_NULL { "MPI_WIN_NULL" } else { &mpi.window(win)?.name };
    // SAFETY: the caller's buffer has MPI_MAX_OBJECT_NAME bytes.
    unsafe { put_string(win_name, resultlen, name, OBJECT_NAME_BYTES) }
}

pub unsafe fn win_get_group(win: Win, group: *mut Group) -> Outcome {
    let members = enter()?.window(win)?.group.clone();
    let group = super::place(group, "group")?;
    let made = group::insert(members)?;
    // SAFETY: not null, so the caller's place.
    unsafe { group.write(made) };
    Ok(())
}

pub unsafe fn win_set_info(win: Win, info: Info) -> Outcome {
    let hints = info::hints(info)?;
    let mut mpi = enter()?;
    rma::set_hints(&mut mpi, win, &hints)
}

pub unsafe fn win_get_info(win: Win, info_used: *mut Info) -> Outcome {
    let effective = rma::effective_hints(enter()?.window(win)?);
    let place = super::place(info_used, "info_used")?;
    // SAFETY: not null, so the caller's place.
    unsafe { put(place, "info_used", info::create(effective)?) }
}

pub unsafe fn win_set_errhandler(win: Win, errhandler: Errhandler) -> Outcome {
    enter()?.window(win)?;
    errhandler::attach(Object::Win(win), errhandler)
}

pub unsafe fn win_get_errhandler(win: Win, errhandler: *mut Errhandler) -> Outcome {
    enter()?.window(win)?;
    // SAFETY: the caller's place.
    unsafe { get_errhandler(Object::Win(win), errhandler) }
}

pub unsafe fn win_call_errhandler(win: Win, errorcode: c_int) -> Outcome {
    enter()?.window(win)?;
    call_errhandler(Raise::Win(win), errorcode)
}
