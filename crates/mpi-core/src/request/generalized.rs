//! Generalized requests: the program's functions, and the state of its operation.

use crate::callback::Callback;

/// The functions of an operation that the program itself performs and completes (MPI 5.0 §13.2).
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    pub query: Callback,
    pub free: Callback,
    pub cancel: Callback,
    /// Those of an operation that goes on only while somebody waits for it or tests it.
    pub polled: Option<Polled>,
}

/// Functions by which waits and tests carry an operation on (MPICH's `MPIX_Grequest_start`). Either
/// of them may be null, and completes the request by `MPI_Grequest_complete`.
#[derive(Clone, Copy, Debug)]
pub struct Polled {
    /// Looks whether the operation is complete.
    pub poll: Callback,
    /// Waits until one of several operations of the class is complete.
    pub wait: Callback,
    /// Number of the class, whose operations are waited for together; `None` for a request that was
    /// started without one.
    pub class: Option<usize>,
}

/// An operation that the program itself performs and completes.
#[derive(Clone, Copy, Debug)]
pub struct Generalized {
    pub functions: Functions,
    pub extra: usize,
    pub complete: bool,
}
