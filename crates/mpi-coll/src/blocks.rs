//! Buffers with a block for every rank, for gather, scatter, allgather and alltoall. Neighbourhood
//! collectives have a block for every edge.

use crate::abi;
use crate::error::Error;
use nemesis_datatype::Buffer;
use std::ops::Range;

/// A block for each rank of the communicator, or for each edge of a neighbourhood.
#[derive(Clone, Debug)]
pub enum Blocks {
    /// Blocks of equal length, contiguous in `all`: `each` elements.
    Even { all: Buffer, each: usize },
    /// Blocks with individual addresses, counts and perhaps types.
    List(Vec<Buffer>),
}

impl Blocks {
    /// Returns the block of a rank.
    #[inline]
    pub fn of(&self, rank: u32) -> Buffer {
        match self {
            Blocks::Even { all, each } => all.part(rank as usize * each, *each),
            Blocks::List(list) => list[rank as usize].clone(),
        }
    }

    /// Returns the bytes of data in the block of a rank.
    pub fn bytes_of(&self, rank: u32) -> usize {
        match self {
            Blocks::Even { all, each } => all.part(0, *each).bytes(),
            Blocks::List(list) => list[rank as usize].bytes(),
        }
    }

    /// Returns the bytes of data in the longest block.
    pub fn longest_bytes(&self) -> usize {
        match self {
            Blocks::Even { .. } => self.bytes_of(0),
            Blocks::List(list) => list.iter().map(Buffer::bytes).max().unwrap_or(0),
        }
    }

    /// Returns the bytes of data in all blocks.
    pub fn bytes(&self) -> usize {
        match self {
            Blocks::Even { all, .. } => all.bytes(),
            Blocks::List(list) => list.iter().map(Buffer::bytes).sum(),
        }
    }

    /// Returns the blocks of ranks `first` to `first + ranks` as one buffer, if they are
    /// contiguous.
    pub fn range(&self, first: u32, ranks: u32) -> Option<Buffer> {
        match self {
            Blocks::Even { all, each } => {
                Some(all.part(first as usize * each, ranks as usize * each))
            }
            Blocks::List(_) => None,
        }
    }
}

/// The part of the vector that each rank gets.
#[derive(Clone, Debug)]
pub enum Shares {
    /// Every rank gets this number of elements.
    Even(usize),
    /// The end of each rank's part.
    Ends(Vec<usize>),
}

impl Shares {
    pub fn of(&self, rank: u32) -> Range<usize> {
        let rank = rank as usize;
        match self {
            Shares::Even(each) => rank * each..(rank + 1) * each,
            Shares::Ends(ends) => rank.checked_sub(1).map_or(0, |before| ends[before])..ends[rank],
        }
    }
}

/// Returns the error of data that are shorter than the buffer for them.
#[cold]
pub fn too_short(sender: &str, bytes: u64, capacity: usize) -> Box<Error> {
    let why = format!(
        "within the collective operation, from {sender}: {bytes} bytes are fewer than the \
         {capacity} that this process expects"
    );
    Error::new(abi::MPI_ERR_TRUNCATE, why)
        .advise("give all processes counts and datatypes that agree")
}

/// Returns the error for a process's own contribution that has another length than its place.
#[cold]
pub fn uneven_for_itself(from: &Buffer, to: &Buffer) -> Box<Error> {
    uneven_bytes(from.bytes(), to.bytes())
}

/// Returns the error for a process's own contribution of `bytes` bytes to a place of `capacity`.
#[cold]
pub fn uneven_bytes(bytes: usize, capacity: usize) -> Box<Error> {
    let why = format!("this process sends itself {bytes} bytes and has room for {capacity}");
    Error::new(abi::MPI_ERR_TRUNCATE, why)
        .advise("make the counts and datatypes of the two sides agree")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::{words, words_in};

    #[test]
    fn even_blocks_lie_one_behind_the_other() {
        let blocks = Blocks::Even { all: words(&[1, 2, 3, 4, 5, 6]), each: 2 };
        assert_eq!([0, 1, 2].map(|rank| words_in(&blocks.of(rank))), [[1, 2], [3, 4], [5, 6]]);
        assert_eq!((blocks.bytes_of(1), blocks.bytes()), (16, 48));
        assert_eq!(blocks.range(1, 2).map(|range| words_in(&range)), Some(vec![3, 4, 5, 6]));
        assert_eq!(blocks.range(3, 0).map(|range| range.bytes()), Some(0));
    }

    #[test]
    fn listed_blocks_have_lengths_of_their_own_and_no_ranges() {
        let blocks = Blocks::List(vec![words(&[1]), words(&[]), words(&[2, 3])]);
        assert_eq!([0, 1, 2].map(|rank| blocks.bytes_of(rank)), [8, 0, 16]);
        assert_eq!((blocks.bytes(), words_in(&blocks.of(2))), (24, vec![2, 3]));
        assert!(blocks.range(0, 2).is_none());
    }

    #[test]
    fn shares_follow_each_other_from_the_first_element_on() {
        let even = Shares::Even(3);
        let ends = Shares::Ends(vec![2, 2, 7]);
        assert_eq!([0, 1, 2].map(|rank| even.of(rank)), [0..3, 3..6, 6..9]);
        assert_eq!([0, 1, 2].map(|rank| ends.of(rank)), [0..2, 2..2, 2..7]);
    }

    #[test]
    fn an_uneven_block_is_told_with_both_lengths() {
        let error = uneven_for_itself(&words(&[1, 2]), &words(&[1]));
        assert_eq!(error.class, abi::MPI_ERR_TRUNCATE);
        assert!(error.why.contains("16 bytes") && error.why.contains("room for 8"), "{error:?}");
        let error = too_short("rank 3", 4, 8);
        assert!(error.why.contains("from rank 3: 4 bytes"), "{error:?}");
    }
}
