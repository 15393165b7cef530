//! The networks: how packets go to processes of other nodes, and come from them.
//!
//! A process has one or more network modules, its *rails*. All packets of a pair take the first, so they stay in order, also those that bring a bulk payload
//! (an *eager* one); bulk payloads that carry their place with them take whichever has room (sequence number 0: no order).
//!
//! ```text
//!   try_send ────────────────> rail 0 ── packets ──> poll ──> Sink::packet
//!   try_send_eager_bulk ─────> rail 0 ── packets with bulk payloads ──> Sink::place, then the packet
//!   try_send_bulk ─────────┬─> rail 0 ── bulk payloads ───> Sink::place, then the packet
//!                          └─> rail 1 …
//! ```

mod hosts;
mod memory;

use crate::endpoint::Sink;
use crate::long::FAR_PACKET_MAX_BYTES;
use crate::peer::{Outbound, Peer};
use crate::tunables::Tunables;
use hosts::{Absent, Books, BulkSend, Noted, Post, lose_all};
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Interest, Limits, Module, Pool, Region, Rest, Sent, Setup,
    Started,
};
use nemesis_netmod_tcp::{Acceptor, Options, Tcp};
use nemesis_sync::Ordering;
use nemesis_sys::bell::{Bell, Wish};
use nemesis_wire::{Header, kind, next_seq, words};
use nemesis_wireup::{Wireup, WireupError};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Networks of a host that are used at most.
const RAILS_MAX: usize = 4;
/// Bulk payloads under way to one process on one rail: one moves, the next is at hand.
const BULK_AT_ONCE: usize = 2;
/// Pieces in which a bulk payload travels if there are several rails: long enough that the piece's packet costs nothing.
const STRIPE_BYTES: usize = 512 << 10;
/// Polls with a neighbour in mind for each one that looks at the networks: a look costs a system call, about as much as a message takes.
const NEIGHBOUR_POLLS: u32 = 16;
/// Packets that are sent without a look at what comes: whoever only sends hears a wish to hold back no later.
const UNSEEN_SENDS: u32 = 64;
/// Bytes of an eager bulk payload that count as another such packet.
const UNSEEN_BYTES: usize = 64 << 10;
/// Eager bulk payloads from here on, since no packet carries as much. Of 16 to 32 KiB, a second read costs a tenth more than the copy that it saves.
pub const EAGER_BULK_MIN_BYTES: usize = FAR_PACKET_MAX_BYTES + 1;
/// The longest eager bulk payload. A process may have to keep it, and that it was not asked for must not be much beside what it may keep of each other one.
pub const EAGER_BULK_MAX_BYTES: usize = 1 << 20;
/// Bytes of eager bulk payloads that wait to be written to one process; more is better asked for, since what waits here cannot be held back any more.
const EAGER_WAITING_BYTES: usize = 1 << 20;
/// Polls in which a further rail that has brought a bulk payload is looked at every time.
const BUSY_POLLS: u32 = 1000;
/// A poll that waits for a far process looks at its connection several times.
const FAR_LOOKS: u32 = 3;
/// So long a packet to a process waits with its sender for the connection. The other may be computing, and then nobody knows for how long.
const MEETING: Duration = Duration::from_secs(1);
/// Cells lent to modules at most.
const CELLS: usize = 64;
/// How long settling may take when somebody does not answer.
const PARTING: Duration = Duration::from_secs(5);

/// The client's name for a bulk payload that it sends.
pub type Token = u64;

/// What a process has published for a network.
pub type Cards = Box<dyn Fn(u32, &str) -> Result<Option<Vec<u8>>, WireupError> + Send>;

struct Rail {
    name: String,
    module: Box<dyn Module>,
    limits: Limits,
}

pub struct Networks {
    rails: Vec<Rail>,
    /// Which of the rails lead to a process, as bits; all, until one turns out not to.
    usable: Vec<u8>,
    /// The first rail leads to these processes, or has been waited for long enough.
    met: Vec<bool>,
    /// Since when it has been waited for.
    meeting: HashMap<u32, Instant>,
    books: Books,
    bell: Option<Bell>,
    turns: u32,
    /// Packets sent since the networks were looked at.
    unseen: u32,
    /// The last packet was refused, and whoever sleeps knows that.
    refused: bool,
    told: bool,
    /// Polls to go in which further rails are looked at every time, since one brought something.
    busy_polls: u32,
    next_bulk: u64,
    /// How often the last poll looked at the network.
    looks: u32,
}

impl Networks {
    /// None yet, of process `me`.
    pub fn new(me: u32, processes: u32, cards: Cards, verbose: bool) -> Networks {
        let books = Books {
            me,
            cards,
            pool: Pool::new(CELLS, u16::MAX.into()),
            bulk_sends: HashMap::new(),
            reaching: HashMap::new(),
            noted: VecDeque::new(),
            owed: Vec::new(),
            verbose,
        };
        Networks {
            rails: Vec::new(),
            usable: vec![u8::MAX; processes as usize],
            met: vec![false; processes as usize],
            meeting: HashMap::new(),
            books,
            bell: Bell::new().ok(),
            turns: 0,
            unseen: 0,
            refused: false,
            told: false,
            busy_polls: 0,
            next_bulk: 0,
            looks: 1,
        }
    }

    /// Starts the networks and tells the others. Collective.
    pub fn open(wireup: &mut Wireup, tunables: &Tunables) -> Result<Networks, WireupError> {
        let directory = wireup.directory();
        let cards = Box::new(move |process, network: &str| directory.card_of(process, network));
        let mut networks = Networks::new(wireup.rank(), wireup.size(), cards, tunables.verbose);
        let acceptor =
            wireup.acceptor().and_then(|(line, port)| Acceptor::new(line, port).ok()).map(Arc::new);
        for rail in 0..Tcp::rails(&tunables.net).min(RAILS_MAX) {
            let (choice, ports, encrypt) =
                (tunables.net.clone(), tunables.ports.clone(), tunables.encrypt);
            let driver = Tcp::new(Options {
                choice,
                ports,
                acceptor: acceptor.clone(),
                encrypt,
                rail,
                ..Options::default()
            });
            match networks.start(&driver, *wireup.job_key().bytes()) {
                Ok(card) => wireup.publish(driver.name(), &card),
                Err(failure) if rail == 0 => {
                    return Err(WireupError::new(
                        "joining the network",
                        &failure.why,
                        advice(&failure, tunables),
                    ));
                }
                Err(failure) => networks.books.note(driver.name(), &failure.why),
            }
        }
        wireup.exchange()?;
        Ok(networks)
    }

    /// Starts a network module of any kind, the next rail: its card, which the other processes must know before the first packet.
    pub fn start(&mut self, driver: &dyn Driver, job_key: [u8; 32]) -> Result<Vec<u8>, Failure> {
        let setup =
            Setup { me: self.books.me, processes: self.met.len() as u32, job_key, cells: None };
        let name = driver.name().to_owned();
        let Started { module, card } =
            driver.init(setup, &mut Absent { name: &name, books: &mut self.books })?;
        let limits = module.limits();
        if self.rails.is_empty() && limits.payload < FAR_PACKET_MAX_BYTES {
            let why = format!(
                "{name} carries packets of {} bytes, and a network that takes all packets has to carry {FAR_PACKET_MAX_BYTES}",
                limits.payload
            );
            return Err(Failure::new(Fault::Resources, why));
        }
        self.rails.push(Rail { name, module, limits });
        Ok(card)
    }

    /// The bell by which neighbours wake us; 0: there is none.
    pub fn bell(&self) -> u64 {
        self.bell.as_ref().map_or(0, Bell::number)
    }

    /// Sends a packet to a process of another node; false when there is no room now. What is sent to a lost process is gone, like the process.
    pub fn send(&mut self, peers: &mut [Peer], to: u32, header: &Header, payload: &[u8]) -> bool {
        let sent = self.try_send(peers, to, header, payload);
        self.note(sent);
        sent
    }

    /// A packet was sent, or refused.
    fn note(&mut self, sent: bool) {
        if self.refused == sent {
            (self.refused, self.told) = (!sent, false);
        }
    }

    /// Whether a packet was refused of which a thread that sleeps does not know; it does from now on.
    pub fn must_tell(&mut self) -> bool {
        self.refused && !std::mem::replace(&mut self.told, true)
    }

    fn try_send(&mut self, peers: &mut [Peer], to: u32, header: &Header, payload: &[u8]) -> bool {
        if let Outbound::Lost = peers[to as usize].outbound {
            return true;
        }
        if self.unseen >= UNSEEN_SENDS || !self.has_met(to) {
            return false;
        }
        self.unseen += 1;
        let rail = &mut self.rails[0];
        let packet = nemesis_netmod::Packet { header, payload, bulk: None };
        match rail.module.send(
            &mut Absent { name: &rail.name, books: &mut self.books },
            to,
            packet,
            0,
        ) {
            Ok(Sent::Full) => return false,
            Ok(Sent::Done | Sent::Pending) => {}
            Err(failure) => self.books.noted.push_back(Noted::Lost(to, failure)),
        }
        true
    }

    /// Longest bulk payload for a process: longer ones go in several.
    pub fn bulk_max(&self) -> usize {
        let limit = usize::try_from(self.rails[0].limits.bulk).unwrap_or(usize::MAX);
        if self.rails.len() > 1 { limit.min(STRIPE_BYTES) } else { limit }
    }

    /// Sends a packet with a bulk payload, in no order with others, over the rail that has the least to do.
    pub fn send_bulk(
        &mut self,
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Result<Sent, Failure> {
        let Some(rail) = self.choose(to) else { return Ok(Sent::Full) };
        let own = self.next_bulk;
        let Rail { name, module, .. } = &mut self.rails[rail];
        let packet = nemesis_netmod::Packet { header, payload, bulk: Some(bulk) };
        let sent = module.send(&mut Absent { name, books: &mut self.books }, to, packet, own)?;
        if sent == Sent::Pending {
            self.next_bulk += 1;
            self.books.bulk_sends.insert(own, BulkSend { token, rail, to, eager_bytes: 0 });
        }
        Ok(sent)
    }

    /// Sends a packet with a bulk payload in its place among the packets to a process. `Full` also where so much waits that more is better asked for.
    pub fn send_eager_bulk(
        &mut self,
        peers: &[Peer],
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Sent {
        let sent = self.try_send_eager_bulk(peers, to, header, payload, bulk, token);
        self.note(sent != Sent::Full);
        sent
    }

    fn try_send_eager_bulk(
        &mut self,
        peers: &[Peer],
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Sent {
        if let Outbound::Lost = peers[to as usize].outbound {
            return Sent::Done;
        }
        let bytes = bulk.len();
        if self.unseen >= UNSEEN_SENDS || !self.has_met(to) || !self.has_eager_room(to, bytes) {
            return Sent::Full;
        }
        let own = self.next_bulk;
        let Rail { name, module, .. } = &mut self.rails[0];
        let packet = nemesis_netmod::Packet { header, payload, bulk: Some(bulk) };
        let sent = match module.send(&mut Absent { name, books: &mut self.books }, to, packet, own)
        {
            Ok(sent) => sent,
            Err(failure) => {
                // Its end comes with the next poll.
                self.books.noted.push_back(Noted::Lost(to, failure));
                return Sent::Pending;
            }
        };
        if sent == Sent::Pending {
            self.next_bulk += 1;
            self.books.bulk_sends.insert(own, BulkSend { token, rail: 0, to, eager_bytes: bytes });
        }
        if sent != Sent::Full {
            self.unseen += 1 + (bytes / UNSEEN_BYTES) as u32;
        }
        sent
    }

    /// Whether an eager bulk payload may join those that wait. Where there are several rails none does: bulk payloads that are asked for use them all.
    fn has_eager_room(&self, to: u32, bytes: usize) -> bool {
        if self.books.bulk_sends.is_empty() {
            return true;
        }
        let waiting: usize = self
            .books
            .bulk_sends
            .values()
            .filter(|bulk| bulk.to == to)
            .map(|bulk| bulk.eager_bytes)
            .sum();
        waiting == 0 || self.rails.len() == 1 && waiting + bytes <= EAGER_WAITING_BYTES
    }

    fn choose(&mut self, to: u32) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for rail in 0..self.rails.len() {
            if rail > 0 && !self.leads_to(rail, to) {
                continue;
            }
            let busy = self
                .books
                .bulk_sends
                .values()
                .filter(|bulk| bulk.rail == rail && bulk.to == to)
                .count();
            if busy < BULK_AT_ONCE && best.is_none_or(|(_, least)| busy < least) {
                best = Some((rail, busy));
            }
        }
        best.map(|(rail, _)| rail)
    }

    /// Whether packets may go to a process. A module would keep the first ones until the connection stands; but their sender would take them for sent,
    /// might leave MPI for hours, and nobody would go on with the connection that somebody else waits for.
    #[inline]
    fn has_met(&mut self, to: u32) -> bool {
        self.met[to as usize] || self.meet(to)
    }

    #[cold]
    fn meet(&mut self, to: u32) -> bool {
        let Rail { name, module, .. } = &mut self.rails[0];
        // A failure is told by the packet that is sent next.
        let reached =
            module.reaches(&mut Absent { name, books: &mut self.books }, to).unwrap_or(true);
        if reached || self.meeting.entry(to).or_insert_with(Instant::now).elapsed() >= MEETING {
            self.meeting.remove(&to);
            self.met[to as usize] = true;
        }
        self.met[to as usize]
    }

    /// Whether a further rail leads to a process now; the first question lets it be dialled.
    fn leads_to(&mut self, rail: usize, to: u32) -> bool {
        if self.usable[to as usize] & 1 << rail == 0 {
            return false;
        }
        let Rail { name, module, .. } = &mut self.rails[rail];
        match module.reaches(&mut Absent { name, books: &mut self.books }, to) {
            Ok(reached) => reached,
            Err(_) => {
                self.usable[to as usize] &= !(1 << rail);
                false
            }
        }
    }

    /// Asks a process of another node to hold back, or to go on.
    pub fn throttle(&mut self, peers: &mut [Peer], origin: u32, hold_back: bool) {
        let peer = &mut peers[origin as usize];
        let payload = words([u64::from(hold_back)]);
        let size = payload.as_bytes().len() as u16;
        let header = Header { seq: peer.next_seq, kind: kind::THROTTLE, size, ..Header::default() };
        if self.send(peers, origin, &header, payload.as_bytes()) {
            let peer = &mut peers[origin as usize];
            peer.next_seq = next_seq(peer.next_seq);
        } else {
            self.books.owed.push((origin, hold_back));
        }
    }

    /// Whether one thread may sleep while another polls.
    pub fn share(&mut self, shared: bool) {
        for rail in &mut self.rails {
            rail.module.share(shared);
        }
    }

    /// How many looks the last poll has taken.
    #[inline]
    pub fn looks(&self) -> u32 {
        self.looks
    }

    /// Moves what waits and takes in what has come; `expected` is the process whose packet is waited for.
    pub fn poll<S: Sink>(
        &mut self,
        peers: &mut [Peer],
        expected: Option<u32>,
        sink: &mut S,
    ) -> u32 {
        let far = expected
            .filter(|&process| peers.get(process as usize).is_some_and(|peer| peer.slot.is_none()));
        self.turns = self.turns.wrapping_add(1);
        self.looks = if far.is_some() { FAR_LOOKS } else { 1 };
        let is_turn = self.turns.is_multiple_of(NEIGHBOUR_POLLS) || self.unseen >= UNSEEN_SENDS;
        if expected.is_some() && far.is_none() && !is_turn {
            return 0;
        }
        // Whoever was told that there is no room before somebody has looked has room now, and must not fall asleep.
        let mut taken = u32::from(self.unseen >= UNSEEN_SENDS);
        self.unseen = 0;
        if !self.books.owed.is_empty() {
            for (origin, hold_back) in std::mem::take(&mut self.books.owed) {
                self.throttle(peers, origin, hold_back);
            }
        }
        for (index, rail) in self.rails.iter_mut().enumerate() {
            if index > 0 && self.books.bulk_sends.is_empty() && self.busy_polls == 0 && !is_turn {
                continue;
            }
            let mut post =
                Post { rail: index, name: &rail.name, peers, books: &mut self.books, sink };
            rail.module.expect(far);
            let sent = rail.module.poll_send(&mut post);
            let moved = sent
                .and_then(|sent| rail.module.poll_recv(&mut post).map(|packets| (sent, packets)));
            match moved {
                Ok((sent, packets)) => {
                    // Where something moves, whoever waits for it does not fall asleep.
                    taken += packets + u32::from(sent > 0);
                    if index > 0 {
                        self.busy_polls = if packets > 0 {
                            BUSY_POLLS
                        } else {
                            self.busy_polls.saturating_sub(1)
                        };
                    }
                }
                Err(failure) => lose_all(post.peers, post.books, &failure),
            }
        }
        if !self.books.noted.is_empty() {
            self.tell(peers, sink);
        }
        taken
    }

    /// Tells the sink what was noted.
    fn tell<S: Sink>(&mut self, peers: &mut [Peer], sink: &mut S) {
        while let Some(noted) = self.books.noted.pop_front() {
            match noted {
                Noted::Completed(token, outcome) => sink.completed(token, outcome),
                Noted::Lost(process, failure) => {
                    let peer = &mut peers[process as usize];
                    if !matches!(peer.outbound, Outbound::Lost) {
                        peer.outbound = Outbound::Lost;
                        // Relaxed: our own. Whoever sends to it is to look closer.
                        peer.throttle.store(1, Ordering::Relaxed);
                        // Whoever found it out: none of them uses memory of what ends now.
                        for Rail { name, module, .. } in &mut self.rails {
                            module.forget(
                                &mut Absent { name, books: &mut self.books },
                                failure.clone().about(process),
                            );
                        }
                        sink.lost(process, &failure);
                    }
                }
            }
        }
    }

    /// What a sleeper waits for besides its doorbell, and for how long at most; `None` when it should poll on.
    pub fn rest(&mut self) -> Option<(Vec<Wish>, Duration)> {
        let (mut wishes, mut limit) = self.rest_alone()?;
        match &self.bell {
            Some(bell) => {
                bell.hush();
                wishes.push(Wish::to_read(bell));
            }
            // Neighbours cannot wake us.
            None => limit = limit.min(Duration::from_millis(1)),
        }
        Some((wishes, limit))
    }

    /// The same for one who waits for the networks alone: neighbours do not ring.
    pub fn rest_alone(&mut self) -> Option<(Vec<Wish>, Duration)> {
        if !self.books.noted.is_empty() {
            return None;
        }
        self.told = self.refused;
        let mut interests: Vec<Interest> = Vec::new();
        let mut limit = Duration::MAX;
        for rail in &mut self.rails {
            match rail.module.rest(&mut interests) {
                Rest::Poll => return None,
                Rest::Sleep(longest) => limit = limit.min(longest),
            }
        }
        let wish = |interest: Interest| Wish {
            descriptor: interest.descriptor,
            readable: interest.readable,
            writable: interest.writable,
        };
        Some((interests.into_iter().map(wish).collect(), limit))
    }

    /// Brings everything to the other hosts; ends when it is there, or when patience ends.
    pub fn settle<S: Sink>(&mut self, peers: &mut [Peer], sink: &mut S) {
        let start = Instant::now();
        loop {
            let mut busy = false;
            for index in 0..self.rails.len() {
                let rail = &mut self.rails[index];
                let mut post =
                    Post { rail: index, name: &rail.name, peers, books: &mut self.books, sink };
                busy |= !matches!(rail.module.pause(&mut post), Ok(Finalized::Done) | Err(_));
            }
            if !busy || start.elapsed() > PARTING {
                return;
            }
            if self.poll(peers, None, sink) == 0 {
                std::thread::yield_now();
            }
        }
    }
}

/// What to try when there is no network.
fn advice(failure: &Failure, tunables: &Tunables) -> &'static str {
    match failure.fault {
        Fault::Unreachable => {
            "mpiexec -net (NEMESIS_NET) with names or networks of these: eth0,10.1.0.0/16,^docker0"
        }
        _ if tunables.ports.0.is_some() => {
            "mpiexec -port-range, with which the processes of a host share one port, or NEMESIS_PORTS with one for each process and each network"
        }
        _ => {
            "`ulimit -n` and `ip address` on this host: a process needs descriptors and an address"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_netmod_loopback::{Loopback, Network, Trouble};

    #[test]
    fn a_network_that_cannot_carry_our_packets_is_no_first_one() {
        let limits = Limits { payload: 4096, bulk: 1 << 30 };
        let short = Loopback(Network::new(Trouble { limits, ..Trouble::none() }));
        let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
        let refused = networks.start(&short, [0; 32]).unwrap_err();
        assert!(refused.why.contains("packets of 4096 bytes"), "{}", refused.why);
        networks.start(&Loopback(Network::new(Trouble::none())), [0; 32]).unwrap();
        networks.start(&short, [0; 32]).expect("further rails carry bulk payloads only");
    }
}
