//! The interface between the engine and the layers above it: collective operations, one-sided
//! communication, files, and tools.
//!
//! The engine makes progress for the upper layers but does not name them. The uppermost one
//! registers one table of functions, [`Hooks`], before the engine starts. Each has its state in a
//! static that the engine's lock guards ([`UpperState`]); the token of that state is a field of
//! `Core`, because the endpoint hands packets to `Core` alone while it polls.
//!
//! ```text
//!   poll      packet of an upper kind ──> PacketHooks::packet
//!             end of an operation     ──> PacketHooks::completed
//!             by the network
//!             process lost            ──> PacketHooks::lost
//!   perform   Upper::busy             ──> Hooks::perform    after the tasks and the streams
//!             Upper::collectives      ──> CollectiveHooks::advance
//!   wait      Upper::collectives      ──> the others of CollectiveHooks
//! ```

use super::lock::token_address;
use super::{Engine, Mpi};
use crate::comm::Comm;
use crate::envelope::Wanted;
use crate::error::Outcome;
use crate::handle::{self, Handle};
use crate::protocol::PacketHooks;
use crate::request::Repeatable;
pub use nemesis_sync::guarded::State;
use nemesis_sync::guarded::{Guarded, Owner, Token};
use std::time::Duration;

/// State of an upper layer that the engine's lock guards. `Core::token` gives access to it.
pub type UpperState<T> = Guarded<T, EngineToken>;

/// The engine's lock as the owner of the upper layer's state.
pub struct EngineToken;

impl Owner for EngineToken {
    const TOKEN: *const Token = token_address();
}

/// The functions of the upper layer that the engine calls.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// The functions that are called while the endpoint polls.
    pub packets: PacketHooks,
    /// Continues the work that [`Upper::busy`](crate::protocol::Upper::busy) announces.
    pub perform: fn(&mut Engine),
    /// Delivers the recorded events to tools, with the engine unlocked. Called after a poll, while
    /// events wait for their delivery.
    pub deliver_events: fn(&mut Mpi),
    /// Makes the synchronisation of the window with this communicator take the general path, which
    /// looks for processes that have died.
    pub close: fn(&mut Engine, handle::Comm),
    pub collectives: CollectiveHooks,
}

/// The functions of the collective operations that the engine calls. All but `start`,
/// `check_unexpected` and `part` are called only while operations are in progress
/// ([`Upper::collectives`](crate::protocol::Upper::collectives)).
#[derive(Clone, Copy)]
pub struct CollectiveHooks {
    /// Advances every operation in progress as far as it can go without waiting.
    pub advance: fn(&mut Engine),
    /// Starts a persistent operation and returns its request.
    pub start: fn(&mut Mpi, Box<dyn Repeatable>) -> Outcome<handle::Request>,
    /// Runs a user's reduction function that an operation waits for, with the engine unlocked.
    /// Returns whether one ran.
    pub run_callback: fn(&mut Mpi) -> bool,
    /// Returns whether an operation can proceed without a packet. Called before sleeping.
    pub have_news: fn(&Engine) -> bool,
    /// Returns whether an operation waits for a word that another process changes without ringing
    /// the doorbell.
    pub wait_for_slot: fn(&Engine) -> bool,
    /// Returns an error if an unexpected message shows that another process is in another
    /// collective operation than the one that waits for a message, and answers reports of other
    /// processes. Called after a poll, while messages are unexpected, or the call has slept for
    /// some time.
    pub check_unexpected: fn(&mut Mpi, &Wanted, Option<Duration>) -> Outcome,
    /// Called before a wait sleeps, with the time since its first sleep.
    pub sleeps: fn(&mut Engine, Duration),
    /// Releases the state that the collectives keep for a communicator that is being freed.
    pub part: fn(&mut Engine, &mut Comm),
    /// Makes the operations on a communicator take the general path, which fails them: it is
    /// revoked, or a process of it has died.
    pub close: fn(&mut Engine, handle::Comm),
}

impl CollectiveHooks {
    /// The hooks while no upper layer is registered: there are no collective operations.
    pub const NONE: CollectiveHooks = CollectiveHooks {
        advance: |_| {},
        start: |_, _| Ok(handle::Request::NULL),
        run_callback: |_| false,
        have_news: |_| false,
        wait_for_slot: |_| false,
        check_unexpected: |_, _, _| Ok(()),
        sleeps: |_, _| {},
        part: |_, _| {},
        close: |_, _| {},
    };
}

impl Hooks {
    /// The hooks while no upper layer is registered: no packet of an upper kind is valid, and there
    /// is no work.
    pub const NONE: Hooks = Hooks {
        packets: PacketHooks::NONE,
        perform: |_| {},
        deliver_events: |_| {},
        close: |_, _| {},
        collectives: CollectiveHooks::NONE,
    };
}
