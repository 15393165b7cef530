//! The bare switch: how long a processor needs from one process to the next, when each gives it away at once (`sched_yield`).
//!
//! In a barrier of more ranks than processors every rank has to have a processor once, so a barrier takes no less than one such switch for each rank of a
//! processor: no library can be faster. With more processes a switch takes longer, since each finds fewer of its lines and pages in the caches; so as many are
//! measured as there are ranks for one processor.

use super::figures::median;
use crate::diagnostic::Diagnostic;
use nemesis_sys::process::tie_to_parent;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity, sched_yield};
use serde::Serialize;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Turns of every process in one batch: some ten milliseconds for some ten processes.
const ROUNDS: u32 = 1_000;
const BATCHES: usize = 15;

/// What a crowd of so many ranks costs the kernel alone.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Switches {
    pub ranks: u32,
    /// Ranks for one processor.
    pub each: u32,
    /// Of one switch.
    pub seconds: f64,
}

impl Switches {
    /// Seconds in which each rank has a processor once.
    pub fn round(&self) -> f64 {
        f64::from(self.each) * self.seconds
    }
}

/// Measures on one of `processors`, over which so many ranks are spread; `None` where each has one.
pub fn measure(ranks: u32, processors: usize) -> Result<Option<Switches>, Diagnostic> {
    let each = ranks.div_ceil(processors.max(1) as u32);
    if each < 2 {
        return Ok(None);
    }
    let before = sched_getaffinity(None).map_err(refused)?;
    let processor = (0..CpuSet::MAX_CPU)
        .find(|&processor| before.is_set(processor))
        .ok_or_else(|| refused("there is none"))?;
    pin(processor)?;
    let mut others = Vec::new();
    let seconds = (1..each)
        .try_for_each(|_| start().map(|other| others.push(other)))
        .map(|()| switches_among(each));
    for mut other in others {
        // Gone already is as good.
        let _ = other.kill();
        let _ = other.wait();
    }
    // What is measured afterwards inherits where this process may run.
    sched_setaffinity(None, &before).map_err(refused)?;
    Ok(Some(Switches { ranks, each, seconds: seconds? }))
}

/// One of the others, which runs where this process runs, when it has said that it is there.
fn start() -> Result<Child, Diagnostic> {
    let mut command = Command::new(std::env::current_exe().map_err(refused)?);
    command.args(["probe", "giver"]).stdin(Stdio::null()).stdout(Stdio::piped());
    tie_to_parent(&mut command);
    let mut child = command.spawn().map_err(refused)?;
    let mut word = [0];
    let heard = child.stdout.as_mut().map_or(Ok(()), |output| output.read_exact(&mut word));
    if heard.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    heard.map(|()| child).map_err(refused)
}

/// Seconds of a switch, of so many processes that all give their turns away.
fn switches_among(processes: u32) -> f64 {
    let batch = || {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| sched_yield());
        start.elapsed().as_secs_f64() / f64::from(ROUNDS * processes)
    };
    batch();
    median(&(0..BATCHES).map(|_| batch()).collect::<Vec<_>>())
}

/// One of the others: says that it is there, and gives its turns away until it is killed.
pub fn give() -> Result<(), Diagnostic> {
    std::io::stdout().write_all(b".").and_then(|()| std::io::stdout().flush()).map_err(refused)?;
    loop {
        sched_yield();
    }
}

fn pin(processor: usize) -> Result<(), Diagnostic> {
    let mut set = CpuSet::new();
    set.set(processor);
    sched_setaffinity(None, &set).map_err(refused)
}

fn refused(why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        "measuring the switch from one process to the next",
        why,
        "more processes and memory for this user (`ulimit -u`)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_gives_each_rank_of_a_processor_a_turn() {
        let switches = Switches { ranks: 16, each: 8, seconds: 1.25e-6 };
        assert_eq!(switches.round(), 1e-5);
    }

    #[test]
    fn ranks_with_a_processor_each_do_not_switch() {
        assert!(measure(4, 4).unwrap().is_none());
    }
}
