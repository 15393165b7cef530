//! Categories (MPI 5.0 §15.3.9).

use super::{name as name_of, put, put_indices, tell, tell_text};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::tool::{self, category};
use std::ffi::{c_char, c_int};

pub unsafe fn t_category_get_num(num_cat: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(num_cat, "num_cat", category::TREE.len() as c_int) }
}

pub unsafe fn t_category_get_info(
    cat_index: c_int,
    name: *mut c_char,
    name_len: *mut c_int,
    desc: *mut c_char,
    desc_len: *mut c_int,
    num_cvars: *mut c_int,
    num_pvars: *mut c_int,
    num_categories: *mut c_int,
) -> Outcome {
    tool::check()?;
    let category = category::category(cat_index)?;
    // SAFETY: the caller's places.
    unsafe {
        tell_text(name, name_len, category.name);
        tell_text(desc, desc_len, category.what);
        tell(num_cvars, category.cvars().len() as c_int);
        tell(num_pvars, category.pvars().len() as c_int);
        tell(num_categories, category.categories.len() as c_int);
    }
    Ok(())
}

pub unsafe fn t_category_get_index(name: *const c_char, cat_index: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's string and place.
    unsafe { put(cat_index, "cat_index", category::index_of(&name_of(name)?)?) }
}

pub unsafe fn t_category_get_num_events(cat_index: c_int, num_events: *mut c_int) -> Outcome {
    tool::check()?;
    let events = category::category(cat_index)?.events().len();
    // SAFETY: the caller's place.
    unsafe { put(num_events, "num_events", events as c_int) }
}

pub unsafe fn t_category_get_cvars(cat_index: c_int, len: c_int, indices: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's array.
    unsafe { put_indices(indices, len, &category::category(cat_index)?.cvars()) }
}

pub unsafe fn t_category_get_pvars(cat_index: c_int, len: c_int, indices: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's array.
    unsafe { put_indices(indices, len, &category::category(cat_index)?.pvars()) }
}

pub unsafe fn t_category_get_events(cat_index: c_int, len: c_int, indices: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's array.
    unsafe { put_indices(indices, len, &category::category(cat_index)?.events()) }
}

pub unsafe fn t_category_get_categories(
    cat_index: c_int,
    len: c_int,
    indices: *mut c_int,
) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's array.
    unsafe { put_indices(indices, len, category::category(cat_index)?.categories) }
}

/// Categories never change.
pub unsafe fn t_category_changed(update_number: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(update_number, "update_number", 0) }
}
