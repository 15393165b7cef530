//! Rows of a table that carry a range of lengths by force: how users write them.
//!
//! The point-to-point protocols and the algorithms of collectives use one syntax,
//! `name[:min-[max]]`, separated by commas.

/// A row of a table that carries a range of lengths, if it can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forced {
    /// The row's index in its table.
    pub row: usize,
    /// The shortest length of the range, in bytes.
    pub min_bytes: usize,
    /// The longest length of the range, in bytes.
    pub max_bytes: usize,
}

impl Forced {
    /// Returns whether a length belongs to the range.
    pub fn takes(&self, bytes: usize) -> bool {
        (self.min_bytes..=self.max_bytes).contains(&bytes)
    }
}

/// Parses `name[:min-[max]]`, separated by commas. `names` are the rows of a table, and `nothing`
/// begins the error for other names, as in "bcast has no algorithm".
///
/// # Errors
///
/// A sentence that names the part that is invalid, and lists the names.
///
/// # Examples
///
/// ```
/// use nemesis::forced::{Forced, parse};
///
/// let ring = Forced { row: 1, min_bytes: 4096, max_bytes: usize::MAX };
/// assert_eq!(parse("ring:4096-", "bcast has no algorithm", &["tree", "ring"]), Ok(vec![ring]));
/// ```
pub fn parse(text: &str, nothing: &str, names: &[&str]) -> Result<Vec<Forced>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| parse_one(part, nothing, names)).collect()
}

fn parse_one(part: &str, nothing: &str, names: &[&str]) -> Result<Forced, String> {
    let (name, lengths) = part.split_once(':').map_or((part, None), |(name, l)| (name, Some(l)));
    let row = names
        .iter()
        .position(|known| *known == name)
        .ok_or_else(|| format!("{nothing} called {name:?}; it has {}", names.join(", ")))?;
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
        let parse = |text| parse(text, "bcast has no algorithm", &["tree", "ring"]);
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
