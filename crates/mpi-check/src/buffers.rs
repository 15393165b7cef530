//! The memory of incomplete operations: whether two of them use it at once, and whether the program
//! has written to it while an operation sent it (MPI 5.0 §3.7.2).

use crate::checksum::checksum;
use crate::kinds::{LIMIT, OVERLAP, TWICE, WRITTEN};
use crate::ranges::end_of;
use crate::{Call, CallSite, STATE, accesses, call_of, found, found_with, locked, sites};
use nemesis_datatype::{Buffer, ByteRange};
use std::collections::BTreeMap;

/// Ranges of a buffer that are watched at most. A buffer of more is not watched.
const RANGES_MAX: usize = 4096;

/// What an operation does with its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It sends the buffer: other sends may read it, too.
    Read,
    /// It receives into the buffer.
    Write,
}

/// A buffer of a collective operation, and what the operation does with it.
pub type Use = (Buffer, Access);

/// The handle of an operation, and which of its partitions, or of the buffers of a collective
/// operation, is meant: 0 if it has one buffer.
type Part = (usize, usize);

/// The buffers of the incomplete operations of this process.
#[derive(Default)]
pub(crate) struct Buffers {
    operations: BTreeMap<Part, Operation>,
    /// The buffers of persistent collective operations, by the handles of their requests.
    persistent: BTreeMap<usize, Vec<Use>>,
    /// The end of each range, by its start and its operation.
    ranges: BTreeMap<(usize, Part), usize>,
    /// Length of the longest range so far: no range that starts further below an address reaches
    /// it.
    longest: usize,
}

/// What a watched buffer is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Message,
    /// A partitioned message, of which it is the partition with this number.
    Partitioned(usize),
    Collective,
}

struct Operation {
    access: Access,
    of: Of,
    ranges: Vec<ByteRange>,
    buffer: Buffer,
    /// The checksum of what a send reads.
    checksum: u64,
    site: Option<CallSite>,
}

impl Buffers {
    /// Returns the first incomplete operation, and its first address, whose use of the memory
    /// `access` conflicts with.
    fn conflict(&self, ranges: &[ByteRange], access: Access) -> Option<(&Operation, usize)> {
        ranges.iter().find_map(|range| {
            let end = range.address.saturating_add(range.len);
            let from = range.address.saturating_sub(self.longest);
            let mut near = self.ranges.range((from, (0, 0))..(end, (0, 0)));
            near.find_map(|(&(start, part), &other_end)| {
                let operation = self.operations.get(&part)?;
                let meets = other_end > range.address && start < end;
                let conflicts = access == Access::Write || operation.access == Access::Write;
                (meets && conflicts).then(|| (operation, start.max(range.address)))
            })
        })
    }

    fn insert(&mut self, part: Part, operation: Operation) {
        self.remove(part);
        for range in &operation.ranges {
            self.longest = self.longest.max(range.len);
            self.ranges.insert((range.address, part), range.address.saturating_add(range.len));
        }
        self.operations.insert(part, operation);
    }

    fn remove(&mut self, part: Part) -> Option<Operation> {
        let operation = self.operations.remove(&part)?;
        for range in &operation.ranges {
            self.ranges.remove(&(range.address, part));
        }
        Some(operation)
    }

    /// Removes an operation with all its partitions that are watched.
    fn remove_all(&mut self, handle: usize) -> Vec<Operation> {
        let parts: Vec<Part> = self.parts(handle).collect();
        parts.into_iter().filter_map(|part| self.remove(part)).collect()
    }

    fn parts(&self, handle: usize) -> impl Iterator<Item = Part> {
        self.operations.range((handle, 0)..=(handle, usize::MAX)).map(|(&part, _)| part)
    }
}

/// Returns the ranges of a buffer in memory; none if it is empty or has too many.
fn ranges_of(buffer: &Buffer) -> Vec<ByteRange> {
    let ranges: Vec<ByteRange> =
        buffer.runs(0).filter(|range| range.len > 0).take(RANGES_MAX + 1).collect();
    if ranges.len() > RANGES_MAX { Vec::new() } else { ranges }
}

/// Tells if two of the ranges share bytes, into which the present call receives.
fn check_twice(ranges: &[ByteRange]) {
    let mut sorted: Vec<ByteRange> = ranges.to_vec();
    sorted.sort_unstable_by_key(|range| range.address);
    let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
    let shared = pairs.find(|(before, next)| end_of(**before) > next.address);
    if let Some((before, next)) = shared {
        let bytes = end_of(*before).min(end_of(*next)) - next.address;
        let start = sorted[0].address;
        let text = format!("{bytes} bytes at {} from its first byte", next.address - start);
        found(&TWICE, sites::here(), 1, text);
    }
}

/// Checks the blocks into which a collective operation receives.
#[cold]
pub fn receives_into<'a>(blocks: impl Iterator<Item = &'a Buffer>) {
    let ranges: Vec<ByteRange> = blocks
        .flat_map(|block| block.runs(0))
        .filter(|range| range.len > 0)
        .take(RANGES_MAX + 1)
        .collect();
    if ranges.len() <= RANGES_MAX {
        check_twice(&ranges);
    }
}

/// Tells if an incomplete operation uses the memory of a new one. Returns the ranges of the latter.
fn check(buffers: &Buffers, buffer: &Buffer, access: Access) -> Vec<ByteRange> {
    let ranges = ranges_of(buffer);
    if ranges.is_empty() && buffer.bytes() > 0 {
        let text = format!("a buffer of more than {RANGES_MAX} pieces");
        found(&LIMIT, sites::here(), 1, text);
    }
    if access == Access::Write {
        check_twice(&ranges);
    }
    if let Some((other, address)) = buffers.conflict(&ranges, access) {
        let does = |access| match access {
            Access::Read => "sends",
            Access::Write => "receives into",
        };
        let text = format!(
            "{} memory at {} bytes from the start of its buffer that an incomplete operation {}:",
            does(access),
            address.wrapping_sub(buffer.address()),
            does(other.access),
        );
        let function = || Call { function: "another one".into(), ..Call::default() };
        let other = other.site.map_or_else(function, call_of);
        found_with(&OVERLAP, sites::here(), 1, text, Some(other));
    }
    ranges
}

/// Checks the buffer of a blocking operation.
#[cold]
pub fn touch(buffer: &Buffer, access: Access) {
    let Some(state) = STATE.get() else { return };
    accesses::learn();
    check(&locked(&state.buffers), buffer, access);
}

/// Checks the buffer of the operation `handle`, which starts, and watches it until [`end`].
#[cold]
pub fn begin(handle: usize, buffer: &Buffer, access: Access) {
    let Some(state) = STATE.get() else { return };
    accesses::learn();
    let mut buffers = locked(&state.buffers);
    let ranges = check(&buffers, buffer, access);
    let checksum = if access == Access::Read { checksum(buffer) } else { 0 };
    let site = sites::of(handle);
    let buffer = buffer.clone();
    let operation = Operation { access, of: Of::Message, ranges, buffer, checksum, site };
    buffers.insert((handle, 0), operation);
}

/// Checks the buffers of the collective operation `handle`, which has started, and watches them
/// until [`end`]. Returns whether it has any.
#[cold]
pub fn begin_collective(handle: usize, uses: &[Use]) -> bool {
    let Some(state) = STATE.get() else { return false };
    let mut buffers = locked(&state.buffers);
    // Those of one operation are compared by its call.
    let checked: Vec<Vec<ByteRange>> =
        uses.iter().map(|(buffer, access)| check(&buffers, buffer, *access)).collect();
    let site = sites::of(handle);
    for (index, ((buffer, access), ranges)) in uses.iter().zip(checked).enumerate() {
        let (access, buffer) = (*access, buffer.clone());
        let checksum = if access == Access::Read { checksum(&buffer) } else { 0 };
        let operation = Operation { access, of: Of::Collective, ranges, buffer, checksum, site };
        buffers.insert((handle, index), operation);
    }
    !uses.is_empty()
}

/// Checks whether an incomplete operation uses the buffers of a blocking collective one.
#[cold]
pub fn touch_all(uses: &[Use]) {
    let Some(state) = STATE.get() else { return };
    let buffers = locked(&state.buffers);
    if buffers.operations.is_empty() {
        return;
    }
    for (buffer, access) in uses {
        check(&buffers, buffer, *access);
    }
}

/// Keeps the buffers of the persistent collective operation `handle` for [`begin_persistent`].
#[cold]
pub fn keep(handle: usize, uses: Vec<Use>) {
    if let Some(state) = STATE.get() {
        locked(&state.buffers).persistent.insert(handle, uses);
    }
}

/// Forgets the buffers of a persistent collective operation, which is freed.
#[cold]
pub fn forget(handle: usize) {
    if let Some(state) = STATE.get() {
        locked(&state.buffers).persistent.remove(&handle);
    }
}

/// Does what [`begin_collective`] does for the operation that the persistent request `persistent`
/// has started.
#[cold]
pub fn begin_persistent(persistent: usize, handle: usize) -> bool {
    let Some(state) = STATE.get() else { return false };
    let uses = locked(&state.buffers).persistent.get(&persistent).cloned();
    uses.is_some_and(|uses| begin_collective(handle, &uses))
}

/// Checks the buffer of a partition of the partitioned operation `handle`, and watches it until
/// [`end_partition`] or [`end`]: from `MPI_Pready` of a send, from `MPI_Start` of a receive.
#[cold]
pub fn begin_partition(handle: usize, partition: usize, buffer: &Buffer, access: Access) {
    let Some(state) = STATE.get() else { return };
    let mut buffers = locked(&state.buffers);
    let ranges = check(&buffers, buffer, access);
    let checksum = if access == Access::Read { checksum(buffer) } else { 0 };
    let (site, buffer) = (sites::here(), buffer.clone());
    let of = Of::Partitioned(partition);
    let operation = Operation { access, of, ranges, buffer, checksum, site };
    buffers.insert((handle, partition), operation);
}

/// Ends watching a partition of a receive, which has arrived: the program may use its memory.
#[cold]
pub fn end_partition(handle: usize, partition: usize) {
    if let Some(state) = STATE.get() {
        locked(&state.buffers).remove((handle, partition));
    }
}

/// Checks whether the data of the operation `handle`, which is complete, are unchanged if it has
/// sent them. Does nothing if the operation is not watched. Returns whether it is a collective one
/// that was watched.
#[cold]
pub fn end(handle: usize) -> bool {
    let Some(state) = STATE.get() else { return false };
    let operations = locked(&state.buffers).remove_all(handle);
    let is_collective = operations.iter().any(|operation| operation.of == Of::Collective);
    if !operations.is_empty() {
        accesses::learn();
    }
    for operation in operations {
        if operation.access == Access::Read && checksum(&operation.buffer) != operation.checksum {
            let bytes = operation.buffer.bytes();
            let text = match operation.of {
                Of::Message => format!("{bytes} bytes, changed before the send was complete"),
                Of::Partitioned(partition) => format!(
                    "partition {partition} of {bytes} bytes, changed after it was marked ready \
                     and before the send was complete"
                ),
                Of::Collective => {
                    format!("{bytes} bytes, changed before the operation was completed")
                }
            };
            found(&WRITTEN, operation.site, 1, text);
        }
    }
    is_collective
}

/// Returns whether the buffer of the operation `handle` is watched.
pub fn is_watched(handle: usize) -> bool {
    STATE.get().is_some_and(|state| locked(&state.buffers).parts(handle).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_datatype::Datatype;

    const BYTE: usize = 0x247;

    fn operation(access: Access, buffer: &Buffer) -> Operation {
        Operation {
            access,
            of: Of::Message,
            ranges: ranges_of(buffer),
            buffer: buffer.clone(),
            checksum: checksum(buffer),
            site: None,
        }
    }

    #[test]
    fn only_common_bytes_conflict() {
        // The columns of a matrix of five rows and ten columns of one byte.
        let column = Datatype::vector(5, 1, 10, Datatype::predefined(BYTE).unwrap()).unwrap();
        let column = Datatype::resized(&column, 0, 1).unwrap();
        column.commit();
        let matrix = Buffer::scratch(10, &column).unwrap();
        let bytes = |first, len| [ByteRange { address: matrix.address() + first, len }];
        let column = |index| ranges_of(&matrix.part(index, 1));
        let mut buffers = Buffers::default();
        buffers.insert((7, 0), operation(Access::Write, &matrix.part(3, 1)));
        assert!(buffers.conflict(&column(4), Access::Write).is_none());
        let (other, address) = buffers.conflict(&column(3), Access::Read).unwrap();
        assert_eq!((other.access, address), (Access::Write, matrix.address() + 3));
        assert!(buffers.conflict(&bytes(4, 9), Access::Write).is_none());
        assert!(buffers.conflict(&bytes(4, 10), Access::Write).is_some());
        buffers.remove((7, 0));
        assert!(buffers.conflict(&bytes(0, 50), Access::Write).is_none());
        assert!(buffers.ranges.is_empty() && buffers.operations.is_empty());
        buffers.insert((8, 0), operation(Access::Read, &matrix));
        assert!(buffers.conflict(&bytes(0, 50), Access::Read).is_none());
        assert!(buffers.conflict(&bytes(49, 1), Access::Write).is_some());
    }

    #[test]
    fn partitions_are_watched_each() {
        let data = Buffer::scratch(40, Datatype::predefined(BYTE).unwrap()).unwrap();
        let mut buffers = Buffers::default();
        for partition in [0, 2, 3] {
            buffers.insert((7, partition), operation(Access::Read, &data.part(10 * partition, 10)));
        }
        buffers.insert((8, 0), operation(Access::Read, &data.part(0, 1)));
        let bytes = |first| [ByteRange { address: data.address() + first, len: 10 }];
        assert!(buffers.conflict(&bytes(10), Access::Write).is_none());
        assert!(buffers.conflict(&bytes(11), Access::Write).is_some());
        assert!(buffers.remove((7, 2)).is_some() && buffers.remove((7, 1)).is_none());
        assert!(buffers.conflict(&bytes(15), Access::Write).is_none());
        assert_eq!((buffers.remove_all(7).len(), buffers.operations.len()), (2, 1));
    }

    #[test]
    fn checksums_see_every_byte() {
        let byte = Datatype::predefined(BYTE).unwrap();
        let pairs = Datatype::vector(70_000, 1, 2, byte).unwrap();
        pairs.commit();
        for (count, datatype) in [(70_000, byte), (1, &pairs)] {
            let buffer = Buffer::scratch(count, datatype).unwrap();
            let before = checksum(&buffer);
            assert_eq!(buffer.unpack_at(69_999, &[1]), 1);
            assert_ne!(checksum(&buffer), before);
        }
    }
}
