//! Packing by hand (MPI 5.0 §5.2, §5.3).
//!
//! Packed data is the packed stream of the datatype room and nothing else, no header: so it may be sent as `MPI_PACKED` and received as
//! typed data, or the other way round, and what was packed in pieces is unpacked in any others.

use super::arguments::{buffer, negative_count};
use super::null;
use super::text::text;
use crate::types::CountOut;
use nemesis_datatype::{Buffer, external32_size, pack_external32, unpack_external32};
use nemesis_mpi::abi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::types::refused;
use std::ffi::{c_char, c_void};

/// The packed side of a call: an area of `size` bytes of which those before `position` are done.
struct Area {
    start: usize,
    size: i64,
    position: i64,
    place: CountOut,
}

impl Area {
    /// # Safety
    /// `place` is null or the caller's position.
    unsafe fn new(area: *const c_void, size: i64, place: CountOut) -> Outcome<Area> {
        if place.is_null() {
            return Err(null("position"));
        }
        // SAFETY: not null, so the caller's.
        let position = unsafe { place.read() };
        if size < 0 {
            return Err(Error::new(abi::MPI_ERR_ARG, format!("the packed area has {size} bytes")));
        }
        if position < 0 || position > size {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("position {position} does not lie in the packed area of {size} bytes"),
            ));
        }
        if area.is_null() && size > position {
            return Err(Error::new(abi::MPI_ERR_BUFFER, "the packed area is a null pointer"));
        }
        Ok(Area { start: area as usize, size, position, place })
    }

    fn rest(&self) -> usize {
        (self.size - self.position) as usize
    }

    /// Refuses when fewer than `bytes` are left.
    fn require(&self, bytes: usize) -> Outcome {
        if bytes > self.rest() {
            let why = format!(
                "{bytes} bytes do not go into the {} that the packed area has from position {} on",
                self.rest(),
                self.position
            );
            return Err(Error::new(abi::MPI_ERR_TRUNCATE, why).advise("ask MPI_Pack_size"));
        }
        Ok(())
    }

    /// The next `len` bytes.
    ///
    /// # Safety
    /// The area is the caller's to read, and `len` is at most `rest`.
    unsafe fn bytes<'a>(&self, len: usize) -> &'a [u8] {
        let address = if len == 0 {
            std::ptr::dangling()
        } else {
            std::ptr::with_exposed_provenance(self.start + self.position as usize)
        };
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(address, len) }
    }

    /// The next `len` bytes, to be written.
    ///
    /// # Safety
    /// As for [`Area::bytes`], and nobody else uses them meanwhile.
    unsafe fn bytes_mut<'a>(&self, len: usize) -> &'a mut [u8] {
        let address = if len == 0 {
            std::ptr::dangling_mut()
        } else {
            std::ptr::with_exposed_provenance_mut(self.start + self.position as usize)
        };
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(address, len) }
    }

    /// Moves the caller's position past `bytes`.
    ///
    /// # Safety
    /// The position is the caller's, as promised to `new`.
    unsafe fn advance(self, bytes: usize) -> Outcome {
        // SAFETY: the caller's promise; what was read from the place, and stays below `size`, fits into it.
        unsafe { self.place.write(self.position + bytes as i64) };
        Ok(())
    }
}

pub unsafe fn pack(
    inbuf: *const c_void,
    incount: i64,
    datatype: Datatype,
    outbuf: *mut c_void,
    outsize: i64,
    position: CountOut,
    comm: Comm,
) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    // SAFETY: the caller's arguments.
    let (source, area) = unsafe {
        (buffer(&mpi, inbuf, incount, datatype)?, Area::new(expose(outbuf), outsize, position)?)
    };
    let bytes = source.bytes();
    area.require(bytes)?;
    // SAFETY: there is room for `bytes`, and buffers of one call do not overlap.
    let packed = source.pack_at(0, unsafe { area.bytes_mut(bytes) });
    // SAFETY: the caller's position.
    unsafe { area.advance(packed) }
}

pub unsafe fn unpack(
    inbuf: *const c_void,
    insize: i64,
    position: CountOut,
    outbuf: *mut c_void,
    outcount: i64,
    datatype: Datatype,
    comm: Comm,
) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    // SAFETY: the caller's arguments.
    let (area, target) = unsafe {
        (
            Area::new(expose(inbuf.cast_mut()), insize, position)?,
            buffer(&mpi, outbuf, outcount, datatype)?,
        )
    };
    let bytes = target.bytes();
    area.require(bytes)?;
    // SAFETY: there are `bytes` more, and buffers of one call do not overlap.
    let unpacked = target.unpack_at(0, unsafe { area.bytes(bytes) });
    // SAFETY: the caller's position.
    unsafe { area.advance(unpacked) }
}

/// An address that comes back as a number.
fn expose(area: *mut c_void) -> *const c_void {
    area.expose_provenance();
    area
}

/// The bytes that `incount` elements take; the type need not be committed.
pub unsafe fn pack_size(incount: i64, datatype: Datatype, comm: Comm, size: CountOut) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    if incount < 0 {
        return Err(negative_count(incount));
    }
    let each = mpi.types.get(datatype)?.size();
    let bytes = each.checked_mul(incount).ok_or_else(|| {
        Error::new(abi::MPI_ERR_COUNT, format!("{incount} elements are more than 2^63 bytes"))
    })?;
    // SAFETY: the caller's place.
    unsafe { tell_size(size, bytes) }
}

unsafe fn tell_size(size: CountOut, bytes: i64) -> Outcome {
    if size.is_null() {
        return Err(null("size"));
    }
    // SAFETY: not null, so the caller's place.
    unsafe { size.write(bytes) };
    Ok(())
}

/// There is one portable representation.
unsafe fn require_external32(datarep: *const c_char) -> Outcome {
    // SAFETY: the caller's string.
    let name = unsafe { text(datarep, "datarep") }?;
    if name != "external32" {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("datarep is \"{name}\", and the only one is \"external32\""),
        ));
    }
    Ok(())
}

pub unsafe fn pack_external(
    datarep: *const c_char,
    inbuf: *const c_void,
    incount: i64,
    datatype: Datatype,
    outbuf: *mut c_void,
    outsize: i64,
    position: CountOut,
) -> Outcome {
    let mpi = enter()?;
    // SAFETY: the caller's string.
    unsafe { require_external32(datarep) }?;
    // SAFETY: the caller's arguments.
    let (source, area) = unsafe {
        (buffer(&mpi, inbuf, incount, datatype)?, Area::new(expose(outbuf), outsize, position)?)
    };
    area.require(external_bytes(&source)?)?;
    // SAFETY: the caller's area, from the position to the end; buffers of one call do not overlap.
    let packed =
        pack_external32(&source, unsafe { area.bytes_mut(area.rest()) }).map_err(refused)?;
    // SAFETY: the caller's position.
    unsafe { area.advance(packed) }
}

pub unsafe fn unpack_external(
    datarep: *const c_char,
    inbuf: *const c_void,
    insize: i64,
    position: CountOut,
    outbuf: *mut c_void,
    outcount: i64,
    datatype: Datatype,
) -> Outcome {
    let mpi = enter()?;
    // SAFETY: the caller's string.
    unsafe { require_external32(datarep) }?;
    // SAFETY: the caller's arguments.
    let (area, target) = unsafe {
        (
            Area::new(expose(inbuf.cast_mut()), insize, position)?,
            buffer(&mpi, outbuf, outcount, datatype)?,
        )
    };
    area.require(external_bytes(&target)?)?;
    // SAFETY: the caller's area, from the position to the end; buffers of one call do not overlap.
    let unpacked =
        unpack_external32(unsafe { area.bytes(area.rest()) }, &target).map_err(refused)?;
    // SAFETY: the caller's position.
    unsafe { area.advance(unpacked) }
}

fn external_bytes(buffer: &Buffer) -> Outcome<usize> {
    external32_size(buffer.count() as i64, buffer.datatype())
        .map(|bytes| bytes as usize)
        .map_err(refused)
}

pub unsafe fn pack_external_size(
    datarep: *const c_char,
    incount: i64,
    datatype: Datatype,
    size: CountOut,
) -> Outcome {
    let mpi = enter()?;
    // SAFETY: the caller's string.
    unsafe { require_external32(datarep) }?;
    let bytes = external32_size(incount, mpi.types.get(datatype)?).map_err(refused)?;
    // SAFETY: the caller's place.
    unsafe { tell_size(size, bytes) }
}
