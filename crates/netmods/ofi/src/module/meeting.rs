//! Becoming connected with other processes, leaving, and losing them.

use super::{Bulk, Member};
use crate::endpoint::{Completion, Held};
use crate::lifeline::{Event, LifelineHost, decode_card};
use crate::message::{Hello, Kind, LifelineMessage, PREFIX_BYTES};
use crate::peer::{Peer, Queued, State};
use crate::secret;
use nemesis_netmod::{Failure, Fault, Foreign, Host, Packet, Sent};
use nemesis_sys::descriptors;
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How long a peer may live by its lifeline while the provider fails to reach it. The last messages
/// of a dismissed process may take as long to arrive after its lifeline has ended.
const SUSPECT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a provider may take to end the operations of a lost process.
pub(super) const SETTLE_TIMEOUT: Duration = Duration::from_millis(500);

impl Member {
    /// Begins to connect with a process.
    pub(super) fn begin(&mut self, host: &mut dyn Host, peer: u32) -> Result<(), Failure> {
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.reaches(&mut lifeline_host, peer)?;
        self.peers[peer as usize].state = State::Meeting;
        self.meeting.push(peer);
        Ok(())
    }

    /// Sends the hello to the processes whose lifelines are connected now.
    pub(super) fn tell_waiting(&mut self, host: &mut dyn Host) {
        for peer in std::mem::take(&mut self.meeting) {
            let mut lifeline_host = LifelineHost { host, events: &mut self.events };
            match self.lifeline.reaches(&mut lifeline_host, peer) {
                Ok(true) => self.tell(host, peer),
                Ok(false) => self.meeting.push(peer),
                Err(failure) => self.lose(host, peer, failure),
            }
        }
    }

    /// Sends the hello to a process, or later if the lifeline is full.
    fn tell(&mut self, host: &mut dyn Host, peer: u32) {
        let known = &self.peers[peer as usize];
        if known.told || matches!(known.state, State::Lost(_)) {
            return;
        }
        if known.token_in == 0 {
            // The token comes first: a window that was granted must be noted.
            match secret::token().and_then(|token| Ok((token, self.grant()?))) {
                Ok((token, window)) => {
                    let peer = &mut self.peers[peer as usize];
                    (peer.token_in, peer.granted) = (token, window);
                }
                Err(why) => {
                    let failure = Failure::new(Fault::Resources, why).about(peer);
                    return self.lose(host, peer, failure);
                }
            }
        }
        let known = &self.peers[peer as usize];
        let hello = Hello {
            index: peer,
            token: known.token_in,
            window: known.granted,
            message_max_bytes: self.limits.payload as u32,
            provider: self.endpoint.properties().provider.clone(),
            name: self.name.clone(),
        };
        match self.say_by_lifeline(host, peer, &LifelineMessage::Hello(hello)) {
            Ok(Sent::Full) => self.meeting.push(peer),
            Ok(_) => self.peers[peer as usize].told = true,
            Err(failure) => self.lose(host, peer, failure),
        }
    }

    pub(super) fn say_by_lifeline(
        &mut self,
        host: &mut dyn Host,
        peer: u32,
        message: &LifelineMessage,
    ) -> Result<Sent, Failure> {
        let bytes = &message.encode()[..];
        let size = bytes.len() as u16;
        let header = Header { kind: FIRST_CLIENT_KIND, size, ..Header::default() };
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.send(&mut lifeline_host, peer, Packet::new(&header, bytes), 0)
    }

    /// Tells a process that an end of this one is a loss again.
    pub(super) fn revoke_rest(&mut self, host: &mut dyn Host, peer: u32) {
        // A failure shows as the loss of the lifeline.
        if !matches!(self.say_by_lifeline(host, peer, &LifelineMessage::Resumes), Ok(Sent::Full)) {
            self.peers[peer as usize].resting = false;
        }
    }

    /// Handles what has come over the lifelines.
    pub(super) fn take_events(&mut self, host: &mut dyn Host) {
        while let Some(event) = self.events.pop_front() {
            match event {
                Event::Message(peer, bytes) => match LifelineMessage::decode(&bytes) {
                    Some(LifelineMessage::Hello(hello)) => self.take_hello(host, peer, hello),
                    Some(LifelineMessage::Unreached(why)) => {
                        let why = format!("its libfabric does not reach this process: {why}");
                        self.lose(host, peer, Failure::new(Fault::Lost, why).about(peer));
                    }
                    Some(message) => self.take_lifeline_message(peer, message),
                    None => {
                        self.lose_malformed(host, peer, "a message over the lifeline is malformed");
                    }
                },
                Event::Lost(peer, failure) => self.lose(host, peer, failure),
            }
        }
    }

    fn take_hello(&mut self, host: &mut dyn Host, peer: u32, hello: Hello) {
        if matches!(self.peers[peer as usize].state, State::Lost(_) | State::Linked) {
            return;
        }
        let own = &self.endpoint.properties().provider;
        if hello.provider != *own || hello.message_max_bytes != self.limits.payload as u32 {
            let why = format!(
                "it uses libfabric's provider {} with messages of {} bytes, and this process uses \
                 {own} with messages of {} bytes; try: a provider that all hosts have, named by \
                 NEMESIS_NETWORKS=ofi:PROVIDER, and one version of libfabric",
                hello.provider, hello.message_max_bytes, self.limits.payload
            );
            return self.lose(host, peer, Failure::new(Fault::Unreachable, why).about(peer));
        }
        let address = match self.endpoint.insert(&hello.name) {
            Ok(address) => address,
            Err(why) => {
                return self.lose(host, peer, Failure::new(Fault::Unreachable, why).about(peer));
            }
        };
        self.tell(host, peer);
        let known = &mut self.peers[peer as usize];
        if let State::Lost(_) = known.state {
            return self.endpoint.remove(address);
        }
        known.state = State::Linked;
        known.address = Some(address);
        known.index_there = hello.index;
        known.token_out = hello.token;
        (known.window, known.credits) = (hello.window, hello.window);
        if known.leads {
            known.urgent.push_front((Kind::Greeting, Vec::new()));
        }
        self.transmit(peer);
    }

    /// Answers a greeting: the provider has connected the two.
    pub(super) fn take_greeting(&mut self, from: u32) {
        let peer = &mut self.peers[from as usize];
        peer.greeted = true;
        if !peer.leads {
            peer.urgent.push_front((Kind::Greeting, Vec::new()));
        }
        self.transmit(from);
    }

    /// Notes that the provider failed to reach a process. Its lifeline tells what has happened.
    pub(super) fn suspect(&mut self, peer: u32, mut why: String) {
        let known = &mut self.peers[peer as usize];
        let is_linked = matches!(known.state, State::Linked);
        if is_linked && !known.heard && known.suspect.is_none() {
            if let Some(errno) = descriptors::shortage() {
                let (limit, advice) = (descriptors::limit_in_words(errno), descriptors::ADVICE);
                why += &format!(
                    ": there was no free file descriptor for a connection with it ({limit}); try: \
                     {advice}"
                );
            }
            known.suspect = Some((Instant::now(), why));
            self.suspects.push(peer);
        }
    }

    /// Decides about the processes that the provider fails to reach.
    pub(super) fn judge_suspects(&mut self, host: &mut dyn Host) {
        for peer in std::mem::take(&mut self.suspects) {
            let Some((since, why)) = self.peers[peer as usize].suspect.clone() else { continue };
            let mut lifeline_host = LifelineHost { host, events: &mut self.events };
            match self.lifeline.reaches(&mut lifeline_host, peer) {
                Err(failure) => self.lose(host, peer, failure),
                Ok(false) => self.leave(host, peer),
                Ok(true) if since.elapsed() < SUSPECT_TIMEOUT => self.suspects.push(peer),
                Ok(true) => {
                    let provider = &self.endpoint.properties().provider;
                    let why = format!("libfabric's provider {provider} lost it: {why}");
                    // If this fails, the other process learns no more than that its lifeline ends.
                    let told = LifelineMessage::Unreached(why.clone());
                    let _ = self.say_by_lifeline(host, peer, &told);
                    self.lose(host, peer, Failure::new(Fault::Lost, why).about(peer));
                }
            }
        }
    }

    /// Handles the goodbye of a process, behind all its packets.
    pub(super) fn take_goodbye(&mut self, host: &mut dyn Host, from: u32) {
        if self.reports_early {
            self.peers[from as usize].delivery.owes_farewell = true;
            self.add_owing(from);
        } else {
            self.peers[from as usize].urgent.push_back((Kind::Farewell, Vec::new()));
            self.transmit(from);
        }
        self.leave(host, from);
    }

    /// Ends what is under way to a process that has finalized.
    fn leave(&mut self, host: &mut dyn Host, peer: u32) {
        let failure = Failure::new(Fault::Lost, "it has finalized").about(peer);
        let known = &mut self.peers[peer as usize];
        (known.heard, known.suspect) = (true, None);
        let queue = std::mem::take(&mut known.queue);
        let announced = known.announced.drain().map(|(_, (_, token))| token);
        let mut tokens: Vec<_> = announced.collect();
        for access in known.accesses.drain(..) {
            known.open.remove(&access.label);
            known.access_failure = Some(failure.clone());
            tokens.push(access.token);
        }
        for Queued { buffer, .. } in queue {
            self.endpoint.give_back(buffer);
        }
        for token in tokens {
            host.completed(token, Err(failure.clone()));
        }
    }

    /// Queues the goodbye to all processes behind everything else.
    pub(super) fn say_goodbye(&mut self) {
        for peer in self.peers.made() {
            self.say_goodbye_to(peer);
        }
    }

    fn say_goodbye_to(&mut self, peer: u32) {
        let known = &mut self.peers[peer as usize];
        if known.said || known.heard || !known.may_send() {
            return;
        }
        let Ok(buffer) = self.endpoint.buffer() else { return };
        known.said = true;
        known.queue.push_back(Queued { kind: Kind::Goodbye, buffer, bytes: PREFIX_BYTES });
        if !self.sending.contains(&peer) {
            self.sending.push(peer);
        }
    }

    /// Returns whether this process has to wait for a peer before it may leave.
    pub(super) fn keeps_from_leaving(&self, peer: &Peer) -> bool {
        match peer.state {
            State::Unknown | State::Lost(_) => false,
            State::Meeting => !peer.queue.is_empty(),
            State::Linked if peer.heard => {
                !peer.urgent.is_empty() || peer.under_way > 0 || peer.delivery.owes_farewell
            }
            State::Linked => !peer.is_idle() || peer.may_send() && !peer.acknowledged,
        }
    }

    pub(super) fn lose_malformed(&mut self, host: &mut dyn Host, peer: u32, why: &str) {
        self.lose(host, peer, Failure::new(Fault::Malformed, why).about(peer));
    }

    /// Ends the communication with a process, and reports the loss.
    pub(super) fn lose(&mut self, host: &mut dyn Host, peer: u32, failure: Failure) {
        if let State::Lost(_) = self.peers[peer as usize].state {
            return;
        }
        self.close(host, peer, failure.clone());
        host.lost(peer, failure);
    }

    /// Ends everything that is under way with a process, without a report.
    pub(super) fn close(&mut self, host: &mut dyn Host, peer: u32, failure: Failure) {
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.forget(&mut lifeline_host, failure.clone().about(peer));
        self.end(host, peer, failure);
    }

    /// Ends everything but the lifeline.
    fn end(&mut self, host: &mut dyn Host, peer: u32, failure: Failure) {
        self.settle(peer);
        // Later sends fail because the process is lost, whatever the first report says.
        let later = match failure.fault {
            Fault::Unreachable => failure.clone(),
            _ => Failure { fault: Fault::Lost, ..failure.clone() },
        };
        let Peer { leads, incarnation, .. } = self.peers[peer as usize];
        self.revoke_grant(peer);
        let state = State::Lost(later.clone());
        let old = std::mem::replace(
            &mut self.peers[peer as usize],
            Peer { state, leads, incarnation, ..Peer::default() },
        );
        self.peers[peer as usize].under_way = old.under_way;
        let delayed = self.delayed.extract_if(.., |delayed| delayed.from == peer);
        let delayed: Vec<_> = delayed.map(|delayed| delayed.incoming.message).collect();
        let received = old.arrived.into_iter().chain(old.early.into_values());
        let received = received.map(|(buffer, _)| buffer);
        let done = old.done.into_iter().map(|incoming| incoming.message);
        for buffer in received.chain(done).chain(delayed) {
            self.repost(buffer);
        }
        for queued in old.queue {
            self.endpoint.give_back(queued.buffer);
        }
        let announced = old.announced.into_values().map(|(_, token)| token);
        let asked = old.asked.into_iter().map(|(_, _, token)| token);
        let accesses = old.accesses.into_iter().map(|access| access.token);
        let flushes = old.flushes.into_iter().map(|(_, token)| token);
        let mut tokens: Vec<_> = announced.chain(asked).chain(accesses).chain(flushes).collect();
        if let Some(remotes) = &mut self.remotes {
            tokens.extend(remotes.end(peer, &old.memory_addresses));
        }
        for bulk in self.bulk.extract_if(|_, bulk| bulk.peer() == peer) {
            match bulk.1 {
                Bulk::Send(_, token) => tokens.push(token),
                Bulk::Receive(_, incoming) => self.unposted.push(incoming.message),
            }
        }
        for token in tokens {
            host.completed(token, Err(later.clone()));
        }
        if let Some(address) = old.address {
            self.endpoint.remove(address);
        }
        let Self { ready, sending, meeting, suspects, owing, .. } = self;
        for list in [ready, sending, meeting, suspects, owing] {
            list.retain(|&other| other != peer);
        }
    }

    /// Ends the operations on memory of the host that a process takes part in, and waits until they
    /// have ended. If the provider does not end a receive, closes the endpoint, because it could
    /// write to memory that the program owns again. A send only reads, for a process that is lost:
    /// `ofi_rxm` never ends one that its receiver was to read.
    fn settle(&mut self, peer: u32) {
        let labels: HashSet<u64> = self
            .bulk
            .iter()
            .filter(|(_, bulk)| bulk.peer() == peer)
            .map(|(&label, _)| label)
            .collect();
        if labels.is_empty() {
            return;
        }
        let start = Instant::now();
        self.endpoint.cancel(|label| labels.contains(&label));
        let receives: HashSet<u64> = self
            .bulk
            .iter()
            .filter(|(label, bulk)| labels.contains(label) && matches!(bulk, Bulk::Receive(..)))
            .map(|(&label, _)| label)
            .collect();
        while self.endpoint.count(|label| labels.contains(&label)) > 0 {
            let is_late = start.elapsed() > SETTLE_TIMEOUT;
            if is_late && self.endpoint.count(|label| receives.contains(&label)) == 0 {
                break;
            }
            if is_late || self.endpoint.poll(&mut self.completions).is_err() {
                self.endpoint.close(&mut self.completions);
                break;
            }
        }
        // Dropping a completion releases the memory.
        self.completions.retain(|Completion { held, .. }| match held {
            Held::From(_, label, _) | Held::To(_, label, _) => !labels.contains(label),
            Held::Receive(_) | Held::Send(..) => true,
        });
    }

    /// Makes a process of another job known.
    pub(super) fn meet_foreign(
        &mut self,
        host: &mut dyn Host,
        process: u32,
        mut foreign: Foreign,
    ) -> Result<(), Failure> {
        let leads = foreign.follows;
        let unknown = || Failure::new(Fault::Unreachable, "its card makes no sense").about(process);
        foreign.card = decode_card(&foreign.card).ok_or_else(unknown)?.1.to_vec();
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.meet(&mut lifeline_host, process, foreign)?;
        let index = process as usize;
        if index == self.peers.len() {
            self.peers.grow(index + 1);
        }
        match self.peers.get_mut(index) {
            Some(Peer { state: State::Unknown, .. }) => {}
            Some(_) => self.close_dismissed(host, process),
            None => return Err(Member::invalid("the process is not the next one", process)),
        }
        self.leaving.retain(|&(other, _)| other != process);
        self.events.retain(|event| {
            let (Event::Message(from, _) | Event::Lost(from, _)) = event;
            *from != process
        });
        let incarnation = self.peers[index].incarnation.wrapping_add(1);
        self.peers[index] = Peer { leads, incarnation, ..Peer::default() };
        Ok(())
    }

    /// Ends the connection with a process of another job: it lives on until both have said goodbye.
    pub(super) fn dismiss_foreign(&mut self, host: &mut dyn Host, process: u32) {
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.dismiss(&mut lifeline_host, process);
        let Some(peer) = self.peers.get(process as usize) else { return };
        match peer.state {
            State::Linked => {
                self.say_goodbye_to(process);
                self.leaving.push((process, None));
                self.transmit(process);
            }
            State::Unknown | State::Meeting => self.close_dismissed(host, process),
            State::Lost(_) => {}
        }
    }

    /// Closes the connections with dismissed processes that have said goodbye as well, or that have
    /// ended before: the end of the lifeline of a dismissed process is no event.
    pub(super) fn close_left(&mut self, host: &mut dyn Host) {
        for (process, ended) in std::mem::take(&mut self.leaving) {
            let peer = &self.peers[process as usize];
            let waits = matches!(peer.state, State::Linked) && !(peer.heard && peer.is_idle());
            let has_parted = waits && self.lifeline.has_parted(process);
            let ended = has_parted.then(|| ended.unwrap_or_else(Instant::now));
            if waits && ended.is_none_or(|since| since.elapsed() < SUSPECT_TIMEOUT) {
                self.leaving.push((process, ended));
            } else {
                self.close_dismissed(host, process);
            }
        }
    }

    fn close_dismissed(&mut self, host: &mut dyn Host, process: u32) {
        let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
        self.end(host, process, failure);
    }
}
