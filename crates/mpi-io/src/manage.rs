//! Sizes, synchronisation, atomic mode and hints of files (MPI 5.0 §14.2.4 to §14.2.8, §14.6).

use crate::access::drain;
use crate::agree::{agree, agree_on, check_same};
use crate::engine::{Engine, Mpi};
use crate::errno::refused;
use crate::error::{Error, Outcome};
use crate::file::{Files, OpenFile};
use crate::file_system;
use crate::hints;
use crate::info::{self, Info};
use crate::kernel;
use crate::open::aggregators;
use crate::{abi, handle};
use nemesis_sys::file::{Errno, File};
use std::sync::Arc;

/// Most ranks of a node that access a file for all of them.
const PER_NODE_MAX: u64 = 8;
/// Most bytes that the descriptions of views may have at all aggregators of a node together, unless
/// there is one aggregator.
const DESCRIPTIONS_MAX_BYTES: u64 = 64 << 20;

/// Checks a size, which all ranks give alike, and returns it when all ranks have come.
fn agreed_size(mpi: &mut Mpi, fh: handle::File, size: i64) -> Outcome<u64> {
    drain(mpi, fh)?;
    let file = mpi.file(fh)?;
    let comm = file.comm;
    let own = if size < 0 {
        Err(Error::new(abi::MPI_ERR_ARG, format!("size is {size}, it must not be negative")))
    } else if !file.may_write() {
        Err(Error::new(abi::MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY"))
    } else if file.is_sequential() {
        Err(sequential())
    } else {
        Ok([size as u64, 0, 0, 0])
    };
    let all = agree(mpi, comm, own).map_err(|error| error.on_file(fh))?;
    check_same(mpi, comm, &all, |words| words[0], || format!("size is {size}"))?;
    Ok(size as u64)
}

#[cold]
fn sequential() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_UNSUPPORTED_OPERATION,
        "the file is open with MPI_MODE_SEQUENTIAL, so it has no size and no offsets",
    )
}

/// Carries out an action at rank 0, and returns its outcome at all ranks.
fn at_rank_zero(
    mpi: &mut Mpi,
    fh: handle::File,
    (call, action): (&'static str, &str),
    act: impl FnOnce(&File) -> Result<(), Errno>,
) -> Outcome {
    let file = mpi.file(fh)?;
    let (comm, system, name) = (file.comm, file.system.clone(), file.name());
    let mut done = Ok(());
    if file.rank == 0 {
        let entered = kernel::enter(mpi, call, &system, |_| name.clone());
        mpi.aside(|| done = act(&system));
        kernel::leave(mpi, entered);
    }
    let done = done.map_err(|errno| refused(action, &name, errno));
    agree_on(mpi, comm, done).map_err(|error| error.on_file(fh))
}

/// Implements `MPI_File_set_size`.
pub fn set_size(mpi: &mut Mpi, fh: handle::File, size: i64) -> Outcome {
    let size = agreed_size(mpi, fh, size)?;
    at_rank_zero(mpi, fh, ("MPI_File_set_size", "setting the size of"), |file| file.set_size(size))
}

/// Implements `MPI_File_preallocate`.
pub fn preallocate(mpi: &mut Mpi, fh: handle::File, size: i64) -> Outcome {
    let size = agreed_size(mpi, fh, size)?;
    let what = ("MPI_File_preallocate", "allocating storage for");
    at_rank_zero(mpi, fh, what, |file| file.preallocate(size))
}

/// Implements `MPI_File_get_size`.
pub fn get_size(mpi: &mut Mpi, fh: handle::File) -> Outcome<i64> {
    let file = mpi.file(fh)?;
    if file.is_sequential() {
        return Err(sequential());
    }
    size_of_file(mpi, fh, "MPI_File_get_size").map(|size| size as i64)
}

/// Returns the length of a file in bytes, for the function `call`.
pub(crate) fn size_of_file(mpi: &mut Mpi, fh: handle::File, call: &'static str) -> Outcome<u64> {
    let system = mpi.file(fh)?.system.clone();
    let name = |engine: &Engine| engine.file(fh).map(OpenFile::name).unwrap_or_default();
    let entered = kernel::enter(mpi, call, &system, name);
    let size = system.size();
    kernel::leave(mpi, entered);
    size.map_err(|errno| refused("asking for the size of", &name(mpi), errno))
}

/// Implements `MPI_File_sync`: what this process and the others have written is stored, and visible
/// to all of them.
pub fn sync(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    drain(mpi, fh)?;
    let file = mpi.file(fh)?;
    let (comm, system, name) = (file.comm, file.system.clone(), file.name());
    let leads = file.leaders.get(file.rank as usize) == Some(&file.rank);
    let may_write = match file.may_write() {
        true => Ok(()),
        false => Err(Error::new(abi::MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY")),
    };
    agree_on(mpi, comm, may_write).map_err(|error| error.on_file(fh))?;
    // All ranks have written. The processes of a node share the kernel's cache.
    let mut done = Ok(());
    if leads {
        let entered = kernel::enter(mpi, "MPI_File_sync", &system, |_| name.clone());
        mpi.aside(|| done = system.sync());
        kernel::leave(mpi, entered);
    }
    let done = done.map_err(|errno| refused("storing", &name, errno));
    agree_on(mpi, comm, done).map_err(|error| error.on_file(fh))
}

/// Implements `MPI_File_set_atomicity`.
pub fn set_atomicity(mpi: &mut Mpi, fh: handle::File, is_atomic: bool) -> Outcome {
    drain(mpi, fh)?;
    let comm = mpi.file(fh)?.comm;
    let all =
        agree(mpi, comm, Ok([u64::from(is_atomic), 0, 0, 0])).map_err(|error| error.on_file(fh))?;
    let own = || format!("flag is {}", i32::from(is_atomic));
    check_same(mpi, comm, &all, |words| words[0], own).map_err(|error| error.on_file(fh))?;
    mpi.file_mut(fh)?.is_atomic = is_atomic;
    Ok(())
}

/// Implements `MPI_File_get_atomicity`.
pub fn get_atomicity(mpi: &Mpi, fh: handle::File) -> Outcome<bool> {
    Ok(mpi.file(fh)?.is_atomic)
}

/// Implements `MPI_File_set_info`. `given` is an error if this rank's info is invalid.
pub fn set_info(mpi: &mut Mpi, fh: handle::File, given: Outcome<Info>) -> Outcome {
    drain(mpi, fh)?;
    let comm = mpi.file(fh)?.comm;
    let (given, failed) = match given {
        Ok(given) => (given, Ok(())),
        Err(error) => (Info::default(), Err(error)),
    };
    agree_on(mpi, comm, failed).map_err(|error| error.on_file(fh))?;
    accept_hints(mpi, fh, &given)
}

/// Accepts rank 0's hints. Collective. The aggregators, which hold the views of all ranks, stay the
/// same until a view is set.
pub(crate) fn accept_hints(mpi: &mut Mpi, fh: handle::File, given: &Info) -> Outcome {
    let comm = mpi.file(fh)?.comm;
    let hints = hints::of_rank_zero(mpi, comm, given).map_err(|error| error.on_file(fh))?;
    let file = mpi.file_mut(fh)?;
    file.hints.accept(&hints);
    file.window_bytes = file.hints.window_bytes();
    Ok(())
}

/// Returns the aggregators that the hints ask for, which get the views of all ranks. Of the ranks
/// that share memory, several access the file: as many as can hold the views, whose descriptions
/// have `described` bytes.
pub(crate) fn choose_aggregators(file: &OpenFile, described: u64) -> Arc<[u32]> {
    let each = match file.node_windows {
        None => 1,
        Some(_) => (DESCRIPTIONS_MAX_BYTES / described.max(1)).clamp(1, PER_NODE_MAX),
    };
    aggregators(&file.leaders, file.hints.number("cb_nodes"), each as usize).into()
}

/// Implements `MPI_File_get_info`: all hints in use.
pub fn get_info(mpi: &Mpi, fh: handle::File) -> Outcome<Info> {
    let file = mpi.file(fh)?;
    let list: Vec<String> = file.aggregators.iter().map(u32::to_string).collect();
    Ok(file.hints.effective(&[
        ("cb_nodes", list.len().to_string()),
        ("romio_aggregator_list", list.join(" ")),
        ("romio_filesystem_type", file_system::of(&file.system).name.to_owned()),
        ("filename", file.name()),
        (info::MEMORY_KINDS_KEY, info::memory_kinds().to_owned()),
    ]))
}
