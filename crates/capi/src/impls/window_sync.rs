//! Synchronisation of windows (MPI 5.0 §12.5).

use crate::params::Out;
use nemesis_mpi::engine::{self, enter_and_progress};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::group;
use nemesis_mpi::handle::{Group, Win};
use nemesis_mpi::rma::{self, Windows};
use std::ffi::c_int;

pub fn win_fence(assert: c_int, win: Win) -> Outcome {
    rma::fence(&mut enter_and_progress()?, win, assert)
}

pub fn win_post(group: Group, assert: c_int, win: Win) -> Outcome {
    let mut mpi = enter_and_progress()?;
    mpi.window(win)?;
    rma::post(&mut mpi, win, &group::get(group)?, assert)
}

pub fn win_start(group: Group, assert: c_int, win: Win) -> Outcome {
    let mut mpi = enter_and_progress()?;
    mpi.window(win)?;
    rma::start(&mut mpi, win, &group::get(group)?, assert)
}

pub fn win_complete(win: Win) -> Outcome {
    rma::complete(&mut enter_and_progress()?, win)
}

pub fn win_wait(win: Win) -> Outcome {
    rma::wait(&mut enter_and_progress()?, win)
}

pub fn win_test(win: Win, flag: Out<'_, c_int>) -> Outcome {
    let flag = flag.require("flag")?;
    let over = rma::test(&mut enter_and_progress()?, win)?;
    flag.write(c_int::from(over));
    Ok(())
}

pub fn win_lock(lock_type: c_int, rank: c_int, assert: c_int, win: Win) -> Outcome {
    rma::lock(&mut enter_and_progress()?, win, lock_type, rank, assert)
}

pub fn win_unlock(rank: c_int, win: Win) -> Outcome {
    rma::unlock(&mut enter_and_progress()?, win, rank)
}

pub fn win_lock_all(assert: c_int, win: Win) -> Outcome {
    rma::lock_all(&mut enter_and_progress()?, win, assert)
}

pub fn win_unlock_all(win: Win) -> Outcome {
    rma::unlock_all(&mut enter_and_progress()?, win)
}

/// Flushes by the short way, if that suffices.
#[inline(always)]
fn flush(rank: c_int, win: Win) -> Outcome {
    if engine::enter_open().is_some_and(|engine| rma::flush_shortly(&engine, win, rank)) {
        return Ok(());
    }
    flush_slow(rank, win)
}

#[inline(never)]
fn flush_slow(rank: c_int, win: Win) -> Outcome {
    if engine::enter_open().is_some_and(|mut engine| rma::flush_alone(&mut engine, win, rank)) {
        return Ok(());
    }
    rma::flush(&mut enter_and_progress()?, win, rank)
}

#[inline(always)]
pub fn win_flush(rank: c_int, win: Win) -> Outcome {
    flush(rank, win)
}

pub fn win_flush_all(win: Win) -> Outcome {
    rma::flush_all(&mut enter_and_progress()?, win)
}

#[inline(always)]
pub fn win_flush_local(rank: c_int, win: Win) -> Outcome {
    flush(rank, win)
}

pub fn win_flush_local_all(win: Win) -> Outcome {
    rma::flush_all(&mut enter_and_progress()?, win)
}

pub fn win_sync(win: Win) -> Outcome {
    rma::sync(&mut enter_and_progress()?, win)
}
