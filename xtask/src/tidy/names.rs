//! Names in documents: what docs/design and docs/decisions name in backticks exists in the tree,
//! and each decision has a status.

use super::{Diagnostic, Source};
use std::collections::HashSet;
use std::path::Path;

/// Beginnings of the constants of other projects, which documents name as well.
const FOREIGN: [&str; 15] = [
    "AT_",
    "FI_",
    "IBV_",
    "IOSQE_",
    "MEMBARRIER_",
    "MPI_",
    "MSG_",
    "NEMESIS_",
    "O_",
    "PMIX_",
    "PMI_",
    "PR_",
    "RWF_",
    "SO_",
    "TCP_",
];
/// Extensions of files that documents name.
const EXTENSIONS: [&str; 8] = ["rs", "c", "h", "md", "toml", "json", "py", "txt"];
/// Documents whose names are compared.
const FOLDERS: [&str; 2] = ["docs/design/", "docs/decisions/"];

/// Checks the documents of [`FOLDERS`].
pub fn check(sources: &[Source], paths: &[String]) -> Vec<Diagnostic> {
    let tree = Tree::new(sources, paths);
    let documents = sources.iter().filter(|source| {
        source.path.ends_with(".md") && FOLDERS.iter().any(|at| source.path.starts_with(at))
    });
    documents
        .flat_map(|document| tree.check(document).into_iter().chain(status(document)))
        .collect()
}

/// What documents may name.
struct Tree<'a> {
    /// All words of files that are not documents, and the names of all files and folders.
    words: HashSet<String>,
    paths: &'a [String],
}

impl<'a> Tree<'a> {
    fn new(sources: &[Source], paths: &'a [String]) -> Tree<'a> {
        let is_code =
            |source: &&Source| !source.path.starts_with("docs/") && !source.path.ends_with(".md");
        let mut words = HashSet::new();
        for source in sources.iter().filter(is_code) {
            words.extend(words_of(&source.text).map(str::to_owned));
        }
        for part in paths.iter().flat_map(|path| path.split('/')) {
            words.insert(part.split('.').next().unwrap_or(part).replace('-', "_"));
        }
        Tree { words, paths }
    }

    fn check(&self, document: &Source) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for (place, name) in quoted(&document.text) {
            if let Some(what) = self.missing(name) {
                diagnostics.push(Diagnostic::new(
                    &document.path,
                    place,
                    what,
                    "name what is there now, or leave the name out",
                ));
            }
        }
        diagnostics
    }

    /// Returns what is wrong with a name; `None` if it exists or is no name of this project.
    fn missing(&self, name: &str) -> Option<String> {
        let unknown = |word: &&str| !self.words.contains(*word);
        match Kind::of(name)? {
            Kind::Constant => unknown(&name).then(|| format!("no constant `{name}` exists")),
            Kind::Item => {
                let parts = name.trim_end_matches("()").split("::");
                let missing = parts.clone().find(unknown)?;
                Some(format!("`{name}` names {missing}, which does not exist"))
            }
            Kind::File => {
                let exists = self.paths.iter().any(|path| is_below(name, path));
                (!exists).then(|| format!("no file `{name}` exists"))
            }
        }
    }
}

/// What a name in backticks stands for.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Constant,
    Item,
    File,
}

impl Kind {
    /// Returns the kind of a name; `None` for other text and for names of other projects.
    fn of(name: &str) -> Option<Kind> {
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let is_constant = name.contains('_')
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !name.ends_with('_');
        if is_constant {
            return (!FOREIGN.iter().any(|begin| name.starts_with(begin)))
                .then_some(Kind::Constant);
        }
        let plain = name.trim_end_matches("()");
        if plain.contains("::") && plain.split("::").all(is_word) {
            return Some(Kind::Item);
        }
        let is_path = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
            && !name.starts_with(['/', '.']);
        let extension = Path::new(name).extension()?.to_str()?;
        (is_path && EXTENSIONS.contains(&extension)).then_some(Kind::File)
    }
}

/// Returns whether `path` ends with the file of `name`, and its folders contain those of `name` in
/// order: `tcp/socket.rs` is `crates/netmods/tcp/src/socket.rs`.
fn is_below(name: &str, path: &str) -> bool {
    let mut wanted = name.rsplit('/').peekable();
    let mut parts = path.rsplit('/');
    if wanted.next() != parts.next() {
        return false;
    }
    for part in parts {
        wanted.next_if_eq(&part);
    }
    wanted.peek().is_none()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the texts in backticks outside of fenced blocks, with their lines.
fn quoted(text: &str) -> Vec<(usize, &str)> {
    let mut is_fenced = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            found.extend(line.split('`').skip(1).step_by(2).map(|name| (number + 1, name)));
        }
    }
    found
}

/// Returns the diagnostic of a decision that does not say whether it holds.
fn status(document: &Source) -> Option<Diagnostic> {
    if !document.path.starts_with("docs/decisions/") {
        return None;
    }
    let status = document.text.lines().find_map(|line| line.strip_prefix("Status: "));
    let is_right = status.is_some_and(|status| {
        status == "accepted."
            || status.starts_with("accepted; ")
            || status.starts_with("superseded by ")
    });
    (!is_right).then(|| {
        Diagnostic::new(
            &document.path,
            0,
            "the decision has no status",
            "write \"Status: accepted.\" below its date, or \"Status: superseded by \
             [NNNN](...).\"; \"accepted; ...\" says which part another decision has changed",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    fn faults(document: &str) -> Vec<String> {
        let sources = [
            source("crates/netmods/tcp/src/socket.rs", "const BACKLOG_MAX: i32 = 1; fn tune() {}"),
            source("docs/design/a.md", document),
        ];
        let paths: Vec<String> = sources.iter().map(|source| source.path.clone()).collect();
        check(&sources, &paths).into_iter().map(|fault| fault.what).collect()
    }

    #[test]
    fn names_that_exist_are_found() {
        let right = "`BACKLOG_MAX`, `socket::tune`, `tcp/socket.rs`, `socket.rs`, `SO_REUSEPORT`, \
                     `MPI_ERR_X`, `-n 4`, `a.b`\n```text\n`GONE_AWAY`\n```\n";
        assert_eq!(faults(right), [""; 0]);
    }

    #[test]
    fn names_that_are_gone_are_told() {
        let told = faults("`GONE_AWAY` and `socket::gone()`\n`udp/socket.rs`, `other.rs`");
        assert_eq!(
            told,
            [
                "no constant `GONE_AWAY` exists",
                "`socket::gone()` names gone, which does not exist",
                "no file `udp/socket.rs` exists",
                "no file `other.rs` exists",
            ]
        );
    }

    #[test]
    fn a_decision_says_whether_it_holds() {
        let told = |text: &str| status(&source("docs/decisions/0001-a.md", text)).is_some();
        assert!(told("# 0001: A\n\nDate: 2026-11.\n") && told("Status: perhaps.\n"));
        assert!(!told("# 0001: A\n\nDate: 2026-11.\nStatus: accepted.\n"));
        assert!(!told("Status: superseded by [0062](0062-limits-in-rows.md).\n"));
        assert!(status(&source("docs/design/a.md", "")).is_none());
    }
}
