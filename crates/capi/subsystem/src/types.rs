//! The structures and parameters of `nemesis.h`.

#![allow(unsafe_code)]

use crate::failure::{Failure, argument};
use nemesis_params::Library;
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use subsystem::{Packet, Span, wire};

/// The library of these functions: a null pointer where a value must be is an invalid argument.
pub struct Subsystem;

impl Library for Subsystem {
    type Error = Failure;

    #[cold]
    fn null(name: &'static str) -> Failure {
        argument(format!("{name} is NULL"))
    }
}

pub type In<'a, T> = nemesis_params::In<'a, T, Subsystem>;
pub type InSlice<'a, T> = nemesis_params::InSlice<'a, T, Subsystem>;
pub type Out<'a, T> = nemesis_params::Out<'a, T, Subsystem>;

/// `nemesis_header`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Header {
    pub context: u64,
    pub tag: i32,
    pub rank: u32,
    pub kind: u8,
    pub flags: u8,
}

/// `nemesis_packet`, a packet that has arrived.
#[derive(Debug)]
#[repr(C)]
pub struct Incoming {
    pub header: Header,
    pub origin: u32,
    pub bytes: u32,
    pub payload: *const c_void,
}

/// `nemesis_take`
pub type Take = unsafe extern "C" fn(packet: *const Incoming, context: *mut c_void) -> c_int;

/// The function of the program that takes packets, with its context.
#[derive(Clone, Copy)]
pub struct PacketCallback {
    take: Option<Take>,
    context: *mut c_void,
}

impl PacketCallback {
    /// # Safety
    /// `take` is null or a function of that type, which accepts `context`.
    pub unsafe fn new(take: Option<Take>, context: *mut c_void) -> PacketCallback {
        PacketCallback { take, context }
    }

    /// Checks that there is a function.
    pub fn require(self) -> Result<PacketCallback, Failure> {
        self.take.ok_or_else(|| Subsystem::null("take"))?;
        Ok(self)
    }

    /// Hands over a packet. Returns whether the program wants more.
    #[inline(always)]
    pub fn take(&self, packet: &Packet<'_>) -> bool {
        let incoming = Incoming::of(packet);
        // SAFETY: the promise to `new`. The packet lives until the function returns.
        self.take.is_none_or(|take| unsafe { take(&incoming, self.context) } != 0)
    }
}

/// Memory of the program: an address and a length of an argument list, or a `nemesis_piece`. The
/// program promises that it is readable, and writable if it is written to, until the last use of
/// the span.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Local {
    address: *const c_void,
    bytes: usize,
}

const _: () = assert!(size_of::<Local>() == 16);

impl Local {
    /// # Safety
    /// The program's promise about such memory.
    pub unsafe fn new(address: *const c_void, bytes: usize) -> Local {
        Local { address, bytes }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Checks that there is an address, if there are bytes.
    pub fn check(&self) -> Result<(), Failure> {
        if self.address.is_null() && self.bytes > 0 {
            let bytes = self.bytes;
            let why = format!("the local address is NULL, and {bytes} bytes are to be copied");
            return Err(argument(why));
        }
        Ok(())
    }

    /// Returns the memory.
    pub fn span(&self) -> Result<Span, Failure> {
        self.check()?;
        // SAFETY: the program's promise about such memory is R1.
        Ok(unsafe { Span::of_program(self.address.cast(), self.bytes) })
    }
}

/// The counter of an operation, a variable of the program.
#[derive(Debug)]
pub struct Counter(*mut c_int);

impl Counter {
    /// # Safety
    /// `counter` is null or a variable that stays valid while it is above zero.
    pub unsafe fn new(counter: *mut c_int) -> Counter {
        Counter(counter)
    }

    /// Checks that there is a variable.
    pub fn require(self) -> Result<Counter, Failure> {
        if self.0.is_null() { Err(Subsystem::null("counter")) } else { Ok(self) }
    }

    /// Sets the counter, for the first time to a number above zero.
    pub fn set(&self, value: c_int) {
        if !self.0.is_null() {
            // SAFETY: not null, and the program keeps the counter valid while it is above zero.
            unsafe { self.0.write_volatile(value) };
        }
    }
}

// The layout that C compilers give nemesis.h on 64-bit platforms.
const _: () = assert!(
    size_of::<Header>() == 24 && offset_of!(Header, kind) == 16 && offset_of!(Header, flags) == 17
);
const _: () = assert!(
    size_of::<Incoming>() == 40
        && offset_of!(Incoming, origin) == 24
        && offset_of!(Incoming, payload) == 32
);
// NEMESIS_PACKET_MAX and NEMESIS_KIND_FIRST.
const _: () = assert!(subsystem::PACKET_MAX_BYTES == 16344 && wire::FIRST_CLIENT_KIND == 16);

impl Header {
    /// Returns the header as it travels. The endpoint fills in sequence number and size.
    #[inline(always)]
    pub fn packet(&self) -> wire::Header {
        let Header { context, tag, rank, kind, flags } = *self;
        wire::Header { context, tag, rank, kind, flags, ..wire::Header::default() }
    }
}

impl Incoming {
    /// Describes a packet to C.
    #[inline(always)]
    pub fn of(packet: &Packet<'_>) -> Incoming {
        let wire::Header { context, tag, rank, kind, flags, .. } = packet.header;
        Incoming {
            header: Header { context, tag, rank, kind, flags },
            origin: packet.origin,
            bytes: packet.payload.len() as u32,
            payload: packet.payload.as_ptr().cast(),
        }
    }
}
