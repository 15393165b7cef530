//! Collective operations: blocking, non-blocking and persistent, several at once.

use super::{Member, length, word};
use crate::mpi;
use crate::mpi::*;
use std::ptr::null_mut;

/// The operations.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Barrier,
    Bcast,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Reduce,
    Allreduce,
    ReduceScatter,
    Scan,
    Exscan,
}

const KINDS: &[Kind] = &[
    Kind::Barrier,
    Kind::Bcast,
    Kind::Gather,
    Kind::Scatter,
    Kind::Allgather,
    Kind::Alltoall,
    Kind::Reduce,
    Kind::Allreduce,
    Kind::Allreduce,
    Kind::ReduceScatter,
    Kind::Scan,
    Kind::Exscan,
];

/// A reduction, and what it makes of two words.
type Reduction = (Op, fn(i32, i32) -> i32);

const REDUCTIONS: &[Reduction] = &[
    (MPI_SUM, i32::wrapping_add),
    (MPI_MAX, |a, b| a.max(b)),
    (MPI_MIN, |a, b| a.min(b)),
    (MPI_BXOR, |a, b| a ^ b),
];

/// An operation of a step, and this process's memory for it.
struct Operation {
    kind: Kind,
    seed: u64,
    /// Words of a block.
    words: usize,
    root: usize,
    reduction: Reduction,
    out: Vec<i32>,
    into: Vec<i32>,
    request: Request,
}

/// Performs one operation, or several at once.
pub fn perform(member: &Member, random: &mut fastrand::Rng) {
    let at_once = if random.bool() { 1 } else { random.usize(2..5) };
    let mut operations: Vec<Operation> = (0..at_once)
        .map(|_| {
            let kind = KINDS[random.usize(..KINDS.len())];
            let most = 200_000 / member.size;
            Operation::new(member, kind, length(random).min(most), random)
        })
        .collect();
    if let [operation] = &mut operations[..] {
        match random.u8(..3) {
            0 => operation.repeat(member),
            _ => operation.call(member),
        }
    } else {
        for operation in &mut operations {
            operation.start(member);
        }
        let mut order: Vec<usize> = (0..operations.len()).collect();
        fastrand::Rng::with_seed(random.u64(..) ^ member.rank as u64).shuffle(&mut order);
        for index in order {
            mpi!(MPI_Wait(&mut operations[index].request, null_mut()));
        }
    }
    for operation in &operations {
        operation.check(member);
    }
}

impl Operation {
    fn new(member: &Member, kind: Kind, words: usize, random: &mut fastrand::Rng) -> Operation {
        let (seed, root) = (random.u64(..), random.usize(..member.size));
        let reduction = REDUCTIONS[random.usize(..REDUCTIONS.len())];
        let own_block = |block: usize| {
            (0..words).map(move |index| word(seed ^ block as u64, member.rank, index))
        };
        let blocks = match kind {
            Kind::Scatter | Kind::Alltoall | Kind::ReduceScatter => member.size,
            _ => 1,
        };
        let out: Vec<i32> = (0..blocks).flat_map(own_block).collect();
        let arrives = match kind {
            Kind::Gather | Kind::Allgather | Kind::Alltoall => member.size * words,
            _ => words,
        };
        let mut into = vec![-1; arrives];
        if matches!(kind, Kind::Bcast) && member.rank == root {
            into.copy_from_slice(&out);
        }
        let request = MPI_REQUEST_NULL;
        Operation { kind, seed, words, root, reduction, out, into, request }
    }

    fn call(&mut self, member: &Member) {
        let (comm, count, root) = (member.comm, self.words as i32, self.root as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (int, op) = (MPI_INT, self.reduction.0);
        match self.kind {
            Kind::Barrier => mpi!(MPI_Barrier(comm)),
            Kind::Bcast => mpi!(MPI_Bcast(into, count, int, root, comm)),
            Kind::Gather => mpi!(MPI_Gather(out, count, int, into, count, int, root, comm)),
            Kind::Scatter => mpi!(MPI_Scatter(out, count, int, into, count, int, root, comm)),
            Kind::Allgather => mpi!(MPI_Allgather(out, count, int, into, count, int, comm)),
            Kind::Alltoall => mpi!(MPI_Alltoall(out, count, int, into, count, int, comm)),
            Kind::Reduce => mpi!(MPI_Reduce(out, into, count, int, op, root, comm)),
            Kind::Allreduce => mpi!(MPI_Allreduce(out, into, count, int, op, comm)),
            Kind::ReduceScatter => {
                mpi!(MPI_Reduce_scatter_block(out, into, count, int, op, comm));
            }
            Kind::Scan => mpi!(MPI_Scan(out, into, count, int, op, comm)),
            Kind::Exscan => mpi!(MPI_Exscan(out, into, count, int, op, comm)),
        }
    }

    fn start(&mut self, member: &Member) {
        let (comm, count, root) = (member.comm, self.words as i32, self.root as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (int, op, r) = (MPI_INT, self.reduction.0, &raw mut self.request);
        match self.kind {
            Kind::Barrier => mpi!(MPI_Ibarrier(comm, r)),
            Kind::Bcast => mpi!(MPI_Ibcast(into, count, int, root, comm, r)),
            Kind::Gather => mpi!(MPI_Igather(out, count, int, into, count, int, root, comm, r)),
            Kind::Scatter => mpi!(MPI_Iscatter(out, count, int, into, count, int, root, comm, r)),
            Kind::Allgather => mpi!(MPI_Iallgather(out, count, int, into, count, int, comm, r)),
            Kind::Alltoall => mpi!(MPI_Ialltoall(out, count, int, into, count, int, comm, r)),
            Kind::Reduce => mpi!(MPI_Ireduce(out, into, count, int, op, root, comm, r)),
            Kind::Allreduce => mpi!(MPI_Iallreduce(out, into, count, int, op, comm, r)),
            Kind::ReduceScatter => {
                mpi!(MPI_Ireduce_scatter_block(out, into, count, int, op, comm, r));
            }
            Kind::Scan => mpi!(MPI_Iscan(out, into, count, int, op, comm, r)),
            Kind::Exscan => mpi!(MPI_Iexscan(out, into, count, int, op, comm, r)),
        }
    }

    /// Performs the operation as a persistent one, three times, if it is one of two kinds.
    fn repeat(&mut self, member: &Member) {
        let (comm, count) = (member.comm, self.words as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (op, r, info) = (self.reduction.0, &raw mut self.request, MPI_INFO_NULL);
        match self.kind {
            Kind::Bcast => {
                mpi!(MPI_Bcast_init(into, count, MPI_INT, self.root as i32, comm, info, r));
            }
            Kind::Allreduce => {
                mpi!(MPI_Allreduce_init(out, into, count, MPI_INT, op, comm, info, r))
            }
            _ => return self.call(member),
        }
        for _ in 0..3 {
            mpi!(MPI_Start(&mut self.request));
            mpi!(MPI_Wait(&mut self.request, null_mut()));
        }
        mpi!(MPI_Request_free(&mut self.request));
    }

    /// Returns what a block of the result must be; `None` if it is not defined.
    fn expected(&self, member: &Member, block: usize, index: usize) -> Option<i32> {
        let (own, size, root) = (member.rank, member.size, self.root);
        let at = |part: usize, who: usize| word(self.seed ^ part as u64, who, index);
        let of_all = |part: usize, members: std::ops::Range<usize>| {
            members.map(|who| at(part, who)).reduce(self.reduction.1)
        };
        match self.kind {
            Kind::Barrier => None,
            Kind::Bcast => Some(at(0, root)),
            Kind::Gather => (own == root).then(|| at(0, block)),
            Kind::Scatter => Some(at(own, root)),
            Kind::Allgather => Some(at(0, block)),
            Kind::Alltoall => Some(at(own, block)),
            Kind::Reduce if own != root => None,
            Kind::Reduce | Kind::Allreduce => of_all(0, 0..size),
            Kind::ReduceScatter => of_all(own, 0..size),
            Kind::Scan => of_all(0, 0..own + 1),
            Kind::Exscan => of_all(0, 0..own),
        }
    }

    fn check(&self, member: &Member) {
        for (place, found) in self.into.iter().enumerate() {
            let (block, index) = (place / self.words, place % self.words);
            let expected = self.expected(member, block, index);
            assert!(
                expected.is_none_or(|expected| expected == *found),
                "{:?} of {} words, root {}: word {index} of block {block} is {found}, not {}",
                self.kind,
                self.words,
                self.root,
                expected.unwrap_or_default()
            );
        }
    }
}
