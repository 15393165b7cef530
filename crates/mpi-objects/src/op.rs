//! Reduction operations (MPI 5.0 §6.9): predefined operations and functions of the program.

use crate::abi;
use crate::callback::Callback;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::handle_table::HandleTable;
use nemesis_mpi_check::CallSite;
use nemesis_sys::per_process;

/// The operation that an `MPI_Op` names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Predefined(nemesis_datatype::Op),
    User(UserOp),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserOp {
    pub function: Callback,
    pub commutative: bool,
}

per_process! {
    static OPS: HandleTable<handle::Op, UserOp> = HandleTable::new(abi::MPI_ERR_OP);
}

impl Op {
    /// Returns whether the operation is commutative. All predefined operations are.
    pub fn is_commutative(self) -> bool {
        match self {
            Op::Predefined(_) => true,
            Op::User(user) => user.commutative,
        }
    }
}

/// Returns the operation that a handle names. A running reduction keeps this copy, so freeing the
/// handle does not affect it.
#[inline]
pub fn get(op: handle::Op) -> Outcome<Op> {
    match nemesis_datatype::Op::from_handle(op.0) {
        Some(predefined) => Ok(Op::Predefined(predefined)),
        None => OPS.read(op, |user| Op::User(*user)),
    }
}

/// Creates an operation (`MPI_Op_create`).
pub fn create(function: Callback, commutative: bool) -> Outcome<handle::Op> {
    if function.is_null() {
        return Err(Error::new(abi::MPI_ERR_ARG, "the reduction function is a null pointer"));
    }
    OPS.insert(UserOp { function, commutative })
}

/// Returns the call that made the operation of a function, while the checks are on.
pub fn made_at(function: Callback) -> Option<CallSite> {
    let handle = OPS.find(|user| user.function == function)?;
    nemesis_mpi_check::sites::of(handle.bits())
}

/// Returns the handles of all operations that the program has to free.
pub fn made() -> Vec<handle::Op> {
    OPS.handles()
}

/// Frees an operation (`MPI_Op_free`).
pub fn free(op: handle::Op) -> Outcome {
    if op.is_predefined() && !op.is_null() {
        return Err(Error::new(abi::MPI_ERR_OP, "predefined operations cannot be freed"));
    }
    OPS.remove(op).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_operations_need_no_table() {
        assert_eq!(get(abi::MPI_SUM).unwrap(), Op::Predefined(nemesis_datatype::Op::Sum));
        assert!(get(abi::MPI_MINLOC).unwrap().is_commutative());
        assert_eq!(get(abi::MPI_OP_NULL).unwrap_err().class, abi::MPI_ERR_OP);
        assert_eq!(free(abi::MPI_SUM).unwrap_err().class, abi::MPI_ERR_OP);
        assert_eq!(free(abi::MPI_OP_NULL).unwrap_err().class, abi::MPI_ERR_OP);
    }
}
