//! Gathers the accesses of rows (`gathered`), and carries them out.

use super::gathered::{ACCESS_MAX_BYTES, Gathered, Kind, Row};
use super::kernel_copy::{read_pieces, write_pieces};
use super::resolve::open;
use super::state::{RMA, Rma, Windows, rma};
use super::target::{Spot, Target, no_segment};
use super::window::Reach;
use crate::engine::Engine;
use crate::error::Outcome;
use crate::handle;
use nemesis_datatype::Buffer;
use std::mem;

/// Gathers a put, if it continues a row. Returns false if the caller has to carry it out.
pub(super) fn put(
    engine: &mut Engine,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let Some(data) = origin.as_bytes() else { return Ok(false) };
    let continues = continue_row(engine, win, Kind::Put, data.len(), target)?;
    if continues {
        rma(engine).gathered.staging.extend_from_slice(data);
    }
    Ok(continues)
}

/// Gathers a get, as [`put`] does.
pub(super) fn get(
    engine: &mut Engine,
    win: handle::Win,
    origin: &Buffer,
    target: &Target,
) -> Outcome<bool> {
    let Some(memory) = origin.as_bytes() else { return Ok(false) };
    let continues = continue_row(engine, win, Kind::Get, memory.len(), target)?;
    if continues {
        rma(engine).gathered.results.push(origin.clone());
    }
    Ok(continues)
}

/// Adds the target's memory to the row, if the access continues it. Otherwise ends the row, and
/// begins another one with this access.
fn continue_row(
    engine: &mut Engine,
    win: handle::Win,
    kind: Kind,
    bytes: usize,
    target: &Target,
) -> Outcome<bool> {
    let window = engine.window_mut(win)?;
    let Some(exposed) = window.exposed.get(target.rank as usize) else { return Ok(false) };
    let is_far = matches!(exposed.reach, Reach::Distant { .. } | Reach::Dynamic(_));
    if !is_far || bytes == 0 || bytes > ACCESS_MAX_BYTES {
        return Ok(false);
    }
    let row = Row { win, process: exposed.process, kind };
    if rma(engine).gathered.row != Some(row) {
        complete(engine)?;
        begin_row(engine, row);
        return Ok(false);
    }
    let Some(opened) = open(engine, win, target)? else { return Ok(false) };
    let Spot::Far { distant, .. } = &opened.spot else { return Ok(false) };
    let first = distant.runs(0).next();
    let Some(run) = first.filter(|run| run.len == bytes && distant.bytes() == bytes) else {
        return Ok(false);
    };
    let address = run.address as u64;
    if rma(engine).gathered.is_full(bytes) {
        complete(engine)?;
        begin_row(engine, row);
    }
    rma(engine).gathered.push(address, bytes);
    Ok(true)
}

fn begin_row(engine: &mut Engine, row: Row) {
    let Rma { gathered, windows, .. } = rma(engine);
    gathered.row = Some(row);
    // Every flush has to look here.
    windows.get_mut(row.win).into_iter().for_each(|window| window.epoch.begin_row());
}

/// Returns the row, which ends.
fn take_row(engine: &mut Engine) -> Option<Row> {
    let Rma { gathered, windows, .. } = rma(engine);
    let row = gathered.row.take()?;
    windows.get_mut(row.win).into_iter().for_each(|window| window.epoch.end_row());
    Some(row)
}

/// Carries out the accesses of the row, and ends it. For synchronisations, and for accesses that
/// come after those of the row.
#[inline]
pub(super) fn complete(engine: &mut Engine) -> Outcome {
    if end_empty_row(engine) { Ok(()) } else { carry_out(engine) }
}

/// Ends the row if no access waits. Returns false if one does.
#[inline]
pub(super) fn end_empty_row(engine: &mut Engine) -> bool {
    let Gathered { row, accesses, .. } = &rma(engine).gathered;
    if *accesses > 0 {
        return false;
    }
    if row.is_some() {
        take_row(engine);
    }
    true
}

#[cold]
fn carry_out(engine: &mut Engine) -> Outcome {
    let Some(Row { process, kind, .. }) = take_row(engine) else { return Ok(()) };
    let Engine { pt2pt, memory, .. } = engine;
    let gathered = &mut RMA.get_mut(&mut pt2pt.core.token).gathered;
    let (accesses, bytes) = (mem::take(&mut gathered.accesses), mem::take(&mut gathered.bytes));
    let memory = memory.as_ref().ok_or_else(no_segment)?;
    let Gathered { pieces, staging, results, .. } = gathered;
    staging.resize(bytes, 0);
    let done = match kind {
        Kind::Put => write_pieces(memory, process, pieces.iter().copied(), staging),
        Kind::Get => read_pieces(memory, process, pieces.iter().copied(), staging),
    };
    if done.is_ok() {
        let mut from = 0;
        for result in results.iter() {
            result.unpack_at(0, &staging[from..from + result.bytes()]);
            from += result.bytes();
        }
    }
    pieces.clear();
    staging.clear();
    results.clear();
    done.map_err(|mut error| {
        let call = if kind == Kind::Put { "MPI_Put" } else { "MPI_Get" };
        let before = format!(" (by {accesses} calls of {call} before this one)");
        error.why.to_mut().push_str(&before);
        error
    })
}
