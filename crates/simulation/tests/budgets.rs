//! What calls cost at many ranks: the packets between nodes that the busiest rank sends.
//!
//! Every row is the difference between a job that makes the call and one that only starts and ends.

use nemesis_simulation::job::{Setup, run};
use nemesis_simulation::mpi;
use nemesis_simulation::mpi::*;
use std::ptr::null_mut;

type Call = fn();

/// Calls, and the most packets of a rank: at 64 ranks on 64 nodes, and at 256 ranks on 16 nodes.
const BUDGETS: &[(&str, Call, [u64; 2])] = &[
    ("MPI_Comm_split", split, [6, 8]),
    ("MPI_Comm_dup", dup, [6, 4]),
    ("MPI_Win_create", window, [18, 20]),
    ("MPI_Barrier", barrier, [6, 4]),
    ("MPI_Allreduce of 8 bytes", allreduce, [6, 8]),
    ("MPI_Bcast of 8 bytes", bcast, [6, 4]),
    ("MPI_Allgather of 8 bytes", allgather, [6, 4]),
    ("MPI_Alltoall of 8 bytes", alltoall, [6, 4]),
];

fn split() {
    let mut new = MPI_COMM_NULL;
    mpi!(MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &mut new));
}

fn dup() {
    let mut new = MPI_COMM_NULL;
    mpi!(MPI_Comm_dup(MPI_COMM_WORLD, &mut new));
}

fn window() {
    let (mut win, base) = (MPI_WIN_NULL, Box::leak(Box::new([0_u64; 4])).as_mut_ptr().cast());
    mpi!(MPI_Win_create(base, 32, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mut win));
}

fn barrier() {
    mpi!(MPI_Barrier(MPI_COMM_WORLD));
}

fn allreduce() {
    let (own, mut sum) = (1_i64, 0_i64);
    let (out, into) = ((&raw const own).cast(), (&raw mut sum).cast());
    mpi!(MPI_Allreduce(out, into, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
}

fn bcast() {
    let mut word = 5_i64;
    mpi!(MPI_Bcast((&raw mut word).cast(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD));
}

fn size() -> usize {
    let mut size = 0;
    mpi!(MPI_Comm_size(MPI_COMM_WORLD, &mut size));
    size as usize
}

fn allgather() {
    let (own, mut all) = (5_i64, vec![0_i64; size()]);
    let (out, into) = ((&raw const own).cast(), all.as_mut_ptr().cast());
    mpi!(MPI_Allgather(out, 1, MPI_INT64_T, into, 1, MPI_INT64_T, MPI_COMM_WORLD));
    assert!(all.iter().all(|word| *word == 5));
}

fn alltoall() {
    let (own, mut all) = (vec![5_i64; size()], vec![0_i64; size()]);
    let (out, into) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
    mpi!(MPI_Alltoall(out, 1, MPI_INT64_T, into, 1, MPI_INT64_T, MPI_COMM_WORLD));
    assert!(all.iter().all(|word| *word == 5));
}

/// Returns the packets that the busiest rank sends in a job that makes these calls.
fn packets(ranks: u32, hosts: u32, call: Option<Call>) -> u64 {
    let report = run(Setup::new(3, ranks, hosts), move |_| {
        mpi!(MPI_Init(null_mut(), null_mut()));
        if let Some(call) = call {
            call();
        }
        mpi!(MPI_Finalize());
    });
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    report.packets.into_iter().max().unwrap_or(0)
}

#[test]
fn calls_keep_to_their_budgets() {
    let jobs = [(64, 64), (256, 16)];
    let empty = jobs.map(|(ranks, hosts)| packets(ranks, hosts, None));
    let mut over = Vec::new();
    eprintln!("start and end: {empty:?}");
    for (name, call, budgets) in BUDGETS {
        let found = [0, 1].map(|job: usize| {
            let (ranks, hosts) = jobs[job];
            packets(ranks, hosts, Some(*call)).saturating_sub(empty[job])
        });
        eprintln!("{name}: {found:?}");
        if (0..2).any(|job| found[job] > budgets[job]) {
            over.push(format!("{name}: {found:?} packets, {budgets:?} allowed"));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}
