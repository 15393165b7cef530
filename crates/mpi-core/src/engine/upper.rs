//! The interface between the engine and the layers above it: collective operations, one-sided
//! communication, files, and tools.
//!
//! The engine makes progress for the upper layers but does not name them. The uppermost one
//! registers one table of functions, [`Hooks`], before the engine starts. Each has its state in a
//! static that the engine's lock guards ([`UpperState`]); the token of that state is a field of
//! `Core`, because the endpoint hands packets to `Core` alone while it polls.
//!
//! ```text
//!   poll      packet of an upper kind ──> Hooks::packet     may add Task::Upper for later
//!             process lost            ──> Hooks::lost
//!   perform   Task::Upper             ──> Hooks::task       one call for each added task
//!             Upper::busy             ──> Hooks::perform    after the tasks and the streams
//!             Upper::collectives      ──> CollectiveHooks::advance
//!   wait      Upper::collectives      ──> the others of CollectiveHooks
//! ```

use super::{Engine, Mpi, token_address};
use crate::comm::Comm;
use crate::protocol::Core;
use nemesis::wire::Header;
use nemesis_sync::guarded::{Guarded, Owner, Token};

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
    /// Takes a packet whose kind is [`FIRST_UPPER`](crate::protocol::kind::FIRST_UPPER) or higher,
    /// from the given process. Cannot send. Returns `None` if the packet is malformed.
    pub packet: fn(&mut Core, u32, &Header, &[u8]) -> Option<()>,
    /// Performs the first of the tasks for which `Task::Upper` was added.
    pub task: fn(&mut Engine),
    /// Continues the work that [`Upper::busy`] announces.
    pub perform: fn(&mut Engine),
    /// Ends all that waits for a lost process, and tells why it is lost.
    pub lost: fn(&mut Core, u32, &str),
    /// Delivers the recorded events to tools, with the engine unlocked. Called after a poll, while
    /// events wait for their delivery.
    pub deliver_events: fn(&mut Mpi),
    pub collectives: CollectiveHooks,
}

/// The functions of the collective operations that the engine calls. All but `part` are called only
/// while operations are in progress ([`Upper::collectives`]).
#[derive(Clone, Copy)]
pub struct CollectiveHooks {
    /// Advances every operation in progress as far as it can go without waiting.
    pub advance: fn(&mut Engine),
    /// Runs a user's reduction function that an operation waits for, with the engine unlocked.
    /// Returns whether one ran.
    pub run_callback: fn(&mut Mpi) -> bool,
    /// Returns whether an operation can proceed without a packet. Called before sleeping.
    pub have_news: fn(&Engine) -> bool,
    /// Returns whether an operation waits for a word that another process changes without ringing
    /// the doorbell.
    pub wait_for_slot: fn(&Engine) -> bool,
    /// Releases the state that the collectives keep for a communicator that is being freed.
    pub part: fn(&mut Engine, &mut Comm),
}

impl CollectiveHooks {
    /// The hooks while no upper layer is registered: there are no collective operations.
    pub const NONE: CollectiveHooks = CollectiveHooks {
        advance: |_| {},
        run_callback: |_| false,
        have_news: |_| false,
        wait_for_slot: |_| false,
        part: |_, _| {},
    };
}

impl Hooks {
    /// The hooks while no upper layer is registered: no packet of an upper kind is valid, and there
    /// is no work.
    pub const NONE: Hooks = Hooks {
        packet: |_, _, _, _| None,
        task: |_| {},
        perform: |_| {},
        lost: |_, _, _| {},
        deliver_events: |_| {},
        collectives: CollectiveHooks::NONE,
    };
}

/// A set of upper layers. Each layer changes its own membership only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers(u8);

impl Layers {
    pub const NONE: Layers = Layers(0);
    /// One-sided communication.
    pub const RMA: Layers = Layers(1);
    /// Files.
    pub const IO: Layers = Layers(2);

    /// Returns whether any layer is a member.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// Makes a layer a member, or removes it.
    #[inline]
    pub fn set(&mut self, layer: Layers, member: bool) {
        self.0 = if member { self.0 | layer.0 } else { self.0 & !layer.0 };
    }
}

/// The upper layers as the engine sees them.
pub struct Upper {
    pub hooks: &'static Hooks,
    /// The upper layers that have work that no packet calls for.
    pub busy: Layers,
    /// The upper layers that wait for a word that another process or thread changes without ringing
    /// the doorbell, so that waiting threads sleep briefly.
    pub await_word: Layers,
    /// Number of non-blocking and persistent collective operations in progress. The collectives
    /// keep it current.
    pub collectives: usize,
}

impl Upper {
    pub const fn new() -> Upper {
        Upper { hooks: &Hooks::NONE, busy: Layers::NONE, await_word: Layers::NONE, collectives: 0 }
    }
}
