use super::*;
use crate::networks::Networks;
use crate::packet::{Sink, Token};
use crate::peer::Slots;
use crate::tunables::Tunables;
use nemesis_netmod::Failure;
use nemesis_netmod_loopback::{Loopback, Network, Trouble};
use nemesis_wireup::Wireup;
use std::sync::{Arc, Mutex};

/// A process of a job of two, each on its own node, connected by a network.
struct Process {
    endpoint: Endpoint,
    memory: Memory,
    registered: Registered,
}

impl Process {
    fn join(me: u32, network: &Network, cards: &Arc<Mutex<Vec<Vec<u8>>>>) -> Process {
        let segment = nemesis_wireup::segment::make(1).unwrap();
        let slots = Slots { processes: 2, local: vec![(me, 0)] };
        let mut endpoint = Endpoint::in_segment(
            segment.descriptor,
            segment.bytes as usize,
            segment.backing,
            &slots,
            me,
        )
        .unwrap();
        let known = cards.clone();
        let cards_of = Box::new(move |process: u32, _: &str| {
            Ok(known.lock().unwrap().get(process as usize).cloned())
        });
        let mut networks = Networks::new(me, 2, cards_of, false);
        cards.lock().unwrap().push(networks.start(&Loopback(network.clone()), [0; 32]).unwrap());
        endpoint.open_networks(networks);
        let memory = endpoint.take_memory().unwrap();
        Process { endpoint, memory, registered: Registered::default() }
    }

    fn block(&mut self, bytes: usize, value: u8) -> Span {
        let span = Span::of_shared(self.memory.allocate(bytes, 1).unwrap().shared);
        assert!(span.write(0, &vec![value; span.bytes()]));
        span
    }

    fn register(&mut self, span: &Span) -> Key {
        self.registered.register(&mut self.endpoint, &mut self.memory, span.clone()).unwrap()
    }

    fn deregister(&mut self, key: &Key) -> Result<(), super::RegisteredError> {
        self.registered.deregister(&mut self.endpoint, key)
    }

    fn put(&mut self, key: &Key, at: u64, local: &Span) -> u64 {
        self.registered
            .put(&mut self.endpoint, &self.memory, key, key.address + at, local.clone())
            .unwrap()
    }

    fn get(&mut self, key: &Key, at: u64, local: &Span) -> u64 {
        self.registered
            .get(&mut self.endpoint, &self.memory, key, key.address + at, local.clone())
            .unwrap()
    }

    fn poll(&mut self) {
        self.endpoint.poll(None, &mut Listener(&mut self.registered));
        self.registered.progress(&mut self.endpoint);
    }

    /// Polls, and lets `other` poll, until the operation has completed.
    fn outcome(&mut self, operation: u64, mut other: Option<&mut Process>) -> State {
        for _ in 0..1_000_000 {
            match self.registered.state(operation) {
                State::UnderWay => self.poll(),
                outcome => return outcome,
            }
            if let Some(other) = &mut other {
                other.poll();
            }
        }
        panic!("operation {operation} does not end");
    }

    fn packets_sent(&mut self) -> u64 {
        self.endpoint.traffic().network_packets_sent
    }
}

struct Listener<'a>(&'a mut Registered);

impl Sink for Listener<'_> {
    fn packet(&mut self, packet: Packet<'_>) {
        assert!(self.0.take(&packet));
    }
    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.0.completed(token, outcome);
    }
    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.0.place(origin, header, payload, bytes)
    }
    fn lost(&mut self, process: u32, _failure: &Failure) {
        self.0.lose(process);
    }
}

fn job(trouble: Trouble) -> [Process; 2] {
    let (network, cards) = (Network::new(trouble), Arc::default());
    [0, 1].map(|me| Process::join(me, &network, &cards))
}

fn bytes_of(span: &Span) -> Vec<u8> {
    let mut bytes = vec![0; span.bytes()];
    assert!(span.read(0, &mut bytes));
    bytes
}

#[test]
fn a_network_that_reaches_memory_puts_and_gets_without_the_target() {
    for trouble in [Trouble::none(), Trouble::plenty(3), Trouble::plenty(4)] {
        let [mut origin, mut target] = job(trouble);
        let (there, here, back) =
            (target.block(100_000, 1), origin.block(50_000, 2), origin.block(50_000, 3));
        let key = target.register(&there);
        assert!(!key.network.is_none(), "the loopback network gives out keys");
        // The target does not poll.
        let put = origin.put(&key, 4096, &here);
        assert_eq!(origin.registered.state(put), State::UnderWay, "operations do not block");
        assert_eq!(origin.outcome(put, None), State::Done);
        let now = bytes_of(&there);
        let end = 4096 + here.bytes();
        assert!(
            now[..4096].iter().all(|&b| b == 1)
                && now[4096..end].iter().all(|&b| b == 2)
                && now[end..].iter().all(|&b| b == 1)
        );
        let get = origin.get(&key, 0, &back);
        assert_eq!(origin.outcome(get, None), State::Done);
        assert_eq!(bytes_of(&back), now[..back.bytes()]);
        assert_eq!((origin.packets_sent(), target.packets_sent()), (0, 0));
    }
}

#[test]
fn without_a_network_that_reaches_memory_packets_carry_operations() {
    let [mut origin, mut target] = job(Trouble { reaches_memory: false, ..Trouble::none() });
    let (there, here) = (target.block(100_000, 1), origin.block(50_000, 2));
    let key = target.register(&there);
    assert!(key.network.is_none());
    let put = origin.put(&key, 0, &here);
    assert_eq!(origin.outcome(put, Some(&mut target)), State::Done);
    let get = origin.get(&key, 0, &here);
    assert_eq!(origin.outcome(get, Some(&mut target)), State::Done);
    assert!(
        bytes_of(&there)[..here.bytes()].iter().all(|&b| b == 2)
            && origin.packets_sent() > 0
            && target.packets_sent() > 0
    );
}

#[test]
fn long_operations_by_requests_are_whole_on_any_network() {
    for trouble in [Trouble::none(), Trouble::plenty(5), Trouble::plenty(6)] {
        let [mut origin, mut target] = job(Trouble { reaches_memory: false, ..trouble });
        let there = target.block(3 << 20, 1);
        let key = target.register(&there);
        for bytes in [1, 32 << 10, 70_001, 1 << 20, 2_500_000] {
            let (here, back) = (origin.block(bytes, 0).first(bytes), origin.block(bytes, 7));
            let back = back.first(bytes);
            let data: Vec<u8> = (0..bytes).map(|at| (at / 7 + bytes) as u8).collect();
            assert!(here.write(0, &data));
            let put = origin.put(&key, 99, &here);
            let get = origin.get(&key, 99, &back);
            let ends = [put, get].map(|operation| origin.outcome(operation, Some(&mut target)));
            assert_eq!(ends, [State::Done; 2]);
            let mut found = vec![0; bytes];
            assert!(there.read(99, &mut found) && found == data && bytes_of(&back) == data);
        }
        assert_eq!(target.registered.refused_requests(), 0);
    }
}

#[test]
fn memory_stays_registered_while_bulk_payloads_arrive_or_leave() {
    let [mut origin, mut target] = job(Trouble { reaches_memory: false, ..Trouble::plenty(8) });
    let bytes = 1 << 20;
    let (there, here) = (target.block(bytes, 1), origin.block(bytes, 2));
    let key = target.register(&there);
    for direction in [Direction::Put, Direction::Get] {
        let operation = match direction {
            Direction::Put => origin.put(&key, 0, &here),
            Direction::Get => origin.get(&key, 0, &here),
        };
        let mut refusals = 0;
        while origin.registered.state(operation) == State::UnderWay {
            origin.poll();
            target.poll();
            let registered = &target.registered;
            if registered.served.is_filled(key.token) || registered.target.results().count() > 0 {
                let refused = target.deregister(&key);
                assert!(matches!(refused, Err(super::RegisteredError::InUse(_))));
                refusals += 1;
            }
        }
        assert!(refusals > 0, "{direction:?}: the bulk payload comes or goes in several polls");
        (0..100).for_each(|_| target.poll());
    }
    assert_eq!(target.deregister(&key), Ok(()));
    assert!(bytes_of(&there).iter().all(|&byte| byte == 2));
}

#[test]
fn a_refused_put_is_under_way_while_its_memory_is_read() {
    let [mut origin, mut target] = job(Trouble { reaches_memory: false, ..Trouble::none() });
    let (there, here) = (target.block(4096, 1), origin.block(3 << 20, 2));
    let key = target.register(&there);
    target.deregister(&key).unwrap();
    let forged = Key { bytes: here.bytes() as u64, ..key };
    let put = origin.put(&forged, 0, &here);
    let mut was_refused_early = false;
    let mut polls = 0;
    let ended = loop {
        match origin.registered.state(put) {
            State::UnderWay => {}
            ended => break ended,
        }
        was_refused_early |= origin.registered.failed.contains(&put);
        origin.poll();
        target.poll();
        polls += 1;
        assert!(polls < 1_000_000, "the put ends");
    };
    let is_read = origin.registered.origin.unsent().count() > 0;
    assert!(ended == State::Failed && was_refused_early && !is_read);
    assert!(bytes_of(&there).iter().all(|&byte| byte == 1));
}

#[test]
fn memory_is_not_touched_after_deregistering() {
    let [mut origin, mut target] = job(Trouble::plenty(7));
    let (there, here) = (target.block(4096, 1), origin.block(4096, 2));
    let key = target.register(&there);
    assert_eq!(
        [target.deregister(&key), target.deregister(&key)],
        [Ok(()), Err(super::RegisteredError::NotRegistered)]
    );
    let (put, get) = (origin.put(&key, 0, &here), origin.get(&key, 0, &here));
    assert_eq!([put, get].map(|operation| origin.outcome(operation, None)), [State::Failed; 2]);
    assert!(bytes_of(&there).iter().all(|&b| b == 1) && bytes_of(&here).iter().all(|&b| b == 2));
    // A key whose token was changed.
    let mut words = target.register(&there).network.words();
    words[0] = u64::MAX;
    let key = Key { network: NetworkKey::from_words(words), ..target.register(&there) };
    let put = origin.put(&key, 0, &here);
    assert_eq!(origin.outcome(put, Some(&mut target)), State::Done, "packets carry it out");
}

#[test]
fn a_key_reaches_its_own_registration_only() {
    let [mut origin, mut target] = job(Trouble::none());
    let (there, here) = (target.block(4096, 1), origin.block(96, 2).first(96));
    let (part, _whole) = (target.register(&there.clone().first(2048)), target.register(&there));
    let beyond = part.address + 2000;
    let refused =
        origin.registered.put(&mut origin.endpoint, &origin.memory, &part, beyond, here.clone());
    assert_eq!(refused, Err(super::RegisteredError::NotRegistered));
    // A key whose length was changed, without the network's key.
    let forged = Key { bytes: 4096, network: NetworkKey::NONE, ..part };
    let put = origin.put(&forged, 2000, &here);
    assert_eq!(origin.outcome(put, Some(&mut target)), State::Failed);
    assert!(bytes_of(&there).iter().all(|&byte| byte == 1));
}

#[test]
fn memory_stays_registered_if_the_network_refuses() {
    let [mut origin, mut target] = job(Trouble { clings: 1, ..Trouble::none() });
    let (there, here) = (target.block(4096, 1), origin.block(4096, 2));
    let key = target.register(&there);
    assert!(matches!(target.deregister(&key), Err(super::RegisteredError::InUse(_))));
    let put = origin.put(&key, 0, &here);
    assert_eq!(origin.outcome(put, None), State::Done);
    assert_eq!(target.deregister(&key), Ok(()));
    let put = origin.put(&key, 0, &here);
    assert_eq!(origin.outcome(put, None), State::Failed);
}

#[test]
fn operations_of_the_network_on_a_lost_process_fail() {
    let [mut origin, mut target] = job(Trouble::plenty(9));
    let (there, here) = (target.block(4096, 1), origin.block(4096, 2));
    let key = target.register(&there);
    let before = origin.put(&key, 0, &here);
    drop(target);
    assert_eq!(origin.outcome(before, None), State::Failed);
    let after = [origin.put(&key, 0, &here), origin.get(&key, 0, &here)];
    assert_eq!(after.map(|operation| origin.outcome(operation, None)), [State::Failed; 2]);
}

#[test]
fn operations_on_a_lost_process_fail_whenever_they_are_begun() {
    let mut wireup = Wireup::connect().unwrap();
    let mut endpoint = Endpoint::join(&mut wireup, &Tunables::from_environment().unwrap()).unwrap();
    let mut memory = endpoint.take_memory().unwrap();
    // This process is the target, and the kernel refuses to reach it.
    let block = memory.allocate(64, 1).unwrap();
    let region = || Span::of_shared(block.shared.clone());
    let mut registered = Registered { refused: vec![memory.me()], ..Registered::default() };
    let key = registered.register(&mut endpoint, &mut memory, region()).unwrap();
    let before = registered.put(&mut endpoint, &memory, &key, key.address, region()).unwrap();
    assert_eq!(registered.state(before), State::UnderWay);
    registered.lose(memory.me());
    let put = registered.put(&mut endpoint, &memory, &key, key.address, region()).unwrap();
    let get = registered.get(&mut endpoint, &memory, &key, key.address, region()).unwrap();
    assert_eq!([before, put, get].map(|operation| registered.state(operation)), [State::Failed; 3]);
    registered.progress(&mut endpoint);
    assert!(registered.is_idle());
}
