//! Arguments in messages: the standard's words for this ABI's values.

use crate::convert::{from, to};
use crate::object::RawHandle;

nemesis_capi::foreign_show! { ignored 0; file RawHandle; other RawHandle }
