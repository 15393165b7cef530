//! The verbs module passes the conformance suite on a device of this host.
//!
//! `NEMESIS_TEST_DEVICE` names the device; without it these tests do nothing. `scripts/check-verbs`
//! runs them on soft-RoCE.

use nemesis_netmod::{Driver, conformance};
use nemesis_netmod_tcp as tcp;
use nemesis_netmod_verbs::{Options, Tuning, Verbs};

/// Runs the suite with options that `change` has changed.
fn conforms(change: impl FnOnce(Options) -> Options) {
    let Ok(device) = std::env::var("NEMESIS_TEST_DEVICE") else { return };
    let choice = tcp::Choice::parse("lo").expect("there is a loopback interface");
    let options = change(Options {
        devices: vec![device],
        tcp: tcp::Options { choice, ..tcp::Options::default() },
        ..Options::default()
    });
    conformance::run(|processes| {
        (0..processes).map(|_| Box::new(Verbs::new(options.clone())) as Box<dyn Driver>).collect()
    });
}

#[test]
fn with_defaults() {
    conforms(|options| options);
}

/// Windows of eight packets, queues of 16 requests, few buffers.
#[test]
fn with_little_of_everything() {
    conforms(|options| Options {
        tuning: Tuning { window: 8, ..options.tuning },
        requests: 16,
        send_buffers: 32,
        receives_max: 64,
        message_bytes: 1100,
        ..options
    });
}

/// No rings, no look for credits in `send`, no remote memory.
#[test]
fn without_the_mechanisms() {
    conforms(|options| Options {
        tuning: Tuning {
            fast_path: false,
            eager_poking: false,
            remote_memory: false,
            ..options.tuning
        },
        ..options
    });
}
