//! Rehearsals: the schedules of all processes of an operation, run in one place without an engine.
//!
//! A test records the steps of every process and has them run. Data move between the buffers that
//! the steps name, and reductions use words that notice mistakes:
//!
//! | operation | a word | `left op right` asks |
//! |---|---|---|
//! | [`UNION`] | a set of ranks | that no rank is in both: each contribution counts once |
//! | [`CHAIN`] | a run of ranks | that the right one begins where the left one ends |
//!
//! Messages may move as early or as late as MPI allows ([`Timing`]), so a step that changes a
//! buffer too soon gives a wrong result in one of the two.

mod between;
mod operations;

use crate::error::Outcome;
use crate::operator::{Operator, Reduction};
use crate::schedule::{Schedule, Step};
use crate::steps::{Later, Steps};
use nemesis_datatype::{Buffer, Datatype, Op};
use std::collections::{HashMap, VecDeque};

/// Sets of ranks below 64: commutative.
pub const UNION: Reduction =
    Reduction { operator: Operator::Predefined(Op::Bor), commutative: true };
/// Runs of ranks: not commutative.
pub const CHAIN: Reduction =
    Reduction { operator: Operator::Predefined(Op::Sum), commutative: false };

/// Returns the word of one rank's contribution.
pub fn contribution(reduction: Reduction, rank: u32) -> u64 {
    word_of(reduction, rank, rank + 1)
}

/// Returns the word of the contributions of ranks `first` to `end`.
pub fn word_of(reduction: Reduction, first: u32, end: u32) -> u64 {
    match reduction.commutative {
        true => (first..end).fold(0, |set, rank| set | 1 << rank),
        false => u64::from(first) << 32 | u64::from(end),
    }
}

fn combined(op: Op, left: u64, right: u64) -> u64 {
    match op {
        Op::Bor => {
            assert_eq!(left & right, 0, "a contribution counts twice");
            left | right
        }
        Op::Sum => {
            assert_eq!(left as u32, (right >> 32) as u32, "contributions are out of order");
            left >> 32 << 32 | right & 0xffff_ffff
        }
        other => panic!("no rehearsal of {other:?}"),
    }
}

/// A process of an operation: its group, 0 or 1, and its rank there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    pub group: usize,
    pub rank: u32,
}

/// When messages move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    /// A send takes the data at once, and a message that is there is received at once.
    Early,
    /// The data go from buffer to buffer when both sides wait.
    Late,
}

/// What a process has sent, and how often it has waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub messages: usize,
    pub bytes: usize,
    pub waits: usize,
}

enum Message {
    Data(Vec<u8>),
    /// A send whose data still lie in this buffer.
    Offer(Buffer),
}

struct Process {
    steps: Vec<Step>,
    next: usize,
    receives: Vec<(usize, Buffer)>,
    /// Offers that no receiver has taken.
    offers: usize,
    /// Processes that have come to the operation, as far as this one can know.
    knows: u64,
    waits: bool,
    traffic: Traffic,
}

impl Process {
    fn new(
        index: usize,
        who: Who,
        sizes: [u32; 2],
        record: impl FnOnce(&mut Steps<'_>) -> Outcome,
    ) -> Process {
        let (size, others) = (sizes[who.group], sizes[1 - who.group]);
        let mut schedule = Schedule::unconnected(who.rank, size, others);
        record(&mut Steps::noted(&mut schedule, Later::Never)).expect("the steps can be recorded");
        Process {
            steps: schedule.into_steps(),
            next: 0,
            receives: Vec::new(),
            offers: 0,
            knows: 1 << (index % 64),
            waits: false,
            traffic: Traffic::default(),
        }
    }

    fn has_ended(&self) -> bool {
        self.next > self.steps.len()
    }
}

struct Rehearsal {
    timing: Timing,
    sizes: [u32; 2],
    processes: Vec<Process>,
    /// Messages from one process to another, with what their sender knew.
    queues: HashMap<(usize, usize), VecDeque<(Message, u64)>>,
}

fn everyone(sizes: [u32; 2]) -> Vec<Who> {
    (0..2).flat_map(|group| (0..sizes[group]).map(move |rank| Who { group, rank })).collect()
}

/// Runs an operation of one group of `size` processes in each timing. `make` makes the buffers of a
/// rank, `record` its steps, and `check` looks at its buffers at the end. Returns what the
/// processes have sent.
pub fn rehearse<T>(
    size: u32,
    make: impl Fn(u32) -> T,
    record: impl Fn(&mut Steps<'_>, &T) -> Outcome,
    check: impl Fn(u32, &T),
) -> Vec<Traffic> {
    rehearse_groups([size, 0], |who| make(who.rank), record, |who, own| check(who.rank, own))
}

/// Runs an operation between two groups in each timing, or of the first alone.
pub fn rehearse_groups<T>(
    sizes: [u32; 2],
    make: impl Fn(Who) -> T,
    record: impl Fn(&mut Steps<'_>, &T) -> Outcome,
    check: impl Fn(Who, &T),
) -> Vec<Traffic> {
    let everyone = everyone(sizes);
    let mut traffic = Vec::new();
    for timing in [Timing::Early, Timing::Late] {
        let buffers: Vec<T> = everyone.iter().map(|&who| make(who)).collect();
        let processes = everyone.iter().zip(&buffers).enumerate().map(|(index, (who, own))| {
            Process::new(index, *who, sizes, |steps| record(steps, own))
        });
        let run = Rehearsal::run(timing, sizes, processes.collect());
        traffic = run.processes.iter().map(|process| process.traffic).collect();
        everyone.iter().zip(&buffers).for_each(|(&who, own)| check(who, own));
    }
    traffic
}

/// Runs an operation that moves no data, and returns for each process the set of those that it has
/// heard of, directly or through others.
pub fn heard(sizes: [u32; 2], record: impl Fn(&mut Steps<'_>) -> Outcome) -> Vec<u64> {
    let processes = everyone(sizes)
        .into_iter()
        .enumerate()
        .map(|(index, who)| Process::new(index, who, sizes, &record))
        .collect();
    let run = Rehearsal::run(Timing::Early, sizes, processes);
    run.processes.iter().map(|process| process.knows).collect()
}

impl Rehearsal {
    fn run(timing: Timing, sizes: [u32; 2], processes: Vec<Process>) -> Rehearsal {
        let mut run = Rehearsal { timing, sizes, processes, queues: HashMap::new() };
        while !run.processes.iter().all(Process::has_ended) {
            let before = run.state();
            for index in 0..run.processes.len() {
                while run.step(index) {}
            }
            assert!(before != run.state(), "nobody can go on ({timing:?})");
        }
        let left: usize = run.queues.values().map(VecDeque::len).sum();
        assert_eq!(left, 0, "messages that nobody has received");
        run
    }

    fn state(&self) -> Vec<(usize, usize, usize, bool)> {
        let state = |one: &Process| (one.next, one.receives.len(), one.offers, one.waits);
        self.processes.iter().map(state).collect()
    }

    /// Returns the process that a schedule calls by an index.
    fn named(&self, by: usize, index: u32) -> usize {
        let is_second = by >= self.sizes[0] as usize;
        let [first, second] = self.sizes.map(|size| size as usize);
        let (others, index) = (if is_second { first } else { second }, index as usize);
        match (is_second, index < others) {
            (false, true) => first + index,
            (false, false) => index - others,
            (true, true) => index,
            (true, false) => first + index - others,
        }
    }

    /// Performs one step of a process. Returns false if it must wait, or has ended.
    fn step(&mut self, index: usize) -> bool {
        let process = &mut self.processes[index];
        if process.has_ended() {
            return false;
        }
        match process.steps.get(process.next).cloned() {
            None | Some(Step::Wait) => {
                process.waits = true;
                self.receive(index, true);
                let process = &mut self.processes[index];
                if !process.receives.is_empty() || process.offers > 0 {
                    return false;
                }
                process.waits = false;
                process.traffic.waits += usize::from(process.next < process.steps.len());
            }
            Some(Step::WaitFor { from, buffer }) => {
                let from = self.named(index, from);
                self.processes[index].waits = true;
                self.receive(index, true);
                let process = &mut self.processes[index];
                let is_it = |(sender, into): &(usize, Buffer)| {
                    *sender == from && into.address() == buffer.address()
                };
                if process.receives.iter().any(is_it) {
                    return false;
                }
                process.waits = false;
            }
            Some(Step::Send { to, buffer }) => self.send(index, to, buffer),
            Some(Step::Receive { from, buffer }) => {
                let from = self.named(index, from);
                self.processes[index].receives.push((from, buffer));
                self.receive(index, false);
            }
            Some(Step::Copy { from, to }) => {
                assert_eq!(from.bytes(), to.bytes(), "a copy of the whole");
                unpack(&to, &packed(&from));
            }
            Some(Step::Reduce { operator: Operator::Predefined(op), input, inout }) => {
                let words = words_in(&input).into_iter().zip(words_in(&inout));
                write(&inout, &words.map(|(l, r)| combined(op, l, r)).collect::<Vec<_>>());
            }
            Some(other) => panic!("no rehearsal of {other:?}"),
        }
        self.processes[index].next += 1;
        true
    }

    fn send(&mut self, index: usize, to: u32, buffer: Buffer) {
        let to = self.named(index, to);
        let process = &mut self.processes[index];
        process.traffic.messages += 1;
        process.traffic.bytes += buffer.bytes();
        let message = match self.timing {
            Timing::Early => Message::Data(packed(&buffer)),
            Timing::Late => {
                process.offers += 1;
                Message::Offer(buffer)
            }
        };
        let knows = process.knows;
        self.queues.entry((index, to)).or_default().push_back((message, knows));
    }

    /// Receives what is there, in the order of the receives from each process.
    fn receive(&mut self, index: usize, waits: bool) {
        let mut missing = Vec::new();
        for (from, buffer) in std::mem::take(&mut self.processes[index].receives) {
            let is_next = missing.iter().all(|(other, _)| *other != from);
            let sender_waits = self.processes[from].waits;
            let queue = self.queues.entry((from, index)).or_default();
            let bytes = match queue.front() {
                Some((Message::Data(_), _)) if is_next => true,
                Some((Message::Offer(_), _)) if is_next => waits && sender_waits,
                _ => false,
            };
            if !bytes {
                missing.push((from, buffer));
                continue;
            }
            let (message, knew) = queue.pop_front().expect("a message");
            let bytes = match message {
                Message::Data(bytes) => bytes,
                Message::Offer(offered) => {
                    self.processes[from].offers -= 1;
                    packed(&offered)
                }
            };
            unpack(&buffer, &bytes);
            self.processes[index].knows |= knew;
        }
        self.processes[index].receives = missing;
    }
}

fn packed(buffer: &Buffer) -> Vec<u8> {
    let mut bytes = vec![0; buffer.bytes()];
    buffer.pack_at(0, &mut bytes);
    bytes
}

fn unpack(buffer: &Buffer, bytes: &[u8]) {
    assert_eq!(bytes.len(), buffer.bytes(), "a message has the length of its place");
    buffer.unpack_at(0, bytes);
}

/// Returns a buffer of these words.
pub fn words(words: &[u64]) -> Buffer {
    let datatype = Datatype::predefined(crate::abi::MPI_UINT64_T.0).expect("a predefined type");
    let buffer = Buffer::scratch(words.len() as i64, datatype).expect("memory");
    write(&buffer, words);
    buffer
}

/// Returns a buffer of these words, with a gap behind each.
pub fn sparse_words(words: &[u64]) -> Buffer {
    let word = Datatype::predefined(crate::abi::MPI_UINT64_T.0).expect("a predefined type");
    let wide = Datatype::resized(word, 0, 24).expect("a type");
    wide.commit();
    let buffer = Buffer::scratch(words.len() as i64, &wide).expect("memory");
    write(&buffer, words);
    buffer
}

fn write(buffer: &Buffer, words: &[u64]) {
    let bytes: Vec<[u8; 8]> = words.iter().map(|word| word.to_ne_bytes()).collect();
    unpack(buffer, bytes.as_flattened());
}

/// Returns the words in a buffer.
pub fn words_in(buffer: &Buffer) -> Vec<u64> {
    packed(buffer).as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)).collect()
}

mod tests {
    use super::*;

    /// Rank 0 receives the contribution of rank 1 and reduces two of both.
    fn reduces(reduction: Reduction, left: usize, right: usize) {
        let make = |rank| [words(&[contribution(reduction, rank)]), words(&[0])];
        let record = |steps: &mut Steps<'_>, parts: &[Buffer; 2]| {
            if steps.rank == 1 {
                steps.send(0, &parts[0]);
            } else {
                steps.receive(1, &parts[1]);
                steps.wait();
                steps.reduce(reduction.operator, &parts[left], &parts[right]);
            }
            Ok(())
        };
        let check = |rank, parts: &[Buffer; 2]| {
            assert!(rank == 1 || words_in(&parts[right]) == [word_of(reduction, 0, 2)]);
        };
        rehearse(2, make, record, check);
    }

    #[test]
    fn a_reduction_in_order_is_right() {
        reduces(CHAIN, 0, 1);
        reduces(UNION, 1, 0);
    }

    #[test]
    #[should_panic(expected = "out of order")]
    fn a_reduction_out_of_order_is_noticed() {
        reduces(CHAIN, 1, 0);
    }

    #[test]
    #[should_panic(expected = "counts twice")]
    fn a_contribution_that_counts_twice_is_noticed() {
        reduces(UNION, 1, 1);
    }

    #[test]
    fn a_buffer_that_changes_before_the_wait_is_noticed() {
        let received = |waits: bool| {
            let seen = std::cell::RefCell::new(Vec::new());
            let record = |steps: &mut Steps<'_>, (own, other): &(Buffer, Buffer)| {
                if steps.rank == 0 {
                    steps.send(1, own);
                    if waits {
                        steps.wait();
                    }
                    steps.copy(other, own);
                } else {
                    steps.receive(0, own);
                }
                Ok(())
            };
            let look = |rank, (own, _): &(Buffer, Buffer)| {
                if rank == 1 {
                    seen.borrow_mut().extend(words_in(own));
                }
            };
            rehearse(2, |rank| (words(&[5 + u64::from(rank)]), words(&[9])), record, look);
            seen.into_inner()
        };
        assert_eq!((received(true), received(false)), (vec![5, 5], vec![5, 9]));
    }

    #[test]
    #[should_panic(expected = "nobody can go on")]
    fn a_message_that_is_not_sent_is_noticed() {
        let record = |steps: &mut Steps<'_>, own: &Buffer| {
            steps.receive(1 - steps.rank, own);
            Ok(())
        };
        rehearse(2, |_| words(&[1]), record, |_, _| {});
    }

    #[test]
    #[should_panic(expected = "nobody has received")]
    fn a_message_that_is_not_received_is_noticed() {
        let record = |steps: &mut Steps<'_>, own: &Buffer| {
            if steps.rank == 0 {
                steps.send(1, own);
            }
            Ok(())
        };
        rehearse(2, |_| words(&[1]), record, |_, _| {});
    }
}
