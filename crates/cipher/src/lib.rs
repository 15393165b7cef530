//! Encryption of a connection between two processes that know one secret key.
//!
//! ```text
//!   connector                                     acceptor
//!   KeyExchange::connector ── 48 bytes ──────>    KeyExchange::answer
//!   KeyExchange::finish    <───────── 48 bytes    │
//!   │                                             │
//!   Cipher  <───────── encrypted records ──────>  Cipher
//! ```
//!
//! The protocol is Noise, pattern NNpsk0 (<https://noiseprotocol.org>), by the crate `snow`. Three
//! protocols of the library use it after a handshake of their own, in which both ends prove that
//! they know the key: the TCP module for packets, if the user asks for encryption; the launchers of
//! a job, always; and the processes and launchers that meet at a port, always. Each derives its key
//! with a context of its own, so a message of one protocol is worth nothing in another one.
//!
//! | file | contents |
//! |---|---|
//! | `exchange` | the two messages that agree on the keys of one connection |
//! | `cipher` | the records in both directions |
//! | `socket` | reads and writes, unencrypted |

#![warn(missing_docs)]

mod cipher;
mod exchange;
pub mod socket;

pub use cipher::{CHANGED, CHANGED_WORDS, Cipher};
pub use exchange::{EXCHANGE_BYTES, KEY_BYTES, KeyExchange};
