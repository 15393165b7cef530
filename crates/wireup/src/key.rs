//! The job key: 256 random bits that only the processes of one job know.
//!
//! It proves, between two processes that have connected to each other, that they belong to one job.
//! It travels through the launcher: from `mpiexec` to its agents by the command that starts them
//! and over encrypted connections, to a rank by an inherited socket; under other launchers in their
//! key-value store.

use crate::hex;
use std::fmt;

/// Bytes of a job key.
pub const KEY_BYTES: usize = 32;

/// The job key.
///
/// # Examples
/// ```
/// use nemesis_wireup::JobKey;
///
/// let key = JobKey::random()?;
/// let same = JobKey::from_hex(&key.to_hex()).expect("64 digits");
/// assert!(key.matches(same.bytes()));
/// assert!(!key.matches(JobKey::random()?.bytes()));
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone)]
pub struct JobKey([u8; KEY_BYTES]);

impl JobKey {
    /// Makes a random key.
    ///
    /// # Errors
    /// If the kernel has no random numbers.
    pub fn random() -> Result<JobKey, std::io::Error> {
        let mut bytes = [0; KEY_BYTES];
        fill_random(&mut bytes)?;
        Ok(JobKey(bytes))
    }

    /// Reads a key in hexadecimal; `None` if `text` is not one.
    pub fn from_hex(text: &str) -> Option<JobKey> {
        Some(JobKey(hex::decode(text)?.try_into().ok()?))
    }

    /// Returns the key in hexadecimal.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Returns the bytes of the key.
    pub fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// Compares in constant time, so that the duration does not reveal how many bytes agree.
    pub fn matches(&self, candidate: &[u8]) -> bool {
        candidate.len() == KEY_BYTES
            && self
                .0
                .iter()
                .zip(candidate)
                .fold(0, |differing, (ours, theirs)| differing | (ours ^ theirs))
                == 0
    }
}

/// Omits the key, which must not appear in a log.
impl fmt::Debug for JobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JobKey(…)")
    }
}

/// Fills `bytes` with random bytes of the kernel.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), std::io::Error> {
    // getrandom(2) fills requests of up to 256 bytes completely.
    let filled = rustix::rand::getrandom(&mut *bytes, rustix::rand::GetRandomFlags::empty())?;
    if filled == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_matches_itself_only() {
        let key = JobKey::random().unwrap();
        let other = JobKey::random().unwrap();
        assert!(key.matches(JobKey::from_hex(&key.to_hex()).unwrap().bytes()));
        assert!(!key.matches(other.bytes()));
        assert!(!key.matches(&key.bytes()[..31]));
        assert!(JobKey::from_hex("00").is_none());
        assert!(!format!("{key:?}").contains(&key.to_hex()));
    }
}
