//! The driver, and the five functions of the module.

use crate::address::{Address, Port};
use crate::control::{Control, Purpose};
use crate::device::{BURST, Device};
use crate::inner::InnerHost;
use crate::iwarp::Iwarp;
use crate::layout::Wc;
use crate::library::Library;
use crate::link_state::POLLS_PER_LINK;
use crate::member::Member;
use crate::objects::Context;
use crate::options::Options;
use crate::peer::{Outgoing, Peer, Status};
use crate::prefix::OVERHEAD_BYTES;
use crate::slab::Slab;
use nemesis_netmod::optional::Rma;
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Foreign, Host, Interest, Limits, Module, Packet, PagedTable,
    Rest, Sent, Setup, Started, Token,
};
use nemesis_netmod_tcp::Tcp;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Longest sleep while a process may write to a ring of this one, which wakes nobody.
const RING_SLEEP: Duration = Duration::from_millis(1);
/// Polls between two looks at the TCP connections while they carry nothing.
const POLLS_PER_TCP: u32 = 64;
/// Limits of what waits for one process.
const OUTBOX_MAX: usize = 256;
const OUTBOX_MAX_BYTES: usize = 1 << 20;

/// The ports of the chosen devices.
struct Ports {
    usable: Vec<(Arc<Context>, Port)>,
    /// Why others of the devices and their ports are not used.
    missing: Vec<String>,
}

/// The driver of the InfiniBand module.
#[derive(Clone, Debug)]
pub struct Verbs {
    name: String,
    options: Options,
}

impl Verbs {
    /// Makes a driver.
    pub fn new(options: Options) -> Verbs {
        let name = match options.rail {
            0 => "verbs".to_owned(),
            rail => format!("verbs.{rail}"),
        };
        Verbs { name, options }
    }

    /// Returns the number of active ports of the chosen devices; 0 if the host has none.
    pub fn rails(options: &Options) -> usize {
        Verbs::new(options.clone()).ports().map_or(0, |found| found.usable.len())
    }

    /// Finds the usable ports of the chosen devices. Fails with the reasons if there is none.
    fn ports(&self) -> Result<Ports, String> {
        let library = Library::open(self.options.tuning.library.as_deref())?;
        let wanted = &self.options.devices;
        let devices = Context::open_all(&library, |name| {
            wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)
        })?;
        let mut missing = devices.closed;
        let absent = wanted.iter().filter(|name| !devices.names.contains(name));
        let absent: Vec<&str> = absent.map(String::as_str).collect();
        if devices.names.is_empty() {
            missing.push(
                "libibverbs finds no InfiniBand, RoCE or iWARP device on this host: is the \
                 provider of the device installed (Debian: ibverbs-providers)?"
                    .to_owned(),
            );
        } else if !absent.is_empty() {
            missing.push(format!(
                "this host has no InfiniBand, RoCE or iWARP device named {}; it has: {}",
                absent.join(" or "),
                devices.names.join(", ")
            ));
        }
        let mut usable = Vec::new();
        for context in devices.opened {
            let (ports, reasons) = Port::all(&context, &self.options.tuning);
            usable.extend(ports.into_iter().map(|port| (Arc::clone(&context), port)));
            missing.extend(reasons);
        }
        if usable.is_empty() { Err(missing.join("; ")) } else { Ok(Ports { usable, missing }) }
    }

    /// Finds the driver's port. The driver of the first one also tells `note` why the user's other
    /// ports are not used.
    fn find(&self, note: impl FnOnce(&str)) -> Result<(Arc<Context>, Port), String> {
        let Ports { usable, missing } = self.ports()?;
        if self.options.rail == 0 && !missing.is_empty() {
            note(&format!("not used: {}", missing.join("; ")));
        }
        let count = usable.len();
        let chosen = usable.into_iter().nth(self.options.rail);
        chosen.ok_or_else(|| format!("this host has {count} active ports"))
    }

    /// Opens the driver's port.
    fn open(&self, host: &mut dyn Host) -> Result<Device, String> {
        if self.options.tcp.encrypt {
            return Err("a device reads and writes memory without encryption; an encrypted job \
                        (NEMESIS_ENCRYPT, mpiexec -encrypt) uses TCP"
                .to_owned());
        }
        let (context, port) = self.find(|why| host.note(why))?;
        crate::limits::check_locked_memory()?;
        // Each rail prepares, and the first one warns.
        if let Err(why) = context.library.prepare_for_fork()
            && self.options.rail == 0
        {
            host.warn(&why);
        }
        Device::new(&context, port, &self.options)
    }
}

impl Driver for Verbs {
    fn name(&self) -> &str {
        &self.name
    }

    fn describe(&self) -> Result<String, Failure> {
        let unavailable = |why| Failure::new(Fault::Unavailable, why);
        let Ports { usable, mut missing } = self.ports().map_err(unavailable)?;
        crate::limits::check_locked_memory().map_err(unavailable)?;
        let mut words = Vec::new();
        for (context, port) in &usable {
            match Iwarp::check(context, &self.options).err().filter(|_| context.is_iwarp) {
                // Without the first port the network does not start.
                Some(why) if words.is_empty() => return Err(unavailable(why)),
                Some(why) => missing.push(why),
                None => words.push(port.describe(&context.name)),
            }
        }
        if !missing.is_empty() {
            words.push(format!("not used: {}", missing.join("; ")));
        }
        Ok(words.join("; "))
    }

    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure> {
        let device = self.open(host).map_err(|why| Failure::new(Fault::Unavailable, why))?;
        let address = device.port.address;
        let (me, processes) = (setup.me, setup.processes);
        let mut events = VecDeque::new();
        let mut inner = InnerHost { host, events: &mut events, delivered: 0 };
        let tcp = Tcp::new(self.options.tcp.clone()).init(setup, &mut inner)?;
        let mut card = address.encode();
        card.extend(tcp.card);
        let place = device.port.describe(&device.domain.context.name);
        host.note(&format!("{} uses {place}", self.name));
        let member = Member {
            me,
            tcp: tcp.module,
            peers: PagedTable::new(processes as usize),
            job_processes: processes,
            has_memory: self.options.tuning.remote_memory && device.iwarp.is_none(),
            options: self.options.clone(),
            transfers: Slab::default(),
            atomics: Slab::default(),
            exposed: Slab::default(),
            windows: Slab::default(),
            done: VecDeque::new(),
            broken: VecDeque::new(),
            suspects: Vec::new(),
            events,
            active: Vec::new(),
            inactive: Vec::new(),
            completions: vec![Wc::default(); 2 * BURST],
            rings: Vec::new(),
            spare_slots: Vec::new(),
            polls: 0,
            needs_tcp: false,
            has_warned: false,
            down_since: None,
            next_serial: 1,
            sent: 0,
            found: 0,
            device,
        };
        Ok(Started { module: Box::new(member), card })
    }
}

impl Member {
    /// Reports what has completed and failed, and advances every process with work. Delivers
    /// packets if `receives` is true. Returns the number of packets delivered, at least 1 if a part
    /// of one arrived.
    fn settle(&mut self, host: &mut dyn Host, receives: bool) -> Result<u32, Failure> {
        self.handle_events(host, receives);
        if self.device.iwarp.is_some() {
            self.settle_iwarp(host, receives);
        }
        let mut moved = 0;
        if receives && !self.broken.is_empty() {
            // The TCP connection tells whether the process has ended as usual.
            moved += self.poll_tcp(host)?;
        }
        while let Some(broken) = self.broken.pop_front() {
            self.fail_connection(host, broken);
        }
        let mut active = std::mem::replace(&mut self.active, std::mem::take(&mut self.inactive));
        for peer in active.drain(..) {
            self.peers[peer as usize].is_active = false;
            self.speak(host, peer);
            self.send_by_tcp(host, peer);
            self.pump_work(peer, Purpose::Packets);
            self.pump_work(peer, Purpose::Memory);
            self.pump(peer);
            if receives {
                moved += self.advance(host, peer);
                self.end_flushes(peer);
            }
            self.tell(peer);
            let state = &self.peers[peer as usize];
            if state.has_work() || !receives && !state.flushes.is_empty() {
                self.activate(peer);
            }
        }
        self.inactive = active;
        self.handle_events(host, receives);
        while let Some((token, outcome)) = self.done.pop_front() {
            host.completed(token, outcome);
        }
        Ok(moved)
    }

    /// Polls the TCP module in both directions.
    fn poll_tcp(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let (sent, delivered) = self.with_tcp(host, |tcp, inner| {
            let sent = tcp.poll_send(inner)?;
            tcp.poll_recv(inner)?;
            Ok::<u32, Failure>(sent)
        });
        self.sent += sent?;
        self.handle_events(host, true);
        Ok(delivered)
    }

    /// Whether everything accepted has left this process and needs it no more.
    fn is_idle(&self) -> bool {
        let is_idle = |peer: &Peer| {
            !matches!(peer.status, Status::Open)
                || peer.outbox.is_empty()
                    && peer.unsaid.is_empty()
                    && peer.finished.is_empty()
                    && peer.packets.posted.is_empty()
                    && peer.memory.posted.is_empty()
                    && peer.packets.work.is_empty()
                    && peer.memory.work.is_empty()
                    && peer.flushes.is_empty()
        };
        self.exposed.is_empty()
            && self.transfers.is_empty()
            && self.atomics.is_empty()
            && self.done.is_empty()
            && self.peers.iter().all(is_idle)
    }
}

impl Module for Member {
    fn limits(&self) -> Limits {
        let payload = self.options.message_bytes - OVERHEAD_BYTES;
        Limits { payload: payload.min(u16::MAX.into()), bulk: self.tcp.limits().bulk }
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        let limits = self.limits();
        let is_valid = packet.payload.len() == usize::from(packet.header.size)
            && packet.payload.len() <= limits.payload
            && packet.bulk.as_ref().is_none_or(|bulk| bulk.len() as u64 <= limits.bulk);
        if !is_valid || to == self.me || to as usize >= self.peers.len() {
            let why = "the packet is longer than the network carries, or the job has no such \
                       process besides this one";
            return Err(Failure::new(Fault::Invalid, why).about(to));
        }
        self.check_open(to)?;
        self.begin(host, to)?;
        let peer = &self.peers[to as usize];
        if peer.tcp_only.is_some() && peer.outbox.is_empty() {
            let (sent, _) = self.with_tcp(host, |tcp, inner| tcp.send(inner, to, packet, token));
            return sent;
        }
        if std::mem::take(&mut self.peers[to as usize].knows_pause) {
            self.say(host, to, Control::Awake);
        }
        let bulk = packet.bulk.filter(|bulk| !bulk.is_empty());
        self.poke(to);
        let peer = &self.peers[to as usize];
        if peer.outbox.len() >= OUTBOX_MAX || peer.outbox_bytes >= OUTBOX_MAX_BYTES {
            return Ok(Sent::Full);
        }
        let sent = if bulk.is_some() { Sent::Pending } else { Sent::Done };
        if bulk.is_none()
            && peer.outbox.is_empty()
            && self.post_packet(to, packet.header, packet.payload)
        {
            return Ok(sent);
        }
        let bulk = bulk.map(|region| (region, token));
        let payload = packet.payload.to_vec();
        let peer = &mut self.peers[to as usize];
        peer.outbox_bytes += payload.len();
        let header = *packet.header;
        peer.outbox.push_back(Outgoing::Packet {
            header,
            payload,
            bulk,
            is_ordered: packet.ordered,
        });
        self.pump(to);
        if self.peers[to as usize].has_work() {
            self.activate(to);
        }
        Ok(sent)
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        self.absorb();
        // Before a failure counts as a loss, `poll_recv` looks at the TCP connection.
        if self.broken.is_empty() {
            self.settle(host, false)?;
        }
        if self.needs_tcp {
            let (sent, _) = self.with_tcp(host, |tcp, inner| tcp.poll_send(inner));
            self.sent += sent?;
            self.handle_events(host, false);
        }
        Ok(std::mem::take(&mut self.sent))
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let mut moved = 0;
        self.polls = self.polls.wrapping_add(1);
        if self.polls.is_multiple_of(POLLS_PER_LINK) {
            self.check_link();
        }
        if self.needs_tcp || self.polls.is_multiple_of(POLLS_PER_TCP) {
            moved += self.poll_tcp(host)?;
            self.needs_tcp = self.peers.iter().any(Peer::needs_tcp);
        }
        self.absorb();
        moved += self.settle(host, true)?;
        Ok(moved.max(std::mem::take(&mut self.found).min(1)))
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.absorb();
        if !self.broken.is_empty() {
            return Ok(Finalized::Busy);
        }
        self.settle(host, false)?;
        if !self.is_idle() || !self.confirm() {
            return Ok(Finalized::Busy);
        }
        for peer in self.peers.made() {
            let state = &mut self.peers[peer as usize];
            if state.is_begun && !std::mem::replace(&mut state.has_said_goodbye, true) {
                self.say(host, peer, Control::Goodbye);
            }
        }
        if self.peers.iter().any(|peer| !peer.unsaid.is_empty()) {
            return Ok(Finalized::Busy);
        }
        let (outcome, _) = self.with_tcp(host, |tcp, inner| tcp.finalize(inner));
        self.needs_tcp = true;
        self.handle_events(host, false);
        outcome
    }

    fn reaches(&mut self, host: &mut dyn Host, process: u32) -> Result<bool, Failure> {
        if process == self.me || process as usize >= self.peers.len() {
            return Err(Failure::new(Fault::Invalid, "the job has no such process").about(process));
        }
        self.check_open(process)?;
        self.begin(host, process)?;
        let peer = &self.peers[process as usize];
        if peer.tcp_only.is_some() {
            return self.with_tcp(host, |tcp, inner| tcp.reaches(inner, process)).0;
        }
        Ok(peer.sends_by_pair)
    }

    fn connects(&mut self, process: u32, card: &[u8]) -> Result<(), String> {
        let (address, card) = Address::decode(card).ok_or("its card is none of this network")?;
        self.check_route(&address)?;
        self.tcp.connects(process, card)
    }

    fn expect(&mut self, process: Option<u32>) {
        let by_tcp = |&process: &u32| {
            self.peers.get(process as usize).is_some_and(|peer| peer.tcp_only.is_some())
        };
        self.tcp.expect(process.filter(by_tcp));
    }

    fn share(&mut self, shared: bool) {
        self.tcp.share(shared);
    }

    fn forget(&mut self, host: &mut dyn Host, failure: Failure) {
        let Some(peer) =
            failure.process.filter(|&peer| (peer as usize) < self.peers.len() && peer != self.me)
        else {
            return;
        };
        self.close(host, peer, Status::Lost(failure.clone()), &failure);
        self.with_tcp(host, |tcp, inner| tcp.forget(inner, failure));
        self.drop_loss(peer);
    }

    fn meet(&mut self, host: &mut dyn Host, process: u32, foreign: Foreign) -> Result<(), Failure> {
        let Some((_, card)) = Address::decode(&foreign.card) else {
            let why = "its card is none of this network";
            return Err(Failure::new(Fault::Unreachable, why).about(process));
        };
        let foreign = Foreign { card: card.to_vec(), ..foreign };
        self.with_tcp(host, |tcp, inner| tcp.meet(inner, process, foreign)).0?;
        // What is still to be handled of an earlier process with this index.
        self.drop_loss(process);
        self.broken.retain(|broken| broken.peer != process);
        let index = process as usize;
        self.peers.grow(index + 1);
        self.peers[index] = Peer {
            tcp_only: Some("processes of other jobs are reached by TCP".to_owned()),
            is_active: self.peers[index].is_active,
            ..Peer::default()
        };
        Ok(())
    }

    fn has_parted(&self, process: u32) -> bool {
        self.tcp.has_parted(process)
    }

    fn dismiss(&mut self, host: &mut dyn Host, process: u32) {
        self.with_tcp(host, |tcp, inner| tcp.dismiss(inner, process));
    }

    fn pause(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.absorb();
        if !self.broken.is_empty() {
            return Ok(Finalized::Busy);
        }
        self.settle(host, false)?;
        if !self.is_idle() || !self.confirm() {
            return Ok(Finalized::Busy);
        }
        for peer in self.peers.iter_mut() {
            peer.knows_pause |= peer.sends_by_pair;
        }
        let (outcome, _) = self.with_tcp(host, |tcp, inner| tcp.pause(inner));
        self.handle_events(host, false);
        outcome
    }

    fn rest(&mut self, interests: &mut Vec<Interest>) -> Rest {
        self.check_link();
        let is_busy = !self.done.is_empty() || !self.broken.is_empty() || !self.events.is_empty();
        if is_busy || !self.suspects.is_empty() {
            return Rest::Poll;
        }
        if self.device.iwarp.as_mut().is_some_and(Iwarp::read_events) {
            return Rest::Poll;
        }
        let Rest::Sleep(limit) = self.tcp.rest(interests) else { return Rest::Poll };
        let limit = if self.close_rings() { limit } else { limit.min(RING_SLEEP) };
        let limit = self.time_left().map_or(limit, |left| limit.min(left));
        // Events are read here only: a descriptor stays readable until the thread that would sleep
        // on it has polled.
        while self.device.channel.read() {}
        let found = self.found;
        if self.device.arm().is_err() {
            return Rest::Poll;
        }
        self.absorb();
        if self.found != found || !self.active.is_empty() {
            return Rest::Poll;
        }
        let manager = self.device.iwarp.as_ref().map(Iwarp::descriptor);
        for descriptor in
            [self.device.channel.descriptor(), self.device.domain.context.events_descriptor()]
                .into_iter()
                .chain(manager)
        {
            interests.push(Interest { descriptor, readable: true, writable: false });
        }
        Rest::Sleep(limit)
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        self.has_memory.then_some(self as &mut dyn Rma)
    }
}
