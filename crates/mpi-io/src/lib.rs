//! Files (MPI 5.0 chapter 14).
//!
//! | module | contents |
//! |---|---|
//! | `open` | opening, closing, deleting |
//! | `passing` | descriptors that the processes of a host pass to each other |
//! | `file` | the file object; its state in this process; hooks for the engine's progress |
//! | `manage` | sizes, synchronisation, atomicity, hints |
//! | `view`, `layout` | views; datatypes as a file holds them |
//! | `set_view` | `MPI_File_set_view` and the individual pointer |
//! | `datarep` | data representations |
//! | `access` | the calls that read and write |
//! | `transfer`, `worker` | reads and writes by this process, in the call or in a thread |
//! | `operation`, `exchange` | collective reads and writes as operations in progress |
//! | `two_phase`, `in_segment` | the exchange of data: by messages; through a node's segment |
//! | `file_system`, `striping` | what file systems need; how files are divided among servers |
//! | `domains`, `coverage`, `node_windows` | parts of a file; bytes written; memory for windows |
//! | `shared` | the shared pointer, and the lock of atomic mode |
//! | `kernel` | what the state report says while the kernel works on a file |
//! | `agree` | exchanges by which all ranks learn of an error at one of them |
//! | `hints`, `hints_file` | info keys; those of a file that the environment names |
//! | `errno` | errors of the kernel as errors of MPI |

mod access;
mod agree;
mod coverage;
mod datarep;
mod domains;
mod errno;
mod exchange;
mod file;
mod file_system;
mod hints;
mod hints_file;
mod in_segment;
mod kernel;
mod layout;
mod manage;
mod node_windows;
mod open;
mod operation;
mod passing;
mod set_view;
mod shared;
mod striping;
mod transfer;
mod two_phase;
mod view;
mod worker;

pub use access::{
    Given, Pointer, begin_split, collective, end_split, independent, start_collective,
    start_independent,
};
pub use datarep::register;
pub use file::{Files, Left, OpenFile, open_files, perform};
pub use manage::{
    get_atomicity, get_info, get_size, preallocate, set_atomicity, set_info, set_size, sync,
};
pub use open::{close, delete, open};
pub use set_view::{
    Described, byte_offset, get_position, get_position_shared, get_view, seek, seek_shared,
    set_view, type_extent,
};
pub use transfer::Direction;

use nemesis_mpi_coll as coll;
use nemesis_mpi_core::{
    abi, callback, completion, engine, errhandler, error, group, handle, info, peer_failure,
    protocol, recovery, request, types,
};
use nemesis_mpi_rma as rma;
