//! The guests of a port until it accepts them.
//!
//! All guests prove themselves at the same time, so one that is silent delays no other. A guest
//! that has proved itself waits for its turn, and is told when it comes.
//!
//! ```text
//!   OPENING ──opening, challenge──> CHALLENGED ──proof──> PROVED ──welcome──> accepted
//!      └───────── wrong bytes, the end, or PROOF_TIMEOUT ─────┘: turned away
//! ```

use super::{
    CIPHER_CONTEXT, Challenge, Connection, HASH_BYTES, MAGIC, OPENING_BYTES, Opening, PROOF_BYTES,
    Purpose, SECRET_BYTES, WELCOME, keyed, of_other_build, own_build, prologue,
};
use crate::build::OtherBuild;
use crate::key::fill_random;
use nemesis_cipher::{Cipher, EXCHANGE_BYTES, KeyExchange};
use nemesis_sys::bell::{self, PollInterest};
use nemesis_sys::descriptors;
use rustix::io::Errno;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Time that a guest has to prove itself.
pub const PROOF_TIMEOUT: Duration = Duration::from_secs(5);
/// Most guests at a time. Further ones wait in the listener's queue until there is room: a guest is
/// accepted, or one makes room that has not proved itself within [`GRACE`].
pub const GUESTS_MAX: usize = 64;

/// Time that a guest has to prove itself while others wait for its place.
const GRACE: Duration = Duration::from_millis(250);

/// How far a guest has come.
#[derive(Debug)]
enum Stage {
    /// Its opening is awaited.
    Opening,
    /// It has been challenged, and its proof is awaited.
    Challenged { opening: Opening, challenge: Challenge },
    /// It waits to be accepted.
    Proved(Proved),
    /// It knows the secret, and is of another build.
    OtherBuild(OtherBuild),
}

/// A guest that has proved itself, and the host's message of the key exchange for it.
#[derive(Debug)]
struct Proved {
    purpose: Purpose,
    key: [u8; HASH_BYTES],
    cipher: Box<Cipher>,
    message: [u8; EXCHANGE_BYTES],
}

#[derive(Debug)]
struct Guest {
    stream: TcpStream,
    /// The end of its time to prove itself.
    deadline: Instant,
    stage: Stage,
    /// What it has sent in this stage: the first `have` bytes.
    bytes: [u8; OPENING_BYTES],
    have: usize,
}

impl Guest {
    fn new(stream: TcpStream) -> io::Result<Guest> {
        stream.set_nonblocking(true)?;
        super::tune(&stream);
        let deadline = Instant::now() + PROOF_TIMEOUT;
        Ok(Guest { stream, deadline, stage: Stage::Opening, bytes: [0; OPENING_BYTES], have: 0 })
    }

    fn is_proved(&self) -> bool {
        matches!(self.stage, Stage::Proved(_) | Stage::OtherBuild(_))
    }

    /// Reads what has arrived. Returns whether the first `most` bytes of the stage are complete.
    fn read(&mut self, most: usize) -> io::Result<bool> {
        while self.have < most {
            match self.stream.read(&mut self.bytes[self.have..most]) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.have += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        self.have = 0;
        Ok(true)
    }

    /// Goes on as far as what has arrived permits. An error turns the guest away.
    fn step(&mut self, secret: &[u8; SECRET_BYTES]) -> io::Result<()> {
        if matches!(self.stage, Stage::Opening) {
            let is_complete = self.read(OPENING_BYTES)?;
            let begun = if is_complete { OPENING_BYTES } else { self.have };
            // Another protocol may never send as many bytes as an opening has.
            if self.bytes[..begun].iter().zip(&MAGIC).any(|(byte, magic)| byte != magic) {
                return Err(ErrorKind::InvalidData.into());
            }
            if !is_complete {
                return Ok(());
            }
            let opening = Opening::decode(&self.bytes).ok_or(ErrorKind::InvalidData)?;
            let mut nonce = [0; HASH_BYTES];
            fill_random(&mut nonce)?;
            let challenge = Challenge { nonce, build: own_build() };
            let proof = keyed(secret, "host", &opening, &challenge);
            // These are the first bytes to it, and fit its socket.
            let answer = [&challenge.nonce[..], &challenge.build, proof.as_bytes()].concat();
            self.stream.write_all(&answer)?;
            self.stage = Stage::Challenged { opening, challenge };
        }
        if let Stage::Challenged { .. } = self.stage
            && self.read(PROOF_BYTES)?
            && let Stage::Challenged { opening, challenge } = &self.stage
        {
            let (theirs, message) = self.bytes[..PROOF_BYTES].split_at(HASH_BYTES);
            let theirs: [u8; HASH_BYTES] = theirs.try_into().expect("its length");
            // blake3 compares hashes in constant time.
            if keyed(secret, "guest", opening, challenge) != blake3::Hash::from_bytes(theirs) {
                return Err(ErrorKind::PermissionDenied.into());
            }
            let key = *keyed(secret, "key", opening, challenge).as_bytes();
            let message = message.try_into().expect("its length");
            let (cipher, message) =
                KeyExchange::answer(CIPHER_CONTEXT, &key, &prologue(opening, challenge), message)
                    .ok_or(ErrorKind::PermissionDenied)?;
            let purpose = opening.purpose;
            self.stage = match of_other_build(&self.stream, &opening.build, &challenge.build) {
                Some(other) => Stage::OtherBuild(other),
                None => Stage::Proved(Proved { purpose, key, cipher, message }),
            };
        }
        Ok(())
    }

    /// Tells the guest that it is accepted. Returns `None` if it has not proved itself or is gone.
    fn welcome(mut self) -> Option<Result<(Purpose, Connection), OtherBuild>> {
        let proved = match self.stage {
            Stage::Proved(proved) => proved,
            Stage::OtherBuild(other) => return Some(Err(other)),
            Stage::Opening | Stage::Challenged { .. } => return None,
        };
        // A guest says nothing before it is welcome.
        let waits = match self.stream.peek(&mut [0]) {
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
            Ok(_) => false,
        };
        if !waits {
            return None;
        }
        self.stream.set_nonblocking(false).ok()?;
        self.stream.write_all(&[&[WELCOME], &proved.message[..]].concat()).ok()?;
        let connection = Connection::new(self.stream, proved.key, proved.cipher);
        Some(Ok((proved.purpose, connection)))
    }
}

/// The guests of a port, in the order in which they came.
#[derive(Debug, Default)]
pub struct Guests(Vec<Guest>);

impl Guests {
    /// Continues with all guests, and turns those away that are wrong or late. What a guest has
    /// sent in time counts, also if nobody has looked at it since.
    pub fn advance(&mut self, secret: &[u8; SECRET_BYTES]) {
        let now = Instant::now();
        self.0.retain_mut(|guest| {
            guest.step(secret).is_ok() && (guest.is_proved() || now < guest.deadline)
        });
    }

    /// Accepts the guest that came first among those that have proved themselves. One of another
    /// build is an error.
    pub fn accept(&mut self) -> Option<Result<(Purpose, Connection), OtherBuild>> {
        loop {
            let place = self.0.iter().position(Guest::is_proved)?;
            if let Some(accepted) = self.0.remove(place).welcome() {
                return Some(accepted);
            }
        }
    }

    /// Waits at most `timeout` until a guest sends something or a further one comes.
    pub fn wait(&self, listener: &TcpListener, timeout: Duration) {
        let own = self.has_room().then(|| PollInterest::to_read(listener));
        let guests = self.0.iter().map(|guest| PollInterest::to_read(&guest.stream));
        bell::wait(&own.into_iter().chain(guests).collect::<Vec<_>>(), timeout.min(GRACE));
    }

    /// Returns whether there is a place for a further guest, or one that can be taken away.
    fn has_room(&self) -> bool {
        let limit = Instant::now() + (PROOF_TIMEOUT - GRACE);
        self.0.len() < GUESTS_MAX
            || self.0.iter().any(|guest| !guest.is_proved() && guest.deadline < limit)
    }

    /// Turns away the guest that has taken longest to prove itself. Returns false if all have.
    fn make_room(&mut self) -> bool {
        let oldest = self.0.iter().position(|guest| !guest.is_proved());
        oldest.map(|place| self.0.remove(place)).is_some()
    }

    /// Takes the connections that have come.
    ///
    /// # Errors
    ///
    /// The listener does not work any more.
    pub fn admit(&mut self, listener: &TcpListener) -> io::Result<()> {
        for _ in 0..GUESTS_MAX {
            if !self.has_room() {
                return Ok(());
            }
            match descriptors::retry_std(|| listener.accept()) {
                Ok((stream, _)) => {
                    if self.0.len() >= GUESTS_MAX {
                        self.make_room();
                    }
                    self.0.extend(Guest::new(stream));
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return Ok(()),
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => {}
                    _ if is_without_descriptor(&error) && self.make_room() => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}

fn is_without_descriptor(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}
