//! Collective operations (MPI 5.0 §6).

use crate::vocabulary::*;
use std::ffi::{c_int, c_void};

/// Matrices of two by two under multiplication, which is associative and not commutative. Words
/// wrap around.
type Matrix = [i32; 4];

fn times(a: Matrix, b: Matrix) -> Matrix {
    let cell = |row: usize, column: usize| {
        a[2 * row].wrapping_mul(b[column]).wrapping_add(a[2 * row + 1].wrapping_mul(b[2 + column]))
    };
    [cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)]
}

fn matrix_of(rank: i32) -> Matrix {
    [rank + 1, 1, rank, 2]
}

/// The product of the matrices of some ranks, from left to right.
fn product(ranks: std::ops::Range<i32>) -> Matrix {
    ranks.map(matrix_of).reduce(times).expect("at least one")
}

extern "C" fn multiply(from: *mut c_void, to: *mut c_void, count: *mut c_int, _: *mut Datatype) {
    // SAFETY: the library hands over a count.
    for at in 0..unsafe { *count } as usize {
        // SAFETY: there are as many matrices.
        let left = unsafe { *from.cast::<Matrix>().add(at) };
        // SAFETY: as above.
        let right = unsafe { &mut *to.cast::<Matrix>().add(at) };
        *right = times(left, *right);
    }
}

/// Makes the operation and the datatype of matrices.
fn matrices() -> (Op, Datatype) {
    let (mut op, mut datatype) = (MPI_OP_NULL, MPI_DATATYPE_NULL);
    mpi!(MPI_Op_create(callback!(multiply), 0, &mut op));
    mpi!(MPI_Type_contiguous(4, MPI_INT, &mut datatype));
    mpi!(MPI_Type_commit(&mut datatype));
    (op, datatype)
}

#[test]
fn an_operation_that_is_not_commutative_is_applied_in_the_order_of_the_ranks() {
    on(7, |me| {
        let (op, datatype) = matrices();
        let own = matrix_of(me.rank);
        for root in 0..me.size {
            let mut result = [0; 4];
            mpi!(MPI_Reduce(of(&own), into(&mut result), 1, datatype, op, root, WORLD));
            assert!(me.rank != root || result == product(0..7));
        }
        let mut result = [0; 4];
        mpi!(MPI_Allreduce(of(&own), into(&mut result), 1, datatype, op, WORLD));
        assert_eq!(result, product(0..7));
    });
}

#[test]
fn long_operands_keep_the_order_too() {
    on(5, |me| {
        let (op, datatype) = matrices();
        let (own, mut result) = (matrix_of(me.rank).repeat(3000), vec![0; 12_000]);
        mpi!(MPI_Allreduce(of(&own), into(&mut result), 3000, datatype, op, WORLD));
        assert!(result.chunks(4).all(|matrix| matrix == product(0..5)));
    });
}

#[test]
fn scans_keep_the_order_and_the_first_exclusive_one_is_left_alone() {
    on(6, |me| {
        let (op, datatype) = matrices();
        let (own, mut up_to_here, mut before) = (matrix_of(me.rank), [0; 4], [7; 4]);
        mpi!(MPI_Scan(of(&own), into(&mut up_to_here), 1, datatype, op, WORLD));
        assert_eq!(up_to_here, product(0..me.rank + 1));
        mpi!(MPI_Exscan(of(&own), into(&mut before), 1, datatype, op, WORLD));
        assert_eq!(before, if me.rank == 0 { [7; 4] } else { product(0..me.rank) });
        let mut request = MPI_REQUEST_NULL;
        let place = into(&mut up_to_here);
        mpi!(MPI_Iscan(of(&own), place, 1, datatype, op, WORLD, &mut request));
        wait(&mut request);
        assert_eq!(up_to_here, product(0..me.rank + 1));
    });
}

#[test]
fn reduce_scatter_of_unequal_blocks_keeps_the_order() {
    on(4, |me| {
        let ((op, datatype), counts) = (matrices(), [2, 0, 1, 3]);
        let own = matrix_of(me.rank).repeat(6);
        let mut part = vec![7; 16];
        let place = into(&mut part);
        mpi!(MPI_Reduce_scatter(of(&own), place, counts.as_ptr(), datatype, op, WORLD));
        let words = 4 * counts[me.rank as usize] as usize;
        assert!(part[..words].chunks(4).all(|matrix| matrix == product(0..4)));
        assert!(part[words..].iter().all(|word| *word == 7), "nothing is written behind the block");
    });
}

#[test]
fn each_rank_gets_its_own_block_of_a_reduce_scatter() {
    on(5, |me| {
        let counts = [1, 3, 0, 2, 4];
        let first: i32 = counts[..me.rank as usize].iter().sum();
        let own: Vec<i32> = (0..10).map(|word| word * 100 + me.rank).collect();
        let count = counts[me.rank as usize];
        let expected: Vec<i32> = (first..first + count).map(|word| word * 500 + 10).collect();
        let mut part = vec![0; count as usize];
        let (place, list) = (into(&mut part), counts.as_ptr());
        mpi!(MPI_Reduce_scatter(of(&own), place, list, MPI_INT, MPI_SUM, WORLD));
        assert_eq!(part, expected);
        let mut both = own.clone();
        mpi!(MPI_Reduce_scatter(IN_PLACE, into(&mut both), list, MPI_INT, MPI_SUM, WORLD));
        assert_eq!(both[..count as usize], expected);
        let (mut request, mut again) = (MPI_REQUEST_NULL, vec![0; count as usize]);
        let place = into(&mut again);
        mpi!(MPI_Ireduce_scatter(of(&own), place, list, MPI_INT, MPI_SUM, WORLD, &mut request));
        wait(&mut request);
        assert_eq!(again, expected);
    });
}

#[test]
fn in_place_forms_read_the_result_buffer() {
    on(4, |me| {
        let mut words = [me.rank, 2 * me.rank];
        mpi!(MPI_Allreduce(IN_PLACE, into(&mut words), 2, MPI_INT, MPI_SUM, WORLD));
        assert_eq!(words, [6, 12]);
        let (mut sum, out) = ([me.rank], [me.rank]);
        let send = if me.rank == 2 { IN_PLACE } else { of(&out) };
        mpi!(MPI_Reduce(send, into(&mut sum), 1, MPI_INT, MPI_SUM, 2, WORLD));
        assert_eq!(sum, [if me.rank == 2 { 6 } else { me.rank }]);
        let mut up_to_here = [me.rank + 1];
        mpi!(MPI_Scan(IN_PLACE, into(&mut up_to_here), 1, MPI_INT, MPI_PROD, WORLD));
        assert_eq!(up_to_here, [[1, 2, 6, 24][me.rank as usize]]);
        let mut before = [me.rank + 1];
        mpi!(MPI_Exscan(IN_PLACE, into(&mut before), 1, MPI_INT, MPI_PROD, WORLD));
        assert_eq!(before, [[1, 1, 2, 6][me.rank as usize]]);
    });
}

#[test]
fn in_place_gathers_and_scatters_leave_the_roots_block_where_it_is() {
    on(4, |me| {
        let (own, mut all) = ([me.rank * 5], [-1; 4]);
        all[me.rank as usize] = own[0];
        let place = into(&mut all);
        mpi!(MPI_Allgather(IN_PLACE, 9, MPI_INT, place, 1, MPI_INT, WORLD));
        assert_eq!(all, [0, 5, 10, 15]);
        let mut all = [-1, -1, -1, 15];
        let (send, place) = (if me.rank == 3 { IN_PLACE } else { of(&own) }, into(&mut all));
        mpi!(MPI_Gather(send, 1, MPI_INT, place, 1, MPI_INT, 3, WORLD));
        assert_eq!(all[0], if me.rank == 3 { 0 } else { -1 });
        assert!(me.rank != 3 || all == [0, 5, 10, 15]);
        let (blocks, mut word) = ([4, 5, 6, 7], [-1]);
        let place = if me.rank == 1 { IN_PLACE.cast_mut() } else { into(&mut word) };
        mpi!(MPI_Scatter(of(&blocks), 1, MPI_INT, place, 1, MPI_INT, 1, WORLD));
        assert_eq!(word, [if me.rank == 1 { -1 } else { 4 + me.rank }]);
    });
}

#[test]
fn an_alltoall_in_place_transposes() {
    on(4, |me| {
        for block in [1, 500] {
            let row = |from: i32, to: i32| vec![10 * from + to; block];
            let mut words: Vec<i32> = (0..4).flat_map(|to| row(me.rank, to)).collect();
            let (place, each) = (into(&mut words), block as i32);
            mpi!(MPI_Alltoall(IN_PLACE, 0, MPI_INT, place, each, MPI_INT, WORLD));
            let column: Vec<i32> = (0..4).flat_map(|from| row(from, me.rank)).collect();
            assert_eq!(words, column);
        }
    });
}

#[test]
fn gatherv_leaves_the_gaps_between_its_blocks() {
    on(4, |me| {
        let (counts, places) = ([1, 0, 3, 2], [9, 2, 4, 0]);
        let own = vec![me.rank + 1; counts[me.rank as usize] as usize];
        let expected = [4, 4, 7, 7, 3, 3, 3, 7, 7, 1, 7];
        let (mut all, mut everywhere) = ([7; 11], [7; 11]);
        let (place, counts, places) = (into(&mut all), counts.as_ptr(), places.as_ptr());
        mpi!(MPI_Gatherv(of(&own), len(&own), MPI_INT, place, counts, places, MPI_INT, 1, WORLD));
        assert_eq!(all, if me.rank == 1 { expected } else { [7; 11] });
        let place = into(&mut everywhere);
        mpi!(MPI_Allgatherv(of(&own), len(&own), MPI_INT, place, counts, places, MPI_INT, WORLD));
        assert_eq!(everywhere, expected);
    });
}

#[test]
fn scatterv_takes_blocks_from_where_they_lie() {
    on(4, |me| {
        let (counts, places): ([i32; 4], _) = ([2, 0, 1, 3], [4, 0, 4, 0]);
        let all: Vec<i32> = (10..20).collect();
        let mut part = [7; 4];
        let count = counts[me.rank as usize];
        let (list, at, into) = (counts.as_ptr(), places.as_ptr(), into(&mut part));
        mpi!(MPI_Scatterv(of(&all), list, at, MPI_INT, into, count, MPI_INT, 3, WORLD));
        let expected = [[14, 15, 7, 7], [7; 4], [14, 7, 7, 7], [10, 11, 12, 7]];
        assert_eq!(part, expected[me.rank as usize]);
    });
}

#[test]
fn alltoallv_sends_every_pair_its_own_number_of_words() {
    on(4, |me| {
        let count = |from: i32, to: i32| (from + 2 * to) % 4;
        let place = |other: i32| 5 * (3 - other);
        let of_all = |f: &dyn Fn(i32) -> i32| (0..4).map(f).collect::<Vec<i32>>();
        let (sends, receives) =
            (of_all(&|to| count(me.rank, to)), of_all(&|from| count(from, me.rank)));
        let places = of_all(&place);
        let (mut out, mut into_words, mut expected) = (vec![0; 20], vec![7; 20], vec![7; 20]);
        for other in 0..4 {
            for at in 0..count(me.rank, other) {
                out[(place(other) + at) as usize] = 100 * me.rank + 10 * other + at;
            }
            for at in 0..count(other, me.rank) {
                expected[(place(other) + at) as usize] = 100 * other + 10 * me.rank + at;
            }
        }
        let (from, to, at) = (sends.as_ptr(), receives.as_ptr(), places.as_ptr());
        let place = into(&mut into_words);
        mpi!(MPI_Alltoallv(of(&out), from, at, MPI_INT, place, to, at, MPI_INT, WORLD));
        assert_eq!(into_words, expected);
        into_words.fill(7);
        let (place, mut request) = (into(&mut into_words), MPI_REQUEST_NULL);
        let r = &raw mut request;
        mpi!(MPI_Ialltoallv(of(&out), from, at, MPI_INT, place, to, at, MPI_INT, WORLD, r));
        wait(&mut request);
        assert_eq!(into_words, expected);
    });
}

#[test]
fn alltoallw_counts_its_places_in_bytes_and_has_a_type_for_each_pair() {
    on(2, |me| {
        let (out, mut words) = ([1 + me.rank, 2, 3 + me.rank, 4], [7; 4]);
        let (counts, from, to) = ([1, 4], [0, 8], [12, 0]);
        let types = [MPI_INT, MPI_BYTE];
        let crossed = if me.rank == 0 { [MPI_INT, MPI_INT] } else { [MPI_BYTE, MPI_BYTE] };
        let received = if me.rank == 0 { [1, 1] } else { [4, 4] };
        let (place, counts) = (into(&mut words), counts.as_ptr());
        mpi!(MPI_Alltoallw(
            of(&out),
            counts,
            from.as_ptr(),
            types.as_ptr(),
            place,
            received.as_ptr(),
            to.as_ptr(),
            crossed.as_ptr(),
            WORLD
        ));
        let expected = if me.rank == 0 { [2, 7, 7, 1] } else { [4, 7, 7, 3] };
        assert_eq!(words, expected);
    });
}

#[test]
fn nothing_is_read_or_written_by_counts_of_zero() {
    on(3, |me| {
        let nowhere = null_mut();
        mpi!(MPI_Bcast(nowhere, 0, MPI_INT, 1, WORLD));
        mpi!(MPI_Allreduce(nowhere, nowhere, 0, MPI_INT, MPI_SUM, WORLD));
        mpi!(MPI_Allgather(nowhere, 0, MPI_INT, nowhere, 0, MPI_INT, WORLD));
        mpi!(MPI_Alltoall(nowhere, 0, MPI_INT, nowhere, 0, MPI_INT, WORLD));
        mpi!(MPI_Reduce(nowhere, nowhere, 0, MPI_INT, MPI_SUM, 2, WORLD));
        mpi!(MPI_Exscan(nowhere, nowhere, 0, MPI_INT, MPI_SUM, WORLD));
        assert_eq!(WORLD.allgather(me.rank), [0, 1, 2]);
    });
}

#[test]
fn collectives_under_way_complete_in_any_order() {
    on(4, |me| {
        let (mut words, own, mut sum, mut all) = ([me.rank; 2], [me.rank], [0], [0; 4]);
        let mut list = [MPI_REQUEST_NULL; 4];
        let (place, one, two, three) = (into(&mut words), of(&own), into(&mut sum), into(&mut all));
        mpi!(MPI_Ibcast(place, 2, MPI_INT, 3, WORLD, &mut list[0]));
        mpi!(MPI_Iallreduce(one, two, 1, MPI_INT, MPI_MAX, WORLD, &mut list[1]));
        mpi!(MPI_Ibarrier(WORLD, &mut list[2]));
        mpi!(MPI_Iallgather(one, 1, MPI_INT, three, 1, MPI_INT, WORLD, &mut list[3]));
        for at in 0..4 {
            wait(&mut list[(at + me.rank as usize) % 4]);
        }
        assert_eq!((words, sum, all), ([3; 2], [3], [0, 1, 2, 3]));
    });
}

#[test]
fn blocking_collectives_pass_those_under_way() {
    on(4, |me| {
        let (own, mut sum, mut request) = ([me.rank], [0], MPI_REQUEST_NULL);
        let place = into(&mut sum);
        mpi!(MPI_Iallreduce(of(&own), place, 1, MPI_INT, MPI_SUM, WORLD, &mut request));
        for _ in 0..3 {
            assert_eq!(WORLD.allgather(me.rank), [0, 1, 2, 3]);
        }
        WORLD.send(&[me.rank], (me.rank + 1) % 4, 2);
        assert_eq!(WORLD.word((me.rank + 3) % 4, 2), (me.rank + 3) % 4);
        wait(&mut request);
        assert_eq!(sum, [6]);
    });
}

#[test]
fn a_barrier_under_way_ends_only_after_the_last_has_come() {
    on(3, |me| {
        let mut request = MPI_REQUEST_NULL;
        if me.rank == 2 {
            WORLD.recv(0, 1);
            WORLD.recv(1, 1);
            mpi!(MPI_Ibarrier(WORLD, &mut request));
        } else {
            mpi!(MPI_Ibarrier(WORLD, &mut request));
            for _ in 0..50 {
                assert!(test(&mut request).is_none());
                nemesis::yield_now();
            }
            WORLD.send(&[], 2, 1);
        }
        let status = wait(&mut request);
        assert!(status.error == -77 || status.error == MPI_SUCCESS);
    });
}

#[test]
fn persistent_collectives_read_their_buffers_at_each_start() {
    on(3, |me| {
        let (mut own, mut all, mut request) = ([0; 3], [0; 3], MPI_REQUEST_NULL);
        let (out, place, info) = (of(&own), into(&mut all), MPI_INFO_NULL);
        let r = &raw mut request;
        mpi!(MPI_Alltoall_init(out, 1, MPI_INT, place, 1, MPI_INT, WORLD, info, r));
        for turn in 0..4 {
            own.copy_from_slice(&[0, 1, 2].map(|to| 100 * turn + 10 * me.rank + to));
            start(&mut request);
            wait(&mut request);
            assert_eq!(all, [0, 1, 2].map(|from| 100 * turn + 10 * from + me.rank));
        }
        free(&mut request);
    });
}

#[test]
fn minloc_takes_the_lowest_index_of_equal_values() {
    on(4, |me| {
        let own = [[5, 3, 3, 9][me.rank as usize], 10 - me.rank];
        let (mut least, mut most) = ([0; 2], [0; 2]);
        mpi!(MPI_Allreduce(of(&own), into(&mut least), 1, MPI_2INT, MPI_MINLOC, WORLD));
        mpi!(MPI_Allreduce(of(&own), into(&mut most), 1, MPI_2INT, MPI_MAXLOC, WORLD));
        assert_eq!((least, most), ([3, 8], [9, 7]));
    });
}

#[test]
fn reduce_local_puts_the_first_operand_left() {
    on(1, |_| {
        let ((op, datatype), one, mut two) = (matrices(), matrix_of(1), matrix_of(2));
        mpi!(MPI_Reduce_local(of(&one), into(&mut two), 1, datatype, op));
        assert_eq!(two, product(1..3));
        let mut commutes = 7;
        mpi!(MPI_Op_commutative(op, &mut commutes));
        assert_eq!(commutes, 0);
        mpi!(MPI_Op_free(&mut { op }));
        mpi_fails!(MPI_ERR_OP, MPI_Op_free(&mut { MPI_SUM }));
        mpi_fails!(MPI_ERR_OP, MPI_Reduce_local(of(&one), into(&mut two), 1, MPI_INT, op));
    });
}

#[test]
fn operations_refuse_types_that_they_do_not_know() {
    on(2, |_| {
        let (own, mut result) = ([1.5_f64], [0; 2]);
        let (out, place) = (own.as_ptr().cast(), into(&mut result));
        mpi_fails!(MPI_ERR_OP, MPI_Allreduce(out, place, 1, MPI_DOUBLE, MPI_BAND, WORLD));
        mpi_fails!(MPI_ERR_OP, MPI_Allreduce(out, place, 1, MPI_2INT, MPI_SUM, WORLD));
        mpi_fails!(MPI_ERR_OP, MPI_Allreduce(out, place, 1, MPI_INT, MPI_REPLACE, WORLD));
        mpi_fails!(MPI_ERR_ROOT, MPI_Bcast(place, 1, MPI_INT, 2, WORLD));
        WORLD.barrier();
    });
}

#[test]
fn sums_of_floating_point_numbers_are_the_same_bits_in_every_order_of_arrival() {
    on(7, |me| {
        let own = [1.0e-9 * f64::from(me.rank), 1.0e9, -1.0e9, 0.1].map(|part| part + 0.3);
        let mut first = [0.0_f64; 4];
        for turn in 0..4 {
            let mut sum = [0.0_f64; 4];
            let (out, place) = (own.as_ptr().cast(), sum.as_mut_ptr().cast());
            (0..turn * me.rank).for_each(|_| nemesis::yield_now());
            mpi!(MPI_Allreduce(out, place, 4, MPI_DOUBLE, MPI_SUM, WORLD));
            if turn == 0 {
                first = sum;
            }
            assert_eq!(sum.map(f64::to_bits), first.map(f64::to_bits));
        }
        let mut words = first.map(|part| part.to_bits() as i32);
        let mine = words;
        WORLD.bcast(&mut words, 0);
        assert_eq!(words, mine, "all ranks have the same bits");
    });
}

#[test]
fn a_broadcast_of_strided_words_fills_contiguous_ones() {
    on(3, |me| {
        let mut words = [0; 8];
        if me.rank == 1 {
            let mut every_second = MPI_DATATYPE_NULL;
            (words, _) = ([1, 0, 2, 0, 3, 0, 4, 0], ());
            mpi!(MPI_Type_vector(4, 1, 2, MPI_INT, &mut every_second));
            mpi!(MPI_Type_commit(&mut every_second));
            mpi!(MPI_Bcast(into(&mut words), 1, every_second, 1, WORLD));
            mpi!(MPI_Type_free(&mut every_second));
        } else {
            mpi!(MPI_Bcast(into(&mut words), 4, MPI_INT, 1, WORLD));
            assert_eq!(words, [1, 2, 3, 4, 0, 0, 0, 0]);
        }
    });
}

#[test]
fn a_gather_puts_blocks_at_multiples_of_the_types_extent() {
    on(3, |me| {
        let (mut wide, own, mut all) = (MPI_DATATYPE_NULL, [me.rank + 1], [7; 9]);
        mpi!(MPI_Type_create_resized(MPI_INT, 0, 12, &mut wide));
        mpi!(MPI_Type_commit(&mut wide));
        let place = into(&mut all);
        mpi!(MPI_Allgather(of(&own), 1, MPI_INT, place, 1, wide, WORLD));
        assert_eq!(all, [1, 7, 7, 2, 7, 7, 3, 7, 7]);
        mpi!(MPI_Type_free(&mut wide));
    });
}
