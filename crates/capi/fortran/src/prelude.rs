//! The names that the generated bindings use.

#![allow(unused_imports)]

pub(crate) use crate::c;
pub(crate) use crate::error::{Owner, refuse};
pub(crate) use crate::kind::*;
pub(crate) use crate::section::deferred::{self, Deferred};
pub(crate) use crate::section::{Contiguous, Copied, Descriptor, Typed};
pub(crate) use crate::text::{TextOut, give_length, inner_text, length_for_c, text};
pub(crate) use crate::topology::{destinations, members, sources};
pub(crate) use crate::types::{
    Fint, Handles, Wide, all_from_one, finish, from_one, give, give_request, handle, logical,
    logicals,
};
pub(crate) use crate::{abi, attributes, functions, others, places, spawn, types};
pub(crate) use crate::{
    exports, exports_f08, exports_large, or_refuse, procedure, with_bases, with_sections,
};
pub use std::ffi::{c_char, c_int, c_void};
