//! `api/variables.json` holds the tables from which the manual page nemesis(7) is generated: the
//! tunables, the thresholds of collectives, the performance variables and the events.
//!
//! This test compares the file with the library's tables. With `NEMESIS_WRITE_TABLES=yes` it writes
//! the file.

use nemesis::tunables::{EAGER_MAX_BYTES, Kind, PROTOCOL, TABLE, UNEXPECTED_MAX_BYTES, WORDS};
use nemesis_mpi::coll::operations;
use nemesis_mpi::coll::thresholds::THRESHOLDS;
use nemesis_mpi::tool::event;
use nemesis_mpi::tool::pvar::{Class, VARIABLES};
use std::fmt::Write;
use std::path::Path;

const COMMAND: &str = "NEMESIS_WRITE_TABLES=yes cargo test -p nemesis-mpi --test tool_tables";

/// Returns `text` as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                write!(quoted, "\\u{:04x}", u32::from(letter)).expect("a string takes all")
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// Returns a JSON object of strings on one line.
fn object(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}: {}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn on_or_off(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}

/// Returns the form of a tunable's values, and its default.
fn values(kind: Kind) -> (String, String) {
    match kind {
        Kind::Switch { default } => ("on or off".into(), on_or_off(default).into()),
        Kind::Bytes { default, min, max } => {
            (format!("bytes, from {min} to {max}"), default.to_string())
        }
        Kind::Count { default, max } => (format!("a number from 1 to {max}"), default.to_string()),
    }
}

fn tunables() -> Vec<String> {
    let numbers = TABLE.iter().map(|row| {
        let (form, default) = values(row.kind);
        let is_read_for_each_message = [EAGER_MAX_BYTES.name, UNEXPECTED_MAX_BYTES.name];
        let set = if is_read_for_each_message.contains(&row.name) { "always" } else { "before" };
        object(&[
            ("name", row.name),
            ("form", &form),
            ("default", &default),
            ("set", set),
            ("why", row.why),
        ])
    });
    let words = WORDS.iter().map(|row| {
        let set = if row.name == PROTOCOL.name { "always" } else { "never" };
        object(&[
            ("name", row.name),
            ("form", row.form),
            ("default", ""),
            ("set", set),
            ("why", row.why),
        ])
    });
    let algorithms = operations::ALL.iter().map(|operation| {
        object(&[
            ("name", operation.variable),
            ("form", operations::FORM),
            ("default", ""),
            ("set", "before"),
            ("why", operation.why),
        ])
    });
    numbers.chain(words).chain(algorithms).collect()
}

fn thresholds() -> Vec<String> {
    let rows = THRESHOLDS.iter();
    rows.map(|(name, value, why)| {
        object(&[("name", name), ("value", &value.to_string()), ("why", why)])
    })
    .collect()
}

fn class(class: Class) -> &'static str {
    match class {
        Class::State(_) => "state",
        Class::Level => "level",
        Class::Peak => "high watermark",
        Class::Size => "size",
        Class::Counter => "counter",
        Class::Aggregate => "aggregate",
    }
}

fn performance() -> Vec<String> {
    let rows = VARIABLES.iter();
    rows.map(|row| {
        let bound = if row.is_bound() { "communicator" } else { "" };
        object(&[
            ("name", row.name),
            ("class", class(row.class)),
            ("bound", bound),
            ("why", row.what),
        ])
    })
    .collect()
}

fn events() -> Vec<String> {
    let kinds = (0..event::EVENTS as i32).map(|number| event::kind(number).expect("a kind"));
    kinds.map(|kind| object(&[("name", kind.name), ("why", kind.what)])).collect()
}

fn tables() -> String {
    let parts = [
        ("tunables", tunables()),
        ("thresholds", thresholds()),
        ("performance", performance()),
        ("events", events()),
    ];
    let parts: Vec<String> = parts
        .iter()
        .map(|(name, rows)| format!("{}: [\n{}\n]", quoted(name), rows.join(",\n")))
        .collect();
    format!("{{\n{}\n}}\n", parts.join(",\n"))
}

#[test]
fn the_tables_of_the_manual_are_those_of_the_library() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../api/variables.json");
    let tables = tables();
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some_and(|word| word == "yes") {
        std::fs::write(&path, &tables).expect("api/variables.json can be written");
        return;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = tables.lines().find(|line| !old.lines().any(|known| known == *line));
    assert!(
        old == tables,
        "api/variables.json lacks or says otherwise: {}\nrun {COMMAND} and commit the file",
        differing.unwrap_or("(nothing; it has too much)"),
    );
}
