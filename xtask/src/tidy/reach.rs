//! Every Rust file is part of a target, and every document is linked from another one.

use super::{Diagnostic, Source, packages_below};
use crate::metadata::Package;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Documents that readers find without a link.
const KNOWN_DOCUMENTS: &[&str] =
    &["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];

pub fn check(sources: &[Source], packages: &[Package], root: &Path) -> Vec<Diagnostic> {
    let mut diagnostics = dead_rust(sources, packages, root);
    diagnostics.extend(unlinked_documents(sources));
    diagnostics
}

fn dead_rust(sources: &[Source], packages: &[Package], root: &Path) -> Vec<Diagnostic> {
    let texts: HashMap<PathBuf, &str> = sources
        .iter()
        .filter(|source| source.path.ends_with(".rs"))
        .map(|source| (root.join(&source.path), source.text.as_str()))
        .collect();
    let mut waiting: Vec<PathBuf> = packages_below(packages, root)
        .flat_map(|package| &package.targets)
        .map(|target| PathBuf::from(&target.src_path))
        .collect();
    let roots: HashSet<PathBuf> = waiting.iter().cloned().collect();
    let mut reached = HashSet::new();
    while let Some(file) = waiting.pop() {
        if let Some(text) = texts.get(&file)
            && reached.insert(file.clone())
        {
            waiting.extend(modules(text, &file, roots.contains(&file)));
        }
    }
    let mut dead: Vec<&PathBuf> = texts.keys().filter(|file| !reached.contains(*file)).collect();
    dead.sort();
    let name =
        |file: &PathBuf| file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned();
    let diagnostic = |file| {
        Diagnostic::new(
            &name(file),
            0,
            "the file belongs to no target",
            "declare it with mod, or delete it",
        )
    };
    dead.into_iter().map(diagnostic).collect()
}

/// Returns the files that `mod` and `include!` of a file may mean. Most do not exist; each
/// declaration has one that does.
fn modules(text: &str, file: &Path, is_root: bool) -> Vec<PathBuf> {
    let folder = file.parent().expect("a file lies in a folder");
    let stem = file.file_stem().unwrap_or_default();
    let inner = if is_root || stem == "mod" { folder.to_path_buf() } else { folder.join(stem) };
    let mut found = Vec::new();
    let mut path_attribute = None;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        if let Some(path) = between(line, "#[path = \"", "\"]") {
            path_attribute = Some(folder.join(path));
        } else if let Some(path) = between(line, "include!(\"", "\")") {
            found.push(folder.join(path));
        } else if let Some(name) = module(line) {
            match path_attribute.take() {
                Some(path) => found.push(path),
                None => found
                    .extend([inner.join(format!("{name}.rs")), inner.join(name).join("mod.rs")]),
            }
        }
    }
    found
}

/// Returns the name in `mod name;` with any visibility.
fn module(line: &str) -> Option<&str> {
    let declaration = line.strip_suffix(';')?;
    let name = declaration
        .strip_prefix("mod ")
        .or_else(|| declaration.split_once(" mod ").map(|(_, name)| name))?;
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

fn unlinked_documents(sources: &[Source]) -> Vec<Diagnostic> {
    let documents = || sources.iter().filter(|source| source.path.ends_with(".md"));
    let is_linked = |document: &Source| {
        let name = document.path.rsplit('/').next().unwrap_or(&document.path);
        KNOWN_DOCUMENTS.contains(&document.path.as_str())
            || name == "README.md"
            || documents().any(|other| other.path != document.path && other.text.contains(name))
    };
    let unlinked = documents().filter(|document| !is_linked(document));
    unlinked
        .map(|document| {
            Diagnostic::new(
                &document.path,
                0,
                "no document links here",
                "link it where its reader would look",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_lead_to_files() {
        let text = "mod a;\n    pub(crate) mod b;\n#[path = \"odd/c.rs\"]\nmod c;\nmod d {\n\
                    // mod e;\ninclude!(\"table.rs\")";
        let from_root: Vec<String> = modules(text, Path::new("src/lib.rs"), true)
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        assert_eq!(
            from_root,
            [
                "src/a.rs",
                "src/a/mod.rs",
                "src/b.rs",
                "src/b/mod.rs",
                "src/odd/c.rs",
                "src/table.rs"
            ]
        );
        let nested = modules("mod a;", Path::new("src/x.rs"), false);
        assert_eq!(nested[0], Path::new("src/x/a.rs"));
    }

    #[test]
    fn a_document_without_a_link_is_found() {
        let document = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = [
            document("README.md", "see docs/a.md"),
            document("docs/a.md", ""),
            document("docs/b.md", "b.md"),
        ];
        let unlinked: Vec<String> =
            unlinked_documents(&sources).into_iter().map(|diagnostic| diagnostic.file).collect();
        assert_eq!(unlinked, ["docs/b.md"]);
    }
}
