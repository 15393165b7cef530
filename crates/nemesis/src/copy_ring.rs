//! The copy ring: the memory of a process's long packets until their receivers have read them.
//!
//! Packets follow one another in the ring. At the end of a round, the next round begins at the
//! front:
//!
//! ```text
//!   | packet | gap | packet | gap | free                      | packet | gap |
//!                              head: the next begins here       in_flight: the next obstacle
//! ```
//!
//! The length of a round decides which caches hold a packet's lines when the sender writes them
//! again. Short rounds are best where rewriting a line costs the same whatever its reader did: two
//! packets alternate, and the data under way stays in the private caches. Elsewhere receivers claim
//! the lines that they read (`nemesis_shm::copy::claim`), and a round is as long as the private
//! caches can hold beside other data (`nemesis_sys::host_model::HostModel::long_round_bytes`).
//! Pairs that send in both directions use [handoff buffers](crate::handoff_buffer) instead.
//!
//! A processor prefetches within a page, so a receiver would steal lines of the packet that the
//! sender writes next. An unused page therefore separates packets.

use nemesis_shm::PAGE_BYTES;
use nemesis_shm::copy;
use nemesis_shm::layout::{CELLS, long};
use nemesis_shm::long_packet::ChunkMode;
use nemesis_shm::segment::{Body, LongPacketBuffer};
use nemesis_sys::host_model::Choices;
use nemesis_wire::CACHE_LINE_BYTES;
use std::collections::VecDeque;

/// A process's copy ring.
#[derive(Debug)]
pub struct CopyRing {
    /// Maximum number of packets under way.
    max_packets: usize,
    /// Length of a round; `None` if a round is two packets.
    long_round_bytes: Option<usize>,
    /// Offset of the next packet, unless a packet under way lies there.
    head: usize,
    /// Packets that their receivers had not released when last checked, in the order in which the
    /// head reaches them.
    in_flight: VecDeque<InFlight>,
    wanted: bool,
}

/// A packet under way and the range of the ring that it occupies.
#[derive(Debug)]
struct InFlight {
    begin: usize,
    end: usize,
    place: LongPacketBuffer,
    /// The process that reads it.
    to: u32,
}

impl InFlight {
    /// Returns whether the packet begins in the `need` bytes from `head` on.
    fn is_within(&self, head: usize, need: usize) -> bool {
        (head..head + need).contains(&self.begin)
    }
}

impl CopyRing {
    pub fn new(choices: &Choices) -> CopyRing {
        CopyRing {
            max_packets: CELLS,
            long_round_bytes: choices.long_round_bytes,
            head: 0,
            in_flight: VecDeque::new(),
            wanted: false,
        }
    }

    /// Limits the number of packets under way.
    pub fn limit(&mut self, packets: usize) {
        self.max_packets = packets;
    }

    /// Returns the bytes that a packet of `bytes` bytes occupies, including the gap behind it. The
    /// additional line shifts each packet to other cache sets. In long rounds, a packet begins
    /// anywhere in its first page, which takes another page.
    fn need(&self, bytes: usize) -> usize {
        let shift = if self.long_round_bytes.is_some() { PAGE_BYTES } else { 0 };
        let gap = PAGE_BYTES + CACHE_LINE_BYTES + shift;
        (long::PAYLOAD + bytes).next_multiple_of(PAGE_BYTES) + gap
    }

    /// Finds free space for a packet of `bytes` bytes that are copied from `address`. The caller
    /// then calls [`commit`](Self::commit).
    #[inline]
    pub fn find(&mut self, body: &Body, bytes: usize, address: usize) -> Option<LongPacketBuffer> {
        let found = self.search(self.need(bytes));
        self.wanted = found.is_none();
        let (begin, mode) = match self.long_round_bytes {
            Some(_) => (
                found? + copy::unaliased_offset(found? + long::PAYLOAD, address),
                ChunkMode::Growing,
            ),
            None => (found?, ChunkMode::Even),
        };
        Some(body.long_packet_buffer(begin, bytes, mode))
    }

    fn search(&mut self, need: usize) -> Option<usize> {
        if self.ends_round(need) {
            self.begin_round();
        }
        // The head passes each packet whose receiver is late once, and the first one perhaps twice.
        for _ in 0..=self.in_flight.len() {
            if self.head + need > long::STAGING_BYTES {
                self.begin_round();
            }
            let Some(next) = self.in_flight.pop_front_if(|next| next.is_within(self.head, need))
            else {
                return self.has_capacity().then_some(self.head);
            };
            if !next.place.is_free() {
                self.head = next.end;
                self.in_flight.push_back(next);
            }
        }
        None
    }

    /// Returns whether a packet that needs `need` bytes exceeds the round, and the next round can
    /// begin.
    fn ends_round(&self, need: usize) -> bool {
        let round_bytes = self.long_round_bytes.unwrap_or(2 * need);
        self.head + need > round_bytes
            && self
                .in_flight
                .front()
                .is_none_or(|first| first.begin < self.head && first.place.is_free())
    }

    /// Moves the head to the front. The packets ahead of the old position become the last that the
    /// head reaches.
    fn begin_round(&mut self) {
        for _ in 0..self.in_flight.len() {
            let Some(ahead) = self.in_flight.pop_front_if(|in_flight| in_flight.begin >= self.head)
            else {
                break;
            };
            if !ahead.place.is_free() {
                self.in_flight.push_back(ahead);
            }
        }
        self.head = 0;
    }

    /// Returns whether one more packet may be under way.
    fn has_capacity(&mut self) -> bool {
        self.in_flight.len() < self.max_packets || {
            self.in_flight.retain(|in_flight| !in_flight.place.is_free());
            self.in_flight.len() < self.max_packets
        }
    }

    /// Releases the packets that process `to` has not read, which has died.
    #[cold]
    pub fn forget(&mut self, to: u32) {
        self.in_flight
            .iter()
            .filter(|packet| packet.to == to)
            .for_each(|packet| packet.place.take_back());
    }

    /// Records the packet of `bytes` bytes at `place` as under way to process `to`. In short
    /// rounds, also prefetches the first lines of the next packet, which is assumed to be as long,
    /// so that its sender does not wait for them.
    #[inline]
    pub fn commit(&mut self, body: &Body, place: LongPacketBuffer, bytes: usize, to: u32) {
        let need = self.need(bytes);
        let begin = self.head;
        self.head += need;
        self.in_flight.push_back(InFlight { begin, end: self.head, place, to });
        if self.long_round_bytes.is_none() {
            self.prepare(body, need);
        }
    }

    #[inline]
    fn prepare(&self, body: &Body, need: usize) {
        let (begin, is_clear) = match self.in_flight.front() {
            _ if self.ends_round(need) => (0, true),
            Some(next) if next.is_within(self.head, need) => (self.head, next.place.is_free()),
            _ => (self.head, self.head + need <= long::STAGING_BYTES),
        };
        if is_clear {
            body.long_packet_buffer(begin, 0, ChunkMode::Even).prepare();
        }
    }

    /// Returns whether the last packet found no space.
    pub fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Returns whether the last packet found no space and a packet has been released since. Returns
    /// true once only.
    pub fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.wanted)
            && self.in_flight.iter().any(|in_flight| in_flight.place.is_free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_shm::segment::Segment;
    use nemesis_sys::host_model::HostModel;

    const LONG_ROUND_BYTES: usize = 512 * 1024;

    /// A copy ring in a segment of its own.
    struct Tried {
        segment: Segment,
        copy_ring: CopyRing,
    }

    impl Tried {
        fn new(long_rounds: bool) -> Tried {
            let memory = nemesis_wireup::segment::make(1).unwrap();
            let segment = Segment::open(&memory.descriptor, memory.bytes as usize, 1).unwrap();
            let mut choices = HostModel::default().choices();
            if long_rounds {
                choices.long_round_bytes = Some(LONG_ROUND_BYTES);
            }
            Tried { segment, copy_ring: CopyRing::new(&choices) }
        }

        /// Sends a packet and returns its place.
        fn send(&mut self, bytes: usize) -> Option<LongPacketBuffer> {
            let body = self.segment.body(0);
            let place = self.copy_ring.find(&body, bytes, 0)?;
            assert!(place.write_bytes(&vec![7; bytes], |_| true));
            self.copy_ring.commit(&body, place, bytes, 1);
            Some(place)
        }

        fn receive(&self, place: LongPacketBuffer, bytes: usize) {
            let mut packet = self
                .segment
                .long_packet_of(0, place.offset(), bytes as u64)
                .expect("a packet lies in the copy ring");
            assert_eq!(packet.wait_for_all(), vec![7; bytes]);
            packet.give_back();
        }
    }

    #[test]
    fn in_short_rounds_two_packets_alternate() {
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
    fn in_long_rounds_a_place_is_reused_after_a_whole_round() {
        let mut tried = Tried::new(true);
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

    /// Packets of all lengths with receivers late in every way: no two packets overlap, all arrive
    /// intact, and a packet finds a gap as long as there is one.
    #[test]
    fn packets_do_not_overlap() {
        for long_rounds in [false, true] {
            let mut tried = Tried::new(long_rounds);
            let mut lying: Vec<(LongPacketBuffer, usize)> = Vec::new();
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
                    assert!(lying.len() > 2, "the ring holds four of the longest packets");
                    let (place, bytes) = lying.swap_remove(choice % lying.len());
                    assert!(tried.copy_ring.is_wanted());
                    tried.receive(place, bytes);
                    assert!(
                        tried.copy_ring.take_news() && !tried.copy_ring.take_news(),
                        "told once"
                    );
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
    fn one_late_receiver_does_not_block_the_ring() {
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
        tried.copy_ring.limit(2);
        let [first, _second] = [tried.send(5000).unwrap(), tried.send(5000).unwrap()];
        assert!(tried.send(5000).is_none());
        tried.receive(first, 5000);
        assert!(tried.send(5000).is_some() && tried.send(5000).is_none());
    }
}
