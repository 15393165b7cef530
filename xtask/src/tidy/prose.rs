//! Rules about prose: the patterns and words that docs/STYLE.md asks to avoid, and the width of
//! lines.

use super::{Diagnostic, Source};

/// Columns of a line, in code and in prose.
const LINE_MAX_COLUMNS: usize = 100;

/// Files that name the patterns because they define them.
const DEFINITIONS: &[&str] = &["xtask/src/tidy/prose.rs", "docs/STYLE.md", "docs/glossary.md"];

/// Patterns in comments and documents, in lower case.
const PATTERNS: &[&str] = &[
    "/// the same",
    "//! the same",
    "as it mostly",
    "so many bytes",
    "so many lines",
    "so many processes",
    "of so many",
    "in vain",
    "had better",
    "furnish",
    "who is alone",
    "of which nobody",
];

/// Private words for which the field has a term (docs/glossary.md), in lower case.
const PRIVATE_WORDS: &[&str] = &[
    "attendant",
    "board",
    "boards",
    "complaint",
    "complaints",
    "crowd",
    "crowded",
    "crowds",
    "errand",
    "errands",
    "favourite",
    "ferry",
    "floors",
    "furnished",
    "house",
    "lounge",
    "meeters",
    "outlet",
    "plea",
    "rollcall",
    "seat",
    "seats",
    "shuttle",
    "shuttles",
    "speaker",
    "traded",
    "uplink",
];

/// Checks the prose of all sources.
pub fn check(sources: &[Source]) -> Vec<Diagnostic> {
    sources.iter().filter(|source| is_checked(source)).flat_map(check_source).collect()
}

fn is_checked(source: &Source) -> bool {
    let path = source.path.as_str();
    let written = [".rs", ".c", ".h", ".md"].iter().any(|ending| path.ends_with(ending));
    (written || path.starts_with("scripts/"))
        && !source.is_generated()
        && !DEFINITIONS.contains(&path)
}

fn check_source(source: &Source) -> Vec<Diagnostic> {
    let is_document = source.path.ends_with(".md");
    let lines = source.text.lines().enumerate();
    lines
        .filter_map(|(index, text)| check_line(&source.path, index + 1, text, is_document))
        .collect()
}

fn check_line(path: &str, line: usize, text: &str, is_document: bool) -> Option<Diagnostic> {
    let columns = text.chars().count();
    // A table's row, a link, and what a program prints cannot be broken.
    let is_literal = is_document && text.starts_with("    ");
    let is_breakable = !(text.starts_with('|') || text.contains("://") || is_literal);
    if columns > LINE_MAX_COLUMNS && is_breakable {
        return Some(Diagnostic::new(path, line, format!("{columns} columns"), "break the line"));
    }
    let prose = match is_document {
        true => text,
        false => comment(text)?,
    };
    let prose = prose.to_lowercase();
    if let Some(pattern) = PATTERNS.iter().find(|pattern| prose.contains(**pattern)) {
        let what = format!("'{pattern}'");
        return Some(Diagnostic::new(path, line, what, "say it as docs/STYLE.md asks"));
    }
    let word = prose
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .find(|word| PRIVATE_WORDS.contains(word))?;
    let what = format!("'{word}' is a private word");
    Some(Diagnostic::new(path, line, what, "use the field's term (docs/glossary.md)"))
}

/// The part of a line of code from where its comment begins.
fn comment(text: &str) -> Option<&str> {
    let trimmed = text.trim_start();
    let begins = ["//", "/*", "*", "#"].iter().any(|mark| trimmed.starts_with(mark));
    if begins { Some(trimmed) } else { text.find("// ").map(|at| &text[at..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.into(), text: text.into() };
        check(&[source]).into_iter().map(|diagnostic| diagnostic.what).collect()
    }

    #[test]
    fn patterns_and_words_are_found_in_comments_and_documents_only() {
        assert_eq!(found("a.rs", "/// The same for rows.\nfn f() {}\n").len(), 1);
        assert_eq!(found("a.rs", "fn f() {} // waits in vain\n").len(), 1);
        assert_eq!(found("a.md", "The shuttle of a pair.\n").len(), 1);
        assert!(found("a.rs", "let crowd = \"in vain\";\n").is_empty());
        assert!(found("a.md", "overcrowding\n").is_empty());
    }

    #[test]
    fn wide_lines_are_found_but_for_tables_and_links() {
        let wide = "x".repeat(LINE_MAX_COLUMNS + 1);
        assert_eq!(found("a.md", &format!("{wide}\n")).len(), 1);
        assert!(found("a.md", &format!("|{wide}\n")).is_empty());
        assert!(found("a.md", &format!("    {wide}\n")).is_empty());
        assert!(found("a.rs", &format!("// https://{wide}\n")).is_empty());
    }
}
