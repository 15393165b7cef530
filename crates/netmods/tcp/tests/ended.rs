//! What a process sent before its regular end arrives, even if a write to it fails first.

mod common;

use common::{Process, until};
use nemesis_netmod::{Finalized, Packet, Sent};
use nemesis_netmod_tcp::{Choice, Options};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};

fn send(process: &mut Process, to: u32, payload: &[u8]) {
    let header =
        Header { kind: FIRST_CLIENT_KIND, size: payload.len() as u16, ..Header::default() };
    let sent = process.module.send(&mut process.host, to, Packet::new(&header, payload), 0);
    assert!(matches!(sent, Ok(Sent::Done)), "{sent:?}");
}

/// Starts two processes. The second sends the longest packet, pauses and ends. The first, whose
/// host may refuse packets, then sends until a write fails.
fn after_the_end(refuses: bool) -> Vec<Process> {
    let mut job = common::join(|_| {
        (Options { choice: Choice::parse("lo").unwrap(), ..Options::default() }, [7; 32])
    });
    send(&mut job[1], 0, b"first");
    until(&mut job, "the first packet", |job| job[0].host.packets.len() == 1);
    job[0].host.refuses = refuses;
    let longest = vec![1; job[1].module.limits().payload];
    send(&mut job[1], 0, &longest);
    let Process { module, host } = &mut job[1];
    while module.pause(host).unwrap() == Finalized::Busy {}
    job.pop();
    for _ in 0..3 {
        send(&mut job[0], 1, b"late");
        // The kernel needs no longer for the answer that nobody is there.
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let Process { module, host } = &mut job[0];
    module.poll_send(host).unwrap();
    job
}

fn assert_arrived(job: &[Process]) {
    assert!(job[0].host.lost.is_empty(), "{:?}", job[0].host.lost);
    assert_eq!(job[0].host.packets[1].len(), job[0].module.limits().payload);
}

#[test]
fn the_longest_packet_of_a_process_that_has_ended_arrives() {
    assert_arrived(&after_the_end(false));
}

#[test]
fn a_packet_that_the_host_refuses_outlives_a_failed_write() {
    let mut job = after_the_end(true);
    job[0].host.refuses = false;
    until(&mut job, "the packet", |job| job[0].host.packets.len() == 2);
    assert_arrived(&job);
}
