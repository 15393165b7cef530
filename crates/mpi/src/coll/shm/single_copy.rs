//! Collectives on data that do not fit a room of the board: the members tell each other where it lies, and copy it from there, or to there, by the kernel.
//!
//! Those who would wait copy: the others write into the root's memory in a gather, read from it in a broadcast and a scatter, all at the same time; where
//! everybody has data for everybody, each writes its own (reductions: `shares`). So every byte crosses once, and no memory is read by anybody who could not
//! have read it by a message.
//!
//! Memory that was shown is its owner's again when the call returns: all who use it are waited for.

use super::{A_COPY, A_MESSAGE, Arrival, IN_PIECES, NodeComm, keep};
use crate::abi;
use crate::coll::{Blocks, scratch_bytes};
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use nemesis::coll_segment::Phase;
use nemesis_datatype::{Buffer, copy};

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
    pub(super) address: u64,
    pub(super) bytes: usize,
}

#[cold]
fn refused(process: u32, error: impl std::fmt::Display) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        format!("the kernel does not copy from or to the memory of process {process} of the job any more: {error}"),
    )
    .advise("NEMESIS_CMA=off, which goes without such copies")
}

impl NodeComm {
    /// Fills `into` from a member's memory.
    pub(super) fn read(
        &self,
        engine: &Engine,
        member: u32,
        address: u64,
        into: &mut [u8],
    ) -> Outcome {
        if into.is_empty() {
            return Ok(());
        }
        let Some(memory) = &engine.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory
            .read(process, [(address, into.len())].into_iter(), into)
            .map_err(|error| refused(process, error))
    }

    pub(super) fn write(&self, engine: &Engine, member: u32, address: u64, from: &[u8]) -> Outcome {
        if from.is_empty() {
            return Ok(());
        }
        let Some(memory) = &engine.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory
            .write(process, [(address, from.len())].into_iter(), from)
            .map_err(|error| refused(process, error))
    }

    /// Reads what a member shows into a buffer of any layout.
    pub(super) fn fetch(
        &self,
        engine: &Engine,
        member: u32,
        place: Place,
        buffer: &Buffer,
    ) -> Outcome {
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
    pub(super) fn meet_shown<T>(
        &mut self,
        mpi: &mut Mpi,
        root: Option<u32>,
        shown: Outcome<T>,
        agrees: impl Fn(&NodeComm, u32) -> Outcome,
    ) -> Outcome<T> {
        if let Err(error) = &shown {
            self.fail(self.me(), Phase::A, error);
        }
        match root {
            Some(root) => self.meet_with_root(mpi, root),
            None => self.meet(mpi, Phase::A),
        }
        let shown = shown?;
        for row in self.others() {
            self.verdict(row, Phase::A, row)?;
            agrees(self, row)?;
        }
        Ok(shown)
    }

    /// Publishes where this process's data lie, and how many bytes.
    pub(super) fn show(&self, place: Place) {
        self.coll_segment.set_words(Phase::A, &[place.address, place.bytes as u64]);
    }

    /// What a row's words say.
    pub(super) fn place_in_words(&self, row: u32) -> Place {
        let [address, bytes] = [0, 1].map(|index| self.coll_segment.word(row, Phase::A, index));
        Place { address, bytes: bytes as usize }
    }

    /// A row shows a place, as this process does.
    fn shows_a_place(&self, row: u32) -> Outcome {
        if self.coll_segment.has_words(row, Phase::A) {
            Ok(())
        } else {
            Err(self.another_call(row))
        }
    }

    /// What everybody has for the others, or to be joined, comes as messages, if all say that it is so long.
    pub fn agree(&mut self, mpi: &mut Mpi, bytes: usize) -> Outcome {
        self.begin(mpi, 0);
        self.show(Place { address: 0, bytes });
        self.meet_shown(mpi, None, Ok(()), |node_comm, row| node_comm.shows_a_vector(row, 1, bytes))
    }

    /// `MPI_Bcast`: the others read from the root's memory.
    pub fn bcast_direct(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Arrival> {
        self.begin(mpi, 0);
        let done = if self.me() == root {
            self.show_bcast(mpi, buffer, root).map(|()| Arrival::Here)
        } else {
            self.take_bcast(mpi, buffer, root)
        };
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

    fn take_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Arrival> {
        self.wait_for(mpi, root, Phase::A);
        self.take_from(mpi, root, buffer)
    }

    pub(super) fn fetch_bcast(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        root: u32,
    ) -> Outcome<Arrival> {
        match self.coll_segment.word(root, Phase::A, 0) {
            A_MESSAGE => Ok(Arrival::AsMessage),
            IN_PIECES => self.take_pieces(mpi, root, buffer),
            _ => self.fetch_told(mpi, root, buffer, root),
        }
    }

    /// Reads what `writer` shows in a row to this process, and reports.
    pub(super) fn fetch_told(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Arrival> {
        let fetched = self.fetch(mpi, writer, self.place_in_words(row), buffer);
        self.report_to(mpi, writer, Phase::B);
        fetched.map(|()| Arrival::Here)
    }

    /// An address and a length for each member.
    fn table_bytes(&self) -> usize {
        self.members() as usize * 16
    }

    /// Publishes a table of places, one for each member, where lies, or belongs, what is theirs.
    fn show_table(&mut self, shown: &[Shown<'_>]) {
        let me = self.me();
        let bytes = self.table_bytes();
        let words =
            shown.iter().map(Shown::place).flat_map(|place| [place.address, place.bytes as u64]);
        for (place, word) in
            self.coll_segment.place(me, Phase::A, bytes).chunks_exact_mut(8).zip(words)
        {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.coll_segment.publish(me, Phase::A, bytes);
    }

    /// A row shows a table, as this process does.
    fn shows_a_table(&self, row: u32) -> Outcome {
        if self.coll_segment.length(row, Phase::A) == self.table_bytes() {
            Ok(())
        } else {
            Err(self.another_call(row))
        }
    }

    /// The place that a member's table has for this process.
    fn place_in_table(&self, member: u32) -> Outcome<Place> {
        self.shows_a_table(member)?;
        let table = self.coll_segment.content(member, Phase::A);
        let word = |index: usize| {
            table
                .get(8 * index..)
                .and_then(<[u8]>::first_chunk)
                .map_or(0, |word| u64::from_le_bytes(*word))
        };
        let index = 2 * self.me() as usize;
        Ok(Place { address: word(index), bytes: word(index + 1) as usize })
    }

    /// `MPI_Gather`: the others write into the root's memory. Of two, each says in its row at once what it does, and the root does as the other.
    pub fn gather_direct(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
    ) -> Outcome<Arrival> {
        self.begin(mpi, self.table_bytes());
        let done = match (blocks, own) {
            (Some(blocks), own) => self.collect(mpi, own, blocks),
            (None, Some(own)) => self.contribute(mpi, own, root).map(|()| Arrival::Here),
            (None, None) => Ok(Arrival::Here),
        };
        self.retire();
        done
    }

    /// The root's part of a gather, when the call has begun.
    pub(super) fn collect(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
    ) -> Outcome<Arrival> {
        let root = self.me();
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
        let shown =
            self.or_fail(mpi, buffers.iter().map(Shown::new).collect::<Outcome<Vec<_>>>())?;
        self.show_table(&shown);
        self.ring_all(mpi);
        let mut done = own.map_or(Ok(()), |own| keep(own, &buffers[root as usize]));
        if self.members() == 2 {
            let other = 1 - root;
            self.wait_for(mpi, other, Phase::A);
            if !self.tells(other, A_COPY) {
                let taken = self.take_as_told(mpi, other, &buffers[other as usize])?;
                // A message is received, and what is its own kept, by who calls.
                return if taken == Arrival::Here { done.map(|()| taken) } else { Ok(taken) };
            }
        }
        self.report_to(mpi, root, Phase::B);
        for row in self.others() {
            let delivered = self.is_delivered(row, buffers[row as usize].bytes());
            if delivered.is_ok() {
                shown[row as usize].bring_home();
            }
            done = done.and(delivered);
        }
        done.map(|()| Arrival::Here)
    }

    /// The root's part of a gather between two, when the call has begun and the other's row tells how its block comes. The lengths may not agree.
    pub(super) fn gather_told(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        other: u32,
    ) -> Outcome<Arrival> {
        let done = match self.tells(other, A_COPY) {
            true => self.collect(mpi, own, blocks),
            false => self.take_as_told(mpi, other, &blocks.of(other)).and_then(|taken| match own {
                Some(own) if taken == Arrival::Here => {
                    keep(own, &blocks.of(self.me())).map(|()| taken)
                }
                _ => Ok(taken),
            }),
        };
        self.retire();
        done
    }

    /// Takes the block of the other one of two as its row tells.
    fn take_as_told(&mut self, mpi: &mut Mpi, other: u32, block: &Buffer) -> Outcome<Arrival> {
        if !self.tells(other, IN_PIECES) {
            return self.take_rooted(mpi, other, block, other);
        }
        // This process looked for something else, and lets them pass.
        for _ in 1..self.gather_parts_told(other) {
            self.retire();
            self.begin(mpi, 0);
            self.wait_for(mpi, other, Phase::A);
        }
        Err(self.another_call(other))
    }

    /// Another member's part of a gather. If it has more than there is room for, the root is told and has the error, as for messages.
    fn contribute(&mut self, mpi: &mut Mpi, own: &Buffer, root: u32) -> Outcome {
        if self.members() == 2 {
            self.coll_segment.set_words(Phase::A, &[A_COPY, own.bytes() as u64]);
            self.ring(mpi, root);
        }
        self.wait_for(mpi, root, Phase::A);
        self.verdict(root, Phase::A, root)?;
        let done = match self.place_in_table(root) {
            Ok(place) if own.bytes() > place.bytes => {
                self.coll_segment.set_words(Phase::B, &[own.bytes() as u64]);
                Ok(())
            }
            Ok(place) => self.deliver(mpi, root, place.address, own),
            Err(error) => Err(error),
        };
        let done = done.inspect_err(|error| self.fail(self.me(), Phase::B, error));
        self.report_to(mpi, root, Phase::B);
        done
    }

    /// Members that have written all they have say nothing, or no more than that.
    fn is_delivered(&self, row: u32, room: usize) -> Outcome {
        if !self.coll_segment.is_published(row, Phase::B) {
            return Ok(());
        }
        self.verdict(row, Phase::B, row)?;
        let sent = if self.coll_segment.has_words(row, Phase::B) {
            self.coll_segment.word(row, Phase::B, 0) as usize
        } else {
            0
        };
        if sent > room { Err(self.too_long(row, sent, room)) } else { Ok(()) }
    }

    /// `MPI_Scatter`: the others read from the root's memory.
    pub fn scatter_direct(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
    ) -> Outcome<Arrival> {
        self.begin(mpi, 0);
        match (blocks, own) {
            (Some(blocks), own) => {
                let done = self.distribute(mpi, blocks, own);
                self.retire();
                done.map(|()| Arrival::Here)
            }
            (None, Some(own)) => self.scatter_begun(mpi, own, root),
            (None, None) => Ok(Arrival::Here),
        }
    }

    /// The root's part of a scatter: each finds in the row that is looked at for it where its block lies.
    fn distribute(&mut self, mpi: &mut Mpi, blocks: &Blocks, own: Option<&Buffer>) -> Outcome {
        let root = self.me();
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| blocks.of(row)).collect();
        let shown = buffers.iter().map(Shown::full).collect::<Outcome<Vec<_>>>();
        for member in self.others() {
            let row = self.row_for(member, root);
            match &shown {
                Ok(shown) => {
                    let place = shown[member as usize].place();
                    self.coll_segment.set_words_of(
                        row,
                        Phase::A,
                        &[place.address, place.bytes as u64],
                    );
                }
                Err(error) => self.fail(row, Phase::A, error),
            }
            self.ring(mpi, member);
        }
        let _shown = shown?;
        let done = own.map_or(Ok(()), |own| keep(&buffers[root as usize], own));
        self.report_to(mpi, root, Phase::B);
        done
    }

    /// `MPI_Allgather`: everybody writes its block to all others, again and again from its own caches. `own` is `None` where it lies in its place already.
    pub fn allgather_direct(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
    ) -> Outcome {
        let place = blocks.of(self.me());
        let block = own.unwrap_or(&place);
        self.exchange_blocks(
            mpi,
            blocks,
            |_| block.clone(),
            || own.map_or(Ok(()), |own| keep(own, &place)),
        )
    }

    /// `MPI_Alltoall`: everybody writes what it has for the others.
    pub fn alltoall_direct(&mut self, mpi: &mut Mpi, sent: &Blocks, received: &Blocks) -> Outcome {
        let me = self.me();
        self.exchange_blocks(
            mpi,
            received,
            |row| sent.of(row),
            || keep(&sent.of(me), &received.of(me)),
        )
    }

    /// Everybody shows where the others' blocks belong, and writes theirs: nobody waits for a copy into place, and a block is in its owner's caches.
    fn exchange_blocks(
        &mut self,
        mpi: &mut Mpi,
        received: &Blocks,
        block_for: impl Fn(u32) -> Buffer,
        keep_own: impl FnOnce() -> Outcome,
    ) -> Outcome {
        self.begin(mpi, self.table_bytes());
        let buffers: Vec<Buffer> = (0..self.members()).map(|row| received.of(row)).collect();
        let shown = buffers.iter().map(Shown::new).collect::<Outcome<Vec<_>>>();
        if let Ok(shown) = &shown {
            self.show_table(shown);
        }
        let mut done = keep_own();
        let shown = self.meet_shown(mpi, None, shown, NodeComm::shows_a_table)?;
        let told = self.deliver_all(mpi, block_for);
        self.meet(mpi, Phase::B);
        done = done.and(told);
        for row in self.others() {
            let delivered = self.is_delivered(row, buffers[row as usize].bytes());
            if delivered.is_ok() {
                shown[row as usize].bring_home();
            }
            done = done.and(delivered);
        }
        done
    }

    /// Writes to each of the others what this process has for it, and tells all if that was not possible, or more than there was room for.
    fn deliver_all(&mut self, mpi: &Mpi, block_for: impl Fn(u32) -> Buffer) -> Outcome {
        let mut longest = None;
        let done = self.others().try_for_each(|row| {
            let (place, block) = (self.place_in_table(row)?, block_for(row));
            if block.bytes() > place.bytes {
                longest = longest.max(Some(block.bytes()));
                return Ok(());
            }
            self.deliver(mpi, row, place.address, &block)
        });
        match (&done, longest) {
            (Err(error), _) => self.fail(self.me(), Phase::B, error),
            (Ok(()), Some(bytes)) => self.coll_segment.set_words(Phase::B, &[bytes as u64]),
            (Ok(()), None) if !self.oversubscribed => {
                self.coll_segment.publish(self.me(), Phase::B, 0)
            }
            (Ok(()), None) => {}
        }
        done
    }

    /// The end of a call in which everybody's memory was used: when all have come here, it is its owner's again. Everybody read for itself.
    pub(super) fn part(&mut self, mpi: &mut Mpi) {
        if !self.oversubscribed {
            self.coll_segment.publish(self.me(), Phase::B, 0);
        }
        self.meet(mpi, Phase::B);
    }

    /// The same where everybody worked for others: who could not tells all, whose results lack its share.
    pub(super) fn part_with(&mut self, mpi: &mut Mpi, done: Outcome) -> Outcome {
        match &done {
            Err(error) => self.fail(self.me(), Phase::B, error),
            Ok(()) if !self.oversubscribed => self.coll_segment.publish(self.me(), Phase::B, 0),
            Ok(()) => {}
        }
        self.meet(mpi, Phase::B);
        done?;
        let mut published =
            self.others().filter(|&row| self.coll_segment.is_published(row, Phase::B));
        published.try_for_each(|row| self.verdict(row, Phase::B, row))
    }

    /// A row shows a vector as long as this process's.
    pub(super) fn shows_a_vector(&self, row: u32, index: usize, bytes: usize) -> Outcome {
        self.shows_a_place(row)?;
        let theirs = self.coll_segment.word(row, Phase::A, index) as usize;
        if theirs == bytes { Ok(()) } else { Err(self.uneven(row, theirs, bytes)) }
    }
}
