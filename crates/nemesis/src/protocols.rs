//! The protocols of point-to-point messages, and the lengths that each of them carries.
//!
//! A protocol is a row of a table: its name, what it needs, the lengths that it can carry, and its
//! cost as a function of the [host model](HostModel). For a kind of peer and of call the table is
//! resolved once into ascending limits ([`resolve`]); the paths of messages compare a length with
//! one of them. `NEMESIS_PROTOCOL` forces rows ([`Forcing`]). Adding a row needs no change
//! elsewhere but in the code that carries the message (docs/design/protocols.md).

use crate::PACKET_MAX_BYTES;
use crate::forced::{self, Forced};
use crate::limits::{EAGER_BULK_MAX_BYTES, REMOTE_PACKET_MAX_BYTES};
use nemesis_netmod::Costs;
use nemesis_shm::fastbox::{self, BOX_LINES};
use nemesis_shm::layout::long;
use nemesis_sys::host_model::HostModel;
use nemesis_wire::{CACHE_LINE_BYTES, LINE_PAYLOAD_BYTES};

/// Longest payload that goes through a fastbox.
pub(crate) const BOX_MAX_BYTES: usize = fastbox::max_payload(BOX_LINES);
/// Longest payload that goes through a fastbox where longer ones are faster as long packets
/// ([`HostModel::shortens_fastbox_packets`]).
const SHORT_BOX_MAX_BYTES: usize = 256;

/// Shortest single copy that both processes carry out if the costs of the kernel's copies are not
/// known.
const COOPERATIVE_MIN_BYTES: usize = 24 << 10;

/// Length from which on messages that fit a packet are read by the kernel instead while such reads
/// are fast. A shorter one takes as long either way.
pub const READ_MIN_BYTES: usize = 16 << 10;

/// How much longer than the lines of a packet a copy by the kernel may take that is called fast.
/// The lines are most of a packet's cost, not all of it.
const FAST_READ: f32 = 1.5;

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
    /// Longest payload of a packet of the network, in bytes.
    pub packet_max_bytes: usize,
    /// What packets of the network cost.
    pub costs: Costs,
}

impl PeerKind {
    /// A process of this node with a fastbox, on a processor of its own.
    pub const LOCAL: PeerKind = PeerKind {
        remote: false,
        fastbox: true,
        oversubscribed: false,
        kernel_copies: true,
        bulk: false,
        packet_max_bytes: 0,
        costs: Costs::UNKNOWN,
    };
}

/// What a process does while its message is under way. Where the kernel's copies are preferred for
/// long messages, this decides how long a long packet may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// It sends. Sender and receiver copy one message at the same time.
    Sending,
    /// It receives, too, and holds a handoff buffer of the pair. Two processors are busy anyway, so
    /// one copy of a long message is better than two copies that overlap.
    CrossingInHandoffBuffer,
    /// It receives, too, and holds no handoff buffer.
    Crossing,
}

impl Call {
    /// All calls, in descending order of the length of their longest long packet.
    pub const ALL: [Call; 3] = [Call::Sending, Call::CrossingInHandoffBuffer, Call::Crossing];

    /// Returns the longest payload of a long packet where the kernel's copies are preferred for
    /// longer messages. The figures are measured: a single message is faster in a long packet up to
    /// 256 KiB, two that cross up to 32 KiB, or up to the length of a cell.
    const fn long_packet_max_bytes(self) -> usize {
        match self {
            Call::Sending => 256 << 10,
            Call::CrossingInHandoffBuffer => 32 << 10,
            Call::Crossing => PACKET_MAX_BYTES,
        }
    }
}

/// A row of the table of protocols.
#[derive(Debug)]
pub struct Protocol {
    /// What tools print, and users write.
    pub name: &'static str,
    /// How the bytes travel, in words.
    pub how: &'static str,
    /// Whether the bytes travel in one packet, without asking the receiver.
    pub is_packet: bool,
    /// The longest message that the protocol can carry.
    pub capacity_bytes: usize,
    /// Whether the protocol can serve such a peer.
    serves: fn(&PeerKind) -> bool,
    /// The longest message that it carries; 0 if another row costs less at any length. The shortest
    /// is longer than those of the rows before.
    max_bytes: fn(&PeerKind, &HostModel, Call) -> usize,
    /// Nanoseconds of line transfers, copies and system calls for a message; not a number where a
    /// figure was not measured.
    cost_ns: fn(&PeerKind, &HostModel, usize) -> f32,
}

impl Protocol {
    /// Returns the modelled time of a message of `bytes` bytes, in nanoseconds, without the time of
    /// this library's own instructions; `None` if a figure that it needs was not measured.
    pub fn cost_ns(&self, peer: &PeerKind, model: &HostModel, bytes: usize) -> Option<f32> {
        Some((self.cost_ns)(peer, model, bytes)).filter(|ns| ns.is_finite() && *ns > 0.0)
    }

    /// Returns the longest message that the protocol can carry to such a peer.
    fn capacity_for(&self, peer: &PeerKind) -> usize {
        match self.is_packet && peer.remote {
            true => self.capacity_bytes.min(peer.packet_max_bytes),
            false => self.capacity_bytes,
        }
    }

    /// Returns whether the protocol can serve such a peer.
    pub fn is_for(&self, peer: &PeerKind) -> bool {
        (self.serves)(peer)
    }
}

/// Lines of the pair's ring.
pub static FASTBOX: Protocol = Protocol {
    name: "fastbox",
    how: "lines of the pair's ring, which the receiver polls",
    is_packet: true,
    capacity_bytes: BOX_MAX_BYTES,
    serves: |peer| !peer.remote && peer.fastbox,
    max_bytes: |peer, model, _| match model.shortens_fastbox_packets() && !peer.oversubscribed {
        true => SHORT_BOX_MAX_BYTES,
        false => BOX_MAX_BYTES,
    },
    cost_ns: |_, model, bytes| message_lines(bytes) * line_ns(model),
};

/// A packet that the receiver reads while the sender writes it.
pub static LONG_PACKET: Protocol = Protocol {
    name: "long_packet",
    how: "a buffer in the segment, which the receiver reads while the sender writes it",
    is_packet: true,
    capacity_bytes: long::PAYLOAD_BYTES,
    serves: |peer| !peer.remote && peer.fastbox && !peer.oversubscribed,
    max_bytes: |_, model, call| match model.prefers_packets() {
        true => long::PAYLOAD_BYTES,
        false => call.long_packet_max_bytes(),
    },
    // The announcement, the progress word, and the lines.
    cost_ns: |_, model, bytes| 2.0 * line_ns(model) + lines(bytes) * model.packet_line_ns(),
};

/// A cell of the receiver's queue.
pub static CELL: Protocol = Protocol {
    name: "cell",
    how: "a cell of the sender, which goes to the receiver's queue and back",
    is_packet: true,
    capacity_bytes: PACKET_MAX_BYTES,
    serves: |peer| !peer.remote,
    max_bytes: |_, _, _| PACKET_MAX_BYTES,
    // The queue's tail, the link and the free queue, and the lines one after the other.
    cost_ns: |_, model, bytes| (3.0 + message_lines(bytes)) * line_ns(model),
};

/// A copy by the kernel of a message that could have been a packet. No length decides about it, but
/// whether such copies are fast.
pub static EAGER_READ: Protocol = Protocol {
    name: "eager_read",
    how: "announced; read by the kernel at once, while such reads are fast",
    is_packet: false,
    capacity_bytes: long::PAYLOAD_BYTES,
    serves: |peer| !peer.remote && peer.kernel_copies,
    max_bytes: |_, _, _| 0,
    cost_ns: |peer, model, bytes| (SINGLE_COPY.cost_ns)(peer, model, bytes),
};

/// A copy by the kernel from the sender's memory to the receiver's.
pub static SINGLE_COPY: Protocol = Protocol {
    name: "single_copy",
    how: "announced; the kernel copies from the sender's memory to the receiver's",
    is_packet: false,
    capacity_bytes: usize::MAX,
    serves: |peer| !peer.remote && peer.kernel_copies,
    max_bytes: |peer, model, _| match model.prefers_packets() && LONG_PACKET.is_for(peer) {
        true => 0,
        false => usize::MAX,
    },
    // The announcement and its answer.
    cost_ns: |_, model, bytes| {
        2.0 * line_ns(model) + model.kernel_call_ns + lines(bytes) * model.kernel_line_ns()
    },
};

/// Packets that the receiver has asked for.
pub static STREAM: Protocol = Protocol {
    name: "stream",
    how: "announced; then packets, which the receiver has asked for",
    is_packet: false,
    capacity_bytes: usize::MAX,
    serves: |peer| !peer.remote,
    max_bytes: |_, _, _| usize::MAX,
    // The announcement and its answer.
    cost_ns: |peer, model, bytes| 2.0 * line_ns(model) + (LONG_PACKET.cost_ns)(peer, model, bytes),
};

/// A packet of a network.
pub static NETWORK_PACKET: Protocol = Protocol {
    name: "network_packet",
    how: "one packet of the network, sent without asking",
    is_packet: true,
    capacity_bytes: REMOTE_PACKET_MAX_BYTES,
    serves: |peer| peer.remote,
    max_bytes: |peer, _, _| peer.packet_max_bytes,
    cost_ns: |peer, _, bytes| peer.costs.message_ns(bytes).unwrap_or(f32::NAN),
};

/// A packet whose payload leaves the sender's buffer without a copy.
pub static NETWORK_BULK: Protocol = Protocol {
    name: "eager_bulk",
    how: "a packet and a bulk payload, which leaves the sender's buffer without a copy",
    is_packet: false,
    capacity_bytes: EAGER_BULK_MAX_BYTES,
    serves: |peer| peer.remote && peer.bulk,
    max_bytes: |_, _, _| EAGER_BULK_MAX_BYTES,
    cost_ns: |peer, _, bytes| peer.costs.message_ns(bytes).unwrap_or(f32::NAN),
};

/// Bulk payload, or packets, that the receiver has asked for.
pub static NETWORK_RENDEZVOUS: Protocol = Protocol {
    name: "rendezvous",
    how: "announced; then bulk payload into the receiver's buffer, or packets",
    is_packet: false,
    capacity_bytes: usize::MAX,
    serves: |peer| peer.remote,
    max_bytes: |_, _, _| usize::MAX,
    // The announcement, its answer, and the message.
    cost_ns: |peer, _, bytes| {
        let packet = peer.costs.message_ns(0).unwrap_or(f32::NAN);
        2.0 * packet + peer.costs.message_ns(bytes).unwrap_or(f32::NAN)
    },
};

/// All protocols, in ascending order of the lengths for which they are best.
pub static PROTOCOLS: [&Protocol; 9] = [
    &FASTBOX,
    &LONG_PACKET,
    &CELL,
    &EAGER_READ,
    &SINGLE_COPY,
    &STREAM,
    &NETWORK_PACKET,
    &NETWORK_BULK,
    &NETWORK_RENDEZVOUS,
];

/// Returns the names of all protocols, in the order of the table.
pub fn names() -> [&'static str; PROTOCOLS.len()] {
    PROTOCOLS.map(|protocol| protocol.name)
}

/// Parses the value of `NEMESIS_PROTOCOL`: rows that carry a range of lengths by force.
///
/// # Errors
///
/// A sentence that names the part that is invalid, and lists the protocols.
pub fn parse_forced(text: &str) -> Result<Vec<Forced>, String> {
    forced::parse(text, "the library has no protocol", &names())
}

/// Returns the protocols that serve a peer with the longest message that each carries, in ascending
/// order. The last limit is `usize::MAX`.
pub fn resolve(peer: &PeerKind, model: &HostModel, call: Call) -> Vec<(usize, &'static Protocol)> {
    let mut limits: Vec<(usize, &'static Protocol)> = Vec::new();
    for protocol in PROTOCOLS.into_iter().filter(|protocol| protocol.is_for(peer)) {
        let max_bytes = (protocol.max_bytes)(peer, model, call);
        if max_bytes > limits.last().map_or(0, |(before, _)| *before) {
            limits.push((max_bytes, protocol));
        }
    }
    limits
}

/// Returns the first row of `forced` that takes a message of `bytes` bytes, and can serve the peer.
pub fn forced_row<'a>(
    forced: impl IntoIterator<Item = &'a Forced>,
    peer: &PeerKind,
    bytes: usize,
) -> Option<&'static Protocol> {
    forced
        .into_iter()
        .filter(|forced| forced.takes(bytes))
        .filter_map(|forced| PROTOCOLS.get(forced.row).copied())
        .find(|protocol| protocol.is_for(peer) && bytes <= protocol.capacity_for(peer))
}

/// Returns what [`resolve`] returns, with the ranges that `forced` gives to other rows.
pub fn resolve_forced(
    peer: &PeerKind,
    model: &HostModel,
    call: Call,
    forced: &[Forced],
) -> Vec<(usize, &'static Protocol)> {
    let natural = resolve(peer, model, call);
    let mut ends: Vec<usize> = natural.iter().map(|(max_bytes, _)| *max_bytes).collect();
    for Forced { row, min_bytes, max_bytes } in forced {
        let capacity = PROTOCOLS.get(*row).map_or(0, |protocol| protocol.capacity_for(peer));
        ends.extend(min_bytes.checked_sub(1));
        ends.extend([*max_bytes, capacity.min(*max_bytes)]);
    }
    ends.sort_unstable();
    ends.dedup();
    let mut spans: Vec<(usize, &'static Protocol)> = Vec::new();
    for end in ends {
        let usual = natural.iter().find(|(max_bytes, _)| end <= *max_bytes).map(|(_, row)| *row);
        let Some(row) = forced_row(forced, peer, end).or(usual) else { continue };
        match spans.last_mut() {
            Some(last) if std::ptr::eq(last.1, row) => last.0 = end,
            _ => spans.push((end, row)),
        }
    }
    spans
}

/// The lengths with which the paths of messages compare.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limits {
    /// Shortest payload that no longer goes through a fastbox.
    pub box_end_bytes: usize,
    /// Longest payload of a long packet.
    pub long_max_bytes: usize,
    /// Shortest payload that goes through a handoff buffer, if this process holds one.
    pub handoff_min_bytes: usize,
    /// Longest eager message to a process of this node with a fastbox, by [`Call`].
    pub eager_max_bytes: [usize; Call::ALL.len()],
    /// Longest eager message to another process of this node.
    pub cell_max_bytes: usize,
    /// Shortest single copy that both processes carry out.
    pub cooperative_min_bytes: usize,
    /// Nanoseconds of a fast copy by the kernel: for the call, and for a line; 0 where packets are
    /// always used, or nothing was measured.
    pub fast_read_call_ns: f32,
    pub fast_read_line_ns: f32,
}

impl Limits {
    /// Returns the limits between processes of one node.
    pub fn of(oversubscribed: bool, model: &HostModel) -> Limits {
        let peer = PeerKind { oversubscribed, ..PeerKind::LOCAL };
        let longest = |call: Call, takes: fn(&Protocol) -> bool| {
            let limits = resolve(&peer, model, call);
            limits.into_iter().filter(|(_, row)| takes(row)).map(|(bytes, _)| bytes).max()
        };
        let box_max = longest(Call::Sending, |row| std::ptr::eq(row, &FASTBOX));
        let long_max = longest(Call::Sending, |row| std::ptr::eq(row, &LONG_PACKET));
        Limits {
            box_end_bytes: box_max.map_or(0, |bytes| bytes + 1),
            long_max_bytes: long_max.unwrap_or_default(),
            handoff_min_bytes: handoff_min_bytes(model),
            eager_max_bytes: Call::ALL
                .map(|call| longest(call, |row| row.is_packet).unwrap_or_default()),
            cell_max_bytes: PACKET_MAX_BYTES,
            cooperative_min_bytes: cooperative_min_bytes(model),
            fast_read_call_ns: model.kernel_call_ns,
            fast_read_line_ns: match FAST_READ * model.packet_line_ns() {
                ns if ns.is_finite() && !model.prefers_packets() => ns,
                _ => 0.0,
            },
        }
    }

    /// Returns limits by which no path decides without [`Forcing`].
    pub fn undecided(self) -> Limits {
        Limits {
            box_end_bytes: 0,
            long_max_bytes: long::PAYLOAD_BYTES,
            handoff_min_bytes: usize::MAX,
            eager_max_bytes: [0; Call::ALL.len()],
            cell_max_bytes: 0,
            ..self
        }
    }
}

/// Rows that are forced, and the limits of all other lengths.
#[derive(Debug)]
pub(crate) struct Forcing {
    /// The rows, in the order in which they are asked.
    pub rows: Vec<Forced>,
    /// The limits without force.
    pub usual: Limits,
}

impl Forcing {
    /// Returns the packet protocol that is forced for a packet of `bytes` bytes, if any. A row that
    /// announces messages does not concern packets.
    pub fn of_packet(&self, peer: &PeerKind, bytes: usize) -> Option<&'static Protocol> {
        let packets = |forced: &&Forced| PROTOCOLS.get(forced.row).is_some_and(|row| row.is_packet);
        forced_row(self.rows.iter().filter(packets), peer, bytes)
    }

    /// Returns the protocol that is forced for a message of `bytes` bytes, if any.
    pub fn of_message(&self, peer: &PeerKind, bytes: usize) -> Option<&'static Protocol> {
        forced_row(&self.rows, peer, bytes)
    }
}

/// Returns the shortest payload for which a handoff buffer is at least as fast as a fastbox.
fn handoff_min_bytes(model: &HostModel) -> usize {
    match model.hands_off_early() {
        true => 192,
        false => 512,
    }
}

/// Returns the shortest single copy that both processes carry out: one that takes as long as four
/// calls. The helper's part saves half of the copy. It costs a call, two packets, and the waits of
/// two calls that pin pages of one process, together about two calls.
fn cooperative_min_bytes(model: &HostModel) -> usize {
    let bytes = 4.0 * model.kernel_copy_gb_per_s * model.kernel_call_ns;
    if bytes > 0.0 { bytes as usize } else { COOPERATIVE_MIN_BYTES }
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

    fn spans(limits: Vec<(usize, &'static Protocol)>) -> Vec<(usize, &'static str)> {
        limits.into_iter().map(|(bytes, protocol)| (bytes, protocol.name)).collect()
    }

    fn table(peer: PeerKind, model: &HostModel) -> Vec<(usize, &'static str)> {
        spans(resolve(&peer, model, Call::Sending))
    }

    const LOCAL: PeerKind = PeerKind::LOCAL;
    const REMOTE: PeerKind = PeerKind {
        remote: true,
        bulk: true,
        packet_max_bytes: REMOTE_PACKET_MAX_BYTES,
        costs: Costs { latency_ns: 1000, overhead_ns: 100, bytes_per_second: 1 << 30 },
        ..LOCAL
    };
    const LONGER: usize = usize::MAX;

    #[test]
    fn a_table_follows_from_the_costs() {
        let slow = [(256, "fastbox"), (1 << 20, "long_packet"), (LONGER, "stream")];
        assert_eq!(table(LOCAL, &slow_lines()), slow);
        let fast =
            [(BOX_MAX_BYTES, "fastbox"), (256 << 10, "long_packet"), (LONGER, "single_copy")];
        assert_eq!(table(LOCAL, &HostModel::default()), fast);
    }

    #[test]
    fn a_table_follows_from_what_a_peer_permits() {
        for model in [slow_lines(), HostModel::default()] {
            let oversubscribed = PeerKind { oversubscribed: true, ..LOCAL };
            assert_eq!(
                table(oversubscribed, &model),
                [(BOX_MAX_BYTES, "fastbox"), (PACKET_MAX_BYTES, "cell"), (LONGER, "single_copy")]
            );
            let no_box = PeerKind { fastbox: false, kernel_copies: false, ..LOCAL };
            assert_eq!(table(no_box, &model), [(PACKET_MAX_BYTES, "cell"), (LONGER, "stream")]);
            let short = PeerKind { packet_max_bytes: 4096, ..REMOTE };
            assert_eq!(table(short, &model)[0], (4096, "network_packet"));
            assert_eq!(
                table(REMOTE, &model),
                [
                    (REMOTE_PACKET_MAX_BYTES, "network_packet"),
                    (EAGER_BULK_MAX_BYTES, "eager_bulk"),
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
                ..REMOTE
            };
            for model in [slow_lines(), HostModel::default()] {
                let limits = resolve(&peer, &model, Call::Sending);
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
            let unknown = protocol.cost_ns(&LOCAL, &HostModel::default(), 100);
            assert_eq!(unknown, None, "{}", protocol.name);
            let lengths = [40, 4000, 400_000];
            let costs = lengths.map(|bytes| protocol.cost_ns(&REMOTE, &slow_lines(), bytes));
            assert!(
                costs.iter().all(Option::is_some) && costs.is_sorted(),
                "{}: {costs:?}",
                protocol.name
            );
        }
        let cost = |protocol: &Protocol| protocol.cost_ns(&LOCAL, &slow_lines(), 4 << 20).unwrap();
        assert!(cost(&STREAM) < cost(&SINGLE_COPY), "packets are preferred");
    }
    #[test]
    fn what_the_sender_does_limits_long_packets_beside_kernel_copies() {
        let fast = Limits::of(false, &HostModel::default());
        let expected = [256 << 10, 32 << 10, PACKET_MAX_BYTES];
        assert_eq!(fast.eager_max_bytes, expected);
        assert_eq!((fast.box_end_bytes, fast.long_max_bytes), (BOX_MAX_BYTES + 1, 256 << 10));
        let slow = Limits::of(false, &slow_lines());
        assert_eq!(slow.eager_max_bytes, [1 << 20; 3]);
        assert!(slow.handoff_min_bytes < fast.handoff_min_bytes);
        let oversubscribed = Limits::of(true, &slow_lines());
        assert_eq!(oversubscribed.eager_max_bytes, [PACKET_MAX_BYTES; 3]);
        assert_eq!(oversubscribed.long_max_bytes, 0);
        assert!(slow.fast_read_line_ns == 0.0 && fast.fast_read_line_ns == 0.0);
    }

    #[test]
    fn forced_rows_carry_their_ranges_if_they_can() {
        let model = slow_lines();
        let forced = |text: &str| {
            let forced = parse_forced(text).unwrap();
            spans(resolve_forced(&LOCAL, &model, Call::Sending, &forced))
        };
        assert_eq!(forced(""), spans(resolve(&LOCAL, &model, Call::Sending)));
        let cells = [(PACKET_MAX_BYTES, "cell"), (1 << 20, "long_packet"), (LONGER, "stream")];
        assert_eq!(forced("cell"), cells);
        let copies =
            [(99, "fastbox"), (300, "single_copy"), (1 << 20, "long_packet"), (LONGER, "stream")];
        assert_eq!(forced("rendezvous,single_copy:100-300"), copies);
        assert_eq!(forced("stream:0-"), [(LONGER, "stream")]);
        let error = parse_forced("pigeon").unwrap_err();
        assert!(names().iter().all(|name| error.contains(name)), "{error}");
    }

    #[test]
    fn packets_ignore_rows_that_announce() {
        let rows = parse_forced("single_copy,cell").unwrap();
        let forcing = Forcing { rows, usual: Limits::of(false, &slow_lines()) };
        assert!(std::ptr::eq(forcing.of_packet(&LOCAL, 8).unwrap(), &CELL));
        assert!(std::ptr::eq(forcing.of_message(&LOCAL, 8).unwrap(), &SINGLE_COPY));
        assert!(forcing.of_packet(&LOCAL, 1 << 20).is_none());
    }

    #[test]
    fn a_helper_costs_as_much_as_two_calls() {
        assert_eq!(Limits::of(false, &slow_lines()).cooperative_min_bytes, 71_040);
        let unknown = Limits::of(false, &HostModel::default());
        assert_eq!(unknown.cooperative_min_bytes, COOPERATIVE_MIN_BYTES);
    }
}
