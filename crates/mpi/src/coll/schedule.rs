//! Schedules: a collective operation as a list of steps.
//!
//! A schedule is built once from (algorithm, rank, size, buffers) and run by the progress engine: sends and receives start in order and go on side by
//! side until a [`Step::Wait`] asks for all of them; copies and reductions are done when their turn comes. The same schedule serves the blocking
//! call (start, wait), the non-blocking one (start, hand out the request) and the persistent one (keep it, start a copy each time).
//!
//! All messages of one operation carry the same tag, the operation's number on its communicator; since packets of a pair keep their order, the
//! k-th send of one rank to another meets the other's k-th receive from it.
//!
//! A reduction with a user's function cannot run inside the engine, because the function may call MPI. The schedule stops there, and the next
//! waiting call runs the function with the engine let go ([`run_callbacks`](super::run_callbacks)).

use crate::callback::Callback;
use crate::context::Context;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::Wanted;
use crate::request::Request;
use crate::send::{Envelope, Mode};
use nemesis::wire::Header;
use nemesis_datatype::Buffer;

/// One step of a schedule. Ranks are of the communicator (of the remote group in an intercommunicator).
#[derive(Clone, Debug)]
pub enum Step {
    Send { to: u32, buffer: Buffer },
    Receive { from: u32, buffer: Buffer },
    /// Local copy, layouts may differ.
    Copy { from: Buffer, to: Buffer },
    /// `inout[i] = input[i] op inout[i]`
    Reduce { operator: Operator, input: Buffer, inout: Buffer },
    /// Goes on when all sends and receives so far are complete.
    Wait,
    /// Never goes on: stands in while the real schedule is elsewhere.
    Park,
}

/// How a reduction combines.
#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Predefined(nemesis_datatype::Op),
    /// A user's function, and the handle by which it is told the type.
    User(Callback, handle::Datatype),
}

/// A collective operation.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub comm: handle::Comm,
    pub context: Context,
    pub tag: i32,
    steps: Vec<Step>,
    next: usize,
    /// Sends and receives that are under way.
    pending: Vec<handle::Request>,
    failed: Option<Box<Error>>,
}

/// How far `advance` came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Waits for messages.
    Waiting,
    /// Stands before a user's function.
    Callback,
    Done,
}

impl Schedule {
    pub fn new(comm: handle::Comm, context: Context, tag: i32) -> Schedule {
        Schedule { comm, context, tag, steps: Vec::new(), next: 0, pending: Vec::new(), failed: None }
    }

    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub fn send(&mut self, to: u32, buffer: &Buffer) {
        self.push(Step::Send { to, buffer: buffer.clone() });
    }

    pub fn receive(&mut self, from: u32, buffer: &Buffer) {
        self.push(Step::Receive { from, buffer: buffer.clone() });
    }

    pub fn copy(&mut self, from: &Buffer, to: &Buffer) {
        self.push(Step::Copy { from: from.clone(), to: to.clone() });
    }

    pub fn reduce(&mut self, operator: Operator, input: &Buffer, inout: &Buffer) {
        self.push(Step::Reduce { operator, input: input.clone(), inout: inout.clone() });
    }

    pub fn wait(&mut self) {
        self.push(Step::Wait);
    }

    /// The error of the first message that failed.
    pub fn take_error(&mut self) -> Option<Box<Error>> {
        self.failed.take()
    }

    /// Runs steps as far as they go.
    pub fn advance(&mut self, engine: &mut Engine) -> Progress {
        loop {
            let Some(step) = self.steps.get(self.next) else {
                return if self.settle(engine) { Progress::Done } else { Progress::Waiting };
            };
            match step {
                Step::Wait => {
                    if !self.settle(engine) {
                        return Progress::Waiting;
                    }
                }
                Step::Reduce { operator: Operator::User(..), .. } => return Progress::Callback,
                Step::Park => return Progress::Waiting,
                step => {
                    if let Err(error) = perform(engine, (self.comm, self.context, self.tag), step, &mut self.pending) {
                        self.failed.get_or_insert(error);
                    }
                }
            }
            self.next += 1;
        }
    }

    /// Collects what is complete; true when nothing is under way.
    fn settle(&mut self, engine: &mut Engine) -> bool {
        let failed = &mut self.failed;
        self.pending.retain_mut(|request| {
            if !engine.is_complete(*request).unwrap_or(true) {
                return true;
            }
            if let Ok(completion) = engine.collect(request)
                && let Some(error) = completion.error
            {
                failed.get_or_insert(error);
            }
            false
        });
        self.pending.is_empty()
    }

    /// The user's function that the schedule stands before.
    pub fn callback(&self) -> Option<(Callback, handle::Datatype, Buffer, Buffer)> {
        match self.steps.get(self.next) {
            Some(Step::Reduce { operator: Operator::User(function, datatype), input, inout }) => {
                Some((*function, *datatype, input.clone(), inout.clone()))
            }
            _ => None,
        }
    }

    /// A schedule that stands still until another takes its place.
    pub fn parked() -> Schedule {
        let mut schedule = Schedule::new(handle::Comm(0), Context(0), 0);
        schedule.push(Step::Park);
        schedule
    }

    /// The user's function has run.
    pub fn callback_done(&mut self) {
        self.next += 1;
    }
}

/// One step that needs no user function.
fn perform(engine: &mut Engine, (comm, context, tag): (handle::Comm, Context, i32), step: &Step, pending: &mut Vec<handle::Request>) -> Outcome {
    match step {
        Step::Send { to, buffer } => {
            let object = engine.comm(comm)?;
            let header = Header { kind: kind::EAGER, context: context.0, tag, rank: object.rank, ..Header::default() };
            let envelope = Envelope { comm, to: object.destinations()[*to as usize], header };
            pending.extend(engine.start_send(buffer, envelope, Mode::Standard)?);
        }
        Step::Receive { from, buffer } => {
            let process = engine.comm(comm)?.destinations()[*from as usize];
            let wanted = Wanted { comm, pattern: Pattern { context, rank: *from, tag }, from: Some(process) };
            match engine.start_receive(buffer, wanted)? {
                Ok(request) => pending.push(request),
                Err(completion) => completion.error.map_or(Ok(()), Err)?,
            }
        }
        Step::Copy { from, to } => {
            nemesis_datatype::copy(from, to);
        }
        Step::Reduce { operator: Operator::Predefined(op), input, inout } => {
            inout.reduce_from(*op, input).map_err(|error| Error::new(crate::abi::MPI_ERR_OP, error.why.to_string()))?;
        }
        Step::Reduce { .. } | Step::Wait | Step::Park => unreachable!("the schedule itself deals with these"),
    }
    Ok(())
}

/// A request for a schedule that has begun.
pub fn request(schedule: Box<Schedule>) -> Request {
    Request::new(schedule.comm, crate::request::Activity::Collective(schedule))
}
