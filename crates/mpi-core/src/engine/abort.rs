//! Aborts that concern other jobs (MPI 5.0 §9.3, §11.4.2).
//!
//! A job ends as a whole, by its launcher. Jobs that are connected with it are told by ABORT
//! packets, and each of them ends itself:
//!
//! | cause | who is told |
//! |---|---|
//! | `MPI_Abort`, an error under `MPI_ERRORS_ABORT` | members of the communicator, window or file |
//! | an error under `MPI_ERRORS_ARE_FATAL` | all connected jobs, also through others |
//!
//! A process that has disconnected from another one is never told.

use super::Engine;
use crate::packet::{AbortCause, kind};
use crate::process;
use nemesis::wire::Header;
use nemesis_sys::virtual_process;
use nemesis_wireup::Launcher;
use std::time::Duration;

/// Time to tell processes of other jobs that they are aborted.
const TELL_TIMEOUT: Duration = Duration::from_secs(1);

impl Engine {
    /// Returns the processes of other jobs with which this process shares a communicator, a window
    /// or a file.
    pub fn connected_elsewhere(&self) -> Vec<u32> {
        let Some(endpoint) = &self.pt2pt.endpoint else { return Vec::new() };
        (0..endpoint.processes())
            .filter(|&process| endpoint.is_foreign(process) && self.comms.contain(process))
            .collect()
    }

    /// Tells those of `processes` that belong to other jobs that their jobs end. Waits until the
    /// packets have left, at most `TELL_TIMEOUT`: a process that cannot be reached notices the end
    /// of this one.
    pub fn abort_elsewhere(&mut self, processes: &[u32], code: i32, cause: AbortCause) {
        let Some(endpoint) = &self.pt2pt.endpoint else { return };
        let foreign = processes.iter().copied().filter(|&process| endpoint.is_foreign(process));
        let foreign: Vec<u32> = foreign.collect();
        for &process in &foreign {
            let header = Header { kind: kind::ABORT, ..Header::default() };
            self.pt2pt.send_control(process, header, [code as u64, cause as u64, 0]);
        }
        let begun = virtual_process::now();
        while !foreign.is_empty()
            && self.pt2pt.outgoing_packets > 0
            && virtual_process::since(begun) < TELL_TIMEOUT
        {
            self.pt2pt.poll(None);
            self.pt2pt.flush_outgoing();
        }
    }

    /// Ends the job because process `by` of another job ends both. A fatal error goes on to the
    /// jobs with which this process is connected.
    #[cold]
    pub(super) fn abort_by(&mut self, by: u32, code: i32, cause: AbortCause) -> ! {
        let name = self.pt2pt.endpoint.as_ref().map(|endpoint| endpoint.name_of(by));
        if cause == AbortCause::FatalError
            && let Some(endpoint) = &self.pt2pt.endpoint
        {
            let job = name.map(|name| name.job);
            let mut others = self.connected_elsewhere();
            others.retain(|&process| Some(endpoint.name_of(process).job) != job);
            self.abort_elsewhere(&others, code, cause);
        }
        if let Some(wireup) = &mut self.wireup {
            let why = cause.text(name.map_or(by, |name| name.index), code);
            // Other launchers do not print the reason.
            if wireup.launcher() != Launcher::Nemesis {
                nemesis_sys::message::tell(format_args!("nemesis: {}: {why}", process::who()));
            }
            wireup.abort(process::exit_code(code), &why);
        }
        process::leave(code)
    }
}
