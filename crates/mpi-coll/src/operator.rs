//! The operators of reductions: predefined ones on contiguous elements, and the functions of users.

use crate::abi;
use crate::callback::Callback;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis_datatype::{Buffer, Datatype, Op, reduce_slices};
use nemesis_mpi_check::callbacks;
use nemesis_mpi_objects::op;

/// How a reduction combines elements.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Predefined(Op),
    /// A user's function and the datatype handle that it is passed.
    User(Callback, handle::Datatype),
}

/// A call of a user's function that a schedule waits for.
#[derive(Clone, Debug)]
pub struct UserCall {
    pub function: Callback,
    pub datatype: handle::Datatype,
    pub input: Buffer,
    pub inout: Buffer,
}

/// How contributions are combined.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub operator: Operator,
    pub commutative: bool,
}

/// A predefined operator on contiguous elements.
#[derive(Clone, Copy, Debug)]
pub struct SliceKernel<'a> {
    op: Op,
    datatype: &'a Datatype,
}

/// Returns the reduction kernel for elements of `buffer`, if a collective segment can reduce them.
pub fn kernel<'a>(operator: Operator, buffer: &'a Buffer) -> Option<SliceKernel<'a>> {
    let datatype = buffer.datatype();
    match operator {
        Operator::Predefined(op)
            if datatype.is_predefined() && datatype.size() == datatype.extent() =>
        {
            Some(SliceKernel { op, datatype })
        }
        _ => None,
    }
}

impl SliceKernel<'_> {
    /// Returns the bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.datatype.extent() as usize
    }

    /// Computes `value = value op next`, which equals `next op value` for predefined operators.
    #[inline]
    pub fn combine(&self, value: &mut [u8], next: &[u8]) -> Outcome {
        reduce_slices(self.op, self.datatype, next, value)
            .map_err(|error| Error::new(abi::MPI_ERR_OP, error.why))
    }
}

/// Calls a user's reduction function with the global lock released.
///
/// The function's datatype may have been freed since the operation began (MPI 5.0 §5.1.9). In that
/// case the function gets a new handle of an equal type.
pub fn call_user(mpi: &mut Mpi, call: &UserCall) {
    let kept =
        mpi.types.get(call.datatype).is_ok_and(|datatype| datatype.is_same(call.input.datatype()));
    let replacement = if kept { None } else { mpi.types.add(call.input.datatype().clone()).ok() };
    let datatype = replacement.unwrap_or(call.datatype);
    let named = || op::made_at(call.function);
    mpi.unlocked(|| {
        callbacks::run(callbacks::Function::Reduction, named, || call_in_chunks(call, datatype))
    });
    if let Some(replacement) = replacement {
        // The function must not free this handle. If it did, nothing is left to free.
        let _ = mpi.types.free(replacement);
    }
}

/// Calls the function on at most `longest` elements at a time: an `MPI_User_function` that takes an
/// `int` count accepts at most INT_MAX.
fn call_in_chunks(call: &UserCall, datatype: handle::Datatype) {
    let (total, longest) =
        (call.input.count(), usize::try_from(call.function.longest()).unwrap_or(usize::MAX));
    let mut done = 0;
    while done < total {
        let length = (total - done).min(longest);
        let (from, to) =
            (call.input.part(done, length).address(), call.inout.part(done, length).address());
        call.function.reduce(
            std::ptr::with_exposed_provenance(from),
            std::ptr::with_exposed_provenance_mut(to),
            length as i64,
            datatype,
        );
        done += length;
    }
}
