//! Accumulate and its kin (MPI 5.0 §12.3.4).
//!
//! Each element is combined atomically towards all other accumulates. In memory that everybody reaches by load and store, words are combined by the
//! processor (`nemesis_datatype::atomic`). Everything else is read, combined and written under the target's turn (`control`), which its own
//! process takes as well. Since every call is complete when it returns, accumulates of one origin are ordered as they were called.

use super::access::{read, write};
use super::control::{Control, Pass};
use super::remote::Verb;
use super::remote::origin::{Access, Data, begin};
use super::window::{Opened, Reach, Spot, Target, Window, am_request, check_bytes, open};
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::op;
use crate::types::refused;
use nemesis::Memory;
use nemesis_datatype::{
    Area, Buffer, Combination, Datatype, Dense, Op, Place, combine_packed, is_word,
};

/// From here on an accumulate keeps the others away and combines as fast as the processor can: atomic instructions take some ten nanoseconds for each element,
/// the barrier for the first of several long ones about two microseconds.
const BULK_MIN_BYTES: usize = 256;
/// Types that can be compared and swapped are those on which one of these is defined (MPI 5.0 §12.3.4).
const SWAPPED: [Op; 2] = [Op::Band, Op::Lor];
/// The largest predefined type.
const ELEMENT_MAX_BYTES: usize = 32;

/// What is combined, and where what was there before goes.
pub struct Accumulation<'a> {
    /// Ignored with `MPI_NO_OP`.
    pub origin: &'a Buffer,
    pub op: handle::Op,
    /// None for `MPI_Accumulate`.
    pub result: Option<&'a Buffer>,
}

/// `MPI_Accumulate`, `MPI_Get_accumulate` and `MPI_Fetch_and_op`. If a request is `wanted` and the access is under way still, its handle.
pub fn accumulate(
    mpi: &mut Mpi,
    win: handle::Win,
    accumulation: &Accumulation<'_>,
    target: &Target,
    wanted: bool,
) -> Outcome<Option<handle::Request>> {
    let Accumulation { origin, result, .. } = *accumulation;
    let op = predefined(accumulation)?;
    if target.count == 0 {
        // Nothing is combined, so nothing has to fit together.
        return open_or_ask(mpi, win, target).map(|()| None);
    }
    let element = element_of(&target.datatype, op)?;
    if let Some(am_request) = am_request(mpi, win, target)? {
        let bytes = target.bytes();
        check_bytes(if op == Op::NoOp { bytes } else { origin.bytes() }, bytes)?;
        check_bytes(result.map_or(bytes, Buffer::bytes), bytes)?;
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
    let Some(opened) = open(mpi, win, target)? else { return Ok(None) };
    if op != Op::NoOp {
        opened.check_bytes(origin.bytes())?;
    }
    let bytes = opened.bytes();
    if let Some(result) = result {
        opened.check_bytes(result.bytes())?;
    }
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
        return combine_opened(&opened, op, element, operands, None).map(|()| None);
    };
    if bytes <= ELEMENT_MAX_BYTES {
        let mut before = [0; ELEMENT_MAX_BYTES];
        combine_opened(&opened, op, element, operands, Some(&mut before[..bytes]))?;
        result.unpack_at(0, &before[..bytes]);
        return Ok(None);
    }
    let mut there = result.clone();
    match there.as_bytes_mut().filter(|there| are_disjoint(operands, there)) {
        Some(there) => combine_opened(&opened, op, element, operands, Some(there))?,
        None => {
            let mut before = vec![0; bytes];
            combine_opened(&opened, op, element, operands, Some(&mut before))?;
            result.unpack_at(0, &before);
        }
    }
    Ok(None)
}

fn are_disjoint(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (one.as_ptr_range(), other.as_ptr_range());
    one.end <= other.start || other.end <= one.start
}

/// Checks an access that moves nothing.
fn open_or_ask(engine: &mut Engine, win: handle::Win, target: &Target) -> Outcome {
    if am_request(engine, win, target)?.is_some() {
        Ok(())
    } else {
        open(engine, win, target).map(drop)
    }
}

/// Where an atomic access finds words of memory that is mapped already, in an epoch that permits it: the area, the offset in it, and the permission. `None`
/// says nothing about the reason; the other way tells.
#[inline(always)]
fn find_word(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
    disp: i64,
) -> Option<(&Area, usize, Pass<'_>)> {
    let Window { epoch, exposed, control, rank: own, .. } = engine.windows.get_mut(win).ok()?;
    let exposed = exposed.get(rank as usize)?;
    let Reach::Near(area) = &exposed.reach else { return None };
    let offset = usize::try_from(disp).ok()?.checked_mul(exposed.disp_unit as usize)?;
    if !exposed.shared || !epoch.permits_access(rank as u32) {
        return None;
    }
    Some((area, offset, control.pass(*own, rank as u32)))
}

/// Accumulates one dense element as [`accumulate`] would, if all is as it mostly is. No operand goes with `MPI_NO_OP`.
#[inline(always)]
pub fn accumulate_dense(
    engine: &mut Engine,
    win: handle::Win,
    (rank, disp): (i32, i64),
    (op, element): (handle::Op, handle::Datatype),
    operand: Option<&Dense>,
    result: Option<&Dense>,
) -> bool {
    let Some(combination) = Combination::find(op.0, element.0) else { return false };
    let Some((area, offset, _pass)) = find_word(engine, win, rank, disp) else { return false };
    area.combine_dense(offset, &combination, operand, result)
}

/// Compares and swaps one dense element as [`compare_and_swap`] would, if all is as it mostly is.
#[inline]
pub fn swap_dense(
    engine: &mut Engine,
    win: handle::Win,
    (rank, disp): (i32, i64),
    element: handle::Datatype,
    origin_compare_result: [&Dense; 3],
) -> bool {
    if !SWAPPED.iter().any(|op| Combination::find(op.handle(), element.0).is_some()) {
        return false;
    }
    let Some((area, offset, _pass)) = find_word(engine, win, rank, disp) else { return false };
    area.swap_dense(offset, origin_compare_result)
}

/// The operation, which must be a predefined one.
fn predefined(accumulation: &Accumulation<'_>) -> Outcome<Op> {
    match op::get(accumulation.op)? {
        op::Op::User(_) => {
            Err(Error::new(abi::MPI_ERR_OP, "accumulate functions take predefined operations only"))
        }
        op::Op::Predefined(Op::NoOp) if accumulation.result.is_none() => Err(Error::new(
            abi::MPI_ERR_OP,
            "MPI_NO_OP is for the calls that return what was there before",
        )
        .advise("use MPI_Get_accumulate or MPI_Fetch_and_op")),
        op::Op::Predefined(op) => Ok(op),
    }
}

/// The one predefined type of which the target's data consists.
pub(super) fn element_of(datatype: &Datatype, op: Op) -> Outcome<Datatype> {
    let element = datatype.element().ok_or_else(|| {
        Error::new(abi::MPI_ERR_TYPE, "the target's datatype consists of several predefined types, accumulate functions need one")
    })?;
    if !op.allows(&element) {
        let name = element.predefined_name().unwrap_or("this datatype");
        return Err(Error::new(abi::MPI_ERR_OP, format!("{} is not defined on {name}", op.name())));
    }
    Ok(element)
}

fn pack(buffer: &Buffer) -> Vec<u8> {
    let mut packed = vec![0; buffer.bytes()];
    buffer.pack_at(0, &mut packed);
    packed
}

/// What an accumulate does to each element, and by which of the ways that keep elements whole.
#[derive(Debug, Clone)]
pub(super) struct Elements {
    pub op: Op,
    element: Datatype,
    /// Words in memory that everybody reaches by load and store.
    words: bool,
    /// All of them where the processor combines them without a lock.
    lock_free: bool,
    long: bool,
}

impl Elements {
    pub fn new(op: Op, element: Datatype, place: &Place<'_>, shared: bool) -> Elements {
        let words = shared && is_word(&element);
        let lock_free = words && place.is_lock_free(&element);
        Elements { op, element, words, lock_free, long: place.bytes() >= BULK_MIN_BYTES }
    }

    /// These bytes are whole elements.
    pub fn check_whole(&self, data: &[u8]) -> Outcome {
        if data.len().is_multiple_of(self.element.size().max(1) as usize) {
            return Ok(());
        }
        Err(Error::new(
            abi::MPI_ERR_TYPE,
            format!("{} bytes are not a number of whole elements", data.len()),
        ))
    }

    /// What is needed to combine words by atomic instructions. Elements that are not aligned need the turn, however they came to lie so.
    fn pass<'a>(&self, control: &'a Control, own: u32, rank: u32) -> Pass<'a> {
        match self.lock_free {
            true => control.pass(own, rank),
            false => Pass::Turn { _turn: control.take_turn(rank) },
        }
    }
}

/// Combines packed operands with the elements of a place from byte `from` of its packed stream on. `own` is the rank of who does it, `rank` that of whose
/// memory it is, of so many `ranks`.
#[allow(clippy::too_many_arguments)]
pub(super) fn combine(
    memory: &Memory,
    control: &Control,
    (own, rank, ranks): (u32, u32, u32),
    place: &Place<'_>,
    elements: &Elements,
    from: usize,
    operands: &[u8],
    before: Option<&mut [u8]>,
) -> Outcome {
    let Elements { op, ref element, words, long, .. } = *elements;
    if !words {
        let _turn = control.take_turn(rank);
        return place.combine_alone(from, op, element, operands, before).map_err(refused);
    }
    if long && let Some(_bulk) = control.take_bulk(rank, ranks, || memory.order_all()) {
        return place.combine_alone(from, op, element, operands, before).map_err(refused);
    }
    let _pass = elements.pass(control, own, rank);
    place.combine_atomically(from, op, element, operands, before).map_err(refused)
}

fn combine_opened(
    opened: &Opened<'_>,
    op: Op,
    element: Datatype,
    operands: &[u8],
    before: Option<&mut [u8]>,
) -> Outcome {
    let Opened { own, rank, ranks, control, memory, .. } = *opened;
    match &opened.spot {
        Spot::Near { place, shared } => {
            let elements = Elements::new(op, element, place, *shared);
            combine(memory, control, (own, rank, ranks), place, &elements, 0, operands, before)
        }
        Spot::Far { process, distant } => {
            let mut here = vec![0; distant.bytes()];
            let _turn = control.take_turn(rank);
            read(memory, *process, distant, 0, &mut here)?;
            if let Some(before) = before {
                before.copy_from_slice(&here);
            }
            if op == Op::NoOp {
                return Ok(());
            }
            combine_packed(op, &element, operands, &mut here).map_err(refused)?;
            write(memory, *process, distant, 0, &here)
        }
    }
}

/// Whether elements of a type can be compared and swapped.
pub(super) fn may_swap(element: &Datatype) -> bool {
    SWAPPED.iter().any(|op| op.allows(element))
}

/// Compares the one element of a place and swaps it.
pub(super) fn swap(
    control: &Control,
    (own, rank): (u32, u32),
    place: &Place<'_>,
    elements: &Elements,
    [new, expected]: [&[u8]; 2],
    before: &mut [u8],
) {
    let _pass = elements.pass(control, own, rank);
    place.compare_and_swap(expected, new, before);
}

/// `MPI_Compare_and_swap`: one element of the target's type, which `origin`, `compare` and `result` have as well.
pub fn compare_and_swap(
    mpi: &mut Mpi,
    win: handle::Win,
    [origin, compare, result]: [&Buffer; 3],
    target: &Target,
) -> Outcome {
    let element = target.datatype.clone();
    if !may_swap(&element) {
        let name = element.predefined_name().unwrap_or("a derived datatype");
        let why = format!(
            "{name} cannot be compared and swapped: it is no integer, logical, multi-language or byte type"
        );
        return Err(Error::new(abi::MPI_ERR_TYPE, why));
    }
    if let Some(am_request) = am_request(mpi, win, target)? {
        let data = Data::Own([pack(compare), pack(origin)].concat().into());
        let access = Access {
            verb: Verb::Swap,
            op: abi::MPI_OP_NULL,
            target,
            grain: 1,
            data,
            result: Some(result.clone()),
        };
        return begin(mpi, &am_request, access, false).map(drop);
    }
    let Some(opened) = open(mpi, win, target)? else { return Ok(()) };
    let bytes = opened.bytes();
    let [mut new, mut expected, mut before] = [[0; ELEMENT_MAX_BYTES]; 3];
    origin.pack_at(0, &mut new[..bytes]);
    compare.pack_at(0, &mut expected[..bytes]);
    let (new, expected, before) = (&new[..bytes], &expected[..bytes], &mut before[..bytes]);
    match &opened.spot {
        Spot::Near { place, shared } => {
            let elements = Elements::new(Op::Replace, element, place, *shared);
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
            let _turn = opened.control.take_turn(opened.rank);
            read(opened.memory, *process, distant, 0, before)?;
            if before == expected {
                write(opened.memory, *process, distant, 0, new)?;
            }
        }
    }
    result.unpack_at(0, before);
    Ok(())
}
