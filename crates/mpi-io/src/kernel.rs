//! What the state report says of this process while the kernel works on a file for it.
//!
//! A process inside the kernel answers no launcher, so it stores beforehand which call of MPI it is
//! in and on which file (`nemesis_shm::kernel_call`). If several threads are in such calls, the
//! first one is told. A transfer in the worker needs none of this: a rank that waits for it
//! answers.

use crate::engine::Engine;
use crate::engine::upper::{State, UpperState};
use nemesis::KernelCall;
use nemesis_sys::file::File;

/// What the stored text is about: the addresses of the call's name and of the open file.
type Subject = (usize, usize);

/// The state of this process's kernel call.
#[derive(Debug)]
struct Told {
    /// `None` before the first call, and after a call that opens, closes or deletes: another file
    /// may then have the address.
    subject: Option<Subject>,
    /// A thread is in a call that is told.
    busy: bool,
}

static TOLD: UpperState<Told> = UpperState::new();

impl State for Told {
    const INITIAL: Told = Told { subject: None, busy: false };
}

/// A call of the kernel that is told, or one that is not.
#[must_use]
pub(crate) struct Entered(Option<&'static KernelCall>);

/// Stores that the kernel begins to work on an open file for the function `call`. `name` is called
/// if the last text was about something else.
pub(crate) fn enter(
    engine: &mut Engine,
    call: &'static str,
    file: &File,
    name: impl FnOnce(&Engine) -> String,
) -> Entered {
    begin(engine, call, Some((call.as_ptr().addr(), std::ptr::from_ref(file).addr())), name)
}

/// Runs `act`, in which the kernel works on an open file, with this name, for the function `call`.
pub(crate) fn during<R>(
    engine: &mut Engine,
    (call, name): (&'static str, &str),
    file: &File,
    act: impl FnOnce() -> R,
) -> R {
    let entered = enter(engine, call, file, |_| name.to_owned());
    let outcome = act();
    leave(engine, entered);
    outcome
}

/// Stores that the kernel begins to open, close or delete a file.
pub(crate) fn enter_by_name(engine: &mut Engine, call: &'static str, name: &str) -> Entered {
    begin(engine, call, None, |_| name.to_owned())
}

#[inline]
fn begin(
    engine: &mut Engine,
    call: &str,
    subject: Option<Subject>,
    name: impl FnOnce(&Engine) -> String,
) -> Entered {
    let Some(endpoint) = &engine.pt2pt.endpoint else { return Entered(None) };
    let place = endpoint.kernel_call();
    let told = TOLD.get_mut(&mut engine.pt2pt.core.token);
    let is_known = subject.is_some() && told.subject == subject;
    if told.busy {
        // The file may be gone when the text is compared next.
        told.subject = told.subject.filter(|_| subject.is_some());
        return Entered(None);
    }
    *told = Told { subject, busy: true };
    if !is_known {
        describe(place, call, &name(engine));
    }
    place.begin();
    Entered(Some(place))
}

#[cold]
fn describe(place: &KernelCall, call: &str, name: &str) {
    place.describe(&format!("{call} of {name:?}"));
}

/// Stores that the call has ended.
#[inline]
pub(crate) fn leave(engine: &mut Engine, entered: Entered) {
    if let Some(place) = entered.0 {
        place.end();
        TOLD.get_mut(&mut engine.pt2pt.core.token).busy = false;
    }
}
