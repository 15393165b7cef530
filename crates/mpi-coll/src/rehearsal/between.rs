//! Operations between the two groups of an intercommunicator.

use super::*;
use crate::blocks::{Blocks, Shares};
use crate::gather::TREE_MAX_BLOCK_BYTES;
use crate::inter::{self, Part};

const SIZES: &[[u32; 2]] = &[[1, 1], [1, 4], [2, 3], [5, 3], [8, 8], [3, 17]];
/// Words of a block that trees carry, and of one that goes directly.
const LENGTHS: [usize; 2] = [2, TREE_MAX_BLOCK_BYTES / 8 + 1];

fn block(from: Who, to: u32, length: usize) -> Vec<u64> {
    let from = (from.group as u64) << 56 | u64::from(from.rank) << 40;
    (0..length as u64).map(|index| from | u64::from(to) << 24 | index).collect()
}

fn opposite(who: Who, rank: u32) -> Who {
    Who { group: 1 - who.group, rank }
}

fn even(blocks: impl Iterator<Item = Vec<u64>>, each: usize) -> Blocks {
    Blocks::Even { all: words(&blocks.flatten().collect::<Vec<_>>()), each }
}

/// Returns the part of a process in an operation whose root is one of the first group.
fn part_of(who: Who, root: u32) -> Part {
    match who {
        Who { group: 0, rank } if rank == root => Part::Root,
        Who { group: 0, .. } => Part::Bystander,
        _ => Part::Opposite(root),
    }
}

#[test]
fn a_barrier_waits_for_both_groups() {
    for &sizes in SIZES {
        let all = (1 << (sizes[0] + sizes[1])) - 1;
        let knows = heard(sizes, inter::barrier);
        assert!(knows.iter().all(|&known| known == all), "{sizes:?}: {knows:x?}");
    }
}

#[test]
fn a_broadcast_reaches_the_other_group_alone() {
    for &sizes in SIZES {
        for root in 0..sizes[0] {
            rehearse_groups(
                sizes,
                |who| (part_of(who, root), words(&block(who, 0, 3))),
                |steps, (part, buffer)| inter::bcast(steps, buffer, *part),
                |who, (_, buffer)| {
                    let from = if who.group == 1 { Who { group: 0, rank: root } } else { who };
                    assert_eq!(words_in(buffer), block(from, 0, 3));
                },
            );
        }
    }
}

#[test]
fn a_leader_spreads_its_words_to_both_groups() {
    for &sizes in SIZES {
        rehearse_groups(
            sizes,
            |who| (who.group == 1, words(&block(who, 0, 2))),
            |steps, (leads, buffer)| inter::spread(steps, buffer, *leads),
            |_, (_, buffer)| {
                assert_eq!(words_in(buffer), block(Who { group: 1, rank: 0 }, 0, 2));
            },
        );
    }
}

#[test]
fn a_root_gathers_the_blocks_of_the_other_group() {
    for &sizes in SIZES {
        for (root, length) in LENGTHS.iter().flat_map(|&at| (0..sizes[0]).map(move |r| (r, at))) {
            rehearse_groups(
                sizes,
                |who| {
                    let part = part_of(who, root);
                    let places = (0..sizes[1]).map(|_| vec![7; length]);
                    let blocks = (part == Part::Root).then(|| even(places, length));
                    (part, words(&block(who, 0, length)), blocks)
                },
                |steps, (part, own, blocks)| inter::gather(steps, own, blocks.as_ref(), *part),
                |who, (.., blocks)| {
                    for from in (0..sizes[1]).filter(|_| blocks.is_some()) {
                        let found = words_in(&blocks.as_ref().unwrap().of(from));
                        assert!(found == block(opposite(who, from), 0, length));
                    }
                },
            );
        }
    }
}

#[test]
fn a_root_scatters_blocks_to_the_other_group() {
    for &sizes in SIZES {
        for (root, length) in LENGTHS.iter().flat_map(|&at| (0..sizes[0]).map(move |r| (r, at))) {
            rehearse_groups(
                sizes,
                |who| {
                    let part = part_of(who, root);
                    let sent = (0..sizes[1]).map(|to| block(who, to, length));
                    let blocks = (part == Part::Root).then(|| even(sent, length));
                    (part, blocks, words(&vec![7; length]))
                },
                |steps, (part, blocks, own)| inter::scatter(steps, blocks.as_ref(), own, *part),
                |who, (_, _, own)| {
                    let expected = match who.group {
                        0 => vec![7; length],
                        _ => block(Who { group: 0, rank: root }, who.rank, length),
                    };
                    assert!(words_in(own) == expected);
                },
            );
        }
    }
}

/// Rehearses an allgather in which the groups have blocks of these lengths.
fn gathers(lengths: [usize; 2], record: impl Fn(&mut Steps<'_>, &Buffer, &Blocks) -> Outcome) {
    for &sizes in SIZES {
        rehearse_groups(
            sizes,
            |who| {
                let (ours, theirs) = (lengths[who.group], lengths[1 - who.group]);
                let places = (0..sizes[1 - who.group]).map(|_| vec![7; theirs]);
                (words(&block(who, 0, ours)), even(places, theirs))
            },
            |steps, (own, blocks)| record(steps, own, blocks),
            |who, (_, blocks)| {
                for from in 0..sizes[1 - who.group] {
                    let expected = block(opposite(who, from), 0, lengths[1 - who.group]);
                    assert!(words_in(&blocks.of(from)) == expected, "{sizes:?}");
                }
            },
        );
    }
}

#[test]
fn an_allgather_may_have_other_lengths_in_the_two_directions() {
    for lengths in [[2, 2], [1, LENGTHS[1]], [LENGTHS[1], 3], [0, 2], [LENGTHS[1]; 2]] {
        gathers(lengths, inter::allgather);
        gathers(lengths, |steps, own, blocks| {
            inter::allgatherv(steps, own, blocks);
            Ok(())
        });
    }
}

#[test]
fn every_pair_across_exchanges_blocks() {
    for &sizes in SIZES {
        rehearse_groups(
            sizes,
            |who| {
                let others = sizes[1 - who.group];
                let sent = (0..others).map(|to| block(who, to, 2));
                (even(sent, 2), even((0..others).map(|_| vec![7; 2]), 2))
            },
            |steps, (sent, received)| {
                inter::alltoall(steps, sent, received);
                Ok(())
            },
            |who, (_, received)| {
                for from in 0..sizes[1 - who.group] {
                    let expected = block(opposite(who, from), who.rank, 2);
                    assert_eq!(words_in(&received.of(from)), expected);
                }
            },
        );
    }
}

/// Returns a process's contribution and a place for a result.
fn operands(who: Who, reduction: Reduction, length: usize) -> (Buffer, Buffer) {
    (words(&vec![contribution(reduction, who.rank); length]), words(&vec![7; length]))
}

#[test]
fn a_root_gets_the_reduction_of_the_other_group() {
    for &sizes in SIZES {
        for (root, reduction) in (0..sizes[0]).flat_map(|root| [(root, UNION), (root, CHAIN)]) {
            rehearse_groups(
                sizes,
                |who| (part_of(who, root), operands(who, reduction, 3)),
                |steps, (part, (own, result))| inter::reduce(steps, own, result, reduction, *part),
                |who, (part, (_, result))| {
                    let all = [word_of(reduction, 0, sizes[1 - who.group]); 3];
                    let expected = if *part == Part::Root { all } else { [7; 3] };
                    assert_eq!(words_in(result), expected);
                },
            );
        }
    }
}

#[test]
fn each_group_gets_the_reduction_of_the_other() {
    for &sizes in SIZES {
        for reduction in [UNION, CHAIN] {
            rehearse_groups(
                sizes,
                |who| operands(who, reduction, 3),
                |steps, (own, result)| inter::allreduce(steps, own, result, reduction),
                |who, (_, result)| {
                    let all = [word_of(reduction, 0, sizes[1 - who.group]); 3];
                    assert_eq!(words_in(result), all);
                },
            );
        }
    }
}

#[test]
fn parts_of_the_reduction_of_the_other_group_go_to_their_ranks() {
    for &sizes in SIZES {
        // As many words for each group, whatever its size.
        let total = (sizes[0] * sizes[1]) as usize;
        for reduction in [UNION, CHAIN] {
            rehearse_groups(
                sizes,
                |who| {
                    let each = total / sizes[who.group] as usize;
                    (operands(who, reduction, total).0, words(&vec![7; each]), each)
                },
                |steps, (own, result, each)| {
                    inter::reduce_scatter(steps, own, &Shares::Even(*each), result, reduction)
                },
                |who, (_, result, each)| {
                    let all = vec![word_of(reduction, 0, sizes[1 - who.group]); *each];
                    assert_eq!(words_in(result), all);
                },
            );
        }
    }
}
