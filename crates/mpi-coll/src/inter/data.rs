//! Data movement between the groups of an intercommunicator: gather, scatter, allgather, alltoall.

use super::{LEADER, Part, receive_some_across, send_some_across};
use crate::alltoall::PARTNERS_AT_ONCE;
use crate::error::Outcome;
use crate::gather::takes_tree;
use crate::{Blocks, Steps, scratch_bytes};
use crate::{bcast as local_bcast, gather as local_gather, scatter as local_scatter};
use nemesis_datatype::Buffer;

/// Allocates `ranks` contiguous blocks of `bytes` bytes.
fn packed(bytes: usize, ranks: u32) -> Outcome<Buffer> {
    scratch_bytes(bytes * ranks as usize)
}

/// Gathers the blocks of a group, packed, at its leader. Other processes get an empty buffer.
fn collect(steps: &mut Steps<'_>, own: &Buffer) -> Outcome<Buffer> {
    let each = own.bytes();
    if steps.rank != LEADER {
        local_gather::gather(steps, Some(own), None, LEADER)?;
        steps.wait();
        return Ok(Buffer::empty());
    }
    let all = packed(each, steps.size)?;
    local_gather::gather(steps, Some(own), Some(&Blocks::Even { all: all.clone(), each }), LEADER)?;
    steps.wait();
    Ok(all)
}

/// Returns the other group's blocks as one buffer, and whether they must be unpacked from it.
fn together(steps: &Steps<'_>, blocks: &Blocks) -> Outcome<(Buffer, bool)> {
    match blocks.range(0, steps.remote_size) {
        Some(all) => Ok((all, false)),
        None => Ok((scratch_bytes(blocks.bytes())?, true)),
    }
}

/// Performs a gather of blocks of equal length. `own` is a block of a process of the other group;
/// the root has `blocks`.
pub fn gather(steps: &mut Steps<'_>, own: &Buffer, blocks: Option<&Blocks>, part: Part) -> Outcome {
    match (part, blocks) {
        (Part::Root, Some(blocks)) if takes_tree(blocks.bytes_of(LEADER), steps.remote_size) => {
            let (all, _) = together(steps, blocks)?;
            receive_some_across(steps, LEADER, &all);
        }
        (Part::Opposite(root), _) if takes_tree(own.bytes(), steps.size) => {
            let all = collect(steps, own)?;
            send_some_across(steps, root, &all);
        }
        _ => gatherv(steps, own, blocks, part),
    }
    Ok(())
}

/// Performs a gather in which every process of the other group sends to the root.
pub fn gatherv(steps: &mut Steps<'_>, own: &Buffer, blocks: Option<&Blocks>, part: Part) {
    match (part, blocks) {
        (Part::Opposite(root), _) => send_some_across(steps, root, own),
        (Part::Root, Some(blocks)) => receive_blocks(steps, blocks),
        _ => {}
    }
}

fn receive_blocks(steps: &mut Steps<'_>, blocks: &Blocks) {
    for rank in 0..steps.remote_size {
        receive_some_across(steps, rank, &blocks.of(rank));
    }
}

/// Performs a scatter of blocks of equal length. `own` takes the block of a process of the other
/// group; the root has `blocks`.
pub fn scatter(
    steps: &mut Steps<'_>,
    blocks: Option<&Blocks>,
    own: &Buffer,
    part: Part,
) -> Outcome {
    match (part, blocks) {
        (Part::Root, Some(blocks)) if takes_tree(blocks.bytes_of(LEADER), steps.remote_size) => {
            let (all, _) = together(steps, blocks)?;
            send_some_across(steps, LEADER, &all);
        }
        (Part::Opposite(root), _) if takes_tree(own.bytes(), steps.size) => {
            distribute(steps, own, root)?
        }
        _ => scatterv(steps, blocks, own, part),
    }
    Ok(())
}

/// Receives the blocks of a group at its leader and scatters them.
fn distribute(steps: &mut Steps<'_>, own: &Buffer, root: u32) -> Outcome {
    if steps.rank != LEADER {
        return local_scatter::scatter(steps, None, Some(own), LEADER);
    }
    let each = own.bytes();
    let all = packed(each, steps.size)?;
    receive_some_across(steps, root, &all);
    steps.wait();
    local_scatter::scatter(steps, Some(&Blocks::Even { all, each }), Some(own), LEADER)
}

/// Performs a scatter in which the root sends to every process of the other group.
pub fn scatterv(steps: &mut Steps<'_>, blocks: Option<&Blocks>, own: &Buffer, part: Part) {
    match (part, blocks) {
        (Part::Opposite(root), _) => receive_some_across(steps, root, own),
        (Part::Root, Some(blocks)) => {
            for rank in 0..steps.remote_size {
                send_some_across(steps, rank, &blocks.of(rank));
            }
        }
        _ => {}
    }
}

/// Performs an allgather of blocks whose length may differ between the directions. Short blocks are
/// gathered, exchanged by the leaders and broadcast.
pub fn allgather(steps: &mut Steps<'_>, own: &Buffer, blocks: &Blocks) -> Outcome {
    let (together_out, together_in) = (
        takes_tree(own.bytes(), steps.size),
        takes_tree(blocks.bytes_of(LEADER), steps.remote_size) && blocks.bytes() > 0,
    );
    let outgoing = if together_out { collect(steps, own)? } else { Buffer::empty() };
    let (incoming, unpack) =
        if together_in { together(steps, blocks)? } else { (Buffer::empty(), false) };
    if steps.rank == LEADER {
        receive_some_across(steps, LEADER, &incoming);
        send_some_across(steps, LEADER, &outgoing);
    }
    if !together_in {
        receive_blocks(steps, blocks);
    }
    if !together_out {
        send_to_all(steps, own);
    }
    steps.wait();
    local_bcast::bcast(steps, &incoming, LEADER)?;
    if unpack {
        steps.wait();
        unpack_blocks(steps, &incoming, blocks);
    }
    Ok(())
}

fn unpack_blocks(steps: &mut Steps<'_>, packed: &Buffer, blocks: &Blocks) {
    let mut offset = 0;
    for rank in 0..steps.remote_size {
        let length = blocks.bytes_of(rank);
        steps.copy(&packed.part(offset, length), &blocks.of(rank));
        offset += length;
    }
}

fn send_to_all(steps: &mut Steps<'_>, own: &Buffer) {
    for rank in 0..steps.remote_size {
        send_some_across(steps, rank, own);
    }
}

/// Performs an allgather of blocks of any lengths, all of which only their receivers know.
pub fn allgatherv(steps: &mut Steps<'_>, own: &Buffer, blocks: &Blocks) {
    receive_blocks(steps, blocks);
    send_to_all(steps, own);
}

/// Performs an alltoall of blocks of any lengths and types. In round r those two ranks exchange
/// whose sum is r, modulo the size of the larger group. Every process has at most one partner in a
/// round, and both sides run [`PARTNERS_AT_ONCE`] rounds concurrently.
pub fn alltoall(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks) {
    let rounds = steps.size.max(steps.remote_size);
    for first in (0..rounds).step_by(PARTNERS_AT_ONCE as usize) {
        let last = rounds.min(first + PARTNERS_AT_ONCE);
        let (rank, remote_size) = (steps.rank, steps.remote_size);
        let partners = (first..last)
            .map(|round| (round + rounds - rank) % rounds)
            .filter(|&partner| partner < remote_size);
        for from in partners.clone() {
            receive_some_across(steps, from, &received.of(from));
        }
        for to in partners {
            send_some_across(steps, to, &sent.of(to));
        }
        steps.wait();
    }
}
