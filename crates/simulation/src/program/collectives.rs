//! Collective operations: blocking, non-blocking and persistent, several at once.

use super::{Member, length, word};
use crate::mpi;
use crate::mpi::*;
use std::ffi::{c_int, c_void};
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
    /// With blocks of different lengths.
    Gatherv,
    Scatterv,
    Allgatherv,
    Alltoallv,
    UnevenReduceScatter,
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
    Kind::Gatherv,
    Kind::Scatterv,
    Kind::Allgatherv,
    Kind::Alltoallv,
    Kind::UnevenReduceScatter,
];

/// A reduction, and what it makes of two words.
#[derive(Clone, Copy)]
struct Reduction {
    /// The operator; of the program's own one, its function.
    op: Result<Op, UserFunction>,
    of: fn(i32, i32) -> i32,
}

type UserFunction = extern "C" fn(*const i32, *mut i32, *const c_int, *const Datatype);

/// The last two are the program's own, and not commutative: the order of the ranks is theirs.
const REDUCTIONS: &[Reduction] = &[
    Reduction { op: Ok(MPI_SUM), of: i32::wrapping_add },
    Reduction { op: Ok(MPI_MAX), of: |a, b| a.max(b) },
    Reduction { op: Ok(MPI_MIN), of: |a, b| a.min(b) },
    Reduction { op: Ok(MPI_BXOR), of: |a, b| a ^ b },
    Reduction { op: Err(first), of: |a, _| a },
    Reduction { op: Err(last), of: |_, b| b },
];

/// `MPI_User_function`: of two words, the first.
#[allow(unsafe_code)]
extern "C" fn first(input: *const i32, inout: *mut i32, count: *const c_int, _: *const Datatype) {
    // SAFETY: MPI hands over two vectors of this many elements, which do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(input, inout, *count as usize) }
}

/// `MPI_User_function`: of two words, the second.
extern "C" fn last(_: *const i32, _: *mut i32, _: *const c_int, _: *const Datatype) {}

/// An operation of a step, and this process's memory for it.
struct Operation {
    kind: Kind,
    seed: u64,
    /// Words of a block.
    words: usize,
    root: usize,
    reduction: Reduction,
    /// The operator of the reduction.
    op: Op,
    out: Vec<i32>,
    into: Vec<i32>,
    request: Request,
    /// The blocks that this process sends, and those that it receives.
    sent: Blocks,
    received: Blocks,
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
    for operation in &mut operations {
        operation.check(member);
        if operation.reduction.op.is_err() {
            mpi!(MPI_Op_free(&mut operation.op));
        }
    }
}

/// Returns the length of a block among blocks of different lengths: some have none.
fn uneven(words: usize, block: usize) -> usize {
    words * (block * 7 % 4) / 2
}

/// The lengths of blocks and where they begin, as the calls take them.
#[derive(Default)]
struct Blocks {
    counts: Vec<c_int>,
    places: Vec<c_int>,
}

impl Blocks {
    /// Blocks of these lengths, one behind the other.
    fn new(lengths: impl Iterator<Item = usize>) -> Blocks {
        let counts: Vec<c_int> = lengths.map(|length| length as c_int).collect();
        let places = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end - count)
        });
        let places = places.collect();
        Blocks { counts, places }
    }
}

impl Operation {
    fn new(member: &Member, kind: Kind, words: usize, random: &mut fastrand::Rng) -> Operation {
        let (seed, root) = (random.u64(..), random.usize(..member.size));
        let reduction = REDUCTIONS[random.usize(..REDUCTIONS.len())];
        let mut op = MPI_OP_NULL;
        match reduction.op {
            Ok(predefined) => op = predefined,
            Err(function) => mpi!(MPI_Op_create(function as *const c_void, 0, &mut op)),
        }
        let mut operation = Operation {
            kind,
            seed,
            words,
            root,
            reduction,
            op,
            out: Vec::new(),
            into: Vec::new(),
            request: MPI_REQUEST_NULL,
            sent: Blocks::default(),
            received: Blocks::default(),
        };
        let sent =
            (0..operation.blocks_sent(member)).map(|block| operation.length_sent(member, block));
        let sent = Blocks::new(sent);
        let received = (0..operation.blocks_received(member))
            .map(|block| operation.length_received(member, block));
        let received = Blocks::new(received);
        let own_block = |(block, &length): (usize, &c_int)| {
            (0..length as usize).map(move |index| word(seed ^ block as u64, member.rank, index))
        };
        operation.out = sent.counts.iter().enumerate().flat_map(own_block).collect();
        operation.into = vec![-1; received.counts.iter().sum::<c_int>() as usize];
        if matches!(kind, Kind::Bcast) && member.rank == root {
            operation.into.copy_from_slice(&operation.out);
        }
        Operation { sent, received, ..operation }
    }

    /// The number of blocks that this process sends.
    fn blocks_sent(&self, member: &Member) -> usize {
        match self.kind {
            Kind::Scatter
            | Kind::Scatterv
            | Kind::Alltoall
            | Kind::Alltoallv
            | Kind::ReduceScatter
            | Kind::UnevenReduceScatter => member.size,
            _ => 1,
        }
    }

    /// The number of blocks that this process receives.
    fn blocks_received(&self, member: &Member) -> usize {
        match self.kind {
            Kind::Gather
            | Kind::Gatherv
            | Kind::Allgather
            | Kind::Allgatherv
            | Kind::Alltoall
            | Kind::Alltoallv => member.size,
            _ => 1,
        }
    }

    /// The length of a block that this process sends.
    fn length_sent(&self, member: &Member, block: usize) -> usize {
        match self.kind {
            Kind::Gatherv | Kind::Allgatherv => uneven(self.words, member.rank),
            Kind::Scatterv | Kind::UnevenReduceScatter => uneven(self.words, block),
            Kind::Alltoallv => uneven(self.words, member.rank + block),
            _ => self.words,
        }
    }

    /// The length of a block that this process receives.
    fn length_received(&self, member: &Member, block: usize) -> usize {
        match self.kind {
            Kind::Scatterv | Kind::UnevenReduceScatter => uneven(self.words, member.rank),
            Kind::Gatherv | Kind::Allgatherv => uneven(self.words, block),
            Kind::Alltoallv => uneven(self.words, member.rank + block),
            _ => self.words,
        }
    }

    fn call(&mut self, member: &Member) {
        let (comm, count, root) = (member.comm, self.words as i32, self.root as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (int, op) = (MPI_INT, self.op);
        let (sent, received) = (&self.sent, &self.received);
        let (counts, places) = (received.counts.as_ptr(), received.places.as_ptr());
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
            Kind::Gatherv => {
                let sent = self.out.len() as i32;
                mpi!(MPI_Gatherv(out, sent, int, into, counts, places, int, root, comm));
            }
            Kind::Scatterv => {
                let received = self.into.len() as i32;
                let (counts, places) = (sent.counts.as_ptr(), sent.places.as_ptr());
                mpi!(MPI_Scatterv(out, counts, places, int, into, received, int, root, comm));
            }
            Kind::Allgatherv => {
                let sent = self.out.len() as i32;
                mpi!(MPI_Allgatherv(out, sent, int, into, counts, places, int, comm));
            }
            Kind::Alltoallv => {
                let (from, at) = (sent.counts.as_ptr(), sent.places.as_ptr());
                mpi!(MPI_Alltoallv(out, from, at, int, into, counts, places, int, comm));
            }
            Kind::UnevenReduceScatter => {
                mpi!(MPI_Reduce_scatter(out, into, sent.counts.as_ptr(), int, op, comm));
            }
        }
    }

    fn start(&mut self, member: &Member) {
        let (comm, count, root) = (member.comm, self.words as i32, self.root as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (int, op, r) = (MPI_INT, self.op, &raw mut self.request);
        let (sent, received) = (&self.sent, &self.received);
        let (counts, places) = (received.counts.as_ptr(), received.places.as_ptr());
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
            Kind::Gatherv => {
                let sent = self.out.len() as i32;
                mpi!(MPI_Igatherv(out, sent, int, into, counts, places, int, root, comm, r));
            }
            Kind::Scatterv => {
                let received = self.into.len() as i32;
                let (counts, places) = (sent.counts.as_ptr(), sent.places.as_ptr());
                mpi!(MPI_Iscatterv(out, counts, places, int, into, received, int, root, comm, r));
            }
            Kind::Allgatherv => {
                let sent = self.out.len() as i32;
                mpi!(MPI_Iallgatherv(out, sent, int, into, counts, places, int, comm, r));
            }
            Kind::Alltoallv => {
                let (from, at) = (sent.counts.as_ptr(), sent.places.as_ptr());
                mpi!(MPI_Ialltoallv(out, from, at, int, into, counts, places, int, comm, r));
            }
            Kind::UnevenReduceScatter => {
                mpi!(MPI_Ireduce_scatter(out, into, sent.counts.as_ptr(), int, op, comm, r));
            }
        }
    }

    /// Performs the operation as a persistent one, three times, if it is one of two kinds.
    fn repeat(&mut self, member: &Member) {
        let (comm, count) = (member.comm, self.words as i32);
        let (out, into) = (self.out.as_ptr().cast(), self.into.as_mut_ptr().cast());
        let (op, r, info) = (self.op, &raw mut self.request, MPI_INFO_NULL);
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
            members.map(|who| at(part, who)).reduce(self.reduction.of)
        };
        match self.kind {
            Kind::Barrier => None,
            Kind::Bcast => Some(at(0, root)),
            Kind::Gather | Kind::Gatherv => (own == root).then(|| at(0, block)),
            Kind::Scatter | Kind::Scatterv => Some(at(own, root)),
            Kind::Allgather | Kind::Allgatherv => Some(at(0, block)),
            Kind::Alltoall | Kind::Alltoallv => Some(at(own, block)),
            Kind::Reduce if own != root => None,
            Kind::Reduce | Kind::Allreduce => of_all(0, 0..size),
            Kind::ReduceScatter | Kind::UnevenReduceScatter => of_all(own, 0..size),
            Kind::Scan => of_all(0, 0..own + 1),
            Kind::Exscan => of_all(0, 0..own),
        }
    }

    fn check(&self, member: &Member) {
        let mut rest = &self.into[..];
        for (block, &length) in self.received.counts.iter().enumerate() {
            let (found, others) = rest.split_at(length as usize);
            rest = others;
            for (index, found) in found.iter().enumerate() {
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
}
