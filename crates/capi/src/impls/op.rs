//! Reduction operations as objects (MPI 5.0 §6.9.5, §6.9.7).

use crate::params::{InOut, Out};
use nemesis_mpi::callback::Callback;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Handle, Op};
use nemesis_mpi::op;
use std::ffi::c_int;

pub fn op_create(user_fn: Callback, commute: c_int, op: Out<'_, Op>) -> Outcome {
    enter()?;
    let op = op.require("op")?;
    let made = op::create(user_fn, commute != 0)?;
    op.write(made);
    Ok(())
}

pub fn op_free(op: InOut<'_, Op>) -> Outcome {
    enter()?;
    let op = op.require("op")?;
    op::free(op.read())?;
    op.write(Op::NULL);
    Ok(())
}

pub fn op_commutative(op: Op, commute: Out<'_, c_int>) -> Outcome {
    let commutative = op::get(op)?.is_commutative();
    commute.put("commute", c_int::from(commutative))
}
