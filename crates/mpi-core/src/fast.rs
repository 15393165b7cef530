//! The result of a fast path: the code of the common case of an MPI call.
//!
//! A fast path checks its preconditions first, without side effects, and declines if one fails. The
//! slow path then begins from the arguments, checks them in the standard's order and explains
//! errors. A fast path does exactly what the slow path does, because processes of one operation may
//! take different ones.
//!
//! ```text
//!   fast path ──► Done(T)     the call returns
//!             ├─► Pending     the slow path continues the operation, whose arguments are valid
//!             └─► Declined    the slow path begins the operation
//! ```

/// How far a fast path came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "the slow path continues or begins an operation that is not done"]
pub enum Fast<T = ()> {
    /// The operation is complete, with this result.
    Done(T),
    /// The operation has begun and is not complete. The slow path must continue it: its side
    /// effects must not happen twice.
    Pending,
    /// Nothing has happened. The slow path begins the operation.
    Declined,
}

impl<T> Fast<T> {
    /// Runs a fast path in which `?` on an `Option` declines.
    #[inline(always)]
    pub fn attempt(path: impl FnOnce() -> Option<Fast<T>>) -> Fast<T> {
        path().unwrap_or(Fast::Declined)
    }
}

impl<T> From<Option<T>> for Fast<T> {
    /// Converts the result of a fast path that never leaves an operation pending.
    #[inline(always)]
    fn from(result: Option<T>) -> Fast<T> {
        result.map_or(Fast::Declined, Fast::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_precondition_declines() {
        assert_eq!(Fast::attempt(|| Some(Fast::Done(None::<u8>?))), Fast::Declined);
        assert_eq!(Fast::attempt(|| Some(Fast::Done(Some(1)?))), Fast::Done(1));
        assert_eq!(Fast::<u8>::attempt(|| Some(Fast::Pending)), Fast::Pending);
        assert_eq!([Fast::from(Some(1)), Fast::from(None)], [Fast::Done(1), Fast::Declined]);
    }
}
