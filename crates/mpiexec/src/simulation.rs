//! A simulation of the start of large jobs: real servers in the real tree, and the real lines of
//! each rank, without processes and sockets.
//!
//! ```text
//!   rank: init, put of its card, barrier, get of the partners' cards (binomial tree), finalize
//! ```
//!
//! The test counts the messages between launchers and the lines of ranks, in all and at the busiest
//! launcher, and what the root keeps. It asserts the bounds of docs/design/launching.md: nothing
//! that a launcher or a rank does grows faster than the number of ranks below it.

use crate::launch_spec::mapping_of;
use crate::placement::{Ranks, Share};
use crate::pmi::{Effect, JobInfo, Server};
use crate::tree::message::{Down, Up, encode};
use crate::tree::{FAN_OUT, child_agent::divide};
use std::collections::VecDeque;

/// Ranks of each host.
const RANKS_PER_HOST: u32 = 64;

/// One launcher.
struct Node {
    server: Server,
    above: Option<(usize, usize)>,
    below: Vec<usize>,
    first: u32,
    ranks: u32,
    depth: u32,
    /// Messages to and from other launchers.
    messages: u64,
    bytes: u64,
    /// Lines to and from its own ranks.
    lines: u64,
}

#[derive(Default)]
struct Job {
    nodes: Vec<Node>,
    /// The launcher of each host.
    of_host: Vec<usize>,
    effects: VecDeque<(usize, Effect)>,
    /// Bytes of the answers to `get`, to check that all arrive.
    values: u64,
    /// Bytes of keys and values that the root has received.
    kept_by_root: u64,
}

/// The cost of a start.
#[derive(Debug)]
struct Cost {
    ranks: u32,
    hosts: usize,
    depth: u32,
    messages: u64,
    /// Messages of the busiest launcher.
    messages_at_most: u64,
    bytes_at_most: u64,
    lines_of_a_rank: f64,
    root_bytes: u64,
}

impl Job {
    fn new(ranks: u32) -> Job {
        let hosts = ranks.div_ceil(RANKS_PER_HOST);
        let shares: Vec<Share> = (0..hosts)
            .map(|host| Share {
                host: format!("node{host}"),
                runs: vec![Ranks {
                    first: host * RANKS_PER_HOST,
                    ranks: RANKS_PER_HOST.min(ranks - host * RANKS_PER_HOST),
                }],
            })
            .collect();
        let mapping = mapping_of(&shares);
        let mut job = Job { of_host: vec![0; hosts as usize], ..Job::default() };
        let (here, below) = shares.split_first().expect("there is a host");
        job.add(&mapping, here.clone(), below.to_vec(), None, 0);
        job
    }

    /// Adds a launcher and, below it, the launchers that it starts.
    fn add(
        &mut self,
        mapping: &str,
        here: Share,
        below: Vec<Share>,
        above: Option<(usize, usize)>,
        depth: u32,
    ) {
        let child_agents = divide(below, FAN_OUT);
        let job_info = JobInfo {
            parent: None,
            space: "job".into(),
            key: "0".repeat(64),
            mapping: mapping.to_owned(),
            universe: None,
        };
        let server = Server::new(
            job_info,
            &vec![0; here.size() as usize],
            child_agents.len(),
            above.is_none(),
        );
        let number = self.nodes.len();
        let (first, ranks) = (here.runs[0].first, here.size());
        self.of_host[(first / RANKS_PER_HOST) as usize] = number;
        self.nodes.push(Node {
            server,
            above,
            below: Vec::new(),
            first,
            ranks,
            depth,
            messages: 0,
            bytes: 0,
            lines: 0,
        });
        for (place, child_agent) in child_agents.into_iter().enumerate() {
            let (here, below) = child_agent.split_first().expect("a child agent has a host");
            let child = self.nodes.len();
            self.nodes[number].below.push(child);
            self.add(mapping, here.clone(), below.to_vec(), Some((number, place)), depth + 1);
        }
    }

    /// Lets a rank send a line.
    fn say(&mut self, rank: u32, line: &str) {
        let node = self.of_host[(rank / RANKS_PER_HOST) as usize];
        let mut effects = Vec::new();
        let place = (rank - self.nodes[node].first) as usize;
        self.nodes[node].lines += 1;
        self.nodes[node]
            .server
            .handle_line(place, line.as_bytes(), &mut effects)
            .expect("the line is well-formed");
        self.effects.extend(effects.into_iter().map(|effect| (node, effect)));
        self.deliver();
    }

    /// Counts a message between two launchers.
    fn count(&mut self, one: usize, other: usize, bytes: usize) {
        for node in [one, other] {
            self.nodes[node].messages += 1;
            self.nodes[node].bytes += bytes as u64;
        }
    }

    /// Delivers all effects.
    fn deliver(&mut self) {
        while let Some((node, effect)) = self.effects.pop_front() {
            match effect {
                Effect::ToRank(_, line) => {
                    self.nodes[node].lines += 1;
                    self.values += line
                        .split_once("value=")
                        .map_or(0, |(_, value)| value.trim_end().len() as u64);
                }
                Effect::ToAllRanks(_) => {
                    self.nodes[node].lines += u64::from(self.nodes[node].ranks)
                }
                Effect::Up(message) => self.up(node, message),
                Effect::Down(place, message) => self.down(self.nodes[node].below[place], message),
                Effect::DownAll(message) => {
                    for child in self.nodes[node].below.clone() {
                        self.down(child, message.clone());
                    }
                }
                Effect::StartJob { port, .. } => panic!("no rank spawns: {port}"),
                Effect::Finding(line) => panic!("no rank checks: {line}"),
                Effect::Notice(text) => panic!("no rank lacks anything: {text}"),
                Effect::Abort { message, .. } => panic!("no rank aborts: {message}"),
            }
        }
    }

    fn up(&mut self, node: usize, message: Up) {
        let (above, place) = self.nodes[node].above.expect("the root sends nothing up");
        let mut bytes = Vec::new();
        encode(&message, &mut bytes);
        self.count(node, above, bytes.len());
        let mut effects = Vec::new();
        let server = &mut self.nodes[above].server;
        match message {
            Up::Entered(puts) => {
                if above == 0 {
                    self.kept_by_root += puts
                        .iter()
                        .map(|(key, value)| (key.len() + value.len()) as u64)
                        .sum::<u64>();
                }
                server.child_entered(place, puts, &mut effects);
            }
            Up::Want(key) => server.child_wants(place, &key, &mut effects),
            other => panic!("a start needs no {other:?}"),
        }
        self.effects.extend(effects.into_iter().map(|effect| (above, effect)));
    }

    fn down(&mut self, node: usize, message: Down) {
        let (above, _) = self.nodes[node].above.expect("nothing comes down to the root");
        let mut bytes = Vec::new();
        encode(&message, &mut bytes);
        self.count(node, above, bytes.len());
        let mut effects = Vec::new();
        match message {
            Down::Release => self.nodes[node].server.release(&mut effects),
            Down::Value { key, value } => self.nodes[node].server.value(key, value, &mut effects),
            other => panic!("a start needs no {other:?}"),
        }
        self.effects.extend(effects.into_iter().map(|effect| (node, effect)));
    }
}

/// Returns the partners of `rank` in a binomial tree over all ranks: its parent, and its children,
/// which differ from it in one bit below its lowest set bit.
fn partners(rank: u32, size: u32) -> impl Iterator<Item = u32> {
    let lowest = if rank == 0 { size.next_power_of_two() } else { rank & rank.wrapping_neg() };
    let parent = (rank != 0).then(|| rank & (rank - 1));
    let children = (0..32)
        .map(|bit| 1u32 << bit)
        .take_while(move |&bit| bit < lowest)
        .map(move |bit| rank | bit);
    parent.into_iter().chain(children.filter(move |&child| child < size))
}

/// Simulates a start and returns its cost.
fn start(ranks: u32) -> Cost {
    let mut job = Job::new(ranks);
    // The length of a card of one network with one address, in hexadecimal.
    let card = "0a".repeat(24);
    for rank in 0..ranks {
        job.say(rank, "cmd=init pmi_version=1 pmi_subversion=1");
        job.say(rank, &format!("cmd=put kvsname=job key=nemesis-net-{rank} value={card}"));
    }
    for rank in 0..ranks {
        job.say(rank, "cmd=barrier_in");
    }
    let mut asked = 0;
    for rank in 0..ranks {
        for partner in partners(rank, ranks)
            .filter(|partner| partner / RANKS_PER_HOST != rank / RANKS_PER_HOST)
        {
            job.say(rank, &format!("cmd=get kvsname=job key=nemesis-net-{partner}"));
            asked += 1;
        }
    }
    assert_eq!(job.values, asked * card.len() as u64, "every requested card arrives, whole");
    for rank in 0..ranks {
        job.say(rank, "cmd=finalize");
    }
    let messages = job.nodes.iter().map(|node| node.messages).sum::<u64>() / 2;
    let at_most = |count: fn(&Node) -> u64| job.nodes.iter().map(count).max().unwrap_or(0);
    let own = (RANKS_PER_HOST.min(ranks) as usize * (card.len() + "nemesis-net-0".len())) as u64;
    Cost {
        ranks,
        hosts: job.nodes.len(),
        depth: job.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
        messages,
        messages_at_most: at_most(|node| node.messages),
        bytes_at_most: at_most(|node| node.bytes),
        lines_of_a_rank: job.nodes.iter().map(|node| node.lines).sum::<u64>() as f64
            / f64::from(ranks),
        root_bytes: job.kept_by_root + own,
    }
}

#[test]
fn the_cost_of_a_start_is_bounded_for_each_launcher_and_rank() {
    println!(
        "    ranks  hosts  depth  messages  /host  at most  KiB at most  lines/rank  root KiB  \
         B/rank"
    );
    let mut costs = Vec::new();
    // Other sizes: RANKS="65536 1000000" cargo test --release.
    let list = std::env::var("RANKS").unwrap_or("64 256 1024 2048 4096 8192".into());
    for ranks in list.split_whitespace().map(|ranks| ranks.parse().expect("a number of ranks")) {
        let cost = start(ranks);
        println!(
            "{:9} {:6} {:6} {:9} {:6.1} {:8} {:12.1} {:11.1} {:9.1} {:7.1}",
            cost.ranks,
            cost.hosts,
            cost.depth,
            cost.messages,
            cost.messages as f64 / cost.hosts as f64,
            cost.messages_at_most,
            cost.bytes_at_most as f64 / 1024.0,
            cost.lines_of_a_rank,
            cost.root_bytes as f64 / 1024.0,
            cost.root_bytes as f64 / f64::from(cost.ranks)
        );
        costs.push(cost);
    }
    for cost in costs {
        let (hosts, ranks) = (cost.hosts as u64, u64::from(cost.ranks));
        let logarithm = u64::from(ranks.ilog2());
        // A barrier takes two messages for each host. The cards of a binomial tree take two for
        // each host and level of the tree of launchers, and each card is asked for once.
        assert!(
            cost.messages <= 2 * (hosts - 1) + 2 * hosts * u64::from(cost.depth) * (logarithm + 1),
            "{cost:?}"
        );
        assert!(cost.lines_of_a_rank <= 10.0 + 2.0, "{cost:?}");
        assert!(cost.messages_at_most <= 8 * hosts.max(FAN_OUT as u64), "{cost:?}");
        assert!(cost.root_bytes <= 100 * ranks, "{cost:?}");
        // No launcher has more children than the fan-out.
        assert!(cost.depth <= 1 + hosts.ilog2() / FAN_OUT.ilog2(), "{cost:?}");
    }
}

#[test]
fn every_rank_is_a_child_of_its_parent() {
    for rank in 1..100 {
        let parent = partners(rank, 100).next().expect("a parent");
        assert!(partners(parent, 100).any(|child| child == rank), "{rank} of {parent}");
    }
}
