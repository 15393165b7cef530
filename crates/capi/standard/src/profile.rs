//! What `libnemesis_profiler.so` asks this library.

use crate::prelude::*;
use nemesis_capi::c_functions;
use nemesis_capi::profile::{AWAITED, COMM_MEMBER, Object, TYPE_BYTES, WINDOW_MEMBER, answer};

c_functions! {
    /// Answers a question of `nemesis_capi::profile` about an object and a rank or process.
    ///
    fn nemesis_profile_query(question: c_int, handle: usize, index: usize) -> u64 {
        let object = match question {
            COMM_MEMBER => Object::Comm(Comm(handle)),
            WINDOW_MEMBER => Object::Win(Win(handle)),
            TYPE_BYTES => Object::Datatype(Datatype(handle)),
            AWAITED => Object::Request(Request(handle)),
            _ => Object::None,
        };
        answer(question, object, index)
    }
}
