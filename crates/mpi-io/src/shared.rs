//! The shared pointer of a file, and the lock of atomic mode (MPI 5.0 §14.4.4, §14.6.1).
//!
//! Both are words of rank 0 in a window of the file's processes: shared memory within a node, and
//! requests to rank 0 from other nodes. Nothing of them is a file, so a process that is killed
//! leaves nothing behind. A file of one process has a number in place of the window.

use crate::abi;
use crate::coll;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::file::{Files, Shared};
use crate::handle;
use crate::rma;
use nemesis_datatype::{Buffer, Datatype};

/// Makes the shared pointer of a new file. Collective.
pub(crate) fn create(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Shared> {
    let object = mpi.comm(comm)?;
    if object.size() == 1 {
        return Ok(Shared::Own(0));
    }
    let win = rma::allocate_at_rank_zero(mpi, comm, size_of::<i64>())?;
    // The program does not access this window.
    nemesis_mpi_check::accesses::close(win.0);
    Ok(Shared::Window { win, busy: false })
}

/// Waits until what this rank did with the pointer and the lock has ended at rank 0.
pub(crate) fn finish(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    match mpi.file(fh)?.shared {
        Shared::Own(_) => Ok(()),
        Shared::Window { win, .. } => rma::await_accesses(mpi, win),
    }
}

/// Frees the window, which no rank uses any more: all have met since they called [`finish`].
pub(crate) fn free(mpi: &mut Mpi, shared: Shared) -> Outcome {
    match shared {
        Shared::Own(_) => Ok(()),
        Shared::Window { win, .. } => rma::release(mpi, win),
    }
}

fn word() -> Outcome<Buffer> {
    let int64 = Datatype::predefined(abi::MPI_INT64_T.0).expect("MPI_INT64_T is predefined");
    coll::scratch(1, int64)
}

/// Combines `operand` with the pointer in one step, and returns its value before.
fn access(mpi: &mut Mpi, win: handle::Win, op: handle::Op, operand: i64) -> Outcome<i64> {
    let (origin, result) = (word()?, word()?);
    origin.unpack_at(0, &operand.to_le_bytes());
    let target = rma::Target { rank: 0, disp: 0, count: 1, datatype: origin.datatype().clone() };
    rma::lock(mpi, win, abi::MPI_LOCK_SHARED, 0, 0)?;
    let accumulation = rma::Accumulation { origin: &origin, op, result: Some(&result) };
    let done = rma::accumulate(mpi, win, &accumulation, &target, false);
    rma::unlock(mpi, win, 0)?;
    done?;
    let [before] = coll::get_words(&result, 0);
    Ok(before as i64)
}

/// Runs `act` while no other thread of this process accesses the window.
fn alone<R>(
    mpi: &mut Mpi,
    fh: handle::File,
    act: impl FnOnce(&mut Mpi, handle::Win) -> Outcome<R>,
) -> Outcome<R> {
    let busy = |mpi: &mut Mpi| match mpi.file_mut(fh).map(|file| &mut file.shared) {
        Ok(Shared::Window { busy, .. }) => std::mem::replace(busy, true),
        _ => false,
    };
    mpi.wait_until(None, |mpi| !busy(mpi));
    let Shared::Window { win, .. } = mpi.file(fh)?.shared else {
        return Err(Error::new(abi::MPI_ERR_INTERN, "the file has no window"));
    };
    let done = act(mpi, win);
    if let Shared::Window { busy, .. } = &mut mpi.file_mut(fh)?.shared {
        *busy = false;
    }
    mpi.wake_others();
    done.map_err(|error| error.on_file(fh))
}

/// Adds to the pointer and returns its value before.
pub fn fetch_add(mpi: &mut Mpi, fh: handle::File, etypes: i64) -> Outcome<i64> {
    if let Shared::Own(pointer) = &mut mpi.file_mut(fh)?.shared {
        let before = *pointer;
        *pointer = before.saturating_add(etypes);
        return Ok(before);
    }
    alone(mpi, fh, |mpi, win| access(mpi, win, abi::MPI_SUM, etypes))
}

/// Sets the pointer.
pub fn set(mpi: &mut Mpi, fh: handle::File, etypes: i64) -> Outcome {
    if let Shared::Own(pointer) = &mut mpi.file_mut(fh)?.shared {
        *pointer = etypes;
        return Ok(());
    }
    alone(mpi, fh, |mpi, win| access(mpi, win, abi::MPI_REPLACE, etypes)).map(drop)
}

/// Runs `act` while no other process or thread is in `locked` for this file.
pub fn locked<R>(mpi: &mut Mpi, fh: handle::File, act: impl FnOnce(&mut Mpi) -> R) -> Outcome<R> {
    if let Shared::Own(_) = mpi.file(fh)?.shared {
        return Ok(act(mpi));
    }
    alone(mpi, fh, |mpi, win| {
        rma::lock(mpi, win, abi::MPI_LOCK_EXCLUSIVE, 0, 0)?;
        let done = act(mpi);
        rma::unlock(mpi, win, 0)?;
        Ok(done)
    })
}
