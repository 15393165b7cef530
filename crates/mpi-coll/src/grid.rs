//! Processes on nodes of as many members each.

/// Nodes of as many members each, whose ranks follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub nodes: u32,
    pub members: u32,
}

impl Grid {
    /// Returns the grid of processes that are each the only one of its node.
    pub fn apart(ranks: u32) -> Grid {
        Grid { nodes: ranks, members: 1 }
    }

    /// Returns whether each process is the only one of its node.
    pub fn is_apart(&self) -> bool {
        self.members == 1
    }

    /// Returns the node of a rank.
    pub fn node_of(&self, rank: u32) -> u32 {
        rank / self.members
    }

    /// Returns the number of a rank among the members of its node.
    pub fn member_of(&self, rank: u32) -> u32 {
        rank % self.members
    }
}
