//! Short accesses to a local process's own memory, carried out by the target if it polls: the
//! origin's side of AM (active-message) accesses.
//!
//! The kernel's copy needs no target, but takes 1–2 µs. A target that waits in an MPI call polls
//! for packets meanwhile, and carries a short access out in a fraction of that. So the origin sends
//! the access, polls about as long as the kernel's copy takes, and then has the kernel copy what
//! the target has not claimed (`nemesis::am_slot`):
//!
//! ```text
//!   origin                                                target
//!   AM_PUT (number, address) data ────────────────────>   checked (`am_target`), claimed, written
//!   AM_GET (number, address, length) ─────────────────>   checked, claimed, read
//!                              <── number, answer ──      in the origin's slot, not in a packet
//! ```
//!
//! Either way the access is complete when its call returns, so flushes and the order of accesses do
//! not depend on who carried it out. An origin that polls, or has the kernel copy, also takes in
//! packets, so that two processes that access each other's memory serve each other.
//!
//! A target that computes receives one access, and no further one until it has found that packet.
//! After each access that the target left to the origin, the origin skips some accesses before it
//! sends one again, twice as many each time. A target that sleeps in a call is woken by the packet,
//! and the origin does not wait for it.
//!
//! A put of many short runs goes the same way, some kilobytes at a time (`am_scatter`): the kernel
//! takes half a microsecond for each run. The origin polls as long as that would take, also for a
//! target that sleeps.
//!
//! The origin waits without a limit for an access that the target has claimed: that is a copy of at
//! most 8 KiB, unless the target has lost its processor. If the target has died, reading from its
//! memory fails, and the access fails.

use super::am_scatter::Scatter;
use super::kernel_copy::{self, check_memory, has_short_runs};
use super::resolve::open;
use super::state::Windows;
use super::target::{Spot, Target, no_segment};
use super::window::Reach;
use crate::engine::upper::{State, UpperState};
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::packet_kind as kind;
use nemesis::WordWait;
use nemesis::am_slot::{ACCESS_MAX_BYTES, AmSlot, BITS};
use nemesis::wire::{Header, words};
use nemesis_datatype::{Buffer, RemoteTarget};

/// Polls for the end of an access: about two microseconds.
const POLLS: u32 = 1200;
/// Polls for the end of an access of short runs, for each of them: a fourth of the kernel's time.
const POLLS_FOR_RUN: u32 = POLLS / 16;
/// Polls for the end of an access that the target has claimed, before the origin yields.
const POLLS_BEFORE_YIELD: u32 = 10_000;
/// Greatest number of accesses that are skipped. A waiting target polls longer before it sleeps
/// (0.4 ms) than this many accesses take, so a target that a packet has woken is awake for the next
/// one.
const PAUSE_MAX: u32 = 63;

/// When accesses are sent to the processes that share a bit of `left`.
#[derive(Debug, Clone, Copy)]
struct ProbeBackoff {
    /// Whether the accesses that were sent and then carried out here are odd in number.
    odd: bool,
    /// Accesses to skip after one that was left to the origin, and how many of them remain.
    pause: u32,
    left: u32,
}

/// The backoff of every process: it decides whether a local process is told of an access to its
/// memory.
struct ProbeBackoffs {
    by_bit: [ProbeBackoff; BITS],
    /// Number of the last access that was sent.
    last: u64,
    /// Buffer for a packet.
    packet: Vec<u8>,
}

static PROBE_BACKOFFS: UpperState<ProbeBackoffs> = UpperState::new();

impl State for ProbeBackoffs {
    const INITIAL: ProbeBackoffs = ProbeBackoffs {
        by_bit: [ProbeBackoff { odd: false, pause: 0, left: 0 }; BITS],
        last: 0,
        packet: Vec::new(),
    };
}

/// Returns the backoff of a process, to change it.
fn probe_backoff(engine: &mut Engine, process: u32) -> &mut ProbeBackoff {
    PROBE_BACKOFFS.get_mut(&mut engine.pt2pt.core.token).of(process)
}

impl ProbeBackoffs {
    fn of(&mut self, process: u32) -> &mut ProbeBackoff {
        &mut self.by_bit[process as usize % BITS]
    }
}

impl ProbeBackoff {
    /// Returns whether the next access is sent. `left_odd` says whether the number of accesses that
    /// the processes left to this one is odd.
    fn is_due(&mut self, left_odd: bool) -> bool {
        if !self.has_found_last(left_odd) {
            return false;
        }
        let due = self.left == 0;
        self.left -= u32::from(!due);
        due
    }

    /// Returns whether the process has found the last packet that it was sent.
    fn has_found_last(&self, left_odd: bool) -> bool {
        left_odd == self.odd
    }

    fn done(&mut self) {
        self.pause = 0;
    }

    fn declined(&mut self, sent: bool) {
        self.odd ^= sent;
        self.pause = (2 * self.pause + 1).min(PAUSE_MAX);
        self.left = self.pause;
    }
}

/// An access to send.
struct Aim {
    process: u32,
    header: Header,
    address: u64,
    slot: &'static AmSlot,
}

/// Puts by AM. Returns false, and has done nothing, if the origin has to access the memory itself.
pub(super) fn put(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let Some(bytes) = origin.as_bytes().filter(|bytes| bytes.len() <= ACCESS_MAX_BYTES) else {
        return Ok(false);
    };
    let Some(aim) = aim(mpi, win, target, kind::AM_PUT, bytes.len())? else { return Ok(false) };
    delegate(mpi, &aim, bytes)
}

/// Gets by AM. Returns false, and has done nothing, if the origin has to access the memory itself.
pub(super) fn get(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let mut origin = origin.clone();
    let Some(into) = origin.as_bytes_mut().filter(|bytes| bytes.len() <= ACCESS_MAX_BYTES) else {
        return Ok(false);
    };
    let Some(aim) = aim(mpi, win, target, kind::AM_GET, into.len())? else { return Ok(false) };
    let done = delegate(mpi, &aim, words([into.len() as u64]).as_bytes())?;
    if done {
        aim.slot.copy_answer(into);
    }
    Ok(done)
}

/// What a process does while it waits for the target of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meanwhile {
    /// It takes in packets, and carries out what they ask for.
    TakePackets,
    /// It waits: it holds an accumulate lock, and a packet may ask for an accumulate.
    Wait,
}

/// Writes many short runs into a local process's memory: those of each packet by the target if it
/// polls, else by the kernel. `pack` copies their data from a byte on. Returns false, and has done
/// nothing, if the runs are not short, or the target has no processor of its own.
pub(super) fn write_runs(
    mpi: &mut Mpi,
    win: handle::Win,
    (process, distant): (u32, &RemoteTarget),
    meanwhile: Meanwhile,
    mut pack: impl FnMut(usize, &mut [u8]),
) -> Outcome<bool> {
    let Some(slot) = mpi.pt2pt.endpoint.as_ref().and_then(|endpoint| endpoint.am_slot_to(process))
    else {
        return Ok(false);
    };
    if !has_short_runs(distant, 0, distant.bytes()) {
        return Ok(false);
    }
    let (kind, window) = (kind::AM_SCATTER, mpi.window(win)?);
    let header = Header { kind, context: window.context, rank: window.rank, ..Header::default() };
    let address = distant.runs(0).next().map_or(0, |run| run.address as u64);
    let aim = Aim { process, header, address, slot };
    let (mut from, mut packet) = (0, Vec::new());
    while from < distant.bytes() {
        let scatter = Scatter::of(distant, from);
        let number = PROBE_BACKOFFS.get(&mpi.pt2pt.core.token).last + 1;
        scatter.write(number, &mut packet, |data| pack(from, data));
        let polls = POLLS.saturating_add(POLLS_FOR_RUN.saturating_mul(scatter.runs as u32));
        let is_due = probe_backoff(mpi, process).has_found_last(slot.has_left_odd(process));
        if !is_due || !await_target(mpi, &aim, number, &packet, (polls, meanwhile))? {
            let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
            let data = &packet[packet.len() - scatter.bytes..];
            kernel_copy::write(memory, process, distant, from, data)?;
            if meanwhile == Meanwhile::TakePackets {
                poll_packets(mpi);
            }
        }
        from += scatter.bytes;
    }
    Ok(true)
}

/// Returns the access of `bytes` bytes if its target may carry it out, and is to be asked now.
/// Fails if the access itself is wrong.
fn aim(
    mpi: &mut Mpi,
    win: handle::Win,
    target: &Target,
    kind: u8,
    bytes: usize,
) -> Outcome<Option<Aim>> {
    let window = mpi.window(win)?;
    let Some(exposed) = usize::try_from(target.rank).ok().and_then(|rank| window.exposed.get(rank))
    else {
        return Ok(None);
    };
    if bytes == 0 || !matches!(exposed.reach, Reach::Distant { .. } | Reach::Dynamic(_)) {
        return Ok(None);
    }
    let (process, header) = (
        exposed.process,
        Header { kind, context: window.context, rank: window.rank, ..Header::default() },
    );
    let Some(slot) = mpi.pt2pt.endpoint.as_ref().and_then(|endpoint| endpoint.am_slot_to(process))
    else {
        return Ok(None);
    };
    if !probe_backoff(mpi, process).is_due(slot.has_left_odd(process)) {
        poll_packets(mpi);
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(bytes)?;
    let Spot::Far { distant, .. } = &opened.spot else { return Ok(None) };
    let run = distant.runs(0).next().filter(|run| run.len == bytes);
    Ok(run.map(|run| Aim { process, header, address: run.address as u64, slot }))
}

/// Sends an access and polls for its end. Returns whether the target has carried it out.
fn delegate(mpi: &mut Mpi, aim: &Aim, data: &[u8]) -> Outcome<bool> {
    let ProbeBackoffs { last, packet, .. } = PROBE_BACKOFFS.get_mut(&mut mpi.pt2pt.core.token);
    let (number, mut packet) = (*last + 1, std::mem::take(packet));
    packet.clear();
    packet.extend_from_slice(words([number, aim.address]).as_bytes());
    packet.extend_from_slice(data);
    let endpoint = mpi.pt2pt.endpoint.as_ref();
    let is_asleep = endpoint.is_some_and(|endpoint| endpoint.is_asleep(aim.process));
    let polls = if is_asleep { 0 } else { POLLS };
    let done = await_target(mpi, aim, number, &packet, (polls, Meanwhile::TakePackets));
    PROBE_BACKOFFS.get_mut(&mut mpi.pt2pt.core.token).packet = packet;
    done
}

/// Sends the packet of access `number` and polls for its end. Returns whether the target has
/// carried it out.
fn await_target(
    mpi: &mut Mpi,
    aim: &Aim,
    number: u64,
    packet: &[u8],
    (polls, meanwhile): (u32, Meanwhile),
) -> Outcome<bool> {
    let &Aim { process, header, slot, .. } = aim;
    let endpoint = mpi.pt2pt.endpoint.as_mut();
    if !endpoint.is_some_and(|endpoint| endpoint.try_send(process, header, packet)) {
        probe_backoff(mpi, process).declined(false);
        return Ok(false);
    }
    PROBE_BACKOFFS.get_mut(&mut mpi.pt2pt.core.token).last = number;
    let mut done = false;
    for _ in 0..polls {
        done = slot.is_done(number);
        if done {
            break;
        }
        match meanwhile {
            Meanwhile::TakePackets => poll_packets(mpi),
            Meanwhile::Wait => std::hint::spin_loop(),
        }
    }
    let ours = !done && slot.claim(number);
    if ours {
        probe_backoff(mpi, process).declined(true);
    } else {
        probe_backoff(mpi, process).done();
    }
    if done || ours { Ok(done) } else { await_end(mpi, aim, number).map(|()| true) }
}

/// Takes in packets of local processes, among them perhaps an access by the target.
#[inline]
fn poll_packets(mpi: &mut Mpi) {
    if mpi.pt2pt.endpoint.as_mut().is_some_and(|endpoint| endpoint.has_local_packets())
        && mpi.pt2pt.poll(None) > 0
    {
        mpi.run_tasks();
        mpi.wake_others();
    }
}

/// Waits for the end of an access that the target has claimed.
fn await_end(mpi: &Mpi, aim: &Aim, number: u64) -> Outcome {
    let mut polls = 0u32;
    let mut wait = WordWait::new("an access that the target has begun and does not end");
    while !aim.slot.is_done(number) {
        polls += 1;
        if polls.is_multiple_of(POLLS_BEFORE_YIELD) {
            let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
            check_memory(memory, aim.process, aim.address)?;
            wait.pause();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_that_computes_receives_one_access() {
        let mut probe_backoff = ProbeBackoff { odd: false, pause: 0, left: 0 };
        assert!(probe_backoff.is_due(false) && probe_backoff.is_due(false));
        probe_backoff.declined(true);
        assert!(
            (0..5000).all(|_| !probe_backoff.is_due(false)),
            "the target has not found the last packet"
        );
        // The target has found it: one access is skipped, then three, then seven.
        assert!(!probe_backoff.is_due(true) && probe_backoff.is_due(true));
        probe_backoff.declined(true);
        assert!((0..3).all(|_| !probe_backoff.is_due(false)) && probe_backoff.is_due(false));
        // There was no space for the packet, so the target has none to find.
        probe_backoff.declined(false);
        assert!((0..7).all(|_| !probe_backoff.is_due(false)) && probe_backoff.is_due(false));
        probe_backoff.done();
        assert!(probe_backoff.is_due(false));
        probe_backoff.declined(true);
        assert!(!probe_backoff.is_due(true) && probe_backoff.is_due(true));
    }

    #[test]
    fn probing_never_ends() {
        let mut probe_backoff = ProbeBackoff { odd: false, pause: 0, left: 0 };
        (0..40).for_each(|_| probe_backoff.declined(false));
        assert_eq!((0..=PAUSE_MAX).filter(|_| probe_backoff.is_due(false)).count(), 1);
    }
}
