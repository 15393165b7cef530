//! Signatures of collective operations: what all processes of a communicator must agree on.
//!
//! Every process of a communicator starts the same collective operations in the same order (MPI 5.0
//! §6.12). A [`Sequence`] numbers the operations of one communicator and computes a *history* from
//! their signatures: two processes with equal histories have started operations with equal
//! signatures. The history is part of the tag of every message of an operation
//! ([`Sequence::tag`]), and of the word by which members of a collective segment publish
//! (`nemesis::coll_segment`). What belongs to another operation therefore matches nothing.
//!
//! A signature has 32 bits:
//!
//! ```text
//!   31 … 18   17 … 12                11 … 7      6 … 5   4 … 0
//!   root      type of a reduction    operator    form    kind
//! ```
//!
//! Lengths are no part of it: the receiver of data compares them. An exchange of the library itself
//! holds the call that makes it ([`Creator`]) where a reduction has its type.

use nemesis_datatype::{Op, class_name};
use std::fmt;

/// The kind of a collective operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Kind {
    /// An exchange of the library itself: see [`Creator`].
    Internal,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    NeighborAlltoallw,
}

/// The names of the kinds without `MPI_`, by number.
const NAMES: [&str; 23] = [
    "",
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
];

/// A call that makes a communicator, a window or a file by exchanges of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Creator {
    /// Any exchange that no other value names.
    Other,
    CommDup,
    CommIdup,
    CommCreate,
    CommSplit,
    CommSplitType,
    CartCreate,
    CartSub,
    GraphCreate,
    DistGraphCreate,
    DistGraphCreateAdjacent,
    IntercommCreate,
    IntercommMerge,
    WinCreate,
    WinCreateDynamic,
    WinAllocate,
    WinAllocateShared,
    FileOpen,
}

/// The functions that make objects, by the number of [`Creator`].
const CREATORS: [&str; 18] = [
    "",
    "MPI_Comm_dup",
    "MPI_Comm_idup",
    "MPI_Comm_create",
    "MPI_Comm_split",
    "MPI_Comm_split_type",
    "MPI_Cart_create",
    "MPI_Cart_sub",
    "MPI_Graph_create",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Intercomm_create",
    "MPI_Intercomm_merge",
    "MPI_Win_create",
    "MPI_Win_create_dynamic",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
    "MPI_File_open",
];

const KIND_MASK: u32 = (1 << FORM_SHIFT) - 1;
const FORM_SHIFT: u32 = 5;
const FORM_MASK: u32 = 3;
const OP_SHIFT: u32 = 7;
const OP_MASK: u32 = 0x1f;
const CLASS_SHIFT: u32 = 12;
const CLASS_MASK: u32 = 0x3f;
const ROOT_SHIFT: u32 = 18;

/// The operator field of an operator of the user. No predefined operator's handle ends in it.
const USER: u32 = OP_MASK;

/// The form of an operation. Operations of different forms do not match (MPI 5.0 §6.12, §6.13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Form {
    Blocking,
    Nonblocking,
    Persistent,
}

/// What the processes of a collective operation must agree on, except for lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signature(pub u32);

impl Signature {
    /// Creates the signature of a blocking operation without root and operator.
    #[inline(always)]
    pub const fn new(kind: Kind) -> Signature {
        Signature(kind as u32)
    }

    /// Creates the signature of an exchange by which a call makes an object.
    pub const fn creating(creator: Creator) -> Signature {
        Signature(Kind::Internal as u32 | (creator as u32) << CLASS_SHIFT)
    }

    /// Returns the signature with a root. Roots count modulo 2^14.
    #[inline(always)]
    pub const fn rooted(self, root: u32) -> Signature {
        Signature(self.0 | root << ROOT_SHIFT)
    }

    /// Returns the signature with a predefined operator on elements of a class
    /// ([`nemesis_datatype::class_name`]).
    #[inline(always)]
    pub const fn reducing(self, op: Op, class: u32) -> Signature {
        Signature(self.0 | (op as u32 & OP_MASK) << OP_SHIFT | class << CLASS_SHIFT)
    }

    /// Returns the signature with an operator of the user, the types of which may differ in
    /// structure.
    pub const fn reducing_by_user(self) -> Signature {
        Signature(self.0 | USER << OP_SHIFT)
    }

    /// Returns the signature of another form of the operation.
    pub const fn of_form(self, form: Form) -> Signature {
        Signature(self.0 & !(FORM_MASK << FORM_SHIFT) | (form as u32) << FORM_SHIFT)
    }

    /// Returns whether the operation is a reduction.
    #[inline]
    pub const fn reduces(self) -> bool {
        self.0 >> OP_SHIFT & OP_MASK != 0
    }

    /// Returns whether a process may be done with the operation before all others have called it:
    /// it needs no data of some of them, or none at all if these have no elements. Neighborhood
    /// operations only concern neighbours.
    pub fn may_leave_early(self) -> bool {
        let leaving = [
            Kind::Bcast,
            Kind::Reduce,
            Kind::ReduceScatter,
            Kind::Scan,
            Kind::Exscan,
            Kind::Gather,
            Kind::Gatherv,
            Kind::Scatter,
            Kind::Scatterv,
            Kind::Allgatherv,
            Kind::Alltoallv,
            Kind::Alltoallw,
        ];
        leaving.into_iter().any(|kind| kind as u32 == self.kind())
    }

    fn kind(self) -> u32 {
        self.0 & KIND_MASK
    }

    fn op(self) -> u32 {
        self.0 >> OP_SHIFT & OP_MASK
    }

    fn class(self) -> u32 {
        self.0 >> CLASS_SHIFT & CLASS_MASK
    }

    fn root(self) -> u32 {
        self.0 >> ROOT_SHIFT
    }

    fn is_rooted(self) -> bool {
        let rooted = [Kind::Bcast, Kind::Reduce, Kind::Gather, Kind::Gatherv];
        let rooted = rooted.into_iter().chain([Kind::Scatter, Kind::Scatterv]);
        rooted.into_iter().any(|kind| kind as u32 == self.kind())
    }

    /// Returns the function that makes an object by this exchange.
    pub fn creator(self) -> Option<&'static str> {
        let is_creation = self.kind() == Kind::Internal as u32 && self.class() != 0;
        CREATORS.get(self.class() as usize).copied().filter(|_| is_creation)
    }

    /// Returns in which parts two signatures differ.
    pub fn difference(self, other: Signature) -> Difference {
        let form = KIND_MASK | FORM_MASK << FORM_SHIFT;
        let creates_other = self.kind() == 0 && self.class() != other.class();
        if self.0 & form != other.0 & form || creates_other {
            Difference::Operation
        } else if self.root() != other.root() {
            Difference::Root
        } else if self.op() != other.op() {
            Difference::Operator
        } else {
            Difference::Type
        }
    }
}

/// The first part in which two signatures differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    Operation,
    Root,
    Operator,
    Type,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(name) = NAMES.get(self.kind() as usize).filter(|_| self.kind() != 0) else {
            return match self.creator() {
                Some(name) if self.class() == Creator::IntercommCreate as u32 => {
                    write!(f, "{name}(local_leader={})", self.root())
                }
                Some(name) => f.write_str(name),
                None => f.write_str("the creation of a communicator, a window or a file"),
            };
        };
        let form = self.0 >> FORM_SHIFT & FORM_MASK;
        if form == Form::Nonblocking as u32 {
            write!(f, "MPI_I{name}")?;
        } else {
            write!(f, "MPI_{}{}", name[..1].to_uppercase(), &name[1..])?;
        }
        if form == Form::Persistent as u32 {
            f.write_str("_init")?;
        }
        let op = Op::ALL.into_iter().find(|&op| op as u32 & OP_MASK == self.op());
        let mut arguments = Vec::new();
        if self.is_rooted() {
            arguments.push(format!("root={}", self.root()));
        }
        match (self.op(), op) {
            (0, _) => {}
            (_, Some(op)) => arguments.push(format!("op={}", op.name())),
            (_, None) => arguments.push("an operator of the program".into()),
        }
        if self.class() != 0 {
            arguments.push(format!("type={}", class_name(self.class())));
        }
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

/// The number of operations of which a sequence keeps the signatures: those of a report, and one
/// more, so that it is a power of two.
const RECENT: usize = 4;
/// The number of operations of which a report has the signatures.
const REPORTED: u32 = 3;
/// The bits of a tag that hold a part of the history. The bits above hold the operation's number.
const HISTORY_BITS: u32 = 14;
/// The tag of a process's report of its sequence. No tag of an operation has all bits of the
/// history's part set.
pub const REPORT_TAG: i32 = i32::MAX;
/// The tag of a process's question whether another one's sequence agrees with its own.
pub const QUESTION_TAG: i32 = REPORT_TAG - (1 << HISTORY_BITS);

/// Returns whether the tag is that of a question or a report. These belong to no operation. A
/// question may come when the process that is asked has done its part and looks for none any more.
pub fn is_control(tag: i32) -> bool {
    tag == QUESTION_TAG || tag == REPORT_TAG
}
/// An odd number that spreads bits: 2^31 divided by the golden ratio.
const SPREAD: u64 = 0x4f1b_bcdd;

/// The collective operations that a process has started on one communicator.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sequence {
    count: u32,
    /// The history in the upper half; the lower half is 0.
    history: u64,
    recent: [Signature; RECENT],
    /// A number of the algorithms that the process forces.
    algorithms: u32,
}

impl Sequence {
    /// Begins the history with a number of the algorithms that this process forces. Processes that
    /// force different ones do not match.
    pub fn force(&mut self, algorithms: u64) {
        self.algorithms = algorithms as u32;
        self.history = u64::from(self.algorithms) << 32;
    }

    /// Records the next operation and returns the history that includes it.
    #[inline(always)]
    pub fn begin(&mut self, signature: Signature) -> u64 {
        self.recent[self.count as usize % RECENT] = signature;
        self.count = self.count.wrapping_add(1);
        self.history = (self.history ^ u64::from(signature.0) << 32).wrapping_mul(SPREAD);
        self.history
    }

    /// Returns a sequence that begins with number `count`, and with a history of this number.
    pub fn starting_at(count: u32) -> Sequence {
        Sequence { count, history: u64::from(count) << 32, ..Sequence::default() }
    }

    /// Returns the number of operations started.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the history that includes the operation started last.
    pub fn history(&self) -> u64 {
        self.history
    }

    /// Returns the signature of the operation started last.
    pub fn latest(&self) -> Option<Signature> {
        self.signature(self.count.wrapping_sub(1))
    }

    /// Returns the tag of the messages of the operation started last.
    #[inline]
    pub fn tag(&self) -> i32 {
        tag(self.count, self.history)
    }

    /// Returns the signature of operation number `number`, counted from 0, if it is known.
    fn signature(&self, number: u32) -> Option<Signature> {
        let known = number < self.count && self.count - number <= REPORTED;
        known.then(|| self.recent[number as usize % RECENT])
    }

    /// Returns the first known operation in which two processes differ.
    pub fn disagreement(&self, other: &Sequence) -> Option<Disagreement> {
        let end = self.count.min(other.count);
        let begin = self.count.max(other.count).saturating_sub(REPORTED);
        let differing = (begin..end).find_map(|number| {
            let signatures = [self.signature(number)?, other.signature(number)?];
            (signatures[0] != signatures[1]).then_some(Disagreement::At { number, signatures })
        });
        // The first operation records what a process forces.
        if end > 0 && self.algorithms != other.algorithms {
            return Some(Disagreement::Algorithms);
        }
        let is_earlier = self.count == other.count && self.history != other.history;
        differing.or(is_earlier.then_some(Disagreement::Earlier))
    }

    /// Returns the sequence as words.
    pub fn to_words(&self) -> [u64; REPORT_WORDS] {
        let back = |steps: u32| {
            let number = self.count.wrapping_sub(steps);
            u64::from(self.signature(number).unwrap_or_default().0)
        };
        [
            u64::from(self.count) | u64::from(self.algorithms) << 32,
            self.history | back(1),
            back(2) | back(3) << 32,
        ]
    }

    /// Returns the sequence that the words describe.
    pub fn from_words(words: [u64; REPORT_WORDS]) -> Sequence {
        let [count, algorithms] = [words[0] as u32, (words[0] >> 32) as u32];
        let mut recent = [Signature(0); RECENT];
        let back = [words[1], words[2], words[2] >> 32].map(|word| Signature(word as u32));
        for (steps, signature) in (1..).zip(back) {
            recent[count.wrapping_sub(steps) as usize % RECENT] = signature;
        }
        Sequence { count, history: words[1] >> 32 << 32, recent, algorithms }
    }
}

impl PartialEq for Sequence {
    /// Returns whether both have equal histories.
    fn eq(&self, other: &Sequence) -> bool {
        (self.count, self.history, self.algorithms)
            == (other.count, other.history, other.algorithms)
    }
}

impl Eq for Sequence {}

/// The words of a sequence that processes send to each other.
pub const REPORT_WORDS: usize = 3;

/// Returns the tag of operation number `number` after a history.
#[inline]
pub fn tag(number: u32, history: u64) -> i32 {
    // Not all bits of the history's part are set, so that no tag is `REPORT_TAG`.
    let part = (history >> (64 - HISTORY_BITS)).min((1 << HISTORY_BITS) - 2);
    ((number << HISTORY_BITS) as u64 | part) as i32 & i32::MAX
}

/// Returns whether a tag belongs to the operation with the number of `other`, but not with its
/// history.
pub fn contradicts(tag: i32, other: i32) -> bool {
    tag != other && tag >> HISTORY_BITS == other >> HISTORY_BITS
}

/// How the operations of two processes differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disagreement {
    /// In the signatures of operation number `number`, counted from 0.
    At { number: u32, signatures: [Signature; 2] },
    /// In the algorithms that they force.
    Algorithms,
    /// In an operation of which the signatures are no longer known.
    Earlier,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(signatures: &[Signature]) -> Sequence {
        let mut sequence = Sequence::default();
        signatures.iter().for_each(|&signature| {
            sequence.begin(signature);
        });
        sequence
    }

    #[test]
    fn a_signature_names_what_it_holds() {
        let reduce = Signature::new(Kind::Reduce).rooted(3).reducing_by_user();
        assert_eq!(reduce.to_string(), "MPI_Reduce(root=3, an operator of the program)");
        let sum = Signature::new(Kind::Allreduce).reducing(Op::Sum, 0);
        assert_eq!(sum.to_string(), "MPI_Allreduce(op=MPI_SUM)");
        let barrier = Signature::new(Kind::Barrier);
        assert_eq!(barrier.to_string(), "MPI_Barrier");
        assert_eq!(barrier.of_form(Form::Nonblocking).to_string(), "MPI_Ibarrier");
        assert_eq!(barrier.of_form(Form::Persistent).to_string(), "MPI_Barrier_init");
        let last = Signature::new(Kind::NeighborAlltoallw);
        assert_eq!(last.to_string(), "MPI_Neighbor_alltoallw");
        assert_eq!(NAMES.len(), Kind::NeighborAlltoallw as usize + 1);
        assert_eq!(Signature::creating(Creator::CartSub).to_string(), "MPI_Cart_sub");
        assert_eq!(Signature::creating(Creator::FileOpen).to_string(), "MPI_File_open");
        let bridge = Signature::creating(Creator::IntercommCreate).rooted(2);
        assert_eq!(bridge.to_string(), "MPI_Intercomm_create(local_leader=2)");
        assert_eq!(CREATORS.len(), Creator::FileOpen as usize + 1);
    }

    #[test]
    fn every_operator_has_a_field_of_its_own() {
        let mut fields: Vec<u32> = Op::ALL.iter().map(|&op| op as u32 & OP_MASK).collect();
        fields.extend([0, USER]);
        fields.sort_unstable();
        fields.dedup();
        assert_eq!(fields.len(), Op::ALL.len() + 2);
    }

    #[test]
    fn the_first_difference_is_found() {
        let [barrier, bcast] = [Kind::Barrier, Kind::Bcast].map(Signature::new);
        let number_and_signatures =
            |left: &[Signature], right: &[Signature]| after(left).disagreement(&after(right));
        let found = number_and_signatures(&[barrier, bcast, barrier], &[barrier, barrier, barrier]);
        assert_eq!(found, Some(Disagreement::At { number: 1, signatures: [bcast, barrier] }));
        assert_eq!(number_and_signatures(&[barrier], &[barrier]), None);
        assert_eq!(number_and_signatures(&[barrier, bcast], &[barrier]), None, "one is behind");
        let [mut left, mut right] = [vec![bcast], vec![barrier]];
        left.extend([barrier; RECENT]);
        right.extend([barrier; RECENT]);
        assert_eq!(number_and_signatures(&left, &right), Some(Disagreement::Earlier));
        assert_eq!(bcast.rooted(1).difference(bcast), Difference::Root);
        let [dup, split] = [Creator::CommDup, Creator::CommSplit].map(Signature::creating);
        assert_eq!(dup.difference(split), Difference::Operation);
        let bridge = Signature::creating(Creator::IntercommCreate);
        assert_eq!(bridge.rooted(1).difference(bridge), Difference::Root);
    }

    #[test]
    fn tags_of_one_number_contradict_each_other_only_if_histories_differ() {
        let [barrier, bcast] = [Kind::Barrier, Kind::Bcast].map(Signature::new);
        let tag_after = |signatures: &[Signature]| after(signatures).tag();
        assert!(contradicts(tag_after(&[barrier]), tag_after(&[bcast])));
        assert!(contradicts(tag_after(&[bcast, barrier]), tag_after(&[barrier, barrier])));
        assert!(!contradicts(tag_after(&[barrier]), tag_after(&[barrier])));
        assert!(!contradicts(tag_after(&[barrier]), tag_after(&[bcast, barrier])));
        for number in [u32::MAX, u32::MAX - 1] {
            let most = tag(number, u64::MAX);
            assert!(most != REPORT_TAG && most != QUESTION_TAG && most >= 0);
        }
    }

    #[test]
    fn a_sequence_survives_its_words() {
        let sequence = after(&[Signature::new(Kind::Bcast).rooted(2), Signature::new(Kind::Scan)]);
        let copy = Sequence::from_words(sequence.to_words());
        assert_eq!((copy, copy.count, copy.recent), (sequence, 2, sequence.recent));
        let mut forcing = Sequence::default();
        forcing.force(5);
        assert_eq!(Sequence::from_words(forcing.to_words()), forcing);
        let mut other = Sequence::default();
        for sequence in [&mut forcing, &mut other] {
            sequence.begin(Signature::new(Kind::Barrier));
        }
        assert_eq!(forcing.disagreement(&other), Some(Disagreement::Algorithms));
    }

    #[test]
    fn a_process_that_has_begun_nothing_agrees_with_any_other() {
        let mut forcing = Sequence::default();
        forcing.force(5);
        forcing.begin(Signature::new(Kind::Barrier));
        for [first, second] in [[forcing, Sequence::default()], [Sequence::default(), forcing]] {
            assert_eq!(first.disagreement(&second), None);
        }
    }
}
