//! The barrier inside `MPI_Finalize` (MPI 5.0 §11.2.2), which all processes of the job enter.
//!
//! It has a context of its own and uses no shared-memory collective, so it pairs with nothing but
//! itself, whatever collectives the program has called or left out. Only one process of each node
//! sends messages to other nodes:
//!
//! ```text
//!   1. each node: a binomial tree towards its first process
//!   2. the first processes of all nodes: a dissemination barrier
//!   3. each node: the tree in the other direction
//! ```

use super::messages::{self, bcast_tree, perform_among};
use super::schedule::Schedule;
use super::shm::Places;
use super::steps::Steps;
use crate::abi;
use crate::comm::Comm;
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::group::Group;
use nemesis_datatype::Buffer;

/// Returns when all processes of the job are inside `MPI_Finalize`.
pub fn meet_all(mpi: &mut Mpi) -> Outcome {
    let Some((process, size)) = mpi.wireup.as_ref().map(|wireup| (wireup.rank(), wireup.size()))
    else {
        return Ok(());
    };
    mpi.progress();
    let comm = Comm::new(Context::finalization(), process, Group::new((0..size).collect()), "");
    let whole = Schedule::new(abi::MPI_COMM_WORLD, &comm, Class::Collective, 0);
    let everyone = comm.everyone();
    let places = Places::new(mpi, &everyone);
    let (node, place) = (places.node_of(process), places.place_of(process));
    let members = places.members(node, &everyone);
    let mut outcome = perform_among(mpi, &whole, (&members, place), &Ok(()), |steps| {
        tell_first(steps);
        Ok(())
    });
    if place == 0 {
        outcome = perform_among(
            mpi,
            &whole,
            (&places.firsts(&everyone), node),
            &outcome,
            messages::barrier,
        );
    }
    let released = perform_among(mpi, &whole, (&members, place), &outcome, |steps| {
        bcast_tree::bcast(steps, &Buffer::empty(), 0);
        Ok(())
    });
    outcome.and(released).map_err(|error| error.on(abi::MPI_COMM_WORLD))
}

/// Sends one empty message from every process to its parent in the binomial tree of `bcast_tree`
/// with root 0, after those from its children have come.
fn tell_first(steps: &mut Steps<'_>) {
    let (place, nothing) = (steps.rank, Buffer::empty());
    let mut distance = 1;
    while distance < steps.size && place & distance == 0 {
        if place + distance < steps.size {
            steps.receive(place + distance, &nothing);
        }
        distance *= 2;
    }
    steps.wait();
    if place != 0 {
        steps.send(place - distance, &nothing);
    }
}
