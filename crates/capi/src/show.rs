//! Arguments in error messages: a function for each kind, which adds `name=value` to the call.
//!
//! Called on the cold path only, by the closures that `binding!` builds.

#![allow(unsafe_code)]

use crate::errors::Call;
use crate::params::StringIn;
use nemesis_mpi::abi;
use nemesis_mpi::engine::enter;
use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
use std::ffi::{c_char, c_int};
use std::fmt::Display;

/// Strings longer than this are cut in messages.
const STRING_MAX_BYTES: usize = 80;

pub fn int(call: &mut Call, name: &str, value: impl Display) {
    call.argument(name, value);
}

pub fn address<T>(call: &mut Call, name: &str, value: *const T) {
    match (value as usize, name) {
        (abi::MPI_STATUS_IGNORE, "status") => call.argument(name, "MPI_STATUS_IGNORE"),
        (abi::MPI_STATUSES_IGNORE, "array_of_statuses") => {
            call.argument(name, "MPI_STATUSES_IGNORE");
        }
        (0, _) => call.argument(name, "NULL"),
        (place, _) => call.argument(name, format_args!("{place:#x}")),
    }
}

pub fn buffer<T>(call: &mut Call, name: &str, value: *const T) {
    match value as usize {
        abi::MPI_IN_PLACE => call.argument(name, "MPI_IN_PLACE"),
        abi::MPI_BUFFER_AUTOMATIC => call.argument(name, "MPI_BUFFER_AUTOMATIC"),
        _ => address(call, name, value),
    }
}

pub fn rank(call: &mut Call, name: &str, value: c_int) {
    match value {
        abi::MPI_ANY_SOURCE => call.argument(name, "MPI_ANY_SOURCE"),
        abi::MPI_PROC_NULL => call.argument(name, "MPI_PROC_NULL"),
        abi::MPI_ROOT => call.argument(name, "MPI_ROOT"),
        other => call.argument(name, other),
    }
}

pub fn tag(call: &mut Call, name: &str, value: c_int) {
    match value {
        abi::MPI_ANY_TAG => call.argument(name, "MPI_ANY_TAG"),
        other => call.argument(name, other),
    }
}

pub fn keyval(call: &mut Call, name: &str, value: c_int) {
    match value {
        abi::MPI_KEYVAL_INVALID => call.argument(name, "MPI_KEYVAL_INVALID"),
        other => call.argument(name, other),
    }
}

/// # Safety
/// `value` is null or a C string.
pub unsafe fn string(call: &mut Call, name: &str, value: *const c_char) {
    // SAFETY: the caller's promise.
    let Some(text) = (unsafe { StringIn::new(value) }).get() else {
        return call.argument(name, "NULL");
    };
    if text.len() <= STRING_MAX_BYTES {
        return call.argument(name, format_args!("{text:?}"));
    }
    let cut = (0..=STRING_MAX_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    call.argument(name, format_args!("{:?}…", &text[..cut]));
}

/// A communicator by its name, or by the call that has made it. One that is not known is its
/// handle.
pub fn comm(call: &mut Call, name: &str, value: Comm) {
    if abi::COMM_NAMES.iter().any(|(predefined, _)| *predefined == value) {
        return handle(call, name, value, abi::COMM_NAMES);
    }
    call.input(value.bits());
    match enter().ok().and_then(|mpi| mpi.shown_comm(value)) {
        Some(shown) => call.argument(name, shown),
        None => call.argument(name, format_args!("{:#x}", value.bits())),
    }
}

fn handle<H: Handle>(call: &mut Call, name: &str, value: H, names: &[(H, &str)]) {
    call.input(value.bits());
    match names.iter().find(|(predefined, _)| *predefined == value) {
        Some((_, predefined)) => call.argument(name, predefined),
        None => call.argument(name, format_args!("{:#x}", value.bits())),
    }
}

/// Makes a handle null that a call would have set, unless the variable holds a handle that the call
/// has been given: a program that writes `MPI_Comm_dup(comm, &comm)` keeps its communicator.
/// `bits` gives the bits of a handle of this ABI.
///
/// # Safety
/// `place` is null, or a variable that the program gave to the call for a handle.
pub unsafe fn output<T: Copy + 'static>(
    call: &mut Call,
    place: *mut T,
    null: T,
    bits: fn(T) -> usize,
) {
    if !place.is_null() {
        call.output(move |inputs| {
            // SAFETY: the caller's promise. The call has not returned, so the variable is there.
            if !inputs.contains(&bits(unsafe { place.read() })) {
                // SAFETY: as for the read.
                unsafe { place.write(null) };
            }
        });
    }
}

macro_rules! handles {
    ($($show:ident, $output:ident: $handle:ident, $names:ident;)*) => {$(
        pub fn $show(call: &mut Call, name: &str, value: $handle) {
            handle(call, name, value, abi::$names);
        }

        outputs! { $output: $handle }
    )*};
}

macro_rules! outputs {
    ($($output:ident: $handle:ident)*) => {$(
        /// # Safety
        /// `value` is null, or a variable that the program gave to the call for a handle.
        pub unsafe fn $output(call: &mut Call, name: &str, value: *mut $handle) {
            address(call, name, value);
            // SAFETY: the caller's promise.
            unsafe { output(call, value, $handle::NULL, $handle::bits) };
        }
    )*};
}

outputs! { out_comm: Comm }
handles! {
    datatype, out_datatype: Datatype, DATATYPE_NAMES;
    errhandler, out_errhandler: Errhandler, ERRHANDLER_NAMES;
    file, out_file: File, FILE_NAMES;
    group, out_group: Group, GROUP_NAMES;
    info, out_info: Info, INFO_NAMES;
    message, out_message: Message, MESSAGE_NAMES;
    op, out_op: Op, OP_NAMES;
    request, out_request: Request, REQUEST_NAMES;
    session, out_session: Session, SESSION_NAMES;
    win, out_win: Win, WIN_NAMES;
}

/// Defines the module `show` of an ABI that is not the standard's, by the conversions of its crate,
/// the modules `to` and `from` that are in scope. `ignored` is the ABI's `MPI_STATUS_IGNORE`, and
/// `file` and `other` are the types of its handles.
#[macro_export]
macro_rules! foreign_show {
    (ignored $ignored:expr; file $file:ty; other $raw:ty) => {
        use $crate::errors::Call;
        pub use $crate::show::{int, string};

        pub fn address<T>(call: &mut Call, name: &str, value: *const T) {
            match (value as usize, name) {
                ($ignored, "status") => call.argument(name, "MPI_STATUS_IGNORE"),
                ($ignored, "array_of_statuses") => call.argument(name, "MPI_STATUSES_IGNORE"),
                (0, _) => call.argument(name, "NULL"),
                (place, _) => call.argument(name, format_args!("{place:#x}")),
            }
        }

        pub fn buffer<T>(call: &mut Call, name: &str, value: *const T) {
            let value = to::attached(to::buffer_mut(value.cast_mut().cast()));
            $crate::show::buffer(call, name, value);
        }

        $crate::foreign_show! { @values ::std::ffi::c_int: keyval rank tag }
        $crate::foreign_show! { @values $raw:
            comm datatype errhandler group info message op request session win
        }
        $crate::foreign_show! { @values $file: file }
        $crate::foreign_show! { @outputs $raw:
            out_comm comm Comm, out_datatype datatype Datatype,
            out_errhandler errhandler Errhandler, out_group group Group, out_info info Info,
            out_message message Message, out_op op Op, out_request request Request,
            out_session session Session, out_win win Win
        }
        $crate::foreign_show! { @outputs $file: out_file file File }
    };
    (@to $kind:ident) => { to::$kind };
    (@from $kind:ident) => { from::$kind };
    (@values $type:ty: $($show:ident)*) => {$(
        pub fn $show(call: &mut Call, name: &str, value: $type) {
            $crate::show::$show(call, name, $crate::foreign_show!(@to $show)(value));
        }
    )*};
    (@outputs $type:ty: $($output:ident $kind:ident $handle:ident),*) => {$(
        /// # Safety
        /// `value` is null, or a variable that the program gave to the call for a handle.
        pub unsafe fn $output(call: &mut Call, name: &str, value: *mut $type) {
            use ::nemesis_mpi::handle::Handle;
            address(call, name, value);
            let null = $crate::foreign_show!(@from $kind)(::nemesis_mpi::handle::$handle::NULL);
            // SAFETY: the caller's promise.
            unsafe {
                $crate::show::output(call, value, null, |raw| {
                    $crate::foreign_show!(@to $kind)(raw).bits()
                })
            };
        }
    )*};
}
