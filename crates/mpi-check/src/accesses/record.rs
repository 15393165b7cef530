//! What a log holds: accesses of one kind with the bytes that they name, and what puts have
//! written.

use crate::Call;
use crate::exchange::{Reader, Writer};
use crate::ranges::Ranges;
use nemesis_datatype::ByteRange;
use std::collections::HashMap;

/// What an access does with the target's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It reads.
    Get,
    /// It writes.
    Put,
    /// It accumulates.
    Accumulate {
        /// The operation; 0 goes with every other one (`MPI_NO_OP`, `MPI_REPLACE`, and
        /// compare-and-swap).
        op: u64,
        /// The basic type of the elements; 0 if it is unknown.
        element: u64,
    },
}

impl Action {
    /// Returns whether two accesses to one location conflict.
    pub(super) fn conflicts(self, other: Action) -> bool {
        let differ = |one: u64, other: u64| one != other && one != 0 && other != 0;
        match (self, other) {
            (Action::Get, Action::Get) => false,
            (
                Action::Accumulate { op, element },
                Action::Accumulate { op: other_op, element: other_element },
            ) => differ(op, other_op) || differ(element, other_element),
            _ => true,
        }
    }

    fn words(self) -> [u64; 3] {
        match self {
            Action::Get => [0, 0, 0],
            Action::Put => [1, 0, 0],
            Action::Accumulate { op, element } => [2, op, element],
        }
    }

    fn read([tag, op, element]: [u64; 3]) -> Action {
        match tag {
            0 => Action::Get,
            1 => Action::Put,
            _ => Action::Accumulate { op, element },
        }
    }
}

/// The epoch of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Epoch {
    /// Of `MPI_Win_fence`. Each exchange of logs follows a fence.
    Fence,
    /// Of `MPI_Win_start`, which names the target the given time.
    Started(u64),
    /// Of a lock.
    Locked {
        /// Whether the library has taken the lock for this process alone.
        exclusive: bool,
    },
}

impl Epoch {
    fn words(self) -> [u64; 2] {
        match self {
            Epoch::Fence => [0, 0],
            Epoch::Started(number) => [1, number],
            Epoch::Locked { exclusive } => [2, exclusive.into()],
        }
    }

    fn read([tag, number]: [u64; 2]) -> Epoch {
        match tag {
            0 => Epoch::Fence,
            1 => Epoch::Started(number),
            _ => Epoch::Locked { exclusive: number != 0 },
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Epoch::Fence => "MPI_Win_fence",
            Epoch::Started(_) => "MPI_Win_start",
            Epoch::Locked { .. } => "a lock",
        }
    }
}

/// What the accesses of one entry of a log have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class {
    pub target: u32,
    pub action: Action,
    pub epoch: Epoch,
    /// The number of the last barrier of all processes, if this process has learnt nothing of
    /// another one since; else 0.
    pub barrier: u64,
    /// Whether this process has learnt nothing of another one since the epoch began.
    pub is_fresh: bool,
    /// The address of the call.
    pub site: usize,
}

/// The bytes that the accesses of one class name: offsets in the target's window, or addresses
/// there if the window is dynamic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub ranges: Ranges,
    /// Whether some of the accesses are writes of which the log does not tell what they wrote.
    pub is_unknown: bool,
}

/// Words of a record without its ranges.
pub(super) const RECORD_WORDS: usize = 11;

/// Words of what a put has written, without its ranges.
pub(super) const WRITTEN_WORDS: usize = 4;

/// An entry of the log of some rank.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    pub class: Class,
    pub entry: Entry,
    pub call: Call,
}

impl Record {
    /// Returns whether nothing can have ordered accesses of different processes, of the ranks
    /// `ranks`.
    pub fn is_concurrent(&self, other: &Record, ranks: (u32, u32), exposures: &Exposures) -> bool {
        let (one, other) = (&self.class, &other.class);
        match (one.epoch, other.epoch) {
            (Epoch::Fence, Epoch::Fence) => true,
            (Epoch::Started(first), Epoch::Started(second)) => {
                let exposure = exposures.of(one.target, ranks.0, first);
                exposure.is_some() && exposure == exposures.of(one.target, ranks.1, second)
            }
            (Epoch::Locked { exclusive: true }, Epoch::Locked { .. })
            | (Epoch::Locked { .. }, Epoch::Locked { exclusive: true }) => false,
            _ => one.barrier != 0 && one.barrier == other.barrier,
        }
    }

    /// Writes the entry of a class, whose call is `call`.
    pub fn write(writer: &mut Writer, class: &Class, entry: &Entry, call: &Call) {
        writer.word(class.target.into());
        writer.words(&class.action.words());
        writer.words(&class.epoch.words());
        writer.words(&[class.barrier, class.is_fresh.into(), entry.is_unknown.into()]);
        write_ranges(writer, entry.ranges.len(), entry.ranges.iter());
        writer.call(call);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Record> {
        let [target, tag, op, element, epoch, number, barrier, is_fresh, is_unknown] =
            reader.array()?;
        let class = Class {
            target: target as u32,
            action: Action::read([tag, op, element]),
            epoch: Epoch::read([epoch, number]),
            barrier,
            is_fresh: is_fresh != 0,
            site: 0,
        };
        let ranges = read_ranges(reader)?.into_iter().collect();
        let entry = Entry { ranges, is_unknown: is_unknown != 0 };
        Some(Record { class, entry, call: reader.call()? })
    }
}

/// What a put in a fence epoch has written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    pub target: u32,
    /// In the order of the data, which is that of the addresses.
    pub ranges: Vec<ByteRange>,
    /// The checksum of the data.
    pub checksum: u64,
    pub call: Call,
}

impl Written {
    pub fn write(&self, writer: &mut Writer) {
        writer.words(&[self.target.into(), self.checksum]);
        write_ranges(writer, self.ranges.len(), self.ranges.iter().copied());
        writer.call(&self.call);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Written> {
        let [target, checksum] = reader.array()?;
        let ranges = read_ranges(reader)?;
        Some(Written { target: target as u32, ranges, checksum, call: reader.call()? })
    }
}

fn write_ranges(writer: &mut Writer, number: usize, ranges: impl Iterator<Item = ByteRange>) {
    writer.word(number as u64);
    ranges.for_each(|range| writer.words(&[range.address as u64, range.len as u64]));
}

fn read_ranges(reader: &mut Reader<'_>) -> Option<Vec<ByteRange>> {
    let [number] = reader.array()?;
    (0..number)
        .map(|_| {
            let [address, len] = reader.array()?;
            Some(ByteRange { address: address as usize, len: len as usize })
        })
        .collect()
}

/// The exposure epochs of all ranks: by target, origin and the number of the origin's
/// `MPI_Win_start` that named the target, the number of the epoch.
#[derive(Debug, Default)]
pub(super) struct Exposures(pub HashMap<(u32, u32, u64), u64>);

impl Exposures {
    /// Returns the exposure epoch of `target` to which an access epoch of `origin` belongs.
    pub fn of(&self, target: u32, origin: u32, number: u64) -> Option<u64> {
        self.0.get(&(target, origin, number)).copied()
    }
}

/// The log of one rank.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Received {
    /// Whether accesses are left out.
    pub is_cut: bool,
    pub records: Vec<Record>,
    pub written: Vec<Written>,
}

impl Received {
    /// Reads a log of the rank `rank`; adds its exposure epochs to `exposures`.
    pub fn read(words: &[u64], rank: u32, exposures: &mut Exposures) -> Option<Received> {
        let mut reader = Reader::new(words);
        let [is_cut, exposed] = reader.array()?;
        for _ in 0..exposed {
            let [origin, number, exposure] = reader.array()?;
            exposures.0.insert((rank, origin as u32, number), exposure);
        }
        let [records] = reader.array()?;
        let records = (0..records).map(|_| Record::read(&mut reader)).collect::<Option<_>>()?;
        let [written] = reader.array()?;
        let written = (0..written).map(|_| Written::read(&mut reader)).collect::<Option<_>>()?;
        Some(Received { is_cut: is_cut != 0, records, written })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_writes_and_different_operations_conflict() {
        let sum = Action::Accumulate { op: 3, element: 1 };
        let actions = [
            Action::Get,
            Action::Put,
            sum,
            Action::Accumulate { op: 4, element: 1 },
            Action::Accumulate { op: 3, element: 2 },
            Action::Accumulate { op: 0, element: 1 },
        ];
        let of = |action: Action| actions.map(|other| action.conflicts(other));
        assert_eq!(of(Action::Get), [false, true, true, true, true, true]);
        assert_eq!(of(Action::Put), [true; 6]);
        assert_eq!(of(sum), [true, true, false, true, true, false]);
    }
}
