//! The way from one process: bytes that become packets again.
//!
//! One read takes as many packets as have come and the beginning of the next ("Design and Evaluation of Nemesis", §3.5). Packets are offered to the
//! host where they lie; what is left, a packet's beginning or packets that the host does not take now, is kept for the next time, and
//! nothing is read as long as a whole packet is kept. A body is read straight into the place that the host gives for it.
//!
//! ```text
//!   Frames ── a packet with a body ──> Body ── its last byte ──> offered, Frames
//! ```

use crate::frame::{HEAD_BYTES, PREFIX_BYTES, Prefix};
use crate::socket::{self, Moved, Stream};
use nemesis_netmod::{Host, Limits, RegionMut};
use nemesis_wire::Header;
use rustix::io::Errno;

/// Bytes that one read of packets takes at most.
pub const READ_BYTES: usize = 64 << 10;
/// Bytes that a read takes where a body is likely to come: what stands before it, and little of it that would have to be copied into its place.
const SHORT_READ_BYTES: usize = 256;
/// Reads after a body in which the next is likely: those of what announces it, and of the answers to our own.
const LIKELY_READS: u32 = 8;
/// What travels as one segment nearly everywhere. More of it is acknowledged at once, by whoever holds the socket then.
const SEGMENT_BYTES: usize = 1400;
/// The buffer of a module: what was kept of a connection, and a read behind it.
pub const SCRATCH_BYTES: usize = 2 * READ_BYTES + HEAD_BYTES;

enum Stage {
    Frames,
    Body(Body),
}

/// A packet whose body is on its way.
struct Body {
    header: Header,
    payload: Vec<u8>,
    /// `None`: it is thrown away.
    place: Option<RegionMut>,
    have: usize,
    bytes: usize,
}

/// Why a connection cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Closed,
    Failed(Errno),
    /// The other end sent what no packet looks like.
    Malformed(String),
}

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    pub packets: u32,
    /// Some of a body came.
    pub moved: bool,
    /// The host does not take the next packet now.
    pub refused: bool,
    pub goodbye: bool,
    pub farewell: bool,
    /// What came last: a rest, or a packet; `None` when neither did.
    pub rests: Option<bool>,
}

pub struct Incoming {
    stage: Stage,
    /// Read and not used yet.
    kept: Vec<u8>,
    /// Reads to go in which a body is likely.
    likely: u32,
    /// The last read that brought packets brought more than a segment.
    pub long: bool,
}

/// One look at one connection.
pub struct Look<'a> {
    pub from: u32,
    pub limits: Limits,
    pub host: &'a mut dyn Host,
    pub found: Pulled,
}

impl Incoming {
    pub fn new() -> Incoming {
        Incoming { stage: Stage::Frames, kept: Vec::new(), likely: 0, long: false }
    }

    /// Offers what was kept, then reads once and offers what came; twice, where a short read found more.
    pub fn pull(
        &mut self,
        socket: &Stream,
        look: &mut Look<'_>,
        scratch: &mut [u8],
        piece: usize,
    ) -> Result<(), End> {
        if self.likely == 0 || piece < SHORT_READ_BYTES {
            return self.pull_once(socket, look, scratch, READ_BYTES.min(piece), piece).map(|_| ());
        }
        let read = self.pull_once(socket, look, scratch, SHORT_READ_BYTES, piece)?;
        self.likely -= u32::from(read > 0);
        if read == SHORT_READ_BYTES && !look.found.refused {
            self.pull_once(socket, look, scratch, READ_BYTES.min(piece), piece)?;
        }
        Ok(())
    }

    /// Reads once: packets, at most `most` bytes of them, or the rest of a body. How many bytes came that are no body's.
    fn pull_once(
        &mut self,
        socket: &Stream,
        look: &mut Look<'_>,
        scratch: &mut [u8],
        most: usize,
        piece: usize,
    ) -> Result<usize, End> {
        let mut begun = 0;
        if !self.kept.is_empty() || self.is_complete() {
            let mut kept = std::mem::take(&mut self.kept);
            let used = self.digest(&kept, look)?;
            kept.drain(..used);
            if look.found.refused {
                self.kept = kept;
                return Ok(0);
            }
            begun = kept.len();
            scratch[..begun].copy_from_slice(&kept);
        }
        let moved = match &mut self.stage {
            Stage::Body(body) if body.have < body.bytes => {
                let moved = body.read(socket, scratch, piece);
                look.found.moved |= matches!(moved, Moved::Bytes(_));
                moved
            }
            _ => {
                let end = scratch.len().min(begun + most);
                socket::read(socket, &mut scratch[begun..end])
            }
        };
        match moved {
            Moved::Bytes(read) => {
                self.long = read > SEGMENT_BYTES;
                let used = self.digest(&scratch[..begun + read], look)?;
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

    /// Whether more of a body is to come.
    pub fn is_amid_body(&self) -> bool {
        matches!(&self.stage, Stage::Body(body) if body.have < body.bytes)
    }

    /// Whether a packet with its whole body waits for the host.
    fn is_complete(&self) -> bool {
        matches!(&self.stage, Stage::Body(body) if body.have == body.bytes)
    }

    /// Uses bytes from the front: how many.
    fn digest(&mut self, bytes: &[u8], look: &mut Look<'_>) -> Result<usize, End> {
        let mut used = 0;
        loop {
            let rest = &bytes[used..];
            let taken = match &mut self.stage {
                Stage::Body(body) => body.take(rest),
                Stage::Frames => self.frame(rest, look)?,
            };
            used += taken;
            match &mut self.stage {
                Stage::Body(body) if body.have < body.bytes => {
                    if used == bytes.len() {
                        return Ok(used);
                    }
                }
                Stage::Body(body) => {
                    body.place = None;
                    if !look.host.offer(look.from, &body.header, &body.payload) {
                        look.found.refused = true;
                        return Ok(used);
                    }
                    look.found.packets += 1;
                    self.stage = Stage::Frames;
                }
                Stage::Frames if taken == 0 => return Ok(used),
                Stage::Frames => {}
            }
        }
    }

    /// Uses the frame at the front of `bytes`; 0 when it is not whole, or not taken by the host.
    fn frame(&mut self, bytes: &[u8], look: &mut Look<'_>) -> Result<usize, End> {
        let Some((prefix, rest)) = bytes.split_first_chunk::<PREFIX_BYTES>() else { return Ok(0) };
        let Some(header) = Header::decode(rest) else { return Ok(0) };
        let prefix = Prefix::decode(*prefix)
            .ok_or_else(|| End::Malformed(format!("it sent a frame of no kind ({prefix:02x?})")))?;
        let body = match prefix {
            Prefix::Packet(body) => body,
            Prefix::Rest => {
                look.found.rests = Some(true);
                return Ok(HEAD_BYTES);
            }
            Prefix::Goodbye => {
                look.found.goodbye = true;
                return Ok(HEAD_BYTES);
            }
            Prefix::Farewell => {
                look.found.farewell = true;
                return Ok(HEAD_BYTES);
            }
        };
        let size = usize::from(header.size);
        if body > look.limits.body || size > look.limits.payload {
            return Err(End::Malformed(format!(
                "it announces a packet of {size} bytes with a body of {body}"
            )));
        }
        let Some(payload) = bytes.get(HEAD_BYTES..HEAD_BYTES + size) else { return Ok(0) };
        look.found.rests = Some(false);
        if body > 0 {
            let bytes = body as usize;
            self.likely = LIKELY_READS;
            let place = look
                .host
                .place(look.from, &header, payload, bytes)
                .filter(|place| place.len() >= bytes);
            self.stage =
                Stage::Body(Body { header, payload: payload.to_vec(), place, have: 0, bytes });
        } else if look.host.offer(look.from, &header, payload) {
            look.found.packets += 1;
        } else {
            look.found.refused = true;
            return Ok(0);
        }
        Ok(HEAD_BYTES + size)
    }
}

impl Body {
    /// Takes what belongs to it from the front of `bytes`.
    fn take(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(self.bytes - self.have);
        if let Some(place) = &mut self.place {
            place.write(self.have, &bytes[..taken]);
        }
        self.have += taken;
        taken
    }

    /// Reads on into its place, and what follows the body into `scratch`: how many bytes of those.
    fn read(&mut self, socket: &Stream, scratch: &mut [u8], piece: usize) -> Moved {
        let rest = self.bytes - self.have;
        let Some(place) = &mut self.place else {
            let most = READ_BYTES.min(piece);
            return socket::read(socket, &mut scratch[..most]);
        };
        let into = &mut place.from_mut(self.have)[..rest];
        let moved = match piece {
            usize::MAX => socket::read_two(socket, into, &mut scratch[..READ_BYTES]),
            _ => socket::read(socket, &mut into[..rest.min(piece)]),
        };
        let Moved::Bytes(read) = moved else { return moved };
        let own = read.min(rest);
        self.have += own;
        // Zero is no end here: the digest goes on with a body that may be whole now.
        Moved::Bytes(read - own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_netmod::{Cell, Failure, Token};
    use proptest::prelude::*;

    /// Takes what fits its mood and remembers it.
    #[derive(Default)]
    struct Taker {
        taken: Vec<(u32, usize)>,
        refuse_every: usize,
        asked: usize,
    }

    impl Host for Taker {
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

    const LIMITS: Limits = Limits { payload: 1000, body: 5000 };

    fn frame(seq: u32, size: usize, body: usize) -> Vec<u8> {
        let header = Header { seq, kind: 20, size: size as u16, ..Header::default() };
        [
            &Prefix::Packet(body as u64).encode()[..],
            &header.encode(),
            &vec![1; size],
            &vec![2; body],
        ]
        .concat()
    }

    /// Feeds bytes in pieces, as reads would.
    fn feed(bytes: &[u8], pieces: &[usize], host: &mut Taker) -> Result<Incoming, End> {
        let mut incoming = Incoming::new();
        let (mut given, mut piece) = (0, 0);
        while given < bytes.len() || !incoming.kept.is_empty() {
            let next = bytes.len().min(given + pieces.get(piece).copied().unwrap_or(1000).max(1));
            piece += 1;
            let mut all = std::mem::take(&mut incoming.kept);
            all.extend_from_slice(&bytes[given..next]);
            let mut look = Look { from: 0, limits: LIMITS, host, found: Pulled::default() };
            let used = incoming.digest(&all, &mut look)?;
            let refused = look.found.refused;
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
            let bytes: Vec<u8> = sizes.iter().enumerate().flat_map(|(seq, &(size, body))| frame(seq as u32, size, body)).collect();
            let mut host = Taker { refuse_every, ..Taker::default() };
            let mut incoming = feed(&bytes, &pieces, &mut host).unwrap();
            while incoming.is_complete() {
                let mut look = Look { from: 0, limits: LIMITS, host: &mut host, found: Pulled::default() };
                incoming.digest(&[], &mut look).unwrap();
            }
            let expected: Vec<(u32, usize)> = sizes.iter().enumerate().map(|(seq, &(size, _))| (seq as u32, size)).collect();
            prop_assert_eq!(host.taken, expected);
        }

        #[test]
        fn nothing_that_anybody_sends_is_more_than_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..3000),
            pieces in proptest::collection::vec(1usize..500, 0..50),
        ) {
            let _ = feed(&bytes, &pieces, &mut Taker::default());
        }
    }

    #[test]
    fn too_much_is_malformed() {
        for (size, body) in [(1001, 0), (0, 5001)] {
            let refused = feed(&frame(1, size, body), &[], &mut Taker::default());
            assert!(matches!(refused, Err(End::Malformed(_))));
        }
        assert!(matches!(
            feed(&[9; HEAD_BYTES], &[], &mut Taker::default()),
            Err(End::Malformed(_))
        ));
    }
}
