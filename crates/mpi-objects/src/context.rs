//! Contexts: they separate the messages of one communicator from all others (MPI 5.0 §7.1).
//!
//! ```text
//!   63 … 40            39 … 37   36       35 … 3            2 … 0
//!   creating process   lane      by tag   its own counter   class
//! ```
//!
//! The process that leads the creation of a communicator draws the number from its own counter and
//! sends it to the members in the exchange that the creation needs anyway. No agreement is needed.
//! The numbers suffice for 2^33 communicators led by one process (two hours at a million per
//! second) and 2^24 processes. The lane is where all members exchange the communicator's messages:
//! since the number tells it, they need no agreement about that either. Of some communicators each
//! tag has a lane; then the lane in the number is the last of those among which the tags choose.

/// A context, including the class of traffic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context(pub u64);

/// Traffic of one communicator that must not match each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Class {
    PointToPoint = 0,
    /// Collective operations in the order of their calls, which numbers their tags.
    Collective = 1,
    /// Persistent collective operations, which may be started in any order. Their tags number the
    /// order of their creation.
    Persistent = 2,
    /// The library's own exchanges that are not collective over the communicator
    /// (`MPI_Comm_create_group`).
    Internal = 3,
    /// Partitioned communication: its setup messages. The partitions have contexts of their own.
    Partitioned = 4,
    /// Development checks: the types of data in collective operations.
    Types = 5,
    /// The types of data in persistent collective operations.
    TypesOfPersistent = 6,
    /// Development checks: that a process has called a collective operation.
    Together = 7,
}

const CLASS_BITS: u32 = 3;
/// Bits of the lanes and of the counter.
const COUNTER_BITS: u32 = 37;
/// Bits of the numbers that a process draws.
const DRAWN_BITS: u32 = 33;

impl Context {
    /// Returns the context with the number `counter` of those drawn by `process`.
    pub const fn new(process: u32, counter: u64) -> Context {
        Context((process as u64) << (COUNTER_BITS + CLASS_BITS) | counter << CLASS_BITS)
    }

    /// Returns the same communicator's context for another class of traffic.
    #[inline(always)]
    pub fn class(self, class: Class) -> Context {
        Context(self.0 & !((1 << CLASS_BITS) - 1) | class as u64)
    }

    /// Returns a drawn context as that of a communicator whose messages travel in a lane.
    pub fn in_lane(self, lane: usize) -> Context {
        Context(self.0 | (lane as u64 & LANE_MASK) << LANE_SHIFT)
    }

    /// Returns a drawn context as that of a communicator whose messages travel in the lanes from 1
    /// to `last`, by their tags.
    pub fn in_lanes_by_tag(self, last: usize) -> Context {
        Context(self.in_lane(last).0 | BY_TAG)
    }

    /// Returns the lane in which the communicator's messages travel: 0 unless the context was drawn
    /// for another one, or if it depends on their tags.
    pub fn lane(self) -> usize {
        if self.0 & (FIRST_BIT | BY_TAG) != 0 { 0 } else { self.lane_bits() }
    }

    /// Returns the last of the lanes in which the communicator's messages travel by their tags, the
    /// first of which is 1; 0 if their lane does not depend on the tag.
    pub fn last_lane_by_tag(self) -> usize {
        if self.0 & (FIRST_BIT | BY_TAG) == BY_TAG { self.lane_bits() } else { 0 }
    }

    /// Returns the context that a communicator gets for which a process has drawn this one, lanes
    /// by tag, if all processes of it can use the lanes to `last`. It has one lane, equal at all
    /// processes, if it shall have none `by_tag`, or there are not two.
    pub fn limited_to(self, last: usize, by_tag: bool) -> Context {
        let drawn = Context(self.0 & !(BY_TAG | LANE_MASK << LANE_SHIFT));
        let number = self.0 >> CLASS_BITS & ((1 << DRAWN_BITS) - 1);
        match last {
            0 => drawn,
            2.. if by_tag => drawn.in_lanes_by_tag(last),
            _ => drawn.in_lane(1 + (number % last as u64) as usize),
        }
    }

    fn lane_bits(self) -> usize {
        (self.0 >> LANE_SHIFT & LANE_MASK) as usize
    }

    /// Returns the context of `MPI_COMM_WORLD`, which is not drawn.
    pub fn world(class: Class) -> Context {
        Context::new(0, 0).class(class)
    }

    /// Returns the context of `MPI_COMM_SELF`.
    pub fn own(process: u32) -> Context {
        Context::new(process, 1)
    }

    /// Returns a context for processes that have no communicator in common yet. All of them derive
    /// `number` alike.
    pub fn meeting(number: u32) -> Context {
        Context::new(NOBODY, number.into())
    }

    /// Returns the context of a communicator whose processes belong to several jobs, given 64
    /// random bits. Two jobs number their processes alike, so such contexts are drawn at random: of
    /// a million, two are equal once in a million cases.
    pub fn between_jobs(random: u64) -> Context {
        Context((random & !SECOND_BIT | FIRST_BIT) & !((1 << CLASS_BITS) - 1))
    }

    /// Returns the context of the barrier inside `MPI_Finalize`. It differs from all other
    /// contexts.
    pub fn finalization() -> Context {
        Context::new(NOBODY, 1 << 32)
    }

    /// Returns whether no process has drawn this context, as [`Context::meeting`]: operations use
    /// it again and again.
    pub fn is_of_nobody(self) -> bool {
        self.0 >> (COUNTER_BITS + CLASS_BITS) == u64::from(NOBODY)
    }

    /// Returns whether receives in this context may use wildcards.
    #[inline(always)]
    pub fn knows_wildcards(self) -> bool {
        self.0 & ((1 << CLASS_BITS) - 1) == Class::PointToPoint as u64
    }
}

/// The bit of a context that tells that each tag has a lane.
const BY_TAG: u64 = 1 << (CLASS_BITS + DRAWN_BITS);
const LANE_SHIFT: u32 = CLASS_BITS + DRAWN_BITS + 1;
const LANE_MASK: u64 = (1 << (COUNTER_BITS - DRAWN_BITS - 1)) - 1;

/// The largest index of a process, which no process has.
const NOBODY: u32 = (1 << (64 - COUNTER_BITS - CLASS_BITS)) - 1;

/// The first bit of a context tells that it was drawn at random. The second is 0 then, which tells
/// it from the contexts of [`NOBODY`].
const FIRST_BIT: u64 = 1 << 63;
const SECOND_BIT: u64 = 1 << 62;

/// Number of processes that can draw contexts.
const PROCESSES_MAX: u32 = 1 << (63 - COUNTER_BITS - CLASS_BITS);

/// The first number that a process draws. The predefined communicators have those below.
const FIRST_DRAWN: u64 = 2;

/// The counter from which this process draws contexts.
pub struct Counter(u64);

impl Counter {
    pub const fn new() -> Counter {
        Counter(FIRST_DRAWN)
    }

    /// Returns a context that `process`, this one, has not drawn before; `None` if all are drawn.
    pub fn draw(&mut self, process: u32) -> Option<Context> {
        if self.0 >> DRAWN_BITS != 0 || process >= PROCESSES_MAX {
            return None;
        }
        let drawn = Context::new(process, self.0);
        self.0 += 1;
        Some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_go_on_beyond_32_bits_and_never_come_again() {
        for start in [(1 << 31) - 2, (1 << 32) - 2, (1 << 33) - 5] {
            let mut counters = [Counter(start), Counter(start)];
            let drawn: Vec<Context> =
                (0..8).map(|n| counters[n % 2].draw(n as u32 % 2 + 6).unwrap()).collect();
            for (index, context) in drawn.iter().enumerate() {
                assert!(drawn[..index].iter().all(|earlier| earlier != context));
                assert_eq!(context.class(Class::PointToPoint), *context);
                assert_ne!(context.class(Class::Internal), *context);
                assert_ne!(*context, Context::world(Class::PointToPoint));
                assert_ne!(*context, Context::own(6));
            }
        }
    }

    #[test]
    fn a_counter_that_has_given_all_says_so() {
        let mut counter = Counter((1 << DRAWN_BITS) - 1);
        let last = counter.draw(3).unwrap();
        assert_eq!((last.0 >> (COUNTER_BITS + CLASS_BITS), last.lane()), (3, 0));
        assert_eq!(counter.draw(3), None);
    }

    #[test]
    fn a_context_tells_its_lane() {
        let drawn = Counter((1 << DRAWN_BITS) - 1).draw(PROCESSES_MAX - 1).unwrap();
        for lane in 0..=LANE_MASK as usize {
            let context = drawn.in_lane(lane);
            assert_eq!((context.lane(), context.class(Class::Persistent).lane()), (lane, lane));
            assert_eq!((context == drawn, context.last_lane_by_tag()), (lane == 0, 0));
            let by_tag = drawn.in_lanes_by_tag(lane).class(Class::Partitioned);
            assert_eq!((by_tag.lane(), by_tag.last_lane_by_tag()), (0, lane));
        }
        let never = [Context::world(Class::Types), Context::own(7), Context::finalization()];
        let others =
            [Context::meeting(u32::MAX), Context::between_jobs(u64::MAX), Context(u64::MAX)];
        for context in never.into_iter().chain(others) {
            assert_eq!((context.lane(), context.last_lane_by_tag()), (0, 0));
        }
    }

    #[test]
    fn lanes_by_tag_are_those_that_all_processes_can_use() {
        let number = (1 << DRAWN_BITS) - 2;
        let drawn = Context::new(5, number).in_lanes_by_tag(6);
        let limited = |last, by_tag| {
            let context = drawn.limited_to(last, by_tag);
            let bits = context.0 & !(BY_TAG | LANE_MASK << LANE_SHIFT);
            assert_eq!(Context(bits), Context::new(5, number));
            (context.lane(), context.last_lane_by_tag())
        };
        assert_eq!([6, 2, 1, 0].map(|last| limited(last, true)), [(0, 6), (0, 2), (1, 0), (0, 0)]);
        let one = |last| 1 + number as usize % last;
        assert_eq!([6, 5].map(|last| limited(last, false)), [(one(6), 0), (one(5), 0)]);
        assert_eq!(limited(0, false), (0, 0));
    }

    #[test]
    fn contexts_between_jobs_are_where_no_process_draws() {
        for random in [0, u64::MAX, 0x1234_5678_9abc_def0] {
            let context = Context::between_jobs(random);
            assert!(context.0 >> 62 == 2 && context.knows_wildcards());
            assert!(context.0 < Context::meeting(0).0 && context.0 > Context::own(1 << 22).0);
        }
    }

    #[test]
    fn meetings_are_where_nobody_draws() {
        let nobodys = [Context::meeting(0), Context::meeting(u32::MAX)];
        assert!(nobodys.into_iter().all(|context| context.class(Class::Internal).is_of_nobody()));
        let drawn = [Context::own(7), Context::world(Class::PointToPoint)];
        let random = Context::between_jobs(u64::MAX);
        assert!(!drawn.into_iter().chain([random]).any(Context::is_of_nobody));
        assert!(Context::finalization().0 > Context::meeting(u32::MAX).class(Class::Partitioned).0);
    }
}
