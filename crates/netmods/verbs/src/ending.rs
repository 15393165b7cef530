//! Ends of connections: failures, losses and processes that finalize.

use crate::control::{Control, Purpose};
use crate::inner::Event;
use crate::member::{Broken, Member};
use crate::peer::{Connection, Outgoing, Posted, State, Status};
use nemesis_netmod::{Failure, Fault, Host};

impl Member {
    /// Returns whether nothing connects this process with `peer` by TCP any more, and no loss of it
    /// is still to be reported.
    pub fn has_ended(&self, peer: u32) -> bool {
        let is_reported = |event: &Event| matches!(event, Event::Lost(lost, _) if *lost == peer);
        self.tcp.has_parted(peer) && !self.events.iter().any(is_reported)
    }

    /// Notes that a process has finalized, and ends what is under way to it.
    pub fn note_end(&mut self, peer: u32) {
        // It may have read bulk payloads before, which the queue pair has reported.
        self.absorb();
        let failure = Failure::new(Fault::Lost, "it has finalized").about(peer);
        self.end_sends(peer, &failure);
        self.peers[peer as usize].status = Status::Gone;
    }

    /// Handles a connection that has failed. A failure of the connection for packets loses the
    /// process, unless it has finalized, or the queue pair is only offered.
    pub fn fail_connection(&mut self, host: &mut dyn Host, broken: Broken) {
        let Broken { peer, purpose, serial, fault, why } = broken;
        if !matches!(self.peers[peer as usize].status, Status::Open) {
            return;
        }
        if purpose == Purpose::Memory {
            let Connection { attempt, serial: current, .. } = self.peers[peer as usize].memory;
            if serial != current {
                // It has been made again since.
                return;
            }
            self.fail_memory(peer, &Failure::new(fault, why).about(peer));
            self.offer(host, peer, purpose, attempt + 1);
            self.needs_tcp = true;
            return;
        }
        if fault == Fault::Lost && self.has_ended(peer) {
            return self.note_end(peer);
        }
        // Neither side sends by a queue pair before this side is connected, too.
        let is_offered = self.peers[peer as usize].packets.state == State::Offered;
        if fault == Fault::Lost && is_offered && self.device.iwarp.is_none() {
            self.stay_on_tcp(host, peer, Purpose::Packets, &why);
            return self.say(host, peer, Control::Refuse(Purpose::Packets, why));
        }
        self.say(host, peer, Control::Lost(why.clone()));
        let failure = Failure::new(fault, why).about(peer);
        let later = Failure { fault: Fault::Lost, ..failure.clone() };
        self.close(host, peer, Status::Lost(later.clone()), &later);
        self.with_tcp(host, |tcp, inner| tcp.forget(inner, later));
        self.drop_loss(peer);
        host.lost(peer, failure);
    }

    /// Drops the TCP module's report of a loss that waits for the delivery of packets, because the
    /// loss was reported, or the host knows of it.
    pub fn drop_loss(&mut self, peer: u32) {
        self.events.retain(|event| !matches!(event, Event::Lost(lost, _) if *lost == peer));
    }

    /// Destroys a queue pair and takes back the buffers of its requests.
    pub fn close_connection(&mut self, peer: u32, purpose: Purpose) {
        let connection = self.peers[peer as usize].connection(purpose);
        let attempt = connection.attempt;
        let closed = std::mem::replace(connection, Connection { attempt, ..Connection::default() });
        if let Some(pair) = closed.pair {
            self.device.owners.remove(&pair.number());
            // The device ends its requests before the call returns.
            drop(pair);
        }
        self.unlink(closed.link);
        self.device.requests -= closed.posted.len() as u32;
        for (_, posted) in closed.posted {
            match posted {
                Posted::Message { buffer: Some(buffer) }
                | Posted::Confirmation { buffer }
                | Posted::Part { buffer: Some(buffer), .. } => {
                    self.device.outbound.give_back(buffer);
                }
                Posted::Message { .. } | Posted::Part { .. } | Posted::Atomic { .. } => {}
            }
        }
    }

    /// Ends the connection for remote memory and all operations on it.
    pub fn fail_memory(&mut self, peer: u32, failure: &Failure) {
        self.close_connection(peer, Purpose::Memory);
        let is_meant = |owner: u32, purpose| owner == peer && purpose == Purpose::Memory;
        for transfer in self.transfers.remove_all(|it| is_meant(it.peer, it.purpose)) {
            if let Some(token) = transfer.token {
                self.done.push_back((token, Err(failure.clone())));
            }
        }
        for atomic in self.atomics.remove_all(|it| it.peer == peer) {
            self.device.words.give_back(atomic.word);
            self.done.push_back((atomic.token, Err(failure.clone())));
        }
        let state = &mut self.peers[peer as usize];
        state.open_operations.clear();
        for (_, token) in state.flushes.drain(..) {
            self.done.push_back((token, Err(failure.clone())));
        }
    }

    /// Ends pending sends to a process and operations on its memory.
    pub fn end_sends(&mut self, peer: u32, failure: &Failure) {
        self.fail_memory(peer, failure);
        for send in self.exposed.remove_all(|send| send.to == peer) {
            self.done.push_back((send.token, Err(failure.clone())));
        }
        let state = &mut self.peers[peer as usize];
        state.outbox_bytes = 0;
        for outgoing in std::mem::take(&mut state.outbox) {
            match outgoing {
                Outgoing::Packet { bulk: Some((_, token)), .. }
                | Outgoing::Pieces { token, .. } => {
                    self.done.push_back((token, Err(failure.clone())));
                }
                Outgoing::Packet { .. } => {}
            }
        }
    }

    /// Ends the communication with a process. Afterwards the device accesses no memory for it.
    pub fn close(&mut self, host: &mut dyn Host, peer: u32, status: Status, failure: &Failure) {
        self.close_connection(peer, Purpose::Packets);
        self.end_sends(peer, failure);
        self.transfers.remove_all(|transfer| transfer.peer == peer);
        let state = &mut self.peers[peer as usize];
        state.status = status;
        state.unsaid.clear();
        state.finished.clear();
        state.sends_by_pair = false;
        let promised = std::mem::take(&mut state.promised);
        let queued = state.inbox.drain(..).filter(|arrival| !arrival.is_on_ring);
        let mut arrivals: Vec<u32> = queued.map(|arrival| arrival.buffer).collect();
        let receiving = state.receiving.take().into_iter().chain(state.unordered.drain(..));
        arrivals.extend(receiving.map(|receiving| receiving.arrival.buffer));
        (state.ring_in, state.ring_out) = (None, None);
        state.notices.clear();
        self.rings.retain(|&other| other != peer);
        self.device.release(promised);
        for buffer in arrivals {
            // If the queue refuses the receive, a later promise posts another one.
            let _ = self.device.repost(buffer);
        }
        while let Some((token, outcome)) = self.done.pop_front() {
            host.completed(token, outcome);
        }
    }
}
