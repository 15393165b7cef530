//! The network-module interface: how packets leave the node.
//!
//! A network module consists of five functions: `init`, `finalize`, `send`, `poll_send` and
//! `poll_recv` ("Design and Evaluation of Nemesis", §2.2, and the slides of 2006). In Rust, a
//! [`Driver`] makes a [`Module`], a trait. In C, a module is the table of `nemesis_netmod.h`, which
//! [`c`] loads by name and presents as a [`Module`].
//!
//! ```text
//!             send, poll_send, poll_recv, finalize
//!   process ------------------------------------------> module ---> network
//!     Host  <------------------------------------------
//!             card, alloc, place, deliver or offer, completed, lost
//! ```
//!
//! **Addresses.** The interface names a process by its index in the job. `init` returns the
//! module's *business card*: bytes that only the same kind of module understands. The host
//! publishes the card, and its `card(process)` returns the card of another process. A module
//! connects to a process when it first needs to.
//!
//! **Packets.** A packet is a 24-byte [`wire::Header`](nemesis_wire::Header) and `size` bytes of
//! payload, at most [`Limits::payload`]. A *bulk payload* of any length may follow it: the module
//! sends it from the sender's memory and receives it into the memory that the host names. Large
//! messages travel as bulk payloads. The *frame* of a packet is its header and payload in one
//! piece, as it travels and as it lies in a cell.
//!
//! **Order.** Packets from one process to another arrive in the order in which `send` accepted
//! them, each whole, with its bulk payload, exactly once. Packets of different pairs are not
//! ordered. A packet with a bulk payload may be sent without an order ([`Packet::ordered`]): it
//! arrives whole and once, but other packets of its pair, earlier or later ones, may overtake it or
//! be overtaken. A module uses this to let several bulk payloads of a pair travel at once; one that
//! keeps the order obeys the rule, too.
//!
//! **Direct send.** `send` tries the network at once. The module queues what the network does not
//! take, and reports its completion later with the caller's token. If too much is queued, `send`
//! returns [`Sent::Full`]: back-pressure is a state, not an error. The module owns the frame once
//! `send` has accepted it, and copies it if necessary. The bulk payload remains the caller's and
//! must not change until the send has completed.
//!
//! **Bulk payloads.** As soon as header and payload have arrived, the module asks the host where
//! the bulk payload belongs; for ordered packets, in their order. The host may match the packet
//! with a receive at this time, long before the last byte arrives. The module releases the bulk
//! payload's memory before it delivers the packet, or before it reports its sender lost.
//!
//! **Receiving.** For each packet the module asks its host for a *cell*, writes the frame into it
//! and delivers it. The host puts it into the process's one receive queue, where packets of the
//! node arrive, too. If there is no cell, the module leaves the packet in the network. A module
//! that receives packets in memory of its own, as a stream does, offers them there without a cell.
//!
//! **Registration.** One module of a process is *primary*: it may register the memory of all cells
//! once ([`Setup::cells`]), and then send from them and receive into them without a copy. The
//! others are secondary: they copy, unless their network needs no registration. A host registers
//! memory that lives long by the module's RMA table ([`optional::Rma::register`]). A [`Region`] or
//! [`RegionMut`] within it carries the id of that registration, so the module needs neither a copy
//! nor a further registration.
//!
//! **Failures.** The module reports once with `lost` that a process has become unreachable. Its
//! pending sends complete with the failure, later sends fail at once, and other pairs continue. A
//! peer that sends malformed data is lost, too. A process that has finalized has announced its end
//! and is not reported.
//!
//! **Calls.** One thread at a time calls a module. No function blocks. The host's functions must
//! not call the module.
//!
//! | file | contents |
//! |---|---|
//! | `module` | [`Driver`] and [`Module`], the five functions |
//! | `host` | [`Host`], what a module may ask for |
//! | `memory` | cells and regions: memory that crosses the interface |
//! | `pool` | cells for hosts that have no memory of their own for them |
//! | `peer_table`, `paged_table` | tables of processes that need memory for those in use only |
//! | `failure` | the kinds of failures |
//! | `optional` | RMA and collectives, for networks that offer them |
//! | `c` | modules in C |
//! | `conformance` | the test suite that every module passes |

#![warn(missing_docs)]

pub mod c;
pub mod conformance;
mod failure;
mod host;
mod memory;
mod module;
mod open_operations;
pub mod optional;
mod paged_table;
mod peer_table;
mod pool;

pub use failure::{Failure, Fault};
pub use host::{Host, NO_CARD, Token};
pub use memory::{Bounce, Cell, Region, RegionMut};
pub use module::{
    Costs, Driver, Finalized, Foreign, Interest, Limits, Module, PACKET_MIN_BYTES, Packet, Rest,
    Sent, Setup, Started,
};
pub use open_operations::OpenOperations;
pub use paged_table::PagedTable;
pub use peer_table::PeerTable;
pub use pool::Pool;
