//! Processes of different jobs that have become connected: they reach each other by the key of
//! their meeting, part without a loss, and meet again.

mod common;

use common::{Process, poll, until};
use nemesis_netmod::{Foreign, Packet, Sent};
use nemesis_netmod_tcp::handshake::job_number;
use nemesis_netmod_tcp::{Choice, Options};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};

const KEYS: [[u8; 32]; 2] = [[1; 32], [2; 32]];
const MEETING: [u8; 32] = [3; 32];
/// Index of the other process in the tables of each.
const OTHER: u32 = 1;

/// Starts two jobs of one process each.
fn jobs() -> Vec<Process> {
    let options = || Options { choice: Choice::parse("lo").unwrap(), ..Options::default() };
    common::join_jobs(|me| (options(), KEYS[me]))
}

fn meet(jobs: &mut [Process], keys: [[u8; 32]; 2]) {
    for me in 0..2 {
        let card = jobs[me].host.cards.borrow()[1 - me].clone();
        let job = job_number(&KEYS[1 - me]);
        let foreign = Foreign { job, index: 0, key: keys[me], card, follows: me == 0 };
        let Process { module, host } = &mut jobs[me];
        module.meet(host, OTHER, foreign).unwrap();
    }
}

/// Sends `text` from both ends at once, which makes a crossed connect.
fn exchange(jobs: &mut [Process], text: &[u8]) {
    let header = Header { kind: FIRST_CLIENT_KIND, size: text.len() as u16, ..Header::default() };
    let received: Vec<usize> = jobs.iter().map(|process| process.host.packets.len()).collect();
    for Process { module, host } in jobs.iter_mut() {
        let packet = Packet::new(&header, text);
        assert_ne!(module.send(host, OTHER, packet, 0).unwrap(), Sent::Full);
    }
    until(jobs, "both texts arrive", |jobs| {
        jobs.iter().zip(&received).all(|(process, &before)| process.host.packets.len() > before)
    });
    assert!(jobs.iter().all(|process| process.host.packets.last().unwrap() == text));
}

#[test]
fn two_jobs_meet_part_and_meet_again() {
    let mut jobs = jobs();
    for round in 0u8..3 {
        meet(&mut jobs, [[round; 32]; 2]);
        exchange(&mut jobs, &[round; 5]);
        for Process { module, host } in &mut jobs {
            module.dismiss(host, OTHER);
        }
        for _ in 0..100 {
            poll(&mut jobs);
        }
    }
    assert!(jobs.iter().all(|process| process.host.lost.is_empty()), "parting is no loss");
}

#[test]
fn a_late_answer_of_an_earlier_meeting_makes_no_connection() {
    let mut jobs = jobs();
    meet(&mut jobs, [MEETING; 2]);
    let Process { module, host } = &mut jobs[1];
    assert!(!module.reaches(host, OTHER).unwrap());
    // One poll of each: hello, challenge, answer.
    let polls = [1, 0, 0, 1];
    for me in polls {
        let Process { module, host } = &mut jobs[me];
        module.poll_recv(host).unwrap();
    }
    for Process { module, host } in &mut jobs {
        module.dismiss(host, OTHER);
        assert!(module.has_parted(OTHER));
    }
    meet(&mut jobs, [[4; 32]; 2]);
    exchange(&mut jobs, b"text");
    let hosts = jobs.iter().map(|process| &process.host);
    assert!(hosts.clone().all(|host| host.lost.is_empty()));
    assert_eq!(hosts.flat_map(|host| &host.packets).count(), 2);
}

#[test]
fn a_process_that_has_not_been_met_is_turned_away() {
    let mut jobs = jobs();
    meet(&mut jobs, [MEETING, [4; 32]]);
    let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
    let Process { module, host } = &mut jobs[0];
    let _ = module.send(host, OTHER, Packet::new(&header, &[]), 0);
    for _ in 0..1000 {
        poll(&mut jobs);
    }
    assert!(jobs[1].host.packets.is_empty());
}

#[test]
fn the_end_of_a_dismissed_process_is_no_loss() {
    let mut jobs = jobs();
    meet(&mut jobs, [MEETING; 2]);
    exchange(&mut jobs, b"text");
    let Process { module, host } = &mut jobs[0];
    module.dismiss(host, OTHER);
    assert!(!module.has_parted(OTHER), "the other one has not said goodbye");
    jobs.pop();
    until(&mut jobs, "the connection ends", |jobs| jobs[0].module.has_parted(OTHER));
    assert!(jobs[0].host.lost.is_empty());
}

#[test]
fn who_encrypts_and_who_does_not_cannot_meet_and_both_say_why() {
    let mut jobs = common::join_jobs(|me| {
        let choice = Choice::parse("lo").unwrap();
        (Options { choice, encrypt: me == 0, ..Options::default() }, KEYS[me])
    });
    for me in 0..2 {
        let card = jobs[me].host.cards.borrow()[1 - me].clone();
        let job = job_number(&KEYS[1 - me]);
        let foreign = Foreign { job, index: 0, key: MEETING, card, follows: me == 0 };
        let Process { module, host } = &mut jobs[me];
        let why = module.meet(host, OTHER, foreign).unwrap_err().why;
        assert!(
            why.contains("NEMESIS_ENCRYPT (mpiexec -encrypt) must be the same for all"),
            "{why}"
        );
    }
}
