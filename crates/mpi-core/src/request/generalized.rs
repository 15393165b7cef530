//! Generalized requests: the program's functions, and the state of its operation.

use crate::callback::Callback;

/// An operation that the program itself performs and completes (MPI 5.0 §13.2).
#[derive(Clone, Copy, Debug)]
pub struct Generalized {
    pub query: Callback,
    pub free: Callback,
    pub cancel: Callback,
    pub extra: usize,
    pub complete: bool,
}
