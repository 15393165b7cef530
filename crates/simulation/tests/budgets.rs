//! What calls cost at many ranks: the packets and bytes that the busiest rank sends to other nodes,
//! and the rounds, which are the packets in the longest chain.

use nemesis_simulation::job::{Setup, meet, run};
use nemesis_simulation::mpi;
use nemesis_simulation::mpi::*;
use nemesis_simulation::network::{Latency, Traffic};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};

/// What a rank calls with.
struct Own {
    size: usize,
    comm: Comm,
    win: Win,
    memory: Box<[i64; 4]>,
}

type Call = fn(&mut Own);

/// Jobs: ranks and nodes. The last one takes minutes without optimisation, and 5 GB.
const JOBS: [(u32, u32); 4] = [(64, 64), (256, 16), (1024, 1024), (4096, 4096)];

/// Packets, rounds and bytes of the busiest rank.
type Budget = (u64, u64, u64);

/// What a call costs in each job. Where there are fewer budgets, the call is not made in the other
/// jobs: it would take more memory or time than all others together.
struct Row {
    name: &'static str,
    call: Call,
    budgets: &'static [Budget],
}

const fn row(name: &'static str, call: Call, budgets: &'static [Budget]) -> Row {
    Row { name, call, budgets }
}

/// The calls in the order in which they are made, with 8 bytes of each rank for each other one.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("MPI_Init", init, &[(0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]),
    row("MPI_Comm_split", split, &[(6, 6, 1512), (8, 7, 6120), (10, 10, 24552), (12, 13, 98280)]),
    row("MPI_Comm_free", free, &[(0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]),
    row("MPI_Comm_dup", dup, &[(6, 6, 48), (4, 4, 32), (10, 10, 80), (12, 12, 96)]),
    row("MPI_Comm_free", free, &[(0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]),
    row("MPI_Win_create", window, &[(18, 18, 16176), (20, 16, 65312), (30, 32, 261968)]),
    row("MPI_Win_free", free_window, &[(6, 6, 0), (8, 7, 0), (10, 10, 0)]),
    row("MPI_Barrier", barrier, &[(9, 3, 0), (10, 11, 8), (15, 5, 0), (12, 12, 0)]),
    row("MPI_Bcast", bcast, &[(6, 6, 48), (4, 4, 32), (10, 10, 80), (12, 12, 96)]),
    row("MPI_Gather", gather, &[(1, 6, 256), (1, 4, 1024), (1, 10, 4096), (1, 12, 16384)]),
    row("MPI_Scatter", scatter, &[(6, 6, 504), (4, 4, 1920), (10, 10, 8184), (12, 12, 32760)]),
    row("MPI_Allgather", allgather, &[(6, 6, 504), (4, 6, 1920), (10, 10, 8184), (12, 12, 32760)]),
    row("MPI_Alltoall", alltoall, &[(6, 6, 1536), (8, 7, 8192), (10, 10, 40960), (12, 12, 196608)]),
    row("MPI_Reduce", reduce, &[(1, 6, 8), (1, 4, 8), (1, 10, 8), (1, 12, 8)]),
    row("MPI_Allreduce", allreduce, &[(9, 3, 72), (6, 2, 48), (15, 5, 120), (18, 6, 144)]),
    row("MPI_Reduce_scatter_block", reduce_scatter_block, REDUCE_SCATTER),
    row("MPI_Reduce_scatter", reduce_scatter, REDUCE_SCATTER),
    row("MPI_Scan", scan, &[(6, 6, 48), (8, 6, 64), (10, 10, 80), (12, 12, 96)]),
    row("MPI_Finalize", finalize, &[(6, 6, 480), (4, 6, 320), (10, 10, 800), (12, 12, 960)]),
];

/// The budgets of both forms of reduce-scatter.
const REDUCE_SCATTER: &[Budget] = &[(6, 6, 3072), (4, 7, 8192), (11, 11, 8192), (13, 13, 32768)];

fn init(_own: &mut Own) {
    mpi!(MPI_Init(null_mut(), null_mut()));
}

fn finalize(_own: &mut Own) {
    mpi!(MPI_Finalize());
}

fn split(own: &mut Own) {
    mpi!(MPI_Comm_split(MPI_COMM_WORLD, 1, 0, &mut own.comm));
}

fn free(own: &mut Own) {
    mpi!(MPI_Comm_free(&mut own.comm));
}

fn dup(own: &mut Own) {
    mpi!(MPI_Comm_dup(MPI_COMM_WORLD, &mut own.comm));
}

fn window(own: &mut Own) {
    let base = own.memory.as_mut_ptr().cast();
    mpi!(MPI_Win_create(base, 32, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mut own.win));
}

fn free_window(own: &mut Own) {
    mpi!(MPI_Win_free(&mut own.win));
}

fn barrier(_own: &mut Own) {
    mpi!(MPI_Barrier(MPI_COMM_WORLD));
}

fn bcast(_own: &mut Own) {
    let mut word = 5_i64;
    mpi!(MPI_Bcast((&raw mut word).cast(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD));
}

/// Calls with a buffer of one word for each rank and one of a single word.
fn with_words(own: &Own, call: impl FnOnce(*mut c_void, *mut c_void)) {
    let (mut one, mut all) = (5_i64, vec![5_i64; own.size]);
    call((&raw mut one).cast(), all.as_mut_ptr().cast());
}

fn gather(own: &mut Own) {
    with_words(own, |one, all| {
        mpi!(MPI_Gather(one, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, MPI_COMM_WORLD));
    });
}

fn scatter(own: &mut Own) {
    with_words(own, |one, all| {
        mpi!(MPI_Scatter(all, 1, MPI_INT64_T, one, 1, MPI_INT64_T, 0, MPI_COMM_WORLD));
    });
}

fn allgather(own: &mut Own) {
    with_words(own, |one, all| {
        mpi!(MPI_Allgather(one, 1, MPI_INT64_T, all, 1, MPI_INT64_T, MPI_COMM_WORLD));
    });
}

fn alltoall(own: &mut Own) {
    let out = vec![5_i64; own.size];
    with_words(own, |_, all| {
        let out = out.as_ptr().cast();
        mpi!(MPI_Alltoall(out, 1, MPI_INT64_T, all, 1, MPI_INT64_T, MPI_COMM_WORLD));
    });
}

/// Calls with a word and the place of a result.
fn with_result(call: impl FnOnce(*mut c_void, *mut c_void)) {
    let (mut word, mut result) = (1_i64, 0_i64);
    call((&raw mut word).cast(), (&raw mut result).cast());
}

fn reduce(_own: &mut Own) {
    with_result(|word, result| {
        mpi!(MPI_Reduce(word, result, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD));
    });
}

fn allreduce(_own: &mut Own) {
    with_result(|word, result| {
        mpi!(MPI_Allreduce(word, result, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    });
}

fn reduce_scatter_block(own: &mut Own) {
    with_words(own, |one, all| {
        mpi!(MPI_Reduce_scatter_block(all, one, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    });
}

fn reduce_scatter(own: &mut Own) {
    let ones = vec![1_i32; own.size];
    with_words(own, |one, all| {
        mpi!(MPI_Reduce_scatter(all, one, ones.as_ptr(), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    });
}

fn scan(_own: &mut Own) {
    with_result(|word, result| {
        mpi!(MPI_Scan(word, result, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    });
}

/// Returns the largest figures of all ranks in each row of a job.
fn measure(job: usize) -> Vec<Traffic> {
    let figures = Arc::new(Mutex::new(vec![Traffic::default(); ROWS.len()]));
    let (all, (ranks, hosts)) = (figures.clone(), JOBS[job]);
    let latency = Latency { least: 2000, most: 2000 };
    let setup = Setup { latency, lockstep: true, ..Setup::new(3, ranks, hosts) };
    let report = run(setup, move |_| {
        let (comm, win, memory) = (MPI_COMM_NULL, MPI_WIN_NULL, Box::new([0; 4]));
        let mut own = Own { size: ranks as usize, comm, win, memory };
        for (index, row) in ROWS.iter().enumerate().filter(|(_, row)| job < row.budgets.len()) {
            (row.call)(&mut own);
            let found = meet();
            let mut all = all.lock().expect("nobody panics");
            all[index] = all[index].max(found);
        }
    });
    assert!(report.failure.is_none(), "{:#?}", report.failure);
    figures.lock().expect("nobody panics").clone()
}

/// Compares what the calls of a job cost with the budgets.
fn compare(job: usize) {
    let found = measure(job);
    let (mut over, (ranks, hosts)) = (Vec::new(), JOBS[job]);
    eprintln!("{ranks} ranks on {hosts} nodes: packets, rounds, bytes");
    for (row, found) in ROWS.iter().zip(found) {
        let Some(&(packets, rounds, bytes)) = row.budgets.get(job) else { continue };
        eprintln!("{:26} {:6} {:6} {:8}", row.name, found.packets, found.rounds, found.bytes);
        if found.packets > packets || found.rounds > rounds || found.bytes > bytes {
            over.push(format!("{}: {found:?}, {:?} allowed", row.name, row.budgets[job]));
        }
    }
    assert!(over.is_empty(), "{ranks} ranks on {hosts} nodes: {over:#?}");
}

#[test]
fn calls_of_64_ranks_keep_to_their_budgets() {
    compare(0);
}

#[test]
fn calls_of_256_ranks_on_16_nodes_keep_to_their_budgets() {
    compare(1);
}

#[test]
fn calls_of_1024_ranks_keep_to_their_budgets() {
    compare(2);
}

#[test]
#[cfg(not(debug_assertions))]
fn calls_of_4096_ranks_keep_to_their_budgets() {
    compare(3);
}
