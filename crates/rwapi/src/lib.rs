//! The Remote-Write API (Ben Fredj, Renault): a process writes into another process's memory, and
//! announces the write by a small message.
//!
//! A *node* is a process of the job. Memory into which other nodes write is allocated here, in the
//! process's heap. Its *network address* is an offset in the segment: a number that may be sent to
//! other nodes, and to which a program may add (`net + 8` is eight bytes further). A node lists its
//! blocks in its directory (`nemesis::directory`), and a write reaches no other memory.
//!
//! ```text
//!   write   local block ── one copy ──> the other's block, mapped here at the first write to it
//!           (the receiver may copy a part of a long write: `cooperative`)
//!           local block ── packets ───> a block on another host: its owner writes into it, after
//!                                       it has looked for the bytes in its own list
//!           local block ── bulk payloads ──> a block on another host, for long writes: received
//!                                       in place
//!   send    16 bytes ── one cache line ──> the other's fastbox or queue, or a local queue if they
//!                                       are full
//!           16 bytes ── with the write before it, in one packet ──> another host
//! ```
//!
//! Writes and messages arrive in the order of their calls: a small message that is sent behind a
//! write is received after the write has arrived. A write on the host is complete when its call
//! returns, so the program may reuse its local memory at once. A write to another host is sent from
//! its local memory as fast as the network accepts it; [`Rwapi::is_sent`] tells when it has left.
//! The other host refuses bytes that do not lie in a block. A short write to another host waits for
//! the next call: a message behind it travels with it, and any other call sends it first
//! (`outbox`).
//!
//! No call blocks but [`Rwapi::join`], which waits for all nodes, and [`Rwapi::leave`], which sends
//! everything. A long write on the host waits some microseconds for the chunk that the receiver has
//! begun to copy.

mod blocks;
mod cooperative;
mod inbox;
mod outbox;
mod route;

use cooperative::Join;
use inbox::Inbox;
use nemesis::directory::Directory;
use nemesis::wire::{FIRST_CLIENT_KIND, Header, words};
use nemesis::{Backoff, BackoffStep, Endpoint, Memory, PacketHandler, SLEEP, Span, Tunables};
use nemesis_wireup::{Wireup, WireupError};
use outbox::{HELD_MAX_BYTES, Write};
use route::{Predictor, Routes};
use std::fmt;

/// Bytes of a small message.
pub const SMALL_BYTES: usize = 16;

/// Kind of the first packet between two nodes: the offset of the sender's directory.
const HELLO: u8 = FIRST_CLIENT_KIND;
/// Kind of a small message.
const SMALL: u8 = FIRST_CLIENT_KIND + 1;
/// Kind of the last packet between two nodes.
const GOODBYE: u8 = FIRST_CLIENT_KIND + 2;
/// Kind of a packet that announces a long write on the host, with which the receiver may help
/// (`cooperative`).
const JOIN: u8 = FIRST_CLIENT_KIND + 3;

/// Most receives between two polls of all sources. Other receives check the fastboxes only.
const RECEIVES_BETWEEN_POLLS: u32 = 64;
/// Checks of the fastboxes in one receive: they take as long as a poll of the other sources. A
/// receive makes one check if processors are shared.
const CHECKS: u32 = 64;

/// Checks between two prefetches of the lines into which a write is likely, if these are few, and
/// if they are many. More frequent prefetches take lines from the writer before they are full.
const CHECKS_BETWEEN_PREFETCHES: [u32; 2] = [4, 16];

/// A small message.
pub type Small = [u8; SMALL_BYTES];

/// Error of a call.
#[derive(Debug)]
pub enum Failure {
    /// An argument is invalid. The call has had no effect.
    Argument(String),
    /// The launcher or this host refuses what a process needs to join the job.
    Join(WireupError),
    /// The launcher has ended.
    Launcher,
    /// Shared memory is exhausted, or cannot be mapped.
    Memory(String),
    /// A node has become unreachable.
    Lost(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Argument(why) | Failure::Memory(why) | Failure::Lost(why) => f.write_str(why),
            Failure::Join(error) => write!(f, "{error}"),
            Failure::Launcher => f.write_str("the launcher has ended, so the job cannot go on"),
        }
    }
}

/// Handler of the next packet in a fastbox: a small message, or the announcement of a long write.
struct NextPacket<'a> {
    small: &'a mut Small,
    join: &'a mut Option<Join>,
    from: u32,
    predictor: &'a mut Predictor,
    inbox: &'a Inbox,
}

impl PacketHandler for NextPacket<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        let (SMALL, Ok(small)) = (header.kind, payload.try_into()) else {
            *self.join =
                (header.kind == JOIN).then(|| Join::read(self.from, header, payload)).flatten();
            return self.join.is_some();
        };
        *self.small = small;
        self.predictor.learn(header, self.inbox.blocks.known.values());
        true
    }
}

/// The connection of this process to the other nodes.
pub struct Rwapi {
    endpoint: Endpoint,
    wireup: Wireup,
    memory: Memory,
    directory: Directory,
    routes: Routes,
    predictor: Predictor,
    inbox: Inbox,
    /// Buffer in which packets of writes are built.
    packing: Vec<u8>,
    /// Number of the last write.
    writes: u64,
    receives: u32,
    checks: u32,
    /// Length from which on both processes copy a write.
    cooperative_min_bytes: usize,
    backoff: Backoff,
}

impl Rwapi {
    /// Joins the job, and waits until all nodes have joined.
    ///
    /// # Errors
    ///
    /// [`Failure::Join`], [`Failure::Launcher`] or [`Failure::Memory`].
    pub fn join() -> Result<Rwapi, Failure> {
        let tunables = Tunables::from_environment().map_err(|invalid| {
            Failure::Join(WireupError::new("reading the environment", invalid, "unsetting it"))
        })?;
        let mut wireup = Wireup::connect().map_err(Failure::Join)?;
        let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(Failure::Join)?;
        // No other thread enters while a thread sleeps here.
        endpoint.share(false);
        let mut memory = endpoint
            .take_memory()
            .ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
        let directory =
            Directory::new(&mut memory).map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        let nodes = endpoint.processes() as usize;
        let mut rwapi = Rwapi {
            wireup,
            memory,
            routes: Routes::new(nodes),
            predictor: Predictor::default(),
            inbox: Inbox::new(nodes, tunables.verbose),
            packing: Vec::new(),
            writes: 0,
            receives: 0,
            checks: if endpoint.shares_processors() { 1 } else { CHECKS },
            cooperative_min_bytes: cooperative::min_bytes(),
            backoff: Backoff::default(),
            endpoint,
            directory,
        };
        let offset = rwapi.directory.offset();
        rwapi.send_to_all(HELLO, words([offset]).as_bytes());
        rwapi.wait_until(|rwapi| rwapi.inbox.directories.iter().all(Option::is_some))?;
        Ok(rwapi)
    }

    /// Sends everything that waits, receives everything until the other nodes leave, and leaves the
    /// job.
    ///
    /// # Errors
    ///
    /// [`Failure::Lost`] if a node is lost before, [`Failure::Join`] or [`Failure::Launcher`] if
    /// the launcher cannot be informed.
    pub fn leave(mut self) -> Result<(), Failure> {
        self.send_to_all(GOODBYE, &[]);
        let nodes = self.size() as usize;
        self.wait_until(|rwapi| {
            rwapi.nothing_waits()
                && !rwapi.inbox.requests.is_busy()
                && rwapi.inbox.writes.unsent().next().is_none()
                && rwapi.inbox.goodbyes == nodes
        })?;
        self.endpoint.deliver_all(&mut self.inbox);
        self.wireup.finalize().map_err(Failure::Join)
    }

    /// Sends a packet to all nodes.
    fn send_to_all(&mut self, kind: u8, payload: &[u8]) {
        for node in 0..self.endpoint.processes() {
            self.send_or_queue(node, Header { kind, ..Header::default() }, payload);
        }
    }

    /// Returns the number of this node.
    pub fn rank(&self) -> u32 {
        self.endpoint.me()
    }

    /// Returns the number of nodes.
    #[inline]
    pub fn size(&self) -> u32 {
        self.endpoint.processes()
    }

    /// Allocates a block into which other nodes may write. Returns its address and its network
    /// address.
    ///
    /// # Errors
    ///
    /// [`Failure::Memory`]
    pub fn alloc(&mut self, bytes: usize) -> Result<(usize, u64), Failure> {
        self.flush();
        let block = self
            .memory
            .allocate(bytes, 1)
            .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        if self.directory.offer(block.offset, block.bytes).is_err() {
            self.memory.free(block);
            return Err(Failure::Memory(
                "this node has as many blocks as its directory holds".into(),
            ));
        }
        let (address, net) = (block.shared.address(), block.offset);
        self.inbox.blocks.known.insert(address, block);
        Ok((address, net))
    }

    /// Frees the block at `address`.
    ///
    /// # Errors
    ///
    /// [`Failure::Argument`] if no block begins there.
    pub fn free(&mut self, address: usize) -> Result<(), Failure> {
        self.flush();
        let block = self
            .inbox
            .blocks
            .known
            .remove(&address)
            .ok_or_else(|| Failure::Argument(format!("no block begins at {address:#x}")))?;
        self.directory.withdraw(block.offset, block.bytes);
        self.routes.forget(block.offset);
        self.predictor = Predictor::default();
        if let Some(block) = self.inbox.blocks.retire(block) {
            self.memory.free(block);
        }
        Ok(())
    }

    /// Returns the node of this number if it exists and no node is lost.
    #[inline(always)]
    fn valid_node(&self, node: i64) -> Option<u32> {
        ((node as u64) < u64::from(self.size()) && self.inbox.lost.is_empty())
            .then_some(node as u32)
    }

    #[inline(always)]
    fn check_node(&self, node: i64) -> Result<u32, Failure> {
        self.valid_node(node).map_or_else(|| self.check_node_slow(node), Ok)
    }

    #[cold]
    fn check_node_slow(&self, node: i64) -> Result<u32, Failure> {
        let known = u32::try_from(node).ok().filter(|&node| node < self.size());
        let node = known.ok_or_else(|| {
            Failure::Argument(format!("there is no node {node}: there are {}, from 0", self.size()))
        })?;
        self.inbox.check(node)?;
        Ok(node)
    }

    /// Sends a small message as [`send`](Self::send) does, if a line of a fastbox is free. Returns
    /// false, without effect, if not.
    #[inline(always)]
    pub fn send_fast(&mut self, node: i64, small: &Small) -> bool {
        let Some(node) = self.valid_node(node) else { return false };
        let mut header = Header { kind: SMALL, ..Header::default() };
        self.routes.announce_write(node, &mut header);
        self.nothing_waits() && self.endpoint.send_fast(node, header, small)
    }

    /// Sends a small message. It waits in a local queue while the endpoint does not accept it.
    ///
    /// # Errors
    ///
    /// [`Failure::Argument`] if there is no such node, [`Failure::Lost`] if it is lost.
    pub fn send(&mut self, node: i64, small: &Small) -> Result<(), Failure> {
        let node = self.check_node(node)?;
        if self.nothing_waits() || !self.send_with_write(node, small) {
            self.send_or_queue(node, Header { kind: SMALL, ..Header::default() }, small);
        }
        Ok(())
    }

    /// Sends a small message with the write before it, if that has not left. Returns false, without
    /// effect on the message, if no write waits.
    fn send_with_write(&mut self, node: u32, small: &Small) -> bool {
        let waits = self.inbox.writes.last_unsent(node).filter(|write| write.small.is_none());
        let joins = waits.is_some();
        if let Some(write) = waits {
            write.small = Some(*small);
        }
        self.flush();
        if joins && self.inbox.writes.is_busy_to(node) {
            self.progress();
        }
        joins
    }

    /// Sends a packet, or queues it if the endpoint does not accept it or earlier packets wait.
    fn send_or_queue(&mut self, node: u32, header: Header, payload: &[u8]) {
        let waits = self.inbox.writes.is_busy_to(node);
        if waits || !self.endpoint.try_send(node, header, payload) {
            self.inbox.writes.packet(node, header, payload);
            self.progress();
        }
    }

    /// Receives a message that lies in a fastbox, as [`receive`](Self::receive) does. Returns
    /// `Some(None)` if there is none, and `None`, without effect, if other sources have to be
    /// polled.
    #[inline(always)]
    pub fn receive_fast(&mut self) -> Option<Option<(u32, Small)>> {
        self.receives = self.receives.wrapping_add(1);
        if !self.inbox.blocks.small.is_empty()
            || !self.nothing_waits()
            || self.receives.is_multiple_of(RECEIVES_BETWEEN_POLLS)
        {
            return None;
        }
        let lines = self.predictor.lines();
        let [few, many] = CHECKS_BETWEEN_PREFETCHES;
        let (between, mut check) = (if lines.are_few() { few } else { many }, 0);
        let expect = || {
            check += 1;
            if check == between {
                lines.prefetch();
                check = 0;
            }
        };
        if let Some(from) = self.endpoint.await_ready(self.checks, expect) {
            let (mut small, mut join) = ([0; SMALL_BYTES], None);
            let next = NextPacket {
                small: &mut small,
                join: &mut join,
                from,
                predictor: &mut self.predictor,
                inbox: &self.inbox,
            };
            self.endpoint.receive_fast(from, next)?;
            self.backoff.renew();
            if let Some(join) = join {
                self.help_with(&join);
                return Some(None);
            }
            return Some(Some((from, small)));
        }
        // A poll of all sources takes as long as a message takes to come, and would delay the
        // receipt of a message that comes meanwhile.
        if self.checks < CHECKS || self.endpoint.has_other_sources() { None } else { Some(None) }
    }

    /// Receives the oldest small message. Returns its sender and the message; `None` if there is
    /// none.
    pub fn receive(&mut self) -> Option<(u32, Small)> {
        self.flush();
        if self.inbox.blocks.small.is_empty()
            && self.progress() == 0
            && self.endpoint.advise(&mut self.backoff) != BackoffStep::Poll
        {
            // Nothing has come for a while, and the sender may need this processor.
            nemesis::yield_now();
        }
        self.inbox.blocks.small.pop_front()
    }

    /// Polls, and sends what waits. Returns the number of packets that have arrived.
    fn progress(&mut self) -> u32 {
        let expected = self.inbox.expected().filter(|&node| self.endpoint.is_remote(node));
        let arrived = self.endpoint.poll(expected, &mut self.inbox);
        if arrived > 0 {
            self.backoff.renew();
        }
        self.help();
        while let Some(block) = self.inbox.blocks.take_retired() {
            self.memory.free(block);
        }
        if !self.nothing_waits() || self.inbox.requests.is_busy() {
            self.flush_now();
        }
        arrived
    }

    /// Returns whether no packet and no write waits to be sent. Refusals of writes of other nodes
    /// may wait.
    #[inline(always)]
    fn nothing_waits(&self) -> bool {
        !self.inbox.writes.is_busy()
    }

    /// Sends what waits, as far as the endpoint accepts it.
    #[inline(always)]
    fn flush(&mut self) {
        if !self.nothing_waits() {
            self.flush_now();
        }
    }

    #[inline(never)]
    fn flush_now(&mut self) {
        let Rwapi { endpoint, packing, inbox, .. } = self;
        inbox.send(endpoint, packing);
    }

    fn wait_until(&mut self, done: impl Fn(&Rwapi) -> bool) -> Result<(), Failure> {
        while !done(self) {
            self.inbox.check_all()?;
            if self.progress() > 0 {
                continue;
            }
            match self.endpoint.advise(&mut self.backoff) {
                BackoffStep::Poll => {}
                BackoffStep::Sleep if self.nothing_waits() && !self.inbox.requests.is_busy() => {
                    if let Some(raised) = self.endpoint.prepare_sleep() {
                        raised.sleep(SLEEP);
                    }
                    if self.wireup.launcher_is_gone() {
                        return Err(Failure::Launcher);
                    }
                }
                _ => nemesis::yield_now(),
            }
        }
        Ok(())
    }

    /// Writes as [`write`](Self::write) does, on this host and between the blocks of the last write
    /// to the node. Returns `None`, without effect, if that is not possible.
    #[inline(always)]
    pub fn write_fast(&mut self, node: i64, local: u64, remote: u64, bytes: usize) -> Option<u64> {
        let node = self.valid_node(node)?;
        if bytes >= self.cooperative_min_bytes
            || !self.nothing_waits()
            || !self.routes.write(node, local, remote, bytes)
        {
            return None;
        }
        self.writes += 1;
        Some(self.writes)
    }

    /// Writes `bytes` bytes from `local`, in a block of this node, to `remote`, in a block of node
    /// `node`. Returns the number of the write.
    ///
    /// # Errors
    ///
    /// [`Failure::Argument`] if the bytes do not lie in blocks, as far as this is known here;
    /// [`Failure::Memory`] if the other block cannot be mapped; [`Failure::Lost`] if the node is
    /// lost.
    pub fn write(
        &mut self,
        node: i64,
        local: u64,
        remote: u64,
        bytes: usize,
    ) -> Result<u64, Failure> {
        let node = self.check_node(node)?;
        self.flush();
        if !self.write_cooperatively(node, local, remote, bytes)?
            && !self.routes.write(node, local, remote, bytes)
        {
            self.write_by_new_route(node, local, remote, bytes)?;
        }
        self.writes += 1;
        Ok(self.writes)
    }

    fn write_by_new_route(
        &mut self,
        node: u32,
        local: u64,
        remote: u64,
        bytes: usize,
    ) -> Result<(), Failure> {
        let no_block = || {
            Failure::Argument(format!(
                "{bytes} bytes at {local:#x} do not lie in a block of this node"
            ))
        };
        let own = self.inbox.block(local, bytes).ok_or_else(no_block)?;
        if self.endpoint.is_remote(node) {
            let (from, start) =
                (Span::of_shared(own.shared.clone()), (local - own.offset) as usize);
            let write =
                Write { number: self.writes + 1, from, start, net: remote, bytes, small: None };
            self.inbox.writes.ask(node, write, None);
            if bytes > HELD_MAX_BYTES {
                self.flush();
            }
            return Ok(());
        }
        self.routes.open_directory(
            &self.memory,
            node,
            self.inbox.directories[node as usize].unwrap_or(0),
        )?;
        loop {
            let own = self.inbox.block(local, bytes).ok_or_else(no_block)?;
            self.routes.find(&self.memory, node, own, remote, bytes)?;
            if self.write_cooperatively(node, local, remote, bytes)?
                || self.routes.write(node, local, remote, bytes)
            {
                return Ok(());
            }
            // The node may have allocated or freed a block since it was searched. Then it is
            // searched again.
            if self.routes.is_current(node) {
                break;
            }
        }
        Err(Failure::Argument(format!(
            "{bytes} bytes at {remote:#x} do not lie in a block of node {node}"
        )))
    }

    /// Returns whether the program may reuse the local memory of a write.
    ///
    /// # Errors
    ///
    /// [`Failure::Argument`] if no write has this number, or if the other node has refused it;
    /// [`Failure::Lost`] if that node was lost before all bytes had left.
    pub fn is_sent(&mut self, write: i64) -> Result<bool, Failure> {
        let number = u64::try_from(write).ok().filter(|write| (1..=self.writes).contains(write));
        let number =
            number.ok_or_else(|| Failure::Argument(format!("no write has the number {write}")))?;
        self.flush();
        if self.inbox.is_leaving(number) {
            self.progress();
        }
        if let Some((_, node)) = self.inbox.refused.iter().find(|(refused, _)| *refused == number) {
            return Err(Failure::Argument(format!(
                "write {write} did not lie in a block of node {node}, which has refused it"
            )));
        }
        if let Some(&node) = self.inbox.abandoned.get(&number) {
            self.inbox.check(node)?;
            return Err(Failure::Lost(format!(
                "not all bytes of write {write} have left for node {node}"
            )));
        }
        Ok(!self.inbox.is_leaving(number))
    }
}

/// Returns whether `bytes` bytes at `start` lie in the `length` bytes at `first`.
fn lies_in(start: u64, bytes: usize, first: u64, length: usize) -> bool {
    start >= first
        && start.checked_add(bytes as u64).is_some_and(|end| end <= first + length as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::FRONT_BYTES;
    use nemesis::am::{Ask, Serve};
    use nemesis::wire::kind;
    use nemesis::{Fault, Packet, Sink};

    #[test]
    fn writes_that_had_not_left_for_a_lost_node_fail() {
        let mut rwapi = Rwapi::join().unwrap();
        let (_, net) = rwapi.alloc(64).unwrap();
        let sent = rwapi.write(0, net, net + 32, 32).unwrap();
        let from = Span::of_shared(rwapi.inbox.block(net, 64).unwrap().shared.clone());
        rwapi.writes += 1;
        let waits = rwapi.writes;
        let write = Write { number: waits, from, start: 0, net, bytes: 32, small: None };
        rwapi.inbox.writes.ask(0, write, None);
        rwapi.inbox.lost(0, &nemesis::Failure::new(Fault::Lost, "it is gone"));
        assert!(
            matches!(rwapi.is_sent(waits as i64), Err(Failure::Lost(_)))
                && rwapi.is_sent(sent as i64).unwrap()
        );
        assert!(
            rwapi.nothing_waits() && matches!(rwapi.write(0, net, net, 1), Err(Failure::Lost(_)))
        );
    }

    /// A write from the beginning of a block.
    fn write(block: &Span, net: u64, bytes: usize, small: Option<Small>) -> Write {
        Write { number: 7 << 40 | 5, from: block.clone(), start: 0, net, bytes, small }
    }

    /// The first packet of a write, with `part` bytes of its stream, and its header.
    fn first_packet(write: &Write, part: usize) -> (Header, Vec<u8>) {
        let mut packet = vec![0; 8 + FRONT_BYTES + part];
        packet[0] = 1;
        assert_eq!(write.front(&mut packet[8..]), FRONT_BYTES);
        assert_eq!(write.fill(0, &mut packet[8 + FRONT_BYTES..]), part);
        (Header { kind: kind::AM_ASK, ..write.header() }, packet)
    }

    #[test]
    fn a_write_and_the_message_behind_it_are_one_packet() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(256).unwrap();
        let block = Span::of_shared(rwapi.inbox.blocks.known[&address].shared.clone());
        assert!(block.write(0, &std::array::from_fn::<u8, 100, _>(|byte| byte as u8)));
        rwapi.inbox.writes.ask(0, write(&block, net + 128, 100, None), None);
        assert!(rwapi.inbox.is_leaving(7 << 40 | 5));
        assert!(rwapi.send_with_write(0, &[9; SMALL_BYTES]));
        assert!(!rwapi.send_with_write(0, &[8; SMALL_BYTES]), "it has left, or has a message");
        // In one packet, and with the message and the bytes divided.
        for first in [SMALL_BYTES + 100, SMALL_BYTES + 48, 5] {
            rwapi.inbox.blocks.small.clear();
            assert!(block.write(128, &[0; 100]));
            let write = write(&block, net + 128, 100, Some([9; SMALL_BYTES]));
            let (header, payload) = first_packet(&write, first);
            rwapi.inbox.packet(Packet { origin: 3, header, payload: &payload });
            if first < write.bytes() {
                let small = &mut rwapi.inbox.blocks.small;
                assert!(small.is_empty(), "the message comes with the last byte");
                let mut rest = vec![0; write.bytes() - first];
                write.fill(first, &mut rest);
                let payload = [&(first as u64).to_le_bytes()[..], &rest].concat();
                let header = Header { kind: kind::AM_DATA, context: 1, ..Header::default() };
                rwapi.inbox.packet(Packet { origin: 3, header, payload: &payload });
            }
            let mut written = [0; 100];
            assert!(
                block.read(128, &mut written)
                    && written.iter().zip(0..).all(|(&byte, expected)| byte == expected)
            );
            assert_eq!(rwapi.inbox.blocks.small.pop_front(), Some((3, [9; SMALL_BYTES])));
        }
        assert!(rwapi.inbox.blocks.small.is_empty() && rwapi.inbox.blocks.refusals == 0);
    }

    #[test]
    fn writes_into_no_block_are_refused_and_their_messages_received() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(64).unwrap();
        let block = Span::of_shared(rwapi.inbox.blocks.known[&address].shared.clone());
        for (index, outside) in [net + (1 << 30), u64::MAX].into_iter().enumerate() {
            let write = write(&block, outside, 64, Some([index as u8; SMALL_BYTES]));
            let (header, payload) = first_packet(&write, SMALL_BYTES + 64);
            rwapi.inbox.packet(Packet { origin: 4, header, payload: &payload });
            assert_eq!(rwapi.inbox.blocks.refusals, index as u64 + 1);
            assert_eq!(rwapi.inbox.blocks.small.pop_back(), Some((4, [index as u8; SMALL_BYTES])));
            let told = rwapi.inbox.requests.last_refusal();
            assert_eq!(told, Some(&write.number.to_le_bytes()[..]), "the write is reported");
        }
        let header = Header { kind: kind::AM_ASK, ..Header::default() };
        rwapi.inbox.packet(Packet { origin: 4, header, payload: &[1; 12] });
        assert!(rwapi.inbox.blocks.refusals == 3 && rwapi.inbox.blocks.small.is_empty());
        let mut bytes = [1; 64];
        assert!(block.read(0, &mut bytes) && bytes == [0; 64]);
    }

    #[test]
    fn a_freed_block_is_kept_until_its_bulk_payload_has_ended() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(4096).unwrap();
        let block = rwapi.inbox.blocks.known[&address].shared.clone();
        // Blocks are longer where pages are.
        let left = rwapi.inbox.blocks.known[&address].bytes - 96;
        let write = write(&Span::of_shared(block), net + 96, left, None);
        let (mut incoming, bytes) = rwapi
            .inbox
            .blocks
            .begin(0, &write.header(), 1, &first_packet(&write, 0).1[8..])
            .unwrap();
        assert_eq!(bytes, left);
        let blocks = &mut rwapi.inbox.blocks;
        assert!(blocks.place(0, &mut incoming, 0, left + 1).is_none(), "it ends behind the block");
        let mut place = blocks.place(0, &mut incoming, 0, left).unwrap();
        rwapi.free(address).unwrap();
        place.write(left - 1, &[1]);
        drop(place);
        let blocks = &mut rwapi.inbox.blocks;
        assert!(blocks.take_retired().is_none());
        blocks.placed(0, &mut incoming, true);
        assert!(blocks.take_retired().is_some_and(|block| block.offset == net));
        assert!(blocks.place(0, &mut incoming, 0, left).is_none(), "the block is gone");
    }
}
