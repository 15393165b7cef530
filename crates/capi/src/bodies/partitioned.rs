//! Partitioned communication (MPI 5.0 chapter 4).

use super::arguments::{message_buffer, negative_count};
use super::{place, put};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use nemesis_mpi::info;
use nemesis_mpi::partitioned::{self, Partitions};
use std::ffi::{c_int, c_void};

/// Checked partitions: their number, count, datatype, buffer.
unsafe fn partitions(
    mpi: &Engine,
    address: *const c_void,
    number: c_int,
    count: i64,
    datatype: Datatype,
) -> Outcome<Partitions> {
    if number < 1 {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("there are {number} partitions, at least one is needed"),
        ));
    }
    if count < 0 {
        return Err(negative_count(count));
    }
    let total = count.checked_mul(i64::from(number)).ok_or_else(|| too_many(number, count))?;
    // SAFETY: the caller's buffer, which has room for all partitions.
    let buffer = unsafe { message_buffer(mpi, address, total, datatype) }?;
    Ok(Partitions { buffer, number: number as usize, each: count as usize })
}

#[cold]
fn too_many(number: c_int, count: i64) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_COUNT,
        format!("{number} partitions of {count} elements are more elements than 64 bits can count"),
    )
}

#[allow(clippy::too_many_arguments)]
pub unsafe fn psend_init(
    buf: *const c_void,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let request = place(request, "request")?;
    // SAFETY: the caller's buffer.
    let all = unsafe { self::partitions(&mpi, buf, partitions, count, datatype) }?;
    let envelope = mpi.envelope(comm, dest, tag)?;
    info::hints(info)?;
    let made = partitioned::send_init(&mut mpi, comm, all, envelope)?;
    // SAFETY: the caller's place.
    unsafe { request.write(made) };
    Ok(())
}

#[allow(clippy::too_many_arguments)]
pub unsafe fn precv_init(
    buf: *mut c_void,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    info: Info,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let request = place(request, "request")?;
    // SAFETY: the caller's buffer.
    let all = unsafe { self::partitions(&mpi, buf, partitions, count, datatype) }?;
    let wanted = mpi.wanted(comm, source, tag)?;
    info::hints(info)?;
    let made = partitioned::receive_init(&mut mpi, comm, all, wanted)?;
    // SAFETY: the caller's place.
    unsafe { request.write(made) };
    Ok(())
}

pub unsafe fn pready(partition: c_int, request: Request) -> Outcome {
    partitioned::ready(&mut enter()?, request, std::iter::once(i64::from(partition)))
}

pub unsafe fn pready_range(
    partition_low: c_int,
    partition_high: c_int,
    request: Request,
) -> Outcome {
    let mut mpi = enter()?;
    if partition_low > partition_high {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("the range from {partition_low} to {partition_high} is none"),
        ));
    }
    partitioned::ready(&mut mpi, request, i64::from(partition_low)..=i64::from(partition_high))
}

pub unsafe fn pready_list(
    length: c_int,
    array_of_partitions: *const c_int,
    request: Request,
) -> Outcome {
    let mut mpi = enter()?;
    let length = usize::try_from(length).map_err(|_| negative_count(i64::from(length)))?;
    if length > 0 && array_of_partitions.is_null() {
        return Err(Error::new(abi::MPI_ERR_ARG, "array_of_partitions is a null pointer"));
    }
    // SAFETY: an array of that length, unless it is empty.
    let which: Vec<i64> = (0..length)
        .map(|index| i64::from(unsafe { array_of_partitions.add(index).read() }))
        .collect();
    partitioned::ready(&mut mpi, request, which.iter().copied())
}

pub unsafe fn parrived(request: Request, partition: c_int, flag: *mut c_int) -> Outcome {
    let mut mpi = enter()?;
    let flag = place(flag, "flag")?;
    let arrived = partitioned::arrived(&mut mpi, request, i64::from(partition))?;
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(arrived)) }
}
