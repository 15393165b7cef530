//! Dynamic processes (MPI 5.0 §11.6 to §11.10): jobs that become connected while they run.
//!
//! | module | subject |
//! |---|---|
//! | `ports` | ports, accept, connect, join |
//! | `names` | published names of ports |
//! | `spawn` | spawning, and the tie to a spawned job |
//! | `meeting` | how two groups become known to each other and get an intercommunicator |
//! | `parting` | disconnect |
//!
//! The roots of two groups meet at a port (`nemesis_wireup::port`) and exchange the names and cards
//! of all processes. Every process makes those of the other side known to its endpoint, and
//! connections arise when processes first communicate.

mod meeting;
pub mod names;
mod parting;
pub mod ports;
pub mod spawn;

pub use meeting::card;
pub use parting::disconnect;

use crate::engine::Mpi;

/// Closes the ports of this process, withdraws its names and releases the jobs that it has spawned,
/// if a last user of the engine is finalized.
pub fn leave(mpi: &Mpi) {
    if mpi.life.users == 1 {
        ports::close_all();
        names::withdraw_all();
        spawn::release_all();
    }
}
