//! Predefined reductions against the operators of Rust.

use nemesis_datatype::{
    Buffer, Datatype, Op, ReduceKernel, TypeErrorKind, UNDEFINED, all_predefined,
    predefined_contiguous_size, reduce_slices,
};
use proptest::prelude::*;
use std::ffi::c_char;

fn named(handle: usize) -> &'static Datatype {
    Datatype::predefined(handle).expect("in the table")
}

/// Reduces byte strings of consecutive elements.
fn reduced(op: Op, handle: usize, invec: &[u8], inoutvec: &[u8]) -> Vec<u8> {
    let mut result = inoutvec.to_vec();
    reduce_slices(op, named(handle), invec, &mut result).expect("allowed");
    result
}

macro_rules! against_rust {
    ($test:ident, $t:ty, $handle:literal, $($op:ident => $expected:expr),* $(,)?) => {
        proptest! {
            #[test]
            fn $test(pairs in prop::collection::vec((any::<$t>(), any::<$t>()), 0..70)) {
                let invec: Vec<u8> = pairs.iter().flat_map(|pair| pair.0.to_le_bytes()).collect();
                let inoutvec: Vec<u8> =
                    pairs.iter().flat_map(|pair| pair.1.to_le_bytes()).collect();
                $({
                    let expected: fn($t, $t) -> $t = $expected;
                    let expected: Vec<u8> =
                        pairs.iter().flat_map(|&(a, b)| expected(a, b).to_le_bytes()).collect();
                    let result = reduced(Op::$op, $handle, &invec, &inoutvec);
                    prop_assert_eq!(result, expected, "{}", Op::$op.name());
                })*
            }
        }
    };
}

macro_rules! integers_against_rust {
    ($($test:ident $t:ty, $handle:literal;)*) => {$(
        against_rust!($test, $t, $handle,
            Sum => |a, b| a.wrapping_add(b),
            Prod => |a, b| a.wrapping_mul(b),
            Max => |a, b| a.max(b),
            Min => |a, b| a.min(b),
            Band => |a, b| a & b,
            Bor => |a, b| a | b,
            Bxor => |a, b| a ^ b,
            Replace => |a, _| a,
            NoOp => |_, b| b,
        );
    )*};
}

integers_against_rust! {
    signed_bytes i8, 0x244;
    unsigned_bytes u8, 0x241;
    shorts i16, 0x208;
    unsigned_shorts u16, 0x20c;
    ints i32, 0x209;
    unsigned_ints u32, 0x20d;
    longs i64, 0x20a;
    unsigned_longs u64, 0x20e;
    addresses i64, 0x201;
    characters c_char, 0x243;
    fortran_characters c_char, 0x21e;
    integer16s i128, 0x2e1;
}

macro_rules! truth_against_rust {
    ($($test:ident $t:ident, $handle:literal;)*) => {$(
        against_rust!($test, $t, $handle,
            Land => |a, b| $t::from(a != 0 && b != 0),
            Lor => |a, b| $t::from(a != 0 || b != 0),
            Lxor => |a, b| $t::from((a != 0) != (b != 0)),
        );
    )*};
}

truth_against_rust! {
    logical_on_ints i32, 0x209;
    logical_on_addresses i64, 0x201;
    logical_on_counts i64, 0x202;
    logical_on_offsets i64, 0x203;
    logical_on_characters c_char, 0x243;
    logical_on_fortran_characters c_char, 0x21e;
}

against_rust!(floats, f32, 0x210,
    Sum => |a, b| a + b,
    Prod => |a, b| a * b,
    Max => |a, b| if a.total_cmp(&b).is_gt() { a } else { b },
    Min => |a, b| if a.total_cmp(&b).is_lt() { a } else { b },
);

against_rust!(doubles, f64, 0x214,
    Sum => |a, b| a + b,
    Prod => |a, b| a * b,
    Max => |a, b| if a.total_cmp(&b).is_gt() { a } else { b },
    Min => |a, b| if a.total_cmp(&b).is_lt() { a } else { b },
);

#[test]
fn logical_values_are_truth_not_bits() {
    let (a, b) = ([2_i32, 0, 4, 0], [1_i32, 0, 0, -1]);
    let (a, b) = (a.map(i32::to_le_bytes).concat(), b.map(i32::to_le_bytes).concat());
    let fortran =
        |op| reduced(op, 0x218, &a, &b).chunks(4).map(|element| element[0]).collect::<Vec<_>>();
    assert_eq!(fortran(Op::Land), [1, 0, 0, 0]);
    assert_eq!(fortran(Op::Lor), [1, 0, 1, 1]);
    assert_eq!(fortran(Op::Lxor), [0, 0, 1, 1]);
    assert_eq!(reduced(Op::Lxor, 0x238, &[1, 1, 0], &[1, 0, 0]), [0, 1, 0]);
}

#[test]
fn complex_products_are_complex() {
    let (a, b) = ([1.0_f64, 2.0], [3.0_f64, -1.0]);
    let product = reduced(
        Op::Prod,
        0x216,
        &a.map(f64::to_le_bytes).concat(),
        &b.map(f64::to_le_bytes).concat(),
    );
    assert_eq!(product, [5.0_f64, 5.0].map(f64::to_le_bytes).concat());
}

/// Returns a double in x87's format; exact for normal numbers.
#[cfg(target_arch = "x86_64")]
fn extended(value: f64) -> [u8; 16] {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) + 16383 - 1023;
    let significand = if value == 0.0 { 0 } else { 1 << 63 | (bits & ((1 << 52) - 1)) << 11 };
    let sign_and_exponent = if value == 0.0 { 0 } else { exponent } | bits >> 63 << 15;
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&significand.to_le_bytes());
    bytes[8..10].copy_from_slice(&(sign_and_exponent as u16).to_le_bytes());
    bytes
}

/// Halves of integers: sums and products of two of them are exact in 64 significand bits.
#[cfg(target_arch = "x86_64")]
mod long_double {
    use super::*;

    proptest! {
        #[test]
        fn long_doubles(a in -100_000_i32..100_000, b in -100_000_i32..100_000) {
            let (a, b) = (f64::from(a) / 2.0, f64::from(b) / 2.0);
            let of = |op| reduced(op, 0x220, &extended(a), &extended(b))[..10].to_vec();
            prop_assert_eq!(of(Op::Sum), &extended(a + b)[..10]);
            if a != 0.0 && b != 0.0 {
                prop_assert_eq!(of(Op::Prod), &extended(a * b)[..10]);
            }
            prop_assert_eq!(of(Op::Max), &extended(a.max(b))[..10]);
            prop_assert_eq!(of(Op::Min), &extended(a.min(b))[..10]);
        }
    }

    #[test]
    fn sums_keep_all_64_bits() {
        // 1 + 2^-60 is not a double, but it is a long double.
        let sum = reduced(Op::Sum, 0x220, &extended(1.0), &extended(2.0_f64.powi(-60)));
        assert_eq!(sum[..8], (1_u64 << 63 | 1 << 3).to_le_bytes());
    }

    #[test]
    fn complex_long_doubles_subtract_in_the_right_order() {
        let number = |re, im| [extended(re), extended(im)].concat();
        let product = reduced(Op::Prod, 0x224, &number(1.0, 2.0), &number(3.0, -1.0));
        assert_eq!(
            (&product[..10], &product[16..26]),
            (&extended(5.0)[..10], &extended(5.0)[..10])
        );
    }
}

#[test]
fn quads_add() {
    let one = (16383_u128 << 112).to_le_bytes();
    assert_eq!(reduced(Op::Sum, 0x2e2, &one, &one), (16384_u128 << 112).to_le_bytes());
}

#[test]
fn minloc_and_maxloc_prefer_the_smaller_index_among_equals() {
    let pair = |value: f64, index: i32| {
        [&value.to_le_bytes()[..], &index.to_le_bytes(), &[0xee; 4]].concat()
    };
    let of =
        |op, a: (f64, i32), b: (f64, i32)| reduced(op, 0x229, &pair(a.0, a.1), &pair(b.0, b.1));
    assert_eq!(of(Op::Maxloc, (1.0, 7), (2.0, 3)), pair(2.0, 3));
    assert_eq!(of(Op::Maxloc, (2.0, 7), (1.0, 3)), pair(2.0, 7));
    assert_eq!(of(Op::Maxloc, (2.0, 7), (2.0, 3)), pair(2.0, 3));
    assert_eq!(of(Op::Minloc, (2.0, 1), (2.0, 3)), pair(2.0, 1));
    assert_eq!(of(Op::Minloc, (1.0, 9), (2.0, 3)), pair(1.0, 9));
}

#[test]
fn maxima_and_minima_do_not_depend_on_the_order_of_operands() {
    // Zeros, infinities and NaN of the binary formats of 16 (two), 32, 64 and 128 bits.
    let formats: [(usize, u32, u128); 5] =
        [(0x24a, 16, 10), (0x24b, 16, 7), (0x210, 32, 23), (0x214, 64, 52), (0x2e2, 128, 112)];
    for (handle, bits, fraction_bits) in formats {
        let datatype = named(handle);
        assert_eq!(datatype.size() * 8, i64::from(bits), "{datatype:?}");
        let sign = 1_u128 << (bits - 1);
        let infinity = (sign - 1) >> fraction_bits << fraction_bits;
        let nan = infinity | 1 << (fraction_bits - 1);
        // In ascending order.
        let ordered = [sign | infinity, sign, 0, 1 << fraction_bits, infinity, nan];
        let bytes = |number: u128| number.to_le_bytes()[..bits as usize / 8].to_vec();
        for (low, high) in (0..6).flat_map(|low| (low..6).map(move |high| (low, high))) {
            let (low, high) = (bytes(ordered[low]), bytes(ordered[high]));
            for (a, b) in [(&low, &high), (&high, &low)] {
                assert_eq!(reduced(Op::Max, handle, a, b), high, "{datatype:?}");
                assert_eq!(reduced(Op::Min, handle, a, b), low, "{datatype:?}");
            }
        }
    }
    let pair = |value: f64, index: i32| {
        [&value.to_le_bytes()[..], &index.to_le_bytes(), &[0xee; 4]].concat()
    };
    let (zero, nan) = (pair(-0.0, 3), pair(f64::NAN, 4));
    for op in [Op::Maxloc, Op::Minloc] {
        assert_eq!(reduced(op, 0x229, &zero, &pair(0.0, 7)), zero);
        assert_eq!(reduced(op, 0x229, &pair(0.0, 7), &zero), zero);
        let wanted = if op == Op::Maxloc { &nan } else { &zero };
        assert_eq!(&reduced(op, 0x229, &zero, &nan), wanted);
        assert_eq!(&reduced(op, 0x229, &nan, &zero), wanted);
    }
}

#[test]
fn reductions_keep_the_holes_of_pairs() {
    let a = [9, 0, 0xaa, 0xaa, 1, 0, 0, 0];
    let b = [5, 0, 0xbb, 0xbb, 2, 0, 0, 0];
    assert_eq!(reduced(Op::Maxloc, 0x22c, &a, &b), [9, 0, 0xbb, 0xbb, 1, 0, 0, 0]);
    assert_eq!(reduced(Op::Replace, 0x22c, &a, &b), [9, 0, 0xbb, 0xbb, 1, 0, 0, 0]);
}

#[test]
fn every_allowed_combination_runs() {
    let index = named(0x209);
    let unnamed = nemesis_datatype::all_predefined()
        .iter()
        .filter_map(|value| Datatype::value_index(value, index).ok().flatten());
    let f90 = [
        Datatype::f90_real(UNDEFINED, 300),
        Datatype::f90_complex(6, UNDEFINED),
        Datatype::f90_integer(30),
    ];
    let all = nemesis_datatype::all_predefined()
        .iter()
        .cloned()
        .chain(unnamed)
        .chain(f90.into_iter().flatten());
    for datatype in all {
        for op in Op::ALL {
            let (source, target) = (Buffer::scratch(3, &datatype), Buffer::scratch(3, &datatype));
            let result = target.expect("memory").reduce_from(op, &source.expect("memory"));
            assert_eq!(result.is_ok(), op.allows(&datatype), "{} on {datatype:?}", op.name());
        }
    }
}

#[test]
fn an_error_names_operation_and_type() {
    let error = reduce_slices(Op::Sum, named(0x207), &[1], &mut [1])
        .expect_err("packed bytes are no number");
    assert_eq!(error.kind, TypeErrorKind::Type);
    assert_eq!(error.why, "MPI_SUM is not defined on MPI_PACKED");
}

#[test]
fn a_reduce_kernel_gives_what_the_general_reduction_gives() {
    let mut found = 0;
    for (datatype, op) in
        all_predefined().iter().flat_map(|datatype| Op::ALL.map(|op| (datatype, op)))
    {
        let handle = datatype.predefined_handle().unwrap();
        let is_pair = matches!(op, Op::Minloc | Op::Maxloc);
        let expected = op.allows(datatype)
            && op.is_commutative()
            && !is_pair
            && predefined_contiguous_size(handle).is_some();
        let kernel = ReduceKernel::find(op.handle(), handle);
        assert_eq!(kernel.is_some(), expected, "{datatype:?} {op:?}");
        let Some(kernel) = kernel else { continue };
        found += 1;
        let next: Vec<u8> =
            (0..3 * datatype.size() as usize).map(|byte| (byte * 37 % 60) as u8).collect();
        let mut value: Vec<u8> = next.iter().map(|byte| byte ^ 5).collect();
        let mut wanted = value.clone();
        kernel.reduce(&mut value, &next);
        reduce_slices(op, datatype, &next, &mut wanted).unwrap();
        assert_eq!(value, wanted, "{datatype:?} {op:?}");
    }
    assert!(found > 100, "{found}");
    assert!(
        ReduceKernel::find(0x20, 0x200 + 0x0d).is_none() && ReduceKernel::find(0x21, 0).is_none()
    );
}
