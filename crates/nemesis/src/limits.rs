//! Lengths of packets and of their bulk payloads.

/// Longest payload of a packet to another node: the largest multiple of 8 that fits the header's
/// 16-bit size. Longer messages are eager messages with bulk payload, or use rendezvous.
pub(crate) const REMOTE_PACKET_MAX_BYTES: usize = u16::MAX as usize & !7;

/// Shortest eager bulk payload. A packet carries shorter messages: from 16 to 32 KiB, the second
/// read of a bulk payload costs a tenth more than the copy that it saves.
pub const EAGER_BULK_MIN_BYTES: usize = REMOTE_PACKET_MAX_BYTES + 1;
/// Longest eager bulk payload. The receiver may have to keep one that it has not asked for, so it
/// must be short beside `NEMESIS_UNEXPECTED_MAX_BYTES`.
pub const EAGER_BULK_MAX_BYTES: usize = 1 << 20;
