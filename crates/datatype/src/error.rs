//! What can be wrong with a datatype's description.
//!
//! A constructor is the first to notice a bad argument, so it describes it: `kind` says which of MPI's error classes fits (the C
//! surface maps it, this room knows no class numbers), `why` says it in words, with the numbers the caller gave.

use std::fmt;

/// The sort of mistake; the C surface gives each its MPI error class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeErrorKind {
    /// A count is negative (`MPI_ERR_COUNT`).
    Count,
    /// Some other argument is out of its domain (`MPI_ERR_ARG`).
    Arg,
    /// A datatype does not fit the call (`MPI_ERR_TYPE`).
    Type,
    /// A size, bound or displacement leaves 64 bits (`MPI_ERR_ARG`).
    Overflow,
    /// The memory for the description is not to be had (`MPI_ERR_NO_MEM`).
    NoMemory,
    /// Packed bytes do not fit the room given for them (`MPI_ERR_TRUNCATE`).
    Truncate,
    /// The data representation has no such value or name (`MPI_ERR_CONVERSION`).
    Conversion,
}

/// A mistake, described by the one who found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// Which sort.
    pub kind: TypeErrorKind,
    /// In words.
    pub why: String,
}

impl TypeError {
    pub(crate) fn new(kind: TypeErrorKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }

    pub(crate) fn overflow(what: &str) -> Self {
        Self::new(TypeErrorKind::Overflow, format!("{what} does not fit in 64 bits"))
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for TypeError {}

/// Refuses a negative number where MPI wants none.
pub(crate) fn non_negative(kind: TypeErrorKind, name: &str, value: i64) -> Result<(), TypeError> {
    if value < 0 {
        return Err(TypeError::new(kind, format!("{name} is {value}, it must not be negative")));
    }
    Ok(())
}

/// A product that stays in 64 bits, or the error that names it.
pub(crate) fn times(a: i64, b: i64, what: &str) -> Result<i64, TypeError> {
    a.checked_mul(b).ok_or_else(|| TypeError::overflow(what))
}

/// A sum that stays in 64 bits, or the error that names it.
pub(crate) fn plus(a: i64, b: i64, what: &str) -> Result<i64, TypeError> {
    a.checked_add(b).ok_or_else(|| TypeError::overflow(what))
}
