//! Words that an output must have.

/// Returns whether a line of `text` has `pattern`, in which `*` stands for any characters and `$`
/// at the end for the end of the line.
pub fn says(text: &str, pattern: &str) -> bool {
    text.lines().any(|line| line_says(line, pattern))
}

/// Returns the number of lines of `text` that have `pattern`.
pub fn count(text: &str, pattern: &str) -> usize {
    text.lines().filter(|line| line_says(line, pattern)).count()
}

fn line_says(line: &str, pattern: &str) -> bool {
    if let Some((before, last)) =
        pattern.strip_suffix('$').map(|all| all.rsplit_once('*').unwrap_or(("", all)))
    {
        return line.strip_suffix(last).is_some_and(|line| line_says(line, before));
    }
    let mut rest = line;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(place) => {
            rest = &rest[place + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_order_and_in_one_line() {
        assert!(says("a\nrank 1 on here: a message\n", "rank 1 on *: a mess"));
        assert!(!says("rank 1 on\nhere: a message\n", "rank 1 on *: a mess"));
        assert!(!says("b a", "a*b"));
        assert!(says("abc\nd", "a*c$") && says("abc", "abc$") && says("ab", "b$"));
        assert!(!says("abc", "a*b$") && !says("abc", "ab$") && !says("ac", "ac*c$"));
        assert_eq!(count("ab\nb\nacb\n", "a*b"), 2);
    }
}
