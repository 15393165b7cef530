//! Processes of other jobs, with which this process has become connected.

use super::{Member, Peer, State};
use crate::frame::Prefix;
use nemesis_netmod::{Failure, Fault, Foreign, Host};

impl Member {
    pub(super) fn meet_foreign(
        &mut self,
        host: &mut dyn Host,
        process: u32,
        foreign: Foreign,
    ) -> Result<(), Failure> {
        let unreachable = |why| Failure::new(Fault::Unreachable, why).about(process);
        self.setup.check_foreign(&foreign.card).map_err(unreachable)?;
        let place = process.checked_sub(self.setup.foreigners.first).map(|place| place as usize);
        match place {
            Some(place) if place == self.setup.foreigners.known.len() => {
                self.setup.foreigners.known.push(foreign);
                self.peers.grow(process as usize + 1);
            }
            Some(place) if place < self.setup.foreigners.known.len() => {
                self.setup.foreigners.known[place] = foreign;
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Unknown, &failure);
                self.setup.foreigners.leaving.retain(|&other| other != process);
            }
            _ => {
                let why = "the index of a process of another job does not follow the last one";
                return Err(Failure::new(Fault::Invalid, why).about(process));
            }
        }
        Ok(())
    }

    pub(super) fn dismiss_foreign(&mut self, host: &mut dyn Host, process: u32) {
        if self.setup.foreigners.get(process).is_none() {
            return;
        }
        let Peer { state, outgoing } = &mut self.peers[process as usize];
        match state {
            State::Linked(link) => {
                if !link.said {
                    link.said = true;
                    outgoing.say(Prefix::Goodbye);
                    self.waiting.push(process);
                }
                self.setup.foreigners.leaving.push(process);
                self.push(host, process);
                self.close_left(host);
            }
            State::Gone | State::Lost(_) => {}
            State::Unknown | State::Connecting => {
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Gone, &failure);
            }
        }
    }

    /// Closes the connections with dismissed processes that have said goodbye as well.
    pub(super) fn close_left(&mut self, host: &mut dyn Host) {
        let leaving = std::mem::take(&mut self.setup.foreigners.leaving);
        for process in leaving {
            let Peer { state, outgoing } = &self.peers[process as usize];
            let State::Linked(link) = state else { continue };
            if link.acknowledged && link.heard && outgoing.is_empty() {
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Gone, &failure);
            } else {
                self.setup.foreigners.leaving.push(process);
            }
        }
    }

    /// Returns whether connections with dismissed processes are still to be closed.
    pub(super) fn is_parting(&self) -> bool {
        !self.setup.foreigners.leaving.is_empty()
    }
}
