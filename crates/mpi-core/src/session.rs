//! Session objects and process sets (MPI 5.0 §11.3).

use crate::abi;
use crate::attached_buffers::BufferNumber;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::info::Info;

/// An open session.
pub struct Session {
    /// The granted thread level.
    pub thread_level: i32,
    /// The granted hints.
    pub hints: Info,
    /// The session's own buffer of the buffered mode.
    pub buffer: Option<BufferNumber>,
}

/// Names of the process sets, by number.
pub const PROCESS_SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];

impl Engine {
    /// Returns the session that a handle names.
    pub fn session(&self, handle: handle::Session) -> Outcome<&Session> {
        self.sessions.get(handle).map_err(|dead| Error::dead(abi::MPI_ERR_SESSION, dead))
    }

    /// Returns the processes of a set, or `None` if there is no such set.
    pub fn process_set(&self, name: &str) -> Option<Group> {
        let size = self.wireup.as_ref().map_or(1, |wireup| wireup.size());
        match PROCESS_SETS.iter().position(|known| known.eq_ignore_ascii_case(name))? {
            0 => Some(Group::new((0..size).collect())),
            _ => Some(Group::new(vec![self.own_process()])),
        }
    }
}
