//! What a process of another node costs with which nothing was exchanged.
//!
//! The program has one test, because it measures the memory of the whole process.

use nemesis::{Endpoint, Memory, NetworkName, Tunables};
use nemesis_wireup::segment::{self, Segment};
use nemesis_wireup::{JobKey, Wireup};
use std::collections::HashMap;

/// Processes of a node.
const NODE: u32 = 32;
/// Lanes of a process.
const LANES: usize = 4;

/// The most bytes that a lane's tables have for each process of another node.
const BUDGET_BYTES: usize = 16;

/// Returns the bytes of this process's private memory.
fn private_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}

/// The lanes of a process, and what it costs to have them.
struct Process {
    lanes: Vec<Endpoint>,
    _memory: Memory,
    bytes: usize,
}

/// Begins the first process of a job.
fn begin(processes: u32) -> Process {
    let key = JobKey::from_hex(&"5a".repeat(32)).unwrap();
    let nodes = (0..processes).map(|process| process / NODE).collect();
    let memory = segment::make(NODE as usize).unwrap();
    let memory = Segment {
        descriptor: memory.descriptor,
        bytes: memory.bytes,
        backing: memory.backing,
        is_first: true,
    };
    let launcher: HashMap<String, Vec<u8>> = HashMap::new();
    let mut wireup = Wireup::simulated(0, nodes, key, memory, 1, Box::new(launcher));
    let tcp = NetworkName { kind: "tcp", argument: None };
    let tunables = Tunables { networks: vec![tcp], ..Tunables::default() };
    let before = private_bytes();
    let mut first = Endpoint::join(&mut wireup, &tunables).unwrap();
    let memory = first.take_memory().unwrap();
    let others = (1..LANES).map(|lane| first.open_lane(lane, &memory).unwrap());
    let others: Vec<Endpoint> = others.collect();
    let lanes = std::iter::once(first).chain(others).collect();
    Process { lanes, _memory: memory, bytes: private_bytes() - before }
}

#[test]
fn a_process_that_was_not_met_costs_few_bytes() {
    // The first job of a process makes what all jobs use.
    drop(begin(2 * NODE));
    let small = begin(2 * NODE);
    let large = begin(65_536);
    let of_each = large.bytes.saturating_sub(small.bytes) as f64 / (65_536 - 2 * NODE) as f64;
    println!("{of_each:.1} bytes of {LANES} lanes for each process of another node");
    assert!(of_each > 1.0, "{of_each}: what is measured?");
    assert!(of_each <= (LANES * BUDGET_BYTES) as f64, "{of_each} bytes for each process");
    let mut lanes = large.lanes;
    let before = private_bytes();
    for lane in &mut lanes {
        assert!((0..65_536).all(|process| lane.is_remote(process) == (process >= NODE)));
        assert!((NODE..65_536).all(|process| !lane.is_throttled(process)));
        assert_eq!(lane.traffic().packets_sent, 0);
    }
    assert!(private_bytes() - before < 65_536, "questions about processes make no entries");
}
