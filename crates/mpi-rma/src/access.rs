//! Put and get (MPI 5.0 §12.3.1, §12.3.2).

use super::am_origin;
use super::remote::Verb;
use super::remote::origin::{Access, Data, begin};
use super::state::rma;
use super::target::{Spot, Target};
use super::window::{Opened, Reach, am_request, check_bytes, open};
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis::Memory;
use nemesis::memory::Remote;
use nemesis_datatype::{Buffer, Contiguous, MemoryRegion, RemoteTarget};

/// Staging buffer for noncontiguous data that the kernel copies: it fits a second-level cache
/// several times.
const PACKED_BYTES: usize = 256 << 10;

/// Finds mapped memory for the fast path of put and get, in an epoch that permits the access: the
/// area and the offset in it. Returns `None` for any other case, errors included; the slow path
/// then decides.
#[inline(always)]
fn find_mapped(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
) -> Option<(&MemoryRegion, usize)> {
    let window = rma(engine).windows.get_mut(win).ok()?;
    let exposed = window.exposed.get(rank as usize)?;
    let Reach::Mapped(area) = &exposed.reach else { return None };
    let offset = usize::try_from(disp).ok()?.checked_mul(exposed.disp_unit as usize)?;
    window.epoch.permits_access(rank as u32).then_some((area, offset))
}

/// Fast path of [`put`] for contiguous data and mapped memory. Returns false, and has done nothing,
/// if it does not apply.
#[inline(always)]
pub fn put_dense(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
    origin: &Contiguous,
) -> bool {
    find_mapped(engine, win, rank, disp)
        .is_some_and(|(area, offset)| area.put_contiguous(offset, origin))
}

/// Fast path of [`get`] for contiguous data and mapped memory. Returns false, and has done nothing,
/// if it does not apply.
#[inline(always)]
pub fn get_dense(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
    origin: &Contiguous,
) -> bool {
    find_mapped(engine, win, rank, disp)
        .is_some_and(|(area, offset)| area.get_contiguous(offset, origin))
}

/// Implements `MPI_Put`. Returns the handle of a request if one is `wanted` and the access is not
/// complete yet.
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
        Spot::Far { process, distant } => put_by_kernel(&opened, *process, distant, origin)?,
    }
    Ok(None)
}

/// Implements `MPI_Get`. Returns the handle of a request if one is `wanted` and the access is not
/// complete yet.
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
        Spot::Far { process, distant } => get_by_kernel(&opened, *process, distant, origin)?,
    }
    Ok(None)
}

/// Puts by the kernel's copy into another process's memory.
fn put_by_kernel(
    opened: &Opened<'_>,
    process: u32,
    distant: &RemoteTarget,
    origin: &Buffer,
) -> Outcome {
    if let Some(bytes) = origin.as_bytes() {
        return write(opened.memory, process, distant, 0, bytes);
    }
    let mut staging = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = origin.pack_at(done, &mut staging);
        write(opened.memory, process, distant, done, &staging[..length])?;
        done += length;
    }
    Ok(())
}

/// Gets by the kernel's copy from another process's memory.
fn get_by_kernel(
    opened: &Opened<'_>,
    process: u32,
    distant: &RemoteTarget,
    origin: &Buffer,
) -> Outcome {
    let mut origin = origin.clone();
    if let Some(bytes) = origin.as_bytes_mut() {
        return read(opened.memory, process, distant, 0, bytes);
    }
    let mut staging = vec![0; PACKED_BYTES.min(origin.bytes())];
    let mut done = 0;
    while done < origin.bytes() {
        let length = staging.len().min(origin.bytes() - done);
        read(opened.memory, process, distant, done, &mut staging[..length])?;
        origin.unpack_at(done, &staging[..length]);
        done += length;
    }
    Ok(())
}

/// Returns the contiguous runs of `distant` from byte `from` of its staging stream on.
fn runs(distant: &RemoteTarget, from: usize) -> impl Iterator<Item = Remote> {
    distant.runs(from).map(|run| (run.address as u64, run.len))
}

/// Writes packed bytes into another process's memory, from byte `from` of the packed stream on.
pub(super) fn write(
    memory: &Memory,
    process: u32,
    distant: &RemoteTarget,
    from: usize,
    bytes: &[u8],
) -> Outcome {
    if bytes.is_empty() {
        return Ok(());
    }
    memory
        .write(process, runs(distant, from), bytes)
        .map_err(|errno| refused("written", process, errno))
}

/// Reads packed bytes from another process's memory, from byte `from` of the packed stream on.
pub(super) fn read(
    memory: &Memory,
    process: u32,
    distant: &RemoteTarget,
    from: usize,
    into: &mut [u8],
) -> Outcome {
    if into.is_empty() {
        return Ok(());
    }
    memory.read(process, runs(distant, from), into).map_err(|errno| refused("read", process, errno))
}

/// Checks that a process lives and still has memory at `address`.
#[cold]
pub(super) fn check_memory(memory: &Memory, process: u32, address: u64) -> Outcome {
    let tried = memory.read(process, std::iter::once((address, 1)), &mut [0]);
    tried.map_err(|errno| refused("accessed", process, errno))
}

#[cold]
fn refused(what: &str, process: u32, why: impl std::fmt::Display) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("memory of process {process} cannot be {what}: {why}"))
        .advise("check whether the process lives, and whether it has unmapped memory of the window")
}
