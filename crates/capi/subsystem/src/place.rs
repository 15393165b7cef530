//! This process's place in the job.
//!
//! There is one per process, and it belongs to the thread that joined: it lies in that thread's own storage, so that another thread finds none and is
//! told so, and no lock is on the way. While a call is under way the place is borrowed; a callback that calls the subsystem finds it
//! borrowed and is told so.

use crate::memory::Reach;
use nemesis_sync::{AtomicBool, Ordering};
use nemesis_wireup::{Wireup, WireupError};
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use subsystem::{Backoff, BackoffStep, Endpoint, Packet, SLEEP, Sink, Tunables};

pub struct Place {
    pub endpoint: Endpoint,
    pub backoff: Backoff,
    /// How a process was lost that the program has not been told of.
    pub lost: Option<String>,
    wireup: Wireup,
    pub reach: Reach,
}

/// What failed. Its number is one of `nemesis.h`.
#[derive(Debug)]
pub enum Failure {
    State(&'static str),
    Argument(String),
    Join(WireupError),
    Launcher(String),
    Lost(String),
    Memory(String),
}

impl Failure {
    pub fn code(&self) -> c_int {
        match self {
            Failure::State(_) => -1,
            Failure::Argument(_) => -2,
            Failure::Join(_) => -3,
            Failure::Launcher(_) => -4,
            Failure::Lost(_) => -5,
            Failure::Memory(_) => -6,
        }
    }

    fn words(&self) -> String {
        match self {
            Failure::State(why) => (*why).to_owned(),
            Failure::Argument(why)
            | Failure::Launcher(why)
            | Failure::Lost(why)
            | Failure::Memory(why) => why.clone(),
            Failure::Join(error) => error.to_string(),
        }
    }
}

static JOINED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
    static WHY: RefCell<CString> = RefCell::default();
}

const ABSENT: Failure = Failure::State(
    "this thread has no place in the job: nemesis_init has not been called, was called by another thread, or nemesis_finalize has been called",
);
const INSIDE: Failure = Failure::State(
    "a callback may not call the subsystem: note what is to be done, and do it when nemesis_poll or nemesis_wait has returned",
);

/// Finds the launcher and the others, and takes a place among them.
pub fn join() -> Result<(), Failure> {
    // Relaxed: nothing but the flag itself is decided by it.
    if JOINED.swap(true, Ordering::Relaxed) {
        return Err(Failure::State(
            "nemesis_init has been called in this process before; a process joins once",
        ));
    }
    let tunables = Tunables::from_environment().map_err(|senseless| {
        Failure::Join(WireupError::new("reading the environment", senseless, "unsetting it"))
    })?;
    let mut wireup = Wireup::connect().map_err(Failure::Join)?;
    let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(Failure::Join)?;
    name_the_dead(endpoint.me());
    let reach = Reach::new(endpoint.take_memory());
    PLACE.set(Some(Place { endpoint, backoff: Backoff::default(), lost: None, wireup, reach }));
    Ok(())
}

pub fn leave() -> Result<(), Failure> {
    let mut place =
        PLACE.with(|place| place.try_borrow_mut().map_err(|_| INSIDE)?.take().ok_or(ABSENT))?;
    place.endpoint.settle(&mut Nobody);
    place.wireup.finalize().map_err(|error| Failure::Launcher(error.to_string()))
}

/// Runs `call` with this thread's place.
#[inline(always)]
pub fn with<T>(call: impl FnOnce(&mut Place) -> Result<T, Failure>) -> Result<T, Failure> {
    PLACE.with(|place| {
        let mut place = place.try_borrow_mut().map_err(|_| INSIDE)?;
        call(place.as_mut().ok_or(ABSENT)?)
    })
}

/// Takes what comes when nobody listens any more.
struct Nobody;

impl Sink for Nobody {
    fn packet(&mut self, _packet: Packet<'_>) {}
}

impl Place {
    /// After a poll that found nothing: what patience advises.
    pub fn pause(&mut self) -> Result<(), Failure> {
        match self.endpoint.advise(&mut self.backoff) {
            BackoffStep::Poll => {}
            // Something waits for room: nobody rings when there is some.
            _ if !self.reach.registered.is_idle() => subsystem::yield_now(),
            BackoffStep::Yield => subsystem::yield_now(),
            BackoffStep::Sleep => {
                if let Some(asleep) = self.endpoint.prepare_sleep() {
                    asleep.sleep(SLEEP);
                }
                if self.wireup.launcher_is_gone() {
                    return Err(Failure::Launcher(
                        "the launcher is gone, so the job has no future".into(),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Keeps a failure's words for [`why`].
#[cold]
pub fn remember(failure: &Failure) {
    // Texts of the environment may have anything in them, but C's texts end at the first zero.
    WHY.set(CString::new(failure.words().replace('\0', " ")).unwrap_or_default());
}

/// The words of this thread's last failure. They lie still until the next one.
pub fn why() -> *const c_char {
    WHY.with_borrow(|words| words.as_ptr())
}

/// A panic, which ends the process, says whose it is.
fn name_the_dead(me: u32) {
    let comm_cache = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        eprintln!(
            "nemesis: process {me}, pid {}, ends: an internal error, or a callback that did not return:",
            std::process::id()
        );
        comm_cache(panic);
    }));
}
