//! The machine: what a message, a copy and a reduction cost.
//!
//! Messages follow the LogGOPS model (Hoefler, Schneider and Lumsdaine 2010), with one network card
//! for all processes of a node, on the way out and on the way in. Times are in picoseconds, so that
//! sums are exact and a run is the same each time.

use nemesis_mpi_coll::grid::Grid;

/// Picoseconds.
pub type Time = u64;

/// The figures of a network, or of the shared memory of a node.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// L: from one process to the other.
    pub latency: Time,
    /// o: of the processor, for each message sent or received.
    pub overhead: Time,
    /// g: of the card, between two messages.
    pub gap: Time,
    /// G: for each byte.
    pub byte: Time,
    /// S: longer messages wait until their receiver has a place for them.
    pub eager_max: usize,
}

/// Nodes of equal processes, ranks in the order of the nodes.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    pub nodes: u32,
    pub per_node: u32,
    pub network: Link,
    pub memory: Link,
    /// Of the processor, for each byte copied and reduced.
    pub copy: Time,
    pub reduce: Time,
}

/// Networks by name: InfiniBand of 200 Gbit/s, as its vendors and published ping-pongs give it, and
/// Ethernet of 25 Gbit/s through the kernel.
pub const NETWORKS: [(&str, Link); 2] = [
    (
        "infiniband",
        Link { latency: 1_000_000, overhead: 250_000, gap: 10_000, byte: 40, eager_max: 16 << 10 },
    ),
    (
        "ethernet",
        Link {
            latency: 12_000_000,
            overhead: 2_500_000,
            gap: 500_000,
            byte: 320,
            eager_max: 64 << 10,
        },
    ),
];

/// Messages between processes of one node: a queue in shared memory, a copy in and a copy out.
const MEMORY: Link =
    Link { latency: 150_000, overhead: 60_000, gap: 0, byte: 100, eager_max: 64 << 10 };

/// Members of a group within a node: more meet in levels (`mpi-coll`, collective segments).
const GROUP: u32 = 16;

impl Machine {
    /// Returns a machine with the network of this name.
    pub fn new(nodes: u32, per_node: u32, network: &str) -> Option<Machine> {
        let (_, network) = NETWORKS.into_iter().find(|(name, _)| *name == network)?;
        Some(Machine { nodes, per_node, network, memory: MEMORY, copy: 80, reduce: 120 })
    }

    pub fn ranks(&self) -> u32 {
        self.nodes * self.per_node
    }

    pub fn node_of(&self, rank: u32) -> u32 {
        rank / self.per_node
    }

    pub fn grid(&self) -> Grid {
        Grid { nodes: self.nodes, members: self.per_node }
    }

    /// The machine of the nodes' leaders only.
    pub fn of_leaders(&self) -> Machine {
        Machine { per_node: 1, ..*self }
    }

    /// The numbers of members of a node's groups, from the processes to the node's leader.
    fn levels(&self) -> impl Iterator<Item = u64> {
        let mut left = self.per_node;
        std::iter::from_fn(move || {
            if left <= 1 {
                return None;
            }
            let members = left.min(GROUP);
            left = left.div_ceil(GROUP);
            Some(u64::from(members))
        })
    }

    /// The time in which the members of a node bring vectors of `bytes` bytes to their leader,
    /// reduced: each member reduces a part.
    pub fn up_to_leader(&self, bytes: usize) -> Time {
        let bytes = bytes as Time;
        let level = |members| {
            self.memory.latency
                + 2 * bytes * self.copy
                + (members - 1) * bytes * self.reduce / members
        };
        self.levels().map(level).sum()
    }

    /// The time in which the members of a node take `bytes` bytes from their leader.
    pub fn down_from_leader(&self, bytes: usize) -> Time {
        self.levels().map(|_| self.memory.latency + bytes as Time * self.copy).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_of_64_has_two_levels() {
        let machine = Machine::new(2, 64, "infiniband").unwrap();
        assert_eq!(machine.levels().collect::<Vec<_>>(), [16, 4]);
        let (latency, copy, reduce) = (machine.memory.latency, machine.copy, machine.reduce);
        assert_eq!(machine.up_to_leader(0), 2 * latency);
        let reduced = 15 * 16 * reduce / 16 + 3 * 16 * reduce / 4;
        assert_eq!(machine.up_to_leader(16), 2 * latency + 4 * 16 * copy + reduced);
        assert_eq!(machine.down_from_leader(8), 2 * latency + 2 * 8 * copy);
    }

    #[test]
    fn a_node_of_one_costs_nothing() {
        let machine = Machine::new(2, 1, "ethernet").unwrap();
        assert_eq!((machine.up_to_leader(8), machine.down_from_leader(8)), (0, 0));
    }
}
