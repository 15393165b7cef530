//! Access to the memory of other processes, as RDMA hardware has it: the target takes no part.
//!
//! The operations of a process are over in any order, a put reads its bytes when it leaves and
//! writes them later, and the seed decides when:
//!
//! ```text
//!   put           leaves --bytes are read, completed--> arrives --written--> over
//!   get, atomic   arrives --done, completed--> over
//!   flush         completed when all earlier operations on that process are over
//! ```

use super::{LOST, Member, Wires, pair};
use crate::clock::Time;
use nemesis_netmod::optional::{Change, Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Host, Region, RegionMut, Token};
use nemesis_netmod_loopback::registered::{Registered, Remote};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

enum Work {
    /// A put that leaves, and when its bytes arrive.
    Put(Region, Time),
    Arriving(Vec<u8>),
    Get(RegionMut),
    Atomic(Change, RegionMut),
    Flush,
}

struct Operation {
    from: u32,
    at: Remote,
    work: Work,
    token: Token,
}

/// What an operation of a process has come to.
type Completion = (Token, Result<(), Failure>);

/// Registered memory, and the operations on it that are under way.
#[derive(Default)]
pub(super) struct Memories {
    registered: Registered,
    /// By the time at which they go on, and number.
    under_way: BTreeMap<(Time, u64), Operation>,
    begun: u64,
    /// By origin and target: when all operations so far are over.
    over: HashMap<(u32, u32), Time>,
    /// By origin and target: when the last atomic operation is done.
    last_atomic: HashMap<(u32, u32), Time>,
    /// By origin and target: a put that failed after it had completed, for the next flush.
    failed: HashMap<(u32, u32), Failure>,
    /// By origin and target: operations that a cut has ended, until the origin finds it.
    broken: HashMap<(u32, u32), Vec<Token>>,
    /// By origin: what has completed and was not told yet.
    completed: HashMap<u32, Vec<Completion>>,
}

impl Memories {
    /// Returns whether a process has something to tell its host.
    pub(super) fn has_completed(&self, process: u32) -> bool {
        self.completed.contains_key(&process)
    }

    /// Returns whether operations of a process are not over.
    fn are_under_way(&self, from: u32) -> bool {
        self.has_completed(from)
            || self.under_way.values().any(|operation| operation.from == from)
            || self.broken.keys().any(|&(origin, _)| origin == from)
    }

    /// Ends the operations between two processes, in one direction, whose tokens wait until the
    /// origin finds that it has lost the target.
    pub(super) fn cut(&mut self, from: u32, to: u32) {
        let is_cut = |operation: &Operation| operation.from == from && operation.at.process == to;
        let tokens: Vec<Token> = self
            .under_way
            .extract_if(.., |_, operation| is_cut(operation))
            .filter(|(_, operation)| !matches!(operation.work, Work::Arriving(_)))
            .map(|(_, operation)| operation.token)
            .collect();
        if !tokens.is_empty() {
            self.broken.entry((from, to)).or_default().extend(tokens);
        }
    }

    /// Ends the operations of a process on a lost one, and returns their tokens.
    pub(super) fn abandon(&mut self, from: u32, to: u32) -> Vec<Token> {
        self.cut(from, to);
        self.failed.remove(&(from, to));
        self.broken.remove(&(from, to)).unwrap_or_default()
    }

    /// Forgets a process: its memory, and its operations.
    pub(super) fn forget(&mut self, process: u32) {
        self.registered.forget(process);
        self.under_way.retain(|_, operation| operation.from != process);
        self.broken.retain(|&(from, _), _| from != process);
        self.completed.remove(&process);
    }
}

impl Wires {
    /// Returns a time after `time`.
    fn after(&mut self, time: Time) -> Time {
        time + self.random.u64(self.nature.latency.least..=self.nature.latency.most)
    }

    /// Begins an operation.
    fn begin(&mut self, from: u32, at: Remote, work: Work, token: Token) -> Result<(), Failure> {
        let (to, now) = (at.process, self.clock.now());
        let way = (from, to);
        if self.cut.contains(&pair(from, to)) {
            if self.losses[from as usize].iter().any(|&(_, lost)| lost == to) {
                self.memories.broken.entry(way).or_default().push(token);
                return Ok(());
            }
            return Err(Failure::new(Fault::Lost, LOST).about(to));
        }
        self.connected.insert(pair(from, to));
        let traffic = &mut self.traffic[from as usize];
        traffic.packets += 1;
        traffic.bytes += match &work {
            Work::Put(bytes, _) => bytes.len() as u64,
            _ => 0,
        };
        let mut due = self.after(now);
        let memories = &mut self.memories;
        let (mut over, mut work) = (due, work);
        match &mut work {
            Work::Put(_, arrives) => {
                over = self.after(due);
                *arrives = over;
            }
            Work::Atomic(..) => {
                let last = memories.last_atomic.entry(way).or_default();
                due = due.max(*last);
                (over, *last) = (due, due);
            }
            Work::Flush => due = due.max(memories.over.get(&way).copied().unwrap_or_default()),
            _ => {}
        }
        let memories = &mut self.memories;
        let all_over = memories.over.entry(way).or_default();
        *all_over = over.max(*all_over);
        self.schedule(due, Operation { from, at, work, token });
        Ok(())
    }

    /// Lets an operation go on at a time.
    fn schedule(&mut self, due: Time, operation: Operation) {
        self.arrivals.push(Reverse((due, operation.from)));
        self.memories.begun += 1;
        self.memories.under_way.insert((due, self.memories.begun), operation);
    }

    /// Performs the steps of operations whose time has come.
    pub(super) fn reach_memories(&mut self) {
        let now = self.clock.now();
        while let Some(next) = self.memories.under_way.first_entry()
            && next.key().0 <= now
        {
            let Operation { from, at, work, token } = next.remove();
            let way = (from, at.process);
            let memories = &mut self.memories;
            let outcome = match work {
                Work::Put(bytes, arrives) => {
                    let work = Work::Arriving(bytes.bytes().to_vec());
                    self.schedule(arrives, Operation { from, at, work, token });
                    Ok(())
                }
                Work::Arriving(bytes) => {
                    if let Err(failure) = memories.registered.write(at, &bytes) {
                        memories.failed.insert(way, failure);
                    }
                    continue;
                }
                Work::Get(mut into) => memories.registered.read(at, into.from_mut(0)),
                Work::Atomic(change, mut old) => {
                    let changed = memories.registered.change(at, change);
                    changed.map(|before| old.write(0, &before.to_ne_bytes()))
                }
                Work::Flush => memories.failed.remove(&way).map_or(Ok(()), Err),
            };
            self.memories.completed.entry(from).or_default().push((token, outcome));
            self.arrivals.push(Reverse((now, from)));
        }
    }
}

impl Member {
    /// Tells the host which operations have completed. Returns their number.
    pub(super) fn complete(&mut self, host: &mut dyn Host) -> u32 {
        let completed = {
            let mut wires = self.network.wires();
            wires.reach_memories();
            wires.memories.completed.remove(&self.me).unwrap_or_default()
        };
        let count = completed.len() as u32;
        completed.into_iter().for_each(|(token, outcome)| host.completed(token, outcome));
        count
    }

    /// Returns whether an operation of this process is not over.
    pub(super) fn is_accessing(&self) -> bool {
        self.network.wires().memories.are_under_way(self.me)
    }

    fn reach(
        &mut self,
        host: &mut dyn Host,
        target: Target<'_>,
        work: Work,
        token: Token,
    ) -> Result<(), Failure> {
        self.connect(host, target.process)?;
        self.network.wires().begin(self.me, Remote::new(target), work, token)
    }
}

impl Rma for Member {
    fn has_atomics(&self) -> bool {
        true
    }

    fn register(&mut self, region: Region) -> Result<Registration, Failure> {
        let mut wires = self.network.wires();
        let key = wires.random.u64(..);
        Ok(wires.memories.registered.add(self.me, key, region))
    }

    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        self.network.wires().memories.registered.remove(self.me, registration.id)
    }

    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Put(from, 0), token)
    }

    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Get(to), token)
    }

    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Atomic(change, old), token)
    }

    fn flush(&mut self, host: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(host, Target { process, address: 0, key: &[] }, Work::Flush, token)
    }
}
