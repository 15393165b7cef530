//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! | file | rule |
//! |---|---|
//! | `floors` | a room uses only rooms below it |
//! | `cycles` | the modules of a crate form no cycle |
//! | `prose` | what docs/STYLE.md asks of comments and documents, and the width of lines |
//! | `text` | length, width, words that do not belong here; where atomics and `unsafe` may be named |
//! | `reach` | no source file without a way to it, no document without a link |
//!
//! Every complaint names the place, what is wrong there, and how to mend it.

mod cycles;
mod floors;
mod prose;
mod reach;
mod text;

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

/// A text of the repository.
pub struct Source {
    /// From the repository's root.
    path: String,
    text: String,
}

impl Source {
    fn is_generated(&self) -> bool {
        self.text.lines().next().is_some_and(|first| first.contains("generated from"))
    }
}

/// Checks everything that git knows or would add.
pub fn check(root: &Path) -> ExitCode {
    let sources = sources(root);
    let packages = metadata::packages(root);
    let mut complaints = floors::check(&packages);
    complaints.extend(sources.iter().flat_map(|source| text::check(source, root)));
    complaints.extend(prose::check(&sources));
    complaints.extend(cycles::check(&sources, &packages, root));
    complaints.extend(reach::check(&sources, &packages, root));
    for Diagnostic { file, line, what, mend, details } in &complaints {
        match line {
            0 => eprint!("{file}: {what}; {mend}\n{details}"),
            _ => eprint!("{file}:{line}: {what}; {mend}\n{details}"),
        }
    }
    ExitCode::from(u8::from(!complaints.is_empty()))
}

fn sources(root: &Path) -> Vec<Source> {
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
    let paths = String::from_utf8(listed.stdout).expect("our file names are plain");
    let read = |path: &str| {
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        Some(Source { path: path.into(), text })
    };
    // A file that is gone or no text is nothing to read.
    paths.lines().filter_map(read).collect()
}

fn packages_below<'a>(packages: &'a [Package], root: &Path) -> impl Iterator<Item = &'a Package> {
    let root = root.to_path_buf();
    packages.iter().filter(move |package| Path::new(&package.manifest_path).starts_with(&root))
}
