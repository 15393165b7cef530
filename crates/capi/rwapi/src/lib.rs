//! `librwapi.so`: the Remote-Write API for C (`include/rwapi.h`, which documents every function).
//!
//! There is one place among the nodes per process, and any thread may call. The first that does is taken to be the only one, and enters without a lock;
//! when another comes it is told to take the lock like everybody (`BiasedLock::share`), unless it comes alone for a while. Arguments are checked, failures
//! become numbers and words.

#![allow(unsafe_code)]

use nemesis_rwapi::{Failure, Rwapi, Small};
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks, ShortGuard};
use nemesis_sync::{AtomicBool, AtomicUsize, Ordering, this_thread};
use nemesis_sys::membarrier;
use nemesis_sys::processor::ticks;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Mutex, PoisonError};

static PLACE: BiasedLock<State> = BiasedLock::new(State::Before);
/// Whether any thread has called; held by whoever lets another one in.
static ACCEPTOR: Mutex<bool> = Mutex::new(false);
/// Any thread may enter, by the lock.
static ADMITTED: AtomicBool = AtomicBool::new(false);

enum State {
    Before,
    Joined(Box<Rwapi>),
    Left,
}

/// The thread that was the first to call; 0 before. When it has ended another may have its name, and then that one is alone.
static FIRST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static WHY: RefCell<CString> = RefCell::default();
}

const ERR_STATE: c_int = -1;

/// Whether this thread may enter by the way that is open now.
#[inline(always)]
fn is_admitted() -> bool {
    // Relaxed: only the thread itself stores its own name.
    // Acquire: pairs with the Release in `admit`.
    FIRST.load(Ordering::Relaxed) == this_thread() || ADMITTED.load(Ordering::Acquire)
}

/// Lets this thread in: the first one alone, another one beside it.
#[cold]
fn admit() {
    // A panic ends the process, so nobody meets a value that one left behind.
    let mut has_first = ACCEPTOR.lock().unwrap_or_else(PoisonError::into_inner);
    if !*has_first {
        *has_first = true;
        // Relaxed: read by others to no effect.
        FIRST.store(this_thread(), Ordering::Relaxed);
    // Relaxed: only changed under the lock that is held.
    } else if !ADMITTED.load(Ordering::Relaxed) {
        PLACE
            .share(membarrier::own_threads)
            .enable_rebias(RevocationHooks { barrier: membarrier::own_threads_only, clock: ticks });
        // Release: pairs with the Acquire in `is_admitted`.
        ADMITTED.store(true, Ordering::Release);
    }
}

fn place() -> Guard<'static, State> {
    if !is_admitted() {
        admit();
    }
    PLACE.enter().expect("nobody enters again from inside, and only the first thread enters alone")
}

#[cold]
fn remember(code: c_int, why: &str) -> c_int {
    WHY.set(CString::new(why.replace('\0', " ")).unwrap_or_default());
    code
}

#[cold]
fn failed(failure: &Failure) -> c_int {
    let code = match failure {
        Failure::Argument(_) => -2,
        Failure::Join(_) => -3,
        Failure::Launcher => -4,
        Failure::Memory(_) => -5,
        Failure::Lost(_) => -6,
    };
    remember(code, &failure.to_string())
}

/// This process's place, if it is to be had at once.
#[inline(always)]
fn open_place() -> Option<ShortGuard<'static, State>> {
    if is_admitted() { PLACE.enter_open().or_else(|| PLACE.enter_shared_open()) } else { None }
}

/// The short way of the calls that programs make most: what `call` leaves undone, and says so by `None`, is begun again by [`with`].
#[inline(always)]
fn short<T>(call: impl FnOnce(&mut Rwapi) -> Option<T>) -> Option<T> {
    match &mut *open_place()? {
        State::Joined(rwapi) => call(rwapi),
        State::Before | State::Left => None,
    }
}

/// Runs `call` with this process's place; a failure is its number.
#[inline(never)]
fn with<T: From<c_int>>(call: impl FnOnce(&mut Rwapi) -> Result<T, Failure>) -> T {
    if let Some(mut place) = open_place()
        && let State::Joined(rwapi) = &mut *place
    {
        return call(rwapi).unwrap_or_else(|failure| failed(&failure).into());
    }
    match &mut *place() {
        State::Joined(rwapi) => call(rwapi).unwrap_or_else(|failure| failed(&failure).into()),
        State::Before => remember(ERR_STATE, "rwapi_init has not been called").into(),
        State::Left => remember(ERR_STATE, "rwapi_finalize has been called").into(),
    }
}

fn null(name: &str) -> Failure {
    Failure::Argument(format!("{name} is NULL"))
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_init(_argc: c_int, _argv: *mut *mut c_char) -> c_int {
    let mut place = place();
    if !matches!(*place, State::Before) {
        return remember(
            ERR_STATE,
            "rwapi_init has been called in this process before; a process joins once",
        );
    }
    match Rwapi::join() {
        Ok(rwapi) => {
            *place = State::Joined(Box::new(rwapi));
            place.set_open(true);
            0
        }
        Err(failure) => failed(&failure),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_finalize() -> c_int {
    let mut place = place();
    place.set_open(false);
    match std::mem::replace(&mut *place, State::Left) {
        State::Joined(rwapi) => rwapi.leave().map_or_else(|failure| failed(&failure), |()| 0),
        State::Left => remember(ERR_STATE, "rwapi_finalize has been called before"),
        State::Before => {
            *place = State::Before;
            remember(ERR_STATE, "rwapi_init has not been called")
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_rank() -> c_int {
    with(|rwapi| Ok(rwapi.rank() as c_int))
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_size() -> c_int {
    with(|rwapi| Ok(rwapi.size() as c_int))
}

/// # Safety
/// `net` is null or a place for a network address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rwapi_alloc(size: usize, net: *mut u64) -> *mut c_void {
    let mut base = std::ptr::null_mut();
    with(|rwapi| {
        if net.is_null() {
            return Err(null("the place of the network address"));
        }
        let (address, offset) = rwapi.alloc(size)?;
        // SAFETY: not null, so the caller's place.
        unsafe { net.write(offset) };
        base = std::ptr::with_exposed_provenance_mut(address);
        Ok(0)
    });
    base
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_free(block: *mut c_void) -> c_int {
    with(|rwapi| rwapi.free(block as usize).map(|()| 0))
}

/// `small`, which C passes by value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CSmall {
    words: [u64; 2],
}

const _: () = assert!(size_of::<CSmall>() == nemesis_rwapi::SMALL_BYTES);

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_send(node: c_int, message: CSmall) -> c_int {
    // SAFETY: the message's bytes, of which every value is one; as many as the assertion above says.
    let small = unsafe { &*(&raw const message).cast::<Small>() };
    if short(|rwapi| rwapi.send_fast(node.into(), small).then_some(())).is_some() {
        return 0;
    }
    with(move |rwapi| rwapi.send(node.into(), small).map(|()| 0))
}

/// # Safety
/// `node` and `message` are null or places for a node and a small message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rwapi_receive(node: *mut c_int, message: *mut Small) -> c_int {
    if node.is_null() || message.is_null() {
        return with(|_| Err(null("the place of the node or of the message")));
    }
    let (origin, small) = match short(Rwapi::receive_fast) {
        Some(Some(received)) => received,
        Some(None) => return 0,
        None => match receive_slowly() {
            Ok(Some(received)) => received,
            Ok(None) => return 0,
            Err(code) => return code,
        },
    };
    // SAFETY: not null, so the caller's places.
    unsafe { node.write(origin as c_int) };
    // SAFETY: as above.
    unsafe { message.write(small) };
    1
}

#[inline(never)]
fn receive_slowly() -> Result<Option<(u32, Small)>, c_int> {
    let mut received = None;
    let code = with(|rwapi| {
        received = rwapi.receive();
        Ok(0)
    });
    if code < 0 { Err(code) } else { Ok(received) }
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_write(node: c_int, local: u64, remote: u64, size: usize) -> i64 {
    if let Some(write) = short(|rwapi| rwapi.write_fast(node.into(), local, remote, size)) {
        return write as i64;
    }
    with(move |rwapi| rwapi.write(node.into(), local, remote, size).map(|write| write as i64))
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_issent(sid: i64) -> c_int {
    with(|rwapi| rwapi.is_sent(sid).map(c_int::from))
}

#[unsafe(no_mangle)]
pub extern "C" fn rwapi_why() -> *const c_char {
    WHY.with_borrow(|words| words.as_ptr())
}
