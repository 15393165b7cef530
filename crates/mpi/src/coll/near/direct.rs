//! Collectives on data that do not fit a room of the board: the members tell each other where it lies, and copy it from there, or to there, by the kernel.
//!
//! Those who would wait copy: the others write into the root's memory in a gather, read from it in a broadcast and a scatter, all at the same time. In a
//! reduction everybody has a share of the vector: it reads its share of all contributions, piece by piece, joins them, and writes what comes of it
//! to whom it is for. So every byte crosses once, and no memory is read by anybody who could not have read it by a message.
//!
//! Memory that was shown is its owner's again when the call returns: all who use it are waited for.

use super::rooms::Fold;
use super::{Circle, too_long};
use crate::abi;
use crate::coll::reduce_scatter::Shares;
use crate::coll::{Blocks, scratch_bytes};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis::board::Phase;
use nemesis_datatype::{Buffer, copy};

/// What a member joins at a time: its operands stay in the second-level cache, and a system call is still cheap beside it.
const PIECE_BYTES: usize = 64 << 10;
/// Shares begin on cache lines.
const LINE_BYTES: usize = 64;

/// Memory that others copy from or to: the program's own, if it is one run, or a dense copy of it.
struct Shown<'a> {
    user: &'a Buffer,
    dense: Buffer,
    copied: bool,
}

impl<'a> Shown<'a> {
    fn new(user: &'a Buffer) -> Outcome<Shown<'a>> {
        Ok(match user.flattened() {
            Some(dense) => Shown { user, dense, copied: false },
            None => Shown { user, dense: scratch_bytes(user.bytes())?, copied: true },
        })
    }

    /// To be read.
    fn full(user: &'a Buffer) -> Outcome<Shown<'a>> {
        let shown = Shown::new(user)?;
        if shown.copied {
            copy(user, &shown.dense);
        }
        Ok(shown)
    }

    /// It has been written.
    fn bring_home(&self) {
        if self.copied {
            copy(&self.dense, self.user);
        }
    }

    fn address(&self) -> u64 {
        self.dense.address() as u64
    }
}

/// How one reduction uses the results of a share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Results {
    /// All members' contributions joined, for one of them.
    At(u32),
    /// For everybody.
    Everywhere,
    /// For each member those of the members up to it.
    Prefixes,
    /// For each those of the members before it.
    PrefixesBefore,
}

/// The bytes from `start` on of everybody's vector.
struct Piece<'a> {
    own: &'a Buffer,
    result: Option<&'a Buffer>,
    start: usize,
}

#[cold]
fn refused(member: u32, error: impl std::fmt::Display) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("the kernel does not copy from or to the memory of rank {member} any more: {error}"))
        .advise("NEMESIS_CMA=off, which goes without such copies")
}

impl Circle {
    /// Fills `into` from a member's memory.
    fn read(&self, mpi: &Mpi, member: u32, address: u64, into: &mut [u8]) -> Outcome {
        if into.is_empty() {
            return Ok(());
        }
        let Some(memory) = &mpi.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory.read(process, [(address, into.len())].into_iter(), into).map_err(|error| refused(member, error))
    }

    fn write(&self, mpi: &Mpi, member: u32, address: u64, from: &[u8]) -> Outcome {
        if from.is_empty() {
            return Ok(());
        }
        let Some(memory) = &mpi.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory.write(process, [(address, from.len())].into_iter(), from).map_err(|error| refused(member, error))
    }

    /// Reads what a member shows into a buffer of any layout.
    fn fetch(&self, mpi: &Mpi, member: u32, address: u64, buffer: &Buffer) -> Outcome {
        let mut shown = Shown::new(buffer)?;
        if let Some(bytes) = shown.dense.as_bytes_mut() {
            self.read(mpi, member, address, bytes)?;
        }
        shown.bring_home();
        Ok(())
    }

    /// Writes a buffer of any layout to where a member wants it.
    fn deliver(&self, mpi: &Mpi, member: u32, address: u64, buffer: &Buffer) -> Outcome {
        let shown = Shown::full(buffer)?;
        shown.dense.as_bytes().map_or(Ok(()), |bytes| self.write(mpi, member, address, bytes))
    }

    /// `MPI_Bcast`: the others read from the root's memory.
    pub fn bcast_direct(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        self.begin(mpi, 0);
        let done = if self.me() == root { self.show_bcast(mpi, buffer, root) } else { self.take_bcast(mpi, buffer, root) };
        self.retire();
        done
    }

    fn show_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        let shown = Shown::full(buffer)?;
        self.board.set_words(Phase::A, &[shown.address(), buffer.bytes() as u64]);
        self.ring_all(mpi);
        self.report_to(mpi, root, Phase::B);
        Ok(())
    }

    fn take_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        self.wait_for(mpi, root, Phase::A);
        self.take_from(mpi, root, buffer)
    }

    pub(super) fn fetch_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        let [address, bytes] = [0, 1].map(|index| self.board.word(root, Phase::A, index));
        let fits = bytes as usize <= buffer.bytes();
        let fetched = if fits { self.fetch(mpi, root, address, buffer) } else { Err(too_long(root, bytes as usize, buffer.bytes())) };
        self.report_to(mpi, root, Phase::B);
        fetched
    }

    fn table_bytes(&self) -> usize {
        self.members() as usize * 8
    }

    /// Publishes a table of addresses, one for each member.
    fn show_table(&mut self, addresses: impl Iterator<Item = u64>) {
        let me = self.me();
        let bytes = self.table_bytes();
        let place = self.board.place(me, Phase::A, bytes);
        for (place, address) in place.chunks_exact_mut(8).zip(addresses) {
            place.copy_from_slice(&address.to_le_bytes());
        }
        self.board.publish(me, Phase::A, bytes);
    }

    /// The address that a member's table has for this process.
    fn address_in_table(&self, member: u32) -> Outcome<u64> {
        let start = self.me() as usize * 8;
        let entry = self.board.content(member, Phase::A).get(start..start + 8).and_then(|entry| entry.try_into().ok());
        entry.map(u64::from_le_bytes).ok_or_else(|| {
            Error::new(abi::MPI_ERR_OTHER, format!("rank {member} takes part in another collective operation, or with another count"))
                .advise("the same calls in the same order, with counts that agree, on all processes of the communicator")
        })
    }

    /// `MPI_Gather`: the others write into the root's memory.
    pub fn gather_direct(&mut self, mpi: &mut Mpi, own: Option<&Buffer>, blocks: Option<&Blocks>, root: u32) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let mut done = Ok(());
        match (blocks, own) {
            (Some(blocks), own) => {
                let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
                let shown = buffers.iter().map(Shown::new).collect::<Outcome<Vec<_>>>()?;
                self.show_table(shown.iter().map(Shown::address));
                self.ring_all(mpi);
                if let Some(own) = own {
                    copy(own, &buffers[root as usize]);
                }
                self.report_to(mpi, root, Phase::B);
                shown.iter().zip(0..).filter(|&(_, row)| row != root).for_each(|(shown, _)| shown.bring_home());
            }
            (None, Some(own)) => {
                self.wait_for(mpi, root, Phase::A);
                done = self.address_in_table(root).and_then(|address| self.deliver(mpi, root, address, own));
                self.report_to(mpi, root, Phase::B);
            }
            (None, None) => {}
        }
        self.retire();
        done
    }

    /// `MPI_Scatter`: the others read from the root's memory.
    pub fn scatter_direct(&mut self, mpi: &mut Mpi, blocks: Option<&Blocks>, own: Option<&Buffer>, root: u32) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let mut done = Ok(());
        match (blocks, own) {
            (Some(blocks), own) => {
                let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
                let shown = buffers.iter().map(Shown::full).collect::<Outcome<Vec<_>>>()?;
                self.show_table(shown.iter().map(Shown::address));
                self.ring_all(mpi);
                if let Some(own) = own {
                    copy(&buffers[root as usize], own);
                }
                self.report_to(mpi, root, Phase::B);
            }
            (None, Some(own)) => {
                self.wait_for(mpi, root, Phase::A);
                done = self.address_in_table(root).and_then(|address| self.fetch(mpi, root, address, own));
                self.report_to(mpi, root, Phase::B);
            }
            (None, None) => {}
        }
        self.retire();
        done
    }

    /// `MPI_Allgather`: everybody reads the others' blocks; its own lies in its place already.
    pub fn allgather_direct(&mut self, mpi: &mut Mpi, blocks: &Blocks) -> Outcome {
        self.begin(mpi, 0);
        let own = blocks.of(self.me());
        let shown = Shown::full(&own)?;
        self.board.set_words(Phase::A, &[shown.address()]);
        self.meet(mpi, Phase::A);
        let mut done = Ok(());
        for row in self.others() {
            done = done.and_then(|()| self.fetch(mpi, row, self.board.word(row, Phase::A, 0), &blocks.of(row)));
        }
        self.part(mpi);
        done
    }

    /// `MPI_Alltoall`: everybody reads what is for it.
    pub fn alltoall_direct(&mut self, mpi: &mut Mpi, sent: &Blocks, received: &Blocks) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let me = self.me();
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| sent.of(row)).collect();
        let shown = buffers.iter().map(Shown::full).collect::<Outcome<Vec<_>>>()?;
        self.show_table(shown.iter().map(Shown::address));
        self.meet(mpi, Phase::A);
        copy(&buffers[me as usize], &received.of(me));
        let mut done = Ok(());
        for row in self.others() {
            done = done.and_then(|()| self.fetch(mpi, row, self.address_in_table(row)?, &received.of(row)));
        }
        self.part(mpi);
        done
    }

    /// The end of a call in which everybody's memory was used: when all have come here, it is its owner's again.
    fn part(&mut self, mpi: &mut Mpi) {
        if !self.crowded {
            self.board.publish(self.me(), Phase::B, 0);
        }
        self.meet(mpi, Phase::B);
    }

    /// Reductions: everybody joins its share and writes the results where they belong. `result` is this process's, if it gets one.
    pub fn reduce_direct(&mut self, mpi: &mut Mpi, own: &Buffer, result: Option<&Buffer>, fold: &Fold<'_>, results: Results) -> Outcome {
        self.begin(mpi, 0);
        self.board.set_words(Phase::A, &[own.address() as u64, result.map_or(0, Buffer::address) as u64]);
        self.meet(mpi, Phase::A);
        let (members, bytes) = (self.members() as usize, own.bytes());
        let each = bytes.div_ceil(members).next_multiple_of(LINE_BYTES.max(fold.element_bytes()));
        let share = (self.me() as usize * each).min(bytes)..((self.me() as usize + 1) * each).min(bytes);
        let length = share.len().min(PIECE_BYTES);
        let (mut value, mut next) = (scratch_bytes(length)?, scratch_bytes(length)?);
        let mut done = Ok(());
        if let (Some(value), Some(next)) = (value.as_bytes_mut(), next.as_bytes_mut()) {
            for start in share.clone().step_by(PIECE_BYTES) {
                let length = (share.end - start).min(PIECE_BYTES);
                let piece = Piece { own, result, start };
                done = done.and_then(|()| self.join_piece(mpi, &piece, (&mut value[..length], &mut next[..length]), fold, results));
            }
        }
        self.part(mpi);
        done
    }

    /// Joins a piece of all contributions, and hands out what comes of it.
    fn join_piece(
        &self,
        mpi: &Mpi,
        piece: &Piece<'_>,
        (value, next): (&mut [u8], &mut [u8]),
        fold: &Fold<'_>,
        results: Results,
    ) -> Outcome {
        self.read_piece(mpi, piece, 0, value)?;
        if results == Results::Prefixes {
            self.write_piece(mpi, piece, 0, value)?;
        }
        for row in 1..self.members() {
            self.read_piece(mpi, piece, row, next)?;
            if results == Results::PrefixesBefore {
                self.write_piece(mpi, piece, row, value)?;
            }
            fold.join(value, next)?;
            if results == Results::Prefixes {
                self.write_piece(mpi, piece, row, value)?;
            }
        }
        match results {
            Results::At(root) => self.write_piece(mpi, piece, root, value),
            Results::Everywhere => (0..self.members()).try_for_each(|row| self.write_piece(mpi, piece, row, value)),
            Results::Prefixes | Results::PrefixesBefore => Ok(()),
        }
    }

    /// A row's contribution to a piece.
    fn read_piece(&self, mpi: &Mpi, piece: &Piece<'_>, row: u32, into: &mut [u8]) -> Outcome {
        if row == self.me() {
            piece.own.pack_at(piece.start, into);
            return Ok(());
        }
        self.read(mpi, row, self.board.word(row, Phase::A, 0) + piece.start as u64, into)
    }

    /// What comes of a piece for a row.
    fn write_piece(&self, mpi: &Mpi, piece: &Piece<'_>, row: u32, from: &[u8]) -> Outcome {
        if row == self.me() {
            if let Some(result) = piece.result {
                result.unpack_at(piece.start, from);
            }
            return Ok(());
        }
        self.write(mpi, row, self.board.word(row, Phase::A, 1) + piece.start as u64, from)
    }

    /// `MPI_Reduce_scatter`: everybody joins its own share, and keeps it.
    pub fn reduce_scatter_direct(&mut self, mpi: &mut Mpi, own: &Buffer, shares: &Shares, result: &Buffer, fold: &Fold<'_>) -> Outcome {
        self.begin(mpi, 0);
        self.board.set_words(Phase::A, &[own.address() as u64]);
        self.meet(mpi, Phase::A);
        let share = shares.of(self.me());
        let start = share.start * fold.element_bytes();
        // Others read the vector until all have come to the end, and the result's place may lie in it.
        let bytes = result.bytes();
        let (mut value, mut next) = (scratch_bytes(bytes)?, scratch_bytes(bytes.min(PIECE_BYTES))?);
        let mut done = Ok(());
        if let (Some(value), Some(next)) = (value.as_bytes_mut(), next.as_bytes_mut()) {
            for (value, index) in value.chunks_mut(PIECE_BYTES).zip(0..) {
                let piece = Piece { own, result: None, start: start + index * PIECE_BYTES };
                let next = &mut next[..value.len()];
                done = done.and_then(|()| self.join_share(mpi, &piece, (value, next), fold));
            }
        }
        self.part(mpi);
        copy(&value, result);
        done
    }

    fn join_share(&self, mpi: &Mpi, piece: &Piece<'_>, (value, next): (&mut [u8], &mut [u8]), fold: &Fold<'_>) -> Outcome {
        self.read_piece(mpi, piece, 0, value)?;
        for row in 1..self.members() {
            self.read_piece(mpi, piece, row, next)?;
            fold.join(value, next)?;
        }
        Ok(())
    }
}
