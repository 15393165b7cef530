//! The message-passing subsystem: packets between the processes of a job.
//!
//! An [`Endpoint`] is a process's place in the job. It sends packets of up to a cell's payload to any process and polls one place for what
//! arrives, whoever sent it and whichever way it came; between two processes packets arrive in the order in which they were sent. It knows nothing
//! of MPI: contexts, tags and ranks in the header are the client's, and so are all kinds from [`wire::FIRST_CLIENT_KIND`] on.
//!
//! ```text
//!   try_send ──> fastbox of the pair ──────────────┐
//!            └─> cell ──> receiver's queue ────────┤──> poll ──> Sink::packet
//!            └─> network module ──> its twin there ┘
//! ```
//!
//! | file | what |
//! |---|---|
//! | `endpoint` | sending and polling |
//! | `cells` | the process's own cells |
//! | `long`, `room`, `handoff_buffer` | long packets, written while the receiver reads them; where they lie: on their sender's side, or to and fro |
//! | `copy_policy` | how what is copied to a board is written |
//! | `kernel_copy` | copies by the kernel that do not depend on page offsets |
//! | `large` | large messages: copies from one process's memory to another's |
//! | `peer` | what is remembered of each process |
//! | `memory` | memory of others on the node: heaps that are mapped, copies by the kernel |
//! | `arena` | memory of the program inside the heap |
//! | `networks` | the way to other nodes |
//! | `sleep` | what a sleeper sleeps on |
//! | `window`, `registered` | one-sided communication without MPI: windows on a node, registered memory |
//! | `directory` | what a process offers to others |
//! | `waiting` | how long to spin, when to yield, when to sleep |
//! | `traffic` | what has passed, for tools |
//! | `tunables` | what the environment may change |

mod arena;
mod backoff;
mod cells;
mod copy_policy;
mod copy_ring;
pub mod directory;
mod endpoint;
mod handoff_buffer;
mod kernel_copy;
mod large;
mod long;
pub mod memory;
mod networks;
mod peer;
pub mod registered;
mod sleep;
pub mod traffic;
pub mod tunables;
pub mod window;

pub use arena::Found;
pub use backoff::{Backoff, BackoffStep, SLEEP, THREADED_SLEEP};
pub use copy_policy::CopyPolicy;
pub use endpoint::{Endpoint, Packet, Sink, Taker};
pub use large::Help;
pub use memory::Memory;
pub use nemesis_netmod::{Bounce, Failure, Fault, Region, RegionMut, Sent};
pub use nemesis_shm::PAGE_BYTES;
pub use nemesis_shm::am_slot::{self, AmSlot};
pub use nemesis_shm::coll_segment;
pub use nemesis_shm::cooperative::{self, CooperativeCopy};
pub use nemesis_shm::copy::slice as copy_slice;
pub use nemesis_shm::heap::{Block, Refusal, Shared};
pub use nemesis_shm::layout::cell::PAYLOAD_BYTES as PACKET_MAX_BYTES;
pub use nemesis_shm::layout::long::PAYLOAD_BYTES as LONG_PACKET_MAX_BYTES;
pub use nemesis_shm::pieces::Pieces;
pub use nemesis_shm::span::{Span, SpanLines};
pub use nemesis_shm::status::Answer;
pub use nemesis_sys::share::{give_turn, yield_now};
pub use nemesis_wire as wire;
pub use networks::{EAGER_BODY_MAX_BYTES, EAGER_BODY_MIN_BYTES, Token};
pub use sleep::Asleep;
pub use traffic::Traffic;
pub use tunables::Tunables;
