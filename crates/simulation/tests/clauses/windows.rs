//! One-sided communication: epochs, accesses, windows of each flavour (MPI 5.0 §12).

use crate::vocabulary::*;
use std::ffi::c_void;

/// A window of words, of this process and of the others.
struct Window {
    win: Win,
    words: Box<[i32]>,
}

impl Window {
    fn new(words: usize) -> Window {
        let (mut win, mut words) = (MPI_WIN_NULL, vec![0; words].into_boxed_slice());
        let bytes = 4 * words.len() as isize;
        mpi!(MPI_Win_create(into(&mut words), bytes, 4, MPI_INFO_NULL, WORLD, &mut win));
        mpi!(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        Window { win, words }
    }

    fn fence(&self) {
        mpi!(MPI_Win_fence(0, self.win));
    }

    fn put(&self, words: &[i32], rank: i32, at: isize) {
        let count = len(words);
        mpi!(MPI_Put(of(words), count, MPI_INT, rank, at, count, MPI_INT, self.win));
    }

    fn add(&self, words: &[i32], rank: i32, at: isize, op: Op) {
        let count = len(words);
        mpi!(MPI_Accumulate(of(words), count, MPI_INT, rank, at, count, MPI_INT, op, self.win));
    }

    /// Gets one word within an epoch of its own.
    fn get(&self, rank: i32, at: isize) -> i32 {
        let mut word = [-77];
        self.lock(rank, MPI_LOCK_SHARED);
        let place = into(&mut word);
        mpi!(MPI_Get(place, 1, MPI_INT, rank, at, 1, MPI_INT, self.win));
        self.unlock(rank);
        word[0]
    }

    fn lock(&self, rank: i32, kind: i32) {
        mpi!(MPI_Win_lock(kind, rank, 0, self.win));
    }

    fn unlock(&self, rank: i32) {
        mpi!(MPI_Win_unlock(rank, self.win));
    }

    /// Returns the class of the error of a put of one word.
    fn refused(&self, rank: i32, at: isize) -> i32 {
        let word = [1];
        // SAFETY: the call fails or copies one word.
        class_of(unsafe { MPI_Put(of(&word), 1, MPI_INT, rank, at, 1, MPI_INT, self.win) })
    }

    /// Returns this process's words. To be called where no other process writes them.
    fn now(&self) -> Vec<i32> {
        // SAFETY: reads words of an allocation that lives.
        self.words.iter().map(|word| unsafe { std::ptr::read_volatile(word) }).collect()
    }

    fn free(mut self) {
        mpi!(MPI_Win_free(&mut self.win));
        assert_eq!(self.win, MPI_WIN_NULL);
    }
}

#[test]
fn a_put_is_seen_after_the_fence_that_follows() {
    on(3, |me| {
        let window = Window::new(3);
        window.fence();
        for rank in 0..3 {
            window.put(&[10 + me.rank], rank, me.rank as isize);
        }
        window.fence();
        assert_eq!(window.now(), [10, 11, 12]);
        window.free();
    });
}

#[test]
fn an_access_without_an_epoch_is_an_error() {
    on(2, |_| {
        let window = Window::new(1);
        assert_eq!(window.refused(0, 0), MPI_ERR_RMA_SYNC.value());
        window.fence();
        window.put(&[1], 0, 0);
        mpi!(MPI_Win_fence(MPI_MODE_NOSUCCEED, window.win));
        assert_eq!(window.refused(0, 0), MPI_ERR_RMA_SYNC.value());
        WORLD.barrier();
        window.free();
    });
}

#[test]
fn epochs_of_other_kinds_do_not_begin_within_one() {
    on(2, |me| {
        let window = Window::new(1);
        let other = 1 - me.rank;
        window.lock(other, MPI_LOCK_SHARED);
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_start(WORLD.group(), 0, window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_unlock(me.rank, window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_flush(me.rank, window.win));
        assert_eq!(window.refused(me.rank, 0), MPI_ERR_RMA_SYNC.value());
        assert_eq!(window.refused(other, 0), MPI_SUCCESS);
        window.unlock(other);
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_complete(window.win));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_wait(window.win));
        mpi_fails!(MPI_ERR_LOCKTYPE, MPI_Win_lock(77, other, 0, window.win));
        window.free();
    });
}

#[test]
fn a_window_with_an_open_epoch_is_not_freed() {
    on(1, |_| {
        let window = Window::new(1);
        window.lock(0, MPI_LOCK_SHARED);
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_free(&mut { window.win }));
        window.unlock(0);
        window.free();
    });
}

#[test]
fn accesses_outside_the_window_are_errors() {
    on(2, |me| {
        let window = Window::new(4 - 2 * me.rank as usize);
        mpi!(MPI_Win_lock_all(0, window.win));
        let classes: Vec<i32> = (0..5).map(|at| window.refused(1, at)).collect();
        let range = MPI_ERR_RMA_RANGE.value();
        assert_eq!(classes, [0, 0, range, range, range]);
        assert_eq!((window.refused(0, 3), window.refused(0, 4)), (0, range));
        assert_eq!(window.refused(2, 0), MPI_ERR_RANK.value());
        let before = window.refused(0, -1);
        assert!(before == MPI_ERR_DISP.value() || before == range);
        assert_eq!(window.refused(MPI_PROC_NULL, 99), MPI_SUCCESS);
        mpi!(MPI_Win_unlock_all(window.win));
        window.free();
    });
}

#[test]
fn posted_and_started_groups_may_be_parts_of_the_window() {
    on(4, |me| {
        let (window, world) = (Window::new(4), WORLD.group());
        if me.rank == 3 {
            mpi!(MPI_Win_start(some_of(world, &[0, 2]), 0, window.win));
            window.put(&[7], 0, 0);
            window.put(&[9], 2, 1);
            assert_eq!(window.refused(1, 0), MPI_ERR_RMA_SYNC.value());
            mpi!(MPI_Win_complete(window.win));
        } else if me.rank != 1 {
            mpi!(MPI_Win_post(some_of(world, &[3]), 0, window.win));
            mpi!(MPI_Win_wait(window.win));
        }
        let expected = [[7, 0, 0, 0], [0; 4], [0, 9, 0, 0], [0; 4]];
        assert_eq!(window.now(), expected[me.rank as usize]);
        window.free();
    });
}

#[test]
fn a_process_may_expose_and_access_at_once() {
    on(3, |me| {
        let (window, world) = (Window::new(1), WORLD.group());
        let (left, right) = ((me.rank + 2) % 3, (me.rank + 1) % 3);
        for turn in 1..4 {
            mpi!(MPI_Win_post(some_of(world, &[left]), 0, window.win));
            mpi!(MPI_Win_start(some_of(world, &[right]), 0, window.win));
            window.add(&[me.rank + turn], right, 0, MPI_REPLACE);
            mpi!(MPI_Win_complete(window.win));
            mpi!(MPI_Win_wait(window.win));
            assert_eq!(window.now(), [left + turn]);
        }
        window.free();
    });
}

#[test]
fn a_test_ends_an_exposure_once_all_have_completed() {
    on(2, |me| {
        let (window, other, mut flag) = (Window::new(1), 1 - me.rank, 7);
        let group = some_of(WORLD.group(), &[other]);
        if me.rank == 0 {
            mpi!(MPI_Win_post(group, 0, window.win));
            mpi!(MPI_Win_test(window.win, &mut flag));
            assert_eq!(flag, 0);
            WORLD.send(&[], 1, 1);
            until(|| {
                mpi!(MPI_Win_test(window.win, &mut flag));
                flag != 0
            });
            assert_eq!(window.now(), [5]);
            mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_test(window.win, &mut flag));
        } else {
            mpi!(MPI_Win_start(group, 0, window.win));
            window.put(&[5], 0, 0);
            WORLD.recv(0, 1);
            mpi!(MPI_Win_complete(window.win));
        }
        window.free();
    });
}

#[test]
fn an_exclusive_lock_keeps_a_reading_and_a_writing_together() {
    on(4, |_| {
        let window = Window::new(2);
        for _ in 0..5 {
            let mut words = [0; 2];
            window.lock(0, MPI_LOCK_EXCLUSIVE);
            let place = into(&mut words);
            mpi!(MPI_Get(place, 2, MPI_INT, 0, 0, 2, MPI_INT, window.win));
            mpi!(MPI_Win_flush(0, window.win));
            assert_eq!(words[0], words[1], "nobody is between the two words");
            window.put(&[words[0] + 1], 0, 0);
            mpi!(MPI_Win_flush(0, window.win));
            (0..3).for_each(|_| nemesis::yield_now());
            window.put(&[words[0] + 1], 0, 1);
            window.unlock(0);
        }
        WORLD.barrier();
        assert_eq!(window.get(0, 0), 20);
        window.free();
    });
}

#[test]
fn shared_locks_admit_each_other() {
    on(3, |me| {
        let window = Window::new(1);
        window.lock(0, MPI_LOCK_SHARED);
        WORLD.barrier();
        window.add(&[1], 0, 0, MPI_SUM);
        window.unlock(0);
        WORLD.barrier();
        assert_eq!((window.get(0, 0), me.size), (3, 3));
        window.free();
    });
}

#[test]
fn an_exclusive_lock_waits_for_the_shared_ones() {
    on(3, |me| {
        let window = Window::new(1);
        if me.rank < 2 {
            window.lock(2, MPI_LOCK_SHARED);
            WORLD.send(&[], 2, 1);
            (0..200).for_each(|_| nemesis::yield_now());
            window.add(&[1], 2, 0, MPI_SUM);
            window.unlock(2);
        } else {
            WORLD.recv(0, 1);
            WORLD.recv(1, 1);
            let mut seen = [-1];
            window.lock(2, MPI_LOCK_EXCLUSIVE);
            mpi!(MPI_Get(into(&mut seen), 1, MPI_INT, 2, 0, 1, MPI_INT, window.win));
            window.unlock(2);
            assert_eq!(seen, [2]);
        }
        window.free();
    });
}

#[test]
fn accumulates_of_all_ranks_lose_nothing() {
    on(4, |me| {
        let window = Window::new(3);
        mpi!(MPI_Win_lock_all(0, window.win));
        for turn in 0..10 {
            window.add(&[1, turn], 1, 0, MPI_SUM);
            window.add(&[me.rank * 10 + turn], 1, 2, MPI_MAX);
        }
        mpi!(MPI_Win_unlock_all(window.win));
        WORLD.barrier();
        assert!(me.rank != 1 || window.now() == [40, 180, 39]);
        window.free();
    });
}

#[test]
fn accumulates_of_one_rank_to_one_place_happen_in_order() {
    on(2, |me| {
        let window = Window::new(1);
        mpi!(MPI_Win_lock_all(0, window.win));
        if me.rank == 0 {
            window.add(&[5], 1, 0, MPI_REPLACE);
            window.add(&[3], 1, 0, MPI_SUM);
            window.add(&[10], 1, 0, MPI_PROD);
            let (word, win, none) = ([1], window.win, MPI_ERR_OP);
            let out = of(&word);
            mpi_fails!(none, MPI_Accumulate(out, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win));
        }
        mpi!(MPI_Win_unlock_all(window.win));
        WORLD.barrier();
        assert!(me.rank == 0 || window.now() == [80]);
        window.free();
    });
}

#[test]
fn get_accumulate_returns_what_was_there_before() {
    on(2, |me| {
        let (window, one, mut old) = (Window::new(2), [4, 6], [-1; 2]);
        if me.rank == 0 {
            window.lock(1, MPI_LOCK_SHARED);
            for (op, before) in [
                (MPI_SUM, [0, 0]),
                (MPI_REPLACE, [4, 6]),
                (MPI_PROD, [4, 6]),
                (MPI_NO_OP, [16, 36]),
            ] {
                let (out, place, win) = (of(&one), into(&mut old), window.win);
                let int = MPI_INT;
                mpi!(MPI_Get_accumulate(out, 2, int, place, 2, int, 1, 0, 2, int, op, win));
                mpi!(MPI_Win_flush(1, win));
                assert_eq!(old, before);
            }
            window.unlock(1);
            assert_eq!(window.get(1, 1), 36);
        }
        window.free();
    });
}

#[test]
fn a_fetch_with_no_op_needs_no_operand() {
    on(2, |me| {
        let (mut window, mut old) = (Window::new(1), [0]);
        window.words[0] = 50 + me.rank;
        WORLD.barrier();
        window.lock(1 - me.rank, MPI_LOCK_SHARED);
        let (none, place, win) = (null_mut(), into(&mut old), window.win);
        mpi!(MPI_Fetch_and_op(none, place, MPI_INT, 1 - me.rank, 0, MPI_NO_OP, win));
        window.unlock(1 - me.rank);
        assert_eq!(old, [51 - me.rank]);
        WORLD.barrier();
        window.free();
    });
}

#[test]
fn one_of_those_who_compare_and_swap_wins() {
    on(4, |me| {
        let (window, own, zero, mut old) = (Window::new(1), [me.rank + 1], [0], [-1]);
        mpi!(MPI_Win_lock_all(0, window.win));
        let (new, expected, place) = (of(&own), of(&zero), into(&mut old));
        mpi!(MPI_Compare_and_swap(new, expected, place, MPI_INT, 2, 0, window.win));
        mpi!(MPI_Win_flush(2, window.win));
        mpi!(MPI_Win_unlock_all(window.win));
        let (seen, last) = (WORLD.allgather(old[0]), window.get(2, 0));
        assert_eq!(seen.iter().filter(|word| **word == 0).count(), 1);
        assert_eq!(seen[last as usize - 1], 0, "the winner's number is there");
        assert!(seen.iter().all(|word| *word == 0 || *word == last));
        window.free();
    });
}

#[test]
fn fetches_give_every_rank_another_ticket() {
    on(4, |_| {
        let (window, one) = (Window::new(1), [1]);
        let mut mine = Vec::new();
        mpi!(MPI_Win_lock_all(0, window.win));
        for _ in 0..5 {
            let mut ticket = [-1];
            let (add, place) = (of(&one), into(&mut ticket));
            mpi!(MPI_Fetch_and_op(add, place, MPI_INT, 3, 0, MPI_SUM, window.win));
            mpi!(MPI_Win_flush(3, window.win));
            mine.push(ticket[0]);
        }
        mpi!(MPI_Win_unlock_all(window.win));
        assert!(mine.is_sorted());
        let mut all: Vec<i32> = mine.iter().flat_map(|ticket| WORLD.allgather(*ticket)).collect();
        all.sort();
        assert_eq!(all, (0..20).collect::<Vec<_>>());
        window.free();
    });
}

#[test]
fn operations_of_the_program_are_refused_by_accumulates() {
    extern "C" fn nothing(_: *mut c_void, _: *mut c_void, _: *mut i32, _: *mut Datatype) {}
    on(1, |_| {
        let (window, mut op, word) = (Window::new(1), MPI_OP_NULL, [1]);
        mpi!(MPI_Op_create(callback!(nothing), 1, &mut op));
        window.lock(0, MPI_LOCK_SHARED);
        let (out, win) = (of(&word), window.win);
        mpi_fails!(MPI_ERR_OP, MPI_Accumulate(out, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win));
        window.unlock(0);
        mpi!(MPI_Op_free(&mut op));
        window.free();
    });
}

#[test]
fn requests_of_accesses_complete_within_the_epoch() {
    on(2, |me| {
        let (window, other, word) = (Window::new(2), 1 - me.rank, [me.rank + 30]);
        let (mut got, mut request) = ([-1], MPI_REQUEST_NULL);
        mpi!(MPI_Win_lock_all(0, window.win));
        let (win, r) = (window.win, &raw mut request);
        mpi!(MPI_Rput(of(&word), 1, MPI_INT, other, 0, 1, MPI_INT, win, r));
        wait(&mut request);
        mpi!(MPI_Raccumulate(of(&word), 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, win, r));
        wait(&mut request);
        mpi!(MPI_Win_flush(other, win));
        mpi!(MPI_Rget(into(&mut got), 1, MPI_INT, other, 0, 1, MPI_INT, win, r));
        wait(&mut request);
        assert_eq!((got, request), (word, MPI_REQUEST_NULL));
        let (out, place) = (of(&word), into(&mut got));
        let (int, sum) = (MPI_INT, MPI_SUM);
        mpi!(MPI_Rget_accumulate(out, 1, int, place, 1, int, other, 1, 1, int, sum, win, r));
        wait(&mut request);
        assert_eq!(got, word);
        mpi!(MPI_Win_unlock_all(window.win));
        WORLD.barrier();
        assert_eq!(window.now(), [30 + other, 60 + 2 * other]);
        window.free();
    });
}

#[test]
fn requests_of_accesses_are_for_epochs_of_locks() {
    on(1, |_| {
        let (window, word, mut request) = (Window::new(1), [1], MPI_REQUEST_NULL);
        window.fence();
        let (out, win, r) = (of(&word), window.win, &raw mut request);
        // The standard calls it erroneous, and lets a library allow it.
        // SAFETY: the word lives until the fence.
        let code = unsafe { MPI_Rput(out, 1, MPI_INT, 0, 0, 1, MPI_INT, win, r) };
        assert!(code == MPI_SUCCESS || class_of(code) == MPI_ERR_RMA_SYNC.value());
        wait(&mut request);
        window.fence();
        window.free();
    });
}

#[test]
fn attached_memory_alone_is_reached_in_a_dynamic_window() {
    on(2, |me| {
        let (mut win, mut words, word) = (MPI_WIN_NULL, [0_i32; 8], [me.rank + 60]);
        mpi!(MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &mut win));
        mpi!(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        let place = into(&mut words[2..6]);
        let mut at = 0_isize;
        mpi!(MPI_Get_address(place, &mut at));
        mpi!(MPI_Win_attach(win, place, 16));
        let mut there = [0_isize];
        let (from, out) = ((&raw const at).cast(), there.as_mut_ptr().cast());
        let (peer, status) = (1 - me.rank, null_mut());
        let aint = MPI_AINT;
        mpi!(MPI_Sendrecv(from, 1, aint, peer, 3, out, 1, aint, peer, 3, WORLD, status));
        mpi!(MPI_Win_lock_all(0, win));
        mpi!(MPI_Put(of(&word), 1, MPI_INT, peer, there[0] + 12, 1, MPI_INT, win));
        mpi!(MPI_Win_unlock_all(win));
        WORLD.barrier();
        assert_eq!(words[2..6], [0, 0, 0, 61 - me.rank]);
        mpi!(MPI_Win_detach(win, place));
        mpi!(MPI_Win_free(&mut win));
    });
}

#[test]
fn memory_is_attached_once_and_detached_by_its_beginning() {
    on(1, |_| {
        let (mut win, mut words) = (MPI_WIN_NULL, [0_i32; 8]);
        mpi!(MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &mut win));
        mpi!(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        let (first, middle) = (into(&mut words), into(&mut words[4..]));
        mpi!(MPI_Win_attach(win, first, 16));
        mpi_fails!(MPI_ERR_RMA_ATTACH, MPI_Win_attach(win, first, 4));
        mpi!(MPI_Win_attach(win, middle, 16));
        mpi_fails!(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, into(&mut words[1..])));
        mpi!(MPI_Win_detach(win, first));
        mpi_fails!(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, first));
        mpi!(MPI_Win_detach(win, middle));
        mpi!(MPI_Win_free(&mut win));
        let window = Window::new(1);
        mpi_fails!(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(window.win, first, 4));
        window.free();
    });
}

#[test]
fn shared_memory_is_written_by_plain_stores() {
    on_hosts(3, 1, |me| {
        let (mut win, mut own) = (MPI_WIN_NULL, null_mut::<i32>());
        let (bytes, info) = (4 * (me.rank as isize + 1), MPI_INFO_NULL);
        mpi!(MPI_Win_allocate_shared(bytes, 4, info, WORLD, (&raw mut own).cast(), &mut win));
        let (mut size, mut unit, mut at) = (-1, -1, null_mut::<i32>());
        let right = (me.rank + 1) % 3;
        let base = (&raw mut at).cast();
        mpi!(MPI_Win_shared_query(win, right, &mut size, &mut unit, base));
        assert_eq!((size, unit), (4 * (right as isize + 1), 4));
        mpi!(MPI_Win_fence(0, win));
        // SAFETY: the neighbour's part has room for the word, and nobody else writes it.
        unsafe { at.add(right as usize).write_volatile(me.rank + 90) };
        mpi!(MPI_Win_fence(0, win));
        // SAFETY: this process's part.
        let word = unsafe { own.add(me.rank as usize).read_volatile() };
        assert_eq!(word, 90 + (me.rank + 2) % 3);
        mpi!(MPI_Win_shared_query(win, MPI_PROC_NULL, &mut size, &mut unit, base));
        assert_eq!(size, 4, "that of the lowest rank with memory");
        mpi!(MPI_Win_free(&mut win));
    });
}

#[test]
fn parts_of_shared_memory_follow_each_other() {
    on_hosts(4, 1, |me| {
        let (mut win, mut own, info) = (MPI_WIN_NULL, null_mut::<u8>(), MPI_INFO_NULL);
        let bytes = [8, 0, 24, 16][me.rank as usize];
        mpi!(MPI_Win_allocate_shared(bytes, 1, info, WORLD, (&raw mut own).cast(), &mut win));
        let place_of = |rank| {
            let (mut size, mut unit, mut at) = (-1, -1, null_mut::<u8>());
            let base = (&raw mut at).cast();
            mpi!(MPI_Win_shared_query(win, rank, &mut size, &mut unit, base));
            at.addr()
        };
        let first = place_of(MPI_PROC_NULL);
        assert_eq!([place_of(0), place_of(2), place_of(3)], [first, first + 8, first + 32]);
        mpi!(MPI_Win_free(&mut win));
    });
}

#[test]
fn memory_is_not_shared_between_nodes() {
    on_hosts(2, 2, |_| {
        let (mut win, mut own, info) = (MPI_WIN_NULL, null_mut::<i32>(), MPI_INFO_NULL);
        let (base, shared) = ((&raw mut own).cast(), MPI_ERR_RMA_SHARED);
        mpi_fails!(shared, MPI_Win_allocate_shared(8, 4, info, WORLD, base, &mut win));
        WORLD.barrier();
    });
}

#[test]
fn a_window_tells_what_it_is() {
    on(2, |me| {
        let (mut win, mut own, info) = (MPI_WIN_NULL, null_mut::<i32>(), MPI_INFO_NULL);
        let bytes = 8 * (me.rank as isize + 1);
        mpi!(MPI_Win_allocate(bytes, 8, info, WORLD, (&raw mut own).cast(), &mut win));
        let attribute = |key| {
            let (mut value, mut flag) = (null_mut::<c_void>(), 0);
            mpi!(MPI_Win_get_attr(win, key, (&raw mut value).cast(), &mut flag));
            assert_eq!(flag, 1);
            value
        };
        assert_eq!(attribute(MPI_WIN_BASE), own.cast());
        // SAFETY: the values of these attributes are pointers to integers.
        let (size, flavor) = unsafe {
            (
                *attribute(MPI_WIN_SIZE).cast::<isize>(),
                *attribute(MPI_WIN_CREATE_FLAVOR).cast::<i32>(),
            )
        };
        assert_eq!((size, flavor), (bytes, MPI_WIN_FLAVOR_ALLOCATE));
        let mut group = MPI_GROUP_NULL;
        mpi!(MPI_Win_get_group(win, &mut group));
        assert_eq!(translated(group, WORLD.group()), [0, 1]);
        mpi!(MPI_Win_free(&mut win));
    });
}

#[test]
fn strided_words_go_into_strided_places() {
    on(2, |me| {
        let (window, words, mut pairs) = (Window::new(8), [1, 0, 2, 0, 3, 0], MPI_DATATYPE_NULL);
        mpi!(MPI_Type_vector(3, 1, 2, MPI_INT, &mut pairs));
        mpi!(MPI_Type_commit(&mut pairs));
        window.fence();
        if me.rank == 0 {
            mpi!(MPI_Put(of(&words), 1, pairs, 1, 2, 1, pairs, window.win));
        }
        window.fence();
        assert!(me.rank == 0 || window.now() == [0, 0, 1, 0, 2, 0, 3, 0]);
        mpi!(MPI_Type_free(&mut pairs));
        window.free();
    });
}

#[test]
fn a_flush_completes_accesses_at_the_target() {
    on(3, |me| {
        let window = Window::new(1);
        mpi!(MPI_Win_lock_all(0, window.win));
        if me.rank == 0 {
            window.put(&[8], 2, 0);
            mpi!(MPI_Win_flush_all(window.win));
            WORLD.send(&[], 1, 1);
        } else if me.rank == 1 {
            let mut word = [0];
            WORLD.recv(0, 1);
            mpi!(MPI_Get(into(&mut word), 1, MPI_INT, 2, 0, 1, MPI_INT, window.win));
            mpi!(MPI_Win_flush_local(2, window.win));
            assert_eq!(word, [8]);
        }
        mpi!(MPI_Win_unlock_all(window.win));
        window.free();
    });
}
