//! The fastbox under the model checker: small rings, so that wrapping, skipping and being full are reached within a few packets.
//!
//! Every line's bytes are a cell that loom watches: the producer's next use of a line must be ordered after the consumer's last look at it. As
//! in the segment, a long packet's payload runs over the marks of the lines it continues in; the payloads here are chosen to look like the
//! sequence numbers that come next, so a mark that is not wiped in time is taken for a packet and fails the model.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::fastbox::{Consumer, Lines, Producer, lines_for};
use nemesis_shm::queue;
use nemesis_sync::{AtomicU32, AtomicU64, Ordering, weaken};
use nemesis_wire::{CACHE_LINE_BYTES, HEADER_BYTES, Header, LINE_PAYLOAD_BYTES, Seq};
use std::sync::Arc;

const MARK_BYTES: usize = 4;

struct Line {
    mark: AtomicU32,
    /// The header of the packet that begins here, and the line's payload bytes behind its mark (behind the header in a first line).
    body: UnsafeCell<(Header, [u8; CACHE_LINE_BYTES - MARK_BYTES])>,
}

struct Ring {
    lines: Vec<Line>,
    consumed: AtomicU64,
    /// Where the consumer sees a packet's payload in one piece.
    shown: std::cell::UnsafeCell<Vec<u8>>,
}

// SAFETY: loom reports two threads that meet in a `body`; `shown` is the consumer's alone.
unsafe impl Sync for Ring {}
// SAFETY: as above.
unsafe impl Send for Ring {}

/// One end's view of the ring.
#[derive(Clone)]
struct View(Arc<Ring>);

fn ring(count: u64) -> (Producer<View>, Consumer<View>) {
    let line = || Line {
        mark: AtomicU32::new(0),
        body: UnsafeCell::new((Header::default(), [0; CACHE_LINE_BYTES - MARK_BYTES])),
    };
    let lines = (0..count).map(|_| line()).collect();
    let view = View(Arc::new(Ring {
        lines,
        consumed: AtomicU64::new(0),
        shown: std::cell::UnsafeCell::new(Vec::new()),
    }));
    (Producer::new(view.clone()), Consumer::new(view))
}

impl Lines for View {
    type Place = u64;

    fn place(&self, index: u64) -> u64 {
        index
    }

    fn behind(&self, place: u64) -> u64 {
        place + 1
    }

    fn count(&self) -> u64 {
        self.0.lines.len() as u64
    }

    fn stamp(&self, index: Self::Place) -> &AtomicU32 {
        &self.0.lines[index as usize].mark
    }

    fn consumed(&self) -> &AtomicU64 {
        &self.0.consumed
    }

    unsafe fn fill(&self, index: Self::Place, header: &Header, payload: &[u8]) -> &AtomicU32 {
        let (first, mut rest) = payload.split_at(payload.len().min(LINE_PAYLOAD_BYTES));
        // SAFETY: loom checks that nobody else is there.
        self.0.lines[index as usize].body.with_mut(|body| unsafe {
            (*body).0 = *header;
            (&mut (*body).1)[..first.len()].copy_from_slice(first);
        });
        for line in &self.0.lines[index as usize + 1..(index + lines_for(payload.len())) as usize] {
            let (mark, here) = rest.split_at(MARK_BYTES);
            let (here, behind) = here.split_at(here.len().min(CACHE_LINE_BYTES - MARK_BYTES));
            // Relaxed: bytes like the others, in the place of a mark.
            line.mark.store(u32::from_le_bytes(mark.try_into().unwrap()), Ordering::Relaxed);
            // SAFETY: as above.
            line.body
                .with_mut(|body| unsafe { (&mut (*body).1)[..here.len()].copy_from_slice(here) });
            rest = behind;
        }
        self.stamp(index)
    }

    unsafe fn packet(&self, index: Self::Place) -> (Header, &[u8]) {
        // SAFETY: the consumer's own; the last packet shown is no longer borrowed, as `peek` takes `&mut self`.
        let shown = unsafe { &mut *self.0.shown.get() };
        shown.clear();
        // SAFETY: loom checks that the producer is not there.
        let header = self.0.lines[index as usize].body.with(|body| unsafe {
            shown.extend_from_slice(&(&(*body).1)[..LINE_PAYLOAD_BYTES]);
            (*body).0
        });
        for line in
            &self.0.lines[index as usize + 1..(index + lines_for(header.size as usize)) as usize]
        {
            // Relaxed: bytes like the others, in the place of a mark.
            shown.extend_from_slice(&line.mark.load(Ordering::Relaxed).to_le_bytes());
            // SAFETY: as above.
            line.body.with(|body| shown.extend_from_slice(unsafe { &(*body).1 }));
        }
        shown.truncate(header.size as usize);
        (header, shown)
    }
}

const ONE_LINE: usize = 8;
const TWO_LINES: usize = CACHE_LINE_BYTES + MARK_BYTES - HEADER_BYTES;

fn header(seq: Seq, size: usize) -> Header {
    Header { seq, kind: 16, flags: 0, size: size as u16, context: u64::from(seq), tag: 0, rank: 0 }
}

/// A payload that looks like packet `seq + AHEAD`, wherever it is cut.
fn payload<const AHEAD: Seq>(seq: Seq, size: usize) -> Vec<u8> {
    (seq + AHEAD).to_le_bytes().repeat(size.div_ceil(MARK_BYTES))[..size].to_vec()
}

fn try_send_like<const AHEAD: Seq>(producer: &mut Producer<View>, seq: Seq, size: usize) -> bool {
    producer.try_send(&header(seq, size), &payload::<AHEAD>(seq, size))
}

/// Takes packet `seq` out if it is there, and checks every byte of it.
fn try_receive_like<const AHEAD: Seq>(consumer: &mut Consumer<View>, seq: Seq) -> bool {
    let Some((found, bytes)) = consumer.peek(seq) else { return false };
    let size = bytes.len();
    assert_eq!((found, bytes), (header(seq, size), &payload::<AHEAD>(seq, size)[..]));
    let _ = consumer.release(size);
    true
}

fn try_send(producer: &mut Producer<View>, seq: Seq, size: usize) -> bool {
    try_send_like::<2>(producer, seq, size)
}

fn try_receive(consumer: &mut Consumer<View>, seq: Seq) -> bool {
    try_receive_like::<2>(consumer, seq)
}

fn send(producer: &mut Producer<View>, seq: Seq, size: usize) {
    while !try_send(producer, seq, size) {
        thread::yield_now();
    }
}

fn receive(consumer: &mut Consumer<View>, seq: Seq) {
    while !try_receive(consumer, seq) {
        thread::yield_now();
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Six packets through four lines: the ring is full, the producer waits for lines to come back, both ends wrap.
fn single_lines_wrap() {
    check(|| {
        let (mut producer, mut consumer) = ring(4);
        let sender =
            thread::spawn(move || (1..=6).for_each(|seq| send(&mut producer, seq, ONE_LINE)));
        (1..=6).for_each(|seq| receive(&mut consumer, seq));
        sender.join().unwrap();
    });
}

/// A receiver that knows where the next packet comes and looks for it there.
fn packets_are_waited_for() {
    check(|| {
        let (mut producer, mut consumer) = ring(4);
        let sender =
            thread::spawn(move || (1..=3).for_each(|seq| send(&mut producer, seq, ONE_LINE)));
        for seq in 1..=3 {
            let size = loop {
                match consumer.wait(seq, 1) {
                    Some((found, bytes)) => {
                        assert_eq!(
                            (found, bytes),
                            (header(seq, ONE_LINE), &payload::<2>(seq, ONE_LINE)[..])
                        );
                        break bytes.len();
                    }
                    None => thread::yield_now(),
                }
            };
            let _ = consumer.release(size);
        }
        sender.join().unwrap();
    });
}

/// A receiver that takes what lies there at one look, and looks closer at what is longer than a line or ends a run; producer and consumer begin anew at the
/// ring's end.
fn lines_are_taken_at_one_look() {
    check(|| {
        let (mut producer, mut consumer) = ring(8);
        for seq in 1..=5 {
            assert!(try_send(&mut producer, seq, ONE_LINE) && try_receive(&mut consumer, seq));
        }
        let sizes = [ONE_LINE, TWO_LINES, ONE_LINE, ONE_LINE];
        let sender = thread::spawn(move || {
            sizes.into_iter().zip(6..).for_each(|(size, seq)| send(&mut producer, seq, size))
        });
        for (size, seq) in sizes.into_iter().zip(6..) {
            loop {
                if let Some((found, bytes)) = consumer.line(seq, header(seq, size).kind, size) {
                    assert_eq!((found, bytes), (header(seq, size), &payload::<2>(seq, size)[..]));
                    consumer.release_line();
                    break;
                }
                if try_receive(&mut consumer, seq) {
                    break;
                }
                thread::yield_now();
            }
        }
        sender.join().unwrap();
    });
}

/// The ring stands one line before its end; a packet of two lines must skip that line. Then its marks are wiped and the lines used again.
fn long_packets_skip_and_wrap() {
    check(|| {
        let (mut producer, mut consumer) = ring(8);
        for seq in 1..=7 {
            assert!(try_send(&mut producer, seq, ONE_LINE) && try_receive(&mut consumer, seq));
        }
        let sender = thread::spawn(move || {
            for seq in 8..=10 {
                send(&mut producer, seq, TWO_LINES);
            }
            send(&mut producer, 11, ONE_LINE);
        });
        (8..=11).for_each(|seq| receive(&mut consumer, seq));
        sender.join().unwrap();
    });
}

/// Laps of long and short packets with nobody beside them, whose payloads look like a packet that comes `AHEAD` later. Every line is first line,
/// continuation and skipped line in turn.
fn payloads_are_no_packets<const AHEAD: Seq>() {
    check(|| {
        let (mut producer, mut consumer) = ring(8);
        for seq in 1..=20 {
            let size = if seq % 3 == 0 { ONE_LINE } else { TWO_LINES };
            assert!(consumer.peek(seq).is_none(), "packet {seq} is not sent yet");
            assert!(
                try_send_like::<AHEAD>(&mut producer, seq, size)
                    && try_receive_like::<AHEAD>(&mut consumer, seq)
            );
        }
    });
}

/// The queue's cells, each with the sequence number of the packet in it.
struct Cells(Vec<(AtomicU64, UnsafeCell<Seq>)>);

// SAFETY: loom reports two threads that meet in a cell.
unsafe impl Sync for Cells {}
// SAFETY: as above.
unsafe impl Send for Cells {}

impl Cells {
    fn write(&self, cell: u64, seq: Seq) {
        // SAFETY: loom checks that nobody else is there.
        self.0[cell as usize - 1].1.with_mut(|packet| unsafe { *packet = seq });
    }

    fn read(&self, cell: u64) -> Seq {
        // SAFETY: as in `write`.
        self.0[cell as usize - 1].1.with(|packet| unsafe { *packet })
    }
}

impl queue::Links for Cells {
    fn next(&self, cell: u64) -> &AtomicU64 {
        &self.0[cell as usize - 1].0
    }
}

/// A sender that never waits: what does not fit the box takes the queue, in a cell that carries its number. The receiver looks at both, as the
/// paper has it (§3.2): a packet ahead of its turn stays where it is.
fn numbers_order_the_box_against_the_queue() {
    const PACKETS: Seq = 6;
    check(|| {
        let (mut producer, mut consumer) = ring(4);
        let cells =
            (0..PACKETS).map(|_| (AtomicU64::new(queue::NONE), UnsafeCell::new(0))).collect();
        let shared = Arc::new((queue::Ends::new(), Cells(cells)));
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                for seq in 1..=PACKETS {
                    if seq == 2 || !try_send(&mut producer, seq, ONE_LINE) {
                        let (ends, cells) = &*shared;
                        cells.write(u64::from(seq), seq);
                        queue::push(ends, cells, u64::from(seq));
                    }
                }
            })
        };
        let (ends, cells) = &*shared;
        let mut queue = queue::Consumer::default();
        let mut waiting = None;
        let mut expected = 1;
        while expected <= PACKETS {
            waiting = waiting.or_else(|| queue.pop(ends, cells));
            if waiting.is_some_and(|cell| cells.read(cell) == expected) {
                waiting = None;
            } else if !try_receive(&mut consumer, expected) {
                thread::yield_now();
                continue;
            }
            expected += 1;
        }
        sender.join().unwrap();
    });
}

/// Old numbers are wiped by both ends while the other is at work.
fn wiping_disturbs_nobody() {
    const LEAP: Seq = 3 << 29;
    check(|| {
        let (mut producer, mut consumer) = ring(4);
        for seq in 1..=5 {
            assert!(try_send(&mut producer, seq, ONE_LINE) && try_receive(&mut consumer, seq));
        }
        let sender = thread::spawn(move || {
            send(&mut producer, 6, ONE_LINE);
            producer.bypassed(LEAP);
            (LEAP + 1..LEAP + 4).for_each(|seq| send(&mut producer, seq, ONE_LINE));
        });
        receive(&mut consumer, 6);
        consumer.bypassed(LEAP);
        (LEAP + 1..LEAP + 4).for_each(|seq| receive(&mut consumer, seq));
        sender.join().unwrap();
    });
}

#[test]
fn one_line_packets() {
    single_lines_wrap();
    packets_are_waited_for();
    lines_are_taken_at_one_look();
}

#[test]
fn long_packets() {
    long_packets_skip_and_wrap();
}

#[test]
fn payloads_that_look_like_packets() {
    payloads_are_no_packets::<1>();
    payloads_are_no_packets::<2>();
    payloads_are_no_packets::<3>();
    payloads_are_no_packets::<4>();
    payloads_are_no_packets::<5>();
    payloads_are_no_packets::<6>();
}

#[test]
fn box_and_queue() {
    numbers_order_the_box_against_the_queue();
}

#[test]
fn wiping() {
    wiping_disturbs_nobody();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/fastbox.rs",
        include_str!("../src/fastbox.rs"),
        &[
            single_lines_wrap,
            packets_are_waited_for,
            lines_are_taken_at_one_look,
            long_packets_skip_and_wrap,
            numbers_order_the_box_against_the_queue,
        ],
    );
}
