//! The bare switch: the time in which a processor goes from one process to the next when each
//! yields at once (`sched_yield`).
//!
//! In a barrier of more ranks than processors, every rank must run once, so a barrier takes at
//! least one switch for each rank of a processor in any library. With more processes a switch takes
//! longer, since each finds fewer of its lines and pages in the caches. The measurement therefore
//! has as many processes as there are ranks per processor.

use super::figures::median;
use crate::diagnostic::Diagnostic;
use nemesis_sys::process::tie_to_parent;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity, sched_yield};
use serde::Serialize;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Yields of every process in one batch: some ten milliseconds for some ten processes.
const ROUNDS: u32 = 1_000;
const BATCHES: usize = 15;

/// Cost of the kernel's switches for a number of ranks that share processors.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Switches {
    pub ranks: u32,
    /// Ranks per processor.
    pub each: u32,
    /// Seconds of one switch.
    pub seconds: f64,
}

impl Switches {
    /// Returns the seconds in which each rank runs once.
    pub fn round(&self) -> f64 {
        f64::from(self.each) * self.seconds
    }
}

/// Measures on one of `processors`, among which `ranks` ranks are spread. Returns `None` if each
/// rank has a processor.
pub fn measure(ranks: u32, processors: usize) -> Result<Option<Switches>, Diagnostic> {
    let each = ranks.div_ceil(processors.max(1) as u32);
    if each < 2 {
        return Ok(None);
    }
    let before = sched_getaffinity(None).map_err(refused)?;
    let processor = (0..CpuSet::MAX_CPU)
        .find(|&processor| before.is_set(processor))
        .ok_or_else(|| refused("there is no processor"))?;
    pin(processor)?;
    let mut others = Vec::new();
    let seconds = (1..each)
        .try_for_each(|_| start().map(|other| others.push(other)))
        .map(|()| switches_among(each));
    for mut other in others {
        // It may have ended already.
        let _ = other.kill();
        let _ = other.wait();
    }
    // The programs that are measured next inherit the affinity of this process.
    sched_setaffinity(None, &before).map_err(refused)?;
    Ok(Some(Switches { ranks, each, seconds: seconds? }))
}

/// Starts one of the other processes, which runs where this process runs, and waits until it is
/// ready.
fn start() -> Result<Child, Diagnostic> {
    let mut command = Command::new(std::env::current_exe().map_err(refused)?);
    command.args(["probe", "yielder"]).stdin(Stdio::null()).stdout(Stdio::piped());
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

/// Returns the seconds of a switch, for a number of processes that all yield.
fn switches_among(processes: u32) -> f64 {
    let batch = || {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| sched_yield());
        start.elapsed().as_secs_f64() / f64::from(ROUNDS * processes)
    };
    batch();
    median(&(0..BATCHES).map(|_| batch()).collect::<Vec<_>>())
}

/// One of the other processes: reports that it is ready, and yields until it is killed.
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
