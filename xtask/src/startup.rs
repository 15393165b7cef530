//! What the start of a job costs launchers, from 64 to a million simulated ranks, as a table and as
//! a drawing: `startup [FILE.svg]`.
//!
//! The table is that of crates/mpiexec/src/simulation.rs. Both axes of the drawing are logarithmic.

use crate::commands::{self, Failure, at, output};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// The numbers of ranks.
const RANKS: &str = "64 256 1024 4096 16384 65536 262144 1048576";

/// A column of the table that is drawn: its number from 0, colour, name.
const LINES: [(usize, &str, &str); 4] = [
    (3, "#1f77b4", "messages between launchers, all together"),
    (5, "#d62728", "messages of the busiest launcher (the root)"),
    (8, "#2ca02c", "KiB that the root keeps"),
    (7, "#9467bd", "PMI lines of a rank"),
];

/// Prints the table, and draws it into a file if one is named.
pub fn run(root: &Path, words: &[&str]) -> ExitCode {
    commands::end("startup", table(root).and_then(|table| draw_into(words, &table)))
}

/// Runs the simulation. Returns its table.
fn table(root: &Path) -> Result<String, Failure> {
    let mut test = commands::cargo();
    test.args(["test", "--release", "-q", "-p", "nemesis-mpiexec", "--bin", "mpiexec"]);
    test.args(["the_cost_of_a_start", "--", "--nocapture"]);
    let text = output(test.env("RANKS", RANKS).current_dir(root))?;
    let is_row = |line: &&str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        line.starts_with(' ') && (word == "ranks" || word.parse::<u64>().is_ok())
    };
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    if rows.is_empty() { Err("the simulation failed".into()) } else { Ok(rows.join("\n")) }
}

fn draw_into(words: &[&str], table: &str) -> Result<String, Failure> {
    if let [file] = words {
        std::fs::write(file, drawing(table)).map_err(at(Path::new(file)))?;
    }
    Ok(table.into())
}

/// The place of a number of ranks in the drawing.
fn x(ranks: f64) -> f64 {
    70.0 + (ranks.log2() - 6.0) * 36.0
}

/// The height of a value in the drawing.
fn y(value: f64) -> f64 {
    330.0 - value.max(1.0).log10() * 52.0
}

/// Draws the table.
fn drawing(table: &str) -> String {
    let rows = table.lines().map(|line| {
        line.split_whitespace().map_while(|word| word.parse::<f64>().ok()).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<f64>> = rows.filter(|row| !row.is_empty()).collect();
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"380\" \
                   font-family=\"sans-serif\" font-size=\"12\">\n\
                   <rect width=\"640\" height=\"380\" fill=\"white\"/>\n"
        .to_string();
    let mut add = |line: std::fmt::Arguments| {
        let _ = writeln!(svg, "{line}");
    };
    for power in (6..=20).step_by(2) {
        let ranks = 1 << power;
        let place = x(f64::from(ranks));
        add(format_args!("<text x=\"{place:.0}\" y=\"350\" text-anchor=\"middle\">{ranks}</text>"));
    }
    for power in 0..=5 {
        let value = 10_u32.pow(power);
        let height = y(f64::from(value));
        add(format_args!(
            "<line x1=\"70\" x2=\"590\" y1=\"{height:.0}\" y2=\"{height:.0}\" stroke=\"#ddd\"/>\
             <text x=\"62\" y=\"{:.0}\" text-anchor=\"end\">{value}</text>",
            height + 4.0
        ));
    }
    add(format_args!(
        "<text x=\"330\" y=\"372\" text-anchor=\"middle\">ranks, 64 on each host</text>"
    ));
    for (number, (column, colour, name)) in LINES.into_iter().enumerate() {
        let seen = rows.iter().filter(|row| row.get(column).is_some_and(|value| *value > 0.0));
        let points = seen.map(|row| format!("{:.1},{:.1}", x(row[0]), y(row[column])));
        let points = points.collect::<Vec<_>>().join(" ");
        let height = 30 + 16 * number;
        add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        ));
        add(format_args!("<text x=\"80\" y=\"{height}\" fill=\"{colour}\">{name}</text>"));
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_a_point_of_each_line() {
        let svg = drawing(" ranks a b\n 64 1 2 3 4 5 6 7 8 9\n 256 1 2 10 4 50 6 0 8 90\n");
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(svg.contains("points=\"70.0,305.2 142.0,278.0\""), "{svg}");
        assert!(svg.contains("points=\"70.0,286.1\""), "a value of 0 has no logarithm: {svg}");
    }
}
