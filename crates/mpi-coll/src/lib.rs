//! Collective operations (MPI 5.0 chapter 6), and the creation of communicators, which needs them
//! (chapters 7 and 8).
//!
//! | module | contents |
//! |---|---|
//! | `fast` | the fast paths of short blocking calls |
//! | `run` | the forms of an operation: blocking, non-blocking, persistent |
//! | `progress` | operations in progress: what the engine's progress does for them |
//! | `mismatch` | operations of several processes that do not match |
//! | `types` | development checks: types of data that do not match |
//! | `together` | development checks: programs that rely on operations that do not wait |
//! | `state` | the state of all collectives; hooks for the engine's progress |
//! | `steps` | the interface of builders: a step is recorded in a schedule or performed at once |
//! | `schedule` | an operation as a list of steps |
//! | `table`, `operations` | the algorithms of each operation |
//! | `rows` | the choice among algorithms, and what it depends on |
//! | `explain` | which algorithms are chosen, for people |
//! | `forced`, `tuning` | algorithms that the environment, an info or a file forces |
//! | `site` | what the members of a node know alike; chunks of long data |
//! | `costs` | modelled times of algorithms |
//! | `thresholds` | limits of messages, for tools |
//! | `blocks` | arguments: buffers with a block for every rank |
//! | `operator`, `operand` | operators of reductions; values that accumulate contributions |
//! | `barrier`, `bcast`, `gather`, `scatter`, `allgather`, `alltoall` | data movement |
//! | `reduce`, `allreduce`, `reduce_scatter`, `scan` | reductions |
//! | `neighbour` | exchanges between the neighbours of a topology |
//! | `messages` | algorithms that send messages |
//! | `hierarchical` | several nodes: segments in nodes, messages between their leaders |
//! | `shm` | collectives of one node, through a collective segment instead of messages |
//! | `setup` | creation of the collective segments of a communicator |
//! | `nonblocking_segments` | creation of those of non-blocking and persistent operations |
//! | `inter` | collectives of intercommunicators |
//! | `grid` | processes on nodes of as many members each |
//! | `words` | exchanges that the library itself needs |
//! | `finalization` | the barrier of `MPI_Finalize` |
//! | `creation` | communicators from others, from groups, and with a topology |
//! | `recording` | the messages of each process, for models of large jobs |
//! | `rehearsal` | in tests: the schedules of all processes, run without an engine |
//!
//! A builder writes the steps of one operation; `run` decides where they go. One builder serves all
//! three forms of an operation:
//!
//! ```text
//!   run(build)                                   blocking: steps are performed as they are written
//!   note(build) ──> Schedule ──> start           non-blocking: a request
//!                           └──> Template        persistent: started many times
//! ```
//!
//! Builders expect an intracommunicator; their callers check that. The builders of `inter` expect
//! an intercommunicator and use the others within each of its groups.

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod barrier;
pub mod bcast;
pub mod blocks;
mod costs;
pub mod creation;
pub mod explain;
pub mod fast;
mod finalization;
pub mod forced;
pub mod gather;
pub mod grid;
mod hierarchical;
pub mod inter;
pub mod messages;
mod mismatch;
pub mod neighbour;
mod nonblocking_segments;
pub mod operand;
pub mod operations;
pub mod operator;
mod progress;
pub mod recording;
pub mod reduce;
pub mod reduce_scatter;
#[cfg(test)]
mod rehearsal;
pub mod rows;
mod run;
pub mod scan;
pub mod scatter;
pub mod schedule;
mod setup;
pub mod shm;
pub mod site;
mod state;
pub mod steps;
pub mod table;
pub mod thresholds;
mod together;
pub mod tuning;
mod types;
mod words;

pub use barrier::barrier;
pub use blocks::{Blocks, Shares};
pub use finalization::meet_all;
pub use operator::{Operator, Reduction};
pub use progress::{HOOKS, start, start_later};
pub use run::{Entry, INTERNAL, new_schedule, note, note_persistent, perform, run, run_for};
pub use schedule::{Progress, Schedule, Step};
pub use state::part;
pub use steps::{Later, Steps};
pub use together::wait_for_all;
pub use types::Types;
pub use words::{allgather_lists, allgather_words, bcast_words, words_from_across};

pub use nemesis_mpi_core::comm::signature;
pub use nemesis_mpi_core::scratch::{get_words, put_words, scratch, scratch_bytes};

use nemesis_mpi_core::{
    abi, callback, comm, completion, context, engine, error, group, handle, info, matching,
    peer_failure, protocol, pt2pt, receive, recovery, request, send, session, topology,
};
