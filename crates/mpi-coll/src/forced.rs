//! Forced algorithms: by the environment, for all communicators, fixed when MPI starts; and by info
//! keys, for one communicator, fixed by its first blocking operation.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// The number of operations that choose among algorithms.
pub const OPERATIONS: usize = 10;

/// An algorithm that an operation uses for a range of lengths, if it can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forced {
    /// The algorithm's index in the operation's table.
    pub row: usize,
    /// The range of lengths, in bytes; both ends belong to it.
    pub min_bytes: usize,
    pub max_bytes: usize,
}

impl Forced {
    /// Returns whether a length belongs to the range.
    pub fn takes(&self, bytes: usize) -> bool {
        (self.min_bytes..=self.max_bytes).contains(&bytes)
    }
}

/// The forced algorithms of all operations.
pub type ForcedTable = [Vec<Forced>; OPERATIONS];

static FORCED: OnceLock<ForcedTable> = OnceLock::new();

/// Fixes the forced algorithms of all operations. Later calls have no effect.
pub fn fix(forced: ForcedTable) {
    FORCED.get_or_init(|| forced);
}

/// Returns the forced algorithms of an operation.
pub fn of(index: usize) -> &'static [Forced] {
    FORCED.get().map_or(&[], |all| &all[index])
}

/// Returns whether any algorithm is forced.
pub fn are_any() -> bool {
    FORCED.get().is_some_and(|all| all.iter().any(|forced| !forced.is_empty()))
}

/// Returns a number that tells whether two processes force equal algorithms: for all communicators,
/// and by the info of one. Different choices have one number only by an improbable accident.
pub fn digest(of_comm: Option<&ForcedTable>) -> u64 {
    let mut hasher = DefaultHasher::new();
    FORCED.get().hash(&mut hasher);
    of_comm.hash(&mut hasher);
    hasher.finish()
}

/// Parses `name[:min-[max]]`, separated by commas, where `names` are the algorithms of `operation`.
/// The error lists them.
pub fn parse(text: &str, operation: &str, names: &[&str]) -> Result<Vec<Forced>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| parse_one(part, operation, names)).collect()
}

fn parse_one(part: &str, operation: &str, names: &[&str]) -> Result<Forced, String> {
    let (name, lengths) = part.split_once(':').map_or((part, None), |(name, l)| (name, Some(l)));
    let row = names.iter().position(|known| *known == name).ok_or_else(|| {
        format!("{operation} has no algorithm called {name:?}; it has {}", names.join(", "))
    })?;
    let bad = || {
        format!("{part:?} has no range of lengths like 4096- or 0-1023, in bytes, behind the colon")
    };
    let (mut min_bytes, mut max_bytes) = (0, usize::MAX);
    if let Some(lengths) = lengths {
        let (min, max) = lengths.split_once('-').ok_or_else(bad)?;
        min_bytes = min.parse().map_err(|_| bad())?;
        if !max.is_empty() {
            max_bytes = max.parse().map_err(|_| bad())?;
        }
    }
    if min_bytes > max_bytes { Err(bad()) } else { Ok(Forced { row, min_bytes, max_bytes }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ranges_are_parsed_and_others_refused() {
        let parse = |text| parse(text, "bcast", &["tree", "ring"]);
        let all = Forced { row: 0, min_bytes: 0, max_bytes: usize::MAX };
        assert_eq!(parse("tree"), Ok(vec![all]));
        let ring = Forced { row: 1, min_bytes: 4096, max_bytes: usize::MAX };
        let tree = Forced { row: 0, min_bytes: 1, max_bytes: 9 };
        assert_eq!(parse("ring:4096-, tree:1-9"), Ok(vec![ring, tree]));
        assert_eq!(parse(""), Ok(vec![]));
        assert!(parse("star").is_err_and(|error| error.contains("it has tree, ring")));
        for bad in ["ring:", "ring:9", "ring:9-1", "ring:a-", "ring:1-b"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
