//! Groups (MPI 5.0 §7.3).

use super::{place, put};
use nemesis_mpi::abi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Comparison};
use nemesis_mpi::handle::{Comm, Group, Handle};
use std::ffi::c_int;

/// Hands out a new group.
unsafe fn hand_out(newgroup: *mut Group, made: group::Group) -> Outcome {
    let newgroup = place(newgroup, "newgroup")?;
    let made = group::insert(made)?;
    // SAFETY: not null, so the caller's place.
    unsafe { newgroup.write(made) };
    Ok(())
}

/// Two groups that may be in one call.
fn pair(group1: Group, group2: Group) -> Outcome<(group::Group, group::Group)> {
    let (first, second) = (group::get(group1)?, group::get(group2)?);
    first.check_owner(&second)?;
    Ok((first, second))
}

/// An array of ranks.
unsafe fn ranks<'a>(n: c_int, array: *const c_int) -> Outcome<&'a [c_int]> {
    let len = length(n)?;
    if len == 0 {
        return Ok(&[]);
    }
    let array = place(array.cast_mut(), "the array of ranks")?;
    // SAFETY: not null, so the caller's array of `n` ranks.
    Ok(unsafe { std::slice::from_raw_parts(array, len) })
}

fn length(n: c_int) -> Outcome<usize> {
    usize::try_from(n)
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, format!("n is {n}, it must not be negative")))
}

/// The ranks that an array of triplets stands for.
unsafe fn ranges(n: c_int, array: *const [c_int; 3]) -> Outcome<Vec<c_int>> {
    let len = length(n)?;
    if len == 0 {
        return Ok(Vec::new());
    }
    let array = place(array.cast_mut(), "ranges")?;
    // SAFETY: not null, so the caller's array of `n` triplets.
    group::expand_ranges(unsafe { std::slice::from_raw_parts(array, len) })
}

pub unsafe fn comm_group(comm: Comm, group: *mut Group) -> Outcome {
    let members = enter()?.comm(comm)?.group.clone();
    // SAFETY: the caller's place.
    unsafe { hand_out(group, members) }
}

pub unsafe fn comm_remote_group(comm: Comm, group: *mut Group) -> Outcome {
    let members = enter()?.comm(comm)?.remote().cloned();
    let members = members
        .ok_or_else(|| Error::new(abi::MPI_ERR_COMM, "an intracommunicator has no remote group"))?;
    // SAFETY: the caller's place.
    unsafe { hand_out(group, members) }
}

pub unsafe fn group_size(group: Group, size: *mut c_int) -> Outcome {
    let members = group::get(group)?;
    // SAFETY: the caller's place.
    unsafe { put(size, "size", members.size() as c_int) }
}

pub unsafe fn group_rank(group: Group, rank: *mut c_int) -> Outcome {
    let members = group::get(group)?;
    let found =
        members.rank_of(enter()?.own_process()).map_or(abi::MPI_UNDEFINED, |rank| rank as c_int);
    // SAFETY: the caller's place.
    unsafe { put(rank, "rank", found) }
}

pub unsafe fn group_compare(group1: Group, group2: Group, result: *mut c_int) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    let compared = match first.compare(&second) {
        Comparison::Identical => abi::MPI_IDENT,
        Comparison::Similar => abi::MPI_SIMILAR,
        Comparison::Unequal => abi::MPI_UNEQUAL,
    };
    // SAFETY: the caller's place.
    unsafe { put(result, "result", compared) }
}

pub unsafe fn group_translate_ranks(
    group1: Group,
    n: c_int,
    ranks1: *const c_int,
    group2: Group,
    ranks2: *mut c_int,
) -> Outcome {
    let (from, to) = pair(group1, group2)?;
    // SAFETY: the caller's array.
    let translated = from.translate(unsafe { ranks(n, ranks1) }?, &to)?;
    if translated.is_empty() {
        return Ok(());
    }
    let ranks2 = place(ranks2, "ranks2")?;
    // SAFETY: the caller's array has `n` elements.
    unsafe { ranks2.copy_from_nonoverlapping(translated.as_ptr(), translated.len()) };
    Ok(())
}

pub unsafe fn group_union(group1: Group, group2: Group, newgroup: *mut Group) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, first.union(&second)) }
}

pub unsafe fn group_intersection(group1: Group, group2: Group, newgroup: *mut Group) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, first.intersection(&second)) }
}

pub unsafe fn group_difference(group1: Group, group2: Group, newgroup: *mut Group) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, first.difference(&second)) }
}

pub unsafe fn group_incl(
    group: Group,
    n: c_int,
    ranks_: *const c_int,
    newgroup: *mut Group,
) -> Outcome {
    // SAFETY: the caller's array.
    let members = group::get(group)?.include(unsafe { ranks(n, ranks_) }?)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, members) }
}

pub unsafe fn group_excl(
    group: Group,
    n: c_int,
    ranks_: *const c_int,
    newgroup: *mut Group,
) -> Outcome {
    // SAFETY: the caller's array.
    let members = group::get(group)?.exclude(unsafe { ranks(n, ranks_) }?)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, members) }
}

pub unsafe fn group_range_incl(
    group: Group,
    n: c_int,
    ranges_: *const [c_int; 3],
    newgroup: *mut Group,
) -> Outcome {
    // SAFETY: the caller's array.
    let members = group::get(group)?.include(&unsafe { ranges(n, ranges_) }?)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, members) }
}

pub unsafe fn group_range_excl(
    group: Group,
    n: c_int,
    ranges_: *const [c_int; 3],
    newgroup: *mut Group,
) -> Outcome {
    // SAFETY: the caller's array.
    let members = group::get(group)?.exclude(&unsafe { ranges(n, ranges_) }?)?;
    // SAFETY: the caller's place.
    unsafe { hand_out(newgroup, members) }
}

pub unsafe fn group_free(group: *mut Group) -> Outcome {
    let group = place(group, "group")?;
    // SAFETY: not null, so the caller's handle.
    group::free(unsafe { group.read() })?;
    // SAFETY: as above.
    unsafe { group.write(Group::NULL) };
    Ok(())
}
