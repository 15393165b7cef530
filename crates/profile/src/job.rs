//! The figures of all ranks of a job, and sums of them.

use crate::CALLS;
use crate::figures::Figures;
use crate::layout::CLASSES;
use std::collections::BTreeMap;

/// The profile of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The number of ranks.
    pub size: u32,
    /// The figures of ranks, by rank. Ranks without figures have not called MPI, or their host has
    /// been lost.
    pub ranks: Vec<Figures>,
    /// The program and its arguments.
    pub command: String,
}

/// Sums of the calls of one function by all ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSum {
    /// The place in `CALLS`.
    pub call: usize,
    /// The number of calls.
    pub calls: u64,
    /// Nanoseconds in these calls.
    pub ns: u64,
    /// Bytes that these calls sent or contributed.
    pub bytes: u64,
    /// Nanoseconds by class of sizes.
    pub ns_by_class: [u64; CLASSES],
}

impl Profile {
    /// Makes the profile of a job from the figures that have arrived.
    pub fn new(size: u32, mut ranks: Vec<Figures>, command: String) -> Profile {
        for figures in &mut ranks {
            // The figures come from other processes.
            let is_known = |call: u32| (call as usize) < CALLS.len();
            figures.calls.retain(|sum| is_known(sum.call) && (sum.class as usize) < CLASSES);
            figures.events.retain(|event| is_known(event.call));
        }
        ranks.sort_by_key(|figures| figures.rank);
        ranks.dedup_by_key(|figures| figures.rank);
        Profile { size, ranks, command }
    }

    /// Returns the ranks without figures.
    pub fn missing(&self) -> Vec<u32> {
        let known = |rank: &u32| self.ranks.binary_search_by_key(rank, |one| one.rank).is_ok();
        (0..self.size).filter(|rank| !known(rank)).collect()
    }

    /// Returns the sums of the functions that were called, the longest time first.
    pub fn calls(&self) -> Vec<CallSum> {
        let mut sums: BTreeMap<usize, CallSum> = BTreeMap::new();
        for figures in self.ranks.iter().flat_map(|rank| &rank.calls) {
            let call = figures.call as usize;
            let sum = sums.entry(call).or_insert(CallSum {
                call,
                calls: 0,
                ns: 0,
                bytes: 0,
                ns_by_class: [0; CLASSES],
            });
            sum.calls += figures.calls;
            sum.ns += figures.ns;
            sum.bytes += figures.bytes;
            sum.ns_by_class[figures.class as usize] += figures.ns;
        }
        let mut sums: Vec<CallSum> = sums.into_values().collect();
        sums.sort_by(|a, b| b.ns.cmp(&a.ns).then(CALLS[a.call].name.cmp(CALLS[b.call].name)));
        sums
    }

    /// Returns messages and bytes by transport.
    pub fn transports(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut sums = BTreeMap::new();
        for peer in self.ranks.iter().flat_map(|rank| &rank.peers) {
            let sum: &mut (u64, u64) = sums.entry(peer.transport.as_str()).or_default();
            sum.0 += peer.messages;
            sum.1 += peer.bytes;
        }
        sums
    }

    /// Returns the nanoseconds of all ranks, those in MPI, and those in calls that wait.
    pub fn times(&self) -> (u64, u64, u64) {
        self.ranks.iter().fold((0, 0, 0), |sum, rank| {
            (sum.0 + rank.ns, sum.1 + rank.mpi_ns(), sum.2 + rank.waiting_ns())
        })
    }

    /// Returns the events of all ranks that found no space.
    pub fn dropped(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.dropped).sum()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::figures::{CallFigures, Event, PeerFigures};

    /// Returns the place of a call.
    pub fn place(name: &str) -> u32 {
        CALLS.iter().position(|call| call.name == name).unwrap() as u32
    }

    /// Returns a profile of two ranks, the third of which has no figures.
    pub fn example() -> Profile {
        let calls = |name, class, calls, ns, bytes| CallFigures {
            call: place(name),
            class,
            calls,
            ns,
            bytes,
        };
        let peer = |peer, messages, bytes, transport: &str| PeerFigures {
            peer,
            messages,
            bytes,
            transport: transport.into(),
        };
        let event =
            Event { begin: 1_000, ns: 500, call: place("MPI_Send"), peer: Some(1), bytes: 8 };
        let first = Figures {
            rank: 0,
            host: "a<b".into(),
            ns: 1_000_000,
            finalized: true,
            calls: vec![
                calls("MPI_Send", 2, 10, 100_000, 80),
                calls("MPI_Barrier", 0, 1, 100_000, 0),
            ],
            peers: vec![peer(1, 10, 80, "shm")],
            unexpected_max: 2048,
            events: vec![event],
            dropped: 3,
            ..Figures::default()
        };
        let second = Figures {
            rank: 1,
            host: "c".into(),
            ns: 1_000_000,
            calls: vec![calls("MPI_Recv", 2, 10, 600_000, 0)],
            peers: vec![peer(0, 1, 1 << 20, "tcp")],
            ..Figures::default()
        };
        Profile::new(3, vec![second, first], "./a.out x".into())
    }

    #[test]
    fn figures_are_added() {
        let profile = example();
        assert_eq!(profile.missing(), [2]);
        assert_eq!(profile.times(), (2_000_000, 800_000, 700_000));
        let names: Vec<&str> = profile.calls().iter().map(|sum| CALLS[sum.call].name).collect();
        assert_eq!(names, ["MPI_Recv", "MPI_Barrier", "MPI_Send"]);
        let transports: Vec<_> = profile.transports().into_iter().collect();
        assert_eq!(transports, [("shm", (10, 80)), ("tcp", (1, 1 << 20))]);
    }

    #[test]
    fn figures_that_name_nothing_are_left_out() {
        let mut profile = example();
        profile.ranks[0].calls[0].call = u32::MAX;
        profile.ranks[1].calls[0].class = u32::MAX;
        let profile = Profile::new(3, profile.ranks, String::new());
        assert_eq!(profile.calls().len(), 1);
    }
}
