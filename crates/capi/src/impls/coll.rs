//! Collective operations (MPI 5.0 chapter 6): the three forms, barrier and bcast.
//!
//! Each operation is one function of a [`Call`] and the arguments that all forms have. The macro
//! `forms!` makes the blocking, the non-blocking (`MPI_I…`) and the persistent (`MPI_…_init`)
//! function from it. The operation checks the arguments in the order communicator, count, datatype,
//! buffer, root, operation, and names the builder of `nemesis_mpi::coll` that writes the steps.
//! [`Call::perform`] runs, starts or keeps the steps, as the form asks.
//!
//! Arguments that are significant only at the root are checked only there. Arrays of counts,
//! displacements and types are read during the call.

mod arguments;
mod data;
mod inter;
mod memory;
mod neighbour;
mod reduce;

pub use data::*;
pub use neighbour::*;
pub use reduce::*;

use super::arguments::hand_out;
use crate::params::{Out, UserBuffer};
use arguments::Choice;
pub(super) use arguments::shares;
use memory::{NOTHING, Sides, by_side, uses};
use nemesis_mpi::Fast;
use nemesis_mpi::coll::signature::{self, Kind, Signature};
use nemesis_mpi::coll::{self, Entry, Schedule, Steps, Types};
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use nemesis_mpi::request::Template;
use nemesis_mpi::{abi, enter, info, persistent};
use nemesis_mpi_check::buffers::{self, Access, Use};
use std::ffi::c_int;
use std::sync::Arc;

/// The form of a call.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// The call returns when the operation is complete. The fast path has left it pending, or has
    /// declined.
    Blocking(Fast),
    /// The call starts the operation and writes its request.
    Nonblocking(Out<'a, Request>),
    /// The call makes a request that starts the operation.
    Persistent(Out<'a, Request>),
}

/// A collective call on a communicator that exists.
pub(super) struct Call<'a> {
    mpi: Mpi,
    comm: Comm,
    form: Form<'a>,
    rank: u32,
    /// The number of ranks that have a block each: in an intercommunicator those of the other
    /// group.
    size: u32,
    /// The number of blocks of a buffer: one for each rank, or for each edge of a neighbourhood.
    parts: u32,
    /// Between two groups: the functions of [`inter`] take over.
    inter: bool,
}

impl<'a> Call<'a> {
    fn enter(comm: Comm, form: Form<'a>) -> Outcome<Call<'a>> {
        let mpi = enter()?;
        let object = mpi.comm(comm)?;
        let (rank, size, inter) = (object.rank, object.peers() as u32, object.is_inter());
        if let Form::Nonblocking(request) | Form::Persistent(request) = form {
            request.require("request")?;
        }
        Ok(Call { mpi, comm, form, rank, size, parts: size, inter })
    }

    /// Enters a call of the persistent form, which has an info.
    fn enter_persistent(comm: Comm, info: Info, request: Out<'a, Request>) -> Outcome<Call<'a>> {
        let call = Call::enter(comm, Form::Persistent(request))?;
        info::hints(info)?;
        Ok(call)
    }

    /// Runs, starts or keeps the steps that `build` writes, as the form asks. `signature`: what all
    /// processes must agree on, in the blocking form. The operation reads the memory `sent`, and
    /// may write all of `received`; memory that is both is in `received` only.
    #[inline(always)]
    fn perform(
        mut self,
        signature: Signature,
        (sent, received): Sides<'_>,
        build: impl FnOnce(&mut Steps<'_>) -> Outcome,
    ) -> Outcome {
        let (mpi, comm) = (&mut self.mpi, self.comm);
        let (request, made) = match self.form {
            Form::Blocking(fast) => {
                if nemesis_mpi_check::is_on() {
                    buffers::touch_all(&uses(sent, received));
                }
                let performed = coll::perform(mpi, comm, Entry { fast, signature }, build);
                if nemesis_mpi_check::is_on() {
                    coll::wait_for_all(mpi, comm, signature, performed.is_ok())?;
                }
                return performed;
            }
            Form::Nonblocking(request) => {
                let schedule =
                    coll::note(mpi, comm, signature.of_form(signature::Form::Nonblocking), build)?;
                let started = match nemesis_mpi_check::is_on() {
                    true => start_checked(mpi, schedule, &uses(sent, received))?,
                    false => coll::start(mpi, schedule)?,
                };
                (request, started)
            }
            Form::Persistent(request) => {
                let schedule = coll::note_persistent(
                    mpi,
                    comm,
                    signature.of_form(signature::Form::Persistent),
                    build,
                )?;
                let made = persistent::init(mpi, comm, Template::Collective(schedule))?;
                if nemesis_mpi_check::is_on() {
                    buffers::keep(made.0, uses(sent, received));
                }
                (request, made)
            }
        };
        hand_out(mpi, request.require("request")?, made)
    }

    /// Runs, starts or keeps the steps as [`perform`](Call::perform), and compares `types` if
    /// development checks are on.
    #[inline(always)]
    fn perform_with(
        self,
        signature: Signature,
        sides: Sides<'_>,
        types: Option<Types>,
        build: impl FnOnce(&mut Steps<'_>) -> Outcome,
    ) -> Outcome {
        let types = types.map(Arc::new);
        self.perform(signature, sides, |steps| {
            if let Some(types) = &types {
                steps.tell_types(types);
            }
            build(steps)?;
            if let Some(types) = &types {
                steps.compare_types(types);
            }
            Ok(())
        })
    }

    /// Checks the rank of the root.
    fn root(&self, root: c_int) -> Outcome<u32> {
        match u32::try_from(root) {
            Ok(root) if root < self.size => Ok(root),
            _ => Err(bad_root(root, self.size)),
        }
    }
}

/// Starts a non-blocking operation of a program that is checked, and watches its buffers.
#[cold]
fn start_checked(mpi: &mut Mpi, schedule: Box<Schedule>, uses: &[Use]) -> Outcome<Request> {
    let only_sends = uses.iter().all(|(_, access)| *access == Access::Read);
    let started = match only_sends {
        true => coll::start(mpi, schedule)?,
        false => coll::start_later(mpi, schedule)?,
    };
    mpi.pt2pt.core.watch_collective(started, uses);
    Ok(started)
}

#[cold]
fn bad_root(root: c_int, size: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_ROOT,
        format!(
            "root {root} is not a rank of the communicator, which has {size} (0 to {})",
            size - 1
        ),
    )
}

/// Makes the three forms of an operation. The blocking form of some begins with a fast path, which
/// an expression of the arguments and the communicator calls.
macro_rules! forms {
    (
        $call:ident: $blocking:ident, $nonblocking:ident,
        $persistent:ident($($arg:ident: $type:ty),* $(,)?), fast($comm:ident) $fast:expr
    ) => {
        #[inline]
        pub fn $blocking($($arg: $type,)* $comm: Comm) -> Outcome {
            // A function of its own, so that the fast path saves no registers for it.
            #[inline(never)]
            fn slow($($arg: $type,)* comm: Comm, fast: nemesis_mpi::Fast) -> Outcome {
                $call(Call::enter(comm, Form::Blocking(fast))?, $($arg),*)
            }

            match $fast {
                nemesis_mpi::Fast::Done(()) => Ok(()),
                fast => slow($($arg,)* $comm, fast),
            }
        }

        forms!(@later $call: $nonblocking, $persistent($($arg: $type),*));
    };
    (
        $call:ident: $blocking:ident, $nonblocking:ident,
        $persistent:ident($($arg:ident: $type:ty),* $(,)?)
    ) => {
        pub fn $blocking($($arg: $type,)* comm: Comm) -> Outcome {
            $call(Call::enter(comm, Form::Blocking(nemesis_mpi::Fast::Declined))?, $($arg),*)
        }

        forms!(@later $call: $nonblocking, $persistent($($arg: $type),*));
    };
    (@later $call:ident: $nonblocking:ident, $persistent:ident($($arg:ident: $type:ty),*)) => {
        pub fn $nonblocking(
            $($arg: $type,)*
            comm: Comm,
            request: $crate::params::Out<'_, Request>,
        ) -> Outcome {
            $call(Call::enter(comm, Form::Nonblocking(request))?, $($arg),*)
        }

        pub fn $persistent(
            $($arg: $type,)*
            comm: Comm,
            info: Info,
            request: $crate::params::Out<'_, Request>,
        ) -> Outcome {
            $call(Call::enter_persistent(comm, info, request)?, $($arg),*)
        }
    };
}
use forms;

fn any_barrier(call: Call) -> Outcome {
    if call.inter {
        return call.perform(Signature::new(Kind::Barrier), NOTHING, coll::inter::barrier);
    }
    call.perform(Signature::new(Kind::Barrier), NOTHING, coll::barrier)
}

fn any_bcast(
    call: Call,
    buffer: UserBuffer,
    count: i64,
    datatype: Datatype,
    root: c_int,
) -> Outcome {
    if call.inter {
        return inter::bcast(call, (buffer, count, datatype), root);
    }
    let data = call.data(buffer, count, datatype)?;
    let root = call.root(root)?;
    let (sent, received) = by_side(root == call.rank, &data);
    let sides: Sides<'_> = (&[&sent], &[&received]);
    let types = Types::bcast([call.rank, call.size, root], &data);
    call.perform_with(Signature::new(Kind::Bcast).rooted(root), sides, types, |steps| {
        coll::bcast::bcast(steps, &data, root)
    })
}

forms!(any_barrier: barrier, ibarrier, barrier_init(), fast(comm) coll::fast::barrier(comm));
forms!(
    any_bcast: bcast, ibcast,
    bcast_init(buffer: UserBuffer, count: i64, datatype: Datatype, root: c_int),
    fast(comm) coll::fast::bcast(comm, Choice::new(buffer, count, datatype), root)
);
