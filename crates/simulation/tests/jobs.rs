//! Jobs whose results are known: the simulation itself works, and is repeatable.

use nemesis_simulation::job::{Report, Setup, run};
use nemesis_simulation::mpi;
use nemesis_simulation::mpi::*;
use std::ptr::null_mut;

fn size_of_world() -> i32 {
    let mut size = 0;
    mpi!(MPI_Comm_size(MPI_COMM_WORLD, &mut size));
    size
}

fn sums(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    let (own, mut sum, size) = (rank as i32 + 1, 0, size_of_world());
    for _ in 0..10 {
        mpi!(MPI_Allreduce(
            (&raw const own).cast(),
            (&raw mut sum).cast(),
            1,
            MPI_INT,
            MPI_SUM,
            MPI_COMM_WORLD
        ));
        assert_eq!(sum, size * (size + 1) / 2);
    }
    mpi!(MPI_Finalize());
}

fn well(setup: Setup, program: fn(u32)) -> Report {
    let report = run(setup, program);
    assert!(report.failure.is_none(), "{report:#?}");
    report
}

#[test]
fn ranks_of_several_nodes_meet() {
    for (ranks, hosts) in [(1, 1), (2, 1), (4, 2), (7, 3), (5, 5)] {
        well(Setup::new(7, ranks, hosts), sums);
        well(Setup { dedicated: true, ..Setup::new(8, ranks, hosts) }, sums);
    }
}

#[test]
fn one_seed_gives_one_run() {
    let traces: Vec<u64> =
        [3, 3, 4].into_iter().map(|seed| well(Setup::new(seed, 6, 3), sums).trace).collect();
    assert!(traces[0] == traces[1] && traces[0] != traces[2], "{traces:x?}");
}

fn waits_for_nobody(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    if rank == 0 {
        let mut word = 0;
        let (place, status) = ((&raw mut word).cast(), null_mut());
        mpi!(MPI_Recv(place, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, status));
    }
    mpi!(MPI_Finalize());
}

#[test]
fn a_job_that_hangs_is_found() {
    let report = run(Setup::new(1, 3, 2), waits_for_nobody);
    assert_eq!(
        report.failure.map(|failure| failure.to_string()).as_deref(),
        Some("nobody can go on")
    );
    assert_eq!(report.states, ["MPI_Recv", "MPI_Finalize", "MPI_Finalize"]);
}

fn splits(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    let (mut half, mut size) = (MPI_COMM_NULL, 0);
    mpi!(MPI_Comm_split(MPI_COMM_WORLD, rank as i32 % 2, 0, &mut half));
    mpi!(MPI_Comm_size(half, &mut size));
    assert_eq!(size, size_of_world() / 2);
    mpi!(MPI_Comm_free(&mut half));
    mpi!(MPI_Finalize());
}

#[test]
fn a_job_of_many_ranks_divides() {
    well(Setup::new(8, 128, 16), splits);
}
