//! The handshake of a connection between launchers: each end proves that it knows the job key
//! before anything else is read, and both agree on the keys that encrypt what follows.
//!
//! ```text
//!   agent  → parent    greeting: magic (8), number of the agent (4), nonce (32)
//!   parent → agent     nonce (32), proof (32) = hash(key; "above", number, both nonces)
//!   agent  → parent    proof (32) = hash(key; "agent", number, both nonces), key exchange (48)
//!   parent → agent     key exchange (48)
//! ```
//!
//! The hash is keyed BLAKE3. Both ends draw a fresh nonce, so a recorded handshake cannot be
//! replayed. The role in the hash makes the two proofs differ, so a proof cannot be mirrored. The
//! key exchange is that of [`nemesis_cipher`]; greeting and answer are its prologue.

use nemesis_cipher::{Cipher, EXCHANGE_BYTES, KeyExchange};
use nemesis_wireup::JobKey;

/// Bytes of a greeting.
pub const GREETING_BYTES: usize = 8 + 4 + NONCE_BYTES;
/// Bytes of the parent's answer.
pub const ANSWER_BYTES: usize = NONCE_BYTES + PROOF_BYTES;
/// Bytes of a proof.
const PROOF_BYTES: usize = 32;
/// Bytes of the agent's proof and its message of the key exchange.
pub const CONFIRMATION_BYTES: usize = PROOF_BYTES + EXCHANGE_BYTES;
/// Bytes of a nonce.
const NONCE_BYTES: usize = 32;
/// The first bytes of a greeting, with the version of the handshake.
const MAGIC: &[u8; 8] = b"nemesis\x02";

/// Context for deriving the key of encrypted connections from the job key, which the proofs use,
/// too.
const CIPHER_CONTEXT: &str = "nemesis mpiexec, key of encrypted connections, 1";

type Nonce = [u8; NONCE_BYTES];

/// The data that both ends hash.
#[derive(Debug)]
struct Transcript {
    key: JobKey,
    number: u32,
    agent: Nonce,
    parent: Nonce,
}

impl Transcript {
    /// Returns the proof of the end with this role.
    fn proof(&self, role: &[u8; 5]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(self.key.bytes());
        hasher
            .update(role)
            .update(&self.number.to_le_bytes())
            .update(&self.agent)
            .update(&self.parent);
        hasher.finalize()
    }

    /// Returns what both ends have said before the key exchange.
    fn prologue(&self) -> Vec<u8> {
        [MAGIC, &self.number.to_le_bytes()[..], &self.agent, &self.parent].concat()
    }

    /// Compares in constant time, as `blake3::Hash` does.
    fn is_proof(&self, role: &[u8; 5], candidate: &[u8; PROOF_BYTES]) -> bool {
        self.proof(role) == *candidate
    }
}

/// Draws a nonce.
fn nonce() -> std::io::Result<Nonce> {
    Ok(*JobKey::random()?.bytes())
}

/// The agent's end of a handshake.
pub struct Agent<'a> {
    key: &'a JobKey,
    number: u32,
    nonce: Nonce,
}

impl<'a> Agent<'a> {
    /// Begins a handshake of agent `number`.
    pub fn new(key: &'a JobKey, number: u32) -> std::io::Result<Agent<'a>> {
        Ok(Agent { key, number, nonce: nonce()? })
    }

    /// Returns the greeting.
    pub fn greeting(&self) -> [u8; GREETING_BYTES] {
        let mut greeting = [0; GREETING_BYTES];
        greeting[..8].copy_from_slice(MAGIC);
        greeting[8..12].copy_from_slice(&self.number.to_le_bytes());
        greeting[12..].copy_from_slice(&self.nonce);
        greeting
    }

    /// Returns the agent's proof with its part of the key exchange, and the key exchange, if the
    /// parent's answer proves that it knows the key.
    pub fn answer(
        &self,
        answer: &[u8; ANSWER_BYTES],
    ) -> Option<([u8; CONFIRMATION_BYTES], KeyExchange)> {
        let (parent, proof) = answer.split_first_chunk::<NONCE_BYTES>()?;
        let transcript = Transcript {
            key: self.key.clone(),
            number: self.number,
            agent: self.nonce,
            parent: *parent,
        };
        if !transcript.is_proof(b"above", proof.try_into().ok()?) {
            return None;
        }
        let (exchange, message) =
            KeyExchange::connector(CIPHER_CONTEXT, self.key.bytes(), &transcript.prologue())?;
        let mut confirmation = [0; CONFIRMATION_BYTES];
        confirmation[..PROOF_BYTES].copy_from_slice(transcript.proof(b"agent").as_bytes());
        confirmation[PROOF_BYTES..].copy_from_slice(&message);
        Some((confirmation, exchange))
    }
}

/// An agent that has proved itself.
#[derive(Debug)]
pub struct Admitted {
    pub number: u32,
    pub cipher: Box<Cipher>,
    /// The parent's part of the key exchange, which the agent waits for.
    pub message: [u8; EXCHANGE_BYTES],
}

/// The parent's end of a handshake, after the greeting.
#[derive(Debug)]
pub struct Parent {
    transcript: Transcript,
}

impl Parent {
    /// Returns whether a greeting can begin with these bytes.
    pub fn may_begin_with(bytes: &[u8]) -> bool {
        bytes.iter().zip(MAGIC).all(|(byte, magic)| byte == magic)
    }

    /// Reads a greeting. Returns `None` if the magic number is wrong.
    pub fn from_greeting(
        key: &JobKey,
        greeting: &[u8; GREETING_BYTES],
    ) -> std::io::Result<Option<Parent>> {
        let (magic, rest) = greeting.split_at(8);
        let (number, agent) = rest.split_at(4);
        let (Ok(number), Ok(agent)) = (number.try_into(), agent.try_into()) else {
            return Ok(None);
        };
        let transcript = Transcript {
            key: key.clone(),
            number: u32::from_le_bytes(number),
            agent,
            parent: nonce()?,
        };
        Ok((magic == MAGIC).then_some(Parent { transcript }))
    }

    /// Returns the answer to the greeting.
    pub fn answer(&self) -> [u8; ANSWER_BYTES] {
        let mut answer = [0; ANSWER_BYTES];
        answer[..NONCE_BYTES].copy_from_slice(&self.transcript.parent);
        answer[NONCE_BYTES..].copy_from_slice(self.transcript.proof(b"above").as_bytes());
        answer
    }

    /// Returns the agent if its proof and its part of the key exchange are right.
    pub fn admits(&self, confirmation: &[u8; CONFIRMATION_BYTES]) -> Option<Admitted> {
        let (proof, message) = confirmation.split_first_chunk::<PROOF_BYTES>()?;
        let Transcript { key, number, .. } = &self.transcript;
        if !self.transcript.is_proof(b"agent", proof) {
            return None;
        }
        let prologue = self.transcript.prologue();
        let (cipher, message) =
            KeyExchange::answer(CIPHER_CONTEXT, key.bytes(), &prologue, message.try_into().ok()?)?;
        Some(Admitted { number: *number, cipher, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ends_that_know_the_key_accept_each_other() {
        let key = JobKey::random().unwrap();
        let agent = Agent::new(&key, 7).unwrap();
        let parent = Parent::from_greeting(&key, &agent.greeting()).unwrap().unwrap();
        let (proof, exchange) = agent.answer(&parent.answer()).unwrap();
        let admitted = parent.admits(&proof).unwrap();
        assert_eq!(admitted.number, 7);
        assert!(exchange.finish(&admitted.message).is_some());
        assert!(parent.admits(&[0; CONFIRMATION_BYTES]).is_none());
    }

    #[test]
    fn an_end_without_the_key_gets_no_proof_and_is_not_admitted() {
        let (key, other) = (JobKey::random().unwrap(), JobKey::random().unwrap());
        let agent = Agent::new(&other, 7).unwrap();
        let parent = Parent::from_greeting(&key, &agent.greeting()).unwrap().unwrap();
        assert!(agent.answer(&parent.answer()).is_none());
        // A mirrored proof is the parent's own.
        let mut mirrored = [0; CONFIRMATION_BYTES];
        mirrored[..PROOF_BYTES].copy_from_slice(&parent.answer()[NONCE_BYTES..]);
        assert!(parent.admits(&mirrored).is_none());
        assert!(Parent::from_greeting(&key, &[0; GREETING_BYTES]).unwrap().is_none());
    }

    proptest! {
        #[test]
        fn one_wrong_bit_anywhere_fails_the_handshake(message in 0usize..4, bit: usize) {
            let key = JobKey::random().unwrap();
            let agent = Agent::new(&key, 7).unwrap();
            let flip = |bytes: &mut [u8]| bytes[bit / 8 % bytes.len()] ^= 1 << (bit % 8);
            let mut greeting = agent.greeting();
            if message == 0 {
                flip(&mut greeting);
            }
            let parent = Parent::from_greeting(&key, &greeting).unwrap();
            let Some(parent) = parent else { return Ok(()) };
            let mut answer = parent.answer();
            if message == 1 {
                flip(&mut answer);
            }
            let Some((mut confirmation, exchange)) = agent.answer(&answer) else { return Ok(()) };
            if message == 2 {
                flip(&mut confirmation);
            }
            let Some(mut admitted) = parent.admits(&confirmation) else { return Ok(()) };
            prop_assert_eq!(message, 3);
            flip(&mut admitted.message);
            prop_assert!(exchange.finish(&admitted.message).is_none());
        }

        #[test]
        fn random_bytes_are_never_a_proof(
            greeting: [u8; 32],
            rest: [u8; GREETING_BYTES - 32],
            answer: [u8; 32],
            proof: [u8; 32],
            exchange: [u8; 32],
        ) {
            let key = JobKey::random().unwrap();
            let whole = [&greeting[..], &rest[..]].concat();
            let whole: [u8; GREETING_BYTES] = whole.try_into().unwrap();
            let parent = Parent::from_greeting(&key, &whole).unwrap();
            let confirmation = [&proof[..], &exchange, &exchange[..16]].concat();
            let confirmation = confirmation.try_into().unwrap();
            prop_assert!(parent.is_none_or(|parent| parent.admits(&confirmation).is_none()));
            let whole: [u8; ANSWER_BYTES] = [answer, proof].concat().try_into().unwrap();
            prop_assert!(Agent::new(&key, 1).unwrap().answer(&whole).is_none());
        }
    }
}
