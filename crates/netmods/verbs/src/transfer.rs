//! Transfers between the memories of two processes: reads of bulk payloads, puts and gets.
//!
//! A transfer on registered memory is one request, or several if it is longer than the device
//! carries in one. If the memory cannot be registered, the transfer passes through buffers, several
//! at a time.

use crate::control::Purpose;
use crate::layout::Sge;
use crate::member::Member;
use crate::objects::{Registration, Request};
use crate::peer::{Posted, Stage, Work};
use crate::work::{Memory, Transfer};
use nemesis_netmod::Fault;
use nemesis_netmod::optional::Change;

/// Longest request of a transfer, so that transfers of several processes share the port.
const PART_MAX_BYTES: usize = 1 << 20;

impl Member {
    /// Begins a transfer.
    pub fn start(&mut self, transfer: Transfer) {
        let (peer, purpose) = (transfer.peer, transfer.purpose);
        let number = self.transfers.insert(transfer);
        let connection = self.peers[peer as usize].connection(purpose);
        connection.work.push_back(Work::Transfer(number));
        self.pump_work(peer, purpose);
        self.activate(peer);
    }

    /// Posts requests of transfers and atomics, as far as there is room.
    pub fn pump_work(&mut self, peer: u32, purpose: Purpose) {
        loop {
            let connection = self.peers[peer as usize].connection(purpose);
            let reserved = if purpose == Purpose::Packets { self.device.depth() / 2 } else { 0 };
            let Some(&work) = connection.work.front() else { return };
            if !connection.is_ready()
                || connection.posted.len() + reserved >= self.device.depth()
                || self.device.requests >= self.device.requests_max
            {
                return;
            }
            let posted = match work {
                Work::Transfer(number) => self.post_part(peer, purpose, number),
                Work::Atomic(number) => self.post_atomic(peer, number),
            };
            match posted {
                Ok(true) => {
                    self.peers[peer as usize].connection(purpose).work.pop_front();
                }
                Ok(false) => {}
                // No buffer is free.
                Err(None) => return,
                Err(Some(why)) => {
                    self.note_broken(peer, purpose, Fault::Broken, why);
                    return;
                }
            }
        }
    }

    /// Posts the next request of a transfer. Returns whether it was the last one.
    fn post_part(
        &mut self,
        peer: u32,
        purpose: Purpose,
        number: u32,
    ) -> Result<bool, Option<String>> {
        let Some(transfer) = self.transfers.get_mut(number) else { return Ok(true) };
        let (offset, rest) = (transfer.posted, transfer.memory.len() - transfer.posted);
        let limit = PART_MAX_BYTES.min(self.device.port.message_bytes as usize);
        let window = transfer.window.as_ref().map(|window| &window.registration);
        let key = transfer.registration.as_ref().or(window).map(Registration::local_key);
        let (part, buffer) = match key {
            Some(lkey) => {
                let addr = (transfer.memory.address() + offset) as u64;
                (Sge { addr, length: rest.min(limit) as u32, lkey }, None)
            }
            None => {
                let buffer = self.device.outbound.take().map_err(|_| None)?;
                let bytes = rest.min(limit).min(self.device.outbound.buffer_bytes());
                if let Memory::Source(region) = &transfer.memory {
                    self.device.outbound.bytes_mut(buffer)[..bytes]
                        .copy_from_slice(&region.bytes()[offset..][..bytes]);
                }
                (self.device.outbound.lend(buffer, bytes), Some(buffer))
            }
        };
        let bytes = part.length as usize;
        let (address, key) = (transfer.remote + offset as u64, transfer.key);
        let request = match transfer.memory {
            Memory::Source(_) => Request::Write { address, key },
            Memory::Destination(_) => Request::Read { address, key },
        };
        transfer.posted += bytes;
        let is_last = transfer.posted == transfer.memory.len();
        let connection = self.peers[peer as usize].connection(purpose);
        let word = connection.next_word();
        let pair = connection.pair.as_ref().ok_or_else(|| Some("it is gone".to_owned()))?;
        let posted = pair.post(word, request, part);
        connection.note_posted(word, Posted::Part { transfer: number, buffer, offset, bytes });
        self.device.requests += 1;
        posted.map(|()| is_last).map_err(Some)
    }

    /// Handles the end of a transfer's request.
    pub fn complete_part(
        &mut self,
        number: u32,
        buffer: Option<u32>,
        offset: usize,
        bytes: usize,
        has_failed: bool,
    ) {
        let transfer = self.transfers.get_mut(number).filter(|_| !has_failed);
        if let Some(buffer) = buffer {
            self.device.outbound.take_back(buffer);
            if let Some(Transfer { memory: Memory::Destination(region), .. }) = transfer {
                region.write(offset, &self.device.outbound.bytes(buffer)[..bytes]);
            }
            self.device.outbound.give_back(buffer);
        }
        // Borrowed again, because the buffers were used in between.
        let Some(transfer) = self.transfers.get_mut(number).filter(|_| !has_failed) else { return };
        transfer.done += bytes;
        if transfer.done == transfer.memory.len()
            && let Some(transfer) = self.transfers.remove(number)
        {
            self.end_transfer(transfer);
        }
    }

    /// Ends a transfer. Its memory is free afterwards.
    fn end_transfer(&mut self, transfer: Transfer) {
        let peer = &mut self.peers[transfer.peer as usize];
        match transfer.token {
            Some(token) => {
                peer.open_operations.end(transfer.operation);
                self.done.push_back((token, Ok(())));
            }
            None => {
                peer.finished.push_back(transfer.bulk);
                let mut receiving = peer.receiving.iter_mut().chain(&mut peer.unordered);
                if let Some(receiving) = receiving.find(|it| it.waits_for(transfer.bulk)) {
                    receiving.stage = Stage::Whole;
                }
            }
        }
    }

    /// Posts an atomic operation.
    fn post_atomic(&mut self, peer: u32, number: u32) -> Result<bool, Option<String>> {
        let Some(atomic) = self.atomics.get(number) else { return Ok(true) };
        let (address, key) = (atomic.remote, atomic.key);
        let request = match atomic.change {
            Change::Add(add) => Request::FetchAdd { address, key, add },
            Change::CompareSwap { expected, new } => {
                Request::CompareSwap { address, key, expected, new }
            }
        };
        let part = self.device.words.lend(atomic.word, 8);
        let connection = &mut self.peers[peer as usize].memory;
        let word = connection.next_word();
        let pair = connection.pair.as_ref().ok_or_else(|| Some("it is gone".to_owned()))?;
        let posted = pair.post(word, request, part);
        connection.note_posted(word, Posted::Atomic { operation: number });
        self.device.requests += 1;
        posted.map(|()| true).map_err(Some)
    }

    /// Handles the end of an atomic operation's request.
    pub fn complete_atomic(&mut self, number: u32) {
        let Some(mut atomic) = self.atomics.remove(number) else { return };
        self.device.words.take_back(atomic.word);
        atomic.old.write(0, &self.device.words.bytes(atomic.word)[..8]);
        self.device.words.give_back(atomic.word);
        self.peers[atomic.peer as usize].open_operations.end(atomic.operation);
        drop(atomic.old);
        self.done.push_back((atomic.token, Ok(())));
    }
}
