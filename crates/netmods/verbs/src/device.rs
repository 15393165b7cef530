//! The device of a process: its port, its queues and its buffers.

use crate::address::Port;
use crate::buffers::Buffers;
use crate::control::Purpose;
use crate::iwarp::Iwarp;
use crate::layout::{ATOMIC_GLOB, Wc, access};
use crate::objects::{Channel, CompletionQueue, Context, Domain, QueuePair, SharedQueue};
use crate::options::Options;
use std::collections::HashMap;
use std::sync::Arc;

/// Completions taken in one poll of a queue.
pub const BURST: usize = 32;
/// Messages without a credit that a process may have under way to this one, beside its window.
pub const CONTROL_WINDOW: u32 = 8;
/// Least window of a process.
pub const WINDOW_MIN: u32 = 8;
/// A window takes at most this part of the receives that are free.
const WINDOWS_SHARE: u32 = 64;
/// Buffers of a slab.
const SLAB_BUFFERS: usize = 32;
/// Most requests under way from this process.
const REQUESTS_MAX: u32 = 4096;
/// Bytes asked for that a request carries itself. A device that has fewer grants none.
const INLINE_BYTES: u32 = 64;
/// Most reads and atomics under way from one queue pair.
const READS_MAX: i32 = 16;

/// The device, as one process uses it.
pub struct Device {
    pub domain: Arc<Domain>,
    pub channel: Arc<Channel>,
    send_queue: Arc<CompletionQueue>,
    receive_queue: Arc<CompletionQueue>,
    shared: Arc<SharedQueue>,
    pub port: Port,
    /// Connection manager, listeners and connections of an iWARP device; `None` for other devices.
    pub iwarp: Option<Iwarp>,
    /// Reads and atomics that one queue pair may have under way.
    pub reads: u8,
    /// Whether the device's atomics exclude the instructions of processors. Others are not used.
    pub has_atomics: bool,
    /// Buffers of messages that are being sent, and of transfers to and from memory that is not
    /// registered.
    pub outbound: Buffers,
    /// Buffers of receives.
    pub inbound: Buffers,
    /// Buffers of old values of atomics.
    pub words: Buffers,
    /// Users of the queue pairs, by number.
    pub owners: HashMap<u32, (u32, Purpose)>,
    /// Most receives in the shared queue.
    receives_max: u32,
    /// Receives posted or held by this process.
    receives: u32,
    /// Receives that the connected processes may use at once.
    promised: u32,
    /// Most requests under way.
    pub requests_max: u32,
    pub requests: u32,
    inline_bytes: u32,
    depth: u32,
}

impl Device {
    /// Opens the device's objects. The port has been chosen.
    pub fn new(
        context: &Arc<Context>,
        mut port: Port,
        options: &Options,
    ) -> Result<Device, String> {
        let attr = context.attr()?;
        let limit = |value: i32, most: u32| u32::try_from(value).unwrap_or(0).min(most);
        let receives_max =
            limit(attr.max_srq_wr, options.receives_max).min(limit(attr.max_cqe, u32::MAX));
        let requests_max = limit(attr.max_cqe, REQUESTS_MAX);
        let depth = limit(attr.max_qp_wr, options.requests);
        if receives_max < options.tuning.window + CONTROL_WINDOW || depth < 16 {
            return Err(format!(
                "{} has queues of {receives_max} receives and {depth} requests: too short",
                context.name
            ));
        }
        context.watch()?;
        let domain = Domain::new(context)?;
        let channel = Channel::new(context)?;
        let send_queue = CompletionQueue::new(context, &channel, requests_max)?;
        let receive_queue = CompletionQueue::new(context, &channel, receives_max)?;
        let shared = SharedQueue::new(&domain, receives_max)?;
        let mut iwarp = None;
        if context.is_iwarp {
            let made = Iwarp::new(&domain, options)?;
            port.address.endpoints = made.endpoints();
            iwarp = Some(made);
        }
        let buffers = |most: u32, rights| {
            Buffers::new(&domain, options.message_bytes, SLAB_BUFFERS, most as usize, rights)
        };
        let (outbound, inbound) = (
            buffers(options.send_buffers, domain.sink_rights()),
            buffers(receives_max.next_multiple_of(SLAB_BUFFERS as u32), access::LOCAL_WRITE),
        );
        let words = Buffers::new(&domain, 8, 64, 1024, access::LOCAL_WRITE);
        Ok(Device {
            reads: attr.max_qp_rd_atom.min(attr.max_qp_init_rd_atom).clamp(1, READS_MAX) as u8,
            has_atomics: attr.atomic_cap == ATOMIC_GLOB && !context.is_iwarp,
            domain,
            channel,
            send_queue,
            receive_queue,
            shared,
            port,
            iwarp,
            outbound,
            inbound,
            words,
            owners: HashMap::new(),
            receives_max,
            receives: 0,
            promised: 0,
            requests_max,
            requests: 0,
            inline_bytes: INLINE_BYTES,
            depth,
        })
    }

    /// Returns the rights of other processes on registered memory. Devices without atomics refuse
    /// to grant them.
    pub fn rights(&self) -> u32 {
        let atomics = if self.has_atomics { access::REMOTE_ATOMIC } else { 0 };
        access::REMOTE_WRITE | access::REMOTE_READ | atomics
    }

    /// Returns the most requests of one queue pair.
    pub fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Makes a queue pair that is bound to the port.
    pub fn pair(&mut self, peer: u32, purpose: Purpose) -> Result<QueuePair, String> {
        let make = |inline| {
            QueuePair::new(
                &self.domain,
                &self.send_queue,
                &self.receive_queue,
                &self.shared,
                self.depth,
                inline,
            )
        };
        let pair = make(self.inline_bytes).or_else(|_| {
            let pair = make(0);
            if pair.is_ok() {
                self.inline_bytes = 0;
            }
            pair
        })?;
        pair.initialize(self.port.number, self.port.pkey_index, self.rights())?;
        self.owners.insert(pair.number(), (peer, purpose));
        Ok(pair)
    }

    /// Returns the window of one more process: a part of the free receives, but at most `most`.
    /// Windows shrink so that more processes get one. With 8192 receives windows of 64
    /// shrink when half of the receives are promised.
    pub fn window(&self, most: u32) -> u32 {
        let free = self.receives_max.saturating_sub(self.promised);
        (free / WINDOWS_SHARE).clamp(WINDOW_MIN, most.max(WINDOW_MIN))
    }

    /// Posts the receives that one more process may use. Fails if the shared queue or the memory
    /// for it is exhausted.
    pub fn promise(&mut self, receives: u32) -> Result<(), String> {
        let wanted = self.promised + receives;
        if wanted > self.receives_max {
            return Err(format!(
                "its queue has {} receives, and all are promised to {} connected processes: with \
                 NEMESIS_VERBS=window={WINDOW_MIN} it connects more of them",
                self.receives_max,
                self.owners.values().filter(|(_, purpose)| *purpose == Purpose::Packets).count()
            ));
        }
        while self.receives < wanted {
            let buffer = self.inbound.take()?;
            self.receives += 1;
            self.repost(buffer)?;
        }
        self.promised = wanted;
        Ok(())
    }

    /// Ends a promise. The receives stay in the queue, for other processes.
    pub fn release(&mut self, receives: u32) {
        self.promised -= receives.min(self.promised);
    }

    /// Posts a receive again.
    pub fn repost(&mut self, buffer: u32) -> Result<(), String> {
        let part = self.inbound.lend(buffer, self.inbound.buffer_bytes());
        self.shared.post(buffer.into(), part)
    }

    /// Polls the queue of receives.
    pub fn poll_receives(&self, into: &mut [Wc]) -> Result<usize, String> {
        self.receive_queue.poll(into)
    }

    /// Polls the queue of requests.
    pub fn poll_requests(&self, into: &mut [Wc]) -> Result<usize, String> {
        self.send_queue.poll(into)
    }

    /// Asks for an event at the next completion of either queue.
    pub fn arm(&self) -> Result<(), String> {
        self.send_queue.arm()?;
        self.receive_queue.arm()
    }
}
