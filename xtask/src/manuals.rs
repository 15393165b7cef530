//! Manual pages: `cargo xtask manuals DIR` writes `DIR/man1`, `man3` and `man7`.
//!
//! `packaging/man` holds the pages that are written by hand. `nemesis.7` has comment lines such as
//! `.\" tunables`, which the tables of `api/variables.json` replace.
//!
//! Section 3 is generated from the tables of `api/` (`functions`).
//!
//! No generated page is committed: `scripts/install` writes them into the prefix.

mod errors;
mod functions;
mod prose;

use crate::api::Api;
use crate::output::File;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder of the pages that are written by hand, from the repository's root.
const WRITTEN: &str = "packaging/man";

/// The date of generated pages.
const DATE: &str = "November 26, 2026";

/// Other names of pages: the name and the page, both with their section.
const ALIASES: [(&str, &str); 24] = [
    ("mpirun.1", "mpiexec.1"),
    ("mpicxx.1", "mpicc.1"),
    ("mpic++.1", "mpicc.1"),
    ("mpiCC.1", "mpicc.1"),
    ("mpiCC.mpich.1", "mpicc.1"),
    ("mpif77.1", "mpifort.1"),
    ("mpif77.mpich.1", "mpifort.1"),
    ("mpif90.mpich.1", "mpifort.1"),
    ("mpifort.mpich.1", "mpifort.1"),
    ("mpif90.1", "mpifort.1"),
    ("mpicc.mpich.1", "mpicc.1"),
    ("mpicxx.mpich.1", "mpicc.1"),
    ("mpic++.mpich.1", "mpicc.1"),
    ("rwapi_alloc.3", "rwapi.3"),
    ("rwapi_finalize.3", "rwapi.3"),
    ("rwapi_free.3", "rwapi.3"),
    ("rwapi_init.3", "rwapi.3"),
    ("rwapi_issent.3", "rwapi.3"),
    ("rwapi_rank.3", "rwapi.3"),
    ("rwapi_receive.3", "rwapi.3"),
    ("rwapi_send.3", "rwapi.3"),
    ("rwapi_size.3", "rwapi.3"),
    ("rwapi_why.3", "rwapi.3"),
    ("rwapi_write.3", "rwapi.3"),
];

/// The tables of the library; a test of `nemesis-mpi` compares the file with them.
#[derive(Deserialize)]
struct Variables {
    tunables: Vec<Tunable>,
    thresholds: Vec<Threshold>,
    performance: Vec<Performance>,
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Tunable {
    name: String,
    /// The values that it takes, in words.
    form: String,
    /// Empty for words, which are unset.
    default: String,
    /// When a tool may set it: `before` MPI starts, `always`, `never`.
    set: String,
    why: String,
}

#[derive(Deserialize)]
struct Threshold {
    name: String,
    value: String,
    why: String,
}

#[derive(Deserialize)]
struct Performance {
    name: String,
    class: String,
    /// The object that a handle is bound to; empty for none.
    bound: String,
    why: String,
}

#[derive(Deserialize)]
struct Event {
    name: String,
    why: String,
}

/// Writes all pages below `folder`, and links for their other names.
pub fn write(root: &Path, folder: &Path) -> ExitCode {
    let (functions, large_forms) = functions::pages(&Api::load(root));
    for page in pages(root).into_iter().chain(functions) {
        let path = place(folder, &page.path);
        std::fs::write(&path, &page.text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let aliases = ALIASES.iter().map(|(name, page)| ((*name).to_owned(), (*page).to_owned()));
    for (name, page) in aliases.chain(large_forms) {
        let path = place(folder, &name);
        std::os::unix::fs::symlink(page, &path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    ExitCode::SUCCESS
}

/// The path of a page, in the folder of its section, where no file is any more.
fn place(folder: &Path, name: &str) -> PathBuf {
    let section = name.rsplit('.').next().unwrap_or_default();
    let folder = folder.join(format!("man{section}"));
    std::fs::create_dir_all(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let path = folder.join(name);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            panic!("{}: {error}", path.display())
        }
        _ => path,
    }
}

/// Prints each environment variable that the sources name and nemesis(7) does not.
pub fn check(root: &Path) -> ExitCode {
    let page = nemesis(root);
    let missing: Vec<String> = variables_of_sources(root)
        .into_iter()
        .filter(|name| !page.split(|c: char| !is_of_name(c)).any(|word| word == name))
        .collect();
    for name in &missing {
        eprintln!("{WRITTEN}/nemesis.7: {name} is missing; describe it under ENVIRONMENT");
    }
    ExitCode::from(u8::from(!missing.is_empty()))
}

/// The pages; the path of each is its name with its section.
fn pages(root: &Path) -> Vec<File> {
    let written = texts(&root.join(WRITTEN)).into_iter();
    written
        .map(|(name, text)| {
            let text = if name == "nemesis.7" { nemesis(root) } else { text };
            File { path: name, text }
        })
        .collect()
}

/// The files of a folder with their texts, in the order of their names.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, read(&path))
        })
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The page nemesis(7): the written text with the tables of the library.
fn nemesis(root: &Path) -> String {
    let variables: Variables =
        serde_json::from_str(&read(&root.join("api/variables.json"))).expect("api/variables.json");
    let tables = [
        ("tunables", variables.tunables.iter().map(tunable).collect::<String>()),
        ("thresholds", variables.thresholds.iter().map(threshold).collect()),
        ("performance", variables.performance.iter().map(performance).collect()),
        ("events", variables.events.iter().map(event).collect()),
    ];
    tables.iter().fold(read(&root.join(WRITTEN).join("nemesis.7")), |text, (name, table)| {
        let place = format!(".\\\" {name}\n");
        assert!(text.contains(&place), "{WRITTEN}/nemesis.7 has no place for the {name}");
        text.replace(&place, table)
    })
}

fn tunable(row: &Tunable) -> String {
    let default = match row.default.as_str() {
        "" => "Unset by default.".into(),
        value => format!("The default is {value}."),
    };
    let set = if row.set == "always" { "\nA tool may set it while MPI runs, too." } else { "" };
    format!(
        ".It Ev {}\nValues: {}.\n{default}\n{}.{set}\n",
        row.name,
        escaped(&row.form),
        sentence(&row.why)
    )
}

fn threshold(row: &Threshold) -> String {
    format!(".It Va {}\n{}: {}.\n", row.name, row.value, escaped(&row.why))
}

fn performance(row: &Performance) -> String {
    let bound = match row.bound.as_str() {
        "" => String::new(),
        object => format!(", bound to a {object}"),
    };
    format!(".It Va {}\n{}{bound}: {}.\n", row.name, sentence(&row.class), escaped(&row.why))
}

fn event(row: &Event) -> String {
    format!(".It Va {}\n{}.\n", row.name, sentence(&row.why))
}

/// `text` with a capital letter, for roff.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    escaped(&first.into_iter().flatten().chain(letters).collect::<String>())
}

/// `text` as roff reads it: backslashes and signs at the beginning of a line are plain text.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('^', "\\(ha");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// The names of the environment variables that the sources of the crates and the compiler commands
/// spell out.
fn variables_of_sources(root: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(&root.join("crates"), &mut names);
    for script in ["packaging/mpicc", "packaging/mpifort"] {
        names_in(&read(&root.join(script)), '{', ":-", &mut names);
    }
    names
}

fn collect(folder: &Path, names: &mut BTreeSet<String>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            // Tests have variables of their own.
            if ["tests", "bench", "jobs"].iter().all(|folder| name != *folder) {
                collect(&path, names);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            let product = text.split("[cfg(test)]").next().unwrap_or_default();
            names_in(product, '"', "\"", names);
        }
    }
}

/// Adds each `NEMESIS_...` that stands between `before` and `after`.
fn names_in(text: &str, before: char, after: &str, names: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices(&format!("{before}NEMESIS_")) {
        let rest = &text[at + before.len_utf8()..];
        let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
        // A name that ends with an underscore is the beginning of several.
        if rest[end..].starts_with(after) && !rest[..end].ends_with('_') {
            names.insert(rest[..end].into());
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variables_are_found_as_whole_literals() {
        let mut names = BTreeSet::new();
        let text = r#"const A: &str = "NEMESIS_A"; "NEMESIS_B=1"; "NEMESIS_"; // NEMESIS_C"#;
        names_in(text, '"', "\"", &mut names);
        names_in("${NEMESIS_CC:-${MPICH_CC:-cc}}", '{', ":-", &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["NEMESIS_A", "NEMESIS_CC"]);
    }

    #[test]
    fn every_variable_is_in_the_manual() {
        assert_eq!(check(&crate::root()), ExitCode::SUCCESS);
    }

    #[test]
    fn signs_of_roff_are_plain_text() {
        assert_eq!(escaped(".a\\b"), "\\&.a\\eb");
        assert_eq!(sentence("on: says"), "On: says");
    }
}
