//! Collectives on data that do not fit a room of the board: the members tell each other where it lies, and copy it from there, or to there, by the kernel.
//!
//! Those who would wait copy: the others write into the root's memory in a gather, read from it in a broadcast and a scatter, all at the same time. In a
//! reduction everybody has a share of the vector: it reads its share of all contributions, piece by piece, joins them, and writes what comes of it
//! to whom it is for. So every byte crosses once, and no memory is read by anybody who could not have read it by a message.
//!
//! Memory that was shown is its owner's again when the call returns: all who use it are waited for.

use super::rooms::Fold;
use super::{Circle, keep};
use crate::abi;
use crate::coll::reduce_scatter::Shares;
use crate::coll::{Blocks, scratch_bytes};
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use nemesis::board::Phase;
use nemesis_datatype::{Buffer, copy};
use std::iter;

/// What a member joins at a time: its operands stay in the second-level cache, and a system call is still cheap beside it.
const PIECE_BYTES: usize = 64 << 10;
/// Shares begin on cache lines.
const LINE_BYTES: usize = 64;

/// Memory that others copy from or to: the program's own, if it is one run, or a dense copy of it.
pub(super) struct Shown<'a> {
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
    pub(super) fn full(user: &'a Buffer) -> Outcome<Shown<'a>> {
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

    pub(super) fn place(&self) -> Place {
        Place { address: self.address(), bytes: self.user.bytes() }
    }

    /// What is to be kept as long as it is shown.
    pub(super) fn into_dense(self) -> Buffer {
        self.dense
    }
}

/// Where data of a member lie, or belong.
#[derive(Clone, Copy)]
pub(super) struct Place {
    address: u64,
    bytes: usize,
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
fn refused(process: u32, error: impl std::fmt::Display) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        format!("the kernel does not copy from or to the memory of process {process} of the job any more: {error}"),
    )
    .advise("NEMESIS_CMA=off, which goes without such copies")
}

/// A reduction's root has no place for the result.
#[cold]
fn no_place(bytes: usize) -> Box<Error> {
    Error::new(abi::MPI_ERR_NO_MEM, format!("there is no memory for {bytes} bytes of a partial result"))
}

impl Circle {
    /// Fills `into` from a member's memory.
    fn read(&self, engine: &Engine, member: u32, address: u64, into: &mut [u8]) -> Outcome {
        if into.is_empty() {
            return Ok(());
        }
        let Some(memory) = &engine.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory.read(process, [(address, into.len())].into_iter(), into).map_err(|error| refused(process, error))
    }

    fn write(&self, engine: &Engine, member: u32, address: u64, from: &[u8]) -> Outcome {
        if from.is_empty() {
            return Ok(());
        }
        let Some(memory) = &engine.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory.write(process, [(address, from.len())].into_iter(), from).map_err(|error| refused(process, error))
    }

    /// Reads what a member shows into a buffer of any layout.
    pub(super) fn fetch(&self, engine: &Engine, member: u32, place: Place, buffer: &Buffer) -> Outcome {
        if place.bytes > buffer.bytes() {
            return Err(self.too_long(member, place.bytes, buffer.bytes()));
        }
        let mut shown = Shown::new(buffer)?;
        if let Some(bytes) = shown.dense.as_bytes_mut() {
            let bytes = &mut bytes[..place.bytes];
            self.read(engine, member, place.address, bytes)?;
            if shown.copied {
                buffer.unpack_at(0, bytes);
            }
        }
        Ok(())
    }

    /// Writes a buffer of any layout to where a member wants it.
    fn deliver(&self, engine: &Engine, member: u32, address: u64, buffer: &Buffer) -> Outcome {
        let shown = Shown::full(buffer)?;
        shown.dense.as_bytes().map_or(Ok(()), |bytes| self.write(engine, member, address, bytes))
    }

    /// What a root has to show. If that is nothing, the others learn that they need not wait for it.
    pub(super) fn or_fail<T>(&self, engine: &Engine, shown: Outcome<T>) -> Outcome<T> {
        shown.inspect_err(|error| {
            self.fail(self.me(), Phase::A, error);
            self.ring_all(engine);
        })
    }

    /// Waits until all have shown what they have, as this process has if it could, and looks whether that is what this call needs: `agrees` says so of
    /// each row. All who come here see the same rows and judge alike, so after an error nobody waits for the second phase, and nobody's memory has been
    /// touched.
    fn meet_shown<T>(&mut self, mpi: &mut Mpi, shown: Outcome<T>, agrees: impl Fn(&Circle, u32) -> Outcome) -> Outcome<T> {
        if let Err(error) = &shown {
            self.fail(self.me(), Phase::A, error);
        }
        self.meet(mpi, Phase::A);
        let shown = shown?;
        for row in self.others() {
            self.verdict(row, Phase::A, row)?;
            agrees(self, row)?;
        }
        Ok(shown)
    }

    /// Publishes where this process's data lie, and how many bytes.
    pub(super) fn show(&self, place: Place) {
        self.board.set_words(Phase::A, &[place.address, place.bytes as u64]);
    }

    /// What a row's words say.
    pub(super) fn place_in_words(&self, row: u32) -> Place {
        let [address, bytes] = [0, 1].map(|index| self.board.word(row, Phase::A, index));
        Place { address, bytes: bytes as usize }
    }

    /// A row shows a place, as this process does.
    fn shows_a_place(&self, row: u32) -> Outcome {
        if self.board.has_words(row, Phase::A) { Ok(()) } else { Err(self.another_call(row)) }
    }

    /// `MPI_Bcast`: the others read from the root's memory.
    pub fn bcast_direct(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        self.begin(mpi, 0);
        let done = if self.me() == root { self.show_bcast(mpi, buffer, root) } else { self.take_bcast(mpi, buffer, root) };
        self.retire();
        done
    }

    fn show_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        let shown = self.or_fail(mpi, Shown::full(buffer))?;
        self.show(shown.place());
        self.ring_all(mpi);
        self.report_to(mpi, root, Phase::B);
        Ok(())
    }

    fn take_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        self.wait_for(mpi, root, Phase::A);
        self.take_from(mpi, root, buffer)
    }

    pub(super) fn fetch_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome {
        let fetched = self.fetch(mpi, root, self.place_in_words(root), buffer);
        self.report_to(mpi, root, Phase::B);
        fetched
    }

    /// The bytes of each block, and an address for each member.
    fn table_bytes(&self) -> usize {
        (self.members() as usize + 1) * 8
    }

    /// Publishes a table of addresses, one for each member, at which lie, or belong, `each` bytes.
    fn show_table(&mut self, each: usize, addresses: impl Iterator<Item = u64>) {
        let me = self.me();
        let bytes = self.table_bytes();
        let place = self.board.place(me, Phase::A, bytes);
        for (place, word) in place.chunks_exact_mut(8).zip(iter::once(each as u64).chain(addresses)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.board.publish(me, Phase::A, bytes);
    }

    /// A row shows a table, as this process does.
    fn shows_a_table(&self, row: u32) -> Outcome {
        if self.board.length(row, Phase::A) == self.table_bytes() { Ok(()) } else { Err(self.another_call(row)) }
    }

    /// The place that a member's table has for this process.
    fn place_in_table(&self, member: u32) -> Outcome<Place> {
        self.shows_a_table(member)?;
        let table = self.board.content(member, Phase::A);
        let word = |index: usize| table.get(8 * index..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word));
        Ok(Place { bytes: word(0) as usize, address: word(self.me() as usize + 1) })
    }

    /// `MPI_Gather`: the others write into the root's memory.
    pub fn gather_direct(&mut self, mpi: &mut Mpi, own: Option<&Buffer>, blocks: Option<&Blocks>, root: u32) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let done = match (blocks, own) {
            (Some(blocks), own) => self.collect(mpi, own, blocks),
            (None, Some(own)) => self.contribute(mpi, own, root),
            (None, None) => Ok(()),
        };
        self.retire();
        done
    }

    /// The root's part of a gather.
    fn collect(&mut self, mpi: &mut Mpi, own: Option<&Buffer>, blocks: &Blocks) -> Outcome {
        let (root, each) = (self.me(), blocks.bytes_of(self.me()));
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
        let shown = self.or_fail(mpi, buffers.iter().map(Shown::new).collect::<Outcome<Vec<_>>>())?;
        self.show_table(each, shown.iter().map(Shown::address));
        self.ring_all(mpi);
        let mut done = own.map_or(Ok(()), |own| keep(own, &buffers[root as usize]));
        self.report_to(mpi, root, Phase::B);
        for row in self.others() {
            let delivered = self.is_delivered(row, each);
            if delivered.is_ok() {
                shown[row as usize].bring_home();
            }
            done = done.and(delivered);
        }
        done
    }

    /// Another member's part of a gather. If it has more than there is room for, the root is told and has the error, as for messages.
    fn contribute(&mut self, mpi: &mut Mpi, own: &Buffer, root: u32) -> Outcome {
        self.wait_for(mpi, root, Phase::A);
        self.verdict(root, Phase::A, root)?;
        let done = match self.place_in_table(root) {
            Ok(place) if own.bytes() > place.bytes => {
                self.board.set_words(Phase::B, &[own.bytes() as u64]);
                Ok(())
            }
            Ok(place) => self.deliver(mpi, root, place.address, own),
            Err(error) => Err(error),
        };
        let done = done.inspect_err(|error| self.fail(self.me(), Phase::B, error));
        self.report_to(mpi, root, Phase::B);
        done
    }

    /// Members that have written all they have say nothing.
    fn is_delivered(&self, row: u32, room: usize) -> Outcome {
        if !self.board.is_published(row, Phase::B) {
            return Ok(());
        }
        self.verdict(row, Phase::B, row)?;
        Err(self.too_long(row, self.board.word(row, Phase::B, 0) as usize, room))
    }

    /// `MPI_Scatter`: the others read from the root's memory.
    pub fn scatter_direct(&mut self, mpi: &mut Mpi, blocks: Option<&Blocks>, own: Option<&Buffer>, root: u32) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let done = match (blocks, own) {
            (Some(blocks), own) => self.distribute(mpi, blocks, own),
            (None, Some(own)) => self.obtain(mpi, own, root),
            (None, None) => Ok(()),
        };
        self.retire();
        done
    }

    /// The root's part of a scatter.
    fn distribute(&mut self, mpi: &mut Mpi, blocks: &Blocks, own: Option<&Buffer>) -> Outcome {
        let root = self.me();
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
        let shown = self.or_fail(mpi, buffers.iter().map(Shown::full).collect::<Outcome<Vec<_>>>())?;
        self.show_table(blocks.bytes_of(root), shown.iter().map(Shown::address));
        self.ring_all(mpi);
        let done = own.map_or(Ok(()), |own| keep(&buffers[root as usize], own));
        self.report_to(mpi, root, Phase::B);
        done
    }

    /// Another member's part of a scatter.
    fn obtain(&mut self, mpi: &mut Mpi, own: &Buffer, root: u32) -> Outcome {
        self.wait_for(mpi, root, Phase::A);
        self.verdict(root, Phase::A, root)?;
        let done = self.place_in_table(root).and_then(|place| self.fetch(mpi, root, place, own));
        self.report_to(mpi, root, Phase::B);
        done
    }

    /// `MPI_Allgather`: everybody reads the others' blocks; its own lies in its place already.
    pub fn allgather_direct(&mut self, mpi: &mut Mpi, blocks: &Blocks) -> Outcome {
        self.begin(mpi, 0);
        let own = blocks.of(self.me());
        let shown = Shown::full(&own).inspect(|shown| self.show(shown.place()));
        let _shown = self.meet_shown(mpi, shown, Circle::shows_a_place)?;
        let mut done = Ok(());
        for row in self.others() {
            done = done.and_then(|()| self.fetch(mpi, row, self.place_in_words(row), &blocks.of(row)));
        }
        self.part(mpi);
        done
    }

    /// `MPI_Alltoall`: everybody reads what is for it.
    pub fn alltoall_direct(&mut self, mpi: &mut Mpi, sent: &Blocks, received: &Blocks) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let me = self.me();
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| sent.of(row)).collect();
        let shown = buffers.iter().map(Shown::full).collect::<Outcome<Vec<_>>>();
        if let Ok(shown) = &shown {
            self.show_table(sent.bytes_of(me), shown.iter().map(Shown::address));
        }
        let _shown = self.meet_shown(mpi, shown, Circle::shows_a_table)?;
        let mut done = keep(&buffers[me as usize], &received.of(me));
        for row in self.others() {
            done = done.and_then(|()| self.fetch(mpi, row, self.place_in_table(row)?, &received.of(row)));
        }
        self.part(mpi);
        done
    }

    /// The end of a call in which everybody's memory was used: when all have come here, it is its owner's again. Everybody read for itself.
    fn part(&mut self, mpi: &mut Mpi) {
        if !self.crowded {
            self.board.publish(self.me(), Phase::B, 0);
        }
        self.meet(mpi, Phase::B);
    }

    /// The same where everybody worked for others: who could not tells all, whose results lack its share.
    fn part_with(&mut self, mpi: &mut Mpi, done: Outcome) -> Outcome {
        match &done {
            Err(error) => self.fail(self.me(), Phase::B, error),
            Ok(()) if !self.crowded => self.board.publish(self.me(), Phase::B, 0),
            Ok(()) => {}
        }
        self.meet(mpi, Phase::B);
        done?;
        let mut published = self.others().filter(|&row| self.board.is_published(row, Phase::B));
        published.try_for_each(|row| self.verdict(row, Phase::B, row))
    }

    /// A row shows a vector as long as this process's.
    fn shows_a_vector(&self, row: u32, index: usize, bytes: usize) -> Outcome {
        self.shows_a_place(row)?;
        let theirs = self.board.word(row, Phase::A, index) as usize;
        if theirs == bytes { Ok(()) } else { Err(self.uneven(row, theirs, bytes)) }
    }

    /// Reductions: everybody joins its share and writes the results where they belong. `result` is this process's, if it gets one.
    pub fn reduce_direct(&mut self, mpi: &mut Mpi, own: &Buffer, result: Option<&Buffer>, fold: &Fold<'_>, results: Results) -> Outcome {
        self.begin(mpi, 0);
        let (members, bytes) = (self.members() as usize, own.bytes());
        let each = bytes.div_ceil(members).next_multiple_of(LINE_BYTES.max(fold.element_bytes()));
        let share = (self.me() as usize * each).min(bytes)..((self.me() as usize + 1) * each).min(bytes);
        let length = share.len().min(PIECE_BYTES);
        let places = match results {
            Results::At(root) if root == self.me() && result.is_none() => Err(no_place(bytes)),
            _ => scratch_bytes(length).and_then(|value| Ok((value, scratch_bytes(length)?))),
        };
        if places.is_ok() {
            self.board.set_words(Phase::A, &[own.address() as u64, result.map_or(0, Buffer::address) as u64, bytes as u64]);
        }
        let (mut value, mut next) = self.meet_shown(mpi, places, |circle, row| circle.shows_a_vector(row, 2, bytes))?;
        let mut done = Ok(());
        if let (Some(value), Some(next)) = (value.as_bytes_mut(), next.as_bytes_mut()) {
            for start in share.clone().step_by(PIECE_BYTES) {
                let length = (share.end - start).min(PIECE_BYTES);
                let piece = Piece { own, result, start };
                done = done.and_then(|()| self.join_piece(mpi, &piece, (&mut value[..length], &mut next[..length]), fold, results));
            }
        }
        self.part_with(mpi, done)
    }

    /// Joins a piece of all contributions, and hands out what comes of it.
    fn join_piece(
        &self,
        engine: &Engine,
        piece: &Piece<'_>,
        (value, next): (&mut [u8], &mut [u8]),
        fold: &Fold<'_>,
        results: Results,
    ) -> Outcome {
        self.read_piece(engine, piece, 0, value)?;
        if results == Results::Prefixes {
            self.write_piece(engine, piece, 0, value)?;
        }
        for row in 1..self.members() {
            self.read_piece(engine, piece, row, next)?;
            if results == Results::PrefixesBefore {
                self.write_piece(engine, piece, row, value)?;
            }
            fold.join(value, next)?;
            if results == Results::Prefixes {
                self.write_piece(engine, piece, row, value)?;
            }
        }
        match results {
            Results::At(root) => self.write_piece(engine, piece, root, value),
            Results::Everywhere => (0..self.members()).try_for_each(|row| self.write_piece(engine, piece, row, value)),
            Results::Prefixes | Results::PrefixesBefore => Ok(()),
        }
    }

    /// A row's contribution to a piece.
    fn read_piece(&self, engine: &Engine, piece: &Piece<'_>, row: u32, into: &mut [u8]) -> Outcome {
        if row == self.me() {
            piece.own.pack_at(piece.start, into);
            return Ok(());
        }
        self.read(engine, row, self.board.word(row, Phase::A, 0) + piece.start as u64, into)
    }

    /// What comes of a piece for a row.
    fn write_piece(&self, engine: &Engine, piece: &Piece<'_>, row: u32, from: &[u8]) -> Outcome {
        if row == self.me() {
            if let Some(result) = piece.result {
                result.unpack_at(piece.start, from);
            }
            return Ok(());
        }
        self.write(engine, row, self.board.word(row, Phase::A, 1) + piece.start as u64, from)
    }

    /// `MPI_Reduce_scatter`: everybody joins its own share, and keeps it.
    pub fn reduce_scatter_direct(&mut self, mpi: &mut Mpi, own: &Buffer, shares: &Shares, result: &Buffer, fold: &Fold<'_>) -> Outcome {
        self.begin(mpi, 0);
        let share = shares.of(self.me());
        let start = share.start * fold.element_bytes();
        // Others read the vector until all have come to the end, and the result's place may lie in it.
        let (whole, bytes) = (own.bytes(), result.bytes());
        let places = scratch_bytes(bytes).and_then(|value| Ok((value, scratch_bytes(bytes.min(PIECE_BYTES))?)));
        if places.is_ok() {
            self.show(Place { address: own.address() as u64, bytes: whole });
        }
        let (mut value, mut next) = self.meet_shown(mpi, places, |circle, row| circle.shows_a_vector(row, 1, whole))?;
        let mut done = Ok(());
        if let (Some(value), Some(next)) = (value.as_bytes_mut(), next.as_bytes_mut()) {
            for (value, index) in value.chunks_mut(PIECE_BYTES).zip(0..) {
                let piece = Piece { own, result: None, start: start + index * PIECE_BYTES };
                let next = &mut next[..value.len()];
                done = done.and_then(|()| self.join_share(mpi, &piece, (value, next), fold));
            }
        }
        self.part(mpi);
        if done.is_ok() {
            copy(&value, result);
        }
        done
    }

    fn join_share(&self, engine: &Engine, piece: &Piece<'_>, (value, next): (&mut [u8], &mut [u8]), fold: &Fold<'_>) -> Outcome {
        self.read_piece(engine, piece, 0, value)?;
        for row in 1..self.members() {
            self.read_piece(engine, piece, row, next)?;
            fold.join(value, next)?;
        }
        Ok(())
    }
}
