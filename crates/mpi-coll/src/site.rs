//! What the members of a node know alike, and the chunks in which they exchange long data.
//!
//! The tables of algorithms (`table`) choose by a [`Site`]; the algorithms of `shm` cut their data
//! by it. All members must choose alike, so a site holds only values that they have agreed on, and
//! a choice never depends on the layout of a process's own datatype.

use nemesis::PAGE_BYTES;
use nemesis::coll_segment::{
    EXCHANGE_MAX_BYTES, LARGE_STAGING_BUFFERS, RING_CHUNK_MAX_BYTES, SHORT_STAGING_BYTES,
    STAGING_BYTES,
};

/// The properties of the members of a node that all of them know alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub members: u32,
    /// True if the members share processors.
    pub oversubscribed: bool,
    /// True if the kernel copies between the members' memories (single copy).
    pub direct: bool,
    /// True if long packets, and chunks in a segment's rings, are faster than copies by the kernel
    /// at any length, even between two processes.
    pub long_packets: bool,
}

/// Members with a processor each up to which a segment is used: up to here, polling every row is
/// faster than messages in rounds. Reductions use no segment of more members even if these are
/// oversubscribed, because messages combine contributions in another order, and results must not
/// depend on the number of processors; except an allreduce of at most
/// [`WHOLE_MAX_BYTES`](crate::allreduce::WHOLE_MAX_BYTES), which combines in the order of its
/// messages.
pub const DEDICATED_MEMBERS_MAX: u32 = 16;

/// Bytes of data between a node and others, or of a block, up to which members with a processor
/// each use staging buffers if the kernel copies between them. Longer data take one copy by the
/// kernel, which costs a microsecond, instead of two, of which the second begins when the first has
/// ended.
pub const DEDICATED_STAGED_MAX_BYTES: usize = 16 << 10;
/// Bytes up to which processes with a processor each exchange data whole. Longer data use rings, or
/// the exchange buffers of two processes, which cost another synchronisation: a vector is reduced
/// in segments, and no process reads its own row.
pub const EXCHANGE_STAGED_MAX_BYTES: usize = 1 << 10;
/// Bytes up to which one of two processes with a processor each uses a staging buffer for data that
/// only the other one needs. Longer data pass through the pair ring, up to one of its chunks, or
/// come as a message: which one process reads while the other writes it, or through the kernel.
pub const PAIR_ROOTED_STAGED_MAX_BYTES: usize = 2 << 10;
/// Bytes above which concurrent copies by the kernel take less time than chunks that processes with
/// a processor each exchange, where long packets are not faster than such copies; and above which
/// messages of two processes take as long as chunks where they are.
pub const PAIR_CHUNKS_MAX_BYTES: usize = 32 << 10;
/// Members up to which oversubscribed processes have rings of two parts, so that their writers need
/// not wait. Among more members, long blocks would soon make them wait for the root.
pub const SPLIT_RINGS_MAX_MEMBERS: u32 = 8;
/// Chunks of a block that is longer than one chunk. The number is fixed, so that members whose
/// lengths do not agree make the same number of calls. A broadcast that is longer than the root's
/// staging buffers has as many: the root need not wait while the ring has space, and the others
/// begin when it has written a quarter.
const RING_PARTS: usize = 4;

/// Chunks of a pair. In an exchange both members write, then read. A root reads while the other
/// writes.
const PAIR_PIECE_BYTES: usize = EXCHANGE_MAX_BYTES;
const PAIR_ROOTED_PIECE_BYTES: usize = 16 << 10;
/// Chunks among more than two processes with a processor each, measured on sixteen: chunks of 64
/// KiB took up to 1.3 times the time.
const MANY_PIECE_BYTES: usize = 128 << 10;
/// Bytes of a broadcast among many members above which its chunks are longer.
const MANY_SHORT_CHUNKS_MAX_BYTES: usize = 64 << 10;

/// Bytes of a vector above which the kernel's copies take less time than chunks through rings among
/// more than two processes with a processor each, if it is reduced for all of them, for a root, or
/// in blocks: measured with 4, 8 and 16. With 4 the times are equal at 256 KiB, with 16 at 1 MiB.
pub const MANY_CHUNKS_MAX_BYTES: usize = 512 << 10;

/// How the members of a node use its processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crowd {
    /// Two members with a processor each.
    Pair,
    /// More than two members with a processor each.
    Many,
    /// Members that share processors.
    Shared,
}

impl Site {
    /// Returns how the members use the node's processors.
    pub fn crowd(self) -> Crowd {
        match (self.oversubscribed, self.members) {
            (true, _) => Crowd::Shared,
            (false, 2) => Crowd::Pair,
            (false, _) => Crowd::Many,
        }
    }

    /// Returns whether there are two processes, with a processor each.
    pub fn is_pair(self) -> bool {
        self.crowd() == Crowd::Pair
    }

    /// Returns whether there are more than two processes, with a processor each.
    pub fn is_many(self) -> bool {
        self.crowd() == Crowd::Many
    }

    /// Returns whether all reductions use the segment, and the segment has rings.
    pub fn has_rings(self) -> bool {
        self.members <= DEDICATED_MEMBERS_MAX
    }

    /// Returns whether two processes copy long data faster by the kernel, both at once.
    pub fn is_pair_of_copies(self) -> bool {
        self.is_pair() && self.direct && !self.long_packets
    }

    /// Returns the bytes of data for all members, or from all, that are not cut into chunks and go
    /// through staging buffers.
    pub fn staged_max(self) -> usize {
        if self.oversubscribed || !self.direct { STAGING_BYTES } else { DEDICATED_STAGED_MAX_BYTES }
    }

    /// Returns whether rings hold data for which their writers need not wait: few oversubscribed
    /// members.
    fn has_long_rings(self) -> bool {
        self.oversubscribed && self.members <= SPLIT_RINGS_MAX_MEMBERS
    }

    /// Returns the length of a chunk in a ring. If oversubscribed, each chunk costs every member a
    /// schedule.
    pub fn piece(self) -> usize {
        match self.crowd() {
            Crowd::Pair => PAIR_PIECE_BYTES,
            Crowd::Shared => RING_CHUNK_MAX_BYTES,
            Crowd::Many => MANY_PIECE_BYTES,
        }
    }

    /// Returns the length of a chunk of data that every member has for a root.
    pub fn rooted_piece(self) -> usize {
        if self.is_pair() { PAIR_ROOTED_PIECE_BYTES } else { self.piece() }
    }

    /// Returns the longest vector that one process of a pair sends to the other through the pair
    /// ring (`nemesis::coll_segment`), where it takes 0.6 of the time of a message; 0 if the pair
    /// does not use it. Longer vectors are as fast as messages, and faster if the sender has not
    /// just written them.
    pub fn pair_ring_max(self) -> usize {
        match self.is_pair() && !self.long_packets {
            true => PAIR_ROOTED_PIECE_BYTES,
            false => 0,
        }
    }

    /// Returns whether the vector of a reduce or scan uses the pair ring.
    pub fn vector_passes(self, bytes: usize) -> bool {
        bytes > PAIR_ROOTED_STAGED_MAX_BYTES && bytes <= self.pair_ring_max()
    }

    /// Returns the length up to which a broadcast fits its staging buffer. Longer ones come in
    /// chunks of [`bcast_piece`](Self::bcast_piece) bytes.
    pub fn bcast_whole_max(self) -> usize {
        if self.oversubscribed { STAGING_BYTES } else { SHORT_STAGING_BYTES }
    }

    /// Returns whether a broadcast comes in chunks. One of a pair is a message.
    pub fn bcasts_pipelined(self, bytes: usize) -> bool {
        !self.is_pair() && bytes > self.bcast_whole_max()
    }

    /// Returns the length of a chunk of a broadcast. The root writes a chunk while the others read
    /// the ones before it.
    pub fn bcast_piece(self, bytes: usize) -> usize {
        match self.bcasts_in_ring(bytes) {
            true => {
                bytes.div_ceil(RING_PARTS).next_multiple_of(PAGE_BYTES).min(RING_CHUNK_MAX_BYTES)
            }
            false if self.is_many() && bytes <= MANY_SHORT_CHUNKS_MAX_BYTES => SHORT_STAGING_BYTES,
            false => STAGING_BYTES,
        }
    }

    /// Returns whether the chunks of a broadcast lie in the root's ring.
    pub fn bcasts_in_ring(self, bytes: usize) -> bool {
        self.has_long_rings() && bytes > LARGE_STAGING_BUFFERS * STAGING_BYTES
    }

    /// Returns the number of chunks of a gather that uses rings, or `None` if it does not use them.
    /// Where lines transfer slowly, a gather uses them early: staging buffers are reused too soon,
    /// while the root's processor still has their lines.
    pub fn gather_parts_in_rings(self, bytes: usize) -> Option<usize> {
        let parts = if bytes <= RING_CHUNK_MAX_BYTES { 1 } else { RING_PARTS };
        let min = if self.long_packets {
            SLOW_GATHER_RING_MIN_BYTES
        } else {
            LARGE_STAGING_BUFFERS * STAGING_BYTES + 1
        };
        let fits = (min..=parts * RING_CHUNK_MAX_BYTES).contains(&bytes);
        (self.has_long_rings() && fits).then_some(parts)
    }

    /// Returns the longest block that a gather passes through staging buffers or rings.
    pub fn gather_staged_max(self) -> usize {
        match self.crowd() {
            Crowd::Pair => SHORT_STAGING_BYTES,
            Crowd::Shared if self.has_long_rings() => RING_PARTS * RING_CHUNK_MAX_BYTES,
            _ => LARGE_STAGING_BUFFERS * STAGING_BYTES,
        }
    }
}

/// Bytes of a block from which a gather of oversubscribed members uses rings where lines transfer
/// slowly.
const SLOW_GATHER_RING_MIN_BYTES: usize = 8 << 10;
