// generated from api/ by cargo xtask generate; do not edit
//! The procedures: group.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    group_compare(group1: *mut Fint, group2: *mut Fint, result: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Group_compare(handle::<GROUP>(group1), handle::<GROUP>(group2), result);
    finish(ierror, code);
}
exports!(group_compare: mpi_group_compare_ mpi_group_compare__ mpi_group_compare MPI_GROUP_COMPARE pmpi_group_compare_ pmpi_group_compare__ pmpi_group_compare PMPI_GROUP_COMPARE);
exports_f08!(group_compare: mpi_group_compare_f08_ pmpir_group_compare_f08_; group_compare: mpi_group_compare_f08_ pmpi_group_compare_f08_);

procedure! {
    group_difference(group1: *mut Fint, group2: *mut Fint, newgroup: *mut Fint, ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_difference(handle::<GROUP>(group1), handle::<GROUP>(group2),
        &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_difference: mpi_group_difference_ mpi_group_difference__ mpi_group_difference MPI_GROUP_DIFFERENCE pmpi_group_difference_ pmpi_group_difference__ pmpi_group_difference PMPI_GROUP_DIFFERENCE);
exports_f08!(group_difference: mpi_group_difference_f08_ pmpir_group_difference_f08_; group_difference: mpi_group_difference_f08_ pmpi_group_difference_f08_);

procedure! {
    group_excl(group: *mut Fint, n: *mut c_int, ranks: *mut c_int, newgroup: *mut Fint,
        ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_excl(handle::<GROUP>(group), *n, ranks, &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_excl: mpi_group_excl_ mpi_group_excl__ mpi_group_excl MPI_GROUP_EXCL pmpi_group_excl_ pmpi_group_excl__ pmpi_group_excl PMPI_GROUP_EXCL);
exports_f08!(group_excl: mpi_group_excl_f08_ pmpir_group_excl_f08_; group_excl: mpi_group_excl_f08_ pmpi_group_excl_f08_);

procedure! {
    group_free(group: *mut Fint, ierror: *mut Fint);
    let mut group_c = handle::<GROUP>(group);
    let code = c::PMPI_Group_free(&mut group_c);
    give(group, group_c);
    finish(ierror, code);
}
exports!(group_free: mpi_group_free_ mpi_group_free__ mpi_group_free MPI_GROUP_FREE pmpi_group_free_ pmpi_group_free__ pmpi_group_free PMPI_GROUP_FREE);
exports_f08!(group_free: mpi_group_free_f08_ pmpir_group_free_f08_; group_free: mpi_group_free_f08_ pmpi_group_free_f08_);

procedure! {
    group_from_session_pset(session: *mut Fint, pset_name: *mut c_char, newgroup: *mut Fint,
        ierror: *mut Fint, pset_name_length: usize);
    let pset_name_c = text(pset_name, pset_name_length);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_from_session_pset(handle::<SESSION>(session), pset_name_c.place(),
        &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_from_session_pset: mpi_group_from_session_pset_ mpi_group_from_session_pset__ mpi_group_from_session_pset MPI_GROUP_FROM_SESSION_PSET pmpi_group_from_session_pset_ pmpi_group_from_session_pset__ pmpi_group_from_session_pset PMPI_GROUP_FROM_SESSION_PSET);
exports_f08!(group_from_session_pset: mpi_group_from_session_pset_f08_ pmpir_group_from_session_pset_f08_; group_from_session_pset: mpi_group_from_session_pset_f08_ pmpi_group_from_session_pset_f08_);

procedure! {
    group_incl(group: *mut Fint, n: *mut c_int, ranks: *mut c_int, newgroup: *mut Fint,
        ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_incl(handle::<GROUP>(group), *n, ranks, &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_incl: mpi_group_incl_ mpi_group_incl__ mpi_group_incl MPI_GROUP_INCL pmpi_group_incl_ pmpi_group_incl__ pmpi_group_incl PMPI_GROUP_INCL);
exports_f08!(group_incl: mpi_group_incl_f08_ pmpir_group_incl_f08_; group_incl: mpi_group_incl_f08_ pmpi_group_incl_f08_);

procedure! {
    group_intersection(group1: *mut Fint, group2: *mut Fint, newgroup: *mut Fint,
        ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_intersection(handle::<GROUP>(group1), handle::<GROUP>(group2),
        &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_intersection: mpi_group_intersection_ mpi_group_intersection__ mpi_group_intersection MPI_GROUP_INTERSECTION pmpi_group_intersection_ pmpi_group_intersection__ pmpi_group_intersection PMPI_GROUP_INTERSECTION);
exports_f08!(group_intersection: mpi_group_intersection_f08_ pmpir_group_intersection_f08_; group_intersection: mpi_group_intersection_f08_ pmpi_group_intersection_f08_);

procedure! {
    group_range_excl(group: *mut Fint, n: *mut c_int, ranges: *mut c_int, newgroup: *mut Fint,
        ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_range_excl(handle::<GROUP>(group), *n, ranges, &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_range_excl: mpi_group_range_excl_ mpi_group_range_excl__ mpi_group_range_excl MPI_GROUP_RANGE_EXCL pmpi_group_range_excl_ pmpi_group_range_excl__ pmpi_group_range_excl PMPI_GROUP_RANGE_EXCL);
exports_f08!(group_range_excl: mpi_group_range_excl_f08_ pmpir_group_range_excl_f08_; group_range_excl: mpi_group_range_excl_f08_ pmpi_group_range_excl_f08_);

procedure! {
    group_range_incl(group: *mut Fint, n: *mut c_int, ranges: *mut c_int, newgroup: *mut Fint,
        ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_range_incl(handle::<GROUP>(group), *n, ranges, &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_range_incl: mpi_group_range_incl_ mpi_group_range_incl__ mpi_group_range_incl MPI_GROUP_RANGE_INCL pmpi_group_range_incl_ pmpi_group_range_incl__ pmpi_group_range_incl PMPI_GROUP_RANGE_INCL);
exports_f08!(group_range_incl: mpi_group_range_incl_f08_ pmpir_group_range_incl_f08_; group_range_incl: mpi_group_range_incl_f08_ pmpi_group_range_incl_f08_);

procedure! {
    group_rank(group: *mut Fint, rank: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Group_rank(handle::<GROUP>(group), rank);
    finish(ierror, code);
}
exports!(group_rank: mpi_group_rank_ mpi_group_rank__ mpi_group_rank MPI_GROUP_RANK pmpi_group_rank_ pmpi_group_rank__ pmpi_group_rank PMPI_GROUP_RANK);
exports_f08!(group_rank: mpi_group_rank_f08_ pmpir_group_rank_f08_; group_rank: mpi_group_rank_f08_ pmpi_group_rank_f08_);

procedure! {
    group_size(group: *mut Fint, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Group_size(handle::<GROUP>(group), size);
    finish(ierror, code);
}
exports!(group_size: mpi_group_size_ mpi_group_size__ mpi_group_size MPI_GROUP_SIZE pmpi_group_size_ pmpi_group_size__ pmpi_group_size PMPI_GROUP_SIZE);
exports_f08!(group_size: mpi_group_size_f08_ pmpir_group_size_f08_; group_size: mpi_group_size_f08_ pmpi_group_size_f08_);

procedure! {
    group_translate_ranks(group1: *mut Fint, n: *mut c_int, ranks1: *mut c_int, group2: *mut Fint,
        ranks2: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Group_translate_ranks(handle::<GROUP>(group1), *n, ranks1,
        handle::<GROUP>(group2), ranks2);
    finish(ierror, code);
}
exports!(group_translate_ranks: mpi_group_translate_ranks_ mpi_group_translate_ranks__ mpi_group_translate_ranks MPI_GROUP_TRANSLATE_RANKS pmpi_group_translate_ranks_ pmpi_group_translate_ranks__ pmpi_group_translate_ranks PMPI_GROUP_TRANSLATE_RANKS);
exports_f08!(group_translate_ranks: mpi_group_translate_ranks_f08_ pmpir_group_translate_ranks_f08_; group_translate_ranks: mpi_group_translate_ranks_f08_ pmpi_group_translate_ranks_f08_);

procedure! {
    group_union(group1: *mut Fint, group2: *mut Fint, newgroup: *mut Fint, ierror: *mut Fint);
    let mut newgroup_c = handle::<GROUP>(newgroup);
    let code = c::PMPI_Group_union(handle::<GROUP>(group1), handle::<GROUP>(group2),
        &mut newgroup_c);
    give(newgroup, newgroup_c);
    finish(ierror, code);
}
exports!(group_union: mpi_group_union_ mpi_group_union__ mpi_group_union MPI_GROUP_UNION pmpi_group_union_ pmpi_group_union__ pmpi_group_union PMPI_GROUP_UNION);
exports_f08!(group_union: mpi_group_union_f08_ pmpir_group_union_f08_; group_union: mpi_group_union_f08_ pmpi_group_union_f08_);
