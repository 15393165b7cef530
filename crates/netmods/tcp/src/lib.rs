//! The TCP network module.
//!
//! One connection joins two processes, made when the first packet is sent; what is sent before it stands waits in the peer's queue. Nothing
//! blocks and nothing runs in the background: all of it happens in the five functions.
//!
//! ```text
//!   send ─── nothing waits: one send of a small packet, one sendmsg of prefix, header, payload and body from where they lie ──> socket
//!        └── else, or what the socket did not take: the peer's queue ── poll_send: writev ─────────> socket
//!
//!   socket ── one read: as many packets as came, and the beginning of the next ──> Host::offer
//!          └─ the rest of a body: readv straight into its place, and what follows it into the buffer
//! ```
//!
//! **Frames.** 8 bytes of prefix (what it is, the body's length), 24 of header, payload, body. A goodbye is a prefix with an empty header; the
//! other end acknowledges it, so that whoever leaves knows that everything was read.
//!
//! **Trust.** Before any frame both ends prove that they know the job key ([`handshake`]). Whoever cannot, or says what no process of ours would
//! say, or takes too long, is dropped and noted; the job goes on. Where encryption is asked for, both ends make a key of their own on the way, and nothing
//! behind the handshake can be read or changed by others.
//!
//! **Meeting.** A process publishes its port and all its usable addresses as numbers. Who wants to talk tries them side by side, a little apart, and
//! takes the first that proves to be the process. An address of a link (fe80::/10) is tried last, by each of our own interfaces. When both
//! ends dial at once, the one with the lower index wins ([`connector`], [`module`]).
//!
//! **Back-pressure.** A host that takes no packet leaves it in the buffer, a connection whose buffer holds a packet is not read, and TCP does the
//! rest. On the sending side a queue is full at a bound.
//!
//! **Loss.** A connection that ends without goodbye is a loss, and so is one whose far end has answered nothing for a few seconds.
//!
//! | file | what |
//! |---|---|
//! | `module` | the five functions |
//! | `crossed_connect` | dialling, guests, and who wins when both dial |
//! | `handshake` | what is said before the first frame |
//! | `cipher` | encryption of a connection, where it is asked for |
//! | `acceptor` | where connections come in: a port of our own, or the node's |
//! | `connector` | one attempt to reach a process |
//! | `pending` | one connection that has not proved itself yet |
//! | `link` | a connection that has |
//! | `read_policy` | which connection is read without being asked for, and which is not |
//! | `incoming`, `outgoing` | its two directions |
//! | `frame` | the prefix |
//! | `address` | the business card |
//! | `socket` | the calls |

mod acceptor;
mod address;
mod cipher;
mod connector;
mod crossed_connect;
mod frame;
pub mod handshake;
mod incoming;
mod link;
mod module;
mod outgoing;
mod pending;
mod poller;
mod read_policy;
mod socket;

pub use acceptor::Acceptor;
pub use address::Card;
pub use module::{Options, Tcp};
pub use nemesis_sys::choice::{Choice, Ports};
