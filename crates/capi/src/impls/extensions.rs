//! Extensions that programs of MPICH's and Open MPI's ABI know (`MPIX_…`) and that have a plain
//! answer.

use crate::params::{Out, OutSlice};
use crate::types::Iov;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::{abi, enter, enter_any, rma};
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

/// MPICH's `MPIX_STREAM_NULL`. It is the only stream, because none can be made.
const STREAM_NULL: c_int = 0x3c00_0000;

fn require_null_stream(stream: c_int) -> Outcome {
    if stream == STREAM_NULL {
        return Ok(());
    }
    let why = format!("stream is {stream:#x}, and the library has no streams");
    Err(Error::new(abi::MPI_ERR_ARG, why).advise("pass MPIX_STREAM_NULL"))
}

/// No communicator has streams, which MPICH tells by the null stream.
pub fn comm_get_stream(comm: Comm, idx: c_int, stream: Out<'_, c_int>) -> Outcome {
    enter()?.comm(comm)?;
    if idx < 0 {
        return Err(Error::new(abi::MPI_ERR_ARG, format!("idx is {idx}, it must not be negative")));
    }
    stream.put("stream", STREAM_NULL)
}

/// Makes one round of progress.
pub fn stream_progress(stream: c_int) -> Outcome {
    require_null_stream(stream)?;
    enter()?.progress_of_test();
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
