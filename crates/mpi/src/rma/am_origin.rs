//! Short accesses to memory of a neighbour's own, which the neighbour carries out if it happens to be in a call: the origin's side.
//!
//! The kernel's copy needs nobody, but takes one or two microseconds. A neighbour that waits in a call looks for packets meanwhile, and a packet, its access
//! and the word that it is done take a fraction of that. So the origin tells of the access, looks for about as long as the copy takes, and copies after all
//! what the other has not begun by then (`nemesis::am_slot`):
//!
//! ```text
//!   origin                                                target
//!   DELEGATED_PUT (number, address) data ─────────────>   checked (`am_target`), taken, written
//!   DELEGATED_GET (number, address, length) ──────────>   checked, taken, read
//!                              <── number, answer ──      in the origin's slot, not in a packet
//! ```
//!
//! Either way the access is complete when its call returns, so nothing is different for those behind it. Who waits, or copies by the kernel, takes in what
//! comes, so that two who access each other's memory find each other in a call.
//!
//! A target that computes is told of one access and of no more until it has found that one. Then the origin lets some accesses pass before it tries again,
//! twice as many each time that it tries in vain. One that sleeps in a call is woken by such a packet and not waited for.
//!
//! An access that the target has taken is waited for, however long: that is a copy of some bytes, unless the target has lost its processor. If the target has
//! died, reading from its memory fails, and so does the access.

use super::access::check_memory;
use super::window::{Reach, Spot, Target, no_segment, open};
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::protocol::kind;
use nemesis::am_slot::{ANSWER_MAX_BYTES, AmSlot, BITS};
use nemesis::wire::{Header, words};
use nemesis_datatype::Buffer;

/// Number and address.
pub(super) const FRONT_BYTES: usize = 16;
/// The longest put that is told of: the packet and its two copies take a third of the time of the kernel's one then, and nine tenths where lines change hands
/// slowly; twice as long a put takes more time there (0005).
const PUT_MAX_BYTES: usize = 8 << 10;
/// Looks at whether the access is over: about two microseconds.
const LOOKS: u32 = 1200;
/// Looks at an access that the other has taken before the processor is given away.
const LOOKS_BEFORE_YIELD: u32 = 10_000;
/// Accesses that pass between two tries, at most: fewer than a target that waits looks for packets before it sleeps (0.4 ms), so that one that was woken by a
/// try is awake at the next.
const PAUSE_MAX: u32 = 63;

/// When the processes with one bit are told of accesses.
#[derive(Debug, Clone, Copy)]
struct ProbeBackoff {
    /// They have been told of an odd number that we carried out ourselves.
    odd: bool,
    /// So many accesses pass after a try in vain, and so many of those are left.
    pause: u32,
    left: u32,
}

/// That of all.
#[derive(Debug)]
pub struct ProbeBackoffs {
    by_bit: [ProbeBackoff; BITS],
    /// The access that somebody was told of last.
    last: u64,
}

impl ProbeBackoffs {
    pub const fn new() -> ProbeBackoffs {
        ProbeBackoffs { by_bit: [ProbeBackoff { odd: false, pause: 0, left: 0 }; BITS], last: 0 }
    }

    fn of(&mut self, process: u32) -> &mut ProbeBackoff {
        &mut self.by_bit[process as usize % BITS]
    }
}

impl ProbeBackoff {
    /// Whether a process is told of an access; `left_odd` says of what it has left to us whether that is an odd number.
    fn is_due(&mut self, left_odd: bool) -> bool {
        if left_odd != self.odd {
            return false;
        }
        let due = self.left == 0;
        self.left -= u32::from(!due);
        due
    }

    fn done(&mut self) {
        self.pause = 0;
    }

    fn in_vain(&mut self, told: bool) {
        self.odd ^= told;
        self.pause = (2 * self.pause + 1).min(PAUSE_MAX);
        self.left = self.pause;
    }
}

/// An access that a neighbour is told of.
struct Aim {
    process: u32,
    header: Header,
    address: u64,
    line: &'static AmSlot,
}

/// Puts as [`put`](super::put) does; false, and nothing has happened, where the origin has to do it.
pub(super) fn put(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let Some(bytes) = origin.as_bytes().filter(|bytes| bytes.len() <= PUT_MAX_BYTES) else {
        return Ok(false);
    };
    let Some(aim) = aim(mpi, win, target, kind::AM_PUT, bytes.len())? else { return Ok(false) };
    delegate(mpi, &aim, bytes)
}

/// Gets as [`get`](super::get) does; false, and nothing has happened, where the origin has to do it.
pub(super) fn get(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let mut origin = origin.clone();
    let Some(into) = origin.as_bytes_mut().filter(|bytes| bytes.len() <= ANSWER_MAX_BYTES) else {
        return Ok(false);
    };
    let Some(aim) = aim(mpi, win, target, kind::AM_GET, into.len())? else { return Ok(false) };
    let done = delegate(mpi, &aim, words([into.len() as u64]).as_bytes())?;
    if done {
        aim.line.copy_answer(into);
    }
    Ok(done)
}

/// An access of so many bytes that its target may carry out, and may do so now; with all that is wrong with it.
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
    let Some(line) = mpi.endpoint.as_ref().and_then(|endpoint| endpoint.am_slot_to(process)) else {
        return Ok(None);
    };
    if !mpi.probe_backoffs.of(process).is_due(line.has_left_odd(process)) {
        look_around(mpi);
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(bytes)?;
    let Spot::Far { distant, .. } = &opened.spot else { return Ok(None) };
    let run = distant.runs(0).next().filter(|run| run.len == bytes);
    Ok(run.map(|run| Aim { process, header, address: run.address as u64, line }))
}

/// Tells of an access: its number, and how often it is worth a look whether it is done. `None` when there is no room for the packet.
fn tell(engine: &mut Engine, aim: &Aim, data: &[u8]) -> Option<(u64, u32)> {
    let &Aim { process, header, address, .. } = aim;
    let Engine { endpoint: Some(endpoint), packing, probe_backoffs, .. } = engine else {
        return None;
    };
    let number = probe_backoffs.last + 1;
    let payload = packing.get_mut(..FRONT_BYTES + data.len())?;
    let (front, rest) = payload.split_at_mut(FRONT_BYTES);
    front.copy_from_slice(words([number, address]).as_bytes());
    rest.copy_from_slice(data);
    let looks = if endpoint.is_asleep(process) { 0 } else { LOOKS };
    if !endpoint.try_send(process, header, payload) {
        return None;
    }
    probe_backoffs.last = number;
    Some((number, looks))
}

/// Tells of an access, and waits for a while; whether the other has carried it out.
fn delegate(mpi: &mut Mpi, aim: &Aim, data: &[u8]) -> Outcome<bool> {
    let &Aim { process, line, .. } = aim;
    let Some((number, looks)) = tell(mpi, aim, data) else {
        mpi.probe_backoffs.of(process).in_vain(false);
        return Ok(false);
    };
    let mut done = false;
    for _ in 0..looks {
        done = line.is_done(number);
        if done {
            break;
        }
        look_around(mpi);
    }
    let ours = !done && line.take(number);
    if ours {
        mpi.probe_backoffs.of(process).in_vain(true);
    } else {
        mpi.probe_backoffs.of(process).done();
    }
    if done || ours { Ok(done) } else { await_end(mpi, aim, number).map(|()| true) }
}

/// Takes in what neighbours have sent: perhaps an access of the one with whom we have to do.
#[inline]
fn look_around(mpi: &mut Mpi) {
    if mpi.endpoint.as_mut().is_some_and(|endpoint| endpoint.has_near()) && mpi.poll(None) > 0 {
        mpi.catch_up();
        mpi.wake_others();
    }
}

/// Waits for the end of an access that the other has taken.
fn await_end(mpi: &Mpi, aim: &Aim, number: u64) -> Outcome {
    let mut looks = 0u32;
    while !aim.line.is_done(number) {
        looks += 1;
        if looks.is_multiple_of(LOOKS_BEFORE_YIELD) {
            let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
            check_memory(memory, aim.process, aim.address)?;
            nemesis::yield_now();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_computes_is_told_of_one_access() {
        let mut probe_backoff = ProbeBackoff { odd: false, pause: 0, left: 0 };
        assert!(probe_backoff.is_due(false) && probe_backoff.is_due(false));
        probe_backoff.in_vain(true);
        assert!(
            (0..5000).all(|_| !probe_backoff.is_due(false)),
            "the target has not found the last"
        );
        // It has: one access passes, then three, then seven.
        assert!(!probe_backoff.is_due(true) && probe_backoff.is_due(true));
        probe_backoff.in_vain(true);
        assert!((0..3).all(|_| !probe_backoff.is_due(false)) && probe_backoff.is_due(false));
        // No room for the packet: nothing is to be found.
        probe_backoff.in_vain(false);
        assert!((0..7).all(|_| !probe_backoff.is_due(false)) && probe_backoff.is_due(false));
        probe_backoff.done();
        assert!(probe_backoff.is_due(false));
        probe_backoff.in_vain(true);
        assert!(!probe_backoff.is_due(true) && probe_backoff.is_due(true));
    }

    #[test]
    fn tries_never_end() {
        let mut probe_backoff = ProbeBackoff { odd: false, pause: 0, left: 0 };
        (0..40).for_each(|_| probe_backoff.in_vain(false));
        assert_eq!((0..=PAUSE_MAX).filter(|_| probe_backoff.is_due(false)).count(), 1);
    }
}
