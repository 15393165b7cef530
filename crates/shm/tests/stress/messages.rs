//! Ways of a message: the queue with its cells, the fastbox beside the queue, foreign fastboxes,
//! long packets and handoff buffers.

use super::harness::{Clock, Random, Worker, stress};
use super::{Mailbox, check, fill, segment};
use nemesis_shm::fastbox::{BOX_LINES, Consumer, MappedLines, Producer, max_payload};
use nemesis_shm::foreign_box::ForeignBox;
use nemesis_shm::long_packet::{ChunkMode, LongPacket};
use nemesis_shm::queue::{self, push};
use nemesis_shm::segment::{Cell, Segment};
use nemesis_wire::{FIRST_CLIENT_KIND, Header, LINE_PAYLOAD_BYTES, Seq, next_seq};

/// Tag of the last packet of a sender.
const LAST: i32 = -1;
/// The receiver's slot; the senders have the next ones.
const RECEIVER: usize = 0;
/// A number of a pair's first packet after which the numbers soon wrap around.
const FIRST: Seq = Seq::MAX - 5000;

fn header(seq: Seq, size: usize, is_last: bool) -> Header {
    let tag = if is_last { LAST } else { seq as i32 & 0xffff };
    Header {
        seq,
        kind: FIRST_CLIENT_KIND,
        size: size as u16,
        context: seq.into(),
        tag,
        ..Header::default()
    }
}

/// Panics unless the packet is number `expected`, whole. Returns whether it is its sender's last.
fn examine(header_found: &Header, payload: &[u8], expected: Seq) -> bool {
    let is_last = header_found.tag == LAST;
    assert_eq!(*header_found, header(expected, payload.len(), is_last), "packet {expected}");
    check(expected.into(), payload);
    is_last
}

/// The cells of a sender.
struct Cells {
    segment: Segment,
    slot: usize,
    own: Vec<u64>,
    returned: queue::Consumer,
}

impl Cells {
    fn new(segment: Segment, slot: usize, count: usize) -> Cells {
        let own = (0..count).map(|index| segment.body(slot).cell_offset(index)).collect();
        Cells { segment, slot, own, returned: queue::Consumer::default() }
    }

    fn find(&mut self) -> Option<u64> {
        let free = self.segment.slot(self.slot).free_queue();
        self.own.pop().or_else(|| self.returned.pop(free, &self.segment))
    }

    /// Sends a packet through a cell, if one is free.
    fn try_send(&mut self, header: &Header, payload: &[u8]) -> bool {
        let Some(offset) = self.find() else { return false };
        self.segment.cell(offset).fill(self.slot as u32, header, payload);
        push(self.segment.slot(RECEIVER).receive_queue(), &self.segment, offset);
        true
    }
}

/// Takes the next cell of the receiver, if there is one.
fn pop(segment: &Segment, consumer: &mut queue::Consumer) -> Option<Cell> {
    let offset = consumer.pop(segment.slot(RECEIVER).receive_queue(), segment)?;
    Some(segment.cell(offset))
}

fn give_back(segment: &Segment, cell: &Cell) {
    push(segment.home_of(cell).free_queue(), segment, cell.offset());
}

/// Three senders with few cells: each cell goes to the receiver and comes back.
#[test]
fn cells_are_neither_lost_nor_doubled() {
    const SENDERS: usize = 3;
    let segment = segment(1 + SENDERS);
    let sender = |slot: usize| {
        Worker::new(move |clock| {
            let mut cells = Cells::new(segment, slot, 3);
            let mut random = Random::new(slot as u64);
            let mut payload = [0; 300];
            let mut seq = FIRST;
            loop {
                let is_last = !clock.goes_on();
                let size = random.below(payload.len() as u64) as usize;
                fill(seq.into(), &mut payload[..size]);
                let header = header(seq, size, is_last);
                clock.wait_for("a free cell", || cells.try_send(&header, &payload[..size]));
                if is_last {
                    break;
                }
                seq = next_seq(seq);
            }
            // All cells come back, once each.
            let mut back = Vec::new();
            clock.wait_for("the cells of a sender", || {
                back.extend(cells.find());
                back.len() == 3
            });
            back.sort_unstable();
            back.dedup();
            assert!(back.len() == 3 && cells.find().is_none(), "a cell came back twice");
        })
    };
    let receiver = Worker::new(move |clock| {
        let (mut consumer, mut random) = (queue::Consumer::default(), Random::new(99));
        let (mut expected, mut ended) = ([FIRST; SENDERS], 0);
        let mut kept: Vec<Cell> = Vec::new();
        while ended < SENDERS {
            let mut cell = None;
            let back = |cell: Cell| give_back(&segment, &cell);
            clock.wait(
                "a cell of a sender",
                || {
                    cell = pop(&segment, &mut consumer);
                    cell.is_some()
                },
                || kept.drain(..).for_each(back),
            );
            let cell = cell.expect("waited for it");
            let (origin, header, payload) = cell.packet();
            let sender = origin as usize - 1;
            ended += usize::from(examine(&header, payload, expected[sender]));
            expected[sender] = next_seq(expected[sender]);
            // A cell may come back later than those after it.
            kept.push(cell);
            if random.once_in(3) {
                let index = random.below(kept.len() as u64) as usize;
                back(kept.swap_remove(index));
            }
        }
        kept.drain(..).for_each(|cell| give_back(&segment, &cell));
    });
    stress((1..=SENDERS).map(sender).chain([receiver]).collect());
}

/// Sends packets by a fastbox and, at times, by the queue.
fn send_both_ways(
    clock: &Clock,
    mut producer: Producer<MappedLines>,
    mut cells: Option<Cells>,
) -> MappedLines {
    let mut random = Random::new(2);
    let most = max_payload(BOX_LINES);
    let mut payload = vec![0; most];
    let mut seq = FIRST;
    loop {
        let is_last = !clock.goes_on();
        let size = match random.below(8) {
            0 => random.below(most as u64 + 1) as usize,
            1..4 => random.below(400) as usize,
            _ => random.below(LINE_PAYLOAD_BYTES as u64 + 1) as usize,
        };
        fill(seq.into(), &mut payload[..size]);
        let (header, payload) = (header(seq, size, is_last), &payload[..size]);
        let by_queue = random.once_in(16);
        clock.wait_for("space for a packet", || {
            let mut cells = cells.as_mut().filter(|_| by_queue);
            if cells.as_mut().is_some_and(|cells| cells.try_send(&header, payload)) {
                producer.bypassed(seq);
                return true;
            }
            producer.try_send(&header, payload)
        });
        seq = next_seq(seq);
        if is_last {
            break producer.into_lines();
        }
    }
}

/// Receives packets in their order, by one of the functions of a fastbox, or by the queue.
fn receive_both_ways(
    clock: &Clock,
    mut consumer: Consumer<MappedLines>,
    segment: Option<Segment>,
) -> MappedLines {
    let (mut random, mut queue) = (Random::new(3), queue::Consumer::default());
    let mut expected = FIRST;
    let mut parked: Option<Cell> = None;
    let mut has_ended = false;
    while !has_ended {
        let way = random.below(3);
        clock.wait_for("the next packet", || {
            if let Some(segment) = &segment {
                parked = parked.take().or_else(|| pop(segment, &mut queue));
                if let Some(cell) = parked.take_if(|cell| cell.packet().1.seq == expected) {
                    let (_, header, payload) = cell.packet();
                    has_ended = examine(&header, payload, expected);
                    give_back(segment, &cell);
                    consumer.bypassed(expected);
                    expected = next_seq(expected);
                    return true;
                }
            }
            match way {
                0 => {
                    let mut next = expected;
                    let taken = consumer.drain(&mut next, 20, 10, |header, payload| {
                        // A SKIP is left to the slow path.
                        if header.kind != FIRST_CLIENT_KIND {
                            return false;
                        }
                        has_ended = examine(header, payload, expected);
                        expected = next_seq(expected);
                        true
                    });
                    assert_eq!(next, expected);
                    taken.packets > 0 || receive_one(&mut consumer, &mut expected, &mut has_ended)
                }
                1 => {
                    let Some((header, payload)) =
                        consumer.peek_line(expected, FIRST_CLIENT_KIND, 64)
                    else {
                        return receive_one(&mut consumer, &mut expected, &mut has_ended);
                    };
                    has_ended = examine(&header, payload, expected);
                    consumer.release_line();
                    expected = next_seq(expected);
                    true
                }
                _ => receive_one(&mut consumer, &mut expected, &mut has_ended),
            }
        });
    }
    consumer.into_lines()
}

/// Takes one packet of a fastbox by the slow path.
fn receive_one(
    consumer: &mut Consumer<MappedLines>,
    expected: &mut Seq,
    has_ended: &mut bool,
) -> bool {
    let Some((header, payload)) = consumer.peek(*expected) else { return false };
    *has_ended = examine(&header, payload, *expected);
    let size = payload.len();
    let _ = consumer.release(size);
    *expected = next_seq(*expected);
    true
}

#[test]
fn packets_of_a_fastbox_and_the_queue_stay_in_order() {
    const SENDER: usize = 1;
    let segment = segment(2);
    let lines = || segment.box_of(SENDER, segment.body(SENDER).box_offset(0)).unwrap();
    let (producer, consumer) = (Producer::new(lines()), Consumer::new(lines()));
    stress(vec![
        Worker::new(move |clock| {
            send_both_ways(clock, producer, Some(Cells::new(segment, SENDER, 4)));
        }),
        Worker::new(move |clock| {
            receive_both_ways(clock, consumer, Some(segment));
        }),
    ]);
}

#[test]
fn packets_of_a_foreign_fastbox_stay_in_order() {
    let (mut sends, file, key) = ForeignBox::make().unwrap();
    let mut receives = ForeignBox::open(&file, key).unwrap();
    let producer = Producer::new(sends.lines().unwrap());
    let consumer = Consumer::new(receives.lines().unwrap());
    stress(vec![
        Worker::new(move |clock| sends.close(send_both_ways(clock, producer, None))),
        Worker::new(move |clock| receives.close(receive_both_ways(clock, consumer, None))),
    ]);
}

/// Longest packet of the tests of long packets.
const LONG_BYTES: u64 = 40_000;

/// Reads a long packet in one of the ways, and checks it.
fn read(packet: &mut LongPacket, number: u64, random: &mut Random) {
    let mut copy = vec![0; packet.len()];
    match random.below(4) {
        0 => assert_eq!(packet.copy_into(&mut copy), copy.len()),
        1 => assert_eq!(packet.copy_non_temporal(&mut copy), copy.len()),
        2 => copy.copy_from_slice(packet.wait_for_all()),
        _ => {
            let mut done = 0;
            loop {
                let chunk = packet.next_chunk();
                if chunk.is_empty() {
                    break;
                }
                copy[done..done + chunk.len()].copy_from_slice(chunk);
                done += chunk.len();
            }
        }
    }
    check(number, &copy);
}

/// A sender with two buffers, which writes while the receiver reads.
#[test]
fn long_packets_are_read_as_they_are_written() {
    const SENDER: usize = 1;
    let segment = segment(2);
    let announced = Mailbox::default();
    let announced = &announced;
    let sender = Worker::new(move |clock| {
        let (mut random, mut payload) = (Random::new(4), vec![0; LONG_BYTES as usize]);
        for number in 1.. {
            let is_last = !clock.goes_on();
            let length = 1 + random.below(LONG_BYTES) as usize;
            let mode = if random.once_in(2) { ChunkMode::Even } else { ChunkMode::Growing };
            let begin = number as usize % 2 * (2 * LONG_BYTES as usize).next_multiple_of(4096);
            let buffer = segment.body(SENDER).long_packet_buffer(begin, length, mode);
            if number > 2 {
                clock.wait_for("a buffer to come back", || buffer.is_free());
            }
            clock.wait_for("the last announcement to be taken", || announced.is_empty());
            fill(number, &mut payload[..length]);
            let announce = |base: u32| {
                assert_eq!(base, 0);
                announced.put(number, [buffer.offset(), length as u64, is_last.into()]);
                true
            };
            assert!(match random.once_in(2) {
                true => buffer.write_bytes(&payload[..length], announce),
                false => {
                    let part = |begin: usize, chunk: &mut [u8]| {
                        chunk.copy_from_slice(&payload[begin..begin + chunk.len()]);
                    };
                    buffer.write(length, part, announce)
                }
            });
            if is_last {
                break;
            }
        }
    });
    let receiver = Worker::new(move |clock| {
        let mut random = Random::new(5);
        for expected in 1.. {
            let mut taken = None;
            clock.wait_for("an announcement", || {
                taken = announced.take();
                taken.is_some()
            });
            let (number, [offset, length, is_last]) = taken.expect("waited for it");
            assert_eq!(number, expected);
            let mut packet = segment.long_packet_of(SENDER, offset, length).unwrap();
            read(&mut packet, number, &mut random);
            packet.give_back();
            if is_last != 0 {
                break;
            }
        }
    });
    stress(vec![sender, receiver]);
}

/// A handoff buffer goes back and forth: the receiver of a packet writes the next one.
#[test]
fn a_handoff_buffer_alternates() {
    let segment = segment(2);
    let mailboxes: [Mailbox; 2] = Default::default();
    let side = |me: usize| {
        let mailboxes = &mailboxes;
        Worker::new(move |clock| {
            let handoff = segment.handoff_buffer(0, 0).expect("few processes have them");
            let (mut random, mut payload) = (Random::new(me as u64), vec![0; LONG_BYTES as usize]);
            for number in 1.. {
                let is_last = !clock.goes_on();
                if number % 2 == me as u64 {
                    let length = 1 + random.below(LONG_BYTES) as usize;
                    fill(number, &mut payload[..length]);
                    let buffer = handoff.buffer_for(payload.as_ptr().addr());
                    assert!(buffer.write_bytes(&payload[..length], |base| {
                        let size = (length as u64) << 32 | u64::from(base);
                        mailboxes[me].put(number, [buffer.offset(), size, is_last.into()]);
                        true
                    }));
                    if is_last {
                        break;
                    }
                    continue;
                }
                let mut taken = None;
                clock.wait_for("an announcement", || {
                    taken = mailboxes[1 - me].take();
                    taken.is_some()
                });
                let (found, [offset, size, is_last]) = taken.expect("waited for it");
                assert!(found == number && handoff.has(offset));
                let base = size & u64::from(u32::MAX);
                let mut packet = handoff.long_packet(offset, size >> 32, base).unwrap();
                read(&mut packet, number, &mut random);
                packet.take_ownership();
                if is_last != 0 {
                    break;
                }
            }
        })
    };
    stress(vec![side(0), side(1)]);
}
