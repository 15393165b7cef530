// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: group.

use crate::prelude::*;

binding! {
    MPI_Group_compare PMPI_Group_compare(group1: c_int as group, group2: c_int as group, result: *mut c_int as address)
    on Raise::Default =>
    {
        let mut result = Place::out(Out::new(result), 0);
        impls::group_compare(to::group(group1), to::group(group2), Out::new(result.pass()))?;
        result.leave(from::comparison);
        Ok(())
    }
}

binding! {
    MPI_Group_difference PMPI_Group_difference(
        group1: c_int as group, group2: c_int as group, newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_difference(to::group(group1), to::group(group2), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_excl PMPI_Group_excl(
        group: c_int as group, n: c_int as int, ranks: *const c_int as address, newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let ranks = Array::<_, _>::read(InSlice::new(ranks, n as i64), to::rank);
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_excl(to::group(group), n, InSlice::new(ranks.pass(), n as i64), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_free PMPI_Group_free(group: *mut c_int as address)
    on Raise::Default =>
    {
        let mut group = Place::read(InOut::new(group), Group::NULL, to::group);
        let outcome = impls::group_free(InOut::new(group.pass()));
        group.leave(from::group);
        outcome
    }
}

binding! {
    MPI_Group_from_session_pset PMPI_Group_from_session_pset(
        session: c_int as session, pset_name: *const c_char as string, newgroup: *mut c_int as out_group,
    )
    on Raise::Session(to::session(session)) =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_from_session_pset(to::session(session), StringIn::new(pset_name), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_incl PMPI_Group_incl(
        group: c_int as group, n: c_int as int, ranks: *const c_int as address, newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let ranks = Array::<_, _>::read(InSlice::new(ranks, n as i64), to::rank);
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_incl(to::group(group), n, InSlice::new(ranks.pass(), n as i64), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_intersection PMPI_Group_intersection(
        group1: c_int as group, group2: c_int as group, newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_intersection(to::group(group1), to::group(group2), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_range_excl PMPI_Group_range_excl(
        group: c_int as group, n: c_int as int, ranges: *const [c_int; 3] as address,
        newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_range_excl(to::group(group), n, InSlice::new(ranges, n as i64), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_range_incl PMPI_Group_range_incl(
        group: c_int as group, n: c_int as int, ranges: *const [c_int; 3] as address,
        newgroup: *mut c_int as out_group,
    )
    on Raise::Default =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_range_incl(to::group(group), n, InSlice::new(ranges, n as i64), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Group_rank PMPI_Group_rank(group: c_int as group, rank: *mut c_int as address)
    on Raise::Default =>
    {
        let mut rank = Place::out(Out::new(rank), 0);
        impls::group_rank(to::group(group), Out::new(rank.pass()))?;
        rank.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Group_size PMPI_Group_size(group: c_int as group, size: *mut c_int as address)
    on Raise::Default =>
    {
        impls::group_size(to::group(group), Out::new(size))
    }
}

binding! {
    MPI_Group_translate_ranks PMPI_Group_translate_ranks(
        group1: c_int as group, n: c_int as int, ranks1: *const c_int as address, group2: c_int as group,
        ranks2: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let ranks1 = Array::<_, _>::read(InSlice::new(ranks1, n as i64), to::rank);
        let mut ranks2 = Array::<_, _>::out(OutSlice::new(ranks2, n as i64), 0);
        impls::group_translate_ranks(
            to::group(group1), n, InSlice::new(ranks1.pass(), n as i64), to::group(group2),
            OutSlice::new(ranks2.pass_mut(), n as i64),
        )?;
        ranks2.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Group_union PMPI_Group_union(group1: c_int as group, group2: c_int as group, newgroup: *mut c_int as out_group)
    on Raise::Default =>
    {
        let mut newgroup = Place::out(Out::new(newgroup), Group::NULL);
        impls::group_union(to::group(group1), to::group(group2), Out::new(newgroup.pass()))?;
        newgroup.leave(from::group);
        Ok(())
    }
}
