//! The crates of others: their licences, their sources, and those that are banned, by deny.toml.

use super::Diagnostic;
use crate::metadata::External;
use serde::Deserialize;
use std::path::Path;

/// The file of the rules, which `cargo deny` reads, too.
const RULES: &str = "deny.toml";

/// What deny.toml says.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// Checks the dependencies of the workspace at `root`.
pub fn check(dependencies: &[External], root: &Path) -> Vec<Diagnostic> {
    let text = std::fs::read_to_string(root.join(RULES)).unwrap_or_default();
    match toml::from_str(&text) {
        Ok(rules) => check_all(dependencies, &rules),
        Err(why) => vec![Diagnostic::new(RULES, 0, format!("unreadable: {why}"), "repair it")],
    }
}

fn check_all(dependencies: &[External], rules: &Rules) -> Vec<Diagnostic> {
    let diagnostic = |what: String, mend| Diagnostic::new("Cargo.lock", 0, what, mend);
    let mut diagnostics = Vec::new();
    for External { name, version, source, license, .. } in dependencies {
        let license = license.as_deref().unwrap_or("none");
        if !is_allowed(license, &rules.licenses.allow) {
            let what = format!("{name} {version} has the licence {license}");
            diagnostics.push(diagnostic(what, "use another crate, or allow it in deny.toml"));
        }
        let is_known = |url: &String| source.strip_prefix("registry+") == Some(url.as_str());
        if !rules.sources.allow_registry.iter().any(is_known) {
            let what = format!("{name} {version} comes from {source}");
            diagnostics.push(diagnostic(what, "use a crate of crates.io"));
        }
        if let Some(ban) = rules.bans.deny.iter().find(|ban| ban.name == *name) {
            let what = format!("{name} {version} is banned ({})", ban.reason);
            diagnostics.push(diagnostic(what, "`cargo tree -i` shows which crate brings it"));
        }
    }
    diagnostics
}

/// Returns whether a licence expression (SPDX, or names with slashes) leaves an allowed choice:
/// each part that is joined by AND has an allowed alternative.
fn is_allowed(license: &str, allowed: &[String]) -> bool {
    let plain = license.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| {
        part.split(" OR ").any(|choice| allowed.iter().any(|allowed| choice.trim() == allowed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(name: &str, source: &str, license: &str) -> Vec<String> {
        let rules = toml::from_str(
            "[licenses]\nallow = ['MIT', 'Unicode-3.0']\n[bans]\ndeny = [{ crate = 'old', reason = \
             'unmaintained' }]\n[sources]\nallow-registry = ['https://crates']\n",
        );
        let external = External {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            source: source.to_owned(),
            license: Some(license.to_owned()),
            manifest_path: Default::default(),
        };
        check_all(&[external], &rules.unwrap()).into_iter().map(|fault| fault.what).collect()
    }

    #[test]
    fn licences_sources_and_bans_are_compared() {
        let registry = "registry+https://crates";
        for right in ["MIT", "MIT OR GPL-3.0", "Apache-2.0/MIT", "(MIT OR X) AND Unicode-3.0"] {
            assert_eq!(faults("new", registry, right), [""; 0], "{right}");
        }
        assert_eq!(faults("new", registry, "MIT AND X"), ["new 1.0.0 has the licence MIT AND X"]);
        assert_eq!(faults("new", "git+https://x", "MIT"), ["new 1.0.0 comes from git+https://x"]);
        assert_eq!(faults("old", registry, "MIT"), ["old 1.0.0 is banned (unmaintained)"]);
    }
}
