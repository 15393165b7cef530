//! Error handling (MPI 5.0 §9.3): from an implementation's error to the program's error handler.
//!
//! [`fail`] composes the description, gives it a code by which `MPI_Error_string` finds it, and
//! calls the error handler of the object that the error belongs to. Under `MPI_ERRORS_ARE_FATAL`
//! and `MPI_ERRORS_ABORT` it prints
//!
//! ```text
//! nemesis: MPI_ERR_COUNT: the call cannot be done as asked
//!   what  MPI_Send(buf=0x7ffe…, count=-1, datatype=MPI_INT, dest=1, tag=0, comm=MPI_COMM_WORLD)
//!   where exchange (halo.c:112)
//!   who   rank 0 on host, pid 4711
//!   why   count is -1, it must not be negative
//!   try   …
//! ```
//!
//! and ends the job, and those jobs that the handler's clause names (`nemesis_mpi::abort`).

use nemesis_mpi::abi;
use nemesis_mpi::callback::Object;
use nemesis_mpi::errhandler::{self, Action};
use nemesis_mpi::error::{Error, ErrorClass};
use nemesis_mpi::error_codes;
use nemesis_mpi::handle::{Comm, Errhandler, File, Session, Win};
use nemesis_mpi::other_libraries;
use nemesis_mpi::process;
use nemesis_mpi::world;
use nemesis_mpi_check::sites;
use nemesis_sys::{panics, source_place};
use std::ffi::c_int;
use std::fmt::{Display, Write};

/// Makes a panic of this library a message to the user, before MPI starts.
pub fn tell_panics() {
    panics::report(process::who);
}

/// The object whose error handler hears of an error.
#[derive(Clone, Copy, Debug)]
pub enum Raise {
    Comm(Comm),
    Win(Win),
    File(File),
    Session(Session),
    /// The handler given in the call's own arguments.
    Errhandler(Errhandler),
    /// No object: the handler that [`errhandler::without_object`] chooses (MPI 5.0 §9.3).
    Default,
    /// The tool interface returns codes and calls no handler (MPI 5.0 §15.3).
    Tool,
}

/// Makes a handle null, unless its bits are among those that it gets.
type MakeNull = dyn FnOnce(&[usize]);

/// A call in the words of the program: `MPI_Send(buf=0x7ffe…, count=-1, …)`.
pub struct Call {
    text: String,
    arguments: usize,
    /// The bits of the handles that the call was given.
    inputs: Vec<usize>,
    /// What makes the handles null that the call would have set, if they are none of `inputs`.
    outputs: Vec<Box<MakeNull>>,
}

impl Call {
    fn new(function: &str) -> Call {
        Call { text: format!("{function}("), arguments: 0, inputs: Vec::new(), outputs: Vec::new() }
    }

    pub fn argument(&mut self, name: &str, value: impl Display) {
        let separator = if self.arguments > 0 { ", " } else { "" };
        self.arguments += 1;
        write!(self.text, "{separator}{name}={value}").expect("a string takes all");
    }

    /// Adds the bits of a handle that the call was given.
    pub fn input(&mut self, bits: usize) {
        self.inputs.push(bits);
    }

    /// Adds a handle that the call would have set. `make_null` gets the handles that the call was
    /// given, and makes this one null if it is none of them, because the call has failed.
    pub fn output(&mut self, make_null: impl FnOnce(&[usize]) + 'static) {
        self.outputs.push(Box::new(make_null));
    }

    /// Makes the handles null that the call would have set, and returns the call's text.
    fn finish(mut self) -> String {
        let inputs = std::mem::take(&mut self.inputs);
        self.outputs.drain(..).for_each(|make_null| make_null(&inputs));
        self.text.push(')');
        self.text
    }
}

/// Raises the error of a call and gives its code, if the handler lets the program go on. Handles
/// that the call would have set are null then.
#[cold]
#[inline(never)]
pub fn fail(
    error: Box<Error>,
    raise: Raise,
    function: &'static str,
    describe: &dyn Fn(&mut Call),
) -> c_int {
    if let Raise::Tool = raise {
        return error.class.value();
    }
    let error = other_libraries::explain(error);
    let mut call = Call::new(function);
    describe(&mut call);
    let what = call.finish();
    let raise = match (error.raise_on, error.session, raise) {
        _ if error.file.is_some() => error.file.map_or(raise, Raise::File),
        _ if error.window.is_some() => error.window.map_or(raise, Raise::Win),
        // A call on a window or file waits on a communicator of the library.
        (_, _, Raise::Win(_) | Raise::File(_)) => raise,
        (Some(comm), ..) => Raise::Comm(comm),
        (None, Some(session), Raise::Default) => Raise::Session(session),
        _ => raise,
    };
    let code_of = |class| error_codes::remember(class, error.description(&what));
    let code = error.code.unwrap_or_else(|| code_of(error.class));
    deliver(raise, error.cause.map_or(code, code_of), || report(&error, &what));
    code
}

/// Calls the handler of the object with the code; returns when the handler does.
pub fn deliver(raise: Raise, code: c_int, report: impl FnOnce() -> String) {
    let (action, object) = handler(raise);
    match action {
        Action::Return => {}
        Action::User(callback) => callback.handle_error(object, code),
        Action::Fatal | Action::Abort => {
            eprint!("{}", report());
            // The class, so that the exit code does not depend on how many errors came before.
            let status = error_codes::class_of(code).map_or(code, ErrorClass::value);
            match action {
                Action::Abort => world::end_members(object, status),
                _ => world::end_connected(status),
            }
        }
    }
}

/// What the object's handler does, and the object as a user's handler receives it. An object that
/// has no handler, since its handle is invalid, counts as none.
fn handler(raise: Raise) -> (Action, Object) {
    let object = match raise {
        Raise::Comm(comm) => Some(Object::Comm(comm)),
        Raise::Win(win) => Some(Object::Win(win)),
        Raise::File(file) => Some(Object::File(file)),
        Raise::Session(session) => Some(Object::Session(session)),
        Raise::Errhandler(_) | Raise::Default | Raise::Tool => None,
    };
    let own = object.and_then(|object| errhandler::of(object).map(|handler| (handler, object)));
    let (handler, object) = match raise {
        Raise::Errhandler(handler) => (handler, Object::Comm(abi::MPI_COMM_SELF)),
        _ => own.unwrap_or_else(|| {
            let (handler, comm) = errhandler::without_object();
            (handler, Object::Comm(comm))
        }),
    };
    (errhandler::action(handler), object)
}

fn report(error: &Error, what: &str) -> String {
    let heard = error.cause.unwrap_or(error.class);
    let class = heard.name().unwrap_or("MPI_ERR_UNKNOWN");
    format!(
        "nemesis: {class}: {}\n  what  {what}\n{}  who   {}\n  why   {}\n  try   {}\n",
        error_codes::class_text(heard),
        place(),
        process::who(),
        error.why,
        error.remedy(),
    )
}

/// Returns the line of a message that says where the call of MPI stands that this thread is in;
/// empty if that is not known. For messages that end the process: it reads files.
pub fn place() -> String {
    let place = sites::here().and_then(|site| source_place::of(&site));
    place.map(|place| format!("  where {place}\n")).unwrap_or_default()
}
