//! The memory of incomplete operations: whether two of them use it at once, and whether the program
//! has written to it while a send read it (MPI 5.0 §3.7.2).

use crate::kinds::{OVERLAP, WRITTEN};
use crate::{Call, CallSite, STATE, accesses, call_of, found, found_with, locked, sites};
use nemesis_datatype::{Buffer, ByteRange};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

/// Ranges of a buffer that are watched at most. A buffer of more is not watched.
const RANGES_MAX: usize = 4096;

/// Bytes that are packed at once for the checksum of a buffer with holes.
const PIECE_BYTES: usize = 1 << 16;

/// What an operation does with its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It sends the buffer: other sends may read it, too.
    Read,
    /// It receives into the buffer.
    Write,
}

/// The buffers of the incomplete operations of this process.
#[derive(Default)]
pub(crate) struct Buffers {
    operations: HashMap<usize, Operation>,
    /// The end of each range, by its start and the handle of its operation.
    ranges: BTreeMap<(usize, usize), usize>,
    /// Length of the longest range so far: no range that starts further below an address reaches
    /// it.
    longest: usize,
}

struct Operation {
    access: Access,
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
            self.ranges.range((from, 0)..(end, 0)).find_map(|(&(start, handle), &other_end)| {
                let operation = self.operations.get(&handle)?;
                let meets = other_end > range.address && start < end;
                let conflicts = access == Access::Write || operation.access == Access::Write;
                (meets && conflicts).then(|| (operation, start.max(range.address)))
            })
        })
    }

    fn insert(&mut self, handle: usize, operation: Operation) {
        self.remove(handle);
        for range in &operation.ranges {
            self.longest = self.longest.max(range.len);
            self.ranges.insert((range.address, handle), range.address.saturating_add(range.len));
        }
        self.operations.insert(handle, operation);
    }

    fn remove(&mut self, handle: usize) -> Option<Operation> {
        let operation = self.operations.remove(&handle)?;
        for range in &operation.ranges {
            self.ranges.remove(&(range.address, handle));
        }
        Some(operation)
    }
}

/// Returns the ranges of a buffer in memory; none if it is empty or has too many.
fn ranges_of(buffer: &Buffer) -> Vec<ByteRange> {
    let ranges: Vec<ByteRange> =
        buffer.runs(0).filter(|range| range.len > 0).take(RANGES_MAX + 1).collect();
    if ranges.len() > RANGES_MAX { Vec::new() } else { ranges }
}

/// Returns a number that changes with every byte of the buffer.
fn checksum(buffer: &Buffer) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let Some(bytes) = buffer.as_bytes() {
        hasher.write(bytes);
        return hasher.finish();
    }
    let mut piece = vec![0; PIECE_BYTES.min(buffer.bytes())];
    let mut packed = 0;
    while packed < buffer.bytes() {
        let copied = buffer.pack_at(packed, &mut piece);
        if copied == 0 {
            break;
        }
        hasher.write(&piece[..copied]);
        packed += copied;
    }
    hasher.finish()
}

/// Tells if an incomplete operation uses the memory of a new one. Returns the ranges of the latter.
fn check(buffers: &Buffers, buffer: &Buffer, access: Access) -> Vec<ByteRange> {
    let ranges = ranges_of(buffer);
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
    buffers.insert(handle, Operation { access, ranges, buffer, checksum, site });
}

/// Checks whether the data of the operation `handle`, which is complete, are unchanged if it has
/// sent them. Does nothing if the operation is not watched.
#[cold]
pub fn end(handle: usize) {
    let Some(state) = STATE.get() else { return };
    let Some(operation) = locked(&state.buffers).remove(handle) else { return };
    accesses::learn();
    if operation.access == Access::Read && checksum(&operation.buffer) != operation.checksum {
        let text =
            format!("{} bytes, changed before the send was complete", operation.buffer.bytes());
        found(&WRITTEN, operation.site, 1, text);
    }
}

/// Returns whether the buffer of the operation `handle` is watched.
pub fn is_watched(handle: usize) -> bool {
    STATE.get().is_some_and(|state| locked(&state.buffers).operations.contains_key(&handle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_datatype::Datatype;

    const BYTE: usize = 0x247;

    fn operation(access: Access, buffer: &Buffer) -> Operation {
        Operation {
            access,
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
        buffers.insert(7, operation(Access::Write, &matrix.part(3, 1)));
        assert!(buffers.conflict(&column(4), Access::Write).is_none());
        let (other, address) = buffers.conflict(&column(3), Access::Read).unwrap();
        assert_eq!((other.access, address), (Access::Write, matrix.address() + 3));
        assert!(buffers.conflict(&bytes(4, 9), Access::Write).is_none());
        assert!(buffers.conflict(&bytes(4, 10), Access::Write).is_some());
        buffers.remove(7);
        assert!(buffers.conflict(&bytes(0, 50), Access::Write).is_none());
        assert!(buffers.ranges.is_empty() && buffers.operations.is_empty());
        buffers.insert(8, operation(Access::Read, &matrix));
        assert!(buffers.conflict(&bytes(0, 50), Access::Read).is_none());
        assert!(buffers.conflict(&bytes(49, 1), Access::Write).is_some());
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
