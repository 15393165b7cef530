//! The five functions of the module.

mod delivery;
mod meeting;
mod receiving;
mod remote;
mod sending;
#[cfg(test)]
mod tests;

use self::receiving::Delayed;
use self::remote::{Remotes, Unasked};
use crate::choice;
use crate::endpoint::{Completion, Endpoint, Held, Sizes};
use crate::library::{DEFAULT_FILE, Library, words};
use crate::lifeline::{Event, LifelineHost, decode_card, encode_card};
use crate::memory::Buffer;
use crate::message::OVERHEAD_BYTES;
use crate::peer::{Incoming, Peer, State};
use crate::secret::Tags;
use nemesis_netmod::optional::Rma;
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Foreign, Host, Interest, Limits, Module, Packet, PagedTable,
    Rest, Sent, Setup, Started, Token,
};
use nemesis_netmod_tcp::Tcp;
use nemesis_sys::choice::Choice;
use nemesis_sys::descriptors::{self, Raised};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Length of a message buffer.
const BUFFER_BYTES: usize = 16 << 10;
/// Most messages that a peer may have under way to this process. A processor that several processes
/// share runs them in turns, and a turn's messages should fit.
const WINDOW_MAX: usize = 256;
/// The window of a peer when most receives of the provider are taken.
const SHORT_WINDOW: usize = 8;
/// Buffers that a process posts for all peers together, if their windows permit.
const RECEIVES: usize = 2048;
/// Buffers that are posted for messages of strangers.
const SPARE_BUFFERS: usize = 8;
/// Most buffers that a process posts, as far as the provider takes them.
const RECEIVES_MAX: usize = 1 << 16;
/// Longest completion queue, besides the receives that the provider promises to take.
const COMPLETIONS_MAX: usize = 8192;
/// Messages queued for one process.
const QUEUE_MAX: usize = 64;
/// Longest bulk payload.
const BULK_MAX_BYTES: u64 = 1 << 40;
/// Polls for each look at the lifelines, which costs a system call.
const LIFELINE_POLLS: u32 = 64;
/// Channel of the lifelines at a port that modules share.
const CHANNEL: u8 = 9;
/// Sleep of a process that nothing would wake.
const SHORT_SLEEP: Duration = Duration::from_millis(1);
/// The first such sleep of a wait; each is twice as long as the one before.
const SHORTEST_SLEEP: Duration = Duration::from_micros(50);

/// How long a process with a processor of its own polls for a bulk payload before it sleeps. Its
/// bytes arrive inside the provider, so nothing else tells that they move.
const BULK_POLLING: Duration = Duration::from_millis(1);

/// How long it polls if the provider moves the bytes in its calls only, a few packets in each.
const LONG_BULK_POLLING: Duration = Duration::from_millis(100);

/// Settings that a user or a test may change.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The provider; `None` to choose one.
    pub provider: Option<String>,
    /// File of the library; `None` for the one that is installed.
    pub library: Option<String>,
    /// The networks of the host that the module uses.
    pub choice: Choice,
    /// Whether each process of the node has a processor. Then the completion queue has no
    /// descriptor, which saves three system calls for each message over sockets, and a process that
    /// waits for long sleeps for short times.
    pub dedicated: bool,
    /// Settings of the lifelines.
    pub lifeline: nemesis_netmod_tcp::Options,
}

/// The driver of the module.
#[derive(Clone, Debug)]
pub struct Ofi {
    options: Options,
}

impl Ofi {
    /// Makes a driver. It opens nothing.
    pub fn new(options: Options) -> Ofi {
        Ofi { options }
    }

    fn library(&self) -> Result<std::sync::Arc<Library>, Failure> {
        Library::open(self.options.library.as_deref().unwrap_or(DEFAULT_FILE))
            .map_err(|why| Failure::new(Fault::Unavailable, why))
    }

    fn choose(&self, library: &std::sync::Arc<Library>) -> Result<choice::Chosen, Failure> {
        choice::choose(library, self.options.provider.as_deref(), &self.options.choice)
            .map_err(|why| Failure::new(Fault::Unavailable, why))
    }

    /// Starts the module. Returns its card, too.
    fn start(&self, setup: Setup, host: &mut dyn Host) -> Result<(Member, Vec<u8>), Failure> {
        let library = self.library()?;
        let chosen = self.choose(&library)?;
        let properties = &chosen.properties;
        let description = description(&library, &chosen);
        host.note(&description);
        let refused = |why: String| {
            Failure::new(Fault::Unavailable, format!("{description} does not start: {why}"))
        };
        let buffer_bytes = BUFFER_BYTES.min(properties.message_max_bytes / 64 * 64);
        let processes = setup.processes as usize;
        let receives_max = match properties.receives_max {
            _ if choice::takes_all_receives(properties) => RECEIVES_MAX,
            0 => RECEIVES_MAX,
            limit => limit.min(RECEIVES_MAX),
        };
        let window = (RECEIVES.min(receives_max / 2) / processes).clamp(SHORT_WINDOW, WINDOW_MAX);
        let sizes = Sizes {
            buffer_bytes,
            completions: (2 * (window + 4) * processes)
                .clamp(1024, receives_max.min(COMPLETIONS_MAX) + COMPLETIONS_MAX),
            peers: processes.max(16),
            sleeps: !self.options.dedicated,
        };
        // The endpoint opens sockets by itself, in any of its calls.
        let raised = choice::uses_sockets(properties)
            .then(|| descriptors::raise_for_library(descriptors_needed(processes)))
            .flatten();
        let endpoint = Endpoint::open(&library, &chosen, sizes).map_err(refused)?;
        let name = endpoint.name().map_err(refused)?;
        let limits = Limits {
            payload: buffer_bytes - OVERHEAD_BYTES,
            bulk: (properties.message_max_bytes as u64).min(BULK_MAX_BYTES),
        };
        let tags = Tags::new(properties.tag_format).map_err(refused)?;
        let reports_early = choice::reports_early(properties);
        let me = setup.me;
        let mut events = VecDeque::new();
        let lifeline = Tcp::new(nemesis_netmod_tcp::Options {
            rail: 0,
            channel: Some(CHANNEL),
            // It carries the token by which the pair's messages are known, and no payload.
            encrypt: true,
            ..self.options.lifeline.clone()
        });
        let Started { module: lifeline, card } =
            lifeline.init(setup, &mut LifelineHost { host, events: &mut events })?;
        let card = encode_card(&properties.provider, &card);
        let mut member = Member {
            me,
            endpoint,
            name,
            limits,
            receives_max,
            window,
            lifeline,
            events,
            peers: PagedTable::made_by(processes, move |peer| Peer {
                leads: me < peer,
                ..Peer::default()
            }),
            posted: 0,
            granted: SPARE_BUFFERS,
            unposted: Vec::new(),
            completions: Vec::new(),
            bulk: HashMap::new(),
            next_bulk: 0,
            bulk_changed: Instant::now(),
            ready: Vec::new(),
            sending: Vec::new(),
            meeting: Vec::new(),
            suspects: Vec::new(),
            delayed: Vec::new(),
            owing: Vec::new(),
            reports_early,
            leaving: Vec::new(),
            tags,
            dropped: 0,
            lifeline_in: 0,
            sends_under_way: 0,
            remotes: None,
            unasked: Some(Unasked { library, chosen, sizes }),
            next_sleep: SHORTEST_SLEEP,
            _raised: raised,
        };
        member.post_granted().map_err(|why| Failure::new(Fault::Resources, why))?;
        Ok((member, card))
    }
}

/// Returns the number of descriptors that a process of a job needs at most if the provider uses
/// sockets: two for each other process, which both may connect, one for its lifeline, and some.
fn descriptors_needed(processes: usize) -> u64 {
    3 * processes as u64 + 128
}

/// Returns provider, domain and address in words.
fn description(library: &Library, chosen: &choice::Chosen) -> String {
    let properties = &chosen.properties;
    let address = properties.source.map(|address| format!(" at {address}")).unwrap_or_default();
    format!(
        "libfabric {}: provider {}, {}{address}",
        words(library.version()),
        properties.provider,
        properties.domain
    )
}

impl Driver for Ofi {
    fn name(&self) -> &str {
        "ofi"
    }

    fn describe(&self) -> Result<String, Failure> {
        let library = self.library()?;
        let chosen = self.choose(&library)?;
        Ok(description(&library, &chosen))
    }

    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure> {
        let (member, card) = self.start(setup, host)?;
        Ok(Started { module: Box::new(member), card })
    }
}

/// An operation on memory of the host.
enum Bulk {
    /// Sends a bulk payload to a process.
    Send(u32, Token),
    /// Receives one from a process.
    Receive(u32, Incoming),
}

impl Bulk {
    fn peer(&self) -> u32 {
        match self {
            Bulk::Send(peer, _) | Bulk::Receive(peer, _) => *peer,
        }
    }
}

/// The module in one process.
struct Member {
    me: u32,
    endpoint: Endpoint,
    /// The endpoint's address.
    name: Vec<u8>,
    limits: Limits,
    /// Buffers that the provider promises to take. It may take more.
    receives_max: usize,
    /// The window of a peer, at first.
    window: usize,
    lifeline: Box<dyn Module>,
    events: VecDeque<Event>,
    peers: PagedTable<Peer>,
    /// Buffers for messages that exist, and that are needed.
    posted: usize,
    granted: usize,
    /// Buffers that the provider did not take.
    unposted: Vec<Buffer>,
    completions: Vec<Completion>,
    /// Operations on memory of the host, by label.
    bulk: HashMap<u64, Bulk>,
    /// Label of the next operation, number of the next bulk payload.
    next_bulk: u64,
    /// When this process last announced a bulk payload, or the provider took or ended one.
    bulk_changed: Instant,
    /// Processes with packets to deliver.
    ready: Vec<u32>,
    /// Processes with messages to send.
    sending: Vec<u32>,
    /// Processes to which the hello has not been sent.
    meeting: Vec<u32>,
    /// Processes that the provider fails to reach.
    suspects: Vec<u32>,
    /// Bulk payloads whose memory the provider did not take.
    delayed: Vec<Delayed>,
    /// Processes to which this one owes an answer about what has arrived, or a farewell.
    owing: Vec<u32>,
    /// Whether the provider reports messages as sent before they have left the process.
    reports_early: bool,
    tags: Tags,
    /// Processes of other jobs that have been dismissed, and have not said goodbye yet. With each
    /// the time since which its lifeline is known to have ended.
    leaving: Vec<(u32, Option<Instant>)>,
    /// Messages dropped because they did not carry the token of a pair.
    dropped: u64,
    /// Polls until the next look at the lifelines.
    lifeline_in: u32,
    /// Messages in the hands of the provider.
    sends_under_way: usize,
    /// The access to the memory of other processes; `None` if the provider has none, or nothing
    /// has asked for it.
    remotes: Option<Remotes>,
    /// What the question for it needs; `None` once it has been asked.
    unasked: Option<Unasked>,
    /// Longest next sleep if the completion queue has no descriptor.
    next_sleep: Duration,
    /// The limit of descriptors that the provider needs.
    _raised: Option<Raised>,
}

impl Member {
    fn invalid(why: &str, to: u32) -> Failure {
        Failure::new(Fault::Invalid, why).about(to)
    }

    fn unique(&mut self) -> u64 {
        self.next_bulk += 1;
        self.next_bulk
    }

    /// Makes progress and handles the operations that have ended.
    fn progress(&mut self, host: &mut dyn Host) -> Result<(), Failure> {
        let mut ended = std::mem::take(&mut self.completions);
        let polled = self.endpoint.poll(&mut ended);
        if !ended.is_empty() {
            self.next_sleep = SHORTEST_SLEEP;
        }
        for Completion { held, outcome } in ended.drain(..) {
            match (held, outcome) {
                (Held::Receive(buffer), Ok(bytes)) => self.take_message(host, buffer, bytes),
                // A message that does not fit, or whose sender died in its middle.
                (Held::Receive(buffer), Err(_)) => self.repost(buffer),
                (Held::Send(buffer, label), outcome) => {
                    self.endpoint.give_back(buffer);
                    self.end_send(label, outcome.err());
                }
                (held @ (Held::From(..) | Held::To(..)), outcome) => {
                    let label = held.host_label().unwrap_or_default();
                    // The memory is the host's again from here on.
                    drop(held);
                    self.end_bulk(host, label, outcome);
                }
            }
        }
        if self.completions.is_empty() {
            self.completions = ended;
        }
        polled.map_err(|why| Failure::new(Fault::Resources, why))?;
        self.progress_memory(host);
        if self.endpoint.is_closed() {
            let why = "libfabric did not end an operation of a lost process, and was closed";
            return Err(Failure::new(Fault::Resources, why));
        }
        Ok(())
    }

    /// Looks at the lifelines, now or after some polls.
    fn poll_lifeline(&mut self, host: &mut dyn Host) -> Result<(), Failure> {
        let waits = self.meeting.is_empty() && self.suspects.is_empty();
        if self.lifeline_in > 0 && waits {
            self.lifeline_in -= 1;
            return Ok(());
        }
        self.lifeline_in = LIFELINE_POLLS;
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        self.lifeline.poll_send(&mut lifeline_host)?;
        self.lifeline.poll_recv(&mut lifeline_host)?;
        self.take_events(host);
        self.tell_waiting(host);
        self.judge_suspects(host);
        Ok(())
    }
}

impl Module for Member {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        self.send_packet(host, to, packet, token)
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        if self.sending.is_empty() {
            return Ok(0);
        }
        self.progress(host)?;
        Ok(self.transmit_all())
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        self.progress(host)?;
        self.poll_lifeline(host)?;
        let delivered = self.deliver_all(host);
        if !self.leaving.is_empty() {
            self.close_left(host);
        }
        if !self.unposted.is_empty() {
            self.post_again();
        }
        if !self.delayed.is_empty() {
            self.ask_again(host);
        }
        if !self.sending.is_empty() {
            self.transmit_all();
        }
        if !self.owing.is_empty() {
            self.say_owed(host);
        }
        self.report_ended(host);
        Ok(delivered)
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.say_goodbye();
        self.transmit_all();
        if self.peers.iter().any(|peer| self.keeps_from_leaving(peer)) {
            return Ok(Finalized::Busy);
        }
        self.lifeline.finalize(&mut LifelineHost { host, events: &mut self.events })
    }

    fn pause(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.poll_send(host)?;
        for peer in self.peers.made() {
            if self.peers[peer as usize].injected {
                self.follow_injected(host, peer);
            }
        }
        let waits = |peer: &Peer| !peer.is_idle() || peer.injected;
        if self.peers.iter().any(|peer| !matches!(peer.state, State::Lost(_)) && waits(peer)) {
            return Ok(Finalized::Busy);
        }
        if self.reports_early && !self.has_delivered(host) {
            return Ok(Finalized::Busy);
        }
        for peer in self.peers.iter_mut() {
            peer.resting = true;
        }
        self.lifeline.pause(&mut LifelineHost { host, events: &mut self.events })
    }

    fn reaches(&mut self, host: &mut dyn Host, process: u32) -> Result<bool, Failure> {
        if process == self.me {
            return Ok(false);
        }
        let Some(peer) = self.peers.get(process as usize) else {
            return Err(Member::invalid("the job has no such process", process));
        };
        match &peer.state {
            State::Unknown => self.begin(host, process).map(|()| false),
            State::Meeting => Ok(false),
            // The first message that the provider has taken shows that it has connected.
            State::Linked => Ok(peer.number_out > 0 && !peer.heard),
            State::Lost(failure) => Err(failure.clone()),
        }
    }

    fn connects(&mut self, process: u32, card: &[u8]) -> Result<(), String> {
        let (provider, lifeline) = decode_card(card).ok_or("its card makes no sense")?;
        let own = &self.endpoint.properties().provider;
        if provider != own {
            return Err(format!(
                "it uses libfabric's provider {provider}, and this process uses {own}"
            ));
        }
        self.lifeline.connects(process, lifeline)
    }

    fn forget(&mut self, host: &mut dyn Host, failure: Failure) {
        if let Some(peer) = failure.process
            && peer != self.me
            && (peer as usize) < self.peers.len()
        {
            self.close(host, peer, failure);
        }
    }

    fn meet(&mut self, host: &mut dyn Host, process: u32, foreign: Foreign) -> Result<(), Failure> {
        self.meet_foreign(host, process, foreign)
    }

    fn has_parted(&self, process: u32) -> bool {
        let is_leaving = self.leaving.iter().any(|&(leaving, _)| leaving == process);
        self.lifeline.has_parted(process) && !is_leaving
    }

    fn dismiss(&mut self, host: &mut dyn Host, process: u32) {
        self.dismiss_foreign(host, process);
    }

    fn share(&mut self, shared: bool) {
        self.lifeline.share(shared);
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        self.ask_for_memory();
        if self.remotes.is_some() { Some(self) } else { None }
    }

    fn rest(&mut self, interests: &mut Vec<Interest>) -> Rest {
        let waits = |peer: &u32| self.peers[*peer as usize].waits_for_credits();
        if !self.ready.is_empty() || !self.completions.is_empty() {
            return Rest::Poll;
        }
        let mut limit = match self.lifeline.rest(interests) {
            Rest::Poll => return Rest::Poll,
            Rest::Sleep(limit) => limit,
        };
        let memory = self.remotes.as_mut().map_or(Ok(None), Remotes::sleeps_on);
        let mut naps = false;
        let messages = self.endpoint.sleeps_on(&mut self.completions).map(Some);
        for waits in [messages, memory] {
            match waits {
                Err(()) => return Rest::Poll,
                Ok(Some(Some(descriptor))) => {
                    interests.push(Interest { descriptor, readable: true, writable: false });
                }
                Ok(Some(None)) => naps = true,
                Ok(None) => {}
            }
        }
        let has_bulk =
            !self.bulk.is_empty() || self.peers.iter().any(|peer| !peer.announced.is_empty());
        let polling = if self.reports_early { LONG_BULK_POLLING } else { BULK_POLLING };
        if naps && has_bulk && self.bulk_changed.elapsed() < polling {
            return Rest::Poll;
        }
        if naps {
            limit = limit.min(self.next_sleep);
            self.next_sleep = (2 * self.next_sleep).min(SHORT_SLEEP);
        }
        // The provider may have to be polled for its operations, and does not tell when it takes
        // more of them.
        let delays =
            !self.unposted.is_empty() || !self.delayed.is_empty() || !self.owing.is_empty();
        let accesses = self.remotes.as_ref().is_some_and(|remotes| !remotes.accesses.is_empty());
        let moves = !self.bulk.is_empty() || self.sends_under_way > 0 || accesses;
        if delays || moves || !self.suspects.is_empty() || !self.sending.iter().all(waits) {
            limit = limit.min(SHORT_SLEEP);
        }
        self.lifeline_in = 0;
        Rest::Sleep(limit)
    }
}
