//! The kinds of handles. In some ABIs each has numbers of its own.

// Each library uses some of them.
#![allow(dead_code)]

use std::ffi::c_int;

// The first three are the numbers by which the C library knows objects with attributes.
pub const COMM: c_int = 0;
pub const DATATYPE: c_int = 1;
pub const WIN: c_int = 2;
pub const ERRHANDLER: c_int = 3;
pub const FILE: c_int = 4;
pub const GROUP: c_int = 5;
pub const INFO: c_int = 6;
pub const MESSAGE: c_int = 7;
pub const OP: c_int = 8;
pub const REQUEST: c_int = 9;
pub const SESSION: c_int = 10;
