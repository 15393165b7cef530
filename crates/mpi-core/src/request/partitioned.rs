//! The two ends of a partitioned message, and which of its partitions have arrived.

use super::{Completion, Copies};
use crate::context::Context;
use crate::envelope::{Envelope, Wanted};
use crate::handle;
use nemesis_datatype::Buffer;
use nemesis_mpi_check::Signature;
use std::ops::Range;
use std::sync::Arc;

/// Words of a setup: the context, the number of partitions with the type signature, the bytes of
/// the message.
pub(crate) const SETUP_WORDS: usize = 3;

/// Position of the type signature in the word of the number of partitions, which has 32 bits.
const SIGNATURE_SHIFT: u32 = 32;

/// Returns the words of a setup.
pub(crate) fn setup_words(context: Context, partitions: &Partitions) -> [u64; SETUP_WORDS] {
    let bytes = partitions.buffer.bytes() as u64;
    let signature = if nemesis_mpi_check::is_on() {
        Signature::of(&partitions.buffer, bytes)
    } else {
        Signature::default()
    };
    let number = partitions.number as u64 | u64::from(signature.0) << SIGNATURE_SHIFT;
    [context.0, number, bytes]
}

/// Returns the number of partitions, and the type signature, from the second word of a setup.
pub(crate) fn number_and_signature(word: u64) -> (usize, Signature) {
    (word as u32 as usize, Signature((word >> SIGNATURE_SHIFT) as u32))
}

/// The partitions of one end.
#[derive(Debug)]
pub struct Partitions {
    pub buffer: Buffer,
    pub number: usize,
    /// Elements of each partition.
    pub each: usize,
    /// The copies that take the place of the program's buffer.
    pub copies: Option<Arc<dyn Copies>>,
}

impl Partitions {
    /// Returns the buffer of one partition.
    pub(crate) fn part(&self, index: usize) -> Buffer {
        self.buffer.part(index * self.each, self.each)
    }

    /// Returns the copies that take the place of the program's buffer, and the bytes of one
    /// partition in its packed stream.
    pub(crate) fn copied_part(&self, index: usize) -> Option<(&dyn Copies, usize, usize)> {
        let bytes = self.part(index).bytes();
        self.copies.as_ref().map(|copies| (&**copies, index * bytes, (index + 1) * bytes))
    }
}

/// The template of a partitioned send.
#[derive(Clone, Debug)]
pub struct Sending {
    pub(crate) partitions: Arc<Partitions>,
    /// Envelope of partition 0; `None` for `MPI_PROC_NULL`.
    pub(crate) envelope: Option<Envelope>,
}

/// The template of a partitioned receive.
#[derive(Clone, Debug)]
pub struct Receiving {
    pub(crate) partitions: Arc<Partitions>,
    /// What the receive of the setup matches.
    pub(crate) wanted: Wanted,
    /// Buffer of the setup: the pair's context, the number of the sender's partitions, the
    /// message's bytes.
    pub(crate) words: Buffer,
    /// The receive of the setup, until it is known to be complete.
    pub(crate) setup: Option<handle::Request>,
}

impl Arrivals {
    /// Returns the copies that take the place of the program's buffer.
    pub(crate) fn copies(&self) -> Option<Arc<dyn Copies>> {
        self.template.partitions.copies.clone()
    }
}

impl Receiving {
    /// Returns the receive of the setup, if the request has not been started yet.
    pub(crate) fn setup(&self) -> Option<handle::Request> {
        self.setup
    }

    /// Records that the first start has taken over the setup.
    pub(crate) fn has_started(&mut self) {
        self.setup = None;
    }
}

/// The state of an active partitioned receive.
#[derive(Debug)]
pub struct Arrivals {
    pub(crate) template: Receiving,
    /// The sender's partitions; `None` until the setup has arrived.
    pub(crate) pieces: Option<Pieces>,
}

/// The sender's partitions, and which of them have arrived.
#[derive(Debug)]
pub(crate) struct Pieces {
    pub(crate) number: usize,
    /// Bytes of each partition of the sender.
    pub(crate) bytes: usize,
    /// For each partition of the receiver, the number of overlapping partitions of the sender that
    /// have not arrived.
    pub(crate) missing: Vec<u32>,
    /// Staging buffers of the partitions that cannot be received into the receiver's buffer
    /// directly.
    pub(crate) aside: Vec<Option<Buffer>>,
}

/// Returns which of the `theirs` partitions of a message overlap partition `index` of `ours`.
pub(crate) fn overlapping(index: usize, ours: usize, theirs: usize) -> Range<usize> {
    let first = index * theirs / ours;
    let end = ((index + 1) * theirs).div_ceil(ours);
    first..end
}

/// Returns bytes `from .. from + length` of a message's packed stream as a buffer, if they are
/// whole elements or the elements have no gaps.
pub(crate) fn window(buffer: &Buffer, from: usize, length: usize) -> Option<Buffer> {
    if length == 0 {
        return Some(Buffer::empty());
    }
    if let Some(flat) = buffer.flattened() {
        return Some(flat.part(from, length));
    }
    let element = buffer.bytes() / buffer.count().max(1);
    (from.is_multiple_of(element) && length.is_multiple_of(element))
        .then(|| buffer.part(from / element, length / element))
}

impl Arrivals {
    /// Records a part that has completed. Returns true if it was the setup.
    pub fn note(&mut self, part: &Completion) -> bool {
        let Some(pieces) = &mut self.pieces else { return true };
        let index = part.tag as usize;
        if let Some(aside) = pieces.aside.get_mut(index).and_then(Option::take)
            && let Some(bytes) = aside.as_bytes()
        {
            self.template.partitions.buffer.unpack_at(index * pieces.bytes, bytes);
        }
        for ours in overlapping(index, pieces.number, pieces.missing.len()) {
            pieces.missing[ours] -= 1;
        }
        false
    }

    /// Returns how many of the receiver's partitions have arrived, and their number; `None` until
    /// the setup has arrived.
    pub(crate) fn counts(&self) -> Option<(usize, usize)> {
        let missing = &self.pieces.as_ref()?.missing;
        Some((missing.iter().filter(|missing| **missing == 0).count(), missing.len()))
    }

    pub(crate) fn has(&self, partition: usize) -> bool {
        self.pieces.as_ref().is_some_and(|pieces| pieces.missing[partition] == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_overlap_where_they_share_bytes() {
        assert_eq!(overlapping(0, 1, 5), 0..5);
        assert_eq!(overlapping(3, 5, 1), 0..1);
        assert_eq!(overlapping(0, 2, 3), 0..2);
        assert_eq!(overlapping(1, 2, 3), 1..3);
        assert_eq!(overlapping(1, 3, 2), 0..2);
        for (ours, theirs) in [(1, 1), (4, 6), (7, 3), (12, 12), (5, 100)] {
            for index in 0..ours {
                let shares = |other: &usize| {
                    other * ours < (index + 1) * theirs && (other + 1) * ours > index * theirs
                };
                let expected: Vec<usize> = (0..theirs).filter(shares).collect();
                assert_eq!(overlapping(index, ours, theirs).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn both_ends_count_the_same_overlaps() {
        for (ours, theirs) in [(4, 6), (7, 3), (9, 9)] {
            let seen_here: usize =
                (0..ours).map(|index| overlapping(index, ours, theirs).len()).sum();
            let seen_there: usize =
                (0..theirs).map(|index| overlapping(index, theirs, ours).len()).sum();
            assert_eq!(seen_here, seen_there);
        }
    }

    /// The receiving end of a message of `bytes` bytes in these numbers of partitions.
    fn arrivals(bytes: usize, ours: usize) -> Arrivals {
        let buffer = crate::scratch::scratch_bytes(bytes).unwrap();
        let partitions = Partitions { buffer, number: ours, each: bytes / ours, copies: None };
        let pattern = crate::matching::Pattern { context: Context(0), rank: 0, tag: 0 };
        let template = Receiving {
            partitions: Arc::new(partitions),
            wanted: Wanted { comm: handle::Comm(0), pattern, from: None },
            words: Buffer::empty(),
            setup: None,
        };
        Arrivals { template, pieces: None }
    }

    fn pieces(bytes: usize, ours: usize, theirs: usize, aside: bool) -> Pieces {
        let missing = (0..ours).map(|index| overlapping(index, ours, theirs).len() as u32);
        let aside = (0..theirs)
            .map(|_| aside.then(|| crate::scratch::scratch_bytes(bytes / theirs).unwrap()));
        let (missing, aside) = (missing.collect(), aside.collect());
        Pieces { number: theirs, bytes: bytes / theirs, missing, aside }
    }

    fn part(index: usize) -> Completion {
        Completion { tag: index as i32, ..Completion::EMPTY }
    }

    #[test]
    fn a_partition_has_arrived_when_all_its_bytes_have() {
        for (ours, theirs) in [(1, 1), (3, 2), (2, 3), (4, 6), (6, 4), (5, 7), (12, 1), (1, 12)] {
            let bytes = ours * theirs;
            let mut arrivals = arrivals(bytes, ours);
            assert!(!arrivals.has(0) && arrivals.counts().is_none(), "before the setup");
            assert!(arrivals.note(&Completion::EMPTY), "the setup comes first");
            arrivals.pieces = Some(pieces(bytes, ours, theirs, false));
            let mut here = vec![false; bytes];
            // From the outside inwards.
            let order =
                (0..theirs).map(|at| if at % 2 == 0 { at / 2 } else { theirs - 1 - at / 2 });
            for index in order {
                assert!(!arrivals.note(&part(index)));
                here[index * ours..(index + 1) * ours].fill(true);
                let whole: Vec<bool> =
                    here.chunks(theirs).map(|bytes| bytes.iter().all(|here| *here)).collect();
                let found: Vec<bool> = (0..ours).map(|index| arrivals.has(index)).collect();
                assert_eq!(found, whole, "{ours} of ours, {theirs} of theirs");
                let count = whole.iter().filter(|whole| **whole).count();
                assert_eq!(arrivals.counts(), Some((count, ours)));
            }
            assert!((0..ours).all(|index| arrivals.has(index)));
        }
    }

    #[test]
    fn what_was_received_aside_is_put_in_its_place() {
        let mut arrivals = arrivals(12, 2);
        arrivals.pieces = Some(pieces(12, 2, 3, true));
        for index in [2, 0, 1] {
            let aside = arrivals.pieces.as_ref().unwrap().aside[index].clone().unwrap();
            aside.unpack_at(0, &[index as u8 + 1; 4]);
            arrivals.note(&part(index));
        }
        let whole = &arrivals.template.partitions.buffer;
        assert_eq!(whole.as_bytes(), Some(&[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3][..]));
    }

    #[test]
    fn a_setup_names_the_number_and_the_bytes_of_the_partitions() {
        let partitions = &arrivals(24, 6).template.partitions;
        let [context, number, bytes] = setup_words(Context(77), partitions);
        assert_eq!((context, number_and_signature(number).0, bytes), (77, 6, 24));
        assert_eq!(partitions.part(2).bytes(), 4);
        let word = u64::from(u32::MAX) << SIGNATURE_SHIFT | 9;
        assert_eq!(number_and_signature(word), (9, Signature(u32::MAX)));
    }

    #[test]
    fn a_window_is_of_whole_elements_or_of_bytes() {
        let plain = crate::scratch::scratch_bytes(12).unwrap();
        assert_eq!(window(&plain, 5, 3).map(|part| part.bytes()), Some(3));
        let int = nemesis_datatype::Datatype::predefined(0x209).unwrap();
        let wide = nemesis_datatype::Datatype::resized(int, 0, 12).unwrap();
        wide.commit();
        let gaps = Buffer::scratch(3, &wide).unwrap();
        assert_eq!(window(&gaps, 4, 8).map(|part| part.count()), Some(2));
        assert!(window(&gaps, 2, 4).is_none() && window(&gaps, 4, 3).is_none());
        assert_eq!(window(&gaps, 3, 0).map(|part| part.bytes()), Some(0));
    }
}
