//! Jobs whose results are known: the simulation itself works, and is repeatable.

use nemesis_simulation::job::{Failure, Loss, Report, Setup, meet, run};
use nemesis_simulation::mpi;
use nemesis_simulation::mpi::*;
use std::cell::RefCell;
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

/// A partitioned message in each direction, in rounds: the second one lets a loss meet partitions
/// that are posted already.
fn partitions(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    mpi!(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    let (comm, other, info) = (MPI_COMM_WORLD, 1 - rank as i32, MPI_INFO_NULL);
    let (out, mut into) = ([7_i32; 4000], [0_i32; 4000]);
    let [mut sending, mut receiving] = [MPI_REQUEST_NULL; 2];
    let (from, to) = (out.as_ptr().cast(), into.as_mut_ptr().cast());
    mpi!(MPI_Psend_init(from, 4, 1000, MPI_INT, other, 7, comm, info, &mut sending));
    mpi!(MPI_Precv_init(to, 2, 2000, MPI_INT, other, 7, comm, info, &mut receiving));
    for _ in 0..2 {
        into.fill(0);
        mpi!(MPI_Start(&mut receiving));
        mpi!(MPI_Start(&mut sending));
        (0..4).for_each(|partition| mpi!(MPI_Pready(partition, sending)));
        mpi!(MPI_Wait(&mut receiving, null_mut()));
        assert!(into.iter().all(|word| *word == 7), "all partitions have arrived");
        mpi!(MPI_Wait(&mut sending, null_mut()));
    }
    mpi!(MPI_Request_free(&mut sending));
    mpi!(MPI_Request_free(&mut receiving));
    mpi!(MPI_Finalize());
}

/// Whenever the cable is cut, the job ends well or with an error that tells of the loss.
#[test]
fn no_partition_that_is_lost_counts_as_arrived() {
    let turns = well(Setup::new(5, 2, 2), partitions).turns;
    let mut told = 0;
    for turn in 1..turns {
        let loss = Loss::Cable(0, 1);
        let report = run(Setup { loss: Some((loss, turn)), ..Setup::new(5, 2, 2) }, partitions);
        let is_right = report.failure.as_ref().is_none_or(|failure| failure.tells_of(loss));
        assert!(is_right, "the cable is cut after {turn} turns: {report:#?}");
        told += u64::from(report.failure.is_some());
    }
    assert!(told > turns / 2, "{told} of {turns} runs tell of the loss");
}

/// Rank 0 sends to rank 1, which does not receive, and receives from rank 2.
fn sends_to_nobody(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    mpi!(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    let (out, mut word) = (vec![7_i32; 300_000], 0_i32);
    let (from, to, comm) = (out.as_ptr().cast(), (&raw mut word).cast(), MPI_COMM_WORLD);
    if rank == 0 {
        let (mut request, int) = (MPI_REQUEST_NULL, MPI_INT);
        mpi!(MPI_Isendrecv(from, 300_000, int, 1, 3, to, 1, int, 2, 3, comm, &mut request));
        mpi!(MPI_Wait(&mut request, null_mut()));
        panic!("a long message is not complete before somebody receives it");
    }
    if rank == 2 {
        mpi!(MPI_Send(from, 1, MPI_INT, 0, 3, comm));
    }
    mpi!(MPI_Recv(to, 1, MPI_INT, 3 - rank as i32, 4, comm, null_mut()));
}

#[test]
fn the_send_of_an_exchange_tells_of_its_loss() {
    let turns = run(Setup::new(6, 3, 3), sends_to_nobody).turns;
    let (mut told, mut tried) = (0, 0);
    for turn in (1..turns).step_by(turns as usize / 30) {
        let loss = Loss::Cable(0, 1);
        let report =
            run(Setup { loss: Some((loss, turn)), ..Setup::new(6, 3, 3) }, sends_to_nobody);
        let failure = report.failure.as_ref().expect("nobody receives");
        assert!(failure.tells_of(loss), "the cable is cut after {turn} turns: {report:#?}");
        told += u32::from(matches!(failure, Failure::Error(0, ..)));
        tried += 1;
    }
    assert!(told > tried / 2, "{told} of {tried} runs tell rank 0");
}

/// Rank 0 sends to rank 1, and waits for rank 2, which waits for rank 1, which waits for rank 0.
/// Ranks 0 and 1 have exchanged nothing before, so nobody but the sender learns of the loss of the
/// cable between them.
fn sends_by_a_lost_cable(rank: u32, copies_first: bool) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    mpi!(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    let (mut copies, mut word, comm) = (vec![0_u8; 10_000], 7_i32, MPI_COMM_WORLD);
    let place = (&raw mut word).cast();
    mpi!(MPI_Buffer_attach(copies.as_mut_ptr().cast(), 10_000));
    if rank == 0 && copies_first {
        mpi!(MPI_Bsend(place, 1, MPI_INT, 1, 3, comm));
    } else if rank == 0 {
        mpi!(MPI_Send(place, 1, MPI_INT, 1, 3, comm));
    }
    let from = [2, 0, 1][rank as usize];
    mpi!(MPI_Recv(place, 1, MPI_INT, from, 3, comm, null_mut()));
    unreachable!("the first message of the chain is lost");
}

#[test]
fn a_send_fails_that_finds_its_receiver_lost() {
    for seed in 1..20 {
        let setup = Setup { loss: Some((Loss::Cable(0, 1), 1)), ..Setup::new(seed, 3, 3) };
        let report = run(setup.clone(), |rank| sends_by_a_lost_cable(rank, false));
        let Some(Failure::Error(0, class, why)) = &report.failure else { panic!("{report:#?}") };
        assert_eq!(*class, MPI_ERR_PROC_ABORTED.value(), "{report:#?}");
        assert!(why.starts_with("MPI_Send:") && why.contains("process 1 of the job"), "{why}");
        // A buffered send is complete before the loss is known.
        let report = run(setup, |rank| sends_by_a_lost_cable(rank, true));
        assert_eq!(report.failure, Some(Failure::Standstill), "seed {seed}: {report:#?}");
    }
}

/// Rank 0 puts and accumulates into the memory of rank 1, on another node, which takes part in the
/// synchronisation only.
fn accesses(rank: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    let (mut memory, mut win) = (Box::new([0_i64; 4]), MPI_WIN_NULL);
    let info = MPI_INFO_NULL;
    mpi!(MPI_Win_create(memory.as_mut_ptr().cast(), 32, 8, info, MPI_COMM_WORLD, &mut win));
    mpi!(MPI_Barrier(MPI_COMM_WORLD));
    meet();
    if rank == 0 {
        let (own, mut old) = ([7_i64, 8], 0_i64);
        mpi!(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win));
        mpi!(MPI_Put(own.as_ptr().cast(), 2, MPI_INT64_T, 1, 1, 2, MPI_INT64_T, win));
        mpi!(MPI_Win_flush(1, win));
        let place = (&raw mut old).cast();
        mpi!(MPI_Get(place, 1, MPI_INT64_T, 1, 2, 1, MPI_INT64_T, win));
        mpi!(MPI_Win_unlock(1, win));
        assert_eq!(old, 8);
    } else {
        mpi!(MPI_Barrier(MPI_COMM_SELF));
    }
    mpi!(MPI_Barrier(MPI_COMM_WORLD));
    assert!(rank == 0 || memory[..] == [0, 7, 8, 0]);
    let traffic = meet();
    if rank == 1 {
        ACCESSES.with(|all| all.borrow_mut().push(traffic.packets));
    }
    mpi!(MPI_Win_free(&mut win));
    mpi!(MPI_Finalize());
}

thread_local! {
    /// What rank 1 has sent in each run of `accesses`.
    static ACCESSES: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

#[test]
fn a_network_that_reaches_memory_needs_no_packets_of_the_target() {
    for reaches_memory in [false, true] {
        well(Setup { reaches_memory, ..Setup::new(9, 2, 2) }, accesses);
    }
    let sent = ACCESSES.with(|all| all.borrow().clone());
    assert!(sent.len() == 2 && sent[1] < sent[0], "packets of the target: {sent:?}");
}
