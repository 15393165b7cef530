//! Neighbourhoods: the partners of a process in neighbourhood collectives, slot by slot (MPI 5.0
//! §8.6).
//!
//! A send buffer has a slot for every outgoing edge, a receive buffer a slot for every incoming
//! edge. Two processes may share several edges: in a periodic dimension of one or two processes, or
//! in a graph that names an edge several times. Messages of a pair keep their order, so the
//! position among the edges of the pair identifies an edge: the k-th message from one process to
//! the other matches the k-th receive there. A neighbourhood lists its edges in an order in which
//! both ends mean the same edge.

/// A slot of a buffer, and the rank of its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub slot: u32,
    pub rank: u32,
}

/// The edges of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// Number of slots of a send buffer, including those without a partner (`MPI_PROC_NULL`).
    pub outdegree: u32,
    /// Number of slots of a receive buffer, including those without a partner.
    pub indegree: u32,
    /// Edges to other processes, in the order of their messages.
    pub outgoing: Vec<Edge>,
    /// Edges from other processes, in the order of their messages.
    pub incoming: Vec<Edge>,
    /// Edges from this process to itself: slot of the send buffer, slot of the receive buffer.
    /// Edges that are named at one end only are left out.
    pub own: Vec<(u32, u32)>,
}

impl Neighbourhood {
    /// Makes the neighbourhood of process `rank`. Edges are in the order of their messages;
    /// `degrees` count all slots.
    pub fn new(
        rank: u32,
        outgoing: Vec<Edge>,
        incoming: Vec<Edge>,
        degrees: [usize; 2],
    ) -> Neighbourhood {
        let [outdegree, indegree] = degrees.map(|degree| degree as u32);
        let is_own = |edge: &Edge| edge.rank == rank;
        let (own_out, outgoing): (Vec<Edge>, Vec<Edge>) = outgoing.into_iter().partition(is_own);
        let (own_in, incoming): (Vec<Edge>, Vec<Edge>) = incoming.into_iter().partition(is_own);
        let own = own_out.iter().zip(&own_in).map(|(to, from)| (to.slot, from.slot)).collect();
        Neighbourhood { outdegree, indegree, outgoing, incoming, own }
    }

    /// Returns one edge for each of `ranks`, in the order of slots.
    pub fn in_order(ranks: &[u32]) -> Vec<Edge> {
        ranks.iter().zip(0..).map(|(&rank, slot)| Edge { slot, rank }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_to_oneself_are_paired_in_order() {
        let (sends, receives) =
            (Neighbourhood::in_order(&[1, 0, 1]), Neighbourhood::in_order(&[1, 1, 2]));
        let neighbours = Neighbourhood::new(1, sends, receives, [3, 3]);
        assert_eq!(neighbours.own, [(0, 0), (2, 1)]);
        assert_eq!(neighbours.outgoing, [Edge { slot: 1, rank: 0 }]);
        assert_eq!(neighbours.incoming, [Edge { slot: 2, rank: 2 }]);
    }
}
