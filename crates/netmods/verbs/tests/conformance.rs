//! The verbs module passes the conformance suite on a mock of libibverbs, whose devices make
//! different kinds of trouble.

use nemesis_netmod::{Driver, conformance};
use nemesis_netmod_tcp as tcp;
use nemesis_netmod_verbs::{Options, Tuning, Verbs};
use std::path::PathBuf;

/// Returns the mock, which lies beside this test.
fn mock() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.with_file_name("libnemesis_verbs_mock.so")
}

fn options(device: &str) -> Options {
    let choice = tcp::Choice::parse("lo").expect("there is a loopback interface");
    Options {
        tuning: Tuning { library: Some(mock()), ..Tuning::default() },
        devices: vec![device.to_owned()],
        tcp: tcp::Options { choice, ..tcp::Options::default() },
        ..Options::default()
    }
}

fn conforms(options: &Options) {
    conformance::run(|processes| {
        (0..processes).map(|_| Box::new(Verbs::new(options.clone())) as Box<dyn Driver>).collect()
    });
}

#[test]
fn over_infiniband() {
    conforms(&options("mock0"));
}

#[test]
fn over_ethernet() {
    conforms(&options("mock_roce"));
}

/// Atomics exclude the instructions of processors.
#[test]
fn with_atomics() {
    conforms(&options("mock_atomic"));
}

/// Requests are delayed and those of different processes are reordered; a request is at most one
/// message long.
#[test]
fn with_delays() {
    conforms(&options("mock_slow"));
}

/// Receivers are not ready at times.
#[test]
fn with_receivers_that_are_not_ready() {
    conforms(&options("mock_busy"));
}

/// Windows of eight packets, queues of 16 requests, few buffers.
#[test]
fn with_little_of_everything() {
    let mut options = options("mock0");
    options.tuning.window = 8;
    conforms(&Options {
        requests: 16,
        send_buffers: 32,
        receives_max: 64,
        message_bytes: 1100,
        ..options
    });
}

/// The limit of locked memory is reached, so bulk payloads are copied through buffers.
#[test]
fn with_little_locked_memory() {
    conforms(&options("mock_tight"));
}

/// A device without a queue pair: all packets travel by TCP.
#[test]
fn without_queue_pairs() {
    let mut options = options("mock_none");
    options.tuning.remote_memory = false;
    conforms(&options);
}

/// No rings, no look for credits in `send`; one queue pair, so one process is reached by TCP.
#[test]
fn without_the_mechanisms() {
    let mut options = options("mock_few");
    options.tuning =
        Tuning { fast_path: false, eager_poking: false, remote_memory: false, ..options.tuning };
    conforms(&options);
}

/// Connections are made by librdmacm, the side that has connected sends first, and there is neither
/// remote memory nor an atomic operation.
#[test]
fn over_iwarp() {
    conforms(&options("mock_iwarp"));
}
