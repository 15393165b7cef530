//! The Remote-Write API (Ben Fredj, Renault): one primitive, writing into another node's memory, and small messages to tell of it.
//!
//! A *node* is a process of the job. Memory that others write into is allocated here, in the process's heap; its *network address* is an offset in
//! the segment, a number that may be sent around and counted on (`net + 8` is eight bytes further). What a node has allocated stands in its directory
//! (`nemesis::directory`), and a write goes nowhere else.
//!
//! ```text
//!   write   local block ── one copy ──> the other's block, mapped here when it is first written to
//!           local block ── packets ───> the other's block, on another host: written by the other, who looks into its own list
//!           local block ── bodies ────> the same, if it is long: received where it belongs
//!   send    16 bytes ── one cache line ──> the other's fastbox or queue, or a list of ours until there is room
//! ```
//!
//! Both are in the order of their calls: a small message that is sent behind a write is received when the write has arrived.
//! A write on the same host is complete when its call returns, so its local memory may be reused at once; one to another host is sent from where it lies, as
//! fast as the network takes it, and [`Rwapi::is_sent`] tells when it has left. What does not lie in a block of the other is refused there.
//!
//! Nothing here blocks but [`Rwapi::join`], which waits for all nodes, and [`Rwapi::leave`], which flushes.

mod inbox;
mod outbox;
mod route;

use inbox::Inbox;
use nemesis::directory::Directory;
use nemesis::wire::{FIRST_CLIENT_KIND, Header, words};
use nemesis::{Advice, Endpoint, Memory, PACKET_MAX_BYTES, Patience, SLEEP, Span, Taker, Tunables};
use nemesis_wireup::{Wireup, WireupError};
use outbox::{Out, Waiting, Write};
use route::{Routes, Watched};
use std::collections::VecDeque;
use std::fmt;

/// Bytes of a small message.
pub const SMALL_BYTES: usize = 16;

/// Where a node's directory is: the first packet between two nodes.
const HELLO: u8 = FIRST_CLIENT_KIND;
const SMALL: u8 = FIRST_CLIENT_KIND + 1;
/// The last one.
const GOODBYE: u8 = FIRST_CLIENT_KIND + 2;
/// Bytes of a write: its number, the network address, then they themselves.
const WRITE: u8 = FIRST_CLIENT_KIND + 3;
/// A write does not lie in a block: its number.
const REFUSED: u8 = FIRST_CLIENT_KIND + 4;
/// A write's body follows, which belongs to the network address that the header's context is.
const WRITE_BODY: u8 = FIRST_CLIENT_KIND + 5;

/// What a packet of a write says before the bytes.
const WRITE_FRONT: usize = 2 * 8;
/// So often at least everything is polled, not only fastboxes, however many small messages lie in them.
const RECEIVES_BETWEEN_POLLS: u32 = 64;
/// Looks at the fastboxes before other places are polled: as long as a poll of those takes. One when processors are shared.
const LOOKS: u32 = 16;
/// So often the lines are asked for in which a write is likely.
const LOOKS_BETWEEN_FETCHES: u32 = 4;

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

/// The next small message, wherever it comes from, if nothing is in front of it.
struct Next<'a> {
    small: &'a mut Small,
    watched: &'a mut Watched,
    inbox: &'a Inbox,
}

impl Taker for Next<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        let (SMALL, Ok(small)) = (header.kind, payload.try_into()) else { return false };
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
    /// What found no room, by node, and how much in all.
    outbox: Vec<VecDeque<Waiting>>,
    waiting: usize,
    /// Where packets of writes are put together.
    packet: Vec<u8>,
    writes: u64,
    /// The last body's.
    token: u64,
    receives: u32,
    looks: u32,
    patience: Patience,
}

impl Rwapi {
    /// Joins the job and waits until all nodes have.
    pub fn join() -> Result<Rwapi, Failure> {
        let tunables = Tunables::from_environment()
            .map_err(|senseless| Failure::Join(WireupError::new("reading the environment", senseless, "unsetting it")))?;
        let mut wireup = Wireup::connect().map_err(Failure::Join)?;
        let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(Failure::Join)?;
        let mut memory = endpoint.take_memory().ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
        let directory = Directory::new(&mut memory).map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        let nodes = endpoint.processes() as usize;
        let mut rwapi = Rwapi {
            wireup,
            memory,
            routes: Routes::new(nodes),
            watched: Watched::default(),
            inbox: Inbox::new(nodes, tunables.verbose),
            outbox: (0..nodes).map(|_| VecDeque::new()).collect(),
            packet: vec![0; PACKET_MAX_BYTES],
            waiting: 0,
            writes: 0,
            token: 0,
            receives: 0,
            looks: if endpoint.shares_processors() { 1 } else { LOOKS },
            patience: Patience::default(),
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
        let nodes = self.outbox.len();
        self.wait_until(|rwapi| rwapi.waiting == 0 && rwapi.inbox.leaving.is_empty() && rwapi.inbox.goodbyes == nodes)?;
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

    pub fn size(&self) -> u32 {
        self.endpoint.processes()
    }

    /// Allocates memory that others may write into: its address and its network address.
    pub fn alloc(&mut self, bytes: usize) -> Result<(usize, u64), Failure> {
        let block = self.memory.allocate(bytes, 1).map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        if self.directory.offer(block.offset, block.bytes).is_err() {
            self.memory.free(block);
            return Err(Failure::Memory("as many blocks are allocated as there is room for".into()));
        }
        let (address, net) = (block.shared.address(), block.offset);
        self.inbox.blocks.insert(address, block);
        Ok((address, net))
    }

    /// Frees a block by its address.
    pub fn free(&mut self, address: usize) -> Result<(), Failure> {
        let block = self.inbox.blocks.remove(&address).ok_or_else(|| Failure::Argument(format!("no block begins at {address:#x}")))?;
        self.directory.withdraw(block.offset, block.bytes);
        self.routes.forget(block.offset);
        self.watched = Watched::default();
        if let Some(block) = self.inbox.retire(block) {
            self.memory.free(block);
        }
        Ok(())
    }

    #[inline(always)]
    fn check_node(&self, node: i64) -> Result<u32, Failure> {
        if (node as u64) < u64::from(self.size()) && self.inbox.lost.is_empty() { Ok(node as u32) } else { self.check_node_closely(node) }
    }

    #[cold]
    fn check_node_closely(&self, node: i64) -> Result<u32, Failure> {
        let known = u32::try_from(node).ok().filter(|&node| node < self.size());
        let node = known.ok_or_else(|| Failure::Argument(format!("there is no node {node}: there are {}, from 0", self.size())))?;
        self.inbox.check(node)?;
        Ok(node)
    }

    /// Sends a small message; it waits here while there is no room.
    #[inline(always)]
    pub fn send(&mut self, node: i64, small: &Small) -> Result<(), Failure> {
        let node = self.check_node(node)?;
        let mut header = Header { kind: SMALL, ..Header::default() };
        self.routes.tell(node, &mut header);
        self.post(node, header, small);
        Ok(())
    }

    #[inline(always)]
    fn post(&mut self, node: u32, header: Header, payload: &[u8]) {
        if self.waiting > 0 || !self.endpoint.send_fast(node, header, payload) {
            self.post_slowly(node, header, payload);
        }
    }

    #[inline(never)]
    fn post_slowly(&mut self, node: u32, header: Header, payload: &[u8]) {
        let queue = &mut self.outbox[node as usize];
        if !queue.is_empty() || !self.endpoint.try_send(node, header, payload) {
            queue.push_back(Waiting::Packet(header, payload.to_vec()));
            self.waiting += 1;
            self.progress();
        }
    }

    /// The oldest small message that has not been received, with its sender.
    #[inline(always)]
    pub fn receive(&mut self) -> Option<(u32, Small)> {
        self.receives = self.receives.wrapping_add(1);
        if self.inbox.small.is_empty() && !self.receives.is_multiple_of(RECEIVES_BETWEEN_POLLS) {
            for look in 0..self.looks {
                let mut small = [0; SMALL_BYTES];
                let next = Next { small: &mut small, watched: &mut self.watched, inbox: &self.inbox };
                if let Some(from) = self.endpoint.receive_ready_fast(next) {
                    self.patience.renew();
                    return Some((from, small));
                }
                if look.is_multiple_of(LOOKS_BETWEEN_FETCHES) {
                    self.watched.expect();
                }
            }
        }
        self.receive_slowly()
    }

    #[inline(never)]
    fn receive_slowly(&mut self) -> Option<(u32, Small)> {
        if self.inbox.small.is_empty() && self.progress() == 0 && self.endpoint.advise(&mut self.patience) != Advice::Poll {
            // Nothing for a while: whoever sends may need this processor.
            nemesis::yield_now();
        }
        self.inbox.small.pop_front()
    }

    /// Takes in what has arrived and sends what found no room; how many packets have arrived.
    fn progress(&mut self) -> u32 {
        let arrived = self.endpoint.poll(None, &mut self.inbox);
        if arrived > 0 {
            self.patience.renew();
        }
        while let Some((node, number)) = self.inbox.unwelcome.pop_front() {
            self.outbox[node as usize]
                .push_back(Waiting::Packet(Header { kind: REFUSED, ..Header::default() }, number.to_le_bytes().to_vec()));
            self.waiting += 1;
        }
        while let Some(block) = self.inbox.take_retired() {
            self.memory.free(block);
        }
        if self.waiting > 0 {
            self.give_up();
            self.flush();
        }
        arrived
    }

    /// What waits for nodes that are lost will not leave.
    fn give_up(&mut self) {
        for &node in self.inbox.lost.keys() {
            let queue = std::mem::take(&mut self.outbox[node as usize]);
            self.waiting -= queue.len();
            self.inbox.abandoned.extend(queue.iter().filter_map(Waiting::write).map(|number| (number, node)));
        }
    }

    fn flush(&mut self) {
        let Rwapi { endpoint, packet, inbox, token, outbox, waiting, .. } = self;
        let mut out = Out { endpoint, packet, inbox, token };
        for (node, queue) in outbox.iter_mut().enumerate() {
            while queue.front_mut().is_some_and(|first| first.send(&mut out, node as u32)) {
                queue.pop_front();
                *waiting -= 1;
            }
        }
    }

    fn wait_until(&mut self, done: impl Fn(&Rwapi) -> bool) -> Result<(), Failure> {
        while !done(self) {
            self.inbox.check_all()?;
            if self.progress() > 0 {
                continue;
            }
            match self.endpoint.advise(&mut self.patience) {
                Advice::Poll => {}
                Advice::Sleep if self.waiting == 0 => {
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

    /// Writes `bytes` bytes from `local`, in a block of ours, to `remote`, in a block of node `node`; the number of the write.
    #[inline]
    pub fn write(&mut self, node: i64, local: u64, remote: u64, bytes: usize) -> Result<u64, Failure> {
        let node = self.check_node(node)?;
        if !self.routes.write(node, local, remote, bytes) {
            self.write_by_new_route(node, local, remote, bytes)?;
        }
        self.writes += 1;
        Ok(self.writes)
    }

    #[inline(never)]
    fn write_by_new_route(&mut self, node: u32, local: u64, remote: u64, bytes: usize) -> Result<(), Failure> {
        let own = self.inbox.block(local, bytes);
        let own = own.ok_or_else(|| Failure::Argument(format!("{bytes} bytes at {local:#x} do not lie in a block of this node")))?;
        if self.endpoint.is_far(node) {
            let (from, start) = (Span::of_shared(own.shared.clone()), (local - own.offset) as usize);
            let write = Write { number: self.writes + 1, from, start, net: remote, bytes };
            self.outbox[node as usize].push_back(Waiting::Write(write));
            self.waiting += 1;
            self.flush();
            return Ok(());
        }
        self.routes.meet(&self.memory, node, self.inbox.directories[node as usize].unwrap_or(0))?;
        self.routes.find(&self.memory, node, own, remote, bytes)?;
        if self.routes.write(node, local, remote, bytes) {
            return Ok(());
        }
        Err(Failure::Argument(format!("{bytes} bytes at {remote:#x} do not lie in a block of node {node}")))
    }

    /// Whether the local memory of a write may be reused. An error if it is known that its bytes did not lie in a block of the other, or if the other was
    /// lost before they had left.
    pub fn is_sent(&mut self, write: i64) -> Result<bool, Failure> {
        let number = u64::try_from(write).ok().filter(|write| (1..=self.writes).contains(write));
        let number = number.ok_or_else(|| Failure::Argument(format!("{write} is the number of no write")))?;
        if self.waiting > 0 || !self.inbox.leaving.is_empty() {
            self.progress();
        }
        if let Some((_, node)) = self.inbox.refused.iter().find(|(refused, _)| *refused == number) {
            return Err(Failure::Argument(format!("write {write} did not lie in a block of node {node}, which has refused it")));
        }
        if let Some(&node) = self.inbox.abandoned.get(&number) {
            self.inbox.check(node)?;
            return Err(Failure::Lost(format!("write {write} has not left for node {node} as a whole")));
        }
        let waits = self.waiting > 0 && self.outbox.iter().flatten().any(|waiting| waiting.write() == Some(number));
        Ok(!waits && !self.inbox.leaving.values().any(|&(_, leaving)| leaving == number))
    }
}

fn lies_in(start: u64, bytes: usize, first: u64, length: usize) -> bool {
    start >= first && start.checked_add(bytes as u64).is_some_and(|end| end <= first + length as u64)
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
        rwapi.outbox[0].push_back(Waiting::Write(Write { number: waits, from, start: 0, net, bytes: 32 }));
        rwapi.waiting += 1;
        rwapi.inbox.lost(0, &nemesis::Failure::new(Fault::Lost, "it is gone"));
        assert!(matches!(rwapi.is_sent(waits as i64), Err(Failure::Lost(_))) && rwapi.is_sent(sent as i64).unwrap());
        assert!(rwapi.waiting == 0 && matches!(rwapi.write(0, net, net, 1), Err(Failure::Lost(_))));
    }

    #[test]
    fn a_block_is_given_back_when_nothing_comes_into_it_any_more() {
        let mut rwapi = Rwapi::join().unwrap();
        let (address, net) = rwapi.alloc(4096).unwrap();
        let header = inbox::body_header(1, net + 96);
        assert!(rwapi.inbox.place(0, &header, &[], 4001).is_none(), "it does not lie in the block");
        let mut place = rwapi.inbox.place(0, &header, &[], 4000).unwrap();
        assert!(rwapi.inbox.place(0, &header, &[], 1).is_none(), "one body at a time comes from a node");
        rwapi.free(address).unwrap();
        place.write(3999, &[1]);
        drop(place);
        assert!(rwapi.inbox.take_retired().is_none());
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert!(rwapi.inbox.take_retired().is_some_and(|block| block.offset == net) && rwapi.inbox.unwelcome.is_empty());
        rwapi.inbox.packet(Packet { origin: 0, header, payload: &[] });
        assert_eq!(rwapi.inbox.unwelcome, [(0, 1)], "a body that was given no place is refused");
    }
}
