//! Gather, scatter, allgather and alltoall through levels. Leaders collect the data of their node
//! and exchange them packed, so that a message carries those of all members.
//!
//! Within a node data lie in the order of positions (`shm::levels`). Between nodes they lie in the
//! order of *indices*: ranks counted node by node, which all processes know.

use super::between;
use crate::blocks::Blocks;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::schedule::Schedule;
use crate::shm::Nodes;
use crate::{Steps, scratch_bytes};
use nemesis_datatype::{Buffer, copy};
use std::ops::Range;

/// Where the data of each index begin among those of all, packed; the last entry is where they end.
struct Packed(Vec<usize>);

impl Packed {
    /// `bytes_of`: the bytes of a rank.
    fn new(ranks: &[u32], bytes_of: impl Fn(u32) -> usize) -> Packed {
        let mut starts = vec![0];
        for &rank in ranks {
            starts.push(starts.last().unwrap_or(&0) + bytes_of(rank));
        }
        Packed(starts)
    }

    fn of(&self, index: u32) -> Range<usize> {
        self.0[index as usize]..self.0[index as usize + 1]
    }

    /// Returns the part of all data that a range of indices has.
    fn part(&self, all: &Buffer, indices: Range<u32>) -> Buffer {
        let (begin, end) = (self.0[indices.start as usize], self.0[indices.end as usize]);
        all.part(begin, end - begin)
    }

    fn bytes(&self) -> usize {
        self.0.last().copied().unwrap_or(0)
    }

    /// Copies the data of each rank to its block.
    fn unpack(&self, all: &Buffer, ranks: &[u32], blocks: &Blocks) {
        for (&rank, index) in ranks.iter().zip(0..) {
            let range = self.of(index);
            copy(&all.part(range.start, range.len()), &blocks.of(rank));
        }
    }

    /// Returns the part of each node.
    fn by_node(&self, nodes: &Nodes, all: &Buffer) -> Blocks {
        let part = |node| self.part(all, nodes.indices_of(node));
        Blocks::List((0..nodes.hierarchy().nodes).map(part).collect())
    }
}

/// Copies data of this node's members from the order of positions to that of indices, or back.
fn reorder(nodes: &mut Nodes, offsets: &[usize], positions: &Buffer, indices: &Buffer, back: bool) {
    let division = nodes.levels().division();
    let mut begin = 0;
    for member in 0..division.members() {
        let position = division.position_of(member) as usize;
        let length = offsets[position + 1] - offsets[position];
        let (here, there) =
            (positions.part(offsets[position], length), indices.part(begin, length));
        match back {
            false => copy(&here, &there),
            true => copy(&there, &here),
        };
        begin += length;
    }
}

/// Returns memory for `bytes` bytes. Without it, the operation goes on with no memory, because
/// other processes wait for this one.
fn memory(bytes: usize, done: &mut Outcome) -> Option<Buffer> {
    scratch_bytes(bytes)
        .map_err(|error| *done = std::mem::replace(done, Ok(())).and(Err(error)))
        .ok()
}

/// Performs `MPI_Gather` of blocks of `each` bytes. `own` is `None` at a root whose block is in
/// place. `between_leaders` gathers packed blocks by messages at the leader with the index that it
/// gets: this node's, and those of all nodes at the root.
pub fn gather(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, blocks): (Option<&Buffer>, Option<&Blocks>),
    (root, each): (u32, usize),
    between_leaders: impl FnOnce(&mut Steps<'_>, &Buffer, Option<&Blocks>, u32) -> Outcome,
) -> Outcome {
    let place = blocks.map(|blocks| blocks.of(root)).unwrap_or_else(Buffer::empty);
    let own = own.unwrap_or(&place);
    let offsets = nodes.offsets(|_| each);
    let leader = nodes.leader_position(Some(root));
    let collected = nodes.levels().collect(mpi, own, &offsets, leader, Ok(()));
    if !nodes.is_leader(Some(root)) {
        return collected.map(drop);
    }
    let mut done = collected.as_ref().map(drop).map_err(Clone::clone);
    // The root alone has something for each rank.
    let at_root = blocks.map(|blocks| {
        let ranks = nodes.ranks_by_node();
        (blocks, Packed::new(&ranks, |_| each), ranks)
    });
    let of_node = offsets[offsets.len() - 1];
    let bytes = at_root.as_ref().map_or(of_node, |(_, packed, _)| packed.bytes());
    let Some(all) = memory(bytes, &mut done) else {
        return between(nodes, mpi, whole, Some(root), &done, |_| Ok(()));
    };
    let ours = match &at_root {
        Some((_, packed, _)) => packed.part(&all, nodes.indices_of(nodes.node())),
        None => all.clone(),
    };
    if let Ok(collected) = &collected {
        reorder(nodes, &offsets, collected, &ours, false);
    }
    if nodes.hierarchy().nodes > 1 {
        let places = at_root.as_ref().map(|(_, packed, _)| packed.by_node(nodes, &all));
        let crossed = between(nodes, mpi, whole, Some(root), &done, |steps| {
            between_leaders(steps, &ours, places.as_ref(), nodes.node_of(root))
        });
        done = done.and(crossed);
    }
    if let (Some((blocks, packed, ranks)), Ok(())) = (&at_root, &done) {
        packed.unpack(&all, ranks, blocks);
    }
    done
}

/// Performs `MPI_Scatter` of blocks of `each` bytes. `own` is `None` at a root whose block stays in
/// place. `between_leaders` scatters packed blocks by messages from the leader with the index that
/// it gets: those of all nodes, and this node's.
pub fn scatter(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (blocks, own): (Option<&Blocks>, Option<&Buffer>),
    (root, each): (u32, usize),
    between_leaders: impl FnOnce(&mut Steps<'_>, Option<&Blocks>, &Buffer, u32) -> Outcome,
) -> Outcome {
    let offsets = nodes.offsets(|_| each);
    let leader = nodes.leader_position(Some(root));
    if !nodes.is_leader(Some(root)) {
        return nodes.levels().deal(mpi, (None, own), &offsets, leader, Ok(()));
    }
    let mut done = Ok(());
    // The root alone has something for each rank.
    let at_root = blocks.map(|blocks| {
        let ranks = nodes.ranks_by_node();
        (blocks, Packed::new(&ranks, |_| each), ranks)
    });
    let of_node = offsets[offsets.len() - 1];
    let bytes = at_root.as_ref().map_or(of_node, |(_, packed, _)| packed.bytes());
    let all = memory(bytes, &mut done);
    let positions = memory(of_node, &mut done);
    if let (Some(all), Some((blocks, packed, ranks))) = (&all, &at_root) {
        for (&rank, index) in ranks.iter().zip(0..) {
            let range = packed.of(index);
            copy(&blocks.of(rank), &all.part(range.start, range.len()));
        }
    }
    let ours = all.as_ref().map(|all| match &at_root {
        Some((_, packed, _)) => packed.part(all, nodes.indices_of(nodes.node())),
        None => all.clone(),
    });
    if nodes.hierarchy().nodes > 1 {
        let places = all.as_ref().zip(at_root.as_ref());
        let places = places.map(|(all, (_, packed, _))| packed.by_node(nodes, all));
        let empty = Buffer::empty();
        let crossed = between(nodes, mpi, whole, Some(root), &done, |steps| {
            let ours = ours.as_ref().unwrap_or(&empty);
            between_leaders(steps, places.as_ref(), ours, nodes.node_of(root))
        });
        done = done.and(crossed);
    }
    if let (Some(positions), Some(ours)) = (&positions, &ours) {
        reorder(nodes, &offsets, positions, ours, true);
    }
    let empty = Buffer::empty();
    let held = positions.as_ref().unwrap_or(&empty);
    nodes.levels().deal(mpi, (Some(held), own), &offsets, leader, done)
}

/// Performs `MPI_Allgather` or `MPI_Allgatherv`. `own` is `None` if this process's block is in
/// place. `between_leaders` exchanges the packed blocks of nodes, of which this node's is in place.
pub fn allgather(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, blocks): (Option<&Buffer>, &Blocks),
    between_leaders: impl FnOnce(&mut Steps<'_>, &Blocks) -> Outcome,
) -> Outcome {
    let ranks = nodes.ranks_by_node();
    let packed = Packed::new(&ranks, |rank| blocks.bytes_of(rank));
    let ours = nodes.indices_of(nodes.node());
    let offsets = nodes.offsets(|member| packed.of(ours.start + member).len());
    let rank = ranks[(ours.start + nodes.levels().member()) as usize];
    let place = blocks.of(rank);
    let collected = nodes.levels().collect(mpi, own.unwrap_or(&place), &offsets, 0, Ok(()));
    let mut done = collected.as_ref().map(drop).map_err(Clone::clone);
    // Blocks that lie in the order of indices need no other memory.
    let direct = blocks.range(0, ranks.len() as u32).filter(|_| nodes.hierarchy().in_blocks);
    let direct = direct.and_then(|all| all.flattened());
    let all = match &direct {
        Some(all) => all.clone(),
        None => scratch_bytes(packed.bytes())?,
    };
    if nodes.is_leader(None) {
        let section = packed.part(&all, ours);
        if let Ok(collected) = &collected {
            reorder(nodes, &offsets, collected, &section, false);
        }
        let sections = packed.by_node(nodes, &all);
        let crossed =
            between(nodes, mpi, whole, None, &done, |steps| between_leaders(steps, &sections));
        done = done.and(crossed);
    }
    done = nodes.levels().spread(mpi, &all, 0, done);
    if direct.is_none() && done.is_ok() {
        packed.unpack(&all, &ranks, blocks);
    }
    done
}

/// Performs `MPI_Alltoall` of blocks of `each` bytes. `between_leaders` exchanges what nodes have
/// for each other: a part for each node that is sent, and one from each that is received.
pub fn alltoall(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (sent, received, each): (&Blocks, &Blocks, usize),
    between_leaders: impl FnOnce(&mut Steps<'_>, &Blocks, &Blocks),
) -> Outcome {
    let ranks = nodes.ranks_by_node();
    let size = ranks.len();
    let offsets = nodes.offsets(|_| size * each);
    let own = in_order(sent, size, each, true)?;
    let into = in_order(received, size, each, false)?;
    let collected = nodes.levels().collect(mpi, &own, &offsets, 0, Ok(()));
    let mut done = collected.as_ref().map(drop).map_err(Clone::clone);
    let mut dealt = None;
    if nodes.is_leader(None) {
        dealt = exchange(nodes, mpi, whole, (collected, &ranks, each), &mut done, between_leaders);
        let empty = Buffer::empty();
        let all = dealt.as_ref().unwrap_or(&empty);
        done = nodes.levels().deal(mpi, (Some(all), Some(&into)), &offsets, 0, done);
    } else {
        done = nodes.levels().deal(mpi, (None, Some(&into)), &offsets, 0, done);
    }
    drop(dealt);
    let lies_elsewhere = received.of(0).address() != into.address();
    if done.is_ok() && lies_elsewhere {
        for rank in 0..size {
            copy(&into.part(rank * each, each), &received.of(rank as u32));
        }
    }
    done
}

/// Returns the blocks of all ranks as one range of bytes: where they lie, or in other memory, to
/// which they are copied if `full`.
fn in_order(blocks: &Blocks, size: usize, each: usize, full: bool) -> Outcome<Buffer> {
    if let Some(all) = blocks.range(0, size as u32).and_then(|all| all.flattened()) {
        return Ok(all);
    }
    let all = scratch_bytes(size * each)?;
    if full {
        for rank in 0..size {
            copy(&blocks.of(rank as u32), &all.part(rank * each, each));
        }
    }
    Ok(all)
}

/// Exchanges what the members of nodes have for each other, at the leader of a node. `collected`:
/// what this node's members have for all, by position and then by rank. Returns what they get, by
/// position and then by rank.
fn exchange(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (collected, ranks, each): (Outcome<Buffer>, &[u32], usize),
    done: &mut Outcome,
    between_leaders: impl FnOnce(&mut Steps<'_>, &Blocks, &Blocks),
) -> Option<Buffer> {
    let size = ranks.len();
    let ours = nodes.indices_of(nodes.node());
    let bytes = ours.len() * size * each;
    // By node: for each member there, what each member here has for it; and the other way round.
    let (sent, received) = (memory(bytes, done), memory(bytes, done));
    let all = memory(bytes, done);
    let order: Vec<usize> = {
        let division = nodes.levels().division();
        (0..division.members()).map(|member| division.position_of(member) as usize).collect()
    };
    let moves = |from: &Buffer, to: &Buffer, start: (usize, usize)| {
        copy(&from.part(start.0, each), &to.part(start.1, each));
    };
    if let (Ok(collected), Some(sent)) = (&collected, &sent) {
        let mut end = 0;
        for &to in ranks {
            for position in &order {
                moves(collected, sent, ((position * size + to as usize) * each, end));
                end += each;
            }
        }
    }
    let several = nodes.hierarchy().nodes > 1;
    let received = if several { received } else { sent.clone() };
    if several {
        let parts = |all: &Option<Buffer>| {
            let part = |node| {
                let indices = nodes.indices_of(node);
                let [begin, end] =
                    [indices.start, indices.end].map(|index| index as usize * ours.len() * each);
                all.as_ref().map_or_else(Buffer::empty, |all| all.part(begin, end - begin))
            };
            Blocks::List((0..nodes.hierarchy().nodes).map(part).collect())
        };
        let (from, to) = (parts(&sent), parts(&received));
        let able = done.clone();
        let crossed = between(nodes, mpi, whole, None, &able, |steps| {
            between_leaders(steps, &from, &to);
            Ok(())
        });
        *done = able.and(crossed);
    }
    let (Some(received), Some(all)) = (&received, &all) else { return None };
    // From a node come, for each member here, the blocks of its members.
    let mut begin = 0;
    for node in 0..nodes.hierarchy().nodes {
        let there = nodes.indices_of(node);
        for position in &order {
            for index in there.clone() {
                let from = ranks[index as usize] as usize;
                moves(received, all, (begin, (position * size + from) * each));
                begin += each;
            }
        }
    }
    Some(all.clone())
}
