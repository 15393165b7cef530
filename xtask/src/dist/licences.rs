//! The licences of the crates of others that the archive has and the programs contain, as one text.

use super::vendor;
use crate::commands::{self, Failure, at};
use crate::metadata::{self, External};
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
    /// Whether programs contain parts of it, in a list that has others, too.
    is_marked: bool,
    /// Numbers of its texts.
    texts: BTreeSet<usize>,
}

impl Package {
    fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// Begins the text of the archive.
const ARCHIVE: &str = "\
The folder vendor has crates that others wrote. A star marks those of which the
libraries and programs of Nemesis contain parts; the others are needed to build and
to test, or are empty because only other systems compile them. The numbers name the
texts that follow.";

/// Begins the text of libraries and programs without the archive.
const PROGRAMS: &str = "\
The libraries and programs of Nemesis contain parts of these crates, which others
wrote. The numbers name the texts that follow.";

/// Writes [`FILE`] at the root of `tree`, whose crates are in `tree/vendor`.
pub fn add(tree: &Path) -> Result<(), Failure> {
    let linked = linked(tree)?;
    let (mut packages, texts) = read(metadata::externals(tree))?;
    for package in &mut packages {
        package.is_marked = linked.contains(&package.title());
    }
    commands::write(&tree.join(FILE), &document(ARCHIVE, &packages, &texts))
}

/// Returns the text for the libraries and programs that the workspace at `root` builds.
pub fn of_programs(root: &Path) -> Result<String, Failure> {
    let linked = linked(root)?;
    let mut crates = metadata::externals(root);
    crates.retain(|one| linked.contains(&format!("{} {}", one.name, one.version)));
    let (packages, texts) = read(crates)?;
    Ok(document(PROGRAMS, &packages, &texts))
}

/// Returns the licences of Nemesis and of all parts of its programs, an SPDX expression: those that
/// deny.toml allows.
pub fn expression(root: &Path) -> Result<String, Failure> {
    let path = root.join("deny.toml");
    let rules: toml::Table =
        commands::read(&path)?.parse().map_err(|why| format!("{}: {why}", path.display()))?;
    let allowed = rules.get("licenses").and_then(|part| part.get("allow")?.as_array());
    let names: Vec<&str> = allowed.into_iter().flatten().filter_map(|it| it.as_str()).collect();
    match names[..] {
        [] => Err(format!("{} allows no licence", path.display())),
        _ => Ok(names.join(" AND ")),
    }
}

/// Reads the licences of crates. Returns the crates, sorted, and the texts that they share.
fn read(mut crates: Vec<External>) -> Result<(Vec<Package>, Vec<String>), Failure> {
    crates.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    let mut numbers = BTreeMap::new();
    let mut texts = Vec::new();
    let mut packages = Vec::new();
    for External { name, version, license, manifest_path, .. } in crates {
        let license = license.ok_or_else(|| format!("{name} {version} names no licence"))?;
        let mut own = BTreeSet::new();
        for file in files(manifest_path.parent().unwrap_or(Path::new("")))? {
            let bytes = fs::read(&file).map_err(at(&file))?;
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            let number = *numbers.entry(words(&text)).or_insert_with(|| {
                texts.push(text.trim_matches('\n').to_owned());
                texts.len()
            });
            own.insert(number);
        }
        packages.push(Package { name, version, license, is_marked: false, texts: own });
    }
    Ok((packages, texts))
}

fn document(begin: &str, packages: &[Package], texts: &[String]) -> String {
    let mut document = format!(
        "Licences of the crates of others\n================================\n\n{begin}\n\
         A crate without a number comes without a text; its licence is the named one.\n\
         Nemesis itself has the licence of the file LICENSE.\n\n"
    );
    for package in packages {
        let Package { license, is_marked, texts, .. } = package;
        let star = if *is_marked { '*' } else { ' ' };
        let numbers: Vec<String> = texts.iter().map(usize::to_string).collect();
        let line = format!("{star} {}: {license} [{}]", package.title(), numbers.join(", "));
        document.push_str(line.trim_end_matches(" []"));
        document.push('\n');
    }
    for (index, text) in texts.iter().enumerate() {
        let number = index + 1;
        let _ = write!(document, "\n{}\nText {number}\n\n{text}\n", "-".repeat(80));
    }
    document
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
        let package = |name: &str, is_marked, texts: &[usize]| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: "MIT".to_owned(),
            is_marked,
            texts: texts.iter().copied().collect(),
        };
        let packages = [package("inside", true, &[1, 2]), package("tool", false, &[])];
        let text = document("Begin.", &packages, &["first".to_owned(), "second".to_owned()]);
        assert!(text.contains("\n* inside 1.0.0: MIT [1, 2]\n  tool 1.0.0: MIT\n"), "{text}");
        assert!(text.contains("\nText 2\n\nsecond\n"), "{text}");
    }

    #[test]
    fn spaces_make_no_new_text() {
        assert_eq!(words("a  b\n\n c"), words("a b c\n"));
    }
}
