//! The table as a drawing: a field for each operation, times over lengths, both logarithmic.

use crate::{Line, best};
use std::fmt::Write;

/// The size of a field, and of the curves within it.
const FIELD: (f64, f64) = (300.0, 220.0);
const MARGIN: (f64, f64) = (52.0, 34.0);
const FIELDS_IN_A_ROW: usize = 3;

/// The curves: what they are, and their colour.
const CURVES: [(&str, &str); 3] =
    [("chosen", "#1f77b4"), ("best of ours", "#2ca02c"), ("best of MPICH and Open MPI", "#d62728")];

/// Returns an SVG file.
pub fn draw(lines: &[Line], heading: &str) -> String {
    let mut operations: Vec<&str> = lines.iter().map(|line| line.operation).collect();
    operations.dedup();
    operations.retain(|name| *name != "barrier");
    let rows = operations.len().div_ceil(FIELDS_IN_A_ROW);
    let (width, height) = (FIELD.0 * FIELDS_IN_A_ROW as f64, FIELD.1 * rows as f64 + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\" font-size=\"11\">{heading}</text>\n"
    );
    for (index, (name, colour)) in CURVES.iter().enumerate() {
        let x = 10.0 + 130.0 * index as f64;
        let _ = writeln!(
            svg,
            "<path d=\"M{x} 32h20\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"36\">{name}</text>",
            x + 26.0
        );
    }
    for (index, name) in operations.iter().enumerate() {
        let x = FIELD.0 * (index % FIELDS_IN_A_ROW) as f64;
        let y = 50.0 + FIELD.1 * (index / FIELDS_IN_A_ROW) as f64;
        let lines: Vec<&Line> = lines.iter().filter(|line| line.operation == *name).collect();
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">{}</g>", field(name, &lines));
    }
    svg + "</svg>\n"
}

/// The times of each curve, in microseconds.
fn times(line: &Line) -> [Option<f64>; 3] {
    [line.chosen(), best(&line.ours), best(&line.theirs)]
        .map(|plan| plan.map(|plan| plan.cost.time as f64 / 1e6))
}

fn field(name: &str, lines: &[&Line]) -> String {
    let mut svg = format!("<text x=\"{}\" y=\"14\" font-weight=\"bold\">{name}</text>", MARGIN.0);
    let all: Vec<f64> = lines.iter().flat_map(|line| times(line)).flatten().collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
    let high = all.iter().copied().fold(0.0, f64::max).log10().ceil();
    if !low.is_finite() || !high.is_finite() {
        return svg;
    }
    let (width, height) = (FIELD.0 - MARGIN.0 - 14.0, FIELD.1 - 2.0 * MARGIN.1);
    let bits = |line: &Line| (line.bytes.max(1) as f64).log2();
    let first = lines.first().map_or(0.0, |line| bits(line));
    let span = lines.last().map_or(1.0, |line| bits(line) - first).max(1.0);
    let x = |line: &Line| MARGIN.0 + (bits(line) - first) / span * width;
    let y = |time: f64| MARGIN.1 + (high - time.log10()) / (high - low).max(1.0) * height;
    for decade in low as i32..=high as i32 {
        let at = y(10f64.powi(decade));
        let _ = write!(
            svg,
            "<path d=\"M{} {at}h{width}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} µs</text>",
            MARGIN.0,
            MARGIN.0 - 4.0,
            at + 3.0,
            10f64.powi(decade)
        );
    }
    for line in lines {
        let bytes = line.bytes;
        let label = match bytes {
            0..1024 => format!("{bytes}"),
            1024..0x10_0000 => format!("{} Ki", bytes >> 10),
            _ => format!("{} Mi", bytes >> 20),
        };
        let (at, under) = (x(line), MARGIN.1 + height + 14.0);
        let _ = write!(svg, "<text x=\"{at}\" y=\"{under}\" text-anchor=\"middle\">{label}</text>");
    }
    for (curve, (_, colour)) in CURVES.iter().enumerate().rev() {
        let points: Vec<String> = lines
            .iter()
            .filter_map(|line| Some(format!("{:.1},{:.1}", x(line), y(times(line)[curve]?))))
            .collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
    }
    svg
}
