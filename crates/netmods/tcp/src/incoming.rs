//! The receiving direction of a connection: turns bytes into packets.
//!
//! One read takes all packets that have arrived and the start of the next ("Design and Evaluation
//! of Nemesis", §3.5). The module offers packets to the host in place. It keeps the remainder, an
//! incomplete packet or packets that the host refuses, and reads nothing more while it keeps a
//! complete packet. It reads a bulk payload directly into the region that the host provides.
//!
//! ```text
//!   Frames ── a packet with a bulk payload ──> Bulk ── its last byte ──> offered, Frames
//! ```

use crate::frame::{HEAD_BYTES, PREFIX_BYTES, Prefix};
use crate::socket::Moved;
use crate::stream::{self, Stream};
use nemesis_netmod::{Host, Limits, RegionMut};
use nemesis_wire::Header;
use rustix::io::Errno;

/// Maximum bytes of one read of packets.
pub const READ_BYTES: usize = 64 << 10;
/// Bytes of a read when a bulk payload is likely to follow: enough for the packet before it, and
/// little of the bulk payload, which would have to be copied into its region.
const SHORT_READ_BYTES: usize = 256;
/// Number of reads after a bulk payload during which another bulk payload is likely: those of its
/// announcement, and of the answers to this process's own.
const LIKELY_READS: u32 = 8;
/// Payload of a TCP segment on nearly every network. The kernel acknowledges more than one segment
/// at once, on the thread that holds the socket.
const SEGMENT_BYTES: usize = 1400;
/// Size of the module's buffer: the remainder of a connection, followed by a read.
pub const SCRATCH_BYTES: usize = 2 * READ_BYTES + HEAD_BYTES;

enum Stage {
    Frames,
    Bulk(Bulk),
}

/// A packet whose bulk payload is being received.
struct Bulk {
    header: Header,
    payload: Vec<u8>,
    /// The bulk payload's region; `None` discards the bulk payload.
    place: Option<RegionMut>,
    have: usize,
    bytes: usize,
}

/// Why a connection cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Closed,
    Failed(Errno),
    /// The peer violated the protocol.
    Malformed(String),
}

/// Result of a pull.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    pub packets: u32,
    /// Bytes were read.
    pub read: bool,
    /// A part of a bulk payload arrived.
    pub moved: bool,
    /// The host refuses the next packet for now.
    pub refused: bool,
    pub goodbye: bool,
    pub farewell: bool,
    /// Whether the last frame was a pause (true) or a packet (false); `None` if neither arrived.
    pub rests: Option<bool>,
}

pub struct Incoming {
    stage: Stage,
    /// Bytes that were read and are not used yet.
    kept: Vec<u8>,
    /// Number of reads during which a bulk payload is still likely.
    likely: u32,
    /// Whether the last read of packets returned more than a segment.
    pub long: bool,
}

/// One pull of one connection.
pub struct Pull<'a> {
    pub from: u32,
    pub limits: Limits,
    pub host: &'a mut dyn Host,
    pub found: Pulled,
}

impl Incoming {
    pub fn new() -> Incoming {
        Incoming { stage: Stage::Frames, kept: Vec::new(), likely: 0, long: false }
    }

    /// Offers what was kept, then reads once and offers what arrived. Reads again after a short
    /// read that was full.
    pub fn pull(
        &mut self,
        socket: &Stream,
        pull: &mut Pull<'_>,
        scratch: &mut [u8],
        piece: usize,
    ) -> Result<(), End> {
        if self.likely == 0 || piece < SHORT_READ_BYTES {
            return self.pull_once(socket, pull, scratch, READ_BYTES.min(piece), piece).map(|_| ());
        }
        let read = self.pull_once(socket, pull, scratch, SHORT_READ_BYTES, piece)?;
        self.likely -= u32::from(read > 0);
        if read == SHORT_READ_BYTES && !pull.found.refused {
            self.pull_once(socket, pull, scratch, READ_BYTES.min(piece), piece)?;
        }
        Ok(())
    }

    /// Reads once: at most `most` bytes of packets, or the remainder of a bulk payload. Returns the
    /// number of bytes that belong to no bulk payload.
    fn pull_once(
        &mut self,
        socket: &Stream,
        pull: &mut Pull<'_>,
        scratch: &mut [u8],
        most: usize,
        piece: usize,
    ) -> Result<usize, End> {
        let mut begun = 0;
        if !self.kept.is_empty() || self.is_complete() {
            let mut kept = std::mem::take(&mut self.kept);
            let used = self.digest(&kept, pull)?;
            kept.drain(..used);
            if pull.found.refused {
                self.kept = kept;
                return Ok(0);
            }
            begun = kept.len();
            scratch[..begun].copy_from_slice(&kept);
        }
        let moved = match &mut self.stage {
            Stage::Bulk(bulk) if bulk.have < bulk.bytes => {
                let moved = bulk.read(socket, scratch, piece);
                pull.found.moved |= matches!(moved, Moved::Bytes(_));
                moved
            }
            _ => {
                let end = scratch.len().min(begun + most);
                stream::read(socket, &mut scratch[begun..end])
            }
        };
        pull.found.read |= matches!(moved, Moved::Bytes(_));
        match moved {
            Moved::Bytes(read) => {
                self.long = read > SEGMENT_BYTES;
                let used = self.digest(&scratch[..begun + read], pull)?;
                self.kept.extend_from_slice(&scratch[used..begun + read]);
                Ok(read)
            }
            Moved::Nothing => {
                if begun > 0 {
                    self.kept.extend_from_slice(&scratch[..begun]);
                }
                Ok(0)
            }
            Moved::End => Err(End::Closed),
            Moved::Failed(errno) => Err(End::Failed(errno)),
        }
    }

    /// Returns whether a part of a bulk payload is still missing.
    pub fn is_amid_bulk(&self) -> bool {
        matches!(&self.stage, Stage::Bulk(bulk) if bulk.have < bulk.bytes)
    }

    /// Returns whether a packet with a complete bulk payload waits for the host.
    fn is_complete(&self) -> bool {
        matches!(&self.stage, Stage::Bulk(bulk) if bulk.have == bulk.bytes)
    }

    /// Consumes bytes from the front and returns their number.
    fn digest(&mut self, bytes: &[u8], pull: &mut Pull<'_>) -> Result<usize, End> {
        let mut used = 0;
        loop {
            let rest = &bytes[used..];
            let taken = match &mut self.stage {
                Stage::Bulk(bulk) => bulk.take(rest),
                Stage::Frames => self.frame(rest, pull)?,
            };
            used += taken;
            match &mut self.stage {
                Stage::Bulk(bulk) if bulk.have < bulk.bytes => {
                    if used == bytes.len() {
                        return Ok(used);
                    }
                }
                Stage::Bulk(bulk) => {
                    bulk.place = None;
                    if !pull.host.offer(pull.from, &bulk.header, &bulk.payload) {
                        pull.found.refused = true;
                        return Ok(used);
                    }
                    pull.found.packets += 1;
                    self.stage = Stage::Frames;
                }
                Stage::Frames if taken == 0 => return Ok(used),
                Stage::Frames => {}
            }
        }
    }

    /// Consumes the frame at the front of `bytes` and returns its length; 0 if it is incomplete or
    /// the host refuses it.
    fn frame(&mut self, bytes: &[u8], pull: &mut Pull<'_>) -> Result<usize, End> {
        let Some((prefix, rest)) = bytes.split_first_chunk::<PREFIX_BYTES>() else { return Ok(0) };
        let Some(header) = Header::decode(rest) else { return Ok(0) };
        let prefix = Prefix::decode(*prefix)
            .ok_or_else(|| End::Malformed(format!("it sent a frame of no kind ({prefix:02x?})")))?;
        let bulk = match prefix {
            Prefix::Packet(bulk) => bulk,
            Prefix::Rest => {
                pull.found.rests = Some(true);
                return Ok(HEAD_BYTES);
            }
            Prefix::Goodbye => {
                pull.found.goodbye = true;
                return Ok(HEAD_BYTES);
            }
            Prefix::Farewell => {
                pull.found.farewell = true;
                return Ok(HEAD_BYTES);
            }
        };
        let size = usize::from(header.size);
        if bulk > pull.limits.bulk || size > pull.limits.payload {
            return Err(End::Malformed(format!(
                "it announces a packet of {size} bytes with a bulk payload of {bulk}"
            )));
        }
        let Some(payload) = bytes.get(HEAD_BYTES..HEAD_BYTES + size) else { return Ok(0) };
        pull.found.rests = Some(false);
        if bulk > 0 {
            let bytes = bulk as usize;
            self.likely = LIKELY_READS;
            let place = pull
                .host
                .place(pull.from, &header, payload, bytes)
                .filter(|place| place.len() >= bytes);
            self.stage =
                Stage::Bulk(Bulk { header, payload: payload.to_vec(), place, have: 0, bytes });
        } else if pull.host.offer(pull.from, &header, payload) {
            pull.found.packets += 1;
        } else {
            pull.found.refused = true;
            return Ok(0);
        }
        Ok(HEAD_BYTES + size)
    }
}

impl Bulk {
    /// Consumes the bytes at the front of `bytes` that belong to the bulk payload, and returns
    /// their number.
    fn take(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(self.bytes - self.have);
        if let Some(place) = &mut self.place {
            place.write(self.have, &bytes[..taken]);
        }
        self.have += taken;
        taken
    }

    /// Reads into the bulk payload's region, and what follows the bulk payload into `scratch`.
    /// Returns the number of bytes in `scratch`.
    fn read(&mut self, socket: &Stream, scratch: &mut [u8], piece: usize) -> Moved {
        let rest = self.bytes - self.have;
        let Some(place) = &mut self.place else {
            let most = READ_BYTES.min(piece);
            return stream::read(socket, &mut scratch[..most]);
        };
        let into = &mut place.from_mut(self.have)[..rest];
        let moved = match piece {
            usize::MAX => stream::read_two(socket, into, &mut scratch[..READ_BYTES]),
            _ => stream::read(socket, &mut into[..rest.min(piece)]),
        };
        let Moved::Bytes(read) = moved else { return moved };
        let own = read.min(rest);
        self.have += own;
        // Zero is not the end of the connection here: digest continues with the bulk payload, which
        // may be complete.
        Moved::Bytes(read - own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_netmod::{Cell, Failure, Token};
    use proptest::prelude::*;

    /// A host that accepts or refuses packets as the test says, and records those that it accepts.
    #[derive(Default)]
    struct RecordingHost {
        taken: Vec<(u32, usize)>,
        refuse_every: usize,
        asked: usize,
    }

    impl Host for RecordingHost {
        fn card(&mut self, _: u32) -> Option<Vec<u8>> {
            None
        }
        fn alloc(&mut self, _: usize) -> Option<Cell> {
            None
        }
        fn offer(&mut self, _: u32, header: &Header, payload: &[u8]) -> bool {
            self.asked += 1;
            let takes = self.refuse_every == 0 || !self.asked.is_multiple_of(self.refuse_every);
            if takes {
                self.taken.push((header.seq, payload.len()));
            }
            takes
        }
        fn deliver(&mut self, _: u32, _: Cell) {}
        fn give_back(&mut self, _: Cell) {}
        fn place(&mut self, _: u32, _: &Header, _: &[u8], _: usize) -> Option<RegionMut> {
            None
        }
        fn completed(&mut self, _: Token, _: Result<(), Failure>) {}
        fn lost(&mut self, _: u32, _: Failure) {}
    }

    const LIMITS: Limits = Limits { payload: 1000, bulk: 5000 };

    fn frame(seq: u32, size: usize, bulk: usize) -> Vec<u8> {
        let header = Header { seq, kind: 20, size: size as u16, ..Header::default() };
        [
            &Prefix::Packet(bulk as u64).encode()[..],
            &header.encode(),
            &vec![1; size],
            &vec![2; bulk],
        ]
        .concat()
    }

    /// Feeds bytes in pieces, as reads do.
    fn feed(bytes: &[u8], pieces: &[usize], host: &mut RecordingHost) -> Result<Incoming, End> {
        let mut incoming = Incoming::new();
        let (mut given, mut piece) = (0, 0);
        while given < bytes.len() || !incoming.kept.is_empty() {
            let next = bytes.len().min(given + pieces.get(piece).copied().unwrap_or(1000).max(1));
            piece += 1;
            let mut all = std::mem::take(&mut incoming.kept);
            all.extend_from_slice(&bytes[given..next]);
            let mut pull = Pull { from: 0, limits: LIMITS, host, found: Pulled::default() };
            let used = incoming.digest(&all, &mut pull)?;
            let refused = pull.found.refused;
            incoming.kept = all.split_off(used);
            if given == bytes.len() && !refused && used == 0 {
                break;
            }
            given = next;
        }
        Ok(incoming)
    }

    proptest! {
        #[test]
        fn packets_come_out_as_they_went_in_however_they_are_cut(
            sizes in proptest::collection::vec((0usize..1000, 0usize..3000), 1..20),
            pieces in proptest::collection::vec(1usize..500, 0..200),
            refuse_every in prop_oneof![Just(0usize), 2usize..5],
        ) {
            let frames = sizes.iter().enumerate();
            let bytes: Vec<u8> =
                frames.flat_map(|(seq, &(size, bulk))| frame(seq as u32, size, bulk)).collect();
            let mut host = RecordingHost { refuse_every, ..RecordingHost::default() };
            let mut incoming = feed(&bytes, &pieces, &mut host).unwrap();
            while incoming.is_complete() {
                let mut pull =
                    Pull { from: 0, limits: LIMITS, host: &mut host, found: Pulled::default() };
                incoming.digest(&[], &mut pull).unwrap();
            }
            let frames = sizes.iter().enumerate();
            let expected: Vec<(u32, usize)> =
                frames.map(|(seq, &(size, _))| (seq as u32, size)).collect();
            prop_assert_eq!(host.taken, expected);
        }

        #[test]
        fn nothing_that_anybody_sends_is_more_than_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..3000),
            pieces in proptest::collection::vec(1usize..500, 0..50),
        ) {
            let _ = feed(&bytes, &pieces, &mut RecordingHost::default());
        }
    }

    #[test]
    fn too_much_is_malformed() {
        for (size, bulk) in [(1001, 0), (0, 5001)] {
            let refused = feed(&frame(1, size, bulk), &[], &mut RecordingHost::default());
            assert!(matches!(refused, Err(End::Malformed(_))));
        }
        assert!(matches!(
            feed(&[9; HEAD_BYTES], &[], &mut RecordingHost::default()),
            Err(End::Malformed(_))
        ));
    }
}
