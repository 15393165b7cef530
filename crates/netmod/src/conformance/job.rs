//! A job within one process: its members, and the polls that let time pass between them.

use super::Build;
use super::host::{Cards, TestHost, TestPacket};
use super::random::Random;
use crate::{Failure, Finalized, Limits, Module, Packet, Sent, Setup, Started, Token};
use std::cell::RefCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Maximum time of any wait: far more than a module needs on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A process. The module is dropped first, because it may use its host's memory until then.
pub struct Member {
    pub module: Box<dyn Module>,
    pub host: TestHost,
}

/// A job of several processes, all within the test.
pub struct Job {
    /// The processes; `None` for one that has died or finalized.
    pub members: Vec<Option<Member>>,
    pub limits: Limits,
    pub random: Random,
    /// Number of ordered packets accepted, by sender and receiver.
    pub sent: Vec<Vec<u32>>,
    /// Number of unordered packets accepted, by sender and receiver.
    pub sent_unordered: Vec<Vec<u32>>,
    cards: Cards,
    next_token: u64,
}

impl Job {
    /// Starts a job whose processes have `cells` cells each.
    pub fn new(build: &Build<'_>, processes: usize, cells: usize) -> Job {
        let drivers = build(processes);
        assert_eq!(drivers.len(), processes, "one driver for each process");
        let cards: Cards = Rc::new(RefCell::new(vec![None; processes]));
        let mut job_key = [0; 32];
        // Consecutive jobs must not connect to each other.
        job_key[..8].copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
        let mut members = Vec::new();
        for (me, driver) in drivers.iter().enumerate() {
            let mut host = TestHost::new(me, processes, Rc::clone(&cards), cells);
            let setup =
                Setup { me: me as u32, processes: processes as u32, job_key, lane: 0, cells: None };
            let Started { module, card } =
                driver.init(setup, &mut host).expect("the module starts");
            cards.borrow_mut()[me] = Some(card);
            members.push(Some(Member { module, host }));
        }
        let limits =
            members[0].as_ref().map(|member| member.module.limits()).expect("a job has members");
        assert!(limits.payload >= 1024, "a module carries at least a kibibyte of payload");
        Job {
            members,
            limits,
            random: Random::new(7),
            sent: vec![vec![0; processes]; processes],
            sent_unordered: vec![vec![0; processes]; processes],
            cards,
            next_token: 0,
        }
    }

    pub fn member(&mut self, index: usize) -> &mut Member {
        self.members[index].as_mut().expect("the member lives")
    }

    pub fn host(&mut self, index: usize) -> &mut TestHost {
        &mut self.member(index).host
    }

    /// Returns an unused token.
    pub fn token(&mut self) -> Token {
        self.next_token += 1;
        self.next_token
    }

    /// Offers the pair's next ordered packet once.
    pub fn offer(
        &mut self,
        from: usize,
        to: usize,
        size: usize,
        bulk: usize,
    ) -> Result<Sent, Failure> {
        let number = self.sent[from][to] + 1;
        let packet =
            TestPacket { from: from as u32, to: to as u32, number, ordered: true, size, bulk };
        let answer = self.offer_packet(packet);
        if matches!(answer, Ok(Sent::Done | Sent::Pending)) {
            self.sent[from][to] += 1;
        }
        answer
    }

    /// Offers the pair's next unordered packet once.
    pub fn offer_unordered(
        &mut self,
        from: usize,
        to: usize,
        size: usize,
        bulk: usize,
    ) -> Result<Sent, Failure> {
        let number = self.sent_unordered[from][to] + 1;
        let packet =
            TestPacket { from: from as u32, to: to as u32, number, ordered: false, size, bulk };
        let answer = self.offer_packet(packet);
        if matches!(answer, Ok(Sent::Done | Sent::Pending)) {
            self.sent_unordered[from][to] += 1;
        }
        answer
    }

    /// Offers a packet once. Overwrites the memory of header and payload as soon as the module has
    /// answered.
    fn offer_packet(&mut self, packet: TestPacket) -> Result<Sent, Failure> {
        let (from, to, ordered) = (packet.from as usize, packet.to, packet.ordered);
        let (mut header, mut payload) = (packet.header(), packet.payload());
        let token = self.token();
        let Member { module, host } = self.members[from].as_mut().expect("the sender lives");
        let region = host.keep(token, packet.bulk());
        let packet = Packet { header: &header, payload: &payload, bulk: region, ordered };
        let answer = module.send(host, to, packet, token);
        header.tag = !header.tag;
        payload.fill(0xee);
        std::hint::black_box((&header, &payload));
        if !matches!(answer, Ok(Sent::Pending)) {
            assert!(host.sending.remove(&token).is_some(), "a token completes only after Pending");
        }
        answer
    }

    /// Sends the pair's next unordered packet, and polls all members while the module is full.
    pub fn send_unordered(&mut self, from: usize, to: usize, size: usize, bulk: usize) {
        let start = Instant::now();
        while self.offer_unordered(from, to, size, bulk).expect("the process can be reached")
            == Sent::Full
        {
            self.pass();
            assert!(start.elapsed() < TIMEOUT, "the module stays full");
        }
    }

    /// Sends the pair's next packet, and polls all members while the module is full.
    pub fn send(&mut self, from: usize, to: usize, size: usize, bulk: usize) {
        let start = Instant::now();
        while self.offer(from, to, size, bulk).expect("the process can be reached") == Sent::Full {
            self.pass();
            assert!(start.elapsed() < TIMEOUT, "the module stays full");
        }
    }

    /// Polls a member in both directions. Returns the number of packets moved.
    pub fn poll(&mut self, index: usize) -> u32 {
        let Some(Member { module, host }) = self.members[index].as_mut() else { return 0 };
        let sent = module.poll_send(host).expect("poll_send");
        sent + module.poll_recv(host).expect("poll_recv")
    }

    /// Polls every member once, beginning with a random one.
    pub fn pass(&mut self) {
        let processes = self.members.len();
        let first = self.random.below(processes);
        let moved: u32 = (0..processes).map(|index| self.poll((first + index) % processes)).sum();
        if moved == 0 {
            std::thread::yield_now();
        }
    }

    /// Polls all members until `done` returns true.
    pub fn until(&mut self, what: &str, done: impl FnMut(&mut Job) -> bool) {
        self.wait(what, done, Job::pass);
    }

    /// Polls only the members `awake` until `done` returns true.
    pub fn until_by(&mut self, awake: &[usize], what: &str, done: impl FnMut(&mut Job) -> bool) {
        self.wait(what, done, |job| {
            for &index in awake {
                job.poll(index);
            }
        });
    }

    fn wait(
        &mut self,
        what: &str,
        mut done: impl FnMut(&mut Job) -> bool,
        mut pass: impl FnMut(&mut Job),
    ) {
        let start = Instant::now();
        while !done(self) {
            assert!(start.elapsed() < TIMEOUT, "waited a minute without success: {what}");
            pass(self);
        }
    }

    /// Returns whether `to` has received every packet of `from`.
    pub fn has_arrived(&mut self, from: usize, to: usize) -> bool {
        let (sent, sent_unordered) = (self.sent[from][to], self.sent_unordered[from][to]);
        let host = self.host(to);
        let (received, unordered) =
            (host.received[from], host.received_unordered[from].len() as u32);
        assert!(received <= sent && unordered <= sent_unordered, "nothing comes that was not sent");
        received == sent && unordered == sent_unordered
    }

    /// Waits until every packet has arrived and every send has completed.
    pub fn await_all(&mut self) {
        self.until("everything arrives and completes", |job| {
            let living: Vec<usize> =
                (0..job.members.len()).filter(|&index| job.members[index].is_some()).collect();
            living.iter().all(|&from| {
                job.host(from).sending.is_empty()
                    && living.iter().all(|&to| from == to || job.has_arrived(from, to))
            })
        });
    }

    /// Finalizes a member and removes it from the job, while the others are polled.
    pub fn finalize(&mut self, index: usize) {
        self.until("finalize ends", |job| {
            let Member { module, host } = job.member(index);
            module.finalize(host).expect("finalize") == Finalized::Done
        });
        let Some(Member { module, host }) = self.members[index].take() else { return };
        assert!(host.sending.is_empty(), "a finalized module has completed every send");
        assert!(host.has_all_cells(), "a finalized module holds no cells");
        drop(module);
    }

    /// Ends a job without failures: every packet arrives and all processes finalize.
    pub fn end(mut self) {
        self.await_all();
        for index in 0..self.members.len() {
            if self.members[index].is_some() {
                self.finalize(index);
            }
        }
    }

    /// Drops process `index` without finalizing it.
    pub fn kill(&mut self, index: usize) {
        for member in self.members.iter_mut().flatten() {
            member.host.may_be_lost.insert(index as u32);
        }
        self.members[index] = None;
    }

    /// Removes the card of process `index`.
    pub fn hide(&mut self, index: usize) {
        self.cards.borrow_mut()[index] = None;
    }
}
