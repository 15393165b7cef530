//! The TCP network module.
//!
//! One connection joins two processes; sending the first packet starts it. Packets that are sent
//! before it is established wait in the peer's queue. Nothing blocks and no thread runs in the
//! background: all work happens in the five functions.
//!
//! ```text
//!   send ─── queue empty: one send of a short packet, or one sendmsg of its parts ────> socket
//!        └── otherwise, and the rest of a partial send: queue ── poll_send: writev ────> socket
//!
//!   socket ── one read: the packets that have arrived, and the start of the next ──> Host::offer
//!          └─ rest of a bulk payload: readv into its destination, later bytes into the buffer
//! ```
//!
//! **Frames.** 8 bytes of prefix (the kind of frame, the length of the bulk payload), 24 of header,
//! payload, bulk payload. A goodbye is a prefix with an empty header. The peer acknowledges it, so
//! that a process that leaves knows that the peer has read everything.
//!
//! **Authentication.** Before the first frame, both ends prove that they know the job key
//! ([`handshake`]). The module drops and logs a connection that cannot prove it, violates the
//! protocol, or takes too long; the job continues. If encryption is enabled, both ends agree on a
//! key of the connection during the handshake, and nobody else can read or change what follows it.
//!
//! **Connecting.** A process publishes its port and all its usable addresses in numeric form. A
//! connector tries them in parallel, with staggered starts, and takes the first that proves to be
//! the process. It tries a link-local address (fe80::/10) last, through each of its own interfaces.
//! In a crossed connect, the process with the lower index wins ([`connector`],
//! [`connection_setup`]).
//!
//! **Back-pressure.** If the host refuses a packet, the packet remains in the buffer. The module
//! does not read a connection whose buffer holds a packet, so that TCP's own flow control stops the
//! sender. A send queue has a bound, beyond which it is full.
//!
//! **Descriptors.** A connection takes one. If none is free, connections wait for one for some
//! seconds and fail then ([`descriptors`]); sockets lie beyond the program's soft limit if they
//! would take more than half of it ([`nemesis_sys::descriptors`]).
//!
//! **Loss.** A peer is lost if its connection ends without a goodbye, or if its host has not
//! responded for a few seconds.
//!
//! | file | contents |
//! |---|---|
//! | `module` | the five functions |
//! | `connection_setup` | connecting, accepting, and which connection of a crossed connect wins |
//! | `handshake` | the messages before the first frame |
//! | `acceptor` | where connections arrive: this process's port, or the node's |
//! | `connector` | one attempt to connect to a process |
//! | `descriptors` | accepting connections without a free descriptor |
//! | `pending` | an accepted connection that is not authenticated yet |
//! | `link` | an authenticated connection |
//! | `module::read_policy` | which connections are read without epoll |
//! | `incoming`, `outgoing` | the two directions of a connection |
//! | `foreigners` | processes of other jobs |
//! | `options` | settings |
//! | `frame` | the prefix |
//! | `address` | the business card |
//! | `stream` | a connection with a process, encrypted or not |
//! | `socket` | the system calls |

#![warn(missing_docs)]

mod acceptor;
mod address;
mod connection_setup;
mod connector;
mod descriptors;
mod foreigners;
mod frame;
pub mod handshake;
mod incoming;
mod link;
mod module;
mod options;
mod outgoing;
mod pending;
mod poller;
mod socket;
mod stream;

pub use acceptor::Acceptor;
pub use address::Card;
pub use module::Tcp;
pub use nemesis_sys::choice::{Choice, Ports};
pub use options::Options;
