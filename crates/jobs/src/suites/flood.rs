//! A receiver is flooded with messages that it does not receive for a while.
//!
//! Over shared memory, over tcp on this host and between two hosts, with one sender and with three:
//! the memory of the receiver must stay bounded, and all messages must arrive in order. Each sender
//! sends `MESSAGES` messages of 8 bytes (100 000), and over tcp as many bytes in messages of 10 KB,
//! 100 KB and 1 MB, at least 200.

use crate::hosts;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};

/// MiB by which the receiver may grow for each sender.
const LIMIT_MIB: u32 = 16;
/// Long messages that are sent at a time.
const AT_A_TIME: u32 = 50;
/// The fewest long messages: they are sent several times.
const LONG_MIN: u64 = 200;

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("flood").with_programs(&["hosts/flood"]);
    let messages = std::env::var("MESSAGES").ok().and_then(|number| number.parse().ok());
    let messages: u64 = messages.unwrap_or(100_000);
    let mut suite = Suite::default();
    for (name, shared, place) in [
        ("shared-memory", "on", Place::Here(2)),
        ("shared-memory-3-senders", "on", Place::Here(4)),
        ("tcp", "off", Place::Here(2)),
        ("tcp-between-hosts", "on", Place::Hosts("node1,node2", 2)),
        ("tcp-3-senders-2-hosts", "on", Place::Hosts("node1:1,node2:3", 4)),
    ] {
        let (Place::Here(ranks) | Place::Hosts(_, ranks)) = place;
        add(&mut suite, name, shared, place, &format!("{messages} {}", (ranks - 1) * LIMIT_MIB));
    }
    for bytes in [10_000, 100_000, 1_000_000] {
        // What is kept of one sender, and what is under way in sockets and behind them: several
        // times the longest message.
        let long =
            format!("{} {LIMIT_MIB} {bytes} {AT_A_TIME}", (messages * 8 / bytes).max(LONG_MIN));
        add(&mut suite, &format!("tcp-{bytes}"), "off", Place::Here(2), &long);
        let name = format!("tcp-between-hosts-{bytes}");
        add(&mut suite, &name, "on", Place::Hosts("node1,node2", 2), &long);
    }
    suite.run(&scene, wanted)
}

/// Where this number of ranks runs.
#[derive(Clone, Copy)]
enum Place {
    Here(u32),
    Hosts(&'static str, u32),
}

fn add(suite: &mut Suite, name: &str, shared: &'static str, place: Place, words: &str) {
    let words = words.to_string();
    suite.alone(name, move |scene| {
        let ended = match place {
            Place::Here(ranks) => {
                let job = scene.job(&format!("./mpiexec -n {ranks} ./flood {words}"));
                job.env("NEMESIS_SHM", shared).limit(600).run()
            }
            Place::Hosts(names, ranks) => {
                let hosts = scene.hosts(hosts::nodes(2));
                let slots = if names.contains(':') { "" } else { "-ppn 1" };
                let job = format!("./mpiexec -hosts {names} {slots} -n {ranks} ./flood {words}");
                scene.job(&job).on(hosts.login()).limit(600).run()
            }
        };
        if ended.code == 77 {
            crate::skip(ended.output.trim());
        }
        ended.code(0).says("the receiver's memory grew by");
        crate::say!("    {}", ended.output.lines().last().unwrap_or_default());
    });
}
