//! Tests of valid requests, and of all kinds of invalid ones.

use super::*;
use crate::control::Control;
use crate::device::{DeviceMemory, Run};
use crate::elements::Sharing;
use crate::error::ErrorClass;
use crate::remote::packet::TypeName;
use nemesis::wire::{kind, word};
use nemesis::{Memory, Tunables};
use nemesis_datatype::Datatype;
use nemesis_wireup::Wireup;
use std::sync::{Arc, Mutex};

const INT: usize = 0x209;
const SHORT_INT: usize = 0x22c;
const SUM: i32 = 0x21;
const REPLACE: i32 = 0x3c;
const NO_OP: i32 = 0x3d;
const BYTES: usize = 64;

/// The state of a job of one process, which serves a window of `BYTES` bytes to process 7, the
/// window's rank 1.
struct World {
    _endpoint: Endpoint,
    _memory: Memory,
    served: Served,
    /// Numbers of the requests so far.
    number: u64,
    window: Vec<i32>,
}

fn world() -> World {
    let mut wireup = Wireup::connect().unwrap();
    let mut endpoint = Endpoint::join(&mut wireup, &Tunables::from_environment().unwrap()).unwrap();
    let mut memory = endpoint.take_memory().unwrap();
    let area = MemoryRegion::owned(BYTES, 64).unwrap();
    let block = memory.allocate(Control::bytes(2, 2), 1).unwrap();
    let control = Control::new(block.shared, 2, 2);
    let part = Part {
        key: 99,
        rank: 0,
        processes: vec![0, 7],
        disp_unit: 4,
        dynamic: false,
        areas: vec![area],
        device: None,
        devices: AttachedDevices::default(),
        sharing: Sharing::Mapped,
        control,
        order: memory.order(),
    };
    let mut served = Served::new();
    served.open(42, part);
    World { _endpoint: endpoint, _memory: memory, served, number: 0, window: Vec::new() }
}

const GOOD: Ask = Ask {
    context: 42,
    key: 99,
    rank: 1,
    verb: Verb::Put,
    op: 0,
    disp: 2,
    count: 1,
    bytes: 4,
    datatype: TypeName::Predefined(INT),
};

/// Memory of a device: bytes, and a shadow. It notes what is copied.
#[derive(Debug)]
struct Bytes {
    device: Mutex<Vec<u8>>,
    shadow: MemoryRegion,
    copied: Mutex<Vec<(&'static str, Run)>>,
}

impl DeviceMemory for Bytes {
    fn address(&self) -> usize {
        self.device.lock().unwrap().as_ptr().addr()
    }

    fn shadow(&self) -> &MemoryRegion {
        &self.shadow
    }

    fn spanning(&self, _address: usize, _bytes: usize) -> Outcome<Arc<dyn DeviceMemory>> {
        Err(refusal(abi::MPI_ERR_OTHER, "this memory lies alone"))
    }

    fn fetch(&self, runs: &mut dyn Iterator<Item = Run>) -> Outcome {
        for (offset, bytes) in runs {
            self.shadow.put_bytes(offset, &self.device.lock().unwrap()[offset..offset + bytes]);
            self.copied.lock().unwrap().push(("fetch", (offset, bytes)));
        }
        Ok(())
    }

    fn store(&self, runs: &mut dyn Iterator<Item = Run>) -> Outcome {
        for (offset, bytes) in runs {
            let mut device = self.device.lock().unwrap();
            self.shadow.get_bytes(offset, &mut device[offset..offset + bytes]);
            self.copied.lock().unwrap().push(("store", (offset, bytes)));
        }
        Ok(())
    }
}

#[test]
fn memory_of_a_device_is_copied_where_accesses_touch_it() {
    let mut world = world();
    let part = world.served.service.parts.get_mut(&42).unwrap();
    let shadow = part.areas[0].clone();
    // What the shadow held before is no data of the window.
    shadow.put_bytes(0, &[0xee; BYTES]);
    let device = Mutex::new(vec![1; BYTES]);
    let memory = Arc::new(Bytes { device, shadow, copied: Mutex::default() });
    part.device = Some(memory.clone());
    let device_at = |at: usize| {
        let device = memory.device.lock().unwrap();
        i32::from_ne_bytes(device[4 * at..4 * at + 4].try_into().unwrap())
    };
    let copied = || std::mem::take(&mut *memory.copied.lock().unwrap());
    let ones = i32::from_ne_bytes([1; 4]);
    let seven = 7i32.to_ne_bytes();
    let described =
        Datatype::hvector(2, 1, 8, Datatype::predefined(INT).unwrap()).unwrap().serialize();
    let gaps = Ask { datatype: TypeName::Described(described.len()), bytes: 8, ..GOOD };
    world.ask(7, gaps, &[&described[..], &seven, &seven].concat());
    assert_eq!(copied(), [("store", (8, 4)), ("store", (16, 4))]);
    assert_eq!([2, 3, 4].map(device_at), [7, ones, 7]);
    world.ask(7, Ask { verb: Verb::Accumulate, op: SUM, disp: 3, ..GOOD }, &seven);
    assert_eq!(copied(), [("fetch", (12, 4)), ("store", (12, 4))]);
    assert_eq!(device_at(3), ones + 7);
    world.ask(7, Ask { verb: Verb::Fetch, op: NO_OP, disp: 5, ..GOOD }, &[]);
    assert_eq!(copied(), [("fetch", (20, 4))], "what is only read is not written");
    assert_eq!(
        world.served.requests.results().last(),
        Some(&Answer::Bytes(ones.to_ne_bytes().into()))
    );
    world.ask(7, Ask { verb: Verb::Swap, disp: 4, ..GOOD }, &[seven, [9; 4]].concat());
    assert_eq!((copied().len(), device_at(4)), (2, i32::from_ne_bytes([9; 4])));
    assert_eq!(world.served.refused(), 0);
}

impl World {
    fn send(&mut self, origin: u32, header: Header, payload: &[u8]) {
        self.served.take(origin, &header, payload).unwrap();
    }

    fn ask(&mut self, origin: u32, ask: Ask, stream: &[u8]) {
        self.number += 1;
        let payload = [&self.number.to_le_bytes()[..], &ask.front(), stream].concat();
        self.send(origin, asking(&ask), &payload);
    }

    /// Sends a further part of the last request's stream.
    fn go_on(&mut self, from: u64, stream: &[u8]) {
        let header = Header { kind: kind::AM_DATA, context: self.number, ..Header::default() };
        self.send(7, header, &[&from.to_le_bytes()[..], stream].concat());
    }

    /// Returns the number of the last request of process 7 that is done.
    fn done(&self) -> Option<u64> {
        self.served.requests.last_done(7)
    }

    fn look(&mut self) -> &[i32] {
        let datatype = Datatype::predefined(INT).unwrap();
        let place =
            self.served.service.parts[&42].areas[0].resolve(0, BYTES as i64 / 4, datatype).unwrap();
        let mut bytes = [0; BYTES];
        place.get_at(0, &mut bytes);
        self.window = bytes.as_chunks().0.iter().copied().map(i32::from_ne_bytes).collect();
        &self.window
    }

    /// Returns the error class of the last refusal.
    fn refusal(&self) -> ErrorClass {
        let told = self.served.requests.last_refusal().expect("a refusal");
        ErrorClass(word(told, 1).unwrap() as i32)
    }
}

/// Returns the header of a request's first packet.
fn asking(ask: &Ask) -> Header {
    Header { kind: kind::AM_ASK, ..ask.header() }
}

#[test]
fn an_invalid_request_is_refused_and_accesses_no_memory() {
    let mut world = world();
    let seven = 7i32.to_ne_bytes();
    world.ask(7, GOOD, &seven);
    world.ask(7, Ask { verb: Verb::Accumulate, op: SUM, ..GOOD }, &seven);
    assert_eq!((world.look()[2], world.served.refused(), world.done()), (14, 0, Some(2)));
    let described =
        Datatype::hvector(2, 1, 8, Datatype::predefined(INT).unwrap()).unwrap().serialize();
    let derived = Ask { datatype: TypeName::Described(described.len()), bytes: 8, ..GOOD };
    world.ask(7, derived, &[&described[..], &seven, &seven].concat());
    assert_eq!(world.look()[2..5], [7, 0, 7]);
    let before = world.look().to_vec();
    let wrong: [(Ask, ErrorClass); 12] = [
        (Ask { key: 98, ..GOOD }, abi::MPI_ERR_WIN),
        (Ask { context: 43, ..GOOD }, abi::MPI_ERR_WIN),
        (Ask { rank: 0, ..GOOD }, abi::MPI_ERR_RANK),
        (Ask { rank: 5, ..GOOD }, abi::MPI_ERR_RANK),
        (Ask { disp: 16, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
        (Ask { disp: -1, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
        (Ask { disp: i64::MAX, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
        (Ask { count: i64::MAX, ..GOOD }, abi::MPI_ERR_RMA_RANGE),
        (Ask { count: -1, ..GOOD }, abi::MPI_ERR_COUNT),
        (Ask { count: 2, ..GOOD }, abi::MPI_ERR_TYPE),
        (Ask { datatype: TypeName::Predefined(1), ..GOOD }, abi::MPI_ERR_TYPE),
        (Ask { verb: Verb::Accumulate, op: 0x7fff, ..GOOD }, abi::MPI_ERR_OP),
    ];
    for (index, (ask, class)) in wrong.into_iter().enumerate() {
        world.ask(7, ask, &seven);
        assert_eq!(world.refusal(), class, "{ask:?}");
        let found = (world.served.refused(), world.done());
        assert_eq!(found, (index as u64 + 1, Some(world.number)));
    }
    refuses_more_data_than_memory(&mut world);
    // From a process that is not in the window, and packets that belong to no request.
    world.ask(6, GOOD, &seven);
    assert_eq!(world.refusal(), abi::MPI_ERR_RANK);
    world.go_on(0, &seven);
    world.send(7, asking(&GOOD), &[1, 2, 3]);
    world.ask(7, Ask { bytes: 4, ..GOOD }, &[0; 400]);
    world.ask(7, Ask { verb: Verb::Unlock, ..GOOD }, &[]);
    assert_eq!(world.served.refused(), 22);
    assert_eq!(world.look(), before);
}

/// Sends requests with overlapping elements whose data exceed the offered memory, and with nested
/// datatypes that have too many parts to enumerate.
fn refuses_more_data_than_memory(world: &mut World) {
    let int = Datatype::predefined(INT).unwrap();
    let piled = Datatype::hvector(1 << 50, 1, 0, int).unwrap();
    let pair = Datatype::predefined(SHORT_INT).unwrap();
    let twice = |length| {
        move |part: Datatype, _| {
            Datatype::structure(&[length, length], &[0, 0], &[part.clone(), part]).unwrap()
        }
    };
    let (full, hollow) =
        ((0..59).fold(pair.clone(), twice(1)), (0..60).fold(pair.clone(), twice(0)));
    let wrong = [
        (&piled, Verb::Fetch, NO_OP),
        (&piled, Verb::Fetch, SUM),
        (&piled, Verb::Accumulate, SUM),
        (&full, Verb::Accumulate, REPLACE),
        (&hollow, Verb::Accumulate, REPLACE),
    ];
    for (datatype, verb, op) in wrong {
        let description = datatype.serialize();
        let named = TypeName::Described(description.len());
        world.ask(
            7,
            Ask { verb, op, disp: 0, bytes: datatype.size() as u64, datatype: named, ..GOOD },
            &description,
        );
        assert_eq!(world.refusal(), abi::MPI_ERR_TYPE, "{verb:?} {op:#x}");
    }
}

#[test]
fn parts_without_data_cost_nothing() {
    let mut world = world();
    let int = Datatype::predefined(INT).unwrap();
    let empty = Datatype::contiguous(0, int).unwrap();
    let nothing = (0..60).fold(empty, |part, _| {
        Datatype::structure(&[1, 1], &[0, 0], &[part.clone(), part]).unwrap()
    });
    let datatype = Datatype::structure(&[1, 1], &[0, 0], &[nothing, int.clone()]).unwrap();
    let description = datatype.serialize();
    let ask = Ask { datatype: TypeName::Described(description.len()), ..GOOD };
    world.ask(7, ask, &[&description[..], &7i32.to_ne_bytes()].concat());
    for verb in [Verb::Accumulate, Verb::Fetch] {
        world.ask(
            7,
            Ask { verb, op: SUM, ..ask },
            &[&description[..], &7i32.to_ne_bytes()].concat(),
        );
    }
    assert_eq!((world.look()[2], world.served.refused(), world.done()), (21, 0, Some(3)));
}

#[test]
fn data_of_several_packets_is_written_in_order() {
    let mut world = world();
    let words: Vec<u8> = (0..8i32).flat_map(i32::to_ne_bytes).collect();
    let long = Ask { count: 8, bytes: 32, ..GOOD };
    world.ask(7, long, &words[..4]);
    assert_eq!(world.done(), None);
    world.go_on(4, &words[4..20]);
    world.go_on(20, &words[20..]);
    let done = world.done();
    assert_eq!((done, &world.look()[2..10]), (Some(1), &[0, 1, 2, 3, 4, 5, 6, 7][..]));
    // The target grants a lock when it is free, and releases the locks of a lost process.
    world.ask(7, Ask { verb: Verb::LockExclusive, ..GOOD }, &[]);
    world.served.grant_locks();
    assert!(!world.served.service.parts[&42].control.try_lock(0, false));
    world.served.lose(7);
    assert!(world.served.service.parts[&42].control.try_lock(0, true));
}
