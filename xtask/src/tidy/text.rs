//! Rules about the text of a file, line by line.

use super::{Diagnostic, Source};
use std::path::Path;

/// Lines that one head can hold; the ugliest place of many a good project is the file that grew past it.
const FILE_MAX_LINES: usize = 900;
/// Columns. Code is narrower (rustfmt.toml); prose may run over the edge a little.
const LINE_MAX_COLUMNS: usize = 160;

/// Where `unsafe` may be allowed, file by file: folders and files.
const UNSAFE_ROOMS: &[&str] = &[
    "crates/sys/",
    "crates/sync/",
    "crates/shm/",
    "crates/netmod/",
    "crates/netmods/",
    "crates/datatype/",
    "crates/capi/",
];

/// Endings of files that people write and read. The others are data.
const WRITTEN: &[&str] = &["rs", "c", "h", "md", "toml", "f90", "py", "sh", "cff", "in", "yml"];

/// Words for what is not done. They stand here in two pieces, or this file would not pass.
const UNDONE: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("#[ig", "nore"),
];

pub fn check(source: &Source, root: &Path) -> Vec<Diagnostic> {
    let path = source.path.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_written = name.rsplit_once('.').is_none_or(|(_, ending)| WRITTEN.contains(&ending))
        || path.starts_with("scripts/");
    if !is_written {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    if !source.is_generated() {
        let lines = source.text.lines().count();
        if lines > FILE_MAX_LINES {
            complaints.push(Diagnostic::new(
                path,
                0,
                format!("{lines} lines"),
                "divide it: a file is what one head can hold",
            ));
        }
        complaints.extend(wide_lines(source));
    }
    if !source.text.is_empty() && !source.text.ends_with('\n') {
        complaints.push(Diagnostic::new(
            path,
            source.text.lines().count(),
            "the last line has no end",
            "end it",
        ));
    }
    for (line, text) in source.text.lines().enumerate() {
        complaints.extend(check_line(path, line + 1, text, root));
    }
    complaints
}

fn wide_lines(source: &Source) -> impl Iterator<Item = Diagnostic> {
    let wide =
        source.text.lines().enumerate().filter(|(_, text)| text.chars().count() > LINE_MAX_COLUMNS);
    wide.map(|(line, text)| {
        Diagnostic::new(
            &source.path,
            line + 1,
            format!("{} columns", text.chars().count()),
            "break the line",
        )
    })
}

fn check_line(path: &str, line: usize, text: &str, root: &Path) -> Option<Diagnostic> {
    let is_rust = path.ends_with(".rs");
    let complain = |what: String, mend| Some(Diagnostic::new(path, line, what, mend));
    if text.ends_with([' ', '\t']) {
        return complain("blanks at the end of the line".into(), "remove them");
    }
    if let Some(word) = UNDONE.iter().find(|word| has_word(text, word)) {
        return complain(
            format!("'{word}': work that is not done"),
            "do it now, or list what is missing where the README lists it",
        );
    }
    if machine_paths(root).iter().any(|place| text.contains(place)) {
        return complain(
            "a path of one machine".into(),
            "find it relative to the repository or to the file",
        );
    }
    if is_rust && text.contains(concat!("sync::", "atomic")) && !path.starts_with("crates/sync/") {
        return complain("atomics have one name here".into(), "use nemesis_sync");
    }
    if is_rust
        && text.contains(concat!("allow(unsafe", "_code)"))
        && !UNSAFE_ROOMS.iter().any(|room| path.starts_with(room))
    {
        return complain(
            "this room is safe".into(),
            "put the unsafe operation behind a function of a room below",
        );
    }
    None
}

/// `word` as a word of its own: FOO in "FOO: bar" and not in "FOOTNOTE".
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, found)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let ends_word =
            !found.ends_with(is_part) || !text[start + found.len()..].starts_with(is_part);
        !text[..start].ends_with(is_part) && ends_word
    })
}

/// Where this checkout and the user's files lie: nothing that anybody else can use.
fn machine_paths(root: &Path) -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let places = [root.to_string_lossy().into_owned(), home];
    places.into_iter().filter(|place| place.len() > 2).map(|place| format!("{place}/")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.into(), text: text.into() };
        check(&source, Path::new("/somewhere/here"))
            .into_iter()
            .map(|diagnostic| diagnostic.what)
            .collect()
    }

    #[test]
    fn what_is_not_done_is_found() {
        let line = format!("fn f() {{}} // {}: more\n", UNDONE[0]);
        assert_eq!(complaints("a.rs", &line).len(), 1);
        assert!(
            complaints("a.rs", &line.replace(UNDONE[0], &format!("{}S", UNDONE[0]))).is_empty(),
            "part of another word"
        );
        assert_eq!(complaints("a.rs", &format!("{}]\n", UNDONE[5])).len(), 1);
    }

    #[test]
    fn size_and_shape_are_checked() {
        assert_eq!(complaints("a.md", &"line\n".repeat(FILE_MAX_LINES + 1)).len(), 1);
        assert!(
            complaints("a.c", &format!("// generated from x\n{}", "line\n".repeat(FILE_MAX_LINES)))
                .is_empty()
        );
        assert_eq!(complaints("a.md", &format!("{}\n", "ä".repeat(LINE_MAX_COLUMNS + 1))).len(), 1);
        assert_eq!(complaints("a.md", "blank \n").len(), 1);
        assert_eq!(complaints("a.md", "no end").len(), 1);
        assert!(complaints("data.json", "no end").is_empty());
    }

    #[test]
    fn places_of_one_machine_are_found() {
        assert_eq!(complaints("a.md", "see /somewhere/here/x\n").len(), 1);
    }

    #[test]
    fn rooms_keep_to_their_rights() {
        let opt_in = concat!("#![allow(unsafe", "_code)]\n");
        assert!(complaints("crates/shm/src/x.rs", opt_in).is_empty());
        assert_eq!(complaints("crates/mpi/src/x.rs", opt_in).len(), 1);
        let import = concat!("use std::sync::", "atomic::AtomicU32;\n");
        assert!(complaints("crates/sync/src/x.rs", import).is_empty());
        assert_eq!(complaints("crates/shm/src/x.rs", import).len(), 1);
    }
}
