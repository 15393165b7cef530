//! Where the process's long packets lie until their receivers have read them.
//!
//! Packets follow one another in the room, and at the end of a round the next begins at the front again:
//!
//! ```text
//!   | packet | gap | packet | gap | free                      | packet | gap |
//!                              head: the next begins here       lent: the next obstacle
//! ```
//!
//! How long a round is decides in which caches a packet's lines are when they are written again. Where the caches that processors have for themselves answer
//! each other fast, short rounds are best: two packets take turns, and what is on its way is in those caches. Where they do so slowly, as on AMD's
//! processors (design memo 0003), receivers take the lines that they read (`nemesis_shm::copy::take`), and a round is as long as what these caches hold beside
//! all else. What is sent to and fro, or both ways, need not come here: [shuttles](crate::shuttle).
//!
//! The processor reads ahead within a page: a receiver would take lines away in which the sender already writes the next packet. So a page is left between.

use nemesis_shm::PAGE_BYTES;
use nemesis_shm::copy;
use nemesis_shm::layout::{CELLS, long};
use nemesis_shm::pieces::Manner;
use nemesis_shm::segment::{LongPlace, Slot};
use nemesis_sys::processor;
use nemesis_wire::LINE_BYTES;
use std::collections::VecDeque;

/// Up to here, writing and reading at once is the fastest way for one message, where two packets take turns.
const NEAR_MAX_BYTES: usize = 256 * 1024;

/// Rounds where they are long: their lines stay in the caches that processors have for themselves, whose receivers take them, with those of a message that
/// goes through.
const LONG_ROUND_BYTES: usize = 512 * 1024;

/// Where rounds are long the first ones are not: memory that nobody has touched costs more than lines that come back too soon, several times what its
/// packets take. After so many rounds they become twice as long.
const FIRST_ROUND_BYTES: usize = 128 * 1024;
const ROUNDS_OF_A_LENGTH: u8 = 4;
/// But so many packets in any case.
const PACKETS_OF_A_ROUND: usize = 4;

#[derive(Debug)]
pub struct Room {
    /// So many packets may be on their way.
    most: usize,
    /// Packets go round in the whole room, or will.
    long_rounds: bool,
    /// How long such a round is now, and how many there are to go until it is longer.
    round: usize,
    rounds: u8,
    /// Where the next packet begins, if there is nothing in the way.
    head: usize,
    /// Packets that were not free when last seen, in the order in which the head comes to them.
    lent: VecDeque<Lent>,
    wanted: bool,
}

#[derive(Debug)]
struct Lent {
    begin: usize,
    end: usize,
    place: LongPlace,
}

impl Lent {
    /// Whether it begins in the `need` bytes from `head` on.
    fn is_within(&self, head: usize, need: usize) -> bool {
        (head..head + need).contains(&self.begin)
    }
}

impl Room {
    pub fn new() -> Room {
        Room {
            most: CELLS,
            long_rounds: processor::passes_lines_slowly(),
            round: FIRST_ROUND_BYTES,
            rounds: ROUNDS_OF_A_LENGTH,
            head: 0,
            lent: VecDeque::new(),
            wanted: false,
        }
    }

    /// At most so many packets are on their way.
    pub fn limit(&mut self, packets: usize) {
        self.most = packets;
    }

    /// What a packet of `bytes` takes of the room, with the gap behind it. The line shifts each packet to other sets of the caches; in long rounds it begins
    /// anywhere in its first page.
    fn need(&self, bytes: usize) -> usize {
        let gap = PAGE_BYTES + LINE_BYTES + if self.long_rounds { PAGE_BYTES } else { 0 };
        (long::PAYLOAD + bytes).next_multiple_of(PAGE_BYTES) + gap
    }

    /// A free place for a packet of `bytes`, which are copied from `address`, until it is lent.
    #[inline]
    pub fn find(&mut self, slot: &Slot, bytes: usize, address: usize) -> Option<LongPlace> {
        let found = self.search(self.need(bytes));
        self.wanted = found.is_none();
        let (begin, manner) = match self.long_rounds {
            true => (found? + copy::apart(found? + long::PAYLOAD, address), Manner::Growing),
            false => (found?, Manner::Even),
        };
        Some(slot.long_place(begin, bytes, manner))
    }

    /// Longest payload that is best sent so.
    pub fn payload_max(&self) -> usize {
        if self.long_rounds { long::PAYLOAD_BYTES } else { NEAR_MAX_BYTES }
    }

    /// Whether more packets than two follow one another in a round, as is best where caches answer each other slowly.
    pub fn has_long_rounds(&self) -> bool {
        self.long_rounds
    }

    fn search(&mut self, need: usize) -> Option<usize> {
        if self.ends_round(need) {
            self.begin_round();
        }
        // Each packet whose receiver is late is gone past once, and the first perhaps twice.
        for _ in 0..=self.lent.len() {
            if self.head + need > long::STAGING_BYTES {
                self.begin_round();
            }
            let Some(next) = self.lent.pop_front_if(|next| next.is_within(self.head, need)) else {
                return self.has_leave().then_some(self.head);
            };
            if !next.place.is_free() {
                self.head = next.end;
                self.lent.push_back(next);
            }
        }
        None
    }

    /// Whether a packet of so many bytes does not belong into the round any more, and the next round can begin.
    fn ends_round(&self, need: usize) -> bool {
        let round = match self.long_rounds {
            true => self.round.max(PACKETS_OF_A_ROUND * need).min(LONG_ROUND_BYTES),
            false => 2 * need,
        };
        self.head + need > round
            && self
                .lent
                .front()
                .is_none_or(|first| first.begin < self.head && first.place.is_free())
    }

    /// The head goes to the front; what lay ahead of it is now the last that it comes to.
    fn begin_round(&mut self) {
        for _ in 0..self.lent.len() {
            let Some(ahead) = self.lent.pop_front_if(|lent| lent.begin >= self.head) else { break };
            if !ahead.place.is_free() {
                self.lent.push_back(ahead);
            }
        }
        self.head = 0;
        if self.round < long::STAGING_BYTES {
            self.rounds -= 1;
            if self.rounds == 0 {
                (self.round, self.rounds) = (2 * self.round, ROUNDS_OF_A_LENGTH);
            }
        }
    }

    /// Whether one more packet may be on its way.
    fn has_leave(&mut self) -> bool {
        self.lent.len() < self.most || {
            self.lent.retain(|lent| !lent.place.is_free());
            self.lent.len() < self.most
        }
    }

    /// The place that was found for `bytes` is on its way. The first lines of the next, if it is as long, are asked for: its sender does not wait for them.
    #[inline]
    pub fn lend(&mut self, slot: &Slot, place: LongPlace, bytes: usize) {
        let need = self.need(bytes);
        let begin = self.head;
        self.head += need;
        self.lent.push_back(Lent { begin, end: self.head, place });
        if !self.long_rounds {
            self.prepare(slot, need);
        }
    }

    #[inline]
    fn prepare(&self, slot: &Slot, need: usize) {
        let (begin, is_clear) = match self.lent.front() {
            _ if self.ends_round(need) => (0, true),
            Some(next) if next.is_within(self.head, need) => (self.head, next.place.is_free()),
            _ => (self.head, self.head + need <= long::STAGING_BYTES),
        };
        if is_clear {
            slot.long_place(begin, 0, Manner::Even).prepare();
        }
    }

    /// Whether the last packet found no place.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Whether somebody waits for a place and a packet has been read; told once.
    pub fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.wanted) && self.lent.iter().any(|lent| lent.place.is_free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_shm::segment::Segment;

    /// A room in a segment of its own, and how packets go through it.
    struct Tried {
        segment: Segment,
        room: Room,
    }

    impl Tried {
        fn new(long_rounds: bool) -> Tried {
            let memory = nemesis_wireup::segment::make(1).unwrap();
            let segment = Segment::open(&memory.descriptor, memory.bytes as usize, 1).unwrap();
            Tried { segment, room: Room { long_rounds, ..Room::new() } }
        }

        /// Sends a packet; where it lies.
        fn send(&mut self, bytes: usize) -> Option<LongPlace> {
            let slot = self.segment.slot(0);
            let place = self.room.find(&slot, bytes, 0)?;
            assert!(place.write_bytes(&vec![7; bytes], |_| true));
            self.room.lend(&slot, place, bytes);
            Some(place)
        }

        fn receive(&self, place: LongPlace, bytes: usize) {
            let mut pieces = self
                .segment
                .pieces_of(0, place.offset(), bytes as u64)
                .expect("a packet lies in the room");
            assert_eq!(pieces.whole(), vec![7; bytes]);
            pieces.give_back();
        }
    }

    #[test]
    fn in_short_rounds_two_packets_take_turns() {
        let mut tried = Tried::new(false);
        let mut places = Vec::new();
        for _ in 0..6 {
            let place = tried.send(10_000).unwrap();
            tried.receive(place, 10_000);
            places.push(place.offset());
        }
        assert_eq!(places[..2], places[2..4]);
        assert_eq!(places[..2], places[4..]);
        assert!(places[1] - places[0] < 20_000);
    }

    #[test]
    fn in_long_rounds_a_packet_comes_back_when_its_round_has_been_gone() {
        let mut tried = Tried::new(true);
        tried.room.round = long::STAGING_BYTES;
        let mut places = Vec::new();
        while places.first() != places.last() || places.len() < 2 {
            let place = tried.send(64 << 10).unwrap();
            tried.receive(place, 64 << 10);
            places.push(place.offset());
        }
        let bytes = places.len() * (64 << 10);
        assert!(
            (LONG_ROUND_BYTES * 3 / 4..=LONG_ROUND_BYTES + (64 << 10)).contains(&bytes),
            "{} packets",
            places.len()
        );
        assert!(
            places
                .windows(2)
                .all(|two| two[1] < two[0] || two[1] - two[0] > (64 << 10) + PAGE_BYTES as u64),
            "a page lies between"
        );
    }

    #[test]
    fn long_rounds_become_so_little_by_little() {
        let mut tried = Tried::new(true);
        let first = tried.send(1).unwrap();
        tried.receive(first, 1);
        let begin = first.offset();
        let mut reached = vec![0];
        for _ in 0..2000 {
            let place = tried.send(16 << 10).unwrap();
            tried.receive(place, 16 << 10);
            let end = (place.offset() - begin) as usize + (16 << 10);
            reached.push(end.max(*reached.last().unwrap()));
        }
        assert!(
            reached[30] < 2 * FIRST_ROUND_BYTES && reached[100] < 4 * FIRST_ROUND_BYTES,
            "{:?}",
            &reached[..100]
        );
        let end = reached[reached.len() - 1];
        assert!((LONG_ROUND_BYTES - (64 << 10)..=LONG_ROUND_BYTES).contains(&end), "{end}");
    }

    /// Packets of all lengths whose receivers are late in every way: none lies in another, all come whole, and while there is a gap one finds it.
    #[test]
    fn packets_do_not_meet() {
        for long_rounds in [false, true] {
            let mut tried = Tried::new(long_rounds);
            let mut lying: Vec<(LongPlace, usize)> = Vec::new();
            let (mut random, mut refused) = (12345u64, 0);
            for _ in 0..4000 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let [length, choice, late] =
                    [random >> 33, random >> 20, random >> 40].map(|bits| bits as usize);
                let bytes = if length.is_multiple_of(50) {
                    long::PAYLOAD_BYTES
                } else {
                    1 + length % 60_000
                };
                if let Some(place) = tried.send(bytes) {
                    let begin = place.offset();
                    for &(other, length) in &lying {
                        let other = other.offset();
                        assert!(
                            begin + (long::PAYLOAD + bytes) as u64 <= other
                                || other + (long::PAYLOAD + length) as u64 <= begin
                        );
                    }
                    lying.push((place, bytes));
                } else {
                    refused += 1;
                    assert!(lying.len() > 2, "there is room for four of the longest");
                    let (place, bytes) = lying.swap_remove(choice % lying.len());
                    assert!(tried.room.is_wanted());
                    tried.receive(place, bytes);
                    assert!(tried.room.take_news() && !tried.room.take_news(), "told once");
                }
                if late.is_multiple_of(2) && !lying.is_empty() {
                    let (place, bytes) = lying.swap_remove(choice % lying.len());
                    tried.receive(place, bytes);
                }
            }
            assert!(refused > 100, "{refused}");
        }
    }

    #[test]
    fn one_late_receiver_is_in_nobodys_way() {
        let mut tried = Tried::new(true);
        let late = tried.send(5000).unwrap();
        for _ in 0..2000 {
            let place = tried.send(5000).unwrap();
            assert_ne!(place.offset(), late.offset());
            tried.receive(place, 5000);
        }
        tried.receive(late, 5000);
    }

    #[test]
    fn a_limit_is_kept() {
        let mut tried = Tried::new(true);
        tried.room.limit(2);
        let [first, _second] = [tried.send(5000).unwrap(), tried.send(5000).unwrap()];
        assert!(tried.send(5000).is_none());
        tried.receive(first, 5000);
        assert!(tried.send(5000).is_some() && tried.send(5000).is_none());
    }
}
