//! The Remote-Write API (Ben Fredj, Renault): one primitive, writing into another node's memory, and small messages to tell of it.
//!
//! A *node* is a process of the job. Memory that others write into is allocated here, in the process's heap; its *network address* is an offset in
//! the segment, a number that may be sent around and counted on (`net + 8` is eight bytes further). What a node has allocated stands in its directory
//! (`nemesis::directory`), and a write goes nowhere else.
//!
//! ```text
//!   write   local block ── one copy ──> the other's block, mapped here when it is first written to
//!           (of a long write the receiver may copy a part: `cooperative`)
//!           local block ── packets ───> the other's block, on another host: written by the other, who looks into its own list
//!           local block ── bulk payloads ────> the same, if it is long: received where it belongs
//!   send    16 bytes ── one cache line ──> the other's fastbox or queue, or a list of ours until there is room
//!           16 bytes ── with the write before, in one packet ──> another host
//! ```
//!
//! Both are in the order of their calls: a small message that is sent behind a write is received when the write has arrived.
//! A write on the same host is complete when its call returns, so its local memory may be reused at once; one to another host is sent from where it lies, as
//! fast as the network takes it, and [`Rwapi::is_sent`] tells when it has left. What does not lie in a block of the other is refused there.
//! A short write to another host waits for the next call: a message behind it goes with it, and any other call sends it first (`outbox`).
//!
//! Nothing here blocks but [`Rwapi::join`], which waits for all nodes, and [`Rwapi::leave`], which flushes; a long write on one host waits for the chunk that
//! the receiver has begun to copy, some microseconds.

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
use outbox::{HELD_MAX_BYTES, Out, Outbox, PAYLOAD_MAX_BYTES, Waiting, Write};
use route::{Routes, Watched};
use std::fmt;

/// Bytes of a small message.
pub const SMALL_BYTES: usize = 16;

/// Where a node's directory is: the first packet between two nodes.
const HELLO: u8 = FIRST_CLIENT_KIND;
const SMALL: u8 = FIRST_CLIENT_KIND + 1;
/// The last one.
const GOODBYE: u8 = FIRST_CLIENT_KIND + 2;
/// Bytes of a write; the header has its number and the network address to which they belong.
const WRITE: u8 = FIRST_CLIENT_KIND + 3;
/// A write does not lie in a block: its number.
const REFUSED: u8 = FIRST_CLIENT_KIND + 4;
/// A write's bulk payload follows.
const WRITE_BODY: u8 = FIRST_CLIENT_KIND + 5;
/// A long write of a neighbour has begun, and who receives may help (`cooperative`).
const JOIN: u8 = FIRST_CLIENT_KIND + 6;

/// A flag of both: the payload begins with the small message behind the write.
const TELLS: u8 = 1;

/// So often at least everything is polled, not only fastboxes, however many small messages lie in them, or however long none comes.
const RECEIVES_BETWEEN_POLLS: u32 = 64;
/// Looks at the fastboxes in one call: as long as a poll of other places takes. One when processors are shared.
const LOOKS: u32 = 64;

/// So often lines are asked for in which a write is likely, a few of them, and more: more often they are taken from the writer before they are full.
const LOOKS_BETWEEN_FETCHES: [u32; 2] = [4, 16];

pub type Small = [u8; SMALL_BYTES];

/// What went wrong.
#[derive(Debug)]
pub enum Failure {
    /// An argument makes no sense; nothing has happened.
    Argument(String),
    /// The launcher or this host does not give what is needed.
    Join(WireupError),
    /// The launcher has died.
    Launcher,
    /// There is no shared memory left, or it cannot be mapped.
    Memory(String),
    /// A node is not to be reached any more.
    Lost(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Argument(why) | Failure::Memory(why) | Failure::Lost(why) => f.write_str(why),
            Failure::Join(error) => write!(f, "{error}"),
            Failure::Launcher => f.write_str("the launcher is gone, so the job has no future"),
        }
    }
}

/// The next small message, wherever it comes from, or the long write that comes first.
struct Next<'a> {
    small: &'a mut Small,
    join: &'a mut Option<Join>,
    from: u32,
    watched: &'a mut Watched,
    inbox: &'a Inbox,
}

impl PacketHandler for Next<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        let (SMALL, Ok(small)) = (header.kind, payload.try_into()) else {
            *self.join =
                (header.kind == JOIN).then(|| Join::read(self.from, header, payload)).flatten();
            return self.join.is_some();
        };
        *self.small = small;
        self.watched.learn(header, self.inbox.blocks.values());
        true
    }
}

/// A process's place among the nodes.
pub struct Rwapi {
    endpoint: Endpoint,
    wireup: Wireup,
    memory: Memory,
    directory: Directory,
    routes: Routes,
    watched: Watched,
    inbox: Inbox,
    outbox: Outbox,
    /// Where packets of writes are put together.
    packet: Vec<u8>,
    writes: u64,
    /// The last bulk payload's.
    token: u64,
    receives: u32,
    looks: u32,
    /// Writes from here on may be copied by both.
    cooperative_min_bytes: usize,
    backoff: Backoff,
}

impl Rwapi {
    /// Joins the job and waits until all nodes have.
    pub fn join() -> Result<Rwapi, Failure> {
        let tunables = Tunables::from_environment().map_err(|senseless| {
            Failure::Join(WireupError::new("reading the environment", senseless, "unsetting it"))
        })?;
        let mut wireup = Wireup::connect().map_err(Failure::Join)?;
        let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(Failure::Join)?;
        // Whoever sleeps here lets no other thread in meanwhile.
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
            watched: Watched::default(),
            inbox: Inbox::new(nodes, tunables.verbose),
            outbox: Outbox::new(nodes),
            packet: vec![0; PAYLOAD_MAX_BYTES],
            writes: 0,
            token: 0,
            receives: 0,
            looks: if endpoint.shares_processors() { 1 } else { LOOKS },
            cooperative_min_bytes: cooperative::min_bytes(),
            backoff: Backoff::default(),
            endpoint,
            directory,
        };
        let offset = rwapi.directory.offset();
        rwapi.tell_all(HELLO, words([offset]).as_bytes());
        rwapi.wait_until(|rwapi| rwapi.inbox.directories.iter().all(Option::is_some))?;
        Ok(rwapi)
    }

    /// Sends all that waits, takes in all that the others send until they leave, and leaves.
    pub fn leave(mut self) -> Result<(), Failure> {
        self.tell_all(GOODBYE, &[]);
        let nodes = self.size() as usize;
        self.wait_until(|rwapi| {
            rwapi.outbox.is_empty()
                && rwapi.inbox.leaving.is_empty()
                && rwapi.inbox.goodbyes == nodes
        })?;
        self.endpoint.settle(&mut self.inbox);
        self.wireup.finalize().map_err(Failure::Join)
    }

    fn tell_all(&mut self, kind: u8, payload: &[u8]) {
        for node in 0..self.endpoint.processes() {
            self.post(node, Header { kind, ..Header::default() }, payload);
        }
    }

    pub fn rank(&self) -> u32 {
        self.endpoint.me()
    }

    #[inline]
    pub fn size(&self) -> u32 {
        self.endpoint.processes()
    }

    /// Allocates memory that others may write into: its address and its network address.
    pub fn alloc(&mut self, bytes: usize) -> Result<(usize, u64), Failure> {
        self.flush();
        let block = self
            .memory
            .allocate(bytes, 1)
            .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        if self.directory.offer(block.offset, block.bytes).is_err() {
            self.memory.free(block);
            return Err(Failure::Memory(
                "as many blocks are allocated as there is room for".into(),
            ));
        }
        let (address, net) = (block.shared.address(), block.offset);
        self.inbox.blocks.insert(address, block);
        Ok((address, net))
    }

    /// Frees a block by its address.
    pub fn free(&mut self, address: usize) -> Result<(), Failure> {
        self.flush();
        let block = self
            .inbox
            .blocks
            .remove(&address)
            .ok_or_else(|| Failure::Argument(format!("no block begins at {address:#x}")))?;
        self.directory.withdraw(block.offset, block.bytes);
        self.routes.forget(block.offset);
        self.watched = Watched::default();
        if let Some(block) = self.inbox.retire(block) {
            self.memory.free(block);
        }
        Ok(())
    }

    /// A node, if there is one of this number and none is lost.
    #[inline(always)]
    fn known(&self, node: i64) -> Option<u32> {
        ((node as u64) < u64::from(self.size()) && self.inbox.lost.is_empty())
            .then_some(node as u32)
    }

    #[inline(always)]
    fn check_node(&self, node: i64) -> Result<u32, Failure> {
        self.known(node).map_or_else(|| self.check_node_closely(node), Ok)
    }

    #[cold]
    fn check_node_closely(&self, node: i64) -> Result<u32, Failure> {
        let known = u32::try_from(node).ok().filter(|&node| node < self.size());
        let node = known.ok_or_else(|| {
            Failure::Argument(format!("there is no node {node}: there are {}, from 0", self.size()))
        })?;
        self.inbox.check(node)?;
        Ok(node)
    }

    /// As [`send`](Self::send), in a line that is free; false, and nothing has happened, where that is not the way.
    #[inline(always)]
    pub fn send_fast(&mut self, node: i64, small: &Small) -> bool {
        let Some(node) = self.known(node) else { return false };
        let mut header = Header { kind: SMALL, ..Header::default() };
        self.routes.tell(node, &mut header);
        self.outbox.is_empty() && self.endpoint.send_fast(node, header, small)
    }

    /// Sends a small message; it waits here while there is no room.
    pub fn send(&mut self, node: i64, small: &Small) -> Result<(), Failure> {
        let node = self.check_node(node)?;
        if self.outbox.is_empty() || !self.send_with_write(node, small) {
            self.post(node, Header { kind: SMALL, ..Header::default() }, small);
        }
        Ok(())
    }

    /// Sends a small message with the write before it, if that has not left.
    fn send_with_write(&mut self, node: u32, small: &Small) -> bool {
        let joins = self.outbox.join(node, small);
        self.flush();
        if joins && self.outbox.has(node) {
            self.progress();
        }
        joins
    }

    fn post(&mut self, node: u32, header: Header, payload: &[u8]) {
        if self.outbox.has(node) || !self.endpoint.try_send(node, header, payload) {
            self.outbox.push(node, Waiting::Packet(header, payload.to_vec()));
            self.progress();
        }
    }

    /// As [`receive`](Self::receive), a message that lies in a fastbox, or that there is none; `None`, and nothing has happened, where more has to be
    /// looked at.
    #[inline(always)]
    pub fn receive_fast(&mut self) -> Option<Option<(u32, Small)>> {
        self.receives = self.receives.wrapping_add(1);
        if !self.inbox.small.is_empty()
            || !self.outbox.is_empty()
            || self.receives.is_multiple_of(RECEIVES_BETWEEN_POLLS)
        {
            return None;
        }
        let lines = self.watched.lines();
        let [few, many] = LOOKS_BETWEEN_FETCHES;
        let (between, mut look) = (if lines.are_few() { few } else { many }, 0);
        let expect = || {
            look += 1;
            if look == between {
                lines.prefetch();
                look = 0;
            }
        };
        if let Some(from) = self.endpoint.await_ready(self.looks, expect) {
            let (mut small, mut join) = ([0; SMALL_BYTES], None);
            let next = Next {
                small: &mut small,
                join: &mut join,
                from,
                watched: &mut self.watched,
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
        // A poll of everything takes as long as a message takes to come, and one that comes meanwhile is seen late.
        if self.looks < LOOKS || self.endpoint.has_other_sources() { None } else { Some(None) }
    }

    /// The oldest small message that has not been received, with its sender.
    pub fn receive(&mut self) -> Option<(u32, Small)> {
        self.flush();
        if self.inbox.small.is_empty()
            && self.progress() == 0
            && self.endpoint.advise(&mut self.backoff) != BackoffStep::Poll
        {
            // Nothing for a while: whoever sends may need this processor.
            nemesis::yield_now();
        }
        self.inbox.small.pop_front()
    }

    /// Takes in what has arrived and sends what found no room; how many packets have arrived.
    fn progress(&mut self) -> u32 {
        let expected = self.inbox.expected().filter(|&node| self.endpoint.is_far(node));
        let arrived = self.endpoint.poll(expected, &mut self.inbox);
        if arrived > 0 {
            self.backoff.renew();
        }
        self.help();
        while let Some((node, number)) = self.inbox.unwelcome.pop_front() {
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

    /// Sends what waits, as far as there is room. What waits for nodes that are lost will not leave.
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
            inbox.abandoned.extend(outbox.give_up(node).into_iter().map(|number| (number, node)));
        }
        outbox.flush(&mut Out { endpoint, packet, inbox, token });
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

    /// As [`write`](Self::write), on this host and as the last write to the node went; `None`, and nothing has happened, where that is not the way.
    #[inline(always)]
    pub fn write_fast(&mut self, node: i64, local: u64, remote: u64, bytes: usize) -> Option<u64> {
        let node = self.known(node)?;
        if bytes >= self.cooperative_min_bytes
            || !self.outbox.is_empty()
            || !self.routes.write(node, local, remote, bytes)
        {
            return None;
        }
        self.writes += 1;
        Some(self.writes)
    }

    /// Writes `bytes` bytes from `local`, in a block of ours, to `remote`, in a block of node `node`; the number of the write.
    pub fn write(
        &mut self,
        node: i64,
        local: u64,
        remote: u64,
        bytes: usize,
    ) -> Result<u64, Failure> {
        let node = self.check_node(node)?;
        self.flush();
        if !self.write_jointly(node, local, remote, bytes)?
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
        if self.endpoint.is_far(node) {
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
        self.routes.meet(&self.memory, node, self.inbox.directories[node as usize].unwrap_or(0))?;
        loop {
            let own = self.inbox.block(local, bytes).ok_or_else(no_block)?;
            self.routes.find(&self.memory, node, own, remote, bytes)?;
            if self.write_jointly(node, local, remote, bytes)?
                || self.routes.write(node, local, remote, bytes)
            {
                return Ok(());
            }
            // It may have got or freed a block since we looked: then there is more to be found.
            if self.routes.is_current(node) {
                break;
            }
        }
        Err(Failure::Argument(format!(
            "{bytes} bytes at {remote:#x} do not lie in a block of node {node}"
        )))
    }

    /// Whether the local memory of a write may be reused. An error if it is known that its bytes did not lie in a block of the other, or if the other was
    /// lost before they had left.
    pub fn is_sent(&mut self, write: i64) -> Result<bool, Failure> {
        let number = u64::try_from(write).ok().filter(|write| (1..=self.writes).contains(write));
        let number = number
            .ok_or_else(|| Failure::Argument(format!("{write} is the number of no write")))?;
        self.flush();
        if !self.outbox.is_empty() || !self.inbox.leaving.is_empty() {
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
                "write {write} has not left for node {node} as a whole"
            )));
        }
        Ok(!self.outbox.has_write(number)
            && !self.inbox.leaving.values().any(|&(_, leaving)| leaving == number))
    }
}

fn lies_in(start: u64, bytes: usize, first: u64, length: usize) -> bool {
    start >= first
        && start.checked_add(bytes as u64).is_some_and(|end| end <= first + length as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::{Fault, Packet, Sink};

    #[test]
    fn writes_that_had_not_left_for_a_lost_node_are_told() {
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
        assert!(rwapi.outbox.has_write(number) && rwapi.outbox.join(0, &[9; SMALL_BYTES]));
        assert!(!rwapi.outbox.join(0, &[8; SMALL_BYTES]), "it has its message");
        // With room for it as a whole, and for no more than 48 bytes at a time.
        for room in [PAYLOAD_MAX_BYTES, SMALL_BYTES + 48] {
            let mut write = Write {
                number,
                from: block.clone(),
                start: 0,
                net: net + 128,
                bytes: 100,
                small: Some([9; SMALL_BYTES]),
            };
            let mut packet = vec![0; room];
            assert!(block.write(128, &[0; 100]));
            while write.bytes > 0 {
                assert!(rwapi.inbox.small.is_empty(), "no message before the last byte");
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
        assert!(rwapi.inbox.small.is_empty() && rwapi.inbox.unwelcome.is_empty());
    }

    #[test]
    fn packets_that_do_not_hold_what_they_announce_are_refused() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(64).unwrap();
        let block = Span::of_shared(rwapi.inbox.blocks[&address].shared.clone());
        let write = Header {
            kind: WRITE,
            flags: TELLS,
            context: net,
            tag: 2,
            rank: 1,
            ..Header::default()
        };
        let bulk = Header { kind: WRITE_BODY, ..write };
        // Too short for its message: nothing of it counts.
        rwapi.inbox.packet(Packet { origin: 3, header: write, payload: &[1; SMALL_BYTES - 1] });
        assert!(rwapi.inbox.place(3, &bulk, &[], 8).is_some());
        rwapi.inbox.packet(Packet { origin: 3, header: bulk, payload: &[] });
        assert!(rwapi.inbox.small.is_empty());
        // Into no block: the message is no worse for that.
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
            rwapi.inbox.unwelcome,
            [(3, refused), (4, refused)],
            "each write is told of once"
        );
        let mut bytes = [1; 64];
        assert!(block.read(0, &mut bytes) && bytes == [0; 64]);
    }

    #[test]
    fn a_block_is_given_back_when_nothing_comes_into_it_any_more() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(4096).unwrap();
        let header = Header { kind: WRITE_BODY, context: net + 96, rank: 1, ..Header::default() };
        assert!(rwapi.inbox.place(0, &header, &[], 4001).is_none(), "it does not lie in the block");
        let mut place = rwapi.inbox.place(0, &header, &[], 4000).unwrap();
        assert!(
            rwapi.inbox.place(0, &header, &[], 1).is_none(),
            "one bulk payload at a time comes from a node"
        );
        rwapi.free(address).unwrap();
        place.write(3999, &[1]);
        drop(place);
        assert!(rwapi.inbox.take_retired().is_none());
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert!(
            rwapi.inbox.take_retired().is_some_and(|block| block.offset == net)
                && rwapi.inbox.unwelcome.is_empty()
        );
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert_eq!(
            rwapi.inbox.unwelcome,
            [(0, 1)],
            "a bulk payload that was given no place is refused"
        );
    }
}
