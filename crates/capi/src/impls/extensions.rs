//! Extensions that programs of MPICH's and Open MPI's ABI know (`MPIX_…`) and that have a plain
//! answer.

use crate::params::{InOut, Out, OutSlice};
use crate::types::Iov;
use nemesis_mpi::coll::signature::Creator;
use nemesis_mpi::engine::lanes::{Choice, LANES_MAX};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info};
use nemesis_mpi::{abi, comm, enter, enter_any, info, lanes, rma};
use std::ffi::c_int;

/// MPICH's `MPIX_GPU_SUPPORT_CUDA`.
const GPU_SUPPORT_CUDA: c_int = 0;

/// Buffers may be memory of CUDA, and of no other kind of accelerator.
pub fn gpu_query_support(gpu_type: c_int, is_supported: Out<'_, c_int>) -> Outcome {
    let is_cuda = gpu_type == GPU_SUPPORT_CUDA;
    is_supported.put("is_supported", if is_cuda { query_cuda_support() } else { 0 })
}

/// Buffers may be memory of CUDA, unless the user has switched that off.
pub fn query_cuda_support() -> c_int {
    c_int::from(nemesis_gpu::is_supported())
}

/// Buffers of HIP are not understood.
pub fn query_hip_support() -> c_int {
    0
}

/// Buffers of ROCm are not understood.
pub fn query_rocm_support() -> c_int {
    0
}

/// Buffers of Level Zero are not understood.
pub fn query_ze_support() -> c_int {
    0
}

/// No communicator has threads for members.
pub fn comm_test_threadcomm(comm: Comm, flag: Out<'_, c_int>) -> Outcome {
    enter()?.comm(comm)?;
    flag.put("flag", 0)
}

/// MPICH's `MPIX_STREAM_NULL`: the first lane.
const STREAM_NULL: c_int = 0x3c00_0000;
/// A stream of the program is a lane, whose number this value precedes.
const STREAM_MARK: c_int = 0x7c00_0000;

/// Returns the lane of a stream.
fn lane_of(stream: c_int) -> Outcome<usize> {
    if stream == STREAM_NULL {
        return Ok(0);
    }
    let lane = stream.wrapping_sub(STREAM_MARK) as usize;
    if (1..LANES_MAX).contains(&lane) {
        return Ok(lane);
    }
    let why = format!("stream is {stream:#x}, which is none of MPIX_Stream_create");
    Err(Error::new(abi::MPI_ERR_ARG, why).advise("pass MPIX_STREAM_NULL, or create a stream"))
}

fn stream_of(lane: usize) -> c_int {
    if lane == 0 { STREAM_NULL } else { STREAM_MARK + lane as c_int }
}

fn require_null_stream(stream: c_int) -> Outcome {
    if lane_of(stream)? == 0 {
        return Ok(());
    }
    let why = "a progress thread serves the whole process, and not one stream";
    Err(Error::new(abi::MPI_ERR_ARG, why).advise("pass MPIX_STREAM_NULL"))
}

/// Makes a stream: the next lane in turn. More streams than lanes share them.
pub fn stream_create(info: Info, stream: Out<'_, c_int>) -> Outcome {
    let mut mpi = enter()?;
    let stream = stream.require("stream")?;
    info::hints(info)?;
    stream.write(stream_of(mpi.draw_stream()));
    Ok(())
}

/// Frees a stream. Communicators that use it stay usable.
pub fn stream_free(stream: InOut<'_, c_int>) -> Outcome {
    let _running = enter()?;
    let place = stream.require("stream")?;
    lane_of(place.read())?;
    place.write(STREAM_NULL);
    Ok(())
}

/// Duplicates a communicator, without its attributes. Messages of the duplicate travel in the
/// stream's lane: that which the process passes that draws the context.
pub fn stream_comm_create(comm: Comm, stream: c_int, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let newcomm = newcomm.require("newcomm")?;
    let lane = Choice::Wish(lane_of(stream)?);
    let made = comm::duplicate(&mut mpi, comm, Creator::CommDup, lane)?;
    newcomm.write(made);
    Ok(())
}

/// The stream of a communicator is the lane in which its messages travel.
pub fn comm_get_stream(comm: Comm, idx: c_int, stream: Out<'_, c_int>) -> Outcome {
    let lane = enter()?.comm(comm)?.context.lane();
    if idx < 0 {
        return Err(Error::new(abi::MPI_ERR_ARG, format!("idx is {idx}, it must not be negative")));
    }
    stream.put("stream", stream_of(if idx == 0 { lane } else { 0 }))
}

/// Makes one round of progress in a stream.
pub fn stream_progress(stream: c_int) -> Outcome {
    let lane = lanes::open_or_first(lane_of(stream)?);
    lanes::enter_lane(lane)?.progress_of_test();
    Ok(())
}

/// Starts a thread by which communication goes on while the program computes.
pub fn start_progress_thread(stream: c_int) -> Outcome {
    require_null_stream(stream)?;
    rma::start_for_program(&mut enter()?)
}

/// Ends what [`start_progress_thread`] began.
pub fn stop_progress_thread(stream: c_int) -> Outcome {
    require_null_stream(stream)?;
    rma::stop_for_program(&mut enter()?)
}

/// Tells how many whole segments of a datatype fit into a number of bytes; a negative number stands
/// for all bytes.
pub fn type_iov_len(
    datatype: Datatype,
    max_iov_bytes: i64,
    iov_len: Out<'_, i64>,
    actual_iov_bytes: Out<'_, i64>,
) -> Outcome {
    let mpi = enter_any()?;
    let most = if max_iov_bytes < 0 { i64::MAX } else { max_iov_bytes };
    let (segments, bytes) = mpi.types.get(datatype)?.segments_within(most);
    iov_len.put("iov_len", segments).and(actual_iov_bytes.put("actual_iov_bytes", bytes))
}

/// Gives the segments of a datatype from number `iov_offset` on.
pub fn type_iov(
    datatype: Datatype,
    iov_offset: i64,
    iov: OutSlice<'_, Iov>,
    max_iov_len: i64,
    actual_iov_len: Out<'_, i64>,
) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    for (name, value) in [("iov_offset", iov_offset), ("max_iov_len", max_iov_len)] {
        if value < 0 {
            let why = format!("{name} is {value}, it must not be negative");
            return Err(Error::new(abi::MPI_ERR_ARG, why));
        }
    }
    let segments = datatype.segments_from(iov_offset).take(iov.len());
    let given = segments.len();
    iov.fill("iov", segments.map(|(base, len)| Iov { base: base as isize, len: len as isize }))?;
    actual_iov_len.put("actual_iov_len", given as i64)
}
