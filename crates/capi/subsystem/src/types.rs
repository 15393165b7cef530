//! The structures of `nemesis.h`.

use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use subsystem::{Packet, wire};

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
