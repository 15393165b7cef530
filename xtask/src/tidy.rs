//! `cargo xtask tidy`: the project's rules that no compiler knows.
//!
//! | module | rule |
//! |---|---|
//! | `layers` | a crate uses only crates of lower layers |
//! | `cycles` | the modules of a crate form no cycle |
//! | `dependencies` | the crates of others have the licences and the sources of deny.toml |
//! | `names` | what design documents and decisions name exists; decisions have a status |
//! | `prose` | what docs/STYLE.md asks of comments and documents, and the width of lines |
//! | `size` | no large files, except the tables in `api/` |
//! | `text` | length, width, forbidden words; where atomics and `unsafe` may be named |
//! | `reach` | every source file belongs to a target, every document has a link |
//! | `versions` | changelogs have the version of the workspace |
//!
//! Every diagnostic names the place, the fault and a remedy.

mod cycles;
mod dependencies;
mod layers;
mod names;
mod prose;
mod reach;
mod size;
mod text;
mod versions;

use crate::metadata::{self, Package};
use std::path::Path;
use std::process::{Command, ExitCode};

/// A violation of a rule.
pub struct Diagnostic {
    file: String,
    /// 0 when the diagnostic is about the file as a whole.
    line: usize,
    what: String,
    mend: &'static str,
    /// Lines that follow the message, each with its end.
    details: String,
}

impl Diagnostic {
    fn new(file: &str, line: usize, what: impl Into<String>, mend: &'static str) -> Diagnostic {
        let (file, what) = (file.into(), what.into());
        Diagnostic { file, line, what, mend, details: String::new() }
    }
}

/// A text file of the repository.
pub struct Source {
    /// Path from the repository's root.
    path: String,
    text: String,
}

impl Source {
    fn is_generated(&self) -> bool {
        self.text.lines().next().is_some_and(|first| first.contains("generated from"))
    }
}

/// Checks all files that git tracks or would add.
pub fn check(root: &Path) -> ExitCode {
    let paths = paths(root);
    let sources = sources(&paths, root);
    let packages = metadata::packages(root);
    let mut diagnostics = layers::check(&packages);
    diagnostics.extend(sources.iter().flat_map(|source| text::check(source, root)));
    diagnostics.extend(size::check(&paths, root));
    diagnostics.extend(prose::check(&sources));
    diagnostics.extend(dependencies::check(&metadata::externals(root), root));
    diagnostics.extend(names::check(&sources, &paths));
    diagnostics.extend(cycles::check(&sources, &packages, root));
    diagnostics.extend(reach::check(&sources, &packages, root));
    diagnostics.extend(versions::check(&sources, env!("CARGO_PKG_VERSION")));
    for Diagnostic { file, line, what, mend, details } in &diagnostics {
        match line {
            0 => eprint!("{file}: {what}; {mend}\n{details}"),
            _ => eprint!("{file}:{line}: {what}; {mend}\n{details}"),
        }
    }
    ExitCode::from(u8::from(!diagnostics.is_empty()))
}

/// The paths of all files that git tracks or would add, from the root.
fn paths(root: &Path) -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .current_dir(root)
        .output()
        .expect("git runs");
    assert!(
        listed.status.success(),
        "git lists the files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let paths = String::from_utf8(listed.stdout).expect("file names are UTF-8");
    paths.lines().map(String::from).collect()
}

fn sources(paths: &[String], root: &Path) -> Vec<Source> {
    let read = |path: &String| {
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        Some(Source { path: path.clone(), text })
    };
    // Deleted files and files that are not text are skipped.
    paths.iter().filter_map(read).collect()
}

fn packages_below<'a>(packages: &'a [Package], root: &Path) -> impl Iterator<Item = &'a Package> {
    let root = root.to_path_buf();
    packages.iter().filter(move |package| Path::new(&package.manifest_path).starts_with(&root))
}
