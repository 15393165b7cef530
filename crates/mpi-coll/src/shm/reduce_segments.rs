//! Reductions of vectors that exceed a staging buffer, by single copies.
//!
//! Every member reduces a segment of the vector: it reads the segment of all contributions, chunk
//! by chunk, reduces them, and writes the result to the members that need it. If possible it
//! reduces in the result's own memory, which saves a copy:
//!
//! ```text
//!   two members, the first one's segment:
//!     result = theirs (kernel copies)   result = own op result   theirs = result (kernel copies)
//! ```

use super::NodeComm;
use super::single_copy::Place;
use crate::abi;
use crate::blocks::Shares;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::operator::SliceKernel;
use crate::scratch_bytes;
use nemesis::coll_segment::Phase;
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis_datatype::{Buffer, copy};
use std::iter;
use std::ops::Range;

/// Bytes that a member reduces at a time: its operands stay in the second-level cache, and a system
/// call is cheap beside them.
const PIECE_BYTES: usize = 64 << 10;

/// The members that get the results of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Results {
    /// One member gets the reduction of all contributions.
    At(u32),
    /// Every member gets it.
    Everywhere,
    /// Every member gets the reduction of the members up to it.
    Prefixes,
    /// Every member gets the reduction of the members before it.
    PrefixesBefore,
}

impl Results {
    fn are_prefixes(self) -> bool {
        matches!(self, Results::Prefixes | Results::PrefixesBefore)
    }
}

/// The memory in which a member reduces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// The result's memory.
    Result,
    /// The result's memory, which holds this member's contribution (`MPI_IN_PLACE`); it is one of
    /// the first two members.
    Held,
    /// Scratch memory for a chunk.
    Scratch,
}

/// The bytes from `start` on of every member's vector, with this process's contribution and result.
struct Piece<'a> {
    own: &'a Buffer,
    result: Option<&'a Buffer>,
    home: Home,
    start: usize,
}

/// Returns the error of a root that could not allocate memory for the result.
#[cold]
fn no_place(bytes: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_NO_MEM,
        format!("there is no memory for {bytes} bytes of a partial result"),
    )
}

/// Returns whether two contiguous buffers have bytes in common.
pub(super) fn overlap(one: &Buffer, other: &Buffer) -> bool {
    let begins_in =
        |one: &Buffer, other: &Buffer| one.address().wrapping_sub(other.address()) < other.bytes();
    begins_in(one, other) || begins_in(other, one)
}

impl NodeComm {
    /// Returns the bytes of a vector that this member reduces.
    pub(super) fn share_of_vector(&self, bytes: usize, kernel: &SliceKernel<'_>) -> Range<usize> {
        self.share_of(self.me(), bytes, kernel)
    }

    /// Returns the bytes of a vector that member `row` reduces.
    pub(super) fn share_of(
        &self,
        row: u32,
        bytes: usize,
        kernel: &SliceKernel<'_>,
    ) -> Range<usize> {
        let (row, members) = (row as usize, self.members() as usize);
        // Segments begin on cache lines.
        let each =
            bytes.div_ceil(members).next_multiple_of(CACHE_LINE_BYTES.max(kernel.element_bytes()));
        (row * each).min(bytes)..((row + 1) * each).min(bytes)
    }

    fn home(&self, own: &Buffer, result: Option<&Buffer>, results: Results) -> Home {
        let whole = results == Results::Everywhere || results == Results::At(self.me());
        match result {
            Some(result) if whole && !overlap(own, result) => Home::Result,
            Some(result) if whole && own.address() == result.address() && self.me() < 2 => {
                Home::Held
            }
            _ => Home::Scratch,
        }
    }

    /// Allocates memory for `length` bytes of a value that is reduced in scratch memory, and of an
    /// operand.
    fn places(&self, home: Home, length: usize, prefixes: bool) -> Outcome<(Buffer, Buffer)> {
        let value = if home == Home::Scratch { length } else { 0 };
        let next = if home == Home::Held || prefixes || self.members() > 2 { length } else { 0 };
        Ok((scratch_bytes(value)?, scratch_bytes(next)?))
    }

    /// Performs a reduction: every member reduces its segment and writes the results. `result` is
    /// this process's, if it gets one.
    pub fn reduce_direct(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &SliceKernel<'_>,
        results: Results,
    ) -> Outcome {
        self.begin(mpi, 0);
        let bytes = own.bytes();
        let share = self.share_of_vector(bytes, kernel);
        let home = self.home(own, result, results);
        let places = match results {
            Results::At(root) if root == self.me() && result.is_none() => Err(no_place(bytes)),
            _ => self.places(home, share.len().min(PIECE_BYTES), results.are_prefixes()),
        };
        if places.is_ok() {
            self.coll_segment.set_words(
                Phase::A,
                &[own.address() as u64, result.map_or(0, Buffer::address) as u64, bytes as u64],
            );
        }
        let root = if let Results::At(root) = results { Some(root) } else { None };
        let (mut value, mut next) = self.meet_shown(mpi, root, places, |node_comm, row| {
            node_comm.shows_a_vector(row, 2, bytes)
        })?;
        let mut place = if home == Home::Scratch { None } else { result.cloned() };
        let mut done = Ok(());
        for start in share.clone().step_by(PIECE_BYTES) {
            let length = (share.end - start).min(PIECE_BYTES);
            let value = match &mut place {
                Some(place) => place.as_bytes_mut().map(|whole| &mut whole[start..start + length]),
                None => value.as_bytes_mut().map(|value| &mut value[..length]),
            };
            if let (Some(value), Some(next), true) = (value, next.as_bytes_mut(), done.is_ok()) {
                done = self.combine_piece(
                    mpi,
                    &Piece { own, result, home, start },
                    (value, next),
                    kernel,
                    results,
                );
            }
        }
        self.part_with(mpi, done)
    }

    /// Reduces a chunk of all contributions and writes the results.
    fn combine_piece(
        &self,
        engine: &Engine,
        piece: &Piece<'_>,
        (value, next): (&mut [u8], &mut [u8]),
        kernel: &SliceKernel<'_>,
        results: Results,
    ) -> Outcome {
        if results.are_prefixes() {
            return self.combine_prefixes(
                engine,
                piece,
                (value, next),
                kernel,
                results == Results::Prefixes,
            );
        }
        self.combine_members(engine, piece, (value, next), kernel)?;
        match results {
            Results::At(root) => self.write_piece(engine, piece, root, value),
            _ => {
                (0..self.members()).try_for_each(|row| self.write_piece(engine, piece, row, value))
            }
        }
    }

    /// Reduces the members' contributions to a chunk in the order of ranks. The first two may be
    /// swapped, because predefined operators do not depend on the order of two operands; this
    /// process's own contribution is then never copied.
    fn combine_members(
        &self,
        engine: &Engine,
        piece: &Piece<'_>,
        (value, next): (&mut [u8], &mut [u8]),
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let (me, members) = (self.me(), self.members());
        let (first, second) = if me == 0 && members > 1 { (1, 0) } else { (0, 1) };
        let combined_with_it = match piece.home {
            Home::Held => 1 - me,
            _ => {
                self.read_piece(engine, piece, first, value)?;
                second
            }
        };
        let mut rows = iter::once(combined_with_it).chain(2..members).filter(|&row| row < members);
        rows.try_for_each(|row| self.combine_row(engine, piece, row, (value, next), kernel))
    }

    /// Writes to every member the reduction of the members up to it, or of those before it.
    fn combine_prefixes(
        &self,
        engine: &Engine,
        piece: &Piece<'_>,
        (value, next): (&mut [u8], &mut [u8]),
        kernel: &SliceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        self.read_piece(engine, piece, 0, value)?;
        if inclusive {
            self.write_piece(engine, piece, 0, value)?;
        }
        for row in 1..self.members() {
            // This is the last read of the contribution, which the result may overwrite.
            let next = &mut next[..value.len()];
            self.read_piece(engine, piece, row, next)?;
            if !inclusive {
                self.write_piece(engine, piece, row, value)?;
            }
            kernel.combine(value, next)?;
            if inclusive {
                self.write_piece(engine, piece, row, value)?;
            }
        }
        Ok(())
    }

    /// Reduces a row's contribution to a chunk; this process's own is read in place.
    fn combine_row(
        &self,
        engine: &Engine,
        piece: &Piece<'_>,
        row: u32,
        (value, next): (&mut [u8], &mut [u8]),
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        if row == self.me() {
            let own = piece
                .own
                .as_bytes()
                .and_then(|own| own.get(piece.start..piece.start + value.len()));
            return own.map_or(Ok(()), |own| kernel.combine(value, own));
        }
        let next = &mut next[..value.len()];
        self.read_piece(engine, piece, row, next)?;
        kernel.combine(value, next)
    }

    /// Reads a row's contribution to a chunk.
    fn read_piece(&self, engine: &Engine, piece: &Piece<'_>, row: u32, into: &mut [u8]) -> Outcome {
        if row == self.me() {
            piece.own.pack_at(piece.start, into);
            return Ok(());
        }
        self.read(engine, row, self.coll_segment.word(row, Phase::A, 0) + piece.start as u64, into)
    }

    /// Writes the result of a chunk to a row's member.
    fn write_piece(&self, engine: &Engine, piece: &Piece<'_>, row: u32, from: &[u8]) -> Outcome {
        if row == self.me() {
            if let (Some(result), Home::Scratch) = (piece.result, piece.home) {
                result.unpack_at(piece.start, from);
            }
            return Ok(());
        }
        self.write(engine, row, self.coll_segment.word(row, Phase::A, 1) + piece.start as u64, from)
    }

    /// Performs `MPI_Reduce_scatter`: every member reduces its own block and keeps it.
    pub fn reduce_scatter_direct(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        shares: &Shares,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        self.begin(mpi, 0);
        let share = shares.of(self.me());
        let start = share.start * kernel.element_bytes();
        let (whole, bytes) = (own.bytes(), result.bytes());
        // Other members read the vector until the end of the call, and the result may overlap it.
        let apart = !overlap(own, result);
        let value = if apart { Ok(result.clone()) } else { scratch_bytes(bytes) };
        let places = value.and_then(|value| {
            Ok((value, scratch_bytes(if self.members() > 2 { bytes.min(PIECE_BYTES) } else { 0 })?))
        });
        if places.is_ok() {
            self.show(Place { address: own.address() as u64, bytes: whole });
        }
        let (mut value, mut next) = self.meet_shown(mpi, None, places, |node_comm, row| {
            node_comm.shows_a_vector(row, 1, whole)
        })?;
        let mut done = Ok(());
        if let (Some(value), Some(next)) = (value.as_bytes_mut(), next.as_bytes_mut()) {
            for (value, index) in value.chunks_mut(PIECE_BYTES).zip(0..) {
                let piece = Piece {
                    own,
                    result: None,
                    home: Home::Scratch,
                    start: start + index * PIECE_BYTES,
                };
                done = done.and_then(|()| self.combine_members(mpi, &piece, (value, next), kernel));
            }
        }
        self.part(mpi);
        if done.is_ok() && !apart {
            copy(&value, result);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_overlap_where_they_share_a_byte() {
        let whole = scratch_bytes(10).unwrap();
        let part = |first, count| whole.part(first, count);
        assert!(overlap(&whole, &part(9, 1)) && overlap(&part(9, 1), &whole));
        assert!(overlap(&part(0, 6), &part(5, 5)) && overlap(&part(2, 3), &part(2, 3)));
        assert!(!overlap(&part(0, 5), &part(5, 5)) && !overlap(&part(5, 5), &part(0, 5)));
    }
}
