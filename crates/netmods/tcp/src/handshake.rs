//! What is said before the first frame: both ends prove that they know the job key, and who they are.
//!
//! ```text
//!   dialler                                       listener
//!   hello: magic, from, to, random nonce,
//!          rail, whether to encrypt       ──>     is it for me?
//!                                         <──     challenge: random nonce, proof as listener
//!   is the proof right?
//!   answer: proof as dialler [, key]      ──>     is the proof right?
//!                                         <──     verdict [, key]
//! ```
//!
//! A proof is a keyed hash (BLAKE3, key: the job key) of the role, both indices and both nonces. Each end's own nonce makes every proof
//! worthless a second time, and the role keeps one from being sent back as the other. Every message has a fixed length, so nothing that a
//! stranger says decides how much is read. Comparison takes the same time wherever the first difference is.
//!
//! What is proved is who is there when the connection begins. What follows is neither secret nor protected against somebody who can write into
//! the connection, unless both ends are told to encrypt ([`cipher`](crate::cipher)): then the answer and a welcome bring a key each. That only one end is
//! told so is found when both have proved themselves, and ends the acquaintance.

use std::io;

pub const KEY_BYTES: usize = 32;
pub const NONCE_BYTES: usize = 32;
pub const PROOF_BYTES: usize = 32;
pub const MAGIC: [u8; 8] = *b"NEMtcp\0\x02";

/// The last rail that a hello can name.
pub const RAIL_MAX: u8 = 15;

pub const HELLO_BYTES: usize = MAGIC.len() + 4 + 4 + NONCE_BYTES + 1;
pub const CHALLENGE_BYTES: usize = NONCE_BYTES + PROOF_BYTES;
pub const ANSWER_BYTES: usize = PROOF_BYTES;
pub const VERDICT_BYTES: usize = 1;

pub type Nonce = [u8; NONCE_BYTES];
pub type Proof = [u8; PROOF_BYTES];

/// The first message: who calls whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    pub from: u32,
    pub to: u32,
    pub nonce: Nonce,
    /// Which network of the listener's is meant: its rails may share a port.
    pub rail: u8,
    /// Whether what follows the handshake is to be encrypted.
    pub encrypt: bool,
}

/// The listener's last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The connection is taken.
    Welcome = 1,
    /// The listener is dialling too, and its connection will be the one.
    MineWins = 2,
    /// The two are connected already.
    Already = 3,
    /// One of the two is told to encrypt, and the other is not.
    Differs = 4,
}

/// Whose proof it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Dialler,
    Listener,
}

impl Hello {
    pub fn encode(&self) -> [u8; HELLO_BYTES] {
        let mut bytes = [0; HELLO_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.from.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.to.to_le_bytes());
        bytes[16..HELLO_BYTES - 1].copy_from_slice(&self.nonce);
        bytes[HELLO_BYTES - 1] = self.rail << 1 | u8::from(self.encrypt);
        bytes
    }

    /// The message, unless somebody else's protocol is spoken here.
    pub fn decode(bytes: &[u8; HELLO_BYTES]) -> Option<Hello> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (from, rest) = rest.split_first_chunk::<4>()?;
        let (to, rest) = rest.split_first_chunk::<4>()?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE_BYTES>()?;
        let &[way] = rest else { return None };
        let (from, to) = (u32::from_le_bytes(*from), u32::from_le_bytes(*to));
        let hello = Hello { from, to, nonce: *nonce, rail: way >> 1, encrypt: way & 1 == 1 };
        (*magic == MAGIC && hello.rail <= RAIL_MAX).then_some(hello)
    }

    /// What `role` proves itself by, once the listener's nonce is known.
    pub fn proof(&self, key: &[u8; KEY_BYTES], role: Role, listener: &Nonce) -> Proof {
        *self.hash(key, role, listener).as_bytes()
    }

    /// Whether `proof` is what only somebody who knows the key could say.
    pub fn is_proved(
        &self,
        key: &[u8; KEY_BYTES],
        role: Role,
        listener: &Nonce,
        proof: &Proof,
    ) -> bool {
        // Hashes compare in constant time.
        self.hash(key, role, listener) == blake3::Hash::from_bytes(*proof)
    }

    /// What the two have said before they make a key of their own: it becomes part of it.
    pub fn prologue(&self, listener: &Nonce) -> Vec<u8> {
        [&self.encode()[..], listener].concat()
    }

    fn hash(&self, key: &[u8; KEY_BYTES], role: Role, listener: &Nonce) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(key);
        hasher.update(match role {
            Role::Dialler => b"nemesis tcp, dialler ",
            Role::Listener => b"nemesis tcp, listener",
        });
        hasher.update(&self.encode());
        hasher.update(listener);
        hasher.finalize()
    }
}

impl Verdict {
    pub fn decode(byte: u8) -> Option<Verdict> {
        [Verdict::Welcome, Verdict::MineWins, Verdict::Already, Verdict::Differs]
            .into_iter()
            .find(|&verdict| verdict as u8 == byte)
    }
}

/// The listener's answer to a hello.
pub fn challenge(nonce: &Nonce, proof: &Proof) -> [u8; CHALLENGE_BYTES] {
    let mut bytes = [0; CHALLENGE_BYTES];
    bytes[..NONCE_BYTES].copy_from_slice(nonce);
    bytes[NONCE_BYTES..].copy_from_slice(proof);
    bytes
}

/// Nonce and proof of a challenge.
pub fn read_challenge(bytes: &[u8; CHALLENGE_BYTES]) -> (Nonce, Proof) {
    let (nonce, proof) = bytes.split_at(NONCE_BYTES);
    (nonce.try_into().expect("its length"), proof.try_into().expect("its length"))
}

/// A number that nobody can foresee.
pub fn nonce() -> io::Result<Nonce> {
    let mut nonce = [0; NONCE_BYTES];
    // Requests of up to 256 bytes are answered whole (getrandom(2)).
    let filled = rustix::rand::getrandom(&mut nonce, rustix::rand::GetRandomFlags::empty())?;
    if filled == NONCE_BYTES { Ok(nonce) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hello() -> Hello {
        Hello { from: 3, to: 7, nonce: nonce().unwrap(), rail: 0, encrypt: false }
    }

    #[test]
    fn a_proof_is_good_for_its_own_meeting_only() {
        let (key, hello, listener) = ([5; 32], hello(), nonce().unwrap());
        let proof = hello.proof(&key, Role::Dialler, &listener);
        assert!(hello.is_proved(&key, Role::Dialler, &listener, &proof));
        assert!(
            !hello.is_proved(&key, Role::Listener, &listener, &proof),
            "sent back by the other end"
        );
        assert!(
            !hello.is_proved(&key, Role::Dialler, &nonce().unwrap(), &proof),
            "said again in another meeting"
        );
        assert!(
            !hello.is_proved(&[6; 32], Role::Dialler, &listener, &proof),
            "made with another key"
        );
        let others = [
            Hello { from: 4, ..hello },
            Hello { to: 8, ..hello },
            Hello { nonce: nonce().unwrap(), ..hello },
            Hello { encrypt: true, ..hello },
            Hello { rail: 1, ..hello },
        ];
        for other in others {
            assert!(
                !other.is_proved(&key, Role::Dialler, &listener, &proof),
                "said of another meeting"
            );
        }
    }

    proptest! {
        #[test]
        fn a_hello_is_understood_as_it_was_meant(from: u32, to: u32, nonce: [u8; 32], rail in 0..=RAIL_MAX, encrypt: bool) {
            let hello = Hello { from, to, nonce, rail, encrypt };
            prop_assert_eq!(Hello::decode(&hello.encode()), Some(hello));
        }

        #[test]
        fn what_others_say_is_no_hello(bytes in proptest::collection::vec(any::<u8>(), HELLO_BYTES)) {
            let bytes: [u8; HELLO_BYTES] = bytes.try_into().unwrap();
            prop_assert_eq!(Hello::decode(&bytes).is_some(), bytes[..8] == MAGIC && bytes[HELLO_BYTES - 1] < 32);
        }

        #[test]
        fn one_wrong_bit_spoils_a_proof(bit in 0usize..256) {
            let (key, hello, listener) = ([5; 32], hello(), nonce().unwrap());
            let mut proof = hello.proof(&key, Role::Listener, &listener);
            proof[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(!hello.is_proved(&key, Role::Listener, &listener, &proof));
        }
    }
}
