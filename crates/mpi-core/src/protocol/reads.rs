//! Which messages of medium length their receivers read through the kernel, and which go in
//! packets.
//!
//! Both ways have their data. What the sender has just written lies in its processor's caches: two
//! copies that overlap are two to three times as fast as the kernel's single one. What it wrote
//! long ago, or has sent before, both processors may read equally well: a single copy is up to
//! twice as fast. Nothing tells the two apart but the time that a copy takes.
//!
//! So a sender has a trial now and then: it announces up to three messages, one after the other.
//! The receiver reads each as soon as it can, also if no receive is posted, and answers whether the
//! read was fast. The first read is slow if only the sender's caches hold the bytes; a further read
//! of these bytes is fast. While reads are fast, all messages to this receiver are read. If they
//! are slow, packets are used, and the pause until the next trial doubles.
//!
//! ```text
//!   Packets ── pause over ──> Trial ── one fast read ──> Reading
//!      ^  pause × 2             │ three slow ones           │ more slow than fast ones
//!      └────────────────────────┴───────────────────────────┘
//! ```
//!
//! A message of this kind behaves as an eager one: one for which no receive is posted is read into
//! memory of the receiver, so a sender never waits for the receive, only for the receiver to call
//! MPI. Such a read counts as slow.

pub use nemesis::protocols::READ_MIN_BYTES as MIN_BYTES;

/// Messages in packets before the first trial, and after many fast reads.
const FIRST_PAUSE: u16 = 8;
/// Messages in packets between two trials, at most. A slow trial costs as much as nine packets.
const LONGEST_PAUSE: u16 = 512;
/// Slow reads that end a trial.
const TRIAL_READS: u8 = 3;
/// Messages in packets without an answer after which a trial is over.
const ANSWER_MAX: u16 = 64;
/// A slow read counts as much as this number of fast ones.
const SLOW_WEIGHT: u8 = 3;
/// The surplus of slow reads at which reading ends.
const SLOW_MAX: u8 = 9;
/// Fast reads after which the next pause is short again.
const FORGIVEN: u16 = 64;
/// Receivers that are remembered; a power of two.
const REMEMBERED: usize = 32;

/// The answers of a receiver, in a word of its DONE: the read was slow, or no receive was posted;
/// or it was fast. Zero answers a message that was announced for another reason.
pub const SLOW: u64 = 1;
pub const FAST: u64 = 2;

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Messages go in packets; so many more before the next trial.
    Packets { left: u16 },
    /// One message at a time is read. `waited`: messages in packets since the last one, which is
    /// not answered if it was cancelled, cut off, or received with gaps.
    Trial { is_answered: bool, slow: u8, waited: u16 },
    /// All messages are read.
    Reading { surplus: u8, fast: u16 },
}

/// What is known of reads by one receiver.
#[derive(Clone, Copy, Debug)]
struct Receiver {
    process: u32,
    pause: u16,
    phase: Phase,
}

impl Receiver {
    const fn new(process: u32) -> Receiver {
        Receiver { process, pause: FIRST_PAUSE, phase: Phase::Packets { left: FIRST_PAUSE } }
    }

    fn return_to_packets(&mut self) {
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.phase = Phase::Packets { left: self.pause };
    }
}

/// What is known of the receivers that this process has sent messages of medium length to.
#[derive(Debug)]
pub struct Reads([Receiver; REMEMBERED]);

impl Reads {
    pub const fn new() -> Reads {
        Reads([Receiver::new(u32::MAX); REMEMBERED])
    }

    /// Returns whether process `to` should read the next message.
    #[inline]
    pub fn should_read(&self, to: u32) -> bool {
        let receiver = &self.0[to as usize % REMEMBERED];
        receiver.process == to
            && match receiver.phase {
                Phase::Packets { left } => left == 0,
                Phase::Trial { is_answered, .. } => is_answered,
                Phase::Reading { .. } => true,
            }
    }

    /// Notes that a message goes to process `to` in a packet.
    #[inline]
    pub fn sent_in_packet(&mut self, to: u32) {
        let receiver = self.of(to);
        match &mut receiver.phase {
            Phase::Packets { left } => *left = left.saturating_sub(1),
            Phase::Trial { waited, .. } => {
                *waited += 1;
                if *waited == ANSWER_MAX {
                    receiver.return_to_packets();
                }
            }
            Phase::Reading { .. } => {}
        }
    }

    /// Notes that a message is announced to process `to`, which reads it.
    pub fn announced(&mut self, to: u32) {
        match &mut self.of(to).phase {
            phase @ Phase::Packets { .. } => {
                *phase = Phase::Trial { is_answered: false, slow: 0, waited: 0 };
            }
            Phase::Trial { is_answered, waited, .. } => (*is_answered, *waited) = (false, 0),
            Phase::Reading { .. } => {}
        }
    }

    /// Notes the answer of process `by`.
    pub fn answered(&mut self, by: u32, speed: u64) {
        if speed != SLOW && speed != FAST {
            return;
        }
        let receiver = self.of(by);
        match &mut receiver.phase {
            Phase::Packets { .. } => {}
            phase @ Phase::Trial { .. } if speed == FAST => {
                *phase = Phase::Reading { surplus: 0, fast: 0 };
            }
            Phase::Trial { is_answered, slow, .. } => {
                (*is_answered, *slow) = (true, *slow + 1);
                if *slow == TRIAL_READS {
                    receiver.return_to_packets();
                }
            }
            Phase::Reading { surplus, fast } if speed == FAST => {
                (*surplus, *fast) = (surplus.saturating_sub(1), fast.saturating_add(1));
                if *fast >= FORGIVEN {
                    receiver.pause = FIRST_PAUSE;
                }
            }
            Phase::Reading { surplus, .. } => {
                *surplus += SLOW_WEIGHT;
                if *surplus >= SLOW_MAX {
                    receiver.return_to_packets();
                }
            }
        }
    }

    fn of(&mut self, process: u32) -> &mut Receiver {
        let receiver = &mut self.0[process as usize % REMEMBERED];
        if receiver.process != process {
            *receiver = Receiver::new(process);
        }
        receiver
    }
}

impl Default for Reads {
    fn default() -> Reads {
        Reads::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends `messages` to process 1, whose reads are fast if `is_fast`, and returns how many of
    /// them were read.
    fn read_of(reads: &mut Reads, messages: u32, is_fast: bool) -> u32 {
        let mut read = 0;
        for _ in 0..messages {
            if reads.should_read(1) {
                read += 1;
                reads.announced(1);
                reads.answered(1, if is_fast { FAST } else { SLOW });
            } else {
                reads.sent_in_packet(1);
            }
        }
        read
    }

    #[test]
    fn fast_reads_go_on_and_slow_ones_become_rare() {
        let mut reads = Reads::new();
        assert_eq!(read_of(&mut reads, 1000, true), 1000 - u32::from(FIRST_PAUSE));
        let slow = read_of(&mut reads, 100_000, false);
        assert!((570..620).contains(&slow), "{slow}");
        assert!(read_of(&mut reads, 5000, true) > 4000);
    }

    #[test]
    fn a_slow_read_among_fast_ones_changes_nothing() {
        let mut reads = Reads::new();
        read_of(&mut reads, 1000, true);
        for _ in 0..20 {
            assert_eq!(read_of(&mut reads, 1, false), 1);
            assert_eq!(read_of(&mut reads, 10, true), 10);
        }
    }

    #[test]
    fn data_that_alternate_go_in_packets() {
        let mut reads = Reads::new();
        let slow: u32 = (0..5000)
            .map(|_| {
                read_of(&mut reads, 1, true);
                read_of(&mut reads, 1, false)
            })
            .sum();
        assert!(slow < 200, "{slow}");
    }

    #[test]
    fn a_trial_is_one_message_at_a_time_and_another_receiver_begins_anew() {
        let mut reads = Reads::new();
        (0..FIRST_PAUSE).for_each(|_| reads.sent_in_packet(1));
        assert!(reads.should_read(1));
        reads.announced(1);
        assert!(!reads.should_read(1));
        reads.answered(1, 0);
        assert!(!reads.should_read(1));
        reads.answered(1, SLOW);
        assert!(reads.should_read(1));
        reads.announced(1);
        reads.answered(1, FAST);
        reads.announced(1);
        assert!(reads.should_read(1));
        (0..ANSWER_MAX).for_each(|_| reads.sent_in_packet(1));
        assert!(reads.should_read(1), "reading needs no trial");
        reads.sent_in_packet(1 + REMEMBERED as u32);
        assert!(!reads.should_read(1) && !reads.should_read(1 + REMEMBERED as u32));
    }

    #[test]
    fn a_trial_without_an_answer_ends() {
        let mut reads = Reads::new();
        (0..FIRST_PAUSE).for_each(|_| reads.sent_in_packet(1));
        reads.announced(1);
        (0..ANSWER_MAX + 2 * FIRST_PAUSE).for_each(|_| reads.sent_in_packet(1));
        assert!(reads.should_read(1));
    }
}
