//! Assignment of ranks to hosts.
//!
//! Ranks fill the slots of the first host, then those of the next. When all slots are taken, the
//! first host gets ranks again, because no rank is refused. *By node*, each host gets one rank in
//! its turn.

use crate::options::Program;
use nemesis_wireup::hosts::Host;
use serde::{Deserialize, Serialize};

/// Consecutive ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ranks {
    pub first: u32,
    pub ranks: u32,
}

/// The ranks of one host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Share {
    pub host: String,
    /// The ranks in ascending order.
    pub runs: Vec<Ranks>,
}

impl Share {
    /// Returns the ranks in ascending order.
    pub fn ranks(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|run| run.first..run.first + run.ranks)
    }

    /// Returns the number of ranks.
    pub fn size(&self) -> u32 {
        self.runs.iter().map(|run| run.ranks).sum()
    }
}

/// Assigns the ranks of all programs to hosts. `hosts` serves the programs that name none. The
/// shares are in the order in which hosts are first used.
pub fn place(programs: &[Program], hosts: &[Host], by_node: bool) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    let mut next = 0;
    let mut common = RoundRobin::of(hosts, by_node);
    for program in programs {
        let mut own = program.hosts.as_ref().map(|hosts| RoundRobin::of(hosts, by_node));
        let round_robin = own.as_mut().unwrap_or(&mut common);
        let mut left = program.processes;
        while left > 0 {
            let (host, count) = round_robin.take(left);
            add(&mut shares, host, Ranks { first: next, ranks: count });
            next += count;
            left -= count;
        }
    }
    shares
}

/// Adds ranks to the share of a host.
fn add(shares: &mut Vec<Share>, host: &str, ranks: Ranks) {
    let place = shares.iter().position(|share| share.host == host).unwrap_or_else(|| {
        shares.push(Share { host: host.to_owned(), runs: Vec::new() });
        shares.len() - 1
    });
    match shares[place].runs.last_mut().filter(|last| last.first + last.ranks == ranks.first) {
        Some(last) => last.ranks += ranks.ranks,
        None => shares[place].runs.push(ranks),
    }
}

/// Takes hosts in their order, again and again.
struct RoundRobin<'a> {
    hosts: &'a [Host],
    by_node: bool,
    place: usize,
    /// Slots of the current host that are taken.
    taken: u32,
}

impl<'a> RoundRobin<'a> {
    /// Starts at the first host. With `by_node` each host gets one rank in its turn.
    fn of(hosts: &'a [Host], by_node: bool) -> RoundRobin<'a> {
        RoundRobin { hosts, by_node, place: 0, taken: 0 }
    }

    /// Returns the host whose turn it is and how many ranks it gets, at most `most`.
    fn take(&mut self, most: u32) -> (&'a str, u32) {
        let host = &self.hosts[self.place];
        let slots = if self.by_node { 1 } else { host.slots };
        let count = most.min(slots - self.taken);
        self.taken += count;
        if self.taken == slots {
            self.place = (self.place + 1) % self.hosts.len();
            self.taken = 0;
        }
        (&host.name, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Inherit;

    fn program(processes: u32, hosts: Option<&str>) -> Program {
        let hosts = hosts.map(|hosts| nemesis_wireup::hosts::list(hosts).unwrap());
        let (arguments, variables) = (Vec::new(), Vec::new());
        Program {
            processes,
            path: "a".into(),
            arguments,
            directory: None,
            inherit: Inherit::All,
            variables,
            hosts,
        }
    }

    fn ranks_by_host(shares: &[Share]) -> Vec<(&str, Vec<u32>)> {
        shares.iter().map(|share| (share.host.as_str(), share.ranks().collect())).collect()
    }

    #[test]
    fn slots_are_filled_in_order_and_again() {
        let hosts = nemesis_wireup::hosts::list("a:2,b").unwrap();
        assert_eq!(ranks_by_host(&place(&[program(2, None)], &hosts, false)), [("a", vec![0, 1])]);
        let wrapped = place(&[program(5, None)], &hosts, false);
        assert_eq!(ranks_by_host(&wrapped), [("a", vec![0, 1, 3, 4]), ("b", vec![2])]);
        assert_eq!(crate::launch_spec::mapping_of(&wrapped), "(vector,(0,1,2),(1,1,1),(0,1,2))");
    }

    #[test]
    fn by_node_each_host_gets_one_rank_in_turn() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2").unwrap();
        assert_eq!(
            ranks_by_host(&place(&[program(4, None)], &hosts, true)),
            [("a", vec![0, 2]), ("b", vec![1, 3])]
        );
    }

    #[test]
    fn programs_continue_after_the_previous_one_or_use_their_own_hosts() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2").unwrap();
        let shares =
            place(&[program(1, None), program(2, Some("c,a")), program(2, None)], &hosts, false);
        assert_eq!(ranks_by_host(&shares), [("a", vec![0, 2, 3]), ("c", vec![1]), ("b", vec![4])]);
    }
}
