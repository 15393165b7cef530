use super::*;
use crate::Tunables;
use crate::peer::{Peer, Peers};
use nemesis_netmod::RegionMut;
use nemesis_netmod::{Driver, Limits};
use nemesis_netmod_loopback::{Loopback, Network, Trouble};
use nemesis_shm::heap::Heap;
use nemesis_shm::segment::Segment;
use nemesis_shm::span::Span;
use nemesis_wire::next_seq;
use std::sync::{Arc, Mutex};

type KnownCards = Arc<Mutex<Vec<Vec<(String, Vec<u8>)>>>>;

fn short(payload: usize) -> Network {
    let limits = Limits { payload, bulk: 1 << 30 };
    Network::new(Trouble { limits, ..Trouble::none() })
}

#[test]
fn a_network_states_its_packet_limit() {
    let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
    let refused = networks.start(&Loopback(short(4095)), [0; 32]).unwrap_err();
    assert!(refused.why.contains("packets of 4095 bytes"), "{}", refused.why);
    networks.start(&Loopback(short(4096)), [0; 32]).unwrap();
    assert_eq!((networks.packet_max(1), networks.least_packet_max()), (4096, 4096));
    assert_eq!(networks.bulk_max(1), 1 << 30);
}

#[test]
fn a_second_network_of_one_name_is_refused() {
    let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
    networks.start(&Loopback(Network::named("same", short(8192))), [0; 32]).unwrap();
    let twin = Loopback(Network::named("same", short(4096)));
    let refused = networks.start(&twin, [0; 32]).unwrap_err();
    assert!(refused.why.contains("calls itself same, as another network"), "{}", refused.why);
    assert!(refused.why.contains("try: another name"), "{}", refused.why);
    networks.start(&Loopback(Network::named("other", short(4096))), [0; 32]).unwrap();
}

/// A sink that counts packets.
#[derive(Default)]
struct Counter {
    packets: u32,
    lost: Vec<String>,
}

impl Sink for Counter {
    fn packet(&mut self, _packet: crate::packet::Packet<'_>) {
        self.packets += 1;
    }
    fn lost(&mut self, _process: u32, failure: &Failure) {
        self.lost.push(failure.why.clone());
    }
}

/// A process of a job of three on as many nodes, with the networks that it has.
struct Process {
    networks: Networks,
    peers: Peers,
    sink: Counter,
}

impl Process {
    fn join(me: u32, cards: &KnownCards, drivers: &[Loopback]) -> Process {
        let known = cards.clone();
        let card_of = Box::new(move |process: u32, name: &str| {
            let known = known.lock().unwrap();
            let card = known[process as usize].iter().find(|(network, _)| network == name);
            Ok(card.map(|(_, card)| card.clone()))
        });
        let mut networks = Networks::new(me, 3, card_of, false);
        let published = drivers
            .iter()
            .map(|driver| {
                let card = networks.start(driver, [0; 32]).unwrap();
                (driver.name().to_owned(), card)
            })
            .collect();
        cards.lock().unwrap().push(published);
        Process { networks, peers: Peers::new(3, Peer::remote), sink: Counter::default() }
    }

    fn send(&mut self, to: u32) -> bool {
        let seq = self.peers[to as usize].next_seq;
        let header = Header { seq, kind: nemesis_wire::FIRST_CLIENT_KIND, ..Header::default() };
        let sent = self.networks.send(&mut self.peers, to, &header, &[]);
        if sent {
            self.peers[to as usize].next_seq = next_seq(seq);
        }
        sent
    }

    fn poll(&mut self) -> u32 {
        self.networks.poll(&mut self.peers, None, &mut self.sink)
    }

    fn name_of_network(&self, to: u32) -> &str {
        let rail = self.networks.state.chosen[to as usize];
        self.networks.rails.get(usize::from(rail)).map_or("none", |rail| &rail.name)
    }
}

#[test]
fn a_report_names_the_processes_of_each_network() {
    let fast = Network::named("fast", short(8192));
    let slow = Network::new(Trouble::none());
    let cards = KnownCards::default();
    let both = [Loopback(fast.clone()), Loopback(slow.clone())];
    let mut one = Process::join(0, &cards, &both);
    let mut two = Process::join(1, &cards, &[Loopback(slow.clone())]);
    let _three = Process::join(2, &cards, &both);
    let tunables = Tunables { networks: Vec::new(), ..Tunables::default() };
    let lines = one.networks.report(1..3, &tunables);
    assert_eq!(
        lines[..2],
        [
            "rank 0 reaches rank 2 by fast; rank 1 cannot use it",
            "rank 0 reaches rank 1 by loopback",
        ]
    );
    let why = "no device".to_owned();
    two.networks.missing = vec![("fast:a".to_owned(), why.clone()), ("none".to_owned(), why)];
    let lines = two.networks.report([0, 2].into_iter(), &tunables);
    assert_eq!(lines[0], "rank 1 reaches ranks 0, 2 by loopback");
    let ends: Vec<&str> =
        lines.iter().filter_map(|line| Some(line.split_once("no device")?.1)).collect();
    assert_eq!(ends, ["; ranks 0, 2 have it", ""]);
}

#[test]
fn memory_is_reached_by_the_network_that_leads_to_its_process() {
    let fast = Network::named("fast", short(8192));
    let slow = Network::new(Trouble::none());
    let cards = KnownCards::default();
    let both = [Loopback(fast.clone()), Loopback(slow.clone())];
    let mut one = Process::join(0, &cards, &both);
    let mut two = Process::join(1, &cards, &[Loopback(slow)]);
    let mut three = Process::join(2, &cards, &[Loopback(fast)]);
    let memory = span(4096);
    let registrations = one.networks.register(|| Region::of_span(&memory, 0, 4096));
    let key = one.networks.key_of(&registrations);
    assert!(two.networks.reaches_memory(0, &key) && three.networks.reaches_memory(0, &key));
    assert_eq!((two.name_of_network(0), three.name_of_network(0)), ("loopback", "fast"));
}

#[test]
fn every_pair_takes_the_first_network_that_both_have() {
    let fast = Network::named("fast", short(8192));
    let slow = Network::new(Trouble::none());
    let cards = KnownCards::default();
    let both = [Loopback(fast.clone()), Loopback(slow.clone())];
    let only_slow = [Loopback(slow)];
    let only_fast = [Loopback(fast)];
    let [mut one, mut two, mut three] = [&both[..], &only_slow[..], &only_fast[..]]
        .into_iter()
        .enumerate()
        .map(|(me, drivers)| Process::join(me as u32, &cards, drivers))
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    assert_eq!(one.networks.packet_max(2), 8192, "the least of all networks before the choice");
    assert!(one.send(1) && one.send(2) && one.send(1));
    assert_eq!((one.name_of_network(1), one.name_of_network(2)), ("loopback", "fast"));
    assert_eq!(one.networks.packet_max(1), 65528);
    for _ in 0..2 * UNUSED_POLLS {
        for process in [&mut one, &mut two, &mut three] {
            process.poll();
        }
    }
    assert_eq!((two.sink.packets, three.sink.packets), (2, 1));
    assert!(two.send(0) && three.send(0));
    for _ in 0..2 * UNUSED_POLLS {
        one.poll();
    }
    assert_eq!(one.sink.packets, 2);
    // Two and three have no network in common.
    assert!(!two.send(2), "the packet stays with its sender");
    two.poll();
    assert_eq!(two.sink.lost.len(), 1);
    let why = &two.sink.lost[0];
    assert!(why.contains("no card") && why.contains("; try: the same NEMESIS_NETWORKS"), "{why}");
}

/// A process whose sends are refused must be able to fall asleep.
#[test]
fn a_poll_after_refused_sends_has_moved_nothing() {
    let network = Network::new(Trouble { capacity: 4096, ..Trouble::none() });
    let cards = KnownCards::default();
    let mut one = Process::join(0, &cards, &[Loopback(network.clone())]);
    let _two = Process::join(1, &cards, &[Loopback(network)]);
    let mut accepted = 0;
    while one.send(1) {
        accepted += 1;
        assert!(accepted < 1_000_000, "nobody receives");
        one.poll();
    }
    while one.poll() > 0 {}
    (0..2 * UNPOLLED_SENDS).for_each(|_| assert!(!one.send(1)));
    assert_eq!(one.poll(), 0, "no send was accepted");
}

/// A sink that receives bulk payloads into a span.
struct Receiver {
    into: Span,
    arrived: bool,
}

impl Sink for Receiver {
    fn packet(&mut self, _packet: crate::packet::Packet<'_>) {
        self.arrived = true;
    }
    fn place(&mut self, _: u32, _: &Header, _: &[u8], bytes: usize) -> Option<RegionMut> {
        RegionMut::of_span(&self.into, 0, bytes)
    }
}

/// Allocates memory, which lives as long as the test's process.
fn span(bytes: usize) -> Span {
    let made = nemesis_wireup::segment::make(1).unwrap();
    let segment = Segment::open(&made.descriptor, made.bytes as usize, 1).unwrap();
    let heap = Heap::new(made.descriptor, made.backing, *segment.layout(), 0);
    let block = Box::leak(Box::new(heap)).allocate(bytes, 1).unwrap();
    Span::of_shared(block.shared)
}

#[test]
fn bulk_payloads_know_the_registration_of_their_memory() {
    let network = Network::new(Trouble::none());
    let cards = KnownCards::default();
    let mut all: Vec<Process> =
        (0..2).map(|me| Process::join(me, &cards, &[Loopback(network.clone())])).collect();
    let (from, into) = (span(100_000), span(100_000));
    for (round, expected) in [[1, 1], [1, 1]].into_iter().enumerate() {
        let mut registrations: Vec<Registrations> = match round {
            0 => [&from, &into]
                .into_iter()
                .zip(&mut all)
                .map(|(span, process)| {
                    process.networks.register(|| Region::of_span(span, 0, span.bytes()))
                })
                .collect(),
            _ => Vec::new(),
        };
        let header = Header { kind: nemesis_wire::FIRST_CLIENT_KIND, ..Header::default() };
        let bulk = Region::of_span(&from, 100, 50_000).unwrap();
        assert!(all[0].networks.send_bulk(1, &header, &[], bulk, 1).is_ok());
        let mut receiver = Receiver { into: into.clone(), arrived: false };
        while !receiver.arrived {
            all[0].poll();
            let Process { networks, peers, .. } = &mut all[1];
            networks.poll(peers, None, &mut receiver);
        }
        assert_eq!(network.registered_bulk(), expected, "round {round}");
        for (process, registrations) in all.iter_mut().zip(&mut registrations) {
            process.networks.deregister(registrations).unwrap();
        }
    }
}

#[test]
fn the_key_of_memory_is_that_of_a_first_rail() {
    let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
    let refuses = Network::new(Trouble { reaches_memory: false, ..Trouble::none() });
    networks.start(&Loopback(refuses), [0; 32]).unwrap();
    let other = Network::named("other", Network::new(Trouble::none()));
    networks.start(&Loopback(other), [0; 32]).unwrap();
    let memory = span(4096);
    let registrations = networks.register(|| Region::of_span(&memory, 0, 4096));
    assert!(!networks.key_of(&registrations).is_none(), "it is a network of its own");
    networks.rails[1].first = 0;
    assert!(networks.key_of(&registrations).is_none(), "accesses take the other rail");
}

#[test]
fn a_process_answers_over_the_network_by_which_it_was_reached() {
    let fast = Network::named("fast", short(8192));
    let slow = Network::new(Trouble::none());
    let cards = KnownCards::default();
    let both = [Loopback(fast), Loopback(slow)];
    let mut all: Vec<Process> = (0..3).map(|me| Process::join(me, &cards, &both)).collect();
    assert!(all[0].send(1));
    assert_eq!(all[1].name_of_network(0), "none");
    for _ in 0..2 * UNUSED_POLLS {
        all[1].poll();
    }
    assert_eq!((all[1].sink.packets, all[1].name_of_network(0)), (1, "fast"));
}
