//! Kinds of packets of one-sided communication.

use crate::protocol::kind::FIRST_UPPER;

/// The sender permits the receiver to access its window (`notice`).
pub const WINDOW_POSTED: u8 = FIRST_UPPER;
/// The sender has accessed the receiver's window.
pub const WINDOW_COMPLETED: u8 = FIRST_UPPER + 1;
/// An access to a window that the receiver carries out (`remote::packet`).
pub const ACCESS_ASK: u8 = FIRST_UPPER + 2;
/// More data of such an access.
pub const ACCESS_DATA: u8 = FIRST_UPPER + 3;
/// The result of such an access.
pub const ACCESS_RESULT: u8 = FIRST_UPPER + 4;
/// Accesses up to this one are done.
pub const ACCESS_DONE: u8 = FIRST_UPPER + 5;
/// An access is refused.
pub const ACCESS_REFUSED: u8 = FIRST_UPPER + 6;
/// Data for a window that the receiver may write if it polls (`am_origin`).
pub const AM_PUT: u8 = FIRST_UPPER + 7;
/// A read from a window that the receiver may carry out if it polls (`am_origin`).
pub const AM_GET: u8 = FIRST_UPPER + 8;

/// Bytes of an [`AM_PUT`] or [`AM_GET`] before its data: the number of the access, and the address.
pub const AM_FRONT_BYTES: usize = 16;
