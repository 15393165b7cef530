//! Transfers between memory and the places of a view, by this process alone.
//!
//! A write touches only bytes of the view: a hole is never read and written back, so processes that
//! write disjoint bytes do not disturb each other. A read of short blocks takes in the holes
//! between them, if at least an eighth of what is read is wanted.
//!
//! ```text
//!   blocks of a write    one system call for each
//!   blocks of a read     long: one call for each     short: one call for a window of many
//! ```
//!
//! A transfer needs nothing of the engine, so a worker thread can carry it out.

use crate::view::{Run, View};
use nemesis_datatype::Buffer;
use nemesis_sys::file::{Errno, File};
use std::sync::Arc;

/// Bytes of the packed stream that are staged at a time if memory has holes.
const STAGING_BYTES: usize = 1 << 20;
/// Blocks of a read from this length on are read one by one.
const LONG_BLOCK_BYTES: u64 = 4096;
/// A window of a read holds at most this many bytes for each wanted byte.
const WINDOW_PER_WANTED: u64 = 8;
/// Most bytes that one call reads holes included. The blocks are then copied out of memory that the
/// caches still hold.
const WINDOW_MAX_BYTES: u64 = 256 << 10;

/// Direction of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Read,
    Write,
}

/// Result of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    pub bytes: u64,
    pub failed: Option<Errno>,
}

impl Moved {
    pub const NOTHING: Moved = Moved { bytes: 0, failed: None };
}

/// A transfer between a buffer, in the representation of the file, and a view of it.
#[derive(Clone, Debug)]
pub struct Transfer {
    pub file: Arc<File>,
    pub view: Arc<View>,
    pub direction: Direction,
    /// Position in the stream of the view.
    pub position: u64,
    pub buffer: Buffer,
    /// Longest window of a read that takes in holes; 0 if none may.
    pub window_bytes: u64,
}

impl Transfer {
    /// Carries out the transfer.
    pub fn perform(mut self) -> Moved {
        let bytes = self.buffer.bytes();
        let mut buffer = self.buffer.clone();
        match self.direction {
            Direction::Write => {
                if let Some(memory) = buffer.as_bytes() {
                    return self.write(memory);
                }
            }
            Direction::Read => {
                if let Some(memory) = buffer.as_bytes_mut() {
                    return self.read(memory);
                }
            }
        }
        let mut staging = vec![0; bytes.min(STAGING_BYTES)];
        let mut done = 0;
        while done < bytes {
            let piece = &mut staging[..(bytes - done).min(STAGING_BYTES)];
            let moved = match self.direction {
                Direction::Write => {
                    buffer.pack_at(done, piece);
                    self.write(piece)
                }
                Direction::Read => {
                    let moved = self.read(piece);
                    buffer.unpack_at(done, &piece[..moved.bytes as usize]);
                    moved
                }
            };
            done += moved.bytes as usize;
            self.position += moved.bytes;
            if moved.failed.is_some() || (moved.bytes as usize) < piece.len() {
                return Moved { bytes: done as u64, ..moved };
            }
        }
        Moved { bytes: done as u64, failed: None }
    }

    fn write(&self, memory: &[u8]) -> Moved {
        let mut moved = Moved::NOTHING;
        self.view.visit(self.position, memory.len() as u64, |run| {
            let from = moved.bytes as usize;
            let written = self.file.write_at(&memory[from..from + run.bytes as usize], run.offset);
            moved.bytes += written.bytes as u64;
            moved.failed = written.failed;
            written.failed.is_none()
        });
        moved
    }

    fn read(&self, memory: &mut [u8]) -> Moved {
        let (moved, staging) = (Moved::NOTHING, Vec::new());
        let mut reading = Reading { file: &self.file, memory, moved, staging };
        let mut window = Window::default();
        let longest = self.window_bytes.min(WINDOW_MAX_BYTES);
        self.view.visit(self.position, reading.memory.len() as u64, |run| {
            let joins = window.takes(run, longest);
            if !joins && !reading.read_window(&mut window) {
                return false;
            }
            window.push(run);
            true
        });
        reading.read_window(&mut window);
        reading.moved
    }
}

/// Consecutive blocks of a view that one call reads.
#[derive(Debug, Default)]
struct Window {
    runs: Vec<Run>,
    wanted: u64,
}

impl Window {
    /// Returns whether the window may grow to the end of `run`.
    fn takes(&self, run: Run, longest: u64) -> bool {
        let (Some(first), Some(last)) = (self.runs.first(), self.runs.last()) else { return true };
        let span = (run.offset + run.bytes).saturating_sub(first.offset);
        run.offset >= last.offset + last.bytes
            && run.bytes < LONG_BLOCK_BYTES
            && last.bytes < LONG_BLOCK_BYTES
            && span <= longest
            && span <= (self.wanted + run.bytes).saturating_mul(WINDOW_PER_WANTED)
    }

    fn push(&mut self, run: Run) {
        self.wanted += run.bytes;
        self.runs.push(run);
    }
}

/// The memory that is being read into.
struct Reading<'a> {
    file: &'a File,
    memory: &'a mut [u8],
    moved: Moved,
    /// The bytes of a window, holes included.
    staging: Vec<u8>,
}

impl Reading<'_> {
    /// Reads the blocks of a window, which becomes empty. Returns false at the end of the file and
    /// after a failure.
    fn read_window(&mut self, window: &mut Window) -> bool {
        let (Some(&first), Some(&last)) = (window.runs.first(), window.runs.last()) else {
            return true;
        };
        let from = self.moved.bytes as usize;
        let complete = if window.runs.len() == 1 {
            let into = &mut self.memory[from..from + first.bytes as usize];
            let read = self.file.read_at(into, first.offset);
            self.moved.bytes += read.bytes as u64;
            self.moved.failed = read.failed;
            read.bytes == into.len()
        } else {
            let mut staging = std::mem::take(&mut self.staging);
            let span = (last.offset + last.bytes - first.offset) as usize;
            if staging.len() < span {
                staging.resize(span, 0);
            }
            let read = self.file.read_at(&mut staging[..span], first.offset);
            self.moved.failed = read.failed;
            let complete = self.pick(window, &staging[..read.bytes]);
            self.staging = staging;
            complete
        };
        window.runs.clear();
        window.wanted = 0;
        complete
    }

    /// Copies the blocks out of what was read. Returns false if some are missing.
    fn pick(&mut self, window: &Window, staging: &[u8]) -> bool {
        let start = window.runs[0].offset;
        for run in &window.runs {
            let at = ((run.offset - start) as usize).min(staging.len());
            let found = &staging[at..staging.len().min(at + run.bytes as usize)];
            let to = self.moved.bytes as usize;
            self.memory[to..to + found.len()].copy_from_slice(found);
            self.moved.bytes += found.len() as u64;
            if (found.len() as u64) < run.bytes {
                return false;
            }
        }
        true
    }
}
