//! The modules of a crate form no cycle (docs/STYLE.md).
//!
//! The check reads the paths that begin with `crate`, `self` or `super` from the files below `src`
//! of each crate, without comments and tests, and draws an arrow from the top-level module that
//! names a path to the top-level module in which the path ends. A module counts with all its
//! submodules as one. A name that the crate's root exports counts as the module that defines it.
//!
//! `cycle_exceptions.txt` lists the cycles that the tree still has. A cycle that differs from its
//! line fails, so the list can only shrink.

use super::{Diagnostic, Source, packages_below};
use crate::metadata::Package;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

mod paths;

/// The list of exceptions, from the repository's root.
const EXCEPTIONS: &str = "xtask/src/tidy/cycle_exceptions.txt";

/// The arrows between a crate's modules, each with the first place that draws it.
type Arrows = BTreeMap<(String, String), Place>;

/// A line of a source file.
struct Place {
    file: String,
    line: usize,
    text: String,
}

/// Checks that the modules of each crate form no cycle but those that are listed.
pub fn check(sources: &[Source], packages: &[Package], root: &Path) -> Vec<Diagnostic> {
    let folders: BTreeMap<&str, String> = packages_below(packages, root)
        .filter_map(|package| Some((package.name.as_str(), source_folder(package, root)?)))
        .collect();
    let cycles = folders.iter().flat_map(|(&name, folder)| {
        let arrows = arrows(sources, folder);
        let components = components(&arrows);
        components.into_iter().map(move |modules| {
            let examples = examples(&arrows, &modules);
            (format!("{name}: {}", modules.join(" ")), examples)
        })
    });
    compare(&cycles.collect(), exceptions(sources))
}

/// The folder `src` of a package, from the repository's root, with a slash at its end.
fn source_folder(package: &Package, root: &Path) -> Option<String> {
    let folder = Path::new(&package.manifest_path).parent()?.strip_prefix(root).ok()?;
    Some(format!("{}/", folder.join("src").display()))
}

fn exceptions(sources: &[Source]) -> BTreeSet<&str> {
    let listed = sources.iter().find(|source| source.path == EXCEPTIONS);
    let lines = listed.map_or("", |source| &source.text).lines();
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).collect()
}

/// Compares the cycles, each with its examples, with the lines of the list.
fn compare(cycles: &BTreeMap<String, String>, listed: BTreeSet<&str>) -> Vec<Diagnostic> {
    let unlisted = cycles.iter().filter(|(line, _)| !listed.contains(line.as_str()));
    let mut diagnostics: Vec<Diagnostic> = unlisted
        .map(|(line, examples)| {
            let what = format!("a cycle of modules is not in the list, '{line}'");
            let mend = "move what both modules need to a lower module";
            Diagnostic { details: examples.clone(), ..Diagnostic::new(EXCEPTIONS, 0, what, mend) }
        })
        .collect();
    let gone = listed.into_iter().filter(|line| !cycles.contains_key(*line));
    diagnostics.extend(gone.map(|line| {
        let what = format!("this cycle of modules no longer exists, '{line}'");
        let mend = "remove the line, or write the smaller cycle that is left of it";
        Diagnostic::new(EXCEPTIONS, 0, what, mend)
    }));
    diagnostics
}

/// One line for each arrow between modules of a cycle: from, to, and the first place that draws it.
fn examples(arrows: &Arrows, modules: &[String]) -> String {
    let inside =
        arrows.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
    inside
        .map(|((from, to), place)| {
            let Place { file, line, text } = place;
            format!("    {from} -> {to}: {file}:{line}: {text}\n")
        })
        .collect()
}

/// A file of a crate: its module's path, its source and what the scanner found in it.
struct Scanned<'a> {
    module: Vec<&'a str>,
    source: &'a Source,
    file: paths::File,
}

/// Returns the arrows between the top-level modules of the crate below `folder`.
fn arrows(sources: &[Source], folder: &str) -> Arrows {
    let files: Vec<Scanned> = sources.iter().filter_map(|source| scan(source, folder)).collect();
    let targets = targets(&files);
    let tests: Vec<&Vec<String>> = files.iter().flat_map(|file| &file.file.test_modules).collect();
    let mut arrows = Arrows::new();
    for Scanned { module, source, file } in &files {
        let is_test = tests.iter().any(|path| starts_with(module, path));
        let Some(&from) = module.first().filter(|_| !is_test) else { continue };
        for (name, line) in &file.names {
            if let Some(&to) = targets.get(name.as_str()).filter(|to| **to != from) {
                let text = source.text.lines().nth(line - 1).unwrap_or_default().trim().into();
                let place = Place { file: source.path.clone(), line: *line, text };
                arrows.entry((from.into(), to.into())).or_insert(place);
            }
        }
    }
    arrows
}

fn scan<'a>(source: &'a Source, folder: &str) -> Option<Scanned<'a>> {
    let module = module_path(source.path.strip_prefix(folder)?)?;
    let file = paths::parse(&source.text, &module);
    Some(Scanned { module, source, file })
}

fn starts_with(module: &[&str], path: &[String]) -> bool {
    path.len() <= module.len() && path.iter().zip(module).all(|(a, b)| a == b)
}

/// Returns the top-level module to which each name below the crate's root leads: a module leads to
/// itself, a name that the root imports to the module that it comes from.
fn targets<'a>(files: &'a [Scanned]) -> BTreeMap<&'a str, &'a str> {
    let modules: BTreeMap<&str, &str> =
        files.iter().filter_map(|file| file.module.first()).map(|&name| (name, name)).collect();
    let roots = files.iter().filter(|file| file.module.is_empty());
    let exports = roots.flat_map(|root| &root.file.exports);
    let mut targets: BTreeMap<&str, &str> = exports
        .filter_map(|(name, module)| Some((name.as_str(), *modules.get(module.as_str())?)))
        .collect();
    targets.extend(modules);
    targets
}

/// The path of the module that a file below `src` holds; empty for the root of the crate, `None`
/// for programs of their own and for files of other kinds.
fn module_path(file: &str) -> Option<Vec<&str>> {
    let path = file.strip_suffix(".rs").filter(|path| !path.starts_with("bin/"))?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some(if matches!(path, "lib" | "main") { vec![] } else { path.split('/').collect() })
}

/// Returns the sets of modules that reach each other, of two modules or more, each sorted.
fn components(arrows: &Arrows) -> Vec<Vec<String>> {
    let reached = |start: &str| {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(module) = waiting.pop() {
            let next = arrows.keys().filter(|(from, _)| from == module).map(|(_, to)| to.as_str());
            waiting.extend(next.filter(|to| found.insert(to)).collect::<Vec<_>>());
        }
        found
    };
    let modules: BTreeSet<&str> = arrows.keys().map(|(from, _)| from.as_str()).collect();
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|&module| (module, reached(module))).collect();
    let mut components: BTreeSet<Vec<String>> = BTreeSet::new();
    for (module, found) in &reach {
        let together = found
            .iter()
            .filter(|other| reach.get(*other).is_some_and(|back| back.contains(module)));
        let component: Vec<String> = together.map(|&name| name.into()).collect();
        if component.len() > 1 {
            components.insert(component);
        }
    }
    components.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| source(&format!("x/src/{path}"), text)).collect();
        components(&arrows(&sources, "x/src/")).iter().map(|modules| modules.join(" ")).collect()
    }

    #[test]
    fn modules_that_use_each_other_form_a_cycle() {
        let files = [("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { crate::a::g() }")];
        assert_eq!(cycles(&files), ["a b"]);
        assert!(cycles(&[files[0], ("b.rs", "use crate::c;")]).is_empty());
        let ring =
            [("a.rs", "use crate::b;"), ("b.rs", "use crate::c;"), ("c.rs", "use crate::a;")];
        assert_eq!(cycles(&ring), ["a b c"]);
    }

    #[test]
    fn submodules_belong_to_their_module() {
        let inner = [("a.rs", "mod c;"), ("a/c.rs", "use super::f; use crate::a::g;")];
        assert!(cycles(&inner).is_empty());
        let outer = [("a/mod.rs", "mod c;"), ("a/c.rs", "use super::super::b;")];
        let back = ("b.rs", "use super::a;");
        assert_eq!(cycles(&[outer[0], outer[1], back]), ["a b"]);
    }

    #[test]
    fn a_name_that_the_root_exports_leads_to_its_module() {
        let root = ("lib.rs", "mod a; mod b; pub use a::{A, inner::C as D}; use b::B;");
        assert_eq!(cycles(&[root, ("a.rs", "use crate::B;"), ("b.rs", "use crate::D;")]), ["a b"]);
    }

    #[test]
    fn tests_and_comments_draw_no_arrows() {
        let a = ("a.rs", "use crate::b;");
        for text in [
            "// use crate::a;",
            "/* use crate::a; */",
            "const S: &str = \"crate::a\";",
            "#[cfg(test)]\nmod tests { use crate::a; fn f() {} }",
            "#[cfg(test)]\nuse crate::a;",
        ] {
            assert!(cycles(&[a, ("b.rs", text)]).is_empty(), "{text}");
        }
        let apart = [a, ("b.rs", "#[cfg(test)]\nmod tests;"), ("b/tests.rs", "use crate::a;")];
        assert!(cycles(&apart).is_empty());
    }

    #[test]
    fn the_list_holds_each_cycle_as_it_is() {
        let cycles: BTreeMap<String, String> =
            [("x: a b".to_string(), "    a -> b: a.rs:1: use crate::b;\n".to_string())].into();
        assert!(compare(&cycles, BTreeSet::from(["x: a b"])).is_empty());
        let larger_or_smaller = compare(&cycles, BTreeSet::from(["x: a b c"]));
        assert_eq!(larger_or_smaller.len(), 2, "the cycle is not listed, the listed one is gone");
        assert!(larger_or_smaller[0].details.contains("a.rs:1: use crate::b;"));
        assert_eq!(compare(&cycles, BTreeSet::new()).len(), 1);
        assert_eq!(compare(&BTreeMap::new(), BTreeSet::from(["x: a b"])).len(), 1);
    }
}
