//! Requests: operations that have started and are not completed (MPI 5.0 §3.7).
//!
//! ```text
//!   send:     Deferred ──> (sent) done            no space at the peer yet
//!             Announced ──> Streaming ──> done    rendezvous, the receiver asks for the bytes
//!                  └──────────────────> done      rendezvous, the receiver has read them itself
//!             Streaming ──> Announced             rendezvous, the receiver reads the first bytes
//!   receive:  Posted ──> done                     an eager message
//!                ├────> Filling ──> done          rendezvous
//!                └────> Arriving ──> done         an eager bulk payload
//! ```
//!
//! A receive of a contiguous predefined type starts as an inline receive, without a request. It
//! becomes a request on an uncommon event: see `inline_receive`.
//!
//! A request belongs to the program until its handle is freed (`MPI_Request_free`), or to another
//! object: see [`Holder`]. A persistent request is a template and, while active, the request of the
//! operation that it started.

mod choices;
mod compound;
mod copies;
mod generalized;
pub mod partitioned;
mod transfer;

pub use crate::attached_buffers::Charge;
pub use choices::Choices;
pub use compound::{Compound, Role};
pub use copies::Copies;
pub use generalized::{Functions, Generalized, Polled};
pub use transfer::{CooperativeCopy, HandoffWait, Prefix};

use crate::abi;
use crate::envelope::{Envelope, Mode, Wanted};
use crate::error::Error;
use crate::handle;
use crate::matching::{Pattern, Received, Slot};
use nemesis_datatype::Buffer;
use partitioned::{Receiving, Sending};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Result of a completed operation: a status, before it is converted to that of an ABI.
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

    /// The status of a receive from `MPI_PROC_NULL` (MPI 5.0 §3.10).
    pub const PROC_NULL: Completion = Completion {
        source: abi::MPI_PROC_NULL,
        tag: abi::MPI_ANY_TAG,
        bytes: 0,
        cancelled: false,
        error: None,
    };

    /// Returns the completion with its error assigned to a communicator, unless the error belongs
    /// to another one already.
    #[inline(always)]
    pub fn raised_on(mut self, comm: handle::Comm) -> Completion {
        if let Some(error) = &mut self.error {
            error.raise_on.get_or_insert(comm);
        }
        self
    }

    /// Returns the completion of an inline receive.
    #[inline(always)]
    pub fn received(received: &Received) -> Completion {
        Completion::message(&received.pattern, received.bytes.into())
    }

    /// Returns the completion of a receive of a message with `bytes` bytes.
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

/// State of an operation.
#[derive(Debug)]
pub enum Activity {
    Done,
    /// An eager send that waits for space in its peer's outgoing queue.
    Deferred,
    /// A rendezvous send whose announcement has been sent or is unexpected at the receiver. The tag
    /// is for the state report; a send whose receiver reads the rest itself has lost it.
    Announced {
        buffer: Buffer,
        to: u32,
        tag: Option<i32>,
    },
    /// A rendezvous send that the receiver has asked for, or an eager bulk payload: `sent` of
    /// `wanted` bytes have been sent, or are being sent in `bulk_pending` bulk payloads.
    Streaming {
        buffer: Buffer,
        to: u32,
        receiver: u64,
        sent: usize,
        wanted: usize,
        /// The receiver accepts bulk payloads, and the buffer is contiguous.
        in_bulk: bool,
        bulk_pending: u32,
        prefix: Prefix,
        handoff_wait: HandoffWait,
    },
    Posted {
        buffer: Buffer,
        slot: Slot,
    },
    /// A rendezvous receive: `received` of `wanted` bytes have arrived.
    Filling {
        buffer: Buffer,
        received: usize,
        wanted: usize,
        cooperative: Option<CooperativeCopy>,
        /// Bulk payloads that a network is storing into the buffer.
        arriving: u32,
    },
    /// A receive of a message whose bulk payload is arriving behind its header.
    Arriving {
        buffer: Buffer,
    },
    /// A window access that the target carries out.
    Access,
    /// A collective operation, which the layer of collectives advances.
    Collective,
    /// A read or write of a file, in words: `writing "x.dat"`.
    File(Box<str>),
    /// `MPI_Buffer_iflush`: waits until buffered messages are sent.
    Flushing,
    /// A generalized request of the program.
    Generalized(Box<Generalized>),
    /// An operation that consists of others.
    Compound(Box<Compound>),
}

impl Activity {
    /// Returns whether another process may read or write the memory of the operation by itself, or
    /// a network does. The program must not get the memory back before that has ended.
    pub fn lets_others_use_memory(&self) -> bool {
        match self {
            Activity::Announced { .. } => true,
            Activity::Streaming { bulk_pending, prefix, .. } => {
                *bulk_pending > 0 || *prefix != Prefix::None
            }
            Activity::Filling { cooperative, arriving, .. } => {
                cooperative.is_some() || *arriving > 0
            }
            _ => false,
        }
    }

    /// Returns the buffer of a posted receive, which is posted no longer.
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

/// Owner of a request, which is notified of its completion.
#[derive(Debug)]
pub enum Holder {
    /// The program, or another holder of the handle that tests the request.
    Handle,
    /// None: the handle has been freed, and the request is removed when it is done.
    Nobody,
    /// The compound operation of which it is a part.
    Whole(handle::Request),
    /// The attached buffer that contains its message.
    Buffer(Box<Charge>),
}

/// A persistent operation of an upper layer, which knows its type and starts it.
pub trait Repeatable: Any + Debug + Send {
    /// Returns a copy to be started.
    fn duplicate(&self) -> Box<dyn Repeatable>;
}

impl Clone for Box<dyn Repeatable> {
    fn clone(&self) -> Self {
        (**self).duplicate()
    }
}

/// Operation that a persistent request starts each time.
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
        wanted: Wanted,
    },
    /// An operation to or from `MPI_PROC_NULL`, with its constant completion.
    Nothing(Completion),
    Collective(Box<dyn Repeatable>),
    PartitionedSend(Sending),
    PartitionedReceive(Receiving),
}

/// The persistent part of a request: its template, and whether it is active.
#[derive(Debug)]
pub struct Persistent {
    pub template: Template,
    /// The request of the started operation; `None` in an active request means that the operation
    /// completed at once.
    pub operation: Option<handle::Request>,
    pub active: bool,
    pub ready: Completion,
    /// The copies that take the place of the program's buffers.
    pub copies: Option<Arc<dyn Copies>>,
}

/// An operation that has started and is not completed.
#[derive(Debug)]
pub struct Request {
    /// The communicator whose error handler is called.
    pub comm: handle::Comm,
    pub activity: Activity,
    pub completion: Completion,
    pub holder: Holder,
    pub persistent: Option<Box<Persistent>>,
    /// The process whose packets are polled first during a wait.
    pub expected: Option<u32>,
    /// Whether a process has died that could be the source, and the program has not acknowledged
    /// it. A wait returns then, and the receive stays posted.
    pub interrupted: bool,
}

impl Request {
    /// Makes a request that belongs to the program.
    #[inline(always)]
    pub fn new(comm: handle::Comm, activity: Activity) -> Request {
        Request {
            comm,
            activity,
            completion: Completion::EMPTY,
            holder: Holder::Handle,
            persistent: None,
            expected: None,
            interrupted: false,
        }
    }

    /// Makes an inactive persistent request.
    pub fn persistent(comm: handle::Comm, template: Template) -> Request {
        let persistent = Persistent {
            template,
            operation: None,
            active: false,
            ready: Completion::EMPTY,
            copies: None,
        };
        Request { persistent: Some(Box::new(persistent)), ..Request::new(comm, Activity::Done) }
    }

    /// Returns whether the operation is complete.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        match &self.activity {
            Activity::Done => true,
            Activity::Generalized(generalized) => generalized.complete,
            _ => false,
        }
    }

    /// Returns whether the request is active: neither inactive nor null.
    pub fn is_active(&self) -> bool {
        self.persistent.as_ref().is_none_or(|persistent| persistent.active)
    }
}
