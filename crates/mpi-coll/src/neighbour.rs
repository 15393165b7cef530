//! Neighbourhood collectives (MPI 5.0 §8.6): every process sends along its outgoing edges and
//! receives along its incoming ones.
//!
//! All receives start, then all sends, in the order of the [`Neighbourhood`], which pairs the edges
//! of two processes that share several. An edge of a process to itself is a copy. Blocks without a
//! partner are not touched.

use super::{Blocks, Steps};
use crate::topology::Neighbourhood;
use nemesis_datatype::Buffer;

/// Sends one buffer along every outgoing edge: `MPI_Neighbor_allgather` and its variants.
pub fn allgather(
    steps: &mut Steps<'_>,
    neighbours: &Neighbourhood,
    own: &Buffer,
    received: &Blocks,
) {
    exchange(steps, neighbours, &|_| own.clone(), received);
}

/// Sends a block along every edge: `MPI_Neighbor_alltoall` and its variants.
pub fn alltoall(
    steps: &mut Steps<'_>,
    neighbours: &Neighbourhood,
    sent: &Blocks,
    received: &Blocks,
) {
    exchange(steps, neighbours, &|slot| sent.of(slot), received);
}

fn exchange(
    steps: &mut Steps<'_>,
    neighbours: &Neighbourhood,
    sent: &dyn Fn(u32) -> Buffer,
    received: &Blocks,
) {
    for edge in &neighbours.incoming {
        steps.receive_some(edge.rank, &received.of(edge.slot));
    }
    for edge in &neighbours.outgoing {
        steps.send_some(edge.rank, &sent(edge.slot));
    }
    for &(to, from) in &neighbours.own {
        steps.copy(&sent(to), &received.of(from));
    }
    steps.wait();
}
