//! Choice buffers (MPI 5.0 §2.6.2): memory of the program that an address, a count and a datatype
//! describe.

#![allow(unsafe_code)]

use crate::staging;
use nemesis_datatype::{Buffer, Contiguous, MemoryRegion, NO_MEMORY_MAX};
use nemesis_mpi::abi;
use nemesis_mpi::attempts::Use;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Handle};
use nemesis_mpi::lanes;
use nemesis_mpi::noted;
use std::ffi::c_void;

const _: () = assert!(abi::MPI_IN_PLACE == NO_MEMORY_MAX);

/// The address of a choice buffer, `MPI_BOTTOM`, or `MPI_IN_PLACE`.
///
/// P1 says of it: the elements that a function's count and datatype describe are memory of the
/// program, which the operation may read or write until it is complete, as the standard says of the
/// parameter (invariant A1 of `nemesis_datatype`). A function describes no other elements.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UserBuffer(*const c_void);

impl UserBuffer {
    /// # Safety
    /// P1, P2 and P3 hold for a choice buffer.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void) -> UserBuffer {
        UserBuffer(address)
    }

    #[inline(always)]
    pub fn address(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn as_ptr(self) -> *const c_void {
        self.0
    }

    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    #[inline(always)]
    pub fn is_in_place(self) -> bool {
        self.0.addr() == abi::MPI_IN_PLACE
    }

    /// The buffer that begins `bytes` behind this one: a block of an array of blocks.
    #[inline]
    pub fn offset(self, bytes: isize) -> UserBuffer {
        UserBuffer(self.0.wrapping_byte_offset(bytes))
    }

    /// Returns the elements as bytes, if the datatype is predefined and contiguous, and the address
    /// is not null.
    #[inline(always)]
    pub fn contiguous(self, count: i64, datatype: Datatype) -> Option<Contiguous> {
        // SAFETY: P1.
        unsafe { Contiguous::new(self.0, count, datatype.0) }
    }

    /// Returns the elements as [`contiguous`](Self::contiguous) does, if they have at most `limit`
    /// bytes.
    #[inline(always)]
    pub fn contiguous_within(
        self,
        limit: u32,
        count: i64,
        datatype: Datatype,
    ) -> Option<Contiguous> {
        // SAFETY: P1.
        unsafe { Contiguous::within(limit, self.0, count, datatype.0) }
    }

    /// Returns the elements as [`contiguous_within`](Self::contiguous_within) does, for the first
    /// attempt of a call, which another one may follow (`engine::lanes::first_address`).
    #[inline(always)]
    pub fn contiguous_at_first(
        self,
        limit: u32,
        count: i64,
        datatype: Datatype,
    ) -> Option<Contiguous> {
        let lowest = lanes::first_address();
        // SAFETY: P1, and what `first_address` says.
        unsafe { Contiguous::within_above(lowest, limit, self.0, count, datatype.0) }
    }

    /// The buffer with its committed datatype, checked in this order: count, datatype, address.
    #[inline]
    pub fn buffer(self, mpi: &Engine, count: i64, datatype: Datatype) -> Outcome<Buffer> {
        self.buffer_for(mpi, count, datatype, Use::Any)
    }

    #[inline]
    fn buffer_for(
        self,
        mpi: &Engine,
        count: i64,
        datatype: Datatype,
        used: Use,
    ) -> Outcome<Buffer> {
        if count < 0 {
            return Err(negative_count(count));
        }
        let datatype = mpi.types.committed(datatype)?;
        if self.is_in_place() && count > 0 {
            return Err(not_in_place());
        }
        // Null is MPI_BOTTOM, for types of absolute addresses. A predefined type has no address.
        if self.is_null() && count > 0 && datatype.is_predefined() && datatype.size() > 0 {
            return Err(null_buffer(count));
        }
        if let Ok((low, high)) = datatype.span(count) {
            noted::note(self.address().wrapping_add_signed(low as isize), (high - low) as usize);
        }
        // SAFETY: P1.
        let buffer = unsafe { Buffer::new(self.0, count, datatype) };
        if nemesis_gpu::is_on() { staging::stand_in(buffer, used) } else { Ok(buffer) }
    }

    /// Returns a buffer of `len` bytes that begins where this one does, or at the copy that stands
    /// for it if it is memory of a device: the packed side of `MPI_Pack` and `MPI_Unpack`.
    pub fn packed(self, mpi: &Engine, len: usize) -> Outcome<UserBuffer> {
        if !nemesis_gpu::is_on() || len == 0 {
            return Ok(self);
        }
        let buffer = self.buffer(mpi, len as i64, abi::MPI_BYTE)?;
        Ok(UserBuffer(std::ptr::with_exposed_provenance(buffer.address())))
    }

    /// The buffer of a message or of a collective, checked as [`buffer`](Self::buffer) does. With a
    /// count of 0 the datatype may be `MPI_DATATYPE_NULL`, as in MPICH and Intel MPI; `MPI_BYTE`
    /// replaces it.
    #[inline]
    pub fn message(self, mpi: &Engine, count: i64, datatype: Datatype) -> Outcome<Buffer> {
        self.message_for(mpi, count, datatype, Use::Any)
    }

    /// The buffer of a call that [uses](Use) it in one way.
    #[inline]
    pub fn message_for(
        self,
        mpi: &Engine,
        count: i64,
        datatype: Datatype,
        used: Use,
    ) -> Outcome<Buffer> {
        self.buffer_for(mpi, count, datatype, used)
            .or_else(|error| empty(mpi, count, datatype, error))
    }

    /// The `size` bytes as the memory of a window. The size is not negative and the memory does not
    /// end behind the last address.
    pub fn area(self, size: usize) -> MemoryRegion {
        // SAFETY: P1: the memory is the program's until the window is freed or the memory detached.
        unsafe { MemoryRegion::of_program(self.0, size) }
    }

    /// The `len` bytes from `position` on: the packed side of `MPI_Unpack`.
    pub fn bytes<'a>(self, position: usize, len: usize) -> &'a [u8] {
        if len == 0 {
            return &[];
        }
        // SAFETY: P1; nobody writes them while the call reads them (P3).
        unsafe { std::slice::from_raw_parts(self.0.cast::<u8>().add(position), len) }
    }

    /// The `len` bytes from `position` on, to be written: the packed side of `MPI_Pack`.
    pub fn bytes_mut<'a>(self, position: usize, len: usize) -> &'a mut [u8] {
        if len == 0 {
            return &mut [];
        }
        // SAFETY: P1; nobody else uses them while the call writes them (P3).
        unsafe { std::slice::from_raw_parts_mut(self.0.cast_mut().cast::<u8>().add(position), len) }
    }
}

/// A buffer without elements of no type; any other buffer keeps its error.
#[cold]
fn empty(mpi: &Engine, count: i64, datatype: Datatype, error: Box<Error>) -> Outcome<Buffer> {
    if count != 0 || !datatype.is_null() {
        return Err(error);
    }
    UserBuffer(std::ptr::null()).buffer(mpi, 0, abi::MPI_BYTE)
}

#[cold]
pub(crate) fn negative_count(count: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_COUNT, format!("count is {count}, it must not be negative"))
}

#[cold]
pub(crate) fn not_in_place() -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, "MPI_IN_PLACE stands where this process needs a buffer").advise(
        "MPI_IN_PLACE replaces one of the two buffers of a collective call: mostly the send \
         buffer, in MPI_Scatter the root's receive buffer",
    )
}

#[cold]
fn null_buffer(count: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, format!("the buffer is a null pointer, and count is {count}"))
        .advise("pass the address of the data; with MPI_BOTTOM, a datatype of absolute addresses")
}
