//! Types that a program requests by a property: Fortran kinds, sizes, pairs (MPI 5.0 §19.1.5,
//! §6.9.4).
//!
//! The parameterized types follow gfortran's kinds:
//!
//! | kind | precision | range | type |
//! |---|---|---|---|
//! | real(4) | 6 | 37 | `MPI_REAL4` |
//! | real(8) | 15 | 307 | `MPI_REAL8` |
//! | real(10) | 18 | 4931 | `MPI_LONG_DOUBLE` (x86-64 only) |
//! | real(16) | 33 | 4931 | `MPI_REAL16` |
//! | integer(1, 2, 4, 8, 16) | | 2, 4, 9, 18, 38 | `MPI_INTEGER1` … `MPI_INTEGER16` |
//!
//! The caller keeps the results by their arguments, because equal arguments should give one handle.

use crate::datatype::Datatype;
use crate::datatype::basic::{Group, Named, UNDEFINED};
use crate::datatype::contents::{Combiner, Contents};
use crate::elements::members;
use crate::error::{TypeError, TypeErrorKind};

/// Class of a type for `MPI_Type_match_size` (`MPI_TYPECLASS_*`). The values are those of the
/// standard ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum TypeClass {
    /// `MPI_TYPECLASS_INTEGER`.
    Integer = 192,
    /// `MPI_TYPECLASS_REAL`.
    Real = 193,
    /// `MPI_TYPECLASS_COMPLEX`.
    Complex = 194,
}

impl TypeClass {
    /// Returns the class with this value of the standard ABI.
    pub fn from_value(value: i64) -> Option<Self> {
        [Self::Integer, Self::Real, Self::Complex].into_iter().find(|&class| class as i64 == value)
    }
}

/// A kind of real numbers: decimal digits, decimal exponent range, and the handles of the real and
/// the complex type.
struct RealKind {
    precision: i64,
    range: i64,
    real: usize,
    complex: usize,
}

const REAL_KINDS: &[RealKind] = &[
    RealKind { precision: 6, range: 37, real: 0x2d2, complex: 0x2db },
    RealKind { precision: 15, range: 307, real: 0x2da, complex: 0x2e3 },
    #[cfg(target_arch = "x86_64")]
    RealKind { precision: 18, range: 4931, real: 0x220, complex: 0x224 },
    RealKind { precision: 33, range: 4931, real: 0x2e2, complex: 0x2eb },
];

/// Decimal range and handle of each integer kind.
const INTEGER_KINDS: [(i64, usize); 5] =
    [(2, 0x2c1), (4, 0x2c9), (9, 0x2d1), (18, 0x2d9), (38, 0x2e1)];

impl Datatype {
    /// `MPI_Type_create_f90_real`. One of the arguments may be [`UNDEFINED`].
    ///
    /// # Errors
    /// If both arguments are undefined, or no kind has that precision and range.
    pub fn f90_real(precision: i64, range: i64) -> Result<Self, TypeError> {
        let kind = real_kind(precision, range)?;
        Self::parameterised(kind.real, Combiner::F90Real, &[precision, range])
    }

    /// `MPI_Type_create_f90_complex`. One of the arguments may be [`UNDEFINED`].
    ///
    /// # Errors
    /// If both arguments are undefined, or no kind has that precision and range.
    pub fn f90_complex(precision: i64, range: i64) -> Result<Self, TypeError> {
        let kind = real_kind(precision, range)?;
        Self::parameterised(kind.complex, Combiner::F90Complex, &[precision, range])
    }

    /// `MPI_Type_create_f90_integer`.
    ///
    /// # Errors
    /// If no kind has that range.
    pub fn f90_integer(range: i64) -> Result<Self, TypeError> {
        let fits = |kind: &&(i64, usize)| range <= kind.0;
        let &(_, handle) = INTEGER_KINDS.iter().find(fits).ok_or_else(|| {
            TypeError::new(
                TypeErrorKind::Arg,
                format!("no Fortran integer of this machine has a decimal range of {range}"),
            )
        })?;
        Self::parameterised(handle, Combiner::F90Integer, &[range])
    }

    fn parameterised(
        handle: usize,
        combiner: Combiner,
        integers: &[i64],
    ) -> Result<Self, TypeError> {
        let basic = Self::predefined(handle).expect("the kinds' types are in the table");
        let same = Self::wrapper(basic, Contents::new(combiner, &[integers], &[], &[]));
        same.commit();
        Ok(same)
    }

    /// `MPI_Type_match_size`: returns the Fortran type of a class with this number of bytes.
    ///
    /// # Errors
    /// If the class has no type of that size.
    pub fn match_size(class: TypeClass, bytes: i64) -> Result<&'static Self, TypeError> {
        let handle = match (class, bytes) {
            (TypeClass::Integer, 1) => 0x2c1,
            (TypeClass::Integer, 2) => 0x2c9,
            (TypeClass::Integer, 4) => 0x2d1,
            (TypeClass::Integer, 8) => 0x2d9,
            (TypeClass::Integer, 16) => 0x2e1,
            (TypeClass::Real, 2) => 0x2ca,
            (TypeClass::Real, 4) => 0x2d2,
            (TypeClass::Real, 8) => 0x2da,
            (TypeClass::Real, 16) => 0x2e2,
            (TypeClass::Complex, 4) => 0x2d3,
            (TypeClass::Complex, 8) => 0x2db,
            (TypeClass::Complex, 16) => 0x2e3,
            (TypeClass::Complex, 32) => 0x2eb,
            _ => {
                let why = format!("no {class:?} type has {bytes} bytes").to_lowercase();
                return Err(TypeError::new(TypeErrorKind::Arg, why));
            }
        };
        Ok(Self::predefined(handle).expect("in the table"))
    }

    /// `MPI_Type_get_value_index`: returns the pair of a value and an index for MINLOC and MAXLOC.
    /// `None` means `MPI_DATATYPE_NULL`.
    ///
    /// Returns a named pair type if there is one, and makes a type otherwise. The caller keeps it,
    /// because equal arguments should give one handle.
    ///
    /// # Errors
    /// If value or index is not a predefined basic type.
    pub fn value_index(value: &Self, index: &Self) -> Result<Option<Self>, TypeError> {
        let (Some(first), Some(second)) = (value.as_basic(), index.as_basic()) else {
            return Err(TypeError::new(
                TypeErrorKind::Type,
                "value and index are not both predefined basic datatypes",
            ));
        };
        if let Some(pair) = named_pair(first, second) {
            return Ok(Some(pair.clone()));
        }
        let integer =
            |group| matches!(group, Group::CInteger | Group::FortranInteger | Group::MultiLanguage);
        if !integer(second.group) || !integer(first.group) && first.group != Group::Floating {
            return Ok(None);
        }
        let at = (first.facts.size as u64).next_multiple_of(second.facts.align as u64) as i64;
        let contents = Contents::new(Combiner::ValueIndex, &[], &[], &[value, index]);
        let pair = Self::assembled([(1, 0, value), (1, at, index)].into_iter(), contents)?;
        pair.commit();
        Ok(Some(pair))
    }
}

/// Returns the named pair type with these members, if there is one.
fn named_pair(value: &Named, index: &Named) -> Option<&'static Datatype> {
    crate::datatype::basic::all_predefined().iter().find(|datatype| {
        datatype.row().filter(|row| row.group == Group::Pair).is_some_and(|row| {
            let (first, second) = members(row);
            first.handle == value.handle && second.handle == index.handle
        })
    })
}

fn real_kind(precision: i64, range: i64) -> Result<&'static RealKind, TypeError> {
    if precision == UNDEFINED && range == UNDEFINED {
        return Err(TypeError::new(
            TypeErrorKind::Arg,
            "precision and range are both MPI_UNDEFINED",
        ));
    }
    // MPI_UNDEFINED is a large negative number, so every kind fulfils it.
    REAL_KINDS.iter().find(|kind| precision <= kind.precision && range <= kind.range).ok_or_else(
        || {
            let why =
                format!("no Fortran real has a precision of {precision} and a range of {range}");
            TypeError::new(TypeErrorKind::Arg, why)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    #[test]
    fn kinds_are_gfortrans() {
        assert_eq!(Datatype::f90_real(6, UNDEFINED).map(|t| t.size()), Ok(4));
        assert_eq!(Datatype::f90_real(15, 307).map(|t| t.size()), Ok(8));
        assert_eq!(Datatype::f90_complex(30, UNDEFINED).map(|t| t.size()), Ok(32));
        assert_eq!(Datatype::f90_integer(10).map(|t| t.size()), Ok(8));
        assert!(Datatype::f90_integer(39).is_err());
        assert!(Datatype::f90_real(UNDEFINED, UNDEFINED).is_err());
        let real = Datatype::f90_real(15, 307).expect("valid");
        assert!(real.is_committed() && real.is_predefined() && Op::Sum.allows(&real));
    }

    #[test]
    fn pairs_named_and_unnamed() {
        let named = |handle| Datatype::predefined(handle).expect("in the table");
        let float_int =
            Datatype::value_index(named(0x210), named(0x209)).expect("valid").expect("a pair");
        assert_eq!(float_int.predefined_name(), Some("MPI_FLOAT_INT"));
        let double_long =
            Datatype::value_index(named(0x214), named(0x20a)).expect("valid").expect("a pair");
        assert_eq!((double_long.size(), double_long.extent()), (16, 16));
        assert!(Op::Maxloc.allows(&double_long) && !Op::Max.allows(&double_long));
        assert_eq!(
            Datatype::value_index(named(0x216), named(0x209)),
            Ok(None),
            "complex numbers have no order"
        );
        assert!(Datatype::value_index(&double_long, named(0x209)).is_err());
    }
}
