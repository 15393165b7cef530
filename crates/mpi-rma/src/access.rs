//! Put and get (MPI 5.0 §12.3.1, §12.3.2).

use super::am_origin::{self, Meanwhile};
use super::am_requests::begin;
use super::check;
use super::gathering;
use super::kernel_copy;
use super::network_access::{self, NetworkAccess};
use super::remote::Verb;
use super::remote::origin::{Access, Data};
use super::resolve::{am_request, check_bytes, open};
use super::state::rma;
use super::target::{Spot, Target, no_segment};
use super::window::Reach;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use nemesis_datatype::{Buffer, Contiguous, MemoryRegion};
use nemesis_mpi_check::accesses::Action;
use nemesis_mpi_check::buffers::Access::{Read, Write};

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
    let offset = exposed.offset(disp)?;
    window.epoch.permits_access(rank as u32).then_some((area, offset))
}

/// Fast path of [`put`] for contiguous data and mapped memory. Returns false, and has done nothing,
/// if it does not apply.
#[inline(always)]
pub fn put_contiguous(
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
pub fn get_contiguous(
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
    let begun = begin_put(mpi, win, origin, target, wanted)?;
    if nemesis_mpi_check::is_on() {
        check::types(origin, target, false);
        check::access(mpi, win, target, Action::Put, Some(origin), false);
        check::origins(mpi, win, target, Action::Put, &[(origin, Read)], (wanted, false));
    }
    Ok(begun)
}

/// Carries out [`put`], or begins it.
fn begin_put(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    if let Some(am_request) = am_request(mpi, win, target)? {
        check_bytes(origin.bytes(), target.bytes())?;
        let begun =
            network_access::begin(mpi, &am_request, target, NetworkAccess::Put(origin), wanted)?;
        if let Some(request) = begun {
            return Ok(request);
        }
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
    if !wanted && gathering::put(mpi, win, origin, target)? {
        return Ok(None);
    }
    if am_origin::put(mpi, win, origin, target)? {
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(origin.bytes())?;
    let (process, distant) = match opened.spot {
        Spot::Near { place, .. } => {
            place.put(origin);
            return Ok(None);
        }
        Spot::Far { process, distant } => (process, distant),
    };
    let pack = |from, data: &mut [u8]| _ = origin.pack_at(from, data);
    if !am_origin::write_runs(mpi, win, (process, &distant), Meanwhile::TakePackets, pack)? {
        let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
        kernel_copy::put(memory, process, &distant, origin)?;
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
    let begun = begin_get(mpi, win, origin, target, wanted)?;
    if nemesis_mpi_check::is_on() {
        check::types(origin, target, true);
        check::access(mpi, win, target, Action::Get, None, wanted);
        let has_arrived = arrives(mpi, win, target)?;
        let uses = [(origin, Write)];
        check::origins(mpi, win, target, Action::Get, &uses, (wanted, has_arrived));
    }
    Ok(begun)
}

/// Completes what is gathered, and returns whether the data of a get that has begun are in its
/// buffer: nobody else carries it out.
#[cold]
fn arrives(mpi: &mut Mpi, win: handle::Win, target: &Target) -> Outcome<bool> {
    gathering::complete(mpi)?;
    Ok(am_request(mpi, win, target)?.is_none())
}

/// Carries out [`get`], or begins it.
fn begin_get(
    mpi: &mut Mpi,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    if let Some(am_request) = am_request(mpi, win, target)? {
        check_bytes(origin.bytes(), target.bytes())?;
        let begun =
            network_access::begin(mpi, &am_request, target, NetworkAccess::Get(origin), wanted)?;
        if let Some(request) = begun {
            return Ok(request);
        }
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
    if !wanted && gathering::get(mpi, win, origin, target)? {
        return Ok(None);
    }
    if am_origin::get(mpi, win, origin, target)? {
        return Ok(None);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    opened.check_bytes(origin.bytes())?;
    match &opened.spot {
        Spot::Near { place, .. } => place.get(origin),
        Spot::Far { process, distant } => {
            kernel_copy::get(opened.memory, *process, distant, origin)?
        }
    }
    Ok(None)
}
