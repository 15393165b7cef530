//! Kinds of packets of one-sided communication.

use crate::protocol::kind::FIRST_UPPER;

/// The sender permits the receiver to access its window (`notice`).
pub const WINDOW_POSTED: u8 = FIRST_UPPER;
/// The sender has accessed the receiver's window.
pub const WINDOW_COMPLETED: u8 = FIRST_UPPER + 1;
/// Data for a window that the receiver may write if it polls (`am_origin`).
pub const AM_PUT: u8 = FIRST_UPPER + 2;
/// A read from a window that the receiver may carry out if it polls (`am_origin`).
pub const AM_GET: u8 = FIRST_UPPER + 3;
/// Data of many short runs for a window, as [`AM_PUT`] (`am_scatter`).
pub const AM_SCATTER: u8 = FIRST_UPPER + 4;

/// Bytes of an [`AM_PUT`] or [`AM_GET`] before its data: the number of the access, and the address.
pub const AM_FRONT_BYTES: usize = 16;
