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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::{rehearse, words, words_in};
    use crate::topology::Cart;

    fn even(all: &[u64]) -> Blocks {
        Blocks::Even { all: words(all), each: 1 }
    }

    #[test]
    fn words_of_a_ring_arrive_from_the_side_that_sent_them() {
        for size in [1, 2, 3, 5] {
            let ring = Cart::new(&[size as i32], &[1], size).unwrap();
            rehearse(
                size,
                |rank| {
                    let own = u64::from(rank) * 10;
                    (ring.neighbourhood(rank), even(&[own, own + 1]), even(&[7, 7]))
                },
                |steps, (neighbours, sent, received)| {
                    alltoall(steps, neighbours, sent, received);
                    Ok(())
                },
                |rank, (_, _, received)| {
                    let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
                    let found = [0, 1].map(|slot| words_in(&received.of(slot))[0]);
                    assert_eq!(found, [u64::from(left) * 10 + 1, u64::from(right) * 10]);
                },
            );
        }
    }

    #[test]
    fn blocks_without_a_partner_are_not_touched() {
        let line = Cart::new(&[3], &[0], 3).unwrap();
        rehearse(
            3,
            |rank| (line.neighbourhood(rank), words(&[u64::from(rank)]), even(&[7, 7])),
            |steps, (neighbours, own, received)| {
                allgather(steps, neighbours, own, received);
                Ok(())
            },
            |rank, (_, _, received)| {
                let found = [0, 1].map(|slot| words_in(&received.of(slot))[0]);
                assert_eq!(found, [[7, 1], [0, 2], [1, 7]][rank as usize]);
            },
        );
    }
}
