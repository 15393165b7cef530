//! The processors of the ranks of this host; by default each rank gets a share of the cores.
//!
//! ```text
//!   cores that may be used and that no job claims    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
//!   two ranks                                        └─── rank 0 ──┘ └───── rank 1 ──────┘
//! ```
//!
//! A rank that stays on its cores keeps its caches. Two ranks that communicate never run on one
//! core while another is idle, which the kernel allows when other programs run. Shares consist of
//! whole cores, in the order of sockets and memory nodes, and all cores are given out. Programs
//! with threads can therefore use several cores, and only a job with about as many ranks as cores
//! is bound to single cores.
//!
//! A share may do harm where the kernel knows more than the launcher. Ranks are therefore not bound
//!
//! - if the host has one rank, which may use everything anyway, or more ranks than cores;
//! - if a quota allows fewer processors than the mask: only the kernel knows which will be idle;
//! - if other jobs have claimed so many cores that fewer are left than there are ranks.
//!
//! A job that a rank starts shares the cores of that rank. The claims of the rank's launcher cover
//! these cores, so they do not count: jobs that are started within one job claim cores among
//! themselves, under names of their own.

use super::claim::{Claims, Core, Names};
use super::objects::{Binding, Kind, Processor, identity, machine, processors_of};
use nemesis_wireup::{Processors, environment};
use std::collections::BTreeMap;
use std::path::Path;

/// Prefix of the names of claims on this machine.
const NAMES: &str = "nemesis-core";

/// The processors of each rank of this host.
#[derive(Debug, Default)]
pub struct Cpusets {
    /// The processors by rank; empty if ranks are not bound.
    shares: Vec<Vec<usize>>,
    /// Number of processors that the ranks can keep busy together.
    processors: usize,
    /// Whether ranks may give up their shares.
    may_be_given_up: bool,
    /// Why ranks are not bound, if they are not and the user has not asked for that.
    pub why_not: Option<String>,
    _claims: Claims,
}

impl Cpusets {
    /// Chooses the processors of `ranks`, the ranks of this host. `allowed` are the processors of
    /// this process, of which it may keep `usable` busy.
    pub fn prepare(binding: &Binding, ranks: &[u32], allowed: &[usize], usable: usize) -> Cpusets {
        let may = |number: &&usize| binding.only.is_empty() || binding.only.contains(number);
        let chosen: Vec<usize> = allowed.iter().filter(may).copied().collect();
        if chosen.is_empty() {
            let only = shown(&binding.only);
            let why = format!("this host has none of the processors {only} for this job");
            return Cpusets { processors: usable, why_not: Some(why), ..Cpusets::default() };
        }
        let usable = if binding.only.is_empty() { usable } else { usable.min(chosen.len()) };
        let prepared = Cpusets::among(binding, ranks, &chosen, usable);
        if !binding.only.is_empty() && prepared.shares.is_empty() {
            // They may use all of what the user has chosen.
            return Cpusets { shares: vec![chosen; ranks.len()], why_not: None, ..prepared };
        }
        prepared
    }

    /// Chooses processors among those that the ranks may use.
    fn among(binding: &Binding, ranks: &[u32], allowed: &[usize], usable: usize) -> Cpusets {
        let cpusets = Cpusets { processors: usable, ..Cpusets::default() };
        match binding.to.kind {
            Kind::None => cpusets,
            Kind::Share => match shares(ranks.len(), allowed, usable) {
                Ok(shared) => shared,
                Err(why) => Cpusets { why_not: why, ..cpusets },
            },
            _ => {
                let machine = machine(Path::new("/sys"), allowed);
                let numbers = ranks.iter().enumerate();
                let found: Vec<Option<Vec<usize>>> = numbers
                    .map(|(local, &rank)| processors_of(&machine, binding, local, rank))
                    .collect();
                let lacking = found.iter().any(Option::is_none) && !allowed.is_empty();
                let shares: Vec<Vec<usize>> =
                    found.into_iter().map(|own| own.unwrap_or(allowed.to_vec())).collect();
                let used: Vec<Processor> = machine
                    .into_iter()
                    .filter(|processor| {
                        shares.iter().flatten().any(|&number| number == processor.number)
                    })
                    .collect();
                let cores: Vec<Core> =
                    cores(&used).into_keys().map(|(socket, _, core)| (socket, core)).collect();
                // The user asked for these cores, so they are claimed whether or not another job
                // has them. Other jobs see the claims.
                let why_not = lacking.then(|| "this host has none of the listed processors".into());
                Cpusets {
                    shares,
                    why_not,
                    _claims: Names(&names(allowed)).claim(&cores, |_| true).unwrap_or_default(),
                    ..cpusets
                }
            }
        }
    }

    /// Returns the value of `NEMESIS_PROCESSORS` for a rank: how many processors the ranks can keep
    /// busy together, and, if shares may be given up, all processors and the rank's own.
    pub fn environment_value(&self, local: usize) -> String {
        match self.of(local).filter(|_| self.may_be_given_up) {
            None => self.processors.to_string(),
            Some(own) => {
                let mut all = self.shares.concat();
                all.sort_unstable();
                format!("{}:{}:{}", self.processors, shown(&all), shown(own))
            }
        }
    }

    /// Returns the processors of the rank with number `local` on this host, or `None` if it is not
    /// bound.
    pub fn of(&self, local: usize) -> Option<&[usize]> {
        self.shares.get(local).map(Vec::as_slice)
    }
}

/// Returns shares of the cores that no job has claimed, or why there are none, if the user should
/// know.
fn shares(ranks: usize, allowed: &[usize], usable: usize) -> Result<Cpusets, Option<String>> {
    if ranks < 2 {
        return Err(None);
    }
    if usable < allowed.len() {
        return Err(Some(format!("a quota leaves {usable} of {} processors", allowed.len())));
    }
    // This comes before the machine is read, which takes a moment for each processor.
    if ranks > allowed.len() {
        return Err(Some(format!("{ranks} ranks, {} processors", allowed.len())));
    }
    let machine = machine(Path::new("/sys"), allowed);
    shares_of(&machine, ranks, Names(&names(allowed)))
}

/// Returns the prefix of the names of claims for this process.
fn names(allowed: &[usize]) -> String {
    let variable = |name| std::env::var(name).ok();
    names_within(
        variable(environment::PROCESSORS).as_deref(),
        variable(environment::JOB).as_deref(),
        allowed,
    )
}

/// Returns the prefix for a process with these variables. It has a name of its own if a rank of
/// `job` started the process and `allowed` is that rank's share.
fn names_within(processors: Option<&str>, job: Option<&str>, allowed: &[usize]) -> String {
    let outer = processors.and_then(Processors::read).filter(|outer| outer.own == allowed);
    match (outer, job) {
        (Some(_), Some(job)) => format!("{NAMES}-{job}"),
        _ => NAMES.to_owned(),
    }
}

/// Claims cores and divides them among the ranks.
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
    Ok(Cpusets { shares, processors, may_be_given_up: true, why_not: None, _claims: claims })
}

/// Returns the cores in the order of sockets and memory nodes, each with its processors.
fn cores(machine: &[Processor]) -> BTreeMap<(u32, u32, u32), Vec<usize>> {
    let mut cores: BTreeMap<(u32, u32, u32), Vec<usize>> = BTreeMap::new();
    for processor in machine {
        let (socket, core, _) = identity(processor, Kind::Core);
        cores.entry((socket, processor.numa, core)).or_default().push(processor.number);
    }
    cores
}

/// Divides the cores into `ranks` contiguous shares whose sizes differ by at most one core. Returns
/// nothing if there are fewer cores than ranks.
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

/// Formats processors as ranges: `0-3,8`.
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
    use crate::binding::objects::tests::{bind, two_sockets};

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
        assert_eq!(three.environment_value(0), "16:0-15:0-1,8-9");
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
    fn a_job_started_by_a_rank_claims_within_its_share() {
        let value = Cpusets {
            shares: vec![vec![0, 1], vec![2, 3]],
            processors: 4,
            may_be_given_up: true,
            ..Cpusets::default()
        }
        .environment_value(1);
        let within = |allowed: &[usize]| names_within(Some(&value), Some("7f"), allowed);
        assert_eq!(within(&[2, 3]), "nemesis-core-7f");
        assert_eq!([within(&[2]), within(&[0, 1, 2, 3])], [NAMES; 2], "another mask");
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
    fn chosen_processors_are_the_only_ones() {
        let allowed = nemesis_sys::process::allowed_processors().unwrap();
        let only = |only: &[usize], to| {
            let binding = Binding { only: only.to_vec(), ..bind(to, "none") };
            Cpusets::prepare(&binding, &[0, 1, 2], &allowed, allowed.len())
        };
        for to in ["none", "share", "core", "socket"] {
            let cpusets = only(&allowed[..1], to);
            assert_eq!([cpusets.of(0), cpusets.of(2)], [Some(&allowed[..1]); 2], "{to}");
        }
        let nothing = only(&[9999], "core");
        assert!(nothing.of(0).is_none() && nothing.why_not.unwrap().contains("9999"));
    }

    #[test]
    fn a_requested_binding_is_not_refused() {
        let allowed = nemesis_sys::process::allowed_processors().unwrap();
        let bound_to = |text| bind(text, "none");
        let cpusets = Cpusets::prepare(&bound_to("none"), &[0, 1], &allowed, 1);
        assert_eq!(
            (cpusets.of(0), cpusets.environment_value(0).as_str(), &cpusets.why_not),
            (None, "1", &None)
        );
        let (one, other) = (
            Cpusets::prepare(&bound_to("core"), &[0], &allowed, 1),
            Cpusets::prepare(&bound_to("core"), &[0], &allowed, 1),
        );
        assert_eq!(one.of(0), other.of(0), "both jobs get the cores that they ask for");
        assert!(one.of(0).unwrap().contains(&allowed[0]));
    }
}
