//! Arguments in messages: the standard's words for this ABI's values.

use crate::convert::{FilePointer, to};
use nemesis_capi::errors::Call;
pub use nemesis_capi::show::{address, int, string};
use std::ffi::{c_int, c_void};

pub fn buffer<T>(call: &mut Call, name: &str, value: *const T) {
    nemesis_capi::show::buffer(call, name, to::buffer(value.cast::<c_void>()));
}

pub fn file(call: &mut Call, name: &str, value: FilePointer) {
    nemesis_capi::show::file(call, name, to::file(value));
}

macro_rules! converted {
    ($($show:ident)*) => {$(
        pub fn $show(call: &mut Call, name: &str, value: c_int) {
            nemesis_capi::show::$show(call, name, to::$show(value));
        }
    )*};
}

converted! { comm datatype errhandler group info keyval message op rank request session tag win }
