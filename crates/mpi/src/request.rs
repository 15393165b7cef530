//! Requests: operations that have begun and not been completed (MPI 5.0 §3.7).
//!
//! ```text
//!   send:     Deferred ──> (sent) done            no room at the peer yet
//!             Announced ──> Streaming ──> done    rendezvous, the receiver asks for the bytes
//!                  └──────────────────> done      rendezvous, the receiver has read them itself
//!             Streaming ──> Announced             rendezvous, the receiver reads the first of them itself
//!   receive:  Posted ──> done                     an eager message
//!                ├────> Filling ──> done          rendezvous
//!                └────> Arriving ──> done         an eager body
//! ```
//!
//! A receive of a dense predefined type is more than a place among the posted receives only from when something unusual happens to it: see `inline_receive`.
//!
//! A request is the program's, until its handle is given back (`MPI_Request_free`), or another object's: see [`Holder`]. Persistent requests are a
//! template and, while active, the request of the operation they started.

use crate::abi;
use crate::buffered::Charge;
use crate::coll::Schedule;
use crate::compound::Compound;
use crate::error::Error;
use crate::generalized::Generalized;
use crate::handle;
use crate::matching::{Pattern, Received, Slot};
use crate::partitioned::{Receiving, Sending};
use crate::send::{Envelope, HandoffWait, Mode};
use nemesis_datatype::Buffer;

/// What is known of a completed operation: a status, before it takes an ABI's form.
#[derive(Debug, Clone)]
pub struct Completion {
    pub source: i32,
    pub tag: i32,
    pub bytes: u64,
    pub cancelled: bool,
    pub error: Option<Box<Error>>,
}

impl Completion {
    /// The empty status (MPI 5.0 §3.7.3): of null and inactive requests, and of sends.
    pub const EMPTY: Completion = Completion {
        source: abi::MPI_ANY_SOURCE,
        tag: abi::MPI_ANY_TAG,
        bytes: 0,
        cancelled: false,
        error: None,
    };

    /// A receive from `MPI_PROC_NULL` (MPI 5.0 §3.10).
    pub const PROC_NULL: Completion = Completion {
        source: abi::MPI_PROC_NULL,
        tag: abi::MPI_ANY_TAG,
        bytes: 0,
        cancelled: false,
        error: None,
    };

    /// The same; its error, if it has one that belongs to no other, is the communicator's.
    #[inline(always)]
    pub fn raised_on(mut self, comm: handle::Comm) -> Completion {
        if let Some(error) = &mut self.error {
            error.raise_on.get_or_insert(comm);
        }
        self
    }

    /// Of a plain receive.
    #[inline(always)]
    pub fn received(received: &Received) -> Completion {
        Completion::message(&received.pattern, received.bytes.into())
    }

    #[inline]
    pub fn message(pattern: &Pattern, bytes: u64) -> Completion {
        Completion {
            source: pattern.rank as i32,
            tag: pattern.tag,
            bytes,
            cancelled: false,
            error: None,
        }
    }
}

/// What becomes of the bytes before those that a stream began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Front {
    /// There are none.
    None,
    /// The receiver reads them itself, and says when it has.
    Read,
    /// It could not: so many follow.
    Asked(usize),
}

/// How far an operation is.
#[derive(Debug)]
pub enum Activity {
    Done,
    /// An eager send that waits for room; it stands in its peer's outgoing queue.
    Deferred,
    /// A rendezvous send whose announcement is on its way or waits unexpected.
    Announced {
        buffer: Buffer,
        to: u32,
    },
    /// A rendezvous send that the receiver has asked for, or an eager body: `sent` of `wanted` bytes are out, or on their way in so many bodies.
    Streaming {
        buffer: Buffer,
        to: u32,
        receiver: u64,
        sent: usize,
        wanted: usize,
        /// The receiver takes the bytes as bodies, and they lie in one run.
        as_bodies: bool,
        bodies: u32,
        front: Front,
        handoff_wait: HandoffWait,
    },
    Posted {
        buffer: Buffer,
        slot: Slot,
    },
    /// A rendezvous receive: `received` of `wanted` bytes are here.
    Filling {
        buffer: Buffer,
        received: usize,
        wanted: usize,
        cooperative: Option<crate::rendezvous::CooperativeCopy>,
    },
    /// A receive of a message whose bytes are coming behind its header.
    Arriving {
        buffer: Buffer,
    },
    /// An access to a window that the target carries out.
    Access,
    /// A collective operation.
    Collective(Box<Schedule>),
    /// `MPI_Buffer_iflush`: waits for buffered messages to leave.
    Flushing,
    /// An operation of the program's own.
    Generalized(Box<Generalized>),
    /// An operation that consists of others.
    Compound(Box<Compound>),
}

impl Activity {
    /// Where a posted receive's message goes, as a buffer; the receive is no longer posted.
    pub fn take_posted(&mut self) -> Option<Buffer> {
        match std::mem::replace(self, Activity::Done) {
            Activity::Posted { buffer, .. } => Some(buffer),
            other => {
                *self = other;
                None
            }
        }
    }
}

/// Who learns that an operation is done.
#[derive(Debug)]
pub enum Holder {
    /// The program, or whoever else keeps the handle and asks.
    Handle,
    /// Nobody: the handle has been given back, and the request disappears when it is done.
    Nobody,
    /// The compound operation that it is a part of.
    Whole(handle::Request),
    /// The buffer of buffered mode that its message lies in.
    Buffer(Box<Charge>),
}

/// What a persistent request starts each time.
#[derive(Debug, Clone)]
pub enum Template {
    Send {
        buffer: Buffer,
        envelope: Envelope,
        mode: Mode,
        buffered_on: Option<handle::Comm>,
    },
    Receive {
        buffer: Buffer,
        wanted: crate::receive::Wanted,
    },
    /// To or from `MPI_PROC_NULL`; the completion it always has.
    Nothing(Completion),
    Collective(Box<Schedule>),
    PartitionedSend(Sending),
    PartitionedReceive(Receiving),
}

#[derive(Debug)]
pub struct Persistent {
    pub template: Template,
    /// The request of the started operation; `None` within an active request means it completed at once.
    pub operation: Option<handle::Request>,
    pub active: bool,
    pub ready: Completion,
}

#[derive(Debug)]
pub struct Request {
    /// The communicator whose error handler hears of its errors.
    pub comm: handle::Comm,
    pub activity: Activity,
    pub completion: Completion,
    pub holder: Holder,
    pub persistent: Option<Box<Persistent>>,
    /// Which process to look at first while waiting.
    pub expected: Option<u32>,
}

impl Request {
    #[inline(always)]
    pub fn new(comm: handle::Comm, activity: Activity) -> Request {
        Request {
            comm,
            activity,
            completion: Completion::EMPTY,
            holder: Holder::Handle,
            persistent: None,
            expected: None,
        }
    }

    #[inline(always)]
    pub fn is_done(&self) -> bool {
        match &self.activity {
            Activity::Done => true,
            Activity::Generalized(generalized) => generalized.complete,
            _ => false,
        }
    }

    /// Whether a wait for it would be for something: neither inactive nor null.
    pub fn is_active(&self) -> bool {
        self.persistent.as_ref().is_none_or(|persistent| persistent.active)
    }
}
