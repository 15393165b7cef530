//! The algorithms of MPICH and of Open MPI, by what their papers and documentation say of them:
//! Thakur, Rabenseifner and Gropp (2005), Pjesivac-Grbovic et al. (2007), Luo et al. (HAN, 2020).
//!
//! Each is written as the moves of a rank. What both have is there once. Neither library's choice
//! is modelled: the best of its algorithms counts for it.

use Library::{Both, Mpich, OpenMpi};
use nemesis_mpi_coll::recording::Move;

/// Who has an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    Mpich,
    OpenMpi,
    Both,
}

/// An algorithm of an operation among `ranks` processes: its name, and the moves of a rank for
/// `bytes` bytes.
#[derive(Clone, Copy)]
pub struct Rival {
    operation: &'static str,
    pub library: Library,
    pub name: &'static str,
    pub moves: fn(u32, u32, usize) -> Vec<Move>,
    /// Whether it can do the operation with this number of processes, and of bytes.
    pub can: fn(u32, usize) -> bool,
}

/// Bytes of a piece of a pipelined tree.
const PIECE_BYTES: usize = 32 << 10;

const fn rival(
    operation: &'static str,
    library: Library,
    name: &'static str,
    moves: fn(u32, u32, usize) -> Vec<Move>,
    can: fn(u32, usize) -> bool,
) -> Rival {
    Rival { operation, library, name, moves, can }
}

#[rustfmt::skip]
const ALL: [Rival; 27] = [
    rival("barrier", Both, "dissemination", dissemination, always),
    rival("bcast", Both, "binomial", bcast_binomial, always),
    rival("bcast", Mpich, "scatter_doubling", bcast_scatter_doubling, are_parts_of_a_power),
    rival("bcast", Both, "scatter_ring", bcast_scatter_ring, are_parts),
    rival("bcast", OpenMpi, "pipelined_binary", bcast_pipelined, always),
    rival("reduce", Both, "binomial", reduce_binomial, always),
    rival("reduce", Both, "halving_gather", reduce_halving, are_parts_of_a_power),
    rival("reduce", OpenMpi, "pipelined_binary", reduce_pipelined, always),
    rival("allreduce", Both, "recursive_doubling", allreduce_doubling, always),
    rival("allreduce", Mpich, "recursive_multiplying_4", allreduce_multiplying, is_power_of_4),
    rival("allreduce", Both, "halving_doubling", allreduce_halving, are_parts_of_a_power),
    rival("allreduce", Both, "ring", allreduce_ring, are_parts),
    rival("reduce_scatter", Both, "halving", reduce_scatter_halving, is_power),
    rival("reduce_scatter", Mpich, "pairwise", reduce_scatter_pairwise, always),
    rival("reduce_scatter", OpenMpi, "ring", reduce_scatter_ring, always),
    rival("scan", Both, "recursive_doubling", scan_doubling, always),
    rival("gather", Both, "binomial", gather_binomial, always),
    rival("gather", OpenMpi, "linear", gather_linear, always),
    rival("scatter", Both, "binomial", scatter_binomial, always),
    rival("scatter", OpenMpi, "linear", scatter_linear, always),
    rival("allgather", Both, "recursive_doubling", allgather_doubling, is_power),
    rival("allgather", Both, "bruck", allgather_bruck, always),
    rival("allgather", Both, "ring", allgather_ring, always),
    rival("allgather", OpenMpi, "neighbour_exchange", allgather_neighbour, is_even),
    rival("alltoall", Both, "bruck", alltoall_bruck, always),
    rival("alltoall", Both, "pairwise", alltoall_pairwise, always),
    rival("alltoall", Both, "linear", alltoall_linear, always),
];

/// Returns the algorithms of an operation.
pub fn of(operation: &str) -> impl Iterator<Item = &'static Rival> {
    const { &ALL }.iter().filter(move |rival| rival.operation == operation)
}

fn always(_: u32, _: usize) -> bool {
    true
}

fn is_power(ranks: u32, _: usize) -> bool {
    ranks.is_power_of_two()
}

fn is_even(ranks: u32, _: usize) -> bool {
    ranks.is_multiple_of(2)
}

/// Whether each process has an element.
fn are_parts(ranks: u32, bytes: usize) -> bool {
    bytes / 8 >= ranks as usize
}

fn are_parts_of_a_power(ranks: u32, bytes: usize) -> bool {
    is_power(ranks, bytes) && are_parts(ranks, bytes)
}

fn is_power_of_4(ranks: u32, _: usize) -> bool {
    ranks.is_power_of_two() && ranks.ilog2().is_multiple_of(2)
}

/// Exchanges with a partner, and waits.
fn exchange(moves: &mut Vec<Move>, to: u32, from: u32, bytes: usize) {
    moves.extend([Move::Receive { from }, Move::Send { to, bytes }, Move::Wait]);
}

fn receive(moves: &mut Vec<Move>, from: u32) {
    moves.extend([Move::Receive { from }, Move::Wait]);
}

/// 1, 2, 4, ... below `ranks`.
fn powers(ranks: u32) -> impl DoubleEndedIterator<Item = u32> {
    (0..ranks.next_power_of_two().ilog2()).map(|bit| 1 << bit)
}

fn dissemination(rank: u32, ranks: u32, _: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for distance in powers(ranks) {
        exchange(&mut moves, (rank + distance) % ranks, (rank + ranks - distance) % ranks, 0);
    }
    moves
}

/// The distance to the parent of a rank in the binomial tree: its lowest bit.
fn lowest(rank: u32, ranks: u32) -> u32 {
    if rank == 0 { ranks.next_power_of_two() } else { rank & rank.wrapping_neg() }
}

/// The ranks below `rank + distance`.
fn below(rank: u32, distance: u32, ranks: u32) -> usize {
    distance.min(ranks - rank) as usize
}

fn bcast_binomial(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (mut moves, lowest) = (Vec::new(), lowest(rank, ranks));
    if rank > 0 {
        receive(&mut moves, rank - lowest);
    }
    let children = powers(ranks).rev().filter(|&bit| bit < lowest && rank + bit < ranks);
    moves.extend(children.map(|bit| Move::Send { to: rank + bit, bytes }));
    moves.push(Move::Wait);
    moves
}

fn scatter_binomial(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let (mut moves, lowest) = (Vec::new(), lowest(rank, ranks));
    if rank > 0 {
        receive(&mut moves, rank - lowest);
    }
    for bit in powers(ranks).rev().filter(|&bit| bit < lowest && rank + bit < ranks) {
        let bytes = each * below(rank + bit, bit, ranks);
        moves.push(Move::Send { to: rank + bit, bytes });
    }
    moves.push(Move::Wait);
    moves
}

fn gather_binomial(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let (mut moves, lowest) = (Vec::new(), lowest(rank, ranks));
    for bit in powers(ranks).filter(|&bit| bit < lowest && rank + bit < ranks) {
        receive(&mut moves, rank + bit);
    }
    if rank > 0 {
        moves.push(Move::Send { to: rank - lowest, bytes: each * below(rank, lowest, ranks) });
        moves.push(Move::Wait);
    }
    moves
}

fn scatter_linear(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    match rank {
        0 => (1..ranks).map(|to| Move::Send { to, bytes }).chain([Move::Wait]).collect(),
        _ => vec![Move::Receive { from: 0 }, Move::Wait],
    }
}

fn gather_linear(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    match rank {
        0 => (1..ranks).map(|from| Move::Receive { from }).chain([Move::Wait]).collect(),
        _ => vec![Move::Send { to: 0, bytes }, Move::Wait],
    }
}

fn bcast_scatter_doubling(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let each = bytes / ranks as usize;
    let mut moves = scatter_binomial(rank, ranks, each);
    moves.extend(allgather_doubling(rank, ranks, each));
    moves
}

fn bcast_scatter_ring(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let each = bytes / ranks as usize;
    let mut moves = scatter_binomial(rank, ranks, each);
    moves.extend(allgather_ring(rank, ranks, each));
    moves
}

/// The parent and the children of a rank in a binary tree in the order of a heap.
fn binary(rank: u32, ranks: u32) -> (Option<u32>, impl Iterator<Item = u32> + Clone) {
    let children = [2 * rank + 1, 2 * rank + 2];
    (rank.checked_sub(1).map(|above| above / 2), children.into_iter().filter(move |&c| c < ranks))
}

fn pieces(bytes: usize) -> impl Iterator<Item = usize> {
    (0..bytes.div_ceil(PIECE_BYTES).max(1))
        .map(move |piece| PIECE_BYTES.min(bytes - piece * PIECE_BYTES))
}

fn bcast_pipelined(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (parent, children) = binary(rank, ranks);
    let mut moves = Vec::new();
    for bytes in pieces(bytes) {
        if let Some(from) = parent {
            receive(&mut moves, from);
        }
        moves.extend(children.clone().map(|to| Move::Send { to, bytes }));
    }
    moves.push(Move::Wait);
    moves
}

fn reduce_pipelined(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (parent, children) = binary(rank, ranks);
    let mut moves = Vec::new();
    for bytes in pieces(bytes) {
        for from in children.clone() {
            receive(&mut moves, from);
            moves.push(Move::Reduce { bytes });
        }
        moves.extend(parent.map(|to| Move::Send { to, bytes }));
    }
    moves.push(Move::Wait);
    moves
}

fn reduce_binomial(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (mut moves, lowest) = (Vec::new(), lowest(rank, ranks));
    for bit in powers(ranks).filter(|&bit| bit < lowest && rank + bit < ranks) {
        receive(&mut moves, rank + bit);
        moves.push(Move::Reduce { bytes });
    }
    if rank > 0 {
        moves.extend([Move::Send { to: rank - lowest, bytes }, Move::Wait]);
    }
    moves
}

fn reduce_halving(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let mut moves = reduce_scatter_halving(rank, ranks, bytes);
    moves.extend(gather_binomial(rank, ranks, bytes / ranks as usize));
    moves
}

/// Ranks beyond a power of two give their vector to a neighbour, and get the result from it.
fn allreduce_doubling(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let core = 1 << ranks.ilog2();
    let beyond = ranks - core;
    let mut moves = Vec::new();
    if rank < 2 * beyond && rank.is_multiple_of(2) {
        moves.push(Move::Send { to: rank + 1, bytes });
        receive(&mut moves, rank + 1);
        return moves;
    }
    if rank < 2 * beyond {
        receive(&mut moves, rank - 1);
        moves.push(Move::Reduce { bytes });
    }
    let place = if rank < 2 * beyond { rank / 2 } else { rank - beyond };
    for bit in powers(core) {
        let other = place ^ bit;
        let other = if other < beyond { 2 * other + 1 } else { other + beyond };
        exchange(&mut moves, other, other, bytes);
        moves.push(Move::Reduce { bytes });
    }
    if rank < 2 * beyond {
        moves.extend([Move::Send { to: rank - 1, bytes }, Move::Wait]);
    }
    moves
}

/// Exchanges with three others in each round.
fn allreduce_multiplying(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut distance = 1;
    while distance < ranks {
        let digit = rank / distance % 4;
        let others = (0..4).filter(|&other| other != digit);
        let others = others.map(|other| rank - digit * distance + other * distance);
        moves.extend(others.clone().map(|from| Move::Receive { from }));
        moves.extend(others.map(|to| Move::Send { to, bytes }));
        moves.extend([Move::Wait, Move::Reduce { bytes: 3 * bytes }]);
        distance *= 4;
    }
    moves
}

fn reduce_scatter_halving(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (mut moves, mut bytes) = (Vec::new(), bytes);
    for bit in powers(ranks).rev() {
        bytes /= 2;
        exchange(&mut moves, rank ^ bit, rank ^ bit, bytes);
        moves.push(Move::Reduce { bytes });
    }
    moves
}

fn allreduce_halving(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let mut moves = reduce_scatter_halving(rank, ranks, bytes);
    moves.extend(allgather_doubling(rank, ranks, bytes / ranks as usize));
    moves
}

fn allreduce_ring(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let mut moves = reduce_scatter_ring(rank, ranks, bytes);
    moves.extend(allgather_ring(rank, ranks, bytes / ranks as usize));
    moves
}

fn reduce_scatter_ring(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (mut moves, each) = (Vec::new(), bytes / ranks as usize);
    for _ in 1..ranks {
        exchange(&mut moves, (rank + 1) % ranks, (rank + ranks - 1) % ranks, each);
        moves.push(Move::Reduce { bytes: each });
    }
    moves
}

fn reduce_scatter_pairwise(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let (mut moves, each) = (Vec::new(), bytes / ranks as usize);
    for step in 1..ranks {
        exchange(&mut moves, (rank + step) % ranks, (rank + ranks - step) % ranks, each);
        moves.push(Move::Reduce { bytes: each });
    }
    moves
}

fn scan_doubling(rank: u32, ranks: u32, bytes: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for bit in powers(ranks).filter(|bit| rank ^ bit < ranks) {
        exchange(&mut moves, rank ^ bit, rank ^ bit, bytes);
        moves.push(Move::Reduce { bytes: if rank & bit != 0 { 2 * bytes } else { bytes } });
    }
    moves
}

fn allgather_doubling(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for bit in powers(ranks) {
        exchange(&mut moves, rank ^ bit, rank ^ bit, each * bit as usize);
    }
    moves
}

fn allgather_bruck(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for bit in powers(ranks) {
        let bytes = each * bit.min(ranks - bit) as usize;
        exchange(&mut moves, (rank + ranks - bit) % ranks, (rank + bit) % ranks, bytes);
    }
    moves.push(Move::Copy { bytes: each * ranks as usize });
    moves
}

fn allgather_ring(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for _ in 1..ranks {
        exchange(&mut moves, (rank + 1) % ranks, (rank + ranks - 1) % ranks, each);
    }
    moves
}

/// Exchanges with both neighbours in turn: one block first, then the two that came last (Chen,
/// Zhang and Yuan 2005).
fn allgather_neighbour(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for round in 0..ranks / 2 {
        let upwards = rank.is_multiple_of(2) == round.is_multiple_of(2);
        let other = if upwards { (rank + 1) % ranks } else { (rank + ranks - 1) % ranks };
        exchange(&mut moves, other, other, if round == 0 { each } else { 2 * each });
    }
    moves
}

fn alltoall_bruck(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = vec![Move::Copy { bytes: each * ranks as usize }];
    for bit in powers(ranks) {
        let blocks = (0..ranks).filter(|block| block & bit != 0).count();
        let bytes = each * blocks;
        moves.push(Move::Copy { bytes });
        exchange(&mut moves, (rank + bit) % ranks, (rank + ranks - bit) % ranks, bytes);
        moves.push(Move::Copy { bytes });
    }
    moves.push(Move::Copy { bytes: each * ranks as usize });
    moves
}

fn alltoall_pairwise(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    for step in 1..ranks {
        exchange(&mut moves, (rank + step) % ranks, (rank + ranks - step) % ranks, each);
    }
    moves
}

fn alltoall_linear(rank: u32, ranks: u32, each: usize) -> Vec<Move> {
    let receives = (1..ranks).map(|step| Move::Receive { from: (rank + ranks - step) % ranks });
    let sends = (1..ranks).map(|step| Move::Send { to: (rank + step) % ranks, bytes: each });
    receives.chain(sends).chain([Move::Wait]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::simulator::simulate;

    #[test]
    fn each_algorithm_ends() {
        for operation in nemesis_mpi_coll::operations::ALL {
            assert!(of(operation.name).next().is_some(), "{}", operation.name);
            for rival in of(operation.name) {
                let mut ran = 0;
                for (ranks, bytes) in [(2, 8), (3, 8), (6, 4096), (12, 1 << 20), (16, 1 << 20)] {
                    if !(rival.can)(ranks, bytes) {
                        continue;
                    }
                    let machine = Machine::new(ranks, 1, "infiniband").unwrap();
                    let moves = (0..ranks).map(|rank| (rival.moves)(rank, ranks, bytes)).collect();
                    let cost = simulate(&machine, moves);
                    assert!(cost.is_ok_and(|cost| cost.card_messages > 0), "{}", rival.name);
                    ran += 1;
                }
                assert!(ran > 0, "{}", rival.name);
            }
        }
    }

    #[test]
    fn what_both_libraries_have_costs_what_ours_costs() {
        // Ours and theirs are the same algorithm: the same messages in the same order.
        let machine = Machine::new(16, 1, "infiniband").unwrap();
        for (operation, ours, theirs, bytes) in [
            ("barrier", "dissemination", "dissemination", 0),
            ("allreduce", "recursive_doubling", "recursive_doubling", 1024),
            ("allgather", "recursive_doubling", "recursive_doubling", 1024),
            ("allgather", "neighbour_exchange", "neighbour_exchange", 64),
        ] {
            let all = nemesis_mpi_coll::operations::ALL;
            let index = all.iter().position(|one| one.name == operation).unwrap();
            let recorder =
                nemesis_mpi_coll::recording::Recorder::new(index, ours, machine.grid(), bytes)
                    .unwrap();
            let rival = of(operation).find(|rival| rival.name == theirs).unwrap();
            let own = (0..16).map(|rank| recorder.moves(rank).unwrap()).collect();
            let other = (0..16).map(|rank| (rival.moves)(rank, 16, bytes)).collect();
            let [own, other] = [own, other].map(|moves| simulate(&machine, moves).unwrap());
            assert_eq!(
                (own.card_messages, own.card_bytes),
                (other.card_messages, other.card_bytes)
            );
            assert!(own.time.abs_diff(other.time) * 20 < own.time, "{own:?} {other:?}");
        }
    }
}
