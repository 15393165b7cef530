//! A connection that brings a streak of messages is read without being watched. Before a sleep, and
//! while other threads sleep, it is watched.

mod common;

use common::{Process, until};
use nemesis_netmod::{Interest, Packet, Rest, Sent};
use nemesis_netmod_tcp::{Choice, Options};
use nemesis_sys::bell::{self, PollInterest};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(10);

fn send(process: &mut Process, to: u32, payload: &[u8]) {
    let header =
        Header { kind: FIRST_CLIENT_KIND, size: payload.len() as u16, ..Header::default() };
    let sent = process.module.send(&mut process.host, to, Packet::new(&header, payload), 0);
    assert!(matches!(sent, Ok(Sent::Done)), "{sent:?}");
}

/// Starts two processes of which the first has waited for many messages of the second; `shared`
/// tells whether another thread may sleep.
fn after_many(shared: bool, bytes: usize) -> Vec<Process> {
    let mut job = common::join(|_| {
        (Options { choice: Choice::parse("lo").unwrap(), ..Options::default() }, [7; 32])
    });
    job[0].module.share(shared);
    send(&mut job[1], 0, &[0; 8]);
    until(&mut job, "the first message", |job| job[0].host.packets.len() == 1);
    job[0].module.expect(Some(1));
    for number in 0..100 {
        send(&mut job[1], 0, &vec![number; bytes]);
        until(&mut job, "a message", |job| job[0].host.packets.len() == 2 + usize::from(number));
    }
    job
}

fn interests(process: &mut Process) -> Vec<PollInterest> {
    let mut interests: Vec<Interest> = Vec::new();
    assert!(matches!(process.module.rest(&mut interests), Rest::Sleep(_)));
    interests
        .iter()
        .map(|&Interest { descriptor, readable, writable }| PollInterest {
            descriptor,
            readable,
            writable,
        })
        .collect()
}

/// Returns whether a descriptor becomes ready within `limit`.
fn is_woken(interests: &[PollInterest], limit: Duration) -> bool {
    let start = Instant::now();
    bell::wait(interests, limit);
    start.elapsed() < limit
}

#[test]
fn a_sleeper_is_woken_by_the_connection_that_was_apart() {
    for bytes in [8, 4000] {
        let mut job = after_many(false, bytes);
        let interests = interests(&mut job[0]);
        assert!(!is_woken(&interests, Duration::from_millis(20)), "nothing has come");
        send(&mut job[1], 0, &[1; 8]);
        assert!(is_woken(&interests, LONG), "what comes is announced");
        until(&mut job, "the message that woke", |job| job[0].host.packets.len() == 102);
    }
}

#[test]
fn one_thread_may_sleep_while_another_waits_for_the_same_process() {
    let mut job = after_many(true, 8);
    let interests = interests(&mut job[0]);
    for number in 0..100 {
        send(&mut job[1], 0, &[number; 8]);
        until(&mut job, "a message", |job| job[0].host.packets.len() == 102 + usize::from(number));
    }
    send(&mut job[1], 0, &[1; 8]);
    assert!(is_woken(&interests, LONG), "what comes is announced to the thread that sleeps");
}

#[test]
fn a_connection_that_is_apart_is_not_forgotten_by_one_who_waits_for_nobody() {
    let mut job = after_many(false, 8);
    for expected in [None, Some(0)] {
        let before = job[0].host.packets.len();
        job[0].module.expect(expected);
        send(&mut job[1], 0, &[1; 8]);
        until(&mut job, "a message", |job| job[0].host.packets.len() == before + 1);
    }
}
