//! The exchange of a few words of every rank, as a part of an operation in progress.

use crate::coll::{self, Blocks, Later, Progress, Schedule, Steps};
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use nemesis_datatype::Buffer;

/// Words that a rank tells the others in an exchange.
pub(crate) const WORDS: usize = 7;
pub(crate) type Words = [u64; WORDS];

/// The index of each word in a rank's [`Words`].
pub(crate) mod word {
    pub const CLASS: usize = 0;
    pub const POSITION: usize = 1;
    pub const BYTES: usize = 2;
    pub const FIRST: usize = 3;
    pub const END: usize = 4;
    pub const FILE_SIZE: usize = 5;
    pub const FLAGS: usize = 6;
}

/// Flags of the last word: the rank has short blocks; its data are not in ascending order.
pub(crate) const SHORT_BLOCKS: u64 = 1;
pub(crate) const NOT_ASCENDING: u64 = 2;

/// An exchange of a few words of every rank.
#[derive(Debug)]
pub(crate) struct Exchange {
    schedule: Schedule,
    all: Buffer,
}

/// Returns an empty schedule for the next exchange on a file's communicator.
pub(crate) fn schedule(engine: &mut Engine, comm: handle::Comm) -> Outcome<Schedule> {
    coll::new_schedule(engine, comm, coll::INTERNAL)
}

impl Exchange {
    pub fn begin(engine: &mut Engine, comm: handle::Comm, own: &Words) -> Outcome<Exchange> {
        let mut schedule = schedule(engine, comm)?;
        let each = WORDS * 8;
        let all = coll::scratch_bytes(schedule.size as usize * each)?;
        coll::put_words(&all.part(schedule.rank as usize * each, each), own);
        let blocks = Blocks::Even { all: all.clone(), each };
        let mut steps = Steps::noted(&mut schedule, Later::Never);
        coll::allgather::allgather(&mut steps, None, &blocks)?;
        Ok(Exchange { schedule, all })
    }

    /// Returns the words of all ranks when they are here.
    pub fn advance(&mut self, engine: &mut Engine) -> Option<Outcome<Vec<Words>>> {
        if self.schedule.advance(engine) != Progress::Done {
            return None;
        }
        if let Some(error) = self.schedule.take_error() {
            return Some(Err(error));
        }
        let ranks = 0..self.schedule.size as usize;
        Some(Ok(ranks.map(|rank| coll::get_words(&self.all, rank * WORDS * 8)).collect()))
    }
}

/// Returns the class of a rank's error as a word: 0 if there is none.
pub(crate) fn class(failed: Option<&Error>) -> u64 {
    failed.map_or(0, |error| error.class.value() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_rank_have_places_of_their_own() {
        let places = [
            word::CLASS,
            word::POSITION,
            word::BYTES,
            word::FIRST,
            word::END,
            word::FILE_SIZE,
            word::FLAGS,
        ];
        assert!(places.into_iter().eq(0..WORDS));
        assert_eq!(SHORT_BLOCKS & NOT_ASCENDING, 0);
    }

    #[test]
    fn a_class_is_a_word_and_no_error_is_none() {
        let error = Error::new(crate::abi::MPI_ERR_IO, "it is gone");
        assert_eq!(class(Some(&error)), crate::abi::MPI_ERR_IO.value() as u64);
        assert_eq!(class(None), 0);
    }
}
