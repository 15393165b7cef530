//! The InfiniBand network module: reliable connections by libibverbs, over InfiniBand, RoCE v2 and
//! iWARP.
//!
//! The design is that of "A Portable InfiniBand Module for MPICH2/Nemesis": credits, a shared
//! receive queue and eager poking; bulk payloads are read from the sender's memory. libibverbs is
//! opened at run time, and only if the host has a device.
//!
//! ```text
//!   Host <──> Member ──┬── queue pair for packets: SEND to the shared receive queue
//!                      │   READ of bulk payloads from the sender's registered memory
//!                      ├── queue pair for remote memory: WRITE, READ, FETCH_ADD, COMPARE_SWAP
//!                      └── TCP module: handshake with the job key, control messages, loss
//! ```
//!
//! **Connecting.** The module contains the TCP module. Its authenticated connection carries the
//! control messages that connect the queue pairs ([`connecting`]). It remains, because its end
//! tells at once that a process has died, which a queue pair learns after seconds or never. If a
//! queue pair cannot be made, packets to that process travel by TCP.
//!
//! **Packets.** A message is a prefix of eight bytes ([`prefix`]), header and payload. It needs a
//! credit, which stands for a receive in the shared queue of the receiver, so no sender waits for a
//! receiver that is not ready. Credits return with messages in the other direction ([`sending`]).
//!
//! **Bulk payloads.** A short one follows in pieces. A longer one is registered; the receiver reads
//! it and reports that ([`transfer`]). Memory that cannot be registered passes through buffers. A
//! bulk payload in the order of its pair holds later packets back until it has arrived.
//!
//! **Remote memory.** Puts, gets and atomics need no processor of the target ([`remote`]).
//!
//! **iWARP.** Its queue pairs are connected by the connection manager of librdmacm ([`linking`]),
//! which is opened only for such a device.
//!
//! **Sleeping.** Both completion queues raise events on one channel. They are armed before the
//! process sleeps, and polled once more.
//!
//! | file | contents |
//! |---|---|
//! | `module` | the driver and the five functions |
//! | `member` | the state of the module in one process |
//! | `connecting`, `control` | connecting queue pairs; the messages for it |
//! | `sending`, `receiving`, `prefix` | messages on a queue pair |
//! | `ring`, `fast_path` | rings for processes that send often |
//! | `transfer`, `remote` | reads of bulk payloads; remote memory access |
//! | `work` | transfers and atomic operations under way |
//! | `ending`, `link_state` | failures and losses; the link of the port |
//! | `peer`, `slab` | state of another process; numbered values |
//! | `linking`, `iwarp` | connecting queue pairs of iWARP devices, and their ends |
//! | `inner` | the host that the TCP module sees |
//! | `address`, `limits`, `options` | ports and routes; limits of the system; settings |
//! | `device` | port, queues and buffers of this process |
//! | `buffers`, `registered` | registered memory: of the module, and of the host |
//! | `objects`, `library`, `layout` | libibverbs: its objects, functions and structures |
//! | `manager*` | librdmacm: its objects, functions and structures |

#![warn(missing_docs)]

mod address;
mod buffers;
mod connecting;
mod control;
mod device;
mod ending;
mod fast_path;
mod inner;
mod iwarp;
pub mod layout;
mod library;
mod limits;
mod link_state;
mod linking;
mod manager;
pub mod manager_layout;
mod manager_library;
mod member;
mod module;
mod objects;
mod options;
mod peer;
mod prefix;
mod receiving;
mod registered;
mod remote;
mod ring;
mod sending;
mod slab;
mod transfer;
mod work;

pub use module::Verbs;
pub use options::{Options, Tuning};
