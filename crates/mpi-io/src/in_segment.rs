//! Collective reads and writes of ranks that share a node: the data pass through windows in the
//! node's segment, which every rank maps.
//!
//! ```text
//!   write    each rank copies its blocks to their places in the windows of all aggregators │
//!            exchange │ each aggregator writes its window to the file
//!   read     each aggregator reads its window from the file │ exchange │ each rank copies its
//!            blocks out of all windows
//! ```
//!
//! No message carries data, and a byte is copied once beside the kernel's copy. Rounds use the
//! halves of an aggregator's memory in turn. When a rank ends the exchange of a round, all ranks
//! have finished what they did after the exchange before it, so the half of that round is free.
//! What follows the last exchange of an operation has ended before the first exchange of the file's
//! next operation ends.
//!
//! The exchange of a round carries the error of every rank, so all ranks stop in one round.

use crate::coverage::Coverage;
use crate::domains::{Domains, Part, offsets};
use crate::engine::Engine;
use crate::error::Outcome;
use crate::exchange::{Exchange, WORDS, Words};
use crate::handle;
use crate::kernel;
use crate::transfer::{Direction, Transfer};
use crate::view::View;
use nemesis_datatype::MemoryRegion;
use nemesis_sys::file::Errno;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of the packed stream that are staged at a time if the program's memory has holes.
const STAGING_BYTES: usize = 256 << 10;

/// What the ranks of a file share on their node.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    /// Memory of each rank.
    pub regions: Arc<[MemoryRegion]>,
    /// The ranks that access the file.
    pub aggregators: Arc<[u32]>,
    /// This rank.
    pub rank: u32,
}

impl Windows {
    /// Returns the bytes of an aggregator's memory.
    pub fn bytes(&self) -> u64 {
        self.regions.iter().map(|region| region.bytes() as u64).min().unwrap_or(0)
    }

    /// Returns the place of this rank among the aggregators.
    fn own_index(&self) -> Option<usize> {
        self.aggregators.iter().position(|&aggregator| aggregator == self.rank)
    }

    fn region(&self, aggregator: usize) -> &MemoryRegion {
        &self.regions[self.aggregators[aggregator] as usize]
    }
}

/// The rounds of one operation.
#[derive(Debug)]
pub(crate) struct SegmentRounds {
    windows: Windows,
    /// The parts of all ranks.
    parts: Vec<Part>,
    /// The length of a file that is read: data beyond it do not exist.
    size: Option<u64>,
    domains: Domains,
    round: u64,
    exchange: Option<Exchange>,
    failed: Option<Errno>,
}

/// How far the rounds have come.
pub(crate) enum Rounds {
    Waiting,
    /// Some rank has failed, as the words of all ranks say.
    Failed(Vec<Words>),
    /// All rounds are over; this rank has moved its part, or failed in the last write.
    Done(u64, Option<Errno>),
}

impl SegmentRounds {
    pub fn new(
        windows: Windows,
        parts: Vec<Part>,
        size: Option<u64>,
        domains: Domains,
    ) -> SegmentRounds {
        SegmentRounds { windows, parts, size, domains, round: 0, exchange: None, failed: None }
    }

    /// Goes through the rounds as far as possible without waiting. `tell` makes this rank's words
    /// for the others from its failure. `call`: the function of MPI and the file's name, for the
    /// state report.
    pub fn advance(
        &mut self,
        engine: &mut Engine,
        comm: handle::Comm,
        call: (&'static str, &str),
        (transfer, views): (&Transfer, &[Arc<View>]),
        mut tell: impl FnMut(Option<Errno>) -> Words,
    ) -> Outcome<Rounds> {
        while self.round < self.domains.rounds() {
            if self.exchange.is_none() {
                let failed = match transfer.direction {
                    Direction::Read => {
                        kernel::during(engine, call, &transfer.file, || self.fill(transfer))
                    }
                    Direction::Write => self.place(transfer),
                };
                self.failed = self.failed.or(failed);
                self.exchange = Some(Exchange::begin(engine, comm, &tell(self.failed))?);
            }
            let Some(exchange) = &mut self.exchange else { break };
            let Some(all) = exchange.advance(engine) else { return Ok(Rounds::Waiting) };
            self.exchange = None;
            let all = all?;
            if all.iter().any(|words| *words != [0; WORDS]) {
                return Ok(Rounds::Failed(all));
            }
            self.failed = match transfer.direction {
                Direction::Read => self.pick(transfer),
                Direction::Write => {
                    kernel::during(engine, call, &transfer.file, || self.write(transfer, views))
                }
            };
            self.round += 1;
        }
        let own = Part::of(transfer).existing(&transfer.view, self.size);
        Ok(Rounds::Done(own.bytes, self.failed))
    }

    /// Returns the window of an aggregator, and where it begins in the aggregator's memory.
    fn window(&self, aggregator: usize) -> (Range<u64>, usize) {
        let window = self.domains.window(aggregator as u64, self.round);
        let half = (self.round % 2) * (self.windows.bytes() / 2);
        (window, half as usize)
    }

    /// Reads this rank's window from the file. Bytes that are missing become zero.
    fn fill(&self, transfer: &Transfer) -> Option<Errno> {
        let index = self.windows.own_index()?;
        let (window, at) = self.window(index);
        let bytes = (window.end - window.start) as usize;
        let read = self.windows.region(index).with_bytes(at, bytes, |memory| {
            let read = transfer.file.read_at(memory, window.start);
            memory[read.bytes..].fill(0);
            read.failed
        });
        read.unwrap_or(Some(Errno::FAULT))
    }

    /// Calls `copy` with each aggregator's window that holds data of this rank: memory, the offset
    /// in the file of the memory's first byte, and the positions. Each rank begins with another
    /// aggregator.
    fn each_window(
        &self,
        transfer: &Transfer,
        mut copy: impl FnMut(&MemoryRegion, u64, Range<u64>) -> bool,
    ) -> Option<Errno> {
        let own = Part::of(transfer).existing(&transfer.view, self.size);
        let count = self.windows.aggregators.len();
        for turn in 0..count {
            let aggregator = (self.windows.rank as usize + turn) % count;
            let (window, at) = self.window(aggregator);
            let positions = own.within(&transfer.view, &window);
            let origin = window.start.wrapping_sub(at as u64);
            if !positions.is_empty() && !copy(self.windows.region(aggregator), origin, positions) {
                // The view has a byte outside the window that the arithmetic says is inside.
                return Some(Errno::FAULT);
            }
        }
        None
    }

    /// Copies this rank's blocks out of all windows.
    fn pick(&self, transfer: &Transfer) -> Option<Errno> {
        let mut staging = Vec::new();
        self.each_window(transfer, |region, origin, positions| {
            let view = &transfer.view;
            let (first, bytes) = offsets(transfer, &positions);
            if let Some(memory) = transfer.buffer.flattened() {
                let mut part = memory.part(first, bytes);
                let into = part.as_bytes_mut().unwrap_or_default();
                return view.pack_image(region, origin, positions, into);
            }
            pieces(positions).all(|piece| {
                let (first, bytes) = offsets(transfer, &piece);
                staging.resize(bytes.max(staging.len()), 0);
                let inside = view.pack_image(region, origin, piece, &mut staging[..bytes]);
                transfer.buffer.unpack_at(first, &staging[..bytes]);
                inside
            })
        })
    }

    /// Copies this rank's blocks to their places in all windows.
    fn place(&self, transfer: &Transfer) -> Option<Errno> {
        let mut staging = Vec::new();
        self.each_window(transfer, |region, origin, positions| {
            let view = &transfer.view;
            let (first, bytes) = offsets(transfer, &positions);
            if let Some(memory) = transfer.buffer.flattened() {
                let part = memory.part(first, bytes);
                let from = part.as_bytes().unwrap_or_default();
                return view.unpack_image(region, origin, positions, from);
            }
            pieces(positions).all(|piece| {
                let (first, bytes) = offsets(transfer, &piece);
                staging.resize(bytes.max(staging.len()), 0);
                transfer.buffer.pack_at(first, &mut staging[..bytes]);
                view.unpack_image(region, origin, piece, &staging[..bytes])
            })
        })
    }

    /// Writes the bytes of this rank's window that the ranks have placed there.
    fn write(&self, transfer: &Transfer, views: &[Arc<View>]) -> Option<Errno> {
        let index = self.windows.own_index()?;
        let (window, at) = self.window(index);
        let bytes = (window.end - window.start) as usize;
        let mut coverage = Coverage::new(bytes);
        for (part, view) in self.parts.iter().zip(views) {
            let positions = part.within(view, &window);
            view.visit(positions.start, positions.end - positions.start, |run| {
                coverage.add((run.offset - window.start) as usize, run.bytes as usize);
                true
            });
        }
        let written = self.windows.region(index).with_bytes(at, bytes, |memory| {
            coverage.ranges().find_map(|range| {
                let offset = window.start + range.start as u64;
                transfer.file.write_at(&memory[range], offset).failed
            })
        });
        written.unwrap_or(Some(Errno::FAULT))
    }
}

/// Divides a range of positions into pieces of [`STAGING_BYTES`].
fn pieces(positions: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let end = positions.end;
    positions
        .step_by(STAGING_BYTES)
        .map(move |start| start..(start + STAGING_BYTES as u64).min(end))
}
