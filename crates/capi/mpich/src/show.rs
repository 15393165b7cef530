//! Arguments in messages: the standard's words for this ABI's values.

use crate::convert::{FilePointer, from, to};
use nemesis_capi::errors::Call;
pub use nemesis_capi::show::{int, string};
use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
use std::ffi::{c_int, c_void};

/// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE` of this ABI.
const IGNORED: usize = 1;

pub fn address<T>(call: &mut Call, name: &str, value: *const T) {
    match (value as usize, name) {
        (IGNORED, "status") => call.argument(name, "MPI_STATUS_IGNORE"),
        (IGNORED, "array_of_statuses") => call.argument(name, "MPI_STATUSES_IGNORE"),
        (0, _) => call.argument(name, "NULL"),
        _ => nemesis_capi::show::address(call, name, value),
    }
}

pub fn buffer<T>(call: &mut Call, name: &str, value: *const T) {
    nemesis_capi::show::buffer(call, name, to::buffer(value.cast::<c_void>()));
}

pub fn file(call: &mut Call, name: &str, value: FilePointer) {
    nemesis_capi::show::file(call, name, to::file(value));
}

/// # Safety
/// `value` is null, or a variable that the program gave to the call for a handle.
pub unsafe fn out_file(call: &mut Call, name: &str, value: *mut FilePointer) {
    address(call, name, value);
    // SAFETY: the caller's promise.
    unsafe {
        nemesis_capi::show::output(call, value, from::file(File::NULL), |file| {
            to::file(file).bits()
        })
    };
}

macro_rules! converted {
    ($($show:ident)*) => {$(
        pub fn $show(call: &mut Call, name: &str, value: c_int) {
            nemesis_capi::show::$show(call, name, to::$show(value));
        }
    )*};
}

converted! { comm datatype errhandler group info keyval message op rank request session tag win }

macro_rules! outputs {
    ($($output:ident: $kind:ident $handle:ident;)*) => {$(
        /// # Safety
        /// `value` is null, or a variable that the program gave to the call for a handle.
        pub unsafe fn $output(call: &mut Call, name: &str, value: *mut c_int) {
            address(call, name, value);
            // SAFETY: the caller's promise.
            unsafe {
                nemesis_capi::show::output(call, value, from::$kind($handle::NULL), |raw| {
                    to::$kind(raw).bits()
                })
            };
        }
    )*};
}

outputs! {
    out_comm: comm Comm;
    out_datatype: datatype Datatype;
    out_errhandler: errhandler Errhandler;
    out_group: group Group;
    out_info: info Info;
    out_message: message Message;
    out_op: op Op;
    out_request: request Request;
    out_session: session Session;
    out_win: win Win;
}
