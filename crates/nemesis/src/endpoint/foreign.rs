//! Processes of other jobs, with which this process has become connected (MPI 5.0 §11.8).
//!
//! A process's name is the number of its job and its index there; all processes use it alike. In
//! its own tables a process gives those of other jobs the indices behind its own job. They are
//! reached by the first network, and on one host by foreign fastboxes besides (`foreign_box`). An
//! index keeps its name while a communicator or a group of the program has it, so that two meetings
//! with one process give one index. After the disconnect another process may get the index, so that
//! the tables do not grow with the number of processes met.

use super::Endpoint;
use super::foreign_box::ForeignBoxes;
use crate::networks::Networks;
use crate::peer::{Outbound, Peer};
use crate::tunables::Tunables;
use nemesis_netmod::{Failure, Fault, Foreign};
use nemesis_netmod_tcp::handshake::job_number;
use nemesis_wireup::{Wireup, WireupError};

/// The name of a process, which all processes use alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcessName {
    /// Number of its job.
    pub job: u64,
    /// Its index in its job.
    pub index: u32,
}

/// What a process knows of other jobs.
#[derive(Default)]
pub(crate) struct Foreigners {
    /// Number of this process's own job.
    own_job: u64,
    /// Number of processes of this process's own job.
    own_size: u32,
    /// Whether processes of other jobs may have this process's card.
    may_meet: bool,
    /// Names of the processes of other jobs, in the order of their indices.
    names: Vec<ProcessName>,
    /// The processes that have been dismissed and not met again.
    dismissed: Vec<u32>,
    /// The fastboxes between this process and those on this host.
    pub(crate) boxes: ForeignBoxes,
}

impl Foreigners {
    /// Returns the state of a process in a job of `own_size` processes, which has no number yet.
    pub(crate) fn of_size(own_size: u32) -> Foreigners {
        Foreigners { own_size, ..Foreigners::default() }
    }

    /// Returns the state of a process in a job with this key and this number of processes.
    pub(crate) fn new(job_key: &[u8; 32], own_size: u32) -> Foreigners {
        Foreigners { own_job: job_number(job_key), own_size, ..Foreigners::default() }
    }

    /// Number of processes of this process's own job.
    pub(crate) fn own_size(&self) -> u32 {
        self.own_size
    }

    /// Gives the index of a dismissed process to the one with this name.
    fn take_dismissed(&mut self, process: u32, name: ProcessName) {
        self.dismissed.retain(|&dismissed| dismissed != process);
        self.names[(process - self.own_size) as usize] = name;
    }
}

impl Endpoint {
    /// Returns whether a process belongs to another job.
    #[inline]
    pub fn is_foreign(&self, process: u32) -> bool {
        process >= self.foreigners.own_size
    }

    /// Returns whether this process knows processes of other jobs.
    #[inline]
    pub fn knows_other_jobs(&self) -> bool {
        !self.foreigners.names.is_empty()
    }

    /// Returns whether processes of other jobs may send to this process, or become able to.
    pub fn may_meet_other_jobs(&self) -> bool {
        self.foreigners.may_meet
    }

    /// Returns the name of a process.
    pub fn name_of(&self, process: u32) -> ProcessName {
        let Foreigners { own_job, own_size, names, .. } = &self.foreigners;
        process
            .checked_sub(*own_size)
            .and_then(|place| names.get(place as usize).copied())
            .unwrap_or(ProcessName { job: *own_job, index: process })
    }

    /// Returns the process with a name, if this process knows it.
    pub fn process_of(&self, name: ProcessName) -> Option<u32> {
        let Foreigners { own_job, own_size, names, .. } = &self.foreigners;
        if name.job == *own_job {
            return (name.index < *own_size).then_some(name.index);
        }
        let place = names.iter().position(|known| *known == name)?;
        Some(own_size + place as u32)
    }

    /// Returns this process's card for the network by which processes of other jobs reach it.
    /// Starts the network if this process does not use it.
    ///
    /// # Errors
    ///
    /// No network can be used.
    pub fn network_card(
        &mut self,
        wireup: &Wireup,
        tunables: &Tunables,
    ) -> Result<Vec<u8>, WireupError> {
        self.foreigners.may_meet = true;
        if self.networks.is_none() {
            let none = Box::new(|_, _: &str| Ok(None));
            let networks = Networks::new(wireup.rank(), wireup.size(), none, tunables.verbose);
            self.open_networks(networks);
        }
        let Some(networks) = &mut self.networks else { return Ok(Vec::new()) };
        networks.open_for_other_jobs(wireup, tunables)?;
        self.common_packet_max_bytes = networks.common_packet_max();
        let card = networks.card().to_vec();
        let place = self.enable_foreign_boxes(tunables);
        Ok([&place.to_le_bytes(), &card[..]].concat())
    }

    /// Makes a process of another job known, and returns its index. If it is known already, the two
    /// processes agree on the new key unless `is_connected` says that they communicate. A process
    /// that is not known may get the index of one that has been dismissed and for which `is_named`
    /// says that neither a communicator nor a group has it.
    ///
    /// # Errors
    ///
    /// This process has no network, or one that connects the processes of one job only.
    pub fn meet(
        &mut self,
        name: ProcessName,
        key: [u8; 32],
        card: Vec<u8>,
        is_connected: impl Fn(u32) -> bool,
        is_named: impl Fn(u32) -> bool,
    ) -> Result<u32, Failure> {
        let known = self.process_of(name);
        if let Some(process) = known
            && (!self.is_foreign(process) || is_connected(process))
        {
            return Ok(process);
        }
        let me = self.me();
        let own = self.name_of(me);
        let ProcessName { job, index } = name;
        let (place, card) = split_card(&card)?;
        let foreign = Foreign { job, index, key, card, follows: own < name };
        let none = || Failure::new(Fault::Unreachable, "this process has no network");
        let networks = self.networks.as_mut().ok_or_else(none)?;
        let dismissed = self.foreigners.dismissed.iter();
        let mut free =
            dismissed.filter(|&&process| !is_named(process) && networks.has_parted(process));
        let former = known.or_else(|| free.next().copied());
        let process = former.unwrap_or(self.peers.len() as u32);
        networks.meet(process, foreign)?;
        match former {
            Some(process) => {
                self.release_foreign(process);
                self.foreigners.take_dismissed(process, name);
                let peer = &mut self.peers[process as usize];
                let [sent, received] = &mut self.widened[process as usize];
                sent.restart(peer.next_seq);
                received.restart(peer.expected);
                *peer = Peer::remote();
            }
            None => {
                self.foreigners.names.push(name);
                self.peers.push();
                self.widened.grow(self.peers.len());
            }
        }
        self.foreigners.boxes.meet(process, place);
        Ok(process)
    }

    /// Begins to connect with a process of another job, so that its end is noticed even if nothing
    /// is ever sent. Both processes know each other.
    pub fn begin_connecting(&mut self, process: u32) {
        if self.is_foreign(process)
            && let Some(networks) = &mut self.networks
        {
            networks.begin_connecting(process);
        }
    }

    /// Ends the communication with a process of another job, which does the same.
    pub fn dismiss(&mut self, process: u32) {
        if !self.is_foreign(process) {
            return;
        }
        if !self.foreigners.dismissed.contains(&process) {
            self.foreigners.dismissed.push(process);
        }
        if let Some(peer) = self.peers.get(process as usize)
            && !matches!(peer.outbound, Outbound::Lost)
        {
            self.stop_foreign_box(process);
            if let Some(networks) = &mut self.networks {
                networks.dismiss(process);
            }
        }
    }
}

/// Returns the two parts of a process's card: the number of its place, and its network's card.
fn split_card(card: &[u8]) -> Result<(u64, Vec<u8>), Failure> {
    match card.split_first_chunk::<8>() {
        Some((place, card)) => Ok((u64::from_le_bytes(*place), card.to_vec())),
        None => Err(Failure::new(Fault::Malformed, "its card is too short")),
    }
}
