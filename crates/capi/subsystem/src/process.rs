//! The connection of this process to its job.
//!
//! A process has one, and it belongs to the thread that joined. It lies in that thread's local
//! storage, so no lock is needed, and a call from another thread is an error. A call borrows the
//! connection, so a callback that calls the subsystem finds it borrowed, which is an error, too.

use crate::failure::Failure;
use crate::remote_memory::RemoteMemory;
use nemesis_sync::{AtomicBool, Ordering};
use nemesis_sys::panics;
use nemesis_wireup::{Wireup, WireupError};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use subsystem::{Backoff, BackoffStep, Endpoint, Packet, SLEEP, Sink, Tunables};

/// The connection of this process to its job.
pub struct Process {
    pub endpoint: Endpoint,
    pub backoff: Backoff,
    /// Why a process was lost, if the program has not been told yet.
    pub lost: Option<String>,
    wireup: Wireup,
    pub remote: RemoteMemory,
}

/// Whether the process has joined, or tried to.
static JOINED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static PROCESS: RefCell<Option<Process>> = const { RefCell::new(None) };
    static WHY: RefCell<CString> = RefCell::default();
}

const NOT_CONNECTED: Failure = Failure::State(
    "this thread is not connected to the job: nemesis_init has not been called, was called by \
     another thread, or nemesis_finalize has been called",
);
const IN_CALLBACK: Failure = Failure::State(
    "a callback may not call the subsystem: note what is to be done, and do it after nemesis_poll \
     or nemesis_wait has returned",
);

/// Joins the job that the launcher has started.
pub fn join() -> Result<(), Failure> {
    // Relaxed: the flag orders no other memory.
    if JOINED.swap(true, Ordering::Relaxed) {
        return Err(Failure::State(
            "nemesis_init has been called in this process before; a process joins once",
        ));
    }
    let tunables = Tunables::from_environment().map_err(|invalid| {
        Failure::Join(WireupError::new("reading the environment", invalid, "unsetting it"))
    })?;
    let mut wireup = Wireup::connect().map_err(Failure::Join)?;
    let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(Failure::Join)?;
    panics::report_as(format!("process {}", endpoint.me()));
    let remote = RemoteMemory::new(endpoint.take_memory());
    PROCESS.set(Some(Process {
        endpoint,
        backoff: Backoff::default(),
        lost: None,
        wireup,
        remote,
    }));
    Ok(())
}

/// Leaves the job.
pub fn leave() -> Result<(), Failure> {
    let mut process = PROCESS.with(|process| {
        process.try_borrow_mut().map_err(|_| IN_CALLBACK)?.take().ok_or(NOT_CONNECTED)
    })?;
    process.endpoint.deliver_all(&mut DropPackets);
    process.wireup.finalize().map_err(|error| Failure::Launcher(error.to_string()))
}

/// Runs `call` with this thread's connection.
#[inline(always)]
pub fn with<T>(call: impl FnOnce(&mut Process) -> Result<T, Failure>) -> Result<T, Failure> {
    PROCESS.with(|process| {
        let mut process = process.try_borrow_mut().map_err(|_| IN_CALLBACK)?;
        call(process.as_mut().ok_or(NOT_CONNECTED)?)
    })
}

/// Drops packets that arrive while the process leaves.
struct DropPackets;

impl Sink for DropPackets {
    fn packet(&mut self, _packet: Packet<'_>) {}
}

impl Process {
    /// Waits for a moment after a poll that found nothing, as the backoff says.
    pub fn pause(&mut self) -> Result<(), Failure> {
        match self.endpoint.advise(&mut self.backoff) {
            BackoffStep::Poll => {}
            // Packets of registered memory wait to be sent, and no process wakes this one when they
            // can be.
            _ if !self.remote.registered.is_idle() => subsystem::yield_now(),
            BackoffStep::Yield => subsystem::yield_now(),
            BackoffStep::Sleep => {
                if let Some(asleep) = self.endpoint.prepare_sleep() {
                    asleep.sleep(SLEEP);
                }
                if self.wireup.launcher_is_gone() {
                    return Err(Failure::Launcher(
                        "the launcher has ended, so the job cannot go on".into(),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Stores the text of a failure for [`why`].
#[cold]
pub fn set_why(failure: &Failure) {
    // Texts of the environment may contain any byte, but a C string ends at the first zero.
    WHY.set(CString::new(failure.words().replace('\0', " ")).unwrap_or_default());
}

/// Returns the text of this thread's last failure. Valid until the next one.
pub fn why() -> *const c_char {
    WHY.with_borrow(|words| words.as_ptr())
}
