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
use outbox::{HELD_MAX_BYTES, Outbox, PAYLOAD_MAX_BYTES, SendContext, Waiting, Write};
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
/// Kind of a packet with bytes of a write. The header has the number of the write and the network
/// address of the bytes.
const WRITE: u8 = FIRST_CLIENT_KIND + 3;
/// Kind of a packet that refuses a write, by its number.
const REFUSED: u8 = FIRST_CLIENT_KIND + 4;
/// Kind of a packet with a bulk payload of a write.
const WRITE_BULK: u8 = FIRST_CLIENT_KIND + 5;
/// Kind of a packet that announces a long write on the host, with which the receiver may help
/// (`cooperative`).
const JOIN: u8 = FIRST_CLIENT_KIND + 6;

/// Flag of the two kinds of writes: the payload begins with the small message behind the write.
const HAS_MESSAGE: u8 = 1;

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
        self.predictor.learn(header, self.inbox.blocks.values());
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
    outbox: Outbox,
    /// Buffer in which packets of writes are built.
    packet: Vec<u8>,
    writes: u64,
    /// Token of the last bulk payload.
    token: u64,
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
            outbox: Outbox::new(nodes),
            packet: vec![0; PAYLOAD_MAX_BYTES],
            writes: 0,
            token: 0,
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
            rwapi.outbox.is_empty()
                && rwapi.inbox.under_way.is_empty()
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
        self.inbox.blocks.insert(address, block);
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
            .remove(&address)
            .ok_or_else(|| Failure::Argument(format!("no block begins at {address:#x}")))?;
        self.directory.withdraw(block.offset, block.bytes);
        self.routes.forget(block.offset);
        self.predictor = Predictor::default();
        if let Some(block) = self.inbox.retire(block) {
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
        self.outbox.is_empty() && self.endpoint.send_fast(node, header, small)
    }

    /// Sends a small message. It waits in a local queue while the endpoint does not accept it.
    ///
    /// # Errors
    ///
    /// [`Failure::Argument`] if there is no such node, [`Failure::Lost`] if it is lost.
    pub fn send(&mut self, node: i64, small: &Small) -> Result<(), Failure> {
        let node = self.check_node(node)?;
        if self.outbox.is_empty() || !self.send_with_write(node, small) {
            self.send_or_queue(node, Header { kind: SMALL, ..Header::default() }, small);
        }
        Ok(())
    }

    /// Sends a small message with the write before it, if that has not left. Returns false, without
    /// effect on the message, if no write waits.
    fn send_with_write(&mut self, node: u32, small: &Small) -> bool {
        let joins = self.outbox.attach_message(node, small);
        self.flush();
        if joins && self.outbox.has(node) {
            self.progress();
        }
        joins
    }

    /// Sends a packet, or queues it if the endpoint does not accept it or earlier packets wait.
    fn send_or_queue(&mut self, node: u32, header: Header, payload: &[u8]) {
        if self.outbox.has(node) || !self.endpoint.try_send(node, header, payload) {
            self.outbox.push(node, Waiting::Packet(header, payload.to_vec()));
            self.progress();
        }
    }

    /// Receives a message that lies in a fastbox, as [`receive`](Self::receive) does. Returns
    /// `Some(None)` if there is none, and `None`, without effect, if other sources have to be
    /// polled.
    #[inline(always)]
    pub fn receive_fast(&mut self) -> Option<Option<(u32, Small)>> {
        self.receives = self.receives.wrapping_add(1);
        if !self.inbox.small.is_empty()
            || !self.outbox.is_empty()
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
        if self.inbox.small.is_empty()
            && self.progress() == 0
            && self.endpoint.advise(&mut self.backoff) != BackoffStep::Poll
        {
            // Nothing has come for a while, and the sender may need this processor.
            nemesis::yield_now();
        }
        self.inbox.small.pop_front()
    }

    /// Polls, and sends what waits. Returns the number of packets that have arrived.
    fn progress(&mut self) -> u32 {
        let expected = self.inbox.expected().filter(|&node| self.endpoint.is_remote(node));
        let arrived = self.endpoint.poll(expected, &mut self.inbox);
        if arrived > 0 {
            self.backoff.renew();
        }
        self.help();
        while let Some((node, number)) = self.inbox.refusals_to_send.pop_front() {
            self.outbox.push(
                node,
                Waiting::Packet(
                    Header { kind: REFUSED, ..Header::default() },
                    number.to_le_bytes().to_vec(),
                ),
            );
        }
        while let Some(block) = self.inbox.take_retired() {
            self.memory.free(block);
        }
        self.flush();
        arrived
    }

    /// Sends what waits, as far as the endpoint accepts it. Drops what waits for lost nodes.
    #[inline(always)]
    fn flush(&mut self) {
        if !self.outbox.is_empty() {
            self.flush_now();
        }
    }

    #[inline(never)]
    fn flush_now(&mut self) {
        let Rwapi { endpoint, packet, inbox, token, outbox, .. } = self;
        for &node in inbox.lost.keys() {
            inbox
                .abandoned
                .extend(outbox.drop_queue(node).into_iter().map(|number| (number, node)));
        }
        outbox.flush(&mut SendContext { endpoint, packet, inbox, token });
    }

    fn wait_until(&mut self, done: impl Fn(&Rwapi) -> bool) -> Result<(), Failure> {
        while !done(self) {
            self.inbox.check_all()?;
            if self.progress() > 0 {
                continue;
            }
            match self.endpoint.advise(&mut self.backoff) {
                BackoffStep::Poll => {}
                BackoffStep::Sleep if self.outbox.is_empty() => {
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
            || !self.outbox.is_empty()
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
            self.outbox.push(node, Waiting::Write(write));
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
        if !self.outbox.is_empty() || !self.inbox.under_way.is_empty() {
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
        Ok(!self.outbox.has_write(number)
            && !self.inbox.under_way.values().any(|&(_, under_way)| under_way == number))
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
    use nemesis::{Fault, Packet, Sink};

    #[test]
    fn writes_that_had_not_left_for_a_lost_node_fail() {
        let mut rwapi = Rwapi::join().unwrap();
        let (_, net) = rwapi.alloc(64).unwrap();
        let sent = rwapi.write(0, net, net + 32, 32).unwrap();
        let from = Span::of_shared(rwapi.inbox.block(net, 64).unwrap().shared.clone());
        rwapi.writes += 1;
        let waits = rwapi.writes;
        rwapi.outbox.push(
            0,
            Waiting::Write(Write { number: waits, from, start: 0, net, bytes: 32, small: None }),
        );
        rwapi.inbox.lost(0, &nemesis::Failure::new(Fault::Lost, "it is gone"));
        assert!(
            matches!(rwapi.is_sent(waits as i64), Err(Failure::Lost(_)))
                && rwapi.is_sent(sent as i64).unwrap()
        );
        assert!(
            rwapi.outbox.is_empty() && matches!(rwapi.write(0, net, net, 1), Err(Failure::Lost(_)))
        );
    }

    #[test]
    fn a_write_and_the_message_behind_it_are_one_packet() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(256).unwrap();
        let block = Span::of_shared(rwapi.inbox.blocks[&address].shared.clone());
        assert!(block.write(0, &std::array::from_fn::<u8, 100, _>(|byte| byte as u8)));
        let number = 7 << 40 | 5;
        let write = Write {
            number,
            from: block.clone(),
            start: 0,
            net: net + 128,
            bytes: 100,
            small: None,
        };
        rwapi.outbox.push(0, Waiting::Write(write));
        assert!(
            rwapi.outbox.has_write(number) && rwapi.outbox.attach_message(0, &[9; SMALL_BYTES])
        );
        assert!(!rwapi.outbox.attach_message(0, &[8; SMALL_BYTES]), "it has a message already");
        // In one packet, and in packets of 48 bytes each.
        for capacity in [PAYLOAD_MAX_BYTES, SMALL_BYTES + 48] {
            let mut write = Write {
                number,
                from: block.clone(),
                start: 0,
                net: net + 128,
                bytes: 100,
                small: Some([9; SMALL_BYTES]),
            };
            let mut packet = vec![0; capacity];
            assert!(block.write(128, &[0; 100]));
            while write.bytes > 0 {
                assert!(rwapi.inbox.small.is_empty(), "the message comes with the last byte");
                let (header, part, length) = write.pack(&mut packet);
                rwapi.inbox.packet(Packet { origin: 3, header, payload: &packet[..length] });
                (write.start, write.net, write.bytes) =
                    (write.start + part, write.net + part as u64, write.bytes - part);
            }
            let mut written = [0; 100];
            assert!(
                block.read(128, &mut written)
                    && written.iter().zip(0..).all(|(&byte, expected)| byte == expected)
            );
            assert_eq!(rwapi.inbox.small.pop_front(), Some((3, [9; SMALL_BYTES])));
        }
        assert!(rwapi.inbox.small.is_empty() && rwapi.inbox.refusals_to_send.is_empty());
    }

    #[test]
    fn packets_without_what_they_announce_are_refused() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(64).unwrap();
        let block = Span::of_shared(rwapi.inbox.blocks[&address].shared.clone());
        let write = Header {
            kind: WRITE,
            flags: HAS_MESSAGE,
            context: net,
            tag: 2,
            rank: 1,
            ..Header::default()
        };
        let bulk = Header { kind: WRITE_BULK, ..write };
        // Too short for its message: nothing of the packet counts.
        rwapi.inbox.packet(Packet { origin: 3, header: write, payload: &[1; SMALL_BYTES - 1] });
        assert!(rwapi.inbox.place(3, &bulk, &[], 8).is_some());
        rwapi.inbox.packet(Packet { origin: 3, header: bulk, payload: &[] });
        assert!(rwapi.inbox.small.is_empty());
        // Into no block: the message is received all the same.
        let outside = Header { context: net + (1 << 30), ..write };
        rwapi.inbox.packet(Packet { origin: 4, header: outside, payload: &[1; SMALL_BYTES + 64] });
        rwapi.inbox.packet(Packet {
            origin: 4,
            header: Header { context: u64::MAX, ..write },
            payload: &[2; SMALL_BYTES],
        });
        assert_eq!(rwapi.inbox.small, [(4, [1; SMALL_BYTES]), (4, [2; SMALL_BYTES])]);
        let refused = 2 << 32 | 1;
        assert_eq!(
            rwapi.inbox.refusals_to_send,
            [(3, refused), (4, refused)],
            "each write is reported once"
        );
        let mut bytes = [1; 64];
        assert!(block.read(0, &mut bytes) && bytes == [0; 64]);
    }

    #[test]
    fn a_freed_block_is_kept_until_its_bulk_payload_has_ended() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(4096).unwrap();
        let header = Header { kind: WRITE_BULK, context: net + 96, rank: 1, ..Header::default() };
        // Blocks are longer where pages are.
        let left = rwapi.inbox.blocks[&address].bytes - 96;
        let beyond = rwapi.inbox.place(0, &header, &[], left + 1);
        assert!(beyond.is_none(), "it does not lie in the block");
        let mut place = rwapi.inbox.place(0, &header, &[], left).unwrap();
        assert!(
            rwapi.inbox.place(0, &header, &[], 1).is_none(),
            "one bulk payload at a time comes from a node"
        );
        rwapi.free(address).unwrap();
        place.write(left - 1, &[1]);
        drop(place);
        assert!(rwapi.inbox.take_retired().is_none());
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert!(
            rwapi.inbox.take_retired().is_some_and(|block| block.offset == net)
                && rwapi.inbox.refusals_to_send.is_empty()
        );
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert_eq!(
            rwapi.inbox.refusals_to_send,
            [(0, 1)],
            "a bulk payload without a destination is refused"
        );
    }
}
