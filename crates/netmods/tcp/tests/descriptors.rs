//! Connections while no descriptor is free: neither end waits for ever, the user is told once, and
//! a connection is made as soon as there is room. One test, because the table of descriptors
//! belongs to the whole process.

mod common;

use common::{Process, until};
use nemesis_netmod::{Fault, Packet, Sent};
use nemesis_netmod_tcp::{Choice, Options};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use rustix::fd::OwnedFd;
use rustix::process::{Resource, Rlimit};
use std::fs::File;

fn job() -> Vec<Process> {
    common::join(|_| {
        (Options { choice: Choice::parse("lo").unwrap(), ..Options::default() }, [7; 32])
    })
}

/// Opens descriptors until none is free.
fn fill(held: &mut Vec<OwnedFd>) {
    while let Ok(file) = File::open("/dev/null") {
        held.push(file.into());
    }
}

fn send(process: &mut Process, to: u32) {
    let header = Header { kind: FIRST_CLIENT_KIND, size: 5, ..Header::default() };
    let sent = process.module.send(&mut process.host, to, Packet::new(&header, b"hello"), 0);
    assert_eq!(sent, Ok(Sent::Done));
}

fn warnings(process: &Process) -> usize {
    let told = |note: &&String| note.contains("which waits: a process may have 64 files open");
    process.host.notes.iter().filter(told).count()
}

#[test]
fn connections_wait_for_descriptors_and_fail_in_time() {
    let few = Rlimit { current: Some(64), maximum: Some(64) };
    rustix::process::setrlimit(Resource::Nofile, few).unwrap();
    let mut held = Vec::new();

    // The acceptor has no room: it says so, also to the second attempt, and takes the connection in
    // when there is room.
    let mut both = job();
    fill(&mut held);
    held.pop();
    send(&mut both[0], 1);
    let turned_away = |process: &Process| {
        process.host.notes.iter().filter(|note| note.contains("no descriptor is free")).count()
    };
    until(&mut both, "two attempts are turned away", |both| turned_away(&both[1]) >= 2);
    assert_eq!((warnings(&both[0]), warnings(&both[1])), (0, 1));
    assert!(both[0].host.lost.is_empty(), "{:?}", both[0].host.lost);
    held.clear();
    until(&mut both, "the packet arrives", |both| both[1].host.packets.len() == 1);
    drop(both);

    // The acceptor never gets room, and then the connector has none itself.
    for (own, why) in [
        (false, "it has had no free file descriptor for a connection with this process (it may"),
        (true, "this process has had no free file descriptor for a connection with it (a process"),
    ] {
        let mut both = job();
        fill(&mut held);
        if !own {
            held.pop();
        }
        send(&mut both[0], 1);
        until(&mut both, "the attempt fails", |both| both[0].host.lost.len() == 1);
        let lost = &both[0].host.lost[0];
        assert_eq!((lost.fault, lost.process), (Fault::Unreachable, Some(1)));
        assert!(lost.why.starts_with(why), "{}", lost.why);
        assert!(lost.why.contains("64 files") && lost.why.contains("; try: a higher `ulimit -n`"));
        assert_eq!(warnings(&both[usize::from(!own)]), 1);
        held.clear();
    }
}
