//! Processes that are stopped, sleep, or lose their link, and settings that cannot be used, on a
//! mock of libibverbs.

#![allow(unsafe_code)]

use nemesis_netmod::optional::Target;
use nemesis_netmod::{
    Cell, Driver, Failure, Fault, Finalized, Host, Interest, Module, Packet, Region, RegionMut,
    Rest, Sent, Setup, Started, Token,
};
use nemesis_netmod_tcp as tcp;
use nemesis_netmod_verbs::{Options, Tuning, Verbs};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[path = "trouble/limits.rs"]
mod limits;

const TIMEOUT: Duration = Duration::from_secs(60);
/// Most processes within a test.
const PROCESSES: u32 = 4;
/// Held by tests that take the link of `mock_unplugged` down: it is up again after the last of them
/// has closed the device.
static UNPLUGGED: Mutex<()> = Mutex::new(());
/// Set in the process that a test starts.
const TARGET: &str = "NEMESIS_TEST_TARGET";

type Cards = Rc<RefCell<Vec<Vec<u8>>>>;

fn options(device: &str) -> Options {
    let test = std::env::current_exe().expect("a test has a path");
    let library = Some(test.with_file_name("libnemesis_verbs_mock.so"));
    let choice = tcp::Choice::parse("lo").expect("there is a loopback interface");
    Options {
        tuning: Tuning { library, ..Tuning::default() },
        devices: vec![device.to_owned()],
        tcp: tcp::Options { choice, ..tcp::Options::default() },
        ..Options::default()
    }
}

/// A host that records everything.
#[derive(Default)]
struct Keeper {
    cards: Cards,
    packets: Vec<Vec<u8>>,
    lost: Vec<Failure>,
    ended: HashMap<Token, Result<(), Failure>>,
    notes: Vec<String>,
    warnings: Vec<String>,
    /// Whether it takes packets.
    refuses: bool,
}

impl Host for Keeper {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.cards.borrow().get(process as usize).cloned()
    }
    fn offer(&mut self, _: u32, _: &Header, payload: &[u8]) -> bool {
        if !self.refuses {
            self.packets.push(payload.to_vec());
        }
        !self.refuses
    }
    fn alloc(&mut self, _: usize) -> Option<Cell> {
        None
    }
    fn deliver(&mut self, _: u32, _: Cell) {}
    fn give_back(&mut self, _: Cell) {}
    fn place(&mut self, _: u32, _: &Header, _: &[u8], bytes: usize) -> Option<RegionMut> {
        let place = NonNull::from(vec![0_u8; bytes].leak()).cast();
        // SAFETY: the memory is never freed, and nothing else uses it.
        Some(unsafe { RegionMut::new(place, bytes) })
    }
    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.ended.insert(token, outcome);
    }
    fn lost(&mut self, _: u32, failure: Failure) {
        self.lost.push(failure);
    }
    fn note(&mut self, what: &str) {
        self.notes.push(what.to_owned());
    }
    fn warn(&mut self, what: &str) {
        self.note(what);
        self.warnings.push(what.to_owned());
    }
}

struct Process {
    module: Box<dyn Module>,
    host: Keeper,
}

impl Process {
    fn start(me: u32, options: &Options, cards: &Cards) -> (Process, Vec<u8>) {
        Process::start_of(me, PROCESSES, options, cards)
    }

    fn start_of(me: u32, processes: u32, options: &Options, cards: &Cards) -> (Process, Vec<u8>) {
        let mut host = Keeper { cards: Rc::clone(cards), ..Keeper::default() };
        let setup = Setup { me, processes, job_key: [7; 32], lane: 0, cells: None };
        let driver = Verbs::new(options.clone());
        let Started { module, card } = driver.init(setup, &mut host).expect("the module starts");
        (Process { module, host }, card)
    }

    fn send(&mut self, to: u32, payload: &[u8]) -> Result<Sent, Failure> {
        let size = payload.len() as u16;
        let header = Header { kind: FIRST_CLIENT_KIND, size, ..Header::default() };
        self.module.send(&mut self.host, to, Packet::new(&header, payload), 0)
    }

    fn poll(&mut self) {
        self.module.poll_send(&mut self.host).expect("poll_send");
        self.module.poll_recv(&mut self.host).expect("poll_recv");
    }
}

/// Starts two processes within the test, which have exchanged a packet in each direction.
fn pair(options: &Options) -> Vec<Process> {
    pair_with_cards(options, &Cards::default())
}

/// Starts two processes that have exchanged a packet, and adds their cards to `cards`.
fn pair_with_cards(options: &Options, cards: &Cards) -> Vec<Process> {
    let mut processes = Vec::new();
    for me in 0..2 {
        let (process, card) = Process::start(me, options, cards);
        cards.borrow_mut().push(card);
        processes.push(process);
    }
    for me in 0..2 {
        assert_eq!(processes[me as usize].send(1 - me, b"hello"), Ok(Sent::Done));
    }
    until(&mut processes, "greetings", |processes| {
        processes.iter().all(|process| process.host.packets.len() == 1)
    });
    processes
}

/// Polls all processes until `done` returns true.
fn until(processes: &mut [Process], what: &str, mut done: impl FnMut(&mut [Process]) -> bool) {
    let start = Instant::now();
    let mut rounds = 0_u32;
    while !done(processes) {
        processes.iter_mut().for_each(Process::poll);
        assert!(start.elapsed() < TIMEOUT, "waited a minute without success: {what}");
        // The module looks at some things once in thousands of polls, and on a busy host a yield
        // takes milliseconds.
        rounds += 1;
        if rounds.is_multiple_of(64) {
            std::thread::yield_now();
        }
    }
}

fn finalize(processes: &mut [Process]) {
    for index in 0..processes.len() {
        until(processes, "finalize", |processes| {
            let Process { module, host } = &mut processes[index];
            module.finalize(host).expect("finalize") == Finalized::Done
        });
    }
}

/// Sends until the module is full, without a poll. The receiver polls, and takes packets.
fn sends_without_poll(eager_poking: bool) -> usize {
    let mut options = options("mock0");
    options.tuning = Tuning { eager_poking, fast_path: false, ..options.tuning };
    let mut processes = pair(&options);
    let mut sent = 0;
    while sent < 5000 && processes[0].send(1, b"packet") == Ok(Sent::Done) {
        sent += 1;
        processes[1].poll();
    }
    until(&mut processes, "the packets", |processes| processes[1].host.packets.len() == sent + 1);
    finalize(&mut processes);
    sent
}

#[test]
fn eager_poking_returns_credits_to_a_program_that_only_sends() {
    assert_eq!(sends_without_poll(true), 5000, "credits come back within send");
    let without = sends_without_poll(false);
    assert!(without < 1000, "{without} packets: window and queue are full without a poll");
}

/// Two processes read each other's bulk payloads, and both answer before either answer arrives:
/// the answers wait behind the reads in the queue pairs.
#[test]
fn crossing_answers_to_bulk_payloads_exhaust_no_credits() {
    const SENDS: u64 = 64;
    let mut processes = pair(&Options { read_min_bytes: 1024, ..options("mock_slow") });
    let data = vec![7_u8; 4096];
    for token in 0..SENDS {
        for me in 0..2_u32 {
            // SAFETY: the bytes live until the sends have completed.
            let region = unsafe { Region::new(NonNull::from(data.as_slice()).cast(), data.len()) };
            let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
            let packet =
                Packet { header: &header, payload: &[], bulk: Some(region), ordered: false };
            let Process { module, host } = &mut processes[me as usize];
            assert_eq!(module.send(host, 1 - me, packet, token), Ok(Sent::Pending));
        }
    }
    until(&mut processes, "the sends", |processes| {
        processes.iter().all(|process| process.host.ended.len() == SENDS as usize)
    });
    assert!(processes.iter().all(|process| process.host.ended.values().all(Result::is_ok)));
    finalize(&mut processes);
}

/// A send succeeds whose receiver has read the bulk payload and finalizes at once: its goodbye by
/// TCP may be seen before its report of the read.
#[test]
fn a_goodbye_does_not_overtake_the_report_of_a_read() {
    let data = vec![7_u8; 16 << 10];
    // The module looks at its TCP connections once in 64 polls.
    for polls in 0..64 {
        let mut processes = pair(&options("mock0"));
        let Process { module, host } = &mut processes[0];
        for _ in 0..polls {
            module.poll_recv(host).expect("poll_recv");
        }
        // SAFETY: the bytes live until the send has completed.
        let region = unsafe { Region::new(NonNull::from(data.as_slice()).cast(), data.len()) };
        let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
        let packet = Packet { header: &header, payload: &[], bulk: Some(region), ordered: true };
        assert_eq!(module.send(host, 1, packet, 5), Ok(Sent::Pending));
        until(&mut processes[1..], "the bulk payload", |receiver| {
            receiver[0].host.packets.len() == 2
        });
        let Process { module, host } = &mut processes[1];
        for _ in 0..20 {
            let _ = module.finalize(host).expect("finalize");
        }
        let Process { module, host } = &mut processes[0];
        while host.ended.is_empty() {
            module.poll_recv(host).expect("poll_recv");
        }
        assert_eq!(host.ended[&5], Ok(()), "after {polls} polls");
    }
}

#[test]
fn a_link_that_breaks_is_a_loss_with_a_cause() {
    let mut processes = pair(&options("mock_broken"));
    until(&mut processes, "the loss", |processes| {
        for me in 0..2 {
            let _ = processes[me as usize].send(1 - me, b"packet");
        }
        processes.iter().all(|process| !process.host.lost.is_empty())
    });
    let why: Vec<&str> =
        processes.iter().map(|process| process.host.lost[0].why.as_str()).collect();
    // The process whose queue pair has not failed learns the cause from the other one.
    assert!(why.iter().all(|why| why.contains("gets no answer")), "{why:?}");
    for process in &processes {
        assert_eq!(process.host.lost.len(), 1, "a loss is reported once");
        assert_eq!(process.host.lost[0].fault, Fault::Lost);
    }
}

/// Requests neither fail nor complete on a port whose link is down, so only the device's event
/// tells a process that waits.
#[test]
fn a_link_that_goes_down_fails_a_process_that_waits() {
    let _link = UNPLUGGED.lock();
    let link_down_max = Duration::from_millis(20);
    let mut processes = pair(&Options { link_down_max, ..options("mock_unplugged") });
    for _ in 0..60 {
        let _ = processes[0].send(1, b"packet");
    }
    until(&mut processes, "the loss", |processes| !processes[1].host.lost.is_empty());
    let why = &processes[1].host.lost[0].why;
    assert!(why.contains("link of mock_unplugged port 1 on") && why.contains("; try: "), "{why}");
    until(&mut processes, "the other loss", |processes| !processes[0].host.lost.is_empty());
}

/// Two processes that connect while the link of one is down use TCP from the first packet on.
#[test]
fn a_pair_that_connects_over_a_link_that_is_down_uses_tcp() {
    let _link = UNPLUGGED.lock();
    let cards = Cards::default();
    let mut processes = pair_with_cards(&options("mock_unplugged"), &cards);
    for (me, device) in [(2, "mock_unplugged"), (3, "mock0")] {
        let (process, card) = Process::start(me, &options(device), &cards);
        cards.borrow_mut().push(card);
        processes.push(process);
    }
    for _ in 0..60 {
        let _ = processes[0].send(1, b"packet");
    }
    // The link of the sender, of the receiver, or of both is down.
    for (from, to) in [(2, 0), (3, 1), (0, 3)] {
        assert_eq!(processes[from].send(to, b"by TCP"), Ok(Sent::Done));
    }
    until(&mut processes, "the packets by TCP", |processes| {
        let is_lost = processes.iter().any(|process| !process.host.lost.is_empty());
        assert!(!is_lost, "the link has been down for less than 5 s");
        let has_arrived = |to: usize| processes[to].host.packets.contains(&b"by TCP".to_vec());
        has_arrived(0) && has_arrived(1) && has_arrived(3)
    });
}

/// A process whose link goes down while it waits for the answer to its offer goes on by TCP:
/// nothing has left by the queue pair.
#[test]
fn a_pair_that_is_connecting_when_its_link_goes_down_uses_tcp() {
    let _link = UNPLUGGED.lock();
    let cards = Cards::default();
    let link_down_max = Duration::from_millis(20);
    let mut processes =
        pair_with_cards(&Options { link_down_max, ..options("mock_unplugged") }, &cards);
    for (me, device) in [(2, "mock_unplugged"), (3, "mock0")] {
        let options = Options { link_down_max, ..options(device) };
        let (process, card) = Process::start(me, &options, &cards);
        cards.borrow_mut().push(card);
        processes.push(process);
    }
    // The other process does not poll yet, so the offer has no answer.
    assert_eq!(processes[2].send(3, b"waits"), Ok(Sent::Done));
    for _ in 0..60 {
        let _ = processes[0].send(1, b"packet");
    }
    until(&mut processes[2..3], "the note", |processes| {
        let notes = processes[0].host.notes.join("\n");
        notes.contains("process 3 is reached by TCP: the link of mock_unplugged port 1 on")
    });
    until(&mut processes[2..], "the packet", |processes| processes[1].host.packets == [b"waits"]);
    assert!(processes[2..].iter().all(|process| process.host.lost.is_empty()));
    finalize(&mut processes[2..]);
}

/// A program may free a window while a send from its memory is under way.
#[test]
fn a_bulk_payload_outlives_the_window_in_which_it_lies() {
    let mut processes = pair(&options("mock0"));
    let mut data = vec![7_u8; 64 << 10];
    let place = NonNull::from(data.as_mut_slice()).cast();
    // SAFETY: the bytes live until the send has completed, and nothing changes them.
    let region = || unsafe { Region::new(place, 64 << 10) };
    let Process { module, host } = &mut processes[0];
    let rma = module.rma().expect("it has RMA");
    let registration = rma.register(region()).expect("memory is registered");
    let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
    let bulk = Some(region().registered(Some(registration.id)));
    let packet = Packet { header: &header, payload: &[], bulk, ordered: true };
    assert_eq!(module.send(host, 1, packet, 5), Ok(Sent::Pending));
    module.rma().expect("it has RMA").deregister(&registration).expect("it is registered");
    until(&mut processes, "the bulk payload", |processes| {
        processes[1].host.packets.len() == 2 && processes[0].host.ended.contains_key(&5)
    });
    assert_eq!(processes[0].host.ended[&5], Ok(()));
    assert!(processes.iter().all(|process| process.host.lost.is_empty()), "nobody is lost");
}

/// Both processes break the connection for remote memory at once. It is made again, and a put to
/// memory that is registered succeeds as soon as one begins.
#[test]
fn invalid_accesses_in_both_directions_leave_a_connection_that_works() {
    let mut processes = pair(&options("mock0"));
    let mut memory = [[0_u8; 64]; 2];
    // SAFETY: the bytes live until the end of the test, and only the device changes them.
    let regions = [0, 1]
        .map(|owner: usize| unsafe { Region::new(NonNull::from(&mut memory[owner]).cast(), 64) });
    let addresses =
        regions.each_ref().map(|region| region.address().as_ptr().expose_provenance() as u64);
    let data = *b"a put";
    let from = || {
        // SAFETY: the bytes live until the end of the test, and nothing changes them.
        unsafe { Region::new(NonNull::from(&data).cast(), data.len()) }
    };
    let register = |processes: &mut [Process]| {
        [0, 1].map(|owner| {
            let rma = processes[owner].module.rma().expect("it has RMA");
            rma.register(regions[owner].share()).expect("memory is registered")
        })
    };
    const FLUSH: Token = 1000;
    for round in 0..50 {
        let stale = register(&mut processes);
        for owner in 0..2 {
            let rma = processes[owner].module.rma().expect("it has RMA");
            rma.deregister(&stale[owner]).expect("it is registered");
        }
        let valid = register(&mut processes);
        for (keys, is_valid) in [(&stale, false), (&valid, true)] {
            let mut begun = [false; 2];
            until(&mut processes, "the puts", |processes| {
                for me in 0..2 {
                    let Process { module, host } = &mut processes[me];
                    let (process, key) = (1 - me as u32, &keys[1 - me].key);
                    let target = Target { process, address: addresses[1 - me], key };
                    let rma = module.rma().expect("it has RMA");
                    if !begun[me] && rma.put(host, from(), target, round).is_ok() {
                        begun[me] = true;
                        // A flush makes the next poll look at the TCP connection, which tells that
                        // the other side makes the connection again.
                        rma.flush(host, process, FLUSH).expect("a flush begins");
                    }
                }
                processes.iter().all(|process| process.host.ended.contains_key(&round))
            });
            for process in &mut processes {
                let outcome = process.host.ended.remove(&round).expect("the put has ended");
                assert_eq!(outcome.is_ok(), is_valid, "round {round}: {outcome:?}");
            }
        }
    }
    assert!(processes.iter().all(|process| process.host.lost.is_empty()), "nobody is lost");
    assert_eq!(memory[0][..data.len()], data);
}

/// The end of the TCP connection is seen before the packets that have arrived.
#[test]
fn packets_that_have_arrived_come_before_the_loss_of_their_sender() {
    let mut processes = pair(&options("mock0"));
    // The receiver opens a ring to the sender.
    for count in 2..=20 {
        assert_eq!(processes[1].send(0, b"warm"), Ok(Sent::Done));
        until(&mut processes, "a packet", |processes| processes[0].host.packets.len() == count);
    }
    for number in 0..30 {
        // Some packets lie in the ring, and others in the shared queue.
        let payload = vec![number; if number % 3 == 0 { 2000 } else { 8 }];
        until(&mut processes[1..], "a packet leaves", |sender| {
            sender[0].send(0, &payload).expect("the receiver is there") == Sent::Done
        });
    }
    drop(processes.pop());
    let Process { module, host } = &mut processes[0];
    // A flush makes the next poll look at the TCP connections first.
    module.rma().expect("it has RMA").flush(host, 1, 9).expect("a flush begins");
    host.refuses = true;
    for _ in 0..10 {
        module.poll_send(host).expect("poll_send");
        module.poll_recv(host).expect("poll_recv");
    }
    assert!(host.lost.is_empty(), "the loss waits for the packets");
    host.refuses = false;
    until(&mut processes, "the loss", |processes| !processes[0].host.lost.is_empty());
    let host = &processes[0].host;
    let first_bytes: Vec<u8> = host.packets.iter().skip(20).map(|packet| packet[0]).collect();
    assert_eq!(first_bytes, (0..30).collect::<Vec<u8>>());
    assert_eq!(host.lost.len(), 1, "a loss is reported once");
}

/// A process that sleeps on the module's descriptors is woken by a packet.
#[test]
fn an_arrival_wakes_a_sleeper() {
    let mut processes = pair(&options("mock0"));
    // Enough packets for a ring, which has to be closed before the sleep.
    for _ in 0..40 {
        assert_eq!(processes[0].send(1, b"packet"), Ok(Sent::Done));
        processes.iter_mut().for_each(Process::poll);
    }
    until(&mut processes, "the packets", |processes| processes[1].host.packets.len() == 41);
    let mut interests = Vec::new();
    let start = Instant::now();
    loop {
        interests.clear();
        let rest = processes[1].module.rest(&mut interests);
        if matches!(rest, Rest::Sleep(limit) if limit > Duration::from_millis(1)) {
            break;
        }
        processes.iter_mut().for_each(Process::poll);
        assert!(start.elapsed() < TIMEOUT, "an idle process may sleep");
    }
    assert_eq!(ready(&interests), 0, "nothing has arrived");
    assert_eq!(processes[0].send(1, b"wake up"), Ok(Sent::Done));
    assert_ne!(ready(&interests), 0, "the arrival makes a descriptor readable");
    until(&mut processes, "the packet", |processes| processes[1].host.packets.len() == 42);
    finalize(&mut processes);
}

/// The slots of a ring serve again after a sleep, and bring each message once and in order.
#[test]
fn a_ring_is_opened_again_after_a_sleep() {
    let mut processes = pair(&options("mock0"));
    for round in 1..4 {
        for number in 0..50_u8 {
            assert_eq!(processes[0].send(1, &[round, number]), Ok(Sent::Done));
            processes.iter_mut().for_each(Process::poll);
        }
        let wanted: Vec<Vec<u8>> = (0..50).map(|number| vec![round, number]).collect();
        until(&mut processes, "the packets", |processes| {
            processes[1].host.packets.len() > usize::from(round) * 50
        });
        assert_eq!(processes[1].host.packets[usize::from(round) * 50 - 49..], wanted);
        until(&mut processes, "the sleep", |processes| {
            let rest = processes[1].module.rest(&mut Vec::new());
            matches!(rest, Rest::Sleep(limit) if limit > Duration::from_millis(1))
        });
    }
    finalize(&mut processes);
}

/// Opening and closing a ring costs both processes more than a ring saves that carries little.
#[test]
fn a_process_that_sleeps_between_packets_opens_few_rings() {
    let mut processes = pair(&options("mock0"));
    let mut rings = 0;
    for count in 2..202 {
        assert_eq!(processes[0].send(1, b"packet"), Ok(Sent::Done));
        until(&mut processes, "the packet", |processes| processes[1].host.packets.len() == count);
        // The sender confirms the end of a ring only when it polls.
        let limit = loop {
            match processes[1].module.rest(&mut Vec::new()) {
                Rest::Sleep(limit) => break limit,
                Rest::Poll => processes[1].poll(),
            }
        };
        rings += u32::from(limit <= Duration::from_millis(1));
        until(&mut processes, "the end of the ring", |processes| {
            let rest = processes[1].module.rest(&mut Vec::new());
            matches!(rest, Rest::Sleep(limit) if limit > Duration::from_millis(1))
        });
    }
    assert!((1..5).contains(&rings), "{rings} rings for 200 packets");
    finalize(&mut processes);
}

/// Returns the number of readable descriptors.
fn ready(interests: &[Interest]) -> i32 {
    let mut polled: Vec<libc::pollfd> = interests
        .iter()
        .map(|interest| libc::pollfd { fd: interest.descriptor, events: libc::POLLIN, revents: 0 })
        .collect();
    // SAFETY: the list has the length named.
    unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, 0) }
}

#[test]
fn settings_that_cannot_be_used_are_explained() {
    let why = |options: Options| {
        let setup = Setup { me: 0, processes: 1, job_key: [7; 32], lane: 0, cells: None };
        let started = Verbs::new(options).init(setup, &mut Keeper::default());
        started.err().map(|failure| failure.why).unwrap_or_default()
    };
    assert!(why(options("mlx5_9")).contains("device named mlx5_9; it has: mock0, mock_roce, "));
    for (device, words) in [
        ("mock_down", "mock_down port 1: its link is down: check the cable"),
        ("mock_roce_down", "that its network interface is up"),
        ("mock_unmanaged", "no subnet manager has made it active"),
        ("mock_unaddressed", "mock_unaddressed port 1: it has no address (GID) of RoCE v2"),
    ] {
        let reason = why(options(device));
        assert!(reason.contains(words), "{reason}");
    }
    let encrypts = tcp::Options { encrypt: true, ..tcp::Options::default() };
    assert!(why(Options { tcp: encrypts, ..options("mock0") }).contains("encrypt"));
    let mut missing = options("mock0");
    missing.tuning.library = Some("/nowhere/libibverbs.so".into());
    assert!(why(missing).contains("cannot be opened"));
    let two = Options { devices: vec!["mock0".into(), "mock_roce".into()], ..options("mock0") };
    assert_eq!(Verbs::rails(&two), 2, "each port is a rail");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let ports = tcp::Ports::parse(&port.to_string()).unwrap();
    // The device of the mock also has the other address of the loopback interface, if there is one.
    let _other = TcpListener::bind(("::1", port));
    let iwarp = options("mock_iwarp");
    let tcp = tcp::Options { ports, ..iwarp.tcp.clone() };
    let reason = why(Options { tcp, ..iwarp });
    assert!(reason.contains("mock_iwarp: listening at") && reason.contains("in use"), "{reason}");
    assert!(why(Options { rail: 2, ..two }).contains("2 active ports"));
    let names = ["mock0", "mock_roce", "mock_down", "mlx5_9"].map(str::to_owned);
    let described = Verbs::new(Options { devices: names.to_vec(), ..options("mock0") }).describe();
    let described = described.unwrap();
    let words = "; not used: this host has no InfiniBand, RoCE or iWARP device named mlx5_9; ";
    let (used, _) = described.split_once(words).unwrap();
    assert!(used.starts_with("mock0 port 1, InfiniBand, LID "), "{described}");
    assert!(used.contains("; mock_roce port 1, RoCE v2, GID 1 (127.77."), "{described}");
    assert!(described.ends_with("; mock_down port 1: its link is down: check the cable"));
}

/// The host uses another network for a process whose port is of another kind.
#[test]
fn ports_of_different_kinds_are_not_connected() {
    let [(mut here, own), (_there, card)] = ["mock0", "mock_roce"].map(|device| {
        let setup = Setup { me: 0, processes: 2, job_key: [7; 32], lane: 0, cells: None };
        let started = Verbs::new(options(device)).init(setup, &mut Keeper::default()).unwrap();
        (started.module, started.card)
    });
    assert_eq!(here.connects(1, &own), Ok(()));
    let why = here.connects(1, &card).unwrap_err();
    assert_eq!(why, "this port is of kind InfiniBand and the other one of kind RoCE v2");
    assert!(here.connects(1, b"card").unwrap_err().contains("none of this network"));
}

/// An iWARP device without an address, or without its library, cannot be used.
#[test]
fn iwarp_that_cannot_be_used_is_explained() {
    let why = |options: Options| Verbs::new(options).describe().unwrap_err().why;
    let unaddressed = why(options("mock_nowhere"));
    let words = "no IP address of this host belongs to the iWARP device mock_nowhere: give its";
    assert!(unaddressed.contains(words), "{unaddressed}");

    // A library without the functions of librdmacm, and a librdmacm that cannot be opened.
    let folder = std::env::temp_dir().join(format!("verbs-without-manager-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let mut iwarp = options("mock_iwarp");
    let mut code = std::fs::read(iwarp.tuning.library.as_ref().unwrap()).unwrap();
    let name = b"\0rdma_create_event_channel\0";
    let at = code.windows(name.len()).position(|bytes| bytes == name).expect("the mock has it");
    code[at + 1] = b'_';
    let library = folder.join("libibverbs.so.1");
    std::fs::write(&library, code).unwrap();
    std::fs::write(folder.join("librdmacm.so.1"), "no library").unwrap();
    iwarp.tuning.library = Some(library);
    let missing = why(iwarp);
    std::fs::remove_dir_all(&folder).unwrap();
    let words = ["mock_iwarp is an iWARP device: ", "librdmacm.so.1", "(Debian: librdmacm1)"];
    assert!(words.iter().all(|words| missing.contains(words)), "{missing}");
}

/// Packets travel by TCP if nobody answers the request for an iWARP connection.
#[test]
fn iwarp_without_an_answer_leaves_packets_to_tcp() {
    let mut processes = pair(&options("mock_silent"));
    for process in &processes {
        let notes = process.host.notes.join("\n");
        assert!(notes.contains("by TCP: ") && notes.contains("it does not answer"), "{notes}");
    }
    finalize(&mut processes);
}

/// The removal of an iWARP device loses the processes that are reached by it.
#[test]
fn the_removal_of_an_iwarp_device_is_a_loss_with_a_cause() {
    let mut processes = pair(&options("mock_removed"));
    until(&mut processes, "the loss", |processes| {
        let _ = processes[0].send(1, b"packet");
        processes.iter().all(|process| !process.host.lost.is_empty())
    });
    for process in &processes {
        let lost = &process.host.lost;
        assert_eq!((lost.len(), lost[0].fault), (1, Fault::Lost), "{lost:?}");
        assert!(lost[0].why.contains("the device mock_removed is being removed"), "{lost:?}");
    }
}

/// The connection manager connects the queue pairs, and packets leave by them.
#[test]
fn packets_travel_by_iwarp() {
    let mut processes = pair(&options("mock_iwarp"));
    for process in &mut processes {
        let notes = process.host.notes.join("\n");
        assert!(notes.contains("mock_iwarp port 1") && notes.contains("127.0.0.1:"), "{notes}");
        assert!(!notes.contains("by TCP"), "{notes}");
        assert!(process.module.rma().is_none(), "a flush of iWARP would be no flush");
    }
    assert!(Verbs::new(options("mock_iwarp")).describe().unwrap().contains(", iWARP"));
    finalize(&mut processes);
}

/// Whoever does not know the nonce that a process has given to another one by the authenticated TCP
/// connection gets no connection, and does not disturb it.
#[test]
fn strangers_get_no_iwarp_connection() {
    let cards = Cards::default();
    let mut processes = Vec::new();
    for me in 0..2 {
        let (process, card) = Process::start(me, &options("mock_iwarp"), &cards);
        cards.borrow_mut().push(card);
        processes.push(process);
    }
    // The second process has made a queue pair for the first one, which has not asked yet.
    assert_eq!(processes[1].send(0, b"hello"), Ok(Sent::Done));
    let notes = processes[1].host.notes.join("\n");
    let place = notes.split_once("iWARP at ").unwrap().1.split([' ', '\n']).next().unwrap();
    let mut refused = 0;
    // The request of process 0 with a nonce of zeros, one of a process that does not exist, and one
    // that is too short; see the mock's `manager`.
    for (process, bytes) in [(0_u32, 20), (9, 20), (0, 4)] {
        let mut stranger = TcpStream::connect(place).unwrap();
        stranger.set_nonblocking(true).unwrap();
        let mut request = [0; 64];
        (request[0], request[1]) = (1, bytes);
        request[8..12].copy_from_slice(&process.to_le_bytes());
        stranger.write_all(&request).unwrap();
        let mut answer = [0; 64];
        until(&mut processes[1..], "the answer", |_| stranger.read(&mut answer).is_ok());
        assert_eq!(answer[0], 3, "the request is refused");
        refused += 1;
        let notes = processes[1].host.notes.join("\n");
        assert_eq!(notes.matches("shows no proof").count(), refused);
    }
    until(&mut processes, "the packet", |processes| processes[0].host.packets.len() == 1);
    assert!(processes.iter().all(|it| !it.host.notes.join("\n").contains("by TCP")));
    finalize(&mut processes);
}

/// The other side's connection ends at once when its process dies.
#[test]
fn the_end_of_an_iwarp_connection_is_a_loss_with_a_cause() {
    let mut processes = pair(&options("mock_iwarp"));
    drop(processes.pop());
    let start = Instant::now();
    until(&mut processes, "the loss", |processes| {
        let _ = processes[0].send(1, b"packet");
        !processes[0].host.lost.is_empty()
    });
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!((processes[0].host.lost.len(), processes[0].host.lost[0].fault), (1, Fault::Lost));
}

/// A process that has paused may end: no loss is reported, whatever fails afterwards.
#[test]
fn the_end_of_a_process_that_has_paused_is_no_loss() {
    for device in ["mock0", "mock_iwarp"] {
        let mut processes = pair(&options(device));
        until(&mut processes, "the pause", |processes| {
            let Process { module, host } = &mut processes[1];
            module.pause(host).expect("pause") == Finalized::Done
        });
        drop(processes.pop());
        let start = Instant::now();
        until(&mut processes, "three seconds", |processes| {
            // A device without iWARP sees the end only by a failed request.
            if processes[0].module.has_parted(1) {
                let _ = processes[0].send(1, b"packet");
            }
            start.elapsed() > Duration::from_secs(3)
        });
        assert_eq!(processes[0].host.lost, [], "{device}");
        let failure = processes[0].send(1, b"packet").expect_err("nothing receives it");
        assert_eq!((failure.fault, &*failure.why), (Fault::Lost, "it has finalized"), "{device}");
        finalize(&mut processes);
    }
}

/// The end of a process that has paused may have arrived without having been read when a request to
/// it fails.
#[test]
fn a_failed_request_is_no_loss_if_the_regular_end_has_arrived() {
    let mut processes = pair(&options("mock0"));
    until(&mut processes, "the pause", |processes| {
        let Process { module, host } = &mut processes[1];
        module.pause(host).expect("pause") == Finalized::Done
    });
    drop(processes.pop());
    let sent = processes[0].send(1, b"packet");
    // The request fails before this process polls, in a pause.
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(100) {
        let Process { module, host } = &mut processes[0];
        let _ = module.pause(host);
    }
    until(&mut processes, "a second", |_| start.elapsed() > Duration::from_secs(1));
    assert_eq!(processes[0].host.lost, [], "{sent:?}");
    let failure = processes[0].send(1, b"packet").expect_err("nothing receives it");
    assert_eq!((failure.fault, &*failure.why), (Fault::Lost, "it has finalized"));
    finalize(&mut processes);
}

/// A pause waits until what was sent by iWARP has arrived.
#[test]
fn a_pause_confirms_what_iwarp_has_sent() {
    let mut processes = pair(&options("mock_iwarp"));
    // The greetings are confirmed.
    for me in 0..2 {
        until(&mut processes, "the pause", |processes| {
            let Process { module, host } = &mut processes[me];
            module.pause(host).expect("pause") == Finalized::Done
        });
    }
    assert_eq!(processes[0].send(1, b"packet"), Ok(Sent::Done));
    // All requests complete without a poll of the receiver, so only the read delays the pause.
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(100) {
        processes[0].poll();
    }
    let Process { module, host } = &mut processes[0];
    assert_eq!(module.pause(host), Ok(Finalized::Busy), "a read is under way");
    until(&mut processes, "the pause", |processes| {
        let Process { module, host } = &mut processes[0];
        module.pause(host).expect("pause") == Finalized::Done
    });
    finalize(&mut processes);
}

/// A put completes while its target is stopped.
#[test]
fn a_put_needs_no_processor_of_the_target() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "target_process", "--nocapture"])
        .env(TARGET, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    put_to_a_stopped_process(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn put_to_a_stopped_process(child: &mut Child) {
    let cards = Cards::default();
    let (process, card) = Process::start(0, &options("mock0"), &cards);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let theirs = lines
        .find_map(|line| Some(from_hex(line.unwrap().split_once("card ")?.1)))
        .expect("the target prints its card");
    *cards.borrow_mut() = vec![card.clone(), theirs];
    writeln!(child.stdin.as_mut().unwrap(), "{}", to_hex(&card)).unwrap();
    let mut processes = vec![process];
    assert_eq!(processes[0].send(1, b"hello"), Ok(Sent::Done));
    until(&mut processes, "the key", |processes| processes[0].host.packets.len() == 1);
    let message = processes[0].host.packets.remove(0);
    let (address, key) = message.split_first_chunk::<8>().unwrap();
    let pid = child.id() as libc::pid_t;
    // SAFETY: the child is this test's own process.
    unsafe { libc::kill(pid, libc::SIGSTOP) };
    let data = b"written while the target is stopped".to_vec();
    // SAFETY: the bytes live until the put has completed.
    let region = unsafe { Region::new(NonNull::from(data.as_slice()).cast(), data.len()) };
    let target = Target { process: 1, address: u64::from_le_bytes(*address), key };
    let Process { module, host } = &mut processes[0];
    let rma = module.rma().expect("the device has remote memory");
    rma.put(host, region, target, 1).expect("a put begins");
    rma.flush(host, 1, 2).expect("a flush begins");
    until(&mut processes, "the put", |processes| processes[0].host.ended.len() == 2);
    assert!(processes[0].host.ended.values().all(Result::is_ok));
    // SAFETY: as above.
    unsafe { libc::kill(pid, libc::SIGCONT) };
    assert_eq!(processes[0].send(1, b"tell"), Ok(Sent::Done));
    until(&mut processes, "the answer", |processes| processes[0].host.packets.len() == 1);
    assert_eq!(processes[0].host.packets[0][..data.len()], data);
}

/// The process that is stopped: it registers memory and tells its content.
#[test]
fn target_process() {
    if std::env::var_os(TARGET).is_none() {
        return;
    }
    let memory = vec![0_u8; 64].leak();
    let base = NonNull::from(&mut *memory).cast::<u8>();
    let cards = Cards::default();
    let (mut process, card) = Process::start(1, &options("mock0"), &cards);
    println!("card {}", to_hex(&card));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    *cards.borrow_mut() = vec![from_hex(line.trim()), card];
    // SAFETY: the memory is never freed, and read below as copies only.
    let region = unsafe { Region::new(base, 64) };
    let key = process.module.rma().unwrap().register(region).unwrap().key;
    let mut answered = 0;
    // The test ends this process.
    let start = Instant::now();
    while start.elapsed() < 2 * TIMEOUT {
        process.poll();
        if process.host.packets.len() > answered {
            answered += 1;
            let mut answer = [0; 64];
            // SAFETY: the memory has 64 bytes.
            unsafe { std::ptr::copy_nonoverlapping(base.as_ptr(), answer.as_mut_ptr(), 64) };
            let mut message = (base.as_ptr().expose_provenance() as u64).to_le_bytes().to_vec();
            message.extend(&key);
            let payload = if answered == 1 { &message[..] } else { &answer[..] };
            assert_eq!(process.send(0, payload), Ok(Sent::Done));
        }
        std::thread::yield_now();
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}
