//! How a write leaves for another host: an AM request ([`nemesis::am`]) that nobody confirms.
//!
//! A small message behind a write that has not left travels with it, at the beginning of its
//! stream. The two need one packet, one system call here and one there. A short write is therefore
//! held for one call, since most programs announce a write at once.
//!
//! ```text
//!   header: network address, HAS_MESSAGE   front: number of the write │ its bytes
//!   stream: small message │ bytes
//! ```

use crate::{SMALL_BYTES, Small};
use nemesis::am::{Answer, Ask};
use nemesis::wire::{Header, words};
use nemesis::{Region, RegionMut, Span};

/// Longest write that waits for the next call. A longer one gains little by travelling with its
/// message, and more by leaving early, beside a computation.
pub const HELD_MAX_BYTES: usize = 64 << 10;
/// Flag of a write whose stream begins with the small message behind it.
pub const HAS_MESSAGE: u8 = 1;
/// Bytes of the front.
pub const FRONT_BYTES: usize = 2 * 8;

/// A write that has not left.
#[derive(Debug)]
pub struct Write {
    /// Number of the write.
    pub number: u64,
    /// The local block.
    pub from: Span,
    /// Offset of the bytes in the local block.
    pub start: usize,
    /// Network address to which the bytes belong.
    pub net: u64,
    /// Number of bytes.
    pub bytes: usize,
    /// The small message behind the write.
    pub small: Option<Small>,
}

impl Ask for Write {
    fn header(&self) -> Header {
        let flags = if self.small.is_some() { HAS_MESSAGE } else { 0 };
        Header { flags, context: self.net, ..Header::default() }
    }

    fn front(&self, into: &mut [u8]) -> usize {
        let front = words([self.number, self.bytes as u64]);
        into[..FRONT_BYTES].copy_from_slice(front.as_bytes());
        FRONT_BYTES
    }

    fn bytes(&self) -> usize {
        self.memory_from() + self.bytes
    }

    fn fill(&self, from: usize, space: &mut [u8]) -> usize {
        let message = self.small.as_ref().and_then(|small| small.get(from..)).unwrap_or_default();
        let front = message.len().min(space.len());
        space[..front].copy_from_slice(&message[..front]);
        let from = (from + front).saturating_sub(self.memory_from());
        let part = (space.len() - front).min(self.bytes - from);
        self.from.read(self.start + from, &mut space[front..front + part]);
        front + part
    }

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        Region::of_span(&self.from, self.start + from - self.memory_from(), bytes)
    }

    fn memory_from(&self) -> usize {
        if self.small.is_some() { SMALL_BYTES } else { 0 }
    }

    fn is_confirmed(&self) -> bool {
        false
    }
}

/// The result of a write: there is none.
#[derive(Debug)]
pub enum NoResult {}

impl Answer for NoResult {
    fn bytes(&self) -> usize {
        match *self {}
    }

    fn take(&mut self, _from: usize, _bytes: &[u8]) {
        match *self {}
    }

    fn place(&mut self, _from: usize, _bytes: usize) -> Option<RegionMut> {
        match *self {}
    }
}
