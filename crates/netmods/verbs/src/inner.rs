//! The host that the TCP module sees: the real host, without control messages and losses, which the
//! verbs module handles.

use crate::address::Address;
use nemesis_netmod::{Cell, Failure, Host, RegionMut, Token};
use nemesis_wire::{Header, kind};
use std::collections::VecDeque;

/// What the TCP module has received for the verbs module.
pub enum Event {
    /// The payload of a control message.
    Control(u32, Vec<u8>),
    /// A process is lost.
    Lost(u32, Failure),
}

/// The host of the TCP module.
pub struct InnerHost<'a> {
    pub host: &'a mut dyn Host,
    pub events: &'a mut VecDeque<Event>,
    /// Whether packets arrived that are not control messages.
    pub delivered: u32,
}

impl Host for InnerHost<'_> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        let card = self.host.card(process)?;
        Address::decode(&card).map(|(_, rest)| rest.to_vec())
    }

    fn alloc(&mut self, payload: usize) -> Option<Cell> {
        self.host.alloc(payload)
    }

    fn offer(&mut self, from: u32, header: &Header, payload: &[u8]) -> bool {
        if header.kind == kind::SKIP {
            self.events.push_back(Event::Control(from, payload.to_vec()));
            return true;
        }
        let taken = self.host.offer(from, header, payload);
        self.delivered += u32::from(taken);
        taken
    }

    fn deliver(&mut self, from: u32, cell: Cell) {
        self.delivered += 1;
        self.host.deliver(from, cell);
    }

    fn give_back(&mut self, cell: Cell) {
        self.host.give_back(cell);
    }

    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.host.place(from, header, payload, bytes)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.host.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: Failure) {
        self.events.push_back(Event::Lost(process, failure));
    }

    fn note(&mut self, what: &str) {
        self.host.note(what);
    }

    fn warn(&mut self, what: &str) {
        self.host.warn(what);
    }

    fn warn_job(&mut self, subject: &str, what: &str) {
        self.host.warn_job(subject, what);
    }
}
