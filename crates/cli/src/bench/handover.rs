//! The raw hand-over: the time in which a cache line moves from one processor to another.
//!
//! ```text
//!   process A, processor 0                 process B, processor 1
//!   ping := i                   ─line─>    wait for ping = i
//!   wait for pong = i          <─line─     pong := i
//! ```
//!
//! Half a round is the lower limit of a message's latency. The two words are the doorbells of two
//! slots of a segment, so the lines lie where those of the library lie; no other code of the
//! library takes part.
//!
//! The host of a virtual machine moves its processors, and the figure changes with them: within
//! seconds, one machine had 26 ns (threads of one core), 57 (a shared cache) and 230 (no shared
//! cache). The pair therefore measures several times with pauses between, and the usual figure is
//! the median. The measuring programs measure it again between their batches, and discard batches
//! at another distance (`bench/distance.h`).
//!
//! Ordering edges: each store is Release, and each load that waits for it is Acquire, as those of a
//! message would be. On x86-64 both are plain moves.

use super::figures::median;
use crate::diagnostic::Diagnostic;
use nemesis_shm::segment::Segment;
use nemesis_sync::{AtomicU32, Ordering};
use nemesis_sys::process::{inherit, pass_on, tie_to_parent};
use rustix::fd::AsRawFd;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rounds of one batch: a fraction of a millisecond.
const ROUNDS: u32 = 2_000;
/// Batches of one measurement.
const BATCHES: usize = 20;
/// Value that tells the other process to end. The rounds of all batches stay far below.
const END: u32 = u32::MAX;
/// Polls between two readings of the clock.
const POLLS_PER_LOOK: u32 = 1 << 20;
/// Longest wait for an answer. The other process has to start first.
const TIMEOUT: Duration = Duration::from_secs(10);

/// When the pair of processes measures.
#[derive(Clone, Copy, Debug)]
pub struct Repeats {
    pub number: usize,
    /// Pause between two measurements. Processors stay in their places for parts of a second, or
    /// for some seconds.
    pub pause: Duration,
}

/// Returns the seconds of one way: the median of all batches of `repeats`. The error says why it
/// cannot be measured here.
pub fn measure(repeats: Repeats) -> Result<f64, Diagnostic> {
    let mut samples = Vec::new();
    for number in 0..repeats.number {
        if number > 0 {
            std::thread::sleep(repeats.pause);
        }
        samples.extend(meet()?);
    }
    Ok(median(&samples))
}

/// Returns the seconds of one way, of each batch.
fn meet() -> Result<Vec<f64>, Diagnostic> {
    let before = sched_getaffinity(None).map_err(refused)?;
    let (ours, theirs) = two_processors(&before)
        .ok_or_else(|| refused("this process may use only one processor"))?;
    let memory = nemesis_wireup::segment::make(2)?;
    let bytes = memory.bytes as usize;
    let segment = Segment::open(&memory.descriptor, bytes, 2).map_err(refused)?;
    pass_on(&memory.descriptor).map_err(refused)?;
    let mut command = Command::new(std::env::current_exe().map_err(refused)?);
    command
        .args(["probe", "handover"])
        .arg(memory.descriptor.as_raw_fd().to_string())
        .arg(bytes.to_string())
        .arg(theirs.to_string());
    tie_to_parent(&mut command);
    let mut child = command.stdin(Stdio::null()).spawn().map_err(refused)?;

    pin(ours).map_err(refused)?;
    let outcome = batches_of_rounds(&segment);
    // The programs that are measured next are children of this process, and inherit its affinity.
    sched_setaffinity(None, &before).map_err(refused)?;
    if outcome.is_err() {
        // The process may be stuck, or may have ended already.
        let _ = child.kill();
    }
    child.wait().map_err(refused)?;
    outcome
}

fn batches_of_rounds(segment: &Segment) -> Result<Vec<f64>, Diagnostic> {
    let (ping, pong) = words(segment);
    let mut round = 0;
    let mut batch = || {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            round += 1;
            // Release: the only edge of this file, with the Acquire in `wait_for` at the other end.
            ping.store(round, Ordering::Release);
            wait_for(pong, |answer| answer == round)
                .ok_or_else(|| refused("the other process does not answer"))?;
        }
        Ok(start.elapsed().as_secs_f64() / f64::from(ROUNDS) / 2.0)
    };
    // One batch to warm up: the other process starts, and the processors reach their frequency.
    batch()?;
    let samples = (0..BATCHES).map(|_| batch()).collect();
    // Release: as above.
    ping.store(END, Ordering::Release);
    samples
}

/// The other end, in another process.
pub fn answer(descriptor: i32, bytes: usize, processor: usize) -> Result<(), Diagnostic> {
    let descriptor = inherit(descriptor).map_err(refused)?;
    let segment = Segment::open(&descriptor, bytes, 2).map_err(refused)?;
    pin(processor).map_err(refused)?;
    let (ping, pong) = words(&segment);
    let mut last = 0;
    while last != END {
        last = wait_for(ping, |round| round != last)
            .ok_or_else(|| refused("the first process does not answer"))?;
        // Release: as in `batches_of_rounds`.
        pong.store(last, Ordering::Release);
    }
    Ok(())
}

fn words(segment: &Segment) -> (&'static AtomicU32, &'static AtomicU32) {
    (&segment.slot(0).doorbell().flag, &segment.slot(1).doorbell().flag)
}

/// Spins until `word` is `awaited`, without a pause instruction, which would be a part of the
/// figure. Returns `None` after the longest wait.
#[inline(always)]
fn wait_for(word: &AtomicU32, awaited: impl Fn(u32) -> bool) -> Option<u32> {
    let mut polls = 0u32;
    let mut since = None;
    loop {
        // Acquire: pairs with the Release store at the other end.
        let value = word.load(Ordering::Acquire);
        if awaited(value) {
            return Some(value);
        }
        polls = polls.wrapping_add(1);
        if polls.is_multiple_of(POLLS_PER_LOOK)
            && since.get_or_insert_with(Instant::now).elapsed() > TIMEOUT
        {
            return None;
        }
    }
}

/// Returns two processors of the set on different cores, or on one core if there is no other.
fn two_processors(allowed: &CpuSet) -> Option<(usize, usize)> {
    let processors: Vec<usize> =
        (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect();
    let first = *processors.first()?;
    let siblings = |processor: usize| {
        std::fs::read_to_string(format!(
            "/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list"
        ))
        .unwrap_or_default()
    };
    let of_first = siblings(first);
    let other_core = processors[1..]
        .iter()
        .find(|&&processor| of_first.is_empty() || siblings(processor) != of_first);
    Some((first, *other_core.or(processors.get(1))?))
}

fn pin(processor: usize) -> rustix::io::Result<()> {
    let mut set = CpuSet::new();
    set.set(processor);
    sched_setaffinity(None, &set)
}

fn refused(why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        "measuring the raw hand-over",
        why,
        "two processors for this process (`taskset`, `docker run --cpuset-cpus`)",
    )
}
