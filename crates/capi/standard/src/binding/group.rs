// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: group.

use crate::prelude::*;

binding! {
    MPI_Group_compare PMPI_Group_compare(group1: Group as group, group2: Group as group, result: *mut c_int as address)
    on Raise::Default =>
    {
        impls::group_compare(group1, group2, Out::new(result))
    }
}

binding! {
    MPI_Group_difference PMPI_Group_difference(
        group1: Group as group, group2: Group as group, newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_difference(group1, group2, Out::new(newgroup))
    }
}

binding! {
    MPI_Group_excl PMPI_Group_excl(
        group: Group as group, n: c_int as int, ranks: *const c_int as address, newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_excl(group, n, InSlice::new(ranks, n as i64), Out::new(newgroup))
    }
}

binding! {
    MPI_Group_free PMPI_Group_free(group: *mut Group as address)
    on Raise::Default =>
    {
        impls::group_free(InOut::new(group))
    }
}

binding! {
    MPI_Group_from_session_pset PMPI_Group_from_session_pset(
        session: Session as session, pset_name: *const c_char as string, newgroup: *mut Group as out_group,
    )
    on Raise::Session(session) =>
    {
        impls::group_from_session_pset(session, StringIn::new(pset_name), Out::new(newgroup))
    }
}

binding! {
    MPI_Group_incl PMPI_Group_incl(
        group: Group as group, n: c_int as int, ranks: *const c_int as address, newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_incl(group, n, InSlice::new(ranks, n as i64), Out::new(newgroup))
    }
}

binding! {
    MPI_Group_intersection PMPI_Group_intersection(
        group1: Group as group, group2: Group as group, newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_intersection(group1, group2, Out::new(newgroup))
    }
}

binding! {
    MPI_Group_range_excl PMPI_Group_range_excl(
        group: Group as group, n: c_int as int, ranges: *const [c_int; 3] as address,
        newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_range_excl(group, n, InSlice::new(ranges, n as i64), Out::new(newgroup))
    }
}

binding! {
    MPI_Group_range_incl PMPI_Group_range_incl(
        group: Group as group, n: c_int as int, ranges: *const [c_int; 3] as address,
        newgroup: *mut Group as out_group,
    )
    on Raise::Default =>
    {
        impls::group_range_incl(group, n, InSlice::new(ranges, n as i64), Out::new(newgroup))
    }
}

binding! {
    MPI_Group_rank PMPI_Group_rank(group: Group as group, rank: *mut c_int as address)
    on Raise::Default =>
    {
        impls::group_rank(group, Out::new(rank))
    }
}

binding! {
    MPI_Group_size PMPI_Group_size(group: Group as group, size: *mut c_int as address)
    on Raise::Default =>
    {
        impls::group_size(group, Out::new(size))
    }
}

binding! {
    MPI_Group_translate_ranks PMPI_Group_translate_ranks(
        group1: Group as group, n: c_int as int, ranks1: *const c_int as address, group2: Group as group,
        ranks2: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::group_translate_ranks(group1, n, InSlice::new(ranks1, n as i64), group2, OutSlice::new(ranks2, n as i64))
    }
}

binding! {
    MPI_Group_union PMPI_Group_union(group1: Group as group, group2: Group as group, newgroup: *mut Group as out_group)
    on Raise::Default =>
    {
        impls::group_union(group1, group2, Out::new(newgroup))
    }
}
