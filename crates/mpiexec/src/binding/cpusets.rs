//! What the ranks of this host get: by default each its share of the cores.
//!
//! ```text
//!   cores that we may use and nobody has claimed     0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
//!   two ranks                                        └─── rank 0 ──┘ └───── rank 1 ──────┘
//! ```
//!
//! A rank that stays on its cores keeps its caches, and two ranks that talk never share one while another is idle, as the kernel lets them when
//! something else runs beside. Shares are of whole cores, in the order of sockets and memory nodes, and all of them are given out: programs with threads
//! keep their room, and only a job of about as many ranks as cores is bound to single ones.
//!
//! A share may harm where the kernel has something to choose that we do not see. So nothing is bound
//!
//! - when a host has one rank, which may use everything anyway, or more ranks than cores;
//! - when a quota allows fewer processors than the mask: which of them will be idle, the kernel knows;
//! - when others have claimed so many cores that fewer are left than there are ranks.
//!
//! A job that a rank starts shares what that rank has. Its launcher's claims say nothing then, since they are on the same cores: among themselves those that
//! are started within one job claim by names of their own.

use super::claim::{Claims, Core, Names};
use super::{Binding, Kind, Processor, identity, machine, processors_of};
use nemesis_wireup::{Processors, environment};
use std::collections::BTreeMap;
use std::path::Path;

/// The names of claims on this machine.
const NAMES: &str = "nemesis-core";

/// The processors of each rank of this host.
#[derive(Debug, Default)]
pub struct Cpusets {
    /// By rank; empty where nobody is bound.
    shares: Vec<Vec<usize>>,
    /// Processors that all of them may keep busy at once.
    processors: usize,
    /// The shares may be given up.
    yielding: bool,
    /// Why nobody is bound, where that was not asked for.
    pub why_not: Option<String>,
    _claims: Claims,
}

impl Cpusets {
    /// For `ranks` ranks on this host, of whose processors `allowed` are ours and as many as `usable` at once.
    pub fn prepare(binding: &Binding, ranks: usize, allowed: &[usize], usable: usize) -> Cpusets {
        let cpusets = Cpusets { processors: usable, ..Cpusets::default() };
        match binding.to.kind {
            Kind::None => cpusets,
            Kind::Share => match shares(ranks, allowed, usable) {
                Ok(shared) => shared,
                Err(why) => Cpusets { why_not: why, ..cpusets },
            },
            _ => {
                let machine = machine(Path::new("/sys"), allowed);
                let shares: Vec<Vec<usize>> = (0..ranks)
                    .filter_map(|local| processors_of(&machine, binding, local))
                    .collect();
                let used: Vec<Processor> = machine
                    .into_iter()
                    .filter(|processor| {
                        shares.iter().flatten().any(|&number| number == processor.number)
                    })
                    .collect();
                let cores: Vec<Core> =
                    cores(&used).into_keys().map(|(socket, _, core)| (socket, core)).collect();
                // Who says it gets it; others shall know.
                Cpusets {
                    shares,
                    _claims: Names(&names(allowed)).claim(&cores, |_| true).unwrap_or_default(),
                    ..cpusets
                }
            }
        }
    }

    /// What a rank is told of it: how many processors all of them may keep busy together; and which, and which are its own, if it may give up its share.
    pub fn told(&self, local: usize) -> String {
        match self.of(local).filter(|_| self.yielding) {
            None => self.processors.to_string(),
            Some(own) => {
                let mut all = self.shares.concat();
                all.sort_unstable();
                format!("{}:{}:{}", self.processors, shown(&all), shown(own))
            }
        }
    }

    /// The processors of the rank that is number `local` on this host; `None` if it is not to be bound.
    pub fn of(&self, local: usize) -> Option<&[usize]> {
        self.shares.get(local).map(Vec::as_slice)
    }
}

/// Shares of the cores that nobody has claimed; or why there are none to give, if that is worth saying.
fn shares(ranks: usize, allowed: &[usize], usable: usize) -> Result<Cpusets, Option<String>> {
    if ranks < 2 {
        return Err(None);
    }
    if usable < allowed.len() {
        return Err(Some(format!("a quota leaves {usable} of {} processors", allowed.len())));
    }
    // Before the machine is looked at, which takes a moment for each processor.
    if ranks > allowed.len() {
        return Err(Some(format!("{ranks} ranks, {} processors", allowed.len())));
    }
    let machine = machine(Path::new("/sys"), allowed);
    shares_of(&machine, ranks, Names(&names(allowed)))
}

/// The names of claims here.
fn names(allowed: &[usize]) -> String {
    let told = |name| std::env::var(name).ok();
    names_within(
        told(environment::PROCESSORS).as_deref(),
        told(environment::JOB).as_deref(),
        allowed,
    )
}

/// The names of claims of what is started by somebody who has been told `processors` of `job`: names of its own if `allowed` is his share.
fn names_within(processors: Option<&str>, job: Option<&str>, allowed: &[usize]) -> String {
    let outer = processors.and_then(Processors::read).filter(|told| told.own == allowed);
    match (outer, job) {
        (Some(_), Some(job)) => format!("{NAMES}-{job}"),
        _ => NAMES.to_owned(),
    }
}

fn shares_of(
    machine: &[Processor],
    ranks: usize,
    names: Names<'_>,
) -> Result<Cpusets, Option<String>> {
    let cores = cores(machine);
    if ranks > cores.len() {
        return Err(Some(format!("{ranks} ranks, {} cores", cores.len())));
    }
    let mut shares = Vec::new();
    let all: Vec<Core> = cores.keys().map(|&(socket, _, core)| (socket, core)).collect();
    let claims = names.claim(&all, |ours| {
        let of_core = |&(socket, _, core): &(u32, u32, u32)| ours.contains(&(socket, core));
        let free: Vec<&Vec<usize>> = cores
            .iter()
            .filter(|(core, _)| of_core(core))
            .map(|(_, processors)| processors)
            .collect();
        shares = divided(&free, ranks);
        !shares.is_empty()
    });
    let claims = claims.map_err(|refusal| Some(refusal.to_string()))?;
    let processors = shares.iter().map(Vec::len).sum();
    Ok(Cpusets { shares, processors, yielding: true, why_not: None, _claims: claims })
}

/// The cores in the order of sockets and memory nodes, each with its processors.
fn cores(machine: &[Processor]) -> BTreeMap<(u32, u32, u32), Vec<usize>> {
    let mut cores: BTreeMap<(u32, u32, u32), Vec<usize>> = BTreeMap::new();
    for processor in machine {
        let (socket, core, _) = identity(processor, Kind::Core);
        cores.entry((socket, processor.numa, core)).or_default().push(processor.number);
    }
    cores
}

/// So many neighbouring shares of all cores, none larger than another by more than one core; none at all when there are not enough.
fn divided(cores: &[&Vec<usize>], ranks: usize) -> Vec<Vec<usize>> {
    if ranks > cores.len() {
        return Vec::new();
    }
    let share = |rank: usize| {
        let mut numbers: Vec<usize> = cores
            [rank * cores.len() / ranks..(rank + 1) * cores.len() / ranks]
            .iter()
            .copied()
            .flatten()
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers
    };
    (0..ranks).map(share).collect()
}

/// Processors as people read them: `0-3,8`.
pub fn shown(processors: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &processor in processors {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == processor => *last = processor,
            _ => ranges.push((processor, processor)),
        }
    }
    let text = ranges.iter().map(|&(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    text.collect::<Vec<String>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::object;
    use crate::binding::tests::two_sockets;

    fn name(test: &str) -> String {
        format!("nemesis-test-{test}-{}", std::process::id())
    }

    fn shared(ranks: usize, names: &str) -> Result<Cpusets, Option<String>> {
        shares_of(&two_sockets(4), ranks, Names(names))
    }

    #[test]
    fn ranks_share_the_cores_in_the_order_of_the_machine() {
        let name = name("share");
        assert_eq!(
            shared(2, &name).unwrap().shares,
            [[0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]]
        );
        assert_eq!(shared(8, &name).unwrap().shares[6..], [[6, 14], [7, 15]]);
        let three = shared(3, &name).unwrap();
        assert_eq!(
            three.shares,
            [vec![0, 1, 8, 9], vec![2, 3, 4, 10, 11, 12], vec![5, 6, 7, 13, 14, 15]]
        );
        assert_eq!((three.of(0).map(shown).as_deref(), three.of(3)), (Some("0-1,8-9"), None));
        assert_eq!(three.told(0), "16:0-15:0-1,8-9");
    }

    #[test]
    fn more_ranks_than_cores_are_not_bound() {
        assert_eq!(shared(9, &name("many")).unwrap_err().unwrap(), "9 ranks, 8 cores");
    }

    #[test]
    fn a_second_job_takes_what_is_free_or_nothing() {
        let name = name("second");
        let first = Names(&name).claim(&[(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)], |_| true);
        let second = shared(3, &name).unwrap();
        assert_eq!(second.shares, [[4, 12], [5, 13], [6, 14]]);
        assert_eq!(second.processors, 6);
        assert!(shared(2, &name).unwrap_err().unwrap().contains("other jobs"));
        drop(second);
        assert!(shared(4, &name).is_err());
        drop(first);
        assert_eq!(shared(4, &name).unwrap().shares.len(), 4);
    }

    #[test]
    fn who_is_started_by_a_rank_claims_within_its_share() {
        let told = Cpusets {
            shares: vec![vec![0, 1], vec![2, 3]],
            processors: 4,
            yielding: true,
            ..Cpusets::default()
        }
        .told(1);
        let within = |allowed: &[usize]| names_within(Some(&told), Some("7f"), allowed);
        assert_eq!(within(&[2, 3]), "nemesis-core-7f");
        assert_eq!([within(&[2]), within(&[0, 1, 2, 3])], [NAMES; 2], "a mask of somebody else");
        assert_eq!(
            [names_within(Some("4"), Some("7f"), &[2, 3]), names_within(None, None, &[2, 3])],
            [NAMES; 2],
            "no share"
        );
    }

    #[test]
    fn quotas_and_single_ranks_are_left_alone() {
        assert_eq!(shares(1, &[0, 1], 2).unwrap_err(), None);
        assert_eq!(
            shares(2, &[0, 1, 2, 3], 3).unwrap_err().unwrap(),
            "a quota leaves 3 of 4 processors"
        );
        assert_eq!(shares(3, &[0, 1], 2).unwrap_err().unwrap(), "3 ranks, 2 processors");
    }

    #[test]
    fn who_asks_gets_what_is_asked_for() {
        let allowed = nemesis_sys::process::allowed_processors().unwrap();
        let bound_to = |text| Binding { to: object(text).unwrap(), map: object("none").unwrap() };
        let cpusets = Cpusets::prepare(&bound_to("none"), 2, &allowed, 1);
        assert_eq!((cpusets.of(0), cpusets.told(0).as_str(), &cpusets.why_not), (None, "1", &None));
        let (one, other) = (
            Cpusets::prepare(&bound_to("core"), 1, &allowed, 1),
            Cpusets::prepare(&bound_to("core"), 1, &allowed, 1),
        );
        assert_eq!(one.of(0), other.of(0), "asked for is not refused");
        assert!(one.of(0).unwrap().contains(&allowed[0]));
    }
}
