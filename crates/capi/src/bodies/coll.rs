//! Collective operations (MPI 5.0 chapter 6).

use nemesis_mpi::coll;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Comm;

pub unsafe fn barrier(comm: Comm) -> Outcome {
    let mut mpi = enter()?;
    mpi.comm(comm)?;
    let schedule = coll::barrier(&mut mpi, comm)?;
    coll::run(&mut mpi, schedule)
}
