//! The engine's lock, and the ways to enter MPI.

use super::{Engine, lanes};
use crate::abi;
use crate::error::{Error, Outcome};
use crate::lifecycle::Stage;
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks, ShortGuard};
use nemesis_sync::guarded::Token;
use nemesis_sys::{membarrier, per_process, virtual_process};
use std::mem::offset_of;
use std::sync::{Mutex, PoisonError};

per_process! {
    /// The engine of a process. That of the system's process lies at a constant address, so that
    /// the fast paths find it without asking. In a simulation it is busy for ever: every call finds
    /// it closed, and then enters the engine of the virtual process.
    static ENGINE: BiasedLock<Engine> = BiasedLock::new(Engine::new());
}

/// Returns the address of the token in the first engine, which gives access to the upper layers'
/// states in their statics. Every other engine's token owns the states itself.
pub(super) const fn token_address() -> *const Token {
    let engine = ENGINE.own().as_ptr().cast_const();
    engine.wrapping_byte_add(offset_of!(Engine, pt2pt.core.token)).cast()
}

/// Closes the engine of the system's process for ever, so that all calls of this process reach the
/// engines of virtual processes. Returns false if a call is inside it, or a thread has shared it.
pub fn close_for_simulation() -> bool {
    let first = ENGINE.own();
    let entered = if first.is_shared() { None } else { first.enter() };
    lanes::close_for_simulation();
    entered.map(std::mem::forget).is_some()
}

/// Ends the engine of the virtual process that runs: drops all that it owns.
pub fn end_virtual() {
    if let Some(mut guard) = ENGINE.of_current().and_then(BiasedLock::enter) {
        *guard = Engine::new();
    }
    lanes::end_virtual();
}

/// Returns the address of the engine of the present virtual process. A simulation may look there
/// when the process will not run again, whatever it was in when it paused.
pub fn address_of_virtual() -> Option<*const Engine> {
    ENGINE.of_current().map(|engine| engine.as_ptr().cast_const())
}

/// Enters the engine of the virtual process that runs, after the first engine was found busy.
#[cold]
fn enter_virtual() -> Outcome<Mpi> {
    let Some(engine) = ENGINE.of_current() else { return Err(concurrent_entry()) };
    if engine.is_shared() {
        virtual_process::preempt();
    }
    engine.enter().map(|guard| Mpi { guard }).ok_or_else(concurrent_entry)
}

/// Exclusive access to the engine.
pub struct Mpi {
    pub(super) guard: Guard<'static, Engine>,
}

impl std::ops::Deref for Mpi {
    type Target = Engine;
    #[inline(always)]
    fn deref(&self) -> &Engine {
        &self.guard
    }
}

impl std::ops::DerefMut for Mpi {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.guard
    }
}

/// Enters the engine in passing: see [`BiasedLock::enter_in_passing`]. If a process calls from one
/// thread at a time, the caller is that thread.
pub(super) fn enter_first_in_passing(insist: bool) -> Option<Guard<'static, Engine>> {
    let first = &*ENGINE;
    if first.is_shared() { first.enter_in_passing(insist) } else { first.enter() }
}

/// Enters MPI for a call that is valid at any time, also before initialisation and after
/// finalization (MPI 5.0 §11.4.1).
#[inline]
pub fn enter_any() -> Outcome<Mpi> {
    match ENGINE.own().enter() {
        Some(guard) => Ok(Mpi { guard }),
        None => enter_virtual(),
    }
}

/// Enters MPI for a call that requires MPI to be initialised and not finalized.
#[inline(always)]
pub fn enter() -> Outcome<Mpi> {
    match ENGINE.own().enter() {
        Some(guard) => guard.life.check_running().map(|()| Mpi { guard }),
        None => enter_running_virtual(),
    }
}

/// Enters as [`enter`] does, after the first engine was found busy.
#[cold]
#[inline(never)]
fn enter_running_virtual() -> Outcome<Mpi> {
    let mpi = enter_virtual()?;
    mpi.life.check_running()?;
    Ok(mpi)
}

/// Enters as [`enter`] does and makes progress. For calls that may return without waiting, and that
/// a program may call for a long time without calling any other.
#[inline]
pub fn enter_and_progress() -> Outcome<Mpi> {
    let mut mpi = enter()?;
    mpi.progress();
    Ok(mpi)
}

/// Fast path of [`enter`] for a library initialised for one thread at a time: one comparison.
/// Returns `None` if the fast path is closed.
#[inline(always)]
pub fn enter_alone() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.own().enter_open()
}

/// Fast path of [`enter`] for the thread towards which the lock is biased. Returns `None` if the
/// lock is not biased towards the caller, or if the fast path is closed.
#[inline(always)]
pub fn enter_biased() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.own().enter_biased()
}

/// Fast path of [`enter`]: one comparison, or the lock alone if threads may enter concurrently.
/// Returns `None` if the fast path is closed; [`enter`] then reports the reason.
#[inline(always)]
pub fn enter_open() -> Option<ShortGuard<'static, Engine>> {
    if let Some(guard) = ENGINE.own().enter_open() {
        return Some(guard);
    }
    ENGINE.own().enter_shared_open()
}

/// Waits until the thread that is inside leaves, and enters by the fast path of the shared lock.
/// For callers whose [`enter_open`] found another thread inside.
#[inline]
pub fn await_shared_open() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.own().await_shared_open()
}

#[cold]
fn concurrent_entry() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        "another thread is inside MPI, and the library was initialised for one thread at a time",
    )
    .advise("call MPI_Init_thread with MPI_THREAD_MULTIPLE")
}

/// Allows any thread to enter at any time. The calling thread must not be inside; the function
/// waits for another thread that is. With `first`, the lock is biased towards the calling thread,
/// which then pays for no lock until another thread enters; later the lock rebiases by itself.
pub fn admit_all_threads(first: bool) {
    let mut guard = admit();
    if first {
        guard.bias();
    }
}

/// Allows any thread to enter at any time, whether MPI runs or not. The calling thread must not be
/// inside, another one may be: until the lock is shared, only that thread may use it, be it only to
/// look at the mode.
pub fn share() {
    let mut mpi = Mpi { guard: admit() };
    if mpi.life.stage != Stage::Running {
        mpi.guard.bias();
    }
    mpi.update_thread_mode();
}

/// Shares the lock and enters. Waits for a thread that is inside, and for one that does the same.
fn admit() -> Guard<'static, Engine> {
    static ADMISSION: Mutex<()> = Mutex::new(());
    let _one = ADMISSION.lock().unwrap_or_else(PoisonError::into_inner);
    let mut guard = ENGINE.share(membarrier::own_threads);
    enable_rebias(&mut guard);
    guard
}

/// Lets the lock of a lane be biased to a thread. Not in a simulation, whose threads all have the
/// number of one thread of the system.
pub(super) fn enable_rebias(guard: &mut Guard<'static, Engine>) {
    if virtual_process::current().is_none() {
        guard.enable_rebias(RevocationHooks {
            barrier: membarrier::own_threads_only,
            clock: nemesis_sys::processor::ticks,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{ENGINE, enter_alone, share};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn sharing_waits_for_a_short_call_of_the_thread_that_is_alone() {
        ENGINE.enter().expect("no thread is inside").set_open(true);
        let inside = enter_alone().expect("the lock is open to the thread that is alone");
        let (shared, is_shared) = mpsc::channel();
        let other = thread::spawn(move || {
            share();
            shared.send(()).expect("the test waits for it");
        });
        assert!(is_shared.recv_timeout(Duration::from_millis(200)).is_err(), "two are inside");
        drop(inside);
        is_shared.recv().expect("the other thread has shared the lock");
        other.join().unwrap();
    }
}
