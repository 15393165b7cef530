//! The messages before the first frame: both ends prove that they know the job key, and which
//! processes they are.
//!
//! ```text
//!   connector                                     acceptor
//!   hello: magic, from, to, job,
//!          random nonce, channel,
//!          whether to encrypt             ──>     is this process addressed?
//!                                         <──     challenge: random nonce, proof as acceptor
//!   is the proof right?
//!   answer: proof as connector [, key]    ──>     is the proof right?
//!                                         <──     reply [, key]
//! ```
//!
//! A proof is a keyed hash (BLAKE3, keyed with the job key) of the role, both indices, the job and
//! both nonces. Between processes of two jobs, the key is that of their meeting, and each index
//! counts in the job of its process. Each end's nonce prevents a replay, and the role prevents a
//! reflection. Every message has a fixed length, so that an unauthenticated peer cannot decide how
//! much is read. Proofs are compared in constant time.
//!
//! An acceptor without a free descriptor sends `no_room` in place of its challenge and closes.
//!
//! The proofs authenticate the processes at the start of the connection. What follows is neither
//! secret nor protected against an attacker who can write into the connection, unless both ends
//! encrypt ([`nemesis_cipher`]): then the answer and a welcome carry a key each. If only one
//! end encrypts, both find out after they have authenticated each other, and the connection ends.

use std::io;

/// Context for deriving the key of encrypted connections from the job key, which proofs use, too.
pub(crate) const CIPHER_CONTEXT: &str = "nemesis tcp, key of encrypted connections, 1";

/// Bytes of a job key.
pub const KEY_BYTES: usize = 32;
/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 32;
/// Bytes of a proof.
pub const PROOF_BYTES: usize = 32;
/// First bytes of a hello: the protocol and its version.
pub const MAGIC: [u8; 8] = *b"NEMtcp\0\x03";

/// Number of channels of a lane: its rails, and connections of other modules.
pub const CHANNELS_OF_LANE: u8 = 16;

/// Highest channel that a hello can name: that of the fourth lane.
pub const CHANNEL_MAX: u8 = 4 * CHANNELS_OF_LANE - 1;

/// Bytes of a hello.
pub const HELLO_BYTES: usize = MAGIC.len() + 4 + 4 + 8 + NONCE_BYTES + 1;
/// Bytes of a challenge.
pub const CHALLENGE_BYTES: usize = NONCE_BYTES + PROOF_BYTES;
/// Bytes of an answer, without a key.
pub const ANSWER_BYTES: usize = PROOF_BYTES;
/// Bytes of a reply, without a key.
pub const REPLY_BYTES: usize = 1;

/// Random bytes that one end uses for one connection.
pub type Nonce = [u8; NONCE_BYTES];
/// The proof of one end.
pub type Proof = [u8; PROOF_BYTES];

/// The first message: which process connects to which.
///
/// # Examples
/// ```
/// use nemesis_netmod_tcp::handshake::{Hello, Role};
///
/// let key = [7; 32];
/// let hello = Hello { from: 0, to: 1, job: 9, nonce: [1; 32], channel: 0, encrypt: false };
/// assert_eq!(Hello::decode(&hello.encode()), Some(hello));
///
/// let nonce = [2; 32];
/// let proof = hello.proof(&key, Role::Acceptor, &nonce);
/// assert!(hello.is_proved(&key, Role::Acceptor, &nonce, &proof));
/// assert!(!hello.is_proved(&key, Role::Connector, &nonce, &proof), "no reflection");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Index of the connector in its job.
    pub from: u32,
    /// Index of the acceptor in its job.
    pub to: u32,
    /// Number of the connector's job ([`job_number`]).
    pub job: u64,
    /// Nonce of the connector.
    pub nonce: Nonce,
    /// Channel of the acceptor, whose channels may share a port.
    pub channel: u8,
    /// Whether to encrypt what follows the handshake.
    pub encrypt: bool,
}

/// The acceptor's last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandshakeReply {
    /// The connection is accepted.
    Welcome = 1,
    /// The acceptor's own attempt wins the crossed connect.
    MineWins = 2,
    /// The two processes are connected already.
    Already = 3,
    /// One of the two encrypts, and the other does not.
    Differs = 4,
}

/// The end of the connection that a proof belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The end that connects.
    Connector,
    /// The end that accepts.
    Acceptor,
}

impl Hello {
    /// Encodes the hello for the connection.
    pub fn encode(&self) -> [u8; HELLO_BYTES] {
        let mut bytes = [0; HELLO_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.from.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.to.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.job.to_le_bytes());
        bytes[24..HELLO_BYTES - 1].copy_from_slice(&self.nonce);
        bytes[HELLO_BYTES - 1] = self.channel << 1 | u8::from(self.encrypt);
        bytes
    }

    /// Returns whether a hello of this version can begin with these bytes. A connection that sends
    /// others need not be read to the length of a hello, which it may never reach: a hello of
    /// another version may be shorter.
    pub fn may_begin_with(bytes: &[u8]) -> bool {
        bytes.iter().zip(&MAGIC).all(|(byte, magic)| byte == magic)
    }

    /// Decodes a hello; `None` if the bytes belong to another protocol.
    pub fn decode(bytes: &[u8; HELLO_BYTES]) -> Option<Hello> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (from, rest) = rest.split_first_chunk::<4>()?;
        let (to, rest) = rest.split_first_chunk::<4>()?;
        let (job, rest) = rest.split_first_chunk::<8>()?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE_BYTES>()?;
        let &[last] = rest else { return None };
        let (from, to) = (u32::from_le_bytes(*from), u32::from_le_bytes(*to));
        let (job, channel, encrypt) = (u64::from_le_bytes(*job), last >> 1, last & 1 == 1);
        let hello = Hello { from, to, job, nonce: *nonce, channel, encrypt };
        (*magic == MAGIC && hello.channel <= CHANNEL_MAX).then_some(hello)
    }

    /// Returns the proof of `role`, given the acceptor's nonce.
    pub fn proof(&self, key: &[u8; KEY_BYTES], role: Role, listener: &Nonce) -> Proof {
        *self.hash(key, role, listener).as_bytes()
    }

    /// Returns whether `proof` is the proof of `role`, which only a process with the key can make.
    pub fn is_proved(
        &self,
        key: &[u8; KEY_BYTES],
        role: Role,
        listener: &Nonce,
        proof: &Proof,
    ) -> bool {
        // blake3 compares hashes in constant time.
        self.hash(key, role, listener) == blake3::Hash::from_bytes(*proof)
    }

    /// Returns the messages before the key exchange, which become part of the shared secret.
    pub fn prologue(&self, listener: &Nonce) -> Vec<u8> {
        [&self.encode()[..], listener].concat()
    }

    fn hash(&self, key: &[u8; KEY_BYTES], role: Role, listener: &Nonce) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(key);
        hasher.update(match role {
            Role::Connector => b"nemesis tcp, dialler ",
            Role::Acceptor => b"nemesis tcp, listener",
        });
        hasher.update(&self.encode());
        hasher.update(listener);
        hasher.finalize()
    }
}

impl HandshakeReply {
    /// Decodes a reply; `None` if the byte is not one.
    pub fn decode(byte: u8) -> Option<HandshakeReply> {
        [
            HandshakeReply::Welcome,
            HandshakeReply::MineWins,
            HandshakeReply::Already,
            HandshakeReply::Differs,
        ]
        .into_iter()
        .find(|&reply| reply as u8 == byte)
    }
}

/// Encodes the acceptor's answer to a hello.
pub fn challenge(nonce: &Nonce, proof: &Proof) -> [u8; CHALLENGE_BYTES] {
    let mut bytes = [0; CHALLENGE_BYTES];
    bytes[..NONCE_BYTES].copy_from_slice(nonce);
    bytes[NONCE_BYTES..].copy_from_slice(proof);
    bytes
}

/// First bytes of what an acceptor without a free descriptor sends in place of a challenge.
const NO_ROOM: [u8; 8] = *b"NEMfull\x01";

/// Encodes what an acceptor sends in place of a challenge that has no free descriptor, and may have
/// `most` of them. It is not authenticated: it tells the connector as little to rely on as the end
/// of the connection, which follows it.
pub fn no_room(most: u64) -> [u8; CHALLENGE_BYTES] {
    let mut bytes = [0; CHALLENGE_BYTES];
    bytes[..8].copy_from_slice(&NO_ROOM);
    bytes[8..16].copy_from_slice(&most.to_le_bytes());
    bytes
}

/// Returns the number of descriptors that an acceptor may have if a message in place of a challenge
/// says that it has no free one.
pub fn read_no_room(bytes: &[u8; CHALLENGE_BYTES]) -> Option<u64> {
    let (magic, rest) = bytes.split_first_chunk::<8>()?;
    let (most, _) = rest.split_first_chunk::<8>()?;
    (*magic == NO_ROOM).then(|| u64::from_le_bytes(*most))
}

/// Decodes the nonce and the proof of a challenge.
pub fn read_challenge(bytes: &[u8; CHALLENGE_BYTES]) -> (Nonce, Proof) {
    let (nonce, proof) = bytes.split_at(NONCE_BYTES);
    (nonce.try_into().expect("its length"), proof.try_into().expect("its length"))
}

/// Returns the number of the job with this key. It differs from job to job, and says nothing about
/// the key.
pub fn job_number(key: &[u8; KEY_BYTES]) -> u64 {
    let hash = blake3::Hasher::new_keyed(key).update(b"nemesis job number").finalize();
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"))
}

/// Returns random bytes of the kernel.
pub fn nonce() -> io::Result<Nonce> {
    let mut nonce = [0; NONCE_BYTES];
    // getrandom(2) fills requests of up to 256 bytes completely.
    let filled = rustix::rand::getrandom(&mut nonce, rustix::rand::GetRandomFlags::empty())?;
    if filled == NONCE_BYTES { Ok(nonce) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hello() -> Hello {
        Hello { from: 3, to: 7, job: 5, nonce: nonce().unwrap(), channel: 0, encrypt: false }
    }

    #[test]
    fn a_proof_is_valid_for_its_own_handshake_only() {
        let (key, hello, listener) = ([5; 32], hello(), nonce().unwrap());
        let proof = hello.proof(&key, Role::Connector, &listener);
        assert!(hello.is_proved(&key, Role::Connector, &listener, &proof));
        assert!(
            !hello.is_proved(&key, Role::Acceptor, &listener, &proof),
            "a reflection by the peer"
        );
        assert!(
            !hello.is_proved(&key, Role::Connector, &nonce().unwrap(), &proof),
            "a replay in another handshake"
        );
        assert!(
            !hello.is_proved(&[6; 32], Role::Connector, &listener, &proof),
            "made with another key"
        );
        let others = [
            Hello { from: 4, ..hello },
            Hello { to: 8, ..hello },
            Hello { job: 6, ..hello },
            Hello { nonce: nonce().unwrap(), ..hello },
            Hello { encrypt: true, ..hello },
            Hello { channel: 1, ..hello },
        ];
        for other in others {
            assert!(
                !other.is_proved(&key, Role::Connector, &listener, &proof),
                "a proof of another handshake"
            );
        }
    }

    proptest! {
        #[test]
        fn a_hello_survives_encoding(
            from: u32,
            to: u32,
            job: u64,
            nonce: [u8; 32],
            channel in 0..=CHANNEL_MAX,
            encrypt: bool,
        ) {
            let hello = Hello { from, to, job, nonce, channel, encrypt };
            prop_assert_eq!(Hello::decode(&hello.encode()), Some(hello));
        }

        #[test]
        fn bytes_of_other_protocols_are_not_a_hello(
            bytes in proptest::collection::vec(any::<u8>(), HELLO_BYTES),
        ) {
            let bytes: [u8; HELLO_BYTES] = bytes.try_into().unwrap();
            let is_hello = bytes[..8] == MAGIC && bytes[HELLO_BYTES - 1] < 32;
            prop_assert_eq!(Hello::decode(&bytes).is_some(), is_hello);
        }

        #[test]
        fn one_wrong_bit_spoils_a_proof(bit in 0usize..256) {
            let (key, hello, listener) = ([5; 32], hello(), nonce().unwrap());
            let mut proof = hello.proof(&key, Role::Acceptor, &listener);
            proof[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(!hello.is_proved(&key, Role::Acceptor, &listener, &proof));
        }
    }
}
