//! The protocols of point-to-point messages, and the lengths that each of them carries.
//!
//! A protocol is a row of a table: its name, what it needs, the lengths that it can carry, and its
//! cost as a function of the [host model](HostModel). For a kind of peer the table is resolved once
//! into ascending limits ([`resolve`]); the paths of messages compare a length with one of them.
//! Adding a row needs no change elsewhere but in the code that carries the message
//! (docs/design/protocols.md).

use crate::PACKET_MAX_BYTES;
use crate::limits::{EAGER_BULK_MAX_BYTES, REMOTE_PACKET_MAX_BYTES};
use nemesis_shm::fastbox::{self, BOX_LINES};
use nemesis_shm::layout::long;
use nemesis_sys::host_model::HostModel;
use nemesis_wire::{CACHE_LINE_BYTES, LINE_PAYLOAD_BYTES};

/// Longest payload that goes through a fastbox.
pub(crate) const BOX_MAX_BYTES: usize = fastbox::max_payload(BOX_LINES);
/// Longest payload that goes through a fastbox where longer ones are faster as long packets
/// ([`HostModel::shortens_fastbox_packets`]).
const SHORT_BOX_MAX_BYTES: usize = 256;
/// Longest payload for which a long packet is the fastest way to send one message, unless packets
/// are preferred to copies by the kernel at any length.
const NEAR_MAX_BYTES: usize = 256 * 1024;

/// What decides which protocols serve a peer, besides the host model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerKind {
    /// Whether networks carry the messages.
    pub remote: bool,
    /// Whether the pair has a fastbox.
    pub fastbox: bool,
    /// Whether processes of the node share processors.
    pub oversubscribed: bool,
    /// Whether the kernel copies between the two processes.
    pub kernel_copies: bool,
    /// Whether a network takes bulk payload beside a packet.
    pub bulk: bool,
}

/// A row of the table of protocols.
#[derive(Debug)]
pub struct Protocol {
    /// What tools print.
    pub name: &'static str,
    /// How the bytes travel, in words.
    pub how: &'static str,
    /// Whether the protocol can serve such a peer.
    serves: fn(&PeerKind) -> bool,
    /// The longest message that it carries; 0 if another row costs less at any length. The shortest
    /// is longer than those of the rows before.
    max_bytes: fn(&PeerKind, &HostModel) -> usize,
    /// Nanoseconds of line transfers, copies and system calls for a message; not a number where a
    /// figure was not measured.
    cost_ns: fn(&HostModel, usize) -> f32,
}

impl Protocol {
    /// Returns the modelled time of a message of `bytes` bytes, in nanoseconds, without the time of
    /// this library's own instructions; `None` if a figure that it needs was not measured.
    pub fn cost_ns(&self, model: &HostModel, bytes: usize) -> Option<f32> {
        Some((self.cost_ns)(model, bytes)).filter(|ns| ns.is_finite() && *ns > 0.0)
    }
}

/// Lines of the pair's ring.
pub static FASTBOX: Protocol = Protocol {
    name: "fastbox",
    how: "lines of the pair's ring, which the receiver polls",
    serves: |peer| !peer.remote && peer.fastbox,
    max_bytes: |peer, model| match model.shortens_fastbox_packets() && !peer.oversubscribed {
        true => SHORT_BOX_MAX_BYTES,
        false => BOX_MAX_BYTES,
    },
    cost_ns: |model, bytes| message_lines(bytes) * line_ns(model),
};

/// A packet that the receiver reads while the sender writes it.
pub static LONG_PACKET: Protocol = Protocol {
    name: "long packet",
    how: "a buffer in the segment, which the receiver reads while the sender writes it",
    serves: |peer| !peer.remote && peer.fastbox && !peer.oversubscribed,
    max_bytes: |_, model| match model.prefers_packets() {
        true => long::PAYLOAD_BYTES,
        false => NEAR_MAX_BYTES,
    },
    // The announcement, the progress word, and the lines.
    cost_ns: |model, bytes| 2.0 * line_ns(model) + lines(bytes) * model.packet_line_ns(),
};

/// A cell of the receiver's queue.
pub static CELL: Protocol = Protocol {
    name: "cell",
    how: "a cell of the sender, which goes to the receiver's queue and back",
    serves: |peer| !peer.remote,
    max_bytes: |_, _| PACKET_MAX_BYTES,
    // The queue's tail, the link and the free queue, and the lines one after the other.
    cost_ns: |model, bytes| (3.0 + message_lines(bytes)) * line_ns(model),
};

/// A copy by the kernel from the sender's memory to the receiver's.
pub static SINGLE_COPY: Protocol = Protocol {
    name: "single copy",
    how: "announced; the kernel copies from the sender's memory to the receiver's",
    serves: |peer| !peer.remote && peer.kernel_copies,
    max_bytes: |peer, model| match model.prefers_packets() && LONG_PACKET.is_for(peer) {
        true => 0,
        false => usize::MAX,
    },
    // The announcement and its answer.
    cost_ns: |model, bytes| {
        2.0 * line_ns(model) + model.kernel_call_ns + lines(bytes) * model.kernel_line_ns()
    },
};

/// Packets that the receiver has asked for.
pub static STREAM: Protocol = Protocol {
    name: "stream",
    how: "announced; then packets, which the receiver has asked for",
    serves: |peer| !peer.remote,
    max_bytes: |_, _| usize::MAX,
    // The announcement and its answer.
    cost_ns: |model, bytes| 2.0 * line_ns(model) + (LONG_PACKET.cost_ns)(model, bytes),
};

/// A packet of a network.
pub static NETWORK_PACKET: Protocol = Protocol {
    name: "network packet",
    how: "one packet of the network, sent without asking",
    serves: |peer| peer.remote,
    max_bytes: |_, _| REMOTE_PACKET_MAX_BYTES,
    cost_ns: |_, _| f32::NAN,
};

/// A packet whose payload leaves the sender's buffer without a copy.
pub static NETWORK_BULK: Protocol = Protocol {
    name: "eager bulk",
    how: "a packet and a bulk payload, which leaves the sender's buffer without a copy",
    serves: |peer| peer.remote && peer.bulk,
    max_bytes: |_, _| EAGER_BULK_MAX_BYTES,
    cost_ns: |_, _| f32::NAN,
};

/// Bulk payload, or packets, that the receiver has asked for.
pub static NETWORK_RENDEZVOUS: Protocol = Protocol {
    name: "rendezvous",
    how: "announced; then bulk payload into the receiver's buffer, or packets",
    serves: |peer| peer.remote,
    max_bytes: |_, _| usize::MAX,
    cost_ns: |_, _| f32::NAN,
};

/// All protocols, in ascending order of the lengths for which they are best.
pub static PROTOCOLS: [&Protocol; 8] = [
    &FASTBOX,
    &LONG_PACKET,
    &CELL,
    &SINGLE_COPY,
    &STREAM,
    &NETWORK_PACKET,
    &NETWORK_BULK,
    &NETWORK_RENDEZVOUS,
];

impl Protocol {
    /// Returns whether the protocol can serve such a peer.
    pub fn is_for(&self, peer: &PeerKind) -> bool {
        (self.serves)(peer)
    }
}

/// Returns the protocols that serve a peer with the longest message that each carries, in ascending
/// order. The last limit is `usize::MAX`.
pub fn resolve(peer: &PeerKind, model: &HostModel) -> Vec<(usize, &'static Protocol)> {
    let mut limits: Vec<(usize, &'static Protocol)> = Vec::new();
    for protocol in PROTOCOLS.into_iter().filter(|protocol| protocol.is_for(peer)) {
        let max_bytes = (protocol.max_bytes)(peer, model);
        if max_bytes > limits.last().map_or(0, |(before, _)| *before) {
            limits.push((max_bytes, protocol));
        }
    }
    limits
}

/// Returns the longest message that `protocol` carries to such a peer; 0 if it carries none.
pub(crate) fn max_bytes(protocol: &Protocol, peer: &PeerKind, model: &HostModel) -> usize {
    let found = resolve(peer, model).into_iter().find(|(_, found)| std::ptr::eq(*found, protocol));
    found.map_or(0, |(max_bytes, _)| max_bytes)
}

/// Returns the time to write a line that the receiver then reads.
fn line_ns(model: &HostModel) -> f32 {
    match model.claims_lines() {
        true => model.line_rewrite_claimed_ns + model.line_claim_ns,
        false => model.line_rewrite_read_ns + model.line_read_ns,
    }
}

fn lines(bytes: usize) -> f32 {
    bytes.div_ceil(CACHE_LINE_BYTES) as f32
}

/// Returns the lines of a packet whose first line contains the header.
fn message_lines(bytes: usize) -> f32 {
    1.0 + lines(bytes.saturating_sub(LINE_PAYLOAD_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_lines() -> HostModel {
        HostModel {
            line_read_ns: 1.4,
            line_claim_ns: 1.4,
            line_rewrite_read_ns: 4.0,
            line_rewrite_claimed_ns: 0.95,
            cached_copy_gb_per_s: 56.0,
            kernel_call_ns: 1200.0,
            kernel_copy_gb_per_s: 14.8,
            ..HostModel::default()
        }
    }

    fn names(peer: PeerKind, model: &HostModel) -> Vec<(usize, &'static str)> {
        let limits = resolve(&peer, model);
        limits.into_iter().map(|(bytes, protocol)| (bytes, protocol.name)).collect()
    }

    const LOCAL: PeerKind = PeerKind {
        remote: false,
        fastbox: true,
        oversubscribed: false,
        kernel_copies: true,
        bulk: false,
    };
    const LONGER: usize = usize::MAX;

    #[test]
    fn a_table_follows_from_the_costs() {
        let slow = [(256, "fastbox"), (1 << 20, "long packet"), (LONGER, "stream")];
        assert_eq!(names(LOCAL, &slow_lines()), slow);
        let fast =
            [(BOX_MAX_BYTES, "fastbox"), (256 << 10, "long packet"), (LONGER, "single copy")];
        assert_eq!(names(LOCAL, &HostModel::default()), fast);
    }

    #[test]
    fn a_table_follows_from_what_a_peer_permits() {
        for model in [slow_lines(), HostModel::default()] {
            let oversubscribed = PeerKind { oversubscribed: true, ..LOCAL };
            assert_eq!(
                names(oversubscribed, &model),
                [(BOX_MAX_BYTES, "fastbox"), (PACKET_MAX_BYTES, "cell"), (LONGER, "single copy")]
            );
            let no_box = PeerKind { fastbox: false, kernel_copies: false, ..LOCAL };
            assert_eq!(names(no_box, &model), [(PACKET_MAX_BYTES, "cell"), (LONGER, "stream")]);
            let remote = PeerKind { remote: true, bulk: true, ..LOCAL };
            assert_eq!(
                names(remote, &model),
                [
                    (REMOTE_PACKET_MAX_BYTES, "network packet"),
                    (EAGER_BULK_MAX_BYTES, "eager bulk"),
                    (LONGER, "rendezvous")
                ]
            );
        }
    }

    #[test]
    fn every_peer_gets_every_length_in_ascending_ranges() {
        for bits in 0..32 {
            let is_set = |bit: u32| bits & 1 << bit != 0;
            let peer = PeerKind {
                remote: is_set(0),
                fastbox: is_set(1),
                oversubscribed: is_set(2),
                kernel_copies: is_set(3),
                bulk: is_set(4),
            };
            for model in [slow_lines(), HostModel::default()] {
                let limits = resolve(&peer, &model);
                assert!(limits.is_sorted_by(|(one, _), (other, _)| one < other), "{peer:?}");
                assert_eq!(limits.last().map(|(bytes, _)| *bytes), Some(LONGER), "{peer:?}");
                let local = |protocol: &Protocol| !protocol.name.contains("network");
                assert!(limits.iter().filter(|(_, row)| local(row)).count() <= 5);
            }
        }
    }

    #[test]
    fn costs_grow_with_the_length_and_need_figures() {
        for protocol in PROTOCOLS {
            assert_eq!(protocol.cost_ns(&HostModel::default(), 100), None, "{}", protocol.name);
            let costs = [40, 4000, 400_000].map(|bytes| protocol.cost_ns(&slow_lines(), bytes));
            assert!(costs.is_sorted(), "{}: {costs:?}", protocol.name);
        }
        let cost = |protocol: &Protocol| protocol.cost_ns(&slow_lines(), 4 << 20).unwrap();
        assert!(cost(&STREAM) < cost(&SINGLE_COPY), "packets are preferred");
    }
}
