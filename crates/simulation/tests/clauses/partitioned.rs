//! Partitioned communication (MPI 5.0 §4).

use crate::vocabulary::*;

fn sends(words: &[i32], partitions: i32, to: i32, tag: i32) -> Request {
    let (mut request, each) = (MPI_REQUEST_NULL, words.len() as i64 / i64::from(partitions));
    let (place, info) = (of(words), MPI_INFO_NULL);
    mpi!(MPI_Psend_init(place, partitions, each, MPI_INT, to, tag, WORLD, info, &mut request));
    request
}

fn receives(words: &mut [i32], partitions: i32, from: i32, tag: i32) -> Request {
    let (mut request, each) = (MPI_REQUEST_NULL, words.len() as i64 / i64::from(partitions));
    let (place, info) = (into(words), MPI_INFO_NULL);
    mpi!(MPI_Precv_init(place, partitions, each, MPI_INT, from, tag, WORLD, info, &mut request));
    request
}

fn ready(partition: i32, request: Request) {
    mpi!(MPI_Pready(partition, request));
}

fn has_arrived(request: Request, partition: i32) -> bool {
    let mut flag = 7;
    mpi!(MPI_Parrived(request, partition, &mut flag));
    flag != 0
}

#[test]
fn partitions_arrive_in_the_order_in_which_they_are_ready() {
    on(2, |me| {
        let mut words = [1, 2, 3, 4];
        if me.rank == 0 {
            let mut request = sends(&words, 4, 1, 5);
            start(&mut request);
            ready(2, request);
            WORLD.recv(1, 6);
            [3, 0, 1].into_iter().for_each(|partition| ready(partition, request));
            wait(&mut request);
            free(&mut request);
        } else {
            words = [0; 4];
            let mut request = receives(&mut words, 4, 0, 5);
            start(&mut request);
            until(|| has_arrived(request, 2));
            assert_eq!(words[2], 3);
            assert!(!has_arrived(request, 0) && !has_arrived(request, 3));
            WORLD.send(&[], 0, 6);
            let status = wait(&mut request);
            assert_eq!((words, status.source, status.tag), ([1, 2, 3, 4], 0, 5));
            free(&mut request);
        }
    });
}

#[test]
fn both_sides_may_cut_a_message_differently() {
    on(2, |me| {
        for (sent, received) in [(2, 3), (3, 2), (6, 1), (1, 6), (4, 12)] {
            let all: Vec<i32> = (0..12).collect();
            let mut words = [-1; 12];
            if me.rank == 0 {
                let mut request = sends(&all, sent, 1, 5);
                start(&mut request);
                (0..sent).rev().for_each(|partition| ready(partition, request));
                wait(&mut request);
                free(&mut request);
            } else {
                let mut request = receives(&mut words, received, 0, 5);
                start(&mut request);
                until(|| (0..received).all(|partition| has_arrived(request, partition)));
                assert_eq!(words.to_vec(), all, "{sent} {received}");
                wait(&mut request);
                free(&mut request);
            }
        }
    });
}

#[test]
fn a_received_partition_waits_for_every_sent_one_that_it_spans() {
    on(2, |me| {
        let mut words = [7; 6];
        if me.rank == 0 {
            let mut request = sends(&words, 3, 1, 5);
            start(&mut request);
            ready(0, request);
            WORLD.send(&[], 1, 7);
            WORLD.recv(1, 6);
            ready(1, request);
            ready(2, request);
            wait(&mut request);
            free(&mut request);
        } else {
            words = [0; 6];
            let mut request = receives(&mut words, 2, 0, 5);
            start(&mut request);
            until(|| WORLD.iprobe(0, 7).is_some());
            assert!(!has_arrived(request, 0), "its third word is of the second partition");
            WORLD.send(&[], 0, 6);
            until(|| has_arrived(request, 0));
            assert_eq!(words[..3], [7; 3]);
            wait(&mut request);
            free(&mut request);
        }
    });
}

#[test]
fn a_range_and_a_list_of_partitions_become_ready() {
    on(2, |me| {
        let mut words = [5; 8];
        if me.rank == 0 {
            let mut request = sends(&words, 8, 1, 5);
            start(&mut request);
            mpi!(MPI_Pready_range(2, 4, request));
            mpi!(MPI_Pready_list(5, [7, 0, 5, 1, 6].as_ptr(), request));
            wait(&mut request);
            free(&mut request);
        } else {
            words = [0; 8];
            let mut request = receives(&mut words, 8, 0, 5);
            start(&mut request);
            wait(&mut request);
            assert_eq!(words, [5; 8]);
            free(&mut request);
        }
    });
}

#[test]
fn a_partitioned_pair_is_matched_once_and_started_often() {
    on(2, |me| {
        let mut words = [0; 4];
        let mut request = match me.rank {
            0 => sends(&words, 2, 1, 5),
            _ => receives(&mut words, 2, 0, 5),
        };
        for turn in 1..5 {
            if me.rank == 0 {
                words = [turn; 4];
            }
            start(&mut request);
            if me.rank == 0 {
                mpi!(MPI_Pready_range(0, 1, request));
            }
            wait(&mut request);
            assert_eq!(words, [turn; 4]);
            assert!(me.rank == 0 || has_arrived(request, 1), "an inactive request has all");
        }
        free(&mut request);
    });
}

#[test]
fn partitioned_and_ordinary_messages_do_not_match_each_other() {
    on(2, |me| {
        let mut words = [1; 2];
        if me.rank == 0 {
            let mut request = sends(&words, 2, 1, 5);
            start(&mut request);
            mpi!(MPI_Pready_range(0, 1, request));
            WORLD.send(&[9], 1, 5);
            wait(&mut request);
            free(&mut request);
        } else {
            words = [0; 2];
            assert_eq!(WORLD.recv(MPI_ANY_SOURCE, MPI_ANY_TAG).words, [9]);
            let mut request = receives(&mut words, 1, 0, 5);
            start(&mut request);
            wait(&mut request);
            assert_eq!(words, [1; 2]);
            free(&mut request);
        }
    });
}

#[test]
fn pairs_of_one_tag_match_in_the_order_in_which_they_were_made() {
    on(2, |me| {
        let (mut one, mut two) = ([1], [2]);
        if me.rank == 0 {
            let mut list = [sends(&one, 1, 1, 5), sends(&two, 1, 1, 5)];
            for request in list.iter_mut().rev() {
                start(request);
                ready(0, *request);
            }
            wait_all(&mut list);
            list.iter_mut().for_each(free);
        } else {
            let mut list = [receives(&mut one, 1, 0, 5), receives(&mut two, 1, 0, 5)];
            list.iter_mut().for_each(start);
            wait_all(&mut list);
            assert_eq!((one, two), ([1], [2]));
            list.iter_mut().for_each(free);
        }
    });
}

#[test]
fn partitions_that_cannot_be_ready_are_errors() {
    on(2, |me| {
        let mut words = [1; 2];
        if me.rank == 0 {
            let mut request = sends(&words, 2, 1, 5);
            mpi_fails!(MPI_ERR_REQUEST, MPI_Pready(0, request));
            start(&mut request);
            mpi_fails!(MPI_ERR_ARG, MPI_Pready(2, request));
            mpi_fails!(MPI_ERR_ARG, MPI_Pready(-1, request));
            ready(1, request);
            mpi_fails!(MPI_ERR_ARG, MPI_Pready(1, request));
            ready(0, request);
            wait(&mut request);
            free(&mut request);
        } else {
            let mut request = receives(&mut words, 2, 0, 5);
            start(&mut request);
            mpi_fails!(MPI_ERR_ARG, MPI_Parrived(request, 2, &mut { 0 }));
            mpi_fails!(MPI_ERR_REQUEST, MPI_Pready(0, request));
            wait(&mut request);
            free(&mut request);
        }
    });
}

#[test]
fn partitions_to_no_process_are_ready_for_nobody() {
    on(1, |_| {
        let mut words = [3; 2];
        let mut list =
            [sends(&[1; 2], 2, MPI_PROC_NULL, 5), receives(&mut words, 2, MPI_PROC_NULL, 5)];
        list.iter_mut().for_each(start);
        mpi!(MPI_Pready_range(0, 1, list[0]));
        let statuses = wait_all(&mut list);
        assert_eq!((statuses[1].source, words), (MPI_PROC_NULL, [3; 2]));
        list.iter_mut().for_each(free);
    });
}
