//! Errors and contents of the constructors, and very large types.

use nemesis_datatype::{
    Combiner, DISTRIBUTE_DFLT_DARG, Darray, Datatype, Distribution, Order, TypeErrorKind,
};

const INT: usize = 0x209;
const DOUBLE: usize = 0x214;
const CHAR: usize = 0x243;

fn named(handle: usize) -> Datatype {
    Datatype::predefined(handle).expect("in the table").clone()
}

/// Returns (integers, addresses, large counts) of the type's contents.
fn arguments(datatype: &Datatype) -> (Vec<i64>, Vec<i64>, Vec<i64>) {
    let contents = datatype.contents().expect("a derived type");
    (contents.integers.to_vec(), contents.addresses.to_vec(), contents.large_counts.to_vec())
}

fn valid(result: Result<Datatype, nemesis_datatype::TypeError>) -> Datatype {
    result.expect("valid arguments")
}

#[test]
fn contents_are_the_unchanged_arguments() {
    let int = named(INT);
    assert_eq!(arguments(&valid(Datatype::contiguous(3, &int))), (vec![3], vec![], vec![]));
    assert_eq!(
        arguments(&valid(Datatype::vector(3, 2, -4, &int))),
        (vec![3, 2, -4], vec![], vec![])
    );
    assert_eq!(
        arguments(&valid(Datatype::hvector(3, 2, 20, &int))),
        (vec![3, 2], vec![20], vec![])
    );
    assert_eq!(
        arguments(&valid(Datatype::indexed(&[1, 0], &[5, 9], &int))),
        (vec![2, 1, 0, 5, 9], vec![], vec![])
    );
    assert_eq!(
        arguments(&valid(Datatype::hindexed(&[1, 0], &[5, 9], &int))),
        (vec![2, 1, 0], vec![5, 9], vec![])
    );
    assert_eq!(
        arguments(&valid(Datatype::indexed_block(7, &[5, 9], &int))),
        (vec![2, 7, 5, 9], vec![], vec![])
    );
    assert_eq!(
        arguments(&valid(Datatype::hindexed_block(7, &[5, 9], &int))),
        (vec![2, 7], vec![5, 9], vec![])
    );
    assert_eq!(arguments(&valid(Datatype::resized(&int, -1, 9))), (vec![], vec![-1, 9], vec![]));
    let mixed = valid(Datatype::structure(&[1, 2], &[0, 8], &[named(CHAR), int.clone()]));
    assert_eq!(arguments(&mixed), (vec![2, 1, 2], vec![0, 8], vec![]));
    assert_eq!(mixed.contents().expect("derived").datatypes.to_vec(), [named(CHAR), int.clone()]);
    assert_eq!(valid(Datatype::dup(&mixed)).combiner(), Combiner::Dup);
    assert_eq!(int.combiner(), Combiner::Named);
    assert!(int.contents().is_none());
}

#[test]
fn large_count_contents_separate_counts_from_integers() {
    let int = named(INT);
    let hvector = valid(Datatype::hvector(3, 2, 20, &int)).into_large_count_form();
    assert_eq!(arguments(&hvector), (vec![], vec![], vec![3, 2, 20]));
    let subarray = valid(Datatype::subarray(&[4, 5], &[2, 3], &[1, 2], Order::C, &int));
    assert_eq!(arguments(&subarray).0, [2, 4, 5, 2, 3, 1, 2, 12]);
    assert_eq!(
        arguments(&subarray.into_large_count_form()),
        (vec![2, 12], vec![], vec![4, 5, 2, 3, 1, 2])
    );
    let array = Darray {
        size: 2,
        rank: 1,
        gsizes: &[8, 9],
        distributions: &[Distribution::Block, Distribution::None],
        args: &[DISTRIBUTE_DFLT_DARG; 2],
        psizes: &[2, 1],
        order: Order::Fortran,
    };
    let darray = valid(Datatype::darray(&array, &int));
    assert_eq!(arguments(&darray).0, [2, 1, 2, 8, 9, 17, 16, 19, 19, 2, 1, 15]);
    assert_eq!(
        arguments(&darray.into_large_count_form()),
        (vec![2, 1, 2, 17, 16, 19, 19, 2, 1, 15], vec![], vec![8, 9])
    );
}

#[test]
fn a_struct_is_padded_as_a_c_compiler_pads_it() {
    let padded = valid(Datatype::structure(&[1, 1], &[0, 8], &[named(DOUBLE), named(CHAR)]));
    assert_eq!(
        (padded.size(), padded.extent(), padded.true_extent(), padded.alignment()),
        (9, 16, 9, 8)
    );
    let packed = valid(Datatype::resized(&padded, 0, 9));
    assert_eq!((packed.extent(), packed.is_contiguous()), (9, true));
    let empty = valid(Datatype::structure(&[0], &[100], &[named(DOUBLE)]));
    assert_eq!((empty.size(), empty.lb(), empty.extent(), empty.alignment()), (0, 0, 0, 1));
}

#[test]
fn markers_take_precedence_over_data() {
    let wide = valid(Datatype::resized(&named(INT), -8, 24));
    let both = valid(Datatype::structure(&[1, 1], &[0, 64], &[wide, named(DOUBLE)]));
    assert_eq!((both.lb(), both.extent()), (-8, 24), "the double beyond the marker does not count");
    assert_eq!((both.true_lb(), both.true_extent()), (0, 72));
}

#[test]
fn lb_and_ub_are_markers_without_data() {
    const LB: usize = 0x204;
    const UB: usize = 0x205;
    let marked =
        valid(Datatype::structure(&[1, 1, 1], &[-4, 0, 12], &[named(LB), named(INT), named(UB)]));
    assert_eq!((marked.lb(), marked.extent(), marked.size(), marked.elements()), (-4, 16, 4, 1));
    assert_eq!((marked.true_lb(), marked.true_extent()), (0, 4));
    assert_eq!(marked.single_basic().and_then(Datatype::predefined_handle), Some(INT));
    // Markers remain in every type made of the type; the lowest and the highest one count.
    for made in [
        valid(Datatype::contiguous(3, &marked)),
        valid(Datatype::vector(3, 1, 1, &marked)),
        valid(Datatype::dup(&marked)),
    ] {
        let count = made.size() / 4;
        assert_eq!((made.lb(), made.extent()), (-4, 16 * count));
    }
    let beyond = valid(Datatype::structure(&[1, 1], &[0, 40], &[marked.clone(), named(DOUBLE)]));
    assert_eq!(
        (beyond.lb(), beyond.extent(), beyond.true_extent()),
        (-4, 16, 48),
        "data beyond the markers do not count"
    );
    let one_sided = valid(Datatype::structure(&[1, 1], &[8, 0], &[named(UB), named(INT)]));
    assert_eq!((one_sided.lb(), one_sided.extent()), (0, 8));
    let blocks = valid(Datatype::hindexed(&[1, 1], &[0, 100], &marked));
    assert_eq!((blocks.lb(), blocks.extent(), blocks.elements()), (-4, 116, 2));
    assert_eq!(blocks.signature().map(|stretch| stretch.count).collect::<Vec<_>>(), [2]);
    let none = named(UB);
    assert_eq!(
        (none.size(), none.extent(), none.get_count(0), none.get_elements(4)),
        (0, 0, Some(0), None)
    );
}

#[test]
fn commit_marks_only_this_type() {
    let inner = valid(Datatype::contiguous(2, &named(INT)));
    let outer = valid(Datatype::vector(2, 1, 2, &inner));
    outer.commit();
    assert!(outer.is_committed() && !inner.is_committed());
    assert!(valid(Datatype::dup(&outer)).is_committed());
    assert!(!valid(Datatype::dup(&inner)).is_committed());
}

#[test]
fn errors_have_the_right_kind() {
    let int = named(INT);
    let kind =
        |result: Result<Datatype, nemesis_datatype::TypeError>| result.expect_err("an error").kind;
    assert_eq!(kind(Datatype::contiguous(-1, &int)), TypeErrorKind::Count);
    assert_eq!(kind(Datatype::vector(1, -1, 1, &int)), TypeErrorKind::Arg);
    assert_eq!(kind(Datatype::indexed(&[1, -1], &[0, 0], &int)), TypeErrorKind::Arg);
    assert_eq!(kind(Datatype::contiguous(1 << 62, &int)), TypeErrorKind::Overflow);
    assert_eq!(kind(Datatype::vector(3, 1, i64::MAX / 4, &int)), TypeErrorKind::Overflow);
    assert_eq!(kind(Datatype::resized(&int, i64::MAX, 1)), TypeErrorKind::Overflow);
    let array = Darray {
        size: 5,
        rank: 0,
        gsizes: &[8],
        distributions: &[Distribution::Block],
        args: &[DISTRIBUTE_DFLT_DARG],
        psizes: &[2],
        order: Order::C,
    };
    assert_eq!(kind(Datatype::darray(&array, &int)), TypeErrorKind::Arg);
    let why = Datatype::darray(&array, &int).expect_err("an error").why;
    assert_eq!(why, "the process grid has 2 processes, but the size is 5");
}

#[test]
fn huge_regular_types_stay_small() {
    let plane = valid(Datatype::vector(1_000_000_000, 3, 5, &named(DOUBLE)));
    let cube = valid(Datatype::hvector(1_000, 1, 1 << 40, &plane));
    cube.commit();
    assert_eq!(cube.size(), 24_000_000_000_000);
    assert_eq!(cube.get_elements(cube.size() - 8), Some(cube.elements() - 1));
}

#[test]
fn forty_levels_of_doubled_types_cost_forty_steps() {
    let mut datatype = named(INT);
    for _ in 0..40 {
        let extent = datatype.extent();
        let gap = valid(Datatype::resized(&datatype, 0, extent + 4));
        datatype = valid(Datatype::structure(&[1, 1], &[0, extent + 4], &[gap.clone(), gap]));
    }
    datatype.commit();
    assert_eq!(datatype.elements(), 1 << 40);
    assert_eq!(datatype.get_elements((1 << 42) - 4), Some((1 << 40) - 1));
}
