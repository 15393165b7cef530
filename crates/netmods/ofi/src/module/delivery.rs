//! Waiting for the arrival of messages, where the provider reports a message as sent before it has
//! left the process and sends the rest in later calls.
//!
//! A process that finalizes makes no later calls, so it first asks each peer to which it has sent
//! something whether all of it has arrived. Questions and answers take the lifeline, whose bytes
//! leave without this process. A process that has finalized does not answer: its last message tells
//! what has arrived. The host limits the time for which a process waits.

use super::{Bulk, Member};
use crate::lifeline::LifelineHost;
use crate::message::LifelineMessage;
use crate::peer::{State, reaches};
use nemesis_netmod::{Host, Sent};

impl Member {
    /// Takes a message over the lifeline other than the hello.
    pub(super) fn take_lifeline_message(&mut self, from: u32, message: LifelineMessage) {
        let peer = &mut self.peers[from as usize];
        let delivery = &mut peer.delivery;
        match message {
            LifelineMessage::Hello(_)
            | LifelineMessage::Resumes
            | LifelineMessage::Unreached(_) => {}
            LifelineMessage::Question(number) => {
                delivery.question = Some(number);
                self.add_owing(from);
            }
            LifelineMessage::Arrived(number) if reaches(number, delivery.arrived) => {
                delivery.arrived = number;
            }
            LifelineMessage::Arrived(_) => {}
            LifelineMessage::Farewell => peer.acknowledged = true,
        }
    }

    /// Notes that this process owes a peer an answer.
    pub(super) fn add_owing(&mut self, to: u32) {
        if !self.owing.contains(&to) {
            self.owing.push(to);
        }
    }

    /// Sends the answers that are owed, as far as they are true and the lifelines take them.
    pub(super) fn say_owed(&mut self, host: &mut dyn Host) {
        for to in std::mem::take(&mut self.owing) {
            let peer = &self.peers[to as usize];
            if peer.delivery.owes_farewell && self.say_or_wait(host, to, &LifelineMessage::Farewell)
            {
                self.peers[to as usize].delivery.owes_farewell = false;
            }
            let peer = &self.peers[to as usize];
            if let Some(number) = peer.delivery.question
                && reaches(peer.number_in, number)
                && !self.receives_bulk(to)
                && self.say_or_wait(host, to, &LifelineMessage::Arrived(number))
            {
                self.peers[to as usize].delivery.question = None;
            }
            if self.peers[to as usize].delivery.owes() {
                self.add_owing(to);
            }
        }
    }

    /// Returns whether a bulk payload of a process has not arrived.
    fn receives_bulk(&self, from: u32) -> bool {
        self.delayed.iter().any(|delayed| delayed.from == from)
            || self.bulk.values().any(|bulk| matches!(bulk, Bulk::Receive(of, _) if *of == from))
    }

    /// Sends a message; false if it has to wait. A failure shows as the loss of the lifeline.
    fn say_or_wait(&mut self, host: &mut dyn Host, to: u32, message: &LifelineMessage) -> bool {
        !matches!(self.say_by_lifeline(host, to, message), Ok(Sent::Full))
    }

    /// Returns whether all peers have received everything, and know what this process has received.
    /// Asks those of which it is not known.
    pub(super) fn has_delivered(&mut self, host: &mut dyn Host) -> bool {
        let mut is_done = true;
        for to in self.peers.made() {
            is_done &= self.has_delivered_to(host, to) && self.has_told_last(host, to);
        }
        is_done
    }

    fn has_delivered_to(&mut self, host: &mut dyn Host, to: u32) -> bool {
        let peer = &self.peers[to as usize];
        let is_linked = matches!(peer.state, State::Linked) && !peer.heard;
        if !is_linked || peer.delivery.is_done() {
            return true;
        }
        // A peer that has ended has received what it waited for.
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        if !matches!(self.lifeline.reaches(&mut lifeline_host, to), Ok(true)) {
            return true;
        }
        let delivery = &self.peers[to as usize].delivery;
        let number = delivery.sent;
        if delivery.asked != Some(number)
            && self.say_or_wait(host, to, &LifelineMessage::Question(number))
        {
            self.peers[to as usize].delivery.asked = Some(number);
        }
        false
    }

    /// Tells a peer what has arrived, once before this process answers no more questions.
    fn has_told_last(&mut self, host: &mut dyn Host, to: u32) -> bool {
        let peer = &self.peers[to as usize];
        if !matches!(peer.state, State::Linked) || peer.resting || peer.heard {
            return true;
        }
        let number = peer.number_in;
        let told = !self.receives_bulk(to)
            && self.say_or_wait(host, to, &LifelineMessage::Arrived(number));
        self.peers[to as usize].resting = told;
        told
    }
}
