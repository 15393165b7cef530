//! Classes of element types: types of one class are interchangeable in a reduction.
//!
//! `MPI_LONG` and `MPI_INT64_T` are of one class, as are C's and Fortran's names of one number. The
//! processes of a reduction compare the classes of their types.

use crate::datatype::Datatype;
use crate::datatype::basic::Number;
use crate::op::Operand;
use crate::reduce::ReduceKernel;

/// What is added to the class of a pair's value, which gives that of the pair.
const PAIR: u32 = 32;

impl Number {
    /// Returns the class of elements of this representation, 1 to 25.
    #[inline(always)]
    pub(crate) const fn class(self) -> u32 {
        match self {
            Self::I8 => 1,
            Self::U8 => 2,
            Self::I16 => 3,
            Self::U16 => 4,
            Self::I32 => 5,
            Self::U32 => 6,
            Self::I64 => 7,
            Self::U64 => 8,
            Self::I128 => 9,
            Self::F16 => 10,
            Self::BFloat16 => 11,
            Self::F32 => 12,
            Self::F64 => 13,
            Self::Long => 14,
            Self::F128 => 15,
            Self::C16 => 16,
            Self::C32 => 17,
            Self::C64 => 18,
            Self::CLong => 19,
            Self::C128 => 20,
            Self::Bool => 21,
            Self::Logical(_) => 22,
            Self::Octet => 23,
            Self::Char => 24,
            Self::Wide => 25,
        }
    }
}

/// The most usual names of the classes, by number.
const NAMES: [&str; 26] = [
    "none",
    "MPI_INT8_T",
    "MPI_UINT8_T",
    "MPI_SHORT",
    "MPI_UNSIGNED_SHORT",
    "MPI_INT",
    "MPI_UNSIGNED",
    "MPI_INT64_T",
    "MPI_UINT64_T",
    "MPI_INTEGER16",
    "MPI_REAL2",
    "MPIX_BFLOAT16",
    "MPI_FLOAT",
    "MPI_DOUBLE",
    "MPI_LONG_DOUBLE",
    "MPI_REAL16",
    "MPI_COMPLEX4",
    "MPI_C_COMPLEX",
    "MPI_C_DOUBLE_COMPLEX",
    "MPI_C_LONG_DOUBLE_COMPLEX",
    "MPI_COMPLEX32",
    "MPI_C_BOOL",
    "MPI_LOGICAL",
    "MPI_BYTE",
    "MPI_CHAR",
    "MPI_WCHAR",
];

/// Returns the name of a type of a class, as users know it.
pub fn class_name(class: u32) -> String {
    let name = |class: u32| NAMES.get(class as usize).copied().unwrap_or("an unknown type");
    if class < PAIR {
        name(class).into()
    } else {
        format!("a pair of {} and an index", name(class - PAIR))
    }
}

impl Datatype {
    /// Returns the class of a type that predefined operations combine, and 0 for other types.
    pub fn class(&self) -> u32 {
        Operand::of(self).map_or(0, |operand| {
            operand.number.class() + if operand.index.is_some() { PAIR } else { 0 }
        })
    }
}

impl ReduceKernel {
    /// Returns the class of the elements.
    #[inline(always)]
    pub fn class(&self) -> u32 {
        self.class.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::basic::all_predefined;

    #[test]
    fn a_class_is_known_by_one_of_its_types() {
        for datatype in all_predefined().iter().filter(|datatype| datatype.class() != 0) {
            let class = datatype.class();
            assert!(class < 2 * PAIR, "a signature has 6 bits for it");
            let name = class_name(class);
            let named =
                all_predefined().iter().find(|other| other.predefined_name() == Some(&name));
            assert_eq!(named.map_or(class, Datatype::class), class, "{name}");
            assert_eq!(named.is_none(), class > PAIR, "{name}");
        }
    }

    #[test]
    fn names_of_one_number_are_of_one_class() {
        let class = |name: &str| {
            let found = all_predefined().iter().find(|it| it.predefined_name() == Some(name));
            found.unwrap().class()
        };
        assert_eq!(class("MPI_LONG"), class("MPI_INT64_T"));
        assert_eq!(class("MPI_INTEGER"), class("MPI_INT"));
        assert_ne!(class("MPI_INT"), class("MPI_FLOAT"));
        assert_ne!(class("MPI_DOUBLE"), class("MPI_DOUBLE_INT"));
    }
}
