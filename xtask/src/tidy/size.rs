//! The repository holds no large files: measurements and other data belong elsewhere.

use super::Diagnostic;
use std::path::Path;

/// Maximum length of a file in bytes.
const FILE_MAX_BYTES: u64 = 256 << 10;

/// The folder whose files may be longer: the tables from which files are generated.
const TABLES: &str = "api/";

/// Checks the length of all files, text or not; `paths` begin at the repository's root.
pub fn check(paths: &[String], root: &Path) -> Vec<Diagnostic> {
    let length = |path: &String| std::fs::metadata(root.join(path)).ok().map(|file| file.len());
    let lengths = paths.iter().filter_map(|path| Some((path.as_str(), length(path)?)));
    lengths.filter_map(|(path, bytes)| check_length(path, bytes)).collect()
}

fn check_length(path: &str, bytes: u64) -> Option<Diagnostic> {
    let is_too_long = bytes > FILE_MAX_BYTES && !path.starts_with(TABLES);
    is_too_long.then(|| {
        let what = format!("{bytes} bytes, more than {} KiB", FILE_MAX_BYTES >> 10);
        Diagnostic::new(path, 0, what, "keep a part of it, or keep it outside the repository")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_may_be_large() {
        assert!(check_length("bench/records/a.json", FILE_MAX_BYTES).is_none());
        assert!(check_length("bench/records/a.json", FILE_MAX_BYTES + 1).is_some());
        assert!(check_length("api/functions.json", FILE_MAX_BYTES + 1).is_none());
    }
}
