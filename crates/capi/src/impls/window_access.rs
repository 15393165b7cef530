//! Accesses to windows (MPI 5.0 §12.3).
//!
//! An access that this process carries out itself is complete when its call returns, unless it
//! waits with others for the next synchronisation. The forms with a request do not wait, and return
//! a complete one.

use super::arguments::{hand_out, put_request};
use super::coll::shares;
use crate::params::{Out, OutRef, UserBuffer};
use crate::staging;
use nemesis_datatype::{Buffer, Contiguous, predefined_contiguous_size};
use nemesis_mpi::abi;
use nemesis_mpi::coll;
use nemesis_mpi::completion;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Op, Request, Win};
use nemesis_mpi::request::Completion;
use nemesis_mpi::rma::{self, Accumulation, Target, Windows};
use nemesis_mpi::{engine, enter};
use nemesis_mpi_check::kinds;
use std::ffi::c_int;

/// Enters the engine for a call on a window that exists.
#[inline]
fn enter_on(win: Win) -> Outcome<Mpi> {
    let mut mpi = enter()?;
    mpi.run_deferred();
    mpi.window(win)?;
    Ok(mpi)
}

/// The target buffer of an access.
#[inline]
fn target(mpi: &Mpi, rank: c_int, disp: isize, count: i64, datatype: Datatype) -> Outcome<Target> {
    Ok(Target { rank, disp: disp as i64, count, datatype: mpi.types.committed(datatype)?.clone() })
}

/// The origin buffer as bytes, if it is contiguous and the target has as many contiguous bytes.
#[inline(always)]
fn contiguous(
    address: UserBuffer,
    origin: (i64, Datatype),
    target: (i64, Datatype),
) -> Option<Contiguous> {
    let contiguous = address.contiguous(origin.0, origin.1)?;
    let there = match target == origin {
        true => contiguous.len(),
        false => {
            u32::try_from(target.0).ok()? as usize
                * predefined_contiguous_size(target.1.0)? as usize
        }
    };
    (there == contiguous.len()).then_some(contiguous)
}

/// Writes the request of an access, which is a complete one if the access is complete.
fn give_request(under_way: Option<Request>, request: OutRef<'_, Request>) -> Outcome {
    let handle = match under_way {
        Some(handle) => handle,
        None => enter()?.pt2pt.completed_request(Completion::EMPTY)?,
    };
    if !staging::is_under_way() {
        put_request(request, handle);
        return Ok(());
    }
    hand_out(&mut enter()?, request, handle)
}

/// Carries out an access by `begin`, which is told whether a request is wanted. An access on copies
/// of memory of devices that returns no request waits, because nothing else tells when the copies
/// are no longer used.
#[inline]
fn with_copies(
    mpi: &mut Mpi,
    wanted: bool,
    begin: impl FnOnce(&mut Mpi, bool) -> Outcome<Option<Request>>,
) -> Outcome<Option<Request>> {
    let waits = !wanted && staging::is_under_way();
    match begin(mpi, wanted || waits)? {
        Some(mut request) if waits => completion::wait(mpi, &mut request).map(|_| None),
        under_way => Ok(under_way),
    }
}

/// Fast path for contiguous data in an epoch that permits the access. Returns false, having changed
/// nothing, if it declines.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn put_fast(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> bool {
    let Some(contiguous) =
        contiguous(origin_addr, (origin_count, origin_datatype), (target_count, target_datatype))
    else {
        return false;
    };
    let Some(mut mpi) = engine::enter_open() else { return false };
    rma::put_contiguous(&mut mpi, win, target_rank, target_disp as i64, &contiguous)
}

/// Slow path. Returns the request if one is wanted and the access is pending.
#[allow(clippy::too_many_arguments)]
#[inline(never)]
fn put_slow(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    wanted: bool,
) -> Outcome<Option<Request>> {
    let mut mpi = enter_on(win)?;
    let origin = origin_addr.buffer(&mpi, origin_count, origin_datatype)?;
    let target = target(&mpi, target_rank, target_disp, target_count, target_datatype)?;
    with_copies(&mut mpi, wanted, |mpi, wanted| rma::put(mpi, win, &origin, &target, wanted))
}

#[allow(clippy::too_many_arguments)]
#[inline(always)]
pub fn win_put(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Outcome {
    if put_fast(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
    ) {
        return Ok(());
    }
    put_slow(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
        false,
    )
    .map(drop)
}

/// Fast path for contiguous data in an epoch that permits the access. Returns false, having changed
/// nothing, if it declines.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn get_fast(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> bool {
    let Some(contiguous) =
        contiguous(origin_addr, (origin_count, origin_datatype), (target_count, target_datatype))
    else {
        return false;
    };
    let Some(mut mpi) = engine::enter_open() else { return false };
    rma::get_contiguous(&mut mpi, win, target_rank, target_disp as i64, &contiguous)
}

/// Slow path. Returns the request if one is wanted and the access is pending.
#[allow(clippy::too_many_arguments)]
#[inline(never)]
fn get_slow(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    wanted: bool,
) -> Outcome<Option<Request>> {
    let mut mpi = enter_on(win)?;
    let origin = origin_addr.buffer(&mpi, origin_count, origin_datatype)?;
    let target = target(&mpi, target_rank, target_disp, target_count, target_datatype)?;
    with_copies(&mut mpi, wanted, |mpi, wanted| rma::get(mpi, win, &origin, &target, wanted))
}

#[allow(clippy::too_many_arguments)]
#[inline(always)]
pub fn win_get(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
) -> Outcome {
    if get_fast(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
    ) {
        return Ok(());
    }
    get_slow(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
        false,
    )
    .map(drop)
}

#[allow(clippy::too_many_arguments)]
pub fn rput(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: Out<'_, Request>,
) -> Outcome {
    let request = request.require("request")?;
    let under_way = match put_fast(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
    ) {
        true => None,
        false => put_slow(
            origin_addr,
            origin_count,
            origin_datatype,
            target_rank,
            target_disp,
            target_count,
            target_datatype,
            win,
            true,
        )?,
    };
    give_request(under_way, request)
}

#[allow(clippy::too_many_arguments)]
pub fn rget(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    win: Win,
    request: Out<'_, Request>,
) -> Outcome {
    let request = request.require("request")?;
    let under_way = match get_fast(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        win,
    ) {
        true => None,
        false => get_slow(
            origin_addr,
            origin_count,
            origin_datatype,
            target_rank,
            target_disp,
            target_count,
            target_datatype,
            win,
            true,
        )?,
    };
    give_request(under_way, request)
}

/// The origin buffer, which is empty for `MPI_NO_OP`.
fn operands(
    mpi: &Mpi,
    address: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome<Buffer> {
    if op == abi::MPI_NO_OP {
        return Ok(Buffer::empty());
    }
    address.buffer(mpi, count, datatype)
}

#[allow(clippy::too_many_arguments)]
fn accumulate_wanted(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    wanted: bool,
) -> Outcome<Option<Request>> {
    if let Some(contiguous) =
        contiguous(origin_addr, (origin_count, origin_datatype), (target_count, target_datatype))
        && op != abi::MPI_NO_OP
        && let Some(mut mpi) = engine::enter_open()
    {
        let (at, element) = ((target_rank, target_disp as i64), (op, target_datatype));
        let done = match target_count {
            1 => rma::accumulate_contiguous(&mut mpi, win, at, element, Some(&contiguous), None),
            _ => rma::accumulate_row(&mut mpi, win, at, element, &contiguous),
        };
        if done {
            return Ok(None);
        }
    }
    accumulate_slow(
        (origin_addr, origin_count, origin_datatype),
        (target_rank, target_disp, target_count, target_datatype),
        op,
        win,
        wanted,
    )
}

/// Slow path. Returns the request if one is wanted and the access is pending.
#[inline(never)]
fn accumulate_slow(
    (origin_addr, origin_count, origin_datatype): (UserBuffer, i64, Datatype),
    (target_rank, target_disp, target_count, target_datatype): (c_int, isize, i64, Datatype),
    op: Op,
    win: Win,
    wanted: bool,
) -> Outcome<Option<Request>> {
    let mut mpi = enter_on(win)?;
    let origin = operands(&mpi, origin_addr, origin_count, origin_datatype, op)?;
    let target = target(&mpi, target_rank, target_disp, target_count, target_datatype)?;
    let accumulation = Accumulation { origin: &origin, op, result: None };
    with_copies(&mut mpi, wanted, |mpi, wanted| {
        rma::accumulate(mpi, win, &accumulation, &target, wanted)
    })
}

#[allow(clippy::too_many_arguments)]
pub fn accumulate(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Outcome {
    accumulate_wanted(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        op,
        win,
        false,
    )
    .map(drop)
}

#[allow(clippy::too_many_arguments)]
pub fn raccumulate(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: Out<'_, Request>,
) -> Outcome {
    let request = request.require("request")?;
    let under_way = accumulate_wanted(
        origin_addr,
        origin_count,
        origin_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        op,
        win,
        true,
    )?;
    give_request(under_way, request)
}

#[allow(clippy::too_many_arguments)]
fn get_accumulate_wanted(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    result_addr: UserBuffer,
    result_count: i64,
    result_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    wanted: bool,
) -> Outcome<Option<Request>> {
    let mut mpi = enter_on(win)?;
    let origin = operands(&mpi, origin_addr, origin_count, origin_datatype, op)?;
    let result = result_addr.buffer(&mpi, result_count, result_datatype)?;
    let origin = apart(origin, &result)?;
    let target = target(&mpi, target_rank, target_disp, target_count, target_datatype)?;
    let accumulation = Accumulation { origin: &origin, op, result: Some(&result) };
    with_copies(&mut mpi, wanted, |mpi, wanted| {
        rma::accumulate(mpi, win, &accumulation, &target, wanted)
    })
}

#[allow(clippy::too_many_arguments)]
pub fn get_accumulate(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    result_addr: UserBuffer,
    result_count: i64,
    result_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
) -> Outcome {
    get_accumulate_wanted(
        origin_addr,
        origin_count,
        origin_datatype,
        result_addr,
        result_count,
        result_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        op,
        win,
        false,
    )
    .map(drop)
}

#[allow(clippy::too_many_arguments)]
pub fn rget_accumulate(
    origin_addr: UserBuffer,
    origin_count: i64,
    origin_datatype: Datatype,
    result_addr: UserBuffer,
    result_count: i64,
    result_datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    target_count: i64,
    target_datatype: Datatype,
    op: Op,
    win: Win,
    request: Out<'_, Request>,
) -> Outcome {
    let request = request.require("request")?;
    let under_way = get_accumulate_wanted(
        origin_addr,
        origin_count,
        origin_datatype,
        result_addr,
        result_count,
        result_datatype,
        target_rank,
        target_disp,
        target_count,
        target_datatype,
        op,
        win,
        true,
    )?;
    give_request(under_way, request)
}

/// Checks that a datatype is predefined, which the calls for one element require.
fn single(mpi: &Mpi, datatype: Datatype) -> Outcome {
    if mpi.types.committed(datatype)?.is_predefined() {
        return Ok(());
    }
    Err(Error::new(
        abi::MPI_ERR_TYPE,
        "the datatype is derived, the call takes one element of a predefined type",
    ))
}

/// Returns the origin of an access, or a copy if the result shares memory with it. The standard
/// does not permit that (MPI 5.0 §12.3.4), and other libraries let it pass.
fn apart(origin: Buffer, result: &Buffer) -> Outcome<Buffer> {
    if !shares(&origin, result) {
        return Ok(origin);
    }
    tell_shared();
    let copy = coll::scratch(origin.count(), origin.datatype())?;
    nemesis_datatype::copy(&origin, &copy);
    Ok(copy)
}

/// Tells a finding if the result of an access for one element lies in the memory of an operand.
/// These calls read the operand before they write the result.
fn check_apart(operands: &[&Buffer], result: &Buffer) {
    if nemesis_mpi_check::is_on() && operands.iter().any(|operand| shares(operand, result)) {
        tell_shared();
    }
}

#[cold]
fn tell_shared() {
    let text = "the result shares memory with what the call reads here (MPI 5.0 §12.3.4)";
    nemesis_mpi_check::suspect(&kinds::TOLERATED, || text.into());
}

#[inline(always)]
pub fn fetch_and_op(
    origin_addr: UserBuffer,
    result_addr: UserBuffer,
    datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    op: Op,
    win: Win,
) -> Outcome {
    let at = (target_rank, target_disp as i64);
    let contiguous = (
        origin_addr.contiguous(1, datatype).filter(|_| op != abi::MPI_NO_OP),
        result_addr.contiguous(1, datatype),
    );
    if let (operand, Some(result)) = &contiguous
        && let Some(mut mpi) = engine::enter_open()
        && rma::accumulate_contiguous(
            &mut mpi,
            win,
            at,
            (op, datatype),
            operand.as_ref(),
            Some(result),
        )
    {
        return Ok(());
    }
    fetch_slow(origin_addr, result_addr, datatype, target_rank, target_disp, op, win)
}

/// Slow path of [`fetch_and_op`].
#[inline(never)]
fn fetch_slow(
    origin_addr: UserBuffer,
    result_addr: UserBuffer,
    datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    op: Op,
    win: Win,
) -> Outcome {
    staging::repeated(|| {
        let mut mpi = enter_on(win)?;
        single(&mpi, datatype)?;
        let origin = operands(&mpi, origin_addr, 1, datatype, op)?;
        let result = result_addr.buffer(&mpi, 1, datatype)?;
        check_apart(&[&origin], &result);
        let target = target(&mpi, target_rank, target_disp, 1, datatype)?;
        let accumulation = Accumulation { origin: &origin, op, result: Some(&result) };
        with_copies(&mut mpi, false, |mpi, wanted| {
            rma::accumulate(mpi, win, &accumulation, &target, wanted)
        })
        .map(drop)
    })
}

#[inline(always)]
pub fn compare_and_swap(
    origin_addr: UserBuffer,
    compare_addr: UserBuffer,
    result_addr: UserBuffer,
    datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    win: Win,
) -> Outcome {
    let at = (target_rank, target_disp as i64);
    let contiguous =
        [origin_addr, compare_addr, result_addr].map(|address| address.contiguous(1, datatype));
    if let [Some(origin), Some(compare), Some(result)] = &contiguous
        && let Some(mut mpi) = engine::enter_open()
        && rma::swap_contiguous(&mut mpi, win, at, datatype, [origin, compare, result])
    {
        return Ok(());
    }
    swap_slow([origin_addr, compare_addr, result_addr], datatype, target_rank, target_disp, win)
}

/// Slow path of [`compare_and_swap`].
#[inline(never)]
fn swap_slow(
    [origin_addr, compare_addr, result_addr]: [UserBuffer; 3],
    datatype: Datatype,
    target_rank: c_int,
    target_disp: isize,
    win: Win,
) -> Outcome {
    staging::repeated(|| {
        let mut mpi = enter_on(win)?;
        single(&mpi, datatype)?;
        let origin = origin_addr.buffer(&mpi, 1, datatype)?;
        let compare = compare_addr.buffer(&mpi, 1, datatype)?;
        let result = result_addr.buffer(&mpi, 1, datatype)?;
        check_apart(&[&origin, &compare], &result);
        let target = target(&mpi, target_rank, target_disp, 1, datatype)?;
        with_copies(&mut mpi, false, |mpi, wanted| {
            rma::compare_and_swap(mpi, win, [&origin, &compare, &result], &target, wanted)
        })
        .map(drop)
    })
}
