//! Errors in the description of a datatype, or in data that do not fit one.
//!
//! A constructor is the first function to detect an invalid argument, so it describes the error:
//! `kind` tells which MPI error class fits (the C layer maps it, because this crate knows no class
//! numbers), and `why` explains the error with the numbers of the caller.

use std::fmt;

/// Kind of an error. The C layer maps each kind to an MPI error class.
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
    /// The memory for the description cannot be allocated (`MPI_ERR_NO_MEM`).
    NoMemory,
    /// Packed bytes exceed the space for them (`MPI_ERR_TRUNCATE`).
    Truncate,
    /// The data representation has no such value or name (`MPI_ERR_CONVERSION`).
    Conversion,
}

/// An error, described by the function that detected it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError {
    /// Kind of the error.
    pub kind: TypeErrorKind,
    /// Explanation for the user.
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

/// Returns an error if a number is negative.
pub(crate) fn non_negative(kind: TypeErrorKind, name: &str, value: i64) -> Result<(), TypeError> {
    if value < 0 {
        return Err(TypeError::new(kind, format!("{name} is {value}, it must not be negative")));
    }
    Ok(())
}

/// Multiplies, or returns an error that names the product if it exceeds 64 bits.
pub(crate) fn times(a: i64, b: i64, what: &str) -> Result<i64, TypeError> {
    a.checked_mul(b).ok_or_else(|| TypeError::overflow(what))
}

/// Adds, or returns an error that names the sum if it exceeds 64 bits.
pub(crate) fn plus(a: i64, b: i64, what: &str) -> Result<i64, TypeError> {
    a.checked_add(b).ok_or_else(|| TypeError::overflow(what))
}
