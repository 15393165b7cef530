//! Times of messages within one thread that has both processes, so that no wake-up or other process
//! takes part.
//!
//! `NEMESIS_TEST_DEVICE` names a device of this host, and `scripts/check-verbs` runs the test on
//! soft-RoCE. Without it the test runs a few rounds on the mock, and its times mean nothing.

#![allow(unsafe_code)]

use nemesis_netmod::{
    Cell, Driver, Failure, Finalized, Host, Module, Packet, Region, RegionMut, Sent, Setup, Token,
};
use nemesis_netmod_tcp as tcp;
use nemesis_netmod_verbs::{Options, Tuning, Verbs};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::cell::RefCell;
use std::ptr::NonNull;
use std::rc::Rc;
use std::time::{Duration, Instant};

const LONG_BYTES: usize = 1 << 20;
const WARM_UP: usize = 5;

/// A host that counts packets and takes each bulk payload at the same place.
struct Counter {
    cards: Rc<RefCell<Vec<Vec<u8>>>>,
    place: &'static mut [u8],
    packets: usize,
    ended: usize,
}

impl Host for Counter {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.cards.borrow().get(process as usize).cloned()
    }
    fn offer(&mut self, _: u32, _: &Header, _: &[u8]) -> bool {
        self.packets += 1;
        true
    }
    fn alloc(&mut self, _: usize) -> Option<Cell> {
        None
    }
    fn deliver(&mut self, _: u32, _: Cell) {}
    fn give_back(&mut self, _: Cell) {}
    fn place(&mut self, _: u32, _: &Header, _: &[u8], bytes: usize) -> Option<RegionMut> {
        let place = NonNull::from(&mut self.place[..bytes]).cast();
        // SAFETY: the memory is never freed, and one bulk payload at a time is under way.
        Some(unsafe { RegionMut::new(place, bytes) })
    }
    fn completed(&mut self, _: Token, outcome: Result<(), Failure>) {
        outcome.expect("the bulk payload arrives");
        self.ended += 1;
    }
    fn lost(&mut self, process: u32, failure: Failure) {
        panic!("process {process} is lost: {failure}");
    }
    fn note(&mut self, what: &str) {
        assert!(!what.contains("by TCP"), "{what}");
    }
}

struct Process {
    module: Box<dyn Module>,
    host: Counter,
}

impl Process {
    fn receive(&mut self) {
        self.module.poll_recv(&mut self.host).expect("poll_recv");
    }

    fn poll(&mut self) {
        self.module.poll_send(&mut self.host).expect("poll_send");
        self.receive();
    }
}

fn options(device: Option<String>) -> Options {
    let test = std::env::current_exe().expect("a test has a path");
    let mock = test.with_file_name("libnemesis_verbs_mock.so");
    let choice = tcp::Choice::parse("lo").expect("there is a loopback interface");
    Options {
        tuning: Tuning { library: device.is_none().then_some(mock), ..Tuning::default() },
        devices: vec![device.unwrap_or("mock0".to_owned())],
        tcp: tcp::Options { choice, ..tcp::Options::default() },
        ..Options::default()
    }
}

/// Prints the least time of a call and its tenth percentile, in microseconds.
fn measure(name: &str, rounds: usize, mut call: impl FnMut()) {
    let mut times: Vec<Duration> = (0..WARM_UP + rounds)
        .map(|_| {
            let begin = Instant::now();
            call();
            begin.elapsed()
        })
        .skip(WARM_UP)
        .collect();
    times.sort_unstable();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!("{name} {:.1} {:.1}", micros(times[0]), micros(times[rounds / 10]));
}

#[test]
fn messages_within_one_thread() {
    let device = std::env::var("NEMESIS_TEST_DEVICE").ok();
    let (short_rounds, long_rounds) = if device.is_some() { (1000, 20) } else { (20, 2) };
    let options = options(device);
    let cards = Rc::new(RefCell::new(Vec::new()));
    let mut processes: Vec<Process> = (0..2)
        .map(|me| {
            let place = vec![0; LONG_BYTES].leak();
            let mut host = Counter { cards: Rc::clone(&cards), place, packets: 0, ended: 0 };
            let setup = Setup { me, processes: 2, job_key: [7; 32], lane: 0, cells: None };
            let started = Verbs::new(options.clone()).init(setup, &mut host).expect("it starts");
            cards.borrow_mut().push(started.card);
            Process { module: started.module, host }
        })
        .collect();
    let [sender, receiver] = processes.as_mut_slice() else { unreachable!() };

    let short = Header { kind: FIRST_CLIENT_KIND, size: 8, ..Header::default() };
    let mut sent = 0;
    // The sender polls, too, and so takes the completion of its request. Nothing waits to be sent,
    // so no call of `poll_send` is needed.
    measure("short", short_rounds, || {
        let packet = Packet::new(&short, &[1; 8]);
        let outcome = sender.module.send(&mut sender.host, 1, packet, 0);
        assert_eq!(outcome, Ok(Sent::Done));
        sent += 1;
        receiver.receive();
        while receiver.host.packets < sent {
            sender.poll();
            receiver.receive();
        }
        sender.receive();
    });

    let long = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
    let memory = NonNull::from(vec![1_u8; LONG_BYTES].leak()).cast();
    let mut ended = 0;
    measure("long", long_rounds, || {
        // SAFETY: the memory is never freed, and nothing changes it.
        let bulk = unsafe { Region::new(memory, LONG_BYTES) };
        let packet = Packet { header: &long, payload: &[], bulk: Some(bulk), ordered: true };
        let outcome = sender.module.send(&mut sender.host, 1, packet, 1);
        assert_eq!(outcome, Ok(Sent::Pending));
        (sent, ended) = (sent + 1, ended + 1);
        while receiver.host.packets < sent || sender.host.ended < ended {
            receiver.receive();
            sender.receive();
        }
    });
    assert!(receiver.host.place.iter().all(|&byte| byte == 1));

    let mut is_done = [false; 2];
    while is_done != [true; 2] {
        for (process, is_done) in processes.iter_mut().zip(&mut is_done) {
            process.poll();
            let Process { module, host } = process;
            *is_done |= module.finalize(host).expect("finalize") == Finalized::Done;
        }
    }
}
