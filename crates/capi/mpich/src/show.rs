//! Arguments in messages: the standard's words for this ABI's values.

use crate::convert::{FilePointer, from, to};

nemesis_capi::foreign_show! { ignored 1; file FilePointer; other std::ffi::c_int }
