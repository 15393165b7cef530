//! Collective reads and writes as operations in progress.
//!
//! The operations of a file run one after the other, in the order of their calls, which is one
//! order at all ranks. Each has these exchanges, which take part in the engine's progress:
//!
//! ```text
//!   Describe   every rank: its error if it has one, its part of the stream, the size of the file
//!                │ some rank has an error ──────────────────────────────────────────┐
//!                ├ blocks are long or sparse, or ranks do not interleave:           │
//!                │ each moves its own                                               │
//!                └ otherwise: rounds of in_segment on one node, else of two_phase   │
//!   Report     every rank: its error if it has one                                  │
//!                └ some rank has an error ──────────────────────────────────────────┤
//!   Explain    the text of the lowest rank that failed  <───────────────────────────┘
//! ```
//!
//! All ranks decide alike, from the words of the first exchange. A rank that fails goes through all
//! rounds, because others wait for its messages.

use crate::agree::{self, TEXT_BYTES};
use crate::coll::{self, Later, Progress, Schedule, Steps};
use crate::domains::{Domains, Part};
use crate::engine::Engine;
use crate::errno;
use crate::error::{Error, Outcome};
use crate::exchange::{self, Exchange, NOT_ASCENDING, SHORT_BLOCKS, WORDS, Words, class, word};
use crate::handle;
use crate::hints::Buffering;
use crate::in_segment::{Rounds, SegmentRounds, Windows};
use crate::kernel;
use crate::request::Completion;
use crate::transfer::{Direction, Moved, Transfer};
use crate::two_phase::TwoPhase;
use crate::view::View;
use nemesis_datatype::Buffer;
use nemesis_sys::file::Errno;
use std::ops::Range;
use std::sync::Arc;

/// Blocks from this length on are moved by the rank that has them: a system call for each costs
/// less than an exchange of the data.
const LONG_BLOCK_BYTES: u64 = 16 << 10;

/// The ranks exchange data if their range of the file has at most this many bytes for each byte
/// that they move. Sparser data have few blocks in a window, and none in most windows if the holes
/// have many megabytes. With blocks of 16 bytes, an exchange is faster up to about 64.
const RANGE_PER_WANTED: u64 = 64;
/// Ranks of one node read their ranges by themselves, holes included, if a range has at most this
/// many bytes for each that its rank wants: the kernel's copy of so much costs less than an
/// exchange, which copies twice.
const RANGE_PER_SIEVED: u64 = 4;

/// A broadcast of the text of a rank's error.
#[derive(Debug)]
struct Explanation {
    schedule: Schedule,
    text: Buffer,
    class: u64,
}

#[derive(Debug)]
enum Phase {
    Begin,
    Describe(Exchange),
    Rounds(Box<TwoPhase>),
    InSegment(Box<SegmentRounds>),
    Report(Exchange),
    Explain(Explanation),
}

/// A collective read or write.
#[derive(Debug)]
pub(crate) struct Operation {
    pub request: handle::Request,
    pub comm: handle::Comm,
    /// The function that has begun it.
    pub call: &'static str,
    /// What is done, in messages: "writing".
    pub action: &'static str,
    pub file_name: String,
    pub transfer: Transfer,
    /// The views of all ranks, at aggregators.
    pub views: Arc<[Arc<View>]>,
    pub aggregators: Arc<[u32]>,
    pub buffering: Buffering,
    /// Whether ranks read holes to find their data, and share the kernel's cache of the file. The
    /// value is the same at all ranks, because it decides whether they exchange data.
    pub sieves: bool,
    /// Memory that all ranks share, if they run on one node.
    pub windows: Option<Windows>,
    /// Bytes of a round of an aggregator.
    pub round_bytes: u64,
    /// Domains of aggregators begin at multiples of this.
    pub unit_bytes: u64,
    /// The program's buffer, if what is read must be converted.
    pub decode: Option<Buffer>,
    /// The bytes of the program's buffer that a complete write has written.
    pub written: Option<u64>,
    /// This rank's error.
    pub failed: Option<Box<Error>>,
    /// The bytes moved, once the transfer has been carried out.
    pub moved: Option<u64>,
    pub stage: Stage,
}

/// How far an operation has come.
#[derive(Debug)]
pub(crate) struct Stage(Phase);

impl Stage {
    pub const BEGIN: Stage = Stage(Phase::Begin);
}

impl Operation {
    /// Advances as far as possible without waiting, and returns whether the operation is complete.
    pub fn advance(&mut self, engine: &mut Engine) -> bool {
        loop {
            let next = match &mut self.stage.0 {
                Phase::Begin => self.begin(engine),
                Phase::Describe(exchange) => match exchange.advance(engine) {
                    None => return false,
                    Some(all) => all.and_then(|all| self.decide(engine, &all)),
                },
                Phase::Rounds(rounds) => {
                    match rounds.advance(
                        engine,
                        (self.call, &self.file_name),
                        (&self.transfer, &self.views),
                    ) {
                        None => return false,
                        Some(moved) => self.report(engine, moved),
                    }
                }
                Phase::InSegment(rounds) => {
                    let tell =
                        |failed| told(failed, self.action, &self.file_name, &mut self.failed);
                    let moving = (&self.transfer, &*self.views);
                    match rounds.advance(
                        engine,
                        self.comm,
                        (self.call, &self.file_name),
                        moving,
                        tell,
                    ) {
                        Ok(Rounds::Waiting) => return false,
                        Ok(Rounds::Failed(all)) => self.explain(engine, &all),
                        Ok(Rounds::Done(bytes, failed)) => {
                            self.end_rounds(engine, Moved { bytes, failed })
                        }
                        Err(error) => Err(error),
                    }
                }
                Phase::Report(exchange) => match exchange.advance(engine) {
                    None => return false,
                    Some(all) => all.and_then(|all| self.explain(engine, &all)),
                },
                Phase::Explain(explanation) => {
                    if explanation.schedule.advance(engine) != Progress::Done {
                        return false;
                    }
                    let lost = explanation.schedule.take_error();
                    let text = explanation.text.as_bytes().unwrap_or_default();
                    Err(lost.unwrap_or_else(|| agree::error_of(explanation.class, text)))
                }
            };
            match next {
                Ok(Some(phase)) => self.stage.0 = phase,
                Ok(None) => return true,
                Err(error) => {
                    self.failed = Some(error);
                    return true;
                }
            }
        }
    }

    /// Completes the request.
    pub fn finish(self, engine: &mut Engine, fh: handle::File) {
        let moved = self.moved.unwrap_or(0);
        let complete = moved == self.transfer.buffer.bytes() as u64;
        let mut bytes = self.written.filter(|_| complete).unwrap_or(moved);
        let mut failed = self.failed;
        if let (Some(buffer), None) = (&self.decode, &failed) {
            match self.transfer.view.datarep.decode(&self.transfer.buffer, bytes, buffer) {
                Ok(decoded) => bytes = decoded,
                Err(error) => failed = Some(error),
            }
        }
        finish(engine, self.request, bytes, failed.map(|error| error.on_file(fh)));
    }

    fn begin(&mut self, engine: &mut Engine) -> Outcome<Option<Phase>> {
        let words = self.words(engine);
        Ok(Some(Phase::Describe(Exchange::begin(engine, self.comm, &words)?)))
    }

    /// Returns what this rank tells the others.
    fn words(&mut self, engine: &mut Engine) -> Words {
        let Transfer { view, position, buffer, direction, file, .. } = &self.transfer;
        let bytes = buffer.bytes() as u64;
        let mut words = [0; WORDS];
        (words[word::POSITION], words[word::BYTES]) = (*position, bytes);
        if bytes > 0 && self.moved.is_none() && self.failed.is_none() {
            let first = view.locate(*position);
            words[word::FIRST] = first.offset;
            words[word::END] = view.locate(position + bytes - 1).offset + 1;
            if first.bytes.min(bytes) < LONG_BLOCK_BYTES {
                words[word::FLAGS] |= SHORT_BLOCKS;
            }
        }
        if !view.ascends(*position, bytes) {
            words[word::FLAGS] |= NOT_ASCENDING;
        }
        if *direction == Direction::Read && self.failed.is_none() {
            match kernel::during(engine, (self.call, &self.file_name), file, || file.size()) {
                Ok(size) => words[word::FILE_SIZE] = size,
                Err(errno) => {
                    self.failed = Some(errno::refused(self.action, &self.file_name, errno));
                }
            }
        }
        words[word::CLASS] = class(self.failed.as_deref());
        words
    }

    /// Decides how the data move, and begins.
    fn decide(&mut self, engine: &mut Engine, all: &[Words]) -> Outcome<Option<Phase>> {
        if let Some(phase) = self.explain(engine, all)? {
            return Ok(Some(phase));
        }
        if self.moved.is_some() || all.iter().all(|words| words[word::BYTES] == 0) {
            return Ok(None);
        }
        if self.exchanges(all) {
            let parts = all
                .iter()
                .map(|words| Part { position: words[word::POSITION], bytes: words[word::BYTES] });
            let Range { start: first, mut end } = range(all);
            let mut size = None;
            if self.transfer.direction == Direction::Read {
                let longest = all.iter().map(|words| words[word::FILE_SIZE]).max().unwrap_or(0);
                (end, size) = (end.min(longest).max(first), Some(longest));
            }
            return Ok(Some(self.rounds(parts.collect(), size, first..end)));
        }
        let transfer = self.transfer.clone();
        let moved =
            kernel::during(engine, (self.call, &self.file_name), &self.transfer.file, || {
                transfer.perform()
            });
        self.report(engine, moved)
    }

    /// Returns the rounds that move the parts of all ranks in a range of the file.
    fn rounds(&self, parts: Vec<Part>, size: Option<u64>, range: Range<u64>) -> Phase {
        let (count, unit) = (self.aggregators.len() as u64, self.unit_bytes);
        if let Some(windows) = &self.windows {
            let memory = windows.bytes().min(self.round_bytes.saturating_mul(2));
            let domains = Domains::in_halves(range, count, memory, unit);
            let rounds = SegmentRounds::new(windows.clone(), parts, size, domains);
            return Phase::InSegment(Box::new(rounds));
        }
        let domains = Domains::new(range, count, self.round_bytes, unit);
        let ranks = (self.comm, self.aggregators.clone());
        Phase::Rounds(Box::new(TwoPhase::new(ranks, (parts, size), domains)))
    }

    /// Ends the rounds in the segment. The exchange of the last round has told the others every
    /// error of reading the file, and none of the last writes.
    fn end_rounds(&mut self, engine: &mut Engine, moved: Moved) -> Outcome<Option<Phase>> {
        match (self.transfer.direction, moved.failed) {
            (Direction::Write, _) => self.report(engine, moved),
            // The others take part in no further exchange.
            (Direction::Read, Some(errno)) => {
                Err(errno::refused(self.action, &self.file_name, errno))
            }
            (Direction::Read, None) => {
                self.moved = Some(moved.bytes);
                Ok(None)
            }
        }
    }

    /// Returns whether the ranks exchange data.
    fn exchanges(&self, all: &[Words]) -> bool {
        let flag = |flag| all.iter().any(|words| words[word::FLAGS] & flag != 0);
        match self.buffering {
            _ if flag(NOT_ASCENDING) => false,
            Buffering::Never => false,
            Buffering::Always => true,
            Buffering::Automatic if self.sieves && is_nearly_whole(all) => false,
            Buffering::Automatic => flag(SHORT_BLOCKS) && is_dense(all) && interleave(all),
        }
    }

    /// Begins the exchange of how each rank's part of the transfer ended.
    fn report(&mut self, engine: &mut Engine, moved: Moved) -> Outcome<Option<Phase>> {
        self.moved = Some(moved.bytes);
        let words = told(moved.failed, self.action, &self.file_name, &mut self.failed);
        Ok(Some(Phase::Report(Exchange::begin(engine, self.comm, &words)?)))
    }

    /// Begins the broadcast of the error of the lowest rank that failed; `None` if none did.
    fn explain(&mut self, engine: &mut Engine, all: &[Words]) -> Outcome<Option<Phase>> {
        let Some(failed) = all.iter().position(|words| words[word::CLASS] != 0) else {
            return Ok(None);
        };
        let mut schedule = exchange::schedule(engine, self.comm)?;
        let text = coll::scratch_bytes(TEXT_BYTES)?;
        if schedule.rank == failed as u32
            && let Some(error) = &self.failed
        {
            text.unpack_at(0, &agree::text_of(schedule.rank, error));
        }
        let mut steps = Steps::noted(&mut schedule, Later::Never);
        coll::bcast::bcast(&mut steps, &text, failed as u32)?;
        let class = all[failed][word::CLASS];
        Ok(Some(Phase::Explain(Explanation { schedule, text, class })))
    }
}

/// Notes a failure of this rank, and returns the words that tell the others.
fn told(
    failed: Option<Errno>,
    action: &str,
    file_name: &str,
    note: &mut Option<Box<Error>>,
) -> Words {
    *note = failed.map(|errno| errno::refused(action, file_name, errno));
    let mut words = [0; WORDS];
    words[word::CLASS] = class(note.as_deref());
    words
}

/// Completes a request with the number of bytes moved.
pub(crate) fn finish(
    engine: &mut Engine,
    request: handle::Request,
    bytes: u64,
    error: Option<Box<Error>>,
) {
    if let Ok(object) = engine.pt2pt.core.requests.get_mut(request) {
        object.completion = Completion { bytes, error, ..Completion::EMPTY };
    }
    engine.pt2pt.core.finish(request);
}

/// Returns the words of the ranks that move data.
fn movers(all: &[Words]) -> impl Iterator<Item = &Words> {
    all.iter().filter(|words| words[word::BYTES] > 0)
}

/// Returns the range of the file that holds the data of all ranks.
fn range(all: &[Words]) -> Range<u64> {
    let first = movers(all).map(|words| words[word::FIRST]).min().unwrap_or(0);
    first..movers(all).map(|words| words[word::END]).max().unwrap_or(first)
}

/// Returns whether the ranks' data fill enough of their range of the file for an exchange to pay.
fn is_dense(all: &[Words]) -> bool {
    let wanted = all.iter().fold(0_u64, |sum, words| sum.saturating_add(words[word::BYTES]));
    let Range { start, end } = range(all);
    end.saturating_sub(start) <= wanted.saturating_mul(RANGE_PER_WANTED)
}

/// Returns whether each rank wants a large part of its own range of the file.
fn is_nearly_whole(all: &[Words]) -> bool {
    movers(all).all(|words| {
        let range = words[word::END].saturating_sub(words[word::FIRST]);
        range <= words[word::BYTES].saturating_mul(RANGE_PER_SIEVED)
    })
}

/// Returns whether the parts of the file that the ranks use lie between each other.
fn interleave(all: &[Words]) -> bool {
    let mut ranges: Vec<(u64, u64)> =
        movers(all).map(|words| (words[word::FIRST], words[word::END])).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of a rank that moves `bytes` bytes of a range.
    fn words(range: Range<u64>, bytes: u64) -> Words {
        let mut words = [0; WORDS];
        (words[word::FIRST], words[word::END], words[word::BYTES]) =
            (range.start, range.end, bytes);
        words
    }

    #[test]
    fn sparse_data_are_not_exchanged() {
        let dense = [words(0..4000, 1000), words(4..4004, 1000), [0; WORDS]];
        assert!(is_dense(&dense) && interleave(&dense));
        assert_eq!(range(&dense), 0..4004);
        let sparse = [words(0..1 << 40, 1000), words(4..(1 << 40) + 4, 1000)];
        assert!(!is_dense(&sparse) && interleave(&sparse));
        assert!(is_nearly_whole(&dense) && !is_nearly_whole(&[words(0..4001, 1000)]));
        let apart = [words(100..200, 100), words(0..100, 100)];
        assert!(is_dense(&apart) && !interleave(&apart));
        assert!(is_dense(&[words(0..u64::MAX, u64::MAX)]));
    }
}
