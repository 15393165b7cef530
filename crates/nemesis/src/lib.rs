//! The message-passing subsystem: packets between the processes of a job.
//!
//! An [`Endpoint`] represents one process of a job. It sends packets of at most a cell's payload to
//! any process, and its poll returns the packets of all senders and transports. Between two
//! processes, packets arrive in the order in which they were sent. The endpoint knows nothing of
//! MPI: the client defines the context, tag and rank fields of the header, and all packet kinds
//! from [`wire::FIRST_CLIENT_KIND`] on.
//!
//! ```text
//!   try_send ──> fastbox of the pair ──────────────┐
//!            └─> cell ──> receiver's queue ────────┤──> poll ──> Sink::packet
//!            └─> network module ──> remote module ┘
//! ```
//!
//! # Examples
//!
//! A job of one process, which sends a packet to itself:
//!
//! ```
//! use nemesis::wire::{FIRST_CLIENT_KIND, Header};
//! use nemesis::{Endpoint, Packet, Sink, Tunables};
//! use nemesis_wireup::Wireup;
//!
//! /// Keeps the payloads of the packets that arrive.
//! #[derive(Default)]
//! struct Texts(Vec<Vec<u8>>);
//!
//! impl Sink for Texts {
//!     fn packet(&mut self, packet: Packet<'_>) {
//!         self.0.push(packet.payload.to_vec());
//!     }
//! }
//!
//! let mut wireup = Wireup::connect()?;
//! let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default())?;
//! let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
//! assert!(endpoint.try_send(endpoint.me(), header, b"hello"));
//!
//! let mut texts = Texts::default();
//! while texts.0.is_empty() {
//!     endpoint.poll(None, &mut texts);
//! }
//! assert_eq!(texts.0, [b"hello"]);
//! # Ok::<(), nemesis_wireup::WireupError>(())
//! ```
//!
//! # Modules
//!
//! | file | what |
//! |---|---|
//! | `endpoint` | sends and polls |
//! | `packet`, `limits` | packets that arrive, and their lengths |
//! | `cells` | the process's own free cells |
//! | `endpoint::long` | long packets, which the receiver reads while the sender writes them |
//! | `copy_ring`, `handoff_buffer` | memory of long packets: the sender's ring, handoff buffers |
//! | `copy_policy` | ordinary or non-temporal stores for copies to a collective segment |
//! | `kernel_copy` | copies by the kernel (CMA) whose speed does not depend on page offsets |
//! | `large` | large messages: single copies between the memory of two processes |
//! | `protocols` | the table of protocols, and the lengths that each carries |
//! | `forced` | rows of tables that carry lengths by force |
//! | `peer` | the state kept for each process |
//! | `memory` | access to the memory of local processes: mapped heaps, copies by the kernel |
//! | `arena` | memory of the program (`MPI_Alloc_mem`) inside the heap |
//! | `network_names` | the names of networks |
//! | `networks` | network modules and the processes of other nodes |
//! | `endpoint::foreign` | processes of other jobs |
//! | `sleep` | sleeping until something arrives |
//! | `am` | AM requests: accesses that the target's process carries out |
//! | `window`, `registered` | one-sided communication without MPI |
//! | `directory` | the ranges that a process offers to others |
//! | `backoff` | when a wait spins, yields and sleeps |
//! | `traffic` | counters for tools |
//! | `tunables` | environment variables |

#![warn(missing_docs)]

pub mod am;
mod arena;
mod backoff;
mod cells;
mod copy_policy;
mod copy_ring;
pub mod directory;
mod endpoint;
pub mod forced;
mod handoff_buffer;
mod kernel_copy;
mod large;
mod limits;
pub mod memory;
mod network_names;
mod networks;
mod packet;
mod peer;
pub mod protocols;
pub mod registered;
mod sleep;
mod traffic;
pub mod tunables;
pub mod window;

pub use arena::Found;
pub use backoff::{Backoff, BackoffStep, SLEEP, THREADED_SLEEP};
pub use copy_policy::CopyPolicy;
pub use endpoint::{Endpoint, ProcessName};
pub use large::Help;
pub use limits::{EAGER_BULK_MAX_BYTES, LANES_MAX, REMOTE_PACKET_MAX_BYTES};
pub use memory::Memory;
pub use nemesis_netmod::optional::Change;
pub use nemesis_netmod::{
    Bounce, Failure, Fault, OpenOperations, PACKET_MIN_BYTES, PagedTable, Region, RegionMut, Sent,
};
pub use nemesis_shm::PAGE_BYTES;
pub use nemesis_shm::agreement_segment;
pub use nemesis_shm::am_slot::{self, AmSlot};
pub use nemesis_shm::coll_segment;
pub use nemesis_shm::cooperative::{self, CooperativeCopy};
pub use nemesis_shm::copy::slice as copy_slice;
pub use nemesis_shm::heap::{Block, Refusal, Shared};
pub use nemesis_shm::kernel_call::KernelCall;
pub use nemesis_shm::layout::cell::PAYLOAD_BYTES as PACKET_MAX_BYTES;
pub use nemesis_shm::layout::long::PAYLOAD_BYTES as LONG_PACKET_MAX_BYTES;
pub use nemesis_shm::long_packet::LongPacket;
pub use nemesis_shm::notices;
pub use nemesis_shm::span::{Span, SpanLines};
pub use nemesis_shm::status::{self, Answer, Status};
pub use nemesis_shm::word_wait::WordWait;
pub use nemesis_sys::share::{yield_now, yield_processor};
pub use nemesis_wire as wire;
pub use network_names::NetworkName;
pub use networks::describe as describe_network;
pub use networks::provide as provide_network;
pub use networks::{NetworkKey, Registrations, RemoteMemory};
pub use packet::{Packet, PacketHandler, Sink, Token};
pub use sleep::Asleep;
pub use traffic::Traffic;
pub use tunables::Tunables;
