//! Operations, as their tables choose the algorithm: results around every limit of length.

use super::*;
use crate::blocks::{Blocks, Shares};
use crate::gather::TREE_MAX_BLOCK_BYTES;
use crate::{allgather, allreduce, alltoall, bcast, gather, reduce, reduce_scatter, scan, scatter};

const SIZES: &[u32] = &[1, 2, 3, 5, 8, 12];

/// Lengths in words around a limit in bytes.
fn around(bytes: usize) -> [usize; 3] {
    [(bytes / 8).saturating_sub(1).max(1), (bytes / 8).max(1), bytes / 8 + 1]
}

fn block(from: u32, to: u32, length: usize) -> Vec<u64> {
    (0..length as u64).map(|index| u64::from(from) << 48 | u64::from(to) << 32 | index).collect()
}

fn even(blocks: impl Iterator<Item = Vec<u64>>, each: usize) -> Blocks {
    Blocks::Even { all: words(&blocks.flatten().collect::<Vec<_>>()), each }
}

#[test]
fn a_broadcast_is_right_on_both_sides_of_its_limit() {
    for &size in SIZES {
        for length in around(bcast::TREE_MAX_BYTES) {
            let root = size / 2;
            rehearse(
                size,
                |rank| words(&block(rank, 0, length)),
                |steps, buffer| bcast::bcast(steps, buffer, root),
                |_, buffer| assert!(words_in(buffer) == block(root, 0, length)),
            );
        }
    }
}

/// Rehearses a reduction with both kinds of operation. `expected` names the ranks of the result.
fn reduced(
    length: usize,
    record: impl Fn(&mut Steps<'_>, &Buffer, &Buffer, Reduction) -> Outcome,
    expected: impl Fn(u32, u32) -> Option<std::ops::Range<u32>>,
) {
    for &size in SIZES {
        for reduction in [UNION, CHAIN] {
            for in_place in [false, true] {
                rehearse(
                    size,
                    |rank| {
                        let own = words(&vec![contribution(reduction, rank); length]);
                        let result = if in_place { own.clone() } else { words(&vec![7; length]) };
                        (own, result)
                    },
                    |steps, (own, result)| record(steps, own, result, reduction),
                    |rank, (_, result)| {
                        if let Some(ranks) = expected(rank, size) {
                            let word = word_of(reduction, ranks.start, ranks.end);
                            assert!(words_in(result) == vec![word; length], "{rank} of {size}");
                        }
                    },
                );
            }
        }
    }
}

#[test]
fn an_allreduce_is_right_on_both_sides_of_its_limit() {
    for length in around(allreduce::WHOLE_MAX_BYTES) {
        reduced(length, allreduce::allreduce, |_, size| Some(0..size));
    }
}

#[test]
fn a_reduce_is_right_on_both_sides_of_its_limit() {
    for length in around(reduce::WHOLE_MAX_BYTES) {
        let record = |steps: &mut Steps<'_>, own: &Buffer, result: &Buffer, reduction| {
            let root = steps.size - 1;
            let result = (steps.rank == root).then_some(result);
            reduce::reduce(steps, own, result, reduction, root)
        };
        reduced(length, record, |rank, size| (rank == size - 1).then_some(0..size));
    }
}

#[test]
fn a_scan_reduces_the_ranks_up_to_each() {
    for length in [1, 3, 200] {
        reduced(length, scan::scan, |rank, _| Some(0..rank + 1));
    }
}

#[test]
fn an_exscan_reduces_the_ranks_before_each() {
    for length in [1, 3, 200] {
        reduced(length, scan::exscan, |rank, _| (rank > 0).then_some(0..rank));
    }
}

#[test]
fn the_first_result_of_an_exscan_is_not_written() {
    for size in [1, 2, 5] {
        rehearse(
            size,
            |rank| (words(&[contribution(CHAIN, rank)]), words(&[7])),
            |steps, (own, result)| scan::exscan(steps, own, result, CHAIN),
            |rank, (_, result)| assert!(rank > 0 || words_in(result) == [7]),
        );
    }
}

#[test]
fn a_reduce_scatter_is_right_on_both_sides_of_its_limit() {
    for &size in SIZES {
        for length in around(reduce_scatter::WHOLE_MAX_BYTES) {
            let each = length.div_ceil(size as usize);
            for reduction in [UNION, CHAIN] {
                let all = vec![0; each * size as usize];
                rehearse(
                    size,
                    |rank| {
                        let own: Vec<u64> =
                            all.iter().map(|_| contribution(reduction, rank)).collect();
                        (words(&own), words(&vec![7; each]))
                    },
                    |steps, (own, result)| {
                        let shares = Shares::Even(each);
                        reduce_scatter::reduce_scatter(steps, own, &shares, result, reduction)
                    },
                    |_, (_, result)| {
                        assert!(words_in(result) == vec![word_of(reduction, 0, size); each]);
                    },
                );
            }
        }
    }
}

#[test]
fn an_allgather_is_right_on_both_sides_of_its_limit_and_in_place() {
    for &size in SIZES {
        for length in around(allgather::ROUNDS_MAX_BYTES / size as usize) {
            for in_place in [false, true] {
                rehearse(
                    size,
                    |rank| {
                        let own = block(rank, 0, length);
                        let place = |of| match in_place && of == rank {
                            true => own.clone(),
                            false => vec![7; length],
                        };
                        (words(&own), even((0..size).map(place), length))
                    },
                    |steps, (own, blocks)| {
                        allgather::allgather(steps, (!in_place).then_some(own), blocks)
                    },
                    |_, (_, blocks)| {
                        for of in 0..size {
                            assert!(words_in(&blocks.of(of)) == block(of, 0, length));
                        }
                    },
                );
            }
        }
    }
}

#[test]
fn an_alltoall_is_right_on_both_sides_of_its_limit() {
    for &size in SIZES {
        for length in around(alltoall::BRUCK_MAX_BLOCK_BYTES) {
            rehearse(
                size,
                |rank| {
                    let sent = (0..size).map(|to| block(rank, to, length));
                    (even(sent, length), even((0..size).map(|_| vec![7; length]), length))
                },
                |steps, (sent, received)| alltoall::alltoall(steps, sent, received),
                |rank, (_, received)| {
                    for from in 0..size {
                        assert_eq!(words_in(&received.of(from)), block(from, rank, length));
                    }
                },
            );
        }
    }
}

/// Words that one rank has for another.
fn count(from: u32, to: u32) -> usize {
    [0, 3, 1, 7][(from + 2 * to) as usize % 4]
}

#[test]
fn every_pair_of_an_alltoallv_has_a_length_of_its_own() {
    for &size in &[1, 2, 5, 16, 17, 18, 34] {
        rehearse(
            size,
            |rank| {
                let sent = (0..size).map(|to| words(&block(rank, to, count(rank, to))));
                let places = (0..size).map(|from| words(&vec![7; count(from, rank)]));
                (Blocks::List(sent.collect()), Blocks::List(places.collect()))
            },
            |steps, (sent, received)| {
                alltoall::alltoallv(steps, sent, received);
                Ok(())
            },
            |rank, (_, received)| {
                for from in 0..size {
                    let expected = block(from, rank, count(from, rank));
                    assert_eq!(words_in(&received.of(from)), expected);
                }
            },
        );
    }
}

#[test]
fn an_alltoall_in_place_changes_places() {
    for &size in SIZES {
        rehearse(
            size,
            |rank| even((0..size).map(|to| block(rank, to, 2)), 2),
            alltoall::in_place,
            |rank, blocks| {
                for from in 0..size {
                    assert_eq!(words_in(&blocks.of(from)), block(from, rank, 2));
                }
            },
        );
    }
}

#[test]
fn a_gather_is_right_on_both_sides_of_its_limit_for_several_roots() {
    for &size in SIZES {
        for root in [0, size / 2, size - 1] {
            for length in around(TREE_MAX_BLOCK_BYTES) {
                for in_place in [false, true] {
                    rehearse(
                        size,
                        |rank| {
                            let own = block(rank, 0, length);
                            let place = |of| match in_place && of == root {
                                true => own.clone(),
                                false => vec![7; length],
                            };
                            let blocks = (rank == root).then(|| even((0..size).map(place), length));
                            (words(&own), blocks)
                        },
                        |steps, (own, blocks)| {
                            let own = (!in_place || steps.rank != root).then_some(own);
                            gather::gather(steps, own, blocks.as_ref(), root)
                        },
                        |_, (_, blocks)| {
                            for of in (0..size).filter(|_| blocks.is_some()) {
                                let found = words_in(&blocks.as_ref().unwrap().of(of));
                                assert!(found == block(of, 0, length), "{of} of {size}");
                            }
                        },
                    );
                }
            }
        }
    }
}

#[test]
fn a_scatter_is_right_on_both_sides_of_its_limit_for_several_roots() {
    for &size in SIZES {
        for root in [0, size / 2, size - 1] {
            for length in around(TREE_MAX_BLOCK_BYTES) {
                for in_place in [false, true] {
                    rehearse(
                        size,
                        |rank| {
                            let blocks = (rank == root)
                                .then(|| even((0..size).map(|to| block(root, to, length)), length));
                            (blocks, words(&vec![7; length]))
                        },
                        |steps, (blocks, own)| {
                            let own = (!in_place || steps.rank != root).then_some(own);
                            scatter::scatter(steps, blocks.as_ref(), own, root)
                        },
                        |rank, (_, own)| {
                            let expected = match in_place && rank == root {
                                true => vec![7; length],
                                false => block(root, rank, length),
                            };
                            assert!(words_in(own) == expected, "{rank} of {size}");
                        },
                    );
                }
            }
        }
    }
}

#[test]
fn blocks_without_words_send_no_message() {
    for &size in SIZES {
        let nothing = || even((0..size).map(|_| Vec::new()), 0);
        let record = |steps: &mut Steps<'_>, (none, blocks): &(Buffer, Blocks)| {
            bcast::bcast(steps, none, 0)?;
            allreduce::allreduce(steps, none, none, CHAIN)?;
            reduce::reduce(steps, none, Some(none), CHAIN, 0)?;
            scan::scan(steps, none, none, CHAIN)?;
            allgather::allgather(steps, Some(none), blocks)?;
            alltoall::alltoall(steps, blocks, blocks)?;
            gather::gather(steps, Some(none), Some(blocks), 0)?;
            scatter::scatter(steps, Some(blocks), Some(none), 0)
        };
        let cost = rehearse(size, |_| (words(&[]), nothing()), record, |_, _| {});
        assert!(cost.iter().all(|cost| cost.messages == 0), "{size}: {cost:?}");
    }
}

#[test]
fn a_group_of_one_sends_no_message() {
    let record = |steps: &mut Steps<'_>, (own, other): &(Buffer, Buffer)| {
        let blocks = |all: &Buffer| Blocks::Even { all: all.clone(), each: 1 };
        crate::barrier(steps)?;
        bcast::bcast(steps, own, 0)?;
        allreduce::allreduce(steps, own, other, CHAIN)?;
        scan::scan(steps, own, other, CHAIN)?;
        allgather::allgather(steps, Some(own), &blocks(other))?;
        alltoall::alltoall(steps, &blocks(own), &blocks(other))?;
        gather::gather(steps, Some(own), Some(&blocks(other)), 0)
    };
    let cost = rehearse(
        1,
        |_| (words(&[contribution(CHAIN, 0)]), words(&[0])),
        record,
        |_, (own, other)| assert_eq!(words_in(own), words_in(other)),
    );
    assert_eq!(cost[0].messages, 0);
}
