//! A random program, and what its results must be.
//!
//! A program is a list of steps, which all members of a communicator take. What a step does follows
//! from its own seed, so that every process knows the part of every other, and any step can be left
//! out: the rest is a program, too. The expected results are computed from the seed alone, without
//! MPI.

use crate::job::{self, Report, Setup};
use crate::mpi;
use crate::mpi::{Comm, MPI_COMM_NULL, MPI_COMM_WORLD, MPI_ERRORS_RETURN, MPI_THREAD_MULTIPLE};
use std::ffi::CString;
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

mod collectives;
mod errors;
mod layout;
mod messages;
mod survival;
mod windows;

/// What a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Messages in all modes, with wildcards and probes.
    Messages,
    /// More messages at once than there is space for, to a process that comes late.
    Flood,
    /// Persistent and partitioned operations, several times each.
    Repeated,
    /// Collective operations, several at once.
    Collectives,
    /// A new communicator: a duplicate.
    Duplicate,
    /// New communicators: the parts of one.
    Split,
    /// A communicator is freed.
    Free,
    /// A window, in every kind of epoch.
    Window,
    /// Errors that leave the program running, and cancelled receives.
    Errors,
}

/// The kinds, each as often as it shall be drawn.
const DRAWN: &[Kind] = &[
    Kind::Messages,
    Kind::Messages,
    Kind::Messages,
    Kind::Flood,
    Kind::Repeated,
    Kind::Collectives,
    Kind::Collectives,
    Kind::Collectives,
    Kind::Duplicate,
    Kind::Split,
    Kind::Free,
    Kind::Window,
    Kind::Window,
    Kind::Errors,
];

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is about.
    pub kind: Kind,
    /// Decides its details.
    pub seed: u64,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps.iter().map(|step| format!("{:?}({:x})", step.kind, step.seed));
        f.write_str(&steps.collect::<Vec<_>>().join(" "))
    }
}

/// A communicator of a program.
struct Member {
    comm: Comm,
    /// Rank in it.
    rank: usize,
    /// Number of its processes.
    size: usize,
}

/// The communicators of a process, in the order of their creation. One that others have created, or
/// that has been freed, is `None`.
struct Communicators(Vec<Option<Member>>);

impl Program {
    /// Draws a program.
    pub fn random(seed: u64, steps: usize) -> Program {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut draw = || Step { kind: DRAWN[random.usize(..DRAWN.len())], seed: random.u64(..) };
        Program { steps: (0..steps).map(|_| draw()).collect() }
    }

    /// Runs the program as a job.
    pub fn run(&self, setup: Setup) -> Report {
        let (program, threads) = (Arc::new(self.clone()), setup.threads);
        job::run(setup, move |_| program.execute(threads))
    }

    /// Runs the program as a job that goes on when processes die.
    pub fn run_with_deaths(&self, setup: Setup) -> Report {
        let (program, told) = (Arc::new(self.clone()), Arc::new(survival::Told::default()));
        job::run(setup, move |_| survival::execute(&program.steps, &told))
    }

    /// Returns the program of these steps of this one.
    pub fn part(&self, kept: &[usize]) -> Program {
        Program { steps: kept.iter().filter_map(|&index| self.steps.get(index).copied()).collect() }
    }

    /// Returns the program of a thread: each has other steps.
    fn of_thread(&self, thread: u32) -> Program {
        let mut steps = self.steps.clone();
        let by = thread as usize % steps.len().max(1);
        steps.rotate_left(by);
        steps.iter_mut().for_each(|step| step.seed ^= u64::from(thread) << 32);
        Program { steps }
    }

    /// The program as one process executes it.
    fn execute(&self, threads: u32) {
        if threads == 1 {
            mpi!(MPI_Init(null_mut(), null_mut()));
        } else {
            let mut provided = -1;
            mpi!(MPI_Init_thread(null_mut(), null_mut(), MPI_THREAD_MULTIPLE, &mut provided));
            assert_eq!(provided, MPI_THREAD_MULTIPLE, "the level that was asked for");
        }
        mpi!(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        let mut further = Vec::new();
        for thread in 1..threads {
            let mut comm = MPI_COMM_NULL;
            mpi!(MPI_Comm_dup(MPI_COMM_WORLD, &mut comm));
            let program = self.of_thread(thread);
            further.push((comm, job::threads::start(move || program.take_steps(comm))));
        }
        self.take_steps(MPI_COMM_WORLD);
        for (mut comm, thread) in further {
            thread.join();
            mpi!(MPI_Comm_free(&mut comm));
        }
        mpi!(MPI_Finalize());
    }

    /// Takes the steps of a thread, which has a communicator of all processes.
    fn take_steps(&self, comm: Comm) {
        let mut communicators = Communicators(vec![Some(Member::of(comm))]);
        for (index, step) in self.steps.iter().enumerate() {
            job::note(|| format!("step {index}: {:?}", step.kind));
            let mut random = fastrand::Rng::with_seed(step.seed);
            let slot = random.usize(..communicators.0.len());
            communicators.take(step.kind, slot, random);
        }
        for member in communicators.0.iter_mut().skip(1).flatten() {
            mpi!(MPI_Comm_free(&mut member.comm));
        }
    }
}

impl Member {
    fn of(comm: Comm) -> Member {
        let (mut rank, mut size) = (0, 0);
        mpi!(MPI_Comm_rank(comm, &mut rank));
        mpi!(MPI_Comm_size(comm, &mut size));
        Member { comm, rank: rank as usize, size: size as usize }
    }
}

impl Communicators {
    /// Takes a step on the communicator with number `slot`, if this process is a member.
    fn take(&mut self, kind: Kind, slot: usize, mut random: fastrand::Rng) {
        let creates = matches!(kind, Kind::Duplicate | Kind::Split);
        let new = match (&self.0[slot], kind) {
            (None, _) => None,
            (Some(member), Kind::Messages) => {
                messages::exchange(member, &mut random);
                None
            }
            (Some(member), Kind::Flood) => {
                messages::flood(member, &mut random);
                None
            }
            (Some(member), Kind::Repeated) => {
                messages::repeat(member, &mut random);
                None
            }
            (Some(member), Kind::Collectives) => {
                collectives::perform(member, &mut random);
                None
            }
            (Some(member), Kind::Window) => {
                windows::access(member, &mut random);
                None
            }
            (Some(member), Kind::Errors) => {
                errors::make(member, &mut random);
                None
            }
            (Some(member), Kind::Duplicate) => Some(duplicate(member, &mut random)),
            (Some(member), Kind::Split) => split(member, &mut random),
            (Some(_), Kind::Free) => None,
        };
        if creates {
            self.0.push(new);
        }
        if kind == Kind::Free
            && slot > 0
            && let Some(mut member) = self.0[slot].take()
        {
            mpi!(MPI_Comm_free(&mut member.comm));
        }
    }
}

/// Duplicates a communicator: at once or later, or with algorithms that its collectives must take
/// where they can do the job.
fn duplicate(member: &Member, random: &mut fastrand::Rng) -> Member {
    let mut new = MPI_COMM_NULL;
    let way = random.u8(..4);
    if way == 0 {
        mpi!(MPI_Comm_dup(member.comm, &mut new));
    } else if way < 3 {
        let mut info = mpi::MPI_INFO_NULL;
        mpi!(MPI_Info_create(&mut info));
        for operation in nemesis_mpi::coll::operations::ALL {
            let rows = (operation.rows)();
            let row = rows[random.usize(..rows.len())].name;
            let texts = [format!("nemesis_{}", operation.name), row.to_owned()];
            job::note(|| format!("{}={row}", texts[0]));
            let [key, value] = texts.map(|text| CString::new(text).expect("a name"));
            mpi!(MPI_Info_set(info, key.as_ptr(), value.as_ptr()));
        }
        mpi!(MPI_Comm_dup_with_info(member.comm, info, &mut new));
        mpi!(MPI_Info_free(&mut info));
    } else {
        let mut request = mpi::MPI_REQUEST_NULL;
        mpi!(MPI_Comm_idup(member.comm, &mut new, &mut request));
        mpi!(MPI_Wait(&mut request, null_mut()));
    }
    let new = Member::of(new);
    assert_eq!((new.rank, new.size), (member.rank, member.size), "a duplicate has its ranks");
    new
}

/// Splits a communicator by random colours, some of them undefined, in the order of random keys.
fn split(member: &Member, random: &mut fastrand::Rng) -> Option<Member> {
    let colours = random.i32(1..4);
    let mut parts: Vec<(i32, i32)> = Vec::new();
    for _ in 0..member.size {
        let colour = if random.u8(..8) == 0 { mpi::MPI_UNDEFINED } else { random.i32(0..colours) };
        parts.push((colour, random.i32(-3..3)));
    }
    let (colour, key) = parts[member.rank];
    let mut new = MPI_COMM_NULL;
    mpi!(MPI_Comm_split(member.comm, colour, key, &mut new));
    if colour == mpi::MPI_UNDEFINED {
        assert_eq!(new, MPI_COMM_NULL, "no colour, no communicator");
        return None;
    }
    let new = Member::of(new);
    let mut expected: Vec<(i32, usize)> = (0..member.size)
        .filter(|&rank| parts[rank].0 == colour)
        .map(|rank| (parts[rank].1, rank))
        .collect();
    expected.sort_unstable();
    let place = expected.iter().position(|&(_, rank)| rank == member.rank);
    assert_eq!((Some(new.rank), new.size), (place, expected.len()), "the order of the keys");
    Some(new)
}

/// Returns the word that a process contributes to an operation.
fn word(seed: u64, who: usize, index: usize) -> i32 {
    let mixed = (seed ^ (who as u64) << 40 ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as i32 & 0xfffff
}

/// Draws a length in words: of every order of magnitude, short ones more often.
fn length(random: &mut fastrand::Rng) -> usize {
    const LENGTHS: &[usize] = &[0, 1, 2, 9, 10, 40, 300, 2000, 4000, 9000, 20_000, 100_000];
    let index = random.usize(..LENGTHS.len()).min(random.usize(..LENGTHS.len() + 4));
    let most = LENGTHS[index.min(LENGTHS.len() - 1)];
    random.usize(most / 2..=most)
}
