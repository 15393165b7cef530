//! Completion, persistent and generalized requests, cancellation, buffered sends (MPI 5.0 §3.6,
//! §3.7, §3.8.4, §3.9, §13.2).

use crate::vocabulary::*;
use std::ffi::{c_int, c_void};

#[test]
fn waits_for_no_request_give_the_empty_status() {
    on(1, |_| {
        let mut none = [MPI_REQUEST_NULL; 2];
        assert!(is_empty(&wait(&mut none[0])));
        assert!(test(&mut none[0]).is_some_and(|status| is_empty(&status)));
        let (index, status) = wait_any(&mut none);
        assert_eq!((index, is_empty(&status)), (MPI_UNDEFINED, true));
        assert!(wait_all(&mut none).iter().all(is_empty));
        let (mut done, mut indices, mut statuses) = (-77, [-77; 2], [unset(); 2]);
        let (list, places) = (none.as_mut_ptr(), indices.as_mut_ptr());
        mpi!(MPI_Waitsome(2, list, &mut done, places, statuses.as_mut_ptr()));
        assert_eq!((done, indices), (MPI_UNDEFINED, [-77; 2]));
        mpi!(MPI_Testsome(0, list, &mut done, places, statuses.as_mut_ptr()));
        assert_eq!(done, MPI_UNDEFINED);
    });
}

#[test]
fn waitany_skips_null_requests_and_nulls_what_it_completes() {
    on(2, |me| {
        if me.rank == 0 {
            let (mut one, mut two) = ([0], [0]);
            let mut list =
                [MPI_REQUEST_NULL, WORLD.irecv(&mut one, 1, 1), WORLD.irecv(&mut two, 1, 2)];
            WORLD.send(&[], 1, 9);
            let (index, status) = wait_any(&mut list);
            assert_eq!((index, status.tag, two), (2, 2, [22]));
            assert_eq!(list[2], MPI_REQUEST_NULL);
            WORLD.send(&[], 1, 9);
            assert_eq!((wait_any(&mut list).0, one), (1, [11]));
            assert_eq!(wait_any(&mut list).0, MPI_UNDEFINED);
        } else {
            for (word, tag) in [(22, 2), (11, 1)] {
                WORLD.recv(0, 9);
                WORLD.send(&[word], 0, tag);
            }
        }
    });
}

#[test]
fn testany_of_pending_requests_completes_none() {
    on(2, |me| {
        let (mut word, mut flag, mut index) = ([0], 7, -77);
        let mut list = [WORLD.irecv(&mut word, 1 - me.rank, 3)];
        mpi!(MPI_Testany(1, list.as_mut_ptr(), &mut index, &mut flag, null_mut()));
        assert_eq!((index, flag), (MPI_UNDEFINED, 0));
        WORLD.barrier();
        WORLD.send(&[5], 1 - me.rank, 3);
        until(|| {
            mpi!(MPI_Testany(1, list.as_mut_ptr(), &mut index, &mut flag, null_mut()));
            flag != 0
        });
        assert_eq!((index, word, list[0]), (0, [5], MPI_REQUEST_NULL));
        mpi!(MPI_Testany(1, list.as_mut_ptr(), &mut index, &mut flag, null_mut()));
        assert_eq!((index, flag), (MPI_UNDEFINED, 1), "nothing is active");
    });
}

#[test]
fn testall_completes_all_or_none() {
    on(2, |me| {
        let (mut one, mut two, mut flag) = ([0], [0], 7);
        let mut list =
            [WORLD.irecv(&mut one, 1 - me.rank, 1), WORLD.irecv(&mut two, 1 - me.rank, 2)];
        let requests = list;
        WORLD.send(&[1], 1 - me.rank, 1);
        WORLD.barrier();
        mpi!(MPI_Testall(2, list.as_mut_ptr(), &mut flag, null_mut()));
        assert_eq!((flag, list), (0, requests), "no request is changed");
        WORLD.barrier();
        WORLD.send(&[2], 1 - me.rank, 2);
        let mut statuses = [unset(); 2];
        until(|| {
            mpi!(MPI_Testall(2, list.as_mut_ptr(), &mut flag, statuses.as_mut_ptr()));
            flag != 0
        });
        assert_eq!((list, statuses.map(|s| s.tag)), ([MPI_REQUEST_NULL; 2], [1, 2]));
    });
}

#[test]
fn waitsome_completes_what_is_complete_and_no_more() {
    on(2, |me| {
        if me.rank == 0 {
            let mut words = [[0], [0], [0]];
            let mut list: Vec<Request> =
                (1..).zip(&mut words).map(|(tag, word)| WORLD.irecv(word, 1, tag)).collect();
            let (mut done, mut indices, mut statuses) = (0, [-77; 3], [unset(); 3]);
            WORLD.barrier();
            let mut seen = Vec::new();
            while seen.len() < 2 {
                let (places, into) = (indices.as_mut_ptr(), statuses.as_mut_ptr());
                mpi!(MPI_Waitsome(3, list.as_mut_ptr(), &mut done, places, into));
                for at in 0..done as usize {
                    assert_eq!(statuses[at].tag, indices[at] + 1);
                    seen.push(indices[at]);
                }
            }
            seen.sort();
            assert_eq!((seen, list[1] == MPI_REQUEST_NULL), (vec![0, 2], false));
            WORLD.send(&[], 1, 9);
            wait(&mut list[1]);
            assert_eq!(words, [[1], [2], [3]]);
        } else {
            WORLD.send(&[3], 0, 3);
            WORLD.send(&[1], 0, 1);
            WORLD.barrier();
            WORLD.recv(0, 9);
            WORLD.send(&[2], 0, 2);
        }
    });
}

#[test]
fn waitall_says_which_of_its_requests_failed() {
    on(2, |me| {
        if me.rank == 0 {
            let (mut one, mut two, mut statuses) = ([0; 2], [0; 4], [unset(); 2]);
            let (place, count) = (into(&mut one), 1);
            let mut short = MPI_REQUEST_NULL;
            mpi!(MPI_Irecv(place, count, MPI_INT, 1, 1, WORLD, &mut short));
            let mut list = [short, WORLD.irecv(&mut two, 1, 2)];
            let into = statuses.as_mut_ptr();
            mpi_fails!(MPI_ERR_IN_STATUS, MPI_Waitall(2, list.as_mut_ptr(), into));
            assert_eq!(class_of(statuses[0].error), MPI_ERR_TRUNCATE.value());
            let second = statuses[1].error;
            assert!(second == MPI_SUCCESS || class_of(second) == MPI_ERR_PENDING.value());
            if second != MPI_SUCCESS {
                wait(&mut list[1]);
            }
            assert_eq!((list, two), ([MPI_REQUEST_NULL; 2], [2; 4]));
        } else {
            WORLD.send(&[1; 2], 0, 1);
            WORLD.send(&[2; 4], 0, 2);
        }
    });
}

#[test]
fn a_successful_wait_leaves_the_error_field_alone() {
    on(2, |me| {
        let mut word = [0];
        let mut request = WORLD.irecv(&mut word, 1 - me.rank, 1);
        WORLD.send(&[1], 1 - me.rank, 1);
        assert_eq!(wait(&mut request).error, -77, "only calls with several statuses set it");
    });
}

#[test]
fn get_status_looks_at_a_request_without_ending_it() {
    on(2, |me| {
        if me.rank == 0 {
            let (mut word, mut flag, mut status) = ([0], 7, unset());
            let mut request = WORLD.irecv(&mut word, 1, 1);
            mpi!(MPI_Request_get_status(request, &mut flag, &mut status));
            assert_eq!(flag, 0);
            WORLD.barrier();
            until(|| {
                mpi!(MPI_Request_get_status(request, &mut flag, &mut status));
                flag != 0
            });
            assert_eq!((status.source, count_of(&status), word), (1, 1, [4]));
            mpi!(MPI_Request_get_status(request, &mut flag, &mut status));
            assert_eq!((flag, wait(&mut request).tag), (1, 1));
        } else {
            WORLD.barrier();
            WORLD.send(&[4], 0, 1);
        }
    });
}

#[test]
fn a_persistent_request_is_inactive_before_and_between_its_runs() {
    on(2, |me| {
        let (mut word, mut request) = ([0], MPI_REQUEST_NULL);
        let place = into(&mut word);
        if me.rank == 0 {
            mpi!(MPI_Send_init(place, 1, MPI_INT, 1, 1, WORLD, &mut request));
        } else {
            mpi!(MPI_Recv_init(place, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &mut request));
        }
        let handle = request;
        assert!(is_empty(&wait(&mut request)), "an inactive request completes at once");
        for turn in 1..4 {
            if me.rank == 0 {
                word[0] = turn;
            }
            start(&mut request);
            let status = wait(&mut request);
            assert_eq!((word[0], request), (turn, handle));
            assert!(me.rank == 0 || status.source == 0);
        }
        assert!(test(&mut request).is_some_and(|status| is_empty(&status)));
        assert_eq!(wait_any(&mut [request]).0, MPI_UNDEFINED);
        free(&mut request);
    });
}

#[test]
fn starting_an_active_or_an_ordinary_request_is_an_error() {
    on(2, |me| {
        let (mut word, mut request) = ([0; 2], MPI_REQUEST_NULL);
        let place = into(&mut word);
        mpi!(MPI_Recv_init(place, 1, MPI_INT, 1 - me.rank, 1, WORLD, &mut request));
        start(&mut request);
        mpi_fails!(MPI_ERR_REQUEST, MPI_Start(&mut request));
        mpi_fails!(MPI_ERR_REQUEST, MPI_Start(&mut { MPI_REQUEST_NULL }));
        let mut ordinary = WORLD.irecv(&mut word[1..], 1 - me.rank, 2);
        mpi_fails!(MPI_ERR_REQUEST, MPI_Start(&mut { ordinary }));
        WORLD.send(&[1], 1 - me.rank, 1);
        WORLD.send(&[2], 1 - me.rank, 2);
        wait(&mut request);
        wait(&mut ordinary);
        assert_eq!(word, [1, 2]);
        free(&mut request);
    });
}

#[test]
fn startall_starts_sends_and_receives_of_every_mode() {
    on(2, |me| {
        let (mut out, mut place) = ([0, 1, 2], [0; 3]);
        let other = 1 - me.rank;
        let mut list = [MPI_REQUEST_NULL; 6];
        for tag in 0..3 {
            let request = &mut list[tag];
            let place = into(&mut place[tag..]);
            mpi!(MPI_Recv_init(place, 1, MPI_INT, other, tag as i32, WORLD, request));
        }
        let at = |tag: usize| of(&out[tag..]);
        mpi!(MPI_Send_init(at(0), 1, MPI_INT, other, 0, WORLD, &mut list[3]));
        mpi!(MPI_Ssend_init(at(1), 1, MPI_INT, other, 1, WORLD, &mut list[4]));
        mpi!(MPI_Rsend_init(at(2), 1, MPI_INT, other, 2, WORLD, &mut list[5]));
        for turn in 0..3 {
            out = [turn, turn + 1, turn + 2];
            mpi!(MPI_Startall(3, list.as_mut_ptr()));
            WORLD.barrier();
            mpi!(MPI_Startall(3, list[3..].as_mut_ptr()));
            wait_all(&mut list);
            assert_eq!(place, out);
        }
        list.iter_mut().for_each(free);
    });
}

#[test]
fn a_freed_request_still_carries_its_message() {
    on(2, |me| {
        for count in [1, 4000] {
            let words = vec![3; count];
            if me.rank == 0 {
                free(&mut WORLD.isend(&words, 1, 1));
                WORLD.recv(1, 2);
            } else {
                assert_eq!(WORLD.recv(0, 1).words, words);
                WORLD.send(&[], 0, 2);
            }
        }
    });
}

#[test]
fn a_freed_receive_still_takes_the_next_message() {
    on(2, |me| {
        if me.rank == 0 {
            let mut word = [0];
            free(&mut WORLD.irecv(&mut word, 1, 1));
            WORLD.barrier();
            assert_eq!((WORLD.word(1, 1), word), (2, [1]));
        } else {
            WORLD.barrier();
            WORLD.send(&[1], 0, 1);
            WORLD.send(&[2], 0, 1);
        }
    });
}

#[test]
fn a_cancelled_receive_leaves_the_message_to_the_next() {
    on(2, |me| {
        if me.rank == 0 {
            let (mut first, mut second) = ([0], [0]);
            let mut one = WORLD.irecv(&mut first, 1, MPI_ANY_TAG);
            let mut two = WORLD.irecv(&mut second, 1, 5);
            mpi!(MPI_Cancel(&mut one));
            assert!(is_cancelled(&wait(&mut one)));
            WORLD.barrier();
            assert!(!is_cancelled(&wait(&mut two)));
            assert_eq!((first, second), ([0], [8]));
        } else {
            WORLD.barrier();
            WORLD.send(&[8], 0, 5);
        }
    });
}

#[test]
fn a_receive_whose_message_has_come_is_not_cancelled() {
    on(2, |me| {
        if me.rank == 0 {
            let mut word = [0];
            let mut request = WORLD.irecv(&mut word, 1, 5);
            WORLD.recv(1, 6);
            mpi!(MPI_Cancel(&mut request));
            let status = wait(&mut request);
            assert_eq!((is_cancelled(&status), count_of(&status), word), (false, 1, [8]));
        } else {
            WORLD.send(&[8], 0, 5);
            WORLD.send(&[], 0, 6);
        }
    });
}

#[test]
fn a_cancelled_persistent_receive_can_be_started_again() {
    on(2, |me| {
        let (mut word, mut request) = ([0], MPI_REQUEST_NULL);
        let place = into(&mut word);
        mpi!(MPI_Recv_init(place, 1, MPI_INT, 1 - me.rank, 1, WORLD, &mut request));
        start(&mut request);
        mpi!(MPI_Cancel(&mut request));
        assert!(is_cancelled(&wait(&mut request)));
        start(&mut request);
        WORLD.barrier();
        WORLD.send(&[6], 1 - me.rank, 1);
        assert_eq!((is_cancelled(&wait(&mut request)), word), (false, [6]));
        free(&mut request);
    });
}

/// What a generalized request asks its functions.
#[derive(Default)]
struct Asked {
    queries: i32,
    frees: i32,
    cancels: Vec<c_int>,
}

extern "C" fn query(state: *mut c_void, status: *mut Status) -> c_int {
    // SAFETY: the requests of these tests have an `Asked` for their state.
    let asked = unsafe { &mut *state.cast::<Asked>() };
    asked.queries += 1;
    mpi!(MPI_Status_set_elements(status, MPI_INT, 3));
    mpi!(MPI_Status_set_cancelled(status, 0));
    // SAFETY: the library hands over a status of its own.
    unsafe { ((*status).source, (*status).tag) = (41, 42) };
    MPI_SUCCESS
}

extern "C" fn release(state: *mut c_void) -> c_int {
    // SAFETY: as in `query`.
    unsafe { (*state.cast::<Asked>()).frees += 1 };
    MPI_SUCCESS
}

extern "C" fn cancel(state: *mut c_void, complete: c_int) -> c_int {
    // SAFETY: as in `query`.
    let asked = unsafe { &mut *state.cast::<Asked>() };
    asked.cancels.push(complete);
    MPI_SUCCESS
}

fn generalized(asked: &mut Asked) -> Request {
    let (mut request, state) = (MPI_REQUEST_NULL, (&raw mut *asked).cast());
    let (ask, end, stop) = (callback!(query), callback!(release), callback!(cancel));
    mpi!(MPI_Grequest_start(ask, end, stop, state, &mut request));
    request
}

#[test]
fn a_generalized_request_is_asked_for_its_status_and_freed_once() {
    on(1, |_| {
        let mut asked = Asked::default();
        let mut request = generalized(&mut asked);
        assert!(test(&mut request).is_none());
        mpi!(MPI_Grequest_complete(request));
        let status = wait(&mut request);
        assert_eq!((status.source, status.tag, count_of(&status)), (41, 42, 3));
        assert_eq!((asked.queries, asked.frees, request), (1, 1, MPI_REQUEST_NULL));
    });
}

#[test]
fn a_generalized_request_that_is_freed_early_is_released_once_complete() {
    on(1, |_| {
        let mut asked = Asked::default();
        let mut request = generalized(&mut asked);
        let name = request;
        free(&mut request);
        assert_eq!(asked.frees, 0);
        mpi!(MPI_Grequest_complete(name));
        assert_eq!((asked.queries, asked.frees), (0, 1));
    });
}

#[test]
fn a_generalized_request_hears_of_cancellation_with_whether_it_was_complete() {
    on(1, |_| {
        let mut asked = Asked::default();
        let mut request = generalized(&mut asked);
        mpi!(MPI_Cancel(&mut request));
        mpi!(MPI_Grequest_complete(request));
        mpi!(MPI_Cancel(&mut request));
        wait(&mut request);
        assert_eq!(asked.cancels, [0, 1]);
    });
}

#[test]
fn waits_mix_generalized_and_ordinary_requests() {
    on(2, |me| {
        let (mut asked, mut word) = (Asked::default(), [0]);
        let request = generalized(&mut asked);
        let mut list = [request, WORLD.irecv(&mut word, 1 - me.rank, 1)];
        WORLD.send(&[5], 1 - me.rank, 1);
        assert_eq!(wait_any(&mut list).0, 1);
        mpi!(MPI_Grequest_complete(request));
        let statuses = wait_all(&mut list);
        assert_eq!((statuses[0].tag, is_empty(&statuses[1]), word), (42, true, [5]));
    });
}

#[test]
fn a_buffered_send_ends_without_a_receive_and_detach_gives_the_buffer_back() {
    on(2, |me| {
        const BYTES: usize = 4 * 3000 + MPI_BSEND_OVERHEAD as usize;
        let words = vec![9; 3000];
        if me.rank == 0 {
            let mut memory = vec![0_u8; BYTES];
            mpi!(MPI_Buffer_attach(memory.as_mut_ptr().cast(), BYTES as i32));
            mpi!(MPI_Bsend(of(&words), 3000, MPI_INT, 1, 1, WORLD));
            WORLD.send(&[], 1, 2);
            let (mut place, mut bytes) = (null_mut::<u8>(), 0);
            mpi!(MPI_Buffer_detach((&raw mut place).cast(), &mut bytes));
            assert_eq!((place, bytes as usize), (memory.as_mut_ptr(), BYTES));
            memory.fill(0);
            WORLD.send(&[], 1, 3);
        } else {
            WORLD.recv(0, 2);
            assert_eq!(WORLD.recv(0, 1).words, words);
            WORLD.recv(0, 3);
        }
    });
}

#[test]
fn a_buffered_send_without_space_is_an_error_and_sends_nothing() {
    on(2, |me| {
        if me.rank == 0 {
            let mut memory = vec![0_u8; 600 + MPI_BSEND_OVERHEAD as usize];
            let (place, bytes) = (memory.as_mut_ptr().cast(), memory.len() as i32);
            let words = vec![1; 400];
            mpi_fails!(MPI_ERR_BUFFER, MPI_Bsend(of(&words), 400, MPI_INT, 1, 1, WORLD));
            mpi!(MPI_Buffer_attach(place, bytes));
            mpi_fails!(MPI_ERR_BUFFER, MPI_Buffer_attach(place, bytes));
            mpi_fails!(MPI_ERR_BUFFER, MPI_Bsend(of(&words), 400, MPI_INT, 1, 1, WORLD));
            mpi!(MPI_Bsend(of(&words), 150, MPI_INT, 1, 1, WORLD));
            WORLD.barrier();
            let (mut old, mut size) = (null_mut::<u8>(), 0);
            mpi!(MPI_Buffer_detach((&raw mut old).cast(), &mut size));
        } else {
            assert_eq!(WORLD.recv(0, 1).words.len(), 150);
            WORLD.barrier();
            assert!(WORLD.iprobe(0, 1).is_none());
        }
    });
}

#[test]
fn a_buffer_is_used_again_once_its_messages_are_gone() {
    on(2, |me| {
        let words = vec![4; 100];
        if me.rank == 0 {
            let mut memory = vec![0_u8; 400 + MPI_BSEND_OVERHEAD as usize];
            mpi!(MPI_Buffer_attach(memory.as_mut_ptr().cast(), memory.len() as i32));
            for _ in 0..20 {
                mpi!(MPI_Bsend(of(&words), 100, MPI_INT, 1, 1, WORLD));
                WORLD.recv(1, 2);
            }
            let (mut old, mut size) = (null_mut::<u8>(), 0);
            mpi!(MPI_Buffer_detach((&raw mut old).cast(), &mut size));
        } else {
            for _ in 0..20 {
                assert_eq!(WORLD.recv(0, 1).words, words);
                WORLD.send(&[], 0, 2);
            }
        }
    });
}

#[test]
fn a_communicator_has_a_buffer_of_its_own() {
    on(2, |me| {
        let twin = WORLD.dup();
        if me.rank == 0 {
            let mut memory = vec![0_u8; 4 + MPI_BSEND_OVERHEAD as usize];
            let bytes = memory.len() as i32;
            mpi!(MPI_Comm_attach_buffer(twin, memory.as_mut_ptr().cast(), bytes));
            mpi!(MPI_Bsend(of(&[1]), 1, MPI_INT, 1, 1, twin));
            mpi_fails!(MPI_ERR_BUFFER, MPI_Bsend(of(&[1]), 1, MPI_INT, 1, 1, WORLD));
            let (mut old, mut size) = (null_mut::<u8>(), 0);
            mpi!(MPI_Comm_detach_buffer(twin, (&raw mut old).cast(), &mut size));
            assert_eq!((old, size), (memory.as_mut_ptr(), bytes));
        } else {
            assert_eq!(twin.word(0, 1), 1);
        }
        twin.free();
    });
}

#[test]
fn the_automatic_buffer_has_space_for_every_message() {
    on(2, |me| {
        if me.rank == 0 {
            mpi!(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC as *mut c_void, 0));
            let mut last = MPI_REQUEST_NULL;
            for word in 0..40 {
                let words = vec![word; 1000];
                mpi!(MPI_Bsend(of(&words), 1000, MPI_INT, 1, 1, WORLD));
            }
            mpi!(MPI_Ibsend(of(&[40]), 1, MPI_INT, 1, 1, WORLD, &mut last));
            wait(&mut last);
            WORLD.barrier();
            let (mut old, mut size) = (null_mut::<u8>(), -77);
            mpi!(MPI_Buffer_detach((&raw mut old).cast(), &mut size));
            assert_eq!((old.addr(), size), (MPI_BUFFER_AUTOMATIC, 0));
        } else {
            WORLD.barrier();
            (0..=40).for_each(|word| assert_eq!(WORLD.recv(0, 1).words[0], word));
        }
    });
}
