//! Contiguous memory of the program, for the fast paths: address and length, without a datatype.
//!
//! A [`Contiguous`] is a [`Buffer`] reduced to address and length; the promises B1
//! and B2 hold for it, too.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use nemesis_shm::long_packet::LongPacket;

use crate::buffer::Buffer;
use crate::datatype::Datatype;
use crate::datatype::basic::predefined_contiguous_size;

/// `MPI_BYTE` in the standard ABI.
const BYTE: usize = 0x247;

/// A contiguous range of the program's memory, less than 4 GiB long, for which B1 and B2 of
/// [`Buffer`] hold.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub struct Contiguous {
    address: usize,
    len: u32,
}

// A posted receive keeps one in a cache line with all its other fields.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Contiguous>() == 12 && align_of::<Contiguous>() == 4);

/// The highest address that never holds data: `MPI_IN_PLACE` of the standard ABI. Null is below it.
pub const NO_MEMORY_MAX: usize = 1;

impl Contiguous {
    /// Describes `count` elements of the predefined type `handle`. Returns `None` unless the type
    /// is contiguous, the data are shorter than 2 GiB and the address is neither null nor
    /// `MPI_IN_PLACE`; the general path then tells these cases apart.
    ///
    /// # Safety
    /// B1 and B2 of [`Buffer`] hold for the elements.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void, count: i64, handle: usize) -> Option<Contiguous> {
        // SAFETY: the caller's promise.
        unsafe { Contiguous::within(i32::MAX as u32, address, count, handle) }
    }

    /// Describes `count` elements of a predefined type as [`new`](Contiguous::new) does, if they
    /// have at most `limit` bytes.
    ///
    /// # Safety
    /// As for [`new`](Contiguous::new).
    #[inline(always)]
    pub unsafe fn within(
        limit: u32,
        address: *const c_void,
        count: i64,
        handle: usize,
    ) -> Option<Contiguous> {
        // SAFETY: the caller's promise.
        unsafe { Contiguous::within_above(NO_MEMORY_MAX, limit, address, count, handle) }
    }

    /// Describes elements as [`within`](Contiguous::within) does, if their address is above
    /// `lowest`, which is at least [`NO_MEMORY_MAX`].
    ///
    /// # Safety
    /// As for [`new`](Contiguous::new), and `lowest` is as said.
    #[inline(always)]
    pub unsafe fn within_above(
        lowest: usize,
        limit: u32,
        address: *const c_void,
        count: i64,
        handle: usize,
    ) -> Option<Contiguous> {
        let each = predefined_contiguous_size(handle)?;
        // As an unsigned number a negative length exceeds any limit.
        let len = count.checked_mul(i64::from(each))? as u64;
        if len > u64::from(limit) || address.addr() <= lowest {
            return None;
        }
        Some(Contiguous { address: address.expose_provenance(), len: len as u32 })
    }

    /// Describes memory that lives as long as the program and that nothing else uses.
    pub fn of_static(memory: &'static mut [u8]) -> Option<Contiguous> {
        let len = u32::try_from(memory.len()).ok()?;
        Some(Contiguous { address: memory.as_mut_ptr().expose_provenance(), len })
    }

    /// Describes memory of a test.
    #[cfg(test)]
    pub(crate) fn of_bytes(memory: &mut [u8]) -> Contiguous {
        Contiguous { address: memory.as_mut_ptr().expose_provenance(), len: memory.len() as u32 }
    }

    /// Returns the length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns true if the length is 0.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the address of the first byte.
    #[inline(always)]
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// Returns the bytes for reading.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: B1: readable; not null (`new`); B2: nothing writes the bytes while they are being
        // sent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.address), self.len()) }
    }

    /// Returns the bytes for writing and reading.
    #[inline(always)]
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: B1: writable; not null (`new`); B2: nothing else touches the bytes while they are
        // being received into.
        unsafe {
            std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.address), self.len())
        }
    }

    /// Returns `len` of the bytes, from `start` on.
    ///
    /// # Panics
    /// If the part ends beyond this memory.
    #[inline(always)]
    #[must_use]
    pub fn part(&self, start: usize, len: usize) -> Contiguous {
        assert!(
            start.checked_add(len).is_some_and(|end| end <= self.len()),
            "a part lies inside its memory"
        );
        Contiguous { address: self.address + start, len: len as u32 }
    }

    /// Writes `bytes` if the memory has exactly their length.
    #[inline(always)]
    pub(crate) fn put_array<const N: usize>(&self, bytes: [u8; N]) {
        if self.len() == N {
            // SAFETY: B1: writable; not null (`new`).
            unsafe { with_exposed_provenance_mut::<[u8; N]>(self.address).write_unaligned(bytes) };
        }
    }

    /// Copies at most [`len`](Contiguous::len) bytes of `bytes` here and returns the number of
    /// bytes copied.
    #[inline(always)]
    pub fn put(&self, bytes: &[u8]) -> usize {
        let len = bytes.len().min(self.len());
        // SAFETY: B1: writable for `len`; `bytes` is shared memory of ours, or another buffer of
        // the program, which B2 keeps apart.
        unsafe {
            nemesis_shm::copy::bytes(bytes.as_ptr(), with_exposed_provenance_mut(self.address), len)
        };
        len
    }

    /// Copies all of `bytes` here. Returns false, and copies nothing, if they are longer than this
    /// memory.
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

    /// Copies a packet while its sender writes it. Returns false, and copies nothing, if it is
    /// longer than this memory.
    pub fn put_long_packet(&self, packet: &mut LongPacket) -> bool {
        if packet.len() > self.len() {
            return false;
        }
        // SAFETY: B1: writable; B2: nothing else touches the memory while it is being received
        // into.
        packet.copy_into(unsafe {
            std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.address), self.len())
        });
        !packet.is_torn()
    }

    /// Returns the memory as a buffer of `MPI_BYTE`.
    pub fn to_buffer(&self) -> Buffer {
        let byte = Datatype::predefined(BYTE).expect("MPI_BYTE is predefined");
        // SAFETY: B1 and B2 hold for this memory.
        unsafe { Buffer::new(with_exposed_provenance(self.address), i64::from(self.len), byte) }
    }
}
