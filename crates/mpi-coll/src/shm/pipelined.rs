//! Broadcasts, gathers and scatters of data that exceeds a staging buffer, among more than two
//! processes, in chunks through several staging buffers.
//!
//! ```text
//!   broadcast
//!   root:     copies chunk 0, 1, 2, 3 in, waits until a buffer is free, copies chunk 4 …
//!   others:                      copy chunk 0, 1, 2, 3 out, wait for chunk 4 …
//! ```
//!
//! Each byte is copied in once, into memory that stays in the caches, and out by every reader at
//! the speed of a copy within a process. That is twice the speed of the kernel's copies, and more
//! than ten times if many processes read one process's memory. In a gather, all but the root copy
//! their blocks in and leave.
//!
//! Each chunk is a call of the collective segment. The root of a broadcast determines their number.
//! In a gather or a scatter, where every member has a length to announce, there are always as many
//! as staging buffers. In a segment with rings, a gather's block lies in a ring, in one chunk, or
//! in four if it is longer.

use super::{Delivery, IN_CHUNKS, NodeComm, keep};
use crate::Blocks;
use crate::engine::Mpi;
use crate::error::Outcome;
use nemesis::coll_segment::{LARGE_STAGING_BUFFERS, Phase, RING_CHUNK_MAX_BYTES, STAGING_BYTES};
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Returns a chunk of what a row's staging buffers hold together. There are always as many chunks
/// as buffers, so members whose lengths do not agree make the same number of calls.
fn part_of(bytes: usize, part: usize) -> Range<usize> {
    one_of(LARGE_STAGING_BUFFERS, STAGING_BYTES, bytes, part)
}

/// Returns chunk number `part` of `parts`, none longer than `most` bytes.
fn one_of(parts: usize, most: usize, bytes: usize, part: usize) -> Range<usize> {
    // Chunks begin on cache lines.
    let each = bytes.div_ceil(parts).next_multiple_of(CACHE_LINE_BYTES).min(most);
    (part * each).min(bytes)..((part + 1) * each).min(bytes)
}

impl NodeComm {
    /// Performs `MPI_Bcast` in chunks.
    #[inline(never)]
    pub(super) fn bcast_pipelined(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        root: u32,
    ) -> Outcome<Delivery> {
        if self.me() == root {
            self.publish_pieces(mpi, buffer);
            return Ok(Delivery::Done);
        }
        self.begin_bcast_piece(mpi, buffer.bytes());
        self.wait_for(mpi, root, Phase::A);
        let taken = self.take_from(mpi, root, buffer);
        self.retire();
        taken
    }

    /// Begins the next call, in which this process reads a chunk of a broadcast of `bytes` bytes.
    fn begin_bcast_piece(&mut self, mpi: &mut Mpi, bytes: usize) {
        let site = self.site();
        self.begin(mpi, if site.bcasts_in_ring(bytes) { 0 } else { site.bcast_piece(bytes) });
    }

    /// Performs the root's part of a broadcast. Each row also announces the total length.
    fn publish_pieces(&mut self, mpi: &mut Mpi, buffer: &Buffer) {
        let (me, bytes) = (self.me(), buffer.bytes());
        let (each, in_ring) = (self.site().bcast_piece(bytes), self.site().bcasts_in_ring(bytes));
        for start in (0..bytes).step_by(each) {
            let length = (bytes - start).min(each);
            let mut begin = 0;
            if in_ring {
                self.begin_in_ring(mpi, true);
                let place;
                (begin, place) = self.coll_segment.next_chunk(length);
                self.copy_policies.write(me, buffer, start, place);
            } else {
                self.begin(mpi, each);
                self.copy_policies.write(
                    me,
                    buffer,
                    start,
                    &mut self.coll_segment.buffer(me, Phase::A, each)[..length],
                );
            }
            self.coll_segment.set_words(Phase::A, &[IN_CHUNKS, bytes as u64, begin as u64]);
            self.ring_all(mpi);
            self.retire();
        }
    }

    /// Takes all chunks, of which the first one has been published, or as much as the buffer holds.
    pub(super) fn take_pieces(
        &mut self,
        mpi: &mut Mpi,
        root: u32,
        buffer: &Buffer,
    ) -> Outcome<Delivery> {
        let (bytes, room) = (self.coll_segment.word(root, Phase::A, 1) as usize, buffer.bytes());
        let (each, in_ring) = (self.site().bcast_piece(bytes), self.site().bcasts_in_ring(bytes));
        // A buffer whose length leads to another chunk length finds the chunks elsewhere; the call
        // fails anyway.
        let finds_chunks = in_ring
            || room > self.site().bcast_whole_max() && self.site().bcast_piece(room) == each;
        for start in (0..bytes).step_by(each) {
            if start > 0 {
                self.retire();
                self.begin_bcast_piece(mpi, bytes);
                self.wait_for(mpi, root, Phase::A);
            }
            let length = (bytes - start).min(each);
            if in_ring {
                buffer.unpack_at(start, self.part_of_piece(root, 0..length));
            } else if finds_chunks {
                let piece = self.coll_segment.staged(root, Phase::A, each);
                buffer.unpack_at(start, &piece[..piece.len().min(length)]);
            }
        }
        match finds_chunks {
            _ if bytes > room => Err(self.too_long(root, bytes, room)),
            true => self.fills(root, bytes, room).map(|()| Delivery::Done),
            false => Err(self.another_call(root)),
        }
    }

    /// Performs `MPI_Gather` of as much as a row's staging buffers hold: the others copy in and
    /// need not wait for the root. `own` is `None` at a root whose block is in place.
    #[inline(never)]
    pub(super) fn gather_in_parts(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
    ) -> Outcome<Delivery> {
        let mut taken = Ok(());
        for part in 0..LARGE_STAGING_BUFFERS {
            self.begin(mpi, STAGING_BYTES);
            match (blocks, own) {
                (Some(blocks), _) => {
                    for row in self.others() {
                        self.wait_for(mpi, row, Phase::A);
                        if self.has_other_path(row, LARGE_STAGING_BUFFERS) {
                            return self.gather_announced(mpi, own, blocks, row);
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
        taken.map(|()| Delivery::Done)
    }

    /// Performs `MPI_Gather` through rings, in at most `parts` chunks: the others copy in and need
    /// not wait for the root while the ring has space. The root copies its own block meanwhile.
    #[inline(never)]
    pub(super) fn gather_in_rings(
        &mut self,
        mpi: &mut Mpi,
        own: Option<&Buffer>,
        blocks: Option<&Blocks>,
        root: u32,
        parts: usize,
    ) -> Outcome<Delivery> {
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
                        if self.has_other_path(row, parts) {
                            return self.gather_announced(mpi, None, blocks, row);
                        }
                        taken = taken
                            .and_then(|()| self.take_piece(row, &blocks.of(row), (part, parts)));
                    }
                }
                (None, Some(own)) => {
                    let range = one_of(parts, RING_CHUNK_MAX_BYTES, own.bytes(), part);
                    let (begin, place) = self.coll_segment.next_chunk(range.len());
                    self.copy_policies.write(root, own, range.start, place);
                    self.coll_segment
                        .set_words(Phase::A, &[IN_CHUNKS, own.bytes() as u64, begin as u64]);
                    self.ring(mpi, root);
                }
                (None, None) => {}
            }
            self.retire();
        }
        taken.map(|()| Delivery::Done)
    }

    /// Returns whether the other of two members does not publish `parts` chunks in as many calls.
    fn has_other_path(&self, row: u32, parts: usize) -> bool {
        self.members() == 2
            && !(self.has_word(row, IN_CHUNKS) && self.announced_gather_parts(row) == parts)
    }

    /// Returns the number of calls in which a row publishes its block of a gather, by its announced
    /// length.
    pub(super) fn announced_gather_parts(&self, row: u32) -> usize {
        self.site()
            .gather_parts_in_rings(self.coll_segment.word(row, Phase::A, 1) as usize)
            .unwrap_or(LARGE_STAGING_BUFFERS)
    }

    /// Takes the chunk that a row publishes.
    fn take_piece(&self, row: u32, buffer: &Buffer, (part, parts): (usize, usize)) -> Outcome {
        if !self.coll_segment.has_words(row, Phase::A)
            || self.coll_segment.word(row, Phase::A, 0) != IN_CHUNKS
        {
            return Err(self.another_call(row));
        }
        let (bytes, room) = (self.coll_segment.word(row, Phase::A, 1) as usize, buffer.bytes());
        self.fills(row, bytes, room)?;
        let range = one_of(parts, RING_CHUNK_MAX_BYTES, bytes, part);
        buffer.unpack_at(range.start, self.whole_part_of_piece(row, 0..range.len())?);
        Ok(())
    }

    /// Performs `MPI_Scatter` of as much as a row's staging buffers hold: the root copies each
    /// block into the buffers of the row that its receiver reads, one member after the other, so
    /// that each leaves with its own.
    #[inline(never)]
    pub(super) fn scatter_in_parts(
        &mut self,
        mpi: &mut Mpi,
        blocks: Option<&Blocks>,
        own: Option<&Buffer>,
        root: u32,
    ) -> Outcome<Delivery> {
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
                        // A process that writes nothing need not wait until the buffer is free.
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
        taken.map(|()| Delivery::Done)
    }

    /// Publishes a chunk of `data` in a row.
    fn post_part(&mut self, row: u32, part: usize, data: &Buffer) {
        let range = part_of(data.bytes(), part);
        self.copy_policies.write(
            row,
            data,
            range.start,
            &mut self.coll_segment.buffer(row, Phase::A, STAGING_BYTES)[..range.len()],
        );
        self.coll_segment.set_words_of(row, Phase::A, &[IN_CHUNKS, data.bytes() as u64]);
    }

    /// Takes a chunk that a row publishes.
    fn take_part(&self, row: u32, part: usize, buffer: &Buffer) -> Outcome {
        if !self.coll_segment.has_words(row, Phase::A)
            || self.coll_segment.word(row, Phase::A, 0) != IN_CHUNKS
        {
            return Err(self.another_call(row));
        }
        let (bytes, room) = (self.coll_segment.word(row, Phase::A, 1) as usize, buffer.bytes());
        self.fills(row, bytes, room)?;
        let range = part_of(bytes, part);
        let data = self.coll_segment.staged(row, Phase::A, STAGING_BYTES);
        buffer.unpack_at(range.start, &data[..range.len().min(data.len())]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_the_whole_once_and_begin_on_lines() {
        for bytes in [0, 1, 63, 64, 65, 1000, STAGING_BYTES, LARGE_STAGING_BUFFERS * STAGING_BYTES]
        {
            let mut end = 0;
            for part in 0..LARGE_STAGING_BUFFERS {
                let chunk = part_of(bytes, part);
                assert!(chunk.start == end && chunk.len() <= STAGING_BYTES, "{bytes} {chunk:?}");
                assert!(chunk.is_empty() || chunk.start.is_multiple_of(CACHE_LINE_BYTES));
                end = chunk.end;
            }
            assert_eq!(end, bytes);
        }
    }
}
