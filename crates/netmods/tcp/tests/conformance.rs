//! The TCP network passes the conformance suite over the loopback interface, also with very short
//! reads and writes.

use nemesis_netmod::{Driver, conformance};
use nemesis_netmod_tcp::{Choice, Options, Tcp};

fn drivers(processes: usize, options: &Options) -> Vec<Box<dyn Driver>> {
    (0..processes).map(|_| Box::new(Tcp::new(options.clone())) as Box<dyn Driver>).collect()
}

fn loopback() -> Options {
    Options { choice: Choice::parse("lo").unwrap(), ..Options::default() }
}

#[test]
fn as_it_is() {
    conformance::run(|processes| drivers(processes, &loopback()));
}

#[test]
fn over_all_networks_of_the_host() {
    conformance::run(|processes| drivers(processes, &Options::default()));
}

#[test]
fn encrypted() {
    conformance::run(|processes| drivers(processes, &Options { encrypt: true, ..loopback() }));
}

#[test]
fn encrypted_in_small_pieces() {
    conformance::run(|processes| {
        drivers(
            processes,
            &Options { encrypt: true, piece: 997, send_buffer: Some(8192), ..loopback() },
        )
    });
}

/// Reads and writes of a few hundred bytes, through a send buffer of a few kibibytes.
#[test]
fn in_small_pieces() {
    conformance::run(|processes| {
        drivers(processes, &Options { piece: 997, send_buffer: Some(8192), ..loopback() })
    });
}
