//! Development checks: the types of data that move between processes.
//!
//! What whoever takes data compares in any case, the history and the length, leaves types out: a
//! process with another type may be right, because packed data match every type, and an empty block
//! any. So only development checks compare types. When its operation begins, each process that
//! sends a block tells the receiver the type signature, in a control packet of its own, which flow
//! control does not hold back. The receiver compares it after the data have come, so it waits for
//! nothing that has not been sent. It does not wait long, and once only, because the other process
//! may run without the checks.
//!
//! ```text
//!   MPI_Bcast, MPI_Scatter        the root tells each of the others
//!   MPI_Gather                    each of the others tells the root
//!   MPI_Allgather, MPI_Alltoall   each process tells the next TOLD_MAX ones
//!   neighborhood collectives      one packet for each edge
//! ```
//!
//! The packets have contexts of their own ([`Class::Types`]), so they match no message of the
//! operation, and its algorithm does not matter. Intercommunicators are not checked.

use super::blocks::Blocks;
use crate::context::{Class, Context};
use crate::engine::Engine;
use crate::engine::upper::UpperState;
use crate::matching::Pattern;
use crate::protocol::{Content, kind};
use crate::topology::Neighbourhood;
use nemesis::wire::{Header, word};
use nemesis_datatype::{Buffer, Datatype};
use nemesis_mpi_check::{CallSite, Signature, found, is_on, kinds, sites};
use nemesis_sys::virtual_process;
use std::time::{Duration, Instant};

/// Number of processes that each one tells in an operation in which all send to all. A process with
/// another type than all others has such neighbours.
const TOLD_MAX: u32 = 16;

/// Time for which a process waits for what another one tells. A process that computes may not have
/// sent it yet.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// The processes that have not told types in time. No operation waits for them.
static SILENT: UpperState<Vec<u32>> = UpperState::new();

/// The type signatures that a process tells, and those that it expects.
#[derive(Debug)]
pub struct Types {
    site: Option<CallSite>,
    sent: Vec<Block>,
    expected: Vec<Block>,
    /// The types of the block that this process sends to itself differ, which its call has told.
    /// Differences of the other blocks are not told then: all have one cause.
    own_differs: bool,
}

/// How far a comparison in progress has come.
#[derive(Clone, Copy, Default, Debug)]
pub struct Compared {
    /// The number of blocks that are compared.
    blocks: usize,
    /// A difference has been told. The others of an operation are not.
    is_told: bool,
    /// When the wait for what another process tells has begun.
    waits_since: Option<Instant>,
}

/// A block that is not empty.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The rank to which, or from which it is sent.
    rank: u32,
    bytes: u64,
    signature: Signature,
}

/// Blocks in the order of their messages.
#[derive(Default)]
struct List {
    all: Vec<Block>,
    /// The type of the last block. Most blocks have one type and one length.
    last: Option<Datatype>,
}

impl List {
    fn add(&mut self, rank: u32, buffer: &Buffer) {
        let (bytes, datatype) = (buffer.bytes() as u64, buffer.datatype());
        if bytes == 0 {
            return;
        }
        let signature = match self.all.last() {
            Some(last) if last.bytes == bytes && self.last.as_ref() == Some(datatype) => {
                last.signature
            }
            _ => Signature::of(buffer, bytes),
        };
        self.last = Some(datatype.clone());
        self.all.push(Block { rank, bytes, signature });
    }
}

impl Types {
    /// Returns what `write` adds to the lists of sent and of expected blocks, or `None` without
    /// development checks.
    fn written(write: impl FnOnce(&mut List, &mut List)) -> Option<Types> {
        if !is_on() {
            return None;
        }
        let (mut sent, mut expected) = (List::default(), List::default());
        write(&mut sent, &mut expected);
        let (sent, expected) = (sent.all, expected.all);
        Some(Types { site: sites::here(), sent, expected, own_differs: false })
    }

    /// Notes the block that this process sends to itself, if it sends one.
    fn with_own(mut self, sent: Option<&Buffer>, received: &Buffer) -> Types {
        if let Some(sent) = sent.filter(|sent| sent.bytes() == received.bytes()) {
            let [sent, received] =
                [sent, received].map(|side| Signature::of(side, side.bytes() as u64));
            self.own_differs = !sent.matches(received);
        }
        self
    }

    /// Returns the types of a broadcast among `size` processes.
    pub fn bcast([rank, size, root]: [u32; 3], buffer: &Buffer) -> Option<Types> {
        Types::written(|sent, expected| match rank == root {
            true => (0..size).filter(|&to| to != root).for_each(|to| sent.add(to, buffer)),
            false => expected.add(root, buffer),
        })
    }

    /// Returns the types of a gather. The root has `blocks`.
    pub fn gather(
        [rank, size, root]: [u32; 3],
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
    ) -> Option<Types> {
        let types = Types::written(|sent, expected| match (blocks, own) {
            (Some(blocks), _) => {
                (0..size).filter(|&from| from != rank).for_each(|from| {
                    expected.add(from, &blocks.of(from));
                });
            }
            (None, Some(own)) => sent.add(root, own),
            (None, None) => {}
        })?;
        Some(match blocks {
            Some(blocks) => types.with_own(own, &blocks.of(rank)),
            None => types,
        })
    }

    /// Returns the types of a scatter. The root has `blocks`.
    pub fn scatter(
        ranks: [u32; 3],
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
    ) -> Option<Types> {
        let turned = Types::gather(ranks, own, blocks)?;
        Some(Types { sent: turned.expected, expected: turned.sent, ..turned })
    }

    /// Returns the types of an allgather among `size` processes. Without `own`, this process's
    /// block is in place.
    pub fn allgather(
        [rank, size]: [u32; 2],
        own: Option<&Buffer>,
        blocks: &Blocks,
    ) -> Option<Types> {
        let types = Types::written(|sent, expected| {
            for step in 1..size.min(TOLD_MAX + 1) {
                let (to, from) = ((rank + step) % size, (rank + size - step) % size);
                match own {
                    Some(own) => sent.add(to, own),
                    None => sent.add(to, &blocks.of(rank)),
                }
                expected.add(from, &blocks.of(from));
            }
        })?;
        Some(types.with_own(own, &blocks.of(rank)))
    }

    /// Returns the types of an alltoall among `size` processes.
    pub fn alltoall([rank, size]: [u32; 2], outgoing: &Blocks, incoming: &Blocks) -> Option<Types> {
        let types = Types::written(|sent, expected| {
            for step in 1..size.min(TOLD_MAX + 1) {
                let (to, from) = ((rank + step) % size, (rank + size - step) % size);
                sent.add(to, &outgoing.of(to));
                expected.add(from, &incoming.of(from));
            }
        })?;
        Some(types.with_own(Some(&outgoing.of(rank)), &incoming.of(rank)))
    }

    /// Returns the types of a neighborhood collective; `outgoing` returns the block of a slot.
    pub fn neighbours(
        neighbours: &Neighbourhood,
        outgoing: impl Fn(u32) -> Buffer,
        incoming: &Blocks,
    ) -> Option<Types> {
        Types::written(|sent, expected| {
            for edge in &neighbours.outgoing {
                sent.add(edge.rank, &outgoing(edge.slot));
            }
            for edge in &neighbours.incoming {
                expected.add(edge.rank, &incoming.of(edge.slot));
            }
        })
    }

    /// Tells the receivers of the blocks of this process, which has a rank among the `processes` of
    /// the operation with these match bits, their types.
    pub(crate) fn tell(
        &self,
        bits: (Context, i32),
        (rank, processes): (u32, &[u32]),
        engine: &mut Engine,
    ) {
        let (context, tag) = bits_of_types(bits);
        for block in &self.sent {
            let header =
                Header { kind: kind::EAGER, context: context.0, tag, rank, ..Header::default() };
            let to = processes[block.rank as usize];
            engine.pt2pt.send_control(to, header, [block.bytes, block.signature.0.into(), 0]);
        }
    }

    /// Compares the types of the expected blocks that are not compared yet with what their senders
    /// have told so far, and returns whether all are compared.
    pub(crate) fn compare(
        &self,
        bits: (Context, i32),
        processes: &[u32],
        compared: &mut Compared,
        engine: &mut Engine,
    ) -> bool {
        let (context, tag) = bits_of_types(bits);
        while let Some(block) = self.expected.get(compared.blocks) {
            let pattern = Pattern { context, rank: block.rank, tag };
            match engine.pt2pt.core.take_unexpected(&pattern) {
                Some((_, message)) => {
                    if let Content::Eager(payload) = &message.content {
                        self.compare_block(block, payload, &mut compared.is_told);
                    }
                }
                None if waits_for(processes[block.rank as usize], compared, engine) => {
                    return false;
                }
                None => {}
            }
            compared.blocks += 1;
            compared.waits_since = None;
        }
        true
    }

    fn compare_block(&self, block: &Block, payload: &[u8], is_told: &mut bool) {
        let Some((bytes, signature)) = word(payload, 0).zip(word(payload, 1)) else { return };
        if self.own_differs || *is_told {
            return;
        }
        let (sent, received) = (Signature(signature as u32), block.signature);
        // The error of the operation tells other lengths.
        if bytes == block.bytes && !sent.matches(received) {
            let text = format!(
                "{bytes} bytes from rank {}, sent as {}, received as {}",
                block.rank,
                sent.name(),
                received.name()
            );
            found(&kinds::SIGNATURE, self.site, 1, text);
            *is_told = true;
        }
    }
}

/// Returns whether a comparison goes on waiting for what a process tells.
fn waits_for(process: u32, compared: &mut Compared, engine: &mut Engine) -> bool {
    let silent = SILENT.get_mut(&mut engine.pt2pt.core.token);
    if silent.contains(&process) {
        return false;
    }
    let waits =
        virtual_process::since(*compared.waits_since.get_or_insert_with(virtual_process::now))
            < WAIT_MAX;
    if !waits {
        silent.push(process);
    }
    waits
}

/// Returns the match bits of the packets of an operation, given those of its messages.
fn bits_of_types((context, tag): (Context, i32)) -> (Context, i32) {
    let class = match context.class(Class::Persistent) == context {
        true => Class::TypesOfPersistent,
        false => Class::Types,
    };
    (context.class(class), tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: usize = 0x209;
    const DOUBLE: usize = 0x214;

    fn ints(count: i64) -> Buffer {
        let int = Datatype::predefined(INT).expect("in the table");
        Buffer::scratch(count, int).unwrap()
    }

    #[test]
    fn blocks_without_data_are_left_out() {
        let mut list = List::default();
        list.add(3, &ints(0));
        list.add(1, &ints(4));
        list.add(2, &ints(4));
        let double = Datatype::predefined(DOUBLE).expect("in the table");
        list.add(0, &Buffer::scratch(2, double).unwrap());
        let [first, second, third] = list.all[..] else { panic!("three blocks") };
        assert_eq!([first.rank, second.rank, third.rank], [1, 2, 0]);
        assert_eq!(first.signature, second.signature);
        assert!(first.bytes == third.bytes && !first.signature.matches(third.signature));
    }

    #[test]
    fn packets_match_no_message_of_an_operation() {
        let context = Context::own(7);
        let classes = [Class::Collective, Class::Persistent];
        let [one, other] = classes.map(|class| bits_of_types((context.class(class), 5)));
        assert_ne!(one, other);
        let of_messages = classes.map(|class| (context.class(class), 5));
        assert!(!of_messages.contains(&one) && !of_messages.contains(&other));
    }
}
