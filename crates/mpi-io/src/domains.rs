//! The parts of the file that aggregators serve, round by round, and the part of the stream that a
//! rank moves.

use crate::transfer::Transfer;
use crate::view::View;
use std::ops::Range;

/// Domains begin at multiples of at least this: pages of the kernel, and blocks of most file
/// systems.
pub(crate) const DOMAIN_ALIGN_BYTES: u64 = 4096;
/// Longest unit to which domains are aligned.
const UNIT_MAX_BYTES: u64 = 1 << 32;

/// The part of the stream of its view that a rank moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub position: u64,
    pub bytes: u64,
}

impl Part {
    /// Returns the part that a transfer moves.
    pub fn of(transfer: &Transfer) -> Part {
        Part { position: transfer.position, bytes: transfer.buffer.bytes() as u64 }
    }

    /// Returns the part that lies before the end of a file of `size` bytes.
    pub fn existing(self, view: &View, size: Option<u64>) -> Part {
        let Some(size) = size else { return self };
        let found = view.bytes_before(size).saturating_sub(self.position);
        Part { bytes: self.bytes.min(found), ..self }
    }

    /// Returns the positions that lie in a window of the file.
    pub fn within(&self, view: &View, window: &Range<u64>) -> Range<u64> {
        let end = self.position + self.bytes;
        let first = view.bytes_before(window.start).clamp(self.position, end);
        first..view.bytes_before(window.end).clamp(first, end)
    }
}

/// How a range of the file is divided among aggregators and rounds.
#[derive(Debug)]
pub(crate) struct Domains {
    /// The boundary of a unit at or before the range, from which domains are counted.
    origin: u64,
    /// The page that holds the first byte of the range: where the first domain begins.
    start: u64,
    end: u64,
    each: u64,
    window: u64,
}

impl Domains {
    /// Divides `range` into domains that begin at multiples of `unit` bytes, and these into
    /// windows of at most `window` bytes.
    pub fn new(range: Range<u64>, aggregators: u64, window: u64, unit: u64) -> Domains {
        let unit = unit.clamp(DOMAIN_ALIGN_BYTES, UNIT_MAX_BYTES);
        let origin = range.start / unit * unit;
        let start = range.start / DOMAIN_ALIGN_BYTES * DOMAIN_ALIGN_BYTES;
        let each = (range.end - origin).div_ceil(aggregators).next_multiple_of(unit);
        Domains { origin, start, end: range.end, each, window: window.max(DOMAIN_ALIGN_BYTES) }
    }

    /// Divides as [`new`](Self::new), for windows in memory of `memory` bytes: the whole memory is
    /// a window if a domain fits, otherwise a half is, so that rounds use the halves in turn.
    pub fn in_halves(range: Range<u64>, aggregators: u64, memory: u64, unit: u64) -> Domains {
        let domains = Domains::new(range, aggregators, memory / 2, unit);
        let longest = domains.longest();
        let window = if longest <= memory { domains.window.max(longest) } else { domains.window };
        Domains { window, ..domains }
    }

    /// Returns the domain of an aggregator, which may be empty.
    fn domain(&self, aggregator: u64) -> Range<u64> {
        let first = self.origin + aggregator * self.each;
        let limit = (first + self.each).min(self.end);
        first.max(self.start).min(limit)..limit
    }

    /// Returns the bytes of the longest domain: the first, or the second if a part of the first
    /// lies before the range. No other domain is longer than the second.
    fn longest(&self) -> u64 {
        let bytes = |aggregator| {
            let domain = self.domain(aggregator);
            domain.end - domain.start
        };
        bytes(0).max(bytes(1))
    }

    pub fn rounds(&self) -> u64 {
        self.longest().div_ceil(self.window)
    }

    /// Returns the window of an aggregator in a round, which may be empty.
    pub fn window(&self, aggregator: u64, round: u64) -> Range<u64> {
        let Range { start, end } = self.domain(aggregator);
        let first = (start + round * self.window).min(end);
        first..(first + self.window).min(end)
    }
}

/// Returns the first byte of the packed buffer at these positions of the stream, and their number.
pub(crate) fn offsets(transfer: &Transfer, positions: &Range<u64>) -> (usize, usize) {
    let first = positions.start - transfer.position;
    (first as usize, (positions.end - positions.start) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_byte_is_in_one_window_of_one_aggregator(
            start in 0..300_000_u64, bytes in 0..200_000_u64, aggregators in 1..6_u64,
            memory in 0..70_000_u64, unit in 0..50_000_u64, halves: bool,
        ) {
            let range = start..start + bytes;
            let domains = match halves {
                true => Domains::in_halves(range.clone(), aggregators, memory, unit),
                false => Domains::new(range.clone(), aggregators, memory, unit),
            };
            let mut covered = 0;
            for aggregator in 0..aggregators {
                let mut end = None;
                for round in 0..domains.rounds() {
                    let window = domains.window(aggregator, round);
                    prop_assert!(window.end - window.start <= memory.max(DOMAIN_ALIGN_BYTES));
                    prop_assert!(end.is_none_or(|end| end == window.start));
                    end = Some(window.end);
                    let (from, to) = (window.start.max(start), window.end.min(range.end));
                    covered += to.saturating_sub(from);
                }
                prop_assert!(domains.window(aggregator, domains.rounds()).is_empty());
            }
            prop_assert_eq!(covered, bytes);
        }
    }

    #[test]
    fn domains_cover_the_range_once() {
        for (range, aggregators, window, unit) in [
            (5000..100_000, 3, 8192, 0),
            (0..1, 4, 4096, 4096),
            (4095..4097, 2, 1 << 20, 1),
            (70_000..400_000, 4, 4096, 65_536),
        ] {
            let domains = Domains::new(range.clone(), aggregators, window, unit);
            let unit = unit.max(4096);
            assert!(domains.origin.is_multiple_of(unit) && domains.each.is_multiple_of(unit));
            let mut windows: Vec<Range<u64>> = (0..aggregators)
                .flat_map(|a| (0..domains.rounds()).map(move |round| (a, round)))
                .map(|(aggregator, round)| domains.window(aggregator, round))
                .filter(|window| !window.is_empty())
                .collect();
            windows.sort_by_key(|window| window.start);
            assert!(windows[0].start <= range.start);
            assert!(windows.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert_eq!(windows.last().map(|window| window.end), Some(range.end));
        }
    }

    #[test]
    fn a_range_shorter_than_a_unit_has_no_empty_rounds() {
        assert_eq!(Domains::new(0..10_000, 2, 4096, 1 << 30).rounds(), 3);
        assert_eq!(Domains::in_halves(0..10_000, 2, 8192, 1 << 30).rounds(), 3);
        assert_eq!(Domains::in_halves(0..8000, 2, 8192, 1 << 30).rounds(), 1);
    }

    #[test]
    fn no_round_lies_before_the_range() {
        // The range begins near the end of a unit of 1 MiB.
        let range = (1 << 20) - 8192..(1 << 20) + 8192;
        let domains = Domains::new(range, 2, 4096, 1 << 20);
        assert_eq!((domains.rounds(), domains.window(0, 0).end), (2, (1 << 20) - 4096));
        assert_eq!(domains.window(1, 1), (1 << 20) + 4096..(1 << 20) + 8192);
        assert!((0..2).all(|aggregator| !domains.window(aggregator, 0).is_empty()));
    }

    #[test]
    fn a_short_domain_is_one_window() {
        assert_eq!(Domains::in_halves(0..8192, 2, 8192, 0).rounds(), 1);
        assert_eq!(Domains::in_halves(0..16_384, 2, 8192, 0).rounds(), 1);
        let long = Domains::in_halves(0..16_385, 2, 8192, 0);
        assert_eq!((long.rounds(), long.window(0, 2)), (3, 8192..12_288));
        // Ranks that read at the end of a file find nothing.
        assert_eq!(Domains::in_halves(8192..8192, 2, 8192, 0).rounds(), 0);
    }
}
