//! The PMI connections of the ranks: requests, answers, and the detection of ranks that leave.
//!
//! The end of a rank's socket alone does not show that the MPI process has ended, because the shell
//! that started the program may hold the socket open. The kernel tells which process sent a request
//! (`SCM_CREDENTIALS`). If that is not the rank's first process, for which the launcher gets
//! SIGCHLD, a pidfd watches it.

use super::context::{Job, token};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::rank::{Arrival, Rank};
use crate::tree::message::{Report, Up};
use nemesis_sys::process::{Ending, Peer};
use rustix::event::epoll::{self, EventData, EventFlags};
use std::io;
use std::time::Instant;

impl Job {
    /// Reads a rank's PMI socket until nothing more has arrived, and handles every line.
    pub(super) fn read_pmi(&mut self, rank: usize) {
        loop {
            let Some(pmi) = &mut self.ranks[rank].pmi else { return };
            let arrival = pmi.receive();
            loop {
                let Some(pmi) = &mut self.ranks[rank].pmi else { return };
                match pmi.lines.next_line() {
                    Ok(Some(line)) => self.answer(rank, &line),
                    Ok(None) => break,
                    Err(malformed) => {
                        self.close_pmi(rank);
                        return self.fail(Failure::MalformedLine { rank, malformed });
                    }
                }
            }
            match arrival {
                Arrival::Bytes(_) => {}
                Arrival::NothingNow => return,
                Arrival::End => return self.pmi_has_ended(rank),
            }
        }
    }

    /// Handles one PMI line of a rank.
    fn answer(&mut self, rank: usize, line: &[u8]) {
        let before = self.server.stage(rank);
        let mut effects = Vec::new();
        let handled = self.server.handle_line(rank, line, &mut effects);
        if self.server.stage(rank) == Stage::Joined && before != Stage::Joined {
            // A process that cannot be watched has ended already or runs in another pid namespace.
            // The end of its socket is noticed then.
            let _ = self.watch_mpi_process(rank);
        }
        self.act(effects);
        match handled {
            Ok(()) => self.check_never_joined(),
            Err(malformed) => {
                self.close_pmi(rank);
                self.fail(Failure::MalformedLine { rank, malformed });
            }
        }
    }

    /// Fails the job if ranks wait in a barrier that some rank can never enter, because it ended
    /// without joining the job.
    pub(super) fn check_never_joined(&mut self) {
        if !self.server.barrier_has_begun() {
            return;
        }
        let is_gone = |gone: &usize| {
            self.ranks[*gone].ending == Some(Ending::Exited(0))
                && self.server.stage(*gone) == Stage::NotJoined
        };
        if let Some(gone) =
            (0..self.ranks.len()).find(is_gone).filter(|&gone| self.server.is_awaited(gone))
        {
            self.fail(Failure::NeverJoined { rank: gone });
        } else if let Some(report) = self.never_joined.take() {
            self.fail(Failure::Reported(report));
        }
    }

    /// Handles the report that a rank of another host has ended without joining the job.
    pub(super) fn report_never_joined(&mut self, report: Report) {
        match &mut self.parent_link {
            Some(link) => link.send(&Up::NeverJoined(report)),
            None => {
                self.never_joined.get_or_insert(report);
                self.check_never_joined();
            }
        }
    }

    /// Watches the process that has just joined the job, unless it is the rank's first process,
    /// whose end SIGCHLD tells.
    fn watch_mpi_process(&mut self, rank: usize) -> io::Result<()> {
        let Rank { pmi, pid, mpi_process, .. } = &mut self.ranks[rank];
        let Some(sender_pid) =
            pmi.as_ref().and_then(|pmi| pmi.sender_pid).filter(|sender_pid| sender_pid != pid)
        else {
            return Ok(());
        };
        let peer = Peer::open(sender_pid.as_raw_nonzero().get())?;
        epoll::add(
            &self.epoll,
            &peer,
            EventData::new_u64(token::MPI_PROCESS | rank as u64),
            EventFlags::IN,
        )?;
        *mpi_process = Some(peer);
        Ok(())
    }

    /// Handles the end of a watched process. The rank has hung up if its first process goes on.
    pub(super) fn mpi_process_has_ended(&mut self, rank: usize) {
        self.read_pmi(rank);
        // Dropping the pidfd removes it from epoll.
        self.ranks[rank].mpi_process = None;
        if self.ranks[rank].ending.is_none() && self.server.stage(rank) == Stage::Joined {
            self.ranks[rank].hung_up = Some(Instant::now());
        }
    }

    /// Closes the launcher's end of a rank's PMI socket.
    fn close_pmi(&mut self, rank: usize) {
        // No other process has this end of the socket, so closing it removes it from epoll.
        self.ranks[rank].pmi = None;
    }

    /// Handles the end of a rank's PMI socket.
    fn pmi_has_ended(&mut self, rank: usize) {
        self.close_pmi(rank);
        if self.ranks[rank].ending.is_none() {
            self.ranks[rank].hung_up =
                (self.server.stage(rank) == Stage::Joined).then(Instant::now);
        } else {
            self.rank_has_ended(rank);
        }
    }
}
