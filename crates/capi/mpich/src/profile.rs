//! What `libnemesis_profiler.so` asks this library.

use crate::convert::to;
use nemesis_capi::c_functions;
use nemesis_capi::profile::{AWAITED, COMM_MEMBER, Object, TYPE_BYTES, WINDOW_MEMBER, answer};
use std::ffi::c_int;

c_functions! {
    /// Answers a question of `nemesis_capi::profile` about an object and a rank or process.
    ///
    fn nemesis_profile_query(question: c_int, handle: usize, index: usize) -> u64 {
        // A handle of MPICH's ABI is an int; the upper half of the word has no meaning.
        let number = handle as c_int;
        let object = match question {
            COMM_MEMBER => Object::Comm(to::comm(number)),
            WINDOW_MEMBER => Object::Win(to::win(number)),
            TYPE_BYTES => Object::Datatype(to::datatype(number)),
            AWAITED => Object::Request(to::request(number)),
            _ => Object::None,
        };
        answer(question, object, index)
    }
}
