//! Collective reads and writes in two phases: a few ranks, the aggregators, access the file, and
//! exchange the data with all ranks (Thakur, Gropp and Lusk 1999).
//!
//! Each aggregator has a *domain*, a part of the file, and goes through it in rounds. A round is a
//! window that stays in a cache:
//!
//! ```text
//!   file     │ domain of aggregator 0       │ domain of aggregator 1       │
//!   round      0        1        2            0        1        2
//!   write    ranks send their bytes of the window; the aggregator writes those that came
//!   read     the aggregator reads the window and sends each rank its bytes
//! ```
//!
//! Every rank computes its bytes of each window from its own view, and an aggregator from the views
//! of all, which it got when they were set. So no list of blocks travels, and a view of a billion
//! blocks costs as much as one of ten. An aggregator writes no byte that no rank has sent.

use crate::coll::{self, Progress, Schedule, Step};
use crate::coverage::Coverage;
use crate::domains::{Domains, Part, offsets};
use crate::engine::Engine;
use crate::error::Outcome;
use crate::handle;
use crate::kernel;
use crate::transfer::{Direction, Moved, Transfer};
use crate::view::View;
use nemesis_datatype::Buffer;
use nemesis_sys::file::{Errno, File};
use std::ops::Range;
use std::sync::Arc;

/// The rounds of one operation.
#[derive(Debug)]
pub(crate) struct TwoPhase {
    comm: handle::Comm,
    aggregators: Arc<[u32]>,
    parts: Vec<Part>,
    /// The length of a file that is read: data beyond it do not exist.
    size: Option<u64>,
    domains: Domains,
    round: u64,
    /// The exchange in progress.
    exchange: Option<Exchange>,
    /// Memory of a window, for all rounds.
    memory: Vec<u8>,
    failed: Option<Errno>,
}

/// The messages of a round.
#[derive(Debug)]
struct Exchange {
    schedule: Schedule,
    /// The window that this rank serves as an aggregator.
    window: Option<Served>,
    /// Parts of the stream that arrive for a buffer with holes.
    arriving: Vec<(u64, Buffer)>,
    /// Why this rank could not read its window.
    failed: Option<Errno>,
}

/// An aggregator's window.
#[derive(Debug)]
struct Served {
    range: Range<u64>,
    /// For each rank, its positions in the window, and where its bytes lie in `staging`.
    pieces: Vec<(Range<u64>, usize)>,
    staging: Buffer,
}

impl TwoPhase {
    pub fn new(
        (comm, aggregators): (handle::Comm, Arc<[u32]>),
        (parts, size): (Vec<Part>, Option<u64>),
        domains: Domains,
    ) -> TwoPhase {
        TwoPhase {
            comm,
            aggregators,
            parts,
            size,
            domains,
            round: 0,
            exchange: None,
            memory: Vec::new(),
            failed: None,
        }
    }

    /// Goes through the rounds as far as possible without waiting. Returns the result of this
    /// rank's part when all rounds are over. `call`: the function of MPI and the file's name, for
    /// the state report.
    pub fn advance(
        &mut self,
        engine: &mut Engine,
        call: (&'static str, &str),
        (transfer, views): (&Transfer, &[Arc<View>]),
    ) -> Option<Moved> {
        while self.round < self.domains.rounds() {
            if self.exchange.is_none() {
                match self.begin(engine, call, (transfer, views)) {
                    Ok(exchange) => self.exchange = Some(exchange),
                    // The communicator exists, and memory for a window is all that may lack.
                    Err(_) => return Some(Moved { bytes: 0, failed: Some(Errno::NOMEM) }),
                }
            }
            let exchange = self.exchange.as_mut()?;
            if exchange.schedule.advance(engine) != Progress::Done {
                return None;
            }
            if exchange.schedule.take_error().is_some() {
                self.failed.get_or_insert(Errno::IO);
            }
            if let Some(exchange) = self.exchange.take() {
                let end = || self.end(exchange, transfer, views);
                kernel::during(engine, call, &transfer.file, end);
            }
            self.round += 1;
        }
        Some(Moved { bytes: self.own(transfer).bytes, failed: self.failed })
    }

    /// Returns the part of this rank, without what lies beyond the end of a file that is read.
    fn own(&self, transfer: &Transfer) -> Part {
        Part::of(transfer).existing(&transfer.view, self.size)
    }

    fn begin(
        &mut self,
        engine: &mut Engine,
        call: (&'static str, &str),
        (transfer, views): (&Transfer, &[Arc<View>]),
    ) -> Outcome<Exchange> {
        let schedule = coll::new_schedule(engine, self.comm, coll::INTERNAL)?;
        let rank = schedule.rank;
        let mut exchange = Exchange { schedule, window: None, arriving: Vec::new(), failed: None };
        let index = self.aggregators.iter().position(|&aggregator| aggregator == rank);
        if let Some(index) = index {
            exchange.window = Some(self.serve(index as u64, views)?);
        }
        match transfer.direction {
            Direction::Write => self.send_own(&mut exchange, rank, transfer)?,
            Direction::Read => {
                let read = || self.read_and_send(&mut exchange, rank, transfer, views);
                kernel::during(engine, call, &transfer.file, read)?;
            }
        }
        Ok(exchange)
    }

    /// Returns the window of this aggregator, with memory for the bytes of all ranks.
    fn serve(&self, aggregator: u64, views: &[Arc<View>]) -> Outcome<Served> {
        let range = self.domains.window(aggregator, self.round);
        let mut total = 0;
        let mut pieces = Vec::with_capacity(self.parts.len());
        for (&part, view) in self.parts.iter().zip(views) {
            let positions = part.existing(view, self.size).within(view, &range);
            let bytes = (positions.end - positions.start) as usize;
            pieces.push((positions, total));
            total += bytes;
        }
        Ok(Served { range, pieces, staging: coll::scratch_bytes(total)? })
    }

    /// Starts the messages of a write: this rank's bytes to each aggregator.
    fn send_own(
        &self,
        Exchange { schedule, window, .. }: &mut Exchange,
        rank: u32,
        transfer: &Transfer,
    ) -> Outcome {
        let own = self.own(transfer);
        if let Some(served) = window {
            for (from, (positions, at)) in served.pieces.iter().enumerate() {
                let place = served.staging.part(*at, (positions.end - positions.start) as usize);
                if from as u32 == rank {
                    nemesis_datatype::copy(&piece(transfer, positions)?, &place);
                } else if !positions.is_empty() {
                    schedule.push(Step::Receive { from: from as u32, buffer: place });
                }
            }
        }
        for (index, &to) in self.aggregators.iter().enumerate() {
            let window = self.domains.window(index as u64, self.round);
            let positions = own.within(&transfer.view, &window);
            if to != rank && !positions.is_empty() {
                schedule.push(Step::Send { to, buffer: piece(transfer, &positions)? });
            }
        }
        Ok(())
    }

    /// Reads the window and starts the messages of a read: from each aggregator to all.
    fn read_and_send(
        &mut self,
        Exchange { schedule, window, arriving, failed }: &mut Exchange,
        rank: u32,
        transfer: &Transfer,
        views: &[Arc<View>],
    ) -> Outcome {
        let own = self.own(transfer);
        for (index, &from) in self.aggregators.iter().enumerate() {
            let window = self.domains.window(index as u64, self.round);
            let positions = own.within(&transfer.view, &window);
            if from != rank && !positions.is_empty() {
                let (first, bytes) = offsets(transfer, &positions);
                let buffer = match transfer.buffer.flattened() {
                    Some(memory) => memory.part(first, bytes),
                    None => {
                        let buffer = coll::scratch_bytes(bytes)?;
                        arriving.push((first as u64, buffer.clone()));
                        buffer
                    }
                };
                schedule.push(Step::Receive { from, buffer });
            }
        }
        let Some(served) = window else { return Ok(()) };
        *failed = served.fill(&mut self.memory, &transfer.file, views);
        for (to, (positions, at)) in served.pieces.iter().enumerate() {
            let bytes = (positions.end - positions.start) as usize;
            let data = served.staging.part(*at, bytes);
            if to as u32 == rank {
                arriving.push((offsets(transfer, positions).0 as u64, data));
            } else if bytes > 0 {
                schedule.push(Step::Send { to: to as u32, buffer: data });
            }
        }
        Ok(())
    }

    /// Ends a round: writes the window, or takes what has been read.
    fn end(&mut self, exchange: Exchange, transfer: &Transfer, views: &[Arc<View>]) {
        self.failed = self.failed.or(exchange.failed);
        for (first, data) in &exchange.arriving {
            transfer.buffer.unpack_at(*first as usize, data.as_bytes().unwrap_or_default());
        }
        if let (Some(served), Direction::Write) = (exchange.window, transfer.direction)
            && let Some(errno) = served.write(&mut self.memory, &transfer.file, views)
        {
            self.failed.get_or_insert(errno);
        }
    }
}

/// Returns the bytes of the buffer at these positions: in place, or packed.
fn piece(transfer: &Transfer, positions: &Range<u64>) -> Outcome<Buffer> {
    let (first, bytes) = offsets(transfer, positions);
    if let Some(memory) = transfer.buffer.flattened() {
        return Ok(memory.part(first, bytes));
    }
    let mut packed = coll::scratch_bytes(bytes)?;
    transfer.buffer.pack_at(first, packed.as_bytes_mut().unwrap_or_default());
    Ok(packed)
}

impl Served {
    /// Calls `visit` with each block of each rank in the window: its place relative to the window,
    /// its place in the staging memory, and its length.
    fn visit(&self, views: &[Arc<View>], mut visit: impl FnMut(usize, usize, usize)) {
        for ((positions, at), view) in self.pieces.iter().zip(views) {
            let mut at = *at;
            view.visit(positions.start, positions.end - positions.start, |run| {
                let bytes = run.bytes as usize;
                visit((run.offset - self.range.start) as usize, at, bytes);
                at += bytes;
                true
            });
        }
    }

    /// Writes what the ranks have sent; where they overlap, the highest rank's data.
    fn write(&self, memory: &mut Vec<u8>, file: &File, views: &[Arc<View>]) -> Option<Errno> {
        let sent = self.staging.as_bytes().unwrap_or_default();
        let window = at_least(memory, (self.range.end - self.range.start) as usize);
        let mut coverage = Coverage::new(window.len());
        self.visit(views, |at, from, bytes| {
            window[at..at + bytes].copy_from_slice(&sent[from..from + bytes]);
            coverage.add(at, bytes);
        });
        coverage.ranges().find_map(|range| {
            let offset = self.range.start + range.start as u64;
            file.write_at(&window[range], offset).failed
        })
    }

    /// Reads what the ranks want. Bytes that cannot be read are zero, and the ranks learn of the
    /// failure when the operation ends.
    fn fill(&mut self, memory: &mut Vec<u8>, file: &File, views: &[Arc<View>]) -> Option<Errno> {
        let (mut first, mut end) = (usize::MAX, 0);
        self.visit(views, |at, _, bytes| {
            first = first.min(at);
            end = end.max(at + bytes);
        });
        if first >= end {
            return None;
        }
        let window = at_least(memory, end - first);
        let read = file.read_at(window, self.range.start + first as u64);
        window[read.bytes..].fill(0);
        let mut staging = self.staging.clone();
        let to = staging.as_bytes_mut().unwrap_or_default();
        self.visit(views, |at, from, bytes| {
            to[from..from + bytes].copy_from_slice(&window[at - first..at - first + bytes]);
        });
        read.failed
    }
}

/// Returns the first `bytes` bytes of memory that grows as needed. Their values are arbitrary.
fn at_least(memory: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    if memory.len() < bytes {
        memory.resize(bytes, 0);
    }
    &mut memory[..bytes]
}
