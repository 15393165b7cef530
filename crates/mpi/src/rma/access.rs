//! Put and get (MPI 5.0 §12.3.1, §12.3.2).

use super::am_origin;
use super::remote::Verb;
use super::remote::origin::{Access, Data, begin};
use super::window::{Opened, Reach, Spot, Target, am_request, check_bytes, open};
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis::Memory;
use nemesis::memory::Remote;
use nemesis_datatype::{Area, Buffer, Dense, Distant};

/// Data with holes goes to another process's memory through a window of so many bytes: a few of them fit a second-level cache.
const PACKED_BYTES: usize = 256 << 10;

/// Where `MPI_Put` and `MPI_Get` find memory that is mapped already, in an epoch that permits it: the area and the offset in it. `None` says nothing about the
/// reason; the other way tells.
#[inline(always)]
fn find_near(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
) -> Option<(&Area, usize)> {
    let window = engine.windows.get_mut(win).ok()?;
    let exposed = window.exposed.get(rank as usize)?;
    let Reach::Near(area) = &exposed.reach else { return None };
    let offset = usize::try_from(disp).ok()?.checked_mul(exposed.disp_unit as usize)?;
    window.epoch.permits_access(rank as u32).then_some((area, offset))
}

/// Puts dense data as [`put`] would, if all is as it mostly is.
#[inline(always)]
pub fn put_dense(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
    origin: &Dense,
) -> bool {
    find_near(engine, win, rank, disp).is_some_and(|(area, offset)| area.put_dense(offset, origin))
}

/// Gets dense data as [`get`] would, if all is as it mostly is.
#[inline(always)]
pub fn get_dense(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
    origin: &Dense,
) -> bool {
    find_near(engine, win, rank, disp).is_some_and(|(area, offset)| area.get_dense(offset, origin))
}

/// `MPI_Put`. If a request is `wanted` and the access is under way still, its handle.
pub fn put(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    if let Some(am_request) = am_request(mpi, win, target)? {
        check_bytes(origin.bytes(), target.bytes())?;
        let access = Access {
            verb: Verb::Put,
            op: abi::MPI_OP_NULL,
            target,
            grain: 1,
            data: Data::Program(origin.clone()),
            result: None,
        };
        return begin(mpi, &am_request, access, wanted);
    }
    if am_origin::put(mpi, win, origin, target)? {
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(origin.bytes())?;
    match &opened.spot {
        Spot::Near { place, .. } => place.put(origin),
        Spot::Far { process, distant } => put_far(&opened, *process, distant, origin)?,
    }
    Ok(None)
}

/// `MPI_Get`. As [`put`].
pub fn get(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    if let Some(am_request) = am_request(mpi, win, target)? {
        check_bytes(origin.bytes(), target.bytes())?;
        let access = Access {
            verb: Verb::Get,
            op: abi::MPI_OP_NULL,
            target,
            grain: 1,
            data: Data::Nothing,
            result: Some(origin.clone()),
        };
        return begin(mpi, &am_request, access, wanted);
    }
    if am_origin::get(mpi, win, origin, target)? {
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(origin.bytes())?;
    match &opened.spot {
        Spot::Near { place, .. } => place.get(origin),
        Spot::Far { process, distant } => get_far(&opened, *process, distant, origin)?,
    }
    Ok(None)
}

fn put_far(opened: &Opened<'_>, process: u32, distant: &Distant, origin: &Buffer) -> Outcome {
    if let Some(bytes) = origin.as_bytes() {
        return write(opened.memory, process, distant, 0, bytes);
    }
    let mut packed = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = origin.pack_at(done, &mut packed);
        write(opened.memory, process, distant, done, &packed[..length])?;
        done += length;
    }
    Ok(())
}

fn get_far(opened: &Opened<'_>, process: u32, distant: &Distant, origin: &Buffer) -> Outcome {
    let mut origin = origin.clone();
    if let Some(bytes) = origin.as_bytes_mut() {
        return read(opened.memory, process, distant, 0, bytes);
    }
    let mut packed = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = packed.len().min(origin.bytes() - done);
        read(opened.memory, process, distant, done, &mut packed[..length])?;
        origin.unpack_at(done, &packed[..length]);
        done += length;
    }
    Ok(())
}

fn pieces(distant: &Distant, from: usize) -> impl Iterator<Item = Remote> {
    distant.runs(from).map(|run| (run.address as u64, run.len))
}

/// Writes packed bytes to their places from byte `from` of the stream on.
pub(super) fn write(
    memory: &Memory,
    process: u32,
    distant: &Distant,
    from: usize,
    bytes: &[u8],
) -> Outcome {
    if bytes.is_empty() {
        return Ok(());
    }
    memory
        .write(process, pieces(distant, from), bytes)
        .map_err(|errno| refused("written", process, errno))
}

/// Reads packed bytes from their places from byte `from` of the stream on.
pub(super) fn read(
    memory: &Memory,
    process: u32,
    distant: &Distant,
    from: usize,
    into: &mut [u8],
) -> Outcome {
    if into.is_empty() {
        return Ok(());
    }
    memory
        .read(process, pieces(distant, from), into)
        .map_err(|errno| refused("read", process, errno))
}

/// Whether a process still has the memory, and its life.
#[cold]
pub(super) fn check_memory(memory: &Memory, process: u32, address: u64) -> Outcome {
    let tried = memory.read(process, std::iter::once((address, 1)), &mut [0]);
    tried.map_err(|errno| refused("accessed", process, errno))
}

#[cold]
fn refused(what: &str, process: u32, why: impl std::fmt::Display) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("memory of process {process} cannot be {what}: {why}"))
        .advise("look whether the process lives, and whether it has unmapped memory of the window")
}
