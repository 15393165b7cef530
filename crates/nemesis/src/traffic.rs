//! Counters of an endpoint's traffic, for tools.
//!
//! The path of a packet of one line has no counter: the sequence number of its pair and the
//! positions of the fastbox count it already. Packets of the queue and copies by the kernel are
//! counted where they happen.

use nemesis_wire::{CACHE_LINE_BYTES, FIRST_SEQ, Seq};

/// Counts since the start of the endpoint.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Packets sent, on all paths. Exact if the counts are read at least once in 2^31 packets of a
    /// pair.
    pub packets_sent: u64,
    /// Packets received, on all paths. Exact under the condition of `packets_sent`.
    pub packets_received: u64,
    /// Packets sent through a queue.
    pub queue_packets_sent: u64,
    /// Packets received from the queue.
    pub queue_packets_received: u64,
    /// Packets sent to other nodes.
    pub network_packets_sent: u64,
    /// Packets received from other nodes.
    pub network_packets_received: u64,
    /// Bytes of the fastbox lines used for packets sent, headers included.
    pub fastbox_bytes_sent: u64,
    /// Bytes of the fastbox lines used for packets received, headers included.
    pub fastbox_bytes_received: u64,
    /// Bytes of other processes' memory that the kernel read.
    pub memory_bytes_read: u64,
    /// Bytes of other processes' memory that the kernel wrote.
    pub memory_bytes_written: u64,
    /// Fastboxes for packets that this process sends.
    pub fastboxes_sending: u64,
    /// Fastboxes for packets that this process receives.
    pub fastboxes_receiving: u64,
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.packets_sent += other.packets_sent;
        self.packets_received += other.packets_received;
        self.queue_packets_sent += other.queue_packets_sent;
        self.queue_packets_received += other.queue_packets_received;
        self.network_packets_sent += other.network_packets_sent;
        self.network_packets_received += other.network_packets_received;
        self.fastbox_bytes_sent += other.fastbox_bytes_sent;
        self.fastbox_bytes_received += other.fastbox_bytes_received;
        self.memory_bytes_read += other.memory_bytes_read;
        self.memory_bytes_written += other.memory_bytes_written;
        self.fastboxes_sending += other.fastboxes_sending;
        self.fastboxes_receiving += other.fastboxes_receiving;
    }
}

/// Counters of the endpoint itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counted {
    /// Packets sent through a queue.
    pub queue_packets_sent: u64,
    /// Packets received from the queue.
    pub queue_packets_received: u64,
    /// Bytes of other processes' memory that the kernel read.
    pub memory_bytes_read: u64,
    /// Bytes of other processes' memory that the kernel wrote.
    pub memory_bytes_written: u64,
}

/// A sequence number widened to 64 bits. It must be updated at least once in 2^31 packets.
#[derive(Clone, Copy, Debug)]
pub struct Widened {
    last: Seq,
    packets: u64,
}

impl Default for Widened {
    /// Returns the counter of a pair whose first packet is the next.
    fn default() -> Widened {
        Widened { last: FIRST_SEQ, packets: 0 }
    }
}

impl Widened {
    /// Records that the numbers of the pair begin again. `next` is the sequence number that would
    /// have come next.
    pub fn restart(&mut self, next: Seq) {
        self.packets(next);
        self.last = FIRST_SEQ;
    }

    /// Returns the number of packets so far, if `next` is the sequence number of the next packet.
    pub fn packets(&mut self, next: Seq) -> u64 {
        // Packets have every second number.
        self.packets += u64::from(next.wrapping_sub(self.last) / 2);
        self.last = next;
        self.packets
    }
}

/// Returns the number of bytes of `lines` cache lines.
pub fn bytes_of(lines: u64) -> u64 {
    lines * CACHE_LINE_BYTES as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_wire::next_seq;

    #[test]
    fn sequence_numbers_are_counted_across_their_wrap() {
        let (mut widened, mut seq) = (Widened { last: Seq::MAX - 4, packets: 7 }, Seq::MAX - 4);
        for packets in 8..14 {
            seq = next_seq(seq);
            assert_eq!(widened.packets(seq), packets);
        }
        assert_eq!(Widened::default().packets(FIRST_SEQ), 0);
    }
}
