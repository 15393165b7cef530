//! Broadcasts of more than a room of the board holds, where processors are shared: pieces of the root's data go through its rooms one after the other.
//!
//! ```text
//!   root:     copies piece 0, 1, 2, 3 in, waits until a room is free, copies piece 4 …
//!   others:                      copy piece 0, 1, 2, 3 out, wait for piece 4 …
//! ```
//!
//! Each byte is copied in once, into memory that stays in the caches, and out by everybody at the speed of a copy within the process, which is twice that
//! of the kernel's copies. Each piece is a call of the board; how many there are is the root's to say.

use super::{Arrival, Circle, IN_PIECES};
use crate::engine::Mpi;
use crate::error::Outcome;
use nemesis::board::{Phase, ROOM_BYTES};
use nemesis_datatype::Buffer;

impl Circle {
    /// `MPI_Bcast`.
    #[inline(never)]
    pub(super) fn bcast_in_pieces(&mut self, mpi: &mut Mpi, buffer: &Buffer, root: u32) -> Outcome<Arrival> {
        if self.me() == root {
            self.publish_pieces(mpi, buffer);
            return Ok(Arrival::Here);
        }
        self.begin(mpi, ROOM_BYTES);
        self.wait_for(mpi, root, Phase::A);
        let taken = self.take_from(mpi, root, buffer);
        self.retire();
        taken
    }

    /// The root's part. What is published besides a piece tells the bytes of all.
    fn publish_pieces(&mut self, mpi: &mut Mpi, buffer: &Buffer) {
        let bytes = buffer.bytes();
        for start in (0..bytes).step_by(ROOM_BYTES) {
            self.begin(mpi, ROOM_BYTES);
            buffer.pack_at(start, self.board.place(self.board.me(), Phase::A, ROOM_BYTES));
            self.board.set_words(Phase::A, &[IN_PIECES, bytes as u64]);
            self.ring_all(mpi);
            self.retire();
        }
    }

    /// Takes all pieces, of which the first one has been published, or as many as there is room for.
    pub(super) fn take_pieces(&mut self, mpi: &mut Mpi, root: u32, buffer: &Buffer) -> Outcome<Arrival> {
        let (bytes, room) = (self.board.word(root, Phase::A, 1) as usize, buffer.bytes());
        // Who has room for one piece alone looks for it at another place, and has an error anyway.
        let looks_there = room > ROOM_BYTES;
        for start in (0..bytes).step_by(ROOM_BYTES) {
            if start > 0 {
                self.retire();
                self.begin(mpi, ROOM_BYTES);
                self.wait_for(mpi, root, Phase::A);
            }
            if looks_there {
                let piece = self.board.room(root, Phase::A, ROOM_BYTES);
                buffer.unpack_at(start, &piece[..piece.len().min(bytes - start)]);
            }
        }
        if bytes > room { Err(self.too_long(root, bytes, room)) } else { Ok(Arrival::Here) }
    }
}
