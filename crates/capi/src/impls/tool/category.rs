//! Categories (MPI 5.0 §15.3.9).

use super::{name as name_of, put, put_indices};
use crate::params::{InOut, Out, OutSlice, StringIn, StringOut};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::tool::{self, category};
use std::ffi::c_int;

pub fn t_category_get_num(num_cat: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(num_cat, "num_cat", category::TREE.len() as c_int)
}

pub fn t_category_get_info(
    cat_index: c_int,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
    desc: StringOut<'_>,
    desc_len: InOut<'_, c_int>,
    num_cvars: Out<'_, c_int>,
    num_pvars: Out<'_, c_int>,
    num_categories: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let category = category::category(cat_index)?;
    name.put_for_tool(name_len, category.name);
    desc.put_for_tool(desc_len, category.what);
    num_cvars.put_unless_null(category.cvars().len() as c_int);
    num_pvars.put_unless_null(category.pvars().len() as c_int);
    num_categories.put_unless_null(category.categories.len() as c_int);
    Ok(())
}

pub fn t_category_get_index(name: StringIn<'_>, cat_index: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(cat_index, "cat_index", category::index_of(&name_of(name)?)?)
}

pub fn t_category_get_num_events(cat_index: c_int, num_events: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    let events = category::category(cat_index)?.events().len();
    put(num_events, "num_events", events as c_int)
}

pub fn t_category_get_cvars(cat_index: c_int, len: c_int, indices: OutSlice<'_, c_int>) -> Outcome {
    tool::check()?;
    put_indices(indices, len, &category::category(cat_index)?.cvars())
}

pub fn t_category_get_pvars(cat_index: c_int, len: c_int, indices: OutSlice<'_, c_int>) -> Outcome {
    tool::check()?;
    put_indices(indices, len, &category::category(cat_index)?.pvars())
}

pub fn t_category_get_events(
    cat_index: c_int,
    len: c_int,
    indices: OutSlice<'_, c_int>,
) -> Outcome {
    tool::check()?;
    put_indices(indices, len, &category::category(cat_index)?.events())
}

pub fn t_category_get_categories(
    cat_index: c_int,
    len: c_int,
    indices: OutSlice<'_, c_int>,
) -> Outcome {
    tool::check()?;
    put_indices(indices, len, category::category(cat_index)?.categories)
}

/// Tells how often the categories changed, which they never do.
pub fn t_category_changed(update_number: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(update_number, "update_number", 0)
}
