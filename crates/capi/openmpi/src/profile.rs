//! What `libnemesis_profiler.so` asks this library.

use crate::convert::to;
use nemesis_capi::c_functions;
use nemesis_capi::profile::{AWAITED, COMM_MEMBER, Object, TYPE_BYTES, WINDOW_MEMBER, answer};
use std::ffi::c_int;
use std::ptr::with_exposed_provenance_mut;

c_functions! {
    /// Answers a question of `nemesis_capi::profile` about an object and a rank or process.
    ///
    fn nemesis_profile_query(question: c_int, handle: usize, index: usize) -> u64 {
        let handle = with_exposed_provenance_mut(handle);
        let object = match question {
            COMM_MEMBER => Object::Comm(to::comm(handle)),
            WINDOW_MEMBER => Object::Win(to::win(handle)),
            TYPE_BYTES => Object::Datatype(to::datatype(handle)),
            AWAITED => Object::Request(to::request(handle)),
            _ => Object::None,
        };
        answer(question, object, index)
    }
}
