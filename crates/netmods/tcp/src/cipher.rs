//! Encryption of one connection: the Noise protocol, pattern NNpsk0 (<https://noiseprotocol.org>),
//! by the crate `snow`.
//!
//! ```text
//!   connector                                       acceptor
//!   Opening: ephemeral key, psk ──────────>               } in the handshake's messages
//!           <───────────────────── its ephemeral key      } that prove the job key
//!   records: length (2 bytes), ciphertext, tag (16 bytes) <──> likewise
//! ```
//!
//! Only processes that know the job key can take part in the shared secret, and a later disclosure
//! of the job key does not decrypt recorded traffic (forward secrecy). The earlier messages of the
//! handshake are part of the secret (the *prologue*), so that they cannot have been changed. A
//! record that was changed, omitted, repeated or reordered fails its authentication, and the
//! connection ends with [`CHANGED`].
//!
//! **Writing.** Encrypted bytes must be sent. The cipher therefore keeps what the socket does not
//! take, and reports that nothing was written until all of it is through. The caller offers the
//! same bytes again, as it does when a socket is full. **Reading.** A record may hold more bytes
//! than were asked for: [`holds_more`](Cipher::holds_more) returns whether there are bytes to read
//! that no descriptor announces.

use crate::socket::{self, Moved};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use snow::{Builder, HandshakeState, TransportState};
use std::io::IoSlice;
use std::ops::Range;

/// Bytes of each of the two messages of the key exchange: a public key and a tag.
pub const OPENING_BYTES: usize = 48;
/// The error for a record that fails its authentication.
pub const CHANGED: Errno = Errno::BADMSG;

const PROTOCOL: &str = "Noise_NNpsk0_25519_AESGCM_BLAKE2s";
/// Context for deriving the key from the job key, which other proofs use, too.
const CONTEXT: &str = "nemesis tcp, key of encrypted connections, 1";
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

/// One end of the key exchange.
pub struct Opening(Box<HandshakeState>);

impl Opening {
    /// Starts the connector's end and returns its message. `prologue`: the earlier messages of the
    /// handshake.
    pub fn connector(
        job_key: &[u8; 32],
        prologue: &[u8],
    ) -> Option<(Opening, [u8; OPENING_BYTES])> {
        let psk = blake3::derive_key(CONTEXT, job_key);
        let mut state =
            builder()?.psk(0, &psk).ok()?.prologue(prologue).ok()?.build_initiator().ok()?;
        let mut message = [0; OPENING_BYTES];
        let written = state.write_message(&[], &mut message).ok()?;
        (written == OPENING_BYTES).then(|| (Opening(Box::new(state)), message))
    }

    /// Returns the cipher if the acceptor's message is valid.
    pub fn finish(mut self, message: &[u8; OPENING_BYTES]) -> Option<Box<Cipher>> {
        self.0.read_message(message, &mut []).ok()?;
        Cipher::new(*self.0)
    }

    /// Returns the acceptor's cipher and its message if the connector's message is valid.
    pub fn answer(
        job_key: &[u8; 32],
        prologue: &[u8],
        message: &[u8; OPENING_BYTES],
    ) -> Option<(Box<Cipher>, [u8; OPENING_BYTES])> {
        let psk = blake3::derive_key(CONTEXT, job_key);
        let mut state =
            builder()?.psk(0, &psk).ok()?.prologue(prologue).ok()?.build_responder().ok()?;
        state.read_message(message, &mut []).ok()?;
        let mut answer = [0; OPENING_BYTES];
        let written = state.write_message(&[], &mut answer).ok()?;
        (written == OPENING_BYTES).then_some(())?;
        Some((Cipher::new(state)?, answer))
    }
}

fn builder<'a>() -> Option<Builder<'a>> {
    Some(Builder::new(PROTOCOL.parse().ok()?))
}

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
    fn new(state: HandshakeState) -> Option<Box<Cipher>> {
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
    pub fn write(&mut self, socket: &OwnedFd, from: &[IoSlice<'_>]) -> Moved {
        let mut written = 0;
        for _ in 0..BURST {
            if self.promised == 0 {
                self.seal(from, written);
            }
            if self.promised == 0 {
                break;
            }
            match self.flush(socket) {
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
    fn flush(&mut self, socket: &OwnedFd) -> Moved {
        while self.sent < self.sealed.len() {
            match socket::write_plain(socket, &[IoSlice::new(&self.sealed[self.sent..])]) {
                Moved::Bytes(bytes) => self.sent += bytes,
                stopped => return stopped,
            }
        }
        Moved::Bytes(self.sent)
    }

    /// Reads into `first`, then into `second`.
    pub fn read(&mut self, socket: &OwnedFd, first: &mut [u8], second: &mut [u8]) -> Moved {
        let mut bytes = self.open_both(first, second);
        if bytes == 0 && !self.is_broken {
            match self.receive(socket) {
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

    /// Returns whether bytes can be read without asking the socket.
    pub fn holds_more(&self) -> bool {
        self.is_broken || self.taken < self.plain.len() || self.next_record().is_some()
    }

    fn receive(&mut self, socket: &OwnedFd) -> Moved {
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
