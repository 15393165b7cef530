//! The interface between the protocol and the layers above the engine, which have packets of their
//! own kinds.

use super::Core;
use crate::handle::{self, Handle};
use nemesis::wire::Header;
use nemesis::{Failure, RegionMut, Token};

/// The bit that the tokens of an upper layer's operations by the network have, and those of bulk
/// payloads, which are handles of requests, have not.
pub const UPPER_TOKEN: Token = 1 << 63;

/// The functions of the upper layer that the protocol calls while the endpoint polls.
#[derive(Clone, Copy)]
pub struct PacketHooks {
    /// Takes a packet whose kind is [`FIRST_UPPER`](super::kind::FIRST_UPPER) or higher, or that
    /// belongs to AM requests, from the given process. Cannot send. Returns `None` if the packet is
    /// malformed.
    pub packet: fn(&mut Core, u32, &Header, &[u8]) -> Option<()>,
    /// Returns the memory for the bulk payload of such a packet, whose length is the last argument.
    pub place: fn(&mut Core, u32, &Header, &[u8], usize) -> Option<RegionMut>,
    /// Takes the end of the operation by the network with this token.
    pub completed: fn(&mut Core, Token, Result<(), Failure>),
    /// Ends all that waits for a lost process, and tells why it is lost.
    pub lost: fn(&mut Core, u32, &str),
}

impl PacketHooks {
    /// The hooks while no upper layer is registered: no packet of an upper kind is valid.
    pub const NONE: PacketHooks = PacketHooks {
        packet: |_, _, _, _| None,
        place: |_, _, _, _, _| None,
        completed: |_, _, _| {},
        lost: |_, _, _| {},
    };
}

/// A set of upper layers. Each layer changes its own membership only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers(u8);

impl Layers {
    /// No layer.
    pub const NONE: Layers = Layers(0);
    /// One-sided communication.
    pub const RMA: Layers = Layers(1);
    /// Files.
    pub const IO: Layers = Layers(2);
    /// Agreements in agreement segments (`agreements`), which belong to no upper layer.
    pub(crate) const AGREEMENTS: Layers = Layers(4);

    /// Returns whether any layer is a member.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns whether a layer is a member.
    #[inline]
    pub fn contains(self, layer: Layers) -> bool {
        self.0 & layer.0 != 0
    }

    /// Makes a layer a member, or removes it.
    #[inline]
    pub fn set(&mut self, layer: Layers, member: bool) {
        self.0 = if member { self.0 | layer.0 } else { self.0 & !layer.0 };
    }
}

/// What the launcher has told a checked program that relies on buffering (`going_on`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoesOn {
    /// Messages that would have been eager are read before they are received.
    pub sending: bool,
    /// Collective operations do not wait for all.
    pub after_collectives: bool,
}

impl GoesOn {
    /// Nothing.
    pub const ORDERED_NOTHING: GoesOn = GoesOn { sending: false, after_collectives: false };
}

/// The upper layers as the protocol sees them.
pub struct Upper {
    pub hooks: &'static PacketHooks,
    /// The upper layers that have work that no packet calls for.
    pub busy: Layers,
    /// The upper layers that wait for a word that another process or thread changes without ringing
    /// the doorbell, so that waiting threads sleep briefly.
    pub await_word: Layers,
    /// Number of non-blocking and persistent collective operations in progress. The collectives
    /// keep it current.
    pub collectives: usize,
    /// The communicator of the blocking collective operation in progress, for reports.
    pub blocking_on: handle::Comm,
    /// Whether that operation is done here, and waits until all processes have called it, because
    /// the program is checked.
    pub awaits_all: bool,
}

impl Upper {
    pub const fn new() -> Upper {
        Upper {
            hooks: &PacketHooks::NONE,
            busy: Layers::NONE,
            await_word: Layers::NONE,
            collectives: 0,
            blocking_on: handle::Comm::NULL,
            awaits_all: false,
        }
    }
}
