//! The limits of the algorithms that send messages, by name, for tools. They cannot be changed:
//! the results of reductions depend on them.

use crate::{allgather, allreduce, alltoall, bcast, gather, reduce, reduce_scatter};

/// The name of each limit, its value, and what it limits.
pub const THRESHOLDS: [(&str, usize, &str); 9] = [
    (
        "NEMESIS_BCAST_TREE_MAX_BYTES",
        bcast::TREE_MAX_BYTES,
        "the longest broadcast that goes down a binomial tree whole; each half of a longer one \
         goes down a tree of its own, in chunks",
    ),
    (
        "NEMESIS_ALLREDUCE_WHOLE_MAX_BYTES",
        allreduce::WHOLE_MAX_BYTES,
        "the longest vector that an allreduce exchanges whole in each round (recursive doubling); \
         longer vectors are divided in each round",
    ),
    (
        "NEMESIS_REDUCE_WHOLE_MAX_BYTES",
        reduce::WHOLE_MAX_BYTES,
        "the longest vector that a reduce passes up a tree whole; longer vectors are divided \
         in each round",
    ),
    (
        "NEMESIS_REDUCE_SCATTER_WHOLE_MAX_BYTES",
        reduce_scatter::WHOLE_MAX_BYTES,
        "the longest vector that every process of a reduce_scatter reduces whole; longer \
         vectors are divided in each round, or their blocks exchanged pairwise",
    ),
    (
        "NEMESIS_TREE_MAX_BLOCK_BYTES",
        gather::TREE_MAX_BLOCK_BYTES,
        "the longest block for which gather and scatter use a binomial tree; with longer blocks \
         the root communicates with every process directly",
    ),
    (
        "NEMESIS_ALLGATHER_ROUNDS_MAX_BYTES",
        allgather::ROUNDS_MAX_BYTES,
        "the longest result of an allgather that always takes log2(n) rounds; short blocks of \
         longer results do between nodes, others pass around a ring of all processes",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MAX_BLOCK_BYTES",
        alltoall::BRUCK_MAX_BLOCK_BYTES,
        "the longest block for which an alltoall forwards blocks through other processes (Bruck's \
         algorithm); longer blocks go to their receivers directly",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MIN_RANKS",
        alltoall::BRUCK_MIN_RANKS as usize,
        "the least number of processes for which an alltoall uses Bruck's algorithm",
    ),
    (
        "NEMESIS_PARTNERS_AT_ONCE",
        alltoall::PARTNERS_AT_ONCE as usize,
        "the number of processes with which a process exchanges blocks at the same time in an \
         alltoall",
    ),
];
