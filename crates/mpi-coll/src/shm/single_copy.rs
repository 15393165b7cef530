//! Collectives on data that exceeds a staging buffer, by single copies: the members publish
//! addresses, and the kernel copies from or to another member's memory.
//!
//! The members that would wait perform the copies: in a gather they write into the root's memory,
//! in a broadcast and a scatter they read from it, all at once. If every member has data for every
//! other, each writes its own (reductions: `reduce_segments`). Every byte so crosses once, and no
//! process reads memory that it could not have received as a message.
//!
//! The memory that a member shows is its own again when the call returns: it waits for all users.

use super::{BY_SINGLE_COPY, DEFERRED_TO_PT2PT, Delivery, IN_CHUNKS, NodeComm, keep};
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::peer_failure;
use crate::{Blocks, scratch_bytes};
use nemesis::coll_segment::Phase;
use nemesis_datatype::{Buffer, copy};

/// Memory that other members copy from or to: the program's own if it is contiguous, otherwise a
/// contiguous copy of it.
pub(super) struct Shown<'a> {
    user: &'a Buffer,
    contiguous: Buffer,
    copied: bool,
}

impl<'a> Shown<'a> {
    fn new(user: &'a Buffer) -> Outcome<Shown<'a>> {
        Ok(match user.flattened() {
            Some(contiguous) => Shown { user, contiguous, copied: false },
            None => Shown { user, contiguous: scratch_bytes(user.bytes())?, copied: true },
        })
    }

    /// Shows memory that others read.
    pub(super) fn full(user: &'a Buffer) -> Outcome<Shown<'a>> {
        let shown = Shown::new(user)?;
        if shown.copied {
            copy(user, &shown.contiguous);
        }
        Ok(shown)
    }

    /// Copies what others have written to the program's memory.
    fn copy_back(&self) {
        if self.copied {
            copy(&self.contiguous, self.user);
        }
    }

    fn address(&self) -> u64 {
        self.contiguous.address() as u64
    }

    pub(super) fn place(&self) -> Place {
        Place { address: self.address(), bytes: self.user.bytes() }
    }

    /// Returns the buffer that must live as long as it is shown.
    pub(super) fn into_contiguous(self) -> Buffer {
        self.contiguous
    }
}

/// The address and length of a member's data.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) address: u64,
    pub(super) bytes: usize,
}

#[cold]
fn refused(process: u32, error: impl std::fmt::Display) -> Box<Error> {
    if peer_failure::is_tolerant() {
        return peer_failure::error(process, &format!("its memory is gone: {error}"));
    }
    Error::new(
        abi::MPI_ERR_OTHER,
        format!(
            "the kernel no longer copies from or to the memory of process {process} of the job: \
            {error}"
        ),
    )
    .advise("set NEMESIS_CMA=off to avoid such copies")
}

impl NodeComm {
    /// Reads from a member's memory until `into` is full.
    pub(super) fn read(
        &self,
        engine: &Engine,
        member: u32,
        address: u64,
        into: &mut [u8],
    ) -> Outcome {
        if into.is_empty() || self.mismatched.get() {
            return Ok(());
        }
        let Some(memory) = &engine.memory else { return Ok(()) };
        let process = self.processes[member as usize];
        memory
            .read(process, [(address, into.len())].into_iter(), into)
            .map_err(|error| refused(process, error))
    }

    pub(super) fn write(&self, engine: &Engine, member: u32, address: u64, from: &[u8]) -> Outcome {
        if from.is_empty() || self.mismatched.get() {
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
        if let Some(bytes) = shown.contiguous.as_bytes_mut() {
            let bytes = &mut bytes[..place.bytes];
            self.read(engine, member, place.address, bytes)?;
            if shown.copied {
                buffer.unpack_at(0, bytes);
            }
        }
        match place.bytes < buffer.bytes() {
            true => Err(self.too_short(member, place.bytes, buffer.bytes())),
            false => Ok(()),
        }
    }

    /// Writes a buffer of any layout to a member's memory.
    fn deliver(&self, engine: &Engine, member: u32, address: u64, buffer: &Buffer) -> Outcome {
        let shown = Shown::full(buffer)?;
        shown
            .contiguous
            .as_bytes()
            .map_or(Ok(()), |bytes| self.write(engine, member, address, bytes))
    }

    /// Returns what a root shows. If that failed, the other members are told so and do not wait.
    pub(super) fn or_fail<T>(&self, engine: &Engine, shown: Outcome<T>) -> Outcome<T> {
        shown.inspect_err(|error| {
            self.fail(self.me(), Phase::A, error);
            self.ring_all(engine);
        })
    }

    /// Waits until all members have shown their memory, as this process has if it could, and checks
    /// each row by `agrees`. All members of the call see equal rows and decide alike: after an
    /// error no member waits for phase B, and no member's memory has been accessed.
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
            None => self.synchronise(mpi, Phase::A),
        }
        let shown = shown?;
        for row in self.others() {
            self.check_row(row, Phase::A, row)?;
            agrees(self, row)?;
        }
        Ok(shown)
    }

    /// Publishes the address and length of this process's data.
    pub(super) fn show(&self, place: Place) {
        self.coll_segment.set_words(Phase::A, &[place.address, place.bytes as u64]);
    }

    /// Returns the address and length in a row's words.
    pub(super) fn place_in_words(&self, row: u32) -> Place {
        let [address, bytes] = [0, 1].map(|index| self.coll_segment.word(row, Phase::A, index));
        Place { address, bytes: bytes as usize }
    }

    /// Returns an error unless a row shows an address.
    fn shows_a_place(&self, row: u32) -> Outcome {
        if self.coll_segment.has_words(row, Phase::A) {
            Ok(())
        } else {
            Err(self.another_call(row))
        }
    }

    /// Waits until all members have announced that their data, of `bytes` bytes, comes as messages.
    pub fn agree(&mut self, mpi: &mut Mpi, bytes: usize) -> Outcome {
        self.begin(mpi, 0);
        self.show(Place { address: 0, bytes });
        self.meet_shown(mpi, None, Ok(()), |node_comm, row| node_comm.shows_a_vector(row, 1, bytes))
    }

    /// Performs `MPI_Bcast`: the others read from the root's memory.
    pub fn bcast_direct(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Delivery> {
        self.begin(mpi, 0);
        let done = if self.me() == root {
            self.show_bcast(mpi, buffer, root).map(|()| Delivery::Done)
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

    fn take_bcast(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Delivery> {
        self.wait_for(mpi, root, Phase::A);
        self.take_from(mpi, root, buffer)
    }

    pub(super) fn fetch_bcast(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        root: u32,
    ) -> Outcome<Delivery> {
        match self.coll_segment.word(root, Phase::A, 0) {
            DEFERRED_TO_PT2PT => Ok(Delivery::AsMessage),
            IN_CHUNKS => self.take_pieces(mpi, root, buffer),
            _ => self.fetch_announced(mpi, root, buffer, root),
        }
    }

    /// Reads what `writer` shows to this process in a row, and reports to it.
    pub(super) fn fetch_announced(
        &mut self,
        mpi: &mut Mpi,
        row: u32,
        buffer: &Buffer,
        writer: u32,
    ) -> Outcome<Delivery> {
        let fetched = self.fetch(mpi, writer, self.place_in_words(row), buffer);
        self.report_to(mpi, writer, Phase::B);
        fetched.map(|()| Delivery::Done)
    }

    /// Returns the bytes of a table with an address and a length for each member.
    fn table_bytes(&self) -> usize {
        self.members() as usize * 16
    }

    /// Publishes a table with the address and length of each member's block.
    fn show_table(&mut self, shown: &[Shown<'_>]) {
        let me = self.me();
        let bytes = self.table_bytes();
        let words =
            shown.iter().map(Shown::place).flat_map(|place| [place.address, place.bytes as u64]);
        let places = self.coll_segment.buffer(me, Phase::A, bytes).as_chunks_mut().0;
        for (place, word) in places.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        self.coll_segment.publish(me, Phase::A, bytes);
    }

    /// Returns an error unless a row shows a table.
    fn shows_a_table(&self, row: u32) -> Outcome {
        if self.coll_segment.length(row, Phase::A) == self.table_bytes() {
            Ok(())
        } else {
            Err(self.another_call(row))
        }
    }

    /// Returns the entry of a member's table for this process.
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

    /// Performs `MPI_Gather`: the others write into the root's memory. Of two members, the other
    /// one announces its data path in its row, and the root follows it.
    pub fn gather_direct(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
    ) -> Outcome<Delivery> {
        self.begin(mpi, self.table_bytes());
        let done = match (blocks, own) {
            (Some(blocks), own) => self.collect(mpi, own, blocks),
            (None, Some(own)) => self.contribute(mpi, own, root).map(|()| Delivery::Done),
            (None, None) => Ok(Delivery::Done),
        };
        self.retire();
        done
    }

    /// Performs the root's part of a gather that has begun.
    pub(super) fn collect(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
    ) -> Outcome<Delivery> {
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
            if !self.has_word(other, BY_SINGLE_COPY) {
                let taken = self.take_as_announced(mpi, other, &buffers[other as usize])?;
                // The caller receives the message and copies the root's own block.
                return if taken == Delivery::Done { done.map(|()| taken) } else { Ok(taken) };
            }
        }
        self.report_to(mpi, root, Phase::B);
        for row in self.others() {
            let delivered = self.is_delivered(row, buffers[row as usize].bytes());
            if delivered.is_ok() {
                shown[row as usize].copy_back();
            }
            done = done.and(delivered);
        }
        done.map(|()| Delivery::Done)
    }

    /// Performs the root's part of a gather of two members that has begun, after the other's row
    /// has announced its data path. The lengths may not agree.
    pub(super) fn gather_announced(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: &Blocks,
        other: u32,
    ) -> Outcome<Delivery> {
        let done = match self.has_word(other, BY_SINGLE_COPY) {
            true => self.collect(mpi, own, blocks),
            false => {
                self.take_as_announced(mpi, other, &blocks.of(other)).and_then(|taken| match own {
                    Some(own) if taken == Delivery::Done => {
                        keep(own, &blocks.of(self.me())).map(|()| taken)
                    }
                    _ => Ok(taken),
                })
            }
        };
        self.retire();
        done
    }

    /// Takes the block of the other of two members by the data path that its row announces.
    fn take_as_announced(
        &mut self,
        mpi: &mut Mpi,
        other: u32,
        block: &Buffer,
    ) -> Outcome<Delivery> {
        if !self.has_word(other, IN_CHUNKS) {
            return self.take_rooted(mpi, other, block, other);
        }
        // This process expected another data path. It skips the other's chunks.
        for _ in 1..self.announced_gather_parts(other) {
            self.retire();
            self.begin(mpi, 0);
            self.wait_for(mpi, other, Phase::A);
        }
        Err(self.another_call(other))
    }

    /// Performs another member's part of a gather. If its block has another length than the root's,
    /// the root learns of it and returns the error, as for messages.
    fn contribute(&mut self, mpi: &mut Mpi, own: &Buffer, root: u32) -> Outcome {
        if self.members() == 2 {
            self.coll_segment.set_words(Phase::A, &[BY_SINGLE_COPY, own.bytes() as u64]);
            self.ring(mpi, root);
        }
        self.wait_for(mpi, root, Phase::A);
        self.check_row(root, Phase::A, root)?;
        let done = match self.place_in_table(root) {
            Ok(place) if own.bytes() != place.bytes => {
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

    /// Returns an error if a member could not write its block. A member that wrote all of it
    /// publishes nothing, or an empty row.
    fn is_delivered(&self, row: u32, room: usize) -> Outcome {
        if !self.coll_segment.is_published(row, Phase::B) {
            return Ok(());
        }
        self.check_row(row, Phase::B, row)?;
        if !self.coll_segment.has_words(row, Phase::B) {
            return Ok(());
        }
        self.fills(row, self.coll_segment.word(row, Phase::B, 0) as usize, room)
    }

    /// Performs `MPI_Scatter`: the others read from the root's memory.
    pub fn scatter_direct(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
    ) -> Outcome<Delivery> {
        self.begin(mpi, 0);
        match (blocks, own) {
            (Some(blocks), own) => {
                let done = self.distribute(mpi, blocks, own);
                self.retire();
                done.map(|()| Delivery::Done)
            }
            (None, Some(own)) => self.take_scattered(mpi, own, root),
            (None, None) => Ok(Delivery::Done),
        }
    }

    /// Performs the root's part of a scatter: the row that each member reads shows its block.
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

    /// Performs `MPI_Allgather`: every member writes its block, which stays in its caches, to all
    /// others. `own` is `None` if the block is in place.
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

    /// Performs `MPI_Alltoall`: every member writes its blocks to the others.
    pub fn alltoall_direct(&mut self, mpi: &mut Mpi, sent: &Blocks, received: &Blocks) -> Outcome {
        let me = self.me();
        self.exchange_blocks(
            mpi,
            received,
            |row| sent.of(row),
            || keep(&sent.of(me), &received.of(me)),
        )
    }

    /// Shows where the others' blocks belong and writes this process's blocks to them. No member
    /// waits for a copy into place, and each block is in its owner's caches.
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
        self.synchronise(mpi, Phase::B);
        done = done.and(told);
        for row in self.others() {
            let delivered = self.is_delivered(row, buffers[row as usize].bytes());
            if delivered.is_ok() {
                shown[row as usize].copy_back();
            }
            done = done.and(delivered);
        }
        done
    }

    /// Writes its block to each other member, and tells all if that failed or a place has another
    /// length. This process's blocks have one length.
    fn deliver_all(&mut self, mpi: &Mpi, block_for: impl Fn(u32) -> Buffer) -> Outcome {
        let mut odd = None;
        let done = self.others().try_for_each(|row| {
            let (place, block) = (self.place_in_table(row)?, block_for(row));
            if block.bytes() != place.bytes {
                odd = Some(block.bytes());
                return Ok(());
            }
            self.deliver(mpi, row, place.address, &block)
        });
        match (&done, odd) {
            (Err(error), _) => self.fail(self.me(), Phase::B, error),
            (Ok(()), Some(bytes)) => self.coll_segment.set_words(Phase::B, &[bytes as u64]),
            (Ok(()), None) if !self.oversubscribed => {
                self.coll_segment.publish(self.me(), Phase::B, 0)
            }
            (Ok(()), None) => {}
        }
        done
    }

    /// Ends a call in which members read each other's memory: waits until all have come here.
    pub(super) fn part(&mut self, mpi: &mut Mpi) {
        if !self.oversubscribed {
            self.coll_segment.publish(self.me(), Phase::B, 0);
        }
        self.synchronise(mpi, Phase::B);
    }

    /// Ends a call in which members wrote results for others: a member that failed tells all,
    /// because their results lack its segment.
    pub(super) fn part_with(&mut self, mpi: &mut Mpi, done: Outcome) -> Outcome {
        match &done {
            Err(error) => self.fail(self.me(), Phase::B, error),
            Ok(()) if !self.oversubscribed => self.coll_segment.publish(self.me(), Phase::B, 0),
            Ok(()) => {}
        }
        self.synchronise(mpi, Phase::B);
        done?;
        let mut published =
            self.others().filter(|&row| self.coll_segment.is_published(row, Phase::B));
        published.try_for_each(|row| self.check_row(row, Phase::B, row))
    }

    /// Returns an error unless a row shows a vector of `bytes` bytes.
    pub(super) fn shows_a_vector(&self, row: u32, index: usize, bytes: usize) -> Outcome {
        self.shows_a_place(row)?;
        let theirs = self.coll_segment.word(row, Phase::A, index) as usize;
        if theirs == bytes { Ok(()) } else { Err(self.uneven(row, theirs, bytes)) }
    }
}
