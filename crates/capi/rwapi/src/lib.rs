//! `librwapi.so`: the Remote-Write API for C (`include/rwapi.h`, which documents every function).
//!
//! A process has one connection to the other nodes, and any thread may call. The first thread that
//! calls is taken to be the only one, and enters without a lock. When another thread calls, both
//! use the lock ([`BiasedLock::share`]), which becomes biased again when one thread calls alone for
//! a while. The functions check their arguments, and turn failures into numbers and words.

#![allow(unsafe_code)]

use nemesis_params::{Library, c_functions};
use nemesis_rwapi::{Failure, Rwapi, Small};
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks, ShortGuard};
use nemesis_sync::{AtomicBool, AtomicUsize, Ordering, this_thread};
use nemesis_sys::processor::ticks;
use nemesis_sys::{membarrier, panics};
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// The connection of this process.
static STATE: BiasedLock<State> = BiasedLock::new(State::Before);
/// Whether any thread has called. Locked while a thread is admitted.
static ADMISSION: Mutex<bool> = Mutex::new(false);
/// Whether any thread may enter, by the lock.
static SHARED: AtomicBool = AtomicBool::new(false);

/// State of the connection.
enum State {
    Before,
    Joined(Box<Rwapi>),
    Left,
}

/// Identifier of the thread that called first; 0 before. After it has ended, another thread may
/// have its identifier, and then no third one calls.
static FIRST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Text of this thread's last failure.
    static WHY: RefCell<CString> = RefCell::default();
}

const ERR_STATE: c_int = -1;

/// Returns whether this thread may enter.
#[inline(always)]
fn may_enter() -> bool {
    // Relaxed: only the thread itself stores its own identifier.
    // Acquire: pairs with the Release in `admit`.
    FIRST.load(Ordering::Relaxed) == this_thread() || SHARED.load(Ordering::Acquire)
}

/// Admits this thread: the first one without the lock, a further one by making all use the lock.
#[cold]
fn admit() {
    // A panic ends the process, so no thread sees a value that a panic left behind.
    let mut has_first = ADMISSION.lock().unwrap_or_else(PoisonError::into_inner);
    if !*has_first {
        *has_first = true;
        // Relaxed: another thread that reads it compares it with its own identifier only.
        FIRST.store(this_thread(), Ordering::Relaxed);
    // Relaxed: changed only under the lock that is held.
    } else if !SHARED.load(Ordering::Relaxed) {
        STATE
            .share(membarrier::own_threads)
            .enable_rebias(RevocationHooks { barrier: membarrier::own_threads_only, clock: ticks });
        // Release: pairs with the Acquire in `may_enter`.
        SHARED.store(true, Ordering::Release);
    }
}

/// Enters, and waits for the lock if necessary.
fn enter() -> Guard<'static, State> {
    if !may_enter() {
        admit();
    }
    STATE.enter().expect("no call enters twice, and only the first thread enters without the lock")
}

/// Stores the text of a failure for `rwapi_why`, and returns its number.
#[cold]
fn set_why(code: c_int, why: &str) -> c_int {
    WHY.set(CString::new(why.replace('\0', " ")).unwrap_or_default());
    code
}

/// Stores a failure for `rwapi_why`, and returns its number.
#[cold]
fn failed(failure: &Failure) -> c_int {
    let code = match failure {
        Failure::Argument(_) => -2,
        Failure::Join(_) => -3,
        Failure::Launcher => -4,
        Failure::Memory(_) => -5,
        Failure::Lost(_) => -6,
    };
    set_why(code, &failure.to_string())
}

/// Enters if that is possible at once and the process has joined.
#[inline(always)]
fn try_enter() -> Option<ShortGuard<'static, State>> {
    if may_enter() { STATE.enter_open().or_else(|| STATE.enter_shared_open()) } else { None }
}

/// Fast path of the most frequent calls. If `call` returns `None`, it has had no effect, and the
/// caller continues by [`with`].
#[inline(always)]
fn fast<T>(call: impl FnOnce(&mut Rwapi) -> Option<T>) -> Option<T> {
    match &mut *try_enter()? {
        State::Joined(rwapi) => call(rwapi),
        State::Before | State::Left => None,
    }
}

/// Runs `call` with the connection of this process. Turns a failure into its number.
#[inline(never)]
fn with<T: From<c_int>>(call: impl FnOnce(&mut Rwapi) -> Result<T, Failure>) -> T {
    if let Some(mut state) = try_enter()
        && let State::Joined(rwapi) = &mut *state
    {
        return call(rwapi).unwrap_or_else(|failure| failed(&failure).into());
    }
    match &mut *enter() {
        State::Joined(rwapi) => call(rwapi).unwrap_or_else(|failure| failed(&failure).into()),
        State::Before => set_why(ERR_STATE, "rwapi_init has not been called").into(),
        State::Left => set_why(ERR_STATE, "rwapi_finalize has been called").into(),
    }
}

/// The library of these functions: a null pointer where a value must be is an invalid argument.
struct RemoteWrite;

impl Library for RemoteWrite {
    type Error = Failure;

    #[cold]
    fn null(name: &'static str) -> Failure {
        Failure::Argument(format!("{name} is NULL"))
    }
}

type Out<'a, T> = nemesis_params::Out<'a, T, RemoteWrite>;

/// `small`, which C passes by value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CSmall {
    words: [u64; 2],
}

const _: () = assert!(size_of::<CSmall>() == nemesis_rwapi::SMALL_BYTES);

impl CSmall {
    fn small(&self) -> &Small {
        // SAFETY: the message is initialised, every byte is valid, and its length is that of
        // `Small` (the assertion above).
        unsafe { &*std::ptr::from_ref(self).cast::<Small>() }
    }
}

c_functions! {
    fn rwapi_init(_argc: c_int, _argv: *mut *mut c_char) -> c_int {
        init()
    }

    fn rwapi_finalize() -> c_int {
        finalize()
    }

    fn rwapi_rank() -> c_int {
        with(|rwapi| Ok(rwapi.rank() as c_int))
    }

    fn rwapi_size() -> c_int {
        with(|rwapi| Ok(rwapi.size() as c_int))
    }

    fn rwapi_alloc(size: usize, net: *mut u64) -> *mut c_void
    where net: Out::new(net) => {
        alloc(size, net)
    }

    fn rwapi_free(block: *mut c_void) -> c_int {
        with(|rwapi| rwapi.free(block as usize).map(|()| 0))
    }

    fn rwapi_send(node: c_int, message: CSmall) -> c_int {
        if fast(|rwapi| rwapi.send_fast(node.into(), message.small()).then_some(())).is_some() {
            return 0;
        }
        with(move |rwapi| rwapi.send(node.into(), message.small()).map(|()| 0))
    }

    fn rwapi_receive(node: *mut c_int, message: *mut Small) -> c_int
    where node: Out::new(node), message: Out::new(message) => {
        receive(node, message)
    }

    fn rwapi_write(node: c_int, local: u64, remote: u64, size: usize) -> i64 {
        if let Some(write) = fast(|rwapi| rwapi.write_fast(node.into(), local, remote, size)) {
            return write as i64;
        }
        with(move |rwapi| rwapi.write(node.into(), local, remote, size).map(|write| write as i64))
    }

    fn rwapi_issent(sid: i64) -> c_int {
        with(|rwapi| rwapi.is_sent(sid).map(c_int::from))
    }

    fn rwapi_why() -> *const c_char {
        WHY.with_borrow(|words| words.as_ptr())
    }
}

fn init() -> c_int {
    let mut state = enter();
    if !matches!(*state, State::Before) {
        return set_why(
            ERR_STATE,
            "rwapi_init has been called in this process before; a process joins once",
        );
    }
    match Rwapi::join() {
        Ok(rwapi) => {
            panics::report_as(format!("process {}", rwapi.rank()));
            *state = State::Joined(Box::new(rwapi));
            state.set_open(true);
            0
        }
        Err(failure) => failed(&failure),
    }
}

fn finalize() -> c_int {
    let mut state = enter();
    state.set_open(false);
    match std::mem::replace(&mut *state, State::Left) {
        State::Joined(rwapi) => rwapi.leave().map_or_else(|failure| failed(&failure), |()| 0),
        State::Left => set_why(ERR_STATE, "rwapi_finalize has been called before"),
        State::Before => {
            *state = State::Before;
            set_why(ERR_STATE, "rwapi_init has not been called")
        }
    }
}

fn alloc(size: usize, net: Out<'_, u64>) -> *mut c_void {
    let mut base = std::ptr::null_mut();
    with(|rwapi| {
        let net = net.require("address")?;
        let (address, offset) = rwapi.alloc(size)?;
        net.write(offset);
        base = std::ptr::with_exposed_provenance_mut(address);
        Ok(0)
    });
    base
}

#[inline(always)]
fn receive(node: Out<'_, c_int>, message: Out<'_, Small>) -> c_int {
    let (Some(node), Some(message)) = (node.get(), message.get()) else {
        return with(|_| Err(RemoteWrite::null("from or message")));
    };
    let (origin, small) = match fast(Rwapi::receive_fast) {
        Some(Some(received)) => received,
        Some(None) => return 0,
        None => match receive_slow() {
            Ok(Some(received)) => received,
            Ok(None) => return 0,
            Err(code) => return code,
        },
    };
    node.write(origin as c_int);
    message.write(small);
    1
}

#[inline(never)]
fn receive_slow() -> Result<Option<(u32, Small)>, c_int> {
    let mut received = None;
    let code = with(|rwapi| {
        received = rwapi.receive();
        Ok(0)
    });
    if code < 0 { Err(code) } else { Ok(received) }
}
