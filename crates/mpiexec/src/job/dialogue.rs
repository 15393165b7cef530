//! The job's dialogue with its ranks by PMI: listening, answering, and noticing who has left.
//!
//! A rank's socket may be held open by the shell that started its program, so its end alone does not show that the program has gone. The kernel
//! tells who speaks; if that is not the rank's first process, whose end we are told as its parent, we watch it.

use super::{Job, token};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::rank::{Arrival, Rank};
use crate::tree::message::{Report, Up};
use nemesis_sys::process::{Ending, Peer};
use rustix::event::epoll::{self, EventData, EventFlags};
use std::io;
use std::time::Instant;

impl Job {
    /// Listens to a rank's PMI socket as long as there is something to hear.
    pub(super) fn converse(&mut self, rank: usize) {
        loop {
            let Some(conversation) = &mut self.ranks[rank].conversation else { return };
            let arrival = conversation.listen();
            loop {
                let Some(conversation) = &mut self.ranks[rank].conversation else { return };
                match conversation.lines.next_line() {
                    Ok(Some(line)) => self.answer(rank, &line),
                    Ok(None) => break,
                    Err(malformed) => {
                        self.hang_up(rank);
                        return self.fail(Failure::Nonsense { rank, malformed });
                    }
                }
            }
            match arrival {
                Arrival::Bytes(_) => {}
                Arrival::NothingNow => return,
                Arrival::End => return self.conversation_ended(rank),
            }
        }
    }

    fn answer(&mut self, rank: usize, line: &[u8]) {
        let before = self.server.stage(rank);
        let mut effects = Vec::new();
        let heard = self.server.hear(rank, line, &mut effects);
        if self.server.stage(rank) == Stage::Joined && before != Stage::Joined {
            // A member that cannot be watched has ended already, or hides in another pid namespace; its socket's end will tell.
            let _ = self.watch_member(rank);
        }
        self.act(effects);
        match heard {
            Ok(()) => self.notice_absence(),
            Err(malformed) => {
                self.hang_up(rank);
                self.fail(Failure::Nonsense { rank, malformed });
            }
        }
    }

    /// Whether others are in a barrier that somebody can never enter, because it ended without joining the job.
    pub(super) fn notice_absence(&mut self) {
        if !self.server.somebody_waits() {
            return;
        }
        let gone = |gone: &usize| {
            self.ranks[*gone].ending == Some(Ending::Exited(0))
                && self.server.stage(*gone) == Stage::Silent
        };
        if let Some(gone) =
            (0..self.ranks.len()).find(gone).filter(|&gone| self.server.is_awaited(gone))
        {
            self.fail(Failure::NeverJoined { rank: gone });
        } else if let Some(report) = self.absent.take() {
            self.fail(Failure::Reported(report));
        }
    }

    /// A rank of another host has ended without joining.
    pub(super) fn somebody_is_absent(&mut self, report: Report) {
        match &mut self.parent_link {
            Some(link) => link.send(&Up::Silent(report)),
            None => {
                self.absent.get_or_insert(report);
                self.notice_absence();
            }
        }
    }

    /// Watches the process that has just joined, unless it is the rank's first one, whose end we are told anyway.
    fn watch_member(&mut self, rank: usize) -> io::Result<()> {
        let Rank { conversation, pid, member, .. } = &mut self.ranks[rank];
        let Some(speaker) = conversation
            .as_ref()
            .and_then(|conversation| conversation.speaker)
            .filter(|speaker| speaker != pid)
        else {
            return Ok(());
        };
        let peer = Peer::open(speaker.as_raw_nonzero().get())?;
        epoll::add(
            &self.epoll,
            &peer,
            EventData::new_u64(token::MEMBER | rank as u64),
            EventFlags::IN,
        )?;
        *member = Some(peer);
        Ok(())
    }

    pub(super) fn member_ended(&mut self, rank: usize) {
        self.converse(rank);
        // Dropped, it is no longer polled.
        self.ranks[rank].member = None;
        if self.ranks[rank].ending.is_none() && self.server.stage(rank) == Stage::Joined {
            self.ranks[rank].hung_up = Some(Instant::now());
        }
    }

    fn hang_up(&mut self, rank: usize) {
        // Closing the socket takes it out of epoll: no other process shares our end.
        self.ranks[rank].conversation = None;
    }

    fn conversation_ended(&mut self, rank: usize) {
        self.hang_up(rank);
        if self.ranks[rank].ending.is_none() {
            self.ranks[rank].hung_up =
                (self.server.stage(rank) == Stage::Joined).then(Instant::now);
        } else {
            self.judge(rank);
        }
    }
}
