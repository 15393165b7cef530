//! The predefined datatypes: one table, in the order of the standard's handle values.
//!
//! A row holds the name, the handle value in the standard ABI (MPI 5.0 §20.5: 0x200 to 0x2ff), the
//! representation of the bits (`Number`) and the group of MPI 5.0 §6.9.2 (`Group`), which decides
//! about reductions. Sizes and alignments follow from the number. C types are those of LP64
//! machines; Fortran types are those of gfortran's defaults (INTEGER, REAL and LOGICAL have 4
//! bytes, DOUBLE PRECISION has 8).
//!
//! The pair types for MINLOC and MAXLOC are predefined, too. Their layout is that of the C struct
//! of their two members. Some therefore have a hole (`MPI_SHORT_INT`) or trailing padding
//! (`MPI_DOUBLE_INT`); they are the only predefined types that are not contiguous.
//!
//! The last column is the size in the external32 representation (MPI 5.0 §14.5.2), which differs
//! for `long` and `wchar_t`.
//!
//! Four rows are not in the standard; only programs of the MPICH ABI know them. `MPIX_C_FLOAT16`
//! and `MPIX_BFLOAT16` have values that the standard leaves free among those for types of two
//! bytes. `MPI_LB` and `MPI_UB` are the bound markers of MPI-1, which MPI 3.0 removed: types
//! without data whose displacement in a type map decides its lower or upper bound (see `facts`).

use std::borrow::Cow;
use std::mem;

use crate::datatype::Datatype;
use crate::datatype::facts::Facts;
use crate::plan::{Block, Kind, Plan};

/// `MPI_UNDEFINED` of the standard ABI. As a precision or a range it means that the caller does not
/// ask for one.
pub const UNDEFINED: i64 = -32766;

/// Representation of a basic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    /// IEEE binary16 (`REAL*2`).
    F16,
    /// bfloat16: the upper half of a binary32.
    BFloat16,
    F32,
    F64,
    /// C's `long double`: x87's 80 bits in 16 bytes on x86-64, IEEE binary128 on aarch64.
    Long,
    /// IEEE binary128 (`REAL*16`).
    F128,
    /// Complex numbers carry the size in bits of their parts, as C names them; `COMPLEX*4` has two
    /// parts of 16 bits.
    C16,
    C32,
    C64,
    CLong,
    C128,
    /// C and C++ `bool`.
    Bool,
    /// Fortran LOGICAL with this number of bytes.
    Logical(u8),
    /// Uninterpreted bytes.
    Octet,
    /// C's `char`: signed on x86-64, unsigned on aarch64.
    Char,
    /// C's `wchar_t`.
    Wide,
}

impl Number {
    pub const fn bytes(self) -> u32 {
        match self {
            Self::I8 | Self::U8 | Self::Bool | Self::Octet | Self::Char => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::BFloat16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::Wide | Self::C16 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C32 => 8,
            Self::I128 | Self::Long | Self::F128 | Self::C64 => 16,
            Self::CLong | Self::C128 => 32,
            Self::Logical(bytes) => bytes as u32,
        }
    }

    /// Returns the alignment that a C or Fortran compiler gives the type; a complex number is
    /// aligned as its parts are.
    pub const fn align(self) -> u32 {
        match self {
            Self::C16 => 2,
            Self::C32 => 4,
            Self::C64 => 8,
            Self::CLong | Self::C128 => 16,
            other => other.bytes(),
        }
    }
}

/// The groups of MPI 5.0 §6.9.2, which decide about the predefined operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    CInteger,
    FortranInteger,
    Floating,
    Logical,
    Complex,
    Byte,
    /// `MPI_AINT`, `MPI_COUNT`, `MPI_OFFSET`.
    MultiLanguage,
    /// `MPI_CHAR` and `MPI_CHARACTER`, which belong to no group of the standard. They are reduced
    /// as C's `char`, because programs rely on it and MPICH, Intel MPI and Open MPI do it.
    Character,
    /// Wide characters and packed bytes: transferred, never reduced.
    Text,
    /// (value, index), for MINLOC and MAXLOC.
    Pair,
    /// `MPI_LB` and `MPI_UB`: types without data.
    Marker,
}

/// A row of the table of predefined types.
#[derive(Debug)]
pub(crate) struct Named {
    pub handle: u16,
    pub name: &'static str,
    pub number: Number,
    /// The class of the number (`class.rs`).
    pub class: u8,
    pub group: Group,
    /// The representations of value and index, for a pair type.
    pub pair: Option<(Number, Number)>,
    pub facts: Facts,
    pub plan: Plan,
}

impl Named {
    const fn basic(
        handle: u16,
        name: &'static str,
        number: Number,
        group: Group,
        external: i64,
    ) -> Self {
        let size = number.bytes() as i64;
        let facts = Facts::named(size, size, size, number.align() as i64, 1, external);
        Self {
            handle,
            name,
            number,
            class: number.class() as u8,
            group,
            pair: None,
            facts,
            plan: Plan::run(0, size as usize),
        }
    }

    /// Returns the row of `MPI_LB` (if `lower`) or of `MPI_UB`.
    const fn marker(handle: u16, name: &'static str, lower: bool) -> Self {
        let facts = Facts { marked_lb: lower, marked_ub: !lower, vacant: false, ..Facts::VACANT };
        Self {
            handle,
            name,
            number: Number::Octet,
            class: Number::Octet.class() as u8,
            group: Group::Marker,
            pair: None,
            facts,
            plan: Plan::EMPTY,
        }
    }

    const fn pair(handle: u16, name: &'static str, value: Number, index: Number) -> Self {
        let align = if value.align() > index.align() { value.align() } else { index.align() };
        let at = value.bytes().next_multiple_of(index.align());
        let end = at + index.bytes();
        let size = value.bytes() + index.bytes();
        let external = external_bytes(value) + external_bytes(index);
        let plan = if end == size {
            Plan::run(0, size as usize)
        } else {
            Plan {
                at: 0,
                size: size as usize,
                kind: Kind::Blocks(Cow::Borrowed(&SHORT_INT_BLOCKS)),
            }
        };
        assert!(
            end == size || at == 4 && value.bytes() == 2,
            "only MPI_SHORT_INT has a hole inside"
        );
        Self {
            handle,
            name,
            number: value,
            class: value.class() as u8,
            group: Group::Pair,
            pair: Some((value, index)),
            facts: Facts::named(
                size as i64,
                end.next_multiple_of(align) as i64,
                end as i64,
                align as i64,
                2,
                external,
            ),
            plan,
        }
    }
}

/// The layout of `MPI_SHORT_INT`: a short, a hole of two bytes, an int.
static SHORT_INT_BLOCKS: [Block; 2] = [Block { at: 0, end: 2 }, Block { at: 4, end: 6 }];

/// Returns the size of a pair's member in external32: the native size, except for `long`.
const fn external_bytes(number: Number) -> i64 {
    match number {
        Number::I64 => 4,
        other => other.bytes() as i64,
    }
}

macro_rules! rows {
    ($($handle:literal $name:ident $number:ident $(($bytes:literal))? $group:ident
       $external:literal;)*
     pairs $($pair:literal $pair_name:ident $value:ident $index:ident;)*
     markers $($marker:literal $marker_name:ident $lower:literal;)*) => {
        /// All rows, basic types first.
        pub(crate) static ROWS: [Named; COUNT] = [
            $(Named::basic(
                $handle,
                stringify!($name),
                Number::$number $(($bytes))?,
                Group::$group,
                $external,
            ),)*
            $(Named::pair($pair, stringify!($pair_name), Number::$value, Number::$index),)*
            $(Named::marker($marker, stringify!($marker_name), $lower),)*
        ];
        const COUNT: usize = [$($handle,)* $($pair,)* $($marker),*].len();
    };
}

rows! {
    0x201 MPI_AINT I64 MultiLanguage 8;
    0x202 MPI_COUNT I64 MultiLanguage 8;
    0x203 MPI_OFFSET I64 MultiLanguage 8;
    0x207 MPI_PACKED Octet Text 1;
    0x208 MPI_SHORT I16 CInteger 2;
    0x209 MPI_INT I32 CInteger 4;
    0x20a MPI_LONG I64 CInteger 4;
    0x20b MPI_LONG_LONG_INT I64 CInteger 8;
    0x20c MPI_UNSIGNED_SHORT U16 CInteger 2;
    0x20d MPI_UNSIGNED U32 CInteger 4;
    0x20e MPI_UNSIGNED_LONG U64 CInteger 4;
    0x20f MPI_UNSIGNED_LONG_LONG U64 CInteger 8;
    0x210 MPI_FLOAT F32 Floating 4;
    0x212 MPI_C_COMPLEX C32 Complex 8;
    0x213 MPI_CXX_FLOAT_COMPLEX C32 Complex 8;
    0x214 MPI_DOUBLE F64 Floating 8;
    0x216 MPI_C_DOUBLE_COMPLEX C64 Complex 16;
    0x217 MPI_CXX_DOUBLE_COMPLEX C64 Complex 16;
    0x218 MPI_LOGICAL Logical(4) Logical 4;
    0x219 MPI_INTEGER I32 FortranInteger 4;
    0x21a MPI_REAL F32 Floating 4;
    0x21b MPI_COMPLEX C32 Complex 8;
    0x21c MPI_DOUBLE_PRECISION F64 Floating 8;
    0x21d MPI_DOUBLE_COMPLEX C64 Complex 16;
    0x21e MPI_CHARACTER Char Character 1;
    0x220 MPI_LONG_DOUBLE Long Floating 16;
    0x224 MPI_C_LONG_DOUBLE_COMPLEX CLong Complex 32;
    0x225 MPI_CXX_LONG_DOUBLE_COMPLEX CLong Complex 32;
    0x238 MPI_C_BOOL Bool Logical 1;
    0x239 MPI_CXX_BOOL Bool Logical 1;
    0x23c MPI_WCHAR Wide Text 2;
    0x240 MPI_INT8_T I8 CInteger 1;
    0x241 MPI_UINT8_T U8 CInteger 1;
    0x243 MPI_CHAR Char Character 1;
    0x244 MPI_SIGNED_CHAR I8 CInteger 1;
    0x245 MPI_UNSIGNED_CHAR U8 CInteger 1;
    0x247 MPI_BYTE Octet Byte 1;
    0x248 MPI_INT16_T I16 CInteger 2;
    0x249 MPI_UINT16_T U16 CInteger 2;
    0x24a MPIX_C_FLOAT16 F16 Floating 2;
    0x24b MPIX_BFLOAT16 BFloat16 Floating 2;
    0x250 MPI_INT32_T I32 CInteger 4;
    0x251 MPI_UINT32_T U32 CInteger 4;
    0x258 MPI_INT64_T I64 CInteger 8;
    0x259 MPI_UINT64_T U64 CInteger 8;
    0x2c0 MPI_LOGICAL1 Logical(1) Logical 1;
    0x2c1 MPI_INTEGER1 I8 FortranInteger 1;
    0x2c8 MPI_LOGICAL2 Logical(2) Logical 2;
    0x2c9 MPI_INTEGER2 I16 FortranInteger 2;
    0x2ca MPI_REAL2 F16 Floating 2;
    0x2d0 MPI_LOGICAL4 Logical(4) Logical 4;
    0x2d1 MPI_INTEGER4 I32 FortranInteger 4;
    0x2d2 MPI_REAL4 F32 Floating 4;
    0x2d3 MPI_COMPLEX4 C16 Complex 4;
    0x2d8 MPI_LOGICAL8 Logical(8) Logical 8;
    0x2d9 MPI_INTEGER8 I64 FortranInteger 8;
    0x2da MPI_REAL8 F64 Floating 8;
    0x2db MPI_COMPLEX8 C32 Complex 8;
    0x2e0 MPI_LOGICAL16 Logical(16) Logical 16;
    0x2e1 MPI_INTEGER16 I128 FortranInteger 16;
    0x2e2 MPI_REAL16 F128 Floating 16;
    0x2e3 MPI_COMPLEX16 C64 Complex 16;
    0x2eb MPI_COMPLEX32 C128 Complex 32;
pairs
    0x228 MPI_FLOAT_INT F32 I32;
    0x229 MPI_DOUBLE_INT F64 I32;
    0x22a MPI_LONG_INT I64 I32;
    0x22b MPI_2INT I32 I32;
    0x22c MPI_SHORT_INT I16 I32;
    0x22d MPI_LONG_DOUBLE_INT Long I32;
    0x230 MPI_2REAL F32 F32;
    0x231 MPI_2DOUBLE_PRECISION F64 F64;
    0x232 MPI_2INTEGER I32 I32;
markers
    0x204 MPI_LB true;
    0x205 MPI_UB false;
}

impl Group {
    pub const ALL: [Self; 11] = [
        Self::CInteger,
        Self::FortranInteger,
        Self::Floating,
        Self::Logical,
        Self::Complex,
        Self::Byte,
        Self::MultiLanguage,
        Self::Character,
        Self::Text,
        Self::Pair,
        Self::Marker,
    ];
    /// The groups whose types the processor's integer instructions combine, as a set.
    pub const WHOLE_NUMBERS: u16 = Self::CInteger.bit()
        | Self::FortranInteger.bit()
        | Self::MultiLanguage.bit()
        | Self::Character.bit()
        | Self::Byte.bit();

    /// Returns the group as a bit of a set.
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// First handle value of the range for datatypes, and the number of values in that range.
const PAGE: usize = 0x200;
const PAGE_LEN: usize = 0x100;

/// Row number + 1 by handle value; 0 for values without a type.
static ROW_OF: [u8; PAGE_LEN] = {
    let mut index = [0; PAGE_LEN];
    let mut row = 0;
    while row < COUNT {
        index[ROWS[row].handle as usize - PAGE] = row as u8 + 1;
        row += 1;
    }
    index
};

/// Size in bytes of one element by handle value if consecutive elements have no gap; 0 otherwise.
static CONTIGUOUS_SIZE: [u8; PAGE_LEN] = {
    let mut sizes = [0; PAGE_LEN];
    let mut row = 0;
    while row < COUNT {
        let facts = &ROWS[row].facts;
        if facts.size == facts.extent() {
            sizes[ROWS[row].handle as usize - PAGE] = facts.size as u8;
        }
        row += 1;
    }
    sizes
};

/// The rows as datatypes, in the order of the table.
static TYPES: [Datatype; COUNT] = {
    let mut types = [const { Datatype::named(&ROWS[0]) }; COUNT];
    let mut row = 0;
    while row < COUNT {
        mem::forget(mem::replace(&mut types[row], Datatype::named(&ROWS[row])));
        row += 1;
    }
    types
};

/// Returns the predefined type with this handle value, if there is one.
#[inline]
pub(crate) fn by_handle(handle: usize) -> Option<&'static Datatype> {
    let row = *ROW_OF.get(handle.wrapping_sub(PAGE))?;
    TYPES.get((row as usize).wrapping_sub(1))
}

/// Group by handle value, as a bit of a set; 0 for values without a type.
static GROUP_OF: [u16; PAGE_LEN] = {
    let mut groups = [0; PAGE_LEN];
    let mut row = 0;
    while row < COUNT {
        groups[ROWS[row].handle as usize - PAGE] = ROWS[row].group.bit();
        row += 1;
    }
    groups
};

/// Returns the group of a predefined type as a bit of a set; 0 for any other handle.
#[inline(always)]
pub(crate) fn group_bit(handle: usize) -> u16 {
    GROUP_OF.get(handle.wrapping_sub(PAGE)).copied().unwrap_or(0)
}

/// Returns the size in bytes of one element of a predefined type; a fast path asks this first.
///
/// Returns `None` for a handle that is not predefined, and for the pair types whose consecutive
/// elements have gaps. MPI 5.0 §20.5 encodes some sizes in the handle value, but one load from a
/// table of 256 bytes answers for all of them.
#[inline]
pub fn predefined_contiguous_size(handle: usize) -> Option<u32> {
    match CONTIGUOUS_SIZE.get(handle.wrapping_sub(PAGE)) {
        None | Some(0) => None,
        Some(&size) => Some(u32::from(size)),
    }
}

/// Returns all predefined types, in the order of the table.
pub fn all_predefined() -> &'static [Datatype] {
    &TYPES
}
