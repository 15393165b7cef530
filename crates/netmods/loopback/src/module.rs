//! The five functions over the pipes.

use crate::incoming::{Incoming, Progress};
use crate::outgoing::Outgoing;
use crate::registered::Remote;
use crate::remote::{Operations, Work};
use crate::wires::{End, LANES, Network};
use nemesis_netmod::optional::{Change, Registration, Rma, Target};
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Host, Limits, Module, NO_CARD, Packet, Region, RegionMut,
    Sent, Setup, Started, Token,
};

/// Maximum number of packets that one `poll_recv` delivers.
const BURST: u32 = 16;

/// The driver of one process.
pub struct Loopback(pub Network);

impl Driver for Loopback {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn init(&self, setup: Setup, _host: &mut dyn Host) -> Result<Started, Failure> {
        let card = [self.0.id(), setup.me.into()].map(u64::to_le_bytes).concat();
        let peer = |process| Peer {
            outgoing: Default::default(),
            incoming: std::array::from_fn(|lane| Incoming::new(process, lane)),
            unordered: 0,
            standing: Standing::Unknown,
        };
        let (network, peers) = (self.0.clone(), (0..setup.processes).map(peer).collect());
        let module = Member {
            network,
            me: setup.me,
            peers,
            operations: Operations::default(),
            said_goodbye: false,
        };
        Ok(Started { module: Box::new(module), card })
    }
}

/// State of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Its card has not been read yet.
    Unknown,
    Connected,
    Gone,
    Lost,
}

struct Peer {
    /// By lane.
    outgoing: [Outgoing; LANES],
    incoming: [Incoming; LANES],
    /// Number of unordered packets sent to it.
    unordered: usize,
    standing: Standing,
}

/// The module in one process.
struct Member {
    network: Network,
    me: u32,
    peers: Vec<Peer>,
    /// Pending remote memory accesses.
    operations: Operations,
    said_goodbye: bool,
}

impl Member {
    /// Checks the card of a process before the first packet to it.
    fn connect(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        let unreachable = |why: &str| Failure::new(Fault::Unreachable, why).about(to);
        let Some(peer) = self.peers.get_mut(to as usize) else {
            return Err(Failure::new(Fault::Invalid, "the job has no such process").about(to));
        };
        match peer.standing {
            Standing::Connected => return Ok(()),
            Standing::Gone => return Err(Failure::new(Fault::Lost, "it has finalized").about(to)),
            Standing::Lost => return Err(Failure::new(Fault::Lost, "it was lost before").about(to)),
            Standing::Unknown => {}
        }
        let card = host.card(to).ok_or_else(|| unreachable(NO_CARD))?;
        if card != [self.network.id(), to.into()].map(u64::to_le_bytes).concat() {
            return Err(unreachable("its card is of another network"));
        }
        if self.network.wires().end_of(to).is_some() {
            return Err(unreachable("it is gone"));
        }
        peer.standing = Standing::Connected;
        Ok(())
    }

    /// Ends the communication with a process that has left or violated the protocol.
    fn part(&mut self, host: &mut dyn Host, process: u32, standing: Standing, failure: Failure) {
        let peer = &mut self.peers[process as usize];
        peer.standing = standing;
        for incoming in &mut peer.incoming {
            incoming.abandon(host);
        }
        let tokens: Vec<Token> = peer.outgoing.iter_mut().flat_map(Outgoing::abandon).collect();
        for token in tokens.into_iter().chain(self.operations.abandon(process)) {
            host.completed(token, Err(failure.clone()));
        }
        if standing == Standing::Lost {
            host.lost(process, failure);
        }
    }

    fn end(&mut self, host: &mut dyn Host, process: u32, end: End) {
        let (standing, why) = match end {
            End::Goodbye => (Standing::Gone, "it finalized before it had read everything"),
            End::Death => (Standing::Lost, "it died"),
        };
        self.part(host, process, standing, Failure::new(Fault::Lost, why).about(process));
    }

    /// Starts an access to the memory of another process.
    fn reach(
        &mut self,
        host: &mut dyn Host,
        at: Target<'_>,
        work: Work,
        token: Token,
    ) -> Result<(), Failure> {
        self.connect(host, at.process)?;
        self.operations.begin(&mut self.network.wires(), Remote::new(at), work, token);
        Ok(())
    }

    /// Moves pending accesses and returns the number of those that ended.
    fn advance(&mut self, host: &mut dyn Host) -> u32 {
        let (completed, over, gone) = self.operations.advance(&mut self.network.wires());
        for (token, outcome) in completed {
            host.completed(token, outcome);
        }
        if let Some((process, end)) = gone {
            self.end(host, process, end);
        }
        over
    }

    fn has_unsent(&self) -> bool {
        self.peers.iter().flat_map(|peer| &peer.outgoing).any(|queue| !queue.is_empty())
    }

    /// Receives at most `most` packets of a lane, and returns their number.
    fn pull(&mut self, host: &mut dyn Host, from: u32, lane: usize, most: u32) -> u32 {
        let mut packets = 0;
        while packets < most && !self.is_over(from) {
            let incoming = &mut self.peers[from as usize].incoming[lane];
            let progress = incoming.pull(&mut self.network.wires(), self.me, host);
            match progress {
                Progress::Delivered => packets += 1,
                Progress::Stopped => break,
                Progress::Ended(end) => self.end(host, from, end),
                Progress::Nonsense(failure) => self.part(host, from, Standing::Lost, failure),
            }
        }
        packets
    }

    fn is_over(&self, process: u32) -> bool {
        matches!(self.peers[process as usize].standing, Standing::Gone | Standing::Lost)
    }
}

impl Module for Member {
    fn limits(&self) -> Limits {
        self.network.wires().limits()
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        let (limits, bulk) =
            (self.limits(), packet.bulk.as_ref().map_or(0, |bulk| bulk.len() as u64));
        if packet.payload.len() != usize::from(packet.header.size)
            || packet.payload.len() > limits.payload
            || bulk > limits.bulk
        {
            return Err(Failure::new(
                Fault::Invalid,
                "the packet is longer than the loopback network carries",
            )
            .about(to));
        }
        self.connect(host, to)?;
        let peer = &mut self.peers[to as usize];
        let lane = if packet.ordered { 0 } else { 1 + peer.unordered % (LANES - 1) };
        peer.unordered += usize::from(!packet.ordered);
        let pipe = (self.me, to, lane);
        if let Some(bulk) = &packet.bulk {
            self.network.wires().note_registered(0, self.me, bulk.registration());
        }
        let sent = peer.outgoing[lane].send(&mut self.network.wires(), pipe, packet, token);
        sent.map_err(|end| {
            self.end(host, to, end);
            Failure::new(Fault::Lost, "it left").about(to)
        })
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        self.network.wires().tick();
        let mut packets = 0;
        for to in 0..self.peers.len() as u32 {
            let mut completed = Vec::new();
            let mut wires = self.network.wires();
            let outgoing = self.peers[to as usize].outgoing.iter_mut().enumerate();
            let pushed: Result<Vec<u32>, End> = outgoing
                .map(|(lane, queue)| queue.push(&mut wires, (self.me, to, lane), &mut completed))
                .collect();
            drop(wires);
            for token in completed {
                host.completed(token, Ok(()));
            }
            match pushed {
                Ok(pushed) => packets += pushed.iter().sum::<u32>(),
                Err(end) => self.end(host, to, end),
            }
        }
        Ok(packets + self.advance(host))
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let processes = self.peers.len() as u32;
        let first = {
            let mut wires = self.network.wires();
            wires.tick();
            wires.up_to(u64::from(processes) - 1) as u32
        };
        let mut packets = 0;
        for from in (first..processes).chain(0..first) {
            for lane in 0..LANES {
                packets += self.pull(host, from, lane, BURST.saturating_sub(packets));
            }
        }
        Ok(packets)
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.poll_send(host)?;
        if !self.operations.is_empty() || self.has_unsent() {
            return Ok(Finalized::Busy);
        }
        for incoming in self.peers.iter_mut().flat_map(|peer| &mut peer.incoming) {
            incoming.abandon(host);
        }
        self.network.wires().leave(self.me, End::Goodbye);
        self.said_goodbye = true;
        Ok(Finalized::Done)
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        if self.network.wires().reaches_memory() { Some(self) } else { None }
    }
}

impl Rma for Member {
    fn has_atomics(&self) -> bool {
        true
    }

    fn register(&mut self, region: Region) -> Result<Registration, Failure> {
        let mut wires = self.network.wires();
        let key = wires.up_to(u64::MAX);
        Ok(wires.registered.add(self.me, key, region))
    }

    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        self.network.wires().deregister(self.me, registration.id)
    }

    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Put(from), token)
    }

    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Get(to), token)
    }

    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.reach(host, target, Work::Atomic(change, old), token)
    }

    fn flush(&mut self, host: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(host, Target { process, address: 0, key: &[] }, Work::Flush, token)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if !self.said_goodbye {
            self.network.wires().leave(self.me, End::Death);
        }
    }
}
