//! The receiving direction: turns bytes into packets.
//!
//! A packet is read in stages. Each stage may stop at any byte and continue in the next poll:
//!
//! ```text
//!   Start --32 bytes--> Payload --size bytes--> Bulk payload --length bytes--> delivered, Start
//!         (needs a cell)                (asks for a region)
//! ```

use crate::wires::{End, Found, Wires};
use nemesis_netmod::{Cell, Failure, Fault, Host, RegionMut};
use nemesis_wire::{HEADER_BYTES, Header};

const PREFIX_BYTES: usize = 8;

enum Stage {
    Start { bytes: [u8; PREFIX_BYTES + HEADER_BYTES], have: usize },
    Payload { cell: Cell, have: usize, bulk: usize },
    Bulk { cell: Cell, place: Option<RegionMut>, have: usize, bulk: usize },
}

const START: Stage = Stage::Start { bytes: [0; PREFIX_BYTES + HEADER_BYTES], have: 0 };

/// Result of a pull.
pub enum Progress {
    /// A packet was delivered.
    Delivered,
    /// Nothing more has arrived, or no cell is free.
    Stopped,
    Ended(End),
    /// The peer violated the protocol.
    Nonsense(Failure),
}

/// The receiving direction of one lane from one process.
pub struct Incoming {
    from: u32,
    lane: usize,
    stage: Stage,
}

/// Result of one step of a stage.
enum Step {
    Next(Stage),
    Again(Stage),
    Stop(Stage, Progress),
}

impl Incoming {
    pub fn new(from: u32, lane: usize) -> Incoming {
        Incoming { from, lane, stage: START }
    }

    /// Reads until a packet is complete or no more bytes have arrived.
    pub fn pull(&mut self, wires: &mut Wires, to: u32, host: &mut dyn Host) -> Progress {
        loop {
            let step = match std::mem::replace(&mut self.stage, START) {
                Stage::Start { bytes, have } => self.start(wires, to, host, bytes, have),
                Stage::Payload { cell, have, bulk } => {
                    self.payload(wires, to, host, cell, have, bulk)
                }
                Stage::Bulk { cell, place, have, bulk } if have == bulk => {
                    drop(place);
                    host.deliver(self.from, cell);
                    return Progress::Delivered;
                }
                Stage::Bulk { cell, place, have, bulk } => {
                    self.bulk(wires, to, cell, place, have, bulk)
                }
            };
            match step {
                Step::Next(stage) | Step::Again(stage) => self.stage = stage,
                Step::Stop(stage, progress) => {
                    self.stage = stage;
                    return progress;
                }
            }
        }
    }

    fn start(
        &self,
        wires: &mut Wires,
        to: u32,
        host: &mut dyn Host,
        mut bytes: [u8; 32],
        mut have: usize,
    ) -> Step {
        if have < bytes.len() {
            return match wires.read((self.from, to, self.lane), &mut bytes[have..]) {
                Found::Bytes(read) => {
                    have += read;
                    Step::Again(Stage::Start { bytes, have })
                }
                other => Step::Stop(Stage::Start { bytes, have }, stopped(other)),
            };
        }
        let (prefix, head) = bytes.split_at(PREFIX_BYTES);
        let bulk = u64::from_le_bytes(prefix.try_into().expect("eight bytes"));
        let header = Header::decode(head).expect("a header's length");
        let limits = wires.limits();
        if bulk > limits.bulk || usize::from(header.size) > limits.payload {
            let why = format!(
                "it announces a packet of {} bytes with a bulk payload of {bulk}",
                header.size
            );
            let failure = Failure::new(Fault::Malformed, why).about(self.from);
            return Step::Stop(START, Progress::Nonsense(failure));
        }
        match host.alloc(header.size.into()) {
            Some(mut cell) => {
                cell.frame_mut()[..HEADER_BYTES].copy_from_slice(head);
                Step::Next(Stage::Payload { cell, have: 0, bulk: bulk as usize })
            }
            None => Step::Stop(Stage::Start { bytes, have }, Progress::Stopped),
        }
    }

    fn payload(
        &self,
        wires: &mut Wires,
        to: u32,
        host: &mut dyn Host,
        mut cell: Cell,
        have: usize,
        bulk: usize,
    ) -> Step {
        let (header, payload) = cell.packet().expect("the cell was asked for with this size");
        let size = payload.len();
        if have == size {
            let place =
                if bulk == 0 { None } else { host.place(self.from, &header, payload, bulk) };
            if let Some(place) = &place {
                wires.note_registered(1, to, place.registration());
            }
            return Step::Next(Stage::Bulk { cell, place, have: 0, bulk });
        }
        match wires.read(
            (self.from, to, self.lane),
            &mut cell.frame_mut()[HEADER_BYTES + have..HEADER_BYTES + size],
        ) {
            Found::Bytes(read) => Step::Again(Stage::Payload { cell, have: have + read, bulk }),
            other => Step::Stop(Stage::Payload { cell, have, bulk }, stopped(other)),
        }
    }

    fn bulk(
        &self,
        wires: &mut Wires,
        to: u32,
        cell: Cell,
        mut place: Option<RegionMut>,
        have: usize,
        bulk: usize,
    ) -> Step {
        let mut bytes = [0; 4096];
        let most = bytes.len().min(bulk - have);
        match wires.read((self.from, to, self.lane), &mut bytes[..most]) {
            Found::Bytes(read) => {
                if let Some(place) = &mut place {
                    place.write(have, &bytes[..read]);
                }
                Step::Again(Stage::Bulk { cell, place, have: have + read, bulk })
            }
            other => Step::Stop(Stage::Bulk { cell, place, have, bulk }, stopped(other)),
        }
    }

    /// Drops an incomplete packet.
    pub fn abandon(&mut self, host: &mut dyn Host) {
        match std::mem::replace(&mut self.stage, START) {
            Stage::Start { .. } => {}
            Stage::Payload { cell, .. } | Stage::Bulk { cell, .. } => host.give_back(cell),
        }
    }
}

fn stopped(found: Found) -> Progress {
    match found {
        Found::End(end) => Progress::Ended(end),
        _ => Progress::Stopped,
    }
}
