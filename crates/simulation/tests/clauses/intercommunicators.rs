//! Intercommunicators (MPI 5.0 §7.6, §6.2.2).

use crate::vocabulary::*;

/// Makes an intercommunicator of the ranks below `cut` and the others. Returns it, and whether this
/// process is one of the first group.
fn across(me: Me, cut: i32) -> (Comm, bool) {
    let (is_low, mut inter) = (me.rank < cut, MPI_COMM_NULL);
    let local = WORLD.split(i32::from(is_low), 0);
    let remote = if is_low { cut } else { 0 };
    mpi!(MPI_Intercomm_create(local, 0, WORLD, remote, 12, &mut inter));
    local.free();
    (inter, is_low)
}

fn remote_size(inter: Comm) -> i32 {
    let mut size = -77;
    mpi!(MPI_Comm_remote_size(inter, &mut size));
    size
}

#[test]
fn each_side_sees_its_group_and_the_other() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        let mut flag = 0;
        mpi!(MPI_Comm_test_inter(inter, &mut flag));
        let sizes = (inter.size(), remote_size(inter));
        assert_eq!((flag, sizes), (1, if is_low { (2, 3) } else { (3, 2) }));
        assert_eq!(inter.rank(), if is_low { me.rank } else { me.rank - 2 });
        let mut remote = MPI_GROUP_NULL;
        mpi!(MPI_Comm_remote_group(inter, &mut remote));
        let expected = if is_low { vec![2, 3, 4] } else { vec![0, 1] };
        assert_eq!(translated(remote, WORLD.group()), expected);
        inter.free();
    });
}

#[test]
fn ranks_of_messages_are_those_of_the_other_group() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        if is_low {
            for to in 0..3 {
                inter.send(&[me.rank], to, 4);
            }
        } else {
            let mut from: Vec<i32> =
                (0..2).map(|_| inter.recv(MPI_ANY_SOURCE, 4)).map(|got| got.source).collect();
            from.sort();
            assert_eq!(from, [0, 1]);
        }
        inter.free();
    });
}

#[test]
fn the_low_group_comes_first_in_a_merge() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        for (high, expected) in [(!is_low, vec![0, 1, 2, 3, 4]), (is_low, vec![2, 3, 4, 0, 1])] {
            let mut all = MPI_COMM_NULL;
            mpi!(MPI_Intercomm_merge(inter, i32::from(high), &mut all));
            assert_eq!(all.allgather(me.rank), expected);
            all.free();
        }
        let (mut all, mut low) = (MPI_COMM_NULL, 0);
        mpi!(MPI_Intercomm_merge(inter, 0, &mut all));
        let ranks = all.allgather(me.rank);
        mpi!(MPI_Comm_rank(all, &mut low));
        assert_eq!(ranks[low as usize], me.rank, "one group is first as a whole");
        assert!(ranks == [0, 1, 2, 3, 4] || ranks == [2, 3, 4, 0, 1]);
        all.free();
        inter.free();
    });
}

#[test]
fn a_broadcast_goes_from_one_root_to_the_other_group() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        let (mut words, place) = ([me.rank + 100; 3], [7; 3]);
        let root = match me.rank {
            1 => MPI_ROOT,
            0 => MPI_PROC_NULL,
            _ => 1,
        };
        if me.rank == 0 {
            words = place;
        }
        inter.bcast(&mut words, root);
        let expected = if me.rank == 0 { place } else { [101; 3] };
        assert_eq!((words, is_low), (expected, me.rank < 2));
        inter.free();
    });
}

#[test]
fn each_group_gets_the_sum_of_the_other() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        let sum = inter.allreduce(&[me.rank, 1], MPI_SUM);
        assert_eq!(sum, if is_low { [2 + 3 + 4, 3] } else { [1, 2] });
        inter.free();
    });
}

#[test]
fn allgather_gives_the_words_of_the_other_group() {
    on(5, |me| {
        let (inter, is_low) = across(me, 2);
        let (own, mut all) = ([me.rank * 2], [-1; 4]);
        let place = into(&mut all);
        mpi!(MPI_Allgather(of(&own), 1, MPI_INT, place, 1, MPI_INT, inter));
        assert_eq!(all, if is_low { [4, 6, 8, -1] } else { [0, 2, -1, -1] });
        inter.free();
    });
}

#[test]
fn a_gather_fills_the_root_alone() {
    on(4, |me| {
        let (inter, _) = across(me, 1);
        let (own, mut all) = ([me.rank; 2], [-1; 6]);
        let root = if me.rank == 0 { MPI_ROOT } else { 0 };
        let place = into(&mut all);
        mpi!(MPI_Gather(of(&own), 2, MPI_INT, place, 2, MPI_INT, root, inter));
        assert_eq!(all, if me.rank == 0 { [1, 1, 2, 2, 3, 3] } else { [-1; 6] });
        inter.free();
    });
}

#[test]
fn blocks_of_a_reduce_scatter_come_from_the_other_group() {
    on(4, |me| {
        let (inter, is_low) = across(me, 2);
        let (own, mut part) = ([me.rank, 10 * me.rank], [-1]);
        let (place, sum) = (into(&mut part), MPI_SUM);
        mpi!(MPI_Reduce_scatter_block(of(&own), place, 1, MPI_INT, sum, inter));
        let others = if is_low { 2 + 3 } else { 1 };
        assert_eq!(part[0], others * if me.rank % 2 == 0 { 1 } else { 10 });
        inter.free();
    });
}

#[test]
fn what_needs_one_group_is_an_error_between_two() {
    on(2, |me| {
        let (inter, _) = across(me, 1);
        mpi!(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
        let (own, mut other) = ([1], [0]);
        let place = into(&mut other);
        mpi_fails!(MPI_ERR_COMM, MPI_Scan(of(&own), place, 1, MPI_INT, MPI_SUM, inter));
        mpi_fails!(MPI_ERR_COMM, MPI_Intercomm_merge(WORLD, 0, &mut { MPI_COMM_NULL }));
        mpi_fails!(MPI_ERR_COMM, MPI_Comm_remote_size(WORLD, &mut { 0 }));
        inter.free();
    });
}

#[test]
fn a_split_of_an_intercommunicator_pairs_the_colors() {
    on(6, |me| {
        let (inter, is_low) = across(me, 3);
        let part = inter.split(if me.rank == 2 { 5 } else { me.rank % 2 }, -me.rank);
        if me.rank == 2 {
            assert_eq!(part, MPI_COMM_NULL, "the other group has no such color");
        } else {
            let (sizes, odd) = ((part.size(), remote_size(part)), me.rank % 2 == 1);
            let expected = match (is_low, odd) {
                (true, true) => (1, 2),
                (false, true) => (2, 1),
                (_, false) => (1, 1),
            };
            assert_eq!(sizes, expected);
            if odd {
                assert_eq!(part.allreduce(&[me.rank], MPI_MAX), [if is_low { 5 } else { 1 }]);
            }
            part.free();
        }
        inter.free();
    });
}
