//! Synchronization calls (MPI 5.0 §12.5).
//!
//! An access that the origin carries out itself is complete when its call returns, unless it
//! belongs to a row (`gathered`). The calls of this module carry out the row, wait for AM requests
//! (`remote`) and for accesses by the network (`network_access`), order memory, and synchronize
//! with other processes: a fence is a barrier; post, start, complete and wait exchange notices; a
//! lock is a word of the control block. The origin takes the lock itself if it reaches the target's
//! memory itself. Otherwise, on other hosts and where the kernel refuses to copy from a local
//! process, it requests the lock from the target.

use super::am_requests::{self, await_requests};
use super::check;
use super::epoch::Held;
use super::gathering;
use super::notice::{Awaited, Notice};
use super::state::{RMA, Rma, Windows, no_window};
use super::window::Window;
use crate::abi;
use crate::coll;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::packet_kind as kind;
use crate::peer_failure;
use nemesis::wire::Header;
use nemesis_mpi_check::accesses;
use nemesis_mpi_check::is_on as are_checked;
use nemesis_sys::mutation::{self, Mutation};
use std::cell::Cell;

fn check_assert(assert: i32, allowed: i32) -> Outcome {
    if assert & !allowed == 0 {
        return Ok(());
    }
    Err(Error::new(
        abi::MPI_ERR_ASSERT,
        format!(
            "assert is {assert:#x}, but this call does not accept the bits {:#x}",
            assert & !allowed
        ),
    ))
}

/// Orders the accesses of this process, and the program's loads and stores, before packets and
/// flags that tell others of them, and after those that arrived from others.
#[inline(always)]
fn order_memory() {
    // The barrier has to order the program's own loads and stores, too, in whatever way the program
    // relies on it (MPI 5.0 §12.7).
    nemesis_sync::full_barrier();
}

/// `MPI_Win_fence`
pub fn fence(mpi: &mut Mpi, win: handle::Win, assert: i32) -> Outcome {
    let window = mpi.window(win)?;
    check_assert(
        assert,
        abi::MPI_MODE_NOSTORE
            | abi::MPI_MODE_NOPUT
            | abi::MPI_MODE_NOPRECEDE
            | abi::MPI_MODE_NOSUCCEED,
    )?;
    window.epoch.may_fence()?;
    if are_checked() {
        match assert & abi::MPI_MODE_NOPRECEDE {
            0 => window.epoch.check_locks(),
            _ => window.epoch.check_precedes(),
        }
    }
    let (comm, is_private) = (window.comm, window.is_private);
    // Errors are reported after the barrier, since the other processes wait in it.
    let completed = complete_all_accesses(mpi, win);
    order_memory();
    mpi.waiting.serves_accesses = is_private;
    let met = coll::run(mpi, comm, coll::barrier);
    mpi.waiting.serves_accesses = false;
    met?;
    if are_checked() {
        check::exchange(mpi, win, true)?;
    }
    order_memory();
    mpi.window_mut(win)?.epoch.fenced(assert & abi::MPI_MODE_NOSUCCEED == 0);
    completed
}

/// Fails if one of the ranks has died, in a job that goes on. The memory of a process that has died
/// may still be there; nobody will read what was stored.
#[inline]
fn check_whole(mpi: &Mpi, win: handle::Win, mut ranks: impl Iterator<Item = u32>) -> Outcome {
    let losses = &mpi.pt2pt.core.losses;
    if losses.is_empty() || !peer_failure::is_tolerant() {
        return Ok(());
    }
    let processes = mpi.window(win)?.group.processes();
    ranks.try_for_each(|rank| losses.check(processes[rank as usize]))
}

/// Fails as [`check_whole`] does, for all ranks.
fn check_all(mpi: &Mpi, win: handle::Win) -> Outcome {
    check_whole(mpi, win, 0..mpi.window(win)?.size())
}

/// Waits until the accesses to a rank are complete.
fn complete_accesses_to(mpi: &mut Mpi, win: handle::Win, rank: u32) -> Outcome {
    let gathered = gathering::complete(mpi);
    let window = mpi.window(win)?;
    if !window.remote.some {
        return gathered;
    }
    let (context, processes) = (window.context, window.remote_processes(std::iter::once(rank)));
    gathered.and(await_requests(mpi, win, context, &processes))
}

/// Waits until the accesses to all ranks are complete.
pub(super) fn complete_all_accesses(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let gathered = gathering::complete(mpi);
    let window = mpi.window(win)?;
    if !window.remote.some {
        return gathered;
    }
    let (context, processes) = (window.context, window.remote_processes(0..window.size()));
    gathered.and(await_requests(mpi, win, context, &processes))
}

/// Sends a notice to ranks of the window: to those of this node in shared words, to others in
/// packets.
fn notify(mpi: &mut Mpi, win: handle::Win, notice: Notice, ranks: &[u32]) -> Outcome {
    order_memory();
    let pt2pt = &mut mpi.pt2pt;
    let window = RMA.get(&pt2pt.core.token).windows.get(win).map_err(no_window)?;
    let (mut distant, mut tells_itself) = (Vec::new(), false);
    for &rank in ranks {
        let process = window.group.processes()[rank as usize];
        if !window.beside.tell(&window.control, notice, rank) {
            distant.push(process);
        } else if rank == window.rank {
            tells_itself = true;
        } else if let Some(endpoint) = &pt2pt.endpoint {
            endpoint.ring(process);
        }
    }
    if !distant.is_empty() {
        let kind = match notice {
            Notice::Posted => kind::WINDOW_POSTED,
            Notice::Completed => kind::WINDOW_COMPLETED,
        };
        let (context, rank) = (window.context, window.rank);
        let header = Header { kind, context, rank, ..Header::default() };
        for process in distant {
            pt2pt.send_control(process, header, [0; 3]);
        }
    }
    if tells_itself {
        mpi.wake_others();
    }
    Ok(())
}

/// Takes one notice from each of `ranks` if all have come. Fails if one cannot come any more,
/// because its sender is lost.
fn take_notices(
    engine: &mut Engine,
    win: handle::Win,
    notice: Notice,
    ranks: &[u32],
) -> Outcome<bool> {
    if are_checked() {
        accesses::learn();
    }
    let core = &engine.pt2pt.core;
    let Rma { windows, notices, .. } = RMA.get(&core.token);
    let window = windows.get(win).map_err(no_window)?;
    let Window { context, beside, control, group, .. } = window;
    let has_come = |rank: u32| match beside.has_come(control, notice, rank) {
        Some(has_come) => has_come,
        None => notices.has_come(notice, *context, rank),
    };
    let mut missing = ranks.iter().copied().filter(|&rank| !has_come(rank)).peekable();
    if missing.peek().is_some() {
        let check = |rank| core.losses.check(group.processes()[rank as usize]);
        return match core.losses.is_empty() {
            true => Ok(false),
            false => missing.try_for_each(check).map(|()| false),
        };
    }
    drop(missing);
    take_each(engine, win, notice, ranks)?;
    order_memory();
    Ok(true)
}

/// Takes the next notice from each of `ranks`, whether it has come or not.
fn take_each(engine: &mut Engine, win: handle::Win, notice: Notice, ranks: &[u32]) -> Outcome {
    let Rma { windows, notices, .. } = RMA.get_mut(&mut engine.pt2pt.core.token);
    let window = windows.get_mut(win).map_err(no_window)?;
    for &rank in ranks {
        if !window.beside.take(notice, rank) {
            notices.take(notice, window.context, rank);
        }
    }
    Ok(())
}

/// Ends the exposure epoch of `ranks`, of which one is lost if it has failed: the others complete
/// their part of it sooner or later, which is not the end of another epoch.
fn end_exposure(mpi: &mut Mpi, win: handle::Win, ranks: &[u32], failed: bool) -> Outcome {
    if are_checked() {
        check::waited(mpi, win);
    }
    if failed {
        take_each(mpi, win, Notice::Completed, ranks)?;
    }
    mpi.window_mut(win)?.epoch.end_exposure();
    Ok(())
}

/// Waits until a notice has arrived from each of `ranks`, and takes the notices.
fn await_notices(mpi: &mut Mpi, win: handle::Win, notice: Notice, ranks: &[u32]) -> Outcome {
    if take_notices(mpi, win, notice, ranks)? {
        return Ok(());
    }
    let control = mpi.window(win)?.control.clone();
    // A word that is missing: the doorbell rings after it, and a sleep looks at packets only.
    let (awaited, mut outcome) = (Cell::new(None), Ok(()));
    let found = || awaited.get().is_some_and(|awaited: Awaited| awaited.has_come(&control));
    mpi.wait_until_found(None, found, |mpi| match take_notices(mpi, win, notice, ranks) {
        Ok(false) => {
            let window = mpi.window(win);
            awaited.set(window.ok().and_then(|window| window.awaited(notice, ranks)));
            false
        }
        taken => {
            outcome = taken.map(drop);
            true
        }
    });
    outcome
}

/// `MPI_Win_post`
pub fn post(mpi: &mut Mpi, win: handle::Win, group: &Group, assert: i32) -> Outcome {
    let window = mpi.window(win)?;
    check_assert(assert, abi::MPI_MODE_NOCHECK | abi::MPI_MODE_NOSTORE | abi::MPI_MODE_NOPUT)?;
    window.epoch.may_post()?;
    let ranks = mpi.window_mut(win)?.ranks_of(group, Notice::Posted)?;
    check_whole(mpi, win, ranks.iter().copied())?;
    if are_checked() {
        check::post(mpi, win, &ranks);
    }
    if assert & abi::MPI_MODE_NOCHECK == 0 {
        notify(mpi, win, Notice::Posted, &ranks)?;
    }
    mpi.window_mut(win)?.epoch.posted(ranks);
    Ok(())
}

/// `MPI_Win_start`: waits for the matching posts, as the standard permits.
pub fn start(mpi: &mut Mpi, win: handle::Win, group: &Group, assert: i32) -> Outcome {
    let window = mpi.window(win)?;
    check_assert(assert, abi::MPI_MODE_NOCHECK)?;
    window.epoch.may_start()?;
    let ranks = mpi.window_mut(win)?.ranks_of(group, Notice::Completed)?;
    check_whole(mpi, win, ranks.iter().copied())?;
    // With MPI_MODE_NOCHECK the program guarantees that the posts have been called, and they sent
    // no notices.
    if assert & abi::MPI_MODE_NOCHECK == 0 {
        await_notices(mpi, win, Notice::Posted, &ranks)?;
    }
    if are_checked() {
        accesses::start(win.0, &ranks);
    }
    mpi.window_mut(win)?.epoch.started(ranks);
    Ok(())
}

/// `MPI_Win_complete`
pub fn complete(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let ranks = mpi.window_mut(win)?.epoch.complete()?;
    let gathered = gathering::complete(mpi);
    let window = mpi.window(win)?;
    let (context, processes) = (window.context, window.remote_processes(ranks.iter().copied()));
    let completed = gathered.and(await_requests(mpi, win, context, &processes));
    if are_checked() {
        check::complete(win, None);
    }
    notify(mpi, win, Notice::Completed, &ranks)?;
    completed.and(check_whole(mpi, win, ranks.iter().copied()))
}

/// `MPI_Win_wait`. Also ends the epoch if it fails because an origin is lost.
pub fn wait(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let ranks = mpi.window(win)?.epoch.exposed()?;
    let outcome = match mutation::strikes(Mutation::EpochNotAwaited) {
        false => await_notices(mpi, win, Notice::Completed, &ranks),
        true => Ok(()),
    };
    end_exposure(mpi, win, &ranks, outcome.is_err())?;
    outcome
}

/// `MPI_Win_test`: returns whether the epoch has ended. Fails, and ends the epoch, as [`wait`]
/// does.
pub fn test(mpi: &mut Mpi, win: handle::Win) -> Outcome<bool> {
    let ranks = mpi.window(win)?.epoch.exposed()?;
    mpi.progress_of_test();
    let outcome = take_notices(mpi, win, Notice::Completed, &ranks);
    if !matches!(outcome, Ok(false)) {
        // A loop of tests is not told to finish nothing.
        mpi.pt2pt.core.finished += 1;
        end_exposure(mpi, win, &ranks, outcome.is_err())?;
    }
    outcome
}

/// Takes the lock of a rank, and waits as long as necessary.
fn acquire(mpi: &mut Mpi, win: handle::Win, rank: u32, exclusive: bool) -> Outcome {
    check_whole(mpi, win, std::iter::once(rank))?;
    if let Some(am_request) = mpi.window(win)?.am_request_to(win, rank) {
        return am_requests::lock(mpi, &[am_request], exclusive);
    }
    let control = mpi.window(win)?.control.clone();
    if !control.try_lock(rank, exclusive) {
        let mut lost = Ok(());
        mpi.wait_for_word(|mpi| {
            // The holder may be one that has died, which the word does not tell.
            lost = check_all(mpi, win);
            lost.is_err() || control.try_lock(rank, exclusive)
        });
        return lost;
    }
    Ok(())
}

/// Takes the shared locks of all ranks. If one fails, releases the others.
fn acquire_all(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    check_all(mpi, win)?;
    let window = mpi.window(win)?;
    let (remote, direct): (Vec<u32>, Vec<u32>) =
        (0..window.size()).partition(|&rank| window.am_request_to(win, rank).is_some());
    let am_requests: Vec<_> =
        remote.iter().filter_map(|&rank| window.am_request_to(win, rank)).collect();
    for &rank in &direct {
        acquire(mpi, win, rank, false)?;
    }
    let locked = am_requests::lock(mpi, &am_requests, false);
    if locked.is_err() {
        release_all(mpi, win, direct.into_iter())?;
    }
    locked
}

/// `MPI_Win_lock`
pub fn lock(mpi: &mut Mpi, win: handle::Win, lock_type: i32, rank: i32, assert: i32) -> Outcome {
    let window = mpi.window(win)?;
    let exclusive = match lock_type {
        abi::MPI_LOCK_EXCLUSIVE => true,
        abi::MPI_LOCK_SHARED => false,
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_LOCKTYPE,
                format!("{lock_type} is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED"),
            ));
        }
    };
    check_assert(assert, abi::MPI_MODE_NOCHECK)?;
    let Some(rank) = window.check_rank(rank)? else { return Ok(()) };
    window.epoch.may_lock(rank)?;
    let unchecked = assert & abi::MPI_MODE_NOCHECK != 0;
    if !unchecked {
        acquire(mpi, win, rank, exclusive)?;
        if are_checked() {
            accesses::take_lock(win.0, exclusive);
        }
    }
    mpi.window_mut(win)?.epoch.locked(rank, Held { exclusive, unchecked });
    order_memory();
    Ok(())
}

/// Releases the lock of a rank.
fn release(mpi: &mut Mpi, win: handle::Win, rank: u32, exclusive: bool) -> Outcome {
    let window = mpi.window(win)?;
    match window.am_request_to(win, rank) {
        Some(am_request) => am_requests::unlock(mpi, &am_request),
        None => {
            window.control.unlock(rank, exclusive);
            Ok(())
        }
    }
}

/// Releases the shared locks of ranks, of every rank that is not lost, and returns the first error.
fn release_all(mpi: &mut Mpi, win: handle::Win, ranks: impl Iterator<Item = u32>) -> Outcome {
    ranks.map(|rank| release(mpi, win, rank, false)).fold(Ok(()), Outcome::and)
}

/// `MPI_Win_unlock`
pub fn unlock(mpi: &mut Mpi, win: handle::Win, rank: i32) -> Outcome {
    let window = mpi.window_mut(win)?;
    let Some(rank) = window.check_rank(rank)? else { return Ok(()) };
    let held = window.epoch.unlock(rank)?;
    let completed = complete_accesses_to(mpi, win, rank);
    if are_checked() {
        check::complete(win, Some(rank));
    }
    order_memory();
    if !held.unchecked {
        release(mpi, win, rank, held.exclusive)?;
    }
    completed.and(check_whole(mpi, win, std::iter::once(rank)))
}

/// `MPI_Win_lock_all`
pub fn lock_all(mpi: &mut Mpi, win: handle::Win, assert: i32) -> Outcome {
    let window = mpi.window(win)?;
    check_assert(assert, abi::MPI_MODE_NOCHECK)?;
    window.epoch.may_lock_all()?;
    let unchecked = assert & abi::MPI_MODE_NOCHECK != 0;
    if !unchecked {
        acquire_all(mpi, win)?;
        if are_checked() {
            accesses::take_lock(win.0, false);
        }
    }
    mpi.window_mut(win)?.epoch.locked_all(unchecked);
    order_memory();
    Ok(())
}

/// `MPI_Win_unlock_all`
pub fn unlock_all(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let window = mpi.window_mut(win)?;
    let (unchecked, size) = (window.epoch.unlock_all()?, window.size());
    let completed = complete_all_accesses(mpi, win);
    if are_checked() {
        check::complete(win, None);
    }
    order_memory();
    let released = if unchecked { Ok(()) } else { release_all(mpi, win, 0..size) };
    completed.and(released).and_then(|()| check_all(mpi, win))
}

/// Fast path of a flush: succeeds if the window has no AM requests and its epoch permits the flush.
/// Returns false otherwise; the slow path then finds the reason.
#[inline(always)]
pub fn flush_shortly(engine: &Engine, win: handle::Win, rank: i32) -> bool {
    let permitted = RMA
        .get(&engine.pt2pt.core.token)
        .windows
        .get(win)
        .is_ok_and(|window| !window.remote.some && window.epoch.permits_flush(rank));
    if permitted {
        order_memory();
    }
    permitted
}

/// Fast path of a flush after an access to memory that the kernel copies. Returns false if that is
/// not all, as [`flush_shortly`] does.
#[inline(never)]
pub fn flush_alone(engine: &mut Engine, win: handle::Win, rank: i32) -> bool {
    let may_flush = engine.window(win).is_ok_and(|window| {
        let is_rank = rank >= 0 && (rank as u32) < window.size();
        is_rank && !window.remote.some && window.epoch.may_flush(Some(rank as u32)).is_ok()
    });
    if !may_flush || !gathering::end_empty_row(engine) {
        return false;
    }
    order_memory();
    true
}

/// `MPI_Win_flush` and `MPI_Win_flush_local`: wait for AM requests. Accesses that this process
/// carries out itself are complete already.
#[inline]
pub fn flush(mpi: &mut Mpi, win: handle::Win, rank: i32) -> Outcome {
    let window = mpi.window(win)?;
    if let Some(rank) = window.check_rank(rank)? {
        window.epoch.may_flush(Some(rank))?;
        complete_accesses_to(mpi, win, rank)?;
        check_whole(mpi, win, std::iter::once(rank))?;
        if are_checked() {
            check::complete(win, Some(rank));
        }
    }
    order_memory();
    Ok(())
}

/// `MPI_Win_flush_all` and `MPI_Win_flush_local_all`
pub fn flush_all(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    mpi.window(win)?.epoch.may_flush(None)?;
    complete_all_accesses(mpi, win)?;
    check_all(mpi, win)?;
    if are_checked() {
        check::complete(win, None);
    }
    order_memory();
    Ok(())
}

/// `MPI_Win_sync`
pub fn sync(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    mpi.window(win)?;
    if are_checked() {
        // What the program has loaded before may come from another process.
        accesses::learn();
    }
    order_memory();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_accepts_its_own_assertions_alone() {
        let allowed = abi::MPI_MODE_NOCHECK | abi::MPI_MODE_NOPUT;
        for assert in [0, abi::MPI_MODE_NOCHECK, abi::MPI_MODE_NOPUT, allowed] {
            assert!(check_assert(assert, allowed).is_ok());
        }
        let error = check_assert(allowed | abi::MPI_MODE_NOSTORE, allowed).unwrap_err();
        assert_eq!(error.class, abi::MPI_ERR_ASSERT);
        assert!(error.why.contains(&format!("{:#x}", abi::MPI_MODE_NOSTORE)), "{error:?}");
        assert!(check_assert(1 << 30, allowed).is_err());
    }
}
