//! Contiguous runs of bytes of the user's: what a message of a predefined type is, on the path where every instruction counts.
//!
//! A [`Contiguous`] is a [`Buffer`](crate::Buffer) reduced to address and length; the same promises B1 and B2 hold for it.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use nemesis_shm::long_packet::LongPacket;

use crate::basic::predefined_contiguous_size;
use crate::buffer::Buffer;
use crate::datatype::Datatype;

/// `MPI_BYTE` in the standard ABI.
const BYTE: usize = 0x247;

/// Bytes one after the other, valid as B1 and B2 say.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub struct Contiguous {
    address: usize,
    len: u32,
}

// A posted receive keeps one in a cache line with all else that it is.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Contiguous>() == 12 && align_of::<Contiguous>() == 4);

impl Contiguous {
    /// `count` elements of the predefined type `handle`, if that is a dense one, they are less than 2 GiB, and the address is not null. `None` sends
    /// the caller to the path that tells the cases apart.
    ///
    /// # Safety
    /// B1 and B2 of [`Buffer`], for the elements told.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void, count: i64, handle: usize) -> Option<Contiguous> {
        // SAFETY: the caller's promise.
        unsafe { Contiguous::within(i32::MAX as u32, address, count, handle) }
    }

    /// The same for at most `limit` bytes.
    ///
    /// # Safety
    /// As [`new`](Contiguous::new).
    #[inline(always)]
    pub unsafe fn within(
        limit: u32,
        address: *const c_void,
        count: i64,
        handle: usize,
    ) -> Option<Contiguous> {
        let each = predefined_contiguous_size(handle)?;
        // A negative number is greater than any limit.
        let len = count.checked_mul(i64::from(each))? as u64;
        if len > u64::from(limit) || address.is_null() {
            return None;
        }
        Some(Contiguous { address: address.expose_provenance(), len: len as u32 })
    }

    /// Memory that is there for good, and nobody else's.
    pub fn of_static(memory: &'static mut [u8]) -> Option<Contiguous> {
        let len = u32::try_from(memory.len()).ok()?;
        Some(Contiguous { address: memory.as_mut_ptr().expose_provenance(), len })
    }

    /// Memory of a test's.
    #[cfg(test)]
    pub(crate) fn of_bytes(memory: &mut [u8]) -> Contiguous {
        Contiguous { address: memory.as_mut_ptr().expose_provenance(), len: memory.len() as u32 }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// The bytes, to be read.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: B1: readable; not null (`new`); B2: nobody writes them while they are being sent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.address), self.len()) }
    }

    /// The bytes, to be written and read.
    #[inline(always)]
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: B1: writable; not null (`new`); B2: nobody else touches them while they are being received into.
        unsafe {
            std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.address), self.len())
        }
    }

    /// `len` of the bytes, from `start` on.
    ///
    /// # Panics
    /// If that goes past the end.
    #[inline(always)]
    #[must_use]
    pub fn part(&self, start: usize, len: usize) -> Contiguous {
        assert!(
            start.checked_add(len).is_some_and(|end| end <= self.len()),
            "a part lies inside its memory"
        );
        Contiguous { address: self.address + start, len: len as u32 }
    }

    /// Takes in `bytes` if it has as many.
    #[inline(always)]
    pub(crate) fn put_array<const N: usize>(&self, bytes: [u8; N]) {
        if self.len() == N {
            // SAFETY: B1: writable; not null (`new`).
            unsafe { with_exposed_provenance_mut::<[u8; N]>(self.address).write_unaligned(bytes) };
        }
    }

    /// Takes in as much of `bytes` as there is room for; returns how much.
    #[inline(always)]
    pub fn put(&self, bytes: &[u8]) -> usize {
        let len = bytes.len().min(self.len());
        // SAFETY: B1: writable for `len`; `bytes` is shared memory of ours, or another buffer of the user's, which B2 keeps apart.
        unsafe {
            nemesis_shm::copy::bytes(bytes.as_ptr(), with_exposed_provenance_mut(self.address), len)
        };
        len
    }

    /// Takes in all of `bytes` if there is room for it.
    #[inline(always)]
    pub fn put_whole(&self, bytes: &[u8]) -> bool {
        if bytes.len() > self.len() {
            return false;
        }
        // SAFETY: as in `put`.
        unsafe {
            nemesis_shm::copy::bytes(
                bytes.as_ptr(),
                with_exposed_provenance_mut(self.address),
                bytes.len(),
            )
        };
        true
    }

    /// Takes in a packet as it is written, if there is room for it.
    pub fn put_long_packet(&self, packet: &mut LongPacket) -> bool {
        if packet.len() > self.len() {
            return false;
        }
        // SAFETY: B1: writable; B2: nobody else touches it while it is being received into.
        packet.copy_into(unsafe {
            std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.address), self.len())
        });
        true
    }

    /// The same bytes as a buffer of `MPI_BYTE`.
    pub fn to_buffer(&self) -> Buffer {
        let byte = Datatype::predefined(BYTE).expect("MPI_BYTE is predefined");
        // SAFETY: B1 and B2 hold for the same memory.
        unsafe { Buffer::new(with_exposed_provenance(self.address), i64::from(self.len), byte) }
    }
}
