//! Lengths of packets and of their bulk payloads, and the number of lanes.

/// Longest payload of a packet to another node, by any network: the largest multiple of 8 that fits
/// the header's 16-bit size. A network may carry less (`nemesis_netmod::Limits`). Longer messages
/// are eager messages with bulk payload, or use rendezvous. With TCP, the second read of a bulk
/// payload of 16 to 32 KiB costs a tenth more than the copy that it saves.
pub const REMOTE_PACKET_MAX_BYTES: usize = u16::MAX as usize & !7;

/// Longest eager bulk payload. The receiver may have to keep one that it has not asked for, so it
/// must be short beside `NEMESIS_UNEXPECTED_MAX_BYTES`.
pub const EAGER_BULK_MAX_BYTES: usize = 1 << 20;

/// Most lanes of a process: see `endpoint::lanes`.
pub const LANES_MAX: usize = 8;

/// Most lanes with networks: each takes sockets, or queues of a device, for each process with which
/// it communicates.
pub const LANES_BETWEEN_NODES: usize = 4;
