//! Broadcasts, gathers and scatters of more than a room of the board holds, among more than two processes: pieces go through several rooms. Of two, one passes
//! a broadcast's pieces to the other through places that both write.
//!
//! ```text
//!   a broadcast's
//!   root:     copies piece 0, 1, 2, 3 in, waits until a room is free, copies piece 4 …
//!   others:                      copy piece 0, 1, 2, 3 out, wait for piece 4 …
//! ```
//!
//! Each byte is copied in once, into memory that stays in the caches, and out by everybody at the speed of a copy within the process, which is twice that
//! of the kernel's copies, and more than ten times where many read from one process's memory. In a gather all but the root copy in what they have, and leave.
//!
//! Each piece is a call of the board. How many there are is the root's to say in a broadcast; in a gather or a scatter, where each has a length to tell, there
//! are always as many as rooms. Where there are tracks, a gather's block lies in one of them, in one piece, or in four if it is longer.

use super::{Arrival, IN_PIECES, NodeComm, keep};
use crate::coll::Blocks;
use crate::engine::Mpi;
use crate::error::Outcome;
use nemesis::coll_segment::{LARGE_STAGING_BUFFERS, PIECE_MAX_BYTES, Phase, STAGING_BYTES};
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Parts begin on cache lines.
const LINE_BYTES: usize = 64;

/// The bytes of a part of what a row's rooms hold together. There are always as many parts as rooms, so lengths that do not agree make no more calls.
fn part_of(bytes: usize, part: usize) -> Range<usize> {
    one_of(LARGE_STAGING_BUFFERS, STAGING_BYTES, bytes, part)
}

/// One of so many parts, none of them longer than `most`.
fn one_of(parts: usize, most: usize, bytes: usize, part: usize) -> Range<usize> {
    let each = bytes.div_ceil(parts).next_multiple_of(LINE_BYTES).min(most);
    (part * each).min(bytes)..((part + 1) * each).min(bytes)
}

impl NodeComm {
    /// `MPI_Bcast`.
    #[inline(never)]
    pub(super) fn bcast_in_pieces(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        root: u32,
    ) -> Outcome<Arrival> {
        if self.me() == root {
            self.publish_pieces(mpi, buffer);
            return Ok(Arrival::Here);
        }
        self.begin_bcast_piece(mpi, buffer.bytes());
        self.wait_for(mpi, root, Phase::A);
        let taken = self.take_from(mpi, root, buffer);
        self.retire();
        taken
    }

    /// The next call begins, in which this process reads a piece of a broadcast of so many bytes.
    fn begin_bcast_piece(&mut self, mpi: &mut Mpi, bytes: usize) {
        let site = self.site();
        self.begin(
            mpi,
            if site.bcasts_in_ring(bytes) || site.bcast_passes(bytes) {
                0
            } else {
                site.bcast_piece(bytes)
            },
        );
    }

    /// The root's part. What is published besides a piece tells the bytes of all.
    fn publish_pieces(&mut self, mpi: &mut Mpi, buffer: &Buffer) {
        let (me, bytes) = (self.me(), buffer.bytes());
        let (each, in_ring, passes) = (
            self.site().bcast_piece(bytes),
            self.site().bcasts_in_ring(bytes),
            self.site().bcast_passes(bytes),
        );
        for start in (0..bytes).step_by(each) {
            let length = (bytes - start).min(each);
            let mut begin = 0;
            if in_ring {
                self.begin_in_ring(mpi, true);
                let place;
                (begin, place) = self.coll_segment.next_piece(length);
                self.copy_policies.write(me, buffer, start, place);
            } else if passes {
                self.begin_as(mpi, |coll_segment| {
                    coll_segment.begin_in_pair_ring(start / each, me)
                });
                let place;
                (begin, place) = self.coll_segment.piece_of_pair(buffer.address() + start, length);
                buffer.pack_at(start, place);
            } else {
                self.begin(mpi, each);
                self.copy_policies.write(
                    me,
                    buffer,
                    start,
                    &mut self.coll_segment.place(me, Phase::A, each)[..length],
                );
            }
            self.coll_segment.set_words(Phase::A, &[IN_PIECES, bytes as u64, begin as u64]);
            self.ring_all(mpi);
            self.retire();
        }
    }

    /// Takes all pieces, of which the first one has been published, or as many as there is room for.
    pub(super) fn take_pieces(
        &mut self,
        mpi: &mut Mpi,
        root: u32,
        buffer: &Buffer,
    ) -> Outcome<Arrival> {
        let (bytes, room) = (self.coll_segment.word(root, Phase::A, 1) as usize, buffer.bytes());
        let (each, in_ring, passes) = (
            self.site().bcast_piece(bytes),
            self.site().bcasts_in_ring(bytes),
            self.site().bcast_passes(bytes),
        );
        // Who has room for so much less, or more, that it would be cut otherwise looks for pieces at another place, and has an error anyway.
        let looks_there = in_ring
            || passes
            || room > self.site().bcast_whole_max() && self.site().bcast_piece(room) == each;
        for start in (0..bytes).step_by(each) {
            if start > 0 {
                self.retire();
                self.begin_bcast_piece(mpi, bytes);
                self.wait_for(mpi, root, Phase::A);
            }
            let length = (bytes - start).min(each);
            if passes {
                self.coll_segment.pass(start / each, root);
            }
            if in_ring || passes {
                buffer.unpack_at(start, self.part_of_piece(root, 0..length));
            } else if looks_there {
                let piece = self.coll_segment.room(root, Phase::A, each);
                buffer.unpack_at(start, &piece[..piece.len().min(length)]);
            }
        }
        match looks_there {
            _ if bytes > room => Err(self.too_long(root, bytes, room)),
            true => Ok(Arrival::Here),
            false => Err(self.another_call(root)),
        }
    }

    /// `MPI_Gather` of as much as a row's rooms hold: the others copy in, and need not wait for the root. `own` is `None` where the root's block is in its
    /// place already.
    #[inline(never)]
    pub(super) fn gather_in_parts(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
    ) -> Outcome<Arrival> {
        let mut taken = Ok(());
        for part in 0..LARGE_STAGING_BUFFERS {
            self.begin(mpi, STAGING_BYTES);
            match (blocks, own) {
                (Some(blocks), _) => {
                    for row in self.others() {
                        self.wait_for(mpi, row, Phase::A);
                        if self.comes_otherwise(row, LARGE_STAGING_BUFFERS) {
                            return self.gather_told(mpi, own, blocks, row);
                        }
                        taken = taken.and_then(|()| self.take_part(row, part, &blocks.of(row)));
                    }
                }
                (None, Some(own)) => {
                    self.post_part(self.me(), part, own);
                    self.ring(mpi, root);
                }
                (None, None) => {}
            }
            self.retire();
        }
        if let (Some(blocks), Some(own), Ok(())) = (blocks, own, &taken) {
            taken = keep(own, &blocks.of(root));
        }
        taken.map(|()| Arrival::Here)
    }

    /// `MPI_Gather` through tracks, in so many parts of a piece at most: the others copy in, and need not wait for the root as long as the track has room. The
    /// root has its own block in place by the time they have.
    #[inline(never)]
    pub(super) fn gather_in_rings(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
        parts: usize,
    ) -> Outcome<Arrival> {
        let mut taken = Ok(());
        for part in 0..parts {
            self.begin_in_ring(mpi, true);
            match (blocks, own) {
                (Some(blocks), own) => {
                    if let (0, Some(own)) = (part, own) {
                        taken = keep(own, &blocks.of(root));
                    }
                    for row in self.others() {
                        self.wait_for(mpi, row, Phase::A);
                        if self.comes_otherwise(row, parts) {
                            return self.gather_told(mpi, None, blocks, row);
                        }
                        taken = taken
                            .and_then(|()| self.take_piece(row, &blocks.of(row), (part, parts)));
                    }
                }
                (None, Some(own)) => {
                    let range = one_of(parts, PIECE_MAX_BYTES, own.bytes(), part);
                    let (begin, place) = self.coll_segment.next_piece(range.len());
                    self.copy_policies.write(root, own, range.start, place);
                    self.coll_segment
                        .set_words(Phase::A, &[IN_PIECES, own.bytes() as u64, begin as u64]);
                    self.ring(mpi, root);
                }
                (None, None) => {}
            }
            self.retire();
        }
        taken.map(|()| Arrival::Here)
    }

    /// Whether the other one of two does not publish so many pieces in as many calls.
    fn comes_otherwise(&self, row: u32, parts: usize) -> bool {
        self.members() == 2 && !(self.tells(row, IN_PIECES) && self.gather_parts_told(row) == parts)
    }

    /// In how many calls a row publishes what it has for a gather, of which it tells the length.
    pub(super) fn gather_parts_told(&self, row: u32) -> usize {
        self.site()
            .gather_parts_in_rings(self.coll_segment.word(row, Phase::A, 1) as usize)
            .unwrap_or(LARGE_STAGING_BUFFERS)
    }

    /// Takes the piece that a row publishes. Fewer bytes than there is room for are taken for what they are.
    fn take_piece(&self, row: u32, buffer: &Buffer, (part, parts): (usize, usize)) -> Outcome {
        if !self.coll_segment.has_words(row, Phase::A)
            || self.coll_segment.word(row, Phase::A, 0) != IN_PIECES
        {
            return Err(self.another_call(row));
        }
        let (bytes, room) = (self.coll_segment.word(row, Phase::A, 1) as usize, buffer.bytes());
        if bytes > room {
            return Err(self.too_long(row, bytes, room));
        }
        let range = one_of(parts, PIECE_MAX_BYTES, bytes, part);
        buffer.unpack_at(range.start, self.whole_part_of_piece(row, 0..range.len())?);
        Ok(())
    }

    /// `MPI_Scatter` of as much as a row's rooms hold: the root copies each block into the rooms of the row where its receiver looks, one member's after the
    /// other's, so that each leaves when it has its own.
    #[inline(never)]
    pub(super) fn scatter_in_parts(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
    ) -> Outcome<Arrival> {
        let (me, members) = (self.me(), self.members());
        let mut taken = Ok(());
        for member in (1..members).map(|step| (root + step) % members) {
            for part in 0..LARGE_STAGING_BUFFERS {
                match (blocks, own) {
                    (Some(blocks), _) => {
                        self.begin(mpi, STAGING_BYTES);
                        self.post_part(member, part, &blocks.of(member));
                        self.ring(mpi, member);
                    }
                    (None, own) => {
                        // Who writes nothing need not know that the room is free.
                        self.coll_segment.begin(STAGING_BYTES);
                        if let (true, Some(own)) = (member == me, own) {
                            self.wait_for(mpi, me, Phase::A);
                            taken = taken.and_then(|()| self.take_part(me, part, own));
                        }
                    }
                }
                self.retire();
            }
        }
        if let (Some(blocks), Some(own)) = (blocks, own) {
            taken = keep(&blocks.of(root), own);
        }
        taken.map(|()| Arrival::Here)
    }

    /// Publishes a part of `data` in a row.
    fn post_part(&mut self, row: u32, part: usize, data: &Buffer) {
        let range = part_of(data.bytes(), part);
        self.copy_policies.write(
            row,
            data,
            range.start,
            &mut self.coll_segment.place(row, Phase::A, STAGING_BYTES)[..range.len()],
        );
        self.coll_segment.set_words_of(row, Phase::A, &[IN_PIECES, data.bytes() as u64]);
    }

    /// Takes a part of what a row publishes.
    fn take_part(&self, row: u32, part: usize, buffer: &Buffer) -> Outcome {
        if !self.coll_segment.has_words(row, Phase::A)
            || self.coll_segment.word(row, Phase::A, 0) != IN_PIECES
        {
            return Err(self.another_call(row));
        }
        let (bytes, room) = (self.coll_segment.word(row, Phase::A, 1) as usize, buffer.bytes());
        if bytes > room {
            return Err(self.too_long(row, bytes, room));
        }
        let range = part_of(bytes, part);
        let data = self.coll_segment.room(row, Phase::A, STAGING_BYTES);
        buffer.unpack_at(range.start, &data[..range.len().min(data.len())]);
        Ok(())
    }
}
