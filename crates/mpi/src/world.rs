//! The world model: initialisation, finalization, abort (MPI 5.0 §11.2, §11.3).

use crate::abi;
use crate::coll;
use crate::comm::Comm;
use crate::context::{Class, Context};
use crate::engine::{Mpi, Stage, enter_any};
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::process;
use crate::request::{Activity, Request};
use nemesis::wire::LINE_PAYLOAD_BYTES;
use nemesis::{Endpoint, Tunables};
use nemesis_wireup::{Wireup, WireupError};

/// `MPI_Init_thread`: the thread level that is granted.
pub fn init(required: i32) -> Outcome<i32> {
    let mut mpi = enter_any()?;
    match mpi.stage {
        Stage::Before => {}
        Stage::Running => return Err(Error::new(abi::MPI_ERR_OTHER, "MPI is initialised already").advise("ask MPI_Initialized first")),
        Stage::Finalized => return Err(Error::new(abi::MPI_ERR_OTHER, "MPI has been finalized and cannot be initialised again")),
    }
    let granted = required.clamp(abi::MPI_THREAD_SINGLE, abi::MPI_THREAD_MULTIPLE);
    let tunables = Tunables::from_environment().map_err(|senseless| Error::new(abi::MPI_ERR_ARG, senseless.to_string()))?;
    let mut wireup = Wireup::connect().map_err(unwired)?;
    let mut endpoint = open(&mut wireup)?;
    endpoint.tune(&tunables);
    let (rank, size) = (wireup.rank(), wireup.size());
    process::introduce(rank, end_job);
    mpi.endpoint = Some(endpoint);
    mpi.wireup = Some(wireup);
    mpi.predefined_comms = [
        Some(Comm::new(Context::world(Class::PointToPoint), rank, Group::new((0..size).collect()), "MPI_COMM_WORLD")),
        Some(Comm::new(Context::own(rank), 0, Group::new(vec![rank]), "MPI_COMM_SELF")),
    ];
    mpi.done_request = mpi.core.requests.insert(Request::new(abi::MPI_COMM_SELF, Activity::Done));
    mpi.eager_max_bytes = tunables.eager_max_bytes;
    mpi.core.unexpected_max_bytes = tunables.unexpected_max_bytes;
    mpi.packing = vec![0; nemesis::PACKET_MAX_BYTES];
    mpi.thread_level = granted;
    mpi.main_thread = Some(std::thread::current().id());
    mpi.stage = Stage::Running;
    if granted == abi::MPI_THREAD_MULTIPLE {
        drop(mpi);
        crate::engine::admit_all_threads();
    } else {
        // The fast paths send eagerly whatever fits a line.
        mpi.set_open(tunables.eager_max_bytes >= LINE_PAYLOAD_BYTES);
    }
    Ok(granted)
}

fn open(wireup: &mut Wireup) -> Outcome<Endpoint> {
    Endpoint::join(wireup).map_err(unwired)
}

#[cold]
fn unwired(error: WireupError) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("{}: {}", error.what, error.why)).advise(error.advice)
}

/// `MPI_Finalize`: completes what is pending, waits for the others, leaves the job. The attributes of MPI_COMM_SELF are the caller's to delete
/// before.
pub fn finalize(mpi: &mut Mpi) -> Outcome {
    crate::buffered::flush_all(mpi);
    coll::run(mpi, abi::MPI_COMM_WORLD, coll::barrier)?;
    // Rendezvous whose DONE is still on its way to a peer, packets that found no room: peers wait for them in their own barrier or after it.
    mpi.wait_until(None, |mpi| mpi.outgoing_packets == 0 && mpi.core.streams.is_empty());
    mpi.stage = Stage::Finalized;
    mpi.set_open(false);
    if let Some(wireup) = &mut mpi.wireup {
        wireup.finalize().map_err(unwired)?;
    }
    Ok(())
}

/// `MPI_Abort`: asks the launcher to end the whole job, and ends this process.
pub fn abort(code: i32, message: &str) -> ! {
    if let Ok(mut mpi) = enter_any()
        && let Some(wireup) = &mut mpi.wireup
    {
        wireup.abort(process::exit_code(code), message);
    }
    std::process::exit(process::exit_code(code))
}

fn end_job(code: i32) -> ! {
    abort(code, "an MPI error is fatal")
}

/// The launcher has died under us: nobody is left to end us.
#[cold]
pub fn orphaned() -> ! {
    eprintln!("nemesis: {}: the launcher is gone, so the job ends", process::who());
    std::process::exit(1)
}
