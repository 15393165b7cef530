//! Where pieces of what rooms do not hold lie: in tracks, in traded places, and in places that two pass things through.
//!
//! ```text
//!   a row's track:        | piece | piece | free …              | piece | piece …
//!                           of calls in which all meet            of calls with a root
//!
//!   one of two members':  | traded place | passing places (only row 0's are used) | piece | piece | free …
//! ```
//!
//! *Tracks.* Pieces follow one another, round and round. The row's line tells where a piece lies. A track is longer than all pieces that may be on their way
//! together. It may have two lanes: one for calls in which all meet over each piece, where few are under way, and one for those with a root, which others need
//! not wait for.
//!
//! *Trading.* In calls in which two members publish for each other, each writes its piece into the place from which it has read the last one of the other:
//! there the lines are in its own caches. Nobody else looks at that place, and by reading a member knows that it may be written, so no words are read.
//!
//! *Passing.* What one of two members has for the other goes through places that both write, piece after piece. If it was the other one that passed something
//! last, this one writes where it has read that: there the lines are in its own caches, too. If it was itself, it goes on behind, round and round. A place is
//! written again when both have retired from the call that had it last.

use super::{Board, PAGE, PIECE_MAX_BYTES, SLOTS, Surface};

/// The shortest track: it holds the pieces of two calls however they lie. With room for one, a call that follows one in which all met, and of which nobody says
/// that it has left it, would wait for ever.
pub const TRACK_MIN_BYTES: usize = 3 * PIECE_MAX_BYTES;
/// The longest piece that two members trade. Their places are at the front of the tracks, and a piece begins in the first page of one.
pub const TRADED_MAX_BYTES: usize = 128 << 10;
const TRADED_BYTES: usize = TRADED_MAX_BYTES + 2 * PAGE;
/// The longest piece that is passed, and how many are passed at most, half a mebibyte of elements of any length. There are places for twice as many. A piece
/// begins in the first page of one.
pub const PASSED_PIECE_BYTES: usize = 66 << 10;
pub const PASSED_PIECES: usize = 8;
const PASSING_PLACES: usize = 2 * PASSED_PIECES;
const PASSED_PLACE_BYTES: usize = PASSED_PIECE_BYTES + 2 * PAGE;
/// What two members trade and pass lies in front of their pieces.
pub const PAIR_PLACES_BYTES: usize = TRADED_BYTES + PASSING_PLACES * PASSED_PLACE_BYTES;

/// What a member knows of the tracks.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    /// Bytes of each, 0 if there are none.
    pub(super) bytes: usize,
    lanes: [Lane; 2],
    /// The lane that the call uses.
    lane: usize,
    pub(super) kind: Kind,
    /// Whether each of two members that trade writes into the other's track.
    crossed: bool,
    passing: Passing,
}

/// How two members pass pieces to each other; both know it.
#[derive(Clone, Debug, Default)]
struct Passing {
    /// Who has passed something last, where its first piece lay, and the place behind its last one.
    passer: Option<u32>,
    first: usize,
    next: usize,
    /// The calls that had the places last.
    calls: [u64; PASSING_PLACES],
}

impl Passing {
    /// The place of piece number `piece` of what `passer` passes.
    #[inline]
    fn place(&mut self, piece: usize, passer: u32) -> usize {
        if piece == 0 && self.passer.replace(passer) == Some(passer) {
            self.first = self.next;
        }
        let place = (self.first + piece) % PASSING_PLACES;
        self.next = (place + 1) % PASSING_PLACES;
        place
    }
}

/// Where the pieces of a call lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Each row's in its own track, if there are any.
    Own,
    Traded,
    /// In the passing place of that number.
    Passed(usize),
}

/// A part of a track, from `begin` to `end`, and where in it this member's next piece begins.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(loom, allow(dead_code))]
struct Lane {
    begin: usize,
    end: usize,
    head: usize,
}

impl Lane {
    fn new(begin: usize, end: usize) -> Lane {
        Lane { begin, end, head: begin }
    }

    /// Where a piece of so many bytes lies next.
    #[cfg(not(loom))]
    #[inline]
    fn next(&mut self, length: usize) -> usize {
        assert!(length <= PIECE_MAX_BYTES, "a piece of {length} bytes");
        let begin = if self.head + length <= self.end { self.head } else { self.begin };
        // The processor reads ahead within a page.
        self.head = (begin + length).next_multiple_of(PAGE);
        begin
    }
}

impl Tracks {
    pub(super) fn new(bytes: usize) -> Tracks {
        assert!(bytes == 0 || bytes >= TRACK_MIN_BYTES, "a track of {bytes} bytes");
        let lanes = [Lane::new(0, bytes), Lane::default()];
        Tracks { bytes, lanes, lane: 0, kind: Kind::Own, crossed: false, passing: Passing::default() }
    }
}

impl<S: Surface> Board<S> {
    /// From now on pieces of calls with a root have a lane of their own in each track, if that has room for two; all members say so.
    pub fn split_tracks(&mut self) {
        let tracks = &mut self.tracks;
        if tracks.bytes >= 2 * TRACK_MIN_BYTES {
            tracks.lanes = [Lane::new(0, TRACK_MIN_BYTES), Lane::new(TRACK_MIN_BYTES, tracks.bytes)];
        }
    }

    /// From now on two members may trade places, and pass things; both say so.
    pub fn allow_trade(&mut self) {
        let bytes = self.tracks.bytes;
        assert!(self.members == 2 && bytes >= TRACK_MIN_BYTES + PAIR_PLACES_BYTES, "two members with long tracks");
        self.tracks.lanes[0] = Lane::new(PAIR_PLACES_BYTES, bytes);
    }

    /// Whether each row has a track.
    #[inline]
    pub fn has_tracks(&self) -> bool {
        self.tracks.bytes > 0
    }

    /// As `begin`, of a call in which rows publish pieces in their tracks, with a root or so that all meet. As many calls as may be under way then fill no more
    /// than their lane, of which the end may be left out.
    #[inline]
    pub fn begin_in_track(&mut self, rooted: bool) {
        self.begin(0);
        let tracks = &mut self.tracks;
        tracks.lane = usize::from(rooted && tracks.lanes[1].end > 0);
        let lane = tracks.lanes[tracks.lane];
        self.depth = (((lane.end - lane.begin) / PIECE_MAX_BYTES).saturating_sub(1) as u64).clamp(1, SLOTS);
    }

    /// As `begin`, of a call in which two members trade places.
    #[inline]
    pub fn begin_trade(&mut self) {
        self.begin(0);
        self.tracks.kind = Kind::Traded;
        self.tracks.crossed = !self.tracks.crossed;
    }

    /// As `begin`, of a call in which `passer`, one of two members, passes piece number `piece` of something to the other.
    #[inline]
    pub fn begin_passing(&mut self, piece: usize, passer: u32) {
        self.begin(0);
        self.pass(piece, passer);
    }

    /// The call that has begun turns out to be such a one: both members say so of the same calls.
    #[inline]
    pub fn pass(&mut self, piece: usize, passer: u32) {
        let place = self.tracks.passing.place(piece, passer);
        let last = std::mem::replace(&mut self.tracks.passing.calls[place], self.call);
        self.depth = (self.call - last).min(SLOTS);
        self.tracks.kind = Kind::Passed(place);
    }

    /// The row in whose track the piece of `row` lies in this call.
    #[inline]
    pub fn home(&self, row: u32) -> u32 {
        match self.tracks.kind {
            Kind::Own => row,
            Kind::Traded if self.tracks.crossed => 1 - row,
            Kind::Traded => row,
            Kind::Passed(_) => 0,
        }
    }

    /// Where in the track a piece of so many bytes lies next.
    #[cfg(not(loom))]
    #[inline]
    pub(super) fn next_in_track(&mut self, length: usize) -> usize {
        self.tracks.lanes[self.tracks.lane].next(length)
    }

    /// Where the places begin that are traded or passed in this call, and how long a piece may be.
    #[inline]
    pub fn place_of_pair(&self) -> (usize, usize) {
        match self.tracks.kind {
            Kind::Own => (0, 0),
            Kind::Traded => (0, TRADED_MAX_BYTES),
            Kind::Passed(place) => (TRADED_BYTES + place * PASSED_PLACE_BYTES, PASSED_PIECE_BYTES),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::tests::{boards, boards_with_tracks};
    use super::super::{LINE, Mapped};
    use super::*;

    #[test]
    fn pieces_in_a_track_stay_until_all_have_left_their_calls() {
        pieces_stay(boards(2), |_| false);
    }

    #[test]
    fn pieces_in_two_lanes_stay_until_all_have_left_their_calls() {
        for period in [1, 2, 5] {
            let mut boards = boards_with_tracks(2, 3 * TRACK_MIN_BYTES);
            boards.iter_mut().for_each(Board::split_tracks);
            pieces_stay(boards, |number| number / period % 2 == 0);
        }
    }

    #[test]
    fn a_lane_for_roots_takes_four_pieces_behind_a_call_in_which_all_met() {
        let mut boards = boards_with_tracks(2, TRACK_MIN_BYTES + 6 * PIECE_MAX_BYTES);
        boards.iter_mut().for_each(Board::split_tracks);
        for _ in 0..3 {
            boards.iter_mut().for_each(|board| board.begin(0));
            boards.iter_mut().for_each(Board::met_all);
            for _ in 0..4 {
                boards.iter_mut().for_each(|board| board.begin_in_track(true));
                assert!(boards[0].is_free());
                boards[0].next_piece(PIECE_MAX_BYTES);
                boards.iter().for_each(Board::retire);
            }
        }
    }

    fn pieces_stay(mut boards: Vec<Board<Mapped>>, rooted: impl Fn(usize) -> bool) {
        let (mut lying, mut waits): (Vec<(u64, usize, usize)>, _) = (Vec::new(), 0);
        for (number, length) in (1..400).map(|number| (number, 1 + number * 7919 % PIECE_MAX_BYTES)) {
            boards.iter_mut().for_each(|board| board.begin_in_track(rooted(number)));
            if !boards[0].is_free() {
                waits += 1;
                boards[1].retire_from_last();
                assert!(
                    boards[0].is_free() || {
                        boards[0].retire_from_last();
                        boards[0].is_free()
                    }
                );
            }
            let (call, retired) = (boards[0].call, boards[0].retired);
            lying.retain(|&(call, ..)| call > retired);
            let (begin, place) = boards[0].next_piece(length);
            place.fill(call as u8);
            assert!(lying.iter().all(|&(_, other, bytes)| begin + length <= other || other + bytes <= begin), "piece {call} meets another");
            lying.push((call, begin, length));
            assert_eq!(boards[1].piece(0, begin, length), vec![call as u8; length]);
        }
        assert!(waits > 10, "{waits}");
    }

    #[test]
    fn pieces_need_nobodys_word_after_calls_in_which_all_met() {
        let mut boards = boards(2);
        for _ in 0..2 * SLOTS {
            boards.iter_mut().for_each(|board| board.begin_in_track(false));
            assert!(boards.iter_mut().all(|board| board.is_free()));
            boards.iter_mut().for_each(Board::met_all);
        }
    }

    #[test]
    fn two_write_where_they_have_read() {
        let mut boards = boards_with_tracks(2, TRACK_MIN_BYTES + PAIR_PLACES_BYTES);
        boards.iter_mut().for_each(Board::allow_trade);
        let mut read_by_first = None;
        for call in 1..100usize {
            let length = if call.is_multiple_of(3) { TRADED_MAX_BYTES } else { call };
            boards.iter_mut().for_each(Board::begin_trade);
            assert!(boards.iter_mut().all(Board::is_free));
            let mut begins = [0; 2];
            for (me, board) in boards.iter_mut().enumerate() {
                let (begin, place) = board.piece_of_pair(call * 24, length);
                let distance = (begin + 8192 - call * 24 % PAGE) % PAGE;
                assert!(distance <= PAGE / 2 && distance > PAGE / 2 - LINE, "{distance}");
                assert!(me > 0 || read_by_first.is_none_or(|read: usize| read.abs_diff(place.as_ptr().addr()) < PAGE));
                place.fill((2 * call + me) as u8);
                begins[me] = begin;
            }
            for (me, board) in boards.iter_mut().enumerate() {
                let other = 1 - me;
                let piece = board.piece(other as u32, begins[other], length);
                assert_eq!(piece, vec![(2 * call + other) as u8; length]);
                if me == 0 {
                    read_by_first = Some(piece.as_ptr().addr());
                }
                board.met_all();
            }
            if call.is_multiple_of(5) {
                // Pieces of other calls lie behind.
                boards.iter_mut().for_each(|board| board.begin_in_track(false));
                let (begin, place) = boards[0].next_piece(PIECE_MAX_BYTES);
                assert!(begin >= PAIR_PLACES_BYTES && begin + PIECE_MAX_BYTES <= TRACK_MIN_BYTES + PAIR_PLACES_BYTES);
                place.fill(0);
                boards.iter_mut().for_each(Board::met_all);
            }
        }
    }

    #[test]
    fn who_passes_after_the_other_writes_where_it_has_read() {
        let mut boards = boards_with_tracks(2, TRACK_MIN_BYTES + PAIR_PLACES_BYTES);
        boards.iter_mut().for_each(Board::allow_trade);
        let (mut last, mut addresses, mut waits): (_, Vec<usize>, _) = (2, Vec::new(), 0);
        // The calls in which each line was passed last: nobody may still read it when it is written again.
        let mut lines = vec![0; PAIR_PLACES_BYTES / LINE];
        for message in 1..200usize {
            let (passer, pieces) = (message / 3 * 7919 % 2, 1 + message * 31 % PASSED_PIECES);
            let (mut before, address) = (std::mem::take(&mut addresses), message * 24);
            for piece in 0..pieces {
                let length = if message.is_multiple_of(2) { PASSED_PIECE_BYTES } else { message };
                boards.iter_mut().for_each(|board| board.begin_passing(piece, passer as u32));
                if !boards[passer].is_free() {
                    waits += 1;
                    boards.iter().for_each(Board::retire_from_last);
                    assert!(boards[passer].is_free());
                }
                let (call, retired) = (boards[passer].call, boards[passer].retired);
                let (begin, place) = boards[passer].piece_of_pair(address, length);
                let distance = (begin + 2 * PAGE - address % PAGE) % PAGE;
                assert!(distance <= PAGE / 2 && distance > PAGE / 2 - LINE, "{distance}");
                place.fill(call as u8);
                addresses.push(place.as_ptr().addr());
                for line in &mut lines[begin / LINE..(begin + length).div_ceil(LINE)] {
                    assert!(*line <= retired, "call {call} writes what call {line} passed, {retired} have ended");
                    *line = call;
                }
                assert_eq!(boards[1 - passer].piece(passer as u32, begin, length), vec![call as u8; length]);
            }
            before.truncate(pieces);
            let again = before.iter().zip(&addresses).all(|(before, now)| before.abs_diff(*now) < PAGE + LINE);
            assert_eq!(again, passer != last || before.is_empty(), "message {message}");
            last = passer;
        }
        assert!(waits > 10, "{waits}");
    }

    #[test]
    fn places_beyond_a_track_lead_nowhere() {
        let boards = boards(2);
        for (row, begin, length) in [(0, TRACK_MIN_BYTES, 1), (1, usize::MAX, 2), (1, TRACK_MIN_BYTES - 5, 6), (2, 0, 1)] {
            assert_eq!(boards[0].piece(row, begin, length), []);
        }
        assert_eq!(boards[0].piece(1, TRACK_MIN_BYTES - 5, 5), [0; 5]);
    }
}
