//! Development checks: programs that rely on collective operations that do not wait.
//!
//! The root of a broadcast may return before the others have called it, or wait until they have
//! (MPI 5.0 §6.14). A program whose root then sends what another process wants to have before it
//! calls the broadcast works with the former only. So a program that is checked finds the latter:
//! after an operation each process waits until all have called it. A program that relies on the
//! contrary stands still, and `mpiexec` tells which calls wait.
//!
//! Each process tells another one in each of log2(n) rounds, by packets without a receive, as the
//! types of data are told (`types`): a process that gives up leaves nothing behind.

use crate::comm::signature::Signature;
use crate::context::Class;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle::{self, Handle};
use crate::matching::Pattern;
use crate::mismatch;
use crate::protocol::kind;
use nemesis::wire::Header;
use nemesis_mpi_check::accesses;

/// Waits until all processes of the communicator have called its latest operation, which has this
/// signature, if this is one for which a process may not have to wait. `waits`: otherwise, only
/// tells the others that this one has called it.
#[cold]
pub fn wait_for_all(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    waits: bool,
) -> Outcome {
    let object = mpi.comm(comm)?;
    let processes = object.everyone();
    if object.is_inter() || !signature.may_leave_early() || !accesses::are_of_job(&processes) {
        return Ok(());
    }
    let (rank, size) = (object.rank, object.size());
    let context = object.context.class(Class::Together);
    let tag = object.collectives.tag();
    let at = |rank: u32| processes[rank as usize];
    mpi.pt2pt.core.upper.blocking_on = comm;
    mpi.pt2pt.core.upper.awaits_all = true;
    let (mut distance, mut differs) = (1, false);
    while distance < size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        let header =
            Header { kind: kind::EAGER, context: context.0, tag, rank, ..Header::default() };
        mpi.pt2pt.send_control(at(to), header, [0; 3]);
        let pattern = Pattern { context, rank: from, tag };
        mpi.wait_until(Some(at(from)), |mpi| {
            let is_lost = mpi.pt2pt.core.losses.check(at(from)).is_err();
            if !waits || is_lost || mpi.pt2pt.core.goes_on.after_collectives {
                return true;
            }
            // Another process may have called another operation, and asks.
            differs = differs || mismatch::look_for_reports(mpi, comm);
            differs || mpi.pt2pt.core.take_unexpected(&pattern).is_some()
        });
        distance *= 2;
    }
    mpi.pt2pt.core.upper.blocking_on = handle::Comm::NULL;
    mpi.pt2pt.core.upper.awaits_all = false;
    if differs { Err(mismatch::await_verdict(mpi, comm)) } else { Ok(()) }
}
