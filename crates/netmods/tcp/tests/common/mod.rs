//! Shared by the tests that disturb a job: two processes on the loopback interface, whose hosts
//! record everything.

use nemesis_netmod::{Cell, Driver, Failure, Host, Module, RegionMut, Setup, Started, Token};
use nemesis_netmod_tcp::{Options, Tcp};
use nemesis_wire::Header;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(30);

type Cards = Rc<RefCell<Vec<Vec<u8>>>>;

pub struct Keeper {
    pub cards: Cards,
    pub packets: Vec<Vec<u8>>,
    pub notes: Vec<String>,
    pub lost: Vec<Failure>,
    /// Refuses packets.
    pub refuses: bool,
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
    fn place(&mut self, _: u32, _: &Header, _: &[u8], _: usize) -> Option<RegionMut> {
        None
    }
    fn completed(&mut self, _: Token, _: Result<(), Failure>) {}
    fn lost(&mut self, process: u32, failure: Failure) {
        assert_eq!(failure.process, Some(process));
        self.lost.push(failure);
    }
    fn note(&mut self, what: &str) {
        self.notes.push(what.to_owned());
    }
}

pub struct Process {
    pub module: Box<dyn Module>,
    pub host: Keeper,
}

/// Starts two processes of a job with their options and keys.
#[allow(dead_code, reason = "not every test has such a job")]
pub fn join(each: impl Fn(usize) -> (Options, [u8; 32])) -> Vec<Process> {
    start(each, |me| (me as u32, 2))
}

/// Starts two jobs of one process each.
#[allow(dead_code, reason = "not every test has several jobs")]
pub fn join_jobs(each: impl Fn(usize) -> (Options, [u8; 32])) -> Vec<Process> {
    start(each, |_| (0, 1))
}

/// Starts two processes. `place` tells the index of each and the number of processes of its job.
fn start(
    each: impl Fn(usize) -> (Options, [u8; 32]),
    place: impl Fn(usize) -> (u32, u32),
) -> Vec<Process> {
    let cards: Cards = Rc::default();
    let join = |me: usize| {
        let (options, job_key) = each(me);
        let driver = Tcp::new(options);
        let mut host = Keeper {
            cards: Rc::clone(&cards),
            packets: Vec::new(),
            notes: Vec::new(),
            lost: Vec::new(),
            refuses: false,
        };
        let (me, processes) = place(me);
        let setup = Setup { me, processes, job_key, lane: 0, cells: None };
        let Started { module, card } = driver.init(setup, &mut host).unwrap();
        cards.borrow_mut().push(card);
        Process { module, host }
    };
    (0..2).map(join).collect()
}

pub fn poll(job: &mut [Process]) {
    for Process { module, host } in job {
        module.poll_send(host).unwrap();
        module.poll_recv(host).unwrap();
    }
}

/// Polls until `done` returns true, for half a minute at most.
pub fn until(job: &mut [Process], what: &str, mut done: impl FnMut(&mut [Process]) -> bool) {
    let start = Instant::now();
    while !done(job) {
        poll(job);
        assert!(start.elapsed() < TIMEOUT, "in vain: {what}");
    }
}
