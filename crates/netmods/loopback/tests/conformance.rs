//! The loopback network passes the conformance suite, with and without faults.

use nemesis_netmod::{Driver, Limits, PACKET_MIN_BYTES, conformance};
use nemesis_netmod_loopback::{Loopback, Network, Trouble};

fn drivers(processes: usize, trouble: Trouble) -> Vec<Box<dyn Driver>> {
    let network = Network::new(trouble);
    (0..processes).map(|_| Box::new(Loopback(network.clone())) as Box<dyn Driver>).collect()
}

#[test]
fn without_trouble() {
    conformance::run(|processes| drivers(processes, Trouble::none()));
}

#[test]
fn with_plenty_of_trouble() {
    for seed in 1..=2 {
        conformance::run(|processes| drivers(processes, Trouble::plenty(seed)));
    }
}

/// Moves single bytes through pipes that hold less than a header.
#[test]
fn drop_by_drop() {
    let limits = Limits { payload: 1024, bulk: 300 };
    conformance::run(|processes| {
        drivers(
            processes,
            Trouble { seed: 9, delay: 3, piece: 3, capacity: 17, limits, ..Trouble::none() },
        )
    });
}

/// Packets of the least length that a network may carry.
#[test]
fn short_packets() {
    let limits = Limits { payload: PACKET_MIN_BYTES, bulk: 1 << 30 };
    conformance::run(|processes| drivers(processes, Trouble { limits, ..Trouble::plenty(3) }));
}

/// A network without bulk payloads and without RMA.
#[test]
fn packets_only() {
    let limits = Limits { payload: 8192, bulk: 0 };
    conformance::run(|processes| {
        drivers(processes, Trouble { limits, reaches_memory: false, ..Trouble::plenty(5) })
    });
}
