//! Collective segments: members make calls of all kinds in one order, run ahead of each other, and
//! reuse slots, staging buffers, rings, exchange buffers and the pair ring.

use super::harness::{Clock, Random, Worker, stress};
use super::{check, fill};
use nemesis_shm::coll_segment::{
    CollSegment, INLINE_BYTES, Mapped, PAIR_BUFFERS_BYTES, Phase, RING_MIN_BYTES,
    SHORT_STAGING_BYTES, STAGING_BYTES, bytes_for,
};
use nemesis_shm::{heap::Heap, layout::Layout};
use nemesis_sys::memfd;

/// Longest chunk of the tests.
const CHUNK_BYTES: u64 = 9000;
/// Every call of this many tells whether the test goes on.
const ROUND: u64 = 32;

/// A member, and the calls that it makes: all members draw equal ones.
struct Member<'a> {
    segment: CollSegment<Mapped>,
    clock: &'a Clock,
    random: Random,
    call: u64,
}

impl Member<'_> {
    /// Waits until the resources of the call are free. A member that waits tells that it has left
    /// the calls before.
    fn wait_for_space(&mut self) {
        let segment = std::cell::RefCell::new(&mut self.segment);
        self.clock.wait(
            "free resources of a call",
            || segment.borrow_mut().is_free(),
            || segment.borrow_mut().retire_from_last(),
        );
    }

    fn wait_for(&self, row: u32) {
        let segment = &self.segment;
        self.clock.wait(
            "a row of a member",
            || segment.is_published(row, Phase::A),
            || segment.retire_from_last(),
        );
    }

    /// The number of what a member publishes in this call.
    fn number(&self, row: u32) -> u64 {
        self.call * 8 + u64::from(row)
    }

    /// Draws a length for a line, a short or a large staging buffer.
    fn length(&mut self) -> usize {
        let most = match self.random.below(16) {
            0 => STAGING_BYTES,
            1..4 => SHORT_STAGING_BYTES,
            4..8 => 400,
            _ => INLINE_BYTES,
        };
        1 + self.random.below(most as u64) as usize
    }

    fn others(&self) -> Vec<u32> {
        (0..self.segment.members()).filter(|&row| row != self.segment.me()).collect()
    }

    fn post(&mut self, length: usize) {
        let mut bytes = vec![0; length];
        let me = self.segment.me();
        fill(self.number(me), &mut bytes);
        self.segment.post(me, Phase::A, &bytes);
    }

    fn examine(&self, row: u32, length: usize) {
        let content = self.segment.content(row, Phase::A);
        assert_eq!(content.len(), length, "row {row} of call {}", self.call);
        check(self.number(row), content);
    }

    /// Publishes a chunk that lies where `place` says.
    fn publish_chunk(
        &mut self,
        length: usize,
        place: fn(&mut CollSegment<Mapped>, usize) -> (usize, &mut [u8]),
    ) {
        let number = self.number(self.segment.me());
        let (begin, chunk) = place(&mut self.segment, length);
        fill(number, chunk);
        self.segment.set_words(Phase::A, &[begin as u64, length as u64]);
    }

    fn examine_chunk(&self, row: u32, length: usize) {
        let [begin, found] = [0, 1].map(|index| self.segment.word(row, Phase::A, index) as usize);
        assert_eq!(found, length, "row {row} of call {}", self.call);
        check(self.number(row), self.segment.chunk(row, begin, length));
    }

    /// A root publishes, the others read.
    fn broadcast(&mut self) {
        let (root, length) =
            (self.random.below(self.segment.members().into()) as u32, self.length());
        self.segment.begin(length);
        if self.segment.me() == root {
            self.wait_for_space();
            self.post(length);
        } else {
            self.wait_for(root);
            self.examine(root, length);
        }
        self.segment.retire();
    }

    /// All members publish and read all rows.
    fn exchange(&mut self) {
        let length = self.length();
        self.segment.begin(length);
        self.wait_for_space();
        self.post(length);
        for row in self.others() {
            self.wait_for(row);
            self.examine(row, length);
        }
        self.segment.heard_from_all();
    }

    /// All members arrive, and the last one publishes the sum.
    fn reduce(&mut self) {
        let (me, common) = (self.segment.me(), self.segment.common());
        self.segment.begin(8);
        self.wait_for_space();
        let own = self.number(me).to_ne_bytes();
        self.segment.buffer(me, Phase::A, 8).copy_from_slice(&own);
        let members = self.segment.members();
        let value = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap());
        let sum = (0..members).map(|row| self.number(row)).sum();
        if self.segment.arrive(Phase::A, members) {
            let found: u64 =
                (0..members).map(|row| value(self.segment.staged(row, Phase::A, 8))).sum();
            assert_eq!(found, sum, "the last member sees what all have written");
            self.segment.post(common, Phase::A, &found.to_ne_bytes());
        }
        self.wait_for(common);
        assert_eq!(value(self.segment.content(common, Phase::A)), sum);
        self.segment.heard_from_all();
    }

    /// A root publishes a chunk in its ring.
    fn broadcast_chunk(&mut self) {
        let root = self.random.below(self.segment.members().into()) as u32;
        let length = 1 + self.random.below(CHUNK_BYTES) as usize;
        self.segment.begin_in_ring(true);
        if self.segment.me() == root {
            self.wait_for_space();
            self.publish_chunk(length, CollSegment::next_chunk);
        } else {
            self.wait_for(root);
            self.examine_chunk(root, length);
        }
        self.segment.retire();
    }

    /// All members publish chunks in their rings, or in exchange buffers.
    fn exchange_chunks(&mut self, in_exchange_buffers: bool) {
        let length = 1 + self.random.below(CHUNK_BYTES) as usize;
        match in_exchange_buffers {
            true => self.segment.begin_exchange(),
            false => self.segment.begin_in_ring(false),
        }
        self.wait_for_space();
        match in_exchange_buffers {
            true => self.publish_chunk(length, |segment, length| segment.pair_chunk(64, length)),
            false => self.publish_chunk(length, CollSegment::next_chunk),
        }
        for row in self.others() {
            self.wait_for(row);
            self.examine_chunk(row, length);
        }
        self.segment.heard_from_all();
    }

    /// One of two members sends a few chunks through the pair ring.
    fn send_through_the_pair_ring(&mut self) {
        let producer = self.random.below(2) as u32;
        for chunk in 0..1 + self.random.below(3) as usize {
            let length = 1 + self.random.below(CHUNK_BYTES) as usize;
            self.segment.begin_in_pair_ring(chunk, producer);
            if self.segment.me() == producer {
                self.wait_for_space();
                self.publish_chunk(length, |segment, length| segment.pair_chunk(64, length));
            } else {
                self.wait_for(producer);
                self.examine_chunk(producer, length);
            }
            self.segment.retire();
            self.call += 1;
        }
    }

    /// Member 0 tells whether the calls go on.
    fn goes_on(&mut self) -> bool {
        self.segment.begin(1);
        if self.segment.me() == 0 {
            self.wait_for_space();
            self.segment.post(0, Phase::A, &[self.clock.goes_on().into()]);
        } else {
            self.wait_for(0);
        }
        let goes_on = self.segment.content(0, Phase::A) == [1];
        self.segment.retire();
        goes_on
    }

    fn run(mut self) {
        let is_pair = self.segment.members() == 2;
        while self.goes_on() {
            for _ in 0..ROUND {
                self.call += 1;
                match self.random.below(if is_pair { 8 } else { 6 }) {
                    0 | 1 => self.broadcast(),
                    2 => self.exchange(),
                    3 => self.reduce(),
                    4 => self.broadcast_chunk(),
                    5 => self.exchange_chunks(false),
                    6 => self.exchange_chunks(true),
                    _ => self.send_through_the_pair_ring(),
                }
            }
        }
        self.segment.leave();
    }
}

fn calls_of_all_kinds(members: u32) {
    let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
    let layout = Layout::new(1 << 36, 1).unwrap();
    let mut heap = Heap::new(memory.descriptor, memory.backing, layout, 0);
    let is_pair = members == 2;
    let ring_bytes = if is_pair { RING_MIN_BYTES + PAIR_BUFFERS_BYTES } else { 2 * RING_MIN_BYTES };
    let shared = heap.allocate(bytes_for(members, ring_bytes), 1).unwrap().shared;
    let member = |me: u32| {
        let mut segment = CollSegment::on(shared.clone(), members, me, ring_bytes).unwrap();
        match is_pair {
            true => segment.allow_exchange(),
            false => segment.split_rings(),
        }
        Worker::new(move |clock| Member { segment, clock, random: Random::new(8), call: 0 }.run())
    };
    stress((0..members).map(member).collect());
}

#[test]
fn two_members_make_calls_of_all_kinds() {
    calls_of_all_kinds(2);
}

#[test]
fn four_members_make_calls_of_all_kinds() {
    calls_of_all_kinds(4);
}
