//! Both directions of an encrypted connection.
//!
//! ```text
//!   records: length (2 bytes), ciphertext, tag (16 bytes)
//! ```
//!
//! A record that was changed, omitted, repeated or reordered fails its authentication, and the
//! connection ends with [`CHANGED`]. The end of a connection is not authenticated: a protocol whose
//! last message is missing has been cut.
//!
//! **Writing.** Encrypted bytes must be sent. The cipher therefore keeps what the socket does not
//! take, and reports that nothing was written until all of it is through. The caller offers the
//! same bytes again, as it does when a socket is full. **Reading.** A record may hold more bytes
//! than were asked for: [`holds_more`](Cipher::holds_more) returns whether there are bytes to read
//! that no descriptor announces.

use crate::socket::{self, Moved};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use snow::{HandshakeState, TransportState};
use std::fmt;
use std::io::IoSlice;
use std::ops::Range;

/// The error for a record that fails its authentication.
pub const CHANGED: Errno = Errno::BADMSG;
/// [`CHANGED`] in words for the user.
pub const CHANGED_WORDS: &str = "what came is not what was sent: encrypted bytes were changed, \
                                 left out or repeated on the way";

/// Bytes of a record before encryption. The receiver decrypts a record while the next ones are
/// under way.
const RECORD_BYTES: usize = 16 << 10;
const LENGTH_BYTES: usize = 2;
const CHECK_BYTES: usize = 16;
const SEALED_RECORD_BYTES: usize = RECORD_BYTES + CHECK_BYTES;
const SEALED_BYTES: usize = LENGTH_BYTES + SEALED_RECORD_BYTES;
/// Maximum number of records that one call writes.
const BURST: usize = 16;
/// Size of the receive buffer: the start of a record, and what one call reads.
const RECEIVED_BYTES: usize = 4 * SEALED_BYTES;
/// Number of records with one key in one direction: far below the limit of AES-GCM.
const RECORDS_PER_KEY: u64 = 1 << 20;

/// Returns whether record `number` is the first with a new key.
fn is_due(number: u64) -> bool {
    number > 0 && number.is_multiple_of(RECORDS_PER_KEY)
}

/// Both directions of an encrypted connection.
pub struct Cipher {
    state: TransportState,
    /// Encrypted bytes; those from `sent` on are not sent yet. They contain `promised` bytes of the
    /// caller.
    sealed: Vec<u8>,
    sent: usize,
    promised: usize,
    /// Received bytes; those from `opened` to `filled` are not decrypted yet.
    received: Box<[u8]>,
    opened: usize,
    filled: usize,
    /// Decrypted bytes; those from `taken` on have not been read yet.
    plain: Vec<u8>,
    taken: usize,
    /// A record failed its authentication.
    is_broken: bool,
    gathered: Vec<u8>,
}

impl Cipher {
    pub(crate) fn new(state: HandshakeState) -> Option<Box<Cipher>> {
        let state = state.into_transport_mode().ok()?;
        Some(Box::new(Cipher {
            state,
            sealed: Vec::with_capacity(SEALED_BYTES),
            sent: 0,
            promised: 0,
            received: vec![0; RECEIVED_BYTES].into_boxed_slice(),
            opened: 0,
            filled: 0,
            plain: Vec::new(),
            taken: 0,
            is_broken: false,
            gathered: Vec::new(),
        }))
    }

    /// Writes from the front of the slices. After [`Moved::Nothing`] the caller must offer the same
    /// bytes again; others may follow them.
    pub fn write(&mut self, socket: impl AsFd, from: &[IoSlice<'_>]) -> Moved {
        let mut written = 0;
        for _ in 0..BURST {
            if self.promised == 0 {
                self.seal(from, written);
            }
            if self.promised == 0 {
                break;
            }
            match self.flush(socket.as_fd()) {
                Moved::Bytes(_) => written += std::mem::take(&mut self.promised),
                stopped if written == 0 => return stopped,
                // The next call reports it again.
                _ => break,
            }
        }
        if written == 0 { Moved::Nothing } else { Moved::Bytes(written) }
    }

    /// Encrypts at most one record of the slices' bytes after the first `skip`.
    fn seal(&mut self, from: &[IoSlice<'_>], mut skip: usize) {
        self.gathered.clear();
        for slice in from {
            let rest = &slice[skip.min(slice.len())..];
            skip -= slice.len() - rest.len();
            let room = RECORD_BYTES - self.gathered.len();
            self.gathered.extend_from_slice(&rest[..rest.len().min(room)]);
        }
        if self.gathered.is_empty() {
            return;
        }
        if is_due(self.state.sending_nonce()) {
            self.state.rekey_outgoing();
        }
        self.sealed.resize(LENGTH_BYTES + self.gathered.len() + CHECK_BYTES, 0);
        let (length, record) = self.sealed.split_at_mut(LENGTH_BYTES);
        // It fails only for more than 65535 bytes, or after 2^64 records.
        let bytes =
            self.state.write_message(&self.gathered, record).expect("a record of the right length");
        length.copy_from_slice(&(bytes as u16).to_le_bytes());
        (self.sent, self.promised) = (0, self.gathered.len());
    }

    /// Sends the encrypted bytes; returns `Bytes` when all are sent.
    fn flush(&mut self, socket: BorrowedFd<'_>) -> Moved {
        while self.sent < self.sealed.len() {
            match socket::write_plain(socket, &[IoSlice::new(&self.sealed[self.sent..])]) {
                Moved::Bytes(bytes) => self.sent += bytes,
                stopped => return stopped,
            }
        }
        Moved::Bytes(self.sent)
    }

    /// Reads into `first`, then into `second`.
    pub fn read(&mut self, socket: impl AsFd, first: &mut [u8], second: &mut [u8]) -> Moved {
        let mut bytes = self.open_both(first, second);
        if bytes == 0 && !self.is_broken {
            match self.receive(socket.as_fd()) {
                Moved::Bytes(_) => bytes = self.open_both(first, second),
                stopped => return stopped,
            }
        }
        match bytes {
            0 if self.is_broken => Moved::Failed(CHANGED),
            0 => Moved::Nothing,
            _ => Moved::Bytes(bytes),
        }
    }

    /// Returns whether an incomplete record, or one that is not read yet, has arrived. If the
    /// connection ends then, it has been cut.
    pub fn holds_rest(&self) -> bool {
        self.opened < self.filled || self.taken < self.plain.len()
    }

    /// Returns whether bytes can be read without asking the socket.
    pub fn holds_more(&self) -> bool {
        self.is_broken || self.taken < self.plain.len() || self.next_record().is_some()
    }

    fn receive(&mut self, socket: BorrowedFd<'_>) -> Moved {
        self.received.copy_within(self.opened..self.filled, 0);
        (self.opened, self.filled) = (0, self.filled - self.opened);
        let moved = socket::read_plain(socket, &mut self.received[self.filled..]);
        self.filled += if let Moved::Bytes(bytes) = moved { bytes } else { 0 };
        moved
    }

    fn open_both(&mut self, first: &mut [u8], second: &mut [u8]) -> usize {
        let bytes = self.open(first);
        if bytes == first.len() { bytes + self.open(second) } else { bytes }
    }

    /// Decrypts received bytes into `into`, as many as fit.
    fn open(&mut self, into: &mut [u8]) -> usize {
        let mut filled = 0;
        loop {
            let kept = (self.plain.len() - self.taken).min(into.len() - filled);
            into[filled..filled + kept].copy_from_slice(&self.plain[self.taken..self.taken + kept]);
            self.taken += kept;
            filled += kept;
            if filled == into.len() || self.is_broken {
                return filled;
            }
            let Some(record) = self.next_record() else { return filled };
            let bytes = record.len().saturating_sub(CHECK_BYTES);
            self.opened = record.end;
            if is_due(self.state.receiving_nonce()) {
                self.state.rekey_incoming();
            }
            let sealed = &self.received[record];
            let straight = bytes <= into.len() - filled;
            let opened = if straight {
                self.state.read_message(sealed, &mut into[filled..])
            } else {
                (self.taken, self.plain) = (0, vec![0; bytes]);
                self.state.read_message(sealed, &mut self.plain)
            };
            match opened {
                Ok(bytes) if straight => filled += bytes,
                Ok(_) => {}
                Err(_) => {
                    self.is_broken = true;
                    self.plain.clear();
                    self.taken = 0;
                }
            }
        }
    }

    /// Returns the range of the next complete record in the received bytes, without its length. A
    /// record of an impossible length is empty and fails its authentication.
    fn next_record(&self) -> Option<Range<usize>> {
        let (length, rest) =
            self.received[self.opened..self.filled].split_first_chunk::<LENGTH_BYTES>()?;
        let start = self.opened + LENGTH_BYTES;
        let bytes = usize::from(u16::from_le_bytes(*length));
        match bytes {
            0..=SEALED_RECORD_BYTES => (bytes <= rest.len()).then_some(start..start + bytes),
            _ => Some(start..start),
        }
    }
}

/// Omits the keys, which must not appear in a log.
impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cipher(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{KEY_BYTES, KeyExchange};
    use proptest::prelude::*;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    const KEY: [u8; KEY_BYTES] = [7; KEY_BYTES];
    const CONTEXT: &str = "nemesis cipher, test, 1";

    /// Both ends of an encrypted connection, and the wire between them, which a test carries over.
    struct Line {
        sender: Box<Cipher>,
        receiver: Box<Cipher>,
        out: [UnixStream; 2],
        back: [UnixStream; 2],
    }

    impl Line {
        fn new() -> Line {
            let (exchange, message) = KeyExchange::connector(CONTEXT, &KEY, b"before").unwrap();
            let (receiver, answer) =
                KeyExchange::answer(CONTEXT, &KEY, b"before", &message).unwrap();
            let sender = exchange.finish(&answer).unwrap();
            let pair = || {
                let (one, other) = UnixStream::pair().unwrap();
                one.set_nonblocking(true).unwrap();
                other.set_nonblocking(true).unwrap();
                [one, other]
            };
            Line { sender, receiver, out: pair(), back: pair() }
        }

        /// Sends one record and returns its bytes on the wire.
        fn seal(&mut self, text: &[u8]) -> Vec<u8> {
            let written = self.sender.write(&self.out[0], &[IoSlice::new(text)]);
            assert_eq!(written, Moved::Bytes(text.len()));
            let mut wire = vec![0; text.len() + LENGTH_BYTES + CHECK_BYTES];
            self.out[1].read_exact(&mut wire).unwrap();
            wire
        }

        /// Gives bytes to the receiver; returns what it reads, and how its reading has ended.
        fn open(&mut self, wire: &[u8]) -> (Vec<u8>, Moved) {
            self.back[0].write_all(wire).unwrap();
            let (mut text, mut room) = (Vec::new(), [0; 64]);
            loop {
                match self.receiver.read(&self.back[1], &mut room, &mut []) {
                    Moved::Bytes(bytes) => text.extend_from_slice(&room[..bytes]),
                    stopped => return (text, stopped),
                }
            }
        }
    }

    #[test]
    fn records_arrive_and_cannot_be_read_on_the_wire() {
        let mut line = Line::new();
        let wire = line.seal(b"a secret");
        assert!(!wire.windows(8).any(|window| window == b"a secret"));
        assert_ne!(line.seal(b"a secret")[LENGTH_BYTES..], wire[LENGTH_BYTES..]);
        assert_eq!(line.open(&wire), (b"a secret".to_vec(), Moved::Nothing));
    }

    #[test]
    fn a_repeated_omitted_or_reordered_record_is_refused() {
        type Change = fn(&[Vec<u8>; 3]) -> Vec<u8>;
        let changes: [Change; 3] = [
            |[first, _, _]| [&first[..], first].concat(),
            |[first, _, third]| [&first[..], third].concat(),
            |[first, second, third]| [&first[..], third, second].concat(),
        ];
        for change in changes {
            let mut line = Line::new();
            let records = [&b"one"[..], b"two", b"three"].map(|text| line.seal(text));
            assert_eq!(line.open(&change(&records)), (b"one".to_vec(), Moved::Failed(CHANGED)));
            // Nothing is read after it.
            let later = line.seal(b"four");
            assert_eq!(line.open(&later), (Vec::new(), Moved::Failed(CHANGED)));
        }
    }

    #[test]
    fn a_record_of_another_connection_is_refused() {
        let (mut line, mut other) = (Line::new(), Line::new());
        let wire = other.seal(b"hello");
        assert_eq!(line.open(&wire), (Vec::new(), Moved::Failed(CHANGED)));
    }

    #[test]
    fn a_record_that_is_cut_is_not_read_and_seen_at_the_end() {
        let mut line = Line::new();
        let wire = [line.seal(b"whole"), line.seal(b"cut")].concat();
        assert_eq!(line.open(&wire[..wire.len() - 1]), (b"whole".to_vec(), Moved::Nothing));
        line.back[0].shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(line.receiver.read(&line.back[1], &mut [0; 9], &mut []), Moved::End);
        assert!(line.receiver.holds_rest());
    }

    #[test]
    fn ends_without_one_key_context_or_history_do_not_agree() {
        let (_, message) = KeyExchange::connector(CONTEXT, &KEY, b"before").unwrap();
        let others = [(CONTEXT, [8; KEY_BYTES], b"before"), ("another", KEY, b"before")];
        for (context, key, prologue) in others.into_iter().chain([(CONTEXT, KEY, b"behind")]) {
            assert!(KeyExchange::answer(context, &key, prologue, &message).is_none());
        }
    }

    proptest! {
        #[test]
        fn one_wrong_bit_anywhere_is_noticed(bit: usize, bytes in 1_usize..100) {
            let mut line = Line::new();
            let mut wire = [line.seal(&vec![5; bytes]), line.seal(b"the next")].concat();
            let length = wire.len() - LENGTH_BYTES - CHECK_BYTES - 8;
            wire[bit / 8 % length] ^= 1 << (bit % 8);
            let (text, stopped) = line.open(&wire);
            // A greater length makes the receiver wait for the rest.
            prop_assert!(stopped == Moved::Failed(CHANGED) || stopped == Moved::Nothing);
            prop_assert!(text.is_empty());
        }

        #[test]
        fn a_changed_key_exchange_makes_no_connection(bit in 0_usize..2 * 48 * 8) {
            let (exchange, mut message) = KeyExchange::connector(CONTEXT, &KEY, b"").unwrap();
            if let Some(byte) = message.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            let Some((_, mut answer)) = KeyExchange::answer(CONTEXT, &KEY, b"", &message) else {
                return Ok(());
            };
            if let Some(byte) = answer.get_mut((bit / 8).wrapping_sub(48)) {
                *byte ^= 1 << (bit % 8);
            }
            prop_assert!(exchange.finish(&answer).is_none());
        }
    }
}
