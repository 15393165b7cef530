//! The memory of incomplete operations: whether two of them use it at once, and whether the program
//! has written to it while an operation sent it (MPI 5.0 §3.7.2).

use crate::checksum::checksum;
use crate::kinds::{LIMIT, OVERLAP, REQUEST, TWICE, WRITTEN};
use crate::ranges::end_of;
use crate::{Call, CallSite, STATE, accesses, bounds, call_of, found, found_with, locked, sites};
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
    /// An access to a window, whose origin it is.
    WindowAccess,
    /// An accumulate, whose result it is. Programs that want no result give all of them one
    /// variable.
    Result,
    /// A partitioned message, of which it is the partition with this number.
    Partitioned(usize),
    Collective,
}

struct Operation {
    access: Access,
    of: Of,
    ranges: Vec<ByteRange>,
    buffer: Buffer,
    /// The checksum of what a send reads, and of what the program must not write into the buffer
    /// of a receive: its contents until the message arrives, and then the message.
    checksum: u64,
    /// Whether the data of a receive have arrived.
    has_arrived: bool,
    /// Whether only the checks keep a send from being complete.
    is_held: bool,
    site: Option<CallSite>,
}

impl Operation {
    fn new(
        access: Access,
        of: Of,
        ranges: Vec<ByteRange>,
        buffer: &Buffer,
        site: Option<CallSite>,
    ) -> Operation {
        let is_summed = access == Access::Read || matches!(of, Of::Message | Of::Collective);
        let checksum = if is_summed { checksum(buffer) } else { 0 };
        let buffer = buffer.clone();
        Operation { access, of, ranges, buffer, checksum, has_arrived: false, is_held: false, site }
    }

    /// Notes that the data have arrived, which the program must not write before the operation is
    /// complete.
    fn arrive(&mut self) {
        (self.checksum, self.has_arrived) = (checksum(&self.buffer), true);
    }

    /// Tells if the data have changed that the program must not write before the operation is
    /// complete.
    fn check_end(&self) {
        let is_summed = self.access == Access::Read || self.has_arrived;
        if is_summed && checksum(&self.buffer) != self.checksum {
            self.tell_written();
        }
    }

    /// Tells that the program has written into the buffer.
    fn tell_written(&self) {
        let bytes = self.buffer.bytes();
        let text = match self.of {
            Of::Message if self.has_arrived => {
                format!("{bytes} bytes, changed before the receive was completed")
            }
            Of::Message => format!("{bytes} bytes, changed before the send was complete"),
            Of::WindowAccess | Of::Result => {
                format!("{bytes} bytes, changed before the access was complete")
            }
            Of::Partitioned(partition) => format!(
                "partition {partition} of {bytes} bytes, changed after it was marked ready and \
                 before the send was complete"
            ),
            Of::Collective => {
                format!("{bytes} bytes, changed before the operation was completed")
            }
        };
        found(&WRITTEN, self.site, 1, text);
    }
}

impl Buffers {
    /// Returns the first incomplete operation, and its first address, whose use of the memory
    /// `access` conflicts with.
    fn conflict(
        &self,
        ranges: &[ByteRange],
        access: Access,
        of: Of,
    ) -> Option<(&Operation, usize)> {
        ranges.iter().find_map(|range| {
            let end = range.address.saturating_add(range.len);
            let from = range.address.saturating_sub(self.longest);
            let mut near = self.ranges.range((from, (0, 0))..(end, (0, 0)));
            near.find_map(|(&(start, part), &other_end)| {
                let operation = self.operations.get(&part)?;
                let meets = other_end > range.address && start < end;
                let conflicts = access == Access::Write || operation.access == Access::Write;
                let are_results = of == Of::Result && operation.of == Of::Result;
                (meets && conflicts && !are_results).then(|| (operation, start.max(range.address)))
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
fn check(buffers: &Buffers, buffer: &Buffer, access: Access, of: Of) -> Vec<ByteRange> {
    bounds::check(buffer);
    let ranges = ranges_of(buffer);
    if ranges.is_empty() && buffer.bytes() > 0 {
        let text = format!("a buffer of more than {RANGES_MAX} pieces");
        found(&LIMIT, sites::here(), 1, text);
    }
    if access == Access::Write {
        check_twice(&ranges);
    }
    if let Some((other, address)) = buffers.conflict(&ranges, access, of) {
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
    check(&locked(&state.buffers), buffer, access, Of::Message);
}

/// Checks the buffer of the operation `handle`, which starts, and watches it until [`end`].
#[cold]
pub fn begin(handle: usize, buffer: &Buffer, access: Access) {
    let Some(state) = STATE.get() else { return };
    accesses::learn();
    let mut buffers = locked(&state.buffers);
    let ranges = check(&buffers, buffer, access, Of::Message);
    let site = sites::of(handle);
    buffers.insert((handle, 0), Operation::new(access, Of::Message, ranges, buffer, site));
}

/// Notes that only the checks keep the send `handle` from being complete.
#[cold]
pub fn hold(handle: usize) {
    let Some(state) = STATE.get() else { return };
    if let Some(operation) = locked(&state.buffers).operations.get_mut(&(handle, 0)) {
        operation.is_held = true;
    }
}

/// Returns the sends that only the checks keep from being complete: their handles, bytes and calls.
pub fn held() -> Vec<(usize, usize, Option<CallSite>)> {
    let Some(state) = STATE.get() else { return Vec::new() };
    let buffers = locked(&state.buffers);
    let held = buffers.operations.iter().filter(|(_, operation)| operation.is_held);
    held.map(|(part, operation)| (part.0, operation.buffer.bytes(), operation.site)).collect()
}

/// Checks whether the buffer of the receive `handle`, whose message begins to arrive, is as it was
/// when the receive began.
#[cold]
pub fn arrives(handle: usize) {
    let Some(state) = STATE.get() else { return };
    let buffers = locked(&state.buffers);
    if let Some(operation) = buffers.operations.get(&(handle, 0))
        && operation.access == Access::Write
        && operation.of == Of::Message
        && checksum(&operation.buffer) != operation.checksum
    {
        let bytes = operation.buffer.bytes();
        let text = format!("{bytes} bytes, changed before the message arrived");
        found(&WRITTEN, operation.site, 1, text);
    }
}

/// Checks whether the buffers that the collective operation `handle` writes are as they were when
/// it was started. Its first step comes next.
#[cold]
pub fn begins(handle: usize) {
    let Some(state) = STATE.get() else { return };
    let buffers = locked(&state.buffers);
    for (_, operation) in buffers.operations.range((handle, 0)..=(handle, usize::MAX)) {
        if operation.access == Access::Write && checksum(&operation.buffer) != operation.checksum {
            operation.tell_written();
        }
    }
}

/// Notes that the data of the operation `handle` have arrived, which the program has not completed.
/// Until it does, it must not write them. Returns whether it is a receive that is watched.
#[cold]
pub fn arrived(handle: usize) -> bool {
    let Some(state) = STATE.get() else { return false };
    let mut buffers = locked(&state.buffers);
    let mut is_receive = false;
    for (_, operation) in buffers.operations.range_mut((handle, 0)..=(handle, usize::MAX)) {
        if operation.access == Access::Write && !matches!(operation.of, Of::Partitioned(_)) {
            operation.arrive();
            is_receive |= operation.of == Of::Message;
        }
    }
    is_receive
}

/// Tells if the present call frees the receive `handle`: nothing tells the program then when the
/// data are there (MPI 5.0 §3.7.3).
#[cold]
pub fn frees(handle: usize) {
    let Some(state) = STATE.get() else { return };
    let freed = locked(&state.buffers)
        .operations
        .get(&(handle, 0))
        .filter(|operation| operation.access == Access::Write && operation.of == Of::Message)
        .map(|operation| (operation.buffer.bytes(), operation.site));
    if let Some((bytes, site)) = freed.filter(|(bytes, _)| *bytes > 0) {
        let text = format!(
            "a receive of {bytes} bytes that is freed before it is complete, so that nothing tells \
             when the data are there:"
        );
        found_with(&REQUEST, site, 1, text, sites::here().map(call_of));
    }
}

/// The origins and results of one window that are watched at once at most. Further ones are only
/// compared with the others.
const WATCHED_MAX: usize = 4096;

/// Returns the handle under which the buffers of accesses to a rank of a window are kept. Handles
/// of requests have 32 bits.
fn handle_of_accesses(win: usize, target: u32) -> usize {
    1 << 63 | (win & 0x7fff_ffff) << 32 | target as usize
}

/// Checks the buffers of an access to a rank of a window, which begins, and watches them until
/// [`end_accesses`]. `with_request`: a request tells when the access is complete, so that the
/// buffers are only compared with others. `has_arrived`: what a get reads is in its buffer.
#[cold]
pub fn begin_access(
    win: usize,
    target: u32,
    uses: &[(&Buffer, Access)],
    is_accumulate: bool,
    with_request: bool,
    has_arrived: bool,
) {
    let Some(state) = STATE.get() else { return };
    let site = sites::here();
    let mut buffers = locked(&state.buffers);
    for &(buffer, access) in uses {
        let is_result = is_accumulate && access == Access::Write;
        let of = if is_result { Of::Result } else { Of::WindowAccess };
        let ranges = check(&buffers, buffer, access, of);
        let handle = handle_of_accesses(win, target);
        let first = buffers.operations.range((handle, 0)..=(handle, usize::MAX)).next_back();
        let number = first.map_or(0, |(&(_, number), _)| number + 1);
        if !with_request && number < WATCHED_MAX && !ranges.is_empty() {
            let mut operation = Operation::new(access, of, ranges, buffer, site);
            if access == Access::Write && of == Of::WindowAccess && has_arrived {
                operation.arrive();
            }
            buffers.insert((handle, number), operation);
        }
    }
}

/// Ends watching the buffers of accesses to a rank of a window, or to all: they are complete, and
/// the program may use the buffers.
#[cold]
pub fn end_accesses(win: usize, target: Option<u32>) {
    let Some(state) = STATE.get() else { return };
    let (first, last) = target.map_or((0, u32::MAX), |target| (target, target));
    let from = (handle_of_accesses(win, first), 0);
    let to = (handle_of_accesses(win, last), usize::MAX);
    let ended: Vec<Operation> = {
        let mut buffers = locked(&state.buffers);
        let parts: Vec<Part> = buffers.operations.range(from..=to).map(|(&part, _)| part).collect();
        parts.into_iter().filter_map(|part| buffers.remove(part)).collect()
    };
    ended.iter().for_each(Operation::check_end);
}

/// Checks the buffers of the collective operation `handle`, which has started, and watches them
/// until [`end`]. Returns whether it has any.
#[cold]
pub fn begin_collective(handle: usize, uses: &[Use]) -> bool {
    let Some(state) = STATE.get() else { return false };
    let mut buffers = locked(&state.buffers);
    // Those of one operation are compared by its call.
    let checked: Vec<Vec<ByteRange>> = uses
        .iter()
        .map(|(buffer, access)| check(&buffers, buffer, *access, Of::Collective))
        .collect();
    let site = sites::of(handle);
    for (index, ((buffer, access), ranges)) in uses.iter().zip(checked).enumerate() {
        let operation = Operation::new(*access, Of::Collective, ranges, buffer, site);
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
        uses.iter().for_each(|(buffer, _)| bounds::check(buffer));
        return;
    }
    for (buffer, access) in uses {
        check(&buffers, buffer, *access, Of::Collective);
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
    let of = Of::Partitioned(partition);
    let ranges = check(&buffers, buffer, access, of);
    let operation = Operation::new(access, of, ranges, buffer, sites::here());
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
/// sent them, or if they have [`arrived`]. Does nothing if the operation is not watched. Returns
/// whether the completion of the request by the program has ended the watch, as is announced by
/// [`begin_collective`] and by `arrived`.
#[cold]
pub fn end(handle: usize) -> bool {
    let Some(state) = STATE.get() else { return false };
    let operations = locked(&state.buffers).remove_all(handle);
    let of_completion = |operation: &Operation| {
        operation.of == Of::Collective || operation.of == Of::Message && operation.has_arrived
    };
    let is_of_completion = operations.iter().any(of_completion);
    if !operations.is_empty() {
        accesses::learn();
    }
    operations.iter().for_each(Operation::check_end);
    is_of_completion
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
        Operation::new(access, Of::Message, ranges_of(buffer), buffer, None)
    }

    #[test]
    fn accesses_of_a_window_have_their_own_handles() {
        let (first, last) = (handle_of_accesses(5, 0), handle_of_accesses(5, u32::MAX));
        assert!(first < last && handle_of_accesses(6, 0) > last);
        assert!(first > u32::MAX as usize, "handles of requests lie below");
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
        assert!(buffers.conflict(&column(4), Access::Write, Of::Message).is_none());
        let (other, address) = buffers.conflict(&column(3), Access::Read, Of::Message).unwrap();
        assert_eq!((other.access, address), (Access::Write, matrix.address() + 3));
        assert!(buffers.conflict(&bytes(4, 9), Access::Write, Of::Message).is_none());
        assert!(buffers.conflict(&bytes(4, 10), Access::Write, Of::Message).is_some());
        buffers.remove((7, 0));
        assert!(buffers.conflict(&bytes(0, 50), Access::Write, Of::Message).is_none());
        assert!(buffers.ranges.is_empty() && buffers.operations.is_empty());
        buffers.insert((8, 0), operation(Access::Read, &matrix));
        assert!(buffers.conflict(&bytes(0, 50), Access::Read, Of::Message).is_none());
        assert!(buffers.conflict(&bytes(49, 1), Access::Write, Of::Message).is_some());
    }

    #[test]
    fn results_of_accumulates_may_share_a_variable() {
        let data = Buffer::scratch(8, Datatype::predefined(BYTE).unwrap()).unwrap();
        let mut buffers = Buffers::default();
        let ranges = ranges_of(&data);
        let result = Operation::new(Access::Write, Of::Result, ranges.clone(), &data, None);
        buffers.insert((handle_of_accesses(5, 1), 0), result);
        assert!(buffers.conflict(&ranges, Access::Write, Of::Result).is_none());
        assert!(buffers.conflict(&ranges, Access::Write, Of::WindowAccess).is_some());
        assert!(buffers.conflict(&ranges, Access::Read, Of::Message).is_some());
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
        assert!(buffers.conflict(&bytes(10), Access::Write, Of::Message).is_none());
        assert!(buffers.conflict(&bytes(11), Access::Write, Of::Message).is_some());
        assert!(buffers.remove((7, 2)).is_some() && buffers.remove((7, 1)).is_none());
        assert!(buffers.conflict(&bytes(15), Access::Write, Of::Message).is_none());
        assert_eq!((buffers.remove_all(7).len(), buffers.operations.len()), (2, 1));
    }

    #[test]
    fn checksums_see_every_byte() {
        let byte = Datatype::predefined(BYTE).unwrap();
        // Each byte of lengths that fill no step of the sum.
        for len in [1_usize, 7, 8, 31, 32, 33, 100] {
            let buffer = Buffer::scratch(len as i64, byte).unwrap();
            let mut sums = vec![checksum(&buffer)];
            for at in 0..len {
                assert_eq!(buffer.unpack_at(at, &[at as u8 + 1]), 1);
                sums.push(checksum(&buffer));
            }
            sums.sort_unstable();
            sums.dedup();
            assert_eq!(sums.len(), len + 1, "{len} bytes");
        }
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
