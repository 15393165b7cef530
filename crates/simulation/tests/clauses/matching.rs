//! Which message a receive or a probe takes (MPI 5.0 §3.5, §3.8).

use crate::vocabulary::*;

#[test]
fn messages_of_one_tag_do_not_overtake_whatever_their_mode() {
    on(2, |me| {
        if me.rank == 0 {
            let long = vec![2; 4000];
            let mut requests = [WORLD.isend(&[1], 1, 5), WORLD.isend(&long, 1, 5)];
            WORLD.send(&[3], 1, 5);
            let mut last = WORLD.issend(&[4], 1, 5);
            wait_all(&mut requests);
            wait(&mut last);
        } else {
            let firsts: Vec<i32> = (0..4).map(|_| WORLD.recv(0, 5).words[0]).collect();
            assert_eq!(firsts, [1, 2, 3, 4]);
        }
    });
}

#[test]
fn a_message_goes_to_the_first_receive_posted_that_fits_it() {
    on(2, |me| {
        let mut places = [[0], [0], [0]];
        let [one, two, three] = &mut places;
        if me.rank == 1 {
            let mut requests = [
                WORLD.irecv(one, 0, 8),
                WORLD.irecv(two, MPI_ANY_SOURCE, MPI_ANY_TAG),
                WORLD.irecv(three, 0, 7),
            ];
            WORLD.barrier();
            let tags: Vec<i32> = wait_all(&mut requests).iter().map(|s| s.tag).collect();
            assert_eq!((tags, places), (vec![8, 7, 7], [[82], [70], [71]]));
        } else {
            WORLD.barrier();
            WORLD.send(&[70], 1, 7);
            WORLD.send(&[71], 1, 7);
            WORLD.send(&[82], 1, 8);
        }
    });
}

#[test]
fn a_receive_from_anyone_takes_the_earliest_unexpected_message_of_its_tag() {
    on(2, |me| {
        if me.rank == 0 {
            for (word, tag) in [(1, 3), (2, 4), (3, 3)] {
                WORLD.send(&[word], 1, tag);
            }
            WORLD.barrier();
        } else {
            WORLD.barrier();
            assert_eq!(WORLD.word(MPI_ANY_SOURCE, 4), 2);
            assert_eq!(WORLD.recv(MPI_ANY_SOURCE, MPI_ANY_TAG).words, [1]);
            let last = WORLD.recv(MPI_ANY_SOURCE, MPI_ANY_TAG);
            assert_eq!(last, Got { words: vec![3], source: 0, tag: 3 });
        }
    });
}

#[test]
fn a_receive_from_anyone_keeps_the_order_of_each_sender() {
    on(4, |me| {
        if me.rank > 0 {
            (0..10).for_each(|turn| WORLD.send(&[turn], 0, turn % 2));
        } else {
            let mut next = [0; 4];
            for _ in 0..30 {
                let got = WORLD.recv(MPI_ANY_SOURCE, MPI_ANY_TAG);
                let expected = &mut next[got.source as usize];
                assert_eq!((got.words[0], got.tag), (*expected, *expected % 2));
                *expected += 1;
            }
        }
    });
}

#[test]
fn tags_may_be_taken_in_another_order_than_they_were_sent() {
    on(2, |me| {
        if me.rank == 0 {
            let words: Vec<[i32; 1]> = (0..20).map(|tag| [tag]).collect();
            let mut requests: Vec<Request> =
                words.iter().map(|word| WORLD.isend(word, 1, word[0])).collect();
            wait_all(&mut requests);
        } else {
            (0..20).rev().for_each(|tag| assert_eq!(WORLD.word(0, tag), tag));
        }
    });
}

#[test]
fn a_probed_message_stays_until_a_receive_names_what_the_probe_found() {
    on(3, |me| {
        if me.rank > 0 {
            WORLD.send(&vec![me.rank; 3 * me.rank as usize], 0, 10 + me.rank);
        } else {
            let found = WORLD.probe(MPI_ANY_SOURCE, MPI_ANY_TAG);
            let other = WORLD.recv(3 - found.source, MPI_ANY_TAG);
            assert_eq!(other.words, vec![other.source; 3 * other.source as usize]);
            assert_eq!(count_of(&found), 3 * found.source);
            let got = WORLD.recv(found.source, found.tag);
            assert_eq!((got.source, got.tag), (found.source, 10 + found.source));
            assert!(WORLD.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG).is_none());
        }
    });
}

#[test]
fn a_matched_message_is_out_of_reach_of_other_receives() {
    on(2, |me| {
        if me.rank == 0 {
            WORLD.send(&[1, 1], 1, 5);
            WORLD.send(&[2], 1, 5);
        } else {
            let (mut message, mut words, mut status) = (WORLD.mprobe(0, 5), [0; 4], unset());
            assert_eq!(WORLD.word(0, MPI_ANY_TAG), 2);
            mpi!(MPI_Mrecv(into(&mut words), 4, MPI_INT, &mut message, &mut status));
            assert_eq!((message, words), (MPI_MESSAGE_NULL, [1, 1, 0, 0]));
            assert_eq!((status.source, status.tag, count_of(&status)), (0, 5, 2));
        }
    });
}

#[test]
fn matched_messages_may_be_received_in_any_order() {
    on(2, |me| {
        if me.rank == 0 {
            (1..4).for_each(|word| WORLD.send(&vec![word; 3000], 1, 5));
        } else {
            let messages = [0; 3].map(|_| WORLD.mprobe(0, 5));
            for turn in [2, 0, 1] {
                let (mut message, mut words) = (messages[turn], vec![0; 3000]);
                let (mut request, place) = (MPI_REQUEST_NULL, into(&mut words));
                mpi!(MPI_Imrecv(place, 3000, MPI_INT, &mut message, &mut request));
                assert_eq!(count_of(&wait(&mut request)), 3000);
                assert_eq!(words, vec![turn as i32 + 1; 3000]);
            }
        }
    });
}

#[test]
fn a_matched_probe_that_finds_nothing_leaves_the_null_message() {
    on(2, |_| {
        let (mut flag, mut message) = (7, MPI_MESSAGE_NO_PROC);
        mpi!(MPI_Improbe(MPI_ANY_SOURCE, 5, WORLD, &mut flag, &mut message, null_mut()));
        assert_eq!(flag, 0);
        WORLD.barrier();
    });
}

#[test]
fn a_probe_of_no_process_gives_a_message_of_no_process() {
    on(1, |_| {
        let (mut message, mut status) = (MPI_MESSAGE_NULL, unset());
        mpi!(MPI_Mprobe(MPI_PROC_NULL, 5, WORLD, &mut message, &mut status));
        assert_eq!(message, MPI_MESSAGE_NO_PROC);
        assert_eq!((status.source, status.tag), (MPI_PROC_NULL, MPI_ANY_TAG));
        mpi!(MPI_Mrecv(null_mut(), 0, MPI_INT, &mut message, &mut status));
        assert_eq!((message, count_of(&status)), (MPI_MESSAGE_NULL, 0));
        assert_eq!(WORLD.probe(MPI_PROC_NULL, 3).source, MPI_PROC_NULL);
    });
}

#[test]
fn no_process_takes_everything_and_sends_nothing() {
    on(2, |_| {
        let (mut words, mut status) = ([7; 2], unset());
        WORLD.send(&[1], MPI_PROC_NULL, 3);
        let mut requests = [
            WORLD.issend(&[1], MPI_PROC_NULL, 3),
            WORLD.irecv(&mut words, MPI_PROC_NULL, MPI_ANY_TAG),
        ];
        let statuses = wait_all(&mut requests);
        assert_eq!((statuses[1].source, statuses[1].tag), (MPI_PROC_NULL, MPI_ANY_TAG));
        assert_eq!((count_of(&statuses[1]), words), (0, [7; 2]));
        let place = into(&mut words);
        mpi!(MPI_Sendrecv_replace(
            place,
            2,
            MPI_INT,
            MPI_PROC_NULL,
            1,
            MPI_PROC_NULL,
            2,
            WORLD,
            &mut status
        ));
        assert_eq!((status.source, words), (MPI_PROC_NULL, [7; 2]));
    });
}

#[test]
fn a_message_longer_than_its_place_is_an_error_that_writes_no_further() {
    on(2, |me| {
        for count in [2, 4000] {
            if me.rank == 0 {
                WORLD.send(&vec![6; count], 1, 5);
                WORLD.send(&[9], 1, 5);
            } else {
                let (mut words, mut status) = ([0; 4], unset());
                let (place, all) = (into(&mut words), MPI_ERR_TRUNCATE);
                mpi_fails!(all, MPI_Recv(place, 1, MPI_INT, 0, 5, WORLD, &mut status));
                assert_eq!((words[1..].to_vec(), status.source, status.tag), (vec![0; 3], 0, 5));
                assert_eq!(WORLD.word(0, 5), 9, "the message is gone");
            }
        }
    });
}

#[test]
fn a_message_may_be_shorter_than_its_place_and_empty() {
    on(2, |me| {
        let mut words = [7; 4];
        if me.rank == 0 {
            WORLD.send(&[1, 2], 1, 5);
            WORLD.send(&[], 1, 5);
        } else {
            let status = wait(&mut WORLD.irecv(&mut words, 0, 5));
            assert_eq!((count_of(&status), words), (2, [1, 2, 7, 7]));
            assert_eq!(count_of(&WORLD.probe(0, 5)), 0);
            assert_eq!(WORLD.recv(0, 5).words, []);
        }
    });
}

#[test]
fn an_element_that_is_not_whole_has_no_count() {
    on(2, |me| {
        if me.rank == 0 {
            mpi!(MPI_Send(of(&[1, 2]), 6, MPI_BYTE, 1, 5, WORLD));
        } else {
            let status = WORLD.probe(0, 5);
            let (mut pair, mut elements) = (MPI_DATATYPE_NULL, -1);
            mpi!(MPI_Type_contiguous(2, MPI_SHORT, &mut pair));
            mpi!(MPI_Type_commit(&mut pair));
            let mut count = -1;
            mpi!(MPI_Get_count(&status, pair, &mut count));
            mpi!(MPI_Get_elements(&status, pair, &mut elements));
            assert_eq!((count, elements), (MPI_UNDEFINED, 3));
            mpi!(MPI_Type_free(&mut pair));
            let mut bytes = [0; 2];
            mpi!(MPI_Recv(into(&mut bytes), 6, MPI_BYTE, 0, 5, WORLD, null_mut()));
        }
    });
}

#[test]
fn a_duplicate_keeps_its_messages_apart() {
    on(2, |me| {
        let twin = WORLD.dup();
        assert_eq!(compared(WORLD, twin), MPI_CONGRUENT);
        if me.rank == 0 {
            WORLD.send(&[1], 1, 5);
            twin.send(&[2], 1, 5);
        } else {
            assert_eq!(twin.word(MPI_ANY_SOURCE, MPI_ANY_TAG), 2);
            assert!(twin.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG).is_none());
            assert_eq!(WORLD.word(MPI_ANY_SOURCE, MPI_ANY_TAG), 1);
        }
        twin.free();
    });
}

#[test]
fn a_receive_from_anyone_sees_no_message_of_a_collective() {
    on(3, |me| {
        let mut never = [0];
        let mut request = WORLD.irecv(&mut never, MPI_ANY_SOURCE, MPI_ANY_TAG);
        assert_eq!(WORLD.allgather(me.rank), [0, 1, 2]);
        WORLD.barrier();
        assert!(WORLD.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG).is_none());
        mpi!(MPI_Cancel(&mut request));
        assert!(is_cancelled(&wait(&mut request)));
    });
}

#[test]
fn a_process_sends_to_itself_like_to_another() {
    on(2, |me| {
        let (mut place, out) = ([0; 2], [me.rank, 8]);
        let mut synchronous = WORLD.issend(&out, me.rank, 4);
        assert!(test(&mut synchronous).is_none(), "nothing has begun to receive it");
        assert_eq!(WORLD.probe(MPI_ANY_SOURCE, 4).source, me.rank);
        let mut request = WORLD.irecv(&mut place, me.rank, MPI_ANY_TAG);
        wait(&mut synchronous);
        assert_eq!((wait(&mut request).source, place), (me.rank, out));
    });
}

#[test]
fn sendrecv_replaces_around_a_ring_without_deadlock() {
    on(4, |me| {
        for count in [1, 3000] {
            let (mut words, mut status) = (vec![me.rank; count], unset());
            let (right, left) = ((me.rank + 1) % 4, (me.rank + 3) % 4);
            let (place, count) = (into(&mut words), count as i32);
            mpi!(MPI_Sendrecv_replace(
                place,
                count,
                MPI_INT,
                right,
                me.rank,
                left,
                left,
                WORLD,
                &mut status
            ));
            assert!(words.iter().all(|word| *word == left));
            assert_eq!((status.source, status.tag), (left, left));
        }
    });
}

#[test]
fn both_halves_of_a_sendrecv_may_meet_plain_calls() {
    on(2, |me| {
        if me.rank == 0 {
            let (mut got, status) = ([0], null_mut());
            let place = into(&mut got);
            mpi!(MPI_Sendrecv(of(&[4]), 1, MPI_INT, 1, 6, place, 1, MPI_INT, 1, 9, WORLD, status));
            assert_eq!(got, [5]);
        } else {
            WORLD.send(&[5], 0, 9);
            assert_eq!(WORLD.word(0, 6), 4);
        }
    });
}

#[test]
fn a_synchronous_send_ends_only_once_its_receive_has_begun() {
    on(2, |me| {
        if me.rank == 0 {
            let mut request = WORLD.issend(&[1], 1, 5);
            WORLD.barrier();
            assert!(test(&mut request).is_none());
            WORLD.send(&[2], 1, 6);
            wait(&mut request);
        } else {
            WORLD.barrier();
            assert_eq!((WORLD.word(0, 6), WORLD.word(0, 5)), (2, 1));
        }
    });
}

#[test]
fn arguments_that_name_no_rank_or_tag_are_errors() {
    on(2, |me| {
        let mut word = [0];
        let place = into(&mut word);
        mpi_fails!(MPI_ERR_RANK, MPI_Send(place, 1, MPI_INT, me.size, 0, WORLD));
        mpi_fails!(MPI_ERR_RANK, MPI_Send(place, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD));
        mpi_fails!(MPI_ERR_TAG, MPI_Send(place, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD));
        mpi_fails!(MPI_ERR_TAG, MPI_Probe(0, -9, WORLD, null_mut()));
        mpi_fails!(MPI_ERR_COUNT, MPI_Recv(place, -1, MPI_INT, 0, 0, WORLD, null_mut()));
        mpi_fails!(MPI_ERR_TYPE, MPI_Send(place, 1, MPI_DATATYPE_NULL, 0, 0, WORLD));
        mpi_fails!(MPI_ERR_COMM, MPI_Send(place, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
        WORLD.barrier();
    });
}
