//! A client with memory: requests over a network with trouble beside an oracle, and packets that no
//! honest origin sends.

use super::*;
use crate::tunables::Tunables;
use nemesis_shm::span::Span;
use nemesis_wire::{word, words};
use nemesis_wireup::Wireup;
use proptest::prelude::*;

const ORIGIN: u32 = 7;
const WRITE: u8 = 1;
const READ: u8 = 2;

/// Memory, into which requests write and from which they read: flag, place and length.
struct Memory {
    span: Span,
    refused: Vec<&'static str>,
    places: usize,
}

struct Asked {
    is_read: bool,
    start: usize,
    bytes: usize,
}

impl Serve for Memory {
    const FRONT_BYTES: usize = 16;
    type Request = Asked;
    type Result = (usize, usize);
    type Refusal = &'static str;

    fn begin(
        &mut self,
        _origin: u32,
        header: &Header,
        _number: u64,
        front: &[u8],
    ) -> Result<(Asked, usize), &'static str> {
        let at = |index| word(front, index).map(|word| word as usize).ok_or("short");
        let (is_read, start, bytes) = (header.flags == READ, at(0)?, at(1)?);
        Ok((Asked { is_read, start, bytes }, if is_read { 0 } else { bytes }))
    }

    fn take(
        &mut self,
        _origin: u32,
        asked: &mut Asked,
        from: usize,
        bytes: &[u8],
        last: bool,
    ) -> Result<Option<(usize, (usize, usize))>, &'static str> {
        if asked.is_read {
            assert!(last && self.span.has(asked.start, asked.bytes));
            return Ok(Some((asked.bytes, (asked.start, asked.bytes))));
        }
        if self.span.write(asked.start + from, bytes) { Ok(None) } else { Err("outside") }
    }

    fn place(
        &mut self,
        _origin: u32,
        asked: &mut Asked,
        from: usize,
        bytes: usize,
    ) -> Option<RegionMut> {
        self.places += 1;
        // Every second one has no one place.
        let place = RegionMut::of_span(&self.span, asked.start + from, bytes);
        place.filter(|_| self.places.is_multiple_of(2))
    }

    fn read(
        &mut self,
        _to: u32,
        &(start, _): &(usize, usize),
        from: usize,
        space: &mut [u8],
    ) -> Result<(), &'static str> {
        if self.span.read(start + from, space) { Ok(()) } else { Err("outside") }
    }

    fn region(
        &self,
        _: u32,
        &(start, _): &(usize, usize),
        from: usize,
        bytes: usize,
    ) -> Option<Region> {
        Region::of_span(&self.span, start + from, bytes)
    }

    fn malformed(&mut self, _header: &Header, why: &'static str) -> &'static str {
        why
    }

    fn refuse(&mut self, _: u32, _: Option<&Asked>, why: &'static str) -> Box<[u8]> {
        self.refused.push(why);
        why.as_bytes().into()
    }
}

/// A target with `BYTES` bytes of memory.
type Process = (Target<Memory>, Memory);

const BYTES: usize = 20_000;

fn target() -> Process {
    let mut wireup = Wireup::connect().unwrap();
    let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default()).unwrap();
    let block = endpoint.take_memory().unwrap().allocate(BYTES, 1).unwrap();
    let span = Span::of_shared(block.shared).first(BYTES);
    (Target::new(0), Memory { span, refused: Vec::new(), places: 0 })
}

fn ask(flags: u8, number: u64, start: usize, bytes: usize) -> (Header, Vec<u8>) {
    let front = words([number, start as u64, bytes as u64]);
    (Header { kind: kind::AM_ASK, flags, ..Header::default() }, front.as_bytes().to_vec())
}

/// A packet of a request with `part` bytes of value `value`, which travel in it or behind it.
fn deliver(
    (target, memory): &mut Process,
    mut header: Header,
    payload: &[u8],
    part: usize,
    value: u8,
    is_bulk: bool,
) {
    if is_bulk {
        header.flags |= BULK;
        if let Some(mut place) = target.place(memory, ORIGIN, &header, payload, part) {
            place.write(0, &vec![value; part]);
        }
        target.take(memory, ORIGIN, &header, payload).unwrap();
    } else {
        let payload = [payload, &vec![value; part]].concat();
        target.take(memory, ORIGIN, &header, &payload).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Streams are written part by part, in packets and as bulk payloads in any mixture.
    #[test]
    fn streams_arrive_whole(
        parts in prop::collection::vec((1..2000_usize, any::<bool>()), 1..8),
        start in 0..100_usize,
    ) {
        let bytes = parts.iter().map(|&(part, _)| part).sum();
        let mut to = target();
        let (first, front) = ask(WRITE, 1, start, bytes);
        let mut sent = 0;
        for (index, &(part, is_bulk)) in parts.iter().enumerate() {
            let (header, payload) = match index {
                0 => (first, front.clone()),
                _ => (super::header(kind::AM_DATA, 1), (sent as u64).to_le_bytes().to_vec()),
            };
            prop_assert!(to.0.last_done(ORIGIN).is_none());
            deliver(&mut to, header, &payload, part, index as u8 + 1, is_bulk);
            sent += part;
        }
        prop_assert_eq!(to.0.last_done(ORIGIN), Some(1));
        let mut found = vec![0; BYTES];
        prop_assert!(to.1.span.read(0, &mut found) && to.1.refused.is_empty());
        let mut expected = vec![0; start];
        for (index, &(part, _)) in parts.iter().enumerate() {
            expected.extend(vec![index as u8 + 1; part]);
        }
        expected.resize(BYTES, 0);
        prop_assert!(found == expected);
    }
}

#[test]
fn packets_that_fit_no_request_are_refused() {
    let mut to = target();
    let refused = |to: &mut Process, why: &str| {
        assert_eq!(std::mem::take(&mut to.1.refused), [why]);
    };
    let word = |number: u64| number.to_le_bytes();
    // A front that is too short, and a part of no request.
    let (asked, front) = ask(WRITE, 1, 0, 100);
    deliver(&mut to, asked, &front[..20], 0, 0, false);
    refused(&mut to, "it is too short");
    deliver(&mut to, header(kind::AM_DATA, 1), &word(0), 10, 1, false);
    refused(&mut to, "it belongs to no request");
    // A part with a wrong offset, or a wrong number.
    for (number, offset) in [(1, 9), (2, 10)] {
        deliver(&mut to, asked, &front, 10, 1, false);
        deliver(&mut to, header(kind::AM_DATA, number), &word(offset), 10, 1, false);
        refused(&mut to, "it belongs to no request");
    }
    // Bulk payloads longer than the rest, one that does not come, and one that nobody announced.
    deliver(&mut to, asked, &front, 101, 1, true);
    refused(&mut to, "its bulk payload does not fit");
    let with_bulk = Header { flags: WRITE | BULK, ..asked };
    to.0.take(&mut to.1, ORIGIN, &with_bulk, &front).unwrap();
    refused(&mut to, "its bulk payload does not fit");
    assert!(to.0.place(&mut to.1, ORIGIN, &asked, &front, 100).is_none());
    let place = to.0.place(&mut to.1, ORIGIN, &with_bulk, &front, 50);
    assert!(to.0.place(&mut to.1, ORIGIN, &with_bulk, &front, 50).is_none(), "one at a time");
    drop(place);
    to.0.take(&mut to.1, ORIGIN, &asked, &front).unwrap();
    refused(&mut to, "its bulk payload does not fit");
    // A request that begins before the last one has ended, and one with too many bytes.
    deliver(&mut to, asked, &front, 10, 1, false);
    deliver(&mut to, asked, &front, 100, 2, false);
    refused(&mut to, "its data did not arrive before the next request");
    deliver(&mut to, asked, &front, 101, 3, false);
    refused(&mut to, "the request has more data than it announced");
    let mut found = [0; 101];
    assert!(to.1.span.read(0, &mut found) && found[..100] == [2; 100] && found[100] == 0);
}

#[test]
fn the_rest_of_a_refused_request_is_skipped() {
    let mut to = target();
    let (asked, front) = ask(WRITE, 1, BYTES - 10, 40);
    deliver(&mut to, asked, &front, 10, 1, false);
    deliver(&mut to, header(kind::AM_DATA, 1), &10u64.to_le_bytes(), 10, 1, false);
    assert_eq!(to.1.refused, ["outside"]);
    deliver(&mut to, header(kind::AM_DATA, 1), &20u64.to_le_bytes(), 10, 1, true);
    assert!(to.0.last_done(ORIGIN).is_none());
    deliver(&mut to, header(kind::AM_DATA, 1), &30u64.to_le_bytes(), 10, 1, false);
    assert_eq!((to.1.refused.len(), to.0.last_done(ORIGIN)), (1, Some(1)));
    // What follows is served, and is not confirmed if it is quiet.
    let (asked, front) = ask(WRITE, 2, 0, 4);
    let quiet = Header { flags: WRITE | QUIET, ..asked };
    deliver(&mut to, quiet, &front, 4, 5, false);
    assert_eq!((to.1.refused.len(), to.0.last_done(ORIGIN)), (1, Some(1)));
    let mut found = [0; 5];
    assert!(to.1.span.read(0, &mut found) && found == [5, 5, 5, 5, 0]);
    to.0.lose(ORIGIN);
    assert!(!to.0.is_busy());
}

/// What a request writes, or where its result goes.
struct Local {
    flags: u8,
    start: usize,
    memory: Span,
    takes_places: bool,
}

impl Ask for Local {
    fn header(&self) -> Header {
        Header { flags: self.flags, ..Header::default() }
    }

    fn front(&self, into: &mut [u8]) -> usize {
        let front = words([self.start as u64, self.memory.bytes() as u64]);
        into[..16].copy_from_slice(front.as_bytes());
        16
    }

    fn bytes(&self) -> usize {
        if self.flags == READ { 0 } else { self.memory.bytes() }
    }

    fn fill(&self, from: usize, space: &mut [u8]) -> usize {
        let part = space.len().min(Ask::bytes(self) - from);
        assert!(self.memory.read(from, &mut space[..part]));
        part
    }

    fn region(&self, from: usize, bytes: usize) -> Option<Region> {
        Region::of_span(&self.memory, from, bytes)
    }
}

impl Answer for Local {
    fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    fn take(&mut self, from: usize, bytes: &[u8]) {
        assert!(self.memory.write(from, bytes));
    }

    fn place(&mut self, from: usize, bytes: usize) -> Option<RegionMut> {
        RegionMut::of_span(&self.memory, from, bytes).filter(|_| self.takes_places)
    }
}

#[test]
fn answers_to_nothing_are_malformed_and_those_of_a_lost_process_end() {
    let (_, memory) = target();
    let local = |flags| Local { flags, start: 0, memory: memory.span.clone(), takes_places: true };
    let mut origin: Origin<Local, Local> = Origin::new(100);
    let result = |number| header(kind::AM_RESULT, number);
    assert!(origin.take(3, &result(1), &[0; 16]).is_none(), "nothing was asked");
    assert_eq!(origin.ask(3, local(WRITE), None), 1);
    assert_eq!(origin.ask(3, local(READ), Some(local(READ))), 2);
    assert!(!origin.is_done(3, 1) && origin.is_open(3, 2) && !origin.is_open(3, 1));
    for (about, payload) in [
        (result(1), vec![0; 16]),
        (result(2), vec![1; 16]),
        (result(2), vec![0; 8 + BYTES + 1]),
        (result(2), vec![0; 4]),
        (header(kind::AM_DONE, 3), vec![]),
        (header(kind::AM_ASK, 1), vec![0; 16]),
    ] {
        assert!(origin.take(3, &about, &payload).is_none(), "{about:?}");
    }
    let part = [&0u64.to_le_bytes()[..], &[9; 100]].concat();
    assert!(matches!(origin.take(3, &result(2), &part), Some(Answered::Partly)));
    let offset = 100u64.to_le_bytes();
    assert!(origin.place(3, &result(2), &offset, BYTES - 99).is_none(), "it is too long");
    let mut place = origin.place(3, &result(2), &offset, BYTES - 100).unwrap();
    place.write(0, &vec![8; BYTES - 100]);
    assert!(origin.place(3, &result(2), &offset, BYTES - 100).is_none(), "one at a time");
    drop(place);
    assert!(matches!(origin.take(3, &result(2), &offset), Some(Answered::Result(2, _))));
    let mut found = vec![0; BYTES];
    assert!(memory.span.read(0, &mut found) && found[99..101] == [9, 8]);
    assert!(matches!(
        origin.take(3, &header(kind::AM_REFUSED, 1), &[]),
        Some(Answered::Refused(1, None))
    ));
    assert_eq!(origin.unsent().count(), 2);
    origin.ask(3, local(READ), Some(local(READ)));
    let lost = origin.lose(3).unwrap();
    assert_eq!((lost.asks.len(), lost.results.len(), lost.done), (3, 1, 0));
    assert!(!origin.is_busy() && origin.take(3, &header(kind::AM_DONE, 1), &[]).is_none());
}
