//! Performance variables (MPI 5.0 §15.3.7): what they are and where their values come from.
//!
//! Most are read from the library's state when a tool asks, so a tool that does not ask costs
//! nothing.

use super::choices::{Choices, STAGE};
use super::{bad_name, index};
use crate::abi;
use crate::context::Class as Traffic;
use crate::engine::{Engine, Stage};
use crate::error::Outcome;
use crate::handle;
use crate::lanes;
use nemesis::Traffic as PairRing;

/// The class of a variable (MPI 5.0 §15.3.7), which decides what its handles show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// One of the items of an enumeration.
    State(Choices),
    /// The present amount of something.
    Level,
    /// The greatest level since a handle was started.
    Peak,
    /// A size that does not change.
    Size,
    /// The number of events while a handle was running.
    Counter,
    /// The amount of something that was added while a handle was running.
    Aggregate,
}

impl Class {
    /// Returns the MPI constant of the class.
    pub fn constant(self) -> i32 {
        match self {
            Class::State(_) => abi::MPI_T_PVAR_CLASS_STATE,
            Class::Level => abi::MPI_T_PVAR_CLASS_LEVEL,
            Class::Peak => abi::MPI_T_PVAR_CLASS_HIGHWATERMARK,
            Class::Size => abi::MPI_T_PVAR_CLASS_SIZE,
            Class::Counter => abi::MPI_T_PVAR_CLASS_COUNTER,
            Class::Aggregate => abi::MPI_T_PVAR_CLASS_AGGREGATE,
        }
    }

    /// Returns whether handles accumulate, and are started, stopped, reset and written. Handles of
    /// the other classes always run, and show the present value.
    pub fn accumulates(self) -> bool {
        matches!(self, Class::Peak | Class::Counter | Class::Aggregate)
    }

    /// Returns the enumeration of a state; `None` for other classes.
    pub fn choices(self) -> Option<Choices> {
        match self {
            Class::State(choices) => Some(choices),
            _ => None,
        }
    }
}

/// The function that reads a variable's value.
#[derive(Clone, Copy)]
pub enum Source {
    /// Reads the value of the process, in the first lane.
    Process(fn(&mut Engine) -> u64),
    /// Reads the part of a lane. The value is the sum over the lanes.
    Lane(fn(&mut Engine) -> u64),
    /// Reads a value of a communicator, to which the variable is bound.
    Comm(fn(&Engine, handle::Comm) -> Outcome<u64>),
}

/// A performance variable.
#[derive(Clone, Copy)]
pub struct Variable {
    pub name: &'static str,
    pub class: Class,
    pub verbosity: i32,
    pub what: &'static str,
    pub source: Source,
}

impl Variable {
    /// Returns whether the variable is bound to a communicator.
    pub fn is_bound(&self) -> bool {
        matches!(self.source, Source::Comm(_))
    }
}

/// A queue whose greatest length a variable shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    Unexpected,
    Posted,
}

/// Returns the sum of what `of` tells of each lane.
pub fn sum_over_lanes(engine: &mut Engine, of: impl Fn(&mut Engine) -> u64) -> u64 {
    let mut all = of(engine);
    lanes::each_other(|other| all += of(other));
    all
}

fn passed(engine: &mut Engine) -> PairRing {
    engine.pt2pt.endpoint.as_mut().map(|endpoint| endpoint.traffic()).unwrap_or_default()
}

fn stage(engine: &mut Engine) -> u64 {
    match engine.life.stage {
        Stage::Before => 0,
        Stage::Running => 1,
        Stage::Finalized => 2,
    }
}

fn communicators(engine: &mut Engine) -> u64 {
    (engine.comms.count()) as u64
}

fn comm_unexpected(engine: &Engine, comm: handle::Comm) -> Outcome<u64> {
    let context = engine.comm(comm)?.context.class(Traffic::PointToPoint);
    let count = |engine: &Engine| engine.pt2pt.core.unexpected.count_in(context) as u64;
    let mut all = count(engine);
    lanes::each_other(|other| all += count(other));
    Ok(all)
}

const DETAIL: i32 = abi::MPI_T_VERBOSITY_USER_DETAIL;
const BASIC: i32 = abi::MPI_T_VERBOSITY_USER_BASIC;
const TUNER: i32 = abi::MPI_T_VERBOSITY_TUNER_DETAIL;
const DEVELOPER: i32 = abi::MPI_T_VERBOSITY_MPIDEV_BASIC;

const fn global(
    name: &'static str,
    class: Class,
    verbosity: i32,
    what: &'static str,
    read: fn(&mut Engine) -> u64,
) -> Variable {
    Variable { name, class, verbosity, what, source: Source::Process(read) }
}

const fn by_lane(
    name: &'static str,
    class: Class,
    verbosity: i32,
    what: &'static str,
    read: fn(&mut Engine) -> u64,
) -> Variable {
    Variable { name, class, verbosity, what, source: Source::Lane(read) }
}

const fn of_comm(
    name: &'static str,
    class: Class,
    what: &'static str,
    read: fn(&Engine, handle::Comm) -> Outcome<u64>,
) -> Variable {
    Variable { name, class, verbosity: DETAIL, what, source: Source::Comm(read) }
}

/// All performance variables. An index never changes its meaning.
pub const VARIABLES: [Variable; 35] = [
    global(
        "nemesis_stage",
        Class::State(STAGE),
        BASIC,
        "the stage that MPI has reached in this process, by the world model or by sessions",
        stage,
    ),
    global(
        "nemesis_processes",
        Class::Size,
        BASIC,
        "processes with which this process can communicate, itself included",
        |engine| {
            engine.pt2pt.endpoint.as_ref().map_or(0, |endpoint| u64::from(endpoint.processes()))
        },
    ),
    by_lane(
        "nemesis_packets_sent",
        Class::Counter,
        DETAIL,
        "packets sent, by any path",
        |engine| passed(engine).packets_sent,
    ),
    by_lane(
        "nemesis_packets_received",
        Class::Counter,
        DETAIL,
        "packets received, by any path",
        |engine| passed(engine).packets_received,
    ),
    by_lane(
        "nemesis_queue_packets_sent",
        Class::Counter,
        TUNER,
        "packets sent through the receivers' queues",
        |engine| passed(engine).queue_packets_sent,
    ),
    by_lane(
        "nemesis_queue_packets_received",
        Class::Counter,
        TUNER,
        "packets received through this process's queue",
        |engine| passed(engine).queue_packets_received,
    ),
    by_lane(
        "nemesis_network_packets_sent",
        Class::Counter,
        TUNER,
        "packets sent to other nodes",
        |engine| passed(engine).network_packets_sent,
    ),
    by_lane(
        "nemesis_network_packets_received",
        Class::Counter,
        TUNER,
        "packets received from other nodes",
        |engine| passed(engine).network_packets_received,
    ),
    by_lane(
        "nemesis_fastbox_packets_sent",
        Class::Counter,
        TUNER,
        "packets sent through fastboxes",
        |engine| {
            let passed = passed(engine);
            passed
                .packets_sent
                .saturating_sub(passed.queue_packets_sent + passed.network_packets_sent)
        },
    ),
    by_lane(
        "nemesis_fastbox_packets_received",
        Class::Counter,
        TUNER,
        "packets received through fastboxes",
        |engine| {
            let passed = passed(engine);
            passed
                .packets_received
                .saturating_sub(passed.queue_packets_received + passed.network_packets_received)
        },
    ),
    by_lane(
        "nemesis_fastbox_bytes_sent",
        Class::Aggregate,
        TUNER,
        "bytes of fastbox lines used by packets to others, headers included",
        |engine| passed(engine).fastbox_bytes_sent,
    ),
    by_lane(
        "nemesis_fastbox_bytes_received",
        Class::Aggregate,
        TUNER,
        "bytes of fastbox lines read, headers included",
        |engine| passed(engine).fastbox_bytes_received,
    ),
    by_lane(
        "nemesis_memory_bytes_read",
        Class::Aggregate,
        TUNER,
        "bytes of large messages read from the memory of their senders",
        |engine| passed(engine).memory_bytes_read,
    ),
    by_lane(
        "nemesis_memory_bytes_written",
        Class::Aggregate,
        TUNER,
        "bytes of large messages written to the memory of their receivers, which copied the rest",
        |engine| passed(engine).memory_bytes_written,
    ),
    by_lane(
        "nemesis_fastboxes",
        Class::Level,
        TUNER,
        "fastboxes that this process sends through or polls",
        |engine| {
            let passed = passed(engine);
            passed.fastboxes_sending + passed.fastboxes_receiving
        },
    ),
    by_lane(
        "nemesis_packets_waiting",
        Class::Level,
        TUNER,
        "packets to other processes that wait for space",
        |engine| engine.pt2pt.outgoing_packets as u64,
    ),
    by_lane(
        "nemesis_unexpected_length",
        Class::Level,
        BASIC,
        "messages that have arrived and match no posted receive yet",
        |engine| engine.pt2pt.core.unexpected.levels().now as u64,
    ),
    by_lane(
        "nemesis_unexpected_length_max",
        Class::Peak,
        BASIC,
        "the greatest number of messages at one time that matched no posted receive, summed over \
         lanes",
        |engine| engine.pt2pt.core.unexpected.levels().peak as u64,
    ),
    by_lane(
        "nemesis_unexpected_messages",
        Class::Counter,
        BASIC,
        "messages that arrived before their receive was posted",
        |engine| engine.pt2pt.core.unexpected.levels().total,
    ),
    by_lane(
        "nemesis_unexpected_bytes",
        Class::Level,
        DETAIL,
        "bytes of memory that unexpected messages take, management included",
        |engine| engine.pt2pt.core.bytes_kept() as u64,
    ),
    by_lane(
        "nemesis_posted_length",
        Class::Level,
        BASIC,
        "posted receives that wait for their message",
        |engine| engine.pt2pt.core.posted.levels().now as u64,
    ),
    by_lane(
        "nemesis_posted_length_max",
        Class::Peak,
        BASIC,
        "the greatest number of posted receives at one time, summed over lanes",
        |engine| engine.pt2pt.core.posted.levels().peak as u64,
    ),
    by_lane(
        "nemesis_posted_receives",
        Class::Counter,
        DETAIL,
        "receives that were posted before their message arrived",
        |engine| engine.pt2pt.core.posted.levels().total,
    ),
    by_lane(
        "nemesis_rendezvous_announced",
        Class::Counter,
        BASIC,
        "messages announced to their receivers (rendezvous)",
        |engine| engine.pt2pt.core.counted.announced,
    ),
    by_lane(
        "nemesis_rendezvous_read",
        Class::Counter,
        DETAIL,
        "announced messages that were read from the memory of their senders",
        |engine| engine.pt2pt.core.counted.read,
    ),
    by_lane(
        "nemesis_rendezvous_streamed",
        Class::Counter,
        DETAIL,
        "announced messages that were transferred in packets",
        |engine| engine.pt2pt.core.counted.streamed,
    ),
    by_lane(
        "nemesis_throttles",
        Class::Counter,
        TUNER,
        "times that this process asked another one to announce its small messages (flow control)",
        |engine| engine.pt2pt.core.counted.throttled,
    ),
    by_lane("nemesis_requests", Class::Level, DETAIL, "requests that exist", |engine| {
        // Each further lane has a request of its own that is always complete.
        let inner = usize::from(engine.lane != 0);
        let core = &engine.pt2pt.core;
        (core.requests.len() + core.posted.inline_receive() - inner) as u64
    }),
    by_lane(
        "nemesis_requests_finished",
        Class::Counter,
        DETAIL,
        "operations with a request that have completed",
        |engine| engine.pt2pt.core.finished,
    ),
    global(
        "nemesis_communicators",
        Class::Level,
        DETAIL,
        "communicators of this process, the predefined ones included",
        communicators,
    ),
    global(
        "nemesis_schedules",
        Class::Level,
        DEVELOPER,
        "non-blocking collective operations in progress",
        |engine| engine.pt2pt.core.upper.collectives as u64,
    ),
    of_comm(
        "nemesis_comm_unexpected_length",
        Class::Level,
        "messages on the communicator that match no posted receive yet",
        comm_unexpected,
    ),
    of_comm(
        "nemesis_comm_collectives",
        Class::Counter,
        "collective operations started on the communicator",
        |engine, comm| Ok(u64::from(engine.comm(comm)?.collectives.count())),
    ),
    of_comm(
        "nemesis_comm_persistent_collectives",
        Class::Counter,
        "persistent collective operations created on the communicator",
        |engine, comm| Ok(u64::from(engine.comm(comm)?.persistent_collectives)),
    ),
    global(
        "nemesis_accesses_refused",
        Class::Counter,
        BASIC,
        "accesses of other processes to windows of this process that were refused",
        |engine| crate::rma::refused_accesses(engine),
    ),
];

impl Variable {
    /// Returns the queue whose greatest length the variable shows, if it shows one.
    pub fn queue(&self) -> Option<Queue> {
        match self.name {
            "nemesis_unexpected_length_max" => Some(Queue::Unexpected),
            "nemesis_posted_length_max" => Some(Queue::Posted),
            _ => None,
        }
    }
}

/// Returns the variable with an index.
pub fn variable(number: i32) -> Outcome<&'static Variable> {
    static TABLE: [Variable; VARIABLES.len()] = VARIABLES;
    Ok(&TABLE[index(number, TABLE.len())?])
}

/// Returns the index of the variable with a name and class.
pub fn index_of(name: &str, class: i32) -> Outcome<i32> {
    let is_it = |variable: &Variable| variable.name == name && variable.class.constant() == class;
    VARIABLES.iter().position(is_it).map(|index| index as i32).ok_or_else(|| bad_name(name))
}
