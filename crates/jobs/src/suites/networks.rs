//! Over which interfaces and ports a job's messages go, and the messages if there are none.
//!
//! A job must use the interfaces, networks and ports that `-net` and `-port-range` name, and no
//! others. Hosts have IPv6 only, only link-local addresses, or a mixture of both families; hosts
//! have a bridge of containers with equal addresses; connections are encrypted, also between two
//! jobs that connect by a port, which strangers try as well.

mod choice;
mod families;
mod jobs;

use crate::hosts::{Hosts, Plan};
use crate::job::Ended;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::collections::BTreeMap;

/// Bytes that a network carries of itself: neighbours that ask for each other.
const IDLE_MAX_BYTES: u64 = 3000;
/// Bytes that the ranks' messages have at least.
const MESSAGES_MIN_BYTES: u64 = 1_000_000;
/// Rounds of collectives after which connections and bytes are looked at.
const ROUNDS: u32 = 100;

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("networks").with_programs(&["hosts/collective", "hosts/between"]);
    let mut suite = Suite::default();
    choice::add(&mut suite);
    families::add(&mut suite);
    jobs::add(&mut suite);
    suite.run(&scene, wanted)
}

/// Hosts on which a job runs collectives, two ranks on each.
struct Scope<'a> {
    scene: &'a Scene,
    hosts: Hosts,
}

/// Bytes that each interface of each host has sent.
type Bytes = BTreeMap<(String, String), u64>;

/// What is seen while the ranks communicate.
struct Seen<'a> {
    scope: &'a Scope<'a>,
    before: Bytes,
    after: Bytes,
    /// The listening ports, and both ends of the connections, of each host, as ss(8) prints them.
    sockets: BTreeMap<String, String>,
}

impl<'a> Scope<'a> {
    fn new(scene: &'a Scene, plan: Plan) -> Scope<'a> {
        Scope { scene, hosts: scene.hosts(plan) }
    }

    /// Returns the command that starts two ranks on each node, without its program.
    fn launch(&self) -> String {
        let nodes = self.hosts.node_names();
        format!("./mpiexec -v -hosts {} -ppn 2 -n {}", nodes.join(","), 2 * nodes.len())
    }

    fn all_hosts(&self) -> Vec<String> {
        ["login".to_string()].into_iter().chain(self.hosts.node_names()).collect()
    }

    fn bytes(&self) -> Bytes {
        let mut bytes = Bytes::new();
        for host in self.all_hosts() {
            for line in self.hosts.on(&host, "cat /proc/net/dev").lines() {
                let Some((name, counts)) = line.trim().split_once(':') else { continue };
                if name.starts_with("eth") || name == "docker0" {
                    let sent = counts.split_whitespace().nth(8).expect("bytes sent");
                    bytes.insert((host.clone(), name.into()), sent.parse().expect("a number"));
                }
            }
        }
        bytes
    }

    /// Runs collectives; `check` runs while the ranks communicate, and then they must end.
    fn communicates(&self, options: &str, variables: &[(&str, &str)], check: impl Fn(&Seen)) {
        let folder = self.scene.fresh_folder("words");
        let before = self.bytes();
        let command = format!("{} {options} ./collective {}", self.launch(), folder.display());
        let mut job = self.scene.job(&command).on(self.hosts.login()).limit(120);
        for (name, value) in variables {
            job = job.env(name, value);
        }
        let mut job = job.start();
        job.wait_until("the ranks communicate", 60, |_| {
            let rounds = std::fs::read_to_string(folder.join("rounds")).unwrap_or_default();
            rounds.trim().parse::<u32>().unwrap_or(0) >= ROUNDS
        });
        let after = self.bytes();
        let sockets = self.all_hosts().into_iter().map(|host| {
            let seen = self.hosts.on(&host, "ss -Htln; ss -Htn state established");
            (host, seen)
        });
        let seen = Seen { scope: self, before, after, sockets: sockets.collect() };
        check(&seen);
        std::fs::write(folder.join("stop"), "").expect("a file");
        job.end().code(0);
    }

    /// Runs a job that must fail soon. Returns it.
    fn refused(&self, options: &str, variables: &[(&str, &str)]) -> Ended {
        let folder = self.scene.fresh_folder("words");
        let command = format!("{} {options} ./collective {}", self.launch(), folder.display());
        let mut job = self.scene.job(&command).on(self.hosts.login()).limit(60);
        for (name, value) in variables {
            job = job.env(name, value);
        }
        let ended = job.run();
        ended.fails();
        ended
    }
}

impl Seen<'_> {
    fn nodes(&self) -> Vec<String> {
        self.scope.hosts.node_names()
    }

    /// Fails unless messages went over this interface of the nodes, and over no other but those
    /// `allowed`.
    #[track_caller]
    fn only(&self, interface: &str, allowed: &[&str]) {
        for ((host, name), after) in &self.after {
            let sent = after - self.before[&(host.clone(), name.clone())];
            if name == interface {
                let is_enough = host == "login" || sent > MESSAGES_MIN_BYTES;
                assert!(is_enough, "{host} has sent {sent} bytes over {name}");
            } else if !allowed.contains(&name.as_str()) {
                assert!(sent < IDLE_MAX_BYTES, "{host} has sent {sent} bytes over {name}");
            }
        }
    }

    /// Returns the local and the peer's port of each socket of a host; 0 where there is no peer.
    fn ports(&self, host: &str) -> Vec<(u32, u32)> {
        let lines = self.sockets[host].lines();
        let pairs = lines.filter_map(|line| {
            let ends: Vec<&str> =
                line.split_whitespace().filter(|word| word.contains(':')).collect();
            let port = |end: &str| end.rsplit(':').next()?.replace('*', "0").parse().ok();
            Some((port(ends.first()?)?, port(ends.get(1)?)?))
        });
        pairs.collect()
    }

    fn listening(&self, host: &str) -> Vec<u32> {
        self.ports(host).into_iter().filter(|(_, peer)| *peer == 0).map(|(own, _)| own).collect()
    }

    /// Fails unless every listening port, and one end of every connection, is in the range.
    #[track_caller]
    fn in_range(&self) {
        let is_in_range = |port: u32| (20000..20020).contains(&port);
        for host in self.sockets.keys() {
            for (own, peer) in self.ports(host) {
                let is_right = is_in_range(own) || is_in_range(peer);
                assert!(is_right, "{host}: port {own} to {peer}\n{}", self.sockets[host]);
            }
        }
        assert!(!self.listening("node1").is_empty(), "node1 has no listener");
    }

    /// Fails unless each node listens on port 20000 only, which connections of nodes use.
    #[track_caller]
    fn one_port(&self) {
        self.in_range();
        for node in self.nodes() {
            let ports = self.listening(&node);
            let is_right = !ports.is_empty() && ports.iter().all(|&port| port == 20000);
            assert!(is_right, "{node} listens on {ports:?}");
        }
        assert_eq!(self.listening("node1").len(), 1, "node1 has one listener");
    }

    /// Fails unless all connections use IPv6, of networks or of links.
    #[track_caller]
    fn of_six(&self, prefixes: &[&str]) {
        for (host, sockets) in &self.sockets {
            let connections = sockets.lines().filter(|line| !line.contains("LISTEN"));
            for line in connections {
                let ends = line.split_whitespace().filter(|word| word.contains(':'));
                let are_six = ends.clone().count() == 2 && {
                    let mut ends = ends;
                    ends.all(|end| prefixes.iter().any(|at| end.starts_with(&format!("[{at}:"))))
                };
                assert!(are_six, "{host}: {line}");
            }
        }
        let count = self.ports("node1").len() - self.listening("node1").len();
        assert!(count > 1, "node1 has no connections");
    }
}
