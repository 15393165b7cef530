//! The send queue of one lane to one process.

use crate::wires::{End, PipeId, Wires};
use nemesis_netmod::{Packet, Region, Sent, Token};
use std::collections::VecDeque;

/// Number of queued frames beyond which the module is full for a process.
const QUEUE_MAX: usize = 64;

/// A packet that is not completely written.
struct Waiting {
    /// Copy of the unwritten part of prefix, header and payload.
    frame: Vec<u8>,
    /// The bulk payload, and how many of its bytes are written.
    bulk: Option<(Region, usize)>,
    token: Option<Token>,
}

/// Packets that take one lane to one process, in order.
#[derive(Default)]
pub struct Outgoing {
    queue: VecDeque<Waiting>,
}

impl Outgoing {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Sends a packet directly: writes what the pipe takes if the queue is empty, and queues the
    /// remainder.
    pub fn send(
        &mut self,
        wires: &mut Wires,
        pipe: PipeId,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, End> {
        if self.queue.len() >= QUEUE_MAX {
            return Ok(Sent::Full);
        }
        let bulk = packet.bulk.filter(|bulk| !bulk.is_empty());
        let mut frame = Vec::with_capacity(32 + packet.payload.len());
        frame.extend_from_slice(&bulk.as_ref().map_or(0, |bulk| bulk.len() as u64).to_le_bytes());
        frame.extend_from_slice(&packet.header.encode());
        frame.extend_from_slice(packet.payload);
        let mut waiting = Waiting {
            frame,
            token: bulk.is_some().then_some(token),
            bulk: bulk.map(|bulk| (bulk, 0)),
        };
        if self.queue.is_empty() && waiting.write(wires, pipe)? {
            return Ok(Sent::Done);
        }
        let answer = if waiting.token.is_some() { Sent::Pending } else { Sent::Done };
        self.queue.push_back(waiting);
        Ok(answer)
    }

    /// Writes what the pipe takes. Returns the number of completed packets, and appends their
    /// tokens.
    pub fn push(
        &mut self,
        wires: &mut Wires,
        pipe: PipeId,
        completed: &mut Vec<Token>,
    ) -> Result<u32, End> {
        let mut packets = 0;
        while let Some(first) = self.queue.front_mut() {
            if !first.write(wires, pipe)? {
                break;
            }
            packets += 1;
            completed.extend(first.token);
            self.queue.pop_front();
        }
        Ok(packets)
    }

    /// Empties the queue and returns the tokens that cannot complete any more.
    pub fn abandon(&mut self) -> Vec<Token> {
        self.queue.drain(..).filter_map(|waiting| waiting.token).collect()
    }
}

impl Waiting {
    /// Returns true when everything is written.
    fn write(&mut self, wires: &mut Wires, pipe: PipeId) -> Result<bool, End> {
        while !self.frame.is_empty() {
            let taken = wires.write(pipe, &self.frame)?;
            self.frame.drain(..taken);
            if taken == 0 {
                return Ok(false);
            }
        }
        let Some((bulk, written)) = &mut self.bulk else { return Ok(true) };
        while *written < bulk.len() {
            let taken = wires.write(pipe, &bulk.bytes()[*written..])?;
            *written += taken;
            if taken == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
