//! Reductions of two processes with a processor each: one, the producer, sends its vector to the
//! other, the consumer, through the pair ring (`nemesis::coll_segment`), whose chunks both write.
//!
//! ```text
//!   producer:  copies chunk 0 in, sees that the consumer has come, copies chunk 1, 2, 3 … in
//!   consumer:                     reduces chunk 0 with its own contribution in place, chunk 1 …
//! ```

use super::pairwise::{Cut, LONG_BLOCK_BYTES, Own};
use super::{NodeComm, keep};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::operator::SliceKernel;
use nemesis::coll_segment::Phase;
use nemesis::copy_slice;
use nemesis_datatype::Buffer;

impl NodeComm {
    /// Performs `MPI_Reduce`.
    pub(super) fn reduce_in_pair_ring(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: Option<&Buffer>,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        match result {
            Some(result) => self.take_from_pair_ring(mpi, Some(own), result, kernel),
            None => self.pass_to_other(mpi, own, kernel),
        }
    }

    /// Performs `MPI_Scan`, or `MPI_Exscan` unless `inclusive`: the lower rank sends its
    /// contribution to the other.
    pub(super) fn scan_in_pair_ring(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
        inclusive: bool,
    ) -> Outcome {
        if self.me() > 0 {
            return self.take_from_pair_ring(mpi, inclusive.then_some(own), result, kernel);
        }
        let passed = self.pass_to_other(mpi, own, kernel);
        if inclusive && own.address() != result.address() {
            passed.and(keep(own, result))
        } else {
            passed
        }
    }

    fn cut_to_pass(&self, bytes: usize, kernel: &SliceKernel<'_>) -> Cut {
        Cut::new(self.site().rooted_piece(), 1, kernel.element_bytes(), bytes)
    }

    fn pass_to_other(&mut self, mpi: &mut Mpi, own: &Buffer, kernel: &SliceKernel<'_>) -> Outcome {
        let (me, whole) = (self.me(), own.bytes());
        let cut = self.cut_to_pass(whole, kernel);
        for (number, piece) in cut.pieces(&(0..whole), whole).enumerate() {
            self.post_piece(
                mpi,
                cut.passed(number, me),
                whole,
                own.address() + piece.start,
                |_, place| {
                    own.pack_at(piece.start, &mut place[..piece.len()]);
                },
            );
            match number {
                0 => self.meet_pieces(mpi, whole)?,
                _ => self.ring(mpi, 1 - me),
            }
            self.retire();
        }
        Ok(())
    }

    /// Reduces what the producer sends with `own`, or copies it if there is no `own`.
    fn take_from_pair_ring(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        result: &Buffer,
        kernel: &SliceKernel<'_>,
    ) -> Outcome {
        let (other, whole) = (1 - self.me(), result.bytes());
        let cut = self.cut_to_pass(whole, kernel);
        let (mut place, mut done) = (result.clone(), Ok(()));
        for (number, piece) in cut.pieces(&(0..whole), whole).enumerate() {
            self.begin_cut(mpi, cut.passed(number, other));
            self.tell_of_piece([whole, whole], 0);
            if number == 0 {
                self.meet_pieces(mpi, whole)?;
            } else {
                self.wait_for(mpi, other, Phase::A);
                done = done.and(self.shows_pieces(other, whole));
            }
            if let Some(value) = place.as_bytes_mut() {
                let own = own.map(|own| Own::of(own, result, piece.clone()));
                done = done.and(self.combine_with_pair_ring(kernel, own, &mut value[piece]));
            }
            self.retire();
        }
        done
    }

    /// Reduces a chunk. The operands may be swapped, because predefined operators do not depend on
    /// their order.
    fn combine_with_pair_ring(
        &self,
        kernel: &SliceKernel<'_>,
        own: Option<Own<'_>>,
        value: &mut [u8],
    ) -> Outcome {
        let other = 1 - self.me();
        let length = LONG_BLOCK_BYTES / kernel.element_bytes() * kernel.element_bytes();
        for (value, at) in value.chunks_mut(length).zip((0..).step_by(length)) {
            let passed = self.whole_part_of_piece(other, at..at + value.len())?;
            match own {
                None => copy_slice(value, passed),
                Some(Own::Here) => kernel.combine(value, passed)?,
                Some(Own::Apart(own)) => {
                    copy_slice(value, &own[at..at + value.len()]);
                    kernel.combine(value, passed)?;
                }
            }
        }
        Ok(())
    }
}
