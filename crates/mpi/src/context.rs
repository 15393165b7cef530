//! Contexts: what keeps the messages of one communicator apart from all others (MPI 5.0 §7.1).
//!
//! ```text
//!   63 … 34            33 … 2               1 0
//!   creating process   its own counter      class
//! ```
//!
//! The process that leads the creation of a communicator draws the number from its own counter and tells the members in the exchange that
//! creation needs anyway. Nobody agrees on anything, and nothing runs out: 2^32 communicators led by one process, 2^30 processes.

/// A context, with the class of traffic that it carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context(pub u64);

/// Traffic that must not meet on one communicator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Class {
    PointToPoint = 0,
    /// Collectives in the order of their calls; the tag numbers them.
    Collective = 1,
    /// Persistent collectives, which may be started in any order; the tag numbers their creation.
    Persistent = 2,
    /// The library's own exchanges that are not collective over the communicator (`MPI_Comm_create_group`).
    Internal = 3,
}

const CLASS_BITS: u32 = 2;

impl Context {
    /// Number `counter` of those drawn by `process`.
    pub fn new(process: u32, counter: u32) -> Context {
        Context((u64::from(process) << 32 | u64::from(counter)) << CLASS_BITS)
    }

    /// The same communicator's context for another class of traffic.
    #[inline(always)]
    pub fn class(self, class: Class) -> Context {
        Context(self.0 & !((1 << CLASS_BITS) - 1) | class as u64)
    }

    /// `MPI_COMM_WORLD`'s, which nobody draws.
    pub fn world(class: Class) -> Context {
        Context::new(0, 0).class(class)
    }

    /// `MPI_COMM_SELF`'s.
    pub fn own(process: u32) -> Context {
        Context::new(process, 1)
    }

    /// Whether receives in this context may leave source or tag open.
    #[inline(always)]
    pub fn knows_wildcards(self) -> bool {
        self.0 & ((1 << CLASS_BITS) - 1) == Class::PointToPoint as u64
    }
}

/// The first number that a process draws: those before it belong to the predefined communicators.
pub const FIRST_DRAWN: u32 = 2;
