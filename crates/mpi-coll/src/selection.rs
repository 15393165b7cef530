//! Every threshold of the collectives: which algorithm is preferred at which length. The tables of
//! algorithms (`table`) ask here.
//!
//! | operation | short | long |
//! |---|---|---|
//! | bcast | binomial tree | scatter, then allgather |
//! | reduce | binomial tree | reduce-scatter by halving, then gather |
//! | allreduce | recursive doubling | reduce-scatter by halving, then allgather by doubling |
//! | reduce_scatter | recursive doubling, each keeps its block | pairwise exchange |
//! | gather, scatter | binomial tree | every process with the root |
//! | allgather | recursive doubling, Bruck | ring |
//! | alltoall | Bruck in large groups | every process with every other, a few at a time |
//! | scan, exscan | recursive doubling | recursive doubling |
//!
//! On one node, blocking operations use a collective segment (`shm`) unless `Site` decides
//! otherwise, from the fourth call or the first reduction on a communicator on; among at most 16
//! members if each has a processor of its own, and in reductions. They use messages for
//! user-defined operators, for types with holes in reductions, and for alltoall in place. Of the
//! non-blocking and persistent operations, barrier, bcast and allreduce use a segment.
//!
//! A choice may depend only on values that all processes know alike: the number of bytes and of
//! processes, never the layout of a process's own datatype.
//!
//! The thresholds balance the two costs of a message: its latency (0.2 microseconds between two
//! processes of one node, measured with a ping-pong of 8 bytes) and the copy. They have the
//! magnitude that Thakur, Rabenseifner and Gropp (2005, "Optimization of Collective Communication
//! Operations in MPICH") found on networks, rounded to powers of two; they have not been tuned by
//! measurements of their own. In a collective segment, the limit between staging buffers and single
//! copies was measured on two cores: at 4 processes, 64 KiB through a staging buffer took 0.4 to
//! 0.9 of the time of the kernel's copies, and longer data no longer stay in the caches.

use nemesis::PAGE_BYTES;
use nemesis::coll_segment::{
    EXCHANGE_MAX_BYTES, LARGE_STAGING_BUFFERS, PAIR_RING_CHUNK_BYTES, PAIR_RING_CHUNKS,
    RING_CHUNK_MAX_BYTES, SHORT_STAGING_BYTES, STAGING_BYTES,
};

/// Above this length, splitting a broadcast beats sending it whole log2(n) times.
const BCAST_TREE_MAX_BYTES: usize = 64 << 10;
/// Below this number of processes, the tree is too shallow for splitting to save anything.
const BCAST_SPLIT_MIN_RANKS: u32 = 4;

/// Non-blocking broadcasts of this length or more use a collective segment. Measured on two cores
/// among 4, 8 and 16 processes, relative to messages: 8 bytes took 1.2 to 1.8 times as long, 512
/// bytes as long, and 4 KiB 0.4 to 0.9 times.
const BCAST_NONBLOCKING_MIN_BYTES: usize = 1 << 10;

/// Above this length, halving the vector in each round beats exchanging it whole.
const ALLREDUCE_WHOLE_MAX_BYTES: usize = 16 << 10;
const REDUCE_WHOLE_MAX_BYTES: usize = 64 << 10;

/// Total bytes up to which every process of a reduce_scatter computes the whole vector in log2(n)
/// rounds and keeps its block.
const REDUCE_SCATTER_WHOLE_MAX_BYTES: usize = 4 << 10;

/// Bytes of a block up to which gather and scatter use a tree. Above, the extra copies on the way
/// cost more than the root's extra messages.
const TREE_MAX_BLOCK_BYTES: usize = 2 << 10;
/// Below this number of processes, the root communicates directly with every process.
const TREE_MIN_RANKS: u32 = 4;

/// Total bytes up to which an allgather takes log2(n) rounds and an extra copy, instead of n - 1
/// rounds without one.
const ALLGATHER_ROUNDS_MAX_BYTES: usize = 64 << 10;

/// Bytes of a block up to which Bruck's alltoall, which sends every byte log2(n) / 2 times, beats n
/// - 1 messages.
const ALLTOALL_BRUCK_MAX_BLOCK_BYTES: usize = 64;
const ALLTOALL_BRUCK_MIN_RANKS: u32 = 16;

/// The thresholds by name, for tools. They cannot be changed.
pub const THRESHOLDS: [(&str, usize, &str); 9] = [
    (
        "NEMESIS_BCAST_TREE_MAX_BYTES",
        BCAST_TREE_MAX_BYTES,
        "the longest broadcast that goes down a binomial tree whole; a longer one is scattered \
         and then gathered by all processes",
    ),
    (
        "NEMESIS_ALLREDUCE_WHOLE_MAX_BYTES",
        ALLREDUCE_WHOLE_MAX_BYTES,
        "the longest vector that an allreduce exchanges whole in each round (recursive doubling); \
         longer vectors are halved in each round",
    ),
    (
        "NEMESIS_REDUCE_WHOLE_MAX_BYTES",
        REDUCE_WHOLE_MAX_BYTES,
        "the longest vector that a reduce passes up a tree whole; longer vectors are halved in \
         each round",
    ),
    (
        "NEMESIS_REDUCE_SCATTER_WHOLE_MAX_BYTES",
        REDUCE_SCATTER_WHOLE_MAX_BYTES,
        "the longest vector that every process of a reduce_scatter reduces whole; blocks of \
         longer vectors are exchanged pairwise",
    ),
    (
        "NEMESIS_TREE_MAX_BLOCK_BYTES",
        TREE_MAX_BLOCK_BYTES,
        "the longest block for which gather and scatter use a binomial tree; with longer blocks \
         the root communicates with every process directly",
    ),
    (
        "NEMESIS_ALLGATHER_ROUNDS_MAX_BYTES",
        ALLGATHER_ROUNDS_MAX_BYTES,
        "the longest result of an allgather in log2(n) rounds; longer results pass around a ring \
         of all processes",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MAX_BLOCK_BYTES",
        ALLTOALL_BRUCK_MAX_BLOCK_BYTES,
        "the longest block for which an alltoall forwards blocks through other processes (Bruck's \
         algorithm); longer blocks go to their receivers directly",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MIN_RANKS",
        ALLTOALL_BRUCK_MIN_RANKS as usize,
        "the least number of processes for which an alltoall uses Bruck's algorithm",
    ),
    (
        "NEMESIS_PARTNERS_AT_ONCE",
        PARTNERS_AT_ONCE as usize,
        "the number of processes with which a process exchanges blocks at the same time in an \
         alltoall",
    ),
];

/// Partners with which a process exchanges concurrently: enough to hide the wait for the slowest,
/// few enough to stay in the caches.
pub const PARTNERS_AT_ONCE: u32 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bcast {
    Tree,
    ScatterAllgather,
}

pub fn bcast(bytes: usize, ranks: u32) -> Bcast {
    if bytes <= BCAST_TREE_MAX_BYTES || ranks < BCAST_SPLIT_MIN_RANKS {
        Bcast::Tree
    } else {
        Bcast::ScatterAllgather
    }
}

/// How a reduction treats its vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vector {
    Whole,
    Halved,
}

/// Returns how to reduce a vector. Halving it in each of log2(ranks) rounds takes an element per
/// rank.
fn vector(elements: usize, bytes: usize, whole_max: usize, ranks: u32) -> Vector {
    if bytes <= whole_max || elements < ranks as usize { Vector::Whole } else { Vector::Halved }
}

pub fn allreduce(elements: usize, bytes: usize, ranks: u32) -> Vector {
    vector(elements, bytes, ALLREDUCE_WHOLE_MAX_BYTES, ranks)
}

pub fn reduce(elements: usize, bytes: usize, ranks: u32) -> Vector {
    if ranks < TREE_MIN_RANKS {
        Vector::Whole
    } else {
        vector(elements, bytes, REDUCE_WHOLE_MAX_BYTES, ranks)
    }
}

pub fn reduce_scatter_by_doubling(bytes: usize) -> bool {
    bytes <= REDUCE_SCATTER_WHOLE_MAX_BYTES
}

/// Returns whether gather and scatter use a tree for blocks of this length.
pub fn tree(block_bytes: usize, ranks: u32) -> bool {
    block_bytes <= TREE_MAX_BLOCK_BYTES && ranks >= TREE_MIN_RANKS
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allgather {
    /// Recursive doubling, in place: blocks of equal length and a power of two of processes.
    Doubling,
    Bruck,
    Ring,
}

pub fn allgather(total_bytes: usize, ranks: u32, even: bool) -> Allgather {
    match total_bytes <= ALLGATHER_ROUNDS_MAX_BYTES && ranks > 2 {
        true if even && ranks.is_power_of_two() => Allgather::Doubling,
        true => Allgather::Bruck,
        false => Allgather::Ring,
    }
}

pub fn alltoall_by_bruck(block_bytes: usize, ranks: u32) -> bool {
    block_bytes <= ALLTOALL_BRUCK_MAX_BLOCK_BYTES && ranks >= ALLTOALL_BRUCK_MIN_RANKS
}

/// The properties of the members of a node that all of them know alike.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub members: u32,
    /// True if the members share processors.
    pub oversubscribed: bool,
    /// True if the kernel copies between the members' memories (single copy).
    pub direct: bool,
    /// True if the collective segment has rings.
    pub rings: bool,
    /// True if long packets, and chunks in a segment's rings, are faster than copies by the kernel
    /// at any length, even between two processes.
    pub long_packets: bool,
}

/// The data path of an operation among processes of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataPath {
    /// Through the staging buffers of the collective segment.
    Staged,
    /// A single copy from one process's memory to another's.
    SingleCopy,
    /// Through the rings of the collective segment, chunk by chunk.
    Pipelined,
    /// Messages, after all members have announced that they agree on the length.
    AgreedMessages,
    Messages,
}

/// The data path of an operation with a root among processes of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootedDataPath {
    Staged,
    SingleCopy,
    /// A point-to-point message that the collective segment announces. A process that chose another
    /// data path for its length learns that the message comes.
    DeferredToPt2pt,
    Messages,
}

impl From<DataPath> for RootedDataPath {
    fn from(way: DataPath) -> RootedDataPath {
        match way {
            DataPath::Staged => RootedDataPath::Staged,
            DataPath::SingleCopy => RootedDataPath::SingleCopy,
            DataPath::Pipelined | DataPath::AgreedMessages | DataPath::Messages => {
                RootedDataPath::Messages
            }
        }
    }
}

/// Bytes up to which members with a processor each use staging buffers, measured on two. Longer
/// data take one copy by the kernel, which costs a microsecond, instead of two. In a broadcast or
/// an exchange the second of the two copies begins when the first has ended. The staging buffers of
/// a gather and a scatter let calls overlap, and a member of a scan alone reads what lower ranks
/// contribute.
const DEDICATED_STAGING_MAX_BYTES: usize = 16 << 10;
const DEDICATED_ROOTED_STAGING_MAX_BYTES: usize = 32 << 10;

/// The range of lengths that a root and one other process with a processor each send as a message,
/// which one reads while the other writes it: 0.4 to 0.95 of the time of a staging buffer or the
/// kernel's copy. Shorter data are written soon. In a gather or a scatter, one copy by the kernel
/// takes less time for longer data; the root of a broadcast need not wait if these are a message.
const PAIR_MESSAGE_MIN_BYTES: usize = 4 << 10;
const PAIR_MESSAGE_MAX_BYTES: usize = 32 << 10;
/// The upper end of that range where long packets are faster than copies by the kernel.
const PAIR_PACKET_MAX_BYTES: usize = 1 << 20;

/// Members up to which oversubscribed processes read a vector, or a block for all, from its owner's
/// memory, if lines transfer fast. The kernel's copy takes half as long again as a processor's own,
/// but the ring takes one more copy. What many members read goes through the ring.
const OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS: u32 = 2;
const OVERSUBSCRIBED_COPIED_BLOCK_MAX_MEMBERS: u32 = 3;
/// In a scan, more members than these read longer contributions than this from the memory of lower
/// ranks, because the last to arrive reads all others' contributions alone.
const OVERSUBSCRIBED_CUT_SCAN_MAX_MEMBERS: u32 = 3;
const OVERSUBSCRIBED_SCAN_PIECES_MAX_BYTES: usize = 128 << 10;
/// A longer block of an alltoall has one reader, so one copy takes less time than two.
const OVERSUBSCRIBED_CUT_BLOCK_MAX_BYTES: usize = 32 << 10;
/// Among more members than these, the kernel performs more copies, so the limit applies to longer
/// blocks.
const OVERSUBSCRIBED_FEW_BLOCKS_MAX_MEMBERS: u32 = 5;
const OVERSUBSCRIBED_CUT_BLOCK_OF_MANY_MAX_BYTES: usize = 64 << 10;

/// Bytes up to which an oversubscribed allreduce stays whole; other exchanges do while a staging
/// buffer holds them. Among four processes on two processors, chunks of 32 KiB took 1.1 times the
/// time, chunks of 64 KiB 0.8.
const OVERSUBSCRIBED_ALLREDUCE_WHOLE_MAX_BYTES: usize = 32 << 10;
/// Bytes of all of a member's blocks up to which an oversubscribed alltoall uses rings. Beyond
/// that, no processor's own cache holds the shared memory that members read.
const OVERSUBSCRIBED_ALLTOALL_PIECES_MAX_BYTES: usize = 512 << 10;

/// Bytes from which an oversubscribed gather uses rings: staging buffers are reused too soon, while
/// the root's processor still has their lines. Among more members, blocks of this length would soon
/// make them wait for the root.
const OVERSUBSCRIBED_GATHER_RING_MIN_BYTES: usize = 8 << 10;
pub const OVERSUBSCRIBED_RINGS_MAX_MEMBERS: u32 = 8;
/// Chunks of a block that is longer than one chunk. The number is fixed, so that members whose
/// lengths do not agree make the same number of calls. A broadcast that is longer than the root's
/// staging buffers has as many: the root need not wait while the ring has space, and the others
/// begin when it has written a quarter.
const OVERSUBSCRIBED_RING_PARTS: usize = 4;

/// Bytes up to which two processes with a processor each stay whole. Longer data use exchange
/// buffers, or rings longer than the staging buffers before they are reused, and no process reads
/// its own row.
const PAIR_WHOLE_MAX_BYTES: usize = 1 << 10;
/// Bytes up to which the reduce of a pair uses staging buffers, where lines transfer fast: the
/// process that is not the root need not wait.
const PAIR_REDUCE_WHOLE_MAX_BYTES: usize = 8 << 10;
/// Bytes up to which the scan of a pair stays whole: the lower rank need not wait for the other,
/// except in the first chunk.
const PAIR_SCAN_WHOLE_MAX_BYTES: usize = 2 << 10;
/// Chunks of a pair. In an exchange both members write, then read. A root reads while the other
/// writes.
const PAIR_PIECE_BYTES: usize = EXCHANGE_MAX_BYTES;
const PAIR_ROOTED_PIECE_BYTES: usize = 16 << 10;
/// Bytes up to which, where lines transfer fast, the broadcast of a pair is a message, and a reduce
/// in the pair ring uses short chunks.
const PAIR_RING_WHOLE_MAX_BYTES: usize = 64 << 10;
/// Bytes of a pair's reduction above which it uses messages and halves the vector. Scan,
/// reduce_scatter and alltoall do not: they take 0.6 to 0.8 of the time of messages or of copies by
/// the kernel.
const PAIR_REDUCTION_PIECES_MAX_BYTES: usize = 32 << 10;
/// Bytes of a pair's exchange above which two concurrent copies by the kernel take less time, where
/// these are faster than lines transfer.
const PAIR_EXCHANGE_MAX_BYTES: usize = 32 << 10;
const PAIR_ALLGATHER_PIECES_MAX_BYTES: usize = 256 << 10;

/// Chunks among more than two processes with a processor each, measured on sixteen. All others
/// together read or write one process's memory at 9 GB/s, whatever their number, as long as it is
/// in its processor's own caches. Data for all, and vectors that all reduce, therefore use shared
/// memory, except long vectors, of which each member reads only a segment. Chunks of 64 KiB took up
/// to 1.3 times the time.
const MANY_PIECE_BYTES: usize = 128 << 10;
/// An allreduce above this length reduces in segments, which costs another synchronisation. The
/// length above which the kernel's copies take less time depends on the number of members, measured
/// with 4, 8 and 16: the more members, the shorter a segment.
const MANY_ALLREDUCE_WHOLE_MAX_BYTES: usize = 1 << 10;
const MANY_ALLREDUCE_PIECES_MAX_BYTES: [(u32, usize); 3] =
    [(5, 32 << 10), (11, 256 << 10), (u32::MAX, usize::MAX)];
const MANY_REDUCE_SCATTER_PIECES_MAX_BYTES: usize = 256 << 10;
const MANY_REDUCE_PIECES_MAX_BYTES: usize = 128 << 10;
const MANY_SCAN_WHOLE_MAX_BYTES: usize = 4 << 10;
const MANY_SCAN_PIECES_MAX_BYTES: usize = 32 << 10;
/// Above this number of members, a root that writes a scatter's blocks into several staging buffers
/// takes longer than the members take to read them from its memory.
const MANY_SCATTER_IN_PARTS_MAX_MEMBERS: u32 = 11;
/// Bytes of a broadcast above which its chunks are longer.
const MANY_BCAST_SHORT_MAX_BYTES: usize = 64 << 10;

/// Members with a processor each up to which a segment is used: up to here, polling every row is
/// faster than messages in rounds. Reductions use no segment of more members even if these are
/// oversubscribed, because messages combine contributions in another order, and results must not
/// depend on the number of processors; except an allreduce of at most
/// [`ALLREDUCE_WHOLE_MAX_BYTES`], which combines in the order of its messages.
pub const DEDICATED_MEMBERS_MAX: u32 = 16;

impl Site {
    /// Returns whether all reductions use the segment.
    pub fn reduces(self) -> bool {
        self.members <= DEDICATED_MEMBERS_MAX
    }

    /// Returns whether an allreduce of `bytes` bytes uses the segment. Of many members it combines
    /// in the order of recursive doubling, as messages of that length do.
    pub fn allreduces(self, bytes: usize) -> bool {
        self.reduces() || self.oversubscribed && bytes <= ALLREDUCE_WHOLE_MAX_BYTES
    }

    /// Chooses the data path of `bytes` bytes of every member for every other.
    pub fn allgather(self, bytes: usize) -> DataPath {
        if self.is_many() {
            return self.path_of_many(DEDICATED_STAGING_MAX_BYTES, 0, bytes);
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_BLOCK_MAX_MEMBERS) {
            return self.path_within(bytes);
        }
        self.path_of_all(DEDICATED_STAGING_MAX_BYTES, PAIR_ALLGATHER_PIECES_MAX_BYTES, bytes)
    }

    /// Chooses the data path of an allreduce of `bytes` bytes. If oversubscribed, the last member
    /// to arrive reduces a whole vector for all; of a vector in chunks each member reduces a
    /// segment.
    pub fn allreduce(self, bytes: usize) -> DataPath {
        if self.is_many() {
            let pieces_max = MANY_ALLREDUCE_PIECES_MAX_BYTES
                .iter()
                .find(|(members, _)| self.members <= *members)
                .map_or(0, |(_, bytes)| *bytes);
            return self.path_of_many(MANY_ALLREDUCE_WHOLE_MAX_BYTES, pieces_max, bytes);
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS) {
            return self.path_within(bytes);
        }
        if self.cuts() && self.oversubscribed && bytes > OVERSUBSCRIBED_ALLREDUCE_WHOLE_MAX_BYTES {
            return DataPath::Pipelined;
        }
        self.path_of_all(DEDICATED_STAGING_MAX_BYTES, PAIR_REDUCTION_PIECES_MAX_BYTES, bytes)
    }

    /// Chooses the data path of a reduce_scatter of vectors of `bytes` bytes.
    pub fn reduce_scatter(self, bytes: usize) -> DataPath {
        if self.is_many() {
            return self.path_of_many(
                DEDICATED_STAGING_MAX_BYTES,
                MANY_REDUCE_SCATTER_PIECES_MAX_BYTES,
                bytes,
            );
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS) {
            return self.path_within(bytes);
        }
        self.path_of_all(DEDICATED_STAGING_MAX_BYTES, usize::MAX, bytes)
    }

    /// Returns whether at most `members_max` oversubscribed members copy faster by the kernel than
    /// in chunks.
    fn is_oversubscribed_and_copies(self, members_max: u32) -> bool {
        self.oversubscribed && self.direct && !self.long_packets && self.members <= members_max
    }

    /// Chooses the data path among more than two members for data for all, or to be reduced:
    /// staging buffers up to `whole_max` bytes, rings up to `pieces_max`.
    fn path_of_many(self, whole_max: usize, pieces_max: usize, bytes: usize) -> DataPath {
        if bytes <= whole_max {
            DataPath::Staged
        } else if bytes <= pieces_max || !self.direct {
            DataPath::Pipelined
        } else {
            DataPath::SingleCopy
        }
    }

    /// Chooses the data path of a vector or block that every member has, as
    /// [`path_beyond`](Self::path_beyond) does. A pair uses chunks up to `pieces_max` bytes.
    fn path_of_all(self, dedicated_max: usize, pieces_max: usize, bytes: usize) -> DataPath {
        let whole_max = if self.oversubscribed { STAGING_BYTES } else { PAIR_WHOLE_MAX_BYTES };
        match self.cuts() && bytes > whole_max && !self.copies_at_once(bytes) {
            true if self.oversubscribed || bytes <= pieces_max => DataPath::Pipelined,
            true => DataPath::AgreedMessages,
            false => self.path_beyond(dedicated_max, bytes),
        }
    }

    /// Chooses the data path of data that is not cut into chunks: broadcasts, and data from or to
    /// other nodes.
    pub fn path_within(self, bytes: usize) -> DataPath {
        self.path_beyond(DEDICATED_STAGING_MAX_BYTES, bytes)
    }

    /// Returns whether the segments of several nodes take data of this length. `direct`: on all of
    /// them the kernel copies between the members' memories.
    pub fn nodes_take(direct: bool, bytes: usize) -> bool {
        let (members, oversubscribed, rings, long_packets) = (2, true, false, false);
        let site = Site { members, oversubscribed, direct, rings, long_packets };
        site.path_within(bytes) != DataPath::Messages
    }

    /// Returns whether data longer than a staging buffer goes through rings in chunks. Measured for
    /// two processes with a processor each, and for oversubscribed nodes.
    fn cuts(self) -> bool {
        self.rings && (self.is_pair() || self.oversubscribed)
    }

    /// Returns whether two processes exchange data faster by concurrent copies of the kernel.
    fn copies_at_once(self, bytes: usize) -> bool {
        self.is_pair() && self.direct && !self.long_packets && bytes > PAIR_EXCHANGE_MAX_BYTES
    }

    /// Returns whether rings hold data for which their writers need not wait: few oversubscribed
    /// members.
    fn has_long_rings(self) -> bool {
        self.cuts() && self.oversubscribed && self.members <= OVERSUBSCRIBED_RINGS_MAX_MEMBERS
    }

    /// Returns the length of a chunk in a ring. If oversubscribed, each chunk costs every member a
    /// schedule.
    pub fn piece(self) -> usize {
        match self.is_pair() {
            true => PAIR_PIECE_BYTES,
            false if self.oversubscribed => RING_CHUNK_MAX_BYTES,
            false => MANY_PIECE_BYTES,
        }
    }

    /// Returns the length of a chunk of data that every member has for a root.
    pub fn rooted_piece(self) -> usize {
        if self.is_pair() { PAIR_ROOTED_PIECE_BYTES } else { self.piece() }
    }

    /// Returns the length of a chunk in the pair ring for a vector of `bytes` bytes.
    pub fn pair_ring_chunk(self, bytes: usize) -> usize {
        if bytes > PAIR_RING_WHOLE_MAX_BYTES {
            PAIR_RING_CHUNK_BYTES
        } else {
            PAIR_ROOTED_PIECE_BYTES
        }
    }

    /// Returns whether one process of a pair sends `bytes` bytes to the other through the pair ring
    /// (`nemesis::coll_segment`). Lengths up to `whole_max` do not use it.
    fn passes(self, whole_max: usize, bytes: usize) -> bool {
        self.is_pair()
            && self.rings
            && !self.long_packets
            && bytes > whole_max
            && bytes <= PAIR_RING_CHUNKS * STAGING_BYTES
    }

    pub fn bcast_passes(self, bytes: usize) -> bool {
        self.passes(PAIR_RING_WHOLE_MAX_BYTES, bytes)
    }

    pub fn reduce_passes(self, bytes: usize) -> bool {
        self.passes(PAIR_REDUCE_WHOLE_MAX_BYTES, bytes)
    }

    pub fn scan_passes(self, bytes: usize) -> bool {
        self.passes(PAIR_SCAN_WHOLE_MAX_BYTES, bytes)
    }

    /// Returns whether a pair with a processor each sends data for one of them best as messages in
    /// packets, if these are not too long.
    fn sends_packets(self) -> bool {
        self.rings && self.is_pair()
    }

    /// Chooses between staging buffers, single copies and messages. `dedicated_max`: bytes up to
    /// which members with a processor each use staging buffers, if there is another path.
    fn path_beyond(self, dedicated_max: usize, bytes: usize) -> DataPath {
        let staging_max =
            if self.oversubscribed || !self.direct { STAGING_BYTES } else { dedicated_max };
        match bytes <= staging_max {
            true => DataPath::Staged,
            false if self.direct => DataPath::SingleCopy,
            false => DataPath::Messages,
        }
    }

    /// Chooses the data path of an alltoall with blocks of `each` bytes.
    pub fn exchange(self, each: usize) -> DataPath {
        let all = each.saturating_mul(self.members as usize);
        if self.is_many() {
            return self.path_of_many(STAGING_BYTES, 0, all);
        }
        if self.sends_packets() {
            return self.path_of_all(DEDICATED_STAGING_MAX_BYTES, usize::MAX, each);
        }
        let few = self.members <= OVERSUBSCRIBED_FEW_BLOCKS_MAX_MEMBERS;
        let each_max = if few {
            OVERSUBSCRIBED_CUT_BLOCK_MAX_BYTES
        } else {
            OVERSUBSCRIBED_CUT_BLOCK_OF_MANY_MAX_BYTES
        };
        let is_cut = all <= OVERSUBSCRIBED_ALLTOALL_PIECES_MAX_BYTES
            && (self.long_packets || each <= each_max);
        if self.oversubscribed && self.direct && !is_cut {
            return self.path_within(all);
        }
        self.path_of_all(
            DEDICATED_STAGING_MAX_BYTES,
            PAIR_ALLGATHER_PIECES_MAX_BYTES,
            if all > STAGING_BYTES { all } else { all - each },
        )
    }

    /// Chooses the data path of a scan of `bytes` bytes.
    pub fn scan(self, bytes: usize) -> DataPath {
        if self.is_many() {
            return self.path_of_many(MANY_SCAN_WHOLE_MAX_BYTES, MANY_SCAN_PIECES_MAX_BYTES, bytes);
        }
        if self.scan_passes(bytes) {
            return DataPath::Pipelined;
        }
        let is_copied = self.members > OVERSUBSCRIBED_CUT_SCAN_MAX_MEMBERS
            && bytes > OVERSUBSCRIBED_SCAN_PIECES_MAX_BYTES
            && self.is_oversubscribed_and_copies(u32::MAX);
        match bytes <= PAIR_SCAN_WHOLE_MAX_BYTES
            || self.is_pair() && !self.long_packets
            || is_copied
        {
            true => self.path_beyond(STAGING_BYTES, bytes),
            false => self.path_of_all(STAGING_BYTES, usize::MAX, bytes),
        }
    }

    /// Chooses the data path of an operation that is non-blocking or persistent. Its staging
    /// buffers are short.
    pub fn later(self, bytes: usize) -> DataPath {
        if bytes <= SHORT_STAGING_BYTES {
            DataPath::Staged
        } else {
            self.path_within(bytes.max(STAGING_BYTES + 1))
        }
    }

    /// Chooses the data path of a non-blocking or persistent operation with a root. More messages
    /// may be in flight than a segment has slots, so a root that calls repeatedly gets further
    /// ahead with messages. That pays for short messages, and for two processes with a processor
    /// each.
    pub fn later_rooted(self, bytes: usize) -> DataPath {
        if self.is_pair() || bytes < BCAST_NONBLOCKING_MIN_BYTES {
            DataPath::Messages
        } else {
            self.later(bytes)
        }
    }

    /// Returns the length up to which a broadcast fits its staging buffer. Longer ones come in
    /// chunks of [`bcast_piece`](Self::bcast_piece) bytes.
    pub fn bcast_whole_max(self) -> usize {
        if self.is_many() { SHORT_STAGING_BYTES } else { STAGING_BYTES }
    }

    /// Returns whether a broadcast comes in chunks.
    pub fn bcasts_pipelined(self, bytes: usize) -> bool {
        if self.is_pair() { self.bcast_passes(bytes) } else { bytes > self.bcast_whole_max() }
    }

    /// Returns the length of a chunk of a broadcast. The root writes a chunk while the others read
    /// the ones before it.
    pub fn bcast_piece(self, bytes: usize) -> usize {
        match self.bcasts_in_ring(bytes) {
            true => bytes
                .div_ceil(OVERSUBSCRIBED_RING_PARTS)
                .next_multiple_of(PAGE_BYTES)
                .min(RING_CHUNK_MAX_BYTES),
            false if self.is_many() && bytes <= MANY_BCAST_SHORT_MAX_BYTES => SHORT_STAGING_BYTES,
            false => STAGING_BYTES,
        }
    }

    /// Returns whether the chunks of a broadcast lie in the root's ring.
    pub fn bcasts_in_ring(self, bytes: usize) -> bool {
        self.has_long_rings() && bytes > LARGE_STAGING_BUFFERS * STAGING_BYTES
    }

    /// Returns whether there are more than two processes, with a processor each.
    pub fn is_many(self) -> bool {
        !self.oversubscribed && self.members > 2
    }

    /// Returns whether there are two processes, with a processor each.
    pub fn is_pair(self) -> bool {
        self.members == 2 && !self.oversubscribed
    }

    /// Chooses the data path of a reduce of `bytes` bytes.
    pub fn reduce(self, bytes: usize) -> DataPath {
        if self.is_many() {
            return self.path_of_many(
                DEDICATED_ROOTED_STAGING_MAX_BYTES,
                MANY_REDUCE_PIECES_MAX_BYTES,
                bytes,
            );
        }
        if self.reduce_passes(bytes) {
            return DataPath::Pipelined;
        }
        if self.sends_packets() && bytes > PAIR_REDUCTION_PIECES_MAX_BYTES {
            return DataPath::AgreedMessages;
        }
        match self.is_pair() && !self.long_packets && bytes <= PAIR_REDUCE_WHOLE_MAX_BYTES {
            true => DataPath::Staged,
            false => self.path_of_all(
                DEDICATED_ROOTED_STAGING_MAX_BYTES,
                PAIR_REDUCTION_PIECES_MAX_BYTES,
                bytes,
            ),
        }
    }

    /// Chooses the data path of `bytes` bytes between a root and each other member. In a pair,
    /// lengths below those of messages use staging buffers.
    pub fn rooted(self, bytes: usize) -> RootedDataPath {
        let messages_max =
            if self.long_packets { PAIR_PACKET_MAX_BYTES } else { PAIR_MESSAGE_MAX_BYTES };
        let is_direct = self.direct && bytes > messages_max;
        if self.is_pair() && bytes >= PAIR_MESSAGE_MIN_BYTES && !is_direct {
            return RootedDataPath::DeferredToPt2pt;
        }
        self.path_beyond(DEDICATED_ROOTED_STAGING_MAX_BYTES, bytes).into()
    }

    /// Chooses the data path of a gather with blocks of `bytes` bytes. If oversubscribed, blocks
    /// use staging buffers or rings as long as these hold them: no member waits for the root.
    pub fn gather(self, bytes: usize) -> RootedDataPath {
        let in_staging = !self.is_pair() && bytes <= LARGE_STAGING_BUFFERS * STAGING_BYTES
            || self.gather_parts_in_rings(bytes).is_some();
        if in_staging { RootedDataPath::Staged } else { self.rooted(bytes) }
    }

    /// Returns the number of chunks of a gather that uses rings, or `None` if it does not use them.
    pub fn gather_parts_in_rings(self, bytes: usize) -> Option<usize> {
        let parts = if bytes <= RING_CHUNK_MAX_BYTES { 1 } else { OVERSUBSCRIBED_RING_PARTS };
        let min = if self.long_packets {
            OVERSUBSCRIBED_GATHER_RING_MIN_BYTES
        } else {
            LARGE_STAGING_BUFFERS * STAGING_BYTES + 1
        };
        let fits = (min..=parts * RING_CHUNK_MAX_BYTES).contains(&bytes);
        (self.has_long_rings() && fits).then_some(parts)
    }

    /// Chooses the data path of a scatter with blocks of `bytes` bytes. If oversubscribed, a root
    /// that copies all blocks alone takes longer than the others take to read them.
    pub fn scatter(self, bytes: usize) -> RootedDataPath {
        let staging_max = if self.members <= MANY_SCATTER_IN_PARTS_MAX_MEMBERS {
            LARGE_STAGING_BUFFERS * STAGING_BYTES
        } else {
            STAGING_BYTES
        };
        if self.is_many() && bytes <= staging_max {
            return RootedDataPath::Staged;
        }
        if self.direct && bytes > DEDICATED_ROOTED_STAGING_MAX_BYTES && !self.sends_packets() {
            RootedDataPath::SingleCopy
        } else {
            self.rooted(bytes)
        }
    }

    /// Chooses the data path of a broadcast of `bytes` bytes. If oversubscribed, data longer than a
    /// staging buffer uses these in chunks.
    pub fn bcast(self, bytes: usize) -> RootedDataPath {
        match self.is_pair() {
            true if self.bcast_passes(bytes) => RootedDataPath::Staged,
            true if bytes >= PAIR_MESSAGE_MIN_BYTES => RootedDataPath::DeferredToPt2pt,
            true => self.path_within(bytes).into(),
            false => RootedDataPath::Staged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shm::SHORT_MAX_BYTES;

    #[test]
    fn what_goes_the_short_way_goes_through_rooms() {
        for (members, direct, long_packets) in (2..=16).flat_map(|members| {
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(a, b)| (members, a, b))
        }) {
            let site = Site {
                members,
                oversubscribed: false,
                direct,
                rings: members == 2 || long_packets,
                long_packets,
            };
            for bytes in 1..=SHORT_MAX_BYTES as usize {
                let all = [
                    site.allreduce(bytes),
                    site.reduce(bytes),
                    site.scan(bytes),
                    site.reduce_scatter(bytes),
                    site.allgather(bytes),
                ];
                assert_eq!(all, [DataPath::Staged; 5], "{site:?} {bytes}");
                assert_eq!(
                    [site.bcast(bytes), site.gather(bytes), site.scatter(bytes)],
                    [RootedDataPath::Staged; 3],
                    "{site:?} {bytes}"
                );
                assert!(
                    site.gather_parts_in_rings(bytes).is_none() && bytes <= site.bcast_whole_max()
                );
                // Blocks of an alltoall are short if all of them together are.
                assert!(
                    bytes * members as usize > SHORT_MAX_BYTES as usize
                        || site.exchange(bytes) == DataPath::Staged,
                    "{site:?} {bytes}"
                );
            }
        }
    }
}
