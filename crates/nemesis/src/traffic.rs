//! What has passed an endpoint, for tools.
//!
//! Nothing is counted on the way of a packet of one line: its pair's sequence number and the fastbox's own positions have counted it already. What
//! takes the queue, or the kernel, is counted where it does.

use nemesis_wire::{CACHE_LINE_BYTES, FIRST_SEQ, Seq};

/// Counts since the start.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Packets, whichever way they took; as long as somebody looks once in 2^31 packets of a pair.
    pub packets_sent: u64,
    pub packets_received: u64,
    /// Those of them that took the queue.
    pub queue_packets_sent: u64,
    pub queue_packets_received: u64,
    /// Those of them that passed between nodes.
    pub network_packets_sent: u64,
    pub network_packets_received: u64,
    /// Bytes of the fastboxes' lines that were used, headers included.
    pub fastbox_bytes_sent: u64,
    pub fastbox_bytes_received: u64,
    /// Bytes of other processes' memory that were read, and written, with the kernel's help.
    pub memory_bytes_read: u64,
    pub memory_bytes_written: u64,
    /// Fastboxes made for packets to others, and by others for packets to us.
    pub fastboxes_sending: u64,
    pub fastboxes_receiving: u64,
}

/// What the endpoint itself counts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counted {
    pub queue_packets_sent: u64,
    pub queue_packets_received: u64,
    pub memory_bytes_read: u64,
    pub memory_bytes_written: u64,
}

/// A sequence number made 64 bits wide by looking at it from time to time.
#[derive(Clone, Copy, Debug)]
pub struct Widened {
    last: Seq,
    packets: u64,
}

impl Default for Widened {
    /// For a pair whose first packet is the next.
    fn default() -> Widened {
        Widened { last: FIRST_SEQ, packets: 0 }
    }
}

impl Widened {
    /// How many packets there have been when the next one has this number.
    pub fn packets(&mut self, next: Seq) -> u64 {
        // Every other number is a packet's.
        self.packets += u64::from(next.wrapping_sub(self.last) / 2);
        self.last = next;
        self.packets
    }
}

/// Bytes of so many lines.
pub fn bytes_of(lines: u64) -> u64 {
    lines * CACHE_LINE_BYTES as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_wire::next_seq;

    #[test]
    fn sequence_numbers_are_counted_across_their_end() {
        let (mut widened, mut seq) = (Widened { last: Seq::MAX - 4, packets: 7 }, Seq::MAX - 4);
        for packets in 8..14 {
            seq = next_seq(seq);
            assert_eq!(widened.packets(seq), packets);
        }
        assert_eq!(Widened::default().packets(FIRST_SEQ), 0);
    }
}
