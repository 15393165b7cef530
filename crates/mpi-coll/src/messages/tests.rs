//! Every algorithm by messages, rehearsed at many sizes: its result, and what it costs.

use super::*;
use crate::blocks::{Blocks, Shares};
use crate::grid::Grid;
use crate::operator::Reduction;
use crate::rehearsal::{
    CHAIN, Traffic, UNION, contribution, heard, rehearse, sparse_words, word_of, words, words_in,
};
use nemesis_datatype::Buffer;

/// Sizes of groups: all small ones, and some around powers of two.
const SIZES: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 31, 33];

fn rounds(size: u32) -> usize {
    size.next_power_of_two().ilog2() as usize
}

/// The word at `index` of the block that `from` has for `to`.
fn word(from: u32, to: u32, index: usize) -> u64 {
    u64::from(from) << 40 | u64::from(to) << 16 | index as u64
}

fn block(from: u32, to: u32, length: usize) -> Vec<u64> {
    (0..length).map(|index| word(from, to, index)).collect()
}

#[test]
fn every_process_of_a_barrier_hears_of_all_others() {
    for (size, ways) in (1..=64).flat_map(|size| [(size, 2), (size, 4)]) {
        let all = if size == 64 { u64::MAX } else { (1 << size) - 1 };
        let knows = heard([size, 0], |steps| {
            barrier_dissemination::barrier(steps, ways);
            Ok(())
        });
        assert!(knows.iter().all(|&known| known == all), "{size}, {ways}: {knows:x?}");
    }
}

#[test]
fn a_barrier_takes_log2_messages_of_each_process() {
    for &size in SIZES {
        let cost = |ways| {
            let barrier = |steps: &mut Steps<'_>, (): &()| {
                barrier_dissemination::barrier(steps, ways);
                Ok(())
            };
            rehearse(size, |_| (), barrier, |_, ()| {})
        };
        let each = Traffic { messages: rounds(size), bytes: 0, waits: rounds(size) };
        assert!(cost(2).iter().all(|&cost| cost == each), "{size}: {:?}", cost(2));
        let waits = rounds(size).div_ceil(2);
        assert!(cost(4).iter().all(|cost| cost.waits == waits && cost.messages <= 3 * waits));
    }
}

/// Some roots of a group, all if it is small.
fn roots(size: u32) -> Vec<u32> {
    (0..size).filter(|&root| size < 6 || [0, 1, size / 2, size - 1].contains(&root)).collect()
}

/// Rehearses a broadcast from some roots.
fn broadcasts(
    size: u32,
    length: usize,
    make: fn(&[u64]) -> Buffer,
    bcast: impl Fn(&mut Steps<'_>, &Buffer, u32) -> Outcome,
) -> Vec<Traffic> {
    let mut cost = Vec::new();
    for root in roots(size) {
        cost = rehearse(
            size,
            |rank| make(&block(rank, 0, length)),
            |steps, buffer| bcast(steps, buffer, root),
            |rank, buffer| assert_eq!(words_in(buffer), block(root, 0, length), "{rank} of {size}"),
        );
    }
    cost
}

#[test]
fn a_tree_broadcasts_with_one_message_to_each_process() {
    for &size in SIZES {
        let cost = broadcasts(size, 3, words, |steps, buffer, root| {
            bcast_tree::bcast(steps, buffer, root);
            Ok(())
        });
        assert_eq!(cost.iter().map(|cost| cost.messages).sum::<usize>(), size as usize - 1);
        assert!(cost.iter().all(|cost| cost.messages <= rounds(size)));
    }
}

#[test]
fn two_trees_bring_both_halves_to_all() {
    for &size in SIZES {
        for length in [1, 9, 4 << 10] {
            broadcasts(size, length, words, bcast_trees::bcast);
        }
        broadcasts(size, 40, sparse_words, bcast_trees::bcast);
        let length = 16 << 10;
        let cost = broadcasts(size, length, words, bcast_trees::bcast);
        // Chunks divide a half into equal parts, but for the last one.
        let most = 8 * length + 8 * length / 4;
        assert!(size < 3 || cost.iter().all(|cost| cost.bytes <= most), "{size}: {cost:?}");
    }
}

/// Buffers of a reduction: the contribution and the result, which may be one.
type Operands = (Buffer, Buffer);

fn operands(reduction: Reduction, rank: u32, length: usize, in_place: bool) -> Operands {
    let own = words(&vec![contribution(reduction, rank); length]);
    let result = if in_place { own.clone() } else { words(&vec![0; length]) };
    (own, result)
}

/// Both kinds of operations.
const KINDS: &[Reduction] = &[UNION, CHAIN];

/// Numbers of nodes and of members of each, for algorithms that know them.
const GRIDS: &[[u32; 2]] = &[[3, 1], [2, 3], [3, 2], [5, 3], [3, 5], [4, 4], [7, 8]];

/// Calls `one` for all sizes, on nodes of one member each, and for the grids.
fn on_grids(mut one: impl FnMut(u32, Grid)) {
    SIZES.iter().for_each(|&size| one(size, Grid::apart(size)));
    GRIDS.iter().for_each(|&[nodes, members]| one(nodes * members, Grid { nodes, members }));
}

/// Rehearses a reduction to each root, in both forms.
fn reductions_to_roots(
    kinds: &[Reduction],
    length: usize,
    reduce: impl Fn(&mut Steps<'_>, &Buffer, Option<&Buffer>, Reduction, u32) -> Outcome,
) {
    on_grids(|size, grid| {
        for root in roots(size) {
            let cases = kinds.iter().flat_map(|&kind| [(kind, false), (kind, true)]);
            for (reduction, in_place) in cases {
                rehearse(
                    size,
                    |rank| operands(reduction, rank, length, in_place && rank == root),
                    |steps, (own, result)| {
                        steps.are_on(Some(grid));
                        let result = (steps.rank == root).then_some(result);
                        reduce(steps, own, result, reduction, root)
                    },
                    |rank, (own, result)| {
                        if rank == root {
                            let all = vec![word_of(reduction, 0, size); length];
                            assert_eq!(words_in(result), all, "{size} ranks to {root}");
                        } else {
                            let mine = vec![contribution(reduction, rank); length];
                            assert_eq!(words_in(own), mine, "a send buffer is left alone");
                        }
                    },
                );
            }
        }
    });
}

#[test]
fn a_tree_reduces_every_contribution_once_and_in_order() {
    reductions_to_roots(KINDS, 3, reduce_tree::reduce);
}

#[test]
fn halving_reduces_every_contribution_once_and_in_order() {
    // Vectors shorter and longer than the number of places.
    reductions_to_roots(KINDS, 5, halving::reduce);
    reductions_to_roots(KINDS, 64, halving::reduce);
}

#[test]
fn circles_reduce_every_contribution_once() {
    reductions_to_roots(&[UNION], 5, circulant::reduce);
    reductions_to_roots(&[UNION], 64, circulant::reduce);
}

/// Rehearses a reduction of which all processes get the result.
fn reductions_everywhere(
    kinds: &[Reduction],
    length: usize,
    allreduce: impl Fn(&mut Steps<'_>, &Buffer, &Buffer, Reduction) -> Outcome,
) {
    on_grids(|size, grid| {
        let cases = kinds.iter().flat_map(|&kind| [(kind, false), (kind, true)]);
        for (reduction, in_place) in cases {
            rehearse(
                size,
                |rank| operands(reduction, rank, length, in_place),
                |steps, (own, result)| {
                    steps.are_on(Some(grid));
                    allreduce(steps, own, result, reduction)
                },
                |rank, (own, result)| {
                    let all = vec![word_of(reduction, 0, size); length];
                    assert_eq!(words_in(result), all, "rank {rank} of {size}");
                    let mine = vec![contribution(reduction, rank); length];
                    assert!(in_place || words_in(own) == mine, "a send buffer is left alone");
                },
            );
        }
    });
}

#[test]
fn doubling_gives_all_processes_the_reduction_in_order() {
    reductions_everywhere(KINDS, 3, allreduce_doubling::allreduce);
}

#[test]
fn multiplying_gives_all_processes_the_reduction_in_order() {
    reductions_everywhere(KINDS, 3, allreduce_multiplying::allreduce);
}

#[test]
fn multiplying_takes_half_of_the_rounds_of_doubling() {
    for (size, messages, waits) in [(4, 3, 1), (8, 4, 2), (16, 6, 2), (64, 9, 3)] {
        let cost = rehearse(
            size,
            |rank| operands(UNION, rank, 3, false),
            |steps, (own, result)| allreduce_multiplying::allreduce(steps, own, result, UNION),
            |_, _| {},
        );
        let each = Traffic { messages, bytes: messages * 3 * 8, waits };
        assert!(cost.iter().all(|&cost| cost == each), "{size}: {cost:?}");
    }
}

#[test]
fn halving_gives_all_processes_the_reduction_in_order() {
    reductions_everywhere(KINDS, 5, halving::allreduce);
    reductions_everywhere(KINDS, 64, halving::allreduce);
}

#[test]
fn circles_give_all_processes_the_reduction() {
    reductions_everywhere(&[UNION], 5, circulant::allreduce);
    reductions_everywhere(&[UNION], 64, circulant::allreduce);
}

#[test]
fn circles_move_less_than_two_vectors_in_two_logarithms_of_rounds() {
    for size in [3, 5, 12, 17, 33] {
        let cost = rehearse(
            size,
            |rank| operands(UNION, rank, 2 * size as usize, false),
            |steps, (own, result)| circulant::allreduce(steps, own, result, UNION),
            |_, _| {},
        );
        let bytes = 2 * (size as usize - 1) * 2 * 8;
        assert!(cost.iter().all(|cost| cost.bytes == bytes), "{size}: {cost:?}");
        assert!(cost.iter().all(|cost| cost.waits == 2 * rounds(size)), "{size}: {cost:?}");
    }
}

#[test]
fn each_byte_of_a_vector_leaves_a_node_of_a_grid_once() {
    let grid = Grid { nodes: 3, members: 5 };
    let length = 15 * 4;
    let cost = rehearse(
        15,
        |rank| operands(UNION, rank, length, false),
        |steps, (own, result)| {
            steps.are_on(Some(grid));
            circulant::allreduce(steps, own, result, UNION)
        },
        |_, _| {},
    );
    // Four of five parts within the node, and two thirds of the fifth between nodes, twice.
    let each = 2 * 8 * (length / 5 * 4 + length / 15 * 2);
    assert!(cost.iter().all(|cost| cost.bytes == each), "{cost:?}");
}

#[test]
fn halving_moves_less_than_two_vectors_between_powers_of_two() {
    for size in [2, 4, 8, 16, 32] {
        let cost = rehearse(
            size,
            |rank| operands(UNION, rank, 64, false),
            |steps, (own, result)| halving::allreduce(steps, own, result, UNION),
            |_, _| {},
        );
        assert!(cost.iter().all(|cost| cost.bytes < 2 * 64 * 8), "{size}: {cost:?}");
        assert!(cost.iter().all(|cost| cost.messages == 2 * rounds(size)), "{size}: {cost:?}");
    }
}

/// Lengths of the blocks of ranks, if they are not equal. Some are empty.
fn uneven(rank: u32) -> usize {
    [3, 0, 1, 5, 2][rank as usize % 5]
}

/// Makes the blocks of all ranks, of which only this one's has data.
fn blocks_of(rank: u32, size: u32, even: Option<usize>) -> Blocks {
    match even {
        Some(each) => {
            let mut all = vec![0; each * size as usize];
            all[each * rank as usize..][..each].copy_from_slice(&block(rank, 0, each));
            Blocks::Even { all: words(&all), each }
        }
        None => Blocks::List(
            (0..size)
                .map(|of| match of == rank {
                    true => words(&block(rank, 0, uneven(rank))),
                    false => words(&vec![0; uneven(of)]),
                })
                .collect(),
        ),
    }
}

/// Rehearses an allgather of blocks of equal length (`even`) or of different lengths.
fn gathers_everywhere(
    size: u32,
    even: Option<usize>,
    allgather: impl Fn(&mut Steps<'_>, &Blocks) -> Outcome,
) -> Vec<Traffic> {
    rehearse(
        size,
        |rank| blocks_of(rank, size, even),
        |steps, blocks| allgather(steps, blocks),
        |rank, blocks| {
            for of in 0..size {
                let expected = block(of, 0, even.unwrap_or_else(|| uneven(of)));
                assert_eq!(words_in(&blocks.of(of)), expected, "{of} at {rank} of {size}");
            }
        },
    )
}

#[test]
fn bruck_gathers_blocks_of_any_lengths_in_log2_rounds() {
    for &size in SIZES {
        gathers_everywhere(size, None, allgather_bruck::allgather);
        let cost = gathers_everywhere(size, Some(2), allgather_bruck::allgather);
        assert!(cost.iter().all(|cost| cost.messages == rounds(size)), "{size}: {cost:?}");
        assert!(cost.iter().all(|cost| cost.bytes == 16 * (size as usize - 1)));
    }
}

#[test]
fn doubling_gathers_among_powers_of_two() {
    for size in [1, 2, 4, 8, 16, 32] {
        let cost = gathers_everywhere(size, Some(3), |steps, blocks| {
            allgather_doubling::allgather(steps, blocks);
            Ok(())
        });
        assert!(cost.iter().all(|cost| cost.messages == rounds(size)), "{size}: {cost:?}");
    }
}

#[test]
fn neighbours_gather_among_even_numbers_of_processes() {
    for size in (2..=34).step_by(2) {
        for even in [Some(2), None] {
            gathers_everywhere(size, even, |steps, blocks| {
                allgather_neighbour::allgather(steps, blocks);
                Ok(())
            });
        }
    }
}

#[test]
fn a_ring_passes_every_block_to_the_next() {
    for &size in SIZES {
        gathers_everywhere(size, None, |steps, blocks| {
            allgather_ring::allgather(steps, blocks);
            Ok(())
        });
        let cost = gathers_everywhere(size, Some(1), |steps, blocks| {
            allgather_ring::allgather(steps, blocks);
            Ok(())
        });
        let others = size as usize - 1;
        let each = Traffic { messages: others, bytes: 8 * others, waits: others };
        assert!(cost.iter().all(|&cost| cost == each), "{size}: {cost:?}");
    }
}

#[test]
fn bruck_exchanges_blocks_in_log2_rounds() {
    for &size in SIZES {
        for each in [1, 3] {
            let cost = rehearse(
                size,
                |rank| {
                    let sent: Vec<u64> = (0..size).flat_map(|to| block(rank, to, each)).collect();
                    let even = |all: Vec<u64>| Blocks::Even { all: words(&all), each };
                    (even(sent), even(vec![0; each * size as usize]))
                },
                |steps, (sent, received)| alltoall_bruck::alltoall(steps, sent, received, 8 * each),
                |rank, (_, received)| {
                    for from in 0..size {
                        assert_eq!(words_in(&received.of(from)), block(from, rank, each));
                    }
                },
            );
            assert!(cost.iter().all(|cost| cost.messages == rounds(size)), "{size}: {cost:?}");
        }
    }
}

/// Rehearses a reduce_scatter of equal and of unequal parts, some of them empty.
fn reductions_in_parts(
    kinds: &[Reduction],
    reduce_scatter: impl Fn(&mut Steps<'_>, &Buffer, &Shares, &Buffer, Reduction) -> Outcome,
) {
    on_grids(|size, grid| {
        let ends = (0..size).scan(0, |end, rank| {
            *end += uneven(rank);
            Some(*end)
        });
        for shares in [Shares::Even(2), Shares::Ends(ends.collect())] {
            for &reduction in kinds {
                let length = shares.of(size - 1).end;
                rehearse(
                    size,
                    |rank| {
                        let part = shares.of(rank).len();
                        let own = words(&vec![contribution(reduction, rank); length]);
                        (own, words(&vec![7; part]))
                    },
                    |steps, (own, result)| {
                        steps.are_on(Some(grid));
                        reduce_scatter(steps, own, &shares, result, reduction)
                    },
                    |rank, (own, result)| {
                        let all = vec![word_of(reduction, 0, size); shares.of(rank).len()];
                        assert_eq!(words_in(result), all, "rank {rank} of {size}");
                        assert_eq!(words_in(own), vec![contribution(reduction, rank); length]);
                    },
                );
            }
        }
    });
}

#[test]
fn doubling_reduces_and_scatters_in_order() {
    reductions_in_parts(KINDS, reduce_scatter_doubling::reduce_scatter);
}

#[test]
fn pairs_reduce_and_scatter_in_order() {
    reductions_in_parts(KINDS, reduce_scatter_pairwise::reduce_scatter);
}

#[test]
fn circles_reduce_and_scatter() {
    reductions_in_parts(&[UNION], circulant::reduce_scatter);
    for &size in SIZES {
        rehearse(
            size,
            |rank| words(&vec![contribution(UNION, rank); 2 * size as usize]),
            |steps, own| {
                let (shares, result) = (Shares::Even(2), own.part(0, 2));
                circulant::reduce_scatter(steps, own, &shares, &result, UNION)
            },
            |_, own| assert_eq!(words_in(own)[..2], [word_of(UNION, 0, size); 2]),
        );
    }
}

#[test]
fn halves_reduce_and_scatter_in_order() {
    reductions_in_parts(KINDS, halving::reduce_scatter);
    for &size in SIZES {
        let cost = rehearse(
            size,
            |rank| (words(&vec![contribution(UNION, rank); size as usize]), words(&[0])),
            |steps, (own, result)| {
                halving::reduce_scatter(steps, own, &Shares::Even(1), result, UNION)
            },
            |_, (_, result)| assert_eq!(words_in(result), [word_of(UNION, 0, size)]),
        );
        // A process inside brings two blocks to their owners, one outside sends its vector.
        let most = size.ilog2() as usize + 2;
        assert!(cost.iter().all(|cost| cost.messages <= most), "{size}: {cost:?}");
    }
}

#[test]
fn a_part_may_be_reduced_into_the_vector_itself() {
    for &size in SIZES {
        for reduction in [UNION, CHAIN] {
            for reduce_scatter in [
                reduce_scatter_pairwise::reduce_scatter,
                reduce_scatter_doubling::reduce_scatter,
                halving::reduce_scatter,
            ] {
                rehearse(
                    size,
                    |rank| words(&vec![contribution(reduction, rank); 2 * size as usize]),
                    |steps, own| {
                        let (shares, result) = (Shares::Even(2), own.part(0, 2));
                        reduce_scatter(steps, own, &shares, &result, reduction)
                    },
                    |_, own| {
                        assert_eq!(words_in(own)[..2], [word_of(reduction, 0, size); 2]);
                    },
                );
            }
        }
    }
}
