//! What every function does: it calls the next function of its name, and counts.

use crate::caller;
use crate::data::{Data, Passed};
use crate::library::{Library, TRANSPORT, UNEXPECTED_BYTES, library, settle};
use crate::peers::{self, Kind};
use crate::slot::{Slot, slot};
use crate::{gather, sessions, started};
use nemesis_profile::layout::{class_of, head};
use std::cell::Cell;
use std::ffi::c_int;

/// Makes the functions that count, each under its two names: Fortran's procedures and some programs
/// call the second one. An argument is a word: a number in a register or on the stack, which passes
/// through unchanged.
macro_rules! wrapped {
    ($($mpi:ident $pmpi:ident($($word:ident)*) $place:literal, $data:expr;)*) => {$(
        wrapped!(@function $mpi($($word)*) $place, $data);
        wrapped!(@function $pmpi($($word)*) $place, $data);
    )*};
    (@function $name:ident($($word:ident)*) $place:literal, $data:expr) => {
        const _: () = {
            /// # Safety
            /// The arguments are what the MPI standard asks of this function's caller.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            #[allow(unused_variables)]
            pub unsafe extern "C" fn $name($($word: usize),*) -> std::ffi::c_int {
                $crate::caller::note_caller!(counted)
            }

            unsafe extern "C" fn counted($($word: usize),*) -> std::ffi::c_int {
                let caller = $crate::caller::address();
                static NEXT: $crate::library::Next = $crate::library::Next::new(
                    $crate::library::name(concat!(stringify!($name), "\0")),
                );
                type Function =
                    unsafe extern "C" fn($(wrapped!(@word $word)),*) -> std::ffi::c_int;
                // SAFETY: the address is that of the function of this name. All ABIs pass each of
                // its arguments in a register or in a word of the stack, as this function has got
                // them.
                let next: Function = unsafe { std::mem::transmute(NEXT.get()) };
                let words = [$($word),*];
                // SAFETY: the caller's promise.
                $crate::wrap::call($place, $data, caller, &words, &|| unsafe { next($($word),*) })
            }
        };
    };
    (@word $word:ident) => { usize };
}
pub(crate) use wrapped;

thread_local! {
    /// Whether this thread is inside a call, which a function of the program may call again.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls the function `next` with the arguments `words`, and counts the call, which returns to the
/// address `caller`.
pub fn call(
    place: usize,
    data: Data,
    caller: usize,
    words: &[usize],
    next: &dyn Fn() -> c_int,
) -> c_int {
    if let Data::Begin | Data::Session = data {
        settle();
    }
    let Some(slot) = slot() else {
        let code = next();
        match data {
            Data::Begin if code == 0 => gather::begin(words),
            Data::Session if code == 0 => sessions::begin(words),
            _ => {}
        }
        return code;
    };
    if INSIDE.replace(true) {
        return next();
    }
    let passed = library().map(|library| Passed { library, words });
    let awaited = passed.as_ref().map_or_else(Vec::new, |passed| passed.awaited(data));
    let peer = match awaited[..] {
        [process] => Some(process),
        _ => passed.as_ref().and_then(|passed| peer_of(passed, data)),
    };
    let requests = passed.as_ref().map_or_else(Vec::new, |passed| requests_of(passed, data));
    if let (Data::End, Some(passed)) = (data, &passed) {
        slot.look(slot.now(), true, || passed.library.query(UNEXPECTED_BYTES, 0, 0));
        if !slot.is_launchers {
            gather::gather(slot, passed.library);
        }
    }
    if let Data::Session = data {
        slot.admit_sessions();
    }
    let site = slot.site(place, caller::of_program(caller));
    slot.set(head::SITE, site.map_or(0, |site| site as u64));
    let began = slot.now();
    slot.set(head::PEER, peer.map_or(0, |peer| u64::from(peer) + 1));
    slot.set(head::CALL_BEGAN, began);
    slot.set(head::CALL, place as u64 + 1);
    let code = next();
    let ended = slot.now();
    slot.set(head::CALL, 0);
    let bytes = match passed {
        Some(passed) if code == 0 => finish(slot, &passed, data, peer, &requests),
        _ => None,
    };
    let sent = if matches!(data, Data::Receive { .. }) { 0 } else { bytes.unwrap_or(0) };
    let ns = ended.saturating_sub(began);
    slot.count(place, bytes.map_or(0, class_of), ns, sent);
    slot.count_site(site, ns, sent);
    if let (Some(peer), Data::Send { .. } | Data::Receive { .. }) = (peer, data) {
        slot.name(peer, ns);
    }
    // Of several processes it is not known which one came last. Over many calls the late one has
    // the largest sum.
    awaited.iter().for_each(|&process| slot.name(process, ns / awaited.len() as u64));
    slot.record(place, [began, ended], peer, sent);
    slot.set(head::SEEN, ended);
    match data {
        Data::End if code == 0 => slot.finish(ended),
        Data::Begin if code == 0 => slot.admit_threads(words),
        _ => {}
    }
    INSIDE.set(false);
    code
}

/// Returns the process with which a call communicates, if it is one.
fn peer_of(passed: &Passed<'_>, data: Data) -> Option<u32> {
    match data {
        Data::Send { peer, object, .. }
        | Data::Receive { peer, object, .. }
        | Data::Init { peer, object, .. } => passed.peer(Kind::Comm, object, peer),
        Data::Access { peer, object, .. } => passed.peer(Kind::Window, object, peer),
        _ => None,
    }
}

/// Returns the requests that a call starts or frees. Their handles may be gone after the call.
fn requests_of(passed: &Passed<'_>, data: Data) -> Vec<usize> {
    match data {
        Data::Start | Data::Free if passed.words[0] != 0 => vec![passed.handle(0, 0)],
        Data::Startall if passed.words[1] != 0 => {
            let count = (passed.words[0] as c_int).max(0) as u64;
            (0..count).map(|at| passed.handle(1, at)).collect()
        }
        _ => Vec::new(),
    }
}

/// Counts the messages of a call that has succeeded, and does what else follows from it. Returns
/// the bytes of its data, or `None` if it has no data.
fn finish(
    slot: &Slot,
    passed: &Passed<'_>,
    data: Data,
    peer: Option<u32>,
    requests: &[usize],
) -> Option<u64> {
    let library = passed.library;
    if !matches!(data, Data::Begin | Data::Session | Data::End) {
        slot.look(slot.get(head::CALL_BEGAN), false, || library.query(UNEXPECTED_BYTES, 0, 0));
    }
    match data {
        Data::Send { count, datatype, wide, .. } | Data::Access { count, datatype, wide, .. } => {
            // Nothing goes to MPI_PROC_NULL.
            let bytes = peer.map_or(0, |_| passed.bytes(count, datatype, wide));
            peer.into_iter().for_each(|peer| message(slot, library, peer, bytes));
            Some(bytes)
        }
        Data::Receive { count, datatype, wide, .. } => Some(passed.bytes(count, datatype, wide)),
        Data::Collective { .. } => Some(passed.contributed(data)),
        Data::Init { count, datatype, wide, request, partitions, .. } => {
            let parts = partitions.map_or(1, |place| (passed.words[place] as c_int).max(0) as u64);
            if let Some(peer) = peer {
                let bytes = parts * passed.bytes(count, datatype, wide);
                started::made(passed.handle(request, 0), peer, bytes);
            }
            None
        }
        Data::Start | Data::Startall => {
            let messages = requests.iter().filter_map(|&request| started::message(request));
            messages.fold(None, |sum, (process, bytes)| {
                message(slot, library, process, bytes);
                Some(sum.unwrap_or(0) + bytes)
            })
        }
        Data::Free => {
            requests.iter().for_each(|&request| started::freed(request));
            None
        }
        Data::Forget => {
            peers::forget();
            None
        }
        Data::Nothing | Data::Wait | Data::Waits | Data::Begin | Data::Session | Data::End => None,
    }
}

/// Counts a message or an access to a process.
fn message(slot: &Slot, library: &Library, process: u32, bytes: u64) {
    slot.message(process, bytes, || library.query(TRANSPORT, 0, process as usize));
}
