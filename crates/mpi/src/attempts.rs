//! Point-to-point calls (MPI 5.0 §3.2, §3.7): the attempts of each call, from the fastest on.
//!
//! | attempt | enters the engine | carries out |
//! |---|---|---|
//! | [`cached`](Attempts::cached) | alone, or by the bias | short messages, cached communicator |
//! | [`open`](Attempts::open) | at any thread level | any communicator |
//! | [`longer`](Attempts::longer) | at any thread level | contiguous, many cache lines |
//! | [`general`](Attempts::general) | with every check | every call, and explains errors |
//!
//! The messages of some communicators travel in a lane of their own (`engine::lanes`). Calls about
//! them decline at once, and then make the same attempts there.
//!
//! An attempt that declines has changed nothing, and the next one begins from the arguments. A call
//! is three functions, [`first`] with the first attempt, [`first_in_lane`] with the same one in
//! other lanes, and [`rest`] with the others, so that none saves registers for the next. A message
//! is as fast as the sender's stores leave the store buffer, which each saved register delays.

use crate::engine::lanes;
use crate::engine::{Engine, Mpi, await_shared_open, enter_alone, enter_biased, enter_open};
use crate::error::Outcome;
use crate::handle::{Comm, Datatype, Request};
use crate::receive::{self, Caught, Wanted};
use crate::request::Completion;
use crate::send::{self, Envelope, Mode};
use crate::{Fast, abi, noted};
use nemesis_datatype::{Buffer, Contiguous};
use nemesis_mpi_check::buffers::{self, Access};

/// What a call does with memory of the program, for which a copy may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It reads or writes the memory, or both.
    Any,
    /// It reads the memory.
    Sent,
    /// It passes the memory to `PointToPoint::start_send`, which reads it in its own time.
    SentLater,
    /// It receives one message, whose length its completion tells.
    Received,
}

/// Memory of the program that an address, a count and a datatype describe.
pub trait Data: Copy {
    /// Returns at most [`send::SHORT_MAX_BYTES`] bytes of a contiguous predefined type.
    fn short(self) -> Option<Contiguous>;
    /// Returns the bytes of a contiguous predefined type.
    fn contiguous(self) -> Option<Contiguous>;
    /// Returns at most `limit` bytes of a contiguous predefined type, for a first attempt.
    fn at_first(self, limit: u32) -> Option<Contiguous>;
    /// Checks count, datatype and address, and returns the buffer.
    fn buffer(self, mpi: &Mpi, used: Use) -> Outcome<Buffer>;
    /// Returns the datatype, be it valid or not.
    fn datatype(self) -> Datatype;
}

/// Notes memory that a call copies, for the message about a fault. The fast attempts do without it.
fn note(data: &Contiguous) {
    noted::note(data.as_bytes().as_ptr().addr(), data.len());
}

/// A message as a call describes it.
#[derive(Clone, Copy)]
pub struct Message<D> {
    pub data: D,
    /// Rank of the source or of the destination.
    pub peer: i32,
    pub tag: i32,
    pub comm: Comm,
}

impl<D: Data> Message<D> {
    /// Returns the lane of the message.
    #[inline(always)]
    pub fn lane(self) -> usize {
        lanes::lane_for(self.comm, self.tag)
    }

    /// Enters the lane of the message.
    pub fn enter(self) -> Outcome<Mpi> {
        lanes::enter_for_data(self.comm, self.tag, &[self.data.datatype()])
    }

    /// Checks a message to send in the order communicator, count, datatype, buffer, rank, tag.
    pub fn outgoing(self, mpi: &Mpi, used: Use) -> Outcome<(Buffer, Option<Envelope>)> {
        mpi.comm(self.comm)?;
        Ok((self.data.buffer(mpi, used)?, mpi.comms.envelope(self.comm, self.peer, self.tag)?))
    }

    /// Checks a receive in the order communicator, count, datatype, buffer, rank, tag.
    pub fn incoming(self, mpi: &Mpi) -> Outcome<(Buffer, Option<Wanted>)> {
        mpi.comm(self.comm)?;
        Ok((
            self.data.buffer(mpi, Use::Received)?,
            mpi.comms.wanted(self.comm, self.peer, self.tag)?,
        ))
    }

    /// Sends a contiguous message of several cache lines. Returns the request of complete sends.
    #[inline]
    fn send_longer(self) -> Option<Request> {
        let contiguous = self.data.contiguous()?;
        note(&contiguous);
        let mut mpi = match self.lane() {
            0 => enter_open().or_else(await_shared_open)?,
            lane => lanes::enter_lane_open(lane).or_else(|| lanes::await_lane_open(lane))?,
        };
        mpi.send_longer(self.comm, self.peer, self.tag, contiguous.as_bytes())
    }

    #[inline(always)]
    fn send_cached(self, mpi: &mut Engine, short: Contiguous) -> bool {
        mpi.send_cached(self.comm, self.peer, self.tag, short.as_bytes())
    }

    #[inline(always)]
    fn send_open(self, mpi: &mut Engine, short: Contiguous) -> bool {
        mpi.send_fast(self.comm, self.peer, self.tag, short.as_bytes())
    }
}

/// A call, which is attempted several times.
pub trait Attempts: Copy {
    type Data: Data;
    /// Result of the fast attempts.
    type Caught;
    /// Result of the general attempt.
    type Done;
    /// Whether the second attempt waits for another thread that is inside the engine.
    const AWAITS: bool;

    fn message(self) -> Message<Self::Data>;
    /// Returns the result of a fast attempt in a lane as the program gets it.
    #[inline(always)]
    fn caught_in(_lane: usize, caught: Self::Caught) -> Self::Caught {
        caught
    }

    /// Returns the memory of a call that the first two attempts may carry out.
    fn ready(self) -> Option<Contiguous>;
    /// Returns the memory of a call that the first attempt may carry out.
    fn ready_at_first(self) -> Option<Contiguous>;
    fn cached(self, mpi: &mut Engine, data: Contiguous) -> Option<Self::Caught>;
    fn open(self, mpi: &mut Engine, data: Contiguous) -> Option<Self::Caught>;
    #[inline(always)]
    fn longer(self) -> Option<Self::Caught> {
        None
    }
    fn general(self, mpi: &mut Mpi) -> Outcome<Self::Done>;
}

/// Where the results of a call go.
pub trait Answer<A: Attempts>: Copy {
    /// Returns whether there is a place for the result; otherwise the general attempt explains.
    #[inline(always)]
    fn is_ready(self) -> bool {
        true
    }
    /// Explains that there is no place for the result.
    #[inline(always)]
    fn check(self) -> Outcome {
        Ok(())
    }
    fn fast(self, caught: A::Caught);
    fn general(self, mpi: &mut Mpi, done: A::Done) -> Outcome;
}

/// The answer of a call without results.
#[derive(Clone, Copy)]
pub struct Nothing;

impl<A: Attempts<Caught = (), Done = ()>> Answer<A> for Nothing {
    #[inline(always)]
    fn fast(self, (): ()) {}
    #[inline(always)]
    fn general(self, _: &mut Mpi, (): ()) -> Outcome {
        Ok(())
    }
}

/// The first attempt of a call. Its code exists twice, because each way to enter has
/// its own way to leave, and a flag would cost a register. No closure surrounds it, because a
/// closure becomes a function of its own, which both names of the C function call.
#[inline(always)]
pub fn first<A: Attempts>(call: A, answer: impl Answer<A>) -> Fast {
    let Some(data) = call.ready_at_first() else { return Fast::Declined };
    if !answer.is_ready() {
        return Fast::Declined;
    }
    let caught = if let Some(mut mpi) = enter_alone() {
        call.cached(&mut mpi, data)
    } else if let Some(mut mpi) = enter_biased() {
        call.cached(&mut mpi, data)
    } else {
        None
    };
    let Some(caught) = caught else { return Fast::Declined };
    answer.fast(caught);
    Fast::Done(())
}

/// The first attempt of a call while there are several lanes, after [`first`] has declined.
#[inline(always)]
pub fn first_in_lane<A: Attempts>(call: A, answer: impl Answer<A>) -> Fast {
    let Some(data) = call.ready() else { return Fast::Declined };
    if !answer.is_ready() {
        return Fast::Declined;
    }
    let Message { comm, tag, .. } = call.message();
    let Some(lane) = lanes::lane_for_fast(comm, tag) else { return Fast::Declined };
    let entered = if lane == 0 { enter_biased() } else { lanes::enter_lane_biased(lane) };
    let Some(mut mpi) = entered else { return Fast::Declined };
    let Some(caught) = call.cached(&mut mpi, data) else { return Fast::Declined };
    drop(mpi);
    answer.fast(A::caught_in(lane, caught));
    Fast::Done(())
}

/// The other attempts of a call.
#[inline(always)]
pub fn rest<A: Attempts>(call: A, answer: impl Answer<A>) -> Outcome {
    if lanes::are_open() {
        return in_lane(call.message().lane(), call, answer);
    }
    if answer.is_ready()
        && let Some(caught) = second(call)
    {
        answer.fast(caught);
        return Ok(());
    }
    slow(call, answer)
}

#[inline(always)]
fn second<A: Attempts>(call: A) -> Option<A::Caught> {
    let data = call.ready()?;
    let open = enter_open();
    let mut mpi = if A::AWAITS { open.or_else(await_shared_open) } else { open }?;
    call.open(&mut mpi, data)
}

/// The attempts of a call while there are several lanes.
#[inline(never)]
fn in_lane<A: Attempts>(lane: usize, call: A, answer: impl Answer<A>) -> Outcome {
    if answer.is_ready()
        && let Some(caught) = fast_in_lane(lane, call)
    {
        answer.fast(A::caught_in(lane, caught));
        return Ok(());
    }
    slow(call, answer)
}

#[inline(always)]
fn fast_in_lane<A: Attempts>(lane: usize, call: A) -> Option<A::Caught> {
    if lane == 0 {
        return second(call);
    }
    let data = call.ready()?;
    let open = lanes::enter_lane_open(lane);
    let mut mpi = if A::AWAITS { open.or_else(|| lanes::await_lane_open(lane)) } else { open }?;
    call.open(&mut mpi, data)
}

/// The third and the last attempt of a call.
#[inline(never)]
pub fn slow<A: Attempts>(call: A, answer: impl Answer<A>) -> Outcome {
    if nemesis_gpu::is_on() {
        if answer.is_ready()
            && let Some(caught) = beside_devices(call)?
        {
            answer.fast(A::caught_in(call.message().lane(), caught));
            return Ok(());
        }
    } else if answer.is_ready()
        && let Some(caught) = call.longer()
    {
        answer.fast(A::caught_in(call.message().lane(), caught));
        return Ok(());
    }
    let mut mpi = call.message().enter()?;
    answer.check()?;
    let done = call.general(&mut mpi)?;
    answer.general(&mut mpi, done)
}

/// The second attempt of a call whose buffer may be memory of a device: asks first, and enters as
/// the last attempt does, because the fast ways in are closed.
fn beside_devices<A: Attempts>(call: A) -> Outcome<Option<A::Caught>> {
    let Some(data) = call.ready() else { return Ok(None) };
    if nemesis_gpu::look()
        && nemesis_gpu::place(data.as_bytes().as_ptr().addr()) != nemesis_gpu::Place::Host
    {
        return Ok(None);
    }
    let mut mpi = call.message().enter()?;
    Ok(if mpi.is_open_to_host() { call.open(&mut mpi, data) } else { None })
}

/// All attempts of a call.
#[inline(always)]
pub fn whole<A: Attempts>(call: A, answer: impl Answer<A>) -> Outcome {
    if let Fast::Done(()) = first(call, answer) {
        return Ok(());
    }
    if lanes::are_open()
        && let Fast::Done(()) = first_in_lane(call, answer)
    {
        return Ok(());
    }
    rest(call, answer)
}

/// `MPI_Send`, `MPI_Ssend`, `MPI_Rsend`
#[derive(Clone, Copy)]
pub struct Send<D>(pub Message<D>, pub Mode);

impl<D: Data> Attempts for Send<D> {
    type Data = D;
    type Caught = ();
    type Done = ();
    const AWAITS: bool = false;

    #[inline(always)]
    fn message(self) -> Message<D> {
        self.0
    }
    #[inline(always)]
    fn ready(self) -> Option<Contiguous> {
        self.0.data.short()
    }
    #[inline(always)]
    fn ready_at_first(self) -> Option<Contiguous> {
        self.0.data.at_first(send::SHORT_MAX_BYTES)
    }
    #[inline(always)]
    fn cached(self, mpi: &mut Engine, data: Contiguous) -> Option<()> {
        self.0.send_cached(mpi, data).then_some(())
    }
    #[inline(always)]
    fn open(self, mpi: &mut Engine, data: Contiguous) -> Option<()> {
        self.0.send_open(mpi, data).then_some(())
    }
    #[inline(always)]
    fn longer(self) -> Option<()> {
        if self.1 == Mode::Standard { self.0.send_longer().map(drop) } else { None }
    }
    #[inline(always)]
    fn general(self, mpi: &mut Mpi) -> Outcome {
        match self.0.outgoing(mpi, Use::SentLater)? {
            (buffer, Some(envelope)) => send::send(mpi, &buffer, envelope, self.1),
            (_, None) => Ok(()),
        }
    }
}

/// `MPI_Isend`, `MPI_Issend`, `MPI_Irsend`
#[derive(Clone, Copy)]
pub struct Isend<D>(pub Message<D>, pub Mode);

impl<D: Data> Attempts for Isend<D> {
    type Data = D;
    type Caught = Request;
    type Done = Request;
    const AWAITS: bool = false;

    #[inline(always)]
    fn message(self) -> Message<D> {
        self.0
    }
    #[inline(always)]
    fn caught_in(lane: usize, caught: Request) -> Request {
        lanes::name_of_new(lane, caught)
    }
    #[inline(always)]
    fn ready(self) -> Option<Contiguous> {
        self.0.data.short()
    }
    #[inline(always)]
    fn ready_at_first(self) -> Option<Contiguous> {
        self.0.data.at_first(send::SHORT_MAX_BYTES)
    }
    #[inline(always)]
    fn cached(self, mpi: &mut Engine, data: Contiguous) -> Option<Request> {
        self.0.send_cached(mpi, data).then(|| mpi.done_request())
    }
    #[inline(always)]
    fn open(self, mpi: &mut Engine, data: Contiguous) -> Option<Request> {
        self.0.send_open(mpi, data).then(|| mpi.done_request())
    }
    #[inline(always)]
    fn longer(self) -> Option<Request> {
        if self.1 == Mode::Standard { self.0.send_longer() } else { None }
    }
    #[inline(always)]
    fn general(self, mpi: &mut Mpi) -> Outcome<Request> {
        let (buffer, envelope) = self.0.outgoing(mpi, Use::SentLater)?;
        send::isend(mpi, &buffer, envelope, self.1)
    }
}

/// `MPI_Recv`. The first attempt takes a message that has arrived; waiting for one belongs to the
/// others.
#[derive(Clone, Copy)]
pub struct Recv<D>(pub Message<D>);

impl<D: Data> Attempts for Recv<D> {
    type Data = D;
    type Caught = Caught;
    type Done = Completion;
    const AWAITS: bool = true;

    #[inline(always)]
    fn message(self) -> Message<D> {
        self.0
    }
    #[inline(always)]
    fn ready(self) -> Option<Contiguous> {
        self.0.data.contiguous()
    }
    #[inline(always)]
    fn ready_at_first(self) -> Option<Contiguous> {
        self.0.data.at_first(i32::MAX as u32)
    }
    #[inline(always)]
    fn cached(self, mpi: &mut Engine, data: Contiguous) -> Option<Caught> {
        let Message { peer: source, tag, comm, .. } = self.0;
        let bytes = mpi.receive_cached(comm, source, tag, data)?;
        Some(Caught { source, tag, bytes })
    }
    #[inline(always)]
    fn open(self, mpi: &mut Engine, data: Contiguous) -> Option<Caught> {
        let Message { peer: source, tag, comm, .. } = self.0;
        if let Some(bytes) = mpi.receive_fast(comm, source, tag, data) {
            return Some(Caught { source, tag, bytes });
        }
        if source == abi::MPI_ANY_SOURCE || tag == abi::MPI_ANY_TAG {
            return mpi.receive_wild(comm, source, tag, data);
        }
        note(&data);
        mpi.receive_longer(comm, source, tag, data).map(|bytes| Caught { source, tag, bytes })
    }
    #[inline(always)]
    fn general(self, mpi: &mut Mpi) -> Outcome<Completion> {
        let (buffer, wanted) = self.0.incoming(mpi)?;
        let contiguous = if nemesis_mpi_check::is_on() {
            // The checks need the datatype.
            buffers::touch(&buffer, Access::Write);
            None
        } else if nemesis_gpu::is_on() {
            // The buffer may be a copy of the memory that the call names.
            None
        } else {
            self.0.data.contiguous()
        };
        match (wanted, contiguous) {
            (None, _) => Ok(Completion::PROC_NULL),
            (Some(wanted), Some(contiguous)) => receive::receive(mpi, contiguous, wanted),
            (Some(wanted), None) => receive::receive(mpi, &buffer, wanted),
        }
    }
}

/// `MPI_Irecv`
#[derive(Clone, Copy)]
pub struct Irecv<D>(pub Message<D>);

impl<D: Data> Attempts for Irecv<D> {
    type Data = D;
    type Caught = Request;
    type Done = Request;
    const AWAITS: bool = true;

    #[inline(always)]
    fn message(self) -> Message<D> {
        self.0
    }
    #[inline(always)]
    fn caught_in(lane: usize, caught: Request) -> Request {
        lanes::name_of_new(lane, caught)
    }
    #[inline(always)]
    fn ready(self) -> Option<Contiguous> {
        self.0.data.contiguous()
    }
    #[inline(always)]
    fn ready_at_first(self) -> Option<Contiguous> {
        self.0.data.at_first(i32::MAX as u32)
    }
    #[inline(always)]
    fn cached(self, mpi: &mut Engine, data: Contiguous) -> Option<Request> {
        mpi.irecv_cached(self.0.comm, self.0.peer, self.0.tag, data)
    }
    #[inline(always)]
    fn open(self, mpi: &mut Engine, data: Contiguous) -> Option<Request> {
        mpi.irecv_fast(self.0.comm, self.0.peer, self.0.tag, data)
    }
    #[inline(always)]
    fn general(self, mpi: &mut Mpi) -> Outcome<Request> {
        let (buffer, wanted) = self.0.incoming(mpi)?;
        receive::irecv(mpi, &buffer, wanted)
    }
}

/// The first attempt of `MPI_Wait` and `MPI_Waitall`, for requests of the first lane: completes
/// requests from the first on while they are complete and need no more work, and adds their number
/// to `complete`. `put` writes a status as source, tag and bytes, or an empty one.
#[inline(always)]
pub fn complete_first(
    handles: &mut [Request],
    ignored: bool,
    complete: &mut usize,
    mut put: impl FnMut(usize, Option<Caught>),
) -> Fast {
    let Some(mut mpi) = enter_open() else { return Fast::Declined };
    // A loop of its own tests nothing for each request whose status is ignored.
    *complete = if ignored {
        mpi.complete_first(handles, |_, _| {})
    } else {
        mpi.complete_first(handles, |index, received| put(index, received.map(Caught::from)))
    };
    match *complete {
        complete if complete == handles.len() => Fast::Done(()),
        0 => Fast::Declined,
        _ => Fast::Pending,
    }
}
