//! Receiving (MPI 5.0 §3.2, §3.7).
//!
//! A blocking receive of an eager message needs no request. It is a [`Direct`] receive on the
//! stack, which sees packets before the protocol while the endpoint polls, and takes the first
//! message that matches, unless a receive posted earlier matches that message. The non-blocking
//! receive and the rendezvous use a request.
//!
//! | file | subject |
//! |---|---|
//! | this one | the blocking and the non-blocking receive |
//! | `direct` | the receive on the stack, and where it puts the message |
//! | `fast` | fast paths |

mod direct;
mod fast;

use crate::envelope::Awaited;
pub use crate::envelope::Wanted;
pub use crate::protocol::Matched;
pub use direct::Place;
pub use fast::Caught;

use crate::completion;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use crate::matching::{Pattern, Slot};
use crate::protocol::{Content, Message, compare_read, truncated};
use crate::request::{Activity, Completion, Request};
use direct::{Direct, Got};
use nemesis::Backoff;
use nemesis_datatype::Buffer;

/// Receives a message (`MPI_Recv`). Returns when the message is in its buffer.
#[inline(always)]
pub fn receive<P: Place>(mpi: &mut Mpi, mut place: P, wanted: Wanted) -> Outcome<Completion> {
    let mut backoff = Backoff::default();
    loop {
        if !mpi.pt2pt.core.unexpected.is_empty()
            && let Some(got) = take_unexpected(mpi, &mut place, &wanted)
        {
            mpi.leave_wait();
            return finish_receive(mpi, got, &place, &wanted);
        }
        let engine = &mut **mpi;
        let endpoint = engine
            .pt2pt
            .endpoint
            .as_mut()
            .expect("a communicator's peers are reached through an endpoint");
        let mut direct = Direct {
            core: &mut engine.pt2pt.core,
            wanted: wanted.pattern,
            place: &mut place,
            got: None,
        };
        let arrived = endpoint.poll(wanted.from, &mut direct);
        if let Some(got) = direct.got {
            if arrived > 1 {
                mpi.wake_others();
            }
            mpi.leave_wait();
            return finish_receive(mpi, got, &place, &wanted);
        }
        mpi.pt2pt.core.awaited = Some(Awaited { wanted, room: place.room() });
        mpi.after_poll(arrived, &mut backoff);
        mpi.relax();
        mpi.comms.check_loss(&mpi.pt2pt.core.losses, &wanted)?;
        let asleep_for = backoff.asleep_for();
        if !mpi.pt2pt.core.unexpected.is_empty() || asleep_for.is_some() {
            (mpi.hooks.collectives.check_unexpected)(mpi, &wanted, asleep_for)?;
        }
    }
}

#[cold]
fn take_unexpected<P: Place>(mpi: &mut Mpi, place: &mut P, wanted: &Wanted) -> Option<Got> {
    let (pattern, message) = mpi.pt2pt.core.take_unexpected(&wanted.pattern)?;
    let Content::Eager(payload) = &message.content else {
        return Some(Got::Part(pattern, message));
    };
    if message.signature.is_known() {
        compare_read(&pattern, &message, &place.as_buffer());
    }
    let taken = place.put(payload);
    let mut completion = Completion::message(&pattern, taken as u64);
    if taken < payload.len() {
        completion.error = Some(truncated(payload.len() as u64, taken));
    }
    Some(Got::Message(completion))
}

#[inline(always)]
fn finish_receive<P: Place>(
    mpi: &mut Mpi,
    got: Got,
    place: &P,
    wanted: &Wanted,
) -> Outcome<Completion> {
    match got {
        Got::Message(completion) => {
            mpi.run_tasks();
            Ok(completion)
        }
        Got::Part(pattern, message) => fetch(mpi, place.as_buffer(), wanted, &pattern, message),
        Got::Arriving(request) => await_arriving(mpi, request, wanted),
    }
}

#[inline(never)]
fn fetch(
    mpi: &mut Mpi,
    buffer: Buffer,
    wanted: &Wanted,
    pattern: &Pattern,
    message: Message,
) -> Outcome<Completion> {
    let mut request = mpi
        .pt2pt
        .new_request(Request::new(wanted.comm, Activity::Posted { buffer, slot: Slot::NOWHERE }))?;
    mpi.pt2pt.take_over(request, pattern, message);
    mpi.perform_tasks();
    completion::wait_quietly(mpi, &mut request)
}

#[inline(never)]
fn await_arriving(
    mpi: &mut Mpi,
    mut request: handle::Request,
    wanted: &Wanted,
) -> Outcome<Completion> {
    mpi.pt2pt.request_mut(request)?.comm = wanted.comm;
    mpi.perform_pending();
    completion::wait_quietly(mpi, &mut request)
}

/// Starts a receive (`MPI_Irecv`), and returns its handle.
pub fn irecv(mpi: &mut Mpi, buffer: &Buffer, wanted: Option<Wanted>) -> Outcome<handle::Request> {
    let Some(wanted) = wanted else { return mpi.pt2pt.completed_request(Completion::PROC_NULL) };
    match mpi.start_receive(buffer, wanted)? {
        Ok(request) => {
            mpi.defer_tasks();
            Ok(request)
        }
        Err(completion) => mpi.pt2pt.completed_request(completion),
    }
}
