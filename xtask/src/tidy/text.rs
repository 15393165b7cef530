//! Rules about the text of a file, line by line.

use super::{Diagnostic, Source};
use std::path::Path;

/// Maximum number of lines of a file.
const FILE_MAX_LINES: usize = 900;
/// Maximum number of columns of any line, also of a table's row or a link, which may be longer than
/// the limit of `prose`.
const LINE_MAX_COLUMNS: usize = 160;

/// Folders in which files may allow `unsafe` code.
const UNSAFE_FOLDERS: &[&str] = &[
    "crates/sys/",
    "crates/sync/",
    "crates/params/",
    "crates/gpu/",
    "crates/shm/",
    "crates/netmod/",
    "crates/netmods/",
    "crates/datatype/",
    "crates/capi/",
    "crates/simulation/",
];

/// Endings of files that people write and read. Other files are data.
const WRITTEN: &[&str] = &["rs", "c", "h", "md", "toml", "f90", "py", "sh", "cff", "in", "yml"];

/// Words that mark unfinished work, each in two pieces, so that this file passes its own check.
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
    let mut diagnostics = Vec::new();
    if !source.is_generated() {
        let lines = source.text.lines().count();
        if lines > FILE_MAX_LINES {
            diagnostics.push(Diagnostic::new(
                path,
                0,
                format!("{lines} lines"),
                "divide it into modules",
            ));
        }
        diagnostics.extend(wide_lines(source));
    }
    if !source.text.is_empty() && !source.text.ends_with('\n') {
        diagnostics.push(Diagnostic::new(
            path,
            source.text.lines().count(),
            "the last line does not end with a newline",
            "add a newline",
        ));
    }
    for (line, text) in source.text.lines().enumerate() {
        diagnostics.extend(check_line(path, line + 1, text, root));
    }
    diagnostics
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
    let diagnostic = |what: String, mend| Some(Diagnostic::new(path, line, what, mend));
    if text.ends_with([' ', '\t']) {
        return diagnostic("blanks at the end of the line".into(), "remove them");
    }
    if let Some(word) = UNDONE.iter().find(|word| has_word(text, word)) {
        return diagnostic(
            format!("'{word}': unfinished work"),
            "finish it, or name it in api/missing.toml",
        );
    }
    if machine_paths(root).iter().any(|path| text.contains(path)) {
        return diagnostic(
            "a path that exists on one machine only".into(),
            "find it relative to the repository or to the file",
        );
    }
    if is_rust && text.contains(concat!("sync::", "atomic")) && !path.starts_with("crates/sync/") {
        return diagnostic("atomics outside crates/sync".into(), "use nemesis_sync");
    }
    if is_rust
        && text.contains(concat!("allow(unsafe", "_code)"))
        && !UNSAFE_FOLDERS.iter().any(|folder| path.starts_with(folder))
    {
        return diagnostic(
            "unsafe code in a crate that has none".into(),
            "put the unsafe operation behind a safe function of a lower crate",
        );
    }
    None
}

/// Returns true if `text` has `word` as a word of its own: FOO in "FOO: bar" and not in "FOOTNOTE".
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, found)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let ends_word =
            !found.ends_with(is_part) || !text[start + found.len()..].starts_with(is_part);
        !text[..start].ends_with(is_part) && ends_word
    })
}

/// Returns the folders of this checkout and of the user, which exist on no other machine.
fn machine_paths(root: &Path) -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let folders = [root.to_string_lossy().into_owned(), home];
    folders.into_iter().filter(|path| path.len() > 2).map(|path| format!("{path}/")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostics(path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.into(), text: text.into() };
        check(&source, Path::new("/somewhere/here"))
            .into_iter()
            .map(|diagnostic| diagnostic.what)
            .collect()
    }

    #[test]
    fn unfinished_work_is_found() {
        let line = format!("fn f() {{}} // {}: more\n", UNDONE[0]);
        assert_eq!(diagnostics("a.rs", &line).len(), 1);
        assert!(
            diagnostics("a.rs", &line.replace(UNDONE[0], &format!("{}S", UNDONE[0]))).is_empty(),
            "part of another word"
        );
        assert_eq!(diagnostics("a.rs", &format!("{}]\n", UNDONE[5])).len(), 1);
    }

    #[test]
    fn size_and_shape_are_checked() {
        assert_eq!(diagnostics("a.md", &"line\n".repeat(FILE_MAX_LINES + 1)).len(), 1);
        assert!(
            diagnostics(
                "a.c",
                &format!("// generated from x\n{}", "line\n".repeat(FILE_MAX_LINES))
            )
            .is_empty()
        );
        assert_eq!(
            diagnostics("a.md", &format!("{}\n", "ä".repeat(LINE_MAX_COLUMNS + 1))).len(),
            1
        );
        assert_eq!(diagnostics("a.md", "blank \n").len(), 1);
        assert_eq!(diagnostics("a.md", "no end").len(), 1);
        assert!(diagnostics("data.json", "no end").is_empty());
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        assert_eq!(diagnostics("a.md", "see /somewhere/here/x\n").len(), 1);
    }

    #[test]
    fn unsafe_code_and_atomics_stay_in_their_crates() {
        let opt_in = concat!("#![allow(unsafe", "_code)]\n");
        assert!(diagnostics("crates/shm/src/x.rs", opt_in).is_empty());
        assert_eq!(diagnostics("crates/mpi/src/x.rs", opt_in).len(), 1);
        let import = concat!("use std::sync::", "atomic::AtomicU32;\n");
        assert!(diagnostics("crates/sync/src/x.rs", import).is_empty());
        assert_eq!(diagnostics("crates/shm/src/x.rs", import).len(), 1);
    }
}
