//! Neighbourhoods: with whom a process exchanges in neighbourhood collectives, slot by slot (MPI 5.0 §8.6).
//!
//! A send buffer has a slot for every outgoing edge, a receive buffer one for every incoming edge. Two processes may share several edges: in a
//! periodic dimension of one or two processes, or in a graph that names an edge several times. Packets of a pair keep their order, so an edge is
//! known by its place among the edges of the pair: the k-th message of one to the other belongs to the other's k-th receive from it. A neighbourhood
//! lists its edges in an order that makes both ends mean the same edge.

/// A slot of a buffer, and the rank that it exchanges with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub slot: u32,
    pub rank: u32,
}

/// The edges of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// Slots of a send buffer, those without a partner (`MPI_PROC_NULL`) included.
    pub outdegree: u32,
    /// Slots of a receive buffer, those without a partner included.
    pub indegree: u32,
    /// Edges to others, in the order of their messages.
    pub outgoing: Vec<Edge>,
    /// Edges from others, in the order of their messages.
    pub incoming: Vec<Edge>,
    /// Edges from this process to itself: slot of the send buffer, slot of the receive buffer. Those named at one end only are left out.
    pub own: Vec<(u32, u32)>,
}

impl Neighbourhood {
    /// The neighbourhood of the process `rank`. The order of the edges is that of their messages; degrees count all slots.
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

    /// Edges in the order of their slots, all of which have a partner.
    pub fn in_order(ranks: &[u32]) -> Vec<Edge> {
        ranks.iter().zip(0..).map(|(&rank, slot)| Edge { slot, rank }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_to_oneself_meet_in_their_order() {
        let (sends, receives) =
            (Neighbourhood::in_order(&[1, 0, 1]), Neighbourhood::in_order(&[1, 1, 2]));
        let neighbours = Neighbourhood::new(1, sends, receives, [3, 3]);
        assert_eq!(neighbours.own, [(0, 0), (2, 1)]);
        assert_eq!(neighbours.outgoing, [Edge { slot: 1, rank: 0 }]);
        assert_eq!(neighbours.incoming, [Edge { slot: 2, rank: 2 }]);
    }
}
