//! The first bytes of a connection between launchers: each end proves that it knows the job key before anything else is read.
//!
//! ```text
//!   agent  → above     greeting: magic (8), number of the agent (4), nonce (32)
//!   above  → agent     nonce (32), proof (32) = hash(key; "above", number, both nonces)
//!   agent  → above     proof (32) = hash(key; "agent", number, both nonces)
//! ```
//!
//! The hash is BLAKE3 with a key. Fresh nonces on both sides: nothing that was overheard is of use a second time, and neither proof is the other's.

use nemesis_wireup::JobKey;

pub const GREETING_BYTES: usize = 8 + 4 + NONCE_BYTES;
pub const ANSWER_BYTES: usize = NONCE_BYTES + PROOF_BYTES;
pub const PROOF_BYTES: usize = 32;
const NONCE_BYTES: usize = 32;
const MAGIC: &[u8; 8] = b"nemesis\x01";

type Nonce = [u8; NONCE_BYTES];

/// What both ends hash.
#[derive(Debug)]
struct Transcript {
    key: JobKey,
    number: u32,
    agent: Nonce,
    parent: Nonce,
}

impl Transcript {
    fn proof(&self, who: &[u8; 5]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(self.key.bytes());
        hasher
            .update(who)
            .update(&self.number.to_le_bytes())
            .update(&self.agent)
            .update(&self.parent);
        hasher.finalize()
    }

    /// Compares in constant time, as blake3's hashes do.
    fn is_proof(&self, who: &[u8; 5], candidate: &[u8; PROOF_BYTES]) -> bool {
        self.proof(who) == *candidate
    }
}

fn nonce() -> std::io::Result<Nonce> {
    Ok(*JobKey::random()?.bytes())
}

/// The agent's end.
pub struct Agent<'a> {
    key: &'a JobKey,
    number: u32,
    nonce: Nonce,
}

impl<'a> Agent<'a> {
    pub fn new(key: &'a JobKey, number: u32) -> std::io::Result<Agent<'a>> {
        Ok(Agent { key, number, nonce: nonce()? })
    }

    pub fn greeting(&self) -> [u8; GREETING_BYTES] {
        let mut greeting = [0; GREETING_BYTES];
        greeting[..8].copy_from_slice(MAGIC);
        greeting[8..12].copy_from_slice(&self.number.to_le_bytes());
        greeting[12..].copy_from_slice(&self.nonce);
        greeting
    }

    /// Our proof, if the other end has given its own.
    pub fn answer(&self, answer: &[u8; ANSWER_BYTES]) -> Option<[u8; PROOF_BYTES]> {
        let (parent, proof) = answer.split_first_chunk::<NONCE_BYTES>()?;
        let transcript = Transcript {
            key: self.key.clone(),
            number: self.number,
            agent: self.nonce,
            parent: *parent,
        };
        transcript
            .is_proof(b"above", proof.try_into().ok()?)
            .then(|| *transcript.proof(b"agent").as_bytes())
    }
}

/// The other end, after a greeting.
#[derive(Debug)]
pub struct Parent {
    transcript: Transcript,
}

impl Parent {
    /// Reads a greeting; `None` if it is none.
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

    pub fn answer(&self) -> [u8; ANSWER_BYTES] {
        let mut answer = [0; ANSWER_BYTES];
        answer[..NONCE_BYTES].copy_from_slice(&self.transcript.parent);
        answer[NONCE_BYTES..].copy_from_slice(self.transcript.proof(b"above").as_bytes());
        answer
    }

    /// The number of the agent, if it has given its proof.
    pub fn admits(&self, proof: &[u8; PROOF_BYTES]) -> Option<u32> {
        self.transcript.is_proof(b"agent", proof).then_some(self.transcript.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_ends_know_the_key() {
        let key = JobKey::random().unwrap();
        let agent = Agent::new(&key, 7).unwrap();
        let parent = Parent::from_greeting(&key, &agent.greeting()).unwrap().unwrap();
        let proof = agent.answer(&parent.answer()).unwrap();
        assert_eq!(parent.admits(&proof), Some(7));
        assert_eq!(parent.admits(&[0; PROOF_BYTES]), None);
    }

    #[test]
    fn whoever_does_not_know_it_learns_nothing_and_is_not_admitted() {
        let (key, other) = (JobKey::random().unwrap(), JobKey::random().unwrap());
        let agent = Agent::new(&other, 7).unwrap();
        let parent = Parent::from_greeting(&key, &agent.greeting()).unwrap().unwrap();
        assert_eq!(agent.answer(&parent.answer()), None);
        // A mirror sends our own proof back.
        let mirrored: [u8; PROOF_BYTES] = parent.answer()[NONCE_BYTES..].try_into().unwrap();
        assert_eq!(parent.admits(&mirrored), None);
        assert!(Parent::from_greeting(&key, &[0; GREETING_BYTES]).unwrap().is_none());
    }

    proptest! {
        #[test]
        fn one_wrong_bit_anywhere_admits_nobody(message in 0usize..3, bit: usize) {
            let key = JobKey::random().unwrap();
            let agent = Agent::new(&key, 7).unwrap();
            let flip = |bytes: &mut [u8]| bytes[bit / 8 % bytes.len()] ^= 1 << (bit % 8);
            let mut greeting = agent.greeting();
            if message == 0 {
                flip(&mut greeting);
            }
            let Some(parent) = Parent::from_greeting(&key, &greeting).unwrap() else { return Ok(()) };
            let mut answer = parent.answer();
            if message == 1 {
                flip(&mut answer);
            }
            let Some(mut proof) = agent.answer(&answer) else { return Ok(()) };
            flip(&mut proof);
            prop_assert_eq!(parent.admits(&proof), None);
        }

        #[test]
        fn nonsense_never_panics(greeting: [u8; 32], rest: [u8; GREETING_BYTES - 32], answer: [u8; 32], proof: [u8; 32]) {
            let key = JobKey::random().unwrap();
            let whole: [u8; GREETING_BYTES] = [&greeting[..], &rest[..]].concat().try_into().unwrap();
            prop_assert!(Parent::from_greeting(&key, &whole).unwrap().is_none_or(|parent| parent.admits(&proof).is_none()));
            let whole: [u8; ANSWER_BYTES] = [answer, proof].concat().try_into().unwrap();
            prop_assert_eq!(Agent::new(&key, 1).unwrap().answer(&whole), None);
        }
    }
}
