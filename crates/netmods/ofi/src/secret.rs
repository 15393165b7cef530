//! Numbers that strangers do not guess.

/// Returns a random number that is not 0.
pub fn token() -> Result<u64, String> {
    let bytes: [u8; 8] = random()?;
    Ok(u64::from_le_bytes(bytes).max(1))
}

/// Returns random bytes of the kernel.
fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    // getrandom(2) fills requests of up to 256 bytes completely.
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(filled) if filled == N => Ok(bytes),
        Ok(filled) => Err(format!("the kernel returned {filled} of {N} random bytes")),
        Err(errno) => Err(format!("random bytes: {errno}")),
    }
}

/// The tags of bulk payloads: numbers that do not repeat soon, by a keyed hash.
pub struct Tags {
    key: [u8; 32],
    next: u64,
    mask: u64,
}

impl Tags {
    /// Makes a generator of tags within a provider's tag format, whose highest bit tells the number
    /// of bits that it compares.
    pub fn new(format: u64) -> Result<Tags, String> {
        let key = random()?;
        let mask = if format == 0 { u64::MAX } else { u64::MAX >> format.leading_zeros() };
        Ok(Tags { key, next: 0, mask })
    }

    /// Returns the next tag.
    pub fn next(&mut self) -> u64 {
        self.next += 1;
        let hash = blake3::keyed_hash(&self.key, &self.next.to_le_bytes());
        u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes")) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_fit_the_format_and_differ() {
        let mut tags = Tags::new(0xAAAA_AAAA_AAAA).unwrap();
        let mut seen: Vec<u64> = (0..1000).map(|_| tags.next()).collect();
        assert!(seen.iter().all(|tag| tag >> 48 == 0));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1000);
        assert_ne!(token().unwrap(), token().unwrap());
    }
}
