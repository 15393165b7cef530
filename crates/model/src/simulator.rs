//! A discrete-event simulation of what all ranks of an operation do.
//!
//! A rank goes through its moves in its own time. What leaves a node claims the node's card in the
//! order in which it comes to it; what arrives claims the other node's card for as long as its
//! bytes take. A message that is longer than the link sends at once waits for its receive, and for
//! the word about it.

use crate::machine::{Link, Machine, Time};
use nemesis_mpi_coll::recording::Move;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What an operation costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// From the common start until the last rank has ended.
    pub time: Time,
    /// Messages and bytes that the busiest card sends.
    pub card_messages: u64,
    pub card_bytes: u64,
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
struct Message {
    from: u32,
    to: u32,
    /// Its number among those from one to the other.
    number: u32,
    bytes: usize,
    /// Whether its sender waits for its end.
    waits: bool,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A rank goes on.
    Run(u32),
    /// A message comes to its node's card.
    Out(Message),
    /// The first byte of a message comes to the receiver's node.
    In(Message),
    /// The last byte has arrived.
    Arrived(Message),
    /// The word about a message that waits has arrived.
    Asked(Message),
}

/// The side of a message that has come first.
#[derive(Clone, Copy)]
enum First {
    /// Its receiver's, at this time.
    Posted(Time),
    Here,
    Asked(Message),
}

#[derive(Default)]
struct Rank {
    moves: Vec<Move>,
    next: usize,
    time: Time,
    /// Receives that have not ended, and sends that wait for their receiver.
    open: u32,
    /// The senders and numbers of the receives that have not ended, if the rank waits for single
    /// ones.
    receives: Option<Vec<(u32, u32)>>,
    waits: Option<Wait>,
}

/// What a rank waits for.
#[derive(Clone, Copy)]
enum Wait {
    All,
    One(u32, u32),
}

#[derive(Clone, Copy, Default)]
struct Card {
    free_out: Time,
    free_in: Time,
    messages: u64,
    bytes: u64,
}

struct Run<'a> {
    machine: &'a Machine,
    ranks: Vec<Rank>,
    cards: Vec<Card>,
    events: BinaryHeap<Reverse<(Time, u64, usize)>>,
    /// Events by number; the heap orders numbers.
    kept: Vec<Event>,
    free: Vec<usize>,
    sequence: u64,
    first: HashMap<(u32, u32, u32), First>,
    sent: HashMap<(u32, u32), u32>,
    received: HashMap<(u32, u32), u32>,
}

/// Simulates an operation in which each rank makes its moves.
///
/// # Errors
///
/// Nobody can go on: a receive has no message, or a message no receive.
pub fn simulate(machine: &Machine, moves: Vec<Vec<Move>>) -> Result<Cost, String> {
    let ranks: Vec<Rank> = moves.into_iter().map(Rank::new).collect();
    let mut run = Run {
        machine,
        cards: vec![Card::default(); machine.nodes as usize],
        events: BinaryHeap::new(),
        kept: Vec::new(),
        free: Vec::new(),
        sequence: 0,
        first: HashMap::new(),
        sent: HashMap::new(),
        received: HashMap::new(),
        ranks,
    };
    (0..run.ranks.len() as u32).for_each(|rank| run.at(0, Event::Run(rank)));
    while let Some(Reverse((now, _, index))) = run.events.pop() {
        run.free.push(index);
        run.handle(now, run.kept[index]);
    }
    if let Some(stuck) = run.ranks.iter().position(|rank| !rank.has_ended()) {
        return Err(format!("rank {stuck} waits for a message that nobody sends or receives"));
    }
    if !run.first.is_empty() {
        return Err(format!("{} messages are not received", run.first.len()));
    }
    let busiest = |of: fn(&Card) -> u64| run.cards.iter().map(of).max().unwrap_or(0);
    Ok(Cost {
        time: run.ranks.iter().map(|rank| rank.time).max().unwrap_or(0),
        card_messages: busiest(|card| card.messages),
        card_bytes: busiest(|card| card.bytes),
    })
}

impl Rank {
    fn new(moves: Vec<Move>) -> Rank {
        let names = moves.iter().any(|one| matches!(one, Move::WaitFor { .. }));
        Rank { moves, receives: names.then(Vec::new), ..Rank::default() }
    }

    fn is_over(&self, wait: Wait) -> bool {
        match (wait, &self.receives) {
            (Wait::One(from, number), Some(receives)) => !receives.contains(&(from, number)),
            _ => self.open == 0,
        }
    }

    /// A receive has ended.
    fn received(&mut self, from: u32, number: u32) {
        if let Some(receives) = &mut self.receives {
            receives.retain(|&one| one != (from, number));
        }
    }

    fn has_ended(&self) -> bool {
        self.next == self.moves.len() && self.open == 0
    }
}

impl Run<'_> {
    fn at(&mut self, time: Time, event: Event) {
        let index = self.free.pop().unwrap_or(self.kept.len());
        if index == self.kept.len() {
            self.kept.push(event);
        } else {
            self.kept[index] = event;
        }
        self.events.push(Reverse((time, self.sequence, index)));
        self.sequence += 1;
    }

    fn link(&self, message: &Message) -> Link {
        match self.is_local(message) {
            true => self.machine.memory,
            false => self.machine.network,
        }
    }

    fn is_local(&self, message: &Message) -> bool {
        self.machine.node_of(message.from) == self.machine.node_of(message.to)
    }

    fn handle(&mut self, now: Time, event: Event) {
        match event {
            Event::Run(rank) => self.go_on(rank),
            Event::Out(message) => self.leave(now, message),
            Event::In(message) => {
                let link = self.machine.network;
                let card = &mut self.cards[self.machine.node_of(message.to) as usize];
                let ends = now.max(card.free_in) + link.gap.max(link.byte * message.bytes as Time);
                card.free_in = ends;
                self.at(ends, Event::Arrived(message));
            }
            Event::Arrived(message) => self.arrive(now, message),
            Event::Asked(message) => {
                let key = (message.from, message.to, message.number);
                match self.first.remove(&key) {
                    // The receiver may be ahead of the time of events.
                    Some(First::Posted(time)) => self.answer(now.max(time), message),
                    _ => {
                        self.first.insert(key, First::Asked(message));
                    }
                }
            }
        }
    }

    /// A rank makes its moves up to a wait that is not over.
    fn go_on(&mut self, index: u32) {
        loop {
            let rank = &mut self.ranks[index as usize];
            let Some(&next) = rank.moves.get(rank.next) else {
                rank.waits = (rank.open > 0).then_some(Wait::All);
                return;
            };
            match next {
                Move::Wait | Move::WaitFor { .. } => {
                    let wait = match next {
                        Move::WaitFor { from, number } => Wait::One(from, number),
                        _ => Wait::All,
                    };
                    if !rank.is_over(wait) {
                        rank.waits = Some(wait);
                        return;
                    }
                }
                Move::Copy { bytes } => rank.time += self.machine.copy * bytes as Time,
                Move::Reduce { bytes } => rank.time += self.machine.reduce * bytes as Time,
                Move::Send { to, bytes } => self.send(index, to, bytes),
                Move::Receive { from } => self.receive(index, from),
            }
            self.ranks[index as usize].next += 1;
        }
    }

    fn send(&mut self, from: u32, to: u32, bytes: usize) {
        let number = count(&mut self.sent, from, to);
        let mut message = Message { from, to, number, bytes, waits: false };
        let link = self.link(&message);
        let rank = &mut self.ranks[from as usize];
        rank.time += link.overhead;
        let time = rank.time;
        if bytes > link.eager_max {
            message.waits = true;
            rank.open += 1;
            self.at(time + link.latency, Event::Asked(message));
        } else {
            self.at(time, Event::Out(message));
        }
    }

    fn receive(&mut self, index: u32, from: u32) {
        let number = count(&mut self.received, from, index);
        let key = (from, index, number);
        let rank = &mut self.ranks[index as usize];
        rank.open += 1;
        rank.receives.iter_mut().for_each(|receives| receives.push((from, number)));
        match self.first.remove(&key) {
            Some(First::Here) => {
                let local = self.machine.node_of(from) == self.machine.node_of(index);
                let link = if local { self.machine.memory } else { self.machine.network };
                let rank = &mut self.ranks[index as usize];
                rank.time += link.overhead;
                rank.open -= 1;
                rank.received(from, number);
            }
            Some(First::Asked(message)) => {
                let time = self.ranks[index as usize].time;
                self.answer(time, message);
            }
            _ => {
                let time = self.ranks[index as usize].time;
                self.first.insert(key, First::Posted(time));
            }
        }
    }

    /// The receiver of a message that waits tells its sender that there is a place.
    fn answer(&mut self, now: Time, message: Message) {
        let link = self.link(&message);
        self.first.insert((message.from, message.to, message.number), First::Posted(now));
        self.at(now + link.overhead + link.latency, Event::Out(message));
    }

    /// The bytes of a message leave.
    fn leave(&mut self, now: Time, message: Message) {
        let link = self.link(&message);
        let bytes = link.byte * message.bytes as Time;
        if self.is_local(&message) {
            self.at(now + link.latency + bytes, Event::Arrived(message));
            if message.waits {
                self.end_one(message.from, now + bytes, 0);
            }
            return;
        }
        let card = &mut self.cards[self.machine.node_of(message.from) as usize];
        let begins = now.max(card.free_out);
        card.free_out = begins + link.gap.max(bytes);
        card.messages += 1;
        card.bytes += message.bytes as u64;
        let ends = card.free_out;
        self.at(begins + link.latency, Event::In(message));
        if message.waits {
            self.end_one(message.from, ends, 0);
        }
    }

    fn arrive(&mut self, now: Time, message: Message) {
        let key = (message.from, message.to, message.number);
        match self.first.remove(&key) {
            Some(_) => {
                self.ranks[message.to as usize].received(message.from, message.number);
                self.end_one(message.to, now, self.link(&message).overhead);
            }
            None => {
                self.first.insert(key, First::Here);
            }
        }
    }

    /// A send or receive of a rank has ended.
    fn end_one(&mut self, index: u32, now: Time, overhead: Time) {
        let rank = &mut self.ranks[index as usize];
        rank.open -= 1;
        rank.time = rank.time.max(now) + overhead;
        if rank.waits.is_some_and(|wait| rank.is_over(wait)) {
            rank.waits = None;
            let time = rank.time;
            self.at(time, Event::Run(index));
        }
    }
}

fn count(counts: &mut HashMap<(u32, u32), u32>, from: u32, to: u32) -> u32 {
    let next = counts.entry((from, to)).or_default();
    *next += 1;
    *next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(nodes: u32, per_node: u32) -> Machine {
        let network = Link { latency: 1000, overhead: 100, gap: 50, byte: 2, eager_max: 1000 };
        let memory = Link { latency: 10, overhead: 1, gap: 0, byte: 1, eager_max: 1000 };
        Machine { nodes, per_node, network, memory, copy: 3, reduce: 5 }
    }

    fn send(to: u32, bytes: usize) -> Move {
        Move::Send { to, bytes }
    }

    fn receive(from: u32) -> Move {
        Move::Receive { from }
    }

    fn time(machine: &Machine, moves: Vec<Vec<Move>>) -> Time {
        simulate(machine, moves).unwrap().time
    }

    #[test]
    fn a_message_takes_overhead_latency_and_its_bytes() {
        let one = |bytes| vec![vec![send(1, bytes)], vec![receive(0), Move::Wait]];
        assert_eq!(time(&machine(2, 1), one(100)), 100 + 1000 + 200 + 100);
        assert_eq!(time(&machine(1, 2), one(100)), 1 + 10 + 100 + 1);
        // A gap is longer than few bytes.
        assert_eq!(time(&machine(2, 1), one(8)), 100 + 1000 + 50 + 100);
    }

    #[test]
    fn a_long_message_waits_for_its_receive() {
        let receiver = vec![Move::Copy { bytes: 5000 }, receive(0), Move::Wait];
        let moves = vec![vec![send(1, 2000), Move::Wait], receiver];
        // The receive comes after 15,000; the answer takes overhead and latency, then the data.
        assert_eq!(time(&machine(2, 1), moves), 15_000 + 100 + 1000 + 1000 + 4000 + 100);
    }

    #[test]
    fn ranks_of_a_node_share_its_card() {
        // Four ranks of node 0 send to one each on node 1.
        let sends = (0..4).map(|rank| vec![send(4 + rank, 500)]);
        let receives = (0..4).map(|rank| vec![receive(rank), Move::Wait]);
        let cost = simulate(&machine(2, 4), sends.chain(receives).collect()).unwrap();
        assert_eq!(cost.time, 100 + 1000 + 4 * 1000 + 100);
        assert_eq!((cost.card_messages, cost.card_bytes), (4, 2000));
    }

    #[test]
    fn a_card_receives_one_message_at_a_time() {
        let sends = (0..3).map(|_| vec![send(3, 500)]);
        let receiver = vec![receive(0), receive(1), receive(2), Move::Wait];
        let moves: Vec<_> = sends.chain([receiver]).collect();
        assert_eq!(time(&machine(4, 1), moves), 100 + 1000 + 3 * 1000 + 100);
    }

    #[test]
    fn work_between_messages_counts() {
        let moves = vec![
            vec![Move::Copy { bytes: 10 }, send(1, 100)],
            vec![receive(0), Move::Wait, Move::Reduce { bytes: 100 }],
        ];
        assert_eq!(time(&machine(2, 1), moves), 30 + 1400 + 500);
    }

    #[test]
    fn a_message_that_is_not_received_is_an_error() {
        assert!(simulate(&machine(2, 1), vec![vec![send(1, 8)], vec![]]).is_err());
        assert!(simulate(&machine(2, 1), vec![vec![], vec![receive(0)]]).is_err());
    }
}
