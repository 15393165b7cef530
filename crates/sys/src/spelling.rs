//! The known name that a misspelt one is nearest to.

/// Returns the least of `known` by its distance from `word`, with that distance.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<(usize, &'a str)> {
    // A name of few letters is near to anything short.
    known
        .map(|known| (distance(word, known), known))
        .filter(|(distance, known)| *distance < known.len())
        .min_by_key(|(distance, _)| *distance)
}

/// Returns Levenshtein's distance: the number of insertions, deletions and changes of a letter that
/// make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_differ_are_counted() {
        assert_eq!(distance("sheet", "shift"), 2);
        assert_eq!(distance("", "net"), 3);
        assert_eq!(distance("lane", "lanes"), 1);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn the_nearest_name_shares_a_letter() {
        let known = ["CHECK", "CELLS", "GPU"];
        let nearest = |word: &str| nearest(word, known.into_iter());
        assert_eq!(nearest("CHECKS"), Some((1, "CHECK")));
        assert_eq!(nearest("CELL"), Some((1, "CELLS")));
        assert_eq!(nearest("XY"), None);
    }
}
