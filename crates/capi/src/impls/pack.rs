//! Packing by hand (MPI 5.0 §5.2, §5.3).
//!
//! Packed data is the packed stream of `nemesis_datatype` without a header. So it may be sent as
//! `MPI_PACKED` and received as typed data or the other way round, and pieces may be packed and
//! unpacked in different lengths.

use super::arguments::negative_count;
use crate::params::{CountInOut, CountOut, CountRef, StringIn, UserBuffer, not_in_place};
use nemesis_datatype::{Buffer, external32_size, pack_external32, unpack_external32};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::types::refused;

/// The packed side of a call: `size` bytes, of which those before `position` are done.
struct Area<'a> {
    start: UserBuffer,
    size: i64,
    position: i64,
    place: CountRef<'a>,
}

impl<'a> Area<'a> {
    fn new(mpi: &Engine, start: UserBuffer, size: i64, place: CountInOut<'a>) -> Outcome<Area<'a>> {
        let place = place.require("position")?;
        let position = place.read();
        if size < 0 {
            return Err(Error::new(abi::MPI_ERR_ARG, format!("the packed area has {size} bytes")));
        }
        if position < 0 || position > size {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("position {position} does not lie in the packed area of {size} bytes"),
            ));
        }
        if start.is_in_place() && size > position {
            return Err(not_in_place());
        }
        if start.is_null() && size > position {
            return Err(Error::new(abi::MPI_ERR_BUFFER, "the packed area is a null pointer"));
        }
        let start = start.packed(mpi, size as usize)?;
        Ok(Area { start, size, position, place })
    }

    fn rest(&self) -> usize {
        (self.size - self.position) as usize
    }

    /// Checks that `bytes` more fit.
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

    /// The next `len` bytes, of which the area has that many.
    fn bytes(&self, len: usize) -> &[u8] {
        self.start.bytes(self.position as usize, len)
    }

    /// The next `len` bytes, to be written.
    fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        self.start.bytes_mut(self.position as usize, len)
    }

    /// Moves the program's position past `bytes`. The sum fits, because it is at most `size`.
    fn advance(self, bytes: usize) -> Outcome {
        self.place.write(self.position + bytes as i64);
        Ok(())
    }
}

pub fn pack(
    inbuf: UserBuffer,
    incount: i64,
    datatype: Datatype,
    outbuf: UserBuffer,
    outsize: i64,
    position: CountInOut<'_>,
    comm: Comm,
) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    let (source, mut area) =
        (inbuf.buffer(&mpi, incount, datatype)?, Area::new(&mpi, outbuf, outsize, position)?);
    let bytes = source.bytes();
    area.require(bytes)?;
    let packed = source.pack_at(0, area.bytes_mut(bytes));
    area.advance(packed)
}

pub fn unpack(
    inbuf: UserBuffer,
    insize: i64,
    position: CountInOut<'_>,
    outbuf: UserBuffer,
    outcount: i64,
    datatype: Datatype,
    comm: Comm,
) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    let (area, target) =
        (Area::new(&mpi, inbuf, insize, position)?, outbuf.buffer(&mpi, outcount, datatype)?);
    let bytes = target.bytes();
    area.require(bytes)?;
    let unpacked = target.unpack_at(0, area.bytes(bytes));
    area.advance(unpacked)
}

/// Tells how many bytes `incount` elements take. The type need not be committed.
pub fn pack_size(incount: i64, datatype: Datatype, comm: Comm, size: CountOut<'_>) -> Outcome {
    let mpi = enter()?;
    mpi.comm(comm)?;
    if incount < 0 {
        return Err(negative_count(incount));
    }
    let each = mpi.types.get(datatype)?.size();
    let bytes = each.checked_mul(incount).ok_or_else(|| {
        Error::new(abi::MPI_ERR_COUNT, format!("{incount} elements are more than 2^63 bytes"))
    })?;
    size.put("size", bytes)
}

/// Checks the name of the portable representation, of which there is one.
fn require_external32(datarep: StringIn<'_>) -> Outcome {
    let name = datarep.require("datarep")?;
    if name != "external32" {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("datarep is \"{name}\", and the only one is \"external32\""),
        ));
    }
    Ok(())
}

pub fn pack_external(
    datarep: StringIn<'_>,
    inbuf: UserBuffer,
    incount: i64,
    datatype: Datatype,
    outbuf: UserBuffer,
    outsize: i64,
    position: CountInOut<'_>,
) -> Outcome {
    let mpi = enter()?;
    require_external32(datarep)?;
    let (source, mut area) =
        (inbuf.buffer(&mpi, incount, datatype)?, Area::new(&mpi, outbuf, outsize, position)?);
    area.require(external_bytes(&source)?)?;
    let packed = pack_external32(&source, {
        let rest = area.rest();
        area.bytes_mut(rest)
    })
    .map_err(refused)?;
    area.advance(packed)
}

pub fn unpack_external(
    datarep: StringIn<'_>,
    inbuf: UserBuffer,
    insize: i64,
    position: CountInOut<'_>,
    outbuf: UserBuffer,
    outcount: i64,
    datatype: Datatype,
) -> Outcome {
    let mpi = enter()?;
    require_external32(datarep)?;
    let (area, target) =
        (Area::new(&mpi, inbuf, insize, position)?, outbuf.buffer(&mpi, outcount, datatype)?);
    area.require(external_bytes(&target)?)?;
    let unpacked = unpack_external32(area.bytes(area.rest()), &target).map_err(refused)?;
    area.advance(unpacked)
}

fn external_bytes(buffer: &Buffer) -> Outcome<usize> {
    external32_size(buffer.count() as i64, buffer.datatype())
        .map(|bytes| bytes as usize)
        .map_err(refused)
}

pub fn pack_external_size(
    datarep: StringIn<'_>,
    incount: i64,
    datatype: Datatype,
    size: CountOut<'_>,
) -> Outcome {
    let mpi = enter()?;
    require_external32(datarep)?;
    let bytes = external32_size(incount, mpi.types.get(datatype)?).map_err(refused)?;
    size.put("size", bytes)
}
