//! Messages: every mode of sending, every way of receiving.

use super::layout::Layout;
use super::{Member, length, word};
use crate::mpi;
use crate::mpi::*;
use nemesis_sys::virtual_process;
use std::collections::HashMap;
use std::ptr::null_mut;
use std::time::Duration;

/// A message of a step.
#[derive(Clone, Copy, Debug)]
struct Planned {
    number: usize,
    from: usize,
    to: usize,
    tag: i32,
    words: usize,
    blocking: bool,
    synchronous: bool,
}

/// How a process receives in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Exact,
    AnySource,
    AnyTag,
    Any,
    /// Of the receives from a process, some name a tag.
    SomeTags,
}

/// What a receive says that it expects.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    source: i32,
    tag: i32,
    words: usize,
}

/// What all processes know of a step.
struct Plan {
    seed: u64,
    messages: Vec<Planned>,
    /// By process: its style, and how many of its receives are posted first.
    receivers: Vec<(Style, usize)>,
}

impl Plan {
    fn random(size: usize, random: &mut fastrand::Rng) -> Plan {
        let seed = random.u64(..);
        // A process may be a step ahead: its messages have other tags.
        let first_tag = random.i32(100..30_000);
        let mut messages = Vec::new();
        // Now and then all messages go from one process to another one.
        let pair = (random.u8(..4) == 0).then(|| [random.usize(..size), random.usize(..size)]);
        for number in 0..random.usize(1..4 + 2 * size.min(8)) {
            let [from, to] = pair.unwrap_or([random.usize(..size), random.usize(..size)]);
            messages.push(Planned {
                number,
                from,
                to,
                tag: first_tag + random.i32(0..3),
                words: length(random),
                blocking: random.u8(..4) == 0,
                synchronous: random.u8(..4) == 0,
            });
        }
        let mut receivers = Vec::new();
        for process in 0..size {
            let style = [
                Style::Exact,
                Style::Exact,
                Style::AnySource,
                Style::AnyTag,
                Style::Any,
                Style::SomeTags,
            ];
            let all = messages.iter().filter(|message| message.to == process).count();
            let posted = if random.bool() { all } else { random.usize(..=all) };
            receivers.push((style[random.usize(..style.len())], posted));
        }
        Plan { seed, messages, receivers }.without_deadlock()
    }

    /// A blocking send may wait for its receive, which must then have been posted.
    fn without_deadlock(mut self) -> Plan {
        let counts: Vec<usize> =
            (0..self.receivers.len()).map(|process| self.to(process).count()).collect();
        for message in &mut self.messages {
            message.blocking &= self.receivers[message.to].1 == counts[message.to];
        }
        self
    }

    fn to(&self, process: usize) -> impl Iterator<Item = &Planned> {
        self.messages.iter().filter(move |message| message.to == process)
    }

    /// Returns what the receives of a process ask for, in order.
    fn wanted(&self, process: usize) -> Vec<Wanted> {
        let (style, _) = self.receivers[process];
        let longest = self.to(process).map(|message| message.words).max().unwrap_or(0);
        let wanted = |message: &Planned| {
            let (source, tag) = (message.from as i32, message.tag);
            match style {
                Style::Exact => Wanted { source, tag, words: message.words },
                Style::AnySource => Wanted { source: MPI_ANY_SOURCE, tag, words: longest },
                // A receive fits the message of its number: so each gets it.
                Style::SomeTags if message.number % 2 == 1 => {
                    Wanted { source, tag, words: longest }
                }
                Style::AnyTag | Style::SomeTags => {
                    Wanted { source, tag: MPI_ANY_TAG, words: longest }
                }
                Style::Any => Wanted { source: MPI_ANY_SOURCE, tag: MPI_ANY_TAG, words: longest },
            }
        };
        self.to(process).map(wanted).collect()
    }
}

/// A receive that is complete.
struct Received {
    status: Status,
    layout: Layout,
    memory: Vec<i32>,
}

/// A buffer of an operation that is under way.
struct Pending {
    layout: Layout,
    memory: Vec<i32>,
}

/// Sends and receives the messages of a step.
pub fn exchange(member: &Member, random: &mut fastrand::Rng) {
    let plan = Plan::random(member.size, random);
    let mut own = fastrand::Rng::with_seed(random.u64(..) ^ member.rank as u64);
    let wanted = plan.wanted(member.rank);
    let posted = plan.receivers[member.rank].1;
    let mut receives: Vec<Pending> = Vec::new();
    let mut requests: Vec<Request> = Vec::new();
    for wanted in &wanted[..posted] {
        let layout = Layout::random(wanted.words, &mut own);
        let mut memory = layout.memory(|_| -1);
        let mut request = MPI_REQUEST_NULL;
        let place = memory.as_mut_ptr().cast();
        layout.with_type(|datatype, count| {
            mpi!(MPI_Irecv(
                place,
                count,
                datatype,
                wanted.source,
                wanted.tag,
                member.comm,
                &mut request
            ));
        });
        receives.push(Pending { layout, memory });
        requests.push(request);
    }
    let (sends, mut sending) = send_all(member, &plan, &mut own);
    let mut received: Vec<Received> = Vec::new();
    for wanted in &wanted[posted..] {
        received.push(receive_found(member, *wanted, &mut own));
    }
    let mut statuses = vec![Status::default(); requests.len()];
    complete(&mut requests, &mut statuses, &mut own);
    complete(&mut sending, &mut vec![Status::default(); sends.len()], &mut own);
    let posted = receives.into_iter().zip(statuses).map(|(pending, status)| Received {
        status,
        layout: pending.layout,
        memory: pending.memory,
    });
    let all: Vec<Received> = posted.chain(received).collect();
    check(member, &plan, &all);
    if plan.receivers.iter().any(|(style, _)| *style == Style::Any) {
        // Such receives take any message, also of a process that is a step ahead.
        mpi!(MPI_Barrier(member.comm));
    }
}

/// Sends a process's messages, in order. Returns the buffers and the requests of those under way.
fn send_all(member: &Member, plan: &Plan, own: &mut fastrand::Rng) -> (Vec<Pending>, Vec<Request>) {
    let (mut buffers, mut requests) = (Vec::new(), Vec::new());
    for message in plan.messages.iter().filter(|message| message.from == member.rank) {
        let layout = Layout::random(message.words, own);
        let memory = layout.memory(|index| word(plan.seed, message.number, index));
        let (place, to, tag) = (memory.as_ptr().cast(), message.to as i32, message.tag);
        let mut request = MPI_REQUEST_NULL;
        let comm = member.comm;
        layout.with_type(|datatype, count| match (message.blocking, message.synchronous) {
            // The receives of blocking sends have been posted, those of this process included.
            (true, false) => mpi!(MPI_Send(place, count, datatype, to, tag, comm)),
            (true, true) => mpi!(MPI_Ssend(place, count, datatype, to, tag, comm)),
            (false, false) => {
                mpi!(MPI_Isend(place, count, datatype, to, tag, comm, &mut request));
            }
            (false, true) => {
                mpi!(MPI_Issend(place, count, datatype, to, tag, comm, &mut request));
            }
        });
        buffers.push(Pending { layout, memory });
        requests.push(request);
        if own.u8(..4) == 0 {
            let (mut flag, mut status) = (0, Status::default());
            mpi!(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &mut flag, &mut status));
        }
    }
    (buffers, requests)
}

/// Receives a message after it has been probed, or without a request.
fn receive_found(member: &Member, wanted: Wanted, own: &mut fastrand::Rng) -> Received {
    let Wanted { source, tag, words } = wanted;
    let (comm, mut status) = (member.comm, Status::default());
    let layout = Layout::random(words, own);
    let mut memory = layout.memory(|_| -1);
    let place = memory.as_mut_ptr().cast();
    match own.u8(..3) {
        0 => layout.with_type(|datatype, count| {
            mpi!(MPI_Recv(place, count, datatype, source, tag, comm, &mut status));
        }),
        1 => {
            mpi!(MPI_Probe(source, tag, comm, &mut status));
            let found = status;
            layout.with_type(|datatype, count| {
                let (source, tag) = (found.source, found.tag);
                mpi!(MPI_Recv(place, count, datatype, source, tag, comm, &mut status));
            });
            assert_eq!((found.source, found.tag), (status.source, status.tag), "what was probed");
        }
        _ => {
            let mut message = MPI_MESSAGE_NULL;
            mpi!(MPI_Mprobe(source, tag, comm, &mut message, &mut status));
            layout.with_type(|datatype, count| {
                mpi!(MPI_Mrecv(place, count, datatype, &mut message, &mut status));
            });
        }
    }
    Received { status, layout, memory }
}

/// Completes all requests in one of several ways.
fn complete(requests: &mut [Request], statuses: &mut [Status], own: &mut fastrand::Rng) {
    let count = requests.len() as i32;
    match own.u8(..4) {
        0 => mpi!(MPI_Waitall(count, requests.as_mut_ptr(), statuses.as_mut_ptr())),
        1 => loop {
            let (mut index, mut status) = (0, Status::default());
            mpi!(MPI_Waitany(count, requests.as_mut_ptr(), &mut index, &mut status));
            if index == MPI_UNDEFINED {
                return;
            }
            statuses[index as usize] = status;
        },
        2 => {
            let mut order: Vec<usize> = (0..requests.len()).collect();
            own.shuffle(&mut order);
            for index in order {
                mpi!(MPI_Wait(&mut requests[index], &mut statuses[index]));
            }
        }
        _ => {
            for index in 0..requests.len() {
                // A program that does something else between tests, longer and longer.
                let (mut flag, mut pause) = (0, Duration::from_nanos(100));
                while flag == 0 {
                    mpi!(MPI_Test(&mut requests[index], &mut flag, &mut statuses[index]));
                    if flag == 0 {
                        virtual_process::nap(pause);
                        pause = (pause * 5 / 4).min(Duration::from_millis(10));
                    }
                }
            }
        }
    }
}

/// Checks what a process has received, in the order in which its receives were posted: of each
/// sender, the messages come in the order in which they were sent.
fn check(member: &Member, plan: &Plan, all: &[Received]) {
    let (style, _) = plan.receivers[member.rank];
    let by_tag = matches!(style, Style::Exact | Style::AnySource);
    let mut queues: HashMap<(usize, i32), Vec<&Planned>> = HashMap::new();
    for message in plan.to(member.rank) {
        let tag = if by_tag { message.tag } else { 0 };
        queues.entry((message.from, tag)).or_default().insert(0, message);
    }
    for received in all {
        let source = received.status.source as usize;
        let tag = if by_tag { received.status.tag } else { 0 };
        let queue = queues.entry((source, tag)).or_default();
        let message = queue.pop().expect("a message that was sent");
        let what = format!("message {} from {source} with tag {}", message.number, message.tag);
        assert_eq!(received.status.tag, message.tag, "{what}: the tag");
        let mut count = 0;
        mpi!(MPI_Get_count(&received.status, MPI_INT, &mut count));
        assert_eq!(count as usize, message.words, "{what}: the length");
        let value = |index| word(plan.seed, message.number, index);
        received.layout.check(&received.memory, message.words, value, &what);
    }
}

/// Sends more messages than there is space for to a process that comes late.
pub fn flood(member: &Member, random: &mut fastrand::Rng) {
    let seed = random.u64(..);
    let (from, to) = (random.usize(..member.size), random.usize(..member.size));
    let (count, words) = (random.usize(1..300), random.usize(..1000));
    let pause = Duration::from_micros(random.u64(..3000));
    let (comm, length) = (member.comm, words as i32);
    if from == to {
        return;
    }
    if member.rank == from {
        let contents =
            (0..count).map(|number| (0..words).map(|at| word(seed, number, at)).collect());
        let contents: Vec<Vec<i32>> = contents.collect();
        let mut requests = vec![MPI_REQUEST_NULL; count];
        for (content, request) in contents.iter().zip(&mut requests) {
            mpi!(MPI_Isend(content.as_ptr().cast(), length, MPI_INT, to as i32, 8, comm, request));
        }
        mpi!(MPI_Waitall(count as i32, requests.as_mut_ptr(), null_mut()));
    } else if member.rank == to {
        virtual_process::nap(pause);
        for number in 0..count {
            let mut into = vec![-1; words];
            let place = into.as_mut_ptr().cast();
            mpi!(MPI_Recv(place, length, MPI_INT, from as i32, 8, comm, null_mut()));
            let wrong = (0..words).find(|&at| into[at] != word(seed, number, at));
            assert_eq!(wrong, None, "message {number} of a flood");
        }
    }
}

/// Persistent and partitioned messages around a ring, several times.
pub fn repeat(member: &Member, random: &mut fastrand::Rng) {
    let (seed, rounds, distance) =
        (random.u64(..), random.usize(1..4), random.usize(..member.size));
    let (partitions, each) = (random.usize(1..5), length(random).min(4000));
    let words = partitions * each;
    let is_partitioned = random.bool();
    let (to, from) = (
        (member.rank + distance) % member.size,
        (member.rank + member.size - distance) % member.size,
    );
    let (mut out, mut into) = (vec![0; words.max(1)], vec![-1; words.max(1)]);
    let mut requests = [MPI_REQUEST_NULL; 2];
    let [sending, receiving] = &mut requests;
    let (source, place) = (out.as_ptr().cast(), into.as_mut_ptr().cast());
    let (comm, parts) = (member.comm, partitions as i32);
    if is_partitioned {
        let count = each as i64;
        let (to, from) = (to as i32, from as i32);
        mpi!(MPI_Psend_init(source, parts, count, MPI_INT, to, 7, comm, MPI_INFO_NULL, sending));
        mpi!(MPI_Precv_init(place, parts, count, MPI_INT, from, 7, comm, MPI_INFO_NULL, receiving));
    } else {
        let count = words as i32;
        mpi!(MPI_Send_init(source, count, MPI_INT, to as i32, 7, comm, sending));
        mpi!(MPI_Recv_init(place, count, MPI_INT, from as i32, 7, comm, receiving));
    }
    for round in 0..rounds {
        let seed = seed ^ (round as u64) << 8;
        for (index, place) in out.iter_mut().enumerate() {
            *place = word(seed, member.rank, index);
        }
        into.fill(-1);
        mpi!(MPI_Start(&mut requests[1]));
        mpi!(MPI_Start(&mut requests[0]));
        if is_partitioned {
            let mut order: Vec<i32> = (0..parts).collect();
            random.shuffle(&mut order);
            for partition in order {
                mpi!(MPI_Pready(partition, requests[0]));
            }
        }
        mpi!(MPI_Waitall(2, requests.as_mut_ptr(), null_mut()));
        for (index, found) in into.iter().enumerate().take(words) {
            assert_eq!(*found, word(seed, from, index), "round {round}, word {index}");
        }
    }
    for request in &mut requests {
        mpi!(MPI_Request_free(request));
    }
}
