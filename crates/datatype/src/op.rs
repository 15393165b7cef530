//! The predefined operations and the types that they accept (MPI 5.0 §6.9.2).
//!
//! | operation | C int | F int | language | character | float | complex | logical | byte | pair |
//! |---|---|---|---|---|---|---|---|---|---|
//! | `MAX` `MIN` | ✓ | ✓ | ✓ | + | ✓ | | | | |
//! | `SUM` `PROD` | ✓ | ✓ | ✓ | + | ✓ | ✓ | | | |
//! | `LAND` `LOR` `LXOR` | ✓ | | + | + | | | ✓ | | |
//! | `BAND` `BOR` `BXOR` | ✓ | ✓ | ✓ | + | | | | ✓ | |
//! | `MINLOC` `MAXLOC` | | | | | | | | | ✓ |
//!
//! `F int` is the group of Fortran integers, `language` is the group of multi-language types
//! (`MPI_AINT`, `MPI_COUNT`, `MPI_OFFSET`). `REPLACE` and `NO_OP` accept every predefined type.
//! They belong to the accumulate functions, which the caller checks.
//!
//! The standard does not define the combinations marked `+`. MPICH, Intel MPI and Open MPI accept
//! them, and programs rely on that: micro-benchmarks reduce `MPI_CHAR`. `MPI_CHAR` and
//! `MPI_CHARACTER` are reduced as C's `char`. `MPI_WCHAR` and `MPI_PACKED` are in no group.

use crate::datatype::Datatype;
use crate::datatype::basic::{Group, Number};
use crate::datatype::contents::Combiner;

/// A predefined reduction operation. The values are the handle values of the standard ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Op {
    /// `MPI_SUM`: sum.
    Sum = 0x21,
    /// `MPI_MIN`: minimum.
    Min = 0x22,
    /// `MPI_MAX`: maximum.
    Max = 0x23,
    /// `MPI_PROD`: product.
    Prod = 0x24,
    /// `MPI_BAND`: bitwise and.
    Band = 0x28,
    /// `MPI_BOR`: bitwise or.
    Bor = 0x29,
    /// `MPI_BXOR`: bitwise exclusive or.
    Bxor = 0x2a,
    /// `MPI_LAND`: logical and.
    Land = 0x30,
    /// `MPI_LOR`: logical or.
    Lor = 0x31,
    /// `MPI_LXOR`: logical exclusive or.
    Lxor = 0x32,
    /// `MPI_MINLOC`: minimum and its index.
    Minloc = 0x38,
    /// `MPI_MAXLOC`: maximum and its index.
    Maxloc = 0x39,
    /// `MPI_REPLACE`: the first operand.
    Replace = 0x3c,
    /// `MPI_NO_OP`: the second operand, unchanged.
    NoOp = 0x3d,
}

impl Op {
    /// All operations, by handle value.
    pub const ALL: [Self; 14] = [
        Self::Sum,
        Self::Min,
        Self::Max,
        Self::Prod,
        Self::Band,
        Self::Bor,
        Self::Bxor,
        Self::Land,
        Self::Lor,
        Self::Lxor,
        Self::Minloc,
        Self::Maxloc,
        Self::Replace,
        Self::NoOp,
    ];

    /// Returns the operation with this handle value, by a table; `None` for `MPI_OP_NULL` and
    /// values without an operation.
    #[inline]
    pub fn from_handle(handle: usize) -> Option<Self> {
        Some(match handle {
            0x21 => Self::Sum,
            0x22 => Self::Min,
            0x23 => Self::Max,
            0x24 => Self::Prod,
            0x28 => Self::Band,
            0x29 => Self::Bor,
            0x2a => Self::Bxor,
            0x30 => Self::Land,
            0x31 => Self::Lor,
            0x32 => Self::Lxor,
            0x38 => Self::Minloc,
            0x39 => Self::Maxloc,
            0x3c => Self::Replace,
            0x3d => Self::NoOp,
            _ => return None,
        })
    }

    /// Returns the handle value in the standard ABI.
    pub const fn handle(self) -> usize {
        self as usize
    }

    /// Returns the name of the constant, such as `MPI_SUM`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "MPI_SUM",
            Self::Min => "MPI_MIN",
            Self::Max => "MPI_MAX",
            Self::Prod => "MPI_PROD",
            Self::Band => "MPI_BAND",
            Self::Bor => "MPI_BOR",
            Self::Bxor => "MPI_BXOR",
            Self::Land => "MPI_LAND",
            Self::Lor => "MPI_LOR",
            Self::Lxor => "MPI_LXOR",
            Self::Minloc => "MPI_MINLOC",
            Self::Maxloc => "MPI_MAXLOC",
            Self::Replace => "MPI_REPLACE",
            Self::NoOp => "MPI_NO_OP",
        }
    }

    /// Returns true for all operations but `REPLACE`, which keeps its first operand, and `NO_OP`,
    /// which keeps its second.
    pub const fn is_commutative(self) -> bool {
        !matches!(self, Self::Replace | Self::NoOp)
    }

    /// Returns true if the operation is defined on the type.
    pub fn allows(self, datatype: &Datatype) -> bool {
        Operand::of(datatype).is_some_and(|operand| self.accepts(operand.group))
    }

    /// Returns the groups on whose types the operation is defined, as a set.
    #[inline(always)]
    pub(crate) fn groups(self) -> u16 {
        GROUPS[self as usize]
    }

    const fn accepts(self, group: Group) -> bool {
        use Group::{
            Byte, CInteger, Character, Complex, Floating, FortranInteger, Logical, Marker,
            MultiLanguage, Pair,
        };
        match self {
            Self::Max | Self::Min => {
                matches!(group, CInteger | FortranInteger | MultiLanguage | Character | Floating)
            }
            Self::Sum | Self::Prod => matches!(
                group,
                CInteger | FortranInteger | MultiLanguage | Character | Floating | Complex
            ),
            Self::Land | Self::Lor | Self::Lxor => {
                matches!(group, CInteger | MultiLanguage | Character | Logical)
            }
            Self::Band | Self::Bor | Self::Bxor => {
                matches!(group, CInteger | FortranInteger | MultiLanguage | Character | Byte)
            }
            Self::Minloc | Self::Maxloc => matches!(group, Pair),
            Self::Replace | Self::NoOp => !matches!(group, Marker),
        }
    }
}

/// Results of [`Op::groups`] by handle value.
static GROUPS: [u16; 0x40] = {
    let mut sets = [0; 0x40];
    let mut index = 0;
    while index < Op::ALL.len() * Group::ALL.len() {
        let (op, group) = (Op::ALL[index / Group::ALL.len()], Group::ALL[index % Group::ALL.len()]);
        if op.accepts(group) {
            sets[op as usize] |= group.bit();
        }
        index += 1;
    }
    sets
};

/// Properties of an element's type that a reduction needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub group: Group,
    pub number: Number,
    /// Representation of the index, for pairs.
    pub index: Option<Number>,
}

impl Operand {
    /// Returns the operand of a predefined type: named, Fortran by precision and range, or an
    /// unnamed pair. Derived types are no operands.
    pub fn of(datatype: &Datatype) -> Option<Self> {
        if let Some(basic) = datatype.as_basic() {
            return Some(Self { group: basic.group, number: basic.number, index: None });
        }
        if let Some(row) = datatype.row() {
            return Some(Self {
                group: row.group,
                number: row.number,
                index: row.pair.map(|(_, index)| index),
            });
        }
        let contents =
            datatype.contents().filter(|contents| contents.combiner == Combiner::ValueIndex)?;
        let [value, index] = &*contents.datatypes else { return None };
        Some(Self {
            group: Group::Pair,
            number: value.as_basic()?.number,
            index: Some(index.as_basic()?.number),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::basic::all_predefined;

    #[test]
    fn handles_round_trip() {
        for op in Op::ALL {
            assert_eq!(Op::from_handle(op.handle()), Some(op));
        }
        assert_eq!(Op::from_handle(0x20), None, "MPI_OP_NULL");
    }

    #[test]
    fn wide_characters_and_packed_bytes_are_never_reduced() {
        for name in ["MPI_WCHAR", "MPI_PACKED"] {
            let text = all_predefined()
                .iter()
                .find(|named| named.predefined_name() == Some(name))
                .expect("in the table");
            assert!(
                Op::ALL.into_iter().filter(|op| op.is_commutative()).all(|op| !op.allows(text)),
                "{name}"
            );
        }
    }

    #[test]
    fn operations_accept_the_groups_of_the_table() {
        let allowed = |handle| {
            let datatype = Datatype::predefined(handle).expect("in the table");
            Op::ALL.into_iter().filter(|op| op.is_commutative() && op.allows(datatype)).count()
        };
        assert_eq!(allowed(0x209), 10, "MPI_INT: all but MINLOC and MAXLOC");
        assert_eq!(allowed(0x219), 7, "MPI_INTEGER: no logical operations");
        for (handle, name) in [
            (0x201, "MPI_AINT"),
            (0x202, "MPI_COUNT"),
            (0x203, "MPI_OFFSET"),
            (0x243, "MPI_CHAR"),
            (0x21e, "MPI_CHARACTER"),
        ] {
            assert_eq!(allowed(handle), 10, "{name}: all but MINLOC and MAXLOC");
        }
        assert_eq!(allowed(0x214), 4, "MPI_DOUBLE");
        assert_eq!(allowed(0x216), 2, "MPI_C_DOUBLE_COMPLEX");
        assert_eq!(allowed(0x218), 3, "MPI_LOGICAL");
        assert_eq!(allowed(0x247), 3, "MPI_BYTE");
        assert_eq!(allowed(0x229), 2, "MPI_DOUBLE_INT");
        assert_eq!(allowed(0x2ca), 4, "MPI_REAL2");
    }
}
