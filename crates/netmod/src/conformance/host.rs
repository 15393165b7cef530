//! A host that records and checks what its module does.
//!
//! Sender, receiver and number determine a packet: header, payload and bulk payload follow from
//! them. The receiver therefore checks every bit without knowing what was sent.

#![allow(unsafe_code)]

use super::random::Random;
use crate::{Bounce, Cell, Failure, Host, Region, RegionMut, Token};
use nemesis_wire::{FIRST_CLIENT_KIND, HEADER_BYTES, Header};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ptr::NonNull;
use std::rc::Rc;

/// The cards of a job, by process.
pub type Cards = Rc<RefCell<Vec<Option<Vec<u8>>>>>;

/// One packet of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPacket {
    pub from: u32,
    pub to: u32,
    /// Number of the packet among the ordered or the unordered ones of its pair, from 1.
    pub number: u32,
    pub ordered: bool,
    pub size: usize,
    pub bulk: usize,
}

impl TestPacket {
    fn random(&self, what: u64) -> Random {
        Random::new(
            u64::from(self.from) << 48
                ^ u64::from(self.to) << 40
                ^ u64::from(self.number) << 4
                ^ u64::from(self.ordered) << 3
                ^ what,
        )
    }

    pub fn header(&self) -> Header {
        let mut random = self.random(1);
        Header {
            seq: if self.ordered { self.number } else { 0 },
            kind: FIRST_CLIENT_KIND + (random.next() % 100) as u8,
            flags: random.next() as u8,
            size: self.size as u16,
            context: self.bulk as u64,
            tag: random.next() as i32,
            rank: self.number,
        }
    }

    pub fn payload(&self) -> Vec<u8> {
        self.random(2).bytes(self.size)
    }

    pub fn bulk(&self) -> Vec<u8> {
        self.random(3).bytes(self.bulk)
    }

    /// Returns the key of the packet's bulk payload among those that are being received.
    fn key(&self) -> (u32, u32) {
        (self.from, if self.ordered { 0 } else { self.number })
    }

    fn of(from: u32, to: u32, header: &Header) -> TestPacket {
        TestPacket {
            from,
            to,
            number: header.rank,
            ordered: header.seq != 0,
            size: header.size.into(),
            bulk: header.context as usize,
        }
    }
}

/// The host of one process of a job.
pub struct TestHost {
    pub me: u32,
    cards: Cards,
    /// Memory of the cells, by number. The host holds the cells in `free`, the module the others.
    cells: Vec<Vec<u64>>,
    free: Vec<u64>,
    cell_payload: usize,
    /// While true, the host lends no cell.
    pub stingy: bool,
    /// While true, the host refuses bulk payloads.
    pub refuses_bulk: bool,
    /// Bulk payloads that are being sent.
    pub sending: HashMap<Token, Vec<u8>>,
    pub failed: HashMap<Token, Failure>,
    /// Bulk payloads that are being received, by sender and number of the unordered packet (0: the
    /// ordered one): the length asked for, and the bounce buffer.
    receiving: HashMap<(u32, u32), (usize, Option<Bounce>)>,
    /// Number of ordered packets received, by sender.
    pub received: Vec<u32>,
    /// Numbers of the unordered packets received, by sender.
    pub received_unordered: Vec<HashSet<u32>>,
    pub lost: HashMap<u32, Failure>,
    /// Processes that the test kills, and that may therefore be lost.
    pub may_be_lost: HashSet<u32>,
}

impl TestHost {
    pub fn new(me: usize, processes: usize, cards: Cards, cells: usize) -> TestHost {
        const CELL_PAYLOAD: usize = u16::MAX as usize;
        TestHost {
            me: me as u32,
            cards,
            cells: vec![vec![0; (HEADER_BYTES + CELL_PAYLOAD).div_ceil(8)]; cells],
            free: (0..cells as u64).collect(),
            cell_payload: CELL_PAYLOAD,
            stingy: false,
            refuses_bulk: false,
            sending: HashMap::new(),
            failed: HashMap::new(),
            receiving: HashMap::new(),
            received: vec![0; processes],
            received_unordered: vec![HashSet::new(); processes],
            lost: HashMap::new(),
            may_be_lost: HashSet::new(),
        }
    }

    /// Keeps a bulk payload at its address until its send completes.
    pub fn keep(&mut self, token: Token, bulk: Vec<u8>) -> Option<Region> {
        let bulk = self.sending.entry(token).or_insert(bulk);
        let address = NonNull::from(bulk.as_mut_slice()).cast();
        // SAFETY: the bytes stay in `sending`, unchanged, until the token completes.
        (!bulk.is_empty()).then(|| unsafe { Region::new(address, bulk.len()) })
    }

    /// Returns whether bytes of a bulk payload from `from` may have arrived.
    pub fn is_receiving(&self, from: u32) -> bool {
        self.receiving.keys().any(|(sender, _)| *sender == from)
    }

    pub fn has_all_cells(&self) -> bool {
        self.free.len() == self.cells.len()
    }

    fn check(&mut self, from: u32, header: Header, payload: &[u8]) {
        let packet = TestPacket::of(from, self.me, &header);
        if packet.ordered {
            let expected = self.received[from as usize] + 1;
            assert_eq!(
                packet.number, expected,
                "packet {expected} from {from} to {} comes next",
                self.me
            );
            self.received[from as usize] = expected;
        } else {
            let is_new = self.received_unordered[from as usize].insert(packet.number);
            assert!(is_new, "{packet:?} arrives once");
        }
        assert_eq!(header, packet.header(), "the header of {packet:?}");
        assert!(payload == packet.payload(), "the payload of {packet:?}");
        let (asked, bulk) = self.receiving.remove(&packet.key()).unwrap_or_default();
        assert_eq!(
            asked, packet.bulk,
            "the module has asked for the destination of the bulk payload of {packet:?}"
        );
        if let Some(mut bulk) = bulk {
            let bulk = bulk
                .bytes()
                .expect("a module releases a bulk payload's memory before it delivers the packet");
            assert!(bulk == packet.bulk(), "the bulk payload of {packet:?}");
        }
    }

    fn take_cell_back(&mut self, cell: Cell) {
        assert!(
            !self.free.contains(&cell.id()) && (cell.id() as usize) < self.cells.len(),
            "a cell is given back once"
        );
        self.free.push(cell.id());
    }
}

impl Host for TestHost {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.cards.borrow().get(process as usize)?.clone()
    }

    fn alloc(&mut self, payload: usize) -> Option<Cell> {
        assert!(payload <= self.cell_payload, "no packet has {payload} bytes of payload");
        if self.stingy {
            return None;
        }
        let id = self.free.pop()?;
        let memory = NonNull::from(self.cells[id as usize].as_mut_slice()).cast();
        // SAFETY: the memory is aligned to 8 bytes and long enough. It was free, so that nothing
        // else uses it. It keeps its address as long as the host, which outlives the module.
        Some(unsafe { Cell::new(id, memory, self.cell_payload) })
    }

    fn deliver(&mut self, from: u32, cell: Cell) {
        assert!(!self.lost.contains_key(&from), "a lost process sends nothing");
        let (header, payload) = cell.packet().expect("a packet fits its cell");
        self.check(from, header, payload);
        self.take_cell_back(cell);
    }

    fn give_back(&mut self, cell: Cell) {
        self.take_cell_back(cell);
    }

    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let packet = TestPacket::of(from, self.me, header);
        assert!(
            bytes == packet.bulk && payload == packet.payload(),
            "a module asks for a destination when the payload has arrived: {packet:?}"
        );
        if packet.ordered {
            assert_eq!(
                packet.number,
                self.received[from as usize] + 1,
                "a module asks for a destination after it has delivered all earlier packets: \
                 {packet:?}"
            );
        }
        let (bulk, place) = if self.refuses_bulk { None } else { Some(Bounce::new(bytes)) }.unzip();
        assert!(
            self.receiving.insert(packet.key(), (bytes, bulk)).is_none(),
            "a module asks once for the destination of {packet:?}, and one ordered bulk payload at \
             a time comes from {from}"
        );
        place
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        assert!(self.sending.remove(&token).is_some(), "token {token} is pending");
        if let Err(failure) = outcome {
            self.failed.insert(token, failure);
        }
    }

    fn lost(&mut self, process: u32, failure: Failure) {
        assert!(
            self.may_be_lost.contains(&process),
            "process {} lost process {process}: {failure}",
            self.me
        );
        assert!(
            self.lost.insert(process, failure).is_none(),
            "the loss of process {process} is reported once"
        );
        for (_, (_, bulk)) in self.receiving.extract_if(|(from, _), _| *from == process) {
            assert!(
                bulk.is_none_or(|mut bulk| bulk.bytes().is_some()),
                "a module releases a bulk payload's memory before it reports its sender lost"
            );
        }
    }
}
