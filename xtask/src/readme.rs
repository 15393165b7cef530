//! The README's table of implemented functions: one row for each chapter of the standard, counted
//! from the tables in `api/`.
//!
//! The table stands between two markers; the text around it is written by hand. `api/missing.toml`
//! names the missing functions, and the table sums them up, so the README cannot promise a function
//! without an implementation.

use crate::api::{Abi, Api};
use crate::output::File;
use std::fmt::Write;

const PATH: &str = "README.md";
const BEGIN: &str = "<!-- table of what works: from api/ by cargo xtask generate -->\n";
const END: &str = "<!-- end of table -->\n";

/// Titles of the rows and their areas of `functions.json`, in the order of the standard's chapters.
const AREAS: [(&str, &[&str]); 14] = [
    ("start, end, environment (ch. 9, 11)", &["init", "misc", "prof"]),
    ("point-to-point (ch. 3)", &["pt2pt"]),
    ("partitioned (ch. 4)", &["part"]),
    ("datatypes (ch. 5)", &["dtype", "f90"]),
    ("collectives (ch. 6)", &["coll"]),
    ("groups, communicators, attributes (ch. 7)", &["group", "comm", "attr"]),
    ("topologies (ch. 8)", &["topo"]),
    ("errors and info (ch. 9, 10)", &["errhan", "info"]),
    ("sessions (ch. 11)", &["session"]),
    ("dynamic processes (ch. 11)", &["spawn"]),
    ("one-sided (ch. 12)", &["rma"]),
    ("external interfaces (ch. 13)", &["extern"]),
    ("files (ch. 14)", &["io"]),
    ("tool interface (ch. 15)", &["tool"]),
];

/// Returns the README with the current table, or `None` if the README has no markers.
pub fn generate(api: &Api) -> Option<File> {
    let old = std::fs::read_to_string(api.root.join(PATH)).ok()?;
    let (before, rest) = old.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(File { path: PATH.into(), text: format!("{before}{BEGIN}{}{END}{after}", table(api)) })
}

fn table(api: &Api) -> String {
    let mut text =
        "| MPI 5.0 | functions | implemented | not yet |\n|---|--:|--:|---|\n".to_owned();
    let mut sum = (0, 0);
    for (title, areas) in AREAS {
        let functions: Vec<_> = api
            .exported(Abi::Standard)
            .filter(|function| areas.contains(&function.area.as_str()))
            .collect();
        let implemented =
            functions.iter().filter(|function| api.missing(function).is_none()).count();
        let mut subjects: Vec<&str> = functions
            .iter()
            .filter_map(|function| Some(subject(&api.missing(function)?.reason)))
            .collect();
        subjects.dedup();
        subjects.sort_unstable();
        subjects.dedup();
        sum = (sum.0 + functions.len(), sum.1 + implemented);
        writeln!(
            text,
            "| {title} | {} | {implemented} | {} |",
            functions.len(),
            subjects.join(", ")
        )
        .expect("writing to a string succeeds");
    }
    writeln!(
        text,
        "| **sum** | **{}** | **{}** | each function: `api/missing.toml` |",
        sum.0, sum.1
    )
    .expect("writing to a string succeeds");
    text
}

/// Returns the subject of a reason: "buffered sends" of "buffered sends are not implemented yet".
fn subject(reason: &str) -> &str {
    reason.split(" are not ").next().unwrap_or(reason).split(" is not ").next().unwrap_or(reason)
}
