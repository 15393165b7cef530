//! The fastbox under the model checker, with small rings, so that a few packets make the ring full,
//! wrap around and skip lines.
//!
//! Every line's bytes are a cell that loom watches: the producer's next use of a line must be
//! ordered after the consumer's last read of it. As in the segment, the payload of a long packet
//! covers the stamps of the lines in which it continues. The payloads here look like the sequence
//! numbers that come next, so a receiver takes a stamp that is not wiped in time for a packet, and
//! the model fails.
//!
//! Each end is one thread, and neither can go round past the other: the producer writes no line
//! that was not given back, and the consumer reads none that was not published. A thread that stops
//! anywhere therefore misses at most a ring. What outlives a ring are old numbers in lines that
//! packets by other ways have left; they match again after all numbers have been used, before which
//! both ends wipe them.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::fastbox::{Consumer, Lines, Producer, lines_for};
use nemesis_shm::queue;
use nemesis_sync::{AtomicU32, AtomicU64, Ordering, weaken};
use nemesis_wire::{CACHE_LINE_BYTES, HEADER_BYTES, Header, LINE_PAYLOAD_BYTES, Seq};
use std::sync::Arc;

const STAMP_BYTES: usize = 4;

struct Line {
    stamp: AtomicU32,
    /// The header of the packet that begins here, and the payload bytes of the line: those after
    /// its stamp, or after the header in a packet's first line.
    body: UnsafeCell<(Header, [u8; CACHE_LINE_BYTES - STAMP_BYTES])>,
}

struct Ring {
    lines: Vec<Line>,
    consumed: AtomicU64,
    /// The payload of the packet that the consumer was shown last, in one piece.
    shown: std::cell::UnsafeCell<Vec<u8>>,
}

// SAFETY: loom reports two threads that access a `body` at once; only the consumer uses `shown`.
unsafe impl Sync for Ring {}
// SAFETY: as above.
unsafe impl Send for Ring {}

/// The ring as one end sees it.
#[derive(Clone)]
struct View(Arc<Ring>);

fn ring(count: u64) -> (Producer<View>, Consumer<View>) {
    let line = || Line {
        stamp: AtomicU32::new(0),
        body: UnsafeCell::new((Header::default(), [0; CACHE_LINE_BYTES - STAMP_BYTES])),
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
    type Position = u64;

    fn position(&self, index: u64) -> u64 {
        index
    }

    fn following(&self, position: u64) -> u64 {
        position + 1
    }

    fn count(&self) -> u64 {
        self.0.lines.len() as u64
    }

    fn stamp(&self, index: Self::Position) -> &AtomicU32 {
        &self.0.lines[index as usize].stamp
    }

    fn consumed(&self) -> &AtomicU64 {
        &self.0.consumed
    }

    unsafe fn fill(&self, index: Self::Position, header: &Header, payload: &[u8]) -> &AtomicU32 {
        let (first, mut rest) = payload.split_at(payload.len().min(LINE_PAYLOAD_BYTES));
        // SAFETY: loom checks that no other thread accesses the line.
        self.0.lines[index as usize].body.with_mut(|body| unsafe {
            (*body).0 = *header;
            (&mut (*body).1)[..first.len()].copy_from_slice(first);
        });
        for line in &self.0.lines[index as usize + 1..(index + lines_for(payload.len())) as usize] {
            let (stamp, here) = rest.split_at(STAMP_BYTES);
            let (here, behind) = here.split_at(here.len().min(CACHE_LINE_BYTES - STAMP_BYTES));
            // Relaxed: payload bytes that lie where a stamp can lie.
            line.stamp.store(u32::from_le_bytes(stamp.try_into().unwrap()), Ordering::Relaxed);
            // SAFETY: as above.
            line.body
                .with_mut(|body| unsafe { (&mut (*body).1)[..here.len()].copy_from_slice(here) });
            rest = behind;
        }
        self.stamp(index)
    }

    unsafe fn packet(&self, index: Self::Position) -> (Header, &[u8]) {
        // SAFETY: only the consumer uses it, and no borrow of the last packet is left, because
        // `peek` takes `&mut self`.
        let shown = unsafe { &mut *self.0.shown.get() };
        shown.clear();
        // SAFETY: loom checks that the producer does not access the line.
        let header = self.0.lines[index as usize].body.with(|body| unsafe {
            shown.extend_from_slice(&(&(*body).1)[..LINE_PAYLOAD_BYTES]);
            (*body).0
        });
        for line in
            &self.0.lines[index as usize + 1..(index + lines_for(header.size as usize)) as usize]
        {
            // Relaxed: payload bytes that lie where a stamp can lie.
            shown.extend_from_slice(&line.stamp.load(Ordering::Relaxed).to_le_bytes());
            // SAFETY: as above.
            line.body.with(|body| shown.extend_from_slice(unsafe { &(*body).1 }));
        }
        shown.truncate(header.size as usize);
        (header, shown)
    }
}

const ONE_LINE: usize = 8;
const TWO_LINES: usize = CACHE_LINE_BYTES + STAMP_BYTES - HEADER_BYTES;

fn header(seq: Seq, size: usize) -> Header {
    Header { seq, kind: 16, flags: 0, size: size as u16, context: u64::from(seq), tag: 0, rank: 0 }
}

/// Returns a payload that looks like packet `seq + AHEAD`, wherever it is cut.
fn payload<const AHEAD: Seq>(seq: Seq, size: usize) -> Vec<u8> {
    (seq + AHEAD).to_le_bytes().repeat(size.div_ceil(STAMP_BYTES))[..size].to_vec()
}

fn try_send_like<const AHEAD: Seq>(producer: &mut Producer<View>, seq: Seq, size: usize) -> bool {
    producer.try_send(&header(seq, size), &payload::<AHEAD>(seq, size))
}

/// Takes packet `seq` if it has arrived, and checks every byte of it.
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

/// Six packets through four lines: the ring gets full, the producer waits for space, and both ends
/// wrap around.
fn single_lines_wrap() {
    check(|| {
        let (mut producer, mut consumer) = ring(4);
        let sender =
            thread::spawn(move || (1..=6).for_each(|seq| send(&mut producer, seq, ONE_LINE)));
        (1..=6).for_each(|seq| receive(&mut consumer, seq));
        sender.join().unwrap();
    });
}

/// A receiver that knows from which process the next packet comes, and waits for it there.
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

/// A receiver that takes one-line packets by the fast path and other packets, and those that end a
/// run, by the slow path. Producer and consumer wrap around.
fn lines_are_taken_by_the_fast_path() {
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
                if let Some((found, bytes)) = consumer.peek_line(seq, header(seq, size).kind, size)
                {
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

/// One line is left before the end of the ring, and a packet of two lines must skip it. Then its
/// stamps are wiped and the lines are used again.
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

/// Laps of long and short packets without concurrency. Their payloads look like the packet that
/// comes `AHEAD` later. Every line is first line, continuation and skipped line in turn.
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

// SAFETY: loom reports two threads that access a cell at once.
unsafe impl Sync for Cells {}
// SAFETY: as above.
unsafe impl Send for Cells {}

impl Cells {
    fn write(&self, cell: u64, seq: Seq) {
        // SAFETY: loom checks that no other thread accesses the cell.
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

/// A sender that never waits: a packet for which the fastbox has no space goes by the queue, in a
/// cell that contains its number. The receiver polls both, as in the paper (§3.2): a packet ahead
/// of its turn stays where it is.
fn numbers_order_the_fastbox_against_the_queue() {
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

/// Both ends wipe old numbers while the other one sends or receives.
fn wiping_disturbs_no_packet() {
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
    lines_are_taken_by_the_fast_path();
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
fn fastbox_and_queue() {
    numbers_order_the_fastbox_against_the_queue();
}

#[test]
fn wiping() {
    wiping_disturbs_no_packet();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/fastbox.rs",
        include_str!("../src/fastbox.rs"),
        &[
            single_lines_wrap,
            packets_are_waited_for,
            lines_are_taken_by_the_fast_path,
            long_packets_skip_and_wrap,
            numbers_order_the_fastbox_against_the_queue,
        ],
    );
}
