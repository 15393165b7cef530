//! Partitioned communication (MPI 5.0 chapter 4).

use super::arguments::{negative_count, put_request};
use crate::params::{InSlice, Out, UserBuffer};
use crate::staging;
use nemesis_mpi::abi;
use nemesis_mpi::engine::{Engine, Mpi};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info, Request};
use nemesis_mpi::info;
use nemesis_mpi::lanes;
use nemesis_mpi::partitioned::{self, Partitions};
use std::ffi::c_int;

/// Checked partitions: their number, count, datatype, buffer.
fn partitions(
    mpi: &Engine,
    address: UserBuffer,
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
    let buffer = address.message(mpi, total, datatype)?;
    let copies = staging::take();
    Ok(Partitions { buffer, number: number as usize, each: count as usize, copies })
}

#[cold]
fn too_many(number: c_int, count: i64) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_COUNT,
        format!("{number} partitions of {count} elements are more elements than 64 bits can count"),
    )
}

#[allow(clippy::too_many_arguments)]
pub fn psend_init(
    buf: UserBuffer,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    info: Info,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = lanes::enter_for_data(comm, tag, &[datatype])?;
    mpi.comm(comm)?;
    let request = request.require("request")?;
    let all = self::partitions(&mpi, buf, partitions, count, datatype)?;
    let envelope = mpi.comms.envelope(comm, dest, tag)?;
    info::hints(info)?;
    let made = partitioned::send_init(&mut mpi, comm, all, envelope)?;
    put_request(request, lanes::name(mpi.lane, made)?);
    Ok(())
}

#[allow(clippy::too_many_arguments)]
pub fn precv_init(
    buf: UserBuffer,
    partitions: c_int,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    info: Info,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = lanes::enter_for_data(comm, tag, &[datatype])?;
    mpi.comm(comm)?;
    let request = request.require("request")?;
    let all = self::partitions(&mpi, buf, partitions, count, datatype)?;
    let wanted = mpi.comms.wanted(comm, source, tag)?;
    info::hints(info)?;
    let made = partitioned::receive_init(&mut mpi, comm, all, wanted)?;
    put_request(request, lanes::name(mpi.lane, made)?);
    Ok(())
}

/// Enters the lane of a request, and returns its name there.
fn enter_of(request: Request) -> Outcome<(Mpi, Request)> {
    let (lane, inside) = lanes::split(request);
    Ok((lanes::enter_lane(lane)?, inside))
}

pub fn pready(partition: c_int, request: Request) -> Outcome {
    let (mut mpi, request) = enter_of(request)?;
    partitioned::ready(&mut mpi, request, std::iter::once(i64::from(partition)))
}

pub fn pready_range(partition_low: c_int, partition_high: c_int, request: Request) -> Outcome {
    let (mut mpi, request) = enter_of(request)?;
    if partition_low > partition_high {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("the range from {partition_low} to {partition_high} is none"),
        ));
    }
    partitioned::ready(&mut mpi, request, i64::from(partition_low)..=i64::from(partition_high))
}

pub fn pready_list(
    length: c_int,
    array_of_partitions: InSlice<'_, c_int>,
    request: Request,
) -> Outcome {
    let (mut mpi, request) = enter_of(request)?;
    if length < 0 {
        return Err(negative_count(i64::from(length)));
    }
    let which = array_of_partitions.require("array_of_partitions")?;
    partitioned::ready(&mut mpi, request, which.iter().map(|&partition| i64::from(partition)))
}

pub fn parrived(request: Request, partition: c_int, flag: Out<'_, c_int>) -> Outcome {
    let (mut mpi, request) = enter_of(request)?;
    let flag = flag.require("flag")?;
    let arrived = partitioned::arrived(&mut mpi, request, i64::from(partition))?;
    flag.write(c_int::from(arrived));
    Ok(())
}
