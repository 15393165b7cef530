//! The licences of the crates of others that the archive has and its programs contain, as one text.

use super::vendor;
use crate::commands::{self, Failure, at};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file, at the archive's root.
pub const FILE: &str = "THIRD-PARTY-LICENSES";

/// Words with which names of licences' files begin, in upper case.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A crate of others.
struct Package {
    name: String,
    version: String,
    /// An SPDX expression.
    license: String,
    /// Numbers of its texts.
    texts: BTreeSet<usize>,
}

/// Writes [`FILE`] at the root of `tree`, whose crates are in `tree/vendor`.
pub fn add(tree: &Path) -> Result<(), Failure> {
    let linked = linked(tree)?;
    let mut numbers = BTreeMap::new();
    let mut texts = Vec::new();
    let mut packages = Vec::new();
    for (name, version, license) in listed(tree)? {
        let folder = tree.join(format!("vendor/{name}-{version}"));
        let mut own = BTreeSet::new();
        for file in files(&folder)? {
            let bytes = fs::read(&file).map_err(at(&file))?;
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            let number = *numbers.entry(words(&text)).or_insert_with(|| {
                texts.push(text.trim_matches('\n').to_owned());
                texts.len()
            });
            own.insert(number);
        }
        packages.push(Package { name, version, license, texts: own });
    }
    commands::write(&tree.join(FILE), &document(&packages, &linked, &texts))
}

fn document(packages: &[Package], linked: &BTreeSet<String>, texts: &[String]) -> String {
    let mut document = String::from(
        "Licences of the crates of others\n================================\n\n\
         The folder vendor has crates that others wrote. A star marks those of which the\n\
         libraries and programs of Nemesis contain parts; the others are needed to build and\n\
         to test, or are empty because only other systems compile them. The numbers name the\n\
         texts that follow. A crate without a number comes without a text; its licence is the\n\
         named one.\n\
         Nemesis itself has the licence of the file LICENSE.\n\n",
    );
    for Package { name, version, license, texts } in packages {
        let star = if linked.contains(&format!("{name} {version}")) { '*' } else { ' ' };
        let numbers: Vec<String> = texts.iter().map(usize::to_string).collect();
        let numbers = numbers.join(", ");
        let line = format!("{star} {name} {version}: {license} [{numbers}]");
        document.push_str(line.trim_end_matches(" []"));
        document.push('\n');
    }
    for (index, text) in texts.iter().enumerate() {
        let number = index + 1;
        let _ = write!(document, "\n{}\nText {number}\n\n{text}\n", "-".repeat(80));
    }
    document
}

/// Returns name, version and licence of the crates of others in Cargo.lock, sorted.
fn listed(tree: &Path) -> Result<Vec<(String, String, String)>, Failure> {
    let mut packages: Vec<_> = crate::metadata::externals(tree)
        .into_iter()
        .map(|package| (package.name, package.version, package.license.unwrap_or_default()))
        .collect();
    packages.sort();
    match packages.iter().find(|(_, _, license)| license.is_empty()) {
        Some((name, version, _)) => Err(format!("{name} {version} names no licence")),
        None => Ok(packages),
    }
}

/// Returns the crates, as "name version", that libraries and programs contain.
fn linked(tree: &Path) -> Result<BTreeSet<String>, Failure> {
    let options = ["--exclude", "xtask", "--edges", "normal,no-proc-macro"];
    let crates = vendor::crates(tree, &options)?;
    Ok(crates.map(|(name, version)| format!("{name} {version}")).collect())
}

/// Returns the licences' files of a crate, sorted, with those of the fonts that it brings.
fn files(package: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for (folder, is_fonts) in [(package.to_owned(), false), (package.join("fonts"), true)] {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let path = entry.map_err(at(&folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            let is_license = NAMES.iter().any(|known| name.starts_with(known))
                || (is_fonts && name.ends_with(".TXT"));
            if is_license && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns a text's words with one space between, so that texts that differ in spaces are one.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_marks_linked_crates_and_numbers_texts() {
        let package = |name: &str, texts: &[usize]| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: "MIT".to_owned(),
            texts: texts.iter().copied().collect(),
        };
        let packages = [package("inside", &[1, 2]), package("tool", &[])];
        let linked = BTreeSet::from(["inside 1.0.0".to_owned()]);
        let text = document(&packages, &linked, &["first".to_owned(), "second".to_owned()]);
        assert!(text.contains("\n* inside 1.0.0: MIT [1, 2]\n  tool 1.0.0: MIT\n"), "{text}");
        assert!(text.contains("\nText 2\n\nsecond\n"), "{text}");
    }

    #[test]
    fn spaces_make_no_new_text() {
        assert_eq!(words("a  b\n\n c"), words("a b c\n"));
    }
}
