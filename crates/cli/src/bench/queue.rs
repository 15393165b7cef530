//! The instructions of the queue: one enqueue and one dequeue in a segment, by the library's own
//! code.
//!
//! The slides of 2006 count 6 and 11. Here callgrind counts the instructions of [`enqueue`],
//! [`dequeue`] and [`nothing`] in a process that does nothing else. The difference to `nothing`, a
//! function with the same signature, is the algorithm: the paper's instructions, and the checks of
//! every offset that is read from shared memory.

use crate::diagnostic::Diagnostic;
use nemesis_shm::queue::{self, Consumer, Ends};
use nemesis_shm::segment::Segment;

/// Patterns of the function names, for callgrind.
pub const ENQUEUE: &str = "*queue::enqueue*";
pub const DEQUEUE: &str = "*queue::dequeue*";
pub const NOTHING: &str = "*queue::nothing*";

#[inline(never)]
fn enqueue(_: &mut Consumer, ends: &Ends, segment: &Segment, cell: u64) -> Option<u64> {
    queue::push(ends, segment, cell);
    None
}

#[inline(never)]
fn dequeue(consumer: &mut Consumer, ends: &Ends, segment: &Segment, _: u64) -> Option<u64> {
    consumer.pop(ends, segment)
}

#[inline(never)]
fn nothing(_: &mut Consumer, _: &Ends, _: &Segment, _: u64) -> Option<u64> {
    std::hint::black_box(());
    None
}

/// Sends one cell through an empty queue, `passes` times. Each enqueue finds the queue empty, and
/// each dequeue takes the last cell.
pub fn pass(passes: u32) -> Result<(), Diagnostic> {
    let memory = nemesis_wireup::segment::make(1)?;
    let segment = Segment::open(&memory.descriptor, memory.bytes as usize, 1)
        .map_err(|mismatch| Diagnostic::new("mapping a segment", mismatch, "`nemesis info`"))?;
    let (ends, cell) = (segment.slot(0).receive_queue(), segment.body(0).cell_offset(0));
    let mut consumer = Consumer::default();
    for _ in 0..passes {
        // The compiler must not learn from one call what the next one finds.
        let sent = std::hint::black_box(cell);
        nothing(&mut consumer, ends, &segment, sent);
        enqueue(&mut consumer, ends, &segment, sent);
        let received = dequeue(&mut consumer, ends, &segment, sent);
        assert_eq!(std::hint::black_box(received), Some(cell));
    }
    Ok(())
}
