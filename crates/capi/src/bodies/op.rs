//! Reduction operations as objects (MPI 5.0 §6.9.5, §6.9.7).

use super::{place, put};
use nemesis_mpi::callback::Callback;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Handle, Op};
use nemesis_mpi::op;
use std::ffi::c_int;

pub unsafe fn op_create(user_fn: Callback, commute: c_int, op: *mut Op) -> Outcome {
    enter()?;
    let op = place(op, "op")?;
    let made = op::create(user_fn, commute != 0)?;
    // SAFETY: not null, so the caller's place.
    unsafe { op.write(made) };
    Ok(())
}

pub unsafe fn op_free(op: *mut Op) -> Outcome {
    enter()?;
    let op = place(op, "op")?;
    // SAFETY: not null, so the caller's handle.
    op::free(unsafe { op.read() })?;
    // SAFETY: as above.
    unsafe { op.write(Op::NULL) };
    Ok(())
}

pub unsafe fn op_commutative(op: Op, commute: *mut c_int) -> Outcome {
    let commutative = op::get(op)?.is_commutative();
    // SAFETY: the caller's place.
    unsafe { put(commute, "commute", c_int::from(commutative)) }
}
