//! Which algorithm for which size: every threshold of the collectives.
//!
//! | operation | short | long |
//! |---|---|---|
//! | bcast | binomial tree | scatter, then allgather |
//! | reduce | binomial tree | reduce-scatter by halving, then gather |
//! | allreduce | recursive doubling | reduce-scatter by halving, then allgather by doubling |
//! | reduce_scatter | recursive doubling, each keeps its block | pairwise exchange |
//! | gather, scatter | binomial tree | everybody with the root |
//! | allgather | recursive doubling, Bruck | ring |
//! | alltoall | Bruck in large groups | everybody with everybody, a few at a time |
//! | scan, exscan | recursive doubling | the same |
//!
//! On one node, blocking, these go by a board (`near`) unless `Site` says otherwise, from the fourth call on a communicator; up to 16 members if each has a
//! processor of its own. Messages it is for functions of the user, for types with holes in reductions, and for alltoall in place. Non-blocking and
//! persistent, barrier, bcast and allreduce do the same.
//!
//! A choice may depend only on what all processes know alike: the number of bytes and of processes, never on the layout of one's own datatype.
//!
//! The thresholds balance the two costs of a message: to get it across, however short (0.2 microseconds between two processes of one node, measured
//! with a ping-pong of 8 bytes), and to copy it. They are of the size that Thakur, Rabenseifner and Gropp (2005, "Optimization of Collective
//! Communication Operations in MPICH") found on networks, rounded to powers of two; they have not been tuned by measurements of their own. Where processes
//! meet at a board, the limit between rooms and memory was measured on two cores (docs/design/0007): 64 KiB through a room took 0.4 to 0.9 of the time that
//! the kernel's copies took, at 4 processes, and longer data no longer stay in the caches.

use nemesis::PAGE_BYTES;
use nemesis::coll_segment::{
    EXCHANGE_MAX_BYTES, LARGE_STAGING_BUFFERS, PAIR_RING_CHUNK_BYTES, PAIR_RING_CHUNKS,
    PIECE_MAX_BYTES, SHORT_STAGING_BYTES, STAGING_BYTES,
};

/// Above this many bytes, splitting a broadcast beats sending it whole log2(n) times.
const BCAST_TREE_MAX_BYTES: usize = 64 << 10;
/// With fewer processes the tree is too shallow for splitting to save anything.
const BCAST_SPLIT_MIN_RANKS: u32 = 4;

/// From so many bytes on, a non-blocking broadcast goes by a board. Measured on two cores among 4, 8 and 16 processes: 8 bytes took 1.2 to 1.8 times as
/// long there as by messages, 512 as long, 4 KiB 0.4 to 0.9 times.
const BCAST_NONBLOCKING_MIN_BYTES: usize = 1 << 10;

/// Above this many bytes, halving the vector in each round beats exchanging it whole.
const ALLREDUCE_WHOLE_MAX_BYTES: usize = 16 << 10;
const REDUCE_WHOLE_MAX_BYTES: usize = 64 << 10;

/// Total bytes up to which everybody computes the whole vector of a reduce_scatter in log2(n) rounds and keeps its block.
const REDUCE_SCATTER_WHOLE_MAX_BYTES: usize = 4 << 10;

/// Bytes of one block up to which gather and scatter go along a tree; above, the extra copies on the way cost more than the root's extra messages.
const TREE_MAX_BLOCK_BYTES: usize = 2 << 10;
/// With fewer processes the root speaks with everybody itself.
const TREE_MIN_RANKS: u32 = 4;

/// Total bytes up to which an allgather takes log2(n) rounds and an extra copy, instead of n - 1 rounds and none.
const ALLGATHER_ROUNDS_MAX_BYTES: usize = 64 << 10;

/// Bytes of one block up to which Bruck's alltoall, which sends every byte log2(n) / 2 times, beats n - 1 messages.
const ALLTOALL_BRUCK_MAX_BLOCK_BYTES: usize = 64;
const ALLTOALL_BRUCK_MIN_RANKS: u32 = 16;

/// The thresholds by name, for tools: they cannot be changed.
pub const THRESHOLDS: [(&str, usize, &str); 9] = [
    (
        "NEMESIS_BCAST_TREE_MAX_BYTES",
        BCAST_TREE_MAX_BYTES,
        "longer broadcasts are split: scatter, then allgather",
    ),
    (
        "NEMESIS_ALLREDUCE_WHOLE_MAX_BYTES",
        ALLREDUCE_WHOLE_MAX_BYTES,
        "longer vectors of an allreduce are halved in each round",
    ),
    (
        "NEMESIS_REDUCE_WHOLE_MAX_BYTES",
        REDUCE_WHOLE_MAX_BYTES,
        "longer vectors of a reduce are halved in each round",
    ),
    (
        "NEMESIS_REDUCE_SCATTER_WHOLE_MAX_BYTES",
        REDUCE_SCATTER_WHOLE_MAX_BYTES,
        "longer vectors of a reduce_scatter are exchanged pairwise",
    ),
    (
        "NEMESIS_TREE_MAX_BLOCK_BYTES",
        TREE_MAX_BLOCK_BYTES,
        "gather and scatter with longer blocks go without a tree",
    ),
    (
        "NEMESIS_ALLGATHER_ROUNDS_MAX_BYTES",
        ALLGATHER_ROUNDS_MAX_BYTES,
        "longer allgathers go around a ring",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MAX_BLOCK_BYTES",
        ALLTOALL_BRUCK_MAX_BLOCK_BYTES,
        "alltoalls with longer blocks send them straight",
    ),
    (
        "NEMESIS_ALLTOALL_BRUCK_MIN_RANKS",
        ALLTOALL_BRUCK_MIN_RANKS as usize,
        "with fewer processes every alltoall sends its blocks straight",
    ),
    (
        "NEMESIS_PARTNERS_AT_ONCE",
        PARTNERS_AT_ONCE as usize,
        "processes that one exchanges with at the same time in an alltoall",
    ),
];

/// How many partners one process exchanges with at the same time: enough to hide the wait for the slowest, few enough to stay in the caches.
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

/// A vector is halved in each of log2(ranks) rounds, so it needs an element for each rank.
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

/// Whether gather and scatter use a tree for blocks of this size.
pub fn tree(block_bytes: usize, ranks: u32) -> bool {
    block_bytes <= TREE_MAX_BLOCK_BYTES && ranks >= TREE_MIN_RANKS
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allgather {
    /// In place, blocks of one size, a power of two of processes.
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

/// Where members of one node meet, as all of them know it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub members: u32,
    /// They share processors.
    pub oversubscribed: bool,
    /// They reach each other's memory.
    pub direct: bool,
    /// Their board has tracks.
    pub rings: bool,
    /// Long packets, and pieces in a board's tracks, are faster than copies by the kernel even between two, however long (0003).
    pub long_packets: bool,
}

/// The way of data among processes of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Through the rooms of the board.
    Rooms,
    /// From one's memory to the other's.
    Direct,
    /// Through the tracks of the board, piece by piece.
    Pieces,
    /// Messages, when all have told each other that they agree on the length.
    Agreed,
    Messages,
}

/// The same between a root and the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootedWay {
    Rooms,
    Direct,
    /// A message, of which the board tells: a process whose length leads it another way learns that it comes.
    DeferredToPt2pt,
    Messages,
}

impl From<Way> for RootedWay {
    fn from(way: Way) -> RootedWay {
        match way {
            Way::Rooms => RootedWay::Rooms,
            Way::Direct => RootedWay::Direct,
            Way::Pieces | Way::Agreed | Way::Messages => RootedWay::Messages,
        }
    }
}

/// What goes through rooms where members have a processor each, measured on two: longer data cross in one copy by the kernel, which costs a microsecond,
/// instead of two. In a broadcast as in an exchange the second of the two begins when the first has ended. A gather's and a scatter's rooms let calls
/// overlap, and what comes before a member in a scan is read by it alone.
const DEDICATED_STAGING_MAX_BYTES: usize = 16 << 10;
const DEDICATED_ROOTED_STAGING_MAX_BYTES: usize = 32 << 10;

/// Between a root and one other, if each has a processor, what is so long and no longer is a message, which the one reads while the other writes it: that
/// took 0.4 to 0.95 of the time that a room or the kernel's copy took. Shorter data are soon written. Of longer ones in a gather or a scatter one copy by
/// the kernel takes less time; a broadcast's root need not wait for that as a message.
const PAIR_MESSAGE_MIN_BYTES: usize = 4 << 10;
const PAIR_MESSAGE_MAX_BYTES: usize = 32 << 10;
/// Where long packets are faster than copies by the kernel, longer ones are messages, too.
const PAIR_PACKET_MAX_BYTES: usize = 1 << 20;

/// Where processors are shared and lines pass fast, the kernel's copies take half as long again as a processor's own, of which there is one more: into the
/// track. So what many read is cut, and among so few members each reads a vector, or a block for all, from its owner's memory.
const OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS: u32 = 2;
const OVERSUBSCRIBED_COPIED_BLOCK_MAX_MEMBERS: u32 = 3;
/// In a scan more members than these read what comes before them there if it is longer than so much: who comes last reads all the others' alone.
const OVERSUBSCRIBED_CUT_SCAN_MAX_MEMBERS: u32 = 3;
const OVERSUBSCRIBED_SCAN_PIECES_MAX_BYTES: usize = 128 << 10;
/// An alltoall's block is for one member only: if it is longer than this, one copy takes less time than two.
const OVERSUBSCRIBED_CUT_BLOCK_MAX_BYTES: usize = 32 << 10;
/// The more there are, the more copies the kernel is asked for: among more than so few that is so of longer blocks only.
const OVERSUBSCRIBED_FEW_BLOCKS_MAX_MEMBERS: u32 = 5;
const OVERSUBSCRIBED_CUT_BLOCK_OF_MANY_MAX_BYTES: usize = 64 << 10;

/// Where processors are shared, an allreduce is cut from here on, other exchanges when a room does not hold them. Among four on two processors pieces of 32
/// KiB took 1.1 times the time, those of 64 KiB 0.8.
const OVERSUBSCRIBED_ALLREDUCE_WHOLE_MAX_BYTES: usize = 32 << 10;
/// Nor is an alltoall cut in which each has more than this for all: what is in shared memory then is read from no processor's own cache.
const OVERSUBSCRIBED_ALLTOALL_PIECES_MAX_BYTES: usize = 512 << 10;

/// There a gather's rooms come round too soon, while the root's processor has their lines: from here on blocks lie in tracks. More processes have such short
/// ones that they would soon wait for the root.
const OVERSUBSCRIBED_GATHER_RING_MIN_BYTES: usize = 8 << 10;
pub const OVERSUBSCRIBED_RINGS_MAX_MEMBERS: u32 = 8;
/// A block that is longer than a piece has always so many, so that blocks that do not agree make no more calls. And so many has a broadcast that is longer
/// than the root's rooms: as long as the track has room for them the root need not wait, and the others begin when it has written a quarter.
const OVERSUBSCRIBED_RING_PARTS: usize = 4;

/// Two processes with a processor each cut what is longer than this: they trade places, or tracks are longer than rooms go round, and nobody looks at its own
/// row.
const PAIR_WHOLE_MAX_BYTES: usize = 1 << 10;
/// In a reduce the root's other need not wait: rooms take longer ones where lines pass fast.
const PAIR_REDUCE_WHOLE_MAX_BYTES: usize = 8 << 10;
/// In a scan the lower one need not wait for the other, except over a first piece.
const PAIR_SCAN_WHOLE_MAX_BYTES: usize = 2 << 10;
/// Their pieces: what all have for all, all write at the same time and then read. What is for a root it reads while the other writes.
const PAIR_PIECE_BYTES: usize = EXCHANGE_MAX_BYTES;
const PAIR_ROOTED_PIECE_BYTES: usize = 16 << 10;
/// What one of two passes to the other, where lines pass fast, is a message in a broadcast if it is no longer than this, and cut short in a reduce.
const PAIR_RING_WHOLE_MAX_BYTES: usize = 64 << 10;
/// What is longer are messages, in which a vector is halved; except in a scan, a reduce_scatter and an alltoall, which take 0.6 to 0.8 of their time, or of
/// that of copies by the kernel.
const PAIR_REDUCTION_PIECES_MAX_BYTES: usize = 32 << 10;
/// Where the kernel's copies are faster, two of them at the same time take less for what is longer than this.
const PAIR_EXCHANGE_MAX_BYTES: usize = 32 << 10;
const PAIR_ALLGATHER_PIECES_MAX_BYTES: usize = 256 << 10;

/// More than two processes with a processor each, measured on sixteen: one process's memory is read or written by all others together at 9 GB/s, however many
/// they are, as long as it is in its processor's own caches. So what is one's for all, and what all join, goes through shared memory, except long vectors, of
/// which each reads only a share. Pieces of 64 KiB took up to 1.3 times the time.
const MANY_PIECE_BYTES: usize = 128 << 10;
/// A longer vector of an allreduce is joined in shares, which costs another meeting. How long one may be for that the copies of the kernel take longer depends
/// on how many they are: measured with 4, 8 and 16; the more, the shorter is a share.
const MANY_ALLREDUCE_WHOLE_MAX_BYTES: usize = 1 << 10;
const MANY_ALLREDUCE_PIECES_MAX_BYTES: [(u32, usize); 3] =
    [(5, 32 << 10), (11, 256 << 10), (u32::MAX, usize::MAX)];
const MANY_REDUCE_SCATTER_PIECES_MAX_BYTES: usize = 256 << 10;
const MANY_REDUCE_PIECES_MAX_BYTES: usize = 128 << 10;
const MANY_SCAN_WHOLE_MAX_BYTES: usize = 4 << 10;
const MANY_SCAN_PIECES_MAX_BYTES: usize = 32 << 10;
/// A root that writes a scatter's blocks into several rooms for each of more than these takes longer than they take to read from its memory.
const MANY_SCATTER_IN_PARTS_MAX_MEMBERS: u32 = 11;
/// A longer broadcast has longer pieces.
const MANY_BCAST_SHORT_MAX_BYTES: usize = 64 << 10;

impl Site {
    /// `bytes` bytes of every member for every other.
    pub fn allgather(self, bytes: usize) -> Way {
        if self.is_many() {
            return self.way_of_many(DEDICATED_STAGING_MAX_BYTES, 0, bytes);
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_BLOCK_MAX_MEMBERS) {
            return self.way_within(bytes);
        }
        self.way_of_all(DEDICATED_STAGING_MAX_BYTES, PAIR_ALLGATHER_PIECES_MAX_BYTES, bytes)
    }

    /// A vector of `bytes` bytes of every member, of which all get the whole, joined. Where processors are shared, the last one to come joins for all what is
    /// not cut; each a share of what is.
    pub fn allreduce(self, bytes: usize) -> Way {
        if self.is_many() {
            let pieces_max = MANY_ALLREDUCE_PIECES_MAX_BYTES
                .iter()
                .find(|(members, _)| self.members <= *members)
                .map_or(0, |(_, bytes)| *bytes);
            return self.way_of_many(MANY_ALLREDUCE_WHOLE_MAX_BYTES, pieces_max, bytes);
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS) {
            return self.way_within(bytes);
        }
        if self.cuts() && self.oversubscribed && bytes > OVERSUBSCRIBED_ALLREDUCE_WHOLE_MAX_BYTES {
            return Way::Pieces;
        }
        self.way_of_all(DEDICATED_STAGING_MAX_BYTES, PAIR_REDUCTION_PIECES_MAX_BYTES, bytes)
    }

    /// The same, of which each gets a share.
    pub fn reduce_scatter(self, bytes: usize) -> Way {
        if self.is_many() {
            return self.way_of_many(
                DEDICATED_STAGING_MAX_BYTES,
                MANY_REDUCE_SCATTER_PIECES_MAX_BYTES,
                bytes,
            );
        }
        if self.is_oversubscribed_and_copies(OVERSUBSCRIBED_COPIED_VECTOR_MAX_MEMBERS) {
            return self.way_within(bytes);
        }
        self.way_of_all(DEDICATED_STAGING_MAX_BYTES, usize::MAX, bytes)
    }

    /// Up to so many members that share processors and had better have the kernel copy than cut what they have.
    fn is_oversubscribed_and_copies(self, members_max: u32) -> bool {
        self.oversubscribed && self.direct && !self.long_packets && self.members <= members_max
    }

    /// Of what many have for all, or to be joined: so much goes through rooms, so much through tracks.
    fn way_of_many(self, whole_max: usize, pieces_max: usize, bytes: usize) -> Way {
        if bytes <= whole_max {
            Way::Rooms
        } else if bytes <= pieces_max || !self.direct {
            Way::Pieces
        } else {
            Way::Direct
        }
    }

    /// As [`way_beyond`](Self::way_beyond), of a vector or a block of which all have one. `pieces_max`: what two processes cut.
    fn way_of_all(self, dedicated_max: usize, pieces_max: usize, bytes: usize) -> Way {
        let whole_max = if self.oversubscribed { STAGING_BYTES } else { PAIR_WHOLE_MAX_BYTES };
        match self.cuts() && bytes > whole_max && !self.copies_at_once(bytes) {
            true if self.oversubscribed || bytes <= pieces_max => Way::Pieces,
            true => Way::Agreed,
            false => self.way_beyond(dedicated_max, bytes),
        }
    }

    /// Of what is not cut: a broadcast's data, and those that come from, or go to, other nodes.
    pub fn way_within(self, bytes: usize) -> Way {
        self.way_beyond(DEDICATED_STAGING_MAX_BYTES, bytes)
    }

    /// Whether what is longer than a room goes through tracks in pieces: that has been measured of two processes with a processor each, and where processors
    /// are shared.
    fn cuts(self) -> bool {
        self.rings && (self.is_pair() || self.oversubscribed)
    }

    /// Two processes each of which had better have the kernel copy from the other's memory.
    fn copies_at_once(self, bytes: usize) -> bool {
        self.is_pair() && self.direct && !self.long_packets && bytes > PAIR_EXCHANGE_MAX_BYTES
    }

    /// Few that share processors: their tracks have room for what others need not wait for.
    fn has_long_rings(self) -> bool {
        self.cuts() && self.oversubscribed && self.members <= OVERSUBSCRIBED_RINGS_MAX_MEMBERS
    }

    /// What goes through a track at a time. Where processors are shared, each piece costs everybody a turn at one.
    pub fn piece(self) -> usize {
        match self.is_pair() {
            true => PAIR_PIECE_BYTES,
            false if self.oversubscribed => PIECE_MAX_BYTES,
            false => MANY_PIECE_BYTES,
        }
    }

    /// The same of what everybody has for a root.
    pub fn rooted_piece(self) -> usize {
        if self.is_pair() { PAIR_ROOTED_PIECE_BYTES } else { self.piece() }
    }

    /// The pieces of a vector that is passed.
    pub fn pair_ring_chunk(self, bytes: usize) -> usize {
        if bytes > PAIR_RING_WHOLE_MAX_BYTES {
            PAIR_RING_CHUNK_BYTES
        } else {
            PAIR_ROOTED_PIECE_BYTES
        }
    }

    /// Whether one of two passes what it has for the other through places that both write (`nemesis::coll_segment`), if it is longer than `whole_max`.
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

    /// Two processes with a processor each, for which messages in packets are the best way of what goes to one of them, if it is not too long.
    fn sends_packets(self) -> bool {
        self.rings && self.is_pair()
    }

    /// `dedicated_max`: what goes through rooms where members have a processor each, if there is another way.
    fn way_beyond(self, dedicated_max: usize, bytes: usize) -> Way {
        let staging_max =
            if self.oversubscribed || !self.direct { STAGING_BYTES } else { dedicated_max };
        match bytes <= staging_max {
            true => Way::Rooms,
            false if self.direct => Way::Direct,
            false => Way::Messages,
        }
    }

    /// `each` bytes of every member for every other.
    pub fn exchange(self, each: usize) -> Way {
        let all = each.saturating_mul(self.members as usize);
        if self.is_many() {
            return self.way_of_many(STAGING_BYTES, 0, all);
        }
        if self.sends_packets() {
            return self.way_of_all(DEDICATED_STAGING_MAX_BYTES, usize::MAX, each);
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
            return self.way_within(all);
        }
        self.way_of_all(
            DEDICATED_STAGING_MAX_BYTES,
            PAIR_ALLGATHER_PIECES_MAX_BYTES,
            if all > STAGING_BYTES { all } else { all - each },
        )
    }

    /// `bytes` bytes of every member for those above it.
    pub fn scan(self, bytes: usize) -> Way {
        if self.is_many() {
            return self.way_of_many(MANY_SCAN_WHOLE_MAX_BYTES, MANY_SCAN_PIECES_MAX_BYTES, bytes);
        }
        if self.scan_passes(bytes) {
            return Way::Pieces;
        }
        let is_copied = self.members > OVERSUBSCRIBED_CUT_SCAN_MAX_MEMBERS
            && bytes > OVERSUBSCRIBED_SCAN_PIECES_MAX_BYTES
            && self.is_oversubscribed_and_copies(u32::MAX);
        match bytes <= PAIR_SCAN_WHOLE_MAX_BYTES
            || self.is_pair() && !self.long_packets
            || is_copied
        {
            true => self.way_beyond(STAGING_BYTES, bytes),
            false => self.way_of_all(STAGING_BYTES, usize::MAX, bytes),
        }
    }

    /// The same in operations that begin before others have ended: their rooms are short.
    pub fn later(self, bytes: usize) -> Way {
        if bytes <= SHORT_STAGING_BYTES {
            Way::Rooms
        } else {
            self.way_within(bytes.max(STAGING_BYTES + 1))
        }
    }

    /// And between a root and the others. Of messages more may be on their way than a board has slots, so a root that calls again and again gets
    /// further ahead: that counts where they are short, and where two processes have a processor each.
    pub fn later_rooted(self, bytes: usize) -> Way {
        if self.is_pair() || bytes < BCAST_NONBLOCKING_MIN_BYTES {
            Way::Messages
        } else {
            self.later(bytes)
        }
    }

    /// What a broadcast's room holds: longer ones come in pieces ([`bcast_piece`](Self::bcast_piece)).
    pub fn bcast_whole_max(self) -> usize {
        if self.is_many() { SHORT_STAGING_BYTES } else { STAGING_BYTES }
    }

    /// Whether one comes in pieces.
    pub fn bcasts_in_pieces(self, bytes: usize) -> bool {
        if self.is_pair() { self.bcast_passes(bytes) } else { bytes > self.bcast_whole_max() }
    }

    /// The pieces of a broadcast of so many bytes. The root writes one while the others read those before it.
    pub fn bcast_piece(self, bytes: usize) -> usize {
        match self.bcasts_in_ring(bytes) {
            true => bytes
                .div_ceil(OVERSUBSCRIBED_RING_PARTS)
                .next_multiple_of(PAGE_BYTES)
                .min(PIECE_MAX_BYTES),
            false if self.is_many() && bytes <= MANY_BCAST_SHORT_MAX_BYTES => SHORT_STAGING_BYTES,
            false => STAGING_BYTES,
        }
    }

    /// Whether they lie in the root's track.
    pub fn bcasts_in_ring(self, bytes: usize) -> bool {
        self.has_long_rings() && bytes > LARGE_STAGING_BUFFERS * STAGING_BYTES
    }

    /// More than two processes, with a processor each.
    pub fn is_many(self) -> bool {
        !self.oversubscribed && self.members > 2
    }

    /// Two processes with a processor each.
    pub fn is_pair(self) -> bool {
        self.members == 2 && !self.oversubscribed
    }

    /// `bytes` bytes of each of the others joined at a root.
    pub fn reduce(self, bytes: usize) -> Way {
        if self.is_many() {
            return self.way_of_many(
                DEDICATED_ROOTED_STAGING_MAX_BYTES,
                MANY_REDUCE_PIECES_MAX_BYTES,
                bytes,
            );
        }
        if self.reduce_passes(bytes) {
            return Way::Pieces;
        }
        if self.sends_packets() && bytes > PAIR_REDUCTION_PIECES_MAX_BYTES {
            return Way::Agreed;
        }
        match self.is_pair() && !self.long_packets && bytes <= PAIR_REDUCE_WHOLE_MAX_BYTES {
            true => Way::Rooms,
            false => self.way_of_all(
                DEDICATED_ROOTED_STAGING_MAX_BYTES,
                PAIR_REDUCTION_PIECES_MAX_BYTES,
                bytes,
            ),
        }
    }

    /// `bytes` bytes between a root and each of the others. Between two, rooms take what is shorter than a message.
    pub fn rooted(self, bytes: usize) -> RootedWay {
        let messages_max =
            if self.long_packets { PAIR_PACKET_MAX_BYTES } else { PAIR_MESSAGE_MAX_BYTES };
        let is_direct = self.direct && bytes > messages_max;
        if self.is_pair() && bytes >= PAIR_MESSAGE_MIN_BYTES && !is_direct {
            return RootedWay::DeferredToPt2pt;
        }
        self.way_beyond(DEDICATED_ROOTED_STAGING_MAX_BYTES, bytes).into()
    }

    /// `bytes` bytes of each of the others for a root. Where processors are shared, all that a row's rooms hold, or its track, goes through them: nobody waits
    /// for the root.
    pub fn gather(self, bytes: usize) -> RootedWay {
        let in_staging = !self.is_pair() && bytes <= LARGE_STAGING_BUFFERS * STAGING_BYTES
            || self.gather_parts_in_rings(bytes).is_some();
        if in_staging { RootedWay::Rooms } else { self.rooted(bytes) }
    }

    /// In how many parts a gather goes through tracks, if it does.
    pub fn gather_parts_in_rings(self, bytes: usize) -> Option<usize> {
        let parts = if bytes <= PIECE_MAX_BYTES { 1 } else { OVERSUBSCRIBED_RING_PARTS };
        let min = if self.long_packets {
            OVERSUBSCRIBED_GATHER_RING_MIN_BYTES
        } else {
            LARGE_STAGING_BUFFERS * STAGING_BYTES + 1
        };
        let fits = (min..=parts * PIECE_MAX_BYTES).contains(&bytes);
        (self.has_long_rings() && fits).then_some(parts)
    }

    /// `bytes` bytes of a root for each of the others. Where processors are shared, a root that copies all of them in alone takes longer than the others
    /// take to read them.
    pub fn scatter(self, bytes: usize) -> RootedWay {
        let staging_max = if self.members <= MANY_SCATTER_IN_PARTS_MAX_MEMBERS {
            LARGE_STAGING_BUFFERS * STAGING_BYTES
        } else {
            STAGING_BYTES
        };
        if self.is_many() && bytes <= staging_max {
            return RootedWay::Rooms;
        }
        if self.direct && bytes > DEDICATED_ROOTED_STAGING_MAX_BYTES && !self.sends_packets() {
            RootedWay::Direct
        } else {
            self.rooted(bytes)
        }
    }

    /// The same `bytes` bytes of a root for all others. Where processors are shared, what is longer than a room goes through rooms in pieces.
    pub fn bcast(self, bytes: usize) -> RootedWay {
        match self.is_pair() {
            true if self.bcast_passes(bytes) => RootedWay::Rooms,
            true if bytes >= PAIR_MESSAGE_MIN_BYTES => RootedWay::DeferredToPt2pt,
            true => self.way_within(bytes).into(),
            false => RootedWay::Rooms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coll::shm::SHORT_MAX_BYTES;

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
                assert_eq!(all, [Way::Rooms; 5], "{site:?} {bytes}");
                assert_eq!(
                    [site.bcast(bytes), site.gather(bytes), site.scatter(bytes)],
                    [RootedWay::Rooms; 3],
                    "{site:?} {bytes}"
                );
                assert!(
                    site.gather_parts_in_rings(bytes).is_none() && bytes <= site.bcast_whole_max()
                );
                // Blocks of an alltoall are short all together.
                assert!(
                    bytes * members as usize > SHORT_MAX_BYTES as usize
                        || site.exchange(bytes) == Way::Rooms,
                    "{site:?} {bytes}"
                );
            }
        }
    }
}
