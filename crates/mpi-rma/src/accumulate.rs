//! Accumulate functions (MPI 5.0 §12.3.4): accumulate, get-accumulate, fetch-and-op,
//! compare-and-swap.
//!
//! Each element is updated atomically with respect to all other accumulates (`elements`). On one
//! node every call is complete when it returns, so the accumulates of one origin are ordered as
//! they were called. An AM request waits until the changes by the network before it are complete,
//! and the network makes none while an AM request is incomplete.

use super::am_origin::{self, Meanwhile};
use super::am_requests::begin;
use super::check;
use super::control::AtomicPermit;
use super::elements::{
    BULK_MIN_BYTES, Elements, Sharing, combine, element_of, is_network_word, may_swap, swap,
    swaps_atomically,
};
use super::gathering;
use super::kernel_copy::{read, write};
use super::network_access::{self, NetworkAccess};
use super::remote::origin::{Access, Data};
use super::remote::{AmRequest, Verb};
use super::resolve::{Opened, am_request, check_bytes, open};
use super::state::{RMA, rma};
use super::target::{Spot, Target, no_segment};
use super::window::{Reach, Window};
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::op;
use crate::pt2pt::PointToPoint;
use crate::types::refused;
use nemesis::Change;
use nemesis_datatype::{AtomicOp, Buffer, Contiguous, Datatype, MemoryRegion, Op, combine_packed};
use nemesis_mpi_check::buffers::Access::{Read, Write};

/// Size of the largest predefined type.
const ELEMENT_MAX_BYTES: usize = 32;
/// Size of the elements that the network changes.
const WORD_BYTES: usize = size_of::<u64>();

/// The operands of an accumulate, and where the target's previous values go.
pub struct Accumulation<'a> {
    /// Ignored with `MPI_NO_OP`.
    pub origin: &'a Buffer,
    pub op: handle::Op,
    /// Where the previous values go; `None` for `MPI_Accumulate`.
    pub result: Option<&'a Buffer>,
}

/// Implements `MPI_Accumulate`, `MPI_Get_accumulate` and `MPI_Fetch_and_op`. Returns the handle of
/// a request if one is `wanted` and the access is not complete yet.
pub fn accumulate(
    mpi: &mut Mpi,
    win: handle::Win,
    accumulation: &Accumulation<'_>,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    let begun = begin_accumulate(mpi, win, accumulation, target, wanted)?;
    if nemesis_mpi_check::is_on() {
        let action = check::accumulate(accumulation.op, &target.datatype);
        check::types(accumulation.origin, target, false);
        accumulation.result.into_iter().for_each(|result| check::types(result, target, true));
        let with_request = wanted && accumulation.result.is_some();
        check::access(mpi, win, target, action, None, with_request);
        let origin = (accumulation.op != abi::MPI_NO_OP).then_some((accumulation.origin, Read));
        let result = accumulation.result.map(|result| (result, Write));
        let uses: Vec<_> = origin.into_iter().chain(result).collect();
        check::origins(mpi, win, target, action, &uses, (wanted, false));
    }
    Ok(begun)
}

/// Carries out [`accumulate`], or begins it.
fn begin_accumulate(
    mpi: &mut Mpi,
    win: handle::Win,
    accumulation: &Accumulation<'_>,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    let Accumulation { origin, result, .. } = *accumulation;
    let op = predefined(accumulation)?;
    if target.count == 0 {
        // No element is combined, so types and operation need not match.
        return open_or_ask(mpi, win, target).map(|()| None);
    }
    let element = element_of(&target.datatype, op)?;
    if let Some(am_request) = am_request(mpi, win, target)? {
        let bytes = target.bytes();
        check_bytes(if op == Op::NoOp { bytes } else { origin.bytes() }, bytes)?;
        check_bytes(result.map_or(bytes, Buffer::bytes), bytes)?;
        let change = change_of(op, &element, origin, target);
        let access = change.map(|change| NetworkAccess::Change(change, result));
        if let Some(request) = begin_by_network(mpi, &am_request, target, access, wanted)? {
            return Ok(request);
        }
        let verb = if result.is_some() { Verb::Fetch } else { Verb::Accumulate };
        let data = if op == Op::NoOp { Data::Nothing } else { Data::Program(origin.clone()) };
        let grain = element.size() as usize;
        return begin(
            mpi,
            &am_request,
            Access { verb, op: accumulation.op, target, grain, data, result: result.cloned() },
            wanted,
        );
    }
    gathering::complete(mpi)?;
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    if op != Op::NoOp {
        opened.check_bytes(origin.bytes())?;
    }
    let bytes = opened.bytes();
    if let Some(result) = result {
        opened.check_bytes(result.bytes())?;
    }
    let at = (win, target);
    let packed;
    let operands = match origin.as_bytes() {
        _ if op == Op::NoOp => &[],
        Some(bytes) => bytes,
        None => {
            packed = pack(origin);
            &packed[..]
        }
    };
    let Some(result) = result else {
        return combine_at(mpi, at, op, element, operands, None).map(|()| None);
    };
    if bytes <= ELEMENT_MAX_BYTES {
        let mut before = [0; ELEMENT_MAX_BYTES];
        combine_at(mpi, at, op, element, operands, Some(&mut before[..bytes]))?;
        result.unpack_at(0, &before[..bytes]);
        return Ok(None);
    }
    let mut result_copy = result.clone();
    match result_copy.as_bytes_mut().filter(|result_copy| are_disjoint(operands, result_copy)) {
        Some(result_copy) => combine_at(mpi, at, op, element, operands, Some(result_copy))?,
        None => {
            let mut before = vec![0; bytes];
            combine_at(mpi, at, op, element, operands, Some(&mut before))?;
            result.unpack_at(0, &before);
        }
    }
    Ok(None)
}

/// Begins an accumulate by the network if it is a change that the network makes. Otherwise waits
/// for the changes by the network, so that an AM request comes after them, and returns `None`.
fn begin_by_network(
    mpi: &mut Mpi,
    am_request: &AmRequest,
    target: &Target,
    access: Option<NetworkAccess<'_>>,
    wanted: bool,
) -> Outcome<Option<Option<handle::Request>>> {
    if let Some(access) = access
        && rma(mpi).origin.are_complete(am_request.context, am_request.process)
        && let Some(request) = network_access::begin(mpi, am_request, target, access, wanted)?
    {
        return Ok(Some(request));
    }
    network_access::await_changes(mpi, am_request.process);
    Ok(None)
}

/// Returns the change of one word that an accumulate makes; `None` if the network makes none like
/// it.
fn change_of(op: Op, element: &Datatype, origin: &Buffer, target: &Target) -> Option<Change> {
    if !is_network_word(element) || target.count != 1 || target.bytes() != WORD_BYTES {
        return None;
    }
    match op {
        Op::Sum => Some(Change::Add(word(origin))),
        Op::NoOp => Some(Change::Add(0)),
        _ => None,
    }
}

/// Returns the one word of a buffer.
fn word(buffer: &Buffer) -> u64 {
    let mut bytes = [0; WORD_BYTES];
    buffer.pack_at(0, &mut bytes);
    u64::from_ne_bytes(bytes)
}

fn are_disjoint(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (one.as_ptr_range(), other.as_ptr_range());
    one.end <= other.start || other.end <= one.start
}

/// Checks an access without data.
fn open_or_ask(engine: &mut Engine, win: handle::Win, target: &Target) -> Outcome {
    if am_request(engine, win, target)?.is_some() {
        Ok(())
    } else {
        open(engine, win, target).map(drop)
    }
}

/// Finds words in mapped memory for the fast path of atomic accesses, in an epoch that permits the
/// access: the area, the offset in it, and the permission to use atomic instructions. Returns
/// `None` for any other case, errors included; the slow path then decides.
#[inline(always)]
fn find_word(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
) -> Option<(&MemoryRegion, usize, AtomicPermit<'_>)> {
    let Window { epoch, exposed, control, rank: own, .. } =
        rma(engine).windows.get_mut(win).ok()?;
    let exposed = exposed.get(rank as usize)?;
    let Reach::Mapped(area) = &exposed.reach else { return None };
    let offset = exposed.offset(disp)?;
    if exposed.sharing == Sharing::Kernel || !epoch.permits_access(rank as u32) {
        return None;
    }
    Some((area, offset, control.begin_atomic(*own, rank as u32)))
}

/// Fast path of [`accumulate`] for one contiguous element in mapped memory. `MPI_NO_OP` has no
/// operand. Returns false, and has done nothing, if it does not apply.
#[inline(always)]
pub fn accumulate_contiguous(
    engine: &mut Engine,
    win: handle::Win,
    (rank, disp): (i32, i64),
    (op, element): (handle::Op, handle::Datatype),
    operand: Option<&Contiguous>,
    result: Option<&Contiguous>,
) -> bool {
    let Some(combination) = AtomicOp::find(op.0, element.0) else { return false };
    let Some((area, offset, _permit)) = find_word(engine, win, rank, disp) else { return false };
    area.combine_contiguous(offset, &combination, operand, result)
}

/// Fast path of [`accumulate`] for several contiguous elements in mapped memory, without a result.
/// Returns false, and has done nothing, if it does not apply.
#[inline(never)]
pub fn accumulate_row(
    engine: &mut Engine,
    win: handle::Win,
    (rank, disp): (i32, i64),
    (op, element): (handle::Op, handle::Datatype),
    operand: &Contiguous,
) -> bool {
    let Engine { pt2pt: PointToPoint { core, .. }, memory, .. } = engine;
    let window = RMA.get_mut(&mut core.token).windows.get_mut(win);
    let (Some(combination), Ok(window), Some(memory)) =
        (AtomicOp::find(op.0, element.0), window, memory.as_ref())
    else {
        return false;
    };
    let ranks = window.size();
    let Window { epoch, exposed, control, rank: own, .. } = window;
    let Some(exposed) = exposed.get(rank as usize) else { return false };
    let (Reach::Mapped(area), Some(offset)) = (&exposed.reach, exposed.offset(disp)) else {
        return false;
    };
    let (rank, is_bulk) = (rank as u32, operand.len() >= BULK_MIN_BYTES);
    let known = match exposed.sharing {
        Sharing::Mapped => true,
        Sharing::Network => !is_bulk,
        Sharing::Kernel => false,
    };
    if !known || operand.is_empty() || !epoch.permits_access(rank) {
        return false;
    }
    if is_bulk && let Some(_bulk) = control.begin_bulk(rank, ranks, || memory.order_all()) {
        return area.combine_contiguous_locked(offset, &combination, operand);
    }
    let _permit = control.begin_atomic(*own, rank);
    area.combine_contiguous_row(offset, &combination, operand)
}

/// Fast path of [`compare_and_swap`] for one contiguous element in mapped memory. Returns false,
/// and has done nothing, if it does not apply.
#[inline]
pub fn swap_contiguous(
    engine: &mut Engine,
    win: handle::Win,
    (rank, disp): (i32, i64),
    element: handle::Datatype,
    origin_compare_result: [&Contiguous; 3],
) -> bool {
    if !swaps_atomically(element) {
        return false;
    }
    let Some((area, offset, _permit)) = find_word(engine, win, rank, disp) else { return false };
    area.swap_contiguous(offset, origin_compare_result)
}

/// Returns the operation, which must be predefined.
fn predefined(accumulation: &Accumulation<'_>) -> Outcome<Op> {
    match op::get(accumulation.op)? {
        op::Op::User(_) => {
            Err(Error::new(abi::MPI_ERR_OP, "accumulate functions take predefined operations only"))
        }
        op::Op::Predefined(Op::NoOp) if accumulation.result.is_none() => Err(Error::new(
            abi::MPI_ERR_OP,
            "MPI_NO_OP is for the calls that return the target's previous value",
        )
        .advise("use MPI_Get_accumulate or MPI_Fetch_and_op")),
        op::Op::Predefined(op) => Ok(op),
    }
}

fn pack(buffer: &Buffer) -> Vec<u8> {
    let mut packed = vec![0; buffer.bytes()];
    buffer.pack_at(0, &mut packed);
    packed
}

/// Combines with memory that this process reaches: mapped memory, or memory that the kernel copies.
fn combine_at(
    mpi: &mut Mpi,
    (win, target): (handle::Win, &Target),
    op: Op,
    element: Datatype,
    operands: &[u8],
    before: Option<&mut [u8]>,
) -> Outcome {
    let Some(opened) = open(mpi, win, target)? else { return Ok(()) };
    let Opened { own, rank, ranks, control, memory, spot } = opened;
    let (process, distant) = match spot {
        Spot::Near { place, sharing } => {
            let elements = Elements::new(op, element, &place, sharing);
            let (order, who) = (memory.order(), (own, rank, ranks));
            return combine(&order, control, who, &place, &elements, 0, operands, before);
        }
        Spot::Far { process, distant } => (process, distant),
    };
    let mut staging = vec![0; distant.bytes()];
    let control = control.clone();
    let _lock = control.lock_accumulates(rank);
    read(memory, process, &distant, 0, &mut staging)?;
    if let Some(before) = before {
        before.copy_from_slice(&staging);
    }
    if op == Op::NoOp {
        return Ok(());
    }
    combine_packed(op, &element, operands, &mut staging).map_err(refused)?;
    let pack = |from, data: &mut [u8]| data.copy_from_slice(&staging[from..from + data.len()]);
    let there = (process, &distant);
    if am_origin::write_runs(mpi, win, there, Meanwhile::Wait, pack)? {
        return Ok(());
    }
    let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
    write(memory, process, &distant, 0, &staging)
}

/// Implements `MPI_Compare_and_swap` for one element of the target's type, which `origin`,
/// `compare` and `result` have as well. Returns the handle of a request if one is `wanted` and the
/// access is not complete yet.
pub fn compare_and_swap(
    mpi: &mut Mpi,
    win: handle::Win,
    origin_compare_result: [&Buffer; 3],
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    let begun = begin_swap(mpi, win, origin_compare_result, target, wanted)?;
    if nemesis_mpi_check::is_on() {
        let action = check::accumulate(abi::MPI_OP_NULL, &target.datatype);
        check::access(mpi, win, target, action, None, false);
    }
    Ok(begun)
}

/// Carries out [`compare_and_swap`], or begins it.
fn begin_swap(
    mpi: &mut Mpi,
    win: handle::Win,
    [origin, compare, result]: [&Buffer; 3],
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    let element = target.datatype.clone();
    if !may_swap(&element) {
        let name = element.predefined_name().unwrap_or("a derived datatype");
        let why = format!(
            "{name} cannot be compared and swapped: it is not an integer, logical, multi-language \
             or byte type"
        );
        return Err(Error::new(abi::MPI_ERR_TYPE, why));
    }
    if let Some(am_request) = am_request(mpi, win, target)? {
        let change = is_network_word(&element)
            .then(|| Change::CompareSwap { expected: word(compare), new: word(origin) });
        let access = change.map(|change| NetworkAccess::Change(change, Some(result)));
        if let Some(request) = begin_by_network(mpi, &am_request, target, access, wanted)? {
            return Ok(request);
        }
        let data = Data::Own([pack(compare), pack(origin)].concat().into());
        let access = Access {
            verb: Verb::Swap,
            op: abi::MPI_OP_NULL,
            target,
            grain: 1,
            data,
            result: Some(result.clone()),
        };
        return begin(mpi, &am_request, access, wanted);
    }
    gathering::complete(mpi)?;
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    let bytes = opened.bytes();
    let [mut new, mut expected, mut before] = [[0; ELEMENT_MAX_BYTES]; 3];
    origin.pack_at(0, &mut new[..bytes]);
    compare.pack_at(0, &mut expected[..bytes]);
    let (new, expected, before) = (&new[..bytes], &expected[..bytes], &mut before[..bytes]);
    match &opened.spot {
        Spot::Near { place, sharing } => {
            let elements = Elements::new(Op::Replace, element, place, *sharing);
            swap(
                opened.control,
                (opened.own, opened.rank),
                place,
                &elements,
                [new, expected],
                before,
            );
        }
        Spot::Far { process, distant } => {
            let _lock = opened.control.lock_accumulates(opened.rank);
            read(opened.memory, *process, distant, 0, before)?;
            if before == expected {
                write(opened.memory, *process, distant, 0, new)?;
            }
        }
    }
    result.unpack_at(0, before);
    Ok(None)
}
