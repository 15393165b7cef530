//! Extensions that programs of MPICH's and Open MPI's ABI know (`MPIX_…`) and that have a plain
//! answer.

use crate::params::Out;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Comm;
use std::ffi::c_int;

/// Buffers of no kind of accelerator are understood.
pub fn gpu_query_support(_gpu_type: c_int, is_supported: Out<'_, c_int>) -> Outcome {
    is_supported.put("is_supported", 0)
}

/// Buffers of CUDA are not understood.
pub fn query_cuda_support() -> c_int {
    0
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
