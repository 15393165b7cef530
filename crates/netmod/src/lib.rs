//! The network-module interface: how packets leave the node.
//!
//! A network module is five functions: `init`, `finalize`, `send`, `poll_send`, `poll_recv` ("Design and Evaluation of Nemesis", §2.2 and the
//! slides of 2006). Here they are a trait, [`Module`], made by a [`Driver`]; in C they are the table of `nemesis_netmod.h`, which [`c`] loads by
//! name and makes look like any other module.
//!
//! ```text
//!             send, poll_send, poll_recv, finalize
//!   process ------------------------------------------> module ---> network
//!     Host  <------------------------------------------
//!             card, alloc, place, deliver or offer, completed, lost
//! ```
//!
//! **Addresses.** A process is known by its index in the job. `init` gives out the module's *business card*, bytes that only the same module
//! understands; the host publishes it and answers `card(process)` with the others'. Connections are made when they are first needed.
//!
//! **Packets.** A packet is a 24-byte [`wire::Header`](nemesis_wire::Header) and `size` bytes of payload, at most [`Limits::payload`]. It may be
//! followed by a *body* of any length that is sent from where it lies and received where the host wants it: the way of large messages.
//! Module and host speak of a packet as its *frame*, header and payload in one piece, as it travels and as it lies in a cell.
//!
//! **Order.** Packets from one process to another arrive in the order in which `send` accepted them, each whole, with its body, once. Nothing
//! is said about packets of different pairs.
//!
//! **Direct send.** `send` tries the network at once. What cannot leave now is queued and later reported under the caller's token; when too much
//! waits, the answer is [`Sent::Full`]: back-pressure is a state, not an error. The frame is the module's when `send` accepts it, copied if need
//! be; the body stays the caller's and may not change until the send is completed.
//!
//! **Bodies.** When header and payload are here the host is asked for the body's place, in the order of the packets: it may match the packet with whoever
//! waits for it, long before the last byte has come. The module lets go of the place before it hands the packet over, or says that its sender is lost.
//!
//! **Receiving.** For each packet the module asks its host for a *cell*, fills in the frame, and hands it over; the host puts it on the process's
//! one receive queue, like packets from the node itself. Without a cell to be had the module leaves the packet in the network. A module whose
//! packets come through memory of its own, as a stream's do, offers them where they lie.
//!
//! **Registration.** One module of a process is *primary*: it may register the memory of all cells once ([`Setup::cells`]), send from them and
//! receive into them without a copy. The others are secondary: they copy, unless their network needs no registration.
//!
//! **Trouble.** A process that cannot be reached any more is reported once with `lost`; its pending sends complete with the failure, later ones fail
//! at once; other pairs go on. A peer that sends nonsense is lost too. A process that finalized has said goodbye and is not reported.
//!
//! **Calls.** One thread at a time. Nothing blocks. The host's functions may not call the module back.
//!
//! | file | what |
//! |---|---|
//! | `module` | [`Driver`] and [`Module`], the five functions |
//! | `host` | [`Host`], what a module may ask for |
//! | `memory` | cells and regions: memory that crosses the interface |
//! | `pool` | cells for hosts that have no better ones |
//! | `failure` | what can go wrong |
//! | `optional` | RMA and collectives, for networks that can |
//! | `c` | modules in C |
//! | `conformance` | the suite that every module passes (feature `conformance`) |

pub mod c;
#[cfg(feature = "conformance")]
pub mod conformance;
mod failure;
mod host;
mod memory;
mod module;
pub mod optional;
mod pool;

pub use failure::{Failure, Fault};
pub use host::Host;
pub use memory::{Bounce, Cell, Region, RegionMut};
pub use module::{
    Driver, Finalized, Interest, Limits, Module, Packet, Rest, Sent, Setup, Started, Token,
};
pub use pool::Pool;
