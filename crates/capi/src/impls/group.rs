//! Groups (MPI 5.0 §7.3).

use crate::params::{InOut, InSlice, Out, OutSlice};
use nemesis_mpi::abi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Comparison};
use nemesis_mpi::handle::{Comm, Group, Handle};
use std::ffi::c_int;

/// Gives a new group a handle and writes it.
fn put_group(newgroup: Out<'_, Group>, made: group::Group) -> Outcome {
    let newgroup = newgroup.require("newgroup")?;
    let made = group::insert(made)?;
    newgroup.write(made);
    Ok(())
}

/// The two groups of a call, which must belong to one session or to the world.
fn pair(group1: Group, group2: Group) -> Outcome<(group::Group, group::Group)> {
    let (first, second) = (group::get(group1)?, group::get(group2)?);
    first.check_owner(&second)?;
    Ok((first, second))
}

/// The ranks in an array of `n` elements.
fn ranks(n: c_int, array: InSlice<'_, c_int>) -> Outcome<&[c_int]> {
    check_length(n)?;
    array.require("the array of ranks")
}

fn check_length(n: c_int) -> Outcome {
    if n < 0 {
        return Err(Error::new(abi::MPI_ERR_ARG, format!("n is {n}, it must not be negative")));
    }
    Ok(())
}

/// The ranks that an array of `n` triplets (first, last, stride) stands for.
fn ranges(n: c_int, array: InSlice<'_, [c_int; 3]>) -> Outcome<Vec<c_int>> {
    check_length(n)?;
    group::expand_ranges(array.require("ranges")?)
}

pub fn comm_group(comm: Comm, group: Out<'_, Group>) -> Outcome {
    let members = enter()?.comms.known(comm)?.group.clone();
    put_group(group, members)
}

pub fn comm_remote_group(comm: Comm, group: Out<'_, Group>) -> Outcome {
    let members = enter()?.comms.known(comm)?.remote().cloned();
    let members = members
        .ok_or_else(|| Error::new(abi::MPI_ERR_COMM, "an intracommunicator has no remote group"))?;
    put_group(group, members)
}

pub fn group_size(group: Group, size: Out<'_, c_int>) -> Outcome {
    let members = group::get(group)?;
    size.put("size", members.size() as c_int)
}

pub fn group_rank(group: Group, rank: Out<'_, c_int>) -> Outcome {
    let members = group::get(group)?;
    let found = members
        .rank_of(enter()?.pt2pt.own_process())
        .map_or(abi::MPI_UNDEFINED, |rank| rank as c_int);
    rank.put("rank", found)
}

pub fn group_compare(group1: Group, group2: Group, result: Out<'_, c_int>) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    let compared = match first.compare(&second) {
        Comparison::Identical => abi::MPI_IDENT,
        Comparison::Similar => abi::MPI_SIMILAR,
        Comparison::Unequal => abi::MPI_UNEQUAL,
    };
    result.put("result", compared)
}

pub fn group_translate_ranks(
    group1: Group,
    n: c_int,
    ranks1: InSlice<'_, c_int>,
    group2: Group,
    ranks2: OutSlice<'_, c_int>,
) -> Outcome {
    let (from, to) = pair(group1, group2)?;
    let translated = from.translate(ranks(n, ranks1)?, &to)?;
    ranks2.fill("ranks2", translated)
}

pub fn group_union(group1: Group, group2: Group, newgroup: Out<'_, Group>) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    put_group(newgroup, first.union(&second))
}

pub fn group_intersection(group1: Group, group2: Group, newgroup: Out<'_, Group>) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    put_group(newgroup, first.intersection(&second))
}

pub fn group_difference(group1: Group, group2: Group, newgroup: Out<'_, Group>) -> Outcome {
    let (first, second) = pair(group1, group2)?;
    put_group(newgroup, first.difference(&second))
}

pub fn group_incl(
    group: Group,
    n: c_int,
    ranks_: InSlice<'_, c_int>,
    newgroup: Out<'_, Group>,
) -> Outcome {
    let members = group::get(group)?.include(ranks(n, ranks_)?)?;
    put_group(newgroup, members)
}

pub fn group_excl(
    group: Group,
    n: c_int,
    ranks_: InSlice<'_, c_int>,
    newgroup: Out<'_, Group>,
) -> Outcome {
    let members = group::get(group)?.exclude(ranks(n, ranks_)?)?;
    put_group(newgroup, members)
}

pub fn group_range_incl(
    group: Group,
    n: c_int,
    ranges_: InSlice<'_, [c_int; 3]>,
    newgroup: Out<'_, Group>,
) -> Outcome {
    let members = group::get(group)?.include(&ranges(n, ranges_)?)?;
    put_group(newgroup, members)
}

pub fn group_range_excl(
    group: Group,
    n: c_int,
    ranges_: InSlice<'_, [c_int; 3]>,
    newgroup: Out<'_, Group>,
) -> Outcome {
    let members = group::get(group)?.exclude(&ranges(n, ranges_)?)?;
    put_group(newgroup, members)
}

pub fn group_free(group: InOut<'_, Group>) -> Outcome {
    let group = group.require("group")?;
    group::free(group.read())?;
    group.write(Group::NULL);
    Ok(())
}
