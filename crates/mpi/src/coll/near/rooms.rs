//! Collectives on data that fit a room of the board.
//!
//! Whoever contributes copies its data into its row, line or room, and goes on if nobody has anything for it. Whoever needs data copies it out, or
//! combines it where it lies. Combinations are in the order of ranks, so that everybody's result has the same bits.
//!
//! Operators are predefined and types dense: see [`fold`].

use super::{Circle, take};
use crate::abi;
use crate::coll::reduce_scatter::Shares;
use crate::coll::{Blocks, Operator};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis::board::{Board, Mapped, Phase};
use nemesis_datatype::{Buffer, Datatype, Op, reduce_slices};
use std::ops::Range;

/// A predefined operator on elements that lie one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    op: Op,
    datatype: &'a Datatype,
}

/// How to combine elements of `buffer`, if a board knows how.
pub fn fold<'a>(operator: Operator, buffer: &'a Buffer) -> Option<Fold<'a>> {
    let datatype = buffer.datatype();
    match operator {
        Operator::Predefined(op) if datatype.is_predefined() && datatype.size() == datatype.extent() => Some(Fold { op, datatype }),
        _ => None,
    }
}

impl Fold<'_> {
    /// Bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.datatype.extent() as usize
    }

    /// `value = value op next`, which for predefined operators is `next op value`.
    #[inline]
    pub fn join(&self, value: &mut [u8], next: &[u8]) -> Outcome {
        reduce_slices(self.op, self.datatype, next, value).map_err(|error| Error::new(abi::MPI_ERR_OP, error.why))
    }
}

/// A row's contribution, cut to `range`.
fn contribution<'a>(board: &'a Board<Mapped>, row: u32, range: &Range<usize>) -> Outcome<&'a [u8]> {
    let all = board.content(row, Phase::A);
    all.get(range.clone()).ok_or_else(|| {
        Error::new(abi::MPI_ERR_TRUNCATE, format!("rank {row} takes part in a reduction with {} bytes, this process with more", all.len()))
            .advise("give all processes the same count and datatype")
    })
}

impl Circle {
    /// Joins what rows have published, from row `first` to `end`, into `value`.
    fn join_rows(&self, fold: &Fold<'_>, rows: Range<u32>, range: &Range<usize>, value: &mut [u8]) -> Outcome {
        let first = rows.start;
        for row in rows {
            let next = contribution(&self.board, row, range)?;
            if row == first { value.copy_from_slice(next) } else { fold.join(value, next)? }
        }
        Ok(())
    }

    /// `MPI_Bcast`: the root copies in, the others out.
    #[inline]
    pub fn bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        self.begin(mpi, buffer.bytes());
        let taken = if self.me() == root {
            self.post(Phase::A, buffer);
            self.ring_all(mpi);
            Ok(())
        } else {
            self.wait_for(mpi, root, Phase::A);
            self.take_from(mpi, root, buffer)
        };
        self.retire();
        taken
    }

    /// Takes what a root has published, in a room or in its own memory.
    #[inline]
    pub(super) fn take_from(&mut self, mpi: &mut Mpi, root: u32, buffer: &Buffer) -> Outcome {
        if self.board.has_words(root, Phase::A) {
            return self.fetch_bcast(mpi, buffer, root);
        }
        self.verdict(root, Phase::A, root)?;
        take(self.board.content(root, Phase::A), buffer, root)
    }

    /// `MPI_Reduce`: the others copy in, the root joins.
    pub fn reduce(&mut self, mpi: &mut Mpi, own: &Buffer, result: Option<&Buffer>, fold: &Fold<'_>, root: u32) -> Outcome {
        self.begin(mpi, own.bytes());
        self.post(Phase::A, own);
        let joined = match result {
            Some(result) => self.join_at_root(mpi, result, fold),
            None => {
                self.ring(mpi, root);
                Ok(())
            }
        };
        self.retire();
        joined
    }

    fn join_at_root(&self, mpi: &mut Mpi, result: &Buffer, fold: &Fold<'_>) -> Outcome {
        for row in self.others() {
            self.wait_for(mpi, row, Phase::A);
        }
        let mut result = result.clone();
        match result.as_bytes_mut() {
            Some(value) => self.join_rows(fold, 0..self.members(), &(0..value.len()), value),
            None => Ok(()),
        }
    }

    /// `MPI_Allreduce`: everybody joins all; where processors are shared, the last one to come does so for all.
    pub fn allreduce(&mut self, mpi: &mut Mpi, own: &Buffer, result: &Buffer, fold: &Fold<'_>) -> Outcome {
        self.begin(mpi, own.bytes());
        self.post(Phase::A, own);
        let members = self.members();
        let mut place = result.clone();
        let Some(value) = place.as_bytes_mut() else { return Ok(()) };
        let mut joined = None;
        self.meet_and(mpi, Phase::A, |circle| {
            joined = Some(circle.join_rows(fold, 0..members, &(0..value.len()), value));
            let common = circle.board.common();
            circle.board.place(common, Phase::A, value.len()).copy_from_slice(value);
            value.len()
        });
        match joined {
            Some(joined) => joined,
            None if self.crowded => take(self.board.content(self.board.common(), Phase::A), result, 0),
            None => self.join_rows(fold, 0..members, &(0..value.len()), value),
        }
    }

    /// `MPI_Reduce_scatter`: everybody copies its vector in, and joins its share of all.
    pub fn reduce_scatter(&mut self, mpi: &mut Mpi, own: &Buffer, shares: &Shares, result: &Buffer, fold: &Fold<'_>) -> Outcome {
        self.begin(mpi, own.bytes());
        self.post(Phase::A, own);
        self.meet(mpi, Phase::A);
        let share = shares.of(self.me());
        let range = share.start * fold.element_bytes()..share.end * fold.element_bytes();
        let mut result = result.clone();
        match result.as_bytes_mut() {
            Some(value) => self.join_rows(fold, 0..self.members(), &range, value),
            None => Ok(()),
        }
    }

    /// `MPI_Scan`, or `MPI_Exscan` if `result` leaves this process's own contribution out: everybody joins what comes before it.
    pub fn scan(&mut self, mpi: &mut Mpi, own: &Buffer, result: &Buffer, fold: &Fold<'_>, inclusive: bool) -> Outcome {
        self.begin(mpi, own.bytes());
        let me = self.me();
        if me + 1 < self.members() || inclusive {
            self.post(Phase::A, own);
        }
        for above in me + 1..self.members() {
            self.ring(mpi, above);
        }
        for below in 0..me {
            self.wait_for(mpi, below, Phase::A);
        }
        let mut result = result.clone();
        let joined = match result.as_bytes_mut() {
            Some(value) => self.join_rows(fold, 0..me + u32::from(inclusive), &(0..value.len()), value),
            None => Ok(()),
        };
        self.retire();
        joined
    }

    /// `MPI_Gather` of `each` bytes: the others copy in, the root out. `own` is `None` where the root's block is in its place already.
    pub fn gather(&mut self, mpi: &mut Mpi, own: Option<&Buffer>, blocks: Option<&Blocks>, root: u32, each: usize) -> Outcome {
        self.begin(mpi, each);
        let mut taken = Ok(());
        match (blocks, own) {
            (Some(blocks), own) => {
                for row in self.others() {
                    self.wait_for(mpi, row, Phase::A);
                    taken = taken.and(take(self.board.content(row, Phase::A), &blocks.of(row), row));
                }
                if let Some(own) = own {
                    nemesis_datatype::copy(own, &blocks.of(root));
                }
            }
            (None, Some(own)) => {
                self.post(Phase::A, own);
                self.ring(mpi, root);
            }
            (None, None) => {}
        }
        self.retire();
        taken
    }

    /// `MPI_Scatter` of `each` bytes: the root copies each block into the row of whom it is for. `own` is `None` where the root's block stays.
    pub fn scatter(&mut self, mpi: &mut Mpi, blocks: Option<&Blocks>, own: Option<&Buffer>, root: u32, each: usize) -> Outcome {
        self.begin(mpi, each);
        let mut taken = Ok(());
        match (blocks, own) {
            (Some(blocks), own) => {
                for row in self.others() {
                    self.post_in(row, Phase::A, &blocks.of(row));
                    self.ring(mpi, row);
                }
                if let Some(own) = own {
                    nemesis_datatype::copy(&blocks.of(root), own);
                }
            }
            (None, Some(own)) => {
                self.wait_for(mpi, self.me(), Phase::A);
                taken = take(self.board.content(self.me(), Phase::A), own, root);
            }
            (None, None) => {}
        }
        self.retire();
        taken
    }

    /// `MPI_Allgather` of up to `longest` bytes: everybody copies its block in, which lies in its place in `blocks` already, and the others' out.
    pub fn allgather(&mut self, mpi: &mut Mpi, blocks: &Blocks, longest: usize) -> Outcome {
        self.begin(mpi, longest);
        self.post(Phase::A, &blocks.of(self.me()));
        self.meet(mpi, Phase::A);
        let mut taken = Ok(());
        for row in self.others() {
            taken = taken.and(take(self.board.content(row, Phase::A), &blocks.of(row), row));
        }
        taken
    }

    /// `MPI_Alltoall` with blocks of `each` bytes: everybody copies all its blocks in, one behind the other, and out what is for it.
    pub fn alltoall(&mut self, mpi: &mut Mpi, sent: &Blocks, received: &Blocks, each: usize) -> Outcome {
        self.begin(mpi, each * self.members() as usize);
        let (me, members) = (self.me(), self.members());
        let bytes = each * members as usize;
        let place = self.board.place(me, Phase::A, bytes);
        match sent {
            Blocks::Even { all, .. } => {
                all.pack_at(0, place);
            }
            Blocks::List(list) => place.chunks_exact_mut(each).zip(list).for_each(|(place, block)| {
                block.pack_at(0, place);
            }),
        }
        self.board.publish(me, Phase::A, bytes);
        self.meet(mpi, Phase::A);
        let range = me as usize * each..(me as usize + 1) * each;
        let mut taken = Ok(());
        for row in (0..members).map(|step| (me + step) % members) {
            taken = taken.and_then(|()| take(contribution(&self.board, row, &range)?, &received.of(row), row));
        }
        taken
    }
}
