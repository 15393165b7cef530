//! Categories (MPI 5.0 §15.3.9): a constant tree. Members are found by their names. Control
//! variables that no other category names belong to the root.

use super::{bad_name, cvar, event, index, pvar};
use crate::error::Outcome;

/// A category, with the names of its variables and events.
#[derive(Clone, Copy, Debug)]
pub struct Category {
    pub name: &'static str,
    pub what: &'static str,
    pub categories: &'static [i32],
    cvars: &'static [&'static str],
    pvars: &'static [&'static str],
    events: &'static [&'static str],
}

pub const TREE: [Category; 4] = [
    Category {
        name: "nemesis",
        what: "all of the library",
        categories: &[1, 2, 3],
        cvars: &[],
        pvars: &["nemesis_stage", "nemesis_accesses_refused"],
        events: &[],
    },
    Category {
        name: "nemesis_packets",
        what: "how packets pass from process to process",
        categories: &[],
        cvars: &[
            "NEMESIS_FASTBOX",
            "NEMESIS_CMA",
            "NEMESIS_SHM",
            "NEMESIS_NET",
            "NEMESIS_NETWORKS",
            "NEMESIS_VERBS",
            "NEMESIS_OFI_LIBRARY",
            "NEMESIS_PORTS",
            "NEMESIS_ENCRYPT",
            "NEMESIS_CELLS",
            "NEMESIS_LANES",
            "NEMESIS_VERBOSE",
        ],
        pvars: &[
            "nemesis_packets_sent",
            "nemesis_packets_received",
            "nemesis_queue_packets_sent",
            "nemesis_queue_packets_received",
            "nemesis_network_packets_sent",
            "nemesis_network_packets_received",
            "nemesis_fastbox_packets_sent",
            "nemesis_fastbox_packets_received",
            "nemesis_fastbox_bytes_sent",
            "nemesis_fastbox_bytes_received",
            "nemesis_memory_bytes_read",
            "nemesis_memory_bytes_written",
            "nemesis_fastboxes",
            "nemesis_processes",
            "nemesis_packets_waiting",
        ],
        events: &[],
    },
    Category {
        name: "nemesis_messages",
        what: "matching and protocols of point-to-point messages",
        categories: &[],
        cvars: &[
            "NEMESIS_PROTOCOL",
            "NEMESIS_EAGER_MAX_BYTES",
            "NEMESIS_UNEXPECTED_MAX_BYTES",
            "NEMESIS_PACKET_MAX_BYTES",
        ],
        pvars: &[
            "nemesis_unexpected_length",
            "nemesis_unexpected_length_max",
            "nemesis_unexpected_messages",
            "nemesis_unexpected_bytes",
            "nemesis_posted_length",
            "nemesis_posted_length_max",
            "nemesis_posted_receives",
            "nemesis_rendezvous_announced",
            "nemesis_rendezvous_read",
            "nemesis_rendezvous_streamed",
            "nemesis_throttles",
            "nemesis_requests",
            "nemesis_requests_finished",
            "nemesis_comm_unexpected_length",
        ],
        events: &["nemesis_unexpected_message", "nemesis_rendezvous_begins"],
    },
    Category {
        name: "nemesis_collectives",
        what: "communicators and collective operations",
        categories: &[],
        cvars: &[
            "NEMESIS_BARRIER",
            "NEMESIS_BCAST",
            "NEMESIS_REDUCE",
            "NEMESIS_ALLREDUCE",
            "NEMESIS_REDUCE_SCATTER",
            "NEMESIS_SCAN",
            "NEMESIS_GATHER",
            "NEMESIS_SCATTER",
            "NEMESIS_ALLGATHER",
            "NEMESIS_ALLTOALL",
            "NEMESIS_BCAST_TREE_MAX_BYTES",
            "NEMESIS_ALLREDUCE_WHOLE_MAX_BYTES",
            "NEMESIS_REDUCE_WHOLE_MAX_BYTES",
            "NEMESIS_REDUCE_SCATTER_WHOLE_MAX_BYTES",
            "NEMESIS_TREE_MAX_BLOCK_BYTES",
            "NEMESIS_ALLGATHER_ROUNDS_MAX_BYTES",
            "NEMESIS_ALLTOALL_BRUCK_MAX_BLOCK_BYTES",
            "NEMESIS_ALLTOALL_BRUCK_MIN_RANKS",
            "NEMESIS_PARTNERS_AT_ONCE",
        ],
        pvars: &[
            "nemesis_communicators",
            "nemesis_schedules",
            "nemesis_comm_collectives",
            "nemesis_comm_persistent_collectives",
        ],
        events: &["nemesis_communicator_made"],
    },
];

/// Returns the category with this index.
pub fn category(number: i32) -> Outcome<&'static Category> {
    Ok(&TREE[index(number, TREE.len())?])
}

/// Returns the index of the category of this name.
pub fn index_of(name: &str) -> Outcome<i32> {
    TREE.iter()
        .zip(0..)
        .find(|(category, _)| category.name == name)
        .map(|(_, index)| index)
        .ok_or_else(|| bad_name(name))
}

impl Category {
    /// Returns the indices of its control variables.
    pub fn cvars(&self) -> Vec<i32> {
        let named = |category: &Category| {
            category.cvars.iter().filter_map(|name| cvar::index_of(name).ok()).collect::<Vec<i32>>()
        };
        if self.name != TREE[0].name {
            return named(self);
        }
        let elsewhere: Vec<i32> = TREE.iter().flat_map(named).collect();
        (0..cvar::count() as i32).filter(|index| !elsewhere.contains(index)).collect()
    }

    /// Returns the indices of its performance variables.
    pub fn pvars(&self) -> Vec<i32> {
        let index_of =
            |name: &&str| pvar::VARIABLES.iter().position(|variable| variable.name == *name);
        self.pvars.iter().filter_map(index_of).map(|index| index as i32).collect()
    }

    /// Returns the indices of its events.
    pub fn events(&self) -> Vec<i32> {
        self.events.iter().filter_map(|name| event::index_of(name).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everything_is_in_one_category() {
        let of = |members: &dyn Fn(&Category) -> Vec<i32>| {
            let all: Vec<i32> = TREE.iter().flat_map(members).collect();
            let different: BTreeSet<i32> = all.iter().copied().collect();
            assert_eq!(all.len(), different.len());
            different.len()
        };
        assert_eq!(of(&Category::cvars), cvar::count());
        assert_eq!(of(&Category::pvars), pvar::VARIABLES.len());
        assert_eq!(of(&Category::events), event::EVENTS);
        assert_eq!(of(&|category| category.categories.to_vec()), TREE.len() - 1);
        for name in TREE.iter().flat_map(|category| category.cvars) {
            assert!(cvar::index_of(name).is_ok(), "{name} means nothing");
        }
    }
}
