//! Assignment of ranks to hosts.
//!
//! Ranks fill the slots of the first host, then those of the next. When all slots are taken, the
//! first host gets ranks again, because no rank is refused. *By node*, each host gets one rank in
//! its turn. Slots that other jobs have taken are left out at first. Ranks may be numbered in
//! another order than they are placed.

use crate::options::{Program, RankBy};
use nemesis_wireup::hosts::{Host, identity};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

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

/// How many slots of each host other jobs have taken.
#[derive(Clone, Default, Debug)]
pub struct Taken(Vec<(String, u32)>);

impl Taken {
    /// Adds slots of a host.
    pub fn add(&mut self, host: &str, slots: u32) {
        match self.0.iter_mut().find(|(name, _)| name == host) {
            Some((_, sum)) => *sum = sum.saturating_add(slots),
            None => self.0.push((host.to_owned(), slots)),
        }
    }

    /// Returns the slots that are taken of a host, under its name or another one of this host.
    pub fn of(&self, host: &str) -> u32 {
        let own = identity(host);
        let is_meant = |name: &str| name == host || identity(name) == own;
        self.0.iter().filter(|(name, _)| is_meant(name)).map(|&(_, sum)| sum).sum()
    }
}

/// Assigns the ranks of all programs to hosts, of which others have taken slots. `hosts` serves the
/// programs that name none. The shares are in the order in which hosts are first used. Names and
/// addresses of one host have one share.
pub fn place(
    programs: &[Program],
    hosts: &[Host],
    by_node: bool,
    rank_by: Option<RankBy>,
    taken: &Taken,
) -> Vec<Share> {
    let mut shares = Shares::default();
    let mut next = 0;
    let mut common = RoundRobin::of(hosts, by_node, taken);
    for program in programs {
        let mut own = program.hosts.as_ref().map(|hosts| RoundRobin::of(hosts, by_node, taken));
        let round_robin = own.as_mut().unwrap_or(&mut common);
        let mut left = program.processes;
        // By share: ranks of this program, in the order of placing.
        let mut placed: Vec<(usize, u32)> = Vec::new();
        while left > 0 {
            let (host, count) = round_robin.take(left);
            placed.push((shares.of(host), count));
            left -= count;
        }
        for (share, count) in numbered(placed, rank_by) {
            shares.add(share, Ranks { first: next, ranks: count });
            next += count;
        }
    }
    shares.list
}

/// Returns the runs of ranks in the order of their numbers.
fn numbered(placed: Vec<(usize, u32)>, rank_by: Option<RankBy>) -> Vec<(usize, u32)> {
    let Some(order) = rank_by else { return placed };
    let mut sums: Vec<(usize, u32)> = Vec::new();
    for (share, count) in placed {
        match sums.iter_mut().find(|sum| sum.0 == share) {
            Some(sum) => sum.1 += count,
            None => sums.push((share, count)),
        }
    }
    if order == RankBy::Slot {
        return sums;
    }
    let most = sums.iter().map(|sum| sum.1).max().unwrap_or(0);
    let turn = |turn| sums.iter().filter(move |sum| sum.1 > turn).map(|sum| (sum.0, 1));
    (0..most).flat_map(turn).collect()
}

/// The shares of hosts while ranks are placed.
#[derive(Default)]
struct Shares {
    list: Vec<Share>,
    /// The index of each host's share.
    by_host: HashMap<String, usize>,
}

impl Shares {
    /// Returns the index of a host's share.
    fn of(&mut self, host: &str) -> usize {
        *self.by_host.entry(identity(host)).or_insert_with(|| {
            self.list.push(Share { host: host.to_owned(), runs: Vec::new() });
            self.list.len() - 1
        })
    }

    /// Adds ranks to a share.
    fn add(&mut self, share: usize, ranks: Ranks) {
        let runs = &mut self.list[share].runs;
        match runs.last_mut().filter(|last| last.first + last.ranks == ranks.first) {
            Some(last) => last.ranks += ranks.ranks,
            None => runs.push(ranks),
        }
    }
}

/// Takes hosts in their order, again and again.
struct RoundRobin<'a> {
    hosts: &'a [Host],
    by_node: bool,
    place: usize,
    /// By host: slots that are free, until all are taken.
    free: Vec<u32>,
}

impl<'a> RoundRobin<'a> {
    /// Starts at the first host. With `by_node` each host gets one rank in its turn, however many
    /// slots it has, unless others have taken some.
    fn of(hosts: &'a [Host], by_node: bool, taken: &Taken) -> RoundRobin<'a> {
        let is_shared = hosts.iter().any(|host| taken.of(&host.name) > 0);
        let slots = |host: &Host| match by_node && !is_shared {
            true => u32::MAX,
            false => host.slots.saturating_sub(taken.of(&host.name)),
        };
        RoundRobin { hosts, by_node, place: 0, free: hosts.iter().map(slots).collect() }
    }

    /// Returns the host whose turn it is and how many ranks it gets, at most `most`.
    fn take(&mut self, most: u32) -> (&'a str, u32) {
        if self.free.iter().all(|&free| free == 0) {
            self.free = self.hosts.iter().map(|host| host.slots.max(1)).collect();
            self.place = 0;
        }
        while self.free[self.place] == 0 {
            self.turn();
        }
        let host = &self.hosts[self.place];
        let free = &mut self.free[self.place];
        let count = most.min(if self.by_node { 1 } else { *free });
        *free -= count;
        if self.by_node || *free == 0 {
            self.turn();
        }
        (&host.name, count)
    }

    fn turn(&mut self) {
        self.place = (self.place + 1) % self.hosts.len();
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
            search: None,
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
        assert_eq!(
            ranks_by_host(&place(&[program(2, None)], &hosts, false, None, &Taken::default())),
            [("a", vec![0, 1])]
        );
        let wrapped = place(&[program(5, None)], &hosts, false, None, &Taken::default());
        assert_eq!(ranks_by_host(&wrapped), [("a", vec![0, 1, 3, 4]), ("b", vec![2])]);
        assert_eq!(crate::launch_spec::mapping_of(&wrapped), "(vector,(0,1,2),(1,1,1),(0,1,2))");
    }

    #[test]
    fn by_node_each_host_gets_one_rank_in_turn() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2").unwrap();
        assert_eq!(
            ranks_by_host(&place(&[program(4, None)], &hosts, true, None, &Taken::default())),
            [("a", vec![0, 2]), ("b", vec![1, 3])]
        );
    }

    #[test]
    fn free_slots_come_first() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2,c:2").unwrap();
        let mut taken = Taken::default();
        taken.add("a", 2);
        taken.add("b", 1);
        let placed = place(&[program(5, None)], &hosts, false, None, &taken);
        assert_eq!(
            ranks_by_host(&placed),
            [("b", vec![0]), ("c", vec![1, 2]), ("a", vec![3, 4])],
            "the fourth rank finds no free slot"
        );
        let by_node = place(&[program(4, None)], &hosts, true, None, &taken);
        assert_eq!(ranks_by_host(&by_node), [("b", vec![0]), ("c", vec![1, 2]), ("a", vec![3])]);
        taken.add("b", 9);
        taken.add("c", 9);
        let full = place(&[program(3, None)], &hosts, false, None, &taken);
        assert_eq!(ranks_by_host(&full), [("a", vec![0, 1]), ("b", vec![2])]);
    }

    #[test]
    fn programs_continue_after_the_previous_one_or_use_their_own_hosts() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2").unwrap();
        let shares = place(
            &[program(1, None), program(2, Some("c,a")), program(2, None)],
            &hosts,
            false,
            None,
            &Taken::default(),
        );
        assert_eq!(ranks_by_host(&shares), [("a", vec![0, 2, 3]), ("c", vec![1]), ("b", vec![4])]);
    }

    #[test]
    fn ranks_may_be_numbered_in_another_order() {
        let hosts = nemesis_wireup::hosts::list("a:2,b:2").unwrap();
        let placed = |by_node, rank_by| {
            place(&[program(4, None)], &hosts, by_node, Some(rank_by), &Taken::default())
        };
        let in_turn = [("a", vec![0, 2]), ("b", vec![1, 3])];
        let in_a_row = [("a", vec![0, 1]), ("b", vec![2, 3])];
        assert_eq!(ranks_by_host(&placed(false, RankBy::Node)), in_turn);
        assert_eq!(ranks_by_host(&placed(true, RankBy::Node)), in_turn);
        assert_eq!(ranks_by_host(&placed(true, RankBy::Slot)), in_a_row);
    }

    #[test]
    fn names_of_one_host_share_its_ranks() {
        let own = nemesis_sys::host::hostname();
        let hosts = nemesis_wireup::hosts::list(&format!("localhost,127.0.0.1,x,{own}")).unwrap();
        let shares = place(&[program(4, None)], &hosts, false, None, &Taken::default());
        assert_eq!(ranks_by_host(&shares), [("localhost", vec![0, 1, 3]), ("x", vec![2])]);
    }
}
