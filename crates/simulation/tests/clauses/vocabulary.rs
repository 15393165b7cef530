//! The words in which the stories are told.
//!
//! A story is a program of a few lines that every rank of a small job runs. Its messages are words
//! of 32 bits. What no word here says, it says by the calls themselves, with `mpi!`.

use nemesis_simulation::job::{Setup, run};
pub use nemesis_simulation::mpi::*;
pub use nemesis_simulation::{mpi, mpi_fails};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
pub use std::ptr::null_mut;

/// The communicator of all ranks.
pub const WORLD: Comm = MPI_COMM_WORLD;
/// Words of the longest message that [`Talk::recv`] takes.
const ROOM: usize = 4096;

/// The rank that tells the story.
#[derive(Clone, Copy, Debug)]
pub struct Me {
    pub rank: i32,
    pub size: i32,
}

/// Runs a story on `ranks` ranks: on one node, on a node for each, and on two nodes with
/// processors of their own. Errors of the job's communicators are returned.
pub fn on(ranks: u32, story: fn(Me)) {
    let setups = [
        Setup::new(1, ranks, 1),
        Setup::new(2, ranks, ranks),
        Setup { dedicated: true, ..Setup::new(3, ranks, 2) },
    ];
    for setup in setups.into_iter().take(if ranks == 1 { 1 } else { 3 }) {
        told(setup, story);
    }
}

/// Runs a story on `ranks` ranks that share `hosts` nodes.
pub fn on_hosts(ranks: u32, hosts: u32, story: fn(Me)) {
    told(Setup::new(5, ranks, hosts), story);
}

/// Runs a story once in the given setup.
pub fn told(setup: Setup, story: fn(Me)) {
    let nodes = setup.nodes.clone();
    let report = run(setup, move |_| {
        mpi!(MPI_Init(null_mut(), null_mut()));
        mpi!(MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN));
        mpi!(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        story(Me { rank: WORLD.rank(), size: WORLD.size() });
        mpi!(MPI_Finalize());
    });
    if let Some(failure) = report.failure {
        panic!("nodes {nodes:?}: {failure}; ranks were in {:?}", report.states);
    }
}

/// What a receive took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    pub words: Vec<i32>,
    pub source: i32,
    pub tag: i32,
}

/// Returns the address of words to send.
pub fn of(words: &[i32]) -> *const c_void {
    words.as_ptr().cast()
}

/// Returns the address of words to fill.
pub fn into(words: &mut [i32]) -> *mut c_void {
    words.as_mut_ptr().cast()
}

/// Returns a number of words as the count of a call.
pub fn len(words: &[i32]) -> c_int {
    words.len() as c_int
}

/// `MPI_IN_PLACE` where a call sends from.
pub const IN_PLACE: *const c_void = MPI_IN_PLACE as *const c_void;

/// The calls of a communicator.
pub trait Talk: Sized + Copy {
    fn comm(self) -> Comm;

    fn rank(self) -> i32 {
        let mut rank = -1;
        mpi!(MPI_Comm_rank(self.comm(), &mut rank));
        rank
    }

    fn size(self) -> i32 {
        let mut size = -1;
        mpi!(MPI_Comm_size(self.comm(), &mut size));
        size
    }

    fn send(self, words: &[i32], to: i32, tag: i32) {
        mpi!(MPI_Send(of(words), len(words), MPI_INT, to, tag, self.comm()));
    }

    fn isend(self, words: &[i32], to: i32, tag: i32) -> Request {
        let mut request = MPI_REQUEST_NULL;
        mpi!(MPI_Isend(of(words), len(words), MPI_INT, to, tag, self.comm(), &mut request));
        request
    }

    fn issend(self, words: &[i32], to: i32, tag: i32) -> Request {
        let mut request = MPI_REQUEST_NULL;
        mpi!(MPI_Issend(of(words), len(words), MPI_INT, to, tag, self.comm(), &mut request));
        request
    }

    fn irecv(self, words: &mut [i32], from: i32, tag: i32) -> Request {
        let (count, mut request) = (len(words), MPI_REQUEST_NULL);
        mpi!(MPI_Irecv(into(words), count, MPI_INT, from, tag, self.comm(), &mut request));
        request
    }

    fn recv(self, from: i32, tag: i32) -> Got {
        let (mut words, mut status) = (vec![0; ROOM], Status::default());
        let count = len(&words);
        mpi!(MPI_Recv(into(&mut words), count, MPI_INT, from, tag, self.comm(), &mut status));
        words.truncate(count_of(&status) as usize);
        Got { words, source: status.source, tag: status.tag }
    }

    /// Receives and returns the only word.
    fn word(self, from: i32, tag: i32) -> i32 {
        let got = self.recv(from, tag);
        assert_eq!(got.words.len(), 1, "{got:?}");
        got.words[0]
    }

    fn probe(self, from: i32, tag: i32) -> Status {
        let mut status = Status::default();
        mpi!(MPI_Probe(from, tag, self.comm(), &mut status));
        status
    }

    fn iprobe(self, from: i32, tag: i32) -> Option<Status> {
        let (mut flag, mut status) = (0, Status::default());
        mpi!(MPI_Iprobe(from, tag, self.comm(), &mut flag, &mut status));
        (flag != 0).then_some(status)
    }

    fn mprobe(self, from: i32, tag: i32) -> Message {
        let mut message = MPI_MESSAGE_NULL;
        mpi!(MPI_Mprobe(from, tag, self.comm(), &mut message, null_mut()));
        message
    }

    fn barrier(self) {
        mpi!(MPI_Barrier(self.comm()));
    }

    fn dup(self) -> Comm {
        let mut new = MPI_COMM_NULL;
        mpi!(MPI_Comm_dup(self.comm(), &mut new));
        new
    }

    fn split(self, color: i32, key: i32) -> Comm {
        let mut new = MPI_COMM_NULL;
        mpi!(MPI_Comm_split(self.comm(), color, key, &mut new));
        new
    }

    fn group(self) -> Group {
        let mut group = MPI_GROUP_NULL;
        mpi!(MPI_Comm_group(self.comm(), &mut group));
        group
    }

    fn free(self) {
        let mut comm = self.comm();
        mpi!(MPI_Comm_free(&mut comm));
        assert_eq!(comm, MPI_COMM_NULL);
    }

    /// Returns every rank's word, in the order of the ranks.
    fn allgather(self, word: i32) -> Vec<i32> {
        let (own, mut all) = ([word], vec![-1; self.size() as usize]);
        let (out, place) = (of(&own), into(&mut all));
        mpi!(MPI_Allgather(out, 1, MPI_INT, place, 1, MPI_INT, self.comm()));
        all
    }

    fn allreduce(self, words: &[i32], op: Op) -> Vec<i32> {
        let mut result = vec![-1; words.len()];
        let count = len(words);
        mpi!(MPI_Allreduce(of(words), into(&mut result), count, MPI_INT, op, self.comm()));
        result
    }

    fn bcast(self, words: &mut [i32], root: i32) {
        let count = len(words);
        mpi!(MPI_Bcast(into(words), count, MPI_INT, root, self.comm()));
    }
}

impl Talk for Comm {
    fn comm(self) -> Comm {
        self
    }
}

/// Returns the words of a received message.
pub fn count_of(status: &Status) -> i32 {
    let mut count = -1;
    mpi!(MPI_Get_count(status, MPI_INT, &mut count));
    count
}

pub fn is_cancelled(status: &Status) -> bool {
    let mut flag = 0;
    mpi!(MPI_Test_cancelled(status, &mut flag));
    flag != 0
}

/// Returns whether a status is what a call gives that completes nothing.
pub fn is_empty(status: &Status) -> bool {
    (status.source, status.tag) == (MPI_ANY_SOURCE, MPI_ANY_TAG)
        && count_of(status) == 0
        && !is_cancelled(status)
}

/// A status that no call has filled.
pub fn unset() -> Status {
    let mut status = Status::default();
    (status.source, status.tag, status.error) = (-77, -77, -77);
    status
}

pub fn wait(request: &mut Request) -> Status {
    let mut status = unset();
    mpi!(MPI_Wait(request, &mut status));
    status
}

pub fn test(request: &mut Request) -> Option<Status> {
    let (mut flag, mut status) = (0, unset());
    mpi!(MPI_Test(request, &mut flag, &mut status));
    (flag != 0).then_some(status)
}

pub fn wait_all(requests: &mut [Request]) -> Vec<Status> {
    let mut statuses = vec![unset(); requests.len()];
    mpi!(MPI_Waitall(requests.len() as c_int, requests.as_mut_ptr(), statuses.as_mut_ptr()));
    statuses
}

/// Returns the index that `MPI_Waitany` gives, and the status.
pub fn wait_any(requests: &mut [Request]) -> (i32, Status) {
    let (mut index, mut status) = (-77, unset());
    let count = requests.len() as c_int;
    mpi!(MPI_Waitany(count, requests.as_mut_ptr(), &mut index, &mut status));
    (index, status)
}

/// Asks again and again, and lets other ranks run in between, which a call that tests does not.
pub fn until(mut is_true: impl FnMut() -> bool) {
    while !is_true() {
        nemesis::yield_now();
    }
}

pub fn start(request: &mut Request) {
    mpi!(MPI_Start(request));
}

pub fn free(request: &mut Request) {
    mpi!(MPI_Request_free(request));
    assert_eq!(*request, MPI_REQUEST_NULL);
}

/// Returns a group of some members of another, in the given order.
pub fn some_of(group: Group, ranks: &[i32]) -> Group {
    let mut some = MPI_GROUP_NULL;
    mpi!(MPI_Group_incl(group, len(ranks), ranks.as_ptr(), &mut some));
    some
}

/// Returns the ranks in `to` of the members of `from`.
pub fn translated(from: Group, to: Group) -> Vec<i32> {
    let mut size = 0;
    mpi!(MPI_Group_size(from, &mut size));
    let ranks: Vec<i32> = (0..size).collect();
    let mut found = vec![-77; ranks.len()];
    mpi!(MPI_Group_translate_ranks(from, size, ranks.as_ptr(), to, found.as_mut_ptr()));
    found
}

/// Returns how `MPI_Comm_compare` compares two communicators.
pub fn compared(one: Comm, other: Comm) -> i32 {
    let mut result = -77;
    mpi!(MPI_Comm_compare(one, other, &mut result));
    result
}

/// A text for a call.
pub fn text(text: &str) -> CString {
    CString::new(text).expect("no zero inside")
}

/// Returns the text that a call writes into a buffer.
pub fn written(write: impl FnOnce(*mut c_char)) -> String {
    let mut buffer = [0_u8; 1024];
    write(buffer.as_mut_ptr().cast());
    CStr::from_bytes_until_nul(&buffer).expect("a zero").to_string_lossy().into_owned()
}

/// Returns the address of a function that the library calls.
macro_rules! callback {
    ($function:expr) => {
        $function as *const () as *const std::ffi::c_void
    };
}
pub(crate) use callback;
