//! Buffers with a part for every rank: the one side of gather, scatter, allgather and alltoall. Neighbourhood collectives have a part for every edge.

use nemesis_datatype::Buffer;

/// A block for each rank of the communicator, or for each edge of a neighbourhood.
#[derive(Clone, Debug)]
pub enum Blocks {
    /// All of one size, one behind the other: `each` elements.
    Even { all: Buffer, each: usize },
    /// Each with its own place, count and perhaps type.
    List(Vec<Buffer>),
}

impl Blocks {
    /// The block of a rank.
    #[inline]
    pub fn of(&self, rank: u32) -> Buffer {
        match self {
            Blocks::Even { all, each } => all.part(rank as usize * each, *each),
            Blocks::List(list) => list[rank as usize].clone(),
        }
    }

    /// Bytes of data in the block of a rank.
    pub fn bytes_of(&self, rank: u32) -> usize {
        match self {
            Blocks::Even { all, each } => all.part(0, *each).bytes(),
            Blocks::List(list) => list[rank as usize].bytes(),
        }
    }

    /// Bytes of data in all of them.
    pub fn bytes(&self) -> usize {
        match self {
            Blocks::Even { all, .. } => all.bytes(),
            Blocks::List(list) => list.iter().map(Buffer::bytes).sum(),
        }
    }

    /// The blocks of ranks `first` to `first + ranks` as one buffer, if they are one.
    pub fn range(&self, first: u32, ranks: u32) -> Option<Buffer> {
        match self {
            Blocks::Even { all, each } => {
                Some(all.part(first as usize * each, ranks as usize * each))
            }
            Blocks::List(_) => None,
        }
    }
}
