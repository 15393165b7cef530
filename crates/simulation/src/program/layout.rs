//! How the words of a message lie in memory, and the datatype that says so.

use crate::mpi;
use crate::mpi::{Datatype, MPI_BYTE, MPI_INT};

/// Words in memory.
pub struct Layout {
    kind: Shape,
    words: usize,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// One behind the other, as words or as bytes.
    Plain,
    Bytes,
    /// Blocks of as many words, and the distance of their starts.
    Blocks(usize, usize),
    /// Every word backwards.
    Reversed,
}

impl Layout {
    /// Draws a layout of a number of words.
    pub fn random(words: usize, random: &mut fastrand::Rng) -> Layout {
        let kind = match random.u8(..8) {
            0 => Shape::Bytes,
            1 if words > 0 => {
                let divisors: Vec<usize> =
                    (1..=words.min(64)).filter(|n| words.is_multiple_of(*n)).collect();
                let block = divisors[random.usize(..divisors.len())];
                Shape::Blocks(block, block + random.usize(..4))
            }
            2 if words > 0 && words <= 2000 => Shape::Reversed,
            _ => Shape::Plain,
        };
        Layout { kind, words }
    }

    /// Returns the words of the memory that the layout spans.
    pub fn span(&self) -> usize {
        match self.kind {
            Shape::Blocks(block, distance) => (self.words / block - 1) * distance + block,
            _ => self.words,
        }
    }

    fn place(&self, index: usize) -> usize {
        match self.kind {
            Shape::Plain | Shape::Bytes => index,
            Shape::Blocks(block, distance) => index / block * distance + index % block,
            Shape::Reversed => self.words - 1 - index,
        }
    }

    /// Makes memory that holds these words.
    pub fn memory(&self, value: impl Fn(usize) -> i32) -> Vec<i32> {
        let mut memory = vec![-1; self.span().max(1)];
        for index in 0..self.words {
            memory[self.place(index)] = value(index);
        }
        memory
    }

    /// Checks that the first `words` words are these, and that the rest is as it was.
    pub fn check(&self, memory: &[i32], words: usize, value: impl Fn(usize) -> i32, what: &str) {
        let mut expected = vec![-1; self.span().max(1)];
        for index in 0..words {
            expected[self.place(index)] = value(index);
        }
        let wrong = (0..expected.len()).find(|&at| memory[at] != expected[at]);
        if let Some(at) = wrong {
            panic!(
                "{what}: word {at} of {} ({:?}) is {}, not {}",
                self.words, self.kind, memory[at], expected[at]
            );
        }
    }

    /// Runs `f` with the datatype and the count of the whole layout.
    pub fn with_type<R>(&self, f: impl FnOnce(Datatype, i32) -> R) -> R {
        let (mut datatype, words) = (MPI_INT, self.words as i32);
        match self.kind {
            Shape::Plain => return f(MPI_INT, words),
            Shape::Bytes => return f(MPI_BYTE, words * 4),
            Shape::Blocks(block, distance) => mpi!(MPI_Type_vector(
                words / block as i32,
                block as i32,
                distance as i32,
                MPI_INT,
                &mut datatype
            )),
            Shape::Reversed => {
                let places: Vec<i32> = (0..words).rev().collect();
                mpi!(MPI_Type_create_indexed_block(
                    words,
                    1,
                    places.as_ptr(),
                    MPI_INT,
                    &mut datatype
                ));
            }
        }
        mpi!(MPI_Type_commit(&mut datatype));
        let result = f(datatype, 1);
        // Operations under way keep the type.
        mpi!(MPI_Type_free(&mut datatype));
        result
    }
}
