//! Abort of the job (MPI 5.0 §11.4.2).

use crate::engine::enter_any;
use crate::process;

/// Implements `MPI_Abort`: asks the launcher to end the whole job, and ends this process.
pub fn abort(code: i32, message: &str) -> ! {
    if let Ok(mut mpi) = enter_any()
        && let Some(wireup) = &mut mpi.wireup
    {
        wireup.abort(process::exit_code(code), message);
    }
    std::process::exit(process::exit_code(code))
}
