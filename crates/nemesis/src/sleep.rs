//! What a sleeper sleeps on: its doorbell's word, or, where it waits for networks as well, their descriptors and its bell.

use crate::endpoint::Endpoint;
use crate::peer::{Outbound, ring};
use nemesis_shm::doorbell::{self, Raised};
use nemesis_sys::bell::{self, Wish};
use std::time::Duration;

/// A process about to sleep: from now on whoever sends to it rings. Awake again when dropped.
#[derive(Debug)]
pub struct Asleep {
    raised: Raised,
    /// Descriptors to wait for, and for how long at most.
    rest: Option<(Vec<Wish>, Duration)>,
}

impl Asleep {
    /// Sleeps until something comes, at most for `timeout`; returns for any reason.
    pub fn sleep(&self, timeout: Duration) {
        match &self.rest {
            None => self.raised.sleep(timeout),
            Some((wishes, limit)) => bell::wait(wishes, self.raised.limit(timeout.min(*limit))),
        }
    }
}

impl Endpoint {
    /// Prepares a sleep: from now on whoever sends to us rings, and if a packet of ours has found no room, whoever gives some back. `None` when there is
    /// something to do already: a packet, or room for one that found none. The endpoint may be used by other threads while this one sleeps.
    #[cold]
    pub fn prepare_sleep(&mut self) -> Option<Asleep> {
        // Before the flag is up, since this forgets the rings so far.
        let rest = match &mut self.networks {
            Some(networks) => Some(networks.rest()?),
            None => None,
        };
        let short_of_room =
            self.free.are_wanted() || self.room.is_wanted() || !self.full.is_empty();
        let raised =
            Raised::raise(self.slot.doorbell(), short_of_room, self.segment.is_orderable());
        let arrived = self.has_arrived();
        self.full.clear();
        (!arrived).then_some(Asleep { raised, rest })
    }

    /// What one waits for who takes in only what other nodes send, and for how long at most; `None` when there is something to do already.
    #[cold]
    pub fn rest_on_networks(&mut self) -> Option<(Vec<Wish>, Duration)> {
        self.networks
            .as_mut()
            .map_or_else(|| Some((Vec::new(), Duration::MAX)), |networks| networks.rest_alone())
    }

    /// Whether a poll would find something: what a sleeper asks after raising its flag.
    fn has_arrived(&mut self) -> bool {
        !self.receive.is_empty(self.slot.receive_queue())
            || self.free.take_news(&self.slot)
            || self.room.take_news()
            || self.full.iter().any(|&process| self.peers[process as usize].outbox.has_news())
            || self.active.iter().any(|&origin| {
                let peer = &self.peers[origin as usize];
                peer.inbox.is_ready(peer.expected)
            })
    }

    /// A packet has found no room. If another thread of this process sleeps and does not know of such a packet, nobody would ring it for room: it wakes, tries
    /// again, and sleeps until somebody does.
    #[cold]
    pub(crate) fn found_no_room(&self) {
        if !doorbell::is_woken_for_space(self.slot.doorbell()) {
            self.wake_sleeper();
        }
    }

    /// The same since the fastbox to that process, if there is one, is full, and there is no other way.
    #[cold]
    pub(crate) fn found_full(&mut self, process: u32) {
        let has_box = matches!(self.peers[process as usize].outbound, Outbound::Open);
        if has_box && !self.full.contains(&process) {
            self.full.push(process);
        }
        self.found_no_room();
    }

    /// Wakes the thread of this process that sleeps, for what another of its threads has taken in.
    #[cold]
    pub fn wake_sleeper(&self) {
        if doorbell::must_wake(self.slot.doorbell()) {
            doorbell::wake(self.slot.doorbell());
            ring(&self.slot);
        }
    }

    /// Wakes process `to` if it sleeps: a word that it may wait for has been written.
    #[inline(always)]
    pub fn ring(&self, to: u32) {
        let peer = &self.peers[to as usize];
        if doorbell::must_wake(peer.doorbell) {
            peer.wake();
        }
    }
}
