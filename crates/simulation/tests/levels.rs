//! Collectives of many ranks on a node, and on several: the data are right, and only leaders send
//! packets.

use nemesis_simulation::job::{Report, Setup, run};
use nemesis_simulation::mpi;
use nemesis_simulation::mpi::*;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Lengths in elements: in a line, in a staging buffer, and in several chunks, of which the last
/// one would fit into a line or not.
const LENGTHS: [usize; 4] = [1, 700, 16_386, 20_000];
/// Ranks up to which several lengths, and long ones, are tried.
const RANKS_MAX: usize = 40;
const LONG_RANKS_MAX: usize = 17;

struct World {
    rank: usize,
    size: usize,
}

fn out(data: &[i32]) -> *const c_void {
    data.as_ptr().cast()
}

fn into(data: &mut [i32]) -> *mut c_void {
    data.as_mut_ptr().cast()
}

/// Returns what a rank contributes in element `index` of a call.
fn value(rank: usize, index: usize, call: usize) -> i32 {
    ((rank * 31 + index * 7 + call) % 1000) as i32
}

impl World {
    fn own(&self, length: usize, call: usize) -> Vec<i32> {
        (0..length).map(|index| value(self.rank, index, call)).collect()
    }

    /// Returns the sum of an element over the ranks of a range.
    fn sum(&self, ranks: std::ops::Range<usize>, index: usize, call: usize) -> i32 {
        ranks.map(|rank| value(rank, index, call)).sum()
    }

    fn rooted(&self, length: usize, root: usize) {
        let (own, count, to) = (self.own(length, root), length as i32, root as i32);
        let mut data = if self.rank == root { own.clone() } else { vec![0; length] };
        mpi!(MPI_Bcast(into(&mut data), count, MPI_INT, to, MPI_COMM_WORLD));
        assert!((0..length).all(|index| data[index] == value(root, index, root)));
        let mut sum = vec![0; length];
        let (from, place) = (out(&own), into(&mut sum));
        mpi!(MPI_Reduce(from, place, count, MPI_INT, MPI_SUM, to, MPI_COMM_WORLD));
        if self.rank == root {
            let right = |index| sum[index] == self.sum(0..self.size, index, root);
            assert!((0..length).all(right));
        }
        if length * self.size > 100_000 {
            return;
        }
        let mut all = vec![0; if self.rank == root { length * self.size } else { 0 }];
        let (from, place) = (out(&own), into(&mut all));
        mpi!(MPI_Gather(from, count, MPI_INT, place, count, MPI_INT, to, MPI_COMM_WORLD));
        let right = |at: usize| all[at] == value(at / length, at % length, root);
        assert!((0..all.len()).all(right));
        let mut block = vec![0; length];
        let (from, place) = (out(&all), into(&mut block));
        mpi!(MPI_Scatter(from, count, MPI_INT, place, count, MPI_INT, to, MPI_COMM_WORLD));
        assert_eq!(block, own);
    }

    fn for_all(&self, length: usize) {
        let (own, count, size) = (self.own(length, 3), length as i32, self.size);
        mpi!(MPI_Barrier(MPI_COMM_WORLD));
        let mut sum = vec![0; length];
        let place = into(&mut sum);
        mpi!(MPI_Allreduce(out(&own), place, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        assert!((0..length).all(|index| sum[index] == self.sum(0..size, index, 3)));
        let place = into(&mut sum);
        mpi!(MPI_Scan(out(&own), place, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        assert!((0..length).all(|index| sum[index] == self.sum(0..self.rank + 1, index, 3)));
        sum.fill(-1);
        let place = into(&mut sum);
        mpi!(MPI_Exscan(out(&own), place, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        let before = |index| if self.rank == 0 { -1 } else { self.sum(0..self.rank, index, 3) };
        assert!((0..length).all(|index| sum[index] == before(index)));
        if length * size > 100_000 {
            return;
        }
        let mut all = vec![0; length * size];
        let place = into(&mut all);
        mpi!(MPI_Allgather(out(&own), count, MPI_INT, place, count, MPI_INT, MPI_COMM_WORLD));
        assert!((0..all.len()).all(|at| all[at] == value(at / length, at % length, 3)));
        let sent: Vec<i32> = (0..all.len()).map(|at| value(self.rank, at, 4)).collect();
        let place = into(&mut all);
        mpi!(MPI_Alltoall(out(&sent), count, MPI_INT, place, count, MPI_INT, MPI_COMM_WORLD));
        let from = |at: usize| value(at / length, self.rank * length + at % length, 4);
        assert!((0..all.len()).all(|at| all[at] == from(at)));
        let place = into(&mut sum);
        let world = MPI_COMM_WORLD;
        mpi!(MPI_Reduce_scatter_block(out(&sent), place, count, MPI_INT, MPI_SUM, world));
        let of_all = |index| self.sum(0..size, self.rank * length + index, 4);
        assert!((0..length).all(|index| sum[index] == of_all(index)));
    }

    /// Blocks of different lengths, some of them empty.
    fn of_lengths(&self) {
        let counts: Vec<i32> = (0..self.size).map(|rank| (rank % 4 * 3) as i32).collect();
        let mut starts = vec![0];
        counts.iter().for_each(|count| starts.push(starts.last().unwrap() + count));
        let own = self.own(counts[self.rank] as usize, 9);
        let mut all = vec![0; *starts.last().unwrap() as usize];
        let (place, lengths, begins) = (into(&mut all), counts.as_ptr(), starts.as_ptr());
        let (count, world) = (own.len() as i32, MPI_COMM_WORLD);
        mpi!(MPI_Allgatherv(out(&own), count, MPI_INT, place, lengths, begins, MPI_INT, world));
        for rank in 0..self.size {
            let block = &all[starts[rank] as usize..starts[rank + 1] as usize];
            assert!((0..block.len()).all(|index| block[index] == value(rank, index, 9)));
        }
        let sent: Vec<i32> = (0..all.len()).map(|at| value(self.rank, at, 2)).collect();
        let mut part = vec![0; own.len()];
        let place = into(&mut part);
        mpi!(MPI_Reduce_scatter(out(&sent), place, lengths, MPI_INT, MPI_SUM, world));
        let begin = starts[self.rank] as usize;
        let right = |index| part[index] == self.sum(0..self.size, begin + index, 2);
        assert!((0..part.len()).all(right));
    }
}

fn collectives(_: u32) {
    mpi!(MPI_Init(null_mut(), null_mut()));
    let (mut rank, mut size) = (0, 0);
    mpi!(MPI_Comm_rank(MPI_COMM_WORLD, &mut rank));
    mpi!(MPI_Comm_size(MPI_COMM_WORLD, &mut size));
    let world = World { rank: rank as usize, size: size as usize };
    for length in LENGTHS {
        if length > 1 && world.size > RANKS_MAX || length > 1000 && world.size > LONG_RANKS_MAX {
            continue;
        }
        world.for_all(length);
        for root in [0, world.size / 2 + 1] {
            world.rooted(length, root);
        }
    }
    world.of_lengths();
    let mut part = MPI_COMM_NULL;
    mpi!(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &mut part));
    for _ in 0..4 {
        let mut sum = 0;
        let (own, place) = ((&raw const rank).cast(), (&raw mut sum).cast());
        mpi!(MPI_Allreduce(own, place, 1, MPI_INT, MPI_SUM, part));
        assert_eq!(sum, (rank % 2..size).step_by(2).sum::<i32>());
    }
    mpi!(MPI_Comm_free(&mut part));
    mpi!(MPI_Finalize());
}

fn well(setup: Setup, program: fn(u32)) -> Report {
    let (ranks, dedicated) = (setup.nodes.len(), setup.dedicated);
    let report = run(setup, program);
    assert!(report.failure.is_none(), "{ranks} ranks, {dedicated}: {:#?}", report.failure);
    report
}

#[test]
fn many_members_of_a_node_have_the_right_data() {
    for (ranks, dedicated) in [(17, true), (17, false), (33, true), (128, true)] {
        well(Setup { dedicated, ..Setup::new(1, ranks, 1) }, collectives);
    }
}

#[test]
fn many_members_of_several_nodes_have_the_right_data() {
    for (ranks, hosts) in [(7, 3), (36, 2)] {
        well(Setup { dedicated: true, ..Setup::new(2, ranks, hosts) }, collectives);
        // The ranks of a node do not follow one another.
        let nodes = (0..ranks).map(|rank| rank % hosts).collect();
        well(Setup { nodes, ..Setup::new(3, ranks, hosts) }, collectives);
    }
}
