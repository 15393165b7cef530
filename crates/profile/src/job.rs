//! The figures of all ranks of a job, and sums of them.

use crate::CALLS;
use crate::call::Family;
use crate::figures::{Figures, SiteFigures};
use crate::layout::CLASSES;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

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
    /// When the job ended, as RFC 3339 writes it.
    pub date: String,
    /// The places of call sites in words, by file and offset.
    places: HashMap<(String, u64), String>,
}

/// Sums of the calls of one function from one place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteSum {
    /// The place in `CALLS`.
    pub call: usize,
    /// The place in the program, in words.
    pub place: String,
    /// The number of calls.
    pub calls: u64,
    /// Nanoseconds in these calls.
    pub ns: u64,
    /// Bytes that these calls sent or contributed.
    pub bytes: u64,
    /// The rank that has spent the least time in these calls, and this time.
    pub least: (u32, u64),
    /// The rank that has spent the most time in these calls, and this time.
    pub most: (u32, u64),
    /// The number of ranks that have made them.
    pub ranks: u32,
}

/// The rank for which the others have waited in collectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// The rank.
    pub rank: u32,
    /// Nanoseconds that it has spent in collectives.
    pub ns: u64,
    /// Nanoseconds that the others have, on average.
    pub others_ns: u64,
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
    /// `date` is the present time as RFC 3339 writes it.
    pub fn new(size: u32, mut ranks: Vec<Figures>, command: String, date: String) -> Profile {
        for figures in &mut ranks {
            // The figures come from other processes.
            let is_known = |call: u32| (call as usize) < CALLS.len();
            figures.calls.retain(|sum| is_known(sum.call) && (sum.class as usize) < CLASSES);
            figures.events.retain(|event| is_known(event.call));
            figures.sites.retain(|site| is_known(site.call));
        }
        ranks.sort_by_key(|figures| figures.rank);
        ranks.dedup_by_key(|figures| figures.rank);
        Profile { size, ranks, command, date, places: HashMap::new() }
    }

    /// Asks for the places of all call sites in words.
    pub fn name_places(&mut self, mut words: impl FnMut(&SiteFigures) -> String) {
        for site in self.ranks.iter().flat_map(|rank| &rank.sites) {
            let key = (site.file.clone(), site.offset);
            self.places.entry(key).or_insert_with(|| words(site));
        }
    }

    /// Returns the place of a call site in words.
    fn place(&self, site: &SiteFigures) -> String {
        let key = (site.file.clone(), site.offset);
        self.places.get(&key).cloned().unwrap_or_else(|| {
            let file = Path::new(&site.file);
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            format!("{name}+{:#x}", site.offset)
        })
    }

    /// Returns the hosts of the ranks.
    pub fn hosts(&self) -> BTreeSet<&str> {
        self.ranks.iter().map(|rank| rank.host.as_str()).collect()
    }

    /// Returns the sums of the call sites, the longest time first.
    pub fn sites(&self) -> Vec<SiteSum> {
        let mut sums: BTreeMap<(usize, String), SiteSum> = BTreeMap::new();
        for rank in &self.ranks {
            // Several offsets may be one line.
            let mut own: BTreeMap<(usize, String), [u64; 3]> = BTreeMap::new();
            for site in &rank.sites {
                let sum = own.entry((site.call as usize, self.place(site))).or_default();
                let figures = [site.calls, site.ns, site.bytes];
                sum.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
            }
            for ((call, place), [calls, ns, bytes]) in own {
                let one = (rank.rank, ns);
                let sum = sums.entry((call, place.clone())).or_insert_with(|| SiteSum {
                    call,
                    place,
                    calls: 0,
                    ns: 0,
                    bytes: 0,
                    least: one,
                    most: one,
                    ranks: 0,
                });
                (sum.calls, sum.ns, sum.bytes) =
                    (sum.calls + calls, sum.ns + ns, sum.bytes + bytes);
                sum.least = std::cmp::min_by_key(sum.least, one, |one| one.1);
                sum.most = std::cmp::max_by_key(one, sum.most, |one| one.1);
                sum.ranks += 1;
            }
        }
        let mut sums: Vec<SiteSum> = sums.into_values().collect();
        sums.sort_by_key(|sum| std::cmp::Reverse(sum.ns));
        sums
    }

    /// Returns the rank for which the others wait in collectives: it comes late, and so spends the
    /// least time in them. `None` if no rank spends less than half of what the others do.
    pub fn late(&self) -> Option<Late> {
        let in_collectives = |rank: &Figures| {
            let calls = rank.calls.iter();
            let waits = calls.filter(|sum| sum.of().waits && sum.of().family == Family::Collective);
            waits.map(|sum| sum.ns).sum::<u64>()
        };
        let times: Vec<(u32, u64)> =
            self.ranks.iter().map(|rank| (rank.rank, in_collectives(rank))).collect();
        let &(rank, ns) = times.iter().min_by_key(|one| one.1)?;
        let others = times.len().checked_sub(1).filter(|&others| others > 0)? as u64;
        let others_ns = (times.iter().map(|one| one.1).sum::<u64>() - ns) / others;
        // What is short is noise.
        let matters = others_ns > 2 * ns && 100 * others_ns > self.times().0 / (others + 1);
        matters.then_some(Late { rank, ns, others_ns })
    }

    /// Returns the pair of ranks of which the first has spent the most time in sends, receives and
    /// waits for the second, and the nanoseconds.
    pub fn longest_pair(&self) -> Option<(u32, u32, u64)> {
        let pairs = self.ranks.iter().flat_map(|rank| {
            let named = rank.named.iter().filter(|(peer, _)| *peer < self.size);
            named.map(|&(peer, ns)| (rank.rank, peer, ns))
        });
        pairs.filter(|pair| pair.0 != pair.1).max_by_key(|pair| pair.2)
    }

    /// Returns the nanoseconds for which all ranks have used processors, and for which they have
    /// waited for one.
    pub fn processors(&self) -> (u64, u64) {
        self.ranks.iter().fold((0, 0), |sum, rank| (sum.0 + rank.cpu_ns, sum.1 + rank.queue_ns))
    }

    /// Returns the calls of all ranks from places for which there was no space.
    pub fn unplaced(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.unplaced).sum()
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
        let site = |name, offset, calls, ns| SiteFigures {
            call: place(name),
            file: "/home/u/a.out".into(),
            offset,
            is_program: true,
            calls,
            ns,
            bytes: 0,
            is_present: false,
        };
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
            cpu_ns: 600_000,
            queue_ns: 300_000,
            sites: vec![site("MPI_Send", 0x10, 10, 100_000), site("MPI_Barrier", 0x20, 1, 100_000)],
            ..Figures::default()
        };
        let second = Figures {
            rank: 1,
            host: "c".into(),
            ns: 1_000_000,
            calls: vec![calls("MPI_Recv", 2, 10, 600_000, 0)],
            peers: vec![peer(0, 1, 1 << 20, "tcp")],
            named: vec![(0, 600_000)],
            cpu_ns: 400_000,
            sites: vec![
                site("MPI_Recv", 0x30, 4, 200_000),
                site("MPI_Recv", 0x38, 6, 400_000),
                site("MPI_Send", 0x10, 1, 50_000),
            ],
            ..Figures::default()
        };
        let date = "2026-11-30T08:10:02.000Z".into();
        let mut profile = Profile::new(3, vec![second, first], "./a.out x".into(), date);
        profile.name_places(|site| match site.offset {
            0x30 | 0x38 => "exchange (halo.c:112)".into(),
            _ => format!("main (a.out+{:#x})", site.offset),
        });
        profile
    }

    #[test]
    fn call_sites_are_added_by_line_and_rank() {
        let sites = example().sites();
        let places: Vec<&str> = sites.iter().map(|sum| sum.place.as_str()).collect();
        assert_eq!(places, ["exchange (halo.c:112)", "main (a.out+0x10)", "main (a.out+0x20)"]);
        let [first, second, _] = &sites[..] else { panic!("{sites:?}") };
        assert_eq!((first.calls, first.ns, first.ranks), (10, 600_000, 1));
        assert_eq!((second.calls, second.least, second.most), (11, (1, 50_000), (0, 100_000)));
        let bare = Profile { places: HashMap::new(), ..example() };
        assert!(bare.sites().iter().any(|sum| sum.place == "a.out+0x20"));
    }

    #[test]
    fn who_comes_late_is_waited_for() {
        let mut profile = example();
        let barrier = |rank: u32, ns| Figures {
            rank,
            ns: 1_000_000,
            calls: vec![CallFigures {
                call: place("MPI_Barrier"),
                class: 0,
                calls: 1,
                ns,
                bytes: 0,
            }],
            ..Figures::default()
        };
        profile.ranks = vec![barrier(0, 300_000), barrier(1, 1_000), barrier(2, 500_000)];
        assert_eq!(profile.late(), Some(Late { rank: 1, ns: 1_000, others_ns: 400_000 }));
        profile.ranks[1] = barrier(1, 250_000);
        assert_eq!(profile.late(), None, "all wait alike");
        profile.ranks = vec![barrier(0, 3_000), barrier(1, 0)];
        assert_eq!(profile.late(), None, "that is noise");
        assert_eq!(example().longest_pair(), Some((1, 0, 600_000)));
        assert_eq!(example().processors(), (1_000_000, 300_000));
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
        let profile = Profile::new(3, profile.ranks, String::new(), String::new());
        assert_eq!(profile.calls().len(), 1);
    }
}
