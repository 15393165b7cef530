//! Schedules: a collective operation as a list of steps.
//!
//! A schedule is built once from (algorithm, rank, size, buffers). A non-blocking call gives it to
//! the progress engine ([`start`](super::start)), which calls [`Schedule::advance`] after every
//! poll. A persistent call keeps it and starts a copy each time. A blocking call needs no list: its
//! steps are performed as they are built, see [`steps`](super::steps).
//!
//! Sends and receives start in order and proceed concurrently until a [`Step::Wait`] waits for all
//! of them. Copies and reductions are performed when the schedule reaches them. Building a schedule
//! moves no data: a persistent schedule runs many times, each time on the current contents of the
//! buffers.
//!
//! All messages of an operation carry one tag, the operation's number on its communicator. Packets
//! of a pair keep their order, so the k-th send of one rank to another matches the k-th receive
//! there. Both sides omit messages without bytes, except in the barrier.
//!
//! A reduction with a user's function cannot run inside the engine, because the function may call
//! MPI. The schedule stops before it, and the next waiting call runs the function with the global
//! lock released ([`run_callback`](crate::progress)).
//!
//! A schedule holds all it needs of its communicator, which may be freed while it runs (MPI 5.0
//! §7.4.3).

use super::blocks;
use super::mismatch;
use super::operator::{Operator, UserCall};
use super::shm::{Call, Nonblocking, SharedNonblocking, ShmOperation, Subset};
use super::types::{Compared, Types};
use crate::abi;
use crate::comm::Comm;
use crate::context::{Class, Context};
use crate::engine::Engine;
use crate::error::Error;
use crate::handle;
use crate::matching::Pattern;
use crate::peer_failure;
use crate::protocol::kind;
use crate::receive::Wanted;
use crate::request::Completion;
use crate::send::{Envelope, Mode};
use nemesis::wire::Header;
use nemesis_datatype::Buffer;
use std::sync::{Arc, MutexGuard};

/// One step of a schedule. Processes are named by their index in [`Comm::everyone`], which is the
/// rank in an intracommunicator.
#[derive(Clone, Debug)]
pub enum Step {
    Send {
        to: u32,
        buffer: Buffer,
    },
    Receive {
        from: u32,
        buffer: Buffer,
    },
    /// Copies locally; the layouts may differ.
    Copy {
        from: Buffer,
        to: Buffer,
    },
    /// Computes `inout[i] = input[i] op inout[i]`.
    Reduce {
        operator: Operator,
        input: Buffer,
        inout: Buffer,
    },
    /// Waits until all sends and receives so far are complete.
    Wait,
    /// Waits until the receive into this buffer is complete.
    WaitFor {
        from: u32,
        buffer: Buffer,
    },
    /// A call in a collective segment. It is the first step, so that calls begin in the order of
    /// operations.
    Shm(ShmOperation),
    /// The context of a communicator that is being created has arrived (`MPI_Comm_idup`).
    Name {
        comm: handle::Comm,
        context: Buffer,
    },
    /// Tells other processes the types of this one's blocks (development checks).
    TellTypes(Arc<Types>),
    /// Compares the types of blocks that have come with those that were told.
    CompareTypes(Arc<Types>),
}

/// A collective operation in progress or ready to start.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub comm: handle::Comm,
    /// This process's rank and the size of its group.
    pub rank: u32,
    pub size: u32,
    /// The size of an intercommunicator's other group; 0 in an intracommunicator.
    pub remote_size: u32,
    context: Context,
    tag: i32,
    /// The history of the communicator with this operation.
    history: u64,
    /// True if the operations of the processes do not match: no message is sent or received.
    void: bool,
    /// True if the operation has waited long, and has asked the processes that it waits for.
    asked: bool,
    /// The processes of an intercommunicator's other group, then those of this group by rank.
    processes: Arc<[u32]>,
    /// The ranks of the processes, if only some of the communicator's processes take part. Messages
    /// name their senders by rank, so that messages among some of the processes match none among
    /// others of the same operation.
    ranks: Option<Arc<[u32]>>,
    /// This process's index in the receiver's [`Comm::everyone`] for receivers of its own group.
    own: u32,
    steps: Vec<Step>,
    next: usize,
    /// How far a comparison of types has come.
    compared: Compared,
    /// Sends and receives in progress.
    pending: Vec<Pending>,
    /// Messages that have been given up in a job that goes on when a process dies, while others may
    /// use their memory.
    given_up: Vec<handle::Request>,
    /// True while a user's function runs for the next step.
    calling: bool,
    /// The collective segment of the operation, if it uses one, and its call in progress.
    nonblocking: Option<SharedNonblocking>,
    call: CallUnderWay,
    failed: Option<Box<Error>>,
}

/// A send or receive in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub request: handle::Request,
    /// The index of the sender in the schedule.
    from: u32,
    /// The bytes that the message must have; 0 for a send.
    bytes: usize,
    /// Where the data lie.
    address: usize,
}

impl Pending {
    /// Returns whether this is the receive from a process into a buffer.
    pub(super) fn is_into(&self, from: u32, buffer: &Buffer) -> bool {
        self.from == from && self.bytes > 0 && self.address == buffer.address()
    }
}

/// A call in progress. The copy of a schedule is another operation, which has no call in progress.
#[derive(Debug, Default)]
struct CallUnderWay(Option<Call>);

impl Clone for CallUnderWay {
    fn clone(&self) -> CallUnderWay {
        CallUnderWay(None)
    }
}

/// How far [`Schedule::advance`] came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Waits for messages or for a collective segment.
    Waiting,
    /// Waits for a user's function to be run.
    Callback,
    Done,
}

impl Schedule {
    /// Creates the operation of a class that was begun last on a communicator, the messages of
    /// which have this tag.
    pub fn new(handle: handle::Comm, comm: &Comm, class: Class, tag: i32) -> Schedule {
        Schedule {
            comm: handle,
            rank: comm.rank,
            size: comm.size(),
            remote_size: comm.remote_size(),
            context: comm.context.class(class),
            tag,
            history: comm.collectives.history(),
            void: false,
            asked: false,
            processes: comm.everyone(),
            ranks: None,
            own: comm.remote_size() + comm.rank,
            steps: Vec::new(),
            next: 0,
            compared: Compared::default(),
            pending: Vec::new(),
            given_up: Vec::new(),
            calling: false,
            nonblocking: None,
            call: CallUnderWay(None),
            failed: None,
        }
    }

    /// Creates a schedule of no communicator, which cannot be performed: its steps are looked at.
    pub(crate) fn recorded(rank: u32, processes: Arc<[u32]>) -> Schedule {
        Schedule {
            comm: handle::Comm(0),
            rank,
            size: processes.len() as u32,
            remote_size: 0,
            context: Context(0),
            tag: 0,
            history: 0,
            void: false,
            asked: false,
            processes,
            ranks: None,
            own: rank,
            steps: Vec::new(),
            next: 0,
            compared: Compared::default(),
            pending: Vec::new(),
            given_up: Vec::new(),
            calling: false,
            nonblocking: None,
            call: CallUnderWay(None),
            failed: None,
        }
    }

    /// Creates one of two groups, for tests.
    #[cfg(test)]
    pub(crate) fn unconnected(rank: u32, size: u32, remote_size: u32) -> Schedule {
        let schedule = Schedule::recorded(rank, (0..remote_size + size).collect());
        Schedule { size, remote_size, own: remote_size + rank, ..schedule }
    }

    /// Returns the steps.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// Returns an empty schedule for messages among some of the processes of an operation on an
    /// intracommunicator, of which this one has index `index`. All of them must derive their
    /// schedules alike.
    pub fn among(&self, subset: &Subset, index: u32) -> Schedule {
        let Subset { ranks, processes } = subset.clone();
        let (steps, pending) = (Vec::new(), Vec::new());
        let (nonblocking, call, failed) = (None, CallUnderWay(None), None);
        Schedule {
            rank: index,
            size: processes.len() as u32,
            remote_size: 0,
            processes,
            own: ranks[index as usize],
            ranks: Some(ranks),
            steps,
            next: 0,
            compared: Compared::default(),
            pending,
            calling: false,
            void: false,
            asked: false,
            nonblocking,
            call,
            failed,
            given_up: Vec::new(),
            ..*self
        }
    }

    /// Reuses the empty schedule for the operation that was begun last on its communicator.
    #[inline]
    pub fn renew(&mut self, comm: &Comm) {
        self.tag = comm.collectives.tag();
        self.history = comm.collectives.history();
    }

    /// Returns the history of the communicator with this operation.
    pub(crate) fn history(&self) -> u64 {
        self.history
    }

    /// Makes the empty schedule usable for another operation after one that did not match.
    #[cold]
    pub(crate) fn be_valid(&mut self) {
        self.void = false;
    }

    /// Returns whether the operations of the processes do not match.
    #[inline]
    pub(crate) fn is_void(&self) -> bool {
        self.void
    }

    /// Returns the number of each process in the job, by its index in this schedule.
    pub(crate) fn processes(&self) -> &[u32] {
        &self.processes
    }

    /// Returns the context and the tag of the operation's messages.
    pub(crate) fn match_bits(&self) -> (Context, i32) {
        (self.context, self.tag)
    }

    /// Makes calls use this collective segment.
    pub fn nonblocking_at(&mut self, nonblocking: SharedNonblocking) {
        self.nonblocking = Some(nonblocking);
    }

    /// Advances a call in a collective segment and returns true when it is complete.
    fn advance_shm(&mut self, operation: &ShmOperation, engine: &mut Engine) -> bool {
        let Some(nonblocking) = &self.nonblocking else { return true };
        let mut nonblocking = nonblocking.lock();
        let history = self.history;
        let call = self.call.0.get_or_insert_with(|| nonblocking.begin(operation, history));
        let Some(outcome) = call.advance(&mut nonblocking, engine, operation) else {
            if call.is_contradicted(&mut nonblocking) {
                drop(nonblocking);
                mismatch::register(engine, self.comm);
            }
            return false;
        };
        drop(nonblocking);
        self.call.0 = None;
        outcome.unwrap_or_else(|error| self.fail(error));
        true
    }

    /// Returns the call in progress in a collective segment, with its arguments.
    pub fn call_under_way(&self) -> Option<(MutexGuard<'_, Nonblocking>, &Call, &ShmOperation)> {
        match (&self.nonblocking, &self.call.0, self.steps.get(self.next)) {
            (Some(nonblocking), Some(call), Some(Step::Shm(operation))) => {
                Some((nonblocking.lock(), call, operation))
            }
            _ => None,
        }
    }

    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Takes the error of the first step that failed.
    pub fn take_error(&mut self) -> Option<Box<Error>> {
        self.failed.take()
    }

    /// Runs steps as far as possible without waiting.
    pub fn advance(&mut self, engine: &mut Engine) -> Progress {
        if self.calling {
            return Progress::Waiting;
        }
        if self.void {
            return self.advance_void(engine);
        }
        let steps = std::mem::take(&mut self.steps);
        let progress = self.advance_through(&steps, engine);
        self.steps = steps;
        if progress == Progress::Waiting && self.differs(engine) {
            self.make_void(engine);
            return self.advance_void(engine);
        }
        progress
    }

    /// Returns whether the operations of the processes are found not to match.
    fn differs(&self, engine: &mut Engine) -> bool {
        match engine.pt2pt.core.unexpected.is_empty() {
            true => mismatch::is_known(engine, self.comm),
            false => {
                mismatch::look(engine, self.match_bits())
                    || mismatch::broken(engine, self.comm).is_some()
            }
        }
    }

    /// Asks the processes whose messages the operation waits for whether they are in the same
    /// operation, once.
    #[cold]
    pub(crate) fn ask(&mut self, engine: &mut Engine) {
        if std::mem::replace(&mut self.asked, true) {
            return;
        }
        let before = self.steps[..self.next].iter().rev();
        let sources = before.take_while(|step| !matches!(step, Step::Wait)).filter_map(|step| {
            if let Step::Receive { from, .. } = step { Some(self.wanted(*from)) } else { None }
        });
        sources.for_each(|wanted| mismatch::ask(engine, &wanted));
    }

    /// Completes an operation that matches none of the other processes as soon as its error is
    /// known.
    #[cold]
    fn advance_void(&mut self, engine: &mut Engine) -> Progress {
        if self.uses_memory(engine) {
            return Progress::Waiting;
        }
        match mismatch::verdict(engine, self.comm) {
            Some(error) => {
                self.failed = Some(error);
                Progress::Done
            }
            None => Progress::Waiting,
        }
    }

    fn advance_through(&mut self, steps: &[Step], engine: &mut Engine) -> Progress {
        loop {
            match steps.get(self.next) {
                None => {
                    return if self.collect_complete(engine) {
                        Progress::Done
                    } else {
                        Progress::Waiting
                    };
                }
                Some(Step::Wait) => {
                    if !self.collect_complete(engine) {
                        return Progress::Waiting;
                    }
                }
                Some(Step::WaitFor { from, buffer }) => {
                    self.collect_complete(engine);
                    if self.pending.iter().any(|pending| pending.is_into(*from, buffer)) {
                        return Progress::Waiting;
                    }
                }
                Some(Step::Shm(operation)) => {
                    if !self.advance_shm(operation, engine) {
                        return Progress::Waiting;
                    }
                }
                Some(Step::CompareTypes(types)) => {
                    if !self.compare_types(types, engine) {
                        return Progress::Waiting;
                    }
                }
                Some(Step::Reduce { operator: Operator::User(..), .. }) => {
                    return Progress::Callback;
                }
                Some(step) => self.perform(step, engine),
            }
            self.next += 1;
        }
    }

    /// Collects complete sends and receives; returns true when none is in progress.
    fn collect_complete(&mut self, engine: &mut Engine) -> bool {
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|&pending| {
            if !engine.pt2pt.is_complete(pending.request).unwrap_or(true) {
                return true;
            }
            self.collect(engine, pending);
            false
        });
        self.pending = pending;
        self.pending.is_empty()
    }

    /// Takes the result of a complete send or receive.
    pub(super) fn collect(&mut self, engine: &mut Engine, mut pending: Pending) {
        if let Ok(completion) = engine.pt2pt.collect(&mut pending.request) {
            self.examine(completion, pending.from, pending.bytes);
        }
    }

    /// Records the failure of a receive, or that its message is shorter than `bytes` bytes.
    pub(super) fn examine(&mut self, completion: Completion, from: u32, bytes: usize) {
        match completion.error {
            Some(error) => self.fail(self.mismatch(from, error)),
            None if completion.bytes < bytes as u64 => {
                self.fail(blocks::too_short(&self.name_of(from), completion.bytes, bytes));
            }
            None => {}
        }
    }

    /// Records that the operations of the processes do not match, and gives up all sends and
    /// receives in progress. Nothing more is sent or received.
    #[cold]
    pub(crate) fn make_void(&mut self, engine: &mut Engine) {
        self.void = true;
        let why = mismatch::broken(engine, self.comm);
        self.fail(why.unwrap_or_else(mismatch::unexplained));
        for Pending { request, .. } in self.pending.drain(..) {
            engine.pt2pt.give_up(request);
            if peer_failure::is_tolerant() && engine.pt2pt.uses_memory(request) {
                self.given_up.push(request);
            }
        }
        self.call.0 = None;
    }

    /// Returns whether messages that have been given up may still use the program's memory.
    #[cold]
    pub(crate) fn uses_memory(&mut self, engine: &Engine) -> bool {
        self.given_up.retain(|&request| engine.pt2pt.uses_memory(request));
        !self.given_up.is_empty()
    }

    /// Takes a send or receive back among those in progress.
    pub(super) fn put_back(&mut self, pending: Pending) {
        self.pending.push(pending);
    }

    /// Removes and returns a send or receive that is in progress.
    #[inline]
    pub(super) fn take_pending(&mut self, which: impl Fn(&Pending) -> bool) -> Option<Pending> {
        let last = self.pending.iter().rposition(which)?;
        Some(self.pending.swap_remove(last))
    }

    /// Returns the user's function that the schedule waits for, unless it already runs.
    pub fn begin_callback(&mut self) -> Option<UserCall> {
        if self.calling {
            return None;
        }
        let Some(Step::Reduce { operator: Operator::User(function, datatype), input, inout }) =
            self.steps.get(self.next)
        else {
            return None;
        };
        self.calling = true;
        Some(UserCall {
            function: *function,
            datatype: *datatype,
            input: input.clone(),
            inout: inout.clone(),
        })
    }

    /// Ends the step whose user's function has run.
    pub fn end_callback(&mut self) {
        self.calling = false;
        self.next += 1;
    }

    /// Performs one step that needs neither a wait nor a user's function.
    fn perform(&mut self, step: &Step, engine: &mut Engine) {
        match step {
            Step::Send { to, buffer } => self.send(*to, buffer, engine),
            Step::Receive { from, buffer } => self.receive(*from, buffer, engine),
            Step::Copy { from, to } => self.copy(from, to),
            Step::Reduce { operator: Operator::Predefined(op), input, inout } => {
                self.reduce(*op, input, inout)
            }
            Step::Name { comm, context } => engine.name_comm(*comm, context),
            Step::TellTypes(types) => self.tell_types(types, engine),
            Step::Reduce { .. }
            | Step::Wait
            | Step::WaitFor { .. }
            | Step::Shm(_)
            | Step::CompareTypes(_) => {}
        }
    }

    /// Tells other processes the types of this one's blocks.
    pub(super) fn tell_types(&self, types: &Types, engine: &mut Engine) {
        types.tell(self.match_bits(), (self.rank, &self.processes), engine);
    }

    /// Compares the types of blocks with those that their senders have told, unless the operation
    /// has failed. Returns whether all are compared.
    pub(super) fn compare_types(&mut self, types: &Types, engine: &mut Engine) -> bool {
        let mut compared = self.compared;
        let is_done = self.failed.is_some()
            || types.compare(self.match_bits(), &self.processes, &mut compared, engine);
        self.compared = if is_done { Compared::default() } else { compared };
        is_done
    }

    /// Records a failure; the other steps still run, because other processes wait for this one's
    /// messages. After the loss of a process, these messages tell their receivers that there is no
    /// result, instead of carrying one that lacks a contribution.
    pub fn fail(&mut self, error: Box<Error>) {
        self.failed.get_or_insert(error);
    }

    /// Returns the header of a message. Its rank is this process's index in the receiver's
    /// [`Comm::everyone`].
    #[inline]
    fn header(&self, to: u32) -> Header {
        let rank = if to < self.remote_size { self.rank } else { self.own };
        Header {
            kind: kind::EAGER,
            context: self.context.0,
            tag: self.tag,
            rank,
            ..Header::default()
        }
    }

    /// Sends through the pair's fastbox and returns true, or returns false if that is not possible
    /// now.
    #[inline]
    pub fn send_fast(&self, to: u32, buffer: &Buffer, engine: &mut Engine) -> bool {
        let (Some(bytes), Some(endpoint), 0) =
            (buffer.as_bytes(), &mut engine.pt2pt.endpoint, engine.pt2pt.outgoing_packets)
        else {
            return false;
        };
        self.failed.is_none()
            && endpoint.send_fast(self.processes[to as usize], self.header(to), bytes)
    }

    /// Starts a send.
    pub fn send(&mut self, to: u32, buffer: &Buffer, engine: &mut Engine) {
        if self.void {
            return;
        }
        let envelope =
            Envelope { comm: self.comm, to: self.processes[to as usize], header: self.header(to) };
        if self.failed.as_ref().is_some_and(|error| peer_failure::is_one(error.class)) {
            return engine.pt2pt.send_nothing(envelope);
        }
        match engine.pt2pt.start_send(buffer, envelope, Mode::Standard) {
            Ok(request) => {
                let pending = request.map(|request| Pending {
                    request,
                    from: to,
                    bytes: 0,
                    address: buffer.address(),
                });
                self.pending.extend(pending);
            }
            Err(error) => self.fail(error),
        }
    }

    /// Starts a receive.
    pub fn receive(&mut self, from: u32, buffer: &Buffer, engine: &mut Engine) {
        if self.void {
            return;
        }
        match engine.start_receive(buffer, self.wanted(from)) {
            Ok(Ok(request)) => {
                let (bytes, address) = (buffer.bytes(), buffer.address());
                self.pending.push(Pending { request, from, bytes, address });
            }
            Ok(Err(completion)) => self.examine(completion, from, buffer.bytes()),
            Err(error) => self.fail(error),
        }
    }

    pub fn copy(&mut self, from: &Buffer, to: &Buffer) {
        nemesis_datatype::copy(from, to);
        if from.bytes() != to.bytes() {
            self.fail(blocks::uneven_for_itself(from, to));
        }
    }

    pub fn reduce(&mut self, op: nemesis_datatype::Op, input: &Buffer, inout: &Buffer) {
        if let Err(error) = inout.reduce_from(op, input) {
            self.fail(Error::new(abi::MPI_ERR_OP, error.why));
        }
    }

    /// Turns the error of a message that did not fit into one that explains it for a collective
    /// operation.
    #[cold]
    pub fn mismatch(&self, from: u32, mut error: Box<Error>) -> Box<Error> {
        if error.class == abi::MPI_ERR_TRUNCATE {
            let sender = self.name_of(from);
            error.why =
                format!("within the collective operation, from {sender}: {}", error.why).into();
            error.advice = "give all processes counts and datatypes that agree: \
                a collective has no larger receive buffer"
                .into();
        }
        error
    }

    /// Returns the words by which errors name the process with an index in this schedule.
    #[cold]
    fn name_of(&self, index: u32) -> String {
        match index.checked_sub(self.remote_size) {
            Some(rank) => format!("rank {}", self.rank_of(rank)),
            None => format!("rank {index} of the other group"),
        }
    }

    /// Returns the rank of the process with an index in this schedule, by which its messages name
    /// it.
    #[inline]
    pub(crate) fn rank_of(&self, index: u32) -> u32 {
        self.ranks.as_ref().map_or(index, |ranks| ranks[index as usize])
    }

    /// Returns the match of this operation's next message from a process.
    #[inline]
    pub fn wanted(&self, from: u32) -> Wanted {
        let pattern = Pattern { context: self.context, rank: self.rank_of(from), tag: self.tag };
        Wanted { comm: self.comm, pattern, from: Some(self.processes[from as usize]) }
    }
}
