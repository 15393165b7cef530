//! Sleeping: on the doorbell's word, or, if the process also waits for networks, on their
//! descriptors and its bell.

use crate::endpoint::Endpoint;
use crate::peer::wake;
use nemesis_shm::doorbell::{self, Raised};
use nemesis_sys::bell::{self, PollInterest};
use nemesis_sys::virtual_process;
use std::time::Duration;

/// A process about to sleep: every sender rings its doorbell. Dropping the value ends that state.
#[derive(Debug)]
pub struct Asleep {
    raised: Raised,
    /// Descriptors to wait for, and the longest time to wait.
    rest: Option<(Vec<PollInterest>, Duration)>,
}

impl Asleep {
    /// Sleeps until something arrives, at most for `timeout`. May return early.
    pub fn sleep(&self, timeout: Duration) {
        match &self.rest {
            None => self.raised.sleep(timeout),
            // In a simulation the doorbell wakes the process, and so does its network.
            Some((_, limit)) if virtual_process::current().is_some() => {
                self.raised.sleep(timeout.min(*limit))
            }
            Some((interests, limit)) => {
                bell::wait(interests, self.raised.limit(timeout.min(*limit)))
            }
        }
    }

    /// Sleeps until something arrives at one of several lanes of this process, at most for
    /// `timeout`. May return early. Returns false at once if the kernel knows no such sleep.
    pub fn sleep_on_any<'a>(
        all: impl Iterator<Item = &'a Asleep> + Clone,
        timeout: Duration,
    ) -> bool {
        let raised = || all.clone().map(|asleep| &asleep.raised);
        let timeout = raised().fold(timeout, |timeout, raised| raised.limit(timeout));
        let mut rests = all.clone().filter_map(|asleep| asleep.rest.as_ref());
        let Some((first, limit)) = rests.next() else {
            return Raised::sleep_on_any(raised(), timeout);
        };
        // As in `sleep`.
        if virtual_process::current().is_some() {
            return Raised::sleep_on_any(raised(), timeout);
        }
        let (mut interests, mut timeout) = (first.clone(), timeout.min(*limit));
        for (further, limit) in rests {
            interests.extend_from_slice(further);
            timeout = timeout.min(*limit);
        }
        // Lanes without networks ring the first one's bell, and to prepare its sleep discarded the
        // rings so far.
        if raised().all(|raised| !raised.is_lowered()) {
            bell::wait(&interests, timeout);
        }
        true
    }
}

impl Endpoint {
    /// Prepares a sleep: from now on every sender rings the doorbell, and, if a packet of this
    /// process has found no space, every process that returns some. Returns `None` if there is
    /// something to do already: a packet, or space for one that found none. Other threads may use
    /// the endpoint while this one sleeps.
    #[cold]
    pub fn prepare_sleep(&mut self) -> Option<Asleep> {
        // Before the flag is raised, since this discards earlier rings.
        let rest = match &mut self.networks {
            Some(networks) => Some(networks.rest()?),
            None => None,
        };
        let short_of_space =
            self.free.are_wanted() || self.copy_ring.is_wanted() || !self.full.is_empty();
        let raised =
            Raised::raise(&self.slot.doorbell().flag, short_of_space, self.segment.is_orderable());
        let arrived = self.has_arrived();
        self.full.clear();
        (!arrived).then_some(Asleep { raised, rest })
    }

    /// Returns what a thread that serves only other nodes waits for, and the longest time to wait.
    /// `None` if there is something to do already.
    #[cold]
    pub fn rest_on_networks(&mut self) -> Option<(Vec<PollInterest>, Duration)> {
        self.networks.as_mut().map_or_else(
            || Some((Vec::new(), Duration::MAX)),
            |networks| networks.rest_without_bell(),
        )
    }

    /// Returns whether a poll would find something. A sleeper asks this after raising its flag.
    fn has_arrived(&mut self) -> bool {
        self.has_deaths()
            || self.networks.as_ref().is_some_and(|networks| networks.have_news_of_lanes())
            || !self.receive.is_empty(self.slot.receive_queue())
            || self.free.take_news(&self.slot)
            || self.copy_ring.take_news()
            || self.full.iter().any(|&process| self.peers[process as usize].outbox.has_new_space())
            || self.active.iter().any(|&origin| {
                let peer = &self.peers[origin as usize];
                peer.inbox.is_ready(peer.expected)
            })
    }

    /// Records that a packet has found no space. A thread of this process that sleeps without
    /// waiting for space is woken: it tries again and then sleeps until a process returns some.
    #[cold]
    pub(crate) fn found_no_space(&self) {
        if !doorbell::is_woken_for_space(&self.slot.doorbell().flag) {
            self.wake_sleeper();
        }
    }

    /// Records that a packet to `process` has found no space because the pair's fastbox, if there
    /// is one, is full.
    #[cold]
    pub(crate) fn found_full(&mut self, process: u32) {
        let has_box = !self.peers[process as usize].outbox.is_disconnected();
        if has_box && !self.full.contains(&process) {
            self.full.push(process);
        }
        self.found_no_space();
    }

    /// Wakes the sleeping thread of this process after another thread has received something.
    #[cold]
    pub fn wake_sleeper(&self) {
        if doorbell::must_wake(&self.slot.doorbell().flag) {
            wake(self.slot.doorbell());
        }
    }

    /// Wakes process `to` if it sleeps. Called after writing a word that `to` may wait for.
    #[inline(always)]
    pub fn ring(&self, to: u32) {
        let peer = &self.peers[to as usize];
        if doorbell::must_wake(&peer.doorbell.flag) {
            peer.wake();
        }
    }
}
