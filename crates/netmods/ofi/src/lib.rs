//! The libfabric network module: any network for which libfabric has a provider.
//!
//! The module opens `libfabric.so.1` when its driver starts, and not before: a process that does
//! not use it has no library, thread or descriptor more. Only `nemesis info` and `mpiexec -v` open
//! the library to describe the networks of a host. One endpoint of the kind RDM (reliable,
//! without connections) serves all peers.
//!
//! ```text
//!   packets        messages into a pool of posted buffers, under credits      fi_send, fi_recv
//!   bulk payloads  announced by a message, asked for with a random tag        fi_tsend, fi_trecv
//!   windows        access to registered memory, by an endpoint of their own   fi_read, fi_writemsg
//!   lifeline       TCP: proof of the job key, addresses, loss, goodbyes       netmods/tcp
//! ```
//!
//! **Authentication.** A provider proves nothing about its peers. The processes therefore first
//! connect by TCP, prove on that connection that they know the job key, and only then exchange the
//! addresses of their endpoints, and a secret token each. A message without the token of its pair
//! is dropped and counted. The tag of a bulk payload is random, too.
//!
//! **Flow control.** A process grants each peer a window of messages and keeps that many buffers
//! posted, so that the provider never has to keep a message that nobody expects. Credits return in
//! the prefix of any message, or in one of their own. A quarter of the window is for the module's
//! own messages, so that packets that wait cannot hold up the answers that they wait for.
//!
//! **Order.** The module asks for ordered messages. Messages are numbered, and those that a
//! provider delivers early wait for their predecessors.
//!
//! **Delivery.** `psm3` reports messages as sent that have not left the process. Over such a
//! provider a process that finalizes asks its peers over the lifeline whether everything has
//! arrived, and polls the provider until they have answered.
//!
//! **Loss.** The end of the lifeline tells that a peer is gone. Operations on memory of the host
//! are cancelled, and the loss is reported when they have ended. If a provider does not end them,
//! the endpoint is closed: memory that the host owns again is never written.
//!
//! | file | contents |
//! |---|---|
//! | `layout` | the binary interface of libfabric |
//! | `library` | the open library and what it offers |
//! | `choice` | which provider a process uses |
//! | `memory` | message buffers and contexts of operations |
//! | `endpoint` | an endpoint as a safe interface |
//! | `endpoint::remote` | memory that peers reach, and access to theirs |
//! | `message` | what processes send each other |
//! | `lifeline` | the TCP connection beside the provider |
//! | `secret` | tokens and tags that strangers do not guess |
//! | `peer` | what the module knows of another process |
//! | `module` | the five functions |
//! | `module::meeting` | becoming connected, leaving and being lost |
//! | `module::delivery` | the arrival of messages that are reported as sent too early |
//! | `module::sending`, `module::receiving` | the two directions |
//! | `module::remote` | the RMA table |

#![warn(missing_docs)]

#[expect(missing_docs, reason = "the names are libfabric's")]
pub mod layout;

mod choice;
mod endpoint;
mod library;
mod lifeline;
mod memory;
mod message;
mod module;
mod peer;
mod secret;

pub use module::{Ofi, Options};
