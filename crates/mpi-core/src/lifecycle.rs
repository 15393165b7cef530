//! Start and end of MPI in this process (MPI 5.0 §11.2, §11.4).

use crate::abi;
use crate::error::{Error, Outcome};

/// Life-cycle stage of the engine, or of the world model (MPI 5.0 §11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Before,
    Running,
    Finalized,
}

/// How far MPI has come in this process, and the thread levels.
pub struct Lifecycle {
    pub stage: Stage,
    /// Number of users of the engine: the world model, and open sessions.
    pub users: u32,
    /// Highest thread level granted so far.
    pub thread_level: i32,
    /// Lowest thread level that is granted (`NEMESIS_THREAD_LEVEL`).
    pub least_thread_level: i32,
    /// `MPI_Finalize` is under way.
    pub finalizes: bool,
}

impl Lifecycle {
    pub(crate) const fn new() -> Lifecycle {
        Lifecycle {
            stage: Stage::Before,
            users: 0,
            thread_level: abi::MPI_THREAD_SINGLE,
            least_thread_level: abi::MPI_THREAD_SINGLE,
            finalizes: false,
        }
    }

    /// Fails unless MPI is initialised and not finalized.
    #[inline(always)]
    pub(crate) fn check_running(&self) -> Outcome {
        if self.stage == Stage::Running { Ok(()) } else { Err(not_running(self.stage)) }
    }
}

/// Why a call fails before MPI is initialised.
pub const NOT_INITIALISED: &str = "MPI is not initialised";

#[cold]
fn not_running(stage: Stage) -> Box<Error> {
    match stage {
        Stage::Finalized => Error::new(abi::MPI_ERR_OTHER, "MPI has been finalized")
            .advise("call it before MPI_Finalize, or open a session by MPI_Session_init"),
        _ => Error::new(abi::MPI_ERR_OTHER, NOT_INITIALISED)
            .advise("call MPI_Init, MPI_Init_thread or MPI_Session_init first"),
    }
}
