//! What other endpoints can do to a process, and what happens without a library.

use super::*;
use crate::message::{Kind, Prefix};
use nemesis_netmod::{Cell, RegionMut};
use nemesis_sys::bell::{PollInterest, wait};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::sync::Arc;

/// A sleep that something should end.
const LONG: Duration = Duration::from_secs(10);

/// A host that counts packets.
#[derive(Default)]
pub(super) struct Counter {
    cards: Vec<Vec<u8>>,
    pub(super) packets: u32,
    lost: Vec<Failure>,
}

impl Host for Counter {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.cards.get(process as usize).cloned()
    }
    fn alloc(&mut self, _payload: usize) -> Option<Cell> {
        None
    }
    fn offer(&mut self, _from: u32, _header: &Header, payload: &[u8]) -> bool {
        assert_eq!(payload, [7; 100]);
        self.packets += 1;
        true
    }
    fn deliver(&mut self, _from: u32, _cell: Cell) {}
    fn give_back(&mut self, _cell: Cell) {}
    fn place(&mut self, _: u32, _: &Header, _: &[u8], _: usize) -> Option<RegionMut> {
        None
    }
    fn completed(&mut self, _token: Token, _outcome: Result<(), Failure>) {}
    fn lost(&mut self, _process: u32, failure: Failure) {
        self.lost.push(failure);
    }
}

pub(super) fn driver() -> Ofi {
    let choice = Choice::parse("lo").unwrap();
    let lifeline = nemesis_netmod_tcp::Options { choice: choice.clone(), ..Default::default() };
    let (provider, library) = (Some("tcp".to_owned()), std::env::var("NEMESIS_OFI_LIBRARY").ok());
    Ofi::new(Options { provider, library, choice, dedicated: false, lifeline })
}

/// Returns the library; `None` if there is none on this host.
fn library() -> Option<Arc<Library>> {
    let library = driver().library();
    if let Err(failure) = &library {
        println!("skipped: {failure}");
    }
    library.ok()
}

pub(super) fn until(
    members: &mut [(Member, Counter)],
    done: impl Fn(&[(Member, Counter)]) -> bool,
) {
    let start = Instant::now();
    while !done(members) {
        assert!(start.elapsed() < Duration::from_secs(30));
        for (member, host) in members.iter_mut() {
            member.poll_send(host).unwrap();
            member.poll_recv(host).unwrap();
        }
    }
}

/// Starts two processes of a job; `None` if there is no library on this host.
pub(super) fn pair(driver: &Ofi) -> Option<Vec<(Member, Counter)>> {
    library()?;
    let mut members: Vec<(Member, Counter)> = Vec::new();
    let mut cards = Vec::new();
    for me in 0..2 {
        let mut host = Counter::default();
        let setup = Setup { me, processes: 2, job_key: [1; 32], lane: 0, cells: None };
        let (member, card) = driver.start(setup, &mut host).unwrap();
        cards.push(card);
        members.push((member, host));
    }
    for (_, host) in &mut members {
        host.cards.clone_from(&cards);
    }
    Some(members)
}

/// Sends a packet from process 0 to process 1.
pub(super) fn send((member, host): &mut (Member, Counter)) {
    let header = Header { kind: FIRST_CLIENT_KIND, size: 100, ..Header::default() };
    let sent = member.send(host, 1, Packet::new(&header, &[7; 100]), 0).unwrap();
    assert_eq!(sent, Sent::Done);
}

fn poll_interests(interests: &[Interest]) -> Vec<PollInterest> {
    let poll_interest = |interest: &Interest| PollInterest {
        descriptor: interest.descriptor,
        readable: interest.readable,
        writable: interest.writable,
    };
    interests.iter().map(poll_interest).collect()
}

#[test]
fn a_packet_wakes_a_sleeper() {
    let Some(mut members) = pair(&driver()) else { return };
    for round in 1..=20 {
        let mut interests = Vec::new();
        let start = Instant::now();
        while members[1].0.rest(&mut interests) == Rest::Poll
            || !members[1].0.peers[0].greeted && round > 1
        {
            assert!(start.elapsed() < Duration::from_secs(30));
            interests.clear();
            until(&mut members, |_| true);
        }
        assert_eq!(interests.len(), 2, "the queue and the lifelines");
        send(&mut members[0]);
        let interests = poll_interests(&interests);
        let mut slept = 0;
        while members[1].1.packets < round {
            let begun = Instant::now();
            // The first packet needs both processes.
            if round > 1 {
                wait(&interests, LONG);
            }
            assert!(begun.elapsed() < LONG, "nothing woke the process in round {round}");
            slept += 1;
            assert!(round == 1 || slept < 100, "the descriptors stay ready");
            let count = if round == 1 { members.len() } else { 1 };
            for (member, host) in members.iter_mut().rev().take(count) {
                member.poll_recv(host).unwrap();
                member.poll_send(host).unwrap();
            }
        }
    }
}

#[test]
fn a_process_without_messages_sleeps() {
    const NAP: Duration = Duration::from_millis(20);
    let Some(library) = library() else { return };
    // Later versions have no provider `net`: it has become `tcp`.
    for provider in ["tcp", "net"] {
        let mut driver = driver();
        driver.options.provider = Some(provider.to_owned());
        if driver.choose(&library).is_err() {
            continue;
        }
        let Some(mut members) = pair(&driver) else { return };
        send(&mut members[0]);
        until(&mut members, |members| members[1].1.packets == 1);
        let (member, host) = &mut members[1];
        let sleeps = (0..20).any(|_| {
            let mut interests = Vec::new();
            let rest = member.rest(&mut interests);
            let begun = Instant::now();
            if rest != Rest::Poll {
                wait(&poll_interests(&interests), NAP);
            }
            member.poll_recv(host).unwrap();
            member.poll_send(host).unwrap();
            begun.elapsed() >= NAP
        });
        assert!(sleeps, "the descriptors of {provider} stay ready");
    }
}

#[test]
fn messages_of_strangers_are_dropped() {
    let driver = driver();
    let Some(mut members) = pair(&driver) else { return };
    let library = driver.library().unwrap();
    let header = Header { kind: FIRST_CLIENT_KIND, size: 100, ..Header::default() };
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 1);

    let sizes = Sizes { buffer_bytes: 4096, completions: 256, peers: 2, sleeps: false };
    let mut stranger = Endpoint::open(&library, &driver.choose(&library).unwrap(), sizes).unwrap();
    let target = stranger.insert(&members[1].0.name).unwrap();
    let token = members[0].0.peers[1].token_out;
    let prefix = Prefix { token, sender: 0, number: 2, credits: 9, kind: Kind::Packet };
    let forged = [
        Vec::new(),
        vec![7; 10],
        vec![0xff; 4096],
        Prefix { token: token ^ 1, ..prefix }.encode().to_vec(),
        Prefix { token: 0, sender: 1, ..prefix }.encode().to_vec(),
        Prefix { sender: 1000, ..prefix }.encode().to_vec(),
        [&Prefix { token: 0, ..prefix }.encode()[..], &header.encode(), &[7; 100]].concat(),
    ];
    let mut ended = Vec::new();
    let mut left = 200;
    let start = Instant::now();
    while left > 0 || members[1].0.dropped < 200 {
        assert!(start.elapsed() < Duration::from_secs(30), "{} dropped", members[1].0.dropped);
        let message = &forged[left % forged.len()];
        let mut buffer = stranger.buffer().unwrap();
        buffer.bytes_mut()[..message.len()].copy_from_slice(message);
        let sends = left > 0 && stranger.send(target, buffer, message.len(), 0).is_ok();
        left -= usize::from(sends);
        stranger.poll(&mut ended).unwrap();
        until(&mut members, |_| true);
        let (member, host) = &mut members[1];
        member.poll_recv(host).unwrap();
    }
    for _ in 0..100 {
        send(&mut members[0]);
        until(&mut members, |members| members[0].0.peers[1].queue.is_empty());
    }
    until(&mut members, |members| members[1].1.packets == 101);
    assert!(members.iter().all(|(_, host)| host.lost.is_empty()), "nobody was disturbed");
}

#[test]
fn a_process_with_a_processor_polls_while_a_bulk_payload_moves() {
    let driver = Ofi::new(Options { dedicated: true, ..driver().options });
    let Some(mut members) = pair(&driver) else { return };
    let member = &mut members[0].0;
    let rests = |member: &mut Member| member.rest(&mut Vec::new());
    member.bulk_changed = Instant::now() + LONG;
    assert!(matches!(rests(member), Rest::Sleep(_)), "nothing moves");
    member.bulk.insert(1, Bulk::Send(1, 0));
    assert_eq!(rests(member), Rest::Poll);
    member.bulk_changed = Instant::now() - BULK_POLLING;
    assert!(matches!(rests(member), Rest::Sleep(_)), "its receiver does something else");
}

#[test]
fn a_pause_waits_for_injected_messages() {
    let Some(mut members) = pair(&driver()) else { return };
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 1);
    let peer = &members[1].0.peers[0];
    assert!(peer.injected, "the last message is the greeting");
    let sent = peer.number_out;
    let start = Instant::now();
    loop {
        let (member, host) = &mut members[1];
        if member.pause(host) == Ok(Finalized::Done) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(30));
        member.poll_recv(host).unwrap();
    }
    let peer = &members[1].0.peers[0];
    assert_eq!((peer.injected, peer.under_way, peer.number_out), (false, 0, sent + 1));
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 2);
    assert!(members.iter().all(|(_, host)| host.lost.is_empty()));
}

/// Two processes over a provider that is taken for one that reports messages as sent too early.
fn early_pair() -> Option<Vec<(Member, Counter)>> {
    let mut members = pair(&driver())?;
    members.iter_mut().for_each(|(member, _)| member.reports_early = true);
    Some(members)
}

/// Polls a process alone until it rests, at most for `limit`, and returns what it answers then.
fn pause_alone((member, host): &mut (Member, Counter), limit: Duration) -> Finalized {
    let start = Instant::now();
    loop {
        if member.pause(host) == Ok(Finalized::Done) {
            return Finalized::Done;
        }
        member.poll_recv(host).unwrap();
        if start.elapsed() >= limit {
            return Finalized::Busy;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_pause_waits_for_what_is_reported_as_sent_too_early() {
    let Some(mut members) = early_pair() else { return };
    for rounds in 1..=2 {
        send(&mut members[0]);
        until(&mut members, |members| {
            let peer = &members[0].0.peers[1];
            peer.delivery.sent > 0 && peer.is_idle()
        });
        let sent = members[0].0.peers[1].delivery.sent;
        let waits = pause_alone(&mut members[0], Duration::from_millis(20));
        assert_eq!(waits, Finalized::Busy, "nothing has answered");
        assert_eq!(members[0].0.peers[1].delivery.asked, Some(sent));
        let start = Instant::now();
        while pause_alone(&mut members[0], Duration::ZERO) != Finalized::Done {
            assert!(start.elapsed() < Duration::from_secs(30));
            let (member, host) = &mut members[1];
            member.poll_recv(host).unwrap();
        }
        assert_eq!(members[0].0.peers[1].delivery.arrived, sent);
        assert_eq!(members[1].1.packets, rounds);
        assert!(members[1].0.owing.is_empty());
    }
    // Process 1 has sent a greeting and credits, for which nobody waits.
    assert_eq!(pause_alone(&mut members[1], Duration::from_secs(30)), Finalized::Done);
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 3);
    // What has arrived is told without a question, too.
    assert_eq!(pause_alone(&mut members[1], Duration::from_secs(30)), Finalized::Done);
    assert!(members.iter().all(|(_, host)| host.lost.is_empty()));
}

#[test]
fn a_farewell_takes_the_lifeline_if_its_message_may_be_lost() {
    let Some(mut members) = early_pair() else { return };
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 1);
    let start = Instant::now();
    let mut done = [false; 2];
    while done != [true; 2] {
        assert!(start.elapsed() < Duration::from_secs(30));
        for (done, (member, host)) in done.iter_mut().zip(&mut members) {
            if !*done {
                *done = member.finalize(host) == Ok(Finalized::Done);
                let _ = (member.poll_send(host), member.poll_recv(host));
            }
        }
    }
    assert!(members.iter().all(|(_, host)| host.lost.is_empty()));
    assert!(members.iter().any(|(member, _)| member.peers.iter().any(|peer| peer.acknowledged)));
}

#[test]
fn the_end_of_a_message_to_an_earlier_process_is_not_that_of_a_later_one() {
    let Some(mut members) = pair(&driver()) else { return };
    let (member, host) = &mut members[0];
    let card = host.cards[1].clone();
    let mut meet = |member: &mut Member, job| {
        let foreign = Foreign { job, index: 0, key: [2; 32], card: card.clone(), follows: true };
        member.meet(host, 2, foreign).unwrap();
        member.dismiss(host, 2);
    };
    meet(member, 2);
    let label = member.label(2);
    meet(member, 3);
    member.peers[2].state = State::Linked;
    member.peers[2].under_way = 1;
    member.sends_under_way += 1;
    member.end_send(label, Some("the process has ended".to_owned()));
    assert!(member.peers[2].under_way == 1 && member.suspects.is_empty());
    assert_eq!(member.sends_under_way, 0);
}

#[test]
fn processes_with_other_providers_are_not_connected() {
    let Some(mut members) = pair(&driver()) else { return };
    let card = members[0].1.cards[1].clone();
    let (own, lifeline) = decode_card(&card).unwrap();
    let other = encode_card("cxi", lifeline);
    let member = &mut members[0].0;
    assert_eq!(member.connects(1, &card), Ok(()));
    let why = member.connects(1, &other).unwrap_err();
    assert!(why.contains("cxi") && why.contains(own), "{why}");
}

#[test]
fn a_module_whose_endpoint_was_closed_fails_without_a_crash() {
    let Some(mut members) = pair(&driver()) else { return };
    send(&mut members[0]);
    until(&mut members, |members| members[1].1.packets == 1);
    let (member, host) = &mut members[0];
    let mut ended = Vec::new();
    member.endpoint.close(&mut ended);
    assert!(!ended.is_empty(), "the posted buffers come back");
    for Completion { held, .. } in ended {
        if let Held::Receive(buffer) = held {
            member.repost(buffer);
        }
    }
    assert!(!member.unposted.is_empty());
    member.post_again();
    let header = Header { kind: FIRST_CLIENT_KIND, size: 100, ..Header::default() };
    assert_eq!(member.send(host, 1, Packet::new(&header, &[7; 100]), 0), Ok(Sent::Done));
    let failure = member.poll_recv(host).unwrap_err();
    member.forget(host, failure.about(1));
    assert!(member.send(host, 1, Packet::new(&header, &[7; 100]), 0).is_err());
}

/// Over sockets a provider promises few receives and takes many; a job may have many processes.
#[test]
fn peers_are_granted_what_the_provider_takes_and_not_what_it_promises() {
    let Some(mut members) = pair(&driver()) else { return };
    let member = &mut members[0].0;
    (member.receives_max, member.window) = (256, SHORT_WINDOW);
    assert!((0..100).all(|_| member.grant() == Ok(SHORT_WINDOW as u16)));
    let why = (0..RECEIVES_MAX).find_map(|_| member.grant().err()).expect("everything ends");
    assert!(why.contains("too few for the processes of the job"), "{why}");
}

#[test]
fn errors_name_what_is_missing() {
    let missing = Ofi::new(Options {
        library: Some("/nowhere/libfabric.so.1".to_owned()),
        ..driver().options.clone()
    });
    let why = missing.describe().unwrap_err().why;
    assert!(why.contains("libfabric1") && why.contains("NEMESIS_OFI_LIBRARY"), "{why}");
    let other =
        Ofi::new(Options { library: Some("libc.so.6".to_owned()), ..driver().options.clone() });
    let why = other.describe().unwrap_err().why;
    assert!(why.contains("is not libfabric"), "{why}");
    if library().is_none() {
        return;
    }
    let describe = |provider: &str, choice: &str| {
        let choice = Choice::parse(choice).unwrap();
        let provider = Some(provider.to_owned());
        Ofi::new(Options { provider, choice, ..driver().options.clone() }).describe()
    };
    let why = describe("carrier_pigeon", "lo").unwrap_err().why;
    assert!(why.contains("carrier_pigeon") && why.contains("tcp"), "{why}");
    for refused in ["sockets", "shm", "sm2"] {
        let why = describe(refused, "lo").unwrap_err().why;
        assert!(why.contains("not used"), "{why}");
    }
    let why = describe("tcp", "203.0.113.0/24").unwrap_err().why;
    assert!(why.contains("203.0.113.0/24"), "{why}");
    let text = describe("tcp", "lo").unwrap();
    assert!(text.contains("provider tcp") && text.contains("127.0.0.1"), "{text}");
}
